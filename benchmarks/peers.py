"""Other libraries and programs that do the same work. One that is not installed is left out, and named."""

from __future__ import annotations

import shutil
import subprocess
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

__all__ = ["byteloop", "decoders", "missing", "program"]

HERE = Path(__file__).parent
BUILD = HERE / "_build"

Decode = Callable[[bytes, str | None], object]

missing: set[str] = set()
"""Peers that were asked for and are not installed."""


def decoders(*names: str) -> dict[str, Decode]:
    """Functions from a body and a Content-Type to text, by the name of the library; all without a name."""
    found = {}
    for name in names or _MAKERS:
        try:
            found[name] = _MAKERS[name]()
        except ImportError:
            missing.add(name)
    return found


def _w3lib() -> Decode:
    html_to_unicode = import_module("w3lib.encoding").html_to_unicode
    return lambda body, content_type: html_to_unicode(content_type, body)


def _resiliparse() -> Decode:
    encoding = import_module("resiliparse.parse.encoding")
    return lambda body, content_type: encoding.bytes_to_str(body, encoding.detect_encoding(body))


def _dammit() -> Decode:
    dammit = import_module("bs4.dammit").UnicodeDammit
    return lambda body, content_type: dammit(body).unicode_markup


def _feedparser() -> Decode:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        convert_to_utf8 = import_module("feedparser.encodings").convert_to_utf8

    def convert(body: bytes, content_type: str | None) -> object:
        result: dict[str, object] = {}
        headers = {"content-type": content_type} if content_type else {}
        return convert_to_utf8(headers, body, result)

    return convert


def _normalizer() -> Decode:
    from_bytes = import_module("charset_normalizer").from_bytes
    return lambda body, content_type: str(from_bytes(body).best())


_MAKERS: dict[str, Callable[[], Decode]] = {
    "w3lib": _w3lib,
    "resiliparse": _resiliparse,
    "UnicodeDammit": _dammit,
    "feedparser": _feedparser,
    "charset-normalizer": _normalizer,
}


def program(name: str) -> str | None:
    """The path of a program, or None."""
    path = shutil.which(name)
    if path is None:
        missing.add(name)
    return path


def byteloop() -> Path | None:
    """The detector in C, compiled when there is a compiler."""
    compiler = program("cc")
    if compiler is None:
        return None
    BUILD.mkdir(exist_ok=True)
    target = BUILD / "byteloop"
    subprocess.run([compiler, "-O2", "-o", target, HERE / "byteloop.c"], check=True)
    return target
