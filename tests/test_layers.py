"""The house: which module may import which, read from the imports.

    charsets, evidence, decide, text: no I/O; then fetch, reading, parsing, validate, adapters, batch, cli

A module imports from its own room and from those before it; errors and results stand beside the door. Imports
for the type checker alone count as well.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from support.each import each

import feedcharset

SOURCE = Path(feedcharset.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))

DOOR = ("errors", "results")
ROOMS: tuple[str, ...] = (
    "results",
    "errors",
    "charsets",
    "evidence",
    "decide",
    "text",
    "fetch",
    "reading",
    "parsing",
    "validate",
    "adapters",
    "batch",
    "cli",
    "__main__",
)
ABOVE_THE_LINE = (*DOOR, "charsets", "evidence", "decide", "text")

MAY_IMPORT = {
    # Everything that is not the standard library's, and where it may be imported.
    "webencodings": ("charsets", "validate"),
    "ftfy": ("text.mojibake",),
    "requests": ("fetch", "reading", "validate", "adapters.requests"),
    "urllib3": ("fetch",),
    "lxml": ("parsing", "validate"),
    "click": ("cli",),
    "httpx": ("adapters.httpx", "reading.sources"),
    "aiohttp": ("adapters.aiohttp",),
    "scrapy": ("adapters.scrapy",),
    "feedparser": ("adapters.feedparser",),
    "pandas": ("adapters.pandas",),
    "bs4": ("adapters.beautifulsoup",),
    "fsspec": ("adapters.fsspec",),
    "smart_open": ("adapters.smart_open",),
    "warcio": ("adapters.warcio",),
    "pyarrow": ("batch",),
    "fastwarc": ("batch",),
}
LAZILY = ("ftfy", "fastwarc")
OPENS = {"io", "os", "pathlib", "socket", "ssl", "urllib", "http", "subprocess", "shutil", "tempfile", "gzip"}


class Import(NamedTuple):
    """One name that a module imports."""

    name: str
    line: int
    typing: bool
    """For the type checker alone."""
    lazy: bool
    """Inside a function."""


def module_of(path: Path) -> str:
    """ "evidence.window" for src/feedcharset/evidence/window.py; "evidence" for its __init__."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in FILES}


def tree_of(module: str) -> ast.Module:
    """Its syntax."""
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


@cache
def imports(module: str) -> tuple[Import, ...]:
    """All that it imports, wherever that stands."""
    return tuple(_imports(tree_of(module), typing=False, lazy=False))


def _imports(node: ast.AST, *, typing: bool, lazy: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, child.lineno, typing, lazy) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, "imports are absolute"
            for alias in child.names:
                yield Import(f"{child.module}.{alias.name}", child.lineno, typing, lazy)
        else:
            checked = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from _imports(child, typing=typing or checked, lazy=lazy or function)


def ours(name: str) -> str | None:
    """The module of this package that an import names; None for another package's, and for __version__."""
    package, _, rest = name.partition(".")
    if package != "feedcharset" or rest == "__version__":
        return None
    while rest not in MODULES:
        rest = rest.rpartition(".")[0]
    return rest


def rank(module: str) -> int:
    """The number of its room."""
    room = module.partition(".")[0]
    return ROOMS.index(room)


INSIDE = [module for module in MODULES if module]


@each("module", INSIDE)
def test_a_module_imports_only_from_rooms_before_it(module: str) -> None:
    for one in imports(module):
        other = ours(one.name)
        if other is not None:
            assert other != "", f"{module}:{one.line} imports the package itself"
            assert rank(other) <= rank(module), f"{module}:{one.line} imports {one.name}"


def test_the_package_itself_imports_nothing_at_once() -> None:
    """Not `typing` either: its import takes longer than all of the package's own."""
    at_once = [one.name for one in imports("") if not one.typing and not one.lazy]
    assert at_once == ["__future__.annotations"]


def test_each_module_is_named_by_an_import() -> None:
    """Programs that freeze others find it, though many are imported when they are used."""
    named = {ours(one.name) for module in MODULES for one in imports(module)}
    named |= {one.rpartition(".")[0] for one in named if one}
    apart = {module for module in MODULES if module.startswith("adapters")} | {"", "__main__"}
    assert set(MODULES) - named == apart - named


@each("module", INSIDE)
def test_other_packages_are_imported_where_they_may_be(module: str) -> None:
    for one in imports(module):
        package = one.name.partition(".")[0]
        if package in MAY_IMPORT:
            allowed = MAY_IMPORT[package]
            assert module.startswith(allowed), f"{module}:{one.line} imports {one.name}"
            assert one.lazy or one.typing or package not in LAZILY, (
                f"{module}:{one.line} imports {package} at once"
            )


