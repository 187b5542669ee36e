"""The game clock: whose time runs, what a move adds, pause, warning, time over, and what is left after a power cut."""

from __future__ import annotations

import random

import pytest
from examples import example_count
from hypothesis import given, settings
from hypothesis import strategies as st
from list_screens import digit_of_line, index_of_line, list_lines, list_title

from companion import display
from companion.evening import countdown, state_machine
from companion.evening.screens.play import round_actions
from companion.evening.screens.play.round_over import MatchScore
from companion.evening.screens.setup import questions
from companion.inputs import KeyPressed, Tick
from companion.panel import fonts
from companion.rounds import game_clock, standings
from companion.rounds.game_clock import TimeControl
from companion.rounds.on_table import replay_round
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory
from companion.store.store import Store

NAMES = ("Ann", "Ben")


@pytest.fixture
def clocked(table_class):
    """Makes tables at the first turn of a round with a game clock, by default a round of 27."""
    return lambda control, game="27": at_first_turn(table_class, control, game)


def at_first_turn(table_class, control: str, game: str = "27"):
    from companion import games

    options = tuple(games.manifest_of(game).option_defaults.items())
    table = table_class(SessionSettings(NAMES, RoundHeader(game, options, NAMES, clock=control)), StoredHistory())
    table.press("9", "*")
    return table


def times_left(table) -> tuple[float, ...]:
    return table.session.game_clock.seconds_left


@pytest.mark.parametrize("text", ["600", "600+5", "600d5", "300 600+3"])
def test_a_written_setting_parses_to_the_same(text):
    """For one time for all seats and for a time for each."""
    seats = 2
    assert " ".join(dict.fromkeys(map(str, game_clock.parse_controls(text, seats)))) == text


@pytest.mark.parametrize("text", ["", "x", "0", "600+", "600-5", "600 x"])
def test_an_invalid_setting_is_no_clock(text):
    assert game_clock.parse_controls(text, 2) == ()


def test_it_is_stopped_until_ok_and_then_runs_for_the_player_to_move(clocked):
    """A round begins with a stopped clock. OK with an empty draft starts it, and only Ann's time runs."""
    table = clocked("600")
    table.wait(50)
    assert times_left(table) == (600, 600)
    table.press("#", apart=1.0)
    table.wait(20)
    table.press("1", "1", "#", apart=1.0)
    table.wait(30)
    table.press("9", apart=0.0)
    assert times_left(table) == pytest.approx((577, 570))


def test_a_double_tap_at_the_start_does_not_start_it(clocked):
    """The OK that begins the round, or closes a page before it, doesn't start the clock."""
    table = clocked("600")
    table.session = table.session.open_screens(MatchScore())._replace(
        taps=table.session.taps._replace(last_key=""), round=won_match(table.session.round)
    )
    table.press("#")
    assert table.family == "Playing"
    table.press("#", apart=0.2)
    table.wait(20)
    assert times_left(table) == (600, 600)
    table.press("#")
    table.wait(20)
    assert times_left(table) == (580, 600)


def won_match(round_):
    """The round as the last one of a match that Ann has won."""
    return round_._replace(header=round_.header._replace(goal=1, wins=(("Ann", 1),)))


def test_it_runs_in_menus_and_while_the_panel_is_dark(clocked):
    table = clocked("3600")
    table.press("#")
    table.press("*", apart=1.0)
    table.wait(1000)
    assert table.session.light == "off"
    table.press("5", apart=0.0)
    assert times_left(table)[0] == pytest.approx(3600 - 1001)


def test_a_move_adds_its_increment_and_a_delay_costs_nothing(clocked):
    """An increment is added when the turn has ended; a delay is free at the start of each turn."""
    adds = clocked("600+5")
    adds.press("#", "1", "1", "#", apart=1.0)
    assert times_left(adds) == pytest.approx((602, 600))
    free = clocked("600d5")
    free.press("#", apart=1.0)
    free.wait(3)
    free.press("1", "1", "#", apart=1.0)
    assert times_left(free) == pytest.approx((599, 600))


def test_a_pause_lasts_until_ok(clocked):
    """The table menu pauses the clock, and the panel says how it goes on."""
    table = clocked("600")
    table.press("#")
    table.choose("Pause the clock")
    before = times_left(table)
    table.wait(100)
    assert times_left(table) == before
    assert countdown.is_game_clock_stopped(table.session)
    table.press("ok", apart=0.0)
    table.wait(10)
    table.press("9", apart=0.0)
    assert times_left(table)[0] == pytest.approx(before[0] - 10)


