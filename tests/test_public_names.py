"""The public names: all there, light to import, frozen, and they pickle."""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import json
import pickle
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from support.each import each

import feedcharset
from feedcharset import errors, results
from feedcharset.results import (
    Body,
    CommonCount,
    Damage,
    Detected,
    Facts,
    Recovery,
    SequenceCount,
    Step,
    Utf8Count,
)
from feedcharset.results.report import Finding, Reading, Report

CALLS = (
    "XmlReader",
    "XmlDecoder",
    "decode",
    "resolve",
    "parse",
    "iterparse",
    "NoDocument",
    "detect",
    "repair",
    "repair_stream",
    "check",
    "Finding",
    "Reading",
    "Report",
    "Limits",
    "user_agent",
)
# Of the facts; nobody makes one on its own.
PARTS = {"Body", "CommonCount", "Damage", "Detected", "SequenceCount", "Utf8Count"}


def test_all_is_complete() -> None:
    """The calls, the report, the limits, the result types and the errors; nothing else is public."""
    expected = {*CALLS, *errors.__all__, *results.__all__} - PARTS
    assert sorted(feedcharset.__all__) == sorted(expected)
    assert feedcharset.__all__ == sorted(feedcharset.__all__)


@each("name", feedcharset.__all__)
def test_every_public_name_resolves(name: str) -> None:
    value = getattr(feedcharset, name)
    assert value.__name__ == name
    assert value.__doc__
    assert getattr(feedcharset, name) is value
    assert name in dir(feedcharset)


@each("name", feedcharset.__all__)
def test_every_public_name_has_one_home(name: str) -> None:
    home = sys.modules[getattr(feedcharset, name).__module__]
    assert vars(home)[name] is getattr(feedcharset, name)


def test_other_names_are_none() -> None:
    with pytest.raises(AttributeError, match="module 'feedcharset' has no attribute 'XmlWriter'"):
        feedcharset.XmlWriter  # noqa: B018
    assert not hasattr(feedcharset, "Body")


def test_the_type_checker_sees_the_same_names() -> None:
    """What is imported under TYPE_CHECKING is what is imported when it is used."""
    tree = ast.parse(Path(feedcharset.__file__).read_text(encoding="utf-8"))
    (checked,) = [node for node in tree.body if isinstance(node, ast.If) and isinstance(node.test, ast.Name)]
    seen = {}
    for node in checked.body:
        assert isinstance(node, ast.ImportFrom)
        seen.update({alias.name: node.module for alias in node.names})
    assert sorted(seen) == feedcharset.__all__
    for name, module in seen.items():
        assert getattr(importlib.import_module(str(module)), name) is getattr(feedcharset, name)


def test_a_star_import_brings_them_all() -> None:
    names: dict[str, Any] = {}
    exec("from feedcharset import *", names)
    assert set(feedcharset.__all__) <= set(names)


HEAVY = {"requests", "urllib3", "lxml", "ftfy", "click", "rich", "dataclasses", "inspect"}
HEAVY |= {"concurrent", "multiprocessing"}


