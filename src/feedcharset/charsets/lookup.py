"""The charset that a label names, found in a closed table.

A label from outside never reaches `codecs.lookup`: Python's registry holds zip bombs ("zlib"), decoders that
take quadratic time ("punycode", "idna") and codecs that make markup or surrogates ("unicode_escape",
"utf-7"), and it keeps every unknown label for the life of the process.
"""

from functools import cache
from typing import Literal, NamedTuple, cast

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.labels import CHARSET_TABLE, labels_by_source

# IANA's names have at most 40 characters, but Extended_UNIX_Code_Packed_Format_for_Japanese has 45.
MAX_LABEL = 64

Family = Literal[
    "UTF-8", "UTF-16", "UTF-32", "UCS-4", "US-ASCII", "single", "CJK", "ISO-2022-JP", "EBCDIC", "refused"
]

_AROUND_LABEL = " \t\n\f\r"
_QUOTATION_MARKS = "“”„‟‘’‚‛«»\x91\x92\x93\x94\x80\x98\x99\x9c\x9d\x9eâ"
"""Typographic ones; also the bytes of those of windows-125x and of UTF-8, read as ISO-8859-1."""

_TITLE = lazy_pattern(r"[a-z/]++(?: [a-z/]++)*+ \(([^()]*+)\)")
"""`cyrillic (windows-1251)`: the titles of encodings in Mozilla's menus (charsetTitles.properties)."""

_LENIENT_SOURCES = ("seen", ".NET", "Java", "Oracle", "iconv")
_COLLATION_ENDS = ("_ci", "_cs", "_bin")

_DROPPED = dict.fromkeys(map(ord, "-_.:; "))


class Charset(NamedTuple):
    """A charset of the table."""

    name: str
    """The IANA preferred MIME name: "UTF-8", "ISO-8859-1", "windows-1252", "US-ASCII"."""
    family: Family
    codec: str | None
    """The Python codec that decodes it strictly; None: generic UTF-16 and UTF-32 (no byte order), charsets
    that only this library decodes (IBM1047, the unusual UCS-4 orders), and refused charsets."""
    superset: str
    """The name of the charset that lenient decoding uses instead: "windows-1252" for ISO-8859-1."""
    page: str = ""
    """The kind of code page, for detecting UTF-8 under a legacy label: "western" (Western European, as
    windows-1252), "central" (other Latin pages with capitals at C2-DE), "latin" (Latin pages with
    another order), "cyrillic", "greek", "hebrew", "arabic", "thai", "cjk"; "" for all others."""
    refused: str = ""
    """The reason why it is known but never decoded; "" for all others."""
    windows_page: str = ""
    """The charset whose bytes 80-9F lenient decoding reads in an ISO-8859 page; "" for all others, and for
    ISO-8859-1, -9 and -11, whose superset is a Windows page."""
    decodes_every_byte: bool = False
    """True if every byte decodes leniently, so that decoding is no evidence for the charset."""

    @property
    def ascii_compatible(self) -> bool:
        """Return True if a byte 00-7F that begins a character is that US-ASCII character."""
        return self.family in ("UTF-8", "US-ASCII", "single", "CJK", "ISO-2022-JP")

    @property
    def self_proving(self) -> bool:
        """Return True if most byte strings do not decode, so that decoding is evidence for the charset."""
        return self.family in ("UTF-8", "UTF-16", "UTF-32", "UCS-4", "CJK", "ISO-2022-JP")

    @property
    def lenient_differs(self) -> bool:
        """Return True if lenient decoding reads some bytes of the charset itself otherwise than strict."""
        others = ("windows-874", "KOI8-U", "GB18030", "Big5-HKSCS", "EUC-JP", "ISO-2022-JP")
        return bool(self.windows_page) or self.name.startswith("windows-125") or self.name in others


def _charset(row: str) -> Charset:
    """Return the charset of a row of the table."""
    name, family, *columns = row.split()
    if family == "refused:":
        return Charset(name, "refused", None, name, refused=" ".join(columns))
    codec, superset, page, windows_page, holes = ("" if one == "-" else one for one in columns)
    return Charset(
        name,
        cast("Family", family),
        codec or None,
        name if superset == "=" else superset,
        page,
        windows_page=windows_page,
        decodes_every_byte=not holes and family in ("US-ASCII", "single", "EBCDIC"),
    )


