"""Mixtures: UTF-8 pasted into a western document, or the other way round."""

from __future__ import annotations

import pytest

from feedcharset import decode, resolve
from feedcharset.charsets.lookup import by_name
from feedcharset.decide.lenient_principles import find_mixture, is_mixture, may_be_mixed, watch_step
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


def test_finnish_with_utf8_in_it_is_no_estonian() -> None:
    """Its letters are those of Estonian, too, in bytes that windows-1257 and windows-1252 read alike."""
    finnish = (
        "Tänään sää on kylmä ja myrskyinen Jyväskylässä.\nÄlä mene metsään yöllä yksin.\n"
        "Hän sanoi että päätös tehdään myöhemmin.\nPöydällä oli leipää, jäätelöä ja mehua.\n"
    )
    mixed = decode(finnish.encode("cp1252") + "Äiti lähti töihin.\n".encode())
    assert mixed.text == f"{finnish}Äiti lähti töihin.\n"
    assert is_mixture(mixed.resolution)
    estonian = "Üliõpilased õppisid köögis, kuid šokolaad ja žürii jäid tühjaks. " * 3
    honest = decode(f"{estonian}PÄÄ“".encode("cp1257"))
    assert (honest.text, honest.resolution.encoding) == (f"{estonian}PÄÄ“", "windows-1257")