def test_a_warning_comes_once_and_loses_nothing(clocked):
    """Thirty seconds before the end a banner and a sound warn for a moment. The draft is kept."""
    table = clocked("60")
    table.press("#")
    table.press("1", apart=20.0)
    heard, told = [], 0
    for _ in range(30):
        table.wait(0.9)
        heard += [sound for sound in table.session.outbox.sounds if sound == "warning"]
        told += "30 seconds" in table.session.banner
    assert (table.session.banner, 3 <= told <= 5) == ("", True)
    assert table.session.screen.typed_keys == "1"
    table.press("1")


def test_time_over_is_reported_once_and_play_goes_on(clocked):
    """The panel lights up with a message over the draft. Then the move can be played, and the time stays over."""
    table = clocked("60+5")
    table.press("#")
    table.press("1", apart=1.0)
    table.wait(59.2)
    assert table.family == "Notice"
    assert table.session.screen.heading == "Ann"
    assert table.session.light == "on"
    assert table.session.now == pytest.approx(1.1 * 3 + 60)
    table.press("*")
    assert table.session.screen.typed_keys == "1"
    table.press("1", "#")
    assert table.events == ["1: 1x1"]
    assert times_left(table)[0] == 0
    table.press("9", "1", "#")
    table.wait(1)
    assert table.family != "Notice" or table.session.screen.heading != "Ann"


def test_no_message_opens_over_a_players_own_pieces(clocked):
    """If the time runs out while somebody looks at hidden pieces, it is reported once they are covered."""
    table = clocked("60")
    table.press("#")
    from companion.evening.screens.private.hints import LookAway, Peek

    table.session = table.session.open_screens(LookAway(1), Peek(1, table.now + 100))
    table.wait(90)
    assert table.family == "Peek"
    table.wait(20)
    assert table.family == "Notice"


def test_the_table_wakes_up_only_when_something_changes(clocked):
    """Once a second, not at all while the clock is stopped, and with a dark panel only for the warning and the end."""
    table = clocked("3600")
    assert countdown.next_change_time(table.session) is None
    table.press("#")
    table.wait(5)
    assert 0 < countdown.next_change_time(table.session) - table.session.now <= 1.01
    table.wait(400)
    assert table.session.light == "off"
    assert countdown.next_change_time(table.session) - table.session.now > 3000


def test_after_a_power_cut_it_has_the_times_of_the_last_saved_move(clocked, table_class, tmp_path):
    """The clock is stopped then, and nobody is charged for the time since."""
    table = clocked("600+5")
    table.press("#", "1", "1", "#", apart=1.0)
    kept = times_left(table)
    table.wait(100)
    store = Store(tmp_path)
    store.write_entries(table.saved_lines)
    history = store.load_history()
    store.close()
    again = table_class(SessionSettings(NAMES), history)
    again.wait(50)
    again.press("#")
    assert again.family == "Playing"
    assert times_left(again) == pytest.approx(kept)
    assert countdown.is_game_clock_stopped(again.session)
    assert again.session.game_clock.controls == (TimeControl(600, 5), TimeControl(600, 5))


@pytest.mark.parametrize("left_by", ["pause", "main menu"])
def test_a_pause_is_saved(clocked, tmp_path, left_by):
    """After a pause, or when the round was set aside, it has the times of that moment, not of the move before."""
    table = clocked("600")
    table.press("#", "1", "1", "#", apart=1.0)
    table.wait(100)
    table.choose("Pause the clock" if left_by == "pause" else "Leave the round")
    if left_by == "main menu":
        table.press("#")
    kept = table.saved_lines[-1].clock
    assert float(kept.split()[1]) < 510
    store = Store(tmp_path)
    store.write_entries(table.saved_lines)
    saved = store.load_round(1)
    store.close()
    assert saved is not None
    assert saved.clock_left == kept
    assert str(game_clock.stopped_clock(1, "600", saved.clock_left, 2)) == kept


def test_a_takeback_removes_the_increment_and_returns_no_time(clocked):
    """Time that has passed has passed; what the undone move has earned is gone."""
    table = clocked("600+5")
    table.press("#", "1", "1", "#", apart=1.0)
    table.wait(10)
    table.press("*", "1", "#", apart=1.0)
    assert table.events == []
    assert times_left(table) == pytest.approx((597, 587))


