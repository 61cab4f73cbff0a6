"""Structure-aware documents: a feed in a language and a charset, labels right and wrong, then damage.

A document is the function of a seed and a number, so that one that breaks a promise is made again alone:

    python tests/fuzz/run.py --documents 1 --first NUMBER --seed SEED

It is one feed of the right shape on which some of these are done: another label in the declaration or in
the Content-Type, a BOM, markup that is none, bytes replaced, removed or put in, text of another charset
pasted in, a cut, junk before it, a second document behind it.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))
sys.path.insert(0, str(TESTS.parent / "fixtures"))

from support import labelled_documents as labelled  # noqa: E402
from support.cases import DATA  # noqa: E402

__all__ = ["CHANGES", "Made", "made"]

LONGEST = 255
"""Bytes of a Content-Type: see targets.split. 255 stands for none."""


class Made(NamedTuple):
    """An input of the targets in three parts, and what was done to it."""

    choice: int
    content_type: str | None
    body: bytes
    changes: tuple[str, ...]


@cache
def labels() -> tuple[str, ...]:
    """Labels of every kind: those that are known, those that are refused, some that are nobody's."""
    rows = (DATA / "charset_labels.tsv").read_text(encoding="utf-8").splitlines()[1:]
    known = dict.fromkeys(row.split("\t")[1] for row in rows)
    return (
        *known,
        *labelled.WRONG.split(),
        "",
        " ",
        "none",
        "x" * 70,
        "utf-8 utf-8",
        "UTF_8",
        "zlib",
        "punycode",
    )


@cache
def sentences(language: str) -> tuple[str, ...]:
    """The texts of a language: titles, and paragraphs without their markup."""
    source = labelled._source(language)
    items = [text for item in source["items"] for text in (item["title"], item["author"], item["html"][:300])]
    return (source["title"], source["subtitle"], *items)


TYPES = (
    "text/xml",
    "application/xml",
    "application/rss+xml",
    "application/atom+xml",
    "text/html",
    "text/plain",
    "application/octet-stream",
    "image/svg+xml",
    "text/xml,text/html",
    "TEXT/XML",
    "xml",
    "*/*",
    "",
)
PARAMETERS = (
    "; charset={}",
    ";charset={}",
    '; charset="{}"',
    "; charset='{}'",
    "; Charset = {}",
    ", charset={}",
    "; charset={}; charset=utf-8",
    '; profile="a;charset=x"; charset={}',
    "; charset:{}",
    "; encoding={}",
    "; charset={};",
    " charset={}",
    '; charset="{}',
    "; charset=\t{}",
)
DECLARATIONS = (
    '<?xml version="1.0" encoding="{}"?>',
    "<?xml version='1.0' encoding='{}'?>",
    '<?xml version="1.0" encoding="{}" standalone="yes"?>\n',
    '<?xml version="1.1" encoding="{}"?>',
    '<?xml encoding="{}"?>',
    '<?xml encoding="{}" version="1.0"?>',
    '<?xml version="1.0"encoding="{}"?>',
    '<?xml version = "1.0"\r\n\tencoding = "{}" ?>',
    '<?XML version="1.0" encoding="{}"?>',
    '<?xml version="1.0" encoding={}?>',
    '<?xml version="1.0" encoding="{}">',
    '<?xml version="1.0" encoding="{}',
    '<?xml version="1.0" encoding=“{}”?>',
    '<?xml-stylesheet href="x" encoding="{}"?>',
    '<?xml version="1.0"?>{:.0}',
    "{:.0}",
)
MARKUP = (
    "<![endif]-->",
    "<!--[if mso]>",
    "<!DOCTYPE html>",
    '<!DOCTYPE rss [<!ENTITY u "Ü">]>',
    "<!if x>",
    "prix < 5 €",
    "<\u00a05",
    "a & b &nbsp; &copy &#8; &#xD800; &#1114112; &unknown;",
    "<![CDATA[ a ]] ]]>",
    "<![CDATA[ never closed",
    "]]>",
    "<!-- a -- b -->",
    "<!-- never closed",
    "<?php echo 1 ?>",
    "<?xml version='1.0' encoding='koi8-r'?>",
    "<a b=c d e='f\">",
    "</title></item></channel>",
    "<x:y xmlns:x=''/>",
    "<title>" * 5,
    "\ufeff",
    "\u200b\u00ad\u2028",
    "\ufffe\uffff\ufffd",
    "\0\x01\x1b\x7f\x85",
    "Ã©tÃ© â€™ РџСЂРёРІРµС‚",
    "😀👍🏽",
    "%n",
)
DAMAGE = (
    b"\xff",
    b"\x80",
    b"\xc3",
    b"\xe2\x80",
    b"\xf0\x9f\x98",
    b"\xc0\xaf",
    b"\xed\xa0\xbd\xed\xb8\x80",
    b"\xed\xa0\xbd",
    b"\xf4\x90\x80\x80",
    b"\x00",
    b"\x00\x00",
    b"\x1b",
    b"\x1b$B",
    b"\x1b(I",
    b"\x1b$)C",
    b"\x0e",
    b"\x81\x30\x80",
    b"\x8e",
    b"\x8f\xa1",
    b"\x85",
    b"\xa0",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\xd8\x00",
    b"\x1a",
    b"~{",
    b"+AGE-",
)
JUNK = (
    b"\n",
    b" \t\r\n",
    b"x",
    b"\x00",
    b"1f40\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=koi8-r\r\n\r\n",
    b"<br />\n<b>Warning</b>: mysql_connect() in <b>/rss.php</b> on line <b>12</b><br />\n",
    b"&#65279;",
    b"\xe2\x80\x8b",
    b"\xef\xbb\xbf",
    b"\xef\xbb\xbf\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xc3\xaf\xc2\xbb\xc2\xbf",
    b"<!-- cached -->",
    b"<html><body>error</body></html>",
    b"\x1f\x8b\x08\x00",
)


