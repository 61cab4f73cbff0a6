"""Cases that no other test distinguished: for each there was a change of the code that no test noticed.

The expected values are those of the specifications: RFC 3023, RFC 3629, the Encoding Standard, XML 1.0.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest
from support.command_line import call
from support.each import each
from support.faulty_server import Close, FaultyServer, Script, Send
from support.time_limits import CALM

from feedcharset import (
    TooLarge,
    XmlDecoder,
    XmlReader,
    check,
    decode,
    iterparse,
    parse,
    repair,
    resolve,
)
from feedcharset.adapters.xml_responses import unpacked
from feedcharset.batch.warc import read_warc, record_batches
from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import by_name
from feedcharset.cli.report_formats import server_settings
from feedcharset.cli.terminal import _prepare_output
from feedcharset.decide.lenient_chain import RecordedCounts, _few_sequences
from feedcharset.decide.lenient_principles import PRINCIPLES, Case, named
from feedcharset.decide.published_tables import RFC3023_HTTP, RFC3023_RAW
from feedcharset.decide.thresholds import varied_enough
from feedcharset.evidence.damaged_utf8 import (
    _ends_alone,
    count_utf8,
    count_without_chance,
    decode_mixed,
    find_damage,
)
from feedcharset.evidence.declaration import DECLARATION_LIMIT, begins_declaration, parse_declaration
from feedcharset.evidence.document_head import is_unpacked
from feedcharset.evidence.labelled_letters import may_be_no_western, under_other_script
from feedcharset.evidence.utf8_sequences import first_proof, utf8_runs, utf8_words
from feedcharset.evidence.window import Window
from feedcharset.fetch.client import open_url
from feedcharset.fetch.connection import FetchAbort
from feedcharset.fetch.deadline import Deadline
from feedcharset.fetch.gunzip import PieceStream
from feedcharset.fetch.limits import Limits
from feedcharset.fetch.response_body import FetchedBody, check_framing
from feedcharset.parsing.tag_syntax import StartTag, read_start_tag
from feedcharset.reading.byte_streams import read_whole
from feedcharset.reading.sources import lacks_beginning
from feedcharset.reading.xml_reader import check_reader_options
from feedcharset.results.facts import Body, Damage, Detected, Facts, SequenceCount, Utf8Count
from feedcharset.text import mojibake
from feedcharset.text.mojibake import Edit, _is_odd_in_word
from feedcharset.text.xml_text import blank_text
from feedcharset.validate import text_blocks
from feedcharset.validate.document_check import compare_readings
from feedcharset.validate.file_charset import JudgedFile
from feedcharset.validate.fixes import has_chance_sequences
from feedcharset.validate.text_blocks import SOURCE_BLOCK
from feedcharset.validate.well_formedness import _Lxml
from feedcharset.validate.western_words import (
    NEAR_STRAY,
    LettersAmongUtf8,
    is_dos_or_mac,
    near_strays,
)

CYRILLIC = "Привет, мир: новости дня".encode("koi8-r")


def test_decode_passes_the_default_encoding_on() -> None:
    body = b"<a>" + CYRILLIC + b"</a>"
    assert decode(body, "text/plain", default_encoding="koi8-r").resolution[:3] == ("KOI8-R", "koi8_r", "L4")
    assert decode(body, "text/plain", detector=None).resolution.encoding == "windows-1252"


@pytest.mark.parametrize(("lookahead", "complete"), [(0, False), (1, False), (10, False), (1000, True)])
def test_decode_passes_the_lookahead_on(lookahead: int, complete: bool) -> None:
    """The window is as long as it was asked for; 0 is one byte, the one that opens it."""
    body = b"<a>" + "Žižkov, pěší zóna".encode() + b"</a>"
    assert decode(body, lookahead=lookahead).resolution.facts.body.complete is complete
    assert (
        decode(body, lookahead=lookahead, default_encoding="utf-8").resolution.facts.body.complete is complete
    )
    pushed = XmlDecoder(lookahead=lookahead)
    pushed.decode(body, True)
    assert pushed.resolution.facts.body.complete is complete


@pytest.mark.parametrize("lookahead", [0, 1])
@pytest.mark.parametrize("field", [None, "text/xml; charset=utf-8"])
@pytest.mark.parametrize(("rest", "complete"), [(b"\xe9", True), (b"\xc3\xa9", False), (b"\xe9x", False)])
def test_the_shortest_window_is_one_byte(
    lookahead: int, field: str | None, rest: bytes, complete: bool
) -> None:
    pushed = XmlDecoder(field, lookahead=lookahead)
    pushed.decode(b"<a>" + rest, True)
    for resolution in (decode(b"<a>" + rest, field, lookahead=lookahead).resolution, pushed.resolution):
        assert resolution.facts.body.complete is complete


def test_a_quotation_mark_after_an_accented_letter_stays_windows_1252() -> None:
    """E9 9A and 9A 92 are no UTF-8, and the word is honest."""
    body = "<a>Aléš’s</a>".encode("cp1252")
    assert decode(body, "text/xml; charset=windows-1252").text == "<a>Aléš’s</a>"
    assert decode("<a>Aléš’s</a>".encode(), "text/xml; charset=windows-1252").text == "<a>Aléš’s</a>"


@pytest.mark.parametrize("damaged", [0, 1])
def test_one_damaged_character_does_not_beat_a_declared_multi_byte_charset(damaged: int) -> None:
    """A server's default loses to a declaration that decodes but for one place."""
    text = "ニュースの見出しと本文"
    stray = b"\xff" * damaged
    body = b"<?xml version='1.0' encoding='euc-jp'?><a>" + text.encode("euc_jp") + stray + b"</a>"
    decoded = decode(body, "text/xml; charset=iso-8859-1")
    assert decoded.resolution.encoding == "EUC-JP"
    assert text in decoded.text


