"""Pages to read: the keys that turn and leave all of them, and the page of a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.languages import text
from companion.session import double_taps
from companion.session.model import Screen

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.session.model import Session

FORWARD, BACKWARD = ("down", "right", "8", "0"), ("up", "left", "2")
"""The keys that turn a page, and those that turn it back."""


class PageScreen(Screen, kw_only=True):
    """A page to read: `number` is how often it was turned."""

    number: int = 0

    @property
    def family(self) -> str:
        """One for all pages."""
        return "Page"

    @property
    def last(self) -> int | None:
        """How often it can be turned, None where that depends on the display."""
        return None

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """Down and right (or 8 and 0) turn it, up and left (or 2) turn it back; any other key leaves."""
        if key in FORWARD:
            number = self.number + 1 if self.last is None else min(self.number + 1, self.last)
            return session.show(self._replace(number=number))
        if key in BACKWARD:
            return session.show(self._replace(number=max(0, self.number - 1)))
        return self.leave(session)

    def leave(self, session: Session) -> Session:
        """Show what it was opened over."""
        return double_taps.mark_seen(session.close())


class Reply(PageScreen):
    """A few lines in reply, the first of them the heading; `leads_on`: what follows it was not there before.

    What follows is `then`, where that is not None, and BACK leads back; else it is what it was opened over.
    """

    lines: tuple[str, ...]
    leads_on: bool = False
    then: Callable[[Session], Session] | None = None

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """BACK leads back; otherwise as on every page."""
        return session.close() if key == "*" and self.then is not None else super().press(session, key, held=held)

    def leave(self, session: Session) -> Session:
        """Show what follows."""
        return super().leave(session) if self.then is None else double_taps.mark_seen(self.then(session.close()))

    def content(self, session: Session) -> kinds.Content:
        """The lines."""
        title, *lines = self.lines
        keys = [kinds.KeyMeaning("ok", text("next") if self.leads_on else text("back"))]
        keys += [kinds.KeyMeaning("back", text("back"))] * (self.then is not None)
        return kinds.Reading(title, tuple(lines), tuple(keys), self.number)
