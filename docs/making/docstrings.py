"""The docstrings of attributes, which only the source has, as Markdown."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from itertools import pairwise

__all__ = ["attribute_docs", "escaped"]

_CODE = re.compile(r"(`[^`]*`|\*\*\w+\*\*)")


def escaped(text: str) -> str:
    """Escape Markdown outside code spans."""
    parts = _CODE.split(text)
    parts[::2] = [re.sub(r"[*<]", r"\\\g<0>", part) for part in parts[::2]]
    return "".join(parts)


@cache
def attribute_docs(cls: type) -> dict[str, str]:
    """What the strings after the attributes of a class, or of those it derives from, say."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.partition(".")[0] == "feedcharset":
            tree = ast.parse(inspect.getsource(base))
            found |= _documented(tree.body[0])
    return found


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
