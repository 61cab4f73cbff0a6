"""References and entities: what an `&` begins, which entities a document declares, and how a reference that
XML does not allow is repaired.

    [66] CharRef   ::= '&#' [0-9]+ ';' | '&#x' [0-9a-fA-F]+ ';'     XML 1.0 §4.1
         WFC: Legal Character: what it refers to MUST match Char (§2.2)
    [68] EntityRef ::= '&' Name ';'
         WFC: Entity Declared: the name MUST be declared, but for amp, lt, gt, quot and apos (§4.6)
    [71] GEDecl    ::= '<!ENTITY' S Name S EntityDef S? '>'     §4.2, in a document type declaration

Six things are repaired: two references to the surrogates of one character (`&#55357;&#56846;` becomes the
character), a reference to a character that XML forbids (`&#8;` becomes U+FFFD), one that HTML reads as well
(`&#X41;`, and `&#233` without its `;`), a reference to an undeclared entity of HTML (`&nbsp;` becomes
`&#160;`; so does `&nbsp` before a space), and an `&` that begins no reference, or a reference to an unknown
entity (it becomes `&amp;`, so that the text is what was written). So does, in the value of an entity, a
reference that leads back to it (§4.1 WFC: No Recursion): libxml2 would stop there. A value is repaired as it
is read (§4.5).
What the end of the document cuts off in an element (`&am`) is dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate, chain, pairwise
from typing import Any, NamedTuple

from lxml import etree

from feedcharset.charsets import lazy_pattern
from feedcharset.parsing.libxml2 import safe_options
from feedcharset.parsing.recovery_log import SHOWN
from feedcharset.parsing.tag_syntax import BEGINS_TAG, FEED_ROOTS, WINDOW, local_name, read_start_tag
from feedcharset.text.xml_text import NAME_START, SECTIONS, XML_MARKUP, XML_NAME, XML_SPACE, has_forbidden

Record = Callable[[str, str, str, int, int], None]
"""Counts repairs: their kind, what was found, what it became, the index of the first, how many."""

_Repair = tuple[str, str, str, int, int]


class Entities(NamedTuple):
    """The general entities of a document."""

    names: frozenset[str] | None = frozenset()
    """Those that the internal subset declares; None where some of their names are not searched in the
    document (with non-ASCII letters, or too long)."""
    characters: dict[str, str] = {}  # noqa: RUF012 - never changed
    """The references to entities whose value is one character, each with the number that means it."""
    external: frozenset[str] = frozenset()
    """Those that are in other documents, which are not loaded."""
    spelt: bool = True
    """References to the predefined entities are written as numbers."""


REPAIRED_AT_ONCE = 1 << 16
"""Characters that are repaired at once, cut where no reference can be: `re` makes a list of their parts."""

_HIGH_SURROGATE = (
    r"#(?:0{0,50}(?:5529[6-9]|55[3-9][0-9]{2}|56[0-2][0-9]{2}|563[01][0-9])"
    r"|[xX]0{0,50}[dD][89abAB][0-9a-fA-F]{2});"
)
_LOW_SURROGATE = (
    r"#(?:0{0,50}(?:563[2-9][0-9]|56[4-9][0-9]{2}|57[0-2][0-9]{2}|573[0-3][0-9]|5734[0-3])"
    r"|[xX]0{0,50}[dD][c-fC-F][0-9a-fA-F]{2});"
)
_FIRST_OF_PAIR = lazy_pattern(f"&{_HIGH_SURROGATE}")
_CUT_NUMBER = lazy_pattern("#(?:[0-9]*+|[xX][0-9a-fA-F]*+)")
_ENTITY_NAME = "[A-Za-z_:][-.0-9A-Za-z_:]{0,63}"
_BEHIND_AMPERSAND = (
    f"(?:{_ENTITY_NAME}+;|{_HIGH_SURROGATE}&{_LOW_SURROGATE}|#[0-9]++;?+"
    "|#[xX][0-9a-fA-F]++(?:;|(?<![a-fA-F])|(?![A-Za-z]))|[A-Za-z]{2,6}+[0-9]{0,2}+(?=[ \\t\\r\\n])|)"
)
_NUMBERS = lazy_pattern(f"&(?:{_HIGH_SURROGATE}&{_LOW_SURROGATE}|#(?:[0-9]++|[xX][0-9a-fA-F]++);)")
_ANY_REFERENCE = lazy_pattern(f"(&{_BEHIND_AMPERSAND})")
"""A reference, two to the surrogates of one character, or an `&` that begins none. Without its `;`, it is not
known where `&#xE9dition` ends; a name of HTML, of two to six letters and perhaps a number, ends before a
space: in an address there is none (`?a=1&copy=2`)."""
_OTHER_REFERENCE = lazy_pattern(f"(&(?!(?:lt|gt|quot|amp|apos);){_BEHIND_AMPERSAND})")
"""Any but those to the predefined entities."""

_PREDEFINED = {"amp": "&#38;", "lt": "&#60;", "gt": "&#62;", "quot": "&#34;", "apos": "&#39;"}
"""Once a document was not well-formed, libxml2 2.14 reads `&amp;` as nothing (xmlParseReference), and
references to declared entities as well; `&#38;` it reads always. Where an error would end the parsing, they
stay as they are (`Entities.spelt`): that takes a fifth of the time."""


def repair_references(content: str, entities: Entities, record: Record) -> str:
    """Return content, tags included, with its references repaired.

    Args:
        content: without comments, CDATA sections and processing instructions.
    """
    if "&" not in content:
        return content
    repaired = []
    done = 0
    while done < len(content):
        stop = len(content)
        if stop - done > REPAIRED_AT_ONCE:
            stop = _cut_between_references(content, done, done + REPAIRED_AT_ONCE)
        parts = (_ANY_REFERENCE if entities.spelt else _OTHER_REFERENCE).split(content[done:stop])
        found = parts[1::2]
        spelt, place, at = {}, done, 0
        for reference, count in Counter(found).items():  # in the order of their first places
            spelt[reference], repair = _spelt(reference, entities)
            if repair is not None:
                first = 2 * found.index(reference, at // 2) + 1
                place += sum(map(len, parts[at:first]))
                at = first
                record(*repair, place, count)
        parts[1::2] = map(spelt.__getitem__, found)
        repaired += parts
        done = stop
    return "".join(repaired)


def valid_references(text: str) -> str:
    """Return a text with characters for references to none, at which Beautiful Soup and feedparser raise: for
    two halves of one (`&#xD83D;&#xDE00;`) that one, else U+FFFD."""
    return _NUMBERS.sub(lambda found: _spelt(found[0], Entities())[0], text) if "&#" in text else text


def spelt_references(content: str, entities: Entities) -> list[tuple[str, str]]:
    """Return content, split at its references, each part with what `repair_references` makes of it."""
    parts = (_ANY_REFERENCE if entities.spelt else _OTHER_REFERENCE).split(content)
    after = (_spelt(part, entities)[0] if at % 2 else part for at, part in enumerate(parts))
    return list(zip(parts, after, strict=True))


def _cut_between_references(content: str, start: int, end: int) -> int:
    """Return an index at which no reference or pair of references is cut: at most `end`, else the next."""
    if at := max(content.rfind(char, start, end) for char in " >\n") + 1:
        return at
    at = max(content.rfind("&", start + 1, end), content.rfind(";", start + 1, end) + 1)
    if (first := _first_of_pair(content, start, at)) is not None:
        at = first
    if at <= start:
        at = content.find("&", end)
        may_be_second = at > 0 and _first_of_pair(content, start, at) is not None
        if may_be_second and not _FIRST_OF_PAIR.match(content, at):
            at = content.find("&", at + 1)  # behind the pair
    return at if at > start else len(content)


def drop_uncertain(parts: list[str]) -> int:
    """Remove from the end of a part of the content what may be read otherwise when more follows; return how
    many characters."""
    last = parts.pop()
    kept = 0
    if last and parts[-1:] != ["<"]:
        at = _cut_between_references(last, 0, len(last))
        kept = at if at < len(last) else 0
    elif parts:
        return len(last) + len(parts.pop())
    parts.append(last[:kept])
    return len(last) - kept


def cut_reference(content: str, entities: Entities) -> int:
    """Return the index of the reference, or of the two to the surrogates of one character, that the end of
    the document cuts off, also where a part of a character is left; the length of the content where there is
    none."""
    end = len(content.rstrip("\ufffd"))
    at = content.rfind("&", 0, end)
    if at < 0 or _FIRST_OF_PAIR.fullmatch(content, at, end):
        return at if at >= 0 else len(content)
    name = content[at + 1 : end]
    if name.endswith(";"):
        return len(content)
    if not _CUT_NUMBER.fullmatch(name):
        from html.entities import name2codepoint

        names = chain(_PREDEFINED, name2codepoint, entities.names or ())
        if not any(known.startswith(name) for known in names):
            return len(content)
    first = _first_of_pair(content, 0, at)
    return at if first is None else first


def _first_of_pair(content: str, start: int, end: int) -> int | None:
    """Return where the reference begins that ends at `end`, if it can be the first of a pair."""
    at = content.rfind("&", start, end)
    return at if at >= start and _FIRST_OF_PAIR.fullmatch(content, at, end) else None


def _spelt(found: str, entities: Entities) -> tuple[str, tuple[str, str, str] | None]:
    """Return what is written instead of a reference; where it is repaired, the kind, what was found, and what
    it became."""
    name = found[1:].removesuffix(";")
    if name[:1] == "#":
        numbers = [_number(reference) for reference in found.rstrip(";").split(";")]
        if len(numbers) > 1:
            char = chr(0x10000 + ((numbers[0] - 0xD800) << 10) + (numbers[1] - 0xDC00))
        elif numbers[0] > 0x10FFFF or has_forbidden(char := chr(numbers[0])):
            char = "\ufffd"
        elif found[-1] == ";" and name[1] != "X":
            return found, None
        if found[-1] == ";" or " " <= char != "\ufffd":  # else "AT&#1 hit"
            return char if char > "\x7f" else f"&#{ord(char)};", ("reference", found, char)
    if whole := found[-1] == ";":
        if name in _PREDEFINED:
            return _PREDEFINED[name], None
        if name in entities.external:  # behind an error libxml2 reads references to others as nothing, too
            return "", ("markup", f"Entity '{name}' is external, and was not loaded", "")
    if entities.names is None or (whole and name in entities.names):
        return entities.characters.get(found, found), None
    from html.entities import html5  # a table of 2,231 names that most feeds never need

    characters = html5.get(found[1:])
    if characters and (whole or not name.isupper()):  # `BTC&ETH prices`
        written = "".join(f"&#{ord(char)};" for char in characters)  # no number is read as markup
        return written, ("entity", found, characters)
    return f"&#38;{found[1:]}", ("ampersand", "&", "&")


def _character(reference: str) -> str:
    """Return the character that a number means; "" where XML does not have it, and for any other text."""
    number = _number(reference[:-1]) if _CHARACTER_REFERENCE.fullmatch(reference) else 0
    return chr(number) if 0 < number < 0x110000 and not has_forbidden(chr(number)) else ""


def _number(reference: str) -> int:
    """Return the number in a reference without its `;`; a number as large as any where it has more digits."""
    base = 16 if reference[2] in "xX" else 10
    return int(reference[2:].lstrip("xX0")[:8] or "0", base)


# -- the document type declaration ---------------------------------------------------------------------------

DECLARATIONS = 10
"""XML declarations, and document types, before the root that are considered: a document has one, some two."""

LONGEST_DOCTYPE = 1 << 20
"""Characters of the longest declaration that is read, as many as decoding holds back. A declaration of every
name in HTML's table has 120,000."""

