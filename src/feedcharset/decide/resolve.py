"""From the head of a document and its Content-Type to a decision: `resolve`, and what decoding begins with.

`resolve`, `decode`, `XmlDecoder` and `check` begin with `open_document`, which decides as far as the head
allows. Where the first non-ASCII byte can still change the decision (`Opening.windowed`), `conclude` decides
on the window: by a prepared decision where one fits, else by the lenient chain.

Openings are remembered by their first bytes, since every feed passes here: the documents of a site begin
alike, and deciding anew takes 60 times as long as a look-up. A document without a declaration begins with a
tag, and its name changes nothing (`_START_TAG`): 1 µs instead of 45. Three decisions need nothing else of the
window than one fact, and are prepared with the opening (the chain takes 60 µs, as long as decoding 60 KB):

- `Opening.if_utf8`: the window is well-formed UTF-8;
- `_stale_answer`: the window is well-formed UTF-8 under the label of one legacy charset, and a row of the
  thresholds shows it;
- `_legacy_answer`: the window is proven not to be UTF-8, and the charset that the labels name decodes all of
  it, as most documents that are not UTF-8.

The caller's own options stand at the end: `encoding=` forces a charset (rule "forced"), `default_encoding=`
and `policy=`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.decide.lenient_chain import GUESSING_STEPS, RecordedCounts, decide, replay
from feedcharset.decide.lenient_principles import (
    WESTERN,
    WINDOWED,
    Case,
    charsets_named,
    count_stale,
    judged_by_letters,
    may_be_mixed,
)
from feedcharset.decide.published_tables import Policy
from feedcharset.decide.strict_decision import resolve_strictly, tables
from feedcharset.decide.thresholds import THRESHOLDS, tolerable_utf8, utf8_threshold
from feedcharset.errors import UnknownEncoding
from feedcharset.evidence.content_type import as_field
from feedcharset.evidence.declaration import DECLARATION_LIMIT, ends_lines_with_85
from feedcharset.evidence.detector import LOOKAHEAD, Detector, Letters
from feedcharset.evidence.document_head import (
    CODE_PAGE_SAMPLE,
    EBCDIC_XML,
    best_code_page,
    byte_form,
    first_non_ascii,
    gather_facts,
    is_utf8,
)
from feedcharset.results import Buffer, Resolution
from feedcharset.results.facts import Body, Damage, Facts, SequenceCount, Utf8Count

if TYPE_CHECKING:
    from feedcharset.evidence.window import Window

ESC = 0x1B

_new: Any = tuple.__new__

WELL_FORMED = Utf8Count(None, 0)
_NOT_UTF8 = Utf8Count(0, 1, bounds=True)

REMEMBERED = 128
"""Openings that are kept. A crawler that goes from site to site gains nothing from more."""

LONGEST_REMEMBERED = 256
"""Bytes of a declaration, and characters of a Content-Type, that are remembered: with REMEMBERED they bound
the memory. Real ones stay under 100."""


class Opening(NamedTuple):
    """What a document's head and the Content-Type allow."""

    decision: Resolution
    """Final when strict, or where the document is not ASCII-compatible; else provisional."""
    if_ascii: Resolution
    """The decision if the document is ASCII to its end."""
    if_utf8: Resolution | None
    """The decision if the window is well-formed UTF-8, but for its position (`well_formed`); None where it
    depends on more counts than that."""
    windowed: bool
    """The decision is provisional: the first non-ASCII byte, or ESC, opens the look-ahead window."""
    declaration: bytes | None
    """The BOM and the XML declaration, or the BOM and `<a`, which stands for any tag (`STAND_IN_TAG`), where
    the opening depends on these bytes alone; else None."""
    stale: Charset | None = None
    """The only single-byte or East Asian charset that the labels name, where `if_utf8` depends on it."""
    simple: bool = False
    """`declaration` is known and decodes, nothing is to be reported before it, and the document is
    ASCII-compatible or UTF-16 (strict: UTF-8 or UTF-16): it may be decoded without stages."""

    @property
    def declared(self) -> bool:
        """The document begins with a declaration within the grammar."""
        return b"<?xml" in (self.declaration or b"") and not self.decision.facts.body.malformed

    def decided_by_utf8(self, data: bytes) -> bool:
        """Return True where these bytes decide if they are well-formed UTF-8: no ESC is there, as ISO-2022-JP
        has them."""
        return self.if_utf8 is not None and ESC not in data

    def well_formed(self, high: int, ends: bool) -> Resolution:
        """The decision for a window of well-formed UTF-8, where that decides.

        Args:
            high: offset of the first non-ASCII byte, where the window opened.
            ends: the window holds the rest of the document.
        """
        decision = self.if_utf8
        assert decision is not None
        return _with_window(decision, high, ends, WELL_FORMED)


