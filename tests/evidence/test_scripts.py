"""Which script a character is of, and which characters are common."""

from __future__ import annotations

import random
import re
import sys
import unicodedata

import pytest
from support.each import each

from feedcharset import decode
from feedcharset.charsets.lookup import NAMES, by_name
from feedcharset.decide.thresholds import CHEAPER, NON_LATIN
from feedcharset.evidence.labelled_letters import SIBLINGS
from feedcharset.evidence.scripts import (
    ENOUGH_DOUBTED,
    ENOUGH_EAST_ASIAN,
    ODD_SHARE,
    SCRIPTS_SAMPLE,
    SIGN,
    STANDARDS,
    TEXT_PART,
    WORDS,
    common_in,
    count_common,
    count_in_latin_words,
    count_in_words,
    count_private_use,
    count_scripts,
    doubtful_east_asian,
    doubtful_words,
    letters_in,
    more_frequent,
    reads_otherwise,
    script_of,
    seldom_frequent,
    seldom_letters,
    without_ascii_parts,
    without_rows,
)
from feedcharset.evidence.window import Window

SCRIPTS = {
    "latin": "éßÀłŽĳșǎơəạỹﬁ𝐀",
    "greek": "αΩάῷ",
    "cyrillic": "яЖёїґқәү",
    "armenian": "Աև",
    "hebrew": "אתְ",
    "arabic": "عگ،پ۴",
    "devanagari": "हि",
    "bengali": "বা",
    "gurmukhi": "ਪੰ",
    "gujarati": "ગુ",
    "oriya": "ଓଡ଼",
    "tamil": "தமி",
    "telugu": "తె",
    "kannada": "ಕನ್",
    "malayalam": "മല",
    "sinhala": "සිං",
    "thai": "ไท",
    "lao": "ລາ",
    "tibetan": "བོད",
    "myanmar": "မြန်",
    "georgian": "ქა",
    "ethiopic": "አማ",
    "khmer": "ខ្",
    "cjk": "日本中々ねこネコー、。！～",
    "hangul": "한국",
    SIGN: "\u00a0©°»“”…—€™№\ufffd🎉×÷★→✓≈₂⁁\u3000\ufeff",
}


@each(("script", "characters"), SCRIPTS.items())
def test_scripts(script: str, characters: str) -> None:
    assert {char: script_of(char) for char in characters} == dict.fromkeys(characters, script)


@each("character", "\x80\x9fɐʒͷӣӯԀ܀ށ߅\u07a9ᚠᜀⰀㄅ䙡\ue000𐘀𠮷ƒˆ\u0255")
def test_what_documents_hardly_ever_hold(character: str) -> None:
    assert script_of(character) == ""


def test_ascii_has_no_script_here() -> None:
    assert {script_of(chr(point)) for point in range(0x80)} == {""}


@pytest.mark.long
def test_every_range_is_of_its_script() -> None:
    """The names of Unicode's letters say the same."""
    names = {script: script.upper() for script in SCRIPTS if script not in (SIGN, "cjk")} | {"oriya": "ORIYA"}
    for point in range(0x80, sys.maxunicode + 1):
        script = script_of(chr(point))
        name = unicodedata.name(chr(point), "")
        if name and script in names and unicodedata.category(chr(point)) in ("Lu", "Ll", "Lo"):
            assert name.startswith((names[script], "MATHEMATICAL")), (hex(point), name, script)


@each(
    ("character", "standards"),
    [
        ("日", ["gb2312", "big5", "euc_jp"]),
        ("国", ["gb2312", "euc_jp"]),
        ("國", ["big5"]),  # of the second level in Japan
        ("ね", ["euc_jp"]),
        ("ネ", ["euc_jp"]),
        ("한", ["euc_kr"]),
        ("똠", []),  # not in KS X 1001
        ("龘", []),
        ("、", []),
        ("é", []),
        ("a", []),
        ("🎉", []),
    ],
)
def test_common_characters(character: str, standards: list[str]) -> None:
    assert common_in(character) == standards


