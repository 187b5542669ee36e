"""The players at the top of a board: each with the seat's shape, a name and a number. The player to move is on a plate.

The shapes are those of the pages: ● ◆ ■ ▲ ✚ ○.
"""

from collections.abc import Sequence
from typing import NamedTuple

from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import MIDDLE, NUMBER_FACES, TEXT, WORD_FACES, cut_text, fit_text, fits_width, fitting_face
from companion.panel.icons import icon_mask

SHAPE_COLUMNS = 12
"""Columns of a seat's shape with the gap after it."""
SMALL_SHAPE_COLUMNS = 9
"""Columns of a small shape with the gap after it."""
TAB_ROWS, PADDING_COLUMNS = 15, 3
SMALL_TABS_IN_ROW, SMALL_TAB_ROWS, SMALL_TAB_GAP = 3, 8, 1
"""How many small tabs stand side by side, the rows of each, and the columns between two of them."""
SMALL_NAME_COLUMN = 10
"""Columns of a small tab before its name: the shape, a gap, and two for the edge of a plate."""
LETTER_COLUMNS = 6
VALUE_GAP_COLUMNS, MORE_GAP_COLUMNS = 4, 3
"""The dark columns between a name and a number, and how many more there are behind a name that ends in a digit."""
MIN_TAB_COLUMNS = 30
"""The least columns of a tab that gives way to the other one."""
SHORT_NAME_COLUMNS = 36
"""The most columns of a short name."""
MIN_NAME_COLUMNS = 12
"""The least columns of a name; with fewer only the shape stands for the player."""


class SeatTab(NamedTuple):
    """What a seat's tab shows.

    Args:
        name: the player's name, which is cut to fit.
        value: a number at the right, which is never cut.
        seat: the seat's number, for its shape; 0 for the tab's place in the row.
    """

    name: str
    value: str = ""
    seat: int = 0


def draw_tabs(canvas: Canvas, tabs: Sequence[SeatTab], to_move: int | None) -> None:
    """Draw the tabs of two seats on rows 0 to 14, that of `to_move` (from 1) on a plate.

    The player to move has a whole name as long as there is room, and the other one gives way. But a short name stays
    whole beside a long one.
    """
    first, second = map(_needed_columns, tabs)
    whole = RIGHT - LEFT + 1 - 2
    is_short = [WORD_FACES[0].width(tab.name) <= SHORT_NAME_COLUMNS for tab in tabs]
    if max(first, second) <= whole // 2:
        split = whole // 2
    elif is_short[0] != is_short[1]:
        most = whole * 3 // 5
        split = min(first, most) if is_short[0] else whole - min(second, most)
    elif to_move == 2 or (to_move is None and second < first):
        split = max(whole - second, min(first, _least_columns(tabs[0])))
    else:
        split = min(first, whole - min(second, _least_columns(tabs[1])))
    draw_tab(canvas, tabs[0]._replace(seat=tabs[0].seat or 1), LEFT, LEFT + split - 1, lit=to_move == 1)
    draw_tab(canvas, tabs[1]._replace(seat=tabs[1].seat or 2), LEFT + split + 2, RIGHT, lit=to_move == 2)


def draw_small_tabs(
    canvas: Canvas, tabs: Sequence[SeatTab], to_move: int | None, y: int = 0, row_pitch: int = SMALL_TAB_ROWS + 1
) -> None:
    """Draw the tabs of three to six seats from row `y`, up to three in a row, that of `to_move` (from 1) on a plate.

    One row is half a row lower. Of two rows, those from the plate on are a pixel lower, to make room for its edge; both
    rows need 17 rows.
    """
    columns = len(tabs) if len(tabs) <= SMALL_TABS_IN_ROW else (len(tabs) + 1) // 2
    pitch, has_one_row = (RIGHT - LEFT + 1) // columns, columns == len(tabs)
    y += SMALL_TAB_ROWS // 2 if has_one_row else 0
    for first in range(0, len(tabs), columns):
        row_tabs = tabs[first : first + columns]
        lit_column = None if to_move is None or not first < to_move <= first + columns else to_move - first - 1
        y += lit_column is not None and not first and not has_one_row
        x = LEFT
        for column, width in enumerate(_small_tab_columns(row_tabs, lit_column, pitch)):
            tab = row_tabs[column]._replace(seat=row_tabs[column].seat or first + column + 1)
            _draw_small_tab(canvas, tab, x, x + width - SMALL_TAB_GAP - 1, y, lit=column == lit_column)
            x += width
        y += row_pitch


def _small_tab_columns(tabs: Sequence[SeatTab], lit: int | None, pitch: int) -> list[int]:
    """The columns of each tab in a row, with the gap after it: `pitch` each, or more, if all are whole that way.

    Where room is missing, the longest name gives way first, and the one on the plate, number `lit` from 0, last.
    """
    room = RIGHT - LEFT + 1 + SMALL_TAB_GAP  # The last tab needs no gap.
    besides = [SMALL_NAME_COLUMN + _value_columns(tab) + 1 + SMALL_TAB_GAP for tab in tabs]
    names = [TEXT.width(tab.name) for tab in tabs]
    wide_enough = [max(pitch, width + name) for width, name in zip(besides, names, strict=True)]
    if sum(wide_enough) <= room:
        return wide_enough
    if sum(besides) > room:
        return [pitch] * len(tabs)  # Such long numbers leave room for no name.
    idle = sorted((each for each in range(len(tabs)) if each != lit), key=lambda each: -names[each])
    letter_with_dots, letter, plate = 2 * LETTER_COLUMNS, LETTER_COLUMNS, [] if lit is None else [lit]
    for least, giving_way in ((letter_with_dots, idle), (letter, idle), (letter, plate), (0, idle), (0, plate)):
        for each in giving_way:
            missing = sum(besides) + sum(names) - room
            names[each] -= max(0, min(missing, names[each] - least))
    spare = (room - sum(besides) - sum(names)) // len(tabs)
    return [width + name + spare for width, name in zip(besides, names, strict=True)]