def _with_window(decision: Resolution, high: int, ends: bool, utf8: Utf8Count | None) -> Resolution:
    """Return a prepared decision with the numbers of a window."""
    a, b, c, d, _, _, _, *rest = decision.facts.body
    return _with_body(decision, _new(Body, (a, b, c, d, high, ends, utf8, *rest)))


def _with_body(decision: Resolution, body: Body) -> Resolution:
    """Return a decision with other facts about the bytes.

    Tuples that are taken apart and built with `tuple.__new__` take a fifth of what `_replace` takes.
    """
    encoding, codec, rule, steps, facts, policy, lenient = decision
    a, b, c, d, e, f, g, _ = facts
    facts = _new(Facts, (a, b, c, d, e, f, g, body))
    resolution: Resolution = _new(Resolution, (encoding, codec, rule, steps, facts, policy, lenient))
    return resolution


def open_document(
    head: bytes,
    content_type: str | None,
    *,
    lenient: bool = True,
    policy: str = "rfc3023",
    default_encoding: str | None = None,
    complete: bool = False,
) -> Opening:
    """Decide as far as the head allows.

    Args:
        head: the document's first bytes.
        content_type: the field's value; None: the transport gave none; "": no such field.
        lenient: the lenient chain; else the strict rules of `policy`.
        policy: "rfc3023" or "rfc7303".
        default_encoding: replaces the default of the rules 1.0, 2.1 and 3.6 and of the step L4.
        complete: `head` is the whole document.

    Raises:
        ResolutionError: strict, where a rule is an error.
    """
    declaration = _declaration(head)
    if content_type is None or len(content_type) <= LONGEST_REMEMBERED:
        if declaration is not None:
            return _remembered(declaration, content_type, lenient, policy, default_encoding)
        stop = head.find(_EBCDIC_END, 0, LONGEST_REMEMBERED) if head.startswith(EBCDIC_XML) else -1
        if stop >= 0:  # the text shows the code page
            page, declaration = best_code_page(head[:CODE_PAGE_SAMPLE]), head[: stop + 2]
            return _remembered(declaration, content_type, lenient, policy, default_encoding, page)
    return _open(head, content_type, lenient, policy, default_encoding, complete)


_DECLARED = b"<?xml", b"\xef\xbb\xbf<?xml"

_START_TAG = re.compile(rb"(?:\xef\xbb\xbf)?<[ac-gi-zAC-GI-Z_]")
"""A document that begins so has no declaration, no pattern and no kind, whatever follows. (`<html>` and
`<body>` are a kind.)"""

STAND_IN_TAG = b"<a"
"""The same opening for every such tag."""


_EBCDIC_END = b"\x6f\x6e"
"""`?>` in every EBCDIC code page."""

_UTF16_DECLARATION = re.compile(
    rb"\xff\xfe<\x00\?\x00x\x00m\x00l\x00(?:[^?]\x00)*+\?\x00>\x00"
    rb"|\xfe\xff\x00<\x00\?\x00x\x00m\x00l(?:\x00[^?])*+\x00\?\x00>"
)
"""A BOM and a declaration, both in UTF-16."""


def _declaration(head: bytes) -> bytes | None:
    """A BOM, if any, and an XML declaration of usual length, or `STAND_IN_TAG` for any tag; else None."""
    if head.startswith(_DECLARED):
        stop = head.find(b"?>", 0, LONGEST_REMEMBERED)
        return head[: stop + 2] if stop >= 0 else None
    if tag := _START_TAG.match(head):
        return head[: tag.end() - 2] + STAND_IN_TAG
    wide = _UTF16_DECLARATION.match(head, 0, 2 * LONGEST_REMEMBERED) if head[:1] in b"\xff\xfe" else None
    return wide[0] if wide else None


