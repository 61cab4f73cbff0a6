"""Cases that are data: files that another language could read."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["DATA", "FIXTURES", "TESTS", "RomeRow", "cuts", "load", "octets", "rfc_examples", "rome_rows"]

TESTS = Path(__file__).resolve().parent.parent
DATA = TESTS / "data"
FIXTURES = TESTS.parent / "fixtures"


def load(name: str) -> list[dict[str, Any]]:
    """The cases of tests/data/<name>.json."""
    cases: list[dict[str, Any]] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return cases


def octets(spelled: str) -> bytes:
    """Octets as they are spelled in the data: runs of hex between brackets, all else as ISO-8859-1.

    "[FE FF]" is a byte order mark; "[5B]" is a bracket.
    """
    out = bytearray()
    for at, part in enumerate(spelled.replace("]", "[").split("[")):
        out += bytes.fromhex(part) if at % 2 else part.encode("latin-1")
    return bytes(out)


def cuts(document: bytes, most: int = 300) -> Iterator[int]:
    """Offsets at which a document is cut: all of them, or `most` of them spread over a long one."""
    step = max(1, len(document) // most)
    yield from range(0, len(document), step)
    yield len(document)


class RomeRow(NamedTuple):
    """One row of fixtures/rome_strict.tsv.gz."""

    id: str
    content_type: str | None
    body: bytes
    expected: str
    """The encoding's name in upper case, or ERROR."""
    both: bool
    """Both Java readers gave this answer; else it is commons-io's, about UTF-32."""


def rome_rows() -> Iterator[RomeRow]:
    """What two Java readers answered in strict mode."""
    with gzip.open(FIXTURES / "rome_strict.tsv.gz", "rt", encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            field = None if row["mode"] == "raw" else row["content_type"].replace("\\N", "")
            both = row["rome"] == row["commons_io"]
            yield RomeRow(row["id"], field, bytes.fromhex(row["body_hex"]), row["commons_io"], both)


def rfc_examples(name: str, part: str = "examples") -> Iterator[tuple[dict[str, Any], bytes]]:
    """The examples of an RFC, each with the octets of its entity; UTF-16 and UCS-4 in both orders."""
    for example in json.loads((FIXTURES / f"{name}_examples.json").read_text(encoding="utf-8"))[part]:
        yield from ((example, entity) for entity in _entities(example))


def _entities(example: dict[str, Any]) -> Iterator[bytes]:
    text = example["entity_prefix"].replace("{BOM}", "\ufeff")
    if "bytes_encoding" in example:
        codecs = [example["bytes_encoding"]]
    elif example["expected_encoding"] == "iso-10646-ucs-4":
        codecs = ["utf-32-be", "utf-32-le"]
    elif "\ufeff" in text:
        codecs = ["utf-16-be", "utf-16-le"]
    else:
        codecs = [example["expected_encoding"].replace("iso-2022-kr", "ascii")]
    yield from map(text.encode, codecs)
