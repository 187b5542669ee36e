"""The pictures of a player's tiles: tiles that are named, an open rack, the score sheet, and the tiles played.

Coloured tiles are named face up, black tiles as backs with dots.

The line under the players' names is on row 14, the lowest row of the inverted tab and one row higher than in other
games. So there is room for two full lines: scores on rows 16 to 35, tiles on rows 39 to 45, then pages 6 and 7.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.games.api.screen import ROWS, NamingScene, PageScene, PeekScene
from companion.games.api.text import text
from companion.games.plain import PICKED, PlainScreen, naming_keys, naming_line, stray, too_many
from companion.games.prime_attactics.pick import SIGN_OF, shown
from companion.games.prime_attactics.state import State, to_come
from companion.games.prime_attactics.tiles import SETS, SIGNS, tile_text
from companion.panel import parts, pieces, seat_tabs
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import TEXT, cut_text

CELLS = 8
"""The most tiles in a row."""
PITCH, WIDE = 16, 13
TILES = 39
"""The top row of the tiles' capitals on the screen of the position."""


def header(canvas: Canvas, names: Sequence[str], turn: int | None) -> None:
    """Draw the names on rows 0 to 14, that of the seat `turn` (from 1, None for nobody) inverted."""
    seat_tabs.draw_tabs(canvas, [seat_tabs.SeatTab(name) for name in names], turn, with_rule=False)
    canvas.hline(14)