def test_how_many_are_common() -> None:
    """Between 2,350 and 5,338 of each standard."""
    counted = dict.fromkeys(STANDARDS, 0)
    for point in [*range(0x3041, 0xA000), *range(0xAC00, 0xD7A4)]:
        for standard in common_in(chr(point)):
            counted[standard] += 1
    assert counted == {"gb2312": 3755, "big5": 5401 - 63, "euc_jp": 2965 + 83 + 86, "euc_kr": 2350}


@each(
    ("text", "charset", "characters", "common", "frequent"),
    [
        ("今日は晴れ", "Shift_JIS", 5, 5, 3),
        ("今日は晴れ", "EUC-JP", 5, 5, 3),
        ("ｶﾀｶﾅ", "Shift_JIS", 4, 0, 0),
        ("今天天气很好，朋友", "GBK", 8, 8, 4),
        ("今天天氣很好", "GB18030", 6, 6, 4),
        ("今天天氣很好", "Big5", 6, 6, 4),
        ("今天天气很好", "Big5-HKSCS", 6, 5, 4),
        ("오늘 날씨가", "windows-949", 5, 5, 2),
        ("閟閝 été ①", "GBK", 2, 0, 0),
        ("😀😀😀 ää", "GB18030", 5, 5, 5),  # of four bytes
        ("\U00074178\U00106538", "GB18030", 0, 0, 0),  # °5°6, in windows-1252
        ("", "GBK", 0, 0, 0),
    ],
)
def test_common_characters_of_a_charset(
    text: str, charset: str, characters: int, common: int, frequent: int
) -> None:
    """Letters of more than one byte; signs and punctuation are of every text."""
    found = by_name(charset)
    letters = letters_in(text.encode(found.codec), found)
    assert count_common(letters, charset) == (charset, characters, common, frequent)


@each(
    ("text", "page", "characters", "in_words"),
    [
        ("Мост откроют к ноябрю", "cyrillic", 18, 17),
        ("Мос", "cyrillic", 3, 3),
        ("Мо с", "cyrillic", 3, 0),
        ("xМос Мосx", "cyrillic", 6, 0),
        ("xМост", "cyrillic", 4, 4),
        ("Мост", "cyrillic", 4, 4),
        ("Мост", "greek", 4, 0),
        ("Άνοιξε το ελαιοτριβείο – ναι", "greek", 24, 21),
        ("שוק האיכרים", "hebrew", 10, 10),
        ("خبر المكتبة", "arabic", 10, 10),
        ("ตลาดน้ำ", "thai", 7, 7),
        ("café été", "cyrillic", 3, 0),
        ("", "cyrillic", 0, 0),
    ],
)
def test_characters_in_words_of_a_script(text: str, page: str, characters: int, in_words: int) -> None:
    """Four in a row, or three that are a whole word."""
    assert count_in_words(text, "x", page) == ("x", characters, in_words, 0)


def test_every_page_of_another_script_has_its_words() -> None:
    assert (
        set(WORDS)
        == set(NON_LATIN)
        == {by_name(name).page for name in NAMES} - {"", "western", "central", "latin", "cjk"}
    )


def test_scripts_of_sequences_beside_other_bytes() -> None:
    assert count_scripts("Ünï Мир, ދި") == (6, 3)
    assert count_scripts("ދިވެހި") == (3, 3)
    assert count_scripts(" ©") == (0, 0)
    for others, letters in ((0, 1024), (1, 1023)):  # the first 1,024 characters beyond ASCII
        assert count_scripts("é" * others + "й" * 1024 + "é" * 9) == (1024, letters)
    # Quotation marks and dashes are of the script beside them.
    assert count_scripts("‘ʻ’ “я” – — … •") == (10, 9)
    # U+0180 to U+02FF are of no script; what stands on either side is.
    assert [count_scripts(3 * char)[1] for char in "ſƀɏɐʯʰˮͰ"] == [3, 0, 0, 0, 0, 0, 0, 3]
    for between, letters in ((SCRIPTS_SAMPLE - 8, 3), (SCRIPTS_SAMPLE - 7, 2)):  # of the first bytes alone
        data = b" " * between + b"\xe9 " + "жжж".encode()
        assert Window(data, ends=True).scripts()[:2] == (letters, letters)
    window = Window("ééЖ".encode() * 9 + b"\xe9", ends=True)
    assert (window.distinct(), window.distinct()) == (2, 2)


