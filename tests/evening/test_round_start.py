"""The page at the start of a round: who starts, the goal, and one example of keys. It costs no press."""

from __future__ import annotations

import pytest

from companion import games
from companion.evening import countdown
from companion.evening.rest_view import IDLE_SECONDS
from companion.evening.screens.base_screen import open_due_screens
from companion.evening.screens.play import round_actions
from companion.rounds.stored import RoundHeader

GAMES = tuple(games.built_in_game_ids())[:4]


@pytest.fixture
def begun(new_table):
    """Makes tables at the start of a round that was chosen in the menu."""

    def made(game="27", *, buttons=False, **more):
        table = new_table()
        table.wait(3)
        table.session = table.session._replace(uses_buttons=buttons)
        options = tuple(games.manifest_of(game).option_defaults.items())
        header = RoundHeader(game, options, ("Ann", "Ben"), **more)
        table.session = countdown.with_clock_of_round(
            open_due_screens(round_actions.begin_round(table.session, header))
        )
        return table

    return made


def start_page(table):
    """What the start page says, () once it is gone."""
    return table.session.screen.content(table.session).scene.start_page


@pytest.mark.parametrize("buttons", [False, True], ids=["keypad", "buttons"])
@pytest.mark.parametrize("game", GAMES)
def test_it_says_the_goal_and_an_example_that_is_right(begun, golden, game, buttons):
    """With a keypad the example's keys, pressed now, are a complete draft that the rules accept."""
    table = begun(game, buttons=buttons)
    goal, example = start_page(table)
    assert goal == games.manifest_of(game).aim
    golden(table.picture, f"start-{game}-{'buttons' if buttons else 'keypad'}")
    if buttons:
        assert "#" not in example
        return
    keys, _, _ = str(example).replace("\N{NO-BREAK SPACE}", " ").partition("#")
    table.press(*keys.split())
    draft = table.session.screen.draft(table.session.round)
    assert draft is not None
    assert draft.verdict == "ok", example


@pytest.mark.parametrize("ok", ["#", "ok"])
def test_ok_leads_to_the_table_and_back_to_the_rules(begun, ok):
    table = begun(buttons=ok == "ok")
    table.press("*")
    assert table.family == "Page"
    table.press("*")
    assert start_page(table)
    table.wait(1)
    table.press(ok)
    assert (table.family, start_page(table)) == ("Playing", ())
    table.press("*")
    assert table.family == "Menu"


@pytest.mark.parametrize("key", ["1", "right"])
def test_any_other_key_is_the_first_of_a_move(begun, key):
    """Players who know the game press nothing more than before."""
    table = begun()
    table.press(key)
    assert not start_page(table)
    assert table.session.screen.draft(table.session.round) is not None
    table.press("*")
    assert not start_page(table), "it does not come back when the draft is erased"


def test_it_stays_however_long_the_players_deal(begun):
    """The rest view doesn't cover it."""
    table = begun()
    before = table.picture.tobytes()
    table.wait(2 * IDLE_SECONDS)
    assert table.picture.tobytes() == before


def test_the_same_players_next_round_begins_at_the_table(begun):
    """They know the goal by now; others may not."""
    table = begun()
    session = table.session._replace(previous_round=table.session.round)
    for names, has_page in ((("Ben", "Ann"), False), (("Cleo", "Ann"), True)):
        header = table.session.round.header._replace(names=names)
        table.session = open_due_screens(round_actions.begin_round(session, header))
        assert bool(start_page(table)) is has_page


def test_ok_starts_the_clock_at_once(begun):
    table = begun(clock="600+5")
    table.wait(1)
    assert countdown.is_game_clock_stopped(table.session)
    table.press("#")
    assert not countdown.is_game_clock_stopped(table.session)
