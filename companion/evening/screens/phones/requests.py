"""Requests of phones. They are inputs like key presses, and are checked and saved in the same way.

Players play moves, name pieces and correct them. The host changes names, favourites and finished rounds, and enters
points. A change of stored rounds takes a moment: the session asks the store, and the result arrives as an input.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, assert_never

from companion.evening.screen_kinds import close_messages
from companion.evening.screens import names
from companion.evening.screens.lists import MenuScreen
from companion.evening.screens.messages import Ask, Notice, Refusing
from companion.evening.screens.pad.pad_play import Scoring
from companion.evening.screens.phones import pairing, remote
from companion.evening.screens.phones.pairing import known_names
from companion.evening.screens.phones.phones_page import Phones, tell_changed
from companion.evening.screens.play import round_life, table_menu
from companion.evening.screens.private import hints, mending
from companion.games.api import RefusedError
from companion.games.api.manifest import holding_kind
from companion.games.api.words import is_draw
from companion.games.score_pad import rules as pad
from companion.inputs import (
    StoredRoundChangeRequest,
    CodeRequest,
    NamePiecesRequest,
    FavouriteRequest,
    HostingRequest,
    CorrectPieceRequest,
    NameChangeRequest,
    PairRequest,
    PlainRequest,
    PlayRequest,
    PressRequest,
    RenameRequest,
    RoundChangeRequest,
    ScoreRequest,
    ChangePlayerRequest,
)
from companion.languages import text
from companion.rounds import on_table, referee
from companion.rounds.player_names import normalize_name, new_name_fault

if TYPE_CHECKING:
    from companion.evening.model import Session
    from companion.inputs import HintRequest, HostRequest, PhoneRequest, QueryResult, SeatRequest
    from companion.rounds.on_table import Round


NOT_HOST = text("This is not the host's phone: ask to be let in at the box.")
BETWEEN = text("Names can only be changed between rounds: first go to the main menu on the box.")
ROUND_BETWEEN = text("Saved rounds can only be changed between rounds: first go to the main menu on the box.")


def answer_host(session: Session, event: PhoneRequest, request: HostRequest) -> Session:
    """Carry out a request of the host's phone, and reply to it unless the store has to be asked first."""
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
            return session.request(StoredRoundChangeRequest(*request, event.number, event.phone))
        case _:
            assert_never(request)


def _is_between_rounds(session: Session) -> bool:
    screen = session.close().screen if isinstance(session.screen, Phones) else session.screen
    on_table = session.round or session.pad
    return on_table is None and isinstance(screen, MenuScreen) and screen.between_rounds


# -- names ------------------------------------------------------------------------------------------------------


def _change_favourite(session: Session, event: PhoneRequest, request: FavouriteRequest) -> Session:
    """Add a name to the favourites, which the box offers first, or remove it."""
    if not request.is_favourite:
        return names.set_favourite(session, request.name, first=False).answer(event)
    name = normalize_name(request.name)
    if why := new_name_fault(name, known_names(session)):
        return session.answer(event, why)
    if len(session.past.favourites) >= names.MOST_FAVOURITES:
        return session.answer(event, names.FULL)
    return tell_changed(names.set_favourite(session, name, first=True), event.phone, request.name).answer(event)


def _request_rename(session: Session, event: PhoneRequest, request: RenameRequest) -> Session:
    """Ask the store to rename a player, or to make one of two. No round may be on the table."""
    if not _is_between_rounds(session):
        return session.answer(event, BETWEEN)
    sent = request.new
    if not request.is_merge:  # For a merge the names must be exactly those that the players have.
        request = request._replace(new=normalize_name(sent))
    others = [each for each in known_names(session) if each != request.old]
    if why := new_name_fault(request.new, others):
        return session.answer(event, why)
    session = session if request.is_merge else tell_changed(session, event.phone, sent)
    return session.request(NameChangeRequest(*request, event.number, event.phone))


def take_renamed(session: Session, result: QueryResult, request: NameChangeRequest) -> Session:
    """Take the store's answer to a changed name: the reason against it ("" if it was done), and the new history."""
    why, past = result.values
    if not request.phone:
        return names.tell_renamed(session, request, why, past)
    if why or past is None:
        return session.answer(request, why)
    return names.take_change(session, past, request).answer(request)


# -- the score pad ----------------------------------------------------------------------------------------------


