"""Until all rooms import from `feedcharset.results.explanation`."""

from feedcharset.results.explanation import as_plain, counted, visible

__all__ = ["as_plain", "counted", "visible"]
