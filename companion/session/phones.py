"""Phones and big screens: how they are let in, and what a seat's phone may ask for.

A phone is known by the hash of a secret that it alone holds. It is let in by a code that stands on the panel, and by a
press at the box. Whatever it asks comes as an input like a key press, and is judged and kept like one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import Refused
from companion.session import pause, rounds
from companion.session.model import Answer, Ask, Letting, Notice, PairingCode, Phones, Playing, RoundOver, Session

if TYPE_CHECKING:
    from companion.inputs import Asked, Coded, Served

ON, OFF, CODE = "phones on", "phones off", "phone code"
"""What the session asks its surroundings for."""
CODE_SECONDS = 120.0
"""So long a code can be used, once."""
WRONG_TRIES = 5
LOCKED_SECONDS = 60.0
"""So many wrong codes stop all pairing for so long."""
SEATS = ("1", "2", "3", "4")


def opened(session: Session) -> Session:
    """The page that tells how to come; it switches phones on and asks for a new code."""
    asked = (CODE,) if session.phones else (ON, CODE)
    return session._replace(mode=Phones(session.mode), phones=True, wanted=(*session.wanted, *asked))


def press(session: Session, mode: Phones, key: str) -> Session:
    """OK switches phones off, which sends all of them away; BACK leaves them on."""
    if key == "#":
        off = session._replace(mode=mode.back, phones=False, pages=(), code=None, seats=())
        return off._replace(wanted=(*session.wanted, OFF))
    return session._replace(mode=mode.back) if key == "*" else session


def press_letting(session: Session, mode: Letting, key: str) -> Session:
    """OK lets a phone in, in the place of another that had its seat; BACK does not."""
    if key == "*":
        return session._replace(mode=mode.back)
    if key != "#":
        return session
    others = tuple(pair for pair in session.seats if mode.role not in pair and mode.phone not in pair)
    return session._replace(mode=mode.back, seats=(*others, (mode.phone, mode.role)))


def served(session: Session, event: Served) -> Session:
    """The session that knows where its page is."""
    return session._replace(pages=event.pages if session.phones else ())


def coded(session: Session, event: Coded) -> Session:
    """The session with a new code on its page."""
    if not session.phones:
        return session
    return session._replace(code=PairingCode(event.code, session.clock + CODE_SECONDS))


def due(session: Session) -> float | None:
    """When the code on the page is used up; None where none is shown."""
    return session.code.until if isinstance(session.mode, Phones) and session.code is not None else None


def renewed(session: Session) -> Session:
    """The session that asks for another code where the one on the page is used up."""
    until = due(session)
    if until is None or session.clock < until:
        return session
    return session._replace(code=None, wanted=(*session.wanted, CODE))


def role(session: Session, phone: str) -> str:
    """What a phone was let in as: a seat's number, "" for none."""
    return dict(session.seats).get(phone, "")


def asked(session: Session, event: Asked) -> Session:
    """The session after a phone's wish, with the answer to it."""
    if not session.phones:
        return _answered(session, event, "Phones are switched off at the box.")
    if event.what == "pair":
        return _paired(session, event)
    seat = role(session, event.phone)
    if seat not in SEATS:
        return _answered(session, event, "This phone has no seat: scan the code at the box.")
    woken = session._replace(pressed=session.clock, light="on")
    try:
        return _granted(woken, event, int(seat))
    except Refused as refused:
        return _answered(session, event, refused.why)


def _granted(session: Session, event: Asked, seat: int) -> Session:
    """What a seat's phone may do. Raises Refused."""
    round_ = session.round
    if round_ is None or seat > len(round_.about.names):
        return _answered(session, event, "There is no round on the table for this seat.")
    match event.what:
        case "play":
            return _played(session, event, seat)
        case "deal":
            kind, _, pieces = event.text.partition(" ")
            if (kind, seat) not in round_.waiting:
                return _answered(session, event, "These pieces are not asked for now.")
            return _answered(rounds.deal(session, kind, seat, pieces), event)
        case "back":
            if not isinstance(session.mode, Playing | RoundOver):
                return _answered(session, event, "The box is busy: look at its panel.")
            return _answered(pause.ask_take_back(session), event)
        case "agree":
            return _agreed(session, event, seat)
        case _:
            return _answered(session, event, "This phone asks for something unknown.")


def _played(session: Session, event: Asked, seat: int) -> Session:
    """A complete move; what is half entered at the box belongs to the same seat and gives way. Raises Refused."""
    round_ = session.round
    if isinstance(session.mode, Notice):  # A move counts as the press that closes it.
        session = session._replace(mode=session.mode.then)
    if round_ is None or not isinstance(session.mode, Playing) or round_.turn is None:
        return _answered(session, event, "The box is busy: look at its panel.")
    if round_.turn != seat:
        return _answered(session, event, f"{round_.name(round_.turn)} is to move.")
    return _answered(rounds.commit(session, event.text), event)


def _agreed(session: Session, event: Asked, seat: int) -> Session:
    """A player's own yes to the question at the box."""
    mode = session.mode
    if not isinstance(mode, Ask) or mode.wanted[len(mode.agreed) : len(mode.agreed) + 1] != (seat,):
        return _answered(session, event, "Nothing is asked of this seat.")
    return _answered(pause.press_ask(session, mode, "#"), event)


# -- letting in -------------------------------------------------------------------------------------------------


def _paired(session: Session, event: Asked) -> Session:
    """A phone with a code: the box asks whether it may come in, where the code is right."""
    code, _, wanted = event.text.partition(" ")
    if session.clock < session.locked:
        return _answered(session, event, "Too many wrong codes: wait a minute.")
    if session.code is None or session.clock > session.code.until:
        return _answered(session, event, "This code is used up: open Phones at the box again.")
    if code.upper() != session.code.text:
        return _answered(_tried(session, session.code), event, "This is not the code on the panel.")
    if wanted not in SEATS:
        return _answered(session, event, "There is no such seat.")
    back = session.mode.back if isinstance(session.mode, Phones) else session.mode
    if isinstance(back, Letting):
        return _answered(session, event, "The box is asking about another phone.")
    return _answered(session._replace(code=None, mode=Letting(event.phone, wanted, back)), event)


def _tried(session: Session, code: PairingCode) -> Session:
    wrong = code.wrong + 1
    if wrong < WRONG_TRIES:
        return session._replace(code=code._replace(wrong=wrong))
    return session._replace(code=None, locked=session.clock + LOCKED_SECONDS)


def _answered(session: Session, event: Asked, refusal: str = "") -> Session:
    return session._replace(answers=(*session.answers, Answer(event.number, refusal)))
