"""A part of a hint: plain data, made by the coach, requested by the session, drawn by the screens."""

from typing import NamedTuple

from companion.languages import text

LINES, CHARACTERS = 4, 20
"""The lines of a part on the panel, and the characters that each has room for beside the scrollbar."""


class HintPart(NamedTuple):
    """A part of a hint.

    Attributes:
        title: its heading.
        lines: sentences, shown below the rows.
        rows: moves in short form, each with its value in words.
        event: the event of the move that it is about, "" for none.
        place: the event of the move whose place it is about, which it does not tell; "" for none.
    """

    title: str
    lines: tuple[str, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    event: str = ""
    place: str = ""

    @property
    def said(self) -> list[str]:
        """The whole part as lines of text: the title, the rows, the sentences."""
        rows = [text("{move}: {value}", move=move, value=leads_to) for move, leads_to in self.rows]
        return [self.title, *rows, *self.lines]


def fits(words: str) -> bool:
    """Whether a sentence fits a part of a hint on the panel."""
    from textwrap import wrap  # Not needed before somebody asks for a hint.

    return len(words) <= LINES * CHARACTERS and len(wrap(words, CHARACTERS, break_on_hyphens=False)) <= LINES


def as_much_as_fits(words: str, *more: str) -> str:
    """The words, followed by each of the sentences `more` for which there is room after them; "" is left out."""
    for each in more:
        if each and fits(f"{words} {each}"):
            words = text("{words} {more}", words=words, more=each)
    return words
