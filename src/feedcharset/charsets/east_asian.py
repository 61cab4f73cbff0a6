"""Decoders of the East Asian charsets of one to four bytes a character.

Python's incremental codec decodes the bytes. Where it finds an error it calls an error handler of ours, which
decodes some bytes sequence by sequence (`ByteSequences.sequence`) and returns where the codec goes on. That
is because CPython calls one byte undecodable and continues in the middle of an unassigned pair, so that all
pairs up to the next ASCII byte are read wrongly. Here an unassigned pair is undecodable as a whole, but an
ASCII byte is not part of it (as in the Encoding Standard): a damaged character cannot swallow the `<` or the
quotation mark after it. Nor, read leniently, the first `]` of a `]]>` before an end tag, with which it may be
a rare character: a program that cuts text by bytes would hide all up to the next `]]>`.

Lenient decoding is the Encoding Standard's; codec_differences.py lists what Python's codecs read otherwise:

- characters of the codec for which the standard has others are replaced in the text (`replacements`);
- sequences that the codec does not know are read by the error handler (`readings`);
- a sequence whose character the codec also has for another sequence (`suspects`) is looked for in the bytes
  where that character is in the text; then the bytes before, between and after such sequences are decoded
  one part after the other.
"""

from __future__ import annotations

import re
from codecs import IncrementalDecoder, getincrementaldecoder, register_error
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache, partial
from typing import NamedTuple

from feedcharset.charsets.codec_differences import ADDITIONS, CODEC_REPLACEMENTS, SEQUENCES
from feedcharset.charsets.undecodable_bytes import (
    HELD_CHARACTERS,
    SURROGATES,
    UNDECODABLE_BYTE,
    CharsetDecoder,
    as_surrogates,
    join_parts,
)

HANDLER_PREFIX, SPARSE = "feedcharset.", ".sparse"
"""What the names of the error handlers begin with, and what the names of those end with that raise
DenseDamage. There are at most four for each of the 13 codecs."""

ALONE_BYTES = 8
"""Bytes that the error handler decodes sequence by sequence where damage stands alone: as a rule one
sequence, or a few of which each has taken a byte of the next one."""

HANDLED_BYTES, DENSE = 32, 3
"""Bytes that it so decodes where the codec finds so many errors among them: damage is dense, and the text in
another charset. That takes a tenth of the time of as many calls."""

DENSE_BYTES = 4096
"""Bytes after them that the error handler then decodes, too: two thirds of the time are saved."""

SPARSE_BYTES, SPARSE_DAMAGE = 128, 20
"""Bytes after them by which DenseDamage is raised, if more than one in so many is undecodable. Damage that is
tolerated is one place in 50 characters."""

_AT_SECTION_END = re.compile(r"\]>(?<=[^\0-\x7f]..)[ \t\r\n]{0,40}+</")
"""What is left of the end of a section whose first `]` is the second byte of a character, and an end tag."""
_MAY_BE_ONE = re.compile(r"[^\0-\x7f](?:](?:>(?:[ \t\r\n]{0,40}+<?+)?+)?+)?+\Z")

KNOWN_TEXTS = 4096
"""Sequences whose text is remembered for a charset: more than damaged documents use."""


class DenseDamage(Exception):
    """So many bytes are undecodable that the text is in another charset."""


class ByteSequences(NamedTuple):
    """How a charset writes characters, and where its Python codec is not used."""

    codec: Callable[[str], IncrementalDecoder]
    subset: Callable[[str], IncrementalDecoder] | None
    """A faster codec that knows fewer sequences and decodes them in the same way."""
    handler: str
    """The name of the error handler."""
    sequence: re.Pattern[str]
    """In bytes that were read as ISO-8859-1: a run of ASCII; a sequence of several bytes, assigned or not;
    the beginning of one at the end; or any one byte. It divides damage as the Encoding Standard does."""
    beginning: re.Pattern[bytes]
    """The beginning of a sequence."""
    readings: dict[bytes, str]
    """Sequences that are not decoded by the codec."""
    replacements: tuple[tuple[str, str], ...]
    """Characters of the codec, and the characters that stand for them."""
    suspects: dict[bytes, tuple[str, str]]
    """Sequences of `readings` that the codec decodes, with its character ("" for any) and ours."""
    suspect: re.Pattern[bytes]
    """One of the suspects."""
    text_of: dict[str, str]
    """The text of each sequence that is not ASCII, added when it is first needed."""
    codecs: tuple[str, ...]
    """The codecs that know them."""

    def replaced(self, text: str) -> str:
        """Return what the codec has decoded, with its own characters replaced."""
        for character, replacement in self.replacements:
            text = text.replace(character, replacement)
        return text


