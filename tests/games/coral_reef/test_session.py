"""Rounds of Coral Reef at the table: typed, picked, refused, drawn, taken back, claimed falsely, won as a match."""

import random

import pytest
from list_screens import list_texts

from companion.evening.screens.pages import FalseClaimsPage
from companion.evening.screens.play import round_actions
from companion.evening.session_values import PhoneAccess
from companion.games.coral_reef import GAME
from companion.games.coral_reef.rules import RULES
from companion.inputs import KeyReleased
from companion.rounds import standings
from companion.table.public_state import public_state

G = GAME.id
ANN, BEN = ("deal", 1), ("deal", 2)
PASS_KEYS = "0#0#"
# Ann draws, though she holds four nines: she plays them, then 8+1 and 5+3+1, and is out of corals.
FALSE_CLAIM_KEYS = (
    "0#19#" + PASS_KEYS + "29#" + PASS_KEYS + "39#" + PASS_KEYS + "49#" + PASS_KEYS + "181#" + PASS_KEYS + "2531#"
)


@pytest.mark.parametrize("form", GAME.option_values["form"])
@pytest.mark.parametrize(("keys", "close"), [("typed_keys", "#"), ("picked_keys", "ok")])
def test_whole_rounds_by_keys_and_by_buttons(table_of_round, play_round, request, keys, close, form):
    """Each kind of input alone is enough for a whole round, whose record is the one that the rules make."""
    keys_of = request.getfixturevalue(keys)
    seeds = iter(range(100))
    for share in (0, 0.5, 1):
        while RULES.seat_to_move(
            (played := play_round(G, {"form": form}, 2, random.Random(next(seeds)), share=share)).states[-1]
        ):
            pass
        table = table_of_round(played)
        table.play(played, keys_of, close)
        assert table.family == "RoundOver"
        assert [(seat, str(move)) for seat, move in played.events] == list(table.session.round.events)
        assert table.saved_lines[-1].kind == "result"
        assert table.replays_to_itself()


def test_refusals_a_draw_and_a_takeback_in_one_round(new_table):
    """A wrong sum and a coral not held are refused; a draw is masked, and both agree before it is taken back."""
    table = new_table(G, opened=[ANN])
    table.type("88776666#")
    table.type("288#")
    assert table.session.screen.refusal.figure == "8+8 = 16"
    table.type("*")
    assert table.session.screen.typed_keys == "288"
    table.type("***2D#")
    assert table.session.screen.refusal.code == "held"
    table.type("#07#")
    assert (table.family, table.events) == ("Notice", ["1: draw 7"])
    assert table.session.screen.message_lines == ("drew and still can't move",)
    table.type("#")
    table.type("29#")
    table.press("back", "ok")
    assert table.session.screen.lines == ("Ben laid 9 on stack 2, now 9 on top.",)
    table.type("#")
    table.press("back", "ok")
    assert table.session.screen.lines == ("Put back what Ann has seen: a coral.",)
    table.type("##")
    assert (table.family, table.events) == ("Playing", [])
    table.type("01#281#")
    assert table.events == ["1: draw A", "1: 2:8A"]
    assert table.replays_to_itself()


def test_a_forced_draw_is_shown_with_instructions(new_table):
    """The panel says it at once when an open hand has no move, and only then."""
    table = new_table(G, opened=[ANN])
    table.type("88776666#")
    seen = table.session.screen.content(table.session).scene
    assert (seen.must_draw, seen.view.hands) == (True, (None, None))
    table.type("01#")
    assert not table.session.screen.content(table.session).scene.must_draw


def test_an_incomplete_draft_shows_what_is_missing(new_table):
    """An early # says what is missing, and the draft stays; so it does for a stack alone."""
    table = new_table(G)
    table.type("2#")
    assert (table.family, table.session.screen.typed_keys) == ("Playing", "2")
    table.type("5#")
    assert (table.session.screen.refusal.needed, table.session.close_screen().screen.typed_keys) == (
        "4 more needed",
        "25",
    )


def test_hidden_corals_never_reach_the_panel(new_table):
    """Two hands entered key by key, and the same moves after them, look the same on the panel."""
    tables = [new_table(G, opened=[ANN]) for _ in range(2)]
    for keys in zip("88776666#" + "07#", "88877666#" + "08#", strict=True):
        for table, key in zip(tables, keys, strict=True):
            table.type(key)
        assert tables[0].picture.tobytes() == tables[1].picture.tobytes()
    for table in tables:
        table.type("#")
    assert tables[0].picture.tobytes() == tables[1].picture.tobytes()


def test_an_invalid_deal_stays_for_correction_and_names_no_coral(new_table):
    """An impossible hand is refused at #, and stays so that it can be corrected."""
    table = new_table(G, opened=[ANN])
    table.type("99999678#")
    assert (table.family, table.session.screen.refusal.reason.count("nine")) == ("Refusing", 1)
    table.type("*********")
    table.type("12345678#")
    assert table.family == "Playing"


def test_a_hand_is_shown_to_its_owner(new_table):
    """My pieces, after "look away, Ben", while OK is held."""
    tables = [new_table(G, opened=[ANN]) for _ in range(2)]
    for table, hand in zip(tables, ("12345678#", "12345677#"), strict=True):
        table.type(hand)
        table.choose("My pieces")
    assert tables[0].picture.tobytes() == tables[1].picture.tobytes()
    for table in tables:
        table.press("ok")
        assert table.family == "Peek"
    assert tables[0].picture.tobytes() != tables[1].picture.tobytes()
    tables[0].take_input(KeyReleased("ok", tables[0].now))
    assert tables[0].family == "Playing"


