"""Strict decisions: as two Java readers, as both RFCs, and as the tables say."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import load, rfc_examples, rome_rows
from support.strict_cases import document_of, rfc_expected

from feedcharset.charsets.lookup import lookup
from feedcharset.decide.resolve import resolve
from feedcharset.decide.strict_decision import readable
from feedcharset.errors import EncodingConflict, NotXmlMediaType, ResolutionError, UnknownEncoding
from feedcharset.results import Resolution

ERRORS = {"EncodingConflict": EncodingConflict, "NotXmlMediaType": NotXmlMediaType}
DECISIONS = load("decisions")


def strictly(document: bytes, content_type: str | None, policy: str = "rfc3023") -> Resolution:
    """The strict decision."""
    return resolve(document, content_type, lenient=False, policy=policy)


def test_as_rome_and_commons_io() -> None:
    """The same encoding as both Java readers where they agree, as commons-io for UTF-32."""
    agreed = alone = 0
    for row in rome_rows():
        try:
            answer = strictly(row.body, row.content_type).encoding.upper()
        except ResolutionError:
            answer = "ERROR"
        assert answer == row.expected, row
        agreed, alone = agreed + row.both, alone + (not row.both)
    assert (agreed, alone) == (12_883, 659)


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


@pytest.mark.parametrize(("policy", "example", "entity"), RFC_EXAMPLES)
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


@pytest.mark.parametrize("case", DECISIONS, ids=lambda case: f"{case['rule']} {case['why']}")
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


@pytest.mark.parametrize(
    "case", [case for case in DECISIONS if case["error"]], ids=lambda case: f"{case['rule']} {case['why']}"
)
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
    ("<rss/>", "ascii", 'text/xml; charset=""', UnknownEncoding, "'' cannot be read"),
    (DECLARED.format("utf-16"), "ascii", None, EncodingConflict, "UTF-16 is named, but neither"),
    (DECLARED.format("utf-32"), "utf-16-le", None, EncodingConflict, "UTF-32 is named, but neither"),
    ("<rss/>", "utf-16-le", None, EncodingConflict, "visibly UTF-16LE"),
    ("<rss>", "cp037", "application/rss+xml", EncodingConflict, "visibly EBCDIC"),
    ("<?xml version='1.0'?>", "utf-32-be", None, EncodingConflict, "visibly UTF-32BE"),
]


@pytest.mark.parametrize(("text", "codec", "content_type", "kind", "message"), UNREADABLE)
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
