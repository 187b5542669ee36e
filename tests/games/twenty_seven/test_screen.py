"""Pictures of 27: whose disc is where can be seen at a glance, also where stacks are side by side."""

import pytest

from companion import display
from companion.evening.model import Session
from companion.evening.screens.play.playing import PlayScreen
from companion.games.twenty_seven import screen
from companion.games.twenty_seven.rules import BLACK, FIXED_PIECES, GREY, RED, RULES, WHITE, State
from companion.panel import fonts
from companion.panel.canvas import Canvas
from companion.rounds.on_table import new_round
from companion.rounds.public_view import public_scene
from companion.rounds.stored import RoundHeader, StoredHistory

G, W, B, R = GREY, WHITE, BLACK, RED
BESIDE = ((R,), (G, W, W, W), (G, W, W, W, W), (G,), (G,), (G, B, B, B, B), (G, B, B, B, B), (G, B, B, B), (R, B, B, B))
MIXED = ((R, B, B), (G,), (G, W, W), (G,), (G, B, W, W, B, B, W, W, B), (G, B), (G, B, B), (G, B), (R, B, B))
LATE = ((R, B, B, W, B, B), (G, B, B, W), (G, B, G, B), (R, W, W, B, G, W, B, G, W, B, W, B, B))
REDS = ((R, B, B, W, B, B), (G, B, B, W), (G, B, G, B), (R, W, W, B, G), (G,), (R,))
TALL = ((R, B), (G, *(W, B) * 6, W), (G, B, B), (G,), (G,), (G,), (G,), (G,), (R, B))
NEIGHBOURS = ((R,), (G, *(W,) * 11), (G, *(W, B) * 6), (G,), (G, W), (G,), (G, B), (G,), (R,))
MOMENTS = {
    "beside": (BESIDE, 1, "basic", ""),
    "mixed": (MIXED, 1, "basic", ""),
    "field": (BESIDE, 2, "basic", "7"),
    "lifted": (MIXED, 1, "basic", "32"),
    "lifted-black": (MIXED, 2, "basic", "71"),
    "past-the-end": (MIXED, 1, "basic", "5"),
    "overshoot": (MIXED, 2, "basic", "1"),
    "late": (LATE, 2, "expert", ""),
    "reds-lifted": (REDS, 2, "expert", "33"),
    "neighbours": (NEIGHBOURS, 1, "basic", ""),
    "neighbours-lifted": (NEIGHBOURS, 1, "basic", "22"),
    "tall-lifted": (TALL, 1, "basic", "22"),
}


def drawn(piles, turn, variant, keys, names=("Ann", "Ben")):
    state = State(FIXED_PIECES[variant], piles, tuple(pile[-1] for pile in piles), turn, ())
    round_ = new_round(1, RoundHeader("27", (("variant", variant),), names))._replace(states=(state,))
    return display.session_picture(Session((PlayScreen(keys),), StoredHistory(), round=round_))


@pytest.mark.parametrize("name", MOMENTS)
def test_the_table(golden, name):
    """The shape of its owner is on each stack; a draft lifts the pieces and marks where they go."""
    golden(drawn(*MOMENTS[name]), name)


def test_what_counts_is_said_in_the_first_two_turns():
    """A new game begins 9:9, so the panel says that the far stack counts, as long as the middle fields are free."""
    state = RULES.initial_state(2, {}, {})
    said = []
    for move in ("1x2", "9x3", "1x1"):
        above_middle_fields = drawn(state.stacks, state.to_move, "basic", "").crop((43, 16, 53, 27))
        said.append(above_middle_fields.getbbox() is not None)
        state = RULES.play_move(state, state.to_move, RULES.parse_move(move))
    assert said == [True, True, True]
    assert drawn(state.stacks, state.to_move, "basic", "").crop((43, 16, 53, 27)).getbbox() is None


