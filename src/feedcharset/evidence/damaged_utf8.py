"""Text that is UTF-8 and something else: how much of it is UTF-8, and what its damaged runs of bytes are.

A window is first read with `utf_8_decode(…, "ignore")`, which leaves the sequences and ASCII at any density
of damage (0.3 to 2.4 ns a byte): `measure_utf8` gives the exact numbers of sequences and bytes. For most
legacy documents they prove that the window is not UTF-8 (`bound_utf8`). The number of damaged runs, and which
of them are *cut characters*, is counted only where that proves nothing, in text that was decoded with
"surrogateescape" (`count_utf8`): an undecodable byte n is the lone surrogate U+DC00 + n, an *escaped byte*.

Two kinds of damage have a known cause. A cut character is the beginning of a sequence without its end, as
PHP's `substr` leaves it before `...` or a tag. In UTF-8 text with a word pasted from windows-1252 the same
bytes are honest letters (`café`, `é”`), so a beginning counts as cut only where no honest word ends like
that. The rules were measured on the words of 63 languages (benchmarks/measure_cuts.py). A surrogate pair
(CESU-8, Unicode Technical Report 26) is a character beyond U+FFFF as two surrogates of three bytes each.

And some sequences are there by chance: `qualité »` and `café…”` in windows-1252 end in three bytes that are
one (`頻`). Where bytes of a western page prevail, `by_chance` finds those, and they are read by the page;
where UTF-8 prevails, only those that close a quotation whose opening mark is a byte of the page are
(`quoted_by_chance`).
"""

from __future__ import annotations

import re
from codecs import charmap_build, charmap_encode, utf_8_decode, utf_16_le_encode
from collections.abc import Iterable, Iterator
from functools import lru_cache
from heapq import merge
from itertools import chain, islice
from typing import Any, NamedTuple

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.undecodable_bytes import join_parts, mark_undecodable
from feedcharset.results.facts import Utf8Count

FEW_CUT_RUNS = 16
"""Damaged runs among which cut characters are counted in any case; more only where sequences are as many:
legacy text is full of damaged runs, and none of them matters."""

CUT_BYTES = 3
"""Bytes of a cut character at most."""

FEWEST_SEQUENCES = 3
"""Sequences for each damaged run, with fewer of which a window is not UTF-8 whatever it is; the tolerance of
UTF-8 (decide/thresholds.py) begins at four."""

FIRST_RUNS = 16 * 1024
"""Bytes in which runs that are no cut characters are counted first; then in four times as many, and so on."""

DENSE_SAMPLE = 2048
"""Bytes that show whether text is full of non-ASCII bytes, or holds no sequence."""

LISTED_RUNS, LISTED_DAMAGE = 1000, 48
"""Damaged runs whose places are listed, and characters for each of their bytes: to list a run takes 0.5 µs,
to search 48 characters the same. More or denser ones are only counted."""

DENSE_DAMAGE = 400
"""Characters for each escaped byte from which on the UTF-16 of a text shows where they are: 0.5 ns a
character and 0.2 µs an escaped byte. In denser damage its UTF-8 does, 1.1 ns a character."""

MARKED_PART = 64 * 1024
"""Characters that are marked at once, and the rest of the last run of damage in them."""

CONTEXT = 32
"""Characters before a beginning that are looked at: its word, or as much of it as shows where it comes
from."""

_ASCII = bytes(range(0x80))
_ALL_BUT_CONTINUATION = bytes(byte for byte in range(0x100) if not 0x80 <= byte < 0xC0)
_LETTERS_AFTER = bytes(72 if byte >= 0x80 else 65 if chr(byte).isalnum() else 46 for byte in range(0x100))
"""H for non-ASCII bytes, A for ASCII letters and digits."""
_STRAYS = bytes(
    65 if byte < 0x80 else 67 if byte < 0xC0 else 50 if 0xC2 <= byte < 0xE0 else 46 for byte in range(0x100)
)
"""A for ASCII, C for the bytes 80-BF that continue a sequence, 2 for the leads of two bytes."""
_IS_NON_ASCII = bytes(byte >= 0x80 for byte in range(0x100))
_BITS = bytes(
    7 if 0xF0 <= byte < 0xF5 else 3 if 0xE0 <= byte < 0xF0 else byte >= 0x80 for byte in range(0x100)
)
"""Of a lead as many bits as bytes that continue its sequence, of any other non-ASCII byte one: a sequence has
two for each of the bytes behind its lead."""


class Utf8Share(NamedTuple):
    """The bytes of a window read as UTF-8; exact."""

    sequences: int
    sequence_bytes: int
    damaged_bytes: int
    pairs: int
    """Surrogate pairs (CESU-8), each of which is one of the sequences."""
    used: int
    """Bytes of the window without a sequence that its end cuts."""


