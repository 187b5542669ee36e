"""What OK does with a draft that can't become a move, and what the panel says below it after a key too many."""

from __future__ import annotations

import random

import pytest
from examples import example_count
from game_support import support_of_game
from hypothesis import given, settings
from hypothesis import strategies as st
from list_screens import line_under_cursor

from companion import games
from companion.evening.screens.messages import MisfitConfirmation, RefusalScreen
from companion.evening.screens.play import round_actions
from companion.evening.screens.play.playing import PlayScreen
from companion.games.api import RefusedError
from companion.games.api.move_input import Draft
from companion.inputs import parse_request
from companion.table.phone_view import judge_draft

KEYS = "0123456789ABCD"


def verdict_and_line(table) -> tuple[str, str]:
    """The verdict of the draft and the words beside it."""
    seen = table.session.screen.content(table.session).scene
    return seen.draft.verdict, seen.bottom_line or seen.draft.message


@pytest.mark.parametrize(
    ("game", "keys", "too_many", "says"),
    [
        ("ziggurat", "0177", "B", "d4 with e4 or with d5"),
        ("ziggurat", "07", "", "the set ends at 6-6"),
        ("ziggurat", "7", "", "the set ends at 6"),
        ("27", "199", "1", "there are only 9"),
        ("prime-attactics", "A9", "1", "no such tile"),
    ],
)
def test_a_crossed_draft_says_how_to_erase_it_and_ok_shows_why(new_table, game, keys, too_many, says):
    """A key too many leaves the cross and its reason. OK refuses, and BACK leads back to the draft."""
    table = new_table(game)
    table.wait(3)
    table.press(*keys)
    before = verdict_and_line(table)
    assert before[0] == "no"
    table.press(*too_many)
    assert verdict_and_line(table) == before
    table.press("#")
    refused = table.session.screen.refusal
    assert table.family == "Refusing"
    assert refused.figure
    assert says in (before[1], refused.conflict, refused.figure)
    table.press("*")
    assert table.session.screen.typed_keys == keys


@pytest.mark.parametrize(
    ("game", "keys"), [("27", "19"), ("coral-reef", "09"), ("prime-attactics", "C70"), ("ziggurat", "6344B")]
)
def test_a_key_too_many_after_a_whole_move_asks_for_ok(new_table, game, keys):
    """The key isn't ignored silently: beside the tick the panel says what to press."""
    table = new_table(game)
    table.wait(3)
    *whole, extra = [*keys, "9"] if game != "coral-reef" else keys
    table.press(*whole)
    before = table.picture
    table.press("A" if game == "27" else extra)
    assert verdict_and_line(table) == ("ok", "# draw, * undo" if game == "coral-reef" else "now press #")
    assert table.picture != before


@pytest.mark.parametrize("language", ["de", "fr", "es"])
@pytest.mark.parametrize(
    ("game", "keys", "extra"),
    [
        ("27", "19", "A"),
        ("coral-reef", "0", "9"),
        ("prime-attactics", "C70", "9"),
        ("ziggurat", "6344B", "9"),
    ],
)  # fmt: skip
def test_a_key_too_many_changes_the_panel_in_every_language(new_table, game, keys, extra, language):
    table = new_table(game)
    table.wait(3)
    table.session = table.session._replace(language=language)
    table.press(*keys)
    before = table.picture
    table.press(extra)
    assert table.picture != before


@pytest.mark.parametrize("game", games.built_in_game_ids())
@settings(max_examples=example_count(40))
@given(seed=st.integers(0, 2**32), keys=st.text(KEYS, min_size=1, max_size=7))
def test_now_press_only_follows_a_tick_and_every_cross_has_a_reason(random_table, game, seed, keys):
    """In every game OK plays after "now press #", gives the reason for a cross, and nothing incomplete is played."""
    chance = random.Random(seed)
    table = random_table(game, chance)
    for _ in range(chance.randint(0, 6)):
        if (move := next_move(table, chance)) and isinstance(table.session.screen, PlayScreen):
            table.session = round_actions.play_event(table.session, move)
            table.carry_out()
    while table.family == "Notice":
        table.press("#")
    if table.family != "Playing":
        return
    table.press(*keys)
    entered = table.session.screen.draft(table.session.round) if table.family == "Playing" else None
    if entered is None:
        return
    verdict, said = verdict_and_line(table)
    assert (verdict == "more") == (entered.event is None and verdict != "no")
    if "now press" in said:
        assert verdict == "ok"
    events = table.events
    table.press("#")
    if isinstance(table.session.screen, MisfitConfirmation):
        table.press("#")
    if verdict == "no":
        assert isinstance(table.session.screen, RefusalScreen)
        assert table.session.screen.refusal.reason
    elif verdict == "ok" and table.events == events:  # Only another player's hidden piece may stand in the way.
        round_ = table.session.round
        assert isinstance(table.session.screen, RefusalScreen)
        assert round_.known_state != round_.state
        round_.game.play_move(round_.known_state, round_.turn, round_.game.parse_move(entered.event))


def next_move(table, chance) -> str:
    """A move of the seat to move, which is a guess for a sealed holding; "" for none."""
    round_ = table.session.round
    if round_.turn is None:
        return ""
    tried = [str(move) for move in round_.game.legal_moves(round_.state)] + [
        support_of_game(round_.header.game).random_event(chance) for _ in range(9)
    ]
    chance.shuffle(tried)
    for text in tried:
        move = round_.game.complete_draw(round_.state, round_.game.parse_move(text), chance.sample)
        try:
            round_.game.play_move(round_.state, round_.turn, move)
        except RefusedError:  # For a sealed holding this is a guess.
            continue
        return str(move)
    return ""


