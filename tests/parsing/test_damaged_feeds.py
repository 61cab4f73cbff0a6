"""Feeds as they are damaged in practice: no item is lost, and feedparser finds no more than `parse`."""

from __future__ import annotations

import io
import random
import re
from typing import Any

import feedparser
import pytest
from lxml import etree
from support.cases import FIXTURES, load
from support.each import each
from support.streams import dripping

from feedcharset import iterparse, parse
from feedcharset.parsing.tag_syntax import LONGEST_OF_FEEDS

BROKEN = load("broken_feeds")
FEEDS = sorted((FIXTURES / "feeds").glob("*.xml"))
MUTATIONS = 200
END_TAG = re.compile(rb"</[A-Za-z:]+>")
QUOTED_TAG = re.compile(rb"<[A-Za-z][^<>]*[\"'][^<>]*>")


def titles(root: Any) -> list[str]:
    """The titles of the items, wherever they are; "" for an item without one."""
    items = root.iter("{*}item", "{*}entry", "{*}Item")
    found = [next(item.iter("{*}title", "{*}Title"), None) for item in items]
    return ["" if title is None else "".join(title.itertext()).strip() for title in found]


_NAMES = rb"(?:title|link|guid|id|pubDate|description|summary|updated|dc:date)>"
DAMAGE = {
    "an end tag": re.compile(rb"</" + _NAMES),
    "a start tag of what holds others": re.compile(rb"<(?:item|entry|channel)(?: [^<>]*)?>"),
    "the < of it": re.compile(rb"<(?=(?:item|entry|channel)[ >])"),
    "the slash of an end tag": re.compile(rb"(?<=<)/(?=(?:item|entry|title|link|description)>)"),
    "a letter of a start tag": re.compile(rb"(?<=<)[a-z](?=(?:ink|itle|tem|ntry|escription|ubDate)>)"),
}


LOST_NAMES = {
    "a start tag": re.compile(rb"<" + _NAMES + rb"(?!</)"),
    "the < of a start tag": re.compile(rb"<(?=" + _NAMES + rb"(?!</))"),
    "an end of the item within": re.compile(rb"(?=</" + _NAMES + rb")"),
}


def texts(root: Any) -> list[dict[str, str]]:
    """The text of each element of each item; of several of a name that of the first."""
    items = root.iter("{*}item", "{*}entry")
    return [
        {etree.QName(child).localname: "".join(child.itertext()).strip() for child in item[::-1]}
        for item in items
    ]


@pytest.mark.parametrize("kind", DAMAGE)
@pytest.mark.parametrize("most", [1, pytest.param(2, marks=pytest.mark.long)])
@each("feed", FEEDS, ids=lambda path: path.stem, every=24)
def test_a_part_of_a_tag_that_is_lost_costs_no_element(kind: str, most: int, feed: Any) -> None:
    """The next element of the item, or of the feed, ends one that holds text; an item that holds nothing but
    the next one has ended; no end tag has the name of a start tag that lacks a letter. In pieces, too."""
    body = feed.read_bytes()
    random_places = random.Random(feed.name)
    places = [*DAMAGE[kind].finditer(body)]
    for place in random_places.sample(places, min(most, len(places))):
        damaged = body[: place.start()] + body[place.end() :]
        before, after = texts(parse(body).getroot()), texts(parse(damaged).getroot())
        assert after == before
        items = iterparse(dripping(damaged, random_places.choice([1, 40, 700])))
        for _ in items:
            pass
        assert texts(items.root) == before


@pytest.mark.long
@pytest.mark.parametrize("kind", LOST_NAMES)
@each("feed", FEEDS, ids=lambda path: path.stem)
def test_an_element_without_its_name_loses_no_item(kind: str, feed: Any) -> None:
    """Its text is in the item, and the elements behind it are, too."""
    body = feed.read_bytes()
    ends = b"</item>" if b"</item>" in body else b"</entry>"
    for place in [*LOST_NAMES[kind].finditer(body)][1::7]:
        damaged = body[: place.start()] + body[place.end() :]
        if kind == "an end of the item within":
            damaged = body[: place.start()] + ends + body[place.start() :]
        before, after = texts(parse(body).getroot()), texts(parse(damaged).getroot())
        assert len(after) >= len(before)
        items = iterparse(dripping(damaged, 40))
        for _ in items:
            pass
        assert texts(items.root) == after