def test_two_damaged_characters_beat_a_short_declared_multi_byte_charset() -> None:
    body = b"<?xml version='1.0' encoding='euc-jp'?><a>" + "ニュース".encode("euc_jp") + b"\xff \xff</a>"
    assert decode(body, "text/xml; charset=iso-8859-1").resolution.rule == "2.5"


@pytest.mark.parametrize(
    ("content_type", "charset"),
    [
        ('text/xml; p="charset=koi8-r"', None),  # a quoted string is opaque
        ("text/xml; charset\xa0=koi8-r", None),  # U+00A0 is no HTTP white space: another parameter's name
        ("text/xml; charset =koi8-r", "koi8-r"),  # a space is
    ],
)
def test_what_is_a_charset_parameter(content_type: str, charset: str | None) -> None:
    if "\xa0" in content_type:
        assert resolve(b"<a/>", content_type, lenient=False).facts.charset is None
    else:
        assert resolve(b"<a/>", content_type, complete=True).facts.charset == charset


def test_a_declaration_behind_an_element_is_none() -> None:
    body = b"<feed>caf\xe9</feed><?xml version='1.0' encoding='koi8-r'?>"
    assert resolve(body, complete=True, detector=None).facts.declared is None
    declaration = b"<?xml version='1.0' encoding='koi8-r'?>"
    feed = b"<feed>" + CYRILLIC + b"</feed>"
    behind = resolve(feed + declaration, complete=True, detector=None)
    before = resolve(b"x" + declaration + feed, complete=True, detector=None)
    assert (behind.rule, behind.encoding) == ("L7", "windows-1252")
    assert (before.rule, before.encoding) == ("L5", "KOI8-R")


def test_a_large_header_does_not_count_as_body() -> None:
    """`wire` counts the body; `header` the header."""
    body = b"<a>" + b"x" * 300_000 + b"</a>"
    head = b"HTTP/1.1 200 OK\r\nX: " + b"y" * 5000 + b"\r\n%s\r\n"
    for framing in (b"Content-Length: %d\r\n" % len(body), b""):
        script = Script((Send(head % framing + body), Close()))
        with FaultyServer(script) as server:
            assert open_url(server.url, limits=CALM._replace(wire=len(body))).readall() == body
        with FaultyServer(script) as server, pytest.raises(TooLarge):
            open_url(server.url, limits=CALM._replace(wire=len(body) - 1)).readall()


def test_the_frames_of_a_body_count_as_received() -> None:
    """`wire` is what comes over the wire: a body of one-byte chunks has six bytes for each of its own."""
    body = b"<a>" + b"x" * 20_000 + b"</a>"
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    with FaultyServer(Script((Send(head + chunks), Close()))) as server:
        assert open_url(server.url, limits=CALM._replace(wire=len(chunks))).readall() == body
    with FaultyServer(Script((Send(head + chunks), Close()))) as server, pytest.raises(TooLarge):
        open_url(server.url, limits=CALM._replace(wire=3 * len(body))).readall()


def test_the_offsets_of_a_truncated_sequence() -> None:
    """Unicode ch. 3: a maximal subpart is one replacement; each byte of it is one in windows-1252."""
    assert repair(b"\xe1\x80", errors="replace").repairs[:2] == (1, (0,))
    assert repair(b"x\xe1\x80y", errors="space").repairs[:2] == (2, (1, 2))


@pytest.mark.parametrize("count", [99, 100, 101])
def test_the_first_hundred_offsets_are_kept(count: int) -> None:
    repairs = repair(b"\xff" * count).repairs
    assert (repairs.count, repairs.offsets) == (count, tuple(range(min(count, 100))))


def test_the_first_hundred_offsets_of_two_kinds_are_kept_in_order() -> None:
    repairs = decode(b"\xff\x01" * 80, encoding="utf-8", xml_chars="replace").repairs
    assert dict(repairs.kinds) == {"bytes": 80, "xml-chars": 80}
    assert (repairs.count, repairs.offsets) == (160, tuple(range(100)))


def test_mojibake_is_given_as_soon_as_it_is_certain() -> None:
    """Text before markup is complete when the markup begins."""
    decoder = XmlDecoder(mojibake="fix")
    text = decoder.decode(("<?xml version='1.0'?><a>naÃ¯ve</a><b>" + "x" * 64).encode())
    text += decoder.decode("é".encode() * 3 + b"<c>" + b"y" * (2 << 20))
    assert "naïve</a><b>" in text


def test_the_fix_of_a_declaration_with_attributes_in_odd_order() -> None:
    finding = check(b"<?xml encoding='utf-8' version='1.0'?><a/>").findings[0]
    assert (finding.code, finding.severity) == ("declaration-grammar", "error")
    assert finding.fix == '<?xml version="1.0" encoding="UTF-8"?>'


def test_the_elements_of_iterparse_know_their_document(tmp_path) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(b"<rss><item/></rss>")
    assert [element.base for _, element in iterparse(path, "item")] == [str(path)]


