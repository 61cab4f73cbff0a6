"""Which charset a label names: a closed table.

A label that comes from outside never reaches `codecs.lookup`: Python's registry holds zip bombs
("zlib"), quadratic decoders ("punycode", "idna"), codecs that make markup or surrogates
("unicode_escape", "utf-7"), and keeps every unknown label for ever.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, cast

from webencodings.labels import LABELS as WHATWG

from feedcharset.evidence.charset_labels import IANA
from feedcharset.evidence.charset_table import REFUSED, ROWS

__all__ = ["Charset", "Family", "by_name", "lookup"]

Family = Literal["UTF-8", "UTF-16", "UTF-32", "UCS-4", "US-ASCII", "single", "CJK", "ISO-2022-JP", "EBCDIC"]


class Charset(NamedTuple):
    """A charset of the table."""

    name: str
    """The IANA preferred MIME name: "UTF-8", "ISO-8859-1", "windows-1252", "US-ASCII"."""
    family: Family
    codec: str | None
    """The Python codec that decodes it strictly; None: generic UTF-16 and UTF-32 (no byte order), our own
    decoders (IBM1047, the odd UCS-4 orders), and refused charsets."""
    superset: str
    """The name of the charset in whose place lenient reading takes it: "windows-1252" for ISO-8859-1."""
    page: str = ""
    """The kind of code page, for the question whether UTF-8 stands behind the label: "western", ..."""
    refused: str = ""
    """Why it is known but never decoded; "" for all others."""

    @property
    def ascii_compatible(self) -> bool:
        """Octets 00-7F are US-ASCII wherever they stand at a character's beginning."""
        return self.family in ("UTF-8", "US-ASCII", "single", "CJK", "ISO-2022-JP")

    @property
    def self_proving(self) -> bool:
        """Random octets do not decode: that they decode says something."""
        return self.family in ("UTF-8", "UTF-16", "UTF-32", "UCS-4", "CJK", "ISO-2022-JP")


def _charsets() -> dict[str, Charset]:
    table = {}
    for row in ROWS.strip().splitlines():
        name, family, codec, superset, page = row.split()
        table[name] = Charset(
            name,
            cast("Family", family),
            None if codec == "-" else codec,
            name if superset == "=" else superset,
            "" if page == "-" else page,
        )
    for name, reason in REFUSED.items():
        table[name] = Charset(name, "single", None, name, "", reason)
    return table


def _labels() -> dict[str, Charset]:
    labels = {name.lower(): charset for name, charset in _TABLE.items() if charset.family != "UCS-4"}
    for name, aliases in IANA.items():
        for alias in aliases.split():
            labels.setdefault(alias, _TABLE[name])
    for alias, name in WHATWG.items():
        if name in labels:
            labels.setdefault(alias, labels[name])
    return labels


_TABLE = _charsets()
_LABELS = _labels()


def by_name(name: str) -> Charset:
    """The charset of exactly this name.

    Raises:
        KeyError: the table has no such name.
    """
    return _TABLE[name]


def lookup(label: str, *, lenient: bool = False) -> Charset | None:
    """The charset that a label names, or None where nobody knows it.

    Args:
        label: as written; case and surrounding white space do not count. More than 64 characters, or
            anything beyond ASCII, is no label.
        lenient: also labels as they are really written (`cp-1251`, `utf_8`, `x-gbk`).
    """
    charset = _LABELS.get(label)
    if charset is not None or len(label) > 64 or not label.isascii():
        return charset
    label = label.strip().lower()
    charset = _LABELS.get(label)
    if charset is None and lenient:
        charset = _LABELS.get(label.replace("_", "-").replace("cp-", "cp"))
    return charset
