"""The HTTP Content-Type: the standard's algorithm, then the named tolerances."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.cases import load
from support.each import each
from support.effort import growth

from feedcharset.charsets.lookup import lookup
from feedcharset.evidence.content_type import ContentType, as_field, classify, parse_content_type

CASES = load("content_types")
CLASSES = load("media_types")
MEANT = load("content_types_meant")


@each("case", CASES, ids=lambda case: case["why"])
def test_table(case: dict[str, Any]) -> None:
    found = parse_content_type(case["field"])
    assert found == ContentType(case["media_type"], case["charset"], tuple(case["tolerances"]))


@each("case", MEANT, ids=lambda case: case["why"])
def test_what_is_meant(case: dict[str, Any]) -> None:
    """Lenient reading asks it, where no known charset is named."""
    written, meant = parse_content_type(case["field"]), parse_content_type(case["field"], lenient=True)
    assert meant.charset == case["meant"]
    assert (meant.media_type, meant.charset) == (written.media_type, written.charset) or (
        meant
        == written._replace(
            charset=case["meant"],
            tolerances=(*written.tolerances, "the charset does not stand in a parameter charset="),
        )
    )


@each("case", CASES, ids=lambda case: case["why"])
def test_a_known_charset_is_what_is_meant(case: dict[str, Any]) -> None:
    if lookup(case["charset"] or "", lenient=True) is not None:
        assert parse_content_type(case["field"], lenient=True) == parse_content_type(case["field"])


@each("case", CLASSES, ids=lambda case: case["media_type"])
def test_class(case: dict[str, Any]) -> None:
    assert classify(case["media_type"]) == case["class"]
    if case["media_type"]:
        assert classify(parse_content_type(case["media_type"].upper()).media_type) == case["class"]


@each("case", CASES, ids=lambda case: case["why"])
def test_what_was_read_reads_the_same_when_written_well(case: dict[str, Any]) -> None:
    media_type, charset, _ = parse_content_type(case["field"])
    if media_type and charset is not None and not set(charset) & set("\0 é,'\""):
        tolerances = () if charset else ("the charset has no name",)
        written = f'{media_type}; charset="{charset}"'
        assert parse_content_type(written) == ContentType(media_type, charset, tolerances)


TOKEN = st.text("!#$%&*+-.^_`|~" + "019AZaz", min_size=1, max_size=8)
QUOTED = st.text(st.characters(min_codepoint=0x20, max_codepoint=0xFF, exclude_characters="\x7f"), max_size=8)


@st.composite
def parameters(draw: st.DrawFn) -> str:
    """A parameter other than charset, its value a token or a quoted string."""
    name = draw(TOKEN.filter(lambda name: name.lower() != "charset"))
    if draw(st.booleans()):
        return f"{name}={draw(TOKEN)}"
    value = draw(QUOTED).replace("\\", "\\\\").replace('"', '\\"')
    return f'{name}="{value}"'


@given(
    TOKEN, TOKEN, st.lists(parameters(), max_size=3), TOKEN, st.lists(parameters(), max_size=3), st.booleans()
)
def test_every_field_of_the_grammar(
    kind: str, subtype: str, before: list[str], charset: str, after: list[str], quoted: bool
) -> None:
    """RFC 9110 §5.6.6: parameters = *( OWS ";" OWS [ parameter ] ); a token and the same token quoted mean
    the same."""
    written = f'charset="{charset}"' if quoted else f"charset={charset}"
    field = " ; ".join([f"{kind}/{subtype}", *before, written, *after])
    assert parse_content_type(field) == ContentType(f"{kind}/{subtype}".lower(), charset)


PIECES = st.sampled_from(
    [
        "text/xml",
        "charset",
        "=",
        ";",
        ",",
        '"',
        "'",
        "\\",
        " ",
        "\t",
        "\n",
        "gbk",
        "a",
        "é",
        "\u0100",
        "\0",
        "/",
    ]
)


@given(st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=30))
@example('text/xml;charset="\\\n')
@example('"\\')
@example('text/xml; charset="\n')
def test_any_text(field: str) -> None:
    """Nothing raises, and what is told can be told again."""
    found = parse_content_type(field)
    meant = parse_content_type(field, lenient=True)
    assert meant.media_type == found.media_type
    assert meant.charset == found.charset or lookup(meant.charset or "", lenient=True) is not None
    assert found.media_type is None or found.media_type == found.media_type.strip().lower()
    assert (found.charset == "") <= ("the charset has no name" in found.tolerances)
    assert found.media_type is not None or "it holds no media type" in found.tolerances
    assert classify(found.media_type) in ("APP-XML", "TEXT-XML", "HTML", "OTHER", "NONE")


HOSTILE = {
    "semicolons": lambda n: "text/xml" + ";" * n + "charset='x'",
    "commas": lambda n: "text/xml" + "," * n + "charset='x'",
    "open quotes": lambda n: "text/xml;charset=" + '"' * n,
    "quoted quotes": lambda n: 'text/xml;charset="' + '\\"' * n,
    "backslashes": lambda n: 'text/xml;charset="' + "\\" * n,
    "equals signs": lambda n: "text/xml;charset" + "=" * n,
    "parameters": lambda n: "text/xml" + ";a=b" * n + ";charset=''",
    "quoted parameters": lambda n: "text/xml" + ';a="b"' * n + ";charset=''",
    "one long label": lambda n: "text/xml;charset='" + "x" * n,
    "white space": lambda n: "text/xml;charset" + " " * n + "='x'",
    "white space in a value": lambda n: "text/xml;charset='x" + " " * n + "'y",
    "unclosed and commas": lambda n: 'a="' + ",charset" * n,
    "colons": lambda n: "text/xml;charset" + ":" * n,
    "charset again and again": lambda n: "text/xml;" + "charset=" * n,
    "charset without a label": lambda n: "text/xml;" + "charset: " * n,
    "words": lambda n: "text/xml;" + "x;" * n,
}


@each("shape", HOSTILE)
def test_hostile_fields_take_linear_time(shape: str) -> None:
    small, large = HOSTILE[shape](3_000), HOSTILE[shape](30_000)
    assert growth(parse_content_type, small, large, most=40) < 40

    def leniently(field: str) -> ContentType:
        return parse_content_type(field, lenient=True)

    assert growth(leniently, small, large, most=40) < 40


def test_a_field_as_bytes_is_read_as_iso_8859_1() -> None:
    assert as_field(b"text/xml; charset=\xfctf-8") == "text/xml; charset=\xfctf-8"
    assert as_field(None) is None
    assert as_field("x") == "x"
    with pytest.raises(TypeError, match="content_type must be"):
        as_field(5)
