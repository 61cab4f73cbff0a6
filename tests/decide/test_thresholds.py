"""Plainly UTF-8: the thresholds of every page, at their edges, and honest words."""

from __future__ import annotations

from typing import Any

import pytest
from support.cases import load
from support.each import each

from feedcharset import decode
from feedcharset.charsets.lookup import NAMES, Charset, by_name
from feedcharset.decide import thresholds
from feedcharset.decide.lenient_chain import replay
from feedcharset.decide.resolve import resolve
from feedcharset.decide.thresholds import (
    COMMON,
    IN_WORDS,
    THRESHOLDS,
    TOLERANCE,
    Threshold,
    common_enough,
    hopeless_utf8,
    page_kind,
    tolerable_controls,
    tolerable_utf8,
    utf8_threshold,
)
from feedcharset.evidence import language_detector
from feedcharset.evidence.utf8_sequences import count_sequences
from feedcharset.results import CommonCount, Damage, SequenceCount, Utf8Count
from feedcharset.results.facts import Detected

CASES = load("plainly")
NOTHING = SequenceCount("", *[0] * (len(SequenceCount._fields) - 1))


def row_of(case: dict[str, Any]) -> str | None:
    """The row that holds, by its reason."""
    charset = by_name(case["label"])
    row = utf8_threshold(charset, count_sequences(case["text"].encode(case["codec"]), charset))
    return row.why if row else None


@each("case", CASES, ids=lambda case: f"{case['label']} {case['why']}")
def test_table(case: dict[str, Any]) -> None:
    assert row_of(case) == case["row"]


HONEST = [case for case in CASES if case["why"] == "honest"]


@each("case", HONEST, ids=lambda case: f"{case['label']} {case['text']}")
def test_honest_words_stay_what_their_label_says(case: dict[str, Any]) -> None:
    """Each in a feed of its own, declared, in the header, and in both."""
    body = f"<title>{case['text']}</title>".encode(case["codec"])
    declared = f"<?xml version='1.0' encoding='{case['label']}'?>".encode() + body
    header = f"application/xml; charset={case['label']}"
    for document, content_type in (
        (declared, None),
        (declared, "text/xml"),
        (body, header),
        (declared, header),
    ):
        assert resolve(document, content_type, complete=True).encoding == case["label"]


@pytest.mark.parametrize("row", THRESHOLDS, ids=lambda row: f"{row.pages[0]} {row.why}")
def test_every_row_is_killed_by_some_case(row: Threshold, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thresholds, "THRESHOLDS", tuple(other for other in THRESHOLDS if other is not row))
    assert any((row_of(case) is None) != (case["row"] is None) for case in CASES)


