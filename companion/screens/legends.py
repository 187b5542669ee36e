"""The names of keys in footers: OK and BACK for buttons, ``#`` and ``*`` for the keypad, by the last key press."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.contents import kinds
from companion.game.text import Text
from companion.panel import parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, named
from companion.panel.icons import icon

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.panel.canvas import Canvas
    from companion.panel.parts import Legend


Way = Literal["right", "down"]
ARROWS: dict[Way, str] = {"right": "right", "down": "more-down"}
KEYS: dict[Way, str] = {"right": "B", "down": "C"}
"""The keypad's keys that are arrows."""
GAP = 2
"""Pixels that legends keep from each other at least."""


def keys(answers: Iterable[kinds.Answer], *, buttons: bool) -> tuple[Legend | None, Legend | None]:
    """The names of OK and BACK, and what they do; None for one that means nothing."""
    ok, back = kinds.answer(answers, "ok"), kinds.answer(answers, "back")
    return (
        parts.legend(buttons, ok.says) if ok is not None else None,
        parts.legend(buttons, back.says, "BACK") if back is not None else None,
    )


def footer(canvas: Canvas, answers: Sequence[kinds.Answer], *, buttons: bool) -> None:
    """Draw what OK and BACK do."""
    parts.footer(canvas, *keys(answers, buttons=buttons))


def fitting(answers: Iterable[kinds.Answer], *, buttons: bool) -> tuple[Legend, Legend]:
    """OK and BACK with the longest of their words for which the footer has room."""
    ok, back = (each for each in (kinds.answer(answers, "ok"), kinds.answer(answers, "back")) if each is not None)
    keys = [parts.legend(buttons, "", key)[0] for key in ("OK", "BACK")]
    room = parts.beside(*keys)
    forms = ((does, leaves) for does in (ok.says, *ok.shorter) for leaves in (back.says, *back.shorter))
    fits = ((does, leaves) for does, leaves in forms if TEXT.width(does) + TEXT.width(leaves) <= room)
    does, leaves = next(fits, ((ok.says, *ok.shorter)[-1], back.says))
    return (keys[0], does), (keys[1], leaves)


def between(
    canvas: Canvas, answers: Iterable[kinds.Answer], left: Legend, right: Legend, way: Way, *, buttons: bool
) -> None:
    """Draw what an arrow does between the two legends of the footer, if it means anything and there is room for it."""
    if (found := kinds.answer(answers, way)) is not None:
        beside(canvas, left, right, found.says, buttons=buttons, way=way)


def cut_name(words: str, width: int, names: Sequence[str]) -> str:
    """Words whose name, if they are a text with one, is cut so that all fit into `width` pixels."""
    if not isinstance(words, Text) or "who" not in words.values:
        return words
    form = words.message.format(**{**words.values, "who": "{}"})
    return named(form, words.values["who"], TEXT, width, names)


def scrolling(canvas: Canvas, *, buttons: bool) -> None:
    """A keypad's keys that are up and down, in the footer of a list that is longer than the panel."""
    if not buttons:
        parts.arrow_keys(canvas, "A", "C", ("more-up", "more-down"))


def beside(canvas: Canvas, left: Legend, right: Legend, says: str, *, buttons: bool, way: Way = "right") -> None:
    """Draw what an arrow does between the two legends of the footer, if there is room for it."""
    first, last = (TEXT.width(key) + TEXT.width(does) + 7 for key, does in (left, right))
    key = "" if buttons else KEYS[way]
    arrow = icon(ARROWS[way])
    before = TEXT.width(key) + 2 * bool(key) + arrow.width + 2
    room = RIGHT - LEFT + 1 - first - last - 2 * GAP
    if before + TEXT.width(says) > room:
        return
    x = (LEFT + first + RIGHT - last - before - TEXT.width(says)) // 2 + 1
    x += canvas.text(x, parts.LAST, key) + 2 * bool(key)
    x += canvas.icon(x, parts.LAST + 3 - arrow.height // 2, ARROWS[way]) + 2
    canvas.text(x, parts.LAST, says)


def by_game(canvas: Canvas, *, buttons: bool, short: bool = False) -> None:
    """Draw at the right end of the footer that left and right lead to another game; `short`: without the word."""
    end = RIGHT if short else RIGHT - canvas.text(RIGHT, parts.LAST, "game", TEXT, "r") - 3
    if not buttons:
        end -= canvas.text(end, parts.LAST, "B", TEXT, "r") + 2
    for name in ("right", "left"):
        end -= canvas.icon(end, parts.LAST + 1, name, "r") + 2
    if not buttons:
        canvas.text(end, parts.LAST, "D", TEXT, "r")


def swapping(canvas: Canvas, *, buttons: bool) -> None:
    """A keypad's keys that are left and right, in the footer."""
    if not buttons:
        parts.arrow_keys(canvas, "D", "B", ("left", "right"))


ICONS = ("more-up", "more-down", "left", "right")
UP_DOWN, LEFT_RIGHT = ("more-up", "more-down"), ("left", "right")


def changing(canvas: Canvas, answers: Sequence[kinds.Answer], y: int, *, buttons: bool) -> None:
    """A line that says which keys change the value under the cursor, and which lead to the next one, if any does."""
    walks, number = kinds.answer(answers, "right"), kinds.answer(answers, "digits")
    if buttons:
        first: tuple[str, ...] = (*UP_DOWN, "change it")
    elif number is not None:
        first = ("digits",) if walks else ("digits, or", "A", *UP_DOWN, "C")
    else:
        first = ("A", *UP_DOWN, "C")
    then = LEFT_RIGHT if buttons else ("D", *LEFT_RIGHT, "B")
    _centred(canvas, y, (*first, *(("", *then, walks.says) if walks else ())))


def _centred(canvas: Canvas, y: int, said: tuple[str, ...]) -> None:
    """Words and icons in a line, in the middle; "" is a wider gap."""
    wide = sum((icon(part).width if part in ICONS else TEXT.width(part)) + 3 for part in said) - 3
    x = (LEFT + RIGHT + 1 - wide) // 2
    for part in said:
        if part in ICONS:
            x += canvas.icon(x, y + 4 - icon(part).height // 2, part) + 3
        else:
            x += canvas.text(x, y, part) + 3