def test_a_lone_surrogate_in_utf_32() -> None:
    """Unicode D90: it is not UTF-32; the characters beside it stay."""
    units = (0x3C, 0xD800, 0x3C)
    body = b"".join(unit.to_bytes(4, "big") for unit in units)
    assert decode(body, encoding="utf-32be", errors="replace").text == "<\ufffd<"
    assert decode(body, encoding="utf-32be").text == "<\ufffd<"


@pytest.mark.parametrize("byte", [0x60, 0x7E])
def test_iso_2022_jp_katakana_ends_at_5f(byte: int) -> None:
    """Encoding Standard, ISO-2022-JP decoder, katakana: 21 to 5F, else an error."""
    assert decode(b"\x1b(I\x5f" + bytes([byte]) + b"\x1b(B", encoding="iso-2022-jp").text == "\uff9f\ufffd"


def test_a_space_within_iso_2022_jp_kanji() -> None:
    """Encoding Standard, ISO-2022-JP decoder, lead byte: 21 to 7E, else an error."""
    assert decode(b"\x1b$B\x24\x22\x20\x1b(B", encoding="iso-2022-jp").text == "あ\ufffd"
    for document in (b"\x1b$B\x20\x24\x22\x1b(B", b"\x1b$B\x20\x24\x22"):
        assert decode(document, encoding="iso-2022-jp").text == "\ufffdあ"
        decoder = XmlDecoder(encoding="iso-2022-jp")
        pieces = [decoder.decode(document[at : at + 1]) for at in range(len(document))]
        assert "".join(pieces) + decoder.decode(b"", True) == "\ufffdあ"
    engine = charset_decoder(by_name("ISO-2022-JP"), lenient=True)
    assert (engine.decode(b"\x1b$B\x20"), engine.pending) == ("\udc20", b"")  # it begins no pair
    assert (engine.decode(b"\x21"), engine.pending) == ("", b"\x21")


def test_gb18030_gives_back_what_does_not_belong() -> None:
    """Encoding Standard, gb18030 decoder: an error in the third byte restores the second and third."""
    assert decode(b"\x81\x30\x80", encoding="gb18030").text == "\ufffd0€"
    assert decode(b"\x81\x30\x80\x30", encoding="gb18030").text == "\ufffd0€0"


def test_an_escape_before_the_first_high_byte_opens_the_window() -> None:
    assert decode(b"a\x1bb\xe9").resolution.facts.body.first_non_ascii == 1


def test_the_sentences_of_a_rule_that_hands_over() -> None:
    resolution = resolve(b"<?xml version='1.0' encoding='koi8-r'?><a/>", "application/xml", lenient=False)
    assert resolution.rule == "2.0/1.2"
    assert [(step.id, step.verdict, step.encoding) for step in resolution.steps] == [
        ("2.0", "nothing", None),
        ("1.2", "answer", "KOI8-R"),
    ]
    assert [step.why for step in resolution.steps] == [
        next(row.why for row in table if row.id == step.id)
        for table, step in zip((RFC3023_HTTP, RFC3023_RAW), resolution.steps, strict=True)
    ]


UTF8 = b"<?xml version='1.0' encoding='utf-8'?><a>"
EUC_JP = b"<?xml version='1.0' encoding='euc-jp'?><a>"


@pytest.mark.parametrize(
    ("body", "content_type", "why"),
    [
        (
            UTF8 + b"caf\xe9 " * 3 + "é é".encode(),
            None,
            "principle 3: 3 damaged runs of bytes beside 2 UTF-8 sequences",
        ),
        (
            EUC_JP + "アイ".encode("euc_jp") + b"\xff \xff \xff",
            None,
            "principle 3: EUC-JP cannot decode 3 runs of bytes; it decodes 2 characters",
        ),
        (
            UTF8 + "¤ ¦ ¨ ".encode() * 4,
            "text/xml; charset=iso-8859-15",
            "principle 4: the bytes are UTF-8 (12 sequences), and another label names UTF-8",
        ),
        (
            UTF8 + "사цы н ".encode() * 4,
            "text/xml; charset=gbk",
            "principle 4: the bytes are UTF-8 (at least 16 sequences), and another label names UTF-8",
        ),
    ],
)
def test_the_numbers_in_a_refusal(body: bytes, content_type: str | None, why: str) -> None:
    refused = [step for step in decode(body, content_type).resolution.steps if step.verdict == "refused"]
    assert refused[0].why == why


@pytest.mark.parametrize(("characters", "encoding"), [(3, "windows-1252"), (4, "EUC-JP")])
def test_a_multi_byte_charset_decodes_two_characters_for_each_undecodable_run(
    characters: int, encoding: str
) -> None:
    """One run of bytes that is no UTF-8 at all, two that are no EUC-JP."""
    decoded = "アイウエ"[:characters].encode("euc_jp")
    body = EUC_JP + decoded[:2] + b"\xff" + decoded[2:] + b"\xff</a>"
    assert decode(body, detector=None).resolution.encoding == encoding


@pytest.mark.parametrize(("name", "ebcdic"), [(b"\x81", True), (b"\xca\x81", False), (b"\x40", False)])
def test_only_name_characters_show_ebcdic(name: bytes, ebcdic: bool) -> None:
    """XML 1.0 Appendix F.1: 4C is `<`; CA is no letter, digit or sign of a name."""
    body = b"\x4c" + name + b"\x6e" + b"\x81" * 80
    assert (resolve(body, complete=True).facts.body.pattern == "EBCDIC") is ebcdic


