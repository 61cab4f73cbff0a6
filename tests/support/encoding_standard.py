"""A slow decoder of the Encoding Standard's encodings, written from its prose
(https://encoding.spec.whatwg.org).

One class for each decoder algorithm, one method for each of its handlers, in the words and in the order of
the
standard: the variables are those of the prose, and the numbers of its steps are in the comments. The indexes
are fixtures/whatwg_decoding.tsv.gz. Nothing is shared with the library. `replacement`, `x-user-defined` and
the encodings' BOM handling (`decode`, section 6) are left out.

`decode(encoding, data)` returns what each handler emitted, with the bytes that it was read from.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import ClassVar, NamedTuple

__all__ = ["ENCODINGS", "SINGLE_BYTE", "Item", "decode", "index", "text_of"]

TABLE = Path(__file__).parents[2] / "fixtures" / "whatwg_decoding.tsv.gz"

END = -1
"""End-of-queue."""

Result = str | None
"""What a handler returns: characters; None for error; "" for continue."""


class Item(NamedTuple):
    """What the decoder emitted."""

    text: str | None
    """Characters; None for an error, which is shown as U+FFFD."""
    start: int
    """The first byte that it was read from."""
    end: int
    """The end of its bytes; bytes that were restored to the queue belong to what follows."""


@cache
def rows() -> dict[str, list[tuple[str, str]]]:
    """The bytes, or pointers, and code points of the table, by the name in its first column."""
    found: dict[str, list[tuple[str, str]]] = {}
    for line in gzip.decompress(TABLE.read_bytes()).decode("ascii").splitlines():
        name, data, points = line.split("\t")
        found.setdefault(name, []).append((data, points))
    return found


@cache
def index(encoding: str) -> dict[bytes, str]:
    """The characters of an encoding by their bytes; for the four-byte ranges of gb18030, by the pointer."""
    return {
        bytes.fromhex(data): "".join(chr(int(point, 16)) for point in points.split())
        for data, points in rows().get(encoding, [])
        if points != "FFFD"
    }


@cache
def gb18030_ranges() -> list[tuple[int, int]]:
    """Index gb18030 ranges: pairs of pointer and first code point."""
    return [(int(pointer), int(point, 16)) for pointer, point in rows()["gb18030-ranges"]]


def in_range(byte: int, first: int, last: int) -> bool:
    """Is the byte in the range first to last, inclusive?"""
    return first <= byte <= last


class Decoder:
    """The I/O queue of a decoder."""

    def __init__(self, encoding: str, data: bytes) -> None:
        self.encoding = encoding
        self.data = data
        self.position = 0

    def restore(self, *bytes_: int) -> None:
        """Restore bytes to the I/O queue."""
        self.position -= len(bytes_)

    def run(self) -> list[Item]:
        """Process the queue (section 4.1)."""
        items: list[Item] = []
        start = 0
        while True:
            byte = self.data[self.position] if self.position < len(self.data) else END
            self.position += 1
            result = self.handler(byte)
            if result == "finished":
                return items
            if result == "":
                continue
            end = min(self.position, len(self.data))
            items.append(Item(result, start, end))
            start = end

    def handler(self, byte: int) -> Result:
        """Handle one byte, or end-of-queue."""
        raise NotImplementedError


class Utf8(Decoder):
    """Section 8.1.1."""

    code_point = bytes_seen = bytes_needed = 0
    lower, upper = 0x80, 0xBF

    def handler(self, byte: int) -> Result:
        if byte == END and self.bytes_needed:  # 1
            self.bytes_needed = 0
            return None
        if byte == END:  # 2
            return "finished"
        if self.bytes_needed == 0:  # 3
            if byte <= 0x7F:
                return chr(byte)
            if in_range(byte, 0xC2, 0xDF):
                self.bytes_needed, self.code_point = 1, byte & 0x1F
            elif in_range(byte, 0xE0, 0xEF):
                if byte == 0xE0:
                    self.lower = 0xA0
                if byte == 0xED:
                    self.upper = 0x9F
                self.bytes_needed, self.code_point = 2, byte & 0xF
            elif in_range(byte, 0xF0, 0xF4):
                if byte == 0xF0:
                    self.lower = 0x90
                if byte == 0xF4:
                    self.upper = 0x8F
                self.bytes_needed, self.code_point = 3, byte & 0x7
            else:
                return None
            return ""
        if not in_range(byte, self.lower, self.upper):  # 4
            self.code_point = self.bytes_needed = self.bytes_seen = 0
            self.lower, self.upper = 0x80, 0xBF
            self.restore(byte)
            return None
        self.lower, self.upper = 0x80, 0xBF  # 5
        self.code_point = (self.code_point << 6) | (byte & 0x3F)  # 6
        self.bytes_seen += 1  # 7
        if self.bytes_seen != self.bytes_needed:  # 8
            return ""
        code_point = self.code_point  # 9
        self.code_point = self.bytes_needed = self.bytes_seen = 0  # 10
        return chr(code_point)  # 11


class SingleByte(Decoder):
    """Section 9.1."""

    def handler(self, byte: int) -> Result:
        if byte == END:
            return "finished"
        if byte <= 0x7F:
            return chr(byte)
        return index(self.encoding).get(bytes([byte]))


class Gb18030(Decoder):
    """Section 10.2.1."""

    first = second = third = 0

    def handler(self, byte: int) -> Result:
        if byte == END and not (self.first or self.second or self.third):  # 1
            return "finished"
        if byte == END:  # 2
            self.first = self.second = self.third = 0
            return None
        if self.third:  # 3
            if not in_range(byte, 0x30, 0x39):
                self.restore(self.second, self.third, byte)
                self.first = self.second = self.third = 0
                return None
            pointer = (self.first - 0x81) * 12600 + (self.second - 0x30) * 1260
            pointer += (self.third - 0x81) * 10 + byte - 0x30
            self.first = self.second = self.third = 0
            return self.ranges_code_point(pointer)
        if self.second:  # 4
            if in_range(byte, 0x81, 0xFE):
                self.third = byte
                return ""
            self.restore(self.second, byte)
            self.first = self.second = 0
            return None
        if self.first:  # 5
            if in_range(byte, 0x30, 0x39):
                self.second = byte
                return ""
            lead, self.first = self.first, 0
            found = index("gb18030").get(bytes([lead, byte]))
            if found is None and byte <= 0x7F:
                self.restore(byte)
            return found
        if byte <= 0x7F:  # 6
            return chr(byte)
        if byte == 0x80:  # 7
            return "€"
        if in_range(byte, 0x81, 0xFE):  # 8
            self.first = byte
            return ""
        return None  # 9

    @staticmethod
    def ranges_code_point(pointer: int) -> str | None:
        """The index gb18030 ranges code point for a pointer (section 5)."""
        if 39419 < pointer < 189000 or pointer > 1237575:
            return None
        if pointer == 7457:
            return "\ue7c7"
        offset, first = max(row for row in gb18030_ranges() if row[0] <= pointer)
        return chr(first + pointer - offset)


class Big5(Decoder):
    """Section 11.1.1."""

    lead = 0

    def handler(self, byte: int) -> Result:
        if byte == END and self.lead:
            self.lead = 0
            return None
        if byte == END:
            return "finished"
        if self.lead:
            lead, self.lead = self.lead, 0
            found = index("Big5").get(bytes([lead, byte]))
            if found is None and byte <= 0x7F:
                self.restore(byte)
            return found
        if byte <= 0x7F:
            return chr(byte)
        if in_range(byte, 0x81, 0xFE):
            self.lead = byte
            return ""
        return None


class EucJp(Decoder):
    """Section 12.1.1."""

    jis0212 = False
    lead = 0

    def handler(self, byte: int) -> Result:
        if byte == END and self.lead:  # 1
            self.lead = 0
            return None
        if byte == END:  # 2
            return "finished"
        if self.lead == 0x8E and in_range(byte, 0xA1, 0xDF):  # 3
            self.lead = 0
            return chr(0xFF61 - 0xA1 + byte)
        if self.lead == 0x8F and in_range(byte, 0xA1, 0xFE):  # 4
            self.jis0212, self.lead = True, byte
            return ""
        if self.lead:  # 5
            lead, self.lead = self.lead, 0
            found = None
            if in_range(lead, 0xA1, 0xFE) and in_range(byte, 0xA1, 0xFE):
                prefix = b"\x8f" if self.jis0212 else b""
                found = self.code_point(prefix + bytes([lead, byte]))
            self.jis0212 = False
            if found is None and byte <= 0x7F:
                self.restore(byte)
            return found
        if byte <= 0x7F:  # 6
            return chr(byte)
        if byte in (0x8E, 0x8F) or in_range(byte, 0xA1, 0xFE):  # 7
            self.lead = byte
            return ""
        return None  # 8

    def code_point(self, sequence: bytes) -> str | None:
        """The index code point of a sequence."""
        return index("EUC-JP").get(sequence)


class Iso2022Jp(Decoder):
    """Section 12.2.1."""

    lead = 0
    output = False
    state = output_state = "ASCII"

    def handler(self, byte: int) -> Result:
        handlers: dict[str, Callable[[int], Result]] = {
            "ASCII": self.ascii,
            "Roman": self.roman,
            "katakana": self.katakana,
            "lead byte": self.lead_byte,
            "trail byte": self.trail_byte,
            "escape start": self.escape_start,
            "escape": self.escape,
        }
        return handlers[self.state](byte)

    def ascii(self, byte: int) -> Result:
        if byte == 0x1B:
            self.state = "escape start"
            return ""
        if in_range(byte, 0x00, 0x7F) and byte not in (0x0E, 0x0F):
            self.output = False
            return chr(byte)
        return self.other(byte)

    def other(self, byte: int) -> Result:
        """End-of-queue, and "Otherwise"."""
        if byte == END:
            return "finished"
        self.output = False
        return None

    def roman(self, byte: int) -> Result:
        if byte in (0x5C, 0x7E):
            self.output = False
            return {0x5C: "\u00a5", 0x7E: "\u203e"}[byte]
        return self.ascii(byte)

    def katakana(self, byte: int) -> Result:
        if byte == 0x1B:
            self.state = "escape start"
            return ""
        if in_range(byte, 0x21, 0x5F):
            self.output = False
            return chr(0xFF61 - 0x21 + byte)
        return self.other(byte)

    def lead_byte(self, byte: int) -> Result:
        if byte == 0x1B:
            self.state = "escape start"
            return ""
        if in_range(byte, 0x21, 0x7E):
            self.output = False
            self.lead, self.state = byte, "trail byte"
            return ""
        return self.other(byte)

    def trail_byte(self, byte: int) -> Result:
        if byte == 0x1B:
            self.state = "escape start"
            # The byte is not in the error's sequence: it begins what follows.
            return None
        self.state = "lead byte"
        if in_range(byte, 0x21, 0x7E):
            return index("EUC-JP").get(bytes([self.lead | 0x80, byte | 0x80]))
        if byte == END:
            self.restore(byte)
        return None

    def escape_start(self, byte: int) -> Result:
        if byte in (0x24, 0x28):
            self.lead, self.state = byte, "escape"
            return ""
        self.restore(byte)
        self.output = False
        self.state = self.output_state
        return None

    def escape(self, byte: int) -> Result:
        lead, self.lead = self.lead, 0
        states = {
            (0x28, 0x42): "ASCII",
            (0x28, 0x4A): "Roman",
            (0x28, 0x49): "katakana",
            (0x24, 0x40): "lead byte",
            (0x24, 0x42): "lead byte",
        }
        if (lead, byte) in states:
            self.state = self.output_state = states[lead, byte]
            output, self.output = self.output, True
            return None if output else ""
        self.restore(lead, byte)
        self.output = False
        self.state = self.output_state
        return None


class ShiftJis(Decoder):
    """Section 12.3.1."""

    lead = 0

    def handler(self, byte: int) -> Result:
        if byte == END and self.lead:  # 1
            self.lead = 0
            return None
        if byte == END:  # 2
            return "finished"
        if self.lead:  # 3
            lead, self.lead = self.lead, 0
            found = index("Shift_JIS").get(bytes([lead, byte]))
            offset = 0x40 if byte < 0x7F else 0x41
            lead_offset = 0x81 if lead < 0xA0 else 0xC1
            if in_range(byte, 0x40, 0x7E) or in_range(byte, 0x80, 0xFC):
                pointer = (lead - lead_offset) * 188 + byte - offset
                if in_range(pointer, 8836, 10715):
                    return chr(0xE000 - 8836 + pointer)
            if found is None and byte <= 0x7F:
                self.restore(byte)
            return found
        if byte <= 0x80:  # 4
            return chr(byte)
        if in_range(byte, 0xA1, 0xDF):  # 5
            return chr(0xFF61 - 0xA1 + byte)
        if in_range(byte, 0x81, 0x9F) or in_range(byte, 0xE0, 0xFC):  # 6
            self.lead = byte
            return ""
        return None  # 7


class EucKr(Decoder):
    """Section 13.1.1."""

    lead = 0

    def handler(self, byte: int) -> Result:
        if byte == END and self.lead:
            self.lead = 0
            return None
        if byte == END:
            return "finished"
        if self.lead:
            lead, self.lead = self.lead, 0
            found = index("EUC-KR").get(bytes([lead, byte])) if in_range(byte, 0x41, 0xFE) else None
            if found is None and byte <= 0x7F:
                self.restore(byte)
            return found
        if byte <= 0x7F:
            return chr(byte)
        if in_range(byte, 0x81, 0xFE):
            self.lead = byte
            return ""
        return None


class Utf16(Decoder):
    """Section 14.4 (shared UTF-16 decoder)."""

    lead_byte = lead_surrogate = -1

    def handler(self, byte: int) -> Result:
        if byte == END and (self.lead_byte >= 0 or self.lead_surrogate >= 0):  # 1
            self.lead_byte = self.lead_surrogate = -1
            return None
        if byte == END:  # 2
            return "finished"
        if self.lead_byte < 0:  # 3
            self.lead_byte = byte
            return ""
        big = self.encoding == "UTF-16BE"  # 4
        code_unit = (self.lead_byte << 8) + byte if big else (byte << 8) + self.lead_byte
        first, self.lead_byte = self.lead_byte, -1
        if self.lead_surrogate >= 0:  # 5
            lead, self.lead_surrogate = self.lead_surrogate, -1
            if in_range(code_unit, 0xDC00, 0xDFFF):
                return chr(0x10000 + ((lead - 0xD800) << 10) + (code_unit - 0xDC00))
            self.restore(first, byte)
            return None
        if in_range(code_unit, 0xD800, 0xDBFF):  # 6
            self.lead_surrogate = code_unit
            return ""
        if in_range(code_unit, 0xDC00, 0xDFFF):  # 7
            return None
        return chr(code_unit)  # 8


SINGLE_BYTE = (
    "IBM866",
    *(
        f"ISO-8859-{part}"
        for part in ("2", "3", "4", "5", "6", "7", "8", "8-I", "10", "13", "14", "15", "16")
    ),
    *("KOI8-R", "KOI8-U", "macintosh", "windows-874"),
    *(f"windows-{page}" for page in range(1250, 1259)),
    "x-mac-cyrillic",
)

ENCODINGS: dict[str, type[Decoder]] = {
    # The 38 encodings of section 4.2 that have text of their own.
    "UTF-8": Utf8,
    **dict.fromkeys(SINGLE_BYTE, SingleByte),
    "GBK": Gb18030,
    "gb18030": Gb18030,
    "Big5": Big5,
    "EUC-JP": EucJp,
    "ISO-2022-JP": Iso2022Jp,
    "Shift_JIS": ShiftJis,
    "EUC-KR": EucKr,
    "UTF-16BE": Utf16,
    "UTF-16LE": Utf16,
}


class EucJpWithJisX0213(EucJp):
    """Also sequences that only JIS X 0213 has."""

    def code_point(self, sequence: bytes) -> str | None:
        try:
            return super().code_point(sequence) or sequence.decode("euc_jis_2004")
        except UnicodeDecodeError:
            return None


class Iso2022JpWithLineFeeds(Iso2022Jp):
    """LF is LF in every set; SO and SI are characters of ASCII and Roman."""

    def ascii(self, byte: int) -> Result:
        if byte in (0x0E, 0x0F):
            self.output = False
            return chr(byte)
        return super().ascii(byte)

    def katakana(self, byte: int) -> Result:
        return self.line_feed() if byte == 0x0A else super().katakana(byte)

    def lead_byte(self, byte: int) -> Result:
        return self.line_feed() if byte == 0x0A else super().lead_byte(byte)

    def line_feed(self) -> str:
        """A character."""
        self.output = False
        return "\n"

    def trail_byte(self, byte: int) -> Result:
        if byte == 0x0A:
            self.restore(byte)
            self.state = "lead byte"
            return None
        return super().trail_byte(byte)


class Iso8859WithWindows(SingleByte):
    """80-9F as the Windows page of the same script has them."""

    PAGES: ClassVar = {
        **dict.fromkeys(("ISO-8859-10", "ISO-8859-14", "ISO-8859-15"), "windows-1252"),
        **dict.fromkeys(("ISO-8859-2", "ISO-8859-16"), "windows-1250"),
        **dict.fromkeys(("ISO-8859-4", "ISO-8859-13"), "windows-1257"),
        **dict.fromkeys(("ISO-8859-8", "ISO-8859-8-I"), "windows-1255"),
        "ISO-8859-3": "windows-1254",
        "ISO-8859-5": "windows-1251",
        "ISO-8859-6": "windows-1256",
        "ISO-8859-7": "windows-1253",
    }

    def handler(self, byte: int) -> Result:
        if in_range(byte, 0x80, 0x9F):
            return index(self.PAGES[self.encoding]).get(bytes([byte]))
        return super().handler(byte)


AS_DOCUMENTED = ENCODINGS | {
    # With what docs/reference/charsets.md lists as read beyond the standard.
    "EUC-JP": EucJpWithJisX0213,
    "ISO-2022-JP": Iso2022JpWithLineFeeds,
    **dict.fromkeys(Iso8859WithWindows.PAGES, Iso8859WithWindows),
}


def decode(encoding: str, data: bytes, *, documented: bool = True) -> list[Item]:
    """Decode bytes.

    Args:
        encoding: a key of ENCODINGS.
        data: the whole input.
        documented: with what the library reads beyond the standard.
    """
    return (AS_DOCUMENTED if documented else ENCODINGS)[encoding](encoding, data).run()


def text_of(items: list[Item]) -> str:
    """The text with error mode "replacement": U+FFFD for each error."""
    return "".join("\ufffd" if item.text is None else item.text for item in items)
