"""Pages to read: standings, history, a round, false claims, answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from companion import games
from companion.panel import menus, parts, results
from companion.panel.canvas import RIGHT
from companion.panel.fonts import TEXT, balanced, cut, named, wrap
from companion.panel.icons import icon
from companion.panel.names import readable
from companion.session import evening, walking
from companion.session.matches import in_rounds, matches
from companion.session.model import (
    Page,
    PageKind,
    Playing,
    Round,
    RoundOver,
    Scoring,
    Session,
    Walk,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.panel.canvas import Canvas
    from companion.session.matches import Match
    from companion.session.model import FinishedRound

from companion.screens import pad, scene
from companion.screens.legends import beside, by_game, legend, ok_back, scrolling
from companion.screens.marks import mark

ROWS = 4
"""The lines of a page, or players of a list, that are visible at a time."""
WON = 72
"""The last column of the rounds won, in the standings of all time."""
MOST_GAMES = 5
"""The most games side by side in the standings of an evening."""
LONGEST_TOLD = 40
"""The most characters of a name on a page; imported records may have names of any length."""


def page(canvas: Canvas, session: Session, mode: Page) -> None:
    """A page, by its kind."""
    match mode.kind:
        case PageKind.STANDINGS:
            _standings(canvas, session, mode)
        case PageKind.EVER:
            _ever(canvas, session, mode)
        case PageKind.CLAIMS:
            _claim(canvas, session, mode)
        case PageKind.OWN:
            assert session.round is not None
            scene.screen(session.round).page(canvas, scene.page(session, session.round, mode))
        case PageKind.HELP:
            _help(canvas, session, mode)
        case PageKind.ROUND | PageKind.ANSWER | PageKind.LOOK_BACK:
            _lines(canvas, session, mode)
        case _:
            assert_never(mode.kind)


def last_page(session: Session, mode: Page, names: Sequence[str]) -> int:
    """The number of the last page, 0 or more, where that depends on how much of a text or table a page shows.

    Other pages are turned no further than to their last: of these it is `mode`'s own number. `names` are all that the
    screen may show.
    """
    match mode.kind:
        case PageKind.STANDINGS:
            day = evening.results(session.past)
            return _last_of_rows(evening.standings(day)) + len(_matches(day))
        case PageKind.EVER:
            return _last_of_rows(mode.rows)
        case PageKind.ROUND | PageKind.ANSWER | PageKind.LOOK_BACK:
            return len(_text(mode, names)) - 1
        case PageKind.CLAIMS | PageKind.OWN | PageKind.HELP:
            return mode.number
        case _:
            assert_never(mode.kind)


def _last_of_rows(rows: Sequence[object]) -> int:
    return max(0, (len(rows) - 1) // ROWS)


def _lines(canvas: Canvas, session: Session, mode: Page) -> None:
    """The page's own lines, at most four at a time, under the first of them."""
    parts.title(canvas, readable(mode.lines[0], canvas.names, LONGEST_TOLD), mode.note)
    pages = _text(mode, canvas.names)
    last = len(pages) - 1
    shown = min(mode.number, last)
    menus.page_bar(canvas, shown, last + 1)
    for index, line in enumerate(pages[shown]):
        canvas.text(1, 19 + index * 9, line)
    if mode.kept is not None and mode.kind is PageKind.ROUND:
        three = mode.goes_on and not last  # Legends: beside the two others BACK has no room for a word.
        back = "" if three and session.buttons else "back"
        left, right = ok_back(session, "go on" if mode.goes_on else "moves", back)
        parts.footer(canvas, left, right)
        if three:
            beside(canvas, session, left, right, "moves")
    else:
        parts.footer(canvas, legend(session, "next" if mode.leads_on else "back"))
    if last:
        scrolling(canvas, session)


def _text(mode: Page, names: Sequence[str]) -> list[list[str]]:
    """The lines under the title, a page each; a scrollbar takes some columns if there is more than one."""
    told = [readable(line, names, LONGEST_TOLD) for line in mode.lines[1:]]
    pages = _in_pages(told, RIGHT, names)
    return _in_pages(told, menus.BESIDE_BAR, names) if len(pages) > 1 else pages