def has_sequence(data: bytes) -> bool:
    """Return True where bytes hold a UTF-8 sequence, or a surrogate pair (CESU-8).

    They are read in pieces, so that no memory is mapped for long ones; a sequence that a piece or the end
    cuts is not in its text, and the next piece begins with it.
    """
    at, size, view = 0, DENSE_SAMPLE, memoryview(data)
    while at < len(data):
        text, used = utf_8_decode(view[at : at + size], "ignore")
        if not text.isascii():
            return True
        at, size = at + (used or len(data)), MARKED_PART
    return 0xED in data and _CESU8_PAIR.search(data) is not None


def measure_utf8(data: bytes, ends: bool) -> Utf8Share:
    """Measure how much of a window is UTF-8.

    Args:
        data: the window.
        ends: nothing follows it; otherwise a sequence cut by its end is no damage.
    """
    text, used = utf_8_decode(data, "ignore", ends)
    if text.isascii() and 0xED not in data:
        return Utf8Share(0, 0, used - len(text), 0, used)
    kept = text.encode()
    ascii_bytes = len(kept) - (0 if text.isascii() else len(kept.translate(None, _ASCII)))
    return _share(data, len(text), len(kept), used, ascii_bytes)


def _share(data: bytes, characters: int, kept: int, used: int, ascii_bytes: int) -> Utf8Share:
    """Return the numbers of a window of which so many characters and bytes decode."""
    # Python's codec does not decode surrogate pairs. Words in IBM866 have ED, but hardly the bytes B0-BF.
    possible = kept < used and 0xED in data and any(map(data.__contains__, range(0xB0, 0xC0)))
    pairs = sum(1 for _ in _CESU8_PAIR.finditer(data)) if possible else 0
    return Utf8Share(
        characters - ascii_bytes + pairs, kept - ascii_bytes + 6 * pairs, used - kept - 6 * pairs, pairs, used
    )


def bound_densely(data: bytes) -> Utf8Count | None:
    """Return bounds for text that is full of non-ASCII bytes of which few are 80-BF, as Cyrillic or Greek;
    None for any other.

    Each sequence has one of the bytes 80-BF or more, and at most one other byte for each of them. To count
    them takes 1.3 ns a byte, where the codec's errors take 3 in such text.
    """
    size = high = continuing = 0
    for start, stop in ((0, DENSE_SAMPLE), (DENSE_SAMPLE, len(data))):
        part = data[start:stop]
        beyond = part.translate(None, _ASCII)
        size, high = size + len(part), high + len(beyond)
        if 4 * high < size:
            return None
        continuing += len(beyond.translate(None, _ALL_BUT_CONTINUATION))
        if high - 2 * continuing <= 2 * continuing + CUT_BYTES * (FEW_CUT_RUNS + 1):
            return None
    return Utf8Count(continuing, 1, 0, 2 * continuing, high - 2 * continuing - CUT_BYTES, bounds=True)


def bound_utf8(data: bytes, share: Utf8Share) -> Utf8Count | None:
    """Return bounds by which a window is not UTF-8; None where more has to be counted.

    Three proofs, whatever the cut characters are: more bytes in damage than in sequences, even without three
    for each of FEW_CUT_RUNS; damage, and no sequence; or too many damaged runs that are no cut characters
    (`_uncut_runs`).

    Returns:
        A count with all sequences, and at most as many damaged runs as there are. But for the first proof it
        has no damaged bytes: some of them may be cut characters.
    """
    sequences, sequence_bytes, damaged, _, used = share
    if not damaged:
        return None
    if damaged > sequence_bytes + CUT_BYTES * FEW_CUT_RUNS:
        marks = _begun_marks(first := data[:DENSE_SAMPLE])
        if marks:  # all are counted where most of the damage is marks
            marks = _begun_marks(data) if 6 * marks > len(first.translate(None, _ASCII)) else 0
        if damaged > sequence_bytes + CUT_BYTES * (FEW_CUT_RUNS + 2 * marks):
            return Utf8Count(sequences, 1, 0, sequence_bytes, damaged, bounds=True)
    if not sequences and not _begun_marks(data):
        return Utf8Count(0, 1, bounds=True)
    runs = _uncut_runs(data, sequences, used - sequence_bytes - damaged)
    return Utf8Count(sequences, runs, 0, sequence_bytes, 0, bounds=True) if runs else None


