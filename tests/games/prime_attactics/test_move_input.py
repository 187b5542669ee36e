"""Typing and picking plays of Prime Attactics, row by row of the key table, and what drafts show and hide."""

import random
import statistics

import pytest
from examples import example_count

from companion.games.api import RefusedError
from companion.games.prime_attactics import GAME
from companion.games.prime_attactics.move_input import MOVE_INPUT
from companion.games.prime_attactics.picker import Marks, Pick
from companion.games.prime_attactics.rules import RULES

FULL = {"level": "full", "start": "11"}
DEALS = {
    ("deal", 1): "+4 +7 D+ -2 -6 x3 x5 Dx",
    ("rack", 1): "/2 /3 /5 /7",
    ("deal", 2): "+2 +6 -3 -5 x4 x7 Dx +3",
}


def start(*opened, **options):
    options = FULL | options
    deals = {key: RULES.parse_deal(DEALS[key], key[0], options) for key in opened}
    return RULES.initial_state(2, options, deals)


def scored(state, first, second, **changes):
    """The position with other scores."""
    one, two = state.sides
    return state._replace(sides=(one._replace(score=first), two._replace(score=second)), **changes)


OPEN = start(("deal", 1), ("rack", 1), ("deal", 2))
SEALED = start()


@pytest.mark.parametrize(
    ("keys", "event"),
    [("A4", "+4"), ("B2", "-2"), ("C3", "x3"), ("D2", "/2"), ("C50", "x5D"), ("0D3", "@/3"), ("0C30", "@x3D"),
     ("0A2D3", "@+2/3"), ("0B2D7", "@-2/7"), ("0", "pass"), ("A2D3", "+2/3"), ("D30", "/3D"), ("C9", "x9")],
)  # fmt: skip
def test_a_play_is_sign_number_double_with_0_before_it_for_the_opponent(keys, event):
    """The row of the key table: A + B - C × D ÷, the number, 0 the double, 0 first aims, 0 # is "I can't move"."""
    draft = MOVE_INPUT.draft_from_keys(SEALED, keys)
    assert (draft.event or draft.attempted_event) == event


@pytest.mark.parametrize("keys", ["1", "00", "A0A0A", "C3D", "D3D", "A47", "A400", "A40D", "A4D0", "A4D33", "#"])
def test_a_key_that_continues_nothing_means_nothing(keys):
    """The draft is None where the last key means nothing."""
    assert MOVE_INPUT.draft_from_keys(SEALED, keys) is None


def test_every_beginning_of_a_play_is_a_draft():
    """Every beginning of a play asks for what comes next, and OK plays none of it."""
    asked = [MOVE_INPUT.draft_from_keys(SEALED, keys) for keys in ("A", "0A", "0D")]
    assert [(draft.text, draft.event, draft.verdict, draft.message) for draft in asked] == [
        ("+_", None, "more", "+ number?"),
        ("→+_", None, "more", "+ number?"),
        ("→÷_", None, "more", "÷ number?"),
    ]


def test_a_slam_dunk_that_may_not_be_made_is_crossed_at_its_first_key():
    """D after + or - begins one only on the other score and from the seventh turn on; a double is typed as 0."""
    own, early = MOVE_INPUT.draft_from_keys(SEALED, "A4D"), MOVE_INPUT.draft_from_keys(SEALED, "0A4D")
    assert (own.text, own.verdict, own.working, own.message) == ("+4÷_", "no", "double? type 0", "other's only")
    assert (early.text, early.verdict, early.message) == ("→+4÷_", "no", "from turn 7")
    later = MOVE_INPUT.draft_from_keys(SEALED._replace(turns=6), "0A4D")
    assert (later.text, later.event, later.verdict, later.message) == ("→+4÷_", None, "more", "÷ number?")


@pytest.mark.parametrize(
    ("keys", "entered"),
    {"AB3": "-3", "ABD": "÷_", "D05": "→÷5", "0A0": "+_", "0AC07": "×7", "A0": "→+_", "B03": "→-3"}.items(),
)
def test_until_the_number_another_sign_or_aim_takes_the_place_of_the_first(keys, entered):
    """The panel names these keys beside the sign; BACK erases key by key."""
    assert MOVE_INPUT.draft_from_keys(SEALED, keys).text == entered
    assert all(MOVE_INPUT.draft_from_keys(SEALED, keys[:count]) for count in range(1, len(keys)))


