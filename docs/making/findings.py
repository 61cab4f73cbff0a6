"""reference/findings.md: the catalogue of `check`, each finding with a document of fixtures/ that has it."""

from __future__ import annotations

import json
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from urllib3 import HTTPResponse

from feedcharset import Finding, check
from feedcharset.validate.document_check import FINDINGS_OF_A_CODE
from feedcharset.validate.finding_catalogue import CATALOGUE, COMPARED, FindingKind

__all__ = ["page"]

HERE = Path(__file__).resolve().parents[2] / "fixtures"
FIXTURES = HERE if HERE.exists() else Path("fixtures").resolve()  # this folder may be a copy

SEVERITIES = {
    "error": "a consumer that follows the specifications gets no text, or the wrong text",
    "warning": "consumers may read different text, or the text is probably not what was meant",
    "info": "what consumers in use read is right, but it can be improved",
}

HEAD = """\
# Findings

<!-- Made from the code by docs/generate.py: edit the code, not this page. -->

What `check` and `feedcharset check` report. Each kind of finding has one severity:

| severity | | `report.ok` | `report.clean` | exit code (`--fail-on warning`) |
|---|---|---|---|---|
{severities}
`--fail-on error` gives exit code 1 for errors only, `--fail-on info` for every finding. How to run it:
[check feeds in CI](../how-to/ci.md).

A finding is data:

| field | |
|---|---|
| `code`, `severity`, `message`, `spec` | what is wrong, and the specification |
| `offset`, `end_offset` | the first byte, and the one after the last |
| `line`, `column` | the first character, from 1 |
| `end_line`, `end_column` | the character after the last |
| `excerpt`, `caret` | the line, or 60 characters on either side, and the index of the place in it |
| `count`, `offsets` | equal findings are one: how many there are, and the first 100 offsets |
| `fix`, `fix_kind` | what to send, write or do (see below) |

Offsets count bytes from the first byte of the source, or of what a gzip source contains. Columns count
characters; an undecodable byte is one. What concerns the whole document has no place and comes first. Of each
code {limit} different findings are reported (`limit=`), and one more that counts the rest. The first
{compared:,} occurrences of a code are compared; later ones are counted with the last finding of the code.

| `fix_kind` | `fix` |
|---|---|
| `content-type`, `content-encoding` | the HTTP header to send |
| `declaration` | the XML declaration to write; the other bytes stay as they are |
| `convert` | convert to UTF-8, with what to remove, declare and send; also where one fault hides another |
| `unknown-encoding` | convert it to UTF-8, or name the encoding; only its publisher knows which one |
| `remove-bom`, `remove` | the bytes to remove |
| `replace` | the text that replaces the place |

Three promises are tested with lxml and expat as judges, over thousands of generated documents and all
fixtures (`make promises`):

- Every fix works. Done literally, it removes the finding and adds no other error; where no other finding is
  left, both parsers open the document, and the text is the one that was meant. So a fix never names an
  encoding that is only guessed, nor a label that usual parsers cannot read. Where every label of a document
  names another charset than the real one, and no byte contradicts it, only you can see it.
- No finding means no fault of these kinds. Where a consumer stops, refuses the document or reads another
  text, or where libxml2 or expat refuse its encoding or declaration, there is a warning or an error. Names
  are those of the fifth edition of XML 1.0, as in lxml; expat has those of the fourth, and refuses some
  beyond Latin (`<ꥸ/>`).
- Correct documents in an encoding that every parser knows get no warning and no error, but for `mojibake`
  where they show it (`Ã© is é`), or have signs that look like it (`Ã 20 °C`).

## All of them

| code | severity | |
|---|---|---|
"""


def page() -> str:
    """The page."""
    severities = "".join(
        f"| {name} | {meaning} | {name != 'error'} | {name == 'info'} | {int(name != 'info')} |\n"
        for name, meaning in SEVERITIES.items()
    )
    rows = "".join(
        f"| [{kind.code}](#{_anchor(kind)}) | {kind.severity} | {_first(kind)} |\n" for kind in CATALOGUE
    )
    sections = "\n".join(_section(kind) for kind in CATALOGUE)
    return (
        f"{HEAD.format(severities=severities, limit=FINDINGS_OF_A_CODE, compared=COMPARED)}{rows}\n{sections}"
    )


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
    source: Any = FIXTURES / row["file"]
    if "content_encoding" in row:
        headers = {"Content-Encoding": row["content_encoding"]}
        source = HTTPResponse(BytesIO(source.read_bytes()), headers, 200, preload_content=False)
    report = check(source, content_type=row["content_type"], policy=row["policy"])
    return row["what"], next(finding for finding in report.findings if finding.code == code)


@cache
def _rows() -> list[dict[str, str]]:
    lines = (FIXTURES / "findings.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]