def _uncut_runs(data: bytes, sequences: int, ascii_bytes: int) -> int:
    """Return a number of damaged runs that are no cut characters, and that is too large for so many
    sequences; 0 where there are not as many.

    A cut character stands before no letter or digit: single-byte text has many runs that do. As many of them
    as there are sequences may belong to real sequences, so these are subtracted. And it begins with a lead:
    East Asian text has many bytes 80-BF after an ASCII byte, or after a sequence of two bytes. The first part
    shows which are more; where ASCII bytes are too few for more letters, these are not counted.
    """
    letters = strays = start = 0
    fewest = max(2, sequences // FEWEST_SEQUENCES)
    size = FIRST_RUNS
    while start < len(data):
        part = data[start : start + size + 2]
        by_letters = letters >= strays
        if start == 0 or not by_letters:
            classes = part.translate(_STRAYS)
            strays += classes.count(b"AC", 0, size + 1) + classes.count(b"2CC")
        if by_letters and (strays <= fewest or ascii_bytes > sequences + strays):
            letters += part.translate(_LETTERS_AFTER).count(b"HA", 0, size + 1)
        if (runs := max(letters - sequences, strays)) > fewest:
            return runs
        start, size = start + size, 4 * size
    return 0


def _begun_marks(data: bytes) -> int:
    """Return how many characters that begin as marks and emoji do are cut."""
    if not any(map(data.__contains__, _LEADS_OF_MARKS)) or b"LM" not in data.translate(_CLASSES_OF_MARKS):
        return 0  # the expression takes 10 ns a byte
    return sum(1 for _ in _BEGUN_MARK.finditer(data))


class EscapedUtf8(NamedTuple):
    """A window read as UTF-8."""

    text: str
    """Each undecodable byte n is the lone surrogate U+DC00 + n."""
    runs: Runs | None = None
    """Where they are, if they are few and that is known."""
    classes: bytes | None = None
    """The same with one byte for each character (`one_byte_each`), if it was made."""
    cut: tuple[KnownDamage, ...] | None = None
    """The cut characters, as they look where one character before the window is known; None where they were
    not looked for, or are more than LISTED_RUNS."""
    damaged: bytes | None = None
    """The escaped bytes, if they were collected."""


def count_utf8(
    data: bytes, *, ends: bool, before: str = "", share: Utf8Share | None = None
) -> tuple[Utf8Count, EscapedUtf8 | None]:
    """Count well-formed sequences, the runs of bytes that are not UTF-8, and the cut characters among them.

    Args:
        data: the window.
        ends: nothing follows it.
        before: the characters before it.
        share: what `measure_utf8` gave, if it was called.

    Returns:
        The count, and the window's text where there is damage, and not that alone.
    """
    first = utf_8_decode(data[:DENSE_SAMPLE], "ignore")[0] if share is None else ""
    if share is None and first.isascii():
        share = measure_utf8(data, ends)
    none_counted = share is not None and not share.sequences and share.damaged_bytes > FEW_CUT_RUNS
    if share is not None and none_counted and not _begun_marks(data):
        runs = _count_runs(data[: share.used].translate(_IS_NON_ASCII))
        if runs > FEW_CUT_RUNS:  # so many of them that none is taken for a cut character
            return Utf8Count(0, runs, 0, 0, share.damaged_bytes), None
    text, places = None, None
    if share is None:
        text, used = utf_8_decode(data, "surrogateescape", ends)
        beyond = data.translate(_BITS, _ASCII)
        ascii_bytes = len(data) - len(beyond)
        if 2 * len(beyond) < len(text):  # in full text the encoder counts damaged bytes sooner
            at_most = int.from_bytes(beyond, "little").bit_count() - 2 * (used - len(text))
            if at_most * LISTED_DAMAGE <= len(text):
                places = escaped_runs(text, LISTED_RUNS, 0)
        if places is not None:
            escaped = sum(end - start for start, end in places)
        else:
            escaped = used - len(text.encode("utf-8", "ignore"))
        share = _share(data, len(text) - escaped, used - escaped, used, ascii_bytes)
    sequences, sequence_bytes, damaged, pairs, _ = share
    if not damaged and not pairs:
        return Utf8Count(None, 0), None
    if text is None:
        text = utf_8_decode(data, "surrogateescape", ends)[0]
    begun = _begun_marks(data) if "\udce2" in text or "\udcf0" in text else 0
    joined = join_parts(_joined_parts(text)) if pairs else text
    listed = damaged <= LISTED_RUNS and damaged * LISTED_DAMAGE <= len(joined)
    if places is None or pairs or not listed:
        places = escaped_runs(joined, LISTED_RUNS, damaged) if listed else None
    # Cut characters do not matter where more bytes are damaged than not: legacy text is full of damaged runs.
    few_bytes = damaged <= max(sequence_bytes + 2 * CUT_BYTES * begun, FEW_CUT_RUNS)
    classes = one_byte_each(joined) if places is None and few_bytes else None
    if places is not None:
        runs = len(places)
    else:
        marks = mark_undecodable(joined) if classes is None else classes.translate(_IS_NON_ASCII)
        runs = _count_runs(marks)
    few = runs <= FEW_CUT_RUNS or (runs <= 2 * (sequences + begun) and few_bytes)
    found = find_damage(joined, before, places, classes) if few else iter(())
    found = (place for place in found if ends or place.end < len(joined))  # more of it may follow
    cut = tuple(islice(found, LISTED_RUNS + 1))
    # Those within words are no evidence: in Big5 they stand between sequences by chance.
    number = sum(not joined[one.end : one.end + 1].isalnum() for one in chain(cut, found))
    count = Utf8Count(sequences, runs, number, sequence_bytes, damaged, marks=min(begun, number))
    if pairs:
        return count, EscapedUtf8(text)
    return count, EscapedUtf8(text, places, classes, cut if few and len(cut) <= LISTED_RUNS else None)


FEW_CHANCE, CHANCE_PER_RUN = 32, 3
"""UTF-8 sequences that may be there by chance; where there are more, so many for each damaged run. Where runs
are more, it does not matter."""

RUNS_AT_ONCE = 64 * 1024
"""Bytes in which runs are counted at once: as a number they take three times as much memory."""


def _count_runs(marks: bytes) -> int:
    """Return the number of runs of 1 among bytes 0: where neighbours differ, one begins or ends."""
    changes = 0
    for at in range(0, len(marks), RUNS_AT_ONCE):
        number = int.from_bytes(marks[at : at + RUNS_AT_ONCE], "little")
        both = marks[at] and at and marks[at - 1]  # one run, of which each part counts an end
        changes += (number ^ number << 8).bit_count() - 2 * both
    return changes // 2


def _joined_parts(text: str) -> Iterator[str]:
    done = 0
    for pairs in _ESCAPED_PAIRS.finditer(text):
        yield text[done : pairs.start()]
        yield join_pairs(pairs[0].encode("utf-8", "surrogateescape"))
        done = pairs.end()
    yield text[done:]


Runs = list[tuple[int, int]]
"""Where each run of escaped bytes begins and ends."""


def escaped_runs(escaped: str, most: int, damaged: int | None = None) -> Runs | None:
    """Return the runs of escaped bytes; None where there are more than `most`.

    Args:
        escaped: text with escaped bytes.
        most: no more runs are listed.
        damaged: the number of its escaped bytes, if that is known.
    """
    runs = list(islice(_escaped_runs(escaped, damaged), most + 1))
    return runs if len(runs) <= most else None


def _escaped_runs(escaped: str, damaged: int | None) -> Iterator[tuple[int, int]]:
    """Yield where runs of escaped bytes begin and end.

    An escaped byte has DC in the second byte of its UTF-16, but so have characters beyond U+FFFF, which take
    four bytes there.
    """
    dense = damaged is not None and damaged * DENSE_DAMAGE > len(escaped)
    start = 0
    while start < len(escaped):
        stop = start + MARKED_PART
        if rest := _REST_OF_RUN.match(escaped, stop):
            stop = rest.end()
        part = escaped[start:stop]
        if not dense and len(utf16 := utf_16_le_encode(part, "surrogatepass")[0]) == 2 * len(part):
            at = utf16.find(0xDC)
            while at >= 0:
                if at % 2:
                    first = at
                    while utf16[at : at + 1] == b"\xdc":
                        at += 2
                    yield start + first // 2, start + at // 2
                at = utf16.find(0xDC, at + 1)
        else:
            marks = mark_undecodable(part, each_character=True)[1:]
            spans = map(re.Match.span, _MARKED_RUN.finditer(marks))
            yield from ((start + first, start + last) for first, last in spans) if start else spans
        start = stop


def one_byte_each(escaped: str) -> bytes:
    """Return one byte for each character: an escaped byte as itself, ASCII, and `?` for all others."""
    return charmap_encode(escaped, "replace", _map_of_escaped())[0]


def escaped_bytes(known: EscapedUtf8) -> bytes:
    """Return the escaped bytes of a text."""
    text, runs, classes, _, damaged = known
    if damaged is not None:
        return damaged
    if runs is not None:
        text = "".join([text[begin:end] for begin, end in runs])
    return (classes or one_byte_each(text)).translate(None, _ASCII)


@lru_cache(maxsize=1)
def _map_of_escaped() -> Any:
    """Return the map of a "charset" of ASCII and the escaped bytes; other characters are replaced by `?`."""
    return charmap_build(_ASCII.decode() + "".join(map(chr, range(0xDC80, 0xDD00))))


PAIR_OF_CESU8 = rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]"
_CESU8_PAIR = lazy_pattern(PAIR_OF_CESU8)
_ESCAPED_PAIR = "\udced[\udca0-\udcaf][\udc80-\udcbf]\udced[\udcb0-\udcbf][\udc80-\udcbf]"
"""A surrogate pair in text with escaped bytes."""

