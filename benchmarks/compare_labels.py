"""Which tools pass a label from a document or a header on to Python's codec registry, and what comes of it.

`measure()` gives the answers; compare.py prints them.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import contextmanager

from readers import READERS, Reader

__all__ = ["measure"]

UNKNOWN = "x-no-such-charset-{}"
DECLARED = '<?xml version="1.0" encoding="{}"?><a>\\x3cb\\x3e</a>'


def measure() -> dict[str, dict[str, bool | str]]:
    """For each tool: does an unknown label reach `codecs.lookup`, and does `unicode_escape` make markup?"""
    return {
        reader.name: {
            "declared": _reaches(reader, number, header=False),
            "header": _reaches(reader, number, header=True),
            "markup": _makes_markup(reader),
        }
        for number, reader in enumerate(READERS)
        if reader.present()
    }


def _reaches(reader: Reader, number: int, *, header: bool) -> bool:
    """The registry was searched for a label that no codec has."""
    # Python keeps every label that was searched for, so each question needs a label of its own.
    label = UNKNOWN.format(f"{number}-{'header' if header else 'declared'}")
    body = DECLARED.format("utf-8" if header else label).encode()
    content_type = f"text/xml; charset={label}" if header else "application/xml"
    with _searched() as labels:
        _read(reader, body, content_type)
    return any(label.replace("-", "_") == one.replace("-", "_") for one in labels)


def _makes_markup(reader: Reader) -> bool:
    """With the label unicode_escape, the characters `\\x3cb\\x3e` become a tag."""
    body = DECLARED.format("unicode_escape").encode()
    return "<b>" in (_read(reader, body, "text/xml; charset=unicode_escape") or "")


def _read(reader: Reader, body: bytes, content_type: str) -> str | None:
    try:
        return reader.read(body, content_type)
    except Exception:  # a peer may raise anything; what it asked the registry for is known all the same
        return None


@contextmanager
def _searched() -> Iterator[list[str]]:
    """The labels that reach the registry and that no codec has."""
    labels: list[str] = []

    def search(label: str) -> None:
        labels.append(label)

    codecs.register(search)
    try:
        yield labels
    finally:
        codecs.unregister(search)
