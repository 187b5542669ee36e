"""Typing and picking plays of Ziggurat: the key table, what drafts show and hide, and how many presses it takes."""

import random
import statistics

import pytest
from examples import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.api import RefusedError
from companion.games.api.move_input import ARROWS
from companion.games.ziggurat import GAME
from companion.games.ziggurat.drafts import possible_other_pips
from companion.games.ziggurat.grid import SQUARE_NAMES
from companion.games.ziggurat.move_input import MOVE_INPUT, Pick
from companion.games.ziggurat.rules import RULES

G = GAME.id
CHOICES = [(top, base, players) for top in ("6", "9", "12") for base in ("solid", "cutup") for players in (2, 4)]


def initial_state(top="6", base="solid", players=2, **hands):
    """The initial position; `hands` are open ones by `seat1`, `seat2` …."""
    options = {"set": top, "base": base}
    deals = {("deal", int(seat[4:])): RULES.parse_deal(text, "deal", options) for seat, text in hands.items()}
    return RULES.initial_state(players, options, deals)


def state_after(*events, state=None):
    """The position after events, from the initial position on."""
    state = initial_state() if state is None else state
    for event in events:
        state = RULES.play_move(state, RULES.seat_to_move(state), RULES.parse_move(event))
    return state


def random_position(chance, top, base, players, share=0.5):
    """A position of a random round, with each hand open or sealed at random; also the position with all hands open."""
    options = {"set": top, "base": base}
    deals = RULES.deal_holdings(players, options, chance.sample)
    known = {held: pieces for held, pieces in deals.items() if chance.random() < share}
    full, state = RULES.initial_state(players, options, deals), RULES.initial_state(players, options, known)
    for _ in range(chance.randrange(RULES.holding_size("deal", players, options) * players)):
        if len(RULES.legal_moves(full)) == 0:
            break
        move = chance.choice(RULES.legal_moves(full))
        beyond = RULES.play_move(full, full.to_move, move)
        if beyond.to_move is None:
            break
        full, state = beyond, RULES.play_move(state, state.to_move, move)
    return state, full


HAND = "0-0 0-1 0-2 0-3 0-4 0-5 0-6 1-1 1-2 1-3 1-4 1-5 1-6 2-2"
FULL_BASE = state_after("0-0 d4e4", "0-1 f4g4", "0-2 d5e5", "0-3 f5g5", "0-4 d6e6", "0-5 f6g6", "0-6 d7e7", "1-1 f7g7")
BEGUN = state_after("6-3 d4e4", "6-6 d5d6", "0-3 e5f5")


@pytest.mark.parametrize(
    ("keys", "event"),
    [("6344B", "6-3 d4e4"), ("3644A", "3-6 d4d5"), ("6354D", "6-3 e4d4"), ("0045C", "0-0 d5d4")],
)
def test_a_play_is_two_pips_column_row_and_direction(keys, event):
    """The row of the key table: two pips, column, row, A up, B right, C down, D left."""
    draft = MOVE_INPUT.draft_from_keys(initial_state(), keys)
    assert (draft.event, draft.text, draft.verdict) == (event, event, "ok")


@pytest.mark.parametrize(("keys", "event"), [("AC44B", "10-12 d4e4"), ("B944A", "11-9 d4d5"), ("0B44A", "0-11 d4d5")])
def test_letters_are_pips_of_the_double_twelve_set(keys, event):
    """With the double-twelve set A B C are pips 10, 11, 12."""
    assert MOVE_INPUT.draft_from_keys(initial_state("12"), keys).event == event


@pytest.mark.parametrize("keys", ["A", "6A", "D", "630", "638", "63A", "6340", "6348", "634A", "63441", "6344B1"])
def test_a_key_that_continues_nothing_means_nothing(keys):
    """The draft is None where the last key means nothing."""
    assert MOVE_INPUT.draft_from_keys(initial_state(), keys) is None


def test_no_letter_is_a_pip_of_the_double_nine_set():
    """A is a pip of the double-twelve set only, D of none."""
    assert MOVE_INPUT.draft_from_keys(initial_state("9"), "9A") is None
    assert MOVE_INPUT.draft_from_keys(initial_state("12"), "D") is None


