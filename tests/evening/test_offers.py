"""A pairing that the club server offers: the box asks only at the main menu, and one OK begins it."""

from __future__ import annotations

import pytest
from game_support import all_options
from list_screens import list_texts

from companion import display, games
from companion.evening.double_taps import DOUBLE_TAP_GUARD_SECONDS
from companion.evening.screens.lists import TextPage
from companion.evening.screens.play.round_over import next_pairing
from companion.evening.screens.setup.offers import Offered
from companion.evening.session_values import ClubOffer
from companion.inputs import TAKE_BACK_KEY, PairingOffer, PairingOffered
from companion.table.workers import parse_offer

PAIRING = PairingOffer("7n1", "table-4", "Club evening", 2, "27", all_options("27", variant="expert"), ("Cleo", "Dan"))


@pytest.fixture
def table(new_table):
    """A table at its main menu."""
    made = new_table()
    made.wait(3)
    assert made.family == "Menu"
    return made


def with_offer(table, offer: PairingOffer | None = PAIRING) -> None:
    table.now += 2
    table.take_input(PairingOffered(offer, table.now))
    table.wait(DOUBLE_TAP_GUARD_SECONDS)


def test_one_ok_begins_the_round_with_names_and_options(table):
    with_offer(table)
    assert table.session.screen == Offered(PAIRING)
    table.press("#")
    round_ = table.session.round
    assert table.family == "Playing"
    assert (round_.header.game, round_.header.options, round_.header.names) == ("27", PAIRING.options, PAIRING.names)
    assert round_.header.goal == 0


def test_a_game_with_holdings_asks_which_are_open(table):
    game = next(each for each in games.built_in_manifests() if each.holdings and each.has_records)
    with_offer(table, PAIRING._replace(game=game.id, options=tuple(game.option_defaults.items())))
    table.press("#")
    assert (list_texts(table.session), table.session.screen.setup.names) == (["secret", "open"], PAIRING.names)
    table.press(*"#" * len(game.holdings) * 2)
    assert table.session.round.header.names == PAIRING.names


def test_back_puts_it_off_until_it_is_offered_again(table):
    with_offer(table)
    table.press("*")
    assert table.family == "Menu"
    with_offer(table)
    assert table.family == "Menu"
    with_offer(table, PAIRING._replace(id="7n2"))
    assert table.family == "Offered"


def test_a_pairing_that_was_put_off_is_the_last_line_of_the_main_menu(table):
    """It asks again from there; without an offer, and once it is played, there are only the games."""
    lines = list_texts(table.session)
    with_offer(table)
    table.press("*")
    assert list_texts(table.session) == [*lines, "Pairing: Cleo-Dan"]
    table.press("right")
    table.press("up", "right", str(len(lines) + 1))
    assert table.session.screen == Offered(PAIRING)
    table.press("*")
    with_offer(table, None)
    assert list_texts(table.session) == lines


def test_it_waits_for_the_main_menu(table):
    """Nobody is disturbed during a round or a setup."""
    table.press("2")
    assert table.session.screen.setup is not None
    with_offer(table)
    assert table.session.screen.setup is not None
    table.press("*")
    assert table.family == "Offered"


def test_the_question_closes_when_the_offer_is_withdrawn(table):
    with_offer(table)
    with_offer(table, None)
    assert table.family == "Menu"
    assert table.session.club_offer.offer is None


def test_the_question_closes_even_below_another_screen(table):
    """OK on the screen over it doesn't begin a pairing that was withdrawn meanwhile."""
    with_offer(table)
    table.session = table.session.open_screens(TextPage(lines=("Something", "else")))
    with_offer(table, None)
    table.press("#")
    assert (table.family, table.session.round) == ("Menu", None)


@pytest.mark.parametrize("following", [None, PAIRING._replace(id="8n1", names=("Ida", "Fritz"))])
def test_a_pairing_withdrawn_during_its_round_is_reported_once(table, following, golden):
    """The players learn it even with a dark panel, and the draft is kept."""
    with_offer(table)
    table.press("#", "1")
    entry = table.session.screen
    with_offer(table, PAIRING._replace(names=("Cleo", "Daniel")))
    with_offer(table, PAIRING._replace(id="7n2"))
    assert table.session.screen == entry, "renamed, or offered once more: the round counts as before"
    table.wait(1000)
    assert table.session.light == "off"
    with_offer(table, following)
    assert (table.family, table.session.light) == ("Notice", "on")
    assert table.session.screen.heading == "Organiser"
    if following is None:
        golden(display.session_picture(table.session), "pairing-withdrawn")
    table.wait(DOUBLE_TAP_GUARD_SECONDS)
    table.press("#")
    assert table.session.screen == entry
    with_offer(table, following)
    assert table.session.screen == entry


