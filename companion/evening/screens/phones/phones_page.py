"""The page with the address for phones and big screens, and the question whether one is let in."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from companion.evening.contents import kinds
from companion.evening.fields import PhoneAccess
from companion.evening.screen_kinds import BoxScreen
from companion.evening.screens.messages import Ask
from companion.inputs import Request
from companion.languages import counted, text
from companion.rounds.player_names import changed_name

if TYPE_CHECKING:
    from companion.evening.model import Session

LOCKED_SECONDS = 60.0
"""How long all pairing is stopped after too many wrong codes."""


class Phones(BoxScreen):
    """How a phone or a big screen reaches the table: the URL of its page, as a QR code and in letters.

    That is page `number` 0; each further page is about one paired phone, which can be removed there.
    """

    number: int = 0

    naming_goes_on = True

    def ignores(self, session: Session, key: str) -> bool:
        """OK would remove a phone."""
        return key == "#"

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK asks whether phones are switched off; BACK leaves them on. Right leads to each that is in."""
        if key in ("left", "right"):
            pages = len(session.phones.let_in) + 1
            number = (self.number + (1 if key == "right" else -1)) % pages
            return session.show(self._replace(number=number))
        if self.number:
            return self._press_phone(session, key)
        if key == "#":
            number = len(session.phones.let_in)
            away = counted(number, "1 phone will be disconnected.", "{number} phones will be disconnected.")
            return session.open(Ask(_switch_off, text("Switch phones off?"), (away,) * bool(number), at_box=True))
        return session.close() if key == "*" else session

    def _press_phone(self, session: Session, key: str) -> Session:
        """On the page of one phone OK takes it away, BACK leads back to the code."""
        phones = session.phones.let_in
        if key == "#" and self.number <= len(phones):
            phone = phones[self.number - 1][0]
            others = session.phones.sent_away(phone).told(phone, text("This phone was disconnected at the box."))
            number = min(self.number, len(phones) - 1)
            return session.show(self._replace(number=number))._replace(phones=others)
        return session.show(self._replace(number=0)) if key in ("*", "#") else session

    def due(self, session: Session) -> float | None:
        """When the code expires, or pairing that was stopped goes on; None while a code is on its way."""
        code = session.phones.code
        return session.phones.locked or (code.until if code is not None else None)

    def tick(self, session: Session) -> Session:
        """Ask for another code."""
        phones = session.phones._replace(code=None, locked=0.0)
        return session._replace(phones=phones).request(Request.PHONE_CODE)

    def content(self, session: Session) -> kinds.Content:
        """The address and the code, or one phone that can be sent away."""
        access = session.phones
        phones = access.let_in
        if access.pages and 0 < self.number <= len(phones):
            (phone, name), figure = phones[self.number - 1], f"{self.number}/{len(phones)}"
            meanings = kinds.ok_back("yes", "no")
            of = text("the phone of the host and") if name and phone == access.host else text("the phone of")
            return kinds.PhoneQuestion(text("Disconnect?"), of, name or _host(), meanings, figure)
        meanings = kinds.ok_back("off", "back")
        if session.clock < access.locked:
            stopped = text("Too many tries: you will get a new code within a minute.")
            return kinds.Code(text("Phones"), "", "", "", stopped, meanings)
        if not access.pages:
            waiting = text("Phones are on, but not their page. On the computer type: companion web")
            return kinds.Code(text("Phones"), "", "", "", waiting, meanings)
        code = access.code.text if access.code is not None else ""
        page = access.pages[0]
        heading = counted(len(phones), "{number} phone ▸", "{number} phones ▸") if phones else text("Phones")
        shown = page.partition("://")[2].rstrip("/")
        return kinds.Code(heading, page + (f"p/{code}" if code else ""), shown, code, "", meanings)


