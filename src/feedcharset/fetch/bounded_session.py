"""A requests session whose waits are all within the limits.

Nothing global is patched and the caller's session is not changed. `bounded_session(session, deadline)` is a
view: a second object with the same state (it shares the `__dict__`, so cookies, tokens and caches stay the
caller's), whose class overrides the methods that get the adapter, the pool and the connection:

    session.get_adapter → adapter.get_connection_with_tls_context → pool._get_conn → connection

The connection gets our `response_class` and our way to connect, and loses both when it returns to its pool. A
caller's own adapter with another way to connect keeps it. A session gets bodies without content coding.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection

from feedcharset.errors import AddressRefused
from feedcharset.fetch.connection import connected_socket
from feedcharset.fetch.content_coding import PieceFile, content_coding, decoded
from feedcharset.fetch.deadline import TimedResponse
from feedcharset.fetch.fetch_errors import FetchAbort
from feedcharset.fetch.response_body import raw_pieces
from feedcharset.fetch.urls import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.fetch.deadline import Deadline

__all__ = ["bounded_session"]


class _View:
    """A second object with the state of another: another class, the same `__dict__`."""

    __slots__ = ()
    _origin: Any
    _deadline: Deadline

    def __del__(self) -> None:
        """Do nothing: the original closes what it holds."""


class _SessionView(_View):
    __slots__ = ()

    def get_adapter(self, url: Any) -> Any:
        adapter = super().get_adapter(url)  # type: ignore[misc]
        return _view(_AdapterView, adapter, self._deadline) if isinstance(adapter, HTTPAdapter) else adapter

    def resolve_redirects(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
        """Follow none. Even with allow_redirects=False requests calls this to find the next one, and reads
        the whole body for it."""
        return iter(())


class _AdapterView(_View):
    __slots__ = ()

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
        pool = super().get_connection_with_tls_context(*args, **kwargs)  # type: ignore[misc]
        return (
            _view(_PoolView, pool, self._deadline) if isinstance(pool, urllib3.HTTPConnectionPool) else pool
        )


class _PoolView(_View):
    __slots__ = ()

    def _get_conn(self, *args: Any, **kwargs: Any) -> Any:
        self._deadline.time_left("connect")  # this also ends a retry of the caller's session
        connection = super()._get_conn(*args, **kwargs)  # type: ignore[misc]
        connection.response_class = functools.partial(TimedResponse, self._deadline)
        if type(connection)._new_conn is HTTPConnection._new_conn:
            connection._new_conn = functools.partial(connected_socket, connection, self._deadline)
        elif self._deadline.limits.public_only:
            raise FetchAbort(
                AddressRefused(
                    f"{shown(self._deadline.url)}: its address cannot be checked: urllib3 has "
                    "another way to connect; open it without Limits(public_only=True)",
                    url=self._deadline.url,
                    limit="public_only",
                )
            )
        return connection

    def _put_conn(self, connection: Any) -> None:
        if connection is not None:
            vars(connection).pop("response_class", None)
            vars(connection).pop("_new_conn", None)
            if not self._deadline.shared:
                connection.close()
        super()._put_conn(connection)  # type: ignore[misc]

    def urlopen(self, *args: Any, **kwargs: Any) -> Any:
        """Give a caching session, which reads the body itself, a body within the limits: urllib3 unpacks a
        bomb, and accepts gzip without its end."""
        response = super().urlopen(*args, **kwargs)  # type: ignore[misc]
        return _without_coding(response, self._deadline) if self._deadline.shared else response


def _without_coding(response: Any, deadline: Deadline) -> Any:
    """Return the same response; its content coding is removed as it is read."""
    try:
        coding = content_coding(response.headers.get("Content-Encoding", ""), deadline.url)
    except FetchAbort:
        response.close()
        raise
    if not coding:
        return response
    headers = response.headers.copy()
    for name in ("Content-Encoding", "Content-Length", "Transfer-Encoding"):
        headers.discard(name)
    file: Any = PieceFile(decoded(raw_pieces(response), coding, deadline), response.close)
    return urllib3.HTTPResponse(
        body=file,
        headers=headers,
        status=response.status,
        version=response.version,
        version_string=response.version_string,
        reason=response.reason,
        preload_content=False,
        original_response=response._original_response,  # requests reads the cookies there
        retries=response.retries,
        request_url=response.url,
    )


# A program has a few session, adapter and pool classes. 32 is enough for them, and limits the memory of a
# program that creates classes all the time.
@functools.lru_cache(maxsize=32)
def _view_class(mixin: type[_View], base: type) -> type:
    return type(base.__name__, (mixin, base), {"__slots__": ("_origin", "_deadline")})


def _view(mixin: type[_View], original: Any, deadline: Deadline) -> Any:
    view: Any = object.__new__(_view_class(mixin, type(original)))  # type: ignore[arg-type]
    view.__dict__ = original.__dict__
    view._origin = original  # a pool without references closes its idle connections
    view._deadline = deadline
    return view


def bounded_session(session: requests.Session, deadline: Deadline) -> requests.Session:
    """Return a view of the session: its requests are within the limits, and it follows no redirect."""
    view: requests.Session = _view(_SessionView, session, deadline)
    return view
