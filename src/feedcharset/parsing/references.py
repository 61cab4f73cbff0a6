"""References and entities: what an `&` begins, which entities a document declares, and how a reference that
XML does not allow is repaired.

    [66] CharRef   ::= '&#' [0-9]+ ';' | '&#x' [0-9a-fA-F]+ ';'     XML 1.0 §4.1
         WFC: Legal Character: what it refers to MUST match Char (§2.2)
    [68] EntityRef ::= '&' Name ';'
         WFC: Entity Declared: the name MUST be declared, but for amp, lt, gt, quot and apos (§4.6)
    [71] GEDecl    ::= '<!ENTITY' S Name S EntityDef S? '>'     §4.2, in a document type declaration

Four things are repaired: two references to the surrogates of one character (`&#55357;&#56846;` becomes the
character), a reference to a character that XML forbids (`&#8;` becomes U+FFFD), a reference to an undeclared
entity of HTML (`&nbsp;` becomes `&#160;`), and an `&` that begins no reference, or a reference to an unknown
entity (it becomes `&amp;`, so that the text is what was written).
"""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from feedcharset.charsets.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol

    class Record(Protocol):
        """Counts a repair."""

        def __call__(
            self, kind: str, found: str, became: str, first: Callable[[], int], count: int, /
        ) -> None:
            """`first` returns the index of the first in the text that was given."""


__all__ = ["Entities", "doctype_end", "read_doctype", "repair_references"]


class Entities(NamedTuple):
    """The general entities of a document."""

    names: frozenset[str] | None = frozenset()
    """Those that the internal subset declares; None where some of their names are not searched in the
    document (with non-ASCII letters, or too long)."""
    characters: dict[str, str] = {}  # noqa: RUF012 - never changed
    """The references to entities whose value is one character, each with the number that means it."""


REPAIRED_AT_ONCE = 1 << 16
"""Characters that are repaired at once, cut where no reference can be: `re` makes a list of what it
replaces."""

FEW_NAMES = 64
"""Different names up to which `str.replace` for each is faster than a function called for every reference."""

# Char ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]; the numbers between these:
_DECIMAL = (
    r"(?:[0-8]|1[124-9]|2[0-9]|3[01]"  # 0-8, 11, 12, 14-31
    r"|5529[6-9]|55[3-9][0-9]{2}|56[0-9]{3}|57[0-2][0-9]{2}|573[0-3][0-9]|5734[0-3]"  # 55296-57343
    r"|6553[45]"
    r"|111411[2-9]|11141[2-9][0-9]|1114[2-9][0-9]{2}|111[5-9][0-9]{3}|11[2-9][0-9]{4}"  # from 1114112
    r"|1[2-9][0-9]{5}|[2-9][0-9]{6}|[1-9][0-9]{7,49})"
)
_HEX = (
    r"(?:[0-8bcefBCEF]|1[0-9a-fA-F]"
    r"|[dD][89a-fA-F][0-9a-fA-F]{2}"
    r"|[fF]{3}[efEF]"
    r"|1[1-9a-fA-F][0-9a-fA-F]{4}|[2-9a-fA-F][0-9a-fA-F]{5}|[1-9a-fA-F][0-9a-fA-F]{6,49})"
)
_ILLEGAL = lazy_pattern(f"&#(?:0{{0,50}}{_DECIMAL}|x0{{0,50}}{_HEX});")
_HIGH_SURROGATE = (
    r"&#(?:0{0,50}(?:5529[6-9]|55[3-9][0-9]{2}|56[0-2][0-9]{2}|563[01][0-9])"
    r"|x0{0,50}[dD][89abAB][0-9a-fA-F]{2});"
)
_LOW_SURROGATE = (
    r"&#(?:0{0,50}(?:563[2-9][0-9]|56[4-9][0-9]{2}|57[0-2][0-9]{2}|573[0-3][0-9]|5734[0-3])"
    r"|x0{0,50}[dD][c-fC-F][0-9a-fA-F]{2});"
)
_SURROGATE_PAIR = lazy_pattern(_HIGH_SURROGATE + _LOW_SURROGATE)
_NUMBER = lazy_pattern("&#([^;]+);")
_ENTITY_NAME = "[A-Za-z_:][-.0-9A-Za-z_:]{0,63}"
_FINE = "(?:amp|lt|gt|quot|apos|#[0-9]++|#x[0-9a-fA-F]++);"
_NAMED_REFERENCE = lazy_pattern(f"&(?!{_FINE}){_ENTITY_NAME};")
_LOOSE = lazy_pattern(f"&(?!{_FINE})")
_ENTITY_REFERENCE = lazy_pattern(f"&{_ENTITY_NAME};")
_NAMED_OR_LOOSE = lazy_pattern(f"&(?!{_FINE})(?:{_ENTITY_NAME};)?")


