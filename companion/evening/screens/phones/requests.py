"""Requests of phones. They are inputs like key presses, and are checked and saved in the same way.

Players play moves, name pieces and correct them. The host changes names, favourites and finished rounds, and enters
points. A change of stored rounds takes a moment: the session asks the store, and the result arrives as an input.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, assert_never

from companion.evening.screen_kinds import close_messages
from companion.evening.screens import box_settings, name_screens, network
from companion.evening.screens.lists import MenuScreen
from companion.evening.screens.messages import Confirmation, Notice, RefusalScreen
from companion.evening.screens.pad.pad_play import PadScreen
from companion.evening.screens.pages import ReviewPage, open_review
from companion.evening.screens.phones import pairing, remote_keys
from companion.evening.screens.phones.pairing import known_names
from companion.evening.screens.phones.phones_page import Phones, report_changed_name
from companion.evening.screens.play import round_actions, round_over, table_menu
from companion.evening.screens.private import corrections, hints
from companion.evening.screens.setup import setup_form
from companion.games.api import RefusedError
from companion.games.api.game_texts import is_draw
from companion.games.api.manifest import holding_kind
from companion.games.score_pad import pad
from companion.inputs import (
    ChangePlayerRequest,
    CodeRequest,
    CorrectPieceRequest,
    FavouriteRequest,
    HostRequest,
    NameChangeRequest,
    NamePiecesRequest,
    PairRequest,
    PlainRequest,
    PlayRequest,
    PressRequest,
    RenameRequest,
    RoleRequest,
    RoundChangeRequest,
    ScoreRequest,
    SettingRequest,
    StartRequest,
    StoredRoundChangeRequest,
)
from companion.languages import Text, text
from companion.rounds import on_table, referee
from companion.rounds.player_names import new_name_fault, normalize_name

if TYPE_CHECKING:
    from companion.evening.model import Session
    from companion.inputs import HintRequest, PhoneRequest, QueryResult, SeatRequest
    from companion.rounds.on_table import Round


NOT_HOST_TEXT = text("This is not the host's phone: ask to be let in at the box.")
NAMES_BETWEEN_ROUNDS_TEXT = text("Names can only be changed between rounds: end or leave the one on the table first.")
CHANGES_BETWEEN_ROUNDS_TEXT = text(
    "Saved rounds can only be changed between rounds: end or leave the one on the table first."
)
NAMED_LINES = text("named pieces"), text("that others hold")
PLAYED_LINES = text("played pieces"), text("that others hold")
BUSY_TEXT = text("The box is busy: look at what it shows.")


def handle_host_request(session: Session, phone_request: PhoneRequest, request: HostRequest) -> Session:
    """Carry out a request of the host's phone, and reply to it unless the store has to be asked first."""
    if not session.phones.host or phone_request.phone != session.phones.host:
        return session.reply_to_phone(phone_request, NOT_HOST_TEXT)
    match request:
        case FavouriteRequest():
            return _change_favourite(session, phone_request, request)
        case ScoreRequest():
            return _enter_points(session, phone_request, request)
        case StartRequest():
            content = remote_keys.topmost_content_or_none(remote_keys.public_session(session))
            after, reason = setup_form.start_round(session, content, request)
            return after.reply_to_phone(phone_request, reason)
        case SettingRequest():
            after, reason = box_settings.try_code(session, request.code)
            if not reason and request.setting in ("networks", "join"):
                return network.ask_for_phone(after, phone_request, request)
            if not reason:
                after, reason = box_settings.change_for_phone(after, request)
            return after.reply_to_phone(phone_request, reason)
        case RenameRequest():
            return _request_rename(session, phone_request, request)
        case RoundChangeRequest():
            if not _is_between_rounds(session):
                return session.reply_to_phone(phone_request, _not_now_text(session, CHANGES_BETWEEN_ROUNDS_TEXT))
            return session.send_request(
                StoredRoundChangeRequest(*request, phone_request.request_number, phone_request.phone)
            )
        case _:
            assert_never(request)


