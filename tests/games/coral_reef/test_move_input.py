"""Move input of Coral Reef: the key table, the draft after each key, what the picker reaches, and secrets."""

import random
import statistics

import pytest
from examples import example_count
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.games.api import RefusedError
from companion.games.api.move_input import ARROWS, draft_after_stray_key
from companion.games.coral_reef import GAME
from companion.games.coral_reef.move_input import END_CHOICE, MOVE_INPUT, Pick, cursor_choices
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.sums import SINGLE_BAGS, bag_of
from companion.panel import fonts

KEYS = "0123456789ABCD"


def start(first="", second="", form="cards"):
    """An initial position; hands as written are open, "" is a sealed one."""
    deals = {("deal", seat): tuple(hand) for seat, hand in enumerate((first, second), 1) if hand}
    return RULES.initial_state(2, {"form": form}, deals)


SEALED = start()
TILES = start(form="tiles")
OPEN = start("A2345678")
STUCK = RULES.initial_state(2, {"form": "cards"}, {("deal", 1): tuple("TTTTJJQQ")})


def accepted(state, event):
    try:
        RULES.play_move(state, state.to_move, RULES.parse_move(event))
    except RefusedError:
        return False
    return True


# -- the key table ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "event"),
    [
        ("254", "2:54"),
        ("118", "1:A8"),
        ("1A8", "1:A8"),
        ("3360", "3:36T"),
        ("4BCD9", "4:JQK9"),
        ("9", "seed"),
        ("0", "draw"),
    ],
)
def test_keys_of_a_sealed_hand(keys, event):
    """Stack, then corals in placing order; 9 seeds, 0 is "I can't move" (key table, Coral Reef)."""
    draft = MOVE_INPUT.draft_from_keys(SEALED, keys)
    assert (draft.event or draft.attempted_event) == event


def test_after_a_draw_0_passes():
    """0 draws, then passes; with an empty deck it passes at once (key table, Coral Reef)."""
    assert MOVE_INPUT.draft_from_keys(SEALED._replace(has_drawn=True), "0").event == "pass"
    assert MOVE_INPUT.draft_from_keys(SEALED._replace(deck=0), "0").event == "pass"


@pytest.mark.parametrize(("key", "coral"), list(zip("123456789A0BCD", "A23456789ATJQK", strict=True)))
def test_an_open_hand_names_what_it_draws(key, coral):
    """`0 7 #` is `draw 7`, shown masked (key table, Coral Reef)."""
    draft = MOVE_INPUT.draft_from_keys(STUCK, "0" + key)
    assert (draft.event, draft.text) == (f"draw {coral}", "draw •")


@pytest.mark.parametrize("keys", ["2B", "25C", "1D"])
def test_face_cards_mean_nothing_among_tiles(keys):
    """With tiles B, C and D mean nothing (key table, Coral Reef)."""
    assert MOVE_INPUT.draft_from_keys(TILES, keys) is None


@pytest.mark.parametrize("keys", ["A", "B", "95", "07", "00", "2" + "1" * 10])
def test_keys_that_mean_nothing(keys):
    """No stack has a letter or the number nine, a sealed draw is not named, and no play is longer than its hand."""
    assert MOVE_INPUT.draft_from_keys(SEALED, keys) is None


def test_only_one_coral_is_drawn():
    """An open hand draws one coral a turn."""
    assert MOVE_INPUT.draft_from_keys(STUCK, "077") is None


def draft_shown(table) -> tuple[str, str]:
    """The verdict below the draft, as the panel shows it."""
    shown = table.session.screen.content(table.session).scene
    return (shown.draft.verdict, shown.bottom_line or shown.draft.message)


def test_who_has_a_move_names_no_drawn_coral(new_table):
    """If an open hand can move, 0 says so. A key after that is no drawn coral but begins the move."""
    table = new_table("coral-reef", opened=(("deal", 1), ("deal", 2)))
    for hand in ("88776654", "88877655"):
        table.type(hand + "#")
    assert RULES.find_legal_move(table.session.round.state)
    table.press("0")
    assert draft_shown(table) == ("no", "You can move.")
    table.press("3")
    assert (table.session.screen.typed_keys, table.session.screen.stray_key) == ("3", "")
    assert draft_shown(table) == ("more", "Which corals?")
    table.press("*")
    assert table.session.screen.typed_keys == ""
    table.press(*"0#")
    assert table.session.screen.refusal.code == "must-play"


