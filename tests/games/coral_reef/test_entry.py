"""Move input of Coral Reef: the key table, the draft after each key, what the picker reaches, and secrets."""

import random
import statistics

import pytest
from examples import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.games.api import Refused
from companion.games.api.entry import ARROWS, after_stray
from companion.games.coral_reef import GAME
from companion.games.coral_reef.entry import END, ENTRY, Pick, choices, on_stack
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.sums import UNITS, pack
from companion.panel import fonts

KEYS = "0123456789ABCD"


def start(first="", second="", form="cards"):
    """An initial position; hands as written are open, "" is a sealed one."""
    deals = {("deal", seat): tuple(hand) for seat, hand in enumerate((first, second), 1) if hand}
    return RULES.start(2, {"form": form}, deals)


SEALED = start()
TILES = start(form="tiles")
OPEN = start("A2345678")
STUCK = RULES.start(2, {"form": "cards"}, {("deal", 1): tuple("TTTTJJQQ")})


def accepted(state, event):
    try:
        RULES.play(state, state.seat, RULES.read(event))
    except Refused:
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
    draft = ENTRY.typed(SEALED, keys)
    assert (draft.event or draft.attempt) == event


def test_after_a_draw_0_passes():
    """0 draws, then passes; with an empty deck it passes at once (key table, Coral Reef)."""
    assert ENTRY.typed(SEALED._replace(drew=True), "0").event == "pass"
    assert ENTRY.typed(SEALED._replace(pile=0), "0").event == "pass"


@pytest.mark.parametrize(("key", "coral"), list(zip("123456789A0BCD", "A23456789ATJQK", strict=True)))
def test_an_open_hand_names_what_it_draws(key, coral):
    """`0 7 #` is `draw 7`, shown masked (key table, Coral Reef)."""
    draft = ENTRY.typed(STUCK, "0" + key)
    assert (draft.event, draft.text) == (f"draw {coral}", "draw •")


@pytest.mark.parametrize("keys", ["2B", "25C", "1D"])
def test_face_cards_mean_nothing_among_tiles(keys):
    """With tiles B, C and D mean nothing (key table, Coral Reef)."""
    assert ENTRY.typed(TILES, keys) is None


@pytest.mark.parametrize("keys", ["A", "B", "95", "07", "00", "2" + "1" * 10])
def test_keys_that_mean_nothing(keys):
    """No stack has a letter or the number nine, a sealed draw is not named, and no play is longer than its hand."""
    assert ENTRY.typed(SEALED, keys) is None


def test_only_one_coral_is_drawn():
    """An open hand draws one coral a turn."""
    assert ENTRY.typed(STUCK, "077") is None


def draft_shown(table) -> tuple[str, str]:
    """The verdict below the draft, as the panel shows it."""
    shown = table.session.screen.content(table.session).scene
    return (shown.draft.verdict, shown.say or shown.draft.says)


def test_who_has_a_move_names_no_drawn_coral(desk):
    """If an open hand can move, 0 says so. A key after that is no drawn coral but begins the move."""
    table = desk("coral-reef", opened=(("deal", 1), ("deal", 2)))
    for hand in ("88776654", "88877655"):
        table.type(hand + "#")
    assert RULES.find(table.session.round.state)
    table.press("0")
    assert draft_shown(table) == ("no", "no: you can move")
    table.press("3")
    assert (table.session.screen.keys, table.session.screen.stray) == ("3", "")
    assert draft_shown(table) == ("more", "cards? 0=10")
    table.press("*")
    assert table.session.screen.keys == ""
    table.press(*"0#")
    assert table.session.screen.refused.code == "must-play"


@pytest.mark.parametrize(
    ("state", "keys", "told"),
    [
        (STUCK, "07", ("ok", "# draw, * undo")),
        (SEALED, "0", ("ok", "# draw, * undo")),
        (OPEN, "9", ("no", "* deletes")),
        (STUCK._replace(loose=pack("A")), "07", ("no", "* deletes")),
        (SEALED._replace(sizes=(1, 8)), "252", ("no", "* deletes")),
    ],
)
def test_it_asks_for_the_key_that_is_taken(state, keys, told):
    """When no more keys fit, a draft with a tick asks for #; one with a cross says how to erase it."""
    assert ENTRY.typed(state, keys + "7") is None
    draft = after_stray(ENTRY.typed(state, keys))
    assert (draft.verdict, draft.says) == told


