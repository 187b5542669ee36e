"""Figures in rows: the standings of an evening with its matches, and those of all time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.games.marks import mark
from companion.languages import text
from companion.panel import menus, parts, results
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, cut, wrap
from companion.panel.full_screens import text_lines
from companion.panel.icons import icon
from companion.screens.legends import by_game, footer, keys, scrolling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.panel.canvas import Canvas

ROWS = 4
"""The players of a list that are visible at a time."""
MOST_GAMES = 5
"""The most games side by side in the standings of an evening; all count in the total."""


def last_of(rows: Sequence[object]) -> int:
    """The number of the last page of rows, from 0."""
    return max(0, (len(rows) - 1) // ROWS)


def last_of_all_time(content: kinds.AllTime) -> int:
    """The number of the last page, from 0: the ratings have pages of their own, after those of the rounds won."""
    pages = last_of(content.rows) + 1
    return pages * (2 if any(rating for _, _, rating in content.rows) else 1) - 1


def all_time(canvas: Canvas, content: kinds.AllTime, *, buttons: bool) -> None:
    """Rounds won of those played, then the ratings, whose doubt is for reports."""
    last = last_of_all_time(content)
    at, pages = min(content.at, last), last_of(content.rows) + 1
    rated = at >= pages
    note = text("rating") if rated else text("won")
    if content.game:
        _game_and_words(canvas, content.game, 5, content.title)
        canvas.text(RIGHT, 5, note, TEXT, "r")
    else:
        parts.title(canvas, content.title, note)
    edge = menus.page_bar(canvas, at, last + 1)
    first = at % pages * ROWS
    for index, (name, won, rating) in enumerate(content.rows[first : first + ROWS]):
        y = 18 + 9 * index
        end = edge - canvas.text(edge, y, rating.partition("±")[0] if rated else won, TEXT, "r") - 5
        canvas.text(LEFT, y, cut(name, TEXT, end, canvas.names))
    if not content.rows:
        text_lines(canvas, LEFT, (22, 31), wrap(content.none, TEXT, RIGHT - LEFT + 1))
    footer(canvas, content.meanings, buttons=buttons)
    if last:
        scrolling(canvas, buttons=buttons)
    by_game(canvas, buttons=buttons, short=last > 0 and not buttons)


def standings(canvas: Canvas, content: kinds.Standings, *, buttons: bool) -> None:
    """Four players a page, then a page for each match."""
    last = last_of(content.rows)
    pages = last + 1 + len(content.matches)
    index = min(content.at, pages - 1)
    left, right = keys(content.meanings, buttons=buttons)
    if index > last:
        edge = menus.page_bar(canvas, index, pages)
        note, count = text("match"), len(content.matches)
        if count > 1:
            note = text("match {number}/{count}", number=index - last, count=count)
        _match(canvas, content.title, content.matches[index - last - 1], note, edge)
        parts.footer(canvas, left, right)
    elif content.rows:
        rows = [(name, list(won[:MOST_GAMES]), total) for name, won, total in content.rows]
        marks = list(map(mark, content.games[:MOST_GAMES]))
        results.standings(canvas, content.title, marks, rows, left=left, right=right, page=index, pages=pages)
    else:
        parts.title(canvas, content.title)
        text_lines(canvas, LEFT, (22, 31), wrap(content.none, TEXT, RIGHT - LEFT + 1))
        parts.footer(canvas, left, right)
    if pages > 1:
        scrolling(canvas, buttons=buttons)


def _match(canvas: Canvas, title: str, match: kinds.MatchFigures, note: str, edge: int) -> None:
    """A match: its game, its rounds, and who beat whom; of more than two players everybody's wins.

    `edge` is the last column beside the scrollbar.
    """
    if len(match.wins) > 2:
        room = 113 - canvas.text(RIGHT, 4, text("won"), TEXT, "r") - 5
        fitting = (said for said in match.summary if TEXT.width(said) <= room)
        _game_and_words(canvas, match.game, 4, next(fitting, match.summary[-1]))
        for index, (name, won) in enumerate(match.wins[:4]):
            canvas.text(LEFT, 18 + 9 * index, cut(name, TEXT, edge - 16, canvas.names))
            canvas.text(edge, 18 + 9 * index, str(won), TEXT, "r")
        return
    small = mark(match.game)
    parts.title(canvas, title, note)
    canvas.icon(5, 22 - icon(small).height // 2, small, "c")
    canvas.text(14, 19, cut(match.name, TEXT, edge - 13))
    lines = wrap(match.result, TEXT, edge, 2, names=canvas.names)
    for index, line in enumerate([*lines, match.rounds]):
        canvas.text(LEFT, 31 + 9 * index - 3 * (len(lines) > 1), line)


def _game_and_words(canvas: Canvas, game: str, y: int, said: str) -> None:
    """A heading of a game's mark and words in the small face."""
    small = mark(game)
    canvas.icon(5, 7 - icon(small).height // 2, small, "c")
    canvas.text(14, y, said)
    canvas.hline(15)
