"""The page with the address for phones and big screens, and the question whether one is let in."""

from __future__ import annotations

import zlib
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from companion.contents import kinds
from companion.inputs import Request
from companion.languages import counted, text
from companion.moments.ask import Ask
from companion.session.model import Moment

if TYPE_CHECKING:
    from companion.session.model import Session

LOCKED_SECONDS = 60.0
"""How long all pairing is stopped after too many wrong codes."""
MOST_NEWS = 8
"""For how many phones it is kept why they are out, or were refused."""


class _Phones(NamedTuple):
    back: Moment
    number: int = 0


class Phones(Moment, _Phones):
    """How a phone or a big screen reaches the table: the URL of its page, as a QR code and in letters.

    That is page `number` 0; each further page is about one paired phone, which can be removed there.
    """

    def ignores(self, session: Session, key: str) -> bool:
        """OK would remove a phone."""
        return key == "#"

    def takes_back(self, session: Session) -> bool:
        """Nothing of the table is at hand."""
        return False

    def fits(self, waits: Moment) -> bool:
        """It covers the table whatever is there."""
        return True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK asks whether phones are switched off; BACK leaves them on. Right leads to each that is in."""
        if key in ("left", "right"):
            pages = len(let_in(session)) + 1
            number = (self.number + (1 if key == "right" else -1)) % pages
            return session._replace(mode=self._replace(number=number))
        if self.number:
            return self._press_phone(session, key)
        if key == "#":
            number = len(let_in(session))
            away = counted(number, "1 phone is sent away.", "{number} phones are sent away.") if number else ""
            ask = Ask(partial(_switch_off, back=self.back), text("Switch phones off?"), (away,) * bool(away), back=self)
            return session._replace(mode=ask)
        return session._replace(mode=self.back) if key == "*" else session

    def _press_phone(self, session: Session, key: str) -> Session:
        """On the page of one phone OK takes it away, BACK leads back to the code."""
        phones = let_in(session)
        if key == "#" and self.number <= len(phones):
            phone = phones[self.number - 1][0]
            paired = tuple(pair for pair in session.paired if pair[0] != phone)
            taken = session._replace(paired=paired, host="" if session.host == phone else session.host)
            taken = tell(taken, phone, text("This phone was sent away at the box."))
            return taken._replace(mode=self._replace(number=min(self.number, len(phones) - 1)))
        return session._replace(mode=self._replace(number=0)) if key in ("*", "#") else session

    def due(self, session: Session) -> float | None:
        """When the code expires, or pairing that was stopped goes on; None while a code is on its way."""
        return session.locked or (session.code.until if session.code is not None else None)

    def tick(self, session: Session) -> Session:
        """Ask for another code."""
        return session._replace(code=None, locked=0.0, requests=(*session.requests, Request.PHONE_CODE))

    def says(self, session: Session) -> kinds.Content:
        """The address and the code, or one phone that can be sent away."""
        phones = let_in(session)
        if session.pages and 0 < self.number <= len(phones):
            (phone, name), figure = phones[self.number - 1], f"{self.number}/{len(phones)}"
            answers = kinds.ok_back("yes", "no")
            of = text("the phone of the host and") if name and phone == session.host else text("the phone of")
            return kinds.PhoneQuestion(text("Send away?"), of, name or _host(), answers, figure)
        answers = kinds.ok_back("off", "back")
        if session.clock < session.locked:
            stopped = text("Too many tries: a new code comes within a minute.")
            return kinds.Code(text("Phones"), "", "", "", stopped, answers)
        if not session.pages:
            waiting = text("Waiting for the page: start companion web beside this table")
            return kinds.Code(text("Phones"), "", "", "", waiting, answers)
        code = session.code.text if session.code is not None else ""
        page = session.pages[0]
        heading = counted(len(phones), "{number} phone ▸", "{number} phones ▸") if phones else text("Phones")
        shown = page.partition("://")[2].rstrip("/")
        return kinds.Code(heading, page + (f"p/{code}" if code else ""), shown, code, "", answers)


class _Letting(NamedTuple):
    phone: str
    player: str
    back: Moment
    was: str = ""


class Letting(Moment, _Letting):
    """A phone asks to be `player`'s, with the right code or after it was let in; `phone` is the hash of its secret.

    `player` is "" for a phone that asks to be the host's. `was` is the phone that it was known as before, "" for none.
    """

    def ignores(self, session: Session, key: str) -> bool:
        """It is asked in the middle of anything: nobody agrees by a key that is meant for something else."""
        return True

    def takes_back(self, session: Session) -> bool:
        """Nothing of the table is at hand."""
        return False

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK lets a phone in, in the place of the player's phone before it; BACK does not.

        A phone that was let in before and is refused another player may not ask again at once.
        """
        if key == "*":
            known = any(self.phone == phone for phone, _ in let_in(session))
            session = tell(session, self.phone, text("The box said no."))
            return self._leave(session._replace(locked=session.clock + LOCKED_SECONDS) if known else session)
        if key != "#":
            return session
        session = forget_news(_rename(session, self.was, self.phone), self.phone)
        if not self.player:
            if session.host != self.phone:
                session = tell(session, session.host, text("Another phone is the host's now."))
            return self._leave(session._replace(host=self.phone))
        for phone, name in session.paired:
            if name == self.player and phone != self.phone:
                session = tell(session, phone, self._takes_over(session))
        others = tuple(pair for pair in session.paired if self.phone != pair[0] and self.player != pair[1])
        return self._leave(session._replace(paired=(*others, (self.phone, self.player))))

    def _takes_over(self, session: Session) -> str:
        """What the phone is told in whose place this one comes."""
        before = dict(session.paired).get(self.phone, "")
        if before:
            return text("{other}'s phone is {who}'s now, in the place of this one.", other=before, who=self.player)
        return text("Another phone came in as {who}, in the place of this one.", who=self.player)

    def _leave(self, session: Session) -> Session:
        """Show what it was asked over; for the next phone the page of the code requests another one."""
        session = session._replace(mode=self.back)
        if not isinstance(self.back, Phones) or session.code is not None:
            return session
        return session._replace(requests=(*session.requests, Request.PHONE_CODE))

    def says(self, session: Session) -> kinds.Content:
        """Whose the phone is to be, and the digits that it shows too."""
        shows = digits(self.phone) if self.phone else ""
        who, answers = self.player or _host(), kinds.ok_back("let it in", "no")
        said, must = text("to come in as"), text("It must show")
        return kinds.PhoneQuestion(text("A phone asks"), said, who, answers, must_show=must, digits=shows)

    @property
    def in_public(self) -> Moment:
        """The question without the digits."""
        return self._replace(phone="")

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """The player."""
        return (self.player,)


