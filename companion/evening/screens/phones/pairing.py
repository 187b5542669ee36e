"""Pairing of phones and big screens, and which player each phone belongs to.

A phone is known by the hash of its secret. It is let in by a code on the panel and an OK at the box::

    PairRequest with the code ──► code right? ──► PhoneAdmission asks at the box ──OK──► paired with a player's name
                                      └─ no: counts as a try; after MAX_WRONG_TRIES nothing is accepted for a while

It belongs to a player's name, never to a seat: players change seats between rounds, and a phone must not show what the
next player in that seat holds. What a paired phone may ask for is in `requests`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening.model import Session
from companion.evening.screen_kinds import hide_private_screen
from companion.evening.screens.phones.phones_page import LOCKED_SECONDS, PhoneAdmission
from companion.evening.screens.setup import seats
from companion.evening.session_values import PairingCode
from companion.games.api.computer_players import computer_strength
from companion.languages import text
from companion.rounds.player_names import NAMELESS_PLAYERS, new_name_fault, normalize_name, similar_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.inputs import CodeIssued, PagesServed, PairRequest, PhoneRequest, RoleRequest

CODE_SECONDS = 120.0
"""Seconds for which a code is valid. It can be used once."""
MAX_WRONG_TRIES = 5
MIN_ASKING_SECONDS = 1.5
"""Seconds before the phone may change the name that the box asks about: time for somebody to press a key there."""
LOCKED_TEXT = text("Too many wrong codes, or the box said no: wait a minute.")
CODE_EXPIRED_TEXT = text("This code is no longer valid: the box shows a new one on its page Phones.")
OTHER_PHONE_TEXT = text(
    "The box is asking about another phone: wait until that is answered, then enter the new code that the box shows."
)
MAX_NAMES_OFFERED = 24


def take_page_addresses(session: Session, event: PagesServed) -> Session:
    """Take the addresses of the web pages."""
    phones = session.phones
    return session._replace(phones=phones._replace(addresses=event.addresses if phones.is_on else ()))


def set_pairing_code(session: Session, event: CodeIssued) -> Session:
    """Take a new code for the page of phones."""
    if not session.phones.is_on:
        return session
    return _with_pairing_code(session, PairingCode(event.code, session.now + CODE_SECONDS))


def phone_seat(session: Session, phone: str) -> int:
    """The seat of a phone's player in the round on the table, 0 for none."""
    return player_seat(session, session.phones.player_of(phone))


def player_seat(session: Session, name: str) -> int:
    """The seat of a player in the round on the table, 0 for none or if two players have that name."""
    names = session.round.header.names if session.round is not None else ()
    return names.index(name) + 1 if names.count(name) == 1 else 0


def possible_phone_owners(session: Session) -> tuple[str, ...]:
    """The players to whom a phone may belong: those at the table, or before a round all whom the box knows."""
    on_table = session.round or session.pad
    if on_table is not None:
        return tuple(name for name in on_table.header.names if not computer_strength(name))
    names = seats.selectable_names(session)
    with_phones = session.phones.players
    named = [name for name in names if name in with_phones or name not in NAMELESS_PLAYERS]
    return tuple(named[:MAX_NAMES_OFFERED])


def known_names(session: Session) -> tuple[str, ...]:
    """All names that players have or had, the favourites, the configured ones, and those of paired phones."""
    history = session.history
    return *history.player_names, *history.favourites, *session.settings.player_names, *session.phones.players


# -- letting in -------------------------------------------------------------------------------------------------


def request_pairing(session: Session, request: PhoneRequest, pairing_request: PairRequest) -> Session:
    """Ask at the box whether to let a phone in as a player's, if its code is right."""
    return _check_code_then(
        session,
        request,
        pairing_request.code,
        lambda: ask_for_player(session, request, pairing_request.player, pairing_request.previous_phone),
    )


def request_role(session: Session, request: PhoneRequest, role: RoleRequest) -> Session:
    """Ask at the box whether a phone may be the host's or the big screen. One that is in already needs no code ("")."""
    question = PhoneAdmission(request.phone, "", role.previous_phone, is_screen=role.is_screen)
    if not role.code and session.phones.is_admitted(request.phone):
        return _ask_at_box(session, request, question)
    return _check_code_then(session, request, role.code, lambda: _ask_at_box(session, request, question))


