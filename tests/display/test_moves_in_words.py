"""Moves in words, as the big screen and replays show them."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest

from companion import games
from companion.display.replay_pictures import PANELS
from companion.evening.model import Session
from companion.evening.screens.play.playing import PlayScreen
from companion.games.api.move_input import MoveInput
from companion.rounds import public_view, record, replaying
from companion.rounds.stored import StoredHistory
from companion.table import host_answers, public_state

RECORD = """\
companion-record: 1
game: {game}
options: {options}
players: Ann, Ben
{lines}
"""


def moves_in_words(game: str, options: str, *lines: str) -> list[str]:
    """The last moves of a record in words, with plain spaces."""
    report = record.check_record(RECORD.format(game=game, options=options, lines="\n".join(lines)))
    assert report.fault is None, report.fault
    moves = public_view.last_moves(replaying.replay_record(report), [])
    return [each["told"].replace("\N{NO-BREAK SPACE}", " ") for each in moves]


def test_moves_of_27():
    """From where to where, and on the goal how many are there."""
    assert moves_in_words("27", "variant=basic", "1: 1x7", "2: 9x7", "1: 1x1", "2: 8x5") == [
        "moved 7 from 1 to 2",
        "moved 7 from 9 to 8",
        "moved 1 from 1 to 3",
        "moved 5 from 8 to 6",
    ]
    text = (Path(__file__).parent.parent / "records" / "27-advanced.tcr").read_text()
    last = public_view.last_moves(replaying.replay_record(record.check_record(text)), [])[-1]
    assert last["told"] == "moved 3 from 3 to 7, the goal: 10 there; that leaves 6 fields"


def test_moves_of_coral_reef():
    """Corals, stack, sum, and the new top."""
    lines = ("deal 1: A577789K", "deal 2: 3455689T", "1: 2:7K5", "2: 3:36T", "1: 1:A8", "2: 3:55", "1: 4:9", "2: seed")
    assert (
        moves_in_words("coral-reef", "form=cards", *lines, "1: draw 2")[1:]
        == [
            "laid 3 6 10 on stack 3: 3 + 6 + 0 = 9, now 10 on top",
            "laid A 8 on stack 1: 1 + 8 = 9, now 8 on top",
            "laid 5 5 on stack 3: 5 + 5 = 10, now 5 on top",
            "laid 9 on stack 4, now 9 on top",
            "started stack 5 with a nine",
            "could not play and drew; 83 left in the deck",
        ][-5:]
    )


def test_moves_of_prime_attactics():
    """A refill is told together with the play before it; signs are those on the tiles."""
    deals = ("deal 1: +3 -2 D- D- x4", "rack 1: /3 /4 /5", "deal 2: D+ -5 x3 x4 Dx", "rack 2: /2 /3 /5")
    plays = ("1: -2", "1: refill -5", "2: @x4", "2: refill +5", "1: /4")
    assert moves_in_words("prime-attactics", "level=easy start=13", *deals, *plays) == [
        "played −2: 13 − 2 = 11, drew −5",
        "played ×4 on Ann's score: 11 × 4 = 44, drew +5",
        "played ÷4: 44 ÷ 4 = 11",
    ]


@pytest.mark.parametrize("game", games.built_in_game_ids())
def test_every_move_of_every_game_has_words(settings_of_all_games, play_round, game):
    """A sentence in place of a record's text, made from what everybody may see."""
    chance = random.Random(3)
    for _, options, players in [each for each in settings_of_all_games if each[0] == game][::6]:
        played = play_round(game, options, players, chance, longest=15)
        entry, rules = games.load_move_input(game), games.load_rules(game)
        names = ("Ann", "Ben", "Cleo", "Dan")[:players]
        for (seat, move), before in zip(played.events, played.states, strict=False):
            said = entry.move_texts(rules.seat_view(before, None), seat, rules.parse_move(str(move)), names).sentence
            assert said.split()[0].isalpha(), said
            assert said != str(move)


def test_only_built_in_games_raise_in_a_board(monkeypatch):
    """A bug in a board is never silent: a built-in game raises, an added game's is a sentence on the big screen."""

    def fails(*words):
        raise KeyError("draw")

    report = record.check_record(RECORD.format(game="27", options="variant=basic", lines="1: 1x7\n2: 9x7"))
    round_ = replaying.replay_record(report)
    session = Session((PlayScreen(),), StoredHistory(), round=round_)
    whole = public_state.public_state(session)
    monkeypatch.setattr(games.load_board("27"), "draw_scene", fails)
    for show in (lambda: public_state.public_state(session), lambda: host_answers.round_position(round_, 2, PANELS)):
        with pytest.raises(KeyError, match="draw"):
            show()
    monkeypatch.setattr(games, "is_added_game", lambda game: True)
    said = "27 failed: a program error."
    assert (public_state.public_state(session)["notice"], host_answers.round_position(round_, 2, PANELS)["fault"]) == (
        [said],
        said,
    )
    told = public_state.public_state(session)
    assert (told["board"] == whole["board"], told["moves"] == whole["moves"]) == (False, True)
    assert [each["text"] for each in told["moves"]] == ["1x7", "9x7"]


def test_a_game_without_words_says_who_moves_again(monkeypatch):
    """The words that every game inherits are the move's text; a draw isn't a turn of its own."""
    report = record.check_record(RECORD.format(game="27", options="variant=basic", lines="1: 1x7\n2: 9x7"))
    round_ = replaying.replay_record(report)
    monkeypatch.setattr(games.load_move_input("27"), "move_texts", partial(MoveInput.move_texts, None))
    assert [each["told"] for each in public_view.last_moves(round_, [])] == ["1x7", "9x7"]
    monkeypatch.setattr(games.load_rules("27"), "seat_to_move", lambda state: 1)
    assert [each["told"] for each in public_view.last_moves(round_, [])] == ["1x7, moves again", "9x7"]
    assert MoveInput.move_texts(None, None, 1, "draw 3", moves_again=True).sentence == "draw 3"
