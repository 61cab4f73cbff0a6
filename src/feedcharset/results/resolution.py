"""Until all rooms import from `feedcharset.results`."""

from feedcharset.results import Resolution, Step
from feedcharset.results.explanation import Verdict

__all__ = ["Resolution", "Step", "Verdict"]
