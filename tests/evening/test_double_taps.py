"""A double tap destroys nothing: results and messages are seen before a press counts, and empty rounds aren't saved."""

from __future__ import annotations

import queue
import random

import hypothesis
import pytest
from examples import example_count
from game_support import support_of_game
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import display
from companion.evening import state_machine
from companion.evening.double_taps import DOUBLE_TAP_GUARD_SECONDS
from companion.evening.screens.lists import PageScreen
from companion.evening.screens.messages import Notice
from companion.evening.screens.pad.pad_play import PadOver
from companion.evening.screens.pages import FalseClaimsPage
from companion.evening.screens.play import round_actions
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.screens.play.round_over import MatchScore, RoundOver
from companion.inputs import BUTTON_KEYS, KEYPAD_KEYS, TAKE_BACK_KEY, KeyPressed, StopRequested
from companion.panel.canvas import Canvas
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory
from companion.store.store import Store
from companion.table.loop import TableLoop

RESULT_SCREENS = (RoundOver, MatchScore, PadOver)
KEYS = (*KEYPAD_KEYS, *BUTTON_KEYS, TAKE_BACK_KEY, *"####**")


@pytest.fixture(scope="session")
def nearly_over(table_class, play_round, typed_keys):
    """Makes tables before the last event of a random round with sealed holdings, and gives the keys of that event."""

    def made(chance, game="27", options=None, goal=0, players=2):
        options = options or {"variant": "basic"}
        names = ("Ann", "Ben", "Cleo", "Dan")[:players]
        for _ in range(20):
            played = play_round(game, options, players, chance, share=support_of_game(game).PLANNED_OPEN_SHARE)
            if played.rules.seat_to_move(played.states[-1]) is None:
                break
        else:
            hypothesis.reject()
        table = table_class(
            SessionSettings((), RoundHeader(game, tuple(options.items()), names, goal)), StoredHistory()
        )
        table.press("1", "*")
        for _, event in played.events[:-1]:
            table.session = round_actions.play_event(table.session, str(event))
        table.session = table.session.show_base_screen()._replace(taps=table.session.taps._replace(erased_at=-10.0))
        table.carry_out()
        return table, typed_keys(game, played.states[-2], str(played.events[-1][1]))

    return made


def shows_wait(table) -> bool:
    return table.session.taps.wait_until > 0


def test_a_result_takes_no_key_at_first(nearly_over):
    """The second tap of the OK that ended the round is ignored, and the panel says so; later OK goes on."""
    for key in (*KEYPAD_KEYS, *BUTTON_KEYS, TAKE_BACK_KEY):
        table, keys = nearly_over(random.Random(1))
        table.press(*keys, apart=0.3)
        assert isinstance(table.session.screen, RoundOver)
        silent = table.picture.tobytes()
        table.press(key, apart=0.2)
        assert (type(table.session.screen), shows_wait(table)) == (RoundOver, True)
        assert table.picture.tobytes() != silent
        table.wait(1)
        assert not shows_wait(table)
    table.press("#")
    assert (type(table.session.screen), table.session.round.events) == (PlayScreen, ())


def test_another_key_counts_right_after_a_menu_over_a_result(nearly_over):
    """The players have seen the result already, so only a second tap of the key that led back is ignored."""
    for key in ("#", "*"):
        table, keys = nearly_over(random.Random(1))
        table.press(*keys)
        table.press("*")
        assert table.family != "RoundOver"
        table.press("*")
        assert table.family == "RoundOver"
        table.press(key, apart=0.2)
        ignored = key == "*"
        assert (table.family == "RoundOver", shows_wait(table)) == (ignored, ignored)


def test_presses_made_before_the_picture_are_too_early(nearly_over):
    """In a burst of presses the guard starts with the result's picture, however long ago the last move was."""
    table, keys = nearly_over(random.Random(2))
    table.press(*keys, *"####", apart=0.4, burst=True)
    assert isinstance(table.session.screen, RoundOver)
    early = table.now + DOUBLE_TAP_GUARD_SECONDS - 0.01
    table.take_input(KeyPressed("#", early))
    assert (type(table.session.screen), shows_wait(table)) == (RoundOver, True)
    table.take_input(KeyPressed("#", early + 0.02))
    assert isinstance(table.session.screen, PlayScreen)


