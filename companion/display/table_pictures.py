"""Pictures of the table: the game's own picture, the rest view, a player's own pieces, and banners over any picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.evening.contents import kinds
from companion.evening.screen_kinds import MoveScreen
from companion.games.api.screen import NamingScene, PageScene, PeekScene, Scene
from companion.games.plain_screen import PLAIN_SCREEN
from companion.languages import text, translate
from companion.panel import own_pieces, widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT
from companion.panel.fonts import (
    BIG,
    HEADING,
    MIDDLE,
    NAME,
    NAME_FACES,
    NARROW,
    TEXT,
    Face,
    cut_text,
    fit_text,
    fits_width,
    short_number,
    text_mask,
    wrap_text,
)
from companion.panel.icons import icon_mask
from companion.panel.seat_tabs import SHAPE_COLUMNS, draw_seat_shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.display.key_hints import KeyHints
    from companion.evening.contents.kinds import Content
    from companion.evening.model import Session
    from companion.panel.canvas import Canvas

SizedFace = tuple[Face, int]
"""A face, and how many times as large it is drawn."""
REST_NAME_FACES: tuple[SizedFace, ...] = ((HEADING, 2), (NAME, 2), (NARROW, 2), (HEADING, 1), (NAME, 1), (NARROW, 1))
"""The faces for the name in the rest view; the first one that fits is used."""
REST_NUMBER_FACES: tuple[SizedFace, ...] = ((MIDDLE, 2), (BIG, 1), (MIDDLE, 1), (NAME, 1), (TEXT, 1))
CENTRE_COLUMN = (LEFT + RIGHT + 1) // 2
ACCENT_ROWS = 2
"""Rows that an accent takes above the capitals of the bold faces, at twice their size."""
PLATE_PADDING_COLUMNS = 3
"""Columns of a plate on each side of its number."""
PIECE_ROWS, FIRST_PIECE_ROW, PIECE_ROW_PITCH = 3, 20, 11
"""Rows of own pieces that are shown at a time, the top of the first one, and their distance in pixels."""
ARROW_ICON = "right"
FRAME_COLUMNS, ARROW_GAP_COLUMNS, MAX_PIECE_COLUMNS = 6, 8, 40
"""Columns between a piece and the outside of its frame, columns on each side of the arrow, and the most of a piece."""


def draw_scene(canvas: Canvas, content: kinds.Drawn, hints: KeyHints) -> None:
    """Draw what a game draws itself. A game without a screen of its own is shown in words."""
    screen = games.load_screen(content.game) or PLAIN_SCREEN
    match content.scene:
        case Scene() as scene:
            screen.draw(canvas, _with_clock_line(scene))
        case NamingScene() as scene:
            screen.draw_naming(canvas, scene)
        case PeekScene() as scene:
            screen.draw_peek(canvas, scene)
        case PageScene() as scene:
            screen.draw_page(canvas, scene)


def _with_clock_line(scene: Scene) -> Scene:
    """The scene with its clock's times, and whose they are, as the last line."""
    if not scene.clock or scene.bottom_line:
        return scene
    if not scene.counts_down:
        name = cut_text(scene.player_name(scene.seat_to_move or 1), TEXT, 26, scene.names)
        spent = text("{turn}, sum {round}", turn=scene.clock[0], round=scene.clock[1])
        return scene._replace(bottom_line=f"{name} {spent}")
    names = scene.names if len(scene.clock) == 2 else (scene.player_name(scene.seat_to_move or 1),)
    room = (RIGHT - LEFT - 5 * (len(scene.clock) - 1)) // len(scene.clock)
    times = [
        f"{cut_text(name, TEXT, room - TEXT.width(f' {left}'), scene.names)} {left}"
        for name, left in zip(names, scene.clock, strict=True)
    ]
    return scene._replace(bottom_line="  ".join(times))


