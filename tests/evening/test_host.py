"""The host's phone: how the box lets it in, what it may change, and how a phone is sent away."""

from __future__ import annotations

import json
import random

import pytest

from companion.evening.screens.base_screen import open_due_screens
from companion.evening.screens.messages import Confirmation
from companion.evening.screens.pad import pad_actions
from companion.evening.screens.phones import pairing, phones_page, requests
from companion.evening.screens.phones.phones_page import PhoneAdmission, Phones
from companion.evening.screens.play import round_actions
from companion.evening.screens.setup import seats
from companion.evening.screens.setup.setup_form import setup_forms
from companion.evening.session_values import PhoneAccess, Setup
from companion.inputs import CodeIssued, NameChangeRequest, QueryResult, StoredRoundChangeRequest, parse_request
from companion.rounds.stored import FinishedRound, RoundHeader, StoredHistory, StoredRound
from companion.table.phone_view import client_snapshot

HOST, OTHER = "c" * 64, "d" * 64


def ask(table, what, text="", phone=HOST) -> str | None:
    """The reply to a phone: "" where its request was granted, None while the store has not answered yet."""
    return table.request(phone, what, text, apart=0.1)


@pytest.fixture
def table(table_class):
    """A table at the main menu, with phones switched on and the code K7Q2MB on the page."""
    made = table_class()
    made.wait(3)
    made.session = phones_page.open_phones_page(made.session)
    made.carry_out()
    made.take_input(CodeIssued("K7Q2MB", made.now))
    return made


@pytest.fixture
def hosted(table):
    """A table that has let the host's phone in."""
    assert ask(table, "host", "K7Q2MB") == ""
    table.press("#")
    assert table.session.phones.host == HOST
    table.press("*")
    return table


def test_the_host_is_let_in_like_a_player(table):
    """Code, question at the box, OK. Every client learns whose phone it is."""
    assert ask(table, "host", "AAAAAA") == "This is not the code that the box shows."
    assert ask(table, "host", "K7Q2MB") == ""
    assert table.session.screen == PhoneAdmission(HOST, "")
    assert client_snapshot(table.session)["asks"] == HOST
    assert client_snapshot(table.session)["host"] == ""
    table.press("#")
    assert (client_snapshot(table.session)["asks"], client_snapshot(table.session)["host"]) == ("", HOST)


def test_without_a_code_only_a_phone_that_is_in_may_ask(table):
    """A player's phone may ask the box; a stranger's is told that it needs the code."""
    table.session = table.session._replace(phones=table.session.phones._replace(player_phones=((OTHER, "Ann"),)))
    assert ask(table, "host", "") == "This is not the code that the box shows."
    assert ask(table, "host", "", OTHER) == ""
    table.press("#")
    assert table.session.phones.host == OTHER
    assert table.session.phones.player_phones == ((OTHER, "Ann"),)


def test_the_box_may_refuse_the_host(table):
    """Then the phone isn't the host's, and one that is in already can't ask again at once."""
    table.session = table.session._replace(phones=table.session.phones._replace(player_phones=((OTHER, "Ann"),)))
    ask(table, "host", "", OTHER)
    table.press("*")
    assert table.session.phones.host == ""
    assert ask(table, "host", "", OTHER) == pairing.LOCKED_TEXT


@pytest.mark.parametrize("words", [("favour", "Zoe"), ("rename", "Ann,Zoe"), ("merge", "Ann,Ben"), ("points", "1 +5"),
                                   ("void", "1"), ("restore", "1"), ("correct", "1 1: +5")])  # fmt: skip
def test_only_the_host_changes_anything(hosted, words):
    """Any other phone is refused, even a player's."""
    hosted.session = hosted.session._replace(phones=hosted.session.phones._replace(player_phones=((OTHER, "Ann"),)))
    before = hosted.session.history
    assert "not the host's" in ask(hosted, *words, phone=OTHER)
    assert hosted.session.history == before
    assert not any(isinstance(each, NameChangeRequest | StoredRoundChangeRequest) for each in hosted.requests)


def test_switching_phones_off_removes_the_host(hosted):
    hosted.session = phones_page.open_phones_page(hosted.session)
    hosted.carry_out()
    hosted.press("#")
    hosted.wait(1)
    hosted.press("#")
    assert hosted.session.phones.host == ""


