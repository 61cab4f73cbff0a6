"""Documents of a western page that go on behind the window, where UTF-8 may begin."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each import each
from support.generated import generated

from feedcharset import XmlDecoder, XmlReader, decode, parse
from feedcharset.charsets.lookup import by_name
from feedcharset.evidence.damaged_utf8 import EscapedUtf8, by_chance, decode_mixed
from feedcharset.evidence.detector import LOOKAHEAD
from feedcharset.evidence.utf8_sequences import first_proof
from feedcharset.text import byte_decoder
from feedcharset.text.byte_decoder import NEAR, MixtureDecoder, Utf8Decoder
from feedcharset.text.source_positions import RepairLog
from feedcharset.text.utf8_repair import Utf8Repairer

HEAD = "<?xml version='1.0' encoding='{}'?>\n<rss><t>"
FILLER = b"<i>nothing but letters of the alphabet</i>\n"
LONG = FILLER * (LOOKAHEAD // len(FILLER) + 1)


def archive(label: str, first: bytes, last: bytes) -> bytes:
    return HEAD.format(label).encode() + first + b"</t>\n" + LONG + b"<t>" + last + b"</t></rss>"


PAGES = ["UTF-8", "", "ISO-8859-1", "windows-1252", "ISO-8859-15", "windows-1254"]
LATER = [
    ("Žižkov", 2),
    ("Новый мост", 9),
    ("Νέα", 3),
    ("שלום", 4),
    ("สวัสดี", 6),
    ("新しい橋", 4),
    ("L’été", 3),
    ("Party 🎉", 1),
]


@each(
    ("label", "text", "sequences"),
    [(label, *later) for label in PAGES for later in LATER],
    every=5,
)
def test_utf8_behind_the_window(label: str, text: str, sequences: int) -> None:
    """The same in memory, as a stream and through `parse`; sequences are counted, other bytes are not."""
    document = archive(label, b"\xa9 Caf\xe9", text.encode() + b" caf\xe9 ").replace(b" encoding=''", b"")
    read, resolution, repairs = decode(document)
    assert read.endswith(f"<t>{text} café </t></rss>")
    assert "<t>© Café</t>" in read
    assert dict(repairs.kinds) == {"utf-8": sequences}
    assert repairs.offsets[0] == document.index(text.lstrip("PartyL ")[:1].encode(), LOOKAHEAD)
    assert resolution.steps[-1].id == "behind the window"
    with XmlReader(io.BytesIO(document)) as reader:
        assert reader.read() == read
        assert reader.repairs == repairs
    assert parse(document).getroot()[-1].text == f"{text} café "


@pytest.mark.parametrize("text", ["CAFÉ…", "MENÜ” É»", "Spaß… « Ã© »", "Größe: Ã€", "Œuvre â€™"])
def test_honest_text_behind_the_window(text: str) -> None:
    document = archive("windows-1252", b"\xa9", text.encode("cp1252"))
    read, _, repairs = decode(document)
    assert read.endswith(f"<t>{text}</t></rss>")
    assert repairs.count == 0


def test_no_mixture_where_the_window_holds_the_document() -> None:
    assert all(step.id != "behind the window" for step in decode(b"<a>caf\xe9").resolution.steps)


def test_other_pages_are_not_mixed() -> None:
    document = archive("windows-1251", b"\xcc\xee\xf1\xea\xe2\xe0", "Žižkov".encode())
    assert decode(document).text.endswith("<t>ЕЅiЕѕkov</t></rss>")


def pieces_of(document: bytes, sizes: list[int], skip: int) -> tuple[str, object]:
    log = RepairLog()
    decoder = MixtureDecoder(by_name("ISO-8859-15"), "windows-1252", log, skip=skip)
    parts, at = [], 0
    for size in sizes:
        parts.append(decoder.decode(document[at : at + size]))
        at += size
    return "".join(parts) + decoder.decode(document[at:], True), log.repairs


PARTS = [
    *(
        b"a",
        b" ",
        b".",
        b"\xe9",
        b"\xc3\xa9",
        b"\xc5\xbd",
        b"\xe2\x82\xac",
        b"\xf0\x9f\x98\x80",
        b"\xc3",
        b"\xe2\x82",
    ),
    *("Новый".encode(), b"x" * (NEAR - 2), b"\xc9\xbb", b"caf\xc3\xa9s", b"\xa4"),
    *("ж ".encode(), b"\xed\xa0\xbd\xed\xb8\x8e", b"\xed\xa0\xbd", b"\xed"),
]
PAIR = b"\xed\xa0\xbd\xed\xb8\x8e"


@given(st.lists(st.sampled_from(PARTS), max_size=10), st.lists(st.integers(0, 2 * NEAR)), st.integers(0, 20))
def test_the_same_in_any_pieces(parts: list[bytes], sizes: list[int], skip: int) -> None:
    """The incremental decoder gives the same text however the bytes are cut."""
    document = b"".join(parts)
    whole = pieces_of(document, [], skip)
    assert pieces_of(document, sizes, skip) == whole
    assert pieces_of(document, [1] * len(document), skip) == whole


@given(st.lists(st.sampled_from([PAIR, PAIR[:3], PAIR[:5], "ж".encode(), b"\xff", b"a", b" "]), max_size=8))
def test_a_surrogate_pair_proves_utf8_in_any_pieces(parts: list[bytes]) -> None:
    """Python's codec does not decode a pair, so that bytes with nothing else seem to hold no sequence."""
    document = b"".join(parts)
    whole = pieces_of(document, [], 0)
    assert pieces_of(document, [1] * len(document), 0) == whole
    assert "ж" in pieces_of(b"\xff " + PAIR + b" " + "ж ".encode() + document, [1] * 200, 0)[0]