@each(
    ("iso", "codec", "text", "numbers"),
    [
        ("ISO-8859-2", "cp1250", "śpiąca “kotka”", (1, 0)),
        ("ISO-8859-2", "cp1250", "źle, śś ź", (3, 0)),
        ("ISO-8859-2", "iso8859-2", "świąteczna „Śnieżka”".replace("„", "").replace("”", ""), None),
        ("ISO-8859-5", "cp1251", "Њега", (1, 0)),
        ("ISO-8859-6", "cp1256", "پاکستان", (2, 0)),
        ("ISO-8859-7", "cp1253", "ναι ®", (0, 1)),
        ("ISO-8859-8", "cp1255", "שָלום", (0, 1)),
        ("ISO-8859-8", "cp1255", "צ׳ק", (0, 1)),
        ("ISO-8859-15", "cp1252", "Œuvre", (1, 0)),
        ("ISO-8859-15", "iso8859-15", "Œuvre", None),
        ("ISO-8859-1", "cp1252", "Œuvre", None),
        ("KOI8-R", "koi8-r", "Мир", None),
        ("KOI8-R", "koi8-u", "Київська область і її люди", (3, 0)),
        ("ISO-8859-5", "cp1251", "Ночь, улица, фонарь, аптека", (1, 0)),
        ("ISO-8859-5", "iso8859-5", "Дом, улица", None),
        ("windows-1250", "iso8859-2", "właściwości pliku", (2, 0)),
        ("windows-1250", "iso8859-2", "Ščepán má možnosti, veľkú a pretiahnuť", (2, 0)),
        ("windows-1250", "cp1250", "właściwości", None),
        ("windows-1250", "cp1250", "łąka „mała”", None),
        ("windows-1250", "cp1250", "więcej, éô", None),
    ],
)
def test_what_tells_an_iso_page_from_its_sibling(
    iso: str, codec: str, text: str, numbers: tuple[int, int] | None
) -> None:
    found = Window(text.encode(codec), ends=True).sibling(by_name(iso))
    assert (found and found[:4]) == (None if numbers is None else (iso, SIBLINGS[iso], *numbers))
    assert found is None or found.sibling_cost < found.cost - (0 if found.undefined else CHEAPER)


@each(
    "text",
    [
        "łąka",
        "© 2026 Młyn",
        "10±2 µm na łące",
        "Młyn® ±5°",
        "»mały«",
        "« mały »",
        "Ľúbim",
        "3 µl, 5 µm, 7 µs",
        "©Bar ©Foo Qux®",
        "Café» Róisín»",
    ],
)
def test_signs_and_letters_of_windows_1250_that_are_honest(text: str) -> None:
    """They may be letters of ISO-8859-2; the words of no language cost so much less there."""
    found = Window(text.encode("cp1250"), ends=True).sibling(by_name("windows-1250"))
    assert not found or not found.letters or found.sibling_cost > found.cost - CHEAPER


@pytest.mark.parametrize(
    ("charset", "text"),
    [("KOI8-R", "╔═══╗ ║имя║ ║и║ ╚═══╝ ╒═╕ ╓─╖"), ("ISO-8859-5", "Дом № 5, §3, №5, №А, см.§")],
)
def test_signs_beside_letters_are_those_of_the_label(charset: str, text: str) -> None:
    document = f"<?xml version='1.0' encoding='{charset}'?><a>{text}</a>"
    assert decode(document.encode(charset)).resolution.encoding == charset


