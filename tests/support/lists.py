"""The open list of a session, by what its lines say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening.contents.kinds import PAGE_SIZE

if TYPE_CHECKING:
    from companion.evening.contents.kinds import ChoiceLine
    from companion.evening.model import Session


def lines(session: Session) -> tuple[ChoiceLine, ...]:
    """The lines of the list."""
    return session.screen.content(session).lines


def words_of(session: Session) -> list[str]:
    """The text of each line."""
    return [line.words for line in lines(session)]


def under_cursor(session: Session) -> ChoiceLine:
    """The line that OK picks."""
    return lines(session)[session.screen.cursor]


def index_of(session: Session, *words: str) -> int:
    """The index of the first line that begins with any of these words."""
    return next(index for index, line in enumerate(lines(session)) if line.words.startswith(words))


def digit_of(session: Session, *words: str) -> str:
    """The digit that picks the line on its page."""
    return str(lines(session)[index_of(session, *words)].place % PAGE_SIZE + 1)


def title_of(session: Session) -> tuple[str, str]:
    """The title of the list, and its full question; "" for no question."""
    said = session.screen.content(session)
    return said.title, said.notes[0] if said.notes else ""