def _body(chance: random.Random, language: str, codec: str, declaration: str) -> bytes:
    """The feed itself, with markup that is none in one document of three."""
    texts = [chance.choice(sentences(language)) for _ in range(chance.choice((1, 1, 2, 3, 3, 5)))]
    if chance.random() < 0.3:
        texts[0] = texts[0][: chance.randint(0, 12)]
    if chance.random() < 0.33:
        texts = [part for text in texts for part in (text, chance.choice(MARKUP))]
    if chance.random() < 0.1:
        texts = texts * chance.randint(2, 12)
    items = "".join(f"<item><title>{text}</title></item>" for text in texts)
    root = chance.choice(("rss", "rss", "feed", "rdf:RDF", "html", "a"))
    end = chance.choice(("\n", "", "\r\n"))
    return f"{declaration}{end}<{root}>{items}</{root}>{end}".encode(
        codec, chance.choice(("ignore", "replace"))
    )


def _bytes_changed(chance: random.Random, body: bytes, language: str) -> bytes:
    """Some bytes are replaced, removed, or put in."""
    changed = bytearray(body)
    for _ in range(chance.choice((1, 1, 1, 2, 5, 20))):
        at = chance.randint(0, len(changed))
        length = chance.choice((0, 0, 0, 1, 1, 2, 4))
        new = chance.choice(DAMAGE) if chance.random() < 0.7 else bytes([chance.randrange(256)])
        changed[at : at + length] = new if chance.random() < 0.8 else b""
    return bytes(changed)


def _pasted(chance: random.Random, body: bytes, language: str) -> bytes:
    """Text of another charset within it."""
    pairs = labelled.CHARSETS[language].split() + labelled.UNICODE.split()
    codec = chance.choice(pairs).split("=")[1]
    for _ in range(chance.choice((1, 1, 3))):
        text = chance.choice(sentences(language))
        at = chance.randint(0, len(body))
        body = body[:at] + text.encode(codec, "ignore") + body[at:]
    return body


def _cut(chance: random.Random, body: bytes, language: str) -> bytes:
    return body[: chance.randint(0, len(body))]


def _cut_before(chance: random.Random, body: bytes, language: str) -> bytes:
    return body[chance.randint(0, min(len(body), 80)) :]


def _junk(chance: random.Random, body: bytes, language: str) -> bytes:
    return b"".join(chance.choice(JUNK) for _ in range(chance.choice((1, 1, 2)))) + body


def _twice(chance: random.Random, body: bytes, language: str) -> bytes:
    return body + chance.choice((b"", b"\n", b"x")) + body


def _blanks(chance: random.Random, body: bytes, language: str) -> bytes:
    """More ASCII than one read of a stream, or than the head, before the rest."""
    at = chance.randint(0, len(body))
    return body[:at] + chance.choice((b" ", b"a ", b"<!---->")) * chance.choice((10, 500, 3000)) + body[at:]


def _recoded(chance: random.Random, body: bytes, language: str) -> bytes:
    """Read in one charset, and written in another: mojibake, also of the markup."""
    return body.decode(chance.choice(("latin-1", "cp1251", "cp437")), "ignore").encode("utf-8")


CHANGES: dict[str, tuple[float, Callable[[random.Random, bytes, str], bytes]]] = {
    # how many documents it is done to, and what is done; in this order
    "blanks": (0.02, _blanks),
    "pasted": (0.12, _pasted),
    "recoded": (0.02, _recoded),
    "bytes": (0.35, _bytes_changed),
    "cut": (0.15, _cut),
    "cut-before": (0.03, _cut_before),
    "twice": (0.02, _twice),
    "junk": (0.12, _junk),
}


def _label(chance: random.Random, charset: str) -> str:
    """The right label for half of the documents, else an alias or any."""
    kind = chance.random()
    if kind < 0.5:
        return charset
    if kind < 0.65:
        return chance.choice(labelled.ALIASES.get(charset, charset).split())
    return chance.choice(labels())


def _content_type(chance: random.Random, charset: str) -> str | None:
    if chance.random() < 0.3:
        return None
    field = chance.choice(TYPES)
    if chance.random() < 0.6:
        field += chance.choice(PARAMETERS[:3] if chance.random() < 0.6 else PARAMETERS).format(
            _label(chance, charset)
        )
    if chance.random() < 0.05:
        at = chance.randint(0, len(field))
        field = field[:at] + chance.choice(('"', "\\", ";", ",", "\xa0", "\x00", "=", " ")) + field[at:]
    return field.encode("latin-1", "ignore")[: LONGEST - 1].decode("latin-1")


def made(seed: int, number: int) -> Made:
    """Document `number` of a seed."""
    chance = random.Random(f"{seed}:{number}")
    language = chance.choice(list(labelled.CHARSETS))
    pairs = labelled.CHARSETS[language].split()
    charset, codec = chance.choice([*pairs, *pairs, *labelled.UNICODE.split()]).split("=")
    shape = chance.choice(DECLARATIONS[:3] if chance.random() < 0.6 else DECLARATIONS)
    declared = shape.format(_label(chance, charset))
    body = _body(chance, language, codec, declared)
    if chance.random() < 0.12:
        bom = labelled.BOMS[charset] if charset in labelled.BOMS else chance.choice([*labelled.BOMS.values()])
        body = bom + body
    content_type = _content_type(chance, charset)
    done = []
    for name, (share, change) in CHANGES.items():
        if chance.random() < share:
            body = change(chance, body, language)
            done.append(name)
    return Made(chance.randrange(256), content_type, body, tuple(done))
