"""Charsets: which charset a label names, and how its bytes become characters.

`labels` is data: a row for each charset, with its labels. `lookup` finds a charset by its label; `decoders`
makes the decoder of a charset, from one module for each family. Nothing here decides, and nothing opens
anything.

Regular expressions are compiled when they are first used, here and in other packages: compiling the patterns
of the core takes 5 ms, a fifth of what importing it may take, and most documents need few of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, AnyStr, Generic, TypeVar, cast

_Value = TypeVar("_Value")


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


class lazy_value(Generic[_Value]):
    """A property whose value is made when it is first needed, and kept.

    `functools.cached_property` of Python 3.11 has a lock, which takes 0.7 µs for each value. Without it two
    threads may both make the value.
    """

    def __init__(self, make: Callable[[Any], _Value]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    def __get__(self, instance: object, owner: type | None = None) -> _Value:
        value = instance.__dict__[self._name] = self._make(instance)
        return value
