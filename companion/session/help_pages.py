"""How a game is set up and played, in a few pages of the panel, each with up to four lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.session.actions import HelpOf
from companion.session.model import Item, Menu, Page, PageKind

if TYPE_CHECKING:
    from companion.session.model import Session


def menu(session: Session) -> Session:
    """The games to choose from, the cursor on the one played last."""
    known = games.known(session.past.seen)
    last = session.past.last_games[0] if session.past.last_games else ""
    cursor = next((place for place, each in enumerate(known) if each.id == last), 0)
    items = tuple(Item(HelpOf(each.id), each.name, icon=each.id) for each in known)
    return session._replace(mode=Menu("help", items, cursor))


def opened(session: Session, game: str) -> Session:
    """The first page about a game, over the menu that led there."""
    lines = (games.manifest(game).name, *games.help_pages(game))
    return session._replace(mode=Page(PageKind.HELP, lines, back=session.mode))


def press(session: Session, page: Page, key: str) -> Session:
    """Down and OK turn the page, OK leaves the last one; up turns back, any other key leaves."""
    last = len(page.lines) - 2
    if key in ("down", "right", "8", "0") or (key == "#" and page.number < last):
        return session._replace(mode=page._replace(number=min(page.number + 1, last)))
    if key in ("up", "left", "2"):
        return session._replace(mode=page._replace(number=max(0, page.number - 1)))
    return session._replace(mode=page.back)
