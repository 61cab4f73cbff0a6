"""The lenient chain, as data (`STEPS`), and the run through its steps.

L0-L4 are the published chain (ROME's XmlReader, "lenient"); the principles are this library's: a candidate
that the bytes disprove is refused, so the chain goes on, to L5-L7 where no label can be true. While
everything seen is ASCII, only principles 1 and 2 are tested and the answer is provisional; the first
non-ASCII byte, or ESC, opens a window, and the chain runs again with all principles.

No bytes reach this module: it takes the counts of the window from `WindowCounts`. They are recorded in the
facts, and `replay` repeats the decision from the facts alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from sys import maxsize
from typing import NamedTuple

from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.decide.lenient_principles import (
    AS_TESTED,
    WESTERN,
    WINDOWED,
    Candidate,
    Case,
    Decides,
    WindowCounts,
    find_mixture,
    in_order,
    letters_in_words,
    may_be_mixed,
    named,
    names_utf8,
    of_another_language,
    watch_step,
)
from feedcharset.decide.strict_decision import Answer, apply_rules, steps_of
from feedcharset.decide.thresholds import (
    CHANCE_CHARACTERS,
    CHANCE_SEQUENCES,
    CHEAPER,
    DAMAGED_WORDS,
    LATIN,
    NON_LATIN,
    OF_ONE_SCRIPT,
    are_words,
    enough_letters,
    foreign_among_utf8,
    frequent_prevail,
    hopeless_utf8,
    letters_of,
    more_than_lost_bytes,
    mostly_words,
    one_script,
    page_kind,
    tolerable_utf8,
    western_letters,
)
from feedcharset.evidence.detector import LETTERS_INSIDE
from feedcharset.evidence.document_head import byte_form
from feedcharset.results import Resolution, Step
from feedcharset.results.explanation import Verdict, counted
from feedcharset.results.facts import (
    Body,
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


class RecordedCounts:
    """The counts of a window (`WindowCounts`), from recorded facts.

    Raises:
        LookupError: the count was not recorded.
    """

    def __init__(self, body: Body) -> None:
        self._body = body

    def utf8(self) -> Utf8Count:
        assert self._body.utf8 is not None
        return self._body.utf8

    def utf8_bounds(self, charset: Charset | None = None) -> Utf8Count:
        return self.utf8()

    def decodes(self, charset: Charset) -> bool:
        return self.damage(charset).places == 0

    def damage(self, charset: Charset) -> Damage:
        return {damage.charset: damage for damage in self._body.damage}[charset.name]

    damage_apart = damage

    def sequences(self, charset: Charset, decides: Decides | None = None) -> SequenceCount:
        return {count.charset: count for count in self._body.sequences}[charset.name]

    def common(self, charset: Charset) -> CommonCount:
        return {count.charset: count for count in self._body.common}[charset.name]

    def scripts(self) -> ScriptCount:
        if self._body.scripts is None:
            raise LookupError
        return self._body.scripts

    def distinct(self) -> int:
        if self._body.distinct is None:
            raise LookupError
        return self._body.distinct

    def sibling(self, charset: Charset) -> SiblingCount | None:
        found = self._body.sibling
        return found if found is not None and found.charset == charset.name else None

    def costs(self, charset: Charset, declared: Charset) -> LabelCosts:
        if self._body.costs is None:
            raise LookupError
        return self._body.costs

    def misplaced(self) -> tuple[str | None, int]:
        return self._body.misplaced, self._body.misplaced_at

    def detected(self) -> Detected | None:
        return self._body.detected

    def letters(self, charset: Charset) -> Detected | None:
        found = self._body.detected
        judged = found is not None and found.detector == "letters" and found.as_cheap != charset.name
        return found if judged else None


class ChainRun:
    """The steps so far, and the candidates that only principle 3 refused."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.steps: list[Step] = []
        self.undecodable: list[Candidate] = []
        self.refused: list[tuple[Candidate, int, str]] = []
        self.by_chance = False
        """The UTF-8 sequences of the window are bytes of another charset."""
        self.mixed = False
        """UTF-8 is named, and has words here, and letters of windows-1252 are more."""

    def first_accepted(self, proposals: Iterator[Candidate | Step]) -> Candidate | None:
        """Return the first candidate that every principle accepts."""
        for proposal in proposals:
            if isinstance(proposal, Step):
                self.steps.append(proposal)
            elif self.accepts(proposal):
                return proposal
        return None

    def accepts(self, candidate: Candidate) -> bool:
        """Test a candidate against the principles, and record the result."""
        found = self._refusal(candidate)
        if found is None:
            self.answer(candidate, candidate.why)
            return True
        principle, why = found
        self._record(candidate, "refused", f"principle {principle}: {why}")
        if principle == 3:
            self.undecodable.append(candidate)
        return False

    def _refusal(self, candidate: Candidate) -> tuple[int, str] | None:
        """Return the principle that refuses a candidate, and why. L2 often proposes what L0 did."""
        label, source, charset = candidate[2:5]
        for other, principle_id, why in self.refused:
            if other.charset == charset and other.label == label and other.source == source:
                return principle_id, why
        for principle in AS_TESTED:
            if not (principle.always or self.case.counts):
                continue
            if refusal := principle.refuses(candidate, self.case):
                self.refused.append((candidate, principle.id, refusal))
                return principle.id, refusal
        return None

    def answer(self, candidate: Candidate, why: str) -> None:
        """Record that a candidate is the answer."""
        facts, form, counts = self.case
        if counts is not None or form not in WINDOWED or facts.body.complete:
            self._record(candidate, "answer", why)
        else:
            self._record(candidate, "provisional", f"{why}; everything seen so far is US-ASCII")

    def _record(self, candidate: Candidate, verdict: Verdict, why: str) -> None:
        name = candidate.charset.name if candidate.charset else candidate.label
        self.steps.append(Step(candidate.rule, verdict, name, why, candidate.spec))


