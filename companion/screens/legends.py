"""The names of keys in footers: OK and BACK for buttons, ``#`` and ``*`` for the keypad, by the last key press."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.contents import kinds
from companion.languages import Text, text
from companion.panel import parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, named
from companion.panel.icons import icon
from companion.panel.names import MARK, nameless

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.panel.canvas import Canvas
    from companion.panel.parts import Legend


Way = Literal["right", "down"]
ARROWS: dict[Way, str] = {"right": "right", "down": "more-down"}
KEYS: dict[Way, str] = {"right": "B", "down": "C"}
"""The keypad's keys that are arrows."""


def keys(meanings: Iterable[kinds.KeyMeaning], *, buttons: bool) -> tuple[Legend | None, Legend | None]:
    """The names of OK and BACK, and what they do; None for one that means nothing."""
    ok, back = kinds.meaning(meanings, "ok"), kinds.meaning(meanings, "back")
    return (
        parts.legend(buttons, ok.says) if ok is not None else None,
        parts.legend(buttons, back.says, "BACK") if back is not None else None,
    )


def footer(canvas: Canvas, meanings: Sequence[kinds.KeyMeaning], *, buttons: bool) -> None:
    """Draw what OK and BACK do."""
    parts.footer(canvas, *keys(meanings, buttons=buttons))


def fitting(meanings: Iterable[kinds.KeyMeaning], *, buttons: bool) -> tuple[Legend, Legend]:
    """OK and BACK with the longest of their words for which the footer has room; ``P2`` is a nameless player."""
    ok, back = (each for each in (kinds.meaning(meanings, "ok"), kinds.meaning(meanings, "back")) if each is not None)
    keys = [parts.legend(buttons, "", key)[0] for key in ("OK", "BACK")]
    room = parts.beside(*keys)
    told = (ok.says, *_of_nameless(ok.says), *ok.shorter)
    forms = ((does, leaves) for does in told for leaves in (back.says, *back.shorter))
    fits = ((does, leaves) for does, leaves in forms if TEXT.width(does) + TEXT.width(leaves) <= room)
    does, leaves = next(fits, ((ok.says, *ok.shorter)[-1], back.says))
    return (keys[0], does), (keys[1], leaves)


def between(canvas: Canvas, meanings: Iterable[kinds.KeyMeaning], way: Way, *, buttons: bool) -> None:
    """Draw what an arrow does in the free columns of the footer, if it means anything and there is room for it."""
    if (found := kinds.meaning(meanings, way)) is None or not found.says:
        return
    key, arrow = "" if buttons else KEYS[way], icon(ARROWS[way])
    before = TEXT.width(key) + 2 * bool(key) + arrow.width + 2
    first, last = canvas.free
    fits = (each for each in (found.says, *found.shorter) if before + TEXT.width(each) <= last - first + 1)
    told = next(fits, "")
    if not told:
        return
    x = (first + last + 1 - before - TEXT.width(told)) // 2
    x += canvas.text(x, parts.LAST, key) + 2 * bool(key)
    x += canvas.icon(x, parts.LAST + 3 - arrow.height // 2, ARROWS[way]) + 2
    canvas.text(x, parts.LAST, told)


def _of_nameless(words: str) -> tuple[str, ...]:
    """Words in which the number of a nameless player stands for it; () for any others."""
    if not isinstance(words, Text) or not (short := nameless(str(words.values.get("who", "")))):
        return ()
    return (words.having({**words.values, "who": short}),)


def cut_name(words: str, width: int, names: Sequence[str]) -> str:
    """Words whose name, if they are a text with one, is cut so that all fit into `width` pixels."""
    if not isinstance(words, Text) or "who" not in words.values:
        return words
    return named(words.having({**words.values, "who": "{}"}), words.values["who"], TEXT, width, names)


def without_name(words: str) -> str:
    """Words whose name, if they are a text with one, is cut as far as it can be."""
    return (
        words.having({**words.values, "who": f"W{MARK}"})
        if isinstance(words, Text) and "who" in words.values
        else words
    )


def scrolling(canvas: Canvas, *, buttons: bool) -> None:
    """Up and down, and a keypad's keys for them, in the footer of what is longer than the panel."""
    parts.arrow_keys(canvas, *("", "") if buttons else ("A", "C"), UP_DOWN)


def by_game(canvas: Canvas, *, buttons: bool, short: bool = False) -> None:
    """Draw at the right end of the footer that left and right lead to another game; `short`: without the word."""
    end = RIGHT if short else RIGHT - canvas.text(RIGHT, parts.LAST, text("game"), TEXT, "r") - 3
    if not buttons:
        end -= canvas.text(end, parts.LAST, "B", TEXT, "r") + 2
    for name in ("right", "left"):
        end -= canvas.icon(end, parts.LAST + 1, name, "r") + 2
    if not buttons:
        canvas.text(end, parts.LAST, "D", TEXT, "r")


def swapping(canvas: Canvas, *, buttons: bool) -> None:
    """Left and right, and a keypad's keys for them, in the footer."""
    parts.arrow_keys(canvas, *("", "") if buttons else ("D", "B"), LEFT_RIGHT)


ICONS = ("more-up", "more-down", "left", "right")
UP_DOWN, LEFT_RIGHT = ("more-up", "more-down"), ("left", "right")


def changing(canvas: Canvas, meanings: Sequence[kinds.KeyMeaning], y: int, *, buttons: bool) -> None:
    """A line that says which keys change the value under the cursor, and which lead to the next one, if any does."""
    walks, number = kinds.meaning(meanings, "right"), kinds.meaning(meanings, "digits")
    changes = kinds.meaning(meanings, "up")
    if buttons and changes is not None:
        first: tuple[str, ...] = (*UP_DOWN, changes.says)
    elif number is not None:
        first = (text("digits"),) if walks else (text("digits, or"), "A", *UP_DOWN, "C")
    else:
        first = ("A", *UP_DOWN, "C")
    bare: tuple[str, ...] = ()
    walk: tuple[str, ...] = ()
    if walks:
        bare = ("", *LEFT_RIGHT) if buttons else ("", "D", *LEFT_RIGHT, "B")
        walk = (*bare, walks.says) if buttons else (*bare, "", walks.says)  # Words stand apart from a letter.
    forms = ((*first, *walk), (*first, *bare), (*(part for part in first if part in ICONS), *bare))
    _centred(canvas, y, next((form for form in forms if _wide(form) <= RIGHT - LEFT + 1), forms[-1]))


def _wide(said: tuple[str, ...]) -> int:
    """The columns of words and icons in a line."""
    return sum((icon(part).width if part in ICONS else TEXT.width(part)) + 3 for part in said) - 3


def _centred(canvas: Canvas, y: int, said: tuple[str, ...]) -> None:
    """Words and icons in a line, in the middle; "" is a wider gap."""
    wide = _wide(said)
    x = (LEFT + RIGHT + 1 - wide) // 2
    for part in said:
        if part in ICONS:
            x += canvas.icon(x, y + 4 - icon(part).height // 2, part) + 3
        else:
            x += canvas.text(x, y, part) + 3
