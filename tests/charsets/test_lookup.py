"""The closed table of charsets, and which of them a label names."""

from __future__ import annotations

import ast
import codecs
import csv
import encodings
import encodings.aliases
import inspect
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import encoding_standard
from support.cases import DATA
from support.each import each
from webencodings.labels import LABELS as WHATWG

from feedcharset.charsets import labels as charset_labels
from feedcharset.charsets import lookup as charsets
from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import MAX_LABEL, NAMES, Charset, by_name, lookup
from feedcharset.charsets.single_byte import byte_table
from feedcharset.text.byte_replacement import replaced_unit


class LabelRow(NamedTuple):
    """One row of charset_labels.tsv: where the label is from, and what it names."""

    source: str
    label: str
    strict: str
    lenient: str


SAME_CHARSET = ("utf_16", "utf_32", "tis_620", "shift_jisx0213", "euc_jisx0213")
"""Codecs of Python that are not used, whose names are known: another one decodes the charset."""


def _rows() -> list[LabelRow]:
    with open(DATA / "charset_labels.tsv", encoding="utf-8", newline="") as lines:
        rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        return [LabelRow(*row) for row in rows]


ROWS = _rows()
NAMES_OF_STANDARD = {name.lower(): name for name in encoding_standard.ENCODINGS}
DECODABLE = [by_name(name) for name in NAMES if not by_name(name).refused]
SINGLE = [charset for charset in DECODABLE if charset.family in ("single", "EBCDIC", "US-ASCII")]

# All that may ever reach Python's registry. Each was looked at: none makes markup or surrogates out of
# anything else, none takes more than linear time.
SAFE_CODECS = set(
    """
    ascii latin_1 iso8859_2 iso8859_3 iso8859_4 iso8859_5 iso8859_6 iso8859_7 iso8859_8 iso8859_9 iso8859_10
    iso8859_11 iso8859_13 iso8859_14 iso8859_15 iso8859_16 cp874 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255
    cp1256 cp1257 cp1258 koi8_r koi8_u koi8_t ptcp154 kz1048 mac_roman mac_cyrillic mac_greek mac_turkish
    mac_iceland mac_latin2 mac_croatian mac_romanian hp_roman8 cp437 cp720 cp737 cp775 cp850 cp852 cp855
    cp856 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 cp866 cp869 cp1006 cp1125 cp037 cp273 cp424 cp500
    cp875 cp1026 cp1140 utf_8 utf_16_be utf_16_le utf_32_be utf_32_le gb2312 gbk gb18030 big5 big5hkscs
    cp950 shift_jis cp932 shift_jis_2004 euc_jp euc_jis_2004 euc_kr cp949 iso2022_jp
    """.split()  # noqa: SIM905
)


def name_of(charset: Charset | None) -> str:
    return "-" if charset is None else charset.name


@each("source", sorted({row.source for row in ROWS}))
def test_table_of_labels(source: str) -> None:
    wrong = [
        row
        for row in ROWS
        if row.source == source
        and (name_of(lookup(row.label)), name_of(lookup(row.label, lenient=True))) != row[2:]
    ]
    assert wrong == []


def test_case_and_white_space_around_a_label_do_not_count() -> None:
    for row in ROWS:
        for label in (row.label.upper(), row.label.title(), f" \t{row.label}\r\n"):
            if len(label) <= MAX_LABEL:
                assert name_of(lookup(label)) == row.strict
                assert name_of(lookup(label, lenient=True)) == row.lenient


def test_strict_knows_nothing_that_lenient_reads_otherwise() -> None:
    assert [row for row in ROWS if row.strict not in ("-", row.lenient)] == []


def test_every_name_is_a_label_of_itself() -> None:
    for charset in map(by_name, NAMES):
        assert lookup(charset.name) is (None if charset.family == "UCS-4" else charset)


def test_by_name_takes_names_only() -> None:
    with pytest.raises(KeyError):
        by_name("utf-8")


def test_every_label_of_the_encoding_standard_is_known() -> None:
    assert len(WHATWG) == 228
    assert [label for label in WHATWG if lookup(label) is None] == []


def test_an_encoding_that_nobody_knows_yet_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charsets, "_standard_labels", lambda: {"x-future": "future-8", "x-x-utf8": "utf-8"})
    labels = charsets._by_label.__wrapped__()
    assert "x-future" not in labels
    assert labels["x-x-utf8"].name == "UTF-8"


def test_the_labels_of_the_standard_are_none_without_webencodings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "webencodings.labels", None)
    with pytest.warns(RuntimeWarning, match="pip install webencodings"):
        assert charsets._standard_labels() == {}


