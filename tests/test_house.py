"""How large the house is, and how far a document travels through it.

Nobody reads a path of thirty-five files. A change that needs a higher figure says why.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

import feedcharset

SOURCE = Path(feedcharset.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))

MOST_FILES = 110
MOST_LINES = 36_300
MOST_SHARED_NAMES = 3
"""Names of classes and constants that stand in several files: a reader has to ask which one is meant."""

PATHS = {
    # What is done, and the most files that it passes in a process that has done nothing before.
    "decode": ("decode(BODY, 'text/xml')", 18),
    "a damaged stream": ("XmlReader(BytesIO(DAMAGED), content_type='text/xml').read()", 23),
    "check": ("check(BODY, content_type='text/xml')", 32),
}

FOLLOW = """
import json, os, sys
from io import BytesIO
import feedcharset
from feedcharset import XmlReader, check, decode

BODY = b"<rss>caf\\xe9</rss>"
DAMAGED = b"<rss>" + "é".encode() * 40 + b"\\xff</rss>"
HOUSE = os.path.dirname(feedcharset.__file__)
passed = set()

def follow(frame, event, argument):
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(HOUSE) and code.co_name != "<module>":
        passed.add(os.path.relpath(code.co_filename, HOUSE))

sys.setprofile(follow)
{call}
sys.setprofile(None)
print(json.dumps(sorted(passed)))
"""


def top_level_names(path: Path) -> set[str]:
    """The classes and constants that a module binds, without the underscore before them."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return {name.lstrip("_") for name in names if not name.startswith("__")}


def test_there_are_not_too_many_files() -> None:
    assert len(FILES) <= MOST_FILES


def test_there_are_not_too_many_lines() -> None:
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in FILES) <= MOST_LINES


def test_a_name_means_one_thing() -> None:
    homes = defaultdict(list)
    for path in FILES:
        for name in top_level_names(path):
            homes[name].append(str(path.relative_to(SOURCE)))
    several = {name: where for name, where in homes.items() if len(where) > 1}
    assert len(several) <= MOST_SHARED_NAMES, several


@pytest.mark.long
@pytest.mark.parametrize(("call", "most"), PATHS.values(), ids=PATHS)
def test_a_document_passes_few_files(call: str, most: int) -> None:
    command = [sys.executable, "-c", FOLLOW.format(call=call)]
    passed = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert 5 < len(passed) <= most, passed