def draw_rest_view(canvas: Canvas, content: kinds.Rest, hints: KeyHints) -> None:
    """Draw whose turn it is at the top, each player's number below, and a last line if there is one."""
    is_low = bool(content.said) or _has_accent(content.name)
    face, scale = next(
        (each for each in REST_NAME_FACES[is_low:] if _fits_sized(content.name, each, LINE_COLUMNS)),
        REST_NAME_FACES[-1],
    )
    name = cut_text(content.name, face, LINE_COLUMNS // scale, canvas.names)
    heading_rows = 20 if is_low else 26
    canvas.large_text(
        CENTRE_COLUMN,
        (heading_rows - face.capital_rows * scale) // 2 + ACCENT_ROWS * _has_accent(name),
        name,
        face,
        scale,
    )
    _draw_numbers(canvas, content.numbers, content.seat, 28 if content.said else 36)
    canvas.text(LEFT, widgets.LAST_LINE_ROW, cut_text(content.said, TEXT, LINE_COLUMNS, canvas.names))


def _draw_numbers(canvas: Canvas, numbers: Sequence[str], seat: int, top: int) -> None:
    """Draw the numbers side by side in the 26 rows from `top`, all of one size, that of `seat` on a plate."""
    room = LINE_COLUMNS // max(1, len(numbers)) - 2 * PLATE_PADDING_COLUMNS
    forms = (list(numbers), list(map(short_number, numbers)))
    fitting = (
        (each, form)
        for form in forms
        for each in REST_NUMBER_FACES
        if all(_fits_sized(number, each, room) for number in form)
    )
    (face, scale), shown = next(fitting, (REST_NUMBER_FACES[-1], forms[1]))
    y = top + (26 - face.capital_rows * scale) // 2
    has_shapes = all(face.width(number) * scale <= room - 2 * SHAPE_COLUMNS for number in shown)
    for index, number in enumerate(shown):
        x = LEFT + (2 * index + 1) * LINE_COLUMNS // (2 * len(shown))
        if has_shapes:
            left = x - face.width(number) * scale // 2 - PLATE_PADDING_COLUMNS - SHAPE_COLUMNS
            draw_seat_shape(canvas, left, y + (face.capital_rows * scale - 7) // 2, index + 1)
        plate = index + 1 == seat and len(shown) > 1
        if plate:
            half = (face.width(number) * scale) // 2 + PLATE_PADDING_COLUMNS
            canvas.fill_rounded_box(x - half, y - 1, x + half, y + face.capital_rows * scale)
        canvas.large_text(x, y, number, face, scale, inverse=plate)


def _has_accent(name: str) -> bool:
    """Whether something, such as the dots of an Ä, rises above the capitals."""
    box = text_mask(HEADING, name).getbbox()
    return box is not None and box[1] < HEADING.accent_rows


def _fits_sized(words: str, sized: SizedFace, width: int) -> bool:
    """Whether the face has all characters of a text, which fits into `width` pixels at that size."""
    face, scale = sized
    return fits_width(words, face, width // scale) and face.has_glyphs(words)


def draw_own_pieces(canvas: Canvas, content: kinds.OwnPieces, hints: KeyHints) -> None:
    """Draw all pieces as they are printed, the one under the cursor inverse; of too many only the rows around it."""
    widgets.draw_title(canvas, content.title, content.name)
    if not own_pieces.draw_pieces(canvas, content.pieces, content.on):
        _draw_rows_around(canvas, content)
    hints.draw_left_right_keys()


def _draw_rows_around(canvas: Canvas, content: kinds.OwnPieces) -> None:
    """Draw the rows around the cursor, with a scrollbar."""
    piece_columns = max(TEXT.width(piece) for piece in content.pieces) + 7
    pieces_a_row = (widgets.LAST_COLUMN_BESIDE_BAR - LEFT + 4) // piece_columns
    last = (len(content.pieces) - 1) // pieces_a_row
    first = min(max(0, content.on // pieces_a_row - 1), max(0, last - PIECE_ROWS + 1))
    start, end = first * pieces_a_row, (first + PIECE_ROWS) * pieces_a_row
    for index, piece in enumerate(content.pieces[start:end], start):
        row, column = divmod(index, pieces_a_row)
        x, y = LEFT + column * piece_columns, FIRST_PIECE_ROW + (row - first) * PIECE_ROW_PITCH
        canvas.tag(x, y, piece, lit=index == content.on)
    widgets.draw_scrollbar(canvas, first, PIECE_ROWS, last + 1)


def draw_correction(canvas: Canvas, content: kinds.Mend, hints: KeyHints) -> None:
    """Draw the wrong piece, an arrow and the new piece, each in a frame, and below them the pieces to pick from."""
    widgets.draw_title(canvas, content.title, content.name)
    faces = [fit_text(piece, (MIDDLE, *NAME_FACES), MAX_PIECE_COLUMNS) for piece in (content.wrong, content.new)]
    wide = [face.width(shown) + 2 * FRAME_COLUMNS for face, shown in faces]
    x = (LEFT + RIGHT + 1 - sum(wide) - icon_mask(ARROW_ICON).width - 2 * ARROW_GAP_COLUMNS) // 2
    for index, (face, shown) in enumerate(faces):
        if index:
            x += (
                ARROW_GAP_COLUMNS
                + canvas.icon(x + ARROW_GAP_COLUMNS, 28 - icon_mask(ARROW_ICON).height // 2, ARROW_ICON)
                + ARROW_GAP_COLUMNS
            )
        canvas.box(x, 18, x + wide[index] - 1, 38)
        canvas.text(x + FRAME_COLUMNS, 28 - face.capital_rows // 2, shown, face)
        x += wide[index]
    if content.row:
        _draw_row(canvas, content.row, content.column)
        hints.draw_left_right_keys()
    else:
        canvas.text(CENTRE_COLUMN, 43, content.said, TEXT, "c")


def _draw_row(canvas: Canvas, names: Sequence[str], column: int) -> None:
    """Draw pieces side by side, the one under the picker inverse and as near to the middle as there is room."""
    piece_columns = max(map(TEXT.width, names)) + 7
    pieces_a_row = (RIGHT - LEFT + 4) // piece_columns
    first = min(max(0, column - pieces_a_row // 2), max(0, len(names) - pieces_a_row))
    shown = names[first : first + pieces_a_row]
    left = LEFT + (RIGHT - LEFT + 4 - len(shown) * piece_columns) // 2
    for index, name in enumerate(shown):
        canvas.tag(left + index * piece_columns, 43, name, lit=first + index == column)


def draw_overlay(canvas: Canvas, session: Session, content: Content | None) -> None:
    """Draw what may lie over any picture: ``wait…``, a banner, or the small sign of a missing device."""
    if session.taps.wait_until:
        draw_wait_sign(canvas)
    elif session.banner and not (isinstance(content, kinds.Cover) and content.last):
        first, _, second = translate(session.banner).partition("\n")
        if not second:
            first, second = [*wrap_text(first, TEXT, 108, 2), ""][:2]
        draw_banner(canvas, first, second)
    elif session.missing_devices and isinstance(session.screen, MoveScreen) and session.screen.shows_device_warning:
        canvas.clear(121, 55, 126, 63)
        canvas.icon(126, 56, "alert-small", "r")


def draw_wait_sign(canvas: Canvas) -> None:
    """Replace the last line by ``wait…``, which says that a press was ignored.

    Characters that reach into that line from above, such as large digits, are erased completely.
    """
    canvas.erase_rows_from(widgets.LAST_LINE_ROW, widgets.STRIP_ROW - 4)
    canvas.text(LEFT, widgets.LAST_LINE_ROW, text("wait…"))


def draw_banner(canvas: Canvas, first: str, second: str = "") -> None:
    """Draw two lines over the strip, with a warning sign. Lines of the picture that would be half covered go."""
    # One row more is erased, so that no character is cut in it.
    canvas.erase_rows_from(widgets.STRIP_ROW - 2, widgets.STRIP_ROW - 9)
    x = LEFT + canvas.icon(LEFT, widgets.STRIP_ROW, "alert") + 5
    # One row higher, because letters may reach below the line.
    canvas.text(x, widgets.STRIP_ROW - 1, cut_text(first, TEXT, RIGHT - x + 1, canvas.names))
    canvas.text(x, widgets.LAST_LINE_ROW, cut_text(second, TEXT, RIGHT - x + 1, canvas.names))
