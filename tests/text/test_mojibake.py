"""Mojibake is fixed between markup; nothing else changes."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import suppress
from functools import partial
from time import process_time
from typing import Any

import ftfy
import pytest
from ftfy.badness import BADNESS_RE, MOJIBAKE_CATEGORIES
from hypothesis import given
from hypothesis import strategies as st
from support.cases import load
from support.each import each
from support.effort import growth

from feedcharset import XmlDecoder, check, decode, repair
from feedcharset.text import mojibake
from feedcharset.text.mojibake import (
    CUT_WITHIN,
    LEAST_HELD,
    LONGEST_MARKUP,
    LONGEST_READ,
    NEW_SHARE,
    ROW_CHARACTERS,
    RUN,
    Edit,
    Fixed,
    MojibakeFixer,
    _edits,
    _fix_words,
    _is_kept,
    _readable,
    fix_run,
    is_harmless,
    keeps_rows,
    suspicious,
)

CASES = load("mojibake")
PAGES = ftfy.chardata.CHARMAP_ENCODINGS
HIGH = sorted({char for page in PAGES for char in bytes(range(0x80, 0x100)).decode(page)})
RUNS = st.lists(st.sampled_from([*HIGH, *" ?\x1a\ufffdabcàs."]), max_size=9).map("".join)
WORDS = st.sampled_from(
    ["café", "l’été", "straße", "“x”", "Москва", "ΑΒΓ", "£5", "日本", "…", "łódź", "à", "😀"]
)


def fix(pieces: list[str]) -> tuple[str, list[Edit]]:
    """The text, and the edits with indices in all of the input."""
    fixer = MojibakeFixer()
    parts, edits, done = [], [], 0
    for piece, final in [*[(piece, False) for piece in pieces], ("", True)]:
        fixed = fixer.feed(piece, final)
        parts.append(fixed.text)
        edits += [Edit(done + edit.start, done + edit.end, edit.text) for edit in fixed.edits]
        done += fixed.taken
    assert done == sum(map(len, pieces))
    return "".join(parts), edits


@each("case", CASES, ids=lambda case: case["why"])
def test_fixing(case: dict[str, Any]) -> None:
    text = case["text"]
    fixed, edits = fix([text])
    assert fixed == case["fixed"]
    assert [edit.start for edit in edits] == case["at"]
    for cut in range(len(text) + 1):
        assert fix([text[:cut], "", text[cut:]]) == (fixed, edits)
    assert fix(list(text)) == (fixed, edits)


@given(
    RUNS
    | st.tuples(WORDS, WORDS, st.sampled_from(PAGES)).map(
        lambda drawn: f"{drawn[0]} {drawn[1]}".encode().decode(drawn[2], "replace").replace("\xa0", " ")
    )
)
def test_the_cheap_test_misses_nothing(run: str) -> None:
    """Text that the test calls clean is text that ftfy and the words of other scripts leave alone."""
    if ftfy.fix_encoding(run) != run or _fix_words(run) != run:
        assert suspicious(run)


LETTERS = st.sampled_from(["", "xéx", "aŁb", "SPÓŁKA", "Œu", "à", "É…", "żółć", "ÇÃ", "Ã", " Â ", "Ã;"])


@given(
    st.lists(RUNS | LETTERS | WORDS.map(lambda word: word.encode().decode("cp1252", "replace"))).map("".join)
)
def test_what_is_kept_without_ftfy_is_what_ftfy_keeps(run: str) -> None:
    if _is_kept(run) or _is_kept(f"{run} aéa"):
        assert _fix_words(ftfy.fix_encoding(run)) == run
    if keeps_rows(run, whole=True):
        assert _fix_words(ftfy.fix_encoding(run)) == run
    if keeps_rows(run):
        assert ftfy.fix_encoding(f"{run} aéa ") == f"{run} aéa "


@each("page", PAGES)
def test_a_sequence_of_any_page_beside_honest_words_is_not_kept(page: str) -> None:
    """Neither two of its characters, nor three."""
    for char in "é’ŁЖ\u0e01😀":
        read = char.encode().decode(page)
        run = f"zażółć {read} SPÓŁKA"
        assert ftfy.fix_encoding(run) == run or not _is_kept(run)


def test_a_row_ends_at_characters_that_no_page_has() -> None:
    """All characters of the pages, and all that ftfy's pairs name, are in rows; Han and kana are not."""
    one = re.compile(f"[{ROW_CHARACTERS}]")
    named = re.compile(f"[{''.join(MOJIBAKE_CATEGORIES.values())}]")
    pairs = set(filter(named.match, map(chr, range(0x80, 0x10000)))) | set(BADNESS_RE.pattern)
    assert [char for char in sorted(pairs.union(HIGH)) if char > "\x7f" and not one.match(char)] == []
    for run in (
        "市長說……今天下雨了，所以我想在家",
        "「こんなこと」…。今日は雨が降っている",
        "이런 일은 처음입니다.”",
    ):
        assert keeps_rows(run, whole=True)
    assert not keeps_rows("市長說â€œ今天", whole=True)


