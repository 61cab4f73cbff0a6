"""Which charset a label names: a closed table.

A label that comes from outside never reaches `codecs.lookup`: Python's registry holds zip bombs
("zlib"), quadratic decoders ("punycode", "idna"), codecs that make markup or surrogates
("unicode_escape", "utf-7"), and keeps every unknown label for ever.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple, cast

from webencodings.labels import LABELS as WHATWG

from feedcharset.charsets.labels import COMMON, IANA, PYTHON, WHATWG_AS_NAMED, WHATWG_NAMES
from feedcharset.charsets.table import HOLES, REFUSED, ROWS

__all__ = ["MAX_LABEL", "NAMES", "Charset", "Family", "by_name", "lookup"]

# IANA's names have at most 40 characters, but Extended_UNIX_Code_Packed_Format_for_Japanese has 45.
MAX_LABEL = 64

Family = Literal[
    "UTF-8", "UTF-16", "UTF-32", "UCS-4", "US-ASCII", "single", "CJK", "ISO-2022-JP", "EBCDIC", "refused"
]

_HOLES = frozenset(HOLES.split())
_WHITE_SPACE = " \t\n\f\r"
_SQUEEZE = dict.fromkeys(map(ord, "-_.:; "))


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
    """The kind of code page, for the question whether UTF-8 stands behind the label: "western" (Western
    European, as windows-1252), "central" (other Latin pages with capitals at C2-DE), "latin" (Latin pages
    of another order), "cyrillic", "greek", "hebrew", "arabic", "thai", "cjk"; "" for all others."""
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

    @property
    def fills(self) -> bool:
        """Read leniently, it decodes every octet: that it decodes says nothing."""
        return self.family in ("US-ASCII", "single", "EBCDIC") and self.name not in _HOLES

    @property
    def capitals(self) -> bool:
        """A page whose octets C2-DE, the lead octets of two-octet UTF-8, are capital letters."""
        return self.page in ("western", "central") and self.name != "macintosh"

    @property
    def decodable(self) -> bool:
        """It can be decoded once its byte order is known: all but the refused ones."""
        return not self.refused


def _charsets() -> dict[str, Charset]:
    """The rows of the table by name."""
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
        table[name] = Charset(name, "refused", None, name, "", reason)
    return table


def _labels(table: dict[str, Charset]) -> dict[str, Charset]:
    """All labels but the misspelt ones; where two sources disagree, the earlier one stays."""
    by_label = {name.lower(): charset for name, charset in table.items() if charset.family != "UCS-4"}
    whatwg = {**by_label, **{label: table[name] for label, name in WHATWG_NAMES.items()}}
    _add(by_label, table, IANA)
    _add(by_label, table, WHATWG_AS_NAMED)
    for label, name in WHATWG.items():
        if name in whatwg:
            by_label.setdefault(label, whatwg[name])
    _add(by_label, table, PYTHON)
    _add(by_label, table, {name: labels.replace("_", "-") for name, labels in PYTHON.items()})
    # As most documents spell them, so that the first look finds them.
    by_label.update((name, charset) for name, charset in table.items() if name.lower() in by_label)
    by_label.update((label.upper(), charset) for label, charset in list(by_label.items()))
    return by_label


def _add(by_label: dict[str, Charset], table: dict[str, Charset], source: dict[str, str]) -> None:
    for name, labels in source.items():
        for label in labels.split():
            by_label.setdefault(label, table[name])


_TABLE = _charsets()
_LABELS = _labels(_TABLE)

NAMES = tuple(_TABLE)
"""All names of the table, the refused ones last."""


@cache
def _squeezed() -> dict[str, Charset]:
    """The labels without `- _ . : ;` and spaces, and common misspellings; made when a label needs it."""
    squeezed: dict[str, Charset] = {}
    for label, charset in _LABELS.items():
        squeezed.setdefault(label.lower().translate(_SQUEEZE), charset)
    _add(squeezed, _TABLE, COMMON)
    return squeezed


def by_name(name: str) -> Charset:
    """The charset of exactly this name.

    Raises:
        KeyError: the table has no such name.
    """
    return _TABLE[name]


def lookup(label: str, *, lenient: bool = False) -> Charset | None:
    """The charset that a label names, or None where nobody knows it.

    A name of IANA's first, then of the Encoding Standard, then of Python; total, and nothing is remembered.

    Args:
        label: as written; case and surrounding white space do not count. More than 64 characters, or
            anything beyond ASCII, is no label.
        lenient: also labels as they are really written (`cp-1251`, `utf_8`, `utf8mb4`).
    """
    charset = _LABELS.get(label)
    if charset is not None or len(label) > MAX_LABEL or not label.isascii():
        return charset
    label = label.strip(_WHITE_SPACE).lower()
    charset = _LABELS.get(label)
    if charset is not None or not lenient:
        return charset
    squeezed = _squeezed()
    label = label.translate(_SQUEEZE)
    return squeezed.get(label) or squeezed.get(label.removeprefix("x"))
