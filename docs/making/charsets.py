"""reference/charsets.md: the closed table of charsets, and the labels that name them."""

from __future__ import annotations

from collections.abc import Sequence

from feedcharset.charsets.codec_differences import CODEC_REPLACEMENTS, SEQUENCES
from feedcharset.charsets.east_asian import standard_additions
from feedcharset.charsets.labels import labels_by_source
from feedcharset.charsets.lookup import MAX_LABEL, NAMES, Charset, _by_label, by_name

__all__ = ["page"]

HEAD = """\
# Charsets and labels

<!-- Made from the code by docs/generate.py: edit the code, not this page. -->

This table is closed: {decoded} charsets are decoded, {refused} more are known by name and refused. No label
from outside reaches `codecs.lookup`; the reason is on the page
[security](../explanation/security.md#labels).

A label is looked up in this order: the names and aliases of the IANA registry, where they name a charset of
this table; the labels of the WHATWG Encoding Standard; Python's own names, but for other spellings of
registered ones (`utf_8`). Case and surrounding white space are ignored. More than {longest} characters, or a
non-ASCII character, is no label. Lenient reading then also tries the label without `-`, `_`, `.`, `:`, `;`,
spaces and a leading `x`, and some common misspellings.

## The table

- *codec*: what strict reading decodes with; "own" is a decoder of this library.
- *lenient*: the superset that lenient reading decodes instead; empty: the charset itself.
- *page*: the kind of code page, for [plainly UTF-8](../explanation/utf8-under-a-label.md).

| charset | family | codec | lenient | page |
|---|---|---|---|---|
"""

NOTES = r"""
## Strict and lenient

**Strict reading decodes the charset that was named**: by the codec of the table, without additions. KOI8-U
is that of RFC 2319, EUC-JP is JIS X 0208 and 0212, Big5 is that of 1984, ISO-8859-2 has C1 controls at 80
to 9F, and a byte that the charset does not define is an error. These things differ from Python's codecs:

- In Windows-31J the bytes A0, FD, FE and FF are undefined (Python has private-use characters).
- In EUC-KR the pair A4D4 is the filler U+3164 (Python takes it for the beginning of eight bytes).
- ASCII is ASCII, which markup and URLs need: in IBM864 25 is `%` (Python: `٪`), in Shift_JIS-2004 5C and 7E
  are `\` and `~` (Python: `¥` and `‾`).
- In ISO-2022-JP an ESC that begins none of its sequences is an error (Python keeps it as a character).

Python has no codec of IBM1047. Its line end is 15, and 25 is NEL, as z/OS Unix and Java have it; ICU and
iconv exchange the two. In the other pages of EBCDIC 25 is the line feed, and 15 is NEL (U+0085), which is no
white space in XML 1.0: behind a declaration that ends with it `check` finds the markup not well-formed.

**Lenient reading decodes as browsers do**: as the [Encoding Standard](https://encoding.spec.whatwg.org/)
defines it, for each of its encodings but `replacement` and `x-user-defined`. The characters are the same,
the number of U+FFFD is the same, and reading continues at the same byte. So an ASCII byte after a lead byte
that makes no character with it is read again: damage does not swallow the `<` or the quotation mark after
it. One thing is read otherwise: before `]]>` and an end tag, a lead byte is undecodable, and no character
with the first `]`. Programs that cut text by bytes leave one at the end of a CDATA section, which would not
end there.

Python's codec decodes clean text. What it reads otherwise is a list, made from the standard's index by
`fixtures/make_codec_differences.py`:

| read as | codec | other characters | added |
|---|---|---|---|
{differences}
Besides: windows-1255 has U+05BA at CA; KOI8-U has ў and Ў at AE and BE; in windows-874 and windows-125x a
byte of 80 to 9F that the page leaves undefined is the C1 control of that number; in Windows-31J, A0, FD, FE
and FF are damage; ISO-2022-JP is the standard's state machine, half-width katakana (`ESC ( I`) included.

## Beyond the standard

Lenient reading differs from the Encoding Standard in these points only:

| where | what is read | why |
|---|---|---|
{beyond}
| label | 80 to 9F as in |
|---|---|
{windows}
Charsets that the standard does not define (UTF-32, the IBM and most Macintosh pages, EBCDIC, KOI8-T,
PTCP154, KZ-1048 and others) are read as named, strictly and leniently.
"""

