"""The doctor's pages: how they open, turn and close, and that they change nothing else."""

import pytest
from list_screens import list_texts

from companion.evening.screens.box_checks import Doctor
from companion.evening.screens.evening_start import Resume, Splash
from companion.evening.screens.main_menu import MainMenu, MoreMenu
from companion.evening.screens.play.playing import PlayScreen
from companion.inputs import BoxExamined, Finding, KeyPressed, KeyReleased, Request
from companion.rounds.stored import StoredHistory

FINDINGS = (Finding("disk", "ok", "Room enough."), Finding("keypad", "do", "Plug it in."))


@pytest.fixture
def opened(new_table):
    """A table at the doctor's overview, with two findings."""
    table = new_table()
    table.press("0", apart=0.5)
    table.take_input(BoxExamined(FINDINGS, table.now))
    table.press("up", "up")
    return table


def test_it_opens_at_the_overview(new_table):
    """The overview marks what has to be done, so nobody begins in the middle."""
    for states in ("ok", "note", "do"), ("ok", "ok"):
        table = new_table()
        table.press("0", apart=0.5)
        found = tuple(Finding(f"part {at}", state, "So it is.") for at, state in enumerate(states))
        table.take_input(BoxExamined(found, table.now))
        assert table.session.screen.page_number == 0


def test_more_leads_to_the_doctor(new_table):
    """BACK in the main menu opens "more", whose entry "Check the box" requests an examination."""
    table = new_table()
    table.wait(3)
    table.press("*")
    assert list_texts(table.session)[-2] == "Check the box"
    table.press("8")
    assert table.session.screen.findings is None
    table.press("*")
    assert isinstance(table.session.screen, MoreMenu)


def test_the_box_is_examined_once(new_table):
    """The session requests an examination when the pages open, and not again with the next input."""
    from companion.evening import state_machine

    table = new_table()
    asking = state_machine.update_session(table.session, KeyPressed("0", 0.5))
    assert asking.outbox.requests == (Request.EXAMINE_BOX,)
    assert state_machine.update_session(state_machine.clear_outbox(asking), KeyPressed("#", 0.6)).outbox.requests == ()


def test_ok_held_on_the_title(new_table):
    """An OK button held for 0.8 seconds on the title opens the doctor, over the menu."""
    table = new_table()
    table.press("ok", apart=0.5)
    assert isinstance(table.session.screen, Splash)
    table.wait(0.79)
    assert isinstance(table.session.screen, Splash)
    table.wait(0.02)
    assert isinstance(table.session.screen, Doctor)
    table.take_input(KeyReleased("ok", table.now))
    table.press("back")
    assert isinstance(table.session.screen, MainMenu)


def test_ok_tapped_on_the_title(new_table):
    """Released earlier, or followed by another key, it only ends the title: nobody has seen the menu yet."""
    for then in (
        lambda table: table.take_input(KeyReleased("ok", table.now)),
        lambda table: table.press("left", apart=0.1),
    ):
        table = new_table()
        table.press("ok", apart=0.5)
        then(table)
        assert isinstance(table.session.screen, MainMenu)


def test_a_keypads_hash_never_counts_as_held(new_table):
    """`#` ends the title, and a burst of presses is taken in order; nothing of that opens the doctor."""
    table = new_table()
    table.press("#", "#", "#", apart=0.01)
    assert table.session.screen.setup.question_index == 1


@pytest.mark.parametrize("key", ["#", "*", "up", "right", "A", "ok", "back"])
def test_only_a_digit_on_the_title_picks_from_the_menu(new_table, key):
    """Any key leads to the menu as it is. Only a game's digit, which never changes, also picks the game."""
    table = new_table()
    table.press(key, apart=0.5)
    table.take_input(KeyReleased("ok", table.now))
    assert table.session.screen == MainMenu()
    table = new_table()
    table.press("2", apart=0.5)
    assert table.session.screen.setup.game == "27"


@pytest.mark.parametrize("skipped", [False, True], ids=["go on?", "menu skipped"])
def test_ok_held_at_power_up_opens_the_doctor(new_table, skipped):
    """An OK that is down when the buttons are opened leads to the doctor from any first screen, and back to it."""
    if skipped:
        table = new_table("27")
    else:
        before = new_table("27")
        before.type("13#")
        table = new_table(history=StoredHistory(unfinished_round=before.saved()))
    first = table.session.screen
    assert isinstance(first, PlayScreen if skipped else Resume)
    table.take_input(KeyPressed("doctor", 0.1, True))
    assert isinstance(table.session.screen, Doctor)
    table.press("*")
    assert table.session.screen == first


def test_zero_on_go_on_opens_the_doctor(new_table):
    """A keypad's key for the doctor is `0`, also while "Go on?" is shown."""
    before = new_table("27")
    before.type("13#")
    table = new_table(history=StoredHistory(unfinished_round=before.saved()))
    table.press("0")
    assert isinstance(table.session.screen, Doctor)
    table.press("*")
    assert isinstance(table.session.screen, Resume)


def test_the_pages_turn(opened):
    """OK and down lead through the findings to the page of keys, up leads back, and BACK leaves from any page."""
    assert opened.session.screen.findings == FINDINGS
    places = []
    for key in ("#", "8", "2", "up", "up", "down"):
        opened.press(key)
        places.append(opened.session.screen.page_number)
    assert places == [1, 2, 1, 0, 0, 1]
    opened.press("5")
    assert opened.session.screen.page_number == 1
    opened.press("*")
    assert isinstance(opened.session.screen, MainMenu)


def test_the_last_page_shows_every_key(opened):
    """Keys are shown in the order of their arrival, repeats too. BACK leaves when pressed twice in a row."""
    opened.press("#", "#", "down")
    opened.press("1", "#", "D", "*", "0")
    opened.take_input(KeyPressed("up", opened.now, held=True))
    opened.press("ok", "back")
    moment = opened.session.screen
    assert moment.newest_keys == ("1", "#", "D", "*", "0", "up", "OK", "BACK")
    opened.press("1", "back", "back")
    assert isinstance(opened.session.screen, MainMenu)


def test_only_the_newest_keys_are_kept(opened):
    """The session doesn't grow, however long somebody tries the keys."""
    opened.press("#", "#", "#")
    opened.press(*"123" * 200, apart=0.01)
    assert len(opened.session.screen.newest_keys) == 18
    assert opened.session.screen.key_count == 600


def test_findings_for_closed_pages_change_nothing(opened):
    opened.press("*")
    before = opened.session
    opened.take_input(BoxExamined(FINDINGS, opened.now))
    assert opened.session == before
