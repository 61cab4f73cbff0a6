"""Detectors: the letters, which are imported only when they are called, and callables."""

from __future__ import annotations

import subprocess
import sys

from support.each import each

from feedcharset.evidence.detector import TEXT_BEFORE, Letters
from feedcharset.evidence.language_detector import JudgedText, detect_label
from feedcharset.results import Detected


def test_a_callable_is_shown_the_window_and_its_label_is_taken() -> None:
    assert detect_label(lambda data: None, JudgedText(b"\xe9")) is None
    assert detect_label(lambda data: data.hex(), JudgedText(b"\xe9", b"caf", b"<a>")) == Detected(
        "e9", "caller"
    )


def test_the_letters_read_what_stands_before_the_window() -> None:
    before = b"<title>" + b" " * TEXT_BEFORE + b"Pr"
    found = detect_label("letters", JudgedText("íliš žluťoučký kůň</title>".encode("cp1250"), before, before))
    assert found is not None
    assert (found.label, found.language) == ("windows-1250", "Czech")


@each(
    ("url", "domain"),
    [
        ("https://www.example.cz/feed.xml", "cz"),
        ("http://example.GR", "gr"),
        ("http://user:p%40ss.word@example.bg:8080/", "bg"),
        ("https://example.ru.?a=.cz", "ru"),
        ("https://example.xn--p1ai#x.pl", "xn--p1ai"),
        ("https://localhost/feed.cz", ""),
        ("https://192.0.2.1/feed.cz", ""),
        ("https://[2001:db8::1]/feed.cz", ""),
        ("file:///feed.cz", ""),
        ("", ""),
    ],
)
def test_the_top_level_domain_of_a_url(url: str, domain: str) -> None:
    assert Letters.of_url(url) == Letters(domain)


def test_the_tables_are_made_when_they_are_needed() -> None:
    program = """if True:
        from feedcharset import decode
        from feedcharset.evidence.language_detector import judged_pages
        decode(b"<?xml version='1.0' encoding='windows-1251'?><a>\\xcf\\xee\\xe3\\xee\\xe4\\xe0</a>")
        assert not judged_pages.cache_info().currsize
        assert decode(b"<a>\\xcf\\xee\\xe3\\xee\\xe4\\xe0</a>").resolution.encoding == "windows-1251"
        assert judged_pages.cache_info().currsize
    """
    subprocess.run([sys.executable, "-c", program], check=True)
