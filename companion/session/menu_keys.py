"""Keys in a list: a cursor that wraps around, digits that pick, pages of nine entries; A to D are arrows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.session.actions import Count
from companion.session.model import (
    Ask,
    Dealing,
    Doctor,
    Mending,
    Notice,
    Page,
    PageKind,
    Playing,
    Refusing,
    Scoring,
    Spelling,
    Splash,
)

if TYPE_CHECKING:
    from companion.session.model import Item, Menu, Mode, Session

PAGE = 9
"""Entries on a page; the digits 1–9 pick one, 0 turns the page."""

ARROWS = {"A": "up", "B": "right", "C": "down", "D": "left"}
"""The arrow keys that a keypad's letters stand for, except in a game's entry."""


def arrow(mode: Mode, key: str, terminal: bool) -> str:
    """The key with A to D turned into arrows, except where pieces, moves, points or letters are typed."""
    match mode:
        case Playing() | Dealing() | Scoring() | Splash() | Refusing() | Notice() | Ask():
            return key
        case Mending(naming=True):
            return key
        case Spelling() if terminal:
            return key
        case Doctor() if mode.number > len(mode.findings or ()):
            return key  # Its last page shows the keys as they arrive.
    return ARROWS.get(key, key)


def press(menu: Menu, key: str) -> tuple[Menu, int | None]:
    """The menu after a key, and the index of the entry that it picks, None for none.

    In a menu of numbers (`Count`) a digit picks its number.
    """
    count = len(menu.items)
    if key in ("up", "down"):
        return menu._replace(cursor=(menu.cursor + (1 if key == "down" else -1)) % count), None
    if key in ("left", "right"):
        return _turned(menu, 1 if key == "right" else -1), None
    if key == "0":
        return _turned(menu, 1), None
    if key == "#":
        return menu, menu.cursor
    numbers = [str(item.does.number) for item in menu.items if isinstance(item.does, Count)]
    if numbers:
        return menu, numbers.index(key) if key in numbers else None
    if key in "123456789":
        index = menu.cursor // PAGE * PAGE + int(key) - 1
        if index < count:
            return menu._replace(cursor=index), index
    return menu, None


def picked(session: Session, menu: Menu, key: str) -> tuple[Session, Menu, Item | None]:
    """The session and its menu after a key, and the entry that it picks; None for none.

    An entry that cannot be used now is not picked: a page with its reason opens.
    """
    menu, index = press(menu, key)
    session = session._replace(mode=menu)
    item = menu.items[index] if index is not None else None
    if item is not None and item.why:
        return session._replace(mode=Page(PageKind.ANSWER, (item.label, item.why), back=menu)), menu, None
    return session, menu, item


def _turned(menu: Menu, step: int) -> Menu:
    pages = (len(menu.items) - 1) // PAGE + 1
    if pages == 1:
        return menu
    return menu._replace(cursor=(menu.cursor // PAGE + step) % pages * PAGE)
