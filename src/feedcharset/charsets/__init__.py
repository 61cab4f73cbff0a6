"""Charsets: which charset a label names, and how its bytes become characters.

`labels` is data: a row for each charset, with its labels. `lookup` finds a charset by its label; `decoders`
makes the decoder of a charset, from one module for each family. Nothing here decides, and nothing opens
anything.

Regular expressions are compiled when they are first used, here and in other packages: compiling the patterns
of the core takes 5 ms, a fifth of what importing it may take, and most documents need few of them.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _LazyPattern:
    """Stands for a compiled pattern. Each attribute is looked up once, then found without a call."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._arguments = pattern, flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._arguments), name)
        setattr(self, name, value)
        return value

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle the compiled pattern."""
        return re.compile, self._arguments


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what has the methods of `re.compile(pattern, flags)`, and compiles it at the first of them.

    `re.sub(…)` and the like do not take it; an invalid pattern raises `re.error` at its first use.
    """
    return cast("re.Pattern[AnyStr]", _LazyPattern(pattern, flags))
