"""A pairing that the club server offers: the box asks only at the main menu, and one OK begins it."""

from __future__ import annotations

import pytest
from lists import words_of
from of_game import options_of

from companion import display, games
from companion.evening.double_taps import DOUBLE_TAP_GUARD_SECONDS
from companion.evening.fields import ClubOffer
from companion.evening.screens.lists import TextPage
from companion.evening.screens.play.round_over import next_pairing
from companion.evening.screens.setup.offers import Offered
from companion.inputs import TAKE_BACK_KEY, PairingOffer, PairingOffered
from companion.table.workers import parse_offer

PAIRING = PairingOffer("7n1", "table-4", "Club evening", 2, "27", options_of("27", variant="expert"), ("Cleo", "Dan"))


@pytest.fixture
def table(desk):
    """A table at its main menu."""
    made = desk()
    made.wait(3)
    assert made.family == "Menu"
    return made


def offered(table, offer: PairingOffer | None = PAIRING) -> None:
    table.now += 2
    table.give(PairingOffered(offer, table.now))
    table.wait(DOUBLE_TAP_GUARD_SECONDS)


def test_one_ok_begins_the_round_with_names_and_options(table):
    offered(table)
    assert table.session.screen == Offered(PAIRING)
    table.press("#")
    round_ = table.session.round
    assert table.family == "Playing"
    assert (round_.header.game, round_.header.options, round_.header.names) == ("27", PAIRING.options, PAIRING.names)
    assert round_.header.goal == 0


def test_a_game_with_holdings_asks_which_are_open(table):
    game = next(each for each in games.built_in_manifests() if each.holdings and each.has_records)
    offered(table, PAIRING._replace(game=game.id, options=tuple(game.option_defaults.items())))
    table.press("#")
    assert (words_of(table.session), table.session.screen.setup.names) == (["secret", "told to me"], PAIRING.names)
    table.press(*"#" * len(game.holdings) * 2)
    assert table.session.round.header.names == PAIRING.names


def test_back_leaves_it_until_it_is_offered_once_more(table):
    offered(table)
    table.press("*")
    assert table.family == "Menu"
    offered(table)
    assert table.family == "Menu"
    offered(table, PAIRING._replace(id="7n2"))
    assert table.family == "Offered"


def test_it_waits_for_the_main_menu(table):
    """Nobody is disturbed during a round or a setup."""
    table.press("2")
    assert table.session.screen.setup is not None
    offered(table)
    assert table.session.screen.setup is not None
    table.press("*")
    assert table.family == "Offered"


def test_it_goes_when_the_hall_takes_it_back(table):
    offered(table)
    offered(table, None)
    assert table.family == "Menu"
    assert table.session.club_offer.offer is None


def test_it_goes_also_where_something_lies_over_the_question(table):
    """OK on the screen over it doesn't begin a pairing that was withdrawn meanwhile."""
    offered(table)
    table.session = table.session.open_screens(TextPage(lines=("Something", "else")))
    offered(table, None)
    table.press("#")
    assert (table.family, table.session.round) == ("Menu", None)


@pytest.mark.parametrize("following", [None, PAIRING._replace(id="8n1", names=("Ida", "Fritz"))])
def test_a_pairing_that_is_withdrawn_while_it_is_played_is_reported_once(table, following, golden):
    """The players learn it even with a dark panel, and the draft is kept."""
    offered(table)
    table.press("#", "1")
    entry = table.session.screen
    offered(table, PAIRING._replace(names=("Cleo", "Daniel")))
    offered(table, PAIRING._replace(id="7n2"))
    assert table.session.screen == entry, "renamed, or offered once more: the round counts as before"
    table.wait(1000)
    assert table.session.light == "off"
    offered(table, following)
    assert (table.family, table.session.light) == ("Notice", "on")
    assert table.session.screen.heading == "Organiser"
    if following is None:
        golden(display.session_picture(table.session), "pairing-withdrawn")
    table.wait(DOUBLE_TAP_GUARD_SECONDS)
    table.press("#")
    assert table.session.screen == entry
    offered(table, following)
    assert table.session.screen == entry


def test_a_pairing_that_was_withdrawn_before_its_round_began_is_reported_then(table):
    """Also after a restart: the round goes on, and the server has nothing for this table any more."""
    offered(table)
    table.press("#")
    kept = table.session.round
    table.session = table.session._replace(round=None, club_offer=ClubOffer())
    offered(table, None)
    table.session = table.session._replace(round=kept).show_base_screen()
    table.press("1")
    assert table.family == "Notice"


def test_a_result_that_is_taken_back_is_no_withdrawn_pairing(table):
    """The server has the result, so it offers nothing until it learns that the round goes on."""
    offered(table)
    table.press("#")
    finish(table)
    offered(table, None)
    table.press(TAKE_BACK_KEY)
    table.wait(DOUBLE_TAP_GUARD_SECONDS)
    table.press("#")
    assert (table.session.round.header.pairing, table.session.round.is_over) == (PAIRING.id, False)
    assert table.family == "Playing"


