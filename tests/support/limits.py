"""Every test ends, and what it starts has the environment that a user's shell would give it."""

from __future__ import annotations

import faulthandler
import os
import re
from typing import Any

import pytest

# What a developer's shell sets besides (PYTHONUNBUFFERED and its like) hides faults. The ways to the package
# registries are for the drills alone.
NEEDED = re.compile(
    "HOME|PATH|LANG|TMPDIR|UPDATE_GOLDEN|COMPANION_GOLDEN|(PYTEST|COV|COVERAGE|PIP)_.*|(http|https|no)_proxy", re.I
)
for _name in [name for name in os.environ if not NEEDED.fullmatch(name)]:
    del os.environ[_name]

DRILL_SECONDS = 1800
"""The limit of a drill; that of every other test is in pyproject.toml."""
MERCY = float(os.environ.get("PYTEST_MERCY", 60))
"""Seconds after its limit in which a test has to be over; then the process is ended by force."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("drill") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(DRILL_SECONDS))


def pytest_timeout_set_timer(settings: Any) -> None:
    # The signal comes once: a fixture that hangs while it clears away, or hypothesis trying again, would go on.
    faulthandler.dump_traceback_later(settings.timeout + MERCY, exit=True)


def pytest_timeout_cancel_timer() -> None:
    faulthandler.cancel_dump_traceback_later()