@pytest.mark.parametrize(
    ("state", "keys", "told"),
    [
        (STUCK, "07", ("ok", "# draw, * undo")),
        (SEALED, "0", ("ok", "# draw, * undo")),
        (OPEN, "9", ("no", "no nine in hand")),
        (SEALED._replace(sizes=(1, 8)), "252", ("no", "not in hand")),
    ],
)
def test_the_draft_asks_for_a_key_that_is_accepted(state, keys, told):
    """When no more keys fit, a draft with a tick asks for #; one with a cross keeps its reason."""
    assert MOVE_INPUT.draft_from_keys(state, keys + "7") is None
    draft = draft_after_stray_key(MOVE_INPUT.draft_from_keys(state, keys))
    assert (draft.verdict, draft.message) == told


# -- what the entry says ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "keys", "verdict", "working", "says"),
    [
        (SEALED, "2", "more", "0 = 10  B C D = J Q K", "Which corals?"),
        (TILES, "2", "more", "They must add up to 9.", "Which corals?"),
        (SEALED, "5", "no", "", "new stack: type 9"),
        (SEALED, "7", "no", "", "no stack 7"),
        (SEALED, "75", "no", "", "no stack 7"),
        (SEALED, "25", "more", "5: 4 more to make 9", "Next coral?"),
        (TILES, "252", "more", "5+2 = 7: 2 more", "Next coral?"),
        (SEALED, "29", "ok", "9 on stack 2", ""),
        (SEALED, "2D", "more", "K = -3: 12 more", "Next coral?"),
        (SEALED, "254", "ok", "5+4 = 9", "4 on top"),
        (SEALED, "2540", "ok", "5+4+0 = 9", "10 on top"),
        (SEALED, "257", "more", "5+7 = 12: 3 too many", "Lower it by 3"),
        (TILES, "257", "no", "5+7 = 12", "not 9"),
        (SEALED, "257D", "more", "5+7-3 = 9, K can't be last", "Put a 10 on top"),
        (SEALED, "257D0", "ok", "5+7-3+0 = 9", "10 on top"),
        (SEALED, "2501", "no", "", "a ten goes last"),
        (SEALED, "2500", "no", "", "a ten goes last"),
        (SEALED, "20", "no", "", "a ten goes last"),
        (SEALED, "250", "no", "5+0 = 5", "a ten goes last"),
        (SEALED, "0", "ok", "", "Can't move? Draw one."),
        (SEALED._replace(has_drawn=True), "0", "ok", "", "Drawn. Does it fit?"),
        (SEALED._replace(deck=0), "0", "ok", "", "The deck is empty."),
        (SEALED, "9", "ok", "9 as new stack 5", ""),
        (OPEN, "9", "no", "", "no nine in hand"),
        (OPEN, "2D", "no", "no king in hand", ""),
        (OPEN, "255", "no", "5 twice", "not in hand"),
        (OPEN, "0", "no", "", "You can move."),
        (STUCK, "0", "more", "0 = 10  B C D = J Q K", "Which did you draw?"),
        (STUCK, "07", "ok", "", ""),
    ],
)
def test_verdicts(state, keys, verdict, working, says):
    """While a move is entered, the panel says that it is impossible and why, what is missing, or what it does."""
    draft = MOVE_INPUT.draft_from_keys(state, keys)
    assert (draft.verdict, draft.working, draft.message) == (verdict, working, says)


@pytest.mark.parametrize(
    ("state", "keys", "verb"),
    [
        (SEALED, "0", "draw a coral"),
        (TILES, "0", "draw a coral"),
        (SEALED._replace(has_drawn=True), "0", "no: pass"),
        (SEALED._replace(deck=0), "0", "pass"),
        (SEALED, "9", "lay 9"),
        (STUCK, "07", "draw it"),
    ],
)
def test_ok_says_what_it_does(state, keys, verb):
    """What is no play of corals has a verb of its own beside OK."""
    assert MOVE_INPUT.draft_from_keys(state, keys).next_step == verb


