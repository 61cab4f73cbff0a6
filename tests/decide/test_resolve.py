"""`resolve`, and the options of the caller."""

from __future__ import annotations

import copy
import json
import pickle
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each import each

from feedcharset.charsets.lookup import NAMES, by_name
from feedcharset.decide import resolve as opening_module
from feedcharset.decide.resolve import LONGEST_REMEMBERED, REMEMBERED, check_options, forced, resolve
from feedcharset.errors import UnknownEncoding
from feedcharset.evidence.detector import Letters
from feedcharset.evidence.document_head import gather_facts
from feedcharset.results.facts import Detected, Facts
from feedcharset.text.xml_decoder import decode

DECLARED = b"<?xml version='1.0' encoding='koi8-r'?>"


@each(
    ("encoding", "head", "lenient", "name", "codec"),
    [
        ("utf-8", b"<rss/>", True, "UTF-8", "utf_8"),
        ("utf-8", "<rss/>".encode("utf-16-le"), True, "UTF-8", "utf_8"),
        ("latin1", DECLARED, True, "ISO-8859-1", "cp1252"),
        ("latin1", DECLARED, False, "ISO-8859-1", "latin_1"),
        ("cp-1251", DECLARED, False, "windows-1251", "cp1251"),
        ("utf-16", "\ufeff<rss/>".encode("utf-16-le"), True, "UTF-16LE", "utf_16_le"),
        ("utf-16", "<rss/>".encode("utf-16-le"), False, "UTF-16LE", "utf_16_le"),
        ("utf-16", "<?xml version='1.0'?>".encode("utf-16-be"), False, "UTF-16BE", "utf_16_be"),
        ("utf-16", b"<rss/>", True, "UTF-16BE", "utf_16_be"),
        ("utf-16", "<rss/>".encode("utf-32-le"), True, "UTF-16BE", "utf_16_be"),
        ("utf-32", "\ufeff<rss/>".encode("utf-32-le"), True, "UTF-32LE", "utf_32_le"),
        ("utf-32", b"<rss/>", True, "UTF-32BE", "utf_32_be"),
        ("utf-16le", "\ufeff<rss/>".encode("utf-16-be"), True, "UTF-16LE", "utf_16_le"),
        ("ibm1047", b"<rss/>", True, "IBM1047", None),
    ],
)
def test_forced(encoding: str, head: bytes, lenient: bool, name: str, codec: str | None) -> None:
    """The caller's word; generic UTF-16 and UTF-32 in the order of the document, else big-endian."""
    facts = gather_facts(head, None, lenient=lenient)
    resolution = forced(encoding, facts, policy="rfc7303", lenient=lenient)
    assert resolution[:4] == (name, codec, "forced", ())
    assert resolution[4:] == (facts, "rfc7303", lenient)


@pytest.mark.parametrize("encoding", ["nope", "utf-7", "hz", "zlib", ""])
def test_forced_to_what_cannot_be_read(encoding: str) -> None:
    facts = gather_facts(b"<rss/>", None, lenient=True)
    with pytest.raises(UnknownEncoding, match=r"encoding is .*, which names no charset") as raised:
        forced(encoding, facts, policy="rfc3023", lenient=True)
    assert raised.value.facts == facts


@pytest.mark.parametrize("option", ["encoding", "default_encoding"])
def test_a_long_label_is_shortened_in_the_message(option: str) -> None:
    with pytest.raises(UnknownEncoding) as raised:
        decode(b"<rss/>", **{option: "x" * 10_000_000})
    assert len(str(raised.value)) < 200


@each("name", [name for name in NAMES if not by_name(name).refused])
def test_every_charset_can_be_a_default(name: str) -> None:
    if name.startswith("UCS-4"):
        return  # no label names the odd orders
    resolution = resolve(b"<rss/>", default_encoding=name)
    assert resolution.encoding == (name if by_name(name).ascii_compatible else "UTF-8")


