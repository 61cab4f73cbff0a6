"""Validation: findings for publishers, and what each kind of consumer reads.

`finding_catalogue` holds every kind of finding as data. `reading_comparison` reads the document once, with a
decoder for each consumer. `label_findings`, `document_findings`, `text_findings` and `mojibake_findings` make
the findings; `consumers` lists the kinds of consumer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from feedcharset.validate.document_check import check

__all__ = ["check"]


def __getattr__(name: str) -> Any:
    """Import `check` when it is first used (PEP 562)."""
    if name != "check":
        raise AttributeError(f"module 'feedcharset.validate' has no attribute {name!r}")
    from feedcharset.validate.document_check import check

    globals()[name] = check
    return check
