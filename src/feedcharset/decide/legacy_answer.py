"""The decision for a document that is clean text of the charset that its labels name, prepared in advance.

Most documents that are not UTF-8 are in the charset that they declare. The chain then needs two facts: bounds
that prove that the window is not UTF-8, and that the charset decodes all bytes. So the decision depends on
the opening alone, and is made once for each: to run the chain takes 60 µs, as long as decoding 60 KB.
"""

from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

from feedcharset.charsets.lookup import WINDOWS_PAGES, Charset, by_name
from feedcharset.decide.lenient_chain import RecordedCounts, decide
from feedcharset.decide.mixture import may_be_mixed
from feedcharset.decide.opening import REMEMBERED, open_document
from feedcharset.evidence.declaration import is_xml_1_1
from feedcharset.results import Resolution
from feedcharset.results.facts import Body, Damage, Facts, Utf8Count

__all__ = ["LegacyAnswer", "legacy_answer"]

_NOT_UTF8 = Utf8Count(0, 1, bounds=True)


class LegacyAnswer(NamedTuple):
    """The decision for a window that is the rest of the document, is not UTF-8, and decodes in `charset`."""

    resolution: Resolution
    charset: Charset
    without_sequences: bool
    """Only for a window without any UTF-8 sequence: another one might be a mixture."""

    def resolved(self, high: int, utf8: Utf8Count) -> Resolution:
        """Return the decision for a window.

        Args:
            high: offset of the first non-ASCII byte, where the window opened.
            utf8: bounds that prove that the window is not UTF-8.
        """
        decision, facts, body = self.resolution, self.resolution.facts, self.resolution.facts.body
        body = _tuple(Body, (*body[:4], high, body.complete, utf8, *body[7:]))
        facts = _tuple(Facts, (*facts[:7], body))
        resolution: Resolution = _tuple(Resolution, (*decision[:4], facts, *decision[5:]))
        return resolution


_tuple: Any = tuple.__new__


@lru_cache(maxsize=REMEMBERED)
def legacy_answer(declaration: bytes, content_type: str | None, policy: str) -> LegacyAnswer | None:
    """Return the lenient decision for documents with an opening (`Opening.declaration`).

    Returns:
        None where the chain needs other counts, or another charset than a single-byte or East Asian one wins.
    """
    facts = open_document(declaration, content_type, policy=policy).decision.facts
    facts = facts._replace(body=facts.body._replace(first_non_ascii=0, complete=True))
    counts = _CleanLegacyText()
    try:
        decision = decide(facts, counts, policy=policy)
    except LookupError:
        return None
    charset = by_name(decision.encoding)
    if (
        facts.bom is not None
        or charset.family not in ("single", "CJK")
        or (charset.name in WINDOWS_PAGES and is_xml_1_1(declaration))
        or any(damage.charset != charset.name for damage in counts.damages)
    ):
        return None
    body = facts.body._replace(utf8=_NOT_UTF8, damage=counts.damages)
    decision = decision._replace(facts=facts._replace(body=body))
    return LegacyAnswer(decision, charset, may_be_mixed(charset))


class _CleanLegacyText(RecordedCounts):
    """The counts of a window that is not UTF-8, and which the first charset in question decodes.

    Every other count raises LookupError: it is not known.
    """

    def __init__(self) -> None:
        super().__init__(Body(utf8=_NOT_UTF8))
        self.damages: tuple[Damage, ...] = ()

    def utf8(self) -> NoReturn:
        raise LookupError

    def utf8_bounds(self) -> Utf8Count:
        return _NOT_UTF8

    def decodes(self, charset: Charset) -> bool:
        if self.damages:
            raise LookupError
        self.damages = (Damage(charset.name, None, 0, None),)
        return True

    def common(self, charset: Charset) -> NoReturn:
        raise LookupError
