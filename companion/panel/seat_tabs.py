"""The tabs of seats: each with a player's name, a number and signs; that of the player to move is inverted."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import NAMES, NARROW, NUMBERS, TEXT, Face, fit
from companion.panel.icons import Icon, icon


class Tab(NamedTuple):
    """What a seat's tab shows.

    Args:
        name: the player's name, which is cut to fit.
        value: a number at the right, which is never cut.
        badge: an icon before the number, such as ``hand``.
        mark: an icon before the name, such as ``full-disc``, which isn't inverted with the tab.
    """

    name: str
    value: str = ""
    badge: str = ""
    mark: Icon = ""


def tabs(c: Canvas, seats: Sequence[Tab], to_move: int | None, rule: bool = True) -> None:
    """Draw the tabs of two seats on rows 0 to 14, that of `to_move` (from 1) inverted.

    `with_rule` adds the line on row 15 below them. A tab's mark is outside the inverted plate, since a full disc would
    look hollow on it.
    """
    spans = []
    for seat, (tab, x0, x1) in enumerate(zip(seats, (LEFT, 65), (62, RIGHT), strict=True), 1):
        left = x0
        if tab.mark:
            c.icon(x0, 7 - icon(tab.mark).height // 2, tab.mark)
            left += icon(tab.mark).width + 2
        if seat == to_move:
            c.fill(left + 1, 0, x1 - 1, 0)
            c.fill(left, 1, x1, 14)
        spans.append((left + (3 if tab.mark else 4), x1 - 3, 1))
    _tabs(c, seats, spans, to_move)
    if rule:
        c.hline(15)


def seat_list(
    c: Canvas, seats: Sequence[Tab], to_move: int | None, x0: int, *, pitch: int = 15, small: bool = False
) -> None:
    """Draw the tabs of seats in a column from `x0` to the right edge, `pitch` rows each: 15 for two, 11 for four.

    With `has_small_numbers` all numbers have the text face, even those that would fit in a larger one.
    """
    for seat in range(1, len(seats) + 1):
        if seat == to_move:
            top = (seat - 1) * pitch
            c.plate(x0, top, RIGHT, top + min(pitch, 15) - 1)
    spans = [(x0 + 3, RIGHT - 3, 1 + seat * pitch) for seat in range(len(seats))]
    _tabs(c, seats, spans, to_move, tall=pitch >= 15, small=small)


def _tabs(
    c: Canvas,
    tabs: Sequence[Tab],
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
    faces = NAMES if tall else NAMES[1:]
    big, less = NUMBERS if tall else (NARROW, TEXT)
    placed = [
        _number_face(tab, x1 - x0, (big, less), small=small) for tab, (x0, x1, _) in zip(tabs, spans, strict=True)
    ]
    number = big if all(face is big for _, face in placed) else less
    rooms = [_room(tab, x1 - x0, number) for (tab, _), (x0, x1, _) in zip(placed, spans, strict=True)]
    least = max(
        (faces.index(fit(tab.name, faces, room, c.names)[0]) for (tab, _), room in zip(placed, rooms, strict=True))
    )
    for seat, ((tab, _), (x0, x1, y), room) in enumerate(zip(placed, spans, rooms, strict=True), 1):
        inverse, end = seat == to_move, x1
        if tab.value:
            top = y + (big.capitals - number.capitals) // 2
            end -= c.text(x1, top, tab.value, number, "r", inverse=inverse) + 1
        if tab.badge:
            c.icon(end - 3, y + 3, tab.badge, "r", inverse=inverse)
        down = (faces[0].capitals - faces[least].capitals + 1) // 2
        c.fitted(x0, (y + 1 if tall else y) + down, tab.name, faces[least:], room, inverse=inverse)


def _number_face(tab: Tab, wide: int, faces: tuple[Face, Face], *, small: bool) -> tuple[Tab, Face]:
    """A tab, without its badge if that leaves room for its name, and the face of its number."""
    big, less = faces
    face = big if not small and big.has(tab.value) and _widest(big, tab.value) <= wide - 16 else less
    if tab.badge and tab.value:
        room = wide - 2 - TEXT.width(tab.name)
        needed = [_widest(number, tab.value) + 1 for number in (face, less)]
        if needed[0] + icon(tab.badge).width + 4 > room >= needed[1]:
            tab, face = tab._replace(badge=""), face if needed[0] <= room else less
    return tab, face


def _widest(number: Face, value: str) -> int:
    """The columns of a number. A single 1 counts as any digit, so that a score of 1 changes no name's face."""
    return number.width("0" if value == "1" else value)


def _room(tab: Tab, wide: int, number: Face) -> int:
    """The columns for the name in a tab."""
    value = _widest(number, tab.value) + 1 if tab.value else 0
    badge = icon(tab.badge).width + 4 if tab.badge else 0
    return wide - value - badge - 2 if value or badge else wide + 1
