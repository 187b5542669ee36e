"""A message to everybody, which the next key closes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.languages import joined, text
from companion.session import double_taps
from companion.session.screen_kinds import MessageScreen

if TYPE_CHECKING:
    from companion.session.model import Session


class Notice(MessageScreen):
    """A message until the next key: an icon's name, a heading, what happened, what follows."""

    icon: str
    heading: str
    lines: tuple[str, ...]
    after: str

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """As any message; OK too may be followed by one that was meant for it."""
        return double_taps.mark_erased(session.close()) if key == "#" else super().press(session, key)

    def announces(self, session: Session) -> tuple[str, ...]:
        """The message."""
        return self.heading, *self.lines, self.after

    def content(self, session: Session) -> kinds.Content:
        """The message; any key closes it once it was seen for long enough."""
        meanings = (kinds.KeyMeaning("any", text("any key")),) if double_taps.takes_any_key(session) else ()
        return kinds.Notice(self.icon, self.heading, joined(self.lines, " "), self.after, meanings)