def test_honest_words_are_kept_without_ftfy() -> None:
    for run in (
        "ZAŻÓŁĆ gęślą jaźń, SPÓŁKA znów",
        "LE CAFÉ… à l’été fermées",
        "Cœur: Œuvre «SÃO JOÃO»",
        "MENÜ” güzel",
        "SPÓŁKA",
        "ATÉ AMANHÃ; às três",
    ):
        assert _is_kept(run)
    assert not _is_kept("É»s")  # ftfy judges it by the letter, where a run is UTF-8 as a whole
    assert _is_kept("aéa É»s")
    for run in ("xéx voilÃ le", "xéx â€œur", "xéx \x93", "xéx Приветствую", "xéx ÐŸÑ€Ð¸Ð²ÐµÑ‚", "xéx œ"):
        assert not _is_kept(run)
    assert is_harmless.cache_info().maxsize == 1024


@pytest.mark.long
@each("unit", ["Ã©‚\xa0", "Ã©‚\xa0Ã¨"])
def test_a_row_that_ftfy_reads_again_for_each_sequence_takes_linear_time(unit: str) -> None:
    """In one row four times as many took 16 times as long: 70 s for 96 KB."""
    few, many = (f"<a>{unit * number}</a>".encode() for number in (1_000, 4_000))
    assert growth(partial(decode, mojibake="fix"), few, many, most=9) < 9


@each(
    ("page", "times", "before"),
    [
        ("latin-1", 1, ""),
        ("latin-1", 1, "Ça déjà vu, Größe. "),
        ("latin-1", 2, ""),
        ("sloppy-windows-1252", 1, "Ça déjà vu, Größe. "),
        ("sloppy-windows-1252", 2, ""),
        ("sloppy-windows-1252", 2, "Ça déjà vu, Größe. "),
        ("mac-roman", 1, ""),
        ("mac-roman", 2, ""),
    ],
)
def test_long_text_without_spaces_is_fixed_as_a_whole(page: str, times: int, before: str) -> None:
    text = right = "今天下雨，我们去了河边春天到了市长是这样" * 60
    for _ in range(times):
        text = text.encode().decode(page)
    assert decode(f"<a>{before}{text}</a>".encode(), mojibake="fix").text == f"<a>{before}{right}</a>"