def modules_after(program: str) -> set[str]:
    """What a fresh interpreter has imported after a program, beyond what it starts with."""
    show = "print(json.dumps(sorted(set(sys.modules) - before)))"
    command = [sys.executable, "-c", f"import json, sys; before = set(sys.modules)\n{program}\n{show}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


FEED = "b'<?xml version=\"1.0\"?><rss><title>caf\\xc3\\xa9</title></rss>'"


@each(
    "program",
    [
        "import feedcharset",
        f"import feedcharset; feedcharset.resolve({FEED}, 'text/xml; charset=gbk')",
        f"import feedcharset; feedcharset.resolve({FEED}, lenient=False)",
        f"import feedcharset; feedcharset.decode({FEED}, 'text/xml')",
        f"import feedcharset; feedcharset.XmlDecoder('text/xml').decode({FEED}, True)",
        f"import feedcharset; feedcharset.repair({FEED})",
        f"import feedcharset; feedcharset.detect({FEED})",
        "from feedcharset.errors import DecodeError, FetchError",
        "from feedcharset.results import Resolution",
    ],
)
def test_importing_is_light(program: str) -> None:
    """`import feedcharset`, and what needs no network and no parser, imports none of the heavy packages."""
    assert not {name.partition(".")[0] for name in modules_after(program)} & HEAVY


def test_reading_bytes_needs_no_network_and_no_parser() -> None:
    read = modules_after(f"import feedcharset\nwith feedcharset.XmlReader({FEED}) as reader: reader.read()")
    assert not {name.partition(".")[0] for name in read} & {
        "requests",
        "lxml",
        "ftfy",
        "click",
        "rich",
    }


def test_importing_imports_nothing_of_its_own() -> None:
    assert {name for name in modules_after("import feedcharset") if name.startswith("feedcharset")} == {
        "feedcharset"
    }


def test_there_is_a_version_and_types() -> None:
    assert feedcharset.__version__.count(".") == 2
    assert (Path(feedcharset.__file__).parent / "py.typed").exists()


def samples() -> list[Any]:
    """A value of every result type, as it comes out of the calls."""
    pasted = b"<?xml version='1.0' encoding='windows-1252'?><a>\xc3\xa9 \xe9 \x94</a>"
    decoded = feedcharset.decode(pasted, "text/xml; charset=gbk")
    body = decoded.resolution.facts.body
    assert body.utf8 is not None
    report = feedcharset.check(
        b"<?xml version='1.0' encoding='latin1'?><a>\xc3\xa9&#8;</a>", content_type="text/html"
    )
    return [
        *(
            decoded,
            decoded.repairs,
            decoded.resolution,
            decoded.resolution.steps[0],
            decoded.resolution.facts,
        ),
        *(
            body,
            body.utf8,
            body.damage[0],
            body.sequences[0],
            Detected("gbk", "caller"),
            CommonCount("GBK", 2, 1),
        ),
        *(feedcharset.detect(b"\xff"), feedcharset.repair(b"\xff"), feedcharset.Limits(total=1)),
        *(report, report.findings[0], report.readings[0], Recovery("entity", "&nbsp;", "\xa0", 1, 2)),
    ]


SAMPLES = samples()


@each("value", SAMPLES, ids=lambda value: type(value).__name__)
def test_every_result_is_frozen_and_pickles(value: Any) -> None:
    assert pickle.loads(pickle.dumps(value)) == value == copy.deepcopy(value) == copy.copy(value)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert type(pickle.loads(pickle.dumps(value, protocol))) is type(value)
    for name in value._fields:
        with pytest.raises(AttributeError):
            setattr(value, name, None)
    with pytest.raises(AttributeError):
        value.another = None
    assert hash(value) == hash(copy.deepcopy(value))
    assert type(value).__name__ in repr(value)


def test_every_result_type_has_a_sample() -> None:
    expected = {*results.__all__, "Finding", "Reading", "Report", "Limits"}
    assert {type(value).__name__ for value in SAMPLES} == expected


def test_every_result_type_says_what_its_fields_are() -> None:
    for name in results.__all__:
        assert inspect.getdoc(getattr(results, name))
        assert getattr(results, name)._fields


def test_a_report_is_fine_without_errors() -> None:
    warning = Finding("x", "warning", "")
    assert Report((warning,), None).ok
    assert Report((), None).ok
    assert not Report((warning, warning._replace(severity="error")), None).ok


def test_as_dict_is_plain_all_the_way_down() -> None:
    numbers = (Damage("GBK", 1, 2, 3),)
    plain = (SequenceCount("GBK", *range(len(SequenceCount._fields) - 1)),)
    body = Body(utf8=Utf8Count(None, 0), damage=numbers, sequences=plain)
    resolution = results.Resolution(
        "UTF-8", None, "x", (Step("L0", "answer", None, "why"),), Facts(body=body)
    )
    told = resolution.as_dict()
    assert told["facts"]["body"]["damage"] == [
        {"charset": "GBK", "characters": 1, "places": 2, "controls": 3, "pasted": 0}
    ]
    assert told["facts"]["body"]["utf8"] == {
        **dict.fromkeys(Utf8Count._fields, 0),
        "sequences": None,
    }
    assert told["steps"] == [{"id": "L0", "verdict": "answer", "encoding": None, "why": "why", "spec": ""}]
    assert json.loads(json.dumps(told)) == told
    assert isinstance(Reading("lenient", "UTF-8", "L2", "same"), tuple)


FAMILY = {
    "FeedcharsetError": (Exception,),
    "ResolutionError": (errors.FeedcharsetError, ValueError),
    "EncodingConflict": (errors.ResolutionError,),
    "NotXmlMediaType": (errors.ResolutionError,),
    "UnknownEncoding": (errors.ResolutionError, LookupError),
    "DecodeError": (errors.FeedcharsetError, UnicodeDecodeError),
    "FetchError": (errors.FeedcharsetError, OSError),
    **dict.fromkeys(
        (
            "TooLarge",
            "DeadlineExceeded",
            "TooManyRedirects",
            "TruncatedBody",
            "AddressRefused",
            "HTTPStatusError",
        ),
        (errors.FetchError,),
    ),
}


def test_the_errors_are_a_family() -> None:
    assert sorted(FAMILY) == sorted(errors.__all__)
    for name, bases in FAMILY.items():
        assert getattr(errors, name).__bases__ == bases
        assert issubclass(getattr(errors, name), errors.FeedcharsetError)


STEPS = (Step("2.4", "error", None, "why", "RFC 3023 §4"),)
RESOLUTION = {"facts": Facts("UTF-8"), "rule": "2.4", "steps": STEPS}
FETCH = {"url": "http://example.org/", "partial": b"<rss>"}
STATUS = {"status": 410, "headers": {"Server": "x"}, "excerpt": "gone"}


def exceptions() -> list[tuple[errors.FeedcharsetError, dict[str, Any]]]:
    """One of each, and its attributes."""
    made: list[tuple[errors.FeedcharsetError, dict[str, Any]]] = [(errors.FeedcharsetError("what"), {})]
    for name in ("ResolutionError", "EncodingConflict", "NotXmlMediaType", "UnknownEncoding"):
        made.append((getattr(errors, name)("what", **RESOLUTION), {**RESOLUTION, "stream": None}))
        made.append((getattr(errors, name)("what"), {"facts": None, "rule": "", "steps": (), "stream": None}))
    for name, bases in FAMILY.items():
        if name != "HTTPStatusError" and (name == "FetchError" or bases == (errors.FetchError,)):
            attributes = {**FETCH, "limit": "total", "headers": {}}
            made.append((getattr(errors, name)("what", **FETCH, limit="total"), attributes))
    status = errors.HTTPStatusError("what", **FETCH, **STATUS)  # type: ignore[arg-type]
    made.append((status, {**FETCH, **STATUS, "limit": None}))
    made.append((errors.HTTPStatusError("what"), {"status": 0, "headers": {}, "excerpt": "", "url": None}))
    place = {"offset": 77, "line": 3, "column": 4}
    decode = errors.DecodeError("utf-8", b"a\xffb", 1, 2, "invalid start byte", **place)
    made.append((decode, {**place, "object": b"a\xffb", "start": 1, "end": 2, "encoding": "utf-8"}))
    return made


@each(("error", "attributes"), exceptions(), ids=lambda value: type(value).__name__)
def test_every_error_pickles_with_its_attributes(
    error: errors.FeedcharsetError, attributes: dict[str, Any]
) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        for one in (error, pickle.loads(pickle.dumps(error, protocol)), copy.copy(error)):
            assert type(one) is type(error)
            assert (str(one), one.args) == (str(error), error.args)
            for name, value in attributes.items():
                assert getattr(one, name) == value, name


def test_an_error_pickles_without_its_stream() -> None:
    error = errors.EncodingConflict("what", rule="1.4")
    error.stream = BytesIO(b"<rss/>")
    again = pickle.loads(pickle.dumps(error))
    assert (again.stream, again.rule) == (None, "1.4")
    assert error.stream.read() == b"<rss/>"


def test_an_error_owns_its_stream() -> None:
    """`with exc:` or `exc.close()`; twice does no harm, and neither does an error without one."""
    error = errors.ResolutionError("what")
    error.close()
    stream = error.stream = BytesIO(b"<rss/>")
    with error as entered:
        assert entered is error
        assert not stream.closed
    assert stream.closed
    error.close()


def test_a_decode_error_says_where_what_and_what_to_do() -> None:
    error = errors.DecodeError("utf-8", b"a\xff\xfe", 1, 3, "invalid start byte", offset=70, line=2, column=9)
    assert str(error) == (
        "byte 70 (line 2, column 9): FF FE is not utf-8: invalid start byte; "
        "correct the label, or read with another errors= ('replace')"
    )
    assert error.reason == "invalid start byte"


ADVICE = "open that URL"


@pytest.mark.parametrize(
    "error",
    [
        errors.EncodingConflict("what was seen", advice=ADVICE),
        errors.TooLarge("what was seen", advice=ADVICE),
        errors.HTTPStatusError("what was seen", advice=ADVICE, status=404),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_has_its_advice_apart(error: errors.FeedcharsetError) -> None:
    for one in (error, pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (one.problem, one.advice) == ("what was seen", ADVICE)
        assert str(one) == "what was seen; open that URL"


def test_an_error_without_advice_is_its_problem() -> None:
    error = errors.FeedcharsetError("what was seen")
    assert (str(error), error.problem, error.advice) == ("what was seen", "what was seen", "")


PATTERNS = """
import re
compiled = []
original = re._compile
re._compile = lambda pattern, flags: compiled.append(pattern) or original(pattern, flags)
from feedcharset import decode
assert len(compiled) <= 2, compiled
"""


def test_importing_decode_compiles_no_patterns() -> None:
    """Patterns are compiled when they are first used, but for one or two that every document needs."""
    assert not modules_after(PATTERNS) & {"copy", "webencodings", "feedcharset.results.report"}