def test_the_loop_reports_when_the_picture_was_sent(nearly_over, tmp_path):
    """Presses that wait on the queue while the picture is sent don't skip the result."""
    table, keys = nearly_over(random.Random(3))
    now = 1000.0

    class Slow:
        def show(self, image, shift=0):
            nonlocal now
            now += 0.5

        def contrast(self, level):
            pass

        sleep = wake = lambda self: None

    inputs = queue.Queue()
    for index, key in enumerate((*keys, "#")):
        inputs.put(KeyPressed(key, now + 0.2 * index))
    inputs.put(StopRequested("interrupt", now + 9))
    store = Store(tmp_path)
    store.write_entries(table.saved_lines)
    loop = TableLoop(table.session._replace(now=now), store, [Slow()], inputs, clock=lambda: now)
    loop.run()
    assert loop.session.round.is_over
    store.close()


def test_the_first_key_after_a_pause_sends_the_whole_picture(new_table, tmp_path):
    """A panel that has silently lost its memory is right again after that; other keys cost no more than before."""
    table, order, now = new_table("27"), [], 1000.0

    class Panel:
        def show(self, image, shift=0):
            order.append("picture")

        contrast = lambda self, level: None  # noqa: E731
        sleep = wake = lambda self: None

    inputs = queue.Queue()
    store = Store(tmp_path)
    first = table.session._replace(now=now)
    loop = TableLoop(first, store, [Panel()], inputs, clock=lambda: now, resend_picture=lambda: order.append("whole"))
    for pause in (9.0, 9.9, 10.0, 1.0, 60.0):
        now += pause
        inputs.put(KeyPressed("1", now))
        loop.take_input(loop.next_input())
        loop.paint()
    assert order == ["picture", "picture", "picture", "whole", "picture", "picture", "whole"]
    store.close()


def test_a_message_takes_no_ok_at_first(new_table):
    """The second tap doesn't close the message about a skipped turn. Another key counts for the next move at once."""
    for key, follows in (("#", Notice), ("*", PlayScreen), ("1", PlayScreen)):
        table = new_table("27")
        notice = Notice("skip", "Ann", ("has no move:", "skipped"), "Ben is to move")
        table.session = table.session.open_screens(notice)._replace(taps=table.session.taps._replace(shown_at=None))
        table.press(key, burst=True)
        assert (type(table.session.screen), shows_wait(table)) == (follows, follows is Notice)
    table = new_table("27")
    table.session = table.session.open_screens(notice)._replace(taps=table.session.taps._replace(shown_at=table.now))
    table.press("#")
    assert isinstance(table.session.screen, PlayScreen)


def test_a_refusal_takes_no_ok_at_first(new_table):
    """After a double tap on a forbidden move the reason is on the panel, and the draft below it."""
    table = new_table("27")
    table.wait(3)
    table.type("9")
    table.press("#")
    table.press("#", apart=0.15)
    assert table.family == "Refusing"
    assert table.session.taps.wait_until
    table.press("*", apart=1)
    assert table.session.screen.typed_keys == "9"


@pytest.mark.parametrize(("apart", "counts"), [(0.15, False), (0.35, False), (0.45, True), (0.65, True)])
def test_an_ok_counts_once_a_person_could_have_reacted(new_table, nearly_over, apart, counts):
    """An OK that can answer a new picture is never ignored, an earlier one always is."""
    over, keys = nearly_over(random.Random(1))
    over.press(*keys)
    refused = new_table("27")
    refused.wait(3)
    refused.type("99#")
    skipped = new_table("27")
    notice = Notice("skip", "Ann", ("has no move:", "skipped"), "Ben is to move")
    taps = skipped.session.taps._replace(shown_at=skipped.now)
    skipped.session = skipped.session.open_screens(notice)._replace(taps=taps)
    assert (over.family, refused.family) == ("RoundOver", "Refusing")
    for table in (over, refused, skipped):
        table.press("#", apart=apart)
        assert (table.family == "Playing", shows_wait(table)) == (counts, not counts)


def test_a_refusal_names_its_key_from_the_start(new_table):
    """The last line is there at once, so that nobody waits for it; a key that comes too early is told to wait."""
    table = new_table("27")
    table.wait(3)
    table.type("99#")
    assert table.family == "Refusing"
    early = display.session_picture(table.session)
    assert early.crop((0, 52, 128, 64)).getbbox() is not None
    table.wait(DOUBLE_TAP_GUARD_SECONDS + 0.01)
    assert display.session_picture(table.session).tobytes() == early.tobytes()
    table.press("#", apart=0.0)
    assert table.family == "Playing"


