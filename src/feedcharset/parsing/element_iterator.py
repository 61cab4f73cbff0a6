"""`iterparse`: a document element by element, in constant memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from feedcharset.parsing.element_removal import remove_passed
from feedcharset.parsing.lxml_input import (
    Utf8Input,
    closed,
    open_reader,
    strict_error,
    unrecovered_error,
    unreported_error,
)
from feedcharset.parsing.parser_limits import safe_options
from feedcharset.parsing.recovery_log import log_recoveries
from feedcharset.reading.xml_reader import ReaderOptions

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from lxml.etree import _Element

    from feedcharset.reading.xml_reader import XmlReader

STEP = 4096
"""Bytes that are parsed at once to find the root element; in most feeds it is in the first 4,096."""

LONGEST_PROLOG = 1 << 20
"""Bytes in which the root element is searched. Where it is not found, everything before the first wanted
element stays in memory."""

__all__ = ["ElementIterator", "iterparse"]


def iterparse(
    source: Any,
    tag: str | Sequence[str] | None = None,
    *,
    events: Sequence[str] = ("end",),
    huge: bool = False,
    **options: Unpack[ReaderOptions],
) -> ElementIterator:
    """Parse a document from an untrusted source, element by element.

    As safe, and as lenient, as `parse`.

    Args:
        source: what `XmlReader` opens; or an XmlReader, which is read to its end and stays open.
        tag: the wanted elements, as in `lxml.etree.iterparse`: "item", "{namespace}entry", "{*}entry",
            "{namespace}*", or several of these. Elements that were passed are freed: a wanted element when
            the next one is requested, and everything outside wanted elements. The ancestors of a wanted
            element keep their attributes.
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
        self._parse = _ElementParse(reader, clean=not owned and reader.resolution.lenient, huge=huge)
        self._elements = self._parse.begin(tag, tuple(events))

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
    """The state of one document in lxml's pull parser."""

    def __init__(self, reader: XmlReader, *, clean: bool, huge: bool) -> None:
        self.root: _Element | None = None
        self._name = reader.name
        self._lenient = reader.resolution.lenient
        self._huge = huge
        self._options = safe_options(recover=reader.resolution.lenient, huge=huge)
        self._input = Utf8Input(reader, clean=clean)
        self._unparsed: list[bytes] = []
        """Pieces that were read and are not parsed yet."""

    def begin(self, tag: str | Sequence[str] | None, events: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        """Return the requested pairs, and others whose event is ""."""
        if tag is None:
            self._new_parser(events, None)
            return self._pairs()
        tags = (tag,) if isinstance(tag, str) else tuple(tag)
        root = self._root_tag()
        added = tuple(event for event in ("start", "end") if event not in events)
        self._new_parser(events + added, tags if root is None else (*tags, root))
        return remove_passed(self._pairs(), frozenset(events), tags, root)

    def _new_parser(self, events: Any, tags: Sequence[str] | None) -> None:
        from lxml import etree

        parser = etree.XMLPullParser(events, tag=tags, base_url=self._name, **self._options)
        self._parser: Any = parser
        self._input.set_error_log(lambda: parser.feed_error_log)

    def _root_tag(self) -> str | None:
        """Find the tag of the root element, with a parser that is used for nothing else."""
        from lxml import etree

        self._new_parser(("start",), None)
        try:
            return self._first_tag()
        except etree.XMLSyntaxError:
            return None  # it is raised again when the document is iterated over

    def _first_tag(self) -> str | None:
        while sum(map(len, self._unparsed)) < LONGEST_PROLOG and (piece := self._input.read()):
            self._unparsed.append(piece)
            for start in range(0, len(piece), STEP):
                self._parser.feed(piece[start : start + STEP])
                for _, root in self._parser.read_events():
                    tag: str = root.tag
                    return tag
        return None

    def _pairs(self) -> Iterator[tuple[str, Any]]:
        """Yield what the parser finds; after each piece of the document, ("", None)."""
        while piece := self._unparsed.pop(0) if self._unparsed else self._input.read():
            self._feed(piece)
            yield from self._parser.read_events()
            yield "", None
        self.root = self._close()
        yield from self._parser.read_events()

    def _feed(self, piece: bytes) -> None:
        from lxml import etree

        try:
            self._parser.feed(piece)
        except etree.XMLSyntaxError as error:
            raise self._error(error) from None
        self._check(root=True)

    def _close(self) -> Any:
        from lxml import etree

        if self._lenient:
            root = closed(self._parser)
            self._check(root=root is not None)
            if error := unreported_error(root, self._parser.feed_error_log, self._name, huge=self._huge):
                raise error
            return root
        try:
            return self._parser.close()
        except etree.XMLSyntaxError as error:
            raise self._error(error) from None

    def _error(self, error: Any) -> Exception:
        return error if self._lenient else strict_error(error, self._name, huge=self._huge)

    def _check(self, *, root: bool) -> None:
        """Raise the error that a parser with recover=True does not raise by itself."""
        if self._lenient:
            error = unrecovered_error(
                self._parser.feed_error_log, root=root, name=self._name, huge=self._huge
            )
            if error is not None:
                raise error
