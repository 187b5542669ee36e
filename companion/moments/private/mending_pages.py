"""Own pieces shown at the panel so that one can be mended: who has any, and how they are opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.box_seats import look_away
from companion.languages import text
from companion.moments.private.own_pieces import Mending
from companion.rounds import namings

if TYPE_CHECKING:
    from companion.moments.private.own_pieces import Entry
    from companion.rounds.on_table import Round
    from companion.session.model import Session


def why_not(round_: Round) -> str:
    """Why nothing can be mended now; "" if something can."""
    if round_.over:
        return text("The round is over.")
    if seats(round_):
        return ""
    named = any(namings.namings(round_, seat) for seat in range(1, len(round_.header.names) + 1))
    return text("All that was named is played.") if named else text("For pieces told to me. For a move, use Take back.")


def seats(round_: Round) -> list[int]:
    """The seats that hold pieces which they have named."""
    return [seat for seat in range(1, len(round_.header.names) + 1) if namings.mendable(round_, seat)]


def open_mending(session: Session, seat: int) -> Session:
    """Show the pieces that a seat has handed in, after the others were asked to look away where any is hidden."""
    round_ = session.round
    if round_ is None:
        return session
    found = namings.mendable(round_, seat)
    screen = Mending(seat, tuple(named.pieces[which] for named, which in found))
    return _show(
        session.show_base(),
        round_,
        screen,
        hidden=any(namings.masked(round_, named.word, named.pieces) for named, _ in found),
    )


def open_entry(session: Session, seat: int, pieces: tuple[str, ...], on: int, entry: Entry) -> Session:
    """Show the pieces of a hand that is still being entered, the cursor `on` one of them."""
    round_ = session.round
    if round_ is None:
        return session
    screen = Mending(seat, pieces, min(on, len(pieces) - 1), entry=entry)
    return _show(session, round_, screen, hidden=namings.masked(round_, entry.word, pieces))


def _show(session: Session, round_: Round, screen: Mending, *, hidden: bool) -> Session:
    asks_first = hidden and look_away(round_.header.names, screen.seat)
    session = session.open(screen.privacy_screen)
    return session if asks_first else session.open(screen)