def test_the_last_coral_of_a_hand_leaves_nothing_to_add():
    """If no coral is left, a sum that is too low has a cross, not an underscore."""
    assert MOVE_INPUT.draft_from_keys(SEALED._replace(sizes=(1, 8)), "25").verdict == "no"
    assert MOVE_INPUT.draft_from_keys(SEALED._replace(sizes=(1, 8)), "252").message == "not in hand"
    assert MOVE_INPUT.draft_from_keys(SEALED._replace(sizes=(1, 8)), "252").verdict == "no"


@given(st.data())
@settings(max_examples=example_count(150), deadline=None)
def test_ok_is_accepted_and_no_is_refused(data):
    """The rules accept a draft with the verdict ok and refuse one with no, whatever the hands."""
    chance = random.Random(data.draw(st.integers(0, 2**32)))
    form = chance.choice(GAME.option_values["form"])
    dealt = RULES.deal_holdings(2, {"form": form}, chance.sample)
    state = RULES.initial_state(2, {"form": form}, {key: hand for key, hand in dealt.items() if chance.random() < 0.7})
    for _ in range(chance.randint(0, 12)):
        if state.to_move is not None:
            move = RULES.complete_draw(state, chance.choice(RULES.legal_moves(state)), chance.sample)
            state = RULES.play_move(state, state.to_move, move)
    keys = ""
    for key in data.draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=9)):
        draft = MOVE_INPUT.draft_from_keys(state, keys + key) if state.to_move else None
        if draft is None:
            continue
        keys += key
        assert len(draft.message) <= 22
        if draft.verdict == "ok":
            assert accepted(state, draft.event)
        elif draft.event is not None:
            assert not accepted(state, draft.event)


# -- the picker -------------------------------------------------------------------------------------------------


def walked(state, pick, steps):
    for step in steps:
        pick = MOVE_INPUT.pick_after_ok(state, pick) if step == "ok" else MOVE_INPUT.pick_after_arrow(state, pick, step)
    return pick


def test_the_picker_starts_at_the_highest_top():
    """That is the stack that most sums match. Up begins with the coral that matches it alone, down with the next."""
    state = SEALED._replace(tops=(3, 2, 8, 8))
    picks = [MOVE_INPUT.pick_at_first_arrow(state, arrow) for arrow in ARROWS]
    assert {arrow: (pick.stack, pick.cursor) for arrow, pick in zip(ARROWS, picks, strict=True)} == {
        "up": (3, "8"),
        "down": (3, "7"),
        "left": (2, ""),
        "right": (4, ""),
    }


@pytest.mark.parametrize("state", [OPEN, SEALED])
def test_ok_lays_nothing_that_was_not_chosen(state):
    """Beside a stack the panel shows what the arrows do, and OK waits for up or down."""
    for arrow in ("left", "right"):
        pick = MOVE_INPUT.pick_at_first_arrow(state, arrow)
        draft = MOVE_INPUT.draft_from_pick(state, pick)
        assert (draft.event, draft.attempted_event, draft.verdict) == (None, "", "more")
        is_last = pick.stack == len(state.tops)  # From there one step right starts a stack.
        assert draft.message == ("▸ new stack   ▴▾ coral" if is_last else "◂▸ stack   ▴▾ coral")
        assert MOVE_INPUT.pick_after_ok(state, pick) is None


def test_after_a_draw_the_picker_starts_at_the_pass():
    """A pass is the likeliest move of a sealed hand that has drawn."""
    state = SEALED._replace(has_drawn=True)
    assert MOVE_INPUT.draft_from_pick(state, MOVE_INPUT.initial_pick(state)).event == "pass"


def test_the_picker_wraps_around_over_seed_and_claim():
    """Left and right move over the stacks, then a seed, then "I can't move", and wrap around."""
    pick = MOVE_INPUT.initial_pick(SEALED)
    texts = []
    for _ in range(7):
        texts.append(MOVE_INPUT.draft_from_pick(SEALED, pick).text)
        pick = MOVE_INPUT.pick_after_arrow(SEALED, pick, "right")
    assert texts == ["1:_", "2:_", "3:_", "4:_", "nine", "draw", "1:_"]


def test_a_tick_plays_and_an_underscore_goes_on():
    """OK plays what has a tick, and adds the coral of an incomplete entry."""
    pick = MOVE_INPUT.pick_at_first_arrow(SEALED, "up")
    assert MOVE_INPUT.pick_after_ok(SEALED, pick) is None
    below = MOVE_INPUT.pick_after_arrow(SEALED, pick, "down")
    assert MOVE_INPUT.draft_from_pick(SEALED, below).verdict == "more"
    assert MOVE_INPUT.draft_from_pick(SEALED, MOVE_INPUT.pick_after_ok(SEALED, below)).event == "1:8A"


