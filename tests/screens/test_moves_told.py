"""Moves in words, as the big screen and replays tell them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion import games, record
from companion.screens import public, replay

RECORD = """\
companion-record: 1
game: {game}
options: {options}
players: Ann, Ben
{lines}
"""


def told(game: str, options: str, *lines: str) -> list[str]:
    """The last moves of a record in words."""
    report = record.check(RECORD.format(game=game, options=options, lines="\n".join(lines)))
    assert report.fault is None, report.fault
    return [each["told"] for each in public.moves(replay.of_record(report))]


def test_moves_of_27():
    """From where to where, and on the goal how many lie there."""
    assert told("27", "variant=basic", "1: 1x7", "2: 9x7", "1: 1x1", "2: 8x5") == [
        "moved 7 pieces from field 1 to 2",
        "moved 7 pieces from field 9 to 8",
        "moved 1 piece from field 1 to 3",
        "moved 5 pieces from field 8 to 6",
    ]
    text = (Path(__file__).parent.parent / "records" / "27-advanced.tcr").read_text()
    last = public.moves(replay.of_record(record.check(text)))[-1]
    assert last["told"] == "moved 3 pieces from field 3 to 7, the goal: 10 there; 6 fields are left"


def test_moves_of_coral_reef():
    """Corals, stack, sum, and the new top."""
    lines = ("deal 1: A577789K", "deal 2: 3455689T", "1: 2:7K5", "2: 3:36T", "1: 1:A8", "2: 3:55", "1: 4:9", "2: seed")
    assert (
        told("coral-reef", "form=cards", *lines, "1: draw 2")[1:]
        == [
            "placed 3 6 10 on stack 3: 3+6+0 = 9, now 10 on top",
            "placed A 8 on stack 1: 1+8 = 9, now 8 on top",
            "placed 5 5 on stack 3: 5+5 = 10, now 5 on top",
            "placed 9 on stack 4, now 9 on top",
            "began stack 5 with a nine",
            "could not play and drew; 83 to draw",
        ][-5:]
    )


@pytest.mark.parametrize("game", games.ids())
def test_every_move_of_every_game_is_told_in_words(settings_of_all_games, play_round, game):
    """A sentence in the place of a record's text, made from what everybody may see."""
    if games.load_board(game) is None:
        return
    chance = random.Random(3)
    for _, options, players in [each for each in settings_of_all_games if each[0] == game][::6]:
        played = play_round(game, options, players, chance, longest=15)
        board, rules = games.load_board(game), games.load(game)
        names = ("Ann", "Ben", "Cleo", "Dan")[:players]
        for (seat, move), before, after in zip(played.events, played.states, played.states[1:], strict=False):
            views = rules.view(before, None), rules.view(after, None)
            said = board.describe_move(views[0], seat, rules.read(str(move)), views[1], names)
            assert said.split()[0].isalpha(), said
            assert said != str(move)
