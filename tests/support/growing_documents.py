"""Documents that grow: each generator makes one of about n bytes, as hard to read as its size allows."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["BYTES", "GROWING", "MARKUP"]


def _declared(encoding: str, body: bytes) -> bytes:
    return f'<?xml version="1.0" encoding="{encoding}"?><a>'.encode() + body + b"</a>"


def _repeated(unit: bytes) -> Callable[[int], bytes]:
    return lambda n: b"<a>" + unit * (n // len(unit)) + b"</a>"


def _in(encoding: str, unit: bytes) -> Callable[[int], bytes]:
    return lambda n: _declared(encoding, unit * (n // len(unit)))


def _numbered(start: bytes, unit: bytes, end: bytes) -> Callable[[int], bytes]:
    return lambda n: start + b"".join(map(unit.__mod__, range(n // (len(unit) + 2)))) + end


def _white_space(start: bytes, end: bytes) -> Callable[[int], bytes]:
    return lambda n: start + b" " * n + end


def _in_doctype(unit: bytes) -> Callable[[int], bytes]:
    return lambda n: b"<!DOCTYPE a [ x " + unit * (n // len(unit)) + b"]><rss/>"


BYTES: dict[str, Callable[[int], bytes]] = {
    "a sequence that lacks its last byte": _repeated(b"\xe2\x82a"),
    "a pair that may be mojibake": _in("windows-1251", "Цена в‚ру. ".encode("cp1251")),
    # The head.
    "BOMs": lambda n: b"\xef\xbb\xbf" * (n // 3) + b"<a/>",
    "white space before the declaration": lambda n: b" \n" * (n // 2) + b"<?xml version='1.0'?><a/>",
    "white space in the declaration": lambda n: b"<?xml version='1.0'" + b" " * n + b"encoding='x'?><a/>",
    "pseudo-attributes": lambda n: b"<?xml " + b"a='b' " * (n // 6) + b"?><a/>",
    "a declaration that does not end": lambda n: b"<?xml " + b"version=" * (n // 8),
    "a label": lambda n: b"<?xml version='1.0' encoding='" + b"x" * n + b"'?><a/>",
    "declarations": lambda n: b"<?xml version='1.0' encoding='gbk'?>" * (n // 36) + b"<a>\xe9</a>",
    "NULs": lambda n: b"\0" * n,
    "less-than signs": lambda n: b"<" * n,
    "an EBCDIC beginning": lambda n: b"\x4c\x6f\xa7\x94\x93" + b"\x40" * n,
    # Bytes.
    "one sequence": _repeated("\u00e9".encode()),
    "sequences of every length": _repeated("\u00e9\u4e2d\U0001f60e".encode()),
    "honest and odd sequences": _in("windows-1252", "CAF\u00c9\u2026 \u00c3\u00a9 ".encode("cp1252")),
    "leads": _repeated(b"\xe9"),
    "continuation bytes": _repeated(b"\x80"),
    "cut characters": _repeated("\u4e2d".encode() + b"\xe4\xb8 "),
    "surrogate pairs": _repeated(b"\xed\xa0\xbd\xed\xb8\x8e"),
    "halves of surrogate pairs": _repeated(b"\xed\xa0\xbd"),
    "a mixture": _in("windows-1252", b"caf\xe9 caf\xc3\xa9 "),
    "letters of a legacy page": _in("windows-1251", "\u0416\u0443\u043a ".encode("cp1251")),
    "holes of a legacy page": _in("windows-1253", b"\xff\xd2"),
    "GBK": _in("GBK", "\u4e2d\u56fd\u6587".encode("gbk")),
    "damage in GBK": _in("GBK", b"\xff\x81 "),
    "damage in Shift_JIS": _in("Shift_JIS", b"\x81\xff<"),
    "damage in Big5": _in("Big5", b"\xfe\x20\xa4"),
    "damage in EUC-JP": _in("EUC-JP", b"\x8f\xa1<"),
    "four bytes of GB18030": _in("GB18030", b"\x81\x30\x81\x30\xff"),
    "escapes": _in("ISO-2022-JP", b"\x1b$B\x1b(B"),
    "escapes that begin nothing": _in("ISO-2022-JP", b"\x1b$B\x1b\x1b$"),
    "UTF-16 without a partner": lambda n: b"\xff\xfe" + b"\x00\xd8" * (n // 2),
    "UTF-32 out of range": lambda n: b"\xff\xfe\x00\x00" + b"\xff" * n,
    # Text.
    "mojibake": _repeated("\u00e2\u20ac\u2122\u00c3\u00a9 ".encode()),
    "forbidden characters": _repeated(b"\x08a"),
    "carriage returns": _repeated(b"\r"),
    "line ends of every kind": _repeated(b"\r\n\n\r"),
}

MARKUP: dict[str, Callable[[int], bytes]] = {
    "ampersands": _repeated(b"&"),
    "references": _repeated(b"&#8;&nbsp;&x;"),
    "start tags": _repeated(b"<b>"),
    "end tags": _repeated(b"</b>"),
    "start tags without their ends": _repeated(b"<b c='"),
    "the same, ended": _repeated(b"<b c='></b>"),
    "the same, in quotation marks of both kinds": _repeated(b"<b c=' d=\"</b>"),
    "instructions before debris and the root": lambda n: b"<?a b?>" * (n // 7) + b"x<r/>",
    "void tags": _repeated(b"<br><hr>"),
    "comments that do not end": _repeated(b"<!-- "),
    "comments that end before a tag": _repeated(b"<!-- <b/>"),
    "CDATA sections that end before an end tag": _repeated(b"<b><![CDATA[</b>"),
    "CDATA sections that end before an item": lambda n: (
        b"<rss><channel><item>" + b"<item></item><![CDATA[" * (n // 66) + b"</b>" * (n // 6)
    ),
    "CDATA sections with another one in them": lambda n: (
        b"<a>" + b"<b><![CDATA[</b><![CDATA[]]></b>" * (n // 33) + b"</a>"
    ),
    "instructions that do not end": _repeated(b"<?x <b/>"),
    "instructions that end far away": lambda n: b"<a>" + b"<?xml<b/>" * (n // 9) + b"<?x?></a>",
    "damaged CDATA sections": _repeated(b"<![x]]>"),
    "attributes twice": _repeated(b"<b c='' c=''/>"),
    "words in end tags": _repeated(b"<b></b c d>"),
    "entities within one another": _numbered(
        b"<!DOCTYPE a [<!ENTITY b '&b;&b0;'>", b"<!ENTITY b%d '&b;'>", b"]><a>&b;</a>"
    ),
    "CDATA sections": _repeated(b"<![CDATA[x]]>"),
    "brackets in a CDATA section": lambda n: b"<a><![CDATA[" + b"]]" * (n // 2) + b"]]></a>",
    "attributes": lambda n: b"<a " + b"b='' " * (n // 5) + b"/>",
    "attributes of different names": _numbered(b"<a ", b"b%d='' ", b"/>"),
    "namespaces": _numbered(b"<a ", b"xmlns:b%d='c' ", b"/>"),
    "different references behind what begins no tag": _numbered(b"<a><!", b"0&#x%d", b"]]>"),
    "elements of different names": _numbered(b"<a>", b"<b%d/>", b"</a>"),
    "start tags in attributes": _repeated(b"<a b='"),
    "quoted ends of tags": _repeated(b"<a '>'"),
    "start tags without an end": _repeated(b"<b\n"),
    "colons for names": _repeated(b"<:"),
    "less-than signs in an attribute": lambda n: b"<a b='" + b"<" * n + b"'/>",
    "tags that do not match": _repeated(b"<b></c>"),
    "instructions without a name": _repeated(b"<? "),
    "an instruction": lambda n: b"<a><?b " + b"?" * n + b"?></a>",
    "instructions that end as tags do": _repeated(b"<?xml:namespace b />"),
    "less-than signs": _repeated(b"a < b "),
    "markup declarations": _repeated(b"<!b>"),
    **{
        f"white space behind {start.decode()}": _white_space(start, end)
        for start, end in (
            (b'<a b="', b""),
            (b'<a b="c" d="e"', b"/>&"),
            (b"<a><media:b", b"/>&"),
            (b"<media:", b"<c/></a>"),
            (b"<a xmlns:", b"<c/></a>"),
            (b"<!DOCTYPE a [<!ENTITY", b"]><a/>"),
            (b"<!DOCTYPE a [<!ENTITY % b ", b" ><a/>"),
        )
    },
    "attribute declarations": _numbered(b"<!DOCTYPE a [", b"<!ATTLIST a b%d CDATA 'c'>", b"]><a/>"),
    "declared entities": lambda n: b"<!DOCTYPE a [" + b"<!ENTITY b 'c'>" * (n // 15) + b"]><a>&b;</a>",
    **{
        f"{unit.decode()} in a faulty document type": _in_doctype(unit)
        for unit in (
            *(b"<!DOCTYPE x [<b>", b"<!ENTITY a b>", b'<!ENTITY a "%">', b"<!NOTATION n>", b"<?a ", b"<!-- "),
            *(b'<!ENTITY a "', b"<b>", b'<b a="', b"<!ATTLIST a b CDATA '", b"] ", b"%p;"),
        )
    },
    "document types without an end": lambda n: b"<?xml?><!DOCTYPE" * (n // 16),
    "instructions before the root": lambda n: b"<?a b?>" * (n // 7) + b"<rss/>",
    "a subset that does not end": lambda n: b"<!DOCTYPE a [" + b"<!ENTITY b '" * (n // 12),
    "references in an attribute": lambda n: b"<a b='" + b"&amp;&x;" * (n // 8) + b"'/>",
    "references out of range": _repeated(b"&#x110000;&#55357;&#56846;"),
    "a name": lambda n: b"<a><" + b"b" * n,
    "a message before the feed": lambda n: b"Warning: x\r\n" * (n // 12) + b"<rss/>",
    "a page before the feed": lambda n: b"<html>" + b"<p>" * (n // 3) + b"<rss/>",
}

GROWING: dict[str, Callable[[int], bytes]] = {**BYTES, **MARKUP}
"""All of them."""
