"""`parse`: a document as lxml's tree. `iterparse`: a document element by element, in constant memory.

Both go the same way. A document that is in memory as a whole is first parsed strictly, as it is: most are
well-formed, and these are never changed. What lxml refuses goes through `Utf8Input`, which repairs it, to a
parser that recovers. So does a document that comes from a stream, or is too long; the repair does not change
it where it is well-formed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Unpack

from lxml import etree

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.parsing.document_start import DocumentStart, has_page_around
from feedcharset.parsing.libxml2 import (
    DEEPEST,
    DEEPEST_HUGE,
    PIECE_SIZE,
    PullParser,
    opens_strictly,
    safe_options,
    strict_error,
)
from feedcharset.parsing.markup_repair import MarkupRepairer
from feedcharset.parsing.recovery_log import RecoveryLog, log_recoveries
from feedcharset.parsing.tag_syntax import HTML
from feedcharset.reading.xml_reader import ReaderOptions, XmlReader, check_names
from feedcharset.text.xml_text import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType
    from typing import Self

    from lxml.etree import _Element, _ElementTree

    from feedcharset.reading.xml_reader import XmlReader

__all__ = ["Utf8Input", "iterparse", "open_reader", "parse"]

_ENTITY_VALUE = lazy_pattern(rb"<!ENTITY[^\"'<>]*+(\"[^\"]*+\"|'[^']*+')")
_HOLDS_MARKUP = lazy_pattern(rb"[<%]|&(?!#)|&#(?:0*+(?:38|60)|x0*+(?:26|3[cC]));")
"""What may become markup in an entity: `<`, `&` and references to them, other entities."""

TEXT_SIZE = 1 << 16
"""Characters that are read at once: about what a reader has after one read of its source."""

REPAIR_SIZE = 1 << 18
"""Characters of a text in memory that are repaired at once."""


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


class Utf8Input:
    """A reader's text as UTF-8 with LF as line end, repaired where the reader is lenient.

    lxml counts lines by LF alone. CR and CRLF are translated to LF as XML 1.0 §2.11 requires.
    """

    def __init__(self, reader: XmlReader, *, clean: bool, huge: bool) -> None:
        """Start at the reader's position.

        Args:
            reader: the reader.
            clean: replace characters that XML forbids, because the reader keeps them.
            huge: the parser's limits are raised.
        """
        self._reader = reader
        self._clean = clean and reader.resolution.lenient
        self._taken = ""
        """Text that was read, and is returned next, from `_at` on."""
        self._at = 0
        self._cr = ""
        self._ended = False
        self._returned = False
        """All of the document was returned by `read`."""
        self._log: RecoveryLog | None = None
        if reader.resolution.lenient:
            self._log = log = RecoveryLog(reader._decoder.log)
            reader._recovered = lambda: log.recovered
            self._start = DocumentStart(log)
            self._repairer = MarkupRepairer(log, deepest=DEEPEST_HUGE if huge else DEEPEST)

    def set_error_log(self, errors: Callable[[], Iterable[Any]]) -> None:
        """Add to `XmlReader.recovered` what the parser recovers from.

        Args:
            errors: returns the entries of the parser's error log.
        """
        if self._log is not None:
            self._log.errors = errors

    def whole(self, limit: int) -> str | None:
        """Return the text of the whole document without repairs; None where it has more than about `limit`
        characters, or ends with an undecodable byte that is refused. `read` returns it again."""
        text, self._ended = self._reader._take_whole(limit)
        self._taken = self._cleaned(self._with_line_feeds(text))
        return self._taken if self._ended else None

    def read(self, size: int = -1, /) -> bytes:
        """The next piece, of any size; b"" at the end."""
        piece = b""
        while not piece and not self._returned:
            text = self._taken[self._at : self._at + REPAIR_SIZE]
            self._at += len(text)
            if self._at == len(self._taken):
                self._taken, self._at = "", 0
            if not text and not self._ended:
                read = self._reader._read1(TEXT_SIZE)
                self._ended = not read
                text = self._cleaned(self._with_line_feeds(read))
            self._returned = last = self._ended and not self._taken
            if self._log is not None:
                text = self._repairer.feed(self._start.feed(text, last), last)
            piece = text.encode("utf-8")
        return piece

    def _with_line_feeds(self, text: str) -> str:
        if self._cr:
            text = self._cr + text
        self._cr = ""
        if "\r" not in text:
            return text
        if text[-1] == "\r" and not self._ended:
            text, self._cr = text[:-1], "\r"
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def _cleaned(self, text: str) -> str:
        if not self._clean:
            return text
        text, count = clean(text, "replace")
        if count:
            self._reader._decoder.log.add("xml-chars", count)
        return text


IN_TREE = 1 << 26
"""Characters of the longest document that is parsed as a whole where its tree is kept: the tree takes several
times as much memory as the text."""

IN_MEMORY = 1 << 22
"""Characters of the longest document that is held as a whole where elements are freed; feeds have 100,000."""

ROOT_STEP = 1 << 12
"""Bytes that are parsed at once to find the root element; in most feeds it is in the first 4,096."""

LONGEST_PROLOG = 1 << 20
"""Bytes in which the root element is searched. Where it is not found, everything before the first wanted
element stays in memory."""


def parse(source: Any, *, huge: bool = False, **options: Unpack[ReaderOptions]) -> _ElementTree:
    """Parse a document from an untrusted source.

    Nothing that the document refers to is loaded, and entity expansion is limited. A document that lxml opens
    strictly is never changed. When lenient, characters, references, markup and prefixes that XML does not
    allow are repaired, and what stands before the document (messages of a server, HTTP headers, an HTML page)
    is passed over. `XmlReader.recovered` lists the repairs, and the logger "feedcharset" writes them in one
    line at INFO. Of several documents the first is parsed.

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
        return _tree(reader, Utf8Input(reader, clean=not owned, huge=huge), huge)
    finally:
        if owned:
            reader.close()