# -- what the entry says ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "keys", "verdict", "working", "says"),
    [
        (SEALED, "2", "more", "B=J C=Q D=K", "cards? 0=10"),
        (SEALED, "7", "no", "no stack 7", "only 1 to 4"),
        (SEALED, "75", "no", "no stack 7", "only 1 to 4"),
        (SEALED, "25", "more", "", "4 to go"),
        (SEALED, "29", "ok", "", "top 9"),
        (SEALED, "2D", "more", "-3 on 9", "12 to go"),
        (SEALED, "254", "ok", "5+4 = 9", "top 4"),
        (SEALED, "2540", "ok", "5+4+0 = 9", "top 10"),
        (SEALED, "257", "more", "5+7 = 12", "3 over"),
        (TILES, "257", "no", "5+7 = 12", "3 over"),
        (SEALED, "257D", "more", "5+7-3 = 9", "K can't be last"),
        (SEALED, "257D0", "ok", "5+7-3+0 = 9", "top 10"),
        (SEALED, "2501", "no", "a ten not last", "must be last"),
        (SEALED, "2500", "no", "a ten not last", "must be last"),
        (SEALED, "20", "no", "a ten adds 0", "must be last"),
        (SEALED, "250", "no", "5+0 = 5", "a ten adds 0"),
        (SEALED, "0", "ok", "", "draw one card"),
        (TILES, "0", "ok", "", "draw one tile"),
        (SEALED, "9", "ok", "a nine starts", "stack 5"),
        (OPEN, "9", "no", "no nine", "not in hand"),
        (OPEN, "2D", "no", "king", "not in hand"),
        (OPEN, "255", "no", "5 twice", "not in hand"),
        (OPEN, "0", "no", "", "no: you can move"),
        (STUCK, "0", "more", "0=10 B=J C=Q D=K", "draw which card?"),
        (STUCK, "07", "ok", "", "draw this card"),
    ],
)
def test_verdicts(state, keys, verdict, working, says):
    """While a move is entered, the bottom line says that it is impossible and why, what is missing, or what it does."""
    draft = ENTRY.typed(state, keys)
    assert (draft.verdict, draft.working, draft.says) == (verdict, working, says)


def test_the_last_coral_of_a_hand_leaves_nothing_to_add():
    """If no coral is left, a sum that is too low has a cross, not an underscore."""
    assert ENTRY.typed(SEALED._replace(sizes=(1, 8)), "25").verdict == "no"
    assert ENTRY.typed(SEALED._replace(sizes=(1, 8)), "252").says == "not in hand"
    assert ENTRY.typed(SEALED._replace(sizes=(1, 8)), "252").verdict == "no"


def test_a_long_sum_shows_its_end():
    """A sum that is too long for its line loses its first terms."""
    draft = ENTRY.typed(SEALED._replace(sizes=(30, 8)), "1" + "1B" * 7 + "9")
    assert (draft.verdict, draft.working[0], draft.working[-9:]) == ("ok", "…", "1-1+9 = 9")
    assert len(draft.working) <= 22


@given(st.data())
@settings(max_examples=examples(150), deadline=None)
def test_ok_is_accepted_and_no_is_refused(data):
    """The rules accept a draft with the verdict ok and refuse one with no, whatever the hands."""
    chance = random.Random(data.draw(st.integers(0, 2**32)))
    form = chance.choice(GAME.values["form"])
    dealt = RULES.deal(2, {"form": form}, chance.sample)
    state = RULES.start(2, {"form": form}, {key: hand for key, hand in dealt.items() if chance.random() < 0.7})
    for _ in range(chance.randint(0, 12)):
        if state.seat is not None:
            move = RULES.complete(state, chance.choice(RULES.moves(state)), chance.sample)
            state = RULES.play(state, state.seat, move)
    keys = ""
    for key in data.draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=9)):
        draft = ENTRY.typed(state, keys + key) if state.seat else None
        if draft is None:
            continue
        keys += key
        assert len(draft.working) <= 22
        assert len(draft.says) <= 22
        if draft.verdict == "ok":
            assert accepted(state, draft.event)
        elif draft.event is not None:
            assert not accepted(state, draft.event)


