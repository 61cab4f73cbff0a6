"""UTF-8 sequences under a legacy label: one between its neighbours, and the counts."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import load, octets
from support.each import each
from support.effort import growth
from support.generated import generated

from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import NAMES, by_name, lookup
from feedcharset.charsets.single_byte import byte_table
from feedcharset.decide.resolve import resolve
from feedcharset.evidence import utf8_sequences
from feedcharset.evidence.damaged_utf8 import CLOSING_MARKS
from feedcharset.evidence.scripts import common_in
from feedcharset.evidence.utf8_sequences import (
    ENOUGH,
    FEW_RUNS,
    SEQUENCE,
    count_sequences,
    describe,
    find_sequences,
    page_of,
    utf8_runs,
)
from feedcharset.results import SequenceCount
from feedcharset.text.xml_decoder import decode

PAGES = [by_name(name) for name in NAMES if by_name(name).family in ("single", "CJK")]


@each("charset", PAGES, ids=lambda charset: charset.name)
def test_the_page_of_a_charset(charset: Any) -> None:
    """The characters of its superset, as lenient decoding has them."""
    page = page_of(charset)
    if charset.family == "CJK":
        assert page[:-1] == (frozenset(), page.letters, page.capitals, page.lower, *4 * [frozenset()])
        for pair in page.rare:
            text = pair.decode("utf-8") + charset_decoder(charset, lenient=True).decode(pair, True)
            assert len(text) == 2
            assert common_in(text[1]) == []
        assert page.letters == page.capitals | page.lower
        assert bytes(sorted(page.letters)).decode("ascii").isalpha()
        assert bytes(sorted(page.capitals)).isupper()
        assert bytes(sorted(page.lower)).islower()
        return
    table = byte_table(charset.superset, True)
    for octet in range(0x80, 0x100):
        char = table[octet] if not "\udc80" <= table[octet] <= "\udcff" else ""
        assert (octet in page.letters) == char.isalpha()
        assert (octet in page.capitals) == char.isupper()
        assert (octet in page.lower) == char.islower()
        assert (octet in page.closing) == (char in CLOSING_MARKS and char != "")
        assert (octet in page.apostrophes) == (char == "’")
        assert (octet in page.opening) == (char in ("«", "“", "‘"))
        assert not char or char in page.characters
    assert {octet for octet in page.letters if octet < 0x80} == set(range(0x41, 0x5B)) | set(
        range(0x61, 0x7B)
    )
    assert not any(char.isascii() or "\ud800" <= char <= "\udfff" for char in page.characters)


TWO_BYTES = [bytes((lead, trail)) for lead in range(0xC2, 0xE0) for trail in range(0x80, 0xC0)]
LONGER = [
    character.encode()
    for character in (
        *"\u0800\u0902\u0e01\u0e30\u1e00\u1eff\u1f00\u2000\u200b‘’“”–—…\u203f\u2040€™←\u3000あ一問龘가힣",
        *"\ue000\uf8ff\ufb01\ufeff\ufffd\U00010000\U00010330\U0001d3ff\U0001d400\U0001d7ff\U0001d800",
        *"\U0001efff\U0001f000\U0001f600\U0001ffff\U00020000\U00100000",
    )
]
NEIGHBOURS = b" 0Zsa<>\xc4\xe9\x85"
KINDS = {
    # The page: of how many sequences between two neighbours each is true.
    "windows-1252": {
        "after_capital": 213,
        "after_letter": 2358,
        "after_lower": 1844,
        "alone": 5680,
        "blocks": 1318999,
        "combining": 799,
        "distinctive": 4366,
        "honest": 2279,
        "in_page": 3667,
        "opens_word": 917,
        "pasted": 15289,
        "scripts": 26034,
        "standards": 0,
        "sure": 634,
        "within_word": 851,
    },
    "ISO-8859-2": {
        "after_capital": 213,
        "after_letter": 2334,
        "after_lower": 1844,
        "alone": 3635,
        "blocks": 1318999,
        "combining": 807,
        "distinctive": 3903,
        "honest": 2332,
        "in_page": 3204,
        "opens_word": 811,
        "pasted": 15169,
        "scripts": 26034,
        "standards": 0,
        "sure": 634,
        "within_word": 843,
    },
    "windows-1251": {
        "after_capital": 213,
        "after_letter": 2328,
        "after_lower": 1844,
        "alone": 4780,
        "blocks": 1318999,
        "combining": 802,
        "distinctive": 4476,
        "honest": 2689,
        "in_page": 3784,
        "opens_word": 809,
        "pasted": 15786,
        "scripts": 26034,
        "standards": 0,
        "sure": 634,
        "within_word": 845,
    },
    "macintosh": {
        "after_capital": 231,
        "after_letter": 2454,
        "after_lower": 1832,
        "alone": 7353,
        "blocks": 1318999,
        "combining": 816,
        "distinctive": 3864,
        "honest": 3024,
        "in_page": 3199,
        "opens_word": 536,
        "pasted": 15181,
        "scripts": 26034,
        "standards": 0,
        "sure": 634,
        "within_word": 927,
    },
    "GBK": {
        "after_capital": 231,
        "after_letter": 1716,
        "after_lower": 1014,
        "alone": 1338,
        "blocks": 1318999,
        "combining": 308,
        "distinctive": 1000,
        "in_page": 133,
        "opens_word": 1454,
        "pasted": 12908,
        "prices": 5,
        "scripts": 26034,
        "standards": 233,
        "sure": 634,
        "within_word": 673,
    },
}


@pytest.mark.parametrize(
    ("after", "honest"), [(" ", False), (",", True), ("\n", True), ("<", True), ("m", False)]
)
def test_a_with_a_grave_accent_before_a_space(after: str, honest: bool) -> None:
    """`LÀ math`: no honest text has a space after a no-break space."""
    page = page_of(by_name("windows-1252"))
    assert describe(b"\xc3\xa0", ord("L"), ord(after), page).honest is honest


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in ("windows-1252", "GBK") else pytest.mark.long) for name in KINDS],
)
def test_how_many_sequences_are_of_each_kind(name: str) -> None:
    """All sequences of two bytes, and the first and last ones of ranges, between neighbours of each class."""
    page = page_of(by_name(name))
    neighbours = [(before, after) for before in NEIGHBOURS for after in NEIGHBOURS]
    counts: Counter[str] = Counter()
    for number, data in enumerate([*TWO_BYTES, *LONGER, b"\xed\xa0\xbd\xed\xb8\x80"]):
        for before, after in neighbours[number % 3 :: 3]:
            described = describe(data, before, after, page)
            counts.update(name for name, value in described._asdict().items() if value is True)
            counts["scripts"] += described.script != ""
            counts["standards"] += len(described.standards)
            counts["blocks"] += described.block
    assert dict(counts) == KINDS[name]


def test_the_pages_are_remembered_all() -> None:
    assert len(NAMES) <= page_of.cache_parameters()["maxsize"]


@each(
    ("before", "sequence", "pasted"),
    [
        (" ", "[C3 A9]", False),  # as a text about encodings quotes it
        (" ", "[E2 80 99]", False),
        (">", "[C3 A9]", False),
        (" ", "[E2 80 93]", True),
        ("(", "[C3 A9]", False),
        ("7", "[C3 A9]", True),
        ("A", "[C3 A9]", True),
        ("[ED]", "[C3 A9]", True),
        (" ", "[C4 8D]", False),
        (" ", "[ED A0 BD ED B8 8E]", True),
        (" ", "[ED 95 9C]", False),
        ("F", "[C9 A0]", False),
        ("M", "[C2 A0]", False),  # honest-looking here, though it is distinctive where all else is UTF-8
        (" ", "[C2 A0]", True),
        (" ", "[F0 9F 98 80]", True),
        (" ", "[F1 80 80 80]", False),
        ("x", "[C9 A0]", True),
        ("x", "[DF 85]", False),
        ("x", "[E2 80 9C]", True),
        ("m", "[E1 9A 85]", False),
    ],
)
def test_what_shows_utf8_among_other_bytes(before: str, sequence: str, pasted: bool) -> None:
    page = page_of(by_name("windows-1252"))
    assert describe(octets(sequence), octets(before)[0], 0x20, page).pasted is pasted


@pytest.mark.parametrize(
    ("before", "after", "combining"),
    [
        ("e", " ", True),
        ("e", "a", True),
        ("E", "a", True),
        ("E", " ", False),
        ("E", "A", False),
        (" ", "a", False),
    ],
)
def test_a_combining_mark_follows_an_ascii_letter(before: str, after: str, combining: bool) -> None:
    """A capital stands before it where a lower-case letter follows: `NÍŽE` in windows-1250 has none."""
    page = page_of(by_name("windows-1252"))
    assert describe("\u0301".encode(), ord(before), ord(after), page).combining is combining


@pytest.mark.parametrize(("neighbour", "alone"), [(0x20, True), (0x7F, True), (0x80, False), (0xFF, False)])
def test_a_rare_character_of_a_cjk_charset_is_alone_among_ascii(neighbour: int, alone: bool) -> None:
    """`à` is 脿 in GBK, common in no standard; beside other bytes it can be a part of two characters."""
    page = page_of(by_name("GBK"))
    assert describe("à".encode(), neighbour, 0x20, page).alone is alone
    assert describe("à".encode(), 0x20, neighbour, page).alone is alone


@each(
    ("label", "text", "honest"),
    [
        ("macintosh", "«ç", True),
        ("macintosh", "“é", True),
        ("x-mac-icelandic", "«í", True),
        ("macintosh", "«†", False),  # no letter
        ("windows-1252", "Ç\xad", False),
    ],
)
def test_a_quotation_mark_and_the_first_letter_of_a_word(label: str, text: str, honest: bool) -> None:
    charset = by_name(label)
    data = text.encode(charset.codec or "")
    assert describe(data, 0x20, 0x61, page_of(charset)).honest is honest
    assert describe(data, 0x61, 0x20, page_of(charset)).honest is False  # behind a letter


@each(("symbol", "before", "alone"), [("⚅", "d", False), ("⚅", "é", False), ("⚅", " ", True)])
def test_a_symbol_that_may_be_letters_of_a_word_is_not_alone(symbol: str, before: str, alone: bool) -> None:
    """`âš…` in windows-1252."""
    neighbour = before.encode("cp1252")[0]
    found = describe(symbol.encode(), neighbour, 0x20, page_of(by_name("windows-1252")))
    assert (found.alone, found.honest) == (alone, not alone)


@each("label", ["windows-1250", "windows-1251", "windows-874", "ISO-8859-5", "ISO-8859-4", "IBM866"])
@each("text", ["£2", "the £5 note", "© 2005", "©2005", "20 °C", "70 °F"])
def test_a_sign_at_a_number_is_utf8_under_any_page(label: str, text: str) -> None:
    body = f"<?xml version='1.0' encoding='{label}'?><a>{text}</a>".encode()
    assert text in decode(body).text


@each(
    ("label", "text", "utf8"),
    [
        ("windows-1250", "µm", True),
        ("windows-1250", "§ 5 · ±3", True),
        ("windows-1251", "40°", True),
        ("windows-1251", "±5%", True),
        ("windows-1251", "3×4", True),
        ("windows-1251", "3 × 4", False),  # `Г—`
        ("ISO-8859-5", "40°", False),  # `ТА`
        ("ISO-8859-5", "±5%", False),  # `ТБ`
        ("ISO-8859-5", "A © B", True),
        ("ISO-8859-5", "(©)", False),
        ("ISO-8859-15", "5½", True),  # `Âœ`
    ],
)
def test_signs_that_are_utf8_where_the_page_has_no_word(label: str, text: str, utf8: bool) -> None:
    body = f"<?xml version='1.0' encoding='{label}'?><a>Text {text} of it</a>".encode()
    assert (text in decode(body).text) is utf8


@each(
    ("label", "text"),
    [
        ("windows-1250", "CÂŞTIG"),
        ("windows-1257", "the KĀ® of"),
        ("ISO-8859-14", "code Â® of"),
        ("ISO-8859-5", "2003ТА in"),
        ("ISO-8859-5", "the ТБ5 of"),
        ("windows-874", "number ยง too"),
        ("windows-1251", "2В® and"),
    ],
)
def test_what_a_sign_is_in_a_word_of_its_page(label: str, text: str) -> None:
    charset = by_name(label)
    assert charset.codec is not None
    body = f"<?xml version='1.0' encoding='{label}'?><a>Text {text}</a>".encode(charset.codec)
    assert text in decode(body).text


@pytest.mark.parametrize("label", ["GBK", "EUC-KR"])
@pytest.mark.parametrize("lead", range(0xC2, 0xC6))
def test_each_lead_of_latin_letters_is_alone_under_a_cjk_label(label: str, lead: int) -> None:
    """C2 to C5 lead the signs and letters of Latin-1 and Latin Extended-A; the label has characters there
    that are common in no standard. Of those of C2 GBK has controls only, EUC-KR also the no-break space."""
    page = page_of(by_name(label))
    rare = {pair for pair in page.rare if pair[0] == lead}
    assert len(rare) >= 20
    described = [describe(pair, 0x20, 0x20, page) for pair in rare]
    assert all(one.alone for one in described if one.script in ("latin", "sign") and not one.honest)
    assert any(one.alone for one in described) or (label, lead) == ("GBK", 0xC2)


@each("label", ["GBK", "EUC-KR"])
@each("sign", ["£", "©", "°", "«", "»", "®"])
def test_a_sign_under_a_cjk_label_is_utf8(label: str, sign: str) -> None:
    body = f"<?xml version='1.0' encoding='{label}'?><a>10 {sign} 5</a>".encode()
    decoded = charset_decoder(by_name(label), lenient=True).decode(sign.encode(), True)
    rare = len(decoded) == 1 and decoded.isalpha() and not common_in(decoded)
    assert resolve(body, complete=True).encoding == ("UTF-8" if rare else by_name(label).name)


CASES = load("sequences")
NOTHING = dict.fromkeys(SequenceCount._fields[1:], 0)
PAGES = [by_name(name) for name in NAMES if by_name(name).family in ("single", "CJK")]


def count(text: bytes, label: str) -> SequenceCount:
    """The count under a label."""
    charset = lookup(label)
    assert charset is not None
    return count_sequences(text, charset)


@each("case", CASES, ids=lambda case: case["why"])
def test_table(case: dict[str, Any]) -> None:
    found = count(octets(case["octets"]), case["label"])
    expected = {"varied": case["expected"].get("sequences", 0), **case["expected"]}
    assert found._asdict() == {"charset": case["label"], **NOTHING, **expected}


@each("case", CASES, ids=lambda case: case["why"])
def test_table_with_ascii_around_it(case: dict[str, Any]) -> None:
    text = b"<title> " + octets(case["octets"]) + b" </title>"
    assert count(text, case["label"]) == count(octets(case["octets"]), case["label"])


HONEST = [case for case in CASES if "honest" in case["why"].partition(":")[0]]


@each("case", HONEST, ids=lambda case: case["why"])
def test_a_case_is_honest_where_it_claims_to_be(case: dict[str, Any]) -> None:
    """Some honest sequences count as others do, because documents hardly hold their characters."""
    data, charset = b" " + octets(case["octets"]) + b" ", lookup(case["label"])
    match = SEQUENCE.search(data)
    assert charset is not None
    assert match is not None
    found = describe(match[0], data[match.start() - 1], data[match.end()], page_of(charset))
    assert found.honest is not case["why"].startswith("not honest")


@given(
    st.lists(
        st.sampled_from([*range(0x7E, 0x82), *range(0x8E, 0x92), *range(0x9E, 0xA2), *range(0xBE, 0x100)])
    )
)
def test_a_sequence_is_what_utf8_has(values: list[int]) -> None:
    """Unicode, table 3-7: well-formed UTF-8 byte sequences."""
    text = bytes(values)
    read = text.decode("utf-8", "surrogateescape")
    beyond = [char.encode() for char in read if char > "\x7f" and not "\udc80" <= char <= "\udcff"]
    assert SEQUENCE.findall(text) == beyond


def test_every_character_is_a_sequence() -> None:
    text = "".join(map(chr, [*range(0x80, 0xD800), *range(0xE000, 0x3000), *range(0xFF00, 0x10FFFF, 97)]))
    assert SEQUENCE.findall(text.encode()) == [char.encode() for char in text]


@given(st.text(max_size=30), st.sampled_from(PAGES))
def test_the_numbers_fit_each_other(text: str, charset: Any) -> None:
    """Every number counts some of the sequences, or distinct ones."""
    found = count_sequences(text.encode("utf-8", "ignore"), charset)
    beyond = [char for char in text if char > "\x7f" and not "\ud800" <= char <= "\udfff"]
    assert found.sequences == len(beyond)
    assert found.distinct == len(set(beyond))
    assert found.within_word <= found.after_letter <= found.in_use <= found.sequences
    assert (
        max(found.distinctive, found.in_page, found.sure, found.pasted, found.after_lower) <= found.sequences
    )
    assert found.one_script <= found.distinct
    assert (found.in_a_row > 0) == (found.sequences > 0)


def test_counting_ends() -> None:
    text = "é".encode() * (ENOUGH + 5)
    assert count(text, "windows-1252").sequences == ENOUGH
    assert count_sequences(text, by_name("windows-1252")).in_a_row == ENOUGH


def test_a_million_sequences_cost_no_more_than_enough_of_them() -> None:
    def look(times: int) -> None:
        count_sequences("é".encode() * times, by_name("windows-1252"))

    assert growth(look, ENOUGH, 1_000_000, most=40) < 40


@given(
    st.lists(
        st.sampled_from(
            [b"\xc3\xa9", b"\xe4\xb8\xad", b"\xf0\x9f\x98\x80", b"\xed\xa0\xbd\xed\xb8\x8e", b"\xed\x95\x9c"]
            + [bytes([byte]) for byte in b"\xc3\xa9\xe2\x80\xed\xf0\xff\xc0 a"]
        ),
        max_size=30,
    ).map(b"".join),
    st.sampled_from([1, 2, 3, 7, 1000]),
)
def test_the_sequences_are_those_of_the_expression(data: bytes, part: int) -> None:
    """Also where a sequence begins in one part and ends in another."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(utf8_sequences, "FIRST_CLASSED", part)
        assert list(find_sequences(data)) == [match.span() for match in SEQUENCE.finditer(data)]


