"""The six principles of lenient reading: a candidate that the bytes disprove is refused.

A step of the lenient chain proposes a `Candidate`; it is tested against a `Case`: the facts, the form of the
bytes and the counts of the window. Each principle is a row with an id, a sentence and a test, which returns
the reason for which a candidate is refused, with the numbers it used, or None.

At the end: mixtures, documents into which items in UTF-8 and items in a western charset were pasted. What is
read by a western charset is tested for them; longer than the window, it is watched to its end.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.decide.thresholds import (
    CHEAPER,
    CHEAPER_AS_DECLARED,
    CUT_IN_TWO,
    IN_LATIN_WORDS,
    IN_WORDS,
    LATIN,
    NON_LATIN,
    NOT_CROWDED,
    PASTED,
    PLACES_OF_DEFAULT,
    WESTERN_LESS,
    are_words,
    common_enough,
    enough_where_named,
    foreign_enough,
    foreign_to_label,
    frequent_prevail,
    latin_in_east_asian,
    latin_in_words,
    letters_of,
    letters_prevail,
    misread_enough,
    mostly_frequent,
    mostly_words,
    tolerable_controls,
    tolerable_damage,
    tolerable_utf8,
    utf8_is_certain,
    utf8_threshold,
    varied_enough,
)
from feedcharset.evidence.detector import CENTRAL_PAGES, IN_A_ROW, WESTERN_PAGES
from feedcharset.evidence.document_head import fits_form
from feedcharset.results import Resolution, Step
from feedcharset.results.explanation import counted
from feedcharset.results.facts import (
    CommonCount,
    Damage,
    Detected,
    Facts,
    LabelCosts,
    ScriptCount,
    SequenceCount,
    SiblingCount,
    Utf8Count,
)

WINDOWED = (None, "ASCII", "UTF-8", "ISO-2022-JP")
"""Byte forms under which the first non-ASCII byte, or ESC, opens a window; with the others the decision is
final at once."""


Decides = Callable[[SequenceCount], bool]
"""Returns True where counts decide a question, and counting on cannot change the answer."""


class WindowCounts(Protocol):
    """The counts of the window. Each call with the same arguments returns the same counts.

    `decodes` is `damage(charset).places == 0` without the other numbers. `sequences` may end counting where
    the numbers decide; `utf8_bounds` may give bounds that prove that the window is not UTF-8.
    """

    def utf8(self) -> Utf8Count: ...
    def utf8_bounds(self, charset: Charset | None = None) -> Utf8Count: ...
    def decodes(self, charset: Charset) -> bool: ...
    def damage(self, charset: Charset) -> Damage: ...
    def damage_apart(self, charset: Charset) -> Damage: ...
    def sequences(self, charset: Charset, decides: Decides | None = None) -> SequenceCount: ...
    def common(self, charset: Charset) -> CommonCount: ...
    def scripts(self) -> ScriptCount: ...
    def distinct(self) -> int: ...
    def sibling(self, charset: Charset) -> SiblingCount | None: ...
    def costs(self, charset: Charset, declared: Charset) -> LabelCosts: ...
    def misplaced(self) -> tuple[str | None, int]: ...
    def detected(self) -> Detected | None: ...
    def letters(self, charset: Charset) -> Detected | None: ...


class Candidate(NamedTuple):
    """An encoding that a step proposes."""

    step: str
    rule: str
    label: str | None
    source: str
    """What names it: "BOM", "guess", "declaration", "charset", "default", "body" or "detector"."""
    charset: Charset | None
    """The charset that the label names; a generic name is already in the byte order that was found."""
    why: str = ""
    """The reason of the row that proposes it; "" where the step's own sentence is enough."""
    spec: str = ""


class Case(NamedTuple):
    """All that a principle may use."""

    facts: Facts
    form: str | None
    """The encoding of the BOM, or the pattern of the first bytes (`byte_form`); None: ASCII, so far."""
    counts: WindowCounts | None
    """None while everything seen is ASCII."""


def in_order(charset: Charset | None, form: str | None) -> Charset | None:
    """Return a generic UTF-16 or UTF-32 in the byte order of the form; any other charset as it is."""
    if charset is None or form is None or charset.name not in ("UTF-16", "UTF-32"):
        return charset
    family = "UTF-32" if form.startswith("UCS-4") else form[:6]
    return by_name(form) if charset.name == family else charset


