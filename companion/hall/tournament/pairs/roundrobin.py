"""Everybody against everybody: the Berger tables of the FIDE Handbook, C.05, Annex 1."""

from __future__ import annotations


def rounds_of(players: int) -> int:
    """How many rounds it takes."""
    return players - 1 + players % 2


def berger(players: int, round_: int) -> list[tuple[int, int]]:
    """The pairs of a round (from 1), by draw numbers from 1 on; the first of two starts.

    With an odd number of players one more is thought of; who is paired with it is free. Raises ValueError.
    """
    count = players + players % 2
    turning = count - 1
    if players < 2 or not 1 <= round_ <= turning:
        raise ValueError(f"{players} players have no round {round_}")
    # The last number stays, all others move on by half a table each round.
    top = (round_ - 1) * (count // 2) % turning
    pairs = [(top + 1, count) if round_ % 2 else (count, top + 1)]
    pairs += [((top + step) % turning + 1, (top - step) % turning + 1) for step in range(1, count // 2)]
    return pairs
