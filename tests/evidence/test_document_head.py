"""The head of a document: BOMs, where it begins, its pattern, and the facts."""

from __future__ import annotations

import zlib
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.cases import FIXTURES, cuts, load, octets
from support.each import each
from support.effort import growth

from feedcharset import XmlDecoder, decode
from feedcharset.evidence.declaration import DECLARATION_LIMIT, GUESSES, guess_family
from feedcharset.evidence.document_head import (
    BOMS,
    CODE_PAGE_SAMPLE,
    EBCDIC_SPAN,
    HEAD_LIMIT,
    PREFIX_LIMIT,
    begins_as_text,
    best_code_page,
    document_kind,
    find_document,
    first_pattern,
    gather_facts,
    is_unpacked,
    needs_more,
    null_order,
    sniff_bom,
)
from feedcharset.results import Body, Facts

BOM_CASES = load("boms")


@each("case", BOM_CASES, ids=lambda case: case["why"])
def test_boms(case: dict[str, str | None]) -> None:
    head = octets(case["octets"] or "")
    length = len(octets(case["bom"] or ""))
    assert sniff_bom(head) == (case["expected"], length)
    assert sniff_bom(b"\xef\xbb" + head, 2) == (case["expected"], length)


@pytest.mark.parametrize(("encoding", "mark"), BOMS)
def test_a_mark_is_u_feff_in_its_encoding(encoding: str, mark: bytes) -> None:
    assert mark.decode(encoding) == "\ufeff"


@pytest.mark.parametrize(("encoding", "mark"), BOMS)
def test_a_mark_that_is_cut_short_is_none_or_a_shorter_one(encoding: str, mark: bytes) -> None:
    for cut in range(len(mark)):
        found, length = sniff_bom(mark[:cut])
        assert found != encoding
        assert (found, length) == (
            ("UTF-16LE", 2) if mark.startswith(b"\xff\xfe\0") and cut >= 2 else (None, 0)
        )


@given(st.binary(max_size=12), st.integers(0, 12))
def test_what_is_found_stands_there(head: bytes, at: int) -> None:
    """Unicode ch. 23.8: the BOM is the character U+FEFF at the very beginning."""
    encoding, length = sniff_bom(head, at)
    assert (encoding is None) == (length == 0)
    assert encoding is None or head[at : at + length].decode(encoding) == "\ufeff"


@each("nulls", [b"\0", b"\0\0", b"\0\0\0"])
@each("markup", ["<rss>\n<channel>", "<feed\n xmlns='a'>", "\r\n<opml>\r\n<head>", "<!-- c -->"])
@each("text", ["News", "Новости", "日本語の文書です。本日は晴天"])
def test_a_stray_null_is_no_pattern(nulls: bytes, markup: str, text: str) -> None:
    """A feed in UTF-8 that began with one, or had it behind its first `<`, was read as UTF-16."""
    body = f"{markup}<title>{text}</title>".encode()
    for at in range(len(markup)):
        head = body[:at] + nulls + body[at:]
        start = find_document(head)[1]
        assert first_pattern(head, start, None) is None
        assert first_pattern(head[:at] + b"<\0" + head[at:], start, None) is None


@each("root", ["rss", "статья", "समाचार", "글", "記事", "中文維基百科新聞"])
@each("encoding", ["UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE"])
def test_the_pattern_of_a_document_without_a_mark(root: str, encoding: str) -> None:
    for text in ("", "News of today", "日本語の文書です。本日は晴天なり。図書館で本を読みました"):
        head = f"<{root}>\n<a>{text}</a></{root}>".encode(encoding)
        assert first_pattern(head, 0, None) == encoding


@each(("order", "highest"), [("2143", 1), ("3412", 2)])
def test_the_highest_byte_of_unusual_ucs_4_is_low(order: str, highest: int) -> None:
    """Else the NULs around the `<` are stray ones."""
    first = {"2143": b"\0\0<\0", "3412": b"\0<\0\0"}[order]
    for at in range(4):
        unit = bytearray(b"abcd")
        unit[at] = 0
        found = first_pattern(first + bytes(unit) * 15, 0, None)
        assert found == (f"UCS-4-{order}" if at == highest else None), at