def test_a_wrong_move_can_be_picked():
    """The picker lets a player pick a move that the rules forbid."""
    end = walked(SEALED, MOVE_INPUT.initial_pick(SEALED), ["down", "ok", "down"])
    draft = MOVE_INPUT.draft_from_pick(SEALED, end)
    assert (draft.event, draft.verdict, MOVE_INPUT.pick_after_ok(SEALED, end)) == ("1:8", "no", None)


def test_back_takes_one_step():
    """BACK removes the last coral and puts the cursor on it, then leaves the picker."""
    pick = walked(SEALED, MOVE_INPUT.initial_pick(SEALED), ["down", "ok"])
    back = MOVE_INPUT.pick_after_back(SEALED, pick)
    assert (back.corals, back.cursor) == ("", "8")
    assert MOVE_INPUT.pick_after_back(SEALED, back) is None
    card = MOVE_INPUT.initial_pick(STUCK)
    assert (card.kind, MOVE_INPUT.pick_after_back(STUCK, card).kind) == ("card", "cannot")


def test_who_has_no_move_picks_the_drawn_coral_at_once():
    """The first arrow of an open hand without a move leads to the corals, on none of them; until then OK names none."""
    first = MOVE_INPUT.initial_pick(STUCK)
    draft = MOVE_INPUT.draft_from_pick(STUCK, first)
    assert (draft.verdict, draft.event, MOVE_INPUT.pick_after_ok(STUCK, first)) == ("more", None, None)
    assert {MOVE_INPUT.pick_at_first_arrow(STUCK, arrow) for arrow in ARROWS} == {first}
    ends = [walked(STUCK, first, [arrow]) for arrow in ("right", "up", "down", "left")]
    assert [MOVE_INPUT.draft_from_pick(STUCK, end).event for end in ends] == ["draw A", "draw 7", "draw 8", "draw K"]
    left = walked(STUCK, MOVE_INPUT.pick_after_back(STUCK, MOVE_INPUT.initial_pick(STUCK)), ["left"])
    assert left.kind in ("play", "seed")
    assert MOVE_INPUT.initial_pick(STUCK._replace(has_drawn=True)).kind == "play"


def test_up_and_down_change_the_line_of_the_drawn_coral():
    """The panel shows the corals in two lines, A to 7 above 8 to K; from the 7 the way down leads to the last one."""
    first = walked(STUCK, MOVE_INPUT.pick_at_first_arrow(STUCK, "right"), ["right"])
    assert [walked(STUCK, first, steps).cursor for steps in (["down"], ["right", "down"], ["up", "up"])] == [*"89A"]
    assert walked(STUCK, first, [*["right"] * 6, "down"]).cursor == "K"


@pytest.mark.parametrize("nines", [4, 0])
def test_left_of_the_first_stack_is_never_the_draw(nines):
    """A drawn coral can't be put back. So OK must not draw one arrow from the first stack, even if no nine is left."""
    state = SEALED._replace(unseen=SEALED.unseen - (4 - nines) * SINGLE_BAGS["9"])
    left = walked(state, Pick("play", 1, cursor="9"), ["left"])
    assert (left.kind, left.stack) == ("play", len(state.tops))
    seen = {walked(state, MOVE_INPUT.initial_pick(state), ["right"] * steps).kind for steps in range(7)}
    assert "cannot" in seen


def test_left_and_right_leap_over_corals():
    """Once a coral is entered, they lead to the coral that completes the sum, a face card, or the same coral again."""
    begun = walked(SEALED, MOVE_INPUT.initial_pick(SEALED), ["down", "down", "ok"])
    assert [walked(SEALED, begun, ["right"] * leaps).cursor for leaps in range(3)] == ["2", "J", "2"]
    assert walked(SEALED, begun, ["left"]).cursor == "J"
    between = walked(SEALED, begun, ["up", "right"])
    assert between.cursor == "2"


