"""A table whose pictures are collected by name for the sheet of every screen, with one set of keys in use."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from driven_table import DrivenTable
from list_screens import index_of_line
from PIL import Image

from companion import display
from companion.evening.double_taps import DOUBLE_TAP_GUARD_SECONDS
from companion.evening.model import Session
from companion.evening.screen_kinds import MoveScreen
from companion.evening.screens.play import round_actions
from companion.evening.screens.private.corrections import CorrectionScreen
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory

KEY_SETS = ("buttons", "keypad")
PLAYER_NAMES = ("Ann", "Ben", "Cleo", "Dan")


class SheetPicture(NamedTuple):
    """A session that is worth a picture, with its name."""

    name: str
    session: Session

    def draw(self) -> Image.Image:
        """The panel; for a refusal or notice at the time when any key closes it."""
        return display.session_picture(self.session._replace(now=self.session.now + DOUBLE_TAP_GUARD_SECONDS))


class ScreenSheet:
    """The pictures collected so far, with one set of keys: ``buttons`` or ``keypad``."""

    def __init__(self, keys: str) -> None:
        self.keys = keys
        self.pictures: dict[str, SheetPicture] = {}

    def add_picture(self, name: str, session: Session) -> None:
        """Add a picture; each name occurs once. The rest view is a picture of its own."""
        assert name not in self.pictures, name
        rests = 0.0 if name.startswith("rest view") else math.inf
        self.pictures[name] = SheetPicture(
            name, session._replace(uses_buttons=self.keys == "buttons", rest_view_at=rests)
        )

    def new_table(self, header: RoundHeader | None = None, history: StoredHistory | None = None) -> SheetTable:
        """A table with this set of keys only."""
        held = self.keys == "buttons"
        settings = SessionSettings(PLAYER_NAMES[:2], header, has_keypad=not held, has_buttons=held)
        return SheetTable(self, settings, history or StoredHistory())


class SheetTable(DrivenTable):
    """A table that is driven by what a key does, whatever the key is called."""

    def __init__(self, sheet: ScreenSheet, settings: SessionSettings, history: StoredHistory) -> None:
        self.sheet = sheet
        super().__init__(settings, history)

    def add_picture(self, name: str, **changed: Any) -> None:
        """Add the session as it is, or with some fields changed."""
        session, screen = self.session, changed.pop("screen", None)
        if isinstance(screen, MoveScreen):
            session = session._replace(screens=(screen,))
        elif screen is not None:
            below = (screen.privacy_screen,) if isinstance(screen, CorrectionScreen) else ()
            session = session.open_screens(*below, screen)
        self.sheet.add_picture(name, session._replace(**changed))

    def do(self, *keys: str) -> None:
        """Press keys, named as on buttons."""
        typed = {"ok": "#", "back": "*", "up": "A", "right": "B", "down": "C", "left": "D"}
        held = self.sheet.keys == "buttons"
        self.press(*(key if held else typed.get(key, key) for key in keys))

    def pick(self, *words: str) -> None:
        """Choose the line of the open menu that begins with any of these words."""
        menu = self.session.screen
        self.session = self.session.replace_screen(menu._replace(cursor=index_of_line(self.session, *words)))
        self.do("ok")

    def menu(self, *words: str) -> None:
        """Choose a line of the table menu."""
        self.now += 2
        self.do("back")
        self.pick(*words)

    def deal(self, played: Any) -> None:
        """Name all open holdings of a played round."""
        while self.family == "Dealing":
            kind, seat = self.session.round.missing_holdings[0]
            self.session = round_actions.enter_holding(
                self.session, kind, seat, played.rules.format_deal(played.deals[kind, seat])
            )
            self.carry_out()

    def commit(self, event: Any) -> None:
        """Play an event without its keys, and close the notices that follow."""
        self.session = round_actions.play_event(self.session, str(event))
        self.carry_out()
        while self.family == "Notice":
            self.do("ok")
