"""What a byte costs, over the size of the document: each way of reading beside its codec or lxml, in one run.

    python benchmarks/curve.py [--feeds FOLDER] [--json FILE] [--write] [WAY...]

Documents of 2 KB to 3 MB in 40 charsets and languages, prose (whole sentences of fixtures/prose.toml) and
sparse (markup with some words), with true and with wrong labels, damaged and not. For each way is printed the
worst ratio from 20 KB on, and below; and the largest change of the cost of a byte from one size to the next,
from 20 KB on. --feeds measures a folder of real feeds instead. --write keeps the figures in docs/curve.json,
from which `python docs/generate.py` draws them.

Ratios are of processor time, the least of several runs in turn. The codec's time has 0.25 ns a byte added:
one look at each byte. What is over its reach when all is measured is measured again, both contestants, and
the least of all runs counts: a machine that does something else besides is slower for seconds.
"""

from __future__ import annotations

import argparse
import io
import json
import platform
import statistics
import sys
import tempfile
import time
import tomllib
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "fixtures")]

from making.charsets import CODECS, fitted  # noqa: E402

from feedcharset import XmlReader, check, decode, iterparse, parse  # noqa: E402

__all__ = ["main"]

OUT = Path(__file__).parent / "_data" / "curve.json"
KEPT = ROOT / "docs" / "curve.json"
LOOK = 0.25e-9
"""Seconds a byte that are added to the codec's time."""
SIZES = (2_000, 4_000, 8_000, 20_000, 40_000, 80_000, 160_000, 320_000, 640_000, 1_250_000, 3_000_000)
STEPS_FROM = 20_000
LEAST = 0.012
"""Seconds of processor time that each contestant is measured at least; three runs where one takes longer."""
MOST_ROUNDS = 16
"""Runs of both at most: on a machine that does something else besides, the least time is not seen twice."""
MOST_STEP = 2
"""The most that the cost of a byte should change from one size to the next."""
AGAIN = 3
"""So often is measured again, after all else, what is over its reach."""

PROSE = tomllib.loads((ROOT / "fixtures" / "prose.toml").read_text(encoding="utf-8"))
HEAD = '<?xml version="1.0"{}?>\n<rss version="2.0"><channel><title>Nº 1</title>\n'
END = "</channel></rss>\n"
DENSE = "<item><title>{0}</title><guid>tag:example.org,2026:{1}</guid><description>{2}</description></item>\n"
SPARSE = (
    "<item><title>{0}</title><link>https://example.org/news/2026/11/{1}/index.html?page=1</link>"
    '<guid isPermaLink="false">tag:example.org,2026:{1}</guid><pubDate>Fri, 20 Nov 2026 08:30 GMT</pubDate>'
    "<description>&lt;p class=&quot;teaser&quot;&gt;Lorem ipsum dolor sit amet, consectetur adipiscing elit,"
    " sed do eiusmod tempor incididunt ut labore et dolore magna aliqua.&lt;/p&gt;{2}</description></item>\n"
)

CHARSETS = tuple(
    row.split()
    for row in """
    UTF-8 utf-8 en|UTF-8 utf-8 fr|UTF-8 utf-8 ru|UTF-8 utf-8 ja|ISO-8859-1 cp1252 fr|ISO-8859-15 iso8859-15 fr
    windows-1252 cp1252 de|windows-1252 cp1252 es|ISO-8859-1 cp1252 pt|ISO-8859-1 cp1252 sv
    windows-1252 cp1252 nl
    ISO-8859-2 iso8859-2 pl|windows-1250 cp1250 pl|ISO-8859-2 iso8859-2 cs|windows-1250 cp1250 hu
    ISO-8859-2 iso8859-2 hr|ISO-8859-16 iso8859-16 ro|windows-1257 cp1257 lt|windows-1251 cp1251 ru
    KOI8-R koi8-r ru|IBM866 cp866 ru|ISO-8859-5 iso8859-5 bg|KOI8-U koi8-u uk|ISO-8859-7 iso8859-7 el
    windows-1253 cp1253 el|ISO-8859-9 cp1254 tr|windows-1254 cp1254 tr|windows-1255 cp1255 he
    windows-1256 cp1256 ar|windows-874 cp874 th|windows-1258 cp1258 vi|Shift_JIS cp932 ja|EUC-JP euc_jp ja
    ISO-2022-JP iso2022_jp ja|GBK gbk zh-Hans|GB18030 gb18030 zh-Hans|Big5 big5 zh-Hant|EUC-KR cp949 ko
    UTF-16 utf-16 cs|IBM037 cp037 en
    """.replace("\n", "|").split("|")
    if row.strip()
)
"""Label, codec, language."""

