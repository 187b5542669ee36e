"""At rest a table with six buttons says after some seconds what the arrows do; nothing else on the panel changes."""

from __future__ import annotations

import pytest
from PIL import ImageChops

from companion import games
from companion.inputs import Pressed
from companion.moments.play.playing import ARROWS_SECONDS, NUDGE_SECONDS
from companion.panel.fonts import TEXT
from companion.rounds.stored import RoundHeader, Settings, StoredHistory

FOUR = ("Ann", "Ben", "Cleo", "Dan")


@pytest.fixture
def table(desk_class):
    """`table(game, options, players)` opens a table with buttons or a keypad."""

    def made(game, options, players, *, keypad=False):
        header = RoundHeader(game, tuple(options.items()), FOUR[:players])
        desk = desk_class(Settings((), header, keypad=keypad), StoredHistory())
        desk.wait(ARROWS_SECONDS - 1)
        return desk

    return made


def told(desk) -> str:
    """What the game says of its arrows."""
    round_ = desk.session.round
    return round_.entry.arrows(round_.game.view(round_.state, None))


def test_every_game_says_what_its_arrows_do(table, settings_of_all_games):
    """The words stand on the last two pages, with every glyph; what stands above does not change."""
    for game, options, players in settings_of_all_games:
        desk = table(game, options, players)
        before = desk.picture
        desk.wait(1)
        assert desk.session.mode.arrows
        assert TEXT.has(told(desk)), told(desk)
        box = ImageChops.difference(before, desk.picture).getbbox()
        assert box is not None, game
        assert box[1] >= 48, (game, box)


def test_a_keypad_is_told_of_no_arrows(table, settings_of_all_games):
    """The same seconds change nothing, and nothing is due before the keypad's own reminder."""
    for game, options, players in settings_of_all_games:
        desk = table(game, options, players, keypad=True)
        before = desk.picture
        desk.wait(NUDGE_SECONDS - ARROWS_SECONDS)
        assert not desk.session.mode.arrows
        assert desk.picture.tobytes() == before.tobytes(), game


def test_a_press_ends_it_and_it_comes_again(table):
    """The first arrow begins an entry as ever; erased, the line comes back after as many seconds."""
    desk = table("27", games.manifest("27").defaults, 2)
    desk.wait(2)
    assert desk.session.mode.arrows
    desk.press("right")
    assert desk.session.mode.pick is not None
    desk.press("back")
    assert not desk.session.mode.arrows
    desk.wait(ARROWS_SECONDS + 1)
    assert desk.session.mode.arrows


def test_how_to_pass_is_told_after_it(table):
    """Who hides a hand is reminded of the draw later, as with a keypad."""
    desk = table("coral-reef", games.manifest("coral-reef").defaults, 2)
    desk.wait(NUDGE_SECONDS)
    assert desk.session.mode.nudge


def test_a_forced_draw_keeps_its_line(desk_class):
    """Where an open hand has to draw, that is what the strip says."""
    header = RoundHeader("coral-reef", (("form", "cards"),), ("Ann", "Ben"), opened=(("deal", 1),))
    desk = desk_class(Settings((), header), StoredHistory())
    desk.wait(2)
    for key in "TTTTTTTT".replace("T", "0"):
        desk.press(key)
    desk.press("#")
    desk.give(Pressed("right", desk.now))
    desk.press("back")
    before = desk.picture
    desk.wait(ARROWS_SECONDS + 1)
    assert desk.session.round.entry.forced(desk.session.round.state)
    assert desk.picture.tobytes() == before.tobytes()


def test_who_has_moved_sees_the_last_move(table):
    """From the second turn of a seat on the strip keeps the last move."""
    desk = table("27", games.manifest("27").defaults, 2)
    desk.type("11#91#")
    desk.press("right", "back")
    before = desk.picture
    desk.wait(ARROWS_SECONDS + 1)
    assert not desk.session.mode.arrows
    assert desk.picture.tobytes() == before.tobytes()
