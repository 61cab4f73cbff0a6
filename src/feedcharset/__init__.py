"""feedcharset opens an XML feed in the right charset, and can say why.

    from feedcharset import XmlReader

    with XmlReader("https://example.org/feed.xml") as reader:
        print(reader.encoding, reader.resolution.rule)
        text = reader.read()

The names below are all that is public. Each is imported when it is first used, so `import feedcharset`
stays light: requests, lxml, ftfy and click come only with what needs them.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` takes longer than the rest of this module; type checkers know the name
if TYPE_CHECKING:
    from feedcharset.decide.resolve import resolve
    from feedcharset.errors import (
        AddressRefused,
        DeadlineExceeded,
        DecodeError,
        EncodingConflict,
        FeedcharsetError,
        FetchError,
        HTTPStatusError,
        NotXmlMediaType,
        ResolutionError,
        TooLarge,
        TooManyRedirects,
        TruncatedBody,
        UnknownEncoding,
    )
    from feedcharset.fetch.limits import Limits
    from feedcharset.fetch.urls import user_agent
    from feedcharset.parsing.libxml2 import NoDocument
    from feedcharset.parsing.parsers import iterparse, parse
    from feedcharset.reading.utf8_stream import repair_stream
    from feedcharset.reading.western_detection import detect
    from feedcharset.reading.xml_reader import XmlReader
    from feedcharset.results import Decoded, Detection, Recovery, Repaired, Repairs, Resolution, Step
    from feedcharset.results.facts import Facts
    from feedcharset.results.report import Finding, Reading, Report
    from feedcharset.text.utf8_repair import repair
    from feedcharset.text.xml_decoder import XmlDecoder, decode
    from feedcharset.validate.document_check import check

__all__ = [
    "AddressRefused",
    "DeadlineExceeded",
    "DecodeError",
    "Decoded",
    "Detection",
    "EncodingConflict",
    "Facts",
    "FeedcharsetError",
    "FetchError",
    "Finding",
    "HTTPStatusError",
    "Limits",
    "NoDocument",
    "NotXmlMediaType",
    "Reading",
    "Recovery",
    "Repaired",
    "Repairs",
    "Report",
    "Resolution",
    "ResolutionError",
    "Step",
    "TooLarge",
    "TooManyRedirects",
    "TruncatedBody",
    "UnknownEncoding",
    "XmlDecoder",
    "XmlReader",
    "check",
    "decode",
    "detect",
    "iterparse",
    "parse",
    "repair",
    "repair_stream",
    "resolve",
    "user_agent",
]

__version__ = "0.1.0"

_HOMES = {
    "resolve": "decide.resolve",
    "detect": "reading.western_detection",
    "Limits": "fetch.limits",
    "user_agent": "fetch.urls",
    "iterparse": "parsing.parsers",
    "parse": "parsing.parsers",
    "NoDocument": "parsing.libxml2",
    "XmlReader": "reading.xml_reader",
    "repair": "text.utf8_repair",
    "repair_stream": "reading.utf8_stream",
    "XmlDecoder": "text.xml_decoder",
    "decode": "text.xml_decoder",
    "check": "validate.document_check",
    **dict.fromkeys(("Finding", "Reading", "Report"), "results.report"),
    "Facts": "results.facts",
    "Resolution": "results.explanation",
    "Step": "results.explanation",
    **dict.fromkeys(("Decoded", "Detection", "Recovery", "Repaired", "Repairs"), "results"),
}
"""The modules of the names that are no errors."""


if not TYPE_CHECKING:  # a type checker would take every name for one of the package

    def __getattr__(name: str) -> object:
        """Import a public name when it is first used (PEP 562)."""
        if name not in __all__:
            raise AttributeError(f"module 'feedcharset' has no attribute {name!r}")
        from importlib import import_module

        try:
            value = getattr(import_module(f"feedcharset.{_HOMES.get(name, 'errors')}"), name)
        except ModuleNotFoundError as error:
            package = (error.name or "").partition(".")[0]
            what = f"feedcharset.{name} needs {package}: pip install {package}"
            raise ModuleNotFoundError(what, name=error.name) from None
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
