"""Decodes a document that is read by a western page and goes on behind the window, where UTF-8 may begin.

A UTF-8 document whose first megabyte holds one stray byte, or a western archive to whose end items in UTF-8
were added, is read by the page as long as nothing proves UTF-8. The first sequence that does (no honest text
of the page holds it) begins the mixture: from there on sequences are UTF-8 and counted as repairs of kind
"utf-8", all other bytes are the page's.

A sequence that proves nothing by itself (`Å½` of `Žižkov`) is UTF-8 if a proof begins within NEAR bytes, so
text is held back from such a sequence on, as far as that. The text is the same however the bytes are cut.
"""

from __future__ import annotations

import re
from codecs import charmap_decode, utf_8_decode
from typing import TYPE_CHECKING

from feedcharset.evidence.utf8_sequences import first_proof
from feedcharset.text.base_decoder import BaseDecoder
from feedcharset.text.byte_replacement import (
    page_table,
    replace_in_utf8,
    replaced_unit,
    undecodable_offsets,
    utf8_byte_counter,
)

if TYPE_CHECKING:
    from feedcharset.charsets.lookup import Charset
    from feedcharset.text.repair_log import RepairLog

__all__ = ["NEAR", "MixtureDecoder"]

NEAR = 1024
"""Bytes before a proof in which other sequences are UTF-8, too: the title of an item, and some markup."""

_CHARACTER = re.compile("[^\x00-\x7f\udc80-\udcff]")


class MixtureDecoder(BaseDecoder):
    """Decode by a western page until a sequence proves UTF-8; from there on sequences as UTF-8.

    Args:
        charset: the charset whose superset is the page.
        errors: the policy for undecodable bytes; no byte of these pages is undecodable.
        log: counts the sequences.
        skip: number of bytes at the beginning that hold no proof: those of the window.
    """

    def __init__(self, charset: Charset, errors: str, log: RepairLog, *, skip: int) -> None:
        super().__init__(charset.name, charset.family, errors, log)
        self._charset = charset
        self._skip = skip
        self._held = b""
        self._before = b" "
        self._mixed = False

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of the next bytes."""
        text = ""
        if self._skip:
            text = self._by_page(data[: self._skip])
            self._skip, data = self._skip - len(data[: self._skip]), data[self._skip :]
        data = self._held + data if self._held else data
        self._held = b""
        if self._mixed:
            return text + self._by_sequence(data, final)
        proof = first_proof(data, self._before, self._charset, near=NEAR, final=final)
        text += self._by_page(data[: proof.certain])
        data = data[proof.certain :]
        if proof.found:
            self._mixed = True
            return text + self._by_sequence(data, final)
        self._held = data
        return text

    def _by_page(self, data: bytes) -> str:
        text = charmap_decode(data, "strict", page_table(self._charset.superset))[0]
        if self.source_offsets is not None:
            self.source_offsets.add(len(text), self._offset, text, None, lambda index: index)
        self._offset += len(data)
        self._before = data[-1:] or self._before
        return text

    def _by_sequence(self, data: bytes, final: bool) -> str:
        escaped, used = utf_8_decode(data, "surrogateescape", final)
        data, self._held = data[:used], data[used:]
        text = replace_in_utf8(escaped, data, self._charset.superset).text
        counter = utf8_byte_counter(escaped)
        count = len(_CHARACTER.findall(escaped))
        if count:
            self._log.add("utf-8", count, undecodable_offsets(escaped, _CHARACTER, counter, self._offset))
        if self.source_offsets is not None:
            unit = replaced_unit("UTF-8", "windows-1252")
            self.source_offsets.add(len(text), self._offset, escaped, unit, counter)
        self._offset += used
        return text
