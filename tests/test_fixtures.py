"""The fixtures are whole, byte-exact, right by Python's own codecs, and read as their tables say."""

from __future__ import annotations

import hashlib
import html
import re
from collections import Counter
from pathlib import Path

import pytest
from support.each import each
from support.module_files import module_at

from feedcharset import ResolutionError, XmlDecoder, XmlReader, decode, resolve

FIXTURES = Path(__file__).parent.parent / "fixtures"


local_server = module_at(Path(__file__).parent / "support" / "local_server.py")
reading = module_at(FIXTURES / "reading.py")
make_fixtures = module_at(FIXTURES / "make_fixtures.py")

FEEDS = reading.read_feeds()
REPORTS = list(reading.read_reports())
CUTS = (1, 2, 3, 7, 4096)
SHORT = 20_000
"""Octets; longer bodies are not cut into single octets."""

# Independent of the library, and of the script that wrote the files: a charset, and what Python calls it.
ORACLE = {
    "US-ASCII": "ascii", "macintosh": "mac_roman", "x-mac-cyrillic": "mac_cyrillic", "TIS-620": "iso8859_11",
    "ISO-2022-JP": "iso2022_jp", "IBM037": "cp037", "IBM273": "cp273", "IBM500": "cp500", "IBM866": "cp866",
    "UTF-8": "utf-8-sig", "UTF-16BE": "utf-16-be", "UTF-16LE": "utf-16-le", "UTF-32BE": "utf-32-be",
    "UTF-32LE": "utf-32-le", "EUC-KR": "euc_kr", "GB2312": "gb2312",
}  # fmt: skip


def oracle(octets: bytes, encoding: str) -> str:
    """The text, by the codec of the standard library."""
    if encoding == "IBM1047":
        # From 037, by the differences in IBM's code page register: the line end, and three pairs.
        moved = {
            0x15: 0x25,
            0x25: 0x15,
            0x5F: 0xB0,
            0xB0: 0x5F,
            0xAD: 0xBA,
            0xBA: 0xAD,
            0xBB: 0xBD,
            0xBD: 0xBB,
        }
        return octets.translate(bytes(moved.get(n, n) for n in range(256))).decode("cp037")
    codec = ORACLE.get(encoding) or encoding.replace("windows-", "cp").replace("ISO-8859-", "iso8859_")
    return octets.decode(codec).removeprefix("\ufeff")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def title_of(text: str) -> str:
    match = re.search(r"<title[^>]*>([^<]*)</title>", text)
    assert match
    return html.unescape(match[1])


def ids(row: object) -> str:
    return f"{row.file[6:-4]}-{row.content_type}" if hasattr(row, "file") else row.id  # type: ignore[attr-defined]


# -- the files --------------------------------------------------------------------------------------------


def test_the_script_writes_exactly_what_is_here() -> None:
    made = make_fixtures.build()
    kept = {
        path.relative_to(FIXTURES).as_posix(): path.read_bytes()
        for path in [*(FIXTURES / "feeds").iterdir(), FIXTURES / "feeds.tsv", FIXTURES / "reports.jsonl"]
    }
    assert sorted(made) == sorted(kept)
    assert [name for name in made if made[name] != kept[name]] == []


def test_every_file_has_a_row_and_every_row_a_file() -> None:
    assert {row.file for row in FEEDS} == {f"feeds/{path.name}" for path in (FIXTURES / "feeds").iterdir()}


def test_the_feeds_cover_formats_languages_and_charsets() -> None:
    names = [path.name.split("-rss")[0].split("-atom")[0] for path in (FIXTURES / "feeds").iterdir()]
    assert len(set(names)) == 24
    assert len({row.encoding for row in FEEDS}) >= 45


def test_rows_differ_and_ids_are_unique() -> None:
    assert max(Counter((row.file, row.content_type) for row in FEEDS).values()) == 1
    assert max(Counter(row.id for row in REPORTS).values()) == 1


@each("row", {row.file: row for row in FEEDS}.values(), ids=ids)
def test_the_right_text_is_what_pythons_codec_reads(row) -> None:
    text = oracle(row.path.read_bytes(), row.encoding)
    assert sha256(text) == row.sha256
    assert title_of(text) == row.title


def test_the_right_text_of_reports_is_what_pythons_codec_reads_where_that_is_all() -> None:
    """Not for damage, supersets, gzip and what stands before the declaration: there the text is more."""
    judged = 0
    for row in REPORTS:
        if (
            row.encoding
            and row.sha256
            and row.id.startswith(("word-", "text-xml-", "default-", "http-", "declared-"))
        ):
            assert sha256(oracle(row.body, row.encoding)) == row.sha256, row.id
            judged += 1
    assert judged > 400