@each("case", BROKEN, ids=lambda case: case["why"])
def test_broken_feed(case: dict[str, Any]) -> None:
    body = case["document"].encode()
    assert titles(parse(body).getroot()) == [title or "" for title in case["titles"]]
    items = iterparse(body)
    for _ in items:
        pass
    assert titles(items.root) == [title or "" for title in case["titles"]]


ALL_FIELDS = (
    """<rss version="2.0"><channel><title>a</title><link>b</link><description>c</description>
<language>d</language><copyright>e</copyright><managingEditor>f</managingEditor><webMaster>g</webMaster><pubDate>h</pubDate>
<lastBuildDate>i</lastBuildDate><category>j</category><generator>k</generator><docs>l</docs><ttl>60</ttl>
<rating>m</rating><skipHours><hour>1</hour></skipHours><skipDays><day>Monday</day></skipDays>
<image><url>n</url><title>o</title><link>p</link><width>1</width><height>2</height><description>q</description></image>
<item><title>r</title><link>s</link><description>t</description><author>u</author><category>v</category>
<comments>w</comments><guid>x</guid><pubDate>y</pubDate><source>z</source></item></channel></rss>""",
    """<feed><title>a</title><subtitle>b</subtitle><id>c</id><updated>d</updated><icon>e</icon><logo>f</logo>
<rights>g</rights><generator>h</generator><author><name>i</name><email>j</email><uri>k</uri></author>
<contributor><name>l</name><uri>m</uri><email>n</email></contributor>
<entry><title>o</title><id>p</id><published>q</published><updated>r</updated><author><name>s</name><email>t</email>
</author><summary>u</summary><content>v</content></entry></feed>""",
)
"""All elements of RSS 2.0 and Atom that have a text or others in them."""


@each("feed", ALL_FIELDS)
def test_an_element_without_its_end_tag_ends_before_the_next_one(feed: str) -> None:
    def shape(root: Any) -> list[tuple[str, str, str | None]]:
        parents = {child: element.tag for element in root.iter() for child in element}
        return [(element.tag, (element.text or "").strip(), parents.get(element)) for element in root.iter()]

    whole = shape(etree.fromstring(feed))
    for end in re.finditer(r"</\w+>", feed):
        body = (feed[: end.start()] + feed[end.end() :]).encode()
        assert shape(parse(body).getroot()) == whole, end
        elements = iterparse(io.BytesIO(body))
        assert list(elements)
        assert shape(elements.root) == whole, end


@each("words", ["Enter <email> here", "a <language> of <width>", "<docs>"])
def test_a_field_in_angle_brackets_in_a_text_is_a_word(words: str) -> None:
    body = f"<rss><channel><item><title>{words}</title><link>u</link></item></channel></rss>".encode()
    assert parse(body).findtext(".//title") == words
    assert parse(body).findtext(".//link") == "u"


@each(
    "words",
    ["safe&lt;link rel='x' href='u'> description", 'Words &lt;a href="u">link', "one&lt;b>two&lt;/b>"],
)
def test_a_tag_without_its_end_loses_no_word_before_escaped_markup(words: str) -> None:
    body = f'<rss><item><title type="html" mode="escaped"{words}</title></item></rss>'.encode()
    title = parse(body).find(".//title")
    assert title.attrib == {"type": "html", "mode": "escaped"}
    assert title.text == words.replace("&lt;", "<")


ITEMS = """<rss><channel><title>News</title><item about="u"><title a="b">one</title><link>l</link></item>
<item><title>two</title><guid>g</guid></item><item>
<title>three</title></item></channel></rss>"""
ITEM_TAGS = list(re.finditer(r"</?(?:item|title)[^<>]*>", ITEMS))


