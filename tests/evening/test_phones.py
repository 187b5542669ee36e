"""Phones at the table: how they are let in, and what a player's phone may do."""

from __future__ import annotations

import random
import re
from itertools import combinations

import pytest
from examples import example_count
from game_support import support_of_game
from list_screens import list_texts

from companion.evening import state_machine
from companion.evening.screens.main_menu import MoreMenu
from companion.evening.screens.messages import Notice
from companion.evening.screens.pad import pad_actions
from companion.evening.screens.pad.pad_play import PadMenu
from companion.evening.screens.pages import ReviewPage
from companion.evening.screens.phones import pairing, phones_page, requests
from companion.evening.screens.phones.phones_page import Phones
from companion.evening.screens.play import round_actions
from companion.evening.screens.play.table_menu import TableMenu
from companion.evening.screens.private import hints
from companion.evening.screens.private.hints import LookAway, Peek
from companion.evening.screens.setup import seats as seating
from companion.evening.session_values import MAX_PHONE_MESSAGES, PhoneAccess, Setup
from companion.inputs import (
    CodeIssued,
    KeyPressed,
    PagesServed,
    PairingOffer,
    PairingOffered,
    PhoneRequest,
    Request,
    Tick,
    parse_request,
)
from companion.rounds import referee
from companion.rounds.stored import RoundHeader
from companion.table.phone_view import client_snapshot, judge_draft

PHONE, OTHER = "a" * 64, "b" * 64


def ask(table, what, text="", phone=PHONE, number=7) -> str:
    """The reply to a phone: "" where its request was granted."""
    return table.request(phone, what, text, number=number, apart=0.1)


@pytest.fixture
def table(new_table):
    """A table with a round of 27, phones switched on, and the code K7Q2MB on the page."""
    made = new_table("27")
    made.wait(3)
    made.session = phones_page.open_phones_page(made.session)
    assert made.session.outbox.requests == (Request.PHONES_ON, Request.PHONE_CODE)
    made.carry_out()
    made.take_input(CodeIssued("K7Q2MB", made.now))
    return made


def admit_phone(table, name="Ann", phone=PHONE) -> None:
    table.take_input(CodeIssued("K7Q2MB", table.now))
    assert ask(table, "pair", f"K7Q2MB {name}", phone) == ""
    assert table.family == "Letting"
    table.press("#")
    assert table.session.phones.player_of(phone) == name
    if table.family == "Phones":
        table.press("*")


def test_a_phone_is_let_in_by_the_code_and_ok(table):
    """With the right code the box asks. OK lets the phone in, and the round is as before."""
    admit_phone(table)
    assert table.family == "Playing"


def test_after_a_phone_the_page_shows_another_code(table):
    """The next player can scan it at once."""
    assert ask(table, "pair", "K7Q2MB Ann") == ""
    table.session = state_machine.update_session(table.session, KeyPressed("#", table.now + 2))
    assert isinstance(table.session.screen, Phones)
    assert table.session.outbox.requests == (Request.PHONE_CODE,)
    table.now += 2
    table.carry_out()
    table.press("#", apart=0.3)  # A second tap of the same press switches nothing off.
    assert table.session.phones.is_on


@pytest.mark.parametrize("game", ["27", "coral-reef", "prime-attactics", "ziggurat"])
def test_the_page_of_phones_opens_during_a_round(new_table, game):
    """Somebody may come in the middle of a round. BACK leads to the table."""
    made = new_table(game)
    made.wait(3)
    made.press("*")
    assert [words for words in list_texts(made.session) if words.startswith("Phones")]
    made.press("*")
    made.session = next(each for each in TableMenu().items(made.session) if each.word == "phones").action(made.session)
    made.carry_out()
    assert not made.session.phones.is_on, "nobody has agreed yet"
    made.press("#")
    assert isinstance(made.session.screen, Phones)
    assert made.session.phones.is_on
    made.press("*")
    assert made.family == "Playing"


def test_the_page_of_phones_opens_from_the_score_pad(new_table):
    """From the host's phone, as during a round."""
    made = new_table()
    made.session = pad_actions.begin_pad(made.session, RoundHeader("pad", (), ("Ann", "Ben")))
    made.session = next(each for each in PadMenu().items(made.session) if each.word == "phones").action(made.session)
    made.carry_out()
    made.press("#")
    assert isinstance(made.session.screen, Phones)
    assert client_snapshot(made.session)["names"] == ["Ann", "Ben"]
    made.press("*")
    assert made.family == "Scoring"


def test_the_case_of_a_typed_code_does_not_matter(table):
    assert ask(table, "pair", "k7q2mb Ann") == ""


def test_a_phone_that_waits_may_choose_another_name(table):
    """The box then asks about that name. It asks long enough for a key, and another phone can't change the question."""
    ask(table, "pair", "K7Q2MB Ann")
    assert "Wait a moment" in ask(table, "sit", "Ben")
    assert table.session.screen.player == "Ann"
    table.wait(pairing.MIN_ASKING_SECONDS)
    assert "Nobody named Zoe" in ask(table, "sit", "Zoe")
    assert "no seat" in ask(table, "sit", "Ben", OTHER)
    assert (table.family, table.session.screen.player) == ("Letting", "Ann")
    assert ask(table, "sit", "Ben") == ""
    assert (table.family, table.session.screen.player) == ("Letting", "Ben")
    table.press("#")
    assert table.session.phones.player_of(PHONE) == "Ben"


def test_back_lets_nobody_in(table):
    ask(table, "pair", "K7Q2MB Ann")
    table.press("*")
    assert table.session.phones.player_of(PHONE) == ""