# -- honest feeds, opened ---------------------------------------------------------------------------------


def judge(reader: XmlReader, row, rule: str) -> None:
    with reader:
        text = reader.read()
        assert (reader.encoding, reader.resolution.rule) == (row.encoding, rule)
        assert title_of(text) == row.title
        assert sha256(text) == row.sha256


@each("row", FEEDS, ids=ids, parts=4)
def test_a_feed_from_bytes_and_from_its_file(row) -> None:
    for source in (row.path.read_bytes(), row.path):
        options = {"content_type": row.content_type, "declaration": "keep"}
        judge(XmlReader(source, **options), row, row.lenient_rule)
        if row.mode == "both":
            judge(XmlReader(source, lenient=False, **options), row, row.strict_rule)


@each("row", [row for row in FEEDS if row.mode == "lenient"], ids=ids)
def test_strict_fires_the_rule_of_the_table(row) -> None:
    try:
        rule = resolve(row.path.read_bytes(), row.content_type, lenient=False).rule
    except ResolutionError as error:
        rule = error.rule
    assert rule == row.strict_rule


@pytest.fixture(scope="module")
def feeds_over_http():
    rows = {
        f"/{n}": local_server.Row.typed(row.path.read_bytes(), row.content_type)
        for n, row in enumerate(FEEDS)
    }
    with local_server.LocalServer(rows) as server:
        yield server


@each("row", [row for row in FEEDS if row.content_type is not None], ids=ids, every=12)
def test_a_feed_over_http(row, feeds_over_http) -> None:
    url = feeds_over_http.url(f"/{FEEDS.index(row)}")
    judge(XmlReader(url, declaration="keep"), row, row.lenient_rule)
    if row.mode == "both":
        judge(XmlReader(url, declaration="keep", lenient=False), row, row.strict_rule)


# -- the reports ------------------------------------------------------------------------------------------


def assert_right(row, text: str, resolution) -> None:
    assert resolution.encoding == (row.encoding or resolution.encoding), row.id
    assert sha256(text) == (row.sha256 or sha256(text)), row.id


def in_memory(row):
    return decode(row.body, row.content_type, declaration="keep")


SOME = pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.long)])
"""Where all reports are read in memory, too."""


def by_reader(source, **options):
    with XmlReader(source, declaration="keep", **options) as reader:
        return reader.read(), reader.resolution


@each("row", REPORTS, ids=ids, parts=4)
def test_a_report_in_memory(row) -> None:
    text, resolution, _ = in_memory(row)
    if row.kind == "gzip":  # decode never gunzips
        assert resolution.facts.body.kind == "gzip"
        assert_right(row, *by_reader(row.body, content_type=row.content_type))
        return
    assert_right(row, text, resolution)
    assert resolution.facts.body.kind == row.kind


@each("row", [row for row in REPORTS if not row.id.startswith("header-mega")], ids=ids, parts=2, every=30)
def test_a_report_cut_into_pieces(row) -> None:
    """The same text, and the same resolution, however the octets come."""
    text, whole, _ = in_memory(row)
    for size in CUTS if len(row.body) < SHORT else CUTS[-1:]:
        decoder = XmlDecoder(row.content_type, declaration="keep")
        pieces = [decoder.decode(row.body[at : at + size]) for at in range(0, len(row.body), size)]
        assert "".join(pieces) + decoder.decode(b"", final=True) == text
        assert decoder.resolution == whole


@SOME
def test_reports_from_files(step: int, tmp_path: Path) -> None:
    for row in REPORTS[::step]:
        path = tmp_path / "feed"
        path.write_bytes(row.body)
        text, resolution = by_reader(path, content_type=row.content_type)
        assert_right(row, text, resolution)
        assert row.kind == "gzip" or resolution == in_memory(row).resolution, row.id


@SOME
def test_reports_over_http(step: int) -> None:
    carried = [row for row in REPORTS if row.http and row.content_type is not None]
    rows = {f"/{row.id}": local_server.Row.typed(row.body, row.content_type) for row in carried}
    with local_server.LocalServer(rows) as server:
        for row in carried[::step]:
            text, resolution = by_reader(server.url(f"/{row.id}"))
            assert_right(row, text, resolution)
            assert row.kind == "gzip" or resolution == in_memory(row).resolution, row.id
    assert len(carried) > 700
