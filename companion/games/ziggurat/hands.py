"""The screens of hands: naming the 7 to 45 dominoes dealt, without showing them, and a hand shown to its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.text import text
from companion.games.plain import PICKED, PlainScreen, naming_keys, naming_line, stray, too_many
from companion.panel import parts, pieces
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, cut, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.screen import NamingScene, PeekScene
    from companion.games.ziggurat.pieces import Domino
    from companion.games.ziggurat.state import State
    from companion.panel.canvas import Canvas

KEYS = text("type two pips each")
"""How dominoes are typed."""
HIGH_KEYS = "A B C = 10 11 12"
"""How the pips above 9 are typed."""
LINES = 8
"""Lines of text that the panel holds."""
SEPARATOR = "   "
"""Between two suits on a line."""


class HandScreen(PlainScreen):
    """The scenes of a hand: dominoes that are named, and a hand that its owner looks at."""

    def naming(self, canvas: Canvas, scene: NamingScene) -> None:
        """Draw a mark for each domino entered, never its pips; others must look away from the row to pick from."""
        parts.title(canvas, text("{who}'s hand", who=scene.name), figure=f"{len(scene.pieces)}/{scene.size}")
        keys = PICKED if scene.buttons else HIGH_KEYS if scene.options["set"] == "12" else KEYS
        parts.cards(canvas, len(scene.pieces), scene.size, 17 if keys or scene.cursor else 19)
        others = cut(scene.away, TEXT, RIGHT - LEFT + 1, canvas.names)
        missing = scene.missing
        twice = text("domino {number}: a repeat", number=scene.twice) if scene.twice and missing >= 0 else ""
        if scene.cursor is not None:
            row, column = scene.cursor
            _row(canvas, scene.rows[row], column, 37)
            canvas.text(LEFT, 46, twice or others)
        else:
            begun = text("the other half?") if scene.begun else ""
            said = others if missing > 0 else text("complete") if scene.whole else too_many(scene, "", 0)
            naming_line(canvas, 37 if keys else 42, scene, stray(scene) or begun or twice or said)
            canvas.text(LEFT, 46, keys if missing > 0 else "")
        naming_keys(canvas, scene)

    def peek(self, canvas: Canvas, scene: PeekScene) -> None:
        """Draw a hand domino by domino, or a large one suit by suit with a small title if a line is left for it.

        A hand too large for that, which hardly ever happens, is wrapped like text.
        """
        view: State = scene.view
        hand = sorted(view.hands[scene.seat - 1].pieces or ())
        title = text("{who}'s hand", who=scene.name)
        if pieces.fit(list(map(str, hand))):
            parts.title(canvas, title, figure=str(len(hand)))
            pieces.draw(canvas, list(map(str, hand)))
            return
        lines = list(map(SEPARATOR.join, _suits(hand)))
        if len(lines) > LINES or any(TEXT.width(line) > RIGHT for line in lines):
            lines = wrap(scene.words, TEXT, RIGHT, LINES)
        titled = len(lines) < LINES
        if titled:
            size = str(len(hand))
            canvas.text(LEFT, 0, cut(title, TEXT, RIGHT - TEXT.width(size) - 8, canvas.names))
            canvas.text(RIGHT, 0, size, TEXT, "r")
        pitch = 9 if len(lines) < LINES - 1 else 8
        for index, line in enumerate(lines, titled):
            canvas.text(LEFT, pitch * index, line)


def _row(canvas: Canvas, dominoes: Sequence[str], cursor: int, y: int) -> None:
    """Draw as many dominoes of a row as fit, from two before index `cursor` on, the one at `cursor` inverse."""
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


def _suits(hand: Sequence[Domino]) -> list[list[str]]:
    """The suits (``0-0 3 6``: all dominoes with the same lower pip), as lists of those that share a line.

    Longer suits are placed first, each on the first line with room for it, so that few lines are needed; then lines
    and the suits on them are sorted by lower pip.
    """
    suits: dict[int, str] = {}
    for low, high in hand:
        suits[low] = f"{suits[low]} {high}" if low in suits else f"{low}-{high}"
    lines: list[list[str]] = []
    for suit in sorted(suits.values(), key=TEXT.width, reverse=True):
        line = next((line for line in lines if TEXT.width(SEPARATOR.join([*line, suit])) <= RIGHT), None)
        if line is None:
            lines.append([suit])
        else:
            line.append(suit)
    order = list(suits.values())
    return sorted((sorted(line, key=order.index) for line in lines), key=lambda line: order.index(line[0]))