def test_the_repr_of_a_reader_names_its_path(tmp_path) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(b"<a/>")
    with XmlReader(path) as reader:
        assert repr(reader) == f"<XmlReader of {path}: UTF-8>"
    assert repr(reader) == f"<XmlReader of {path}: closed>"


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("ab\ncd\ref gh", 3),  # behind the last line end, else behind the last space, else anywhere
        ("ab\rcd ef gh", 3),
        ("ab cd ef gh", 6),
        ("abcdefg hi", 8),
        ("abcdefgh\nij", 8),
        ("abcdefgh ij", 8),
    ],
)
def test_where_a_long_run_is_cut(text: str, end: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mojibake, "RUN", 8)
    assert mojibake._cut(text, 0) == end
    assert mojibake._cut("xyz" + text, 3) == 3 + end


@pytest.mark.parametrize(("distance", "near"), [(2, True), (1023, True), (1024, True), (1025, False)])
def test_a_sequence_near_a_proof_is_utf_8_too(distance: int, near: bool) -> None:
    body = b" \xc3\xb1" + b" " * (distance - 2) + "–".encode() + b" "
    proof = first_proof(body, b" ", by_name("windows-1252"), near=1024, final=True)
    assert proof == (True, 1 if near else 1 + distance)
    text = decode(b"<a>\xe9 " + b"x" * 300 + body + b"</a>", lookahead=3).text
    assert ("ñ" in text[300:], "Ã±" in text) == (near, not near)


def test_a_word_of_one_letter_is_judged_when_what_follows_it_is_known() -> None:
    """Within 64 bytes: in a text about encodings it is a quotation."""
    page, word = by_name("windows-1252"), b"c'est \xc3\xa0 "
    for behind in range(60, 70):
        part = word + b"x" * behind
        proof = first_proof(part, b" ", page, near=1024, final=False)
        assert proof == ((True, 6) if behind > 62 else (False, 6)), behind
        assert first_proof(part, b" ", page, near=1024, final=True) == (True, 6)
        assert first_proof(part + b"\xe0", b" ", page, near=1024, final=True).found == (behind > 62)


def test_the_last_bytes_of_a_piece_may_begin_a_proof() -> None:
    page, emoji = by_name("windows-1252"), "😀".encode()
    for cut in range(1, 5):
        assert first_proof(b"caf\xe9 " + emoji[:cut], b"", page, near=1024, final=False).certain <= 5


def test_words_are_counted_at_the_beginning_though_letters_are_judged_further_on() -> None:
    body = "é ".encode("cp1252") + b"x" * 20_000 + " Москва Погода ".encode() + "Новости".encode("cp1251")
    window = Window(body, ends=True, detector="letters")
    assert window.detected() is not None
    assert window.scripts() == Window(body, ends=True).scripts() == (0, 0, 0, 0, 0)


def test_signs_alone_are_no_letters_and_not_fewer() -> None:
    for text in (b" \xb9", b"\xb1=", b"\xbe99\xa3"):
        count = Window(text, ends=True).sibling(by_name("windows-1250"))
        assert count is not None
        assert (count.sibling, count.letters) == ("ISO-8859-2", 0)


def test_a_character_of_the_last_plane_may_be_cut() -> None:
    for size in (2, 3):
        cut = "\U00100001".encode()[:size].decode("utf-8", "surrogateescape")
        (found,) = find_damage(f"жжж a{cut} ж")
        assert (found.start, found.end, found.characters) == (5, 5 + size, "\ufffd")


def test_1_1_further_on_is_not_the_version_of_xml() -> None:
    """In XML 1.1 the byte 85 is a line end in ISO-8859-2."""
    text = "<?xml version='1.0' encoding='ISO-8859-2'?><rss xmlns:dc='http://purl.org/dc/elements/1.1/'>ł\x85</rss>"
    assert decode(text.encode("iso8859-2")).text.endswith(">ł…</rss>")
    assert decode(text.replace("1.0", "1.1", 1).encode("iso8859-2")).text.endswith(">ł\x85</rss>")


def test_what_begins_a_sequence_that_was_misread() -> None:
    """C1 begins nothing (Unicode, table 3-7); nor does C0, but ftfy reads C0 80 (a NUL of Java)."""
    leads = mojibake.sequence_characters("windows-1252")[0]
    assert ("À" in leads, "Á" in leads, "Â" in leads, "ß" in leads, "à" in leads) == (
        True,
        False,
        True,
        True,
        False,
    )


def test_a_declaration_begins_in_32_characters() -> None:
    found = [begins_declaration(b"<?" + b" " * spaces + b"xml ", "UTF-8", 0) for spaces in (26, 27)]
    assert found == [True, False]


def test_letters_of_text_stand_one_by_one_but_one_pair_in_eight() -> None:
    found = Detected("windows-1252", "letters", "French")
    assert under_other_script(found, b"\xe9\xe9 " + b"\xe9 " * 6, 0) == found
    assert under_other_script(found, b"\xe9\xe9 " + b"\xe9 " * 5, 0) is None


def test_a_read_into_nothing_reads_nothing() -> None:
    sizes: list[int] = []
    stream = PieceStream(lambda size: sizes.append(size) or b"x", closes=True)  # type: ignore[func-returns-value]
    assert (stream.readinto(bytearray()), sizes, stream.closed) == (0, [], False)
    assert (stream.readinto(bytearray(3)), sizes) == (1, [3])