def _value_columns(tab: SeatTab) -> int:
    return TEXT.width(tab.value) + _gap_columns(tab, 3) if tab.value else 0


def _draw_small_tab(canvas: Canvas, tab: SeatTab, x0: int, x1: int, y: int, *, lit: bool) -> None:
    """Draw a tab in columns `x0` to `x1`, its letters on rows `y` to `y` + 6; on a plate if `lit`."""
    start, end = x0 + SMALL_NAME_COLUMN, x1 - 1
    if lit:
        canvas.fill_rounded_box(start - 2, y - 1, end + 1, y + SMALL_TAB_ROWS - 1)
    draw_seat_shape(canvas, x0, y, tab.seat, small=True)
    canvas.text(end, y, tab.value, TEXT, "r", inverse=lit)
    end -= _value_columns(tab)
    name = cut_text(tab.name, TEXT, end - start + 1, canvas.names)
    # Beside a long number not even a dot has room, but an initial may.
    name = tab.name[: max(0, end + 2 - start) // LETTER_COLUMNS] if name.startswith("…") else name
    canvas.text(start, y, name, TEXT, inverse=lit)


def draw_tab(canvas: Canvas, tab: SeatTab, x0: int, x1: int, *, lit: bool, y: int = 0) -> None:
    """Draw one tab in columns `x0` to `x1` and 15 rows from `y`, on a plate if `lit`."""
    if lit:
        canvas.fill_rounded_box(x0, y, x1, y + TAB_ROWS - 1)
    draw_seat_shape(canvas, x0 + PADDING_COLUMNS, y + 3, tab.seat, inverse=lit)
    start, end = x0 + PADDING_COLUMNS + SHAPE_COLUMNS, x1 - PADDING_COLUMNS
    if tab.value:
        room = end - start + 1
        end -= canvas.fitted_text(end, y + 1, tab.value, NUMBER_FACES, room, anchor="r", inverse=lit)
        end -= _gap_columns(tab)
    room = end - start + 1
    if fits_width(tab.name, WORD_FACES[-1], room) or room >= MIN_NAME_COLUMNS:
        face, shown = fit_text(tab.name, WORD_FACES, room, canvas.names)
        down = WORD_FACES[0].capital_rows - face.capital_rows
        canvas.text(start, y + 3 + down, shown, face, inverse=lit)


def _gap_columns(tab: SeatTab, columns: int = VALUE_GAP_COLUMNS) -> int:
    """The dark columns before a tab's value, more of them behind a digit: ``Player 1  8`` is not 18."""
    return columns + MORE_GAP_COLUMNS * tab.name[-1:].isdigit()


def _needed_columns(tab: SeatTab) -> int:
    """The columns that a tab takes with its whole name."""
    value = _gap_columns(tab) + MIDDLE.width(tab.value) if tab.value else 0
    return 2 * PADDING_COLUMNS + SHAPE_COLUMNS + WORD_FACES[0].width(tab.name) + value


def _least_columns(tab: SeatTab) -> int:
    """The columns of a tab that gives way to the other one: at least its number has room."""
    return max(MIN_TAB_COLUMNS, 2 * PADDING_COLUMNS + SHAPE_COLUMNS + WORD_FACES[-1].width(tab.value))


def draw_seat_numbers(
    canvas: Canvas, numbers: Sequence[str], x0: int, x1: int, y: int, *, columns: int = 2, pitch: int = 15
) -> None:
    """Draw each seat's shape with its number, `columns` in a row from row `y`, all numbers of one size."""
    wide = (x1 - x0 + 1) // columns
    room = wide - SMALL_SHAPE_COLUMNS - 2
    face = max((fitting_face(each, NUMBER_FACES, room) or NUMBER_FACES[-1] for each in numbers), key=NUMBER_FACES.index)
    for seat, number in enumerate(numbers, 1):
        row, column = divmod(seat - 1, columns)
        x, top = x0 + column * wide, y + row * pitch
        draw_seat_shape(canvas, x, top + (face.capital_rows - 7) // 2, seat, small=True)
        canvas.text(x + SMALL_SHAPE_COLUMNS, top, number, face)


def draw_seat_shape(canvas: Canvas, x: int, y: int, seat: int, *, small: bool = False, inverse: bool = False) -> None:
    """Draw the shape of a seat's player, 9 × 9 pixels, or 7 × 7 if `small`, its upper left corner at (x, y)."""
    name = seat_icon(canvas, seat, small=small)
    canvas.icon(x + (9 - icon_mask(name).width) // 2 * (not small), y, name, inverse=inverse)


def seat_icon(canvas: Canvas, seat: int, *, small: bool = False) -> str:
    """The icon of the shape of a seat's player, who keeps it for the whole evening."""
    shape = canvas.colours[seat - 1] if canvas.colours else seat
    return f"small-seat-{shape}" if small else f"seat-{shape}"
