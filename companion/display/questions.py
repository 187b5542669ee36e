"""Draws questions to the players, and for phones the address of their page as a QR code and in letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.display.key_hints import cut_player_name_in, shorten_player_name
from companion.games import game_icons
from companion.panel import widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT
from companion.panel.fonts import NAME, NAME_FACES, NARROW, TEXT, cut_text, wrap_balanced, wrap_text
from companion.panel.icons import icon_mask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.display.key_hints import KeyHints
    from companion.evening.contents import kinds
    from companion.panel.canvas import Canvas

AGREEMENT_COLUMNS = {True: 61, False: 85}
"""Columns for who agrees, on buttons (True) and on a keypad (False)."""
BESIDE_MARK_COLUMNS = 79
"""Columns beside a game's large mark, from column 48 to the right edge."""
MODULE_PIXELS, QUIET_ZONE_MODULES = 2, 3
"""Pixels of a module of the code, and modules of quiet zone around it: version 2 takes 62 of the 64 rows."""
BESIDE_CODE_COLUMN = 66
"""The first column of words beside the code."""


def draw_question(canvas: Canvas, content: kinds.Question, hints: KeyHints) -> None:
    """Draw a question; each player who has to agree has a box."""
    explanation = " ".join(content.lines)
    if content.seats and "ok" in hints.hints_by_key:
        _draw_agreement(canvas, content, explanation, hints)
        return
    hints.draw_footer()
    widgets.draw_title(canvas, content.title)
    lines = wrap_text(explanation, TEXT, LINE_COLUMNS, 4, canvas.names)
    top, pitch = (20, 11) if len(lines) < 4 else (18, 9)
    canvas.text_block(LEFT, top, lines, pitch=pitch)


def _draw_agreement(canvas: Canvas, content: kinds.Question, explanation: str, hints: KeyHints) -> None:
    """Draw a question to two players, with a tick for a yes; the box of the player who is asked is inverted."""
    ok, room = hints.hints_by_key["ok"], AGREEMENT_COLUMNS[hints.uses_buttons]
    forms = (ok.says, *ok.shorter)
    words = next((each for each in forms if TEXT.width(shorten_player_name(each)) <= room), ok.says)
    hints.draw_footer(widgets.key_label(hints.uses_buttons, cut_player_name_in(words, room, canvas.names)))
    widgets.draw_title(canvas, content.title, content.note)
    lines = wrap_balanced(explanation, TEXT, LINE_COLUMNS, 2, names=canvas.names)
    top, y0, y1 = (19, 30, 50) if len(lines) < 2 else (18, 36, 53)
    canvas.text_block(LEFT, top, lines)
    for seat, x0, x1 in zip(content.seats, (LEFT, 66), (61, RIGHT), strict=True):
        asked = seat.state == "asked"
        if asked:
            canvas.fill_rounded_box(x0, y0, x1, y1)
            canvas.text(x1 - 5, y0 + 5, "?", NAME, "r", inverse=True)
        else:
            canvas.box(x0, y0, x1, y1)
        if seat.state == "yes":
            canvas.icon(x1 - 6, y0 + 8, "tick", "r")
        canvas.fitted_text(x0 + 6, y0 + 5, seat.name, NAME_FACES, 36 if seat.state else 50, inverse=asked)


def draw_resumption(canvas: Canvas, content: kinds.Resumption, hints: KeyHints) -> None:
    """Draw the question whether to resume a round: the game's large mark and its name, who plays, where it was left."""
    widgets.draw_title(canvas, content.title)
    mark = game_icons.large_icon(content.game)
    canvas.icon(22, 17 + (37 - icon_mask(mark).height) // 2, mark, "c")
    whole = NAME.width(content.name) <= BESIDE_MARK_COLUMNS
    shown = [content.name] if whole else wrap_text(content.name, NARROW, BESIDE_MARK_COLUMNS, 2, names=canvas.names)
    one = len(shown) == 1
    lines = [part for line in (content.players, content.left_at) for part in wrap_text(line, TEXT, BESIDE_MARK_COLUMNS)]
    if not one or len(lines) > 3:
        lines = [cut_text(line, TEXT, BESIDE_MARK_COLUMNS, canvas.names) for line in (content.players, content.left_at)]
    room = one and len(lines) < 3
    for index, part in enumerate(shown):
        canvas.text(48, (20 if room else 17) + 10 * index, part, NAME if one else NARROW)
    top, pitch = (33, 10) if room else (55 - 9 * len(lines), 9)
    canvas.text_block(48, top, lines, pitch=pitch)


def draw_pairing(canvas: Canvas, content: kinds.Pairing, hints: KeyHints) -> None:
    """Draw the question whether to begin a pairing of a tournament."""
    widgets.draw_title(canvas, content.title, figure=content.round)
    for y, name in zip((17, 30), content.names, strict=False):
        canvas.fitted_text(LEFT, y, name, NAME_FACES, LINE_COLUMNS)
    canvas.text(LEFT, 43, cut_text(content.game, TEXT, LINE_COLUMNS))


def draw_phone_question(canvas: Canvas, content: kinds.PhoneQuestion, hints: KeyHints) -> None:
    """Draw the question about a phone: whose it is, and what it must show."""
    widgets.draw_title(canvas, content.title, figure=content.figure)
    said, name = (17, 27) if content.must_show else (20, 32)
    canvas.text(LEFT, said, content.said)
    canvas.fitted_text(LEFT, name, content.name, NAME_FACES, LINE_COLUMNS)
    if content.digits:
        wide = canvas.text(LEFT, 43, content.must_show)
        canvas.text(LEFT + wide + 6, 42, content.digits, NAME)


def draw_phone_code(canvas: Canvas, content: kinds.Code, hints: KeyHints) -> None:
    """Draw the page for phones: its address as a QR code and in letters, or what the box waits for."""
    if not content.address:
        hints.draw_footer()
        widgets.draw_title(canvas, content.heading)
        waiting = wrap_text(content.waiting, TEXT, LINE_COLUMNS, 4)
        top, pitch = (20, 10) if len(waiting) < 4 else (18, 9)
        canvas.text_block(LEFT, top, waiting, pitch=pitch)
        return
    _draw_qr_code(canvas, content.address)
    host, _, port = content.shown.rpartition(":")
    lines = [*_address_lines(host), f":{port}"]
    if len(lines) > 2 or NAME.width(content.heading) > RIGHT - BESIDE_CODE_COLUMN - 1:
        lines.insert(0, content.heading)
        canvas.text_block(BESIDE_CODE_COLUMN, 1, lines, pitch=8 if len(lines) > 3 else 9)
    else:
        canvas.text(BESIDE_CODE_COLUMN, 2, content.heading, NAME)
        canvas.text_block(BESIDE_CODE_COLUMN, 15, lines)
    canvas.text(BESIDE_CODE_COLUMN, 34, content.code, NAME)
    for y, label in zip((47, 56), hints.ok_and_back_labels(), strict=True):
        if label is not None:
            wide = canvas.tag(BESIDE_CODE_COLUMN, y, label[0])
            canvas.text(BESIDE_CODE_COLUMN + wide + 3, y, label[1])


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
