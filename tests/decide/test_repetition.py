"""What is no evidence: what is repeated, under a true East Asian label, and a few letters against UTF-8."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.each import each

from feedcharset.charsets.lookup import by_name
from feedcharset.decide.resolve import resolve
from feedcharset.evidence.alphabets import LANGUAGES

SENTENCES = {
    "EUC-KR": (
        "정말 웃긴 동영상 모음 ",
        "공지 공지 ",
        "오늘 정말 재미있는 하루였다. 친구들과 공원에 가서 놀았다. ",
    ),
    "GB2312": ("大家好", "今天天气很好，我们一起去公园玩。"),
    "Big5": ("大家好", "今天天氣很好，我們一起去公園玩。"),
    "EUC-JP": ("大大大", "今日はとてもいい天気でした。公園に行きました。"),
    "Shift_JIS": ("大", "今日はとてもいい天気でした。公園に行きました。"),
}
PAIRS = {
    "EUC-KR": [bytes((lead, trail)) for lead in range(0xA1, 0xFE) for trail in range(0xA1, 0xFF)],
    "GB2312": [bytes((lead, trail)) for lead in range(0xA1, 0xF8) for trail in range(0xA1, 0xFF)],
    "Big5": [bytes((lead, trail)) for lead in range(0xA4, 0xF9) for trail in range(0x40, 0xFF)],
    "EUC-JP": [bytes((lead, trail)) for lead in range(0xA1, 0xF5) for trail in range(0xA1, 0xFF)],
    "Shift_JIS": [bytes((lead, trail)) for lead in range(0x81, 0xEB) for trail in range(0x40, 0xFD)],
}
CHARACTERS = {
    label: [char for pair in pairs if (char := pair.decode(by_name(label).codec or "", "ignore")).strip()]
    for label, pairs in PAIRS.items()
}
TEXTS = st.sampled_from(sorted(SENTENCES)).flatmap(
    lambda label: st.tuples(
        st.just(label),
        st.sampled_from(("", *SENTENCES[label])),
        st.one_of(
            st.sampled_from(CHARACTERS[label]).filter(lambda char: len(char) == 1),
            st.lists(st.sampled_from(CHARACTERS[label]), min_size=2, max_size=8).map("".join),
        ),
    )
)


def read_otherwise(label: str, text: str) -> list[str]:
    """The ways to name the charset by which the text is read in another one."""
    document = f"<rss><title>{text}</title></rss>".encode(by_name(label).codec or "", "ignore")
    declared, header = (
        f'<?xml version="1.0" encoding="{label}"?>'.encode() + document,
        f"a/xml; charset={label}",
    )
    ways = {"declared": (declared, None), "header": (document, header), "both": (declared, header)}
    return [
        way for way, case in ways.items() if resolve(*case, complete=True).encoding != by_name(label).name
    ]


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("GB2312", "asp目录 php目录"),
        ("GB2312", "A拇 php拇"),
        ("Big5", "翻譯html id翻譯 php翻譯PDF"),
        ("Big5", "A警B"),
        ("EUC-KR", "html특"),
        ("EUC-KR", "타크html id타크 php타크"),
        ("EUC-JP", "A庁B"),
        ("EUC-JP", "tcp速転 asp速転URL"),
    ],
)
def test_east_asian_words_beside_ascii_letters_are_no_utf8(label: str, text: str) -> None:
    """Their bytes are sequences: capitals after small letters (`aspĿ¼`), signs before letters."""
    text.encode(by_name(label).codec or "").decode()
    assert not read_otherwise(label, text)


@pytest.mark.parametrize("text", ["檔案", "檔案 東京"])
def test_a_repeated_word_that_looks_like_cut_utf8(text: str) -> None:
    """Its bytes are one sequence and the lead of another."""
    document = f"<?xml version='1.0' encoding='Shift_JIS-2004'?><a><b>{text}</b><c>{text}</c></a>"
    assert resolve(document.encode("shift_jis_2004"), complete=True).encoding == "Shift_JIS-2004"
    cut = b"<?xml version='1.0' encoding='Shift_JIS'?><a>%b \xe6...</a>" % "번호".encode()
    assert resolve(cut, complete=True).encoding == "UTF-8"


@given(TEXTS, st.integers(1, 60), st.sampled_from(["", "</title><title>"]))
@example(("EUC-KR", "정말 웃긴 동영상 모음 ", "ㅋ"), 7, "")
@example(("EUC-KR", "공지 공지 ", "헉"), 19, "")
@example(("EUC-KR", "오늘 정말 재미있는 하루였다. 친구들과 함께 공원에 가서 놀았다. ", "★"), 56, "")
@example(("GB2312", "大家好", "嘿"), 13, "")
@example(("GB2312", "大家好", "泵⑴"), 19, "")
@example(("Big5", "大家好", "＝"), 70, "")
@example(("Shift_JIS", "大", "笑"), 36, "")
@example(("EUC-JP", "大大大", "以"), 13, "")
@example(("EUC-JP", "大大大", "亜"), 24, "")
def test_what_is_repeated_is_no_evidence_against_a_true_label(
    text: tuple[str, str, str], times: int, between: str
) -> None:
    label, sentence, unit = text
    assert not read_otherwise(label, sentence + between.join([unit] * times))


@each("row", ["─", "━", "┏┓", "★☆", "■□", "…", "(ㅠ_ㅠ)", "ㅋㅋ ", "♪", "orz ", "◎", "※"])
@each("times", [12, 24, 48, 200])
def test_rows_of_signs(row: str, times: int) -> None:
    for label, sentences in SENTENCES.items():
        for sentence in sentences:
            assert not read_otherwise(label, sentence + row * times + sentence)


@pytest.mark.parametrize("label", ["IBM866", "windows-1251", "EUC-JP"])
def test_what_is_repeated_is_no_evidence_where_another_label_names_utf8(label: str) -> None:
    """`█░` in IBM866 is a sequence of UTF-8."""
    row = b"<?xml version='1.0' encoding='UTF-8'?><a>" + 12 * b"\xdb\xb0"
    header = f"text/xml; charset={label}"
    assert resolve(row + b"</a>", header, complete=True).encoding == label
    several = row + "üŸœé, žlu, ćev".encode() + b"</a>"
    assert resolve(several, header, complete=True).encoding == "UTF-8"


def test_a_false_label_is_still_seen_by_different_letters() -> None:
    for text, codec, true in (
        ("Новости области за неделю: погода на завтра и на выходные", "cp1251", "windows-1251"),
        ("今日はとてもいい天気でした。公園に行きました。", "euc_jp", "EUC-JP"),
    ):
        document = f"<rss><title>{text} {text[0] * 40}</title></rss>".encode(codec)
        assert resolve(document, "text/xml; charset=EUC-KR", complete=True).encoding == true


@pytest.mark.parametrize(
    ("codec", "text", "read_as"),
    [
        ("latin-1", "K\xc3\xe9\xb6ln", "windows-1252"),
        ("latin-1", "Schr\xc3\xe9\xb6dinger", "windows-1252"),
        ("big5", "我們的新聞", "Big5"),
        ("cp1251", "сне", "windows-1252"),
        ("cp1251", "снег", "windows-1251"),
        ("cp1250", "Łódź", "windows-1250"),
    ],
)
def test_a_few_letters_are_no_evidence_against_utf8_that_is_named(
    codec: str, text: str, read_as: str
) -> None:
    """One stray byte within a character is letters of East Asia and other scripts."""
    document = f"<rss><title>{text}</title></rss>".encode(codec)
    declared = b'<?xml version="1.0" encoding="UTF-8"?>' + document
    for case in ((declared, None), (document, "text/xml; charset=utf-8")):
        assert resolve(*case, complete=True).encoding == read_as


def test_a_label_stays_where_its_letters_come_later_or_the_other_charset_does_not_decode() -> None:
    korean = next(one.letters for one in LANGUAGES if one.name == "Korean")
    later = "今日はとてもいい天気でした公園に行きました".encode("euc_jp") * 25 + korean.encode("euc_kr")
    thai = "ข่าวเด่นวันนี้และสภาพอากาศในกรุงเทพมหานครสำหรับผู้อ่านทุกคน".encode("cp874")
    for label, text in (("EUC-KR", later), ("GB18030", thai[: len(thai) // 2 * 2] + b" \xdb\x40" * 5)):
        document = b"<rss><title>" + text + b"</title></rss>"
        found = resolve(document, f"text/xml; charset={label}", complete=True)
        assert found.encoding == label


@pytest.mark.parametrize(("first", "last"), [(0x40, 0x61), (0x44, 0x5A), (0x60, 0x7E)])
def test_a_list_of_characters_under_one_lead_byte_is_no_western_text(first: int, last: int) -> None:
    """NEC and IBM added these to Shift_JIS: `í@íAíB` in windows-1252."""
    rows = b"".join(bytes((0xED, trail)) for trail in range(first, last + 1))
    document = b"<?xml version='1.0' encoding='Shift_JIS'?><a>%b</a>" % rows
    assert resolve(document, complete=True).encoding == "Shift_JIS"


@each("signs", ["·", "¯", "»", "°", "ÄÅ", "-·", "«»"])
@each("number", [5, 20, 60])
def test_lines_of_a_sign_are_no_letters_of_another_charset(signs: str, number: int) -> None:
    """Without a label, between words in ASCII."""
    text = "".join(f"{sign * number} Reo Hapana\nAo Tomi me Pirinihipi\n" for sign in signs) * 9
    assert resolve(text.encode("cp1252")).encoding == "windows-1252"
