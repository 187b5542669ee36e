"""What is there when nothing covers the table: a deal, a move or a result of what is on it, else the main menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.moments.menus.main_menu import main_menu
from companion.moments.pad.pad_over import PadOver
from companion.moments.pad.scoring import Scoring
from companion.moments.play.dealing import Dealing
from companion.moments.play.playing import Playing
from companion.moments.play.round_over import RoundOver

if TYPE_CHECKING:
    from companion.rounds.on_table import PadRound, Round
    from companion.session.model import Moment, Session


def floor(session: Session) -> Moment:
    """The moment of the round or score pad on the table; the main menu where there is none."""
    if session.pad is not None:
        return _of_pad(session.pad)
    return _of_round(session.round) if session.round is not None else main_menu(session)


def _of_round(round_: Round) -> Moment:
    """Naming pieces of a deal or a refill, a move, or the result."""
    if round_.waiting:
        kind, seat = round_.waiting[0]
        return Dealing(kind, seat, round_.game.size(kind, len(round_.header.names), round_.options), grid=kind)
    turn = round_.turn
    if turn is None:
        return RoundOver()
    if due := round_.entry.due(round_.state):
        return Dealing(due.word, turn, due.wanted, grid=due.grid)
    return Playing()


def _of_pad(sheet: PadRound) -> Moment:
    """Points, with the cursor where it was, or first on the seat that has had the fewest turns; or the result."""
    taken = sheet.pad.taken
    return PadOver() if sheet.over else Scoring(sheet.seat or taken.index(min(taken)) + 1)
