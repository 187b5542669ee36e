"""How a game is set up and played, in a few pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion import games
from companion.contents import kinds
from companion.game.text import text
from companion.moments.reading.page import Page

if TYPE_CHECKING:
    from companion.session.model import Moment, Session


class _HelpPage(NamedTuple):
    lines: tuple[str, ...]
    back: Moment | None = None
    number: int = 0


class HelpPage(Page, _HelpPage):
    """How a game is played: its name, then a part a line."""

    @property
    def last(self) -> int:
        """The last part."""
        return len(self.lines) - 2

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK turns the page too, and leaves the last one."""
        return super().press(session, "down" if key == "#" and self.number < self.last else key)

    def says(self, session: Session) -> kinds.Content:
        """All parts, one at a time."""
        name, *told = self.lines
        more = (kinds.Answer("ok", text("more")),) if self.number < self.last else ()
        return kinds.Reading(name, tuple(told), (*more, kinds.Answer("back", text("back"))), self.number, parted=True)


def open_help(session: Session, game: str) -> Session:
    """Show the first page about a game, over the moment that led there."""
    return session._replace(mode=HelpPage((games.manifest(game).name, *games.help_pages(game)), session.mode))
