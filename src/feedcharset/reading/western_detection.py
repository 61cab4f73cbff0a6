"""`detect`: the encoding of a file, a stream or bytes, without any label.

Bytes are searched with `in`, which is memchr: 28 searches of a block that lies in the processor's cache take
0.2 ns a byte, a table look-up of each byte (`bytes.translate`) 0.3.
"""

from __future__ import annotations

import os
import re
from codecs import getincrementaldecoder, utf_8_decode
from collections.abc import Iterator
from typing import Any

from feedcharset.charsets.lookup import Charset, lookup
from feedcharset.fetch.gunzip import PieceStream
from feedcharset.reading.byte_streams import CallerStream
from feedcharset.results import Buffer, Detection, Readable

BLOCK = 256 * 1024
"""Bytes that are best read at once: they fit a processor's second-level cache, and few are copied."""

PIECE = 16 * 1024
"""Bytes that are decoded at once. Each result is freed before the next is made, and yet larger pieces leave
holes in the C library's heap: 10 MiB of them with 32 KiB, 5 with 16, for three hundredths of the time."""

_CONTROLS = bytes([*range(0x09), *range(0x0E, 0x20), 0x7F])
_C1 = bytes(range(0x80, 0xA0))
_NOT_1252 = b"\x81\x8d\x8f\x90\x9d"

NAMED_SPAN = 4096
"""First bytes in which a text that is no XML names its charset: before the header of a catalogue stand its
licence and its translators. What stands later is about a part, as in a box of mails."""

CODING_LINES = 5
"""First lines in which Vim reads a modeline; Python and Emacs read two."""

_LABEL = rb"[ \t]*+[=:]?[ \t]*+[\"']?([A-Za-z][\w.+-]*+)"
_CODING = re.compile(rb"(?i)(?<!-en)coding(?=[ \t]*+[=:])(?!:USASCII\b)" + _LABEL)  # OFX has two keys
# Headers of catalogues, mails and HTML, parameters of vCard; HTML; CSS; Vim; LaTeX; SQL; resources, ASP
# and OFX; dictionaries; GEDCOM; MARC 21, whose byte 9 is a space, or `a` for UTF-8.
_CHARSET_NAMED = re.compile(
    rb"(?i)(?:[;,][ \t\r\n]*+charset|<meta[ \t\r\n]++charset|\A@charset|\bscriptencoding)"
    + _LABEL
    + rb"|\\(?:usepackage\s*+\[[ \t]*+([\w-]++)[ \t]*+\]\s*+\{(?:\w++,)*+inputenc|inputencoding\{([\w-]++))\}"
    + rb"|(?:\bSET[ \t]++(?:NAMES[ \t]|client_encoding[ \t]++TO[ \t])|\bcharacter_set_client[ \t]*+="
    + rb"|'client_encoding'[ \t]*+,|(?m:^)\\encoding[ \t])[ \t]*+[\"']?([A-Za-z]\w*+(?:-\w++)*+)"
    + rb"|(?m:^(?-i:CHARSET):[ \t]*+(ISO-8859-\d++)[ \t]*+\r?$)"
    + rb"|(?:code_?page|charset)[ \t]*+[(=:][ \t]*+\"?(437|737|775|8(?:5[02578]|6[0-69]|74)|9(?:32|36|49|50)"
    + rb"|125[0-8]|10000|10007|10029|20866|21866|28(?:59[1-9]|60[35])|51932|51949|54936)\b"
    + rb"|(?m:^(?-i:SET)[ \t]++(?:microsoft-)?+([A-Za-z][\w.+-]*+)[ \t]*+\r?$)"
    + rb"|\A(?:microsoft-)?+(iso-?8859-\d++|koi8-[ru]|cp125\d)[ \t]*+\r?\n"
    + rb"|[\r\n][ \t]*+1[ \t]++CHAR[ \t]++([A-Za-z][\w.+-]*+)(?=[ \t]*+[\r\n])"
    + rb"|\A\d{5}[ -~]{4}( )[\d ]{7}[ -~]{3}450[0 ]"
)
_OWN_NAMES = {"IBMPC": "IBM437", "ansinew": "windows-1252", "applemac": "macintosh", "macce": "x-mac-ce"}
_OWN_NAMES[" "] = "MARC-8"
"""Labels of GEDCOM, LaTeX and MARC that are none of the Encoding Standard."""
_NO_XML = re.compile(
    rb"\s*+(?:[^<\s]|<%|<\?(?!xml)|<(?:!--.*?-->\s*+<)?(?:!doctype\s++html|html|head|meta)\b)",
    re.DOTALL | re.IGNORECASE,
)


