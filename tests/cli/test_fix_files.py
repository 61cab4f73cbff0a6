"""`check --fix` and `--diff`: what is certain is written, and nothing else is touched."""

from __future__ import annotations

import gzip
import io
import random
import tracemalloc
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest
from support.command_line import call
from support.each import each

from feedcharset import check, decode
from feedcharset.cli.check import _first_lines
from feedcharset.cli.output_file import output_file
from feedcharset.validate import document_check
from feedcharset.validate.document_check import NotFixed, check_stream, fix_document

FEED = '<?xml version="1.0" encoding="{}"?>\r\n<rss><title>{}</title></rss>\r\n'
XML_1_1 = FEED.replace("1.0", "1.1")


CERTAIN = {
    "plainly UTF-8": (
        FEED.format("ISO-8859-1", "été déjà").encode(),
        FEED.format("UTF-8", "été déjà").encode(),
    ),
    "alias": (
        FEED.format("x-cp1251", "Новости").encode("cp1251"),
        FEED.format("windows-1251", "Новости").encode("cp1251"),
    ),
    "Shift_JIS": (
        FEED.format("Shift_JIS", "日本語").encode("shift_jis"),
        FEED.format("UTF-8", "日本語").encode(),
    ),
    "blank line": (b"\n" + FEED.format("UTF-8", "été").encode(), FEED.format("UTF-8", "été").encode()),
    "BOM before windows-1251": (
        b"\xef\xbb\xbf" + FEED.format("windows-1251", "Новости дня").encode("cp1251"),
        FEED.format("windows-1251", "Новости дня").encode("cp1251"),
    ),
    "UTF-32": (
        b"\xff\xfe\0\0" + FEED.format("UTF-32", "été").encode("utf-32-le"),
        FEED.format("UTF-8", "été").encode(),
    ),
    "UTF-16 declared as UTF-8": (
        b"\xff\xfe" + FEED.format("UTF-8", "été").encode("utf-16-le"),
        b"\xff\xfe" + FEED.format("UTF-16", "été").encode("utf-16-le"),
    ),
    "quotation marks of windows-1252": (
        FEED.format("ISO-8859-1", "“été”").encode("cp1252"),
        FEED.format("windows-1252", "“été”").encode("cp1252"),
    ),
    "quotation marks of windows-1252 in XML 1.1": (
        XML_1_1.format("ISO-8859-1", "“été…”").encode("cp1252"),
        XML_1_1.format("windows-1252", "“été…”").encode("cp1252"),
    ),
    "UTF-16 that nothing names": (
        "<?xml version='1.0'?>\n<rss>été</rss>".encode("utf-16-le"),
        '<?xml version="1.0" encoding="UTF-16LE"?>\n<rss>été</rss>'.encode("utf-16-le"),
    ),
    "declaration out of grammar": (
        b"<?xml encoding='UTF-8' version='1.0'?>\n<rss/>",
        b'<?xml version="1.0" encoding="UTF-8"?>\n<rss/>',
    ),
    "white space before the name of the declaration": (
        FEED.replace("<?", "<? \r\n").format("ISO-8859-1", "été").encode("latin-1"),
        FEED.format("ISO-8859-1", "été").encode("latin-1"),
    ),
}


