"""Opening a URL, or a response that somebody has: `open_url` and `open_response` give a `FetchedBody`."""

from __future__ import annotations

import functools
import os
from contextlib import ExitStack
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import requests
from requests.structures import CaseInsensitiveDict

from feedcharset.errors import FetchError, HTTPStatusError, TooManyRedirects
from feedcharset.fetch.bounded_session import watched
from feedcharset.fetch.deadline import NETWORK, Network, Watch, watch_body
from feedcharset.fetch.fetch_errors import CAUGHT, Stop, exceeded, fetch_error, shown
from feedcharset.fetch.limits import DEFAULT_LIMITS, Limits
from feedcharset.fetch.response_body import FetchedBody
from feedcharset.fetch.urls import CARRIED, Target, carried, redirected, target, without_userinfo

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ACCEPT", "PROJECT_URL", "FetchedBody", "open_response", "open_url", "user_agent"]

PROJECT_URL = "https://feedcharset.example/"

# Feeds first, then any XML, then whatever there is: some servers choose by it, and some refuse without */*.
ACCEPT = (
    "application/atom+xml, application/rss+xml, application/rdf+xml;q=0.9, application/xml;q=0.8, "
    "text/xml;q=0.8, */*;q=0.1"
)

# RFC 9110 section 15.4: the redirects that name one other place for the same request.
_REDIRECTS = frozenset((301, 302, 303, 307, 308))

# Characters of the body that HTTPStatusError shows: what the server says, not its whole page.
_EXCERPT = 200


def user_agent() -> str:
    """What this library calls itself: its name, its version and where to read about it."""
    from feedcharset import __version__

    return f"feedcharset/{__version__} (+{PROJECT_URL})"