CLOCK_STEPS = st.sampled_from(["move", "wait", "pause", "back", "plug", "menu"])


@settings(max_examples=example_count(60), deadline=None)
@given(st.lists(st.tuples(CLOCK_STEPS, st.floats(0.2, 40)), min_size=1, max_size=25), st.sampled_from([0, 3, 7]))
def test_no_second_is_lost_or_charged_to_another_seat(table_class, steps, extra):
    """Whatever happens, the times left and the times used are those at the start and what moves have added."""
    table = at_first_turn(table_class, f"36000+{extra}" if extra else "36000")
    chance = random.Random(5)
    for what, seconds in steps:
        seat, before, began = countdown.running_seat(table.session), times_left(table), table.session.now
        table.wait(seconds)
        table.take_input(Tick(table.now))
        passed = table.session.now - began
        expected = [each - (passed if number == seat else 0) for number, each in enumerate(before, 1)]
        assert times_left(table) == pytest.approx(expected)
        before = times_left(table)
        if table.session.light == "off":
            table.press("9", apart=0.0)
            table.wait(1.5)
            table.take_input(Tick(table.now))
            before = times_left(table)
        _step(table, what, chance, extra, before)
    assert all(each >= 0 for each in times_left(table))


def _step(table, what, chance, extra, before) -> None:
    """One thing that happens, and its effect on the clock."""
    round_ = table.session.round
    if what == "move" and round_.turn is not None:
        mover = round_.turn
        move = chance.choice(list(round_.game.legal_moves(round_.state)))
        table.session = round_actions.play_event(table.session, str(move))
        table.carry_out()
        added = [extra if seat == mover else 0 for seat in (1, 2)]
        assert times_left(table) == pytest.approx([a + b for a, b in zip(before, added, strict=True)])
        _close_screens(table)
    elif what == "pause":
        table.session = countdown.start_or_stop_clock(table.session)
        assert times_left(table) == before
    elif what == "back" and round_.events:
        undone = round_.events[-1][0]
        table.session = round_actions.take_back_event(table.session)
        table.carry_out()
        takes = [extra if seat == undone else 0 for seat in (1, 2)]
        assert times_left(table) == pytest.approx([a - b for a, b in zip(before, takes, strict=True)])
    elif what == "plug" and table.saved() is not None:
        clock = next((line.clock for line in reversed(table.saved_lines) if line.clock), "")
        table.session = state_machine.update_session(
            table.session._replace(round=replay_round(table.saved()._replace(clock_left=clock)), game_clock=None),
            Tick(table.session.now),
        )
        assert str(table.session.game_clock) == clock
        assert not countdown.running_seat(table.session)
    elif what == "menu":
        table.session = table.session.show_base_screen()
        _close_screens(table)


def _close_screens(table) -> None:
    table.session = table.session.show_base_screen()._replace(banner="")


def test_it_is_set_before_a_round_and_remembered(new_table):
    """An entry below the question about rounds leads to the clocks; the next setup has the choice again."""
    table = new_table()
    table.wait(3)
    table.session = state_machine.update_session(table.session, Tick(table.now))
    table.to_match(digit_of_line(table.session, "27"))
    assert list_title(table.session)[1] == "rounds, clock"
    pick_entry(table, "game clock")
    pick_entry(table, "5 min + 5 s")
    assert list_title(table.session)[1] == "5 min+5 s"
    assert list_lines(table.session)[-1].note == "5 min+5 s"
    pick_entry(table, "2 wins")
    table.press("#")
    assert table.session.round.header.clock == "300+5"
    assert table.session.history.recent_headers[0].clock == "300+5"


@pytest.mark.parametrize("control", [*questions.CLOCK_CHOICES, "10800+60", "10800d60", "600 900"])
@pytest.mark.parametrize("buttons", [True, False])
def test_the_chosen_clock_is_shown_in_full(new_table, monkeypatch, control, buttons):
    """Below the number of rounds no word of any clock is cut, with or without digits before the entries."""
    lost = []
    monkeypatch.setattr(fonts, "on_text_cut", lambda whole, shown, room: lost.append((whole, shown)))
    table = new_table()
    table.wait(3)
    table.to_match(digit_of_line(table.session, "27"))
    setup = table.session.screen.setup._replace(clock=control)
    moment = questions.match_question(table.session, setup, cursor_on_clock=True)
    display.session_picture(table.session.replace_screen(moment)._replace(uses_buttons=buttons))
    assert not lost