@pytest.mark.parametrize("what", ["void", "restore", "correct"])
def test_a_round_is_changed_between_two_rounds(hosted, what):
    """At the main menu the request goes to the store; during a round the host is asked to wait."""
    whole = "12 1: +5\n2: -3" if what == "correct" else "12"
    assert ask(hosted, what, whole) is None
    assert hosted.requests[-1] == StoredRoundChangeRequest(12, what, whole[3:], 7, HOST)
    hosted.take_input(QueryResult(hosted.requests[-1], ("Round 12 is not void.", None), hosted.now))
    assert hosted.phone_replies[-1] == (7, "Round 12 is not void.")
    shown = hosted.session
    hosted.session = shown.open_screens(Confirmation(lambda session: session, "Sure?", ()))
    assert ask(hosted, what, whole) == "First close what the box shows, then try again."
    hosted.session = shown
    hosted.session = pad_actions.begin_pad(hosted.session, RoundHeader("pad", (), ("Ann", "Ben")))
    assert "between rounds" in ask(hosted, what, whole)


# -- names --------------------------------------------------------------------------------------------------------


def test_favourites_are_offered_first_and_saved(hosted):
    """The list of names begins with them; the default seating stays as it was."""
    before = seats.starting_names(hosted.session, 2)
    assert ask(hosted, "favour", "Zoe") == ""
    assert hosted.session.history.favourites == ("Zoe",)
    assert [(line.round, line.kind, line.text) for line in hosted.saved_lines][-1] == (0, "favour", "Zoe")
    setup = Setup("27", (), names=("Ann", "Ben"), seat_count=2)
    assert seats.seat_question(hosted.session, setup, 1).list_items[0].label == "Zoe"
    assert seats.starting_names(hosted.session, 2) == before
    assert ask(hosted, "unfavour", "Zoe") == ""
    assert hosted.session.history.favourites == ()


@pytest.mark.parametrize("name", ["", " ", "A" * 17, "Ann,Ben", "\x00", "王小明", "aNN"])
def test_an_invalid_name_is_refused(hosted, name):
    """The host may use the same names as the box."""
    assert ask(hosted, "favour", name)
    assert hosted.session.history.favourites == ()


def test_a_phone_learns_what_was_changed_in_its_name(hosted):
    """Nobody can see a hidden character. If the name was refused, nothing is said about a change."""
    told = "The name is now Zoe: a hidden character was removed."
    assert ask(hosted, "favour", "Zoe\u200b") == ""
    assert client_snapshot(hosted.session)["news"] == {HOST: told}
    assert ask(hosted, "favour", "A,\u200b")
    assert client_snapshot(hosted.session)["news"] == {}
    assert ask(hosted, "rename", "Ann,Jo\u00a0Lee") is None
    assert hosted.requests[-1].new == "Jo Lee"
    assert client_snapshot(hosted.session)["news"] == {HOST: "The name is now Jo Lee: its spaces were tidied up."}


def test_a_name_is_changed_in_the_store_and_then_in_the_session(hosted):
    """The request is answered when the store has done it. The player's phone and the favourites follow."""
    hosted.session = hosted.session._replace(phones=hosted.session.phones._replace(player_phones=((OTHER, "Ann"),)))
    ask(hosted, "favour", "Ann")
    assert ask(hosted, "rename", "Ann,Anna") is None
    request = hosted.requests[-1]
    assert request == NameChangeRequest("Ann", "Anna", False, 7, HOST)
    history = StoredHistory(
        player_names=("Anna", "Ben"), favourites=("Ann",), evening_rounds=(FinishedRound("27", ("Anna",), (), ()),)
    )
    hosted.take_input(QueryResult(request, ("", history), hosted.now))
    assert hosted.phone_replies[-1] == (7, "")
    assert hosted.session.history.player_names == ("Anna", "Ben")
    assert hosted.session.history.favourites == ("Anna",)
    assert hosted.session.phones.player_phones == ((OTHER, "Anna"),)


def test_of_two_merged_players_the_phone_of_the_remaining_name_stays(hosted):
    hosted.session = hosted.session._replace(
        phones=hosted.session.phones._replace(player_phones=((OTHER, "Ann"), ("e" * 64, "Anna")))
    )
    ask(hosted, "merge", "Ann,Anna")
    hosted.take_input(QueryResult(hosted.requests[-1], ("", StoredHistory()), hosted.now))
    assert hosted.session.phones.player_phones == (("e" * 64, "Anna"),)


def test_a_refusal_of_the_store_reaches_the_host(hosted):
    """Then nothing has changed."""
    before = hosted.session.history
    ask(hosted, "rename", "Ann,Ben")
    hosted.take_input(QueryResult(hosted.requests[-1], ("Another player is named Ben.", None), hosted.now))
    assert hosted.phone_replies[-1] == (7, "Another player is named Ben.")
    assert hosted.session.history == before