@each("sign", ["", *"\"';=,\\!&?|* \t"])
def test_another_character_in_the_tag_of_an_item_loses_no_item(sign: str) -> None:
    """Behind the name and in the attributes. A sign in place of the last `>` stays as text."""
    for tag in ITEM_TAGS:
        for at in range(tag.start() + len(tag[0].split()[0].rstrip(">")), tag.end()):
            if sign or ITEMS[at] != " ":  # `<itemabout="u">`
                body = (ITEMS[:at] + sign + ITEMS[at + 1 :]).encode()
                found = [title.lstrip(sign or " ") for title in titles(parse(body).getroot())]
                assert found == ["one", "two", "three"], body


def test_only_the_name_of_an_element_gets_the_letter_that_it_lacks() -> None:
    feed = b"<rss><channel><item><titl titl='titl'>one</title></item></channel></rss>"
    assert parse(feed).find(".//title").attrib == {"titl": "titl"}


QUOTED = [
    '=""{}""',
    "=''{}''",
    '=\\"{}\\"',
    "=\\'{}\\'",
    '=="{}"',
    "= = '{}'",
    "=“{}”",
    "=„{}“",
    "=«{}»",
    "=’{}’",
    '=""{}"',
    "=''{}'",
    '=\ufeff"{}"',
    '=+"{}"',
    "=.;'{}'",
    '=\\"{}"',
    ';="{}"',
    '"="{}"',
    "\u200e='{}'",
    "\u2028=\u2028'{}'",
]


@pytest.mark.long
@each("written", QUOTED)
@each("between", [" ", "\xa0", "\n\u3000", "\u200b\t", "\u2028", "\x85\ufeff"])
@each("tag", ["feed", "x:y", "enclosure", "a", "row"])
def test_odd_quotation_marks_and_white_space(written: str, between: str, tag: str) -> None:
    """Of word processors, of JSON in a string, of CSV: the value is what stands between the marks."""
    value = "http://a.example/b c?d=1"
    attributes = "".join(f"{between}{name}{written.format(value)}" for name in ("one", "two"))
    for end in ("/>", "></" + tag + ">", f"{between}/>"):
        for body in (f"<{tag}{attributes}{end}", f"<rss><item><{tag}{attributes}{end}<b>x</b></item></rss>"):
            found = parse(body.encode()).getroot()
            found = next(one for one in found.iter() if one.tag.endswith(tag.rpartition(":")[2]))
            assert found.attrib == {"one": value, "two": value}, body
            names = [element.tag for _, element in iterparse(io.BytesIO(body.encode()))]
            assert names == [element.tag for _, element in etree.iterwalk(parse(body.encode()))], body


@each(
    ("tag", "attributes"),
    [
        ('<b c="" d=""/>', {"c": "", "d": ""}),
        ('<b c=""d=""/>', {"c": "", "d": ""}),
        ("<b c='' d=''></b>", {"c": "", "d": ""}),
        ('<b c=""/>', {"c": ""}),
        ('<b c="" d="e"/>', {"c": "", "d": "e"}),
        ('<b c=""d="e"/>', {"c": "", "d": "e"}),
        ('<b c=""d= ""/>', {"c": "", "d": ""}),
    ],
)
def test_an_empty_value_is_in_one_pair_of_quotation_marks(tag: str, attributes: dict[str, str]) -> None:
    assert parse(f"<a>{tag}<br></a>".encode()).find("b").attrib == attributes


@each("space", ["\xa0", "\u2009", "\u3000", "\u200b", "\u2028"])
@each("name", ["br", "p", "Document", "item"])
def test_a_no_break_space_before_the_end_of_a_tag(name: str, space: str) -> None:
    for end, closed in ((f"{space}>", f"</{name}>"), (f"{space}/>", ""), (f" {space}>", f"</{name}{space}>")):
        body = f"<r>a<{name}{end}{closed}b</r>"
        assert etree.tostring(parse(body.encode())) == f"<r>a<{name}/>b</r>".encode(), body


