"""The window, and what it can be asked."""

from __future__ import annotations

import codecs
import re
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.cases import octets
from support.each import each

from feedcharset import resolve
from feedcharset.charsets import decoders
from feedcharset.charsets.lookup import by_name
from feedcharset.evidence.damaged_utf8 import count_utf8
from feedcharset.evidence.declaration import DECLARATION_LIMIT
from feedcharset.evidence.detector import LOOKAHEAD, TEXT_BEFORE
from feedcharset.evidence.document_head import first_non_ascii
from feedcharset.evidence.scripts import (
    FEW_BEYOND,
    LOOKED_AT,
    SAMPLE_BYTES,
    SEARCHED,
    TEXT_PART,
    common_in,
    without_ascii_parts,
)
from feedcharset.evidence.utf8_sequences import SEQUENCE, count_sequences
from feedcharset.evidence.window import (
    COST_SAMPLE,
    LABEL_SAMPLE,
    PLACES_OF_BYTE,
    WITHIN_LEAST,
    WITHIN_SHARE,
    WORD_BYTES,
    Window,
    _differing_words,
    _pages_of,
)
from feedcharset.results import Body, Detected, Utf8Count

WESTERN, GBK = by_name("windows-1252"), by_name("GBK")


@given(st.binary(max_size=40))
@example(b"\x1b\xe9")
@example(b"\xe9\x1b")
@example(b"")
def test_the_first_byte_over_7f_or_esc(text: bytes) -> None:
    """The first byte over 7F, or ESC, opens the window, also where one further on is known."""
    high = [at for at, octet in enumerate(text) if octet > 0x7F or octet == 0x1B]
    for known in (-1, *(at for at in high if text[at] > 0x7F)):
        assert first_non_ascii(text, known) == (high[0] if high else -1)


def test_the_window_is_of_one_mebibyte() -> None:
    assert LOOKAHEAD == 1024 * 1024


UTF8_COUNTS = [
    # sequences, damaged runs, cut characters, bytes in sequences, damaged bytes, cut marks
    ("[E9]", 0, 1, 0, 0, 1),
    ("[E9 E8]", 0, 1, 0, 0, 2),
    ("[E9] [E8]", 0, 2, 0, 0, 2),
    ("[C3 A9]", None, 0, 0, 0, 0),
    ("plain", None, 0, 0, 0, 0),
    ("", None, 0, 0, 0, 0),
    ("[C3 A9] [E9]", 1, 1, 0, 2, 1),
    ("[C3 A9 E9 C3 A9]", 2, 1, 0, 4, 1),
    ("[E9 C3 A9 E9]", 1, 2, 1, 2, 2),
    ("[F0 9F 98 80 ED A0 80]", 1, 1, 0, 4, 3),
    ("[E2 80]x[E2 80 9C]", 1, 1, 0, 3, 2),
    ("[E2 80].[E2 80 9C]", 1, 1, 1, 3, 2, 1),
    ("[ED A0 BD ED B8 8E]", 1, 0, 0, 6, 0),
    ("[ED A0 BD ED B8 8E ED A0 BD]", 1, 1, 0, 6, 3),
    ("[C3 A9]" * 16 + "d[C3]." * 17, 16, 17, 17, 32, 17),
    ("[C3 A9]" * 8 + "d[C3]." * 17, 8, 17, 0, 16, 17),
    ("d[C3]." * 16, 0, 16, 16, 0, 16),
]


@each(("spelled", "numbers"), [(row[0], row[1:]) for row in UTF8_COUNTS])
def test_utf8_counts(spelled: str, numbers: tuple[int, ...]) -> None:
    text, expected = octets(spelled), Utf8Count(*numbers[:5], marks=sum(numbers[5:]))
    assert count_utf8(text, ends=True)[0] == expected
    assert Window(text, ends=True).utf8() == expected


def test_the_byte_before_the_window_shows_what_is_cut() -> None:
    """`d` and C3 are no end of a word, C9 alone is one."""
    assert Window(b"\xc9.", ends=True, before=b"d").utf8().cut == 1
    assert Window(b"\xc9.", ends=True, before=b" ").utf8().cut == 0


TOKENS = re.compile(
    rb"(?P<sequence>" + SEQUENCE.pattern + rb")|(?P<ascii>[\x00-\x7f])|(?P<damaged>.)", re.DOTALL
)