def _open(
    head: bytes,
    content_type: str | None,
    lenient: bool,
    policy: str,
    default_encoding: str | None,
    complete: bool,
    declaration: bytes | None = None,
    code_page: str | None = None,
) -> Opening:
    facts = gather_facts(head, content_type, lenient=lenient, complete=complete, code_page=code_page)
    if not lenient:
        decision = resolve_strictly(facts, policy=policy, default_encoding=default_encoding)
        codec = {"UTF-16LE": "utf_16_le", "UTF-16BE": "utf_16_be"}.get(facts.bom or "", "utf_8")
        simple = decision.codec == codec and _is_plain(facts, declaration)
        return Opening(decision, decision, None, False, declaration, simple=simple)
    decision = decide(facts, None, policy=policy, default_encoding=default_encoding)
    if byte_form(facts) not in WINDOWED:
        simple = _is_plain(facts, declaration) and decision.encoding == facts.bom
        return Opening(decision, decision, None, False, declaration, simple=simple)
    to_the_end = facts._replace(body=facts.body._replace(complete=True))
    if_ascii = decide(to_the_end, None, policy=policy, default_encoding=default_encoding)
    if_utf8 = _decide_if_utf8(facts, policy, default_encoding)
    legacy = {by_name(name) for name in charsets_named(facts)} if if_utf8 is None and declaration else set()
    legacy = {charset for charset in legacy if charset.family in ("single", "CJK")}
    stale = legacy.pop() if len(legacy) == 1 else None
    return Opening(decision, if_ascii, if_utf8, True, declaration, stale, _is_plain(facts, declaration))


def _is_plain(facts: Facts, declaration: bytes | None) -> bool:
    """Return True where the document begins with at most a BOM and an ASCII declaration in the same encoding,
    or a tag."""
    if declaration is None or facts.body.pattern is not None or b"\x1b" in declaration:
        return False
    if facts.bom in ("UTF-16LE", "UTF-16BE"):
        return facts.body.start == 2
    start = 3 if facts.bom == "UTF-8" else 0
    return facts.bom in (None, "UTF-8") and facts.body.start == start and declaration[start:].isascii()


def _decide_if_utf8(facts: Facts, policy: str, default_encoding: str | None) -> Resolution | None:
    """The lenient decision if the window is well-formed UTF-8; None where it depends on other counts, or is
    another charset."""
    body = facts.body._replace(first_non_ascii=0, utf8=WELL_FORMED)
    try:
        decision = replay(facts._replace(body=body), policy=policy, default_encoding=default_encoding)
    except LookupError:
        return None
    return decision if decision.encoding == "UTF-8" else None


@lru_cache(maxsize=REMEMBERED)
def _remembered(
    declaration: bytes,
    content_type: str | None,
    lenient: bool,
    policy: str,
    default_encoding: str | None,
    code_page: str | None = None,
) -> Opening:
    """The opening of every document with this declaration, and in EBCDIC this code page."""
    alone = declaration if code_page is None else None
    return _open(declaration, content_type, lenient, policy, default_encoding, False, alone, code_page)


_UTF8_OR_WESTERN = ("UTF-8", WESTERN)


