"""Docstrings as Markdown, and the docstrings of attributes, which only the source has."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from itertools import pairwise

__all__ = ["attribute_docs", "escaped", "instance_docs", "markdown"]

_SECTION = re.compile(r"^(Args|Returns|Raises|Attributes):$")
_TITLES = {"Args": "Arguments", "Returns": "Returns", "Raises": "Raises", "Attributes": "Attributes"}
_ITEM = re.compile(r"([A-Za-z_][\w., ]*?): (.*)", re.DOTALL)


def markdown(docstring: str) -> str:
    """A docstring of this project: paragraphs, then sections of items, each indented by four spaces."""
    out: list[str] = []
    section = ""
    for line in inspect.cleandoc(docstring).splitlines():
        heading = _SECTION.match(line)
        if heading:
            section = heading[1]
            out += [f"**{_TITLES[section]}**", ""]
        elif section and line.startswith("    ") and not line.startswith("     "):
            out.append(f"- {line.strip()}" if section != "Returns" else line.strip())
        elif section and line.startswith(" "):
            out.append(f"  {line.strip()}" if section != "Returns" else line.strip())
        else:
            section = section if not line else ""
            out.append(line)
    return escaped("\n".join(_named(line) for line in out).strip())


_CODE = re.compile(r"(`[^`]*`|\*\*\w+\*\*)")


def escaped(text: str) -> str:
    """Escape Markdown outside code spans."""
    parts = _CODE.split(text)
    parts[::2] = [re.sub(r"[*<]", r"\\\g<0>", part) for part in parts[::2]]
    return "".join(parts)


def _named(line: str) -> str:
    """The name of an item as code."""
    match = _ITEM.fullmatch(line[2:]) if line.startswith("- ") else None
    if match is None or not all(re.fullmatch(r"[\w.]+", name.strip()) for name in match[1].split(",")):
        return line
    names = ", ".join(f"`{name.strip()}`" for name in match[1].split(","))
    return f"- {names}: {match[2]}"


@cache
def attribute_docs(cls: type) -> dict[str, str]:
    """What the strings after the attributes of a class, or of those it derives from, say."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.partition(".")[0] == "feedcharset":
            tree = ast.parse(inspect.getsource(base))
            found |= _documented(tree.body[0])
    return found


@cache
def instance_docs(cls: type) -> dict[str, str]:
    """The same for what `__init__` sets, as far as it is public."""
    if "__init__" not in vars(cls) or issubclass(cls, BaseException):
        return {}
    tree = ast.parse(inspect.getsource(cls))
    starts = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "__init__"
    ]
    return {name: doc for name, doc in _documented(starts[0]).items() if not name.startswith("_")}


def _documented(node: ast.AST) -> dict[str, str]:
    body = getattr(node, "body", [])
    return {
        name: escaped(inspect.cleandoc(after.value.value).replace("\n", " "))
        for before, after in pairwise(body)
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        for name in _targets(before)
    }


def _targets(node: ast.AST) -> list[str]:
    targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
    return [getattr(target, "id", None) or getattr(target, "attr", "") for target in targets]
