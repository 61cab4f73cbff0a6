"""Finds the start of the document behind whatever stands before it (lenient reading).

Servers send feeds behind PHP notices, HTTP headers, chunk sizes, invisible characters or `<br />`, inside
HTML pages, and with such debris between the XML declaration and the root element. libxml2 finds no element
then, or takes `<br/>` for the document. Here the debris is overwritten with spaces, so that lines and columns
do not change.

The root element is the first tag, if only a prolog (XML 1.0 §2.8) stands before it and it begins a feed or a
list of feeds, or has an XML declaration and is not a tag of HTML. Otherwise `SPAN` characters of the text are
searched:

1. a tag that begins a feed (`rss`, `feed`, `RDF`) is the root;
2. so is the first tag after an XML declaration, if it is not HTML, or around all that follows, and the
   declaration not in an HTML page;
3. else the first tag, where only a prolog stands before it and the text is well-formed, whatever its name;
4. else the first tag that is not HTML and in no HTML page, or the element of HTML around it: `<table>` around
   `<row>` is a document, while `<b>x</b>` before `<data>` is none;
5. else the first tag.

The start tag of a feed may lack its `<`, outside of any element. It may have a sign or white space before its
name, and so may that of an element that ends with the text. A comment with all tags in it, a feed's among
them, has lost its end.

What an element that is not HTML contains is hidden from 1 and 2. One that is complete before the feed begins
(`<error>no database</error>`) hides nothing from 1; from 2 only where it may be a document of its own.

In well-formed text `feed` begins a feed only with a namespace or a prefix of Atom: before any other `feed`,
3 decides.

The last XML declaration before the root is the document's, and is moved to the start of the text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from feedcharset.charsets import lazy_pattern
from feedcharset.parsing.libxml2 import HOLD_LIMIT, parsed_strictly
from feedcharset.parsing.recovery_log import SHOWN, RecoveryLog
from feedcharset.parsing.references import DECLARATIONS, doctype_end
from feedcharset.parsing.tag_syntax import (
    BEGINS_TAG,
    COMMENTED_TAG,
    ENDED,
    FEED_ROOTS,
    HTML,
    LIST_ROOTS,
    ODD_START_TAG,
    VOID,
    is_of_feeds,
    local_name,
)
from feedcharset.text.source_positions import LinePosition, RepairLog
from feedcharset.text.xml_text import ATTRIBUTE, NAME_START, XML_NAME, XML_SPACE

SPAN = 1 << 17
"""Characters in which the root element is searched when debris with tags stands before it, and which are held
back for that: an HTML page has 30,000 on average, the messages of a server 200."""

_WHITE_SPACE = " \t\r\n"

_NAMES_OF_HTML5 = "article aside button dialog figure footer header main nav section svg template"
_HTML5 = frozenset(_NAMES_OF_HTML5.split())
"""Elements that a theme prints before a feed; documents have such roots, too."""

_CLOSERS = {
    "<!--": ("-->", "misc"),
    "<![CDATA[": ("]]>", "debris"),
    "<?": ("?>", "misc"),
    "</": (">", "end-tag"),
}
"""How sections and end tags begin and end, and what they are before the root."""

# The usual start, where nothing is to be done: a declaration, white space, comments without tags and
# instructions, a tag.
_USUAL = lazy_pattern(
    r"""(?: <\?xml[ \t\r\n][^<>?]*+\?> )?+
        (?: [ \t\r\n]++ | <!-- (?: [^-<] | -(?!-) | <(?![A-Za-z_]) )*+ -->
          | <\?(?i:(?!xml[ \t\r\n?]))[A-Za-z_][^<>?]*+\?> )*+
        < ([A-Za-z_][-.:\w]*+) [ \t\r\n/>]""",
    re.VERBOSE,
)
_PROLOG = lazy_pattern(
    r"""(?: <\?xml[ \t\r\n][^<>?]*+\?> )?+
        (?: [ \t\r\n]++ | <!-- (?: [^-] | -[^-] )*+ -->
          | <\?(?i:(?!xml[ \t\r\n?]))[A-Za-z_](?: [^?] | \?(?!>) )*+\?> )*+""",
    re.VERBOSE,
)
"""What may stand before the root, or before a document type, in well-formed text of any length."""

_MARKUP_BEFORE_ROOT = lazy_pattern(
    rf"""(?P<declaration> <\?(?i:xml)(?=[ \t\r\n?])[^<>]*+ )(?P<declared> >?+ )
       | (?P<opener> <!-- | <!\[CDATA\[ | <\?(?!!?+(?i:DOCTYPE)) | </ )
       | (?P<doctype> <!(?i:DOCTYPE | D(?=[A-Z]{{0,5}}<[A-Z])) )
       | <(?P<name> [{NAME_START}][-.:\w]*+(?i:!DOCTYPE)?+ )(?!(?<=:)//)
           (?P<attributes> [^<>]*+ )(?P<closed> >?+ )
       | <!?[-\[A-Za-z]{{0,8}}\Z""",
    re.VERBOSE,
)
"""The last may be the start of one of the others."""

_LOST_ANGLE = lazy_pattern(
    rf"(?:<[^A-Za-z<>/!?&]{{1,2}}+)?+(rss|feed|rdf:RDF)"
    rf"(?:{XML_SPACE}[^<>=]*+=[^<>]*+>{XML_SPACE}*+\Z|(?:{ATTRIBUTE})++[^<>]*+>)"
)
"""The start tag of a feed's root that has lost its `<`, or has a sign behind it; before text it has an
attribute as XML has it."""

_BEGINS_INSTRUCTION = lazy_pattern(rf"<\?{XML_NAME}(?<!<\?[xX][mM][lL])")

_FEED_OR_DECLARATION = lazy_pattern(r"<(?:\?xml|(?:[^\s<>/:]{1,64}:)?(?:rss|feed|rdf)[\s>/])", re.IGNORECASE)
"""What a page around a feed has behind its beginning, anywhere."""
_TAG_OF_FEED = lazy_pattern(r"<(?:[^\s<>/:]{1,64}:)?(?:rss|feed|rdf)[\s>]", re.IGNORECASE)

_TAG_BEHIND = lazy_pattern(rf"(?:-->|\?>){XML_SPACE}*+<[{NAME_START}]")
"""The end of a comment or an instruction, and a start tag behind it."""

_RDF = lazy_pattern(r"purl\.org/rss/|netscape\.com/rdf/", re.IGNORECASE)
"""The namespaces of RSS 1.0 and 0.90; HTML pages hold RDF of other kinds."""

_ITEM_TAGS = frozenset(("item", "entry"))
_ENDS_OF_FEED = frozenset(("channel", "rss", "feed", "rdf:RDF"))
"""Tags, and end tags, behind an element which show that it is not the root."""


_NOISE, _RARE, _JUDGED = 8, 16, 1 << 10
"""So many characters that XML has not may stand before a document. Of so many characters of binary data at
the start one in `_RARE` is one: of random bytes it is one in nine."""

_NOT_BINARY = lazy_pattern(rf"</{XML_NAME}(?<!</.)>|<{XML_NAME}(?:{ATTRIBUTE})++{XML_SPACE}*+/?+>")
"""Markup that is not in binary data by chance: an end tag, a tag with attributes."""


class _Item(NamedTuple):
    """A part of the text before the root."""

    kind: str
    """"declaration", "doctype", "misc" (comment, processing instruction), "tag", "end-tag", "debris";
    "end" of the text; "more": its end is not in the text yet."""
    start: int
    end: int
    name: str = ""
    """The name of a tag, prefix included."""
    empty: bool = False
    """The tag is an element without content."""
    feed: bool = False
    """The tag begins a feed."""
    lost_angle: bool = False
    """The tag has lost its `<`."""
    sure: bool = False
    """The tag begins a feed in well-formed text, too; a document type is within the grammar."""


class DocumentStart:
    """Returns a document's text with white space in place of the debris before the root element."""

    def __init__(self, log: RecoveryLog) -> None:
        self._log = log
        self._held: list[str] = []
        self._length = 0
        """Characters of it."""
        self._passed = False
        """The root was found: all text is returned unchanged."""
        self._at_start = True
        """Nothing has been returned yet."""
        self._position = LinePosition()
        self._passing = False
        """All that was returned last was debris."""
        self._next_search = 0
        """Length of the text from which it is looked at again: it has doubled."""

    def feed(self, text: str, final: bool = False) -> str:
        """Return the next text as far as it is certain."""
        if self._passed:
            return text
        self._held.append(text)
        self._length += len(text)
        if not final and self._length < self._next_search:
            return ""
        text = "".join(self._held)
        usual = _USUAL.match(text) if self._at_start else None
        if usual and _is_certain(usual[1], declared=text[: len("<?xml ")].rstrip() == "<?xml"):
            self._passed = True
            return text
        pieces = []
        while not self._passed:
            size = self._size(text, final)
            if size is None:
                self._next_search = 2 * len(text)
                break
            span = text[:size]
            last = final and len(text) <= size
            search = _Search(span, last or len(span) == size, whole=last)
            if search.root is None and not search.last:
                is_prolog = size >= len(text) + SPAN  # all of it, perhaps white space without an end
                self._next_search = 2 * len(text) if is_prolog else min(2 * len(text), size)
                break
            pieces.append(self._without_debris(span, search, last))
            text = text[len(span) :]
        self._held, self._length = ([], 0) if self._passed else ([text], len(text))
        return "".join(pieces) + text if self._passed else "".join(pieces)

    def _size(self, text: str, final: bool) -> int | None:
        """Return how many characters are searched: a prolog and a document type are not counted; None where
        the end of one of them is not in the text yet."""
        prolog = _end_of_prolog(text, 0)
        if text.startswith("<!DOCTYPE", prolog):
            end = doctype_end(text, prolog, final)[0]
            if end is None:
                return None
            prolog = _end_of_prolog(text, max(end, prolog))
        opener = next((one for one in ("<!--", "<?") if text.startswith(one, prolog)), None)
        is_open = opener is not None and text.find(_CLOSERS[opener][0], prolog) < 0
        if is_open and not final and len(text) <= prolog + HOLD_LIMIT:
            return None
        start = text.find("<!DOCTYPE", prolog, prolog + SPAN)
        end = doctype_end(text, start, final)[0] if start >= 0 else start
        return None if end is None else prolog + SPAN + max(end - start, 0)

    def _without_debris(self, text: str, search: _Search, final: bool) -> str:
        """Return the text with nothing but white space and the prolog before the root; with nothing else at
        all where it has no root."""
        self._passed = search.root is not None or final
        if search.root is None and final and self._at_start:
            # A document without elements: the parser's message is about the text as it is.
            return text.replace("<", " ") if search.by_chance else text
        end = len(text) if search.root is None else search.root.start
        kept = search.prolog() if self._at_start and search.root is not None else []
        self._at_start = False
        self._next_search = 0
        pieces: list[str] = []
        stop = 0
        for item in [*kept, _Item("end", end, end)]:
            pieces += [
                self._blank(text, stop, item.start),
                self._kept(text[item.start : item.end], item.kind),
            ]
            stop = item.end
        self._passing = search.root is None
        if pieces[0] and kept and kept[0].kind == "declaration":
            # What follows the declaration in its line keeps its column.
            indent = " " * len("<?xml") if "\n" in pieces[0] else ""
            pieces[:2] = "<?xml", pieces[0] + indent + pieces[1].removeprefix("<?xml")
        if search.root is None or not search.root.lost_angle:
            return "".join(pieces) + text[end:]
        found = text[end : search.root.end].rstrip(_WHITE_SPACE)[: SHOWN - 1]
        before, added = "".join(pieces), "<"
        if "<" in text[max(end - 3, 0) : end]:  # the sign between them is white space now
            before, added = before[:-1], ""
        self._log.record_at("tag", found, f"<{found}", self._position, added=added)
        return before + "<" + text[end:]

    def _kept(self, text: str, kind: str) -> str:
        """Return an item that is kept; a declaration as libxml2 reads it: `<?xml`, and `?>` at its end."""
        kept = text
        if kind == "declaration":
            if not text.startswith("<?xml"):
                self._log.record_at("declaration", text[: len("<?xml")], "<?xml", self._position)
                kept = "<?xml" + kept[len("<?xml") :]
            if not text.endswith("?>"):
                kept = kept.removesuffix(">").removesuffix(" ") + "?>"
                added = kept[len(text) :]
                self._log.record_at("unclosed", "<?xml", "?>", self._position, added=added)
        self._position.advance(text)
        return kept

    def _blank(self, text: str, start: int, end: int) -> str:
        """Return white space in place of a part of the text; record the part unless it is white space."""
        debris = text[start:end]
        is_known = self._passing and not start
        if (shown := debris.strip(_WHITE_SPACE)) and not is_known:
            self._position.advance(debris[: len(debris) - len(debris.lstrip(_WHITE_SPACE))])
            self._log.record_at("before-document", shown[:SHOWN], "", self._position)
            debris = debris.lstrip(_WHITE_SPACE)
        self._position.advance(debris)
        return "\n".join([" " * len(line) for line in text[start:end].split("\n")])


def has_page_around(text: str) -> bool:
    """Return whether a well-formed document is an HTML page around a feed."""
    if not _FEED_OR_DECLARATION.search(text, 1):
        return False
    return DocumentStart(RecoveryLog(RepairLog())).feed(text, True) != text


def _end_of_prolog(text: str, start: int) -> int:
    """Return the index behind a prolog, or a part of one, that begins there and is within the grammar."""
    found = _PROLOG.match(text, start)
    return found.end() if found else start


def _is_no_root(name: str) -> bool:
    """Return whether a tag is HTML's, or a document type with a byte too many or too few (`<DOCTYPE`)."""
    return name.lower() in HTML or name.lower().endswith("doctype")


def _is_certain(name: str, *, declared: bool) -> bool:
    """Return whether the first tag behind a prolog is the root, whatever follows it."""
    local = local_name(name)
    return local in FEED_ROOTS | LIST_ROOTS or (
        declared and not _is_no_root(name) and name.lower() not in _HTML5
    )


_BEHIND_LAST_END = lazy_pattern(
    r"(?:[ \t\r\n]*+<(?:!--(?:(?!-->).)*+-->|\?(?:(?!\?>).)*+\?>))++[ \t\r\n]*+\Z", re.DOTALL
)


class _Followed:
    """An element, followed to its end by its name alone: the text is not well-formed."""

    def __init__(self, tag: _Item, *, clean: bool, declared: bool) -> None:
        self.tag = tag
        self.clean = clean
        """Only a prolog stands before it."""
        self.is_document: bool = clean and (declared or tag.name.lower() not in _HTML5)
        """It is one where no feed follows."""
        self.holds_feed: bool = False
        """It is one that no feed behind it replaces."""
        self.depth = 0 if tag.empty else 1
        """How many elements of its name are open."""
        self.end = tag.end
        """The index behind the last tag that was counted."""

    def follow(self, item: _Item) -> None:
        """Count a tag of its name behind its start tag."""
        if self.depth and item.kind == "end-tag":
            self.depth -= 1
            self.end = item.end
        elif self.depth and not item.empty and item.name.lower() not in ENDED:
            self.depth += 1


class _Search:
    """The search for the root element at the beginning of the text."""

    def __init__(self, text: str, last: bool, *, whole: bool) -> None:
        """Search all text until now, at most `SPAN` characters. `last`: no more text follows that is
        searched; `whole`: none at all."""
        self.last = last
        self._whole = whole
        self._well_formed: bool | None = None
        self._text = text
        at = text.rfind("</")
        end = text.find(">", at) + 1
        only = at >= 0 and _BEHIND_LAST_END.match(text, end)
        self._last_end = text[at : end if only else None].rstrip(_WHITE_SPACE)
        """The end tag at the end of the text, if it ends with one; also before comments and instructions."""
        self._items: list[_Item] = []
        self._next_ends: dict[str, int] = {}
        """Where the next end of a section, or the next end tag, stands; -1: nowhere."""
        self._around: _Followed | None = None
        """The last element that is not HTML, and in no other such, nor in a page: perhaps one around a
        feed."""
        self._candidate: _Followed | None = None
        """The first of these."""
        self._declared: _Followed | None = None
        """The element of HTML directly behind an XML declaration."""
        self._doctypes = 0
        self._last_feed: int | None = None
        """Where the last tag stands that begins a feed; -1: nowhere."""
        self._last_begin: int | None = None
        """Where the last tag stands that begins a feed or a list, or the last declaration; -1: nowhere."""
        self._last_tags: dict[str, int] = {}
        """Where the last start tags of some names stand."""
        self._page = False
        """There is a tag `<html>`."""
        self._may_be_text = True
        """Text may be behind a root that has lost its `<`: no tag is before it, and no feed's anywhere."""
        self._comments = True
        """Comments are passed; not where all tags are in one, a feed's too: it has lost its end."""
        self.root = self._certain_root()
        """The tag of the root element; None where there is none, or where it depends on later text."""
        has_tag = any(item.kind == "tag" for item in self._items)
        if last and not has_tag and _TAG_OF_FEED.search(text):
            self._comments = False
            self._items.clear()
            self.root = self._certain_root()
        if self.root is None and last:
            first = next((item for item in self._items if item.kind == "tag"), None)
            self.root = first if self._is_well_formed() else self._likely_root(first)
        self.by_chance = last and self.root is not None and self._is_by_chance(self.root)
        self.root = None if self.by_chance else self.root

    def _certain_root(self) -> _Item | None:
        """Return the first tag that is the root whatever follows it."""
        clean = True
        declared = False
        index = declarations = 0
        while (item := self._item(index)).kind not in ("end", "more"):
            self._items.append(item)
            index = item.end
            starts = item.feed or (item.kind == "declaration" and not self._page)
            if starts and self._around is not None:
                if not self.last:
                    return None
                # In well-formed text it is in the first one, which an inner one of its name did not end.
                first = self._candidate
                starts = not (self._is_hidden(item) or (first and first.clean and self._is_well_formed()))
            if starts and item.feed:
                if item.sure or clean:
                    return item
                if not self.last:
                    return None
                if not self._is_well_formed():
                    return item
                starts = False
            if starts and declarations < DECLARATIONS:
                if self._declared and self._is_whole(self._declared, item.start):
                    return self._declared.tag if self.last else None
                clean = declared = True
                self._around = self._candidate = self._declared = None
                declarations += 1
            elif item.kind == "tag":
                if clean and _is_certain(item.name, declared=declared):
                    return item
                is_first = clean and (not _is_no_root(item.name) or self._is_around_all(item))
                if is_first and not _FEED_OR_DECLARATION.search(self._text, item.end):
                    return item if self.last else None
                self._begin(item, clean=clean, declared=declared)
                if clean and declared:
                    self._declared = _Followed(item, clean=True, declared=True)
                clean = False
                if item.name.lower() in ("script", "style"):  # their content is not markup
                    index = self._next_end(f"</{item.name}", item.end)
                    if index < 0 and not self.last:
                        return None
                    index = max(index, item.end)
            elif item.kind in ("debris", "end-tag") or (item.kind == "doctype" and not item.sure):
                self._follow(item)
                self._page = self._page and item.name.lower() != "html"
                clean = False
        return None

    def _is_around_all(self, tag: _Item) -> bool:
        """Return whether an element of HTML surely ends with the text, and no list of feeds is in it."""
        end = f"</{tag.name}"
        is_at_end = not tag.empty and self._last_end == f"{end}>" and self._text.count(end) == 1
        return is_at_end and not any(f"<{name}" in self._text for name in LIST_ROOTS)

    def _is_whole(self, element: _Followed, end: int) -> bool:
        """Return whether an element of HTML is a document before another one that begins at `end`: it ends
        there, around an element that is not HTML, and no feed follows."""
        if element.depth or self._text[element.end : end].strip() or element.tag.name.lower() == "html":
            return False
        names = (tag[0][1:].lower() for tag in BEGINS_TAG.finditer(self._text, element.tag.end, end))
        return any(name not in HTML for name in names) and not _TAG_OF_FEED.search(self._text, end)

    def _begin(self, tag: _Item, *, clean: bool, declared: bool) -> None:
        """Note an element that begins."""
        self._follow(tag)
        self._page = self._page or tag.name.lower() == "html"
        if self._page or (self._around is not None and self._around.depth) or _is_no_root(tag.name):
            return
        self._around = _Followed(tag, clean=clean, declared=declared)
        self._candidate = self._candidate or self._around

    def _follow(self, item: _Item) -> None:
        """Follow the elements that are open through a tag or an end tag."""
        for element in {self._around, self._candidate, self._declared}:
            # An end tag may have another case, so start tags of that count, too.
            if element is not None and element.tag.name.lower() == item.name.lower():
                element.follow(item)

    def _is_hidden(self, item: _Item) -> bool:
        """Return whether a tag or a declaration that begins a document stands in an element that is not HTML,
        or behind one that may be a document of its own."""
        around = self._around
        assert around is not None
        end = f"</{around.tag.name}"
        if around.depth:
            own = self._next_end(f"</{item.name}", item.end)
            around.holds_feed |= item.feed and 0 <= own < self._next_end(end, item.end)
            return around.clean or self._text.rfind(end, item.end) >= 0
        if around.holds_feed or (around.is_document and not item.sure):
            return True
        return self._last_end == f"{end}>"

    def _likely_root(self, first: _Item | None) -> _Item | None:
        """Return the first tag that is not HTML, or the element of HTML around it; else the first tag."""
        inner = self._candidate
        if inner is None:
            return first
        tags = [item for item in self._items if item.kind == "tag"]
        is_part = inner.tag.name in _ITEM_TAGS  # of a feed without its beginning
        if not inner.depth and not is_part:
            behind = (item for item in self._items if item.start >= inner.end)
            is_part = any(
                item.name in (_ITEM_TAGS if item.kind == "tag" else _ENDS_OF_FEED) for item in behind
            )
        if is_part and not self._page and not self._is_around_all(tags[0]):
            return next(tag for tag in tags if tag is inner.tag or is_of_feeds(tag.name))
        # An element of HTML is around it that does not end before it: its end tag follows, or is cut off.
        passed = set(LIST_ROOTS)
        for tag in tags:
            if tag is inner.tag or local_name(inner.tag.name) in passed:
                break
            end = f"</{tag.name}"
            if tag.empty or tag.name in passed:
                continue
            if self._text.find(end, tag.end, inner.tag.start) < 0:
                may_be_cut = tag is first and tag.name.lower() not in ENDED
                if may_be_cut or self._text.find(end, inner.tag.end) >= 0:
                    return tag
                passed.add(tag.name)
        return inner.tag

    def _is_by_chance(self, root: _Item) -> bool:
        """Return whether binary data has a `<` and a letter, and no document is in it."""
        text = self._text[:_JUDGED]
        if not text[: root.start].strip() or text.count("\ufffd") < max(_NOISE, len(text) // _RARE):
            return False
        is_known = root.feed or local_name(root.name) in LIST_ROOTS or is_of_feeds(root.name)
        if is_known or f"</{root.name}" in self._text or _NOT_BINARY.search(self._text):
            return False
        return all(item.kind != "declaration" for item in self._items) and not self._is_well_formed()

    def _is_well_formed(self) -> bool:
        """Return whether lxml opens the text strictly, as far as it is known."""
        if self._well_formed is None:
            parsed = parsed_strictly(self._text, huge=True, whole=self._whole)
            self._well_formed = parsed is not None
        return self._well_formed

    def _next_end(self, closer: str, index: int) -> int:
        """Return the index of the next end of a section, or of an end tag, from `index` on; -1: nowhere."""
        end = self._next_ends.get(closer, 0)
        if 0 <= end < index:
            name_ends = r"(?![\w:.-])" if closer.startswith("</") else ""  # `</pq>` ends no `p`
            found = re.compile(re.escape(closer) + name_ends).search(self._text, index)
            end = self._next_ends[closer] = found.start() if found else -1
        return end

    def _holds_feed(self, opener: str, start: int, end: int) -> bool:
        """Return whether a comment or an instruction has lost its end, and goes on to that of another one: it
        holds the last tag that begins a feed, and a comment the beginning of the other one; or this and the
        last tag that begins a list. Or it holds the last start tag of the element whose end tag ends the
        text, and no end tag of it. Not if it quotes one tag, and a start tag follows its end."""
        if self._last_feed is None:
            self._last_feed = max((tag.start() for tag in _TAG_OF_FEED.finditer(self._text)), default=-1)
        last = self._last_feed
        if self._text.count("<", start, end) == 1 and _TAG_BEHIND.match(self._text, end):
            return False
        if opener == "<!--":
            own = self._last_tag(self._last_end[2:-1])
            if not start <= own < end or 0 <= self._next_end(self._last_end[:-1], own) < end:
                if self._text.find(opener, start, end) < 0:
                    return False
                own = last if last >= 0 else max(map(self._last_tag, LIST_ROOTS))
            last = own
        return start <= last < end and not (self.last and self._is_well_formed())

    def _is_cut_in_comment(self, start: int) -> bool:
        """Return whether the document is cut in a comment before its root: no feed and no list begins in
        that, and elements directly behind its beginning alone, or the text does not end with an end tag."""
        is_at_end = BEGINS_TAG.fullmatch(f"<{self._last_end[2:-1]}") and self._last_end.endswith(">")
        if not self._whole or (is_at_end and not COMMENTED_TAG.match(self._text, start)):
            return False
        if self._last_begin is None:
            begins = (found.start() for found in _FEED_OR_DECLARATION.finditer(self._text))
            self._last_begin = max((*begins, *map(self._last_tag, LIST_ROOTS)))
        return self._last_begin < start

    def _last_tag(self, name: str) -> int:
        """Return where the last start tag of a name stands; -1: nowhere."""
        if name not in self._last_tags:
            self._last_tags[name] = max(self._text.rfind(f"<{name}{sign}") for sign in "> /\t\r\n")
        return self._last_tags[name]

    def _item(self, index: int) -> _Item:
        """Return the item at `index`, white space skipped."""
        text = self._text
        found = _MARKUP_BEFORE_ROOT.search(text, index)
        start = found.start() if found else len(text)
        if debris := text[index:start].lstrip(_WHITE_SPACE):
            is_within = self._around is not None and self._around.depth
            is_sure = found and len(text) >= max(found.end() + 1, start + len("<?!DOCTYPE"))
            if not (is_sure or self.last):  # what follows may be debris, too
                return _Item("more", start, start)
            lost = None if is_within else _LOST_ANGLE.match(debris)
            if lost and lost.end() < len(debris):
                if self._may_be_text and not self.last:
                    return _Item("more", start, start)
                self._may_be_text = self._may_be_text and not _TAG_OF_FEED.search(text)
            if lost and (lost.end() == len(debris) or self._may_be_text):
                begin = start - len(debris)
                end = begin + lost.end()
                return _Item(
                    "tag", begin + lost.start(1), end, lost[1], feed=True, lost_angle=True, sure=True
                )
            odd = None if is_within else ODD_START_TAG.fullmatch(debris.rstrip(_WHITE_SPACE))
            if odd and not odd[3]:
                local, begin = local_name(odd[1]), start - len(debris)
                is_feed = local in FEED_ROOTS
                if is_feed or local in LIST_ROOTS or (self.last and self._last_end == f"</{odd[1]}>"):
                    end = begin + odd.end()
                    return _Item(
                        "tag", begin + odd.start(1), end, odd[1], feed=is_feed, lost_angle=True, sure=is_feed
                    )
                if not self.last:
                    return _Item("more", start, start)
            return _Item("debris", index, start)
        if found is None:
            return _Item("end", start, start)
        if opener := found["opener"]:
            closer, kind = _CLOSERS[opener]
            end = self._next_end(closer, found.end())
            if end >= 0 and (opener != "<!--" or self._comments):
                if opener in ("<!--", "<?") and self._holds_feed(opener, found.end(), end):
                    # Its beginning is debris, and what it holds is looked at.
                    return _Item("debris", start, found.end()) if self.last else _Item("more", start, start)
                if not self.last and opener == "<!--" and BEGINS_TAG.search(text, found.end(), end):
                    # Its own end may be lost, as the end of the text shows.
                    return _Item("more", start, start)
                if opener == "<?" and not _BEGINS_INSTRUCTION.match(text, start):
                    kind = "debris"
                name = text[found.end() : end].strip(_WHITE_SPACE + "/\\") if kind == "end-tag" else ""
                return _Item(kind, start, end + len(closer), name)
            if opener == "<!--" and self._comments and self._is_cut_in_comment(start):
                return _Item("end", start, start)
        elif found["doctype"]:
            self._doctypes += 1
            if self._doctypes > DECLARATIONS:
                return _Item("debris", start, start + 1)
            behind, sure = doctype_end(text, start, self.last)
            if behind is not None and behind >= 0:
                declares = found["doctype"].upper() == "<!DOCTYPE" and "<!" in text[found.end() : behind]
                return _Item("doctype" if sure or declares else "debris", start, behind, sure=sure)
            if behind is not None:
                return _Item("debris", start, start + 1)
        elif found["declaration"]:
            if found["declared"] or found.end() < len(text):
                return _Item("declaration", start, found.end())
        elif found["name"] and (found["closed"] or found.end() < len(text) or self.last):
            local = local_name(found["name"])
            feed = local in FEED_ROOTS and (local != "rdf" or _RDF.search(found["attributes"]) is not None)
            sure = feed and (local != "feed" or "atom" in found[0].lower())
            void = found["name"] in VOID and self._last_end != f"</{found['name']}>"
            empty = void or found["attributes"].endswith("/")
            self._may_be_text = False
            return _Item("tag", start, found.end(), found["name"], empty, feed, sure=sure)
        return _Item("debris", start, start + 1) if self.last else _Item("more", start, start)

    def prolog(self) -> list[_Item]:
        """Return the items before the root that belong to it: a declaration, a document type, comments."""
        assert self.root is not None
        kept: list[_Item] = []
        doctype = -1
        """Where it stands among them."""
        for item in self._items:
            if item.end > self.root.start:
                break
            if item.kind == "tag":
                kept, doctype = [one for one in kept if one.kind == "declaration"], -1
            elif item.kind == "declaration":
                # Before a document type it could not stay; that may declare entities, and is worth more.
                kept = [item] if doctype < 0 else kept
            elif item.kind == "misc" or (item.kind == "doctype" and doctype < 0):
                doctype = len(kept) if item.kind == "doctype" else doctype
                kept.append(item)
            elif item.kind == "doctype" and item.sure and not kept[doctype].sure:
                kept[doctype] = item
        return kept
