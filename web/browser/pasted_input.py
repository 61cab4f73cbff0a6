"""What a person pastes or drops: hexadecimal digits, text, or a whole HTTP response."""

from __future__ import annotations

import re

from feedcharset.evidence.document_head import begins_as_text
from feedcharset.fetch.gunzip import GZIP_BEGINNINGS, OverLimit, gunzip
from feedcharset.fetch.limits import FILE_LIMITS

__all__ = ["TEXT_ENCODINGS", "bytes_of_hex", "bytes_of_text", "split_response", "unpacked"]

TEXT_ENCODINGS = {
    "UTF-8": "utf-8",
    "windows-1252": "windows-1252",
    "ISO-8859-1": "iso-8859-1",
    "ISO-8859-2": "iso-8859-2",
    "windows-1251": "windows-1251",
    "KOI8-R": "koi8-r",
    "Shift_JIS": "cp932",
    "GB18030": "gb18030",
    "UTF-16": "utf-16",
}
"""What pasted text can be encoded in, and Python's codec: a closed list."""

_OFFSET = re.compile(r"\s*+([0-9A-Fa-f]{6,16}:?(?:\s+|$)|[0-9A-Fa-f]{4,5}(?::\s|\s{2}))")
_PAIRS = re.compile(r"(?:0x|\\x)?([0-9A-Fa-f]{2,})[,;]?")
_MIDDLE = re.compile(r"[0-9A-Fa-f]{2}(?: [0-9A-Fa-f]{2})*+\s*")


def bytes_of_hex(text: str) -> bytes:
    """Return the bytes of hexadecimal digits, or of a dump by xxd, hexdump -C, od -t x1 or Wireshark.

    Raises:
        ValueError: something else stands there, or a dump from which bytes or their order are missing; the
            message gives the line.
    """
    data, in_dump = bytearray(), False
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() == "*" and data:
            raise ValueError(f"Line {number}: * stands for lines that are left out; make the dump with -v.")
        offset = _OFFSET.match(line)
        digits = offset[1].rstrip(": \t") if offset else ""
        if offset is not None and (in_dump or (not data and not digits.strip("0"))):
            if len(data) not in _offsets(digits):
                raise ValueError(f"Line {number}: {digits} is not the offset of this line: some are missing.")
            in_dump = True
            line, shown = _columns(line[offset.end() :], ":" in offset[1])
            _refuse_words(number, line.split(), shown, ":" in offset[1])
        for word in line.replace("\\x", " ").split():
            pair = _PAIRS.fullmatch(word)
            if pair is None or len(pair[1]) % 2:
                raise ValueError(f"Line {number}: “{word[:20]}” is not hexadecimal in pairs, as in 3C 3F.")
            data += bytes.fromhex(pair[1])
    return bytes(data)


def _columns(row: str, of_xxd: bool) -> tuple[str, str]:
    """Divide a row of a dump into its digits and its characters, which stand behind two spaces. hexdump -C
    has two spaces between 8 bytes and 8 bytes, too, and its characters between bars."""
    if row.rstrip().endswith("|") and "  |" in row:
        digits, _, shown = row.partition("  |")
        return digits, shown.rstrip()[:-1]
    digits, _, shown = row.partition("  ")
    in_the_middle = not of_xxd and len(digits.split()) == 8 and _MIDDLE.fullmatch(shown)
    return (row, "") if in_the_middle else (digits, shown.lstrip())


def _refuse_words(number: int, groups: list[str], shown: str, of_xxd: bool) -> None:
    """Refuse words of two or four bytes in the order of the machine: of plain hexdump, od -x, xxd -e."""
    if of_xxd:
        words = [bytes.fromhex(one) for one in groups if len(one) == 8 and _PAIRS.fullmatch(one)]
        straight, turned = _shown(words), _shown([one[::-1] for one in words])
        refused = straight != turned == shown[: len(turned)]
    else:
        refused = bool(groups) and all(len(one) == 4 for one in groups)
    if refused:
        raise ValueError(
            f"Line {number}: these are words, not bytes; make the dump with hexdump -C or od -t x1."
        )