class ChainStep(NamedTuple):
    """One step of the chain."""

    id: str
    sentence: str
    origin: str


STEPS: tuple[ChainStep, ...] = (
    ChainStep("L0", "the strict rules", "ROME XmlReader"),
    ChainStep("L1", "text/html as text/xml, and the strict rules again", "ROME XmlReader"),
    ChainStep("L2", "the declared encoding", "ROME XmlReader"),
    ChainStep("L3", "the charset parameter", "ROME XmlReader"),
    ChainStep("L4", "the caller's default, then UTF-8", "ROME XmlReader"),
    ChainStep("L5", "the BOM, the pattern of the bytes or a misplaced declaration", "XML 1.0 Appendix F"),
    ChainStep(
        "L6",
        "the letters of the text, or the caller's detector, where L7 would answer by convention or by chance",
        "feedcharset",
    ),
    ChainStep(
        "L7",
        "among the candidates refused only for undecodable bytes, the one with the fewest of them; "
        "where that is UTF-8 with more damage than sequences, or an East Asian charset under which western "
        "letters hardly decode, windows-1252 by convention",
        "feedcharset",
    ),
)

SENTENCES = {step.id: step.sentence for step in STEPS}

GUESSING_STEPS = ("L6", "L7")
"""The steps that answer where no label can be true."""


def decide(
    facts: Facts, counts: WindowCounts | None, *, policy: str = "rfc3023", default_encoding: str | None = None
) -> Resolution:
    """Decide leniently. There is always an answer.

    Args:
        facts: what was seen.
        counts: those of the window that the first non-ASCII byte, or ESC, opened; None while there is none.
        policy: the tables of L0 and L1.
        default_encoding: replaces the default of the rules 1.0, 2.1 and 3.6 and of L4.
    """
    run = ChainRun(Case(facts, byte_form(facts), counts))
    proposals = _proposals(facts, policy, default_encoding, run.case.form)
    winner = run.first_accepted(proposals) or _without_bom(run, policy, default_encoding) or from_bytes(run)
    if winner is None:
        assert counts is not None  # with any other form, L5 answers
        winner = detected(run) or least_undecodable(run)
    return _resolution(run, winner, policy)


