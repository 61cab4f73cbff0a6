"""UTF-8 among the text of another charset is `mixed-encodings`, wherever it stands."""

from __future__ import annotations

import io
from contextlib import suppress

import pytest
from support.each import each

from feedcharset import Finding, check, decode
from feedcharset.charsets.lookup import by_name
from feedcharset.cli.repair import RepairOptions, refusal
from feedcharset.cli.repair import _RepairedInput as repaired_input
from feedcharset.validate.text_blocks import SOURCE_BLOCK
from feedcharset.validate.text_findings import LONGEST_HELD, utf8_in_charset

RUSSIAN, WEATHER = "Правительство одобрило проект бюджета", "Погода на завтра: дождь и ветер"
KOI8 = f"<t>{RUSSIAN}</t>".encode("koi8_r")
KOREAN = "정부는 수요일 내년도 예산안을 의결했다"
LABELLED = b'<?xml version="1.0" encoding="KOI8-R"?><rss>'


def mixed(body: bytes, content_type: str | None = None) -> list[Finding]:
    report = check(body, content_type=content_type)
    return [finding for finding in report.findings if finding.code == "mixed-encodings"]


@each("character", "去全取平前钱千且没么强女片票")
@each("codec", ["GBK", "GB18030"])
def test_a_hanzi_behind_a_word_is_no_letter_in_utf_8(character: str, codec: str) -> None:
    """Its bytes are `ȥ`, `ȫ`, `Ů` and the like in UTF-8."""
    title = f"我的文章移到Word Press{character}."
    body = f'<?xml version="1.0" encoding="{codec}"?><rss><title>{title}</title></rss>'.encode(codec)
    assert mixed(body) == []
    cafe = body.replace(b"</title>", b"</title><title>at the caf\xc3\xa9.</title>")
    assert len(mixed(cafe)) == 1


def test_the_finding_names_the_text_and_what_is_to_be_done() -> None:
    body = LABELLED + KOI8 + b"\n" + KOI8 + f"<t>{WEATHER}</t></rss>".encode()
    (finding,) = mixed(body)
    assert (finding.severity, finding.line) == ("error", 2)
    assert finding.message == f"the document mixes UTF-8 with KOI8-R: the bytes here are '{WEATHER}' in UTF-8"
    assert finding.offset == body.index(WEATHER.encode())
    assert finding.end_offset == finding.offset + len(WEATHER.encode())
    assert finding.fix is not None
    assert "each part from its own encoding, and" in finding.fix


@pytest.mark.sampled(3)
@pytest.mark.parametrize("cut", [1, 2, 20, 40])
@pytest.mark.parametrize("block", [1, 3])
def test_text_that_two_blocks_share_is_found(block: int, cut: int) -> None:
    before = LABELLED + KOI8 + b"<a>"
    before += KOI8 * ((block * SOURCE_BLOCK - len(before)) // len(KOI8) - 1)
    before += b"<!--" + b"-" * (block * SOURCE_BLOCK - len(before) - cut - 10) + b"--><t>"
    assert len(before) == block * SOURCE_BLOCK - cut
    (finding,) = mixed(before + f"{WEATHER[:4]}</t></a></rss>".encode())
    assert finding.offset == len(before)


@pytest.mark.parametrize("length", [LONGEST_HELD - 1, LONGEST_HELD, LONGEST_HELD + 1])
def test_a_long_text_is_searched_in_parts(length: int) -> None:
    before = LABELLED + KOI8 * 400
    before += b"<p>" + b"-" * (SOURCE_BLOCK - len(before) - length - 2) + b"<t>"
    text = (WEATHER.encode() + b" ") * (length // 50)
    (finding,) = mixed(before + text + b"</t></p></rss>")
    assert finding.offset == len(before)


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("EUC-KR", "cp949", KOREAN),
        ("windows-874", "cp874", "รัฐบาลอนุมัติงบประมาณ"),
        ("windows-1251", "cp1251", "Вікна, «Єдність», їжа: є Ві"),
        ("windows-1256", "cp1256", "وافقت، الحكومة على، مشروعا،"),
        ("ISO-8859-2", "iso8859_2", "Zażółć gęślą jaźń"),
        ("GB2312", "gbk", "今天的訊號，類別，指針無效"),
        ("Shift_JIS", "cp932", "ニュース①"),
    ],
)
def test_one_encoding_is_no_mixture(label: str, codec: str, text: str) -> None:
    body = f'<?xml version="1.0" encoding="{label}"?><rss>' + f"<t>{text}</t>" * 20 + "</rss>"
    assert not mixed(body.encode(codec))