def _shown(words: list[bytes]) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in b"".join(words))


def _offsets(digits: str) -> tuple[int, ...]:
    """Return what the digits of an offset may mean: od's are octal."""
    octal = len(digits) == 7 and digits.isdecimal() and max(digits) < "8"
    return (int(digits, 16), int(digits, 8)) if octal else (int(digits, 16),)


def bytes_of_text(text: str, encoding: str) -> bytes:
    """Return text in one of `TEXT_ENCODINGS`.

    Raises:
        ValueError: a character is not in that encoding, or the encoding is not in the list.
    """
    if encoding not in TEXT_ENCODINGS:
        raise ValueError(f"{encoding} is not in the list.")
    try:
        return text.encode(TEXT_ENCODINGS[encoding])
    except UnicodeEncodeError as error:
        character = text[error.start]
        raise ValueError(
            f"“{character}” (U+{ord(character):04X}) is not in {encoding}. Choose another encoding."
        ) from None


_STATUS = re.compile(rb"HTTP/[0-9.]{1,3} [0-9]{3}[^\r\n]*+\r?\n")
_FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}):[ \t]*([^\r\n]*+(?:\r?\n[ \t]++[^\r\n]++)*+)\r?\n")
"""A field, which may be folded (RFC 9112 section 5.2)."""
_FOLD = re.compile(rb"\r?\n[ \t]++")
_EMPTY = re.compile(rb"\r?\n")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*+)?\r?\n")


def split_response(data: bytes) -> tuple[str | None, bytes]:
    """Split an HTTP response, as `curl -i` prints it, into its Content-Type and its body, which is unpacked.

    Returns:
        The field's value ("" where the response has none) and the body; None and the whole data where no
        header stands in front. Without a status line, the fields must include a Content-Type.

    Raises:
        ValueError: the body is packed in a way that is not unpacked here.
    """
    at, content_type, last = 0, None, {}
    while True:
        status = _STATUS.match(data, at)
        end, fields = _fields(data, status.end() if status else at)
        found = fields.get("content-type")
        if end is None or (status is None and (content_type is not None or found is None)):
            return content_type, _body(data[at:], last)
        at, content_type, last = end, found or "", fields


def _fields(data: bytes, at: int) -> tuple[int | None, dict[str, str]]:
    """Return where the fields and the empty line after them end, or None, and the fields, joined by name."""
    values: dict[str, list[str]] = {}
    while field := _FIELD.match(data, at):
        at = field.end()
        value = _FOLD.sub(b" ", field[2]).decode("latin-1").strip()
        values.setdefault(field[1].decode("ascii").lower(), []).append(value)
    empty = _EMPTY.match(data, at)
    return (None if empty is None else empty.end()), {name: ", ".join(all) for name, all in values.items()}


def _body(body: bytes, fields: dict[str, str]) -> bytes:
    """Return a body without chunks and codings that a program has not removed when it saved the response."""
    if "chunked" in fields.get("transfer-encoding", "").lower():
        body = _joined(body)
    coding = fields.get("content-encoding", "").lower()
    if coding in ("", "identity") or not body or begins_as_text(body[:4096]):
        return body
    if body[:3] not in GZIP_BEGINNINGS:
        raise ValueError(
            f"The body is packed with {coding[:20]}; save the response with curl -i --compressed."
        )
    return unpacked(body)


def unpacked(body: bytes) -> bytes:
    """Return what gzip holds, as far as it can be read; other bytes as they are."""
    if body[:3] not in GZIP_BEGINNINGS:
        return body
    try:
        return gunzip(body, FILE_LIMITS)[0]
    except OverLimit as error:
        return error.partial


def _joined(body: bytes) -> bytes:
    """Return the chunks as one; the body as it is, where it is not in chunks to its end."""
    pieces, at = [], 0
    while chunk := _CHUNK.match(body, at):
        size = int(chunk[1], 16)
        if size == 0:
            return b"".join(pieces)
        pieces.append(body[chunk.end() : chunk.end() + size])
        end = _EMPTY.match(body, chunk.end() + size)
        if end is None:
            break
        at = end.end()
    return body