def _proposals(
    facts: Facts, policy: str, default_encoding: str | None, form: str | None
) -> Iterator[Candidate | Step]:
    """Yield the candidates of L0 to L4, and a step for each that has none."""
    answer = apply_rules(facts, policy, default_encoding=default_encoding, lenient=True)
    yield from _from_rules("L0", answer, form)
    if facts.media_class == "HTML":
        as_text = facts._replace(media_class="TEXT-XML")
        answer = apply_rules(as_text, policy, default_encoding=default_encoding, lenient=True)
        yield from _from_rules("L1", answer, form)
    yield _labelled("L2", facts.declared, "declaration", form, "nothing is declared at the beginning")
    yield _labelled("L3", facts.charset, "charset", form, "there is no charset parameter")
    if default_encoding is not None:
        default = in_order(lookup(default_encoding), form)
        yield Candidate("L4", "L4", default_encoding, "default", default, "the caller's default")
    if form == "UTF-8":
        why = "the BOM is that of UTF-8"
    elif facts.declared is not None or facts.charset is not None:
        why = "nothing that can be true names another"
    else:
        why = "nothing names another"
    yield Candidate("L4", "L4", "UTF-8", "default", by_name("UTF-8"), why)


def _labelled(step: str, label: str | None, source: str, form: str | None, none: str) -> Candidate | Step:
    candidate = named(step, label, source, form)
    return candidate._replace(why=SENTENCES[step]) if candidate else Step(step, "nothing", None, none)


def _from_rules(step: str, answer: Answer, form: str | None) -> Iterator[Candidate | Step]:
    if answer.label is None:
        yield from steps_of(answer)
    else:
        rule = answer.rule if step == "L0" else f"{step}/{answer.rule}"
        row = answer.rows[-1]
        charset = in_order(answer.charset, form)
        yield Candidate(step, rule, answer.label, answer.source, charset, row.why, row.spec)


def _without_bom(run: ChainRun, policy: str, default_encoding: str | None) -> Candidate | None:
    """Skip a UTF-8 BOM before bytes that are not UTF-8, where a named label can be true, or the letters are
    those of another page than the western one, by which such bytes are read in any case."""
    facts, form, counts = run.case
    if form != "UTF-8" or counts is None or tolerable_utf8(counts.utf8_bounds()):
        return None
    bare = ChainRun(Case(facts._replace(bom=None), facts.body.pattern, counts))
    for candidate in (
        named("L2", facts.declared, "declaration", None),
        named("L3", facts.charset, "charset", None),
    ):
        if candidate and (bare.accepts(candidate) or _decodes_most(bare, candidate)):
            run.answer(candidate, f"the bytes after the UTF-8 BOM are not UTF-8; {SENTENCES[candidate.step]}")
            return candidate
    proposals = _proposals(bare.case.facts, policy, default_encoding, bare.case.form)
    found = None if bare.first_accepted(proposals) else detected(bare)
    if found is None or found.charset is None or found.charset.superset == "windows-1252":
        return None
    run.answer(found, f"the bytes after the UTF-8 BOM are not UTF-8; {found.why}")
    return found


def _decodes_most(bare: ChainRun, candidate: Candidate) -> bool:
    """Return True where only some undecodable bytes speak against a label, and much more against UTF-8."""
    counts, charset = bare.case.counts, candidate.charset
    if candidate not in bare.undecodable or charset is None or charset.family not in ("single", "CJK"):
        return False
    assert counts is not None
    damage = counts.damage(charset)
    return hopeless_utf8(counts.utf8()) and LITTLE[1] * damage.places <= (damage.characters or 0)


def _resolution(run: ChainRun, winner: Candidate, policy: str) -> Resolution:
    charset = winner.charset
    assert charset is not None
    if winner.source != "detector" and (sibling := _sibling(charset, run.case.counts)) is not None:
        run.steps.append(sibling)
        charset = by_name(sibling.encoding or "")
    mixture = None if run.by_chance else find_mixture(charset, run.case.counts, run.mixed)
    if mixture is not None:
        run.steps.append(mixture)
    elif run.case.counts is not None and may_be_mixed(charset) and not run.case.facts.body.complete:
        run.steps.append(watch_step(charset))
    codec = None if mixture else by_name(charset.superset).codec
    return Resolution(charset.name, codec, winner.rule, tuple(run.steps), run.case.facts, policy, True)


