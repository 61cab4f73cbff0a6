"""The small parts of validation, each by itself."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from ftfy.chardata import CHARMAP_ENCODINGS
from hypothesis import given
from hypothesis import strategies as st
from support.cases import FIXTURES
from support.each import each
from support.xml_characters import is_char

from feedcharset import check, decode
from feedcharset.charsets.lookup import by_name
from feedcharset.decide.published_tables import POLICIES
from feedcharset.decide.resolve import LONGEST_REMEMBERED
from feedcharset.text import mojibake
from feedcharset.text.mojibake import fix_run
from feedcharset.validate import mojibake_findings
from feedcharset.validate.document_findings import content_type_flaws
from feedcharset.validate.finding_catalogue import quoted, spelled
from feedcharset.validate.mojibake_findings import (
    AROUND_SEQUENCE,
    CHANGES_OF_A_RUN,
    JUDGED_RUNS,
    MojibakeFindings,
)
from feedcharset.validate.reading_comparison import (
    TextDifference,
    _read_strictly,
    media_type_for,
    root_element,
)
from feedcharset.validate.text_blocks import CUT, PositionedDecoder, TextBlock, TextPiece
from feedcharset.validate.text_findings import numbered_references
from feedcharset.validate.western_words import is_western

# -- references -------------------------------------------------------------------------------------------


@given(
    st.one_of(
        st.integers(0, 0x110),
        st.integers(0xD7F0, 0xE010),
        st.integers(0xFFF0, 0x10010),
        st.integers(0, 1 << 80),
    )
)
def test_legal_character(number: int) -> None:
    """Characters referred to using character references MUST match the production for Char (XML 1.0 §4.1)."""
    for reference in (
        f"&#{number};",
        f"&#x{number:x};",
        f"&#x{number:X};",
        f"&#000{number};",
        f"&#x00{number:X};",
    ):
        found = numbered_references(f"a {reference} b # &amp;#8;", 99)
        legal = is_char(number) and not 0x80 <= number < 0xA0 and number != 0xFFFD
        assert found == ([] if legal else [(2, reference, number)])


@pytest.mark.parametrize("text", ["&#8", "&#;", "&#x;", "&#x8 ;", "& #8;", "#8;", "&#8" + " #" * 99])
def test_what_is_no_reference(text: str) -> None:
    assert numbered_references(text, 99) == []


@pytest.mark.parametrize(
    ("inner", "count"),
    [
        ("<![CDATA[&#8;]]>", 0),
        ("<!-- &#8; -->", 0),
        ("<?pi &#8;?>", 0),
        ("<![CDATA[<!--]]>&#8;-->", 1),
        ("<!-- <![CDATA[ -->&#8;", 1),
        ("<a b='&#8;'/>", 1),
        ("<![CDATA[" + "x" * 300_000 + "<&#8;" + "x" * 40_000 + "]]>", 0),
        ("x" * 262_050 + "&#8;" * 30, 30),
    ],
)
def test_within_cdata_and_comments_it_is_text(inner: str, count: int) -> None:
    body = f"<?xml version='1.0'?><rss>{inner}</rss>"
    for code, number in (("forbidden-reference", "8"), ("c1-reference", "146"), ("c1-reference", "x80")):
        found = check(body.replace("&#8;", f"&#{number};").encode()).findings
        wanted = [(code, count)] if count else []
        assert [(finding.code, finding.count) for finding in found] == wanted


def test_a_reference_by_the_number_in_windows_1252() -> None:
    """The fix is the number in Unicode, where windows-1252 has a character, in a document of any encoding."""
    for number in range(0x80, 0xA0):
        meant = bytes([number]).decode("cp1252", "ignore")
        for codec in ("utf-8", "utf-16", "cp1251", "cp037"):
            body = f"<rss a='&#{number};'>&#x{number:X};&amp;#{number};</rss>".encode(codec)
            found = [one for one in check(body).findings if one.code == "c1-reference"]
            assert [one.message.split()[0] for one in found] == [f"&#{number};", f"&#x{number:X};"]
            assert {one.fix for one in found} == {f"&#{ord(meant)};" if meant else None}


@pytest.mark.parametrize("number", ["9", "10", "13", "000010", "x9", "xA", "x0000D", "x000a", "x20", "00160"])
def test_references_to_white_space_are_allowed(number: str) -> None:
    assert check(f"<rss>&#{number};</rss>".encode()).findings == ()


def test_xml_11_allows_references_to_controls() -> None:
    body = b"<?xml version='1.1'?><rss>&#8;&#0;</rss>"
    found = {finding.code: finding.excerpt[finding.caret :][:4] for finding in check(body).findings[1:]}
    assert found == {"parser-limit": "&#8;", "forbidden-reference": "&#0;"}


# -- characters that were lost ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("codec", "label"),
    [("utf-8", "UTF-8"), ("utf-16", "UTF-16"), ("gb18030", "GB18030"), ("utf-8", "ISO-8859-1")],
)
def test_characters_that_were_lost_are_counted(codec: str, label: str) -> None:
    """A person learns of them, and the document stays clean: no consumer reads another text."""
    text = f'<?xml version="1.0" encoding="{label}"?>\n'
    text += "<a>été, caf\ufffd &#xFFFD; &#65533; d\ufffdj\ufffd 日本</a>"
    report = check(text.encode(codec))
    found = [one for one in report.findings if one.code == "replacement-character"]
    assert sorted(one.count for one in found) == [1, 1, 3]
    assert report.clean == (label in ("UTF-8", "UTF-16"))
    for one in found:
        assert one.excerpt[one.caret :].startswith(("\ufffd ", "&#xFFFD;", "&#65533;"))
        assert one.fix is None


@pytest.mark.parametrize(
    "inner", ["<![CDATA[&#xFFFD;]]>", "<!--&#65533;-->", "&#xFFFC;", "\ufffc", "&amp;#xFFFD;"]
)
def test_what_is_no_lost_character(inner: str) -> None:
    assert check(f"<a>été {inner}</a>".encode()).findings == ()
    assert check(f"<a>{inner}</a>".encode()).findings == ()


def test_undecodable_bytes_are_no_lost_characters() -> None:
    body = "<a>été, déjà, très, près, forêt</a>".encode() + b"<!--\xff\xe2\x82-->"
    assert "replacement-character" not in {one.code for one in check(body).findings}


@pytest.mark.parametrize("lost", ["ï¿½", "Ã¯Â¿Â½"])
def test_mojibake_of_a_lost_character_has_no_fix(lost: str) -> None:
    (found,) = check(f"<a>caf{lost} noir</a>".encode()).findings
    assert (found.code, found.fix) == ("replacement-character", None)
    assert found.excerpt[found.caret :].startswith(lost)


def test_a_feed_like_one_without_findings_is_searched_for_lost_characters() -> None:
    feed = '<?xml version="1.0" encoding="UTF-8"?><rss><title>été {}</title></rss>'
    for _ in range(3):
        assert check(feed.format("noir").encode()).findings == ()
        assert [one.code for one in check(feed.format("\ufffd").encode()).findings] == [
            "replacement-character"
        ]


# -- the Content-Type -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        "text/xml",
        "text/xml;charset=utf-8",
        'text/xml ;\tcharset="utf\\-8" ; x=y;',
        "application/rss+xml;;charset=a;",
        ' text/xml; profile="a;charset=b, c" ',
        "text/xml; charset=utf-8; encoding=latin1",
    ],
)
def test_a_field_in_grammar(value: str) -> None:
    assert content_type_flaws(value) == ()


@each(
    ("value", "flaw"),
    [
        ("text", "it holds no media type"),
        ("text/xml; charset = utf-8", "white space before ="),
        ("text/xml, charset=utf-8", "a comma where a semicolon belongs, or two header fields joined"),
        ("text/xml; charset='utf-8'", "single quotes around the charset"),
        ('text/xml; charset=""', "the charset has no name"),
        ("text/xml; encoding=utf-8", "the charset does not stand in a parameter charset="),
        ("text/xml; charset=unknown; Encoding='utf-8'", "the charset does not stand in a parameter charset="),
        ("text/xml; charset", "it cannot be read from character 11 on"),
        ('text/xml; charset="utf-8', "it cannot be read from character 11 on"),
        ("text/xml; charset=utf-8; CHARSET=latin1", "the charset stands twice; the first one counts"),
        ("\ntext/xml", "it cannot be read from character 1 on"),
    ],
)
def test_a_field_out_of_grammar(value: str, flaw: str) -> None:
    assert flaw in content_type_flaws(value)


@pytest.mark.parametrize("length", [10, LONGEST_REMEMBERED])
def test_long_and_short_fields_and_declarations_have_the_same_findings(length: int) -> None:
    field = f"text/xml; x={'y' * length}; charset=utf-8; charset=utf-8"
    body = f"<?xml version='1.0'{' ' * length}encoding='UTF-8' version='1.0'?><a/>".encode()
    codes = {finding.code for finding in check(body, content_type=field).findings}
    assert {"content-type-grammar", "declaration-grammar"} <= codes


@pytest.mark.parametrize(
    "body",
    [
        "<feed>é</feed>".encode(),
        "<rdf>é</rdf>".encode(),
        "<rss>é<?xml version='1.0'?></rss>".encode(),
        b"<rss>\xe9</rss>",
        b"<rss>\xe9\xc3\xa9\xc3\xa9</rss>",
        b"<rss>\x1b$B$\x22\x1b(B</rss>",
        "<rss>Ã©té \x85 \x08 &#8; &</rss>".encode(),
        "<rss>été «a» l\x92été</rss>".encode(),
        "<rss>é»\x9d</rss>".encode(),
        "<rss>中文é·中文 a\x85</rss>".encode(),
    ],
)
def test_what_is_remembered_of_documents_without_findings_hides_none(body: bytes) -> None:
    """Of those with the same beginning and Content-Type; also by the other policy."""
    opening, field = b"<?xml version='1.0'?>", "application/rss+xml"
    _read_strictly.cache_clear()
    alone = [check(opening + body, content_type=field, policy=policy) for policy in POLICIES]
    for clean in ("<rss>é</rss>", "<rss/>"):
        assert check(opening + clean.encode(), content_type=field).findings == ()
        assert [check(opening + body, content_type=field, policy=policy) for policy in POLICIES] == alone
    assert all(report.findings for report in alone)


# -- the root and the fix ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "root"),
    [
        ("<?xml version='1.0'?>\n<!-- <a> --><?p q?><!DOCTYPE rss [<!ELEMENT a ANY>]>\n<rss>", "rss"),
        ("<rdf:RDF xmlns:rdf='x'>", "RDF"),
        ("<feed/>", "feed"),
        ("<feed", None),
        ("text", None),
        ("", None),
        ("<!-- <a>", None),
    ],
)
def test_the_root_element(head: str, root: str | None) -> None:
    assert root_element(head) == root


@each(
    ("sent", "root", "fixed"),
    [
        ("text/xml", "rss", "application/rss+xml"),
        ("text/xml", "feed", "application/atom+xml"),
        ("text/html", "opml", "application/xml"),
        ("application/rss+xml", "feed", "application/atom+xml"),
        ("application/rss+xml", "RDF", "application/rss+xml"),
        ("application/rdf+xml", "RDF", "application/rdf+xml"),
        ("application/atom+xml", "RDF", "application/rdf+xml"),
        ("application/atom+xml", "thing", "application/xml"),
        ("application/xml", "rss", "application/xml"),
        ("image/svg+xml", "svg", "image/svg+xml"),
    ],
)
def test_the_media_type_to_send(sent: str, root: str, fixed: str) -> None:
    from feedcharset.evidence.document_head import gather_facts

    facts = gather_facts(b"<x/>", sent, lenient=False)
    assert media_type_for(facts, root) == fixed


# -- mojibake ---------------------------------------------------------------------------------------------


class Replacing:
    """Fixes that take any text."""

    def replacement(self, text: str) -> str:
        return text


class Collected:
    """A findings that only notes."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str]] = []
        self.unsearched: dict[str, int] = {}

    def at(self, code: str, offset: int, end: int, span: tuple[int, int], fix: Any, **values: Any) -> None:
        self.found.append((offset, fix(Replacing())))