def test_0_alone_is_the_claim_and_the_beginning_of_an_aimed_play():
    """0 # is "I can't move"; while a play is being aimed nothing is judged."""
    draft = MOVE_INPUT.draft_from_keys(SEALED, "0")
    assert (draft.event, draft.attempted_event, draft.verdict, draft.message) == (
        None,
        "pass",
        "more",
        "or a sign",
    )
    assert MOVE_INPUT.draft_from_keys(OPEN, "0").message == "which sign?"


def test_a_legal_play_tells_its_arithmetic():
    """The result in numbers, with the display's tiles marked: 33 × 7 × 2 = 462 in the sheet's example."""
    draft = MOVE_INPUT.draft_from_keys(scored(SEALED, 33, 13), "C70")
    assert (draft.text, draft.verdict, draft.working, draft.message) == ("×7D", "ok", "33×7×2", "33×7×2 = 462")
    assert draft.marks == Marks(False, ("x7", "Dx"), 462)


def test_an_aimed_play_changes_the_opponents_score():
    """Ben divides Ann's 462 by 3 (the sheet's example)."""
    draft = MOVE_INPUT.draft_from_keys(scored(SEALED, 13, 462), "0D3")
    assert (draft.text, draft.message, draft.marks.at_other_score) == ("→÷3", "462÷3 = 154", True)


def test_a_score_of_0_is_shown_before_it_is_played():
    """A player whose score becomes 0 loses, by the own play too."""
    state = scored(SEALED, 5, 5)
    assert MOVE_INPUT.draft_from_keys(state, "0B5").message == "= 0, you win"
    assert MOVE_INPUT.draft_from_keys(state, "B5").message == "= 0, you lose"


@pytest.mark.parametrize(
    ("state", "keys", "working", "says"),
    [(SEALED, "C9", "", "no such tile"), (OPEN, "C4", "", "don't have it"), (SEALED, "D30", "", "no ÷ double"),
     (SEALED, "A2D3", "slam dunk", "other's only"), (SEALED, "D2", "11÷2", "1 left over"),
     (scored(SEALED, 3, 3), "B5", "3-5 = -2", "below 0"), (SEALED, "0A2D3", "turn 1", "from turn 7"),
     (start(level="easy"), "0A2D3", "slam dunk", "not in easy"),
     (scored(SEALED, 3, 3, turns=6), "0B3D2", "3-3 = 0", "below 1")],
)  # fmt: skip
def test_an_illegal_play_has_a_reason_and_its_event(state, keys, working, says):
    """A draft that the rules refuse has a reason, and OK shows the whole refusal."""
    draft = MOVE_INPUT.draft_from_keys(state, keys)
    assert draft.event is not None
    assert (draft.verdict, draft.working, draft.message) == ("no", working, says)


# -- the picker ---------------------------------------------------------------------------------------------------


def walk(state, pick, *arrows):
    for arrow in arrows:
        pick = MOVE_INPUT.pick_after_arrow(state, pick, arrow)
    return pick


def test_the_picker_starts_at_the_displays_best_play_and_walks_it():
    """It starts at the likeliest move, passes over the display and the possible black tiles, and wraps around."""
    pick = MOVE_INPUT.initial_pick(OPEN)
    assert MOVE_INPUT.draft_from_pick(OPEN, pick).event == "x5"
    seen = []
    for _ in range(12):
        pick = MOVE_INPUT.pick_after_arrow(OPEN, pick, "right")
        seen.append(pick.tile)
    assert seen == ["/2", "/3", "/4", "/5", "/6", "/7", "+4", "+7", "-2", "-6", "x3", "x5"]


def test_the_picker_starts_at_a_play_that_wins():
    """A tile that brings the opponent to 0 is the likeliest of all."""
    state = scored(OPEN, 11, 6)
    assert MOVE_INPUT.draft_from_pick(state, MOVE_INPUT.initial_pick(state)).event == "@-6"


