"""XmlDecoder and decode: the same text and the same resolution, however the bytes come."""

from __future__ import annotations

import copy
import pickle
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from support.each import each
from support.effort import growth
from support.generated import generated

from feedcharset import (
    Decoded,
    DecodeError,
    EncodingConflict,
    FeedcharsetError,
    NotXmlMediaType,
    Resolution,
    XmlDecoder,
    decode,
    resolve,
)
from feedcharset.decide.lenient_chain import replay

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "fixtures"))

DOCUMENT = '<?xml version="1.0" encoding="%s"?>\n<rss><title>%s</title></rss>'
CONTENT_TYPES = (
    None,
    "",
    "text/xml",
    "application/rss+xml",
    "text/html",
    "text/xml; charset=ISO-8859-1",
    "application/xml; charset=utf-8",
    "text/xml; charset=windows-1251",
    "image/png",
    "application/xml; charset=gbk",
)
LABELS = (
    "utf-8",
    "ISO-8859-1",
    "windows-1252",
    "windows-1251",
    "gb2312",
    "Shift_JIS",
    "utf-16",
    "us-ascii",
    "klingon",
)
INSERTIONS = (b"\x00", b"\x1b$B", b"\xff\xfe", b"\xef\xbb\xbf", b"<?xml ", b"\x80" * 3)


def pieces(body: bytes, size: int, **options) -> tuple[str, XmlDecoder]:
    decoder = XmlDecoder(**options)
    text = "".join(decoder.decode(body[at : at + size]) for at in range(0, len(body), size))
    return text + decoder.decode(b"", True), decoder


@generated(
    60,
    200,
    st.sampled_from(LABELS),
    st.binary(max_size=60) | st.text(max_size=40).map(lambda text: text.encode("utf-8", "replace")),
    st.sampled_from(CONTENT_TYPES),
    st.integers(1, 9),
    st.sampled_from([1, 2, 5, 1 << 20]),
    st.sampled_from(["windows-1252", "replace", "space", "latin-1"]),
)
def test_the_text_is_the_same_however_the_bytes_are_cut(
    label: str, middle: bytes, content_type: str | None, size: int, lookahead: int, errors: str
) -> None:
    """The incremental decoder gives the same text however the bytes are cut, empty pieces included."""
    body = (DOCUMENT % (label, "@")).encode().replace(b"@", middle)
    options = {"content_type": content_type, "lookahead": lookahead, "errors": errors}
    whole = XmlDecoder(**options)
    text = whole.decode(body, True)
    cut, decoder = pieces(body, size, **options)
    assert cut == text
    assert decoder.resolution == whole.resolution
    assert decoder.repairs == whole.repairs
    assert replay(whole.resolution.facts) == whole.resolution


@each("label", [b"utf-8\xff", b"G\xc3\xa9B2312", b"macint\x80\x80osh", b"\xef\xbb\xbfutf-8"])
@each("title", ["", "é", "\u0436" * 9])
@each("content_type", [None, "text/xml", "text/xml; charset=utf-8"])
def test_non_ascii_bytes_in_a_label_are_bytes_of_the_document(
    label: bytes, title: str, content_type: str | None
) -> None:
    """What is blanked has been decoded and judged with the rest."""
    body = (DOCUMENT % ("@", title)).encode().replace(b"@", label)
    decoder = XmlDecoder(content_type)
    text = decoder.decode(body) + decoder.decode(b"", True)
    assert decode(body, content_type) == (text, decoder.resolution, decoder.repairs)
    assert resolve(body, content_type, complete=True) == decoder.resolution


@each(
    ("label", "data"),
    [
        ("EUC-JP", b"\x8f\xa2\xed\xa9\xa6 \xff\xad\xa1\x8f\xb0\xa1\xff\xfc\xe2<\x8f \xff\xa4\xf7\x08"),
        ("gb18030", b"\x80\xa2\xe3\xff\x80 \x81\x30\x81\x30\xff\xa2\xe3\x81\x30\x81 \xff\x08\x80"),
        ("Big5", b"\xa3\xe1\xff\x88\x62\xff\xa4@\x08\xa4 \xff"),
        ("ISO-2022-JP", b'\x1b$B$"\xff$$\x1b(B\x08\x1b(J\\\xff\x1b$B\x1b(B\xff\x1b$B$'),
        ("UTF-8", b"\xe3\x81\x82\xff\xf0\x9f\x98\x80\x08\xc3\xe9"),
    ],
)
@each("errors", ["replace", "space"])
def test_offsets_do_not_depend_on_the_cut(label: str, data: bytes, errors: str) -> None:
    """Repairs are counted in bytes from the first one of the source, also where a character can be written in
    two ways."""
    body = (DOCUMENT % (label, "@")).encode().replace(b"@", data)
    options = {"encoding": label, "errors": errors, "xml_chars": "replace"}
    whole = decode(body, **options)
    damaged = [at for at in whole.repairs.offsets if body[at] == 0xFF]
    assert [at for at, byte in enumerate(body) if byte == 0xFF] == damaged
    assert [at for at in whole.repairs.offsets if body[at] == 8] == [body.index(8)]
    for size in range(1, len(data)):
        text, decoder = pieces(body, size, **options)
        assert (text, decoder.repairs) == (whole.text, whole.repairs)
    assert offset_when_strict(body, label, len(body)) == damaged[0]
    assert {offset_when_strict(body, label, size) for size in range(1, 40)} == {damaged[0]}


