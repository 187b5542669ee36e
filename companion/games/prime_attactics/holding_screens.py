"""The pictures of a player's tiles: tiles that are named, an open rack, the score sheet, and the tiles played.

Coloured tiles are named face up, black tiles as backs with dots.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.games.api.screen import PAGE_ROWS, NamingScene, PageScene, PeekScene
from companion.games.api.text import plural_text, text
from companion.games.plain_screen import PlainScreen, draw_naming_keys, draw_naming_line, excess_text
from companion.games.prime_attactics.picker import SIGN_OF_KEY, printed_signs, printed_tile
from companion.games.prime_attactics.state import State, unplayed_tiles
from companion.games.prime_attactics.tiles import COPIES_IN_SET, SIGNS, tile_text
from companion.panel import own_pieces, seat_tabs, widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT, Canvas
from companion.panel.fonts import CONDENSED, TEXT, Face, cut_text

TILE_SIZES = ((CONDENSED, 2, 6), (CONDENSED, 1, 4), (TEXT, 1, 3))
"""How tiles are drawn in a row, the first that fits: their face, and the columns around each on its plate and between
two of them."""


def draw_tile_row(canvas: Canvas, tiles: Sequence[str], picked: Collection[int], y: int = widgets.DETAIL_ROW) -> None:
    """Draw tiles in a row, their capitals from row `y` down, those with an index in `picked` on a plate.

    If there is no room for all of them, some before the first picked one are left out, else some at the end.
    """
    shown = [text("pass") if tile == "pass" else tile for tile in tiles]
    first, last = 0, len(shown)
    while not (fitting := [size for size in TILE_SIZES if _row_columns(shown[first:last], *size) <= LINE_COLUMNS]):
        first, last = (first + 1, last) if first < min(picked, default=0) else (first, last - 1)
    face, pad, gap = fitting[0]
    x = LEFT
    for index, tile in enumerate(shown[first:last], first):
        has_tail, is_lit = tiles[index] == "pass", index in picked
        if has_tail and is_lit:
            canvas.fill_rounded_box(x, y, x + face.width(tile) + 2 * pad - 1, y + face.capital_rows + 1)
        x += canvas.tag(x, y - has_tail, tile, pad=pad, lit=is_lit, face=face) - 2 * pad + gap


def _row_columns(tiles: Sequence[str], face: Face, pad: int, gap: int) -> int:
    return 2 * pad - gap + sum(face.width(tile) + gap for tile in tiles)


ENTERED_ROW, ASKED_ROW = 16, 28
"""The top rows of the named tiles, and of the picker or what is asked; below these is the detail line."""
NO_CURSOR = (0, -1)
"""The picker's cursor before the first arrow: in the first row, on no tile."""
KEYS_TEXTS = {
    "deal": text("A+ B− C×"),
    "rack": text("type the numbers"),
    "refill": text("A+ B− C× D÷"),
}
"""Kind of tiles → how one is typed. This is always shown, so that no line moves from key to key."""
DOUBLE_KEYS_TEXT = text("double of +: A 0")
"""How a double is typed, where a line is free for it."""

SHEET_COLUMNS = ((1, 59), (64, 122))
"""The first and last pixel column of each of the sheet's two columns; the scrollbar is right of them."""
DIVIDER_COLUMN = 62
"""The pixel column of the line between these two."""
SEAT_COLUMNS = (1, 67)
"""The first pixel column of each seat's tiles."""
TOP_ROW, LINE_ROWS = 17, 9
DIGIT_COLUMNS = 6


class HoldingScreen(PlainScreen):
    """The screens of a player's tiles, and of the pages in the table menu."""

    def draw_naming(self, canvas: Canvas, scene: NamingScene) -> None:
        title = text(
            "{who} draws" if scene.due_refill else "{who}'s {pieces}", who=scene.player_name, pieces=scene.noun
        )
        widgets.draw_title(canvas, title, text("{number} of {size}", number=len(scene.pieces), size=scene.size))
        if scene.kind == "rack":
            widgets.draw_card_backs(canvas, len(scene.pieces), scene.size, 17, card_rows=9)
        else:
            _draw_entered_tiles(canvas, scene)
        status, prompt = _status_text(scene), scene.due_refill.prompt if scene.due_refill else _size_text(scene)
        has_black = scene.kind == "rack" or (scene.due_refill is not None and scene.view.due_refill[1] > 0)
        asked = [scene.look_away_text] if has_black and scene.look_away_text else []
        is_typing = not scene.uses_buttons and scene.missing_count > 0
        asked = asked or [DOUBLE_KEYS_TEXT] * (is_typing and scene.kind != "rack")
        asked += [status or prompt]
        keys, piece = "", ""
        if scene.uses_buttons and scene.rows:
            row, column = scene.cursor or NO_CURSOR
            draw_tile_row(canvas, list(map(printed_tile, scene.rows[row])), (column,), ASKED_ROW)
            piece = printed_tile(scene.rows[row][column]) if scene.cursor else ""
            asked = asked[status != "" :][:1] or asked
        elif scene.missing_count > 0:
            keys = KEYS_TEXTS[scene.kind if scene.due_refill is None else scene.due_refill.piece_kind]
        for y, words in zip((widgets.DETAIL_ROW, ASKED_ROW), reversed(asked), strict=False):
            if words == DOUBLE_KEYS_TEXT:
                widgets.draw_detail(canvas, words, y=y)  # It is never wrong.
            else:
                draw_naming_line(canvas, scene, words, y=y)
        draw_naming_keys(canvas, scene, piece, words=keys)

    def draw_peek(self, canvas: Canvas, scene: PeekScene) -> None:
        """An open rack. The display is public and not repeated here."""
        view: State = scene.view
        tiles = view.sides[scene.seat - 1].rack.pieces
        if not tiles:
            super().draw_peek(canvas, scene)
            return
        widgets.draw_title(canvas, text("{who}'s rack", who=scene.player_name), str(len(tiles)))
        own_pieces.draw_pieces(canvas, [printed_signs(tile_text(tile)) for tile in tiles])

    def draw_page(self, canvas: Canvas, scene: PageScene) -> None:
        seat_tabs.draw_tabs(canvas, [seat_tabs.SeatTab(name) for name in scene.names], None)
        if scene.kind == "sheet":
            canvas.dotted_line(DIVIDER_COLUMN, 16, DIVIDER_COLUMN, 53)
            _draw_sheet(canvas, scene)
        else:
            canvas.dotted_line(64, 16, 64, 53)
            for seat in (1, 2):
                _draw_unplayed_tiles(canvas, scene.view, seat)
        widgets.draw_footer(canvas, widgets.key_label(scene.uses_buttons, text("back")))
        if scene.kind == "sheet" and len(scene.lines) > PAGE_ROWS:
            widgets.draw_arrow_keys(canvas, *("", "") if scene.uses_buttons else ("A", "C"), ("more-up", "more-down"))
        if scene.kind == "tiles":
            x = RIGHT - canvas.text(RIGHT, widgets.LAST_LINE_ROW, text("played"), anchor="r") - 9
            _draw_number_or_mark(canvas, x, widgets.LAST_LINE_ROW, 0)


