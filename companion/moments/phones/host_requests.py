"""Requests of the host's phone: change names, favourites and finished rounds, and enter points on a score pad.

A changed name changes every stored round, and a corrected round is refereed again, which takes a moment: the session
requests it of the store, and its result is an input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from companion.games.score_pad import rules as pad
from companion.inputs import ChangeRequest, NameRequest
from companion.languages import text
from companion.moments.menus import names
from companion.moments.menus.menu import MenuScreen
from companion.moments.pad.pad_play import Scoring
from companion.moments.phones.pairing import known_names
from companion.moments.phones.phones_page import Phones, tell_changed
from companion.phone_requests import FavouriteRequest, RenameRequest, RoundChangeRequest, ScoreRequest
from companion.rounds.player_names import normal_name, not_taken

if TYPE_CHECKING:
    from companion.inputs import PhoneRequest, QueryResult
    from companion.phone_requests import HostRequest
    from companion.session.model import Session

NOT_HOST = text("This phone is not the host's: ask the box to let it in.")
BETWEEN = text("Names are changed between two rounds: go to the main menu of the box first.")
ROUND_BETWEEN = text("A round is changed between two rounds: go to the main menu of the box first.")


def answer_host(session: Session, event: PhoneRequest, request: HostRequest) -> Session:
    """Carry out a request of the host's phone, and answer it where that is possible already."""
    if not session.phones.host or event.phone != session.phones.host:
        return session.answer(event, NOT_HOST)
    match request:
        case FavouriteRequest():
            return _change_favourite(session, event, request)
        case ScoreRequest():
            return _enter_points(session, event, request)
        case RenameRequest():
            return _request_rename(session, event, request)
        case RoundChangeRequest():
            if not _is_between_rounds(session):
                return session.answer(event, ROUND_BETWEEN)
            return session.request(ChangeRequest(*request, event.number, event.phone))
        case _:
            assert_never(request)


def _is_between_rounds(session: Session) -> bool:
    screen = session.close().screen if isinstance(session.screen, Phones) else session.screen
    on_table = session.round or session.pad
    return on_table is None and isinstance(screen, MenuScreen) and screen.between_rounds


# -- names ------------------------------------------------------------------------------------------------------


def _change_favourite(session: Session, event: PhoneRequest, request: FavouriteRequest) -> Session:
    """Add a name to the favourites, which the box offers first, or remove it."""
    if not request.favoured:
        return names.set_favourite(session, request.name, first=False).answer(event)
    name = normal_name(request.name)
    if why := not_taken(name, known_names(session)):
        return session.answer(event, why)
    if len(session.past.favourites) >= names.MOST_FAVOURITES:
        return session.answer(event, names.FULL)
    return tell_changed(names.set_favourite(session, name, first=True), event.phone, request.name).answer(event)


def _request_rename(session: Session, event: PhoneRequest, request: RenameRequest) -> Session:
    """Ask the store to rename a player, or to make one of two; only while no round is on the table."""
    if not _is_between_rounds(session):
        return session.answer(event, BETWEEN)
    sent = request.new
    if not request.merged:  # Two players are made one by the names that they have.
        request = request._replace(new=normal_name(sent))
    others = [each for each in known_names(session) if each != request.old]
    if why := not_taken(request.new, others):
        return session.answer(event, why)
    session = session if request.merged else tell_changed(session, event.phone, sent)
    return session.request(NameRequest(*request, event.number, event.phone))


def take_renamed(session: Session, result: QueryResult, request: NameRequest) -> Session:
    """Take what the store says of a changed name: why not (""), and the new history."""
    why, past = result.found
    if not request.phone:
        return names.tell_renamed(session, request, why, past)
    if why or past is None:
        return session.answer(request, why)
    return names.take_change(session, past, request).answer(request)


# -- the score pad ----------------------------------------------------------------------------------------------


def _enter_points(session: Session, event: PhoneRequest, request: ScoreRequest) -> Session:
    """Points of one player."""
    sheet = session.pad
    if sheet is None or sheet.over:
        return session.answer(event, text("No score pad is on the table."))
    try:
        seat, change = sheet.pad.judged(request.seat, pad.read(request.points))
    except ValueError:
        why = text("Points are a whole number up to {most}, of a player of this game.", most=f"{pad.MOST:,}")
        return session.answer(event, why)
    if sheet.pad.had_all(seat):
        return session.answer(event, text("{who} has had all turns.", who=sheet.name(seat)))
    if not isinstance(session.screen, Scoring):
        return session.answer(event, text("The box is busy: look at its panel."))
    return session.screen.enter_points(session, seat, change).answer(event)