OPENINGS = [
    (b"<?xml version='1.0'?><rss/>", b"<?xml version='1.0'?>"),
    (b"\xef\xbb\xbf<?xml version='1.0'?><rss/>", b"\xef\xbb\xbf<?xml version='1.0'?>"),
    (b"<?xml-stylesheet?><rss/>", b"<?xml-stylesheet?>"),
    (b"<?xml version='1.0'", None),
    (b"<rss/>", b"<a"),
    (b"\xef\xbb\xbf<rss/>", b"\xef\xbb\xbf<a"),
    (b"<html>", None),
    (b"<BODY>", None),
    (b"<!-- x -->", None),
    (b"<", None),
    (b"<\x80", None),
    (b"\n<?xml version='1.0'?>", None),
    (b"<\0?\0x\0m\0l\0", None),
    (b"", None),
]


@each(("head", "opening"), OPENINGS)
def test_declaration(head: bytes, opening: bytes | None) -> None:
    assert opening_module._declaration(head) == opening


def test_what_is_remembered_is_bounded() -> None:
    longest = b"<?xml".ljust(LONGEST_REMEMBERED - 2) + b"?>"
    assert opening_module._declaration(longest) == longest
    assert opening_module._declaration(b"<?xml".ljust(LONGEST_REMEMBERED - 1) + b"?>") is None
    opening_module._remembered.cache_clear()
    for size in (LONGEST_REMEMBERED, LONGEST_REMEMBERED + 1):
        resolve(DECLARED, "text/xml".ljust(size))
    assert opening_module._remembered.cache_info().currsize == 1
    for number in range(2 * REMEMBERED):
        resolve(f"<?xml version='1.{number}'?>".encode())
    assert opening_module._remembered.cache_info().currsize == REMEMBERED


def test_what_is_remembered_depends_on_everything_that_was_asked() -> None:
    """The same beginning under other options is another decision."""
    for _ in range(2):
        assert resolve(DECLARED).rule == "1.2"
        assert resolve(DECLARED, "text/xml").rule == "2.1"
        assert resolve(DECLARED, "text/xml", policy="rfc7303").rule == "3.5"
        assert resolve(DECLARED, "").rule == "L2"
        assert resolve(DECLARED, lenient=False).lenient is False
        assert resolve(b"<?xml?>", default_encoding="gbk").encoding == "GBK"
        assert resolve(b"<?xml?>").encoding == "UTF-8"
        assert resolve(DECLARED).steps[-1].verdict == "provisional"
        assert resolve(DECLARED, complete=True).steps[-1].verdict == "answer"


@pytest.mark.parametrize("lenient", [True, False])
def test_an_opening_in_ebcdic_is_remembered_with_its_code_page(lenient: bool) -> None:
    """The declaration is the same in all code pages; the text behind it shows which one it is."""
    opening_module._remembered.cache_clear()
    declaration = '<?xml version="1.0" encoding="%s"?>'
    for label, policy in (("IBM500", "rfc3023"), ("", "rfc7303"), ("nope", "rfc3023")):
        for codec, page in (("cp037", "IBM037"), ("cp500", "IBM500")) * 2:
            document = (declaration % label + "<a>![CDATA[x]]</a>").encode(codec)
            anew = opening_module._open(document, None, lenient, policy, None, True)
            assert (
                opening_module.open_document(document, None, lenient=lenient, policy=policy, complete=True)
                == anew
            )
            assert anew.decision.facts.body.code_page == page
    assert opening_module._remembered.cache_info().currsize == 6
    assert opening_module._remembered.cache_info().hits == 6


def test_the_detector_may_be_named() -> None:
    words = ("Сегодня утром в городе открылась новая библиотека. " * 20).encode("koi8-r")
    assert resolve(words, detector="letters", complete=True).encoding.startswith("KOI8")
    with pytest.raises(ValueError, match="a callable"):
        resolve(words, detector="guess", complete=True)  # type: ignore[arg-type]


