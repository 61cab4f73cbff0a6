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
import importlib
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr
from io import StringIO
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


def fuzz(targets: list[str], seconds: int, corpus: Path) -> list[int]:
    """Run targets, as many at a time as there are processors; their exit codes.

    The code is instrumented once (9 s), and each target runs in a fork.
    """
    import atheris

    with redirect_stderr(StringIO()), atheris.instrument_imports(include=["feedcharset"]):
        sys.path.insert(0, str(HERE))
        importlib.import_module("targets")
    left, running, codes = [*targets], {}, []
    while left or running:
        while left and len(running) < (os.cpu_count() or 1):
            target = left.pop(0)
            log = corpus / f"{target}.log"
            if not (child := os.fork()):
                with log.open("wb") as file:
                    os.dup2(file.fileno(), 1)
                    os.dup2(file.fileno(), 2)
                atheris.Setup([sys.argv[0], *options_of(target, seconds, corpus)], traced(target))
                atheris.Fuzz()  # it ends the process, or raises what the target does
            running[child] = target, log
        child, status = os.wait()
        target, log = running.pop(child)
        codes.append(os.waitstatus_to_exitcode(status))
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        log.unlink()
        runs = [line.split()[-1] for line in lines if "number_of_executed_units" in line]
        print(f"{target}: {runs[0] if runs else 'no'} inputs, exit code {codes[-1]}", flush=True)
        if codes[-1]:
            print("\n".join(lines[-40:]), file=sys.stderr)
    return codes


def traced(target: str) -> Callable[[bytes], None]:
    """Return a target that prints its traceback where an input breaks a promise."""
    from targets import TARGETS

    def one(data: bytes) -> None:
        try:
            TARGETS[target](data)
        except Exception:
            traceback.print_exc()
            raise

    return one


def options_of(target: str, seconds: int, corpus: Path) -> list[str]:
    """The options of libFuzzer for one target."""
    found = corpus / target
    found.mkdir(parents=True, exist_ok=True)
    return [
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST}",
        "-timeout=30",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
        f"-artifact_prefix={HERE}/crash-{target}-",
        str(found),
        str(HERE / "corpus"),
    ]


def main() -> int:
    """Parse the arguments and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60, help="of one process, for all targets together")
    parser.add_argument("--corpus", type=Path, help="a folder that keeps what is found")
    parser.add_argument("--documents", type=int, help="structure-aware documents, this many")
    parser.add_argument("--seed", type=int, default=SEED, help="of the documents")
    parser.add_argument("--first", type=int, default=0, help="the number of the first document")
    parser.add_argument("targets", nargs="*")
    arguments = parser.parse_args()
    if arguments.documents:
        every = dict.fromkeys(arguments.targets, 1) or EVERY
        return int(any(fuzz_documents(arguments.first, arguments.documents, arguments.seed, every).values()))
    names = ["resolve", *EVERY]
    chosen = arguments.targets or names
    own, folder = os.getpid(), tempfile.mkdtemp()
    try:
        share = max(1, arguments.seconds // len(chosen))
        return int(any(fuzz(chosen, share, arguments.corpus or Path(folder))))
    finally:
        if os.getpid() == own:  # a fork ends here where its target raises
            shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