def test_the_claim_is_explained_after_a_while(new_table):
    """Without a key for a while, the panel explains that 0 # means "I can't move"."""
    table = new_table(G)
    table.wait(21)
    assert table.session.screen.content(table.session).scene.bottom_line == "Can't move? Type 0."
    table.type(PASS_KEYS)
    assert table.events == ["1: draw", "1: pass"]


def test_false_claims_are_reported_after_the_result(new_table):
    """False claims are reported when the round is over, before the next one begins, and again from the menu."""
    table = new_table(G)
    table.type(FALSE_CLAIM_KEYS[:-1])
    table.press(*"*" * 5)
    assert "Missed moves" not in list_texts(table.session)
    table.press("*")
    table.type("2531#")
    assert (table.family, table.session.round.outcome.winners) == ("RoundOver", (1,))
    table.type("#")
    assert isinstance(table.session.screen, FalseClaimsPage)
    assert table.session.screen.rows == (("Ann", "move 1:", "could have started a stack with a nine (proven later)"),)
    told = table.picture.tobytes()
    table.type("*")
    assert table.family == "RoundOver"
    table.choose("Missed moves")
    assert table.session.screen.rows == (("Ann", "move 1:", "could have started a stack with a nine (proven later)"),)
    assert table.picture.tobytes() != told  # Its BACK leads to the menu, not to the result.
    table.type("*")
    table.now += 2
    table.press("*")
    table.type("##")
    assert (table.family, table.session.round.header.names) == ("Playing", ("Ben", "Ann"))


@pytest.mark.parametrize(("goal", "pressed"), [(0, ""), (0, "#"), (2, ""), (2, "##")])
def test_players_who_are_ready_see_the_false_claims_beside_the_result(new_table, goal, pressed):
    """On all pages at once, whatever is open at the box; the next round begins once both are ready."""
    phones = {"a" * 64: "Ann", "b" * 64: "Ben"}
    table = new_table(G)
    header = table.session.round.header._replace(goal=goal)
    table.session = round_actions.begin_round(table.session, header)._replace(
        phones=PhoneAccess(is_on=True, player_phones=tuple(phones.items()))
    )
    table.type(FALSE_CLAIM_KEYS + pressed)
    public = public_state(table.session)
    assert public["rematch"]["awaited"] == ("Ann", "Ben")
    claim = ("Ann", "move 1:", "could have started a stack with a nine (proven later)")
    assert public["result"]["claims"] == (claim,)
    assert [table.request(phone, "rematch") for phone in phones] == ["", ""]
    assert (table.family, table.session.round.header.names) == ("Playing", ("Ben", "Ann"))


def test_a_round_without_false_claims_goes_straight_on(new_table):
    """Nothing is reported if nothing is proven."""
    table = new_table(G)
    table.type(
        "19#" + PASS_KEYS + "29#" + PASS_KEYS + "39#" + PASS_KEYS + "49#" + PASS_KEYS + "181#" + PASS_KEYS + "272#"
    )
    assert table.family == "RoundOver"
    table.type("#")
    assert (table.family, table.events) == ("Playing", [])


def test_a_blocked_round_shows_its_reason(new_table):
    """Two turns without a play and an empty deck end the round: a notice, then the result (Coral Reef, End)."""
    table = new_table(G)
    while table.session.round.state.deck:
        table.type(PASS_KEYS)
    # The turn of the last draw ended with the pile empty and without a play: it was the first of the two.
    table.type("0#")
    assert (table.family, table.session.screen.heading) == ("Notice", "Blocked")
    table.type("#")
    assert (table.family, table.session.round.outcome.reason) == ("RoundOver", "blocked: 50 corals each")


def test_an_open_hand_is_skipped_when_the_deck_is_empty(new_table):
    """An open hand with no move and nothing to draw is skipped, and the panel says so (Coral Reef, A turn)."""
    table = new_table(G, opened=[BEN])
    table.type("88776666#")
    state = table.session.round.state._replace(deck=0, tops=(1, 1, 2, 2))
    table.session = table.session._replace(round=table.session.round._replace(states=(state,)))
    table.type("11#")
    notice = table.session.screen
    assert (notice.heading, notice.message_lines, notice.next_line) == (
        "Ben",
        ("has no move:", "skipped"),
        "Ann plays again",
    )
    table.type("#11#")
    assert table.events == ["1: 1:A", "1: 1:A"]


def test_a_match_to_two_wins(new_table):
    """Seats swap each round, a win counts for its player, and the agreed number of wins ends the match."""
    table = new_table()
    table.wait(3)
    names = list_texts(table.session)
    table.type(f"{names.index('Coral Reef') + 1}#2###")
    won = FALSE_CLAIM_KEYS.replace("0#19#", "19#", 1).replace("2531#", "272#")
    for first, score in ((("Ann", "Ben"), {"Ann": 1}), (("Ben", "Ann"), {"Ann": 1, "Ben": 1})):
        assert table.session.round.header.names == first
        table.type(won + "#")
        assert table.family == "MatchScore"
        assert dict(standings.match_wins(table.session.round)) == score
        table.type("#")
    table.type(won + "#")
    assert (table.family, standings.match_winner(table.session.round)) == ("MatchScore", "Ann")
    table.type("#")
    header = table.session.round.header
    assert (table.family, header.number, header.wins) == ("Playing", 1, ())