def _tree(reader: XmlReader, utf8: Utf8Input, huge: bool) -> _ElementTree:
    lenient = reader.resolution.lenient
    text = utf8.whole(IN_TREE)
    tree: _ElementTree
    try:
        strict: Any = etree.XMLParser(**safe_options(recover=False, huge=huge))
        if text is not None:
            tree = etree.fromstring(text.encode(), strict, base_url=reader.name).getroottree()
            if not lenient or not (len(strict.error_log) or _is_page(tree.getroot().tag, text)):
                log_recoveries(reader)
                return tree
        elif not lenient:
            pieces: Any = utf8
            return etree.parse(pieces, strict, base_url=reader.name)
    except etree.XMLSyntaxError as error:
        if not lenient:
            raise strict_error(error, reader.name, huge=huge) from None
    text = None
    parser = PullParser((), None, recover=True, huge=huge, name=reader.name)
    utf8.set_error_log(lambda: parser.errors)
    while piece := utf8.read():
        parser.feed(piece)
    root = parser.close()
    log_recoveries(reader)
    tree = root.getroottree()
    return tree


def _is_page(root_tag: str, text: str) -> bool:
    """Return whether a well-formed document is an HTML page around a feed."""
    return root_tag.rpartition("}")[2].lower() in HTML and has_page_around(text)


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
            None: every element, and nothing is freed.
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
        self._parse = _ElementParse(reader, clean=not owned, huge=huge)
        tags = (tag,) if isinstance(tag, str) else tag if tag is None else tuple(tag)
        self._elements = self._parse.pairs(tags, tuple(events))

    @property
    def root(self) -> _Element | None:
        """The root element, once the document has been parsed to its end."""
        return self._parse.root

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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_elements"):
            self.close()