def _is_between_rounds(session: Session) -> bool:
    """Whether names and saved rounds may change: between two rounds, also while the result of one is shown."""
    if session.has_result and close_messages(session).is_at_base:
        return True
    screen = session.close_screen().screen if isinstance(session.screen, Phones) else session.screen
    table_round = session.round or session.pad
    return table_round is None and isinstance(screen, MenuScreen) and screen.is_between_rounds


def _not_now_text(session: Session, refusal: Text) -> Text:
    """The refusal of a change between rounds; without a round or pad on the table only a page of the box is closed."""
    return refusal if session.round or session.pad else text("First close what the box shows, then try again.")


# -- names ------------------------------------------------------------------------------------------------------


def _change_favourite(session: Session, phone_request: PhoneRequest, request: FavouriteRequest) -> Session:
    """Add a name to the favourites, which the box offers first, or remove it."""
    if not request.is_favourite:
        return name_screens.set_favourite(session, request.name, is_favourite=False).reply_to_phone(phone_request)
    name = normalize_name(request.name)
    if reason := new_name_fault(name, known_names(session)):
        return session.reply_to_phone(phone_request, reason)
    if len(session.history.favourites) >= name_screens.MAX_FAVOURITES:
        return session.reply_to_phone(phone_request, name_screens.FAVOURITES_FULL_TEXT)
    return report_changed_name(
        name_screens.set_favourite(session, name, is_favourite=True), phone_request.phone, request.name
    ).reply_to_phone(phone_request)


def _request_rename(session: Session, phone_request: PhoneRequest, request: RenameRequest) -> Session:
    """Ask the store to rename a player, or to make one of two. No round may be on the table."""
    if not _is_between_rounds(session):
        return session.reply_to_phone(phone_request, _not_now_text(session, NAMES_BETWEEN_ROUNDS_TEXT))
    name_as_sent = request.new
    if not request.is_merge:  # For a merge the names must be exactly those that the players have.
        request = request._replace(new=normalize_name(name_as_sent))
    others = [each for each in known_names(session) if each != request.old]
    if reason := new_name_fault(request.new, others):
        return session.reply_to_phone(phone_request, reason)
    session = session if request.is_merge else report_changed_name(session, phone_request.phone, name_as_sent)
    return session.send_request(NameChangeRequest(*request, phone_request.request_number, phone_request.phone))


def finish_name_change(session: Session, result: QueryResult, request: NameChangeRequest) -> Session:
    """Take the store's answer to a changed name: the reason against it ("" if it was done), and the new history."""
    reason, new_history = result.values
    if not request.phone:
        return name_screens.show_name_change(session, request, reason, new_history)
    if reason or new_history is None:
        return session.reply_to_phone(request, reason)
    after = name_screens.apply_name_change(session, new_history, request)
    return _with_name_at_table(after, request.old, request.new).reply_to_phone(request)


def _with_name_at_table(session: Session, old: str, new: str) -> Session:
    """The table with a player's new name: a result on it stays, and with it the rematch that is offered."""
    on_table = session.round or session.pad
    if on_table is None or old not in on_table.header.names:
        return session
    if new in on_table.header.names:  # One player can't have two seats.
        return session.clear_table()
    header = on_table.header.with_name(old, new)
    ready = tuple(new if name == old else name for name in session.ready_players)
    return session._replace(
        round=session.round and session.round._replace(header=header),
        pad=session.pad and session.pad._replace(header=header),
        ready_players=ready,
    )


# -- the score pad ----------------------------------------------------------------------------------------------


