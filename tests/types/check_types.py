"""Run the type checkers over the public names, as a user's project would.

`usage.py` must pass; in `mistakes.py` each line that ends with `# wrong` must be found, and no other line.
The type completeness of the package must be 100 %. Called by `make lint`; prints one line for each check.

    python tests/types/check_types.py
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
BIN = Path(sys.executable).parent


def run(*command: str) -> str:
    """The output of a type checker, whatever its exit code."""
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}  # for pyright: this Python
    done = subprocess.run(command, capture_output=True, text=True, cwd=HERE, check=False, env=environment)
    return done.stdout + done.stderr


def mypy_lines(name: str) -> set[int]:
    """The lines in which mypy finds an error."""
    path = HERE / name
    options = ("--strict", "--config-file=", "--ignore-missing-imports")
    out = run(sys.executable, "-m", "mypy", *options, str(path))
    if "Success" not in out and "Found" not in out:
        raise SystemExit(out)
    found = re.findall(r"^(.*?):(\d+): error", out, re.M)
    return {int(line) for file, line in found if Path(file).name == name}


def pyright_lines(name: str) -> set[int]:
    """The lines in which pyright finds an error."""
    out = json.loads(run(str(BIN / "basedpyright"), "--outputjson", str(HERE / name)))
    found = out["generalDiagnostics"]
    return {one["range"]["start"]["line"] + 1 for one in found if one["severity"] == "error"}


def completeness() -> tuple[float, list[str]]:
    """The share of public symbols whose type is known, by pyright, and what it says of the others."""
    command = [str(BIN / "basedpyright"), "--verifytypes", "feedcharset"]
    out = run(*command, "--ignoreexternal", "--outputjson")
    found = json.loads(out)["typeCompleteness"]
    public = [symbol for symbol in found["symbols"] if symbol["isExported"]]
    said = [one["message"] for symbol in public for one in symbol["diagnostics"]]
    return float(found["completenessScore"]), said


def main() -> int:
    """Run all checks; 1 where one failed."""
    failed = 0
    lines = (HERE / "mistakes.py").read_text(encoding="utf-8").splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    for tool, found in (("mypy", mypy_lines), ("pyright", pyright_lines)):
        for name, expected in (("usage.py", set()), ("mistakes.py", wrong)):
            got = found(name)
            failed += got != expected
            missed, extra = sorted(expected - got), sorted(got - expected)
            print(f"{tool} {name}: {len(got)} lines with errors; missed {missed}, unexpected {extra}")
    score, said = completeness()
    failed += score < 1
    print(f"pyright --verifytypes: {score:.2%} of the public symbols have a known type")
    print(*(said if score < 1 else ()), sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