@pytest.mark.parametrize(
    ("keys", "text", "says", "asks"),
    [("2", "2-_", "next pip?", "pip"), ("23", "2-3", "column?", "column"), ("236", "2-3 6/", "row?", "row"),
     ("2364", "2-3 f4", "which way?", "way")],
)  # fmt: skip
def test_every_beginning_asks_for_the_next_key(keys, text, says, asks):
    """An incomplete draft plays nothing and names the key that is needed."""
    draft = MOVE_INPUT.draft_from_keys(BEGUN, keys)
    assert (draft.text, draft.event, draft.verdict, draft.message, draft.marks.next_key) == (
        text,
        None,
        "more",
        says,
        asks,
    )


@pytest.mark.parametrize(
    ("keys", "says"),
    [("7", "the set ends at 6"), ("73", "the set ends at 6-6"), ("63", "6-3 is on the table"),
     ("2344B", "d4 e4 are occupied"), ("2346A", "d6 is occupied"), ("2373A", "it touches no domino"),
     ("2322B", "5 columns: 4 at most"), ("2364A", "f5 is occupied"), ("2344", "d4 is occupied"),
     ("2374B", "no square that way")],
)  # fmt: skip
def test_an_illegal_draft_has_a_short_reason(keys, says):
    """A draft that the rules refuse has verdict "no" and the reason in about 20 characters."""
    draft = MOVE_INPUT.draft_from_keys(BEGUN, keys)
    assert (draft.verdict, draft.message) == ("no", says)
    assert len(says) <= 22


def test_the_draft_says_where_the_first_domino_goes():
    """The first domino covers d4 and e4 or d5."""
    assert MOVE_INPUT.draft_from_keys(initial_state(), "6322B").message == "d4 with e4 or with d5"


def test_a_gap_in_a_solid_base_is_named():
    """With base=solid no square may be left that no domino could fill."""
    state = state_after("6-6 d4e4", "5-5 f4g4", "4-4 d5d6", "3-3 e6f6")
    assert MOVE_INPUT.draft_from_keys(state, "2265B").message == "e5 would stay empty"


def test_a_domino_that_is_not_held_is_refused_at_its_second_pip():
    """From an open hand only what it contains can be played."""
    draft = MOVE_INPUT.draft_from_keys(initial_state(seat1=HAND), "66")
    assert (draft.event, draft.verdict, draft.message) == (None, "no", "not in the hand")


def test_the_verdict_tells_what_scores_on_the_base():
    """A base play scores 1 for each square beside an equal one."""
    state = state_after("6-3 d4e4")
    assert MOVE_INPUT.draft_from_keys(state, "6645A").message == "6s match: +1"
    assert MOVE_INPUT.draft_from_keys(state, "2545B").message == "no match: +0"


def test_the_verdict_tells_what_scores_on_a_level():
    """A play on level L scores L for each square equal to the square it covers."""
    state = state_after("0-0 d4e4", "0-1 f4g4", "0-2 d5e5", "0-3 f5g5", "0-4 d6e6", "0-5 f6g6", "0-6 d7e7", "1-1 f7g7")
    assert MOVE_INPUT.draft_from_keys(state, "1274A").message == "1 on 1: +2"
    assert MOVE_INPUT.draft_from_keys(state, "2264B").message == "no match: +0"
    assert MOVE_INPUT.draft_from_keys(state, "2455A").message == "2s, 4s match: +4"


def test_uneven_and_unfinished_ground_have_short_reasons():
    """A domino needs even ground, and the level below must be full."""
    state = state_after(
        "0-0 d4e4", "0-1 f4g4", "0-2 d5e5", "0-3 f5g5", "0-4 d6e6", "0-5 f6g6", "0-6 d7e7", "1-1 f7g7", "1-2 d4e4"
    )
    assert MOVE_INPUT.draft_from_keys(state, "2244B").message.endswith("are still free")
    assert MOVE_INPUT.draft_from_keys(state, "2244A").marks.short_lines == ("not level:", "2 and 1")


