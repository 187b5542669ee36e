"""How many examples a test of a property takes."""

import os


def examples(count: int) -> int:
    """`count` for the fast tests, which have three minutes for all; PYTEST_EXAMPLES=10 makes it ten times that."""
    return round(count * float(os.environ.get("PYTEST_EXAMPLES", "1")))