def offset_when_strict(body: bytes, label: str, size: int) -> int:
    with pytest.raises(DecodeError) as caught:
        pieces(body, size, encoding=label, errors="strict")
    return caught.value.offset


@pytest.mark.parametrize("declared", [b"<?xml version='1.0'?>", b"<?xml version='1.0'?\xe9>\x1b?>"])
@pytest.mark.parametrize("lookahead", [64, 65536])
def test_a_misplaced_declaration_is_told_with_its_offset(declared: bytes, lookahead: int) -> None:
    """Also where the window opens within the declaration, which is blanked in the text."""
    body = declared + b"<?xml version='1.0' encoding='koi8-r'?><a>" + "да".encode("koi8_r") * 100
    decoded = decode(body, lookahead=lookahead)
    assert (decoded.resolution.encoding, decoded.resolution.rule) == ("KOI8-R", "L5")
    assert decoded.resolution.facts.body.misplaced_at == len(declared)


@each(
    ("content_type", "options"),
    [(None, {"encoding": "utf-8", "errors": "strict"}), ("image/png", {"lenient": False})],
)
@each("more", [b"", b"<b>", b"\xff"])
@each("final", [False, True])
def test_an_error_comes_again(
    content_type: str | None, options: dict[str, Any], more: bytes, final: bool
) -> None:
    decoder = XmlDecoder(content_type, **options)
    with pytest.raises(FeedcharsetError) as first:
        decoder.decode(b"<?xml version='1.0'?><a>\xff</a>" + b"x" * 100_000)
    for _ in range(2):
        with pytest.raises(FeedcharsetError) as again:
            decoder.decode(more, final)
        assert again.value is first.value


def test_what_no_other_type_can_hold_is_taken_as_bytes() -> None:
    body = (DOCUMENT % ("utf-8", "é")).encode()
    assert decode(bytearray(body)) == decode(memoryview(body)) == decode(body)
    assert XmlDecoder().decode(bytearray(body), True) == decode(body).text


def test_decoded_unpacks_and_pickles() -> None:
    decoded = decode((DOCUMENT % ("windows-1251", "\u0434\u0430")).encode("cp1251"), "text/xml")
    text, resolution, repairs = decoded
    assert isinstance(decoded, Decoded)
    assert isinstance(resolution, Resolution)
    assert "\u0434\u0430" in text
    assert repairs.count == 0
    assert pickle.loads(pickle.dumps(decoded)) == decoded


def test_no_decision_before_the_head_is_complete() -> None:
    decoder = XmlDecoder()
    assert decoder.decode(b"<?xml version='1.0'") == ""
    assert not decoder.started
    with pytest.raises(ValueError, match="no decision yet"):
        _ = decoder.encoding
    assert decoder.decode(b"?><a/>", True) == "<?xml version='1.0'?><a/>"
    assert decoder.encoding == "UTF-8"


def test_text_flows_before_the_end() -> None:
    """A live stream is not held back: all but the window and an incomplete tail comes out at once."""
    decoder = XmlDecoder()
    head = b"<?xml version='1.0'?><log>" + b"x" * 60
    assert decoder.decode(head) == head.decode()
    assert decoder.decode(b"line 1\n") == "line 1\n"
    assert decoder.decode("é".encode()) == ""
    assert decoder.decode(b"", True) == "é"


