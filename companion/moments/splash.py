"""The title, at the start of the evening."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.inputs import DOCTOR
from companion.moments.menus import language
from companion.moments.pages.doctor import HOLD_SECONDS, open_doctor
from companion.moments.setup.resuming import open_evening
from companion.session.model import Screen

if TYPE_CHECKING:
    from companion.session.model import Session


class Splash(Screen):
    """The title screen, until a key or `until` (monotonic seconds); with `ok` OK is held, and the doctor opens then."""

    until: float
    ok: bool = False

    letters = "keys"

    def press_button(self, session: Session, key: str) -> Session:
        """A button's OK waits for its release, for held it asks for the doctor."""
        if key == DOCTOR:
            return self.press(session, "0")
        return self.press(session, "#") if self.ok else session.show(Splash(session.clock + HOLD_SECONDS, ok=True))

    def release(self, session: Session, key: str) -> Session:
        """OK ends the title and counts."""
        return self._end_title(session, "#") if self.ok and key == "ok" else session

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """0 opens the doctor; any other key ends the title, and a digit counts in the menu too."""
        if key == "0":
            return open_doctor(open_evening(session))
        if self.ok:
            return self._end_title(session, "#").press(key)
        counts = key.isdigit() and not language.is_open(session)
        return open_evening(session).press(key) if counts else self._end_title(session, key)

    def _end_title(self, session: Session, key: str) -> Session:
        """The session after the title and a key: it counts at a table, but chooses nothing of a menu not seen yet."""
        after = open_evening(session)
        return after.press(key) if after.round is not None else after

    def due(self, session: Session) -> float:
        """When it ends."""
        return self.until

    def tick(self, session: Session) -> Session:
        """End it, or open the doctor."""
        return self.press(session, "0") if self.ok else open_evening(session)

    def content(self, session: Session) -> kinds.Content:
        """The title."""
        return kinds.Cover()