def check_code(session: Session, request: PhoneRequest, code: str) -> Session:
    """Tell a phone whether a code is right, before its user is asked for a name. A wrong code counts as a try."""
    return _check_code_then(session, request, code, lambda: session.reply_to_phone(request))


def _check_code_then(session: Session, request: PhoneRequest, code: str, on_valid: Callable[[], Session]) -> Session:
    """Go on with `on_valid` if the code is right, else refuse and count the try."""
    if session.now < session.phones.locked_until:
        return session.reply_to_phone(request, LOCKED_TEXT)
    if isinstance(session.screen, PhoneAdmission):
        return session.reply_to_phone(request, OTHER_PHONE_TEXT)
    current_code = session.phones.code
    if current_code is None or session.now > current_code.valid_until:
        return session.reply_to_phone(request, CODE_EXPIRED_TEXT)
    if code.upper() != current_code.text:
        return _count_wrong_try(session, current_code).reply_to_phone(
            request, text("This is not the code that the box shows.")
        )
    session_after = on_valid()
    is_asking = isinstance(session_after.screen, PhoneAdmission)
    return _with_pairing_code(session_after, None) if is_asking else session_after


def ask_for_player(session: Session, request: PhoneRequest, name: str, previous_phone: str = "") -> Session:
    """Ask at the box whether a phone may be a player's. Nobody's pieces are on the panel after that.

    Between rounds it may be a player whom the box doesn't know yet.
    """
    if session.now < session.phones.locked_until:
        return session.reply_to_phone(request, LOCKED_TEXT)
    name_as_sent = ""
    if name not in possible_phone_owners(session):
        if session.round is not None or session.pad is not None:
            return session.reply_to_phone(request, text("Nobody named {who} is at the table.", who=name))
        all_names = known_names(session)
        name_as_sent, name = name, normalize_name(name)
        name = similar_name(name, all_names) or name
        if reason := new_name_fault(name, all_names):
            return session.reply_to_phone(request, reason)
    return _ask_at_box(session, request, PhoneAdmission(request.phone, name, previous_phone, name_as_sent))


def is_asking(session: Session, phone: str) -> bool:
    """Whether the box asks now whether to let a phone in."""
    return isinstance(session.screen, PhoneAdmission) and session.screen.phone_hash == phone


def change_asked_player(session: Session, request: PhoneRequest, name: str) -> Session:
    """Let a phone about which the box asks choose another name. The question stays as it is if that is refused."""
    asking, shown_at = session.screen, session.taps.shown_at
    if shown_at is None or session.now < shown_at + MIN_ASKING_SECONDS:
        return session.reply_to_phone(request, text("Wait a moment, then try again."))
    previous_phone = asking.previous_phone if isinstance(asking, PhoneAdmission) else ""
    after = ask_for_player(session.close_screen(), request, name, previous_phone)
    return after if isinstance(after.screen, PhoneAdmission) else session._replace(outbox=after.outbox)


def _ask_at_box(session: Session, request: PhoneRequest, question: PhoneAdmission) -> Session:
    if session.now < session.phones.locked_until:
        return session.reply_to_phone(request, LOCKED_TEXT)
    if isinstance(session.screen, PhoneAdmission):
        return session.reply_to_phone(request, OTHER_PHONE_TEXT)
    if session.is_stopping:
        return session.reply_to_phone(request, text("The box is being switched off."))
    return hide_private_screen(session).open_screens(question).reply_to_phone(request)


def _count_wrong_try(session: Session, code: PairingCode) -> Session:
    wrong_tries = code.wrong_tries + 1
    if wrong_tries < MAX_WRONG_TRIES:
        return _with_pairing_code(session, code._replace(wrong_tries=wrong_tries))
    return session._replace(phones=session.phones._replace(code=None, locked_until=session.now + LOCKED_SECONDS))


def _with_pairing_code(session: Session, code: PairingCode | None) -> Session:
    return session._replace(phones=session.phones._replace(code=code))
