"""The board of 27: what lies where, the half-made move, and the last one."""

from __future__ import annotations

import re

import pytest

from companion.games.api.board import MIN_TAP_UNITS, BoardScene
from companion.games.twenty_seven.board import BOARD
from companion.games.twenty_seven.rules import RULES
from companion.table.public_state import public_state

NAMES = ("Ann", "Ben")


def scene_after(*moves: str, variant: str = "basic", seat: int = 0, keys: str = "") -> BoardScene:
    """The scene after moves; with a seat, that of its phone while it is to move."""
    state, events = RULES.initial_state(2, {"variant": variant}, {}), []
    for text in moves:
        events.append((state.to_move, RULES.parse_move(text)))
        state = RULES.play_move(state, *events[-1])
    return BoardScene(state, NAMES, tuple(events), seat, keys, is_to_move=bool(seat))


def elements(scene: BoardScene, css: str) -> list[str]:
    """The elements of the board with the class `css`."""
    return re.findall(rf'<[a-z]+ class="{css}"[^>]*>', str(BOARD.draw_scene(scene)))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_both_goals_are_marked_with_the_shape_of_their_owner(seat):
    drawing = str(BOARD.draw_scene(scene_after(seat=seat)))
    assert drawing.count(">goal<") == 2
    assert drawing.count('"ring-seat1"') == drawing.count('"ring-seat2"') == 1
    assert ">Ann →<" in drawing
    assert ">← Ben<" in drawing


def test_discs_bear_shapes():
    """Nine discs of each seat, each with a shape in a colour that is read on it."""
    assert len(elements(scene_after(), "on-seat1")) == len(elements(scene_after(), "on-seat2")) == 9


def test_fields_that_may_be_taken_from_have_a_frame():
    """Only on the phone of the player to move; the chosen one has a ring, or a red one if it is refused."""
    moves = ("1x2", "9x1")
    assert not elements(scene_after(*moves), "line")
    assert len(elements(scene_after(*moves, seat=1), "line")) == 2
    chosen = scene_after(*moves, seat=1, keys="1")
    assert len(elements(chosen, "line")) == 1
    assert len(elements(chosen, "ring-seat1")) == 2  # The other one is the goal.
    refused = scene_after(*moves, seat=1, keys="9")
    assert len(elements(refused, "ring-no")) == 1
    assert len(elements(refused, "line")) == 2


def test_a_half_made_move_is_drawn_where_it_will_lie():
    """Its ghosts and the number of fields; a chosen stack already shows how far it goes."""
    scene = scene_after("1x2", "9x1", seat=1, keys="13")
    assert len(elements(scene, "seat1 dim")) == 3
    assert len(elements(scene, "ring-seat1 dashed")) == 1
    assert ">2 fields<" in str(BOARD.draw_scene(scene))
    chosen = str(BOARD.draw_scene(scene._replace(keys="1")))
    assert ">2 fields<" in chosen
    assert "dim" not in chosen


def test_a_half_made_move_leaves_everything_in_its_place():
    """The board never moves under a finger: all that is not lifted stays, and so does the size of the tray."""
    scene = scene_after("1x2", "9x1", "1x5", "8x1", seat=1)
    drawings = [BOARD.draw_scene(scene._replace(keys=keys)) for keys in ("", "1", "12", "2", "9")]
    assert len({drawing.tray.size for drawing in drawings}) == 1
    assert len({tuple(tap.place for tap in drawing.taps) for drawing in drawings}) == 1
    discs = [set(re.findall('class="seat2" x="([^"]*)" y="([^"]*)"', str(drawing))) for drawing in drawings]
    assert all(each == discs[0] for each in discs)


def test_the_tray_has_the_numbers_of_pieces():
    """It has none before a stack is chosen, nor for a field without a move; and a waiting phone shows no slot."""
    tray = BOARD.draw_scene(scene_after("1x2", "9x1", seat=1, keys="1")).tray
    assert [tap.keys for tap in tray.taps] == [f"1{count}" for count in range(1, 8)]
    for keys in ("", "9", "5"):
        empty = BOARD.draw_scene(scene_after("1x2", "9x1", seat=1, keys=keys)).tray
        assert not empty.taps
        assert 'class="slot"' in str(empty)
    assert 'class="slot"' not in str(BOARD.draw_scene(scene_after(seat=2)._replace(is_to_move=False)).tray)


@pytest.mark.parametrize(("pieces", "rows"), [(10, [10]), (11, [6, 5])])
def test_a_high_stack_has_even_rows_of_numbers(pieces, rows):
    """Up to ten are in one row; the room is the same whichever stack is tapped, and each can be tapped."""
    scene = scene_after(seat=1)
    stacks = ((0, *(1,) * pieces), (0, 1, 1), *scene.view.stacks[2:])
    view = scene.view._replace(stacks=stacks, tops=tuple(stack[-1] for stack in stacks))
    scene = scene._replace(view=view)
    tray, other = (BOARD.draw_scene(scene._replace(keys=keys)).tray for keys in ("1", "2"))
    assert tray.size == other.size
    tops = [tap.place[1] for tap in tray.taps]
    assert [tops.count(top) for top in sorted(set(tops))] == rows
    assert all(min(tap.place[2:]) >= MIN_TAP_UNITS for tap in tray.taps)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_last_move_can_be_seen_until_the_next_one(seat):
    """An empty place, an arrow, and a ring in the colour of who moved; its pieces come from where they lay."""
    scene = scene_after("1x2", "9x3", seat=seat)
    assert len(elements(scene, "slot")) == 1
    assert len(elements(scene, "halo")) == 1
    assert len(elements(scene, "ring-seat2")) == 2  # The other one is the goal.
    came = re.findall('class="on-seat2" d="[^"]*" data-dx="([^"]*)" data-dy="([^"]*)"', str(BOARD.draw_scene(scene)))
    assert len(came) == 3
    assert {float(dx) > 0 and float(dy) < 0 for dx, dy in came} == {True}  # From the right, and from higher.
    if seat:
        assert not elements(scene._replace(keys="1"), "slot")


def test_a_move_that_takes_a_field_away_has_its_way_too():
    """Its own field has gone, so it leaves no empty place."""
    scene = scene_after("1x10", variant="expert")
    assert len(scene.view.stacks) == 8
    assert not elements(scene, "slot")
    assert len(elements(scene, "way")) == 1


def test_a_board_without_all_moves_has_no_way():
    """`draw` knows the last move alone, and never guesses from where it came."""
    scene = scene_after("1x2", "9x3", "1x2")
    drawing = str(BOARD.draw(scene.view, NAMES, scene.last_move))
    assert "way" not in drawing
    assert "data-dx" not in drawing


@pytest.mark.parametrize(("keys", "is_refused"), [("9#", True), ("199#", True), ("9", False), ("13#", False)])
def test_the_big_screen_marks_what_was_refused_at_the_box(new_table, keys, is_refused):
    """Until the next key; a move that is still being typed shows nothing, and neither does one that is played."""
    table = new_table("27")
    table.type(keys)
    snapshot = public_state(table.session)
    assert bool(snapshot["refusal"]) == ("ring-no" in snapshot["board"]) == is_refused
    table.wait(3)
    table.press("back")
    assert "ring-no" not in public_state(table.session)["board"]
