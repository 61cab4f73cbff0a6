"""The results: frozen, typed, picklable values, tuples with names.

Tuples, so that `text, resolution, repairs = decode(body)` works, and because making one costs a
fraction of what a frozen dataclass costs: `resolve` makes two for each feed.
"""

from __future__ import annotations

from feedcharset.results.facts import Body, CommonCount, Damage, Detected, Facts, SequenceCount, Utf8Count
from feedcharset.results.repairs import Decoded, Detection, Recovery, Repaired, Repairs
from feedcharset.results.resolution import Resolution, Step

__all__ = [
    "Body",
    "CommonCount",
    "Damage",
    "Decoded",
    "Detected",
    "Detection",
    "Facts",
    "Recovery",
    "Repaired",
    "Repairs",
    "Resolution",
    "SequenceCount",
    "Step",
    "Utf8Count",
]
