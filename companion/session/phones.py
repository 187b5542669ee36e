"""Pairing of phones and big screens, and which player each phone belongs to.

A phone is identified by the hash of its secret. It is paired by a code on the panel and a key press at the box. It
belongs to a player's name, never to a seat: players change seats between rounds, and a phone must not show what
the next player in a seat holds. Its requests are handled in `phone_requests`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.opponent import strength
from companion.inputs import Request
from companion.session import mending_pages, questions, rounds
from companion.session.model import (
    Answer,
    Letting,
    PairingCode,
    Peek,
    Phones,
    Session,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.inputs import CodeIssued, NameRequest, PagesServed, PhoneRequest

CODE_SECONDS = 120.0
"""How long a code is valid; it can be used once."""
WRONG_TRIES = 5
LOCKED_SECONDS = 60.0
"""How long all pairing is stopped after too many wrong codes."""
LOCKED = "Too many wrong codes, or the box said no: wait a minute."
LEAST_NAMES = 4
"""The least number of names that are offered, filled up with nameless players."""
MOST_NAMES = 24


def opened(session: Session) -> Session:
    """Switch phones on and open the page with the address and a code; a new code is requested, the old one is void."""
    asked = (Request.PHONE_CODE,) if session.phones else (Request.PHONES_ON, Request.PHONE_CODE)
    return session._replace(mode=Phones(session.mode), phones=True, code=None, requests=(*session.requests, *asked))


def press(session: Session, mode: Phones, key: str) -> Session:
    """OK switches phones off, which sends all of them away; BACK leaves them on. Right leads to each that is in."""
    if key in ("left", "right"):
        pages = len(let_in(session)) + 1
        return session._replace(mode=mode._replace(number=(mode.number + (1 if key == "right" else -1)) % pages))
    if mode.number:
        return _press_let_in(session, mode, key)
    if key == "#":
        off = session._replace(mode=mode.back, phones=False, pages=(), code=None, paired=(), host="")
        return off._replace(requests=(*session.requests, Request.PHONES_OFF))
    return session._replace(mode=mode.back) if key == "*" else session


def _press_let_in(session: Session, mode: Phones, key: str) -> Session:
    """On the page of one phone OK takes it away, BACK leads back to the code."""
    phones = let_in(session)
    if key == "#" and mode.number <= len(phones):
        phone, name = phones[mode.number - 1]
        paired = tuple(pair for pair in session.paired if pair != (phone, name))
        taken = session._replace(paired=paired) if name else session._replace(host="")
        return taken._replace(mode=mode._replace(number=min(mode.number, len(phones) - 1)))
    return session._replace(mode=mode._replace(number=0)) if key in ("*", "#") else session


def let_in(session: Session) -> tuple[tuple[str, str], ...]:
    """The paired phones and their players, "" for the host's phone, which may be a player's too."""
    return (*session.paired, *(((session.host, ""),) if session.host else ()))


def press_letting(session: Session, mode: Letting, key: str) -> Session:
    """OK lets a phone in, in the place of the player's phone before it; BACK does not.

    A phone that was let in before and is refused another player may not ask again at once.
    """
    if key == "*":
        known = any(mode.phone == phone for phone, _ in let_in(session))
        locked = session.clock + LOCKED_SECONDS if known else session.locked
        return _answering_on(session._replace(mode=mode.back, locked=locked))
    if key != "#":
        return session
    if not mode.player:
        return _answering_on(session._replace(mode=mode.back, host=mode.phone))
    others = tuple(pair for pair in session.paired if mode.phone != pair[0] and mode.player != pair[1])
    return _answering_on(session._replace(mode=mode.back, paired=(*others, (mode.phone, mode.player))))


def _answering_on(session: Session) -> Session:
    """The session with a new code requested if the code's page is shown again, for the next phone."""
    if not isinstance(session.mode, Phones) or session.code is not None:
        return session
    return session._replace(requests=(*session.requests, Request.PHONE_CODE))


def served(session: Session, event: PagesServed) -> Session:
    """The session with the URLs of its pages."""
    return session._replace(pages=event.pages if session.phones else ())


