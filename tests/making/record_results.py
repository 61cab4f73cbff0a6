"""Record what is made of generated documents: of each the encoding, the rule, and a checksum of every result.

    python tests/making/record_results.py            writes tests/data/recorded_results.txt
    python tests/making/record_results.py 17 256     prints the results of these documents in full

The documents are those of tests/fuzz/documents.py; for the repair of markup, tags at random and damaged
items; for the command `repair`, lines in several charsets. A change of the code that is meant to change
nothing changes no line here. Where one changes, print the document in both trees and read the difference:
each changed line needs a reason. Sentences are not recorded.
"""

from __future__ import annotations

import io
import random
import re
import sys
from pathlib import Path
from typing import Any
from zlib import crc32

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "fuzz"))

from documents import DAMAGE, made, sentences
from support.cases import DATA
from support.labelled_documents import CHARSETS

from feedcharset import DecodeError, Resolution, ResolutionError, XmlDecoder, check, decode, repair
from feedcharset.cli.repair import RepairOptions, _RepairedInput
from feedcharset.parsing.document_start import DocumentStart
from feedcharset.parsing.markup_repair import MarkupRepairer
from feedcharset.parsing.recovery_log import RecoveryLog
from feedcharset.text.source_positions import RepairLog

OUT = DATA / "recorded_results.txt"
DOCUMENTS = 2000
SEED = 21
ERRORS = ("replace", "space", "latin-1", "windows-1252")
OF_A_PARSER = ("not-well-formed",)
"""What depends on the version of libxml2."""

PARTS = (
    *("<title>", "</title>", "<p>", "</p>", "<div>", "</div>", "<br>", "<li>", "</li>", "<item>", "</item>"),
    *("<img src=x>", "<a href='b\">", '<a b="c" b="d">', "<media:a/>", "</rss>", "<channel>", "</channel>"),
    *("<x:y>", "</x:y>", "< a", "a < b", "<3", "&nbsp;", "&amp", "&#0;", "&unknown;", "&", "text", " ", "\n"),
    *("<![CDATA[ a ]]>", "<!-- a -- b -->", "<!--", "-->", "]]>", "<![CDATA[", "<?php ?>", "<?", "<!x>"),
    *("<td>", "</td>", "<tr>", "<P>", "</P>", "<input disabled>", "<a/b>", "<>", "</>", "<link>", "</link>"),
    *("<?x <b> ?>", "<?x y>", '<?xml:namespace prefix="o" />', "<![CDATA[<p>", "<title", "/title>"),
    "\\title>",
)
ITEM = (
    *("<item>", "<title>", "a", "</title>", "<link>", "b", "</link>", "<description>", "<![CDATA[<p>c</p>"),
    *("]]>", "</description>", "<!-- d -->", "<?e f?>", "<media:g", " h='i'", "/>", "<p>", "j<br/>", "</p>"),
    "</item>",
)

BEFORE_ROOT = (
    *(
        "<html>",
        "<p>",
        "</p>",
        "<br>",
        "text",
        "<!-- c -->",
        "<!--",
        "-->",
        "<?xml version='1.0'?>",
        "<?php x ?>",
    ),
    *(
        "<!DOCTYPE html>",
        "<!doctype x>",
        "<!DOCTYPE rss [<!ENTITY a 'b'>]>",
        "<script>",
        "</script>",
        "\n",
        " ",
    ),
    *(
        "<rss>",
        "<feed>",
        "<a:feed xmlns:a='atom'>",
        "<rdf:RDF xmlns='http://purl.org/rss/1.0/'>",
        "<rdf:RDF>",
        "<item>",
        "<entry>",
        "<br/>",
    ),
    *(
        "<div>",
        "</div>",
        "<x:a>",
        "</x:a>",
        "<![CDATA[x]]>",
        "<",
        "<p",
        "<?xml",
        "</rss>",
        "</html>",
        "<item/>",
    ),
)