def _enter_points(session: Session, event: PhoneRequest, request: ScoreRequest) -> Session:
    sheet = session.pad
    if sheet is None or sheet.is_over:
        return session.answer(event, text("No score pad is on the table."))
    try:
        seat, change = sheet.pad.checked_entry(request.seat, pad.parse_points(request.points))
    except ValueError:
        why = text("Enter a whole number up to {most}, for a player in this game.", most=f"{pad.MAX_POINTS:,}")
        return session.answer(event, why)
    if sheet.pad.has_had_all_turns(seat):
        return session.answer(event, text("{who} has no turns left.", who=sheet.player_name(seat)))
    if not isinstance(session.screen, Scoring):
        return session.answer(event, text("The box is busy: look at its panel."))
    return session.screen.enter_points(session, seat, change).answer(event)


NAMED = text("named pieces"), text("that others hold")
PLAYED = text("played pieces"), text("that others hold")
BUSY = text("The box is busy: look at its panel.")


def answer_phone(session: Session, event: PhoneRequest) -> Session:
    """Carry out a phone's request, and reply to it."""
    if not session.phones.on:
        return session.answer(event, text("Phones are switched off at the box."))
    session = session._replace(phones=session.phones.heard(event.phone))
    woken = session.wake()
    match event.request:
        case PairRequest():
            return pairing.request_pairing(session, event, event.request)
        case CodeRequest(code):
            return pairing.check_code(session, event, code)
        case HostingRequest():
            return pairing.request_hosting(session, event, event.request)
        case FavouriteRequest() | RenameRequest() | RoundChangeRequest() | ScoreRequest():
            return answer_host(woken, event, event.request)
        case PressRequest():
            return remote.answer_press(woken, event, event.request)
    if not session.phones.player(event.phone):
        return session.answer(event, text("This phone has no seat: scan the code at the box."))
    if isinstance(event.request, ChangePlayerRequest):
        return pairing.request_player(woken, event, event.request.player)
    seated = pairing.seat(session, event.phone)
    if not seated:
        name = session.phones.player(event.phone)
        return session.answer(event, text("{who} is not playing in a round right now.", who=name))
    try:
        return _carry_out(woken, event, event.request, seated)
    except RefusedError as refused:
        return session.answer(event, referee.with_player_names(refused.reason, session.round))


def _carry_out(session: Session, event: PhoneRequest, request: SeatRequest | None, seat: int) -> Session:
    """Carry out a request of a player in the round. Raises RefusedError."""
    match request:
        case PlayRequest(move):
            return _play_move(session, event, seat, move)
        case NamePiecesRequest(kind, pieces):
            return _name_pieces(session, event, seat, kind, pieces)
        case CorrectPieceRequest():
            return _mend_piece(session, event, seat, request)
        case PlainRequest.TAKE_BACK:
            return _ask_take_back(session, event, seat)
        case PlainRequest.AGREE | PlainRequest.DECLINE:
            return _decide(session, event, seat, agrees=request is PlainRequest.AGREE)
        case None:
            return session.answer(event, text("The box does not know what this phone is asking for."))
        case _:
            assert_never(request)


def _play_move(session: Session, event: PhoneRequest, seat: int, move: str) -> Session:
    """Play a complete move; a draft at the box belongs to the same seat and is dropped. Raises RefusedError.

    If only other players' pieces make the move impossible, everybody is told, in the same words for all pieces.
    """
    round_ = session.round
    session = close_messages(session)
    if round_ is None or round_.turn is None or not session.at_base:
        held = remote.hold_up(session, seat, remote.content(remote.in_public(session)))
        return session.answer(event, held or BUSY)
    if round_.turn != seat:
        return session.answer(event, text("{who} is to move.", who=round_.player_name(round_.turn)))
    try:
        return round_life.commit(session, move).answer(event)
    except RefusedError:
        try:
            # If the player can know why, the reason is told; else it is a clash with hidden pieces.
            round_.game.play_move(round_.known_state, seat, round_.game.parse_move(move))
        except RefusedError as refused:
            return _refuse_move(session, event, round_, move, _reason(round_, refused))
        return _refuse_clash(session, event, round_.player_name(seat), NAMED if is_draw(move) else PLAYED)


def _refuse_move(session: Session, event: PhoneRequest, round_: Round, move: str, why: str) -> Session:
    """Refuse a move. As at the box everybody sees the reason, unless it depends on what the player hides."""
    if (aloud := referee.public_refusal(round_, move)) is not None:
        session = session.open(Refusing(aloud)).sound("refused")
    return session.answer(event, why)


def _reason(round_: Round, refused: RefusedError) -> str:
    """Why a move is refused, and what would be accepted, in one line."""
    why, needed = referee.with_player_names(refused.reason, round_), referee.with_seat_names(refused.needed, round_)
    return text("{why}; {needed}", why=why, needed=needed) if needed else why


