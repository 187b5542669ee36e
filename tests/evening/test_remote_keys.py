"""The box's keys on phones: who may press which, that a press means what its page showed, what blocks a player."""

from __future__ import annotations

import pytest

from companion.evening import state_machine
from companion.evening.screens.messages import Notice
from companion.evening.screens.phones import phones_page, remote_keys
from companion.evening.screens.play import round_actions
from companion.evening.screens.play.round_over import RoundOver
from companion.evening.screens.play.table_menu import TableMenu
from companion.evening.screens.private.hints import LookAway, Peek
from companion.evening.session_values import PhoneAccess
from companion.inputs import CodeIssued, Request
from companion.rounds.stored import SessionSettings, StoredHistory
from companion.table.phone_view import client_snapshot

HOST, ANN, BEN, NOBODY = "h" * 64, "a" * 64, "b" * 64, "n" * 64


def ask(table, phone: str, what: str, text: str = "") -> str:
    """The reply to a phone: "" where its request was granted."""
    return table.request(phone, what, text)


def page_mark(table) -> str:
    return client_snapshot(table.session)["remote"]["seen"]


def press_from_phone(table, phone: str, key: str) -> str:
    return ask(table, phone, "press", f"{page_mark(table)} {key}")


def with_phones(made):
    made.wait(3)
    made.session = made.session._replace(
        phones=PhoneAccess(is_on=True, player_phones=((ANN, "Ann"), (BEN, "Ben")), host=HOST)
    )
    return made


@pytest.fixture
def table(new_table):
    """A round of 27 with Ann to move, and the phones of both players and of the host."""
    return with_phones(new_table("27"))


@pytest.fixture
def menu(table_class):
    """The main menu with the same phones; `menu(players_may_press=True)` lets all of them press."""
    return lambda **more: with_phones(table_class(SessionSettings(("Ann", "Ben"), **more), StoredHistory()))


def pick_entries(table, phone: str, *words: str) -> None:
    """Pick entries of the lists that the page shows, one after the other."""
    for word in words:
        lines = client_snapshot(table.session)["public"]["content"]["lines"]
        number = next(index for index, line in enumerate(lines, 1) if word in line["words"])
        assert press_from_phone(table, phone, f"pick {number}") == ""


def test_the_host_chooses_a_game_with_its_options_and_begins_it(menu):
    """From the main menu to the first move without a key at the box."""
    made = menu()
    pick_entries(made, HOST, "27", "expert")
    for _ in range(8):
        if made.family == "Playing":
            break
        assert (
            press_from_phone(made, HOST, "ok" if "ok" in client_snapshot(made.session)["remote"]["keys"] else "pick 1")
            == ""
        )
    assert made.family == "Playing"
    assert dict(made.session.round.header.options)["variant"] == "expert"


def at_name_input(menu):
    """A table that the host has led to the spelling of a new name for seat 1."""
    made = menu()
    pick_entries(made, HOST, "27", "basic")
    while made.family != "Seats":
        assert press_from_phone(made, HOST, "pick 1") == ""
    press_from_phone(made, HOST, "pick 1")
    pick_entries(made, HOST, "new")
    return made


def test_a_new_name_is_typed_on_the_phone(menu):
    """The page's field takes the whole name. One that can't be a name is refused with a sentence."""
    made = at_name_input(menu)
    assert made.family == "Spelling"
    assert "comma" in press_from_phone(made, HOST, "type A,B")
    assert press_from_phone(made, HOST, "type Zoe") == ""
    assert made.session.screen.setup.names[0] == "Zoe"


def test_a_phone_learns_what_was_changed_in_a_new_name(menu):
    made = at_name_input(menu)
    assert press_from_phone(made, HOST, "type \u202eZoe") == ""
    assert made.session.screen.setup.names[0] == "Zoe"
    assert client_snapshot(made.session)["news"] == {HOST: "The name is now Zoe: a hidden character was removed."}


@pytest.mark.parametrize("phone", [ANN, BEN, NOBODY, ""])
def test_only_the_host_may_press(menu, phone):
    """The configuration can let all players do so."""
    made = menu()
    before = made.session.screen
    assert press_from_phone(made, phone, "pick 2") != ""
    assert made.session.screen == before
    made = menu(players_may_press=True)
    assert (press_from_phone(made, phone, "pick 2") == "") == (phone in (ANN, BEN))


def test_a_press_means_what_its_page_showed(table):
    """A second tap, or a page that isn't up to date, presses nothing."""
    old = page_mark(table)
    assert ask(table, HOST, "press", f"{old} back") == ""
    assert isinstance(table.session.screen, TableMenu)
    assert ask(table, HOST, "press", f"{old} back") == remote_keys.SCREEN_CHANGED_TEXT
    assert isinstance(table.session.screen, TableMenu)
    for text in ("", "ok", f"{page_mark(table)} nonsense", f"{page_mark(table)} pick 99", f"{page_mark(table)} pick x"):
        ask(table, HOST, "press", text)
        assert isinstance(table.session.screen, TableMenu), text


