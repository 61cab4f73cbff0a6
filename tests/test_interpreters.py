"""No global state: many threads at once, and interpreters beside one another in a process.

Where a free-threaded build is installed, the same threads run without the global lock (PYTHON_GIL=0).
"""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from support.cases import FIXTURES
from support.module_files import module_at

from feedcharset import Decoded, decode

CODE = """
import {module} as interpreters
script = '''
import sys
sys.path[:0] = {path!r}
from feedcharset import decode, repair, resolve
stale = decode("<rss>Žižkov – přehled</rss>".encode(), "text/xml; charset=ISO-8859-1")
assert stale.resolution.encoding == "UTF-8"
declared = decode('<?xml version="1.0" encoding="EUC-JP"?><a>日本語</a>'.encode("euc-jp"))
assert declared.text.endswith("日本語</a>")
assert repair(b"caf\\\\xe9").data == "café".encode()
print("right")
'''
for _ in range(2):
    one = interpreters.create()
    failure = interpreters.run_string(one, script)
    assert failure is None, failure
    interpreters.destroy(one)
"""


def test_the_core_runs_in_interpreters_beside_one_another() -> None:
    """Python 3.12 calls the module `_xxsubinterpreters`, 3.13 `_interpreters`. lxml does not run in them."""
    module = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    code = CODE.format(module=module, path=sys.path)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("right\nright\n", 0), done.stderr


def test_threads_give_the_same_results() -> None:
    """Documents of fixtures/reports.jsonl by eight threads at once, from caches that are empty at first."""
    reports = list(module_at(FIXTURES / "reading.py").read_reports())
    documents = [(report.body, report.content_type) for report in reports if len(report.body) < 3000][::3]
    assert len(documents) > 300

    def decoded(document: tuple[bytes, str | None]) -> Decoded:
        return decode(*document)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(decoded, documents * 2))
    assert found[: len(documents)] == found[len(documents) :] == list(map(decoded, documents))


if hasattr(sys, "_is_gil_enabled"):  # Python 3.13 and later

    def test_the_lock_stays_off_where_it_is_off() -> None:
        """Nothing that the core imports switches it on again."""
        before = sys._is_gil_enabled()
        decode(b"<rss>caf\xe9</rss>")
        assert sys._is_gil_enabled() == before
