"""Documents decoded without the stages of the incremental decoder: which they are, and equal results."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st
from support.each import each
from support.generated import generated

from feedcharset import Decoded, DecodeError, ResolutionError, XmlDecoder, decode, resolve
from feedcharset.text import whole_document
from feedcharset.text.options import Options
from feedcharset.text.whole_document import Handover, decode_whole

DEFAULTS = Options(detector=None)


def with_options(options: dict[str, Any]) -> Options:
    default = "windows-1252" if options.get("lenient", True) else "strict"
    return DEFAULTS._replace(**{"errors": default, **options})


DECLARED = b'<?xml version="1.0" encoding="UTF-8"?>\n'
TEXT = "<rss><title>\u017di\u017ekov</title></rss>".encode()
BOM = b"\xef\xbb\xbf"

SHORT: list[tuple[str, bytes, str | None, dict[str, Any]]] = [
    ("declared", DECLARED + TEXT, "application/rss+xml", {}),
    ("ASCII", DECLARED + b"<rss/>", "application/rss+xml", {}),
    ("text/xml", DECLARED + TEXT, "text/xml", {}),
    ("text/xml, ASCII", DECLARED + b"<rss/>", "text/xml", {}),
    ("text/html", DECLARED + TEXT, "text/html", {}),
    ("no declaration", TEXT, None, {}),
    ("a charset", DECLARED + TEXT, "text/xml; charset=utf-8", {}),
    ("a BOM", BOM + DECLARED + TEXT, None, {}),
    ("a BOM alone", BOM + TEXT, None, {}),
    ("UTF-16", (DECLARED + TEXT).decode().encode("utf-16"), "text/xml", {}),
    (
        "UTF-16, strict",
        (DECLARED.replace(b"8", b"16") + TEXT).decode().encode("utf-16"),
        None,
        {"lenient": False},
    ),
    ("a long GBK", DECLARED.replace(b"UTF-8", b"GBK") + b"<a>\xd6\xd0\xce\xc4</a>" * 99, None, {}),
    ("no blanking", DECLARED + TEXT, None, {"declaration": "keep"}),
    ("nothing forbidden", DECLARED + TEXT, None, {"xml_chars": "drop"}),
    ("nothing to fix", DECLARED + b"<rss/>", None, {"mojibake": "fix"}),
    ("another policy", DECLARED + TEXT, "text/xml", {"policy": "rfc7303"}),
    ("strict", DECLARED + TEXT, "application/xml", {"lenient": False}),
    ("strict, a BOM", BOM + DECLARED + TEXT, None, {"lenient": False}),
    ("a short window", DECLARED + TEXT, None, {"lookahead": 1}),
    (
        "a legacy label",
        DECLARED.replace(b"UTF-8", b"windows-1250") + TEXT.decode().encode("cp1250"),
        None,
        {},
    ),
    ("a stale label", DECLARED.replace(b"UTF-8", b"ISO-8859-1") + TEXT, None, {}),
    ("GBK", DECLARED.replace(b"UTF-8", b"GBK") + b"<a>\xd6\xd0\xb9\xfa</a>" * 9, None, {}),
    ("ESC", DECLARED + b"<a>\x1b</a>", None, {}),
    ("an unknown label", TEXT.join((b"<?xml version='1.0' encoding='x-klingon'?>", b"")), None, {}),
]
OUT_OF_STEP = (DECLARED.replace(b"8", b"16") + b"<description>" * 9).decode().encode("utf-16")
LONG: list[tuple[str, bytes, str | None, dict[str, Any]]] = [
    ("damage", DECLARED + TEXT * 9 + b"\xff", None, {}),
    ("a mixture", DECLARED.replace(b"UTF-8", b"windows-1252") + b"caf\xe9 " + "caf\u00e9".encode(), None, {}),
    ("strict damage", DECLARED + TEXT + b"\xff", None, {"errors": "strict"}),
    ("damage, and something forbidden", DECLARED + TEXT + b"\x08\xff", None, {"xml_chars": "space"}),
    ("a byte in the label", DECLARED.replace(b"8", "\u00e9".encode()) + TEXT, None, {}),
    ("white space before it", b"\n" + DECLARED + TEXT, None, {}),
    ("strict, ASCII as UTF-16", b"<rss>" + b"a" * 80, "text/xml; charset=UTF-16LE", {"lenient": False}),
    ("damaged UTF-16", (DECLARED + TEXT).decode().encode("utf-16") + b"\xd8", None, {}),
    (
        "a letter in UTF-16's label",
        (DECLARED.decode("latin-1") + "é").replace("8", "é").encode("utf-16"),
        None,
        {},
    ),
    ("UTF-16 that has lost two bytes", OUT_OF_STEP[:-99] + OUT_OF_STEP[-98:-9] + OUT_OF_STEP[-8:], None, {}),
    ("UTF-16, forbidden", (DECLARED + b"\x08").decode().encode("utf-16"), None, {"xml_chars": "space"}),
    ("UTF-16, perhaps mojibake", (DECLARED + TEXT).decode().encode("utf-16"), None, {"mojibake": "fix"}),
    ("two BOMs", BOM + BOM + TEXT, None, {}),
    ("a long header", DECLARED + TEXT, "text/xml;" + " " * 300, {}),
    ("something forbidden", DECLARED + b"<a>\b</a>", None, {"xml_chars": "replace"}),
    ("perhaps mojibake", DECLARED + TEXT, None, {"mojibake": "fix"}),
    ("strict US-ASCII", DECLARED + TEXT, "text/xml", {"lenient": False}),
    ("HTML", b"<html>" + TEXT, None, {}),
]


def name_of(case: tuple[str, bytes, str | None, dict[str, Any]]) -> str:
    return case[0]


@each("case", SHORT, ids=name_of)
def test_documents_that_need_no_stages(case: tuple[str, bytes, str | None, dict[str, Any]]) -> None:
    _, body, content_type, options = case
    assert isinstance(decode_whole(body, content_type, with_options(options)), Decoded)
    check(body, content_type, options)


@each("case", LONG, ids=name_of)
def test_documents_that_need_them(case: tuple[str, bytes, str | None, dict[str, Any]]) -> None:
    _, body, content_type, options = case
    assert isinstance(decode_whole(body, content_type, with_options(options)), Handover)
    check(body, content_type, options)


@each("more", [-1, 0, 1])
@each("end", ["é".encode(), b"\xe9", "é".encode() * whole_document.FIRST_DECODED + b" \xe9s", b"e"])
def test_a_document_on_both_sides_of_long(more: int, end: bytes) -> None:
    """Of one that is longer the first non-ASCII bytes are decoded before the rest."""
    body = b"<a>" + b"x" * (whole_document.LONG + more - 3 - len(end)) + end
    text = body.decode("utf-8") if b"\xe9" not in end else body.replace(b"\xe9", "é".encode()).decode()
    assert decode(body).text == text
    check(body, None, {})


def check(body: bytes, content_type: str | None, options: dict[str, Any]) -> None:
    """decode(body) is what the incremental decoder gives: text, resolution, repairs, or the error."""
    try:
        decoder = XmlDecoder(content_type, **options)
        text = decoder.decode(body) + decoder.decode(b"", True)
    except (ResolutionError, DecodeError) as error:
        with pytest.raises(type(error)):
            decode(body, content_type, **options)
        return
    assert decode(body, content_type, **options) == (text, decoder.resolution, decoder.repairs)
    deciding = {name: options[name] for name in ("policy",) if name in options}
    if options.get("lenient", True) and "lookahead" not in options:
        assert resolve(body, content_type, complete=True, **deciding) == decoder.resolution


LABELS = ["utf-8", "ISO-8859-1", "windows-1251", "gbk", "x-unknown", "UTF-16"]
CONTENT_TYPES = [
    *(None, "", "text/xml", "application/xml", "text/html"),
    *(
        f"text/xml; charset={name}"
        for name in ("latin1", "utf-16", "utf-16le", "UTF-16BE", "utf-32", "ibm037", "utf-8")
    ),
]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"declaration": "keep"},
    {"xml_chars": "replace"},
    {"mojibake": "fix"},
    {"lenient": False},
    {"policy": "rfc7303"},
    {"lookahead": 2},
    {"errors": "replace"},
]


@generated(
    60,
    250,
    st.sampled_from(LABELS),
    st.text(max_size=30),
    st.sampled_from(CONTENT_TYPES),
    st.sampled_from(OPTIONS),
    st.sampled_from([b"", BOM, b"\n"]),
    st.sampled_from(["utf-8", "cp1251", "gbk", "latin-1"]),
)
def test_decode_gives_what_the_incremental_decoder_gives(
    label: str, middle: str, content_type: str | None, options: dict[str, Any], before: bytes, codec: str
) -> None:
    """`decode`: the text, the resolution and the repairs of XmlDecoder, however the document is read."""
    declaration = f"<?xml version='1.0' encoding='{label}'?>".encode()
    check(before + declaration + b"<a>" + middle.encode(codec, "replace") + b"</a>", content_type, options)
    check(before + b"<a>" + middle.encode(codec, "replace") + b"</a>", content_type, options)


RUSSIAN = "<a>Ученики первого класса впервые увидели море</a>" * 20
JAPANESE = "<a>一年生の子供たちは初めて海を見た。</a>" * 20
THAI = "<a>นักเรียนเห็นทะเล</a>" * 20
BY_THE_WINDOW: dict[str, tuple[str, bytes, dict[str, Any]]] = {
    "clean": ("windows-1251", RUSSIAN.encode("cp1251"), {}),
    "clean, a page with undefined bytes": ("windows-874", THAI.encode("cp874"), {}),
    "clean, East Asian": ("Shift_JIS", JAPANESE.encode("cp932"), {}),
    "damage": ("Shift_JIS", JAPANESE.encode("cp932") + b"\xff<b>", {}),
    "damage, spaces": ("Shift_JIS", JAPANESE.encode("cp932") + b"\xff<b>", {"errors": "space"}),
    "a cut character at the end": ("GBK", JAPANESE.encode("gbk") + b"\xa4", {}),
    "an undefined byte": ("windows-874", THAI.encode("cp874") + b"\xdb ", {}),
    "UTF-8": ("windows-1251", RUSSIAN.encode(), {}),
    "UTF-8, a cut character": ("windows-1251", RUSSIAN.encode() + "щ".encode()[:1], {}),
    "UTF-8, damage": ("UTF-8", RUSSIAN.encode() + b"\xe9 " + RUSSIAN.encode(), {"errors": "replace"}),
    "a mixture": ("ISO-8859-1", "déjà vu ".encode("latin-1") * 9 + "déjà vu ".encode() * 9, {}),
    "a window that ends before": ("windows-1251", RUSSIAN.encode("cp1251"), {"lookahead": 50}),
    "behind which UTF-8 may begin": ("ISO-8859-1", "déjà vu ".encode("latin-1") * 9, {"lookahead": 9}),
    "XML 1.1": ("ISO-8859-2", "Ž\x85Žluť ".encode("iso8859-2") * 9, {}),
    "forbidden characters": ("windows-1251", RUSSIAN.encode("cp1251") + b"\x08", {"xml_chars": "replace"}),
}


@each("name", BY_THE_WINDOW)
@each("bom", [b"", b"\xef\xbb\xbf"], ids=["", "BOM"])
def test_a_document_whose_charset_the_window_decides(name: str, bom: bytes) -> None:
    """The text, the decision and the repairs of the stages, and nothing is decoded twice on the way."""
    label, body, options = BY_THE_WINDOW[name]
    version = "1.1" if name == "XML 1.1" else "1.0"
    document = bom + f"<?xml version='{version}' encoding='{label}'?>\n".encode() + body
    decoder = XmlDecoder(**options)
    text = "".join(decoder.decode(document[at : at + 7]) for at in range(0, len(document), 7))
    text += decoder.decode(b"", True)
    assert decode(document, **options) == (text, decoder.resolution, decoder.repairs)
