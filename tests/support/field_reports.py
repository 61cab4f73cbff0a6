"""tests/data/field_reports.jsonl: documents modelled on what people reported of feed readers and parsers.

One JSON object a line. `body` is a list of pieces: [text, codec] or [octets, "hex", text]; a third part says
what is read there where that is another text ("" for what is skipped), a fourth how many times the piece
stands there. `also` are parts that others may read otherwise, and how. `judge` says what is demanded: "text",
that exactly this is read; "alive", where nothing says what is right or a label is followed, that nothing
breaks; "open", nothing: the right text is not reached.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["FieldReport", "read_field_reports"]

DATA = Path(__file__).resolve().parent.parent / "data"


class FieldReport(NamedTuple):
    """One row, put together."""

    id: str
    what: str
    content_type: str | None
    body: bytes
    text: str
    """What is right, the XML declaration as it is."""
    judge: str
    note: str


def read_field_reports(name: str = "field_reports") -> Iterator[FieldReport]:
    """The rows of tests/data/<name>.jsonl."""
    for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        pieces = [_piece(*piece) for piece in row["body"]]
        yield FieldReport(
            row["id"],
            row["what"],
            row["content_type"],
            b"".join(octets for octets, _ in pieces),
            "".join(text for _, text in pieces),
            row["judge"],
            row["note"],
        )


def _piece(written: str, codec: str, read: str | None = None, times: int = 1) -> tuple[bytes, str]:
    octets = bytes.fromhex(written) if codec == "hex" else written.encode(codec)
    return octets * times, (written if read is None else read) * times
