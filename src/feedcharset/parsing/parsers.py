"""`parse`: a document as lxml's tree. `iterparse`: a document element by element, in constant memory.

Both go the same way. A document that is in memory as a whole is first parsed strictly, as it is: most are
well-formed, and these are never changed; `iterparse` then walks over the tree. What lxml refuses is repaired
(`_Document.pieces`) and parsed strictly again, as most then are well-formed. Where an error is left, it is
repaired on its way to a parser that recovers. A document that comes from a stream, or is too long, takes that
way at once; well-formed, it is not changed. Where elements are freed, a document of up to 64 MiB in memory or
in a file is read twice: first by a strict parser that makes no tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import IncrementalNewlineDecoder
from itertools import chain, islice
from typing import Any, Self, Unpack

from lxml import etree
from lxml.etree import _Element, _ElementTree

from feedcharset.charsets import lazy_pattern
from feedcharset.errors import FeedcharsetError
from feedcharset.parsing.document_start import DocumentStart, has_page_around
from feedcharset.parsing.libxml2 import DEEPEST, DEEPEST_HUGE, PullParser, parsed_strictly
from feedcharset.parsing.markup_repair import MarkupRepairer
from feedcharset.parsing.recovery_log import RecoveryLog, log_recoveries
from feedcharset.parsing.tag_syntax import BEGINS_TAG, HTML, WINDOW
from feedcharset.reading.xml_reader import ReaderOptions, XmlReader, check_names
from feedcharset.text.source_positions import LinePosition, white_space_in
from feedcharset.text.xml_text import clean

_ENTITY_VALUE = lazy_pattern(rb"<!ENTITY[^\"'<>]*+(\"[^\"]*+\"|'[^']*+')")
_HOLDS_MARKUP = lazy_pattern(rb"[<%]|&(?!#)|&#(?:0*+(?:38|60)|x0*+(?:26|3[cC]));")
"""What may become markup in an entity: `<`, `&` and references to them, other entities."""

TEXT_SIZE = 1 << 16
"""Characters that are read at once: about what a reader has after one read of its source."""

IN_TREE = 1 << 26
"""Characters of the longest document that is parsed as a whole where its tree is kept: the tree takes several
times as much memory as the text."""

IN_MEMORY = 1 << 22
"""Characters of the longest document that is held as a whole where elements are freed; feeds have 100,000."""

MOST_TAGS = 1 << 17
"""Tags in the longest such document: two of them, with the text between, take 250 bytes in the tree."""

MOST_JUDGED = 1 << 10
"""Pieces of about TEXT_SIZE of the longest document that is read twice. The first element comes after that:
behind 64 MiB it would come late."""

ROOT_STEP = 1 << 12
"""Bytes that are parsed at once to find the root element; in most feeds it is in the first 4,096."""

FREED_BYTES = 1 << 7
"""What was passed is freed after so many bytes: to look for it costs 25 us where 256 elements are open."""

LONGEST_PROLOG = 1 << 20
"""Bytes in which the root element is searched. Where it is not found, everything before the first wanted
element stays in memory."""


def parse(source: Any, *, huge: bool = False, **options: Unpack[ReaderOptions]) -> _ElementTree:
    """Parse a document from an untrusted source.

    Nothing that the document refers to is loaded, and entity expansion is limited. The markup of a document
    that lxml opens strictly is never changed. When lenient, characters, references, markup and prefixes that
    XML does not allow are repaired, and what stands before the document (messages of a server, HTTP headers,
    an HTML page) is passed over. `XmlReader.recovered` lists the repairs, and the logger "feedcharset" writes
    them in one line at INFO. Of several documents the first is parsed.

    Args:
        source: what `XmlReader` opens; or an XmlReader, which is read to its end and stays open.
        huge: raise the parser's limits to 2,048 elements within one another, and texts of 1,000,000,000
            bytes; only for sources that you trust. Entities stay limited.
        options: those of `XmlReader`; none together with an XmlReader. `xml_chars` is "replace" when lenient.

    Returns:
        lxml's tree. Its line numbers are those of the document.

    Raises:
        NoDocument: there is no element in the document.
        lxml.etree.XMLSyntaxError: strict, where the document is not well-formed, with the document's line and
            column; where it exceeds a limit of the parser.
        Whatever XmlReader raises.
    """
    reader, owned = open_reader("parse", source, options)
    try:
        root = _Document(reader, huge=huge).parsed()
        log_recoveries(reader)
        tree: _ElementTree = root.getroottree()
        return tree
    finally:
        if owned:
            reader.close()


def iterparse(
    source: Any,
    tag: str | Sequence[str] | None = None,
    *,
    events: Sequence[str] = ("end",),
    huge: bool = False,
    **options: Unpack[ReaderOptions],
) -> ElementIterator:
    """Parse a document from an untrusted source, element by element.

    As safe, and as lenient, as `parse`, and the same elements.

    Args:
        source: what `XmlReader` opens; or an XmlReader, which is read to its end and stays open.
        tag: the wanted elements, as in `lxml.etree.iterparse`: "item", "{namespace}entry", "{*}entry",
            "{namespace}*", or several of these. Elements that were passed are freed: a wanted element when
            the next one is requested, and everything outside wanted elements. The ancestors of a wanted
            element keep their attributes. Nothing is freed in a document that declares an entity with
            elements in it.
            None: every element, and nothing is freed; nor is it within an element that is wanted (the root's
            tag, "*").
        events: "start", "end", "start-ns", "end-ns", "comment", "pi".
        huge: raise the parser's limits, as in `parse`; only for sources that you trust.
        options: those of `XmlReader`; none together with an XmlReader. `xml_chars` is "replace" when lenient.

    Returns:
        An iterator of pairs, event and element. It closes what it opened when it ends, is closed or is
        garbage-collected.

    Raises:
        Whatever XmlReader raises; while iterating, what `parse` raises.
    """
    reader, owned = open_reader("iterparse", source, options)
    try:
        return ElementIterator(reader, tag, events, owned=owned, huge=huge)
    except BaseException:
        if owned:
            reader.close()
        raise


def open_reader(function: str, source: Any, options: ReaderOptions) -> tuple[XmlReader, bool]:
    """Return the source as an XmlReader, and whether it was opened here.

    Raises:
        TypeError: an option that XmlReader does not have; options together with an XmlReader, which has its
            own.
        What XmlReader raises.
    """
    check_names(function, options)
    if not isinstance(source, XmlReader):
        if options.get("lenient", True):
            options = {"xml_chars": "replace", **options}
        return XmlReader(source, **options), True
    if options:
        raise TypeError(f"an XmlReader has its options already; pass {', '.join(options)} when you open it")
    return source, False


class ElementIterator(Iterator[tuple[str, Any]]):
    """What `iterparse` returns."""

    def __init__(
        self,
        reader: XmlReader,
        tag: str | Sequence[str] | None,
        events: Sequence[str],
        *,
        owned: bool,
        huge: bool,
    ) -> None:
        self.reader = reader
        """The reader; its `.recovered` and `.repairs` hold what has been repaired until now."""
        self._owned = owned
        self._logged = False
        # It must not refer to this object: one that is garbage-collected closes the reader at once.
        self._document = _Document(reader, huge=huge)
        tags = tag if tag is None else (tag,) if isinstance(tag, str) else _names("tag", tag)
        events = _names("events", events)
        self._document.parser(events, tags)  # refuses an event that has no such name
        self._elements = self._document.pairs(tags, events)

    @property
    def root(self) -> _Element | None:
        """The root element, once the document has been parsed to its end."""
        return self._document.root

    def __next__(self) -> tuple[str, Any]:
        try:
            for event, element in self._elements:
                if event:
                    return event, element
        except BaseException:
            self._logged = True  # the exception has the message
            self.close()
            raise
        self.close()
        raise StopIteration

    def close(self) -> None:
        """Read no further; close the reader if it was opened by `iterparse`."""
        self._elements = iter(())
        if not self._logged:
            self._logged = True
            log_recoveries(self.reader)
        if self._owned:
            self.reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_elements"):
            self.close()


def _names(option: str, value: Any) -> tuple[str, ...]:
    names = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (None,)
    if not all(isinstance(name, str) for name in names):
        example = "item" if option == "tag" else "end"
        raise TypeError(f"{option} is {value!r:.64}; pass names in a sequence, as in {option}=('{example}',)")
    return names


class _Document:
    """A reader's text on its way to lxml's parser, as UTF-8 with LF as line end.

    lxml counts lines by LF alone. CR and CRLF are translated to LF as XML 1.0 §2.11 requires.
    """

    def __init__(self, reader: XmlReader, *, huge: bool) -> None:
        """Start at the reader's position; `huge`: the parser's limits are raised."""
        self.root: Any = None
        self._reader = reader
        self._lenient = reader.resolution.lenient
        self._repairs = self._lenient
        self._clean = self._lenient and reader._decoder.options.xml_chars == "keep"
        self._huge = huge
        self._begins_again = reader._decoded.begins_again
        self._log = log = RecoveryLog(reader._decoder.log)
        if self._lenient:
            reader._recovered = lambda: log.recovered
            if reader.resolution.facts.body.malformed and reader._decoder.options.declaration == "blank":
                log.record_at("declaration", "<?xml", "", LinePosition())
        self._taken = ""
        """Text that was read, and is not repaired yet."""
        self._line_ends = IncrementalNewlineDecoder(None, translate=True)
        self._begun = False
        self._ended = False
        self._root_tag: str | None = None
        self._expands = False
        """An entity holds elements: the parser reports these only where it is first referred to."""

    # -- the text -------------------------------------------------------------------------------------

    def _whole(self, limit: int) -> str | None:
        """Return the text of the whole document without repairs; None where it has more than about `limit`
        characters, or ends with an undecodable byte that is refused. `pieces` returns it again."""
        text, self._ended = self._reader._text.take(limit)
        self._taken = self._cleaned(text)
        return self._taken if self._ended else None

    def pieces(self, *, spelt: bool = True) -> Iterator[bytes]:
        """Yield the pieces of the document, repaired where the reader is lenient, and the document not known
        to be well-formed; `spelt` as in `Entities`."""
        start = DocumentStart(self._log)
        deepest = DEEPEST_HUGE if self._huge else DEEPEST
        repairer = MarkupRepairer(self._log, deepest=deepest, spelt=spelt)
        held, self._taken = self._taken, ""
        at = len(held) if self._ended and self._repairs else TEXT_SIZE  # a long document passes in parts
        text = held[:at]
        while True:
            last = self._ended and at >= len(held)
            fed = repairer.feed(start.feed(text, last), last) if self._repairs else (text,)
            yield from (piece.encode("utf-8") for piece in fed if piece)
            if last:
                return
            if at < len(held):
                text = held[at : at + TEXT_SIZE]
                at += TEXT_SIZE
                continue
            held = ""
            read = self._reader._text.read1(TEXT_SIZE)
            self._ended = not read
            text = self._cleaned(read)

    def _cleaned(self, text: str) -> str:
        """Return the next text with LF as line end, and without characters that are to be replaced; the first
        with the lines that were skipped before it."""
        if text and not self._begun:
            self._begun = True
            text = _with_skipped(white_space_in(self._reader._decoder.skipped), text)
        if "\r" in text or self._line_ends.getstate()[1]:  # there is one at the end of the text before
            text = self._line_ends.decode(text, self._ended)
        if self._clean:
            text, count = clean(text, "replace")
            if count:
                self._reader._decoder.log.add("xml-chars", count)
        return text

    # -- the parser -----------------------------------------------------------------------------------

    def parser(self, events: Sequence[str] = (), tags: Sequence[str] | None = None) -> PullParser:
        """Return a parser of this document, which recovers where the reader is lenient.

        Raises:
            ValueError: no event has such a name.
        """
        name = self._reader.name
        return PullParser(events, tags, recover=self._lenient, huge=self._huge, name=name)

    def parsed(self) -> Any:
        """Return the root of the tree of the whole document."""
        text = self._whole(IN_TREE)
        if text is not None and (root := self._well_formed(text)) is not None:
            return root
        if text is None and not self._lenient:  # an undecodable byte is refused before the markup is read
            self._taken += self._cleaned(self._reader._text.read1(TEXT_SIZE))
        text = None
        for _ in self._parsed(self.pieces(), (), None):
            pass
        return self.root

    def _well_formed(self, text: str) -> Any:
        """Return the root of a document that lxml opens strictly, as it is or repaired; None for another.
        A page around a feed is repaired."""
        root = parsed_strictly(text, huge=self._huge, name=self._reader.name)
        is_html = root is not None and root.tag.rpartition("}")[2].lower() in HTML
        if root is not None and not (is_html and self._lenient and has_page_around(text)):
            return root
        tag = BEGINS_TAG.search(text)
        if not self._lenient or tag is None or not text[-WINDOW:].rstrip().endswith(f"</{tag[0][1:]}>"):
            return None  # where its end is cut off, the parser finds that behind all the rest
        known = dict(self._log.entries)
        pieces = self.pieces(spelt=False)
        root = parsed_strictly("", huge=self._huge, name=self._reader.name, pieces=pieces)
        if root is None:
            self._taken = text
            self._log.begin_again(known)
        return root

    def _is_well_formed(self) -> bool:
        """Return whether lxml opens a long document strictly; one that is not held as a whole is read again
        for that. A page around a feed is repaired."""
        if not (self._ended or self._begins_again) or has_page_around(self._taken):
            return False
        if self._ended:
            return parsed_strictly(self._taken, huge=self._huge, tree=False) is not None
        position = (file := self._reader._decoded.file).tell()
        try:
            with self._reader._from_start() as reader:
                judged = _Document(reader, huge=self._huge)
                judged._repairs = False
                pieces = islice(judged.pieces(), MOST_JUDGED)  # of a longer one the end is missing
                return parsed_strictly("", huge=self._huge, pieces=pieces, tree=False) is not None
        except (FeedcharsetError, OSError):
            return False  # it is raised where the document is read
        finally:
            file.seek(position)

    def pairs(self, tags: Sequence[str] | None, events: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        """Yield the requested pairs, and others whose event is ""."""
        if self._lenient and self._reader._decoded.never_waits:
            text = self._whole(IN_TREE if tags is None else IN_MEMORY)
            if text is not None and (tags is None or text.count("<") <= MOST_TAGS):
                self.root = self._well_formed(text)
            elif tags is not None:
                self._repairs = not self._is_well_formed()
            text = None
        if self.root is None:
            yield from self._streamed(tags, events)
        else:
            added = () if tags is None else ("start", "end")
            walk = etree.iterwalk(self.root.getroottree(), events + added, tags)
            yield from walk if tags is None else _remove_passed(walk, frozenset(events), tags)

    def _streamed(self, tags: Sequence[str] | None, events: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        """Yield the pairs while the document is parsed; what was passed is freed where there are tags."""
        pieces = self.pieces()
        pieces = chain(self._first_pieces(pieces), pieces)
        if tags is None or self._expands:
            yield from self._parsed(pieces, events, tags)
            return
        root = self._root_tag
        # The parser compares an element whose prefix is not bound by its local name alone; one whose name is
        # outside of Namespaces in XML (`dc:`, `a:b:c`) by all of it.
        names = {*tags, root} if root else {*tags}
        names |= {tag.rpartition(":")[2] or tag for tag in names if tag[:1] != "{"}
        found = self._parsed(pieces, (*events, "start", "end"), tuple(names))
        yield from _remove_passed(found, frozenset(events), tags, root, frozenset(names.difference(tags)))

    def _first_pieces(self, pieces: Iterator[bytes]) -> list[bytes]:
        """Find the root element, with a parser that is used for nothing else; return the pieces it took."""
        taken: list[bytes] = []
        parser = self.parser(("start",))
        length = 0
        while length < LONGEST_PROLOG and (piece := next(pieces, b"")):
            taken.append(piece)
            length += len(piece)
            try:
                for start in range(0, len(piece), ROOT_STEP):
                    parser.feed(piece[start : start + ROOT_STEP])
                    for _, root in parser.read_events():
                        self._root_tag = root.tag
                        # Not `docinfo.internalDTD`: it copies the DTD, in quadratic time where that declares
                        # many attributes.
                        values = _ENTITY_VALUE.finditer(b"".join(taken))
                        self._expands = any(_HOLDS_MARKUP.search(found[1]) for found in values)
                        return taken
            except etree.XMLSyntaxError:
                break  # it is raised again when the document is iterated over
        return taken

    def _parsed(
        self, pieces: Iterator[bytes], events: tuple[str, ...], tags: Sequence[str] | None
    ) -> Iterator[tuple[str, Any]]:
        """Yield what the parser finds; after each FREED_BYTES of the document, ("", None)."""
        parser = self._log.parser = self.parser(() if self._expands else events, tags)
        passed = 0
        for piece in pieces:
            parser.feed(piece)
            self._log.place()
            yield from parser.read_events()
            if (passed := passed + len(piece)) >= FREED_BYTES:
                passed = 0
                yield "", None
        yield "", None
        self.root = parser.close(has_root=self._root_tag is not None)
        walk = self._expands and self.root is not None
        yield from etree.iterwalk(self.root.getroottree(), events, tags) if walk else parser.read_events()


def _with_skipped(white_space: str, text: str) -> str:
    """Return the text in the line and the column that it has behind white space. An XML declaration stays the
    first thing in it."""
    is_declaration = text.startswith("<?xml") and text[5:6] in (*" \t\r\n?", "")
    if not (white_space and is_declaration):
        return white_space + text
    column = LinePosition()
    column.advance(white_space)
    in_line = len("<?xml") if column.line > 1 else 0
    indent = "\n" * (column.line - 1) + " " * (column.column - 1 + in_line)
    return f"<?xml{indent}{text.removeprefix('<?xml')}"


def _remove_passed(
    pairs: Iterator[tuple[str, Any]],
    wanted: frozenset[str],
    tags: Sequence[str],
    root: str | None = None,
    others: frozenset[str] = frozenset(),
) -> Iterator[tuple[str, Any]]:
    """Yield the pairs whose event is wanted; remove from the tree what has been passed.

    The parser still adds children to the last child of each open element, and text after it, so these stay.
    Among the pairs are the start and the end of each element that has one of the wanted tags, the root's, or
    one of `others`, of which the elements need not be wanted; and ("", None) after some bytes.
    """
    within: list[Any] = []
    top = None
    for event, element in pairs:
        if event == "start":
            name = element.tag
            top = element if top is None and name == root else top
            is_unbound = ":" in name and name[0] != "{"
            if (name in others or is_unbound) and next(element.iter(*tags), None) is not element:
                continue
            within.append(element)
        elif event == "end":
            if not (within and within[-1] is element):
                continue
            within.pop()
            if not within:
                _remove_before(element)
        if event in wanted:
            yield event, element
        if event == "end" and not within:
            element.clear(keep_tail=True)
        elif not event and within:
            _remove_before(within[0])
        elif not event and (last := top) is not None:
            while len(last):  # all children but the last one, from the root down
                del last[:-1]
                last = last[-1]


def _remove_before(element: Any) -> None:
    """Remove everything before an element but its ancestors."""
    while (parent := element.getparent()) is not None:
        # Not as a slice of the parent, for which lxml counts all children: quadratic in a tree that is whole.
        while (passed := element.getprevious()) is not None:
            parent.remove(passed)
        element = parent