def test_a_key_meant_for_the_game_lets_nobody_in(table):
    """A press right after the question appeared was meant for the screen before."""
    ask(table, "pair", "K7Q2MB Ann")
    table.press("#", apart=0.3)
    assert table.family == "Letting"


def test_the_question_shows_which_phone_asks(table):
    """It has two digits of the asking phone, so the panel differs from that for another phone."""
    from companion import display

    assert ask(table, "pair", "K7Q2MB Ann") == ""
    one = table.session
    assert (
        client_snapshot(one)["shows"] == phones_page.phone_check_digits(PHONE) != phones_page.phone_check_digits(OTHER)
    )
    other = one.replace_screen(one.screen._replace(phone_hash=OTHER))
    assert display.session_picture(one).tobytes() != display.session_picture(other).tobytes()
    table.press("#")
    assert client_snapshot(table.session)["shows"] == ""


def test_a_phone_with_a_new_secret_keeps_its_pairings(table):
    """A paired phone that scans the code again is known by its new secret only, as everything that it was before."""
    admit_phone(table)
    table.take_input(CodeIssued("K7Q2MB", table.now))
    table.phone_replies = []
    table.take_input(PhoneRequest(8, OTHER, parse_request("host", "K7Q2MB", PHONE), table.now))
    assert table.session.phones.player_phones == ((PHONE, "Ann"),), "before the box has agreed nothing changes"
    table.press("#")
    assert (table.session.phones.player_phones, table.session.phones.host) == (((OTHER, "Ann"),), OTHER)


def test_the_menu_says_whether_phones_are_on(new_table):
    """Back in the menu that led to the page, its entry says what is true now: on after BACK, off after OK."""
    made = new_table()
    made.wait(3)
    made.session = made.session.replace_screen(MoreMenu())
    for key, said in (("*", "Phones: on"), ("#", "Phones: switch on"), ("*", "Phones: on")):
        made.session = phones_page.open_phones_page(made.session)
        made.press(key)
        if key == "#":
            made.wait(1)
            made.press("#")
        labels = [words for words in list_texts(made.session) if words.startswith("Phones")]
        assert labels == [said]
        assert made.session.phones.is_on is (said == "Phones: on")


def test_a_code_can_be_used_once(table):
    """A second phone needs a code of its own."""
    admit_phone(table)
    assert "no longer valid" in ask(table, "pair", "K7Q2MB Ben", OTHER)


def test_a_code_expires_after_two_minutes(table):
    """An old code lets nobody in, and the page requests another one."""
    table.wait(pairing.CODE_SECONDS + 1)
    assert Request.PHONE_CODE in table.session.outbox.requests or table.session.phones.code is None
    assert "no longer valid" in ask(table, "pair", "K7Q2MB Ann")


def test_a_code_expires_even_if_its_page_was_left(table):
    """In time it lets a phone in from the table; later nobody, though no page requests another one."""
    table.press("*")
    assert table.family == "Playing"
    assert ask(table, "code", "K7Q2MB") == ""
    table.wait(pairing.CODE_SECONDS + 1)
    assert "no longer valid" in ask(table, "pair", "K7Q2MB Ann")
    assert table.family == "Playing"


def test_a_code_can_be_checked_before_it_is_used(table):
    """A right one stays valid, a wrong one counts as a try."""
    assert ask(table, "code", "k7q2mb") == ""
    assert table.family == "Phones"
    for _ in range(pairing.MAX_WRONG_TRIES - 1):
        assert ask(table, "code", "ABCDEF") == "This is not the code that the box shows."
    assert ask(table, "pair", "K7Q2MB Ann") == ""
    table.press("*")
    table.take_input(CodeIssued("K7Q2MB", table.now))
    for _ in range(pairing.MAX_WRONG_TRIES):
        ask(table, "code", "ABCDEF")
    assert ask(table, "code", "K7Q2MB") == pairing.LOCKED_TEXT


def test_the_box_asks_about_one_phone_at_a_time(table):
    """Another phone is refused meanwhile, with or without a code, and the first phone's question stays."""
    admit_phone(table, "Ann", OTHER)
    table.session = phones_page.open_phones_page(table.session)
    table.carry_out()
    table.take_input(CodeIssued("K7Q2MB", table.now))
    assert ask(table, "pair", "K7Q2MB Ben") == ""
    for what, text in (("host", ""), ("sit", "Ben"), ("pair", "K7Q2MB Ben"), ("code", "K7Q2MB")):
        assert ask(table, what, text, OTHER) == pairing.OTHER_PHONE_TEXT
        assert (table.family, table.session.screen.phone_hash) == ("Letting", PHONE)


