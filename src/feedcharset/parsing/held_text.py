"""The text that is held while a document's markup is repaired: the elements that are open, where sections
and elements end, and what shows that a tag is lost.

What follows shows that the start tag of an item, or the `<` of it, is lost: its end tag before the start tag
of the next one. An end tag is lost where the next element of a feed begins in one that holds text alone. No
well-formed document has any of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from feedcharset.parsing.tag_syntax import (
    ENDED,
    FIELDS,
    HOLD_ALL,
    HOLD_SOME,
    HTML,
    ITEM_ENDS,
    ITEMS,
    LEFT_OF_TAG,
    ROOTS,
    VOID,
    WINDOW,
    WITHOUT_TEXT,
    is_misspelt,
    is_of_feeds,
    is_resource,
    is_text,
    is_whole_section,
    local_name,
    misspelt,
    tag_name,
)
from feedcharset.text.xml_text import NO_SECTIONS, SECTIONS

LONGEST_SECTION = 10_000_000
"""Characters in which the end of a comment, a CDATA section or an instruction is searched: libxml2 refuses a
longer one. With `huge` both take a hundred times as many, more than are held back."""

REACH = 1 << 20
"""Characters in which the end tag of a `<br>` is searched, as many as decoding holds back: in a well-formed
document it is an element like others."""

NAMES_SEARCHED = 64
"""Different names of elements of feeds whose end tags are searched: each takes a search of the text, and
prefixes make as many names as one likes. Feeds have some 30."""

NAMES_HELD = 16
"""Names of elements in another one of which the last is held, with what its tags do."""

FAR_END = 1 << 16
"""Characters behind the end of the root in which it is searched whether the feed goes on: about a page."""

HOLD_ITEMS = ROOTS - {"opml"} | {"channel"}
"""Elements, by local names in lower case, that hold the channel or the items of a feed."""

_MAY_HOLD_ITEMS = HOLD_ITEMS | ITEMS
"""These, and the items."""

HEADINGS = frozenset(("title", "id", "link", "description"))
"""Elements that a channel, an item or an entry has once; a feed or an entry may have several links."""

# -- open elements ------------------------------------------------------------------------------------------


CountedRepair = tuple[str, str, str, int]
"""A repair: its kind, what was found, what it became, how often."""

Known = tuple["OpenElement", str | None, Sequence[CountedRepair]]
"""What a tag does: the element that is open then, what is written instead of it (None: it stays), and the
repairs."""


class OpenElement:
    """An open element, and what the tags do that were seen in it."""

    __slots__ = (
        *("bound", "depth", "headings", "holds_items", "in_feed", "in_text", "inner"),
        *("known", "local", "name", "parent", "root"),
    )

    def __init__(self, name: str, parent: OpenElement | None, bound: frozenset[str]) -> None:
        self.name: str = name
        """"" for the document."""
        self.local: str = local_name(name)
        self.parent: OpenElement | None = parent
        self.bound: frozenset[str] = bound
        """The well-known prefixes that are bound in it."""
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.in_feed: bool = parent.in_feed if parent and parent.depth else self.local in HOLD_ITEMS
        """The root is that of a feed, or the channel."""
        self.in_text: bool = self.in_feed and (is_text(name) or (parent is not None and parent.in_text))
        """It is text of a feed, or in one."""
        self.root: str = parent.root if parent and parent.depth else name
        """The name of the root."""
        self.headings: frozenset[str] = frozenset()
        """Those that were begun in it, where it holds the items of a feed."""
        self.holds_items: bool = self.local in HOLD_ITEMS
        """An item that has lost its start tag may be in it; not where other elements, with all their
        tags, follow one another in it."""
        self.forget()

    def forget(self) -> None:
        """Forget all tags but the element's own end tag; that of the root takes a step."""
        self.known: dict[str | tuple[str, str], Known] = {}
        """By a tag, by several, or by a tag and the next markup, on which it depends."""
        if self.parent is not None and self.parent.parent is not None:
            self.known[f"</{self.name}>"] = self.parent, None, ()
        self.inner: dict[str, OpenElement] = {}
        """Of some names the last one that was in it."""

    def begin(self, name: str, bound: frozenset[str]) -> OpenElement:
        """Return an element that begins in it; the last one of its name again where that is the same, with
        what its tags do."""
        inner = self.inner.get(name)
        if inner is None or inner.bound != bound or inner.local in HOLD_ITEMS:
            if len(self.inner) >= NAMES_HELD:
                self.inner.clear()
            self.inner[name] = inner = OpenElement(name, self, bound)
        return inner

    def up(self) -> Iterator[OpenElement]:
        """Yield the open elements, this one first."""
        element = self
        while element.parent is not None:
            yield element
            element = element.parent

    def names(self) -> list[str]:
        """Return the names of the open elements, this one first."""
        return [element.name for element in self.up()]

    def count_to(self, name: str) -> int:
        """Return how many elements there are up to the next open one of this name; 0: none is open."""
        element = self
        while element.parent is not None:
            if element.name == name:
                return self.depth - element.depth + 1
            element = element.parent
        return 0

    def may_hold(self, name: str) -> bool:
        """Return whether it may hold an element of feeds."""
        prefix, other = self.name.rpartition(":")[0], name.rpartition(":")[0]
        holds_all = self.local in HOLD_ALL or self.name in HOLD_ALL
        if holds_all and not (self.in_feed and self.local in HTML):
            return True
        if is_resource(self.name):
            return other != ""
        if other != prefix:  # extensions are beside the address of a page (sitemaps.org, extending)
            return self.name == "url"
        if self.local in HOLD_SOME:
            return local_name(name) in HOLD_SOME[self.local]
        is_source = self.local == "source" and self.parent is not None and self.parent.local == "entry"
        return is_source or (prefix != "" and not is_text(self.name))

    def ended_by(self, name: str) -> int:
        """Return how many elements an end tag of this name ends.

        In a feed, an end tag of HTML ends no element of feeds: `</p>` in an item does not end the item. One
        that differs from the innermost element in case, or in the prefix, ends that.
        """
        if count := self.count_to(name):
            guarded = self.in_feed and name in HTML and name not in ("title", "link")
            names = (element.name for element in islice(self.up(), count - 1))
            guarded = guarded and any(is_of_feeds(one) and one.lower() not in HTML for one in names)
            return 0 if guarded else count
        last = self.name.lower()
        name = name.lower()
        same = last in (name, local_name(name)) or local_name(last) == name
        return int(same or (self.depth > 1 and is_misspelt(name, last)))


