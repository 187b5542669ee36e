"""The first start of a box, after its language: its keys, and the players' names. Each step can be left.

The steps lie over one another, the first one on top, so that leaving one shows the next. BACK opens the step before
over the one that it leaves::

    language ◄──► keys ◄──► names ──► the menu below

While the step of the keys is open, also below another one, the box learns what is connected (`Devices.learn`). A button
on a pin that is not configured opens that step at once, since no other screen could be left without it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.evening import double_taps
from companion.evening.contents import kinds
from companion.evening.screens.box_checks import Doctor
from companion.evening.screens.lists import ListScreen, MenuItem
from companion.evening.screens.name_screens import MAX_FAVOURITES, SpellingScreen, set_favourite
from companion.inputs import BUTTON_KEYS
from companion.languages import text
from companion.languages.catalogues import available_languages, native_language_name
from companion.rounds.stored import LogEntry

if TYPE_CHECKING:
    from companion.evening.model import Session
    from companion.inputs import SettingFound

ASKED_LABELS = (
    text("▴ up"), text("▾ down"), text("◂ left"), text("▸ right"), "OK", "BACK",
)  # fmt: skip
"""How the box asks for each of `BUTTON_KEYS`."""
PRESSES_TO_LEAVE = 3


def language_label(session: Session) -> str:
    """The label of the entry in the menu "more"."""
    return text("Language: {name}", name=native_language_name(session.language))


def ask_language(session: Session, *, is_first_step: bool = False) -> Session:
    """Open the list of languages, the cursor on the one in use. BACK keeps it."""
    known = available_languages()
    items = tuple(MenuItem(native_language_name(each), partial(_choose_language, language=each)) for each in known)
    cursor = known.index(session.language) if session.language in known else 0
    return session.open_screens(LanguageList(text("Language"), (), items, cursor=cursor, is_first_step=is_first_step))


class LanguageList(ListScreen):
    """The languages. BACK keeps the one in use, and where this `is_first_step` goes on to the next step."""

    is_first_step: bool = False

    def key_hints(self, session: Session) -> tuple[kinds.KeyHint, ...]:
        return kinds.ok_and_back_hints("choose", text("skip") if self.is_first_step else self.back_label)


def _choose_language(session: Session, language: str) -> Session:
    log_entry = LogEntry(0, "language", text=language)
    history = session.history._replace(language=language)
    return session.close_screen()._replace(language=language, history=history).save_entries(log_entry)


def open_first_start(session: Session) -> Session:
    """Open the steps of a first start over the screen that is open."""
    return ask_language(session.open_screens(name_step(session), FirstKeys()), is_first_step=True)


class FirstKeys(Doctor):
    """Asks for each button once, and so learns its pin; or shows each key of a keypad as it arrives.

    The same button for the third time, or OK of a keypad twice in a row, leads to the next step; BACK of a keypad twice
    in a row leads to the language before.

    Attributes:
        pins: the pins (BCM numbers) of the buttons so far, in the order of `BUTTON_KEYS`.
        last_pin: the pin of the newest button, -1 for none.
        presses: how often that one was pressed in a row.
        wrong_key: the index in `BUTTON_KEYS` of a button that is not the one asked for, None for a right one.
    """

    pins: tuple[int, ...] = ()
    last_pin: int = -1
    presses: int = 0
    wrong_key: int | None = None

    is_key_page = True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key in ("#", "*") and self.newest_keys[-1:] == (self.key_label(session, key),):
            if key == "#" or not isinstance(session.screens[-2], FirstName):
                return session.close_screen()  # The step may also be open alone, for a repair.
            return ask_language(session.replace_screen(FirstKeys()), is_first_step=True)
        return self.add_key(session, key)

    def content(self, session: Session) -> kinds.Content:
        keys = kinds.Keys(
            text("Keys"), text("{number} pressed", number=self.key_count), self.newest_keys,
            (text("Press every key:"), text("each is shown here.")),
        )  # fmt: skip
        hints: tuple[kinds.KeyHint, ...] = (kinds.KeyHint("ok", text("twice: next")),)
        if self.newest_keys[-1:] == (self.key_label(session, "#"),):
            hints = (kinds.KeyHint("ok", text("again: next")),)
        elif self.newest_keys[-1:] == (self.key_label(session, "*"),):
            hints = (kinds.KeyHint("back", text("again: back")),)
        if session.settings.has_buttons and not session.settings.is_terminal and not self.newest_keys:
            count = len(self.pins)
            note = text("{number} of {most}", number=count + 1, most=len(BUTTON_KEYS))
            below = text("or any key of a keypad") if not count else text("3 times the same: next")
            if self.wrong_key is not None:
                below = text("that was {key}", key=ASKED_LABELS[self.wrong_key])
            keys, hints = kinds.Keys(text("Press"), note, (below, ASKED_LABELS[count]), ()), ()
        return kinds.Findings(keys.title, "", "", (), keys, hints, 1)


def open_keys(session: Session) -> Session:
    """Open the step of the keys alone, in which the box learns what is connected."""
    return session.open_screens(FirstKeys())


def take_pin(session: Session, pin: int, key: str) -> Session:
    """Take the press of a button while the box learns its buttons; after the last one, these are the box's buttons.

    A button that is wired as another `key` than the one asked for is named first. Pressed again, it is learned: then
    the wiring is another one.
    """
    screen = session.screen
    if not isinstance(screen, FirstKeys):
        return open_keys(session)
    presses = screen.presses + 1 if pin == screen.last_pin else 1
    if presses == PRESSES_TO_LEAVE:
        return session.close_screen()
    wrong_key = None
    if pin in screen.pins:
        wrong_key = screen.pins.index(pin)
    elif presses == 1 and key in BUTTON_KEYS[len(screen.pins) + 1 :]:
        wrong_key = BUTTON_KEYS.index(key)
    pins = screen.pins if wrong_key is not None else (*screen.pins, pin)
    if len(pins) < len(BUTTON_KEYS):
        return session.replace_screen(FirstKeys(pins=pins, last_pin=pin, presses=presses, wrong_key=wrong_key))
    session = session._replace(screens=tuple(each for each in session.screens if not isinstance(each, FirstKeys)))
    known = session.box.buttons or ((),) * len(pins)
    if all(pin in pins_of_key for pin, pins_of_key in zip(pins, known, strict=True)):
        return session
    return session._replace(box=session.box._replace(buttons=tuple((pin,) for pin in pins)))


def use_found_setting(session: Session, found: SettingFound) -> Session:
    """Use what the box has found out by itself; it is saved like a setting that somebody has chosen."""
    if found.address:
        return session._replace(box=session.box._replace(address=found.address))
    settings, box = session.settings._replace(has_keypad=True), session.box._replace(port=found.port)
    return session._replace(settings=settings, box=box, banner=text("Keypad found"))


class FirstName(SpellingScreen):
    """Asks for the next name that the box will offer.

    With nothing entered OK ends this, and BACK opens the last of the `new_names` of these steps again, or the keys.
    """

    new_names: tuple[str, ...] = ()

    empty_label = text("that's all")

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if not self.name_text and key == "*" and not double_taps.has_just_erased(session):
            if not self.new_names:
                return session.open_screens(FirstKeys())
            *before, name = self.new_names
            session = set_favourite(session, name, is_favourite=False)
            return session.replace_screen(name_step(session, tuple(before))._replace(name_text=name))
        if not self.name_text and key == "#" and self.is_on_done(session):
            return session.close_screen()
        return super().press(session, key, held=held)


def name_step(session: Session, new_names: tuple[str, ...] = ()) -> FirstName:
    """Asks for the next name."""
    number = text("name {number}", number=len(session.history.favourites) + 1)
    return FirstName(text("Who plays?"), number, _add_name, new_names=new_names)


def _add_name(session: Session, name: str) -> Session:
    session = set_favourite(session, name, is_favourite=True)
    if len(session.history.favourites) >= MAX_FAVOURITES:
        return session.close_screen()
    names = session.screen.new_names if isinstance(session.screen, FirstName) else ()
    return session.replace_screen(name_step(session, (*names, name)))