def counted_slowly(text: bytes, *, ends: bool) -> Utf8Count:
    """The same count, byte by byte."""
    if not ends:
        decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        decoder.decode(text)
        held = len(decoder.getstate()[0])
        text = text[: len(text) - held]
    found = list(TOKENS.finditer(text))
    kinds = [match.lastgroup for match in found]
    places = sum(now == "damaged" != before for before, now in zip([None, *kinds], kinds, strict=False))
    if not places:
        return Utf8Count(None, 0)
    sizes = Counter(
        {kind: sum(len(match[0]) for match in found if match.lastgroup == kind) for kind in kinds}
    )
    return Utf8Count(kinds.count("sequence"), places, 0, sizes["sequence"], sizes["damaged"])


@given(
    st.lists(
        st.sampled_from(
            [b"a", b"\xe9", b"\xc3\xa9", b"\xe2\x80\x9c", b"\xf0\x9f\x98\x80", b"\xe2\x80", b"\xff"]
        )
    ),
    st.booleans(),
)
def test_utf8_is_counted_as_byte_by_byte(pieces: list[bytes], ends: bool) -> None:
    """Well-formed sequences of two bytes and more; runs of bytes that are not UTF-8."""
    text = b"".join(pieces)
    assert count_utf8(text, ends=ends)[0]._replace(cut=0, marks=0) == counted_slowly(text, ends=ends)


@given(st.text(max_size=20))
def test_a_character_cut_by_the_end_of_the_window_is_no_damage(text: str) -> None:
    whole = text.encode("utf-8", "ignore")
    for cut in range(len(whole) + 1):
        assert count_utf8(whole[:cut], ends=False)[0].damaged == 0
        broken = cut < len(whole) and whole[cut] & 0xC0 == 0x80
        assert count_utf8(whole[:cut], ends=True)[0].damaged == broken


class Counted:
    """A detector that counts its calls."""

    def __init__(self, answer: str | None) -> None:
        self.answer, self.asked = answer, list[bytes]()

    def __call__(self, text: bytes) -> str | None:
        self.asked.append(text)
        return self.answer


@pytest.mark.parametrize("answer", ["gbk", None])
def test_the_detector_is_asked_once(answer: str | None) -> None:
    detector = Counted(answer)
    window = Window(b"\xe9", ends=True, detector=detector)
    assert window.record(Body()).detected is None
    found = None if answer is None else Detected(answer, "caller")
    assert [window.detected(), window.detected()] == [found, found]
    assert detector.asked == [b"\xe9"]
    assert window.record(Body()).detected == found
    assert Window(b"\xe9", ends=True).detected() is None


MISPLACED = b"x<?xml version='1.0' encoding='koi8-r'?><a>"


def test_a_misplaced_declaration_is_read_across_the_windows_beginning() -> None:
    for cut in range(len(MISPLACED) + 1):
        window = Window(MISPLACED[cut:] + b"\xe9", ends=True, beginning=MISPLACED[:cut])
        assert window.misplaced()[0] == window.record(Body()).misplaced == "KOI8-R"
        assert window.misplaced()[1] == window.record(Body()).misplaced_at
    assert Window(MISPLACED, ends=True, beginning=b" " * DECLARATION_LIMIT).misplaced() == (None, 0)
    assert Window(MISPLACED, ends=True).record(Body()).misplaced is None


def test_every_question_is_answered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    window = Window(b"\xe9 \xc3\xa9", ends=True)
    first = (window.utf8(), window.damage(GBK), window.sequences(WESTERN), window.misplaced())
    monkeypatch.setattr(decoders, "count_damage", None)
    monkeypatch.setattr("feedcharset.evidence.window.count_sequences", None)
    monkeypatch.setattr("feedcharset.evidence.window.count_utf8", None)
    monkeypatch.setattr("feedcharset.evidence.window.misplaced_label", None)
    assert first == (window.utf8(), window.damage(GBK), window.sequences(WESTERN), window.misplaced())


def test_only_what_was_asked_is_recorded() -> None:
    window = Window(b"\xe9 \xc3\xa9", ends=True)
    body = Body(3, None, None, "HTML", 7, True)
    assert window.record(body) == body
    assert window.record(body._replace(detected=Detected("gbk", "caller"))) == body
    utf8, gbk, western, plain = (
        window.utf8(),
        window.damage(GBK),
        window.damage(WESTERN),
        window.sequences(GBK),
    )
    assert window.record(body) == body._replace(utf8=utf8, damage=(gbk, western), sequences=(plain,))