CODECS = (
    *("utf-8", "utf-8", "cp1252", "cp1252", "cp1252", "mac-roman", "cp437", "cp850", "cp852", "iso8859-2"),
    *("iso8859-15", "cp1250", "cp1251", "koi8-r", "cp1253", "cp1254", "cp1257", "gb18030", "euc_kr", "cp932"),
)
OPTIONS = (
    *(RepairOptions(report=True), RepairOptions(), RepairOptions(force=True, report=True)),
    *(RepairOptions(errors="replace", cesu8="join"), RepairOptions(mojibake="fix", report=True)),
)
_NAME_OR_NUMBER = re.compile(r"\b[A-Z0-9][\w-]*")


def _plain(value: Any) -> Any:
    """The fields that have another value than by default: a new field alone changes nothing."""
    if not hasattr(value, "_field_defaults"):
        return [_plain(one) for one in value] if isinstance(value, tuple) else value
    defaults = value._field_defaults
    return {
        name: _plain(one)
        for name, one in value._asdict().items()
        if name not in defaults or one != defaults[name]
    }


def _resolution(found: Resolution) -> tuple[Any, ...]:
    steps = [(step.id, step.verdict, step.encoding) for step in found.steps]
    return found.encoding, found.codec, found.rule, steps, _plain(found.facts)


def _decoded(body: bytes, content_type: str | None, **options: Any) -> tuple[Any, ...]:
    try:
        found = decode(body, content_type, **options)
    except DecodeError as error:
        return "DecodeError", error.start, error.end, error.partial, error.line, error.column
    except ResolutionError as error:
        steps = [(step.id, step.verdict, step.encoding) for step in error.steps]
        return type(error).__name__, error.rule, steps, _plain(error.facts)
    return found.text, tuple(found.repairs), _resolution(found.resolution)


def _in_pieces(body: bytes, content_type: str | None, number: int) -> tuple[Any, ...]:
    size = (1, 7, 64, 1000)[number % 4]
    decoder = XmlDecoder(content_type, lookahead=(64, 300)[number % 2])
    text = [decoder.decode(body[at : at + size]) for at in range(0, len(body), size)]
    return (
        "".join([*text, decoder.decode(b"", True)]),
        tuple(decoder.repairs),
        _resolution(decoder.resolution),
    )


def _findings(body: bytes, content_type: str | None) -> list[Any]:
    return [
        _plain(one._replace(message=""))
        for one in check(body, content_type=content_type).findings
        if one.code not in OF_A_PARSER
    ]


def _markup(text: str, size: int) -> tuple[Any, ...]:
    log = RecoveryLog(RepairLog())
    repairer = MarkupRepairer(log, deepest=(8, 200)[size % 2])
    out = [part for at in range(0, len(text), size) for part in repairer.feed(text[at : at + size])]
    return "".join([*out, *repairer.feed("", True)]), _plain(log.recovered)


def _start(text: str, size: int) -> tuple[Any, ...]:
    log = RecoveryLog(RepairLog())
    start = DocumentStart(log)
    out = [start.feed(text[at : at + size]) for at in range(0, len(text), size)]
    return "".join([*out, start.feed("", True)]), _plain(log.recovered)


def _tags(chance: random.Random) -> str:
    """Parts in any order, or items of which parts are lost, doubled or changed."""
    if chance.random() < 0.5:
        return "<rss>" + "".join(chance.choice(PARTS) for _ in range(chance.choice((4, 12, 40))))
    parts = ["<rss><channel>", *ITEM * chance.choice((1, 2, 4)), "</channel></rss>"]
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(len(parts))
        part = parts[at]
        cut = chance.randrange(len(part) + 1)
        parts[at] = chance.choice(("", "", part[:cut], part[cut:], part * 2, chance.choice(PARTS)))
    return "".join(parts)


def _page(chance: random.Random) -> str:
    """What may stand before a feed, in any order."""
    page = "".join(chance.choice(BEFORE_ROOT) for _ in range(chance.choice((1, 2, 3, 4, 6, 12))))
    return page + chance.choice(("", "<rss><item/></rss>", "<feed/>", "<a>b</a>", "<item>a</item>"))


