"""East Asian charsets: clean text as the codec has it, damage byte by byte, in every cut."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import by_name

TEXTS = {
    "Windows-31J": ("日本語のニュース①～ｱ", "cp932"),
    "EUC-JP": ("日本語のニュース", "euc_jp"),
    "GB18030": ("新闻联播𠀀€", "gb18030"),
    "Big5-HKSCS": ("新聞報導", "big5hkscs"),
    "windows-949": ("새 소식 똠방", "cp949"),
}
NAMES = [*TEXTS, "GBK", "Shift_JIS", "EUC-KR", "Big5"]


def decode(name: str, pieces: list[bytes], lenient: bool = True) -> str:
    decoder = charset_decoder(by_name(name), lenient=lenient)
    return "".join(decoder.decode(piece) for piece in pieces) + decoder.decode(b"", True)


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("lenient", [True, False])
def test_clean_text_cut_at_every_byte(name: str, lenient: bool) -> None:
    text, codec = TEXTS[name]
    data = f"<a>{text}</a>".encode(codec)
    for cut in range(len(data) + 1):
        assert decode(name, [data[:cut], data[cut:]], lenient) == f"<a>{text}</a>"


@given(st.binary(max_size=30), st.integers(0, 30), st.sampled_from(NAMES))
@settings(max_examples=400)
def test_damage_is_the_same_in_every_cut_and_counts_every_byte(data: bytes, cut: int, name: str) -> None:
    decoder = charset_decoder(by_name(name), lenient=True)
    whole = decoder.decode(data, True)
    assert decode(name, [data[:cut], data[cut:]]) == whole
    assert decode(name, [data[at : at + 1] for at in range(len(data))]) == whole
    counter = decoder.byte_counter()
    assert counter(len(whole)) == len(data)
    counts = [counter(index) for index in range(len(whole) + 1)]
    assert counts == sorted(counts)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sign", list("<>\"'&="))
def test_no_lead_byte_swallows_markup(name: str, sign: str) -> None:
    """Encoding Standard: an ASCII byte that completes no sequence is read again."""
    for lead in range(0x80, 0x100):
        text = decode(name, [bytes([lead]), sign.encode(), b"x"])
        assert text.endswith(f"{sign}x"), hex(lead)
