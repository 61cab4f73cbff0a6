"""No pattern of the package, or of the page's input, takes quadratic time, whatever character is repeated,
whatever stands before it.

A search for a pattern that begins with a run, as `[ ]+=`, does: it is tried again from each character of the
run. To match it at one place takes linear time.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import support.effort
from support.each import each
from support.effort import growth
from support.pages import ROOT

import feedcharset
from feedcharset.charsets import _LazyPattern

sys.path.insert(0, str(ROOT / "web" / "browser"))
import pasted_input

SMALL, LARGE = 2_500, 20_000
"""Characters. No pattern needs more than the smaller number: else it fails without a look at the text."""
MOST = 24
"""Linear work takes eight times as long, quadratic work 64 times."""

REPEATED = " \n\r\ta1<>&=\"'-?![]:;/%#.\u00e9"
BEFORE = [
    "",
    "<a",
    "<a b=",
    '<a b="',
    "<!--",
    "<![CDATA[",
    "<?x ",
    "&#",
    "<!ENTITY a ",
    "]",
    "charset=",
    "a:",
]


def compiled(value: Any, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    """The patterns in a value of a module."""
    if isinstance(value, _LazyPattern):
        yield re.compile(*value._arguments)
    elif isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict | tuple | list) and depth < 3:
        for one in value.values() if isinstance(value, dict) else value:
            yield from compiled(one, depth + 1)


def patterns() -> dict[str, re.Pattern[Any]]:
    """All of them, each by the first name it has."""
    found: dict[tuple[str | bytes, int], tuple[str, re.Pattern[Any]]] = {}
    for name, value in vars(pasted_input).items():
        for pattern in compiled(value):
            found[pattern.pattern, pattern.flags] = f"pasted_input.{name}", pattern
    for module in pkgutil.walk_packages(feedcharset.__path__, "feedcharset."):
        if module.name.startswith("feedcharset.adapters.") or module.name.endswith("__main__"):
            continue  # what they adapt to may not be installed
        for name, value in vars(importlib.import_module(module.name)).items():
            for pattern in compiled(value):
                place = f"{module.name.removeprefix('feedcharset.')}.{name}"
                found.setdefault((pattern.pattern, pattern.flags), (place, pattern))
    return {f"{place} {number}": pattern for number, (place, pattern) in enumerate(found.values())}


PATTERNS = patterns()

SOURCES = [path.read_text(encoding="utf-8") for path in Path(feedcharset.__file__).parent.rglob("*.py")]
SOURCES.append(Path(pasted_input.__file__).read_text(encoding="utf-8"))
_USE = re.compile(r"\b(\w+)(?:\[[^]\n]*\])?\.(search|findall|finditer|sub|subn|split|match|fullmatch)\(")
USES = {use for source in SOURCES for use in _USE.findall(source)}


def is_searched(name: str) -> bool:
    """False for a pattern of which nothing but a match at one place is asked."""
    name = name.rpartition(".")[2].split()[0]
    methods = {method for used, method in USES if used == name}
    return not methods or not methods <= {"match", "fullmatch"}


def test_all_are_found() -> None:
    assert len(PATTERNS) > 100
    assert {name.split(".")[0] for name in PATTERNS} >= {
        "charsets",
        "evidence",
        "text",
        "parsing",
        "validate",
    }
    assert 50 < sum(map(is_searched, PATTERNS)) < len(PATTERNS) - 20


def effort_of(pattern: re.Pattern[Any], before: str, *, search: bool) -> Any:
    """Looks for a pattern in texts of one repeated character each, up to a size."""
    texts = [f"{before}{char * LARGE}" for char in REPEATED]
    sources = [text.encode("latin-1") if isinstance(pattern.pattern, bytes) else text for text in texts]
    end: Any = b"\x01" if isinstance(pattern.pattern, bytes) else "\x01"

    def look(size: int) -> None:
        for source in sources:
            text = source[: len(before) + size] + end
            pattern.match(text)
            if search:
                pattern.findall(text)

    return look


@pytest.mark.long
@pytest.mark.parametrize("before", BEFORE)
@each("name", PATTERNS, parts=2)
def test_eight_times_the_text(name: str, before: str) -> None:
    look = effort_of(PATTERNS[name], before, search=is_searched(name))
    assert growth(look, SMALL, LARGE, most=MOST) < MOST


@pytest.mark.long
def test_a_run_that_is_tried_from_each_of_its_characters_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support.effort, "ATTEMPTS", 2)
    pattern = re.compile("[ ]++=")
    look = effort_of(pattern, "", search=True)
    # What a busy machine does meanwhile may hide it once.
    assert any(growth(look, SMALL, LARGE, most=MOST) > MOST for _ in range(5))
    assert growth(effort_of(pattern, "", search=False), SMALL, LARGE, most=MOST) < MOST