_SUBSET_TOKEN = lazy_pattern(
    """
      <!--.*?-->                # [15] Comment
    | <\\?.*?\\?>               # [16] PI
    | (?: SYSTEM | PUBLIC [ \\t\\r\\n]++ (?: "[^"]*" | '[^']*' ) ) [ \\t\\r\\n]*+ (?: "[^"]*" | '[^']*' )
    | (?P<literal> "[^"]*" | '[^']*' )
    | <!ENTITY [ \\t\\r\\n]+ (?P<name> [^ \\t\\r\\n%"'<>]+ ) [ \\t\\r\\n]     # [71] GEDecl
    | (?P<bracket> [][>] )
    | (?P<open> <!-- | <\\? | ["'] )      # the start of one of the above, without its end
    """,
    re.DOTALL | re.VERBOSE,
)

_EXTERNAL = lazy_pattern(r"[ \t\r\n]*+(?:SYSTEM|PUBLIC)[ \t\r\n]")
_REFERENCE_WITHIN = lazy_pattern(rf"&(?:\#0*+38;|\#x0*+26;)?+({XML_NAME});")
"""A reference to an entity in the value of another one, also as `&#38;name;`, which is one when the value is
read."""
_CHARACTER_REFERENCE = lazy_pattern("(&#(?:[0-9]++|x[0-9a-fA-F]++);)")
_PREFIX = lazy_pattern(rf"((?:</?+|{XML_SPACE})[^\s<>&\"'=:]++):")
"""A prefix in a tag, which what is around the reference may bind; also a word with a colon."""
_NO_TAG = lazy_pattern(rf"(?!/?+[{NAME_START}][^<>]*+>)")
"""Behind a `<` that begins no tag, also none outside of the grammar."""

