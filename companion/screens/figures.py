"""Figures in rows: the standings of an evening with its matches, and those of all time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.games.marks import mark
from companion.panel import menus, parts, results
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, cut, wrap
from companion.panel.icons import icon
from companion.screens.legends import by_game, footer, keys, scrolling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.panel.canvas import Canvas

ROWS = 4
"""The players of a list that are visible at a time."""
WON, WON_ALONE, WIDE = 72, 86, 44
"""The last column of the rounds won, in the standings of all time; beside ratings without their doubt, which make room
where a number of rounds is wider than so many columns.
"""
MOST_GAMES = 5
"""The most games side by side in the standings of an evening; all count in the total."""


def last_of(rows: Sequence[object]) -> int:
    """The number of the last page of rows, from 0."""
    return max(0, (len(rows) - 1) // ROWS)


def all_time(canvas: Canvas, content: kinds.AllTime, *, buttons: bool) -> None:
    """Rounds won of those played, and the rating with its doubt."""
    if content.game:
        _game_and_words(canvas, content.game, 5, content.title)
        canvas.text(RIGHT, 5, "rating", TEXT, "r")
    else:
        parts.title(canvas, content.title, "rating")
    wide = any(TEXT.width(won) > WIDE for _, won, _ in content.rows)
    end_of_won = WON_ALONE if wide else WON
    canvas.text(end_of_won, 5, "won", TEXT, "r")
    last = last_of(content.rows)
    first = min(content.at, last) * ROWS
    edge = menus.page_bar(canvas, first // ROWS, last + 1)
    for index, (name, won, rating) in enumerate(content.rows[first : first + ROWS]):
        y = 18 + 9 * index
        canvas.text(edge, y, rating.partition("±")[0] if wide else rating, TEXT, "r")
        end = end_of_won - canvas.text(end_of_won, y, won, TEXT, "r") - 5
        canvas.text(LEFT, y, cut(name, TEXT, end, canvas.names))
    if not content.rows:
        canvas.text(LEFT, 22, content.none)
    footer(canvas, content.answers, buttons=buttons)
    if last:
        scrolling(canvas, buttons=buttons)
    by_game(canvas, buttons=buttons, short=last > 0 and not buttons)


def standings(canvas: Canvas, content: kinds.Standings, *, buttons: bool) -> None:
    """Four players a page, then a page for each match."""
    last = last_of(content.rows)
    pages = last + 1 + len(content.matches)
    index = min(content.at, pages - 1)
    left, right = keys(content.answers, buttons=buttons)
    if index > last:
        edge = menus.page_bar(canvas, index, pages)
        note = f"match {index - last}/{len(content.matches)}" if len(content.matches) > 1 else "match"
        _match(canvas, content.title, content.matches[index - last - 1], note, edge)
        parts.footer(canvas, left, right)
    elif content.rows:
        rows = [(name, list(won[:MOST_GAMES]), total) for name, won, total in content.rows]
        marks = list(map(mark, content.games[:MOST_GAMES]))
        results.standings(canvas, content.title, marks, rows, left=left, right=right, page=index, pages=pages)
    else:
        parts.title(canvas, content.title)
        canvas.text(LEFT, 22, content.none)
        parts.footer(canvas, left, right)
    if pages > 1:
        scrolling(canvas, buttons=buttons)


def _match(canvas: Canvas, title: str, match: kinds.MatchFigures, note: str, edge: int) -> None:
    """A match: its game, its rounds, and who beat whom; of more than two players everybody's wins.

    `edge` is the last column beside the scrollbar.
    """
    if len(match.wins) > 2:
        room = 113 - canvas.text(RIGHT, 4, "wins", TEXT, "r") - 5
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