def named(step: str, label: str | None, source: str, form: str | None) -> Candidate | None:
    """Return the candidate that a label names, or None where there is no label."""
    if label is None:
        return None
    return Candidate(step, step, label, source, in_order(lookup(label, lenient=True), form))


class Principle(NamedTuple):
    """One test of a candidate."""

    id: int
    name: str
    sentence: str
    always: bool
    """Tested even while everything seen is ASCII."""
    refuses: Callable[[Candidate, Case], str | None]
    """The reason for which a candidate is refused, or None. The tests run in the order of `AS_TESTED`: all
    but principle 1 rely on a charset, and all from 3 on rely on the counts of a window."""


SERVER_DEFAULTS = ("ISO-8859-1", "US-ASCII")
"""Charsets that servers and frameworks add by default (RFC 2616 §3.7.1, RFC 2046 §4.1.2)."""


def _unknown(candidate: Candidate, case: Case) -> str | None:
    charset = candidate.charset
    if charset is None:
        label = candidate.label
        shown = label if label is None or len(label) <= 64 else label[:61] + "..."
        return f"{shown!r} is the name of no charset that this library knows"
    if charset.refused:
        return f"{charset.name} is refused: {charset.refused}"
    return None


def _of_another_form(candidate: Candidate, case: Case) -> str | None:
    charset, form = candidate.charset, case.form
    assert charset is not None
    if fits_form(charset, form):
        return None
    if form is None:
        return f"the bytes are ASCII-compatible, {charset.name} is not"
    return f"{'the BOM' if form == case.facts.bom else 'the pattern of the bytes'} is that of {form}"


def _undecodable(candidate: Candidate, case: Case) -> str | None:
    charset, counts = candidate.charset, case.counts
    assert charset is not None
    assert counts is not None
    if charset.family == "US-ASCII":
        return "US-ASCII has no non-ASCII bytes and no ESC"
    if charset.decodes_every_byte:
        return None
    if charset.family == "UTF-8":
        count = counts.utf8()
        if tolerable_utf8(count):
            return None
        damaged = counted(count.damaged, "damaged run")
        return f"{damaged} of bytes beside {counted(count.sequences, 'UTF-8 sequence')}"
    if counts.decodes(charset):
        return None
    damage = counts.damage(charset)
    if _tolerable(damage, charset, candidate, case):
        return None
    places, characters = counted(damage.places, "run"), counted(damage.characters, "character")
    return f"{charset.name} cannot decode {places} of bytes; it decodes {characters}"


def _tolerable(damage: Damage, charset: Charset, candidate: Candidate, case: Case) -> bool:
    assert case.counts is not None
    if tolerable_damage(charset, damage):
        return True
    damage = case.counts.damage_apart(charset)
    if damage.pasted and mostly_words(case.counts.utf8()):
        damage = damage._replace(places=damage.places - damage.pasted)
    if tolerable_damage(charset, damage):
        return True
    if charset.family == "ISO-2022-JP":  # text in other bytes is less
        utf8 = case.counts.utf8()
        return (damage.characters or 0) > max((utf8.sequences or 0) + utf8.damaged, damage.places)
    if candidate.source != "declaration":
        return False
    many = charset.family != "CJK" or (damage.characters or 0) < PLACES_OF_DEFAULT * damage.places
    if many and damage.places > CUT_IN_TWO:
        return False
    default = lookup(case.facts.charset or "", lenient=True)
    if default is None or default.name not in SERVER_DEFAULTS:
        return False
    return charset.family != "CJK" or common_enough(case.counts.common(charset))


def _plainly_utf8(candidate: Candidate, case: Case) -> str | None:
    charset, counts = candidate.charset, case.counts
    assert charset is not None
    assert counts is not None
    if charset.family not in ("single", "CJK"):
        return None
    if not tolerable_utf8(counts.utf8_bounds(charset)) or not tolerable_utf8(utf8 := counts.utf8()):
        return None
    sequences = utf8.sequences or 0
    # Sequences of three bytes (`’`, an emoji), no more than the places that look like cut characters: these
    # may be letters at the end of a word.
    is_pasted = 0 < sequences <= utf8.cut - utf8.marks and utf8.sequence_bytes >= 3 * sequences
    if charset.family == "single" and (is_pasted or (mostly_words(utf8) and not names_utf8(case.facts))):
        return None
    if are_words(counts.utf8()) and (texts := counts.scripts()).others > texts.own:
        return None  # more texts are words that are not UTF-8, as a label may name them
    count = count_stale(charset, case)
    if not varied_enough(charset, utf8, count):
        return None
    row = utf8_threshold(charset, count, undamaged=not utf8.damaged)
    if row is not None:
        return f"the bytes are plainly UTF-8: {row.why}"
    if count.private_use:
        private = counted(count.private_use, "character")
        return f"the bytes are UTF-8, and {charset.name} decodes them to {private} for private use"
    if names_utf8(case.facts) and enough_where_named(charset, count):
        at_least = "at least " if count.more else ""
        return f"the bytes are UTF-8 ({at_least}{count.sequences} sequences), and another label names UTF-8"
    return None


