"""The options of `XmlReader`, for the signatures of all functions that pass them on."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING

from feedcharset.fetch.limits import Limits
from feedcharset.text.options import DecoderOptions

if TYPE_CHECKING:
    import requests

__all__ = ["ReaderOptions", "check_names"]


class ReaderOptions(DecoderOptions, total=False):
    """The options of `XmlReader`."""

    content_type: str | bytes | None
    gunzip: bool
    closefd: bool
    session: requests.Session | None
    headers: Mapping[str, str] | None
    limits: Limits


NAMES = frozenset(ReaderOptions.__annotations__)


def check_names(function: str, options: ReaderOptions) -> None:
    """Refuse an option that `XmlReader` does not have, in the name of the function that was called.

    Raises:
        TypeError: names the option, and the nearest one that exists.
    """
    for name in options:
        if name not in NAMES:
            near = get_close_matches(name, NAMES, 1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; options are {', '.join(sorted(NAMES))}"
            raise TypeError(f"{function}() has no option {name!r}{hint}")
