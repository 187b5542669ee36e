"""Drills that take minutes are spread over the workers of a run."""

from __future__ import annotations

import pytest
from debian_roots import spread_long_tests

DRILLS = ["stranger-1", "a", "b", "stranger-2", "c", "systemd-1", "d", "systemd-2", "systemd-3", "e", "f", "g", "h"]


def takes_minutes(name: str) -> bool:
    return "-" in name


@pytest.mark.parametrize(
    ("workers", "runs"),
    [
        (1, ["11111" "00000000"]),
        (2, ["11" "0000", "111" "0000"]),
        (3, ["1" "000", "11" "00", "11" "000"]),
        (6, ["00", "10", "10", "10", "10", "100"]),
    ],
)  # fmt: skip
def test_the_run_of_each_worker_begins_with_its_share_of_what_takes_minutes(workers, runs):
    """Runs as pytest-xdist divides them: 1 is a test that takes minutes, 0 is another one."""
    found = spread_long_tests(DRILLS, workers, takes_minutes)
    assert sorted(found) == sorted(DRILLS)
    assert "".join(str(int(takes_minutes(name))) for name in found) == "".join(runs)
    assert [name for name in found if takes_minutes(name)] == [name for name in DRILLS if takes_minutes(name)]
    assert [name for name in found if not takes_minutes(name)] == [name for name in DRILLS if not takes_minutes(name)]