class Letting(BoxScreen):
    """A phone asks to be `player`'s, with the right code or after it was let in; `phone` is the hash of its secret.

    `player` is "" for a phone that asks to be the host's. `was` is the phone that it was known as before, "" for none.
    `sent` is the player's name as the phone wrote it.
    """

    phone: str
    player: str
    was: str = ""
    sent: str = ""

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        """Who is let in is decided at the box."""
        return ()

    def ignores(self, session: Session, key: str) -> bool:
        """It is asked in the middle of anything: nobody agrees by a key that is meant for something else."""
        return True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK lets a phone in, in the place of the player's phone before it; BACK does not.

        A phone that was let in before and is refused another player may not ask again at once.
        """
        if key == "*":
            phones = session.phones.told(self.phone, text("The box said no."))
            if phones.is_in(self.phone):
                phones = phones._replace(locked=session.clock + LOCKED_SECONDS)
            return self._leave(session, phones)
        if key != "#":
            return session
        phones = session.phones.renewed(self.was, self.phone).heard(self.phone)
        if not self.player:
            if phones.host != self.phone:
                phones = phones.told(phones.host, text("Another phone is now the host's."))
            return self._leave(session, phones._replace(host=self.phone))
        for phone, name in phones.paired:
            if name == self.player and phone != self.phone:
                phones = phones.told(phone, self._takes_over(phones.player(self.phone)))
        return tell_changed(self._leave(session, phones.given(self.phone, self.player)), self.phone, self.sent)

    def _takes_over(self, before: str) -> str:
        """What the phone is told in whose place this one comes, which was the player's `before`, "" for nobody's."""
        if before:
            return text("{other}'s phone is now {who}'s and replaces this one.", other=before, who=self.player)
        return text("Another phone is now {who}'s and replaces this one.", who=self.player)

    def _leave(self, session: Session, phones: PhoneAccess) -> Session:
        """Show what it was asked over; for the next phone the page of the code requests another one."""
        session = session.close()._replace(phones=phones)
        if phones.code is not None or not any(isinstance(each, Phones) for each in session.screens):
            return session
        return session.request(Request.PHONE_CODE)

    def content(self, session: Session) -> kinds.Content:
        """Whose the phone is to be, and the digits that it shows too."""
        shows = digits(self.phone) if self.phone else ""
        who, meanings = self.player or _host(), kinds.ok_back("let it in", "no")
        said, must = text("to join as"), text("It must show")
        return kinds.PhoneQuestion(text("A phone asks"), said, who, meanings, must_show=must, digits=shows)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """The player."""
        return (self.player,)


def words(session: Session) -> str:
    """The words of the menus' entry that leads to the page."""
    return text("Phones: on") if session.phones.on else text("Phones: switch on")


def open_page(session: Session) -> Session:
    """Switch phones on and open the page with the address and a code; a new code is requested, the old one is void."""
    phones = session.phones
    asked = (Request.PHONE_CODE,) if phones.on else (Request.PHONES_ON, Request.PHONE_CODE)
    locked = phones.locked if session.clock < phones.locked else 0.0
    return session._replace(phones=phones._replace(on=True, code=None, locked=locked)).open(Phones()).request(*asked)


def let_in_again(session: Session, paired: tuple[tuple[str, str], ...], host: str) -> Session:
    """Switch phones on after a restart, with those in that were in before it."""
    phones = session.phones._replace(on=True, paired=paired, host=host)
    return session._replace(phones=phones).request(Request.PHONES_ON)


def _switch_off(session: Session) -> Session:
    """Switch phones off, which sends all of them away, and close their page."""
    off = PhoneAccess(locked=session.phones.locked)
    return session.close()._replace(phones=off).request(Request.PHONES_OFF)


def tell_changed(session: Session, phone: str, sent: str) -> Session:
    """Tell a phone on its page what was changed in a name that it sent."""
    changed = changed_name(sent)
    return session._replace(phones=session.phones.told(phone, changed)) if changed else session


def follow_name(session: Session, old: str, new: str) -> Session:
    """Let the phone of a nameless player who gets a name before a round go along, unless that name has a phone."""
    phones = session.phones
    if new in phones.players:
        return session
    for phone, name in phones.paired:
        if name == old:
            phones = phones.told(phone, text("You are now {who}.", who=new))
    paired = tuple((phone, new if name == old else name) for phone, name in phones.paired)
    return session._replace(phones=phones._replace(paired=paired))


def digits(phone: str) -> str:
    """Two digits that the box and the asking phone both show, so that whoever presses OK knows which phone it is."""
    return f"{zlib.crc32(phone.encode()) % 100:02}"


def _host() -> str:
    """Whose a phone is that may see the host's pages."""
    return text("the host")
