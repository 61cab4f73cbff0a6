"""The reason of an error in the words of the command line.

The library's messages say what to pass to a function; here that is an option or another command.
"""

from __future__ import annotations

import re

from feedcharset.errors import FetchError, HTTPStatusError

__all__ = ["reason_of"]

EXCERPT = 80
"""Characters of an error page that are shown."""

_WORDS = (
    (r"raise Limits\(\w+=\.\.\.\)", "download it, and give the file"),
    (r"unpack it yourself and pass gunzip=False", "unpack it, and give that file"),
    (r"try again, or use (what arrived|the part), in \.partial", "try again"),
    (r"; \.partial holds what could be unpacked", ""),
    (r"request none with headers=\{.*\}", "download it, and give the file"),
    (r"(open that URL), or allow it with Limits\(https_to_http=True\)", r"\1"),
    (r"look at \.excerpt, or try later", "try later"),
    (r"; look at \.excerpt$", ""),
)
"""What a message says, and what is said in its place."""


def reason_of(source: str, error: BaseException) -> str:
    """Return why a source could not be read, without its name.

    Args:
        source: as the command line names it.
        error: what was raised.
    """
    if isinstance(error, FileNotFoundError) and "://" in source:
        return "no such file, and no URL that is opened; give an http or https URL to check, explain or cat"
    if isinstance(error, FileNotFoundError) and (notes := getattr(error, "__notes__", [])):
        return f"{error.strerror}; {notes[0]}"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    message = str(error).removeprefix(f"{source}: ")
    if isinstance(error, FetchError):
        message = _without_url(source, message, error)
        if isinstance(error, HTTPStatusError) and (excerpt := " ".join(error.excerpt.split())):
            message += f"; the page begins: {excerpt[:EXCERPT]}"
    for pattern, words in _WORDS:
        message = re.sub(pattern, words, message)
    return message


def _without_url(source: str, message: str, error: FetchError) -> str:
    """Leave out a URL that differs from the argument only in how it is written."""
    from feedcharset.fetch.urls import shown, target

    try:
        ready = target(source).url
    except FetchError:
        ready = source
    return message.removeprefix(f"{shown(ready)}: ") if error.url in (ready, source, None) else message
