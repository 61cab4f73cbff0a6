"""lxml's parsers for documents from untrusted sources: their options, libxml2's limits in plain words, and
the errors that a parser which recovers does not raise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from lxml import etree

from feedcharset.errors import FeedcharsetError

if TYPE_CHECKING:
    XMLSyntaxError = SyntaxError  # lxml has no types; this is what its class is derived from
else:
    from lxml.etree import XMLSyntaxError

DEEPEST = 256
"""Elements within one another at which libxml2 stops (xmlParserMaxDepth)."""

DEEPEST_HUGE = 2048
"""The same with `huge=True`."""

HOLD_LIMIT = 1 << 24
"""Characters that are held back at most; libxml2 stops at a value, a comment or a text of 10,000,000."""

REPORTED = 100
"""Errors after which libxml2 reports no more (XML_MAX_ERRORS), the one that ends parsing included."""

PIECE_SIZE = 1 << 16
"""Bytes that are fed at once: libxml2's push parser refuses some 10,000,000."""

FIRST_PIECE = 1 << 12
"""Bytes that are fed first: in a feed with damage in each item the first error is in them."""

_ENDING_ERRORS = ("ERR_RESOURCE_LIMIT", "ERR_ENTITY_LOOP", "ERR_NAME_TOO_LONG", "ERR_NO_MEMORY")
"""Errors at which libxml2 stops even with recover=True: the rest of the document is not in the tree."""

LOST_TEXT = ("WAR_UNDECLARED_ENTITY",)
"""Warnings that mean lost text. Others (XML 1.1, a relative namespace, `xml:space="x"`) mean nothing."""

_PLAIN_LIMITS = (
    ("Excessive depth", f"more than {DEEPEST} elements are within one another, or end tags are missing"),
    ("Text node too long", "a text has more than 10,000,000 bytes"),
    ("Buffer size limit", "a tag, a text, a comment or a section has more than 10,000,000 bytes"),
    ("too big found", "a comment, a CDATA section or an instruction has more than 10,000,000 bytes"),
    ("AttValue length too long", "an attribute has more than 10,000,000 bytes"),
    ("Name too long", "a name has more than 50,000 bytes"),
)
"""What libxml2's messages of its limits begin with or contain, and what they mean."""

_REMEDY = re.compile(r",? (?:use|try) XML_PARSE_HUGE(?: option)?\s*")


class NoDocument(XMLSyntaxError, FeedcharsetError):
    """There is no element in the document: it is empty, or plain text, or only a prolog.

    As in every XMLSyntaxError, `lineno`, `offset`, `position`, `filename` and `code` hold the place and
    libxml2's number of the error.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        state: Any = self
        return type(self), (state.msg, state.code, *state.position, state.filename)


def safe_options(*, recover: bool, huge: bool) -> dict[str, Any]:
    """Return the options of lxml's parsers for documents from untrusted sources.

    Nothing is loaded: no DTD, no external entity, general or parameter (XML 1.0 §4.4.3 permits that). Only
    entities of the internal subset are expanded, to five times the size of the document; depth and lengths
    are libxml2's (256 elements, 10,000,000 bytes of text or attribute; with `huge` 2,048 and 1,000,000,000).
    The input is UTF-8, whatever the declaration names.
    """
    return {
        "encoding": "utf-8",
        "recover": recover,
        "resolve_entities": "internal",
        "no_network": True,
        "load_dtd": False,
        "dtd_validation": False,
        "attribute_defaults": False,
        "huge_tree": huge,
    }


def limit_message(message: str, *, huge: bool) -> str:
    """Return libxml2's message about a limit with what was exceeded and what can be passed, unless the limits
    were raised already; others unchanged."""
    words = next((words for part, words in _PLAIN_LIMITS if part in message), None)
    if words is None:
        return message.strip()
    plain = _REMEDY.sub("", message).strip()
    if huge:
        return f"{plain}; libxml2 reads no more: pass the text of XmlReader to another parser"
    return f"{words}; if you trust the source, pass huge=True ({plain})"


class PullParser:
    """lxml's pull parser of one document, which raises every error that ends parsing.

    libxml2's push parser is behind it, for `parse` as for `iterparse`: its other parser recovers from errors
    in other ways.
    """

    def __init__(
        self,
        events: Sequence[str],
        tags: Sequence[str] | None,
        *,
        recover: bool,
        huge: bool,
        name: str | None,
    ) -> None:
        """Start; `name` is the document's path or URL.

        Raises:
            ValueError: no event has such a name.
        """
        options = safe_options(recover=recover, huge=huge)
        # Of an error in an entity within another one libxml2 has the place in that, and no document's name.
        url = "" if name is None and not events else name
        self.named: bool = url is not None
        """An error in the document itself has a name."""
        self._parser: Any = etree.XMLPullParser(events, tag=tags, base_url=url, **options)
        self.read_events: Any = self._parser.read_events
        self._recover = recover
        self._huge = huge
        self._name = name

    @property
    def errors(self) -> Any:
        """The entries of the parser's error log."""
        return self._parser.feed_error_log

    def feed(self, data: bytes) -> None:
        """Parse the next bytes.

        Raises:
            lxml.etree.XMLSyntaxError: they are not well-formed, or exceed a limit.
        """
        try:
            for start in range(0, len(data), PIECE_SIZE):
                self._parser.feed(data[start : start + PIECE_SIZE])
        except etree.XMLSyntaxError as error:
            raise strict_error(error, self._name, huge=self._huge) from None
        if self._recover:
            self._check_limits()

    def close(self, *, has_root: bool) -> Any:
        """End the document; return its root element. `has_root`: it has one, which the caller of `iterparse`
        may have moved to another document; then it is None.

        Raises:
            NoDocument: it has none.
            lxml.etree.XMLSyntaxError: as from `feed`.
        """
        try:
            root = self._parser.close()
        except etree.XMLSyntaxError as error:
            if not self._recover:
                raise strict_error(error, self._name, huge=self._huge) from None
            root = None
        if self._recover:
            self._check_limits(root)
            if root is None and not has_root:
                none = SimpleNamespace(message="Document is empty", line=1, column=1)
                first = next(iter(self.errors), none)
                raise _no_document(first.message.strip(), first.line, first.column, self._name)
        if self._name is None and root is not None:
            root.getroottree().docinfo.URL = None
        return root

    def _check_limits(self, root: Any = None) -> None:
        """Raise the error that ended parsing in spite of recover=True. `root`, at the end of the document:
        one that is too deep is known by its tree where libxml2 reported too many other errors to report it.
        """
        stop = next((entry for entry in self.errors if entry.type_name in _ENDING_ERRORS), None)
        if stop is not None:
            message, kind = stop.message, stop.type
        else:
            deepest = DEEPEST_HUGE if self._huge else DEEPEST
            if root is None or len(self.errors) < REPORTED:
                return
            if not root.getroottree().xpath(f"boolean({'/*' * (deepest - 1)})"):
                return
            message, kind = f"Excessive depth in document: {deepest}", etree.ErrorTypes.ERR_RESOURCE_LIMIT
            stop = self.errors[-1]
        place = f"line {stop.line}, column {stop.column}"
        message = f"{limit_message(message, huge=self._huge)}, {place}"
        raise etree.XMLSyntaxError(message, kind, stop.line, stop.column, self._name)


