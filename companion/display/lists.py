"""Draws lists to pick from: up to four rows, the one under the cursor on a lit bar, and a scrollbar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games import game_icons
from companion.panel import widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS
from companion.panel.fonts import CONDENSED, WORD_FACES
from companion.panel.icons import icon_mask

if TYPE_CHECKING:
    from companion.display.key_hints import KeyHints
    from companion.evening.contents.kinds import Choice, ChoiceLine
    from companion.panel.canvas import Canvas

MAX_ROWS, ROW_PITCH, BAR_ROWS = 4, 12, 13
"""The most rows that are visible at a time, the pixels from row to row, and those of the bar under the cursor."""
PADDING_COLUMNS, DIGIT_COLUMNS, ICON_COLUMNS, NOTE_GAP_COLUMNS = 3, 10, 14, 6
"""Columns before a row, those of its digit and of its icon, and the dark ones before its note."""
FIRST_ROW, FIRST_ROW_UNDER_TITLE = 2, 14
PANEL_ICONS = ("match", "sealed", "open")
"""The icons of rows that are no game's."""


def draw_choice(canvas: Canvas, content: Choice, hints: KeyHints) -> None:
    """Draw a list to pick from, perhaps under a title, and below it what the entry under the cursor is about."""
    explains = content.lines[content.cursor].explains
    shown = MAX_ROWS - bool(content.title) - any(line.explains for line in content.lines)
    y = FIRST_ROW
    if content.title:
        _draw_title(canvas, content.title, content.notes)
        y = FIRST_ROW_UNDER_TITLE
    # Digits only pick on the cursor's page, so with a keypad only rows of that page are shown.
    pages = [*map(content.page_of, content.lines)]
    start = 0 if hints.uses_buttons else pages.index(pages[content.cursor])
    first = max(start, content.cursor - shown + 1)
    edge = widgets.draw_scrollbar(canvas, first, shown, len(content.lines), y0=y, y1=y + shown * ROW_PITCH - 2)
    for index, line in enumerate(content.lines[first : first + shown], first):
        is_under_cursor = index == content.cursor
        if is_under_cursor:
            canvas.fill_rounded_box(LEFT, y, edge, y + BAR_ROWS - 1)
            y += 1
        digit = "" if hints.uses_buttons else content.digit_of(line) or " "
        _draw_row(canvas, line, digit, y, edge, inverse=is_under_cursor)
        y += ROW_PITCH + is_under_cursor
    if explains:
        canvas.fitted_text(LEFT, widgets.DETAIL_ROW, explains, WORD_FACES, LINE_COLUMNS)
    hints.draw_right_hint()


def _draw_title(canvas: Canvas, title: str, notes: tuple[str, ...]) -> None:
    """Draw a list's title with its question, or if both have no room only the question."""
    note = next((each for each in notes if widgets.fits_beside_title(title, each)), "")
    if notes and not note:
        title = notes[0][:1].upper() + notes[0][1:]
    widgets.draw_title(canvas, title, note, line=False)


def _draw_row(canvas: Canvas, line: ChoiceLine, digit: str, y: int, edge: int, *, inverse: bool) -> None:
    """Draw a row: the digit that picks it, its icon, its words, and at the right its note if there is room for both."""
    x, end = LEFT + PADDING_COLUMNS, edge - PADDING_COLUMNS + 1
    if digit:
        canvas.text(x, y, digit, inverse=inverse)
        x += DIGIT_COLUMNS
    if line.icon:
        mark = icon_mask(line.icon if line.icon in PANEL_ICONS else game_icons.small_icon(line.icon))
        canvas.icon(x + 4 - mark.width // 2, y + 4 - mark.height // 2, mark, inverse=inverse)
        x += ICON_COLUMNS
    words = line.words
    for face in WORD_FACES:
        note = face.width(line.note) + NOTE_GAP_COLUMNS if line.note else 0
        words = widgets.with_fitting_names(canvas, line.words, end - x - note)
        if x + face.width(words) + note <= end:
            break
    else:
        note *= any(name in line.words for name in line.names)  # Names may be cut, other words may not.
    if note:
        down = CONDENSED.capital_rows - face.capital_rows
        canvas.text(end, y + down, line.note, face, "r", inverse=inverse)
    canvas.fitted_text(x, y, words, WORD_FACES, end - note - x + 1, inverse=inverse)