def test_a_no_break_space_before_a_sign_is_text() -> None:
    for text in ("when T<Tc\xa0n=2, and more", "if x<y\u2003z = 3 then", "a<b\xa0x="):
        assert parse(f"<rss><item><title>{text}</title></item></rss>".encode()).findtext(".//title") == text


@each("sign", ["\0", "\b", "\ufffd", ";", ",", "|"])
def test_a_sign_in_place_of_white_space_in_a_tag_loses_no_attribute(sign: str) -> None:
    """A control character is U+FFFD, which a name may hold. Behind any other name a sign is text."""
    tags = (
        '<outline text="a" url="b"/>',
        '<rss version="2.0" b="c">',
        '<x:y a="1" />',
        '<row a="1" b="2"></row>',
    )
    for tag in tags[:2] if sign in ";,|" else tags:
        within = "" if tag.startswith("<rss") else tag
        sound = (
            f"{tag if not within else '<rss>'}<channel>{within}<item><title>t</title></item></channel></rss>"
        )
        for at in (found.start() for found in re.finditer(" (?!/)", tag)):
            place = sound.index(tag) + at
            body = f"{sound[:place]}{sign}{sound[place + 1 :]}".encode()
            trees = parse(sound.encode()).getroot(), parse(body).getroot()
            one, other = ([(e.tag, dict(e.attrib), e.text) for e in tree.iter()] for tree in trees)
            assert other == one, body
            assert [e.tag for _, e in iterparse(body)] == [e.tag for _, e in etree.iterwalk(trees[0])], body


@each("end", ['/"', "/ ", "/&", "/ &", "/'", '/ "', "/;", "/."])
@each("name", ["outline", "link", "xhtml:link", "enclosure"])
def test_a_sign_behind_the_slash_of_an_empty_element(end: str, name: str) -> None:
    """The elements behind it are its siblings."""
    body = f'<opml><body><{name} text="a"{end}><{name} text="b"/><{name} text="c"/></body></opml>'
    assert [one.get("text") for one in parse(body.encode()).getroot()[0]] == ["a", "b", "c"], body


@each("between", ["", " ", "\n"])
@each("name", ["feed", "rss", "x:y", "item", "html"])
def test_a_missing_equals_sign_in_the_tag_of_the_root(name: str, between: str) -> None:
    """The value follows the name; an odd quotation mark in a name before the `=` begins none."""
    atom = "http://www.w3.org/2005/Atom"
    root = parse(f"<{name} xmlns{between}\"{atom}\" b='c'/>".encode()).getroot()
    assert (root.nsmap[None], root.attrib) == (atom, {"b": "c"})
    root = parse(f"<{name} version{between}'2.0' xm{between}\"lns='{atom}'/>".encode()).getroot()
    assert (root.get("version"), root.get("xm"), root.get("lns")) == ("2.0", "", atom)


@each("mark", ['"', "'"])
@each("tag", ["row", "w:t", "svg:rect", "link"], every=4)
@each("value", ["1", "http://a.example/?c=1", "0 0 24 24", "left; top", "a, b &amp;\nc"])
def test_a_value_that_has_lost_a_part(mark: str, tag: str, value: str) -> None:
    """Its `=` or its first quotation mark, in any element."""
    for end in ("/>", " />", ' d="e"/>', f"></{tag}>"):
        for lost in ("=", mark):
            part = f"b={mark}{value}{mark}".replace(lost, "", 1)
            for attributes in (part, f'z="y" {part}'):
                if lost == "=" and "=" in value:
                    continue
                body = f"<r><x><{tag} {attributes}{end}</x>&</r>"
                found = parse(body.encode()).getroot()[0][0]
                wanted = value.replace("&amp;", "&").replace("\n", " ")
                assert (found.get("b"), found.get("d")) == (wanted, "e" if "d=" in end else None), body