_NAMES = {codec: name for name, codec in CODECS.items()} | {"cp932": "Shift_JIS", "cp949": "EUC-KR"}
"""The charset that a document is in, whatever it is labelled."""


class Cell(NamedTuple):
    """One document, and the two that read it."""

    name: str
    size: int
    ours: Callable[[], object]
    other: Callable[[], object]
    look: float = LOOK


class Way(NamedTuple):
    """One way of reading."""

    name: str
    against: str
    reach: float
    cells: Callable[[], Iterator[Cell]]


class Figure(NamedTuple):
    """What was measured of a cell."""

    name: str
    size: int
    cost: float
    """Seconds a byte."""
    other: float
    ratio: float


def document(
    label: str | None, codec: str, language: str, size: int, *, dense: bool = True, extra: str = ""
) -> bytes:
    """A feed of about `size` bytes.

    Args:
        label: what the declaration names; None: it names nothing.
        codec: what the document is in.
        language: of fixtures/prose.toml.
        size: bytes.
        dense: prose; else markup with some words.
        extra: stands in each item.
    """
    text = PROSE[language]
    try:
        text = fitted(text, _NAMES[codec])
    except KeyError:
        text = text.encode(codec, "ignore").decode(codec)
    words = text.split() if " " in text else [text[at : at + 5] for at in range(0, len(text), 5)]
    item = DENSE if dense else SPARSE
    pieces, length, number = [HEAD.format(f' encoding="{label}"' if label else "")], 0, 0
    while length < size:
        at = number * 7 % len(words)
        title = " ".join((words + words)[at : at + 5])
        turned = text[number % 50 :] + text[: number % 50]
        pieces.append(item.format(title, number, (turned if dense else "") + extra))
        length += len(pieces[-1].encode(codec, "ignore"))
        number += 1
    return ("".join(pieces) + END).encode(codec, "ignore")