_ESCAPED_PAIRS = lazy_pattern(f"{_ESCAPED_PAIR}(?:{_ESCAPED_PAIR}){{0,999}}+")
"""Some adjacent pairs; not all, so that they are read in pieces."""
_BEGINNING = lazy_pattern(
    # Unicode 15.0, table 3-7: the first bytes of a sequence, without its last.
    "[\udcc2-\udcdf]|\udce0[\udca0-\udcbf]?|[\udce1-\udcec\udcee\udcef][\udc80-\udcbf]?"
    "|\udced[\udc80-\udc9f]?|\udcf0(?:[\udc90-\udcbf][\udc80-\udcbf]?)?|[\udcf1-\udcf3](?:[\udc80-\udcbf][\udc80-\udcbf]?)?"
    "|\udcf4(?:[\udc80-\udc8f][\udc80-\udcbf]?)?"
)
_MAY_BE_KNOWN = lazy_pattern(
    # A lead that no non-ASCII byte precedes, with at most two bytes more, and neither such a byte nor an
    # ASCII letter or digit behind it; or surrogate pairs.
    rb"[\xc2-\xf4](?:(?<![\x80-\xff][\xc2-\xf4])[\x80-\xbf]{0,2}+(?![0-9A-Za-z\x80-\xff])"
    rb"|(?<=\xed)[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]"
    rb"(?:\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]){0,999}+)"
)
_BEGUN_MARK = lazy_pattern(
    rb"[\xe2\xf0](?<![\x80-\xff].)(?:(?<=\xe2)[\x80\x82\x9c\x9d]|(?<=\xf0)\x9f[\x80-\xbf]?+)(?![0-9A-Za-z\x80-\xff])",
    re.DOTALL,
)
_LEADS_OF_MARKS = b"\xe2\xf0"
"""The first bytes of quotation marks, dashes, `…`, `€`, dingbats and emoji."""
_CLASSES_OF_MARKS = bytes(
    76 if byte in _LEADS_OF_MARKS else 77 if byte in b"\x80\x82\x9c\x9d\x9f" else 46 for byte in range(0x100)
)
"""L for these, M for their second bytes."""
_MARKED_RUN = lazy_pattern(rb"\x01\x01*+")
_REST_OF_RUN = lazy_pattern("[\udc80-\udcff]++")
_LAST_RUN = lazy_pattern("[\udc80-\udcff]++\\Z")
_BEGUN_PAIR = lazy_pattern("\udced(?:[\udca0-\udcaf](?:[\udc80-\udcbf](?:\udced[\udcb0-\udcbf]?)?)?)?\\Z")
_HELD = 8
"""Escaped bytes held back at the end of a piece: a cut character (3), a pair without its last byte (5)."""
CLOSING_MARKS = frozenset("…‘’“”–—™›«»ª®°²³¹º\u00a0")
"""Marks that may close a word."""

