"""The head of a document: its byte order mark, where it begins, the pattern of its first bytes, what it is
when it is no XML; and the facts that are gathered from it and the Content-Type.

The patterns are those of XML 1.0 Appendix F.1, with one extension: a document without an XML declaration also
begins with `<` or white space, and NUL is no XML character, so the NULs around that first character show
UTF-16, UTF-32 and the odd UCS-4 byte orders. Byte order marks: Appendix F.1, and Unicode ch. 23.8.
"""

from __future__ import annotations

import re
from functools import cache

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.evidence.content_type import ContentType, classify, parse_content_type
from feedcharset.evidence.declaration import (
    CODECS,
    DECLARATION_LIMIT,
    UNIT,
    begins_declaration,
    guess_family,
    read_declaration,
)
from feedcharset.results.facts import Body, Facts

FIRST_LOOK, LONGEST_LOOK = 384, 6144
"""Bytes in which the first non-ASCII byte is searched at once; in most feeds it is among the first 300."""

ASCII_BUT_ESC = bytes(byte for byte in range(0x80) if byte != 0x1B)

BOMS: tuple[tuple[str, bytes], ...] = (
    # The four-byte ones first: NUL is no XML character, so FF FE 00 00 cannot be UTF-16LE text.
    ("UTF-32BE", b"\x00\x00\xfe\xff"),
    ("UTF-32LE", b"\xff\xfe\x00\x00"),
    ("UTF-8", b"\xef\xbb\xbf"),
    ("UTF-16BE", b"\xfe\xff"),
    ("UTF-16LE", b"\xff\xfe"),
)


def sniff_bom(head: bytes, at: int = 0) -> tuple[str | None, int]:
    """The encoding that a byte order mark at offset `at` names, and the mark's length in bytes.

    Returns:
        (None, 0) where there is none.
    """
    for encoding, data in BOMS:
        if head.startswith(data, at):
            return encoding, len(data)
    return None, 0


PREFIX_LIMIT = 4096
"""Bytes of white space and BOMs that may stand before the declaration: as far as a declaration may reach."""

EBCDIC_SPAN = 64
"""Bytes in which an EBCDIC document without a declaration holds no controls: a root element with its first
attribute. No expression below reads further ahead, so 64 bytes are enough to find the pattern."""

NULL_SPAN = 64
"""Bytes whose NULs show the order of UTF-16 or UTF-32: some words and some markup."""

ODD_BOMS = (b"\x00\x00\xff\xfe", b"\xfe\xff\x00\x00")
"""The BOM in the orders 2143 and 3412 (XML 1.0 Appendix F.1). Strict reading knows neither."""

_WHITE_SPACE = {
    None: lazy_pattern(rb"(?:[ \t\r\n](?!\x00))++|[\x40\x05\x0d\x15\x25]{1,48}+(?=\x4c)"),
    "UTF-8": lazy_pattern(rb"[ \t\r\n]++"),
    "UTF-16BE": lazy_pattern(rb"(?:\x00[ \t\r\n])++"),
    "UTF-16LE": lazy_pattern(rb"(?:[ \t\r\n]\x00)++"),
    "UTF-32BE": lazy_pattern(rb"(?:\x00\x00\x00[ \t\r\n])++"),
    "UTF-32LE": lazy_pattern(rb"(?:[ \t\r\n]\x00\x00\x00)++"),
}

_FIRST_CHARACTERS = (
    # `<` or white space, and the NULs around it; the bytes of a unit, and which of them is the highest: it is
    # below 20 in most, else the NULs are stray ones. The four-byte ones first: they are longer.
    ("UTF-32BE", lazy_pattern(rb"\x00\x00\x00[<\t\r\n ]"), 4, 0),
    ("UTF-32LE", lazy_pattern(rb"[<\t\r\n ]\x00\x00\x00"), 4, 3),
    ("UCS-4-2143", lazy_pattern(rb"\x00\x00[<\t\r\n ]\x00"), 4, 1),
    ("UCS-4-3412", lazy_pattern(rb"\x00[<\t\r\n ]\x00\x00"), 4, 2),
    ("UTF-16BE", lazy_pattern(rb"\x00[<\t\r\n ](?!\x00\x00).", re.DOTALL), 2, 0),
    ("UTF-16LE", lazy_pattern(rb"[<\t\r\n ]\x00(?!\x00\x00).", re.DOTALL), 2, 1),
)

