"""The options of lxml's parsers for documents from untrusted sources, and libxml2's limits in plain words."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["DEEPEST", "DEEPEST_HUGE", "limit_message", "safe_options"]

DEEPEST = 256
"""Elements within one another at which libxml2 stops (xmlParserMaxDepth)."""

DEEPEST_HUGE = 2048
"""The same with `huge=True`."""

_WORDS = (
    ("Excessive depth", f"more than {DEEPEST} elements are within one another"),
    ("Text node too long", "a text has more than 10,000,000 bytes"),
    ("Buffer size limit", "a tag, a text, a comment or a section has more than 10,000,000 bytes"),
    ("too big found", "a comment, a CDATA section or an instruction has more than 10,000,000 bytes"),
    ("AttValue length too long", "an attribute has more than 10,000,000 bytes"),
    ("Name too long", "a name has more than 50,000 bytes"),
)
"""What libxml2's messages of its limits begin with or contain, and what they mean."""

_REMEDY = re.compile(r",? (?:use|try) XML_PARSE_HUGE(?: option)?\s*")


def safe_options(*, recover: bool, huge: bool) -> dict[str, Any]:
    """Return the options of lxml's parsers for documents from untrusted sources.

    Nothing is loaded: no DTD, no external entity, general or parameter (XML 1.0 §4.4.3 permits that). Only
    entities of the internal subset are expanded, to five times the size of the document; depth and lengths
    are libxml2's (256 elements, 10,000,000 bytes of text or attribute; with `huge` 2,048 and 1,000,000,000).
    The input is UTF-8, whatever the declaration names.
    """
    return {
        "encoding": "utf-8",
        "recover": recover,
        "resolve_entities": "internal",
        "no_network": True,
        "load_dtd": False,
        "dtd_validation": False,
        "attribute_defaults": False,
        "huge_tree": huge,
    }


def limit_message(message: str, *, huge: bool) -> str:
    """Return libxml2's message about a limit with what was exceeded and what can be passed; others unchanged.

    Args:
        message: libxml2's message.
        huge: the limits were raised already.
    """
    words = next((words for part, words in _WORDS if part in message), None)
    if words is None or huge:
        return message.strip()
    plain = _REMEDY.sub("", message).strip()
    return f"{words}; if you trust the source, pass huge=True ({plain})"
