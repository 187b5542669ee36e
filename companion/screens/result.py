"""Results on the panel: of a round, of a score pad, of a match between its rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games import marks
from companion.panel import parts, results
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import NAMES, TEXT
from companion.screens.legends import between, fitting

if TYPE_CHECKING:
    from companion.contents.kinds import MatchResult, Result
    from companion.panel.canvas import Canvas
    from companion.panel.parts import Legend


def result(canvas: Canvas, content: Result, *, buttons: bool) -> None:
    """A round's result; without a reason it is a list of the players' points."""
    left, right = fitting(content.meanings, buttons=buttons)
    if not content.reason:
        _ranking(canvas, content, left, right)
        return
    mark = "trophy" if len(content.winners) == 1 else marks.mark(content.game)
    results.result(canvas, content.title, content.reason, content.unit, content.rows, left=left, right=right, mark=mark)
    between(canvas, content.meanings, "down", buttons=buttons)


def match(canvas: Canvas, content: MatchResult, *, buttons: bool) -> None:
    """A match: everybody's wins, of two players as large as they can be."""
    left, right = fitting(content.meanings, buttons=buttons)
    mark = "trophy" if content.champion else ""
    results.match(canvas, content.wins, content.note, content.goal, left=left, right=right, mark=mark)


def _ranking(canvas: Canvas, content: Result, left: Legend, right: Legend) -> None:
    """Who has won, and everybody's points, in one column or in two."""
    canvas.icon(LEFT, 3, marks.mark(content.game))
    canvas.fitted(LEFT + 13, 2, content.title, NAMES, RIGHT - LEFT - 13)
    canvas.hline(15)
    few = len(content.rows) <= 4
    rows = len(content.rows) if few else (len(content.rows) + 1) // 2
    if not few:
        canvas.vline(63, 18, 52)
    for index, (name, total) in enumerate(content.rows):
        column, row = divmod(index, rows)
        x0, x1 = (LEFT, RIGHT) if few else ((LEFT, 60), (66, RIGHT))[column]
        room = x1 - x0 - 4 - canvas.text(x1, 18 + 9 * row, str(total), TEXT, "r")
        canvas.text(x0, 18 + 9 * row, results.before_number(name, room, canvas.names))
    parts.footer(canvas, left, right)