@each(
    ("label", "text"),
    [("GBK", "中文新闻内容，今天的天气很好"), ("Shift_JIS", "ニュースの見出しと本文"), ("EUC-KR", KOREAN)],
)
@each("end", ["", "\n", "</t></rss>"])
def test_utf8_at_the_end_of_an_east_asian_document(label: str, text: str, end: str) -> None:
    """A document that is cut ends the text."""
    before = f'<?xml version="1.0" encoding="{label}"?><rss>{f"<t>{text}</t>" * 9}<t>'.encode(label)
    (finding,) = mixed(before + f"世界新闻，今天{end}".encode())
    assert finding.offset == len(before)


NATIVE = {
    "Shift_JIS": "データソケット接続タイムアウト",
    "EUC-JP": "今日の天気予報",
    "GBK": "今天的天气预报",
    "Big5": "今天的天氣預報",
    "EUC-KR": KOREAN,
    "windows-1251": WEATHER,
    "KOI8-R": WEATHER,
    "KOI8-U": "Погода на завтра: дощ",
    "IBM866": WEATHER,
    "ISO-8859-5": WEATHER,
    "windows-1253": "Τα νέα της ημέρας",
    "ISO-8859-7": "Τα νέα της ημέρας",
    "windows-1255": "חדשות היום",
    "windows-1256": "أخبار اليوم",
    "TIS-620": "รัฐบาลอนุมัติงบประมาณ",
}


@each("label", NATIVE)
@each("title", ["Pokémon GO", "Björk Guðmundsdóttir", "Café Müller", "São Paulo"])
def test_a_western_title_in_utf8(label: str, title: str) -> None:
    """No page has its bytes within a word. Else `--fix` would convert them from that page."""
    before = f'<?xml version="1.0" encoding="{label}"?><rss>{f"<t>{NATIVE[label]}</t>" * 3}'.encode(label)
    body = before + f"<t>{title}</t></rss>".encode()
    (finding,) = mixed(body)
    assert len(before) <= (finding.offset or 0) <= body.rindex(b"</t>")
    assert refusal(body) is not None
    assert not mixed(before + f"<t>{NATIVE[label]} {title.encode('ascii', 'ignore').decode()}".encode(label))


@pytest.mark.parametrize("text", ["Limita a fost depăşită", "desfăşurător", "Acest text depăşeşte"])
@pytest.mark.parametrize("times", [1, 5])
def test_two_letters_of_a_page_of_dos_that_are_one_of_utf8(text: str, times: int) -> None:
    body = f'<?xml version="1.0" encoding="IBM852"?><rss>{f"<t>{text}</t>" * times}</rss>'.encode("cp852")
    assert decode(body, declaration="keep").text == body.decode("cp852")
    assert not mixed(body)
    for pasted in ("São Paulo", "Pokémon", "Mări"):
        both = body.replace(b"</rss>", f"<t>{pasted}</t></rss>".encode())
        assert utf8_in_charset(both, by_name("IBM852")) == (both.index(pasted.encode()), pasted)


@pytest.mark.parametrize("label", ["macintosh", "x-mac-icelandic", "x-mac-turkish"])
def test_a_mark_that_closes_and_a_sign_are_no_utf8(label: str) -> None:
    declaration = f'<?xml version="1.0" encoding="{label}"?>'
    for text in ("fra «Linux»®", "le mot «Linux»™ et “Mac”©"):
        body = f"{declaration}<t>{text}</t>".encode(by_name(label).codec or "")
        assert not mixed(body)
        pasted = body.replace(b"</t>", "</t><t>Timișoara</t>".encode())
        assert utf8_in_charset(pasted, by_name(label)) == (pasted.index(b"Timi"), "Timișoara")


def test_three_letters_that_are_one_of_utf8() -> None:
    body = '<?xml version="1.0" encoding="ISO-8859-10"?><rss><t>Ráđđehus Sápmi</t></rss>'.encode("iso8859_10")
    assert not mixed(body)
    assert mixed(body.replace(b"</rss>", "<t>Pokémon</t></rss>".encode()))


