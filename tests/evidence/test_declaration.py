"""The guess from the first bytes, and the XML declaration."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.cases import load, octets
from support.each import each
from support.effort import growth

from feedcharset.evidence.declaration import (
    DECLARATION_LIMIT,
    GUESSES,
    UNIT,
    Declaration,
    document_span,
    guess_family,
    misplaced_label,
    parse_declaration,
    read_declaration,
)

CASES = load("declarations")
FAMILIES = {
    "UTF-8": ("latin-1",),
    "UTF-16BE": ("utf-16-be",),
    "UTF-16LE": ("utf-16-le",),
    "UTF-32BE": ("utf-32-be",),
    "UTF-32LE": ("utf-32-le",),
    "EBCDIC": ("cp037", "cp500", "cp273", "cp1140"),
}


def seen(declaration: Declaration | None, text: str) -> dict[str, Any] | None:
    """A declaration in the words of the table."""
    if declaration is None:
        return None
    start, end = declaration.start, declaration.end
    return {
        "version": declaration.version,
        "encoding": declaration.encoding,
        "standalone": declaration.standalone,
        "span": None if start < 0 else text[start:end],
        "closed": declaration.closed,
        "flaws": list(declaration.flaws),
    }


@each("case", CASES, ids=lambda case: case["why"])
def test_table(case: dict[str, Any]) -> None:
    assert seen(parse_declaration(case["text"]), case["text"]) == case["expected"]


@each("case", CASES, ids=lambda case: case["why"])
def test_table_with_something_behind_it(case: dict[str, Any]) -> None:
    for behind in ("\n<rss/>", '<?xml version="1.0" encoding="gbk"?>', "\0\0", "ü"):
        text = case["text"] + behind
        if case["text"] not in ("", "<?xml"):
            assert seen(parse_declaration(text), text) == case["expected"]


@each("case", CASES, ids=lambda case: case["why"])
def test_table_cut_at_every_character(case: dict[str, Any]) -> None:
    """The cut text is closed only where the whole one is, and says the same from there on."""
    whole = parse_declaration(case["text"])
    for cut in range(len(case["text"]) + 1):
        part = parse_declaration(case["text"][:cut])
        if part is None:
            assert whole is None or cut < 6
        else:
            assert whole is not None
            assert part.closed == (whole.closed and cut >= whole.stop)
            assert not part.closed or part == whole
            assert part.encoding in (None, whole.encoding)


@each("family", FAMILIES)
@each("case", CASES, ids=lambda case: case["why"])
def test_table_in_every_family(case: dict[str, Any], family: str) -> None:
    """XML 1.0 Appendix F.1: enough is known of the encoding to read its declaration."""
    for codec in FAMILIES[family]:
        try:
            head = case["text"].encode(codec)
        except UnicodeEncodeError:
            assert not case["text"].isascii()
            continue
        if not case["text"].isascii() and codec in ("cp500", "cp273", "cp1140"):
            continue  # the code pages agree on no more than ASCII (and not on all of that)
        if "\\" in case["text"] and family == "EBCDIC":
            continue  # nor on the backslash
        assert seen(read_declaration(b"\xff" + head, family, 1), case["text"]) == case["expected"]


@each("case", load("guesses"), ids=lambda case: case["why"])
def test_guess(case: dict[str, str | None]) -> None:
    head = octets(case["octets"] or "")
    assert guess_family(head) == case["expected"]
    assert guess_family(b"\xff\xfe" + head, 2) == case["expected"]


@pytest.mark.parametrize(("family", "first"), GUESSES)
def test_a_guess_needs_all_its_bytes(family: str, first: bytes) -> None:
    assert guess_family(first) == family
    assert all(guess_family(first[:cut]) is None for cut in range(len(first)))


@pytest.mark.parametrize("family", FAMILIES)
def test_only_4096_characters_are_read(family: str) -> None:
    assert DECLARATION_LIMIT == 4096
    unit, codec = UNIT.get(family, 1), FAMILIES[family][0]
    for end in range(DECLARATION_LIMIT - 3, DECLARATION_LIMIT + 4):
        encoding = " encoding='gbk'"
        text = "<?xml" + " " * (end - 5 - len(encoding)) + encoding
        head = (text + "?>").encode(codec)
        assert len(text) == end
        assert len(head) == unit * (end + 2)
        found = read_declaration(head, family)
        assert found is not None
        assert (found.encoding == "gbk") == (end <= DECLARATION_LIMIT)
        assert found.closed == (end + 2 <= DECLARATION_LIMIT)


HOSTILE = {
    "white space": lambda n: "<?xml" + " " * n,
    "pseudo-attributes": lambda n: "<?xml" + " a='b'" * n,
    "one long name": lambda n: "<?xml " + "a" * n,
    "a long name and its =": lambda n: "<?xml " + "a" * n + "=",
    "one long value": lambda n: "<?xml version='" + "1" * n,
    "opening quotes": lambda n: "<?xml version=" + "'" * n,
    "quotes that change": lambda n: "<?xml version=" + "'\"" * n,
    "equals signs": lambda n: "<?xml " + "a=" * n,
    "names and spaces": lambda n: "<?xml " + "encoding " * n,
    "question marks": lambda n: "<?xml " + "?" * n,
}


@each("shape", HOSTILE)
def test_hostile_declarations_take_linear_time(shape: str) -> None:
    """Ten times the size costs at the most about ten times the time, within the limit as well as past it."""
    small, large = HOSTILE[shape](400), HOSTILE[shape](4000)
    assert growth(parse_declaration, small, large, most=40) < 40
    assert growth(parse_declaration, large, HOSTILE[shape](400_000), most=40) < 40


PIECES = st.sampled_from(
    [
        "<?xml",
        " ",
        "\n",
        "version",
        "encoding",
        "standalone",
        "=",
        '"',
        "'",
        "1.0",
        "UTF-8",
        "yes",
        "?>",
        "x",
        "é",
        ">",
    ]
)


@each("case", load("declarations_misplaced"), ids=lambda case: case["why"])
def test_misplaced(case: dict[str, Any]) -> None:
    opening = case["octets"].encode("latin-1")
    assert misplaced_label(opening)[0] == case["label"]
    assert misplaced_label(opening + b"\xef\xf0\xff<a>")[0] == case["label"]


def test_a_misplaced_declaration_is_looked_for_in_4096_bytes() -> None:
    written = b"<?xml version='1.0' encoding='koi8-r'?>"
    inside = b" " * (DECLARATION_LIMIT - len(written)) + written
    assert misplaced_label(inside) == ("KOI8-R", inside.index(b"<?xml"))
    assert misplaced_label(b" " * 13 + inside) == (None, 0)
    assert misplaced_label(b"x<?xml " + b"a" * 999 + b" encoding=koi8-r?>") == ("KOI8-R", 1)
    assert misplaced_label(b"x<?xml " + b"a" * 999 + b"><b encoding=koi8-r?>") == (None, 0)


@pytest.mark.parametrize(
    "piece",
    [b"<?xml ", b"<?xml encoding", b"<?xml encoding=", b"<?", b" ", b"<?xml encoding=x ", b"<!--", b"<!A'\""],
)
def test_looking_for_a_misplaced_declaration_is_bounded(piece: bytes) -> None:
    """Ten times the bytes take as long: no more of them is looked at."""
    assert growth(misplaced_label, piece * 5_000, piece * 50_000, most=4) < 4


@given(st.lists(PIECES, max_size=20).map("".join))
def test_any_pieces_of_a_declaration(text: str) -> None:
    """Nothing raises, and what is told stands where it is told to stand."""
    found = parse_declaration(f"<?xml {text}")
    assert found is not None
    whole = f"<?xml {text}"
    assert found.closed == whole[: found.stop].endswith("?>")
    assert "?>" not in whole[: found.stop - 2 * found.closed]
    if found.encoding is not None:
        assert whole[found.start : found.end].rstrip("'\"").endswith(found.encoding)


@given(st.binary(max_size=80), st.sampled_from(sorted(FAMILIES)))
@example(b"\xd8\x00", "UTF-16BE")
@example(b"\x00\x11\x00\x00", "UTF-32BE")
def test_any_bytes_in_any_family(head: bytes, family: str) -> None:
    """Nothing raises."""
    begin = "<?xml ".encode(FAMILIES[family][0])
    assert read_declaration(begin + head, family) is not None


NAMES = st.from_regex(r"\A[A-Za-z][A-Za-z0-9._-]*\Z")
WHITE_SPACE = st.text(" \t\r\n", min_size=1, max_size=3)
QUOTE = st.sampled_from("'\"")


@st.composite
def declarations(draw: st.DrawFn) -> tuple[str, str | None, str | None]:
    """A declaration of the grammar, its encoding, its standalone."""

    def pseudo(name: str, value: str) -> str:
        quote = draw(QUOTE)
        equals = draw(st.text(" \t\r\n", max_size=1)) + "=" + draw(st.text(" \t\r\n", max_size=1))
        return f"{draw(WHITE_SPACE)}{name}{equals}{quote}{value}{quote}"

    encoding = draw(st.none() | NAMES)
    standalone = draw(st.sampled_from([None, "yes", "no"]))
    text = "<?xml" + pseudo("version", draw(st.sampled_from(["1.0", "1.1"])))
    text += pseudo("encoding", encoding) if encoding is not None else ""
    text += pseudo("standalone", standalone) if standalone is not None else ""
    return text + draw(st.text(" \t\r\n", max_size=2)) + "?>", encoding, standalone


@given(declarations())
def test_every_declaration_of_the_grammar(made: tuple[str, str | None, str | None]) -> None:
    """[23] XMLDecl ::= '<?xml' VersionInfo EncodingDecl? SDDecl? S? '?>'."""
    text, encoding, standalone = made
    found = parse_declaration(text)
    assert found is not None
    assert (found.encoding, found.standalone, found.stop, found.flaws) == (
        encoding,
        standalone,
        len(text),
        (),
    )


@pytest.mark.parametrize("quote", ["'", '"'])
def test_the_quotation_mark_of_ibm1026(quote: str) -> None:
    """It is FC, which is a letter in the other EBCDIC pages."""
    text = f"<?xml version={quote}1.0{quote} encoding={quote}IBM1026{quote}?><a b='c'/>"
    declaration = read_declaration(text.encode("cp1026"), "EBCDIC")
    assert declaration is not None
    assert declaration == parse_declaration(text)
    assert declaration.encoding == "IBM1026"


@each(
    ("before", "document", "behind"),
    [
        ("", "<?xml version='1.0'?><rss>é</rss>", "<!-- é -->"),
        ("", "<?xml version='1.0'?><rss>é</rss>", "<rss>é</rss>"),
        ("", "<?xml version='1.0'?><!-- </a> é <b> --><a>é<a>é</a><a/><A></a>", "é<a>é</a>"),
        ("", "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b '<b>é</b>'>]><a><![CDATA[</a>é]]></a>", " é"),
        ("", "<?xml version='1.0'?><?x <b></b>?><ab><a>é</a>é</ab\n>", "é"),
        ("<b>é</b>", "<?xml version='1.0'?><a>é</a>", "é"),
        ("é", "<FEED x='y'>é</FEED>", "é"),
        ("é", "<rdf:RDF>é</rdf:RDF>", ""),
        ("<!-- <rss>é</rss> -->", "<rss>é</rss>", "é"),
        ("<br/><b>é</b> é", "<rss><b>é</b></rss>", "é"),
        ("<html>é", "<?xml version='1.0'?><a>é</a>", "é</html>"),
        ("", "<html><b><?xml version='1.0'?><rss>é</rss>", "<p>é</p></b></html>"),
        # Nothing beyond ASCII stands outside of it.
        ("", "<b>e</b><?xml version='1.0'?><a>é</a> <c/>", ""),
        # Where it begins or ends is not known.
        ("", "é<b>é</b>é<a>é</a>é", ""),
        ("", "<html>é<rdf:RDF>é</rdf:RDF>é</html>", ""),
        ("", "<!-- é <rss>é</rss>é", ""),
        ("", "<?xml version='1.0'<b>é</b>?><a>é</a>é", ""),
        ("", "<?xml version='1.0'?>é", ""),
        ("", "<?xml version='1.0'?><a>é<b>é</b>é", ""),
        ("", "<?xml version='1.0'?><a>é<!-- </a>é", ""),
        ("", "<?xml version='1.0'?><a>é<a>é</a>é", ""),
        ("<r>é ", "<rss>é</rss>", "é"),  # `</r` begins the end tag of the document
    ],
)
def test_where_a_document_begins_and_ends(before: str, document: str, behind: str) -> None:
    text = (before + document + behind).encode()
    start, end = document_span(text)
    assert text[start:end].decode() == document


def test_a_document_begins_in_4096_bytes() -> None:
    document = "é<rss>é</rss>é".encode()
    inside = b" " * (DECLARATION_LIMIT - len(document) + 6) + document
    assert inside[slice(*document_span(inside))] != inside
    assert document_span(b" " * 6 + inside) == (0, len(inside) + 6)


@pytest.mark.parametrize(
    "piece", [b"<a>", b"</a>", b"<a ", b"<!--", b"<![CDATA[", b"<?a", b"<!A'", b"<?xml", b"<"]
)
def test_looking_for_the_end_of_a_document_takes_linear_time(piece: bytes) -> None:
    def span(pieces: bytes) -> tuple[int, int]:
        return document_span(b"<?xml version='1.0'?><a></a>\xe9" + pieces)

    assert growth(span, piece * 2_000, piece * 20_000, most=40) < 40