def test_the_detector_sees_the_window_alone() -> None:
    seen: list[bytes] = []

    def detector(octets: bytes) -> str | None:
        seen.append(octets)
        return "koi8-r"

    document = b"<?xml version='1.0' encoding='nope'?><t>plain " + "привет".encode("koi8-r") + b"</t>"
    resolution = resolve(document, detector=detector, complete=True)
    assert (resolution.encoding, resolution.rule) == ("KOI8-R", "L6")
    assert seen == ["привет".encode("koi8-r") + b"</t>"]
    assert resolution.facts.body.detected == Detected("koi8-r", "caller")


DOCUMENTS: list[Any] = [
    (b"", None),
    (DECLARED, "text/xml; charset=utf-8"),
    (DECLARED + "привет".encode("koi8-r"), ""),
    (b"\xef\xbb\xbf" + DECLARED + b"\xff", "\x1b[31m\u202e" + "x" * 200),
    ("<rss/>".encode("utf-16-le"), None),
    ("<rss>".encode("cp037"), "application/rss+xml"),
    (b"<html>\xe9 \xc3\xa9", "text/html; charset=windows-1251"),
    (b"\x1f\x8b\x08" + b"\xff" * 40, None),
]


@pytest.mark.parametrize(("document", "content_type"), DOCUMENTS)
def test_a_resolution_is_frozen_pickles_and_tells_itself(document: bytes, content_type: str | None) -> None:
    resolution = resolve(document, content_type, complete=True)
    assert pickle.loads(pickle.dumps(resolution)) == resolution == copy.deepcopy(resolution)
    with pytest.raises(AttributeError):
        resolution.encoding = "UTF-8"  # type: ignore[misc]
    plain = resolution.as_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert list(plain) == list(resolution._fields)
    assert plain["facts"]["body"]["start"] == resolution.facts.body.start
    assert [step["id"] for step in plain["steps"]] == [step.id for step in resolution.steps]


@pytest.mark.parametrize(("document", "content_type"), DOCUMENTS)
def test_explain_lists_the_facts_and_the_steps(document: bytes, content_type: str | None) -> None:
    for lenient in (True, False):
        try:
            resolution = resolve(document, content_type, lenient=lenient, complete=True)
        except ValueError:
            continue
        text = resolution.explain()
        first, second, third = text.splitlines()[:3]
        assert first.startswith(f"Read as {resolution.encoding}")
        assert second == f"encoding: {resolution.encoding}  (rule {resolution.rule})"
        assert ("lenient" if lenient else "strict") in third
        for step in resolution.steps:
            assert f"  {step.id}: {step.verdict}" in text
            assert step.why in text
        assert max(map(len, text.splitlines())) < 300


def test_explain_names_everything_in_the_body() -> None:
    text = resolve(b"<html>\xe9 \xc3\xa9", complete=True).explain()
    assert "looks like HTML; first non-ASCII byte: 6; 1 UTF-8 sequence, 1 damaged run" in text
    text = resolve(b"\xef\xbb\xbf<rss>\xc3\xa9").explain()
    assert "begins at byte 3; first non-ASCII byte: 8; well-formed UTF-8 from there" in text
    text = resolve("<rss>".encode("cp037")).explain()
    assert "pattern EBCDIC; code page IBM037" in text
    assert "not known (no transport)" in text
    assert "Content-Type: absent" in resolve(b"<rss/>", "").explain()
    assert "all bytes seen are US-ASCII" in resolve(b"<rss/>", "").explain()
    strict = resolve("<rss>café</rss>".encode(), "text/xml", lenient=False).explain()
    assert "  body: not counted: labels decide\n" in strict
    for lenient in (True, False):
        read = decode("<rss>café</rss>".encode(), encoding="windows-1250", lenient=lenient).resolution
        assert "  body: not looked at\n" in read.explain()


def test_explain_counts_the_damage_of_a_label_that_is_followed() -> None:
    text = 4 * "今日は雨が降っているので、家で本を読もうと思います。"
    body = b"<?xml version='1.0' encoding='Shift_JIS'?><a>" + text.encode("cp932")
    for end, damage in ((b"</a>", ""), (b"\xfd</a>", "; 1 damaged run of bytes in Shift_JIS")):
        explained = resolve(body + end, complete=True).explain()
        assert f"\n  body: first non-ASCII byte: 45; not UTF-8{damage}\n" in explained


