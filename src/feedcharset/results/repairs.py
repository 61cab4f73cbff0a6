"""Until all rooms import from `feedcharset.results`."""

from feedcharset.results import Decoded, Detection, Recovery, Repaired, Repairs

__all__ = ["Decoded", "Detection", "Recovery", "Repaired", "Repairs"]