OPTIONS = [{"mojibake": "fix"}, {"xml_chars": "replace"}, {"mojibake": "fix", "xml_chars": "drop"}, {}]


@generated(
    40,
    150,
    st.lists(
        st.sampled_from([*PARTS, b"<a>", b"</a>", "Ã©".encode(), "â€™".encode(), b"\x93", b"\x0b"]),
        max_size=9,
    ),
    st.sampled_from(OPTIONS),
    st.sampled_from([1, 2, 5]),
    st.integers(1, 9),
)
def test_a_whole_document_behind_a_small_window(
    parts: list[bytes], options: dict[str, Any], lookahead: int, size: int
) -> None:
    """Text, repairs and their offsets are the same in pieces, whatever stages follow the decoder."""
    document = b"<rss>" + b" " * 80 + b"".join(parts)
    whole = decode(document, lookahead=lookahead, detector=None, **options)
    decoder = XmlDecoder(lookahead=lookahead, detector=None, **options)
    text = "".join(decoder.decode(document[at : at + size]) for at in range(0, len(document), size))
    assert (text + decoder.decode(b"", True), decoder.resolution, decoder.repairs) == whole


@pytest.mark.parametrize("size", [1, 7, 4000])
def test_offsets_behind_mixed_utf8(size: int) -> None:
    """What a later stage changes behind the first proof is reported by its byte, also in the same piece."""
    document = (
        b"<a>" + b"x" * 80 + b"\xff" + b"x" * 20 + "Žižkov \x0b Νέα\x0b ".encode() + b"caf\xe9 \x0b</a>"
    )
    decoder = XmlDecoder(lookahead=1, detector=None, xml_chars="replace")
    parts = [decoder.decode(document[at : at + size]) for at in range(0, len(document), size)]
    text = "".join([*parts, decoder.decode(b"", True)])
    assert text.endswith("Žižkov \ufffd Νέα\ufffd café \ufffd</a>")
    forbidden = [at for at, byte in enumerate(document) if byte == 0x0B]
    sequences = [match.start() for match in re.finditer(rb"[\xc2-\xf4][\x80-\xbf]", document)]
    assert decoder.repairs.offsets == tuple(sorted(forbidden + sequences))


@pytest.mark.parametrize(("distance", "read"), [(NEAR, "ж"), (NEAR + 1, "Ð¶")])
def test_what_stands_near_a_proof_is_utf8(distance: int, read: str) -> None:
    document = b" " + "ж".encode() + b"." * (distance - 3) + b" " + "Новый".encode()
    text, _ = pieces_of(document, [1] * len(document), 0)
    assert text[1 : 1 + len(read)] == read
    assert text.endswith("Новый")


@pytest.mark.parametrize("size", [1, 3, 16, 200])
def test_held_bytes_are_searched_a_few_times_however_small_the_pieces_are(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = "日本語".encode("euc-jp") * 3_000  # sequences that prove nothing, and are held back
    searched = []

    def counted(data: bytes, *args: Any, **options: Any) -> Any:
        searched.append(len(data))
        return first_proof(data, *args, **options)

    monkeypatch.setattr(byte_decoder, "first_proof", counted)
    decoder = MixtureDecoder(by_name("ISO-8859-1"), "windows-1252", RepairLog(), skip=0)
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    text = "".join(map(decoder.decode, pieces)) + decoder.decode(b"", True)
    assert text == data.decode("windows-1252")
    assert sum(searched) < 20 * len(data)


def test_a_sequence_by_chance_in_utf_8_of_which_a_decision_says_that_it_is_a_mixture() -> None:
    """`é »` in windows-1252 has the bytes of one character; at the end of a piece what follows decides."""
    data = b"qualit\xe9\xa0\xbb"
    assert decode_mixed(data, by_chance(data), False) == ("qualit", 6)
    known = EscapedUtf8(data.decode("utf-8", "surrogateescape"))
    whole = Utf8Decoder("replace", RepairLog(), page="windows-1252", before=b" ", escaped=known)
    assert whole.decode(data, True) == "qualité\xa0»"
    repairer = Utf8Repairer()
    repairer.decoder.expect_mixture(b"")
    assert repairer.feed(data, True).decode() == "qualité\xa0»"