class _ElementParse:
    """One document in lxml's pull parser."""

    def __init__(self, reader: XmlReader, *, clean: bool, huge: bool) -> None:
        self.root: _Element | None = None
        self._reader = reader
        self._lenient = reader.resolution.lenient
        self._huge = huge
        self._input = Utf8Input(reader, clean=clean, huge=huge)
        self._root_tag: str | None = None
        self._expands = False
        """An entity holds elements: the parser reports these only where it is first referred to."""

    def _parser(self, events: Sequence[str], tags: Sequence[str] | None, *, recover: bool) -> PullParser:
        return PullParser(events, tags, recover=recover, huge=self._huge, name=self._reader.name)

    def pairs(self, tags: Sequence[str] | None, events: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        """Return the requested pairs, and others whose event is "".

        Raises:
            ValueError: no event has such a name.
        """
        self._parser(events, tags, recover=False)
        return self._every_element(events) if tags is None else self._wanted_elements(tags, events)

    def _every_element(self, events: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        """Yield every pair. Those of a document in memory are kept until it is known to be well-formed."""
        text = self._whole_text(IN_TREE)
        parser = None if text is None else self._well_formed(text, events)
        text = None
        if parser is not None:
            yield from self._walked(events, None) if self._expands else parser.events()
            return
        pieces = self._repaired_pieces()
        pieces = chain(self._first_pieces(pieces), pieces)
        yield from self._parsed(pieces, events, None)

    def _well_formed(self, text: str, events: tuple[str, ...]) -> PullParser | None:
        """Return the parser of a well-formed document, with all its events; else None."""
        self._note_entities(text[:LONGEST_PROLOG].encode())
        # Events of elements within entities, of which one exceeds a limit, are freed twice by lxml.
        parser = self._parser(() if self._expands else events, None, recover=False)
        try:
            parser.feed(text.encode())
            root = parser.close()
        except etree.XMLSyntaxError:
            return None
        if len(parser.errors) or _is_page(root.tag, text):
            return None
        self.root, self._root_tag = root, root.tag
        return parser

    def _wanted_elements(self, tags: Sequence[str], events: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        """Yield the pairs of wanted elements; what was passed is freed."""
        pieces = self._repaired_pieces()
        text = self._whole_text(IN_MEMORY)
        if text is not None:
            data = text.encode()
            whole = [data[start : start + PIECE_SIZE] for start in range(0, len(data), PIECE_SIZE)]
            if opens_strictly(whole, huge=self._huge):
                self._first_pieces(iter(whole))
                if self._root_tag and not _is_page(self._root_tag, text):
                    pieces = iter(whole)
        text = None
        pieces = chain(self._first_pieces(pieces), pieces)
        if self._expands:
            yield from self._parsed(pieces, events, tags)
            return
        added = tuple(event for event in ("start", "end") if event not in events)
        root = self._root_tag
        found = self._parsed(pieces, events + added, tags if root is None else (*tags, root))
        yield from _remove_passed(found, frozenset(events), tags, root)

    def _whole_text(self, limit: int) -> str | None:
        """Return the text of a document that is in memory, where it may need repairs."""
        return self._input.whole(limit) if self._lenient and self._reader._at_hand else None

    def _repaired_pieces(self) -> Iterator[bytes]:
        while piece := self._input.read():
            yield piece

    def _first_pieces(self, pieces: Iterator[bytes]) -> list[bytes]:
        """Find the root element, with a parser that is used for nothing else; return the pieces it took."""
        parser = self._parser(("start",), None, recover=self._lenient)
        taken = []
        length = 0
        while length < LONGEST_PROLOG and (piece := next(pieces, b"")):
            taken.append(piece)
            length += len(piece)
            try:
                for start in range(0, len(piece), ROOT_STEP):
                    parser.feed(piece[start : start + ROOT_STEP])
                    for _, root in parser.events():
                        self._root_tag = root.tag
                        self._note_entities(b"".join(taken))
                        return taken
            except etree.XMLSyntaxError:
                break  # it is raised again when the document is iterated over
        return taken

    def _note_entities(self, prolog: bytes) -> None:
        # Not `docinfo.internalDTD`: it copies the DTD, in quadratic time where that declares many attributes.
        self._expands = b"<!ENTITY" in prolog and any(
            _HOLDS_MARKUP.search(found[1]) for found in _ENTITY_VALUE.finditer(prolog)
        )

    def _parsed(
        self, pieces: Iterator[bytes], events: tuple[str, ...], tags: Sequence[str] | None
    ) -> Iterator[tuple[str, Any]]:
        """Yield what the parser finds; after each piece of the document, ("", None)."""
        parser = self._parser(() if self._expands else events, tags, recover=self._lenient)
        self._input.set_error_log(lambda: parser.errors)
        for piece in pieces:
            parser.feed(piece)
            yield from parser.events()
            yield "", None
        self.root = parser.close()
        yield from self._walked(events, tags) if self._expands else parser.events()

    def _walked(self, events: tuple[str, ...], tags: Sequence[str] | None) -> Iterator[tuple[str, Any]]:
        """Return the pairs of a tree that was parsed to its end."""
        assert self.root is not None
        walk: Iterator[tuple[str, Any]] = etree.iterwalk(self.root.getroottree(), events, tags)
        return walk


def _remove_passed(
    pairs: Iterator[tuple[str, Any]], wanted: frozenset[str], tags: Sequence[str], root: str | None
) -> Iterator[tuple[str, Any]]:
    """Yield the pairs whose event is wanted; remove from the tree what has been passed.

    The parser still adds children to the last child of each open element, and text after it, so these stay.

    Args:
        pairs: a parser's events, among them the start and the end of each element that is wanted or has the
            root's tag; ("", None) after each piece of the document.
        wanted: the events that are yielded.
        tags: the wanted elements.
        root: the root's tag, or None.
    """
    within: list[Any] = []
    top = None
    for event, element in pairs:
        if event in ("start", "end") and element.tag == root:
            top = element if top is None else top
            if next(element.iter(*tags), None) is not element:
                continue
        if event == "start":
            within.append(element)
        if event in wanted:
            yield event, element
        if event == "end":
            within.pop()
            if not within:
                element.clear(keep_tail=True)
                _remove_before(element)
        elif not event and within:
            _remove_before(within[0])
        elif not event and top is not None:
            _remove_descendants(top)


def _remove_before(element: Any) -> None:
    """Remove everything before an element but its ancestors."""
    while (parent := element.getparent()) is not None:
        if element.getprevious() is not None:
            del parent[: parent.index(element)]
        element = parent


def _remove_descendants(element: Any) -> None:
    """Remove all children but the last one, from an element down."""
    while len(element):
        del element[:-1]
        element = element[-1]