def _sibling(charset: Charset, counts: WindowCounts | None) -> Step | None:
    """Return the step that reads a document by the sibling of the page of its label."""
    found = counts.sibling(charset) if counts is not None else None
    if found is None or not (found.letters or found.undefined):
        return None
    # Without a cost they were not judged: places show the sibling.
    if found.cost and found.cost - found.sibling_cost < (0 if found.undefined else CHEAPER):
        return None
    seen = counted(found.letters, "letter" if found.cost else "place")
    seen = f"{seen} of {found.sibling}" if found.letters else ""
    undefined = f"{counted(found.undefined, 'byte')} that {found.charset} has not" if found.undefined else ""
    why = f"{' and '.join(filter(None, (seen, undefined)))}: the label names its sibling"
    return Step("sibling", "answer", found.sibling, why)


def replay(facts: Facts, *, policy: str = "rfc3023", default_encoding: str | None = None) -> Resolution:
    """Decide again, leniently, from recorded facts alone."""
    windowed = facts.body.first_non_ascii is not None and byte_form(facts) in WINDOWED
    counts = RecordedCounts(facts.body) if windowed else None
    return decide(facts, counts, policy=policy, default_encoding=default_encoding)


def from_bytes(run: ChainRun) -> Candidate | None:
    """L5: the BOM, the pattern of the bytes, or a misplaced declaration."""
    facts, form, counts = run.case
    if form is None or form == "ASCII":
        assert counts is not None  # while all is ASCII, L4 is accepted
        return run.first_accepted(_misplaced(counts, facts.body.start))
    charset = by_name((facts.body.code_page or "IBM037") if form == "EBCDIC" else form)
    of_bom = form == facts.bom
    winner = Candidate("L5", "L5", charset.name, "BOM" if of_bom else "body", charset)
    why = "the BOM names it" if of_bom else "the pattern of the bytes shows it"
    if form == "EBCDIC":
        why = "the first bytes are EBCDIC; nothing names its page, and in this one most ASCII is printable"
    run.answer(winner, why)
    return winner


def _misplaced(counts: WindowCounts, start: int) -> Iterator[Candidate | Step]:
    """Yield the encoding of a misplaced declaration. A charset that decodes any bytes is not accepted against
    UTF-8 that is merely damaged."""
    label, offset = counts.misplaced()
    candidate = named("L5", label, "body", None)
    count = counts.utf8()
    if candidate is None:
        yield Step("L5", "nothing", None, "there is neither a BOM nor a pattern nor a misplaced declaration")
    elif candidate.charset and not candidate.charset.self_proving and not hopeless_utf8(count):
        yield Step(
            "L5", "nothing", None, "a misplaced declaration is not enough evidence against damaged UTF-8"
        )
    else:
        where = f"further down, at byte {start + offset}," if offset else "that is misspelt"
        yield candidate._replace(why=f"an XML declaration {where} names it")


