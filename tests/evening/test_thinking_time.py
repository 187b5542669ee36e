"""The clock of thinking times: whose time runs, what stops it, and what is saved."""

import math
import random

import pytest
from list_screens import digit_of_line

from companion.__main__ import main
from companion.evening import thinking_time
from companion.evening.screens.main_menu import MainMenu
from companion.evening.thinking_time import SHOWN_AFTER_SECONDS
from companion.rounds import record
from companion.rounds.on_table import replay_round
from companion.rounds.stored import SessionSettings, StoredHistory
from companion.store.store import Store


@pytest.fixture
def timed(new_table):
    """A table at the first turn of a round of 27 with the clock switched on."""
    table = new_table("27")
    table.press("9")  # Start a draft, and erase it with BACK.
    table.press("*")
    table.session = table.session._replace(switches=table.session.switches._replace(timing=True), thinking_seconds=0.0)
    return table


def test_each_move_has_its_time(timed):
    """The seconds before a move belong to its player, and are in the log entry that is saved."""
    timed.wait(8)
    timed.press("1", "1", "#", apart=1.0)
    timed.wait(20)
    timed.press("9", "1", "#", apart=1.0)
    times = [line.seconds for line in timed.saved_lines if line.kind == "event"]
    assert times == pytest.approx([11, 23])
    assert timed.session.round.thinking_seconds == pytest.approx((11, 23))


@pytest.mark.parametrize("seconds", [SHOWN_AFTER_SECONDS, 5.0, 60.0])
def test_the_next_change_is_always_later_than_now(timed, seconds):
    """Also where a rounding error leaves the thinking time slightly below a whole second."""
    session = timed.session._replace(now=1000.0, thinking_seconds=math.nextafter(seconds, 0.0))
    assert thinking_time.next_change_time(session) > session.now


def test_menus_and_a_dark_panel_take_no_time(timed):
    timed.wait(5)
    timed.press("*", apart=1.0)
    timed.wait(30)
    assert timed.session.thinking_seconds == pytest.approx(6)
    timed.press("*", apart=1.0)
    timed.wait(1000)
    assert timed.session.thinking_seconds == pytest.approx(6 + 300)


def test_a_takeback_takes_the_time_of_its_move_back(timed):
    """The total is that of the remaining moves, and the clock goes on from where it was before the move."""
    timed.wait(8)
    timed.press("1", "1", "#", apart=1.0)
    timed.wait(50)
    timed.press("*", "1", "#")
    assert timed.session.round.thinking_seconds == (0, 0)
    assert timed.session.thinking_seconds == pytest.approx(11)


def test_a_round_begins_with_no_time(timed):
    """The thinking time of a round that was set aside doesn't count in the next one."""
    timed.wait(8)
    timed.choose("Leave")
    timed.press("#")
    assert isinstance(timed.session.screen, MainMenu)
    assert timed.session.thinking_seconds == 0


def test_the_table_does_not_wake_up_for_a_clock_that_is_off(new_table):
    """Without the clock the table waits for nothing sooner than its help line and its dimming."""
    table = new_table("27")
    table.press("9", "*")
    assert thinking_time.next_change_time(table.session) is None
    table.session = table.session._replace(switches=table.session.switches._replace(timing=True))
    assert thinking_time.next_change_time(table.session) == table.now + thinking_time.SHOWN_AFTER_SECONDS


def test_it_changes_every_second_and_more_rarely_when_dimmed(timed):
    """A lit panel changes once a second after the first four, a dimmed one every ten seconds, a dark one never."""
    timed.wait(4.5)
    lines = {thinking_time.clock_line(timed.session)}
    for _ in range(5):
        timed.wait(1)
        lines.add(thinking_time.clock_line(timed.session))
    assert {"0:05, sum 0:05", "0:09, sum 0:09"} <= lines
    timed.wait(60)
    assert thinking_time.next_change_time(timed.session) - timed.session.now <= 10
    timed.wait(400)
    assert thinking_time.next_change_time(timed.session) is None


def test_it_is_switched_in_the_menu(new_table):
    """The menu "more" switches it on and off."""
    table = new_table()
    table.wait(3)
    table.press("*")
    digit = digit_of_line(table.session, "Turn time")
    table.press(digit)
    assert table.session.switches.timing
    table.press(digit)
    assert not table.session.switches.timing


def test_times_survive_the_plug_and_go_into_the_record(timed, tmp_path, capsys):
    """A resumed round has its totals, and its record has the times as comments, which `check` skips."""
    timed.wait(8)
    timed.press("1", "1", "#", apart=1.0)
    timed.press("9", "1", "#", apart=1.0)
    store = Store(tmp_path)
    store.write_entries(timed.saved_lines)
    saved = store.load_history().unfinished_round
    store.close()
    again = replay_round(saved)
    assert again.thinking_seconds == timed.session.round.thinking_seconds
    assert main(["export", "--data", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert "1: 1x1\n# thought 11 s\n2: 9x1\n# thought 3 s\n" in text
    report = record.check_record(text)
    assert report.fault is None
    assert len(report.events) == 2


def test_both_players_times_add_up_to_the_time_that_passed(timed):
    chance, begun = random.Random(3), timed.now
    for move in ("11", "91", "11", "91"):
        timed.wait(chance.random() * 50)
        timed.press(*move, "#", apart=0.5)
        timed.press("#", apart=0.5) if timed.family != "Playing" else None
    passed = timed.now - begun
    assert sum(timed.session.round.thinking_seconds) <= passed
    assert sum(timed.session.round.thinking_seconds) > passed - 5


def test_the_configuration_switches_it_on(new_table):
    """With `[table] clock = true` it runs from the first turn on."""
    from companion.evening import state_machine

    assert state_machine.start_session(SessionSettings(measures_thinking=True), StoredHistory()).switches.timing


def test_its_switch_is_saved(new_table, tmp_path):
    """What was chosen at the box last applies after a restart, whatever the configuration says."""
    from companion.evening import state_machine

    table = new_table()
    table.wait(3)
    table.press("*")
    digit = digit_of_line(table.session, "Turn time")
    store = Store(tmp_path)
    for on in (True, False):
        table.press(digit)
        store.write_entries(table.saved_lines)
        table.saved_lines.clear()
        assert (
            state_machine.start_session(SessionSettings(measures_thinking=not on), store.load_history()).switches.timing
            is on
        )
    store.close()
