"""The page that says where a finished round was decided; the table menu opens it, and the answer is an input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.inputs import LookBackRequest
from companion.session.model import Menu, Page, PageKind, Round, RoundOver, Session

if TYPE_CHECKING:
    from companion.inputs import LookedBack

TITLE = "Look back"


def opened(session: Session, round_: Round, back: Menu | RoundOver) -> Session:
    """The page, still without an answer, and the request."""
    request = LookBackRequest(round_.header.game, round_.states, round_.events, round_.header.names)
    page = Page(PageKind.LOOK_BACK, (TITLE, "I look at every move.", "You need not wait."), back=back)
    return session._replace(mode=page, requests=(*session.requests, request))


def waits(session: Session) -> bool:
    """Whether the page is open and waits for the answer."""
    return isinstance(session.mode, Page) and session.mode.kind is PageKind.LOOK_BACK


def on_result(session: Session, answer: LookedBack) -> Session:
    """The session with the answer on the page, if the page is still open and the round has not changed."""
    mode, round_ = session.mode, session.round
    if not isinstance(mode, Page) or mode.kind is not PageKind.LOOK_BACK:
        return session
    if round_ is None or round_.events != answer.request.events:
        return session
    return session._replace(mode=mode._replace(lines=(TITLE, *answer.lines)))
