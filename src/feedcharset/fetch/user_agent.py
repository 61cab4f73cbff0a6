"""The User-Agent that this library sends."""

from __future__ import annotations

import re

__all__ = ["user_agent"]

# The characters of a comment (RFC 9110 section 5.6.5) that need no escape.
_CONTACT = re.compile(r"[!-'*-\[\]-~]{1,200}")


def user_agent(contact: str | None = None) -> str:
    """Return the User-Agent of this library: "feedcharset/VERSION", or "feedcharset/VERSION (+contact)".

    Servers see who reads their feeds and how to reach them:
    `XmlReader(url, headers={"User-Agent": user_agent("https://my-site.example/crawler")})`.

    Args:
        contact: a URL or an e-mail address: 1 to 200 ASCII characters without spaces and parentheses.

    Raises:
        ValueError: the contact has other characters, or too many.
    """
    from feedcharset import __version__

    if contact is None:
        return f"feedcharset/{__version__}"
    if not _CONTACT.fullmatch(contact):
        raise ValueError(
            f"contact is {contact!r}; pass a URL or an e-mail address, in ASCII, without spaces and brackets"
        )
    return f"feedcharset/{__version__} (+{contact})"
