"""What a person pastes or drops: hexadecimal digits, text, or a whole HTTP response."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import NamedTuple

from feedcharset.charsets.lookup import lookup
from feedcharset.evidence.declaration import parse_declaration
from feedcharset.evidence.document_head import begins_as_text, is_packed
from feedcharset.fetch.gunzip import GZIP_BEGINNINGS, OverLimit, gunzip
from feedcharset.fetch.limits import FILE_LIMITS

__all__ = [
    *("DECLARED", "TEXT_ENCODINGS", "as_curl_prints", "bytes_of_hex", "bytes_of_text", "declared_encoding"),
    *("refuse_what_is_no_document", "split_response", "unpacked", "without_prompt"),
]

DECLARED = "the encoding that it declares"
"""What the page offers first for pasted text, which has no bytes of its own."""

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

_PAIRS = re.compile(r"(?:0x|\\x)?([0-9A-Fa-f]{2,})[,;]?")

# -- dumps ------------------------------------------------------------------------------------------------

_DUMP_ROW = re.compile(
    r"[ \t]*+(?:([0-9A-Fa-f]{6,16})(:?)(?:[ \t]+|$)|([0-9A-Fa-f]{4,5})(?:(:)[ \t]|[ \t]{2})[ \t]*)(.*)"
)
"""A row: its offset, a colon, and what stands behind it. Behind an offset of four digits are two spaces."""
_HALVES = re.compile(r"(?:[0-9A-Fa-f]{2} ){8} (?:[0-9A-Fa-f]{2} ){0,7}[0-9A-Fa-f]{2}(?=  |\s*$|\s*\|)")
"""Eight bytes, two spaces, and others."""
_MOST_IN_ROW = 4096
"""Bytes of a row: a row of more is none."""
_QUOTATION = re.compile(r"(?:> ?)++")
"""What mail programs put before each line."""
_HEADING = [f"{byte:02X}" for byte in range(16)]
_LINES_OF_HEADING = 10
"""PowerShell's Format-Hex writes a heading, and before it what it shows."""
_OTHER = "another kind; make the dump with xxd, hexdump -C or od -t x1, and paste all of it"


_DUMP_COMMAND = re.compile(r"[^\n]{0,200}\b(?:xxd|hexdump|hd|od)\b[^\n]{0,200}")
_LINE_OF_C = re.compile(r"unsigned (?:char|int) \w{1,200}(?:\[\])? = (?:\{|[0-9]{1,9};)|\};")
"""What `xxd -i` writes around the bytes."""


class _Row(NamedTuple):
    """A row of a dump."""

    number: int
    """Its line, from 1."""
    offset: str
    colon: bool
    """As xxd has it behind the offset."""
    rest: str


class _OtherRow(ValueError):
    """A row that does not stand where its offset says, or has more than its bytes."""

    def __init__(self, number: int, problem: str) -> None:
        super().__init__(f"Line {number}: {problem}")
        self.number = number


def bytes_of_hex(text: str) -> bytes:
    """Return the bytes of hexadecimal digits, or of a dump by xxd, hexdump -C, od -t x1 or Wireshark.

    Raises:
        ValueError: something else stands there, or a dump from which bytes or their order are missing; the
            message gives the line.
    """
    lines = [(number, line) for number, line in enumerate(_unquoted(text).splitlines(), 1) if line]
    first = _DUMP_ROW.match(lines[0][1]) if lines else None
    if first is None or (first[1] or first[3]).strip("0"):
        plain = [(number, _pairs(number, line)) for number, line in lines]
        for number, pairs in plain:
            sizes = {*map(len, pairs[1:])}
            beside_bytes = sizes == {2} and len(pairs[0]) > 2 < len(pairs)
            if beside_bytes or (sizes and pairs[0].startswith("00") and len(pairs[0]) > max(sizes)):
                raise ValueError(
                    f"Line {number}: {pairs[0]} seems to be an offset: rows before it are missing."
                )
        return b"".join(bytes.fromhex("".join(pairs)) for _, pairs in plain)
    rows = []
    for number, line in lines:
        if line.strip() == "*":
            raise ValueError(f"Line {number}: * stands for lines that are left out; make the dump with -v.")
        row = _DUMP_ROW.match(line)
        if row is None:
            raise ValueError(f"Line {number}: “{line.strip()[:20]}” is no row of a dump.")
        rows.append(_Row(number, row[1] or row[3], bool(row[2] or row[4]), row[5]))
        _refuse_words(rows[-1])
    # Those of od are octal or decimal, of seven digits; in other programs' a missing row must not look so.
    bases = (16, 10) if rows[0].colon else (16, 8, 10) if len(rows[0].offset) == 7 else (16,)
    problems = []
    for base in bases:
        try:
            return _dumped(rows, base)
        except _OtherRow as error:
            problems.append(error)
    raise ValueError(max(problems, key=lambda error: error.number))


