"""The tables of tests/data: each has a source, and those that a script makes are made again."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.cases import DATA, TESTS
from support.module_files import module_at

MAKING = TESTS / "making"


def sources() -> dict[str, str]:
    """The table of tests/data/README.md: file and source."""
    rows = re.findall(
        r"^\| `([^`]+)` \| (.+) \|$", (DATA / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    return dict(rows)


def test_every_table_has_a_source() -> None:
    files = {path.name + "/" * path.is_dir() for path in DATA.iterdir()} - {"README.md"}
    assert files | {"equivalent_mutants.txt"} == set(sources())


def test_every_script_that_a_source_names_is_there() -> None:
    for source in sources().values():
        for path in re.findall(r"`((?:tests|benchmarks|charsets)/[^`]+)`", source):
            folder = TESTS.parent / "src" / "feedcharset" if path.startswith("charsets/") else TESTS.parent
            assert (folder / path).is_file(), path


def test_charset_texts() -> None:
    module = module_at(MAKING / "make_charset_texts.py")
    assert module.made() == module.OUT.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["sequences", "plainly"])
def test_recorded_cases(name: str) -> None:
    module = module_at(MAKING / "record_sequence_cases.py")
    assert module.made(name) == (DATA / f"{name}.json").read_text(encoding="utf-8")


def test_hard_cases(tmp_path: Path) -> None:
    """The rows in EBCDIC are encoded by glibc's iconv; without it they are left out."""
    options = [] if shutil.which("iconv") else ["--without-iconv"]
    command = [sys.executable, MAKING / "make_hard_cases.py", *options]
    made = subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8").splitlines()
    kept = (DATA / "hard_cases.jsonl").read_text(encoding="utf-8").splitlines()
    if options:
        kept = [line for line in kept if '"point": "ebcdic"' not in line]
    assert made == kept
