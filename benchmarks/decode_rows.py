"""Documents in memory: a crawl, `resolve`, `repair`, `mojibake="fix"`, and the memory of `decode`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from time import process_time
from typing import Any

import peers
from inputs import MIXED, Document, crawl, feed, heads, mislabelled, with_damage
from measuring import Measured, Row, calls, compare, peak_of_memory
from size import Size

from feedcharset import decode, repair, resolve

__all__ = ["crawl_rows", "memory_rows", "repair_rows", "resolve_rows"]


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
    yield Row(what, measured, "at most 2.4x", measured[0].ratio <= 2.4)


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
    reached = times["resolve, lenient"] <= 4e-6
    yield Row("resolve: heads of 1 KB", measured, "at most 4 µs", reached, tuple(notes))


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
