"""Decode the same rows on every engine that is installed, and compare the digests: `make engines`.

    python tests/support/run_engines.py [--rows N] [ENGINE...]

Exit codes: 0 all that ran agree; 1 a digest differs, or an engine failed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "fixtures")]

from support.engines import ENGINES, PAGES, digest, write_documents  # noqa: E402
from support.pages import DOCS  # noqa: E402

__all__ = ["main"]

ROWS = 6_000


def main() -> int:
    """Run, print a line for each engine."""
    parser = argparse.ArgumentParser(description="Decode the same rows on every engine.")
    parser.add_argument("--rows", type=int, default=ROWS, help=f"documents [{ROWS}]")
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=f"of {', '.join(ENGINES)}")
    options = parser.parse_args()
    os.environ.setdefault(
        "PYSPARK_PYTHON", sys.executable
    )  # Spark's workers take the first python3 otherwise
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "documents.parquet"
        write_documents(path, options.rows)
        found = {name: _run(name, path) for name in options.engines or ENGINES}
        failed = [] if options.engines else [page for page in PAGES if not _run_page(page, Path(folder))]
    digests = {one for one in found.values() if one is not None}
    for name in failed:
        print(f"docs/{name} does not do what it shows")
    if len(digests) == 1 and "failed" not in digests and not failed:
        names = [name for name, one in found.items() if one]
        print(f"{len(names)} engines agree: {', '.join(names)}")
        return 0
    print("The engines do not agree.")
    return 1


_PAGE = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[1:3]
from support.pages import run_page
run_page(Path(sys.argv[3]), Path.cwd(), "")
"""


def _run_page(page: str, folder: Path) -> bool:
    """Run the examples of a page, where its package is installed; whether they do what they show."""
    if not _is_here(PAGES[page]):
        return True
    here = folder / Path(page).stem
    here.mkdir()
    (here / "fixtures").symlink_to(ROOT / "fixtures", target_is_directory=True)
    # In a process of its own: the Java of a Spark session stays in the folder in which it was started.
    command = [sys.executable, "-c", _PAGE, *map(str, (ROOT / "tests", ROOT / "fixtures", DOCS / page))]
    if subprocess.run(command, cwd=here, check=False).returncode:
        return False
    print(f"docs/{page} does what it shows", flush=True)
    return True


def _is_here(package: str) -> bool:
    return find_spec(package) is not None and (package != "pyspark" or shutil.which("java") is not None)


def _run(name: str, path: Path) -> str | None:
    """The digest of an engine; None where it cannot run here."""
    package, engine = ENGINES[name]
    if not _is_here(package):
        print(f"{name:10} is not installed, or has no Java")
        return None
    start = time.perf_counter()
    try:
        rows, found = digest(engine(path))
    except Exception:
        traceback.print_exc()
        print(f"{name:10} failed")
        return "failed"
    took = time.perf_counter() - start
    print(f"{name:10} {version(package):10} {rows} rows  {found[:16]}  {took:6.1f} s", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
