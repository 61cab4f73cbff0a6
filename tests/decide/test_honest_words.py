"""Honest words, and the shortest UTF-8 titles: what benchmarks/measure_plainly.py found, kept.

tests/data/honest_words.json holds the honest words of each code page that come nearest to the thresholds of
decide/plainly, words that any page may hold ("every"), and UTF-8 titles that are just recognised under a
stale label.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cases import FIXTURES, load
from support.each import each

from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import NAMES, Charset, by_name
from feedcharset.decide import thresholds
from feedcharset.decide.lenient_principles import is_mixture
from feedcharset.decide.resolve import resolve
from feedcharset.decide.thresholds import THRESHOLDS, Threshold, utf8_threshold
from feedcharset.evidence.utf8_sequences import count_sequences
from feedcharset.text.xml_decoder import decode

WORDS = load("honest_words")
LABELS = [charset for charset in map(by_name, NAMES) if charset.family in ("single", "CJK") and charset.codec]


def written(text: str, charset: Charset) -> bytes | None:
    """The text as the charset writes it, or None where it cannot."""
    assert charset.codec is not None
    try:
        return text.encode(charset.codec)
    except UnicodeEncodeError:
        return None


def pages(case: dict[str, Any]) -> Iterator[tuple[Charset, bytes]]:
    """The charsets in which a case is judged, and its bytes there."""
    for charset in LABELS if case["label"] == "every" else [by_name(case["label"])]:
        octets = case["text"].encode() if case["is"] == "UTF-8" else written(case["text"], charset)
        if octets is not None:
            yield charset, octets


def truly_labelled(octets: bytes, charset: Charset) -> Iterator[tuple[bytes, str | None]]:
    """A document, declared, named by the header, and both."""
    declared = f"<?xml version='1.0' encoding='{charset.name}'?><title>".encode() + octets + b"</title>"
    header = f"application/xml; charset={charset.name}"
    yield declared, None
    yield declared, "text/xml"
    yield b"<title>" + octets + b"</title>", header
    yield declared, header


def assert_unchanged(octets: bytes, charset: Charset) -> None:
    """Lenient reads what the label says, with one text, however it is labelled."""
    for document, field in truly_labelled(octets, charset):
        resolution = resolve(document, field, complete=True)
        assert resolution.encoding == charset.name, resolution.explain()
        assert not is_mixture(resolution)


HONEST = [case for case in WORDS if case["is"] == "honest"]
STALE = [case for case in WORDS if case["is"] == "UTF-8"]


@each("case", HONEST, ids=lambda case: f"{case['label']} {case['text']}", every=4)
def test_honest_words_stay_what_their_label_says(case: dict[str, Any]) -> None:
    """Each in a feed of its own, in every code page that holds them."""
    judged = list(pages(case))
    assert judged
    for charset, octets in judged:
        assert_unchanged(octets, charset)


@each("case", STALE, ids=lambda case: f"{case['label']} {case['text']}")
def test_short_utf8_is_recognised_under_a_stale_label(case: dict[str, Any]) -> None:
    octets = case["text"].encode()
    for document, field in truly_labelled(octets, by_name(case["label"])):
        read = decode(document, field, declaration="keep")
        assert read.resolution.encoding == "UTF-8", read.resolution.explain()
        assert read.text == document.decode()


def taken(cases: list[dict[str, Any]]) -> list[bool]:
    """Whether each case is taken for UTF-8, in each of its pages."""
    return [
        utf8_threshold(charset, count_sequences(b">" + octets + b"<", charset)) is not None
        for case in cases
        for charset, octets in pages(case)
    ]


ONES = [(row, name) for row in THRESHOLDS for name in row.reach if row.share < 0.9]
"""All but the rows that nearly all sequences must fit: no word has 20 of them, and none is no share."""


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("row", "name"), ONES, ids=lambda part: getattr(part, "why", part))
def test_no_threshold_can_be_lower(row: Threshold, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One less, and an honest word is taken for UTF-8."""
    mutant = row._replace(reach={**row.reach, name: row.reach[name] - 1})
    monkeypatch.setattr(thresholds, "THRESHOLDS", [mutant if one is row else one for one in THRESHOLDS])
    assert any(taken(HONEST))


TITLES = [("one_script", 2), ("one_script", 3), ("one_script", 4), ("sure", 1), ("distinctive", 1)]
TITLES += [("after_lower", 1), ("after_letter", 1), ("in_page", 2), ("within_word", 1)]
TITLES += [("combining", 1), ("opens_word", 1), ("alone", 1)]