def detect(source: str | os.PathLike[str] | Buffer | Readable) -> Detection:
    """Detect the encoding of a file, without any label.

    The first that is possible of US-ASCII (also for no bytes at all), UTF-8 (well-formed: Unicode 15.0, table
    3-7), ISO-8859-15 (no byte 7F-9F), windows-1252 (none of 7F 81 8D 8F 90 9D). DEL and control characters
    other than 09-0D exclude all of them. One pass, constant memory; reading ends where no answer is left.

    Args:
        source: a path, bytes, or a binary stream, which is read from its position and not closed.

    Returns:
        The name, or None with the offset, from the first byte read, of the byte that excluded the last name;
        in a sequence that is not UTF-8, of its first byte.

    Raises:
        OSError: the file cannot be read.
        TypeError: the source is something else, a text stream for example.
    """
    if isinstance(source, (str, os.PathLike)):
        from feedcharset.reading.sources import open_path

        with open_path(source) as file:
            return detect_stream(file)
    stream: Any = source
    if not hasattr(source, "read"):
        try:
            view = memoryview(source)
        except TypeError:
            raise TypeError(
                f"detect() reads a path, bytes or a stream, not {type(source).__name__}"
            ) from None
        stream = PieceStream(taken=view.cast("B") if view.c_contiguous else view.tobytes())
    return detect_stream(stream)


def detect_stream(stream: Readable) -> Detection:
    """Detect the encoding of a binary stream, which is read from its position and not closed."""
    waiting, utf8 = CallerStream(stream), getincrementaldecoder("utf-8")()
    seen = held = 0
    """Bytes that were scanned; how many of the last ones are the beginning of a sequence."""
    is_ascii = is_latin9 = True
    not_utf8: int | None = None
    not_1252: int | None = None
    """Offsets of the bytes that ruled them out; what rules ISO-8859-15 out need not be remembered, since
    windows-1252 is never ruled out before it."""
    while (not_utf8 is None or not_1252 is None) and (block := waiting.read(BLOCK)):
        control = _first(block, _CONTROLS)
        block = block if control < 0 else block[:control]
        if held or not block.isascii():
            is_ascii = False
            is_latin9 = is_latin9 and not any(byte in block for byte in _C1)
            if not_1252 is None and (undefined := _first(block, _NOT_1252)) >= 0:
                not_1252 = seen + undefined
            for start in range(0, len(block), PIECE) if not_utf8 is None else ():
                try:
                    utf8.decode(block[start : start + PIECE])
                except UnicodeDecodeError as error:
                    not_utf8 = seen + start - held + error.start
                    break
                held = len(utf8.getstate()[0])
        seen += len(block)
        if control >= 0:  # what is still possible is not, from here on
            not_utf8 = seen - held if not_utf8 is None else not_utf8
            not_1252 = seen if not_1252 is None else not_1252
            is_ascii = is_latin9 = False
    if held and not_utf8 is None:
        not_utf8 = seen - held
    if is_ascii:
        return Detection("US-ASCII", None)
    if not_utf8 is None:
        return Detection("UTF-8", None)
    if is_latin9:
        return Detection("ISO-8859-15", None)
    if not_1252 is None:
        return Detection("windows-1252", None)
    return Detection(None, max(not_utf8, not_1252))


def _first(block: bytes, data: bytes) -> int:
    """Offset of the first byte that is one of `data`, or -1."""
    return min((block.find(byte) for byte in data if byte in block), default=-1)


