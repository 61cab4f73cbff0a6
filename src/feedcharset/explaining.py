"""A resolution, told to people and to JSON."""

from __future__ import annotations

from typing import Any

from feedcharset.results import Body, Facts, Resolution
from feedcharset.wording import counted, visible

__all__ = ["as_plain", "explain"]

VALUE_LIMIT = 80
"""Characters of a label or header that are shown: longer ones are hostile, or of no use to a reader."""


def explain(resolution: Resolution) -> str:
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


def as_plain(value: Any) -> Any:
    """Named tuples as dicts, all the way down."""
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return {name: as_plain(part) for name, part in zip(value._fields, value, strict=True)}
        return [as_plain(part) for part in value]
    return value