@pytest.mark.parametrize("encoding", ["UTF-16LE", "UTF-16BE"])
@pytest.mark.parametrize("tag", ["r", "rss", "a:b x='1'", "_a.b-c1"])
def test_a_tag_in_utf_16_is_one_before_kana(encoding: str, tag: str) -> None:
    """Both bytes of `あ` to `ま` are printable ASCII."""
    for space in ("", " \n"):
        head = f"{space}<{tag}>{'あいうえおかき' * 4}".encode(encoding)
        assert first_pattern(head, 0, None) == encoding
    stray = f"<{tag}>plain text with stray NULs".encode().replace(b">", b">\0").replace(b"<", b"<\0")
    assert first_pattern(stray, 0, None) is None


START_CASES = load("documents")


@each("case", START_CASES, ids=lambda case: case["why"])
def test_starts(case: dict[str, Any]) -> None:
    head, expected = octets(case["octets"]), case["expected"]
    bom, start, looked = find_document(head)
    assert (bom, start) == (expected.get("bom"), expected.get("start", 0))
    assert first_pattern(head, start, bom) == expected.get("pattern")
    assert guess_family(head, start) == expected.get("guess")
    assert document_kind(head, looked, complete=True) == expected.get("kind")


DECLARED = ["<?xml version='1.0'?>", "<?XML version='1.0'?>", "<? xml version='1.0'?>"]
"""In UTF-16 what begins with `<?` is guessed to be a declaration, also a misspelt one."""


@each(("encoding", "mark"), BOMS)
@each("document", [*DECLARED, "<rss/>", "<?xml-stylesheet href='a'?><rss/>", "<?php ?><rss/>"])
def test_every_mix_of_white_space_and_boms(encoding: str, mark: bytes, document: str) -> None:
    """Any mix of white space and BOMs before the XML declaration is skipped. Before any other instruction
    white space is allowed, and stays."""
    spaces = [text.encode(encoding) for text in ("", " ", "\r\n", "\t\n ")]
    for before in spaces:
        for between in spaces:
            for after in spaces:
                prefix = before + mark + between + mark
                whole = prefix + after + document.encode(encoding)
                declared = document in DECLARED[: None if encoding.startswith("UTF-16") else 1]
                start = len(prefix + after) if declared else len(prefix)
                assert find_document(whole)[:2] == (encoding, start)


def test_what_stands_before_a_document_is_bounded() -> None:
    assert PREFIX_LIMIT == 4096
    for document in (b"<?xml version='1.0'?>", b"\xef\xbb\xbf<rss/>"):
        inside = b"\n" * (PREFIX_LIMIT - 1) + document
        outside = b"\n" * PREFIX_LIMIT + b" " + document
        assert find_document(inside)[1] in (PREFIX_LIMIT - 1, PREFIX_LIMIT + 2)
        assert find_document(outside) == (None, 0, PREFIX_LIMIT)
    assert find_document(b"\n" * PREFIX_LIMIT + b"<?xml ")[1] == PREFIX_LIMIT
    assert find_document(b"\n" * PREFIX_LIMIT + b"\xef\xbb\xbf<rss/>") == (None, 0, PREFIX_LIMIT)
    wide = b"\n\0" * PREFIX_LIMIT + "<?xml ".encode("utf-16-le")
    assert find_document(wide) == (None, 0, PREFIX_LIMIT)


def test_ebcdic_is_looked_for_in_64_bytes() -> None:
    assert EBCDIC_SPAN == 64
    name = b"\x81" * (EBCDIC_SPAN - 2)
    assert first_pattern(b"\x4c" + name + b"\x6e", 0, None) == "EBCDIC"
    assert first_pattern(b"\x4c" + name + b"\x81\x6e", 0, None) is None
    tag = b"\x4c\x81\x6e".ljust(EBCDIC_SPAN, b"\x40")
    assert first_pattern(tag[:-1] + b"<", 0, None) is None
    assert first_pattern(tag + b"<", 0, None) == "EBCDIC"
    text = {byte for byte in range(0x100) if first_pattern(tag[:-1] + bytes((byte,)), 0, None)}
    assert text == {0x05, 0x0D, 0x15, 0x25, *range(0x40, 0xFF)}  # FF is a control character


@each("codec", ["iso8859_1", "utf_8", "mac_roman", "cp850", "cp1257"])
@each("line", ["Längd: %s\n", "Længde 5", "Lön\nan\n", "Lön @<b>", "Lån "])
def test_text_that_begins_with_l_is_no_ebcdic(line: str, codec: str) -> None:
    """`L` is the `<` of EBCDIC, `n` its `>`, and many letters in 8 bits are its letters."""
    assert first_pattern(line.encode(codec).ljust(EBCDIC_SPAN, b"\xe4"), 0, None) is None