def named_in_text(data: bytes) -> str | None:
    """Return the label by which a text that is no XML names its charset."""
    head = data[:NAMED_SPAN].removeprefix(b"\xef\xbb\xbf")
    if not _NO_XML.match(head):
        return None
    found = _CODING.search(b"\n".join(head.splitlines()[:CODING_LINES])) or _CHARSET_NAMED.search(head)
    label = found[found.lastindex or 0].decode("latin-1") if found else None
    return _OWN_NAMES.get(label or "") or (f"cp{label}" if label and label.isdigit() else label)


class PartCharsets:
    """The charsets that the parts of a mail, or the mails of a box, name for themselves."""

    HEADER_LIMIT = 1024
    """Bytes of a header field that names one, and so many are kept, since a piece may end within it."""

    MOST_BOUNDARIES = 16
    """Boundaries that are kept: parts within parts name one each."""

    _PART = re.compile(
        rb"(?<=\n)(?:From \S++ ++(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) |--([^\s-][^\r\n]{0,80}+)"
        rb"|(?i:Content-Type:)((?:[^\r\n]|\r?\n[ \t]){0,%d}+))" % HEADER_LIMIT
    )
    _LABEL = re.compile(rb"(?i)[;\s]charset" + _LABEL)
    _BOUNDARY = re.compile(rb"(?i)[;\s]boundary[ \t]*+=[ \t]*+(?:\"([^\"\r\n]{1,70})|([^\s\";]{1,70}+))")
    _STRAY = re.compile("[\udc80-\udcff]")

    def __init__(self) -> None:
        self._charset: Charset | None = None
        """Of the part in which the bytes that are kept begin."""
        self._kept = b"\n"
        self._boundaries: list[bytes] = []

    def _changes(self, data: bytes) -> Iterator[tuple[re.Match[bytes], Charset | None]]:
        """Yield what ends the text of a part, and the charset of the next one: the first line of a mail, a
        boundary that a field names, or a field that names a charset. `--verbose` in a text is none."""
        for match in self._PART.finditer(data):
            charset = None
            if match[2] is not None:
                if found := self._BOUNDARY.search(match[2]):
                    self._boundaries = [*self._boundaries, found[1] or found[2]][-self.MOST_BOUNDARIES :]
                if (label := self._LABEL.search(match[2])) is None:
                    continue
                charset = lookup(label[1].decode("latin-1"), lenient=True)
            elif match[1] and match[1].rstrip().removesuffix(b"--") not in self._boundaries:
                continue
            yield match, charset

    @classmethod
    def named_in(cls, data: bytes) -> list[str]:
        """Return the charsets of the parts that have other bytes than those of ASCII, each once; of
        ISO-8859-1 and windows-1252 the first."""
        found: dict[str, str] = {}
        charset, start = None, 0
        for match, following in (*cls()._changes(data), (None, None)):
            part = data[start : match.start() if match else len(data)]
            if charset is not None and (not part.isascii() or b"\x1b" in part):
                found.setdefault(charset.superset, charset.name)
            charset, start = following, match.end() if match else 0
        return [*found.values()]

    def misread_in(self, data: bytes, final: bool = False) -> str | None:
        """Return the charset of a part in which the next bytes that are not UTF-8 have other characters than
        in windows-1252; None where there is none."""
        data = self._kept + data
        kept = max(len(data) - self.HEADER_LIMIT, 0)
        if self._charset is not None or b"harset" in data or b"HARSET" in data:
            charset, start = self._charset, 0
            for match, following in self._changes(data):
                if charset is not None and self._reads_otherwise(data[start : match.start()], charset, True):
                    return charset.name
                charset, start = following, match.end()
                if start <= kept:
                    self._charset = charset
                else:
                    kept = min(kept, match.start() - 1)
            if charset is not None and self._reads_otherwise(data[start:], charset, final):
                return charset.name
        self._kept = data[kept:]
        return None

    def _reads_otherwise(self, data: bytes, charset: Charset, final: bool) -> bool:
        if charset.family not in ("single", "CJK") or charset.superset == "windows-1252" or data.isascii():
            return False
        text = utf_8_decode(data.lstrip(bytes(range(0x80, 0xC0))), "surrogateescape", final)[0]
        strays = "".join(set(self._STRAY.findall(text))).encode("ascii", "surrogateescape")
        return strays.decode(charset.codec or "ascii", "replace") != strays.decode("cp1252", "replace")
