"""Which decoders read what the Encoding Standard defines: every sequence of fixtures/whatwg_decoding.tsv.gz.

`measure()` gives, for each decoder, the encodings that are exact and the sequences that are right.
"""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import feedcharset

__all__ = ["measure"]

TABLE = Path(__file__).resolve().parent.parent / "fixtures" / "whatwg_decoding.tsv.gz"

Decode = Callable[[bytes, str], str]


def _feedcharset(body: bytes, label: str) -> str:
    return feedcharset.decode(body, encoding=label, errors="replace").text


def _python(body: bytes, label: str) -> str:
    """As requests, httpx and most other programs do: the label is looked up in Python's registry."""
    return body.decode(label, "replace")


def _webencodings(body: bytes, label: str) -> str:
    text: str = import_module("webencodings").decode(body, label)[0]
    return text


def _w3lib(body: bytes, label: str) -> str:
    text: str = import_module("w3lib.encoding").html_to_unicode(f"text/html; charset={label}", body)[1]
    return text


def _resiliparse(body: bytes, label: str) -> str:
    text: str = import_module("resiliparse.parse.encoding").bytes_to_str(body, label, errors="replace")
    return text


DECODERS: dict[str, tuple[str, Decode]] = {
    # Name: the package that is needed, and the function.
    "feedcharset": ("feedcharset", _feedcharset),
    "webencodings": ("webencodings", _webencodings),
    "w3lib": ("w3lib", _w3lib),
    "resiliparse": ("resiliparse", _resiliparse),
    "Python's codec of that name": ("codecs", _python),
}


def measure() -> dict[str, dict[str, int]]:
    """For each decoder that is installed: encodings, exact ones, sequences, right ones."""
    table = _table()
    return {name: _judge(decode, table) for name, (package, decode) in DECODERS.items() if find_spec(package)}


def _table() -> dict[str, list[tuple[bytes, str]]]:
    """Sequences and their characters, by encoding; the ranges of GB18030 are left out."""
    found: dict[str, list[tuple[bytes, str]]] = defaultdict(list)
    with gzip.open(TABLE, "rt", encoding="ascii", newline="") as lines:
        for encoding, sequence, points in csv.reader(lines, delimiter="\t"):
            if encoding not in ("encoding", "gb18030-ranges"):
                text = "".join(chr(int(point, 16)) for point in points.split())
                found[encoding].append((bytes.fromhex(sequence), text))
    return found


def _judge(decode: Decode, table: dict[str, list[tuple[bytes, str]]]) -> dict[str, int]:
    wrong = {encoding: _wrong(decode, encoding, rows) for encoding, rows in table.items()}
    sequences = sum(map(len, table.values()))
    return {
        "encodings": len(table),
        "exact": sum(not found for found in wrong.values()),
        "sequences": sequences,
        "right": sequences - sum(map(len, wrong.values())),
        "c1": sum(
            encoding.startswith("ISO-8859") and sequence < b"\xa0"
            for encoding, found in wrong.items()
            for sequence in found
        ),
    }


def _wrong(decode: Decode, encoding: str, rows: list[tuple[bytes, str]]) -> list[bytes]:
    """The sequences of an encoding that are read otherwise; each stands in a line of its own."""
    try:
        text = decode(b"\n".join(sequence for sequence, _ in rows), encoding)
    except (LookupError, ValueError):
        return [sequence for sequence, _ in rows]
    lines = text.split("\n")
    if len(lines) != len(rows):  # a line end was swallowed: each by itself
        lines = [decode(sequence, encoding) for sequence, _ in rows]
    return [sequence for line, (sequence, right) in zip(lines, rows, strict=True) if line != right]