def test_quotation_marks_and_a_byte_outside_words_are_no_letters_of_the_sibling() -> None:
    charset = by_name("ISO-8859-2")
    assert Window("“kot” – ma…".encode("cp1250"), ends=True).sibling(charset) is None
    found = Window("ś ".encode("cp1250") + "wąwóz".encode("iso8859-2"), ends=True).sibling(charset)
    assert found is not None
    assert found.letters == found.undefined == 0
    found = Window("ś".encode("cp1250"), ends=True, before=b"a").sibling(charset)
    assert found is not None
    assert found.letters == 1


@pytest.mark.parametrize("stray", ["Apple’s", "😀", "日本", "Привет"])
def test_a_sequence_of_utf8_is_no_letter_of_the_sibling(stray: str) -> None:
    text = "Новости области за неделю ".encode("iso8859-5")
    found = Window(text + stray.encode(), ends=True).sibling(by_name("ISO-8859-5"))
    assert found is None or not found.letters


def test_characters_for_private_use() -> None:
    assert count_private_use("书]]".encode(), by_name("GB2312")) == 1
    assert count_private_use("书".encode("gbk") + b"a", by_name("GB2312")) == 0
    assert count_private_use(b" " * SCRIPTS_SAMPLE + "书]]".encode(), by_name("GBK")) == 0


@each(
    ("charset", "text", "seldom"),
    [
        # One character in three is one of the most frequent, in the first 128 bytes or in all.
        ("GB18030", "的鬱鬱", False),
        ("GB18030", "的鬱鬱鬱", True),
        ("GB18030", "的鬱鬱鬱abc", True),
        ("GB18030", "的" * 22 + "鬱" * 142, False),
        ("GB18030", "的" * 21 + "鬱" * 143, True),
        ("GB18030", "的" * 20 + "鬱" * 44 + "的", True),
        ("GB18030", "的" * 20 + "鬱" * 44 + "的" * 12, False),
        ("GB18030", "一①①①", False),
        # Half of the letters are East Asian, and a fifth are hanzi or Hangul.
        ("GB18030", "鬱鬱鬱яюэ", False),
        ("GB18030", "鬱鬱鬱鬱яюэ", True),
        ("GB18030", "鬱アイウエ", False),
        ("GB18030", "鬱鬱アイウエ", True),
        # Half-width katakana count as frequent.
        ("Shift_JIS", "鬱鬱鬱鬱鬱鬱ｱｲ", True),
        ("Shift_JIS", "鬱鬱鬱鬱鬱鬱ｱｲｳ", False),
        ("Shift_JIS", "鬱鬱の", False),
        ("Shift_JIS", "鬱鬱鬱の", True),
        ("EUC-JP", "鬱鬱の", False),
        ("EUC-JP", "鬱鬱鬱の", True),
        ("EUC-KR", "이믿윷", False),
        ("EUC-KR", "이믿윷쿄", True),
        # A letter that is repeated counts twice.
        ("EUC-KR", "이" + "믿" * 40, False),
        ("EUC-KR", "이" + "믿윷" * 20, True),
        # Of twenty, three in four are common, or one in three is frequent.
        ("GB18030", "的" * 7 + "丁" * 7 + "鬱" * 6, False),
        ("GB18030", "的" * 6 + "丁" * 8 + "鬱" * 6, True),
        ("GB18030", "的" * 6 + "丁" * 7 + "鬱" * 6, True),
        ("Big5", "我鬱鬱", False),
        ("Big5", "的鬱鬱鬱", True),
    ],
)
def test_text_that_is_hardly_in_an_east_asian_charset(charset: str, text: str, seldom: bool) -> None:
    found = by_name(charset)
    assert found.codec is not None
    rare = (chr(point) for point in range(0x9F00, 0x4E00, -1))
    different = (char for char in rare if not common_in(char) and char.encode(str(found.codec), "ignore"))
    text = "".join(next(different) if char == "鬱" else char for char in text)
    assert seldom_frequent(text.encode(found.codec), found) is seldom


