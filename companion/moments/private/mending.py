"""Mending: a piece that was named wrongly is replaced in its deal or refill, and all later events are replayed.

No message about a mend names a piece that others may not see.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.game import Refused
from companion.languages import text
from companion.moments.ask import Ask
from companion.moments.notice import Notice
from companion.moments.play import round_life
from companion.rounds import namings
from companion.session.model import BaseDue

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.rounds.on_table import Round
    from companion.session.model import Session


def ask(
    session: Session, round_: Round, seat: int, place: int, named: str,
    *, declined: Callable[[Session, str], Session] | None = None,
) -> Session:  # fmt: skip
    """Mend a piece if no move has been made, else ask another player.

    `declined` tells the phone that asks of a no, None where the box asks; a phone's question may interrupt anything.
    """
    if not round_.events:
        if declined is None:
            return _tell_mended(session, seat, place, named)
        return _done(session, place, named)
    other = seat % len(round_.header.names) + 1
    lines = (text("{who} has named a piece wrongly.", who=round_.name(seat)),)
    does = partial(_mend_if_possible, place=place, named=named)
    question = Ask(does, text("Correct a piece?"), lines, (seat, other), (seat,), declined=declined)
    return session.open(question)


def _mend_if_possible(session: Session, place: int, named: str) -> Session:
    """Do the mend, or refuse it if a later event would become illegal; a notice says which."""
    round_ = session.round
    if round_ is None:
        return session
    seat = [*round_.deals, *(("", seat, event) for seat, event in round_.events)][place - 1][1]
    return _tell_mended(session, seat, place, named)


def _tell_mended(session: Session, seat: int, place: int, named: str) -> Session:
    """Do the mend, and tell everybody of it; what a piece that everybody may see was and is now."""
    round_ = session.round_here
    try:
        after = _done(session, place, named)
        now = after.round_here
        turn = now.turn if now.entry.due(now.state) is None else None  # Who still draws is not to move.
        said = _change(round_, now, seat, place)
        follows = text("{who} is to move", who=round_.name(turn)) if turn is not None else ""
    except Refused as refused:
        after = session
        said = text("cannot correct that piece")
        follows = refused.figure if refused.code == "mend" else text("That piece is told or played already")
    return after.open(Notice("mended", round_.name(seat), (said,), follows))


def _change(before: Round, after: Round, seat: int, place: int) -> str:
    """What was corrected, for everybody: ``corrected a piece: +2 → +5`` where it lies face up."""
    was, now = (
        next(each for each in namings.namings(round_, seat) if each.place == place) for round_ in (before, after)
    )
    changed = [pieces for pieces in zip(was.pieces, now.pieces, strict=True) if pieces[0] != pieces[1]]
    if len(changed) != 1 or namings.masked(before, was.word, changed[0]):
        return text("corrected a piece")
    one, other = map(before.entry.printed, changed[0])
    return text("corrected a piece: {before} → {after}", before=one, after=other)


def _done(session: Session, place: int, named: str) -> Session:
    """Mend a piece, which is stored."""
    return keep_screens(round_life.mend(session, place, named), session)


def keep_screens(after: Session, before: Session) -> Session:
    """Go back to the screens from before a phone's request, with the draft of somebody else, if that still fits."""
    return after.show(BaseDue(before.screens)) if after.at_base else after
