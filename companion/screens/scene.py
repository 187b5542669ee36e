"""Makes the scenes for games' screens from what may be seen; they never contain the full position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import games
from companion.game.entry import ARROWS, without_hidden
from companion.game.screen import NamingScene, PageScene, PeekScene, Scene, Screen
from companion.games.plain import PLAIN
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, cut
from companion.session import clock, countdown, dealing, opponent
from companion.session.model import CANCELLED, Playing, Refusing, Session, draft

if TYPE_CHECKING:
    from companion.game.entry import Draft
    from companion.session.model import Dealing, Page, Peek, Round


ONLY_ONE = "nothing else this way"
"""The line after an arrow key that changes nothing."""
NOTHING_CHANGED = "nothing has changed"
"""The line after a key that cancelled a question."""


def screen(round_: Round) -> Screen:
    """The screen of a round's game; a game without one is drawn in words."""
    own = games.load_screen(round_.header.game)
    return own or PLAIN


def scene(session: Session, round_: Round) -> Scene:
    """The scene of the round on the table."""
    game = round_.game
    last = None
    if round_.events:
        seat, text = round_.events[-1]
        last = (seat, game.read(without_hidden(round_.entry, text)))
    mode = session.mode.back if isinstance(session.mode, Refusing) else session.mode
    say, ticking = _say(session, mode, round_) if isinstance(mode, Playing) else ("", ())
    view = game.view(round_.state, None)
    return Scene(
        view=view,
        before=game.view(round_.states[-2], None) if len(round_.states) > 1 else None,
        last=last,
        options=round_.options,
        names=round_.header.names,
        turn=round_.turn,
        draft=_draft(session, round_),
        say=say,
        clock=ticking,
        counts_down=bool(ticking) and session.game_clock is not None,
        buttons=session.buttons,
        recent=_recent(round_),
        device_missing=bool(session.missing_devices),
        forced=round_.turn is not None and round_.entry.forced(round_.state),
        counted=round_.counted,
        table=round_.entry.table(view),
    )


def naming(session: Session, round_: Round, mode: Dealing) -> NamingScene:
    """The scene of pieces that are being named, without hidden ones."""
    held = round_.manifest.holding(mode.kind)
    hidden = held is not None and not held.face_up
    masked = [round_.entry.masked(mode.kind, piece) for piece in mode.pieces]
    rows, cursor = _picker(round_, mode)
    return NamingScene(
        kind=mode.kind,
        noun=held.noun if held else mode.kind,
        view=round_.game.view(round_.state, None),
        options=round_.options,
        names=round_.header.names,
        seat=mode.seat,
        size=mode.size,
        pieces=tuple("" if dark else piece for piece, dark in zip(mode.pieces, masked, strict=True)),
        begun="•" * len(mode.keys) if hidden else mode.keys,
        twice=len(set(mode.pieces)) < len(mode.pieces),
        rows=rows,
        cursor=cursor,
        replaces=cursor is not None and mode.moved and len(mode.pieces) == mode.size,
        stray=_stray_piece(round_, mode),
        due=None if held else round_.entry.due(round_.state),
        hidden=hidden,
        buttons=session.buttons,
        excess=_excess(round_, mode),
    )


def _stray_piece(round_: Round, mode: Dealing) -> str:
    """The line after a key that names no piece; "" after any other."""
    if mode.stray == CANCELLED:
        return NOTHING_CHANGED
    return round_.entry.stray_piece(mode.keys, mode.grid or mode.kind, round_.options) if mode.stray else ""


def _excess(round_: Round, mode: Dealing) -> tuple[str, int] | None:
    """The first piece that is named more often than it can be there, by what everybody knows, and how often it can."""
    kind = mode.grid or mode.kind
    spare = round_.entry.spare(round_.game.view(round_.state, None), kind, mode.seat)
    if spare is None:
        return None
    found = next((piece for piece in mode.pieces if mode.pieces.count(piece) > spare.get(piece, 0)), None)
    if found is None:
        return None
    return ("", 0) if round_.entry.masked(mode.kind, found) else (found, spare.get(found, 0))