def test_a_pairing_withdrawn_earlier_is_reported_when_its_round_begins(table):
    """Also after a restart: the round goes on, and the server has nothing for this table any more."""
    with_offer(table)
    table.press("#")
    kept = table.session.round
    table.session = table.session._replace(round=None, club_offer=ClubOffer())
    with_offer(table, None)
    table.session = table.session._replace(round=kept).show_base_screen()
    table.press("1")
    assert table.family == "Notice"


def test_taking_a_result_back_does_not_report_a_withdrawn_pairing(table):
    """The server has the result, so it offers nothing until it learns that the round goes on."""
    with_offer(table)
    table.press("#")
    finish(table)
    with_offer(table, None)
    table.press(TAKE_BACK_KEY)
    table.wait(DOUBLE_TAP_GUARD_SECONDS)
    table.press("#")
    assert (table.session.round.header.pairing, table.session.round.is_over) == (PAIRING.id, False)
    assert table.family == "Playing"


def test_it_lights_a_dark_panel(table):
    table.wait(1000)
    assert table.session.light == "off"
    with_offer(table)
    assert table.session.light == "on"
    assert table.family == "Offered"


def test_a_key_pressed_as_it_appears_begins_nothing(table):
    table.now += 2
    table.take_input(PairingOffered(PAIRING, table.now))
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
def test_an_unplayable_pairing_is_reported_and_not_offered(table, more):
    with_offer(table, PAIRING._replace(**more))
    assert table.family == "Menu"
    assert table.session.club_offer.offer is None
    assert "can't be played here" in table.session.banner


OFFER_MESSAGE = {
    "id": "7n1", "table": "table-4", "event": "E", "round": 2, "game": "27", "options": dict(PAIRING.options),
    "players": ["Cleo", "Dan"],
}  # fmt: skip


def test_the_sockets_message_becomes_an_input():
    assert parse_offer({"offer": OFFER_MESSAGE}).offer == PAIRING._replace(event="E")
    assert parse_offer({"offer": None}).offer is None


@pytest.mark.parametrize(
    "said",
    [
        {"offer": []},
        {"offer": OFFER_MESSAGE | {"players": ["Cleo"]}},
        {"offer": OFFER_MESSAGE | {"players": ["Cleo", 7]}},
        {"offer": OFFER_MESSAGE | {"round": "2"}},
        {"offer": OFFER_MESSAGE | {"round": -1}},
        {"offer": OFFER_MESSAGE | {"event": "x" * 65}},
        {"offer": OFFER_MESSAGE | {"options": {"variant": 7}}},
        {"ask": 1, "phone": "x", "what": "pair", "text": "A"},
        {},
    ],
)
def test_other_messages_on_the_socket_are_ignored(said):
    assert parse_offer(said) is None


def test_only_the_pairings_own_round_belongs_to_it(table):
    """Not what is played after it."""
    with_offer(table)
    table.press("#")
    assert table.session.round.header.pairing == PAIRING.id
    finish(table)
    with_offer(table, None)
    table.press("#")
    assert (table.session.round.header.pairing, table.session.round.header.names) == ("", ("Dan", "Cleo"))


def test_a_round_like_it_from_the_menu_is_no_tournament_round(table):
    """The box remembers the game and the names of the pairing's round, and not the pairing."""
    with_offer(table)
    table.press("#")
    (head,) = (each for each in table.session.history.recent_headers if each.game == PAIRING.game)
    assert (head.names, head.pairing) == (PAIRING.names, "")


def test_leaving_its_setup_offers_it_again(table):
    game = next(each for each in games.built_in_manifests() if each.holdings and each.has_records)
    with_offer(table, PAIRING._replace(game=game.id, options=tuple(game.option_defaults.items())))
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


def test_ok_on_a_result_leads_to_the_waiting_pairing(table):
    """Not to its own, which the server hasn't withdrawn yet, but again to one that was put off before."""
    with_offer(table)
    table.press("#")
    finish(table)
    with_offer(table, PAIRING)
    assert next_pairing(table.session) is None
    table.press("#")  # Once more for fun, while the hall is out of reach.
    finish(table)
    assert next_pairing(table.session) is None
    following = PAIRING._replace(id="8n1", names=("Ida", "Fritz"))
    with_offer(table, following)
    assert table.family == "RoundOver"
    table.press("#")
    table.wait(DOUBLE_TAP_GUARD_SECONDS)
    assert table.session.screen.offer == following
    table.press("#")
    assert table.session.round.header.names == following.names


@pytest.mark.parametrize("names", [("Ida", "Fritz"), ("Maximilian", "Bartholomew"), ("WWWWWWWWWWWWWWWW", "Ann")])
def test_the_result_names_who_plays_next(table, names, golden):
    table.session = table.session._replace(uses_buttons=names[0] != "Ida")
    with_offer(table)
    table.press("#")
    finish(table)
    with_offer(table, PAIRING._replace(id="8n1", names=names))
    golden(display.session_picture(table.session), f"next-pairing-{names[0].lower()}")