@pytest.mark.parametrize(
    ("keys", "lines"),
    [("2255", ("a domino", "lies there")), ("2235", ("4 columns", "at most")), ("2237", ("4 columns", "at most"))],
)
def test_the_reason_for_one_square_is_about_that_square(keys, lines):
    """It is not about the square beside it: c5 is too far left of columns d to g, although d5 is taken."""
    state = state_after("6-3 d4e4", "6-6 d5e5", "1-1 f4g4", "1-2 f5g5")
    assert MOVE_INPUT.draft_from_keys(state, keys).marks.short_lines == lines


def test_one_square_that_is_built_on_is_not_called_uneven():
    """If no domino can lie at a square on this level, the reason is what is free, not the square beside it."""
    state = state_after(
        "0-0 d4e4", "0-1 f4g4", "0-2 d5e5", "0-3 f5g5", "0-4 d6e6", "0-5 f6g6", "0-6 d7e7", "1-1 f7g7", "1-2 d4e4"
    )
    draft = MOVE_INPUT.draft_from_keys(state, "2244")
    assert (draft.verdict, draft.message, draft.marks.short_lines) == (
        "no",
        "d5 d6 are still free",
        ("fill level", "2 first"),
    )


@settings(max_examples=example_count(60), deadline=None)
@given(st.integers(0, 2**32))
def test_a_verdict_is_what_the_rules_rule(seed):
    """The rules accept what a typed draft calls ok, and refuse what it calls no."""
    chance = random.Random(seed)
    state, full = random_position(chance, *chance.choice(CHOICES))
    pips = "0123456789ABC"[: state.highest_pip + 1]
    hand = [f"{pips[low]}{pips[high]}" for low, high in full.hands[full.to_move - 1].pieces]
    cells = [f"{chance.choice('1234567')}{chance.choice('1234567')}{chance.choice('ABCD')}" for _ in range(30)]
    for place in cells:
        draft = MOVE_INPUT.draft_from_keys(state, chance.choice([chance.choice(hand), *hand, "66"]) + place)
        if draft.event is None:
            continue
        assert draft.verdict in ("ok", "no")
        try:
            RULES.play_move(state, state.to_move, RULES.parse_move(draft.event))
        except RefusedError:
            assert draft.verdict == "no"
        else:
            assert draft.verdict == "ok"


@settings(max_examples=example_count(25), deadline=None)
@given(st.integers(0, 2**32))
def test_every_legal_event_is_typed_and_picked(typed_keys, picked_keys, seed):
    """Every legal play can be entered either way, and the picker passes over dominoes that are on the table."""
    chance = random.Random(seed)
    state, full = random_position(chance, *chance.choice(CHOICES))
    listed = RULES.legal_moves(full)
    for move in chance.sample(listed, min(4, len(listed))):
        keys = typed_keys(G, state, str(move))
        assert MOVE_INPUT.draft_from_keys(state, "".join(keys[:-1])).event == str(move)
        assert picked_keys(G, state, str(move))[-1] == "ok"


@pytest.mark.parametrize(("top", "most"), [("6", 6), ("9", 6), pytest.param("12", 7, marks=pytest.mark.drill)])
def test_picking_takes_few_presses(top, most, picked_keys):
    """The median event takes at most 6, 6 and 7 presses, OK included, over random rounds."""
    chance = random.Random(int(top))
    presses = []
    for number in range(example_count(60)):
        state, full = random_position(chance, top, ("solid", "cutup")[number % 2], 2 + 2 * (number % 3 == 0))
        presses.append(len(picked_keys(G, state, str(chance.choice(RULES.legal_moves(full))))))
    assert statistics.median(presses) <= most


def walk(state, pick, arrows):
    for arrow in arrows:
        pick = MOVE_INPUT.pick_after_arrow(state, pick, arrow)
        yield pick


def test_only_places_where_a_domino_may_lie_are_picked():
    """Whatever the arrows, the draft has a tick, and OK plays it: what is forbidden is never offered."""
    chance = random.Random(2)
    for top in ("6", "12"):
        state, _ = random_position(chance, top, "cutup", 2)
        pick = MOVE_INPUT.pick_after_ok(state, MOVE_INPUT.initial_pick(state))
        for moved in walk(state, pick, chance.choices(ARROWS, k=60)):
            draft = MOVE_INPUT.draft_from_pick(state, moved)
            assert (draft.verdict, draft.next_step) == ("ok", "lay it")
            assert MOVE_INPUT.pick_after_ok(state, moved) is None


