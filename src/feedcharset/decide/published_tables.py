"""The decision tables, as data.

Each row: an id; the words it requires (a column that is not named does not matter); an outcome; one sentence
with the reason; the place in the specification. The first row that fits decides.

`RFC3023_RAW` and `RFC3023_HTTP` are the published algorithm ("Determining the character encoding of a
feed", rules 1.0-1.7 and 2.0-2.6, as in ROME's XmlReader), read against RFC 3023 and XML 1.0. Rows of UTF-32
extend it and follow those of UTF-16. `RFC7303` holds the rules of the RFC that replaced RFC 3023 in 2014.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

Policy = Literal["rfc3023", "rfc7303"]

Outcome = Literal[
    "UTF-8",
    "US-ASCII",
    "the BOM",
    "the guess",
    "the declared",
    "the charset",
    "the raw rules",
    "EncodingConflict",
    "NotXmlMediaType",
]


class Row(NamedTuple):
    """One row of a table."""

    id: str
    when: Mapping[str, tuple[str, ...]]
    then: Outcome
    why: str
    spec: str


XML = ("APP-XML", "TEXT-XML")
NOT_XML = ("HTML", "OTHER", "NONE")

_XML_F1 = "XML 1.0 Appendix F.1"
_XML_433 = "XML 1.0 §4.3.3"
_RFC3023_32 = "RFC 3023 §3.2"
_RFC3023_4 = "RFC 3023 §4"

# fmt: off
RFC3023_RAW: tuple[Row, ...] = (
    Row("1.0", {"bom": ("none",), "declared": ("none",)}, "UTF-8",
        "without a BOM and a declared encoding, XML is UTF-8", _XML_433),
    Row("1.1", {"bom": ("none",), "declared": ("generic",)}, "the guess",
        "the declaration names UTF-16 or UTF-32, the first bytes give the byte order", _XML_F1),
    Row("1.2", {"bom": ("none",), "declared": ("other",)}, "the declared",
        "without a BOM the declaration decides", _XML_433),
    Row("1.3", {"bom": ("UTF-8",), "guess": ("contradicts",)}, "EncodingConflict",
        "the BOM says UTF-8, the first bytes after it say otherwise", _XML_F1),
    Row("1.4", {"bom": ("UTF-8",), "declared": ("contradicts",)}, "EncodingConflict",
        "the BOM says UTF-8, the declaration names another encoding", _XML_433),
    Row("1.4-ok", {"bom": ("UTF-8",)}, "the BOM",
        "the BOM says UTF-8 and nothing contradicts it", _XML_F1),
    Row("1.5", {"bom": ("UTF-16",), "guess": ("contradicts",)}, "EncodingConflict",
        "the BOM says UTF-16, the first bytes after it say otherwise", _XML_F1),
    Row("1.6", {"bom": ("UTF-16",), "declared": ("contradicts",)}, "EncodingConflict",
        "the BOM says UTF-16, the declaration names another encoding or the other order", _XML_433),
    Row("1.6-ok", {"bom": ("UTF-16",)}, "the BOM",
        "the BOM says UTF-16, in its order, and nothing contradicts it", _XML_433),
    Row("1.7-guess", {"bom": ("UTF-32",), "guess": ("contradicts",)}, "EncodingConflict",
        "the BOM says UTF-32, the first bytes after it say otherwise", _XML_F1),
    Row("1.7-declared", {"bom": ("UTF-32",), "declared": ("contradicts",)}, "EncodingConflict",
        "the BOM says UTF-32, the declaration names another encoding or the other order", _XML_433),
    Row("1.7-ok", {"bom": ("UTF-32",)}, "the BOM",
        "the BOM says UTF-32, in its order, and nothing contradicts it", _XML_F1),
)

RFC3023_HTTP: tuple[Row, ...] = (
    Row("2.0", {"media": ("APP-XML",), "charset": ("none",)}, "the raw rules",
        "application/xml and its kin without a charset: the document itself decides", _RFC3023_32),
    Row("2.1", {"media": ("TEXT-XML",), "charset": ("none",)}, "US-ASCII",
        "text/xml without a charset is US-ASCII, whatever the document declares", "RFC 3023 §3.1"),
    Row("2.2", {"media": XML, "charset": ("UTF-16BE/LE",), "bom": ("UTF-8", "UTF-16", "UTF-32")},
        "EncodingConflict", "charset UTF-16BE or UTF-16LE forbids a BOM, and there is one", _RFC3023_4),
    Row("2.2-32", {"media": XML, "charset": ("UTF-32BE/LE",), "bom": ("UTF-8", "UTF-16", "UTF-32")},
        "EncodingConflict", "charset UTF-32BE or UTF-32LE forbids a BOM, and there is one", _RFC3023_4),
    Row("2.3", {"media": XML, "charset": ("UTF-16",), "bom": ("UTF-16",)}, "the BOM",
        "charset UTF-16: the BOM says in which order", _RFC3023_4),
    Row("2.3-32", {"media": XML, "charset": ("UTF-32",), "bom": ("UTF-32",)}, "the BOM",
        "charset UTF-32: the BOM says in which order", _RFC3023_4),
    Row("2.4", {"media": XML, "charset": ("UTF-16",), "bom": ("none", "UTF-8", "UTF-32")},
        "EncodingConflict", "charset UTF-16 demands a BOM of UTF-16, and there is none", _RFC3023_4),
    Row("2.4-32", {"media": XML, "charset": ("UTF-32",), "bom": ("none", "UTF-8", "UTF-16")},
        "EncodingConflict", "charset UTF-32 demands a BOM of UTF-32, and there is none", _RFC3023_4),
    Row("2.5", {"media": XML}, "the charset",
        "the charset parameter is authoritative", _RFC3023_32),
    Row("2.6", {"media": NOT_XML}, "NotXmlMediaType",
        "the media type is not an XML media type, or there is none", "RFC 3023 §3"),
)

_RFC7303_3 = "RFC 7303 §3"
_RFC7303_33 = "RFC 7303 §3.3"

RFC7303: tuple[Row, ...] = (
    Row("3.9", {"transport": ("http",), "media": NOT_XML}, "NotXmlMediaType",
        "the media type is not an XML media type, or there is none", _RFC7303_3),
    Row("3.0", {"bom": ("UTF-8", "UTF-16", "UTF-32")}, "the BOM",
        "a BOM is authoritative, whatever the charset and the declaration say", _RFC7303_33),
    Row("3.1", {"charset": ("UTF-16",), "guess": ("UTF-16",)}, "the guess",
        "charset UTF-16 without a BOM: the first bytes give the byte order", _RFC7303_33),
    Row("3.1-32", {"charset": ("UTF-32",), "guess": ("UTF-32",)}, "the guess",
        "charset UTF-32 without a BOM: the first bytes give the byte order", _RFC7303_33),
    Row("3.2", {"charset": ("UTF-16", "UTF-32")}, "EncodingConflict",
        "charset UTF-16 or UTF-32, and neither a BOM nor the first bytes give the byte order", _RFC7303_33),
    Row("3.3", {"charset": ("UTF-16BE/LE", "UTF-32BE/LE", "other")}, "the charset",
        "without a BOM the charset parameter is authoritative", _RFC7303_3),
    Row("3.4", {"declared": ("generic",)}, "the guess",
        "the declaration names UTF-16 or UTF-32, the first bytes give the byte order", _XML_F1),
    Row("3.5", {"declared": ("other",)}, "the declared",
        "without a BOM and a charset the declaration decides", _XML_433),
    Row("3.6", {"declared": ("none",)}, "UTF-8",
        "without a BOM, a charset and a declared encoding, XML is UTF-8", _XML_433),
)

# fmt: on
POLICIES = ("rfc3023", "rfc7303")