@pytest.mark.parametrize("row", THRESHOLDS, ids=lambda row: f"{row.pages[0]} {row.why}")
def test_every_number_of_a_row_is_killed_by_some_case(
    row: Threshold, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One more and one less, and another share, change the verdict on some case."""
    changed = [row._replace(reach={**row.reach, name: row.reach[name] + 1}) for name in row.reach]
    changed += [
        row._replace(reach={**row.reach, name: row.reach[name] - 1})
        for name in row.reach
        if row.share < 0.99 or row.reach[name] > 1  # none is no share
    ]
    if row.share:
        changed += [row._replace(share=0.0), row._replace(share=0.6)]
    for mutant in changed:
        mutants = tuple(mutant if other is row else other for other in THRESHOLDS)
        monkeypatch.setattr(thresholds, "THRESHOLDS", mutants)
        assert any((row_of(case) is None) != (case["row"] is None) for case in CASES), mutant


@each("row", THRESHOLDS, ids=lambda row: f"{row.pages[0]} {row.why}")
def test_every_row_is_well_made(row: Threshold) -> None:
    kinds = {page_kind(by_name(name)) for name in NAMES}
    assert set(row.pages) <= kinds | set(NAMES)
    assert set(row.reach) <= set(SequenceCount._fields)
    assert 0 <= row.share < 1
    assert row.why


def test_every_legacy_page_has_its_rows() -> None:
    for name in NAMES:
        charset = by_name(name)
        if charset.family in ("single", "CJK"):
            rows = [row for row in THRESHOLDS if page_kind(charset) in row.pages]
            assert len(rows) >= 3, name
            assert utf8_threshold(charset, NOTHING._replace(sequences=4, one_script=4)) is THRESHOLDS[0]


@each(
    ("name", "kind"),
    [
        ("macintosh", "macintosh"),
        ("windows-1252", "western"),
        ("ISO-8859-15", "western"),
        ("ISO-8859-2", "central"),
        ("windows-1258", "latin"),
        ("KOI8-R", "cyrillic"),
        ("TIS-620", "thai"),
        ("IBM866", "crowded"),
        ("x-mac-ce", "crowded latin"),
        ("GBK", "cjk"),
    ],
)
def test_page_kind(name: str, kind: str) -> None:
    assert page_kind(by_name(name)) == kind


def test_no_sequence_is_no_sign() -> None:
    for name in NAMES:
        charset: Charset = by_name(name)
        assert utf8_threshold(charset, NOTHING) is None


@each(
    ("sequences", "damaged", "tolerable"),
    [
        (None, 0, True),
        (0, 1, False),
        (6, 1, False),
        (7, 1, True),
        (7, 2, True),  # one character, cut in two
        (11, 3, False),
        (12, 3, True),
        (399, 100, False),
        (400, 100, True),
        (None, 1, False),
    ],
)
def test_tolerable_utf8(sequences: int | None, damaged: int, tolerable: bool) -> None:
    """At least 7 sequences, and at least 4 per damaged place."""
    count = Utf8Count(sequences, damaged, 0, 2 * (sequences or 0), damaged)
    assert tolerable_utf8(count) is tolerable
    for cut in (1, 2):  # characters cut by bytes are no damage, beside a sequence
        wanted = tolerable and sequences is not None
        assert tolerable_utf8(count._replace(damaged=damaged + cut, cut=cut)) is wanted


@each(
    ("count", "tolerable", "hopeless"),
    [
        (Utf8Count(31, 1, 0, 62, 126), False, True),  # a row of the GB2312 table
        (Utf8Count(31, 1, 0, 62, 61), True, False),
        (Utf8Count(31, 1, 0, 62, 62), False, False),
        (Utf8Count(31, 2, 1, 62, 64), True, False),  # of them at most 3 are those of the cut one
        (Utf8Count(0, 1, 1, 0, 1), False, False),
        (Utf8Count(1, 2, 2, 2, 2), True, False),
        (Utf8Count(1, 2, 0, 2, 2), False, True),
        (Utf8Count(1, 1, 0, 2, 2), False, False),
        (Utf8Count(1, 2, 1, 2, 5), False, False),
    ],
)
def test_damage_is_weighed_in_bytes_too(count: Utf8Count, tolerable: bool, hopeless: bool) -> None:
    """UTF-8 needs more bytes in sequences than in damage."""
    assert tolerable_utf8(count) is tolerable
    assert hopeless_utf8(count) is hopeless


@pytest.mark.parametrize(
    ("characters", "controls", "tolerable"),
    [(19, 1, False), (20, 1, True), (50, 2, False), (51, 2, True), (1, 0, True), (4000, 80, True)],
)
def test_a_few_controls_are_tolerable(characters: int, controls: int, tolerable: bool) -> None:
    assert tolerable_controls(Damage("windows-1251", characters, 0, controls)) is tolerable


def test_the_tolerances_are_those_of_the_page() -> None:
    assert TOLERANCE == {"UTF-8": (7, 4), "CJK": (20, 50), "ISO-2022-JP": (1, 50), "single": (20, 50)}


@pytest.mark.parametrize(
    ("characters", "places", "holds"),
    [(19, 1, False), (20, 1, True), (20, 2, True), (20, 3, False), (100, 3, False), (101, 3, True)],
)
def test_damaged_cjk(characters: int, places: int, holds: bool) -> None:
    """20 characters: two damaged places (one character, cut in two), and one in 50 after the first."""
    for codec, damage in (("gbk", b"\xff "), ("euc_jp", b"\xff ")):
        text = ("日本人大中会社年月生時間東京新行者三明天" * 6)[:characters]
        document = f"<?xml version='1.0' encoding='{codec}'?>".encode() + text.encode(codec)
        resolution = resolve(document + b"x".join([damage] * places), complete=True)
        assert (resolution.rule == "1.2") is holds
        assert resolution.encoding in ("GBK", "EUC-JP")


@pytest.mark.parametrize(
    ("characters", "places", "holds"), [(12, 3, True), (11, 3, False), (20, 5, True), (19, 5, False)]
)
@pytest.mark.parametrize("server", ["ISO-8859-1", "KOI8-R"])
def test_damaged_cjk_beside_a_servers_default(server: str, characters: int, places: int, holds: bool) -> None:
    text = ("日本人大中会社年月生時間東京新行者三明天" * 6)[:characters]
    document = b"<?xml version='1.0' encoding='EUC-JP'?>" + text.encode("euc_jp")
    document += b"x".join([b"\xff "] * places)
    found = resolve(document, f"text/xml; charset={server}", complete=True)
    assert (found.rule == "L2") is (holds and server == "ISO-8859-1"), found.explain()


@pytest.mark.parametrize(
    ("characters", "places", "holds"),
    [
        *((0, 1, False), (1, 2, True), (1, 3, False), (3, 3, False), (4, 3, True)),
        *((9, 9, False), (10, 9, True)),
    ],
)
def test_more_characters_between_escapes_show_iso_2022_jp(characters: int, places: int, holds: bool) -> None:
    """Beside a pasted `’`, which no other charset refuses: UTF-8 has no escapes."""
    document = b"<?xml version='1.0' encoding='ISO-2022-JP'?>" + ("日" * characters).encode("iso2022_jp")
    resolution = resolve(document + "’x".encode() * places, complete=True)
    assert resolution.encoding == ("ISO-2022-JP" if holds else "UTF-8")


@pytest.mark.parametrize(
    ("characters", "common", "enough"),
    [(4, 4, True), (3, 3, False), (8, 4, True), (9, 4, False), (200, 100, True), (200, 99, False)],
)
def test_characters_that_prove_a_multi_byte_charset(characters: int, common: int, enough: bool) -> None:
    """Four common ones, and half of all."""
    assert common_enough(CommonCount("GBK", characters, common)) is enough
    assert COMMON == (4, 0.5)


@pytest.mark.parametrize(
    ("characters", "in_words", "enough"),
    [(3, 3, True), (2, 2, False), (6, 3, True), (7, 3, False), (200, 100, True), (200, 99, False)],
)
def test_words_that_prove_a_page_of_another_script(characters: int, in_words: int, enough: bool) -> None:
    """Three characters, and half of all."""
    assert common_enough(CommonCount("KOI8-R", characters, in_words), IN_WORDS) is enough
    assert IN_WORDS == (3, 0.5)


@pytest.mark.parametrize(
    ("damage", "tolerable"), [((5, 0), True), ((20, 2), True), ((19, 2), False), ((200, 9), False)]
)
def test_how_much_damage_a_multi_byte_charset_tolerates(damage: tuple[int, int], tolerable: bool) -> None:
    characters, places = damage
    assert thresholds.tolerable_damage(by_name("GBK"), Damage("GBK", characters, places, 0)) is tolerable


@pytest.mark.parametrize(
    ("name", "number", "least", "share"),
    [
        ("windows-1252", "in_use", 20, 0.9),
        ("ISO-8859-2", "in_page", 2, 0.5),
        ("windows-1251", "in_page", 4, 0.5),
        ("GBK", "in_page", 2, 0.499),
        ("windows-1250", "alone", 1, 0.999),
        ("EUC-KR", "after_letter", 1, 0.999),
    ],
)
def test_a_share_is_of_all_sequences(name: str, number: str, least: int, share: float) -> None:
    """A row with a share holds as long as its number is more than that share."""
    count = NOTHING._replace(distinct=3, **{number: least})
    most = max(n for n in range(least, 10 * least) if least > share * n)
    assert utf8_threshold(by_name(name), count._replace(sequences=most)) is not None
    assert utf8_threshold(by_name(name), count._replace(sequences=most + 1)) is None


@each(
    ("charset", "named", "foreign", "distinct", "less", "enough"),
    [
        (
            "windows-1250",
            "",
            1,
            1,
            280,
            True,
        ),  # of Latin letters one is enough where western languages fit badly
        ("windows-1250", "", 1, 1, 279, False),
        ("windows-1250", "", 2, 1, 120, True),
        ("windows-1250", "", 2, 1, 119, False),
        ("windows-1250", "", 4, 2, 95, True),
        ("windows-1250", "", 4, 2, 94, False),
        ("windows-1250", "", 4, 1, 95, False),
        ("windows-1250", "", 3, 2, 95, False),
        ("windows-1250", "", 5, 2, 65, True),
        ("windows-1250", "", 5, 2, 64, False),
        ("windows-1250", "", 5, 1, 65, False),
        ("windows-1250", "", 4, 2, 65, False),
        ("windows-1250", "", 0, 0, 999, False),
        ("ISO-8859-2", "", 2, 1, 120, True),
        ("ISO-8859-16", "", 2, 1, 120, True),
        ("windows-1257", "", 3, 2, 120, True),
        ("windows-1257", "", 3, 2, 119, False),
        ("windows-1257", "", 3, 1, 120, False),
        ("windows-1257", "", 2, 2, 120, False),
        ("windows-1257", "", 4, 4, 110, True),
        ("windows-1257", "", 4, 4, 109, False),
        ("windows-1257", "", 4, 3, 110, False),
        ("windows-1257", "", 6, 6, 95, True),
        ("windows-1257", "", 6, 6, 94, False),
        ("windows-1257", "", 6, 5, 95, False),
        ("ISO-8859-13", "", 4, 2, 100, True),
        ("ISO-8859-13", "", 4, 2, 99, False),
        ("ISO-8859-13", "", 4, 1, 100, False),
        ("ISO-8859-13", "", 3, 2, 100, False),
        ("windows-1254", "", 2, 2, 95, True),
        ("windows-1254", "", 2, 2, 94, False),
        ("windows-1254", "", 2, 1, 95, False),
        ("windows-1254", "", 1, 1, 999, False),
        ("windows-1254", "", 4, 2, 80, True),
        ("windows-1254", "", 4, 2, 79, False),
        ("windows-1254", "", 4, 1, 80, False),
        ("windows-1254", "", 3, 2, 80, False),
        ("IBM857", "", 3, 2, 220, True),
        ("IBM857", "", 3, 2, 219, False),
        ("IBM857", "", 3, 1, 220, False),
        ("IBM857", "", 2, 2, 220, False),
        ("IBM857", "", 10, 6, 100, True),
        ("IBM857", "", 10, 6, 99, False),
        ("IBM857", "", 10, 7, 100, False),  # few are repeated
        ("IBM857", "", 10, 2, 100, False),
        ("IBM857", "", 9, 3, 100, False),
        ("ISO-8859-3", "", 3, 2, 100, True),
        ("ISO-8859-3", "", 3, 2, 99, False),
        ("windows-1258", "", 5, 3, 400, True),  # tones are bytes of their own
        ("windows-1258", "", 5, 3, 399, False),
        ("windows-1258", "", 5, 4, 200, True),
        ("windows-1258", "", 5, 4, 199, False),
        ("windows-1258", "", 4, 4, 400, False),
        ("windows-1258", "the document names the language vi", 2, 1, 0, True),
        ("windows-1250", "the document names the language pl", 2, 1, 0, True),
        ("windows-1250", "the document names the language pl", 1, 1, 160, True),
        ("windows-1250", "the document names the language pl", 1, 1, 159, False),
        ("windows-1251", "", 12, 7, 0, True),
        ("windows-1251", "", 11, 7, 999, False),
        ("windows-1251", "", 12, 6, 999, False),
        ("windows-1251", "", 12, 11, 999, False),  # hardly a letter repeated
        ("windows-1251", "the document names the language ru", 4, 3, 0, True),
        ("windows-1251", "the document names the language ru", 4, 2, 400, True),
        ("windows-1251", "the document names the language ru", 4, 2, 399, False),
        ("windows-1251", "the document names the language ru", 4, 1, 999, False),
        ("windows-1251", "the document names the language ru", 3, 2, 999, False),
        ("IBM866", "", 4, 4, 1000, True),
        ("IBM866", "", 4, 4, 999, False),
        ("IBM866", "", 4, 3, 1000, False),
        ("IBM866", "", 3, 3, 1000, False),
        ("IBM866", "", 12, 7, 0, True),
        ("IBM866", "", 12, 6, 999, False),
        ("IBM866", "the document names the language ru", 4, 3, 0, True),
        ("windows-1252", "", 40, 9, 999, False),
    ],
)
def test_letters_against_a_western_label(
    charset: str, named: str, foreign: int, distinct: int, less: int, enough: bool
) -> None:
    found = Detected(charset, "letters", "Czech", "č", 50, 0, named, foreign, distinct, less=less)
    assert thresholds.foreign_enough(by_name(charset), found) is enough


@each(
    ("language", "foreign", "distinct", "less", "enough"),
    [
        ("Hungarian", 2, 2, 75, True),  # both `ő` and `ű`
        ("Hungarian", 2, 2, 74, False),
        ("Hungarian", 2, 1, 119, False),
        ("Hungarian", 2, 1, 120, True),
        ("Romanian", 1, 1, 100, True),
        ("Romanian", 1, 1, 99, False),
        ("Romanian", 2, 1, 50, True),
        ("Romanian", 2, 1, 49, False),
        ("Polish", 1, 1, 100, True),
        ("Polish", 1, 1, 99, False),
        ("Polish", 2, 1, 50, True),
        ("Polish", 2, 1, 49, False),
        ("Slovak", 2, 2, 75, False),
    ],
)
def test_letters_of_a_language_against_a_western_label(
    language: str, foreign: int, distinct: int, less: int, enough: bool
) -> None:
    found = Detected("windows-1250", "letters", language, "ő", 50, 0, "", foreign, distinct, less=less)
    assert thresholds.foreign_enough(by_name("windows-1250"), found) is enough


@each(
    ("charset", "named", "foreign", "distinct", "outside", "enough"),
    [
        ("windows-1250", "what is UTF-8 is Polish", 1, 1, 0, True),
        ("windows-1250", "what is UTF-8 is Polish", 0, 0, 0, False),
        ("windows-1250", "what is UTF-8 is Polish", 9, 3, 6, False),
        ("windows-1250", "", 3, 1, 0, True),
        ("windows-1250", "", 2, 1, 0, False),
        ("windows-1254", "", 6, 3, 0, True),
        ("windows-1254", "", 6, 2, 0, False),
        ("windows-1254", "", 5, 3, 0, False),
        ("windows-1252", "what is UTF-8 is Polish", 9, 3, 0, False),
        ("windows-1251", "", 12, 7, 0, True),
        ("windows-1251", "", 11, 7, 0, False),
    ],
)
def test_letters_among_utf8(
    charset: str, named: str, foreign: int, distinct: int, outside: int, enough: bool
) -> None:
    found = Detected(charset, "letters", "Polish", "ł", 50, outside, named, foreign, distinct)
    assert thresholds.foreign_among_utf8(found) is enough


@pytest.mark.parametrize(
    ("charset", "named", "outside", "distinct", "less", "enough"),
    [
        ("windows-1250", "", 2, 7, 249, True),
        ("windows-1250", "", 3, 7, 249, False),
        ("windows-1250", "", 4, 3, 250, True),
        ("windows-1250", "", 4, 2, 900, False),
        ("IBM852", "", 4, 7, 900, False),
        ("IBM852", "", 2, 7, 900, True),
        ("windows-1250", "", 5, 7, 900, False),
        ("windows-1250", "the document names the language pl", 4, 7, 249, True),
        ("windows-1251", "", 4, 7, 300, True),
        ("windows-1251", "", 5, 7, 300, False),
    ],
)
def test_latin_letters_that_nothing_names_are_those_of_the_language(
    charset: str, named: str, outside: int, distinct: int, less: int, enough: bool
) -> None:
    found = Detected(charset, "letters", "Polish", "ł", 40, outside, named, 30, distinct, less=less)
    assert thresholds.foreign_enough(by_name(charset), found) is enough


@pytest.mark.parametrize(
    ("charset", "letters", "counted", "outside", "enough"),
    [
        ("windows-1252", "éèà", 16, 0, True),
        ("windows-1252", "éè", 16, 0, False),
        ("windows-1250", "áíč", 15, 0, False),
        ("Big5", "的", 16, 0, True),
        ("Big5", "的", 15, 0, False),
        ("windows-874", "น", 40, 2, True),
        ("windows-874", "น", 40, 3, False),
        ("KOI8-R", "о", 39, 0, False),
    ],
)
def test_letters_against_an_east_asian_label(
    charset: str, letters: str, counted: int, outside: int, enough: bool
) -> None:
    found = Detected(charset, "letters", "Thai", letters, counted, outside)
    assert thresholds.letters_prevail(by_name(charset), found, by_name("Big5")) is enough


@pytest.mark.parametrize(
    ("charset", "named", "label", "counted", "enough"),
    [
        ("windows-1251", "bg", "windows-1253", 12, True),
        ("windows-1251", "bg", "windows-1253", 11, False),
        ("windows-1251", "", "windows-1253", 39, False),
        ("windows-1251", "", "windows-1253", 40, True),
        ("windows-1251", "bg", "Big5", 39, False),
        ("windows-1258", "vi", "windows-1253", 12, True),
        ("windows-1258", "", "windows-1253", 15, False),
    ],
)
def test_letters_against_another_single_byte_label(
    charset: str, named: str, label: str, counted: int, enough: bool
) -> None:
    found = Detected(charset, "letters", "Bulgarian", "абв", counted, 0, named)
    assert thresholds.letters_prevail(by_name(charset), found, by_name(label)) is enough


@pytest.mark.parametrize(
    ("page", "is_named", "misread", "distinct", "counted", "enough"),
    [
        ("windows-1251", True, 2, 1, 2, True),
        ("windows-1251", True, 1, 1, 2, False),
        ("windows-1252", True, 2, 1, 2, False),  # servers add windows-1252 by default
        ("windows-1252", True, 3, 2, 3, True),
        ("windows-1252", True, 2, 1, 6, True),
        ("windows-1251", False, 3, 2, 6, False),
        ("windows-1251", False, 4, 2, 6, True),
        # Letters stand beside them that both pages have.
        ("windows-1251", False, 2, 1, 6, True),
        ("windows-1251", False, 2, 1, 5, False),
        ("windows-1251", False, 1, 1, 9, False),
    ],
)
def test_letters_of_the_named_language_in_another_page(
    page: str, is_named: bool, misread: int, distinct: int, counted: int, enough: bool
) -> None:
    found = Detected(page, "letters", "", "", counted, misread=misread, misread_distinct=distinct)
    found = found._replace(misread_under="windows-1250")
    assert thresholds.misread_enough(found, by_name("windows-1250"), is_named) is enough
    assert not thresholds.misread_enough(found, by_name("windows-1253"), is_named)


@pytest.mark.parametrize(
    ("characters", "frequent", "may_be"),
    [(2, 0, True), (3, 0, False), (4, 1, False), (6, 2, True), (300, 99, False), (300, 100, True)],
)
def test_characters_that_are_frequent_enough(characters: int, frequent: int, may_be: bool) -> None:
    assert thresholds.frequent_prevail(CommonCount("GBK", characters, characters, frequent)) is may_be


@pytest.mark.parametrize(
    ("found", "frequent", "label", "seldom", "clear"),
    [
        ("Big5", (5, 3), "GBK", (9, 1), True),
        ("Big5", (4, 4), "GBK", (9, 1), False),
        ("Big5", (6, 3), "GBK", (6, 0), True),
        ("Big5", (7, 3), "GBK", (6, 0), False),
        ("Big5", (5, 3), "GBK", (8, 1), False),
        ("EUC-JP", (5, 5), "Big5", (5, 0), True),
        ("EUC-JP", (5, 5), "GB2312", (5, 0), False),  # kana are the same bytes
    ],
)
def test_a_few_characters_that_are_mostly_frequent(
    found: str, frequent: tuple[int, int], label: str, seldom: tuple[int, int], clear: bool
) -> None:
    counts = (CommonCount(name, one[0], 0, one[1]) for name, one in ((found, frequent), (label, seldom)))
    assert thresholds.mostly_frequent(*counts) is clear


@each(("characters", "common", "clear"), [(5, 5, False), (7, 7, False), (8, 8, True), (5, 4, True)])
def test_common_characters_under_the_label_may_be_meant(characters: int, common: int, clear: bool) -> None:
    found, label = ("GB18030", characters, characters, characters), ("EUC-KR", characters, common, 0)
    assert thresholds.mostly_frequent(CommonCount(*found), CommonCount(*label)) is clear


@pytest.mark.parametrize(
    ("in_words", "characters", "common", "refused"),
    [
        *((0, 2, 1, True), (0, 3, 2, False), (2, 4, 4, False)),  # half of them are common ones
        *((3, 12, 12, True), (3, 13, 13, False), (5, 20, 20, True), (5, 21, 21, False), (5, 22, 11, True)),
    ],
)
def test_letters_in_words_under_an_east_asian_label(
    in_words: int, characters: int, common: int, refused: bool
) -> None:
    assert thresholds.latin_in_east_asian(in_words, CommonCount("GB18030", characters, common)) is refused


@pytest.mark.parametrize(
    ("in_words", "letters", "language", "outside", "distinct", "label", "named", "enough"),
    [
        (3, "éè", "French", 0, 0, "windows-1252", "", True),
        (2, "éè", "French", 0, 0, "windows-1252", "", False),
        (3, "é", "French", 0, 0, "windows-1252", "", False),
        (7, "ë", "Albanian", 0, 0, "windows-1252", "", False),
        (8, "ë", "Albanian", 0, 0, "windows-1252", "", True),
        (3, "éè", "western names", 0, 0, "windows-1252", "", False),
        (4, "éè", "western names", 0, 0, "windows-1252", "", True),
        (3, "éè", "French", 2, 0, "windows-1252", "", False),
        (4, "ęó", "Polish", 0, 2, "windows-1250", "", True),
        (3, "ęó", "Polish", 0, 2, "windows-1250", "", False),
        (4, "ó", "Polish", 0, 1, "windows-1250", "", False),
        (4, "ęó", "Polish", 1, 2, "windows-1250", "", False),
        (4, "αβ", "Greek", 0, 2, "windows-1253", "", False),
        # Of a language that is named.
        (1, "é", "French", 0, 0, "windows-1252", "fr", True),
        (0, "é", "French", 0, 0, "windows-1252", "fr", False),
        (1, "é", "French", 1, 0, "windows-1252", "fr", False),
        (4, "é", "French", 4, 0, "windows-1252", "fr", True),
        (4, "é", "French", 5, 0, "windows-1252", "fr", False),
        (3, "é", "French", 4, 0, "windows-1252", "fr", False),
        (4, "ó", "Polish", 4, 1, "windows-1250", "pl", True),
        (3, "ó", "Polish", 0, 1, "windows-1250", "pl", False),
        (1, "ąęłś", "Polish", 0, 4, "windows-1250", "pl", True),
        (1, "ąęł", "Polish", 0, 3, "windows-1250", "pl", False),
    ],
)
def test_latin_letters_in_words(
    in_words: int,
    letters: str,
    language: str,
    outside: int,
    distinct: int,
    label: str,
    named: str,
    enough: bool,
) -> None:
    found = Detected(
        label, "letters", language, letters, 12, outside, named, distinct=distinct, in_words=in_words
    )
    assert thresholds.latin_in_words(found) is enough


@each(
    ("foreign", "distinct", "less", "enough"),
    [
        (2, 2, 90, True),
        (2, 2, 89, False),
        (2, 1, 90, False),
        (3, 3, 65, True),
        (3, 3, 64, False),
        (3, 2, 65, False),
    ],
)
def test_few_foreign_letters_of_croatian(foreign: int, distinct: int, less: int, enough: bool) -> None:
    found = Detected(
        "windows-1250", "letters", "Croatian", "čćš", foreign, foreign=foreign, distinct=distinct, less=less
    )
    assert thresholds.foreign_enough(by_name("windows-1250"), found) is enough


@each(
    ("label", "foreign", "enough"),
    [("windows-1251", 8, True), ("windows-1251", 7, False), ("windows-1250", 8, False)],
)
def test_one_foreign_letter_that_is_repeated_refuses_the_label_of_another_script(
    label: str, foreign: int, enough: bool
) -> None:
    found = Detected("windows-1252", "letters", "Breton", "ñ", foreign, foreign=foreign, distinct=1)
    assert thresholds.foreign_to_label(found, by_name(label)) is enough


def test_common_characters_are_not_counted_beside_letters_in_words() -> None:
    text = "Não, não, não é possível"
    found = decode(f'<?xml version="1.0" encoding="EUC-JP"?><rss><p>{text}</p></rss>'.encode("cp1252"))
    assert text in found.text
    assert found.resolution.facts.body.common == ()


def test_more_text_is_judged_exactly_where_the_first_would_not_be_enough() -> None:
    assert thresholds.FOREIGN[""][0].least == language_detector.DOUBTFULLY_FOREIGN


@pytest.mark.parametrize(
    ("text", "is_utf8"),
    [
        ("BƐLƐBƐLƐ KA NƆRƆ WIYƐTINAMU KƐ", True),  # C6 90 and C6 86: no words of windows-1252
        ("BƐLƐBƐLƐ KA NƆRƆ WIYƐTINAMU", False),  # seven are too few
        ("BƐ LƐ " * 20, False),  # one sequence, however often
        ("BƐLƐBƐLƐ KA NƆRƆ WIYƐTINAMU \udce9", False),  # beside another byte
    ],
)
def test_sequences_without_any_other_byte_under_a_western_label(text: str, is_utf8: bool) -> None:
    document = f"<rss><title>{text}</title></rss>".encode("utf-8", "surrogateescape")
    resolution = decode(document, "text/xml; charset=ISO-8859-1").resolution
    assert (resolution.encoding == "UTF-8") is is_utf8
    assert replay(resolution.facts) == resolution


@each("name", sorted(NAMES), ids=str)
def test_each_row_is_the_first_that_its_least_numbers_reach(name: str) -> None:
    """Else a decision that is prepared from these numbers would name another row as its reason."""
    charset = by_name(name)
    for row in THRESHOLDS:
        if page_kind(charset) in row.pages or name in row.pages:
            assert utf8_threshold(charset, NOTHING._replace(charset=name, **row.reach)) is row
