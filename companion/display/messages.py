"""Draws messages that fill the panel: notices, refusals, the last picture, and two pictures without a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.display import first
from companion.display.key_hints import ANY_KEY
from companion.languages import text
from companion.panel import parts
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
    wrap_balanced,
    fitting_face,
    wrap_text,
    fits_lines,
)
from companion.panel.icons import icon_mask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL import Image

    from companion.display.key_hints import KeyHints
    from companion.evening.contents import kinds

ICONS = {"skip": "passed"}
"""Icons that have another name in the content than in the file of drawings."""
BESIDE = 91
"""Columns beside a large icon, from column 36 to the right edge."""
BESIDE_SMALL = 101
"""Columns beside a small icon, from column 26 to the right edge."""
LAST_LINE = 45
"""The row of a rule's last line. A rule of four lines stands one row lower."""
MUST_BE_SEEN = text(
    "a line along all four edges, words the right way up, and below them a chequered square on the left and a solid "
    "one on the right"
)
"""What a person in front of the panel must see of the test picture."""


def draw_notice(canvas: Canvas, content: kinds.Notice, hints: KeyHints) -> None:
    """Draw a message: an icon, a heading, up to two lines beside it and two below, or three beside and one below."""
    hints.draw_footer(ANY_KEY if "any" in hints.meanings else None)
    if content.icon == "eye":
        _look_away(canvas, content)
        return
    mark = icon_mask(ICONS.get(content.icon, content.icon))
    canvas.icon(4 + (25 - mark.width) // 2, 16 - mark.height // 2, mark)
    full = wrap_balanced(content.follows, TEXT, LINE_COLUMNS, 2, names=canvas.names)
    three = bool(content.said) and len(full) < 2 and not fits_lines(content.said, TEXT, BESIDE, 2)
    beside = wrap_text(content.said, TEXT, BESIDE, 2 + three, names=canvas.names)
    four = len(beside) + len(full) > 3
    _large_heading(canvas, content.heading, 1 if four else 3)
    canvas.text_block(36, 17 if three else 19 if four else 21, beside)
    if content.said:
        canvas.text_block(LEFT, (46 if three else 43) if len(full) == 1 else 37, full)
    else:
        canvas.text_block(LEFT, 35 if len(full) == 1 else 30, full, pitch=10)


def _large_heading(c: Canvas, s: str, y: int) -> None:
    """Write a heading beside an icon from row `y` down: in one line if a face fits, else in two small lines."""
    if face := fitting_face(s, (HEADING, *NAME_FACES), BESIDE):
        c.text(36, y + (HEADING.capital_rows - face.capital_rows) // 2, s, face)
    else:
        c.text_block(36, y - 1, wrap_text(s, TEXT, BESIDE, 2, names=c.names))


def _look_away(c: Canvas, content: kinds.Notice) -> None:
    """Draw the question before something private: a crossed eye, who is to look away, and what is shown then."""
    c.icon(64, 0, "eye", "c")
    c.fitted_text(64, 22, content.heading, BOLD_FACES, LINE_COLUMNS, anchor="c")
    lines = wrap_balanced(content.follows, TEXT, LINE_COLUMNS, 2, names=c.names)
    c.text_block(64, 37 if len(lines) == 2 else 41, lines, "c")


def draw_refusal(canvas: Canvas, content: kinds.Refusal, hints: KeyHints) -> None:
    """Draw why a move is refused: the figure as large as it fits, what it contradicts, the rule, and how to leave.

    If a line is left, it says what would have been accepted. A long rule makes the stop sign and the figure smaller. A
    rule of four lines, which none of the built-in games has, leaves no room for what the figure contradicts.
    """
    again = hints.meanings.get("any")
    hints.draw_footer((ANY_KEY[0], again.says) if again else None)
    figure, against, full = content.figure, content.against, _rule(canvas, content)
    side = wrap_balanced(against, TEXT, BESIDE, names=canvas.names)
    lowest = LAST_LINE + (len(full) > 3)
    if len(full) > 2 or len(side) > 3:
        _small_stop(canvas, figure, "" if len(full) > 3 else against, FIGURE_FACES[1:], 17)
    elif len(side) == len(full) == 2:
        lowest += _beside_two_lines(canvas, figure, against, side)
    else:
        calm = len(side) < 2 and len(full) < 2
        canvas.icon(2, 10 if calm else 7, "stop")
        top = (9, 3 if calm else 1, 1, 0)[len(side)]
        _figure(canvas, top, figure, FIGURE_FACES if len(side) < 3 else BOLD_FACES[1:])
        canvas.text_block(36, (0, 28 if calm else 25, 22, 10)[len(side)], side)
        lowest = 42 if len(full) == 1 else LAST_LINE + (len(side) == 3)
    canvas.text_block(LEFT, lowest - 9 * (len(full) - 1), full)


def _rule(c: Canvas, content: kinds.Refusal) -> list[str]:
    """The lines of the rule, and of what would have been accepted if two lines are enough for both."""
    rule = wrap_balanced(_sentence(content.rule), TEXT, LINE_COLUMNS, 4, names=c.names)
    needed = wrap_balanced(_sentence(content.needed), TEXT, LINE_COLUMNS, names=c.names)
    if not needed or len(rule) + len(needed) > 2:
        return rule
    stopped = [f"{line}." for line in rule]  # Without full stops the two sentences would read as one.
    return [*(stopped if all(TEXT.width(line) <= LINE_COLUMNS for line in stopped) else rule), *needed]


def _sentence(s: str) -> str:
    """The text with a capital at its start, unless it starts with the name of a square: ``c3``."""
    return s if s[1:2].isdigit() else s[:1].upper() + s[1:]


def _figure(c: Canvas, y: int, s: str, faces: Sequence[Face]) -> None:
    """Write a figure beside the stop sign, in the largest face that fits, else in two lines of the narrow bold face."""
    if face := fitting_face(s, faces, BESIDE):
        c.text(36, y + (faces[0].capital_rows - face.capital_rows) // 2, s, face)
        return
    for index, part in enumerate(wrap_balanced(s, NARROW, BESIDE, 2, names=c.names)):
        c.text(36, y + index * 11, part, NARROW)


def _small_stop(c: Canvas, figure: str, against: str, faces: Sequence[Face], y: int) -> None:
    """Draw a small stop sign, beside it the figure, and on row `y` a line with what it contradicts."""
    c.icon(3, 3, "stop-small")
    c.fitted_text(26, 1, figure, faces, BESIDE_SMALL)
    c.text_block(26, y, wrap_text(against, TEXT, BESIDE_SMALL, 1, names=c.names))


def _beside_two_lines(c: Canvas, figure: str, against: str, side: Sequence[str]) -> bool:
    """Draw what stands above a rule of two lines.

    Either the stop sign or the figure is smaller, or the figure takes two lines. Returns whether it is so tall that the
    rule has to stand a row lower.
    """
    if fitting_face(figure, FIGURE_FACES, BESIDE_SMALL) is FIGURE_FACES[0] and TEXT.width(against) <= BESIDE_SMALL:
        _small_stop(c, figure, against, FIGURE_FACES, 22)
        return False
    c.icon(2, 4, "stop")
    if fitting_face(figure, FIGURE_FACES[1:], BESIDE):
        _figure(c, 1, figure, FIGURE_FACES[1:])
        c.text_block(36, 16, side)
        return False
    c.text_block(36, 1, [*wrap_balanced(figure, TEXT, BESIDE, names=c.names), *side][:4])
    return True


def draw_cover(canvas: Canvas, content: kinds.Cover, hints: KeyHints) -> None:
    """Draw the title; or the last picture, which stays on the panel until the power is cut."""
    if not content.last:
        first.draw_title(canvas)
        return
    canvas.icon(64, 5, "plug", "c")
    canvas.fitted_text(64, 32, text("All saved"), NAME_FACES, LINE_COLUMNS, anchor="c")
    lines = wrap_balanced(text("You can pull the plug now"), TEXT, LINE_COLUMNS, 2)
    canvas.text_block(64, 49 if len(lines) == 1 else 46, lines, "c")


def cannot_start_picture(why: str) -> Image.Image:
    """The last picture of a table that can't start, with the reason as a sentence."""
    canvas = Canvas()
    parts.draw_title(canvas, text("Can't start"))
    canvas.text_block(LEFT, 18, wrap_text(_sentence(why), TEXT, LINE_COLUMNS, 5))
    return canvas.image


def edge_picture() -> Image.Image:
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
    canvas.text_block(93, 36, [text("solid"), text("here")], "r", pitch=12)
    return canvas.image