@pytest.mark.parametrize(("asked", "counted"), [(0, 16), (1, 128), (2, ENOUGH)])
@pytest.mark.parametrize("least", [0, 16])
def test_counting_ends_where_the_numbers_decide(asked: int, counted: int, least: int) -> None:
    """It asks at 16 and at 128, and ends at ENOUGH; never again where it has asked before."""
    seen: list[int] = []

    def decides(count: SequenceCount) -> bool:
        seen.append(count.sequences)
        return len(seen) > asked

    count = count_sequences("é ".encode() * 3000, by_name("GBK"), decides, least=least)
    expected = [number for number in (16, 128) if number > least]
    assert seen == expected[: asked + 1]
    assert count.more
    assert count.sequences == ([*expected, ENOUGH][asked] if asked < len(expected) else ENOUGH)
    few = count_sequences("é ".encode() * 17, by_name("GBK"))
    assert (few.sequences, few.more) == (17, False)


RUNS = ["é", "東", "ức", "€x", "\U0001f600", "b", " ", ">"]
DAMAGE = [b"\xe9", b"\xe9\x80", b"\xc2\x80\x80", b"\xe0\x80\x80", b"\xc3\xa9\xe9", b"\xa4\xa1", b"\xff", b"<"]


@generated(
    80,
    1000,
    st.lists(st.sampled_from([*map(str.encode, RUNS), *DAMAGE]), max_size=8),
    st.sampled_from([0, FEW_RUNS - 1, FEW_RUNS]),
)
def test_the_runs_that_are_utf8(parts: list[bytes], others: int) -> None:
    data = b" ".join([b"".join(parts), *(b"\xe9\x80",) * others, b"".join(parts[::-1])])
    found = set()
    for run in re.finditer(rb"(?<=[\x00-\x7f])[\x80-\xff]+", data):
        with suppress(UnicodeDecodeError):
            after = (data + b"\n")[run.end()]
            found.add((data[run.start() - 1], run[0].decode(), after))
    assert utf8_runs(data) == found