def test_up_aims_and_down_adds_the_double():
    """Up is the other score, down the second tile. Tiles that make a score smaller are for the other score at first."""
    pick = MOVE_INPUT.initial_pick(OPEN)
    assert MOVE_INPUT.draft_from_pick(OPEN, walk(OPEN, pick, "up", "down")).event == "@x5D"
    assert MOVE_INPUT.draft_from_pick(OPEN, walk(OPEN, pick, "down", "down", "down")).event == "x5D"
    assert MOVE_INPUT.draft_from_pick(OPEN, walk(OPEN, pick, "left", "left")).event == "@-6"


def test_a_sealed_display_is_picked_by_sign_and_then_number():
    """OK leads from the sign to its numbers, BACK from there to the sign."""
    pick = MOVE_INPUT.initial_pick(SEALED)
    assert MOVE_INPUT.draft_from_pick(SEALED, pick).event is None
    number = MOVE_INPUT.pick_after_ok(SEALED, pick)
    assert MOVE_INPUT.draft_from_pick(SEALED, number).event == "x7"
    assert MOVE_INPUT.pick_after_ok(SEALED, number) is None
    assert MOVE_INPUT.pick_after_back(SEALED, number) == pick
    assert MOVE_INPUT.pick_after_back(SEALED, pick) is None


def test_an_arrow_that_adds_nothing_is_explained():
    """A black tile has no double, and the doubles of another colour may all be gone."""
    assert MOVE_INPUT.blocked_arrow_text(SEALED, Pick("sign", "/"), "down") == "no ÷ double"
    assert MOVE_INPUT.blocked_arrow_text(OPEN, Pick("tile", "-2"), "down") == "no − double"
    assert MOVE_INPUT.blocked_arrow_text(OPEN, Pick("black", "-2", True, "/3"), "down") == "no double"
    assert MOVE_INPUT.blocked_arrow_text(OPEN, None, "up") == "no further"
    # Else it would read as if nobody could pass.
    assert MOVE_INPUT.blocked_arrow_text(OPEN, Pick("tile", "pass"), "down") == ""


def test_the_slam_dunk_stays_with_another_first_tile():
    """It stays as long as the sign is the same."""
    late = scored(SEALED, 24, 24, turns=6)
    pick = MOVE_INPUT.pick_after_arrow(late, Pick("tile", "+1", at_other_score=True, second_tile="/"), "right")
    assert pick == Pick("tile", "+2", at_other_score=True, second_tile="/")


def test_after_a_slam_dunk_the_aim_is_as_before():
    """Down leads from nothing over double and slam dunk to nothing again, and the aim is then as before."""
    late = start()._replace(turns=20)
    for aimed in (False, True):
        pick = Pick("tile", "+1", at_other_score=aimed)
        there = walk(late, pick, "down", "down")
        assert (there.second_tile, there.at_other_score) == ("/", True)
        back = walk(late, there, "down")
        assert (back.second_tile, back.at_other_score) == ("", aimed)


def test_a_slam_dunk_is_picked_with_its_black_tile_last():
    """Down offers the slam dunk, OK its black tiles, beginning with one that divides."""
    state = scored(OPEN, 11, 11, turns=6)
    pick = walk(state, MOVE_INPUT.initial_pick(state), "left", "left", "left", "left", "up", "down", "down")
    assert MOVE_INPUT.draft_from_pick(state, pick).message == "slam dunk"
    black = MOVE_INPUT.pick_after_ok(state, pick)
    assert MOVE_INPUT.draft_from_pick(state, black).event == "@+7/6"
    assert MOVE_INPUT.pick_after_back(state, black) == pick
    assert MOVE_INPUT.pick_after_ok(state, black) is None


def test_pass_is_picked_only_where_it_may_be_legal():
    """The pass is offered if tiles are sealed and no open tile has a play, as far as everybody knows."""
    assert "pass" in [walk(SEALED, MOVE_INPUT.initial_pick(SEALED), *["right"] * n).tile for n in range(5)]
    assert MOVE_INPUT.claim_instructions(SEALED)
    assert not MOVE_INPUT.claim_instructions(OPEN)
    assert not MOVE_INPUT.claim_instructions(start(("deal", 1)))


