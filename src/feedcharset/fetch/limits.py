"""Limits on the time and size of one download: `Limits`.

Imports nothing but `typing` and `collections.abc`, because the signature of XmlReader names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Self

MIB = 1 << 20

PARTIAL_LIMIT = 20 * MIB
"""Bytes of the document that are kept for `FetchError.partial`: the default of `Limits.decoded`, so that more
are read only where that limit was lifted."""

# The longest timeout of a socket: poll() counts milliseconds in 31 bits, which is 24 days.
_LONGEST_TIMEOUT = 1_000_000.0


class _Values(NamedTuple):
    """The fields of `Limits`, with their units."""

    connect: float | None
    """Seconds to connect to one server: its name, its addresses, the answer of a proxy and TLS together."""
    read: float | None
    """Seconds without a single byte."""
    total: float | None
    """Seconds for the whole download, redirects included. Time counts only while this library waits for the
    server, not while the caller does something else between two reads."""
    wire: int | None
    """Bytes of one body as received: compressed, chunk sizes included."""
    decoded: int | None
    """Bytes of the document, after gzip and other codings are removed."""
    ratio: float | None
    """Bytes of the document for each compressed byte, checked after the first MiB of the document. Deflate
    can reach 1032:1 (zlib's Technical Details)."""
    redirects: int | None
    """Redirects followed (RFC 2068 section 10.3 told clients to stop after five)."""
    header: int | None
    """Bytes of one response's header. Also with None http.client refuses 65,536 in a line, and 100 fields."""
    https_to_http: bool
    """True: a redirect may lead from https to http."""
    public_only: bool
    """True: connect to public addresses only, and ignore the environment's proxies."""


class Limits(_Values):
    """Limits on the time and size of one download; for URLs and responses, not files.

    Immutable, equal by value, picklable. None lifts a limit. An invalid value is a ValueError, also in
    `Limits(total=5)._replace(read=None)`. Each error that a limit causes names the field.
    """

    __slots__ = ()

    def __new__(
        cls,
        *,
        connect: float | None = 10.0,
        read: float | None = 10.0,
        total: float | None = 30.0,
        wire: int | None = 10 * MIB,
        decoded: int | None = 20 * MIB,
        ratio: float | None = 100.0,
        redirects: int | None = 5,
        header: int | None = 64 << 10,
        https_to_http: bool = False,
        public_only: bool = False,
    ) -> Self:
        values = (connect, read, total, wire, decoded, ratio, redirects, header, https_to_http, public_only)
        for name, value in zip(cls._fields, values, strict=True):
            allowed, wanted = _ALLOWED[name]
            if not allowed(value):
                raise ValueError(f"Limits({name}={value!r}): give {wanted}")
        return super().__new__(cls, *values)

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> Self:  # type: ignore[override]
        """Check the values; `_replace` calls this."""
        return cls(**dict(zip(cls._fields, iterable, strict=True)))

    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]:
        return (), self._asdict()


def _is_size(value: Any) -> bool:
    return value is None or (_is_number(value) and isinstance(value, int) and value >= 1)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_ALLOWED: dict[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(
        ("connect", "read", "total"),
        (
            lambda value: value is None or (_is_number(value) and 0 < value <= _LONGEST_TIMEOUT),
            "seconds, over 0 and at most 1,000,000, or None",
        ),
    ),
    **dict.fromkeys(("wire", "decoded", "header"), (_is_size, "a whole number, at least 1, or None")),
    "redirects": (lambda value: value == 0 or _is_size(value), "a whole number, at least 0, or None"),
    "ratio": (
        lambda value: value is None or (_is_number(value) and 1 <= value < float("inf")),
        "a number, at least 1, or None",
    ),
    **dict.fromkeys(
        ("https_to_http", "public_only"), (lambda value: isinstance(value, bool), "True or False")
    ),
}

DEFAULT_LIMITS = Limits()

FILE_RATIO = 1000
"""Most bytes out for each byte in of gzip that was not downloaded: deflate reaches 1032:1 (zlib's Technical
Details), feeds 20:1."""

FILE_LIMITS = Limits(
    connect=None, read=None, total=None, wire=None, decoded=None, ratio=FILE_RATIO, header=None
)
"""What binds gzip that was not downloaded here: that of a file, or of a response of urllib3 or urllib."""
