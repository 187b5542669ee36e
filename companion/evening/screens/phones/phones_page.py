"""The page with the address for phones and big screens, and the question whether to let one in."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from companion.evening.contents import kinds
from companion.evening.screen_kinds import BoxScreen
from companion.evening.screens.lists import MenuItem
from companion.evening.screens.messages import Confirmation
from companion.evening.session_values import PhoneAccess
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

    page_number: int = 0

    allows_naming = True

    def may_be_double_tap(self, session: Session, key: str) -> bool:
        # OK switches phones off, or sends one away.
        return key == "#"

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key in ("left", "right"):
            pages = len(session.phones.admitted_phones) + 1
            number = (self.page_number + (1 if key == "right" else -1)) % pages
            return session.replace_screen(self._replace(page_number=number))
        if self.page_number:
            return self._press_phone(session, key)
        if key == "#":
            number = len(session.phones.admitted_phones)
            explanation = plural_text(number, "1 phone will be disconnected.", "{number} phones will be disconnected.")
            return session.open_screens(
                Confirmation(_switch_off, text("Switch phones off?"), (explanation,) * bool(number), is_box_only=True)
            )
        return session.close_screen() if key == "*" else session

    def _press_phone(self, session: Session, key: str) -> Session:
        """Send the phone of the open page away (OK), or go back to the code."""
        phones = session.phones.admitted_phones
        if key == "#" and self.page_number <= len(phones):
            phone = phones[self.page_number - 1][0]
            phones_after = session.phones.without_phone(phone).with_message(
                phone, text("This phone was disconnected at the box.")
            )
            number = min(self.page_number, len(phones) - 1)
            return session.replace_screen(self._replace(page_number=number))._replace(phones=phones_after)
        return session.replace_screen(self._replace(page_number=0)) if key in ("*", "#") else session

    def next_change_time(self, session: Session) -> float | None:
        code = session.phones.code
        return session.phones.locked_until or (code.valid_until if code is not None else None)

    def tick(self, session: Session) -> Session:
        phones = session.phones._replace(code=None, locked_until=0.0)
        return session._replace(phones=phones).send_request(Request.PHONE_CODE)

    def content(self, session: Session) -> kinds.Content:
        access = session.phones
        phones = access.admitted_phones
        if access.addresses and 0 < self.page_number <= len(phones):
            (phone, name), figure = phones[self.page_number - 1], f"{self.page_number}/{len(phones)}"
            hints = kinds.ok_and_back_hints("yes", "no")
            if not name and phone != access.host:
                return kinds.PhoneQuestion(text("Disconnect?"), "", text("Television"), hints, figure)
            owner_phrase = text("the phone of the host and") if name and phone == access.host else text("the phone of")
            return kinds.PhoneQuestion(text("Disconnect?"), owner_phrase, name or text("the host"), hints, figure)
        hints = kinds.ok_and_back_hints("off", "back")
        if session.now < access.locked_until:
            stopped = text("Too many tries: you will get a new code within a minute.")
            return kinds.Code(text("Phones"), "", "", "", stopped, hints)
        if not access.addresses:
            waiting = text("No phone can join yet. Ask whoever set up the box to start its web page.")
            return kinds.Code(text("Phones"), "", "", "", waiting, hints)
        code = access.code.text if access.code is not None else ""
        page = access.addresses[0]
        heading = plural_text(len(phones), "{number} phone ▸", "{number} phones ▸") if phones else text("Phones")
        shown = page.partition("://")[2].rstrip("/")
        return kinds.Code(heading, page + (f"p/{code}" if code else ""), shown, code, "", hints)


class PhoneAdmission(BoxScreen):
    """The question whether to let a phone in.

    OK lets it in; it then replaces the player's phone, if there is one. BACK refuses it. If it was in already and asked
    for another player, no code is accepted for `LOCKED_SECONDS` after that.

    Attributes:
        phone_hash: the hash of the phone's secret.
        player: the player that it asks to belong to, "" where it asks to be the host's.
        previous_phone: the hash by which the box knew the phone before, "" for none.
        name_as_sent: the player's name as the phone wrote it.
        is_screen: whether it asks to be the big screen instead, which shows the code as the panel does.
    """

    phone_hash: str
    player: str
    previous_phone: str = ""
    name_as_sent: str = ""
    is_screen: bool = False

    public_name = "Letting"

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # Which phones are let in is decided at the box.
        return ()

    def may_be_double_tap(self, session: Session, key: str) -> bool:
        # The question may come at any time, so the first keys were meant for something else.
        return True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "*":
            phones = session.phones.with_message(self.phone_hash, text("The box said no."))
            if phones.is_admitted(self.phone_hash):
                phones = phones._replace(locked_until=session.now + LOCKED_SECONDS)
            return self._leave(session, phones)
        if key != "#":
            return session
        phones = session.phones.with_renewed_phone(self.previous_phone, self.phone_hash).without_message(
            self.phone_hash
        )
        if self.is_screen:
            return self._leave(session, phones._replace(screen=self.phone_hash))
        if not self.player:
            if phones.host != self.phone_hash:
                phones = phones.with_message(phones.host, text("Another phone is now the host's."))
            return self._leave(session, phones._replace(host=self.phone_hash))
        for phone, name in phones.player_phones:
            if name == self.player and phone != self.phone_hash:
                phones = phones.with_message(phone, self._replacement_message(phones.player_of(self.phone_hash)))
        return report_changed_name(
            self._leave(session, phones.with_player_phone(self.phone_hash, self.player)),
            self.phone_hash,
            self.name_as_sent,
        )

    def _replacement_message(self, player_before: str) -> str:
        """The message for the phone that loses its player to this one, which was `player_before`'s."""
        if player_before:
            return text("{other}'s phone is now {who}'s and replaces this one.", other=player_before, who=self.player)
        return text("Another phone is now {who}'s and replaces this one.", who=self.player)

    def _leave(self, session: Session, phones: PhoneAccess) -> Session:
        """Close the question. If the code is used up, a new one is requested for the next phone."""
        session = session.close_screen()._replace(phones=phones)
        if phones.code is not None or not any(isinstance(each, Phones) for each in session.screens):
            return session
        return session.send_request(Request.PHONE_CODE)

    def content(self, session: Session) -> kinds.Content:
        phone_digits = phone_check_digits(self.phone_hash) if self.phone_hash else ""
        title, said, who = text("A phone asks"), text("to join as"), self.player or text("the host")
        if self.is_screen:
            title, said, who = text("A screen asks"), text("to show the code"), text("Television")
        hints = kinds.ok_and_back_hints("let it in", "no")
        return kinds.PhoneQuestion(title, said, who, hints, must_show=text("It must show"), digits=phone_digits)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return (self.player,)