def test_a_big_screen_that_was_let_in_shows_the_code_as_long_as_the_panel_does(table):
    """It has no seat. It is listed at the box with the phones, and disconnected there."""
    assert "not the code" in ask(table, "screen", "AAAAAA")
    assert ask(table, "screen", "K7Q2MB") == ""
    assert table.session.screen.content(table.session).name == "Television"
    table.press("#")
    table.take_input(PagesServed(("http://192.168.1.20:8027/",), table.now))
    for code in ("K7Q2MB", "Z9X8Y7"):
        table.take_input(CodeIssued(code, table.now))
        snapshot = client_snapshot(table.session)
        assert (snapshot["screen"], snapshot["code"], snapshot["phones"]) == (PHONE, code, {})
        assert code not in str(snapshot["public"]), "the club and all others get that part"
        assert "no seat" in ask(table, "sit", "Ann")
        assert ask(table, "pair", f"{code} Ann", OTHER) == ""
        assert client_snapshot(table.session)["code"] == ""
        table.press("*")
    table.take_input(CodeIssued("CCCCCC", table.now))
    table.press("right")
    assert table.session.screen.content(table.session).name == "Television"
    assert client_snapshot(table.session)["code"] == ""
    table.press("left", "*")
    assert (table.session.phones.code.text, client_snapshot(table.session)["code"]) == ("CCCCCC", "")
    table.session = phones_page.open_phones_page(table.session)
    table.carry_out()
    table.take_input(CodeIssued("K7Q2MB", table.now))
    table.take_input(PhoneRequest(8, OTHER, parse_request("screen", "K7Q2MB", PHONE), table.now))
    table.press("#")
    assert table.session.phones.admitted_phones == ((OTHER, ""),), "its new secret replaces the old one"
    table.press("right", "#")
    table.take_input(CodeIssued("DDDDDD", table.now))
    assert (table.session.phones.screen, client_snapshot(table.session)["code"]) == ("", "")
    assert client_snapshot(table.session)["news"] == {OTHER: "This phone was disconnected at the box."}


def test_a_host_who_plays_has_one_phone(table):
    """It is counted once, and sent away once."""
    admit_phone(table)
    assert ask(table, "host") == ""
    table.press("#")
    assert table.session.phones.host == PHONE
    table.session = phones_page.open_phones_page(table.session)
    table.carry_out()
    table.take_input(PagesServed(("http://192.168.1.20:8027/",), table.now))
    assert table.session.phones.admitted_phones == ((PHONE, "Ann"),)
    table.press("right")
    assert table.session.screen.content(table.session).said == "the phone of the host and"
    table.press("#")
    assert (table.session.phones.host, table.session.phones.player_phones) == ("", ())


def test_a_phone_learns_what_was_changed_in_its_name_once_it_is_in(new_table):
    made = new_table()
    made.wait(3)
    made.session = phones_page.open_phones_page(made.session)
    made.carry_out()
    made.take_input(CodeIssued("K7Q2MB", made.now))
    assert ask(made, "pair", "K7Q2MB Zoe\u0308\u00a0B") == ""
    made.press("#")
    assert made.session.phones.player_of(PHONE) == "Zoë B"
    changes = "its spaces were tidied up and its accents were joined to their letters"
    assert dict(made.session.phones.phone_messages) == {PHONE: f"The name is now Zoë B: {changes}."}


def test_a_phone_brings_a_new_name_between_rounds(new_table, table):
    """Between rounds it may be a new player's; during a round only players at the table can come in."""
    assert ask(table, "pair", "K7Q2MB Zoë") == "Nobody named Zoë is at the table."
    made = new_table()
    made.wait(3)
    made.session = phones_page.open_phones_page(made.session)
    made.carry_out()
    made.take_input(CodeIssued("K7Q2MB", made.now))
    for name, why in (("Z, B", "no comma"), ("Ж", "can't show"), ("Z" * 17, "16 letters")):
        assert why in ask(made, "pair", f"K7Q2MB {name}")
    made.take_input(CodeIssued("K7Q2MB", made.now))
    admit_phone(made, "Zoë")
    assert "Zoë" in pairing.possible_phone_owners(made.session)
    assert seating.starting_names(made.session, 2)[0] == "Zoë", "who is in with a phone sits down first"
    made.session = phones_page.open_phones_page(made.session)
    made.carry_out()
    made.take_input(CodeIssued("K7Q2MB", made.now))
    assert ask(made, "pair", "K7Q2MB ZOË", OTHER) == ""
    assert made.session.screen.player == "Zoë"


def test_the_phone_of_a_nameless_player_follows_the_name(new_table):
    """Player 1's phone needn't be let in again when the seat gets a name; a name that has a phone keeps its own."""
    made = new_table()
    made.wait(3)
    made.session = phones_page.open_phones_page(made.session)
    made.carry_out()
    for name, phone in (("Player 1", PHONE), ("Player 2", OTHER)):
        made.session = made.session if made.family == "Phones" else phones_page.open_phones_page(made.session)
        made.carry_out()
        admit_phone(made, name, phone)
    setup = Setup("27", seat_count=2, names=("Player 1", "Player 2"))

    def sit(session, name: str, setup: Setup, seat: int):
        return next(
            item for item in seating.seat_question(session, setup, seat).list_items if name in item.names
        ).action(session)

    session = sit(made.session, "Ann", setup, 1)
    assert session.phones.player_of(PHONE) == "Ann"
    assert dict(session.phones.phone_messages)[PHONE] == "You are now Ann."
    setup = setup._replace(names=("Player 2", "Ann"))
    assert sit(session, "Ann", setup, 1).phones.player_phones == session.phones.player_phones, "they only change places"
    setup = setup._replace(names=("Ann", "Player 2"))
    assert sit(session, "Ben", setup, 2).phones.player_of(OTHER) == "Ben"


def test_five_wrong_codes_lock_pairing_for_a_minute(table):
    for _ in range(pairing.MAX_WRONG_TRIES):
        assert "not the code" in ask(table, "pair", "AAAAAA Ann")
    table.take_input(CodeIssued("NEWONE", table.now))
    assert "wait a minute" in ask(table, "pair", "NEWONE Ann")
    table.wait(pairing.LOCKED_SECONDS + 1)
    table.take_input(CodeIssued("NEWONE", table.now))
    assert ask(table, "pair", "NEWONE Ann") == ""


