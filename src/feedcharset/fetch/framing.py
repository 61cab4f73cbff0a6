"""How a message shows where its body ends (RFC 9112 sections 6 and 7): its length, or chunks.

It needs no other package, so that an archive is read without requests.
"""

from __future__ import annotations

import http.client
import io
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any

# Digits of a Content-Length: no limit has more, and int() refuses more than 4,300.
_LONGEST_NUMBER = 21

# http.client's most bytes of a line.
LONGEST_LINE = 65536

# The size of a chunk (RFC 9112 section 7.1), with white space that servers write around it. int() takes `-5`,
# `0x5` and `5_0`, too: a size of -0 would end the body, and others overflow.
_SIZE = rb"[ \t]*+([0-9A-Fa-f]++)[ \t]*+\r*+"
CHUNK_SIZE = re.compile(_SIZE + rb"[;\n]")

# The last chunk of a body, whatever the sizes of the others, and what follows it (RFC 9112 section 7.1.2).
_LAST_CHUNK = b"\r\n0\r\n"
_TRAILER = re.compile(rb"(?:[^\s:]++:[^\n]*+\n)*+\r?\n?")

# Between the data of two chunks: the end of one, and the whole line before the next.
_NEXT_CHUNK = re.compile(rb"\r\n" + _SIZE + rb"(?:;[^\n]*+)?\n")

_CONTENT_RANGE = re.compile(r" *+bytes +([0-9]++)-([0-9]++)/([0-9]*+)", re.IGNORECASE)


class ChunkedResponse(http.client.HTTPResponse):
    """http.client's response, which takes no other sizes and ends of chunks than RFC 9112 section 7.1 has."""

    chunked: bool
    chunk_left: int | None

    def _get_chunk_left(self) -> int | None:
        """Read the end of a chunk and the line before the next. http.client skips two bytes of any value."""
        if self.chunk_left == 0:
            if self.fp.read(2) != b"\r\n":
                raise ConnectionError("a chunk without its end")
            self.chunk_left = None
        left: int | None = super()._get_chunk_left()  # type: ignore[misc]
        return left

    def _read_next_chunk_size(self) -> int:
        line = self.fp.readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            raise http.client.LineTooLong("chunk size")
        size = CHUNK_SIZE.match(line)
        if size is None:
            raise ConnectionError("the size of a chunk is no number" if line else "no size of a chunk")
        return int(size[1], 16)


def chunk_reader(stream: io.BufferedIOBase) -> Callable[[int], bytes]:
    """Return what reads a chunked body of a stream, and raises HTTPException or ConnectionError where it ends
    within a chunk, or without the last one. The stream stays open."""
    socket: Any = SimpleNamespace(makefile=lambda mode: stream)
    response = ChunkedResponse(socket)
    response.chunked, response.chunk_left = True, None
    response._close_conn = partial(setattr, response, "fp", None)  # type: ignore[attr-defined]
    return response.read1


def join_chunks(response: Any, n: int) -> bytes:
    """Return what `response._read1_chunked(n)` does, and the chunks behind it that have arrived: some servers
    send one for each byte."""
    data = response.fp.peek() if response.chunk_left == 0 and hasattr(response.fp, "peek") else b""
    pieces, at = [], 0
    while (n < 0 or n >= len(data)) and (found := _NEXT_CHUNK.match(data, at)):
        end = found.end() + int(found[1], 16)
        if not found.end() < end <= len(data):
            break  # the last chunk, or one of which more is to come
        pieces.append(data[found.end() : end])
        at = end
    response.fp.read(at)
    return b"".join(pieces) or type(response)._read1_chunked(response, n)


def has_chunks(body: bytes) -> bool:
    """Return True for a body, or its end, that begins with a line end and the size of a chunk, has a chunk
    that ends where the next one begins, or ends with the last one, perhaps with a trailer."""
    for line in _NEXT_CHUNK.finditer(body):
        if not line.start() or _NEXT_CHUNK.match(body, line.end() + int(line[1][:_LONGEST_NUMBER], 16)):
            return True
    last = body.rfind(_LAST_CHUNK)
    return last >= 0 and _TRAILER.fullmatch(body, last + len(_LAST_CHUNK)) is not None


def announced_length(headers: Mapping[str, str] | http.client.HTTPMessage) -> int | None:
    """Return the Content-Length; None where there is none that counts.

    `5, 5` is 5 (RFC 9112 section 6.3), and what is no number counts nowhere.
    """
    numbers = announced_lengths(headers)
    return int(numbers.pop()[:_LONGEST_NUMBER]) if len(numbers) == 1 else None


def announced_lengths(headers: Mapping[str, str] | http.client.HTTPMessage) -> set[str]:
    """Return the numbers in a Content-Length, and what is none beside a number; nothing where it is none, or
    where Transfer-Encoding counts instead of it."""
    if "Transfer-Encoding" in headers:
        return set()
    elements = {element.lstrip("0") or "0" for element in _elements(headers, "Content-Length") if element}
    has_number = any(element.isascii() and element.isdecimal() for element in elements)
    return elements if has_number else set()


def announced_part(headers: Mapping[str, str] | http.client.HTTPMessage) -> tuple[int, int, int] | None:
    """Return the first and the last byte of a part of a document, and its length, or 0; None where no
    Content-Range has them, two contradict each other, or it is invalid (RFC 9110 section 14.4)."""
    fields = _elements(headers, "Content-Range")
    parts = {part.groups() for field in fields if (part := _CONTENT_RANGE.match(field))}
    if len(parts) != 1:
        return None
    numbers = parts.pop()
    first, last, length = (int(number[:18] or 0) for number in numbers)  # int() refuses 4,301 digits
    return (first, last, length) if first <= last and (last < length or not numbers[2]) else None


def part_size(status: int, headers: Mapping[str, str] | http.client.HTTPMessage) -> int | None:
    """Return the number of bytes of a part, by its Content-Range; None for an answer that is no part."""
    part = announced_part(headers) if status == http.HTTPStatus.PARTIAL_CONTENT else None
    return None if part is None else part[1] - part[0] + 1


def frames_of(headers: Any) -> set[str]:
    """Return the transfer codings that a header names, in lower case. One that is named twice was applied
    once, mostly: a proxy has repeated the field. Identity is none."""
    return {word.lower() for word in _elements(headers, "Transfer-Encoding")} - {"", "identity"}


def names_chunks_twice(headers: Any) -> bool:
    """Return True where a body may have chunks within chunks."""
    return [word.lower() for word in _elements(headers, "Transfer-Encoding")].count("chunked") > 1


def joined_field(headers: Any, name: str) -> str:
    """Return the value of a field, "" where there is none; of all lines, which http.client keeps apart."""
    is_plain = isinstance(headers, http.client.HTTPMessage)
    return ", ".join(headers.get_all(name, []) if is_plain else [headers.get(name, "")])


def _elements(headers: Any, name: str) -> Iterator[str]:
    return map(str.strip, joined_field(headers, name).split(","))


def is_used(response: Any) -> bool:
    """Return True where something of a urllib3 response was read; it does not count the bytes of chunks.
    CacheControl reads the answer that a 304 has confirmed, and puts its bytes back."""
    stored = getattr(response, "_fp", None)
    place = (stored if isinstance(stored, io.BytesIO) and not stored.closed else response).tell()
    return bool(response.closed or place) or getattr(response, "chunk_left", None) is not None
