"""Run every program that is installed on fixtures/conformance, and write docs/conformance.json.

    python benchmarks/conformance.py [--node FOLDER] [--java CLASSPATH] [--json FILE]

--node: a folder with node_modules that has feedparser and rss-parser. --java: the jars of ROME, JDOM, slf4j
and commons-io. A program that is not installed is left out. Afterwards `python docs/generate.py` writes the
table.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SUITE = ROOT / "fixtures" / "conformance"
OUT = ROOT / "docs" / "conformance.json"

__all__ = ["main"]


class Program(NamedTuple):
    """A program of the suite."""

    name: str
    judge: tuple[str, ...]
    """The runner's arguments."""
    command: tuple[str, ...]
    needs: str
    """The Python package; or "node" or "java"."""


def programs(node: str | None, java: str | None) -> Iterator[Program]:
    """Every program, installed or not."""
    for judge, names in (
        ("text", "feedcharset feedparser w3lib dammit requests resiliparse charset-normalizer chardet"),
        ("title", "feedcharset-title feedparser-title fastfeedparser-title lxml-title lxml-recover-title"),
    ):
        for name in names.split():
            package = {"dammit": "beautifulsoup4"}.get(name, name.split("-title")[0].removesuffix("-recover"))
            command: tuple[str, ...] = (sys.executable, str(SUITE / "peers" / "python_peer.py"), name)
            yield Program(name, ("--judge", judge), command, package)
    for name in ("feedparser", "rss-parser"):
        command = ("node", str(SUITE / "peers" / "node_peer.mjs"), name)
        if node:
            yield Program(f"node {name}", ("--judge", "title"), command, "node")
    for name in ("rome", "commons-io"):
        command = ("java", "-cp", java or "", str(SUITE / "peers" / "JavaPeer.java"))
        if java:
            yield Program(name, ("--judge", "text"), (*command, name), "java")
            yield Program(f"{name}-strict", ("--strict", "rfc3023"), (*command, f"{name}-strict"), "java")
    command = (sys.executable, str(SUITE / "peers" / "python_peer.py"), "feedcharset-strict")
    yield Program("feedcharset-strict", ("--strict", "rfc3023"), command, "feedcharset")


def main() -> int:
    """Run and write."""
    parser = argparse.ArgumentParser(description="Run every installed program on the conformance suite.")
    parser.add_argument("--node", help="a folder with node_modules")
    parser.add_argument("--java", metavar="CLASSPATH", help="the jars of the Java readers")
    parser.add_argument("--json", type=Path, default=OUT, help=f"where to write [{OUT}]")
    options = parser.parse_args()
    found = {}
    for program in programs(options.node, options.java):
        known = _version(program.needs)
        if known is None:
            print(f"{program.name}: not installed", file=sys.stderr)
            continue
        counts = _run(program, options.node)
        found[program.name] = {"version": known, "judge": program.judge[1], "counts": counts}
        print(f"{program.name:24}{counts['all']}", flush=True)
    options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


def _version(needs: str) -> str | None:
    """The version of a package; "" for other programs; None where it is not installed."""
    if needs in ("node", "java"):
        return "" if shutil.which(needs) else None
    try:
        return version(needs)
    except PackageNotFoundError:
        return None


def _run(program: Program, node: str | None) -> dict[str, dict[str, int]]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counts.json"
        runner = [sys.executable, str(SUITE / "run.py"), *program.judge, "--json", str(out), "--serve", "--"]
        cwd = node if program.needs == "node" else None
        environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
        done = subprocess.run(
            [*runner, *program.command], cwd=cwd, env=environment, capture_output=True, text=True, check=False
        )
        if not out.exists():
            raise SystemExit(f"{program.name}: {done.stderr[-2000:]}")
        counts: dict[str, dict[str, int]] = json.loads(out.read_text(encoding="utf-8"))
    return counts


if __name__ == "__main__":
    sys.exit(main())
