"""Draws questions to the players, and for phones the address of their page as a QR code and in letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.display.messages import draw_message
from companion.games import game_icons
from companion.languages import translate
from companion.panel import widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT
from companion.panel.fonts import CONDENSED, NAME, NAME_FACES, TEXT, WORD_FACES, fits_lines, wrap_balanced
from companion.panel.icons import icon_mask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.display.key_hints import KeyHints
    from companion.evening.contents import kinds
    from companion.panel.canvas import Canvas

BOX_ROW, BOX_ROWS, BESIDE_MARK_COLUMN = 38, 13, 46
"""The first row of the players' boxes and how many they take, and the first column beside a game's large mark."""
MODULE_PIXELS, QUIET_ZONE_MODULES = 2, 3
"""Pixels of a module of the code, and modules of quiet zone around it: version 2 takes 62 of the 64 rows."""
BESIDE_CODE_COLUMN = 65
"""The first column of words beside the code."""


def draw_question(canvas: Canvas, content: kinds.Question, hints: KeyHints) -> None:
    """Draw a question; where several players have to agree, a box for each, with a tick for a yes."""
    if content.seats and "ok" in hints.hints_by_key:
        _draw_agreement(canvas, content, hints)
        return
    hints.draw_footer()
    draw_message(canvas, "question", content.title, " ".join(content.lines))


def _draw_agreement(canvas: Canvas, content: kinds.Question, hints: KeyHints) -> None:
    """Draw a question to two players; the box of the player who is asked is inverted."""
    hints.draw_footer()
    widgets.draw_title(canvas, content.title, line=False)
    words, face, pitch = " ".join(content.lines), CONDENSED, widgets.LINE_PITCH
    if not fits_lines(translate(words), face, LINE_COLUMNS, 2):
        face, pitch = TEXT, widgets.SMALL_LINE_PITCH
    canvas.text_block(LEFT, 14, wrap_balanced(words, face, LINE_COLUMNS, 2, canvas.names), face=face, pitch=pitch)
    for seat, x0, x1 in zip(content.seats, (LEFT, 66), (61, RIGHT), strict=True):
        is_asked = seat.state == "asked"
        if is_asked:
            canvas.fill_rounded_box(x0, BOX_ROW, x1, BOX_ROW + BOX_ROWS - 1)
        else:
            canvas.box(x0, BOX_ROW, x1, BOX_ROW + BOX_ROWS - 1)
        if seat.state == "yes":
            canvas.icon(x1 - 4, BOX_ROW + 2, "tick", "r")
        room = x1 - x0 - 8 - (16 if seat.state == "yes" else 0)
        canvas.fitted_text(x0 + 5, BOX_ROW + 2, seat.name, WORD_FACES, room, inverse=is_asked)


def draw_resumption(canvas: Canvas, content: kinds.Resumption, hints: KeyHints) -> None:
    """Draw the question whether to resume a round: the game's large mark and its name, who plays, where it was left."""
    mark = game_icons.large_icon(content.game)
    canvas.icon(22, 7 + (37 - icon_mask(mark).height) // 2, mark, "c")
    canvas.fitted_text(BESIDE_MARK_COLUMN, 2, content.name, NAME_FACES, RIGHT - BESIDE_MARK_COLUMN + 1)
    widgets.draw_words(canvas, content.players, 16, x=BESIDE_MARK_COLUMN, lines=2)
    canvas.fitted_text(
        BESIDE_MARK_COLUMN, widgets.DETAIL_ROW, content.left_at, WORD_FACES, RIGHT - BESIDE_MARK_COLUMN + 1
    )


def draw_pairing(canvas: Canvas, content: kinds.Pairing, hints: KeyHints) -> None:
    """Draw the question whether to begin a pairing of a tournament."""
    widgets.draw_title(canvas, content.title, content.round)
    for y, name in zip((16, 28), content.names, strict=False):
        canvas.fitted_text(LEFT, y, name, WORD_FACES, LINE_COLUMNS)
    canvas.fitted_text(LEFT, widgets.DETAIL_ROW, content.game, WORD_FACES, LINE_COLUMNS)


def draw_phone_question(canvas: Canvas, content: kinds.PhoneQuestion, hints: KeyHints) -> None:
    """Draw the question about a phone: whose it is, and what it must show."""
    widgets.draw_title(canvas, content.title, content.figure)
    canvas.fitted_text(LEFT, 16, content.said, WORD_FACES, LINE_COLUMNS)
    canvas.fitted_text(LEFT, 28, content.name, NAME_FACES, LINE_COLUMNS)
    if content.digits:
        wide = canvas.fitted_text(LEFT, widgets.DETAIL_ROW, content.must_show, WORD_FACES, 90)
        canvas.text(LEFT + wide + 6, widgets.DETAIL_ROW - 1, content.digits, NAME)


def draw_phone_code(canvas: Canvas, content: kinds.Code, hints: KeyHints) -> None:
    """Draw the page for phones: its address as a QR code and in letters, or what the box waits for."""
    if not content.address:
        hints.draw_footer()
        widgets.draw_title(canvas, content.heading)
        widgets.draw_words(canvas, content.waiting)
        return
    _draw_qr_code(canvas, content.address)
    host, _, port = content.shown.rpartition(":")
    room = RIGHT - BESIDE_CODE_COLUMN + 1
    canvas.fitted_text(BESIDE_CODE_COLUMN, 1, content.heading, WORD_FACES, room)
    lines = [*_address_lines(host), f":{port}"]
    canvas.text_block(BESIDE_CODE_COLUMN, 13, lines, face=TEXT, pitch=9 if len(lines) == 2 else 8)
    canvas.text(RIGHT, 31, content.code, anchor="r")
    for y, label in zip((42, 53), hints.ok_and_back_labels(), strict=True):
        if label is not None:
            x = BESIDE_CODE_COLUMN + canvas.tag(BESIDE_CODE_COLUMN, y, label[0]) + 3
            canvas.fitted_text(x, y, label[1], WORD_FACES, RIGHT - x + 1)


def _address_lines(host: str) -> Sequence[str]:
    """An address in one line, or in two if it is too long."""
    if TEXT.width(host) <= RIGHT - BESIDE_CODE_COLUMN + 2:
        return [host]
    first = host[: host.rfind(".", 0, len(host) // 2 + 2) + 1]
    return first, host[len(first) :]


def _draw_qr_code(canvas: Canvas, address: str) -> None:
    """Draw the address as a QR code, dark on a lit square; nothing if the library segno isn't installed."""
    try:
        import segno
    except ImportError:
        return
    qr_code = segno.make(address.upper(), micro=False, error="l", boost_error=False)
    size = (len(qr_code.matrix) + 2 * QUIET_ZONE_MODULES) * MODULE_PIXELS
    top = (64 - size) // 2
    canvas.fill(LEFT, top, LEFT + size - 1, top + size - 1)
    for y, row in enumerate(qr_code.matrix, QUIET_ZONE_MODULES):
        for x, dark in enumerate(row, QUIET_ZONE_MODULES):
            if dark:
                x0, y0 = LEFT + x * MODULE_PIXELS, top + y * MODULE_PIXELS
                canvas.clear(x0, y0, x0 + MODULE_PIXELS - 1, y0 + MODULE_PIXELS - 1)