def _unquoted(text: str) -> str:
    """Return a text without what programs put around it: a BOM, the mark of a mail's quotation on each line,
    no-break spaces, tabs for blanks, blanks at the ends, a heading, the last line of certutil."""
    lines = [line.expandtabs().rstrip() for line in text.lstrip("\ufeff").replace("\xa0", " ").splitlines()]
    if all(line.startswith(">") for line in lines if line):
        lines = [_QUOTATION.sub("", line, count=1) for line in lines]
    if lines and _DUMP_COMMAND.fullmatch(lines[0]):
        lines[0] = ""
    for at, line in enumerate(lines[:_LINES_OF_HEADING]):
        if line.upper().removeprefix("OFFSET(H)").split() == _HEADING:  # HxD has the word
            rules = lines[at + 1 : at + 2]
            at += bool(rules and rules[0].strip(" -") == "")
            lines[: at + 1] = [""] * (at + 1)
            break
    if lines and lines[-1].startswith("CertUtil: "):
        lines.pop()
    return "\n".join("" if _LINE_OF_C.fullmatch(line) else line for line in lines)


def _pairs(number: int, line: str) -> list[str]:
    found = []
    for word in line.replace("\\x", " ").split():
        pair = _PAIRS.fullmatch(word)
        if pair is not None and len(pair[1]) % 2:
            raise ValueError(f"Line {number}: “{word[:20]}” is not hexadecimal in pairs: a digit is missing.")
        if pair is None and word.endswith(":") and _PAIRS.fullmatch(word[:-1]):
            raise ValueError(f"Line {number}: {word} seems to be an offset: rows before it are missing.")
        if pair is None:
            raise ValueError(f"Line {number}: “{word[:20]}” is not hexadecimal in pairs, as in 3C 3F.")
        found.append(pair[1])
    return found


def _dumped(rows: list[_Row], base: int) -> bytes:
    """Return the bytes of a dump, as many of each row as its offset and the next one say; of a last row as
    many as stand where rows before it have theirs. Beside them no more characters may stand than they are.

    Raises:
        _OtherRow: it is not so.
    """
    try:
        offsets = [int(row.offset, base) for row in rows]
    except ValueError:
        raise _OtherRow(0, f"the offsets are not in base {base}.") from None
    data, width = bytearray(), 0
    for at, row in enumerate(rows):
        if at + 1 < len(rows):
            size = offsets[at + 1] - offsets[at]
            shown = rf"$|[ \t]{{2}}|[ \t]+[|>]| .{{1,{size}}}$"  # PowerShell has one blank behind a full row
            pattern = rf"(?:[ \t]*[0-9A-Fa-f]{{2}}){{{size}}}(?={shown})"
            found = re.match(pattern, row.rest) if 0 < size <= _MOST_IN_ROW else None
            if found is None:
                offset, number = rows[at + 1].offset, rows[at + 1].number
                raise _OtherRow(
                    number, f"{offset} is not the offset of this line, or the one before is of {_OTHER}."
                )
            area, width = found[0], found.end()
        else:
            area = row.rest[:width] if width else _area(row)
        pairs = _pairs(row.number, area)
        row_bytes = bytes.fromhex("".join(pairs))
        one_size = not any(len(pair) > len(pairs[0]) for pair in pairs)
        one_blank = area.strip().count("  ") < 2  # but for two in the middle of a row
        if not (one_size and one_blank and _may_be_shown(row_bytes, row.rest[len(area) :].strip())):
            raise _OtherRow(row.number, f"“{row.rest[:60]}” is not one row, or it is of {_OTHER}.")
        data += row_bytes
    return bytes(data)


def _may_be_shown(data: bytes, shown: str) -> bool:
    """Return True where a row may show its bytes so: one character each, or nothing. Blanks at the ends (40
    in EBCDIC) are not seen; hexdump and od put the characters between two marks."""
    least = len(data) - data.count(b" ") - data.count(b"@")
    sizes = [len(shown), len(shown) - 2 if shown[:1] + shown[-1:] in ("||", "><") else -1]
    return not shown or any(least <= size <= len(data) for size in sizes)


