"""Record what is made of generated documents: of each the encoding, the rule, and a checksum of every result.

    python tests/making/record_results.py            writes tests/data/recorded_results.txt
    python tests/making/record_results.py 17 256     prints the results of these documents in full

The documents are those of tests/fuzz/documents.py, and for the repair of markup, tags at random. A
change of the code that is meant to change nothing changes no line here. Where one changes, print the document
in both trees and read the difference: each changed line needs a reason. Sentences are not recorded.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any
from zlib import crc32

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "fuzz"))

from documents import made
from support.cases import DATA

from feedcharset import DecodeError, Resolution, ResolutionError, XmlDecoder, check, decode, repair
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


def results(number: int) -> dict[str, Any]:
    """Everything that is made of a document."""
    _, content_type, body, _ = made(SEED, number)
    chance = random.Random(number)
    tags = "<rss>" + "".join(chance.choice(PARTS) for _ in range(chance.choice((4, 12, 40))))
    page = "".join(chance.choice(BEFORE_ROOT) for _ in range(chance.choice((1, 2, 3, 4, 6, 12))))
    page += chance.choice(("", "<rss><item/></rss>", "<feed/>", "<a>b</a>"))
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
        "tags": _markup(tags, 1 + number % 50),
        "start": _start(page, 1 + number % 50),
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
