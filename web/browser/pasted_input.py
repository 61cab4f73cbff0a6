"""What a person pastes or drops: hexadecimal digits, text, or a whole HTTP response."""

from __future__ import annotations

import re

__all__ = ["TEXT_ENCODINGS", "bytes_of_hex", "bytes_of_text", "split_response"]

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

_OFFSET = re.compile(r"\s*+([0-9A-Fa-f]{4,16}):?(?:\s+|$)")
_PAIRS = re.compile(r"(?:0x|\\x)?([0-9A-Fa-f]{2,})[,;]?")
_COLUMN = re.compile(r"\s*\|.*|(?<=[0-9A-Fa-f]) {2,}(?![0-9A-Fa-f]{2} )\S.*")
"""The characters beside the digits of `hexdump -C` (between bars) and of others (after two spaces)."""
_OF_XXD = re.compile(r"  .*")
"""Those of xxd, which has two spaces nowhere else, and a colon behind the offset."""


def bytes_of_hex(text: str) -> bytes:
    """Return the bytes of hexadecimal digits, or of a dump by xxd, hexdump -C or od.

    Raises:
        ValueError: something else stands there; the message gives the line.
    """
    data = bytearray()
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() == "*" and data:
            raise ValueError(f"Line {number}: * stands for lines that are left out; make the dump with -v.")
        offset = _OFFSET.match(line)
        if offset is not None and len(data) in _offsets(offset[1]) and (data or set(offset[1]) == {"0"}):
            pattern = _OF_XXD if ":" in offset[0] else _COLUMN
            line = pattern.sub("", line[offset.end() :])
        for word in line.replace("\\x", " ").split():
            pair = _PAIRS.fullmatch(word)
            if pair is None or len(pair[1]) % 2:
                raise ValueError(f"Line {number}: “{word[:20]}” is not hexadecimal in pairs, as in 3C 3F.")
            data += bytes.fromhex(pair[1])
    return bytes(data)


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


def split_response(data: bytes) -> tuple[str | None, bytes]:
    """Split an HTTP response, as `curl -i` prints it, into its Content-Type and its body.

    Returns:
        The field's value ("" where the response has none) and the body; None and the whole data where no
        header stands in front. Without a status line, the fields must include a Content-Type.
    """
    at, content_type = 0, None
    while True:
        status = _STATUS.match(data, at)
        end, found = _fields(data, status.end() if status else at)
        if end is None or (status is None and (content_type is not None or found is None)):
            return content_type, data[at:]
        at, content_type = end, found or ""


def _fields(data: bytes, at: int) -> tuple[int | None, str | None]:
    """Return where the fields and the empty line after them end, and the Content-Type; None for none."""
    values = []
    while field := _FIELD.match(data, at):
        at = field.end()
        if field[1].lower() == b"content-type":
            values.append(_FOLD.sub(b" ", field[2]).decode("latin-1").strip())
    empty = _EMPTY.match(data, at)
    return (None if empty is None else empty.end()), (", ".join(values) if values else None)
