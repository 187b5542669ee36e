"""The arithmetic of the score pad: totals, turns, who leads, and what is stored."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.score_pad import pad
from companion.games.score_pad.pad import Pad


@st.composite
def pads(draw):
    players = draw(st.integers(2, 8))
    entries = st.tuples(st.integers(1, players), st.integers(-pad.MAX_POINTS, pad.MAX_POINTS))
    return Pad(
        players,
        draw(st.text("abc", min_size=1, max_size=16)),
        draw(st.booleans()),
        draw(st.integers(0, pad.MAX_POINTS)),
        draw(st.integers(0, pad.MAX_TURNS)),
        tuple(draw(st.lists(entries, max_size=30))),
    )


@given(pads())
def test_a_stored_pad_is_restored(sheet):
    """A pad restored from its options and entries equals the original."""
    entries = [(seat, pad.format_points(points)) for seat, points in sheet.entries]
    assert pad.restore_pad(sheet.players, sheet.stored_options, entries) == sheet


@given(pads())
def test_totals_are_the_sum_of_the_entries(sheet):
    """Nothing is lost between the players, and the leaders have the best total."""
    assert sum(sheet.totals) == sum(points for _, points in sheet.entries)
    best = (min if sheet.lowest_wins else max)(sheet.totals)
    assert all(sheet.totals[seat - 1] == best for seat in sheet.leading_seats)
    assert bool(sheet.leading_seats) == bool(sheet.entries)


def test_a_turn_is_complete_when_everybody_had_it():
    """The game is full when the last player has had the last turn, not before."""
    sheet = Pad(2, turn_limit=2).with_entry(1, 5).with_entry(2, 0).with_entry(1, 5)
    assert (sheet.current_turn, sheet.is_full) == (2, False)
    sheet = sheet.with_entry(2, 1)
    assert (sheet.current_turn, sheet.is_full) == (2, True)


def test_the_target_is_reached_once():
    """Only the entry that crosses the target reaches it."""
    sheet = Pad(2, target=10).with_entry(1, 8)
    assert sheet.reaches_target(1, 2)
    assert not sheet.reaches_target(1, 1)
    assert not sheet.with_entry(1, 2).reaches_target(1, 5)
    assert not Pad(2).reaches_target(1, 99)


def test_the_fewest_points_may_win():
    """If the lowest total wins, that seat leads; equal totals share the lead."""
    sheet = Pad(3, lowest_wins=True).with_entry(1, 5).with_entry(2, -1).with_entry(3, -1)
    assert sheet.leading_seats == (2, 3)
    assert str(pad.pad_result(sheet)) == "5 -1 -1 winners 2 3"


def test_an_arrow_adds_one_or_ten_to_what_is_there():
    """Below 0 too, and from one ten to the next."""
    assert [pad.next_number(number, 1, tens=True) for number in (-11, -10, 0, 7, 10)] == [-1, 0, 10, 17, 20]
    assert [pad.next_number(number, -1, tens=True) for number in (-10, 0, 7, 10, 11)] == [-20, -10, -3, 0, 1]
    assert [pad.next_number(7, by, tens=False) for by in (1, -1)] == [8, 6]


@pytest.mark.parametrize("text", ["12", "+", "+12345678", "+1 ", "1+", "", "+٣"])
def test_only_signed_numbers_are_points(text):
    """Text that no pad writes is refused in a sentence."""
    with pytest.raises(ValueError, match="no points of a score pad"):
        pad.parse_points(text)


def test_no_entry_for_a_seat_that_does_not_exist():
    """An entry for a seat that does not exist is refused."""
    with pytest.raises(ValueError, match="seat 3"):
        Pad(2).with_entry(3, 1)