def coded(session: Session, event: CodeIssued) -> Session:
    """The session with a new code on its page."""
    if not session.phones:
        return session
    return session._replace(code=PairingCode(event.code, session.clock + CODE_SECONDS))


def due(session: Session) -> float | None:
    """When the code on the page expires; None if none is shown."""
    return session.code.until if isinstance(session.mode, Phones) and session.code is not None else None


def renewed(session: Session) -> Session:
    """The session that asks for another code where the one on the page is used up."""
    until = due(session)
    if until is None or session.clock < until:
        return session
    return session._replace(code=None, requests=(*session.requests, Request.PHONE_CODE))


def player(session: Session, phone: str) -> str:
    """The player of a phone, "" for an unpaired one."""
    return dict(session.paired).get(phone, "")


def seat(session: Session, phone: str) -> int:
    """The seat of a phone's player in the round on the table, 0 for none."""
    return seat_of(session, player(session, phone))


def seat_of(session: Session, name: str) -> int:
    """The seat of a player in the round on the table, 0 for none or if two players have that name."""
    names = session.round.header.names if session.round is not None else ()
    return names.index(name) + 1 if names.count(name) == 1 else 0


def players(session: Session) -> tuple[str, ...]:
    """The players to whom a phone may belong: those at the table, or before a round all whom the box knows."""
    on_table = session.round or session.pad
    if on_table is not None:
        return tuple(name for name in on_table.header.names if not strength(name))
    known = questions.known(session)
    named = len({*session.past.names, *session.past.favourites, *session.settings.names})
    return known[: min(max(LEAST_NAMES, named), MOST_NAMES)]


# -- letting in -------------------------------------------------------------------------------------------------


def paired(session: Session, event: PhoneRequest, code: str, player: str) -> Session:
    """A phone wants to be a player's: if the code is right, the box asks whether it may be let in."""
    return _with_code(session, event, code, lambda: asks(session, event, player))


def host(session: Session, event: PhoneRequest, code: str) -> Session:
    """A phone that wants to be the host's: with a code, or without one ("") where it was let in before."""
    if not code and any(event.phone == phone for phone, _ in let_in(session)):
        return _asks(session, event, "")
    return _with_code(session, event, code, lambda: _asks(session, event, ""))


def _with_code(session: Session, event: PhoneRequest, code: str, question: Callable[[], Session]) -> Session:
    """The session with the question at the box if the code is right, else with the refusal."""
    if session.clock < session.locked:
        return answered(session, event, LOCKED)
    if session.code is None or session.clock > session.code.until:
        return answered(session, event, "This code is used up: open Phones at the box again.")
    if code.upper() != session.code.text:
        return answered(_tried(session, session.code), event, "This is not the code on the panel.")
    asking = question()
    return asking._replace(code=None) if isinstance(asking.mode, Letting) else asking


def asks(session: Session, event: PhoneRequest, name: str) -> Session:
    """The question at the box whether a phone may be a player's; nobody's pieces are on the panel after it."""
    if session.clock < session.locked:
        return answered(session, event, LOCKED)
    if name not in players(session):
        return answered(session, event, f"Nobody named {name} is at the table.")
    return _asks(session, event, name)


def _asks(session: Session, event: PhoneRequest, name: str) -> Session:
    """The question at the box whether a phone may be a player's, or for "" the host's."""
    if session.clock < session.locked:
        return answered(session, event, LOCKED)
    back = mending_pages.covered(session.mode)
    if isinstance(back, Letting):
        return answered(session, event, "The box is asking about another phone.")
    if session.stopping:
        return answered(session, event, "The box is switched off.")
    if isinstance(back, Peek) and session.round is not None:
        back = rounds.table(session.round)
    return answered(session._replace(mode=Letting(event.phone, name, back)), event)


def _tried(session: Session, code: PairingCode) -> Session:
    wrong = code.wrong + 1
    if wrong < WRONG_TRIES:
        return session._replace(code=code._replace(wrong=wrong))
    return session._replace(code=None, locked=session.clock + LOCKED_SECONDS)


def answered(session: Session, event: PhoneRequest | NameRequest, refusal: str = "") -> Session:
    """The session with the answer to a request: "" if it was accepted, else why not."""
    return session._replace(answers=(*session.answers, Answer(event.number, refusal)))
