"""The scrollbar of lists, texts and pages: a list that fits has none, a longer one shows which part is visible."""

from __future__ import annotations

import pytest

from companion.display import dispatch, lists
from companion.evening.contents.kinds import Choice, ChoiceLine, Parts
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


def draw_list(*lines, cursor=0, title="", buttons=True, names=()):
    """Draw a list. Returns the canvas and the words that were written."""
    canvas = Canvas(names)
    with recorded_texts() as written:
        dispatch.draw_content(canvas, Choice(lines, cursor, (), title), uses_buttons=buttons)
    return canvas, [each.text for each in written]


@pytest.mark.parametrize("count", [lists.MAX_ROWS, lists.MAX_ROWS + 1])
def test_rows_keep_off_the_scrollbar(count):
    """In a list with a scrollbar neither words, notes nor the bar reach further than column 122."""
    canvas, _ = draw_list(*(ChoiceLine("An entry", place, "a note") for place in range(count)))
    between = canvas.image.crop((LAST_COLUMN_BESIDE_BAR + 1, 0, RIGHT - 1, 64)).getbbox()
    assert (between is None) == (count > lists.MAX_ROWS)


def test_only_the_entry_under_the_cursor_is_explained():
    """Below the list there is one line, which changes with the cursor."""
    lines = [ChoiceLine(f"Game {place}", place, explains=f"About {place}") for place in range(3)]
    for cursor in range(3):
        assert [words for words in draw_list(*lines, cursor=cursor)[1] if words.startswith("About")] == [
            f"About {cursor}"
        ]


def test_names_give_way_to_the_note_and_other_words_do_not():
    """A note without room beside words is left out; beside names it stays, and they are cut."""
    names = ("Wilhelmina Momma", "Maximiliane Wolf")
    named = ChoiceLine(" - ".join(names), 0, "go on", names=names)
    _, written = draw_list(named, title="History", names=names)
    assert "go on" in written
    assert any("…" in words for words in written)
    _, written = draw_list(ChoiceLine("up to fifty points", 0, "a long note"), title="History")
    assert "a long note" not in written
    assert "up to fifty points" in written


def test_a_hint_of_long_moves_has_two_lines_for_each():
    """Moves without room for what they are worth beside them take two lines each, and the last one is left out."""
    rows = (("1 de 2 a 6 y otra", "la mejor"), ("5 de 2 a 6", "mucho peor"), ("2 de 1 a 5", "peor"))
    part = HintPart("Mejores jugadas", (), rows)
    with recorded_texts() as written:
        dispatch.draw_content(Canvas(), Parts((part, part), ()), uses_buttons=True)
    words = [each.text for each in written]
    assert words == ["1/2", "Mejores jugadas", *(each for row in rows[:2] for each in row)]
