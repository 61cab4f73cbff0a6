"""A crawl on one machine: `feedcharset.batch` beside a plain loop, and beside what crawlers do today.

    python benchmarks/crawl_rows.py [--documents N] [--rounds N]

Prints the processor time a document, how many texts are right, the peak memory, and the documents a second
of `feedcharset batch` with one process and more. The documents are those of fixtures/making/crawl.py. A peer
that is not installed is left out. The ways of datatrove, cc-pyspark and NeMo Curator are written here after
their sources, which are named.
"""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import feedcharset
from feedcharset.batch import decode_batches

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fixtures"))
from making.crawl import CrawlDocument, crawl, is_right

__all__ = ["main"]

MOST = 1.15
"""The processor time of `decode_batches` by that of a plain loop over `decode`, which should be reached."""

Decode = Callable[[bytes, str | None], str | None]


# -- what crawlers do today -------------------------------------------------------------------------------


def _datatrove() -> Decode:
    """datatrove, pipeline/readers/warc.py, process_record (01a017b): UTF-8, else a guess, else dropped."""
    detect = import_module("cchardet").detect

    def decode(body: bytes, content_type: str | None) -> str | None:
        try:
            return body.decode("utf-8")
        except UnicodeDecodeError:
            guess = detect(body)["encoding"]
        if not guess or guess == "UTF-8":
            return None
        try:
            return body.decode(guess)
        except (UnicodeDecodeError, LookupError):
            return None

    return decode


def _nemo_curator() -> Decode:
    """NeMo Curator, stages/text/download/utils.py, decode_html: the same with another detector."""
    detect = import_module("charset_normalizer").detect

    def decode(body: bytes, content_type: str | None) -> str | None:
        try:
            return body.decode("utf-8")
        except UnicodeDecodeError:
            guess = detect(body)["encoding"]
        if not guess or guess == "utf-8":
            return None
        try:
            return body.decode(guess)
        except Exception:
            return None

    return decode


def _cc_pyspark() -> Decode:
    """cc-pyspark, bs4_parser.py, get_html_tree (f3e3cd7): the first encoding of Beautiful Soup's detector."""
    detector = import_module("bs4.dammit").EncodingDetector

    def decode(body: bytes, content_type: str | None) -> str | None:
        encoding = next(iter(detector(body, is_html=True).encodings))
        return body.decode(encoding, "replace")

    return decode


def _resiliparse() -> Decode:
    """Resiliparse's own example, and cc-pyspark, resiliparse_parser.py (3a7ba3b)."""
    encoding = import_module("resiliparse.parse.encoding")
    return lambda body, content_type: encoding.bytes_to_str(body, encoding.detect_encoding(body))


def _w3lib() -> Decode:
    html_to_unicode = import_module("w3lib.encoding").html_to_unicode
    return lambda body, content_type: html_to_unicode(content_type, body)[1]


def _beautiful_soup() -> Decode:
    dammit = import_module("bs4.dammit").UnicodeDammit
    return lambda body, content_type: dammit(body).unicode_markup


PEERS: dict[str, Callable[[], Decode]] = {
    "w3lib html_to_unicode": _w3lib,
    "Resiliparse": _resiliparse,
    "bs4 UnicodeDammit": _beautiful_soup,
    "datatrove's way": _datatrove,
    "cc-pyspark's way": _cc_pyspark,
    "NeMo Curator's way": _nemo_curator,
}


# -- measuring --------------------------------------------------------------------------------------------