def mojibake_in(parts: list[str]) -> list[tuple[int, str]]:
    block, collected, offset = TextBlock(), Collected(), 0
    search = MojibakeFindings(block, collected)  # type: ignore[arg-type]
    for number, part in enumerate(parts):
        piece = TextPiece(offset, part, -1, int, part.encode(), by_name("UTF-8"))
        block.push(piece, number == len(parts) - 1)
        search.look(piece)
        offset += len(part)
    return collected.found


@each("page", ["cp1252", "latin-1", "cp1250", "iso8859-2", "mac_roman", "cp437"])
@each("text", ["L’école est fermée", "Grüße – schön", "żółć, gęś, jaźń"])
def test_mojibake_of_the_usual_pages_is_found_as_ftfy_finds_it(text: str, page: str) -> None:
    wrong = text.encode().decode(page, "replace")
    c1 = re.compile("[\x80-\x9f]+")
    wanted = [edit.text for edit in fix_run(wrong) if not c1.fullmatch(wrong[edit.start : edit.end])]
    assert [fix for _, fix in mojibake_in([f"<t>{wrong}</t>"])] == wanted
    assert wanted


@pytest.mark.parametrize("text", ["Привет, мир", "Їжак і їжачиха"])
def test_cyrillic_mojibake(text: str) -> None:
    for page in ("cp1251", "cp1252"):
        wrong = text.encode().decode(page, "ignore")
        assert len(mojibake_in([f"<t>{wrong}</t>"])) == len(fix_run(wrong)) > 0


