"""The lenient chain: its steps, its runs, the last steps, and the replay from recorded counts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from support.each import each
from support.lenient_cases import CASES, decided, decided_slowly, options_of

from feedcharset import XmlDecoder, check, decode, resolve
from feedcharset.charsets.lookup import by_name
from feedcharset.decide import lenient_chain, lenient_principles
from feedcharset.decide.lenient_chain import STEPS, ChainRun, RecordedCounts, replay
from feedcharset.decide.lenient_principles import (
    PRINCIPLES,
    Candidate,
    Case,
    in_order,
    is_mixture,
    named,
)
from feedcharset.evidence.detector import LOOKAHEAD
from feedcharset.evidence.document_head import byte_form, fits_form
from feedcharset.evidence.labelled_letters import rare_in_words
from feedcharset.evidence.window import Window
from feedcharset.results import Step
from feedcharset.results.facts import Body, CommonCount, Damage, Facts, ScriptCount, Utf8Count

NOTHING = Step("L3", "nothing", None, "there is no charset parameter")


def run(data: bytes | None = None, *, complete: bool = False, form: str | None = None) -> ChainRun:
    counts = None if data is None else Window(data, ends=True)
    return ChainRun(Case(Facts(body=Body(complete=complete)), form, counts))


def candidate(label: str):
    found = named("L2", label, "declaration", None)
    assert found is not None
    return found


def test_the_first_that_is_accepted_ends_the_chain() -> None:
    chain = run()
    proposals = iter([NOTHING, candidate("nope"), candidate("koi8-r"), candidate("utf-8")])
    accepted = chain.first_accepted(proposals)
    assert accepted is not None
    assert accepted.label == "koi8-r"
    assert [(step.id, step.verdict) for step in chain.steps] == [
        ("L3", "nothing"),
        ("L2", "refused"),
        ("L2", "provisional"),
    ]
    assert chain.steps[1].encoding == "nope"
    assert chain.steps[1].why.startswith("principle 1: ")
    assert [left.label for left in proposals] == ["utf-8"]


def test_none_is_accepted() -> None:
    chain = run()
    assert chain.first_accepted(iter([candidate("nope")])) is None


@pytest.mark.parametrize(
    ("data", "complete", "verdict"),
    [(None, False, "provisional"), (None, True, "answer"), ("ж".encode(), False, "answer")],
)
def test_an_answer_is_provisional_while_all_is_ascii(
    data: bytes | None, complete: bool, verdict: str
) -> None:
    chain = run(data, complete=complete)
    assert chain.accepts(candidate("utf-8"))
    assert chain.steps[-1].verdict == verdict


def test_only_principle_3_makes_a_candidate_of_the_last_step() -> None:
    chain = run(b"\xff\xfe\xff")
    assert not chain.accepts(candidate("utf-8"))
    assert not chain.accepts(candidate("nope"))
    assert [left.label for left in chain.undecodable] == ["utf-8"]


def test_what_was_refused_is_not_tested_again(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = run(b"\xff\xfe\xff")
    assert not chain.accepts(candidate("utf-8"))
    assert not chain.accepts(candidate("nope"))
    first = chain.steps[0]
    monkeypatch.setattr(lenient_chain, "AS_TESTED", ())
    assert not chain.accepts(candidate("utf-8"))
    assert chain.steps[-1] == first
    assert [left.label for left in chain.undecodable] == ["utf-8", "utf-8"]
    assert chain.accepts(candidate("nope")._replace(source="charset"))
    assert chain.accepts(candidate("nope")._replace(charset=by_name("KOI8-R")))
    assert chain.accepts(candidate("utf8"))


def told(step: Step) -> str:
    """A step in the words of the table: "1.2 refused GBK by 4"."""
    words = [step.id, step.verdict]
    if step.encoding is not None:
        words.append(step.encoding)
    if step.verdict == "refused":
        words += ["by", step.why.removeprefix("principle ")[0]]
    return " ".join(words)


@each("case", CASES, ids=lambda case: case["why"])
def test_table(case: dict[str, Any]) -> None:
    resolution, expected = decided(case), case["expected"]
    assert (resolution.encoding, resolution.rule) == (expected["encoding"], expected["rule"])
    assert [told(step) for step in resolution.steps] == expected["steps"]
    charset = by_name(by_name(resolution.encoding).superset)
    assert resolution.codec == (None if is_mixture(resolution) else charset.codec)
    assert resolution.lenient is True
    assert resolution.policy == case.get("policy", "rfc3023")


@each("case", CASES, ids=lambda case: case["why"])
def test_a_resolution_replays_from_its_facts(case: dict[str, Any]) -> None:
    resolution, options = decided(case), options_of(case)
    options = {name: options[name] for name in ("policy", "default_encoding") if name in options}
    assert replay(resolution.facts, **options) == resolution


@each("case", CASES, ids=lambda case: case["why"])
def test_short_ways_give_the_same_resolution(case: dict[str, Any]) -> None:
    """What is remembered, and the short way of well-formed UTF-8, change nothing."""
    assert decided(case) == decided_slowly(case) == decided(case)


@each("case", CASES, ids=lambda case: case["why"])
def test_every_reason_is_a_sentence(case: dict[str, Any]) -> None:
    for step in decided(case).steps:
        assert len(step.why) > 12
        assert step.why[-1] != "."
        assert (step.verdict == "provisional") == step.why.endswith("everything seen so far is US-ASCII")


def outcome(case: dict[str, Any]) -> str:
    """The encoding, with what there is of a mixture; or that there was no answer."""
    try:
        resolution = decided_slowly(case)
    except (AssertionError, AttributeError, ValueError):
        return "no answer"
    return f"{resolution.encoding} {is_mixture(resolution)}"


def decides_alone(outcomes: dict[Any, list[str]], right: list[str]) -> dict[Any, list[str]]:
    """For each part: the cases that change when it alone is taken away."""
    found: dict[Any, list[str]] = {part: [] for part in outcomes}
    for at, case in enumerate(CASES):
        changed = [part for part in outcomes if outcomes[part][at] != right[at]]
        if len(changed) == 1:
            found[changed[0]].append(case["why"])
    return found


@pytest.fixture(scope="module")
def right() -> list[str]:
    """What the whole chain answers to each case."""
    return [outcome(case) for case in CASES]


def test_every_principle_alone_decides_some_case(right: list[str]) -> None:
    outcomes = {}
    for taken in PRINCIPLES:
        rest = tuple(
            one._replace(refuses=lambda candidate, case: None) if one is taken else one for one in PRINCIPLES
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lenient_chain, "AS_TESTED", rest)
            patch.setattr(lenient_principles, "PRINCIPLES", rest)
            outcomes[taken.id] = [outcome(case) for case in CASES]
    alone = decides_alone(outcomes, right)
    assert all(alone.values()), alone
    assert set(alone) == {1, 2, 3, 4, 5, 6}


def test_every_step_alone_decides_some_case(right: list[str]) -> None:
    proposals = lenient_chain._proposals

    def without(taken: str) -> Any:
        def some(*args: Any) -> Iterator[Candidate | Step]:
            for proposal in proposals(*args):
                if not isinstance(proposal, Candidate) or proposal.step != taken:
                    yield proposal

        return some

    outcomes = {}
    for step in STEPS:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lenient_chain, "_proposals", without(step.id))
            if step.id == "L5":
                patch.setattr(lenient_chain, "from_bytes", lambda run: None)
            elif step.id == "L6":
                patch.setattr(lenient_chain, "detected", lambda run: None)
            elif step.id == "L7":
                patch.setattr(lenient_chain, "least_undecodable", lambda run: None)
            outcomes[step.id] = [outcome(case) for case in CASES]
    alone = decides_alone(outcomes, right)
    assert all(alone.values()), {step: cases for step, cases in alone.items() if not cases}
    assert [*alone] == ["L0", "L1", "L2", "L3", "L4", "L5", "L6", "L7"]


def test_the_skipped_bom_alone_decides_some_case(right: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lenient_chain, "_without_bom", lambda *arguments: None)
    changed = [case["why"] for case, before in zip(CASES, right, strict=True) if outcome(case) != before]
    assert len(changed) == 2
    assert all(why.startswith("a UTF-8 BOM before windows-1251") for why in changed)


def test_steps_and_principles_are_rows_with_sentences() -> None:
    for step in STEPS:
        assert step.sentence
        assert step.origin
    assert [principle.id for principle in PRINCIPLES] == [1, 2, 3, 4, 5, 6]
    assert [principle.always for principle in PRINCIPLES] == [True, True, False, False, False, False]
    assert all(len(principle.sentence) > 15 and principle.name for principle in PRINCIPLES)


def test_the_window_opens_wherever_the_first_byte_over_7f_stands() -> None:
    """The first byte over 7F, wherever it is in the stream, opens the look-ahead window."""
    for far in (10, 100_000, 3_000_000):
        document = b"<rss>" + b" " * far + "é и".encode()
        resolution = resolve(document, "text/xml; charset=koi8-r", complete=True)
        assert resolution.facts.body.first_non_ascii == 5 + far
        assert resolution.encoding == "KOI8-R"
    assert resolve(b"<rss>" + b"x" * 3_000_000 + b"\xe9", complete=True).encoding == "windows-1252"


def test_what_stands_behind_the_window_is_not_seen() -> None:
    near = b"\xc3\xa9" + b"x" * (LOOKAHEAD - 3) + b"\xe9"
    far = b"\xc3\xa9" + b"x" * (LOOKAHEAD - 2) + b"\xe9"
    assert resolve(near, complete=True).facts.body.utf8[:2] == (1, 1)
    assert resolve(far, complete=True).facts.body.utf8[:2] == (None, 0)
    assert resolve(near, complete=True).facts.body.complete is True
    assert resolve(far, complete=True).facts.body.complete is False
    assert resolve(near[:-1], complete=False).facts.body.complete is False


def test_a_character_cut_by_the_end_of_the_window_is_no_damage() -> None:
    for text, codec, label in (
        ("日本", "gbk", "gbk"),
        ("日本", "utf-8", "utf-8"),
        ("日本", "shift_jis", "shift_jis"),
    ):
        document = f"<?xml version='1.0' encoding='{label}'?>".encode() + text.encode(codec)[:-1]
        assert resolve(document).rule == "1.2"
        rule = "1.2" if codec == "utf-8" else "L7"  # UTF-8 that is cut by bytes is UTF-8
        assert resolve(document, complete=True).rule == rule


def test_a_server_default_is_named() -> None:
    declared = "<?xml version='1.0' encoding='windows-1251'?>привет".encode("cp1251")
    for label in ("ISO-8859-1", "latin1"):
        resolution = resolve(declared, f"text/xml; charset={label}", complete=True)
        assert resolution.encoding == "windows-1251"
        assert "a charset of ISO-8859-1 is often a server's default" in resolution.steps[0].why


PASTED_SHIFT_JIS = "テンプレートの検索パスを入力してください".encode("shift_jis")


@pytest.mark.parametrize(("label", "read"), [("iso-2022-jp", True), ("euc-jp", False)])
def test_a_pasted_title_does_not_refute_escapes(label: str, read: bool) -> None:
    """No other text has them."""
    for words in ("動画ストリーム", "サーバからの受け容れることのできないリダイレクト応答"):
        body = f"<?xml version='1.0' encoding='{label}'?><a>{words} ".encode("iso2022_jp") + PASTED_SHIFT_JIS
        for content_type in (None, f"text/xml; charset={label}"):
            text, resolution, _ = decode(body + b"</a>", content_type)
            assert (words in text) is read
            assert replay(resolution.facts) == resolution


YIDDISH = "צי דער ניצער מעג ענדערן דעם טעקסט".encode("iso8859-8")


@pytest.mark.parametrize(
    ("declared", "text", "encoding"),
    [
        ("iso-8859-8", 2 * YIDDISH + 3 * b"\xc8 ", "ISO-8859-8"),
        ("iso-8859-8", 24 * b"\xf2" + 3 * b"\xa1 ", "windows-1255"),  # 8 characters for each damaged place
        ("iso-8859-8", 23 * b"\xf2" + 3 * b"\xa1 ", "UTF-8"),
        ("us-ascii", YIDDISH, "windows-1255"),  # by its letters
        ("utf-8", YIDDISH, "windows-1255"),
        ("nonsense", YIDDISH, "windows-1255"),
        ("iso-8859-8", 4 * "été, où; là ".encode() + 5 * b"\xa1 \xa1 ", "UTF-8"),
    ],
)
def test_a_label_that_decodes_most_goes_before_the_bom_of_another_charset(
    declared: str, text: bytes, encoding: str
) -> None:
    body = b"\xef\xbb\xbf" + f"<?xml version='1.0' encoding='{declared}'?><a>".encode() + text + b"</a>"
    resolution = decode(body).resolution
    assert resolution.encoding == encoding
    assert replay(resolution.facts) == resolution


def test_the_least_damage_cites_no_rule() -> None:
    assert resolve(b"<rss>\xe9", complete=True).steps[-1][-1] == ""


def test_a_long_label_is_shown_short() -> None:
    for size, shown in ((64, "x" * 64), (65, "x" * 61 + "..."), (3000, "x" * 61 + "...")):
        resolution = resolve(f"<?xml version='1.0' encoding='{'x' * size}'?>".encode())
        why = f"principle 1: {shown!r} is the name of no charset that this library knows"
        assert resolution.steps[0].why == why


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (b"<?xml version='1.0' encoding='utf-16'?>", "the bytes are ASCII-compatible, UTF-16 is not"),
        (b"\xef\xbb\xbf<?xml version='1.0' encoding='gbk'?>", "the BOM is that of UTF-8"),
        ("<rss/>".encode("utf-16-le"), "the pattern of the bytes is that of UTF-16LE"),
        (b"\xff\xfe<rss/>", "the pattern of the bytes is that of ASCII"),
        (b"<?xml version='1.0' encoding='utf-7'?>", "UTF-7 is refused: it can write markup"),
    ],
)
def test_the_first_principles_say_what_speaks_against_a_label(document: bytes, why: str) -> None:
    refused = [step.why for step in resolve(document).steps if step.verdict == "refused"]
    assert refused[0].partition(": ")[2].startswith(why)


@each(
    ("document", "content_type", "why"),
    [
        (b"<a>\xc3\xa9", "text/xml", "nothing names another"),
        (b"<a>\xc3\xa9", "text/xml; charset=x-none", "nothing that can be true names another"),
        (b"<?xml version='1.0' encoding='x-none'?>\xc3\xa9", None, "nothing that can be true names another"),
        (b"\xef\xbb\xbf<a>\xc3\xa9", "text/xml; charset=x-none", "the BOM is that of UTF-8"),
    ],
)
def test_why_the_default_is_utf_8(document: bytes, content_type: str | None, why: str) -> None:
    assert resolve(document, content_type, complete=True).steps[-1].why == why


@pytest.mark.parametrize(
    ("declared", "sent", "encoding"),
    [
        ("windows-1251", None, "windows-1251"),
        ("windows-1251", "windows-1251", "windows-1251"),
        ("utf-8", "windows-1251", "UTF-8"),
        ("windows-1251", "utf-8", "UTF-8"),
    ],
)
def test_as_many_letters_in_utf_8_as_under_the_label(declared: str, sent: str | None, encoding: str) -> None:
    """The words under the label count, unless another label names UTF-8."""
    titles = "погода погода завтра".encode("cp1251") + " каждый завтра погода".encode()
    body = f"<?xml version='1.0' encoding='{declared}'?><a>".encode() + titles + b"</a>"
    content_type = None if sent is None else f"text/xml; charset={sent}"
    assert resolve(body, content_type, complete=True).encoding == encoding


@each(
    ("bom", "guess", "pattern", "form"),
    [
        (None, None, None, None),
        (None, None, "UTF-16LE", "UTF-16LE"),
        (None, "UTF-16BE", "UTF-16BE", "UTF-16BE"),
        ("UTF-8", None, None, "UTF-8"),
        ("UTF-8", "UTF-8", None, "UTF-8"),
        ("UTF-8", "UTF-16LE", "UTF-16LE", "UTF-16LE"),
        ("UTF-8", "EBCDIC", "EBCDIC", "EBCDIC"),
        ("UTF-8", None, "UTF-16LE", "UTF-16LE"),
        ("UTF-16LE", "UTF-16LE", None, "UTF-16LE"),
        ("UTF-16LE", "UTF-8", "ASCII", "ASCII"),
        ("UTF-16LE", "UTF-16BE", None, "UTF-16BE"),
        ("UTF-32LE", None, "ASCII", "ASCII"),
    ],
)
def test_byte_form(bom: str | None, guess: str | None, pattern: str | None, form: str | None) -> None:
    """The BOM, unless the guess after it is of another family; else the pattern."""
    facts = Facts(bom, guess)
    assert byte_form(facts._replace(body=facts.body._replace(pattern=pattern))) == form


@each("stray", [b"\x1b$By", b"\x1b$@", b"\x1b$(B", b"\x1b$BF|\x1b(Iy", b"\x1b$BF|\x1b(B \x1b$B"])
@each("before", [0, LOOKAHEAD])
@each("content_type", [None, "application/xml; charset=utf-8"])
@each("label", ["UTF-8", "ISO-8859-1", "windows-1251", "Shift_JIS", ""])
def test_a_stray_escape_hides_no_markup(
    stray: bytes, before: int, content_type: str | None, label: str
) -> None:
    """The escape sequences of ISO-2022-JP prove it before text of their sets alone: else each byte behind one
    would be half of a character, that of `<`, too."""
    declaration = f"<?xml version='1.0' encoding='{label}'?>" if label else ""
    body = (
        f"{declaration}<rss>{'x' * before}<title>x".encode()
        + stray
        + b"</title>\n"
        + b"<item>News</item>" * 9
    )
    whole = decode(body, content_type)
    assert (whole.text.count("<item>News</item>"), whole.repairs.count) == (9, 0)
    assert whole.resolution.encoding == (label if label and content_type is None else "UTF-8")
    assert replay(whole.resolution.facts) == whole.resolution
    decoder = XmlDecoder(content_type)
    size = 100 if not before else 70_000
    text = "".join(decoder.decode(body[at : at + size]) for at in range(0, len(body), size))
    assert text + decoder.decode(b"", True) == whole.text


@each("letter", [*"ʻʼɓɔǧƒˆ", "я 日"])
@each(
    ("text", "label", "encoding"),
    [
        ("don’t – “hi” x … News of {}i", "UTF-8", "UTF-8"),
        ("don’t – “hi” x … News of {}i", "", "UTF-8"),
        ("café in Hawai{}i", "UTF-8", "UTF-8"),
        ("News of {}i", "UTF-8", "UTF-8"),
        ("News of {}i", "", "windows-1252"),
    ],
)
def test_a_letter_that_is_seldom_used(text: str, label: str, encoding: str, letter: str) -> None:
    """Such letters, and those of several scripts, are bytes of another charset by chance, where neither a
    label nor punctuation shows UTF-8."""
    declaration = f"<?xml version='1.0' encoding='{label}'?>" if label else ""
    body = f"{declaration}<rss><a>{text.format(letter, letter)}</a>".encode() + b"<b>caf\xe9</b></rss>"
    answer = decode(body, f"application/xml; charset={label}" if label else None)
    assert answer.resolution.encoding == encoding
    assert replay(answer.resolution.facts) == answer.resolution
    assert (text.format(letter, letter) in answer.text) is (encoding == "UTF-8")
    assert "café" in answer.text


JAPANESE_WORD = "日本語".encode("iso2022_jp")


@each("content_type", [None, "application/rss+xml; charset=utf-8", "text/xml; charset=us-ascii"])
@each("back", [b"\x1b(B", b"\x1b(J"])
@each(
    "joined",
    [b"<scr%bipt>alert(1)</scr%bipt>", b"<b title='x%by'/>", b"&l%bt;", b"&lt%b;", b"<%bb/>", b"x%b[y"],
)
def test_no_escape_within_a_word_is_removed(joined: bytes, back: bytes, content_type: str | None) -> None:
    """It has no character, so what stands around it would become a tag."""
    joined = joined.replace(b"%b", back)
    document = b"<rss><title>" + JAPANESE_WORD + b"</title>" + joined + b"</rss>"
    found = decode(document, content_type)
    assert found.text == document.decode("ascii")
    whole = document.replace(back, b"").replace(b"\x1b$BF|K\\8l", JAPANESE_WORD)
    assert decode(whole, content_type).resolution.encoding == "ISO-2022-JP"
    document = b"<rss><title>" + JAPANESE_WORD + b"</title>x\x1b(B\\y</rss>"
    assert decode(document, content_type).text == document.decode("ascii")


@each("content_type", [None, "application/rss+xml; charset=utf-8"])
@each("text", ["<p>(¥100)</p>", "<p v='‾'/>", "<p price='¥'/>", "税込 ¥100", "a¥b‾c"])
def test_a_sign_of_the_roman_set_within_a_word_joins_nothing(text: str, content_type: str | None) -> None:
    document = f"<rss><title>日本語</title>{text}</rss>"
    found = decode(document.encode("iso2022_jp"), content_type)
    assert (found.text, found.resolution.encoding) == (document, "ISO-2022-JP")
    for joined in (b"<scr\\\x1b(Bipt>", b"<scr\x1b(B\\ipt>", b"<scr\x1b(Jipt~\x1b(B>"):
        body = b"<rss><title>" + JAPANESE_WORD + b"</title>" + joined + b"</rss>"
        assert "<script" not in decode(body, content_type).text


@each("declared", ["", ' encoding="UTF-8"'])
@each("text", ["日本語", "日本語 and more", "図書館（ABC）"])
def test_a_bom_is_not_refuted_by_escapes(text: str, declared: str) -> None:
    document = f"<?xml version='1.0'{declared}?><rss>{text}</rss>".encode("iso2022_jp")
    assert decode(document).resolution.encoding == "ISO-2022-JP"
    marked = decode(b"\xef\xbb\xbf" + document, declaration="keep")
    assert (marked.resolution.encoding, marked.text) == ("UTF-8", document.decode("ascii"))
    named = document.replace(b' encoding="UTF-8"', b"").replace(b"'?>", b"' encoding='ISO-2022-JP'?>", 1)
    assert decode(b"\xef\xbb\xbf" + named).resolution.encoding == "ISO-2022-JP"


@each(
    "label",
    ["UTF-8", "ISO-8859-1", "windows-1252", "windows-1251", "windows-874", "Shift_JIS", "EUC-JP", "GBK"],
)
@each("stray", [b"", b"\xa9 2009", b"caf\xe9", b"\xc3\xa9", b"\x93x\x94"])
@each("place", range(3))
def test_bytes_of_a_false_label_hide_no_escapes(label: str, stray: bytes, place: int) -> None:
    """A label under which the other bytes decode is no more true than one of UTF-8."""
    parts = [b"<rss>", *[b"<item>" + JAPANESE_WORD + b"</item>\n"] * 20, b"</rss>"]
    parts.insert((1, 10, len(parts) - 1)[place], b"<item>" + stray + b"</item>")
    content = b"".join(parts)
    declared = f"<?xml version='1.0' encoding='{label}'?>".encode()
    for body, content_type in (
        (declared + content, None),
        (declared + content, "text/xml"),
        (content, f"application/xml; charset={label}"),
    ):
        found = decode(body, content_type)
        assert (found.resolution.encoding, found.text.count("日本語")) == ("ISO-2022-JP", 20)
        decoder = XmlDecoder(content_type)
        pieces = [decoder.decode(body[at : at + 7]) for at in range(0, len(body), 7)]
        assert "".join([*pieces, decoder.decode(b"", True)]) == found.text
        assert replay(found.resolution.facts) == found.resolution


ICELANDIC, FAROESE = "Forsætisráðherra sagði að málið yrði leyst.", "Løgmaður sigur, at málið er loyst."
DUTCH = "België en Italië tekenen een overeenkomst over zeeën en oliën."
ALBANIAN = "Nesër moti do të jetë me diell, temperatura deri në 24 gradë."


@each("label", ["ISO-8859-1", "windows-1252", "ISO-8859-15"])
@each("north", [ICELANDIC, FAROESE])
@each("south", [DUTCH, ALBANIAN])
@each("times", [1, 4])
def test_titles_in_two_western_languages_are_no_lithuanian(
    label: str, north: str, south: str, times: int
) -> None:
    titles = f"<title>{north}</title><title>{south}</title>" * times
    document = f"<?xml version='1.0' encoding='{label}'?><rss>{titles}</rss>"
    found = decode(document.encode(by_name(label).codec or ""), declaration="keep")
    assert (found.text, found.resolution.encoding) == (document, label)


def test_lithuanian_under_a_western_label_is_found() -> None:
    titles = "Rytoj šalyje lyja, oras vėsus|Ieškome buhalterės|Žmonės skuba į namus|Šiaulių žinios"
    items = "".join(f"<title>{title}</title>" for title in titles.split("|"))
    document = f"<?xml version='1.0' encoding='ISO-8859-1'?><rss>{items}</rss>"
    found = decode(document.encode("cp1257"), declaration="keep")
    assert (found.text, found.resolution.encoding) == (document, "windows-1257")


@each(
    ("label", "text"),
    [
        ("macintosh", "«ça va»"),
        ("macintosh", "Il dit: «ça alors»"),
        ("macintosh", "un “élan” de plus"),
        ("x-mac-icelandic", "«í dag»"),
        ("x-mac-turkish", "«é tu»"),
        ("x-mac-croatian", "«ça»"),
    ],
)
def test_a_quotation_in_a_page_of_mac_is_no_utf8(label: str, text: str) -> None:
    document = f"<?xml version='1.0' encoding='{label}'?><title>{text}</title>"
    body = document.encode(by_name(label).codec or "")
    for content_type in (None, f"text/xml; charset={label}"):
        found = decode(body, content_type, declaration="keep")
        assert (found.text, found.resolution.encoding) == (document, label)


@each("back", ["\x1b(J", "\x1b(B"])
@each("text", ["日本語{}ABC</t>", "日本語{} ABC\x1b(B</t>", "日本語{}ABC\x1b(B\n</t>"])
def test_escapes_of_honest_text(text: str, back: str) -> None:
    """JIS X 0201 up to the end of a word, a line or an element."""
    before, _, after = text.format(back).partition(back)
    body = b"<t>" + before.encode("iso2022_jp").removesuffix(b"\x1b(B") + (back + after).encode()
    assert decode(body).resolution.encoding == "ISO-2022-JP"


def test_a_label_proves_damaged_escapes() -> None:
    body = "<a>図書館</a>\n<b/>".encode("iso2022_jp").replace(b"\x1b(B", b"")
    for labelled in (body.replace(b"<a>", b"<?xml version='1.0' encoding='ISO-2022-JP'?><a>"), body):
        answer = decode(labelled, "text/xml; charset=iso-2022-jp").resolution
        assert answer.encoding == "ISO-2022-JP"
    assert decode(body).resolution.encoding == "UTF-8"


@each(
    ("name", "form", "fits"),
    [
        *[
            (name, form, True)
            for name in ("UTF-8", "GBK", "KOI8-R", "ISO-2022-JP")
            for form in (None, "ASCII")
        ],
        *[(name, None, False) for name in ("UTF-16", "UTF-16LE", "UTF-32", "IBM037", "UTF-7", "UCS-4-2143")],
        ("IBM500", "EBCDIC", True),
        ("UTF-8", "EBCDIC", False),
        ("UTF-8", "UTF-8", True),
        ("windows-1252", "UTF-8", False),
        ("UTF-16LE", "UTF-16LE", True),
        ("UTF-16BE", "UTF-16LE", False),
        ("UTF-16", "UTF-16LE", False),
        ("ISO-2022-JP", "ISO-2022-JP", True),
        ("UTF-8", "ISO-2022-JP", False),
    ],
)
def test_fits_form(name: str, form: str | None, fits: bool) -> None:
    assert fits_form(by_name(name), form) is fits


@each(
    ("name", "form", "ordered"),
    [
        ("UTF-16", "UTF-16LE", "UTF-16LE"),
        ("UTF-16", "UTF-16BE", "UTF-16BE"),
        ("UTF-32", "UTF-32LE", "UTF-32LE"),
        ("UTF-32", "UCS-4-2143", "UCS-4-2143"),
        ("UTF-16", "UTF-32LE", "UTF-16"),
        ("UTF-32", "UTF-16LE", "UTF-32"),
        ("UTF-16", "UCS-4-2143", "UTF-16"),
        ("UTF-16", None, "UTF-16"),
        ("UTF-16LE", "UTF-16BE", "UTF-16LE"),
        ("GBK", "UTF-16BE", "GBK"),
    ],
)
def test_in_order(name: str, form: str | None, ordered: str) -> None:
    """A generic UTF-16 or UTF-32 takes the order of the BOM or the pattern."""
    assert in_order(by_name(name), form) == by_name(ordered)
    assert in_order(None, form) is None


WORDS = "Сегодня утром в городе открылась новая библиотека"


def steps(body: bytes, content_type: str | None = None, **options):
    resolution = resolve(body, content_type, complete=True, **options)
    return resolution.encoding, [step for step in resolution.steps if step.id in ("L5", "L6", "L7")]


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        ("<a>ж</a>".encode("utf-16-le"), "UTF-16LE"),
        ("\ufeffж".encode("utf-16-be"), "UTF-16BE"),
        ("<rss><title>x</title></rss>".encode("cp037") * 3, "IBM037"),
    ],
)
def test_the_bytes_decide_against_a_label_of_another_form(body: bytes, encoding: str) -> None:
    found, tried = steps(body, "application/xml; charset=koi8-r")
    assert found == encoding
    assert [(step.id, step.verdict) for step in tried] in ([("L5", "answer")], [])


def test_a_misplaced_declaration_is_taken_where_nothing_else_can_be_true() -> None:
    body = b"<!-- x --><?xml version='1.0' encoding='koi8-r'?><a>" + WORDS.encode("koi8-r") + b"</a>"
    found, tried = steps(body, detector=None)
    assert found == "KOI8-R"
    assert tried[0].why == "an XML declaration further down, at byte 10, names it"


def test_it_is_not_taken_against_damaged_utf_8() -> None:
    body = b"<!-- x --><?xml version='1.0' encoding='koi8-r'?><a>" + WORDS.encode() + b"\xff</a>"
    assert steps(body, detector=None)[0] == "UTF-8"


def test_the_detector_of_the_caller_is_believed_where_it_can_be_true() -> None:
    body = b"<a>" + WORDS.encode("koi8-r") + b"</a>"
    found, tried = steps(body, detector=lambda data: "koi8-r")
    assert (found, tried[-1].why) == ("KOI8-R", "the caller's detector names it")
    found, tried = steps(body, detector=lambda data: "utf-16")
    assert [step.verdict for step in tried if step.id == "L6"] == ["refused"]
    assert found == "windows-1252"


@each(
    "body", [WORDS.encode("koi8-r"), b"\xe2\x80\xa6 \xe9t\xe9 \xe0 c\xf4t\xe9", "Größe€5".encode() + b"\xe9"]
)
@each("label", [None, "UTF-8", "GBK"])
def test_every_name_of_a_charset_is_the_same_answer_of_a_detector(body: bytes, label: str | None) -> None:
    """As chardet and charset-normalizer name them; a word that names none is no answer."""
    head = f"<?xml version='1.0' encoding='{label}'?>".encode() if label else b""
    for names in (
        ["windows-1252", "cp1252", "Windows-1252", "WINDOWS-1252"],
        ["KOI8-R", "koi8_r", "csKOI8R"],
        ["x-mac-ce", "mac_latin2"],
        ["US-ASCII", "ascii"],
        ["Shift_JIS", "SHIFT_JIS", "sjis"],
    ):
        answers = [
            steps(head + b"<a>" + body + b"</a>", detector=lambda data, name=name: name) for name in names
        ]
        assert all(answer == answers[0] for answer in answers), names
    for name in ("", "nonsense", "utf-7", "\ud800", "x" * 5000, "\0"):
        assert steps(head + b"<a>" + body + b"</a>", detector=lambda data, name=name: name)[0]


def test_no_detector_is_called_where_a_label_nearly_fits() -> None:
    body = b"<?xml version='1.0' encoding='shift_jis'?><a>" + "日本語".encode("cp932") + b"\xa0\xff</a>"
    called: list[bytes] = []
    found, tried = steps(body, detector=called.append)
    assert found == "Shift_JIS"
    assert called == []
    assert all("not called" in step.why for step in tried if step.id == "L6")


def test_the_convention_is_called_by_its_name() -> None:
    found, tried = steps(b"<a>caf\xe9</a>", detector=None)
    assert found == "windows-1252"
    assert "no label names the charset" in tried[-1].why
    assert tried[-1].why.endswith("windows-1252 by convention")


def test_what_was_recorded_is_returned() -> None:
    body = Body(
        utf8=Utf8Count(3, 1),
        damage=(Damage("GBK", 5, 0, 0), Damage("Big5", 2, 4, 0)),
        misplaced="gbk",
        misplaced_at=3,
    )
    counts = RecordedCounts(body)
    assert counts.utf8() == counts.utf8_bounds() == Utf8Count(3, 1)
    assert counts.damage(by_name("Big5")) == Damage("Big5", 2, 4, 0)
    assert (counts.decodes(by_name("GBK")), counts.decodes(by_name("Big5"))) == (True, False)
    assert (counts.misplaced(), counts.detected()) == (("gbk", 3), None)
    common, scripts = CommonCount("GBK", 5, 4), ScriptCount(3, 2)
    counts = RecordedCounts(body._replace(common=(common,), scripts=scripts))
    assert (counts.common(by_name("GBK")), counts.scripts()) == (common, scripts)
    absent = RecordedCounts(body)
    for missing in (absent.scripts, absent.distinct, lambda: absent.common(by_name("GBK"))):
        with pytest.raises(LookupError):
            missing()


def test_what_was_not_recorded_is_an_error() -> None:
    counts = RecordedCounts(Body())
    with pytest.raises(LookupError):
        counts.damage(by_name("GBK"))
    with pytest.raises(LookupError):
        counts.sequences(by_name("GBK"))
    with pytest.raises(AssertionError):
        counts.utf8()


def test_the_counts_of_a_decision() -> None:
    body = b"<?xml version='1.0' encoding='iso-8859-1'?><a>" + "Žluťoučký kůň".encode() + b"</a>"
    facts = resolve(body, complete=True).facts
    assert RecordedCounts(facts.body).sequences(by_name("ISO-8859-1")).sequences >= 4


def test_a_windows_page_that_is_labelled_as_its_iso_sibling() -> None:
    """In memory, in pieces, provisionally; the step says so, and the resolution replays."""
    declaration = b"<?xml version='1.0' encoding='ISO-8859-2'?>"
    document = declaration + "<a>śpiąca</a>".encode("cp1250")
    for resolution in (
        resolve(document, complete=True),
        resolve(document + "żółć ".encode("cp1250") * 400_000),
    ):
        assert (resolution.encoding, resolution.codec, resolution.rule) == ("windows-1250", "cp1250", "1.2")
        step = next(step for step in resolution.steps if step.id == "sibling")
        assert step.why == "1 letter of windows-1250: the label names its sibling"
        assert replay(resolution.facts) == resolution
    honest = declaration + b"<r><a>\x9cnieg</a>" + "<a>Śląsk, Świat ma Śnieg</a></r>".encode("iso8859-2")
    assert resolve(honest, complete=True).encoding == "ISO-8859-2"
    greek = b"<?xml version='1.0' encoding='ISO-8859-7'?><a>" + "Άρθρο ® 2009".encode("cp1253")
    resolution = resolve(greek, complete=True)
    assert resolution.encoding == "windows-1253"
    assert resolution.steps[-1].why == "1 place of windows-1253: the label names its sibling"
    greek = greek.replace("Άρθρο".encode("cp1253"), b"")
    resolution = resolve(greek, complete=True)
    assert resolution.steps[-1].why == "1 byte that ISO-8859-7 has not: the label names its sibling"


@pytest.mark.parametrize(
    "text", ["Nie można zmienić właściwości; są następujące", "Žádné možnosti, šest těžších žádostí"]
)
def test_iso_8859_2_that_is_labelled_windows_1250(text: str) -> None:
    declaration = b"<?xml version='1.0' encoding='windows-1250'?>"
    document = declaration + f"<a>{text}</a>".encode("iso8859-2")
    for resolution in (resolve(document, complete=True), resolve(document + b"<a/>" * 400_000)):
        assert (resolution.encoding, resolution.codec, resolution.rule) == ("ISO-8859-2", "iso8859_2", "1.2")
        assert resolution.steps[-1].why == "3 letters of ISO-8859-2: the label names its sibling"
        assert replay(resolution.facts) == resolution
    for number in range(len(document) + 1):
        decoder = XmlDecoder(declaration="keep")
        read = decoder.decode(document[:number]) + decoder.decode(document[number:], True)
        assert read.encode("iso8859-2") == document
    for mark in ("„", "ś", "€"):  # bytes 80-9F
        honest = declaration + f"<a>{text}{mark}</a>".encode("cp1250")
        assert resolve(honest, complete=True).encoding == "windows-1250"
    assert (
        resolve(declaration + "<a>© Młyn, 5±1 µm</a>".encode("cp1250"), complete=True).encoding
        == "windows-1250"
    )


@pytest.mark.parametrize("times", [1, 20])
@pytest.mark.parametrize("tag", [" xml:lang='csb'>", "><language>csb</language>"])
def test_letters_of_a_language_without_a_table_show_no_sibling(tag: str, times: int) -> None:
    """`są` is Kashubian, and would be `sš`."""
    titles = "<t>Szwajcarskô ôrtną muszą; Wiôlgô Britanijô są; Brazylskô zamkną</t>" * times
    text = f'<?xml version="1.0" encoding="windows-1250"?><rss{tag}{titles}</rss>'
    body = text.encode("cp1250")
    assert decode(body, declaration="keep").text == text
    assert "label-sibling" not in {one.code for one in check(body).findings}


@pytest.mark.parametrize("label", ["ISO-8859-8", "ISO-8859-8-I"])
@pytest.mark.parametrize(
    "text",
    [
        "ח״כ: אין רוב לחוק צה״ל תקף בעזה ארה״ב: הסכם יו״ר ההסתדרות דו״ח: מחירי הדירות",
        "אױסגלײַכונג",
        "שריפֿט װאָג",
    ],
)
def test_any_number_of_bytes_that_the_iso_page_lacks_show_its_sibling(label: str, text: str) -> None:
    document = f"<?xml version='1.0' encoding='{label}'?><a>{text}</a>".encode("cp1255")
    resolution = resolve(document, complete=True)
    assert resolution.encoding == "windows-1255"
    assert replay(resolution.facts) == resolution


@pytest.mark.parametrize("text", ["Nepavyko įvykdyti „%s“", "Failas „x“", "Täna öösel „viga“, nii”"])
def test_quotation_marks_that_windows_1257_has_not(text: str) -> None:
    document = f"<?xml version='1.0' encoding='windows-1257'?><a>{text * 3}</a>"
    for codec, name in (("iso8859-13", "ISO-8859-13"), ("cp1257", "windows-1257")):
        found, resolution, _ = decode(document.encode(codec), declaration="keep")
        assert (found, resolution.encoding) == (document, name)
        assert replay(resolution.facts) == resolution


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("ISO-8859-5", "Новос\udc90ти области"),  # ђ in windows-1251
        ("ISO-8859-5", "нові\udc8a зміни"),
        ("ISO-8859-5", "Первый Привет второй"),
        ("ISO-8859-2", "nieznan\udc9aą śnieżna rzecz"),
        ("ISO-8859-2", "greš\udc9cka podržava široki žanr"),
        ("ISO-8859-6", "البحث في القائمة و\udc90هي"),
        ("ISO-8859-6", "ملف\udcff جديد في هذا"),
        ("ISO-8859-15", "un c\udc9eœur de bœuf"),
    ],
)
def test_one_stray_byte_in_a_word_does_not_show_the_windows_page(label: str, text: str) -> None:
    codec = by_name(label).codec or ""
    body = text.replace("Привет", "Привет".encode().decode("ascii", "surrogateescape"))
    document = f"<?xml version='1.0' encoding='{label}'?><a>".encode() + body.encode(codec, "surrogateescape")
    resolution = resolve(document, complete=True)
    assert resolution.encoding == label
    assert replay(resolution.facts) == resolution


def test_windows_1252_from_http_is_a_servers_default_over_other_latin_pages() -> None:
    for codec, label, text in (
        ("cp1250", "windows-1250", "Příliš"),
        ("iso8859-2", "ISO-8859-2", "Świat"),
        ("cp1257", "windows-1257", "Ąžuolas"),
        ("cp1254", "windows-1254", "Işık"),
        ("mac_roman", "macintosh", "L’été"),
        ("cp850", "IBM850", "Größe"),
    ):
        document = f"<?xml version='1.0' encoding='{label}'?><a>{text}</a>".encode(codec)
        resolution = resolve(document, "text/xml; charset=windows-1252", complete=True)
        assert (resolution.encoding, resolution.rule) == (label, "L2")
        assert replay(resolution.facts) == resolution
    for label in ("ISO-8859-1", "ISO-8859-15", "US-ASCII"):
        document = f"<?xml version='1.0' encoding='{label}'?><a>\xe9</a>".encode("latin-1")
        resolution = resolve(document, "text/xml; charset=windows-1252", complete=True)
        assert (resolution.encoding, resolution.rule) == ("windows-1252", "2.5")


@each(
    ("label", "text"),
    [
        ("ISO-8859-2", "Kék"),
        ("ISO-8859-2", "čakra"),
        ("ISO-8859-2", "Najpopulistickejší"),
        ("windows-1257", "Sõna"),
        ("windows-1258", "chuồn"),
        ("windows-1258", "Lưu"),
        ("ISO-8859-1", "Ŝteli"),
        ("ISO-8859-1", "ĝi"),
        ("windows-1252", "Oʻzbekiston"),
        ("windows-1252", "maɗaci"),
        ("windows-1252", "Là math"),
        ("windows-1251", "ދިވެހިބަސް"),
        ("IBM866", "ᎠᏂᏴᏫᏯ"),
        ("gb2312", "ⵜⴰⵎⴰⵣⵉⵖⵜ"),
        ("gb2312", "<![CDATA[书]]>"),
        ("gb2312", "¥1200"),
        ("Shift_JIS", "£5"),
    ],
)
def test_utf8_of_every_script_under_a_stale_label(label: str, text: str) -> None:
    """One word is enough, in memory and in pieces."""
    document = f"<?xml version='1.0' encoding='{label}'?><a>{text}</a>".encode()
    decoded = decode(document, declaration="keep")
    assert (decoded.text, decoded.resolution.encoding) == (document.decode(), "UTF-8")
    assert replay(decoded.resolution.facts) == decoded.resolution
    decoder = XmlDecoder(declaration="keep")
    parts = [decoder.decode(document[at : at + 3]) for at in range(0, len(document), 3)]
    assert "".join(parts) + decoder.decode(b"", True) == decoded.text


@each("text", ["Goal 😀 ", "Sää tänään ", "Ćao, đak ", "Čeština, ř ", "Ñandú ñ, õ ", "½ ¼ ¾ ", "© 2026 ® "])
@each("damage", [b"caf\xe9", b"a\xffb", b"a\xe9 b\xe8c d\xff"])
@each("times", [30, 200])
@each("last", [False, True])
def test_characters_of_four_bytes_are_those_of_gb18030(
    text: str, damage: bytes, times: int, last: bool
) -> None:
    """A few damaged places in words of ASCII do not make western letters of all of them."""
    body = text.encode("gb18030") * times
    parts = (body, damage) if last else (damage, body)
    document = b"<?xml version='1.0' encoding='GB18030'?><r><t>%b</t><t>%b</t></r>" % parts
    decoded = decode(document, "text/xml; charset=GB18030")
    assert decoded.resolution.encoding == "GB18030"
    assert text * times in decoded.text
    assert decoded.repairs


@each("label", ["GBK", "GB18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR"])
@each(
    "text",
    ["Año nuevo, mañana y pequeño", "Für fünf Künstler über Brücken", "Tēnā koutou katoa, ngā mihi nui"],
)
@each("damage", [b"\xc3", b"caf\xe9", b"\x92"])
def test_utf8_of_one_letter_and_a_damaged_place_under_an_east_asian_label(
    damage: bytes, text: str, label: str
) -> None:
    """A letter within words, however often it is repeated, is none of an East Asian charset."""
    body = (
        f"<?xml version='1.0' encoding='{label}'?><a>".encode()
        + (text + " ").encode() * 20
        + damage
        + b"</a>"
    )
    assert text in decode(body).text


OF_FOUR_BYTES = (
    "서울에서 열린 국제 회의의 소식과 내일의 날씨, 문화와 운동 경기",
    "ყოველი ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით",
    "أخبار المدينة وحالة الطقس غدا والرياضة، لكل إنسان الحق في حرية الفكر والضمير والدين",
    "חדשות העיר, מזג האוויר מחר וספורט, לכל אדם זכות לחופש המחשבה והמצפון והדת",
    "ทุกคนมีสิทธิในเสรีภาพแห่งความคิด ข่าวของเมือง อากาศพรุ่งนี้ กีฬาและดนตรี",
)


@each("text", OF_FOUR_BYTES)
@each("damage", [b"\xff", b"\xe9", b"\x80"])
def test_a_damaged_byte_in_a_word_before_characters_of_four_bytes(damage: bytes, text: str) -> None:
    """Their bytes are no letters of windows-1252: digits stand between them. Damage in several words, too."""
    title, body = b"News of this week", text.encode("gb18030")
    places = [(at,) for at in range(len(title)) if title[at : at + 1].isalpha()]
    for broken in (*places, (1, 6, 10), (1, 6, 10, 15)):
        cut = bytearray(title)
        for at in broken:
            cut[at : at + 1] = damage
        document = b'<?xml version="1.0" encoding="GB18030"?><a><t>%b</t>%b</a>' % (cut, body * 2)
        decoded = decode(document, "application/xml; charset=GB18030")
        assert (decoded.resolution.encoding, text * 2 in decoded.text) == ("GB18030", True), broken
    assert [one.code for one in check(document).findings if one.code == "encoding-unnamed"] == []


@each("times", [3, 8])
@each("title", ["Žiga je že prišel v hišo čez cesto", "Šola ima novo učiteljico", "Našli smo ključe"])
@each("line", ["サーバーへの接続が切断されました", "設定の変更", "送信者のアドレスと件名を表示します"])
def test_a_pasted_line_does_not_refute_a_label(line: str, title: str, times: int) -> None:
    """In Shift_JIS the words of all other lines would be no words; and its bytes 80 to 9F are no letters of
    the Windows page, which has no character for some of them."""
    items = f"<title>{title}</title>".encode("iso8859_2") * times
    head = b"<?xml version='1.0' encoding='ISO-8859-2'?><rss>"
    document = head + items + b"<title>%b</title></rss>" % line.encode("cp932")
    for content_type in (None, "text/xml; charset=ISO-8859-2"):
        decoded = decode(document, content_type)
        assert (decoded.resolution.encoding, decoded.text.count(title)) == ("ISO-8859-2", times)


@each(
    ("rare", "others", "shown"), [(3, 21, True), (2, 0, False), (3, 22, False), (4, 28, True), (4, 29, False)]
)
def test_rare_characters_within_words(rare: int, others: int, shown: bool) -> None:
    text = "priｹel " * rare + "の" * others
    assert rare_in_words(text.encode("cp932"), by_name("Shift_JIS")) is shown


PASSAGES = {
    # A charset, titles in it, and a passage.
    "windows-1251": (
        "Новости города|Погода на завтра|Спорт и музыка",
        "Каждый человек имеет право на свободу мысли",
    ),
    "KOI8-R": (
        "Новости города|Погода на завтра|Спорт и музыка",
        "Каждый человек имеет право на свободу мысли",
    ),
    "ISO-8859-7": ("Νέα της πόλης|Ο καιρός αύριο|Αθλητικά", "Κάθε άνθρωπος έχει δικαίωμα στην ελευθερία"),
    "windows-1256": ("أخبار المدينة|حالة الطقس غدا|الرياضة", "لكل إنسان الحق في حرية الفكر والضمير والدين"),
    "windows-1255": ("חדשות העיר|מזג האוויר מחר|ספורט", "לכל אדם זכות לחופש המחשבה והמצפון והדת"),
    "windows-874": ("ข่าวของเมือง|อากาศพรุ่งนี้|กีฬาและดนตรี", "ทุกคนมีสิทธิในเสรีภาพแห่งความคิด"),
}


@each("charset", PASSAGES)
@each("times", [2, 4])
def test_one_passage_in_utf8_changes_no_title_in_another_charset(charset: str, times: int) -> None:
    """Where more titles are in the charset of the label."""
    titles, passage = PASSAGES[charset]
    codec = by_name(charset).codec or ""
    body = "".join(f"<t>{title}</t>" for title in titles.split("|") * times).encode(codec)
    head = f"<?xml version='1.0' encoding='{charset}'?><rss>".encode()
    document = b"%b%b<d>%b</d></rss>" % (head, body, " ".join([passage] * 3).encode())
    decoded = decode(document)
    assert (decoded.resolution.encoding, body.decode(codec) in decoded.text) == (charset, True)


@each("charset", PASSAGES)
@each("declaration", ["", "<?xml version='1.0' encoding='ISO-8859-1'?>"])
def test_one_passage_in_another_charset_changes_no_title_in_utf8(charset: str, declaration: str) -> None:
    titles = ["Société française", "Été à Genève", "Les élèves étaient là", "Café crème"] * 4
    body = "".join(f"<t>{title}</t>" for title in titles)
    passage = " ".join([PASSAGES[charset][1]] * 3).encode(by_name(charset).codec or "")
    decoded = decode(f"{declaration}<rss>{body}".encode() + b"<d>%b</d></rss>" % passage)
    assert body in decoded.text, decoded.resolution.explain()


SCRIPTS = {
    # The first letter, and how many.
    "Thaana": (0x780, 38), "N'Ko": (0x7C1, 31), "Tifinagh": (0x2D30, 48), "Syriac": (0x712, 26),
    "Cherokee": (0x13A0, 80), "Canadian": (0x1401, 79), "Mongolian": (0x1820, 32), "Vai": (0xA500, 96),
    "Ol Chiki": (0x1C5A, 29), "Meetei Mayek": (0xABC0, 32), "Javanese": (0xA984, 46), "Adlam": (0x1E922, 33),
    "Tai Le": (0x1950, 29), "Bopomofo": (0x3105, 36), "Gothic": (0x10330, 26), "Ethiopic": (0x1200, 80),
    "Georgian": (0x10D0, 32), "Hebrew": (0x5D0, 26), "Devanagari": (0x905, 52), "Cyrillic": (0x430, 31),
}  # fmt: skip
STALE = """windows-1251 KOI8-R IBM866 x-mac-cyrillic ISO-8859-5 ISO-8859-7 windows-1253 windows-1255
    windows-874 windows-1256 windows-1250 ISO-8859-2 windows-1257 macintosh GBK Big5 Shift_JIS EUC-JP"""


@pytest.mark.long
@each("script", SCRIPTS)
@each("label", STALE.split())
def test_one_lost_byte_leaves_utf8_of_every_script_what_it_is(label: str, script: str) -> None:
    """Also of scripts in which few feeds are written, in which some hundreds of letters may stand."""
    first, letters = SCRIPTS[script]
    for size in (8, 20, 300):
        chance = random.Random(f"{script} {label} {size}")
        words = (chr(first + chance.randrange(letters)) + " " * (chance.random() < 0.2) for _ in range(size))
        text = "".join(words).strip().encode()
        lost = chance.choice([at for at, byte in enumerate(text) if 0x80 <= byte < 0xC0])
        body = b"<?xml version='1.0' encoding='%b'?><a>%b%b</a>" % (
            label.encode(),
            text[:lost],
            text[lost + 1 :],
        )
        assert decode(body).resolution.encoding == "UTF-8", (size, text)


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("windows-1252", "MAÇÃ\u00a0\n"),
        ("windows-1252", "CAFÉ»"),
        ("ISO-8859-3", "Êşiya"),
        ("ISO-8859-10", "Čīle"),
        ("IBM775", "PŪŠKINO"),
        ("ISO-8859-2", "PÄŤDESIAT"),
        ("GB18030", "价格￥1200"),
        ("GB18030", "联通"),
    ],
)
def test_honest_words_that_are_utf8_by_chance_stay(label: str, text: str) -> None:
    codec = by_name(label).codec or ""
    document = f"<?xml version='1.0' encoding='{label}'?><a>{text}</a>".encode(codec)
    assert decode(document, declaration="keep").text == document.decode(codec)


@each("title", ["’ναι", "’σαι καλά", "’κείνος ο καιρός", "’γώ κι εσύ", "’μένα", "’αγαπώ"])
@each("others", [0, 1, 40])
def test_an_apostrophe_before_a_greek_word_is_no_letter(title: str, others: int) -> None:
    items = f"<title>{title}</title>" + "<title>Ειδήσεις από την Ελλάδα</title>" * others
    document = f"<?xml version='1.0' encoding='ISO-8859-7'?><rss>{items}</rss>"
    found = decode(document.encode("iso8859_7"), declaration="keep")
    assert (found.text, found.resolution.encoding) == (document, "ISO-8859-7")


@each("title", ["Άνθρωπος", "Άρης", "Άλλα νέα", "Άγιος Νικόλαος", "Άσε με", "Άμεση δράση", "της Άννας"])
def test_a_capital_of_the_other_greek_page_is_a_letter(title: str) -> None:
    document = f"<?xml version='1.0' encoding='ISO-8859-7'?><rss><title>{title}</title></rss>"
    found = decode(document.encode("cp1253"), declaration="keep")
    assert (found.text, found.resolution.encoding) == (document, "windows-1253")


@each(
    ("label", "words"),
    [
        (
            "windows-1250",
            "přisekat přisekávání přisekávaný přisekávat přisekl přiseknout přiseknutí přiseknutý",
        ),
        ("ISO-8859-2", "třináctimístný třináctina třináctinásobek třináctinásobný třináctipatrový"),
        ("windows-1250", "Dürich Ďurik Ďurík Ďuriková Ďuríková Durilová Ďurina Ďurinda Ďurindová Ďuriník"),
        (
            "ISO-8859-2",
            "arménčin arménčinách arménčinám arménčinami arménčina Arménia Arménie Arménii Arménka",
        ),
    ],
)
def test_a_page_of_a_dictionary_is_read_by_its_label(label: str, words: str) -> None:
    document = f"<?xml version='1.0' encoding='{label}'?><rss>{words}</rss>"
    found = decode(document.encode(by_name(label).codec or ""), declaration="keep")
    assert (found.text, found.resolution.encoding) == (document, label)
