"""Which encoding was decided, by which rule, from which facts; and the same as text for people."""

from typing import Any, Literal, NamedTuple

from feedcharset.results.display import as_plain, counted, visible
from feedcharset.results.facts import Body, Facts

__all__ = [
    "Resolution",
    "Step",
    "Verdict",
]

Verdict = Literal["answer", "provisional", "refused", "nothing", "error"]

VALUE_LIMIT = 80
"""Characters of a label or header that are shown: longer ones are hostile, or of no use to a reader."""


class Step(NamedTuple):
    """One step that was tried."""

    id: str
    """The row: "2.0", "1.2", "L3"."""
    verdict: Verdict
    encoding: str | None
    why: str
    """One sentence, with the numbers that were used."""
    spec: str = ""


class Resolution(NamedTuple):
    """The decision: which encoding, by which rule, from which facts."""

    encoding: str
    """The IANA name of the charset; a label that is not in the table, as it was written."""
    codec: str | None
    """The Python codec that decodes it; None where the decoder is this library's, or where there is none."""
    rule: str
    """"2.0/1.2", "L1/2.5", "L2", "forced"."""
    steps: tuple[Step, ...]
    facts: Facts
    policy: str = "rfc3023"
    lenient: bool = True

    def explain(self) -> str:
        """The decision for people: one sentence, then the facts and the steps; several lines, no markup."""
        return _explain(self)

    def as_dict(self) -> dict[str, Any]:
        """The same as plain dicts, lists, strings and numbers, ready for JSON."""
        plain: dict[str, Any] = as_plain(self)
        return plain


def _explain(resolution: Resolution) -> str:
    """One sentence for a publisher, then the facts, the steps and the decision; lines without markup."""
    facts = resolution.facts
    lines = [_summary(resolution), f"encoding: {_shown(resolution.encoding)}  (rule {resolution.rule})"]
    mode = "lenient" if resolution.lenient else "strict"
    codec = resolution.codec or "a decoder of this library"
    lines.append(f"policy: {resolution.policy}, {mode}; codec: {codec}")
    lines.append("facts:")
    lines += [f"  {name}: {value}" for name, value in _facts(facts)]
    lines.append("steps:")
    for step in resolution.steps:
        encoding = f" {_shown(step.encoding)}" if step.encoding is not None else ""
        spec = f" ({step.spec})" if step.spec else ""
        lines.append(f"  {step.id}: {step.verdict}{encoding}: {step.why}{spec}")
    return "\n".join(lines)


LABELS = {
    # The rows and steps that take the label of the declaration, or of the Content-Type.
    **dict.fromkeys(("1.1", "1.2", "3.4", "3.5", "L2"), "the declaration"),
    **dict.fromkeys(("2.3", "2.5", "3.1", "3.3", "L3"), "the Content-Type"),
}


def _summary(resolution: Resolution) -> str:
    """The decision as one sentence, with the labels that were not followed, and the reason."""
    encoding = _shown(resolution.encoding)
    if resolution.rule == "forced":
        return f"Read as {encoding}: the caller forced it."
    refused: dict[str, Step] = {}
    for step in resolution.steps:
        label = LABELS.get(step.id.rpartition("/")[2])
        if step.verdict == "refused" and label and step.encoding != resolution.encoding:
            refused.setdefault(label, step)
    if not refused:
        return f"Read as {encoding}: {_reason(resolution)}."
    named = " and ".join(f"{label} names {_shown(step.encoding)}" for label, step in refused.items())
    reason = _counts(resolution) or next(iter(refused.values())).why.partition(": ")[2]
    return f"Read as {encoding} although {named}: {reason}."


def _reason(resolution: Resolution) -> str:
    """The reason of the step that decided, with the rule."""
    deciding = [step for step in resolution.steps if step.verdict in ("answer", "provisional")]
    return deciding[-1].why if deciding else f"rule {resolution.rule}"


def _counts(resolution: Resolution) -> str:
    """The numbers that show UTF-8; "" for another encoding, or where nothing was counted."""
    body = resolution.facts.body
    if resolution.encoding != "UTF-8" or body.utf8 is None:
        return ""
    sequences, damaged = body.utf8[:2]
    at_least = ""
    if sequences is None and body.sequences:
        largest = max(body.sequences, key=lambda count: count.sequences)
        sequences = largest.sequences
        at_least = "at least " if largest.more else ""
    if sequences is None:
        return "the bytes are well-formed UTF-8"
    return f"the bytes are UTF-8 ({at_least}{counted(sequences, 'sequence')}, {damaged or 'none'} damaged)"


def _facts(facts: Facts) -> list[tuple[str, str]]:
    content_type = "not known (no transport)" if facts.content_type is None else _shown(facts.content_type)
    return [
        ("Content-Type", content_type or "absent"),
        ("media type", f"{_shown(facts.media_type)} ({facts.media_class})" if facts.media_type else "none"),
        ("charset", _shown(facts.charset)),
        ("BOM", _shown(facts.bom)),
        ("first bytes", _shown(facts.guess)),
        ("declared", _shown(facts.declared)),
        ("body", _body(facts.body)),
    ]


def _body(body: Body) -> str:
    parts = []
    if body.kind:
        parts.append(f"looks like {body.kind}")
    if body.pattern:
        parts.append(f"pattern {body.pattern}")
    if body.code_page:
        parts.append(f"code page {body.code_page}")
    if body.start:
        parts.append(f"begins at byte {body.start}")
    if body.first_non_ascii is not None:
        parts.append(f"first non-ASCII byte: {body.first_non_ascii}")
    if body.utf8:
        sequences, damaged, *_, bounds = body.utf8
        least, most = ("at least ", "at most " if sequences else "") if bounds else ("", "")
        counts = f"{most}{counted(sequences, 'UTF-8 sequence')}, {least}{counted(damaged, 'damaged run')}"
        parts.append("well-formed UTF-8 from there" if sequences is None else counts)
    return "; ".join(parts) or "all bytes seen are US-ASCII"


def _shown(text: str | None) -> str:
    """A value from outside: bounded, and without characters that act on a terminal."""
    if text is None:
        return "none"
    text = text if len(text) <= VALUE_LIMIT else text[: VALUE_LIMIT - 3] + "..."
    return visible(text)