def test_names_cannot_be_changed_during_a_round(new_table):
    table = new_table("27")
    table.wait(3)
    table.session = table.session._replace(phones=PhoneAccess(is_on=True, host=HOST))
    assert "between rounds" in ask(table, "rename", "Ann,Zoe")


def changed_after(table_of_round, played, change, text, goal=0):
    """The public snapshot after a change at a finished round, which a refused change leaves as it was."""
    table = table_of_round(played)
    for _, move in played.events:
        table.session = open_due_screens(round_actions.play_event(table.session, str(move)))
    table.wait(3)
    round_ = table.session.round
    header = round_.header._replace(goal=goal)
    table.session = table.session._replace(
        round=round_._replace(header=header), phones=PhoneAccess(is_on=True, host=HOST)
    )
    before = client_snapshot(table.session)["public"]
    assert ask(table, change, text) is None
    request = table.requests[-1]
    table.take_input(QueryResult(request, ("No.", None), table.now))
    assert client_snapshot(table.session)["public"] == before
    shorter = StoredRound(round_.id, header, round_.deals, round_.events, str(round_.outcome.result))
    shown = ((), (shorter, None, False)) if isinstance(request, StoredRoundChangeRequest) else ()
    table.take_input(QueryResult(request, ("", StoredHistory(), *shown), table.now))
    return before, client_snapshot(table.session)["public"]


def test_a_result_and_its_rematch_stay_when_saved_rounds_change(table_of_round, play_round):
    """With a player's new name; the changed round itself is shown as it is now, and a void one says so."""
    played = play_round("27", {"variant": "basic"}, 2, random.Random(5))
    for change, text in (("void", "7"), ("restore", "7"), ("correct", "7 1x1"), ("correct", "1 1x1")):
        before, after = changed_after(table_of_round, played, change, text)
        assert after["rematch"]
        assert after["result"] == before["result"]
    before, after = changed_after(table_of_round, played, "void", "1")
    assert after["rematch"] == before["rematch"]
    assert after["notice"] == ["Round 1 is void", "It doesn't count.", "You can still play a rematch"]
    before, after = changed_after(table_of_round, played, "rename", "Ben,Zoe")
    assert [each["name"] for each in after["players"]] == ["Ann", "Zoe"]
    assert (before["rematch"]["starts"], after["rematch"]["starts"]) == ("Ben", "Zoe")


def test_a_result_that_may_be_wrong_leaves_the_table(table_of_round, play_round):
    """In a match the wins may count differently now, and one player can't have two seats."""
    played = play_round("27", {"variant": "basic"}, 2, random.Random(5))
    for change, text, goal in (("void", "7", 3), ("correct", "1 1x1", 3), ("merge", "Ben,Ann", 0)):
        _, after = changed_after(table_of_round, played, change, text, goal)
        assert (after["result"], after["rematch"], after["players"]) == (None, None, [])


def test_a_round_can_be_left_while_pieces_are_named(new_table):
    """From the host's phone, where no other entry of the menu disturbs whoever names them at the box."""
    table = new_table("coral-reef", opened=[("deal", 1)])
    table.wait(3)
    table.session = table.session._replace(phones=PhoneAccess(is_on=True, host=HOST))
    remote = client_snapshot(table.session)["remote"]
    assert [each["word"] for each in remote["menu"]] == ["phones", "leave"]
    assert ask(table, "press", f"{remote['seen']} menu leave") == ""
    assert isinstance(table.session.screen, Confirmation)


# -- the score pad --------------------------------------------------------------------------------------------------


@pytest.fixture
def scoring(hosted):
    options = (("title", "Skat"), ("wins", "highest"), ("target", "20"), ("turns", "0"))
    hosted.session = pad_actions.begin_pad(hosted.session, RoundHeader("pad", options, ("Ann", "Ben")))
    hosted.carry_out()
    return hosted


def test_the_host_enters_points(scoring):
    """They are saved like points that are entered at the box, and every page shows the sheet."""
    assert ask(scoring, "points", "2 +15") == ""
    assert ask(scoring, "points", "1 -3") == ""
    assert scoring.session.pad.pad.totals == (-3, 15)
    assert client_snapshot(scoring.session)["public"]["sheet"]["rows"] == [["-3", "+15"]]
    assert scoring.replays_to_itself()


def test_the_draft_at_the_box_is_kept(scoring):
    """The host's points don't touch the points in the keypad's draft."""
    scoring.press("4")
    before = scoring.session.screen
    assert ask(scoring, "points", "2 +5") == ""
    assert scoring.session.screen == before
    scoring.press("#")
    assert scoring.session.pad.pad.totals == (4, 5)