def test_a_back_too_soon_after_erasing_shows_wait(new_table):
    """BACK within 0.6 seconds after erasing opens no menu: in play, in a deal and on the score pad."""
    for table in (new_table("27"), new_table("coral-reef", opened=(("deal", 1),))):
        table.press("1")
        table.press("*", "*", apart=0.3)
        assert (table.family != "Menu", shows_wait(table)) == (True, True)
        table.press("*")
        assert (table.family, shows_wait(table)) == ("Menu", False)


def test_an_empty_round_leads_back_to_the_result(nearly_over):
    """A takeback before the first event leads to the result before, and nothing of the new round is saved."""
    for goal in (0, 2):
        table, keys = nearly_over(random.Random(4), goal=goal)
        table.press(*keys)
        over = table.session.round
        table.press(*["#"] * (2 if goal else 1))
        assert (table.family, table.session.round.header.number) == ("Playing", 2)
        table.press("*", "#")
        assert (table.family, table.session.round) == ("RoundOver", over)
        assert [line.kind for line in table.saved_lines].count("begin") == 1
        # Also after a move that was taken back.
        table.press(*["#"] * (2 if goal else 1), "1", "1", "#", "*", "#", "#")
        assert (table.session.round.id, table.session.round.is_empty) == (over.id + 1, True)
        assert table.saved_lines[-1].kind == "drop"
        table.press("*", "#")
        assert (table.family, table.session.round) == ("RoundOver", over)
        assert len(table.session.history.new_rounds) == 1


def test_an_empty_round_is_not_saved(nearly_over, tmp_path):
    """Neither its beginning nor what was taken back in it is in the store, even if the plug is pulled."""
    table, keys = nearly_over(random.Random(5), goal=2)
    table.press(*keys, "#", "#")
    store = Store(tmp_path)
    store.write_entries(table.saved_lines)
    assert (store.round_numbers(), store.load_history().unfinished_round, store.load_history().open_match_round.id) == (
        [1],
        None,
        1,
    )
    so_far = len(table.saved_lines)
    table.press("1", "1", "#")
    store.write_entries(table.saved_lines[so_far:])
    assert store.round_numbers() == [1, 2]
    so_far = len(table.saved_lines)
    table.press("*", "#", "#")
    store.write_entries(table.saved_lines[so_far:])
    assert (store.round_numbers(), store.load_history().unfinished_round, store.load_history().open_match_round.id) == (
        [1],
        None,
        1,
    )
    so_far = len(table.saved_lines)
    table.press("1", "1", "#")
    store.write_entries(table.saved_lines[so_far:])
    assert store.load_history().unfinished_round.events == ((1, "1x1"),)
    store.close()


def test_an_empty_pad_leads_back_to_the_result(new_table):
    """The same on the score pad, whose empty sheet isn't saved either."""
    table = new_table()
    table.press("5", "1", "2", "1", "1", "#")
    table.press(*"5#")
    table.choose("End the game")
    table.press("#")
    table.press("#", apart=0.2)
    assert (table.family, shows_wait(table)) == ("PadOver", True)
    table.press("#")
    assert (table.family, table.session.pad.id) == ("Scoring", 2)
    table.press("*", "1")
    assert (table.family, table.session.pad.id) == ("PadOver", 1)
    assert {line.round for line in table.saved_lines} == {1}


def rounds_with_result(table) -> set[int]:
    """The rounds that have a result, by the saved entries."""
    found: set[int] = set()
    for line in table.saved_lines:
        if line.kind == "result":
            found.add(line.round)
        elif line.kind in ("back", "drop"):
            found.discard(line.round)
    return found


def tap_twice(table, key, chance) -> None:
    """Tap a key twice. The second tap neither takes a result back nor skips one that has just come."""
    before = table.session.screen
    burst = chance.random() < 0.3
    table.press(key, apart=chance.choice((0.9, 2.5)), burst=burst)
    if burst:
        table.session = table.session._replace(taps=table.session.taps._replace(shown_at=None))
    there, moment = rounds_with_result(table), table.session.screen
    table.press(key, apart=0.15)
    assert there <= rounds_with_result(table)
    come = moment is not before and (
        isinstance(moment, RESULT_SCREENS) or (key == "#" and isinstance(moment, Notice | PageScreen))
    )
    if come and (not isinstance(moment, PageScreen) or isinstance(moment, FalseClaimsPage)):
        assert table.session.screen == moment
        assert shows_wait(table)