# The sequences of several bytes, and their beginnings. After a lead byte that makes no character with the
# next byte, an ASCII byte is read again; any other byte belongs to the damage (Encoding Standard, sections
# 10-13).
_GBK = (r"[\x81-\xfe][\x40-\x7e\x80-\xff]", r"[\x81-\xfe]")
_EUC_JP = (
    r"\x8f[\xa1-\xfe][\x80-\xff]|\x8f[\xa1-\xfe](?=[\x00-\x7f])|\x8f[\x80-\xa0\xff]|[\x8e\xa1-\xfe][\x80-\xff]",
    r"\x8f[\xa1-\xfe]?|[\x8e\xa1-\xfe]",
)
_SHIFT_JIS = (r"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xff]", r"[\x81-\x9f\xe0-\xfc]")
_EUC_KR = (r"[\x81-\xfe][\x41-\x5a\x61-\x7a\x80-\xff]", r"[\x81-\xfe]")
_FORMS = {
    "gb2312": _GBK,
    "gbk": _GBK,
    "gb18030": (
        r"[\x81-\xfe](?:[\x40-\x7e\x80-\xff]|[0-9][\x81-\xfe][0-9])",
        r"[\x81-\xfe](?:[0-9][\x81-\xfe]?)?",
    ),
    "big5": _GBK,
    "big5hkscs": _GBK,
    "cp950": _GBK,
    "shift_jis": _SHIFT_JIS,
    "cp932": _SHIFT_JIS,
    "shift_jis_2004": _SHIFT_JIS,
    "euc_jp": _EUC_JP,
    "euc_jis_2004": _EUC_JP,
    "euc_kr": _EUC_KR,
    "cp949": _EUC_KR,
}

# cp932 has private-use characters for these bytes, and for nothing else. Windows-31J as registered and the
# Encoding Standard do not define them.
_NOT_SHIFT_JIS = (
    ("\uf8f0", SURROGATES[0xA0]),
    ("\uf8f1", SURROGATES[0xFD]),
    ("\uf8f2", SURROGATES[0xFE]),
    ("\uf8f3", SURROGATES[0xFF]),
)

# Python's shift_jis_2004 has JIS X 0201 for ASCII. Documents have the backslash and the tilde there.
_NOT_ROMAN = (("\xa5", "\\"), ("\u203e", "~"))

# For Python's euc_kr, A4D4 begins eight bytes that spell one syllable (KS X 1001 annex 3) and is nothing
# else. For browsers, iconv and Python's own cp949 it is the filler U+3164.
_HANGUL_FILLER = b"\xa4\xd4"