def _in_pages(told: Iterable[str], edge: int, names: Sequence[str]) -> list[list[str]]:
    """Sentences in lines that end at column `edge`, and these in pages of `ROWS` at most.

    A sentence that would be cut by the end of a page begins the next one, unless it is longer than a page.
    """
    pages: list[list[str]] = [[]]
    for sentence in told:
        lines = wrap(sentence, TEXT, edge, names=names)
        if len(pages[-1]) + len(lines) > ROWS >= len(lines):
            pages.append([])
        for line in lines:
            if len(pages[-1]) == ROWS:
                pages.append([])
            pages[-1].append(line)
    return pages


def _help(canvas: Canvas, session: Session, mode: Page) -> None:
    """A page of how to play a game, and which of how many it is."""
    name, *told = mode.lines
    parts.title(canvas, name, f"{mode.number + 1}/{len(told)}")
    edge = menus.page_bar(canvas, mode.number, len(told))
    for index, line in enumerate(wrap(told[mode.number], TEXT, edge, ROWS)):
        canvas.text(1, 18 + index * 9, line)
    more = mode.number + 1 < len(told)
    parts.footer(canvas, legend(session, "more") if more else None, legend(session, "back", "BACK"))


def walk(canvas: Canvas, session: Session, mode: Walk) -> None:
    """The table after an event as everybody saw it; the line of the last move tells which, who and what."""
    last = len(walking.events(mode.round))
    said = f"{mode.number}/{last} start"
    if mode.number:
        seat = walking.events(mode.round)[mode.number - 1][0]
        hidden = isinstance(mode.round, Round) and not mode.round.over
        what = walking.event(mode.round, mode.number, hidden=hidden)
        said = f"{mode.number}/{last} {mode.round.name(seat)} {what}"
    if isinstance(mode.round, Round):
        then = walking.after(mode.round, mode.number)
        shown = scene.scene(session._replace(mode=Playing(), game_clock=None, timing=False), then)
        scene.screen(then).draw(canvas, shown._replace(say=said))
        return
    entries = mode.round.pad.entries[: mode.number]
    after = entries[-1][0] % mode.round.pad.players + 1 if entries else 1
    so_far = mode.round._replace(pad=mode.round.pad._replace(entries=entries))
    pad.draw(canvas, so_far, Scoring(after), legend(session, "back", "BACK"))
    canvas.clear(1, parts.LAST - 1, RIGHT, 63)
    canvas.text(1, parts.LAST, cut(said, TEXT, 126, canvas.names))