def _name_pieces(session: Session, event: PhoneRequest, seat: int, word: str, pieces: str) -> Session:
    """Name a holding of the player's own, given by its word in records. Raises RefusedError."""
    kind = holding_kind(word)
    if session.round is None or kind is None or (kind, seat) not in session.round.missing_holdings:
        return session.answer(event, text("The box does not need these pieces now."))
    if not session.screen.naming_goes_on:
        return session.answer(event, BUSY)
    try:
        return mending.keep_screens(round_life.deal(session, kind, seat, pieces), session).answer(event)
    except RefusedError:
        if on_table.clashes_with_others(session.round, kind, seat, pieces):
            return _refuse_clash(session, event, session.round.player_name(seat), NAMED)
        raise


def _mend_piece(session: Session, event: PhoneRequest, seat: int, request: CorrectPieceRequest) -> Session:
    """Replace a wrongly named piece of the player's own. Raises RefusedError."""
    round_ = session.round
    session = close_messages(session)
    if round_ is None or round_.is_over or not session.at_base:
        return session.answer(event, BUSY)
    named, pieces = on_table.requested_correction(round_, seat, request)
    try:
        told = partial(_tell_no, phone=event.phone)
        return mending.ask_correction(session, round_, seat, named.number, pieces, declined=told).answer(event)
    except RefusedError:
        kind = None if named.event_number else holding_kind(named.word)
        if kind is not None and on_table.clashes_with_others(round_, kind, seat, pieces):
            return _refuse_clash(session, event, round_.player_name(seat), NAMED)
        raise


def _refuse_clash(session: Session, event: PhoneRequest, name: str, did: tuple[str, str]) -> Session:
    """Refuse pieces that only other players' hidden pieces make impossible, and tell everybody.

    Otherwise a player could find out hidden pieces by trying. The words are the same for all pieces; `message_lines`
    says what was done with them.
    """
    told = session.open(Notice("alert", name, did, text("Everyone, check your pieces")))
    return told.answer(event, text("These pieces clash with those of the others. Everyone, please check again."))


def may_take_back(session: Session) -> bool:
    """Whether a player may ask on a phone for a takeback: there is a move, and nothing covers the table."""
    return session.round is not None and bool(session.round.events) and close_messages(session).at_base


def _ask_take_back(session: Session, event: PhoneRequest, seat: int) -> Session:
    """Ask whether to take the last move back. Another player has to agree, on a phone or at the box."""
    round_ = session.round
    session = close_messages(session)
    if not session.at_base:
        return session.answer(event, BUSY)
    if round_ is None or not round_.events:
        return session.answer(event, text("Nothing has been played yet."))
    return table_menu.ask_take_back_by(session, round_, seat, partial(_tell_no, phone=event.phone)).answer(event)


def _tell_no(session: Session, who: str, phone: str) -> Session:
    """Leave a message on the phone that asked a question: somebody said no."""
    return session._replace(phones=session.phones.told(phone, text("{who} said no.", who=who)))


def asked_of(session: Session, seat: int) -> Ask | None:
    """The question at the box that a seat has to answer now, None for none."""
    screen = session.screen
    return screen if isinstance(screen, Ask) and screen.asked == seat else None


def _decide(session: Session, event: PhoneRequest, seat: int, *, agrees: bool) -> Session:
    """Take a player's own yes or no to the question at the box."""
    question = asked_of(session, seat)
    if question is None:
        return session.answer(event, text("The box is not asking you anything right now."))
    return question.press(session, "#" if agrees else "*").answer(event)


# -- what changes nothing, so that it is worked out beside the loop--------------------------------------------------


def could(session: Session, phone: str) -> tuple[str, ...]:
    """Whether the seat to move could have moved: a heading, then lines; () for a phone without a seat.

    This changes nothing, so a worker beside the loop calls it.
    """
    round_ = session.round
    return referee.could_have_moved_lines(round_) if round_ is not None and pairing.seat(session, phone) else ()


def request_hint(session: Session, phone: str) -> HintRequest | tuple[str, ...]:
    """The request for a hint for the phone's own seat.

    Where there is no hint it is a heading and the reason, and () for a phone without a seat. This changes nothing, so a
    worker beside the loop calls it.
    """
    round_, seat = session.round, pairing.seat(session, phone)
    if round_ is None or not seat:
        return ()
    if not session.switches.hints:
        return text("Hint"), text("Hints are off. Switch them on in the menu on the box.")
    if why := hints.why_not(session, round_):
        return text("Hint"), why
    later = text("You can have a hint when it is your turn.")
    return hints.request(round_) if round_.turn == seat else (text("Hint"), later)