@pytest.mark.parametrize("codec", ["ascii", "utf-16-le", "utf-32-be", "cp037"])
def test_text_flows_as_soon_as_the_declaration_is_whole(codec: str) -> None:
    """However it dribbles in."""
    head = "<?xml version='1.0' standalone = 'no'    ?><log>".ljust(70 if codec == "ascii" else 48).encode(
        codec
    )
    decoder = XmlDecoder()
    text = "".join(decoder.decode(head[at : at + 1]) for at in range(len(head)))
    if codec == "cp037":  # of EBCDIC more is needed, for the code page
        assert not decoder.started
        text += decoder.decode("x".encode(codec) * 4096)
    assert text.rstrip(" x") == head.decode(codec).rstrip()


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "piece", [b"\xef\xbb\xbf", b"\xff\xfe", b"\n", b"\0\0\xfe\xff", b"<?xml ", b"\0", b"\x40"]
)
def test_a_head_that_comes_byte_by_byte_takes_linear_time(piece: bytes) -> None:
    """Sixteen times the bytes take about sixteen times as long: 256 would be quadratic."""

    def dribble(size: int) -> None:
        pieces((piece * size)[:size], 1)

    assert growth(dribble, 1_000, 16_000, most=80) < 80


def test_a_head_is_read_as_soon_as_it_may_end() -> None:
    """The piece with its `>` is not held back until the head has grown by a share."""
    decoder = XmlDecoder(lookahead=1)
    head = [b"<?xml version='1.0'" + b" " * 80 + b"encodi", b"ng='windows-1251' ", b"?"]
    assert [decoder.decode(piece) for piece in head] == ["", "", ""]
    assert decoder.decode(b"><a>").endswith("?><a>")
    assert decoder.decode("при".encode("cp1251")) == "при"


@pytest.mark.long
def test_a_run_that_comes_in_small_pieces_takes_linear_time() -> None:
    """A server chooses the size of the pieces; `mojibake="fix"` holds the run back until it ends."""

    def dribble(size: int) -> None:
        decoder = XmlDecoder(mojibake="fix")
        for _ in range(size):
            decoder.decode(b"a")

    assert growth(dribble, 1_000, 16_000, most=80) < 80


def test_no_more_than_the_lookahead_is_held_back() -> None:
    decoder = XmlDecoder(lookahead=1000)
    decoder.decode(b"<log>" + b"x" * 100)
    given_out = 0
    for _ in range(500):
        given_out += len(decoder.decode("жжж".encode()))
    assert 500 * 3 - given_out <= 1000 / 2 + 3


@pytest.mark.parametrize(
    ("before", "kinds"),
    [
        (b"\n", {"before-document": 1}),
        (b"\xef\xbb\xbf\n \xef\xbb\xbf", {"before-document": 1}),
        (b"\xef\xbb\xbf", {}),
        (b"", {}),
    ],
)
def test_what_stands_before_the_declaration_is_not_text_and_is_reported(before: bytes, kinds) -> None:
    body = before + (DOCUMENT % ("utf-8", "é")).encode()
    text, resolution, repairs = decode(body, declaration="keep")
    assert text == DOCUMENT % ("utf-8", "é")
    assert dict(repairs.kinds) == kinds
    assert resolution.facts.body.start == len(before)


def test_a_bom_that_is_skipped_is_reported() -> None:
    body = b"\xff\xfe" + (DOCUMENT % ("utf-8", "é")).encode()
    text, resolution, repairs = decode(body, declaration="keep")
    assert text == DOCUMENT % ("utf-8", "é")
    assert resolution.encoding == "UTF-8"
    assert dict(repairs.kinds) == {"bom": 1}


def test_a_utf8_bom_that_is_skipped_is_reported() -> None:
    body = b"\xef\xbb\xbf" + (DOCUMENT % ("windows-1251", "Погода на завтра")).encode("cp1251")
    text, resolution, repairs = decode(body)
    assert "Погода на завтра" in text
    assert (resolution.encoding, resolution.rule) == ("windows-1251", "L2")
    assert dict(repairs.kinds) == {"bom": 1}


def test_a_mixture_is_read_sequence_by_sequence_whatever_errors_says() -> None:
    pasted = "déjà vu".encode() + " - café, à bientôt, ça".encode("latin-1")
    body = (DOCUMENT % ("ISO-8859-1", "@")).encode().replace(b"@", pasted)
    for errors in ("windows-1252", "replace"):
        text, resolution, _ = decode(body, errors=errors)
        assert "déjà vu - café, à bientôt, ça" in text
        assert (resolution.encoding, resolution.codec) == ("ISO-8859-1", None)
        assert "mixture" in [step.id for step in resolution.steps]


