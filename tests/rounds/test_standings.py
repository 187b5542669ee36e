"""Standings of finished rounds: who counts, and in which order."""

from __future__ import annotations

from companion.games.api.computer_players import COMPUTER_NAMES
from companion.rounds.standings import compute_standings, player_colours
from companion.rounds.stored import FinishedRound, StoredHistory


def test_rounds_with_a_computer_player_do_not_count():
    """Neither for the computer player nor for the other one, whoever has won."""
    among_people = FinishedRound("27", ("Ann", "Ben"), (12, 6), (1,))
    with_a_box = [FinishedRound("27", ("Ann", box), (12, 6), (seat,)) for box in COMPUTER_NAMES for seat in (1, 2)]
    found = compute_standings([*with_a_box, among_people, *with_a_box])
    assert [each[:4] for each in found] == [("Ann", 1, 1, 0), ("Ben", 1, 0, 0)]
    assert found == compute_standings([among_people])


def test_players_keep_their_colours_while_others_come_and_go():
    """A new player gets one that nobody has had, if there is one; a table of more than four has those of the seats."""
    seatings = [("Ann", "Ben"), ("Ben", "Ann"), ("Cleo", "Ann", "Ben"), ("Cleo", "Dan")]
    rounds = tuple(FinishedRound("27", names, (), ()) for names in seatings)
    history = StoredHistory(evening_rounds=rounds[:1], new_rounds=rounds[1:])
    evening = {"Ann": 1, "Ben": 2, "Cleo": 3, "Dan": 4}
    assert player_colours(history, ("Dan", "Ben")) == evening
    assert player_colours(history, ("Eve", "Ann", "Fay")) == evening | {"Eve": 5, "Fay": 6}
    assert [player_colours(history, tuple("ABCDEFG"))[name] for name in "ABCDEFG"] == [1, 2, 3, 4, 5, 6, 7]
