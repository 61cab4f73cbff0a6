"""Fuzz the targets: guided by coverage (atheris, libFuzzer), or with structure-aware documents.

    python tests/fuzz/run.py --seconds 60 [TARGET...]
    python tests/fuzz/run.py --documents 1000000 [--seed N] [--first N] [TARGET...]

By coverage, each target has a share of the time. The seeds are in `corpus/`; what is found new is kept in
`--corpus`, else forgotten. With documents (`documents.py`), each target has a share of them: all decide and
decode, every eighth is parsed and checked; with a named target, all.

An input that breaks a promise is written beside this file, as `crash-…`, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

HERE = Path(__file__).parent
SEED = 20261120
LONGEST = 4096
"""Bytes of an input: longer than the head, shorter than what one run has time for."""
EVERY = {
    "agreement": 1,
    "decode": 2,
    "options": 4,
    "strict": 4,
    "repair": 8,
    "content-type": 8,
    "parse": 8,
    "check": 8,
}
"""A target has every n-th document: what takes longer has fewer."""
PROGRESS = 50_000
"""Documents after which a line is printed."""


def broken(target: str, data: bytes, name: str) -> bool:
    """Give one input to a target; print and write it where it breaks a promise."""
    sys.path.insert(0, str(HERE))
    from targets import TARGETS

    try:
        TARGETS[target](data)
    except Exception:
        print(f"{target}, document {name}:\n{traceback.format_exc(limit=-3)}", flush=True)
        (HERE / f"crash-{target}-{name}").write_bytes(data)
        return True
    return False


def fuzz_documents(first: int, count: int, seed: int, every: dict[str, int]) -> Counter[str]:
    """Give `count` documents to the targets; how many broke a promise of each."""
    sys.path.insert(0, str(HERE))
    from documents import made
    from make_corpus import seed as as_input

    failures = Counter(dict.fromkeys(every, 0))
    start = time.process_time()
    for number in range(first, first + count):
        data = as_input(*made(seed, number)[:3])
        for target, step in every.items():
            if number % step == 0:
                failures[target] += broken(target, data, f"{seed}-{number}")
        if (done := number - first + 1) % PROGRESS == 0 or done == count:
            took = time.process_time() - start
            print(
                f"seed {seed}: {done} documents, {took:.0f} s, {dict(+failures) or 'no failure'}", flush=True
            )
    return failures


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
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60, help="of one process, for all targets together")
    parser.add_argument("--corpus", type=Path, help="a folder that keeps what is found")
    parser.add_argument("--documents", type=int, help="structure-aware documents, this many")
    parser.add_argument("--seed", type=int, default=SEED, help="of the documents")
    parser.add_argument("--first", type=int, default=0, help="the number of the first document")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("targets", nargs="*")
    arguments = parser.parse_args()
    if arguments.one:
        fuzz(arguments.one, arguments.targets)
    if arguments.documents:
        every = dict.fromkeys(arguments.targets, 1) or EVERY
        return int(any(fuzz_documents(arguments.first, arguments.documents, arguments.seed, every).values()))
    names = ["resolve", *EVERY]
    chosen = arguments.targets or names
    with tempfile.TemporaryDirectory() as folder:
        corpus = arguments.corpus or Path(folder)
        share = max(1, arguments.seconds // len(chosen))
        with ThreadPoolExecutor(os.cpu_count()) as threads:  # each in a process of its own
            return int(any(list(threads.map(partial(run, seconds=share, corpus=corpus), chosen))))


if __name__ == "__main__":
    sys.exit(main())
