"""The page that says where a finished round was decided; the table menu opens it, and what was found is an input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.inputs import LookBackRequest
from companion.languages import text
from companion.moments.pages.page import Reply

if TYPE_CHECKING:
    from companion.inputs import LookedBack
    from companion.rounds.on_table import Round
    from companion.session.model import Session

TITLE = text("Look back")


class LookBack(Reply):
    """Where the round was decided, or that it is being looked for."""


def open_look_back(session: Session, round_: Round) -> Session:
    """Show the page, still empty, over the screen that led there, and request it."""
    request = LookBackRequest(round_.header.game, round_.states, round_.events, round_.header.names)
    page = LookBack((TITLE, text("I go over every move."), text("It shows here: please wait.")))
    return session.open(page).request(request)


def waits(session: Session) -> bool:
    """Whether the page is open and waits for what is found."""
    return isinstance(session.screen, LookBack)


def take_look_back(session: Session, looked: LookedBack) -> Session:
    """Show what was found on the page, if the page is still open and the round has not changed."""
    screen, round_ = session.screen, session.round
    if not isinstance(screen, LookBack) or round_ is None or round_.events != looked.request.events:
        return session
    return session.show(screen._replace(lines=(TITLE, *looked.lines)))
