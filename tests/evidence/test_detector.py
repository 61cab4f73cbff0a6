"""Detectors: chardet, which is imported only when it is called, and callables."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from feedcharset import decode
from feedcharset.evidence.detector import SHOWN, check_detector, detect_label
from feedcharset.results import Detected


def test_none_and_a_callable() -> None:
    assert detect_label(None, b"\xe9") is None
    assert detect_label(lambda data: None, b"\xe9") is None
    assert detect_label(lambda data: data.hex(), b"\xe9") == Detected("e9", "caller")
    for detector in (None, "chardet", lambda data: None):
        check_detector(detector)


def test_another_name_is_refused() -> None:
    with pytest.raises(ValueError, match=r"detector is 'cchardet'; pass a callable .* or 'chardet'"):
        check_detector("cchardet")


@pytest.mark.parametrize(
    ("named", "label"),
    [
        ("KOI8-R", "KOI8-R"),
        ("EUC-JIS-2004", "EUC-JP"),
        ("CP932", "Shift_JIS"),
        ("CP949", "EUC-KR"),
        ("Big5-HKSCS", "Big5"),
        ("GB18030", "GB18030"),
        ("martian", None),
        (None, None),
    ],
)
def test_what_chardet_is_shown(named: str | None, label: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[bytes, dict[str, Any]]] = []

    def detect(data: bytes, **options: Any) -> dict[str, Any]:
        shown.append((data, options))
        return {"encoding": named, "confidence": 0.876}

    monkeypatch.setitem(sys.modules, "chardet", SimpleNamespace(detect=detect))
    found = detect_label("chardet", b"\xe9 \xe9\xe8" + b"x" * SHOWN + b"\xe9")
    assert found == (None if label is None else Detected(label, "chardet", 3, 2, 0.88))
    data, options = shown[0]
    assert len(data) == options["max_bytes"] == SHOWN
    assert options["prefer_superset"] is False
    assert "cp852" not in options["include_encodings"]


@pytest.mark.parametrize(
    ("codec", "label"),
    [("koi8-r", "KOI8-R"), ("cp1251", "windows-1251"), ("iso8859-5", "ISO-8859-5"), ("cp866", "IBM866")],
)
def test_chardet_itself(codec: str, label: str) -> None:
    words = "Сегодня утром в городе открылась новая библиотека, и все пришли посмотреть. "
    found = detect_label("chardet", words.encode(codec))
    assert found is not None
    assert (found.label, found.non_ascii) == (label, 63)
    assert detect_label("chardet", b"") is not None


def test_chardet_is_imported_only_when_it_is_called() -> None:
    code = (
        "import sys, feedcharset; feedcharset.decode('<a>é</a>'.encode());"
        "feedcharset.decode('<a>Привет</a>'.encode('koi8-r'), 'text/xml; charset=koi8-r');"
        "assert 'chardet' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


LABELLED = (
    "<a>\xe9<meta charset='{label}'>",
    "<a>\xe9<?xml version='1.0' encoding='{label}'?>",
    "# coding: {label}\n<a>\xe9",
    "\xd1<?xml version='1.0' encoding='{label}'?>",
)


def test_no_label_in_the_document_reaches_codecs_lookup() -> None:
    """chardet passes the labels that it finds in markup to Python's registry; it is shown none."""
    import encodings

    ebcdic = "junk<?xml version='1.0' encoding='%s'?><a>x</a>"
    cache = encodings._cache  # type: ignore[attr-defined]
    for turn in range(2):
        before = len(cache)
        for number in range(20):
            label = f"evil{turn}{number}"
            decode((ebcdic % label).encode("cp037"))
            for document in LABELLED:
                decode(document.format(label=label).encode("latin-1"))
        if turn:  # what chardet looks up when it is imported is its own
            assert len(cache) == before
    assert not [name for name in cache if "evil" in name]