def pick_entry(table, words) -> None:
    down = index_of_line(table.session, words) - table.session.screen.cursor
    table.press(*["down"] * (down % len(list_lines(table.session))), "ok")


def test_each_seat_can_have_its_own_time(new_table, golden):
    """Up, down and digits change the value under the cursor; times move along with their players."""
    table = new_table()
    table.wait(3)
    table.to_match(digit_of_line(table.session, "27"))
    pick_entry(table, "game clock")
    pick_entry(table, "own times")
    table.press("ok" if table.family == "Menu" else "1", "5", "right", "down", "right", "3", "right")
    golden(display.session_picture(table.session), "game-clock/own-times")
    table.press("left", "left", "left", "left", "up")
    golden(display.session_picture(table.session), "game-clock/own-times-kind")
    table.press("#")
    assert table.session.screen.setup.clock == "900d4 180d5"
    assert game_clock.rotate_controls("900d4 180d5") == "180d5 900d4"
    assert standings.rotate_seats(RoundHeader("27", (), NAMES, clock="1 2")).clock == "2 1"


def test_an_erased_time_is_what_it_was_before(new_table):
    """Erasing what was typed brings the previous time back, not the least one."""
    table = new_table()
    table.wait(3)
    table.to_match(digit_of_line(table.session, "27"))
    pick_entry(table, "game clock")
    pick_entry(table, "own times")
    table.press("2", "5", "*", "*")
    assert (table.family, table.session.screen.values[:2]) == ("ClockSetting", (10, 5))


@pytest.mark.parametrize("game", ["27", "coral-reef", "prime-attactics", "ziggurat"])
@pytest.mark.parametrize("keys", ["keypad", "buttons"])
def test_the_times_alternate_with_the_drafts_verdict(clocked, golden, game, keys):
    """After three seconds without a key the two alternate; a key brings the verdict back."""
    table = clocked("300", game)
    table.session = table.session._replace(uses_buttons=keys == "buttons")
    while table.family != "Playing":
        table.press("#", apart=1.0)
    table.press("#", apart=1.0)
    table.press("right" if keys == "buttons" else "A" if game == "prime-attactics" else "1")
    verdict = table.picture
    table.wait(3.5)
    golden(table.picture, f"game-clock/entry-{game}-{keys}")
    assert table.picture != verdict
    table.wait(3)
    assert table.picture == verdict
    table.wait(3)
    assert table.picture != verdict


@pytest.mark.parametrize("game", ["27", "coral-reef", "prime-attactics", "ziggurat"])
@pytest.mark.parametrize("moment", ["runs", "stands"])
def test_the_strip_shows_the_times_left(golden, play_round, game, moment):
    """Both times in the order of the seats; for a stopped clock also how to start it."""
    from companion import games
    from companion.evening.model import Session
    from companion.evening.screens.play.playing import PlayScreen
    from companion.rounds.stored import StoredRound

    options = games.manifest_of(game).option_defaults
    played = play_round(game, options, 2, random.Random(5))
    events = tuple((seat, str(move)) for seat, move in played.events[:7])
    opened = tuple(played.deals)
    deals = tuple((kind, seat, played.rules.format_deal(pieces)) for (kind, seat), pieces in played.deals.items())
    header = RoundHeader(game, tuple(options.items()), ("Annabella", "Ben"), opened=opened, clock="3600+5")
    round_ = replay_round(StoredRound(1, header, deals, events, clock_left="3601 597.2"))
    clock = game_clock.stopped_clock(1, header.clock, round_.clock_left, 2)
    clock = clock._replace(is_running=moment == "runs", turn_seconds=9.0)
    session = Session((PlayScreen(),), StoredHistory(), round=round_, game_clock=clock)
    golden(display.session_picture(session), f"game-clock/{game}-{moment}")


def test_a_press_is_charged_by_the_time_at_which_it_was_made(clocked):
    """And not by the time at which the loop takes it."""
    table = clocked("600")
    table.press("#", "1", "1", apart=1.0)
    now = table.now
    table.session = state_machine.update_session(table.session, KeyPressed("#", now + 4.0))
    assert times_left(table) == pytest.approx((594, 600))
