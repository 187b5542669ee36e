"""However large junk is, reading it takes time in proportion: ten times as much takes about ten times as long."""

from __future__ import annotations

import gc
import itertools
import time
from collections.abc import Sequence

import pytest

from companion.rounds import record

UNITS = ["\n", "\r", " ", "\t ", "x", "9", "0", ":", "=", ",", "# \n", "a: b\n", "deal: x\n", "\r\n", "ü", "\x00", "@"]
UNITS += [", ", "A,", "1 ", "+1 ", "+1", "D+ ", "0-0 ", "0-", "1 x", "d4", "-", "/", "x7D"]
STARTS = {
    "27": "|note: |options: |options: variant|options: variant=|players: |deal|result: |result: 1 |result: 1 winners "
    "|1|1: |1: 1|1: 1x",
    "coral-reef": "deal 1: |deal 1: A|1: |1: draw|1: draw |1: 1|1: 1:|1: 1:A",
    "prime-attactics": "deal 1: |rack 1: +|1: |1: @|1: +1|1: +1/|1: refill|1: refill |1: refill D",
    "ziggurat": "deal 1: |deal 1: 0-0|1: |1: 6|1: 6-3|1: 6-3 d4",
}
"""Game → what is written before the junk, separated by bars; the first of 27 is nothing."""
CASES = [(game, start) for game, starts in STARTS.items() for start in starts.split("|")]


def check_seconds(text: str) -> float:
    """The processor time to check a text, without garbage collection of everything that the tests have in memory."""
    gc.disable()
    try:
        begun = time.process_time()
        record.check_record(text)
        return time.process_time() - begun
    finally:
        gc.enable()


def check_growing_texts(game: str, start: str, ends: Sequence[str], sizes: Sequence[int]) -> None:
    """Check ever longer texts of every kind of junk. Fail at the first that takes disproportionately long."""
    for unit, end in itertools.product(UNITS, ends):
        before = None
        for size in sizes:
            text = f"companion-record: 1\ngame: {game}\n{start}{unit * (size // len(unit))}{end}"
            now = check_seconds(text)
            # Large texts leave the processor's caches and machines have slow moments, so a few times the proportion is
            # no sign of anything yet; a quadratic step would take the square of it, each time anew.
            most = None if before is None else 0.25 + before * (sizes[1] / sizes[0]) ** 1.75
            if most is not None and now >= most:
                now = min(check_seconds(text) for _ in range(5))
            assert most is None or now < most, (unit, end, size)
            before = now


@pytest.mark.parametrize(("game", "start"), CASES)
def test_time_is_in_proportion_to_size(game: str, start: str) -> None:
    """A line or a file of up to a hundred thousand characters takes linear time, whatever it repeats."""
    check_growing_texts(game, start, ("!",), [10_000, 100_000])


@pytest.mark.drill
def test_time_is_in_proportion_whatever_follows() -> None:
    """The same with nothing after the junk, and with an event."""
    for game, start in CASES:
        check_growing_texts(game, start, ("", "\n1: 1x1\n"), [1_000, 10_000, 100_000])


@pytest.mark.drill
@pytest.mark.parametrize(("game", "start"), CASES[::3])
def test_ten_megabytes_are_read_in_proportion(game: str, start: str) -> None:
    """The same with ten megabytes and, if the line is short, millions of lines."""
    check_growing_texts(game, start, ("!",), [100_000, 10_000_000])
