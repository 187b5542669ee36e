"""Own pieces shown at the panel so that one can be mended: how they are opened, covered and left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.opponent import look_away
from companion.session import mending, rounds
from companion.session.model import Hint, LookAway, Mending, Refusing

if TYPE_CHECKING:
    from companion.session.model import Dealing, Mode, Round, Session

COVERED_SECONDS = 30.0
"""In seconds: how long without a press the pieces stay on the panel."""


def why_not(round_: Round) -> str:
    """Why nothing can be mended now; "" if something can."""
    if round_.over:
        return "The round is over."
    if seats(round_):
        return ""
    named = any(mending.namings(round_, seat) for seat in range(1, len(round_.header.names) + 1))
    return "All that was named is played." if named else "Nobody has named a piece yet."


def seats(round_: Round) -> list[int]:
    """The seats that hold pieces which they have named."""
    return [seat for seat in range(1, len(round_.header.names) + 1) if mending.mendable(round_, seat)]


def opened(session: Session, seat: int) -> Session:
    """The pieces that a seat has handed in, after the others were asked to look away where any is hidden."""
    round_ = session.round
    if round_ is None:
        return session
    found = mending.mendable(round_, seat)
    mode = Mending(seat, tuple(named.pieces[which] for named, which in found))
    return _shown(session, round_, mode, hidden=any(masked(round_, named.word, named.pieces) for named, _ in found))


def entry_opened(session: Session, entry: Dealing) -> Session:
    """The pieces of a hand that is still being entered, the cursor on the one that cannot be."""
    round_ = session.round
    if round_ is None:
        return session
    wrong = entry.wrong.figure if entry.wrong is not None else ""
    number = wrong.removeprefix("piece ")
    on = int(number) - 1 if number.isdigit() else entry.pieces.index(wrong) if wrong in entry.pieces else 0
    mode = Mending(entry.seat, entry.pieces, min(on, len(entry.pieces) - 1), entry=entry)
    return _shown(session, round_, mode, hidden=masked(round_, entry.kind, entry.pieces))


def masked(round_: Round, word: str, pieces: tuple[str, ...]) -> bool:
    """Whether any of these pieces is hidden from the others."""
    held = round_.manifest.holding(word)
    return (held is not None and not held.face_up) or any(round_.entry.masked(word, piece) for piece in pieces)


def _shown(session: Session, round_: Round, mode: Mending, *, hidden: bool) -> Session:
    asks_first = hidden and look_away(round_.header.names, mode.seat)
    return session._replace(mode=LookAway(mode.seat, mode) if asks_first else mode)


def covered(mode: Mode) -> Mode:
    """The question whether the others look away, in the place of pieces, or of a hint that rests on them."""
    match mode:
        case Mending():
            return LookAway(mode.seat, mode._replace(naming=False, keys="", cursor=None))
        case Hint(hidden=True):
            return LookAway(mode.request.seat, hint=mode)
    return mode


def due(session: Session) -> float | None:
    """The monotonic time at which pieces on the panel are covered by themselves, also under a refusal; None: never."""
    mode = session.mode.back if isinstance(session.mode, Refusing) else session.mode
    return session.pressed + COVERED_SECONDS if covered(mode) is not mode else None


def ticked(session: Session) -> Session:
    """The session with the pieces covered if no key was pressed for `COVERED_SECONDS`."""
    until = due(session)
    if until is None or session.clock < until:
        return session
    return session._replace(mode=covered(session.mode.back if isinstance(session.mode, Refusing) else session.mode))


def closed(session: Session, mode: Mending) -> Session:
    """Back to the hand that is being entered, else to the table."""
    if mode.entry is not None:
        return session._replace(mode=mode.entry._replace(pieces=mode.pieces, wrong=None, cursor=None))
    return session if session.round is None else session._replace(mode=rounds.table(session.round))