@given(st.text(max_size=120), st.text(max_size=60))
def test_explain_is_safe_on_a_terminal(content_type: str, label: str) -> None:
    """Nothing hostile reaches a terminal: controls and bidi controls are escaped."""
    document = f"<?xml version='1.0' encoding='{label}'?>".encode("utf-8", "replace")
    text = resolve(document, content_type).explain()
    assert all(char.isprintable() for line in text.split("\n") for char in line)


def test_explain_names_a_decoder_of_this_library() -> None:
    declared = "<?xml version='1.0' encoding='ibm1047'?>".encode("cp037")
    assert "codec: a decoder of this library" in resolve(declared).explain()


def test_options_that_are_fine() -> None:
    for policy in ("rfc3023", "rfc7303"):
        for default in (None, "koi8-r", "utf-16", "latin1"):
            check_options(policy, default, "letters")
    with pytest.raises(ValueError, match="policy is ''"):
        check_options("", None, "letters")


def test_what_a_detector_can_be() -> None:
    for detector in (None, "letters", Letters("cz"), lambda data: None):
        check_options("rfc3023", None, detector)
    for name in ("chardet", "cchardet", "", 3, b"letters", False):
        with pytest.raises(ValueError, match=r"pass 'letters', None, or a callable"):
            resolve(b"<a/>", detector=name)  # type: ignore[arg-type]


def test_text_is_refused() -> None:
    for lenient in (True, False):
        with pytest.raises(TypeError, match="a str is decoded already; pass the document's bytes"):
            resolve("<rss/>", lenient=lenient)  # type: ignore[arg-type]


@pytest.mark.parametrize("policy", ["rfc3023", "rfc7303"])
@pytest.mark.parametrize("default", [None, "utf-8", "latin1", "windows-1251"])
def test_options_that_can_decide(policy: str, default: str | None) -> None:
    check_options(policy, default, "letters")


@pytest.mark.parametrize("policy", ["", "RFC3023", "rfc9999"])
def test_an_unknown_policy(policy: str) -> None:
    with pytest.raises(ValueError, match="pass 'rfc3023' or 'rfc7303'"):
        check_options(policy, None, "letters")


@each(
    ("label", "why"),
    [
        ("", ""),
        ("nope", ""),
        ("utf-7", " (UTF-7: it can write markup"),
        ("zlib", " (zlib: "),
        ("iso-2022-kr", " ("),
    ],
)
def test_a_default_that_cannot_be_read(label: str, why: str) -> None:
    """And an encoding for the call: the message has the reason, if the charset is known."""
    words = re.escape(f" is {label!r}, which names no charset that can be read{why}") + ("" if why else "$")
    with pytest.raises(UnknownEncoding, match=f"^default_encoding{words}"):
        check_options("rfc3023", label, "letters")
    with pytest.raises(UnknownEncoding, match=f"^encoding{words}"):
        decode(b"<a/>", encoding=label)


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"", "UTF-16BE"),  # RFC 2781 section 4.3: big-endian where nothing gives the order
        ("\ufeff<a/>".encode("utf-16-le"), "UTF-16LE"),
        ("<?xml version='1.0'?>".encode("utf-16-le"), "UTF-16LE"),
        ("\ufeff<a/>".encode("utf-32-le"), "UTF-16BE"),  # a BOM of another family gives no order
    ],
)
def test_the_byte_order_of_a_forced_utf_16(head: bytes, name: str) -> None:
    facts = gather_facts(head, None, lenient=True)
    assert forced("utf-16", facts, policy="rfc3023", lenient=True).encoding == name


def test_forced_has_no_steps_and_keeps_the_facts() -> None:
    facts = Facts(declared="koi8-r")
    resolution = forced("gbk", facts, policy="rfc7303", lenient=False)
    assert resolution == ("GBK", "gbk", "forced", (), facts, "rfc7303", False)
    assert resolution.explain().startswith("Read as GBK: the caller forced it.\n")