def _enter_points(session: Session, phone_request: PhoneRequest, request: ScoreRequest) -> Session:
    sheet = session.pad
    if sheet is None or sheet.is_over:
        return session.reply_to_phone(phone_request, text("No score pad is on the table."))
    try:
        seat, change = sheet.pad.checked_entry(request.seat, pad.parse_points(request.points))
    except ValueError:
        reason = text("Enter a whole number up to {most}, for a player in this game.", most=f"{pad.MAX_POINTS:,}")
        return session.reply_to_phone(phone_request, reason)
    if sheet.pad.has_had_all_turns(seat):
        return session.reply_to_phone(phone_request, text("{who} has no turns left.", who=sheet.player_name(seat)))
    if not isinstance(session.screen, PadScreen):
        return session.reply_to_phone(phone_request, BUSY_TEXT)
    return session.screen.enter_points(session, seat, change).reply_to_phone(phone_request)


def handle_phone_request(session: Session, request: PhoneRequest) -> Session:
    """Carry out a phone's request, and reply to it."""
    if not session.phones.is_on:
        return session.reply_to_phone(request, text("Phones are switched off at the box."))
    session = session._replace(phones=session.phones.without_message(request.phone))
    lit_session = session.with_light_on()
    match request.request:
        case PairRequest():
            return pairing.request_pairing(session, request, request.request)
        case CodeRequest(code):
            return pairing.check_code(session, request, code)
        case RoleRequest():
            return pairing.request_role(session, request, request.request)
        case PressRequest():
            return remote_keys.press_for_phone(lit_session, request, request.request)
    if isinstance(request.request, HostRequest):
        return handle_host_request(lit_session, request, request.request)
    if isinstance(request.request, ChangePlayerRequest) and pairing.is_asking(session, request.phone):
        return pairing.change_asked_player(lit_session, request, request.request.player)
    if not session.phones.player_of(request.phone):
        return session.reply_to_phone(request, text("This phone has no seat: scan the code at the box."))
    if isinstance(request.request, ChangePlayerRequest):
        return pairing.ask_for_player(lit_session, request, request.request.player)
    seat = pairing.phone_seat(session, request.phone)
    if not seat:
        name = session.phones.player_of(request.phone)
        return session.reply_to_phone(request, text("{who} is not playing in a round right now.", who=name))
    try:
        return _handle_seat_request(lit_session, request, request.request, seat)
    except RefusedError as refused:
        return session.reply_to_phone(request, referee.with_player_names(refused.reason, session.round))


def _handle_seat_request(
    session: Session, phone_request: PhoneRequest, request: SeatRequest | None, seat: int
) -> Session:
    """Carry out a request of a player in the round. Raises RefusedError."""
    match request:
        case PlayRequest(move):
            return _play_move(session, phone_request, seat, move)
        case NamePiecesRequest(kind, pieces):
            return _name_pieces(session, phone_request, seat, kind, pieces)
        case CorrectPieceRequest():
            return _correct_piece(session, phone_request, seat, request)
        case PlainRequest.TAKE_BACK:
            return _ask_takeback(session, phone_request, seat)
        case PlainRequest.AGREE | PlainRequest.DECLINE:
            return _decide(session, phone_request, seat, agrees=request is PlainRequest.AGREE)
        case PlainRequest.REMATCH:
            return _take_readiness(session, phone_request, seat)
        case PlainRequest.REVIEW:
            return _toggle_review(session, phone_request)
        case None:
            return session.reply_to_phone(phone_request, text("The box does not know what this phone is asking for."))
        case _:
            assert_never(request)


def _play_move(session: Session, request: PhoneRequest, seat: int, move: str) -> Session:
    """Play a complete move; a draft at the box belongs to the same seat and is dropped. Raises RefusedError.

    If only other players' pieces make the move impossible, everybody is told, in the same words for all pieces.
    """
    round_ = session.round
    session = close_messages(session)
    if round_ is None or round_.turn is None or not session.is_at_base:
        reason = remote_keys.move_blocked_by_box_reason(
            session, seat, remote_keys.topmost_content_or_none(remote_keys.public_session(session))
        )
        return session.reply_to_phone(request, reason or BUSY_TEXT)
    if round_.turn != seat:
        return session.reply_to_phone(request, text("{who} is to move.", who=round_.player_name(round_.turn)))
    try:
        return round_actions.play_event(session, move).reply_to_phone(request)
    except RefusedError:
        try:
            # If the player can know why, the reason is told; else it is a clash with hidden pieces.
            round_.game.play_move(round_.known_state, seat, round_.game.parse_move(move))
        except RefusedError as refused:
            return _refuse_move(session, request, round_, move, _refusal_sentence(round_, refused))
        return _refuse_clash(session, request, round_.player_name(seat), NAMED_LINES if is_draw(move) else PLAYED_LINES)


