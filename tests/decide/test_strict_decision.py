"""The strict decision: the words, the rows that fire, what becomes of them, and what can be read."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import load, rfc_examples, rome_rows
from support.each import each
from support.strict_cases import document_of, rfc_expected

from feedcharset.charsets.lookup import lookup
from feedcharset.decide.published_tables import Row
from feedcharset.decide.resolve import resolve
from feedcharset.decide.strict_decision import (
    Words,
    apply_rules,
    family_of,
    fired_rows,
    first_fit,
    readable,
    reduce_facts,
    refusal,
    steps_of,
)
from feedcharset.errors import EncodingConflict, NotXmlMediaType, ResolutionError, UnknownEncoding
from feedcharset.results import Resolution
from feedcharset.results.facts import Facts


@each(
    ("facts", "expected"),
    [
        (Facts(), Words("raw", "NONE", "none", "none", "none", "none")),
        (Facts(content_type=""), Words("http", "NONE", "none", "none", "none", "none")),
        (
            Facts(charset="utf-16le", content_type="x"),
            Words("http", "NONE", "UTF-16BE/LE", "none", "none", "none"),
        ),
        (Facts(charset="", content_type="x"), Words("http", "NONE", "other", "none", "none", "none")),
        (
            Facts(charset="ucs-4", content_type="x"),
            Words("http", "NONE", "other", "none", "none", "none"),
        ),
        (
            Facts(bom="UTF-16LE", guess="UTF-16LE", declared="utf-16"),
            Words("raw", "NONE", "none", "UTF-16", "agrees", "agrees"),
        ),
        (
            Facts(bom="UTF-16LE", guess="UTF-8", declared="utf-16be"),
            Words("raw", "NONE", "none", "UTF-16", "contradicts", "contradicts"),
        ),
        (
            Facts(guess="UTF-16BE", declared="utf-16"),
            Words("raw", "NONE", "none", "none", "UTF-16", "generic"),
        ),
        (
            Facts(guess="UTF-8", declared="utf-16"),
            Words("raw", "NONE", "none", "none", "other", "other"),
        ),
        (
            Facts(guess="EBCDIC", declared="cp037"),
            Words("raw", "NONE", "none", "none", "other", "other"),
        ),
        (Facts(bom="UTF-8", declared="utf8"), Words("raw", "NONE", "none", "UTF-8", "none", "agrees")),
    ],
)
def test_the_words_of_facts(facts: Facts, expected: Words) -> None:
    assert reduce_facts(facts) == expected


def test_misspelt_labels_are_known_when_lenient_alone() -> None:
    facts = Facts(bom="UTF-8", declared="utf_8")
    assert reduce_facts(facts).declared == "contradicts"
    assert reduce_facts(facts, lenient=True).declared == "agrees"


@pytest.mark.parametrize(
    ("encoding", "family"),
    [("UTF-16BE", "UTF-16"), ("UTF-32LE", "UTF-32"), ("UTF-8", "UTF-8"), ("GBK", "other")],
)
def test_the_family_of_an_encoding(encoding: str, family: str) -> None:
    assert family_of(encoding) == family


RAW = reduce_facts(Facts())


def row(name: str, **when: tuple[str, ...]) -> Row:
    return Row(name, when, "UTF-8", "why", "spec")


def test_the_first_row_that_fits_decides() -> None:
    rows = [row("a", bom=("UTF-8",)), row("b", bom=("none",), declared=("other",)), row("c"), row("d")]
    assert first_fit(rows, RAW).id == "c"


def test_a_row_may_hand_over_to_the_raw_rules() -> None:
    words = reduce_facts(Facts(content_type="application/xml", media_class="APP-XML", declared="koi8-r"))
    assert [one.id for one in fired_rows("rfc3023", words)] == ["2.0", "1.2"]
    assert fired_rows("rfc3023", words) is fired_rows("rfc3023", words)


@pytest.mark.parametrize(
    ("facts", "source", "encoding"),
    [
        (Facts(), "default", "UTF-8"),
        (Facts(declared="latin1"), "declaration", "ISO-8859-1"),
        (Facts(declared="nope"), "declaration", "nope"),
        (Facts(bom="UTF-16LE"), "BOM", "UTF-16LE"),
        (Facts(guess="UTF-16BE", declared="utf-16"), "guess", "UTF-16BE"),
        (Facts(content_type="x", media_class="TEXT-XML", charset="gbk"), "charset", "GBK"),
        (Facts(content_type="x", media_class="OTHER"), "", None),
    ],
)
def test_what_names_the_answer(facts: Facts, source: str, encoding: str | None) -> None:
    answer = apply_rules(facts)
    assert (answer.source, answer.encoding) == (source, encoding)


def test_a_default_replaces_the_default_alone() -> None:
    assert apply_rules(Facts(), default_encoding="gbk").encoding == "GBK"
    assert apply_rules(Facts(declared="koi8-r"), default_encoding="gbk").encoding == "KOI8-R"


@pytest.mark.parametrize(
    ("facts", "kind", "rule"),
    [
        (Facts(bom="UTF-8", declared="gbk"), EncodingConflict, "1.4"),
        (Facts(content_type="text/plain", media_class="OTHER"), NotXmlMediaType, "2.6"),
    ],
)
def test_a_refusal_names_the_rule_what_was_seen_and_what_to_do(
    facts: Facts, kind: type[Exception], rule: str
) -> None:
    answer = apply_rules(facts)
    error = refusal(answer, facts)
    assert type(error) is kind
    assert (error.rule, error.facts, error.steps) == (rule, facts, steps_of(answer))
    message = str(error)
    assert message.startswith(f"rule {rule}: ")
    assert all(repr(value) in message for value in (facts.bom, facts.declared, facts.content_type) if value)
    assert message.endswith("or read with lenient=True")


def test_a_long_label_is_cut_in_a_refusal() -> None:
    facts = Facts(bom="UTF-8", declared="x" * 5000)
    seen = str(refusal(apply_rules(facts), facts)).partition("; seen: ")[2].partition(";")[0]
    assert seen == "BOM 'UTF-8', " + "declaration '".ljust(120, "x")


ERRORS = {"EncodingConflict": EncodingConflict, "NotXmlMediaType": NotXmlMediaType}
DECISIONS = load("decisions")


def strictly(document: bytes, content_type: str | None, policy: str = "rfc3023") -> Resolution:
    """The strict decision."""
    return resolve(document, content_type, lenient=False, policy=policy)


@pytest.mark.parametrize(
    ("step", "counts"), [(9, None), pytest.param(1, (12_883, 659), marks=pytest.mark.long)]
)
def test_as_rome_and_commons_io(step: int, counts: tuple[int, int] | None) -> None:
    """The same encoding as both Java readers where they agree, as commons-io for UTF-32."""
    agreed = alone = 0
    for row in [*rome_rows()][::step]:
        try:
            answer = strictly(row.body, row.content_type).encoding.upper()
        except ResolutionError:
            answer = "ERROR"
        assert answer == row.expected, row
        agreed, alone = agreed + row.both, alone + (not row.both)
    assert counts in (None, (agreed, alone))


# Examples that can be decided, and not decoded.
NOT_DECODABLE = {
    "3023-8.4": "ISO-2022-KR is refused: Python's decoder of it is not safe",
    "3023-8.8": "ISO-2022-KR is refused: Python's decoder of it is not safe",
    "3023-8.5a": "text/xml without a charset is US-ASCII, and the entity is UTF-16",
    "3023-8.5b": "text/xml without a charset is US-ASCII, and the entity is UTF-16",
    "7303-8.7": "ISO-2022-KR is refused: Python's decoder of it is not safe",
}

RFC_EXAMPLES = [
    pytest.param(policy, example, entity, id=f"{example['id']} {entity[:4].hex()}")
    for policy, part in (
        ("rfc3023", "examples"),
        ("rfc7303", "examples"),
        ("rfc7303", "derived_same_rule_other_media_types"),
        ("rfc7303", "extra_from_section_3"),
    )
    for example, entity in rfc_examples(policy, part)
]


@each(("policy", "example", "entity"), RFC_EXAMPLES)
def test_as_the_rfc_says(policy: str, example: dict[str, Any], entity: bytes) -> None:
    resolution = strictly(entity, example["content_type"], policy)
    assert resolution.encoding.lower() == rfc_expected(example, entity)
    assert resolution.policy == policy
    if resolution.codec is None:
        assert example["id"].partition("@")[0] in NOT_DECODABLE
        with pytest.raises(UnknownEncoding, match="not safe"):
            readable(resolution)
        return
    assert readable(resolution).codec == resolution.codec
    try:
        text = entity.decode(resolution.codec)
    except UnicodeDecodeError:
        assert example["id"] in NOT_DECODABLE
        assert example["decodable"] is False
    else:
        assert text == example["entity_prefix"].replace("{BOM}", "\ufeff")


def test_the_number_of_examples() -> None:
    assert len({example["id"] for example, _ in rfc_examples("rfc3023")}) == 25
    assert len({example["id"] for example, _ in rfc_examples("rfc7303")}) == 12
    others = [example for example, _ in rfc_examples("rfc7303", "derived_same_rule_other_media_types")]
    media_types = {example["content_type"].partition(";")[0] for example in others}
    assert len(media_types) == 8
    assert "image/svg+xml" in media_types
    assert len({example["id"] for example in others}) == 8 * 12


@each("case", DECISIONS, ids=lambda case: f"{case['rule']} {case['why']}")
def test_decisions(case: dict[str, Any]) -> None:
    document, content_type, policy = document_of(case), case["content_type"], case["policy"]
    if case["error"] is None:
        resolution = strictly(document, content_type, policy)
        assert (resolution.encoding, resolution.rule) == (case["encoding"], case["rule"])
        charset = lookup(resolution.encoding)
        assert resolution.codec == (charset.codec if charset else None)
        assert resolution.lenient is False
        assert [step.verdict for step in resolution.steps] == ["nothing"] * case["rule"].count("/") + [
            "answer"
        ]
        assert resolution.steps[-1].encoding == case["encoding"]
    else:
        with pytest.raises(ERRORS[case["error"]]) as raised:
            strictly(document, content_type, policy)
        assert raised.value.rule == case["rule"]
        assert raised.value.steps[-1].verdict == "error"
        assert raised.value.steps[-1].encoding is None


@each("case", [case for case in DECISIONS if case["error"]], ids=lambda case: f"{case['rule']} {case['why']}")
def test_an_error_says_what_was_seen_why_and_what_to_do(case: dict[str, Any]) -> None:
    with pytest.raises(ResolutionError) as raised:
        strictly(document_of(case), case["content_type"], case["policy"])
    error = raised.value
    message = str(error)
    assert message.startswith(f"rule {case['rule']}: ")
    assert error.steps[-1].why in message
    assert error.steps[-1].spec in message
    assert "read with lenient=True" in message
    assert error.facts is not None
    assert repr(error.facts.bom) in message or error.facts.bom is None
    assert [step.id for step in error.steps] == case["rule"].split("/")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.facts, again.rule, again.steps, again.stream) == (
        type(error), message, error.facts, error.rule, error.steps, None,
    )  # fmt: skip


def test_an_error_shows_no_megabyte() -> None:
    with pytest.raises(NotXmlMediaType) as raised:
        strictly(b"<rss/>", "x" * 1_000_000)
    assert len(str(raised.value)) < 600


@pytest.mark.parametrize("policy", ["rfc3023", "rfc7303"])
def test_default_encoding_replaces_the_defaults(policy: str) -> None:
    """The default of 1.0 and 2.1 (and 3.6); never a label, a BOM or a guess."""

    def decided(document: bytes, content_type: str | None) -> str:
        return resolve(
            document, content_type, lenient=False, policy=policy, default_encoding="koi8-r"
        ).encoding

    assert decided(b"<rss/>", None) == "KOI8-R"
    assert decided(b"<?xml version='1.0'?>", "text/xml") == "KOI8-R"
    assert decided(b"<?xml version='1.0'?>", "application/xml") == "KOI8-R"
    assert decided(b"\xef\xbb\xbf<rss/>", None) == "UTF-8"
    assert decided(b"<?xml version='1.0' encoding='utf-8'?>", None) == "UTF-8"
    assert decided(b"<rss/>", "text/xml; charset=us-ascii") == "US-ASCII"


DECLARED = "<?xml version='1.0' encoding='{}'?>"
UNREADABLE = [
    (
        DECLARED.format("nope"),
        "ascii",
        None,
        UnknownEncoding,
        "'nope' cannot be read: no charset of that name",
    ),
    (DECLARED.format("utf-7"), "ascii", None, UnknownEncoding, "it can write markup"),
    (DECLARED.format("n" * 65), "ascii", None, UnknownEncoding, f"encoding '{'n' * 64}' cannot be read"),
    ("<rss/>", "ascii", 'text/xml; charset=""', UnknownEncoding, "'' cannot be read"),
    (DECLARED.format("utf-16"), "ascii", None, EncodingConflict, "UTF-16 is named, but neither"),
    (DECLARED.format("utf-32"), "utf-16-le", None, EncodingConflict, "UTF-32 is named, but neither"),
    ("<rss/>", "utf-16-le", None, EncodingConflict, "visibly UTF-16LE"),
    ("<rss>", "cp037", "application/rss+xml", EncodingConflict, "visibly EBCDIC"),
    ("<?xml version='1.0'?>", "utf-32-be", None, EncodingConflict, "visibly UTF-32BE"),
]


@each(("text", "codec", "content_type", "kind", "message"), UNREADABLE)
def test_what_is_decided_and_cannot_be_read(
    text: str, codec: str, content_type: str | None, kind: type[ResolutionError], message: str
) -> None:
    """`resolve` answers as published; reading raises."""
    resolution = strictly(text.encode(codec), content_type)
    with pytest.raises(kind) as raised:
        readable(resolution)
    assert message in str(raised.value)
    assert "lenient=True" in str(raised.value)
    assert (raised.value.facts, raised.value.rule) == (resolution.facts, resolution.rule)
    assert raised.value.steps == resolution.steps


@pytest.mark.parametrize("policy", ["rfc3023", "rfc7303"])
def test_a_default_is_held_against_the_bytes(policy: str) -> None:
    for default, document, fits in (
        ("UTF-8", "<rss>".encode("utf-16-le"), False),
        ("UTF-16LE", "<rss>".encode("utf-16-le"), True),
        ("UTF-16BE", "<rss>".encode("utf-16-le"), False),
        ("IBM037", "<rss>".encode("cp037"), True),
        ("UTF-16LE", b"<rss>", True),  # nothing speaks against the caller
    ):
        resolution = resolve(document, lenient=False, policy=policy, default_encoding=default)
        assert resolution.encoding == default
        if fits:
            assert readable(resolution).name == default
        else:
            with pytest.raises(EncodingConflict, match=r"rule (1\.0|3\.6) gives UTF-.*visibly UTF-16LE"):
                readable(resolution)


@pytest.mark.parametrize("name", ["UTF-8", "windows-1252", "GBK", "IBM1047", "UTF-16LE"])
def test_what_can_be_read(name: str) -> None:
    charset = lookup(name)
    assert readable(strictly(b"<rss/>", f"text/xml; charset={name}")) == charset


def test_a_policy_that_nobody_knows_is_refused() -> None:
    for lenient in (True, False):
        with pytest.raises(ValueError, match="policy is 'rfc2376'; pass 'rfc3023' or 'rfc7303'"):
            resolve(b"<rss/>", lenient=lenient, policy="rfc2376")


@pytest.mark.parametrize("label", ["nope", "utf-7", "", "x" * 1000])
def test_a_default_that_cannot_be_read_is_refused(label: str) -> None:
    for lenient in (True, False):
        with pytest.raises(UnknownEncoding, match=r"default_encoding is .*, which names no charset"):
            resolve(b"<rss/>", lenient=lenient, default_encoding=label)


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_any_bytes_like_head(kind: Any) -> None:
    head = b"<?xml version='1.0' encoding='gbk'?>"
    for lenient in (True, False):
        assert resolve(kind(head), lenient=lenient) == resolve(head, lenient=lenient)


@given(
    st.binary(max_size=40),
    st.none() | st.sampled_from(["", "text/xml", "a/x+xml", "text/xml; charset=utf-16"]),
)
def test_strict_raises_nothing_but_its_errors(document: bytes, content_type: str | None) -> None:
    """Where strict has no answer, `resolve` raises a ResolutionError that carries the facts and the rule."""
    for policy in ("rfc3023", "rfc7303"):
        error = None
        try:
            resolution = strictly(document, content_type, policy)
        except ResolutionError as caught:
            error = caught
        if error is None:
            assert resolution.steps[-1].encoding == resolution.encoding
        else:
            assert error.facts is not None
            assert error.rule
