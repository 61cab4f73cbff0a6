"""reference/findings.md: the catalogue of `check`, each finding with a document of fixtures/ that has it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from feedcharset import Finding, check
from feedcharset.validate.document_check import LIMIT
from feedcharset.validate.finding_catalogue import CATALOGUE, SEVERITIES, FindingKind

__all__ = ["page"]

HERE = Path(__file__).resolve().parents[2] / "fixtures"
FIXTURES = HERE if HERE.exists() else Path("fixtures").resolve()  # this folder may be a copy

HEAD = """\
# Findings

<!-- Made from the code by docs/generate.py: edit the code, not this page. -->

What `check` and `feedcharset check` report. A finding is data: `code`, `severity`, `message`, `offset` (bytes
from the first byte of the source), `line` and `column` (characters of the text; an undecodable
byte counts as one), `fix` (the exact header or declaration to send, or the character that was meant), `spec`,
`excerpt` (the line, or 60 characters on either side of the position), `caret` (the position in the excerpt)
and `count` (more than 1 where it stands for others). What concerns the whole document has no offset and comes
first.

| severity | |
|---|---|
{severities}
`report.ok` is true where no finding is an error. Of each code {limit} findings are reported (`limit=`), and
one more that counts the rest. How to run it: [check feeds in CI](../how-to/ci.md).

## All of them

| code | severity | |
|---|---|---|
"""


def page() -> str:
    """The page."""
    severities = "".join(f"| {name} | {meaning} |\n" for name, meaning in SEVERITIES.items())
    rows = "".join(
        f"| [{kind.code}](#{_anchor(kind)}) | {kind.severity} | {_first(kind)} |\n" for kind in CATALOGUE
    )
    sections = "\n".join(_section(kind) for kind in CATALOGUE)
    return f"{HEAD.format(severities=severities, limit=LIMIT)}{rows}\n{sections}"


def _anchor(kind: FindingKind) -> str:
    return kind.code.replace(".", "")


def _first(kind: FindingKind) -> str:
    """The first sentence of what it means."""
    return kind.meaning.split(". ")[0].rstrip(".").replace("|", r"\|") + "."


def _section(kind: FindingKind) -> str:
    what, finding = _example(kind.code)
    lines = [f"{kind.severity}: {finding.message}"]
    if finding.offset is not None:
        lines[0] += f"\nline {finding.line}, column {finding.column}, byte {finding.offset}"
    if finding.excerpt:
        shown = "".join(char if char.isprintable() else "\ufffd" for char in finding.excerpt)
        lines.append(f"{shown}\n{' ' * finding.caret}^")
    if finding.fix:
        lines.append(f"fix: {finding.fix}")
    example = "\n".join(lines)
    spec = f"\n- Specification: {kind.spec}" if kind.spec else ""
    return f"""## {kind.code}

{kind.meaning}

- Affects: {kind.affects}
- Remedy: {kind.remedy}
- Why {kind.severity}: {kind.severity_reason}{spec}

For example, {what}:

```text
{example}
```
"""


def _example(code: str) -> tuple[str, Finding]:
    """What is wrong in the first document of fixtures/ that has it, and the finding."""
    row = next(row for row in _rows() if row["code"] == code and not row["near"])
    report = check(FIXTURES / row["file"], content_type=row["content_type"], policy=row["policy"])
    return row["what"], next(finding for finding in report.findings if finding.code == code)


@cache
def _rows() -> list[dict[str, str]]:
    lines = (FIXTURES / "findings.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]