def test_every_legal_play_can_be_picked_and_typed(play_round, picked_keys, typed_keys):
    """Six buttons and keys reach every play that the rules list, and those of sealed tiles too."""
    for seed in range(example_count(12)):
        chance = random.Random(seed)
        played = play_round(GAME.id, {"level": chance.choice(GAME.option_values["level"])}, 2, chance)
        for state, (_, happened) in zip(played.states[::5], played.events[::5], strict=False):
            for event in {str(happened), *map(str, RULES.legal_moves(state)[:12])} - {"refill"}:
                assert len(picked_keys(GAME.id, state, event)) <= 16
                if not event.startswith("refill"):
                    draft = MOVE_INPUT.draft_from_keys(state, "".join(typed_keys(GAME.id, state, event))[:-1])
                    assert (draft.event or draft.attempted_event) == event


def test_presses_stay_few(play_round, picked_keys, typed_keys):
    """The median play takes 12 presses or 4 keys, over random rounds."""
    picked, typed = [], []
    for seed in range(example_count(8)):
        chance = random.Random(seed)
        played = play_round(GAME.id, {"level": chance.choice(GAME.option_values["level"])}, 2, chance)
        for state, (_, event) in zip(played.states, played.events, strict=False):
            picked.append(len(picked_keys(GAME.id, state, str(event))))
            typed.append(len(typed_keys(GAME.id, state, str(event))))
    assert statistics.median(picked) <= 6
    assert statistics.median(typed) <= 4


def test_a_verdict_is_what_the_rules_say(play_round):
    """The rules accept an event with the verdict ok and refuse one with no."""
    keys = [aim + sign + number + then for aim in ("", "0") for sign in "ABCD" for number in "12357"
            for then in ("", "0", "D2", "D5")]  # fmt: skip
    for seed in range(example_count(6)):
        chance = random.Random(seed)
        played = play_round(GAME.id, {"level": chance.choice(GAME.option_values["level"])}, 2, chance)
        for state in played.states[:-1:9]:
            if MOVE_INPUT.due_refill(state):
                continue
            for each in chance.sample(keys, 30):
                draft = MOVE_INPUT.draft_from_keys(state, each)
                if draft is None:
                    continue
                try:
                    RULES.play_move(
                        state, RULES.seat_to_move(state), RULES.parse_move(draft.event or draft.attempted_event)
                    )
                    assert draft.verdict == "ok"
                except RefusedError:
                    assert draft.verdict == "no"


def test_the_picker_tells_nothing_about_a_hidden_rack():
    """Every draft of the picker is the same, whatever an open rack holds."""
    racks = ("/2 /3 /5 /7", "/3 /4 /5 /6")
    both = [
        RULES.initial_state(2, FULL, {("rack", 1): RULES.parse_deal(rack, "rack", FULL), ("deal", 1): display})
        for rack in racks
        for display in [RULES.parse_deal(DEALS["deal", 1], "deal", FULL)]
    ]
    chance = random.Random(3)
    picks = [MOVE_INPUT.initial_pick(state) for state in both]
    for _ in range(300):
        assert picks[0] == picks[1]
        assert MOVE_INPUT.draft_from_pick(both[0], picks[0]) == MOVE_INPUT.draft_from_pick(both[1], picks[1])
        arrow = chance.choice(["left", "right", "up", "down", "ok", "back"])
        if arrow == "ok":
            picks = [MOVE_INPUT.pick_after_ok(state, pick) or pick for state, pick in zip(both, picks, strict=True)]
        elif arrow == "back":
            picks = [MOVE_INPUT.pick_after_back(state, pick) or pick for state, pick in zip(both, picks, strict=True)]
        else:
            picks = [MOVE_INPUT.pick_after_arrow(state, pick, arrow) for state, pick in zip(both, picks, strict=True)]
    assert MOVE_INPUT.claim_instructions(both[0]) == MOVE_INPUT.claim_instructions(both[1])
    assert MOVE_INPUT.suggested_move_text(both[0]) == MOVE_INPUT.suggested_move_text(both[1])


# -- tiles that are named -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "kind", "read"),
    [("A5", "deal", (("+5",), "")), ("B0", "deal", (("D-",), "")), ("C", "deal", ((), "C")),
     ("D3", "rack", (("/3",), "")), ("D3", "refill", (("/3",), "")), ("A7", "refill", (("+7",), "")),
     ("D", "deal", None), ("A", "rack", None),
     ("D0", "rack", None), ("5", "deal", None), ("AB", "refill", None)],
)  # fmt: skip
def test_a_tile_is_its_letter_and_number_a_double_its_letter_and_0(keys, kind, read):
    """Tiles one after the other; black ones only where black ones are allowed."""
    assert MOVE_INPUT.parse_typed_pieces(keys, kind, FULL) == read