@each("page", CHARMAP_ENCODINGS)
def test_marks_in_english_text_are_found_whatever_the_page(page: str) -> None:
    """With no other letter beyond ASCII around them."""
    wrong = "I don’t know… “so”".encode().decode(page)
    found = [fix for _, fix in mojibake_in([f"<t>{wrong}</t>"])]
    assert found == [edit.text for edit in fix_run(wrong)]
    assert "’" in found


@given(st.integers(0, 40), st.integers(1, 12))
def test_mojibake_in_pieces(before: int, size: int) -> None:
    """What is found does not depend on where the text is cut, as long as there is markup."""
    text = "<p>" + "é" * before + "</p><p>dÃ©jÃ\xa0</p><p>â€œnonâ€\x9d</p>"
    parts = [text[at : at + size] for at in range(0, len(text), size)]
    assert mojibake_in(parts) == mojibake_in([text])


def test_mojibake_in_a_text_without_markup() -> None:
    text = "é" * (CUT + 10) + " dÃ©jÃ\xa0 vu " + "x" * (CUT + 10)
    found = mojibake_in([text[: CUT + 14], text[CUT + 14 :], "", "é"])
    assert [fix for _, fix in found] == ["é", "à"]


@pytest.mark.long
def test_the_work_on_what_looks_like_mojibake_is_bounded() -> None:
    assert len(mojibake_in(["<p>Ã©</p>" * (JUDGED_RUNS + 500)])) == JUDGED_RUNS
    assert mojibake_in(["<p>É»</p>" * 100]) == []
    for more in (0, 500):
        (found,) = check(f"<r>{'<p>Ã©</p>' * (JUDGED_RUNS + more)}</r>".encode()).findings
        end = f"; what follows byte {3 + JUDGED_RUNS * 11 + 5:,} is not searched"
        assert (found.count, found.message.endswith(end)) == (JUDGED_RUNS, more > 0)
    most = CHANGES_OF_A_RUN * JUDGED_RUNS  # each third character is a change
    assert most * 9 // 10 < len(mojibake_in(["Ì\x91\r" * 4 * most])) <= most


