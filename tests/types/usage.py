"""Correct use of the public names: a strict type checker finds nothing here."""

from __future__ import annotations

import array
import bz2
import csv
import gzip
import http.client
import io
import lzma
import mmap
import tempfile
import zipfile
from pathlib import Path
from typing import TextIO, assert_type
from xml.etree import ElementTree

import bs4

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


class OnlyReads:
    """The least that is a stream."""

    def read(self, size: int = -1, /) -> bytes:
        return BODY[:size]


class OnlyWrites:
    """The least that is written to."""

    def write(self, data: bytes, /) -> object:
        return len(data)


def text_stream(stream: TextIO) -> str:
    """What takes any text stream."""
    return stream.readline()


def streams(
    raw: io.RawIOBase,
    response: http.client.HTTPResponse,
    packed: gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile,
    file: io.FileIO | io.BufferedReader | zipfile.ZipExtFile,
    spooled: tempfile.SpooledTemporaryFile[bytes],
    member: zipfile.Path,
) -> None:
    with XmlReader(BODY) as reader:
        text_stream(reader)
        bs4.BeautifulSoup(reader.utf8(), "xml")
        ElementTree.parse(reader.utf8())
        csv.reader(reader)
        XmlReader.from_stream(reader.utf8()).close()
        detect(reader.utf8())
        repair_stream(reader.utf8(), io.BytesIO())
    for stream in (raw, response, packed, file, spooled, OnlyReads()):
        XmlReader.from_stream(stream).close()
        detect(stream)
        repair_stream(stream, OnlyWrites())
    for target in (raw, packed, io.BytesIO()):
        repair_stream(packed, target)
    XmlReader.from_path(member).close()


def buffers(mapped: mmap.mmap) -> None:
    for data in (bytearray(BODY), memoryview(BODY), mapped, array.array("B", BODY)):
        XmlReader.from_bytes(data).close()
        decode(data)
        resolve(data)
        repair(data)
        detect(data)
        XmlDecoder().decode(data, True)


def trees() -> None:
    root = parse(BODY, xml_chars="drop", lenient=True, detector="letters").getroot()
    print(root.tag)
    for event, element in iterparse(BODY, "item", events=("end",), policy="rfc7303"):
        print(event, element)
    print(feedcharset.__version__)