_NUMBERS = (
    *(("&amp;", "&#38;"), ("&lt;", "&#60;"), ("&gt;", "&#62;"), ("&quot;", "&#34;"), ("&apos;", "&#39;")),
)
"""Once a document was not well-formed, libxml2 2.14 reads `&amp;` as nothing (xmlParseReference), and
references to declared entities as well; `&#38;` it reads always."""


def repair_references(content: str, entities: Entities, record: Record) -> str:
    """Return content, tags included, with its references repaired.

    Args:
        content: without comments, CDATA sections and processing instructions.
        entities: the declared ones.
        record: counts the repairs.
    """
    repaired = []
    start = 0
    while start < len(content):
        stop = len(content)
        if stop - start > REPAIRED_AT_ONCE:
            end = start + REPAIRED_AT_ONCE
            stop = max(content.rfind(char, start, end) for char in " >\n") + 1 or stop
        repaired.append(_repair_part(content[start:stop], entities, partial(_at, record, start)))
        start = stop
    return "".join(repaired)


def _repair_part(content: str, entities: Entities, record: Record) -> str:
    """Return a part of content that is not cut within a reference, repaired."""
    repaired = content
    loose = _LOOSE.search(content) is not None
    if loose or _ILLEGAL.search(content):
        repaired = _repair_numbers(content, record)
        if loose and entities.names is not None:
            repaired = _repair_names(repaired, content, entities.names, record)
            repaired = _repair_ampersands(repaired, content, entities.names, record)
    for name, number in _NUMBERS:
        repaired = repaired.replace(name, number)
    if entities.characters:
        known = entities.characters
        repaired = _ENTITY_REFERENCE.sub(lambda found: known.get(found[0], found[0]), repaired)
    return repaired


def _repair_numbers(text: str, record: Record) -> str:
    if "&#" not in text:
        return text
    for found, count in Counter(_SURROGATE_PAIR.findall(text)).items():
        record("reference", found, _joined(found), partial(text.index, found), count)
    original, text = text, _SURROGATE_PAIR.sub(lambda pair: _joined(pair[0]), text)
    for found, count in Counter(_ILLEGAL.findall(text)).items():
        record("reference", found, "\ufffd", partial(original.index, found), count)
    return _ILLEGAL.sub("\ufffd", text)


def _joined(pair: str) -> str:
    """Return the character of two references to its surrogates."""
    high, low = (
        int(number[1:], 16) if number[:1] == "x" else int(number) for number in _NUMBER.findall(pair)
    )
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


def _repair_names(text: str, original: str, declared: frozenset[str], record: Record) -> str:
    """Repair references to undeclared entities of HTML."""
    markup = {}
    for found, count in Counter(_NAMED_REFERENCE.findall(text)).items():
        characters = None if found[1:-1] in declared else _of_html(found)
        if characters:
            markup[found] = "".join(map(_spelt, characters))
            record("entity", found, characters, partial(original.index, found), count)
    if len(markup) > FEW_NAMES:
        return _NAMED_REFERENCE.sub(lambda match: markup.get(match[0], match[0]), text)
    for found, spelt in markup.items():
        text = text.replace(found, spelt)
    return text


def _repair_ampersands(text: str, original: str, declared: frozenset[str], record: Record) -> str:
    """Repair what is left: each `&` that begins no reference, or one to an unknown entity."""

    def spelt(match: re.Match[str]) -> str:
        return match[0] if match[0][1:-1] in declared else f"&amp;{match[0][1:]}"

    def first() -> int:
        found = _NAMED_OR_LOOSE.finditer(original)
        return next(one.start() for one in found if one[0][1:-1] not in declared and not _of_html(one[0]))

    if declared:
        before = text.count("&amp;")
        text = _NAMED_OR_LOOSE.sub(spelt, text)
        count = text.count("&amp;") - before
    else:
        text, count = _LOOSE.subn("&amp;", text)
    if count:
        record("ampersand", "&", "&", first, count)
    return text