_CHARSETS = {
    row.split()[0]: _charset(row) for row in CHARSET_TABLE.splitlines() if row.strip() and row[0] != " "
}

NAMES = tuple(_CHARSETS)
"""All names of the table, the refused ones last."""


@cache
def _by_label() -> dict[str, Charset]:
    """Return the labels of strict lookup; made at the first use."""
    by_label = {name.lower(): charset for name, charset in _CHARSETS.items() if charset.family != "UCS-4"}
    by_standard_name = {**by_label, "iso-8859-8-i": _CHARSETS["ISO-8859-8"]}
    sources = labels_by_source()
    _add(by_label, sources["IANA"])
    _add(by_label, sources["named"])
    for label, name in _standard_labels().items():
        if name in by_standard_name:
            by_label.setdefault(label, by_standard_name[name])
    _add(by_label, sources["Python"])
    for name, labels in sources["Python"].items():
        _add(by_label, {name: [label.replace("_", "-") for label in labels]})
    # Also in the two spellings that most documents use, so that the first lookup finds them.
    by_label.update((name, charset) for name, charset in _CHARSETS.items() if name.lower() in by_label)
    by_label.update((label.upper(), charset) for label, charset in list(by_label.items()))
    return by_label


def _standard_labels() -> dict[str, str]:
    """Return the labels of the Encoding Standard; none, with a warning, where webencodings is missing."""
    try:
        from webencodings.labels import LABELS
    except ImportError:
        import warnings

        what = "webencodings is not installed: labels that only the Encoding Standard has are unknown"
        warnings.warn(f"{what}; pip install webencodings", RuntimeWarning, stacklevel=2)
        return {}
    return dict(LABELS)


@cache
def _by_short_label() -> dict[str, Charset]:
    """Return the labels without `- _ . : ;` and spaces, and those that only lenient lookup has."""
    by_short_label: dict[str, Charset] = {}
    for label, charset in _by_label().items():
        by_short_label.setdefault(label.lower().translate(_DROPPED), charset)
    for source in _LENIENT_SOURCES:
        _add(by_short_label, labels_by_source()[source])
    return by_short_label


def _add(by_label: dict[str, Charset], labels_by_name: dict[str, list[str]]) -> None:
    """Add the labels of a source; where two sources disagree, the earlier one counts."""
    for name, labels in labels_by_name.items():
        for label in labels:
            by_label.setdefault(label, _CHARSETS[name])


def by_name(name: str) -> Charset:
    """Return the charset of exactly this name.

    Raises:
        KeyError: the table has no such name.
    """
    return _CHARSETS[name]


def lookup(label: str, *, lenient: bool = False) -> Charset | None:
    """Return the charset that a label names; None for an unknown label.

    The labels of IANA come first, then those of the Encoding Standard, then Python's. Never raises.

    Args:
        label: as written; case and surrounding white space do not count. A label of more than 64 characters,
            or with a non-ASCII character, is unknown.
        lenient: also labels as documents misspell them (`cp-1251`, `utf_8`), and the names of other systems
            (`CL8MSWIN1251`, `cp1251_general_ci`, `CP1251//TRANSLIT`); without quotation marks around them.
    """
    charset = _by_label().get(label)
    if charset is not None or len(label) > MAX_LABEL:
        return charset
    label = label.strip(_AROUND_LABEL)
    if lenient:
        label = label.strip(_QUOTATION_MARKS)
    if not label.isascii():
        return None
    label = label.lower()
    charset = _by_label().get(label)
    return charset if charset is not None or not lenient else _lookup_leniently(label)


def _lookup_leniently(label: str) -> Charset | None:
    """Return the charset of a label that is not registered."""
    title = _TITLE.fullmatch(label)
    label = (title[1] if title else label).partition("//")[0]
    short = label.translate(_DROPPED)
    by_short_label = _by_short_label()
    found = by_short_label.get(short) or by_short_label.get(short.removeprefix("x"))
    if found is None and label.endswith(_COLLATION_ENDS):
        begin, of_mysql = label.partition("_")[0], labels_by_source()["MySQL"]
        return next((_CHARSETS[name] for name, labels in of_mysql.items() if begin in labels), None)
    return found