def test_the_next_leap_leads_to_the_next_face():
    """After a face card right leads to the next one; if up leads to the jack already, to the queen."""
    jack = walked(SEALED, MOVE_INPUT.initial_pick(SEALED), ["down", "ok", "right", "ok"])
    assert jack.corals == "8J"
    assert walked(SEALED, jack, ["right"]).cursor == "Q"
    whole = Pick("play", 1, "72", "T")
    assert walked(SEALED, whole, ["up"]).cursor == "J"
    assert walked(SEALED, whole, ["right"]).cursor == "Q"


def test_going_on_after_a_right_sum_looks_different():
    """Beside the coral that makes the sum right there is a choice to add it and go on, in different words.

    The way back is the same.
    """
    pick = MOVE_INPUT.pick_at_first_arrow(SEALED, "up")
    assert walked(SEALED, pick, ["up", "up"]).cursor == "T"
    assert walked(SEALED, pick, ["up", "up", "down", "down"]) == pick
    plain, more = (
        MOVE_INPUT.draft_from_pick(SEALED, pick),
        MOVE_INPUT.draft_from_pick(SEALED, walked(SEALED, pick, ["up"])),
    )
    assert (plain.text, plain.working) == ("1:9", "9 on stack 1")
    assert (more.text, more.working, more.verdict, more.next_step) == ("1:9_", "9 first, then more", "more", "add 9")


def test_only_corals_that_may_be_there_are_walked():
    """The picker leaves out a rank of which all corals are known to be elsewhere."""
    state = SEALED._replace(unseen=SEALED.unseen - 8 * SINGLE_BAGS["8"] - 4 * SINGLE_BAGS["9"])
    pick = MOVE_INPUT.pick_at_first_arrow(state, "up")
    assert pick.cursor == "7"
    seen = set()
    for _ in range(20):
        seen.add(pick.cursor)
        pick = MOVE_INPUT.pick_after_arrow(state, pick, "up")
    assert seen == set("A234567TJQK")
    texts = {
        MOVE_INPUT.draft_from_pick(state, walked(state, MOVE_INPUT.initial_pick(state), ["right"] * n)).text
        for n in range(8)
    }
    assert "nine" not in texts


@pytest.mark.parametrize("hand", ["A2599TJK", "24689TQK", "AAAA9JJ8"])
def test_every_legal_move_can_be_picked(picked_keys, hand):
    """Six buttons reach each play, seed and draw of an open hand."""
    for form in ("cards", "tiles"):
        state = start(hand if form == "cards" else hand.translate(str.maketrans("JQK", "345")), form=form)
        for move in RULES.legal_moves(state):
            assert picked_keys(GAME.id, state, str(move))[-1] == "ok"
    for coral in "A23456789TJQK":
        assert picked_keys(GAME.id, STUCK, f"draw {coral}")[-1] == "ok"


@given(st.lists(st.sampled_from((*ARROWS, "ok")), max_size=40), st.randoms(use_true_random=False))
@settings(max_examples=example_count(60), deadline=None)
def test_walking_tells_nothing_of_an_open_hand(steps, chance):
    """Whatever is in an open hand that can move, the same presses show the same drafts (promise 3)."""
    state = start("A2599TJK")
    hidden = RULES.seat_view(state, None)
    bag = bag_of(chance.sample("A2345678TJQK" * 3, 8))
    other = state._replace(hands=(bag, None), unseen=hidden.unseen - bag)
    assume(not MOVE_INPUT.must_draw(other))  # Whether it can is told to everybody.
    pick, twin = MOVE_INPUT.initial_pick(state), MOVE_INPUT.initial_pick(other)
    for step in steps:
        assert pick == twin
        assert MOVE_INPUT.draft_from_pick(state, pick) == MOVE_INPUT.draft_from_pick(other, twin)
        pick, twin = (
            walked(where, each, [step]) or MOVE_INPUT.initial_pick(where)
            for where, each in ((state, pick), (other, twin))
        )


@pytest.mark.parametrize(
    ("event", "most"),
    [("4:225QKK8", 20), ("2:AA2JJJ8", 21), ("4:2223", 14), ("1:9", 2), ("4:9", 3), ("seed", 4)],
)
def test_long_plays_take_few_presses(picked_keys, event, most):
    """The longest plays of 200 random rounds are picked in about 20 presses, OK included."""
    assert len(picked_keys(GAME.id, SEALED, event)) <= most