def _picker(round_: Round, mode: Dealing) -> tuple[list[list[str]], tuple[int, int] | None]:
    """The rows of pieces that may still be named, and the place of the picker in them."""
    grid = round_.entry.grid(mode.grid or mode.kind, round_.options)
    places = dealing.offered(round_, mode)
    lines = sorted({row for row, _ in places})
    rows = [[grid[row][column] for row, column in places if row == line] for line in lines]
    if mode.cursor not in places:
        return rows, None
    row, column = mode.cursor
    return rows, (lines.index(row), sum(line == row and place < column for line, place in places))


def peek(round_: Round, mode: Peek) -> PeekScene:
    """The scene of a player's own pieces, for its owner alone."""
    view = round_.game.view(round_.state, mode.seat)
    words = round_.entry.own(view, mode.seat)
    return PeekScene(view, round_.options, round_.name(mode.seat), mode.seat, words)


def page(session: Session, round_: Round, mode: Page) -> PageScene:
    """The scene of a page of the game's own."""
    title = round_.manifest.pages[mode.own]
    view = round_.game.view(round_.state, None)
    return PageScene(mode.own, title, mode.lines, mode.number, view, round_.header.names, session.buttons)


def _draft(session: Session, round_: Round) -> Draft | None:
    """The entry as it is judged, without the drawn pieces that it names."""
    entered = draft(session) or opponent.draft(session)
    if entered is None or entered.event is None:
        return entered
    return entered._replace(event=without_hidden(round_.entry, entered.event))


def _recent(round_: Round) -> tuple[tuple[Any, int, Any], ...]:
    """The last two events with the public's views before them."""
    pairs = zip(round_.states[-3:-1], round_.events[-2:], strict=True)
    game, entry = round_.game, round_.entry
    return tuple(
        (game.view(before, None), seat, game.read(without_hidden(entry, text))) for before, (seat, text) in pairs
    )


def _say(session: Session, mode: Playing, round_: Round) -> tuple[str, tuple[str, ...]]:
    """A key that means nothing, how to pass, or the clock if nothing is entered; and the clock's times."""
    if mode.stray == CANCELLED:
        return NOTHING_CHANGED, ()
    if opponent.thinks(session):
        return opponent.words(session), ()
    if mode.stray in ARROWS:
        return ONLY_ONE, ()
    if mode.stray:
        return round_.entry.stray(round_.state, mode.keys, mode.stray), ()
    if mode.nudge and (words := round_.entry.cannot(round_.state, session.buttons)):
        return words, ()
    if mode.arrows and not mode.nudge and session.buttons:
        return round_.entry.arrows(round_.game.view(round_.state, None)), ()
    if session.game_clock is not None and not mode.keys and mode.pick is None:
        return _counting_down(session, round_)
    ticking = clock.times(session) if not mode.keys and mode.pick is None else ()
    said = (
        f"{cut(round_.name(round_.turn or 1), TEXT, 30, round_.header.names)} {clock.line(session)}" if ticking else ""
    )
    return said, ticking


def _counting_down(session: Session, round_: Round) -> tuple[str, tuple[str, ...]]:
    """The game clock in a line, and its times; the last move stays for the first seconds of a turn."""
    if countdown.stands(session):
        return f"{'OK' if session.buttons else '#'} starts the clock", ()
    times = countdown.times(session)
    if not times:
        return "", ()
    names = round_.header.names if len(times) == 2 else (round_.name(round_.turn or 1),)
    room = (RIGHT - LEFT - 5 * (len(times) - 1)) // len(times)
    said = [
        f"{cut(name, TEXT, room - TEXT.width(f' {left}'), round_.header.names)} {left}"
        for name, left in zip(names, times, strict=True)
    ]
    return "  ".join(said), times
