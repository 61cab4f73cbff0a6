"""`iterparse`: a document element by element, in constant memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from feedcharset.parsing.element_removal import freeing
from feedcharset.parsing.lxml_input import Feed, fatal, open_reader, safe_options
from feedcharset.parsing.recovery_message import tell

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from lxml.etree import _Element

    from feedcharset.reading.xml_reader import XmlReader

STEP = 4096
"""Octets that are parsed at once to find the root element, which most feeds have in the first."""

LONGEST_PROLOG = 1 << 20
"""Octets in which the root element is looked for. Without it, all stays that is before the first wanted
one."""

__all__ = ["ElementIterator", "iterparse"]


def iterparse(
    source: Any,
    tag: str | Sequence[str] | None = None,
    *,
    events: Sequence[str] = ("end",),
    **options: Any,
) -> ElementIterator:
    """Parse a document that others wrote, element by element.

    As safe, and as lenient, as `parse`.

    Args:
        source: whatever `XmlReader` opens; or an XmlReader, which is read to its end and stays open.
        tag: the elements that are wanted, as in `lxml.etree.iterparse`: "item", "{namespace}entry",
            "{*}entry", "{namespace}*", or several of these. What has been passed is freed: a wanted element
            when the next one is asked for, and all that is not in one. Only the elements around keep their
            attributes.
            None: every element, and nothing is freed.
        events: "start", "end", "start-ns", "end-ns", "comment", "pi".
        options: those of `XmlReader`; none beside an XmlReader. `xml_chars` is "replace" when lenient.

    Returns:
        An iterator of pairs, event and element. It closes what it opened when it ends, is closed or dropped.

    Raises:
        Whatever XmlReader raises; while iterating, what `parse` raises.
    """
    reader, owned = open_reader(source, options)
    try:
        return ElementIterator(reader, tag, events, owned=owned)
    except BaseException:
        if owned:
            reader.close()
        raise


class ElementIterator(Iterator[tuple[str, Any]]):
    """What `iterparse` returns."""

    def __init__(
        self, reader: XmlReader, tag: str | Sequence[str] | None, events: Sequence[str], *, owned: bool
    ) -> None:
        self.reader = reader
        """What is being read; `.recovered` and `.repairs` say what has been mended until now."""
        self._owned = owned
        self._told = False
        # It must not refer to this object: one that is dropped is to close the reader at once.
        self._parsing = _Parsing(reader, clean=not owned and reader.resolution.lenient)
        self._elements = self._parsing.begin(tag, tuple(events))

    @property
    def root(self) -> _Element | None:
        """The root element, once the document has been parsed to its end."""
        return self._parsing.root

    def __next__(self) -> tuple[str, Any]:
        try:
            for event, element in self._elements:
                if event:
                    return event, element
        except BaseException:
            self._told = True  # the exception says it
            self.close()
            raise
        self.close()
        raise StopIteration

    def close(self) -> None:
        """Read no further; close the reader, if it was opened here."""
        self._elements = iter(())
        if not self._told:
            self._told = True
            tell(self.reader)
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


class _Parsing:
    """A document on its way through lxml's pull parser."""

    def __init__(self, reader: XmlReader, *, clean: bool) -> None:
        self.root: _Element | None = None
        self._name = reader.name
        self._lenient = reader.resolution.lenient
        self._options = safe_options(reader)
        self._feed = Feed(reader, clean=clean)
        self._taken: list[bytes] = []
        """What has been read and not parsed."""

    def begin(self, tag: str | Sequence[str] | None, asked: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        """The pairs that are asked for, and others without an event."""
        if tag is None:
            self._become(asked, None)
            return self._pairs()
        tags = (tag,) if isinstance(tag, str) else tuple(tag)
        root = self._root_tag()
        around = tuple(event for event in ("start", "end") if event not in asked)
        self._become(asked + around, tags if root is None else (*tags, root))
        return freeing(self._pairs(), frozenset(asked), tags, root)

    def _become(self, events: Any, tags: Sequence[str] | None) -> None:
        """Take a new parser."""
        from lxml import etree

        parser = etree.XMLPullParser(events, tag=tags, base_url=self._name, **self._options)
        self._parser: Any = parser
        self._feed.watch(lambda: parser.feed_error_log)

    def _root_tag(self) -> str | None:
        """The tag of the root element, which a parser is asked that is not needed after that."""
        from lxml import etree

        self._become(("start",), None)
        while sum(map(len, self._taken)) < LONGEST_PROLOG and (octets := self._feed.read()):
            self._taken.append(octets)
            for start in range(0, len(octets), STEP):
                try:
                    self._parser.feed(octets[start : start + STEP])
                except etree.XMLSyntaxError:
                    return None  # it is raised again when the document is iterated over
                for _, root in self._parser.read_events():
                    tag: str = root.tag
                    return tag
        return None

    def _pairs(self) -> Iterator[tuple[str, Any]]:
        """What the parser finds; between two pieces of the document, ("", None)."""
        while octets := self._taken.pop(0) if self._taken else self._feed.read():
            self._parser.feed(octets)
            yield from self._parser.read_events()
            self._check(root=True)
            yield "", None
        self.root = self._parser.close()
        yield from self._parser.read_events()
        self._check(root=self.root is not None)

    def _check(self, *, root: bool) -> None:
        """Raise what a parser that recovers does not raise by itself."""
        if self._lenient:
            error = fatal(self._parser.feed_error_log, root=root, name=self._name)
            if error is not None:
                raise error
