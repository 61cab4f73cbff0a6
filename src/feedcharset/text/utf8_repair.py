"""repair-utf8: makes well-formed UTF-8 of bytes that are mostly UTF-8.

Well-formed UTF-8 is kept byte for byte, noncharacters included. Every other byte (of overlong forms,
surrogates, code points above U+10FFFF, and of other encodings) becomes the character that it is in
windows-1252 or ISO-8859-1, one space, or U+FFFD. The result is the same however the input is cut.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from feedcharset.decide.resolve import as_bytes
from feedcharset.evidence.damaged_utf8 import PAIR_OF_CESU8, join_pairs
from feedcharset.results import Buffer, Repaired, Repairs
from feedcharset.text.byte_decoder import Utf8Decoder
from feedcharset.text.options import Cesu8, Mojibake, RepairErrors, check_option
from feedcharset.text.source_positions import RepairLog

if TYPE_CHECKING:
    from feedcharset.text.mojibake import TextFilters

# CESU-8 (Unicode Technical Report 26): a character beyond U+FFFF as two surrogates of three bytes each. ED
# continues no sequence, so the bytes before it do not matter.
# An expression that begins with a group that repeats would be searched for 30 times slower.
PAIRS_OF_CESU8: re.Pattern[bytes] = re.compile(rb"(?:%b)(?:%b)*+" % (PAIR_OF_CESU8, PAIR_OF_CESU8))
"""Pairs of CESU-8, one behind the other."""
_PAIR_IN_BYTES_BEGUN = re.compile(rb"\xed(?:[\xa0-\xaf](?:[\x80-\xbf](?:\xed[\xb0-\xbf]?)?)?)?\Z")
_PAIR_SIZE = 6


class Utf8Repairer:
    """The filter, incremental and without I/O. `repairs` counts the changes."""

    def __init__(
        self, *, errors: RepairErrors = "windows-1252", cesu8: Cesu8 = "keep", mojibake: Mojibake = "keep"
    ) -> None:
        check_option("errors", errors, RepairErrors)
        check_option("cesu8", cesu8, Cesu8)
        check_option("mojibake", mojibake, Mojibake)
        self._log = RepairLog()
        self.decoder: Utf8Decoder = Utf8Decoder(errors, self._log)
        """It may be told to expect other bytes than those of UTF-8."""
        self._filters: TextFilters | None = None
        if mojibake != "keep":
            from feedcharset.text.mojibake import TextFilters  # only who asks for it

            self._filters = TextFilters(self.decoder, self._log, mojibake=mojibake, xml_chars="keep")
        self._join = cesu8 == "join"
        self._held = b""

    @property
    def repairs(self) -> Repairs:
        """The changes made until now: "bytes", "cesu-8" (pairs joined), "mojibake"; offsets in the input."""
        return self._log.repairs

    def feed(self, data: bytes, final: bool = False) -> bytes:
        """Return the next bytes as UTF-8, as far as they are certain; `final`: the input ends here."""
        if not self._join:
            return self._repaired(data, final, final)
        data = self._held + data if self._held else data
        self._held = b""
        if 0xED not in data:
            return self._repaired(data, final, final)
        begun = None if final else _PAIR_IN_BYTES_BEGUN.search(data, max(0, len(data) - _PAIR_SIZE))
        end = len(data) if begun is None else begun.start()
        self._held = data[end:]
        parts = []
        start = 0
        for match in PAIRS_OF_CESU8.finditer(data):
            parts.append(self._repaired(data[start : match.start()], True, False))
            parts.append(self._joined(match[0]))
            start = match.end()
        parts.append(self._repaired(data[start:end], final, final))
        return b"".join(parts) if len(parts) > 1 else parts[0]

    def _repaired(self, data: bytes, ends: bool, final: bool) -> bytes:
        """Return repaired bytes; `data` holds no pair. `ends`: no sequence continues in the next bytes."""
        if self._filters is not None:
            return self._filters.feed(self.decoder.decode(data, ends), final).encode()
        pieces = self.decoder.pieces(data, ends)
        return b"".join([piece.text.encode() if piece.utf8 is None else piece.utf8 for piece in pieces])

    def _joined(self, pairs: bytes) -> bytes:
        """Return the characters of CESU-8 pairs, as UTF-8."""
        text = join_pairs(pairs)
        start = self.decoder.offset
        self._log.add("cesu-8", len(text), range(start, start + len(pairs), _PAIR_SIZE))
        self.decoder.insert(text, len(pairs))
        return text.encode() if self._filters is None else self._filters.feed(text).encode()


def repair(
    data: Buffer, *, errors: RepairErrors = "windows-1252", cesu8: Cesu8 = "keep", mojibake: Mojibake = "keep"
) -> Repaired:
    """Make well-formed UTF-8 of bytes that are mostly UTF-8.

    Args:
        data: any bytes.
        errors: what replaces a byte that is in no well-formed sequence: the character that it is in
            "windows-1252" (81 8D 8F 90 9D: the C1 control of that number) or "latin-1", one "space", or
            "replace": U+FFFD, one for each maximal subpart (Unicode 15.0, section 3.9).
        cesu8: "join" makes one character of each CESU-8 surrogate pair; "keep" treats its bytes like others.
        mojibake: "fix" also repairs text that was decoded wrongly before, between markup and in attribute
            values.

    Returns:
        The repaired bytes and the changes; offsets are in bytes of `data`.

    Raises:
        ValueError: an option has a value that is not listed here.
        TypeError: for a str; it is decoded already.
    """
    repairer = Utf8Repairer(errors=errors, cesu8=cesu8, mojibake=mojibake)
    fixed = repairer.feed(data if type(data) is bytes else as_bytes(data), final=True)
    return Repaired(fixed, repairer.repairs)
