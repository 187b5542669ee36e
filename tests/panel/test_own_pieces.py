"""Own pieces: in even columns, and as large as they fit."""

import itertools

import pytest

from companion.panel import own_pieces
from companion.panel.canvas import Canvas
from companion.panel.fonts import BIG, MIDDLE, TEXT

DOMINOES = [f"{low}-{high}" for low in range(13) for high in range(low, 13)]


@pytest.mark.parametrize("number", range(1, 23))
def test_pieces_stand_in_columns_below_a_title(number, monkeypatch):
    """Each piece is whole, right of the one before or at the start of the next line, with dark pixels between."""
    placed = []
    write = Canvas.text

    def text(canvas, x, y, s, face, **more):
        placed.append((x, y, s, face))
        return write(canvas, x, y, s, face, **more)

    monkeypatch.setattr(Canvas, "text", text)
    canvas = Canvas()
    assert own_pieces.draw_pieces(canvas, DOMINOES[:number])
    assert [s for _, _, s, _ in placed] == DOMINOES[:number]
    for (x, y, s, face), (after, below, *_) in itertools.pairwise(placed):
        assert after > x + face.width(s) + 2 if below == y else below > y + face.capital_rows
    left, top, right, bottom = canvas.image.getbbox()
    assert (left >= 1, top >= 16, right <= 127, bottom <= 64) == (True,) * 4


def test_the_largest_face_that_fits_is_taken():
    """Fourteen dominoes are 13 rows high, thirty are in the text face, and pieces that fit nowhere aren't drawn."""
    small = [domino for domino in DOMINOES if len(domino) == 3]
    assert own_pieces.largest_fitting_grid(small[:14]).face is MIDDLE
    assert own_pieces.largest_fitting_grid(small[:30]).face is TEXT
    canvas = Canvas()
    assert not own_pieces.draw_pieces(canvas, DOMINOES)
    assert canvas.image.getbbox() is None
    assert own_pieces.draw_pieces(canvas, [])


@pytest.mark.parametrize("number", range(1, 23))
def test_the_plate_of_a_chosen_piece_keeps_to_its_room(number):
    """Whichever is chosen, its plate keeps off both edges, the title above and the keys below."""
    for chosen in range(number):
        canvas = Canvas()
        if own_pieces.draw_pieces(canvas, DOMINOES[13 - min(number, 12) :][:number], chosen):
            left, top, right, bottom = canvas.image.getbbox()
            assert (left >= 1, top > 15, right <= 127, bottom <= 51) == (True,) * 4


def test_few_pieces_are_cards():
    """Up to four are 20 rows high in frames; a fifth makes them smaller."""
    assert [own_pieces.largest_fitting_grid(["7", "10", "K", "9", "9"][:count]).face for count in (2, 4, 5)] == [
        BIG,
        BIG,
        MIDDLE,
    ]
