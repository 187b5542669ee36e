"""The board of Ziggurat: heights, the half-made play, the last domino, and the tray."""

from __future__ import annotations

import re

import pytest

from companion.games.api.board import MIN_TAP_UNITS, BoardScene
from companion.games.ziggurat.board import BOARD, PHONE_SIZE
from companion.games.ziggurat.grid import PAIRS, SQUARE_NAMES
from companion.games.ziggurat.move_input import MOVE_INPUT
from companion.games.ziggurat.pieces import dominoes_of_set
from companion.games.ziggurat.rules import RULES

NAMES = ("Ann", "Ben", "Cleo", "Dan")
BASE = ("0-1 d4e4", "1-2 d5e5", "2-3 d6e6", "3-4 d7e7", "4-5 f4g4", "5-6 f5g5", "0-2 f6g6", "0-3 f7g7")
"""Plays that complete the base, so that the next domino lies on level 2."""


def scene_after(*plays: str, seat: int = 0, keys: str = "", **options) -> BoardScene:
    """The scene after plays; with a seat, that of its phone while it is to move. All hands are sealed, but for `hand`.

    Other options are the rules' own, and the number of `players`.
    """
    players, hand = options.pop("players", 2), options.pop("hand", None)
    state, events = RULES.initial_state(players, {"set": "6", "base": "solid"} | options, hand or {}), []
    for text in plays:
        events.append((state.to_move, RULES.parse_move(text)))
        state = RULES.play_move(state, *events[-1])
    view = RULES.seat_view(state, seat or None)
    return BoardScene(view, NAMES[:players], tuple(events), seat, keys, is_to_move=bool(seat))


def test_the_tray_has_a_slot_for_the_domino_in_the_draft():
    """A tap on it takes the domino back; a tap on where the domino lies turns it around."""
    scene = scene_after(seat=1, keys="0144B")
    drawing = BOARD.draw_scene(scene)
    (slot,) = [tap for tap in drawing.tray.taps if tap.chosen]
    assert (slot.keys, str(slot.words)) == ("", "take 0-1 back")
    assert str(drawing.tray).count('class="slot"') == 1
    turning = [tap for tap in drawing.taps if tap.chosen]
    assert {tap.keys for tap in turning} == {"1044B"}
    assert {str(tap.words) for tap in turning} == {
        "d4: empty; turns the domino around",
        "e4: empty; turns the domino around",
    }


def test_each_half_that_scores_says_how_much():
    """On level 2 each matching half has +2, a half that does not match has nothing."""
    both = str(BOARD.draw_scene(scene_after(*BASE, seat=1, keys="1454B")))
    assert both.count(">+2<") == both.count('class="ok-back"') == 2
    one = str(BOARD.draw_scene(scene_after(*BASE, seat=1, keys="1654B")))
    assert one.count(">+2<") == 1
    both_pips = re.findall(r'class="piece-ink"[^>]*>(\d)<', both.partition('class="ok-back"')[0])
    assert len(both_pips) == 2 * len(BASE) + 2  # Two pips and two heights instead of the two pips below.
    refused = str(BOARD.draw_scene(scene_after(*BASE, "0-0 d4e4", seat=2, keys="0644B")))
    assert 'class="ring-no"' in refused
    assert ">+" not in refused


def test_higher_dominoes_are_lifted_and_say_their_height():
    """The top of one on level 2 is drawn above that of one on level 1, in its own colour and with its number."""
    drawing = str(BOARD.draw_scene(scene_after(*BASE, "6-6 d4e4")))
    low, high = (re.findall(rf'class="height{level} joined" x="([\d.]+)" y="([\d.]+)"', drawing) for level in (1, 2))
    assert len(low) == len(BASE)  # The edge below the new domino is in the place of the one that it covers.
    assert len(high) == 1
    assert max(float(y) for x, y in low if x == high[0][0]) > float(high[0][1])
    assert drawing.count('<rect class="piece-ink"') == 2 * 3
    assert drawing.count(">level 2<") == 1


def test_a_square_behind_a_higher_one_is_tapped_where_it_is_seen():
    """The places to tap do not overlap."""
    taps = BOARD.draw_scene(scene_after(*BASE, "6-6 d4e4", seat=2, keys="25")).taps
    places = {str(tap.words)[:2]: tap.place for tap in taps}
    _, top, _, height = places["d5"]
    assert top + height == pytest.approx(places["d4"][1])
    assert height >= MIN_TAP_UNITS


@pytest.mark.parametrize("seat", [0, 2])
def test_the_last_domino_is_ringed_in_the_colour_of_its_player(seat):
    """It comes from its player once, not again with each tap."""
    scene = scene_after("0-1 d4e4", seat=seat)
    drawing = str(BOARD.draw_scene(scene))
    assert drawing.count('class="ring-seat1"') == drawing.count('class="halo"') == 1
    assert drawing.count("data-dx") >= 3
    if seat:
        tapped = str(BOARD.draw_scene(scene._replace(keys="66")))
        assert 'class="ring-seat1"' in tapped
        assert "data-dx" not in tapped


