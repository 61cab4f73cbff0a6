"""Judge honest texts by the millions: would `decide/thresholds` take them for UTF-8?

Two filters make that fast. Only a text whose legacy octets are well-formed UTF-8 (or damaged within
principle 3) can be misjudged at all, and whole buffers of texts are decoded at once to find those. And a
judgement looks at each sequence and at the octets beside it: texts that are alike in these have one *shape*,
and a shape is judged once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from plainly_corpora import encode_lines, endings

from feedcharset.charsets.lookup import Charset
from feedcharset.decide.thresholds import Threshold, tolerable_utf8, utf8_threshold
from feedcharset.evidence.damaged_utf8 import count_utf8
from feedcharset.evidence.detector import IN_A_ROW
from feedcharset.evidence.utf8_sequences import SEQUENCE, count_sequences
from feedcharset.results import SequenceCount

__all__ = ["Gathered", "judge", "judge_mixture", "mixed", "numbers_of", "shape_of", "wrong"]


class Gathered(NamedTuple):
    """What one charset's honest texts came to."""

    charset: Charset
    judged: Counter[str]
    """Texts by class: "words", "words + mark", "titles", each also in upper case."""
    shapes: dict[str, Counter[bytes]]
    """By class: the shapes that are UTF-8, well-formed or with tolerable damage; texts of each."""
    examples: dict[bytes, str]
    """A text of each shape."""

    @classmethod
    def empty(cls, charset: Charset) -> Gathered:
        """Nothing yet."""
        return cls(charset, Counter(), {}, {})

    def add(self, kind: str, candidate: bytes) -> None:
        """Count a text that is UTF-8."""
        shape = shape_of(candidate)
        self.shapes.setdefault(kind, Counter())[shape] += 1
        if shape not in self.examples:
            self.examples[shape] = candidate.decode(self.charset.codec or "", "replace")


# One letter stands for all that no test tells apart; a run of them is as good as two.
_ALIKE = bytes(
    0x61 if chr(octet).islower() else 0x41 if chr(octet).isupper() else 0x2E for octet in range(0x80)
) + bytes(range(0x80, 0x100))
_RUN = re.compile(rb"([aA.])\1{2,}")


def shape_of(octets: bytes) -> bytes:
    """The octets, with all that no test looks at made alike."""
    return _RUN.sub(rb"\1\1", octets.translate(_ALIKE))


def judge(gathered: Gathered, lines: list[str], kind: str) -> None:
    """Judge lines of one language in one charset.

    Args:
        gathered: what is added to.
        kind: "words" are also judged with each of the endings; "titles" also where they are damaged UTF-8.
    """
    for case, cased in (("", lines), (", upper case", _upper(lines))):
        octets = encode_lines(gathered.charset, cased)
        number = octets.count(b"\n")
        gathered.judged[kind + case] += number
        for candidate in _candidates(octets, whole=True):
            gathered.add(kind + case, candidate)
        for name, ends in endings(gathered.charset).items() if kind == "words" else ():
            gathered.judged[name + case] += number * len(ends)
            for candidate in _ended(octets, ends):
                gathered.add(name + case, candidate)
        for candidate in _damaged(octets) if kind == "titles" else ():
            gathered.add(kind + case, candidate)


def _upper(lines: list[str]) -> list[str]:
    """The lines in upper case, where that is not what they are already."""
    return [upper for line in lines if (upper := line.upper()) != line]


# Lines without a mark, or with the marks of a character cut by the line's end.
_WELL_FORMED = re.compile(r"^[^\n\udc80-\udcff]*+([\udc80-\udcff]{0,3})$", re.MULTILINE)


def _candidates(octets: bytes, *, whole: bool) -> Iterator[bytes]:
    """The lines that are well-formed UTF-8 beyond ASCII; or, not whole, those cut within a character."""
    text = octets.decode("utf-8", "surrogateescape")
    for match in _WELL_FORMED.finditer(text):
        if whole == (not match[1]) and not match[0].isascii():
            yield match[0].encode("utf-8", "surrogateescape")


def _ended(octets: bytes, ends: list[bytes]) -> Iterator[bytes]:
    for whole in (True, False):
        for candidate in _candidates(octets, whole=whole):
            for end in ends:
                try:
                    (candidate + end).decode("utf-8")
                except UnicodeDecodeError:
                    continue
                yield candidate + end


def _damaged(octets: bytes) -> Iterator[bytes]:
    """The lines that are UTF-8 but for damage that principle 3 tolerates."""
    for line in octets.split(b"\n"):
        if len(line) > 14 and not line.isascii() and len(SEQUENCE.findall(line)) >= 7:
            count = count_utf8(line, ends=True)[0]
            if count.damaged and tolerable_utf8(count):
                yield line


def numbers_of(gathered: Gathered) -> dict[SequenceCount, int]:
    """The numbers that the texts come to, and how many texts come to the same."""
    numbers: Counter[SequenceCount] = Counter()
    for counts in gathered.shapes.values():
        for shape, times in counts.items():
            numbers[count_sequences(shape, gathered.charset)] += times
    return numbers


def wrong(gathered: Gathered, kind: str) -> list[tuple[int, str, Threshold]]:
    """The texts of a class that are taken for UTF-8: how many are alike, an example, by which row."""
    found = []
    for shape, times in gathered.shapes.get(kind, {}).items():
        row = utf8_threshold(gathered.charset, count_sequences(shape, gathered.charset))
        if row is not None:
            found.append((times, gathered.examples[shape], row))
    return found


_WITH_SEQUENCE = re.compile(rb"(?m)^[^\n]*?(?:" + SEQUENCE.pattern + rb")[^\n]*$")
_OPEN = re.compile(rb"(?m)^[^\n]*(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?)$")


def judge_mixture(gathered: Gathered, lines: list[str], kind: str) -> None:
    """Judge lines, and words with endings, that hold sequences beside octets that are not UTF-8."""
    for case, cased in (("", lines), (", upper case", _upper(lines))):
        octets = encode_lines(gathered.charset, cased)
        number = octets.count(b"\n")
        gathered.judged[kind + case] += number
        for match in _WITH_SEQUENCE.finditer(octets):
            gathered.add(kind + case, match[0])
        for name, ends in endings(gathered.charset).items() if kind == "words" else ():
            gathered.judged[name + case] += number * len(ends)
            for match in _OPEN.finditer(octets):
                for end in ends:
                    gathered.add(name + case, match[0] + end)


def mixed(gathered: Gathered, kind: str) -> list[tuple[int, str]]:
    """The texts of a class that are damaged, and are taken for a mixture."""
    found = []
    for shape, times in gathered.shapes.get(kind, {}).items():
        if count_utf8(shape, ends=True)[0].damaged:
            count = count_sequences(shape, gathered.charset)
            if count.pasted or count.in_a_row >= IN_A_ROW:
                found.append((times, gathered.examples[shape]))
    return found
