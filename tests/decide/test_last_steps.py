"""L5 to L7: what is left where no label can be true."""

from __future__ import annotations

import pytest

from feedcharset import resolve

WORDS = "Сегодня утром в городе открылась новая библиотека"


def steps(body: bytes, content_type: str | None = None, **options):
    resolution = resolve(body, content_type, complete=True, **options)
    return resolution.encoding, [step for step in resolution.steps if step.id in ("L5", "L6", "L7")]


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        ("<a>ж</a>".encode("utf-16-le"), "UTF-16LE"),
        ("\ufeffж".encode("utf-16-be"), "UTF-16BE"),
        ("<rss><title>x</title></rss>".encode("cp037") * 3, "IBM037"),
    ],
)
def test_the_bytes_decide_against_a_label_of_another_form(body: bytes, encoding: str) -> None:
    found, tried = steps(body, "application/xml; charset=koi8-r")
    assert found == encoding
    assert [(step.id, step.verdict) for step in tried] in ([("L5", "answer")], [])


def test_a_misplaced_declaration_is_taken_where_nothing_else_can_be_true() -> None:
    body = b"<!-- x --><?xml version='1.0' encoding='koi8-r'?><a>" + WORDS.encode("koi8-r") + b"</a>"
    found, tried = steps(body, detector=None)
    assert found == "KOI8-R"
    assert tried[0].why == "a declaration that is misplaced or misspelt names it"


def test_it_is_not_taken_against_damaged_utf_8() -> None:
    body = b"<!-- x --><?xml version='1.0' encoding='koi8-r'?><a>" + WORDS.encode() + b"\xff</a>"
    assert steps(body, detector=None)[0] == "UTF-8"


def test_the_detector_of_the_caller_is_believed_where_it_can_be_true() -> None:
    body = b"<a>" + WORDS.encode("koi8-r") + b"</a>"
    found, tried = steps(body, detector=lambda data: "koi8-r")
    assert (found, tried[-1].why) == ("KOI8-R", "the caller's detector names it")
    found, tried = steps(body, detector=lambda data: "utf-16")
    assert [step.verdict for step in tried if step.id == "L6"] == ["refused"]
    assert found == "windows-1252"


def test_no_detector_is_called_where_a_label_nearly_fits() -> None:
    body = b"<?xml version='1.0' encoding='shift_jis'?><a>" + "日本語".encode("cp932") + b"\xa0\xff</a>"
    called: list[bytes] = []
    found, tried = steps(body, detector=called.append)
    assert found == "Shift_JIS"
    assert called == []
    assert all("not called" in step.why for step in tried if step.id == "L6")


def test_the_convention_is_called_by_its_name() -> None:
    found, tried = steps(b"<a>caf\xe9</a>", detector=None)
    assert found == "windows-1252"
    assert "no label names the charset" in tried[-1].why
    assert tried[-1].why.endswith("windows-1252 by convention")
