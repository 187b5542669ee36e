"""A page that only one game has, named in its manifest and drawn by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.contents import kinds
from companion.game.screen import ROWS, PageScene
from companion.moments.pages.page import Page

if TYPE_CHECKING:
    from companion.rounds.on_table import Round
    from companion.session.model import Moment, Session


class _OwnPage(NamedTuple):
    own: str
    lines: tuple[str, ...]
    number: int = 0
    back: Moment | None = None


class OwnPage(Page, _OwnPage):
    """The page `own` of the game on the table, with its lines."""

    @property
    def last(self) -> int:
        """The last part of so many lines as the game draws at a time."""
        return max(0, len(self.lines) - 1) // ROWS

    def says(self, session: Session) -> kinds.Content:
        """The page's scene."""
        round_ = session.round_here
        title, view = round_.manifest.pages[self.own], round_.game.view(round_.state, None)
        names = round_.header.names
        scene = PageScene(self.own, title, self.lines, self.number, view, names, session.buttons)
        return kinds.Drawn(round_.header.game, scene)


def open_own_page(session: Session, round_: Round, own: str) -> Session:
    """Show one of the game's own pages, at its last part, over the moment that led there."""
    page = OwnPage(own, tuple(round_.entry.lines(own, round_.states, round_.events, ROWS)), 0, session.moment)
    return session.show(page._replace(number=page.last))