@pytest.mark.parametrize("make", [list, lambda pair: (*pair, 0), lambda pair: pair[1], lambda pair: None])
def test_only_a_state_is_a_state(make: Any) -> None:
    decoder = XmlDecoder()
    with pytest.raises(TypeError, match="takes what getstate"):
        decoder.setstate(make(decoder.getstate()))


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_a_declaration_in_any_unit_is_blanked(codec: str) -> None:
    label = "UTF-8" if "8" in codec else codec.upper()[:6]
    body = f'<?xml version="1.0" encoding="{label}"?><a>é</a>'.encode(codec)
    blank = '<?xml version="1.0"' + " " * len(f' encoding="{label}"') + "?><a>é</a>"
    assert decode(body).text == blank
    assert decode(body, declaration="keep").text == body.decode(codec)
    plain = '<?xml version="1.0"?><a>é</a>'
    assert decode(plain.encode(codec)).text == plain


def test_mojibake_at_the_first_character() -> None:
    found = [(one.code, one.offset) for one in check("Ã©tÃ© Ã ".encode()).findings]
    assert found == [("no-xml", None), ("mojibake", 0), ("mojibake", 10)]


@pytest.mark.parametrize("label", ["UTF-16", "IBM037", "UTF-8"])
def test_the_right_label_of_ascii_under_another_unit(label: str) -> None:
    fixes = [one.fix for one in check(f"<?xml version='1.0' encoding='{label}'?><a/>".encode()).findings]
    assert set(fixes) == (set() if label == "UTF-8" else {'<?xml version="1.0" encoding="UTF-8"?>'})


@each(
    ("text", "offsets"),
    [
        # UTF-8 that was read in windows-1252, -1250, -1251, -1253, Mac Roman and code page 437.
        ("cafÃ©", [3]),
        ("a â€“ b", [2]),
        ("ÐŸÑ€Ð¸Ð²ÐµÑ‚", [0]),
        ("Å½iÅ¾kov", [0, 5]),
        ("ðŸ˜€ x", [0]),
        ("1 â‚¬", [2]),
        ("\xc5\xa0", []),
        ("\xe4\xb8\xad\xe6\u2013\u2021", [0]),
        ("naĂŻve", []),
        ("Ă©", []),
        ("Itâ€™s", [2]),
        ("Đ•Ń‰Ń‘", [0]),
        ("ĹĽĂłĹ‚w", [0]),
        ("РџСЂРёРІРµС‚", [0]),
        ("a вЂ“ b", [2]),
        ("Р•С‰С‘", [0]),
        ("\u039e\xa0\u039e\xac\u039e\xbd\u039f\u201e\u039e\xb1 \u039f\u039e\xb5\u03b1\u038f\u2013", [0]),
        ("cafΓ©", []),
        ("√©", [0]),
        ("a ‚Äì b", [2]),
        ("≈†", [0]),
        ("–ï—â—ë", []),
        ("├⌐", [0]),
        ("ItΓÇÖs ΓÇ£aΓÇ¥ ΓÇô bΓÇª", [2, 10, 17, 24, 32]),
        ("ItΓÇÖs", []),
        ("╨ƒ╤Ç╨╕╨▓╨╡╤é", [0]),
        ("≡ƒÿÇ x", [0]),
        ("┼á", [0]),
    ],
)
def test_where_mojibake_begins(text: str, offsets: list[int]) -> None:
    head = b"<?xml version='1.0' encoding='utf-8'?><a>"
    found = [one.offset for one in check(head + text.encode() + b"</a>").findings if one.code == "mojibake"]
    assert found == [len(head) + offset for offset in offsets]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("distance", range(40, 110))
def test_findings_at_the_edge_of_a_block(distance: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "SOURCE_BLOCK", 64)
    monkeypatch.setattr(text_blocks, "LEAST_TEXT", 1)
    head = b"<?xml version='1.0' encoding='utf-8'?><a>" + "é".encode() * 20 + b" "
    body = head + b"\xff" + b"x" * distance + b"\xfe</a>"
    found = [one.offset for one in check(body).findings if one.code == "undecodable"]
    assert found == [len(head), len(head) + 1 + distance]
    body = b"<a>" + b"x" * distance + b"<?xml version='1.0'?></a>"
    assert [(one.code, one.offset) for one in check(body).findings] == [("before-declaration", distance + 3)]


@each(
    ("text", "foreign"),
    [
        # In windows-1252, IBM850, code page 437 and Mac Roman.
        ("café", (False, False, False, False)),
        ("café crème", (False, False, False, True)),
        ("Grüße aus Köln", (False, True, True, True)),
        ("Größe", (False, False, False, False)),
        ("déjà vu à côté", (False, False, False, True)),
        ("Müller", (False, True, True, False)),
        ("ÉTÉ", (False, True, True, False)),
        ("«été»", (False, False, False, False)),
        ("Ångström blåbær", (False, True, True, True)),
        ("Rialtas na hÉireann, muintir na hÉireann", (False, True, True, False)),
    ],
)
def test_text_of_dos_or_mac(text: str, foreign: tuple[bool, ...]) -> None:
    codecs = ("cp1252", "cp850", "cp437", "mac_roman")
    assert tuple(is_dos_or_mac(text.encode(codec)) for codec in codecs) == foreign


