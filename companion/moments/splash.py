"""The title, at the start of the evening."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.contents import kinds
from companion.inputs import DOCTOR
from companion.moments import presses
from companion.moments.menus import language
from companion.moments.pages import doctor
from companion.moments.setup.resuming import open_evening
from companion.session.model import Moment

if TYPE_CHECKING:
    from companion.session.model import Session


class _Splash(NamedTuple):
    until: float
    ok: bool = False


class Splash(Moment, _Splash):
    """The title screen, until a key or `until` (monotonic seconds); with `ok` OK is held, and the doctor opens then."""

    letters_are_keys = True

    def press_button(self, session: Session, key: str) -> Session | None:
        """A button's OK waits for its release, for held it asks for the doctor."""
        if key == DOCTOR:
            return self.press(session, "0")
        if key != "ok" or self.ok:
            return None
        return session.show(Splash(session.clock + doctor.HOLD_SECONDS, ok=True))

    def release(self, session: Session, key: str) -> Session:
        """OK ends the title and counts."""
        return self._end_title(session, "#") if self.ok and key == "ok" else session

    def beneath(self, session: Session, key: str) -> Session | None:
        """A press ends the title and counts."""
        if key == "0" or (language.is_open(session) and not self.ok):
            return None
        return self._end_title(session, "#") if self.ok else open_evening(session) if key.isdigit() else None

    def _end_title(self, session: Session, key: str) -> Session:
        """The session after the title and a key: it counts at a table, but chooses nothing of a menu not seen yet."""
        after = open_evening(session)
        return presses.handle_key(after, key) if after.round is not None else after

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """0 opens the doctor; any other key ends the title."""
        return doctor.open_doctor(open_evening(session)) if key == "0" else self._end_title(session, key)

    def due(self, session: Session) -> float:
        """When it ends."""
        return self.until

    def tick(self, session: Session) -> Session:
        """End it, or open the doctor."""
        return self.press(session, "0") if self.ok else open_evening(session)

    def says(self, session: Session) -> kinds.Content:
        """The title."""
        return kinds.Cover()
