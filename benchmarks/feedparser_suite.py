"""feedparser's own test suite, run against feedparser and against `feedcharset.adapters.feedparser`.

    python benchmarks/feedparser_suite.py FOLDER

FOLDER is feedparser's unpacked source distribution (`pip download --no-binary :all: --no-deps feedparser`).
The version that is installed is tested; take the same version's suite. Prints how many tests fail with each,
and every test that fails only with the adapter. The suite serves its feeds on 127.0.0.1:8097.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

__all__ = ["main"]


def _run_suite(folder: str, adapted: bool) -> dict[str, list[str]]:
    """Run the suite in this process; the documents and descriptions of the tests that fail."""
    import feedparser

    if adapted:
        from feedcharset.adapters.feedparser import parse

        feedparser.parse = parse
    os.chdir(folder)
    sys.path.insert(0, str(Path(folder) / "tests"))
    import runtests

    found: dict[str, list[str]] = {"run": [], "failed": []}

    class Result(unittest.TestResult):
        def stopTest(self, test: unittest.TestCase) -> None:
            found["run"].append(_name(test))

        def addFailure(self, test: unittest.TestCase, error: Any) -> None:
            found["failed"].append(_name(test))

        def addError(self, test: unittest.TestCase, error: Any) -> None:
            self.addFailure(test, error)

    class Runner:
        def __init__(self, **_: Any) -> None:
            pass

        def run(self, suite: unittest.TestSuite) -> unittest.TestResult:
            result = Result()
            suite.run(result)
            return result

    unittest.TextTestRunner = Runner  # type: ignore[assignment, misc]
    with contextlib.suppress(SystemExit):
        runtests.runtests()
    return found


def _name(test: unittest.TestCase) -> str:
    """The class of a test and its document, which is the default of an argument of the test function."""
    method = getattr(type(test), test.id().rpartition(".")[2])
    document = (method.__defaults__ or (test.id().rpartition(".")[2],))[0]
    return f"{type(test).__name__} {document}"


def _in_a_process(folder: str, how: str) -> dict[str, list[str]]:
    command = [sys.executable, "-W", "ignore", __file__, folder, how]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    found: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return found


def main(folder: str, how: str = "") -> None:
    """Run both and print the difference."""
    if how:
        print(json.dumps(_run_suite(folder, how == "adapted")))
        return
    folder = str(Path(folder).resolve())
    plain, adapted = (_in_a_process(folder, how) for how in ("plain", "adapted"))
    for title, found in (("feedparser", plain), ("with the adapter", adapted)):
        print(f"{title}: {len(found['run'])} tests, {len(found['failed'])} fail")
    for name in sorted(set(adapted["failed"]) - set(plain["failed"])):
        print(f"  only with the adapter: {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
