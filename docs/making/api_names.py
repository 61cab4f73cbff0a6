"""The table of names at the head of docs/reference/api.md: it is read without Sphinx, too."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import feedcharset
from making.docstrings import escaped

__all__ = ["page"]

PAGE = Path(__file__).resolve().parent.parent / "reference" / "api.md"

_MARKED = re.compile(r"(<!-- names -->\n).*?(<!-- end of names -->)", re.DOTALL)
_DIRECTIVE = re.compile(
    r"^### \w+\n\n```\{eval-rst\}\n\.\. auto(?:class|function|exception):: ([\w.]+)", re.MULTILINE
)


def page() -> str:
    """docs/reference/api.md, its table made anew."""
    text = PAGE.read_text(encoding="utf-8")
    rows = [_row(path) for path in _DIRECTIVE.findall(text)]
    table = "\n".join(["| name | what |", "|---|---|", *rows])
    return _MARKED.sub(lambda found: f"{found[1]}{table}\n{found[2]}", text)


def _row(path: str) -> str:
    name = path.rpartition(".")[2]
    thing = _named(path)
    first = (inspect.getdoc(thing) or "").partition("\n\n")[0].replace("\n", " ")
    called = f"`{name}{_arguments(thing)}`"
    return f"| [{called}](#{name.lower()}) | {escaped(first)} |".replace("\\|", "|")


def _named(path: str) -> Any:
    thing: Any = feedcharset
    for part in path.split(".")[1:]:
        thing = getattr(thing, part)
    return thing


def _arguments(thing: Any) -> str:
    """The arguments, with their defaults, of a function, or of a class that callers make."""
    if isinstance(thing, type) and thing.__name__ not in ("XmlReader", "XmlDecoder", "Limits"):
        return ""
    parts = []
    signature = inspect.signature(thing)
    for parameter in signature.parameters.values():
        parts.append(str(parameter.replace(annotation=inspect.Parameter.empty)))
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts.insert(-1, "*")
    listed = ", ".join(part for part in parts if part != "self")
    return f"({re.sub(r'<[^>]*>|Limits[(].*?[)]', '…', listed)})"