def _status_text(scene: NamingScene) -> str:
    """What is to be said about the tiles that are named; "" if nothing but that more are wanted."""
    if scene.partial_piece and (scene.kind == "rack" or (scene.missing_count <= 0 and not scene.stray_key_text)):
        # With all tiles named, none is left that would show the sign.
        sign = "/" if scene.kind == "rack" else SIGN_OF_KEY[scene.partial_piece]
        return text("{sign} number?", sign=printed_tile(sign))
    if scene.partial_piece and not scene.stray_key_text and not scene.uses_buttons and scene.partial_piece != "D":
        return text("number, or 0: double")
    if scene.stray_key_text:
        return scene.stray_key_text
    if scene.excess is not None:
        piece, spare = scene.excess
        return excess_text(scene, printed_tile(piece), spare)
    return "" if scene.missing_count else text("complete")


def _size_text(scene: NamingScene) -> str:
    if scene.pieces:
        return plural_text(scene.missing_count, "{number} more tile", "{number} more tiles")
    return text("name {number} tiles", number=scene.size)


def _draw_entered_tiles(canvas: Canvas, scene: NamingScene) -> None:
    """Draw each tile that is named: its sign if it is open, a dot if it is hidden, a line where the next one goes."""
    labels = [printed_tile(piece) or "•" for piece in scene.pieces]
    if scene.missing_count > 0:
        labels.append(printed_tile(SIGN_OF_KEY[scene.partial_piece]) if scene.partial_piece else "?")
    draw_tile_row(canvas, labels[-8:], (), ENTERED_ROW)


def _draw_sheet(canvas: Canvas, scene: PageScene) -> None:
    """Draw four lines of the sheet: on the last page its last four. A result on a line of its own is right-aligned."""
    widgets.draw_page_bar(canvas, scene.page_index, (len(scene.lines) - 1) // PAGE_ROWS + 1)
    first = max(0, min(scene.page_index * PAGE_ROWS, len(scene.lines) - PAGE_ROWS))
    while any(cell.startswith("=") for cell in scene.lines[first].split("\t")):
        first += 1  # This line continues one on the previous page.
    for index, line in enumerate(scene.lines[first : first + PAGE_ROWS]):
        for (x0, x1), said in zip(SHEET_COLUMNS, line.split("\t"), strict=True):
            is_result, written = said.startswith("=") or said.isdigit(), cut_text(said, TEXT, x1 - x0 + 1)
            canvas.text(x1 if is_result else x0, TOP_ROW + index * LINE_ROWS, written, TEXT, "r" if is_result else "l")


def _draw_unplayed_tiles(canvas: Canvas, view: State, seat: int) -> None:
    """Draw one row for each colour: the numbers not played yet, a mark for each played one, and the doubles left."""
    left_column = SEAT_COLUMNS[seat - 1]
    unplayed = [tile_text(tile) for tile in unplayed_tiles(view, seat)]
    numbers = [tile_text(tile) for tile in COPIES_IN_SET[view.level]]
    for index, sign in enumerate(SIGNS):
        y = TOP_ROW + index * LINE_ROWS
        canvas.text(left_column, y, printed_signs(sign), TEXT)
        for number in range(1, 8):
            if (tile := f"{sign}{number}") in numbers:
                _draw_number_or_mark(
                    canvas, left_column + 1 + number * DIGIT_COLUMNS, y, number if tile in unplayed else 0
                )
        if sign != "/":
            x = left_column + 7 + 7 * DIGIT_COLUMNS
            _draw_number_or_mark(canvas, x + canvas.text(x, y, "D", TEXT) + 1, y, unplayed.count(f"D{sign}"))


def _draw_number_or_mark(canvas: Canvas, x: int, y: int, number: int) -> None:
    """Draw a number with its top left pixel at (x, y); for 0 the mark of a played tile."""
    if number:
        canvas.text(x, y, str(number), TEXT)
    else:
        canvas.fill(x + 1, y + 3, x + 2, y + 4)
