"""Counts UTF-8 sequences in a document whose label names a legacy charset, and finds where UTF-8 begins.

`sequence_description` says what kinds of sequences distinguish UTF-8 from honest words.
"""

from codecs import utf_8_decode
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.charsets.lookup import Charset
from feedcharset.evidence.damaged_utf8 import SURROGATE_PAIR
from feedcharset.evidence.scripts import SIGN
from feedcharset.evidence.sequence_description import Sequence, character_of, describe, page_of
from feedcharset.results.facts import SequenceCount

__all__ = [
    "ENOUGH",
    "FEW_SEQUENCES",
    "IN_A_ROW",
    "SEQUENCE",
    "Proof",
    "count_sequences",
    "find_sequences",
    "first_proof",
]

SEQUENCE = lazy_pattern(
    # Unicode table 3-7, well-formed sequences of two bytes and more; and surrogate pairs (CESU-8).
    rb"[\xc2-\xdf][\x80-\xbf]"
    rb"|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)

ENOUGH = 2000
"""Sequences after which counting ends: more of them did not change a decision, and a document that repeats
one of them a million times takes no longer than this."""

FEW_SEQUENCES = (16, 128, ENOUGH)
"""Sequences after which counting looks whether it may end. UTF-8 under a stale label is proven by the first
16 as a rule; counting 2,000 takes 2 to 10 ms, 16 of them 30 µs."""

FIRST_CLASSED = 4096
"""Bytes that are classed at once at first: most documents are decided by them. Then four times as many, and
so on, up to MOST_CLASSED."""

MOST_CLASSED = 64 * 1024

DESCRIBED = 4096
"""Sequences in their surroundings whose classes are kept: it takes 6 µs to find them, and 0.2 to look them
up. A language has some hundreds."""

_SPACE, _LINE_END = 0x20, 0x0A
_ALL_BUT_CONTINUATION = bytes(byte for byte in range(0x100) if not 0x80 <= byte < 0xC0)
_LEAD_AND_CONTINUATION = bytes(
    0x43 if 0x80 <= byte < 0xC0 else 0x4C if 0xC2 <= byte < 0xF5 else 0x2E for byte in range(0x100)
)
"""L for the leads of sequences, C for the bytes that continue one."""


def find_sequences(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the beginning and the end of each sequence.

    A lead before a byte 80-BF is found first, in bytes of three classes: 3 ns a byte, where the expression
    takes 15 in text that is full of leads.
    """
    part, size = 0, FIRST_CLASSED
    while part < len(data):
        classes = data[part : part + size + 1].translate(_LEAD_AND_CONTINUATION)
        at = classes.find(b"LC")
        while at >= 0:
            if found := SEQUENCE.match(data, part + at):
                yield found.span()
            at = classes.find(b"LC", at + 2)
        part, size = part + size, min(4 * size, MOST_CLASSED)


def count_sequences(
    data: bytes,
    charset: Charset,
    decides: Callable[[SequenceCount], bool] | None = None,
    *,
    least: int = 0,
) -> SequenceCount:
    """Count the sequences of `data` under the label of `charset`, at most ENOUGH of them.

    Args:
        data: the byte before the window, and the window.
        charset: what the label names.
        decides: returns True where counting may end, because higher counts would decide alike.
        least: so many are counted before `decides` is called.
    """
    places: Counter[tuple[bytes, int, int]] = Counter()
    row = longest = 0
    last_end = -1
    for total, (start, end) in enumerate(find_sequences(data), 1):
        row = row + 1 if start == last_end else 1
        longest = max(longest, row)
        last_end = end
        before = data[start - 1] if start else _SPACE
        places[data[start:end], before, data[end] if end < len(data) else _LINE_END] += 1
        if total in FEW_SEQUENCES and total > least:
            count = _numbers(charset, places)._replace(in_a_row=longest, more=True)
            if total >= ENOUGH or (decides is not None and decides(count)):
                return count
    return _numbers(charset, places)._replace(in_a_row=longest)


@lru_cache(maxsize=DESCRIBED)
def _described(data: bytes, before: int, after: int, charset: Charset) -> Sequence:
    """What a sequence is between its neighbours: text repeats a few hundred of them."""
    return describe(data, before, after, page_of(charset))


def _has_no_sequence(data: bytes, final: bool) -> bool:
    """Return True where that is so, as in most text of a page: 25 to 45 µs for 60 KB."""
    sample = data[:FIRST_CLASSED].translate(None, _ALL_BUT_CONTINUATION)
    if not sample and not data.translate(None, _ALL_BUT_CONTINUATION):
        return True
    text = utf_8_decode(data, "ignore", final)[0]
    return text.isascii() and not (0xED in data and SURROGATE_PAIR.search(data))


class Proof(NamedTuple):
    """Where UTF-8 begins in bytes that are read by a page."""

    found: bool
    certain: int
    """Bytes at the beginning that are the page's: all before the sequences near the first proof; without a
    proof, all but what may still stand near one, or be one."""


def first_proof(data: bytes, before: bytes, charset: Charset, *, near: int, final: bool) -> Proof:
    """Find the first sequence that proves UTF-8 among bytes of a page, and the sequences near it.

    Args:
        data: the bytes.
        before: the byte before them.
        charset: the charset of the page.
        near: bytes before a proof in which other sequences are UTF-8, too.
        final: nothing follows `data`.
    """
    if data.isascii():
        return Proof(False, len(data))
    # The last bytes may begin a proof; a surrogate pair has six bytes, all other sequences at most four.
    last = max(0, len(data) - (5 if 0xED in data[-5:] else 3))
    if _has_no_sequence(data, final):
        return Proof(False, len(data) if final else last)
    weak: list[int] = []
    row: list[int] = []
    last_end = -1
    for start, end in find_sequences(data):
        row = [*row, start] if start == last_end else [start]
        last_end = end
        if end == len(data) and not final:
            break
        previous = data[start - 1] if start else before[0]
        following = data[end] if end < len(data) else _LINE_END
        if len(row) >= IN_A_ROW or _described(data[start:end], previous, following, charset).pasted:
            begin = row[0] if len(row) >= IN_A_ROW else start
            return Proof(True, next((at for at in weak if at >= begin - near), begin))
        weak.append(start)
    if final:
        return Proof(False, len(data))
    # The earliest proof that may still come begins with the sequences at the end, or within the last bytes.
    proof = row[0] if last_end >= last and row else last
    return Proof(False, next((at for at in weak if at >= proof - near), proof))


IN_A_ROW = 3
"""Adjacent sequences that are UTF-8, whatever characters they are."""


def _numbers(charset: Charset, places: Counter[tuple[bytes, int, int]]) -> SequenceCount:
    """Return the counts of sequences, which come between their neighbours, with their occurrences."""
    found = [(_described(*place, charset), times) for place, times in places.items()]
    odd = {(one.script, one.data) for one, _ in found if not one.honest}
    scripts = Counter(script for script, _ in odd)
    del scripts[SIGN], scripts[""]
    blocks = Counter(ord(character_of(data)) >> 7 for data in {one.data for one, _ in found})
    del blocks[3], blocks[4]  # Latin extended B, in which nothing is written: kana and Cyrillic in Big5
    times = [number for _, number in found]
    column = dict(zip(Sequence._fields, zip(*(one for one, _ in found), strict=True), strict=False))

    def occurrences(name: str) -> int:
        return sum(compress(times, column.get(name, ())))

    return SequenceCount(
        charset.name,
        sequences=sum(times),
        distinct=len(set(column.get("data", ()))),
        in_use=occurrences("script"),
        one_script=max(scripts.values(), default=0),
        one_block=max(blocks.values(), default=0),
        in_page=_in_page(charset, found),
        sure=occurrences("sure"),
        distinctive=sum(number for one, number in found if one.distinctive),
        after_lower=occurrences("after_lower"),
        after_letter=occurrences("after_letter"),
        within_word=occurrences("within_word"),
        pasted=occurrences("pasted"),
        combining=occurrences("combining"),
        opens_word=occurrences("opens_word"),
        after_capital=occurrences("after_capital"),
        prices=occurrences("price"),
        private_use=0,
        alone=occurrences("alone"),
        in_a_row=0,
    )


def _in_page(charset: Charset, found: list[tuple[Sequence, int]]) -> int:
    """Return the sequences in page; under a CJK label, those that are common in one standard (the largest
    number)."""
    if charset.family != "CJK":
        return sum(times for one, times in found if one.in_page)
    standards: Counter[str] = Counter()
    for one, times in found:
        for standard in one.standards:
            standards[standard] += times
    return max(standards.values(), default=0)