@each("codec", ["cp037", "cp500", "cp273", "cp1140"])
@each("begin", ["<rss", "<rdf:RDF", "<!--", "<a-b.c_1"])
def test_a_tag_or_comment_of_ebcdic_that_a_line_ends(codec: str, begin: str) -> None:
    for space in "\n\x85\r\t":
        head = f"{begin}{space}".replace("!", "!" if codec in ("cp037", "cp1140") else "").encode(codec)
        assert first_pattern(head.ljust(EBCDIC_SPAN, b"\x81"), 0, None) == "EBCDIC"
        assert first_pattern(head + b"\x81" * 24, 0, None) == "EBCDIC"
        assert first_pattern(head + b"\x81" * 23, 0, None) is None  # `Lm%` is a word of ASCII


@each("codec", ["cp037", "cp500", "cp273", "cp1140"])
@each("begin", ["<rss>", "<rdf:RDF ", "<feed ", "<!DOCTYPE rss>", "<?xml ", "<a-b.c_1>"])
def test_ebcdic_in_every_code_page(codec: str, begin: str) -> None:
    """XML 1.0 Appendix F.1: EBCDIC, in some flavour."""
    head = begin.replace("!DOCTYPE", "!DOCTYPE" if codec in ("cp037", "cp1140") else "DOCTYPE").encode(codec)
    assert first_pattern(head, 0, None) == "EBCDIC"
    assert first_pattern(b"\xef\xbb\xbf" + head, 3, "UTF-8") == "EBCDIC"


def test_the_code_page_with_most_printable_ascii() -> None:
    assert best_code_page("[x]".encode("cp037")) == "IBM037"
    assert best_code_page("[x]".encode("cp500")) == "IBM500"
    assert best_code_page(b"\x81\x15") == "IBM1047"  # LF there, NEL in the others
    assert best_code_page(b"\x81\x07") == "IBM037"  # DEL in all of them


def test_an_unfinished_document_is_not_empty() -> None:
    assert document_kind(b"\n", 1, complete=False) is None
    assert document_kind(b"\n", 1, complete=True) == "empty"


MADE_OF = st.sampled_from(
    [mark for _, mark in BOMS]
    + [
        b" ",
        b"\n",
        b"\0",
        b"<",
        b"\0 ",
        b" \0",
        b"\0\0\0\n",
        b"\n\0\0\0",
        b"<?xml",
        b"\x4c",
        b"\x40",
        b"\x6e",
        b"r",
    ]
)


@given(st.lists(MADE_OF, max_size=12).map(b"".join))
def test_any_bytes(head: bytes) -> None:
    """What is passed over holds white space and BOMs, and nothing else."""
    bom, start, looked = find_document(head)
    assert 0 <= start <= looked <= len(head)
    assert head[:start].translate(None, b"\xef\xbb\xbf\xfe\xff\0 \t\r\n\x40\x05\x15\x25") == b""
    assert bom is None or dict(BOMS)[bom] in head[:start]
    pattern = first_pattern(head, start, bom)
    assert pattern != "ASCII" or (bom or "").startswith(("UTF-16", "UTF-32"))
    assert document_kind(head, looked, complete=True) != "empty" or looked == len(head)


HOSTILE_STARTS = {
    "white space": lambda n: b" " * n,
    "BOMs": lambda n: b"\xef\xbb\xbf" * n,
    "BOMs and white space": lambda n: b"\xef\xbb\xbf\n" * n,
    "wide white space": lambda n: b"\0 " * n,
    "wider white space": lambda n: b" \0\0\0" * n,
    "EBCDIC white space": lambda n: b"\x40" * n,
    "EBCDIC white space of ASCII": lambda n: b"\x40\x20" * n,
    "EBCDIC letters": lambda n: b"\x4c" + b"\x81" * n,
    "NULs": lambda n: b"\0" * n,
    "spaces and NULs": lambda n: b"   \0" * n,
}


@each("shape", HOSTILE_STARTS)
def test_hostile_beginnings_take_linear_time(shape: str) -> None:
    def look(head: bytes) -> None:
        bom, start, looked = find_document(head)
        first_pattern(head, start, bom)
        document_kind(head, looked, complete=True)

    small, large = HOSTILE_STARTS[shape](300), HOSTILE_STARTS[shape](3_000)
    assert growth(look, small, large, most=40) < 40
    assert growth(look, large, HOSTILE_STARTS[shape](300_000), most=40) < 40


