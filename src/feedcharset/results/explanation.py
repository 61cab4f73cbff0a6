"""The decision, `Resolution`, with the steps that were tried, and what it says of them to people.

Also what any text for people needs: counts with their noun, text from outside made printable, and plain
values for JSON.
"""

from typing import Any, Literal, NamedTuple

from feedcharset.results.facts import Body, Facts

__all__ = ["Resolution", "Step", "Verdict", "as_plain", "counted", "visible"]

Verdict = Literal["answer", "provisional", "refused", "nothing", "error"]

SHOWN_VALUE = 80
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
        lines = [_summary(self), f"encoding: {_shown(self.encoding)}  (rule {self.rule})"]
        mode = "lenient" if self.lenient else "strict"
        codec = self.codec or "a decoder of this library"
        lines.append(f"policy: {self.policy}, {mode}; codec: {codec}")
        lines.append("facts:")
        lines += [f"  {name}: {value}" for name, value in _facts(self)]
        lines.append("steps:")
        for step in self.steps:
            encoding = f" {_shown(step.encoding)}" if step.encoding is not None else ""
            spec = f" ({step.spec})" if step.spec else ""
            lines.append(f"  {step.id}: {step.verdict}{encoding}: {step.why}{spec}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """The same as plain dicts, lists, strings and numbers, ready for JSON."""
        plain: dict[str, Any] = as_plain(self)
        return plain


_LABEL_OF_ROW = {
    # The rows and steps that take the label of the declaration, or of the Content-Type.
    **dict.fromkeys(("1.1", "1.2", "3.4", "3.5", "L2"), "the declaration"),
    **dict.fromkeys(("2.3", "2.3-32", "2.5", "3.1", "3.1-32", "3.3", "L3"), "the Content-Type"),
}


def _summary(resolution: Resolution) -> str:
    """The decision as one sentence, with the labels that were not followed, and the reason."""
    encoding = _shown(resolution.encoding)
    if resolution.rule == "forced":
        return f"Read as {encoding}: the caller forced it."
    refused: dict[str, Step] = {}
    for step in resolution.steps:
        label = _LABEL_OF_ROW.get(step.id.rpartition("/")[2])
        if step.verdict == "refused" and label and step.encoding != resolution.encoding:
            refused.setdefault(label, step)
    if not refused:
        return f"Read as {encoding}: {_reason(resolution)}."
    named, facts = [], resolution.facts
    for label, step in refused.items():
        written = (facts.charset if label == "the Content-Type" else facts.declared) or step.encoding
        spelt, name = ("".join(filter(str.isalnum, (one or "").lower())) for one in (written, step.encoding))
        is_spelling = spelt in name or name in spelt  # else the label itself (`Unicode`)
        named.append(f"{label} names {_shown(step.encoding if is_spelling else written)}")
    # The last step is the reason where it is a mixture, or the bytes refute the BOM that refused the labels.
    if resolution.steps[-1].id == "mixture" or (facts.bom == "UTF-8" and resolution.encoding != "UTF-8"):
        reason = _reason(resolution)
    else:
        reason = _counts(resolution) or next(iter(refused.values())).why.partition(": ")[2]
    return f"Read as {encoding} although {' and '.join(named)}: {reason}."


def _reason(resolution: Resolution) -> str:
    """The reason of the step that decided: the last one, since a row may pass on to another (2.0 to 1.2)."""
    deciding = [step for step in resolution.steps if step.verdict in ("answer", "provisional")]
    if not deciding:
        return f"rule {resolution.rule}"
    if deciding[-1].id.endswith(("1.0", "3.6")):
        return "nothing names another"
    return deciding[-1].why


def _counts(resolution: Resolution) -> str:
    """The numbers that show UTF-8; "" for another encoding, or where they do not, or nothing was counted."""
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
    if (damaged or 0) > sequences:
        return ""
    return f"the bytes are UTF-8 ({at_least}{counted(sequences, 'sequence')}, {damaged or 'none'} damaged)"


def _facts(resolution: Resolution) -> list[tuple[str, str]]:
    facts = resolution.facts
    if resolution.rule == "forced":
        nothing = "not looked at"
    else:
        nothing = "all bytes seen are US-ASCII" if resolution.lenient else "not counted: labels decide"
    content_type = "not known (no transport)" if facts.content_type is None else _shown(facts.content_type)
    return [
        ("Content-Type", content_type or "absent"),
        ("media type", f"{_shown(facts.media_type)} ({facts.media_class})" if facts.media_type else "none"),
        ("charset", _shown(facts.charset)),
        ("BOM", _shown(facts.bom)),
        ("first bytes", _shown(facts.guess)),
        ("declared", _shown(facts.declared)),
        ("body", _body(facts.body) or nothing),
    ]


def _body(body: Body) -> str:
    first = "ESC" if body.pattern == "ISO-2022-JP" else "non-ASCII byte"
    seen = {
        "looks like": body.kind,
        "pattern": body.pattern,
        "code page": body.code_page,
        "begins at byte": body.start or None,
        f"first {first}:": body.first_non_ascii,
    }
    parts = [f"{what} {value}" for what, value in seen.items() if value is not None]
    if body.utf8:
        sequences, damaged, bounds = body.utf8.sequences, body.utf8.damaged, body.utf8.bounds
        counts = f"{counted(sequences, 'UTF-8 sequence')}, {counted(damaged, 'damaged run')}"
        parts.append(
            "not UTF-8" if bounds else "well-formed UTF-8 from there" if sequences is None else counts
        )
    parts += [
        f"{counted(one.places, 'damaged run')} of bytes in {one.charset}" for one in body.damage if one.places
    ]
    return "; ".join(parts)


def _shown(text: str | None) -> str:
    """A value from outside: bounded, and without characters that act on a terminal."""
    if text is None:
        return "none"
    text = text if len(text) <= SHOWN_VALUE else text[: SHOWN_VALUE - 3] + "..."
    return visible(text)


def counted(number: int | None, noun: str) -> str:
    """ "1 place", "2 places"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def visible(text: str) -> str:
    """Text from outside, with C0, C1, bidi controls and surrogates escaped, so that none acts on a terminal.

    None of these counts as printable in Python's tables.
    """
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    return char.encode("ascii", "backslashreplace").decode() if char > "\x7f" else f"\\x{ord(char):02x}"


def as_plain(value: Any) -> Any:
    """Named tuples as dicts, all the way down."""
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return {name: as_plain(part) for name, part in zip(value._fields, value, strict=True)}
        return [as_plain(part) for part in value]
    return value