_CLOSING = frozenset(0xDC00 + byte for byte in "".join(CLOSING_MARKS).encode("cp1252"))
_CLOSING_LETTERS = _CLOSING.union(0xDC00 + byte for byte in "śšťźž".encode("cp1250"))
"""And letters of windows-1250 and -1252 that do so behind another: `Tomáš`, `Späť`, `gęś`."""

_AFTER_LOWER = frozenset([*range(0xC2, 0xD7), *range(0xD8, 0xDF), 0xE2])
"""Leads that close no word after a lower-case letter: capitals of windows-1252, and `â`, which is the lead of
quotation marks and dashes. `×` (D7) stands between any two words."""
_SHAPES = bytes(
    0x61 if chr(byte).islower() else 0x41 if chr(byte).isalnum() else byte if byte == 0x3F else 0x2E
    for byte in range(0x80)
) + bytes(
    0x43 if byte < 0xC0 else 0x4C if byte in _AFTER_LOWER else 0x6C if 0xC2 <= byte < 0xF5 else 0x48
    for byte in range(0x80, 0x100)
)
"""a for a to z, A for A to Z and digits, ? for what may be a character, C for 80-BF, L for _AFTER_LOWER, l
for other leads, H for bytes that are in no sequence."""
_MAY_BE_CUT = (
    lazy_pattern(rb"L(?![Aa])(?<![CHLl]L)C{0,2}+(?![AaCHLl])"),
    lazy_pattern(rb"l(?![Aa])(?<![CHLl]l)(?!(?<=[^?]{%d}al)(?!C|\Z))C{0,2}+(?![AaCHLl])" % (CONTEXT - 1)),
)
"""The first of the two, in text of few letters: what begins with one is found in a third of the time. A
letter behind a to z that has no character in its context is passed: by `_is_cut` it ends a word."""
_AT_THE_END = _AFTER_LOWER | {0xF0}
"""Leads with which no document ends: it was cut there. Others are letters of western words (`é`)."""
_AFTER_OTHERS = frozenset((0xC2, 0xE2))
"""Leads that stand nowhere at the end: `Â` and `â`."""
_NO_WORD = frozenset((0xC2, 0xC3, 0xE3, 0xE4, 0xEB, 0xEC, 0xEE, 0xEF, 0xF0))
"""Leads that are no word of one letter: `É`, `Å`, `à`, `í` are, and `â` of Welsh."""

