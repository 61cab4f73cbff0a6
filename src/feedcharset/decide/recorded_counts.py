"""The counts that a resolution recorded in its facts."""

from __future__ import annotations

from feedcharset.charsets.lookup import Charset
from feedcharset.decide.candidates import Decides
from feedcharset.results.facts import Body, CommonCount, Damage, Detected, SequenceCount, Utf8Count

__all__ = ["RecordedCounts"]


class RecordedCounts:
    """The counts of a window, from recorded facts.

    Raises:
        LookupError: the count was not recorded.
    """

    def __init__(self, body: Body) -> None:
        self._body = body

    def utf8(self) -> Utf8Count:
        """Return the count of UTF-8 sequences."""
        assert self._body.utf8 is not None
        return self._body.utf8

    def utf8_bounds(self) -> Utf8Count:
        """Return the same, which may be bounds."""
        return self.utf8()

    def decodes(self, charset: Charset) -> bool:
        """Return True where all bytes decode."""
        return self.damage(charset).places == 0

    def damage(self, charset: Charset) -> Damage:
        """Return the count of undecodable bytes of a charset."""
        return {damage.charset: damage for damage in self._body.damage}[charset.name]

    def sequences(self, charset: Charset, decides: Decides | None = None) -> SequenceCount:
        """Return the count of UTF-8 sequences under the label of a charset."""
        return {count.charset: count for count in self._body.sequences}[charset.name]

    def common(self, charset: Charset) -> CommonCount:
        """Return the count of common East Asian characters of a charset."""
        return next(count for count in self._body.common if count.charset == charset.name)

    def misplaced(self) -> str | None:
        """Return the encoding of a misplaced declaration."""
        return self._body.misplaced

    def detected(self) -> Detected | None:
        """Return the answer of the detector."""
        return self._body.detected
