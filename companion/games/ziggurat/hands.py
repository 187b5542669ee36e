"""Hands of Ziggurat: naming the 7 to 45 dominoes dealt, hidden, and a hand shown to its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.plain import PICKED, adding, erasing, stray, too_many
from companion.panel import parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, cut, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.screen import NamingScene, PeekScene
    from companion.games.ziggurat.state import State
    from companion.panel.canvas import Canvas

KEYS = "A B C = 10 11 12"
"""How the highest pips are typed."""
LINES = 8
"""Lines of text that the panel holds."""


def naming(canvas: Canvas, scene: NamingScene) -> None:
    """Draw a mark for each domino entered, never which; picking shows the row to pick from, so others look away."""
    parts.title(canvas, f"{scene.name}'s hand", figure=f"{len(scene.pieces)}/{scene.size}")
    parts.cards(canvas, len(scene.pieces), scene.size, 17 if scene.cursor else 19)
    others = "Others, look away"
    if len(scene.others) == 1:
        others = cut(f"{scene.others[0]}, look away", TEXT, RIGHT - LEFT + 1, canvas.names)
    missing = scene.missing
    twice = "one domino twice" if scene.twice else ""
    if scene.cursor is not None:
        row, column = scene.cursor
        _row(canvas, scene.rows[row], column, 37)
        canvas.text(LEFT, 46, twice or others)
    else:
        begun = "half a domino entered" if scene.begun else ""
        said = others if missing > 0 else "complete" if scene.whole else too_many(scene, "", 0)
        keys = PICKED if scene.buttons else KEYS if scene.options["set"] == "12" else ""
        canvas.text(LEFT, 38 if keys else 42, stray(scene) or begun or twice or said)
        canvas.text(LEFT, 47, keys)
    parts.footer(canvas, adding(scene), erasing(scene))


def _row(canvas: Canvas, dominoes: Sequence[str], cursor: int, y: int) -> None:
    """As many dominoes of a row as there is room for, the one at index `cursor` inverse and two before it in sight."""
    x = LEFT + 2
    for index in range(max(0, min(cursor - 2, len(dominoes) - 4)), len(dominoes)):
        wide = TEXT.width(dominoes[index])
        if x + wide + 1 > RIGHT:
            break
        if index == cursor:
            canvas.tag(x - 2, y, dominoes[index])
        else:
            canvas.text(x, y, dominoes[index])
        x += wide + 7


def peek(canvas: Canvas, scene: PeekScene) -> None:
    """Draw a hand in words; what is too much for the room under the title takes the whole panel, eight lines."""
    view: State = scene.view
    lines = wrap(scene.words, TEXT, RIGHT, LINES)
    if len(lines) < LINES - 1:
        parts.title(canvas, f"{scene.name}'s hand", figure=str(view.hands[scene.seat - 1].size))
    top, pitch = (19, 9) if len(lines) < LINES - 2 else (17, 8) if len(lines) < LINES - 1 else (0, 8)
    for index, line in enumerate(lines):
        canvas.text(LEFT, top + pitch * index, line)