@pytest.mark.parametrize("name", ["GBK", "UTF-8", "Shift_JIS", "windows-1252", "windows-874", "ISO-2022-JP"])
def test_damage_is_counted_by_the_superset(name: str) -> None:
    text = b"\xe9 \xc3\xa9 \xff\x80 \x1b$BF|\x1b(B \xe9"
    for ends in (True, False):
        expected = decoders.count_damage(by_name(name), text, final=ends)
        assert Window(text, ends=ends).damage(by_name(name)) == expected
        assert expected.charset == name


@each(
    ("text", "characters"),
    [("नमस्ते", 4 * 6), ("今天", 2), ("今न天", 2 + 4), ("", 0), ("€€€€", 4)],
)
def test_characters_of_four_bytes_are_more_evidence(text: str, characters: int) -> None:
    data = text.encode("gb18030").replace("€".encode("gb18030"), b"\x80")
    assert Window(data + b"\xff a", ends=True).damage(GBK).characters == characters
    assert Window(data + b"\xff a", ends=True).damage(by_name("GB18030")).characters == characters


def test_a_damaged_title_in_hindi_stays_gb18030() -> None:
    title = "<?xml version='1.0' encoding='GB18030'?><rss><title>नमस्ते</title></rss>".encode("gb18030")
    for at in range(title.index(b"<title>") + 7, title.index(b"</title>")):
        assert resolve(title[:at] + b"\xff" + title[at + 1 :], complete=True).encoding == "GB18030"


def test_the_byte_before_the_window_counts() -> None:
    """The window begins at the first byte over 7F: the letter before it is not in it."""
    for before in (b"x", b"xx", b"A" * LOOKAHEAD + b"x"):
        window = Window(b"\xc3\xa9 ", ends=True, before=before)
        assert window.sequences(WESTERN) == count_sequences(b"x\xc3\xa9 ", WESTERN)
        assert window.sequences(WESTERN).after_lower == 1
    assert Window(b"\xc3\xa9 ", ends=True).sequences(WESTERN).after_lower == 0


@pytest.mark.parametrize("pad", ["", "😎"])
@pytest.mark.parametrize("size", [10, 5_000, 90_000])
def test_the_runs_of_damage_in_legacy_text(size: int, pad: str) -> None:
    """Runs are counted alike however many there are, characters beyond U+FFFF among them or not."""
    counts = Window(b"\xe9\xe8 " * size + pad.encode(), ends=True).utf8()
    assert (counts.damaged, counts.damaged_bytes, counts.sequences) == (size, 2 * size, len(pad))


def test_counting_of_sequences_goes_on_while_it_can_decide() -> None:
    window = Window("ž ".encode() * 5_000, ends=True)
    few = window.sequences(by_name("windows-1252"), lambda count: True)
    assert window.sequences(by_name("windows-1252"), lambda count: True) is few
    assert few.more
    again = Window("ž ".encode() * 5_000, ends=True)
    again.sequences(by_name("windows-1252"), lambda count: True)
    more = window.sequences(by_name("windows-1252"), lambda count: False)
    assert again.sequences(by_name("windows-1252")) == more
    assert few.sequences <= more.sequences
    assert window.sequences(by_name("windows-1252")) == more


def test_common_characters_are_counted_once() -> None:
    window = Window("日本語のニュース".encode("euc_jp"), ends=True)
    assert window.common(by_name("EUC-JP")) is window.common(by_name("EUC-JP"))
    assert window.common(by_name("EUC-JP")).common > 0


def test_a_window_counts_exactly_once_it_is_asked_to() -> None:
    window = Window("Ученики «впервые» увидели море, и лес. ".encode("cp1251") * 40, ends=True)
    assert window.utf8_bounds().bounds
    assert window.utf8_bounds() is window.utf8_bounds()
    assert not window.utf8().bounds
    assert window.utf8_bounds() is window.utf8()
    well_formed = Window("Ученики".encode(), ends=True)
    assert well_formed.utf8_bounds() == well_formed.utf8()


JAPANESE = "今日は雨が降っているので、家で本を読もうと思います。".encode("euc_jp")


