"""How a game is set up and played, in a few pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion import games
from companion.contents import kinds
from companion.languages import text
from companion.moments.pages.page import FORWARD, Page

if TYPE_CHECKING:
    from companion.session.model import Moment, Session


class _HelpPage(NamedTuple):
    game: str
    back: Moment | None = None
    number: int = 0


class HelpPage(Page, _HelpPage):
    """How a game is played: first its keys on the device that was used last, then the rules, a part a page."""

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK turns the page too, and leaves the last one."""
        last = len(self._pages(session)) - 1
        at = min(self.number, last)
        if at == last and key in FORWARD:
            return session
        return Page.press(self._replace(number=at), session, "down" if key == "#" and at < last else key)

    def _pages(self, session: Session) -> tuple[str, ...]:
        return games.help_pages(self.game, buttons=session.buttons)

    def says(self, session: Session) -> kinds.Content:
        """All parts, one at a time."""
        told = self._pages(session)
        more = (kinds.KeyMeaning("ok", text("more")),) if self.number < len(told) - 1 else ()
        meanings = (*more, kinds.KeyMeaning("back", text("back")))
        return kinds.Reading(
            games.manifest(self.game).name, told, meanings, min(self.number, len(told) - 1), parted=True
        )


def open_help(session: Session, game: str) -> Session:
    """Show the first page about a game, over the moment that led there."""
    return session.show(HelpPage(game, session.moment))
