"""The pictures of a player's tiles: tiles that are named, an open rack, the score sheet, and the tiles played.

Coloured tiles are named face up, black tiles as backs with dots.

The line under the players' names is on row 14, the lowest row of the inverted tab and one row higher than in other
games. So there is room for two full lines: scores on rows 16 to 35, tiles on rows 39 to 45, then pages 6 and 7.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.games.api.screen import PAGE_ROWS, NamingScene, PageScene, PeekScene
from companion.games.api.text import text
from companion.games.plain_screen import (
    PICK_PIECES_TEXT,
    PlainScreen,
    draw_naming_keys,
    draw_naming_line,
    excess_text,
)
from companion.games.prime_attactics.picker import SIGN_OF_KEY, printed_signs
from companion.games.prime_attactics.state import State, unplayed_tiles
from companion.games.prime_attactics.tiles import COPIES_IN_SET, SIGNS, tile_text
from companion.panel import own_pieces, seat_tabs, widgets
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import TEXT, cut_text

TILES_IN_ROW = 8
"""The most tiles in a row."""
TILE_PITCH_COLUMNS, TILE_COLUMNS = 16, 13
TILES_ROW = 39
"""The top row of the tiles' capitals on the screen of the position."""


def draw_header(canvas: Canvas, names: Sequence[str], seat_to_move: int | None) -> None:
    """Draw the names on rows 0 to 14, that of `seat_to_move` (None for nobody) inverted."""
    seat_tabs.draw_tabs(canvas, [seat_tabs.SeatTab(name) for name in names], seat_to_move, with_rule=False)
    canvas.hline(14)


def draw_tile_row(canvas: Canvas, tiles: Sequence[str], picked: Collection[int], y: int = TILES_ROW) -> None:
    """Draw up to eight tiles, their capitals from row `y` down.

    Those with an index in `picked` are inverse, on a plate.
    """
    for index, each in enumerate(tiles[:TILES_IN_ROW]):
        is_picked = index in picked
        has_descender = each == "pass"  # The word has no capitals, and its p has a descender.
        tile = text("pass") if has_descender else each
        width = TILE_COLUMNS if TEXT.width(tile) <= TILE_COLUMNS else TEXT.width(tile) + 4
        x = min(1 + index * TILE_PITCH_COLUMNS, RIGHT - width + 1)
        if is_picked:
            canvas.fill_rounded_box(x, y - 1, x + width - 1, y + TEXT.capital_rows)
        canvas.text(
            x + (width - TEXT.width(tile)) // 2, y - has_descender, cut_text(tile, TEXT, width), inverse=is_picked
        )


ENTERED_ROW = 17
"""The top row of the entered tiles' capitals. These, the picker's row and the words below have one page each."""
ASKED_ROW, KEYS_ROW = 32, 42
"""The top rows of the two lines of text while tiles are typed: the prompt, and the keys."""
PICKER_ROW, COUNT_ROW = 32, 41
"""The top row of the picker, which is drawn before the first arrow too, and that of the words below it."""
BACK_PIXELS = 9
"""The height in pixels of a black tile's back. The dot on it and the cursor of the next tile share a page."""
NO_CURSOR = (0, -1)
"""The picker's cursor before the first arrow: in the first row, on no tile."""
KEYS_TEXTS = {
    "deal": text("A+ B- C×, 0 is double"),
    "rack": text("type the numbers"),
    "refill": text("A+ B- C× D÷, 0 is double"),
}
"""Kind of tiles → how one is typed. This is always shown, so that no line moves from key to key."""
THREE_LINE_ROWS = (28, 37, 46)
"""The top rows of the three lines of text if one of them asks somebody to look away."""

SHEET_COLUMNS = ((1, 59), (64, 122))
"""The first and last pixel column of each of the sheet's two columns; the scrollbar is right of them."""
DIVIDER_COLUMN = 62
"""The pixel column of the line between these two."""
SEAT_COLUMNS = (1, 67)
"""The first pixel column of each seat's tiles."""
TOP_ROW, LINE_ROWS = 18, 9
DIGIT_COLUMNS = 6


class HoldingScreen(PlainScreen):
    """The screens of a player's tiles, and of the pages in the table menu."""

    def draw_naming(self, canvas: Canvas, scene: NamingScene) -> None:
        noun = scene.noun if scene.due_refill is None else text("draw")
        title = text("{who}'s {pieces}", who=scene.player_name, pieces=noun)
        widgets.draw_title(canvas, title, figure=f"{len(scene.pieces)}/{scene.size}")
        if scene.kind == "rack":
            widgets.draw_card_backs(canvas, len(scene.pieces), scene.size, 17, card_rows=BACK_PIXELS)
        else:
            _draw_entered_tiles(canvas, scene)
        asked = naming_prompt(scene)
        black = scene.kind == "rack" or (scene.due_refill is not None and scene.view.due_refill[1] > 0)
        said = cut_text(scene.look_away_text, TEXT, 126, scene.names) if black else ""
        # Black tiles of a refill are asked for in three lines, which leave no room for the row.
        picking = scene.cursor is not None or (scene.uses_buttons and scene.rows and not (said and scene.due_refill))
        if picking:
            row, column = scene.cursor or NO_CURSOR
            draw_tile_row(canvas, list(map(printed_signs, scene.rows[row])), (column,), PICKER_ROW)
            draw_naming_line(canvas, COUNT_ROW, scene, asked if scene.is_invalid else said or asked)
        else:
            keys = (
                PICK_PIECES_TEXT
                if scene.uses_buttons
                else KEYS_TEXTS[scene.kind if scene.due_refill is None else scene.due_refill.piece_kind]
            )
            rows = THREE_LINE_ROWS if said else (ASKED_ROW, KEYS_ROW)
            draw_naming_line(canvas, rows[0], scene, asked)
            for y, words in zip(rows[1:], filter(None, (said, keys)), strict=True):
                canvas.text(LEFT, y, words)
        draw_naming_keys(canvas, scene)

    def draw_peek(self, canvas: Canvas, scene: PeekScene) -> None:
        """An open rack. The display is public and not repeated here."""
        view: State = scene.view
        tiles = view.sides[scene.seat - 1].rack.pieces
        if not tiles:
            super().draw_peek(canvas, scene)
            return
        widgets.draw_title(canvas, text("{who}'s rack", who=scene.player_name), figure=str(len(tiles)))
        own_pieces.draw_pieces(canvas, [printed_signs(tile_text(tile)) for tile in tiles])

    def draw_page(self, canvas: Canvas, scene: PageScene) -> None:
        draw_header(canvas, scene.names, None)
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
            x = 126 - canvas.text(126, widgets.LAST_LINE_ROW, text("played"), anchor="r") - 9
            _draw_number_or_mark(canvas, x, widgets.LAST_LINE_ROW, 0)


