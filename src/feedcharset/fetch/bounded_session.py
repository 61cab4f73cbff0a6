"""Handles: a requests session whose every wait is bounded.

Nothing global is patched and nothing of the caller's session is changed. `watched(session)` is a second
handle on the same state (its `__dict__` is shared, so cookies, tokens and caches stay the caller's),
whose class overrides where the adapter, the pool and the connection are got:

    session.get_adapter → adapter.get_connection_with_tls_context → pool._get_conn → connection

The connection is given our `response_class` and our way to dial, and loses both when it goes back to
its pool. What has another way to connect (a caller's own adapter) keeps it. A session sees bodies with
their content coding removed.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection

from feedcharset.errors import AddressRefused
from feedcharset.fetch.connection import dial
from feedcharset.fetch.content_coding import PieceFile, content_coding, decoded
from feedcharset.fetch.deadline import WatchedResponse
from feedcharset.fetch.fetch_errors import Stop, shown
from feedcharset.fetch.response_body import raw_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.fetch.deadline import Watch

__all__ = ["watched"]


class _Handle:
    """A second handle on an object: another class, the same `__dict__`."""

    __slots__ = ()
    _origin: Any
    _watch: Watch

    def __del__(self) -> None:
        """Do nothing: what the object holds is the original's to close."""


class _Session(_Handle):
    __slots__ = ()

    def get_adapter(self, url: Any) -> Any:
        adapter = super().get_adapter(url)  # type: ignore[misc]
        return _handle(_Adapter, adapter, self._watch) if isinstance(adapter, HTTPAdapter) else adapter

    def resolve_redirects(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
        """Follow none. Even with allow_redirects=False requests asks here what the next one would be, and
        reads the whole body on the way."""
        return iter(())


class _Adapter(_Handle):
    __slots__ = ()

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
        pool = super().get_connection_with_tls_context(*args, **kwargs)  # type: ignore[misc]
        return _handle(_Pool, pool, self._watch) if isinstance(pool, urllib3.HTTPConnectionPool) else pool


class _Pool(_Handle):
    __slots__ = ()

    def _get_conn(self, *args: Any, **kwargs: Any) -> Any:
        self._watch.patience("connect")  # a retry of the caller's session ends here too
        connection = super()._get_conn(*args, **kwargs)  # type: ignore[misc]
        connection.response_class = functools.partial(WatchedResponse, self._watch)
        if type(connection)._new_conn is HTTPConnection._new_conn:
            connection._new_conn = functools.partial(dial, connection, self._watch)
        elif self._watch.limits.public_only:
            raise Stop(
                AddressRefused(
                    f"{shown(self._watch.url)}: its address cannot be checked: urllib3 has been given "
                    "another way to connect; open it without Limits(public_only=True)",
                    url=self._watch.url,
                    limit="public_only",
                )
            )
        return connection

    def _put_conn(self, connection: Any) -> None:
        if connection is not None:
            vars(connection).pop("response_class", None)
            vars(connection).pop("_new_conn", None)
            if not self._watch.shared:
                connection.close()
        super()._put_conn(connection)  # type: ignore[misc]

    def urlopen(self, *args: Any, **kwargs: Any) -> Any:
        """Give a caching session, which reads the body itself, a body that is within the limits: urllib3
        takes a bomb for data, and gzip without its end for the end."""
        response = super().urlopen(*args, **kwargs)  # type: ignore[misc]
        return _without_coding(response, self._watch) if self._watch.shared else response


def _without_coding(response: Any, watch: Watch) -> Any:
    """The same response with its content coding removed as it is read."""
    try:
        coding = content_coding(response.headers.get("Content-Encoding", ""), watch.url)
    except Stop:
        response.close()
        raise
    if not coding:
        return response
    headers = response.headers.copy()
    for name in ("Content-Encoding", "Content-Length", "Transfer-Encoding"):
        headers.discard(name)
    file: Any = PieceFile(decoded(raw_pieces(response), coding, watch), response.close)
    return urllib3.HTTPResponse(
        body=file,
        headers=headers,
        status=response.status,
        version=response.version,
        version_string=response.version_string,
        reason=response.reason,
        preload_content=False,
        original_response=response._original_response,  # requests finds the cookies there
        retries=response.retries,
        request_url=response.url,
    )


# A program has a handful of session, adapter and pool classes; 32 keeps those of any program that is not
# making classes by the way, and bounds what one that does can hold.
@functools.lru_cache(maxsize=32)
def _handle_class(mixin: type[_Handle], base: type) -> type:
    return type(base.__name__, (mixin, base), {"__slots__": ("_origin", "_watch")})


def _handle(mixin: type[_Handle], original: Any, watch: Watch) -> Any:
    handle: Any = object.__new__(_handle_class(mixin, type(original)))  # type: ignore[arg-type]
    handle.__dict__ = original.__dict__
    handle._origin = original  # a pool closes its idle connections when nobody holds it any more
    handle._watch = watch
    return handle


def watched(session: requests.Session, watch: Watch) -> requests.Session:
    """Give a second handle on the session: its requests are watched, and it follows no redirect."""
    handle: requests.Session = _handle(_Session, session, watch)
    return handle