def _area(row: _Row) -> str:
    """Return the digits of a dump's only row; its characters stand behind two spaces."""
    if not row.colon and row.rest.endswith("|") and "  |" in row.rest:
        return row.rest.partition("  |")[0]
    halves = _HALVES.match(row.rest)
    return halves[0] if halves else row.rest.partition("  ")[0]


def _refuse_words(row: _Row) -> None:
    """Refuse words of several bytes in the order of the machine: of plain hexdump, od -x, xxd -e. Of xxd the
    characters beside them show the order."""
    groups = row.rest.partition("  ")[0].split()
    sizes = set(map(len, groups))
    refused = not row.colon and bool(sizes - {2}) and all(map(str.isalnum, groups))
    if row.colon and 2 not in sizes and all(map(_PAIRS.fullmatch, groups)):
        words = [bytes.fromhex(one) for one in groups if len(one) % 2 == 0]
        straight, turned = _shown(words), _shown([one[::-1] for one in words])
        refused = row.rest.endswith(turned) and not row.rest.endswith(straight)
    if refused:
        raise ValueError(
            f"Line {row.number}: these are words, not bytes; make the dump with hexdump -C or od -t x1."
        )


def _shown(words: list[bytes]) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in b"".join(words)).rstrip()


def declared_encoding(text: str) -> str:
    """Return that of `TEXT_ENCODINGS` which the declaration of a text names, if that has its characters; else
    UTF-8. A browser, an editor or a terminal has decoded what is pasted: its bytes are not known."""
    found = parse_declaration(text)
    charset = lookup(found.encoding or "", lenient=True) if found is not None else None
    charset = None if charset is not None and charset.family == "US-ASCII" else charset
    for name in (charset.superset, charset.name) if charset is not None else ():
        with suppress(UnicodeEncodeError):
            if name in TEXT_ENCODINGS and text.encode(TEXT_ENCODINGS[name]):
                return name
    return "UTF-8"


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


_STATUS = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]*+HTTP/[0-9.]{1,3} [0-9]{3}[^\r\n]*+\r?\n")
_FIELD = re.compile(
    rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}):[ \t]*+([^\r\n]*+(?:\r?\n[ \t]++[^\r\n]++)*+)\r?\n"
)
"""A field, which may be folded (RFC 9112 section 5.2)."""
_FOLD = re.compile(rb"\r?\n[ \t]++")
_EMPTY = re.compile(rb"[ \t]*+\r?\n")
_OTHER_HEADERS = re.compile(
    rb"^(?:RawContent[ ]*+:)?+[^\r\n:A-Za-z]{0,8}(?:content-type\b|HTTP/[0-9.]{1,3} [0-9]{3}\b)", re.I | re.M
)
"""A field or a status line with something before it, as `curl -v`, browsers and PowerShell show them."""
_BESIDE_HEADERS = re.compile(rb"[*>{}$#]|[ ]*+(?:% Total|Dload|[0-9]{1,3} ++[0-9.]++[kMG]?+ )")
"""What `curl -v` prints beside the headers of an answer; a prompt; curl's progress."""
_COMMAND = re.compile(rb"(?:[^\n<]{0,200}\n)?[^\n<]{0,200}\bcurl\b[^\n<]*+\n?")
"""A command, behind any prompt, which may have a line of its own before it."""
_HOST = rb"[\w.-]{1,32}(?:@|\xe3\x89\xbf)[\w.-]{1,64}"
_BEHIND = re.compile(
    rb"(?:\s*+\* [^\n<]*+)*+\s*+(?:(?:[^\n<]{0,100}(?:[$#%>]|SIGN)|(?:SIGN|PS [A-Z]:|"
    rb"(?:\xe2\x94\x8c[^\n<@]{0,9})?HOST[^\n<$#%>]{0,100}\n?[^\n<$#%>]{0,9}[$#%>])[^\n<]{0,100})\s*+){0,3}".replace(
        b"SIGN", b"(?:\xe2\x9d\xaf|\xe2\x9e\x9c|\xce\xbb)"
    ).replace(b"HOST", _HOST)
)
"""What a terminal shows behind a document: the last lines of `curl -v`, and prompts, with the next command
where they show who works where, or begin with a sign of a shell (❯, ➜, λ)."""
_ADDRESS = re.compile(
    rb"\s*+(?:[a-z]{2,9}://|[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,9}(?::[0-9]{1,5})?/)[^\s<]*+\s*+"
)
_MARKUP = re.compile(rb"<[?!A-Za-z]")
_END_OF_CHUNKS = re.compile(rb"(?:[!#$%&'*+.^_`|~0-9A-Za-z-]++:[^\r\n]*+\r?\n)*+(?:\r?\n)*+")
"""What may follow the last chunk: fields, and an empty line."""
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*+(?:;[^\r\n]*+)?\r?\n")


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