def test_an_arrow_turns_the_domino_and_then_moves_it():
    """It turns about its first half; pointing that way already, it moves on. At the edge it wraps around."""
    pick = Pick(1, 2, 5, SQUARE_NAMES.index("e5"), SQUARE_NAMES.index("f5"))
    moved = walk(FULL_BASE, pick, ("up", "up", "left", "left", "down", "right", "right", "right", "right"))
    places = [SQUARE_NAMES[each.first] + SQUARE_NAMES[each.second] for each in moved]
    assert places == ["e5e6", "e6e7", "e6d6", "d6d5", "d5d4", "d5e5", "e5f5", "f5g5", "g5f5"]


def test_pips_wrap_around_over_what_is_left():
    """Right leads through all second pips of the dominoes that are left, and back."""
    pick = walked = MOVE_INPUT.initial_pick(BEGUN)
    seen = set()
    for _ in possible_other_pips(BEGUN, pick.p):
        walked = MOVE_INPUT.pick_after_arrow(BEGUN, walked, "right")
        seen.add(walked.q)
    assert walked == pick
    assert seen == set(possible_other_pips(BEGUN, pick.p))
    assert MOVE_INPUT.pick_after_arrow(BEGUN, MOVE_INPUT.pick_after_arrow(BEGUN, pick, "left"), "right") == pick


def test_the_first_arrow_changes_the_domino_at_once():
    """It does what the second one would do."""
    pick = MOVE_INPUT.initial_pick(BEGUN)
    for arrow in ARROWS:
        assert MOVE_INPUT.pick_at_first_arrow(BEGUN, arrow) == MOVE_INPUT.pick_after_arrow(BEGUN, pick, arrow) != pick


def test_every_domino_that_is_left_is_walked_either_way_round():
    """Up and down, and right from each of these, lead to all dominoes with either pip first, but not to one laid."""
    state = state_after("6-3 d4e4")
    walked, pick = set(), MOVE_INPUT.initial_pick(state)
    for _ in range(7):
        pick = MOVE_INPUT.pick_after_arrow(state, pick, "up")
        for _ in range(7):
            pick = MOVE_INPUT.pick_after_arrow(state, pick, "right")
            walked.add((pick.p, pick.q))
    assert len(walked) == 49 - 2
    assert not walked & {(6, 3), (3, 6)}


def test_steps_go_on_and_back():
    """OK leads to the place, BACK to the domino as it was, and then out of the picker."""
    state = initial_state()
    pick = MOVE_INPUT.initial_pick(state)
    placed = MOVE_INPUT.pick_after_ok(state, pick)
    assert [each.step for each in (pick, placed)] == [0, 1]
    assert MOVE_INPUT.pick_after_back(state, MOVE_INPUT.pick_after_arrow(state, placed, "left")) == pick
    assert MOVE_INPUT.pick_after_back(state, pick) is None
    assert MOVE_INPUT.pick_after_ok(state, placed) is None


def test_the_picker_starts_at_a_domino_with_a_pip_on_top():
    """The first domino has a pip that is on top of a square, which it might match, and is not on the table."""
    chance = random.Random(3)
    for top in ("6", "9", "12"):
        state, _ = random_position(chance, top, "solid", 2)
        pick = MOVE_INPUT.initial_pick(state)
        assert {pick.p, pick.q} & set(state.top_pips)
        assert pick.q in possible_other_pips(state, pick.p)


def test_the_picker_gives_no_hint():
    """It starts at the same place for every domino, so it does not show where one would score."""
    chance = random.Random(5)
    for top in ("6", "12"):
        state, _ = random_position(chance, top, "cutup", 2)
        dominoes = [(p, q) for p in range(state.highest_pip + 1) for q in possible_other_pips(state, p)]
        first = {MOVE_INPUT.pick_after_ok(state, Pick(0, p, q))[3:] for p, q in dominoes}
        assert len(first) == 1


def test_the_picker_starts_on_a_free_place():
    """Its first square and the way from it are free, so that any domino may lie there."""
    pick = MOVE_INPUT.initial_pick(BEGUN)
    while (following := MOVE_INPUT.pick_after_ok(BEGUN, pick)) is not None:
        pick = following
    assert MOVE_INPUT.draft_from_pick(BEGUN, pick).verdict == "ok"


