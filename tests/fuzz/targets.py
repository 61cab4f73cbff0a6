"""What is fuzzed: each target takes bytes and raises where a promise does not hold.

The first byte chooses the options, the second the length of the Content-Type; then come the Content-Type and
the document. So the seeds of `corpus/` can be written by hand.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from lxml import etree

from feedcharset import FeedcharsetError, XmlDecoder, check, decode, iterparse, parse, repair, resolve
from feedcharset.decide.lenient_chain import replay
from feedcharset.decide.published_tables import Policy
from feedcharset.evidence.content_type import parse_content_type
from feedcharset.fetch.gunzip import gunzip
from feedcharset.fetch.limits import Limits

__all__ = ["TARGETS", "split"]

ERRORS = ("replace", "space", "latin-1", "windows-1252")


def split(data: bytes) -> tuple[int, str | None, bytes]:
    """The options, the Content-Type (None for a length of 255) and the document."""
    choice, length = (data + b"\x00\xff")[:2]
    if length == 255:
        return choice, None, data[2:]
    return choice, data[2 : 2 + length].decode("latin-1"), data[2 + length :]


def fuzz_resolve(data: bytes) -> None:
    """Lenient resolution never raises, and replays from its facts; strict raises errors of this library."""
    choice, content_type, document = split(data)
    complete = bool(choice & 1)
    policy: Policy = "rfc7303" if choice & 2 else "rfc3023"
    resolution = resolve(document, content_type, policy=policy, complete=complete)
    if resolution.facts.body.first_non_ascii is not None:
        again = replay(resolution.facts, policy=policy)
        assert (again.encoding, again.rule) == (resolution.encoding, resolution.rule)
    assert resolution.explain()
    with suppress(FeedcharsetError):
        resolve(document, content_type, policy=policy, lenient=False, complete=complete)


def fuzz_agreement(data: bytes) -> None:
    """`decode` decides as `resolve` does, its text has no surrogates, its offsets are of the document."""
    choice, content_type, document = split(data)
    policy: Policy = "rfc7303" if choice & 1 else "rfc3023"
    decoded = decode(
        document, content_type, policy=policy, errors=ERRORS[choice >> 1 & 3], xml_chars="replace"
    )
    decoded.text.encode("utf-8")
    resolution = decoded.resolution
    assert resolution == resolve(document, content_type, policy=policy, complete=True)
    again = replay(resolution.facts, policy=policy)
    assert (again.encoding, again.rule) == (resolution.encoding, resolution.rule)
    assert all(0 <= offset < len(document) for offset in decoded.repairs.offsets)
    assert decoded.repairs.count >= len(decoded.repairs.offsets)


def fuzz_decode(data: bytes) -> None:
    """Lenient decoding never raises, and gives the same in pieces of any size."""
    choice, content_type, document = split(data)
    errors = ERRORS[choice & 3]
    xml_chars = "replace" if choice & 4 else "keep"
    whole = decode(document, content_type, errors=errors, xml_chars=xml_chars)
    size = 1 + (choice >> 3)
    decoder = XmlDecoder(content_type, errors=errors, xml_chars=xml_chars)
    pieces = [decoder.decode(document[at : at + size]) for at in range(0, len(document), size)]
    pieces.append(decoder.decode(b"", True))
    assert "".join(pieces) == whole.text
    assert (decoder.resolution, decoder.repairs) == (whole.resolution, whole.repairs)


def fuzz_options(data: bytes) -> None:
    """Every option of the text and of the decision gives the same in pieces of any size, and never raises."""
    choice, content_type, document = split(data)
    chance = random.Random(choice)
    options: dict[str, Any] = {
        "errors": chance.choice(ERRORS),
        "xml_chars": chance.choice(("keep", "replace", "space", "drop")),
        "mojibake": chance.choice(("keep", "fix")),
        "declaration": chance.choice(("blank", "keep")),
        "lookahead": chance.choice((0, 1, 64, 1000, 1 << 20)),
        "policy": chance.choice(("rfc3023", "rfc7303")),
        "default_encoding": chance.choice((None, None, "koi8-r", "utf-16", "gbk")),
        "encoding": chance.choice(
            (None, None, None, "utf-8", "shift_jis", "iso-2022-jp", "utf-16le", "big5")
        ),
    }
    whole = decode(document, content_type, **options)
    decoder = XmlDecoder(content_type, **options)
    text, at = "", 0
    while at < len(document):
        size = chance.choice((0, 1, 2, 3, 7, 100, 1000, len(document)))
        text += decoder.decode(document[at : at + size])
        at += size
    assert text + decoder.decode(b"", True) == whole.text
    assert (decoder.resolution, decoder.repairs) == (whole.resolution, whole.repairs)


def fuzz_strict(data: bytes) -> None:
    """Strict decoding raises exceptions of this library only."""
    choice, content_type, document = split(data)
    policy: Policy = "rfc7303" if choice & 1 else "rfc3023"
    with suppress(FeedcharsetError):
        text = decode(document, content_type, lenient=False, policy=policy).text
        assert text or not document.strip(b"\xef\xbb\xbf\xfe\xff\x00")


def fuzz_parse(data: bytes) -> None:
    """Lenient parsing gives a tree or an lxml error, and iterparse gives the same elements."""
    choice, content_type, document = split(data)
    mojibake = "fix" if choice & 1 else "keep"
    try:
        tree = parse(document, content_type=content_type, mojibake=mojibake)
    except etree.XMLSyntaxError:
        return
    etree.tostring(tree)
    expected = [(element.tag, element.text) for element in tree.iter(etree.Element)]
    found = sorted(
        (element.tag, element.text or "")
        for _, element in iterparse(document, content_type=content_type, mojibake=mojibake)
    )
    assert found == sorted((tag, text or "") for tag, text in expected)


def fuzz_check(data: bytes) -> None:
    """`check` never raises because of the document, and its positions are in it, unpacked."""
    choice, content_type, document = split(data)
    report = check(document, content_type=content_type, policy="rfc7303" if choice & 1 else "rfc3023")
    if any(finding.code == "gzip-file" for finding in report.findings):
        document = gunzip(document, Limits())[0]
    for finding in report.findings:
        assert finding.message
        assert finding.offset is None or 0 <= finding.offset <= len(document)


def fuzz_content_type(data: bytes) -> None:
    """The header is parsed in any shape, strict and lenient."""
    value = data.decode("latin-1")
    for lenient in (False, True):
        parse_content_type(value, lenient=lenient)


def fuzz_repair(data: bytes) -> None:
    """The output is UTF-8, and repairing it again changes nothing."""
    choice, _, document = split(data)
    errors = ERRORS[choice & 3]
    repaired = repair(document, errors=errors, cesu8="join" if choice & 4 else "keep")
    repaired.data.decode("utf-8")
    assert repair(repaired.data, errors=errors).data == repaired.data


TARGETS: dict[str, Callable[[bytes], None]] = {
    "resolve": fuzz_resolve,
    "agreement": fuzz_agreement,
    "decode": fuzz_decode,
    "options": fuzz_options,
    "strict": fuzz_strict,
    "parse": fuzz_parse,
    "check": fuzz_check,
    "content-type": fuzz_content_type,
    "repair": fuzz_repair,
}
