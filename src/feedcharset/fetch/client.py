"""Opening a URL, or a caller's response: `open_url` and `open_response` return a `FetchedBody`."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from http import HTTPStatus
from types import NoneType
from typing import Any

import requests
import urllib3
from requests.structures import CaseInsensitiveDict

from feedcharset.errors import AddressRefused, FetchError, HTTPStatusError, TooManyRedirects, TruncatedBody
from feedcharset.fetch.connection import bounded_session
from feedcharset.fetch.deadline import Deadline, bound_body, exceeded
from feedcharset.fetch.framing import announced_length, announced_part, is_used
from feedcharset.fetch.limits import DEFAULT_LIMITS, FILE_LIMITS, PARTIAL_LIMIT, Limits
from feedcharset.fetch.response_body import BODY_PIECE, FetchedBody, Redirect, masked_fields
from feedcharset.fetch.urls import (
    CARRIED,
    Target,
    address_of,
    hidden,
    masked,
    masked_field,
    redirected,
    shown,
    target,
    unopened,
    user_agent,
    without_userinfo,
)
from feedcharset.results.explanation import visible
from feedcharset.text.xml_decoder import decode

# Feeds first, then any XML, then anything: some servers choose by this, and some refuse without */*.
ACCEPT = (
    "application/atom+xml, application/rss+xml, application/rdf+xml;q=0.9, application/xml;q=0.8, "
    "text/xml;q=0.8, */*;q=0.1"
)

_STATUS_ADVICE = {
    206: "try again, or use the part, in .partial",
    304: "use your stored copy",
    401: "pass credentials: headers={'Authorization': ...}, or user:password@ in the URL",
    403: "the server refuses this client; another User-Agent may be allowed (headers=)",
    404: "check the URL; the feed may have moved",
    407: "pass the credentials of the proxy in its URL",
    408: "try later",
    410: "the feed is gone; remove the URL",
    429: "try later, and less often",
}
"""What to do about a status; about others of the server's (5xx), try later."""

_SENDABLE_NAME = re.compile(r"[!#$%&'*+.^`|~\w-]+", re.ASCII)

_RANGE = re.compile(r" *+bytes *+= *+([0-9]*+)-([0-9]*+)[ ,]*+", re.IGNORECASE)
"""One range of bytes (RFC 9110 section 14.2)."""

# Characters of the body in HTTPStatusError: enough for the server's message, not its whole page.
_EXCERPT_SIZE = 200
_EXCERPT_BYTES = 4 * _EXCERPT_SIZE + 8  # a BOM before them, and a character that is cut behind them

REDIRECT_BYTES = 16 << 10
"""A body of fewer bytes is read where a session is redirected, as requests does with any: servers send a page
of 200 bytes, and a new connection takes longer."""


