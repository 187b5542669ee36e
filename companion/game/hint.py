"""A part of a hint: plain data, made by the coach, asked for by the session, drawn by the screens."""

from __future__ import annotations

from typing import NamedTuple


class HintPart(NamedTuple):
    """A part of a hint: its title, rows of a move and what it leads to, and lines of words below them."""

    title: str
    lines: tuple[str, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()

    @property
    def said(self) -> list[str]:
        """All of it as lines, the title first."""
        return [self.title, *(f"{move}: {leads_to}" for move, leads_to in self.rows), *self.lines]
