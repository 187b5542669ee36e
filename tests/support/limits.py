"""Every test ends, no skip goes unnoticed, and what a test starts has the environment of a user's shell."""

from __future__ import annotations

import faulthandler
import gc
import os
import re
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

# What a developer's shell sets besides (PYTHONUNBUFFERED and its like) hides faults. The ways to the package
# registries are for the drills alone.
ALLOWED_VARIABLES = re.compile(
    "HOME|PATH|LANG|TMPDIR|UPDATE_GOLDEN|(PYTEST|COV|COVERAGE|PIP)_.*|(http|https|no)_proxy", re.I
)
for _name in [name for name in os.environ if not ALLOWED_VARIABLES.fullmatch(name)]:
    del os.environ[_name]
# What is started in the background of a script ignores Ctrl-C, and so would every program that a test starts.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

TESTS = Path(__file__).parents[1]
BUSY_FOLDERS = {"club", "commands", "e2e", "hardware", "store", "systemd", "table", "web"}
"""Folders of tests with processes or threads; they must pass on a busy machine too, and with all tools there."""
DRILL_SECONDS = 1800
"""The time limit of a drill in seconds; that of every other test is in pyproject.toml."""
GRACE_SECONDS = float(os.environ.get("PYTEST_MERCY", 60))
"""Seconds after its limit in which a test must be over; then the process is ended by force."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(TESTS) and BUSY_FOLDERS.intersection(item.path.relative_to(TESTS).parts):
            item.add_marker("busy")
        if item.get_closest_marker("drill") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(DRILL_SECONDS))


def pytest_collection_finish() -> None:
    # What was collected stays to the end: the search for garbage would go through all of it again and again.
    gc.collect()
    gc.freeze()


def pytest_timeout_set_timer(settings: Any) -> None:
    # The signal comes once: a fixture that hangs while it clears away, or hypothesis trying again, would go on.
    faulthandler.dump_traceback_later(settings.timeout + GRACE_SECONDS, exit=True)


def pytest_timeout_cancel_timer() -> None:
    faulthandler.cancel_dump_traceback_later()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--skips-allowed", type=Path, help="a skipped test fails the run unless this file names it")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run if tests were skipped that are not on the list."""
    if session.exitstatus == pytest.ExitCode.OK and _skips_not_allowed(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    for test, why in _skips_not_allowed(config):
        terminalreporter.write_line(f"NOT ALLOWED TO BE SKIPPED {test}: {why}", red=True)


def _skips_not_allowed(config: pytest.Config) -> list[tuple[str, str]]:
    """The skipped tests that the list does not name, with the reasons; [] if there is no list."""
    file = config.getoption("--skips-allowed")
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if file is None or reporter is None:
        return []
    lines = (line.partition("#")[0].strip() for line in file.read_text().splitlines())
    allowed = {line for line in lines if line}
    return [
        (report.nodeid, report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr))
        for report in reporter.stats.get("skipped", [])
        if not {report.nodeid, report.nodeid.partition("[")[0]} & allowed
    ]
