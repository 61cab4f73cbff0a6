"""One version: of the package, the wheel, the documentation, the changelog and what the programs print."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

from support.cases import FIXTURES

import feedcharset

PROJECT = FIXTURES.parent


def test_all_name_the_same_version() -> None:
    named = {
        "pyproject.toml": tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"][
            "version"
        ],
        "docs/index.md": re.findall(r"^Version (\S+),", (PROJECT / "docs/index.md").read_text("utf-8"), re.M)[
            0
        ],
        "CHANGELOG.md": re.findall(r"^## (\S+)", (PROJECT / "CHANGELOG.md").read_text("utf-8"), re.M)[0],
        "user_agent": feedcharset.user_agent("https://example.org/").partition("/")[2].partition(" ")[0],
        "--version": subprocess.run(
            [sys.executable, "-m", "feedcharset", "--version"], capture_output=True, text=True, check=True
        ).stdout.split()[-1],
    }
    assert set(named.values()) == {feedcharset.__version__}, named
