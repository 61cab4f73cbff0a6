"""The limits in how-to/http.md, and making/constants.md: every number of the code, with its reason."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import feedcharset
from making.comparison import MARKED, table
from making.docstrings import attribute_docs, escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Constant", "constants", "constants_page", "page"]

DOCS = Path(__file__).resolve().parents[1]
SOURCE = Path(feedcharset.__file__).parent

NO_LIMITS = ("EXIT_", "ESC", "GZIP", "ZLIB", "RAW", "MIB", "IN_A_ROW", "CUT_IN_TWO")
"""How the names of numbers begin that are no limits: exit codes, a byte value, a unit, thresholds."""

PIECES = ("PIECE", "_SMALL_PIECE", "BLOCK", "CHUNK", "_CHUNK", "STEP", "WHOLE", "FEW")
"""Names of sizes that concern speed and memory, and no result."""

ERRORS = {
    # The errors of limits that do not stop at a size.
    **dict.fromkeys(("connect", "read", "total"), "DeadlineExceeded"),
    "redirects": "TooManyRedirects",
    **dict.fromkeys(("https_to_http", "public_only"), "AddressRefused"),
}

CONSTANTS_HEAD = """\
# Constants

<!-- Made from the code by docs/generate.py: edit the code, not this page. -->

The numbers of the code, for those who read it or review it. They cannot be set, except `LOOKAHEAD`, the
default of the option `lookahead=`. The limits of a download are the fields of
[`Limits`](../how-to/http.md#set-limits-on-time-and-size).

## Limits

A document or a server can make nothing grow beyond them.

| constant | value | meaning and reason |
|---|---|---|
"""

SIZES = """
## Sizes of pieces

They change speed and memory, never a result: results do not depend on how the bytes are cut.

| constant | value | meaning and reason |
|---|---|---|
"""

CACHES = """
## Caches

Each is bounded. Labels are looked up and not cached.

| cache | entries | reason |
|---|---|---|
"""


class Constant(NamedTuple):
    """A number with a name."""

    module: str
    """Within feedcharset."""
    name: str
    value: float
    reason: str


def page() -> str:
    """how-to/http.md, its table of limits made anew."""
    text = (DOCS / "how-to" / "http.md").read_text(encoding="utf-8")
    return MARKED.sub(lambda found: f"{found[1]}\n{_limits()}\n{found[3]}", text)


def constants_page() -> str:
    """All other numbers."""
    found = [one for one in constants() if not one.name.startswith(NO_LIMITS)]
    return "".join(
        [
            CONSTANTS_HEAD,
            *(_row(one) for one in found if one.name not in PIECES),
            SIZES,
            *(_row(one) for one in found if one.name in PIECES),
            CACHES,
            *sorted(_caches()),
        ]
    )


def _limits() -> str:
    docs = attribute_docs(feedcharset.Limits)
    rows = (
        (
            f"`{name}`",
            str(default) if isinstance(default, bool) else f"{default:,.0f}",
            f"{_cell(docs[name])} `{ERRORS.get(name, 'TooLarge')}`",
        )
        for name, default in feedcharset.Limits()._asdict().items()
    )
    return table(("field", "default", "what it limits, and the error beyond it"), rows)


def _row(constant: Constant) -> str:
    return f"| `{constant.module}.{constant.name}` | {constant.value:,} | {_cell(constant.reason)} |\n"


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def _modules() -> Iterator[tuple[str, str]]:
    """Names within feedcharset, and sources."""
    for path in sorted(SOURCE.rglob("*.py")):
        if path.name not in ("__init__.py", "__main__.py"):
            yield ".".join(path.relative_to(SOURCE).with_suffix("").parts), path.read_text(encoding="utf-8")


def constants() -> Iterator[Constant]:
    """The numbers that have a name at the top of a module."""
    for module, source in _modules():
        body = ast.parse(source).body
        for node, after in zip(body, [*body[1:], None], strict=True):
            name = _assigned(node)
            value = getattr(import_module(f"feedcharset.{module}"), name) if name.isupper() else None
            if not isinstance(value, int | float) or isinstance(value, bool):
                continue
            reason = _reason(source, node, after)
            if reason or not name.startswith("_"):  # private, and nothing to say: the length of something
                yield Constant(module, name, value, reason)


def _assigned(node: ast.stmt) -> str:
    target: Any = node.target if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [None])[0]
    return target.id if isinstance(target, ast.Name) else ""


def _reason(source: str, node: ast.stmt, after: ast.stmt | None) -> str:
    """The string after an assignment, or the comment beside or before it (before a function's decorators)."""
    if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
        return escaped(" ".join(inspect.cleandoc(str(after.value.value)).split()))
    lines = source.splitlines()
    line = min(part.lineno for part in (node, *getattr(node, "decorator_list", ()))) - 1
    beside = lines[line].partition("  # ")[2]
    if beside:
        return _sentence(beside)
    first = line
    while lines[first - 1].startswith("# "):
        first -= 1
    return escaped(" ".join(comment[2:] for comment in lines[first:line]))


def _sentence(comment: str) -> str:
    return escaped(f"{comment[0].upper()}{comment[1:].rstrip('.')}.")


def _caches() -> Iterator[str]:
    for module, source in _modules():
        tree = ast.parse(source)
        for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("lru_cache"):
                    yield _cache(module, source, node, after, call)


def _cache(module: str, source: str, node: ast.stmt, after: ast.stmt | None, call: ast.Call) -> str:
    value = call.keywords[0].value
    function = isinstance(node, ast.FunctionDef)
    name = node.name if isinstance(node, ast.FunctionDef) else _assigned(node)
    if isinstance(value, ast.Constant):
        size: object = value.value
    else:
        size = eval(ast.unparse(value), vars(import_module(f"feedcharset.{module}")))
    reason = _reason(source, node, None if function else after)
    if function and not reason:
        reason = escaped((ast.get_docstring(node) or "").partition("\n")[0])
    return f"| `{module}.{name}` | {size} | {_cell(reason)} |\n"
