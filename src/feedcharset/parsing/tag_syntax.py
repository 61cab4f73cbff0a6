"""Tags outside of the grammar of XML 1.0 §3.1, and what they are read as; elements: names, prefixes, ends.

The attributes of HTML are read: without quotation marks, without a value, without white space between them,
with `<` in the value, without one of the quotation marks, or twice. The `&` is left to `references`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from feedcharset.charsets import lazy_pattern
from feedcharset.text.xml_text import ATTRIBUTE, NAME_START, XML_NAME, XML_SPACE

_HTML = """a abbr b big blockquote body br center cite code dd div dl dt em font form h1 h2 h3 h4 h5 h6 head
    hr html i iframe img input ins kbd li link meta nobr noscript ol p pre q s samp script small span strike
    strong style sub sup table tbody td th thead title tr tt u ul var"""
HTML = frozenset(_HTML.split())
"""Elements of HTML that messages and pages consist of."""

_OTHERS_OF_HTML = """acronym address applet area article aside base basefont bdi bdo bgsound blink canvas
    caption col colgroup data datalist del dfn dir embed figcaption figure footer frame
    frameset header hgroup keygen label legend main map mark marquee menu meter nav
    noframes object output param picture plaintext progress rp rt ruby search section slot
    source spacer summary svg template time track wbr xmp"""
_FLAGGED = """audio button details dialog fieldset optgroup option select textarea video"""
_MAY_HAVE_FLAGS = HTML.union(_FLAGGED.split())
"""Elements of HTML whose attributes may all be without values."""

_ALL_HTML = _MAY_HAVE_FLAGS.union(_OTHERS_OF_HTML.split())

FEED_ROOTS = frozenset(("rss", "feed", "rdf"))
"""The local names of the roots of feeds, in lower case."""

LIST_ROOTS = frozenset(("opml", "urlset", "sitemapindex"))
"""Those of lists of feeds, and of sitemaps."""

ITEMS = frozenset(("item", "entry", "outline", "url", "sitemap"))
"""Elements that go on with a document behind an end of its root, as `channel` does; the first of them is the
root where that has lost its start tag."""

ITEMS_DEPTH = 3
"""The items of a feed are the second or the third element from the root on; they are never in items, so there
an item that has no end tag of its own ends before the next."""

ROOTS = FEED_ROOTS | LIST_ROOTS
"""The roots that have them."""

LOST_ENDS = ROOTS | {"channel", "rdf:RDF"}
"""End tags that show that a document whose root is none of these has lost its start tags."""

WITHOUT_TEXT = ROOTS | ITEMS | {"channel", "image", "textinput", "items", "head", "body"}
"""Elements, by local names in lower case, between whose elements there is no text."""

_OPENED = ITEMS - {"outline"} | {"channel"}
"""Elements that are never empty: a `/` at the end of their tags stands for the `>`."""

_LINKS = ("a", "A")
"""Elements that are never empty, in which a value without quotation marks is an address."""

_TEXT_NAMES = """category changefreq comments content copyright created creator date description enclosure
    encoded generator guid id issued lastmod link loc modified name priority pubdate published rights subject
    subtitle summary tagline title updated uri"""
NEVER_NESTED = frozenset(_TEXT_NAMES.split())
"""Elements of feeds, by local names in lower case, in which there is only text: the second `<title>` in
`<title>News<title>` is meant to be an end tag."""

_OF_MODULES = """chapters credit duration explicit keywords person player rating thumbnail transcript"""
_OF_IMAGES = """description height link name title url width"""
HOLD_SOME = {
    **dict.fromkeys(_OF_MODULES.split(), frozenset[str]()),
    **dict.fromkeys(("author", "contributor"), frozenset(("email", "name", "uri", "url"))),
    **dict.fromkeys(("image", "textinput"), frozenset(_OF_IMAGES.split())),
    "url": frozenset(("changefreq", "lastmod", "loc", "priority")),
}
"""Elements of feeds, by local names in lower case, that hold no others, or some with their prefix; which."""

HOLD_ALL = WITHOUT_TEXT.union(["georss:where"]) - HOLD_SOME.keys()
"""Those that hold any (one by its name with the prefix); others with a prefix hold any with the same."""

_OTHER_NAMES = """author body channel contributor entry head image item items outline source textinput url"""
_NAMES_IN_FEEDS = NEVER_NESTED.union(_OTHER_NAMES.split())
"""Elements of feeds, of lists of feeds and of sitemaps, in lower case."""

_OTHER_FIELDS = """cloud docs email height icon info language lastbuilddate logo managingeditor rating
    skipdays skiphours ttl webmaster width"""
FIELDS = frozenset(_OTHER_FIELDS.split())
"""Others of these, by whose start tags a text without its end tag ends; in texts they may be words."""

_SPELT_NAMES = ("item", "entry", *sorted(_NAMES_IN_FEEDS - {"pubdate", "textinput"}), "pubDate", "textInput")
"""These, as feeds write them."""

_NAMES_IN_MODULES = (*_SPELT_NAMES, *_OF_MODULES.split())
"""Those behind a prefix."""
_LOWER_NAMES = frozenset(map(str.lower, _NAMES_IN_MODULES))

VOID = frozenset(["br", "hr", "img", "input", "wbr", "BR", "HR", "IMG", "INPUT", "WBR"])
"""Elements that HTML never closes; others of them, as `link` and `source`, are elements of feeds, too."""

ENDED = frozenset(
    ["p", "li", "dt", "dd", "tr", "td", "th", "option", "item", "entry", "url", "sitemap", "trkpt"]
)
"""Elements that the next one of their name ends: in HTML (HTML Living Standard §13.1.2.4), and in feeds and
other lists, where items are never in items."""

NAMESPACES = {
    "a10": "http://www.w3.org/2005/Atom",
    "admin": "http://webns.net/mvcb/",
    "app": "http://www.w3.org/2007/app",
    "atom": "http://www.w3.org/2005/Atom",
    "atom10": "http://www.w3.org/2005/Atom",
    "cc": "http://web.resource.org/cc/",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "creativeCommons": "http://backend.userland.com/creativeCommonsRssModule",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "excerpt": "http://wordpress.org/export/1.2/excerpt/",
    "feedburner": "http://rssnamespace.org/feedburner/ext/1.0",
    "fh": "http://purl.org/syndication/history/1.0",
    "gd": "http://schemas.google.com/g/2005",
    "geo": "http://www.w3.org/2003/01/geo/wgs84_pos#",
    "georss": "http://www.georss.org/georss",
    "gml": "http://www.opengis.net/gml",
    "googleplay": "http://www.google.com/schemas/play-podcasts/1.0",
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "media": "http://search.yahoo.com/mrss/",
    "openSearch": "http://a9.com/-/spec/opensearch/1.1/",
    "opensearch": "http://a9.com/-/spec/opensearch/1.1/",
    "pingback": "http://madskills.com/public/xml/rss/module/pingback/",
    "podcast": "https://podcastindex.org/namespace/1.0",
    "prism": "http://prismstandard.org/namespaces/basic/2.0/",
    "psc": "http://podlove.org/simple-chapters",
    "rawvoice": "https://blubrry.com/developer/rawvoice-rss/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "slash": "http://purl.org/rss/1.0/modules/slash/",
    "sy": "http://purl.org/rss/1.0/modules/syndication/",
    "taxo": "http://purl.org/rss/1.0/modules/taxonomy/",
    "thr": "http://purl.org/syndication/thread/1.0",
    "trackback": "http://madskills.com/public/xml/rss/module/trackback/",
    "wfw": "http://wellformedweb.org/CommentAPI/",
    "wp": "http://wordpress.org/export/1.2/",
    "xhtml": "http://www.w3.org/1999/xhtml",
    "xlink": "http://www.w3.org/1999/xlink",
    "yt": "http://www.youtube.com/xml/schemas/2015",
}
"""The prefixes of the modules of feeds, as their specifications write them, and what they mean."""

WINDOW = 4096
"""Characters in which the end of a tag outside of the grammar is searched: tags of HTML have 100, and
addresses in them up to 2,000."""

_REST_OF_NAME = XML_NAME.partition("]")[2].replace(r"\ufffd", r"\ufffc")
TAG_NAME = (
    rf"[{NAME_START}]{_REST_OF_NAME}"
    rf"(?:\ufffd++(?={_REST_OF_NAME}(?<!\ufffd)(?!{XML_SPACE}*+=)){_REST_OF_NAME})*+"
)
"""A name in a tag. U+FFFD, which stands for what was no character, ends it before an attribute, and where
nothing of a name follows."""

_IN_ANGLES = lazy_pattern(r"(?a:[A-Za-z][\w.-]*+)(?<!-)|[^\W\d_a-zA-Z][^\WA-Za-z]*+")
"""A name that may be a word in angle brackets."""

_RUN_BEGINS = f"(?<!{XML_SPACE})"
"""Not within white space: to search from each character of a run to its end would take quadratic time."""

_ATTRIBUTE_NAMES = lazy_pattern(_RUN_BEGINS + ATTRIBUTE.replace(XML_NAME, f"({XML_NAME})", 1))
_ELEMENT_NAME = lazy_pattern(TAG_NAME)
BEGINS_TAG = lazy_pattern(f"<{TAG_NAME}")
_TAG_SPACES = " \t\r\n\x85\xa0\xad\u2000-\u200b\u2028\u2029\u202f\u2060\u3000\ufeff\ufffd"
"""White space in a tag, also that of word processors, pages and programs."""
_NEXT_PART = lazy_pattern(
    rf"(?:[{_TAG_SPACES}]|/(?![^\w<>]{{0,2}}>))*+(?:(/[^\w<>]{{0,2}}>|>)"
    rf"|([^{_TAG_SPACES}=<>/\"']++)(?:[/\"'](?=[{_TAG_SPACES}]*+=))?+((?:[{_TAG_SPACES}]*+=)++[{_TAG_SPACES}]*+)?+"
    r"|(=|\"[^\s=<>\"']*+\"|'[^\s=<>\"']*+'|[\"']))?+"
)
"""What follows in a tag: its end, also with signs behind the `/`; an attribute up to its value, a sign before
the `=`, and that or several; a character or a quoted word without meaning."""
_ODD_QUOTED = lazy_pattern(
    rf"""(?:(["'])\1(?![{_TAG_SPACES}/>])(?P<doubled>[^"'<>]*+)(?<!=)(?<!= )\1\1?+"""
    r"""|\\(["'])(?P<escaped>(?:[^"'<>\\]|\\(?!["']))*+)\\\3"""
    r"""|[“”„‘’‚«»](?P<typographic>[^“”„‘’‚«»"'<>]*+)[“”‘’«»]"""
    r"""|(?:[^\w\s<>"'=]{1,2}+|&#?+\w++;)(["'])(?P<signed>[^"'<>]*+)\6|(?P<swapped>\w(["'])[^"'<>]*+)\9"""
    r"""|'"(?P<single>[^"'<>]*+)"(?![^'<>]*+')|"'(?P<double>[^"'<>]*+)'(?![^"<>]*+"))"""
    rf"(?![^{_TAG_SPACES}/>\\])"
)
"""A value in two quotation marks before it, or on either side, in escaped (of JSON and PHP) or typographic
ones, with another sign before them, or its first letter, or a quotation mark of the other kind alone."""
_OUTSIDE_NAMES = lazy_pattern(r"[^\w.:-]++")
_QUOTED_WITHIN = lazy_pattern(
    r"""(["'])(?=[^\s/<>="'])(?:(?:(?:(?!\1)[^=<>])*+\1){2}|[^\s=<>"']++\1(?=[\s/>]))++"""
)
"""From a quotation mark within a value to that at its end: they are pairs, and no attribute follows one; or
one is too many."""
_ENDS_NAME = lazy_pattern(
    rf"""[ \t\r\n/>"']|[{_TAG_SPACES}]++"""
    rf"""(?:/?+>|{TAG_NAME}[^\w<>=]{{0,3}}+=[{_TAG_SPACES}=]*+[^\w\s<>"'“”„‘’‚«»]{{0,2}}+["'“”„‘’‚«»])"""
)
"""A no-break space does so only before the `>` or an attribute with a value in quotation marks: `T<Tc` is
text."""
_VALUE_WITHOUT_EQUALS = lazy_pattern(
    rf"""{XML_SPACE}*+(?:'(?=")|"(?='))?+(?=(["'])(?!{TAG_NAME}{XML_SPACE}*+={XML_SPACE}*+["'])[^<>"']*+\1)"""
)
"""White space, or the other quotation mark, before a value that follows a name without the `=`; no odd
quotation mark in a name."""
_QUOTED_NEXT = lazy_pattern(r"""(?=(["'])(?!\s)[^=<>"']*+\1[\s/>])""")
"""The same directly behind the name, in tags that may be text."""
_BARE = lazy_pattern(
    r"""(?:[^ \t\r\n<>"'/]|/(?!>)|(?<![\s=])'(?![A-Za-z][-.:\w]*+=)(?=[^\s/>"]))*+"""
    r"""(?:(?P<unopened>(?:[ \t\r\n]++[^=<>"'\s]++)*+)["'](?=[\s/>]))?+"""
)
"""A value without quotation marks, or without the first one: `it's`, `f('x')`."""
ANGLE = lazy_pattern("[<>]")
_TEXT_UP_TO_ANGLE = lazy_pattern(
    r"""(?<=["'])(?=[^=<>]*+(?<!["'/])>)(?![^<>]*?\s(?:async|checked|crossorigin|defer|disabled|hidden|selected)\b)"""
    r"(?:[^<>&]*&|\w[^\s<>]*\s|\s+\w[^\s<>]*\s+[^\s<>]*\w)"
    r"""|(?<=["'])[^\s=<>&"'/][^=<>&"']*+&lt;"""
)
"""Behind a value, words up to a `>` that are no attributes without values: an `&`, a word directly behind the
quotation mark and not before the `>`, or several; or such a word before a `<` that is escaped. Then the `>`
of the tag is lost."""
_NEXT_ATTRIBUTE = lazy_pattern(
    rf"{_RUN_BEGINS}{XML_SPACE}++[A-Za-z][-.:\w]*+{XML_SPACE}*+=(?={XML_SPACE}*+[\"'])"
)
_NEXT_TAG = lazy_pattern(
    rf"\ufffd*+((?:&(?![\w#])|[^\w\s<>@&(\[{{])?+){XML_SPACE}*+([^<>]*+)<(?:/({TAG_NAME})|([!{NAME_START}]))?+"
)
"""What follows a name: a sign that stands for the `>`, text, an end tag or other markup."""
_OPENS_NEXT = lazy_pattern(rf"{XML_SPACE}[A-Za-z][-.:\w]*+{XML_SPACE}*+={XML_SPACE}*+\Z")

_PART_OF_VALUE = rf"""={XML_SPACE}*+(?:"[^"<]*+|'[^'<]*+)?+"""
_PART_OF_ATTRIBUTE = rf"(?<={XML_SPACE}){TAG_NAME}{XML_SPACE}*+(?:{_PART_OF_VALUE})?+"
PART_OF_TAG = lazy_pattern(
    rf"</?(?:{TAG_NAME}(?:{ATTRIBUTE})*+{XML_SPACE}*+(?:{_PART_OF_ATTRIBUTE})?+/?+\ufffd*+)?+"
)
"""The part of a tag that is within the grammar, and what could not be read behind it."""

CUT_ATTRIBUTE = lazy_pattern(rf"{XML_SPACE}++{TAG_NAME}{XML_SPACE}*+")
"""The name of an attribute at which the document ends."""

END_TAG = lazy_pattern(rf"</([{NAME_START}][^ \t\r\n<>/]*+)")
ITEM_ENDS = lazy_pattern(r"</((?:[^<>/:]++:)?+(?:item|entry|url|sitemap))>\Z")
LEFT_OF_TAG = lazy_pattern(
    rf"{XML_SPACE}*+(?:&lt;|[^\w\s<>/!?&;])?+({TAG_NAME})(?:{ATTRIBUTE})*+{XML_SPACE}*+>"
)
"""A start tag that has lost its `<`, or has another sign there."""
ODD_START_TAG = lazy_pattern(
    rf"<[^A-Za-z<>/!?&]{{1,2}}+({TAG_NAME})(?P<valued>{ATTRIBUTE})*+{XML_SPACE}*+(/?+)>"
)
"""A start tag with white space, a sign or a digit before its name."""
SPLIT_NAME = lazy_pattern(
    r"<([A-Za-z][\w.-]{0,15}+:[A-Za-z]{0,9}+|[A-Za-z]{1,9}+)[^\w<>]([A-Za-z]{1,9}+)"
    rf"((?:{ATTRIBUTE})*+{XML_SPACE}*+>)"
)
"""A start tag with a sign or white space in its name, or behind its prefix."""
IN_END_TAG = lazy_pattern(
    rf"""[^\s<>]*+(?:{XML_SPACE}++[^\s=<>"']++{XML_SPACE}*+={XML_SPACE}*+(?:"[^"]*+"|'[^']*+'|[^\s<>"']++))*+[^\w<>]*+"""
)
"""What is dropped in an end tag: the rest of a damaged name, attributes. Other words are text behind it."""
ODD_END_TAG = lazy_pattern(rf"<(?=[^\w<>]?[/\\])[^\w\n<>&;:]{{1,3}}+({TAG_NAME}){XML_SPACE}*+(?:>|&gt;?+)")
"""An end tag with another sign or white space before the name, a `\\` in place of its `/`, or `&gt;` of its
`>`; where no such element is open it is text, as in `a <\\n`."""
NO_MARKUP = lazy_pattern(rf"<|[^{NAME_START}!?/\\][^/\\]")
"""What is behind a `<` that begins neither this nor other markup."""
END_OUTSIDE_GRAMMAR = lazy_pattern(rf"</({TAG_NAME})?+([^<>]*+)(>?+)")

BEHIND_ROOT = lazy_pattern(
    rf"""(?P<opener><!--|<!\[CDATA\[|<\?(?!xml)(?=[{NAME_START}])) | <(?P<end>/?)(?P<name>{TAG_NAME})
       | <(?P<document>\?xml|!DOCTYPE)""",
    re.VERBOSE,
)

DECLARATION_BEHIND = lazy_pattern(rf"{XML_SPACE}*+<\?xml{XML_SPACE}[^<>?]*+\?>")
"""The XML declaration of another document, behind the root: libxml2 takes it for an instruction."""

WHOLE_INSTRUCTION = lazy_pattern(rf"<\?(?!xml[ \t\r\n?:]){XML_NAME}(?=[ \t\r\n]|\?>)")
"""How an instruction begins in content. Behind any other one libxml2 reads references to declared entities as
nothing. Word writes `<?xml:namespace ... />`, which ends at its `>`."""
SGML_INSTRUCTION = lazy_pattern(r"<\?[^<>]*+>")

BEGINS_SECTION = lazy_pattern(rf"<(?:!--|!\[CDATA\[|\?[{NAME_START}][^ \t\r\n<>?]{{0,10}}+)")

COMMENTED_TAG = lazy_pattern(rf"<!--{XML_SPACE}*+<[{NAME_START}]")
"""How a comment begins that was put around elements."""

_COMMENT_STOP = lazy_pattern(rf"--?+!?+{XML_SPACE}?+>|(?=<(?:/?+[{NAME_START}]|!--|!\[CDATA\[))")
"""Where a comment ends that has lost its end. In HTML `<!-->` and `<!--->` are comments, `--!>` is an end."""

_LEFT_OF_END = lazy_pattern(rf"\](?:\]?+{XML_SPACE}*+>|\]){XML_SPACE}*+\Z")
"""What is left of the end of a CDATA section, directly before a tag."""

_END_OR_ITEM = lazy_pattern(rf"</([{NAME_START}][^ \t\r\n<>/]*+)|<(?:item|entry)[ \t\r\n>]")

CUT_MARKUP = lazy_pattern(rf"<(?:\ufffd|/{XML_SPACE}*+|!(?:-|\[[CDAT]{{0,5}}+)?+|\?[^<>]*+)?+\Z")
"""How markup is cut off at the end of a document, also within a character."""


def is_whole_section(token: str) -> bool:
    """Return whether this is a section, and needs no repair but for an end."""
    if token.startswith("<!--"):
        return token.find("<!--", len("<!--"), -len("->")) < 0 and not is_odd_comment(token)
    return WHOLE_INSTRUCTION.match(token) is not None or token.startswith("<![CDATA[")


def is_odd_comment(section: str) -> bool:
    """Return True for a comment with a hyphen before its end."""
    return section.endswith("--->", len("<!--"))


def cut_comment(text: str, start: int, reach: int, *, cut: bool = False) -> tuple[int, str]:
    """Return the index after a comment that has lost its end, and the comment with an end: it ends at what is
    left of the `-->`, or before the next tag, comment or CDATA section, or at `reach`. Where the document was
    cut off in it, that and what follows is dropped."""
    begin = start + len("<!--")
    stop = _COMMENT_STOP.search(text, start + len("<!"), reach)
    comment = text[begin : stop.start() if stop else reach]
    hyphen = " " * comment.endswith("-")
    lines = "\n" * stop[0].count("\n") if stop else ""
    end = stop.end() if stop and not cut else min(reach, len(text))
    return end, f"<!--{comment}{hyphen}{lines}-->"


def cut_section(text: str, start: int, stop: int, names: list[str]) -> tuple[int, str] | None:
    """Return the index after a CDATA section or an instruction that has lost its end, and it with an end. It
    ends before the first end tag of an open element, in one without text before the first item; None: not
    before `stop`. `names` are those of the open elements, the innermost first."""
    found = {*names, None} if local_name(names[0]) in WITHOUT_TEXT else set(names)
    for tag in _END_OR_ITEM.finditer(text, start, stop):
        if tag[1] in found:
            return tag.start(), ended_section(text[start : tag.start()])
    return None


def ended_section(section: str, *, cut: bool = False) -> str:
    """Return a CDATA section or an instruction that has lost its end with an end, without what is left of
    it; where the document ends in a CDATA section, without what its end begins with."""
    if section.startswith("<?"):
        return f"{section}?>"
    left = _LEFT_OF_END.search(section, len("<![CDATA["))
    if cut:
        return f"{section[: left.start()] if left else section.removesuffix(']')}]]>"
    return f"{section[: left.start()]}{chr(10) * left[0].count(chr(10))}]]>" if left else f"{section}]]>"


def is_sign(rest: str) -> bool:
    """Return whether this is a character that stands for the `>` of an end tag, or could not be read."""
    rest = rest.strip()
    sign = rest.strip("\ufffd")
    return rest != "" and (not sign or (len(rest) == 1 and rest.isascii() and not rest.isalnum()))


def tag_name(tag: str) -> str:
    """Return the name in a start tag within the grammar."""
    return tag[1 : -2 if tag[-2] == "/" else -1].split(None, 1)[0]


def bound_prefixes(tag: str, bound: frozenset[str]) -> tuple[frozenset[str], list[str]]:
    """Return the prefixes of `NAMESPACES` that are bound in an element, and those of them which only their
    meaning binds. Others are not kept: a document may bind thousands, and use each in as many elements. The
    prefixes in the start tag count (Namespaces in XML 1.0 §3), and `bound`, those around the element."""
    if tag.count(":") <= tag.count("://"):  # an address
        return bound, []
    names = (tag_name(tag), *_ATTRIBUTE_NAMES.findall(tag))
    found = {name.removeprefix("xmlns:") for name in names if name.startswith("xmlns:")}
    # Each is searched for in the tag, which may have 100,000 others.
    declared = {name for name in NAMESPACES.keys() & found if f' xmlns:{name}=""' not in tag}
    used = {name.partition(":")[0] for name in names if ":" in name}
    missing = NAMESPACES.keys() & used - bound - declared
    new = (NAMESPACES.keys() & declared - bound) | missing
    return bound | new if new else bound, sorted(missing)


def distinct(tag: str) -> str:
    """Return a tag within the grammar without the attributes that it has already (§3.1 WFC: Unique Att Spec):
    behind this error libxml2 reads references to declared entities as nothing."""
    if tag.count("=") < 2:
        return tag
    names = set()

    def first_only(attribute: re.Match[str]) -> str:
        if attribute[1] in names:
            return "\n" * attribute[0].count("\n")
        names.add(attribute[1])
        return attribute[0]

    return _ATTRIBUTE_NAMES.sub(first_only, tag)


class StartTag(NamedTuple):
    """A start tag outside of the grammar."""

    end: int
    """The index after it."""
    name: str
    empty: bool
    """It ends with `/>`."""
    spelt: str
    """The tag within the grammar."""


def read_start_tag(
    text: str,
    start: int,
    stop: int,
    inner: str | None = None,
    has_end: Callable[[str, int], bool] = lambda name, index: False,
) -> StartTag | None:
    """Return the start tag at `start`; None where what is there is text.

    Args:
        start: the index of a `<` with a character after it that begins a name.
        stop: what is behind this index is not looked at.
        inner: the name of the open element. "": none is open, so a `<` and a name are a tag, whatever
            follows, even the next `<`. None: it is not known.
        has_end: returns whether the end tag of an element follows an index.
    """
    found_name = _ELEMENT_NAME.match(text, start + 1)
    assert found_name
    name, behind = found_name[0], found_name.end()
    is_root, is_among = inner == "", local_name(inner or "") in WITHOUT_TEXT
    is_known = is_of_feeds if is_among else ROOTS.__contains__
    if text.startswith("=", behind) and (is_root or is_among) and not is_known(name):
        # `<outlinetitle="x">`: the space is lost, or has become a letter.
        sizes = range(min(len(name), LONGEST_OF_FEEDS), 0, -1)
        name = next((name[:size] for size in sizes if is_known(name[:size])), name)
        behind = start + 1 + len(name)
        while text[behind] > "\x7f":
            behind += 1
    is_expected = is_among and is_of_feeds(name)
    is_address = name.endswith(":") and text.startswith("//", behind)
    is_cut = _ENDS_NAME.match(text, behind) is not None
    if not is_root and (is_address or not (is_cut or (is_expected and not text.startswith("@", behind)))):
        return None  # <joe@example.org>, <http://example.org/?a=b>, x<y<z
    attributes = _Attributes(text, name, behind, stop, has_end, is_root=is_root, is_expected=is_expected)
    is_html = name.lower() in _MAY_HAVE_FLAGS
    found, end = attributes.found, attributes.end
    begun, count = attributes.run
    empty = attributes.empty
    is_lost = is_expected and count > 0 and attributes.closed and is_text(name)
    is_lost = is_lost and _TEXT_UP_TO_ANGLE.match(text, begun, end) is not None
    is_lost = is_lost and text.startswith(f"</{name}", text.find("</", end, stop))  # its end tag
    if is_lost or (not attributes.closed and (count or not (is_root and text.startswith("<", end)))):
        empty = text[begun:end].strip() == "/" and not is_root and local_name(name) not in _OPENED
        end = begun if text[begun:end].strip(" \t\r\n/") else end  # what follows is text
        if not count:
            return None
        found = dict(list(found.items())[:count])
    elif not (is_root or attributes.valued or is_expected):
        may_be_code = "&" in text[start:end] or (len(name) == 1 and found)  # `a<b && b>c`, `x <b or c> y`
        may_be_code = may_be_code and name not in VOID | ENDED and not has_end(name, end)
        if may_be_code or (found and not is_html):
            return None  # text after a `<`
    written = "".join(f" {key}={value}" for key, value in found.items())
    lines = "\n" * (text.count("\n", start, end) - written.count("\n"))
    spelt = f"<{name}{written}{lines}{'/' if empty else ''}>"
    return StartTag(end, name, empty, spelt)


def read_bare_name(
    text: str,
    start: int,
    stop: int,
    inner: str,
    before: str,
    count_to: Callable[[str], int],
    has_end: Callable[[str, int], bool],
) -> StartTag | None:
    """Return the start tag at `start` which has neither attributes nor a `>`: `<item<title>`, `<b/<c>`, or
    `<titleNews</title>`; None where what is there is text.

    Args:
        start, stop, inner: as of `read_start_tag`.
        before: the character before the `<`.
        count_to: returns how many elements there are up to the open one of a name; 0: none is open.
        has_end: returns whether the next tag of a name, from an index on, is the end of no open element.
    """
    name = _ELEMENT_NAME.match(text, start + 1)
    assert name
    following = _NEXT_TAG.match(text, name.end(), stop)
    if following is None:
        return None
    sign, words, ended, begun = following.groups()
    is_expected = is_of_feeds(name[0]) and local_name(inner) in WITHOUT_TEXT
    # Between other markup it is no text; `x<y<b>` and `x <y <b>` are, where no `</y>` follows.
    is_between = before == ">" or (before in " \t\n" and text[name.end()] in "<\n")
    is_begun = begun and not (sign or words)
    is_begun = is_begun and (is_between or is_of_feeds(name[0]) or has_end(name[0], name.end()))
    tag = name[0]
    if ended is not None and tag.startswith(ended) and not count_to(ended):
        tag = ended
    elif not is_expected and (words or not (is_begun or sign == "/")):
        return None
    empty = sign == "/" and not words and local_name(tag) not in _OPENED
    end = following.end(1) if tag == name[0] else start + 1 + len(tag)
    return StartTag(end, tag, empty, f"<{tag}{'/' * empty}>")


LONGEST_OF_FEEDS = 40
"""Characters of a name, with its prefix, before an attribute whose space is lost. Those of feeds have 11
without a prefix; one of any length would be tried at each of its letters."""


def is_of_feeds(name: str) -> bool:
    """Return whether elements of this name are in feeds, which may have a prefix of any name."""
    prefix, _, local = name.partition(":")
    return prefix in NAMESPACES or (local if prefix and local else name).lower() in _NAMES_IN_FEEDS


def is_text(name: str) -> bool:
    """Return whether there is only text in elements of this name."""
    return local_name(name) in NEVER_NESTED and name != "media:content"


def may_be_word(tag: str) -> bool:
    """Return whether a start tag within the grammar may be a word in a text: `Enter <username>`. A name with
    letters of a to z and others is a damaged one."""
    name = tag[1:-1].rstrip(" \t\r\n")
    if not _IN_ANGLES.fullmatch(name):
        return False
    return not (name.lower() in _ALL_HTML or is_of_feeds(name))


def is_resource(name: str) -> bool:
    """Return whether an element is of RDF, or one of its resources: these begin with a capital."""
    prefix, _, local = name.rpartition(":")
    return prefix == "rdf" or (prefix != "" and local[:1].isupper())


class _Attributes:
    """The attributes of a tag, read as HTML's."""

    def __init__(
        self,
        text: str,
        name: str,
        start: int,
        stop: int,
        has_end: Callable[[str, int], bool],
        *,
        is_root: bool,
        is_expected: bool,
    ) -> None:
        self._text = text
        self._name = name
        self._has_end = has_end
        self._is_root = is_root
        self._is_expected = is_expected
        """This is no text, so a value may follow a name without the `=`."""
        self._stop = min(stop, len(text))
        self._angle = -1
        """The next `<` or `>`, or the end."""
        self.found: dict[str, str] = {}
        """Their values within the grammar, in quotation marks."""
        self.valued = False
        """An attribute has a value."""
        self.run = start, 0
        """The index after the attributes behind the name that all have values, and how many these are."""
        self._in_run = True
        self.empty = False
        self.closed = False
        """There is a `>`, or the text ends in a value."""
        self.end = start
        while self._next():
            pass

    def _next(self) -> bool:
        """Read what follows; return False at the end of the tag."""
        part = _NEXT_PART.match(self._text, self.end, self._stop)
        assert part  # all of it is optional
        self.end = part.end()
        end, key, equals, other = part.groups()
        if end is not None:
            self.closed, self.empty = True, end != ">"
        elif key is not None:
            if equals is None:
                if self._is_expected or self._is_root:
                    quoted = _VALUE_WITHOUT_EQUALS.match(self._text, self.end, self._stop)
                else:
                    quoted = _QUOTED_NEXT.match(self._text, self.end, self._stop)
                equals, self.end = ("", quoted.end()) if quoted else (None, self.end)
                key = key.removesuffix(":") if quoted else key  # `href:"u"`
            is_quoted = self._text[self.end : self.end + 1] in ("'", '"')
            value = '""' if equals is None else self._value(self.end)
            self.valued = self.valued or equals is not None
            self.closed = not value
            parts = (key, key[:-1], key[1:]) if equals is not None else (key,)  # `a;="b"`, `;a="b"`
            if equals is not None and is_quoted:
                parts = (*parts, _OUTSIDE_NAMES.sub("", key))  # `hr!ef="b"`
            name = next(filter(_ELEMENT_NAME.fullmatch, parts), None)
            if name and value:
                self.found.setdefault(name, value)
            self._in_run = self._in_run and name is not None and equals is not None
            if self._in_run:
                self.run = self.end, len(self.found)
        elif other is not None and not self._is_expected:
            self.end = part.start(4) + 1
        return key is not None or other is not None

    def _value(self, index: int) -> str:
        """Read a value; return it in quotation marks, "" where the text ends in it."""
        if odd := _ODD_QUOTED.match(self._text, index, self._stop):
            self.end = odd.end()
            value = odd[odd.lastgroup or 0].replace("\\/", "/")
            return f'"{value.replace(odd[9], "") if odd[9] else value}"'
        mark = self._text[index : min(index + 1, self._stop)]
        if mark not in ('"', "'"):
            bare = _BARE.match(self._text, index, self._stop)
            self.end = end = bare.end() if bare else index
            if bare and bare["unopened"] is not None:
                return f'"{self._text[index : end - 1]}"'
            is_address = "/" in self._text[index:end] or self._name in _LINKS
            slash = index <= end < self._stop and self._text[end] == "/" and (is_address or not self._is_root)
            if slash and self._is_followed(end + len("/>")):
                self.end = end + 1
                end = self.end if is_address else end
            return f'"{self._text[index:end]}"' if end < len(self._text) else ""
        close = self._text.find(mark, index + 1, self._stop)
        value = self._text[index + 1 : close]
        if close < 0 and self._stop == len(self._text) and self._text.find("<", index) < 0:
            self.end = self._stop
            return ""
        if close < 0 or not self._is_closed(value, close):
            value = self._unclosed_value(index + 1)
        else:
            within = _QUOTED_WITHIN.match(self._text, close, self._stop)
            self.end = within.end() if within else close + 1
            value = self._text[index + 1 : self.end - 1]
        value = value.replace("<", "&lt;").replace(mark, f"&#{ord(mark)};")
        return f"{mark}{value}{mark}"

    def _is_followed(self, index: int) -> bool:
        """Return whether the element is not empty, although a `/` stands before the `>` behind a value: that
        belongs to an address."""
        if self._is_root:
            return self._text.find("<", index, self._stop) >= 0
        return self._name in _LINKS or self._has_end(self._name, index)

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
        if self._angle < index:  # else it was found for a value before
            angle = ANGLE.search(self._text, index, self._stop)
            self._angle = angle.start() if angle else self._stop
        end = self._angle
        if following := _NEXT_ATTRIBUTE.search(self._text, index, end):
            end = following.start()
        elif self._text[end - 1 : end + 1] == "/>" and not (self._is_root or self._is_followed(end + 1)):
            end -= 1
        self.end = end
        return self._text[index:end].rstrip(" \t\r\n")


@lru_cache(maxsize=1024)  # a document has some 100 names, and may have as many as one likes
def misspelt(name: str, in_feed: bool) -> str:
    """Return the name of elements of feeds of which a letter is missing or wrong in a name, or two are
    swapped, but for those of HTML, or in a feed the case of one; else ""."""
    prefix, _, local = name.partition(":")
    prefix, local = (f"{prefix}:", local) if prefix and local else ("", name)
    lower, names, is_known = local.lower(), _NAMES_IN_MODULES if prefix else _SPELT_NAMES, is_of_feeds(name)
    if not lower or local in names or (not in_feed if is_known else lower in HTML):
        return ""
    # Where one letter is missing or wrong, the first or the last one is there.
    near = (known for known in names if known[0] == lower[0] or known[-1] == lower[-1])
    near = (known for known in near if -2 < len(known) - len(lower) < 2)
    is_near = str.__eq__ if is_known and (not prefix or lower in _LOWER_NAMES) else is_misspelt
    return next((prefix + known for known in near if is_near(lower, known.lower())), "")


def is_misspelt(name: str, other: str) -> bool:
    """Return whether a letter is missing in one of two names, other than the `s` of a plural, or differs, or
    two beside each other are swapped."""
    short, long = sorted((name, other), key=len)
    if len(short) == len(long) > 3:
        odd = [at for at, letter in enumerate(name) if letter != other[at]]
        found, meant = (one[odd[0] : odd[-1] + 1] if odd else "" for one in (name, other))
        is_near = len(found) == 1 or (len(found) == 2 and found == meant[::-1])
        return is_near and not (found + meant).isdigit()
    if len(short) < 3 or len(long) != len(short) + 1 or long == f"{short}s":
        return False
    at = next((at for at, letter in enumerate(short) if letter != long[at]), len(short))
    return short[at:] == long[at + 1 :]


def local_name(name: str) -> str:
    """Return a name without its prefix, in lower case."""
    return name.rpartition(":")[2].lower()