def open_url(
    url: str,
    *,
    session: requests.Session | None = None,
    headers: Mapping[str, str] | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> FetchedBody:
    """Open an http or https URL and return the document's bytes as a stream.

    Args:
        url: userinfo in it is sent as credentials, to its own origin only.
        session: the caller's own, for its authentication, cache, proxies, retries and certificates. It is
            not closed, and keeps its settings, a User-Agent and an Accept, too; it gets the cookies.
        headers: sent with the request (If-None-Match, If-Modified-Since, Authorization). To another origin
            only those are sent that cannot be credentials.
        limits: limits on time and size.

    Raises:
        FetchError: the document could not be fetched: DeadlineExceeded, TooLarge, TooManyRedirects,
            TruncatedBody, AddressRefused for a URL, redirect or address that may not be opened, and
            HTTPStatusError for every status but 2xx (304 too).
        ValueError: a header field that cannot be sent, or a session together with `public_only`: the session
            decides where it connects.
        TypeError: the session is not a requests.Session, or a header field is no text.
    """
    if not isinstance(session, (requests.Session, NoneType)):
        raise TypeError(
            f"session must be a requests.Session, not {type(session).__name__}; for another client pass its "
            "response's bytes and Content-Type to decode(), or drive XmlDecoder"
        )
    if session is not None and limits.public_only:
        raise ValueError(
            "Limits(public_only=True) is not possible with a session: its adapters and proxies decide where "
            "it connects; pass one of the two"
        )
    first = target(url)
    deadline = Deadline(limits, first.url, shared=session is not None)
    with ExitStack() as opened:
        base = opened.enter_context(requests.Session()) if session is None else session
        if limits.public_only:
            # No proxy and no netrc of the environment; its certificates are used, as in requests.
            base.trust_env = False
            base.verify = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE") or True
        opened.callback(deadline.close)
        fields = _fields(base, headers, own=session is None)
        history: list[Redirect] = []
        response = _follow(bounded_session(base, deadline), first, fields, deadline, history)
        opened.callback(bool if response.raw is None else response.close)  # an adapter built it
        is_part = response.status_code == HTTPStatus.PARTIAL_CONTENT
        sent = response.request.headers if response.request is not None else fields
        is_wanted = not is_part or _is_wanted(sent.get("Range"), response.headers)
        if not (200 <= response.status_code < 300 and is_wanted):
            raise _status_error(response, deadline)
        got: Any = response
        if session is not None and got._content is False:  # it is not kept
            has_body = announced_length(got.headers) != 0 and got.status_code != 204
            is_read = isinstance(got.raw, urllib3.HTTPResponse) and has_body and is_used(got.raw)
            if is_read or got._content_consumed:
                what = "a hook or an adapter of the session has read the body, at least in part, or closed it"
                raise deadline.abort(FetchError, what, advice="read it there by `response.content`").error
        return FetchedBody(response, deadline, opened.pop_all().close, history=tuple(history))


def open_response(response: requests.Response, *, limits: Limits | None = DEFAULT_LIMITS) -> FetchedBody:
    """Return the document's bytes of a caller's response, streamed or already read, as a stream.

    The limits apply to what is still to be read; None: those of its client alone. No final status is refused:
    the caller has checked it.

    Raises:
        FetchError: the Content-Length is over a limit, the coding cannot be removed, or it is an interim
            response: http.client passes over none but 100, and `raise_for_status` takes 103 for success.
        ValueError: `public_only`: the connection is already made.
    """
    if limits is not None and limits.public_only:
        raise ValueError(
            "Limits(public_only=True) is not possible for a response: its connection is made; pass its URL"
        )
    deadline = Deadline(limits or FILE_LIMITS, address_of(response))
    if 100 <= (response.status_code or 0) < 200:
        what = f"an interim response ({response.status_code}), which has no body"
        raise deadline.abort(FetchError, what, advice="pass the URL").error
    if limits is not None:
        bound_body(response.raw, deadline)
    # A Response built in a test has no raw stream; its close() would fail.
    close = bool if response.raw is None else response.close
    body = FetchedBody(response, deadline, close, borrowed=True)
    body.limits = limits
    return body


def _fields(
    session: requests.Session, headers: Mapping[str, str] | None, *, own: bool
) -> CaseInsensitiveDict[str]:
    """Return the header fields to send: the caller's, then the session's, then ours instead of requests's."""
    fields: CaseInsensitiveDict[str] = CaseInsensitiveDict()
    defaults = requests.utils.default_headers()
    for name, value in (("User-Agent", user_agent()), ("Accept", ACCEPT)):
        if session.headers.get(name) in (None, defaults[name]):
            fields[name] = value
    if own:
        fields["Accept-Encoding"] = "gzip, deflate"
        fields["Connection"] = "close"
    fields.update(headers or {})
    for field, content in (*session.headers.items(), *fields.items()):
        named = _SENDABLE_NAME.match(str(field))  # what follows may be a password
        name = named[0] if named else ""
        if not isinstance(content, str | bytes | NoneType):
            raise TypeError(f"headers: {name!r} must be a str or bytes, not {type(content).__name__}")
        if content is not None and not _is_sendable(field, content):
            raise ValueError(
                f"headers: {name!r} or its value has characters a field cannot have, or white space first"
            )
    return fields


def _is_sendable(name: str, value: Any) -> bool:
    try:
        requests.utils.check_header_validity((name, value))
        str(value).encode("latin-1")  # as http.client does
    except (requests.exceptions.InvalidHeader, UnicodeEncodeError):
        return False  # without the exception, which has the value: a password, perhaps
    return _SENDABLE_NAME.fullmatch(str(name)) is not None and "\0" not in str(value)


def _follow(
    session: requests.Session,
    place: Target,
    fields: Mapping[str, str],
    deadline: Deadline,
    history: list[Redirect],
) -> requests.Response:
    """Request, and follow redirects; add each of them to the history. Of a session a short body is read, so
    that its connection can be used again."""
    seen: set[tuple[str, str | None]] = set()
    other_origin = False
    while True:
        deadline.url = unopened(place.url)
        given = {"again": bool(seen), "other_origin": other_origin}
        request = functools.partial(_request, session, place, fields, deadline, **given)
        try:
            response = deadline.bounded(request)
        except TruncatedBody as error:  # the session reads bodies itself
            error.advice = "try again"
            raise
        deadline.url = without_userinfo(place.url)
        if not response.is_redirect:
            return response
        raw, length = response.raw, announced_length(response.headers)
        if deadline.shared and isinstance(raw, urllib3.HTTPResponse) and length in range(REDIRECT_BYTES):
            with suppress(FetchError):
                deadline.bounded(functools.partial(raw.read, decode_content=False))
        response.close()
        history.append((response.status_code, masked_fields(response.headers), deadline.url))
        # A cookie may make the same URL another request.
        asked = (place.url, response.request.headers.get("Cookie"))
        if asked in seen:
            raise TooManyRedirects(
                f"{shown(deadline.url)}: redirects in a circle; only the server can change this",
                url=deadline.url,
                limit="redirects",
            )
        seen.add(asked)
        if deadline.limits.redirects is not None and len(seen) > deadline.limits.redirects:
            raise exceeded("redirects", deadline.limits, deadline.url)
        before = place
        place = redirected(before, _location(response, deadline), https_to_http=deadline.limits.https_to_http)
        other_origin = other_origin or not before.shares_secrets_with(place)


def _location(response: requests.Response, deadline: Deadline) -> str:
    """Return where a response redirects. requests joins several fields to one that is no URL."""
    location = response.headers["Location"]
    headers: Any = getattr(response.raw, "headers", None)
    fields = list(dict.fromkeys(headers.getlist("Location") if hasattr(headers, "getlist") else [location]))
    if len(fields) > 1:
        places = shown(", ".join(masked(field) for field in fields))
        what = f"{shown(deadline.url)}: redirects to several places ({places})"
        raise AddressRefused(what, url=deadline.url, advice="only the server can change this")
    return fields[0] if fields else location


def _request(
    session: requests.Session,
    place: Target,
    fields: Mapping[str, str],
    deadline: Deadline,
    *,
    again: bool,
    other_origin: bool,
) -> requests.Response:
    timeout = (deadline.time_left("connect"), deadline.time_left("read"))
    extra: dict[str, Any] = {}
    if again and isinstance(session.params, Mapping):
        # A session's parameters belong to the requested URL (an API key is one).
        extra["params"] = dict.fromkeys(session.params)
    # `auth` is applied last: it adds credentials, or removes them.
    if other_origin:
        # As requests follows a redirect: a session's own `request` and `prepare_request` may add credentials.
        extra["auth"] = functools.partial(_without_secrets, session)
        asked = requests.Session.prepare_request(
            session, requests.Request("GET", place.url, headers=fields, **extra)
        )
        # Without the session's client certificate, which shows who asks.
        settings = session.merge_environment_settings(asked.url, {}, True, None, "")
        return session.send(asked, timeout=timeout, allow_redirects=False, **settings)
    if place.credentials is not None:
        user, password = place.credentials
        extra["auth"] = requests.auth.HTTPBasicAuth(user.encode(), password.encode())
    elif "Authorization" in fields:
        extra["auth"] = lambda request: request  # unchanged; else netrc would replace it
    return session.request(
        "GET", place.url, headers=fields, timeout=timeout, allow_redirects=False, stream=True, **extra
    )


def _without_secrets(
    session: requests.Session, request: requests.PreparedRequest
) -> requests.PreparedRequest:
    """Keep what may be sent to another origin: no credentials, and only cookies with a domain."""
    for name in [name for name in request.headers if name.lower() not in CARRIED]:
        del request.headers[name]
    jar = requests.cookies.RequestsCookieJar()
    for cookie in session.cookies:
        if cookie.domain:  # one without a domain would be sent everywhere
            jar.set_cookie(cookie)
    request.prepare_cookies(jar)
    return request


def _is_wanted(asked: str | bytes | None, headers: Mapping[str, str]) -> bool:
    """Return whether a part of a document was requested, and is the one that was. Of several ranges that is
    not known; the part of a single one has a Content-Range (RFC 9110 section 15.3.7.1). Its length is that of
    each part."""
    asked = asked.decode("latin-1") if isinstance(asked, bytes) else asked or ""
    wanted, part = _RANGE.fullmatch(asked), announced_part(headers)
    if part and announced_length(headers) not in (None, part[1] - part[0] + 1):
        return False
    if not (wanted and part):
        return asked != "" and wanted is None
    first, last, total = part
    start, end = (int(number[:18] or 0) for number in wanted.groups())
    if not total:  # a server that knows no end has no reason to send less than a range that has one
        in_order = first == start and (not wanted[2] or last >= end)
        return in_order if wanted[1] else first == 0 or last - first + 1 == end
    if not wanted[1]:  # so many bytes at the end
        start, end = max(total - end, 0), total
    return first == start and last >= min(end if wanted[2] else total, total - 1)


def _status_error(response: requests.Response, deadline: Deadline) -> HTTPStatusError:
    """Return the error for a status that has no feed, or only a part of it, with the body's beginning."""
    status = response.status_code
    is_part = status == HTTPStatus.PARTIAL_CONTENT
    pieces: list[bytes] = []
    missing = PARTIAL_LIMIT if is_part else _EXCERPT_BYTES
    if not is_part:  # no more is read, whatever length is announced
        deadline.limits = deadline.limits._replace(wire=None, decoded=None)
    with suppress(FetchError), FetchedBody(response, deadline, response.close) as body:
        while missing and (piece := body.read(min(missing, BODY_PIECE))):
            pieces.append(piece)
            missing -= len(piece)
    data = b"".join(pieces)  # less where there is no more, or a limit is exceeded
    content_type = response.headers.get("Content-Type", "")
    text = decode(data[:_EXCERPT_BYTES], content_type, declaration="keep").text
    text = text.replace("\r\n", "\n").replace("\t", " ")
    # A page may repeat the request, with its credentials.
    lines = "\n".join(hidden(masked_field(line)) for line in text.split("\n"))[:_EXCERPT_SIZE].split("\n")
    known = {status.value: status.phrase for status in HTTPStatus}
    phrase = f"HTTP {status} {known.get(status, '')}".rstrip()
    what = "a part of the document that was not requested" if is_part else "which has no feed"
    return HTTPStatusError(
        f"{shown(deadline.url)}: {phrase}, {what}",
        advice=_STATUS_ADVICE.get(status, "try later" if status >= 500 else "look at .excerpt"),
        url=deadline.url,
        partial=data,
        status=status,
        headers=masked_fields(response.headers),
        excerpt="\n".join(map(visible, lines)),
    )