def test_the_code_comes_back_by_itself(table):
    """After too many wrong codes the panel says why there is none, and requests another one by itself."""
    for _ in range(pairing.MAX_WRONG_TRIES):
        ask(table, "pair", "AAAAAA Ann", "f" * 64)
    shown = table.session.screen.content(table.session)
    assert (shown.code, shown.waiting) == ("", "Too many tries: you will get a new code within a minute.")
    due = table.session.screen.next_change_time(table.session)
    assert due == table.session.phones.locked_until
    after = state_machine.update_session(table.session, Tick(due))
    assert after.outbox.requests == (Request.PHONE_CODE,)
    assert after.screen.next_change_time(after) is None, "it is asked for once"
    after = state_machine.update_session(
        after._replace(outbox=after.outbox._replace(requests=())), CodeIssued("NEWONE", due)
    )
    assert after.screen.content(after._replace(phones=after.phones._replace(addresses=("http://x/",)))).code == "NEWONE"


def test_a_phone_that_was_removed_learns_the_reason(table):
    """Another phone took its place, it was sent away, or the box said no: its page says so until it asks again."""
    admit_phone(table)
    admit_phone(table, "Ben", OTHER)
    assert ask(table, "sit", "Ann", OTHER) == ""
    table.press("#")
    assert client_snapshot(table.session)["news"] == {PHONE: "Ben's phone is now Ann's and replaces this one."}
    admit_phone(table, "Ann", PHONE)
    assert client_snapshot(table.session)["news"] == {OTHER: "Another phone is now Ann's and replaces this one."}
    assert ask(table, "host", "", PHONE) == ""
    table.press("*")
    assert client_snapshot(table.session)["news"][PHONE] == "The box said no."
    table.session = phones_page.open_phones_page(table.session)
    table.carry_out()
    table.press("B", "#")
    assert client_snapshot(table.session)["news"][PHONE] == "This phone was disconnected at the box."
    ask(table, "play", "1x1", PHONE)
    assert PHONE not in client_snapshot(table.session)["news"]


def test_messages_are_remembered_for_a_few_phones_only(table):
    """Strangers who are refused can't fill the table's memory."""
    session = table.session
    for number in range(50):
        session = session._replace(phones=session.phones.with_message(f"{number}", "no"))
    assert [phone for phone, _ in session.phones.phone_messages] == [
        f"{number}" for number in range(50 - MAX_PHONE_MESSAGES, 50)
    ]


def test_a_player_has_one_phone(table):
    """The phone that was let in last is the player's, and the one before is nobody's."""
    admit_phone(table)
    admit_phone(table, phone=OTHER)
    assert (table.session.phones.player_of(PHONE), table.session.phones.player_of(OTHER)) == ("", "Ann")


def test_switching_off_sends_all_phones_away(table):
    """OK on the page of phones asks first; a yes ends all phones' access."""
    admit_phone(table)
    table.session = phones_page.open_phones_page(table.session)
    table.carry_out()
    table.press("#")
    assert "Switch phones off?" in str(table.session.screen.content(table.session))
    table.press("*")
    assert (table.family, bool(table.session.phones.player_phones)) == ("Phones", True)
    table.wait(1)
    table.press("#")
    table.wait(1)
    table.press("#")
    assert table.session.phones.player_phones == ()
    assert "switched off" in ask(table, "play", "1x1")


def test_a_phones_move_is_checked_and_saved_like_a_key_press(table):
    """The record of a round played by phones is the one that keys would have made."""
    admit_phone(table)
    admit_phone(table, "Ben", OTHER)
    assert ask(table, "play", "1x3") == ""
    assert ask(table, "play", "9x2", OTHER) == ""
    assert table.events == ["1: 1x3", "2: 9x2"]
    assert table.replays_to_itself()


@pytest.mark.parametrize("text", ["9x1", "1x99"])
def test_a_forbidden_move_is_refused_on_the_panel_and_changes_nothing(table, text):
    """As at the box everybody sees what the rules forbid, and why; then the keypad's draft is back."""
    admit_phone(table)
    table.type("1")
    before = table.session.screen
    why = ask(table, "play", text)
    told = client_snapshot(table.session)["public"]["refusal"]
    assert told["figure"] in why
    assert table.session.outbox.sounds == ("refused",)
    assert table.events == []
    table.press("*")
    assert table.session.screen == before
    ask(table, "play", text)
    assert ask(table, "play", "1x3") == "", "the next move closes it"


@pytest.mark.parametrize("text", ["rubbish", "1", ""])
def test_an_invalid_move_is_refused_on_the_phone_only(table, text):
    """No page sends such a move, so nobody else has to know."""
    admit_phone(table)
    table.type("1")
    before = table.session.screen
    assert ask(table, "play", text)
    assert (table.session.screen, table.events) == (before, [])


def test_a_refusal_that_depends_on_hidden_pieces_stays_on_the_phone(new_table):
    """Only Ann may know that she holds no five; a wrong sum is for everybody."""
    made = new_table("coral-reef", opened=(("deal", 1), ("deal", 2)))
    made.wait(3)
    for seat, pieces in ((1, "AA223344"), (2, "JJQQKK99")):
        made.session = round_actions.enter_holding(made.session, "deal", seat, pieces)
    round_ = made.session.round
    made.session = made.session._replace(
        phones=PhoneAccess(is_on=True, player_phones=((PHONE, round_.player_name(round_.turn)),))
    )
    made.carry_out()
    sums = [f"{stack}:{''.join(corals)}" for stack in (1, 2, 3, 4) for corals in combinations("5678A234", 2)]
    possible = [text for text in sums if referee.public_refusal(round_, text) is None]
    for text in possible:
        assert ask(made, "play", text) == "" or made.family == "Playing"
        assert client_snapshot(made.session)["public"]["refusal"] is None
    assert possible
    assert client_snapshot(made.session)["public"]["refusal"] is None
    assert ask(made, "play", "2:KKKKKKK")
    assert made.family == "Refusing"


