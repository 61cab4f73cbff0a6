"""`decode`: the fast way gives what `XmlDecoder` gives, option by option."""

from __future__ import annotations

import pytest
from support.each import each

from feedcharset import DecodeError, EncodingConflict, XmlDecoder, decode

BODIES = {
    "ascii": b"<?xml version='1.0' encoding='utf-8'?><a>x</a>",
    "utf-8": "<?xml version='1.0' encoding='utf-8'?><a>ž</a>".encode(),
    "bom": "\ufeff<?xml version='1.0'?><a>ž</a>".encode(),
    "no declaration": "<a>žluť</a>".encode(),
    "stale": "<?xml version='1.0' encoding='iso-8859-1'?><a>Žluťoučký kůň</a>".encode(),
    "legacy": "<?xml version='1.0' encoding='windows-1251'?><a>Привет, мир</a>".encode("cp1251"),
    "japanese": "<?xml version='1.0' encoding='shift_jis'?><a>日本語</a>".encode("cp932"),
    "damaged": "<a>Žluťoučký kůň úpěl</a>".encode() + b"\xe9",
    "utf-16": "<a>ž</a>".encode("utf-16"),
    "control": "<a>ž\x08</a>".encode(),
    "escape": b"<a>\x1b(J</a>",
    "empty": b"",
}
OPTIONS = [
    {},
    {"declaration": "keep"},
    {"xml_chars": "replace"},
    {"xml_chars": "drop"},
    {"mojibake": "fix"},
    {"errors": "replace"},
    {"errors": "strict"},
    {"policy": "rfc7303"},
    {"lenient": False},
    {"default_encoding": "koi8-r"},
    {"encoding": "utf-8"},
    {"detector": None},
    {"lookahead": 3},
]


@each("content_type", [None, "", "text/xml", "text/xml; charset=utf-8", "application/atom+xml"])
@each("options", OPTIONS, ids=str)
@each("name", BODIES)
def test_the_same_as_the_decoder(name: str, options: dict, content_type: str | None) -> None:
    body = BODIES[name]
    decoder = XmlDecoder(content_type, **options)
    try:
        expected = decoder.decode(body, True), decoder.resolution, decoder.repairs
    except (ValueError, LookupError) as error:
        with pytest.raises(type(error)):
            decode(body, content_type, **options)
        return
    for given in (body, bytearray(body), memoryview(body)):
        assert decode(given, content_type, **options) == expected


def test_strict_raises() -> None:
    with pytest.raises(DecodeError):
        decode(b"<?xml version='1.0' encoding='utf-8'?><a>\xff</a>", lenient=False)
    with pytest.raises(EncodingConflict):
        decode(b"\xef\xbb\xbf<?xml version='1.0' encoding='gbk'?>", lenient=False)


def test_text_is_refused() -> None:
    with pytest.raises(TypeError, match="str"):
        decode("<a/>")  # type: ignore[arg-type]