def open_url(
    url: str,
    *,
    session: requests.Session | None = None,
    headers: Mapping[str, str] | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> FetchedBody:
    """Open an http or https URL and give the document's octets.

    Args:
        url: userinfo in it is sent as credentials, to its own origin only.
        session: the caller's own, for its authentication, cache, proxies, retries and certificates. It is
            neither closed nor changed; a User-Agent and an Accept of its own are kept.
        headers: sent with the request (If-None-Match, If-Modified-Since, Authorization). To another origin
            go only those that cannot be credentials.
        limits: what the server may cost.

    Raises:
        FetchError: the document could not be fetched: DeadlineExceeded, TooLarge, TooManyRedirects,
            TruncatedBody, AddressRefused for a URL, redirect or address that may not be opened, and
            HTTPStatusError for every status but 2xx (304 too).
        ValueError: a session together with `public_only`: who owns the session decides where it connects.
        TypeError: the session is none of requests.
    """
    return _open(url, session, headers, limits, NETWORK)


def open_response(response: requests.Response, *, limits: Limits = DEFAULT_LIMITS) -> FetchedBody:
    """Give the document's octets of a response that the caller made, streamed or read already.

    The limits bind what is still to be read. Its status is the caller's business: none is refused.

    Raises:
        FetchError: the body announces more than the limits allow, or a coding that cannot be removed.
        ValueError: `public_only`: the connection has been made.
    """
    if limits.public_only:
        raise ValueError(
            "Limits(public_only=True) cannot be kept for a response, whose connection is made; pass its URL"
        )
    watch = Watch(limits, without_userinfo(response.url or ""))
    watch_body(response.raw, watch)
    # A response made by hand has nothing to close, and fails when it is asked to.
    close = bool if response.raw is None else response.close
    return FetchedBody(response, watch, close, borrowed=True)


def _open(
    url: str,
    session: requests.Session | None,
    headers: Mapping[str, str] | None,
    limits: Limits,
    network: Network,
) -> FetchedBody:
    _demand_session(session, limits)
    first = target(url)
    watch = Watch(limits, first.url, network, shared=session is not None)
    with ExitStack() as opened:
        base = opened.enter_context(_own_session(limits)) if session is None else session
        opened.callback(watch.close)
        fields = _fields(base, headers, own=session is None)
        response = _follow(watched(base, watch), first, fields, watch)
        opened.callback(response.close)
        if not 200 <= response.status_code < 300:
            raise _status_error(response, watch)
        return FetchedBody(response, watch, opened.pop_all().close)


def _demand_session(session: requests.Session | None, limits: Limits) -> None:
    if session is None:
        return
    if not isinstance(session, requests.Session):
        raise TypeError(
            f"session must be a requests.Session, not {type(session).__name__}; for another client pass its "
            "response's bytes and Content-Type to decode(), or drive XmlDecoder"
        )
    if limits.public_only:
        raise ValueError(
            "Limits(public_only=True) cannot be kept with a session, whose adapters and proxies decide where "
            "it connects; pass one of the two"
        )


def _own_session(limits: Limits) -> requests.Session:
    session = requests.Session()
    if limits.public_only:
        # No proxy and no netrc of the environment; its certificates still count, as in requests.
        session.trust_env = False
        session.verify = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE") or True
    return session


def _fields(
    session: requests.Session, headers: Mapping[str, str] | None, *, own: bool
) -> CaseInsensitiveDict[str]:
    """The header fields to send: the caller's, then the session's, then ours where requests has its own."""
    fields: CaseInsensitiveDict[str] = CaseInsensitiveDict()
    defaults = requests.utils.default_headers()
    for name, value in (("User-Agent", user_agent()), ("Accept", ACCEPT)):
        if session.headers.get(name) in (None, defaults[name]):
            fields[name] = value
    if own:
        fields["Accept-Encoding"] = "gzip, deflate"
        fields["Connection"] = "close"
    fields.update(headers or {})
    return fields


def _follow(
    session: requests.Session, place: Target, fields: Mapping[str, str], watch: Watch
) -> requests.Response:
    """Request, and follow redirects without reading their bodies."""
    seen: set[tuple[str, str | None]] = set()
    abroad = False
    while True:
        with watch:
            try:
                response = _request(session, place, fields, watch, again=bool(seen), abroad=abroad)
            except CAUGHT as error:
                found = fetch_error(error, watch)
                raise found from (None if isinstance(error, Stop) else error)
        location = response.headers.get("Location")
        if response.status_code not in _REDIRECTS or location is None:
            return response
        response.close()
        # A cookie may make the same URL another request.
        request = (place.url, response.request.headers.get("Cookie"))
        if request in seen:
            raise TooManyRedirects(
                f"{shown(place.url)}: redirects in a circle; nothing to do on this side",
                url=place.url,
                limit="redirects",
            )
        seen.add(request)
        if watch.limits.redirects is not None and len(seen) > watch.limits.redirects:
            raise exceeded("redirects", watch.limits, place.url)
        before, place = place, redirected(place, location, https_to_http=watch.limits.https_to_http)
        abroad = abroad or not before.shares_secrets_with(place)
        watch.url = place.url


def _request(
    session: requests.Session,
    place: Target,
    fields: Mapping[str, str],
    watch: Watch,
    *,
    again: bool,
    abroad: bool,
) -> requests.Response:
    extra: dict[str, Any] = {}
    if again and isinstance(session.params, dict):
        # A session's parameters belong to the URL that was asked for (an API key is one).
        extra["params"] = dict.fromkeys(session.params)
    return session.request(
        "GET",
        place.url,
        headers=carried(fields) if abroad else fields,
        auth=_auth(session, place, fields, abroad=abroad),
        timeout=(watch.patience("connect"), watch.patience("read")),
        allow_redirects=False,
        stream=True,
        **extra,
    )


def _auth(session: requests.Session, place: Target, fields: Mapping[str, str], *, abroad: bool) -> Any:
    """What requests does last with a request: the place to add credentials, and to take them away."""
    if abroad:
        return functools.partial(_without_secrets, session)
    if place.credentials is not None:
        user, password = place.credentials
        return requests.auth.HTTPBasicAuth(user.encode(), password.encode())
    if "Authorization" in fields:
        return _as_it_is  # else netrc would replace it
    return None


def _as_it_is(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


def _without_secrets(
    session: requests.Session, request: requests.PreparedRequest
) -> requests.PreparedRequest:
    """Leave what may go to another origin: no credential, and of the cookies those made for it."""
    for name in [name for name in request.headers if name.lower() not in CARRIED]:
        del request.headers[name]
    jar = requests.cookies.RequestsCookieJar()
    for cookie in session.cookies:
        if cookie.domain:  # one without a domain would go everywhere
            jar.set_cookie(cookie)
    request.prepare_cookies(jar)
    return request


def _status_error(response: requests.Response, watch: Watch) -> HTTPStatusError:
    """Make the error for a status that carries no feed, with the beginning of what came instead."""
    octets = _beginning(response, watch)
    status = response.status_code
    known = {status.value: status.phrase for status in HTTPStatus}
    what = f"HTTP {status} {known.get(status, '')}".rstrip()
    advice = "use the copy that you have" if status == 304 else "look at .excerpt, or try later"
    return HTTPStatusError(
        f"{shown(watch.url)}: {what}, which carries no feed; {advice}",
        url=watch.url,
        partial=octets,
        status=status,
        headers=response.headers,
        excerpt=_text(octets),
    )


def _beginning(response: requests.Response, watch: Watch) -> bytes:
    """Enough octets for the excerpt, or as many as come before the body breaks a limit."""
    wanted = 4 * _EXCERPT
    octets = b""
    try:
        with FetchedBody(response, watch, response.close) as body:
            while len(octets) < wanted and (piece := body.read(wanted - len(octets))):
                octets += piece
    except FetchError:
        pass
    return octets


def _text(octets: bytes) -> str:
    """The beginning of an error page: UTF-8 where it is that (the last character may be cut), else
    windows-1252."""
    try:
        octets.decode()
    except UnicodeDecodeError as error:
        if error.end < len(octets) or error.reason != "unexpected end of data":
            return octets.decode("windows-1252", "replace")[:_EXCERPT]
    return octets.decode("utf-8", "ignore")[:_EXCERPT]
