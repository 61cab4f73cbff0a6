"""The HTTP Content-Type: WHATWG MIME Sniffing §4.4 "parsing a MIME type", then the named tolerances.

The tolerances are a second step, taken when the first finds no usable charset:

- white space before `=` is dropped;
- the value loses surrounding white space and one matching pair of single or double quotes;
- `charset=""` is a charset without a name;
- a comma outside quotes is read as `;`: two header fields were joined (RFC 9110 §5.3). The first parsable
  media type and the first charset count.

A third step, for lenient reading only and where these find no known charset, accepts misspelt parameters:
`charset:utf-8`, `text/xml charset=utf-8`, `text/xml; utf-8`, `encoding=`, a quote without its pair,
the word or the equals sign twice, a second charset behind an unknown one.
"""

import re
from typing import NamedTuple

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.lookup import lookup
from feedcharset.results.facts import MediaClass

FIELD_LIMIT = 8192
"""Characters of the field that are read: what Apache and nginx take for a whole header line."""

HTTP_WHITE_SPACE = " \t\r\n"
_TOKEN = lazy_pattern(r"[!#$%&'*+.^_`|~0-9A-Za-z-]++")
_QUOTED_STRING = lazy_pattern(r"[\t\x20-\x7e\x80-\xff]*+")
_USABLE_LABEL = lazy_pattern(r"[!#$%&*+.^_`|~0-9A-Za-z:()-]++")
_SEGMENT = lazy_pattern(r'(?:[^;,"]++|"(?:[^"\\]++|\\.)*+(?:"|\\?$))++', re.DOTALL)

_NAMED = lazy_pattern(
    r"(?<![A-Za-z0-9_-])(?:charset|encoding)[ \t\r\n\xa0]*+[=:]++[ \t\r\n\xa0]*+[\\\"']*+"
    r"([A-Za-z0-9._:+-]++)(?=[\\\"' \t\r\n\xa0]|\Z)",
    re.IGNORECASE,
)
_ALONE = lazy_pattern(r"[ \t\r\n\xa0]*+([A-Za-z0-9._:+-]++)[ \t\r\n\xa0]*+")

_APP_XML = {"application/xml", "application/xml-dtd", "application/xml-external-parsed-entity"}
_TEXT_XML = {"text/xml", "text/xml-external-parsed-entity"}
EXTERNAL_TYPES = (_APP_XML | _TEXT_XML) - {"application/xml", "text/xml"}
"""The media types of what has no root, and a text declaration without a version (XML 1.0 §4.3.1)."""


def as_field(content_type: object) -> str | None:
    """Return a Content-Type field as str; bytes (Scrapy) are read as ISO-8859-1, as fields are sent.

    Raises:
        TypeError: something else.
    """
    if content_type is None or isinstance(content_type, str):
        return content_type
    if isinstance(content_type, bytes):
        return content_type.decode("latin-1")
    raise TypeError(
        f"content_type must be the value of the Content-Type field, a str or bytes, or None; not "
        f"{type(content_type).__name__}"
    )


class ContentType(NamedTuple):
    """What a Content-Type field says."""

    media_type: str | None
    """"type/subtype" in lower case, or None."""
    charset: str | None
    """The label as written; "" for a charset without a name; None where there is no charset."""
    tolerances: tuple[str, ...] = ()
    """What was overlooked to read it, one sentence each."""


def parse_content_type(value: str, *, lenient: bool = False) -> ContentType:
    """Parse a field value, or its first FIELD_LIMIT characters; never raises, takes linear time.

    Args:
        value: the field's value.
        lenient: also accept misspelt parameters where no known charset is named.
    """
    value = value[:FIELD_LIMIT]
    found = _parse_as_written(value)
    if lenient and (found.charset is None or lookup(found.charset, lenient=True) is None):
        misspelt = _misspelt(value)
        if misspelt is not None:
            return found._replace(
                charset=misspelt,
                tolerances=(*found.tolerances, "the charset does not stand in a parameter charset="),
            )
    return found


def _misspelt(value: str) -> str | None:
    """The first label of a charset that can be decoded: called a charset, or standing alone."""
    segments = _SEGMENT.findall(value)
    labels = [
        match[1]
        for segment in segments
        for match in _NAMED.finditer(segment)
        if '"' not in segment[: match.start()]  # what stands in quotes is another parameter's
    ]
    labels += [match[1] for segment in segments if (match := _ALONE.fullmatch(segment))]
    for label in labels:
        charset = lookup(label, lenient=True)
        if charset is not None and not charset.refused:
            return label
    return None


