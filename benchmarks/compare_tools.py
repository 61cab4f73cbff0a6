"""How feedcharset and its peers read documents whose right text is known: rightly, wrongly, not at all.

    python benchmarks/compare_tools.py [--json FILE] [--wrong TOOL]

The documents: the feeds of fixtures/ as they are and with headers that RFC 3023 reads otherwise;
fixtures/reports.jsonl and tests/data/field_reports.jsonl, modelled on reports. A text is right when it is the
known one, the XML declaration, what stands before it and marks of damage apart; of a parser, when the
character data of its tree is. Damage may be mended by any of feedcharset's policies. --wrong lists the
documents that a tool does not read rightly.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from readers import READERS, Reader, Tree

import feedcharset

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "fixtures"), str(ROOT / "tests")]

from reading import read_feeds, read_reports  # noqa: E402
from support.field_reports import read_field_reports  # noqa: E402

__all__ = ["main", "measure"]

OUT = Path(__file__).parent / "_data" / "tools.json"
POLICIES = ("windows-1252", "replace", "space", "latin-1")
LONGEST = 1 << 20
"""Bytes: a few documents of megabytes cost the detectors minutes."""

_DECLARATION = re.compile(r"(?:[\ufeff\s]*<\?xml\b[^<>]*+>?)++\s*")


class Document(NamedTuple):
    """A document, how it is sent, and its right text."""

    id: str
    body: bytes
    content_type: str | None
    right: Callable[[str], bool]
    """Whether this is its text."""


def main() -> int:
    """Run, print a table, write JSON."""
    parser = argparse.ArgumentParser(description="Count what each tool reads rightly.")
    parser.add_argument("--json", type=Path, default=OUT, help=f"where to write [{OUT}]")
    parser.add_argument("--wrong", metavar="TOOL", help="list what this tool does not read rightly")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable()
    result = measure(options.wrong)
    print("\n".join(table(result)))
    options.json.parent.mkdir(exist_ok=True)
    options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


def measure(wrong: str | None = None) -> dict[str, dict[str, dict[str, int]]]:
    """Count, by tool and corpus; with the name of a tool, only that, its failures printed."""
    result: dict[str, dict[str, dict[str, int]]] = {}
    for corpus, documents in _corpora().items():
        for reader in READERS:
            if not reader.present() or (wrong and reader.name != wrong):
                continue
            counts = dict.fromkeys(("right", "wrong", "raises"), 0)
            result.setdefault(reader.name, {})[corpus] = counts
            for document in documents:
                verdict = judge(reader, document)
                counts[verdict] += 1
                if wrong and verdict != "right":
                    print(f"{corpus}\t{document.id}\t{verdict}")
    return result


def judge(reader: Reader, document: Document) -> str:
    """ "right", "wrong" (in silence) or "raises"."""
    try:
        text = reader.read(document.body, document.content_type)
    except Exception:  # a peer may raise anything
        return "raises"
    if text is None:
        return "raises"
    return "right" if document.right(text) else "wrong"


def table(result: dict[str, dict[str, dict[str, int]]]) -> Iterator[str]:
    """Rows for people: right / wrong in silence / raises."""
    corpora = list(next(iter(result.values())))
    sizes = [sum(next(iter(result.values()))[corpus].values()) for corpus in corpora]
    heads = [f"{corpus} ({size})" for corpus, size in zip(corpora, sizes, strict=True)]
    yield f"{'right / wrong in silence / raises':36}" + "".join(f"{head:>24}" for head in heads)
    for name, by_corpus in result.items():
        cells = ["{right} / {wrong} / {raises}".format(**by_corpus[corpus]) for corpus in corpora]
        yield f"{name:36}" + "".join(f"{cell:>24}" for cell in cells)


# -- the documents ----------------------------------------------------------------------------------------


def _corpora() -> dict[str, list[Document]]:
    feeds = [
        (row.mode, f"{row.file} {row.content_type}", row.path.read_bytes(), row.content_type, row.sha256)
        for row in read_feeds()
    ]
    reports = [(row.id, row.body, row.content_type, row.sha256) for row in read_reports() if row.sha256]
    field = [row for row in read_field_reports() if row.judge != "alive"]
    return {
        "correct": [Document(*row[1:4], _by_hash(*row[2:])) for row in feeds if row[0] == "both"],
        "other headers": [Document(*row[1:4], _by_hash(*row[2:])) for row in feeds if row[0] != "both"],
        "reports": [Document(*row[:3], _by_hash(*row[1:])) for row in reports if len(row[1]) <= LONGEST],
        "field reports": [
            Document(
                row.id, row.body, row.content_type, _one_of(_mended(row.body, row.content_type, row.text))
            )
            for row in field
            if len(row.body) <= LONGEST
        ],
    }


def _by_hash(body: bytes, content_type: str | None, sha256: str) -> Callable[[str], bool]:
    """The fixtures know the text by its hash alone: it is what feedcharset reads, or nobody is right."""
    text = _read(body, content_type)
    if hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() != sha256:
        return lambda found: False
    return _one_of(_mended(body, content_type, text))


def _mended(body: bytes, content_type: str | None, text: str) -> set[str]:
    """The right text, and the same with damage mended in other ways."""
    if _read(body, content_type) != text:
        return {text}
    return {_read(body, content_type, errors=errors) for errors in POLICIES}


def _read(body: bytes, content_type: str | None, **options: Any) -> str:
    with feedcharset.XmlReader(body, content_type=content_type, declaration="keep", **options) as reader:
        return reader.read()


def _one_of(texts: set[str]) -> Callable[[str], bool]:
    known = {_normal(text) for text in texts}
    trees: set[str] = set()

    def right(found: str) -> bool:
        if not isinstance(found, Tree):
            return _normal(found) in known
        if not trees:
            trees.update(_characters(text) for text in known)
        return _normal(found) in trees

    return right


def _normal(text: str) -> str:
    """Without the declaration, what stands before it, and marks of damage."""
    match = _DECLARATION.match(text)
    text = text[match.end() if match else 0 :].replace("\ufffd", "")
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\ufeff \n\t\0")


def _characters(text: str) -> str:
    """The character data of a document, by a parser that recovers."""
    from lxml import etree

    parser = etree.XMLParser(recover=True, huge_tree=True, resolve_entities=False)
    root = etree.fromstring(text.encode("utf-8", "replace") or b"<a/>", parser)
    return "" if root is None else _normal("".join(root.itertext()))


if __name__ == "__main__":
    sys.exit(main())