def detected(run: ChainRun) -> Candidate | None:
    """L6: the detector's label, if L7 would answer by convention."""
    counts = run.case.counts
    assert counts is not None
    fallback = _fallback(run)
    charset = fallback.charset
    assert charset is not None
    is_utf8 = charset.family == "UTF-8"
    if run.mixed:
        answer = counts.detected()
        utf8 = counts.utf8()
        only_signs = utf8.sequence_bytes >= 3 * (utf8.sequences or 0)
        foreign = answer is not None and (only_signs or answer.foreign > 1) and foreign_among_utf8(answer)
        run.mixed = not foreign and (answer is None or answer.detector != "caller")
        if run.mixed and not (answer and by_name(answer.label).superset == "windows-1254"):  # mixed, too
            why = f"words in UTF-8, which is named, stand among letters that {WESTERN} may have"
            run.steps.append(Step("L6", "nothing", None, why))
            return None
    refused = any(principle_id == 6 for _, principle_id, _ in run.refused)
    chance = is_utf8 and (run.by_chance or _sequences_by_chance(counts) or _mostly_of_a_page(counts))
    # By convention: no label is refused for undecodable bytes of windows-1252, which has none.
    asked = refused or charset.name == WESTERN or chance or _decodes_little(counts, charset)
    if not asked and is_utf8:
        asked = _all_of_named_language(run.case.facts, counts)
        if not asked and not names_utf8(run.case.facts):
            lost = not more_than_lost_bytes(counts.utf8(), counts.distinct())
            lost = lost or (scripts := counts.scripts()).letters == scripts.one_script > 1
            asked = not lost and _in_words(counts.detected())
    found = counts.detected() if not asked and is_utf8 and not counts.utf8().sequences else None
    # What looks like cut characters may be small letters of the language that the document names (`Latvijâ`
    # in windows-1257). True cut characters would mostly be read as capitals.
    if found is not None and found.named and not (found.outside or any(map(str.isupper, found.letters))):
        asked = found.counted >= (2 if names_utf8(run.case.facts) else 1)
    # Principle 6 may refuse it still: some of the bytes are no characters of it.
    if not asked and of_another_language(fallback, run.case) is None:
        why = f"not called: {charset.name} decodes most of the bytes"
        run.steps.append(Step("L6", "nothing", None, why))
        return None
    # Typographic marks alone are as good as a label.
    is_named, utf8 = names_utf8(run.case.facts), counts.utf8()
    marks = utf8.sequence_bytes >= 3 * (utf8.sequences or 1)
    texts = counts.scripts() if is_named or marks or are_words(utf8) else None
    damaged = maxsize if marks or not is_named else utf8.damaged
    # The texts in UTF-8 are more than the others; of as many, the words.
    if texts and texts.own >= texts.others > 0 and (texts.own > texts.others or texts.words > damaged):
        which = ", which is named," if is_named else ""
        why = f"{counted(texts.own, 'text')} in UTF-8{which} beside {texts.others} in other bytes"
        run.steps.append(Step("L6", "nothing", None, why))
        return None
    return run.first_accepted(_detected(run.case.facts, counts))


def _in_words(answer: Detected | None) -> bool:
    """Return True where a caller's detector answers, or the letters are those of a page whose words are all
    non-ASCII bytes. Western text beside UTF-8 has them one by one; East Asian charsets and pages of DOS have
    a character for most bytes."""
    if answer is None or answer.detector == "caller":
        return answer is not None
    of_words = page_kind(by_name(answer.label)) in NON_LATIN
    return of_words and answer.counted >= LETTERS_AGAINST_UTF8 and not answer.outside


def _all_of_named_language(facts: Facts, counts: WindowCounts) -> bool:
    """Return True where another charset than UTF-8 decodes all, and into the letters of the language that the
    document names: East Asian and Thai words of some characters hold sequences of UTF-8 by chance. Where
    UTF-8 is named, two that are letters of one script are no chance."""
    if not _few_sequences(counts):
        return False
    scripts, least = counts.scripts(), OF_ONE_SCRIPT - 1 if names_utf8(facts) else OF_ONE_SCRIPT
    if scripts.letters == scripts.one_script and min(scripts.letters, counts.distinct()) >= least:
        return False
    answer = counts.detected()
    if answer is None or not answer.named or answer.outside:
        return False
    charset = by_name(answer.label)
    return charset.page not in LATIN and counts.decodes(charset)


def _few_sequences(counts: WindowCounts) -> bool:
    """Return True where UTF-8 sequences may be there by chance: they are few, or always the same ones."""
    sequences = counts.utf8().sequences or 0
    # 0: they stand behind the window's beginning.
    return sequences > 0 and (sequences <= CHANCE_SEQUENCES or 0 < counts.distinct() <= CHANCE_CHARACTERS)


