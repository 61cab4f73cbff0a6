"""A value of the wrong type is a TypeError at the door, with what to pass."""

from __future__ import annotations

import array
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest
from support.each import each

from feedcharset import (
    XmlDecoder,
    XmlReader,
    check,
    decode,
    iterparse,
    parse,
    repair_stream,
    resolve,
    user_agent,
)

BODY = "<r>Вести</r>".encode("koi8-r")
FUNCTIONS = {
    "decode": decode,
    "resolve": resolve,
    "XmlDecoder": lambda body, content_type=None: XmlDecoder(content_type).decode(body),
    "XmlReader": lambda body, content_type=None, **options: XmlReader(
        body, content_type=content_type, **options
    ),
    "check": lambda body, content_type=None, **options: check(body, content_type=content_type, **options),
    "parse": lambda body, content_type=None, **options: parse(body, content_type=content_type, **options),
    "iterparse": lambda body, content_type=None, **options: iterparse(
        body, content_type=content_type, **options
    ),
}
FOR_SOURCES = ["XmlReader", "check", "parse", "iterparse"]


@each("name", FUNCTIONS)
@each("body", [5, 0, [60], None, 1.5, {60}], ids=repr)
def test_what_is_no_document(name: str, body: Any) -> None:
    with pytest.raises(
        TypeError, match=r"^(pass the document's bytes, not|cannot open) (int|list|NoneType|float|set)"
    ):
        FUNCTIONS[name](body)


@pytest.mark.parametrize("method", ["open", "read_bytes"])
def test_half_of_a_path(method: str) -> None:
    """What lies in an archive has both; an archive has one of them."""
    with pytest.raises(TypeError, match=r"^cannot open SimpleNamespace; pass an http\(s\) URL"):
        XmlReader(SimpleNamespace(**{method: bytes}))


@each("name", FUNCTIONS)
@each("content_type", [5, ["text/xml"], {"Content-Type": "text/xml"}, bytearray(b"x")], ids=repr)
def test_what_is_no_content_type(name: str, content_type: Any) -> None:
    with pytest.raises(
        TypeError, match=r"^content_type must be the value of the Content-Type field, a str or bytes"
    ):
        FUNCTIONS[name](BODY, content_type)


@each("name", FOR_SOURCES)
@each("limits", [None, 5, {"total": 5}], ids=repr)
def test_what_is_no_limits(name: str, limits: Any) -> None:
    with pytest.raises(TypeError, match=r"^limits must be Limits\(\.\.\.\), not .*pass Limits\(total=None\)"):
        FUNCTIONS[name](BODY, limits=limits)


@each("name", FOR_SOURCES)
@each("headers", ["x", b"x", 5, [("A", "b")]], ids=repr)
def test_what_is_no_headers(name: str, headers: Any) -> None:
    with pytest.raises(TypeError, match=r"^headers must be a mapping, not .*; pass a dict"):
        FUNCTIONS[name](BODY, headers=headers)


@each("field", [5, None, ("A",)], ids=repr)
def test_what_is_no_name_of_a_header(field: Any) -> None:
    with pytest.raises(TypeError, match=r"^headers: a name must be a str, not \w+: "):
        XmlReader("http://127.0.0.1:9/", headers={field: "x"})


@pytest.mark.parametrize("read", [decode, XmlReader, parse, iterparse])
def test_what_is_no_number_or_no_label(read: Any) -> None:
    for number in (None, "1", 1.5, b"x", [1]):
        with pytest.raises(TypeError, match=r"^lookahead must be a number of bytes, an int; not "):
            read(BODY, lookahead=number)
        with pytest.raises(TypeError, match=r"^limit must be a number of findings, an int; not "):
            check(BODY, limit=number)
    for label in (1, b"utf-8", ["utf-8"]):
        with pytest.raises(TypeError, match=r"^default_encoding must be a label, a str, or None; not "):
            read(BODY, default_encoding=label)


@pytest.mark.parametrize("read", [decode, XmlReader, parse, iterparse, resolve])
@pytest.mark.parametrize("lenient", ["no", None, 2, [], ""])
def test_lenient_is_true_or_false(read: Any, lenient: Any) -> None:
    """`"no"` would be lenient, and `None` strict."""
    with pytest.raises(TypeError, match=r"^lenient must be True or False, not "):
        read(BODY, lenient=lenient)


def test_what_is_no_function_and_no_contact() -> None:
    with pytest.raises(TypeError, match=r"^progress must be a function of a number of bytes; not str"):
        repair_stream(BytesIO(BODY), BytesIO(), progress="yes")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^contact must be a URL or an e-mail address, a str; not bytes"):
        user_agent(b"a@b.example")  # type: ignore[arg-type]


def test_a_content_type_as_bytes() -> None:
    field = b"text/xml;charset=koi8-r"
    assert decode(BODY, field) == decode(BODY, field.decode())
    assert resolve(BODY, field) == resolve(BODY, field.decode())
    assert check(BODY, content_type=field) == check(BODY, content_type=field.decode())
    assert XmlDecoder(field).decode(BODY, True) == "<r>Вести</r>"
    with XmlReader(BODY, content_type=field) as reader:
        assert reader.read() == "<r>Вести</r>"


def test_other_bytes() -> None:
    for body in (bytearray(BODY), memoryview(BODY), array.array("B", BODY), memoryview(BODY[::-1])[::-1]):
        assert decode(body, "text/xml;charset=koi8-r").text == "<r>Вести</r>"
        assert resolve(body, "text/xml;charset=koi8-r", complete=True).encoding == "KOI8-R"


@pytest.mark.parametrize("encoding", [3, b"utf-8"])
def test_an_encoding_that_is_no_label(encoding: Any) -> None:
    for read in (decode, XmlReader):
        with pytest.raises(TypeError, match=r"^encoding must be a label, a str, or None; not "):
            read(b"<a/>", encoding=encoding)


@pytest.mark.parametrize("label", [3, b"utf-8"])
def test_a_detector_that_returns_no_label(label: Any) -> None:
    for read in (decode, XmlReader):
        with pytest.raises(TypeError, match=r"^a detector returns a label, a str, or None; not "):
            read(b"<a>\xe9\xe8</a>", detector=lambda data: label)
