"""The findings of one document: equal ones as one with a count, and of a code as many as the limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from feedcharset.results.report import Finding
from feedcharset.validate.finding_catalogue import CATALOGUE, finding_kind
from feedcharset.validate.fixes import Fix, Fixes

if TYPE_CHECKING:
    from collections.abc import Callable

    from feedcharset.validate.text_blocks import Position, TextBlock

    AnyFix = Fix | Callable[[Fixes], Fix | None] | None
    """A fix, or a function that is called with the fixes when the document has been read to its end."""

__all__ = ["FindingList", "quoted", "spelled"]

SHOWN_CHARACTERS = 64
"""Characters of an outside value that a message shows: those of the longest label that is looked up."""

COMPARED = 5_000
"""Occurrences of a code that are compared with those before: a third of a second of work. Later ones are only
counted."""

LISTED_OFFSETS = 100
"""Offsets that a finding lists: as many as `Repairs.offsets`."""

_RANK = {kind.code: rank for rank, kind in enumerate(CATALOGUE)}


class _Group(NamedTuple):
    """Equal findings."""

    finding: Finding
    fix: AnyFix
    offsets: list[int]


class FindingList:
    """The findings of one document.

    Args:
        block: computes the positions in the text.
        limit: different findings of one code; one more finding counts those beyond it.
    """

    def __init__(self, block: TextBlock, limit: int) -> None:
        self._block = block
        self._limit = limit
        self._lower_limits: dict[str, int] = {}
        self._groups: dict[tuple[str, str], _Group] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._seen: dict[str, int] = {}
        self._kinds: dict[str, int] = {}
        self._beyond: dict[str, tuple[str, str]] = {}

    def compares(self, code: str) -> bool:
        """Return True where a further occurrence of this code is compared; otherwise it is only counted."""
        return self._seen.get(code, 0) < COMPARED

    def add(self, code: str, position: Position | None = None, fix: AnyFix = None, **values: object) -> None:
        """Add a finding whose position is known, or that has none."""
        key = self._new(code, fix, values)
        if position is not None:
            self._place(key, position)

    def at(
        self,
        code: str,
        offset: int,
        end: int,
        index: int | None,
        fix: AnyFix = None,
        **values: object,
    ) -> None:
        """Add a finding about bytes of the document.

        Args:
            offset, end: the bytes.
            index: of their first character in the text block, if it is known.
        """
        known = len(self._groups)
        key = self._new(code, fix, values)
        group = self._groups[key]
        if len(group.offsets) < LISTED_OFFSETS:
            group.offsets.append(offset)
        if len(self._groups) > known:
            self._block.place(offset, end, lambda position: self._place(key, position), index)

    def lower_limit(self, code: str, limit: int) -> None:
        """Report fewer different findings of a code."""
        self._lower_limits[code] = limit

    def drop(self, code: str) -> None:
        """Remove all findings of a code."""
        self._groups = {key: group for key, group in self._groups.items() if key[0] != code}

    def count(self, code: str, more: int) -> None:
        """Count further occurrences of a code without comparing them."""
        self._seen[code] += more
        key = self._beyond.get(code)
        if key is None:
            key = next(reversed([key for key in self._groups if key[0] == code]))
        self._counts[key] += more

    def _new(self, code: str, fix: AnyFix, values: dict[str, object]) -> tuple[str, str]:
        kind = finding_kind(code)
        message = kind.message.format(**values)
        self._seen[code] = self._seen.get(code, 0) + 1
        key = (code, message)
        if key not in self._groups:
            if code in self._beyond:
                key = self._beyond[code]
            else:
                self._kinds[code] = self._kinds.get(code, 0) + 1
                finding = Finding(code, kind.severity, message, spec=kind.spec)
                self._groups[key] = _Group(finding, fix, [])
                if self._kinds[code] > min(self._limit, self._lower_limits.get(code, self._limit)):
                    self._beyond[code] = key
        self._counts[key] = self._counts.get(key, 0) + 1
        return key

    def _place(self, key: tuple[str, str], position: Position) -> None:
        group = self._groups.get(key)
        if group is None:
            return  # dropped since
        if not group.offsets:
            group.offsets.append(position.offset)
        self._groups[key] = group._replace(finding=group.finding._replace(**position._asdict()))

    def findings(self, fixes: Fixes | None) -> tuple[Finding, ...]:
        """All of them: what concerns the whole document first, then by position."""
        found = []
        for key, (finding, fix, offsets) in self._groups.items():
            count = self._counts[key]
            if key in self._beyond.values() and count > 1:
                finding = finding._replace(message=f"{finding.message} (and {count - 1:,} more)")
            if callable(fix):
                fix = fix(fixes) if fixes is not None else None
            if fix is not None:
                finding = finding._replace(fix=fix.text, fix_kind=fix.kind)
            found.append(finding._replace(count=count, offsets=tuple(offsets)))
        return tuple(sorted(found, key=_rank))


def _rank(finding: Finding) -> tuple[bool, int, int]:
    return finding.offset is not None, finding.offset or 0, _RANK[finding.code]


def quoted(label: str) -> str:
    """An outside value in quotes, bounded, without characters that act on a terminal."""
    return repr(label if len(label) <= SHOWN_CHARACTERS else label[: SHOWN_CHARACTERS - 3] + "...")


def spelled(data: bytes, most: int = 8) -> str:
    """Bytes in hexadecimal, a few of them."""
    text = data[:most].hex(" ").upper()
    return f"{text} ..." if len(data) > most else text
