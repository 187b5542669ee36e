"""What the screen of a game may know: the public's view of the position, and the entry as it is judged.

The full position never gets here, so no picture of a game can show what a player hides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.panel import parts
from companion.panel.fonts import TEXT, named
from companion.session import clock, extra
from companion.session.model import Playing, Refusing, Session, draft

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.game.entry import Draft
    from companion.panel.canvas import Canvas
    from companion.session.model import Round


class Scene(NamedTuple):
    """One moment of a round as everybody at the table may see it.

    `view` is the position, `before` the one before the last event (None at the start), `last` that event's seat and
    move; `recent` are the last two events, oldest first, each with the view before it, its seat and its move, for
    games where an event only completes the one before; `options` and `names` (by seat) are the round's; `turn` is the
    seat to move, None when the round is over; `draft` is the entry on the table; `say` is a line for the strip that
    takes the place of the last move's (a key that means nothing here, how to pass, the clock); `clock` are the times
    of that line, () where it says something else; `buttons` tells whether legends
    read OK and BACK; `forced` whether the seat to move must do what no move is, which the referee says aloud;
    `away` whether a device is missing, whose sign takes the last columns of P7.
    """

    view: Any
    before: Any
    last: tuple[int, Any] | None
    options: Mapping[str, str]
    names: tuple[str, ...]
    turn: int | None
    draft: Draft | None
    say: str
    buttons: bool
    recent: tuple[tuple[Any, int, Any], ...] = ()
    forced: bool = False
    away: bool = False
    clock: tuple[str, ...] = ()

    def name(self, seat: int) -> str:
        """The player in a seat."""
        return self.names[seat - 1]


def scene(session: Session, round_: Round) -> Scene:
    """The scene of the round on the table."""
    game = round_.game
    last = None
    if round_.events:
        seat, text = round_.events[-1]
        last = (seat, game.read(public(round_, text)))
    mode = session.mode.back if isinstance(session.mode, Refusing) else session.mode
    say, ticking = _say(session, mode, round_) if isinstance(mode, Playing) else ("", ())
    return Scene(
        view=game.view(round_.state, None),
        before=game.view(round_.states[-2], None) if len(round_.states) > 1 else None,
        last=last,
        options=round_.options,
        names=round_.about.names,
        turn=round_.turn,
        draft=_draft(session, round_),
        say=say,
        clock=ticking,
        buttons=session.buttons,
        recent=_recent(round_),
        away=bool(session.away),
        forced=round_.turn is not None and extra.forced(round_),
    )


def _draft(session: Session, round_: Round) -> Draft | None:
    """The entry as it is judged, without the drawn pieces that it names."""
    entered = draft(session)
    if entered is None or entered.event is None:
        return entered
    return entered._replace(event=public(round_, entered.event))


def public(round_: Round, text: str) -> str:
    """An event as everybody may know it: a draw or refill without the pieces that only its player has seen."""
    word, *pieces = text.split()
    if word not in ("draw", "refill"):
        return text
    return " ".join([word, *(piece for piece in pieces if not round_.entry.masked(word, piece))])


def _recent(round_: Round) -> tuple[tuple[Any, int, Any], ...]:
    """The last two events with the public's views before them."""
    pairs = zip(round_.states[-3:-1], round_.events[-2:], strict=True)
    return tuple(
        (round_.game.view(before, None), seat, round_.game.read(public(round_, text))) for before, (seat, text) in pairs
    )


def _say(session: Session, mode: Playing, round_: Round) -> tuple[str, tuple[str, ...]]:
    """A key that means nothing, how to pass, or the clock where nothing is entered; the clock's times."""
    if mode.stray:
        return f"{mode.stray} means nothing here", ()
    if mode.nudge and (words := round_.entry.cannot(round_.state)):
        return words, ()
    ticking = clock.times(session) if not mode.keys and mode.pick is None else ()
    said = f"{named('{}', round_.name(round_.turn or 1), TEXT, 30)} {clock.line(session)}" if ticking else ""
    return said, ticking


MARK = {"ok": "tick", "no": "cross", "more": ""}
"""The icon of a draft's verdict."""


def strip(canvas: Canvas, scene: Scene, rest: str) -> None:
    """The last page of a game that needs the strip's height: the verdict's last line, or `rest` when at rest."""
    if scene.draft is not None and not scene.say:
        parts.verdict(canvas, scene.draft.says, MARK[scene.draft.verdict])
    else:
        parts.verdict(canvas, scene.say or rest)