ORDERS = [
    ("UTF-16LE", "\u200b<?xml version='1.0'?>", "utf-16-le"),
    ("UTF-16BE", "\u200b<?xml version='1.0'?>", "utf-16-be"),
    ("UTF-32LE", "\u200b<?xml version='1.0'?>", "utf-32-le"),
    ("UTF-32BE", "\u200b<?xml version='1.0'?>", "utf-32-be"),
    ("UTF-16LE", "Ошибка\n<rss><channel>", "utf-16-le"),
    ("UTF-16BE", "Ошибка\n<rss><channel>", "utf-16-be"),
    ("UTF-16LE", "Notice: x", "utf-16-le"),
    (None, "新しい橋ができました", "utf-16-le"),
    (None, "<rss>\0</rss>" * 4, "ascii"),
    (None, "a\0\0b" * 8, "ascii"),
    (None, "abc", "utf-16-le"),
    (None, "<rss>", "utf-8"),
    (None, "", "ascii"),
    ("UTF-32BE", "<a😁>b", "utf-32-be"),  # one of four and more characters may be beyond U+FFFF
    ("UTF-32BE", "<a😁>", "utf-32-be"),
    (None, "<😁😁>", "utf-32-be"),
    (None, "<a>", "utf-32-be"),
    ("UTF-32LE", "<a😁>b", "utf-32-le"),
    (None, "<😁😁>", "utf-32-le"),
    (None, "<a>", "utf-32-le"),
    ("UTF-16BE", "<a>b", "utf-16-be"),  # four NULs, and one byte of eight
    (None, "<a>", "utf-16-be"),
    ("UTF-16BE", "<abcde>f" + "я" * 24, "utf-16-be"),
    (None, "<abcde>" + "я" * 25, "utf-16-be"),
    ("UTF-16LE", "<a>b", "utf-16-le"),
    (None, "<a>", "utf-16-le"),
]


@each(("order", "text", "codec"), ORDERS)
def test_the_order_that_nulls_show(order: str | None, text: str, codec: str) -> None:
    head = text.encode(codec)
    assert null_order(head, 0) == order
    assert null_order(b"\n" + head, 1) == order


DOCUMENTS = load("documents")
FEEDS = sorted((FIXTURES / "feeds").glob("*.xml"))


@each("case", DOCUMENTS, ids=lambda case: case["why"])
def test_documents(case: dict[str, Any]) -> None:
    head, expected = octets(case["octets"]), case["expected"]
    facts = gather_facts(head, None, lenient=True, complete=True)
    assert facts == Facts(
        expected.get("bom"),
        expected.get("guess"),
        facts.declared,
        body=Body(
            expected.get("start", 0),
            expected.get("pattern"),
            expected.get("code_page", "IBM037") if expected.get("pattern") == "EBCDIC" else None,
            expected.get("kind"),
            malformed=expected.get("malformed", False),
        ),
    )


@each("case", load("content_types"), ids=lambda case: case["why"])
def test_content_types(case: dict[str, Any]) -> None:
    facts = gather_facts(b"<rss/>", case["field"], lenient=False)
    assert facts == Facts(
        content_type=case["field"],
        media_type=case["media_type"],
        media_class=facts.media_class,
        charset=case["charset"],
    )


def test_classes() -> None:
    for case in load("media_types"):
        assert gather_facts(b"", case["media_type"], lenient=False).media_class == case["class"]


def test_no_content_type_is_not_an_empty_one() -> None:
    """None: the transport said nothing; "": an HTTP message without the field."""
    assert gather_facts(b"", None, lenient=True).content_type is None
    assert gather_facts(b"", "", lenient=True).content_type == ""


def test_strict_looks_at_the_first_bytes_alone() -> None:
    declaration = b"<?xml version='1.0' encoding='gbk'?>"
    assert gather_facts(declaration, None, lenient=False).declared == "gbk"
    for before in (b"\n", b"\n\xef\xbb\xbf", b"\xef\xbb\xbf\n", b"\0\0\xff\xfe"):
        assert gather_facts(before + declaration, None, lenient=False).declared is None
        assert gather_facts(before + declaration, None, lenient=True).declared == "gbk"
    assert gather_facts(b"\n<html>", None, lenient=False).body.kind == "HTML"