@each(
    ("codec", "words", "label"),
    [
        ("cp1250", "kůže, kříž, měření", "windows-1250"),
        ("cp1250", "Łódź, Gdańsk, Poznań", "windows-1250"),
        ("cp1252", "Ærø, smørrebrød, blå", None),
    ],
)
def test_a_text_with_letters_of_several_western_alphabets_is_judged_alone(
    codec: str, words: str, label: str | None
) -> None:
    """However many western ones stand around it."""
    western = "<b>Les élèves de première année ont été reçus à l’école</b>".encode("cp1252") * 10
    found = LettersAmongUtf8(b"<rss>", b"").found_in(western + f"<b>{words}</b>".encode(codec))
    assert (found is None) if label is None else (found or "").startswith(f"in {label} ")


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("<rss<channel>", StartTag(4, "rss", False, "<rss>")),
        ("<rss/<channel>", StartTag(5, "rss", False, "<rss>")),
        ("<rss a=1<channel>", StartTag(8, "rss", False, '<rss a="1">')),
    ],
)
def test_the_root_is_not_empty_where_the_next_tag_cuts_it(text: str, tag: StartTag) -> None:
    assert read_start_tag(text, 0, len(text), "") == tag


@pytest.mark.parametrize("size", [64, 200, 1 << 18])
def test_the_first_non_ascii_byte_is_placed_once(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "SOURCE_BLOCK", size)
    monkeypatch.setattr(text_blocks, "LEAST_TEXT", 1)
    body = b"<a>\n<b>" + "é".encode() + b"</b>\n" * 200 + b"</a>"
    comparison = compare_readings(io.BytesIO(body), "text/xml")
    assert comparison.first_non_ascii is not None
    assert comparison.first_non_ascii[:3] == (7, 2, 4)
    assert comparison.first_non_ascii is comparison.first_non_ascii


@pytest.mark.parametrize("name", ["from_url", "from_path", "from_bytes", "from_stream", "from_response"])
def test_an_option_that_is_none_is_refused_in_the_name_of_the_function(name: str) -> None:
    with pytest.raises(TypeError, match=rf"^{name}\(\) has no option 'lookahed'; did you mean 'lookahead'\?"):
        getattr(XmlReader, name)(b"", lookahed=1)


@each(
    ("field", "chunked", "refused"),
    [
        ("chunked", True, False),
        ("chunked", False, True),
        ("chunked", None, False),
        ("gzip, chunked", True, True),
        ("gzip", None, True),
        ("", False, False),
    ],
)
def test_framing_that_the_client_does_not_take_off(field: str, chunked: bool | None, refused: bool) -> None:
    raw = SimpleNamespace(_fp=SimpleNamespace(chunked=chunked))
    headers, deadline = {"Transfer-Encoding": field} if field else {}, Deadline(Limits(), "http://a.example/")
    if not refused:
        check_framing(headers, raw, deadline)
        return
    with pytest.raises(FetchAbort, match="unknown framing"):
        check_framing(headers, raw, deadline)


@each("before", [b"<r>", b"<r>text;", b"<r>a"])
def test_an_ampersand_at_the_beginning_of_a_piece_is_not_waited_for(before: bytes) -> None:
    """libxml2 waits for a semicolon, and holds all that follows; the error is found in the piece itself."""
    parser = _Lxml()
    assert parser.parse(before, False) == []
    found = parser.parse(b"& b" + b" " * 100, False)
    assert [(one.code, one.line) for one in found] == [("not-well-formed", 1)]


@each(("text", "chance"), [("qualité\u00a0»écrit", True), ("Ö… ", True), ("Ö…É", False), ("dÃ©jÃ ", False)])
def test_sequences_of_windows_1252_before_another_letter(text: str, chance: bool) -> None:
    assert has_chance_sequences(text.encode("cp1252")) is chance


def test_a_body_that_was_never_begun_closes_nothing() -> None:
    FetchedBody.__new__(FetchedBody).__del__()


@each("most", [1, 3, 100])
def test_what_is_read_whole_has_the_size_that_was_wanted(most: int) -> None:
    stream = io.BytesIO(b"0123456789")
    assert read_whole(lambda size: stream.read(min(size, most)), 7) == b"0123456"
    assert read_whole(stream.read, 7) == b"789"


def test_a_batch_ends_with_the_row_that_fills_it() -> None:
    schema = pa.schema([("body", pa.binary())])
    rows = [{"body": b"x" * size} for size in (10, 9, 1, 9)]
    assert [batch.num_rows for batch in record_batches(rows, schema, 10)] == [1, 2, 1]


@each(("source", "told"), [("feed.xml", ""), ("a/feed.xml", " (its path there may not be /feed.xml)")])
def test_the_settings_of_a_server_tell_of_a_path_that_may_differ(source: str, told: str) -> None:
    first = server_settings("Content-Type: application/xml; charset=UTF-8", source)[0]
    assert first == f"for a file that the server sends as it is{told}:"


@each(
    ("text", "read"),
    [("a &#65 b", "a A b"), ("&#xe9 x", "é x"), ("AT&#1 hit", "AT&#1 hit"), ("&#65533 x", "&#65533 x")],
)
def test_a_number_without_its_semicolon(text: str, read: str) -> None:
    """It is a character, unless XML does not have it."""
    assert parse(f"<r>{text}</r>".encode()).getroot().text == read


def test_options_are_refused_before_a_document_is_judged() -> None:
    check_reader_options({"content_type": "text/xml; charset=klingon", "lenient": False})
    with pytest.raises(TypeError, match="lookahead"):
        check_reader_options({"lookahead": "x"})  # type: ignore[typeddict-item]


def test_a_response_that_counts_no_bytes_has_all_of_them() -> None:
    assert not lacks_beginning(SimpleNamespace(_body=b"", content=None))