_FIRST_GREEK = "\u0370"
"""Letters before it are Latin."""
_CAPITAL_TILDE = 0xC3
"""`Ã` closes Portuguese words in capitals (`MANHÃ`), and is the lead of most letters of Portuguese."""
_CIRCUMFLEX = 0xE2
"""`â` is a word of Welsh, before another word."""


_LETTER_WITHIN = lazy_pattern("[A-Za-z][\udcc0-\udcff](?=[A-Za-z])")
"""A letter of windows-1252 within a word."""

BEFORE_CHANCE = 3
"""Bytes before a sequence that show what it joins: a letter or two, or marks that open a quotation."""

_MARKS_BEHIND = "…‘’“”–—›«»\u00a0".encode("cp1252")
_BY_CHANCE = lazy_pattern(
    # Behind a letter or two, or behind marks that open a quotation (`“è…”`): what begins with E0, E1, E3-ED
    # and F0-F4. Typographic marks and symbols begin with E2, letters of Vietnamese with E1 BB.
    rb"(?:(?:(?<=[A-Za-z'])|(?<=[A-Za-z][\xdf-\xff])|(?<=[\0-\x7f]M)|(?<=[\0-\x7f]MM))"
    rb"(?:\xe0[\xa0\xab\xbb]M|(?!\xe1\xbb)[\xe1\xe3-\xec]MM|\xed[\x85-\x9b](?<=M)M"
    rb"|\xf0[\x91-\xbb](?<=M)MM|[\xf1-\xf3]MMM|\xf4\x85MM)"
    # Two bytes: `É`, `Ö` and others as leads behind a capital, `ß`; and `Ỡ` behind a small letter. With other
    # leads begin letters that may stand there (`Są`, `Aț`, `TGFβ`, `lễ`).
    rb"|(?:(?:(?<=[A-Z])|(?<=[A-Z][\xc0-\xde]))(?!\xc8\x9b)[\xc8\xc9\xcd\xd2-\xd6\xd8-\xdc]M"
    rb"|(?<=[A-Za-z\xdf-\xff])\xdfM|(?<=[a-z])\xe1\xbb[\x92\x94\x96\xa0])(?![A-Za-z])"
    rb")(?![\xc2-\xf4][\x80-\xbf])".replace(b"M", b"[%b]" % _MARKS_BEHIND)
)
_CHANCE_SHAPES = {
    **dict.fromkeys(range(0xC2, 0xF5), 0x4C),
    **dict.fromkeys((0xC8, 0xC9, 0xCD, *range(0xD2, 0xD7), *range(0xD8, 0xDD), 0xDF), 0x32),
    **dict.fromkeys((0xE0, 0xE1, *range(0xE3, 0xEE)), 0x33),
    **dict.fromkeys(range(0xF0, 0xF5), 0x34),
    **dict.fromkeys(_MARKS_BEHIND, 0x6D),
}
_AS_CHANCE = bytes(_CHANCE_SHAPES.get(byte, 0x2E) for byte in range(0x100))
"""2, 3 and 4 for the leads of so many bytes, L for other leads, m for marks."""
_LEAD_BEFORE_MARK = _AS_CHANCE.translate(bytes.maketrans(b"34", b"22"))
_LEAD_AND_MARK = lazy_pattern(rb"2m")
"""`re` finds two bytes in a fifth of the time that `in` takes."""
_BEGUN_CHANCE = lazy_pattern(rb"(?:2m|3mm|4mmm)[2-4L]?\Z")


def by_chance(data: bytes, before: bytes = b"") -> list[tuple[int, int]]:
    """Return where UTF-8 sequences begin and end that are there by chance.

    In windows-1252 `qualité »` and `café…”` end in a letter and two marks, which in UTF-8 are one character
    of another script. No text has one that joins a Latin letter, or a byte of the page, and stands alone.

    Args:
        data: the bytes.
        before: those before them; BEFORE_CHANCE count.
    """
    if not _LEAD_AND_MARK.search(data.translate(_LEAD_BEFORE_MARK)):  # as in most text: one search, not three
        return []
    shapes = data.translate(_AS_CHANCE)
    found: list[tuple[int, int]] = []
    for shape in (b"2m", b"3mm", b"4mmm"):
        at = shapes.find(shape)
        while at >= 0:
            start = max(at - BEFORE_CHANCE, 0)
            # An ASCII byte stands near; only behind `ß` any small letter does.
            if not start or data[at] == 0xDF or min(data[start:at]) < 0x80:
                near = before[-BEFORE_CHANCE:] * (not start) + data[start : at + len(shape) + 2]
                if _BY_CHANCE.match(near, len(near) - len(data[at : at + len(shape) + 2])):
                    found.append((at, at + len(shape)))
            at = shapes.find(shape, at + 2)
    return sorted(found)


