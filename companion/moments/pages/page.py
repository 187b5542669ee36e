"""Pages to read: the keys that turn and leave all of them, and the page of a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.contents import kinds
from companion.languages import text
from companion.session import double_taps
from companion.session.model import Moment

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.session.model import Session

FORWARD, BACKWARD = ("down", "right", "8", "0"), ("up", "left", "2")
"""The keys that turn a page, and those that turn it back."""


class Page(Moment):
    """A page to read: `number` is how often it was turned; `back` is the moment beneath it, None for the table.

    Both are fields of each page. Raises TypeError where a class of pages has not both.
    """

    interruptible = True

    number: int
    back: Moment | None
    _replace: Callable[..., Any]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if not {"number", "back"} <= set(getattr(cls, "_fields", ())):
            raise TypeError(f"a page such as {cls.__name__} needs the fields `number` and `back`")

    @property
    def last(self) -> int | None:
        """How often it can be turned, None where that depends on the display."""
        return None

    @property
    def turned(self) -> int:
        """Its number, where the display makes the pages."""
        return self.number if self.last is None else 0

    def turn_to(self, number: int) -> Page:
        """Another of its pages."""
        turned: Page = self._replace(number=number)
        return turned

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """Down and right (or 8 and 0) turn it, up and left (or 2) turn it back; any other key leaves."""
        if key in FORWARD:
            number = self.number + 1 if self.last is None else min(self.number + 1, self.last)
            return session.show(self.turn_to(number))
        if key in BACKWARD:
            return session.show(self.turn_to(max(0, self.number - 1)))
        return self.leave(session)

    def leave(self, session: Session) -> Session:
        """Show what it led back to."""
        return double_taps.show_again(session, self.back)


class _Reply(NamedTuple):
    lines: tuple[str, ...]
    back: Moment | None = None
    number: int = 0
    leads_on: bool = False
    before: Moment | None = None


class Reply(Page, _Reply):
    """A few lines in reply, the first of them the heading; `leads_on`: what follows it was not there before.

    BACK leads to `before`, if there is one.
    """

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """BACK leads to what was before it; otherwise as on every page."""
        if key == "*" and self.before is not None:
            return session.show(self.before)
        return super().press(session, key, held=held)

    def says(self, session: Session) -> kinds.Content:
        """The lines."""
        title, *lines = self.lines
        keys = [kinds.KeyMeaning("ok", text("next") if self.leads_on else text("back"))]
        keys += [kinds.KeyMeaning("back", text("back"))] * (self.before is not None)
        return kinds.Reading(title, tuple(lines), tuple(keys), self.number)