@each("sign", [" ", "*", "=", "\u2028", '"'])
@each("name", ["comment", "Telephone", "defs", "x:string"])
def test_a_name_that_is_split(name: str, sign: str) -> None:
    """In any element; where the end tag has both parts in one."""
    begin = name.find(":") + 1
    for cut in range(begin + 1, len(name)):
        for attributes in ("", ' a="b"'):
            body = f"<r><c><{name[:cut]}{sign}{name[cut:]}{attributes}>d</{name}></c><e/></r>"
            wanted = f"<r><c><{name}{attributes}>d</{name}></c><e/></r>"
            found = etree.tostring(parse(body.encode()))
            assert found == etree.tostring(parse(wanted.encode())), body
    body = f"<r><td nowrap>a</td><b {name[begin:]}>c</b></r>"
    wanted = f'<r><td nowrap="">a</td><b {name[begin:]}="">c</b></r>'
    assert etree.tostring(parse(body.encode())).decode() == wanted


def test_words_without_values_and_quotation_marks_without_meaning_stay() -> None:
    for tag, attributes in {
        '<a b=c selected d="e">': {"b": "c", "selected": "", "d": "e"},
        '<a b=5" d=e>': {"b": "5", "d": "e"},
        '<a b=c d"e"f>': {"b": "c", "d": "", "e": "", "f": ""},
        '<a b="c " d" e">': {"b": "c ", "d": "", "e": ""},
    }.items():
        assert parse(f"<r>{tag}</a>&</r>".encode()).getroot()[0].attrib == attributes, tag


HEADS = ["<link/>", "<link>l</link>", "<title>t</title><link/>", "<x/>", "<tagline>t</tagline><link>l</link>"]


@each("head", HEADS)
@each("before", ["", "<?xml version='1.0'?>", "<br /><b>Notice</b>: x<br />", "<description/>"])
def test_a_feed_that_begins_behind_its_root(head: str, before: str) -> None:
    """An element that ends before the items is not the root."""
    items = "<item><title>a</title></item><item><title>b</title></item>"
    body = f"{before}{head}<description/>{items}</channel></rss>".encode()
    assert titles(parse(body).getroot()) == ["a", "b"]
    elements = iterparse(io.BytesIO(body))
    for _ in elements:
        pass
    assert titles(elements.root) == ["a", "b"]


WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
SOUND = """<?xml version='1.0'?><?x y?><!DOCTYPE feed [<!ENTITY s "seven">]>
<feed a='1'><id>one</id><title type="text">two three</title><entry><title>four</title>
<content b="c"><![CDATA[five]]> <b>six</b> &s;</content></entry>
<entry><title>eight nine</title></entry></feed>"""


@each(
    ("sound", "damaged"),
    [
        *(
            ("<?x y?>", "<?x]y?>"),
            ("<?x y?>", "<??x y?>"),
            ("<?xml ", "<?xml</b> "),
            ("a='1'", "a='1' a='1'"),
        ),
        *(('"seven"', '"seven&s;"'), ('"seven"', "'seven&t;'><!ENTITY t '&s;'"), ("three<", "three&s;<")),
        *((' type="text">', ' type="text"'), ("title>four", "title four")),
        *(
            ("two", "<?"),
            ("four</title>", "four</title and 3 > 2"),
            ("four</", "four<?xml version='1.0'?></"),
        ),
        *(("<![CDATA[", "<!![CDATA["), ("<![CDATA[", "<![[CDATA["), ("<b>", "<?b>"), ("six", "si<b x")),
        *(("='1'>", "='1'/>"), ("<feed a='1'>", ""), ("<title>eight", "</ title>eight"), ("</b>", "</ b>")),
    ],
)
def test_one_damage_loses_no_word_around_it(sound: str, damaged: str) -> None:
    assert sound in SOUND
    body = SOUND.replace(sound, damaged, 1).encode()
    tree = parse(body)
    found = "".join(tree.getroot().itertext())
    assert [word for word in WORDS if word not in found and word not in sound and word not in damaged] == []
    items = iterparse(io.BytesIO(body))
    assert list(items)
    assert etree.tostring(items.root.getroottree()) == etree.tostring(tree)