# -- the picker -------------------------------------------------------------------------------------------------


def walked(state, pick, steps):
    for step in steps:
        pick = ENTRY.entered(state, pick) if step == "ok" else ENTRY.pick_changed(state, pick, step)
    return pick


def test_the_picker_starts_at_the_highest_top():
    """That is the stack that most sums match; the cursor is on the coral that matches it alone."""
    draft = ENTRY.picked(SEALED, ENTRY.pick(SEALED._replace(tops=(3, 2, 8, 8))))
    assert (draft.attempt, ENTRY.pick(SEALED._replace(tops=(3, 2, 8, 8))).cursor) == ("3:8", "8")


def test_after_a_draw_it_starts_at_the_pass():
    """A pass is the likeliest move of a sealed hand that has drawn."""
    state = SEALED._replace(drew=True)
    assert ENTRY.picked(state, ENTRY.pick(state)).event == "pass"


def test_stacks_wrap_by_way_of_cannot_and_seed():
    """Left and right move over the stacks, then a seed, then "I can't move", and wrap around."""
    pick = ENTRY.pick(SEALED)
    texts = []
    for _ in range(7):
        texts.append(ENTRY.picked(SEALED, pick).text)
        pick = ENTRY.pick_changed(SEALED, pick, "right")
    assert texts == ["1:9", "2:9", "3:9", "4:9", "nine", "draw", "1:9"]


def test_a_tick_plays_and_an_underscore_goes_on():
    """OK plays what has a tick, and adds the coral of an incomplete entry."""
    pick = ENTRY.pick(SEALED)
    assert ENTRY.entered(SEALED, pick) is None
    below = ENTRY.pick_changed(SEALED, pick, "down")
    assert ENTRY.picked(SEALED, below).verdict == "more"
    assert ENTRY.picked(SEALED, ENTRY.entered(SEALED, below)).event == "1:8A"


def test_a_wrong_move_can_be_picked():
    """The picker lets a player pick a move that the rules forbid."""
    end = walked(SEALED, ENTRY.pick(SEALED), ["down", "ok", "down"])
    draft = ENTRY.picked(SEALED, end)
    assert (draft.event, draft.verdict, ENTRY.entered(SEALED, end)) == ("1:8", "no", None)


def test_back_takes_one_step():
    """BACK removes the last coral and puts the cursor on it, then leaves the picker."""
    pick = walked(SEALED, ENTRY.pick(SEALED), ["down", "ok"])
    back = ENTRY.erased(SEALED, pick)
    assert (back.corals, back.cursor) == ("", "8")
    assert ENTRY.erased(SEALED, back) is None
    card = ENTRY.pick(STUCK)
    assert (card.kind, ENTRY.erased(STUCK, card).kind) == ("card", "cannot")


def test_who_has_no_move_picks_the_drawn_coral_at_once():
    """The first arrow of an open hand without a move is on the coral that it draws; BACK and an arrow lead away."""
    assert ENTRY.picked(STUCK, ENTRY.pick(STUCK)).event.startswith("draw ")
    left = walked(STUCK, ENTRY.erased(STUCK, ENTRY.pick(STUCK)), ["left"])
    assert left.kind in ("play", "seed")
    assert ENTRY.pick(STUCK._replace(drew=True)).kind == "play"


@pytest.mark.parametrize("nines", [4, 0])
def test_left_of_the_first_stack_is_never_the_draw(nines):
    """A drawn coral can't be put back. So OK must not draw one arrow from the first stack, even if no nine is left."""
    state = SEALED._replace(loose=SEALED.loose - (4 - nines) * UNITS["9"])
    left = walked(state, Pick("play", 1, cursor="9"), ["left"])
    assert (left.kind, left.stack) == ("play", len(state.tops))
    seen = {walked(state, ENTRY.pick(state), ["right"] * steps).kind for steps in range(7)}
    assert "cannot" in seen


