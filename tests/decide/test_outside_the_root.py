"""Bytes before the document, or behind its root's end tag, are no evidence against a label that the document
itself does not refute. None of them is lost."""

from __future__ import annotations

import tomllib

import pytest
from support.cases import FIXTURES
from support.each import each

from feedcharset import XmlDecoder, decode, resolve
from feedcharset.decide.lenient_chain import replay

PROSE = tomllib.loads((FIXTURES / "prose.toml").read_text(encoding="utf-8"))
FRENCH = "<rss><channel><title>Journal</title><item><title>Été à Béziers</title></item></channel></rss>"
RUSSIAN = (
    "<rss><channel><title>Новости области</title><item><title>Погода на завтра</title></item></channel></rss>"
)
DECLARED = '<?xml version="1.0" encoding="{}"?>'
UTF8 = (DECLARED.format("UTF-8") + FRENCH).encode()
CYRILLIC = (DECLARED.format("windows-1251") + RUSSIAN).encode("cp1251")
SECOND = RUSSIAN.replace("rss", "doc")

OUTSIDE = [
    "\n<!-- Страница создана за 0.2 секунды -->",
    "\n<div><b>Ошибка</b>: нет соединения с базой</div></body></html>",
    "<script>document.title = 'Новости области'</script>",
    DECLARED.format("windows-1251") + RUSSIAN,
    DECLARED.format("windows-1251") + SECOND,
    SECOND,
]


@each("content_type", [None, "text/xml", "application/rss+xml; charset=utf-8"])
@each("outside", OUTSIDE)
def test_what_follows_a_document_in_utf8(outside: str, content_type: str | None) -> None:
    found = decode(UTF8 + outside.encode("cp1251"), content_type)
    assert found.resolution.encoding == "UTF-8"
    assert FRENCH in found.text
    assert len(found.text) == len(decode(UTF8).text) + len(outside)
    assert found.text.endswith(outside.encode("cp1251").decode("cp1252"))
    assert replay(found.resolution.facts)[:4] == found.resolution[:4]


@each("outside", OUTSIDE)
def test_what_follows_a_legacy_document(outside: str) -> None:
    found = decode(CYRILLIC + outside.encode())
    assert found.resolution.encoding == "windows-1251"
    assert found.text.endswith(
        RUSSIAN + outside.encode().decode("cp1251", "replace").replace("\ufffd", "\x98")
    )


@each("content_type", ["application/rss+xml; charset=utf-8", None])
@each("document", [UTF8, FRENCH.encode()])
def test_what_stands_before_a_document(document: bytes, content_type: str | None) -> None:
    warning = "<br />\n<b>Ошибка</b>: нет соединения с базой<br />\n".encode("cp1251")
    found = decode(warning + document, content_type)
    assert found.resolution.encoding == "UTF-8"
    assert found.text.endswith(FRENCH)
    assert found.text.startswith(warning.decode("cp1252"))


NOTICES = [
    "Предупреждение: деление на ноль в файле\n",
    "<br />\n<b>警告</b>: ゼロ除算です<br />\n",
    "<p>警告: ゼロ除算です</p>\n",
]
ONE_TITLE = [
    ("windows-1251", "Погода на завтра"),
    ("KOI8-R", "Новости"),
    ("ISO-8859-7", "Τα νέα"),
    ("EUC-JP", "天気予報"),
    ("GB2312", "今天下雨了"),
    ("EUC-KR", "오늘의 뉴스"),
    ("ISO-2022-JP", "今日の天気"),
]


@each("content_type", [None, "text/xml; charset=utf-8", "application/rss+xml"])
@each("notice", NOTICES)
@each(("label", "title"), ONE_TITLE)
def test_a_notice_in_utf8_before_one_title(
    label: str, title: str, notice: str, content_type: str | None
) -> None:
    """It has more bytes than the title, and is in another document."""
    document = f"{DECLARED.format(label)}<rss><title>{title}</title></rss>"
    data = notice.encode() + document.encode(label)
    found = decode(data, content_type)
    assert found.resolution.encoding == label
    assert found.text.endswith(document[document.index("<rss>") :])
    assert replay(found.resolution.facts, policy="rfc3023")[:3] == found.resolution[:3]
    for size in (1, 7, 100):
        decoder = XmlDecoder(content_type)
        pieces = [decoder.decode(data[at : at + size]) for at in range(0, len(data), size)]
        assert "".join([*pieces, decoder.decode(b"", True)]) == found.text