def test_a_named_hand_is_shown_while_others_still_name_theirs(new_table):
    """Its owner's phone shows it at once, and nobody else's."""
    made = new_table("coral-reef", opened=(("deal", 1), ("deal", 2)))
    made.wait(3)
    made.session = made.session._replace(phones=PhoneAccess(is_on=True, player_phones=((PHONE, "Ann"), (OTHER, "Ben"))))
    assert ask(made, "deal", "deal AA22334T") == ""
    told = client_snapshot(made.session)["seats"]
    assert told["Ann"]["pieces"] == "A A 2 2 3 3 4 10"
    assert told["Ben"]["pieces"] == ""


def test_a_drawn_card_is_shown_to_its_owner_before_it_is_sent(new_table, play_round):
    """On the panel it is a dot; the owner's phone shows what the button will send."""
    for seed in range(50):
        rng = random.Random(seed)
        made = new_table("coral-reef", opened=(("deal", 1), ("deal", 2)))
        round_ = made.session.round
        for (kind, seat), held in round_.game.deal_holdings(2, round_.options, rng.sample).items():
            made.session = round_actions.enter_holding(made.session, kind, seat, round_.game.format_deal(held))
        while (round_ := made.session.round).turn and not round_.move_input.must_draw(round_.state):
            made.session = round_actions.play_event(
                made.session, str(rng.choice(list(round_.game.legal_moves(round_.state))))
            )
            made.session = made.session.show_base_screen()
        if round_.turn:
            break
    found = judge_draft(made.session, round_.turn, "07")
    assert (found["text"], found["event"]) == ("draw 7", "draw 7")
    assert round_.judge_draft("07").text == "draw •"


def test_a_phone_moves_only_in_its_players_turn(table):
    """And a phone without a seat never moves."""
    admit_phone(table, "Ben")
    assert "is to move" in ask(table, "play", "1x1")
    assert "no seat" in ask(table, "play", "1x1", OTHER)
    assert table.events == []


def test_an_unknown_request_is_refused(table):
    admit_phone(table)
    assert "does not know" in ask(table, "dance")


def test_a_hand_is_entered_on_a_phone(new_table):
    """A phone names its own player's holding, once, and nobody else's."""
    made = new_table("coral-reef", opened=(("deal", 1), ("deal", 2)))
    made.wait(3)
    made.session = phones_page.open_phones_page(made.session)
    made.carry_out()
    admit_phone(made)
    assert "does not need" in ask(made, "deal", "rack A2345678")
    assert ask(made, "deal", "deal A A A A A A A A A")
    assert ask(made, "deal", "deal A 2 3 4 5 6 7 8") == ""
    assert made.session.round.deals == (("deal", 1, "A2345678"),)
    assert "does not need" in ask(made, "deal", "deal A 2 3 4 5 6 7 8")


def test_the_page_shows_an_address_while_it_is_served(table):
    """It appears when the web program reports it, and goes when that ends."""
    table.take_input(PagesServed(("http://10.0.0.2:8027/",), table.now))
    assert table.session.phones.addresses
    table.take_input(PagesServed((), table.now))
    assert table.session.phones.addresses == ()


@pytest.mark.parametrize("game", ["coral-reef", "prime-attactics", "ziggurat"])
@pytest.mark.parametrize("seed", range(example_count(30)))
def test_what_a_phone_gets_does_not_depend_on_others_hidden_pieces(
    new_table, play_round, settings_of_all_games, game, seed
):
    """Two tables that differ in one hidden holding send the same to everybody but its owner, move by move."""
    chance = random.Random(seed)
    _, options, players = chance.choice([each for each in settings_of_all_games if each[0] == game])
    kind = support_of_game(game).HIDDEN_HOLDING
    played = play_round(game, options, players, chance, share=1.0, longest=1)
    rules, dealt = played.rules, played.deals
    secret = chance.randint(2, players)
    mine = {key: pieces for key, pieces in dealt.items() if key[0] != kind or key[1] == secret}
    other = rules.deal_holdings(players, options, chance.sample)[kind, secret]
    told = []
    for held in (mine[kind, secret], other):
        made = new_table(game, names=("Ann", "Ben", "Cleo", "Dan")[:players], opened=tuple(mine), **options)
        made.wait(3)
        for key, pieces in mine.items():
            made.session = round_actions.enter_holding(
                made.session, *key, rules.format_deal(held if key == (kind, secret) else pieces)
            )
        made.carry_out()
        names = made.session.round.header.names
        words = client_snapshot(
            made.session._replace(
                phones=PhoneAccess(player_phones=tuple((name * 9, name) for name in names), is_on=True)
            )
        )
        for seat in range(1, players + 1):
            if seat != secret:
                words["judged", seat] = [
                    judge_draft(made.session, seat, keys) for keys in ("", "1", "12", "A3", "3344B")
                ]
        owner = words["seats"].pop(names[secret - 1])
        assert owner["pieces"]
        told.append(words)
    assert told[0] == told[1]


def test_a_move_closes_a_message(table):
    """A message at the box doesn't keep a phone from its move: the move counts as the press that closes it."""
    admit_phone(table)
    table.session = table.session.open_screens(Notice("skip", "Ben", ("has no move:",), ""))
    assert client_snapshot(table.session)["seats"]["Ann"]["turn"]
    assert ask(table, "play", "1x3") == ""
    assert table.events == ["1: 1x3"]