def test_left_and_right_leap_over_corals():
    """Once a coral is entered, they lead to the coral that completes the sum, a face card, or the same coral again."""
    begun = walked(SEALED, ENTRY.pick(SEALED), ["down", "down", "ok"])
    assert [walked(SEALED, begun, ["right"] * leaps).cursor for leaps in range(3)] == ["2", "J", "2"]
    assert ENTRY.picked(SEALED, begun).marks.leaps == ("▸7J", "◂7J")  # J alone would be read as a stack.
    assert walked(SEALED, begun, ["left"]).cursor == "J"
    between = walked(SEALED, begun, ["up", "right"])
    assert between.cursor == "2"


def test_the_next_leap_leads_to_the_next_face():
    """After a face card right leads to the next one; if up leads to the jack already, to the queen."""
    jack = walked(SEALED, ENTRY.pick(SEALED), ["down", "ok", "right", "ok"])
    assert jack.corals == "8J"
    assert walked(SEALED, jack, ["right"]).cursor == "Q"
    whole = Pick("play", 1, "72", "T")
    assert walked(SEALED, whole, ["up"]).cursor == "J"
    assert walked(SEALED, whole, ["right"]).cursor == "Q"


def test_going_on_after_a_right_sum_looks_different():
    """Beside the coral that makes the sum right there is a choice to add it and go on, with a different label.

    The way back is the same.
    """
    pick = ENTRY.pick(SEALED)
    assert walked(SEALED, pick, ["up", "up"]).cursor == "T"
    assert walked(SEALED, pick, ["up", "up", "down", "down"]) == pick._replace(chosen=True)
    plain, more = ENTRY.picked(SEALED, pick), ENTRY.picked(SEALED, walked(SEALED, pick, ["up"]))
    assert (plain.text, plain.marks.cursor) == ("1:9", "9")
    assert (more.text, more.marks.cursor, more.verdict) == ("1:9_", "", "more")


def test_only_corals_that_may_be_there_are_walked():
    """The picker leaves out a rank of which all corals are known to be elsewhere."""
    state = SEALED._replace(loose=SEALED.loose - 8 * UNITS["8"] - 4 * UNITS["9"])
    assert ENTRY.pick_changed(state, ENTRY.pick(state), "right").cursor == "7"
    seen, pick = set(), ENTRY.pick(state)
    for _ in range(20):
        seen.add(pick.cursor)
        pick = ENTRY.pick_changed(state, pick, "up")
    assert seen == set("A234567TJQK")
    texts = {ENTRY.picked(state, walked(state, ENTRY.pick(state), ["right"] * n)).text for n in range(8)}
    assert "nine" not in texts


@pytest.mark.parametrize("hand", ["A2599TJK", "24689TQK", "AAAA9JJ8"])
def test_every_legal_move_can_be_picked(picked_keys, hand):
    """Six buttons reach each play, seed and draw of an open hand."""
    for form in ("cards", "tiles"):
        state = start(hand if form == "cards" else hand.translate(str.maketrans("JQK", "345")), form=form)
        for move in RULES.moves(state):
            assert picked_keys(GAME.id, state, str(move))[-1] == "ok"
    for coral in "A23456789TJQK":
        assert picked_keys(GAME.id, STUCK, f"draw {coral}")[-1] == "ok"


@given(st.lists(st.sampled_from((*ARROWS, "ok")), max_size=40), st.randoms(use_true_random=False))
@settings(max_examples=examples(60), deadline=None)
def test_walking_tells_nothing_of_an_open_hand(steps, chance):
    """Whatever is in an open hand that can move, the same presses show the same drafts (promise 3)."""
    state = start("A2599TJK")
    hidden = RULES.view(state, None)
    bag = pack(chance.sample("A2345678TJQK" * 3, 8))
    other = state._replace(hands=(bag, None), loose=hidden.loose - bag)
    assume(not ENTRY.forced(other))  # Whether it can is told to everybody.
    pick, twin = ENTRY.pick(state), ENTRY.pick(other)
    for step in steps:
        assert pick == twin
        assert ENTRY.picked(state, pick) == ENTRY.picked(other, twin)
        pick, twin = (
            walked(where, each, [step]) or ENTRY.pick(where) for where, each in ((state, pick), (other, twin))
        )


