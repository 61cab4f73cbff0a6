"""The closed vocabulary of the decision tables: the words that each column may have."""

from __future__ import annotations

from typing import get_args, get_type_hints

from feedcharset.decide.strict_decision import Words

__all__ = ["DOMAIN"]

DOMAIN: dict[str, tuple[str, ...]] = {name: get_args(kind) for name, kind in get_type_hints(Words).items()}
