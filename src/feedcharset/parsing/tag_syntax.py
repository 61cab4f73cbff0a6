"""Tags: the grammar of XML 1.0 §3.1, and what a tag outside of it is read as.

    [40] STag         ::= '<' Name (S Attribute)* S? '>'
    [41] Attribute    ::= Name Eq AttValue
    [42] ETag         ::= '</' Name S? '>'
    [44] EmptyElemTag ::= '<' Name (S Attribute)* S? '/>'
    [10] AttValue     ::= '"' ([^<&"] | Reference)* '"' | "'" ([^<&'] | Reference)* "'"

The `&` is left to `entity_references`. Outside of the grammar the attributes of HTML are read: without
quotation marks, without a value, without white space between them, with `<` in the value, without the closing
quotation mark, or twice.
"""

from __future__ import annotations

from typing import NamedTuple

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.parsing.html_names import HTML
from feedcharset.parsing.markup_repair import NAME_START

__all__ = [
    "NAME",
    "TAG",
    "WINDOW",
    "StartTag",
    "read_end_tag",
    "read_start_tag",
]

NAME = rf"[{NAME_START}][{NAME_START}\-.0-9\xb7\u0300-\u036f\u203f\u2040]*+"
"""[5] Name."""

WINDOW = 4096
"""Characters in which the end of a tag outside of the grammar is searched: tags of HTML have 100, and
addresses in them up to 2,000."""

_S = r"[ \t\r\n]"
_ATTRIBUTE = rf"""{_S}++ {NAME} {_S}*+ = {_S}*+ (?: "[^"<]*+" | '[^'<]*+' )"""

TAG = rf"<(?: {NAME} (?: {_ATTRIBUTE} )*+ {_S}*+ /?+ > | / {NAME} {_S}*+ > )"
"""A tag within the grammar, for a verbose expression."""

_NAME = lazy_pattern(NAME)
_SPACE = lazy_pattern(rf"(?:{_S}|/(?!>))*+")
_KEY = lazy_pattern(r"[^ \t\r\n=<>/\"']++")
_EQ = lazy_pattern(rf"{_S}*+={_S}*+")
_BARE = lazy_pattern(r"(?:[^ \t\r\n<>\"'/]|/(?!>))*+")
_ANGLE = lazy_pattern("[<>]")
_NEXT_ATTRIBUTE = lazy_pattern(rf"{_S}++[A-Za-z][-.:\w]*+{_S}*+=(?={_S}*+[\"'])")
_OPENS_NEXT = lazy_pattern(rf"{_S}[A-Za-z][-.:\w]*+{_S}*+={_S}*+\Z")
_END_NAME = lazy_pattern(rf"</({NAME})[^<>]*+>?+")
_END_OTHER = lazy_pattern(r"</[^<>]{0,100}+>")


class StartTag(NamedTuple):
    """A start tag outside of the grammar."""

    end: int
    """The index after it."""
    name: str
    empty: bool
    """It ends with `/>`."""
    spelt: str
    """The tag within the grammar."""


def read_end_tag(text: str, start: int, stop: int) -> tuple[int, str]:
    """Return the index after an end tag outside of the grammar, and its name.

    Args:
        text: the document.
        start: the index of its `</`.
        stop: what is behind this index is not looked at.

    Returns:
        The name is "" where the tag has none; the index is `start` where what is there is text.
    """
    if found := _END_NAME.match(text, start, stop):
        return found.end(), found[1]
    other = _END_OTHER.match(text, start, stop)
    return other.end() if other else start, ""


