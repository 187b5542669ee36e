"""Seats of computer players: requesting a move, showing it, confirming it, and taking it back.

::

    it is the computer's turn ──► request_computer_move ──► a worker searches, `Session.computer_move` has its progress
    the move is found         ──► the players make it with the real pieces and press OK ──► confirm_computer_move
    no move is found          ──► the players enter one for it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening.screens.play import round_actions
from companion.games.api import RefusedError
from companion.games.api.computer_players import computer_strength
from companion.games.api.game_texts import is_draw
from companion.games.api.move_input import Draft
from companion.inputs import ComputerMove, ComputerMoveRequest
from companion.languages import text

if TYPE_CHECKING:
    from companion.evening.model import Session
    from companion.rounds.on_table import Round


def is_computer_seat(round_: Round, seat: int) -> bool:
    """Whether the computer plays for a seat.

    It does if the seat has a computer player's name, the game has one, and the referee knows all that the seat holds.
    """
    if not computer_strength(round_.player_name(seat)) or not round_.manifest.allows_computer_player:
        return False
    return all((kind, seat) in round_.header.opened for kind in round_.manifest.holdings)


def human_seats(round_: Round) -> tuple[int, ...]:
    """The seats that the computer doesn't play for."""
    return tuple(seat for seat in range(1, len(round_.header.names) + 1) if not is_computer_seat(round_, seat))


def request_computer_move(session: Session) -> Session:
    """Request the move of the computer player to move, if there is none yet; drop it once somebody else is to move."""
    round_, current = session.round, session.computer_move
    turn = round_.turn if round_ is not None else None
    if (
        round_ is None
        or turn is None
        or not is_computer_seat(round_, turn)
        or round_.move_input.due_refill(round_.state)
        or round_.game.chance_outcomes(round_.state)
    ):
        return session if current is None else session._replace(computer_move=None)
    if session.is_stopping or (current is not None and current.request.states is round_.states):
        return session
    name, seed = round_.player_name(turn), round_.id + len(round_.events)
    request = ComputerMoveRequest(round_.header.game, round_.states, round_.events, turn, computer_strength(name), seed)
    return session._replace(computer_move=ComputerMove(request)).send_request(request)


def take_computer_move(session: Session, move: ComputerMove) -> Session:
    """Take the progress of a search, or its move, if the position is still the one of the request."""
    current, round_ = session.computer_move, session.round
    if current is None or current.request is not move.request or round_ is None:
        return session
    session = session._replace(computer_move=move)
    if not move.move and not move.has_failed:
        return session
    if session.is_at_base:
        # A new screen is protected from double taps, so that none confirms the move.
        session = session.show_base_screen()
    if move.has_failed:
        return session._replace(
            banner=text("{who} made no move:\nenter one for it", who=round_.player_name(move.request.seat))
        )
    if session.light == "dim":
        session = session.with_light_on()
    return session.play_sound("your turn")


def awaits_confirmation(session: Session) -> bool:
    """Whether keys are not for a draft now: the computer is searching, or its move waits to be confirmed."""
    return session.computer_move is not None and not session.computer_move.has_failed


def confirm_computer_move(session: Session) -> Session:
    """Play the computer's move. Nothing changes while it is still searching."""
    move = session.computer_move
    if move is None or not move.move:
        return session.show_base_screen()
    try:
        return round_actions.play_event(session, move.move)
    except RefusedError:  # The coach found a move that the rules refuse.
        return take_computer_move(session, move._replace(move="", has_failed=True))


def computer_draft(session: Session) -> Draft | None:
    """The computer's move as a draft, as if it had been entered; None while there is none."""
    move, round_ = session.computer_move, session.round
    if move is None or not move.move or round_ is None:
        return None
    keys = round_.move_input.keys_for_event(move.move)
    typed_draft = round_.judge_draft(keys) if keys else None
    return typed_draft or Draft(move.move, move.move, "ok")


def computer_line(session: Session) -> str:
    """What the computer player does, in a line of about 25 characters; "" in a person's turn."""
    computer_move, round_ = session.computer_move, session.round
    if computer_move is None or round_ is None or computer_move.has_failed:
        return ""
    name = round_.player_name(computer_move.request.seat)
    if not computer_move.move:
        return text("{who} thinks: {share}%", who=name, share=computer_move.percent)
    key = session.ok_name
    if round_.move_input.keys_for_event(computer_move.move):  # Such a move is shown as a draft already.
        return text("make its move, then {key}", key=key)
    return text(
        "{who}: {move}, then {key}", who=name, move=round_.move_input.with_printed_names(computer_move.move), key=key
    )


def computer_announcement(session: Session) -> tuple[str, ...]:
    """What the computer player does, for a big screen, a heading first; () in a person's turn."""
    computer_move, round_ = session.computer_move, session.round
    if computer_move is None or round_ is None or computer_move.has_failed:
        return ()
    name = round_.player_name(computer_move.request.seat)
    if not computer_move.move:
        return (text("{who} thinks: {share}%", who=name, share=computer_move.percent),)
    move = text("{who}: {move}", who=name, move=round_.move_input.with_printed_names(computer_move.move))
    return move, text("Make this move, then confirm it at the box.")


def take_back_turn(session: Session) -> Session:
    """The session before the last event that a person chose, or before the last deal."""
    count = count_events_to_take_back(session.round) if session.round is not None else 1
    for _ in range(count):
        session = round_actions.take_back_event(session)
    return session


def count_events_to_take_back(round_: Round) -> int:
    """How many events a takeback undoes.

    These are the moves that the computer chose and the one before them, each with the pieces that were drawn for it.
    """
    count = 1
    for seat, event in reversed(round_.events):
        was_drawn = round_.move_input.due_refill(round_.states[-count - 1]) is not None
        if (
            count == len(round_.events)
            or not (was_drawn or is_computer_seat(round_, seat))
            or (is_draw(event) and not was_drawn)
        ):
            break
        count += 1
    return count
