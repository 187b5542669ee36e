"""How `margins` finds that a text touches another one or a picture. test_every_screen.py has no such text."""

from __future__ import annotations

import pytest

from companion.gamekit.contract.picture_faults import find_picture_faults, recorded_texts
from companion.panel.canvas import Canvas
from companion.panel.fonts import NAME, TEXT


def margin_faults(draw):
    """What is wrong with the texts that a function draws on a canvas, without the places."""
    with recorded_texts() as written:
        canvas = Canvas()
        draw(canvas)
    return [(text, what) for text, what, _ in find_picture_faults(canvas.image, written)]


@pytest.mark.parametrize(("y", "touches"), [(27, True), (28, False), (12, True), (11, False)])
def test_two_lines_need_a_dark_row(y, touches):
    """The line at row 20 reaches from 20 to 26; the other from `y` to `y` + 6, and a p one row further."""
    found = margin_faults(lambda c: (c.text(1, 20, "HHH", TEXT), c.text(1, y, "ppp" if y < 20 else "HHH", TEXT)))
    assert bool(found) is touches


def test_a_line_beside_a_letter_is_noticed():
    """A line of pixels below the text, right under it, and diagonally beside its last corner."""
    assert margin_faults(lambda c: (c.text(1, 20, "H", TEXT), c.hline(27))) == [("H", "touches")]
    assert margin_faults(lambda c: (c.text(1, 20, "H", TEXT), c.hline(28))) == []
    assert margin_faults(lambda c: (c.text(1, 20, "H", TEXT), c.fill(6, 27, 6, 27))) == [("H", "touches")]


@pytest.mark.parametrize(("edge", "touches"), [(19, False), (20, True)])
def test_a_plate_has_a_margin_around_its_letters(edge, touches):
    """An inverse text whose plate begins on its own first row has none above."""
    plate = lambda c: (c.fill_rounded_box(10, edge, 40, 30), c.text(15, 20, "HH", TEXT, inverse=True))  # noqa: E731 - one line each
    assert margin_faults(plate) == [("HH", "touches")] * touches


def test_a_tag_and_a_piece_that_is_inverted_afterwards_have_their_margin():
    """Both ways of drawing dark letters are recognised as such."""
    assert margin_faults(lambda c: c.tag(10, 20, "OK", face=TEXT)) == []
    assert margin_faults(lambda c: (c.text(10, 20, "7", NAME), c.invert(8, 18, 20, 31))) == []


def test_a_text_that_is_erased_in_part_is_noticed():
    """Half a line may not stay; a line that is erased as a whole is no fault."""
    assert margin_faults(lambda c: (c.text(1, 20, "HHH", TEXT), c.clear(1, 23, 126, 30))) == [("HHH", "cut")]
    assert margin_faults(lambda c: (c.text(1, 20, "HHH", TEXT), c.clear(1, 20, 126, 30))) == []
