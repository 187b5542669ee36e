"""The list of games whose rules can be read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion import games
from companion.moments.menus.menu import Item, List
from companion.moments.reading.help_page import open_help

if TYPE_CHECKING:
    from companion.session.model import Session


def open_games(session: Session) -> Session:
    """Show the games to choose from, the cursor on the one played last."""
    known = games.known(session.past.seen)
    last = session.past.last_games[0] if session.past.last_games else ""
    cursor = next((place for place, each in enumerate(known) if each.id == last), 0)
    items = tuple(Item(each.name, partial(open_help, game=each.id), icon=each.id) for each in known)
    return session._replace(mode=List("", (), items, cursor, session.mode))