def _is_dump(text: str) -> bool:
    """Return True where all of a text is a dump by its rows."""
    row = _DUMP_ROW.match(text)
    if row is None or not row[5]:
        return False
    with suppress(ValueError):
        return bytes_of_hex(text) != b""
    return False


def without_prompt(data: bytes) -> bytes:
    """Return pasted text without what a terminal shows behind a document."""
    last = data.rfind(b"</")
    end = data.find(b">", last) + 1
    is_document = last >= 0 and end > 0 and data[end:].strip() != b""
    return data[:end] + b"\n" if is_document and _BEHIND.fullmatch(data, end) else data


def as_curl_prints(data: bytes) -> bytes:
    """Return a pasted response as `curl -i` prints it: without what `curl -v` shows beside it, a prompt and
    the progress; with an empty line before the document. As it is where other lines stand there."""
    markup = _MARKUP.search(data)
    start = markup.start() if markup else len(data)
    head, document = data[:start], data[start:]
    lines = [b""]
    command = _COMMAND.match(head := head.lstrip())
    for line in head[command.end() if command else 0 :].splitlines():
        line = line.removeprefix(b"< ").rstrip()
        if not line or line == b"<" or _BESIDE_HEADERS.match(line):
            continue
        if _STATUS.match(line + b"\n"):
            lines.append(b"")
        elif lines[-1].endswith(b":"):  # as browsers show them, in two lines
            line = lines.pop() + line
        elif not _FIELD.match(line + b"\n"):
            return data
        lines.append(line)
    named = any(_STATUS.match(line + b"\n") or line.lower().startswith(b"content-type:") for line in lines)
    return b"\n".join([*lines, b"", document]).lstrip(b"\n") if named else data


def refuse_what_is_no_document(data: bytes) -> None:
    """Refuse headers in a form that is not read, before a document or without one; an address; and what a
    browser shows in place of a document.

    Raises:
        ValueError: it is one of these.
    """
    markup = _MARKUP.search(data)
    if _OTHER_HEADERS.search(data[: markup.start() if markup else len(data)]):
        raise ValueError(
            "These headers cannot be read: paste them as curl -i prints them, with an empty line and the "
            "document behind them; or the document alone, and its Content-Type under “How it is sent”."
        )
    if _ADDRESS.fullmatch(data):
        raise ValueError(
            "This is an address, and this page opens none: open it in the browser, save what it shows, and "
            "choose that file; or paste what curl -i prints for it."
        )
    if _is_dump(data.decode("utf-8", "replace")):
        raise ValueError("This is a dump: choose “hexadecimal” for it.")
    if data.lstrip().startswith((b"This XML file does not appear to have any style", "▼".encode())):
        raise ValueError(
            "This is what a browser shows of a document, and not the document: show its source (Ctrl-U), and "
            "copy that; or save it, and choose that file."
        )


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
        body = _joined(body) or _joined(re.sub(rb"\r?\n", b"\r\n", body)) or body  # a field has LF alone
    coding = fields.get("content-encoding", "").lower()
    if coding in ("", "identity") or begins_as_text(body[:4096]):
        return body
    if body[:3] not in GZIP_BEGINNINGS and "gzip" not in coding and is_packed(body[:4096]):
        raise ValueError(
            f"The body is packed with {coding[:20]}; save the response with curl -i --compressed."
        )
    for _ in range(coding.count("gzip") or 1):
        body = unpacked(body)
    return body


_MOST_UNPACKED = 100_000_000
"""Bytes of what is unpacked, twice as many as a document may have here: its text takes several times more."""


def unpacked(body: bytes) -> bytes:
    """Return what gzip holds, as far as it can be read; other bytes as they are."""
    if body[:3] not in GZIP_BEGINNINGS:
        return body
    try:
        return gunzip(body, FILE_LIMITS._replace(decoded=_MOST_UNPACKED))[0]
    except OverLimit as error:
        return error.partial


def _joined(body: bytes) -> bytes:
    """Return the chunks as one; nothing where it is not in chunks to its end."""
    pieces, at = [], 0
    while chunk := _CHUNK.match(body, at):
        size = int(chunk[1], 16)
        if size == 0:
            return b"".join(pieces) if _END_OF_CHUNKS.fullmatch(body, chunk.end()) else b""
        pieces.append(body[chunk.end() : chunk.end() + size])
        end = _EMPTY.match(body, chunk.end() + size)
        if end is None:
            break
        at = end.end()
    return b""
