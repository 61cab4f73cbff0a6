"""`encoding=`, `default_encoding=` and `policy=`: what is refused before a document is looked at."""

from __future__ import annotations

import pytest

from feedcharset.decide.resolve import check_options, forced
from feedcharset.errors import UnknownEncoding
from feedcharset.evidence.head_facts import gather_facts
from feedcharset.results.facts import Facts


@pytest.mark.parametrize("policy", ["rfc3023", "rfc7303"])
@pytest.mark.parametrize("default", [None, "utf-8", "latin1", "windows-1251"])
def test_options_that_can_decide(policy: str, default: str | None) -> None:
    check_options(policy, default)


@pytest.mark.parametrize("policy", ["", "RFC3023", "rfc9999"])
def test_an_unknown_policy(policy: str) -> None:
    with pytest.raises(ValueError, match="pass 'rfc3023' or 'rfc7303'"):
        check_options(policy, None)


@pytest.mark.parametrize("label", ["", "nope", "utf-7", "zlib", "iso-2022-kr"])
def test_a_default_that_cannot_be_read(label: str) -> None:
    with pytest.raises(UnknownEncoding, match="names no charset that can be read"):
        check_options("rfc3023", label)


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
