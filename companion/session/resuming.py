"""Resuming an unfinished round: the question at the start of the evening, and its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.game.opponent import strength
from companion.games.score_pad import rules as pad
from companion.session import doctor, pad_rounds, questions, rounds
from companion.session.main_menu import main_menu
from companion.session.model import MatchScore, PadRound, Resume, Round, Session, pad_of, round_of

if TYPE_CHECKING:
    from companion.session.model import StoredRound


def press_resume(session: Session, mode: Resume, key: str) -> Session:
    """Go on? OK does, BACK keeps it as unfinished and starts anew; 0 opens the doctor, as on the title."""
    if key == "0":
        return doctor.opened(session)
    if key == "#" and isinstance(mode.round, PadRound):
        return pad_rounds.table(session._replace(pad=mode.round))
    if key == "#" and isinstance(mode.round, Round):
        session = session._replace(round=mode.round)
        if mode.between:
            return rounds.next_round(session._replace(mode=MatchScore()))
        return session._replace(mode=rounds.table(mode.round))
    if key == "*":
        return opening(rounds.set_aside(session, mode.round))
    return session


def opening(session: Session) -> Session:
    """Where the table starts when nothing is unfinished: the round of the command line, or the menu.

    What it means that the box plays is told before that round, as it is where a seat is given to it in the menus.
    """
    header = session.settings.requested
    if header is None:
        return main_menu(session)
    names = header.names or questions.names(session, games.manifest(header.game).players[0])
    session = rounds.begin(session, header._replace(names=names))
    for name in reversed(names):
        if strength(name):
            session = session._replace(mode=questions.told_of_box(header.game, name, session.mode))
    return session


def question(kept: StoredRound) -> Resume:
    """The question for an unfinished round, or for the match that its finished one belongs to.

    Raises Refused or ValueError if it no longer replays.
    """
    if kept.header.game == pad.ID:
        return Resume(pad_of(kept))
    round_ = round_of(kept)
    return Resume(round_, between=round_.over)
