"""The tests of properties that matter most, once more with more examples than the fast tests have time for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
MANY = ("games/test_contract.py", "session/test_any_keys.py", "session/test_secrets.py", "web/test_secrets.py")


@pytest.mark.drill
@pytest.mark.parametrize("file", MANY)
def test_twice_as_many_examples(file):
    """The contract of all games, any keys, and that secrets change nothing, with other examples and more of them."""
    words = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", TESTS / file]
    done = subprocess.run(
        words,
        cwd=TESTS.parent,
        env={**os.environ, "PYTEST_EXAMPLES": "2"},
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
