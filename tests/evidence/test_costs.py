"""What a text costs in a charset, in tenths of a bit: the figures of the language detector, exactly.

The figures were tried on whole corpora (benchmarks/measure_letters.py), so most of them change no title when
they change by one. A change that is meant changes the numbers here, and is measured again.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from sys import byteorder, maxsize

import pytest
from support.each import each

from feedcharset.evidence import language_detector
from feedcharset.evidence.alphabets import LANGUAGES, POINT_COST
from feedcharset.evidence.language_detector import (
    LANGUAGE_NAMED,
    _cheapest,
    _class_of,
    _Column,
    _costs,
    _east_asian_cost,
    _least_cost,
    _sign_cost,
    joint_cost,
)

WESTERN_NAMES = ("windows-1252", "western names")
FAR = 10**6


def column_of(charset: str, language: str) -> int:
    names = [(one.page.charset.name, one.alphabet.language.name) for one in _costs().columns]
    return names.index((charset, language))


def advantage(
    data: bytes, charset: str, language: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> int | None:
    """How much less a text costs in this charset and language than as western names in windows-1252: the
    largest handicap with which it is still the cheaper one; None: it is not judged."""
    costs = _costs()
    its, other = column_of(charset, language), column_of(*WESTERN_NAMES)
    tag = next((one for one in LANGUAGES if one.name == named), None)

    def is_cheapest(handicap: int) -> bool:
        letters = [(old + FAR, place) for old, place in costs.letters]
        letters[other] = costs.letters[other]
        letters[its] = costs.letters[its][0] + handicap, costs.letters[its][1]
        monkeypatch.setattr(language_detector, "_costs", lambda: costs._replace(letters=tuple(letters)))
        found = _cheapest(data, Counter(data), tag, LANGUAGE_NAMED, (), unnamed=False, tagged=False)
        return found[0] is costs.columns[its]

    low, high = -FAR // 2, FAR // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_cheapest(middle) else (low, middle)
    monkeypatch.undo()
    return low if low > -FAR // 2 else None


def column(charset: str) -> _Column:
    return next(one for one in _costs().columns if one.page.charset.name == charset)


@pytest.mark.parametrize(
    ("charset", "language", "text", "tenths"),
    [
        # The advantage before western names in windows-1252.
        ("windows-1251", "Russian", "я", -166),  # a single byte value is little evidence
        ("windows-1251", "Russian", "яя", 39),
        ("windows-1251", "Russian", "яд", 55),
        ("windows-1251", "Macedonian", "Ђ", -353),  # 80 is one, too
        ("windows-1251", "Macedonian", "\x7fЂ", -353),  # 7F is none
        # A text without small letters: its capitals cost 100 at most.
        ("windows-1251", "Russian", "ЯД", 140),
        ("windows-1251", "Russian", "ЯД" * 9 + "Я", 2001),
        ("windows-1251", "Russian", "ЯД" * 10, 2153),
        ("windows-1251", "Russian", "ЯД" * 10 + "Я", 2222),
        ("windows-1251", "Russian", "ЯД" * 10 + "я", 2110),  # capitals before a small letter
        ("windows-1251", "Russian", "ЯД " * 5, 888),
        # 60 letters a to z count, and 4 letters by which it counts how many are beyond ASCII.
        ("windows-1250", "Czech", "žžž" + "ab" * 30, -46),
        ("windows-1250", "Czech", "žžž" + "ab" * 30 + "e", -39),
        ("windows-1250", "Czech", "žžž" + "ab" * 60, -106),
        ("windows-1250", "Czech", "žěžě" + "ab" * 3, 162),
        ("windows-1250", "Czech", "žěžěž" + "ab" * 3, 211),
        ("Shift_JIS", "Japanese", "明日は雨", 283),
    ],
)
def test_the_cost_of_a_text(
    charset: str, language: str, text: str, tenths: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = text.encode("cp932" if charset == "Shift_JIS" else charset)
    assert advantage(data, charset, language, "", monkeypatch) == tenths


@pytest.mark.parametrize(
    ("named", "data", "tenths"),
    [
        ("", b"a\xb1 a\xb2 a\xb3", None),  # letters that stand one by one are accents
        ("", b"a\xb1\xb1 a\xb2 a\xb3", -1),
        ("", b"a\xb1\xb1 a\xb2\xb2 a\xb3", 24),
        ("Turkish", b"a\xb1 a\xb2 a\xb3", None),
        ("Russian", b"a\xb1 a\xb2 a\xb3", -26),  # unless the document names a language without accents
        ("Japanese", b"a\xb1 a\xb2 a\xb3", 114),
        ("Japanese", b"\x81B", 219),
    ],
)
def test_the_cost_of_accents_in_shift_jis(
    named: str, data: bytes, tenths: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert advantage(data, "Shift_JIS", "Japanese", named, monkeypatch) == tenths


@pytest.mark.parametrize("charset", ["windows-1251", "KOI8-R"])
def test_the_language_that_is_named_has_an_advantage_of_14_bits(
    charset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = "погода".encode(charset)
    cost = {
        named: advantage(data, charset, "Russian", named, monkeypatch) for named in ("", "Russian", "Czech")
    }
    assert cost["Russian"] == cost[""] + 140 == cost["Czech"] + 140


def test_what_stands_beside_the_letters_is_no_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    signs, spaces = (
        advantage(b"\x9e\x9e\x9e" + text, "windows-1250", "Czech", "", monkeypatch)
        for text in (b"@[`{" * 9, b" " * 36)
    )
    assert signs == spaces


JOINTS = [
    ("windows-1251", "ДРЩЫл Файлы", 134),  # capitals before a small letter, and two first ones
    ("ISO-8859-3", "grĝft sĉr", 180),  # `grøft sær` of Danish
    ("ISO-8859-3", "manĝi ĉe ŝi", 0),
    ("windows-1251", "имяФайла", 22),  # as programmers write names
    ("windows-1251", "имяФай", 112),
    ("windows-1252", "aÉ", 112),  # a capital within a word, and one behind none
    ("windows-1252", "éÉ", 152),
    ("windows-1252", "éA", 90),
    ("windows-1252", "a®b", 90),
    ("windows-1252", "a® b", 0),
    ("windows-1252", "«a»", 0),
    ("windows-1252", "«a«", 180),
    ("windows-1252", "éé", 40),
    ("windows-1252", "ééé é", 80),
    ("windows-1250", "éé", 0),
    ("windows-1252", "É É", 44),
    ("windows-1252", "AÉ ÉA", 22),
    ("windows-1251", "яa", 180),  # two scripts; a word of one letter
    ("windows-1251", "aя", 180),
    ("windows-1251", "a яд", 0),
    ("windows-1251", " ®яд", 90),
    ("windows-1251", "®®яд", 90),
    ("windows-1251", "яд®", 0),
    ("windows-1251", "я д", 180),
    ("windows-1251", "яд д", 90),
    ("windows-1255", "א\u05b8", 50),
    ("windows-1255", " \u05b8א", 180 + 50),  # a point without its letter
    ("windows-1255", "א\u05b8\u05b8\u05b8", 90 + 150),
    ("windows-1255", "א\u05b8\u05b8", 100),
    ("windows-1255", "א״ב", 50),
    ("windows-1256", "ب\u064f" * 8, 0),  # pointed
    ("windows-1256", "ب\u064f" * 7, 7 * 50),
    ("windows-1256", "ب\u064f" * 8 + "بببب", 0),
    ("windows-1256", "ب\u064f" * 8 + "ببببب", 8 * 50),
    ("windows-1256", "ب\u064f" * 8 + " \u0640 بب", 270),  # tatweel as a dash
    ("windows-1256", "ب\u064f" * 8 + " \u064fب", 9 * 50 + 180),
    ("windows-1256", "ب\u064f" * 8 + "\u064f\u064f", 10 * 50 + 90),
    ("windows-1253", "μετς", 0),
    ("windows-1253", "μεςτ", 90),  # a final form within a word
    ("ISO-8859-7", "μεςτ", 90),
    ("windows-1253", "ςμετ", 0),
    ("windows-1255", "שלום", 0),
    ("windows-1255", "שלםו", 90),
    ("ISO-8859-8", "םולש", 0),  # in visual order it begins a word
    ("windows-1251", "яерд", 0),
]


@each(("charset", "text", "tenths"), JOINTS)
def test_the_cost_of_neighbours(charset: str, text: str, tenths: int) -> None:
    page = column(charset).page
    assert joint_cost(text.encode(charset), page, maxsize) == tenths


@pytest.mark.parametrize(("most", "tenths"), [(65, 65), (66, 66), (67, 66)])
def test_capitals_cost_so_much_at_most(most: int, tenths: int) -> None:
    assert joint_cost("É É É".encode("cp1252"), column("windows-1252").page, most) == tenths


EAST_ASIAN = [
    ("a", 0),
    ("字", 125),  # of the first level
    ("の", 33),  # a frequent letter
    ("鬱", 170),  # of the second
    ("α", 170),
    ("。", 40),
    ("\xa0", 40),
    ("♪", 130),
    ("\x80", 220),
    ("\x9f", 220),
    ("\ue000", 220),
    ("\uf8ff", 220),
    ("\uf900", 170),
    ("\ufffd", 220),
    *zip("\u2fff\u3000\u303f\u3040", (130, 40, 40, 130), strict=True),  # signs and punctuation
    *zip("\ufeff\uff00\uff5e\uff5f", (130, 40, 40, 130), strict=True),  # ASCII as wide as a character
    ("字字鬱の。", 125 + 125 + 170 + 33 + 40),
]


@each(("text", "tenths"), EAST_ASIAN)
def test_the_cost_of_east_asian_characters(text: str, tenths: int) -> None:
    assert _east_asian_cost(Counter(text), column("Shift_JIS")) == tenths
    assert _least_cost(text, column("Shift_JIS").page) <= tenths


@pytest.mark.parametrize(
    ("first", "last"),
    [(0x05B0, 0x05C2), (0x0640, 0x0640), (0x064B, 0x0652)],
    ids=["Hebrew", "tatweel", "Arabic"],
)
def test_points_of_letters(first: int, last: int) -> None:
    points = [chr(point) for point in range(first - 1, last + 2)]
    found = [_sign_cost(point) == POINT_COST and _class_of(point) == ord("m") for point in points]
    assert found == [False, *[True] * (last - first + 1), False]


@pytest.mark.parametrize(
    ("text", "tenths"), [("a", 0), ("鬱", 125), ("。", 33), ("。字", 158), ("ののa", 66)]
)
def test_what_east_asian_characters_cost_at_least(text: str, tenths: int) -> None:
    assert _least_cost(text, column("Shift_JIS").page) == tenths


def test_the_costs_of_all_bytes_are_those_that_were_measured() -> None:
    """A digest of the whole table: every letter, sign and handicap of every language. Where it changes,
    benchmarks/measure_letters.py has to be run again."""
    costs = _costs()
    rows = [list(memoryview(number.to_bytes(costs.size, byteorder)).cast("I")) for number in costs.packed]
    columns = [
        (
            one.page.charset.name,
            one.alphabet.language.name,
            one.alphabet.beyond,
            one.alphabet.plain,
            sorted(known.items()),
            min(filter(None, known.values()), default=0),
        )
        for one in costs.columns
        for known in [{} if one.page.characters else one.alphabet.costs]
    ]
    measured = repr((rows, columns, costs.letters, costs.single_byte, sorted(costs.capitals.items())))
    assert (
        sha256(measured.encode()).hexdigest()
        == "6fd3388c27c50614dd2161bce265fa108221c3d69fe8bd38d8e58676f63e8b63"
    )
