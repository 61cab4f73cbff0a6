"""charset_labels.tsv against the sources of its labels: IANA's registry, the Encoding Standard, Python.

The rows of other sources (.NET, Java, MySQL, Oracle, iconv, Mozilla, labels seen in feeds) were written by
hand from the documents that charsets/labels.py names.
"""

from __future__ import annotations

import codecs
import csv
from typing import NamedTuple

from support.cases import DATA
from support.each import each
from webencodings.labels import LABELS as WHATWG

from feedcharset.charsets.lookup import by_name, lookup


class LabelRow(NamedTuple):
    """A row of charset_labels.tsv."""

    source: str
    label: str
    strict: str
    lenient: str


class Registered(NamedTuple):
    """A row of iana_labels.tsv."""

    label: str
    name: str
    mime: str


def read(name: str) -> list[list[str]]:
    """The rows of a table, without its head."""
    with open(DATA / name, encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]


ROWS = [LabelRow(*row) for row in read("charset_labels.tsv")]
IANA = {row[0].lower(): Registered(*row) for row in read("iana_labels.tsv")}
LATE = set(
    """
    iso_8859-1 iso_8859-2 iso_8859-3 iso_8859-4 iso_8859-5 iso_8859-6 iso_8859-7 iso_8859-8 iso_8859-9
    iso_8859-6-e iso_8859-6-i iso_8859-8-e iso_8859-8-i iso_8859-14 iso_8859-15 iso_8859-16 iso-8859-11
    pt154 cp154 cyrillic-asian cp037 cp278 ibm-1047 utf-7-imap unicode-1-1-utf-7
    """.split()  # noqa: SIM905
)
"""Registered aliases that ICU has for other standards, or not at all. So are many that begin with `cs`."""
SEVERAL = {"windows-31j", "cswindows31j"}
"""ICU reads Windows-31J and Shift_JIS with one converter; the registry has two charsets."""


def of(source: str) -> list[LabelRow]:
    """The rows of a source."""
    return [row for row in ROWS if row.source == source]


@each("row", of("IANA"), ids=lambda row: row.label)
def test_a_registered_label_names_the_charset_of_the_registry(row: LabelRow) -> None:
    label = row.label.lower()
    if label not in IANA:
        assert label in LATE or label.startswith("cs")
    elif label not in SEVERAL:
        registered = IANA[label]
        generic = {"ISO-10646-UCS-2": "UTF-16", "ISO-10646-UCS-4": "UTF-32"}
        assert row.strict in (registered.mime, registered.name, generic.get(registered.name))


def test_all_labels_of_a_registered_charset_are_known_or_none() -> None:
    """Also the aliases that charset_labels.tsv has for another source."""
    for row in IANA.values():
        if row.label not in ("windows-31j", "csWindows31J"):
            assert lookup(row.label) is lookup(row.name), row


def test_the_registry_is_used_where_the_table_has_the_charset() -> None:
    known = [row for row in IANA.values() if lookup(row.label) is not None]
    assert len(known) > 280
    assert {lookup(row.name).name for row in known} >= {"UTF-8", "ISO-8859-1", "IBM037", "Big5", "KOI8-R"}


def test_the_rows_of_the_encoding_standard_are_its_labels() -> None:
    listed = {row.label.lower() for row in ROWS if row.source in ("WHATWG", "name", "IANA")}
    assert {row.label for row in of("WHATWG")} <= set(WHATWG)
    assert set(WHATWG) <= listed


def test_labels_of_one_encoding_of_the_standard_are_read_alike() -> None:
    """Where IANA has two charsets for them, lenient decoding reads one as the other."""
    for row in of("WHATWG"):
        charset, encoding = by_name(row.lenient), lookup(WHATWG[row.label], lenient=True)
        assert encoding is not None
        assert encoding.superset in (charset.superset, encoding.name) or charset.refused, row


@each("row", of("Python"), ids=lambda row: row.label)
def test_a_name_of_python_names_its_codec(row: LabelRow) -> None:
    charset = by_name(row.lenient)
    if charset.codec is not None:
        name = codecs.lookup(row.label).name
        assert SAME_CHARSET.get(name, name) == codecs.lookup(charset.codec).name
    else:
        assert charset.name in ("UTF-16", "UTF-32") or charset.refused


SAME_CHARSET = {"tis-620": "iso8859-11", "shift_jisx0213": "shift_jis_2004"}
"""Codecs of Python for a part of a charset that another codec has whole."""