def _refuse_move(session: Session, request: PhoneRequest, round_: Round, move: str, reason: str) -> Session:
    """Refuse a move. As at the box everybody sees the reason, unless it depends on what the player hides."""
    if (public_refusal := referee.public_refusal(round_, move)) is not None:
        session = session.open_screens(RefusalScreen(public_refusal)).play_sound("refused")
    return session.reply_to_phone(request, reason)


def _refusal_sentence(round_: Round, refused: RefusedError) -> str:
    """Why a move is refused, and what would be accepted, in one line."""
    reason, needed = referee.with_player_names(refused.reason, round_), referee.with_seat_names(refused.needed, round_)
    return text("{why}; {needed}", why=reason, needed=needed) if needed else reason


def _name_pieces(session: Session, request: PhoneRequest, seat: int, word: str, pieces: str) -> Session:
    """Name a holding of the player's own, given by its word in records. Raises RefusedError."""
    kind = holding_kind(word)
    if session.round is None or kind is None or (kind, seat) not in session.round.missing_holdings:
        return session.reply_to_phone(request, text("The box does not need these pieces now."))
    if not session.screen.allows_naming:
        return session.reply_to_phone(request, BUSY_TEXT)
    try:
        return corrections.restore_screens(
            round_actions.enter_holding(session, kind, seat, pieces), session
        ).reply_to_phone(request)
    except RefusedError:
        if on_table.clashes_with_others(session.round, kind, seat, pieces):
            return _refuse_clash(session, request, session.round.player_name(seat), NAMED_LINES)
        raise


def _correct_piece(session: Session, phone_request: PhoneRequest, seat: int, request: CorrectPieceRequest) -> Session:
    """Replace a wrongly named piece of the player's own. Raises RefusedError."""
    round_ = session.round
    session = close_messages(session)
    if round_ is None or round_.is_over or not session.is_at_base:
        return session.reply_to_phone(phone_request, BUSY_TEXT)
    naming, pieces = on_table.requested_correction(round_, seat, request)
    try:
        on_declined = partial(_report_declined, phone=phone_request.phone)
        return corrections.correct_or_ask(
            session, round_, seat, naming.number, pieces, on_declined=on_declined
        ).reply_to_phone(phone_request)
    except RefusedError:
        kind = None if naming.event_number else holding_kind(naming.word)
        if kind is not None and on_table.clashes_with_others(round_, kind, seat, pieces):
            return _refuse_clash(session, phone_request, round_.player_name(seat), NAMED_LINES)
        raise


def _refuse_clash(session: Session, request: PhoneRequest, name: str, message_lines: tuple[str, str]) -> Session:
    """Refuse pieces that only other players' hidden pieces make impossible, and tell everybody.

    Otherwise a player could find out hidden pieces by trying. The words are the same for all pieces; `message_lines`
    says what was done with them.
    """
    session_after = session.open_screens(Notice("alert", name, message_lines, text("Everyone, check your pieces")))
    return session_after.reply_to_phone(
        request, text("These pieces clash with those of the others. Everyone, please check again.")
    )


def can_ask_takeback(session: Session) -> bool:
    """Whether a player may ask on a phone for a takeback: there is a move, and nothing covers the table."""
    return session.round is not None and bool(session.round.events) and close_messages(session).is_at_base


