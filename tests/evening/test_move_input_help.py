"""The line that says how a move is entered: at first for everybody, later for a player who hasn't moved yet."""

from __future__ import annotations

import pytest
from PIL import ImageChops

from companion import games
from companion.evening.screens.play.playing import HELP_SECONDS, NUDGE_SECONDS, PlayScreen
from companion.inputs import KeyPressed
from companion.panel.fonts import TEXT
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory

FOUR = ("Ann", "Ben", "Cleo", "Dan")


@pytest.fixture
def table(table_class):
    """`table(game, options, players)` opens a table with buttons or a keypad."""

    def made(game, options, players, *, keypad=False):
        header = RoundHeader(game, tuple(options.items()), FOUR[:players])
        return table_class(SessionSettings((), header, has_keypad=keypad), StoredHistory())

    return made


def help_line(desk) -> str:
    """How the game says that a move is entered."""
    round_ = desk.session.round
    return round_.move_input.input_instructions(round_.game.seat_view(round_.state, None), desk.session.uses_buttons)


def last_line(desk) -> str:
    """The line that the panel shows in place of the last move."""
    return desk.session.screen.content(desk.session).scene.bottom_line


@pytest.mark.parametrize("keypad", [False, True], ids=["buttons", "keypad"])
def test_every_game_says_how_a_move_is_entered(table, settings_of_all_games, keypad):
    """The words are there from the first picture on, with every glyph, for the keys in use."""
    for game, options, players in settings_of_all_games:
        desk = table(game, options, players, keypad=keypad)
        assert last_line(desk) == help_line(desk) != "", game
        assert TEXT.has_glyphs(help_line(desk)), help_line(desk)
        assert ("#" in help_line(desk)) <= keypad, help_line(desk)


def test_it_returns_when_the_draft_is_erased(table):
    """The first key begins a draft as always; when it is erased the line is back at once."""
    desk = table("27", games.manifest_of("27").option_defaults, 2)
    desk.press("right")
    assert last_line(desk) == ""
    desk.press("back")
    assert last_line(desk) == help_line(desk)


def test_the_second_player_sees_it_after_some_seconds(table, settings_of_all_games):
    """First the line shows the other player's move. The rows above the last two pages don't change."""
    desk = table("27", games.manifest_of("27").option_defaults, 2, keypad=True)
    desk.type("11#")
    assert last_line(desk) == ""
    before = desk.picture
    desk.wait(HELP_SECONDS + 1)
    assert last_line(desk) == help_line(desk)
    box = ImageChops.difference(before, desk.picture).getbbox()
    assert box is not None
    assert box[1] >= 48, box


@pytest.mark.parametrize("keypad", [False, True], ids=["buttons", "keypad"])
def test_ok_keeps_the_line(table, settings_of_all_games, keypad):
    """OK pressed once more from habit takes nothing away."""
    for game, options, players in settings_of_all_games:
        desk = table(game, options, players, keypad=keypad)
        desk.press("#")  # From here on the keys in use are known.
        before = desk.picture
        desk.press("#")
        assert last_line(desk) == help_line(desk), game
        assert desk.picture.tobytes() == before.tobytes(), game


def test_how_to_pass_follows_it(table):
    """A player with a hidden hand is reminded of the draw later."""
    desk = table("prime-attactics", games.manifest_of("prime-attactics").option_defaults, 2)
    desk.wait(NUDGE_SECONDS)
    assert desk.session.screen.shows_pass_help
    assert "move?" in last_line(desk)


def test_coral_reef_says_after_a_draw_how_to_pass(table):
    """A hidden hand that has drawn may pass, and the last line says how instead of the last move."""
    desk = table("coral-reef", games.manifest_of("coral-reef").option_defaults, 2, keypad=True)
    without = desk.session.replace_screen(PlayScreen(typed_keys="2"))
    assert without.screen.content(without).scene.claim_instructions == ""
    desk.type("0#")
    scene = desk.session.screen.content(desk.session).scene
    assert (last_line(desk), scene.claim_instructions) == ("", "Can't move? Pass: 0")
    desk.type("0#")
    assert desk.events == ["1: draw", "1: pass"]


def test_a_forced_draw_keeps_its_line(table_class):
    """Where an open hand has to draw, the strip says that instead."""
    header = RoundHeader("coral-reef", (("form", "cards"),), ("Ann", "Ben"), opened=(("deal", 1),))
    desk = table_class(SessionSettings((), header), StoredHistory())
    desk.wait(2)
    for key in "TTTTTTTT".replace("T", "0"):
        desk.press(key)
    desk.press("#")
    desk.take_input(KeyPressed("right", desk.now))
    desk.press("back")
    before = desk.picture
    desk.wait(HELP_SECONDS + 1)
    assert desk.session.round.move_input.must_draw(desk.session.round.state)
    assert last_line(desk) == ""
    assert desk.picture.tobytes() == before.tobytes()


def test_a_player_who_has_moved_sees_the_last_move(table):
    """From a seat's second turn on, the strip shows the last move."""
    desk = table("27", games.manifest_of("27").option_defaults, 2)
    desk.type("11#91#")
    desk.press("right", "back")
    before = desk.picture
    desk.wait(HELP_SECONDS + 1)
    assert not desk.session.screen.shows_help
    assert desk.picture.tobytes() == before.tobytes()


def test_with_a_game_clock_it_appears_once_the_clock_runs(table_class):
    """Until then the line says how to start the clock."""
    header = RoundHeader("27", (), ("Ann", "Ben"), clock="300")
    desk = table_class(SessionSettings((), header, has_keypad=True), StoredHistory())
    assert last_line(desk) == "# starts the clock"
    desk.press("#")
    assert desk.session.game_clock.is_running
    desk.wait(HELP_SECONDS + 1)
    assert last_line(desk) == help_line(desk)
