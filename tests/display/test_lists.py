"""The scrollbar of lists, texts and pages: a list that fits has none, a longer one shows which part is visible."""

from __future__ import annotations

import pytest

from companion.display import dispatch, lists
from companion.display.lists import Row
from companion.evening.contents.kinds import Parts
from companion.gamekit.contract.picture_faults import recorded_texts
from companion.games.api.hint import HintPart
from companion.panel import widgets
from companion.panel.canvas import RIGHT, Canvas
from companion.panel.widgets import LAST_COLUMN_BESIDE_BAR, MIN_SCROLLBAR_ROWS

TOP, BOTTOM = 18, 51


def lit_rows(canvas, column):
    """The lit rows of a column."""
    return [y for y in range(64) if canvas.image.getpixel((column, y))]


def scrollbar_rows(first, shown, count):
    """The rows of the scrollbar's lit part. The dotted line is only in the last column, and everything else is dark."""
    canvas = Canvas()
    assert widgets.draw_scrollbar(canvas, first, shown, count, y0=TOP, y1=BOTTOM) == LAST_COLUMN_BESIDE_BAR
    thumb = lit_rows(canvas, RIGHT - 1)
    assert thumb == list(range(thumb[0], thumb[-1] + 1))
    assert lit_rows(canvas, RIGHT) == sorted({*thumb, *range(TOP, BOTTOM + 1, 2)})
    assert canvas.image.crop((0, 0, RIGHT - 1, 64)).getbbox() is None
    return thumb


@pytest.mark.parametrize("count", range(6))
def test_a_list_that_fits_has_no_scrollbar(count):
    """The rows keep the whole width then."""
    canvas = Canvas()
    assert widgets.draw_scrollbar(canvas, 0, 5, count) == RIGHT
    assert canvas.image.getbbox() is None


@pytest.mark.parametrize("count", [6, 9, 14, 60, 1000])
def test_the_scrollbar_goes_from_top_to_bottom(count):
    """It starts at the top, ends at the bottom, and never goes back; it is as long as the visible part, or legible."""
    bars = [scrollbar_rows(first, 5, count) for first in range(count - 4)]
    tops = [thumb[0] for thumb in bars]
    assert (bars[0][0], bars[-1][-1]) == (TOP, BOTTOM)
    assert tops == sorted(tops)
    assert {len(thumb) for thumb in bars} == {max(MIN_SCROLLBAR_ROWS, (BOTTOM - TOP + 1) * 5 // count)}


def test_a_last_page_with_few_rows_has_the_scrollbar_at_the_bottom():
    """The second page of eleven entries begins with the tenth, so it may show fewer rows than there is room for."""
    assert scrollbar_rows(9, 5, 11) == scrollbar_rows(6, 5, 11)


@pytest.mark.parametrize("count", [5, 6])
def test_rows_keep_off_the_scrollbar(count):
    """In a list with a scrollbar no row reaches further than column 122, neither greyed rows nor notes."""
    rows = [Row("A long entry " * 3, "note", digit="1", is_grey=True)] * count
    canvas = Canvas()
    lists.draw_rows(canvas, rows, 0)
    between = canvas.image.crop((LAST_COLUMN_BESIDE_BAR + 1, 0, RIGHT - 1, 64)).getbbox()
    assert (between is None) == (count == 6)


def test_two_names_share_their_room():
    """A short name leaves its room to a long one: both are whole where both have room."""
    written = []
    canvas = Canvas(("Wilhelmina", "Ben"))
    canvas.text = lambda x, y, s, *more: written.append(s) or 0  # type: ignore[method-assign]
    for pairs in ((("Wilhelmina", "7"), ("Ben", "12")), (("Ben", "12"), ("Wilhelmina", "7"))):
        lists.draw_rows(canvas, [Row("", icon="match", pairs=pairs)], 0)
    assert written.count("Wilhelmina") == 2
    assert written.count("Ben") == 2


def test_one_line_is_wrapped_only_for_a_note_beside_it():
    """A note that is too wide for any line with words is below them, and they stay in one line."""
    written = []
    canvas = Canvas()
    canvas.text = lambda x, y, s, *more, **how: written.append(s) or 0  # type: ignore[method-assign]
    lists.draw_rows(canvas, [Row("2 wins", "up to 5 rounds", digit="9")] * 4, 0, shown=3, y=19, pitch=12)
    assert [words for words in written if words not in ("", "9")] == ["2 wins", "up to 5 rounds"] * 2


def test_a_page_of_the_best_moves_keeps_its_title():
    """Moves of two lines each are dropped as a whole, the last first: none is without what it leads to."""
    rows = (("1 de 2 a 6", "1 por detrás"), ("5 de 2 a 6", "2 por detrás"), ("2 de 1 a 5", "4 por detrás"))
    part = HintPart("Mejores jugadas", ("Es seguro.",), rows)
    with recorded_texts() as written:
        dispatch.draw_content(Canvas(), Parts((part, part), ()), uses_buttons=True)
    words = [each.text for each in written]
    assert words == ["1/2", "Mejores jugadas", *(each for row in rows[:2] for each in row), "Es seguro."]