def _of_html(reference: str) -> str | None:
    """Return the character, or two, that a reference means in HTML."""
    from html.entities import html5  # a table of 2,231 names that most feeds never need

    return html5.get(reference[1:])


def _spelt(char: str) -> str:
    """Return a character as a reference that is never read as markup.

    In an entity's value, character references are expanded when the entity is declared, so `&#60;` would
    become markup there (§4.4.8, §4.6); the predefined names are not.
    """
    return {"<": "&lt;", "&": "&amp;"}.get(char) or f"&#{ord(char)};"


# -- the document type declaration ---------------------------------------------------------------------------

LONGEST_DOCTYPE = 1 << 20
"""Characters of the longest declaration that is read, as many as decoding holds back. A declaration of every
name in HTML's table has 120,000."""

_SUBSET_TOKEN = lazy_pattern(
    """
      <!--.*?-->                # [15] Comment
    | <\\?.*?\\?>               # [16] PI
    | (?P<literal> "[^"]*" | '[^']*' )
    | <!ENTITY [ \\t\\r\\n]+ (?P<name> [^ \\t\\r\\n%"'<>]+ ) [ \\t\\r\\n]     # [71] GEDecl
    | (?P<bracket> [][>] )
    | (?P<open> <!-- | <\\? | ["'] )      # the start of one of the above, without its end
    """,
    re.DOTALL | re.VERBOSE,
)


_SINGLE = lazy_pattern(
    r"""[ \t\r\n]*+(["'])(?:&\#([0-9]{1,7});|&\#x([0-9a-fA-F]{1,6});|([^<&%"']))\1""", re.VERBOSE
)
_MARKUP_CHARACTERS = frozenset(map(ord, "<&"))


def _tokens(text: str, start: int) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield the tokens of the declaration at `start`; True with the last one: its `>`, or one that has no
    end yet."""
    within = False
    for token in _SUBSET_TOKEN.finditer(text, start):
        bracket = token["bracket"]
        last = bracket == ">" and not within
        yield token, last
        if last or token["open"]:
            return
        if bracket in ("[", "]"):
            within = bracket == "["


def doctype_end(text: str, start: int) -> int | None:
    """Return the index after the declaration that begins at `start`.

    Returns:
        None where its end is not in the text yet; -1 where it is longer than `LONGEST_DOCTYPE`.
    """
    end = next((token.end() for token, last in _tokens(text, start) if last), None)
    if (len(text) if end is None else end) - start > LONGEST_DOCTYPE:
        return -1
    return end


def read_doctype(text: str, start: int, end: int, record: Record) -> tuple[str, Entities]:
    """Return the declaration at text[start:end] with its entity values repaired, and what it declares.

    A bare `&` in a value stays.
    """
    tokens = [token for token, _ in _tokens(text, start)]
    names = frozenset(token["name"] for token in tokens if token["name"])
    declared = names if all(re.fullmatch(_ENTITY_NAME, name) for name in names) else None
    pieces: list[str] = []
    done = start
    if _LOOSE.search(text, start, end) or _ILLEGAL.search(text, start, end):
        for token in tokens:
            if literal := token["literal"]:
                at = partial(_at, record, token.start())
                repaired = _repair_numbers(literal, at)
                if declared is not None:
                    repaired = _repair_names(repaired, literal, declared, at)
                pieces += text[done : token.start()], repaired
                done = token.end()
    repaired = "".join([*pieces, text[done:end]])
    return repaired, Entities(declared, {} if "%" in repaired else _single_characters(repaired))


def _at(
    record: Record, start: int, kind: str, found: str, became: str, first: Callable[[], int], count: int
) -> None:
    """Count a repair in a part that begins at `start`."""
    record(kind, found, became, lambda: start + first(), count)


def _single_characters(text: str) -> dict[str, str]:
    """Return the references to entities whose value is one character, each with the number that means it."""
    found: dict[str, str] = {}
    for token, _ in _tokens(text, 0):
        if not token["name"] or (reference := f"&{token['name']};") in found:
            continue  # the first declaration binds (XML 1.0 §4.2)
        value = _SINGLE.match(text, token.end())
        number = 0
        if value is not None:
            number = int(value[2] or 0) or int(value[3] or "0", 16) or ord(value[4])
        found[reference] = (
            f"&#{number};" if 0x20 < number <= 0x10FFFF and number not in _MARKUP_CHARACTERS else reference
        )
    return {reference: number for reference, number in found.items() if reference != number}
