"""The closed vocabulary: facts reduced to the few words that the rules use.

"The declaration contradicts the BOM" is established here, once; no rule compares strings.
"""

from typing import Literal, NamedTuple

from feedcharset.charsets.lookup import Charset, lookup
from feedcharset.results.facts import Facts, MediaClass

__all__ = ["DOMAIN", "Words", "family_of", "reduce_facts"]

CharsetWord = Literal["none", "UTF-16", "UTF-16BE/LE", "UTF-32", "UTF-32BE/LE", "other"]
BomWord = Literal["none", "UTF-8", "UTF-16", "UTF-32"]
GuessWord = Literal["none", "UTF-16", "UTF-32", "other", "agrees", "contradicts"]
DeclaredWord = Literal["none", "generic", "other", "agrees", "contradicts"]


class Words(NamedTuple):
    """The facts in the words of the tables."""

    transport: Literal["raw", "http"]
    media: MediaClass
    charset: CharsetWord
    bom: BomWord
    guess: GuessWord
    """With a BOM: whether it agrees; without: its family."""
    declared: DeclaredWord
    """With a BOM: whether it agrees, the generic name of the BOM's family agreeing too. Without:
    "generic" is UTF-16 under a UTF-16 guess, or UTF-32 under a UTF-32 guess."""


DOMAIN: dict[str, tuple[str, ...]] = {
    "transport": ("raw", "http"),
    "media": ("APP-XML", "TEXT-XML", "HTML", "OTHER", "NONE"),
    "charset": ("none", "UTF-16", "UTF-16BE/LE", "UTF-32", "UTF-32BE/LE", "other"),
    "bom": ("none", "UTF-8", "UTF-16", "UTF-32"),
    "guess": ("none", "UTF-16", "UTF-32", "other", "agrees", "contradicts"),
    "declared": ("none", "generic", "other", "agrees", "contradicts"),
}

_FAMILY: dict[str | None, BomWord] = {
    None: "none",
    "UTF-8": "UTF-8",
    "UTF-16BE": "UTF-16",
    "UTF-16LE": "UTF-16",
    "UTF-32BE": "UTF-32",
    "UTF-32LE": "UTF-32",
}

_CHARSET_WORD: dict[str, CharsetWord] = {
    "UTF-16": "UTF-16",
    "UTF-32": "UTF-32",
    "UTF-16BE": "UTF-16BE/LE",
    "UTF-16LE": "UTF-16BE/LE",
    "UTF-32BE": "UTF-32BE/LE",
    "UTF-32LE": "UTF-32BE/LE",
}


def family_of(encoding: str | None) -> str:
    """ "UTF-16" for UTF-16BE and UTF-16LE, "UTF-32" likewise; any other BOM or guess by its own name."""
    return _FAMILY.get(encoding, "other")


def reduce_facts(facts: Facts, *, lenient: bool = False) -> Words:
    """Return the words for these facts; `lenient`: also labels that are misspelt."""
    charset = facts.charset
    return Words(
        "raw" if facts.content_type is None else "http",
        facts.media_class,
        "none" if charset is None else _charset_word(lookup(charset, lenient=lenient)),
        _FAMILY[facts.bom],
        _guess_word(facts),
        "none" if facts.declared is None else _declared_word(facts, lookup(facts.declared, lenient=lenient)),
    )


def _charset_word(charset: Charset | None) -> CharsetWord:
    return "other" if charset is None else _CHARSET_WORD.get(charset.name, "other")


def _guess_word(facts: Facts) -> GuessWord:
    if facts.guess is None:
        return "none"
    if facts.bom is not None:
        return "agrees" if facts.guess == facts.bom else "contradicts"
    family = _FAMILY.get(facts.guess, "none")
    return family if family in ("UTF-16", "UTF-32") else "other"


def _declared_word(facts: Facts, declared: Charset | None) -> DeclaredWord:
    name = declared.name if declared else ""
    if facts.bom is not None:
        return "agrees" if name in (facts.bom, _FAMILY[facts.bom]) else "contradicts"
    return "generic" if name in ("UTF-16", "UTF-32") and name == family_of(facts.guess) else "other"
