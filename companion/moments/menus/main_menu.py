"""The main menu with the games."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion import games
from companion.contents import kinds
from companion.languages import text
from companion.moments.menus.menu import Item, MenuScreen
from companion.moments.menus.more_menu import MoreMenu
from companion.moments.setup import setup
from companion.moments.setup.again import open_again

if TYPE_CHECKING:
    from companion.session.model import Session


class MainMenu(MenuScreen):
    """The games, each always with the same digit; BACK leads to what is not a game."""

    between_rounds = True

    def items(self, session: Session) -> tuple[Item, ...]:
        """The games that the box has ever known."""
        known = games.known(session.past.seen)
        return tuple(Item(each.name, partial(setup.choose, game=each.id), icon=each.id) for each in known)

    def meanings(self, session: Session) -> tuple[kinds.KeyMeaning, ...]:
        """A game that was played before can be begun as it was."""
        if self._again(session):
            return *kinds.ok_back("new", "more"), kinds.KeyMeaning("right", text("same"))
        return kinds.ok_back("choose", "more")

    def close(self, session: Session) -> Session:
        """Open the menu "more"."""
        return session.open(MoreMenu())

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """Right begins the game as it was played last."""
        game = self._again(session) if key == "right" else ""
        return open_again(session, game) if game else super().press(session, key, held=held)

    def _again(self, session: Session) -> str:
        """The game under the cursor, "" if no round of it can be played again."""
        game = games.known(session.past.seen)[self.cursor].id
        return game if setup.last_head(session, game) is not None else ""


def main_menu(session: Session) -> MainMenu:
    """The main menu, the cursor on the game that was played last."""
    known = [each.id for each in games.known(session.past.seen)]
    cursor = next((known.index(each) for each in session.past.last_games if each in known), 0)
    return MainMenu(cursor=cursor)
