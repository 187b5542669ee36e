"""Rounds of Ziggurat at the table: typed, picked, refused, taken back, with secret hands."""

import random

import pytest
from game_support import support_of_game

from companion.games.ziggurat import GAME
from companion.games.ziggurat.rules import RULES
from companion.inputs import KeyReleased
from companion.table.phone_view import client_snapshot

G = GAME.id
HAND = "0001020304050611121314151622"


def keys_of_hand(pieces):
    return "".join("0123456789ABC"[pip] for domino in pieces for pip in domino)


def at_the_table(new_table, seed, players=2, seats=(1,), **options):
    """A table with the hands of some seats typed in, and every hand as it was dealt."""
    deals = RULES.deal_holdings(players, options, random.Random(seed).sample)
    names = ("Ann", "Ben", "Cleo", "Dan")[:players]
    table = new_table(G, names=names, opened=[("deal", seat) for seat in seats], **options)
    for seat in seats:
        table.type(keys_of_hand(deals["deal", seat]) + "#")
    assert table.family == "Playing"
    return table, RULES.initial_state(players, options, deals)


@pytest.mark.parametrize(
    ("keys", "players", "options"),
    [("typed_keys", 2, {}), ("picked_keys", 2, {"base": "cutup"}), ("typed_keys", 4, {"set": "12"}),
     ("picked_keys", 4, {"set": "9"})],
)  # fmt: skip
def test_whole_rounds_by_keys_and_by_buttons(new_table, request, keys, players, options):
    """Each kind of input alone is enough for a whole round, whose record is the one that the rules make."""
    keys_of = request.getfixturevalue(keys)
    chance = random.Random(players)
    table, full = at_the_table(new_table, 3, players, range(1, players, 2), **options)
    events = []
    while full.to_move:
        move = chance.choice(RULES.legal_moves(full))
        table.press(*keys_of(G, table.session.round.state, str(move)))
        events.append(f"{full.to_move}: {move}")
        full = RULES.play_move(full, full.to_move, move)
    outcome = RULES.outcome(full)
    assert table.family == "RoundOver"
    for event, entered in zip(events, table.events, strict=True):  # Either pip may have been picked first.
        assert entered in {f"{event[:3]}{spelled}" for spelled in support_of_game(G).spellings(event[3:])}
    assert table.session.round.outcome == outcome
    assert table.saved_lines[-1].text == " ".join([*map(str, outcome.scores), "winners", *map(str, outcome.winners)])
    assert table.replays_to_itself()


def test_refusals_and_a_takeback_in_one_round(new_table):
    """A wrong first pair, a domino played twice and one too far away are refused with reasons; * # # takes back."""
    table = new_table(G)
    table.type("6322B#")
    assert (table.family, table.session.screen.refusal.code) == ("Refusing", "anchor")
    table.type("6344B#6345B#")
    assert (table.family, table.session.screen.refusal.code) == ("Refusing", "supply")
    table.press("*")
    assert table.session.screen.typed_keys == "63"
    table.type("##6622B#")
    assert (table.family, table.session.screen.refusal.code) == ("Refusing", "touch")
    table.type("6645A#")
    assert table.events == ["1: 6-3 d4e4", "2: 6-6 d5d6"]
    assert table.session.round.state.scores == (0, 1)
    table.type("*##")
    assert table.events == ["1: 6-3 d4e4"]
    table.type("6644A##6655D#")
    assert table.events == ["1: 6-3 d4e4", "2: 6-6 e5d5"]


def test_a_domino_of_two_hands_is_refused_with_both_names(new_table):
    """The refusal names the player who already has the domino, as every message at a table does."""
    table = new_table(G, names=("Ann", "Ben"), opened=[("deal", 1), ("deal", 2)])
    hand = RULES.deal_holdings(2, {}, random.Random(1).sample)["deal", 1]
    table.type(keys_of_hand(hand) + "#")
    table.wait(3)
    table.type(keys_of_hand(hand) + "#")
    told = str(client_snapshot(table.session)["public"]["content"])
    assert "Ann has one of them too" in told
    assert "seat" not in told


def test_a_hand_of_forty_five_is_typed_two_keys_each_and_shown_to_its_owner(new_table):
    """The largest hand is entered in ninety keys, and shown while OK is held."""
    table, _ = at_the_table(new_table, 5, 2, (1,), set="12")
    table.choose("My pieces")
    assert table.family == "LookAway"
    before = table.picture.tobytes()
    table.press("ok")
    assert table.family == "Peek"
    assert table.picture.tobytes() != before
    table.take_input(KeyReleased("ok", table.now))
    assert table.family == "Playing"


def test_a_hand_is_corrected_where_it_is_wrong(new_table):
    """While some are missing, # shows the others to their owner; a repeated one is refused, without being named."""
    table = new_table(G, opened=(("deal", 2),))
    table.type(HAND[:-2] + "#")
    assert table.family == "LookAway"
    table.type("*")
    table.type("11#")
    assert (table.family, table.session.screen.refusal.conflict) == ("Refusing", "one domino twice")
    table.press("*", "*")
    table.type("22#")
    assert table.family == "Playing"


def test_hidden_dominoes_never_reach_the_panel(new_table):
    """Two hands entered key by key, and the table after them, look the same to the others."""
    tables = [new_table(G, opened=(("deal", 1),)) for _ in range(2)]
    other = "5566" + HAND[4:]
    for keys in zip(HAND + "#", other + "#", strict=True):
        for table, key in zip(tables, keys, strict=True):
            table.type(key)
        assert tables[0].picture.tobytes() == tables[1].picture.tobytes()
    for press in ("up", "up", "right", "ok", "left", "ok", "up", "back", "back", "back"):
        for table in tables:
            table.press(press)
        assert tables[0].picture.tobytes() == tables[1].picture.tobytes()


def test_a_domino_that_is_not_in_the_hand_is_refused_at_ok(new_table):
    """held: from an open hand only its own dominoes can be played; picking does not show that beforehand."""
    table = new_table(G, opened=(("deal", 1),))
    table.type(HAND + "#5544B")
    assert table.session.screen.typed_keys == "55"
    table.type("#")
    assert (table.family, table.session.screen.refusal.code) == ("Refusing", "held")


def test_a_hint_names_only_what_lies_on_the_table(new_table, think_out_hint):
    """The suggestion for a sealed hand is the same whatever another hand holds."""
    told = []
    for hand in (HAND, "5566" + HAND[4:]):
        table = new_table(G, opened=(("deal", 1),))
        table.type(hand + "#")
        table.type("1244B#")
        table.choose("Give me a hint")
        table.press("ok")
        think_out_hint(table)
        told.append(table.session.screen.parts)
    assert told[0] == told[1]
    assert "score" in told[0][0].lines[0]