@pytest.mark.parametrize(
    ("data", "label", "measured"),
    [
        (JAPANESE * 50, "EUC-JP", LABEL_SAMPLE),
        (JAPANESE * 50, "windows-1252", None),
        (JAPANESE * 50 + "Ученики".encode() * 99, "EUC-JP", None),  # does not decode
        ("Ученики увидели море, и лес. ".encode("koi8-r") * 99, "GBK", None),  # nor this
        (b"<a>" * 700 + JAPANESE * 50, "EUC-JP", None),  # ASCII proves nothing
    ],
)
def test_bytes_that_show_that_a_window_under_an_east_asian_label_is_not_utf8(
    data: bytes, label: str, measured: int | None
) -> None:
    found = Window(data, ends=True).utf8_bounds(by_name(label))
    assert found == Window(data[:measured], ends=measured is None).utf8_bounds()


@pytest.mark.parametrize(
    ("data", "ends", "utf8"), [("é", True, True), ("é", False, True), ("é\udce9", True, False)]
)
def test_whether_a_window_is_utf8(data: str, ends: bool, utf8: bool) -> None:
    """As it is, or as the caller knows; and after it was counted."""
    octets_ = data.encode("utf-8", "surrogateescape")
    for known in (None, utf8):
        window = Window(octets_, ends=ends, utf8=known)
        assert [window.is_utf8(), window.is_utf8()] == [utf8, utf8]
        assert (window.utf8() == Utf8Count(None, 0)) is utf8
        assert window.is_utf8() is utf8


@pytest.mark.parametrize(("characters", "counted"), [(2047, 2047), (2048, 2048), (2049, 2048)])
def test_common_characters_are_counted_in_the_first_4096_bytes(characters: int, counted: int) -> None:
    kanji = [chr(point) for point in range(0x4E00, 0x9F00) if "euc_jp" in common_in(chr(point))]
    window = Window("".join(kanji[:characters]).encode("cp932"), ends=True)
    assert window.common(by_name("Shift_JIS"))[1:3] == (counted, counted)


PLAIN, POLISH = "Również też nowości i chłód. ", "Zażółć gęślą jaźń, świąteczną łąkę i żółtą źdźbło. "


