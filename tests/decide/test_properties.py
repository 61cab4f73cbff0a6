"""What lenient reading must do for every document, and what it must never do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.cases import rome_rows
from support.generated import generated
from support.lenient_cases import decided_slowly

from feedcharset.charsets.lookup import NAMES, by_name, lookup
from feedcharset.decide import lenient_chain
from feedcharset.decide.lenient_chain import replay
from feedcharset.decide.lenient_principles import PRINCIPLES
from feedcharset.decide.resolve import resolve
from feedcharset.errors import ResolutionError
from feedcharset.results import Facts, Resolution

LABELS = st.sampled_from([*NAMES, "nope", "utf8mb4", "latin1", "", "x" * 100, "ISO-10646-UCS-2"])
CONTENT_TYPES = st.one_of(
    st.none(),
    st.sampled_from(["", "text/xml", "application/rss+xml", "text/html", "text/plain"]),
    st.builds("{}; charset={}".format, st.sampled_from(["text/xml", "a/x+xml", "text/html", "a/b"]), LABELS),
    st.builds('text/xml; charset="{}"'.format, LABELS),
)
DEFAULTS = st.none() | st.sampled_from([name for name in NAMES if lookup(name) and not by_name(name).refused])
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
        patch.setattr(lenient_chain, "AS_TESTED", asked)
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


WORDS = st.builds(
    bytes.join,
    st.sampled_from([b"", b"a", b"world", b"News"]),
    st.lists(
        st.sampled_from([b"Hello", b"x", b"the", b"12", *(bytes([byte]) for byte in range(0x80, 0x100))])
    ),
)
BELARUSIAN = "наскальны наскандаліць наскарджуся наскрабяце".encode("mac_cyrillic")
LANGUAGES = st.sampled_from(
    [
        "",
        *(f" xml:lang='{one}'" for one in ("ar", "el", "fr", "he", "ja", "ko", "pl", "ru", "th", "tr", "vi")),
    ]
)


@generated(120, 1500, LABELS, CONTENT_TYPES, LANGUAGES, st.lists(WORDS, max_size=6), st.sampled_from([1, 9]))
@example("x-mac-cyrillic", None, "", [b"\xd2a\xd3"], 1)
@example("windows-1251", None, "", [b"Hello", b"\xd2world\xd3"], 1)
@example("windows-1257", None, " xml:lang='fr'", [b"\xc7a\xc8"], 1)
@example("x-mac-cyrillic", None, " xml:lang='el'", BELARUSIAN.split(), 1)
@example("x-mac-cyrillic", None, " xml:lang='th'", BELARUSIAN.split(), 9)
def test_words_and_signs_under_any_label(
    label: str, content_type: str | None, language: str, words: list[bytes], times: int
) -> None:
    """The letters are judged here, also where they are of a page that the label's tables do not have."""
    document = f"<?xml version='1.0' encoding='{label}'?><rss{language}>".encode() + b" ".join(words) * times
    resolution = resolve(document, content_type, complete=True)
    assert replay(resolution.facts) == resolution


@generated(100, 500, documents(), CONTENT_TYPES, POLICIES, DEFAULTS, st.booleans(), st.none() | LABELS)
@example(b"<rss>\xff</rss>", None, "rfc3023", "UTF-16", True, None)
@example(b"\xef\xf0\xe8\xe2\xe5\xf2", None, "rfc3023", None, False, "latin1")
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
    assert not charset.refused
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
    """No principle objected, and no letters show the Windows page that is labelled as its ISO sibling."""
    return not any(step.verdict == "refused" or step.id == "sibling" for step in resolution.steps)


def read_alike(one: Facts, other: Facts) -> bool:
    """They read the same label and declaration, BOM and guess."""
    return all(getattr(one, name) == getattr(other, name) for name in ("bom", "guess", "declared", "charset"))


@pytest.mark.long
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


@generated(100, 500, documents(), CONTENT_TYPES, POLICIES)
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
    """Words of UTF-8, seven sequences and more, and one more character that has lost or gained a byte."""
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


@generated(
    100, 500, damaged_utf8(), st.sampled_from(SINGLE), st.sampled_from(["text/xml", "application/atom+xml"])
)
@example("à é ï õ ü ç ñ ".encode() + b"\xc3<b/>\xa9", "windows-1251", "text/xml")
@example("é é é é é é é ".encode() + b"\xc3<b/>\xa9", "KOI8-R", "text/xml")
def test_true_utf8_is_never_beaten_by_a_stale_label(body: bytes, stale: str, media_type: str) -> None:
    """True UTF-8 of 7 sequences or more with one damaged character is never beaten by a stale single-byte
    label in the other witness, either way round."""
    for declared, charset in ((stale, "UTF-8"), ("UTF-8", stale)):
        document = f"<?xml version='1.0' encoding='{declared}'?><t>".encode() + body + b"</t>"
        resolution = resolve(document, f"{media_type}; charset={charset}", complete=True)
        assert resolution.encoding == "UTF-8", resolution.explain()


@generated(100, 500, damaged_utf8(), st.sampled_from(SINGLE))
def test_true_utf8_behind_a_bom_is_never_beaten_by_a_stale_label(body: bytes, stale: str) -> None:
    """The BOM is a witness too."""
    document = f"\ufeff<?xml version='1.0' encoding='{stale}'?><t>".encode() + body + b"</t>"
    assert resolve(document, complete=True).encoding == "UTF-8"
    assert resolve(document, f"text/xml; charset={stale}", complete=True).encoding == "UTF-8"
