"""Standings of finished rounds: who counts, and in which order."""

from __future__ import annotations

from companion.games.api.computer_players import COMPUTER_NAMES
from companion.rounds.standings import compute_standings
from companion.rounds.stored import FinishedRound


def test_rounds_with_a_computer_player_do_not_count():
    """Neither for the computer player nor for the other one, whoever has won."""
    among_people = FinishedRound("27", ("Ann", "Ben"), (12, 6), (1,))
    with_a_box = [FinishedRound("27", ("Ann", box), (12, 6), (seat,)) for box in COMPUTER_NAMES for seat in (1, 2)]
    found = compute_standings([*with_a_box, among_people, *with_a_box])
    assert [each[:4] for each in found] == [("Ann", 1, 1, 0), ("Ben", 1, 0, 0)]
    assert found == compute_standings([among_people])