def cells(canvas: Canvas, tiles: Sequence[str], picked: Collection[int], y: int = TILES) -> None:
    """Draw up to eight tiles, their capitals from row `y` down.

    Those with an index in `picked` are inverse, on a plate.
    """
    for index, each in enumerate(tiles[:CELLS]):
        chosen, up = index in picked, each == "pass"  # The word has no capitals, and its p has a descender.
        tile = text("pass") if up else each
        wide = WIDE if TEXT.width(tile) <= WIDE else TEXT.width(tile) + 4
        x = min(1 + index * PITCH, RIGHT - wide + 1)
        if chosen:
            canvas.plate(x, y - 1, x + wide - 1, y + TEXT.capital_rows)
        canvas.text(x + (wide - TEXT.width(tile)) // 2, y - up, cut_text(tile, TEXT, wide), inverse=chosen)


ENTERED = 17
"""The top row of the entered tiles' capitals. These, the picker's row and the words below have one page each."""
ASKED, TYPED = 32, 42
"""The top rows of the two lines of text while tiles are typed: the prompt, and the keys."""
PICKER, COUNT = 32, 41
"""The top row of the picker, which is drawn before the first arrow too, and that of the words below it."""
BACK = 9
"""The height in pixels of a black tile's back. The dot on it and the cursor of the next tile share a page."""
NOWHERE = (0, -1)
"""The picker's cursor before the first arrow: in the first row, on no tile."""
KEYS = {
    "deal": text("A+ B- C×, 0 is double"),
    "rack": text("type the numbers"),
    "refill": text("A+ B- C× D÷, 0 is double"),
}
"""Kind of tiles → how one is typed. This is always shown, so that no line moves from key to key."""
THREE = (28, 37, 46)
"""The top rows of the three lines of text if one of them asks somebody to look away."""

COLUMNS = ((1, 59), (64, 122))
"""The first and last pixel column of each of the sheet's two columns; the scrollbar is right of them."""
BETWEEN = 62
"""The pixel column of the line between these two."""
BOARDS = (1, 67)
"""The first pixel column of each seat's tiles."""
TOP, LINE = 18, 9
DIGIT = 6


class HandScreen(PlainScreen):
    """The screens of a player's tiles, and of the pages in the table menu."""

    def naming(self, canvas: Canvas, scene: NamingScene) -> None:
        noun = scene.noun if scene.due is None else text("draw")
        title = text("{who}'s {pieces}", who=scene.name, pieces=noun)
        parts.draw_title(canvas, title, figure=f"{len(scene.pieces)}/{scene.size}")
        if scene.kind == "rack":
            parts.draw_card_backs(canvas, len(scene.pieces), scene.size, 17, card_rows=BACK)
        else:
            _entered(canvas, scene)
        asked = prompt(scene)
        black = scene.kind == "rack" or (scene.due is not None and scene.view.due[1] > 0)
        said = cut_text(scene.away, TEXT, 126, scene.names) if black else ""
        # Black tiles of a refill are asked for in three lines, which leave no room for the row.
        picking = scene.cursor is not None or (scene.buttons and scene.rows and not (said and scene.due))
        if picking:
            row, column = scene.cursor or NOWHERE
            cells(canvas, list(map(shown, scene.rows[row])), (column,), PICKER)
            naming_line(canvas, COUNT, scene, asked if scene.wrong else said or asked)
        else:
            keys = PICKED if scene.buttons else KEYS[scene.kind if scene.due is None else scene.due.grid]
            rows = THREE if said else (ASKED, TYPED)
            naming_line(canvas, rows[0], scene, asked)
            for y, words in zip(rows[1:], filter(None, (said, keys)), strict=True):
                canvas.text(LEFT, y, words)
        naming_keys(canvas, scene)

    def peek(self, canvas: Canvas, scene: PeekScene) -> None:
        """An open rack. The display is public and not repeated here."""
        view: State = scene.view
        tiles = view.sides[scene.seat - 1].rack.pieces
        if not tiles:
            super().peek(canvas, scene)
            return
        parts.draw_title(canvas, text("{who}'s rack", who=scene.name), figure=str(len(tiles)))
        pieces.draw_pieces(canvas, [shown(tile_text(tile)) for tile in tiles])

    def page(self, canvas: Canvas, scene: PageScene) -> None:
        header(canvas, scene.names, None)
        if scene.kind == "sheet":
            canvas.dotted_line(BETWEEN, 16, BETWEEN, 53)
            _sheet(canvas, scene)
        else:
            canvas.dotted_line(64, 16, 64, 53)
            for seat in (1, 2):
                _tiles(canvas, scene.view, seat)
        parts.draw_footer(canvas, parts.key_label(scene.buttons, text("back")))
        if scene.kind == "sheet" and len(scene.lines) > ROWS:
            parts.draw_arrow_keys(canvas, *("", "") if scene.buttons else ("A", "C"), ("more-up", "more-down"))
        if scene.kind == "tiles":
            _digit(canvas, 126 - canvas.text(126, parts.LAST_LINE_ROW, text("played"), anchor="r") - 9, parts.LAST_LINE_ROW, 0)


def prompt(scene: NamingScene) -> str:
    """The words about the next tile."""
    if scene.begun and scene.kind == "rack":
        return text("{begun}_  number?", begun=shown("/"))
    # All tiles are drawn, so none is left that would show the sign.
    if scene.begun and scene.missing <= 0 and not scene.stray:
        return text("{begun}_  number?", begun=shown(SIGN_OF[scene.begun]))
    if scene.stray:
        return stray(scene)
    if scene.wrong:
        piece, spare = scene.excess or ("", 0)
        return too_many(scene, shown(piece), spare)
    if not scene.missing:
        return text("complete")
    # The number in the title says how many are missing, so these words stay until all are named.
    return scene.due.says if scene.due else text("name {number} tiles", number=scene.size)


def _entered(canvas: Canvas, scene: NamingScene) -> None:
    """Draw each tile that is named: its sign if it is open, a dot if it is hidden, a line where the next one goes."""
    cell = [shown(piece) for piece in scene.pieces] + [""] * scene.missing
    if scene.begun and scene.missing > 0:
        cell[len(scene.pieces)] = shown(SIGN_OF[scene.begun])
    first = max(0, len(cell) - CELLS)
    cells(canvas, cell[first:], (), ENTERED)
    for index, piece in enumerate(scene.pieces[first:]):
        if not piece:
            canvas.icon(1 + index * PITCH + WIDE // 2, ENTERED + 1, "dot", "c")
    following = len(scene.pieces) - first
    if following < scene.size and not scene.begun:
        x = 1 + following * PITCH
        canvas.fill(x + 3, ENTERED + 5, x + WIDE - 4, ENTERED + 6)


def _sheet(canvas: Canvas, scene: PageScene) -> None:
    """Draw four lines of the sheet: on the last page its last four. A result on a line of its own is right-aligned."""
    parts.draw_page_bar(canvas, scene.number, (len(scene.lines) - 1) // ROWS + 1)
    first = max(0, min(scene.number * ROWS, len(scene.lines) - ROWS))
    while any(cell.startswith("=") for cell in scene.lines[first].split("\t")):
        first += 1  # This line continues one on the previous page.
    for index, line in enumerate(scene.lines[first : first + ROWS]):
        for (x0, x1), said in zip(COLUMNS, line.split("\t"), strict=True):
            late, written = said.startswith("=") or said.isdigit(), cut_text(said, TEXT, x1 - x0 + 1)
            canvas.text(x1 if late else x0, TOP + index * LINE, written, anchor="r" if late else "l")


def _tiles(canvas: Canvas, view: State, seat: int) -> None:
    """Draw one row for each colour: the numbers not played yet, a mark for each played one, and the doubles left."""
    left = BOARDS[seat - 1]
    left_to_play = [tile_text(tile) for tile in to_come(view, seat)]
    numbers = [tile_text(tile) for tile in SETS[view.level]]
    for index, sign in enumerate(SIGNS):
        y = TOP + index * LINE
        canvas.text(left, y, shown(sign))
        for number in range(1, 8):
            if (tile := f"{sign}{number}") in numbers:
                _digit(canvas, left + 1 + number * DIGIT, y, number if tile in left_to_play else 0)
        if sign != "/":
            x = left + 7 + 7 * DIGIT
            _digit(canvas, x + canvas.text(x, y, "D") + 1, y, left_to_play.count(f"D{sign}"))


def _digit(canvas: Canvas, x: int, y: int, number: int) -> None:
    """Draw a number with its top left pixel at (x, y); for 0 the mark of a played tile."""
    if number:
        canvas.text(x, y, str(number))
    else:
        canvas.fill(x + 1, y + 3, x + 2, y + 4)
