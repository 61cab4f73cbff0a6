"""Detectors that a caller may pass."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from feedcharset.evidence.detector import detector_function


def test_none_and_a_callable_stay_what_they_are() -> None:
    def detector(text: bytes) -> str | None:
        return None

    assert detector_function(None) is None
    assert detector_function(detector) is detector


def test_another_name_is_refused() -> None:
    with pytest.raises(ValueError, match=r"detector is 'cchardet'; pass a callable .* or 'chardet'"):
        detector_function("cchardet")


def test_chardet_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chardet", None)
    with pytest.raises(ImportError, match=r"pip install 'feedcharset\[detect\]'"):
        detector_function("chardet")


def test_chardet_is_asked_without_its_supersets_and_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[bytes, dict[str, Any]]] = []

    def detect(text: bytes, **options: Any) -> dict[str, Any]:
        asked.append((text, options))
        return {"encoding": "KOI8-R", "confidence": 0.9}

    monkeypatch.setitem(sys.modules, "chardet", SimpleNamespace(detect=detect))
    detector = detector_function("chardet")
    assert detector is not None
    assert detector(b"x" * 300_000) == "KOI8-R"
    assert detector(b"") == "KOI8-R"
    assert asked == [
        (b"x" * 300_000, {"prefer_superset": False, "max_bytes": 300_000}),
        (b"", {"prefer_superset": False, "max_bytes": 1}),
    ]


def test_chardet_itself() -> None:
    pytest.importorskip("chardet")
    detector = detector_function("chardet")
    assert detector is not None
    words = "Сегодня утром в городе открылась новая библиотека, и все пришли посмотреть. " * 20
    assert (detector(words.encode("koi8-r")) or "").lower().startswith("koi8")
    assert detector(b"") is None or isinstance(detector(b""), str)
