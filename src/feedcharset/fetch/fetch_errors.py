"""What went wrong: every failure of a fetch as a FetchError that says what to do.

requests, urllib3, http.client, ssl and socket each have exceptions of their own, and wrap each other's.
`fetch_error` reads the whole chain once; nothing of it reaches the caller but as `__cause__`.
"""

from __future__ import annotations

import http.client
from typing import TYPE_CHECKING, NamedTuple

from urllib3.exceptions import (
    ConnectTimeoutError,
    DecodeError,
    HTTPError,
    NewConnectionError,
    ProtocolError,
    ReadTimeoutError,
    SSLError,
)

from feedcharset.errors import DeadlineExceeded, FetchError, TooLarge, TooManyRedirects, TruncatedBody

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.fetch.deadline import Watch
    from feedcharset.fetch.limits import Limits

__all__ = ["CAUGHT", "EXCEEDED", "Exceeded", "Stop", "exceeded", "fetch_error", "shown"]

# What a body that breaks off raises, somewhere in the chain.
_BROKEN = (DecodeError, ProtocolError, SSLError, ConnectionError, http.client.IncompleteRead)


class Exceeded(NamedTuple):
    """What is raised, and said, when a limit ends a fetch."""

    error: type[FetchError]
    sentence: str


EXCEEDED = {
    "connect": Exceeded(DeadlineExceeded, "no connection within {:g} s"),
    "read": Exceeded(DeadlineExceeded, "the server sent nothing for {:g} s"),
    "total": Exceeded(DeadlineExceeded, "not read within {:g} s in all"),
    "wire": Exceeded(TooLarge, "more than {:,} octets on the wire"),
    "decoded": Exceeded(TooLarge, "a document of more than {:,} octets"),
    "ratio": Exceeded(TooLarge, "a document of more than {:g} times its compressed size"),
    "header": Exceeded(TooLarge, "a header of more than {:,} octets"),
    "redirects": Exceeded(TooManyRedirects, "more than {:d} redirects"),
}


class Stop(Exception):
    """Carries a FetchError past urllib3 and requests, which would retry or rewrap an OSError."""

    def __init__(self, error: FetchError) -> None:
        super().__init__(str(error))
        self.error = error


# All that requests (OSError, ValueError), urllib3, http.client, ssl, socket (OSError) and zlib raise about a
# response, and RuntimeError for one that has been read before.
CAUGHT = (Stop, OSError, HTTPError, http.client.HTTPException, ValueError, RuntimeError)


def shown(url: str) -> str:
    """Make a URL fit to stand in a message: printable ASCII, 200 characters."""
    plain = ascii(url)[1:-1]
    return plain if len(plain) <= 200 else plain[:197] + "..."


def exceeded(name: str, limits: Limits, url: str) -> FetchError:
    """Make the error for a field of `Limits` that has been exceeded."""
    row = EXCEEDED[name]
    value = getattr(limits, name)
    # A limit that is lifted still ends here when the caller's own adapter has one.
    seen = row.sentence.format(value) if value is not None else "a time limit of the session has passed"
    message = f"{shown(url)}: {seen}; if this source deserves more, raise Limits({name}=...)"
    return row.error(message, url=url, limit=name)


def fetch_error(error: BaseException, watch: Watch) -> FetchError:
    """Translate what requests and those below it have raised."""
    if isinstance(error, Stop):
        return error.error
    if isinstance(error, FetchError):
        return error
    url = watch.url
    chain = list(_chain(error))
    if any(_is_timeout(link) for link in chain):
        return exceeded(watch.bound, watch.limits, url)
    if watch.stage == "head" and any(_is_header_refusal(link) for link in chain):
        return TooLarge(
            f"{shown(url)}: a header that http.client refuses ({_reason(chain)}); nothing to do on this side",
            url=url,
            limit="header",
        )
    if watch.stage == "body" and any(isinstance(link, _BROKEN) for link in chain):
        return _broken_body(chain, url)
    return FetchError(f"{shown(url)}: could not be fetched: {_reason(chain)}; try later", url=url)


def _broken_body(chain: list[BaseException], url: str) -> FetchError:
    if any(isinstance(link, DecodeError) for link in chain):
        return FetchError(
            f"{shown(url)}: its Content-Encoding cannot be removed ({_reason(chain)}); "
            'ask for none with headers={"Accept-Encoding": "identity"}',
            url=url,
        )
    return TruncatedBody(
        f"{shown(url)}: the body ended before its announced end ({_reason(chain)}); try again, or take what "
        "arrived from .partial",
        url=url,
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the exception and every one that it wraps, each once, outermost first."""
    seen: set[int] = set()
    waiting: list[object] = [error]
    while waiting:
        link = waiting.pop(0)
        if not isinstance(link, BaseException) or id(link) in seen:
            continue
        seen.add(id(link))
        yield link
        waiting += [*link.args, getattr(link, "reason", None), link.__cause__, link.__context__]


def _is_timeout(link: BaseException) -> bool:
    # urllib3 derives "refused" from "timed out".
    if isinstance(link, NewConnectionError):
        return False
    return isinstance(link, (TimeoutError, ConnectTimeoutError, ReadTimeoutError))


def _is_header_refusal(link: BaseException) -> bool:
    # http.client raises the bare class for more than 100 fields.
    return isinstance(link, http.client.LineTooLong) or type(link) is http.client.HTTPException


def _reason(chain: list[BaseException]) -> str:
    """Say in a few words what the innermost exception says."""
    innermost = chain[-1]
    said = getattr(innermost, "strerror", None) or str(innermost) or type(innermost).__name__
    return shown(str(said))