def test_a_dark_panel_is_lit_for_it(table):
    table.wait(1000)
    assert table.session.light == "off"
    offered(table)
    assert table.session.light == "on"
    assert table.family == "Offered"


def test_a_key_in_the_moment_it_appears_begins_nothing(table):
    table.now += 2
    table.give(PairingOffered(PAIRING, table.now))
    table.press("#", apart=0.1)
    assert table.family == "Offered"
    assert table.session.round is None


@pytest.mark.parametrize(
    "more",
    [
        {"game": "chess"},
        {"options": (("variant", "huge"),)},
        {"options": ()},
        {"names": ("Ann", "Ann")},
        {"names": ("Ann", "x" * 17)},
        {"names": ("Ann", "a,b")},
        {"names": ("Ann", "")},
        {"game": "score-pad", "options": ()},
    ],
)
def test_what_cannot_be_played_here_is_told_and_not_asked(table, more):
    offered(table, PAIRING._replace(**more))
    assert table.family == "Menu"
    assert table.session.club_offer.offer is None
    assert "can't be played here" in table.session.banner


SAID = {"id": "7n1", "table": "table-4", "event": "E", "round": 2, "game": "27", "options": dict(PAIRING.options),
        "players": ["Cleo", "Dan"]}  # fmt: skip


def test_the_socket_s_words_become_an_input():
    assert parse_offer({"offer": SAID}).offer == PAIRING._replace(event="E")
    assert parse_offer({"offer": None}).offer is None


@pytest.mark.parametrize(
    "said",
    [
        {"offer": []},
        {"offer": SAID | {"players": ["Cleo"]}},
        {"offer": SAID | {"players": ["Cleo", 7]}},
        {"offer": SAID | {"round": "2"}},
        {"offer": SAID | {"round": -1}},
        {"offer": SAID | {"event": "x" * 65}},
        {"offer": SAID | {"options": {"variant": 7}}},
        {"ask": 1, "phone": "x", "what": "pair", "text": "A"},
        {},
    ],
)
def test_anything_else_on_the_socket_is_passed_over(said):
    assert parse_offer(said) is None


def test_the_round_of_a_pairing_knows_it_and_the_next_one_does_not(table):
    """Not what is played after it."""
    offered(table)
    table.press("#")
    assert table.session.round.header.pairing == PAIRING.id
    finish(table)
    offered(table, None)
    table.press("#")
    assert (table.session.round.header.pairing, table.session.round.header.names) == ("", ("Dan", "Cleo"))


def test_a_round_like_a_pairing_s_that_is_chosen_in_the_menu_is_for_fun(table):
    """The box remembers the game and the names of the pairing's round, and not the pairing."""
    offered(table)
    table.press("#")
    (head,) = (each for each in table.session.history.recent_headers if each.game == PAIRING.game)
    assert (head.names, head.pairing) == (PAIRING.names, "")


def test_setting_up_that_is_left_is_offered_again_and_what_follows_is_for_fun(table):
    game = next(each for each in games.built_in_manifests() if each.holdings and each.has_records)
    offered(table, PAIRING._replace(game=game.id, options=tuple(game.option_defaults.items())))
    table.press("#")
    while table.family != "Offered":
        table.press("*")
        table.wait(DOUBLE_TAP_GUARD_SECONDS)
    table.press("*")
    table.press(str(1 + [each.id for each in games.all_manifests()].index(game.id)))
    assert table.session.screen.setup.offer_id == ""


def finish(table) -> None:
    """Play the round on the table to its end, always with the first legal move."""
    while (round_ := table.session.round).turn is not None:
        move = sorted(round_.game.legal_moves(round_.state), key=str)[0]
        table.press(*[key for key in str(move) if key.isdigit()], "#")
        while table.family == "Notice":
            table.wait(DOUBLE_TAP_GUARD_SECONDS)
            table.press("#")
    assert table.family == "RoundOver"
    table.wait(DOUBLE_TAP_GUARD_SECONDS)


def test_ok_at_a_result_leads_to_the_pairing_that_waits(table):
    """Not to its own, which the server hasn't withdrawn yet, but again to one that was put off before."""
    offered(table)
    table.press("#")
    finish(table)
    offered(table, PAIRING)
    assert next_pairing(table.session) is None
    table.press("#")  # Once more for fun, while the hall is out of reach.
    finish(table)
    assert next_pairing(table.session) is None
    following = PAIRING._replace(id="8n1", names=("Ida", "Fritz"))
    offered(table, following)
    assert table.family == "RoundOver"
    table.press("#")
    table.wait(DOUBLE_TAP_GUARD_SECONDS)
    assert table.session.screen.offer == following
    table.press("#")
    assert table.session.round.header.names == following.names


@pytest.mark.parametrize("names", [("Ida", "Fritz"), ("Maximilian", "Bartholomew"), ("WWWWWWWWWWWWWWWW", "Ann")])
def test_the_result_names_who_plays_next(table, names, golden):
    table.session = table.session._replace(uses_buttons=names[0] != "Ida")
    offered(table)
    table.press("#")
    finish(table)
    offered(table, PAIRING._replace(id="8n1", names=names))
    golden(display.session_picture(table.session), f"next-pairing-{names[0].lower()}")