@each("opener", ["<!--", "<![CDATA[", "<?x "])
def test_a_section_without_its_end_hides_no_item_behind_it(opener: str) -> None:
    """However much follows."""
    items = "".join(f"<item><title>t{number}</title>{'x' * 1000}</item>" for number in range(200))
    body = f"<rss><item>{opener} a</item>{items}</rss>".encode()
    assert titles(parse(body).getroot()) == ["", *(f"t{number}" for number in range(200))]


@each("space", ["", " ", "\n"])
@each(
    "root",
    [
        *("rss", "rss version", 'rss version="2.0"', "rss a b", "rss <>", "rss version<p>=1"),
        *("rss\xa0>", "rss)>", 'rss; version="2.0">', 'rss & version="2.0">', "rss@ a>", 'rss="2.0">'),
    ],
)
def test_a_root_whose_tag_is_damaged(root: str, space: str) -> None:
    """The next tag ends it: `<rss <channel>`. What is no attribute in it is dropped."""
    body = (
        f"<{root}{space}<channel><item><title>a</title></item><item><title>b</title></item></channel></rss>"
    )
    assert titles(parse(body.encode()).getroot()) == ["a", "b"]
    items = iterparse(body.encode())
    for _ in items:
        pass
    assert titles(items.root) == ["a", "b"]


def mutated(body: bytes, chance: random.Random) -> bytes:
    """A feed without an end tag, with one twice or elsewhere, without a quotation mark, with a void tag."""
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        ends = list(END_TAG.finditer(body))
        tags = list(QUOTED_TAG.finditer(body))
        if not ends or not tags:
            return body
        end, other = chance.choice(ends), chance.choice(ends)
        quoted = chance.choice(tags)
        marks = [quoted.start() + at for at, byte in enumerate(quoted[0]) if byte in b"\"'"]
        mark = chance.choice(marks)
        body = chance.choice(
            [
                body[: end.start()] + body[end.end() :],
                body[: end.end()] + body[end.start() :],
                body[: other.start()] + end[0] + body[other.start() :],
                body[: other.start()] + ends[-1][0] + body[other.start() :],
                body[:mark] + body[mark + 1 :],
                body[: end.start()] + b"<br>" + body[end.start() :],
                body[: end.start()] + b"<p>" + body[end.start() :],
            ]
        )
    return body


@pytest.mark.long
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, 10))])
def test_feedparser_finds_no_more_titles(part: int) -> None:
    """At least as many titles as feedparser finds, in feeds of every script and format."""
    readable = [feed for feed in FEEDS if END_TAG.search(feed.read_bytes())]  # no UTF-16, no EBCDIC
    for number in range(part, MUTATIONS, 10):
        chance = random.Random(number)
        feed = chance.choice(readable)
        body = mutated(feed.read_bytes(), chance)
        try:
            theirs = [entry.title for entry in feedparser.parse(body).entries if entry.get("title")]
        except (KeyError, AttributeError):  # it fails on some of them
            theirs = []
        ours = [title for title in titles(parse(body).getroot()) if title]
        assert len(ours) >= len(theirs), (number, feed.name, ours, theirs)


ATOM = '<{0}feed xmlns{1}="http://www.w3.org/2005/Atom"><{0}title>a</{0}title><{0}id>b</{0}id>' + "".join(
    f"<{{0}}entry><{{0}}title>c{number}</{{0}}title><{{0}}id>d</{{0}}id><{{0}}author><{{0}}name>e</{{0}}name>"
    '</{0}author><{0}summary type="html">f</{0}summary></{0}entry>'
    for number in range(3)
)
RSS = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns{1}="http://purl.org/rss/1.0/">'
    '<{0}channel rdf:about="a"><{0}title>b</{0}title><{0}link>c</{0}link></{0}channel>'
) + "".join(
    f'<{{0}}item rdf:about="d"><{{0}}title>e{number}</{{0}}title><{{0}}link>f</{{0}}link></{{0}}item>'
    for number in range(3)
)