@each("content_type", [None, "text/xml", "text/xml; charset=utf-8", "text/xml; charset=ISO-8859-1"], every=3)
@each("before", ["", "x\n", "<br />", "<html><body>", "é\n", "<html><h1>Été</h1>", NOTICES[0]])
@each("behind", ["<!-- {} -->", "{}", "<p>{}</p></html>", "<rss><title>{}</title></rss>" * 3, UTF8.decode()])
@each(
    ("label", "title"),
    [
        ("windows-1251", "Новости города и области за неделю"),
        ("ISO-8859-7", "Νέα της πόλης και της περιοχής"),
        ("Shift_JIS", "今日は雨が降っているので、家で本を読もう"),
        ("EUC-KR", "오늘은 비가 와서 집에서 책을 읽으려고 합니다"),
        ("windows-1250", "Žluťoučký kůň příliš úpěl ďábelské ódy"),
        ("KOI8-R", "Новости города и области за неделю"),
        ("windows-1255", "חדשות העיר והאזור לשבוע"),
        ("windows-1252", "Été déjà vu à Genève"),
    ],
)
def test_utf8_before_and_behind_a_declared_document(
    label: str, title: str, behind: str, before: str, content_type: str | None
) -> None:
    document = f"{DECLARED.format(label)}<rss><title>{title}</title></rss>".encode(label)
    data = before.encode() + document + behind.replace("{}", title).encode()
    found = decode(data, content_type)
    assert f"<rss><title>{title}</title>" in found.text[: found.text.index("</rss>")]
    assert replay(found.resolution.facts)[:3] == found.resolution[:3]
    decoder = XmlDecoder(content_type)
    pieces = [decoder.decode(data[at : at + 11]) for at in range(0, len(data), 11)]
    assert "".join([*pieces, decoder.decode(b"", True)]) == found.text


@each("content_type", [None, "text/xml; charset=utf-8", "text/html; charset=windows-1251"])
@each("before", ["", "<br />\n", "<p>Façade à côté</p>\n"])
@each(
    ("behind", "codec"),
    [
        ("<!-- Сторінку створено за 0.2 секунди -->", "cp1251"),
        ("Сторінку створено", "utf-8"),
        ("<p>Größe über älteren Städten</p>", "cp1252"),
        ("<!-- 今日は雨が降っている -->", "cp932"),
    ],
)
@each(
    ("label", "language"),
    [
        *(("UTF-8", "it"), ("windows-1250", "cs"), ("ISO-8859-7", "el")),
        *(("Shift_JIS", "ja"), ("windows-1255", "he"), ("windows-1252", "de")),
    ],
)
def test_other_charsets_before_and_behind_a_declared_document(
    label: str, language: str, behind: str, codec: str, before: str, content_type: str | None
) -> None:
    rss = f"<rss><title>{PROSE[language].encode(label, 'ignore').decode(label)}</title></rss>"
    document = (DECLARED.format(label) + rss).encode(label)
    found = decode(before.encode("cp1252") + document + behind.encode(codec), content_type)
    assert rss in found.text
    assert replay(found.resolution.facts)[:3] == found.resolution[:3]


DEFAULTS = ["text/xml; charset=ISO-8859-1", "text/xml; charset=windows-1252", "text/xml; charset=us-ascii"]


@each("content_type", DEFAULTS)
@each("notice", ["<b>Warning</b>: x<br />\n", "<!-- cached -->\n", "Notice: x\n", "<div>x</div>"])
@each(
    ("label", "title"),
    [
        ("windows-1254", "Başbakan açıkladı"),
        ("windows-1250", "Święto żołnierzy"),
        ("windows-1257", "Šiandien bus gražus oras"),
        ("windows-1251", "Погода на завтра"),
        ("EUC-KR", "오늘의 뉴스와 날씨"),
    ],
)
def test_a_declaration_behind_a_notice_and_the_default_of_a_server(
    label: str, title: str, notice: str, content_type: str
) -> None:
    """It may be true, as one that stands first."""
    document = f"{notice}{DECLARED.format(label)}<rss><title>{title}</title></rss>"
    found = decode(document.encode(label), content_type)
    assert found.resolution.encoding == label
    assert f"<title>{title}</title>" in found.text
    assert replay(found.resolution.facts)[:3] == found.resolution[:3]
    first = document.removeprefix(notice)
    assert decode(first.encode(label), content_type).resolution.encoding == label


@each("notice", NOTICES)
@each("label", ["UTF-8", "windows-1251", "ISO-8859-1"])
def test_a_notice_in_utf8_before_a_document_in_it(label: str, notice: str) -> None:
    """Damaged, and under any declaration."""
    body = "<rss><title>Погода на завтра, новости области</title><t>caf"
    found = decode((notice + DECLARED.format(label) + body).encode() + b"\xe9</t></rss>", declaration="keep")
    assert found.text == notice + DECLARED.format(label) + body + "é</t></rss>"


def test_a_misplaced_declaration_behind_what_is_not_ascii() -> None:
    assert decode(b"\xc3\xaf\xc2\xbb\xc2\xbf" + CYRILLIC).resolution.encoding == "windows-1251"


def test_the_declaration_of_a_second_document_is_not_the_first_ones() -> None:
    greek = "<doc><t>Τα νέα της ημέρας από όλη τη χώρα</t></doc>"
    second = (DECLARED.format("GB18030") + "<doc><t>今天早上图书馆开门了</t></doc>" * 9).encode("gb18030")
    for declared in (DECLARED.format("UTF-8"), '<?xml version="1.0"?>'):
        found = decode((declared + greek).encode() + second, "text/xml; charset=utf-8")
        assert greek in found.text


