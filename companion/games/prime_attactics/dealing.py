"""The screens on which tiles are named: coloured tiles face up, black tiles as backs with dots; and an open rack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.text import text
from companion.games.plain import PICKED, PlainScreen, naming_keys, naming_line, stray, too_many
from companion.games.prime_attactics.parts import CELLS, PITCH, WIDE, cells
from companion.games.prime_attactics.pick import shown
from companion.games.prime_attactics.tiles import tile_text
from companion.games.prime_attactics.typed import SIGNS
from companion.panel import parts, pieces
from companion.panel.canvas import LEFT
from companion.panel.fonts import TEXT, cut

if TYPE_CHECKING:
    from companion.game.screen import NamingScene, PeekScene
    from companion.games.prime_attactics.state import State
    from companion.panel.canvas import Canvas

TILES = 17
"""The top row of the entered tiles' capitals. These, the picker's row and the words below lie on one page each."""
ASKED, TYPED = 32, 42
"""The top rows of the two lines of text while tiles are typed: what is asked for, and the keys."""
PICKER, COUNT = 32, 41
"""The top row of the picker, which is drawn before the first arrow too, and of the words below it."""
BACK = 9
"""The height in pixels of a black tile's back: the dot on it and the cursor of the next tile share a page."""
NOWHERE = (0, -1)
"""The picker's place before the first arrow: in the first row, on no tile."""
KEYS = {
    "deal": text("A+ B- C×, A0 B0 C0=D"),
    "rack": text("type the numbers"),
    "refill": text("A+ B- C× D÷, A0 double"),
}
"""Kind of tiles → how one is typed; always shown, so that no line moves from key to key."""
THREE = (28, 37, 46)
"""The top rows of the three lines of text when one of them asks somebody to look away."""


class DealingScreen(PlainScreen):
    """The scenes of tiles: those that are named, and a rack that its owner looks at."""

    def naming(self, canvas: Canvas, scene: NamingScene) -> None:
        """Draw the tiles that are entered, what is asked for, and the picker's row."""
        noun = scene.noun if scene.due is None else text("draw")
        parts.title(
            canvas, text("{who}'s {pieces}", who=scene.name, pieces=noun), figure=f"{len(scene.pieces)}/{scene.size}"
        )
        if scene.kind == "rack":
            parts.cards(canvas, len(scene.pieces), scene.size, 17, high=BACK)
        else:
            _tiles(canvas, scene)
        asked, said = prompt(scene)
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
        """Draw the tiles of an open rack for its owner; the display is public and not repeated here."""
        view: State = scene.view
        tiles = view.sides[scene.seat - 1].rack.pieces
        if not tiles:
            super().peek(canvas, scene)
            return
        parts.title(canvas, text("{who}'s rack", who=scene.name), figure=str(len(tiles)))
        pieces.draw(canvas, [shown(tile_text(tile)) for tile in tiles])


def prompt(scene: NamingScene) -> tuple[str, str]:
    """The words about the next tile, and who has to look away ("" unless black tiles are named)."""
    view: State = scene.view
    missing, due = scene.missing, scene.due
    black = scene.kind == "rack" or (due is not None and view.due[1] > 0)
    away = cut(scene.away, TEXT, 126, scene.names) if black else ""
    if scene.begun and scene.kind == "rack":
        return text("{begun}_  number?", begun=shown("/")), away
    if scene.begun and scene.missing <= 0 and not scene.stray:  # No cell is left that would show it.
        return text("{begun}_  number?", begun=shown(SIGNS[scene.begun])), away
    if scene.stray:
        return stray(scene), away
    if scene.wrong:
        piece, spare = scene.excess or ("", 0)
        return too_many(scene, shown(piece), spare), away
    # How many are still missing, the figure in the title tells: these words stay until all are named.
    return (
        text("complete") if not missing else due.says if due else text("name {number} tiles", number=scene.size)
    ), away


def _tiles(canvas: Canvas, scene: NamingScene) -> None:
    """One cell for each tile: its face if it is open, a dot if it is hidden, a line under the next one to name."""
    cell = [shown(piece) for piece in scene.pieces] + [""] * scene.missing
    if scene.begun and scene.missing > 0:
        cell[len(scene.pieces)] = shown(SIGNS[scene.begun])
    first = max(0, len(cell) - CELLS)
    cells(canvas, cell[first:], (), TILES)
    for index, piece in enumerate(scene.pieces[first:]):
        if not piece:
            canvas.icon(1 + index * PITCH + WIDE // 2, TILES + 1, "dot", "c")
    following = len(scene.pieces) - first
    if following < scene.size and not scene.begun:
        x = 1 + following * PITCH
        canvas.fill(x + 3, TILES + 5, x + WIDE - 4, TILES + 6)
