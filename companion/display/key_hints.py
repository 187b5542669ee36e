"""Draws what the keys do, mostly in the footer: OK and BACK on buttons, ``#`` and ``*`` on a keypad."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from companion.languages import Text
from companion.panel import widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT
from companion.panel.fonts import CONDENSED, WORD_FACES
from companion.panel.icons import icon_mask
from companion.panel.name_cutting import unnamed_player_short_form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.evening.contents.kinds import Key, KeyHint
    from companion.panel.canvas import Canvas
    from companion.panel.widgets import KeyLabel, LinePart

GAPS = (3, 2)
"""Columns after a word and after an icon."""
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
        oks, backs = self._labels("ok", "OK"), self._labels("back", "BACK")
        for ok, back, face in product(oks, backs, WORD_FACES):
            if widgets.footer_columns(ok, back, "", face) <= LINE_COLUMNS:
                return ok, back
        return oks[-1], backs[-1]

    def _labels(self, key: Key, name: str) -> list[KeyLabel | None]:
        """The labels of a key in all wordings, the longest first; [None] for a key that does nothing."""
        hint = self.hints_by_key.get(key)
        return (
            [None] if hint is None else [widgets.key_label(self.uses_buttons, each, name) for each in _wordings(hint)]
        )

    def draw_footer(self) -> None:
        """Draw the labels of OK and BACK."""
        widgets.draw_footer(self.canvas, *self.ok_and_back_labels())

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

    def draw_right_hint(self, y: int = widgets.LAST_LINE_ROW) -> None:
        """Draw what the right arrow does in the free columns of the footer, or in another line on row `y`.

        Nothing is drawn if it has no hint, or there is no room.
        """
        if (hint := self.hints_by_key.get("right")) is None or not hint.says:
            return
        line: list[LinePart] = [] if self.uses_buttons else [widgets.key_name("B")]
        line.append(icon_mask("right"))
        first, last = self.canvas.free_columns if y == widgets.LAST_LINE_ROW else (LEFT, RIGHT)
        room = last - first + 1 - widgets.mixed_line_width(line, GAPS)
        for words, face in product((hint.says, *hint.shorter), WORD_FACES):
            if (wide := face.width(words)) <= room:
                x = widgets.draw_mixed_line(self.canvas, first + (room - wide) // 2, y, line, gaps=GAPS)
                down = CONDENSED.capital_rows - face.capital_rows
                self.canvas.text(x, y + down, words, face)
                return

    def draw_value_and_cursor_keys(self, y: int) -> None:
        """Draw a line with the keys that change the value under the cursor, and those that lead to the next one."""
        name = widgets.key_name
        change, walk = self.hints_by_key.get("up"), self.hints_by_key.get("right")
        up_down, left_right = map(icon_mask, UP_DOWN_ICONS), map(icon_mask, LEFT_RIGHT_ICONS)
        line: list[LinePart] = [*up_down] if self.uses_buttons else [name("A"), *up_down, name("C")]
        if change:
            line.append(change.says)
        if walk:
            line += ["", *left_right] if self.uses_buttons else [name("D"), *left_right, name("B")]
            if widgets.mixed_line_width([*line, walk.says], GAPS) <= LINE_COLUMNS:
                line.append(walk.says)
        x = (LEFT + RIGHT + 1 - widgets.mixed_line_width(line, GAPS)) // 2
        widgets.draw_mixed_line(self.canvas, max(LEFT, x), y, line, gaps=GAPS)


def _wordings(hint: KeyHint) -> tuple[str, ...]:
    """The words of a hint, the longest first; among the shorter ones a nameless player is ``P2``."""
    if isinstance(hint.says, Text) and (short := unnamed_player_short_form(str(hint.says.values.get("who", "")))):
        return (hint.says, _with_name(hint.says, short), *hint.shorter)
    return (hint.says, *hint.shorter)


def _with_name(words: Text, name: str) -> Text:
    return words.with_values({**words.values, "who": name})