def count_stale(charset: Charset, case: Case) -> SequenceCount:
    """Count the UTF-8 sequences under the label of a charset, as far as they decide whether it is stale."""
    facts, _, counts = case
    assert counts is not None
    utf8, is_named = counts.utf8(), names_utf8(facts)

    def decides(count: SequenceCount) -> bool:
        certain = utf8_is_certain(charset, count) or (is_named and enough_where_named(charset, count))
        return certain and varied_enough(charset, utf8, count)

    return counts.sequences(charset, decides)


def charsets_named(facts: Facts) -> set[str]:
    """Return the names of the charsets that the BOM, the declaration and the Content-Type name."""
    labels = (facts.bom, facts.declared, facts.charset)
    return {charset.name for label in labels if label and (charset := lookup(label, lenient=True))}


def names_utf8(facts: Facts) -> bool:
    return "UTF-8" in charsets_named(facts)


def _server_default_only(candidate: Candidate, case: Case) -> str | None:
    charset = candidate.charset
    if candidate.source != "charset" or charset is None:
        return None
    assert case.counts is not None
    # It decodes nearly any bytes, most of them to half-width katakana.
    damaged = charset.superset == "Windows-31J" and not case.counts.decodes(charset)
    if not damaged and charset.page not in NOT_CROWDED:
        return None
    declares_utf8 = lookup(case.facts.declared or "", lenient=True) == by_name("UTF-8")
    is_utf8 = declares_utf8 and not case.counts.utf8().damaged
    if is_utf8 and (damaged or charset.page in LATIN or case.counts.damage(charset).controls):
        return "all bytes are well-formed UTF-8, which the declaration names"
    of_page = charset.page != "western" and judged_by_letters(charset) and charset.family == "single"
    if not damaged and charset.page not in LATIN and not (of_page and case.facts.declared):
        return None
    label = case.facts.declared or case.counts.misplaced()[0]
    declared = named("L2", label, "declaration", case.form)
    if declared is None or declared.charset in (None, charset):
        return None
    if _is_refuted(declared, case):
        return None
    assert declared.charset is not None
    if damaged and not case.counts.decodes(declared.charset):
        return None
    refused = declared.charset.family == "single" and of_another_language(declared, case)
    letters = case.counts.letters(declared.charset) if refused else None
    if letters is not None and letters.label == charset.superset:
        return None
    is_default = declared.charset.superset in (WESTERN, "ISO-8859-15")  # of a template
    # A server adds windows-1252 as it does ISO-8859-1; of ISO-8859-15 documents hold the euro alone.
    other = declared.charset.page in LATIN and not is_default
    is_added = charset.name in SERVER_DEFAULTS or (charset.name == "windows-1252" and other)
    # The table has more languages of central pages than of others (no Polish of windows-1257).
    if charset.name in CENTRAL_PAGES if is_default else of_page or charset.page == "western":
        least = WESTERN_LESS if is_default else CHEAPER_AS_DECLARED if of_page else CHEAPER
        less = _costs_less(charset, declared.charset, case.counts)
        # A Latin page may be true for a language that is not in the table.
        if charset.page == "western" and declared.charset.page not in LATIN and less <= -CHEAPER:
            return None
        if not is_added and less >= least:
            return f"the letters fit the declared {declared.charset.name} better than {charset.name}"
    if not damaged and charset.page not in LATIN and declared.charset.family != "CJK":
        return None
    if is_added:
        damage = case.counts.damage(declared.charset)
        pasted = declared.charset.name != "ISO-8859-15" and (damage.controls or 0) <= PASTED
        if not pasted and not tolerable_controls(damage):
            return None
        return (
            f"a charset of {charset.name} is often a server's default, and the declared encoding can be true"
        )
    return _declaration_proves_itself(charset, declared.charset, case.counts)