QUOTATION = 256
"""Bytes before the end of a quotation in which its opening mark is looked for."""

OPENING_MARKS = frozenset("„‹‘“«".encode("cp1252"))

_OPENED_BY = {0xBB: b"\xab", 0x9B: b"\x8b", 0x94: b"\x84\x93", 0x93: b"\x84", 0x92: b"\x91"}
"""The marks that each closing mark closes."""

_QUOTATION_MARK = lazy_pattern(rb"(?<![\x80-\xff])[\x84\x8b\x91-\x94\x9b\xab\xbb]")
"""Behind an ASCII byte: in no sequence."""


def marks_before(data: bytes) -> bytes:
    """Return the quotation marks of windows-1252 in the last line of bytes, or behind the last tag in it."""
    line = data[-QUOTATION:]
    return b"".join(_QUOTATION_MARK.findall(line, max(map(line.rfind, (b"<", b">", b"\n"))) + 1))


def quoted_by_chance(data: bytes, before: bytes) -> list[tuple[int, int]]:
    """Return those sequences of `by_chance` that close a quotation, of which the opening mark is no UTF-8.

    In a document that is in UTF-8 these few are by chance, too.

    Args:
        data: the bytes.
        before: those before them; QUOTATION count.
    """
    found = []
    for start, end in by_chance(data, before):
        marks = marks_before(data[start - QUOTATION : start] if start > QUOTATION else before + data[:start])
        for closing in data[start + 1 : end]:
            if max(map(marks.rfind, _OPENED_BY.get(closing, b"")), default=-1) > marks.rfind(closing):
                found.append((start, end))
                break
    return found


def decode_mixed(data: bytes, chance: list[tuple[int, int]], final: bool) -> tuple[str, int]:
    """Decode the next bytes of a mixture as UTF-8. Bytes of its page are escaped bytes, as are those of
    sequences that are there by chance.

    Args:
        data: the bytes.
        chance: where these sequences begin and end.
        final: nothing follows the bytes.

    Returns:
        The text and the number of its bytes. A sequence that may be there by chance, according to what
        follows, is left for the next piece.
    """
    end = len(data)
    if not final and (begun := _BEGUN_CHANCE.search(data[-5:].translate(_AS_CHANCE))):
        end -= len(data[-5:]) - begun.start()
    start, texts = 0, []
    for first, last in chance:
        if first < end:
            texts.append(data[start:first].decode("utf-8", "surrogateescape"))
            texts.append(data[first:last].decode("ascii", "surrogateescape"))
            start = last
    text, used = utf_8_decode(data[start:end], "surrogateescape", final)
    return join_parts([*texts, text]), start + used


def count_without_chance(count: Utf8Count, data: bytes, before: bytes) -> Utf8Count:
    """Return the count without the sequences that are there by chance, where damage is more than the others:
    then the document is not in UTF-8."""
    sequences, runs = count.sequences or 0, count.damaged - count.cut
    few = sequences <= FEW_CHANCE or runs <= sequences <= CHANCE_PER_RUN * runs
    if not sequences or not count.damaged or not few:
        return count
    chance = by_chance(data, before)
    number, size = len(chance), sum(end - start for start, end in chance)
    others = count._replace(
        sequences=sequences - number,
        damaged=count.damaged + number,
        sequence_bytes=count.sequence_bytes - size,
        damaged_bytes=count.damaged_bytes + size,
    )
    return others if number and runs + number > sequences - number else count


class KnownDamage(NamedTuple):
    """One place of known damage in a piece of text."""

    start: int
    """Index in the text."""
    end: int
    characters: str
    """What it is read as: U+FFFD for a cut character; the characters of adjacent surrogate pairs."""


def find_damage(
    escaped: str, before: str = "", runs: Runs | None = None, classes: bytes | None = None
) -> Iterator[KnownDamage]:
    """Yield the cut characters and the surrogate pairs of a text, in their order.

    Args:
        escaped: the text; nothing of it is `unfinished`, unless the document ends there.
        before: the characters before it, CONTEXT of them or less.
        runs: where its escaped bytes are, if that is known.
        classes: what `one_byte_each` gave, if it was called.
    """
    spans: Iterable[tuple[int, int]] | None = runs
    if spans is None:  # most runs stand before a letter, and are passed without a call
        classes = classes or one_byte_each(escaped)
        known = (_MAY_BE_KNOWN,) if 0xED in classes else _MAY_BE_CUT
        shapes = classes if 0xED in classes else classes.translate(_SHAPES)
        found = [map(re.Match.span, one.finditer(shapes)) for one in known]
        # A list takes less time, and of long text too much memory.
        spans = merge(*found) if len(shapes) > MARKED_PART else sorted(chain(*found))
    for start, end in spans:
        if end - start > CUT_BYTES:
            for pairs in _ESCAPED_PAIRS.finditer(escaped, start, end):
                yield KnownDamage(*pairs.span(), join_pairs(pairs[0].encode("utf-8", "surrogateescape")))
        elif _is_cut(escaped, start, end, before):
            yield KnownDamage(start, end, "\ufffd")


