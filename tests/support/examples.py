"""How many examples a test of a property takes."""

import os

FAST = 0.4
"""The share of its examples that a test takes among the fast tests, which have three minutes for all."""


def examples(count: int) -> int:
    """So many of `count` examples as this run takes, at least 2.

    PYTEST_EXAMPLES is the share: 0.4 if it is not set, 1 for all of them, 2 for twice as many; see
    tests/test_more_examples.py.
    """
    return max(2, round(count * float(os.environ.get("PYTEST_EXAMPLES", FAST))))
