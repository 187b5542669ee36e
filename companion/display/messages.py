"""Draws messages that fill the panel: notices, refusals, the last picture, and two pictures without a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.display import title_screen
from companion.display.key_hints import ANY_KEY_LABEL
from companion.languages import text
from companion.panel import widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS, Canvas
from companion.panel.fonts import (
    BOLD_FACES,
    FIGURE_FACES,
    HEADING,
    NAME,
    NAME_FACES,
    NARROW,
    TEXT,
    Face,
    fits_lines,
    fitting_face,
    wrap_balanced,
    wrap_text,
)
from companion.panel.icons import icon_mask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL import Image

    from companion.display.key_hints import KeyHints
    from companion.evening.contents import kinds

ICON_NAMES = {"skip": "passed"}
"""Icons that have another name in the content than in the file of drawings."""
BESIDE_LARGE_ICON_COLUMNS = 91
"""Columns beside a large icon, from column 36 to the right edge."""
BESIDE_SMALL_ICON_COLUMNS = 101
"""Columns beside a small icon, from column 26 to the right edge."""
LAST_RULE_ROW = 45
"""The row of a rule's last line. A rule of four lines stands one row lower."""
TEST_PICTURE_DESCRIPTION = text(
    "a line along all four edges, words the right way up, and below them a chequered square on the left and a solid "
    "one on the right"
)
"""What a person in front of the panel must see of the test picture."""