@lru_cache(maxsize=32)  # at most two for each of the 13 codecs
def sequences_of(codec: str, lenient: bool) -> ByteSequences:
    """Return the byte sequences of the charset that a codec decodes, and register its error handler.

    Args:
        codec: the Python codec of an East Asian charset of the table.
        lenient: as the Encoding Standard decodes it, and JIS X 0213 in EUC-JP. Otherwise as the codec does.
    """
    complete, beginning = _FORMS[codec]
    readings: dict[bytes, str] = {}
    replacements: tuple[tuple[str, str], ...] = ()
    suspects: dict[bytes, tuple[str, str]] = {}
    # Documents in EUC-JP also hold JIS X 0213, beyond the Encoding Standard.
    codecs = (codec, "euc_jis_2004") if lenient and codec == "euc_jp" else (codec,)
    if codec == "cp932":
        replacements = _NOT_SHIFT_JIS
    elif codec == "euc_kr":
        readings, suspects = {_HANGUL_FILLER: "\u3164"}, {_HANGUL_FILLER: ("", "\u3164")}
    elif codec == "shift_jis_2004":
        replacements = _NOT_ROMAN
    elif lenient and codec in CODEC_REPLACEMENTS:
        pairs = CODEC_REPLACEMENTS[codec]
        replacements = tuple(zip(pairs[::2], pairs[1::2], strict=True))
        listed = {bytes.fromhex(one): text for one, text in SEQUENCES[codec].items()}
        readings = standard_additions(codec) | {one: text[1] for one, text in listed.items()}
        suspects = {one: (text[0], text[1]) for one, text in listed.items()}
    sequences = ByteSequences(
        getincrementaldecoder(codec),
        getincrementaldecoder("gbk") if codec == "gb18030" else None,
        f"{HANDLER_PREFIX}{codec}{'' if lenient else '.strict'}",
        re.compile(rf"[\x00-\x7f]+|{complete}|(?:{beginning})\Z|.", re.DOTALL),
        re.compile(beginning.encode("ascii")),
        readings,
        replacements,
        suspects,
        re.compile(b"|".join(map(re.escape, suspects))),
        {},
        codecs,
    )
    register_error(sequences.handler, partial(_go_on, sequences, DENSE_BYTES))
    register_error(sequences.handler + SPARSE, partial(_go_on, sequences, SPARSE_BYTES))
    return sequences


def _text_of(sequences: ByteSequences, sequence: bytes) -> str:
    if sequence in sequences.readings:
        return sequences.readings[sequence]
    for codec in sequences.codecs:
        with suppress(UnicodeDecodeError):
            return sequences.replaced(sequence.decode(codec))
    if len(sequence) == 2 and sequence[1] < 0x80:  # an ASCII byte after a lead byte stays itself
        return SURROGATES[sequence[0]] + chr(sequence[1])
    return as_surrogates(sequence)


def standard_additions(codec: str) -> dict[bytes, str]:
    """Return the sequences that the Encoding Standard defines and a codec does not know."""
    found: dict[bytes, str] = {}
    for run in ADDITIONS[codec].split():
        characters = run.lstrip("0123456789abcdef")
        first = bytes.fromhex(run.removesuffix(characters))
        for at, text in enumerate(characters):
            found[first[:-1] + bytes([first[-1] + at])] = text
    return found


def _go_on(sequences: ByteSequences, dense_bytes: int, error: UnicodeError) -> tuple[str, int]:
    """Decode from an error of the codec on: the error handler. Return the text, and where the codec goes on.
    Where damage is dense, `dense_bytes` are decoded further.

    Raises:
        DenseDamage: damage is dense, and `dense_bytes` is SPARSE_BYTES.
        UnicodeDecodeError: nothing but the beginning of a sequence is left, and the codec knows none that
            begins like that.
    """
    assert isinstance(error, UnicodeDecodeError)
    data = error.object[error.start : error.start + HANDLED_BYTES]
    dense = data.decode(sequences.codecs[0], "replace").count("\ufffd") >= DENSE
    if not dense:
        data = data[:ALONE_BYTES]
    text, tail = _by_sequences(sequences, data)
    if not text:
        raise error
    stop = error.start + len(data) - len(tail)
    if dense and (data := error.object[stop : stop + dense_bytes]):
        further, tail = _by_sequences(sequences, data)
        if dense_bytes == SPARSE_BYTES and SPARSE_DAMAGE * len(UNDECODABLE_BYTE.findall(further)) > len(data):
            raise DenseDamage
        text += further
        stop += len(data) - len(tail)
    return text, stop


def _by_sequences(sequences: ByteSequences, data: bytes) -> tuple[str, bytes]:
    """Return the text, sequence by sequence, and the beginning of a sequence at the end."""
    found = sequences.sequence.findall(data.decode("latin-1"))
    beginning = sequences.beginning.fullmatch(data, len(data) - len(found[-1]))
    tail = found.pop().encode("latin-1") if beginning else b""
    known = sequences.text_of
    if len(known) >= KNOWN_TEXTS:
        known.clear()
    for sequence in set(found).difference(known):
        if not sequence.isascii():
            known[sequence] = _text_of(sequences, sequence.encode("latin-1"))
    return "".join(map(known.get, found, found)), tail