def join_pairs(pairs: bytes) -> str:
    """Return the characters of surrogate pairs in UTF-8 (CESU-8)."""
    surrogates = pairs.decode("utf-8", "surrogatepass")
    return surrogates.encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def unfinished(escaped: str) -> int:
    """Return the number of escaped bytes at the end whose meaning depends on what follows."""
    run = _LAST_RUN.search(escaped, max(0, len(escaped) - _HELD - 1))
    if run is not None and len(run[0]) > _HELD:
        run = _BEGUN_PAIR.search(escaped, len(escaped) - _HELD)
    return len(run[0]) if run is not None else 0


def _is_cut(escaped: str, start: int, end: int, before: str) -> bool:
    """Return True where a run is the beginning of a character, and no honest word of windows-1252 looks like
    it: it stands before no letter, or within a word of another script."""
    lead = ord(escaped[start]) - 0xDC00
    if not 0xC2 <= lead <= 0xF4 or (end - start > 1 and not _BEGINNING.fullmatch(escaped, start, end)):
        return False
    first = start - CONTEXT
    context = escaped[first:start] if first >= 0 else (before + escaped[:start])[-CONTEXT:]
    previous, following = context[-1:], escaped[end : end + 1]
    if "\udc80" <= previous <= "\udcff":  # the run began in an earlier piece
        return False
    if following.isalnum() and not (previous.isalpha() and min(previous, following) >= _FIRST_GREEK):
        return False
    if not previous.isascii() or escaped.startswith("\udcf0\udc9f", start):
        return True
    characters = b"" if context.isascii() else context.encode("utf-8", "ignore")
    if not following and lead in _AT_THE_END:
        return True
    if not characters.isascii() and (
        not _last_word(context).isascii() or _lead_occurs(lead, characters, previous, following)
    ):
        return end - start > 1 or not _ends_western_word(lead, context, characters, following)
    if end - start > 1:
        may_close = _CLOSING_LETTERS if previous.isalpha() and lead != _CIRCUMFLEX else _CLOSING
        return any(ord(byte) not in may_close for byte in escaped[start + 1 : end])
    if previous.islower():
        return lead in _AFTER_LOWER
    if previous.isalnum():
        return lead in _AFTER_OTHERS or _begins_capitalised_word(lead, context)
    return lead in _NO_WORD or _ends_alone(lead, context, following)


def _ends_western_word(lead: int, context: str, characters: bytes, following: str) -> bool:
    """Return True for a letter between a Latin one and a space or comma (`Caf\xe9 noir`), or near another
    letter of windows-1252 (`cr\xe8me br\xfbl\xe9e`), in East Asian text."""
    if lead < 0xE0 or lead in _AFTER_LOWER or max(characters) < 0xE3:
        return False
    ends = bool(following) and following in " ,;:!?"
    return (context[-1].isalpha() and ends) or _LETTER_WITHIN.search(context) is not None


def _begins_capitalised_word(lead: int, context: str) -> bool:
    """Return True for one capital before another where the text is not in capitals: `MÃ` of `Mühle`."""
    if lead != _CAPITAL_TILDE or len(_last_word(context)) != 1:
        return False  # `il SÌ`, `NÅ`
    text = context[max(context.rfind(">"), context.rfind("\n")) + 1 :]
    return not text.isupper() or len(text) == 1


def _ends_alone(lead: int, context: str, following: str) -> bool:
    """Return True for a letter that stands alone before `...` or a tag where it is no word of its own."""
    if following in (" ", "'") or context[-1:] + following == "()":
        return False  # `5 × 3`, and `â`, `â'r` of Welsh
    # A letter that windows-1252 does not have shows that the text is of another language.
    others = (char for char in context if char > "\xff" and char not in "ŒœŠšŸ")
    return lead == _CIRCUMFLEX or any(map(str.isalpha, others))


def _lead_occurs(lead: int, characters: bytes, previous: str, following: str) -> bool:
    """Return True where characters before it begin with this lead: the text is of that script."""
    if lead == _CIRCUMFLEX and (following in (" ", "'") or previous + following == "()"):
        return False  # quotation marks and dashes begin with E2, around Welsh, too
    if lead == _CAPITAL_TILDE and previous.isalnum():
        return False
    return lead in characters  # 80-BF never begin a character


def _last_word(context: str) -> str:
    """Return the letters at the end of a text."""
    at = len(context)
    while at and context[at - 1].isalnum():
        at -= 1
    return context[at:]
