"""Pictures of the table: the game's own picture, the rest view, a player's own pieces, and banners over any picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.evening.contents import kinds
from companion.evening.screen_kinds import MoveScreen
from companion.games import game_icons
from companion.games.api.screen import NamingScene, PageScene, PeekScene, Scene, Screen
from companion.games.plain_screen import PLAIN_SCREEN
from companion.languages import text, translate
from companion.panel import own_pieces, widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT
from companion.panel.fonts import (
    BIG,
    BLANKS,
    CONDENSED,
    HEADING,
    MIDDLE,
    NAME_FACES,
    TEXT,
    WORD_FACES,
    Face,
    cut_text,
    fit_text,
    fits_width,
    short_number,
    wrap_balanced,
    wrap_text,
)
from companion.panel.icons import icon_mask
from companion.panel.seat_tabs import (
    PADDING_COLUMNS,
    SHAPE_COLUMNS,
    SMALL_SHAPE_COLUMNS,
    SMALL_TAB_ROWS,
    TAB_ROWS,
    SeatTab,
    draw_seat_shape,
    draw_small_tabs,
    seat_icon,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.display.key_hints import KeyHints
    from companion.evening.contents.kinds import Content
    from companion.evening.model import Session
    from companion.panel.canvas import Canvas

SizedFace = tuple[Face, int]
"""A face, and how many times as large it is drawn."""
REST_NAME_FACES: tuple[SizedFace, ...] = ((CONDENSED, 2), (HEADING, 1), (CONDENSED, 1))
"""The faces for the name in the rest view; the first one that fits is used."""
REST_NUMBER_FACES: tuple[SizedFace, ...] = ((MIDDLE, 2), (BIG, 1), (MIDDLE, 1), (CONDENSED, 1), (TEXT, 1))
CENTRE_COLUMN = (LEFT + RIGHT + 1) // 2
REST_PLATE_ROWS, REST_NAME_COLUMN, LARGE_SHAPE_COLUMNS = 26, 23, 22
"""Rows of the plate with the name in the rest view, the first column of the name, and columns of a large shape."""
MAX_LARGE_NUMBERS = 4
"""The most players whose numbers the rest view shows above their names; more have a small tab each."""
PIECE_ROWS, FIRST_PIECE_ROW, PIECE_ROW_PITCH = 3, 17, 12
"""Rows of own pieces that are shown at a time, the top of the first one, and their distance in pixels."""
ARROW_ICON = "right"
FRAME_COLUMNS, ARROW_GAP_COLUMNS, MAX_PIECE_COLUMNS = 6, 8, 40
"""Columns between a piece and the outside of its frame, columns on each side of the arrow, and the most of a piece."""


def draw_scene(canvas: Canvas, content: kinds.Drawn, hints: KeyHints) -> None:
    """Draw what a game draws itself. A game without a screen of its own is shown in words."""
    if isinstance(content.scene, Scene) and content.scene.start_page:
        _draw_start_page(canvas, content.scene, content.game)
        return
    draw_game_scene(canvas, content.scene, games.load_screen(content.game) or PLAIN_SCREEN)


def draw_game_scene(canvas: Canvas, game_scene: object, screen: Screen) -> None:
    """Draw a scene by the game's screen, or by the plain one."""
    match game_scene:
        case Scene() as scene:
            screen.draw(canvas, _with_clock_line(scene))
        case NamingScene() as scene:
            screen.draw_naming(canvas, scene)
        case PeekScene() as scene:
            screen.draw_peek(canvas, scene)
        case PageScene() as scene:
            screen.draw_page(canvas, scene)


def screen_function(game_scene: object) -> str:
    """The name of the function that draws a scene."""
    names = {NamingScene: "draw_naming", PeekScene: "draw_peek", PageScene: "draw_page"}
    return names.get(type(game_scene), "draw")