# -- a phone is a player's, not a seat's --------------------------------------------------------------------------


@pytest.fixture
def dealt(new_table):
    """A table of Coral Reef with both hands known, and a phone for each player."""
    made = new_table("coral-reef", opened=(("deal", 1), ("deal", 2)))
    made.wait(3)
    made.session = phones_page.open_phones_page(made.session)
    made.carry_out()
    admit_phone(made, "Ann", PHONE)
    admit_phone(made, "Ben", OTHER)
    assert ask(made, "deal", "deal A 2 3 4 5 6 7 8", PHONE) == ""
    assert ask(made, "deal", "deal A 2 3 4 5 6 7 K", OTHER) == ""
    return made


def seats_in_snapshot(table) -> dict:
    return client_snapshot(table.session)["seats"]


def test_a_phone_stays_with_its_player_when_seats_are_swapped(dealt):
    """In the next round of a match Ben sits first, and each phone shows its own player's hand."""
    dealt.session = round_actions.begin_next_round(dealt.session)
    dealt.carry_out()
    assert dealt.session.round.header.names == ("Ben", "Ann")
    assert "does not need" in ask(dealt, "deal", "rack A 2 3 4 5 6 7 8", PHONE)
    assert ask(dealt, "deal", "deal 9 9 9 8 8 8 7 7", PHONE) == ""
    assert dealt.session.round.deals == (("deal", 2, "77888999"),)
    assert ask(dealt, "deal", "deal A A A 2 2 2 3 3", OTHER) == ""
    assert seats_in_snapshot(dealt)["Ann"]["pieces"].split() == ["7", "7", "8", "8", "8", "9", "9", "9"]
    assert seats_in_snapshot(dealt)["Ben"]["pieces"].split() == ["A", "A", "A", "2", "2", "2", "3", "3"]
    assert seats_in_snapshot(dealt)["Ben"]["turn"]
    assert "Ben is to move" in ask(dealt, "play", "1:2", PHONE)


@pytest.mark.parametrize("names", [("Cleo", "Ben"), ("Ben", "Cleo"), ("Cleo", "Dan")])
def test_the_phone_of_a_player_who_sits_out_only_watches(dealt, names):
    """Others play the next round: Ann's phone shows no hand and moves for nobody, wherever they sit."""
    dealt.session = round_actions.begin_round(
        dealt.session.clear_table(), dealt.session.round.header._replace(names=names)
    )
    for seat in (1, 2):
        dealt.session = round_actions.enter_holding(
            dealt.session, "deal", seat, "AAA22233" if seat == 1 else "77888999"
        )
    dealt.carry_out()
    told = seats_in_snapshot(dealt)["Ann"]
    assert (told["plays"], told["pieces"], told["turn"], told["deal"], told["back"]) == (False, "", False, None, False)
    for what, text in (("play", "1:2"), ("back", ""), ("agree", ""), ("deal", "deal A A A 2 2 2 3 3")):
        assert "Ann is not playing" in ask(dealt, what, text)
    assert dealt.events == []


def test_a_phone_can_be_given_to_another_player(dealt):
    """A phone that named the wrong player asks again, without a new code, and OK at the box confirms."""
    dealt.session = round_actions.begin_round(
        dealt.session.clear_table(), dealt.session.round.header._replace(names=("Cleo", "Ben"))
    )
    dealt.carry_out()
    assert "Nobody named Ann" in ask(dealt, "sit", "Ann")
    assert ask(dealt, "sit", "Cleo") == ""
    assert dealt.family == "Letting"
    dealt.press("#")
    assert (dealt.session.phones.player_of(PHONE), pairing.phone_seat(dealt.session, PHONE)) == ("Cleo", 1)
    assert "no seat" in ask(dealt, "sit", "Ben", "c" * 64)


def test_a_refused_phone_cannot_ask_again_at_once(dealt):
    """BACK at the box means no for a minute, so that nobody is asked over and over. The phone stays its player's."""
    assert ask(dealt, "sit", "Ben") == ""
    dealt.press("*")
    assert dealt.session.phones.player_of(PHONE) == "Ann"
    assert "wait a minute" in ask(dealt, "sit", "Ben")
    dealt.wait(pairing.LOCKED_SECONDS + 1)
    assert ask(dealt, "sit", "Ben") == ""


def test_before_a_round_all_known_names_are_offered(new_table):
    """Players and configured names: nobody is called Player 1, unless a phone is."""
    made = new_table()
    made.press("*")
    assert client_snapshot(made.session)["names"] == ["Ann", "Ben"]
    made.session = phones_page.open_phones_page(made.session)
    made.carry_out()
    admit_phone(made, "Ben")
    assert seats_in_snapshot(made)["Ben"]["plays"]


def test_a_question_about_a_phone_hides_a_players_pieces(dealt):
    """They aren't shown again after the question, when others may look."""
    dealt.session = dealt.session.open_screens(LookAway(1), Peek(1, dealt.now + 30))
    assert ask(dealt, "sit", "Ben", OTHER) == ""
    assert dealt.family == "Letting"
    dealt.press("*")
    assert dealt.family == "Playing"


def test_no_phone_leads_out_of_an_empty_round(table):
    """A takeback before the first move leads to the setup, which is for the box's keys only."""
    admit_phone(table)
    assert "Nothing has been played" in ask(table, "back")
    assert table.family == "Playing"