@pytest.mark.parametrize(("name", "least"), TITLES)
def test_no_threshold_can_be_higher(name: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One more, and a short title is missed."""
    mutants = [
        row._replace(reach={name: least + 1}) if row.reach.get(name) == least else row for row in THRESHOLDS
    ]
    assert mutants != list(THRESHOLDS)
    before = sum(taken(STALE))
    monkeypatch.setattr(thresholds, "THRESHOLDS", mutants)
    assert sum(taken(STALE)) < before


def texts(language: str) -> list[str]:
    """The titles of a language's fixtures, without markup."""
    feed = tomllib.loads((FIXTURES / "texts" / f"{language}.toml").read_text(encoding="utf-8"))
    items = [item[key] for item in feed["items"] for key in ("title", "author", "category")]
    return [text for text in [feed["title"], feed["subtitle"], *items] if not text.isascii()]


MARKS = ["", "", "…", "”", "’", "»", "\u00a0!", "–", "™", "²"]
"""What closes a word in the generated titles."""

LANGUAGES = sorted(path.stem for path in (FIXTURES / "texts").glob("*.toml"))
ALL_TEXTS = {language: [t.replace("&", "+") for t in texts(language)] for language in LANGUAGES}


def test_there_are_twenty_languages() -> None:
    assert sum(bool(found) for found in ALL_TEXTS.values()) >= 20


@pytest.mark.sampled(6)
@pytest.mark.parametrize("step", [13, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_honest_titles_are_unchanged_in_every_charset(language: str, step: int) -> None:
    """On honest documents (declared truly, every supported charset, upper case too) lenient changes none."""
    choose = random.Random(language)
    titles = ALL_TEXTS[language]
    judged = 0
    for charset in LABELS:
        texts = [*titles, *(title.upper() for title in titles), *mixes(titles, choose)]
        for text in texts[::step]:
            octets = written(text, charset)
            if octets is not None and not octets.isascii():
                assert_unchanged(octets, charset)
                assert charset_decoder(charset, lenient=True).decode(octets, True) == decode(
                    octets, f"text/xml; charset={charset.name}"
                ).text.removeprefix("\ufeff")
                judged += 1
    assert judged >= 10 or not titles


def mixes(titles: list[str], choose: random.Random) -> Iterator[str]:
    """Generated titles of this language's words, in several cases, with closing marks."""
    words = [word for title in titles for word in title.split()]
    for _ in range(20 if words else 0):
        some = " ".join(choose.choices(words, k=choose.randint(1, 5))) + choose.choice(MARKS)
        yield choose.choice([some, some.upper(), some.title()])


@st.composite
def honest_titles(draw: st.DrawFn) -> tuple[bytes, Charset]:
    """Words of one language in a charset that writes them all."""
    language = draw(st.sampled_from([language for language in LANGUAGES if ALL_TEXTS[language]]))
    words = sorted({word for title in ALL_TEXTS[language] for word in title.split() if not word.isascii()})
    chosen = draw(st.lists(st.sampled_from(words), min_size=1, max_size=6))
    cased = [draw(st.sampled_from([str, str.upper, str.title]))(word) for word in chosen]
    text = " ".join(word + draw(st.sampled_from(MARKS)) for word in cased)
    able = [charset for charset in LABELS if written(text, charset) is not None]
    if not able or text.isascii():  # `Spaß` is ASCII in upper case
        return "é ä".encode("cp1252"), by_name("windows-1252")
    charset = draw(st.sampled_from(able))
    return written(text, charset) or b"", charset


@pytest.mark.long
@settings(max_examples=800)
@given(honest_titles())
def test_generated_titles_are_unchanged(title: tuple[bytes, Charset]) -> None:
    """No honest document changes."""
    assert_unchanged(*title)


@pytest.mark.long
@settings(max_examples=300)
@given(st.lists(honest_titles(), min_size=2, max_size=5))
def test_generated_documents_are_unchanged(titles: list[tuple[bytes, Charset]]) -> None:
    """Titles of one charset together, as in a feed."""
    charset = titles[0][1]
    assert_unchanged(b" | ".join(octets for octets, other in titles if other == charset), charset)


@each("label", ["ISO-8859-1", "windows-1252", "ISO-8859-15"])
@each(
    "title",
    ["NYTT PÅ\xa0NETTET", "MANHÃ\xa0DE SOL", "ALT PÅ\xa0ÉN GANG", "GÅ\xa0TIL SIDEN, SÅ\xa0ER DET SLUT"],
)
def test_a_no_break_space_among_capitals(title: str, label: str) -> None:
    """`Å` and the space are the bytes of `Š`, and `Ã` and the space those of `à`."""
    document = f'<?xml version="1.0" encoding="{label}"?><rss><title>{title}</title></rss>'
    assert decode(document.encode(label), declaration="keep").text == document
    utf8 = document.replace(title, "KRŠKO, POŠTA, ŽUPANIJA")
    assert decode(utf8.encode(), declaration="keep").text == utf8
