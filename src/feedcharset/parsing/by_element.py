"""`iterparse`: a document element by element, in constant memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from feedcharset.parsing.feeding import Feed, fatal, open_reader, safe_options
from feedcharset.parsing.freeing import freeing
from feedcharset.parsing.telling import tell

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from lxml.etree import _Element

    from feedcharset.reader import XmlReader

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
        self.root: _Element | None = None
        """The root element, once the document has been parsed to its end."""
        self._owned = owned
        self._told = False
        self._lenient = reader.resolution.lenient
        self._feed = Feed(reader, lambda: self._parser.feed_error_log, clean=not owned and self._lenient)
        asked = tuple(events)
        if tag is None:
            self._parser = self._new_parser(asked, None)
            self._elements = self._pairs([])
            return
        tags = (tag,) if isinstance(tag, str) else tuple(tag)
        self._parser = self._new_parser(("start",), None)
        taken, root = self._root_tag()
        around = tuple(event for event in ("start", "end") if event not in asked)
        self._parser = self._new_parser(asked + around, tags if root is None else (*tags, root))
        self._elements = freeing(self._pairs(taken), frozenset(asked), tags, root)

    def _new_parser(self, events: Any, tags: Sequence[str] | None) -> Any:
        from lxml import etree

        return etree.XMLPullParser(events, tag=tags, base_url=self.reader.name, **safe_options(self.reader))

    def _root_tag(self) -> tuple[list[bytes], str | None]:
        """The tag of the root element, and the octets that were needed to see it."""
        from lxml import etree

        taken: list[bytes] = []
        while sum(map(len, taken)) < LONGEST_PROLOG and (octets := self._feed.read()):
            taken.append(octets)
            for start in range(0, len(octets), STEP):
                try:
                    self._parser.feed(octets[start : start + STEP])
                except etree.XMLSyntaxError:
                    return taken, None  # it is raised when the document is iterated over
                for _, root in self._parser.read_events():
                    return taken, root.tag
        return taken, None

    def _pairs(self, taken: list[bytes]) -> Iterator[tuple[str, Any]]:
        """What the parser finds; between two pieces of the document, ("", None)."""
        while octets := taken.pop(0) if taken else self._feed.read():
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
            error = fatal(self._parser.feed_error_log, root=root, name=self.reader.name)
            if error is not None:
                raise error

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
        if getattr(self, "_owned", False):
            self.close()