@each("page", ["iso8859-2", "cp1250"])
@each("stray", [b"a\x9cb ", b""])
@each("before", [0, COST_SAMPLE // 2, COST_SAMPLE - 40, 2 * COST_SAMPLE, 5 * COST_SAMPLE])
def test_the_letters_of_siblings_are_judged_wherever_they_stand(before: int, stray: bytes, page: str) -> None:
    """A stray byte stands first, or last; between it and the first letter that differs is any other text."""
    other = PLAIN.replace("ż", "").replace("ś", "").replace("ł", "").encode(page) * before
    text = POLISH.encode(page) * 3
    for body in (stray + other[:before] + b" " + text, text + other[:before] + b" " + stray):
        found = resolve(b"<?xml version='1.0' encoding='ISO-8859-2'?><r>" + body + b"</r>")
        assert found.encoding == ("windows-1250" if page == "cp1250" else "ISO-8859-2")


@each(
    ("language", "text", "words"),
    [
        ("Estonian", b"t\xa8ehhi, \xb8anr; \xe4\xe4", b"t\xa8ehhi \xb8anr"),
        ("Estonian", b"1\xbd kg, \xbd, a \xbd", b""),  # a sign that stands alone
        ("Estonian", b"\xf0\x9f\x98\x80 \xf0okk", b"\xf0okk"),  # an emoji
        ("Estonian", b"\x93a\x94 \x9eanr", b"\x9eanr"),
        ("Romanian", b"\xaba\xbb \x93a\x94 \xa5a\xb5 \xa5 \xa5a\xb5", b"\xa5a\xb5"),
        ("Lithuanian", b"\xa1 \xa8", b"\xa1"),  # A1 is undefined in windows-1257
        ("Russian", b"\xd0\xcf", b""),
        ("French", b"\xa4a", b""),
        ("", b"\xa4a", b""),
        (
            "Estonian",
            b" ".join(b"\xa8%c" % letter for letter in range(0x61, 0x61 + PLACES_OF_BYTE + 1)),
            b" ".join(b"\xa8%c" % letter for letter in range(0x61, 0x61 + PLACES_OF_BYTE)),
        ),
        (
            "Estonian",
            (WORD_BYTES + 1) * b"a" + b"\xb8" + WORD_BYTES * b"a",
            WORD_BYTES * b"a" + b"\xb8" + (WORD_BYTES - 1) * b"a",
        ),
    ],
)
def test_the_words_in_which_the_pages_of_a_language_differ(language: str, text: bytes, words: bytes) -> None:
    found = _differing_words(text, _pages_of(language))
    assert sorted(found.split()) == sorted(words.split())


PARTS = st.lists(
    st.sampled_from(
        [
            b"a" * 100,
            b"<b>" * 200,
            b"x" * 5000,
            b"\xe9\x41",
            b"\xa4\xb3",
            b"y" * 70_000,
            b"It\x92s \x97 " * 900,
        ]
    ),
    max_size=30,
)
ENGLISH = bytes(range(0x80)) + "„…‘’“”•–—\xa0©«®»".encode("cp1252")
"""ASCII, and the marks that English has."""


@given(PARTS)
def test_long_parts_in_ascii_are_left_out(parts: list[bytes]) -> None:
    """All other bytes than ASCII and marks are kept, with what stands around them, as far as 64 KB."""
    data = b"\xa9" + b"".join(parts)
    kept = without_ascii_parts(data)
    beyond, kept_beyond = (text.translate(None, ENGLISH) for text in (data, kept))
    assert beyond.startswith(kept_beyond)
    assert len(kept) >= SEARCHED or beyond == kept_beyond
    assert kept is data or len(kept) < SEARCHED + TEXT_BEFORE + 2 * TEXT_PART
    if len(data) <= LOOKED_AT or not beyond or data[:LOOKED_AT].translate(None, ENGLISH)[FEW_BEYOND - 1 :]:
        assert kept is data
    else:
        assert all(part in data for part in kept.split(b"<>"))


@pytest.mark.parametrize(("size", "left_out"), [(2047, 1), (2048, 2)])
def test_how_long_a_part_in_ascii_is_left_out(size: int, left_out: int) -> None:
    """A kilobyte is kept behind a non-ASCII byte, and one more where another one follows in it."""
    data = b"\xe9" + b"a" * size + b"\xe8" + b"a" * 9000
    assert without_ascii_parts(data).count(b"<>") == left_out


@pytest.mark.parametrize(("number", "is_left_out"), [(FEW_BEYOND - 1, True), (FEW_BEYOND, False)])
def test_parts_are_left_out_where_hardly_any_text_stands_before_them(number: int, is_left_out: bool) -> None:
    data = b"\xe9" * number + b"a" * 9000 + b"\xe8"
    assert (without_ascii_parts(data) is not data) == is_left_out
    assert without_ascii_parts(b"\x1b" + b"a" * 9000).endswith(b"a" * 9000)


@pytest.mark.parametrize("label", ["windows-1251", "ISO-8859-7", "windows-1250", "KOI8-R"])
def test_an_answer_of_dos_or_mac_is_compared_with_no_label(label: str) -> None:
    """The pages of DOS and Mac have no row among the others."""
    data = "Předpověď počasí: déšť. Vítr zesílí v neděli; ledňáček říční".encode("cp852")
    window = Window(data[2:], ends=True, before=data[:2], detector="letters")
    found = window.detected()
    assert found is not None
    assert found.label == "IBM852"
    assert window.letters(by_name(label)) == found


@each(
    ("signs", "letters", "is_read"),
    [
        (WITHIN_LEAST, 1, True),
        (WITHIN_LEAST - 1, 1, False),
        (WITHIN_LEAST, (WITHIN_SHARE - 1) * WITHIN_LEAST - 1, True),
        (WITHIN_LEAST, (WITHIN_SHARE - 1) * WITHIN_LEAST, False),
    ],
)
def test_signs_within_words_are_looked_for(signs: int, letters: int, is_read: bool) -> None:
    data = b"\xe9 " * letters + b"a\xa1a " * signs
    assert Window(data, ends=True)._may_be_mac() == is_read


@each("sign", "…‘’–—šœž\xa0¨\xad´·¸")
def test_what_stands_within_western_words_is_no_sign_there(sign: str) -> None:
    """Apostrophes, dashes, letters of names, hyphens, accents that text from PDF has for letters."""
    data = "é à ç ê è ".encode("cp1252") * 4 + f"a{sign}a ".encode("cp1252") * WITHIN_LEAST
    assert not Window(data, ends=True)._may_be_mac()


@pytest.mark.parametrize(("before", "is_read"), [(SAMPLE_BYTES - 4, True), (SAMPLE_BYTES - 3, False)])
def test_the_first_sign_within_a_word_stands_near_the_beginning(before: int, is_read: bool) -> None:
    data = b"\xe9" + b" " * (before - 1) + b" a\xa1a" * WITHIN_LEAST
    assert Window(data, ends=True)._may_be_mac() == is_read
