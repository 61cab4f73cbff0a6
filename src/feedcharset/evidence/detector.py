"""The detector of step L6: a callable of the caller's, or chardet.

It is called only where no label and no pattern of the bytes decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["Detector", "detector_function"]

Detector = Callable[[bytes], str | None]
"""From bytes to a label, or None. The bytes begin at the first non-ASCII byte."""


def detector_function(detector: Detector | str | None) -> Detector | None:
    """Return the callable that `detector=` names.

    Raises:
        ValueError: for a string other than "chardet".
        ImportError: "chardet" was passed and is not installed.
    """
    if detector is None or not isinstance(detector, str):
        return detector
    if detector != "chardet":
        raise ValueError(f"detector is {detector!r}; pass a callable (bytes -> label or None) or 'chardet'")
    try:
        import chardet
    except ImportError:
        raise ImportError(
            "detector='chardet' needs the package chardet: pip install 'feedcharset[detect]'"
        ) from None
    return _Chardet(chardet)


class _Chardet:
    """chardet, without its renaming to supersets and without its own limit on the number of bytes."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def __call__(self, data: bytes) -> str | None:
        found = self._module.detect(data, prefer_superset=False, max_bytes=max(1, len(data)))
        label: str | None = found["encoding"]
        return label