def conclude(
    opening: Opening,
    high: int,
    window: Window,
    *,
    policy: str = "rfc3023",
    default_encoding: str | None = None,
) -> Resolution:
    """The lenient decision on a window, with the numbers that it took.

    Where a label is refused, or another one was read, bytes outside of the document (a notice, the footer of
    a server) may be the reason: a label that the document alone does not refute is its charset.

    Args:
        opening: the document's opening; `windowed`.
        high: offset of the byte at which the window opened.
        window: the window.
        policy: "rfc3023" or "rfc7303".
        default_encoding: as for `open_document`.
    """
    # Nothing is prepared for text that may be ISO-2022-JP, also by a declaration behind its beginning.
    pattern = "ISO-2022-JP" if _is_iso_2022_jp(opening.decision.facts, window) else None
    if_utf8 = opening.if_utf8 if pattern is None else None
    declared_behind = not opening.declared and (
        b"<?xml" in window.data[:DECLARATION_LIMIT] or b"<?xml" in window.beginning
    )
    if if_utf8 is not None and window.is_utf8() and not (declared_behind and ESC in window.data):
        return opening.well_formed(high, window.ends)
    facts = opening.decision.facts
    labels = charsets_named(facts)
    if if_utf8 is not None:
        # With some damage it is the same, where the chain needs no other count for its first candidate.
        other = declared_behind or any(step.verdict == "refused" for step in if_utf8.steps)
        other = other or any(by_name(label).superset not in _UTF8_OR_WESTERN for label in labels)
        if not other and tolerable_utf8(window.utf8()):
            return _with_window(if_utf8, high, window.ends, window.utf8())
    prepared, stale = None, False
    # A declaration further down may be true where that of a server is a default.
    if default_encoding is None and not declared_behind:
        stale = opening.stale is not None and pattern is None and window.is_utf8()
        shown = opening, high, window, policy
        prepared = if_stale(*shown) if stale else if_legacy(*shown, pattern)
    if prepared is not None and (stale or len(labels) < 2):
        return prepared
    found = prepared or decide_window(facts, high, window, policy=policy, default_encoding=default_encoding)
    # What principle 5 refuses is no charset that bytes refute.
    by_principles = (step.why for step in found.steps if step.verdict == "refused")
    refused = not all(why.startswith("principle 5:") for why in by_principles)
    if declared_behind and (label := window.misplaced()[0]) is not None:
        labels.add(label)
    # Outside they are no evidence against another label; among UTF-8, others are windows-1252 anyway.
    read = by_name(found.encoding).superset
    same = _UTF8_OR_WESTERN if read == "UTF-8" else (read,)
    refused = refused or any(by_name(label).superset not in same for label in labels)
    document = window.of_document() if refused else None
    if document is None:
        return found
    alone = decide_window(facts, high, document, policy=policy, default_encoding=default_encoding)
    refuted = alone.rule in GUESSING_STEPS and found.rule != "L5"
    return found if refuted or alone.encoding == found.encoding else alone


def decide_window(
    facts: Facts, high: int, window: Window, *, policy: str = "rfc3023", default_encoding: str | None = None
) -> Resolution:
    """The lenient decision on a window by the chain, with the numbers that it took; as `conclude`."""
    facts = facts._replace(body=facts.body._replace(first_non_ascii=high, complete=window.ends))
    if _is_iso_2022_jp(facts, window):
        facts = facts._replace(body=facts.body._replace(pattern="ISO-2022-JP"))
    resolution = decide(facts, window, policy=policy, default_encoding=default_encoding)
    return _with_body(resolution, window.record(facts.body))


def _is_iso_2022_jp(facts: Facts, window: Window) -> bool:
    if ESC not in window.data:
        return False
    from feedcharset.charsets.iso2022jp import has_escapes

    named = "ISO-2022-JP" in charsets_named(facts)
    is_possible = facts.body.pattern is None and (named or not facts.bom)
    return is_possible and has_escapes(window.data, named, window.before[-1:])


def if_stale(opening: Opening, high: int, window: Window, policy: str) -> Resolution | None:
    """The prepared decision for well-formed UTF-8 under the label `opening.stale`; None where the chain needs
    other counts.

    Args: as for `conclude`.
    """
    facts, charset, declaration = opening.decision.facts, opening.stale, opening.declaration
    assert charset is not None
    assert declaration is not None
    count = count_stale(charset, Case(facts, None, window))
    row = utf8_threshold(charset, count)
    answer = row and _stale_answer(declaration, facts.content_type, policy, window.ends, charset, row.why)
    if not answer:
        return None
    return _with_body(answer, answer.facts.body._replace(first_non_ascii=high, sequences=(count,)))


@lru_cache(maxsize=2 * REMEMBERED)
def _stale_answer(
    declaration: bytes, content_type: str | None, policy: str, ends: bool, charset: Charset, why: str
) -> Resolution | None:
    """The lenient decision for well-formed UTF-8 that a row of the thresholds shows (`Threshold.why`).

    Returns:
        None where the chain needs other counts, or another charset wins.
    """
    facts = open_document(declaration, content_type, policy=policy).decision.facts
    row = next(row for row in THRESHOLDS if row.why == why)
    count = SequenceCount._make(
        [charset.name, *(row.reach.get(name, 0) for name in SequenceCount._fields[1:])]
    )
    body = facts.body._replace(first_non_ascii=0, complete=ends, utf8=WELL_FORMED, sequences=(count,))
    try:
        decision = replay(facts._replace(body=body), policy=policy)
    except LookupError:
        return None
    return decision if decision.encoding == "UTF-8" else None


