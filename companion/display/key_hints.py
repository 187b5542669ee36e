"""Draws what the keys do, mostly in the footer: OK and BACK on buttons, ``#`` and ``*`` on a keypad."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Literal

from companion.languages import Text, text
from companion.panel import parts
from companion.panel.canvas import LEFT, RIGHT, LINE_COLUMNS
from companion.panel.fonts import TEXT, with_cut_name
from companion.panel.icons import icon_mask
from companion.panel.names import ELLIPSIS, nameless_short_form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.evening.contents.kinds import KeyHint
    from companion.panel.canvas import Canvas
    from companion.panel.parts import KeyLabel, LinePart

ANY_KEY: KeyLabel = (text("any key"), text("continues"))
Way = Literal["right", "down"]
ARROWS: dict[Way, tuple[str, str]] = {"right": ("B", "right"), "down": ("C", "more-down")}
"""The keypad's key for an arrow, and the arrow's icon."""
UP_DOWN, LEFT_RIGHT = ("more-up", "more-down"), ("left", "right")


class KeyHints:
    """The key hints of a content, and how the keys are called on the device in use.

    Attributes:
        canvas: what they are drawn on.
        hints_by_key: the hint for each key.
        uses_buttons: whether the keys have the names of buttons, else those of a keypad.
    """

    def __init__(self, canvas: Canvas, meanings: Sequence[KeyHint], *, buttons: bool) -> None:
        self.canvas = canvas
        self.meanings = {each.key: each for each in meanings}
        self.buttons = buttons

    def legends(self) -> tuple[KeyLabel | None, KeyLabel | None]:
        """The labels of OK and BACK, in the longest words that fit the footer; None for a key that does nothing."""
        ok, back = self.meanings.get("ok"), self.meanings.get("back")
        keys = [parts.key_label(self.buttons, "", key)[0] for key in ("OK", "BACK")]
        first, second = _forms(ok), _forms(back)
        does, leaves = first[0], second[0]
        if len(first) + len(second) > 2:
            room = parts.label_columns(keys[0] if ok else "", keys[1] if back else "")
            fits = (each for each in product(first, second) if sum(map(TEXT.width, each)) <= room)
            does, leaves = next(fits, (first[-1], leaves))
        return (keys[0], does) if ok else None, (keys[1], leaves) if back else None

    def draw_footer(self, left: KeyLabel | None = None) -> None:
        """Draw the labels of OK and BACK, or `left` in place of OK's."""
        ok, back = self.legends()
        parts.draw_footer(self.canvas, left or ok, back)

    def draw_scroll_keys(self) -> None:
        """Draw the up and down arrows in the footer, for a content that is longer than the panel."""
        parts.draw_arrow_keys(self.canvas, *("", "") if self.buttons else ("A", "C"), UP_DOWN)

    def draw_swap_keys(self) -> None:
        """Draw the left and right arrows in the footer."""
        parts.draw_arrow_keys(self.canvas, *("", "") if self.buttons else ("D", "B"), LEFT_RIGHT)

    def draw_pages(self, at: int, count: int) -> int:
        """Draw which page is open, `page_number` from 0, of how many, and the keys that turn it.

        Returns the last column that is left beside the scrollbar.
        """
        if count > 1:
            self.draw_scroll_keys()
        return parts.draw_page_bar(self.canvas, at, count)

    def draw_arrow(self, way: Way) -> None:
        """Draw the hint for an arrow in the free columns of the footer, if it has one and there is room."""
        if (meaning := self.meanings.get(way)) is None or not meaning.says:
            return
        key, arrow = ARROWS[way]
        line: list[LinePart] = [icon_mask(arrow)] if self.buttons else [key, icon_mask(arrow)]
        before = parts.mixed_line_width(line, (2, 2))
        first, last = self.canvas.free_columns
        room = last - first + 1 - before
        if words := next((each for each in (meaning.says, *meaning.shorter) if TEXT.width(each) <= room), ""):
            x = first + (room - TEXT.width(words)) // 2
            parts.draw_mixed_line(self.canvas, x, parts.LAST_LINE_ROW, [*line, words], gaps=(2, 2), middle=3)

    def draw_game_keys(self, *, short: bool) -> None:
        """Draw at the right end of the footer that left and right lead to another game, perhaps `without_word`."""
        end = RIGHT if short else RIGHT - self.canvas.text(RIGHT, parts.LAST_LINE_ROW, text("game"), TEXT, "r") - 3
        left, right = map(icon_mask, LEFT_RIGHT)
        line: list[LinePart] = [left, right] if self.buttons else ["D", left, right, "B"]
        x = end + 3 - parts.mixed_line_width(line, (2, 2))
        parts.draw_mixed_line(self.canvas, x, parts.LAST_LINE_ROW, line, gaps=(2, 2), middle=3)

    def draw_change_keys(self, y: int) -> None:
        """Draw a line with the keys that change the value under the cursor, and those that lead to the next one."""
        changes, walks, digits = (self.meanings.get(key) for key in ("up", "right", "digits"))
        up, down, left, right = map(icon_mask, (*UP_DOWN, *LEFT_RIGHT))
        first: list[LinePart] = ["A", up, down, "C"]
        second: list[LinePart] = ["", "D", left, right, "B"]
        if self.buttons:
            first, second = [up, down, changes.says if changes else ""], ["", left, right]
        elif digits:
            first = [text("digits")] if walks else [text("digits, or"), *first]
        icons = [part for part in first if not isinstance(part, str)]
        walk: list[LinePart] = []
        if walks is None:
            second = []
        else:
            # The empty part keeps the words apart from the letter before.
            walk = [walks.says] if self.buttons else ["", walks.says]
        for line in ([*first, *second, *walk], [*first, *second], [*icons, *second]):
            wide = parts.mixed_line_width(line, (3, 3)) - 3
            if wide <= LINE_COLUMNS:
                break
        parts.draw_mixed_line(self.canvas, (LEFT + RIGHT + 1 - wide) // 2, y, line, gaps=(3, 3))


def _forms(meaning: KeyHint | None) -> tuple[str, ...]:
    """The words of a hint, the longest first; among the shorter ones a nameless player is ``P2``."""
    if meaning is None:
        return ("",)
    if isinstance(meaning.says, Text) and (short := nameless_short_form(str(meaning.says.values.get("who", "")))):
        return (meaning.says, _with_name(meaning.says, short), *meaning.shorter)
    return (meaning.says, *meaning.shorter)


def _with_name(words: Text, name: str) -> Text:
    return words.with_values({**words.values, "who": name})


def cut_name(words: str, width: int, names: Sequence[str]) -> str:
    """The words, in which the player's name is cut so that they fit into `width` pixels."""
    if not isinstance(words, Text) or "who" not in words.values:
        return words
    return with_cut_name(_with_name(words, "{}"), words.values["who"], TEXT, width, names)


def without_name(words: str) -> str:
    """The words, in which the player's name is as short as it can be."""
    return _with_name(words, f"W{ELLIPSIS}") if isinstance(words, Text) and "who" in words.values else words