def test_the_grid_has_every_tile_of_the_level():
    """One row for each colour; the easy game has no 1, 6 or 7."""
    assert [tile for row in MOVE_INPUT.piece_rows("rack", FULL) for tile in row] == ["/2", "/3", "/4", "/5", "/6", "/7"]
    easy = [tile for row in MOVE_INPUT.piece_rows("refill", {"level": "easy"}) for tile in row]
    assert len(easy) == 19
    assert not [tile for tile in easy if tile[1] in "167"]


def test_a_refill_is_due_for_open_holdings_and_asks_for_each_kind():
    """An open display asks for coloured tiles, a slam dunk for one of each, a sealed display for nothing."""
    after = RULES.play_move(OPEN, 1, RULES.parse_move("x5D"))
    assert MOVE_INPUT.due_refill(after) == ("refill", 2, "name 2 coloured tiles", "deal")
    late = scored(OPEN, 11, 11, turns=6)
    assert MOVE_INPUT.due_refill(RULES.play_move(late, 1, RULES.parse_move("@+4/5"))).prompt == "1 coloured, 1 black"
    assert MOVE_INPUT.due_refill(RULES.play_move(scored(OPEN, 14, 11), 1, RULES.parse_move("/7")))[2:] == (
        "name 1 black tile",
        "rack",
    )
    assert MOVE_INPUT.due_refill(RULES.play_move(SEALED, 1, RULES.parse_move("x5D"))) is None


def test_only_black_tiles_are_masked_and_only_a_refill_reveals():
    """A display is face up; of a refill with a black tile only the number of tiles is given."""
    assert [MOVE_INPUT.is_piece_hidden("refill", tile) for tile in ("+5", "D-", "/3")] == [False, False, True]
    assert [MOVE_INPUT.revealed_piece_text(event) for event in ("x7D", "pass", "refill +5", "refill +5 /3")] == [
        "", "", "+5", "2 new tiles"]  # fmt: skip


def test_words_for_hint_own_pieces_and_result():
    """A suggestion names only tiles that are face up; the own pieces are the rack."""
    assert MOVE_INPUT.suggested_move_text(OPEN) == "Of the open tiles ×5 doubled gains most: your 11×5×2 = 110."
    assert MOVE_INPUT.suggested_move_text(SEALED) == ""
    assert MOVE_INPUT.own_pieces_text(RULES.seat_view(OPEN, 1), 1) == "In the rack: ÷2 ÷3 ÷5 ÷7"
    assert MOVE_INPUT.own_pieces_text(RULES.seat_view(SEALED, 1), 1).startswith("The rack is secret")
    assert MOVE_INPUT.result_counts(scored(OPEN, 462, 13), (462, 13)) == (462, 13)


@pytest.mark.parametrize(
    ("state", "arrow", "event"),
    [(OPEN, "up", "@-6"), (OPEN, "left", "x5"), (OPEN, "right", "x5"), (OPEN, "down", "x5D"),
     (scored(OPEN, 11, 2), "up", "@-2")],
)  # fmt: skip
def test_who_begins_with_up_is_offered_a_tile_for_the_other_score(state, arrow, event):
    """Not the tile that is best on the own score, nor one that would bring the other below 0."""
    pick = MOVE_INPUT.pick_at_first_arrow(state, arrow)
    assert MOVE_INPUT.draft_from_pick(state, pick).event == event


def test_with_a_sealed_display_up_offers_a_sign_for_the_other_score():
    """The first sign that lowers a score; of its numbers one that wins is marked first."""
    state = scored(SEALED, 11, 4)
    pick = MOVE_INPUT.pick_at_first_arrow(state, "up")
    assert pick == Pick("sign", "-", at_other_score=True)
    assert MOVE_INPUT.draft_from_pick(state, MOVE_INPUT.pick_after_ok(state, pick)).event == "@-4"


# -- the score sheet ----------------------------------------------------------------------------------------------