@pytest.mark.long
@each("words", ["Ã© ", "naÃ¯ve ", "Ð¿Ñ€Ð¸Ð²ÐµÑ‚ ", "â€œnonâ€\x9d "])
def test_a_long_row_of_mojibake_is_counted_exactly(words: str) -> None:
    """Also where it is judged in parts."""
    for times in (100, 999):
        assert len(mojibake_in([f"<p>{words * times}</p>"])) == len(fix_run(words * times)) >= times


def test_honest_words_are_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where there is no mojibake, nor beside it; nor marks that Mac Roman has as leads."""
    honest, wrong = (
        "<p>SPÓŁKA znów, ŻÓŁW i „ĐÀ</p><i>ŻÓŁĆ ”Äntligen</i>l’été «ŻÓŁW» &amp; ",
        "<p>dÃ©jÃ\xa0</p>",
    )
    found = [fix for _, fix in mojibake_in([f"{honest}{wrong}{honest}"])]
    assert found == ["é", "à"]
    judged: list[str] = []
    monkeypatch.setattr(mojibake_findings, "fix_run", lambda run: judged.append(run) or [])
    assert mojibake_in([honest, honest]) == mojibake_in([f"{honest}{wrong}{honest}"]) == []
    assert judged == ["dÃ©jÃ\xa0"]


def test_a_long_row_is_read_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not from its beginning for each run in it."""
    read: list[int] = []
    monkeypatch.setattr(mojibake_findings, "keeps_rows", lambda text, **_: bool(read.append(len(text))))
    row = "Ã©é" * 5000
    assert mojibake_in([f"<a>{row}</a>"])
    assert sum(read) < 4 * len(row)