def test_presses(play_round, typed_keys, picked_keys):
    """The median event takes at most 4 keys and at most 4 presses of buttons."""
    chance = random.Random(4)
    presses = {"typed": [], "picked": []}
    for form in ("cards", "tiles") * example_count(20):
        played = play_round(GAME.id, {"form": form}, 2, chance)
        for state, (_, move) in zip(played.states, played.events, strict=False):
            presses["typed"].append(len(typed_keys(GAME.id, state, str(move))))
            presses["picked"].append(len(picked_keys(GAME.id, state, str(move))))
    assert statistics.median(presses["typed"]) <= 4
    assert statistics.median(presses["picked"]) <= 4


# -- dealing and words ------------------------------------------------------------------------------------------


def test_a_hand_is_dealt_a_key_a_coral():
    """1 or A is the ace, 0 the ten, B C D jack, queen and king; tiles have no face cards."""
    dealt = [MOVE_INPUT.parse_typed_pieces(key, "deal", {"form": "cards"})[0][0] for key in "1A234567890BCD"]
    assert "".join(dealt) == "AA23456789TJQK"
    assert MOVE_INPUT.parse_typed_pieces("B", "deal", {"form": "tiles"}) is None
    assert MOVE_INPUT.parse_typed_pieces("A", "deal", {"form": "tiles"}) is None


@pytest.mark.parametrize("form", GAME.option_values["form"])
def test_the_grid_has_every_coral_once(form):
    """A deal is picked from all corals of the form."""
    rows = MOVE_INPUT.piece_rows("deal", {"form": form})
    assert "".join(map("".join, rows)) == ("A23456789TJQK" if form == "cards" else "A23456789T")


def test_hands_are_masked_and_draws_reveal():
    """A hand is entered as dots; a draw, open or sealed, has shown its player a coral."""
    assert MOVE_INPUT.is_piece_hidden("deal", "7")
    assert [MOVE_INPUT.revealed_piece_text(event) for event in ("draw 7", "draw", "2:54", "pass")] == [
        "a coral",
        "a coral",
        "",
        "",
    ]


def test_words_name_no_coral():
    """No suggestion names a coral of the hand; a hand without a move is told to draw (promise 3)."""
    assert MOVE_INPUT.suggested_move_text(OPEN) in {
        f"Something in the hand fits stack {stack}." for stack in range(1, 5)
    }
    assert MOVE_INPUT.suggested_move_text(start("TTTTJJ9Q")._replace(tops=(3, 3, 3, 3))) == "You can move."
    assert MOVE_INPUT.suggested_move_text(STUCK) == "Nothing fits: draw a coral."
    assert (MOVE_INPUT.must_draw(STUCK), MOVE_INPUT.must_draw(OPEN), MOVE_INPUT.must_draw(SEALED)) == (
        True,
        False,
        False,
    )


def test_the_suggestion_for_a_sealed_hand_is_public():
    """The tops, and how many unseen corals fit alone, counting nines; it fits the panel with any number of stacks."""
    told = "What you place must add up to 9. Of the 100 unseen corals, 4 fit alone."
    assert MOVE_INPUT.suggested_move_text(SEALED) == told
    told = "What you place must add up to 3, 5 or 9. Of the 100 unseen corals, 20 fit alone."
    assert MOVE_INPUT.suggested_move_text(SEALED._replace(tops=(5, 9, 3, 9))) == told
    for tops in ((10, 9, 8, 7), (10, 9, 8, 7, 6), tuple(range(1, 11))):
        told = MOVE_INPUT.suggested_move_text(SEALED._replace(tops=tops))
        assert len(fonts.wrap_text(told, fonts.TEXT, 122)) <= 4
    assert told == "Of the 100 unseen corals, 68 fit alone."


def test_instructions_for_a_claim():
    """Only a sealed hand claims that it can't move, and how depends on whether it has drawn."""
    assert MOVE_INPUT.claim_instructions(SEALED) == "Can't move? Type 0."
    assert MOVE_INPUT.claim_instructions(SEALED._replace(has_drawn=True)) == "Can't move? Pass: 0"
    assert MOVE_INPUT.claim_instructions(SEALED, uses_buttons=True) == "Can't move? ↩ menu"
    assert MOVE_INPUT.claim_instructions(SEALED._replace(has_drawn=True), uses_buttons=True) == "Can't move? Pass: ▸"
    assert MOVE_INPUT.claim_instructions(OPEN) == MOVE_INPUT.claim_instructions(STUCK) == ""