def _detected(facts: Facts, counts: WindowCounts) -> Iterator[Candidate | Step]:
    answer = counts.detected()
    sequences, damaged = counts.utf8()[:2]
    candidate = named("L6", answer.label if answer else None, "detector", None)
    is_sure = answer is not None and answer.named and not sequences
    least = LETTERS_AGAINST_UTF8 - 1 if is_sure else LETTERS_AGAINST_UTF8
    # Characters of two bytes are UTF-8 by chance more often.
    beside = 1 if candidate and candidate.charset and candidate.charset.family == "CJK" else LETTERS_INSIDE
    if answer is None or candidate is None:
        yield Step("L6", "nothing", None, "no detector answered")
    elif answer.detector == "caller" or candidate.charset is None:
        yield candidate._replace(why="the caller's detector names it")
    elif why := enough_letters(candidate.charset, answer, beside * (sequences or 0) > damaged):
        yield Step("L6", "nothing", None, why)
    elif names_utf8(facts) and (
        (answer.counted < least and candidate.charset.page not in LATIN)
        # Of well-formed sequences of UTF-8, too, an East Asian charset makes characters, mostly rare ones.
        or (
            beside == 1
            and (sequences or 0) > 2 * damaged
            and not frequent_prevail(counts.common(candidate.charset))
        )
    ):
        why = f"{counted(answer.counted, 'letter')} of {candidate.charset.name}: UTF-8 is named"
        yield Step("L6", "nothing", None, why)
    else:
        yield candidate._replace(why=letters_of(answer))


def least_undecodable(run: ChainRun) -> Candidate:
    """L7: among the candidates that only principle 3 refused (UTF-8 is one of them, US-ASCII never), the one
    with the fewest undecodable runs of bytes; by convention windows-1252 where that is UTF-8 with more
    damaged runs than sequences."""
    winner = _fallback(run)
    run.answer(winner, winner.why)
    return winner


def _fallback(run: ChainRun) -> Candidate:
    """Return the answer of L7, and record in the run whether its UTF-8 sequences are there by chance.

    UTF-8 with more damaged runs than sequences is not UTF-8: a multi-byte charset that decodes something goes
    before it, however few the runs of undecodable bytes are. (No candidate here is one that principle 4 would
    refuse: for such bytes UTF-8 was accepted at L4.)
    """
    counts = run.case.counts
    assert counts is not None
    ranked = [one for one in run.undecodable if one.charset != by_name("US-ASCII")]
    ranked = [one for one in ranked if one.source != "detector" or _is_usual(counts, one.charset)]
    count = counts.utf8()
    hopeless = hopeless_utf8(count)
    is_named = names_utf8(run.case.facts)
    labels = [one for one in ranked if one.source != "detector"]
    only_utf8 = is_named and all(one.charset == by_name("UTF-8") for one in labels)
    are_letters = count.damaged_bytes < DAMAGED_WORDS * count.damaged
    sequences = count.sequences or 0
    few = _few_sequences(counts)
    asked = only_utf8 and are_letters and sequences and (hopeless or few or ranked != labels)
    words = counts.scripts().words if asked else 0
    prevail = not hopeless and words > count.damaged
    if prevail:
        ranked = labels  # without a guess that has undecodable bytes, too
    run.mixed = hopeless and words > 0 and len(ranked) == len(labels)
    run.by_chance = few and not run.mixed and not prevail and not one_script(counts.scripts())
    hopeless |= run.by_chance
    if hopeless and any(_decodes_something(counts, candidate) for candidate in ranked):
        ranked = [candidate for candidate in ranked if candidate.charset != by_name("UTF-8")]
    best = min(ranked, key=lambda candidate: _undecodable_runs(counts, candidate.charset))
    runs = _undecodable_runs(counts, best.charset)
    if best.charset == by_name("UTF-8") and hopeless and (not is_named or hopeless_utf8(count)):
        seen = counted(count.sequences, "UTF-8 sequence")
        why = (
            f"no label names the charset of these bytes ({seen}, {counted(runs, 'damaged run')}): "
            f"{WESTERN} by convention"
        )
        return Candidate("L7", "L7", WESTERN, "default", by_name(WESTERN), why)
    assert best.charset is not None
    if letters := _western_instead(counts, best.charset):
        why = (
            f"{counted(runs, 'undecodable run')} of bytes under {best.charset.name}, and "
            f"{letters_of(letters) if letters.counted else 'no letters'}: {WESTERN} by convention"
        )
        return Candidate("L7", "L7", WESTERN, "default", by_name(WESTERN), why)
    why = f"{counted(runs, 'undecodable run')} of bytes, the fewest of all"
    return Candidate("L7", "L7", best.charset.name, best.source, best.charset, why)