def _costs_less(charset: Charset, declared: Charset, counts: WindowCounts) -> int:
    """Return how much less the letters cost in the declared page; 0 where that is not judged."""
    if declared.family != "single" or not judged_by_letters(declared):
        return 0
    costs = counts.costs(charset, declared)
    return costs.cost - costs.declared_cost


def _is_refuted(candidate: Candidate, case: Case) -> bool:
    """Return True where a principle from 1 to 4 refuses a candidate: these do not judge its letters."""
    return any(principle.refuses(candidate, case) for principle in AS_TESTED if principle.id < 5)


def _declaration_proves_itself(charset: Charset, declared: Charset, counts: WindowCounts) -> str | None:
    if declared.family == "CJK":
        common = counts.common(declared)
        sure = charset.page not in NON_LATIN or frequent_prevail(common)  # words of them are hanzi, too
        if common_enough(common) and sure:
            return (
                f"the bytes are {declared.name}: {common.common} of {common.characters} characters are common"
            )
    if declared.page in NON_LATIN and common_enough(words := counts.common(declared), IN_WORDS):
        return f"the bytes are {declared.name}: {words.common} of {words.characters} characters are in words"
    if declared.superset == WESTERN:  # a default, too, which has hardly a C1 control in any text
        return None
    controls = counts.damage(charset).controls if charset.page == "western" else 0
    if not controls or counts.damage(declared).controls:
        return None
    return f"{counted(controls, 'C1 control')} under {charset.name}, none under the declared {declared.name}"


def judged_by_letters(charset: Charset) -> bool:
    """Return True for the charsets under whose label the letters may be those of another one: single-byte
    ones, which decode nearly every byte, and East Asian ones, which decode most pairs, into rare
    characters."""
    if charset.family != "single":
        return charset.family == "CJK"
    from feedcharset.evidence import scripts  # most documents are UTF-8

    return charset.superset in scripts.LETTERED


def letters_in_words(charset: Charset, counts: WindowCounts) -> bool:
    """Return True where the letters stand in words of a to z under the label of a script that has none."""
    of_latin = charset.page in LATIN or not judged_by_letters(charset)
    found = None if of_latin else counts.letters(charset)
    if found is None or not found.in_words:
        return False
    if charset.family == "single":
        return latin_in_words(found)
    if found.in_words >= IN_LATIN_WORDS and charset.superset != "GB18030":
        return True
    return latin_in_east_asian(found.in_words, counts.common(charset))


def of_another_language(candidate: Candidate, case: Case) -> str | None:
    charset, counts = candidate.charset, case.counts
    assert charset is not None
    assert counts is not None
    if not judged_by_letters(charset):
        return None
    letters = counts.letters(charset)
    if letters is None or letters.label == charset.name:
        return None
    other = named("L6", letters.label, "detector", case.form)
    assert other is not None
    assert other.charset is not None
    western = charset.superset in WESTERN_PAGES
    in_words = letters_in_words(charset, counts)
    decodes = charset.page in LATIN or charset.decodes_every_byte or counts.decodes(charset)
    if charset.family == "CJK":
        if not in_words and frequent_prevail(counts.common(charset)):
            return None
    elif tolerable_utf8(counts.utf8()):
        return None
    others = charsets_named(case.facts) - {charset.name}
    misread = misread_enough(letters, charset, letters.label in others)
    disputed = any(by_name(one).family == "single" and by_name(one).page not in LATIN for one in others)
    latin = other.charset.page in LATIN and not (western or misread or in_words)
    if charset.family != "CJK" and latin and decodes and not foreign_to_label(letters, charset):
        return None
    if western and not (misread or foreign_enough(other.charset, letters)):
        return None
    if not western:
        enough = in_words or misread or letters_prevail(other.charset, letters, charset, disputed)
        east_asian = other.charset.family == "CJK"
        if not enough and east_asian and charset.family == "CJK" and not letters.outside:
            enough = mostly_frequent(counts.common(other.charset), counts.common(charset))
        if other.charset.superset == charset.superset or not enough:
            return None
        if east_asian and not frequent_prevail(counts.common(other.charset)):
            return None
    if _is_refuted(other, case):
        return None
    from feedcharset.evidence.labelled_letters import BY_PLACE  # most documents are UTF-8

    pair = BY_PLACE.get(charset.name)
    if pair is not None and pair.sibling == other.charset.name and counts.sibling(charset) is not None:
        return None  # places of its letters show it
    return f"{letters_of(letters)}; in {letters.label}"


