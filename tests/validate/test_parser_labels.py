"""The table of labels that libxml2 and expat cannot read, held against the parsers themselves."""

from __future__ import annotations

import importlib.util
from types import ModuleType
from xml.parsers import expat

from lxml import etree
from support.cases import FIXTURES
from support.each import each

from feedcharset import check
from feedcharset.charsets.lookup import NAMES, by_name, lookup
from feedcharset.charsets.single_byte import byte_table
from feedcharset.validate.parser_labels import EXPAT, LIBXML2, parsers_without


def _maker() -> ModuleType:
    """fixtures/make_parser_labels.py, by its path."""
    spec = importlib.util.spec_from_file_location("make_parser_labels", FIXTURES / "make_parser_labels.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKER = _maker()
SAME_VERSIONS = (
    f"libxml2 {'.'.join(map(str, etree.LIBXML_VERSION))}" == LIBXML2
    and expat.EXPAT_VERSION.replace("_", " ") == EXPAT
)


def test_the_table_is_what_the_script_writes() -> None:
    """With the versions that the table names, it is exact; with others at least the usual labels are read."""
    if SAME_VERSIONS:
        assert MAKER.TARGET.read_text(encoding="utf-8") == MAKER.build()
    for label in ("utf-8", "utf-16", "iso-8859-1", "us-ascii"):
        body, text = MAKER.document(label, by_name(label.upper()))
        assert MAKER.libxml2_opens(body, text)
        assert MAKER.expat_opens(body, text)
        assert parsers_without(label) == ()


LABELS = [name for name in NAMES if by_name(name).family not in ("refused", "UCS-4")]


@each("name", LABELS)
def test_a_label_that_a_parser_cannot_read_is_never_silent(name: str) -> None:
    body, text = MAKER.document(name, by_name(name))
    report = check(body)
    reads = MAKER.libxml2_opens(body, text) and MAKER.expat_opens(body, text)
    found = {finding.code for finding in report.findings if finding.severity != "info"}
    if SAME_VERSIONS:
        assert ("encoding-unsupported" in found) is not reads
        assert report.clean is reads


@each(
    "label",
    ["macintosh", "MacCyrillic", "MacGreek", "MacTurkish", "TIS-620", "KOI8-U", "windows-1251", "KOI8-R"],
    every=4,
)
def test_a_character_that_libxml2_reads_otherwise_is_never_silent(label: str) -> None:
    charset = lookup(label)
    assert charset is not None
    for byte in range(0x80, 0x100) if SAME_VERSIONS else ():
        char = byte_table(charset.superset, True)[byte]
        if "\x80" <= char <= "\x9f" or "\udc80" <= char <= "\udcff" or char == "Ω":
            continue
        body = b'<?xml version="1.0" encoding="%b"?><a>%c</a>' % (label.encode(), byte)
        found = {finding.code for finding in check(body).findings if finding.severity != "info"}
        strictly = bytes([byte]).decode(charset.codec or "", "ignore")
        assert found or MAKER.libxml2_opens(body, char), byte
        assert "encoding-unsupported" not in found or not MAKER.libxml2_opens(body, char), byte
        assert strictly or "undecodable" in found, byte


def test_the_label_is_looked_up_in_any_case() -> None:
    assert parsers_without(" X-SJIS ") == parsers_without("x-sjis") == (LIBXML2, EXPAT)
    assert parsers_without("windows-1251") == parsers_without("no such label") == ()
