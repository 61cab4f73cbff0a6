"""Documents in memory: `decode`, `resolve`, `XmlReader`, `parse`, `repair`, and the memory of `decode`."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from time import process_time
from typing import Any, NamedTuple

import peers
from inputs import MIXED, Document, crawl, feed, heads, mislabelled, with_damage
from measuring import Measured, Row, calls, compare, peak_of_memory
from size import Size

from feedcharset import XmlReader, decode, parse, repair, resolve

__all__ = ["crawl_rows", "decode_rows", "memory_rows", "parse_rows", "repair_rows", "resolve_rows"]


class Case(NamedTuple):
    """One kind of document, and the codec that `decode` is compared with."""

    name: str
    body: bytes | bytearray
    content_type: str | None
    codec: str
    most: float
    options: dict[str, Any] = {}  # noqa: RUF012 - never changed
    peers: tuple[str, ...] = ()


def _cases() -> Iterator[Case]:
    utf8, bare = feed(MIXED), feed(MIXED, declared=None)
    bom = b"\xef\xbb\xbf" + utf8
    xml = "application/atom+xml"
    yield Case("UTF-8, declared", utf8, xml, "utf-8", 1.25, peers=tuple(peers.decoders()))
    yield Case("UTF-8, text/xml", utf8, "text/xml", "utf-8", 1.4)
    yield Case("UTF-8, no declaration", bare, xml, "utf-8", 1.4)
    yield Case("UTF-8, text/xml; charset=utf-8", utf8, "text/xml; charset=utf-8", "utf-8", 1.4)
    yield Case("UTF-8, with a BOM", bom, xml, "utf-8-sig", 1.4)
    yield Case('UTF-8, declaration="keep"', utf8, xml, "utf-8", 1.4, {"declaration": "keep"})
    yield Case('UTF-8, xml_chars="replace", clean', utf8, xml, "utf-8", 1.4, {"xml_chars": "replace"})
    yield Case("UTF-8, strict", utf8, xml, "utf-8", 1.4, {"lenient": False})
    yield Case("UTF-8, policy rfc7303", utf8, xml, "utf-8", 1.4, {"policy": "rfc7303"})
    yield Case("UTF-8, bytearray", bytearray(utf8), xml, "utf-8", 1.4)
    yield Case("ASCII", feed("en", codec="ascii"), xml, "ascii", 4)
    for name, codec, language in _SINGLE_BYTE:
        yield Case(name, feed(language, declared=name, codec=codec), None, codec, 4)
    for name, codec, language in _MULTI_BYTE:
        yield Case(name, feed(language, declared=name, codec=codec), None, codec, 3)
    for label, language in (("windows-1251", "ru"), ("ISO-8859-2", "pl"), ("ISO-8859-1", "fr")):
        yield Case(f"UTF-8 declared as {label}", mislabelled(language, label), None, "utf-8", 15)
    for label, language in (("GBK", "zh-Hans"), ("Shift_JIS", "ja"), ("EUC-KR", "ko"), ("Big5", "zh-Hant")):
        yield Case(f"UTF-8 declared as {label}", mislabelled(language, label), None, "utf-8", 30)
    yield Case("UTF-8, charset=ISO-8859-1", utf8, "text/xml; charset=ISO-8859-1", "utf-8", 5)
    for places, most in ((1, 10), (50, 15)):
        body, names = with_damage(utf8, places), ("w3lib", "resiliparse")
        yield Case(f"UTF-8 with {places} damaged places", body, xml, "utf-8 replace", most, peers=names)
    for codec, name, language in (("shift_jis", "Shift_JIS", "ja"), ("gbk", "GBK", "zh-Hans")):
        body = feed(language, declared=name, codec=codec)
        damaged = bytearray(body)
        damaged[1000::1024] = b"\xff" * len(damaged[1000::1024])
        yield Case(f"{name}, a damaged place each KiB", bytes(damaged), None, f"{codec} replace", 6)


_SINGLE_BYTE = (
    ("windows-1251", "cp1251", "ru"),
    ("KOI8-R", "koi8-r", "ru"),
    ("ISO-8859-1", "cp1252", "fr"),
    ("windows-1252", "cp1252", "de"),
    ("ISO-8859-2", "iso8859-2", "pl"),
    ("windows-1250", "cp1250", "cs"),
    ("windows-1253", "cp1253", "el"),
    ("windows-1256", "cp1256", "ar"),
    ("windows-874", "cp874", "th"),
)
_MULTI_BYTE = (
    ("Shift_JIS", "cp932", "ja"),
    ("EUC-JP", "euc_jp", "ja"),
    ("GBK", "gb18030", "zh-Hans"),
    ("Big5", "big5hkscs", "zh-Hant"),
    ("EUC-KR", "cp949", "ko"),
)


def decode_rows(size: Size) -> Iterator[Row]:
    """`decode` against the codec that reads the document."""
    for case in _cases():
        codec, _, errors = case.codec.partition(" ")
        read, body = codecs.getdecoder(codec), bytes(case.body)
        contestants: dict[str, Callable[[], object]] = {
            "decode": lambda case=case: decode(case.body, case.content_type, **case.options),
            f"codec {case.codec}": _reading(codec, errors or "strict", body, read),
        }
        others = {
            name: lambda read=read, case=case: read(case.body, case.content_type)
            for name, read in (peers.decoders(*case.peers) if case.peers else {}).items()
        }
        yield compare(f"decode: {case.name}", contestants, most=case.most, seconds=size.seconds, peers=others)


def _reading(codec: str, errors: str, body: bytes, read: Any) -> Callable[[], object]:
    if codec in ("utf-8", "ascii"):  # bytes.decode has a short way for these names
        return lambda: body.decode(codec, errors)
    return lambda: read(body, errors)


SAMPLE = 60
"""Documents of the crawl that the slow peers read."""


def crawl_rows(size: Size) -> Iterator[Row]:
    """A crawl: 70 % declared UTF-8, the rest of every kind."""
    documents = crawl(size.documents)
    _read_all(decode, documents[:200])
    ours, plain = [], []
    for _ in range(5):  # each document by both, one after the other
        times = [0.0, 0.0]
        for start in range(0, len(documents), 50):
            part = documents[start : start + 50]
            readers: tuple[Callable[..., object], ...] = (decode, _plain)
            for number, read in enumerate(readers):
                begun = process_time()
                _read_all(read, part)
                times[number] += process_time() - begun
        ours.append(times[0] / len(documents))
        plain.append(times[1] / len(documents))
    base = min(plain)
    measured = [
        Measured("decode, a document", min(ours), min(ours) / base),
        Measured('decode("utf-8", "replace"), a document', base, 1.0),
    ]
    for name, read in peers.decoders().items():
        some = documents if name in ("w3lib", "resiliparse") else documents[:SAMPLE]
        begun = process_time()
        _read_all(read, some)
        taken = (process_time() - begun) / len(some)
        measured.append(Measured(f"{name}, a document", taken, taken / base))
    what = f"a crawl: {len(documents)} documents, 18 KB on average"
    yield Row(what, measured, "at most 3x", measured[0].ratio <= 3)


def _plain(body: bytes, content_type: str | None) -> str:
    return body.decode("utf-8", "replace")


def _read_all(read: Callable[[bytes, str | None], object], documents: list[Document]) -> None:
    for body, content_type in documents:
        try:
            read(body, content_type)
        except Exception:
            continue


def resolve_rows(size: Size) -> Iterator[Row]:
    """The decision alone, for heads that are all different."""
    kilobytes, media_type = cycle(heads(512)), "application/atom+xml"
    contestants: dict[str, Callable[[], object]] = {
        "resolve, lenient": lambda: resolve(next(kilobytes), media_type),
        "bytes.decode": lambda: next(kilobytes).decode("utf-8"),
        "resolve, strict": lambda: resolve(next(kilobytes), media_type, lenient=False),
    }
    found = peers.decoders("w3lib")
    for name, read in found.items():
        contestants[name] = lambda read=read: read(next(kilobytes), media_type)
    measured = calls(contestants, seconds=size.seconds)
    times = {one.name: one.seconds for one in measured}
    notes = []
    if found:
        overhead = times["w3lib"] - times["bytes.decode"]
        notes.append(f"w3lib takes {overhead * 1e6:.2f} µs more than its decode")
    reached = times["resolve, strict"] <= 2e-6 and times["resolve, lenient"] <= 4e-6
    yield Row("resolve: heads of 1 KB", measured, "at most 2 µs strict, 4 µs lenient", reached, tuple(notes))


def parse_rows(size: Size) -> Iterator[Row]:
    """`XmlReader` and `parse` of bytes."""
    from lxml import etree

    media_type = "application/atom+xml"
    small, usual = feed(MIXED, 2_000), feed(MIXED)

    def read(body: bytes) -> str:
        with XmlReader(body, content_type=media_type) as reader:
            return reader.read()

    for name, body, most in (("2 KB", small, 4), ("60 KB", usual, 2)):
        contestants: dict[str, Callable[[], object]] = {
            "XmlReader.read": lambda body=body: read(body),
            "decode": lambda body=body: decode(body, media_type),
        }
        yield compare(
            f"XmlReader: {name} of bytes",
            contestants,
            most=most if name == "2 KB" else None,
            seconds=size.seconds,
        )
        contestants = {
            "parse": lambda body=body: parse(body, content_type=media_type),
            "lxml.etree.fromstring": lambda body=body: etree.fromstring(body),
        }
        yield compare(f"parse: {name}", contestants, most=most, seconds=size.seconds)


def repair_rows(size: Size) -> Iterator[Row]:
    """`repair` with an option that changes nothing."""
    utf8 = feed(MIXED, 1_000_000)
    contestants: dict[str, Callable[[], object]] = {
        'repair, cesu8="join"': lambda: repair(utf8, cesu8="join"),
        "repair": lambda: repair(utf8),
    }
    yield compare('repair: 1 MB, clean, cesu8="join"', contestants, most=1.2, seconds=size.seconds)
    french = feed("fr", 72_000)
    contestants = {
        'decode, mojibake="fix"': lambda: decode(french, None, mojibake="fix"),
        "ftfy.fix_encoding": lambda: _ftfy()(french.decode()),
    }
    yield compare("mojibake: 72 KB of honest French", contestants, most=1, seconds=size.seconds)


def _ftfy() -> Callable[[str], str]:
    from ftfy import fix_encoding

    return fix_encoding


def memory_rows(size: Size) -> Iterator[Row]:
    """The peak of `decode` by the size of its text."""
    bodies = {
        "UTF-8": (feed(MIXED, 1_000_000), 2.0),
        "UTF-8 with 50 damaged places": (with_damage(feed(MIXED, 1_000_000), 50), 2.0),
        "windows-1251": (feed("ru", 1_000_000, declared="windows-1251", codec="cp1251"), 2.0),
        "ISO-8859-1": (feed("fr", 1_000_000, declared="ISO-8859-1", codec="latin-1"), 2.0),
        "Shift_JIS": (feed("ja", 1_000_000, declared="Shift_JIS", codec="cp932"), 2.0),
        "GBK": (feed("zh-Hans", 1_000_000, declared="GBK", codec="gbk"), 2.0),
        "UTF-8 declared as windows-1251": (mislabelled("ru", "windows-1251", 1_000_000), 2.0),
        "UTF-16": (feed("ru", 1_000_000, declared="UTF-16", codec="utf-16"), 2.0),
    }
    for name, (body, most) in bodies.items():
        text = sys.getsizeof(decode(body).text)
        peak = peak_of_memory(lambda body=body: decode(body))
        measured = [Measured("peak of decode", 0.0, peak / text, peak), Measured("its text", 0.0, 1.0, text)]
        yield Row(f"memory: {name}", measured, f"at most {most:g}x", peak / text <= most)
    hostile = {
        "ISO-2022-JP, escapes": b"<?xml version='1.0' encoding='ISO-2022-JP'?><a>" + b"\x1b$B\x1b(B" * 30_000,
        "UTF-32, damaged": b"<\0\0\0a\0\0\0>\0\0\0" + b"\xff\xff\xff\xff" * 50_000,
        "GBK, damaged": b"<?xml version='1.0' encoding='GBK'?><a>" + b"\xff\x81" * 100_000,
        "UTF-8, damaged": b"<?xml version='1.0'?><a>" + b"\xe9a" * 100_000,
    }
    mojibake = ("<a>" + "caf\u00c3\u00a9 \u00e2\u20ac\u2122 " * 16_000).encode()
    for name, body in {**hostile, "mojibake": mojibake}.items():
        options: dict[str, Any] = {"mojibake": "fix"} if name == "mojibake" else {}
        peak = peak_of_memory(lambda body=body, options=options: decode(body, **options))
        measured = [
            Measured("peak of decode", 0.0, peak / len(body), peak),
            Measured("the document", 0.0, 1.0, len(body)),
        ]
        yield Row(f"memory: {name}", measured, "at most 12x", peak / len(body) <= 12)
