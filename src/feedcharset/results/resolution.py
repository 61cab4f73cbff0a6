"""Which encoding was decided, by which rule, from which facts; and the same as text for people."""

from __future__ import annotations

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
    """Which encoding, by which rule, from which facts."""

    encoding: str
    """The IANA name of the charset that won; a label that nobody knows as it was written."""
    codec: str | None
    """The Python codec that reads it; None where the decoder is our own, or where there is none."""
    rule: str
    """"2.0/1.2", "L1/2.5", "L2", "forced"."""
    steps: tuple[Step, ...]
    facts: Facts
    policy: str = "rfc3023"
    lenient: bool = True

    def explain(self) -> str:
        """Tell people what was seen, what was tried and what was decided; several lines, no markup."""
        return _explain(self)

    def as_dict(self) -> dict[str, Any]:
        """The same as plain dicts, lists, strings and numbers, ready for JSON."""
        plain: dict[str, Any] = as_plain(self)
        return plain


def _explain(resolution: Resolution) -> str:
    """What was seen, what was tried, what was decided; lines without markup."""
    facts = resolution.facts
    lines = [f"encoding: {_shown(resolution.encoding)}  (rule {resolution.rule})"]
    mode = "lenient" if resolution.lenient else "strict"
    lines.append(f"policy: {resolution.policy}, {mode}; codec: {resolution.codec or 'our own'}")
    lines.append("seen:")
    lines += [f"  {name}: {value}" for name, value in _seen(facts)]
    lines.append("tried:")
    for step in resolution.steps:
        encoding = f" {_shown(step.encoding)}" if step.encoding is not None else ""
        spec = f" ({step.spec})" if step.spec else ""
        lines.append(f"  {step.id}: {step.verdict}{encoding}: {step.why}{spec}")
    return "\n".join(lines)


def _seen(facts: Facts) -> list[tuple[str, str]]:
    content_type = "no word from the transport" if facts.content_type is None else _shown(facts.content_type)
    return [
        ("Content-Type", content_type or "absent"),
        ("media type", f"{_shown(facts.media_type)} ({facts.media_class})" if facts.media_type else "none"),
        ("charset", _shown(facts.charset)),
        ("BOM", _shown(facts.bom)),
        ("first octets", _shown(facts.guess)),
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
    if body.high is not None:
        parts.append(f"first octet over 7F, or ESC, at byte {body.high}")
    if body.utf8:
        sequences, damaged = body.utf8
        counts = f"{counted(sequences, 'UTF-8 sequence')}, {counted(damaged, 'damaged place')}"
        parts.append("well-formed UTF-8 from there" if sequences is None else counts)
    return "; ".join(parts) or "nothing but US-ASCII seen"


def _shown(text: str | None) -> str:
    """A value from outside: bounded, and without characters that act on a terminal."""
    if text is None:
        return "none"
    text = text if len(text) <= VALUE_LIMIT else text[: VALUE_LIMIT - 3] + "..."
    return visible(text)
