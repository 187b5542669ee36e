"""The property tests that matter most, once more with more examples than the fast tests have time for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
LIMIT = 3000
"""Seconds."""
MANY = ("gamekit/test_contract.py", "evening/test_any_keys.py", "evening/test_secrets.py", "web/test_secrets.py")


def run_tests(share: str, *files: Path) -> None:
    """Run test files with a share of their examples, see tests/support/examples.py.

    With -P, so that they test the installed package and not the current folder.
    """
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", *files],
        cwd=TESTS.parent,
        env={**os.environ, "PYTEST_EXAMPLES": share},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]


@pytest.mark.drill
@pytest.mark.timeout(LIMIT + 60)
@pytest.mark.parametrize("file", MANY)
def test_twice_as_many_examples(file):
    """The contract of all games, any keys, and that secrets change nothing, with more examples."""
    run_tests("2", TESTS / file)


@pytest.mark.drill
@pytest.mark.timeout(LIMIT + 60)
def test_all_examples():
    """Every other property test with all its examples; the fast tests use two of five."""
    with_examples = [file for file in TESTS.rglob("test_*.py") if re.search(r"@given|\bexamples\(", file.read_text())]
    run_tests("1", *(file for file in with_examples if str(file.relative_to(TESTS)) not in MANY))
