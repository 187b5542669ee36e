"""One part of a hint, as plain data: the coach makes it, the session asks for it, and screens draw it."""

from typing import NamedTuple

from companion.languages import join_texts, text

HINT_LINES, HINT_LINE_CHARACTERS = 4, 20
"""The number of lines of a part on the panel, and the characters that each line has room for beside the scrollbar."""


class HintPart(NamedTuple):
    """One part of a hint. Its field names are part of the socket's protocol.

    Attributes:
        title: the heading.
        lines: sentences, shown below the rows.
        rows: moves in short form, each with its value in words.
        event: the text of the move that the part names; "" for none.
        place: the text of a move that the part does not name: only where it is on the board is highlighted. "" for
            none.
    """

    title: str
    lines: tuple[str, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    event: str = ""
    place: str = ""

    @property
    def text_lines(self) -> list[str]:
        """The whole part as lines of text: the title, the rows, the sentences."""
        rows = [text("{move}: {value}", move=move, value=leads_to) for move, leads_to in self.rows]
        return [self.title, *rows, *self.lines]


def fits_hint_part(sentence: str) -> bool:
    """Whether a sentence has room in one part of a hint on the panel."""
    from textwrap import wrap  # This is not needed before somebody asks for a hint.

    return (
        len(sentence) <= HINT_LINES * HINT_LINE_CHARACTERS
        and len(wrap(sentence, HINT_LINE_CHARACTERS, break_on_hyphens=False)) <= HINT_LINES
    )


def append_while_fits(sentence: str, *more: str) -> str:
    """The sentence, followed by each of the sentences `more` for which there is still room; "" is left out."""
    for addition in more:
        if addition and fits_hint_part(f"{sentence} {addition}"):
            sentence = join_texts((sentence, addition), " ")
    return sentence
