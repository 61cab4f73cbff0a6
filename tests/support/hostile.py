"""Documents that are written to harm whoever parses them, and a process of its own to parse one in.

`python -m support.hostile DOCUMENT...` parses each in every way and prints, as JSON, what came of it and what
it took.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from typing import Any

__all__ = ["HOSTILE", "SECRET"]

SECRET = "the secret of the house"
MILLION = 1_000_000
"""A tenth of what libxml2 takes as one token."""
MANY = 60_000
"""Tags or references: enough to show work that grows faster than the document."""


def _laughs(percent: str = "") -> str:
    """Entities that hold ten of the one before, ten times over; 10**9 in the end."""
    name = f"{percent} a" if percent else "a"
    sign = "&#37;" if percent else "&"
    lines = [f'<!ENTITY {name}0 "ha">']
    lines += [f'<!ENTITY {name}{n} "{f"{sign}a{n - 1};" * 10}">' for n in range(1, 10)]
    return "".join(lines)


def _many(count: int, form: str) -> str:
    return "".join(map(form.format, range(count)))


def _dtd(subset: str, content: str = "x") -> str:
    return f"<!DOCTYPE r [{subset}]><r>{content}</r>"


HOSTILE: dict[str, Callable[[str, str], str]] = {
    # name: the document, made from the URLs of the file and of the port
    "external entity, file": lambda file, web: _dtd(f'<!ENTITY x SYSTEM "{file}">', "&x;"),
    "external entity, network": lambda file, web: _dtd(f'<!ENTITY x SYSTEM "{web}/x">', "&x;"),
    "external entity, public": lambda file, web: _dtd(f'<!ENTITY x PUBLIC "x" "{web}/x">', "&x;"),
    "external entity, in an attribute": lambda file, web: (
        f'<!DOCTYPE r [<!ENTITY x SYSTEM "{file}">]><r a="&x;"/>'
    ),
    "external entity, unparsed": lambda file, web: _dtd(
        f'<!NOTATION n SYSTEM "{web}/n"><!ENTITY x SYSTEM "{file}" NDATA n>', "&x;"
    ),
    "external entity, by another": lambda file, web: _dtd(
        f'<!ENTITY x SYSTEM "{file}"><!ENTITY y "&x;">', "&y;"
    ),
    "external subset, file": lambda file, web: f'<!DOCTYPE r SYSTEM "{file}"><r>&x;</r>',
    "external subset, network": lambda file, web: f'<!DOCTYPE r PUBLIC "x" "{web}/dtd"><r>&nbsp;</r>',
    "parameter entity, file": lambda file, web: _dtd(f'<!ENTITY % p SYSTEM "{file}"> %p;', "&x;"),
    "parameter entity, network": lambda file, web: _dtd(f'<!ENTITY % p SYSTEM "{web}/p"> %p;'),
    "parameter entity, sent out": lambda file, web: _dtd(
        f'<!ENTITY % f SYSTEM "{file}"><!ENTITY % d SYSTEM "{web}/d"> %d; %all; %send;', "&x;"
    ),
    "stylesheet, schema, inclusion": lambda file, web: (
        f'<?xml-stylesheet href="{web}/x"?><r xmlns:i="http://www.w3.org/2001/XInclude" '
        'xmlns:s="http://www.w3.org/2001/XMLSchema-instance" '
        f's:schemaLocation="x {web}/s"><i:include href="{file}" parse="text"/></r>'
    ),
    "billion laughs": lambda file, web: _dtd(_laughs(), "&a9;"),
    "billion laughs, in an attribute": lambda file, web: f'<!DOCTYPE r [{_laughs()}]><r a="&a9;"/>',
    "billion laughs, parameter entities": lambda file, web: _dtd(_laughs("%") + "%a9;"),
    "quadratic blow-up": lambda file, web: _dtd(f'<!ENTITY a "{"x" * 100_000}">', "&a;" * 50_000),
    "quadratic blow-up, in attributes": lambda file, web: _dtd(
        f'<!ENTITY a "{"x" * 100_000}">', '<b a="&a;&a;&a;&a;"/>' * 10_000
    ),
    "an entity within itself": lambda file, web: _dtd('<!ENTITY a "&b;"><!ENTITY b "&a;">', "&a;"),
    "many entities": lambda file, web: _dtd(_many(MANY, '<!ENTITY a{} "x">')),
    "deep nesting": lambda file, web: "<a>" * MANY,
    "deep nesting, closed": lambda file, web: "<a>" * MANY + "</a>" * MANY,
    "a long attribute": lambda file, web: f'<r a="{"x" * 10 * MILLION}"/>',
    "a long attribute of references": lambda file, web: f'<r a="{"&lt;" * (10 * MILLION // 4)}"/>',
    "a long attribute that does not end": lambda file, web: f'<r a="{"x" * 11 * MILLION}',
    "a long text": lambda file, web: f"<r>{'x' * 11 * MILLION}</r>",
    "a long CDATA section": lambda file, web: f"<r><![CDATA[{']]' * 2 * MILLION}]]></r>",
    "a long comment that does not end": lambda file, web: f"<r><!--{'- ' * 2 * MILLION}",
    "a long name": lambda file, web: f"<{'x' * 10 * MILLION}/>",
    "a document type that does not end": lambda file, web: f"<!DOCTYPE r [{'<!ENTITY a ' * (MANY)}",
    "many attributes": lambda file, web: "<r" + _many(200_000, ' a{}="x"') + "/>",
    "many namespaces": lambda file, web: "<r" + _many(50_000, ' xmlns:a{0}="u{0}"') + "/>",
    "many ampersands": lambda file, web: f"<r>{'&' * MANY}</r>",
    "many unknown entities": lambda file, web: f"<r>{'&a;' * MANY}</r>",
    "many markup declarations": lambda file, web: f"<r>{_many(25_000, '<!a{}>')}</r>",
    "debris that does not end": lambda file, web: "x" + "<br>" * MANY + "<?xml " * MANY,
    "many errors": lambda file, web: f"<r>{'</a>' * MANY}</r>",
}


def ways() -> Iterator[tuple[str, Callable[[str], Any]]]:
    """Every way to parse, by name; each gives the elements that a document was made into."""
    from feedcharset import iterparse, parse

    for lenient in (True, False):
        name = "lenient" if lenient else "strict"
        yield f"parse, {name}", lambda path, lenient=lenient: parse(path, lenient=lenient).iter()
        for tag in (None, "r", "b"):
            yield (
                f"iterparse {tag}, {name}",
                lambda path, lenient=lenient, tag=tag: (
                    element for _, element in iterparse(path, tag, lenient=lenient)
                ),
            )


def holds_secret(element: Any) -> bool:
    """Whether the secret got into an element."""
    return any(SECRET in str(text) for text in (element.text, element.tail, element.get("a")))


def main(*paths: str) -> None:
    """Parse documents in every way, each in a process of its own, and tell what came of it."""
    from lxml import etree

    every_way = list(ways())
    with tempfile.NamedTemporaryFile(suffix=".xml") as harmless:  # what is made once is made before the forks
        harmless.write(b"<!DOCTYPE r [<!ENTITY e 'x'>]><r a='&e;'><b>&e;&nbsp;</r>")
        harmless.flush()
        for _, parse in every_way:
            with suppress(etree.XMLSyntaxError):
                list(parse(harmless.name))
    for path, (way, parse) in product(paths, every_way):
        if not (child := os.fork()):
            start = time.process_time()
            try:
                outcome = "SECRET" if any(map(holds_secret, parse(path))) else "tree"
            except Exception as error:
                outcome = f"{type(error).__name__}: {str(error)[:200]}"
            print(json.dumps([way, outcome, round(time.process_time() - start, 3)]), end=" ", flush=True)
            os._exit(0)
        _, status, used = os.wait4(child, 0)
        assert status == 0, way
        print(used.ru_maxrss // (2**20 if sys.platform == "darwin" else 2**10), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