@pytest.mark.parametrize(
    ("event", "most"),
    [("4:225QKK8", 20), ("2:AA2JJJ8", 20), ("4:2223", 14), ("1:9", 2), ("4:9", 3), ("seed", 4)],
)
def test_long_plays_take_few_presses(picked_keys, event, most):
    """The longest plays of 200 random rounds are picked in about 20 presses, OK included."""
    assert len(picked_keys(GAME.id, SEALED, event)) <= most


def test_presses(play_round, typed_keys, picked_keys):
    """The median event takes at most 4 keys and at most 4 presses of buttons."""
    chance = random.Random(4)
    presses = {"typed": [], "picked": []}
    for form in ("cards", "tiles") * examples(20):
        played = play_round(GAME.id, {"form": form}, 2, chance)
        for state, (_, move) in zip(played.states, played.events, strict=False):
            presses["typed"].append(len(typed_keys(GAME.id, state, str(move))))
            presses["picked"].append(len(picked_keys(GAME.id, state, str(move))))
    assert statistics.median(presses["typed"]) <= 4
    assert statistics.median(presses["picked"]) <= 4


# -- dealing and words ------------------------------------------------------------------------------------------


def test_a_hand_is_dealt_a_key_a_coral():
    """1 or A is the ace, 0 the ten, B C D jack, queen and king; tiles have no face cards."""
    dealt = [ENTRY.pieces(key, "deal", {"form": "cards"})[0][0] for key in "1A234567890BCD"]
    assert "".join(dealt) == "AA23456789TJQK"
    assert ENTRY.pieces("B", "deal", {"form": "tiles"}) is None
    assert ENTRY.pieces("A", "deal", {"form": "tiles"}) is None


@pytest.mark.parametrize("form", GAME.values["form"])
def test_the_grid_has_every_coral_once(form):
    """A deal is picked from all corals of the form."""
    rows = ENTRY.grid("deal", {"form": form})
    assert "".join(map("".join, rows)) == ("A23456789TJQK" if form == "cards" else "A23456789T")


def test_hands_are_masked_and_draws_reveal():
    """A hand is entered as dots; a draw, open or sealed, has shown its player a coral."""
    assert ENTRY.masked("deal", "7")
    assert [ENTRY.reveals(event) for event in ("draw 7", "draw", "2:54", "pass")] == ["a coral", "a coral", "", ""]


def test_words_name_no_coral():
    """No suggestion names a coral of the hand; a hand without a move is told to draw (promise 3)."""
    assert ENTRY.suggestion(OPEN) in {f"Something in the hand fits stack {stack}." for stack in range(1, 5)}
    assert ENTRY.suggestion(start("TTTTJJ9Q")._replace(tops=(3, 3, 3, 3))) == "You can move."
    assert ENTRY.suggestion(STUCK) == "Nothing fits: draw a card."
    assert (ENTRY.forced(STUCK), ENTRY.forced(OPEN), ENTRY.forced(SEALED)) == (True, False, False)


def test_a_sealed_hand_is_told_what_everybody_can_see():
    """The tops, and how many unseen corals fit alone, counting nines; it fits the panel with any number of stacks."""
    told = "What you place must add up to 9. Of the 100 unseen corals, 4 fit alone."
    assert ENTRY.suggestion(SEALED) == told
    told = "What you place must add up to 3, 5 or 9. Of the 100 unseen corals, 20 fit alone."
    assert ENTRY.suggestion(SEALED._replace(tops=(5, 9, 3, 9))) == told
    for tops in ((10, 9, 8, 7), (10, 9, 8, 7, 6), tuple(range(1, 11))):
        told = ENTRY.suggestion(SEALED._replace(tops=tops))
        assert len(fonts.wrap_text(told, fonts.TEXT, 122)) <= 4
    assert told == "Of the 100 unseen corals, 68 fit alone."


def test_how_to_say_i_cannot():
    """Only a sealed hand claims that it can't move, and how depends on whether it has drawn."""
    assert ENTRY.cannot(SEALED) == "no move? 0 # draws"
    assert ENTRY.cannot(SEALED._replace(drew=True)) == "no move? 0 # passes"
    assert ENTRY.cannot(SEALED, buttons=True) == "no move? ▸ to the end"
    assert ENTRY.cannot(SEALED._replace(drew=True), buttons=True) == "no move? ▸ passes"
    assert ENTRY.cannot(OPEN) == ENTRY.cannot(STUCK) == ""