PROSE = tomllib.loads((FIXTURES / "prose.toml").read_text(encoding="utf-8"))


@each("language", sorted(PROSE))
def test_prose_without_mojibake_is_not_examined(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its script and its length: a few rows are, or all of the text once; and no run is judged."""
    examined: list[int] = []
    monkeypatch.setattr(mojibake_findings, "fix_run", lambda run: examined.append(10**6) or [])

    def counted(text: str, *, whole: bool) -> bool:
        examined.append(len(text))
        return mojibake.keeps_rows(text, whole=whole)

    monkeypatch.setattr(mojibake_findings, "keeps_rows", counted)
    for times, more in ((10, ""), (200, ""), (200, "<p>Pokémon, Ω</p>")):
        examined.clear()
        text = f"<p>{PROSE[language]}</p>{more}" * times
        assert mojibake_in([text]) == []
        assert sum(examined) < len(text) + 400


@each("language", ["ja", "ko", "zh-Hans", "zh-Hant", "th", "he", "ar"])
def test_ftfy_does_not_read_prose_beside_mojibake(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read, fixed = [], mojibake._fixed
    prose = f"<p>{PROSE[language]}</p>" * 50
    with monkeypatch.context() as patched:
        patched.setattr(mojibake, "_fixed", lambda run: read.append(len(run)) or fixed(run))
        assert [fix for _, fix in mojibake_in([f"{prose}<p>dÃ©jÃ\xa0</p>{prose}"])] == ["é", "à"]
    assert 0 < sum(read) < 100


C1_IN_1252 = {byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0xA0)}


@each("page", CHARMAP_ENCODINGS, every=4)
def test_what_the_option_changes_is_found(page: str) -> None:
    """A title alone, in each language, decoded in the page once and twice; of some it changes C1 alone."""
    changed, missed = 0, []
    for path in sorted((FIXTURES / "texts").iterdir()):
        feed = tomllib.loads(path.read_text(encoding="utf-8"))
        for wrong in (feed["title"], *(item["title"] for item in feed["items"])):
            for _ in range(2):
                wrong = wrong.encode().decode(page, "replace")
                edits = fix_run(wrong)
                if len(wrong) < AROUND_SEQUENCE and any(
                    wrong[edit.start : edit.end].translate(C1_IN_1252) != edit.text for edit in edits
                ):
                    changed += 1
                    missed += [] if mojibake_in([f"<t>{wrong}</t>"]) else [wrong]
    assert changed > 100
    assert missed == []


def test_damaged_bytes_beside_what_looks_like_mojibake() -> None:
    text = "<a>SPÓŁKA znów \udcf3\udce9ÓŁ\udcc3 znów</a>"
    for declaration in (b"", b'<?xml version="1.0" encoding="windows-1250"?>', b"<?xml version='1.0'?>"):
        report = check(declaration + text.encode("utf-8", "surrogateescape"))
        assert "mojibake" not in {finding.code for finding in report.findings}


# -- decoders -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "pieces", "differs"),
    [
        ("UTF-8", "UTF-16LE", [(b"a\0", True)], 1),
        ("UTF-8", "Shift_JIS", [(b"a", False), ("é".encode(), False), (b"a", True)], 1),
        ("UTF-8", "UTF-8", [("é".encode()[:1], False), ("é".encode()[1:], True)], None),
        ("windows-1252", "ISO-8859-1", [(b"caf\xe9 ", False), (b"\x93", True)], 5),
        ("UTF-16LE", "UTF-8", [(b"a", False), (b"\0", True)], 2),
    ],
)
def test_where_two_decoders_first_differ(
    one: str, other: str, pieces: list[tuple[bytes, bool]], differs: int | None
) -> None:
    """Also what one of them holds back, or reads beyond the other, at the end."""
    left = PositionedDecoder(by_name(one), lenient=False, offset=0)
    right = PositionedDecoder(by_name(other), lenient=False, offset=0)
    difference = TextDifference(left, right)
    for data, final in pieces:
        if difference.differs is None:
            difference.compare(left.read(data, final), right.read(data, final), final)
    assert difference.differs == differs


# -- values in messages -----------------------------------------------------------------------------------


def test_values_from_outside_are_bounded() -> None:
    assert quoted("a\x1b[0m") == r"'a\x1b[0m'"
    assert len(quoted("x" * 1000)) == 66
    assert spelled(b"\xe9\x01") == "E9 01"
    assert spelled(b"\0" * 9) == "00 00 00 00 00 00 00 00 ..."


# -- Western European text --------------------------------------------------------------------------------

WESTERN = ["en", "fr", "de", "es", "pt", "sv"]
OTHER = """fr=mac-roman fr=cp850 de=mac-roman es=cp437 pl=cp1250 pl=iso8859-2 cs=cp1250 hu=mac-latin2
    ru=cp1251 ru=koi8-r ru=cp866 ru=iso8859-5 uk=cp1251 bg=mac-cyrillic el=cp1253 el=iso8859-7 he=cp1255
    ar=cp1256 th=tis-620 ja=shift_jis ja=euc_jp zh-Hans=gbk zh-Hant=big5 ko=euc_kr"""


def text_of(language: str) -> str:
    source = tomllib.loads((FIXTURES / "texts" / f"{language}.toml").read_text(encoding="utf-8"))
    return " ".join(item["title"] + " " + item["html"] for item in source["items"])


@pytest.mark.parametrize("language", WESTERN)
def test_western_text(language: str) -> None:
    assert is_western(text_of(language).encode("cp1252", "ignore"))
    assert is_western(text_of(language).encode(), mixed=True)


@each("pair", OTHER.split())
def test_text_that_is_not_western(pair: str) -> None:
    language, codec = pair.split("=")
    assert not is_western(text_of(language).encode(codec, "ignore"))


@pytest.mark.parametrize("word", ["Վաղը", "ދިވެހިރާއްޖެ"])
def test_mojibake_that_ftfy_leaves_is_found(word: str) -> None:
    read = "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in word.encode())
    found = [one for one in check(f"<a>{read}…</a>".encode()).findings if one.code == "mojibake"]
    assert [one.offset for one in found] == [3]


@each("text", ["{} ", "Il est {} Paris", "voil{}  le", "{} la carte", "x" * 70_000 + " {} bientôt"])
@each("lead", "ÂÃ")
def test_mojibake_of_a_letter_and_a_space_is_found(text: str, lead: str) -> None:
    """The space was a no-break space; nothing else in the document is suspicious."""
    body = f"<a>{text.format(lead)}</a>"
    assert decode(body.encode(), mojibake="fix").text != body
    found = [one for one in check(body.encode()).findings if one.code == "mojibake"]
    assert [one.offset for one in found] == [body.index(lead)]


@each(
    ("text", "found", "fix"),
    [
        ("1 Â½", "Â½", "½"),
        ("20Â°C", "Â°", "°"),
        ("aÂ\xa0b", "Â\xa0", "\xa0"),
        ("Â»Â»", "Â»Â", "»"),
        ("Ã©tÃ\ufffd cafÃ©", "tÃ", "t"),
        ("Â\ufffd5 Ã©", "Â\ufffd", None),
    ],
)
def test_the_fix_of_mojibake_is_not_empty(text: str, found: str, fix: str | None) -> None:
    """Where characters are only removed it has one beside them, as the message and the place have."""
    body = f"<r>{text}</r>".encode()
    begin = f"{found!r} is probably {fix or found[-1]!r}"
    (one,) = (one for one in check(body).findings if one.message.startswith(begin))
    assert one.offset is not None
    assert (one.fix, body[one.offset : one.end_offset].decode()) == (fix, found)