@pytest.mark.parametrize("text", ["słyńć, zażółć gęślą jaźń", "żyńć i wyńść", "kasowań, słyńć"])
def test_two_letters_of_mac_that_are_one_of_utf8(text: str) -> None:
    body = f'<?xml version="1.0" encoding="x-mac-ce"?><rss><t>{text}</t></rss>'.encode("mac_latin2")
    assert not mixed(body)
    pasted = body.replace(b"</rss>", "<t>Dvořák, moře i café</t></rss>".encode())
    assert utf8_in_charset(pasted, by_name("x-mac-ce")) is not None


@pytest.mark.parametrize("label", ["ISO-8859-15", "ISO-8859-2", "windows-1251", "windows-1250", "ISO-8859-9"])
@pytest.mark.parametrize("text", ["NOËL", "ÉTÉ", "CAFÉ NOËL", "ÇA VA", "GRÖSSE", "ÐÝR Í BÓL"])
def test_capitals_in_utf8_are_none_of_a_page(label: str, text: str) -> None:
    """In no page a control or a sign stands before a capital; a letter at the end of a word may have one
    behind it (`MANHÃ…`)."""
    own = {"windows-1251": "Погода на завтра", "ISO-8859-15": "le cœur, à l'œuvre"}.get(label, "öt és Ä")
    body = f"{text}\n".encode() + own.encode(label) + b"\n"
    assert utf8_in_charset(body, by_name(label)) == (0, text)
    honest = f"{own.upper()} Ã… “A” ‚B’ –C\n".encode(label, "ignore")
    assert utf8_in_charset(honest, by_name(label)) is None


OF_ANOTHER_SCRIPT = {
    "cyrillic": "Погода",
    "greek": "ημέρας",
    "hebrew": "חדשות",
    "arabic": "أخبار",
    "thai": "ข่าว",
    "devanagari": "समाचार",
    "georgian": "ამინდი",
    "hangul": "수요일",
    "kana": "ニュース",
}


@each("label", [*NATIVE, "windows-1250", "windows-1257"])
@each("script", OF_ANOTHER_SCRIPT)
def test_a_word_of_another_script_in_utf8(label: str, script: str) -> None:
    """`repair --force` and `check --fix` read such lines in the charset of the others, exit 0."""
    latin = {"windows-1250": "Zażółć gęślą jaźń", "windows-1257": "Šiandien lietus, žvaigždė"}
    text, word = {**NATIVE, **latin}[label], OF_ANOTHER_SCRIPT[script]
    if word[0] in text or (script in ("hangul", "kana") and label in ("EUC-KR", "EUC-JP", "Shift_JIS")):
        word = "Новости" if word == "Погода" else "εφημερίδα"
    before = f'<?xml version="1.0" encoding="{label}"?><rss>\n{f"<t>{text}</t>" * 3}\n<t>'.encode(label)
    body = before + f"{word}</t></rss>".encode()
    assert utf8_in_charset(body, by_name(label)) == (len(before), word)
    assert utf8_in_charset(before, by_name(label)) is None
    with pytest.raises(ValueError, match=word):
        list(repaired_input(io.BytesIO(body), RepairOptions(force=True)).pieces())


@each("label", ["Shift_JIS", "EUC-JP", "GBK", "Big5", "EUC-KR"])
@each("between", [" ", ";", ",", "\t", " - ", " (", '","b":"', "', '"], every=4)
@each(
    "text",
    ["Погода на завтра", "ημέρας", "Die schönen Gärten", "Café de Paris", "Beyoncé", "Wiatr, deszcz, słońce"],
)
def test_utf8_in_one_line_with_east_asian_text(label: str, between: str, text: str) -> None:
    """A field of a table, a value of JSON, the end of a sentence."""
    native = NATIVE[label]
    start = f'<?xml version="1.0" encoding="{label}"?><rss>\n' + f"<t>{native}</t>" * 3
    before = f"{start}\n<t>{native}{between}".encode(label)
    body = before + f"{text}{between[::-1]}".encode() + f"{native}</t></rss>".encode(label)
    found = utf8_in_charset(body, by_name(label))
    assert found is not None
    assert found[0] == body.index(found[1].encode())
    assert (text in found[1], len(before) - found[0] <= len('b":"')) == (True, True)
    assert utf8_in_charset(before, by_name(label)) is None
    assert check(body).ok is False
    with pytest.raises(ValueError, match="convert each part from its own encoding"):
        list(repaired_input(io.BytesIO(body), RepairOptions(force=True)).pieces())