@pytest.mark.parametrize(
    ("text", "codec", "expected"),
    [
        # In cp037 and cp500 [ ] ! | stand elsewhere, in CP1047 [ ] ^ and accented letters do.
        ("<?xml version='1.0'?><a>[CDATA] ![x]| plain enough</a>", "cp037", "IBM037"),
        ("<?xml version='1.0'?><a>[CDATA] ![x]| plain enough</a>", "cp500", "IBM500"),
        ("<?xml version='1.0'?><a>nothing that tells them apart</a>", "cp500", "IBM037"),
        # Of `!` and `|`, both printable, `<!` decides.
        ("<?xml version='1.0'?><!-- a --><a/>", "cp500", "IBM500"),
        ("<?xml version='1.0'?><!-- a --><a/>", "cp037", "IBM037"),
        ("<!DOCTYPE a><a>without a declaration</a>" + " " * 64, "cp500", "IBM500"),
    ],
)
def test_code_page(text: str, codec: str, expected: str) -> None:
    assert gather_facts(text.encode(codec), None, lenient=True).body.code_page == expected


def test_code_page_1047() -> None:
    """CP1047 has [ ] at AD and BD, and LF at 15."""
    head = "<?xml version='1.0'?><a b='!'>x</a>".encode("cp037") + b"\xad\xbd" * 3
    assert gather_facts(head, None, lenient=True).body.code_page == "IBM1047"


def test_the_code_page_is_chosen_by_a_sample() -> None:
    head = "<?xml version='1.0'?>".encode("cp037").ljust(CODE_PAGE_SAMPLE, b"\x40")
    assert gather_facts(head + b"\xad\xbd" * 50, None, lenient=True).body.code_page == "IBM037"


def check_every_cut(document: bytes, at: list[int]) -> None:
    """As soon as nothing more is needed, the facts are those of the whole document."""
    for lenient in (True, False):
        whole = gather_facts(document, None, lenient=lenient, complete=True)
        enough = False
        for cut in at:
            if not needs_more(document[:cut], lenient=lenient):
                enough = True
                assert gather_facts(document[:cut], None, lenient=lenient) == whole
            else:
                assert not enough, "more was needed after it was not"
        assert enough or len(document) < HEAD_LIMIT


@each("path", FEEDS, ids=lambda path: path.stem, every=4)
def test_fixtures_at_every_cut(path: Any) -> None:
    document = path.read_bytes()
    at = [*range(min(len(document), 400)), *cuts(document, 60)]
    check_every_cut(document, sorted(set(at)))


@each("case", DOCUMENTS, ids=lambda case: case["why"], every=4)
def test_documents_at_every_cut(case: dict[str, Any]) -> None:
    head = octets(case["octets"])
    for behind in (
        b"",
        b"x" * 70,
        b"<rss>" * 20,
        b"\0<" * 50,
        b"\x40\x6e" * 2500,
        b"\n" * 70 + b"?>",
        b" " * 5000,
    ):
        document = head + behind
        check_every_cut(document, sorted({*range(min(len(document), 200)), *cuts(document, 60)}))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "codec",
    ["utf-8", "utf-16-le", "cp037"]
    + [pytest.param(codec, marks=pytest.mark.long) for codec in ("utf-16-be", "utf-32-be", "utf-32-le")],
)
@each("case", load("declarations"), ids=lambda case: case["why"], every=3)
def test_declarations_at_every_cut(codec: str, case: dict[str, Any]) -> None:
    try:
        document = case["text"].encode(codec) + "<rss/>?>".encode(codec) * 9
    except UnicodeEncodeError:
        return
    check_every_cut(document, [*range(len(document) + 1)])


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-be", "utf-16-le", "utf-32-be", "utf-32-le", "cp037"])
def test_declarations_that_never_end(codec: str) -> None:
    """They are read as far as 4,096 characters, and no more of the document is waited for."""
    for filling in (" ", "a", " a='b'", "?"):
        text = ("<?xml version='1.0'" + filling * DECLARATION_LIMIT)[: DECLARATION_LIMIT + 50]
        document = (text + " encoding='gbk'?>").encode(codec)
        unit = len(document) // len(text + " encoding='gbk'?>")
        at = {0, 90, *range(unit * DECLARATION_LIMIT - 3, unit * DECLARATION_LIMIT + 4), len(document)}
        check_every_cut(document, sorted(at))
        assert not needs_more(document, lenient=True)


