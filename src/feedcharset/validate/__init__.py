"""Validation: findings for publishers, and what each kind of consumer reads.

`catalogue` holds every finding as data; `examining` is the one pass over the document; `labels` and
`scanning` find; `consumers` says who reads feeds.
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