@each(
    ("label", "text"),
    [
        ("x-mac-cyrillic", "Dziś rano w stolicy spadł śnieg"),
        ("windows-1251", "Wiatr i deszcz: słońce"),
        ("windows-1251", "北京"),
        ("ISO-8859-5", "Café"),
        ("ISO-8859-5", "Huomisen sää: tuulta"),
        ("windows-1255", "Beyoncé"),
        ("windows-1253", "東京"),
    ],
)
def test_a_title_in_utf8_under_the_label_of_another_script(label: str, text: str) -> None:
    native = {"x-mac-cyrillic": WEATHER, **NATIVE}[label]
    start = f'<?xml version="1.0" encoding="{label}"?><rss>\n' + f"<t>{native}</t>" * 3 + "\n<t>"
    before = start.encode(by_name(label).codec or "")
    found = utf8_in_charset(before + f"{text}</t></rss>".encode(), by_name(label))
    assert found is not None
    assert found[0] >= len(before)


WITH_LATIN = {
    "x-mac-cyrillic": WEATHER,
    "IBM850": "Größe früh über Bücher",
    "windows-1250": "Zażółć gęślą jaźń",
    "ISO-8859-13": "Šiandien lietus, žvaigždė",
    "windows-1254": "Göğün altında ağır kedi",
    **NATIVE,
}


@each(
    ("label", "word"),
    [
        ("IBM850", "remontą"),
        ("IBM850", "إلى"),
        ("IBM852", "amanhã"),
        ("ISO-8859-13", "בית"),
        ("windows-1250", "طلب"),
        ("windows-1251", "μία"),
        ("IBM866", "طلب"),
        ("ISO-8859-7", "أمس"),
        ("Big5", "žádali"),  # two characters before small letters
        ("EUC-JP", "žádali"),
    ],
)
def test_a_word_whose_bytes_are_letters_and_signs(label: str, word: str) -> None:
    text = {"IBM852": "hogy legyen megálló", **WITH_LATIN}[label]
    before = f"<rss>{text}\n".encode(by_name(label).codec or "")
    assert utf8_in_charset(before + word.encode(), by_name(label)) is not None
    assert utf8_in_charset(before, by_name(label)) is None


def test_cyrillic_of_dos_has_sequences_by_chance() -> None:
    for text in ("Увайсці праз:", "Спіс сайтаў", "URL-адреса вебсайту"):
        assert utf8_in_charset(text.encode("cp855"), by_name("IBM855")) is None
    text = "доступными чему-то содержательное"  # 㯭묨 祬 are common nowhere
    assert utf8_in_charset(text.encode("cp866"), by_name("IBM866")) is None


@each("label", WITH_LATIN)
@each("text", ["trước người chờ", "những đã làm", "je ćup. knjiga, pred u đak, su gradu čekali"])
def test_words_that_begin_with_a_letter_or_hold_one_of_three_bytes(label: str, text: str) -> None:
    """`check --fix` made `훶up` of `ćup`, and called the file clean."""
    start = f'<?xml version="1.0" encoding="{label}"?><rss>\n' + f"<t>{WITH_LATIN[label]}</t>\n" * 3
    before = start.encode(by_name(label).codec or "")
    body = before + f"<t>{text}</t></rss>".encode()
    found = utf8_in_charset(body, by_name(label))
    assert found is not None
    assert found[0] >= len(before)
    assert utf8_in_charset(before, by_name(label)) is None
    with suppress(ValueError):  # it is refused, or read as UTF-8 with words of windows-1252
        pieces = [*repaired_input(io.BytesIO(body), RepairOptions(force=True)).pieces()]
        assert text.encode() in b"".join(pieces)


@each(
    ("label", "word"),
    [
        ("EUC-KR", "집계"),
        ("GBK", "轻微延迟"),
        ("windows-1251", "Beyoncé"),
        ("KOI8-R", "à la carte, été"),
    ],
)
def test_a_short_text_in_utf8_whose_bytes_the_charset_lacks(label: str, word: str) -> None:
    before = f'<?xml version="1.0" encoding="{label}"?><rss>{f"<t>{NATIVE[label]}</t>" * 3}<t>OID '
    (finding,) = mixed(before.encode(label) + f"{word}</t></rss>".encode())
    assert finding.offset is not None
    assert finding.offset >= len(before.encode(label)) - 4