def phones_label(session: Session) -> str:
    """The label of the menu entry that leads to the page."""
    return text("Phones: on") if session.phones.is_on else text("Phones: switch on")


def phones_item(session: Session) -> MenuItem:
    """The entry of a menu that leads to the page. Somebody may come in the middle of a round."""
    return MenuItem(phones_label(session), ask_phones, word="phones")


def ask_phones(session: Session) -> Session:
    """Open the page if phones are on, else ask first: whoever only looks for the page starts no network service."""
    if session.phones.is_on:
        return open_phones_page(session)
    said = text("Then phones in this house can join the table.")
    return session.open_screens(Confirmation(open_phones_page, text("Switch phones on?"), (said,)))


def open_phones_page(session: Session) -> Session:
    """Switch phones on and open the page with the address. A new code is requested, and the old one is void."""
    phones = session.phones
    asked = (Request.PHONE_CODE,) if phones.is_on else (Request.PHONES_ON, Request.PHONE_CODE)
    locked = phones.locked_until if session.now < phones.locked_until else 0.0
    return (
        session._replace(phones=phones._replace(is_on=True, code=None, locked_until=locked))
        .open_screens(Phones())
        .send_request(*asked)
    )


def shown_code(session: Session) -> str:
    """The code that lets a phone in, while the panel shows it; otherwise ""."""
    content = session.screen.content(session) if isinstance(session.screen, Phones) else None
    return content.code if isinstance(content, kinds.Code) else ""


def restore_phones(session: Session, player_phones: tuple[tuple[str, str], ...], host: str, screen: str) -> Session:
    """Switch phones on after a restart of the program, with those paired that were paired before."""
    phones = session.phones._replace(is_on=True, player_phones=player_phones, host=host, screen=screen)
    return session._replace(phones=phones).send_request(Request.PHONES_ON)


def _switch_off(session: Session) -> Session:
    """Switch phones off, which sends all of them away, and close the page."""
    off = PhoneAccess(locked_until=session.phones.locked_until)
    return session.close_screen()._replace(phones=off).send_request(Request.PHONES_OFF)


def report_changed_name(session: Session, phone: str, name_as_sent: str) -> Session:
    """Leave a message on a phone's page if the box has changed the name that it sent."""
    message = name_change_message(name_as_sent)
    return session._replace(phones=session.phones.with_message(phone, message)) if message else session


def rename_phone_owner(session: Session, old: str, new: str) -> Session:
    """Let the phone of a nameless player follow when this player gets a name before a round.

    Nothing changes if the new name has a phone already.
    """
    phones = session.phones
    if new in phones.players:
        return session
    for phone, name in phones.player_phones:
        if name == old:
            phones = phones.with_message(phone, text("You are now {who}.", who=new))
    paired = tuple((phone, new if name == old else name) for phone, name in phones.player_phones)
    return session._replace(phones=phones._replace(player_phones=paired))


def phone_check_digits(phone: str) -> str:
    """Two digits that both the box and the asking phone show, so that whoever presses OK knows which phone it is."""
    return f"{zlib.crc32(phone.encode()) % 100:02}"