def read_start_tag(text: str, start: int, stop: int) -> StartTag | None:
    """Return the start tag at `start`; None where what is there is text.

    Args:
        text: the document.
        start: the index of a `<` with a character after it that begins a name.
        stop: what is behind this index is not looked at.
    """
    name = _NAME.match(text, start + 1)
    assert name
    if text[name.end() : name.end() + 1] not in (*" \t\r\n/>\"'",):
        return None  # <joe@example.org>, <http://example.org/>, x<y<z
    attributes = _Attributes(text, name[0], name.end(), stop)
    if not attributes.are_markup():
        return None
    end = attributes.end
    empty = attributes.empty
    written = attributes.spelt()
    lines = "\n" * (text.count("\n", start, end) - written.count("\n"))
    spelt = f"<{name[0]}{written}{lines}{'/' if empty else ''}>"
    return StartTag(end, name[0], empty, spelt)


class _Attributes:
    """The attributes of a tag, read as HTML's."""

    def __init__(self, text: str, name: str, start: int, stop: int) -> None:
        self._text = text
        self._name = name
        self._stop = min(stop, len(text))
        self._found: dict[str, str] = {}
        self._valued = False
        """An attribute has a value."""
        self.empty = False
        self.closed = False
        """There is a `>`."""
        self.end = start
        while self._next():
            pass

    def are_markup(self) -> bool:
        """Return whether this is a tag, and no text after a `<`."""
        if self._valued:
            return True
        return self.closed and (self._name.lower() in HTML or not self._found)

    def spelt(self) -> str:
        """Return the attributes within the grammar."""
        return "".join(f" {name}={value}" for name, value in self._found.items())

    def _next(self) -> bool:
        """Read what follows; return False at the end of the tag."""
        text = self._text
        space = _SPACE.match(text, self.end, self._stop)
        index = space.end() if space else self.end
        self.end = index
        if index >= self._stop or text[index] == "<":
            return False
        if text[index] == ">" or text.startswith("/>", index):
            self.closed = True
            self.empty = self.empty or text[index] == "/"
            self.end = index + (1 if text[index] == ">" else 2)
            return False
        key = _KEY.match(text, index, self._stop)
        if key is None:
            self.end = index + 1  # a quotation mark, or "="
            return True
        self.end = key.end()
        equals = _EQ.match(text, self.end, self._stop)
        value = self._value(equals.end()) if equals else '""'
        self._valued = self._valued or equals is not None
        if _NAME.fullmatch(key[0]):
            self._found.setdefault(key[0], value)
        return True

    def _value(self, index: int) -> str:
        """Read a value; return it in quotation marks."""
        mark = self._text[index : min(index + 1, self._stop)]
        if mark not in ('"', "'"):
            bare = _BARE.match(self._text, index, self._stop)
            self.end = bare.end() if bare else index
            return f'"{self._text[index : self.end]}"'
        close = self._text.find(mark, index + 1, self._stop)
        value = self._text[index + 1 : close]
        if close < 0 or not self._is_closed(value, close):
            value = self._unclosed_value(index + 1)
        else:
            self.end = close + 1
        value = value.replace("<", "&lt;").replace(mark, f"&#{ord(mark)};")
        return f"{mark}{value}{mark}"

    def _is_closed(self, value: str, close: int) -> bool:
        """Return whether a value ends at the next quotation mark of its kind, and is not without its end."""
        angle = next((char for char in value if char in "<>"), "")
        if not angle and not _OPENS_NEXT.search(value):
            return True
        follows = self._text[close + 1 : close + 2] in ("", *" \t\r\n/>")
        if not follows or _OPENS_NEXT.search(value):
            return False
        return angle == "<" or "<" not in value

    def _unclosed_value(self, index: int) -> str:
        """Return a value without its closing quotation mark: up to the next attribute, or to the end of the
        tag."""
        angle = _ANGLE.search(self._text, index, self._stop)
        end = angle.start() if angle else self._stop
        if following := _NEXT_ATTRIBUTE.search(self._text, index, end):
            end = following.start()
        elif self._text[end - 1 : end + 1] == "/>" and self._name not in ("a", "A"):
            end -= 1
        self.end = end
        return self._text[index:end].rstrip(" \t\r\n")