def _lines(chance: random.Random) -> bytes:
    """Lines of a text or a table in one or two charsets, in places with mojibake, quotes or damage."""
    languages = chance.choices(list(CHARSETS), k=2)
    codecs = ["utf-8", *chance.choices(CODECS, k=2), CHARSETS[languages[0]].split("=")[-1]]
    before = chance.choice(("", "", "", '<?xml version="1.0" encoding="{}"?>\n<a>\n', "encoding: {}\n"))
    lines = [before.format(chance.choice(codecs)).encode()]
    for _ in range(chance.choice((1, 2, 4, 8, 30))):
        words = chance.choice(sentences(chance.choice(languages))).split()
        at = chance.randrange(len(words))
        text = chance.choice((" ", " ", ";", "\t")).join(words[at : at + chance.choice((1, 1, 3, 8))])
        kind = chance.random()
        if kind < 0.1:
            text = chance.choice((text.upper(), f"“{text}”", f"‚{text}’ – €", f'"{text}"', f"{text} º ² ½"))
        elif kind < 0.15:
            text = text.encode().decode(chance.choice(("cp1252", "mac-roman", "cp437")), "replace")
        line = text.encode(chance.choice(codecs), "ignore")
        if kind > 0.9:
            at = chance.randint(0, len(line))
            line = line[:at] + chance.choice(DAMAGE) + line[at:]
        lines.append(line + chance.choice((b"\n", b"\n", b"\r\n", b"<br>")))
    return b"".join(lines)


def _command(data: bytes, options: RepairOptions) -> tuple[Any, ...]:
    """What the command `repair` writes and tells; of its sentences the names and numbers."""
    repaired = _RepairedInput(io.BytesIO(data), options)
    try:
        written, told = b"".join(repaired.pieces()), [*repaired.report()]
    except ValueError as error:
        return tuple(_NAME_OR_NUMBER.findall(str(error)))
    told += repaired.told()
    return written, repaired.changed, [_NAME_OR_NUMBER.findall(one) for one in told]


def results(number: int) -> dict[str, Any]:
    """Everything that is made of a document."""
    _, content_type, body, _ = made(SEED, number)
    chance = random.Random(number)
    tags = [_tags(chance) for _ in range(3)]
    pages = [_page(chance) for _ in range(8)]
    lines = _lines(chance)
    decoded = _decoded(body, content_type)
    fixed = repair(body, errors=ERRORS[number % 4])
    return {
        "decode": decoded,
        "options": _decoded(
            body,
            content_type,
            policy="rfc7303",
            errors=ERRORS[number % 4],
            xml_chars="replace",
            declaration="blank",
            default_encoding="koi8-r",
        ),
        "strict": _decoded(body, content_type, lenient=False, errors=("strict", "replace")[number % 2]),
        "pieces": _in_pieces(body, content_type, number),
        "findings": _findings(body, content_type),
        "repair": (fixed.data, tuple(fixed.repairs)),
        "markup": _markup(decoded[0], 1 + number % 300),
        "tags": [_markup(text, 1 + number % 50) for text in tags],
        "start": [_start(page, 1 + number % 50) for page in pages],
        "lines": (_command(lines, OPTIONS[number % 5]), _findings(lines, None)),
    }


def line(number: int) -> str:
    """The recorded line of a document."""
    found = results(number)
    encoding, _, rule, *_ = found["decode"][2]
    sums = [f"{crc32(repr(value).encode('utf-8', 'surrogatepass')):08x}" for value in found.values()]
    return " ".join((str(number), encoding, rule, *sums))


def main() -> None:
    """Write the file, or print documents."""
    if len(sys.argv) == 1:
        names = " ".join(("number", "encoding", "rule", *results(0)))
        lines = [names, *map(line, range(DOCUMENTS))]
        OUT.write_text("".join(f"{one}\n" for one in lines), encoding="utf-8")
    for number in map(int, sys.argv[1:]):
        print(number, made(SEED, number))
        for name, value in results(number).items():
            print(f"    {name}: {value!r}")


if __name__ == "__main__":
    main()