def draw_notice(canvas: Canvas, content: kinds.Notice, hints: KeyHints) -> None:
    """Draw a message: an icon, a heading, up to two lines beside it and two below, or three beside and one below."""
    hints.draw_footer(ANY_KEY_LABEL if "any" in hints.hints_by_key else None)
    if content.icon == "eye":
        _draw_look_away(canvas, content)
        return
    mark = icon_mask(ICON_NAMES.get(content.icon, content.icon))
    canvas.icon(4 + (25 - mark.width) // 2, 16 - mark.height // 2, mark)
    lines_below = wrap_balanced(content.follows, TEXT, LINE_COLUMNS, 2, names=canvas.names)
    has_three_beside = (
        bool(content.said) and len(lines_below) < 2 and not fits_lines(content.said, TEXT, BESIDE_LARGE_ICON_COLUMNS, 2)
    )
    lines_beside = wrap_text(content.said, TEXT, BESIDE_LARGE_ICON_COLUMNS, 2 + has_three_beside, names=canvas.names)
    has_four_lines = len(lines_beside) + len(lines_below) > 3
    _draw_heading_beside_icon(canvas, content.heading, 1 if has_four_lines else 3)
    canvas.text_block(36, 17 if has_three_beside else 19 if has_four_lines else 21, lines_beside)
    if content.said:
        canvas.text_block(LEFT, (46 if has_three_beside else 43) if len(lines_below) == 1 else 37, lines_below)
    else:
        canvas.text_block(LEFT, 35 if len(lines_below) == 1 else 30, lines_below, pitch=10)


def _draw_heading_beside_icon(canvas: Canvas, heading: str, y: int) -> None:
    """Write a heading beside an icon from row `y` down: in one line if a face fits, else in two small lines."""
    if face := fitting_face(heading, (HEADING, *NAME_FACES), BESIDE_LARGE_ICON_COLUMNS):
        canvas.text(36, y + (HEADING.capital_rows - face.capital_rows) // 2, heading, face)
    else:
        canvas.text_block(36, y - 1, wrap_text(heading, TEXT, BESIDE_LARGE_ICON_COLUMNS, 2, names=canvas.names))


def _draw_look_away(canvas: Canvas, content: kinds.Notice) -> None:
    """Draw the question before something private: a crossed eye, who is to look away, and what is shown then."""
    canvas.icon(64, 0, "eye", "c")
    canvas.fitted_text(64, 22, content.heading, BOLD_FACES, LINE_COLUMNS, anchor="c")
    lines = wrap_balanced(content.follows, TEXT, LINE_COLUMNS, 2, names=canvas.names)
    canvas.text_block(64, 37 if len(lines) == 2 else 41, lines, "c")


def draw_refusal(canvas: Canvas, content: kinds.Refusal, hints: KeyHints) -> None:
    """Draw why a move is refused: the figure as large as it fits, what it contradicts, the rule, and how to leave.

    If a line is left, it says what would have been accepted. A long rule makes the stop sign and the figure smaller. A
    rule of four lines, which none of the built-in games has, leaves no room for what the figure contradicts.
    """
    any_key_hint = hints.hints_by_key.get("any")
    hints.draw_footer((ANY_KEY_LABEL[0], any_key_hint.says) if any_key_hint else None)
    figure, against, rule_lines = content.figure, content.against, _rule_lines(canvas, content)
    against_lines = wrap_balanced(against, TEXT, BESIDE_LARGE_ICON_COLUMNS, names=canvas.names)
    lowest = LAST_RULE_ROW + (len(rule_lines) > 3)
    if len(rule_lines) > 2 or len(against_lines) > 3:
        _draw_small_stop(canvas, figure, "" if len(rule_lines) > 3 else against, FIGURE_FACES[1:], 17)
    elif len(against_lines) == len(rule_lines) == 2:
        lowest += _draw_above_two_lines(canvas, figure, against, against_lines)
    else:
        has_two_lines = len(against_lines) < 2 and len(rule_lines) < 2
        canvas.icon(2, 10 if has_two_lines else 7, "stop")
        top = (9, 3 if has_two_lines else 1, 1, 0)[len(against_lines)]
        _draw_figure(canvas, top, figure, FIGURE_FACES if len(against_lines) < 3 else BOLD_FACES[1:])
        canvas.text_block(36, (0, 28 if has_two_lines else 25, 22, 10)[len(against_lines)], against_lines)
        lowest = 42 if len(rule_lines) == 1 else LAST_RULE_ROW + (len(against_lines) == 3)
    canvas.text_block(LEFT, lowest - 9 * (len(rule_lines) - 1), rule_lines)


def _rule_lines(canvas: Canvas, content: kinds.Refusal) -> list[str]:
    """The lines of the rule, and of what would have been accepted if two lines are enough for both."""
    rule = wrap_balanced(_capitalised(content.rule), TEXT, LINE_COLUMNS, 4, names=canvas.names)
    needed = wrap_balanced(_capitalised(content.needed), TEXT, LINE_COLUMNS, names=canvas.names)
    if not needed or len(rule) + len(needed) > 2:
        return rule
    ended_lines = [f"{line}." for line in rule]  # Without full stops the two sentences would read as one.
    return [*(ended_lines if all(TEXT.width(line) <= LINE_COLUMNS for line in ended_lines) else rule), *needed]


def _capitalised(words: str) -> str:
    """The text with a capital at its start, unless it starts with the name of a square: ``c3``."""
    return words if words[1:2].isdigit() else words[:1].upper() + words[1:]


def _draw_figure(canvas: Canvas, y: int, figure: str, faces: Sequence[Face]) -> None:
    """Write a figure beside the stop sign, in the largest face that fits, else in two lines of the narrow bold face."""
    if face := fitting_face(figure, faces, BESIDE_LARGE_ICON_COLUMNS):
        canvas.text(36, y + (faces[0].capital_rows - face.capital_rows) // 2, figure, face)
        return
    for index, part in enumerate(wrap_balanced(figure, NARROW, BESIDE_LARGE_ICON_COLUMNS, 2, names=canvas.names)):
        canvas.text(36, y + index * 11, part, NARROW)


def _draw_small_stop(canvas: Canvas, figure: str, against: str, faces: Sequence[Face], y: int) -> None:
    """Draw a small stop sign, beside it the figure, and on row `y` a line with what it contradicts."""
    canvas.icon(3, 3, "stop-small")
    canvas.fitted_text(26, 1, figure, faces, BESIDE_SMALL_ICON_COLUMNS)
    canvas.text_block(26, y, wrap_text(against, TEXT, BESIDE_SMALL_ICON_COLUMNS, 1, names=canvas.names))


def _draw_above_two_lines(canvas: Canvas, figure: str, against: str, against_lines: Sequence[str]) -> bool:
    """Draw what stands above a rule of two lines.

    Either the stop sign or the figure is smaller, or the figure takes two lines. Returns whether it is so tall that the
    rule has to stand a row lower.
    """
    if (
        fitting_face(figure, FIGURE_FACES, BESIDE_SMALL_ICON_COLUMNS) is FIGURE_FACES[0]
        and TEXT.width(against) <= BESIDE_SMALL_ICON_COLUMNS
    ):
        _draw_small_stop(canvas, figure, against, FIGURE_FACES, 22)
        return False
    canvas.icon(2, 4, "stop")
    if fitting_face(figure, FIGURE_FACES[1:], BESIDE_LARGE_ICON_COLUMNS):
        _draw_figure(canvas, 1, figure, FIGURE_FACES[1:])
        canvas.text_block(36, 16, against_lines)
        return False
    canvas.text_block(
        36, 1, [*wrap_balanced(figure, TEXT, BESIDE_LARGE_ICON_COLUMNS, names=canvas.names), *against_lines][:4]
    )
    return True


def draw_cover(canvas: Canvas, content: kinds.Cover, hints: KeyHints) -> None:
    """Draw the title; or the last picture, which stays on the panel until the power is cut."""
    if not content.last:
        title_screen.draw_title_screen(canvas)
        return
    canvas.icon(64, 5, "plug", "c")
    canvas.fitted_text(64, 32, text("All saved"), NAME_FACES, LINE_COLUMNS, anchor="c")
    lines = wrap_balanced(text("You can pull the plug now"), TEXT, LINE_COLUMNS, 2)
    canvas.text_block(64, 49 if len(lines) == 1 else 46, lines, "c")


def cannot_start_picture(reason: str) -> Image.Image:
    """The last picture of a table that can't start, with the reason as a sentence."""
    canvas = Canvas()
    widgets.draw_title(canvas, text("Can't start"))
    canvas.text_block(LEFT, 18, wrap_text(_capitalised(reason), TEXT, LINE_COLUMNS, 5))
    return canvas.image


def panel_test_picture() -> Image.Image:
    """The doctor's test picture, which shows whether the panel is complete, upside down or mirrored.

    It lights columns 0 and 127 too, so it has to be shown without a shift.
    """
    canvas = Canvas()
    for edge in ((0, 0, 127, 0), (0, 63, 127, 63), (0, 0, 0, 63), (127, 0, 127, 63)):
        canvas.fill(*edge)
    canvas.text(64, 5, text("Test picture"), NAME, "c")
    canvas.text(64, 21, text("a line on all 4 edges?"), anchor="c")
    canvas.checkerboard(6, 34, 29, 57)
    canvas.fill(98, 34, 121, 57)
    canvas.text_block(34, 36, [text("checks"), text("here")], pitch=12)
    canvas.text_block(93, 36, [text("solid", "square of the test picture"), text("here")], "r", pitch=12)
    return canvas.image