ENOUGH = [
    ("<rss/>", "ascii", True, 64),
    ("<rss/>", "utf-16-le", True, 64),
    ("\ufeff<rss/>", "utf-16-le", True, 2 + 64),
    ("\n\n<rss/>", "ascii", True, 2 + 64),
    ("\n\n<rss/>", "ascii", False, 64),
    ("feed.xml", "ascii", True, 265),
    ("\ufefffeed.xml", "utf-8", True, 3 + 265),
    ("\n feed.xml", "ascii", False, 64),
    ("<?xml version='1.0'?>", "ascii", True, 64),
    ("<?xml version='1.0'" + " " * 100 + "?>", "ascii", True, 121),
    ("<?xml version='1.0'" + " " * 100 + "?>", "utf-16-be", True, 2 * 121),
    ("<?xml version='1.0'" + " " * 100 + "?>", "utf-32-le", False, 4 * 121),
    ("\ufeff<?xml version='1.0'" + " " * 100 + "?>", "utf-8", True, 3 + 121),
    ("<?xml version='1.0'?>", "cp037", True, 4096),
    ("<rss>", "cp037", True, 4096),
    ("<?xml version='1.0'", "ascii", True, 4096),
    ("\n<?xml version='1.0'", "ascii", True, 1 + 4096),
    ("<?xml version='1.0'", "utf-16-le", True, 2 * 4096),
    ("\ufeff<?xml version='1.0'", "utf-32-le", False, 4 + 4 * 4096),
]


@each(("text", "codec", "lenient", "enough"), ENOUGH)
def test_no_more_is_waited_for_than_is_needed(text: str, codec: str, lenient: bool, enough: int) -> None:
    document = text.encode(codec) + "x".encode(codec) * 5000
    assert needs_more(document[: enough - 1], lenient=lenient)
    assert not needs_more(document[:enough], lenient=lenient)


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"070701" + b"0000A1e9" * 13 + b"feed.xml\0", "cpio"),
        (b"070702" + b"0000A1e9" * 13, "cpio"),
        (b"070707" + b"0123456" * 10 + b"feed.xml\0", "cpio"),
        (b"070701" + b"0000A1e9" * 12 + b" caf\xe9 is no number", None),
        (b"070707" + b"0123458" * 10 + b"feed.xml\0", None),
    ],
)
def test_a_cpio_archive_is_known_by_the_numbers_of_its_header(head: bytes, kind: str | None) -> None:
    assert document_kind(head, 0, complete=True) == kind
    check_every_cut(head + b"\0" * 300, range(150))


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"feed.xml".ljust(257, b"\0") + b"ustar\x0000", "tar"),
        (b"feed.xml".ljust(257, b"\0") + b"ustar  \0", "tar"),
        (b"feed.xml".ljust(257) + b"ustar is a name", None),
        (b"\n".ljust(257, b"\0") + b"ustar\x0000", None),
    ],
)
def test_a_tar_archive_is_known_by_its_265th_byte(head: bytes, kind: str | None) -> None:
    assert document_kind(head, 0, complete=True) == kind
    assert document_kind(head.replace(b"ustar", b"star"), 0, complete=True) is None
    check_every_cut(head + b"\0" * 300, [*range(0, 300, 3), 265, 500])


def test_no_head_needs_more_than_the_limit() -> None:
    """What may stand before a document and a declaration of 4,096 characters of four bytes."""
    assert HEAD_LIMIT == 4096 + 4 * 4096 + 4
    assert needs_more(b" " * (4096 + 63), lenient=True)
    assert not needs_more(b" " * (4096 + 64), lenient=True)
    longest = ("\n" * 1023 + "\ufeff<?xml version='1.0'").ljust(1024 + 4096).encode("utf-32-be")
    assert needs_more(longest[:-1], lenient=True)
    assert not needs_more(longest, lenient=True)


def test_a_content_type_of_any_length_is_read_alike() -> None:
    for length in (128, 100_000):
        field = "text/xml; charset=gbk".ljust(length)
        assert gather_facts(b"", field, lenient=True).charset == "gbk"


