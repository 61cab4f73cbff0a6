"""The detector of step L6: chardet, or a callable of the caller's.

It is called only where no label and no pattern of the bytes decides, and chardet is imported only then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.charsets.lookup import lookup
from feedcharset.results.facts import Detected

__all__ = ["SHOWN", "Detector", "DetectorName", "check_detector", "detect_label"]

Detector = Callable[[bytes], str | None]
"""From bytes to a label, or None. The bytes begin at the first non-ASCII byte."""

DetectorName = Literal["chardet"]

SHOWN = 64 * 1024
"""Bytes of the window that chardet is shown: more of them changed no answer, and take time."""

CANDIDATES = """
cp866 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14
iso8859-15 iso8859-16 koi8-r koi8-u mac-roman cp874 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257
cp1258 mac-cyrillic gb18030 big5hkscs euc_jis_2004 cp932 cp949
"""
"""The Encoding Standard's charsets, as chardet names them; CP932 and CP949 are its Shift_JIS and EUC-KR.
Without this limit a few curly quotes are IBM852 or x-mac-ce."""

_USUAL = {
    "EUC-JIS-2004": "EUC-JP",
    "Windows-31J": "Shift_JIS",
    "windows-949": "EUC-KR",
    "Big5-HKSCS": "Big5",
}
"""The label that documents have, for the superset that chardet names."""

_NO_LABELS = bytes.maketrans(b"=:\x7e", b"  }")
"""Removes `=` and `:`, and the `=` of EBCDIC (7E; 7D is a trail byte of the same charsets)."""

_LABEL_WORDS = ("coding", "charset")

_RUN = lazy_pattern(rb"[\x80-\xff]{2,}+")
_ASCII = bytes(range(0x80))


def check_detector(detector: Detector | str | None) -> None:
    """Refuse what is no detector.

    Raises:
        ValueError: for a string other than "chardet".
    """
    if isinstance(detector, str) and detector != "chardet":
        raise ValueError(f"detector is {detector!r}; pass a callable (bytes -> label or None) or 'chardet'")


def detect_label(detector: Detector | str | None, data: bytes) -> Detected | None:
    """Return the detector's label for a window, with the numbers by which it is judged; None without one."""
    if detector is None:
        return None
    if not isinstance(detector, str):
        label = detector(data)
        return None if label is None else Detected(label, "caller")
    return _chardet(data[:SHOWN])


def _without_labels(data: bytes) -> bytes:
    """Return bytes in which chardet finds no label: it would pass the label to codecs.lookup."""
    for codec in ("latin-1", "cp037"):
        text = data.decode(codec).lower()
        if any(word in text for word in _LABEL_WORDS):
            return data.translate(_NO_LABELS)
    return data


def _chardet(data: bytes) -> Detected | None:
    import chardet  # most documents never need it, and it takes 30 ms

    found = chardet.detect(
        _without_labels(data),
        prefer_superset=False,
        max_bytes=SHOWN,
        include_encodings=CANDIDATES.split(),
        no_match_encoding="cp1252",
        empty_input_encoding="cp1252",
    )
    charset = lookup(found["encoding"] or "", lenient=True)
    if charset is None:
        return None
    high = len(data.translate(None, _ASCII))
    adjacent = sum(len(run) for run in _RUN.findall(data))
    label = _USUAL.get(charset.name, charset.name)
    return Detected(label, "chardet", high, adjacent, round(found["confidence"], 2))
