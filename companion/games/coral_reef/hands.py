"""Hands of Coral Reef: naming the corals dealt, picking one out of a row, and a hand shown to its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.text import text
from companion.games.coral_reef.drafts import shown
from companion.games.coral_reef.entry import ENTRY
from companion.games.plain import PICKED, PlainScreen, naming_keys, naming_line, stray, too_many
from companion.panel import parts, pieces
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import MIDDLE, TEXT, cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.screen import NamingScene, PeekScene
    from companion.games.coral_reef.state import State
    from companion.panel.canvas import Canvas

NOWHERE = -1
"""The cursor of a row that is shown without a picker."""
KEYS = {"cards": "0 = 10   B C D = J Q K", "tiles": text("type your tiles, 0 to 9")}
"""How corals are typed; of the cards those without a key of the same name."""


class HandScreen(PlainScreen):
    """The scenes of a hand: corals that are named, and a hand that its owner looks at."""

    def naming(self, canvas: Canvas, scene: NamingScene) -> None:
        """Draw a card back for each coral, with a dot if it is entered.

        Picking by buttons shows the row of corals, so the other player is asked to look away.
        """
        parts.title(canvas, text("{who}'s hand", who=scene.name), figure=f"{len(scene.pieces)}/{scene.size}")
        parts.cards(canvas, len(scene.pieces), scene.size, 18)
        other = cut(scene.away, TEXT, 126, canvas.names)
        corals = [shown(coral, scene.options["form"]) for line in scene.rows for coral in line]
        if scene.cursor is not None:
            row(canvas, corals, _place(scene), 37)
            canvas.text(LEFT, 46, other)
        else:
            wrong = too_many(scene, "", 0) if scene.wrong else ""
            keys = PICKED if scene.buttons else KEYS[scene.options["form"]]
            naming_line(canvas, 37, scene, stray(scene) or wrong or other)
            canvas.text(LEFT, 46, keys)
        naming_keys(canvas, scene, "" if scene.cursor is None else corals[_place(scene)])

    def peek(self, canvas: Canvas, scene: PeekScene) -> None:
        """Draw a hand coral by coral; if it needs more than two lines, as a count under each rank."""
        view: State = scene.view
        corals = view.holdings[scene.seat - 1].pieces or ()
        parts.title(canvas, text("{who}'s hand", who=scene.name), figure=str(len(corals)))
        rows = ENTRY.grid("deal", scene.options)
        ranks = [coral for line in rows for coral in line]
        held = [shown(coral, view.form) for coral in sorted(corals, key=ranks.index)]
        grid_ = pieces.fit(held)
        if not held or (grid_ and grid_.lines <= 2):  # A small hand is quicker to read coral by coral.
            pieces.draw(canvas, held)
            return
        for line, y in zip(rows, (17, 42), strict=True):
            for index, coral in enumerate(line):
                x = LEFT + 9 + index * (18 if len(line) > 5 else 26)
                canvas.text(x, y, shown(coral, view.form), anchor="c")
                if number := corals.count(coral):
                    canvas.text(x, y + 8, str(number), MIDDLE, "c")
                else:
                    canvas.fill(x - 1, y + 14, x, y + 14)


def _place(scene: NamingScene) -> int:
    """The place of the coral under the picker, from 0 in reading order."""
    line, column = scene.cursor or (0, 0)
    return line * len(scene.rows[0]) + column


def row(canvas: Canvas, corals: Sequence[str], cursor: int, y: int) -> None:
    """Draw corals from edge to edge with equal gaps at row `y`, the one at index `cursor` inverse."""
    ink = [TEXT.width(coral) for coral in corals]
    gap = (RIGHT - LEFT + 1 - sum(ink)) / len(corals)
    for index, coral in enumerate(corals):
        x = LEFT + round(sum(ink[:index]) + gap * (index + 0.5))
        if index == cursor:
            canvas.tag(x - 1, y, coral, pad=1)
        else:
            canvas.text(x, y, coral)
