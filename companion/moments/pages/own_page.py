"""A page that only one game has, named in its manifest and drawn by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.game.screen import ROWS, PageScene
from companion.moments.pages.page import PageScreen

if TYPE_CHECKING:
    from companion.rounds.on_table import Round
    from companion.session.model import Session


class OwnPage(PageScreen):
    """The page `own` of the game on the table, with its lines."""

    own: str
    lines: tuple[str, ...]

    @property
    def last(self) -> int:
        """The last part of so many lines as the game draws at a time."""
        return max(0, len(self.lines) - 1) // ROWS

    def content(self, session: Session) -> kinds.Content:
        """The page's scene."""
        round_ = session.round_here
        title, view = round_.manifest.pages[self.own], round_.game.view(round_.state, None)
        names = round_.header.names
        scene = PageScene(self.own, title, self.lines, self.number, view, names, session.buttons)
        return kinds.Drawn(round_.header.game, scene)


def open_own_page(session: Session, round_: Round, own: str) -> Session:
    """Show one of the game's own pages, at its last part, over the screen that led there."""
    page = OwnPage(own, tuple(round_.entry.lines(own, round_.states, round_.events, ROWS)))
    return session.open(page._replace(number=page.last))
