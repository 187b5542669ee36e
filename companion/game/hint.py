"""A part of a hint: plain data, made by the coach, requested by the session, drawn by the screens."""

from __future__ import annotations

from typing import NamedTuple


class HintPart(NamedTuple):
    """A part of a hint.

    Attributes:
        title: its heading.
        lines: sentences, shown below the rows.
        rows: moves in short form, each with its value in words.
    """

    title: str
    lines: tuple[str, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()

    @property
    def said(self) -> list[str]:
        """The whole part as lines of text: the title, the rows, the sentences."""
        return [self.title, *(f"{move}: {leads_to}" for move, leads_to in self.rows), *self.lines]