def test_the_document_alone_has_to_be_enough() -> None:
    """Nothing beyond ASCII is in it, or its own bytes refute the label."""
    ascii_only = DECLARED.format("UTF-8").encode() + b"<rss><title>Journal</title></rss>"
    assert decode(ascii_only + OUTSIDE[0].encode("cp1251")).resolution.encoding == "windows-1251"
    false = CYRILLIC.replace(b"windows-1251", b"UTF-8")
    assert decode(false).resolution.encoding == "windows-1251"
    assert decode(false + OUTSIDE[0].encode("cp1251")).resolution.encoding == "windows-1251"


@pytest.mark.parametrize("gap", [0, 100, 3900, 4096, 9000])
def test_the_first_bytes_beyond_ascii_may_stand_far_from_the_root(gap: int) -> None:
    """What stands between the first 4,096 bytes and the window is not kept: there may be start tags."""
    start = DECLARED.format("UTF-8").encode() + b"<a>" + b"x" * gap + b"<a>" + b"y" * gap
    body = start + "é</a>Été à Béziers</a>".encode()
    footer = OUTSIDE[0].encode("cp1251")
    assert decode(body + footer).resolution.encoding == "UTF-8"
    decoder = XmlDecoder()
    pieces = [decoder.decode((body + footer)[at : at + 1000]) for at in range(0, len(body + footer), 1000)]
    assert "".join([*pieces, decoder.decode(b"", True)]) == decode(body + footer).text


@each("data", [UTF8 + OUTSIDE[0].encode("cp1251"), UTF8 + CYRILLIC, OUTSIDE[1].encode("cp1251") + UTF8])
@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.long)])
def test_at_every_cut(data: bytes, step: int) -> None:
    whole = decode(data)
    for cut in range(0, len(data), step):
        decoder = XmlDecoder()
        assert decoder.decode(data[:cut]) + decoder.decode(data[cut:], True) == whole.text
        assert (decoder.resolution, decoder.repairs) == whole[1:]


def test_a_window_that_ends_before_the_end_tag() -> None:
    """It is judged as it is: nothing shows where the document ends."""
    data = UTF8 + OUTSIDE[0].encode("cp1251")
    size = data.index(b"</rss>") - data.index("É".encode())
    for lookahead in (size, size + 5):
        assert decode(data, lookahead=lookahead).resolution.facts.body.complete is False
    assert decode(data, lookahead=size).resolution.encoding == "UTF-8"


def test_a_caller_s_detector_is_called_once() -> None:
    calls: list[bytes] = []

    def detector(data: bytes) -> None:
        calls.append(data)

    resolve(UTF8 + OUTSIDE[0].encode("cp1251"), detector=detector, complete=True)
    assert len(calls) == 1
    false = CYRILLIC.replace(b"windows-1251", b"UTF-8") + OUTSIDE[0].encode("cp1251")
    assert resolve(false, detector=lambda data: "koi8-r", complete=True).encoding == "KOI8-R"


def test_a_mixture_stays_one() -> None:
    """A label that nothing refutes, and text in UTF-8 behind the root."""
    body = (DECLARED.format("windows-1252") + FRENCH).encode("cp1252")
    assert decode(body + "<!-- Žižkov žluťoučký -->".encode()).text.endswith("<!-- Žižkov žluťoučký -->")


def test_strict_reading_knows_nothing_of_it() -> None:
    assert (
        decode(UTF8 + OUTSIDE[0].encode("cp1251"), lenient=False, errors="replace").resolution.rule == "1.2"
    )


def test_damaged_utf8_under_an_unknown_label_may_be_a_footer() -> None:
    head = b"<?xml version='1.0' encoding='nobody'?><?xml version='1.0' encoding='windows-1251'?>"
    body = head + "<rss><title>привет, мир</title></rss>".encode("cp1251")
    assert decode(body).resolution.encoding == "windows-1251"
    assert decode(body + 60 * "été ".encode()).resolution.encoding == "windows-1251"


@each(
    ("label", "title", "codec", "behind"),
    [
        (
            "windows-1250",
            "Ceny prądu wzrosną o 5 zł",
            "cp1250",
            b"<p>Copyright \xa9 \xe9t\xe9, \xe7a va d\xe9j\xe0</p>",
        ),
        ("ISO-8859-6", "ارتفاع أسعار النفط إلى 90 دولارا", "iso8859_6", b"\xff\xff\xff\xff"),
        ("ISO-8859-5", "Умер актёр Юрий Соломин", "iso8859_5", "<p>Все права защищены</p>".encode("cp1251")),
    ],
)
def test_bytes_behind_the_root_are_no_evidence_of_the_sibling(
    label: str, title: str, codec: str, behind: bytes
) -> None:
    body = f'<?xml version="1.0" encoding="{label}"?><rss><title>{title}</title></rss>'.encode(codec)
    assert title in decode(body + behind).text
