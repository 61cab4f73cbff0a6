"""The recipes of docs/how-to for parsers and HTTP clients, taken out of their pages as functions."""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

from support.pages import DOCS, blocks

__all__ = ["CLIENTS", "PARSERS", "Recipe", "missing", "recipes"]

SECTIONS = {
    # The page and the heading of a consumer that has no page of its own.
    "elementtree": ("parsers", "xml.etree.ElementTree"),
    "sax": ("parsers", "xml.sax"),
    "minidom": ("parsers", "xml.dom.minidom and xml.dom.pulldom"),
    "expat": ("parsers", "xml.parsers.expat"),
    "defusedxml": ("parsers", "defusedxml"),
    "xmltodict": ("parsers", "xmltodict"),
    "pandas": ("parsers", "pandas.read_xml"),
    "beautifulsoup": ("parsers", "Beautiful Soup"),
    "aiohttp": ("own-client", "aiohttp"),
    "urllib": ("own-client", "urllib.request"),
}
PARSERS = {
    # Consumer: the package that has to be installed.
    "lxml": "lxml",
    "elementtree": "xml.etree",
    "sax": "xml.sax",
    "minidom": "xml.dom",
    "expat": "xml.parsers.expat",
    "defusedxml": "defusedxml",
    "feedparser": "feedparser",
    "beautifulsoup": "bs4",
    "xmltodict": "xmltodict",
    "pandas": "pandas",
}
CLIENTS = {
    "requests": "requests",
    "httpx": "httpx",
    "aiohttp": "aiohttp",
    "urllib": "urllib",
    "scrapy": "scrapy",
}


class Recipe(NamedTuple):
    """A function of a page."""

    page: str
    name: str
    takes: str
    """"source", "url" or "response"."""
    call: Callable[[Any], Any]


def missing(package: str) -> str | None:
    """Why a page cannot be run, or None."""
    return None if importlib.util.find_spec(package) else f"{package} is not installed"


def recipes(page: str, takes: str) -> list[Recipe]:
    """The functions of a page, or of a section of one, whose only required argument is `takes`."""
    name, heading = SECTIONS.get(page, (page, ""))
    path = DOCS / "how-to" / f"{name}.md"
    text = path.read_text(encoding="utf-8")
    if heading:
        head, heading, rest = text.partition(f"\n## {heading}\n")
        assert heading, page
        text = "\n" * head.count("\n") + rest.partition("\n## ")[0]
    found: list[Recipe] = []
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(text):
        if block.language != "python" or ">>>" in block.text:
            continue
        before = set(names)
        exec(compile("\n" * block.line + block.text, str(path), "exec"), names)
        found += [
            Recipe(page, name, takes, _called(names[name]))
            for name in names
            if name not in before and inspect.isfunction(names[name]) and _takes(names[name]) == takes
        ]
    return found


def _takes(function: Callable[..., Any]) -> str | None:
    """The name of a function's only required argument."""
    required = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    return required[0] if len(required) == 1 else None


def _called(function: Callable[..., Any]) -> Callable[[Any], Any]:
    if inspect.iscoroutinefunction(function):
        return lambda argument: asyncio.run(function(argument))
    return function
