"""Pages to read: standings, history, a round, false claims, answers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from companion import games
from companion.panel import pages, parts
from companion.panel.canvas import RIGHT
from companion.panel.fonts import TEXT, balanced, cut, named, wrap
from companion.session.model import (
    Page,
    RoundOver,
    Session,
)

if TYPE_CHECKING:
    from companion.panel.canvas import Canvas

from companion.screens import scene
from companion.screens.legends import legend, ok_back, scrolling
from companion.screens.marks import mark

MOST_GAMES = 5
"""So many games stand side by side in the standings of an evening."""


def page(canvas: Canvas, session: Session, mode: Page) -> None:
    """A page, by its kind."""
    if mode.kind == "standings":
        _standings(canvas, session, mode)
        return
    if mode.kind == "ever":
        _ever(canvas, session, mode)
        return
    if mode.kind == "claims":
        _claim(canvas, session, mode)
        return
    round_ = session.round
    if round_ is not None and mode.kind in round_.manifest.pages:
        scene.screen(round_).page(canvas, scene.page(session, round_, mode))
        return
    title, *lines = mode.lines or (mode.kind.capitalize(),)
    parts.title(canvas, *title.split("\t"))
    wrapped = [part for line in lines for part in wrap(line, TEXT, 126, names=canvas.names)]
    last = max(0, (len(wrapped) - 1) // 4)
    shown = min(mode.at, last)
    for at, line in enumerate(wrapped[shown * 4 : shown * 4 + 4]):
        canvas.text(1, 19 + at * 9, line)
    if mode.goes_on:
        parts.footer(canvas, *ok_back(session, "go on", "back"))
    else:
        parts.footer(canvas, legend(session, "back"))
        if last:
            canvas.text(RIGHT, parts.LAST, f"{shown + 1}/{last + 1}", TEXT, "r")
            scrolling(canvas, session)


def _ever(canvas: Canvas, session: Session, mode: Page) -> None:
    """Standings of all time: rounds won of those played, and the rating with its doubt."""
    parts.title(canvas, "All time", "rating")
    canvas.text(74, 5, "won", TEXT, "r")
    first = min(mode.at * 4, max(0, (len(mode.lines) - 1) // 4 * 4))
    names = [line.split("\t")[0] for line in mode.lines]
    for at, line in enumerate(mode.lines[first : first + 4]):
        name, won, rating = line.split("\t")
        y = 18 + 9 * at
        canvas.text(RIGHT, y, rating, TEXT, "r")
        end = 74 - canvas.text(74, y, won, TEXT, "r") - 5
        end -= parts.more(canvas, end, y, at == 0 and first > 0, at == 3 and first + 4 < len(mode.lines))
        canvas.text(1, y, cut(name, TEXT, end, names))
    if not mode.lines:
        canvas.text(1, 22, "No round has ended yet.")
    parts.footer(canvas, legend(session, "back"))
    if len(mode.lines) > 4:
        scrolling(canvas, session)


def _claim(canvas: Canvas, session: Session, mode: Page) -> None:
    """One false "I cannot" that the round has proven."""
    who, move, could = mode.lines[mode.at].split("\t")
    number = f"{mode.at + 1}/{len(mode.lines)}" if len(mode.lines) > 1 else ""
    parts.title(canvas, "False claim", figure=number)
    lines = balanced(could, TEXT, 126, 3)
    canvas.text(1, 20 if len(lines) < 3 else 18, named(f"{{}}, {move}", who, TEXT, 126, canvas.names))
    for at, line in enumerate(lines):
        canvas.text(1, (31 if len(lines) < 3 else 28) + 9 * at, line)
    parts.footer(canvas, *ok_back(session, "next", "result" if isinstance(mode.back, RoundOver) else "back"))


def _standings(canvas: Canvas, session: Session, mode: Page) -> None:
    """Round wins of the evening: names down, games across."""
    results = (*session.past.tonight, *session.past.fresh)
    order = [game.id for game in games.known()]
    played = list(dict.fromkeys(result.game for result in results))
    played.sort(key=lambda game: order.index(game) if game in order else len(order))
    played = played[:MOST_GAMES]  # All games count in the total.
    names = dict.fromkeys(name for result in results for name in result.names)
    table = []
    for name in names:
        won = [
            sum(result.game == game and _won(result, name) for result in results)
            if any(result.game == game and name in result.names for result in results)
            else None
            for game in played
        ]
        total = sum(_won(result, name) for result in results)
        table.append((name, ["-" if count is None else str(count) for count in won], total))
    sat = Counter(name for result in results for name in result.names)
    table.sort(key=lambda row: (-row[2], sat[row[0]], row[0]))  # As `companion standings` has them.
    rows = [(name, cells, str(total)) for name, cells, total in table]
    at = min(mode.at * 4, max(0, (len(rows) - 1) // 4 * 4))
    if not rows:
        parts.title(canvas, "Today")
        canvas.text(1, 22, "No round has ended yet.")
        parts.footer(canvas, *ok_back(session, "all time", "back"))
        return
    left, right = ok_back(session, "all time", "back")
    pages.standings(canvas, "Today", list(map(mark, played)), rows, left, right, first=at)
    if len(rows) > 4:
        scrolling(canvas, session)


def _won(result: Any, name: str) -> bool:
    return len(result.winners) == 1 and result.names[result.winners[0] - 1] == name