def around_field(name: str, element: OpenElement) -> OpenElement | None:
    """Return the element around one that cannot hold an element of a feed which begins in it, where that may;
    None for any other. `<title>News<title>` is an end tag without its `/`: it is passed. Resources of RDF
    (`rdf:Bag`, `cc:Agent`: RDF/XML Syntax §2.2) may be in any element, and hold those of any vocabulary."""
    is_known = is_of_feeds(name) or name.lower() in FIELDS
    if name == element.name or not is_known or (is_resource(name) and local_name(name) not in ROOTS):
        return None
    for around in islice(element.up(), NAMES_SEARCHED):
        if around.may_hold(name):
            return around if around is not element else None
        if not (element.in_feed or (is_text(around.name) and around.name == element.name)):
            break
    return None


def may_be_first(name: str, element: OpenElement) -> bool:
    """Return whether an element of a feed is in one that holds the items: it may be the first one in an item
    that has lost its start tag."""
    return element.holds_items and local_name(name) not in _MAY_HOLD_ITEMS and is_of_feeds(name)


@lru_cache(maxsize=NAMES_SEARCHED)
def _tags_of(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the end tags of a name, also in another case, or without a `>`, and the start tags."""
    prefix, colon, local = name.rpartition(":")
    names = name, name.upper(), name.lower(), prefix + colon + local.capitalize()
    ends = (*(f"</{one}>" for one in names), *(f"</{name}{behind}" for behind in "< \n"))
    return ends, tuple(f"<{one}{behind}" for one in names for behind in "> ")


# -- the text -----------------------------------------------------------------------------------------------


class MoreNeeded(Exception):
    """What is found depends on text that follows."""


class HeldText:
    """The text of a document that is held, and what is known of it before it is repaired.

    What was found is remembered: to search again for each of many tags would take quadratic time.
    """

    def __init__(self, *, is_huge: bool) -> None:
        self._longest = LONGEST_SECTION * (100 if is_huge else 1)
        self._open = OpenElement("", None, frozenset())
        """The innermost open element."""
        self._before = ""
        """What is before the text, as much as an end tag of an item."""
        self._text = ""
        self._final = False
        """It goes to the end of the document."""
        self._needed = 0
        """Characters of it from which it is looked at again."""
        self._next_ends: dict[str, tuple[int, int]] = {}
        """From where the next end of a section, or the next tag, was searched, and where it stands, by how it
        begins; -1: nowhere."""
        self._has_end: dict[int, bool | None] = {}
        """By a place, as in `_has_end_tag`: whether the element has its end tag; None: not known."""
        self._searched: set[str] = set()
        """Names of elements whose end tags were searched."""

    def _need(self, length: int) -> None:
        """Raise MoreNeeded where so many characters of the text are not known yet."""
        if not self._final and len(self._text) < length:
            self._needed = length
            raise MoreNeeded

    def _next_end(self, opener: str, index: int) -> int:
        """Return the index of the next end of a section, or of an end tag, from `index` on; -1: nowhere,
        or farther than a section's end is searched."""
        begun, end = self._next_ends.get(opener, (index + 1, 0))
        if index < begun or 0 <= end < index:
            end = self._text.find(SECTIONS.get(opener, opener), index)
            self._next_ends[opener] = index, end
        return end if end <= index + self._longest else -1

    def _section_end(self, opener: str, start: int) -> int:
        """Return the index after the section that begins at `start`; -1: it has no end."""
        end = self._next_end(opener, start + len(opener))
        if end >= 0:
            return end + len(SECTIONS[opener])
        reach = start + self._longest + WINDOW
        if len(self._text) < reach:
            self._need(min(reach + REACH, 2 * len(self._text)))
        return -1

    def _is_far(self, tag: str, index: int, start: int) -> bool:
        """Return whether a tag is nowhere from `index` on, nor within `REACH` of `start`."""
        reach = start + REACH
        is_near = 0 <= self._next_end(tag, index) < reach
        return not is_near and (self._final or len(self._text) >= reach)

    def _first_of(self, tags: Sequence[str], index: int) -> str:
        """Return which of several tags is next, from `index` on, within `REACH`; "" where none is."""
        places = {tag: self._next_end(tag, index) for tag in tags}
        found = [tag for tag, at in places.items() if 0 <= at < index + REACH]
        if not found:
            self._need(index + REACH)
        return min(found, key=places.__getitem__, default="")

    def _may_search(self, name: str) -> bool:
        """Return whether end tags of this name are searched."""
        if len(self._searched) < NAMES_SEARCHED and name not in HOLD_ALL:
            self._searched.add(name)
        return name in HOLD_ALL or name in self._searched

    def _lacks_end_tag(self, name: str, place: int) -> bool:
        """Return whether an element of any name surely has no end tag of its own; that of an item around
        another one is within `REACH`. Arguments of `_has_end_tag`."""
        has_end = self._has_end_tag(name, place) if self._may_search(name) else True
        return has_end is False or (has_end is None and place < 0 and local_name(name) in ITEMS)

    def _has_end_tag(self, name: str, place: int) -> bool | None:
        """Return whether an element has an end tag of its own, and only elements with theirs in it; None
        where that is not known, because it is longer than `REACH`.

        `place` is the index after its start tag, or after the end tag of an element or a section in it; or
        `~index` of a start tag in it, behind which its end tag is searched.
        """
        text = self._text
        if place in self._has_end:
            return self._has_end[place]
        end = max(place, ~place)
        reach = end + REACH
        stop = reach + REACH  # what is found behind others answers for them
        more = min(stop, 2 * len(text)) if len(text) < reach else 0
        is_far = not 0 <= self._next_end(f"</{name}", end) < reach
        if is_far and local_name(name) in VOID | ENDED:  # not known is as good as none
            self._need(more)
            return None if len(text) >= reach else False
        ended: str | None = ""
        begun = [(name, [(name, place)])]
        while (found := NO_SECTIONS.search(text, end)) and found.start() < stop:
            token, end = found[0], found.end()
            if token == "<":
                opener = next((opener for opener in SECTIONS if text.startswith(opener, end - 1)), "")
                behind = self._section_end(opener, end - 1) if opener else -1
                if behind >= 0:
                    token, end = text[end - 1 : behind], behind
            if token == "<" or (token[1] in "!?" and not is_whole_section(token)):
                if text.find("<", end) < 0:
                    self._need(2 * len(text))  # its end may follow
                break
            if token[1] == "/":
                inner, places = begun.pop()
                name = token[2:-1].rstrip(" \t\r\n")
                self._note_ends(places, found.start(), name)
                if name != inner or not begun:
                    break
                begun[-1][1].append((begun[-1][0], end))
            elif token[1] not in "!?":
                begun[-1][1].append((begun[-1][0], ~found.start()))
                if token[-2] != "/":
                    inner = tag_name(token)
                    begun.append((inner, [(inner, end)]))
            else:  # sections are looked behind, too
                begun[-1][1].append((begun[-1][0], end))
        else:
            if not found:
                self._need(more)
            ended = "" if self._final and not found else None
        for _, places in begun:
            self._note_ends(places, found.start() if found else len(text), ended)
        return self._has_end[place]

    def _note_ends(self, places: list[tuple[str, int]], at: int, ended: str | None) -> None:
        """Note whether an end tag at an index is that of the elements at some places. "": there is none;
        None: nothing but that theirs is not before."""
        for name, place in places:
            if at >= max(place, ~place) + REACH:
                self._has_end[place] = None
            elif ended is not None:
                self._has_end[place] = name == ended

    # -- tags that are lost --------------------------------------------------------------------------------

    def _lost_start_tag(self, parts: list[str], at: int, start: int) -> str:
        """Return the start tag of an item, or of the channel, that has lost it, or the `<` of it, where the
        markup parts[at], at `start`, is the first element in it. What is left of the tag is then put there
        as markup, with the white space behind it. "" where none begins."""
        text, token, element = parts[at - 1], parts[at], self._open
        left = LEFT_OF_TAG.match(text)
        before = self._end_before(start - len(text))
        if token[1:2] in ("", "/", "!", "?") or before[-1:] != ">":
            return ""
        first = tag_name(token)
        is_item = misspelt(first, True).rpartition(":")[2] in ITEMS  # it is not lost
        if text[left.end() if left else 0 :].strip(" \t\r\n") or is_item or not may_be_first(first, element):
            return ""
        prefix = element.name[: -len(element.local)]
        item = prefix + ("entry" if element.local == "feed" else "item")
        if left:
            names = [left[1]]
        elif ended := ITEM_ENDS.search(before):
            names = [ended[1]]
        elif element.local in ("rss", "rdf"):
            prefix = first.removesuffix(first.rpartition(":")[2])
            names = ["item", "channel", f"{prefix}item", f"{prefix}channel"]
        else:  # a heading for the second time
            plain = first.removeprefix(prefix)
            names = [item] if plain in element.headings and (element.local, plain) != ("feed", "link") else []
        names = [name for name in names if name.rpartition(":")[2] in HOLD_ITEMS | ITEMS]
        if not names:
            return ""
        if not self._lacks_end_tag(element.name, ~start):
            element.holds_items = False
            return ""
        ends = (name for name in names if self._first_of((f"</{name}>", f"<{name}"), start)[1:2] == "/")
        name = next(ends, "")
        if not name:
            return ""
        tag = left[0].lstrip(" \t\r\n") if left else ""
        behind = text[left.end() :] if left else ""
        parts[at - 1] = text[: len(text) - len(tag) - len(behind)]
        parts[at:at] = tag, behind
        return f"<{text[left.start(1) : left.end()] if left else f'{name}>'}"

    def _spelt_name(self, name: str, end: int) -> str:
        """Return the name of feeds of which a letter is missing or wrong in a start tag, which ends at `end`,
        where no end tag has that name either; "" for any other."""
        spelt, around = misspelt(name, self._open.in_feed), self._open.local
        holds_it = around in ("author", "contributor") and local_name(spelt) in HOLD_SOME[around]
        if (
            not spelt
            or not (around in WITHOUT_TEXT or holds_it)
            or not all(map(self._may_search, (name, self._open.name)))
        ):
            return ""
        if is_misspelt(name, "items") and self._first_of(("</items>", "</item>"), end) == "</items>":
            spelt = "items"
        is_known, meant = is_of_feeds(name), f"</{spelt}>"
        ended = (f"</{name}>",) if is_known else _tags_of(name)[0]
        ends = (*ended, f"</{self._open.name}", *([meant] if is_known else ()))
        first = self._first_of(ends, end)
        if first in ended or (first != meant and meant in ends) or self._has_end_tag(name, end) is not False:
            return ""
        return spelt

    def _ends_first(self, name: str, end: int) -> bool:
        """Return whether the end tag of an element comes before another start tag of its name, and before the
        end of the element around it: it ends this one, whatever is wrong in between."""
        names = (name, name.swapcase()) if name in VOID else (name,)
        ends = [f"</{one}" for one in names]
        ended = self._first_of((*ends, *(f"<{one}" for one in names)), end)
        if ended not in ends:
            return False
        return self._text.find(f"</{self._open.name}", end, self._next_end(ended, end)) < 0

    def _is_end_of_item(self, end: int) -> bool:
        """Return whether the start tag of an item in an item is meant to be the end tag of that: where the
        next item follows, the text input of the channel, or the end of what is around."""
        self._need(end + WINDOW)
        name, around = self._open.names()[:2]
        following = self._text[end : end + WINDOW].lstrip(" \t\r\n")
        after = (f"<{name}>", f"<{name} ", f"</{around}>", "<textinput", "<textInput")
        return following.startswith(after)

    def _has_lost_end(self, element: OpenElement, around: OpenElement, start: int, begun: str) -> bool:
        """Return whether an element, and all up to another one around it, have no end tags before that of the
        other or the next item, where the tag at `start` begins an element that may be the next one. In a
        document that is cut before these, only texts have lost theirs; links may hold extensions (RFC 4287
        §4.2.7)."""
        names = {inner.name for inner in islice(element.up(), element.depth - around.depth)}
        if not all(map(self._may_search, (*names, around.name))):
            return False
        ends = (f"</{around.name}", "<item", "<entry")
        for name in names:
            at = start + (not is_text(name))
            own, starts = _tags_of(name)
            if self._first_of((*own, *ends, *starts), at) in own:
                return False
            is_lost = is_text(name) and not (":" in begun and name == "link")
            if not (is_lost or self._first_of(ends, at)):
                return False
        return self._has_end_tag(element.name, ~start) is False

    def _end_before(self, index: int) -> str:
        """Return the characters before an index, as many as an end tag of an item has."""
        size = len(f"</{self._open.root}sitemap>")
        return (self._before + self._text[max(index - size, 0) : index])[-size:]
