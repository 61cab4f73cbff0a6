"""The opening: what the head allows, and that it is remembered by nothing but what it depends on."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from support.each import each
from support.generated import generated

from feedcharset.charsets.lookup import by_name, lookup
from feedcharset.decide.lenient_chain import replay
from feedcharset.decide.resolve import (
    _legacy_answer,
    _open,
    as_bytes,
    conclude,
    decide_window,
    if_legacy,
    if_stale,
    open_document,
)
from feedcharset.errors import EncodingConflict, ResolutionError
from feedcharset.evidence.window import Window

DECLARED = b"<?xml version='1.0' encoding='utf-8'?>"


@pytest.mark.parametrize(
    ("head", "windowed", "if_utf8"),
    [
        (DECLARED + b"<a/>", True, True),
        (b"<a/>", True, True),
        (b"<?xml version='1.0' encoding='koi8-r'?><a/>", True, False),
        ("<a/>".encode("utf-16-le") * 40, False, False),
    ],
)
def test_what_the_head_allows(head: bytes, windowed: bool, if_utf8: bool) -> None:
    opening = open_document(head, None)
    assert (opening.windowed, opening.if_utf8 is not None) == (windowed, if_utf8)
    assert opening.decision.steps[-1].verdict == ("provisional" if windowed else "answer")
    assert opening.if_ascii.steps[-1].verdict == "answer"


@generated(
    48,
    200,
    st.sampled_from(["utf-16-le", "utf-16-be"]),
    st.sampled_from(["UTF-16", "utf-8", "windows-1251", None, "é", "\u010d"]),
    st.sampled_from([None, "text/xml", "text/xml; charset=utf-16", "application/xml; charset=utf-8"]),
    st.binary(max_size=80),
    st.booleans(),
    st.booleans(),
)
def test_an_opening_in_utf16_depends_on_its_declaration_alone(
    codec: str, label: str | None, content_type: str | None, rest: bytes, lenient: bool, complete: bool
) -> None:
    bom = b"\xff\xfe" if codec == "utf-16-le" else b"\xfe\xff"
    encoding = f" encoding='{label}'" if label else ""
    head = bom + f"<?xml version='1.0'{encoding}?>".encode(codec) + rest
    try:
        found = open_document(head, content_type, lenient=lenient, complete=complete)
    except ResolutionError:
        with pytest.raises(ResolutionError):
            _open(head, content_type, lenient, "rfc3023", None, complete)
        return
    anew = _open(head, content_type, lenient, "rfc3023", None, complete)
    assert (found.declaration is None) == (label == "\u010d")
    assert (found.decision, found.windowed) == (anew.decision, anew.windowed)


@pytest.mark.parametrize("ends", [True, False])
def test_well_formed_is_what_the_chain_concludes(ends: bool) -> None:
    head, window = DECLARED + b"<a>", "žluťoučký kůň".encode()
    opening = open_document(head, "text/xml")
    short = opening.well_formed(len(head), ends)
    long = decide_window(opening.decision.facts, len(head), Window(window, ends=ends))
    assert conclude(opening, len(head), Window(window, ends=ends)) == short
    assert short.facts.body[:6] == long.facts.body[:6]
    assert (short.encoding, short.rule, short.codec) == (long.encoding, long.rule, long.codec)
    assert [step[:3] for step in short.steps] == [step[:3] for step in long.steps]


def test_strict_decides_at_once() -> None:
    opening = open_document(DECLARED + b"<a/>", None, lenient=False)
    assert opening.decision is opening.if_ascii
    assert (opening.windowed, opening.if_utf8) == (False, None)
    with pytest.raises(EncodingConflict):
        open_document(b"\xef\xbb\xbf<?xml version='1.0' encoding='gbk'?>", None, lenient=False)


@pytest.mark.parametrize("body", [b"<rss>abcd</rss>", b"<?xml version='1.0'?><rss>abc</rss>"])
@pytest.mark.parametrize("label", ["UTF-16LE", "UTF-16BE"])
def test_strict_reads_ascii_bytes_in_the_utf16_that_the_header_names(body: bytes, label: str) -> None:
    from feedcharset import decode

    data = body[: len(body) // 2 * 2]
    text = decode(data, f"application/xml; charset={label}", lenient=False, declaration="keep").text
    assert text == data.decode(label)


def test_bytes_like_data() -> None:
    assert as_bytes(bytearray(b"ab")) == as_bytes(memoryview(b"ab")) == b"ab"
    with pytest.raises(TypeError, match="a str is decoded already"):
        as_bytes("ab")  # type: ignore[arg-type]


def test_what_is_not_bytes_like_is_refused() -> None:
    with pytest.raises(TypeError, match="pass the document's bytes, not int"):
        as_bytes(5)  # type: ignore[arg-type]


TEXTS = {
    "windows-1251": "Ученики «впервые» увидели море, и лес. ",
    "ISO-8859-1": "Les élèves de première année ont été reçus. ",
    "ISO-8859-9": "Öğrenciler ilk kez gördüler. ",
    "windows-1253": "Οι μαθητές της πρώτης τάξης είδαν τη θάλασσα. ",
    "TIS-620": "นักเรียนเห็นทะเล ",
    "Shift_JIS": "一年生の子供たちは初めて海を見た。",
    "GBK": "新华社北京电：今年的经济增长超过预期。",
    "EUC-KR": "일학년 학생들은 처음으로 바다를 보았다. ",
}
LABELS = [
    *TEXTS,
    "ISO-2022-JP",
    "GB2312",
    "windows-1252",
    "ISO-8859-3",
    "US-ASCII",
    "UTF-8",
    "utf-16",
    "x-unknown",
]
CONTENT_TYPES = [None, "", "text/xml", "application/xml", "text/html", "text/xml; charset={}"]


@generated(
    48,
    200,
    st.sampled_from([*TEXTS, "ISO-2022-JP"]),
    st.sampled_from(LABELS),
    st.sampled_from(LABELS),
    st.sampled_from(CONTENT_TYPES),
    st.sampled_from(["rfc3023", "rfc7303"]),
    st.booleans(),
)
def test_it_is_what_the_chain_concludes(
    name: str, declared: str, charset: str, content_type: str | None, policy: str, ends: bool
) -> None:
    """Where there is a prepared decision, and the window is what it is for, the chain decides alike."""
    declaration = f"<?xml version='1.0' encoding='{declared}'?>".encode()
    field = content_type and content_type.format(charset)
    data = (TEXTS.get(name, TEXTS["Shift_JIS"]) * 30).encode(by_name(name).codec or "")
    opening = open_document(declaration, field, policy=policy)
    at = len(declaration)
    pattern = name if name == "ISO-2022-JP" else None
    found = if_legacy(opening, at, Window(data, ends=ends), policy, pattern)
    if found is not None:
        concluded = decide_window(opening.decision.facts, at, Window(data, ends=ends), policy=policy)
        assert found == concluded == conclude(opening, at, Window(data, ends=ends), policy=policy)
        assert replay(found.facts, policy=policy)[:4] == found[:4]


STALE = [
    "",
    "ź",
    "N°",
    "été à Noël, naïf",
    "Привет, мир",
    "今日は雨が降っている",
    "书",
    "fam€ “x”",
    "Ω" * 9,
    "ޝޔރދވ",
]


@generated(
    48,
    200,
    st.lists(st.sampled_from(STALE), min_size=1, max_size=4),
    st.sampled_from(LABELS),
    st.sampled_from(LABELS),
    st.sampled_from(CONTENT_TYPES),
    st.sampled_from(["rfc3023", "rfc7303"]),
    st.booleans(),
)
def test_utf8_under_a_stale_label_is_what_the_chain_concludes(
    words: list[str], declared: str, charset: str, content_type: str | None, policy: str, ends: bool
) -> None:
    declaration = f"<?xml version='1.0' encoding='{declared}'?>".encode()
    field = content_type and content_type.format(charset)
    opening, at = open_document(declaration, field, policy=policy), len(declaration)
    data = "é, ".encode() + " ".join(words).encode()
    found = conclude(opening, at, Window(data, ends=ends, before=b" "), policy=policy)
    facts = opening.decision.facts
    assert found == decide_window(facts, at, Window(data, ends=ends, before=b" "), policy=policy)


@generated(
    48,
    300,
    st.lists(st.sampled_from(["été", "Привет,", "東京", "’", "a"]), max_size=12),
    st.lists(
        st.sampled_from([b"\xe9", b"\xe2\x80", b"\xed\xa0\xbd\xed\xb8\x80", 99 * b'\x1b$B$"$#\x1b(B ', b"a"]),
        max_size=4,
    ),
    st.sampled_from([b"", b" encoding='UTF-8'", b" encoding='US-ASCII'", b" encoding='nobody'"]),
    st.sampled_from([None, "text/xml", "application/xml; charset=UTF-8", "text/xml; charset=ISO-2022-JP"]),
    st.booleans(),
)
def test_damaged_utf8_is_what_the_chain_concludes(
    words: list[str], damage: list[bytes], encoding: bytes, content_type: str | None, ends: bool
) -> None:
    declaration = b"<?xml version='1.0'%b?>" % encoding
    opening, at = open_document(declaration, content_type), len(declaration)
    data = "é, ".encode() + b" ".join([b"\xe2\x80 ", *damage, *map(str.encode, words), *damage[:1]])
    found = conclude(opening, at, Window(data, ends=ends))
    assert found == decide_window(opening.decision.facts, at, Window(data, ends=ends))


@pytest.mark.parametrize(
    ("text", "label", "content_type", "prepared"),
    [
        ("l’été à Noël", "ISO-8859-1", None, True),
        ("今日は雨が降っている", "GBK", "application/xml", True),
        ("Привет, мир", "windows-1251", "text/xml; charset=windows-1251", True),
        ("ޝޔރދވ", "windows-1251", None, True),
        # 8 sequences of four blocks of characters: a row of undamaged UTF-8 alone shows it.
        ("ꀀꄀꈀꌀꀀꄀꈀꌀ", "windows-1252", None, False),
        # What does not decode in the other charset has to be counted.
        ("l’été à Noël", "ISO-8859-1", "text/xml; charset=ISO-2022-JP", False),
    ],
)
def test_a_stale_label_that_is_known(text: str, label: str, content_type: str | None, prepared: bool) -> None:
    declaration = f"<?xml version='1.0' encoding='{label}'?>".encode()
    opening, at = open_document(declaration, content_type), len(declaration)
    assert opening.stale == by_name(label)
    found = if_stale(opening, at, Window(text.encode(), ends=True, before=b"> "), "rfc3023")
    assert (found is not None) == prepared
    window = Window(text.encode(), ends=True, before=b"> ")
    concluded = decide_window(opening.decision.facts, at, window)
    assert concluded.encoding == "UTF-8"
    assert found in (None, concluded)


def test_two_labels_may_both_be_stale() -> None:
    declaration = b"<?xml version='1.0' encoding='GBK'?>"
    assert open_document(declaration, "text/xml; charset=windows-1252").stale is None
    assert open_document(declaration, "text/xml; charset=GB2312").stale is None
    assert open_document(declaration, "text/xml; charset=x-gbk").stale == by_name("GBK")


@pytest.mark.parametrize("label", TEXTS)
def test_a_label_of_a_legacy_charset_has_one(label: str) -> None:
    declaration = f"<?xml version='1.0' encoding='{label}'?>".encode()
    answer = _legacy_answer(declaration, "application/xml", "rfc3023", True)
    assert answer is not None
    assert answer.charset == lookup(label)
    assert answer.without_sequences == label.startswith("ISO-8859")


@each(
    ("declaration", "content_type"),
    [
        (b"<?xml version='1.0' encoding='UTF-8'?>", None),
        (b"<?xml version='1.0'?>", "text/xml"),
        (b"<a", None),
        (b"<?xml version='1.0' encoding='US-ASCII'?>", None),
        (b"<?xml version='1.0' encoding='ISO-2022-JP'?>", None),
        (b"\xef\xbb\xbf<?xml version='1.0' encoding='windows-1251'?>", "text/xml; charset=windows-1251"),
        # 85 is a line end in XML 1.1.
        (b"<?xml version='1.1' encoding='ISO-8859-2'?>", None),
        # Which of the two can be true is not known before the characters are counted.
        (b"<?xml version='1.0' encoding='GBK'?>", "text/xml; charset=windows-1252"),
        (b"<?xml version='1.0' encoding='windows-1251'?>", "text/xml; charset=ISO-8859-1"),
    ],
)
def test_others_need_more_counts(declaration: bytes, content_type: str | None) -> None:
    assert _legacy_answer(declaration, content_type, "rfc3023", True) is None


@pytest.mark.parametrize(
    ("label", "prepared"), [("ISO-2022-JP", True), ("csISO2022JP", True), ("Shift_JIS", False)]
)
def test_iso_2022_jp_that_is_labelled(label: str, prepared: bool) -> None:
    """Another label is refused, and the pattern of the bytes decides without decoding them."""
    declaration = f"<?xml version='1.0' encoding='{label}'?>".encode()
    answer = _legacy_answer(declaration, None, "rfc3023", True, "ISO-2022-JP")
    assert (answer is not None) == prepared
    opening, at = open_document(declaration, None), len(declaration)
    window = Window(TEXTS["Shift_JIS"].encode("iso2022_jp"), ends=True)
    assert (if_legacy(opening, at, window, "rfc3023", "ISO-2022-JP") is not None) == prepared
    damaged = Window("海を見た".encode("iso2022_jp").replace(b"$", b"\x7f", 2)[:-4], ends=True)
    assert if_legacy(opening, at, damaged, "rfc3023", "ISO-2022-JP") is None


def test_a_charset_that_is_refused_after_it_decoded_is_not_the_answer() -> None:
    """windows-1255 decodes, but its label is only the server's; the declaration's charset wins."""
    declaration = b"<?xml version='1.0' encoding='GBK'?>"
    for charset in ("windows-1255", "ISO-8859-3", "windows-1257"):
        answer = _legacy_answer(declaration, f"text/xml; charset={charset}", "rfc3023", True)
        assert answer is None or answer.charset == by_name(charset)