def test_the_host_begins_the_next_round_and_a_rematch(table):
    """The host's phone closes a result and begins the next round."""
    while not table.session.has_result:
        round_ = table.session.round
        table.session = round_actions.play_event(table.session, str(next(iter(round_.game.legal_moves(round_.state)))))
        table.session = table.session.show_base_screen()
        table.carry_out()
    assert isinstance(table.session.screen, RoundOver)
    number = table.session.round.id
    assert press_from_phone(table, BEN, "ok") == remote_keys.BOX_KEYS_ONLY_TEXT
    for _ in range(4):
        if table.session.round.id != number:
            break
        assert press_from_phone(table, HOST, "ok") == ""
    assert (table.family, table.session.round.id) == ("Playing", number + 1)


def test_no_phone_decides_which_phones_may_come_in(table):
    """No phone lets a phone in, sends one away, or switches phones off."""
    table.session = phones_page.open_phones_page(table.session)
    table.carry_out()
    table.take_input(CodeIssued("K7Q2MB", table.now))
    assert client_snapshot(table.session)["remote"]["keys"] == ("back",)
    assert press_from_phone(table, HOST, "ok") == remote_keys.BOX_KEYS_ONLY_TEXT
    table.press("#")
    assert client_snapshot(table.session)["remote"]["keys"] == ("back",), (
        "whether phones are switched off is asked there"
    )
    assert press_from_phone(table, HOST, "ok") == remote_keys.BOX_KEYS_ONLY_TEXT
    assert press_from_phone(table, HOST, "back") == ""
    mark = page_mark(table)
    table.take_input(CodeIssued("ZZZZZZ", table.now))
    assert page_mark(table) == mark, "the code cannot be found out from the mark"
    assert ask(table, NOBODY, "pair", "ZZZZZZ Ann") == ""
    assert table.family == "Letting"
    assert client_snapshot(table.session)["remote"]["keys"] == ()
    for phone in (HOST, ANN, NOBODY):
        for key in ("ok", "back", "close"):
            assert press_from_phone(table, phone, key) == remote_keys.BOX_KEYS_ONLY_TEXT
    assert table.family == "Letting"
    assert Request.PHONES_OFF not in table.session.outbox.requests


def test_no_phone_opens_a_private_screen(new_table):
    """No phone can answer for those at the table that they look away."""
    made = with_phones(new_table("coral-reef", opened=(("deal", 1), ("deal", 2))))
    for seat, pieces in ((1, "AA223344"), (2, "JJQQKK99")):
        made.session = round_actions.enter_holding(made.session, "deal", seat, pieces)
    made.carry_out()
    made.session = made.session.open_screens(LookAway(1))
    assert press_from_phone(made, HOST, "ok") == remote_keys.BOX_KEYS_ONLY_TEXT
    made.session = made.session.open_screens(Peek(1, made.now + 100))
    assert client_snapshot(made.session)["remote"]["keys"] == ()
    assert press_from_phone(made, HOST, "back") == remote_keys.BOX_KEYS_ONLY_TEXT
    assert isinstance(made.session.screen, Peek)


def blocking_reason(table, name: str):
    """What a player's page says is blocking the move."""
    return client_snapshot(table.session)["seats"][name]["holds"]


def test_a_phone_names_what_blocks_its_player_and_closes_it(table):
    """A menu or the page of phones at the box is named, and the player to move can close it."""
    assert blocking_reason(table, "Ann") is None
    table.press("*")
    assert blocking_reason(table, "Ann") == {"says": "A menu is open at the box.", "close": True}
    assert blocking_reason(table, "Ben") is None, "it is not his turn"
    assert client_snapshot(table.session)["seats"]["Ann"]["turn"]
    assert ask(table, ANN, "play", "1x1") == "A menu is open at the box."
    assert press_from_phone(table, BEN, "close") == remote_keys.BOX_KEYS_ONLY_TEXT
    assert press_from_phone(table, ANN, "close") == ""
    assert table.family == "Playing"
    table.session = phones_page.open_phones_page(table.session)
    table.carry_out()
    assert blocking_reason(table, "Ann") == {"says": "The box shows its page for phones.", "close": True}
    assert press_from_phone(table, ANN, "close") == ""
    assert ask(table, ANN, "play", "1x1") == ""