_TEXT_BYTES = 64
"""Bytes in which packed data has control characters: one byte in nine is one."""

_CONTROL = lazy_pattern(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]|\x1b(?![$(&])")

_SIX_UNITS = lazy_pattern(rb"[\t\n\r -~]{12}")
"""Six ideographs or kana, if they are UTF-16."""
_WIDE_TAG = lazy_pattern(
    rb"(?:[ \t\r\n]\x00)*+<\x00[A-Za-z_]\x00(?:[A-Za-z0-9_:.-]\x00)*+[>/ \t\r\n]\x00"
    rb"|(?:\x00[ \t\r\n])*+\x00<\x00[A-Za-z_](?:\x00[A-Za-z0-9_:.-])*+\x00[>/ \t\r\n]"
)
"""A start tag in UTF-16, whatever follows: bytes of kana are signs of ASCII, too."""

# White space, `<`, then name characters, colon or `!?/-` (`!` is 5A or 4F), up to `>`, a space or, in what is
# longer than a word of ASCII, other white space (Appendix F.1: "4C 6F A7 94").
_EBCDIC_TAG = lazy_pattern(
    rb"[\x40\x05\x0d\x15\x25]*+\x4c[\x4f\x5a\x6f]?[\x81-\x89\x91-\x99\xa2-\xa9\xc1-\xc9\xd1-\xd9\xe2-\xe9\xf0-\xf9\x4b\x60\x6d\x7a]++"
    rb"(?:[\x6e\x40]|[\x05\x0d\x15\x25](?=(?s:.{24})))"
)

EBCDIC_XML = b"\x4c\x6f\xa7\x94\x93"
"""`<?xml` in every EBCDIC code page."""

_EBCDIC_TEXT = b"\x05\x0d\x15\x25" + bytes(range(0x40, 0xFF))  # FF is a control character

_SIGNATURES = (
    # A name, what a message calls it, and the first bytes.
    ("gzip", "a gzip file", rb"\x1f\x8b\x08"),
    ("zstd", "a zstd file", rb"\x28\xb5\x2f\xfd"),
    ("bzip2", "a bzip2 file", rb"BZh[1-9](?:1AY&SY|\x17\x72\x45\x38\x50\x90)"),
    ("xz", "an xz file", rb"\xfd7zXZ\x00"),
    ("lz4", "an lz4 file", rb"\x04\x22\x4d\x18"),
    ("zip", "a zip archive", rb"PK\x03\x04|PK\x05\x06"),
    ("7z", "a 7z archive", rb"7z\xbc\xaf\x27\x1c"),
    ("rar", "a rar archive", rb"Rar!\x1a\x07"),
    ("tar", "a tar archive", rb"[^\x00\t\n\r <].{256}ustar(?:\x00|  \x00)"),
    ("cpio", "a cpio archive", rb"0707(?:07[0-7]{70}|0[12][0-9A-Fa-f]{104})"),
    ("PDF", "a PDF document", rb"[\t\n\r ]{0,64}+%PDF-"),
    ("PNG", "a PNG image", rb"\x89PNG\r\n\x1a\n"),
    ("JPEG", "a JPEG image", rb"\xff\xd8\xff"),
    ("GIF", "a GIF image", rb"GIF8[79]a"),
    ("WebP", "a WebP image", rb"RIFF.{4}WEBP"),
    ("ICO", "an icon", rb"\x00\x00[\x01\x02]\x00[^\x00]\x00"),
    ("TIFF", "a TIFF image", rb"II\*\x00|MM\x00\*"),
    ("BMP", "a BMP image", rb"BM.{4}\x00{4}"),
    ("PSD", "a PSD image", rb"8BPS\x00"),
    ("DjVu", "a DjVu document", rb"AT&TFORM"),
    ("Netpbm", "a Netpbm image", rb"P[4-6]\s(?:#[^\n]{0,200}+\n)?[0-9]{1,6}\s[0-9]{1,6}\s"),
    (
        "media",
        "audio or video",
        rb"ID3[\x02-\x04]|OggS\x00|RIFF.{4}(?:AVI |WAVE)|\x1a\x45\xdf\xa3|\x00{3}.ftyp"
        rb"|fLaC\x00|MThd\x00|FLV\x01",
    ),
    ("ELF", "a program", rb"\x7fELF"),
    (
        "program",
        "a program",  # MZ: the bytes of its last page, at most 512
        rb"MZ.[\x00-\x02]|\xca\xfe\xba\xbe|[\xce\xcf]\xfa\xed\xfe|\xfe\xed\xfa[\xce\xcf]|\x00asm"
        rb"|BC\xc0\xde|\xde\xc0\x17\x0b|!<(?:arch|thin)>\n",
    ),
    ("database", "a database", rb"SQLite format 3\x00|PAR1[\x00-\x1f]"),
    ("OLE", "an OLE document", rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    ("font", "a font", rb"(?:OTTO|ttcf|wOFF|wOF2|\x00\x01\x00\x00)[\x00\x01]"),
    ("package", "a compressed file", rb"\x1f[\x9d\xa0]|MSCF\x00|\xed\xab\xee\xdb|\x5d\x00\x00"),
    ("WARC", "a web archive", rb"WARC/[01]\.[0-9]{1,2}\r?\n"),
    ("ARC", "a web archive", rb"filedesc://[^\n]{1,2000}? [0-9]{14} text/plain [0-9]{1,9}\r?\n"),
    ("RTF", "an RTF document", rb"[ \t\r\n]*+\{\\rtf"),
    # A dictionary of bencode: a key, and a number, a string, a list or another one.
    (
        "torrent",
        "a torrent",
        rb"d[1-9][0-9]?:[a-z][a-z0-9 ._-]{3,28}(?:i-?[0-9]{1,20}e|[0-9]{1,9}:|[ld][0-9ild])",
    ),
)
"""What holds no text, or states the length or encoding of its parts: the patterns of WHATWG MIME Sniffing
section 6 with which no text begins, and the magic numbers in the specifications. None begins with `<`."""

FORMAT_SPAN = 265
"""Bytes of the longest of these beginnings, that of tar."""

BINARY_FORMATS = {kind: phrase for kind, phrase, _ in _SIGNATURES} | {"zlib": "a zlib file"}
"""What a message calls each kind of document that holds no text."""

_ZLIB = (b"x\x01", b"x\x5e", b"x\x9c", b"x\xda")
"""The first bytes with a window of 32 KiB, by level of compression."""

_ANY_SIGNATURE = lazy_pattern(b"|".join(b"(%b)" % pattern for _, _, pattern in _SIGNATURES), re.DOTALL)
_HTML_PAGE = lazy_pattern(
    rb"[ \t\r\n]{0,16}+<(?:!doctype[ \t\r\n]{1,16}+html(?![^ \t\r\n>])"
    rb"(?![^<>\[]*+\[|[^<>]*+>[ \t\r\n]*+<(?:rss|feed|rdf:rdf)\b)"
    rb"|html(?![^ \t\r\n>/])|(?:head|body)(?![^ \t\r\n>]))",
    re.IGNORECASE,
)
"""No HTML document type has declarations; an empty head or body is no page."""


def find_document(head: bytes) -> tuple[str | None, int, int]:
    """Find where the document begins, after white space and BOMs that stand before it.

    Any mix of white space and BOMs of one kind is skipped before an XML declaration; without a declaration
    only what ends with a BOM (white space may begin a document). After a BOM of UTF-8 one of UTF-16 or UTF-32
    counts where the document begins in that encoding.

    Returns:
        The BOM, the offset of the document's first byte, and the offset to which the head was read.
    """
    if head.startswith(b"<"):  # nothing stands before most documents
        return None, 0, 0
    bom, at = (None, 4) if head.startswith(ODD_BOMS) else sniff_bom(head)
    after_bom = at
    while at < PREFIX_LIMIT:
        found, length = sniff_bom(head, at)
        if found and (bom in (None, found) or found == first_pattern(head, at + length, bom)):
            bom, at = found, at + length
            after_bom = at
        elif match := _WHITE_SPACE[bom].match(head, at, PREFIX_LIMIT) or _wide_space(head, at, bom):
            at = match.end()
        else:
            break
    family = guess_family(head, at)  # that of any other instruction, too, which white space may precede
    return bom, (at if family and begins_declaration(head, family, at) else after_bom), at


def _wide_space(head: bytes, at: int, bom: str | None) -> re.Match[bytes] | None:
    """White space of UTF-16 or UTF-32, where there is no BOM."""
    if bom is None and head[at : at + 1] in b"\x00 \t\r\n":
        for family in ("UTF-32BE", "UTF-32LE", "UTF-16BE", "UTF-16LE"):
            if match := _WHITE_SPACE[family].match(head, at, PREFIX_LIMIT):
                return match
    return None


_MARKUP = lazy_pattern(rb"(?:\xef\xbb\xbf)?[ \t\r\n]{0,32}+<[A-Za-z!?]")


def first_pattern(head: bytes, at: int, bom: str | None) -> str | None:
    """Return the pattern of the document's first bytes; None where they can be ASCII.

    After a BOM of UTF-16 or UTF-32 the only pattern is "ASCII": no XML document in these encodings begins
    with ASCII markup.
    """
    if bom not in (None, "UTF-8"):
        return "ASCII" if _MARKUP.match(head, at) else None
    if head[at : at + 1] == b"<" and head[at + 1 : at + 2] not in (b"", b"\x00"):
        return None
    for pattern, expression, unit, highest in _FIRST_CHARACTERS:
        if expression.match(head, at):
            highs = head[at + highest : at + NULL_SPAN : unit]
            if 2 * sum(byte < 0x20 for byte in highs) >= len(highs):
                return pattern
            ideographs = unit == 2 and not _SIX_UNITS.search(head, at, at + NULL_SPAN)
            if ideographs or (unit == 2 and _WIDE_TAG.match(head, at, at + NULL_SPAN)):
                return pattern
    span = head[at : at + EBCDIC_SPAN]
    # In ISO-8859-1 "Längd: %s" begins as its `<U>`; digits, hyphens and white space of ASCII are controls.
    is_tag = not span.translate(None, _EBCDIC_TEXT) and _EBCDIC_TAG.match(span) is not None
    return "EBCDIC" if is_tag or span.startswith(b"\x4c\x6f\xa7\x94") else None


def null_order(head: bytes, at: int) -> str | None:
    """Return the UTF-16 or UTF-32 whose order the NULs of the first 64 bytes have; None without an order.

    Unlike `first_pattern` it takes any first character, so it proves nothing by itself: a label must name it.
    """
    sample = head[at : at + NULL_SPAN]
    if b"\0" not in sample:
        return None
    zeros = [sample[byte::4].count(0) for byte in range(4)]
    quarter = len(sample) // 4
    if quarter >= 4 and zeros[0] >= quarter and zeros[1] >= quarter - 1 and not zeros[3]:
        return "UTF-32BE"
    if quarter >= 4 and zeros[3] >= quarter and zeros[2] >= quarter - 1 and not zeros[0]:
        return "UTF-32LE"
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    if min(even, odd) or max(even, odd) < max(4, len(sample) // 8):
        return None
    return "UTF-16BE" if even else "UTF-16LE"


def byte_form(facts: Facts) -> str | None:
    """Return the encoding of the BOM, unless the bytes after it are of another family; else the pattern of
    the first bytes; else None."""
    if facts.bom is None:
        return facts.body.pattern or _labelled_order(facts)
    if facts.guess is not None and facts.guess != facts.bom:
        return "ASCII" if facts.guess == "UTF-8" else facts.guess
    return facts.body.pattern or facts.bom


def _labelled_order(facts: Facts) -> str | None:
    """Return the UTF-16 or UTF-32 that the header names and whose order the NULs have."""
    order = facts.body.nulls
    if order is None or facts.charset is None:
        return None
    charset = lookup(facts.charset, lenient=True)
    return order if charset and charset.name in (order, order[:6]) else None


def fits_form(charset: Charset, form: str | None) -> bool:
    """Return True where bytes of this form can be in the charset."""
    if form is None or form == "ASCII":
        return charset.ascii_compatible
    if form == "EBCDIC":
        return charset.family == "EBCDIC"
    return charset.name == form


def best_code_page(sample: bytes) -> str:
    """Return the EBCDIC code page in which bytes are most printable ASCII.

    On ties (`!` and `|` are both printable) the one with most `<!`, of comments and CDATA sections; then the
    first.
    """

    printable = {name: len(sample.translate(None, _printable_in(name)[0])) for name in _CODE_PAGES}
    best = [name for name in _CODE_PAGES if printable[name] == max(printable.values())]
    return max(best, key=lambda name: sample.count(_printable_in(name)[1])) if best[1:] else best[0]


@cache
def _printable_in(name: str) -> tuple[bytes, bytes]:
    """Return the bytes that are no printable ASCII in a code page, and those of `<!`."""
    from feedcharset.charsets.decoders import charset_decoder  # of EBCDIC alone

    page = charset_decoder(by_name(name), lenient=True).decode(bytes(range(0x100)))
    printable = {byte for byte, char in enumerate(page) if " " <= char <= "~" or char in "\t\r\n"}
    return bytes(set(range(0x100)) - printable), bytes(map(page.index, "<!"))


def document_kind(head: bytes, at: int, *, complete: bool) -> str | None:
    """Return what the document is when it is visibly no XML, else None."""
    if head.startswith((b"<?xml", EBCDIC_XML), at):
        return None
    if at >= len(head):
        return "empty" if complete else None
    if _HTML_PAGE.match(head, at):
        return "HTML"
    found = None if head.startswith(b"<", at) else _ANY_SIGNATURE.match(head, at)
    if found:
        return _SIGNATURES[(found.lastindex or 1) - 1][0]
    return "zlib" if head.startswith(_ZLIB, at) and _inflates(head[at : at + FORMAT_SPAN]) else None


def _inflates(data: bytes) -> bool:
    """Return True for zlib data (RFC 1950): so many bytes, or all to the checksum, or what begins markup.
    Text may begin with `x^2` or `xœ`: 300,000 such texts were no zlib data."""
    from zlib import decompressobj, error  # hardly a document begins so

    engine = decompressobj()
    try:
        given = engine.decompress(data)
    except error:
        return False
    return engine.eof or given.startswith(b"<") or (len(data) == FORMAT_SPAN and bool(given))


HEAD_LIMIT = 4 * 4096 + 4096 + 4
"""Bytes that the facts depend on at most: what may stand before the declaration, and a declaration of 4,096
characters of four bytes each."""

CODE_PAGE_SAMPLE = 4096
"""Bytes of an EBCDIC document by which its code page is chosen."""

_CODE_PAGES = ("IBM037", "IBM1047", "IBM500")

_NO_HEADER = ContentType(None, None)


def gather_facts(
    head: bytes,
    content_type: str | None,
    *,
    lenient: bool,
    complete: bool = False,
    code_page: str | None = None,
) -> Facts:
    """Gather the facts from the head (at most HEAD_LIMIT bytes count) and the Content-Type.

    Args:
        head: the document's first bytes.
        content_type: the field's value; None: the transport gave none; "": no such field.
        lenient: skip white space and BOMs that stand before the declaration.
        complete: `head` is the whole document.
        code_page: that of an EBCDIC document, if it is known.
    """
    if lenient:
        bom, start, looked = find_document(head)
    else:
        bom, start = sniff_bom(head)
        looked = start
    guess = guess_family(head, start)
    declaration = read_declaration(head, guess, start, lenient=lenient) if guess else None
    pattern = first_pattern(head, start, bom)
    header = _NO_HEADER if content_type is None else parse_content_type(content_type, lenient=lenient)
    return Facts(
        bom,
        guess,
        declaration.encoding if declaration else None,
        content_type,
        header.media_type,
        classify(header.media_type),
        header.charset,
        Body(
            start,
            pattern,
            code_page or best_code_page(head[start : start + CODE_PAGE_SAMPLE])
            if pattern == "EBCDIC"
            else None,
            document_kind(head, looked, complete=complete),
            nulls=null_order(head, start) if bom is guess is pattern is None else None,
            malformed=declaration is not None and bool(declaration.flaws),
        ),
    )


def needs_more(head: bytes, *, lenient: bool) -> bool:
    """Return True where more of the document could change the facts."""
    if len(head) >= HEAD_LIMIT:
        return False
    _, start, looked = find_document(head) if lenient else (*sniff_bom(head), sniff_bom(head)[1])
    # No pattern of text looks further than EBCDIC_SPAN, and no other format that begins as text may.
    if len(head) - looked < (EBCDIC_SPAN if head[looked : looked + 1] in b"\0\t\n\r <" else FORMAT_SPAN):
        return True
    rest = len(head) - start
    guess = guess_family(head, start)
    if guess is None:
        return first_pattern(head, start, None) == "EBCDIC" and rest < CODE_PAGE_SAMPLE
    if guess == "EBCDIC":
        return rest < CODE_PAGE_SAMPLE
    unit = UNIT.get(guess, 1)
    return rest < DECLARATION_LIMIT * unit and not _is_closed(head, start, guess, unit)


def _is_closed(head: bytes, start: int, guess: str, unit: int) -> bool:
    """Return True where the declaration is closed by `?>`, in code units of the guessed family."""
    closing = "?>".encode(CODECS[guess])
    at = head.find(closing, start)
    while (at - start) % unit and at >= 0:
        at = head.find(closing, at + 1)
    return at >= 0


def is_utf8(data: bytes, ends: bool) -> bool:
    """Return True for well-formed UTF-8; where the document goes on, its last character may be cut."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return not ends and error.reason == "unexpected end of data"
    return True


def begins_as_text(head: bytes) -> bool:
    """Return True for a body that begins with a BOM or as markup: it is not packed. After the BOM that a
    script wrote, the rest may be packed by its server.

    Args:
        head: its first 4,096 bytes.
    """
    bom, size = sniff_bom(head)
    if bom is not None:
        no_text = bom == "UTF-8" and _CONTROL.search(head, size, size + _TEXT_BYTES)
        return not (no_text or head.startswith(b"\x1f\x8b\x08", size))
    if guess_family(head):
        return True
    start = head.replace(b"\0", b"").lstrip(b" \t\r\n")
    return start.startswith(b"<") and not _CONTROL.search(start, 0, _TEXT_BYTES)


def is_unpacked(head: bytes, *, short: bool = False) -> bool:
    """Return True for a body without the coding that its header names, as many archives hold: a document, a
    file of a known kind (gzip, too), or text.

    Args:
        head: its first 4,096 bytes.
        short: a few bytes without control characters are text, too, in any charset.
    """
    kind = document_kind(head, 0, complete=True)
    if begins_as_text(head) or (kind in BINARY_FORMATS and kind not in ("zlib", "zstd")):
        return True
    is_text = len(head) > (3 if head.isascii() else 7) and head.decode("utf-8", "ignore").encode() == head
    return not _CONTROL.search(head) and (short or len(head) > _TEXT_BYTES or is_text)


def is_packed(head: bytes) -> bool:
    """Return True for a body that a coding of any name has packed: no text, and no file of another kind. gzip
    is none of them: it is unpacked without a label.

    Args:
        head: its first 4,096 bytes.
    """
    if begins_as_text(head) or _MARKUP.search(head[:_TEXT_BYTES].replace(b"\0", b"")):
        return False
    kind = document_kind(head, 0, complete=True)
    if kind in BINARY_FORMATS:
        return kind in ("zlib", "zstd", "bzip2", "xz", "lz4", "package")
    return bool(_CONTROL.search(head, 0, _TEXT_BYTES))


def first_non_ascii(data: bytes, known: int = -1) -> int:
    """Return the offset of the first non-ASCII byte, or ESC; -1 where there is none.

    Args:
        data: any bytes.
        known: the offset of a non-ASCII byte, which mostly is the first; -1 where none is known.
    """
    if known >= 0 and (before := data[:known]).isascii() and 0x1B not in before:
        return known
    if data.isascii():
        return data.find(b"\x1b")
    at, size = 0, FIRST_LOOK
    while not (found := data[at : at + size].translate(None, ASCII_BUT_ESC)):
        at, size = at + size, min(4 * size, LONGEST_LOOK)
    return data.find(found[0], at)
