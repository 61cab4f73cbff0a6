"""Documents in memory whose charset the window decides: the text that the stages of the decoder give."""

from __future__ import annotations

from typing import Any

import pytest

from feedcharset import XmlDecoder, decode
from feedcharset.charsets.byte_offsets import WidthCounter
from feedcharset.text.legacy_document import _DecodedWindow

RUSSIAN = "<a>Ученики первого класса впервые увидели море</a>" * 20
JAPANESE = "<a>一年生の子供たちは初めて海を見た。</a>" * 20
THAI = "<a>นักเรียนเห็นทะเล</a>" * 20
CASES: dict[str, tuple[str, bytes, dict[str, Any]]] = {
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


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"], ids=["", "BOM"])
def test_the_text_is_that_of_the_decoder(name: str, bom: bytes) -> None:
    label, body, options = CASES[name]
    version = "1.1" if name == "XML 1.1" else "1.0"
    document = bom + f"<?xml version='{version}' encoding='{label}'?>\n".encode() + body
    decoder = XmlDecoder(**options)
    text = "".join(decoder.decode(document[at : at + 7]) for at in range(0, len(document), 7))
    text += decoder.decode(b"", True)
    assert decode(document, **options) == (text, decoder.resolution, decoder.repairs)


def test_the_byte_offsets_of_a_decoded_window() -> None:
    decoder = _DecodedWindow(3, "éa", WidthCounter("éa", lambda text: len(text.encode())))
    assert decoder.decode(b"<a>\xc3\xa9a", True) == "<a>éa"
    assert decoder.pending == b""
    assert [decoder.byte_counter()(index) for index in range(6)] == [0, 1, 2, 3, 5, 6]
    assert decoder.byte_count("<a>é") == 5
