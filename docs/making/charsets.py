"""reference/charsets.md: the closed table of charsets, and the labels that name them."""

from __future__ import annotations

from feedcharset.charsets.labels import LENIENT_LABELS
from feedcharset.charsets.lookup import _LABELS, MAX_LABEL, NAMES, Charset, by_name

__all__ = ["page"]

HEAD = """\
# Charsets and labels

<!-- Made from the code by docs/generate.py: edit the code, not this page. -->

This table is closed: {decoded} charsets are decoded, {refused} more are known by name and refused. No label
from outside reaches `codecs.lookup`; the reason is on the page
[security](../explanation/security.md#labels).

A label is looked up in this order: the names and aliases of the IANA registry, where they name a charset of
this table; the labels of the WHATWG Encoding Standard; Python's own names. Case and surrounding white space
are ignored. More than {longest} characters, or a non-ASCII character, is no label. Lenient reading then
also tries the label without `-`, `_`, `.`, `:`, `;`, spaces and a leading `x`, and some common
misspellings.

## The table

- *codec*: what strict reading decodes with; "own" is a decoder of this library.
- *lenient*: the superset that lenient reading decodes instead; empty: the charset itself.
- *page*: the kind of code page, for [plainly UTF-8](../explanation/utf8-under-a-label.md).

| charset | family | codec | lenient | page |
|---|---|---|---|---|
"""

NOTES = """
Lenient reading also differs from Python's codecs in these points:

- windows-874 and windows-125x: bytes 80 to 9F that the page leaves undefined are the C1 controls of that
  number;
- GB18030, and the charsets that are read as it: 80 is the euro sign;
- Windows-31J: A0, FD, FE and FF are damage;
- Big5-HKSCS: seven pairs that Python's codec refuses are read as windows-950 has them;
- EUC-JP: what Windows adds (rows 13 and 89 to 92 of code page 51932, as in browsers), then JIS X 0213;
- ISO-2022-JP: half-width katakana, and what Windows adds to JIS X 0208.

In strict reading, too, an ASCII byte is never part of a damaged character.
"""

REFUSED = """
## Refused

Known by name, so that a message can name them, and never decoded.

| charset | why |
|---|---|
"""

LABELS = """
## Labels

Compared without regard to case.

| charset | labels |
|---|---|
"""

SPELLINGS = """
## Lenient only

Written without `-`, `_`, `.`, `:`, `;` and spaces, which lenient reading removes from a label that is unknown
as written.

| charset | labels |
|---|---|
"""


def page() -> str:
    """The page."""
    charsets = [by_name(name) for name in NAMES]
    decoded = [charset for charset in charsets if not charset.refused]
    refused = [charset for charset in charsets if charset.refused]
    head = HEAD.format(decoded=len(decoded), refused=len(refused), longest=MAX_LABEL)
    return "".join(
        [
            head,
            *map(_row, decoded),
            NOTES,
            REFUSED,
            *(f"| {charset.name} | {charset.refused.replace('<', '&lt;')} |\n" for charset in refused),
            LABELS,
            *(
                f"| {charset.name} | {', '.join(_labels(charset))} |\n"
                for charset in charsets
                if _labels(charset)
            ),
            SPELLINGS,
            *(
                f"| {name} | {', '.join(f'`{label}`' for label in labels.split())} |\n"
                for name, labels in LENIENT_LABELS.items()
            ),
        ]
    )


def _row(charset: Charset) -> str:
    codec = f"`{charset.codec}`" if charset.codec else "own"
    if charset.name in ("UTF-16", "UTF-32"):
        codec = "by the byte order of BOM or first bytes"
    superset = "" if charset.superset == charset.name else charset.superset
    return f"| {charset.name} | {charset.family} | {codec} | {superset} | {charset.page} |\n"


def _labels(charset: Charset) -> list[str]:
    """Its labels, in lower case, as code; its own name first where that is one."""
    found = sorted({label.lower() for label, named in _LABELS.items() if named == charset})
    found.sort(key=lambda label: label != charset.name.lower())
    return [f"`{label}`" for label in found]