def test_the_largest_head() -> None:
    """HEAD_LIMIT bytes are enough for every document."""
    mark = b"\0\0\xfe\xff"
    before = "\n".encode("utf-32-be") * 1022 + mark
    declaration = ("<?xml version='1.0'".ljust(DECLARATION_LIMIT - 14) + "encoding='gbk'").encode("utf-32-be")
    document = mark + before + declaration + "?>".encode("utf-32-be")
    facts = gather_facts(document[:HEAD_LIMIT], None, lenient=True)
    assert (facts.declared, facts.body.start) == ("gbk", len(mark + before))
    check_every_cut(document + b"\0" * 100, [0, 4000, 20000, HEAD_LIMIT - 100, HEAD_LIMIT - 1, HEAD_LIMIT])


def test_a_closing_out_of_step_closes_nothing() -> None:
    """?> is looked for in whole code units: U+3F00 after another character with 00 ends nothing."""
    for codec, inside in (("utf-16-be", "\u4100\u3f00\u3e41"), ("utf-16-le", "\u3f41\u3e00\u4100")):
        text = f"<?xml version='1.0' a='{inside * 9}' encoding='gbk'?><rss/>" + " " * 70
        document = text.encode(codec)
        assert gather_facts(document, None, lenient=True).declared == "gbk"
        check_every_cut(document, [*range(len(document))])


BEGINNINGS = [mark for _, mark in BOMS] + [first for _, first in GUESSES]
PIECES = st.sampled_from(
    [
        *BEGINNINGS, b"", b" ", b"\n" * 70, b"\0 ", b" \0", b"\0\0\0 ", b" \0\0\0", b"\0\0\xff\xfe",
        b"<?xml ", b"encoding='gbk'", b"?>", b"\0?\0>", b"?\0>\0", b"\x6f\x6e", b"<rss>", b"<!doctype html",
        b"<html",
        b"\x4c", b"\x40", b"\x40" * 50, b"\x81" * 70, b"\x6e", b"\x99", b"x" * 70, b"\xff" * 3, b"\n" * 4090,
        "<?xml version='1.0' encoding='gbk'".encode("utf-16-le"),
        "<?xml version='1.0' encoding='gbk'".encode("utf-32-be"),
        "<?xml version='1.0' encoding='gbk'".encode("cp037"),
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=8).map(b"".join), st.lists(st.integers(0, 700), max_size=30))
@example(b"\x4c" + b"\x81" * 70 + b"\x6e", [70, 71, 72])
@example(b"\xfe\xff" + b"\n" * 70 + b"<rss>", [66, 72, 73, 74])
@example(b"\xff\xfe" + b"\n" * 70 + b"<html", [66, 72, 73, 78])
@example(b"\n" * 4090 + b"\n" * 70 + b"<?xml encoding='gbk'?>" + b"x" * 70, [4096, 4160, 4200])
def test_any_document_at_any_cut(document: bytes, at: list[int]) -> None:
    """No byte behind what was needed changes the facts, and none is needed for ever."""
    at = sorted({cut for cut in at if cut < len(document)} | {len(document)})
    check_every_cut(document, at)


@given(st.binary(max_size=100), st.none() | st.text(max_size=20), st.booleans(), st.booleans())
def test_anything(head: bytes, content_type: str | None, lenient: bool, complete: bool) -> None:
    """Nothing raises, and nothing is seen that is not there."""
    facts = gather_facts(head, content_type, lenient=lenient, complete=complete)
    assert facts.body.start <= len(head)
    assert facts.guess is not None or facts.declared is None
    assert facts == gather_facts(head, content_type, lenient=lenient, complete=complete)


