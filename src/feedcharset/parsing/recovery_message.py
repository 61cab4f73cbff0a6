"""What was mended, as a line of the log."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feedcharset.reading.xml_reader import XmlReader
    from feedcharset.results.repairs import Recovery

__all__ = ["tell"]

logger = logging.getLogger("feedcharset")

TOLD = 5
"""Things that the line names; `XmlReader.recovered` has them all."""


def tell(reader: XmlReader) -> None:
    """Log at INFO what was mended, if anything was."""
    if not logger.isEnabledFor(logging.INFO) or not (recovered := reader.recovered):
        return
    told = "; ".join(map(_told, recovered[:TOLD]))
    more = len(recovered) - TOLD
    logger.info("%s: mended %s%s", reader.name or "bytes", told, f"; and {more} more" if more > 0 else "")


def _told(entry: Recovery) -> str:
    # The parser's messages may quote the document: nothing of it may reach a terminal as it is.
    found = repr(entry.found)[1:-1] if entry.found else entry.kind
    where = f" (first at line {entry.line}, column {entry.column})" if entry.line else ""
    return f"{entry.count} x {found}{where}"