def test_a_refusal_without_event_quotes_the_game(new_table, monkeypatch):
    """A game of another package may cross a draft that is no event yet. OK then shows the line below the draft."""
    monkeypatch.setattr(
        games.load_move_input("27"), "draft_from_keys", lambda state, keys: Draft(f"{keys}?", None, "no", "", "why not")
    )
    table = new_table("27")
    table.wait(3)
    table.press("3", "#")
    assert isinstance(table.session.screen, RefusalScreen)
    assert table.session.screen.refusal.reason == "3?, why not"


# -- incomplete is no event -------------------------------------------------------------------------------------


def draft_on_phone(table, keys: str) -> dict:
    return judge_draft(table.session, 1, keys)


def test_an_unfinished_sum_is_no_move_on_a_phone(new_table):
    """Three of nine is incomplete, so there is nothing to play and no "I can't move". At the box OK says why."""
    table = new_table("coral-reef")
    table.wait(3)
    found = draft_on_phone(table, "43")
    assert (found["verdict"], found["event"], found["cannot"]) == ("more", None, None)
    assert found["says"] == "3: 6 more make 9."
    table.press(*"43#")
    assert table.session.screen.refusal.code == "sum"


def test_zero_alone_is_offered_as_i_cannot_move(new_table):
    """In Prime Attactics 0 begins a play on the other score, and on its own it means "I can't move"."""
    table = new_table("prime-attactics")
    table.wait(3)
    found = draft_on_phone(table, "0")
    assert (found["verdict"], found["event"], found["cannot"]) == ("more", None, "pass")
    table.press(*"0#")
    assert table.events == ["1: pass"]


# -- a forbidden draw -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["keypad", "buttons", "phone"])
def test_a_forbidden_draw_is_refused_before_a_coral_is_named(new_table, how):
    """A player with a move may not draw. That is said at once, because naming the coral requires looking at it."""
    table = new_table("coral-reef", opened=(("deal", 1),))
    table.wait(3)
    table.type("55443322#")
    if how == "phone":
        found = draft_on_phone(table, "0")
        assert (found["verdict"], found["says"], found["next"]) == ("no", "You can still lay: stack 1, 2, 3 or 4.", [])
        assert parse_request("play", found["event"]).event == "pass"
        with pytest.raises(RefusedError):
            round_actions.play_event(table.session, found["event"])
        return
    if how == "keypad":
        table.press("0")
    else:
        table.press(*["right"] * 5)  # This is beyond the last stack and the seed.
    table.press("#" if how == "keypad" else "ok")
    assert isinstance(table.session.screen, RefusalScreen)
    assert table.session.screen.refusal.code == "must-play"
    assert table.events == []


def test_a_forced_draw_can_be_named(new_table):
    """Without a move the picker leads on to the corals. OK draws the one under the cursor, but first there is none."""
    table = new_table("coral-reef", opened=(("deal", 1),))
    table.wait(3)
    table.type("0000BBCC#")
    table.press("left")
    table.press("ok")
    assert table.events == []
    table.press("left")
    table.press("ok")
    assert [event[:7] for event in table.events] == ["1: draw"]


def test_a_draft_with_a_tick_that_the_rules_refuse_has_a_cross_afterwards(new_table):
    """Another hand has the domino, which nothing shows before OK. The draft that BACK leads to then has a cross."""
    table = new_table("ziggurat", opened=(("deal", 2),))
    table.wait(3)
    table.type("1112131415222324253334354445#")
    table.press(*"1144A")
    assert verdict_and_line(table)[0] == "ok"
    table.press("#")
    assert (table.family, table.session.screen.refusal.row) == ("Refusing", "supply other")
    table.press("*")
    assert verdict_and_line(table) == ("no", "another hand has it")
    table.press("#")
    assert table.family == "Refusing"


def test_after_such_a_refusal_the_menu_opens_on_correcting_a_piece(new_table):
    """Where a piece may have been named wrongly, the refusal says where to correct it, and the menu opens there."""
    table = new_table("coral-reef", opened=(("deal", 1),))
    table.type("22334455#")
    table.wait(3)
    table.press(*"19#")
    assert "Correct a piece" in table.session.screen.content(table.session).rule
    table.press("*", "*", "*")  # The first BACK leads to the draft, the next ones erase it.
    table.wait(3)
    table.press("*")
    assert line_under_cursor(table.session).words == "Correct a piece"
    table.press("*", "2", "*")  # The key has begun another move.
    table.wait(3)
    table.press("*")
    assert line_under_cursor(table.session).words == "Take back"


def test_further_keys_after_a_pass_say_that_it_ends_the_turn(new_table):
    """A player who goes on typing doesn't mean to pass."""
    table = new_table("coral-reef")
    table.wait(3)
    table.press("0", "#", "0", "2")
    assert verdict_and_line(table) == ("ok", "# pass, * undo")


def test_a_picked_draft_is_refused_with_the_reason_beside_it(new_table):
    """Whatever the hand holds, OK explains the cross that public knowledge has put there."""
    table = new_table("prime-attactics", opened=(("deal", 1), ("rack", 1), ("deal", 2), ("rack", 2)))
    table.wait(3)
    for tiles, blacks in (("A1A2A3B2B3C2C3C4", "2345"), ("A1A2A3B2B3C2C3C4", "2345")):
        table.press(*tiles, "#", *blacks, "#")
    table.press("right")
    while table.session.screen.pick.tile != "/7":  # The tile isn't in the rack either.
        table.press("left")
    assert verdict_and_line(table) == ("no", "4 left over")
    table.press("ok")
    assert table.session.screen.refusal.code == "inexact"
