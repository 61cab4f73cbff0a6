"""Detectors that a caller may pass: asked only where no label and no proof is left.

Without the option no answer ever depends on what else is installed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["Detector", "find_detector"]

Detector = Callable[[bytes], str | None]
"""Octets to a label, or None. The octets begin at the first one over 7F."""


def find_detector(detector: Detector | str | None) -> Detector | None:
    """The callable for what `detector=` was given.

    Raises:
        ValueError: for a string other than "chardet".
        ImportError: "chardet" is asked for and not installed.
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
    """chardet, with its renaming to supersets off and its own limit on the octets lifted."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def __call__(self, octets: bytes) -> str | None:
        found = self._module.detect(octets, prefer_superset=False, max_bytes=max(1, len(octets)))
        label: str | None = found["encoding"]
        return label