_SUBSET_MARK = lazy_pattern("[][<>%]")
_SUBSET_PART = lazy_pattern(
    rf"""<!--(?:[^-]|-[^-])*+--> | <\?[^<>?]*+(?:\?(?!>)[^<>?]*+)*+\?> | %{XML_NAME};
       | (?P<keyword><!(?i:ENTITY)){XML_SPACE}++(?P<parameter>%{XML_SPACE}++)?+
         (?P<name>{XML_NAME}){XML_SPACE}++
         (?P<value>"[^"]*+"|'[^']*+'){XML_SPACE}*+>
       | (?P<other><!(?:ENTITY|ELEMENT|ATTLIST|NOTATION)){XML_SPACE}(?:[^]<>"']|"[^"<]*+"|'[^'<]*+')*+>""",
    re.VERBOSE,
)
_SUBSET_CLOSE = lazy_pattern(rf"(?<!\])\]{XML_SPACE}*+(?:>|(?=<[{NAME_START}]))")
_SUBSET_END = lazy_pattern(rf"(?<!\])\]{XML_SPACE}*+>{XML_SPACE}*+<[!?{NAME_START}]")
_BARE_AMPERSAND = lazy_pattern(rf"&(?!#[0-9]++;|#x[0-9a-fA-F]++;|{XML_NAME};)")
_DOCTYPE_NAME = lazy_pattern(rf"(?i:<!DOCTYPE){XML_SPACE}*+({XML_NAME})")


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