def without_prefix(document: str, prefix: str) -> list[tuple[str, ...]]:
    """The elements of a document, and their texts, without a prefix."""
    elements = parse(document.encode()).getroot().iter()
    found = (
        (etree.QName(one).localname, one.text or "", one.tail or "", str(one.items())) for one in elements
    )
    return [tuple(part.replace(prefix, "") for part in parts) for parts in found]


@pytest.mark.long
@pytest.mark.parametrize(
    ("feed", "prefix"),
    [(f"{ATOM}</{{0}}feed>", "ns0:"), (f"{ATOM}</{{0}}feed>", "a:"), (f"{RSS}</rdf:RDF>", "rss:")],
)
def test_a_prefix_of_the_feed_changes_nothing(feed: str, prefix: str) -> None:
    """Where a tag is lost, or a letter of it, or another character is in its name."""
    marked = re.split(r"(<[^>]*>)", feed)
    for at in range(3, len(marked) - 2, 2):
        tag = marked[at]
        letters = [cut for cut in range(len(tag)) if not 0 <= cut - tag.find("{0}") < len("{0}")]
        damages = [tag[:cut] + tag[cut + 1 :] for cut in letters]
        if "{0}" in tag:
            begin, end = tag.find("{0}") + len("{0}"), re.search("[ >]|$", tag[1:]).end()
            damages += [f"{tag[:cut]} {tag[cut:]}" for cut in letters if cut <= end]
            damages += [f"{tag[:cut]}*{tag[cut:]}" for cut in letters if begin < cut <= end]
            damages += [tag[:begin] + tag[begin].upper() + tag[begin + 1 :]]
        for damage in ("", *damages):
            damaged = "".join([*marked[:at], damage, *marked[at + 1 :]])
            plain = without_prefix(damaged.format("", ""), "")
            assert without_prefix(damaged.format(prefix, f":{prefix[:-1]}"), prefix) == plain, damaged


@each(
    ("damaged", "meant"),
    [
        (
            '<rssversion="2.0"><channel><item/></channel></rss>',
            '<rss version="2.0"><channel><item/></channel></rss>',
        ),
        ('<feedéversion="0.3"><entry/></feed>', '<feed version="0.3"><entry/></feed>'),
        ('<opml><body><outlinetitle="P"/></body></opml>', '<opml><body><outline title="P"/></body></opml>'),
        ('<opml><body><outlineâtitle="P"/></body></opml>', '<opml><body><outline title="P"/></body></opml>'),
        (
            "<rss><channel><itemid='1'>x</item></channel></rss>",
            '<rss><channel><item id="1">x</item></channel></rss>',
        ),
        ('<rss><item><linkhref="y"/></item></rss>', '<rss><item><link href="y"/></item></rss>'),
        (
            '<rss><item><title>a <linkhref="y"/> b</title></item></rss>',
            '<rss><item><title>a &lt;linkhref="y"/&gt; b</title></item></rss>',
        ),
        ('<data><rowid="1"/></data>', '<data>&lt;rowid="1"/&gt;</data>'),
        ("<rss><item =''/></rss>", "<rss><item/></rss>"),
    ],
)
def test_the_space_before_the_first_attribute_is_lost(damaged: str, meant: str) -> None:
    """Or has become a letter of the name; in texts, and in other documents, it is no tag."""
    for document in (damaged, damaged + "<!-- é -->"):
        root = parse(document.encode()).getroot()
        assert etree.tostring(root) == etree.tostring(etree.fromstring(meant))
        last = [element for _, element in iterparse(document.encode())][-1]
        assert etree.tostring(last) == etree.tostring(root)


@each(("size", "found"), [(LONGEST_OF_FEEDS, True), (LONGEST_OF_FEEDS + 1, False)])
def test_the_longest_name_before_an_attribute_without_its_space(size: int, found: bool) -> None:
    name = "item".rjust(size, "x").replace("xitem", ":item")
    data = f'<rss xmlns:{name[:-5]}="urn:x"><channel><{name}id="1"/></channel></rss>'
    assert (parse(data.encode()).find(".//{urn:x}item") is not None) == found