@pytest.mark.parametrize(
    ("codec", "text", "label", "other", "more"),
    [
        ("gbk", "使用できません", "GBK", "EUC-JP", False),
        ("euc_jp", "使用できません", "GBK", "EUC-JP", True),
        ("gbk", "使用できません", "EUC-JP", "GBK", True),
        ("euc_jp", "使用できません", "EUC-JP", "GBK", False),
        ("gbk", "テストのカタカナ", "GBK", "EUC-JP", False),  # both read them alike
        ("euc_jp", "テストのカタカナ", "GBK", "EUC-JP", False),
        ("big5", "今天天氣很好", "GBK", "Big5", True),
        ("gbk", "今天天气很好", "GBK", "Big5", False),
    ],
)
def test_more_letters_are_frequent_in_another_charset(
    codec: str, text: str, label: str, other: str, more: bool
) -> None:
    """Of those that the two read otherwise."""
    charsets = by_name(label), by_name(other)
    letters = (letters_in(text.encode(codec), charset) for charset in charsets)
    assert more_frequent(*letters, *charsets) is more


@each(
    ("charset", "data", "seldom"),
    [
        # Two of five letters are among the first twelve of Russian, and small.
        ("windows-1251", "олыыы", False),
        ("windows-1251", "ооыыыы", True),
        ("windows-1251", "ОЛыыы", True),
        ("windows-1251", "олпппabc", False),
        ("KOI8-R", "олпппп", True),
        ("windows-874", "นพพ", True),
        ("windows-874", "นนพพพ", False),
        ("ISO-8859-7", "αάώ", True),
        ("ISO-8859-7", "αταάώ", False),
        # Letters that end a word, within words: one of 200 in Greek, one of 20 in Hebrew, and no fewer.
        ("windows-1253", "ςα" + 98 * "αά" + "α", True),
        ("windows-1253", "ςα" + 99 * "αά", False),
        ("windows-1253", "άααας " * 100, False),
        ("windows-1253", "άας… αας» αας\xa0" * 40, False),  # signs end a word, too
        ("ISO-8859-8", "םא" + 17 * "א", True),
        ("ISO-8859-8", "םא" + 18 * "א", False),
        ("windows-1253", 256 * "αά" + "ςα", False),  # only the first are looked at
        # Letters that Hebrew has in the same places, 40 of them, and one in 20 with an accent.
        ("windows-1253", 39 * "α", False),
        ("windows-1253", 40 * "α", True),
        ("ISO-8859-7", 2 * "ά" + 38 * "α", True),
        ("ISO-8859-7", 3 * "ά" + 38 * "α", False),
        # Words of four bytes in pages of Latin letters.
        ("windows-1250", "žščř a žšč", False),
        ("windows-1250", "žščř a žščř", True),
        ("windows-1254", "ğüşı ğüşı", True),
        ("windows-1257", "ąčęė", False),
        # ... one in four of their bytes, and no fewer.
        ("windows-1250", "ŻÓŁĆ ŻÓŁĆ " + "ż a " * 23, True),
        ("windows-1250", "ŻÓŁĆ ŻÓŁĆ " + "ż a " * 24, False),
    ],
)
def test_text_that_is_hardly_in_a_single_byte_charset(charset: str, data: str, seldom: bool) -> None:
    found = by_name(charset)
    assert found.codec is not None
    assert seldom_letters(data.encode(found.codec), found) is seldom


