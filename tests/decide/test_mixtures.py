"""Mixtures: UTF-8 pasted into a western document, or the other way round."""

from __future__ import annotations

import pytest

from feedcharset import decode, resolve
from feedcharset.charsets.lookup import by_name
from feedcharset.decide.lenient_chain import replay
from feedcharset.decide.lenient_principles import find_mixture, is_mixture, may_be_mixed, watch_step
from feedcharset.evidence.utf8_sequences import utf8_words
from feedcharset.evidence.window import Window

LEGACY, UTF8 = "caf\xe9 na\xefve".encode("latin-1"), "Žižkov žluťoučký".encode()


@pytest.mark.parametrize(
    ("charset", "mixed"),
    [
        ("windows-1252", True),
        ("ISO-8859-1", True),
        ("ISO-8859-15", True),
        ("ISO-8859-9", True),
        ("windows-1251", False),
        ("UTF-8", False),
        ("Shift_JIS", False),
    ],
)
def test_which_charsets_may_be_mixed(charset: str, mixed: bool) -> None:
    assert may_be_mixed(by_name(charset)) is mixed


@pytest.mark.parametrize(
    ("data", "found"),
    [(LEGACY + UTF8, True), (LEGACY, False), (UTF8, False), (b"\xc3\xa9", False)],
)
def test_a_mixture_holds_both(data: bytes, found: bool) -> None:
    step = find_mixture(by_name("windows-1252"), Window(data, ends=True))
    assert (step is not None) is found


def test_without_a_window_there_is_no_mixture() -> None:
    assert find_mixture(by_name("windows-1252"), None) is None
    assert find_mixture(by_name("KOI8-R"), Window(LEGACY + UTF8, ends=True)) is None


def test_a_mixture_is_read_sequence_by_sequence() -> None:
    body = b"<?xml version='1.0' encoding='windows-1252'?><a>" + LEGACY + b" " + UTF8 + b"</a>"
    assert is_mixture(resolve(body, complete=True))
    assert "café naïve Žižkov žluťoučký" in decode(body).text
    assert not is_mixture(resolve(body.replace(UTF8, b""), complete=True))


def test_the_step_of_a_document_that_goes_on() -> None:
    step = watch_step(by_name("windows-1252"))
    assert (step.id, step.verdict, step.encoding) == ("behind the window", "nothing", "windows-1252")


LINES = (
    "Englantilainen (Dvorak, vasenkätinen)\nMäärittää, pääseekö käyttäjä tähän sivuston ylläpito-osioon.\n"
    "asiaankuulumaton siirros siirtokäskyn operandin osana\ntoiminto yhdistää symboleja eri segmenteissä\n"
)
FINNISH = (
    (LINES, "sisäinen disassembler-virhe"),
    (LINES * 10, "Näytetään myös tämä syöteasiakirja, tekijöiden lisäpaketti"),
)


def test_finnish_with_utf8_in_it_is_no_estonian() -> None:
    """Its letters are those of Estonian, too, in bytes that windows-1257 and windows-1252 read alike."""
    finnish = (
        "Tänään sää on kylmä ja myrskyinen Jyväskylässä.\nÄlä mene metsään yöllä yksin.\n"
        "Hän sanoi että päätös tehdään myöhemmin.\nPöydällä oli leipää, jäätelöä ja mehua.\n"
    )
    mixed = decode(finnish.encode("cp1252") + "Äiti lähti töihin.\n".encode())
    assert mixed.text == f"{finnish}Äiti lähti töihin.\n"
    assert is_mixture(mixed.resolution)
    for lines, last in FINNISH:
        assert decode(lines.encode("cp1252") + last.encode()).text == lines + last
    estonian = "Üliõpilased õppisid köögis, kuid šokolaad ja žürii jäid tühjaks. " * 3
    honest = decode(f"{estonian}PÄÄ“".encode("cp1257"))
    assert (honest.text, honest.resolution.encoding) == (f"{estonian}PÄÄ“", "windows-1257")


PASTED = "été à la mer, élève, fête, hôtel".encode("cp1252")


@pytest.mark.parametrize("label", [None, "text/xml; charset=utf-8"])
@pytest.mark.parametrize(
    ("title", "language"),
    [
        ("Tin tức bảng xếp hạng", ""),
        ("Tin tức bảng xếp hạng", "vi"),
        ("Il sindaco è a Roma", "it"),
        ("Vičenca", "sl"),
        ("東京", ""),
        ("강원 news", ""),
        ("Наука", ""),
        ("ลาว", "th"),
        ("a “word”", ""),
    ],
)
def test_items_pasted_into_a_short_document_that_names_utf8(
    title: str, language: str, label: str | None
) -> None:
    """They hold more letters than it has sequences. UTF-8 has to be named."""
    start = f"<rss><language>{language}</language><title>{title}</title>".encode()
    document = b"<?xml version='1.0' encoding='UTF-8'?>%b<title>%b</title></rss>" % (start, PASTED)
    decoded = decode(document, label)
    assert f"<title>{title}</title><title>été à la mer, élève, fête, hôtel</title>" in decoded.text
    assert (decoded.resolution.encoding, decoded.repairs.count) == ("windows-1252", 7)
    assert is_mixture(decoded.resolution)
    assert replay(decoded.resolution.facts) == decoded.resolution


@pytest.mark.parametrize(
    ("codec", "text", "encoding"),
    [
        ("cp1250", "příliš žluťoučký kůň úpěl ďábelské ódy, " * 2, "windows-1250"),
        ("gbk", "今天下雨了，所以我想在家里看书，", "GB18030"),
    ],
)
def test_one_word_in_utf8_under_that_label_makes_no_mixture(codec: str, text: str, encoding: str) -> None:
    """The letters show another charset than windows-1252."""
    document = b"<?xml version='1.0' encoding='UTF-8'?><a>%b <b>caf\xc3\xa9</b></a>" % text.encode(codec)
    assert decode(document).resolution.encoding == encoding


@pytest.mark.parametrize("codec", ["cp1254", "iso8859-9"])
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Seçilen yazıtipinin görüntüsü için gösterilecek metin; şimdi", "alanında"),
        ("dosyayı tutmak için, zorla kaldırmak için kullanın; en küçük genişlik", "kaldırmak"),
    ],
)
def test_one_word_in_utf8_among_turkish_under_that_label(codec: str, text: str, word: str) -> None:
    """Its page may be mixed, as windows-1252 may."""
    parts = text.encode(codec), word.encode()
    decoded = decode(b"<?xml version='1.0' encoding='UTF-8'?><a>%b <b>%b</b></a>" % parts)
    assert f"<a>{text} <b>{word}</b></a>" in decoded.text
    assert decoded.resolution.encoding == "windows-1254"
    assert is_mixture(decoded.resolution)
    assert replay(decoded.resolution.facts) == decoded.resolution


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("è a è b à ức 東京 ลาว “x” я".encode(), 7),
        ("CAFÉ… MENÜ”".encode("cp1252"), 0),
        ("SPÓŁKA".encode("iso8859-2"), 0),
        ("Погода".encode("cp1251"), 0),
        ("aÉ aя aเ 𐍈 © я".encode(), 0),
        ("東É ".encode() + b"\xc3\xa9\xe9", 0),
    ],
)
def test_runs_of_bytes_that_are_words_in_utf8(data: bytes, words: int) -> None:
    assert utf8_words(b" " + data) == words
