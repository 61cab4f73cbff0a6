"""The peers: what else decodes, detects or repairs. One that is not installed is reported as absent."""

from __future__ import annotations

import shutil
import subprocess
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

__all__ = ["byteloop", "decoders", "program"]

HERE = Path(__file__).parent
BUILD = HERE / "_build"
MEDIA_TYPE = "application/atom+xml"


def decoders(body: bytes) -> tuple[dict[str, Callable[[], object]], list[str]]:
    """Functions that make text of a feed, and the names of those that are absent."""
    makers = {
        "w3lib html_to_unicode": _w3lib,
        "bs4 UnicodeDammit": _dammit,
        "feedparser convert_to_utf8": _feedparser,
        "chardet": _chardet,
        "charset-normalizer": _normalizer,
    }
    present, absent = {}, []
    for name, make in makers.items():
        try:
            present[name] = make(body)
        except ImportError:
            absent.append(name)
    return present, absent


def _w3lib(body: bytes) -> Callable[[], object]:
    html_to_unicode = import_module("w3lib.encoding").html_to_unicode
    return lambda: html_to_unicode(MEDIA_TYPE, body)


def _dammit(body: bytes) -> Callable[[], object]:
    dammit = import_module("bs4.dammit").UnicodeDammit
    return lambda: dammit(body).unicode_markup


def _feedparser(body: bytes) -> Callable[[], object]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        convert_to_utf8 = import_module("feedparser.encodings").convert_to_utf8

    def convert() -> object:
        result: dict[str, object] = {}
        return convert_to_utf8({"content-type": MEDIA_TYPE}, body, result)

    return convert


def _chardet(body: bytes) -> Callable[[], object]:
    detect = import_module("chardet").detect
    return lambda: body.decode(detect(body)["encoding"])


def _normalizer(body: bytes) -> Callable[[], object]:
    from_bytes = import_module("charset_normalizer").from_bytes
    return lambda: str(from_bytes(body).best())


def program(name: str) -> str | None:
    """The path of a program, or None."""
    return shutil.which(name)


def byteloop() -> Path | None:
    """The detector in C, compiled when there is a compiler."""
    compiler = program("cc")
    if compiler is None:
        return None
    BUILD.mkdir(exist_ok=True)
    target = BUILD / "byteloop"
    subprocess.run([compiler, "-O2", "-o", target, HERE / "byteloop.c"], check=True)
    return target
