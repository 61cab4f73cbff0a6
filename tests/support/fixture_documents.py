"""The documents of fixtures/ (feeds, findings, reports) for the promises of findings."""

from __future__ import annotations

import json
from collections.abc import Iterator

from support.cases import FIXTURES
from support.finding_promises import Document
from support.module_files import module_at

from feedcharset import decode

__all__ = ["fixture_documents"]

LONGEST = 300_000
"""Bytes; some reports have megabytes."""


def fixture_documents() -> Iterator[Document]:
    """All of them; of reports those of usual length."""
    reading = module_at(FIXTURES / "reading.py")
    for row in reading.read_feeds():
        yield _document(row.file, row.path.read_bytes(), row.content_type)
    with (FIXTURES / "findings.jsonl").open(encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            yield _document(case["file"], (FIXTURES / case["file"]).read_bytes(), case["content_type"])
    for row in reading.read_reports():
        if len(row.body) < LONGEST and row.kind is None:
            yield _document(row.id, row.body, row.content_type)


def _document(name: str, body: bytes, content_type: str | None) -> Document:
    """A document in the codec of its lenient reading: the meant text is known for none of them."""
    codec = decode(body, content_type).resolution.codec or "latin-1"
    return Document(name, body, content_type, codec)
