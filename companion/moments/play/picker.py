"""A picker over the places of a grid: where an arrow key leads."""

from __future__ import annotations


def walk(places: list[tuple[int, int]], cursor: tuple[int, int], key: str) -> tuple[int, int]:
    """The place after an arrow key: right and left in reading order, up and down to the nearest in another row."""
    if not places:
        return cursor
    if key in ("right", "left"):
        return next_place(places, cursor, forward=key == "right")
    row, column = cursor
    others = sorted({line for line, _ in places} - {row}, reverse=key == "up")
    if not others:
        return cursor
    other = next((line for line in others if (line > row) == (key == "down")), others[0])
    return other, min((place for line, place in places if line == other), key=lambda place: abs(place - column))


def next_place(places: list[tuple[int, int]], cursor: tuple[int, int], *, forward: bool) -> tuple[int, int]:
    """The next place in reading order, which wraps around; `cursor` need not be one of the places."""
    if forward:
        return next((place for place in places if place > cursor), places[0])
    return next((place for place in reversed(places) if place < cursor), places[-1])