def test_reaching_the_target_opens_the_question_at_the_box(scoring):
    """Points that reach it bring up the question whether the game is over."""
    assert ask(scoring, "points", "2 +20") == ""
    assert isinstance(scoring.session.screen, Confirmation)
    assert ask(scoring, "points", "2 +1") == "The box is busy: look at what it shows."


@pytest.mark.parametrize("text", ["3 +5", "0 +5", "x +5", "1 five", "1 +9999999", "1", "", "1 +5 +5"])
def test_invalid_points_are_refused(scoring, text):
    assert "whole number" in ask(scoring, "points", text)
    assert scoring.session.pad.is_empty


def test_a_player_who_has_had_all_turns_gets_no_points(scoring):
    """Where turns are counted, each player has as many as were chosen."""
    pad = scoring.session.pad.pad._replace(turn_limit=1)
    scoring.session = scoring.session._replace(pad=scoring.session.pad._replace(pad=pad))
    assert ask(scoring, "points", "2 +5") == ""
    assert ask(scoring, "points", "2 +1") == "Ben has no turns left."


def test_points_without_a_pad_are_refused(hosted):
    assert ask(hosted, "points", "1 +5") == "No score pad is on the table."


# -- phones taken away ----------------------------------------------------------------------------------------------


def test_the_box_sends_one_phone_away(hosted):
    """Right leads from the code to each phone. OK sends that one away, and the others stay."""
    hosted.session = hosted.session._replace(
        phones=hosted.session.phones._replace(player_phones=(("a" * 64, "Ann"), ("b" * 64, "Ben")))
    )
    hosted.session = phones_page.open_phones_page(hosted.session)
    hosted.carry_out()
    hosted.press("B", "B")
    assert hosted.session.screen.page_number == 2
    hosted.press("#")
    assert hosted.session.phones.player_phones == (("a" * 64, "Ann"),)
    assert hosted.session.phones.host == HOST
    assert "Ben" not in client_snapshot(hosted.session)["seats"]
    hosted.press("#")  # The host's page has come in its place.
    assert hosted.session.phones.host == ""
    assert hosted.session.phones.is_on
    hosted.press("*")
    assert hosted.session.screen.page_number == 0
    assert isinstance(hosted.session.screen, Phones)


def test_another_phone_takes_over_a_player(hosted):
    """A phone that scans the code as the same player replaces the one before."""
    hosted.session = hosted.session._replace(phones=hosted.session.phones._replace(player_phones=((OTHER, "Ann"),)))
    hosted.session = phones_page.open_phones_page(hosted.session)
    hosted.carry_out()
    hosted.take_input(CodeIssued("K7Q2MB", hosted.now))
    assert ask(hosted, "pair", "K7Q2MB Ann", "f" * 64) == ""
    hosted.press("#")
    assert hosted.session.phones.player_phones == (("f" * 64, "Ann"),)


# -- a new round on one form ------------------------------------------------------------------------------------

FORM = {"game": "27", "options": {"variant": "expert"}, "names": ["Ann", "Ben"], "goal": 0, "clock": "", "opened": [],
        "hints": True}  # fmt: skip
PAD = {"title": "Skat", "wins": "highest", "target": "100", "turns": "0"}


def start(table, **changes) -> str:
    return ask(table, "start", json.dumps(FORM | changes))


def test_a_round_begins_with_everything_that_was_chosen(hosted):
    """Game, options, names in their order, match, clock and hints."""
    assert start(hosted, names=[" Zoe ", "Ben"], goal=2, clock="600+5") == ""
    header = hosted.session.round.header
    assert (header.game, dict(header.options), header.names) == ("27", {"variant": "expert"}, ("Zoe", "Ben"))
    assert (header.goal, header.clock, hosted.session.switches.hints) == (2, "600+5", True)
    assert hosted.family == "Playing"


def test_what_is_told_to_the_box_is_entered_before_the_round(hosted):
    options = {"level": "full", "start": "11"}
    assert start(hosted, game="prime-attactics", options=options, opened=["deal 1", "rack 2"]) == ""
    assert hosted.session.round.header.opened == (("deal", 1), ("rack", 2))
    assert hosted.family == "Dealing"


