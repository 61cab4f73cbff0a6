"""repair-utf8: octets that are mostly UTF-8 made UTF-8.

Well-formed UTF-8 is kept octet for octet, noncharacters included; every other octet (of overlong forms,
surrogates, code points above U+10FFFF, and of other encodings) becomes the character it is in windows-1252 or
ISO-8859-1, one space, or U+FFFD. The result is the same however the input is cut.
"""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING, Literal

from feedcharset.results.repairs import Repaired
from feedcharset.text.byte_decoder import Utf8Decoder
from feedcharset.text.option_values import CESU8, MOJIBAKE, OCTETS, check_option
from feedcharset.text.repair_log import RepairLog

if TYPE_CHECKING:
    from collections.abc import Callable

    from feedcharset.results.repairs import Repairs
    from feedcharset.text.text_filters import Finishing

__all__ = ["Repairer", "repair", "repair_stream"]

Octets = Literal["windows-1252", "latin-1", "space", "replace"]

CHUNK = 64 * 1024
"""Octets that `repair_stream` reads at once; larger chunks are fresh memory each time."""

# CESU-8 (Unicode Technical Report 26): a character beyond U+FFFF as two surrogates of three octets each. ED
# continues no sequence, so what stands before it need not be looked at.
_PAIR = rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]"
_PAIRS = re.compile(rb"(?:" + _PAIR + rb")+")
_PAIR_BEGUN = re.compile(rb"\xed(?:[\xa0-\xaf](?:[\x80-\xbf](?:\xed[\xb0-\xbf]?)?)?)?\Z")
_PAIR_OCTETS = 6


class Repairer:
    """The filter, incremental and sans I/O. `repairs` says what was done."""

    def __init__(
        self,
        *,
        octets: Octets = "windows-1252",
        cesu8: Literal["keep", "join"] = "keep",
        mojibake: Literal["keep", "fix"] = "keep",
    ) -> None:
        check_option("octets", octets, OCTETS)
        check_option("cesu8", cesu8, CESU8)
        check_option("mojibake", mojibake, MOJIBAKE)
        self._log = RepairLog()
        self._decoder = Utf8Decoder(octets, self._log)
        self._finishing: Finishing | None = None
        if mojibake != "keep":
            from feedcharset.text.text_filters import Finishing  # only who asks for it

            self._finishing = Finishing(self._decoder, self._log, mojibake=mojibake, xml_chars="keep")
        self._join = cesu8 == "join"
        self._held = b""

    @property
    def repairs(self) -> Repairs:
        """What was changed until now: "octets", "cesu-8" (pairs joined), "mojibake"; offsets in the input."""
        return self._log.repairs

    def feed(self, data: bytes, final: bool = False) -> bytes:
        """The next octets as UTF-8, as far as they are certain.

        Args:
            data: the next piece, of any size.
            final: no more will come.
        """
        if not self._join:
            return self._repaired(data, final, final)
        data = self._held + data
        begun = None if final else _PAIR_BEGUN.search(data, max(0, len(data) - _PAIR_OCTETS))
        end = len(data) if begun is None else begun.start()
        self._held = data[end:]
        parts = []
        start = 0
        for match in _PAIRS.finditer(data):
            parts.append(self._repaired(data[start : match.start()], True, False))
            parts.append(self._joined(match[0]))
            start = match.end()
        parts.append(self._repaired(data[start:end], final, final))
        return b"".join(parts)

    def _repaired(self, data: bytes, ends: bool, final: bool) -> bytes:
        """Octets that hold no pair; `ends`: what comes next belongs to no sequence begun here."""
        if self._finishing is not None:
            return self._finishing.feed(self._decoder.decode(data, ends), final).encode()
        pieces = self._decoder.pieces(data, ends)
        return b"".join([piece.text.encode() if piece.utf8 is None else piece.utf8 for piece in pieces])

    def _joined(self, octets: bytes) -> bytes:
        """CESU-8 pairs as the characters they are."""
        surrogates = octets.decode("utf-8", "surrogatepass")
        text = surrogates.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        start = self._decoder.offset
        self._log.add("cesu-8", len(text), range(start, start + len(octets), _PAIR_OCTETS))
        self._decoder.insert(text, len(octets))
        return text.encode() if self._finishing is None else self._finishing.feed(text).encode()


def repair(
    data: bytes,
    *,
    octets: Octets = "windows-1252",
    cesu8: Literal["keep", "join"] = "keep",
    mojibake: Literal["keep", "fix"] = "keep",
) -> Repaired:
    """UTF-8 made of octets that are mostly UTF-8.

    Args:
        data: any octets.
        octets: what becomes of an octet that is in no well-formed sequence: the character it is in
            "windows-1252" (81 8D 8F 90 9D: the C1 control of that number) or "latin-1", one "space", or
            "replace": U+FFFD, one for each maximal subpart (Unicode 15.0, section 3.9).
        cesu8: "join" makes one character of each CESU-8 surrogate pair; "keep" takes its octets like others.
        mojibake: "fix" also mends text that was decoded wrongly before, between markup and in attribute
            values.

    Returns:
        The octets and what was changed; offsets are in bytes of `data`.

    Raises:
        ValueError: for an option's value that is not listed here.
    """
    repairer = Repairer(octets=octets, cesu8=cesu8, mojibake=mojibake)
    fixed = repairer.feed(data, final=True)
    return Repaired(fixed, repairer.repairs)


def repair_stream(
    src: IO[bytes],
    dst: IO[bytes],
    *,
    octets: Octets = "windows-1252",
    cesu8: Literal["keep", "join"] = "keep",
    mojibake: Literal["keep", "fix"] = "keep",
    progress: Callable[[int], object] | None = None,
) -> Repairs:
    """The same from one binary stream to another, in constant memory.

    Args:
        src: read to its end, and not closed.
        dst: written to, and not closed or flushed.
        octets: as for `repair`.
        cesu8: as for `repair`.
        mojibake: as for `repair`.
        progress: told, after each chunk, how many octets were read.

    Raises:
        ValueError: for an option's value that `repair` does not know.
        TypeError: `src` is a text stream.
    """
    repairer = Repairer(octets=octets, cesu8=cesu8, mojibake=mojibake)
    while data := src.read(CHUNK):
        if isinstance(data, str):
            raise TypeError("repair_stream() reads octets; pass the text stream's .buffer")
        dst.write(repairer.feed(data))
        if progress is not None:
            progress(len(data))
    dst.write(repairer.feed(b"", final=True))
    return repairer.repairs