def parsed_strictly(
    text: str,
    *,
    huge: bool,
    name: str | None = None,
    whole: bool = True,
    pieces: Iterable[bytes] = (),
    tree: bool = True,
) -> Any:
    """Return the root of a document that lxml opens strictly, and in which it finds every entity; else None.

    The push parser stops at the first error, where libxml2's other parser reads the rest, too. A document
    type declaration of a text is left to the other one: the push parser looks for its end before it reads it.

    Args:
        name: the document's path or URL.
        whole: False: this is the first part of a document, at most 10,000,000 bytes; True is returned.
        pieces: all of a document, in place of its text.
        tree: False: no tree is made; True is returned.
    """
    options = safe_options(recover=False, huge=huge)
    if not tree:
        options["target"] = SimpleNamespace(close=lambda: True)  # without a tree it takes a third
    parser: Any = etree.XMLParser(**options)
    root: Any = True
    has_type = whole and "<!DOCTYPE" in text[:FIRST_PIECE]
    try:
        if has_type:
            root = etree.fromstring(text.encode(), parser)
        else:
            parser.feed(text[:FIRST_PIECE].encode())
            for start in range(FIRST_PIECE, len(text), PIECE_SIZE):
                parser.feed(text[start : start + PIECE_SIZE].encode())
            for piece in pieces:
                parser.feed(piece)
            root = parser.close() if whole else root
    except etree.XMLSyntaxError:
        return None
    log = parser.error_log if has_type else parser.feed_error_log
    if len(log) and any(one.level_name != "WARNING" or one.type_name in LOST_TEXT for one in log):
        return None
    if name is not None:
        root.getroottree().docinfo.URL = name
    return root


def strict_error(error: Any, name: str | None, *, huge: bool) -> Exception:
    """Return the error of a strict parser, as NoDocument where there is no element."""
    # The second is lxml's own, of a parser that got no bytes at all.
    if error.code != etree.ErrorTypes.ERR_DOCUMENT_EMPTY and not error.msg.startswith("no element found"):
        message, changed = limit_message(error.msg, huge=huge), error
        if message != error.msg.strip():
            changed = type(error)(message, error.code, *error.position, name)
        return cast("Exception", changed)
    line, column = error.position
    return _no_document(error.msg.partition(", line ")[0], max(line, 1), max(column, 1), name)


_NO_ELEMENT = {
    "Document is empty": "it is empty, or was read before",
    "Start tag expected, '<' not found": "no tag begins here",
    "no element found": "it is empty, or was read before",
}
"""Messages of libxml2 in plain words."""


def _no_document(message: str, line: int, column: int, name: str | None) -> Exception:
    words = _NO_ELEMENT.get(message, message)
    text = f"no element in the document: {words}, line {line}, column {column}; look at what the source sends"
    # The arguments of lxml's XMLSyntaxError, which has no types.
    error: Any = NoDocument
    return cast("Exception", error(text, etree.ErrorTypes.ERR_DOCUMENT_EMPTY, line, column, name))
