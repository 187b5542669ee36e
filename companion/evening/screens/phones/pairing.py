"""Pairing of phones and big screens, and which player each phone belongs to.

A phone is known by the hash of its secret. It is let in by a code on the panel and an OK at the box::

    PairRequest with the code ──► code right? ──► Letting asks at the box ──OK──► paired with a player's name
                                      └─ no: counts as a try; after MAX_WRONG_TRIES nothing is accepted for a while

It belongs to a player's name, never to a seat: players change seats between rounds, and a phone must not show what the
next player in that seat holds. What a paired phone may ask for is in `requests`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening.fields import PairingCode
from companion.evening.model import Session
from companion.evening.screen_kinds import cover
from companion.evening.screens.phones.phones_page import LOCKED_SECONDS, Letting
from companion.evening.screens.setup import seats
from companion.games.api.box_seats import computer_strength
from companion.languages import text
from companion.rounds.player_names import similar_name, normalize_name, new_name_fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.inputs import CodeIssued, HostingRequest, PagesServed, PairRequest, PhoneRequest

CODE_SECONDS = 120.0
"""Seconds for which a code is valid. It can be used once."""
WRONG_TRIES = 5
LOCKED = text("Too many wrong codes, or the box said no: wait a minute.")
USED_UP = text("This code is no longer valid: the box shows a new one on its page Phones.")
ASKING = text(
    "The box is asking about another phone: wait until that is answered, then enter the new code from the panel."
)
LEAST_NAMES = 4
"""The fewest names that are offered; nameless players fill the list up."""
MOST_NAMES = 24


def pages_arrived(session: Session, event: PagesServed) -> Session:
    """Take the addresses of the web pages."""
    phones = session.phones
    return session._replace(phones=phones._replace(addresses=event.addresses if phones.on else ()))


def code_arrived(session: Session, event: CodeIssued) -> Session:
    """Take a new code for the page of phones."""
    if not session.phones.on:
        return session
    return _with(session, PairingCode(event.code, session.clock + CODE_SECONDS))


def seat(session: Session, phone: str) -> int:
    """The seat of a phone's player in the round on the table, 0 for none."""
    return seat_of(session, session.phones.player(phone))


def seat_of(session: Session, name: str) -> int:
    """The seat of a player in the round on the table, 0 for none or if two players have that name."""
    names = session.round.header.names if session.round is not None else ()
    return names.index(name) + 1 if names.count(name) == 1 else 0


def players(session: Session) -> tuple[str, ...]:
    """The players to whom a phone may belong: those at the table, or before a round all whom the box knows."""
    on_table = session.round or session.pad
    if on_table is not None:
        return tuple(name for name in on_table.header.names if not computer_strength(name))
    known = seats.known(session)
    named = len(set(known_names(session)))
    return known[: min(max(LEAST_NAMES, named), MOST_NAMES)]


def known_names(session: Session) -> tuple[str, ...]:
    """All names that players have or had, the favourites, the configured ones, and those of paired phones."""
    past = session.past
    return *past.player_names, *past.favourites, *session.settings.player_names, *session.phones.players


# -- letting in -------------------------------------------------------------------------------------------------


def request_pairing(session: Session, event: PhoneRequest, request: PairRequest) -> Session:
    """Ask at the box whether to let a phone in as a player's, if its code is right."""
    return _with_code(session, event, request.code, lambda: request_player(session, event, request.player, request.previous_phone))


def request_hosting(session: Session, event: PhoneRequest, request: HostingRequest) -> Session:
    """Ask at the box whether a phone may be the host's. One that was let in before needs no code ("")."""
    if not request.code and session.phones.is_in(event.phone):
        return _ask_at_box(session, event, "")
    return _with_code(session, event, request.code, lambda: _ask_at_box(session, event, "", request.previous_phone))


def check_code(session: Session, event: PhoneRequest, code: str) -> Session:
    """Tell a phone whether a code is right, before its user is asked for a name. A wrong code counts as a try."""
    return _with_code(session, event, code, lambda: session.answer(event))


def _with_code(session: Session, event: PhoneRequest, code: str, question: Callable[[], Session]) -> Session:
    """Go on with `on_valid` if the code is right, else refuse and count the try."""
    if session.clock < session.phones.locked:
        return session.answer(event, LOCKED)
    if isinstance(session.screen, Letting):
        return session.answer(event, ASKING)
    valid = session.phones.code
    if valid is None or session.clock > valid.until:
        return session.answer(event, USED_UP)
    if code.upper() != valid.text:
        return _count_try(session, valid).answer(event, text("This is not the code on the panel."))
    asking = question()
    return _with(asking, None) if isinstance(asking.screen, Letting) else asking


def request_player(session: Session, event: PhoneRequest, name: str, was: str = "") -> Session:
    """Ask at the box whether a phone may be a player's. Nobody's pieces are on the panel after that.

    Between rounds it may be a player whom the box doesn't know yet.
    """
    if session.clock < session.phones.locked:
        return session.answer(event, LOCKED)
    sent = ""
    if name not in players(session):
        if session.round is not None or session.pad is not None:
            return session.answer(event, text("Nobody named {who} is at the table.", who=name))
        known = known_names(session)
        sent, name = name, normalize_name(name)
        name = similar_name(name, known) or name
        if why := new_name_fault(name, known):
            return session.answer(event, why)
    return _ask_at_box(session, event, name, was, sent)


def _ask_at_box(session: Session, event: PhoneRequest, name: str, was: str = "", sent: str = "") -> Session:
    """Ask at the box whether a phone may be a player's, or for "" the host's."""
    if session.clock < session.phones.locked:
        return session.answer(event, LOCKED)
    if isinstance(session.screen, Letting):
        return session.answer(event, ASKING)
    if session.stopping:
        return session.answer(event, text("The box is being switched off."))
    return cover(session).open(Letting(event.phone, name, was, sent)).answer(event)


def _count_try(session: Session, code: PairingCode) -> Session:
    wrong = code.wrong + 1
    if wrong < WRONG_TRIES:
        return _with(session, code._replace(wrong=wrong))
    return session._replace(phones=session.phones._replace(code=None, locked=session.clock + LOCKED_SECONDS))


def _with(session: Session, code: PairingCode | None) -> Session:
    return session._replace(phones=session.phones._replace(code=code))