def test_a_method_of_gzip_that_is_not_known_is_no_gzip() -> None:
    """RFC 1952 has one, 8."""
    assert unpacked(b"\x1f\x8b\x00<rss/>", None, "") == (b"\x1f\x8b\x00<rss/>", None, False)


def test_two_consumers_that_stop_at_two_places() -> None:
    """The place of the finding is that of the first one."""
    found = check(b"<a>\n\xc3\xa9\n\n \xff</a>", content_type="text/xml").findings
    (message,) = [one.message for one in found if one.code == "policies-differ"]
    assert message.count("stop there") == message.partition(";")[0].count("stop there") == 1


def test_a_label_goes_before_the_words_among_code() -> None:
    """Without one the words of a file decide, if its text has been read as windows-1252."""
    text = "Știri și informații din București: președintele a vorbit, țara și lumea. " * 5
    data = b'<?xml version="1.0" encoding="iso-8859-16"?><a>%b</a>' % text.encode("iso-8859-16")
    assert JudgedFile(data, complete=True).charset.name == "ISO-8859-16"


@pytest.mark.parametrize("between", [0, 1_100_000])
def test_force_is_not_named_for_what_it_refuses(
    between: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = b"From a@example.org Mon Jan  1\nContent-Type: text/plain; charset=%b\n\n%b\n\n"
    western = head % (b"iso-8859-1", b"caf\xe9 cr\xe8me " + b"x" * between)
    mail = head % (b"ISO-2022-JP", "日本の天気".encode("iso2022_jp"))
    (tmp_path / "box").write_bytes(western + mail + western)
    for option in ([], ["--force"]):
        assert call("repair", *option, tmp_path / "box", "-o", tmp_path / "out") == 2
        assert "--force" not in capsys.readouterr().err


def test_utf_16_without_bom_that_holds_control_characters_is_not_fixed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text, told in ("<a>\x01é</a>", "it holds binary data"), ("<a>é</a>", "fixed: "):
        (tmp_path / "feed.xml").write_bytes(text.encode("utf-16-le"))
        call("check", "-q", "--fix", tmp_path / "feed.xml")
        assert told in capsys.readouterr().err


@each(
    ("encoding", "kept"),
    [("utf-16", "utf-8"), ("utf-8-sig", "utf-8"), ("ascii", "utf-8"), ("cp850", "cp850")],
)
def test_an_encoding_that_writes_a_mark_is_none_for_reports(
    encoding: str, kept: str, monkeypatch: Any
) -> None:
    with monkeypatch.context() as patched:
        for name in ("stdout", "stderr"):
            patched.setattr(sys, name, io.TextIOWrapper(io.BytesIO(), encoding, "strict"))
        _prepare_output()
        assert (sys.stdout.encoding, sys.stderr.encoding) == (kept, kept)


def test_many_strays_are_looked_at_with_all_of_the_text() -> None:
    strays, size = "\udce9" * 4, 4 * 2 * NEAR_STRAY
    assert near_strays(strays + "x" * (size - 5)) == strays + "x" * (size - 5)
    assert near_strays(strays + "x" * (size - 4)) == strays + "x" * NEAR_STRAY


@each("before", range(8))
def test_a_last_block_that_is_well_formed_by_itself_does_not_make_the_document_so(before: int) -> None:
    text = b"x" * (SOURCE_BLOCK - len("<a>") - before)
    findings = check(b"<a>%b</a>\n<b/>" % text).findings
    assert [(one.code, one.line, one.column) for one in findings] == [("not-well-formed", 2, 1)]


def test_how_many_bytes_of_any_charset_are_text_without_a_coding() -> None:
    assert not is_unpacked(b"\xe9" * 64)
    assert is_unpacked(b"\xe9" * 65)


@each(
    ("text", "words"), [(b"a\xe4\xbb\x85 ", 0), (b" \xe4\xbb\x85 ", 1), (b"x \xe4\xbb\x85\xe6\x97\xa5 ", 1)]
)
def test_one_ideograph_behind_a_letter_may_be_letters_of_windows_1252(text: bytes, words: int) -> None:
    """`aä»…`."""
    assert utf8_words(utf8_runs(text)) == words


def test_few_words_of_several_scripts_that_are_more_than_the_damage_are_utf8() -> None:
    text = "а ก 東".encode()
    found = resolve(b"<?xml version='1.0' encoding='utf-8'?><a>x\x93y %b</a>" % text, complete=True)
    assert (found.encoding, found.rule) == ("UTF-8", "L7")
    assert found.steps[-2].why == "not called: UTF-8 decodes most of the bytes"


def test_white_space_before_the_name_of_a_declaration_is_told_with_the_name() -> None:
    (finding,) = check(b"<? xml version='1.0'?><a/>").findings
    assert finding.message.endswith(": white space stands between <? and xml")


def test_bytes_of_sequences_by_chance_are_damaged_ones() -> None:
    data = "CAFÉ… ré, ü".encode("cp1252")
    count, _ = count_utf8(data, ends=True)
    assert count[:5] == (1, 2, 0, 2, 2)
    assert count_without_chance(count, data, b"")[:5] == (0, 3, 0, 0, 4)


@each("reference", ["&#31;", "&#x1F;", "&#1;"])
def test_references_that_xml_1_1_allows_are_refused_by_parsers(reference: str) -> None:
    document = f"<?xml version='1.1'?><a>{reference}</a>".encode()
    assert [one.code for one in check(document).findings] == ["xml-1.1", "parser-limit"]


@each(
    ("rest", "told"),
    [(b"", 0), (b"\n\n\n\n", 0), (b"abc", 1), (b"abc\r\n\r\n", 1), (b"abc\r\n\r\n\r\n\r\n", 1)],
)
def test_bytes_behind_the_last_record_are_told(rest: bytes, told: int, tmp_path: Path) -> None:
    head = (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: %d\r\n\r\n"
    )
    response = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<rss><item/></rss>"
    record = head % len(response) + response + b"\r\n\r\n"
    (tmp_path / "a.warc").write_bytes(2 * record + rest)
    errors: list[str] = []
    assert sum(batch.num_rows for batch in read_warc(tmp_path / "a.warc", on_error=errors.append)) == 2
    assert errors == told * [f"cut off in or after the record at byte {len(record)}"]


@each("word", ["Привет", "тДЯЩ"])
def test_words_of_another_script_behind_western_titles_are_looked_for(word: str) -> None:
    data = b"\xe9\xe0\xe8\xe9 " + b" abc" * 400 + word.encode("cp1251") + b" x" * 3000
    assert may_be_no_western(data, b"", "windows-1252")


@each(("context", "cut"), [("Louÿs ", False), ("Œuvre Ÿ ", False), ("Łódź ", True)])
def test_a_letter_that_windows_1252_has_shows_no_other_language(context: str, cut: bool) -> None:
    assert _ends_alone(0xE9, context, "<") is cut


@each(
    ("text", "paired"), [("„x” y”", False), ("„x”", True), ("x” y”", True), ("x”", False), ("“x” „", False)]
)
def test_which_quotation_marks_are_pairs(text: str, paired: bool) -> None:
    assert mojibake._paired(text)[0] is paired


def test_sequences_behind_the_beginning_of_the_window_are_no_few_characters() -> None:
    """No distinct character is counted there, where more than 32 sequences are."""
    for distinct, few in ((0, False), (1, True), (8, True), (9, False)):
        body = Body(utf8=Utf8Count(100, 1, 0, 200, 1), distinct=distinct)
        assert _few_sequences(RecordedCounts(body)) is few


@each(
    ("label", "found", "refused"), [("TIS-620", "windows-874", False), ("ISO-8859-8", "windows-1255", True)]
)
def test_letters_of_the_charset_that_a_label_is_read_with_refuse_it_not(
    label: str, found: str, refused: bool
) -> None:
    """TIS-620 is read as windows-874 (Encoding Standard, section 4.2), ISO-8859-8 as itself."""
    damage = tuple(Damage(name, None, 0, None) for name in (label, found))
    detected = Detected(found, "letters", "Thai", "abcde", 60, 0)
    body = Body(utf8=Utf8Count(0, 60, 0, 0, 60), detected=detected, damage=damage)
    facts = Facts(content_type="x", media_class="TEXT-XML", charset=label, body=body)
    case = Case(facts, None, RecordedCounts(body))
    assert bool(PRINCIPLES[5].refuses(named("L3", label, "charset", None), case)) is refused


def test_a_declaration_that_is_not_closed_ends_at_other_markup() -> None:
    for end, flaw in (("<", "is not closed"), (">", "is not closed"), ("a", "does not end in its first")):
        found = parse_declaration(f'<?xml version="1.0" {end}{"a" * DECLARATION_LIMIT}')
        assert found is not None
        assert flaw in found.flaws[0]


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_a_declaration_as_long_as_is_read(more: int) -> None:
    """Where it ends further on the encoding alone is blank; where the text ends, it is no declaration."""
    text = '<?xml version="1.0" encoding="x" ?'.ljust(DECLARATION_LIMIT + more, "a")
    assert ("encoding" in blank_text(text, lenient=True)) == (more < 0)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("<a>é</a>".encode("utf-16-le"), "the pattern of the bytes shows it"),
        ("<a>é</a>".encode("utf-16"), "the BOM names it"),
        ("<a>b</a>".encode("cp037"), "the first bytes are EBCDIC"),
    ],
)
def test_the_reason_of_a_charset_that_the_first_bytes_show(body: bytes, why: str) -> None:
    found = resolve(body, "text/xml; charset=utf-8", complete=True)
    assert found.rule == "L5"
    assert found.steps[-1].why.startswith(why)


def test_what_stands_by_chance_before_a_lead_waits_for_what_follows() -> None:
    """A lead may begin UTF-8, and is then no letter behind what is by chance like a sequence."""
    data = "café…”".encode("cp1252")
    for lead in (b"\xe2", b"\xc3", b"\xe9"):
        for size in (len(data), len(data) + 1):
            text, used = decode_mixed((data + lead)[:size], [], final=False)
            assert (text, used) == ("caf", 3)


@each(("before", "odd"), [("-é", True), ("Né", True), ("é-", False), ("éя", False)])
def test_a_letter_of_another_script_behind_a_latin_one_is_odd(before: str, odd: bool) -> None:
    assert _is_odd_in_word(before + "Ñ\x8f", Edit(2, 4, "я")) is odd


@each(("within", "enough"), [(14, True), (13, False)])
def test_sequences_within_words_for_each_damaged_place(within: int, enough: bool) -> None:
    count = SequenceCount("Shift_JIS", *(0,) * 19)._replace(sequences=14, distinct=1, within_word=within)
    utf8 = Utf8Count(14, 2, 0, 28, 4)
    assert varied_enough(by_name("Shift_JIS"), utf8, count) is enough