@each("module", [module for module in INSIDE if module.partition(".")[0] in ABOVE_THE_LINE])
def test_nothing_above_the_line_opens_anything(module: str) -> None:
    for one in imports(module):
        assert one.name.partition(".")[0] not in OPENS, f"{module}:{one.line} imports {one.name}"
    called = {ast.unparse(node.func) for node in ast.walk(tree_of(module)) if isinstance(node, ast.Call)}
    assert not called & {"open", "codecs.open", "exec", "eval", "__import__", "print", "input"}


@each("module", [module for module in INSIDE if module.partition(".")[0] in ABOVE_THE_LINE])
def test_nothing_above_the_line_asks_python_for_a_codec_by_a_label(module: str) -> None:
    """A label from outside never reaches codecs.lookup, and nothing registers codecs or handlers, but two
    modules their own error handlers, when a document first needs one."""
    called = {ast.unparse(node.func) for node in ast.walk(tree_of(module)) if isinstance(node, ast.Call)}
    asking = {
        f"codecs.{name}" for name in ("lookup", "register", "register_error", "getdecoder", "getreader")
    }
    bare = {name.removeprefix("codecs.") for name in asking - {"codecs.lookup", "codecs.register_error"}}
    assert not called & (asking | bare)
    assert "codecs.lookup" not in [one.name for one in imports(module)]
    registering = [one.name for one in imports(module) if one.name.startswith("codecs.register")]
    assert registering == (
        ["codecs.register_error"] if module in ("charsets.east_asian", "charsets.decoders") else []
    )


def test_no_module_imports_itself_through_others() -> None:
    """There is no circle: neither of imports at once, nor lazy ones, nor those for the type checker."""
    waits = {
        module: {other for one in imports(module) if (other := ours(one.name)) and other != module}
        for module in INSIDE
    }
    while waits:
        ready = [module for module, others in waits.items() if not others & set(waits)]
        assert ready, f"a cycle among {sorted(waits)}"
        for module in ready:
            del waits[module]


def test_nothing_lies_loose_at_the_top() -> None:
    assert sorted(path.name for path in SOURCE.iterdir() if path.is_file()) == [
        "__init__.py",
        "__main__.py",
        "errors.py",
        "py.typed",
    ]


def test_no_file_is_named_like_what_it_would_hide() -> None:
    for path in FILES:
        assert path.stem not in ("http", "codecs", "io", "types", "typing", "logging", "email")
    here = {path.stem for path in SOURCE.iterdir()}
    assert not here & set(feedcharset.__all__)
    assert not here & {"check", "parse", "repair", "detect"}


PUBLIC = ("", "errors", "results", "batch", "adapters")
"""What other programs import from: docs/changelog.md promises the names of these."""


@each("module", MODULES)
def test_a_module_says_what_is_in_it(module: str) -> None:
    assert ast.get_docstring(tree_of(module)), "no docstring"


@each(
    "module",
    [module for module in MODULES if module in PUBLIC or module.startswith(("adapters.", "results."))],
)
def test_a_public_module_lists_its_names(module: str) -> None:
    """An `__all__` without duplicates, whose names are all there."""
    bound = _bound(tree_of(module))
    assert "__all__" in bound, "no __all__"
    value = bound["__all__"]
    assert isinstance(value, ast.List | ast.Tuple)
    names = [element.value for element in value.elts if isinstance(element, ast.Constant)]
    assert len(names) == len(value.elts) == len(set(names))
    assert set(names) <= set(bound) | {one.name.rpartition(".")[2] for one in imports(module)}


@each("module", MODULES)
def test_a_name_with_an_underscore_is_for_its_module_alone(module: str) -> None:
    """No other module imports it. In modules that are not public this is the only mark."""
    taken = [one.name for one in imports(module) if ours(one.name)]
    assert not [name for name in taken if re.match("_[^_]", name.rpartition(".")[2])]


def _bound(tree: ast.Module) -> dict[str, ast.expr | None]:
    """The names that a module binds, with the value where it is an assignment."""
    bound: dict[str, ast.expr | None] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound[node.name] = None
        elif isinstance(node, ast.Assign):
            bound.update((name.id, node.value) for name in node.targets if isinstance(name, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            bound[node.target.id] = node.value
    return bound


CORE = ("charsets", "evidence", "decide", "text")


@each("module", [module for module in INSIDE if module.partition(".")[0] in CORE])
def test_a_module_of_the_core_has_a_test_file_of_its_name(module: str) -> None:
    room, _, name = module.partition(".")
    if name:
        assert (Path(__file__).parent / room / f"test_{name}.py").exists()