def _ever(canvas: Canvas, session: Session, mode: Page) -> None:
    """Standings of all time: rounds won of those played, and the rating with its doubt."""
    if mode.game:
        small = mark(mode.game)
        canvas.icon(5, 7 - icon(small).height // 2, small, "c")
        canvas.text(14, 5, "all time")
        canvas.text(RIGHT, 5, "rating", TEXT, "r")
        canvas.hline(15)
    else:
        parts.title(canvas, "All time", "rating")
    canvas.text(WON, 5, "won", TEXT, "r")
    last = _last_of_rows(mode.rows)
    first = min(mode.number, last) * ROWS
    edge = menus.page_bar(canvas, first // ROWS, last + 1)
    for index, (name, won, rating) in enumerate(mode.rows[first : first + ROWS]):
        y = 18 + 9 * index
        canvas.text(edge, y, rating, TEXT, "r")
        end = WON - canvas.text(WON, y, won, TEXT, "r") - 5
        canvas.text(1, y, cut(name, TEXT, end, canvas.names))
    if not mode.rows:
        canvas.text(1, 22, _none(session))
    parts.footer(canvas, legend(session, "back"))
    if last:
        scrolling(canvas, session)
    by_game(canvas, session, short=last > 0 and not session.buttons)


def _none(session: Session) -> str:
    """Why there are no standings."""
    return "No round counts yet." if evening.results(session.past) else "No round has ended yet."


def _claim(canvas: Canvas, session: Session, mode: Page) -> None:
    """One false "I cannot" that the round has proven."""
    who, move, could = mode.rows[mode.number]
    number = f"{mode.number + 1}/{len(mode.rows)}" if len(mode.rows) > 1 else ""
    parts.title(canvas, "False claim", figure=number)
    edge = menus.page_bar(canvas, mode.number, len(mode.rows))
    lines = balanced(could, TEXT, edge, 3)
    canvas.text(1, 20 if len(lines) < 3 else 18, named(f"{{}}, {move}", who, TEXT, edge, canvas.names))
    for index, line in enumerate(lines):
        canvas.text(1, (31 if len(lines) < 3 else 28) + 9 * index, line)
    parts.footer(canvas, *ok_back(session, "next", "result" if isinstance(mode.back, RoundOver) else "back"))


def _standings(canvas: Canvas, session: Session, mode: Page) -> None:
    """Round wins of the day, four players a page, then a page for each match."""
    day = evening.results(session.past)
    of_day = _matches(day)
    columns = evening.games_of(evening.counting(day))[:MOST_GAMES]  # All games count in the total.
    rows = _rows(day, columns)
    last = _last_of_rows(rows)
    pages = last + 1 + len(of_day)
    index = min(mode.number, pages - 1)
    left, right = ok_back(session, "all time", "back")
    if index > last:
        edge = menus.page_bar(canvas, index, pages)
        note = f"match {index - last}/{len(of_day)}" if len(of_day) > 1 else "match"
        _match(canvas, of_day[index - last - 1], note, edge)
        parts.footer(canvas, left, right)
    elif rows:
        results.standings(
            canvas, "Today", list(map(mark, columns)), rows, left=left, right=right, page=index, pages=pages
        )
    else:
        parts.title(canvas, "Today")
        canvas.text(1, 22, _none(session))
        parts.footer(canvas, left, right)
    if pages > 1:
        scrolling(canvas, session)


def _matches(day: Iterable[FinishedRound]) -> tuple[Match, ...]:
    """The matches of a day."""
    return matches(result.part for result in day if result.part is not None)


def _rows(day: tuple[FinishedRound, ...], columns: list[str]) -> list[tuple[str, list[str], str]]:
    """The standings of a day as rows: wins by game, a dash where the player did not play it, and all wins."""
    return [
        (each.name, [str(each.won_by_game.get(game, "-")) for game in columns], str(each.won))
        for each in evening.standings(day)
    ]


def _match(canvas: Canvas, match: Match, note: str, edge: int) -> None:
    """A match of the day: its game, its rounds, and who beat whom; of more than two players everybody's wins.

    `edge` is the last column beside the scrollbar.
    """
    small, rounds, count = mark(match.game), in_rounds(match.rounds), len(match.rounds)
    if len(match.wins) > 2:
        canvas.icon(5, 7 - icon(small).height // 2, small, "c")
        room = 113 - canvas.text(RIGHT, 4, "wins", TEXT, "r") - 5
        said = f"match, {rounds}"
        canvas.text(14, 4, said if TEXT.width(said) <= room else f"match, {count} round{'s' * (count > 1)}")
        canvas.hline(15)
        for index, (name, won) in enumerate(match.wins[:4]):
            canvas.text(1, 18 + 9 * index, cut(name, TEXT, edge - 16, canvas.names))
            canvas.text(edge, 18 + 9 * index, str(won), TEXT, "r")
        return
    parts.title(canvas, "Today", note)
    canvas.icon(5, 22 - icon(small).height // 2, small, "c")
    canvas.text(14, 19, cut(games.described(match.game).name, TEXT, edge - 13))
    lines = wrap(match.result, TEXT, edge, 2, names=canvas.names)
    for index, line in enumerate([*lines, rounds]):
        canvas.text(1, 31 + 9 * index - 3 * (len(lines) > 1), line)