def if_legacy(
    opening: Opening, high: int, window: Window, policy: str, pattern: str | None
) -> Resolution | None:
    """The prepared decision for legacy text; None where the chain needs other counts.

    Args: as for `conclude`, and the pattern of the bytes, "ISO-2022-JP" or None.
    """
    if opening.declaration is None:
        return None
    facts = opening.decision.facts
    answer = _legacy_answer(opening.declaration, facts.content_type, policy, window.ends, pattern)
    if answer is None:
        return None
    charset = answer.charset
    if pattern is not None:
        return _with_window(answer.resolution, high, window.ends, None) if window.decodes(charset) else None
    utf8 = window.utf8_bounds(charset)
    if not utf8.bounds or (utf8.sequences and answer.without_sequences):
        return None
    if answer.judged and window.may_be_another(charset):
        return None
    # What does not decode under an East Asian label is refused before its letters are judged.
    if not window.decodes(charset) or (charset.family == "CJK" and window.may_be_another(charset)):
        return None
    fits = window.sibling(charset) is None
    return _with_window(answer.resolution, high, window.ends, utf8) if fits else None


class LegacyAnswer(NamedTuple):
    """The decision for a window that is not UTF-8, and decodes in `charset`."""

    resolution: Resolution
    charset: Charset
    without_sequences: bool
    """Only for a window without any UTF-8 sequence: another one might be a mixture."""
    judged: bool
    """Single-byte, and the letters may be those of another charset."""


@lru_cache(maxsize=2 * REMEMBERED)
def _legacy_answer(
    declaration: bytes, content_type: str | None, policy: str, ends: bool, pattern: str | None = None
) -> LegacyAnswer | None:
    """The lenient decision for documents with an opening (`Opening.declaration`), if the window ends them.

    Returns:
        None where the chain needs other counts, or another charset than a single-byte or East Asian one wins.
    """
    facts = open_document(declaration, content_type, policy=policy).decision.facts
    body = facts.body._replace(first_non_ascii=0, complete=ends, pattern=pattern or facts.body.pattern)
    facts = facts._replace(body=body)
    counts = _CleanLegacyText()
    try:
        decision = decide(facts, counts, policy=policy)
    except LookupError:
        return None
    charset = by_name(decision.encoding)
    if (
        facts.bom is not None
        or charset.family not in (("single", "CJK") if pattern is None else ("ISO-2022-JP",))
        or ends_lines_with_85(charset, declaration)
        or (pattern is not None and not counts.damages)
        or any(damage.charset != charset.name for damage in counts.damages)
    ):
        return None
    body = body._replace(utf8=_NOT_UTF8, damage=counts.damages)
    decision = decision._replace(facts=facts._replace(body=body))
    judged = judged_by_letters(charset) and charset.family == "single"
    return LegacyAnswer(decision, charset, may_be_mixed(charset), judged)


class _CleanLegacyText(RecordedCounts):
    """The counts of a window that is not UTF-8, and which the first charset in question decodes.

    Every other count raises LookupError: it is not known.
    """

    def __init__(self) -> None:
        super().__init__(Body())
        self.damages: tuple[Damage, ...] = ()

    def utf8(self) -> NoReturn:
        raise LookupError

    def utf8_bounds(self, charset: Charset | None = None) -> Utf8Count:
        return _NOT_UTF8

    def decodes(self, charset: Charset) -> bool:
        if self.damages:
            raise LookupError
        self.damages = (Damage(charset.name, None, 0, None),)
        return True


def as_bytes(data: Buffer) -> bytes:
    """Bytes-like data as bytes.

    Raises:
        TypeError: something that is not bytes-like; text is decoded already.
    """
    if isinstance(data, str):
        raise TypeError("a str is decoded already; pass the document's bytes")
    try:
        return memoryview(data).tobytes()
    except TypeError:
        raise TypeError(f"pass the document's bytes, not {type(data).__name__}") from None


