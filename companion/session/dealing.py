"""Naming pieces: the open holdings of a deal, seat by seat, and the refills of a round; typed or picked, then OK."""

from __future__ import annotations

from companion.game import Refused
from companion.session import guard, pause, rounds
from companion.session.model import Dealing, Refusing, Session

LONGEST = 2
"""Pieces that may be entered beyond the right count, so that a slip shows as a wrong count and not as a dead key."""


def press(session: Session, mode: Dealing, key: str) -> Session:
    """A key while pieces are named."""
    round_ = session.round
    if round_ is None:
        return session
    mode = mode._replace(wrong=None, stray="")
    if key == "#":
        return _entered(session, mode)
    if key == "*":
        return _erased(session, mode)
    if key in ("up", "down", "left", "right"):
        return session._replace(mode=_walked(mode._replace(keys=""), round_.entry.grid(mode.grid, round_.options), key))
    return session._replace(mode=_typed(session, mode, key))


def _typed(session: Session, mode: Dealing, key: str) -> Dealing:
    round_ = session.round
    assert round_ is not None
    read = round_.entry.pieces(mode.keys + key, mode.kind, round_.options)
    if read is None:
        return mode._replace(at=None, stray=key)
    if len(mode.pieces) >= mode.size + LONGEST:
        return mode._replace(at=None)
    whole, begun = read
    return mode._replace(pieces=(*mode.pieces, *whole), keys=begun, at=None)


def _walked(mode: Dealing, grid: object, key: str) -> Dealing:
    rows = list(grid)  # type: ignore[call-overload]
    if not rows:
        return mode
    if mode.at is None:
        return mode._replace(at=(0, 0))
    row, column = mode.at
    if key in ("up", "down"):
        row = (row + (1 if key == "down" else -1)) % len(rows)
        return mode._replace(at=(row, min(column, len(rows[row]) - 1)))
    # From the end of a row to the next, as one reads.
    places = [(line, place) for line, pieces in enumerate(rows) for place in range(len(pieces))]
    return mode._replace(at=places[(places.index(mode.at) + (1 if key == "right" else -1)) % len(places)])


def _erased(session: Session, mode: Dealing) -> Session:
    if mode.keys:
        return session._replace(mode=mode._replace(keys=mode.keys[:-1]), erased=session.clock)
    if mode.pieces:
        return session._replace(mode=mode._replace(pieces=mode.pieces[:-1]), erased=session.clock)
    if session.clock - session.erased < guard.ERASE_SECONDS:
        return guard.waiting(session, session.erased + guard.ERASE_SECONDS)
    return pause.open_menu(session)


def _entered(session: Session, mode: Dealing) -> Session:
    """OK adds the picked piece while some are missing; else the holding is checked and taken."""
    round_ = session.round
    assert round_ is not None
    if mode.at is not None and len(mode.pieces) < mode.size:
        row, column = mode.at
        piece = round_.entry.grid(mode.grid, round_.options)[row][column]
        return session._replace(mode=mode._replace(pieces=(*mode.pieces, piece)))
    if mode.keys or not mode.pieces:
        return session  # The screen says what is missing.
    text = " ".join(mode.pieces)
    try:
        if mode.kind in round_.manifest.holdings:
            return rounds.deal(session, mode.kind, mode.seat, text)
        return rounds.commit(session, f"{mode.kind} {text}")
    except Refused as refused:
        if any(piece == refused.figure and round_.entry.masked(mode.kind, piece) for piece in mode.pieces):
            # The owner knows what was named; the others are not to learn of what kind the slip was.
            refused = Refused(refused.code, "one piece", refused.against, refused.rule)
        kept = mode._replace(wrong=refused)
        return session._replace(mode=Refusing(refused, kept), sounds=(*session.sounds, "refused"))
