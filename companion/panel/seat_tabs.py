"""The tabs of seats: each with a player's name, a number and signs; that of the player to move is inverted.

Each player has a shape, the same as on the pages: ● ◆ ■ ▲. It stands before the names where these stay whole and bold.
"""

from collections.abc import Sequence
from typing import NamedTuple

from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import NAME_FACES, NARROW, NUMBER_FACES, TEXT, Face, fit_text, fitting_face
from companion.panel.icons import Icon, icon_mask

SHAPE_COLUMNS = 9
"""Columns of a seat's shape with the gap after it."""


class SeatTab(NamedTuple):
    """What a seat's tab shows.

    Args:
        name: the player's name, which is cut to fit.
        value: a number at the right, which is never cut.
        badge: an icon before the number, such as ``hand``.
        mark: an icon before the name, such as ``full-disc``, which isn't inverted with the tab. Then there is no shape.
        seat: the seat's number, for its shape; 0 for the tab's place in the row.
    """

    name: str
    value: str = ""
    badge: str = ""
    mark: Icon = ""
    seat: int = 0


def draw_tabs(canvas: Canvas, seats: Sequence[SeatTab], to_move: int | None, with_rule: bool = True) -> None:
    """Draw the tabs of two seats on rows 0 to 14, that of `to_move` (from 1) inverted.

    `with_rule` adds the line on row 15 below them. A tab's mark is outside the inverted plate, since a full disc would
    look hollow on it.
    """
    spans = []
    for seat, (tab, x0, x1) in enumerate(zip(seats, (LEFT, 65), (62, RIGHT), strict=True), 1):
        left = x0
        if tab.mark:
            canvas.icon(x0, 7 - icon_mask(tab.mark).height // 2, tab.mark)
            left += icon_mask(tab.mark).width + 2
        if seat == to_move:
            canvas.fill(left + 1, 0, x1 - 1, 0)
            canvas.fill(left, 1, x1, 14)
        spans.append((left + (3 if tab.mark else 4), x1 - 3, 1))
    _draw_tab_contents(canvas, seats, spans, to_move)
    if with_rule:
        canvas.hline(15)


def draw_seat_list(
    canvas: Canvas,
    seats: Sequence[SeatTab],
    to_move: int | None,
    x0: int,
    *,
    pitch: int = 15,
    has_small_numbers: bool = False,
) -> None:
    """Draw the tabs of seats in a column from `x0` to the right edge, `pitch` rows each: 15 for two, 11 for four.

    With `has_small_numbers` all numbers have the text face, even those that would fit in a larger one.
    """
    for seat in range(1, len(seats) + 1):
        if seat == to_move:
            top = (seat - 1) * pitch
            canvas.fill_rounded_box(x0, top, RIGHT, top + min(pitch, 15) - 1)
    spans = [(x0 + 3, RIGHT - 3, 1 + seat * pitch) for seat in range(len(seats))]
    _draw_tab_contents(canvas, seats, spans, to_move, tall=pitch >= 15, small=has_small_numbers)


def _draw_tab_contents(
    canvas: Canvas,
    tabs: Sequence[SeatTab],
    spans: Sequence[tuple[int, int, int]],
    to_move: int | None,
    *,
    tall: bool = True,
    small: bool = False,
) -> None:
    """Draw names and numbers. A span has the first and last column of a tab, and the row of a tall number.

    All names have one face, and all numbers. A badge is left out, and if need be the numbers are small, where only that
    leaves room for a whole name.
    """
    faces = NAME_FACES if tall else NAME_FACES[1:]
    big, less = NUMBER_FACES if tall else (NARROW, TEXT)
    placed = [
        _number_face(tab, x1 - x0, (big, less), is_small=small) for tab, (x0, x1, _) in zip(tabs, spans, strict=True)
    ]
    number = big if all(face is big for _, face in placed) else less
    rooms = [_name_columns(tab, x1 - x0, number) for (tab, _), (x0, x1, _) in zip(placed, spans, strict=True)]
    least = _name_face_index(tabs, rooms, faces, canvas.names)
    narrower_rooms = [room - SHAPE_COLUMNS for room in rooms]
    if not any(tab.mark for tab in tabs) and _are_names_bold(tabs, narrower_rooms, faces):
        for place, (tab, (x0, _, y)) in enumerate(zip(tabs, spans, strict=True), 1):
            shape_row = y + (big.capital_rows - 7) // 2
            draw_seat_shape(canvas, x0, shape_row, tab.seat or place, inverse=place == to_move)
        spans, rooms = [(x0 + SHAPE_COLUMNS, x1, y) for x0, x1, y in spans], narrower_rooms
        least = _name_face_index(tabs, rooms, faces, canvas.names)
    for seat, ((tab, _), (x0, x1, y), room) in enumerate(zip(placed, spans, rooms, strict=True), 1):
        inverse, end = seat == to_move, x1
        if tab.value:
            top = y + (big.capital_rows - number.capital_rows) // 2
            end -= canvas.text(x1, top, tab.value, number, "r", inverse=inverse) + 1
        if tab.badge:
            canvas.icon(end - 3, y + 3, tab.badge, "r", inverse=inverse)
        down = (faces[0].capital_rows - faces[least].capital_rows + 1) // 2
        canvas.fitted_text(x0, (y + 1 if tall else y) + down, tab.name, faces[least:], room, inverse=inverse)


def _name_face_index(tabs: Sequence[SeatTab], rooms: Sequence[int], faces: Sequence[Face], names: Sequence[str]) -> int:
    """The index of the largest face that all names fit in; of the last face if some are cut."""
    return max(faces.index(fit_text(tab.name, faces, room, names)[0]) for tab, room in zip(tabs, rooms, strict=True))


def _are_names_bold(tabs: Sequence[SeatTab], rooms: Sequence[int], faces: Sequence[Face]) -> bool:
    """Whether all names fit in one of the bold `faces`, those before the last; only these are read across a table."""
    return all(fitting_face(tab.name, faces[:-1], room) for tab, room in zip(tabs, rooms, strict=True))


def draw_seat_shape(canvas: Canvas, x: int, y: int, seat: int, *, inverse: bool = False) -> None:
    """Draw the shape of a seat's player, 7 × 7 pixels, with its upper left corner at (x, y)."""
    canvas.icon(x, y, f"seat-{canvas.colours[seat - 1] if canvas.colours else seat}", inverse=inverse)


def _number_face(tab: SeatTab, wide: int, faces: tuple[Face, Face], *, is_small: bool) -> tuple[SeatTab, Face]:
    """A tab, without its badge if that leaves room for its name, and the face of its number."""
    big, less = faces
    face = big if not is_small and big.has_glyphs(tab.value) and _number_columns(big, tab.value) <= wide - 16 else less
    if tab.badge and tab.value:
        room = wide - 2 - TEXT.width(tab.name)
        needed = [_number_columns(number, tab.value) + 1 for number in (face, less)]
        if needed[0] + icon_mask(tab.badge).width + 4 > room >= needed[1]:
            tab, face = tab._replace(badge=""), face if needed[0] <= room else less
    return tab, face


def _number_columns(number: Face, value: str) -> int:
    """The columns of a number. A single 1 counts as any digit, so that a score of 1 changes no name's face."""
    return number.width("0" if value == "1" else value)


def _name_columns(tab: SeatTab, wide: int, number: Face) -> int:
    """The columns for the name in a tab."""
    value = _number_columns(number, tab.value) + 1 if tab.value else 0
    badge = icon_mask(tab.badge).width + 4 if tab.badge else 0
    return wide - value - badge - 2 if value or badge else wide + 1