def sheet_of(*events, options=FULL):
    states = [RULES.initial_state(2, options, {})]
    told = []
    for text in events:
        told.append((RULES.seat_to_move(states[-1]), text))
        states.append(RULES.play_move(states[-1], *[RULES.seat_to_move(states[-1]), RULES.parse_move(text)]))
    return tuple(tuple(line.split("\t")) for line in MOVE_INPUT.page_lines("sheet", states, told, 4))


def test_the_score_sheet_is_the_one_of_the_rules():
    """One column for each score, the plays of a round side by side, as in the sheet's example."""
    assert sheet_of("x3", "+2", "x7D", "@/3", "+3") == (
        ("11 x 3 = 33", "11 + 2 = 13"),
        ("33x7xD=462", ""),
        ("462÷3=154", ""),
        ("154+3=157", ""),
    )


def test_before_the_first_play_the_sheet_has_the_starting_scores():
    """The starting scores are written first."""
    assert sheet_of() == (("11", "11"),)


def test_no_round_of_the_sheet_is_torn_between_two_pages():
    """A page has four lines; lines that belong together stay together."""
    lines = sheet_of("x7", "x7", "x6D", "x6D", "x5", "x5", "x4", "x4", "+6D", "+6D", "+7D", "+7D")
    for index in range(4, len(lines), 4):
        assert not lines[index][0].startswith("=")
        assert not lines[index][1].startswith("=")
    assert all(sum(4 if mark == " " else 6 for mark in text) - 1 <= 61 for line in lines for text in line)


def test_a_picked_pass_is_asked():
    """OK on pass asks; OK again passes, BACK leads to the row again."""
    on_pass = next(
        pick for n in range(5) if (pick := walk(SEALED, MOVE_INPUT.initial_pick(SEALED), *["right"] * n)).tile == "pass"
    )  # fmt: skip
    assert MOVE_INPUT.draft_from_pick(SEALED, on_pass).event is None
    sure = MOVE_INPUT.pick_after_ok(SEALED, on_pass)
    assert (MOVE_INPUT.draft_from_pick(SEALED, sure).event, MOVE_INPUT.pick_after_ok(SEALED, sure)) == ("pass", None)
    assert MOVE_INPUT.pick_after_back(SEALED, sure) == on_pass


@pytest.mark.parametrize(("keys", "kept"), [("AB", "B"), ("A0B4", "0B4"), ("0C0", "C"), ("0A4D", "0A4D"), ("0", "0")])
def test_what_a_later_key_has_replaced_is_gone(keys, kept):
    """BACK erases what is visible: a sign that was replaced does not come back."""
    assert MOVE_INPUT.effective_keys(SEALED, keys) == kept
    assert MOVE_INPUT.draft_from_keys(SEALED, keys) == MOVE_INPUT.draft_from_keys(SEALED, kept)


def test_the_black_tiles_of_a_rack_are_typed_by_their_numbers_alone():
    """A rack holds nothing else; a number after the sign means the same tile."""
    assert MOVE_INPUT.parse_typed_pieces("25D7", "rack", FULL) == (("/2", "/5", "/7"), "")
    assert MOVE_INPUT.parse_typed_pieces("2", "deal", FULL) is None


@pytest.mark.parametrize(("level", "numbers"), [("full", "2 to 7"), ("easy", "2 to 5")])
def test_a_number_that_no_black_tile_has_is_refused_when_it_is_typed(level, numbers):
    """Tiles of a rack are shown as dots, so a wrong number must be refused at once."""
    options = FULL | {"level": level}
    for keys in ("9", "D9", "31", "28"):
        assert MOVE_INPUT.parse_typed_pieces(keys, "rack", options) is None
    assert MOVE_INPUT.stray_piece_key_text("", "rack", options) == f"its number: {numbers}"
    assert MOVE_INPUT.stray_piece_key_text("D", "rack", options) == f"its number: {numbers}"


def test_what_lies_face_down_is_picked_with_an_if():
    """With an open display a ÷ has a tick that only its player can be sure of; no ÷ is offered for the own score."""
    state = scored(OPEN, 12, 12)
    assert MOVE_INPUT.draft_from_pick(state, Pick("tile", "/2", True)).message == "if in rack"
    assert MOVE_INPUT.draft_from_pick(scored(OPEN, 12, 11), Pick("tile", "/2", True)).message == "1 left over"
