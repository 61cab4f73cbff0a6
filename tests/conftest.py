"""Settings that every test shares."""

from __future__ import annotations

import gc
import os
import random
import sys
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings

gc.disable()  # until all tests are collected: nothing of them is garbage

# The same examples in every run: a failure is a change of the code, never luck.
settings.register_profile(
    "feedcharset",
    derandomize=True,
    deadline=None,
    max_examples=int(os.environ.get("FEEDCHARSET_EXAMPLES", "30")),  # the gate tries more
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
settings.load_profile("feedcharset")

# The tests and their child processes see no other variables than these, so that they give the same on every
# machine: no proxies (the servers of tests are on 127.0.0.1), no locale, no PYTHONUNBUFFERED.
KEPT = {
    *("HOME", "PATH", "PYTHONPATH", "TMPDIR", "TMP", "TEMP", "NO_SKIPS", "RANDOM_ORDER_SEED"),
    *("SYSTEMROOT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PATHEXT", "COMSPEC"),  # Windows
    *("JAVA_HOME", "CHROMIUM"),  # what is installed elsewhere
}
KEPT_PREFIXES = ("PYTEST_", "COV_", "COVERAGE_", "FEEDCHARSET_")
for name in set(os.environ) - KEPT:
    if not name.startswith(KEPT_PREFIXES):
        del os.environ[name]
os.environ["LANG"] = "C.UTF-8"


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Start again where the locale gives another encoding than UTF-8: names of files are in it."""
    if sys.getfilesystemencoding() != "utf-8" and os.name == "posix" and not hasattr(config, "workerinput"):
        capture = config.pluginmanager.getplugin("capturemanager")
        if capture is not None:
            capture.stop_global_capturing()
        os.execv(sys.executable, [sys.executable, "-m", "pytest", *config.invocation_params.args])


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--random-order",
        metavar="SEED",
        nargs="?",
        # The processes of xdist read it from the environment: all must have the same order.
        const=os.environ.setdefault("RANDOM_ORDER_SEED", str(random.SystemRandom().randrange(10**6))),
        help="run the tests in random order; the seed is printed",
    )


def pytest_report_header(config: pytest.Config) -> str | None:
    seed = config.getoption("random_order")
    return f"random order: --random-order={seed}" if seed else None


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what takes long among sampled cases. Shuffle the tests where that is wanted."""
    cases = Counter[str]()
    for item in items:
        if (sampled := item.get_closest_marker("sampled")) and not item.get_closest_marker("long"):
            test = item.nodeid.partition("[")[0]
            if cases[test] % sampled.args[0]:
                item.add_marker(pytest.mark.long)
            cases[test] += 1
    if seed := config.getoption("random_order"):
        random.Random(seed).shuffle(items)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: no need to walk it in each collection of garbage."""
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """In the gate (NO_SKIPS=1) a skipped test is a failure: all that a test needs is installed there."""
    if skipped(terminalreporter):
        terminalreporter.section("skipped tests are failures here (NO_SKIPS=1)")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail the session where a test was skipped and must not be."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == 0 and reporter is not None and skipped(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def skipped(reporter: pytest.TerminalReporter) -> list[object]:
    """The skipped tests, where none may be skipped."""
    return reporter.stats.get("skipped", []) if os.environ.get("NO_SKIPS") == "1" else []