def test_pieces_that_clash_with_hidden_ones_are_reported_to_everybody(new_table):
    """Nobody can silently find out what others hold by naming piece after piece. The box names no piece."""
    made = new_table("ziggurat", opened=(("deal", 1), ("deal", 2)))
    made.wait(3)
    made.session = made.session._replace(phones=PhoneAccess(is_on=True, player_phones=((PHONE, "Ann"), (OTHER, "Ben"))))
    rules, options = made.session.round.game, made.session.round.options
    pieces = rules.deal_holdings(2, options, random.Random(1).sample)["deal", 1]
    text = " ".join(map(str, pieces))
    assert ask(made, "deal", f"deal {text}") == ""
    assert "clash" in ask(made, "deal", f"deal {text}", OTHER)
    told = client_snapshot(made.session)["public"]["notice"]
    assert told[0] == "Ben"
    assert not any(str(piece) in " ".join(told) for piece in pieces)
    made.press("#")
    assert made.session.screen.seat == 2
    # A slip within one hand is a matter of its owner only.
    assert "two dominoes" not in ask(made, "deal", "deal 0-0 0-0", OTHER)
    assert made.family == "Dealing"


def test_a_message_at_the_box_does_not_block_a_takeback(dealt):
    """A phone may ask for one while a message waits for a press."""
    assert ask(dealt, "play", "1:45") == ""
    dealt.session = dealt.session.replace_screen(Notice("skip", "Ben", ("was skipped",), ""))
    assert ask(dealt, "back", "") == ""
    assert dealt.family == "Ask"
    assert ask(dealt, "agree", "", OTHER) == ""
    assert dealt.events == []


def test_a_drawn_piece_is_named_on_the_phone(new_table):
    """A refill is named by its player's phone as at the box."""
    made = new_table("prime-attactics", opened=(("deal", 1), ("deal", 2), ("rack", 1), ("rack", 2)))
    made.wait(3)
    made.session = made.session._replace(phones=PhoneAccess(is_on=True, player_phones=((PHONE, "Ann"), (OTHER, "Ben"))))
    chance = random.Random(5)
    rules = made.session.round.game
    dealt = rules.deal_holdings(2, made.session.round.options, chance.sample)
    for kind, seat in made.session.round.missing_holdings:
        words = f"{kind} {rules.format_deal(dealt[kind, seat])}"
        assert ask(made, "deal", words, (PHONE, OTHER)[seat - 1]) == ""
    play = next(move for move in rules.legal_moves(made.session.round.state) if "/" not in str(move))
    assert ask(made, "play", str(play)) == ""
    assert made.family == "Dealing"
    (due,) = rules.legal_moves(made.session.round.state)
    assert ask(made, "play", str(rules.complete_draw(made.session.round.state, due, chance.sample))) == ""
    assert made.family == "Playing"
    assert made.session.round.turn == 2


def test_a_phone_can_ask_whether_a_move_was_possible(dealt):
    """The answer marks what fits. There is a hint only where hints are on."""
    assert requests.could_have_moved_lines_for_phone(dealt.session, PHONE) == (
        "Could I have moved?",
        "Now, at move 1, Ann can move.",
    )
    assert requests.could_have_moved_lines_for_phone(dealt.session, OTHER) == ("Could I have moved?",)
    assert [seats_in_snapshot(dealt)[name]["could"] for name in ("Ann", "Ben")] == [True, False]
    assert "off" in requests.hint_request_or_refusal(dealt.session, PHONE)[1]
    assert judge_draft(dealt.session, 1, "")["text"] == ""
    assert judge_draft(dealt.session, 1, "145")["event"] == "1:45"
    dealt.session = dealt.session._replace(switches=dealt.session.switches._replace(hints=True))
    assert requests.hint_request_or_refusal(dealt.session, PHONE) == hints.hint_request(dealt.session.round)
    fits = {key["word"]: key["fits"] for key in judge_draft(dealt.session, 1, "1")["next"]}
    assert fits["A"]
    assert not fits["K"]  # The hand has no king.
    assert (
        requests.hint_request_or_refusal(dealt.session, "c" * 64)
        == requests.could_have_moved_lines_for_phone(dealt.session, "c" * 64)
        == ()
    )


def test_a_hint_is_only_for_the_phone_of_the_player_to_move(dealt):
    """The other phone is asked to wait for its turn; nobody gets a hint while a piece is to be named."""
    dealt.session = dealt.session._replace(switches=dealt.session.switches._replace(hints=True))
    admit_phone(dealt, "Ben", OTHER)
    assert requests.hint_request_or_refusal(dealt.session, OTHER) == (
        "Hint",
        "You can have a hint when it is your turn.",
    )
    assert requests.hint_request_or_refusal(dealt.session, PHONE).seat == 1


def finish_round(table) -> None:
    """Play the round on the table to its result."""
    while not table.session.has_result:
        round_ = table.session.round
        table.session = round_actions.play_event(table.session, str(next(iter(round_.game.legal_moves(round_.state)))))
        table.session = table.session.show_base_screen()
        table.carry_out()


def rematch_in_snapshot(table) -> dict | None:
    return client_snapshot(table.session)["public"]["rematch"]


@pytest.fixture
def finished(table):
    """A finished round of 27 between Ann and Ben, each with a phone."""
    admit_phone(table, "Ann", PHONE)
    admit_phone(table, "Ben", OTHER)
    assert rematch_in_snapshot(table) is None
    assert "No rematch" in ask(table, "rematch")
    finish_round(table)
    return table


