"""A phone's own board: every move can be put together with a few taps."""

from __future__ import annotations

import random
import re

import pytest
from examples import example_count
from hypothesis import given, settings
from hypothesis import strategies as st
from tapping import keys_of_move, taps_to_keys

from companion import games
from companion.games.api.board import BoardScene
from companion.table.phone_view import judge_draft
from companion.web.app import render_template

MAX_TAPS = {"27": 2, "coral-reef": 99, "prime-attactics": 3, "ziggurat": 4}
"""Game → the most taps on the board that a move takes, without the button that plays it; each coral is a tap."""


def settings_by_openness(game: str):
    """The settings of a game with all hands open, and with all sealed."""
    return [True, False] if games.manifest_of(game).holdings else [False]


@pytest.mark.parametrize(("game", "opened"), [(game, each) for game in MAX_TAPS for each in settings_by_openness(game)])
@settings(max_examples=example_count(6))
@given(seed=st.integers(0, 2**32))
def test_every_move_can_be_tapped(settings_of_all_games, play_round, typed_keys, game, opened, seed):
    """27 takes three taps at most and Ziggurat five, with the button that plays."""
    chance = random.Random(seed)
    _, options, players = chance.choice([each for each in settings_of_all_games if each[0] == game])
    played = play_round(game, options, players, chance, share=float(opened))
    board, rules, names = games.load_board(game), games.load_rules(game), ("Ann", "Ben", "Cleo", "Dan")[:players]
    for index, (seat, move) in enumerate(played.events):
        state = played.states[index]
        if played.move_input.due_refill(state) is not None:
            continue
        view, keys = rules.seat_view(state, seat), keys_of_move(typed_keys, game, state, move)

        def shown(entered, view=view, index=index, seat=seat):
            return board.draw_scene(
                BoardScene(view, names, played.events[:index], seat, entered, is_to_move=True)
            ).all_taps

        taps = taps_to_keys(lambda entered: [(tap.keys, tap.words) for tap in shown(entered)], keys)
        assert len(taps) <= MAX_TAPS[game], (str(move), taps)


@pytest.mark.parametrize("game", list(MAX_TAPS))
def test_a_board_of_a_waiting_player_has_no_taps(settings_of_all_games, play_round, game):
    """Neither the big screen's drawing nor that of a waiting player has any taps."""
    _, options, players = next(each for each in settings_of_all_games if each[0] == game)
    played = play_round(game, options, players, random.Random(3))
    board, rules, names = games.load_board(game), games.load_rules(game), ("Ann", "Ben", "Cleo", "Dan")[:players]
    for state in played.states[:6]:
        assert not board.draw_scene(BoardScene(rules.seat_view(state, None), names)).all_taps
        for seat in range(1, players + 1):
            assert not board.draw_scene(BoardScene(rules.seat_view(state, seat), names, seat=seat)).all_taps


def test_a_failing_board_leaves_the_keypads_buttons(new_table, monkeypatch):
    """The public snapshot reports the failure, and the player can go on with the keypad's keys."""
    table = new_table("27")
    table.wait(3)
    monkeypatch.setattr(type(games.load_board("27")), "draw_scene", lambda board, seen: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        judge_draft(table.session, 1, "1")
    monkeypatch.setattr(games, "is_added_game", lambda game: True)
    draft = judge_draft(table.session, 1, "1")
    assert draft["board"] is None
    assert draft["next"]


def test_the_page_frames_only_what_the_drawing_does_not(new_table):
    """27 draws its own frames; in Ziggurat the squares where a domino may lie are framed by the page."""
    stacks = judge_draft(new_table("27").session, 1, "")["board"]
    page = render_template("own_board.html", board=stacks, seat={"turn": True})
    assert page.count("fits drawn") == 1
    assert 'class="halo"' not in page.partition('class="taps"')[2]
    squares = judge_draft(new_table("ziggurat").session, 1, "01")["board"]
    page = render_template("own_board.html", board=squares, seat={"turn": True})
    assert 'class="tap fits"' in page
    assert 'class="halo"' in page


@pytest.mark.parametrize("stack", [1, 2, 3, 4])
@pytest.mark.parametrize("corals", ["2", "12", "111111"])
def test_half_placed_corals_are_drawn_below_their_stack(new_table, stack, corals):
    """They were once drawn below stack 1, whichever was tapped; a long row stays within the drawing."""
    drawn = judge_draft(new_table("coral-reef").session, 1, f"{stack}{corals}")["board"]
    row = re.findall(r'class="ghost" x="([\d.]+)" y="184" width="([\d.]+)"', drawn["svg"])
    assert len(row) == len(corals)
    left, row_wide = float(row[0][0]), float(row[-1][0]) + float(row[-1][1]) - float(row[0][0])
    tap = next(tap for tap in drawn["taps"] if tap["chosen"])
    x, _, wide, _ = tap["place"]
    assert left == pytest.approx(min(max(10, x + (wide - row_wide) / 2), 590 - row_wide), abs=0.1)
