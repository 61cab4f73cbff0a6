"""The lenient chain: every step and every principle has a case that it alone decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.cases import rome_rows
from support.lenient_cases import CASES, decided, decided_slowly, options_of

from feedcharset.decide import lenient, principles
from feedcharset.decide.lenient import STEPS, is_mixture, replay, shape_of
from feedcharset.decide.principles import PRINCIPLES, Candidate, fits_shape, in_order
from feedcharset.decide.resolving import resolve
from feedcharset.errors import ResolutionError
from feedcharset.evidence.charsets import NAMES, by_name, lookup
from feedcharset.evidence.window import LOOKAHEAD
from feedcharset.results import Facts, Resolution, Step


def told(step: Step) -> str:
    """A step in the words of the table: "1.2 refused GBK by 4"."""
    words = [step.id, step.verdict]
    if step.encoding is not None:
        words.append(step.encoding)
    if step.verdict == "refused":
        words += ["by", step.why.removeprefix("principle ")[0]]
    return " ".join(words)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_table(case: dict[str, Any]) -> None:
    resolution, expected = decided(case), case["expected"]
    assert (resolution.encoding, resolution.rule) == (expected["encoding"], expected["rule"])
    assert [told(step) for step in resolution.steps] == expected["steps"]
    charset = by_name(by_name(resolution.encoding).superset)
    assert resolution.codec == (None if is_mixture(resolution) else charset.codec)
    assert resolution.lenient is True
    assert resolution.policy == case.get("policy", "rfc3023")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_a_resolution_replays_from_its_facts(case: dict[str, Any]) -> None:
    resolution, options = decided(case), options_of(case)
    options = {name: options[name] for name in ("policy", "default_encoding") if name in options}
    assert replay(resolution.facts, **options) == resolution


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_short_ways_give_the_same_resolution(case: dict[str, Any]) -> None:
    """What is remembered, and the short way of well-formed UTF-8, change nothing."""
    assert decided(case) == decided_slowly(case) == decided(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
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
            patch.setattr(lenient, "PRINCIPLES", rest)
            patch.setattr(principles, "PRINCIPLES", rest)
            outcomes[taken.id] = [outcome(case) for case in CASES]
    alone = decides_alone(outcomes, right)
    assert all(alone.values()), alone
    assert set(alone) == {1, 2, 3, 4, 5}


def test_every_step_alone_decides_some_case(right: list[str]) -> None:
    proposals = lenient._proposals

    def without(taken: str) -> Any:
        def some(*args: Any) -> Iterator[Candidate | Step]:
            for proposal in proposals(*args):
                if not isinstance(proposal, Candidate) or proposal.step != taken:
                    yield proposal

        return some

    outcomes = {}
    for step in STEPS:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lenient, "_proposals", without(step.id))
            if step.id == "L5":
                patch.setattr(lenient, "_by_shape", lambda trial: None)
            elif step.id == "L6":
                patch.setattr(lenient, "_detected", lambda numbers: iter(()))
            elif step.id == "L7":
                patch.setattr(lenient, "_least_damage", lambda trial: None)
            outcomes[step.id] = [outcome(case) for case in CASES]
    alone = decides_alone(outcomes, right)
    assert all(alone.values()), {step: cases for step, cases in alone.items() if not cases}
    assert [*alone] == ["L0", "L1", "L2", "L3", "L4", "L5", "L6", "L7"]


def test_the_skipped_bom_alone_decides_some_case(right: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lenient, "_without_bom", lambda trial: None)
    changed = [case["why"] for case, before in zip(CASES, right, strict=True) if outcome(case) != before]
    assert len(changed) == 2
    assert all(why.startswith("a UTF-8 BOM before windows-1251") for why in changed)


def test_steps_and_principles_are_rows_with_sentences() -> None:
    for step in STEPS:
        assert step.sentence
        assert step.origin
    assert [principle.id for principle in PRINCIPLES] == [1, 2, 3, 4, 5]
    assert [principle.always for principle in PRINCIPLES] == [True, True, False, False, False]
    assert all(len(principle.sentence) > 15 and principle.name for principle in PRINCIPLES)


LABELS = st.sampled_from([*NAMES, "nope", "utf8mb4", "latin1", "", "x" * 100, "ISO-10646-UCS-2"])
CONTENT_TYPES = st.one_of(
    st.none(),
    st.sampled_from(["", "text/xml", "application/rss+xml", "text/html", "text/plain"]),
    st.builds("{}; charset={}".format, st.sampled_from(["text/xml", "a/x+xml", "text/html", "a/b"]), LABELS),
    st.builds('text/xml; charset="{}"'.format, LABELS),
)
DEFAULTS = st.none() | st.sampled_from([name for name in NAMES if lookup(name) and by_name(name).decodable])
POLICIES = st.sampled_from(["rfc3023", "rfc7303"])


@given(LABELS, CONTENT_TYPES, POLICIES, DEFAULTS, st.booleans())
def test_while_all_is_ascii_only_the_first_two_principles_are_asked(
    label: str, content_type: str | None, policy: str, default: str | None, complete: bool
) -> None:
    """While everything seen is ASCII, 3 to 5 are not asked and the answer stands, provisionally."""

    def fail(candidate: Any, case: Any) -> str | None:
        raise AssertionError("asked")

    asked = tuple(one if one.always else one._replace(refuses=fail) for one in PRINCIPLES)
    document = f"<?xml version='1.0' encoding='{label}'?><rss>all ASCII</rss>".encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lenient, "PRINCIPLES", asked)
        options = {"policy": policy, "default_encoding": default, "complete": complete}
        resolution = decided_slowly({"octets": document, "content_type": content_type, **options})
    assert by_name(resolution.encoding).ascii_compatible
    assert resolution.steps[-1].verdict == ("answer" if complete else "provisional")
    assert resolution.facts.body.utf8 is None


PIECES = st.sampled_from(
    [
        *(
            b"<rss>",
            b" ",
            b"A",
            b"e",
            b"\n",
            b"\x1b",
            b"\x1b$B",
            b"F|",
            b"\x1b(B",
            b"\0",
            b"\0<",
            b"<\0",
            b"?>",
        ),
        *(
            b"\xef\xbb\xbf",
            b"\xff\xfe",
            b"\xfe\xff",
            b"\xe9",
            b"\xff",
            b"\x80",
            b"\x94",
            b"\xb0\xa1",
            b"\xe4\xbd",
        ),
        *("é".encode(), "é à ü".encode(), "“".encode(), "日本語".encode(), "привет".encode(), "😀".encode()),
        *(
            "привет".encode("cp1251"),
            "日本語".encode("gbk"),
            "日本語".encode("shift_jis"),
            "é".encode("latin-1") * 9,
        ),
        *(("日本語" * 9).encode("gbk"), ("é à ü ï ö ñ ç ".encode())),
        *(b"\x4c\x6f\xa7\x94\x93\x40", b"<html>", b"%PDF-", b"\x1f\x8b\x08"),
    ]
)
BODIES = st.lists(PIECES, max_size=10).map(b"".join) | st.binary(max_size=60)


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """A body, perhaps behind a declaration in some encoding."""
    body = draw(BODIES)
    if draw(st.booleans()):
        codec = draw(
            st.sampled_from(["ascii", "ascii", "ascii", "utf-8-sig", "utf-16-le", "utf-32-be", "cp037"])
        )
        body = f"<?xml version='1.0' encoding='{draw(LABELS)}'?>".encode(codec) + body
    return body


@settings(max_examples=1000)
@given(documents(), CONTENT_TYPES, POLICIES, DEFAULTS, st.booleans(), st.none() | LABELS)
@example(b"<rss>\xff</rss>", None, "rfc3023", "UTF-16", True, None)
def test_lenient_always_answers_and_replays(
    document: bytes,
    content_type: str | None,
    policy: str,
    default: str | None,
    complete: bool,
    detected: str | None,
) -> None:
    """It never raises because of what a document holds, and a resolution replays from its facts."""
    options: Any = {"policy": policy, "default_encoding": default}

    def detector(octets: bytes) -> str | None:
        return detected

    resolution = resolve(document, content_type, complete=complete, detector=detector, **options)
    charset = by_name(resolution.encoding)
    assert charset.decodable
    assert charset.name not in ("UTF-16", "UTF-32")
    assert replay(resolution.facts, **options) == resolution
    case = {
        "octets": document,
        "content_type": content_type,
        "complete": complete,
        "detector": detected,
        **options,
    }
    assert decided_slowly(case) == resolution


def settled(resolution: Resolution) -> bool:
    """No principle objected."""
    return not any(step.verdict == "refused" for step in resolution.steps)


def read_alike(one: Facts, other: Facts) -> bool:
    """They read the same label and declaration, BOM and guess."""
    return all(getattr(one, name) == getattr(other, name) for name in ("bom", "guess", "declared", "charset"))


def test_where_strict_accepts_and_no_principle_objects_lenient_agrees() -> None:
    """Where strict accepts, no principle objects, and strict and lenient read the same label and declaration,
    lenient gives the same encoding."""
    agreed = 0
    for row in rome_rows():
        try:
            strict = resolve(row.body, row.content_type, lenient=False)
        except ResolutionError:
            continue
        answer = resolve(row.body, row.content_type, complete=True)
        if settled(answer) and read_alike(answer.facts, strict.facts):
            assert answer.encoding == strict.encoding, row
            assert answer.rule == strict.rule, row
            agreed += 1
    assert agreed == 705  # most of the matrix contradicts itself on purpose


@settings(max_examples=1000)
@given(documents(), CONTENT_TYPES, POLICIES)
def test_where_strict_accepts_and_no_principle_objects_lenient_agrees_on_any_document(
    document: bytes, content_type: str | None, policy: str
) -> None:
    """Where strict accepts, no principle objects, and strict and lenient read the same label and declaration,
    lenient gives the same encoding."""
    try:
        strict = resolve(document, content_type, lenient=False, policy=policy)
    except ResolutionError:
        return
    answer = resolve(document, content_type, policy=policy, complete=True)
    known = all(
        lookup(label or "") == lookup(label or "", lenient=True)
        for label in (strict.facts.declared, strict.facts.charset)
    )
    if settled(answer) and read_alike(answer.facts, strict.facts) and known:
        assert answer.encoding == strict.encoding


SINGLE = [name for name in NAMES if by_name(name).family in ("single", "US-ASCII")]
WORDS = st.text(st.characters(min_codepoint=0x80, exclude_categories=["Cs", "Cc"]), min_size=8, max_size=40)


@st.composite
def damaged_utf8(draw: st.DrawFn) -> bytes:
    """Words of UTF-8, seven sequences and more, and one more character that has lost or gained an octet."""
    text = draw(WORDS)
    spaced = draw(st.sampled_from(["", " ", "e", "<b>"])).join(text)
    at = draw(st.integers(0, len(text) - 1))
    whole = [char.encode() for char in spaced]
    beyond = [index for index, octets in enumerate(whole) if len(octets) > 1]
    octets = whole[beyond[at]]
    cut = draw(st.integers(0, len(octets) - 1))
    instead = draw(st.sampled_from([b"", b"?", b"\xff", b"\xe9", b"<", b"\xc3", b" "]))
    inserted = draw(st.booleans())
    whole[beyond[at]] = octets[:cut] + instead + octets[cut + (not inserted) :]
    return b"".join(whole)


@settings(max_examples=1000)
@given(damaged_utf8(), st.sampled_from(SINGLE), st.sampled_from(["text/xml", "application/atom+xml"]))
@example("à é ï õ ü ç ñ ".encode() + b"\xc3<b/>\xa9", "windows-1251", "text/xml")
@example("é é é é é é é ".encode() + b"\xc3<b/>\xa9", "KOI8-R", "text/xml")
def test_true_utf8_is_never_beaten_by_a_stale_label(body: bytes, stale: str, media_type: str) -> None:
    """True UTF-8 of 7 sequences or more with one damaged character is never beaten by a stale single-byte
    label in the other witness, either way round."""
    for declared, charset in ((stale, "UTF-8"), ("UTF-8", stale)):
        document = f"<?xml version='1.0' encoding='{declared}'?><t>".encode() + body + b"</t>"
        resolution = resolve(document, f"{media_type}; charset={charset}", complete=True)
        assert resolution.encoding == "UTF-8", resolution.explain()


@settings(max_examples=1000)
@given(damaged_utf8(), st.sampled_from(SINGLE))
def test_true_utf8_behind_a_bom_is_never_beaten_by_a_stale_label(body: bytes, stale: str) -> None:
    """The BOM is a witness too."""
    document = f"\ufeff<?xml version='1.0' encoding='{stale}'?><t>".encode() + body + b"</t>"
    assert resolve(document, complete=True).encoding == "UTF-8"
    assert resolve(document, f"text/xml; charset={stale}", complete=True).encoding == "UTF-8"


def test_the_window_opens_wherever_the_first_octet_over_7f_stands() -> None:
    """The first octet over 7F, wherever it is in the stream, opens the look-ahead window."""
    for far in (10, 100_000, 3_000_000):
        document = b"<rss>" + b" " * far + "é и".encode()
        resolution = resolve(document, "text/xml; charset=koi8-r", complete=True)
        assert resolution.facts.body.high == 5 + far
        assert resolution.encoding == "KOI8-R"
    assert resolve(b"<rss>" + b"x" * 3_000_000 + b"\xe9", complete=True).encoding == "windows-1252"


def test_what_stands_behind_the_window_is_not_seen() -> None:
    near = b"\xc3\xa9" + b"x" * (LOOKAHEAD - 3) + b"\xe9"
    far = b"\xc3\xa9" + b"x" * (LOOKAHEAD - 2) + b"\xe9"
    assert resolve(near, complete=True).facts.body.utf8 == (1, 1)
    assert resolve(far, complete=True).facts.body.utf8 == (None, 0)
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
        assert resolve(document, complete=True).rule == "L7"


def test_a_server_default_is_named() -> None:
    declared = "<?xml version='1.0' encoding='windows-1251'?>привет".encode("cp1251")
    for label in ("ISO-8859-1", "latin1", '"\fl1"'):
        resolution = resolve(declared, f"text/xml; charset={label}", complete=True)
        assert resolution.encoding == "windows-1251"
        assert "a charset of ISO-8859-1 is often a server's default" in resolution.steps[0].why


def test_the_least_damage_cites_no_rule() -> None:
    assert resolve(b"<rss>\xe9", complete=True).steps[-1][-1] == ""


def test_a_long_label_is_shown_short() -> None:
    for size, shown in ((64, "x" * 64), (65, "x" * 61 + "..."), (3000, "x" * 61 + "...")):
        resolution = resolve(f"<?xml version='1.0' encoding='{'x' * size}'?>".encode())
        why = f"principle 1: {shown!r} names no charset that this library knows"
        assert resolution.steps[0].why == why


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (b"<?xml version='1.0' encoding='utf-16'?>", "the octets are ASCII-compatible, UTF-16 is not"),
        (b"\xef\xbb\xbf<?xml version='1.0' encoding='gbk'?>", "the BOM says UTF-8"),
        ("<rss/>".encode("utf-16-le"), "the pattern of the octets says UTF-16LE"),
        (b"\xff\xfe<rss/>", "the pattern of the octets says ASCII"),
        (b"<?xml version='1.0' encoding='utf-7'?>", "UTF-7 is refused: it spells markup"),
    ],
)
def test_the_first_principles_say_what_speaks_against_a_label(document: bytes, why: str) -> None:
    refused = [step.why for step in resolve(document).steps if step.verdict == "refused"]
    assert refused[0].partition(": ")[2].startswith(why)


@pytest.mark.parametrize(
    ("bom", "guess", "pattern", "shape"),
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
def test_shape(bom: str | None, guess: str | None, pattern: str | None, shape: str | None) -> None:
    """The BOM, unless the guess after it is of another family; else the pattern."""
    facts = Facts(bom, guess)
    assert shape_of(facts._replace(body=facts.body._replace(pattern=pattern))) == shape


@pytest.mark.parametrize(
    ("name", "shape", "fits"),
    [
        *[
            (name, shape, True)
            for name in ("UTF-8", "GBK", "KOI8-R", "ISO-2022-JP")
            for shape in (None, "ASCII")
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
def test_fits_shape(name: str, shape: str | None, fits: bool) -> None:
    assert fits_shape(by_name(name), shape) is fits


@pytest.mark.parametrize(
    ("name", "shape", "ordered"),
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
def test_in_order(name: str, shape: str | None, ordered: str) -> None:
    """A generic UTF-16 or UTF-32 takes the order of the BOM or the pattern."""
    assert in_order(by_name(name), shape) == by_name(ordered)
    assert in_order(None, shape) is None
