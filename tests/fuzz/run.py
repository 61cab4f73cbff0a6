"""Fuzz the targets, each for a share of the time, guided by coverage (atheris, libFuzzer).

    python tests/fuzz/run.py --seconds 60 [TARGET...]

The seeds are in `corpus/`. What is found new is kept in `--corpus`, else forgotten. A crash writes its input
beside this file, as `crash-…`, and ends with code 1.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

HERE = Path(__file__).parent
LONGEST = 4096
"""Bytes of an input: longer than the head, shorter than what one run has time for."""


def fuzz(target: str, options: list[str]) -> None:
    """Run one target in this process; it does not return."""
    import atheris

    with atheris.instrument_imports(include=["feedcharset"]):
        sys.path.insert(0, str(HERE))
        from targets import TARGETS

    def traced(data: bytes) -> None:
        try:
            TARGETS[target](data)
        except Exception:
            traceback.print_exc()
            raise

    atheris.Setup([sys.argv[0], *options], traced)
    atheris.Fuzz()


def run(target: str, seconds: int, corpus: Path) -> int:
    """Run one target in a process of its own; its exit code."""
    found = corpus / target
    found.mkdir(parents=True, exist_ok=True)
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST}",
        "-timeout=30",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
        f"-artifact_prefix={HERE}/crash-{target}-",
        str(found),
        str(HERE / "corpus"),
    ]
    command = [sys.executable, __file__, "--one", target, "--", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    runs = [line.split()[-1] for line in done.stderr.splitlines() if "number_of_executed_units" in line]
    print(f"{target}: {runs[0] if runs else 'no'} inputs, exit code {done.returncode}", flush=True)
    if done.returncode:
        print("\n".join((done.stdout + done.stderr).splitlines()[-40:]), file=sys.stderr)
    return done.returncode


def main() -> int:
    """Parse the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60, help="for all targets together")
    parser.add_argument("--corpus", type=Path, help="a folder that keeps what is found")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("targets", nargs="*")
    arguments = parser.parse_args()
    if arguments.one:
        fuzz(arguments.one, arguments.targets)
    names = ["resolve", "decode", "strict", "parse", "check", "content-type", "repair"]
    chosen = arguments.targets or names
    with tempfile.TemporaryDirectory() as folder:
        corpus = arguments.corpus or Path(folder)
        share = max(1, arguments.seconds // len(chosen))
        codes = [run(target, share, corpus) for target in chosen]
        return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
