"""Settings that every test shares."""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run: a failure is a change of the code, never luck.
settings.register_profile(
    "feedcharset",
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
settings.load_profile("feedcharset")

# Servers of tests are on 127.0.0.1: the proxies of whoever runs them are not used, nor by child processes.
for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "ftp_proxy"):
    os.environ.pop(name, None)
    os.environ.pop(name.upper(), None)


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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the tests where that is wanted."""
    if seed := config.getoption("random_order"):
        random.Random(seed).shuffle(items)


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