def _western_instead(counts: WindowCounts, charset: Charset) -> Detected | None:
    """Return the answer of the letters where it goes before a charset with undecodable bytes."""
    in_words = letters_in_words(charset, counts)
    if not in_words and not _decodes_little(counts, charset):
        return None
    found = counts.detected()
    is_western = found is not None and found.label == WESTERN and not counts.damage(charset).characters
    return found if in_words or is_western or western_letters(found) else None


LETTERS_AGAINST_UTF8 = 4
"""Letters of another charset by which a document that names UTF-8 is read in it; one fewer where it names
their language, too, and has no sequence of UTF-8. One stray byte within a character makes up to three
(`K鏑郵n`)."""

DECODED = 2
"""Characters for each undecodable run of bytes that a multi-byte charset must decode to go before
windows-1252. With 1 to 6 no more Latin texts under such a label were read rightly; with 1 and 2 most damaged
texts of its own were."""


LITTLE = (3, 8)
"""Undecodable runs, and characters for each of them: an East Asian label with as many runs, and fewer
characters, is no named answer where the letters are those of another charset. Shift_JIS under an EUC-JP
label decodes to 1 to 3 characters for each run."""


def _sequences_by_chance(counts: WindowCounts) -> bool:
    """Return True where UTF-8 sequences stand among words of other bytes, and are of many scripts, as EUC-JP
    makes them, or few are letters, as in Thai. (UTF-8 that is mixed with a western page has letters of it one
    by one.)"""
    count = counts.utf8()
    if count.damaged_bytes <= DAMAGED_WORDS * count.damaged:
        return False
    scripts = counts.scripts()
    return 2 * scripts.letters <= (count.sequences or 0) < count.damaged or not one_script(scripts)


def _mostly_of_a_page(counts: WindowCounts) -> bool:
    """Return True where UTF-8 is less of the text than words of a single-byte page."""
    if not mostly_words(counts.utf8()):
        return False
    answer = counts.detected()
    return answer is not None and answer.detector == "letters" and by_name(answer.label).family == "single"


def _decodes_little(counts: WindowCounts, charset: Charset) -> bool:
    if charset.family not in ("CJK", "ISO-2022-JP") and charset.page not in NON_LATIN:
        return False
    damage = counts.damage(charset)
    characters = damage.characters or 0
    if charset.page in NON_LATIN:
        return damage.places >= max(LITTLE[0], characters)
    least = 1 if charset.family == "ISO-2022-JP" else LITTLE[1]  # no other text has its escapes
    if not characters or (damage.places >= LITTLE[0] and characters < least * damage.places):
        return True
    return charset.family == "CJK" and not frequent_prevail(counts.common(charset))


def _is_usual(counts: WindowCounts, charset: Charset | None) -> bool:
    """Return True for a charset that no label names, but for an East Asian one of rare characters."""
    count = counts.common(charset) if charset is not None and charset.family == "CJK" else None
    return count is None or 2 * count.common > count.characters


def _decodes_something(counts: WindowCounts, candidate: Candidate) -> bool:
    charset = candidate.charset
    if charset is None or charset.family not in ("CJK", "ISO-2022-JP"):
        return False
    damage = counts.damage(charset)
    return (damage.characters or 0) >= DECODED * damage.places


def _undecodable_runs(counts: WindowCounts, charset: Charset | None) -> int:
    assert charset is not None
    return counts.utf8().damaged if charset.family == "UTF-8" else counts.damage(charset).places
