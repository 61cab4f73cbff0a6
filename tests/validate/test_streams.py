"""`check` over sources of every kind and size: no exception, and the same report however they are cut."""

from __future__ import annotations

import gzip
import io
import os
import random
import sys
from collections import Counter
from email.message import Message
from pathlib import Path
from subprocess import check_output
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedcharset import Report, TooLarge, XmlDecoder, check
from feedcharset.evidence.detector import LOOKAHEAD
from feedcharset.validate.document_check import check_stream
from feedcharset.validate.text_blocks import SOURCE_BLOCK
from feedcharset.validate.well_formedness import TEXT_LIMIT

FIXTURES = Path(__file__).parents[2] / "fixtures"
BODIES = [
    path.read_bytes() for folder in ("feeds", "findings") for path in sorted((FIXTURES / folder).iterdir())
]

FIELDS = [
    None,
    "",
    "text/xml",
    "text/html",
    "application/rss+xml",
    "application/xml; charset=utf-8",
    "text/xml;charset=iso-8859-1",
    "text/xml;charset=us-ascii",
    "application/xml; charset=utf-16",
    "application/xml; charset=utf-16be",
    "application/xml; charset=utf-32",
    "application/atom+xml; charset=gb2312",
    "text/xml; charset=windows-1252",
    "text/xml; charset=shift_jis",
    "text/xml; charset=iso-2022-jp",
    "application/xml, charset = 'cp-1251'",
]

STRANGE = [
    *(b"\0", b"\x08", b"&#8;", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3\xa9", b"\xe9", b"\x93", b"\xc2"),
    *(b"\xc3\x83\xc2\xa9", b"<?xml version='1.0'?>", b"\x1b$B", b"<![CDATA[", b"]]>", b"\x1f\x8b\x08"),
    *(b"\xed\xa0\x80", b"\x81", b"\xef\xbf\xbe", b"\xd8\x00", b"\r", b"\x85"),
]


class Drip(io.RawIOBase):
    """A stream that gives a few bytes at a time."""

    def __init__(self, data: bytes, most: int) -> None:
        self._data = io.BytesIO(data)
        self._most = most

    def read(self, size: int = -1, /) -> bytes:
        return self._data.read(min(self._most, size))


def mutated(chance: random.Random) -> bytes:
    """A fixture with a few things changed."""
    body = bytearray(chance.choice(BODIES))
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(body) + 1)
        match chance.randrange(5):
            case 0:
                body[at:at] = chance.choice(STRANGE)
            case 1:
                body[at : at + 1] = bytes([chance.randrange(256)])
            case 2:
                del body[at : at + chance.randint(1, 9)]
            case 3:
                body[min(at, 120) : min(at, 120)] = chance.choice(STRANGE)
            case _:
                other = chance.choice(BODIES)
                start = chance.randrange(len(other) + 1)
                body[at:at] = other[start : start + chance.randint(1, 200)]
    return bytes(body)


def spell(report: Report) -> None:
    """Everything in it can be written down."""
    for finding in report.findings:
        for text in (finding.message, finding.excerpt, finding.fix or ""):
            text.encode("utf-8")
        assert finding.caret <= len(finding.excerpt)
        assert (finding.offset is None) == (finding.line is None) == (finding.column is None)


@pytest.mark.parametrize("count", [40, pytest.param(1500, marks=pytest.mark.long)])
def test_many_broken_feeds(count: int) -> None:
    """None of them raises, and each is decided as XmlDecoder decides it."""
    chance = random.Random(20261120)
    for _ in range(count):
        body, field = mutated(chance), chance.choice(FIELDS)
        policy = chance.choice(["rfc3023", "rfc7303"])
        report = check(body, content_type=field, policy=policy, limit=chance.choice([0, 1, 100]))
        spell(report)
        if report.resolution is not None and not body.startswith(b"\x1f\x8b"):
            decoder = XmlDecoder(field, policy=policy)
            decoder.decode(body, True)
            assert report.resolution == decoder.resolution


