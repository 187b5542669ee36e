"""Draws what the keys do, mostly in the footer: OK and BACK on buttons, ``#`` and ``*`` on a keypad."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Literal

from companion.languages import Text, text
from companion.panel import widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT
from companion.panel.fonts import TEXT, with_cut_name
from companion.panel.icons import icon_mask
from companion.panel.name_cutting import ELLIPSIS, unnamed_player_short_form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.evening.contents.kinds import KeyHint
    from companion.panel.canvas import Canvas
    from companion.panel.widgets import KeyLabel, LinePart

ANY_KEY_LABEL: KeyLabel = (text("any key"), text("continues"))
ArrowDirection = Literal["right", "down"]
ARROW_KEYS: dict[ArrowDirection, tuple[str, str]] = {"right": ("B", "right"), "down": ("C", "more-down")}
"""The keypad's key for an arrow, and the arrow's icon."""
UP_DOWN_ICONS, LEFT_RIGHT_ICONS = ("more-up", "more-down"), ("left", "right")


class KeyHints:
    """The key hints of a content, and how the keys are called on the device in use.

    Attributes:
        canvas: what they are drawn on.
        hints_by_key: the hint for each key.
        uses_buttons: whether the keys have the names of buttons, else those of a keypad.
    """

    def __init__(self, canvas: Canvas, key_hints: Sequence[KeyHint], *, uses_buttons: bool) -> None:
        self.canvas = canvas
        self.hints_by_key = {each.key: each for each in key_hints}
        self.uses_buttons = uses_buttons

    def ok_and_back_labels(self) -> tuple[KeyLabel | None, KeyLabel | None]:
        """The labels of OK and BACK, in the longest words that fit the footer; None for a key that does nothing."""
        ok, back = self.hints_by_key.get("ok"), self.hints_by_key.get("back")
        keys = [widgets.key_label(self.uses_buttons, "", key)[0] for key in ("OK", "BACK")]
        first, second = _wordings(ok), _wordings(back)
        ok_words, back_words = first[0], second[0]
        if len(first) + len(second) > 2:
            room = widgets.footer_room_for_words(keys[0] if ok else "", keys[1] if back else "")
            fits = (each for each in product(first, second) if sum(map(TEXT.width, each)) <= room)
            ok_words, back_words = next(fits, (first[-1], back_words))
        return (keys[0], ok_words) if ok else None, (keys[1], back_words) if back else None

    def draw_footer(self, left: KeyLabel | None = None) -> None:
        """Draw the labels of OK and BACK, or `left` in place of OK's."""
        ok, back = self.ok_and_back_labels()
        widgets.draw_footer(self.canvas, left or ok, back)

    def draw_up_down_keys(self) -> None:
        """Draw the up and down arrows in the footer, for a content that is longer than the panel."""
        widgets.draw_arrow_keys(self.canvas, *("", "") if self.uses_buttons else ("A", "C"), UP_DOWN_ICONS)

    def draw_left_right_keys(self) -> None:
        """Draw the left and right arrows in the footer."""
        widgets.draw_arrow_keys(self.canvas, *("", "") if self.uses_buttons else ("D", "B"), LEFT_RIGHT_ICONS)

    def draw_page_bar(self, page_number: int, count: int) -> int:
        """Draw which page is open, `page_number` from 0, of how many, and the keys that turn it.

        Returns the last column that is left beside the scrollbar.
        """
        if count > 1:
            self.draw_up_down_keys()
        return widgets.draw_page_bar(self.canvas, page_number, count)

    def draw_arrow_hint(self, direction: ArrowDirection) -> None:
        """Draw what an arrow does in the free columns of the footer; nothing if it has no hint, or there is no room."""
        if (hint := self.hints_by_key.get(direction)) is None or not hint.says:
            return
        key, arrow = ARROW_KEYS[direction]
        line: list[LinePart] = [icon_mask(arrow)] if self.uses_buttons else [key, icon_mask(arrow)]
        before = widgets.mixed_line_width(line, (2, 2))
        first, last = self.canvas.free_columns
        room = last - first + 1 - before
        if words := next((each for each in (hint.says, *hint.shorter) if TEXT.width(each) <= room), ""):
            x = first + (room - TEXT.width(words)) // 2
            widgets.draw_mixed_line(self.canvas, x, widgets.LAST_LINE_ROW, [*line, words], gaps=(2, 2), middle=3)

    def draw_keys_to_other_game(self, *, without_word: bool) -> None:
        """Draw at the right end of the footer that left and right lead to another game, perhaps `without_word`."""
        end = (
            RIGHT
            if without_word
            else RIGHT - self.canvas.text(RIGHT, widgets.LAST_LINE_ROW, text("game"), TEXT, "r") - 3
        )
        left, right = map(icon_mask, LEFT_RIGHT_ICONS)
        line: list[LinePart] = [left, right] if self.uses_buttons else ["D", left, right, "B"]
        x = end + 3 - widgets.mixed_line_width(line, (2, 2))
        widgets.draw_mixed_line(self.canvas, x, widgets.LAST_LINE_ROW, line, gaps=(2, 2), middle=3)

    def draw_value_and_cursor_keys(self, y: int) -> None:
        """Draw a line with the keys that change the value under the cursor, and those that lead to the next one."""
        change_hint, walk_hint, digits = (self.hints_by_key.get(key) for key in ("up", "right", "digits"))
        up, down, left, right = map(icon_mask, (*UP_DOWN_ICONS, *LEFT_RIGHT_ICONS))
        first: list[LinePart] = ["A", up, down, "C"]
        second: list[LinePart] = ["", "D", left, right, "B"]
        if self.uses_buttons:
            first, second = [up, down, change_hint.says if change_hint else ""], ["", left, right]
        elif digits:
            first = [text("digits")] if walk_hint else [text("digits, or"), *first]
        icons = [part for part in first if not isinstance(part, str)]
        walk: list[LinePart] = []
        if walk_hint is None:
            second = []
        else:
            # The empty part keeps the words apart from the letter before.
            walk = [walk_hint.says] if self.uses_buttons else ["", walk_hint.says]
        for line in ([*first, *second, *walk], [*first, *second], [*icons, *second]):
            wide = widgets.mixed_line_width(line, (3, 3)) - 3
            if wide <= LINE_COLUMNS:
                break
        widgets.draw_mixed_line(self.canvas, (LEFT + RIGHT + 1 - wide) // 2, y, line, gaps=(3, 3))


def _wordings(hint: KeyHint | None) -> tuple[str, ...]:
    """The words of a hint, the longest first; among the shorter ones a nameless player is ``P2``."""
    if hint is None:
        return ("",)
    if isinstance(hint.says, Text) and (short := unnamed_player_short_form(str(hint.says.values.get("who", "")))):
        return (hint.says, _with_name(hint.says, short), *hint.shorter)
    return (hint.says, *hint.shorter)


def _with_name(words: Text, name: str) -> Text:
    return words.with_values({**words.values, "who": name})


def cut_player_name_in(words: str, width: int, names: Sequence[str]) -> str:
    """The words, in which the player's name is cut so that they fit into `width` pixels."""
    if not isinstance(words, Text) or "who" not in words.values:
        return words
    return with_cut_name(_with_name(words, "{}"), words.values["who"], TEXT, width, names)


def shorten_player_name(words: str) -> str:
    """The words, in which the player's name is as short as it can be."""
    return _with_name(words, f"W{ELLIPSIS}") if isinstance(words, Text) and "who" in words.values else words