def _ask_takeback(session: Session, request: PhoneRequest, seat: int) -> Session:
    """Ask whether to take the last move back. Another player has to agree, on a phone or at the box."""
    round_ = session.round
    session = close_messages(session)
    if not session.is_at_base:
        return session.reply_to_phone(request, BUSY_TEXT)
    if round_ is None or not round_.events:
        return session.reply_to_phone(request, text("Nothing has been played yet."))
    return table_menu.ask_takeback_for_phone(
        session, round_, seat, partial(_report_declined, phone=request.phone)
    ).reply_to_phone(request)


def _report_declined(session: Session, who: str, phone: str) -> Session:
    """Leave a message on the phone that asked a question: somebody said no."""
    return session._replace(phones=session.phones.with_message(phone, text("{who} said no.", who=who)))


def pending_question_for(session: Session, seat: int) -> Confirmation | None:
    """The question at the box that a seat has to answer now, None for none."""
    screen = session.screen
    return screen if isinstance(screen, Confirmation) and screen.asked_seat == seat else None


def _decide(session: Session, request: PhoneRequest, seat: int, *, agrees: bool) -> Session:
    """Take a player's own yes or no to the question at the box."""
    question = pending_question_for(session, seat)
    if question is None:
        return session.reply_to_phone(request, text("The box is not asking you anything right now."))
    return question.press(session, "#" if agrees else "*").reply_to_phone(request)


# -- after a round ----------------------------------------------------------------------------------------------


def _take_readiness(session: Session, request: PhoneRequest, seat: int) -> Session:
    """A player is ready for the next round. It begins once everybody with a phone is.

    What is open at the box is closed then, unless somebody is asked something or is in the middle of an input.
    """
    ready = {*session.ready_players, session.current_round.player_name(seat)}
    session_after = close_messages(session)._replace(ready_players=tuple(sorted(ready)))
    rematch = round_over.next_rematch(session_after)
    if rematch is None:
        return session.reply_to_phone(request, text("No rematch can begin now."))
    if rematch.awaited:
        return session_after.reply_to_phone(request)
    content = remote_keys.topmost_content_or_none(remote_keys.public_session(session_after))
    is_free = isinstance(session_after.screen, round_over.RoundOver | round_over.MatchScore)
    if not is_free and not remote_keys.may_close_box_screen(session_after, content):
        return session.reply_to_phone(request, BUSY_TEXT)
    return round_actions.begin_next_round(session_after).reply_to_phone(request)


def _toggle_review(session: Session, request: PhoneRequest) -> Session:
    """Open the page that says where the round was decided, or close it again."""
    if isinstance(session.screen, ReviewPage):
        return session.close_screen().reply_to_phone(request)
    session_after, round_ = close_messages(session), session.round
    if round_ is None or not isinstance(session_after.screen, round_over.RoundOver):
        return session.reply_to_phone(request, BUSY_TEXT)
    return open_review(session_after, round_).reply_to_phone(request)


# -- what changes nothing, so that it is worked out beside the loop -------------------------------------------------


def could_have_moved_lines_for_phone(session: Session, phone: str) -> tuple[str, ...]:
    """Whether the phone's own seat could have moved: a heading, then lines; () for a phone without a seat.

    This changes nothing, so a worker beside the loop calls it.
    """
    round_, seat = session.round, pairing.phone_seat(session, phone)
    return referee.could_have_moved_lines(round_, seat) if round_ is not None and seat else ()


def hint_request_or_refusal(session: Session, phone: str) -> HintRequest | tuple[str, ...]:
    """The request for a hint for the phone's own seat.

    Where there is no hint it is a heading and the reason, and () for a phone without a seat. This changes nothing, so a
    worker beside the loop calls it.
    """
    round_, seat = session.round, pairing.phone_seat(session, phone)
    if round_ is None or not seat:
        return ()
    if not session.switches.hints:
        return text("Hint"), text("Hints are off. Switch them on in the menu on the box.")
    if reason := hints.no_hint_reason(round_):
        return text("Hint"), reason
    later = text("You can have a hint when it is your turn.")
    return hints.hint_request(round_) if round_.turn == seat else (text("Hint"), later)