@pytest.mark.parametrize("game", ["27", "coral-reef", "prime-attactics", "ziggurat", "pad"])
@settings(max_examples=example_count(30), suppress_health_check=[hypothesis.HealthCheck.too_slow])
@given(st.lists(st.sampled_from(KEYS), min_size=20, max_size=60), st.integers(0, 2**32))
def test_no_double_tap_loses_a_result(settings_of_all_games, random_table, nearly_over, game, keys, seed):
    """From a game's last move on, no double tap of any key skips a result unseen or takes it back."""
    chance = random.Random(seed)
    if game == "pad":
        table = random_table()
        table.press("5", "1", "2", "1", "2", "2", "#", "#")
        last = [*"25#"]
    else:
        _, options, players = chance.choice([each for each in settings_of_all_games if each[0] == game])
        table, last = nearly_over(chance, game, options, chance.choice((0, 2)), players)
    for key in last[:-1]:
        table.press(key)
    for key in (last[-1], *keys):
        tap_twice(table, key, chance)


def test_a_screen_remembers_when_it_was_first_shown():
    session = state_machine.start_session(SessionSettings(), StoredHistory())
    assert state_machine.mark_shown(session, 5.0) == session
    assert (
        state_machine.mark_shown(session._replace(taps=session.taps._replace(shown_at=None)), 5.0).taps.shown_at == 5.0
    )


def test_the_last_points_of_counted_turns_wait_for_ok(new_table):
    """They wait however long, and a second OK right after the first one begins no new game."""
    table = new_table()
    table.press("5", "1", "2", "1", "3")  # A fixed number of turns for each player.
    while table.family != "Scoring":
        table.press("1" if table.family == "Figure" and not table.session.screen.typed_digits else "#")
    assert table.session.pad.pad.turn_limit == 1
    table.press("7", "#", "8")
    table.wait(25)
    assert table.family == "Scoring"
    table.press("#")
    assert table.family == "PadOver"
    table.press("#", apart=0.3)
    assert (table.family, shows_wait(table)) == ("PadOver", True)
    table.press("#", apart=2.1)
    assert table.family == "Scoring"


@pytest.mark.parametrize("key", [*"0123456789ABCD"])
@pytest.mark.parametrize("is_begun", [False, True])
def test_a_key_that_cancels_a_takeback_is_reported(new_table, monkeypatch, key, is_begun):
    """Any other key means no. The panel says that nothing has changed, and the key is no part of a draft."""
    written = []
    text = Canvas.text
    monkeypatch.setattr(
        Canvas, "text", lambda c, x, y, s, *more, **how: written.append(s) or text(c, x, y, s, *more, **how)
    )
    for events, game, first_key in (("1:1x1", "27", "9"), ("1:draw", "coral-reef", "2")):
        begun = first_key if is_begun else ""
        table = new_table(game)
        table.wait(3)
        table.session = round_actions.play_event(table.session, events.partition(":")[2])
        table.press(*begun, TAKE_BACK_KEY)
        assert table.family == "Ask"
        table.press(key)
        assert (table.family, table.session.screen.typed_keys, len(table.events)) == ("Playing", begun, 1)
        written.clear()
        assert table.picture
        assert "nothing has changed" in " ".join(written)
        table.press("1")
        assert table.session.screen.typed_keys == f"{begun}1"


@pytest.mark.parametrize("arrow", ["up", "down", "left", "right"])
def test_an_arrow_answers_no_question(new_table, arrow):
    """No key hint names arrows, so they leave the question as it is; OK and BACK still answer it."""
    table = new_table("27")
    table.wait(3)
    table.session = round_actions.play_event(table.session, "1x1")
    table.press(TAKE_BACK_KEY)
    asked = table.session.screen
    table.press(arrow)
    assert table.session.screen is asked
    table.press("*")
    assert (table.family, len(table.events)) == ("Playing", 1)


@pytest.mark.parametrize("apart", [0.21, 0.4, 0.7, 0.95])
def test_waking_the_panel_ignores_presses_for_one_second(new_table, apart):
    """The first press a second after the one that lit the panel counts, however regularly somebody taps."""
    table = new_table("27")
    table.wait(400)
    assert table.session.light == "off"
    table.press("1", apart=0.0)
    taps = 0
    while not table.session.screen.typed_keys:
        table.press("2", apart=apart)
        taps += 1
        assert taps < 10
    assert (taps - 1) * apart < 1.0 <= taps * apart + 0.001