@pytest.mark.parametrize(("before", "after"), CERTAIN.values(), ids=CERTAIN)
def test_what_is_certain_is_fixed(before: bytes, after: bytes, tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(before)
    assert call("check", "--diff", path) == 1
    assert path.read_bytes() == before
    call("check", "--fix", path)
    assert path.read_bytes() == after
    assert call("check", "--diff", path) == 0
    assert check(path).clean


LABELS = ["UTF-8", "utf8", "utf-16", "unicode", "ISO-8859-1", "windows-1252", "US-ASCII", "x-klingon", None]


def test_a_control_character_does_not_make_binary_data_of_a_declared_document(tmp_path: Path) -> None:
    """It stays, and is reported again."""
    (tmp_path / "feed.xml").write_bytes(FEED.format("UTF-32", "a\x01é").encode("utf-32-le"))
    call("check", "--fix", tmp_path / "feed.xml")
    assert (tmp_path / "feed.xml").read_bytes() == FEED.format("UTF-8", "a\x01é").encode()


@pytest.mark.parametrize("before", ["\n", "\ufeff\n", "\r\n \n"])
@pytest.mark.parametrize("label", LABELS)
def test_a_label_that_a_blank_line_hides_is_fixed_with_it(
    label: str | None, before: str, tmp_path: Path
) -> None:
    feed = FEED.format("@", "café Žižekov")
    body = before + feed.replace(' encoding="@"', f' encoding="{label}"' if label else "")
    path = tmp_path / "feed.xml"
    path.write_bytes(body.encode())
    fixes = {finding.code: finding.fix or "" for finding in check(path).findings}
    declares = '<?xml version="1.0" encoding="UTF-8"?>' in fixes["before-declaration"]
    assert declares == (label not in ("UTF-8", None))
    call("check", "-q", "--fix", path)
    assert check(path).clean
    text = path.read_bytes().decode("utf-8-sig")
    assert text.partition("?>")[2] == feed.partition("?>")[2]


@pytest.mark.parametrize("bom", [b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0"])
def test_a_label_that_a_false_bom_hides_is_fixed_with_it(bom: bytes, tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(bom + FEED.format("ISO-8859-1", "café Žižekov").encode())
    call("check", "-q", "--fix", path)
    assert path.read_bytes() == FEED.format("UTF-8", "café Žižekov").encode()


def test_letters_of_the_windows_page_behind_a_blank_line(tmp_path: Path) -> None:
    """Only the file without it shows them: it is fixed in two steps."""
    path = tmp_path / "feed.xml"
    path.write_bytes(b"\n" + FEED.format("ISO-8859-1", "“Från början” är det så").encode("cp1252"))
    call("check", "-q", "--fix", path)
    assert path.read_bytes() == FEED.format("windows-1252", "“Från början” är det så").encode("cp1252")
    path.write_bytes(b"\n" + FEED.format("ISO-8859-1", "“Från början” är det så").encode("cp1252"))
    before = path.read_bytes()
    call("check", "-q", "--fix", "--select", "before-declaration", path)
    assert path.read_bytes() == before


def test_the_header_that_a_fix_takes_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(b"\xff\xfe" + FEED.format("UTF-8", "café Žižekov").encode())
    before = path.read_bytes()
    call("check", "-q", "--fix", "--content-type", "text/xml; charset=ISO-8859-1", path)
    assert path.read_bytes() == before
    header = "Content-Type: application/rss+xml; charset=UTF-8"
    assert f"it takes another header, too: {header}\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong",
    [
        FEED.format("windows-1252", "“ete”").encode("cp1252"),
        FEED.format("windows-1252", "“été”").encode(),
        FEED.format("ISO-8859-1", "“été”").encode("cp1252"),
    ],
    ids=["another text", "a new finding", "the same finding"],
)
def test_what_is_written_is_checked_before(
    wrong: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before, _ = CERTAIN["quotation marks of windows-1252"]
    path = tmp_path / "feed.xml"
    path.write_bytes(before)
    monkeypatch.setattr(document_check, "_in_place", lambda data, declaration, comparison: wrong)
    if wrong == before:
        monkeypatch.setattr(document_check, "_declared", lambda text, declaration: text)
    call("check", "--fix", path)
    assert "what --fix can write does not remove the findings" in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize("byte", [b"\xca", b"\x81"])
def test_bytes_that_pythons_codec_does_not_have_stay(byte: bytes, tmp_path: Path) -> None:
    """The Encoding Standard has them in windows-1255."""
    feed = FEED.format("windows-1255", "שלום @").encode("cp1255").replace(b"@", byte)
    path = tmp_path / "feed.xml"
    path.write_bytes(b"\n" + feed)
    call("check", "--fix", path)
    assert path.read_bytes() == feed


UNCERTAIN = {
    "a line end of XML 1.1": XML_1_1.format("ISO-8859-1", "été \x85").encode("latin-1"),
    "a line end of XML 1.1 in another page": XML_1_1.format("ISO-8859-2", "łódź \x85").encode("iso8859-2"),
    "no label": "<rss>Новости</rss>".encode("koi8-r"),
    "one wrong byte in UTF-8": FEED.format("UTF-8", "Éric, Zoë, Chloé, Anaïs, Noël: très").encode() + b"\xe9",
    "mixture": FEED.format("windows-1252", "Café, été").encode() + b"Caf\xe9 \xe9t\xe9, d\xe9j\xe0 vu",
    "two labels": FEED.format("windows-1251", "Новости").encode("koi8-r"),
    "DOS under ISO-8859-1": FEED.format("ISO-8859-1", "Grüße aus Köln, schöne Städte").encode("cp850"),
    "Mac under ISO-8859-1": FEED.format("ISO-8859-1", "la opción, la versión y la sección").encode(
        "mac_roman"
    ),
    "ISO-2022-JP with UTF-8": FEED.format("ISO-2022-JP", "日本の天気 " * 4 + "@")
    .encode()
    .replace(b"@", "日本語".encode("iso2022_jp")),
    "mojibake": FEED.format("UTF-8", "dÃ©jÃ\xa0 vu, cafÃ©").encode(),
    "forbidden character": b"<rss>\x08</rss>",
    "declaration in capitals behind white space": FEED.replace("<?xml", "\n<?XML")
    .format("ISO-8859-1", "été")
    .encode("latin-1"),
    "declaration that begins as a tag": FEED.replace("<?", "<").format("UTF-16", "été").encode("utf-16-le"),
    "HTML": b"<!DOCTYPE html><html></html>",
    "nothing": b"",
    "gzip": gzip.compress(FEED.format("ISO-8859-1", "été déjà").encode(), mtime=0),
    "correct": FEED.format("UTF-8", "été").encode(),
}


@pytest.mark.parametrize("body", UNCERTAIN.values(), ids=UNCERTAIN)
def test_what_is_not_certain_is_not_touched(body: bytes, tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(body)
    assert call("check", "--diff", path) == 0
    call("check", "--fix", path)
    assert path.read_bytes() == body


ITUNES = '<a xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">{}</a>'
JAPANESE = ("政府は水曜日、来年度の予算案を閣議決定した", "今日のニュース")
RUSSIAN = ("Правительство одобрило проект бюджета", "Погода на завтра: дождь и ветер")
ARABIC = ("وافقت الحكومة على مشروع موازنة العام المقبل", "وترى المعارضة أن هذه الخطط غير واقعية")
POLISH = ("Zażółć gęślą jaźń, a potem wróć do łóżka", "Wzrosły ceny mieszkań, mówią pośrednicy")
FRENCH = ("Été à la plage, très près de la forêt", "Le café où l’élève a dîné")
CHINESE = ("国务院总理今天会见了外国客人", "新闻联播今天")
ODD = (CHINESE[0], "今天的新闻")

TWO_ENCODINGS = {
    # The label, the text in it, and the one in UTF-8 that stands among it.
    "Shift_JIS": JAPANESE,
    "GBK": CHINESE,
    "GB18030": CHINESE,
    "GB2312": ODD,
    "KOI8-R": RUSSIAN,
    "IBM866": RUSSIAN,
    "x-mac-cyrillic": RUSSIAN,
    "windows-1251": RUSSIAN,
    "windows-1256": ARABIC,
    "IBM852": POLISH,
    "IBM850": FRENCH,
}
CODECS = {"x-mac-cyrillic": "mac_cyrillic", "GB2312": "gbk"}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("label", "far", "line_end"),
    [
        pytest.param(label, far, end, marks=pytest.mark.long if far and (end or at % 6) else ())
        for at, label in enumerate(TWO_ENCODINGS)
        for far in (0, 700_000)
        for end in ("", "\n")
    ],
)
def test_a_document_with_utf8_in_it_is_not_converted(
    label: str, line_end: str, far: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, other = TWO_ENCODINGS[label]
    before, after = ITUNES.format(f"<b>{text}</b>{line_end}@").split("@")
    line = f"<b>{text}</b>{line_end}".replace("’", "'").encode(CODECS.get(label, label))
    body = f'<?xml version="1.0" encoding="{label}"?>\n{before}'.encode(CODECS.get(label, label))
    body += line * (3 + far // len(line)) + f"<b>{other}</b>{after}".encode()
    path = tmp_path / "feed.xml"
    path.write_bytes(body)
    at = body.index(other.encode())
    assert ("mixed-encodings", at) in {
        (finding.code.replace("mojibake", "mixed-encodings"), finding.offset)
        for finding in check(path).findings
    }
    call("check", "-q", "--fix", path)
    assert path.read_bytes() == body
    assert f"it is in {label}, but at byte {at} it has UTF-8: {other[:5]}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("GB2312", "gbk", "朱镕基總理：今日新闻"),
        ("EUC-KR", "cp949", "펲시콜라, 오늘의 뉴스"),
        ("Shift_JIS", "cp932", "①今日"),
    ],
)
def test_characters_of_a_superset_are_converted(label: str, codec: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(FEED.format(label, text).encode(codec))
    call("check", "--fix", path)
    assert path.read_bytes() == FEED.format("UTF-8", text).encode()


@pytest.mark.parametrize("word", ["È possibile", "QUALITÉ…"])
def test_a_byte_of_a_utf8_character_is_no_sign_of_windows_1252(word: str, tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    first = word.encode("cp1252" if "…" in word else "utf-8")
    titles = "<b>città e qualità</b><b>perché no</b><b>più grande</b></a>\n".encode("latin-1")
    path.write_bytes(b'<?xml version="1.0" encoding="ISO-8859-1"?>\n<a><b>' + first + b"</b>" + titles)
    call("check", "-q", "--fix", path)
    assert (b'encoding="windows-1252"' in path.read_bytes()) == ("…" in word)


def test_utf8_that_its_label_lacks_is_not_converted(tmp_path: Path) -> None:
    """The superset of EUC-KR has all bytes of it."""
    path, body = tmp_path / "feed.xml", FEED.format("EUC-KR", "Été à la plage").encode()
    path.write_bytes(body)
    call("check", "--fix", path)
    assert path.read_bytes() == body


def test_a_document_with_mojibake_is_not_converted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "feed.xml"
    body = FEED.format("MacIceland", "Été: la journÃ©e a Ã©tÃ© annulÃ©e").encode("mac-iceland")
    path.write_bytes(body)
    assert "mojibake" in {finding.code for finding in check(path).findings}
    call("check", "-q", "--fix", path)
    assert path.read_bytes() == body
    assert capsys.readouterr().err == f"not fixed: {path}: text in it is mojibake\n"


@pytest.mark.parametrize(
    "body",
    [
        FEED.format("win-1251", "El niño pequeño corrió").encode("cp1252"),
        b"\xef\xbb\xbf" + FEED.format("koi8-r", "kullanýldýrdý").encode("cp1252"),
        FEED.format("windows-874", "LEGO® and sun").encode(),
        b"\xef\xbb\xbf"
        + FEED.format("windows-1251", "Árvíztűrő tükör köz").encode()
        + b"<!-- k\xf6z\xfat -->",
    ],
)
def test_a_document_that_its_label_would_make_wrong_is_not_changed(body: bytes, tmp_path: Path) -> None:
    """Letters of another script stand within Latin words, or the BOM is right and some bytes are damaged."""
    path = tmp_path / "feed.xml"
    path.write_bytes(body)
    call("check", "-q", "--fix", path)
    assert path.read_bytes() == body


SELECTED = [
    # The label of a document, options, and whether it is changed.
    ("ISO-8859-1", ["--select", "mojibake"], False),
    ("ISO-8859-1", ["--select", "plainly-utf-8,mojibake"], True),
    ("ISO-8859-1", ["--ignore", "plainly-utf-8"], False),
    ("Shift_JIS", ["--ignore", "mojibake"], True),
    ("Shift_JIS", ["--ignore", "encoding-unsupported"], False),
]


@pytest.mark.parametrize(("label", "options", "changed"), SELECTED)
def test_only_findings_that_are_shown_are_fixed(
    label: str, options: list[str], changed: bool, tmp_path: Path
) -> None:
    path = tmp_path / "feed.xml"
    body = FEED.format(label, "日本語").encode("cp932" if label == "Shift_JIS" else "utf-8")
    path.write_bytes(body)
    assert call("check", "--diff", *options, path) == changed
    call("check", "--fix", *options, path)
    assert (path.read_bytes() != body) == changed


SENTENCE = "<b>déjà vu, été</b>\n"
REPAIR = "; `feedcharset repair` converts stray bytes of windows-1252 in UTF-8"

SHOWN = {
    "mojibake": (UNCERTAIN["mojibake"], "characters are not replaced"),
    "gzip": (UNCERTAIN["gzip"], "it is compressed with gzip"),
    "stray bytes": (
        f"<a>{SENTENCE * 20}".encode() + b"\xe9t\xe9</a>",
        "characters are not replaced" + REPAIR,
    ),
    "surrogate pairs": (
        f"<a>{SENTENCE * 20}".encode() + b"\xed\xa0\xbd\xed\xb8\x80</a>",
        "characters are not replaced; `feedcharset repair --cesu8 join` converts surrogate pairs and"
        + REPAIR.partition("converts")[2],
    ),
    "two encodings": (
        f"<a>{SENTENCE * 3}".encode() + f"{SENTENCE * 3}’</a>".encode("cp1252"),
        "bytes do not decode" + REPAIR,
    ),
}


@pytest.mark.parametrize("kind", SHOWN)
def test_a_fix_that_is_shown_and_not_written_is_named(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(SHOWN[kind][0])
    call("check", "-q", "--fix", path)
    assert capsys.readouterr().err == f"not fixed: {path}: {SHOWN[kind][1]}\n"


def test_a_folder_is_not_left_through_a_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside.xml"
    folder.mkdir()
    body, fixed = CERTAIN["plainly UTF-8"]
    outside.write_bytes(body)
    (folder / "link.xml").symlink_to(outside)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "feed.xml").write_bytes(body)
    (folder / "linked").symlink_to(tmp_path / "other")
    assert call("check", "-q", "--fix", folder) == 1
    assert outside.read_bytes() == (tmp_path / "other" / "feed.xml").read_bytes() == body
    assert capsys.readouterr().err.count("it is a symbolic link in a folder, or behind one") == 2
    (tmp_path / "named").symlink_to(tmp_path / "other")
    assert call("check", "-q", "--fix", tmp_path / "named") == 0
    assert (tmp_path / "other" / "feed.xml").read_bytes() == fixed
    assert call("check", "-q", "--fix", folder / "link.xml") == 0
    assert outside.read_bytes() == fixed


def test_what_was_read_behind_a_link_is_not_written_when_there_is_none_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody else puts a link in the place of a folder, and the folder back, all the time."""
    inner, away, other = tmp_path / "folder" / "inner", tmp_path / "away", tmp_path / "other"
    body = CERTAIN["plainly UTF-8"][0]
    for folder in (inner, other):
        folder.mkdir(parents=True)
        (folder / "feed.xml").write_bytes(body)

    def put(link: bool) -> None:
        if link:
            inner.rename(away)
            inner.symlink_to(other)
        else:
            inner.unlink()
            away.rename(inner)

    def while_it_is_judged(*arguments: Any, **options: Any) -> Any:
        if inner.is_symlink():
            put(link=False)
        return fix_document(*arguments, **options)

    def when_it_is_written(*arguments: Any, **options: Any) -> Any:
        put(link=True)
        return output_file(*arguments, **options)

    monkeypatch.setattr("feedcharset.validate.document_check.fix_document", while_it_is_judged)
    monkeypatch.setattr("feedcharset.cli.check.output_file", when_it_is_written)
    put(link=True)
    call("check", "-q", "--fix", tmp_path / "folder")
    assert "it is a symbolic link in a folder, or behind one" in capsys.readouterr().err
    assert (other / "feed.xml").read_bytes() == body


def test_to_show_and_to_write_are_two_commands(tmp_path: Path) -> None:
    assert call("check", "--diff", "--fix", tmp_path) == 2


@pytest.mark.parametrize(
    "options", [["--json"], ["--format", "html"], ["-o", "report"], ["-o", "report", "-"]]
)
def test_a_diff_is_no_report(options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of an earlier run would look as if it were that of this one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report").write_text("old")
    assert call("check", "--diff", *options, tmp_path) == 2
    assert (tmp_path / "report").read_text() == "old"
    (tmp_path / "good.xml").write_text("<rss/>")
    assert call("check", "--diff", "--format", "text", "-o", "-", tmp_path) == 0


BIG5 = "中文新聞：今天的天氣很好，我們去公園".encode("big5")
RUSSIAN = FEED.format("windows-1251", "Погода на завтра").encode("cp1251")
JAPANESE = FEED.format("Shift_JIS", "日本のニュース").encode("cp932")
NO_XML, ONE_MORE = "it does not begin as XML", "an XML declaration stands further down"
ONLY_PUBLISHER = "only its publisher knows its encoding"

NOT_FIXED = {
    "archive": (b"a.xml" + b"\0" * 507 + RUSSIAN + b"\0" * 400, None),
    "archive with Shift_JIS": (b"a.xml" + b"\0" * 507 + JAPANESE + b"\0" * 400, None),
    "compressed": (b"\xfd7zXZ\0\0\4\xe6\xd6\xb4F" + RUSSIAN, None),
    "mail folder": (b"From x\nContent-Type: text/xml\n\n" + RUSSIAN, None),
    "HTTP message": (b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n" + RUSSIAN, None),
    "warning of PHP": (b"<br />\n<b>Warning</b>: x<br />\n" + RUSSIAN, None),
    "two documents": (JAPANESE + JAPANESE, None),
    "two documents, far apart": (
        FEED.format("x-cp1251", "Погода" * 10_000).encode("cp1251") + RUSSIAN,
        ONE_MORE,
    ),
    "text": ('<?xml version="1.0" encoding="x-cp1251"?>\nПогода на завтра'.encode("cp1251"), NO_XML),
    "document and binary data": (
        FEED.format("koi8_r", "Погода на завтра" * 9).encode("koi8_r") + bytes(range(32)) * 9,
        "it holds binary data",
    ),
    "EBCDIC of Germany": ('<?xml version="1.0"?><a>Grüße aus Köln</a>'.encode("cp273"), ONLY_PUBLISHER),
    "EBCDIC of Germany as that of the USA": (
        FEED.format("IBM037", "Größere Schäden drohen nicht, schöne Grüße aus Köln").encode("cp273"),
        ONLY_PUBLISHER,
    ),
    "Turkish of Mac as Mac Roman": (
        FEED.format("macintosh", "Pijamalı hasta yağız şoföre çabucak güvendi").encode("mac_turkish"),
        ONLY_PUBLISHER,
    ),
    "Russian as Mac Roman": (
        FEED.format("macintosh", "Правительство одобрило проект бюджета").encode("iso8859-5"),
        ONLY_PUBLISHER,
    ),
    "EBCDIC of Greece": ("<a>Καλημέρα κόσμε</a>".encode("cp875"), ONLY_PUBLISHER),
    "Big5 under GB2312": (b'<?xml version="1.0" encoding="GB2312"?><a>' + BIG5 + b"</a>", ONLY_PUBLISHER),
    "Big5 under GB18030": (b'<?xml version="1.0" encoding="GB18030"?><a>' + BIG5 + b"</a>", ONLY_PUBLISHER),
    "Turkish under GB2312": (
        FEED.format("GB2312", "İstanbul şu anda güneşli, ığdır çok soğuk").encode("cp1254", "replace"),
        ONLY_PUBLISHER,
    ),
    "characters of the publisher's own": (
        FEED.format("GB2312", "今天的新闻报道" * 12_000 + "\ue4cd").encode("gb18030"),
        "bytes are no characters of GB2312",
    ),
    "an escape sequence far behind UTF-8 that is labelled ISO-2022-JP": (
        FEED.format("ISO-2022-JP", "été déjà\n" * 8_000 + '\x1b$B$"\x1b(B').encode(),
        "it has escape sequences of ISO-2022-JP, and is not in it",
    ),
    "damaged ISO-2022-JP": (
        b'<?xml version="1.0" encoding="ISO-2022-JP"?><rss><title>'
        + "今日のニュース".encode("iso2022_jp")[:-1]
        + b"</title></rss>",
        ONLY_PUBLISHER,
    ),
    **{
        f"ASCII that is {label}": (
            f'<?xml version="1.0" encoding="{label}"?><rss><title>{text}</title></rss>'.encode(),
            ONLY_PUBLISHER,
        )
        for label, text in (("UTF-7", "+BB8EPgQz"), ("HZ-GB-2312", "~{VPND~}"), ("ISO-2022-CN", "ab"))
    },
    "a euro sign under ISO-8859-5": (
        b'<?xml version="1.0" encoding="ISO-8859-5"?><a>Price 5\x80 today</a>',
        ONLY_PUBLISHER,
    ),
    "Shift_JIS under ISO-8859-5": (
        '<?xml version="1.0" encoding="ISO-8859-5"?><a>日本のニュース、東京の天気</a>'.encode("cp932"),
        ONLY_PUBLISHER,
    ),
    "Mac Cyrillic under ISO-8859-2": (
        '<?xml version="1.0" encoding="ISO-8859-2"?><a>Погода на завтра в Москве</a>'.encode("mac-cyrillic"),
        ONLY_PUBLISHER,
    ),
    "ISO-2022-JP behind a BOM of UTF-8": (
        b"\xef\xbb\xbf" + FEED.format("ISO-8859-1", "日本のニュース").encode("iso2022_jp"),
        "it has text in ISO-2022-JP; convert it from its own encoding",
    ),
    "French under GB2312": (
        FEED.format("GB2312", "Actualités de la région").encode("cp1252"),
        ONLY_PUBLISHER,
    ),
    "French DOS text under Shift_JIS": (
        FEED.format("Shift_JIS", "Nouvelles générales").encode("cp850"),
        ONLY_PUBLISHER,
    ),
    **{
        f"Swedish DOS text under {label}": (
            FEED.format(label, "Certifikatet var spärrat, sätter antal siffror för värden").encode("cp850"),
            ONLY_PUBLISHER,
        )
        for label in ("ISO-8859-2", "ISO-8859-4", "ISO-8859-5", "ISO-8859-6", "ISO-8859-7", "ISO-8859-8")
    },
    "German Mac text under ISO-8859-2": (
        FEED.format("ISO-8859-2", "Aufträge über größere Schlüssel werden abgewiesen").encode("mac_roman"),
        ONLY_PUBLISHER,
    ),
    "records of integers": (
        b"".join(number.to_bytes(4, "little") for number in (60, 97, 5, 7, 60, 98, 0, 62)),
        "it holds binary data",
    ),
    "French under TIS-620": (
        '<?xml version="1.0" encoding="TIS-620"?><a>L’été à Paris, déjà vu</a>'.encode("cp1252"),
        ONLY_PUBLISHER,
    ),
}


LATIN = {
    # Python's codec of text in Latin letters, and a sentence in each of its languages.
    "cp1252": """
        Actualités de la région : où l’élève a-t-il été reçu, déjà très fatigué ?
        Die Oberfläche ist größer, müde Gäste fahren über Köln zurück
        El niño comió más piñas según la opinión de su compañía
        A ligação não está disponível, são três opções possíveis até amanhã
        Från början är det så, men några frågor återstår för oss
        Spør før overskriving, det må være på plass når året begynner
        Først når sønnen får øl, smører han brød på værelset
        La città è più grande perché così sarà la verità di lunedì
        Tämä on pöytä, jonka ääressä syödään hyvää päivällistä
        Það er ekki hægt að opna skrána því miður, ýttu á hnöppum
        La informació és vàlida però això no és així, qüestió d’opinió
        A información está dispoñible, ningún cambio máis hoxe en día
        Tá an comhad seo ró-mhór, déan iarracht eile níos déanaí
        Coördinatie van ideeën, één reünie in België met knieën
        Stili i kollonës është i ndryshëm për çdo mënyrë të re
        Die geëerde geleerde het hoë lêers teëgekom, môre weer nêrens
    """,
    "cp1250": """
        Zażółć gęślą jaźń, wysokość łóżka, także później źródła świeże
        Příliš žluťoučký kůň úpěl ďábelské ódy, už zase něčím běží
        A legutóbb használt fájlok száma több, őszintén üdvözlő szűrő
        Program nie je k dispozícii, ďalšie úložisko nájdete vľavo
        Način unosa, neispravno zaglavlje, šalje se greška već sljedeći
        Prostor, ki ga porabi puščica, že senčno modra širina
        Nu există nici o opţiune şi fişierul trebuie şters înainte
    """,
    "cp1257": """
        Ūkio ministerija šiandien paskelbė, kad įmonės grąžina lėšas
        Saki sildi ümber oleva äärise laius, võõras kõne öö jäär
        Šodien valdība lēma par nākamā gada budžetu, ļoti īsi ģimenē
    """,
    "cp1254": "\nİstanbul şu anda güneşli, ığdır çok soğuk değildir öğle",
}
EAST_ASIAN = ("Shift_JIS", "EUC-JP", "GB2312", "GBK", "GB18030", "Big5", "EUC-KR", "Windows-31J")
HONEST = {
    "shift_jis": ("Shift_JIS", "政府は水曜日、来年度の予算案をiPhone版で決定した Windows用"),
    "euc_jp": ("EUC-JP", "今日のニュースと天気、東京のIT企業がＡＢＣを発表した"),
    "gb2312": ("GB2312", "国务院总理今天会见了外国客人，苹果Apple和谷歌Google的A股新闻"),
    "gbk": ("GB2312", "朱镕基總理今天會見了客人，在VMware裏運行"),
    "gb18030": ("GB18030", "新闻联播今天，中国IT业的发展和DNS服务"),
    "big5": ("Big5", "中文新聞：今天的天氣很好，我們去公園看A股和iPhone手機"),
    "euc_kr": ("EUC-KR", "오늘의 뉴스와 날씨, IT업계 소식을 Windows용으로 전합니다"),
}


def fixed(data: bytes) -> bytes | None:
    """What `--fix` writes; None where it writes nothing."""
    report, comparison = check_stream(io.BytesIO(data), None)
    try:
        document = fix_document(data, None, report, comparison, lambda one: one.findings)
    except NotFixed:
        return None
    return document and document.data


@pytest.mark.parametrize("times", [1, pytest.param(4, marks=pytest.mark.long)])
@each("label", EAST_ASIAN)
@each("codec", LATIN)
def test_a_false_east_asian_label_is_not_believed(codec: str, label: str, times: int) -> None:
    """What is written is what was meant; nothing is written where the label may be false."""
    chance = random.Random(20261122)
    for sentence in LATIN[codec].strip().splitlines():
        words = sentence.split()
        for _ in range(times):
            start = chance.randrange(len(words))
            text = " ".join(words[start : start + chance.choice((1, 2, 3, 9))])
            data = FEED.format(label, text).encode(codec)
            if not data.isascii():
                assert fixed(data) in (None, FEED.format("UTF-8", text).encode()), (text, label)


@pytest.mark.parametrize("codec", HONEST)
def test_a_true_east_asian_label_is_believed(codec: str) -> None:
    label, text = HONEST[codec]
    for part in (text, text.partition("，")[0], text.partition("、")[0], text.partition(",")[0]):
        written = fixed(FEED.format(label, part).encode(codec))
        assert written == FEED.format("UTF-8", part).encode()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("body", "why"), NOT_FIXED.values(), ids=NOT_FIXED)
def test_what_is_no_document_or_a_guess_is_not_touched(
    body: bytes, why: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a finding names a fix that is not certain, standard error says why it is not written."""
    path = tmp_path / "feed.xml"
    path.write_bytes(body)
    assert call("check", "--diff", path) == 0
    said = capsys.readouterr().err
    assert said.startswith(f"not fixed: {path}: {why}") if why else not said
    call("check", "--fix", path)
    assert path.read_bytes() == body


@pytest.mark.parametrize("body", [RUSSIAN, JAPANESE], ids=["windows-1251", "Shift_JIS"])
def test_no_second_declaration_is_named_as_a_fix(body: bytes) -> None:
    """What stands before the declaration has to go first."""
    report = check(b"junk\n" + body, content_type="text/xml; charset=ISO-8859-1")
    assert any(finding.code == "before-declaration" for finding in report.findings)
    assert not {"declaration", "convert"} & {finding.fix_kind for finding in report.findings}


QUOTED = '<?xml version="1.0" encoding="ISO-8859-5"?>'
QUOTING = {
    "a comment": f"<!-- old: {QUOTED} -->",
    "an instruction": f"<?php '{QUOTED}",
    "the value of an entity": f"<!DOCTYPE rss [<!ENTITY old '{QUOTED}'>]>",
}


@pytest.mark.parametrize("quoting", QUOTING.values(), ids=QUOTING)
def test_a_declaration_that_is_only_quoted_is_none(quoting: str, tmp_path: Path) -> None:
    """It is neither written where the document has none, nor a second one where the document has its own."""
    path = tmp_path / "feed.xml"
    french = f"{quoting}\n<rss><title>Les élèves étaient fatigués</title></rss>"
    path.write_bytes(french.encode("cp1252"))
    assert call("check", "--fix", path) == 1
    assert path.read_bytes() == french.encode("cp1252")
    assert decode(french.encode("cp1252")).resolution.encoding == "windows-1252"
    path.write_bytes(b'<?xml version="1.0" encoding="ISO-8859-1"?>\n' + french.encode())
    assert call("check", "--fix", path) == 0
    assert path.read_text() == '<?xml version="1.0" encoding="UTF-8"?>\n' + french


def test_two_labels_that_disagree_are_not_touched(tmp_path: Path) -> None:
    path, body = tmp_path / "feed.xml", FEED.format("windows-1251", "Новости").encode("koi8-r")
    path.write_bytes(body)
    call("check", "--fix", "--content-type", "text/xml; charset=KOI8-R", path)
    assert path.read_bytes() == body


def test_the_text_stays_the_same(tmp_path: Path) -> None:
    for before, after in CERTAIN.values():
        one, other = (decode(data, declaration="keep").text.split("?>", 1)[1] for data in (before, after))
        assert one == other


def test_a_backup_is_kept_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "feed.xml"
    before, after = CERTAIN["Shift_JIS"]
    path.write_bytes(before)
    path.chmod(0o640)
    assert call("check", "--fix", "--backup", path) == 0
    assert (path.read_bytes(), (tmp_path / "feed.xml.bak").read_bytes()) == (after, before)
    assert path.stat().st_mode & 0o777 == 0o640
    assert capsys.readouterr().err == f"fixed: {path} (converted from Shift_JIS to UTF-8)\n"


def test_a_label_that_stays_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "feed.xml"
    meta = b'<meta content="charset=Shift_JIS"/>'
    path.write_bytes(CERTAIN["Shift_JIS"][0].replace(b"<title>", meta + b"<title>"))
    assert call("check", "--fix", path) == 0
    told = "converted from Shift_JIS to UTF-8); labels of another encoding (meta) stayed in it"
    assert capsys.readouterr().err == f"fixed: {path} ({told}\n"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.xml", tmp_path / "link.xml"
    target.write_bytes(CERTAIN["alias"][0])
    link.symlink_to(target)
    call("check", "--fix", link)
    assert link.is_symlink()
    assert target.read_bytes() == CERTAIN["alias"][1]


def test_the_diff_shows_the_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(CERTAIN["Shift_JIS"][0])
    assert call("check", "--diff", path) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"--- {path}",
        f"+++ {path} (converted from Shift_JIS to UTF-8)",
        "@@ -1,2 +1,2 @@",
        '-<?xml version="1.0" encoding="Shift_JIS"?>',
        '+<?xml version="1.0" encoding="UTF-8"?>',
        " <rss><title>日本語</title></rss>",
    ]


def test_only_files_are_fixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", "--diff", "https://example.org/feed.xml", "-", tmp_path / "absent.xml") == 2
    assert capsys.readouterr().err.count("only files can be fixed") == 2
    assert call("check", "--fix", "https://example.org/feed.xml") == 2
    assert call("check", "--backup", tmp_path) == 2


@each("opening", ['<?xml version="1.0" encoding="Shift_JIS"?>', ""])
@each("body", ["<rss>日本</rss>", "\n<rss>\n日本\n</rss>\n", "\r\n<rss>\r\n\r\n", "\r<rss>\r日\r", "日本"])
def test_the_diff_of_the_first_lines_is_that_of_the_whole(opening: str, body: str) -> None:
    before, after = (
        opening + body,
        (opening.replace("Shift_JIS", "UTF-8") or FEED.partition("<rss")[0]) + body,
    )
    first = _first_lines(before, after)
    assert len(first[0]) <= 3
    assert [*unified_diff(*first, n=1)] == [*unified_diff(before.splitlines(), after.splitlines(), n=1)]


def test_a_file_without_a_fix_is_not_read_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(FEED.format("UTF-8", "été <b/>" * 1_000_000).encode())
    tracemalloc.start()
    try:
        assert call("check", "--diff", path) == 0
        assert tracemalloc.get_traced_memory()[1] < path.stat().st_size
    finally:
        tracemalloc.stop()


OTHERS_UNDER = {
    "IBM850": [
        "Новости дня/cp1251",
        "Новости дня/koi8_r",
        "Новости дня/cp866",
        "café à Paris/cp1252",
        "今日は/cp932",
    ],
    "IBM852": ["Новости дня/cp1251", "Žluťoučký kůň/cp1250", "café à Paris/cp1252", "뉴스입니다/euc_kr"],
    "IBM437": ["La République démocratique/cp1252", "Émilie était très fâchée/cp1252", "서울 뉴스/euc_kr"],
    "IBM737": ["Νέα από την Αθήνα/iso8859_7", "Новости дня/cp1251"],
    "IBM862": ["חדשות היום/cp1255"],
    "IBM869": ["Νέα από την Αθήνα/cp1253"],
    "x-mac-cyrillic": ["Νέα από την Αθήνα/cp1253", "Les déjà vus, à l’été/cp1252"],
    "Shift_JIS": ["погода за рекой/koi8_r", "ข่าวเด่น/cp874", "مرحبا/cp1256", "дом/utf-8"],
    "EUC-JP": ["뉴스입니다 오늘/euc_kr", "é é/utf-8"],
    "GB18030": ["สวัสดีครับ/cp874", "佐藤さん/euc_jp", "é é/utf-8", "дом/utf-8"],
    "Big5": ["お知らせ/euc_jp", "뉴스입니다 오늘/euc_kr", "é é/utf-8"],
    "EUC-KR": ["お知らせです/euc_jp", "é é/utf-8"],
}
"""What is not in the charset that the declaration names, though it decodes in it."""


@pytest.mark.parametrize("label", OTHERS_UNDER)
def test_letters_of_another_charset_are_not_converted_from_the_declared_one(
    label: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for case in OTHERS_UNDER[label]:
        text, codec = case.split("/")
        path = tmp_path / "feed.xml"
        path.write_bytes(before := FEED.format(label, text).encode(codec))
        call("check", "-q", "--fix", path)
        assert path.read_bytes() == before, case
        assert ONLY_PUBLISHER in capsys.readouterr().err, case


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("IBM850", "cp850", "Größe über Straße, für Häuser"),
        ("IBM850", "cp850", "déjà vu à la fête"),
        ("IBM852", "cp852", "Žluťoučký kůň pěl ďábelské ódy"),
        ("IBM437", "cp437", "Größe über Straße, für Häuser"),
        ("IBM855", "cp855", "Новости дня и погода на завтра"),
        ("Shift_JIS", "cp932", "投稿"),
        ("EUC-JP", "euc_jp", "お知らせ"),
        ("Big5", "big5", "新聞"),
        ("EUC-KR", "euc_kr", "뉴스"),
    ],
)
def test_letters_of_the_declared_charset_are_converted(
    label: str, codec: str, text: str, tmp_path: Path
) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(FEED.format(label, text).encode(codec))
    call("check", "-q", "--fix", path)
    assert path.read_bytes().decode() == FEED.format("UTF-8", text)


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("declaration", [b"<?xml?>", b"<?xml ?>"])
@pytest.mark.parametrize("rest", [b"\n<rss>x</rss>", b"<rss>a & b</rss>"])
def test_an_empty_declaration_is_replaced(
    bom: bytes, declaration: bytes, rest: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(bom + declaration + rest)
    call("check", "-q", "--fix", path)
    assert path.read_bytes() == bom + b'<?xml version="1.0" encoding="UTF-8"?>' + rest


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("before", ["\n", " \n\n"])
def test_the_difference_shows_the_lines_that_are_removed(
    before: str, codec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(f'{before}<?xml version="1.0"?>\n<a>x</a>\n'.encode(codec))
    assert call("check", "--diff", path) == 1
    shown = capsys.readouterr().out.splitlines()
    removed = [line[1:] for line in shown[2:] if line.startswith("-")]
    assert removed == before.splitlines()
    assert not [line for line in shown[2:] if line.startswith("+")]


def test_letters_of_dos_do_not_become_signs_of_windows_1252(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`repair` refuses them, too. Marks of windows-1252 under ISO-8859-1 are relabelled."""
    head, path = '<?xml version="1.0" encoding="ISO-8859-1"?>\n', tmp_path / "feed.xml"
    dos = (
        f"{head}<a><b>Questa password è troppo corta</b><b>La funzionalità dell admin</b><b>non può</b></a>\n"
    )
    path.write_bytes(before := dos.encode("cp850"))
    assert call("check", "--fix", "-q", path) == 1
    assert (path.read_bytes(), "not fixed" in capsys.readouterr().err) == (before, True)
    path.write_bytes(f"{head}<a>“Déjà vu” – l’été, €</a>\n".encode("cp1252"))
    assert call("check", "--fix", "-q", path) == 0
    assert b"windows-1252" in path.read_bytes()


@pytest.mark.long
def test_a_long_line_takes_no_more_memory_than_many(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A feed may be one line, which is shown as a whole: the output is a patch."""
    start, peaks = '<?xml version="1.0" encoding="Shift_JIS"?><a>', []
    for end in ("\n", " "):
        text = start + f"日本のニュース{end}" * 20_000 + "</a>"
        (tmp_path / "feed.xml").write_text(text, "shift_jis", newline="")
        tracemalloc.start()
        assert call("check", "--diff", tmp_path / "feed.xml") == 1
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        lines = capfd.readouterr().out.splitlines()
    assert lines[3:] == ["-" + text, "+" + text.replace("Shift_JIS", "UTF-8")]
    assert peaks[1] < 1.5 * peaks[0], peaks


OPENINGS = (
    '<?xml version="1.0" encoding="{}"?>',
    '\n<?xml version="1.0" encoding="{}"?>',
    '<?xml version=1.0 encoding="{}"?>',
    '<?XML version="1.0" encoding="{}"?>',
    '<?xml encoding="{}" version="1.0"?>',
)


@each(
    "label",
    ["tis-620", "tis620", "cp874", "cp1252", "cp1251", "macroman", "latin1", "koi8-r", "gb2312", "utf8"],
)
@each("opening", OPENINGS)
def test_a_second_run_changes_nothing(opening: str, label: str) -> None:
    """What the first fault hides is fixed with it."""
    for body in (b"abc", b"\xa2\xe8\xd2\xc7 \x95", b"\xa2\xe8\xd2\xc7", b"caf\xe9 \x80", b"caf\xc3\xa9"):
        data = opening.format(label).encode() + b"<a>" + body + b"</a>"
        once = fixed(data)
        if once is not None:
            assert (fixed(once), body) == (None, body)
        else:  # the encoding is not certain, or nothing is wrong
            assert body != b"abc" or opening == OPENINGS[0]
