"""Every fixture parses to the same tree through lxml, ElementTree and feedparser, whatever its encoding."""

from __future__ import annotations

import io
from typing import Any
from xml.etree import ElementTree

import pytest
from support.documents import fixtures, reference
from support.each import each

from feedcharset import XmlReader, iterparse, parse

ROWS = fixtures()


def flat(root: Any) -> list[Any]:
    """A tree as its tags with their attributes, and the text between; without comments and instructions."""
    out: list[Any] = [""]

    def walk(element: Any) -> None:
        if isinstance(element.tag, str):
            out.extend([(element.tag, sorted(element.attrib.items())), ""])
            out[-1] += element.text or ""
            for child in element:
                walk(child)
            out.extend(["/", ""])
        out[-1] += element.tail or ""

    walk(root)
    return out


def as_utf8(row: Any) -> bytes:
    """The same document in UTF-8, as if it had never been in anything else."""
    text = reference(row)
    if text.startswith("<?xml "):
        text = text.partition("?>")[2].lstrip()
    return text.encode()


@each("row", ROWS, ids=lambda row: row.file[6:-4])
def test_the_same_tree(row: Any) -> None:
    expected = flat(ElementTree.fromstring(as_utf8(row)))
    assert flat(parse(row.path).getroot()) == expected
    with XmlReader(row.path) as reader:
        assert flat(ElementTree.parse(reader.utf8()).getroot()) == expected
    elements = iterparse(row.path)
    assert len(list(elements)) == sum(isinstance(part, tuple) for part in expected)
    assert flat(elements.root) == expected


@each("row", ROWS, ids=lambda row: row.file[6:-4], every=3)
def test_the_same_feed(row: Any) -> None:
    feedparser = pytest.importorskip("feedparser")
    expected = feedparser.parse(io.BytesIO(as_utf8(row)))
    with XmlReader(row.path) as reader:
        parsed = feedparser.parse(reader.utf8())
    assert not parsed.bozo
    assert parsed.encoding == "utf-8"
    assert (parsed.version, parsed.feed, parsed.entries) == (
        expected.version,
        expected.feed,
        expected.entries,
    )
    tree = parse(row.path)
    items = tree.findall(".//{*}item") + tree.findall(".//{*}entry")
    assert len(parsed.entries) == len(items) > 0
    assert parsed.feed.title == row.title == tree.findtext(".//{*}title")


def test_one_feed_in_many_encodings_is_one_tree() -> None:
    (row,) = [row for row in ROWS if row.file == "feeds/ru-rss20-windows-1251.xml"]
    text = reference(row).partition("?>")[2]
    charsets = ["windows-1251", "KOI8-R", "ISO-8859-5", "IBM866", "GB18030", "UTF-8", "UTF-16", "UTF-32"]
    for charset in charsets:  # what each of them knows
        text = text.encode(charset, "replace").decode(charset)
    documents = [f'<?xml version="1.0" encoding="{charset}"?>{text}'.encode(charset) for charset in charsets]
    trees = [flat(parse(document).getroot()) for document in documents]
    assert "Вестник Заречья" in trees[0]
    assert [charset for charset, tree in zip(charsets, trees, strict=True) if tree != trees[0]] == []