@each(
    ("before", "data", "found"),
    [
        ("n", "ão é possível", 2),
        ("", "éta, Äpfel, Ärger, Böden", 4),
        ("", "étx", 1),
        ("", "ét", 0),
        ("C", "étai", 1),
        ("A", "Ãos", 0),
        ("S", "ÃO", 0),
        ("educa", "ção, solu\xe7\xe3o", 1),
        ("educa", "ção, não", 1),
        ("L", "õõm", 1),
        ("jpeg", "ÀÉ", 0),
        ("p", "ää", 1),
        ("", "ÉèÖÃdebug né", 0),
        ("a", "ÊyØÄ n\xe3o", 0),
        ("", "íaíbícíd", 0),
        ("caf", "é@ caf\xe9{", 0),
        ("", "¼vde ¢s \xa2so", 0),
        ("2", "º n\xedvel", 1),
        ("op ", "‘true’, zal", 1),
        ("en ", "«stor» er «liten»", 2),
        ("foo", "’s bar’s", 2),
        ("foo", "’m bar’sé x ’s a’sa", 0),
        ("a ", "“B", 0),
    ],
)
def test_letters_in_words_of_a_to_z(before: str, data: str, found: int) -> None:
    assert count_in_latin_words(before.encode("cp1252"), data.encode("cp1252")) == found


def test_letters_in_words_are_those_of_each_run() -> None:
    rng = random.Random(5)
    for weights in ((8, 3, 2, 2, 6, 2, 1, 1, 1), (6, 2, 1, 4, 2, 1, 6, 2, 0), (6, 2, 1, 7, 1, 1, 1, 1, 6)):
        for _ in range(4000):
            text = bytes(rng.choices(b"aA@ \xe9\xc9\xa3\xff\x93", weights, k=rng.randrange(24)))
            before, data = text[:3], b"\xe9" + text[3:]
            assert count_in_latin_words(before, data) == _in_words_one_by_one(before, data)


def _in_words_one_by_one(before: bytes, data: bytes) -> int:
    """The same, run by run."""
    if re.search(rb"[\x80-\xff]{3}", data):
        return 0
    found = pairs = side_by_side = opening = closing = 0
    text = b"  " + before + data + b"  "
    small, letter = (re.compile(one) for one in (rb"[a-z]", rb"[\xe9\xff]"))
    for run in re.finditer(rb"[\x80-\xff]+", text):
        first, second = (text[run.start() - at : run.start() - at + 1] for at in (2, 1))
        after = text[run.end() : run.end() + 2]
        if re.fullmatch(rb"[\xe9\xff]{2}", run[0]) and second.isalpha() and second.isascii():
            pairs += small.match(after) is not None
        elif run[0] == b"\x92":
            found += second in b"aA" and re.match(rb"s[^A-Za-z\x80-\xff]", after) is not None
        elif len(run[0]) > 1:
            side_by_side += len(run[0])
        elif run[0] == b"\x93":
            opening += second == b" " and after[:1] in b"aA"
            closing += second in b"aA" and after[:1] == b" "
        elif re.fullmatch(rb"[a-z]{2}", after) and second == b" ":
            found += run[0] != b"\xa3"
        elif re.fullmatch(rb"[a-z]{2}", after) and second == b"A" and letter.match(run[0]):
            found += 1
        elif run[0] == b"\xc9":  # a capital within a word in capitals
            found += first + second == b"AA" and after[:1] in (b"A", b" ")
            found += second in (b" ", b"A") and after == b"AA" and first + second != b"AA"
        else:
            alone = letter.match(run[0]) and small.match(second) and first < b"\x80"
            found += bool(alone and after[:1] != b"@")
    found += min(opening, closing)
    if not found and not side_by_side:
        return min(pairs, 1)
    return found if found > side_by_side else 0


@each(
    ("text", "doubtful"),
    [
        ("鞋", True),  # common; one alone must be frequent
        ("新", False),
        ("鞋 袜", False),
        ("新闻 龘", True),  # of so few, all must be common
        ("新闻新闻新龘", False),  # of six, three quarters
        ("新闻新闻龘龘", True),
        ("鞋袜帽伞" * 4 + "龘" * 5, False),
        ("鞋袜帽伞" * 4 + "龘" * 6, True),
        ("新闻新闻" * 4 + "龘" * 6, False),  # of twenty, none where a third are frequent
    ],
)
def test_few_east_asian_characters_must_be_common_ones(text: str, doubtful: bool) -> None:
    assert doubtful_east_asian(text, by_name("GBK")) is doubtful


