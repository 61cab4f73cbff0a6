"""Fetch errors: every failure of a download as a FetchError whose message says what to do.

requests, urllib3, http.client, ssl and socket each have their own exceptions, and wrap each other's.
`fetch_error` reads the whole chain once; the caller gets it only as `__cause__`.
"""

from __future__ import annotations

import http.client
from typing import TYPE_CHECKING, NamedTuple

from requests.exceptions import InvalidURL, RequestException
from urllib3.exceptions import (
    ConnectTimeoutError,
    DecodeError,
    HTTPError,
    LocationParseError,
    NewConnectionError,
    ProtocolError,
    ReadTimeoutError,
    SSLError,
)

from feedcharset.errors import DeadlineExceeded, FetchError, TooLarge, TooManyRedirects, TruncatedBody
from feedcharset.fetch.urls import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.fetch.limits import Limits

__all__ = ["CAUGHT", "EXCEEDED", "Exceeded", "FetchAbort", "cause_of", "exceeded", "fetch_error"]

# Raised for a proxy's URL: that of the document was read before. Their messages have parts of the password.
_NO_URL = (InvalidURL, LocationParseError)

# Raised, somewhere in the chain, for a body that ends too early.
_BROKEN = (DecodeError, ProtocolError, SSLError, ConnectionError, http.client.IncompleteRead)


class Exceeded(NamedTuple):
    """The exception and its message when a limit ends a download."""

    error: type[FetchError]
    sentence: str


EXCEEDED = {
    "connect": Exceeded(DeadlineExceeded, "no connection within {:g} s"),
    "read": Exceeded(DeadlineExceeded, "the server sent nothing for {:g} s"),
    "total": Exceeded(DeadlineExceeded, "not read within {:g} s in total"),
    "wire": Exceeded(TooLarge, "more than {:,} bytes received"),
    "decoded": Exceeded(TooLarge, "a document of more than {:,} bytes"),
    "ratio": Exceeded(TooLarge, "a document of more than {:g} times its compressed size"),
    "header": Exceeded(TooLarge, "a header of more than {:,} bytes"),
    "redirects": Exceeded(TooManyRedirects, "more than {:d} redirects"),
}


class FetchAbort(Exception):
    """Carries a FetchError past urllib3 and requests, which would retry or rewrap an OSError."""

    def __init__(self, error: FetchError) -> None:
        super().__init__(str(error))
        self.error = error


# What requests (OSError, ValueError), urllib3, http.client, ssl, socket (OSError) and zlib raise for a
# response, and RuntimeError for one that was read before.
CAUGHT = (FetchAbort, OSError, HTTPError, http.client.HTTPException, ValueError, RuntimeError)


def exceeded(name: str, limits: Limits, url: str) -> FetchError:
    """Return the error for a field of `Limits` that was exceeded."""
    row = EXCEEDED[name]
    value = getattr(limits, name)
    # The limit may be None here: the caller's own adapter may have a timeout.
    seen = row.sentence.format(value) if value is not None else "a time limit of the session has passed"
    advice = f"if this source may have more, raise Limits({name}=...)"
    return row.error(f"{shown(url)}: {seen}", url=url, limit=name, advice=advice)


def fetch_error(error: BaseException, *, url: str, stage: str, limit_name: str, limits: Limits) -> FetchError:
    """Translate what requests and the layers below it raised.

    Args:
        error: what was raised.
        url: the URL that was being read.
        stage: "connect", "head" or "body".
        limit_name: the field of `Limits` that set the last timeout.
        limits: the limits of the download.
    """
    if isinstance(error, FetchAbort):
        return error.error
    if isinstance(error, FetchError):
        return error
    chain = list(_chain(error))
    if any(isinstance(link, _NO_URL) for link in chain):
        return FetchError(
            f"{shown(url)}: the URL of a proxy cannot be read",
            url=url,
            advice="correct it in the session or in the environment (http_proxy, https_proxy), special "
            "characters of the password as %XX",
        )
    if any(_is_timeout(link) for link in chain):
        return exceeded(limit_name, limits, url)
    if stage == "head" and any(_is_header_refusal(link) for link in chain):
        return TooLarge(
            f"{shown(url)}: http.client refuses the header ({_reason(chain)}); only the server can change it",
            url=url,
            limit="header",
        )
    if stage == "body" and any(isinstance(link, _BROKEN) for link in chain):
        return _broken_body(chain, url)
    problem = f"{shown(url)}: could not be fetched: {_reason(chain)}"
    return FetchError(problem, url=url, advice="try later")


def cause_of(error: BaseException) -> BaseException | None:
    """Return what was raised as the cause of the FetchError, without credentials; None where there is none.

    The request that requests keeps on its exceptions has an Authorization field.
    """
    chain = [] if isinstance(error, FetchAbort) else list(_chain(error))
    for link in chain:
        if isinstance(link, RequestException):
            link.request = link.response = None
    has_secret = any(isinstance(link, _NO_URL) or "@" in str(link) for link in chain)
    return None if has_secret or not chain else error


def _broken_body(chain: list[BaseException], url: str) -> FetchError:
    if any(isinstance(link, DecodeError) for link in chain):
        return FetchError(
            f"{shown(url)}: its Content-Encoding cannot be removed ({_reason(chain)})",
            url=url,
            advice='request none with headers={"Accept-Encoding": "identity"}',
        )
    return TruncatedBody(
        f"{shown(url)}: the body ended before its announced end ({_reason(chain)})",
        url=url,
        advice="try again, or use what arrived, in .partial",
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the exception and every exception that it wraps, once each, outermost first."""
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
    """Return the message of the innermost exception, shortened, without the userinfo of a URL in it."""
    innermost = chain[-1]
    message = getattr(innermost, "strerror", None) or str(innermost) or type(innermost).__name__
    return shown(" ".join(word.rpartition("@")[2] for word in str(message).split(" ")))