def test_a_turn_that_ends_by_itself_is_told():
    """A draw that does not help an open hand ends its turn; one that helps does not (Coral Reef, A turn)."""
    after = {coral: RULES.play(STUCK, 1, RULES.read(f"draw {coral}")) for coral in "T9"}
    assert ENTRY.turn_ended_because(STUCK, after["T"]) == "drew and still can't move"
    assert ENTRY.turn_ended_because(STUCK, after["9"]) == ""
    assert ENTRY.turn_ended_because(SEALED, RULES.play(SEALED, 1, RULES.read("draw"))) == ""


def test_own_hand_result_and_claims_in_words():
    """A hand is listed from ace to king, tiles as digits; the result counts the corals left."""
    assert ENTRY.own(RULES.view(OPEN, 1), 1) == "A 2 3 4 5 6 7 8"
    tiles = start("A2TT5567", form="tiles")
    assert ENTRY.own(RULES.view(tiles, 1), 1) == "1 2 5 5 6 7 0 0"
    assert ENTRY.result_counts(OPEN._replace(sizes=(0, 4)), (1, 0)) == (0, 4)
    assert ENTRY.could("2:5AT", {"form": "tiles"}) == "placed 5 1 0 on 2"
    assert ENTRY.could("seed", {"form": "cards"}) == "started a stack with a nine"


def test_from_the_draw_up_and_down_lead_to_the_first_stack():
    """After a draw the picker begins at the pass. A player who looks for a coral is not told "no further" there."""
    for arrow in ("up", "down"):
        found = ENTRY.pick_changed(SEALED, Pick("cannot"), arrow)
        assert (found.kind, found.stack) == ("play", 1)


def test_a_chosen_coral_goes_along_from_stack_to_stack():
    """Up and down choose a coral, which left and right then keep; otherwise each stack shows its likeliest one."""
    begun = ENTRY.pick(SEALED)
    jack = walked(SEALED, begun, ["down", "down"])
    there = walked(SEALED, jack, ["right"])
    assert (there.stack != jack.stack, there.cursor) == (True, jack.cursor)
    assert walked(SEALED, begun, ["right"]) == on_stack(RULES.view(SEALED, None), there.stack)


def test_past_the_nine_stands_what_comes_next():
    """A player without a move passes over the nine, so its label says that the draw, or the pass, comes next."""
    for state, then in ((SEALED, "▸ draw"), (SEALED._replace(drew=True), "▸ pass")):
        assert ENTRY.picked(state, Pick("seed")).marks.leaps == (then,)


def test_a_nine_on_the_next_stack_is_a_seed():
    """Typing the number of the new stack before the nine means the same as the nine alone."""
    assert ENTRY.typed(SEALED, "59") == ENTRY.typed(SEALED, "9")
    assert ENTRY.typed(SEALED, "69").verdict == "no"


def test_a_ten_is_printed_as_on_the_card():
    """No card has a T printed on it."""
    assert ENTRY.typed(SEALED, "290").text == "2:9 10"
    assert ENTRY.typed(TILES, "290").text == "2:90"


def test_nothing_goes_on_after_the_last_coral_of_a_hand():
    """The choice to add more is offered only if another coral can follow."""
    nine = on_stack(SEALED, 1)
    assert "9+" in choices(SEALED, nine)
    assert ENTRY.picked(SEALED, nine._replace(cursor="9+")).working == "and more"
    last = RULES.view(SEALED, None)._replace(sizes=(1, 8))
    assert "9+" not in choices(last, nine)


def test_an_end_that_cannot_be_is_crossed_with_what_is_wrong():
    """Past the last coral OK plays the draft as it is, so it is called wrong there, not incomplete."""
    ended = ENTRY.picked(SEALED, Pick("play", 1, "6", END))
    assert (ended.verdict, ended.says) == ("no", "3 short")
    ended = ENTRY.picked(SEALED, Pick("play", 1, "9J", END))
    assert (ended.verdict, ended.working, ended.says) == ("no", "9-1 = 8", "J can't be last")


def test_tens_stand_apart_on_both_sides():
    """A ten and the digit after it must not be read as one number."""
    assert ENTRY.typed(SEALED, "25072").text == "2:5 10 72"
