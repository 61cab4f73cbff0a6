"""Correct use of the public names: a strict type checker finds nothing here."""

from __future__ import annotations

import io
from pathlib import Path
from typing import assert_type

import feedcharset
from feedcharset import (
    Decoded,
    Detection,
    Limits,
    Repaired,
    Repairs,
    Report,
    Resolution,
    XmlDecoder,
    XmlReader,
    check,
    decode,
    detect,
    iterparse,
    parse,
    repair,
    repair_stream,
    resolve,
)

BODY = b"<?xml version='1.0' encoding='utf-8'?><rss/>"


def label(data: bytes) -> str | None:
    """A detector."""
    return "koi8-r" if data else None


def results() -> None:
    decoded = decode(BODY, "text/xml", lenient=False, policy="rfc7303", errors="replace", detector=label)
    assert_type(decoded, Decoded)
    text, resolution, repairs = decoded
    assert_type(text, str)
    assert_type(resolution, Resolution)
    assert_type(repairs, Repairs)
    assert_type(resolve(bytearray(BODY), complete=True), Resolution)
    assert_type(detect(BODY), Detection)
    assert_type(repair(BODY, errors="replace", cesu8="join", mojibake="fix"), Repaired)
    assert_type(repair_stream(io.BytesIO(BODY), io.BytesIO()), Repairs)
    assert_type(check(BODY, content_type="text/xml", policy="rfc3023", limit=3), Report)
    assert_type(resolution.facts.declared, str | None)
    assert_type(bool(check(BODY)), bool)


def readers() -> None:
    limits = Limits(total=5, public_only=True)
    with XmlReader(BODY, errors="strict", xml_chars="space", declaration="keep", limits=limits) as reader:
        assert_type(reader.read(), str)
        assert_type(reader.encoding, str)
        for line in reader:
            assert_type(line, str)
    XmlReader.from_path(Path("feed.xml"), content_type="text/xml", gunzip=False).close()
    XmlReader.from_bytes(BODY, mojibake="fix").close()
    XmlReader.from_url("https://feeds.example/", headers={"Accept": "*/*"}, limits=limits).close()
    assert_type(XmlDecoder("text/xml", lookahead=10).decode(BODY, True), str)


def trees() -> None:
    root = parse(BODY, xml_chars="drop", lenient=True, detector="letters").getroot()
    print(root.tag)
    for event, element in iterparse(BODY, "item", events=("end",), policy="rfc7303"):
        print(event, element)
    print(feedcharset.__version__)
