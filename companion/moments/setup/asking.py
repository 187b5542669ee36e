"""A question before a round, as a list to choose from, and how it leads to the next one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from companion.contents import kinds
from companion.languages import text
from companion.moments.menus.menu import Item, Listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.contents.kinds import KeyMeaning
    from companion.session.model import Moment, Session
    from companion.session.round_setup import Setup


class _Asking(NamedTuple):
    setup: Setup
    title: str
    notes: tuple[str, ...]
    listed: tuple[Item, ...]
    cursor: int = 0
    back: Moment | None = None
    leads: str = text("back")


class Asking(Listed, _Asking):
    """A question about `title` with what can be chosen; `notes` are what is asked, the longest wording first.

    BACK leads to `back`, or where that is None one question back; `leads` says where.
    """

    @property
    def of_game(self) -> str:
        """The game that is set up."""
        return self.setup.game

    def close(self, session: Session) -> Session:
        """Go back."""
        return go_on(session, self.setup, -1) if self.back is None else super().close(session)

    def meanings(self, session: Session) -> tuple[KeyMeaning, ...]:
        """OK and BACK."""
        return kinds.ok_back("choose", self.leads)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """Who plays, and who else could."""
        return (*self.setup.names, *super().shown_names(session))


def go_on(session: Session, setup: Setup, by: int = 1) -> Session:
    """Ask the next question of a setup, or another one `by` so many further, or begin its round."""
    return session.ask(session, setup._replace(asked=setup.asked + by))


def choose(setup: Setup) -> Callable[[Session], Session]:
    """What an entry opens that leads to these choices: the next question."""
    return partial(go_on, setup=setup)
