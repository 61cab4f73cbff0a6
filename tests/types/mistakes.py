"""Mistakes that a strict type checker must find: one on each line that ends with `# wrong`."""

from __future__ import annotations

import feedcharset
from feedcharset import (
    Limits,
    XmlDecoder,
    XmlReader,
    check,
    decode,
    detect,
    iterparse,
    parse,
    repair,
    resolve,
)

BODY = b"<rss/>"


def mistakes() -> None:
    parse(BODY, lenint=True)  # wrong
    parse(BODY, policy="rfc9999")  # wrong
    parse(BODY, xml_chars="remove")  # wrong
    iterparse(BODY, "item", error="replace")  # wrong
    iterparse(BODY, "item", errors="nonsense")  # wrong
    XmlReader.from_url("https://feeds.example/", sesion=None)  # wrong
    XmlReader.from_path("feed.xml", lenient="no")  # wrong
    XmlReader.from_bytes("<rss/>")  # wrong
    XmlReader.from_stream("feed.xml")  # wrong
    XmlReader(BODY, policy="rfc9999")  # wrong
    XmlReader(BODY, errors="nonsense")  # wrong
    XmlReader(BODY, declaration="drop")  # wrong
    XmlDecoder("text/xml", mojibake="yes")  # wrong
    decode("<rss/>")  # wrong
    decode(BODY, errors="nonsense")  # wrong
    decode(BODY, policy="rfc9999")  # wrong
    decode(BODY, detector="guess")  # wrong
    resolve("<rss/>")  # wrong
    resolve(BODY, polcy="rfc3023")  # wrong
    repair("<rss/>")  # wrong
    repair(BODY, errors="strict")  # wrong
    repair(BODY, octets="space")  # wrong
    check(BODY, policy="rfc9999")  # wrong
    check(BODY, content_type=5)  # wrong
    detect(5)  # wrong
    Limits(total="10")  # wrong
    feedcharset.decodes(BODY)  # wrong
