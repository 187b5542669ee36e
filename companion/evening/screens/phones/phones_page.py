"""The page with the address for phones and big screens, and the question whether to let one in."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from companion.evening.contents import kinds
from companion.evening.fields import PhoneAccess
from companion.evening.screen_kinds import BoxScreen
from companion.evening.screens.messages import Ask
from companion.inputs import Request
from companion.languages import plural_text, text
from companion.rounds.player_names import name_change_message

if TYPE_CHECKING:
    from companion.evening.model import Session

LOCKED_SECONDS = 60.0
"""Seconds for which no code is accepted after too many wrong ones, or after the box said no."""


class Phones(BoxScreen):
    """The address of the web page, as a QR code and in letters, with the code that lets a phone in.

    That is page 0. OK asks whether to switch phones off, BACK leaves them on. Left and right lead to a page for each
    phone that was let in, on which OK sends it away.
    """

    number: int = 0

    naming_goes_on = True

    def ignores(self, session: Session, key: str) -> bool:
        # OK switches phones off, or sends one away.
        return key == "#"

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key in ("left", "right"):
            pages = len(session.phones.let_in) + 1
            number = (self.number + (1 if key == "right" else -1)) % pages
            return session.show(self._replace(number=number))
        if self.number:
            return self._press_phone(session, key)
        if key == "#":
            number = len(session.phones.let_in)
            away = plural_text(number, "1 phone will be disconnected.", "{number} phones will be disconnected.")
            return session.open(Ask(_switch_off, text("Switch phones off?"), (away,) * bool(number), at_box=True))
        return session.close() if key == "*" else session

    def _press_phone(self, session: Session, key: str) -> Session:
        """Send the phone of the open page away (OK), or go back to the code."""
        phones = session.phones.let_in
        if key == "#" and self.number <= len(phones):
            phone = phones[self.number - 1][0]
            others = session.phones.sent_away(phone).told(phone, text("This phone was disconnected at the box."))
            number = min(self.number, len(phones) - 1)
            return session.show(self._replace(number=number))._replace(phones=others)
        return session.show(self._replace(number=0)) if key in ("*", "#") else session

    def due(self, session: Session) -> float | None:
        code = session.phones.code
        return session.phones.locked or (code.until if code is not None else None)

    def tick(self, session: Session) -> Session:
        phones = session.phones._replace(code=None, locked=0.0)
        return session._replace(phones=phones).request(Request.PHONE_CODE)

    def content(self, session: Session) -> kinds.Content:
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
        heading = plural_text(len(phones), "{number} phone ▸", "{number} phones ▸") if phones else text("Phones")
        shown = page.partition("://")[2].rstrip("/")
        return kinds.Code(heading, page + (f"p/{code}" if code else ""), shown, code, "", meanings)


class Letting(BoxScreen):
    """The question whether to let a phone in.

    OK lets it in, in the place of the player's phone before it. BACK doesn't; if a phone that was in already is refused
    another player, no phone is let in for `LOCKED_SECONDS`.

    Attributes:
        phone_hash: the hash of its secret.
        player: the player that it asks to belong to, "" where it asks to be the host's.
        previous_phone: the phone as which the box knew it before, "" for none.
        name_as_sent: the player's name as the phone wrote it.
    """

    phone: str
    player: str
    was: str = ""
    sent: str = ""

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # Which phones are let in is decided at the box.
        return ()

    def ignores(self, session: Session, key: str) -> bool:
        # The question may come at any time, so the first keys were meant for something else.
        return True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
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
        """The message for the phone that loses its player to this one, which was `player_before`'s."""
        if before:
            return text("{other}'s phone is now {who}'s and replaces this one.", other=before, who=self.player)
        return text("Another phone is now {who}'s and replaces this one.", who=self.player)

    def _leave(self, session: Session, phones: PhoneAccess) -> Session:
        """Close the question. If the code is used up, a new one is requested for the next phone."""
        session = session.close()._replace(phones=phones)
        if phones.code is not None or not any(isinstance(each, Phones) for each in session.screens):
            return session
        return session.request(Request.PHONE_CODE)

    def content(self, session: Session) -> kinds.Content:
        shows = digits(self.phone) if self.phone else ""
        who, meanings = self.player or _host(), kinds.ok_back("let it in", "no")
        said, must = text("to join as"), text("It must show")
        return kinds.PhoneQuestion(text("A phone asks"), said, who, meanings, must_show=must, digits=shows)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return (self.player,)


def words(session: Session) -> str:
    """The label of the menu entry that leads to the page."""
    return text("Phones: on") if session.phones.on else text("Phones: switch on")


def open_page(session: Session) -> Session:
    """Switch phones on and open the page with the address. A new code is requested, and the old one is void."""
    phones = session.phones
    asked = (Request.PHONE_CODE,) if phones.on else (Request.PHONES_ON, Request.PHONE_CODE)
    locked = phones.locked if session.clock < phones.locked else 0.0
    return session._replace(phones=phones._replace(on=True, code=None, locked=locked)).open(Phones()).request(*asked)


def let_in_again(session: Session, paired: tuple[tuple[str, str], ...], host: str) -> Session:
    """Switch phones on after a restart of the program, with those paired that were paired before."""
    phones = session.phones._replace(on=True, paired=paired, host=host)
    return session._replace(phones=phones).request(Request.PHONES_ON)


def _switch_off(session: Session) -> Session:
    """Switch phones off, which sends all of them away, and close the page."""
    off = PhoneAccess(locked=session.phones.locked)
    return session.close()._replace(phones=off).request(Request.PHONES_OFF)


def tell_changed(session: Session, phone: str, sent: str) -> Session:
    """Leave a message on a phone's page if the box has changed the name that it sent."""
    changed = name_change_message(sent)
    return session._replace(phones=session.phones.told(phone, changed)) if changed else session


def follow_name(session: Session, old: str, new: str) -> Session:
    """Let the phone of a nameless player follow when this player gets a name before a round.

    Nothing changes if the new name has a phone already.
    """
    phones = session.phones
    if new in phones.players:
        return session
    for phone, name in phones.paired:
        if name == old:
            phones = phones.told(phone, text("You are now {who}.", who=new))
    paired = tuple((phone, new if name == old else name) for phone, name in phones.paired)
    return session._replace(phones=phones._replace(paired=paired))


def digits(phone: str) -> str:
    """Two digits that both the box and the asking phone show, so that whoever presses OK knows which phone it is."""
    return f"{zlib.crc32(phone.encode()) % 100:02}"


def _host() -> str:
    return text("the host")