def test_a_turn_that_ends_by_itself_is_explained():
    """A draw that does not help an open hand ends its turn; one that helps does not (Coral Reef, A turn)."""
    after = {coral: RULES.play_move(STUCK, 1, RULES.parse_move(f"draw {coral}")) for coral in "T9"}
    assert MOVE_INPUT.turn_end_reason(STUCK, after["T"]) == "drew and still can't move"
    assert MOVE_INPUT.turn_end_reason(STUCK, after["9"]) == ""
    assert MOVE_INPUT.turn_end_reason(SEALED, RULES.play_move(SEALED, 1, RULES.parse_move("draw"))) == ""


def test_own_hand_result_and_claims_in_words():
    """A hand is listed from ace to king, tiles as digits; the result counts the corals left."""
    assert MOVE_INPUT.own_pieces_text(RULES.seat_view(OPEN, 1), 1) == "A 2 3 4 5 6 7 8"
    tiles = start("A2TT5567", form="tiles")
    assert MOVE_INPUT.own_pieces_text(RULES.seat_view(tiles, 1), 1) == "1 2 5 5 6 7 0 0"
    assert MOVE_INPUT.result_counts(OPEN._replace(sizes=(0, 4)), (1, 0)) == (0, 4)
    assert MOVE_INPUT.possible_move_text("2:5AT", {"form": "tiles"}) == "laid 5 1 0 on 2"
    assert MOVE_INPUT.possible_move_text("seed", {"form": "cards"}) == "started a stack with a nine"


def test_from_the_draw_up_and_down_lead_to_the_first_stack():
    """After a draw the picker begins at the pass. A player who looks for a coral is not told "no further" there."""
    for arrow in ("up", "down"):
        found = MOVE_INPUT.pick_after_arrow(SEALED, Pick("cannot"), arrow)
        assert (found.kind, found.stack) == ("play", 1)


def test_a_chosen_coral_goes_along_from_stack_to_stack():
    """Up and down choose a coral, which left and right then keep; otherwise no stack shows one."""
    begun = MOVE_INPUT.initial_pick(SEALED)
    jack = walked(SEALED, begun, ["down", "down"])
    there = walked(SEALED, jack, ["right"])
    assert (there.stack != jack.stack, there.cursor) == (True, jack.cursor)
    assert walked(SEALED, begun, ["right"]) == Pick("play", there.stack)


def test_a_nine_on_the_next_stack_is_a_seed():
    """Typing the number of the new stack before the nine means the same as the nine alone."""
    assert MOVE_INPUT.draft_from_keys(SEALED, "59") == MOVE_INPUT.draft_from_keys(SEALED, "9")
    assert MOVE_INPUT.draft_from_keys(SEALED, "69").verdict == "no"


def test_a_ten_is_printed_as_on_the_card():
    """No card has a T printed on it."""
    assert MOVE_INPUT.draft_from_keys(SEALED, "290").text == "2:9 10"
    assert MOVE_INPUT.draft_from_keys(TILES, "290").text == "2:90"


def test_nothing_goes_on_after_the_last_coral_of_a_hand():
    """The choice to add more is offered only if another coral can follow."""
    nine = Pick("play", 1, cursor="9")
    assert "9+" in cursor_choices(SEALED, nine)
    last = RULES.seat_view(SEALED, None)._replace(sizes=(1, 8))
    assert "9+" not in cursor_choices(last, nine)


def test_an_illegal_end_is_refused_with_its_reason():
    """Past the last coral OK plays the draft as it is, so it is called wrong there, not incomplete."""
    ended = MOVE_INPUT.draft_from_pick(SEALED, Pick("play", 1, "6", END_CHOICE))
    assert (ended.verdict, ended.working, ended.message) == ("no", "6", "not 9")
    ended = MOVE_INPUT.draft_from_pick(SEALED, Pick("play", 1, "9J", END_CHOICE))
    assert (ended.verdict, ended.working, ended.message) == ("no", "9-1 = 8", "J can't be last")


def test_tens_have_blanks_on_both_sides():
    """A ten and the digit after it must not be read as one number."""
    assert MOVE_INPUT.draft_from_keys(SEALED, "25072").text == "2:5 10 72"
