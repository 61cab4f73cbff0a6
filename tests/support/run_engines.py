"""Decode the same rows on every engine that is installed, in two partitionings, and compare the digests.

    python tests/support/run_engines.py [--rows N] [ENGINE...]

Then the examples of docs/how-to/engines.md are run. What an engine prints itself is shown where it fails.
Exit codes: 0 all that ran agree; 1 a digest differs, or an engine failed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "fixtures")]

from support.engines import ENGINES, PAGE, SECTIONS, write_documents  # noqa: E402
from support.pages import DOCS, blocks  # noqa: E402

__all__ = ["main"]

ROWS = 20_000


def main() -> int:
    """Run, print a line for each engine and each section of the page."""
    parser = argparse.ArgumentParser(description="Decode the same rows on every engine.")
    parser.add_argument("--rows", type=int, default=ROWS, help=f"documents [{ROWS}]")
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=f"of {', '.join(ENGINES)}")
    options = parser.parse_args()
    # Spark's workers take the first python3 otherwise.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        write_documents(top / "one file", options.rows, files=1, row_group=2_000)
        write_documents(top / "five files", options.rows, files=5, row_group=777)
        names = [name for name in options.engines or ENGINES if _is_here(name, ENGINES[name][0])]
        found = {name: _run(name, [top / "one file", top / "five files"]) for name in names}
        sections = {} if options.engines else SECTIONS
        pages = [_run_section(title, top) for title, package in sections.items() if _is_here(title, package)]
    digests = {one for found_here in found.values() for one in found_here}
    if len(digests) == 1 and "failed" not in digests and all(pages):
        print(f"{len(found)} engines agree: {', '.join(found)}")
        return 0
    print("The engines do not agree, or an example does not do what it shows.")
    return 1


_SECTION = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[1:3]
from support.pages import run_page
run_page(Path(sys.argv[3]), Path.cwd(), "", sys.argv[4:])
"""

_ENGINE = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[1:3]
from support.engines import ENGINES, digest
if __name__ == "__main__":
    for folder in sys.argv[4:]:  # in one process: to start an engine takes longer than to decode
        print("\\ndigest", *digest(ENGINES[sys.argv[3]][1](Path(folder))))
"""


def _python(program: str, *arguments: object, cwd: Path) -> str | None:
    """What a program prints, in a process of its own; None where it fails, and then what it says is shown."""
    command = [sys.executable, "-c", program, ROOT / "tests", ROOT / "fixtures", *arguments]
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
        return None
    return done.stdout


def _run_section(title: str, top: Path) -> bool:
    """Run the examples of a section after those of the beginning; whether they do what they show."""
    here = top / title
    here.mkdir()
    (here / "fixtures").symlink_to(ROOT / "fixtures", target_is_directory=True)
    others = {block.section for block in blocks((DOCS / PAGE).read_text(encoding="utf-8"))} - {"", title}
    done = _python(_SECTION, DOCS / PAGE, *sorted(others), cwd=here) is not None
    print(f"docs/{PAGE}, {title}: {'does' if done else 'does not do'} what it shows", flush=True)
    return done


def _is_here(name: str, package: str) -> bool:
    if find_spec(package) is not None and (package != "pyspark" or shutil.which("java") is not None):
        return True
    print(f"{name:10} is not installed, or has no Java")
    return False


def _run(name: str, folders: Sequence[Path]) -> list[str]:
    """The digests that an engine comes to."""
    start = time.perf_counter()
    printed = _python(_ENGINE, name, *folders, cwd=folders[0].parent)
    took = time.perf_counter() - start
    if printed is None:
        print(f"{name:10} failed", flush=True)
        return ["failed"]
    found = re.findall(r"^digest ([0-9]+ [0-9a-f]+)$", printed, re.MULTILINE)
    number = version(ENGINES[name][0])
    for rows, digest in map(str.split, found):
        print(f"{name:10} {number:10} {rows} rows  {digest[:16]}  {took:6.1f} s in all", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