def test_thai_letters_are_three_bytes() -> None:
    beginning = '<?xml version="1.0" encoding="TIS-620"?><rss>' + "<t>รัฐบาลอนุมัติงบประมาณ</t>" * 2 + "<t>"
    (finding,) = mixed(beginning.encode("tis_620") + "ข่าววันนี้</t></rss>".encode())
    assert finding.offset == len(beginning)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (KOI8 + f"<t>{WEATHER}</t></rss>".encode(), None),
        (LABELLED + KOI8 + f"<t>{WEATHER}</t></rss>".encode(), "text/xml; charset=windows-1251"),
    ],
    ids=["no label", "two labels"],
)
def test_the_other_charset_is_named_only_where_it_is_known(body: bytes, content_type: str | None) -> None:
    assert not mixed(body.replace(b"<t>", b"<rss><t>", not body.startswith(b"<?")), content_type)


@pytest.mark.parametrize("far", [0, 300_000])
@pytest.mark.parametrize(
    ("before", "stray", "codec"),
    [
        (WEATHER, "Съезд объявил перерыв", "cp1251"),
        ("Předpověď počasí: déšť", "Vítr zesílí v neděli", "cp1250"),
    ],
)
def test_no_characters_are_named_for_bytes_that_repair_refuses(
    before: str, stray: str, codec: str, far: int
) -> None:
    line = f"<t>{before}</t>\n"
    body = f"<rss>{line * 9}".encode() + b"<t/>" * (far // 4) + line.encode()
    found = [one for one in check(body + f"<t>{stray}</t></rss>".encode(codec)).findings if one.offset]
    assert {(one.code, one.fix) for one in found} >= {("undecodable", None)}
    assert "replace" not in {one.fix_kind for one in found}
    assert refusal(body + f"<t>{stray}</t></rss>".encode(codec)) is not None
    western = check(body + "<t>Été à la plage</t></rss>".encode("cp1252")).findings
    assert "É" in {one.fix for one in western}


@pytest.mark.parametrize("far", [0, 300_000])
def test_the_encoding_that_is_not_named_is_told_at_the_first_byte_that_is_not_utf8(far: int) -> None:
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<rss><t>déjà caf'.encode()
    found = check(head + b"\xe9 au lait</t>" + b"<t/>" * (far // 4) + b"</rss>").findings
    assert [(one.code, one.offset) for one in found] == [
        ("encoding-unnamed", len(head)),
        ("undecodable", len(head)),
    ]


@each(
    "label",
    [
        "windows-1254",
        "ISO-8859-9",
        "ISO-8859-15",
        "windows-1252",
        "ISO-8859-1",
        "UTF-7",
        "HZ-GB-2312",
        "UTF-8",
        "nope",
    ],
)
def test_the_fix_names_repair_where_it_converts_the_document(label: str) -> None:
    utf8, western = "<i>naïve’s “été” ñandú’ €5</i>".encode(), "<i>café déjà vu</i>".encode("cp1252")
    for times, others in ((3, 3), (2, 9)):
        body = (
            f'<?xml version="1.0" encoding="{label}"?><a>'.encode()
            + utf8 * times
            + western * others
            + b"</a>"
        )
        for content_type in (None, "application/xml; charset=ISO-8859-1", "text/xml"):
            found = check(body, content_type=content_type).findings
            assert {one.code for one in found} & {"mixed-encodings", "encoding-unnamed"}
            fixes = {one.fix for one in found if "convert" in (one.fix or "")}
            assert {"feedcharset repair" in str(fix) for fix in fixes} == {refusal(body) is None}
            assert len(fixes) == 1


@each("content_type", [None, "text/xml", "application/json"])
@each(
    "body",
    [
        LABELLED + KOI8 + f"<t>{WEATHER}</t></rss>".encode(),
        '<?xml version="1.0" encoding="ISO-8859-1"?><rss>déjà'.encode("cp1252")
        + b" (\xc3\x89) \xe9t\xe9</rss>",
    ],
)
def test_no_fix_is_a_label_where_a_part_is_utf8(body: bytes, content_type: str | None) -> None:
    """By a label the part would be wrong text that no finding tells of."""
    found = [one.fix for one in check(body, content_type=content_type).findings if one.code != "mojibake"]
    assert found
    assert all((fix or "").startswith("convert to UTF-8") for fix in found)


@each(("label", "text"), [("windows-1254", "günaydın dünya şehir"), ("ISO-8859-1", "café déjà vu")])
def test_a_declaration_that_the_letters_do_not_contradict_is_the_fix(label: str, text: str) -> None:
    body = f'<?xml version="1.0" encoding="{label}"?><a>{text}</a>'.encode(label)
    found = check(body, content_type="application/xml; charset=UTF-8").findings
    assert {one.fix for one in found} == {f"Content-Type: application/xml; charset={label}"}