def _draw_start_page(canvas: Canvas, scene: Scene, game: str) -> None:
    """Draw who starts on a plate, with the game's icon, and below it the goal and how a move is entered."""
    seat, icon = scene.seat_to_move or 1, icon_mask(game_icons.small_icon(game))
    canvas.fill_rounded_box(LEFT, 0, RIGHT, TAB_ROWS - 1)
    draw_seat_shape(canvas, LEFT + PADDING_COLUMNS, 3, seat, inverse=True)
    x, end = LEFT + PADDING_COLUMNS + SHAPE_COLUMNS, RIGHT - PADDING_COLUMNS
    title = text("{who} starts", who=scene.player_name(seat))
    if CONDENSED.width(title) <= end - icon.width - 4 - x:
        canvas.icon(end, (TAB_ROWS - icon.height) // 2, icon, "r", inverse=True)
    canvas.fitted_text(x, 3, title, WORD_FACES, end - x + 1, inverse=True)
    face, pitch = CONDENSED, widgets.LINE_PITCH
    lines = [line for words in scene.start_page for line in wrap_balanced(words, face, LINE_COLUMNS)]
    if len(lines) > widgets.MAX_LINES:
        face, pitch = TEXT, widgets.SMALL_LINE_PITCH
        lines = [line for words in scene.start_page for line in wrap_balanced(words, face, LINE_COLUMNS)]
    if len(lines) > widgets.MAX_SMALL_LINES:
        lines = wrap_balanced(scene.start_page[0], face, LINE_COLUMNS, widgets.MAX_SMALL_LINES)
    canvas.text_block(LEFT, widgets.WORDS_ROW, lines, face=face, pitch=pitch)
    ok = widgets.key_label(scene.uses_buttons, text("start"))
    widgets.draw_footer(canvas, ok, widgets.key_label(scene.uses_buttons, text("rules"), "BACK"))


def _with_clock_line(scene: Scene) -> Scene:
    """The scene with its clock's times, and whose they are, as the last line."""
    if not scene.clock or scene.bottom_line:
        return scene
    if not scene.counts_down:
        # Whose time it is, everybody sees: the player to move is on a plate.
        return scene._replace(bottom_line=text("{turn}, sum {round}", turn=scene.clock[0], round=scene.clock[1]))
    names = scene.names if len(scene.clock) == 2 else (scene.player_name(scene.seat_to_move or 1),)
    room = (RIGHT - LEFT - 5 * (len(scene.clock) - 1)) // len(scene.clock)
    times = []
    for name, left in zip(names, scene.clock, strict=True):
        after_name = f"{BLANKS if name[-1:].isdigit() else ' '}{left}"  # "Player 1 4:30" would be 14:30.
        times.append(cut_text(name, TEXT, room - TEXT.width(after_name), scene.names) + after_name)
    return scene._replace(bottom_line="  ".join(times))


def draw_rest_view(canvas: Canvas, content: kinds.Rest, hints: KeyHints) -> None:
    """Draw whose turn it is on a plate, with the seat's shape; below it each player's number, and a last line.

    With more than two players their names are the last line.
    """
    room = RIGHT - REST_NAME_COLUMN - 1
    face, scale = next((each for each in REST_NAME_FACES if _fits_sized(content.name, each, room)), REST_NAME_FACES[-1])
    name = cut_text(content.name, face, room // scale, canvas.names)
    canvas.fill_rounded_box(LEFT, 0, RIGHT, REST_PLATE_ROWS - 1)
    canvas.large_icon(LEFT + 2, 4, seat_icon(canvas, content.seat), inverse=True)
    middle = REST_NAME_COLUMN + face.width(name) * scale // 2
    canvas.large_text(middle, (REST_PLATE_ROWS - face.capital_rows * scale) // 2, name, face, scale, inverse=True)
    if len(content.numbers) == len(content.names) > MAX_LARGE_NUMBERS:
        tabs = list(map(SeatTab, content.names, content.numbers))
        draw_small_tabs(canvas, tabs, None, REST_PLATE_ROWS + 4, SMALL_TAB_ROWS + 3)
        if content.said:
            widgets.draw_footer(canvas, words=content.said)
        return
    names = content.names if len(content.numbers) == len(content.names) > 2 and not content.said else ()
    _draw_numbers(canvas, content.numbers, 32, 50 if content.said or names else 62)
    pitch = LINE_COLUMNS // max(1, len(names))
    for index, each in enumerate(names):
        middle = LEFT + pitch * index + pitch // 2
        canvas.fitted_text(middle, widgets.LAST_LINE_ROW, each, WORD_FACES, pitch - 3, anchor="c")
    if content.said:
        widgets.draw_footer(canvas, words=content.said)


def _draw_numbers(canvas: Canvas, numbers: Sequence[str], top: int, bottom: int) -> None:
    """Draw the numbers side by side in the rows from `top` to `bottom`, all of one size, each after its seat's shape.

    Several numbers are those of the seats; one alone, such as a time, has no shape.
    """
    small = len(numbers) > 2
    pitch, rows = LINE_COLUMNS // max(1, len(numbers)), bottom - top + 1
    shape = 0 if len(numbers) == 1 else SMALL_SHAPE_COLUMNS if small else SHAPE_COLUMNS
    room = pitch - LARGE_SHAPE_COLUMNS - 3
    fits_large = rows >= REST_PLATE_ROWS and all(_fits_sized(each, REST_NUMBER_FACES[0], room) for each in numbers)
    is_large = len(numbers) == 2 and fits_large
    shape = LARGE_SHAPE_COLUMNS if is_large else shape
    forms = (list(numbers), list(map(short_number, numbers)))
    fitting = (
        (each, form)
        for form in forms
        for each in REST_NUMBER_FACES
        if each[0].capital_rows * each[1] <= rows
        and all(_fits_sized(number, each, pitch - shape - 2) for number in form)
    )
    (face, scale), shown = next(fitting, (REST_NUMBER_FACES[-1], forms[1]))
    middle = top + rows // 2
    for index, number in enumerate(shown):
        wide = face.width(number) * scale
        x = LEFT + pitch * index + (pitch - shape - wide) // 2
        if is_large:
            canvas.large_icon(x, middle - 9, seat_icon(canvas, index + 1))
        elif shape:
            draw_seat_shape(canvas, x, middle - (3 if small else 4), index + 1, small=small)
        canvas.large_text(x + shape + wide // 2, middle - face.capital_rows * scale // 2, number, face, scale)
    if len(numbers) == 2 and all(face.width(number) * scale < pitch - shape - 5 for number in shown):
        canvas.vline(CENTRE_COLUMN, top - 1, bottom - 1)


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
    piece_columns = max(CONDENSED.width(piece) for piece in content.pieces) + 7
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
                + canvas.icon(x + ARROW_GAP_COLUMNS, 26 - icon_mask(ARROW_ICON).height // 2, ARROW_ICON)
                + ARROW_GAP_COLUMNS
            )
        canvas.box(x, 16, x + wide[index] - 1, 36)
        canvas.text(x + FRAME_COLUMNS, 26 - face.capital_rows // 2, shown, face)
        x += wide[index]
    if content.row:
        _draw_row(canvas, content.row, content.column)
        hints.draw_left_right_keys()
    else:
        canvas.fitted_text(CENTRE_COLUMN, widgets.DETAIL_ROW, content.said, WORD_FACES, LINE_COLUMNS, anchor="c")


def _draw_row(canvas: Canvas, names: Sequence[str], column: int) -> None:
    """Draw pieces side by side, the one under the picker inverse and as near to the middle as there is room."""
    piece_columns = max(map(CONDENSED.width, names)) + 7
    pieces_a_row = (RIGHT - LEFT + 4) // piece_columns
    first = min(max(0, column - pieces_a_row // 2), max(0, len(names) - pieces_a_row))
    shown = names[first : first + pieces_a_row]
    left = LEFT + (RIGHT - LEFT + 4 - len(shown) * piece_columns) // 2
    for index, name in enumerate(shown):
        canvas.tag(left + index * piece_columns, widgets.DETAIL_ROW, name, lit=first + index == column)


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
    canvas.erase_rows_from(widgets.LAST_LINE_ROW - 1, widgets.DETAIL_ROW - 1)
    canvas.text(LEFT, widgets.LAST_LINE_ROW, text("wait…"))


def draw_banner(canvas: Canvas, first: str, second: str = "") -> None:
    """Draw two lines over the lower part, with a warning sign. Lines of the picture that would be half covered go."""
    # One row more is erased, so that no character is cut in it.
    canvas.erase_rows_from(widgets.DETAIL_ROW - 2, widgets.DETAIL_ROW - 15)
    x = LEFT + canvas.icon(LEFT, widgets.DETAIL_ROW + 3, "alert") + 5
    canvas.fitted_text(x, widgets.DETAIL_ROW, first, WORD_FACES, RIGHT - x + 1)
    canvas.fitted_text(x, widgets.LAST_LINE_ROW, second, WORD_FACES, RIGHT - x + 1)