class EastAsianDecoder(CharsetDecoder):
    """The decoder of one document in an East Asian charset."""

    def __init__(self, codec: str, lenient: bool) -> None:
        self._arguments = codec, lenient
        self._encoder = codec
        self._sequences = sequences = sequences_of(codec, lenient)
        self._codec = sequences.codec(sequences.handler)
        self._subset = sequences.subset("strict") if sequences.subset else None
        self._by_subset = False
        """All of the last piece was read by it."""

    def decode_sparse(self, data: bytes, final: bool) -> str | None:
        """Return the same as `decode`; None where so many bytes are undecodable that they are in another
        charset."""
        handler = self._codec.errors
        self._codec.errors = handler + SPARSE
        try:
            return self.decode(data, final)
        except DenseDamage:
            return None
        finally:
            self._codec.errors = handler

    def _decoded(self, data: bytes | memoryview) -> tuple[str, bytes]:
        text, tail = self._read(data)
        if not self._arguments[1]:
            return text, tail
        if "]" in text and text.count("]>") > text.count("]]>"):
            text = "".join(self._with_brackets(text))
        ends_so = not tail and len(data) > 0 and data[-1] in b"]>< \t\r\n"
        if ends_so and (last := _MAY_BE_ONE.search(text, max(0, len(text) - HELD_CHARACTERS))):
            held = text[last.start() :].encode(self._encoder, "replace")
            if held[1:2] == b"]" and data[-len(held) :] == held:
                return text[: last.start()], held
        return text, tail

    def _cut(self, data: bytes) -> str:
        return self._read(data)[0] if data[1:2] == b"]" else super()._cut(data)

    def _with_brackets(self, text: str) -> Iterator[str]:
        """Yield the parts of a text. A character that has taken the bracket of a section's end is an
        undecodable byte, and the bracket."""
        start = 0
        for found in _AT_SECTION_END.finditer(text):
            sequence = text[found.start() - 1].encode(self._encoder, "replace")
            if sequence[1:] == b"]":
                self._by_subset = False
                yield f"{text[start : found.start() - 1]}{SURROGATES[sequence[0]]}]"
                start = found.start()
        yield text[start:]

    def _read(self, data: bytes | memoryview) -> tuple[str, bytes]:
        """Return what the charset has for these bytes, and those at the end that begin a character."""
        if self._subset is not None:
            try:  # `suppress` takes 1 µs
                read = self._by(self._subset, data)
                self._by_subset = not self._subset.getstate()[0]
                return read
            except UnicodeDecodeError:
                self._by_subset = False
        text, tail = self._by(self._codec, data)
        for sequence, characters in self._sequences.suspects.items():
            if any(map(text.__contains__, characters)) and sequence in bytes(data):
                return join_parts(self._between_suspects(bytes(data))), tail
        return self._sequences.replaced(text), tail

    def reads_as(self, other: CharsetDecoder) -> bool:
        if not self._by_subset or other.pending or not isinstance(other, EastAsianDecoder):
            return False
        return other._sequences.codec is self._sequences.subset and not other._arguments[1]

    def _by(self, codec: IncrementalDecoder, data: bytes | memoryview) -> tuple[str, bytes]:
        codec.reset()
        try:
            text = codec.decode(data)
        except UnicodeDecodeError as error:
            if codec is self._subset:
                raise
            codec.reset()
            return codec.decode(data[: error.start]), bytes(data[error.start :])
        tail = codec.getstate()[0]
        if tail and not self._sequences.beginning.fullmatch(tail):
            # CPython also waits for more after bytes that begin no character.
            further, tail = _by_sequences(self._sequences, tail)
            text += further
        return text, tail

    def _between_suspects(self, data: bytes) -> Iterator[str]:
        """Yield the text of the parts between suspects, and of the suspects.

        Bytes are a suspect where the part before them ends with a complete sequence.
        """
        at = 0
        for found in self._sequences.suspect.finditer(data):
            text, tail = self._by(self._codec, data[at : found.start()])
            yield self._sequences.replaced(text)
            at = found.start() - len(tail)
            if not tail:
                yield self._sequences.readings[found[0]]
                at = found.end()
        yield self._sequences.replaced(self._by(self._codec, data[at:])[0])