def test_strict_forced_and_refused() -> None:
    body = (DOCUMENT % ("windows-1251", "да")).encode("cp1251")
    strict = XmlDecoder("text/xml; charset=windows-1251", lenient=False)
    assert "да" in strict.decode(body, True)
    assert (strict.errors, strict.resolution.lenient) == ("strict", False)
    forced = XmlDecoder("text/xml", encoding="windows-1251")
    assert "да" in forced.decode(body, True)
    assert forced.resolution.rule == "forced"
    with pytest.raises(EncodingConflict):
        XmlDecoder(lenient=False).decode(b"\xef\xbb\xbf" + body, True)
    with pytest.raises(ValueError, match="lookahead is -1"):
        XmlDecoder(lookahead=-1)
    forced.note_broken_gzip()
    assert forced.repairs.kinds == (("gzip", 1),)


def test_the_detector_is_asked_when_nothing_else_answers_and_only_then() -> None:
    asked: list[bytes] = []

    def detector(data: bytes) -> str | None:
        asked.append(data)
        return "windows-1251"

    body = "<a>да и нет</a>".encode("cp1251")
    decoded = decode(body, detector=detector)
    assert (decoded.text, decoded.resolution.rule) == ("<a>да и нет</a>", "L6")
    assert asked == [body[3:]]
    decode("<a>да и нет</a>".encode(), detector=detector)
    assert len(asked) == 1
    assert decode(body, detector=lambda data: None).resolution.rule == "L7"
    assert decode(body, detector=lambda data: "klingon").resolution.rule == "L7"


def test_the_letters_are_a_detector_by_name() -> None:
    text = "<a>Сегодня ожидается переменная облачность, ветер слабый, без осадков.</a>"
    for decoded in (decode(text.encode("koi8-r"), detector="letters"), decode(text.encode("koi8-r"))):
        assert (decoded.text, decoded.resolution.encoding) == (text, "KOI8-R")
    assert decode(text.encode("koi8-r"), detector=None).resolution.rule == "L7"


@pytest.mark.parametrize("turns", [400, pytest.param(1500, marks=pytest.mark.long)])
def test_mutated_documents_never_raise(turns: int) -> None:
    """Lenient never raises because of what a document holds."""
    import reading

    random.seed(1)
    bodies = [row.path.read_bytes() for row in reading.read_feeds()]
    for turn in range(turns):
        body = bytearray(random.choice(bodies)[: random.choice((60, 300, 3000))])
        for _ in range(random.choice((1, 3, 20))):
            at = random.randrange(len(body) + 1)
            change = random.randrange(4)
            if change == 0:
                body[at : at + 1] = bytes([random.randrange(256)])
            elif change == 1:
                del body[at : at + random.randrange(8)]
            elif change == 2:
                body[at:at] = random.choice(bodies)[at : at + random.randrange(40)]
            else:
                body[at:at] = random.choice(INSERTIONS)
        content_type = random.choice(CONTENT_TYPES)
        decoded = decode(bytes(body), content_type)
        assert replay(decoded.resolution.facts) == decoded.resolution, turn
        decoded.text.encode("utf-8")


@generated(24, 250, st.binary(max_size=300), st.none() | st.text(max_size=60))
def test_any_bytes_and_any_content_type_never_raise(body: bytes, content_type: str | None) -> None:
    """Lenient never raises because of what a document holds."""
    text, resolution, _ = decode(body, content_type, mojibake="fix", xml_chars="replace")
    text.encode("utf-8")
    assert resolution.explain()
    assert resolution.as_dict()["encoding"] == resolution.encoding
    assert replay(resolution.facts) == resolution


def test_text_is_refused_with_what_to_pass() -> None:
    for call in (decode, resolve, XmlDecoder().decode):
        with pytest.raises(TypeError, match="pass the document's bytes"):
            call("<a/>")


def test_a_detector_that_is_none_is_refused_whatever_the_document_holds() -> None:
    for call in (decode, resolve):
        with pytest.raises(ValueError, match="detector is 'bogus'"):
            call(b"<a/>", detector="bogus")


