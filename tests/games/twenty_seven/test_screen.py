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
    "past-the-end": (MIXED, 1, "basic", "51"),
    "overshoot": (MIXED, 2, "basic", "12"),
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
    """At rest a word says that the large number counts steps; a draft lifts the pieces and shows where they go."""
    golden(drawn(*MOMENTS[name]), name)


def test_the_goal_is_explained_while_the_row_is_wide_enough():
    """Once the row has closed up further, the words would touch the last stack."""
    low = ((R, *(W,) * 9), *((G,),) * 5, (R, *(B,) * 9))
    assert drawn(low, 1, "expert", "").crop((26, 22, 66, 40)).getbbox() is None
    assert drawn((*low[:-1], (G,), low[-1]), 1, "expert", "").crop((26, 22, 77, 40)).getbbox() is not None


def test_the_goal_is_not_explained_again_later():
    """Once a stack at an end is low, the words stay away, however low the middle ones become."""
    late = ((R, *(W,) * 4), *((G,),) * 7, (R, *(B,) * 9))
    assert drawn(late, 1, "expert", "").crop((26, 22, 88, 40)).getbbox() is None


def test_first_turn_and_long_names(golden):
    """The flag marks the height of each goal; a long name leaves room for it."""
    start = RULES.initial_state(2, {}, {})
    golden(drawn(start.stacks, 1, "basic", ""), "start")
    golden(drawn(LATE, 2, "expert", "", ("Player 1", "Hildegard von Bi")), "long-names")


@pytest.mark.parametrize("turn", [1, 2])
def test_the_name_of_the_computer_player_is_whole(monkeypatch, turn):
    """The tab of a computer player leaves the flag out, so its name, with the strength, is never cut."""
    lost = []
    monkeypatch.setattr(fonts, "on_text_cut", lambda whole, shown, room: lost.append(whole))
    for high in (0, 7, 12, 23):
        piles = ((R, *(B,) * high), *((G,),) * 7, (R, *(W,) * high))
        drawn(piles, turn, "basic", "", ("box-2", "box-3"))
    assert not lost


def test_a_stack_is_connected_and_apart_from_the_next():
    """The gap between two stacks is wider than any gap inside one, whatever discs are there."""
    for piece in (W, B):
        pile = (G, piece, piece, piece)
        image = drawn(((R,), pile, pile, pile, *((G,),) * 4, (R, piece)), 1, "basic", "9")
        top, low = screen.BASE_ROW - 3 * screen.DISC_ROWS, screen.BASE_ROW - 1
        columns = [image.crop((x, top, x + 1, low)).getbbox() is not None for x in range(12, 45)]
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


@pytest.mark.parametrize("keys", ["", "2", "22", "32", "211"])
def test_numbers_of_high_stacks_are_never_side_by_side(monkeypatch, keys):
    """Two numbers of two digits side by side would read as one of four, so the left one is on top of its stack."""
    rows = {}
    text = Canvas.text

    def spied(canvas, x, y, said, *more, **how):
        if said in ("9", "10", "11", "12", "13", "14", "23") and how.get("digit_gap") == 0:
            rows[x] = y
        return text(canvas, x, y, said, *more, **how)

    monkeypatch.setattr(Canvas, "text", spied)
    for piles in (NEIGHBOURS, ((R,), (G, *(W,) * 11), (G, *(B,) * 11), *((G, W),) * 5, (R,))):
        rows.clear()
        drawn(piles, 1, "basic", keys)
        assert len(rows) >= 2
        beside = [
            (rows[x], rows[x + screen.STACK_PITCH_COLUMNS]) for x in rows if x + screen.STACK_PITCH_COLUMNS in rows
        ]
        assert all(abs(left - right) > 7 for left, right in beside)
        assert beside or keys == "211"  # All discs of the left pile are on their way over the right one.


@pytest.mark.parametrize("seat", [1, 2])
def test_a_sign_is_as_light_in_the_inverted_tab(seat):
    """Whoever is to move, the white player's sign is full and the black one's hollow, like their discs."""
    here, there = (drawn(BESIDE, turn, "basic", "") for turn in (1, 2))
    box = ((1, 0, 11, 15), (65, 0, 75, 15))[seat - 1]
    assert here.crop(box).tobytes() == there.crop(box).tobytes()
    assert here.tobytes() != there.tobytes()