def naming_prompt(scene: NamingScene) -> str:
    """The words about the next tile."""
    if scene.partial_piece and scene.kind == "rack":
        return text("{begun}_  number?", begun=printed_signs("/"))
    # All tiles are drawn, so none is left that would show the sign.
    if scene.partial_piece and scene.missing_count <= 0 and not scene.stray_key_text:
        return text("{begun}_  number?", begun=printed_signs(SIGN_OF_KEY[scene.partial_piece]))
    if scene.stray_key_text:
        return scene.stray_key_text
    if scene.is_invalid:
        piece, spare = scene.excess or ("", 0)
        return excess_text(scene, printed_signs(piece), spare)
    if not scene.missing_count:
        return text("complete")
    # The number in the title says how many are missing, so these words stay until all are named.
    return scene.due_refill.prompt if scene.due_refill else text("name {number} tiles", number=scene.size)


def _draw_entered_tiles(canvas: Canvas, scene: NamingScene) -> None:
    """Draw each tile that is named: its sign if it is open, a dot if it is hidden, a line where the next one goes."""
    labels = [printed_signs(piece) for piece in scene.pieces] + [""] * scene.missing_count
    if scene.partial_piece and scene.missing_count > 0:
        labels[len(scene.pieces)] = printed_signs(SIGN_OF_KEY[scene.partial_piece])
    first = max(0, len(labels) - TILES_IN_ROW)
    draw_tile_row(canvas, labels[first:], (), ENTERED_ROW)
    for index, piece in enumerate(scene.pieces[first:]):
        if not piece:
            canvas.icon(1 + index * TILE_PITCH_COLUMNS + TILE_COLUMNS // 2, ENTERED_ROW + 1, "dot", "c")
    following = len(scene.pieces) - first
    if following < scene.size and not scene.partial_piece:
        x = 1 + following * TILE_PITCH_COLUMNS
        canvas.fill(x + 3, ENTERED_ROW + 5, x + TILE_COLUMNS - 4, ENTERED_ROW + 6)


def _draw_sheet(canvas: Canvas, scene: PageScene) -> None:
    """Draw four lines of the sheet: on the last page its last four. A result on a line of its own is right-aligned."""
    widgets.draw_page_bar(canvas, scene.page_index, (len(scene.lines) - 1) // PAGE_ROWS + 1)
    first = max(0, min(scene.page_index * PAGE_ROWS, len(scene.lines) - PAGE_ROWS))
    while any(cell.startswith("=") for cell in scene.lines[first].split("\t")):
        first += 1  # This line continues one on the previous page.
    for index, line in enumerate(scene.lines[first : first + PAGE_ROWS]):
        for (x0, x1), said in zip(SHEET_COLUMNS, line.split("\t"), strict=True):
            is_result, written = said.startswith("=") or said.isdigit(), cut_text(said, TEXT, x1 - x0 + 1)
            canvas.text(x1 if is_result else x0, TOP_ROW + index * LINE_ROWS, written, anchor="r" if is_result else "l")


def _draw_unplayed_tiles(canvas: Canvas, view: State, seat: int) -> None:
    """Draw one row for each colour: the numbers not played yet, a mark for each played one, and the doubles left."""
    left_column = SEAT_COLUMNS[seat - 1]
    unplayed = [tile_text(tile) for tile in unplayed_tiles(view, seat)]
    numbers = [tile_text(tile) for tile in COPIES_IN_SET[view.level]]
    for index, sign in enumerate(SIGNS):
        y = TOP_ROW + index * LINE_ROWS
        canvas.text(left_column, y, printed_signs(sign))
        for number in range(1, 8):
            if (tile := f"{sign}{number}") in numbers:
                _draw_number_or_mark(
                    canvas, left_column + 1 + number * DIGIT_COLUMNS, y, number if tile in unplayed else 0
                )
        if sign != "/":
            x = left_column + 7 + 7 * DIGIT_COLUMNS
            _draw_number_or_mark(canvas, x + canvas.text(x, y, "D") + 1, y, unplayed.count(f"D{sign}"))


def _draw_number_or_mark(canvas: Canvas, x: int, y: int, number: int) -> None:
    """Draw a number with its top left pixel at (x, y); for 0 the mark of a played tile."""
    if number:
        canvas.text(x, y, str(number))
    else:
        canvas.fill(x + 1, y + 3, x + 2, y + 4)
