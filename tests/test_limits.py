"""The limits that are promised: their numbers, which other tests take from the code."""

from __future__ import annotations

import importlib

from support.each import each

PROMISED = {
    # The specification's, or the documentation's.
    "charsets.lookup.MAX_LABEL": 64,
    "evidence.declaration.DECLARATION_LIMIT": 4096,
    "evidence.document_head.PREFIX_LIMIT": 4096,
    "evidence.document_head.EBCDIC_SPAN": 64,
    "evidence.document_head.NULL_SPAN": 64,
    "evidence.detector.LOOKAHEAD": 1024 * 1024,
    "evidence.utf8_sequences.ENOUGH": 2000,
    "evidence.detector.IN_A_ROW": 3,
    "evidence.content_type.FIELD_LIMIT": 8192,
    "decide.lenient_chain.DECODED": 2,
    "text.source_positions.OFFSETS": 100,
    "text.mojibake.LONGEST_MARKUP": 64 * 1024,
    "text.xml_text.LONGEST_DECLARATION": 1000,
    "text.mojibake.RUN": 64 * 1024,
    "text.mojibake.LONGEST_READ": 1024,
    "fetch.limits.FILE_RATIO": 1000,
    "fetch.urls.LONGEST_URL": 16_384,
    "fetch.limits.MIB": 1024 * 1024,
    "validate.document_check.FINDINGS_OF_A_CODE": 100,
    "parsing.recovery_log.LISTED": 100,
    "parsing.libxml2.HOLD_LIMIT": 16 * 1024 * 1024,
    "cli.terminal.EXIT_OK": 0,
    "cli.terminal.EXIT_FINDINGS": 1,
    "cli.terminal.EXIT_UNUSABLE": 2,
    "cli.terminal.EXIT_INTERRUPTED": 130,
}


@each("name", PROMISED)
def test_the_number(name: str) -> None:
    module, _, constant = name.rpartition(".")
    assert getattr(importlib.import_module(f"feedcharset.{module}"), constant) == PROMISED[name]