def main() -> int:
    """Print all rows; 1 when the overhead is over MOST."""
    parser = argparse.ArgumentParser(description="Measure feedcharset.batch.")
    parser.add_argument("--documents", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    logging.disable()  # of the peers
    documents = list(crawl(options.documents))
    size = sum(len(document.body) for document in documents) / len(documents)
    print(f"{len(documents):,} documents of {size / 1000:.1f} KB on average")
    overhead = _print_ours(documents, options.rounds)
    for name, make in PEERS.items():
        _print_peer(name, make, documents)
    _print_damaged(documents)
    _print_memory(documents)
    _print_jobs(documents)
    return int(overhead > MOST)


def _print_ours(documents: Sequence[CrawlDocument], rounds: int) -> float:
    """The plain loop, and the overhead over it; interleaved."""
    pairs = [(document.body, document.content_type) for document in documents]
    batch = _batch(documents)

    def loop() -> object:
        return [feedcharset.decode(body, content_type) for body, content_type in pairs]

    def batches() -> object:
        return list(decode_batches([batch]))

    times: dict[str, list[float]] = {"loop": [], "batches": []}
    for _ in range(rounds):
        for name, call in (("loop", loop), ("batches", batches)):
            times[name].append(_time(call))
    texts = [feedcharset.decode(body, kind, declaration="keep").text for body, kind in pairs]
    _print_row("feedcharset, a loop over decode", median(times["loop"]), texts, documents)
    kept = pa.Table.from_batches(decode_batches([batch], declaration="keep"))["text"].to_pylist()
    _print_row("feedcharset decode_batches", median(times["batches"]), kept, documents)
    overhead = median(b / a for a, b in zip(times["loop"], times["batches"], strict=True))
    print(f"    overhead {overhead:.2f}x, to be reached {MOST}x")
    return overhead


def _print_damaged(documents: Sequence[CrawlDocument]) -> None:
    """Rows of about 10 KB in UTF-8 of which one character in 500 lost its last byte, as where text is cut."""
    texts = [document.text[:8_000] for document in documents if "\ufffd" not in document.text]
    bodies = [
        b"".join(
            char.encode()[:-1] if at % 500 == 0 and not char.isascii() else char.encode()
            for at, char in enumerate(text)
        )
        for text in texts[:200]
    ]
    batch = pa.record_batch({"body": pa.array(bodies)})
    seconds = min(_time(lambda: list(decode_batches([batch]))) for _ in range(3))
    size = sum(map(len, bodies)) / len(bodies)
    print(f"damaged rows of {size / 1000:.1f} KB: {1e6 * seconds / len(bodies):.0f} µs each")


def _batch(documents: Sequence[CrawlDocument]) -> pa.RecordBatch:
    bodies = pa.array([document.body for document in documents], pa.binary())
    return pa.record_batch(
        {"body": bodies, "content_type": [document.content_type for document in documents]}
    )


def _print_peer(name: str, make: Callable[[], Decode], documents: Sequence[CrawlDocument]) -> None:
    try:
        decode = make()
    except ImportError as error:
        print(f"{name:34} not installed: {error.name}")
        return
    texts: list[str | None] = []
    _time(lambda: texts.extend(_quietly(decode, document) for document in documents[:50]))
    texts.clear()
    seconds = _time(lambda: texts.extend(_quietly(decode, document) for document in documents))
    _print_row(name, seconds, texts, documents)


def _quietly(decode: Decode, document: CrawlDocument) -> str | None:
    try:
        return decode(document.body, document.content_type)
    except Exception:  # a peer may raise anything
        return None


def _print_row(
    name: str, seconds: float, texts: Sequence[str | None], documents: Sequence[CrawlDocument]
) -> None:
    right = sum(
        is_right(None if text is None else text.removeprefix("\ufeff"), document.text)
        for text, document in zip(texts, documents, strict=True)
    )
    dropped = sum(text is None for text in texts)
    share = 100 * right / len(documents)
    print(
        f"{name:34} {1e6 * seconds / len(documents):7.1f} µs a document, {share:6.2f} % right, "
        f"{dropped} dropped"
    )


def _time(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


# -- memory and processes ---------------------------------------------------------------------------------

_STREAM = """
import sys
import pyarrow as pa
from feedcharset.batch import decode_batches
def peak():
    # Not getrusage: its peak is inherited from the process that started this one.
    line = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024
def batches():
    for _ in range(int(sys.argv[2])):
        with pa.OSFile(sys.argv[1]) as file:
            yield from pa.ipc.open_stream(file)
for batch in batches(): pass
before = peak()
for batch in decode_batches(batches()): pass
print(f"{before:.0f} MiB before, {peak():.0f} MiB with decoding")
"""


def _print_memory(documents: Sequence[CrawlDocument]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "documents.arrow"
        table = pa.Table.from_batches([_batch(documents)])
        with pa.OSFile(str(path), "w") as file, pa.ipc.new_stream(file, table.schema) as stream:
            stream.write_table(table, max_chunksize=200)
        for times in (1, 4):
            command = [sys.executable, "-c", _STREAM, str(path), str(times)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            print(f"memory, {times * len(documents):,} documents streamed: {done.stdout.strip()}")


def _write(documents: Sequence[CrawlDocument], folder: Path) -> Path:
    path = folder / "documents.parquet"
    pq.write_table(pa.Table.from_batches([_batch(documents)]), path, row_group_size=500)
    return path


def _print_jobs(documents: Sequence[CrawlDocument]) -> None:
    """`feedcharset batch` over copies of the file. Its wall time depends on what else the machine does."""
    with tempfile.TemporaryDirectory() as folder:
        first = _write(documents, Path(folder))
        inputs = [first]
        for number in range(7):
            inputs.append(first.with_name(f"{number}.parquet"))
            os.link(first, inputs[-1])
        for jobs in _powers(os.cpu_count() or 1):
            seconds, used = _run_command(inputs, first.parent / f"out{jobs}", jobs)
            count = len(inputs) * len(documents)
            print(
                f"feedcharset batch --jobs {jobs}: {count / seconds:,.0f} documents a second by "
                f"{used / seconds:.1f} cores, {1e6 * used / count:.0f} µs of processor time each"
            )


def _powers(cores: int) -> Iterator[int]:
    jobs = 1
    while jobs <= cores:
        yield jobs
        jobs *= 2


def _run_command(inputs: Sequence[Path], output: Path, jobs: int) -> tuple[float, float]:
    command: list[Any] = [
        sys.executable,
        "-m",
        "feedcharset",
        "batch",
        *inputs,
        "-o",
        output,
        "--jobs",
        str(jobs),
    ]
    start, before = time.monotonic(), os.times()
    subprocess.run(command, capture_output=True, check=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - start, used


if __name__ == "__main__":
    sys.exit(main())