def test_four_players_see_how_many_dominoes_each_has():
    """On phones as backs in their colours; on the big screen beside their shapes, and the page has the names."""
    drawing = str(BOARD.draw_scene(scene_after("0-1 d4e4", players=4, seat=2)))
    for seat, number in enumerate((6, 7, 7, 7), 1):
        assert re.search(rf'class="on-seat{seat}"[^>]*>{number}<', drawing)
    screen = str(BOARD.draw_scene(scene_after("0-1 d4e4", players=4)))
    assert re.findall(r">(\d) left<", screen) == ["6", "7", "7", "7"]
    assert not any(f">{name}<" in screen for name in NAMES)


def test_after_the_first_pip_only_the_squares_beside_it_are_framed():
    """The others can still be tapped, to begin there instead."""
    taps = BOARD.draw_scene(scene_after("0-0 d4e4", seat=2, keys="1264")).taps
    framed = {str(tap.words)[:2] for tap in taps if not tap.drawn}
    assert framed == {"f3", "f5", "g4", "e4"}
    assert len(taps) > 20


@pytest.mark.parametrize("pips", ["6", "9", "12"])
def test_the_largest_hands_can_be_tapped(pips):
    """Each domino of a whole hand is large enough on the smallest phone, and inside of the tray."""
    half = dominoes_of_set(int(pips))[::2]
    count = RULES.holding_size("deal", 2, {"set": pips})
    scene = scene_after(seat=1, set=pips, hand={("deal", 1): tuple(half[:count])})
    tray = BOARD.draw_scene(scene).tray
    assert len(tray.taps) == count
    for tap in tray.taps:
        left, top, width, height = tap.place
        assert min(width, height) >= MIN_TAP_UNITS
        assert left + width <= PHONE_SIZE[0]
        assert top + height <= tray.size[1]


def test_the_big_screen_has_no_tray():
    """Nobody's dominoes are shown to all."""
    hand = {("deal", 1): tuple(dominoes_of_set(6)[:14])}
    assert BOARD.draw_scene(scene_after(hand=hand)).tray is None
    waiting = BOARD.draw_scene(scene_after(hand=hand, seat=2)._replace(is_to_move=False))
    assert not re.findall(r">\d<", str(waiting.tray))


@pytest.mark.parametrize(
    ("plays", "keys", "first", "second"),
    [
        (("0-1 d4e4",), "2344A", "Build up only once the base is complete.", "A domino lies on d4."),
        (("0-1 d4e4",), "2311B", "The base has 4 columns and 4 rows.", "That makes 5 columns."),
        ((), "2311A", "It lies on d4 and e4, or on d4 and d5.", "The first domino covers d4."),
        (("0-1 d4e4",), "2327B", "It must share an edge with another one.", "It touches no domino."),
        (("0-1 d4e4",), "10", "The set has each domino once.", "The domino 1-0 is on the table."),
        (("0-1 d4e4",), "2364B", "No match: no points.", "A half scores beside an equal half."),
        (("0-1 d4e4",), "1264B", "1 beside 1: 1 point.", "A half scores beside an equal half."),
        (BASE, "6644B", "No match: no points.", "A half scores on an equal half."),
        (BASE, "0644B", "0 on 0: 2 points.", "Level 2 counts each match twice."),
        ((*BASE, "6-6 d4e4"), "2544", "Still free: d5 d6.", "No domino can lie there now."),
    ],
)
def test_a_phone_says_in_sentences_what_a_play_scores_or_why_it_is_refused(plays, keys, first, second):
    scene = scene_after(*plays, seat=len(plays) % 2 + 1, keys=keys)
    draft = MOVE_INPUT.draft_from_keys(scene.view, keys)
    assert draft.verdict != "more"
    assert tuple(map(str, BOARD.draft_sentences(scene, draft))) == (first, second)


def test_the_map_of_a_phone_shows_each_square_that_a_play_can_reach_and_few_others():
    """So a square is 40 pixels wide on a phone of 360, and the tray keeps its size."""
    plays = ("0-1 d4e4", "1-2 c4b4", "2-3 d3d2", "3-4 c3c2", "4-5 b3b2", "5-6 e3e2")
    scenes = [scene_after(*plays[:count], seat=1) for count in range(len(plays) + 1)]
    drawings = [BOARD.draw_scene(scene._replace(keys="66")) for scene in scenes]
    for scene, drawing in zip(scenes, drawings, strict=True):
        shown = {str(tap.words)[:2]: tap.place for tap in drawing.taps}
        assert shown.keys() >= {SQUARE_NAMES[cell] for place in scene.view.free_pairs for cell in PAIRS[place]}
        assert min(width for *_, width, _ in shown.values()) > 40 * PHONE_SIZE[0] / 326
        assert len(shown) <= 6 * 6
    waiting = BOARD.draw_scene(scenes[-1]._replace(is_to_move=False))
    assert waiting.tray.size == drawings[-1].tray.size == drawings[0].tray.size
    assert (waiting.taps, waiting.tray.taps) == ([], [])


def test_the_map_of_a_phone_shows_only_the_base_once_it_is_complete():
    """No column or row is left where nothing can be played any more."""
    assert len(BOARD.draw_scene(scene_after(*BASE[:2], seat=1, keys="03")).taps) > 16
    assert len(BOARD.draw_scene(scene_after(*BASE, seat=1, keys="66")).taps) == 16
