"""The names of keys in footers: OK and BACK for buttons, ``#`` and ``*`` for the keypad, by the last key press."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.panel import parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT
from companion.panel.icons import icon

if TYPE_CHECKING:
    from companion.panel.canvas import Canvas
    from companion.panel.parts import Legend
    from companion.session.model import Session


Way = Literal["right", "down"]
ARROWS: dict[Way, str] = {"right": "right", "down": "more-down"}
KEYS: dict[Way, str] = {"right": "B", "down": "C"}
"""The keypad's keys that are arrows."""
GAP = 2
"""Pixels that legends keep from each other at least."""


def legend(session: Session, does: str, key: str = "OK") -> Legend:
    """A key's name on the device that was used last, and what it does."""
    return parts.legend(session.buttons, does, key)


def ok_back(session: Session, ok: str, back: str) -> tuple[Legend, Legend]:
    """The names of OK and BACK, and what they do."""
    return legend(session, ok), legend(session, back, "BACK")


def scrolling(canvas: Canvas, session: Session) -> None:
    """A keypad's keys that are up and down, in the footer of a list that is longer than the panel."""
    if not session.buttons:
        parts.arrow_keys(canvas, "A", "C", ("more-up", "more-down"))


def beside(canvas: Canvas, session: Session, left: Legend, right: Legend, says: str, *, way: Way = "right") -> None:
    """Draw what an arrow does between the two legends of the footer, if there is room for it."""
    first, last = (TEXT.width(key) + TEXT.width(does) + 7 for key, does in (left, right))
    key = "" if session.buttons else KEYS[way]
    arrow = icon(ARROWS[way])
    before = TEXT.width(key) + 2 * bool(key) + arrow.width + 2
    room = RIGHT - LEFT + 1 - first - last - 2 * GAP
    if before + TEXT.width(says) > room:
        return
    x = (LEFT + first + RIGHT - last - before - TEXT.width(says)) // 2 + 1
    x += canvas.text(x, parts.LAST, key) + 2 * bool(key)
    x += canvas.icon(x, parts.LAST + 3 - arrow.height // 2, ARROWS[way]) + 2
    canvas.text(x, parts.LAST, says)


def by_game(canvas: Canvas, session: Session, *, short: bool = False) -> None:
    """Draw at the right end of the footer that left and right lead to another game; `short`: without the word."""
    end = RIGHT if short else RIGHT - canvas.text(RIGHT, parts.LAST, "game", TEXT, "r") - 3
    if not session.buttons:
        end -= canvas.text(end, parts.LAST, "B", TEXT, "r") + 2
    for name in ("right", "left"):
        end -= canvas.icon(end, parts.LAST + 1, name, "r") + 2
    if not session.buttons:
        canvas.text(end, parts.LAST, "D", TEXT, "r")


def swapping(canvas: Canvas, session: Session) -> None:
    """A keypad's keys that are left and right, in the footer."""
    if not session.buttons:
        parts.arrow_keys(canvas, "D", "B", ("left", "right"))


ICONS = ("more-up", "more-down", "left", "right")
UP_DOWN, LEFT_RIGHT = ("more-up", "more-down"), ("left", "right")


def changing(canvas: Canvas, session: Session, y: int, *, walks: bool = False, number: bool = True) -> None:
    """A line that says what changes the value under the cursor, a `number` or not; `walks`: what leads to the next."""
    first = (*UP_DOWN, "change it") if session.buttons else ("A", *UP_DOWN, "C")
    if number and not session.buttons:
        first = ("digits",) if walks else ("digits, or", *first)
    then = LEFT_RIGHT if session.buttons else ("D", *LEFT_RIGHT, "B")
    _centred(canvas, y, (*first, *(("", *then, "next") if walks else ())))


def _centred(canvas: Canvas, y: int, said: tuple[str, ...]) -> None:
    """Words and icons in a line, in the middle; "" is a wider gap."""
    wide = sum((icon(part).width if part in ICONS else TEXT.width(part)) + 3 for part in said) - 3
    x = (LEFT + RIGHT + 1 - wide) // 2
    for part in said:
        if part in ICONS:
            x += canvas.icon(x, y + 4 - icon(part).height // 2, part) + 3
        else:
            x += canvas.text(x, y, part) + 3