def _values(text: str, start: int = 0) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the names of the entities that have values in the declaration at `start`, and the literals."""
    for before, token in pairwise(token for token, _ in _tokens(text, start)):
        if before["name"] and token["literal"] and not text[before.end() : token.start()].strip():
            yield before["name"], token


def doctype_end(text: str, start: int, final: bool) -> tuple[int | None, bool]:
    """Return the index after the declaration that begins at `start`, and whether it is within the grammar.

    The index is None where more text is needed; -1 where the declaration has no end, or is longer than
    `LONGEST_DOCTYPE`.
    """
    end = next((token.end() for token, last in _tokens(text, start) if last), None)
    length = (len(text) if end is None else end) - start
    if end is None and not final and length <= LONGEST_DOCTYPE:
        return None, True
    fits = end is not None and length <= LONGEST_DOCTYPE
    if fits and (_is_read(text[start:end]) or _is_read(_with_values(text, start, end or 0)[0])):
        return end, True
    stop = start + LONGEST_DOCTYPE
    return (None if len(text) < stop and not final else _FaultyDoctype(text, start, stop).end), False


def read_doctype(text: str, start: int, end: int, record: Record) -> tuple[str, Entities]:
    """Return the declaration at text[start:end] repaired, and what it declares."""
    repaired, records = _with_values(text, start, end)
    if not _is_read(repaired):
        repaired, records = _FaultyDoctype(text, start, start + LONGEST_DOCTYPE).repaired()
    repaired, loops = _without_loops(repaired)
    for reference in loops:
        at = text.find(reference, start, end)
        records.append(("ampersand", reference, reference, at if at >= 0 else start, 1))
    for repair in records:
        record(*repair)
    tokens = [token for token, _ in _tokens(repaired, 0)]
    names = frozenset(token["name"] for token in tokens if token["name"])
    declared = names if all(re.fullmatch(_ENTITY_NAME, name) for name in names) else None
    characters = {} if "%" in repaired else _single_characters(repaired)
    return repaired, Entities(declared, characters, _external(repaired, tokens))


def _external(text: str, tokens: list[re.Match[str]]) -> frozenset[str]:
    """Return the names of entities that are in other documents; the first declaration of a name binds."""
    first = {token["name"]: token for token in reversed(tokens) if token["name"]}
    return frozenset(name for name, token in first.items() if _EXTERNAL.match(text, token.end()))


def _with_values(text: str, start: int, end: int) -> tuple[str, list[_Repair]]:
    """Return the declaration at text[start:end] with the values of its entities repaired, and what was
    repaired."""
    records: list[_Repair] = []
    tokens = [token for token, _ in _tokens(text[:end], start) if token["name"]]
    declared = Entities(frozenset(token["name"] for token in tokens), external=_external(text, tokens))
    pieces: list[str] = []
    done = start
    for _, token in _values(text[:end], start):
        pieces += text[done : token.start()], _value(token[0], declared, records, token.start())
        done = token.end()
    return "".join([*pieces, text[done:end]]), records


def _value(literal: str, entities: Entities, records: list[_Repair], start: int) -> str:
    """Return the value of an entity with what is a fault where it is referred to repaired: references, and
    each `&` and `<` that begins nothing. Its numbers are expanded when it is declared (§4.5): `&#38;#8;` is
    then a reference to a character that XML forbids, and `R&#38;D` has a bare `&`. In a section it may."""
    spelt, character = cache(lambda found: _spelt(found, entities)), cache(_character)
    found_at: dict[tuple[str, str, str], list[int]] = {}  # by what was found
    units: list[str] = []  # of each, one character is read
    read = ""
    for at, part in enumerate(_CHARACTER_REFERENCE.split(literal[1:-1])):
        char = character(part) if at % 2 else ""
        units += [part] if char else part
        read += char or part
    places = list(accumulate(map(len, units), initial=start + 1))
    pieces = [literal[0]]
    behind = done = 0
    for at, part in enumerate(XML_MARKUP.split(read)):
        begin, behind = behind, behind + len(part)
        if part == "<" and at % 2 and _NO_TAG.match(read, behind):
            found_at.setdefault(("less-than", units[begin], "<"), []).append(places[begin])
            pieces += *units[done:begin], "&#38;#60;"
            done = behind
        is_section = part.startswith(tuple(SECTIONS))
        for found in _OTHER_REFERENCE.finditer(part) if "&" in part else ():
            first, last = begin + found.start(), begin + found.end()
            is_bare = _BARE_AMPERSAND.match(read, first) is not None
            written, repair = spelt(found[0])
            if is_section and is_bare:
                written, repair, last = "&#38;", ("ampersand", "&", "&"), first + 1
            elif not is_section:  # they are numbers when it has been read, too
                written = written.replace("&#38;", "&#38;#38;").replace("&#60;", "&#38;#60;")
            is_fault = not is_section or (units[first] == "&" and (is_bare or found[0][1] == "#"))
            if repair and is_fault and (is_bare or found[0] != "&"):
                kind, shown, became = repair
                if kind != "markup":
                    shown = units[first] if kind == "ampersand" else "".join(units[first:last])
                found_at.setdefault((kind, shown, became), []).append(places[first])
                pieces += *units[done:first], written
                done = last
    value = "".join([*pieces[1:], *units[done:]])
    content = _CHARACTER_REFERENCE.sub(lambda one: character(one[0]) or one[0], value)
    if "<" in content and not _is_content(content):
        # An error in what it refers to would make all later references nothing.
        written = _CHARACTER_REFERENCE.sub(lambda one: "<" if character(one[0]) == "<" else one[0], value)
        value = written.replace("<", "&#38;#60;")
        first = next(at for at, unit in enumerate(units) if unit == "<" or character(unit) == "<")
        found_at.setdefault(("less-than", units[first], "<"), []).append(places[first])
    records += [(*repair, places[0], len(places)) for repair, places in found_at.items()]
    return f"{literal[0]}{value}{literal[-1]}"


def _is_content(text: str) -> bool:
    """Return whether the value of an entity, without its references, is within the grammar (§4.3.2)."""
    text = _PREFIX.sub(r"\1_", _REFERENCE_WITHIN.sub(" ", text))
    with suppress(UnicodeError):
        try:
            etree.fromstring(
                f"<x>{text}</x>".encode(), etree.XMLParser(**safe_options(recover=False, huge=True))
            )
        except etree.XMLSyntaxError:
            return False
    return True


def _without_loops(declaration: str) -> tuple[str, list[str]]:
    """Return the declaration with text in place of references in the values of entities that lead back to the
    same entity, or to such ones, and these references."""
    values: dict[str, re.Match[str]] = {}
    for name, value in _values(declaration):
        values.setdefault(name, value)  # the first declaration binds (XML 1.0 §4.2)
    order = TopologicalSorter({name: _REFERENCE_WITHIN.findall(value[0]) for name, value in values.items()})
    with suppress(CycleError):
        order.prepare()
    sound: set[str] = set()
    while ready := order.get_ready():
        sound.update(ready)
        order.done(*ready)
    found: list[str] = []
    pieces: list[str] = []
    done = 0
    for value in (value for name, value in values.items() if name not in sound):
        for inner in _REFERENCE_WITHIN.finditer(declaration, *value.span()):
            if inner[1] not in sound:
                found.append(inner[0])
                pieces += declaration[done : inner.start()], f"&#38;#38;{inner[1]};"
                done = inner.end()
    return "".join([*pieces, declaration[done:]]), found


def _is_read(declaration: str) -> bool:
    """Return whether libxml2 reads a document type declaration without an error at which it stops."""
    parser: Any = etree.XMLParser(**safe_options(recover=True, huge=True))
    etree.fromstring(f"{declaration}<x/>".encode(), parser)
    return not any(entry.level_name == "FATAL" for entry in parser.error_log)


def miscounted_columns(declaration: str) -> int:
    """Return by how many libxml2's columns are too large behind a document type declaration: it counts the
    values of entities in bytes, and one too few."""
    parser: Any = etree.XMLParser(**safe_options(recover=True, huge=True))
    etree.fromstring(f"{declaration}\t<>".encode(), parser)
    last = next((one for one in parser.error_log if "invalid element name" in one.message), None)
    return last.column - len(declaration.rpartition("\n")[2]) - len("\t<>") if last else 0


class _FaultyDoctype:
    """A document type declaration outside of the grammar: where it ends, and what of it can stay."""

    def __init__(self, text: str, start: int, stop: int) -> None:
        """Read the declaration at `start`; what is behind `stop` is not looked at."""
        self._text = text
        self._start = start
        self._stop = min(stop, len(text))
        self._parts: list[re.Match[str]] = []
        """Comments, instructions, declarations, and references to parameter entities."""
        self._subset = 0
        """Where the internal subset begins; 0: nowhere."""
        self._subset_end = start
        self.end = self._read()
        """The index after it; -1 where it has no end."""

    def _read(self) -> int:
        index = self._start + len("<!DOCTYPE")
        while found := _SUBSET_MARK.search(self._text, index, self._stop):
            at, index = found.span()
            mark = found[0]
            part = _SUBSET_PART.match(self._text, at, self._stop)
            if mark == "[":
                self._subset = self._subset or at
            elif part and (self._subset or part["keyword"] or part["other"]):
                self._subset = self._subset or at
                self._parts.append(part)
                index = part.end()
            elif mark == ">" and not self._subset:
                return index
            elif mark == "]" and self._subset and (close := _SUBSET_CLOSE.match(self._text, at, self._stop)):
                return close.end()
            elif mark == "<" and (part or self._is_behind(at)):
                return at
        return -1

    def _is_behind(self, at: int) -> bool:
        """Return whether a tag begins at a `<`, and is not in the internal subset."""
        if not BEGINS_TAG.match(self._text, at):
            return False
        tag = read_start_tag(self._text, at, min(at + WINDOW, self._stop))
        if tag is None or not self._subset or local_name(tag.name) in FEED_ROOTS:
            return tag is not None
        if 0 <= self._subset_end < at:
            end = _SUBSET_END.search(self._text, at, self._stop)
            self._subset_end = end.start() if end else -1
        return self._subset_end < 0

    def repaired(self) -> tuple[str, list[_Repair]]:
        """Return a declaration of nothing but the entities that have values, and what was repaired; line ends
        where there is none."""
        whole = self._text[self._start : self.end]
        entities = [part for part in self._parts if part["keyword"] and not part["parameter"]]
        if not entities:
            return "\n" * whole.count("\n"), [("before-document", whole.strip()[:SHOWN], "", self._start, 1)]
        records: list[_Repair] = []
        names = Entities(frozenset(part["name"] for part in entities))
        name = _DOCTYPE_NAME.match(whole)
        pieces = [f"<!DOCTYPE {name[1] if name else 'x'} ["]
        for part in entities:
            start = part.start("value")
            value = _value(part["value"], names, records, start).replace("%", "&#37;")
            pieces.append(f"<!ENTITY {part['name']} {value}>")
        written = "".join(pieces)
        repaired = f"{written}{chr(10) * (whole.count(chr(10)) - written.count(chr(10)))}]>"
        records.append(("declaration", whole.strip()[:SHOWN], repaired[:SHOWN], self._start, 1))
        return repaired, records


def _single_characters(text: str) -> dict[str, str]:
    """Return the references to entities whose value is one character, each with the number that means it."""
    found: dict[str, str] = {}
    for name, value in _values(text):
        char = _character(value[0][1:-1]) or value[0][1:-1]
        is_plain = len(char) == 1 and char > " " and char not in "<&"
        found.setdefault(f"&{name};", f"&#{ord(char)};" if is_plain else f"&{name};")
    return {reference: number for reference, number in found.items() if reference != number}
