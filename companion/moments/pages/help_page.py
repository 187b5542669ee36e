"""How a game is set up and played, in a few pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.contents import kinds
from companion.languages import text
from companion.moments.pages.page import FORWARD, PageScreen

if TYPE_CHECKING:
    from companion.session.model import Session


class HelpPage(PageScreen):
    """How a game is played: first its keys on the device that was used last, then the rules, a part a page."""

    game: str

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK turns the page too, and leaves the last one."""
        last = len(self._pages(session)) - 1
        at = min(self.number, last)
        if at == last and key in FORWARD:
            return session
        return PageScreen.press(self._replace(number=at), session, "down" if key == "#" and at < last else key)

    def _pages(self, session: Session) -> tuple[str, ...]:
        return games.help_pages(self.game, buttons=session.buttons)

    def content(self, session: Session) -> kinds.Content:
        """All parts, one at a time."""
        told = self._pages(session)
        more = (kinds.KeyMeaning("ok", text("more")),) if self.number < len(told) - 1 else ()
        meanings = (*more, kinds.KeyMeaning("back", text("back")))
        return kinds.Reading(
            games.manifest(self.game).name, told, meanings, min(self.number, len(told) - 1), parted=True
        )


def open_help(session: Session, game: str) -> Session:
    """Show the first page about a game, over the screen that led there."""
    return session.open(HelpPage(game))