@each("size", [RUN - 1, RUN, RUN + 1, 3 * RUN + 7])
@each("text", ["中", "あé", "字𝒳"])
@each("page", ["latin-1", "mac-roman"])
def test_a_run_that_is_too_long_is_cut_before_a_sequence(page: str, text: str, size: int) -> None:
    right = text * (size // len(text.encode()) + 1)
    data = f"<a>{right.encode().decode(page)}</a>".encode()
    assert decode(data, mojibake="fix").text == f"<a>{right}</a>"


@each("right", ["حرف الآن", "یہ سال", "هدف الآن"])
def test_arabic_that_was_read_as_mac_roman_ends_with_no_letter_of_norwegian(right: str) -> None:
    """Its `ف` and `ہ` end with `Å`, before a space."""
    assert decode(right.encode().decode("mac-roman").encode(), mojibake="fix").text == right


def test_how_much_of_a_row_ftfy_reads_at_once() -> None:
    for row in ("é" * LONGEST_READ, "ä¸\xad" * (LONGEST_READ // 3)):
        for text in (row, f"x {row} y {row}"):
            assert list(_readable(text)) == [text]
    longer = "x" + "é" * (LONGEST_READ + 1)
    cut = LONGEST_READ - CUT_WITHIN + 1
    assert list(_readable(longer)) == [longer[:cut], longer[cut:]]
    sequences = "ä¸\xad" * LONGEST_READ
    whole = LONGEST_READ // 3 * 3
    assert list(map(len, _readable(sequences))) == [whole, whole, whole, len(sequences) - 3 * whole]
    no_sequence = "°" * (LONGEST_READ + 1)
    assert list(map(len, _readable(no_sequence))) == [LONGEST_READ, 1]


MARKUP = st.sampled_from(
    [
        "<",
        "<a>",
        "</a>",
        '<a b="',
        '"',
        "'",
        ">",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?x ",
        "?>",
        "<!D [",
        "<!",
    ]
)


@given(st.lists(st.lists(MARKUP | RUNS, max_size=8).map("".join), max_size=4))
def test_passing_over_clean_markup_changes_nothing(pieces: list[str]) -> None:
    found = fix(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mojibake, "lead_and_continuation", lambda: re.compile(""))
        assert fix(pieces) == found


def test_clean_markup_is_not_split(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is what only looks like mojibake in a page of its own: `ž ` and dashes."""
    split: list[int] = []
    one = MojibakeFixer._markup_end

    def counting(self: MojibakeFixer, text: str, start: int, *more: Any) -> int:
        split.append(start)
        return one(self, text, start, *more)

    monkeypatch.setattr(MojibakeFixer, "_markup_end", counting)
    item = '<item n="1"><title>Žižkov – přehled zpráv</title>„Počasí“ místy přeháňky</item>'
    text = item * 999
    assert fix([f"{text}<title>rÃ©sumÃ©</title>{text}"])[0] == f"{text}<title>résumé</title>{text}"
    assert len(split) < 40


@given(RUNS)
def test_edits_lead_from_one_text_to_the_other(run: str) -> None:
    edits = fix_run(run)
    parts, done = [], 0
    for start, end, text in edits:
        assert done <= start < end
        parts += [run[done:start], text]
        done = end
    parts.append(run[done:])
    assert "".join(parts) in (_fix_words(ftfy.fix_encoding(run)), _fix_words(run))
    assert bool(edits) == ("".join(parts) != run)


SCRIPTS = {
    "Armenian": (0x561, 0x586),
    "Thaana": (0x780, 0x7A5),
    "Devanagari": (0x915, 0x939),
    "Bengali": (0x995, 0x9A8),
    "Tamil": (0xBAE, 0xBB5),
    "Thai": (0xE01, 0xE2E),
    "Georgian": (0x10D0, 0x10F0),
    "Ethiopic": (0x1208, 0x1246),
    "Cherokee": (0x13A0, 0x13F4),
    "Yi": (0xA000, 0xA014),
}
"""The first and last of letters without a gap between them (Unicode, the code charts)."""
HONEST = st.sampled_from(["", "é", "L’été", "«où»", "FORÖ…", "SÃO", "100 £", "–", "Þór", "ÀÉÎÕÜ", "a"])


@given(st.sampled_from(sorted(SCRIPTS)), st.data())
def test_words_of_other_scripts_are_read_as_utf8(script: str, data: st.DataObject) -> None:
    """Honest words around them stay, as do such words by themselves."""
    letters = st.characters(min_codepoint=SCRIPTS[script][0], max_codepoint=SCRIPTS[script][1])
    word = data.draw(st.lists(letters, min_size=4, max_size=12, unique=True).map("".join))
    read = "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in word.encode())
    before, after = data.draw(HONEST), data.draw(HONEST)
    assert _fix_words(f"{before} {read} {after}") == f"{before} {word} {after}"
    assert _fix_words(f"{before} {after}") == f"{before} {after}"
    assert _fix_words(f"{before} {word} {after}") == f"{before} {word} {after}"


MARKUP = st.sampled_from(
    [
        *(
            "<Ã©>",
            "</a>",
            "<a Ã©=''>",
            "<br/>",
            "<!-- Ã© > -->",
            "<?p Ã©?>",
            "<!DOCTYPE a [<!ENTITY x 'Ã©>'>]>",
        ),
        *("<a\n>", "<!---->", "<??>"),
    ]
)
TEXTS = st.lists(
    st.sampled_from(["Ã©", "itâ€™s", "é", " ", "&amp;", "'", '"', "\r\n", ">", "x"]), max_size=5
).map("".join)


@given(st.lists(st.tuples(MARKUP, TEXTS), max_size=6), st.data())
def test_markup_is_never_touched(parts: list[tuple[str, str]], data: st.DataObject) -> None:
    """What is between markup is fixed as if it stood alone."""
    document = "<r>" + "".join(markup + text for markup, text in parts)
    expected = "<r>" + "".join(markup + ftfy.fix_encoding(text) for markup, text in parts)
    cut = data.draw(st.integers(0, len(document)))
    assert fix([document])[0] == expected
    assert fix([document[:cut], document[cut:]])[0] == expected


LINES = st.sampled_from(
    [
        "fråga innan överskrivning",
        "prøv å velja «gcj»",
        "łącze do pliku wysokości",
        "Größe; über; müssen",
        "číslo řádku již není",
        "déjà été créé",
        "Параметр не найден",
        "fullständig sökväg",
    ]
)


@given(
    st.lists(st.tuples(LINES, st.booleans()), max_size=6), st.sampled_from(["\n", "\r\n", "\r"]), st.data()
)
def test_each_line_is_fixed_beside_lines_that_are_right(
    lines: list[tuple[str, bool]], end: str, data: st.DataObject
) -> None:
    meant = "".join(line + end for line, _ in lines)
    bad = [line.encode().decode("latin-1") if wrong else line for line, wrong in lines]
    document = "".join(line + end for line in bad)
    cut = data.draw(st.integers(0, len(document)))
    assert fix([document])[0] == fix([document[:cut], document[cut:]])[0] == meant
    assert fix(["<a>", document, "</a>"])[0] == f"<a>{meant}</a>"


@given(st.text(alphabet="<>!-[]?/'\"CDATA Ã©x", max_size=40))
def test_the_pieces_do_not_matter(document: str) -> None:
    """Nor does it matter how broken the markup is."""
    whole = fix([document])
    assert fix(list(document)) == whole
    assert ftfy.fix_encoding(document).count("<") == whole[0].count("<")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("end", ["\n", "\r", " ", ""])
def test_a_long_run_is_cut_where_it_hurts_least(end: str) -> None:
    """After a line end, else a space, else anywhere; both parts are fixed."""
    line = "Ã©" + "x" * 5000 + end
    text = line * (RUN // len(line) + 2)
    fixed, _ = fix([text])
    assert fixed == text.replace("Ã©", "é")
    for size in (1000, RUN - 1, RUN, RUN + 1):
        assert fix([text[n : n + size] for n in range(0, len(text), size)])[0] == fixed


def test_no_more_is_held_back_than_a_run_and_an_eighth() -> None:
    fixer, new = MojibakeFixer(), (RUN - LEAST_HELD) // NEW_SHARE
    assert fixer.feed("x" * RUN) == Fixed("", 0)
    assert fixer.feed("y" * (new - 1)) == Fixed("", 0)
    assert fixer.feed("y") == Fixed("x" * RUN, RUN)
    assert fixer.feed("", True) == Fixed("y" * new, new)


def test_a_long_section_may_end_at_the_limit() -> None:
    """The end of CDATA is seen though it begins where the run is cut."""
    for before in range(5):
        text = "<![CDATA[" + "x" * (RUN - before) + "]]>Ã©<Ã©>"
        expected = text.replace("Ã©<", "é<")
        assert fix([text])[0] == expected
        for cut in range(RUN, len(text)):
            assert fix([text[:cut], text[cut:]])[0] == expected


@pytest.mark.parametrize(
    ("opener", "end"),
    [
        ("<a ", ">"),
        *(
            pytest.param(*one, marks=pytest.mark.long)
            for one in [("<!--", "-->"), ("<?x ", "?>"), ("<!D [ '", "']>")]
        ),
    ],
)
def test_longer_markup_than_the_limit_is_text(opener: str, end: str) -> None:
    fits = "y" * (LONGEST_MARKUP - len(f"{opener} Ã© {end}"))
    for text, meant in (
        (f"<r>{opener}{fits} Ã© {end}<Ã¨>Ã©</Ã¨>", f"<r>{opener}{fits} Ã© {end}<Ã¨>é</Ã¨>"),
        (f"<r>{opener}y{fits} Ã© {end}<Ã¨>Ã©</Ã¨>", f"<r>{opener}y{fits} é {end}<Ã¨>é</Ã¨>"),
    ):
        for size in (5000, LONGEST_MARKUP, len(text)):
            assert fix([text[n : n + size] for n in range(0, len(text), size)])[0] == meant


@each("part", ["<!--", "<?x ", "<!x [", "<!x ", "<a ", "<a '", "\n", "\n=", "x='' ", "<"], every=5)
@pytest.mark.parametrize(
    "before", ["<r>", *(pytest.param(one, marks=pytest.mark.long) for one in ("<a ", "<!D ["))]
)
def test_markup_without_an_end_takes_linear_time(part: str, before: str) -> None:
    """Nothing is searched for again from each `<`: 60 MB of comments would take minutes."""
    text = before + part * (400_000 // len(part)) + " Ã©"
    started = process_time()
    assert fix([text])[0].endswith("é")
    assert process_time() - started < 10


@each("text", ["Korç\ufffd? Ankara", "Korç\ufffd Ankara", "Korç? Ankara", "äº?;"])
def test_what_is_lost_costs_no_letter_before_it(text: str) -> None:
    body = f"<a>{text}</a>"
    assert decode(body.encode(), mojibake="fix").text == body


@each("right", ["l’école", "d’élite", "l’île", "l’âge", "l’ère", "Aujourd’hui à l’été"])
@each("wrong", ["café", "été", "rêve", "tête", "mère"])
def test_right_words_beside_wrong_ones_keep_their_letters(wrong: str, right: str) -> None:
    """The line as a whole could be MacRoman, in which `’é` is an Armenian letter."""
    for between in (";", " ", "\t", '","'):
        for first, second in ((right, wrong), (wrong, right)):
            words = (word if word is right else word.encode().decode("cp1252") for word in (first, second))
            body = between.join(words)
            assert repair(body.encode(), mojibake="fix").data.decode() == between.join((first, second)), body


@each("text", ["أساسيات Linux، وهو نظام", "مرحبا linux،", "linux؟ مرحبا", "שלום Linux״ עולם"])
def test_a_sign_of_another_script_behind_a_latin_word_is_fixed(text: str) -> None:
    misread = "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in text.encode())
    assert decode(f"<t>{misread}</t>".encode(), mojibake="fix").text == f"<t>{text}</t>"


@each("text", ["sle\u0307pti formą lange", "įras\u030cyti į failą.", "Me\u030crov je na šestém místě"])
def test_letters_of_two_characters_are_no_odd_marks(text: str) -> None:
    """Else each word would be fixed by itself, and a word with one sequence stays: `formÄ…`."""
    misread = text.encode().decode("cp1252")
    assert decode(f"<t>{misread}</t>".encode(), mojibake="fix").text == f"<t>{text}</t>"


def test_a_word_of_which_a_letter_is_lost_is_fixed() -> None:
    text = "Απαγορευτικό για τα πλοία"
    body = f"<a>{text.encode().decode('cp1252', 'replace')}</a>"
    assert decode(body.encode(), mojibake="fix").text == f"<a>{text.replace('ρ', chr(0xFFFD))}</a>"


def test_clean_text_does_not_import_ftfy() -> None:
    code = (
        "import sys; from feedcharset import repair; repair('<a>Ça, naïve… Å</a>'.encode(), mojibake='fix');"
        "assert 'ftfy' not in sys.modules;"
        "repair('Ã©'.encode(), mojibake='fix'); assert 'ftfy' in sys.modules"
    )
    path = {"PYTHONPATH": ":".join(sys.path)}
    assert subprocess.run([sys.executable, "-c", code], env=path, check=False).returncode == 0


def test_a_space_that_was_a_no_break_space_is_one_edit() -> None:
    assert fix_run("voilÃ le travail") == [Edit(4, 5, "à")]
    assert fix_run("dÃ©jÃ  vu") == [Edit(1, 6, "éjà")]


@pytest.mark.parametrize(
    ("old", "new", "edits"),
    [
        ("aÃ©b", "aéb", [Edit(1, 3, "é")]),
        ("aÃ©bÃ©", "aéb", [Edit(1, 6, "éb")]),
        ("aÃ©bÃ©c", "aéx", [Edit(1, 7, "éx")]),
        ("Ã©b", "bé", [Edit(0, 3, "bé")]),
        ("abc", "abc", []),
    ],
)
def test_parts_that_do_not_correspond_are_one_edit(old: str, new: str, edits: list[Edit]) -> None:
    """Edits are between unchanged ASCII parts; where these differ, all is one edit."""
    assert _edits(old, new) == edits


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("deÄŸiÅŸtirilmez, ÅŸekil", "değiştirilmez, şekil"),  # the whole run
        ("obowiÄ…zujÄ…ce", "obowiązujące"),
        ("gÅ\xadstata", "gŭstata"),
        ("deÄ\x9ferini", "değerini"),
        ("obowiÄ…zujÄ…ce à nazwÄ…", "obowiązujące à nazwÄ…"),  # what is not in a word may be meant
        ("nazwÄ… siÄ™", None),
        ("ISÄ…ch, SJÖ…", None),
        ("fooÄ… bar", None),
        ("à Malmö… “ÄŸ”", None),
        ("deÄ", None),
        ("aÄ…", None),
    ],
)
def test_a_capital_letter_and_a_sign_between_small_letters_were_a_latin_one(
    text: str, meant: str | None
) -> None:
    assert decode(f"<a>{text}</a>".encode(), mojibake="fix").text == f"<a>{meant or text}</a>"
    pieces = XmlDecoder(mojibake="fix")
    found = [pieces.decode(bytes([byte])) for byte in f"<a>{text}</a>".encode()]
    assert "".join([*found, pieces.decode(b"", True)]) == f"<a>{meant or text}</a>"


@pytest.mark.parametrize(
    "text",
    [
        "a ma\xe7\xe3 \u201cIRM\xc3\u201d S\xe3o Paulo",
        "\u201cL\xc3\u201d",
        "\u201cAMANH\xc3\u201d e \u201cIRM\xc3\u201d",
        "\xabIRM\xc3\xbb",
    ],
)
def test_a_quotation_is_read_once_where_twice_would_take_its_end(text: str) -> None:
    """`Ã”`, which ends a quotation in capitals, could be `Ô`."""
    undefined = {byte: chr(byte) for byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}
    misread = "".join(undefined.get(byte) or bytes([byte]).decode("cp1252") for byte in text.encode())
    assert decode(f"<a>{misread}</a>".encode(), mojibake="fix").text == f"<a>{text}</a>"
    assert decode(f"<a>{text}</a>".encode(), mojibake="fix").text == f"<a>{text}</a>"


def test_without_ftfy_no_row_is_known_to_be_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    assert mojibake.is_harmless.__wrapped__("é", True)
    monkeypatch.setattr(mojibake, "has_ftfy", lambda: False)
    assert not mojibake.is_harmless.__wrapped__("é", True)


@each(
    "word",
    [
        *("SIIRRÄNTÄ¹", "REŠ¹", "ANTIETATISTICKÝ¹", "TAYBETMENDÎ¹", "REPLAECÎ™", "GAT EKKI VISTAÐ®", "SŠ¹"),
        *("Weißº", "Zahnášº", "NESCAFÉ®", "SIIRRÄNTÄ²"),
    ],
)
def test_a_footnote_behind_a_letter_stays(word: str) -> None:
    body = f"<a>{word}</a>".encode()
    assert decode(body, mojibake="fix").text == body.decode()
    assert [one.code for one in check(body).findings if one.code == "mojibake"] == []


@each("word", ["VĹB", "TGFβ", "Wrocław"])
def test_letters_that_look_so_are_fixed(word: str) -> None:
    for codec in ("cp1252", "latin-1"):
        with suppress(UnicodeDecodeError):
            misread = word.encode().decode(codec)
            assert decode(f"<a>{misread}</a>".encode(), mojibake="fix").text == f"<a>{word}</a>"