WITHOUT_WEBENCODINGS = """
import sys, warnings
sys.modules["webencodings"] = sys.modules["webencodings.labels"] = None
from feedcharset import decode, resolve
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for label in ("windows-1251", "win1251"):
        print(decode("<a>Привет</a>".encode("cp1251"), f"text/xml; charset={label}").resolution.encoding)
print(*(one.message for one in caught), sep="\\n")
"""


def test_without_webencodings_labels_are_known_but_those_of_the_standard_alone() -> None:
    """Lenient reading goes on, and a warning, once, names what to install."""
    command = [sys.executable, "-c", WITHOUT_WEBENCODINGS]
    shown = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.splitlines()
    assert shown == [
        "windows-1251",
        "windows-1251",
        "webencodings is not installed: labels that only the Encoding Standard has are unknown; "
        "pip install webencodings",
    ]


@pytest.mark.long
@each("label", [label for label in sorted(WHATWG) if WHATWG[label] in NAMES_OF_STANDARD])
def test_lenient_reading_agrees_with_the_encoding_standard(label: str) -> None:
    """Encoding Standard §4.2: the label names the encoding that decodes the document."""
    charset = lookup(label, lenient=True)
    assert charset is not None
    if charset.name == "UTF-16":
        return  # without a byte order; the BOM or the first bytes give it
    encoding = NAMES_OF_STANDARD[WHATWG[label]]
    for byte in range(256):
        for data in (bytes([byte]), bytes([byte]) + b"\xe4A"):
            text = charset_decoder(charset, lenient=True).decode(data, True)
            shown = replaced_unit(charset.family, "replace").sub("\ufffd", text)
            assert shown == encoding_standard.text_of(encoding_standard.decode(encoding, data))


def test_pythons_names_are_known_wherever_the_table_has_the_charset() -> None:
    of_codec = {charset.codec: charset.name for charset in DECODABLE if charset.codec}
    # IANA and the Encoding Standard come first.
    elsewhere = {"chinese": "GBK", "csiso58gb231280": "GBK", "iso_ir_58": "GBK", "ms_kanji": "Shift_JIS"}
    known = {alias: codec for alias, codec in encodings.aliases.aliases.items() if codec in of_codec}
    for alias, codec in known.items():
        assert name_of(lookup(alias, lenient=True)) == elsewhere.get(alias, of_codec[codec])


def test_what_python_calls_a_codec_and_is_none_is_never_decoded() -> None:
    """No label reaches zlib, punycode, unicode_escape and their like, however it is written."""
    of_codec = {charset.codec for charset in DECODABLE}
    for alias, codec in encodings.aliases.aliases.items():
        for label in {alias, codec, alias.replace("_", "-"), codec.replace("_", "-")}:
            charset = lookup(label, lenient=True)
            if codec not in of_codec and codec not in SAME_CHARSET:
                assert charset is None or charset.refused


def test_codecs_are_constants_of_the_table() -> None:
    assert {charset.codec for charset in DECODABLE} - {None} == SAFE_CODECS
    assert all(charset.codec is None for charset in map(by_name, NAMES) if charset.refused)


@contextmanager
def _registry() -> Iterator[list[str]]:
    """What Python's registry of codecs is asked for."""
    asked: list[str] = []

    def search(name: str) -> None:
        asked.append(name)

    codecs.register(search)
    try:
        yield asked
    finally:
        codecs.unregister(search)


@given(st.text(max_size=80) | st.sampled_from([row.label for row in ROWS]), st.booleans())
def test_no_label_reaches_the_registry_and_nothing_grows(label: str, lenient: bool) -> None:
    """lookup is total: any string is a charset's label or nobody's, and nothing is remembered of it."""
    lookup("x", lenient=True)
    sizes = len(charsets._by_label()), len(charsets._by_short_label()), len(encodings._cache)
    with _registry() as asked:
        found = lookup(label, lenient=lenient)
    assert found is None or found is by_name(found.name)
    assert asked == []
    assert sizes == (len(charsets._by_label()), len(charsets._by_short_label()), len(encodings._cache))
    if not label.isascii() or len(label) > MAX_LABEL:
        assert found is None