def _parse_as_written(value: str) -> ContentType:
    media_type, charset = _parse_mime_type(value)
    if charset is not None and _USABLE_LABEL.fullmatch(charset):
        return ContentType(media_type, charset)
    if media_type is not None and "charset" not in value.lower():
        return ContentType(media_type, None)
    return _parse_tolerantly(value)


def classify(media_type: str | None) -> MediaClass:
    """The class of a media type (RFC 3023 §3 and §7)."""
    if media_type is None:
        return "NONE"
    if media_type in _TEXT_XML or (media_type.startswith("text/") and media_type.endswith("+xml")):
        return "TEXT-XML"
    if media_type in _APP_XML or media_type.endswith("+xml"):
        return "APP-XML"
    return "HTML" if media_type == "text/html" else "OTHER"


def _parse_mime_type(value: str) -> tuple[str | None, str | None]:
    """The algorithm of the standard, for the essence and the first charset parameter."""
    value = value.strip(HTTP_WHITE_SPACE)
    essence, semicolon, _ = value.partition(";")
    media_type = _media_type(essence)
    if media_type is None:
        return None, None
    at = len(essence) + len(semicolon)
    while at < len(value):
        name, text, at = _parameter(value, at)
        if name == "charset" and text is not None and _QUOTED_STRING.fullmatch(text):
            return media_type, text
    return media_type, None


def _media_type(essence: str) -> str | None:
    kind, _, subtype = essence.strip(HTTP_WHITE_SPACE).partition("/")
    if _TOKEN.fullmatch(kind) and _TOKEN.fullmatch(subtype):
        return f"{kind}/{subtype}".lower()
    return None


def _parameter(value: str, at: int) -> tuple[str, str | None, int]:
    """One parameter from offset `at`: its name, its value (None: it has none), where the next begins."""
    end = _find(value, ";", at)
    equals = value.find("=", at, end)
    if equals < 0:
        return value[at:end].strip(HTTP_WHITE_SPACE).lower(), None, end + 1
    name = value[at:equals].lstrip(HTTP_WHITE_SPACE).lower()
    if value.startswith('"', equals + 1):
        text, after = _quoted_string(value, equals + 1)
        return name, text, _find(value, ";", after) + 1
    return name, value[equals + 1 : end].rstrip(HTTP_WHITE_SPACE) or None, end + 1


def _find(value: str, byte: str, at: int) -> int:
    found = value.find(byte, at)
    return len(value) if found < 0 else found


_QUOTED = lazy_pattern(r'"((?:[^"\\]++|\\.)*+)(\\?)(?:"|$)', re.DOTALL)


def _quoted_string(value: str, at: int) -> tuple[str, int]:
    """Fetch §2.2 "collect an HTTP quoted string": the value without quotes and escapes, and where it ends."""
    match = _QUOTED.match(value, at)
    assert match is not None  # a quote stands at `at`, and the expression takes any rest
    return re.sub(r"\\(.)", r"\1", match[1], flags=re.DOTALL) + match[2], match.end()


def _parse_tolerantly(value: str) -> ContentType:
    media_type = charset = None
    flaws: list[str] = []
    for segment in _SEGMENT.findall(value):
        name, equals, text = segment.partition("=")
        if media_type is None and not equals:
            media_type = _media_type(segment)
        named = name.strip(HTTP_WHITE_SPACE).lower() == "charset" and text.strip(HTTP_WHITE_SPACE)
        if "\f" in text:
            continue  # white space of labels (the Encoding Standard), but not of header fields
        if charset is None and named:
            charset = _unquoted(text, flaws)
            if name != name.rstrip(HTTP_WHITE_SPACE):
                flaws.append("white space before =")
    if "," in _SEGMENT.sub("", value):  # outside quotes
        flaws.append("a comma where a semicolon belongs, or two header fields joined")
    if media_type is None:
        flaws.append("it holds no media type")
    if charset == "":
        flaws.append("the charset has no name")
    return ContentType(media_type, charset, tuple(flaws))


def _unquoted(text: str, flaws: list[str]) -> str:
    """The value without surrounding white space and one matching pair of quotes."""
    bare = text.strip(HTTP_WHITE_SPACE)
    if bare != text.rstrip(HTTP_WHITE_SPACE):
        flaws.append("white space after =")
    inner = bare
    if bare.startswith('"'):
        inner = _quoted_string(bare, 0)[0]
    elif len(bare) > 1 and bare[0] == bare[-1] == "'":
        flaws.append("single quotes around the charset")
        inner = bare[1:-1]
    if inner != inner.strip(HTTP_WHITE_SPACE):
        flaws.append("white space inside the quotes")
    return inner.strip(HTTP_WHITE_SPACE)
