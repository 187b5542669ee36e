"""Mending at the panel: the owner selects one of their pieces and names it again, while the others look away.

A hand that is still being entered is changed at once; one that was handed in also at once before the first move, later
only with another player's consent, as from a phone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import Refused
from companion.phone_requests import MendRequest
from companion.session import dealing, mending, rounds
from companion.session.mending_pages import closed, masked
from companion.session.model import Refusing

if TYPE_CHECKING:
    from companion.session.mending import Naming
    from companion.session.model import Mending, Round, Session


def press(session: Session, mode: Mending, key: str) -> Session:
    """A key while a piece is chosen, or named anew."""
    round_ = session.round
    if round_ is None:
        return session
    mode = mode._replace(stray=False)
    if not mode.naming:
        return _choosing(session, round_, mode, key)
    if key == "*":
        back = mode._replace(keys=mode.keys[:-1]) if mode.keys else mode._replace(naming=False, cursor=None)
        return session._replace(mode=back, erased=session.clock)
    if key == "#":
        piece = picked(round_, mode)
        return _mended(session, round_, mode, piece) if piece else session._replace(mode=mode)
    if key in ("up", "down", "left", "right"):
        places = offered(round_, mode)
        if mode.cursor is None:
            return session._replace(mode=mode._replace(keys="", cursor=_near(round_, mode, places)))
        return session._replace(mode=mode._replace(keys="", cursor=dealing.walked(places, mode.cursor, key)))
    return _typed(session, round_, mode, key)


def _choosing(session: Session, round_: Round, mode: Mending, key: str) -> Session:
    """Arrows walk over the pieces, OK names the one under the cursor anew, BACK leaves."""
    if key == "*":
        return closed(session, mode)
    if key == "#":
        there = mode._replace(naming=True)
        if session.buttons:
            there = there._replace(cursor=_near(round_, there, offered(round_, there)))
        return session._replace(mode=there)
    by = {"left": -1, "up": -1, "right": 1, "down": 1}.get(key, 0)
    return session._replace(mode=mode._replace(on=(mode.on + by) % len(mode.pieces), stray=not by))


def _typed(session: Session, round_: Round, mode: Mending, key: str) -> Session:
    """A key of the piece; a whole one is put in at once."""
    _, word, _ = spot(round_, mode)
    read = round_.entry.pieces(mode.keys + key, word, round_.options)
    grid = {piece for row in _grid(round_, mode) for piece in row}
    if read is None or len(read[0]) > 1 or any(piece not in grid for piece in read[0]):
        return session._replace(mode=mode._replace(cursor=None, stray=True))
    whole, begun = read
    if whole and not begun:
        return _mended(session, round_, mode, whole[0])
    return session._replace(mode=mode._replace(keys=mode.keys + key, cursor=None))


def picked(round_: Round, mode: Mending) -> str:
    """The piece under the picker, "" where there is none."""
    return _grid(round_, mode)[mode.cursor[0]][mode.cursor[1]] if mode.cursor is not None else ""


def offered(round_: Round, mode: Mending) -> list[tuple[int, int]]:
    """The places of the grid that can be picked, by public knowledge and the owner's other pieces.

    The piece that is mended is always one of them: the picker starts on it, and OK there keeps it as it is.
    """
    word = spot(round_, mode)[1] if mode.entry is None else mode.entry.grid or mode.entry.kind
    spare = round_.entry.spare(round_.game.view(round_.state, None), word, mode.seat)
    # Once the round runs, own pieces may lie on the table already: what everybody sees counts them.
    others = () if round_.events else (*mode.pieces[: mode.on], *mode.pieces[mode.on + 1 :])
    return [
        (row, column)
        for row, pieces in enumerate(_grid(round_, mode))
        for column, piece in enumerate(pieces)
        if spare is None or spare.get(piece, 0) > others.count(piece) or piece == mode.pieces[mode.on]
    ]


def spot(round_: Round, mode: Mending) -> tuple[Naming | None, str, int]:
    """Where the piece under the cursor was named: its naming (None while it is entered), word, and which it is."""
    if mode.entry is not None:
        return None, mode.entry.kind, mode.on
    named, which = mending.mendable(round_, mode.seat)[mode.on]
    return named, named.word, which


def _grid(round_: Round, mode: Mending) -> list[tuple[str, ...]]:
    word = spot(round_, mode)[1] if mode.entry is None else mode.entry.grid or mode.entry.kind
    return [tuple(row) for row in round_.entry.grid(word, round_.options)]


def _near(round_: Round, mode: Mending, places: list[tuple[int, int]]) -> tuple[int, int] | None:
    """Where the picker starts: on the piece that is mended, else on the first place."""
    grid, now = _grid(round_, mode), mode.pieces[mode.on]
    here = [(row, column) for row, line in enumerate(grid) for column, piece in enumerate(line) if piece == now]
    return here[0] if here else places[0] if places else None


# -- the mend itself --------------------------------------------------------------------------------------------


def _mended(session: Session, round_: Round, mode: Mending, piece: str) -> Session:
    """The piece put in its place: in the entry, or in the round."""
    pieces = (*mode.pieces[: mode.on], piece, *mode.pieces[mode.on + 1 :])
    if mode.entry is not None:
        return closed(session, mode._replace(pieces=pieces))
    if piece == mode.pieces[mode.on]:
        return session._replace(mode=mode._replace(naming=False, cursor=None, keys=""))
    named, word, which = spot(round_, mode)
    assert named is not None
    at_table = session._replace(mode=rounds.table(round_))
    try:
        _, text = mending.requested(round_, mode.seat, MendRequest(named.place, which, piece))
        return mending.ask(at_table, round_, mode.seat, named.place, text, unbidden=False)
    except Refused as refused:
        if refused.figure in pieces and masked(round_, word, (piece,)):
            # The owner knows what was named; the others are not to learn of what kind the slip was.
            refused = Refused(refused.code, "That piece", refused.against, refused.rule)
        back = mode._replace(naming=False, cursor=None, keys="")
        return session._replace(mode=Refusing(refused, back), sounds=(*session.sounds, "refused"))