def test_the_rematch_begins_when_all_phones_are_ready(finished):
    """Everybody sees who is ready. The next round begins with the other player; nobody is ready for the one after."""
    number = finished.session.round.id
    nobody = {"starts": "Ben", "ready": (), "awaited": ("Ann", "Ben"), "match": False}
    assert rematch_in_snapshot(finished) == nobody
    for _ in range(2):  # A second tap changes nothing.
        assert ask(finished, "rematch") == ""
        assert (finished.family, finished.session.round.id) == ("RoundOver", number)
        assert rematch_in_snapshot(finished) == nobody | {"ready": ("Ann",), "awaited": ("Ben",)}
    assert ask(finished, "rematch", phone=OTHER) == ""
    assert (finished.family, finished.session.round.id) == ("Playing", number + 1)
    assert finished.session.round.header.names == ("Ben", "Ann")
    assert rematch_in_snapshot(finished) is None
    finish_round(finished)
    assert rematch_in_snapshot(finished) == nobody | {"starts": "Ann", "awaited": ("Ben", "Ann")}


def test_players_keep_colour_and_shape_in_the_rematch(finished):
    """They swap seats, but not what is drawn for them: on the big screen, on phones, and on the panel."""

    def shapes_before_names(drawing: str) -> list[tuple[str, str]]:
        found = re.findall(r'class="(seat.)" d="M[0-9. ]+([aL])[^>]*><text[^>]*>(?:Ann →|← Ann|Ben →|← Ben)', drawing)
        assert len(found) == 2
        return found

    disc, diamond = ("seat1", "a"), ("seat2", "L")
    assert shapes_before_names(str(client_snapshot(finished.session)["public"]["board"])) == [disc, diamond]
    ask(finished, "rematch")
    ask(finished, "rematch", phone=OTHER)
    public = client_snapshot(finished.session)["public"]
    assert [(each["name"], public["colours"][each["name"]]) for each in public["players"]] == [("Ben", 2), ("Ann", 1)]
    for drawing in (public["board"], judge_draft(finished.session, 1, "")["board"]["svg"]):
        assert shapes_before_names(str(drawing)) == [diamond, disc]
    assert finished.session.player_colours == {"Ben": 2, "Ann": 1}


def test_the_box_begins_the_rematch_at_once(finished):
    """OK does what it always did, also while somebody is not ready."""
    assert ask(finished, "rematch") == ""
    finished.wait(2)
    finished.press("#")
    assert (finished.family, finished.session.round.header.names) == ("Playing", ("Ben", "Ann"))


def test_a_rematch_closes_what_was_left_open_but_no_question(finished):
    """A menu at the box is closed; a question to somebody has to be answered first. The result stays on the pages."""
    ask(finished, "rematch")
    finished.wait(2)
    finished.press("*")
    assert isinstance(finished.session.screen, TableMenu)
    assert client_snapshot(finished.session)["public"]["result"]["winners"]
    asking = finished.session
    finished.take_input(CodeIssued("K7Q2MB", finished.now))
    assert ask(finished, "pair", "K7Q2MB Ben", "c" * 64) == ""
    assert ask(finished, "rematch", phone=OTHER) == requests.BUSY_TEXT
    assert rematch_in_snapshot(finished)["awaited"] == ("Ben",)
    finished.session = asking
    assert ask(finished, "rematch", phone=OTHER) == ""
    assert finished.family == "Playing"


def test_only_players_with_a_phone_are_waited_for(new_table):
    """A computer player needs no readiness, and whoever plays at the box is not waited for."""
    for names, ready in ((("Ann", "box-1"), ("box-1",)), (("Ann", "Ben"), ())):
        made = new_table("27", names)
        made.wait(3)
        made.session = phones_page.open_phones_page(made.session)
        made.carry_out()
        admit_phone(made)
        finish_round(made)
        assert rematch_in_snapshot(made) == {"starts": names[1], "ready": ready, "awaited": ("Ann",), "match": False}
        assert ask(made, "rematch") == ""
        assert made.session.round.header.names == names[::-1]


def test_phones_go_on_in_a_match(finished):
    """The next round of the match begins, also over the match so far; after the match another one begins."""
    round_ = finished.session.round
    finished.session = round_actions.begin_round(finished.session, round_.header._replace(goal=2))
    for starts, is_open in (("Ben", True), ("Ann", True), ("Ben", False)):
        finish_round(finished)
        assert (rematch_in_snapshot(finished)["starts"], rematch_in_snapshot(finished)["match"]) == (starts, is_open)
        finished.wait(2)
        finished.press("#")
        assert finished.family == "MatchScore"
        assert ask(finished, "rematch") == ask(finished, "rematch", phone=OTHER) == ""
        assert finished.session.round.header.names[0] == starts
    assert (finished.session.round.header.number, finished.session.round.header.wins) == (1, ())


def test_where_a_pairing_waits_there_is_no_rematch(finished):
    offer = PairingOffer("1n1", "1", "Cup", 2, "27", finished.session.round.header.options, ("Ann", "Cleo"))
    finished.take_input(PairingOffered(offer, finished.now))
    assert rematch_in_snapshot(finished) is None
    assert "No rematch" in ask(finished, "rematch")


def test_a_phone_opens_the_look_back_and_closes_it(finished):
    """Everybody sees it at the box; before the result, and over another page, there is none."""
    assert ask(finished, "review") == ""
    assert isinstance(finished.session.screen, ReviewPage)
    assert ask(finished, "review", phone=OTHER) == ""
    assert finished.family == "RoundOver"
    finished.wait(2)
    finished.press("*")
    assert ask(finished, "review") == requests.BUSY_TEXT
    finished.press("*")
    for phone in (PHONE, OTHER):
        ask(finished, "rematch", phone=phone)
    assert ask(finished, "review") == requests.BUSY_TEXT
