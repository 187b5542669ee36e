"""The open list of a session, by what its lines say, and what its keys do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.evening.contents.kinds import ChoiceLine
    from companion.evening.model import Session


def list_lines(session: Session) -> tuple[ChoiceLine, ...]:
    """The lines of the list."""
    return session.screen.content(session).lines


def list_texts(session: Session) -> list[str]:
    """The text of each line."""
    return [line.words for line in list_lines(session)]


def line_under_cursor(session: Session) -> ChoiceLine:
    """The line that OK picks."""
    return list_lines(session)[session.screen.cursor]


def index_of_line(session: Session, *words: str) -> int:
    """The index of the first line that begins with any of these words."""
    return next(index for index, line in enumerate(list_lines(session)) if line.words.startswith(words))


def digit_of_line(session: Session, *words: str) -> str:
    """The digit that picks the line on its page; "" for a line that only the cursor reaches."""
    content = session.screen.content(session)
    return content.digit_of(content.lines[index_of_line(session, *words)])


def list_title(session: Session) -> tuple[str, str]:
    """The title of the list, and its full question; "" for no question."""
    content = session.screen.content(session)
    return content.title, content.notes[0] if content.notes else ""


def key_words(session: Session, key: str) -> str:
    """What a key does, as the panel says it."""
    return next(hint.says for hint in session.screen.content(session).key_hints if hint.key == key)