def words(session: Session) -> str:
    """The words of the menus' entry that leads to the page."""
    return text("Phones: on") if session.phones else text("Phones: off")


def open_page(session: Session) -> Session:
    """Switch phones on and open the page with the address and a code; a new code is requested, the old one is void."""
    asked = (Request.PHONE_CODE,) if session.phones else (Request.PHONES_ON, Request.PHONE_CODE)
    locked = session.locked if session.clock < session.locked else 0.0
    opened = session._replace(mode=Phones(session.mode), phones=True, code=None, locked=locked)
    return opened._replace(requests=(*session.requests, *asked))


def let_in_again(session: Session, paired: tuple[tuple[str, str], ...], host: str) -> Session:
    """Switch phones on after a restart, with those in that were in before it."""
    asked = (*session.requests, Request.PHONES_ON)
    return session._replace(phones=True, paired=paired, host=host, requests=asked)


def let_in(session: Session) -> tuple[tuple[str, str], ...]:
    """The phones that are in, and their players; "" for the host's phone where that is no player's."""
    alone = session.host and session.host not in dict(session.paired)
    return (*session.paired, (session.host, "")) if alone else session.paired


def _switch_off(session: Session, back: Moment) -> Session:
    """Switch phones off, which sends all of them away."""
    off = session._replace(phones=False, pages=(), code=None, paired=(), host="", phone_news=())
    return off._replace(mode=back, requests=(*session.requests, Request.PHONES_OFF))


def follow_name(session: Session, old: str, new: str) -> Session:
    """Let the phone of a nameless player who gets a name before a round go along, unless that name has a phone."""
    if new in dict(session.paired).values():
        return session
    for phone, name in session.paired:
        if name == old:
            session = tell(session, phone, text("You are {who} now.", who=new))
    return session._replace(paired=tuple((phone, new if name == old else name) for phone, name in session.paired))


def tell(session: Session, phone: str, sentence: str) -> Session:
    """Tell a phone on its page what has become of it; "" is no phone."""
    if not phone:
        return session
    others = forget_news(session, phone).phone_news
    return session._replace(phone_news=(*others, (phone, sentence))[-MOST_NEWS:])


def forget_news(session: Session, phone: str) -> Session:
    """Tell a phone no longer what was told, since it has asked for something else, or is in."""
    return session._replace(phone_news=tuple(each for each in session.phone_news if each[0] != phone))


def digits(phone: str) -> str:
    """Two digits that the box and the asking phone both show, so that whoever presses OK knows which phone it is."""
    return f"{zlib.crc32(phone.encode()) % 100:02}"


def _host() -> str:
    """Whose a phone is that may see the host's pages."""
    return text("the host")


def _rename(session: Session, was: str, phone: str) -> Session:
    """Give a phone the pairings that it had under its secret before."""
    paired = tuple((phone if each == was else each, name) for each, name in session.paired)
    return session._replace(paired=paired, host=phone if was and session.host == was else session.host)
