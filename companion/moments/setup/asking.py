"""A question before a round, as a list to choose from, and how it leads to the next one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.languages import text
from companion.moments.menus.menu import ListScreen
from companion.session.model import QuestionDue

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.contents.kinds import KeyMeaning
    from companion.session.model import Screen, Session
    from companion.session.round_setup import Setup


class Asking(ListScreen):
    """A question about `title` with what can be chosen; `notes` are what is asked, the longest wording first.

    BACK leads one question back, or where it is `over` another screen to that; `leads` says where.
    """

    setup: Setup
    over: bool = False
    leads: str = text("back")

    @property
    def of_game(self) -> str:
        """The game that is set up."""
        return self.setup.game

    def close(self, session: Session) -> Session:
        """Go back."""
        return super().close(session) if self.over else go_on(session, self.setup, -1)

    def meanings(self, session: Session) -> tuple[KeyMeaning, ...]:
        """OK and BACK."""
        return kinds.ok_back("choose", self.leads)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """Who plays, and who else could."""
        return (*self.setup.names, *super().shown_names(session))


def go_on(session: Session, setup: Setup, by: int = 1) -> Session:
    """Ask the next question of a setup, or another one `by` so many further, or begin its round."""
    return session.show(QuestionDue(setup._replace(asked=setup.asked + by)))


def show_question(session: Session, *screens: Screen) -> Session:
    """Show a question over the menu in which its setup began, and what is open over that question."""
    return session._replace(screens=(session.screens[0], *screens))


def choose(setup: Setup) -> Callable[[Session], Session]:
    """What an entry opens that leads to these choices: the next question."""
    return partial(go_on, setup=setup)