def test_nobody_closes_a_question_to_another_player(table):
    """The page says who is asked; nobody else can answer the question."""
    ask(table, ANN, "play", "1x1")
    ask(table, ANN, "back")
    assert blocking_reason(table, "Ben") is None, "his page has the question"
    assert ask(table, BEN, "decline") == ""
    ask(table, BEN, "back")
    assert table.family == "Ask"
    assert blocking_reason(table, "Ben") == {"says": "The box asks Ann: Take back?", "close": False}
    assert press_from_phone(table, BEN, "close") == remote_keys.BOX_KEYS_ONLY_TEXT
    assert press_from_phone(table, HOST, "ok") == remote_keys.BOX_KEYS_ONLY_TEXT
    assert ask(table, ANN, "agree") == ""
    assert table.events == []


def test_a_message_blocks_nobody(table):
    """The next move closes it. The host may close it too."""
    assert ask(table, ANN, "play", "1x99") != ""
    assert table.family == "Refusing"
    assert blocking_reason(table, "Ann") is None
    assert press_from_phone(table, HOST, "ok") == ""
    assert table.family == "Playing"


def test_one_request_closes_a_message_and_the_refusal_below(table):
    """What a player's page offers is granted, although both lie over the table."""
    assert ask(table, ANN, "play", "1x1") == ""
    assert ask(table, BEN, "play", "1x99") != ""
    assert table.family == "Refusing"
    told = Notice("alert", "Ben", ("has no time left.",), "The players decide")
    table.session = table.session.open_screens(told)
    assert client_snapshot(table.session)["seats"]["Ann"]["back"]
    assert ask(table, ANN, "back") == ""
    assert table.family == "Ask"


def test_a_press_of_a_phone_lights_the_panel(table):
    table.session = table.session._replace(light="off")
    assert press_from_phone(table, HOST, "back") == ""
    assert table.session.light == "on"
    assert state_machine.next_change_time(table.session) is not None


@pytest.mark.parametrize("at_box", [False, True])
def test_a_declined_takeback_is_reported_to_the_phone(table, at_box):
    """The phone that asked learns who said no, on a phone or at the box, until its next request."""
    ask(table, ANN, "play", "1x1")
    ask(table, ANN, "back")
    if at_box:
        table.wait(2)
        table.press("*")
    else:
        assert ask(table, BEN, "decline") == ""
    assert client_snapshot(table.session)["news"] == {ANN: "Ben said no."}
    assert table.events == ["1: 1x1"]
    ask(table, ANN, "back")
    assert client_snapshot(table.session)["news"] == {}
    ask(table, BEN, "agree")
    assert (table.events, client_snapshot(table.session)["news"]) == ([], {})


def menu_entry(table, word: str) -> dict | None:
    entries = client_snapshot(table.session)["remote"]["menu"]
    return next((each for each in entries if each["word"] == word), None)


def test_entries_of_the_menu_are_picked_without_opening_it(table):
    """The host's phone, no other; what cannot be used now says why, and a switch is switched."""
    assert menu_entry(table, "hints") == {"word": "hints", "says": "Hints: off", "why": "", "on": False}
    assert press_from_phone(table, ANN, "menu hints") == remote_keys.BOX_KEYS_ONLY_TEXT
    assert press_from_phone(table, HOST, "menu hints") == ""
    assert menu_entry(table, "hints")["on"]
    assert table.family == "Playing"
    assert press_from_phone(table, HOST, "menu clock") == menu_entry(table, "clock")["why"] != ""
    assert press_from_phone(table, HOST, "menu nothing") == remote_keys.BOX_KEYS_ONLY_TEXT
    assert press_from_phone(table, HOST, "menu leave") == ""
    asked = table.session.screen.content(table.session)
    assert (asked.title, *(hint.says for hint in asked.key_hints)) == ("Leave the round?", "leave", "play on")
    assert client_snapshot(table.session)["remote"]["menu"] == ()


def test_the_menu_has_no_entries_while_a_move_is_entered(table):
    """An entry would throw the half-made move away."""
    table.press("1")
    assert client_snapshot(table.session)["remote"]["menu"] == ()
    assert press_from_phone(table, HOST, "menu leave") == remote_keys.BOX_KEYS_ONLY_TEXT


def test_the_host_closes_what_lies_over_the_game(table):
    """A page or a menu, whoever is to move; a player's phone only what keeps that player from a move."""
    table.press("*", "2")
    assert client_snapshot(table.session)["remote"]["close"]
    assert press_from_phone(table, BEN, "close") == remote_keys.BOX_KEYS_ONLY_TEXT
    assert press_from_phone(table, HOST, "close") == ""
    assert table.family == "Playing"
    assert not client_snapshot(table.session)["remote"]["close"]
    assert press_from_phone(table, HOST, "close") == remote_keys.BOX_KEYS_ONLY_TEXT