@pytest.mark.parametrize(
    ("version", "label", "options", "line_end"),
    [
        ("1.0", "ISO-8859-2", {}, "…"),
        ("1.1", "ISO-8859-2", {}, "\x85"),
        ("1.1", "ISO-8859-2", {"encoding": "ISO-8859-2"}, "\x85"),
        ("1.1", "ISO-8859-2", {"lenient": False}, "\x85"),
        ("1.1", "windows-1250", {}, "…"),
        ("1.1", "ISO-8859-1", {}, "…"),
    ],
)
def test_85_in_xml_1_1(version: str, label: str, options: dict[str, object], line_end: str) -> None:
    """XML 1.1 §2.11: NEL is a line end; in an ISO-8859 page it is 85. Windows pages have no NEL."""
    body = f'<?xml version="{version}" encoding="{label}"?><a>'.encode() + b"\xe9\x85</a>"
    whole = decode(body, **options)
    assert whole.text.endswith(f"<a>é{line_end}</a>")
    for size in (1, 7, 60):
        assert pieces(body, size, **options)[0] == whole.text


@each("cut", range(0, 60, 7))
def test_a_state_is_continued_by_another_decoder(cut: int) -> None:
    body = "<?xml version='1.0' encoding='windows-1251'?><a>Привет, мир</a>".encode("cp1251")
    first, second = XmlDecoder(), XmlDecoder()
    text = first.decode(body[:cut])
    state = first.getstate()
    assert first.decode(body[cut:], True)  # the state is a copy
    second.setstate(state)
    text += second.decode(body[cut:], True)
    assert (text, second.resolution) == (decode(body).text, decode(body).resolution)
    second.reset()
    assert second.decode(body, True) == text


@each("codec", ["iso2022_jp", "shift_jis", "utf-16", "cp1251"])
def test_a_copy_and_its_original_go_on_alone(codec: str) -> None:
    body = f"<?xml version='1.0' encoding='{codec}'?><a>日本語, мир</a>".encode(codec, "ignore")
    for cut in range(len(body)):
        decoder = XmlDecoder(lookahead=4)
        decoder.decode(body[:cut])
        other = copy.copy(decoder)
        assert decoder.decode(body[cut:], True) == other.decode(body[cut:], True)
        assert other.resolution == decoder.resolution


def test_what_is_no_state_is_refused() -> None:
    with pytest.raises(TypeError, match="takes what getstate"):
        XmlDecoder().setstate((b"", 0))


def test_a_document_that_has_ended_takes_no_more() -> None:
    decoder = XmlDecoder()
    decoder.decode(b"<a/>", True)
    assert decoder.decode(b"", True) == ""
    with pytest.raises(ValueError, match=r"call reset\(\) before the next one"):
        decoder.decode(b"<b/>")


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("final", [False, True])
def test_a_look_decides_and_leaves_the_text_to_decode(size: int, final: bool) -> None:
    """Whatever bytes were looked at, text, decision and repairs are those of one call."""
    for label, options in [("windows-1250", {}), ("x", {}), ("utf-16", {}), ("koi8-r", {"lenient": False})]:
        options = {"encoding": "koi8-r"} if label == "x" else options
        body = f'<?xml version="1.0" encoding="{label}"?><a>'.encode() + b"\xe9t\xe9 </a>" * 30
        decoder, seen = XmlDecoder(**options), 0
        while decoder.look(body[seen : seen + size]) is None:
            seen += size
            assert not decoder.started
        seen += size
        assert decoder.started
        first = "" if final else decoder.decode(body[:seen])
        text = first + decoder.decode(body if final else body[seen:], True)
        expected = decode(body, **options)
        assert (text, decoder.resolution, decoder.repairs) == expected


def test_a_look_refuses_what_decoding_refuses() -> None:
    decoder = XmlDecoder("text/html", lenient=False)
    with pytest.raises(NotXmlMediaType):
        decoder.look(b"<rss>text</rss>" * 9)
    assert XmlDecoder().look(b"<rss>text</rss>" * 9) is True
    assert XmlDecoder().look(("<rss>text</rss>" * 9).encode("utf-16")) is False


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("blank", ["\n\n", "\r\n\r\n\r\n", " \n "])
def test_the_line_of_an_error_counts_blank_lines_before_the_document(encoding: str, blank: str) -> None:
    """The oracle is the number of lines before the byte, and the characters behind the last line end."""
    before = blank + '<?xml version="1.0"?>\n<a>caf'
    wrong = b"\x00\xd8x\x00" if encoding == "utf-16" else b"\xff"
    document = (
        before.encode(encoding)
        + wrong
        + "</a>".encode(encoding.replace("-sig", "") + ("le" if encoding == "utf-16" else ""))
    )
    lines = before.splitlines()
    for lenient in (True, False):
        with pytest.raises(DecodeError) as caught:
            decode(document, errors="strict", lenient=lenient)
        assert caught.value.offset == len(before.encode(encoding))
        assert (caught.value.line, caught.value.column) == (len(lines), len(lines[-1]) + 1)
