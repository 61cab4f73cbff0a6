"""The pages that are made from the code are current."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.cases import TESTS

from feedcharset.decide.lenient_chain import STEPS
from feedcharset.decide.lenient_principles import PRINCIPLES
from feedcharset.decide.published_tables import RFC3023_HTTP, RFC3023_RAW, RFC7303
from feedcharset.decide.thresholds import THRESHOLDS, UNDAMAGED, WHERE_NAMED

DOCS = TESTS.parent / "docs"


def generate(docs: Path, *arguments: str) -> tuple[int, str]:
    """Run it as a person would: its exit code, and what it prints."""
    command = [sys.executable, str(docs / "generate.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_pages_are_current() -> None:
    assert generate(DOCS, "--check") == (0, "")


@pytest.mark.long
def test_a_stale_page_is_found_and_written(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    shutil.copytree(DOCS, docs, ignore=shutil.ignore_patterns("_build", "__pycache__"))
    shutil.copy(DOCS.parent / "README.md", tmp_path)
    page = docs / "rules.md"
    right = page.read_text(encoding="utf-8")
    page.write_text(right.replace("2.6", "2.7"), encoding="utf-8")
    assert generate(docs, "--check") == (1, "docs/rules.md is stale: run python docs/generate.py\n")
    page.unlink()
    assert generate(docs) == (0, "docs/rules.md is written\n")
    assert page.read_text(encoding="utf-8") == right


def test_the_page_holds_every_row() -> None:
    text = (DOCS / "rules.md").read_text(encoding="utf-8")
    for row in (*RFC3023_RAW, *RFC3023_HTTP, *RFC7303):
        assert f"| {row.id} | " in text
        assert f"| {row.why} | {row.spec} |" in text
    for step in STEPS:
        assert f"| {step.id} | {step.sentence} | {step.origin} |" in text
    for principle in PRINCIPLES:
        assert f"| {principle.id}, {principle.name} | {principle.sentence} |" in text
    for threshold in THRESHOLDS:
        assert f" | {threshold.why} | " in text
    for threshold in UNDAMAGED:
        assert f" | {threshold.why}, and no other bytes beyond ASCII | " in text
    for threshold in WHERE_NAMED:
        assert f" | {threshold.why}, and another label that names UTF-8 | " in text