PRINCIPLES: tuple[Principle, ...] = (
    Principle(1, "known", "its label is known and may be decoded", True, _unknown),
    Principle(
        2,
        "of the bytes' form",
        "it agrees with the BOM, or else with the pattern of the bytes",
        True,
        _of_another_form,
    ),
    Principle(3, "decodes", "the window decodes", False, _undecodable),
    Principle(
        4,
        "not plainly UTF-8",
        "it is no legacy label over bytes that are plainly UTF-8",
        False,
        _plainly_utf8,
    ),
    Principle(
        5,
        "not merely a server's default",
        "an HTTP charset of a Latin page, or one that reads C1 controls, loses to a declared UTF-8, if all "
        "bytes are UTF-8; "
        "ISO-8859-1 or US-ASCII to any declaration that can be true; windows-1252 "
        "to that of another Latin page, unless principle 6 refuses it for windows-1252; any western one "
        "to a declared multi-byte charset whose characters are common, to a declared charset of another "
        "script if the bytes are words of it, and to a declared charset without C1 controls where its own"
        " reading has some; any other single-byte one to such a multi-byte charset, or to a declared "
        "single-byte one that the letters fit better, a western one only under windows-1250 and ISO-8859-2;"
        " Shift_JIS that does not decode all to such a "
        "multi-byte charset, or another script, that does",
        False,
        _server_default_only,
    ),
    Principle(
        6,
        "of the letters' language",
        "it is no label over the letters of another script; no western one over text of another Latin "
        "alphabet, or over letters of the language that the document names and that is not written in it; "
        "no single-byte one that reads letters of that language as others, or as signs within words, "
        "where another page has them; no East Asian one that decodes the letters of another charset into "
        "rare characters; none of another script than Latin over letters in words of a to z; and none of "
        "another Latin page over letters that it reads as none of their language",
        False,
        of_another_language,
    ),
)


AS_TESTED = (*PRINCIPLES[:2], PRINCIPLES[3], PRINCIPLES[2], *PRINCIPLES[4:])
"""The order in which the principles are tested. Where 4 refuses a label, UTF-8 is accepted later, so it does
not matter whether 3 would refuse the label, too; and to decode UTF-8 as GBK takes 100 times as long (5 ms of
60 KB)."""


WESTERN = "windows-1252"
"""The charset of bytes that no label explains: the default of the web (HTML, "fallback encoding")."""

BEHIND_THE_WINDOW = "behind the window"
"""The step of a document of which more is to come."""


def is_mixture(resolution: Resolution) -> bool:
    """Return True where UTF-8 sequences are read as UTF-8, all other bytes by the encoding's page."""
    return bool(resolution.steps) and resolution.steps[-1].id == "mixture"


def is_watched(resolution: Resolution) -> bool:
    """Return True where the document goes on behind the window, and UTF-8 may begin there."""
    return resolution.steps[-1].id == BEHIND_THE_WINDOW


def _proves_utf8(found: SequenceCount) -> bool:
    return found.pasted > 0 or found.in_a_row >= IN_A_ROW


def find_mixture(charset: Charset, counts: WindowCounts | None, proven: bool = False) -> Step | None:
    """Return the step that reads a document as a mixture: it is read by a western page, and the window holds
    both bytes of the page and sequences that prove UTF-8, unless that is proven already; else None."""
    if counts is None or not may_be_mixed(charset):
        return None
    page = charset.superset
    bounds = counts.utf8_bounds()
    if not bounds.damaged or not bounds.sequences:
        return None
    if not proven and not _proves_utf8(counts.sequences(by_name(page), _proves_utf8)):
        return None
    count = counts.utf8()
    sequences, runs = counted(count.sequences, "UTF-8 sequence"), counted(count.damaged, "run")
    why = f"{sequences} beside {runs} of {page} bytes: sequences are read as UTF-8, the rest as {page}"
    return Step("mixture", "answer", charset.name, why)


def may_be_mixed(charset: Charset) -> bool:
    """Return True for the charsets whose page is western, of which a document may be mixed with UTF-8."""
    return charset.superset in WESTERN_PAGES and charset.family == "single"


def watch_step(charset: Charset) -> Step:
    """Return the step of a document that goes on behind the window, and is read by a western page."""
    why = (
        "the document goes on behind the window: from the first sequence there that proves UTF-8, sequences "
        'are read as UTF-8 and counted as repairs of kind "utf-8"'
    )
    return Step(BEHIND_THE_WINDOW, "nothing", charset.name, why)