def test_the_module_of_labels_imports_no_codec() -> None:
    for module in (charsets, charset_labels):
        tree = ast.parse(inspect.getsource(module))
        imported = {
            name
            for node in ast.walk(tree)
            for name in (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
        }
        assert not imported & {"codecs", "encodings", "webencodings"}
        called = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not called & {"decode", "encode"}


@pytest.mark.parametrize(
    "label",
    ["utf‐8", "utf-8\u00a0", "\u212aoi8-r", "ｕｔｆ-8", "utf-8\0", "\x1futf-8", "utf-8" + " " * MAX_LABEL],
)
def test_what_only_looks_like_a_label_is_none(label: str) -> None:
    assert lookup(label) is None
    assert lookup(label, lenient=True) is None


def test_the_longest_label_of_iana_is_short_enough() -> None:
    longest = max((row.label for row in ROWS if row.strict != "-"), key=len)
    assert longest == "extended_unix_code_packed_format_for_japanese"
    assert len(longest) <= MAX_LABEL


def test_two_labels_with_one_short_form_name_one_charset() -> None:
    short: dict[str, set[str]] = {}
    for row in ROWS:
        if row.strict != "-":
            short.setdefault(row.label.translate(charsets._DROPPED).lower(), set()).add(row.strict)
    assert {key: names for key, names in short.items() if len(names) > 1} == {
        "gb2312": {"GB2312", "GBK"},
        "gb231280": {"GB2312", "GBK"},
        "mskanji": {"Shift_JIS", "Windows-31J"},
    }


@each("charset", SINGLE, ids=lambda charset: charset.name)
def test_which_charsets_decode_every_byte(charset: Charset) -> None:
    text = charset_decoder(charset, lenient=True).decode(bytes(range(256)), True)
    assert charset.decodes_every_byte == (not any("\udc00" <= character <= "\udcff" for character in text))


@each("charset", SINGLE, ids=lambda charset: charset.name)
def test_ascii_compatible(charset: Charset) -> None:
    """Bytes 00-7F are US-ASCII, and no other byte is: so there is no hidden markup."""
    table = byte_table(charset.name, False)
    assert charset.ascii_compatible == (table[:128] == "".join(map(chr, range(128))))
    assert charset.ascii_compatible == (charset.family != "EBCDIC")
    if charset.ascii_compatible:
        assert not any(character.isascii() for character in table[128:])


def test_kinds_of_page() -> None:
    pages: dict[str, set[str]] = {}
    for charset in DECODABLE:
        pages.setdefault(charset.page, set()).add(charset.name)
    assert pages["western"] == {
        "US-ASCII", "ISO-8859-1", "ISO-8859-9", "ISO-8859-15", "windows-1252", "windows-1254", "macintosh",
    }  # fmt: skip
    assert pages["central"] == {
        "windows-1250", "windows-1257", "ISO-8859-2", "ISO-8859-3", "ISO-8859-4", "ISO-8859-10",
        "ISO-8859-13", "ISO-8859-14", "ISO-8859-16",
    }  # fmt: skip
    assert pages["thai"] == {"TIS-620", "windows-874"}
    assert {charset.page for charset in DECODABLE if charset.family in ("CJK", "ISO-2022-JP")} == {"cjk"}
    assert {charset.family for charset in DECODABLE if not charset.page} == {
        "UTF-8", "UTF-16", "UTF-32", "UCS-4", "EBCDIC",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("page", "letters"),
    [("cyrillic", "АБВ"), ("greek", "ΑΒΓ"), ("hebrew", "אבג"), ("thai", "กขค"), ("latin", "éü")],
)
def test_a_page_has_the_letters_of_its_kind(page: str, letters: str) -> None:
    for charset in SINGLE:
        table = byte_table(charset.name, False)
        if charset.page == page and charset.name not in ("x-mac-ce", "x-mac-croatian", "x-mac-romanian"):
            assert set(letters) <= set(table), charset.name


def test_properties_of_families() -> None:
    assert by_name("UTF-8").self_proving
    assert by_name("GBK").self_proving
    assert not by_name("windows-1252").self_proving
    assert not by_name("GBK").decodes_every_byte
    assert by_name("GBK").ascii_compatible
    assert not by_name("UTF-16LE").ascii_compatible
    refused = by_name("ISO-2022-KR")
    assert refused.refused
    assert not refused.ascii_compatible
    assert not refused.self_proving
    assert not refused.decodes_every_byte


def test_supersets_are_names_of_the_table() -> None:
    for charset in map(by_name, NAMES):
        superset = by_name(charset.superset)
        assert superset.superset == superset.name
        assert superset.family == charset.family or charset.family == "US-ASCII"


def test_the_data_names_charsets_of_the_table() -> None:
    for table in charset_labels.labels_by_source().values():
        assert set(table) <= set(NAMES)
        labels = [label for found in table.values() for label in found]
        assert len(labels) == len(set(labels))
        assert all(label == label.lower() and label.isascii() for label in labels)


def test_charsets_pickle() -> None:
    for charset in map(by_name, NAMES):
        assert pickle.loads(pickle.dumps(charset)) == charset