@pytest.mark.parametrize(
    ("move", "line"), [("3x1", "Ann: 1 from 3 to 6"), ("1x1", "Ann: 1 from 1 to 4"), ("2x1", "Field 2 removed")]
)
def test_the_last_line_says_what_was_moved_or_removed(move, line):
    """The last move is in words; a field that it removed is named instead."""
    piles = ((R, W, W), (W,), (G, W), (G,), (G,), (G,), (G,), (G,), (R, B))
    before = State(FIXED_PIECES["advanced"], piles, tuple(pile[-1] for pile in piles), 1, ())
    after = RULES.play_move(before, 1, RULES.parse_move(move))
    round_ = new_round(1, RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben")))
    scene = public_scene(round_._replace(states=(before, after), events=((1, move),)))
    assert screen.last_move_line(scene) == line


def test_first_turn_and_long_names(golden):
    """The name of the player to move is whole, and the other one gives way."""
    start = RULES.initial_state(2, {}, {})
    golden(drawn(start.stacks, 1, "basic", ""), "start")
    golden(drawn(LATE, 2, "expert", "", ("Player 1", "Hildegard von Bi")), "long-names")


@pytest.mark.parametrize("turn", [1, 2])
def test_the_name_of_the_computer_player_is_whole(monkeypatch, turn):
    """The name of a computer player, with its strength, is never cut."""
    lost = []
    monkeypatch.setattr(fonts, "on_text_cut", lambda whole, shown, room: lost.append(whole))
    for high in (0, 7, 12, 23):
        piles = ((R, *(B,) * high), *((G,),) * 7, (R, *(W,) * high))
        drawn(piles, turn, "basic", "", ("box-2", "box-3"))
    assert not lost


def test_a_stack_is_connected_and_apart_from_the_next():
    """The gap between two stacks is three columns wide, whatever discs are there."""
    for piece in (W, B):
        pile = (G, piece, piece, piece)
        image = drawn(((R,), pile, pile, pile, *((G,),) * 4, (R, piece)), 1, "basic", "9")
        top, low = screen.BASE_ROW - 2 * screen.DISC_ROWS - screen.SHAPE_ROWS, screen.BASE_ROW - 1
        columns = [image.crop((x, top, x + 1, low)).getbbox() is not None for x in range(10, 43)]
        runs = "".join(" #"[lit] for lit in columns).split()
        gaps = "".join("# "[lit] for lit in columns).strip().split()
        assert [len(run) for run in runs] == [screen.DISC_COLUMNS] * 3
        assert min(map(len, gaps)) >= 3


@pytest.mark.parametrize("high", range(1, 14))
def test_a_lifted_stack_stays_under_the_tabs(high):
    """However high the stack and whatever is lifted, a dark row is below the tabs, which do not change."""
    piles = ((R, W), *((G,) for _ in range(7)), (R, *(B,) * high))
    tabs = drawn(piles, 2, "basic", "").crop((0, 0, 128, 15)).tobytes()
    for count in range(1, high + 1):
        picture = drawn(piles, 2, "basic", f"9{count}")
        assert picture.crop((0, 0, 128, 15)).tobytes() == tabs
        assert picture.crop((0, 15, 98, 16)).getbbox() is None, (high, count)


def test_numbers_of_high_stacks_are_never_side_by_side(monkeypatch):
    """Two numbers of two digits side by side would read as one of four, so one is above its shape and one below."""
    rows = []
    text = Canvas.text

    def spied(canvas, x, y, said, *more, **how):
        rows.extend([(x, y)] * (said in ("11", "12") and y in (screen.HIGH_NUMBER_ROW, screen.LOW_NUMBER_ROW)))
        return text(canvas, x, y, said, *more, **how)

    monkeypatch.setattr(Canvas, "text", spied)
    for piles in (NEIGHBOURS, ((R,), (G, *(W,) * 11), (G, *(B,) * 11), *((G, W),) * 5, (R,))):
        rows.clear()
        drawn(piles, 1, "basic", "")
        (left, upper), (right, lower) = rows
        assert right - left == screen.STACK_PITCH_COLUMNS
        assert (upper, lower) == (screen.HIGH_NUMBER_ROW, screen.LOW_NUMBER_ROW)