@given(st.binary(max_size=400), st.one_of(st.none(), st.text(max_size=60), st.sampled_from(FIELDS)))
def test_any_bytes_and_any_field(body: bytes, field: str | None) -> None:
    """Nothing that a document or a Content-Type holds is an exception."""
    spell(check(body, content_type=field))


@given(st.lists(st.sampled_from([*STRANGE, b"<t>", b"</t>", b"a", b"\n", b"\xe9t\xe9"]), max_size=40))
def test_any_mixture_of_what_is_strange(parts: list[bytes]) -> None:
    """Nothing that a document holds is an exception."""
    spell(check(b"<?xml version='1.0'?>" + b"".join(parts)))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("most", [2, 1, 3, 7, 1000])
def test_a_report_does_not_depend_on_the_pieces(most: int) -> None:
    """A stream that gives a few bytes at a time is reported as the whole."""
    chance = random.Random(most)
    for _ in range(25):
        body = mutated(chance)
        field = chance.choice(FIELDS)
        assert check(Drip(body, most), content_type=field) == check(body, content_type=field)


@pytest.mark.parametrize("more", [1, 7, 1000, SOURCE_BLOCK])
def test_a_stream_may_return_more_than_was_wanted(more: int) -> None:
    """As wrapped responses do: the rest is no part of another document."""

    class Generous(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(size + more if size and size > 0 else size)

    body = b"<r>" + "<a>žluť</a>\n".encode() * 60_000 + b"</r>"
    assert check(Generous(body)).findings == check(io.BytesIO(body)).findings == ()
    assert [one.code for one in check(Generous(body[:-1])).findings] == ["not-well-formed"]


@pytest.mark.long
def test_a_long_document_in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings on both sides of every block's end."""
    monkeypatch.setattr("feedcharset.validate.text_blocks.SOURCE_BLOCK", 20 * 1024)
    monkeypatch.setattr("feedcharset.validate.reading_comparison.LOOKAHEAD", 10 * 1024)
    line = "<p>été\x08 Ã©tÃ© &#8; \x93</p>\r\n".encode() + b"caf\xe9 "
    body = b"<?xml version='1.0' encoding='UTF-8'?>\n" + line * (48 * 1024 // len(line))
    whole = check(body, limit=10_000)
    assert check(Drip(body, 1021), limit=10_000) == whole
    codes = Counter({finding.code: 0 for finding in whole.findings})
    for finding in whole.findings:
        codes[finding.code] += finding.count
    assert codes["undecodable"] == body.count(b"caf\xe9")
    assert codes["mojibake"] == body.count("Ã©tÃ©".encode()) * 2
    (undecodable,) = (finding for finding in whole.findings if finding.code == "undecodable")
    assert len(undecodable.offsets) == 100
    for offset in undecodable.offsets:
        assert body[offset - 3 : offset + 1] == b"caf\xe9"
    before = body[: undecodable.offset].decode("utf-8", "surrogateescape")
    assert undecodable.line == before.count("\n") + 1
    assert undecodable.column == len(before) - before.rfind("\n")


# -- sources ----------------------------------------------------------------------------------------------


class Response(io.BytesIO):
    """Anything with read and headers."""

    headers = Message()


Response.headers["Content-Type"] = "text/html"


def test_sources_of_every_kind(tmp_path: Path) -> None:
    body = b"<?xml version='1.0'?><rss>\x08</rss>"
    file = tmp_path / "feed.xml"
    file.write_bytes(body)
    with file.open("rb") as stream:
        reports = [check(file), check(str(file)), check(body), check(bytearray(body)), check(stream)]
    assert all(report == reports[0] for report in reports)
    assert [finding.code for finding in reports[0].findings] == ["forbidden-character"]
    assert {finding.code for finding in check(Response(body)).findings} == {"rule-2.6", "forbidden-character"}


def test_the_stream_is_closed_unless_asked_otherwise() -> None:
    stream = io.BytesIO(b"<rss/>")
    check(stream, closefd=False)
    assert not stream.closed
    check(stream)
    assert stream.closed


def test_errors_of_the_source_come_through(tmp_path: Path) -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1, /) -> bytes:
            raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        check(Broken())
    with pytest.raises(FileNotFoundError):
        check(tmp_path / "absent.xml")


def test_what_makes_no_sense_is_refused() -> None:
    class Text:
        def read(self, size: int = -1, /) -> str:
            return "<rss/>"

        def close(self) -> None:
            pass

    with pytest.raises(TypeError, match="binary stream"):
        check(Text())
    with pytest.raises(ValueError, match="policy"):
        check(b"<rss/>", policy="rfc2616")
    with pytest.raises(ValueError, match="limit"):
        check(b"<rss/>", limit=-1)


def test_a_stream_that_has_nothing_yet() -> None:
    class Waiting(io.BytesIO):
        waited = False

        def read(self, size: int | None = -1, /) -> Any:
            self.waited = not self.waited
            return None if self.waited else super().read(size)

    assert [finding.code for finding in check(Waiting(b"<rss>\x08</rss>")).findings] == [
        "forbidden-character"
    ]


def test_gzip_is_unpacked_and_a_bomb_ends_the_document() -> None:
    body = b"<rss>" + b" " * (1 << 19) + b"\x08</rss>"
    found = check(gzip.compress(body)).findings
    assert [finding.code for finding in found] == ["gzip-file", "forbidden-character"]
    assert found[1].offset == body.index(b"\x08")
    bomb = gzip.compress(b"<rss>" + b" " * (64 << 20))
    assert [finding.code for finding in check(bomb).findings] == ["gzip-file", "gzip-broken"]


@pytest.mark.parametrize("size", [2, 3, 10])
def test_gzip_that_is_cut_before_its_text(size: int) -> None:
    found = check(gzip.compress(b"<rss/>")[:size]).findings
    assert sorted(finding.code for finding in found) == ["body-empty", "gzip-broken", "gzip-file"]


def test_a_ratio_that_another_coding_exceeds_comes_through() -> None:
    class Fetched(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            if self.tell() < 2 * SOURCE_BLOCK:
                return super().read(size)
            raise TooLarge("too much", url="https://example.org/", limit="ratio")

    with pytest.raises(TooLarge):
        check(Fetched(gzip.compress(random.Random(1).randbytes(4 * SOURCE_BLOCK))))


@pytest.mark.long
def test_a_run_of_undecodable_bytes_is_one_place() -> None:
    body = b"<rss>" + b"\xff" * (3 * SOURCE_BLOCK) + b" \xff</rss>"
    found = [finding for finding in check(body).findings if finding.code == "undecodable"]
    assert [finding.offset for finding in found] == [5, 6 + 3 * SOURCE_BLOCK]
    assert found[0].message == "FF FF FF FF FF FF FF FF ... is not UTF-8"


# -- memory -----------------------------------------------------------------------------------------------

# Not ru_maxrss, where the system says more: that is never less than what the parent process needed.
MEASURE = """
import sys
import feedcharset.validate.document_check, lxml.etree
{work}
try:
    print(int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) * 1024)
except OSError:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(peak if sys.platform == "darwin" else peak * 1024)
"""
CHECK = """
from feedcharset import check
report = check(sys.argv[1])
assert [finding.code for finding in report.findings] == sys.argv[2].split(), report.findings
"""


def peak_memory(work: str, *arguments: str) -> int:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", MEASURE.format(work=work), *arguments]
    return int(check_output(command, env=environment))


LINES: list[tuple[bytes, list[str]]] = [
    ("<p>déjà vu, l’été</p>\n".encode(), []),
    (b"d\xe9j\xe0 vu, but no tag and no line end ", ["encoding-unnamed", "undecodable", "undecodable"]),
    (b"<p>plain</p>\n", []),
    (b"<p>AT & T</p>\n", ["not-well-formed"]),
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "codes", "mebibytes"),
    [(*LINES[0], 16), *(pytest.param(*row, 26, marks=pytest.mark.long) for row in LINES)],
)
def test_memory_is_constant(line: bytes, codes: list[str], mebibytes: int, tmp_path: Path) -> None:
    """A file of many MiB, in at most 12 MiB more than one of 2 MiB."""
    peaks = []
    for size in (2 * 2**20, mebibytes * 2**20):
        file = tmp_path / f"{size}.xml"
        file.write_bytes(b"<?xml version='1.0'?><a>\n" + line * (size // len(line)) + b"</a>")
        too_long = ["parser-limit"] if size > TEXT_LIMIT and b"<" not in line else []
        peaks.append(peak_memory(CHECK, str(file), " ".join(too_long + codes)))
    assert peaks[1] - peaks[0] <= 12 * 2**20


@pytest.mark.long
def test_memory_is_constant_where_no_two_blocks_are_equal(tmp_path: Path) -> None:
    """Of a file in a single-byte charset, 16 MiB in at most 6 MiB more than one of 2 MiB."""
    peaks = []
    for size in (2 * 2**20, 16 * 2**20):
        file = tmp_path / f"{size}.xml"
        lines = "".join(f"<p>Привет, мир {number}</p>\n" for number in range(size // 26))
        file.write_bytes(f"<?xml version='1.0' encoding='windows-1251'?><a>\n{lines}</a>".encode("cp1251"))
        peaks.append(peak_memory(CHECK, str(file), ""))
    assert peaks[1] - peaks[0] <= 6 * 2**20


@pytest.mark.long
def test_entities_take_no_memory(tmp_path: Path) -> None:
    """Those that expand to 2 GB, in at most 4 MiB more than those that expand to 2 bytes."""
    declared = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    peaks = []
    for name, codes in (("e0", ""), ("e9", "parser-limit")):
        file = tmp_path / f"{name}.xml"
        file.write_text(f'<!DOCTYPE a [<!ENTITY e0 "ha">{declared}]><a b="&{name};">&{name};</a>')
        peaks.append(peak_memory(CHECK, str(file), codes))
    assert peaks[1] - peaks[0] <= 4 * 2**20


@pytest.mark.long
def test_a_peak_is_that_of_the_child() -> None:
    """The measurement sees what the child holds, and nothing of what this process holds."""
    held = bytearray(96 * 2**20)
    bare = peak_memory("")
    assert bare < len(held)
    assert peak_memory("held = bytearray(48 * 2**20)") - bare >= 47 * 2**20


@pytest.mark.parametrize(
    ("charset", "body"),
    [
        ("ISO-2022-JP", b"<a>Ferry\x1b$Btimetable: what changes in spring</a>"),
        ("ISO-2022-JP", b"<a>\x1b$B\x24\x22\x7f\x24\x24\x1b(B and \x1b$B\x24\x24\x7f\x24\x22\x1b(B</a>"),
        ("ISO-2022-JP", b"<a>\x1b(J\x80\x1b$B\x22\x7e\x29\x21\x1b(Bx\x81</a>"),
        ("ISO-2022-JP", b"<a>\x1b$BEl\x015~\n5~\x1b(B and \x1b$B5~\n\x1b(B</a>"),
        ("ISO-2022-JP", b"<a>\x1b$B5~\x1b(B\x1b$B5~\x1b(B\x1b(J\x1b(B, \x1b$B5~\x1b(B</a>"),
        ("GB18030", b"<a>\x81\x30\x81\xff\xc4\xe3\xff\x84\x31\xa4\x37</a>"),
        ("Shift_JIS", b"<a>\x82\xa0\x85\x40 \x82\xa2\xa0\xff\x82\xa0</a>"),
        ("UTF-8", "<a>é".encode() + b"\xe2\x80 \xf0\x9f\x98" + "日本\xff</a>".encode()),
        ("UTF-16", "\ufeff<a>日本".encode("utf-16-be") + b"\xd8\x00\0<\xdc\x00\0/\0a\0>"),
    ],
)
def test_the_offsets_of_undecodable_bytes_are_where_the_bytes_stand(charset: str, body: bytes) -> None:
    """Escape sequences, and characters of several widths, count before each of them."""
    head = f'<?xml version="1.0" encoding="{charset}"?>\n'
    document = body[:2] * (charset == "UTF-16") + head.encode("utf-16-be" if charset == "UTF-16" else "ascii")
    document += body[2 * (charset == "UTF-16") :]
    found = [one for one in check(document).findings if one.code == "undecodable"]
    assert found
    for one in found:
        spelled = bytes.fromhex(one.message.partition(" is not ")[0])
        for offset in one.offsets:
            assert document[offset : offset + len(spelled)] == spelled


ITEM = "<item><title>Le café été « … »</title></item>"


TEXTS = [
    *("", "à la carte", "&#8217;", "<![CDATA[ &#8; ]]>", "ÀÉÈ’", "<é a='é'/>", "<é></é>"),
    *("&#8;", "&#x85;", "\x85", "\x08", "\ufffe", "a & b", "<br>", "<a></é>", "]]>", "&nbsp;"),
    *("Ã©tÃ©", "dâ€™", "РїСЂРё", "<?xml version='1.0'?>", "\ue000", "</rss>", "<é></è>"),
]


@pytest.mark.parametrize(("size", "step"), [(1, 9), pytest.param(3_000, 1, marks=pytest.mark.long)])
def test_a_document_like_others_without_findings_is_checked_as_they_are(size: int, step: int) -> None:
    """The first one is honest; what is remembered of it must not hide what another one has."""
    head = '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel>'
    for text in TEXTS[::step]:
        honest, body = (f"{head}{ITEM * size}<title>{one}</title></channel></rss>" for one in ("é", text))
        for start in ("", "\ufeff"):
            for data in (
                (start + honest).encode(),
                (start + body).encode(),
                (start + body).encode() + b"\xff",
            ):
                report = check(data, content_type="application/rss+xml")
                assert report == check_stream(io.BytesIO(data), "application/rss+xml")[0], text
                assert report == check(Drip(data, 50_000), content_type="application/rss+xml"), text
                packed = check(gzip.compress(data), content_type="application/rss+xml")
                assert packed.findings[1:] == report.findings, text
                assert data != honest.encode() or not report.findings


@pytest.mark.parametrize("step", [13, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("field", [None, "application/rss+xml", "text/xml; charset=utf-8"])
def test_a_second_check_is_that_of_the_stream(field: str | None, step: int) -> None:
    for body in BODIES[::step]:
        expected = check_stream(io.BytesIO(body), field)[0]
        assert check(body, content_type=field) == check(body, content_type=field) == expected


@pytest.mark.sampled(3)
@pytest.mark.parametrize("before", range(1, 5))
def test_a_run_that_a_block_cuts_is_one_finding(before: int) -> None:
    """Undecodable bytes side by side are one place, also behind the window, where the blocks begin."""
    start = '<?xml version="1.0" encoding="UTF-8"?><r>é '.encode()
    cut = (LOOKAHEAD // SOURCE_BLOCK + 1) * SOURCE_BLOCK
    body = start.ljust(cut - before, b"x") + b"\xff" * 5 + "é</r>".encode()
    found = [finding for finding in check(body).findings if finding.code == "undecodable"]
    assert [(one.offset, one.count) for one in found] == [(cut - before, 1)]