@each(
    ("label", "text", "doubtful"),
    [
        ("EUC-JP", "HDD・DVDレコーダー", False),
        ("EUC-JP", "HDD･DVDレコーダー", False),
        ("Shift_JIS", "HDD・DVDレコーダー", False),
        ("Shift_JIS", "HDD･DVDレコーダー", True),  # one byte, `¥` of western text
        ("GBK", "HDD・DVDレコーダー", True),
    ],
)
def test_a_dot_between_latin_words_is_japanese(label: str, text: str, doubtful: bool) -> None:
    assert doubtful_east_asian(text, by_name(label)) is doubtful


def test_the_first_east_asian_characters_show_whether_text_is_doubtful() -> None:
    """A rare character within a Latin word counts among the first ENOUGH_EAST_ASIAN characters."""
    charset, usual, odd = by_name("GBK"), "新闻", " sp龘ter "
    for size in (ENOUGH_EAST_ASIAN - 1, ENOUGH_EAST_ASIAN):
        text = (usual * ENOUGH_EAST_ASIAN)[:size] + odd
        assert doubtful_east_asian(text, charset) is (size < ENOUGH_EAST_ASIAN)


@each(
    ("text", "charset", "doubtful"),
    [
        ("Größe schön über", "windows-1252", False),
        ("Grš§e;źber fźr Kšln", "windows-1250", True),
        ("grÖße mÖglich", "windows-1252", True),
        ("prуva tеst", "windows-1251", True),
        ("a├b Namen░art", "IBM866", True),
        ("caf\u00e9 \u00e0 la", "GBK", False),
        ("plain", "GBK", False),
        ("x\u3000", "GBK", True),
    ],
)
def test_letters_that_make_no_words(text: str, charset: str, doubtful: bool) -> None:
    assert doubtful_words(text, by_name(charset)) is doubtful


def test_the_first_letters_are_judged() -> None:
    """So many of them that an eighth is odd; those behind do not count."""
    page, odd = by_name("windows-1252"), "éÉ"
    within = "é " * (ENOUGH_DOUBTED - ENOUGH_DOUBTED // ODD_SHARE)
    assert doubtful_words(odd * ENOUGH_DOUBTED, page)
    assert not doubtful_words("é " * ENOUGH_DOUBTED + odd * 2 * ENOUGH_DOUBTED, page)
    assert not doubtful_words(within + odd * (ENOUGH_DOUBTED // ODD_SHARE), page)
    assert doubtful_words(within[:-ENOUGH_DOUBTED] + odd * ENOUGH_DOUBTED, page)


@each(
    ("sample", "otherwise"),
    [
        (b"K\x94ln", False),
        (b"K\x94ln sch\x94n", True),
        (b"K\x94ln \x93sch\x94n\x94", False),
        (b"Malm\x94 sj\x94", False),
    ],
)
def test_a_closing_quotation_mark_within_words(sample: bytes, otherwise: bool) -> None:
    """It is `ö` of DOS where nothing opens a quotation, and it stands there twice."""
    characters = bytes(range(0x100)).decode("cp850")
    found = reads_otherwise(sample, "western", characters, {"ö"}, named=False)
    assert found == otherwise


@each("unit", range(1, 20))
def test_what_stands_side_by_side_again_and_again_counts_twice(unit: int) -> None:
    """One byte alone counts once; what is longer than 16, each time."""
    repeated = bytes(range(0xA0, 0xA0 + unit))
    times = 0 if unit == 1 else 2 if unit <= 16 else 5
    assert without_rows(b"<a>" + repeated * 5 + b"</a>") == b"<a>" + (repeated * times or b" ") + b"</a>"


def test_a_window_without_text_is_left_as_it_is() -> None:
    """Marks are no text of a language; where one letter is further on, the ASCII before it is left out."""
    marks = "“a”".encode("cp1252") + b"b" * 4 * TEXT_PART
    data = marks * 9
    assert without_ascii_parts(data) is data
    assert len(without_ascii_parts(data + b"\xe9")) < len(data) // 2