BEYOND = (
    # Where, what is read, and why.
    (
        "ISO-8859-2 to -16, but -9 and -11",
        "bytes 80 to 9F as in the Windows page of the next table",
        "C1 controls are not written, and documents with these labels mostly come from Windows. In XML "
        "1.1, 85 stays a line end (NEL), but not in ISO-8859-1, -9 and -11",
    ),
    (
        "EUC-JP",
        "sequences that only JIS X 0213 has (`euc_jis_2004`)",
        "the standard shows U+FFFD, and nothing else can be meant",
    ),
    (
        "ISO-2022-JP",
        "LF stays LF in the two-byte set and in katakana",
        "a line that was cut must not join the next one; the standard shows U+FFFD",
    ),
    (
        "ISO-2022-JP",
        "SO and SI stay controls in ASCII and JIS-Roman",
        "they are no XML characters, and `xml_chars=` treats all of those alike; the standard shows U+FFFD",
    ),
    ("x-user-defined, replacement", "refused", "see below"),
    (
        "UTF-16 without a byte order",
        "the order of the BOM or of the first bytes, not always UTF-16LE",
        "the document itself shows its order",
    ),
)

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

Written without `-`, `_`, `.`, `:`, `;` and spaces, which lenient reading removes from a label that is
unknown as written. It also ignores typographic quotation marks around a label, what follows `//` in a label
of iconv (`CP1251//TRANSLIT`), and the title before a label in parentheses (`Cyrillic (windows-1251)`, from
the menus of Mozilla's browsers).
"""

NAMES_OF_SOURCES = {
    "seen": "Seen in feeds, misspelt ones among them",
    ".NET": "Microsoft .NET: the numbers and names of Encoding.GetEncodings()",
    "Java": "Java: OpenJDK's names, the historical ones too",
    "Oracle": "Oracle Database: Globalization Support Guide, appendix A",
    "iconv": "GNU libiconv and glibc: iconv -l",
}

COLLATIONS = """
### MySQL

A collation is its character set, any words, and `_ci`, `_cs` or `_bin`: `cp1251_general_ci`. A name that
is also a label above (`latin1`, `sjis`) means here what MySQL means by it, with a collation behind it alone.

| charset | character sets |
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
            NOTES.format(
                differences="".join(map(_difference, CODEC_REPLACEMENTS)),
                beyond="".join(f"| {' | '.join(row)} |\n" for row in BEYOND),
                windows=_windows_pages(),
            ),
            REFUSED,
            *(f"| {charset.name} | {charset.refused.replace('<', '&lt;')} |\n" for charset in refused),
            LABELS,
            *(
                f"| {charset.name} | {', '.join(_labels(charset))} |\n"
                for charset in charsets
                if _labels(charset)
            ),
            SPELLINGS,
            *map(_source, NAMES_OF_SOURCES),
            COLLATIONS,
            *_spellings("MySQL"),
        ]
    )


def _source(name: str) -> str:
    """The labels of one source."""
    head = f"\n### {NAMES_OF_SOURCES[name]}\n\n| charset | labels |\n|---|---|\n"
    return head + "".join(_spellings(name))


def _spellings(source: str) -> list[str]:
    labels = labels_by_source()[source]
    return [f"| {name} | {', '.join(f'`{one}`' for one in found)} |\n" for name, found in labels.items()]


def _row(charset: Charset) -> str:
    codec = f"`{charset.codec}`" if charset.codec else "own"
    if charset.name in ("UTF-16", "UTF-32"):
        codec = "by the byte order of BOM or first bytes"
    superset = "" if charset.superset == charset.name else charset.superset
    return f"| {charset.name} | {charset.family} | {codec} | {superset} | {charset.page} |\n"


def _difference(codec: str) -> str:
    """What the Encoding Standard has otherwise than a codec: how many characters, and the first of them."""
    pairs = CODEC_REPLACEMENTS[codec]
    others = [*pairs[1::2], *(text[1] for text in SEQUENCES[codec].values())]
    added = "".join(standard_additions(codec).values())
    name = next(name for name in NAMES if by_name(name).codec == codec)
    return f"| {name} | `{codec}` | {_count(others)} | {_count(added)} |\n"


def _count(characters: Sequence[str]) -> str:
    """ "20: ！ …", without private-use characters and white space."""
    shown = " ".join(char for char in characters if char.isprintable() and not char.isspace())
    return f"{len(characters)}: {shown[:39].rstrip()}{' …' if len(shown) > 39 else ''}"


def _windows_pages() -> str:
    pages = ((name, by_name(name).windows_page) for name in NAMES)
    return "".join(f"| {name} | {page} |\n" for name, page in pages if page)


def _labels(charset: Charset) -> list[str]:
    """Its labels, in lower case, as code; its own name first where that is one."""
    found = sorted({label.lower() for label, named in _by_label().items() if named == charset})
    found.sort(key=lambda label: label != charset.name.lower())
    return [f"`{label}`" for label in found]