def resolve(
    head: Buffer,
    content_type: str | bytes | None = None,
    *,
    lenient: bool = True,
    policy: Policy = "rfc3023",
    default_encoding: str | None = None,
    detector: Detector | None = "letters",
    complete: bool = False,
) -> Resolution:
    """Decide the encoding of a document from its first bytes.

    Args:
        head: the document's first bytes, 4 KB or more where there are as many; all of them are looked at.
        content_type: the Content-Type field's value; None: the transport gave none (a file); "": an HTTP
            message without the field.
        lenient: the chain of L0-L7, which always decides; else the strict rules of `policy`.
        policy: "rfc3023" or "rfc7303".
        default_encoding: replaces the default of the rules 1.0, 2.1 and 3.6 and of the step L4.
        detector: used at step L6: "letters", None, or a callable that is passed the bytes from the first
            non-ASCII byte, or ESC, on, and returns a label or None.
        complete: `head` is the whole document.

    Raises:
        ResolutionError: strict, where a rule is an error (1.3-1.7, 2.2, 2.4, 2.6; by RFC 7303 3.2 and 3.9).
        UnknownEncoding: for a default_encoding that names no charset that can be read.
        ValueError: for an unknown policy.
        TypeError: for a str; it is decoded already.
    """
    if (policy, default_encoding, detector) != _USUAL or lenient not in (True, False):
        check_options(policy, default_encoding, detector, lenient=lenient)
    if not isinstance(head, bytes):
        head = as_bytes(head)
    field = content_type if isinstance(content_type, str) else as_field(content_type)
    opening = open_document(
        head, field, lenient=lenient, policy=policy, default_encoding=default_encoding, complete=complete
    )
    decision = opening.decision
    if not opening.windowed:
        return decision
    start = decision.facts.body.start
    high = first_non_ascii(head[start:] if start else head)
    if high < 0:
        return opening.if_ascii if complete else decision
    high += start
    seen, ends = head[high : high + LOOKAHEAD], complete and len(head) <= high + LOOKAHEAD
    utf8 = is_utf8(seen, ends) if opening.decided_by_utf8(seen) else None
    if utf8:
        return opening.well_formed(high, ends)
    from feedcharset.evidence import window as counting  # most documents are UTF-8, and need no counts

    before = head[start:high]
    window = counting.Window(seen, ends=ends, before=before, beginning=before, detector=detector, utf8=utf8)
    return conclude(opening, high, window, policy=policy, default_encoding=default_encoding)


_USUAL = ("rfc3023", None, "letters")


def check_options(
    policy: str, default_encoding: str | None, detector: Detector | None, *, lenient: bool = True
) -> None:
    """Refuse options that no decision can be made with.

    Raises:
        TypeError: for a default_encoding that is no str, and a `lenient` that is neither True nor False.
        ValueError: for an unknown policy, and a detector that is neither "letters" nor can be called.
        UnknownEncoding: for a default_encoding that is no charset of the table, or is never decoded.
    """
    if lenient not in (True, False):  # `"no"` would be lenient
        raise TypeError(f"lenient must be True or False, not {lenient!r:.64}")
    tables(policy)
    if not isinstance(default_encoding, str | None):
        kind = type(default_encoding).__name__
        raise TypeError(f"default_encoding must be a label, a str, or None; not {kind}")
    if default_encoding is not None:
        charset = lookup(default_encoding)
        if charset is None or charset.refused:
            raise UnknownEncoding(f"default_encoding is {_unreadable(default_encoding, charset)}")
    if detector not in ("letters", None) and not (isinstance(detector, Letters) or callable(detector)):
        raise ValueError(
            f"detector is {detector!r}; pass 'letters', None, or a callable from bytes to a label or None"
        )


def _unreadable(label: str, charset: Charset | None) -> str:
    why = f" ({charset.name}: {charset.refused})" if charset else ""
    return f"{label[:64]!r}, which names no charset that can be read{why}"


def forced(encoding: str, facts: Facts, *, policy: str, lenient: bool) -> Resolution:
    """The resolution for `encoding=`, whatever the document's labels are.

    A generic UTF-16 or UTF-32 takes the byte order of the BOM or of the pattern, else big-endian
    (RFC 2781 §4.3).

    Raises:
        UnknownEncoding: for an encoding that is no charset of the table, or is never decoded.
    """
    if not isinstance(encoding, str):
        raise TypeError(f"encoding must be a label, a str, or None; not {type(encoding).__name__}")
    charset = lookup(encoding, lenient=True)
    if charset is None or charset.refused:
        raise UnknownEncoding(f"encoding is {_unreadable(encoding, charset)}", facts=facts)
    if charset.codec is None and charset.name in ("UTF-16", "UTF-32"):
        shape = facts.bom or facts.body.pattern or facts.guess or ""
        charset = by_name(shape if shape.startswith(charset.name) else f"{charset.name}BE")
    codec = by_name(charset.superset).codec if lenient else charset.codec
    return Resolution(charset.name, codec, "forced", (), facts, policy, lenient)
