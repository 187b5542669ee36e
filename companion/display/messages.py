"""Draws messages that fill the panel: notices, questions, refusals, the last picture, and two without a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.display import title_screen
from companion.languages import text
from companion.panel import widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT, Canvas
from companion.panel.fonts import (
    CONDENSED,
    FIGURE_FACES,
    HEADING,
    NAME,
    NAME_FACES,
    TEXT,
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
    from companion.panel.fonts import Face

ICON_NAMES = {"skip": "passed"}
"""Icons that have another name in the content than in the file of drawings."""
HEADING_ROWS, WORDS_ROW, MAX_LINES = 21, 25, 2
"""Rows of the icon and the heading, the row of the first line of words below them, and the most lines."""
SMALL_HEADING_ROWS = 14
"""Rows of the icon and the heading above words that need three lines."""
MESSAGE_FACES = (HEADING, *NAME_FACES)
TEST_PICTURE_DESCRIPTION = text(
    "a line along all four edges, words the right way up, and below them a chequered square on the left and a solid "
    "one on the right"
)
"""What a person in front of the panel must see of the test picture."""


def draw_message(canvas: Canvas, icon: str, heading: str, words: str, faces: Sequence[Face] = MESSAGE_FACES) -> None:
    """Draw an icon, beside it a heading as large as it fits, and below them words.

    For words that need three lines the heading is smaller, and has no icon.
    """
    needs_three = not fits_lines(words, CONDENSED, LINE_COLUMNS, MAX_LINES)
    if needs_three and fits_lines(words, CONDENSED, LINE_COLUMNS, widgets.MAX_LINES):
        small = [face for face in faces if face.capital_rows < SMALL_HEADING_ROWS - 1]
        if face := fitting_face(heading, small, LINE_COLUMNS):
            canvas.text(LEFT, 1 + (SMALL_HEADING_ROWS - 2 - face.capital_rows) // 2, heading, face)
            widgets.draw_words(canvas, words)
            return
    mark = icon_mask(ICON_NAMES.get(icon, icon))
    canvas.icon(LEFT, max(0, (HEADING_ROWS - mark.height) // 2), mark)
    x = LEFT + mark.width + 6
    room = RIGHT - x + 1
    if face := fitting_face(heading, faces, room):
        canvas.text(x, (HEADING_ROWS - face.capital_rows) // 2, heading, face)
    else:
        canvas.text_block(x, 2, wrap_text(heading, TEXT, room, 2, canvas.names), face=TEXT, pitch=10)
    widgets.draw_words(canvas, words, WORDS_ROW, lines=MAX_LINES)


def draw_notice(canvas: Canvas, content: kinds.Notice, hints: KeyHints) -> None:
    """Draw what has happened, and what follows."""
    hints.draw_footer()
    # What is said goes on after the heading: "Ben" "can't move."
    words = " ".join(filter(None, (_with_full_stop(content.said), _sentences(content.follows))))
    draw_message(canvas, content.icon, content.heading, words)


def draw_refusal(canvas: Canvas, content: kinds.Refusal, hints: KeyHints) -> None:
    """Draw why a move is refused: the figure as large as it fits, what it contradicts, and the rule.

    If there is room, the last sentence says what would have been accepted; a long rule alone is enough.
    """
    hints.draw_footer()
    forms = (
        _sentences(content.against, content.rule, content.needed),
        _sentences(content.against, content.rule),
        _sentences(content.rule),
    )
    sizes = ((CONDENSED, widgets.MAX_LINES), (TEXT, MAX_LINES + 1))
    fitting = (each for face, most in sizes for each in forms if fits_lines(each, face, LINE_COLUMNS, most))
    words = next(fitting, forms[-1])
    draw_message(canvas, "stop-small", content.figure, words, FIGURE_FACES)


def _sentences(*parts: str) -> str:
    """Sentences one after the other, each with a capital and a full stop."""
    return " ".join(_with_full_stop(_capitalised(each)) for each in parts if each)


def _with_full_stop(words: str) -> str:
    return words if not words or words[-1] in ".!?" else f"{words}."


def _capitalised(words: str) -> str:
    """The text with a capital at its start, unless it starts with the name of a square: ``c3``."""
    return words if words[1:2].isdigit() else words[:1].upper() + words[1:]


def draw_cover(canvas: Canvas, content: kinds.Cover, hints: KeyHints) -> None:
    """Draw the title; or the last picture, which stays on the panel until the power is cut."""
    if not content.last:
        title_screen.draw_title_screen(canvas, content.name or title_screen.NAME)
        return
    canvas.icon(64, 5, "plug", "c")
    canvas.fitted_text(64, 28, text("All saved"), NAME_FACES, LINE_COLUMNS, anchor="c")
    lines = wrap_balanced(text("You can pull the plug now"), CONDENSED, LINE_COLUMNS, 2)
    canvas.text_block(64, 42, lines, "c", pitch=11)


def cannot_start_picture(reason: str) -> Image.Image:
    """The last picture of a table that can't start, with the reason as a sentence."""
    canvas = Canvas()
    widgets.draw_title(canvas, text("Can't start"))
    canvas.text_block(LEFT, 17, wrap_text(_capitalised(reason), TEXT, LINE_COLUMNS, 5), face=TEXT, pitch=9)
    return canvas.image


def panel_test_picture() -> Image.Image:
    """The doctor's test picture, which shows whether the panel is complete, upside down or mirrored.

    It lights columns 0 and 127 too, so it has to be shown without a shift.
    """
    canvas = Canvas()
    for edge in ((0, 0, 127, 0), (0, 63, 127, 63), (0, 0, 0, 63), (127, 0, 127, 63)):
        canvas.fill(*edge)
    canvas.text(64, 5, text("Test picture"), NAME, "c")
    canvas.text(64, 20, text("a line on all 4 edges?"), anchor="c")
    canvas.checkerboard(6, 34, 29, 57)
    canvas.fill(98, 34, 121, 57)
    canvas.text_block(34, 36, [text("checks"), text("here")], pitch=12)
    canvas.text_block(93, 36, [text("solid", "square of the test picture"), text("here")], "r", pitch=12)
    return canvas.image
