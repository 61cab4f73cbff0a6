"""`decode_arrays`: the values are those of `decode`, whatever Arrow type and layout holds the bodies."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import read_reports
from support.each import each

from feedcharset import decode
from feedcharset.batch import SCHEMA, decode_arrays

FEED = '<?xml version="1.0" encoding="windows-1251"?><a>Привет</a>'.encode("cp1251")


class Opaque(pa.ExtensionType):
    """An extension type over any storage, such as engines have for columns that they know by name."""

    def __init__(self, storage: pa.DataType) -> None:
        super().__init__(storage, "feedcharset.test")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""


BODIES = [
    *(b"", None, b"<a/>", FEED, "<a>é€𝄞</a>".encode()),
    *(b"\xef\xbb\xbf<a>\xc3\xa9</a>", b"<a>\x92</a>", None),
]
TYPES = [None, "text/xml", "", "application/xml", "text/xml; charset=ISO-8859-1", "text/xml", None, ""]


def expected(bodies: list[bytes | None], types: list[str | None], **options: Any) -> list[dict[str, Any]]:
    """The rows by a plain loop over decode."""
    return [_row(body, content_type, options) for body, content_type in zip(bodies, types, strict=True)]


def _row(body: bytes | None, content_type: str | None, options: dict[str, Any]) -> dict[str, Any]:
    if not body:
        return dict.fromkeys(SCHEMA.names)
    text, resolution, repairs = decode(body, content_type, **options)
    declared = resolution.facts.declared
    values = (text, resolution.encoding, declared, resolution.rule, repairs.count, None, None)
    return dict(zip(SCHEMA.names, values, strict=True))


EXPECTED = expected(BODIES, TYPES)

LAYOUTS = {
    "binary": pa.array(BODIES, pa.binary()),
    "large_binary": pa.array(BODIES, pa.large_binary()),
    "binary_view": pa.array(BODIES, pa.binary_view()),
    "dictionary": pa.array(BODIES, pa.binary()).dictionary_encode(),
    "dictionary of large_binary": pa.array(BODIES, pa.large_binary()).dictionary_encode(),
    "sliced": pa.array([FEED, b"x", *BODIES, b"y"], pa.binary()).slice(2, len(BODIES)),
    "sliced large_binary": pa.array([FEED, *BODIES, b"y"], pa.large_binary()).slice(1, len(BODIES)),
    "sliced view": pa.array([FEED, *BODIES, b"y"], pa.binary_view()).slice(1, len(BODIES)),
    "sliced dictionary": pa.array([FEED, *BODIES]).dictionary_encode().slice(1, len(BODIES)),
    "chunked": pa.chunked_array([BODIES[:3], [], BODIES[3:4], BODIES[4:]], pa.binary()),
    "extension": pa.ExtensionArray.from_storage(Opaque(pa.binary()), pa.array(BODIES, pa.binary())),
    "extension of a dictionary": pa.ExtensionArray.from_storage(
        Opaque(pa.dictionary(pa.int32(), pa.binary())), pa.array(BODIES, pa.binary()).dictionary_encode()
    ),
    "chunked views": pa.chunked_array([pa.array(BODIES[:5], pa.binary_view()), BODIES[5:]], pa.binary_view()),
}


@each("layout", LAYOUTS)
def test_the_layout_of_the_bodies_does_not_matter(layout: str) -> None:
    found = decode_arrays(LAYOUTS[layout], pa.array(TYPES))
    found.validate(full=True)
    assert found.to_pylist() == EXPECTED


CONTENT_TYPES = {
    "string": pa.array(TYPES, pa.string()),
    "large_string": pa.array(TYPES, pa.large_string()),
    "string_view": pa.array(TYPES, pa.string_view()),
    "dictionary": pa.array(TYPES).dictionary_encode(),
    "binary": pa.array([value and value.encode() for value in TYPES], pa.binary()),
    "binary_view": pa.array([value and value.encode() for value in TYPES], pa.binary_view()),
    "extension": pa.ExtensionArray.from_storage(Opaque(pa.string()), pa.array(TYPES)),
    "chunked": pa.chunked_array([TYPES[:1], [], TYPES[1:]], pa.string()),
    "sliced": pa.array(["x", *TYPES]).slice(1),
}


@each("layout", CONTENT_TYPES)
def test_the_layout_of_the_content_types_does_not_matter(layout: str) -> None:
    found = decode_arrays(LAYOUTS["chunked"], CONTENT_TYPES[layout])
    assert [row["text"] for row in found.to_pylist()] == [row["text"] for row in EXPECTED]
    assert found.to_pylist()[3:] == EXPECTED[3:]


@pytest.mark.parametrize("missing", [None, pa.nulls(len(BODIES)), pa.nulls(len(BODIES), pa.string())])
def test_a_missing_content_type_is_none(missing: Any) -> None:
    found = decode_arrays(LAYOUTS["binary"], missing)
    assert found.to_pylist() == expected(BODIES, [None] * len(BODIES))


def test_one_content_type_may_stand_for_all() -> None:
    found = decode_arrays(LAYOUTS["binary"], "text/xml; charset=koi8-r")
    assert found.to_pylist() == expected(BODIES, ["text/xml; charset=koi8-r"] * len(BODIES))


def test_a_content_type_that_is_no_utf8_is_read_as_iso_8859_1() -> None:
    header = pa.array([b"text/xml; charset=utf-8; x=\xe9"], pa.binary())
    broken = pa.Array.from_buffers(pa.string(), 1, header.buffers())
    assert decode_arrays(pa.array([b"<a/>"]), broken).to_pylist()[0]["rule"] == "2.5"


EMPTY = {
    "empty": pa.array([], pa.binary()),
    "empty slice": pa.array([b"<a/>"]).slice(1),
    "empty view": pa.array([], pa.binary_view()),
    "no chunks": pa.chunked_array([], pa.binary()),
    "nulls of no type": pa.nulls(3),
    "nulls": pa.nulls(3, pa.binary()),
    "null views": pa.nulls(3, pa.binary_view()),
    "null dictionary": pa.array([None] * 3, pa.binary()).dictionary_encode(),
    "empty dictionary": pa.array([b""]).dictionary_encode().slice(1),
}


@each("layout", EMPTY)
def test_empty_and_null_columns(layout: str) -> None:
    found = decode_arrays(EMPTY[layout])
    found.validate(full=True)
    assert found.type == pa.struct(list(SCHEMA))
    assert found.to_pylist() == [dict.fromkeys(SCHEMA.names)] * len(EMPTY[layout])


@pytest.mark.parametrize("wide", [pa.large_binary(), pa.dictionary(pa.int8(), pa.large_binary())])
def test_large_binary_gives_large_string(wide: pa.DataType) -> None:
    found = decode_arrays(pa.array([None], pa.large_binary()).cast(wide))
    assert found.type.field("text").type == pa.large_string()


def test_fixed_size_binary_is_binary() -> None:
    assert decode_arrays(pa.array([b"<a/>"], pa.binary(4))).to_pylist()[0]["text"] == "<a/>"


@each(
    ("body", "sentence"),
    [
        (pa.array(["<a/>"]), "decoded already"),
        (pa.array(["<a/>"], pa.large_string()), "decoded already"),
        (pa.array(["<a/>"], pa.string_view()), "decoded already"),
        (pa.array(["<a/>"]).dictionary_encode(), "decoded already"),
        (pa.array([1]), "the body is int64"),
        (pa.array([[b"<a/>"]]), "the body is list"),
        (pa.ExtensionArray.from_storage(Opaque(pa.string()), pa.array(["<a/>"])), "decoded already"),
        (
            [b"<a/>"],
            r"builtins.list is no pyarrow.Array or pyarrow.ChunkedArray; pass pyarrow.array\(values\)$",
        ),
        (b"<a/>", "builtins.bytes is no pyarrow.Array or pyarrow.ChunkedArray; pass Arrow data"),
    ],
)
def test_a_column_without_bytes_is_refused(body: Any, sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence):
        decode_arrays(body)


def test_a_column_of_another_library_is_refused() -> None:
    import pandas as pd
    import polars as pl

    for body, sentence in (
        (pd.Series([b"<a/>"]), r"pandas.Series is no pyarrow.Array .*; pass pyarrow.array\(series\)$"),
        (pl.Series([b"<a/>"]), r"polars.Series is no pyarrow.Array .*; pass series.to_arrow\(\)"),
    ):
        with pytest.raises(TypeError, match=sentence):
            decode_arrays(body)


def test_a_content_type_that_is_none_is_refused() -> None:
    import polars as pl

    with pytest.raises(TypeError, match="content_type is int64"):
        decode_arrays(pa.array([b""]), pa.array([1]))
    with pytest.raises(ValueError, match="2 values of content_type for 1 bodies"):
        decode_arrays(pa.array([b""]), pa.array(["", ""]))
    for values, instead in (
        (["text/xml"], r"pass pyarrow.array\(values\)$"),
        (pl.Series(["text/xml"]), "series.to_arrow"),
    ):
        with pytest.raises(TypeError, match=instead):
            decode_arrays(pa.array([b""]), values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [
        {"errors": "ignore"},
        {"encoding": "zlib"},
        {"policy": "rfc1"},
        {"max_bytes": 0},
        {"ratio": 0},
        {"xml_chars": "eat"},
    ],
)
def test_an_option_that_makes_no_sense_is_refused_at_once(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"errors|encoding|policy|max_bytes|ratio|xml_chars"):
        decode_arrays(pa.nulls(0), **options)


def test_an_option_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match="charset"):
        decode_arrays(pa.nulls(0), charset="utf-8")  # type: ignore[call-arg]


OPTIONS: list[dict[str, Any]] = [
    {"declaration": "keep"},
    {"errors": "replace"},
    {"xml_chars": "replace"},
    {"mojibake": "fix"},
    {"encoding": "koi8-r"},
    {"default_encoding": "windows-1251"},
    {"policy": "rfc7303"},
    {"detector": None},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_options_are_those_of_decode(options: dict[str, Any]) -> None:
    assert decode_arrays(LAYOUTS["binary"], pa.array(TYPES), **options).to_pylist() == expected(
        BODIES, TYPES, **options
    )


def test_the_documents_of_the_fixtures_are_read_as_decode_reads_them() -> None:
    """Every third, besides what decode does not unpack."""
    rows = [row for row in islice(read_reports(), 0, None, 3) if row.kind not in ("gzip", "zstd", "PDF")]
    bodies, types = [row.body for row in rows], [row.content_type for row in rows]
    found = decode_arrays(pa.array(bodies, pa.binary()), pa.array(types, pa.string()))
    assert len(rows) > 200
    assert found.to_pylist() == expected(bodies, types)  # type: ignore[arg-type]


DECLARATIONS = st.sampled_from(
    [
        "",
        "\ufeff",
        " ",
        '<?xml version="1.0" encoding="utf-8"?>',
        "<?xml encoding='utf-8'?>",
        '<?xml version="1.0" encoding="é"?>',
        '<?xml version="1.0" encoding="utf-8">',
        '<?xml version="1.0" encoding="utf-8"',
        '<?xml version="1.0" encoding="utf-8"<a>é',
        '\ufeff<?xml version="1.0" encoding="gbk"?>',
    ]
)


@given(DECLARATIONS, st.text(st.sampled_from("<>aé€𝄞\0 \ufeff\"'?"), max_size=20), st.binary(max_size=3))
def test_the_text_is_that_of_decode(declaration: str, text: str, tail: bytes) -> None:
    """The bytes of clean UTF-8 are not decoded and encoded again; nobody can tell."""
    body = (declaration + text).encode() + tail
    assert decode_arrays(pa.array([body])).to_pylist() == expected([body], [None])
