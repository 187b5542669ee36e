"""How many examples, and which cases, a test has among the fast tests; the drills have all of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

FAST_SHARE = 0.1
"""The share of its examples that a test has among the fast tests, which together have two minutes."""


def example_count(count: int) -> int:
    """Return how many of `count` examples a test has in this run, at least 1.

    PYTEST_EXAMPLES is the share: 0.1 if it is not set, 1 for all of them, 2 for twice as many; see
    tests/test_more_examples.py.
    """
    return max(1, round(count * float(os.environ.get("PYTEST_EXAMPLES", FAST_SHARE))))


def first_cases_fast(count: int, cases: Iterable[Any]) -> list[Any]:
    """Return parameters of a test of which the fast tests have the first `count`; the others are drills.

    A tuple is several arguments.
    """
    every = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*case, marks=[] if place < count else [pytest.mark.drill]) for place, case in enumerate(every)]
