"""The words are plain, and those of the field.

What this test refuses stood in the project once, and readers did not understand it. The test reads
docstrings, comments, messages and pages. Quotations are left out: text between “ and ”, and lines of a page
that begin with `>`.
"""

from __future__ import annotations

import re
from pathlib import Path

from support.each import each

import feedcharset

SOURCE = Path(feedcharset.__file__).parent
PROJECT = Path(__file__).parents[1]
PAGES = [
    *(path for path in sorted((PROJECT / "docs").rglob("*.md")) if "_build" not in path.parts),
    *(path for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md") if (path := PROJECT / name).exists()),
]
MODULES = sorted(SOURCE.rglob("*.py"))

NAMES_THAT_TELL_NOTHING = {
    *("telling", "freeing", "feeding", "finishing", "trail", "marks", "marking", "measuring", "single"),
    *("cjk_shapes", "whole", "voices", "heads", "claims", "places", "blocks", "examining", "checking"),
    *("scanning", "collecting", "handles", "watching", "failing", "replay", "wording", "explaining", "body"),
    *("detecting", "detectors", "detection", "mending", "gunzipping", "repairing"),
    *("resolving", "dialing", "reporting", "utils", "util", "misc", "common", "helpers", "core", "base"),
}

SENTENCES = (
    "of the candidates that merely do not decode",
    "as a reader sees them who",
    "looks like nothing",
    "sees the debris",
    "the RFC of the other year",
    "places that are none",
    "windows-1252 by rule L7: the text",
    "Say what a server may cost",
    "Yours to set",
    "Beside other software",
    "The fourth witness",
    "first octet over 7F",
    "octet over 7F, or ESC",
    "with no opinion",
    "read aloud",
    "merely do not decode",
)

WORDS = (
    r"octets?\b",  # byte; an RFC's own words stand in quotation marks
    r"obey(?:s|ed|ing)?\b",
    r"hears?\b|heard\b",
    r"voices?\b",
    r"witness(?:es)?\b",
    r"believe[sd]?\b",
    r"nobody\b",
    r"whoever\b",
    r"mend(?:s|ed|ing)?\b",
    r"wish(?:es)?\b",
    r"rivals?\b",
    r"(?<!\.)tell(?:s|ing)?\b",  # a file has a method of this name
    r"(?:text|bytes?|document|parser|charset|label|header|body|codec|decoder|table|rule|row|chain|nothing)"
    r" (?:says?|asks?|knows best|thinks?|wants?|lies|lied)\b",
)
WORD = re.compile(r"\b(?:" + "|".join(WORDS) + ")", re.IGNORECASE)

QUOTED = re.compile(r"“[^”]*”|^>.*$|octet-stream|octets-contradict-label", re.MULTILINE)
"""What is somebody else's wording, and names that are data."""


def text_of(path: Path) -> str:
    """A file without quotations, its lines kept."""
    text = path.read_text(encoding="utf-8")
    return QUOTED.sub(lambda quoted: "\n" * quoted[0].count("\n"), text)


def found(path: Path) -> list[str]:
    """The lines with a word or a sentence of the lists."""
    lines = []
    for number, line in enumerate(text_of(path).splitlines(), 1):
        words = [match[0] for match in WORD.finditer(line)]
        words += [sentence for sentence in SENTENCES if sentence.lower() in line.lower()]
        if words:
            lines.append(f"{path.name}:{number}: {', '.join(words)}: {line.strip()[:90]}")
    return lines


@each("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_words_of_a_module(path: Path) -> None:
    assert found(path) == []


@each("path", PAGES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_the_words_of_a_page(path: Path) -> None:
    assert found(path) == []


@each("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_file_is_called_after_what_it_holds(path: Path) -> None:
    assert path.stem not in NAMES_THAT_TELL_NOTHING


def test_no_file_name_has_two_meanings() -> None:
    """A name stands in one room only; `check`, `detect`, `repair` and the like are commands of `cli`."""
    rooms: dict[str, list[str]] = {}
    for path in MODULES:
        if path.parent != SOURCE and path.parent.name != "cli" and path.stem != "__init__":
            rooms.setdefault(path.stem, []).append(path.parent.name)
    assert {name: where for name, where in rooms.items() if len(where) > 1} == {}


def test_the_test_finds_what_it_looks_for(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    lines = ("Nobody asks.", "fine", "> an octet, quoted", "“octets”", "the text says é", "an octet", "")
    page.write_text("\n".join(lines), encoding="utf-8")
    assert [line.split(": ")[0] for line in found(page)] == ["page.md:1", "page.md:5", "page.md:6"]