@settings(max_examples=example_count(30), deadline=None)
@given(st.integers(0, 2**32), st.lists(st.sampled_from([*ARROWS, "ok", "back"]), max_size=30))
def test_picking_tells_nothing_about_hidden_hands(seed, presses):
    """The picker and its drafts are the same, whatever the hands hold."""
    chance = random.Random(seed)
    state, full = random_position(chance, *chance.choice(CHOICES))
    public = RULES.seat_view(state, None)
    for position in (public, state, full):
        pick, told = MOVE_INPUT.initial_pick(position), []
        for press in presses:
            if press == "ok":
                pick = MOVE_INPUT.pick_after_ok(position, pick) or pick
            elif press == "back":
                pick = MOVE_INPUT.pick_after_back(position, pick) or pick
            else:
                pick = MOVE_INPUT.pick_after_arrow(position, pick, press)
            told.append((pick, MOVE_INPUT.draft_from_pick(position, pick)))
        if position is public:
            expected = told
        assert told == expected


def test_pieces_are_two_keys_each():
    """Open hands are typed with two keys for each domino, with A B C for 10 11 12."""
    assert MOVE_INPUT.parse_typed_pieces("36", "deal", {"set": "6"}) == (("3-6",), "")
    assert MOVE_INPUT.parse_typed_pieces("63", "deal", {}) == (("3-6",), "")
    assert MOVE_INPUT.parse_typed_pieces("3", "deal", {}) == ((), "3")
    assert MOVE_INPUT.parse_typed_pieces("B3", "deal", {"set": "12"}) == (("3-11",), "")
    assert MOVE_INPUT.parse_typed_pieces("7", "deal", {"set": "6"}) is None
    assert MOVE_INPUT.parse_typed_pieces("A", "deal", {"set": "9"}) is None


@pytest.mark.parametrize(("top", "count"), [("6", 28), ("9", 55), ("12", 91)])
def test_the_grid_holds_the_set_once(top, count):
    """Every domino of the set can be picked in a deal, once."""
    every = [piece for row in MOVE_INPUT.piece_rows("deal", {"set": top}) for piece in row]
    assert len(every) == len(set(every)) == count
    assert RULES.parse_deal(" ".join(every), "deal", {"set": top})


def test_a_hand_is_listed_in_full_or_suit_by_suit():
    """A large hand is listed compactly, each domino once."""
    assert MOVE_INPUT.own_pieces_text(RULES.seat_view(initial_state(seat1=HAND), 1), 1) == HAND
    options = {"set": "12"}
    hand = RULES.deal_holdings(2, options, random.Random(4).sample)["deal", 1]
    words = MOVE_INPUT.own_pieces_text(RULES.initial_state(2, options, {("deal", 1): hand}), 1)
    told = [(int(suit.split("-")[0]), int(high)) for suit in words.split("; ") for high in suit.split("-")[1].split()]
    assert told == [tuple(domino) for domino in hand]


def test_a_hint_names_a_place_and_pips_from_the_table():
    """A suggestion uses only what is on the table."""
    state = state_after("6-3 d4e4")
    open_state = state_after("0-1 d4e4", state=initial_state(seat1=HAND))
    assert "would score" in MOVE_INPUT.suggested_move_text(state)
    assert len(MOVE_INPUT.suggested_move_text(state)) <= 50
    assert MOVE_INPUT.suggested_move_text(open_state) == MOVE_INPUT.suggested_move_text(
        RULES.seat_view(open_state, None)
    )


def test_what_never_happens_in_ziggurat():
    """Nothing is drawn, nobody has to pass, and a play reveals nothing more than it shows."""
    assert MOVE_INPUT.due_refill(BEGUN) is None
    assert (MOVE_INPUT.claim_instructions(BEGUN), MOVE_INPUT.revealed_piece_text("6-3 d4e4")) == ("", "")
    assert MOVE_INPUT.is_piece_hidden("deal", "6-3")


def test_the_result_counts_points():
    """The result names the points of every seat."""
    assert MOVE_INPUT.result_counts(state_after("6-3 d4e4", "6-6 d5d6"), (0, 1)) == (0, 1)