def test_a_score_pad_begins_too(hosted):
    assert start(hosted, game="pad", options=PAD, names=["Ann", "Ben", "Cleo"]) == ""
    assert hosted.session.pad.header.names == ("Ann", "Ben", "Cleo")
    assert (hosted.session.pad.pad.title, hosted.session.pad.pad.target) == ("Skat", 100)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"names": ["Ann", "Ann"]}, "Each seat needs a different player."),
        ({"names": ["Ann"]}, "27 is not for 1 player."),
        ({"names": ["Ann", "Ben", "Cleo"]}, "27 is not for 3 players."),
        ({"names": ["Ann", ""]}, "Enter a name."),
        ({"names": ["Ann", "A" * 17]}, "A name has 1 to 16 letters, and no comma."),
        ({"names": ["Ann", "box-1"], "game": "coral-reef", "options": {"form": "cards"}},
         "box-1 is the box's own name when it plays."),
        ({"names": ["Zoe", "zoe"]}, "Zoe exists already: only the capitals differ."),
        ({"game": "chess"}, "This is not possible here."),
        ({"options": {"variant": "other"}}, "This is not possible here."),
        ({"options": {}}, "This is not possible here."),
        ({"goal": 9}, "This is not possible here."),
        ({"clock": "1+2+3"}, "This is not possible here."),
        ({"clock": "99999"}, "This is not possible here."),
        ({"opened": ["deal 1"]}, "This is not possible here."),
        ({"game": "pad", "options": PAD | {"turns": "5"}}, "Choose one end: the points or the turns."),
        ({"game": "pad", "options": PAD | {"target": "-5"}}, "Enter a number."),
        ({"game": "pad", "options": PAD | {"target": "1000001"}}, "Enter a number."),
        ({"game": "pad", "options": PAD | {"target": "0" * 9 + "1000001"}}, "Enter a number."),
        ({"game": "pad", "options": PAD | {"title": ""}}, "Enter a name."),
        ({"game": "pad", "options": {}}, "This is not possible here."),
    ],
)  # fmt: skip
def test_a_form_that_cannot_be_played_is_refused_in_a_sentence(hosted, changes, reason):
    """Nothing has changed then."""
    before = hosted.session.screens, hosted.session.switches
    assert start(hosted, **changes) == reason
    assert (hosted.session.screens, hosted.session.switches) == before
    assert hosted.session.round is hosted.session.pad is None


@pytest.mark.parametrize("text", ["", "27", "[]", "{}", json.dumps(FORM | {"names": [1, 2]}), "[" * 9000])
def test_a_start_that_is_no_form_is_unknown(text):
    assert parse_request("start", text) is None


def test_nothing_begins_over_a_game_or_a_question(hosted):
    assert start(hosted) == ""
    assert start(hosted, names=["Cleo", "Dan"]) == "A game is on the table: leave it first."
    hosted.session = hosted.session.clear_table()
    hosted.session = hosted.session.open_screens(Confirmation(lambda session: session, "Really?", ("x",)))
    assert start(hosted) == "The box waits for an answer: look at what it shows."
    hosted.session = hosted.session.close_screen()
    assert start(hosted) == ""


def test_a_match_is_not_thrown_away(hosted, play_round):
    """Between its rounds only the next one can begin, until the match is left."""
    assert start(hosted, options={"variant": "basic"}, goal=2) == ""
    for _, move in play_round("27", {"variant": "basic"}, 2, random.Random(5)).events:
        hosted.session = round_actions.play_event(hosted.session, str(move))
    assert hosted.session.round.is_over
    assert start(hosted) == "A match is being played: go on with it, or leave it first."
    header = hosted.session.round.header._replace(goal=0)
    hosted.session = hosted.session._replace(round=hosted.session.round._replace(header=header))
    assert start(hosted) == ""


def test_only_the_host_begins_a_round(hosted):
    assert ask(hosted, "start", json.dumps(FORM), OTHER) == requests.NOT_HOST_TEXT
    assert hosted.session.round is None


def test_the_phone_of_a_nameless_player_follows_to_the_new_name(hosted):
    """As it does when the box asks for the names."""
    phones = hosted.session.phones._replace(player_phones=((OTHER, "Player 1"),))
    hosted.session = hosted.session._replace(phones=phones)
    assert start(hosted, names=["Zoe", "Ben"]) == ""
    assert hosted.session.phones.player_of(OTHER) == "Zoe"


def test_a_form_begins_with_the_choices_of_the_last_round(hosted):
    assert start(hosted, names=["Zoe", "Ben"], clock="600+5") == ""
    hosted.session = hosted.session.clear_table()
    forms = setup_forms(hosted.session)
    form = next(each for each in forms["games"] if each["id"] == "27")
    assert (form["names"], form["options"][0]["chosen"], form["clock"][0]) == (["Zoe", "Ben"], "expert", "600+5")
    assert forms["hints"]
    assert {"Zoe", "Ben"} <= set(forms["people"])
