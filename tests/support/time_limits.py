"""Limits for tests on a machine of any speed: only the limit that a test is about is ever reached."""

from __future__ import annotations

from feedcharset.fetch.limits import Limits

__all__ = ["CALM", "limits_for"]

CALM = Limits(connect=60, read=60, total=60, wire=300_000, decoded=3_000_000)


def limits_for(name: str | None) -> Limits:
    """The limits for a fault that the limit `name` ends.

    "read" and "total" are 20 and 30 times as long as a server's pause in the scripts.
    """
    if name == "read":
        return CALM._replace(read=0.4)
    if name == "total":
        return CALM._replace(total=0.6, redirects=1000)
    return CALM
