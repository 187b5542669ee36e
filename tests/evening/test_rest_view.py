"""The rest view: who is to move and the score, large, while nobody presses a key. It covers nothing else."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from companion import display
from companion.display import dispatch
from companion.evening import state_machine
from companion.evening.contents import kinds
from companion.evening.rest_view import IDLE_SECONDS
from companion.evening.screens.base_screen import open_due_screens
from companion.evening.screens.play import round_actions
from companion.evening.screens.play.playing import NUDGE_SECONDS
from companion.inputs import DeviceMissing
from companion.rounds.record import check_record
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory
from companion.table.table_devices import DIMMED_CONTRAST, PanelGroup

RECORDS = Path(__file__).parents[1] / "records"


@pytest.fixture
def shown(monkeypatch):
    """`shown(table)` is the content that the panel draws of a table."""

    def draw(desk):
        found = []
        draw = dispatch.draw_content
        with monkeypatch.context() as patched:
            patched.setattr(
                dispatch, "draw_content", lambda *given, **more: found.append(given[1]) or draw(*given, **more)
            )
            display.session_picture(desk.session)
        return found[0]

    return draw


@pytest.fixture
def table(table_class):
    """`table(game, **header)` is a table where a round has begun."""

    def made(game="27", history=None, **header):
        about = RoundHeader(game, (), ("Ann", "Ben"), **header)
        return table_class(SessionSettings((), about, has_keypad=True), history or StoredHistory())

    return made


def test_it_comes_after_ten_seconds_and_goes_with_the_first_key(table, shown):
    """It shows the name of the player to move and both scores. The key that ends it is the first of a draft."""
    desk = table()
    desk.wait(IDLE_SECONDS - 0.1)
    assert not isinstance(shown(desk), kinds.Rest)
    desk.wait(0.1)
    numbers = tuple(map(str, desk.session.round.result_counts))
    assert shown(desk) == kinds.Rest("Ann", 1, numbers, "", ("Ann", "Ben"))
    desk.press("1")
    assert (desk.session.screen.typed_keys, type(shown(desk))) == ("1", kinds.Drawn)
    desk.wait(60)
    assert isinstance(shown(desk), kinds.Drawn), "an entry is never covered"


def test_it_wakes_the_table_once(table):
    """Once it is shown, nothing more is due because of it."""
    desk = table()
    assert state_machine.next_change_time(desk.session) == IDLE_SECONDS
    desk.wait(IDLE_SECONDS)
    assert state_machine.next_change_time(desk.session) > IDLE_SECONDS


@pytest.mark.parametrize("keys", ["*", "11#", "*#", "#"], ids=["menu", "refusal", "question", "nothing entered"])
def test_it_covers_nothing_else(table, shown, keys):
    """However long nobody presses a key, a menu, a refusal or a question stays."""
    desk = table()
    desk.press("1", "1", "#")
    desk.wait(2)
    desk.type(keys)
    before = type(shown(desk))
    desk.wait(45)
    assert type(shown(desk)) is (kinds.Rest if keys == "#" else before)


def test_a_result_is_not_covered(table_class, shown):
    report = check_record((RECORDS / "27-basic.tcr").read_text(encoding="utf-8"))
    header = RoundHeader("27", tuple(report.header.options.items()), ("Ann", "Ben"))
    desk = table_class(SessionSettings((), header), StoredHistory(rests=True))
    for _, move in report.events:
        desk.session = round_actions.play_event(desk.session, str(move))
    while desk.family == "Notice":
        desk.press("#")
    desk.wait(60)
    assert isinstance(shown(desk), kinds.Result)


def test_a_banner_is_not_covered(table, shown):
    """A missing device is reported until somebody presses a key."""
    desk = table()
    desk.take_input(DeviceMissing("buttons", "Buttons unplugged", desk.now))
    desk.wait(60)
    assert isinstance(shown(desk), kinds.Drawn)


def test_set_to_always_it_follows_every_move(table, shown):
    """It appears at once after a move. A key, even one without an effect, shows the table for some seconds."""
    desk = table(history=StoredHistory(rests=True))
    desk.press("1", "1", "#")
    assert shown(desk).name == "Ben"
    desk.press("#")
    assert isinstance(shown(desk), kinds.Drawn)
    desk.wait(IDLE_SECONDS)
    assert isinstance(shown(desk), kinds.Rest)


def test_an_empty_score_pad_shows_its_keys_instead(table_class, shown):
    """There is nothing to read from afar yet, and somebody may wonder what to type."""
    desk = table_class(history=StoredHistory(rests=True))
    desk.wait(3)
    desk.type("5#2###")
    desk.wait(IDLE_SECONDS)
    assert not shown(desk).at_rest
    desk.type("5#")
    assert shown(desk).at_rest


def test_always_is_chosen_in_the_menu_and_saved(table_class):
    desk = table_class()
    desk.wait(3)
    desk.press("*", "9", "1", "4")
    assert desk.session.switches.rests
    assert [(line.kind, line.text) for line in desk.saved_lines if line.round == 0] == [("rests", "on")]


def test_it_says_how_to_pass(table, shown):
    """In the last line, as on the table, where a sealed hand may be unable to move."""
    desk = table("coral-reef")
    desk.wait(NUDGE_SECONDS)
    assert (
        shown(desk).said
        == desk.session.round.move_input.claim_instructions(desk.session.round.known_state, desk.session.uses_buttons)
        != ""
    )


@pytest.mark.parametrize("clock", ["600+5", ""])
def test_it_shows_the_clock(table, shown, clock):
    """With a game clock both times, with the clock of thinking times its line below what counts."""
    desk = table(clock=clock)
    desk.session = desk.session._replace(switches=desk.session.switches._replace(timing=not clock))
    desk.press("#", "5", "*", "#")
    desk.wait(30)
    assert shown(desk).numbers == (("9:27", "10:00") if clock else ("9", "9"))
    assert shown(desk).said == ("" if clock else "0:34, sum 0:34")


def test_no_game_draws_it(table, monkeypatch):
    """It is made of plain values, so a game without a screen, or with a broken one, has it as well."""
    desk = table("ziggurat")
    monkeypatch.setattr("companion.games.load_screen", lambda game: pytest.fail("the game was asked"))
    desk.wait(IDLE_SECONDS)
    assert desk.picture.getbbox()


def test_a_dimmed_round_stays_readable(table):
    """A dimmed panel keeps some of its light during a round, otherwise hardly any."""
    levels = []
    panel = SimpleNamespace(
        show=lambda image, shift: None, contrast=levels.append, sleep=lambda: None, wake=lambda: None
    )
    displays, desk = PanelGroup([panel], 200), table()
    for session in (desk.session, open_due_screens(desk.session.clear_table())):
        displays.show_session(session._replace(light="dim"))
        displays.show_session(session._replace(light="on"))
    assert levels == [50, 200, DIMMED_CONTRAST, 200]


def test_the_picture_is_shifted_against_burn_in(new_table):
    """By one column at a time, and only when most of the picture changes anyway."""
    table = new_table("27")
    moved = []
    for _ in range(3):
        table.wait(state_machine.PIXEL_SHIFT_SECONDS / 4)
        before = table.session.pixel_shift
        table.press("1", "3")
        assert table.session.pixel_shift == before
        table.press("#")
        moved.append(table.session.pixel_shift)
        table.wait(state_machine.PIXEL_SHIFT_SECONDS * 3 / 4)
        table.press("*", "*")
    assert sorted(moved) == [-1, 0, 1]