HOSTILE = {
    "white space": lambda n: b"\n" * n,
    "a declaration": lambda n: b"<?xml" + b" a='b'" * n,
    "UTF-16 closings out of step": lambda n: (
        "<?xml ".encode("utf-16-be") + b"\x41" + b"\x00?\x00>\x41\x41" * n
    ),
    "EBCDIC": lambda n: b"\x4c\x6f\xa7\x94\x93\x40" + b"\x81" * n,
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_hostile_heads_take_linear_time(shape: str) -> None:
    def gather(head: bytes) -> None:
        gather_facts(head, None, lenient=True)
        needs_more(head, lenient=True)

    small, large = HOSTILE[shape](400), HOSTILE[shape](4_000)
    assert growth(gather, small, large, most=40) < 40
    assert growth(gather, large, HOSTILE[shape](400_000), most=40) < 40


@pytest.mark.parametrize("level", [0, 1, 6, 9])
@pytest.mark.parametrize("size", [1, 9000])
def test_zlib_data_is_no_text(level: int, size: int) -> None:
    data = zlib.compress("".join(f"é{number * number}" for number in range(size)).encode(), level)
    assert document_kind(data, 0, complete=True) == "zlib"
    check_every_cut(data, [*range(0, min(len(data), 300), 3), 265, len(data)])
    assert document_kind(b"\xef\xbb\xbf" + data, 3, complete=True) == "zlib"


@pytest.mark.parametrize(
    "head", [b"x", b"x\x9c", b"x^2 + y^2 = z^2", b"x\x9c et y", b"x\x01\x02\x03", b"x\xda" * 200]
)
def test_text_that_begins_as_zlib_data_does(head: bytes) -> None:
    assert document_kind(head, 0, complete=True) is None


def test_zlib_data_that_is_cut_is_known_by_its_markup() -> None:
    assert document_kind(zlib.compress(b"<rss><channel/></rss>")[:-3], 0, complete=True) == "zlib"
    assert document_kind(zlib.compress(b"rss, channel, item")[:-3], 0, complete=True) is None


@each(
    ("head", "unpacked"),
    [
        (b"\xef\xbb\xbf <rss>", True),
        ("<a>".encode("utf-16"), True),
        (b"\x1f\x8b\x08\0\0\0", True),
        (b"\x28\xb5\x2f\xfd\x01\x02\x03\x04", False),
        (b"\x4c\x6f\xa7\x94\x93 \x01", True),
        (b"plain text", True),
        (b"abc", False),
        (b"\x01\x02\x03\x04\x05", False),
    ],
)
def test_a_body_is_unpacked_by_its_first_bytes(head: bytes, unpacked: bool) -> None:
    assert is_unpacked(head) is unpacked


@each(
    ("head", "is_text"),
    [
        *((mark + b"\x01\x02", len(mark) != 3) for _, mark in BOMS),  # no text in UTF-8 begins so
        *((mark + b"\x1f\x8b\x08", False) for _, mark in BOMS),
        (b"\xef\xbb\xbf\xd0\x9f\t<r>", True),
        (b"<r>", True),
        (b"\r\n\t <r>", True),
        ("<r>".encode("utf-16-be"), True),
        (b"\x4c\x6f\xa7\x94\x93 \x01", True),
        (b"<" + bytes(range(1, 32)), False),
        (b"<" + b"a" * 63 + b"\x01", True),
        (b"<" + b"a" * 62 + b"\x01", False),
        (b"plain text", False),
        (b"\x1f\x8b\x08", False),
        (b"", False),
    ],
)
def test_a_body_that_begins_as_text(head: bytes, is_text: bool) -> None:
    assert begins_as_text(head) is is_text


@each("space", ["\n", "\r\n", " \t\r\n", " " * (EBCDIC_SPAN - 5)])
def test_white_space_before_an_ebcdic_root(space: str) -> None:
    text = f"{space}<rss><title>é</title></rss>"
    data = text.encode("cp037").ljust(2 * EBCDIC_SPAN, b"\x40")
    for content_type in (None, "text/xml; charset=IBM037"):
        whole = decode(data, content_type)
        assert (whole.text.rstrip(), whole.resolution.encoding) == (text.rstrip(), "IBM037")
        for cut in range(len(data)):
            decoder = XmlDecoder(content_type)
            assert decoder.decode(data[:cut]) + decoder.decode(data[cut:], True) == whole.text
    behind = (" " + text).encode("cp037")
    assert first_pattern(behind, 0, None) == (None if len(space) == EBCDIC_SPAN - 5 else "EBCDIC")


@pytest.mark.parametrize("escape", [b"\x1b(B", b"\x1b(J"])
@pytest.mark.parametrize("label", ["", "UTF-8"])
@pytest.mark.parametrize("before", [0, 5000])
def test_no_tag_is_joined_by_an_escape_without_a_label(escape: bytes, label: str, before: int) -> None:
    """Also by the first one, with which the window begins."""
    start = f'<?xml version="1.0" encoding="{label}"?>' if label else ""
    text = f"{start}<a>{'x' * before}<scr~ipt>1</script>".encode().replace(b"~", escape)
    body = text + b"\x1b$B9A\x1b(B</a>"
    assert "<script>" not in decode(body).text
    decoder = XmlDecoder()
    pieces = [decoder.decode(bytes([byte])) for byte in body]
    assert "<script>" not in "".join([*pieces, decoder.decode(b"", True)])
    assert decode(text.replace(escape, b"") + b"\x1b$B9A\x1b(B</a>").resolution.encoding == "ISO-2022-JP"