def damaged(body: bytes, places: int) -> bytes:
    """The same with a stray byte E9 in so many places between two small ASCII letters."""
    changed, step = bytearray(body), max(1, len(body) // (places + 1))
    at = 200
    for number in range(places):
        at = max(at + 2, number * step)
        while at < len(changed) - 1 and not (
            changed[at - 1 : at + 2].isalpha() and changed[at - 1 : at + 2].isascii()
        ):
            at += 1
        if at < len(changed) - 1:
            changed[at] = 0xE9
    return bytes(changed)


def _codec(body: bytes, codec: str) -> Callable[[], object]:
    return lambda: body.decode(codec, "replace")


def _decoded(name: str, body: bytes, content_type: str | None, codec: str, **options: Any) -> Cell:
    return Cell(name, len(body), lambda: decode(body, content_type, **options), _codec(body, codec))


def _honest(kinds: tuple[bool, ...], sizes: tuple[int, ...], wanted: Callable[[str], bool]) -> Iterator[Cell]:
    for label, codec, language in CHARSETS:
        for dense in kinds:
            for size in sizes:
                if wanted(label):
                    body = document(label, codec, language, size, dense=dense)
                    kind = "prose" if dense else "sparse"
                    yield _decoded(f"{label} {language} {kind}", body, None, codec)


_EAST_ASIAN = ("Shift_JIS", "EUC-JP", "GBK", "GB18030", "Big5", "EUC-KR", "ISO-2022-JP")


def _single_byte() -> Iterator[Cell]:
    yield from _honest((True, False), SIZES, lambda label: label != "UTF-8" and label not in _EAST_ASIAN)


def _east_asian() -> Iterator[Cell]:
    yield from _honest((True, False), SIZES, lambda label: label in _EAST_ASIAN)


def _utf8() -> Iterator[Cell]:
    for language in ("en", "fr", "ru", "ja"):
        for size in SIZES:
            body = document("UTF-8", "utf-8", language, size, dense=False)
            yield _decoded(f"declared, {language}", body, "application/rss+xml", "utf-8")


def _utf8_openings() -> Iterator[Cell]:
    for size in SIZES:
        bare = document(None, "utf-8", "fr", size, dense=False)
        yield _decoded("no declaration", bare, "application/xml", "utf-8")
        yield _decoded("text/xml", document("UTF-8", "utf-8", "fr", size, dense=False), "text/xml", "utf-8")
        yield _decoded("BOM", b"\xef\xbb\xbf" + bare, None, "utf-8-sig")


def _utf8_options() -> Iterator[Cell]:
    for size in SIZES:
        body = document("UTF-8", "utf-8", "fr", size, dense=False)
        for name, options in (
            ("declaration", {"declaration": "keep"}),
            ("xml_chars", {"xml_chars": "replace"}),
            ("lenient", {"lenient": False}),
            ("policy", {"policy": "rfc7303"}),
        ):
            yield _decoded(f"{name}={options[name]!r}", body, "application/xml", "utf-8", **options)
        yield _decoded("charset=utf-8", body, "text/xml; charset=utf-8", "utf-8")


def _ascii() -> Iterator[Cell]:
    for size in SIZES:
        body = document("UTF-8", "utf-8", "en", size, dense=False).decode().encode("ascii", "ignore")
        yield _decoded("ASCII", body, "application/xml", "ascii")


_FROM_20_KB = tuple(size for size in SIZES if STEPS_FROM <= size <= 1_250_000)


def _stale() -> Iterator[Cell]:
    for label, language in (
        *(("windows-1251", "ru"), ("ISO-8859-2", "pl"), ("ISO-8859-1", "fr"), ("windows-1253", "el")),
        *(
            ("GBK", "zh-Hans"),
            ("Shift_JIS", "ja"),
            ("EUC-KR", "ko"),
            ("Big5", "zh-Hant"),
            ("windows-874", "th"),
        ),
    ):
        for size in _FROM_20_KB:
            yield _decoded(f"{label} {language}", document(label, "utf-8", language, size), None, "utf-8")
    for size in _FROM_20_KB:
        body = document("UTF-8", "utf-8", "fr", size)
        yield _decoded("charset=ISO-8859-1 fr", body, "text/xml; charset=ISO-8859-1", "utf-8")


def _damage(places: int) -> Callable[[], Iterator[Cell]]:
    def cells() -> Iterator[Cell]:
        for language in ("fr", "ru", "ja", "en"):
            for size in _FROM_20_KB:
                if size >= 60 * places:
                    body = damaged(document("UTF-8", "utf-8", language, size, extra=" and so on"), places)
                    yield _decoded(f"{language}", body, None, "utf-8")

    return cells


def _damaged_east_asian() -> Iterator[Cell]:
    for label, codec, language in (("Shift_JIS", "cp932", "ja"), ("GBK", "gbk", "zh-Hans")):
        for size in _FROM_20_KB:
            body = bytearray(document(label, codec, language, size))
            body[1000::1024] = b"\xff" * len(body[1000::1024])
            yield _decoded(f"{label} {language}", bytes(body), None, codec)


def _wrong() -> Iterator[Cell]:
    """Legacy documents under a label that cannot be true, or under none."""
    for label, codec, language in (
        *(
            ("UTF-8", "cp1251", "ru"),
            ("UTF-8", "cp874", "th"),
            ("UTF-8", "cp1252", "fr"),
            ("UTF-8", "euc_jp", "ja"),
        ),
        *((None, "cp1252", "fr"), (None, "cp1251", "ru"), (None, "euc_jp", "ja"), (None, "gbk", "zh-Hans")),
        *(
            ("EUC-JP", "cp1252", "fr"),
            ("ISO-8859-1", "euc_jp", "ja"),
            ("EUC-JP", "cp932", "ja"),
            ("gb2312", "big5", "zh-Hant"),
        ),
        *(("windows-1252", "cp1250", "pl"), ("US-ASCII", "cp1252", "de"), ("US-ASCII", "koi8-r", "ru")),
    ):
        for size in _FROM_20_KB:
            yield _decoded(
                f"{codec} {language} under {label}", document(label, codec, language, size), None, codec
            )


def _chance() -> Iterator[Cell]:
    for label, codec, language, extra in (
        ("ISO-8859-1", "cp1252", "fr", " CAFÉ… FUSS° “MENÜ”"),
        ("ISO-8859-2", "iso8859-2", "pl", " SPÓŁKA PODRÓŻE"),
        ("windows-1254", "cp1254", "tr", " CAFÉ… MENÜ”"),
        ("windows-1252", "cp1252", "es", " ESPAÑA» AÑO…"),
        ("windows-874", "cp874", "th", " โชค อด"),
        ("GBK", "gbk", "zh-Hans", " 联通"),
    ):
        for size in _FROM_20_KB:
            body = document(label, codec, language, size, extra=extra)
            yield _decoded(f"{label} {language}", body, None, codec)


def _mixed() -> Iterator[Cell]:
    for size in _FROM_20_KB:
        one = document("UTF-8", "utf-8", "fr", size // 2).removesuffix(END.encode())
        body = one + document("UTF-8", "cp1252", "de", size // 2).partition(b"\n")[2]
        yield _decoded("UTF-8 fr, then windows-1252 de", body, None, "utf-8")
        pieces = [
            document("UTF-8", codec, "fr", 800).partition(b"</title>\n")[2].removesuffix(END.encode())
            for codec in ("utf-8", "cp1252")
        ]
        body = HEAD.format("").encode() + b"".join(pieces) * (size // sum(map(len, pieces))) + END.encode()
        yield _decoded("items in turn", body, None, "utf-8")


def _reader() -> Iterator[Cell]:
    with tempfile.TemporaryDirectory() as folder:
        for label, codec, language in (
            ("UTF-8", "utf-8", "fr"),
            ("windows-1251", "cp1251", "ru"),
            ("GBK", "gbk", "zh-Hans"),
        ):
            for size in SIZES:
                body = document(label, codec, language, size)
                path = Path(folder) / f"{label}-{size}.xml"
                path.write_bytes(body)
                other = lambda body=body: decode(body)  # noqa: E731
                yield Cell(f"{label} bytes", len(body), lambda body=body: _read(body), other, 0)
                yield Cell(f"{label} stream", len(body), lambda body=body: _read(io.BytesIO(body)), other, 0)
                yield Cell(f"{label} path", len(body), lambda path=path: _read(path), other, 0)


def _read(source: Any) -> str:
    with XmlReader(source) as reader:
        return reader.read()


def _parsed(repaired: bool, iterated: bool) -> Callable[[], Iterator[Cell]]:
    etree = import_module("lxml.etree")
    # What lxml recovers from, too, without losing the rest, as its push parser does at `a < b`.
    extra = " AT&T &nbsp;text, <br>line</br> <b><i>c</b></i>" if repaired else ""

    def lxml(body: bytes) -> object:
        return etree.fromstring(body, etree.XMLParser(recover=True))

    def lxml_iterparse(body: bytes) -> object:
        # Not etree.iterparse, which ends at the first error even with recover=True.
        parser = etree.XMLPullParser(("end",), tag="item", recover=True)
        for at in range(0, len(body), 1 << 15):
            parser.feed(body[at : at + (1 << 15)])
            for _, element in parser.read_events():
                element.clear(keep_tail=True)
        return None

    def ours_iterparse(body: bytes) -> object:
        for _, element in iterparse(body, "item"):
            element.clear(keep_tail=True)
        return None

    def cells() -> Iterator[Cell]:
        documents = [
            ("UTF-8", "utf-8", "fr", True),
            ("UTF-8", "utf-8", "ru", True),
            ("UTF-8", "utf-8", "en", False),
        ]
        documents += [("windows-1251", "cp1251", "ru", True)]
        for label, codec, language, dense in documents:
            for size in SIZES:
                body = document(label, codec, language, size, dense=dense, extra=extra)
                name = f"{label} {language} {'prose' if dense else 'sparse'}"
                if iterated:
                    yield Cell(
                        name,
                        size,
                        lambda body=body: ours_iterparse(body),
                        lambda body=body: lxml_iterparse(body),
                        0,
                    )
                else:
                    yield Cell(name, size, lambda body=body: parse(body), lambda body=body: lxml(body), 0)

    return cells


def _checked() -> Iterator[Cell]:
    for label, codec, language in (
        ("UTF-8", "utf-8", "fr"),
        ("windows-1251", "cp1251", "ru"),
        ("GBK", "gbk", "zh-Hans"),
    ):
        for size in _FROM_20_KB:
            body = document(label, codec, language, size)
            ours = lambda body=body: check(body, content_type="application/rss+xml")  # noqa: E731
            yield Cell(f"{label} {language}", len(body), ours, lambda body=body: decode(body), 0)


def _small() -> Iterator[Cell]:
    encodings = import_module("feedparser.encodings")
    for label, codec, language in CHARSETS[:-2]:
        body = document(label, codec, language, 4_000)
        yield Cell(
            f"{label} {language}",
            len(body),
            lambda body=body: decode(body, "text/xml"),
            lambda body=body: encodings.convert_to_utf8({"content-type": "text/xml"}, body, {}),
            0,
        )


WAYS = (
    Way("UTF-8, declared", "codec", 1.25, _utf8),
    Way("UTF-8, other openings", "codec", 1.35, _utf8_openings),
    Way("UTF-8, options", "codec", 1.4, _utf8_options),
    Way("US-ASCII", "codec", 4, _ascii),
    Way("single-byte, UTF-16, EBCDIC, true label", "codec", 5, _single_byte),
    Way("East Asian, true label", "codec", 3, _east_asian),
    Way("UTF-8 under a stale label", "codec", 6, _stale),
    Way("UTF-8, 1 damaged place", "codec", 8, _damage(1)),
    Way("UTF-8, 50 damaged places", "codec", 15, _damage(50)),
    Way("UTF-8, 1,000 damaged places", "codec", 30, _damage(1000)),
    Way("East Asian, a damaged place in each KB", "codec", 6, _damaged_east_asian),
    Way("chance sequences in every paragraph", "codec", 15, _chance),
    Way("legacy under a wrong label or none", "codec", 30, _wrong),
    Way("UTF-8 and windows-1252 mixed", "codec", 30, _mixed),
    Way("XmlReader(...).read()", "decode", 3, _reader),
    Way("parse, well-formed", "lxml, recover", 1.7, _parsed(False, False)),
    Way("parse, markup to repair", "lxml, recover", 3, _parsed(True, False)),
    Way("iterparse, well-formed", "lxml's pull parser", 2.2, _parsed(False, True)),
    Way("iterparse, markup to repair", "lxml's pull parser", 4, _parsed(True, True)),
    Way("check", "decode", 6, _checked),
    Way("4 KB, 38 charsets and languages, mean", "feedparser's convert_to_utf8", 2, _small),
)


def main() -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description="What a byte costs, over the size of the document.")
    parser.add_argument(
        "--feeds", type=Path, metavar="FOLDER", help="measure the files of this folder instead"
    )
    parser.add_argument("--json", type=Path, default=OUT, help=f"where to write all figures [{OUT}]")
    parser.add_argument(
        "--write", action="store_true", help=f"keep them in {KEPT.name}, for the documentation"
    )
    parser.add_argument("ways", nargs="*", metavar="WAY", help="ways whose names hold one of these words")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    bytes(4 << 20)  # glibc then keeps freed memory: otherwise it returns 128 KiB at once, and maps them anew
    if options.feeds:
        return _feeds(options.feeds)
    begun = time.monotonic()
    ways = [way for way in WAYS if not options.ways or any(word in way.name for word in options.ways)]
    figures, found = [], {}
    for way in ways:
        figures.append([measured(cell) for cell in way.cells()])
        found[way.name] = summary(way, figures[-1])
        _print(way, found[way.name])
    for _ in range(AGAIN):
        for way, row in zip(ways, figures, strict=True):
            if again := _over(way, row, found[way.name]):
                for at, cell in enumerate(way.cells()):
                    row[at] = least(row[at], measured(cell)) if row[at] in again else row[at]
                found[way.name] = summary(way, row)
                print(f"Measured again, {len(again)} of {len(row)} cells:")
                _print(way, found[way.name])
    missed = [way.name for way in ways if found[way.name]["worst"] > way.reach]
    took = time.monotonic() - begun
    print(f"\n{took:.0f} s, Python {platform.python_version()}. Not reached: {'; '.join(missed) or 'none'}")
    for path in (options.json, *([KEPT] if options.write else [])):
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(found, indent=None, separators=(",", ":")) + "\n", encoding="utf-8")
    return 0


def _print(way: Way, row: dict[str, Any]) -> None:
    print(
        f"{way.name:42} worst {row['worst']:6.2f} of {way.reach:g} ({row['at']}),"
        f" below 20 KB {row['small']:.2f}, median {row['median']:.2f},"
        f" step {row['step']:.2f}{'' if row['worst'] <= way.reach else '  NOT REACHED'}",
        flush=True,
    )


def _over(way: Way, figures: list[Figure], row: dict[str, Any]) -> list[Figure]:
    """The cells over their reach, all of them where the mean is, and the two of a step that is too large."""
    if way.name.endswith("mean"):
        return figures if row["worst"] > way.reach else []
    large = _large(figures)
    steep = [pair for pair in _steps(large) if _change(*pair) > MOST_STEP]
    return [one for one in large if one.ratio > way.reach or any(one in pair for pair in steep)]


def measured(cell: Cell) -> Figure:
    """The least processor time of both, measured in turn until each least one was seen twice (within 3 %)."""
    times: tuple[list[float], list[float]] = ([], [])
    loops = []
    for call in (cell.ours, cell.other):
        call()
        taken = _time(call, 1)
        loops.append(max(1, int(LEAST / 6 / max(taken, 1e-7))))
    while len(times[0]) < MOST_ROUNDS:
        enough = len(times[0]) >= 3 and (sum(map(sum, times)) >= LEAST or len(times[0]) >= 8)
        if enough and all(sorted(kept)[1] <= 1.03 * min(kept) for kept in times):
            break
        for call, count, kept in zip((cell.ours, cell.other), loops, times, strict=True):
            kept.append(_time(call, count))
    ours, other = min(times[0]), min(times[1]) + cell.look * cell.size
    return Figure(cell.name, cell.size, ours / cell.size, other / cell.size, ours / other)


def least(one: Figure, again: Figure) -> Figure:
    """The least time of each contestant in two measurements."""
    cost, other = min(one.cost, again.cost), min(one.other, again.other)
    return one._replace(cost=cost, other=other, ratio=cost / other)


def _time(call: Callable[[], object], loops: int) -> float:
    start = time.process_time()
    for _ in range(loops):
        call()
    return (time.process_time() - start) / loops


def summary(way: Way, figures: list[Figure]) -> dict[str, Any]:
    """The worst ratio of large and of small documents, the median, the largest step, and where these were."""
    large = _large(figures)
    worst = max(large, key=lambda one: one.ratio)
    if way.name.endswith("mean"):
        ours, other = (sum(getattr(one, what) * one.size for one in figures) for what in ("cost", "other"))
        worst = worst._replace(ratio=ours / other, name="all")
    step, where = 1.0, ""
    for one, after in _steps(large):
        if (change := _change(one, after)) > step:
            step, where = change, f"{one.name}, {one.size // 1000:,} to {after.size // 1000:,} KB"
    return {
        "against": way.against,
        "reach": way.reach,
        "worst": round(worst.ratio, 2),
        "at": f"{worst.name}, {worst.size // 1000:,} KB",
        "small": round(max((one.ratio for one in figures if one not in large), default=0), 2),
        "median": round(statistics.median(one.ratio for one in figures), 2),
        "step": round(step, 2),
        "step_at": where,
        "figures": [
            [one.name, one.size, round(one.cost * 1e9, 2), round(one.other * 1e9, 2)] for one in figures
        ],
    }


def _large(figures: list[Figure]) -> list[Figure]:
    return [one for one in figures if one.size >= STEPS_FROM * 0.9] or figures


def _steps(large: list[Figure]) -> Iterator[tuple[Figure, Figure]]:
    """The same document in one size and the next."""
    by_name: dict[str, list[Figure]] = {}
    for one in large:
        by_name.setdefault(one.name, []).append(one)
    for row in by_name.values():
        yield from pairwise(row)


def _change(one: Figure, after: Figure) -> float:
    return max(one.cost / after.cost, after.cost / one.cost)


def _feeds(folder: Path) -> int:
    """Real feeds: each file beside its own codec, and lxml."""
    etree = import_module("lxml.etree")
    rows: dict[str, list[tuple[float, str]]] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size > 500):
        body = path.read_bytes()
        resolution = decode(body).resolution
        try:
            body.decode(resolution.codec or "utf-8", "replace")
            cells = {"decode": _decoded(path.name, body, None, resolution.codec or "utf-8")}
            parse(body)
        except (LookupError, SyntaxError):
            continue
        lxml = lambda body=body: etree.fromstring(body, etree.XMLParser(recover=True))  # noqa: E731
        cells["parse"] = Cell(path.name, len(body), lambda body=body: parse(body), lxml, 0)
        for name, cell in cells.items():
            figure = measured(cell)
            rows.setdefault(name, []).append((figure.ratio, f"{path.name}, {len(body) // 1000:,} KB"))
    for name, ratios in rows.items():
        ratios.sort()
        middle, most = ratios[len(ratios) // 2][0], ratios[int(len(ratios) * 0.9)][0]
        print(f"{name}: {len(ratios)} feeds: median {middle:.2f}, nine of ten below {most:.2f}")
        print("  worst: " + "; ".join(f"{ratio:.1f} ({where})" for ratio, where in ratios[-3:]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
