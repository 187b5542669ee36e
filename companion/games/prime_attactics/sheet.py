"""The score sheet of Prime Attactics as written by hand: a column for each player, a block of lines for each round."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from companion.games.prime_attactics import rules
from companion.games.prime_attactics.rules import RULES
from companion.games.prime_attactics.state import State
from companion.games.prime_attactics.tiles import Play

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOM = 59
"""The width of a column in pixels."""

Line = tuple[str, str]


def sheet(states: Sequence[State], events: Sequence[tuple[int, str]]) -> list[tuple[list[str], ...]]:
    """The sheet for a report: for each round of turns the lines of both columns.

    A play is in the column of the score that it changed, as on the sample sheet of the rules.
    """
    blocks: dict[int, tuple[list[str], ...]] = {}
    for before, (seat, text) in zip(states, events, strict=False):
        move = RULES.read(text)
        if isinstance(move, Play):
            block = blocks.setdefault(before.turns // 2, ([], []))
            block[2 - seat if move.aimed else seat - 1].append(rules.sheet_line(before, seat, move))
    return list(blocks.values())


def columns(states: Sequence[State], events: Sequence[tuple[int, str]], page: int = 4) -> tuple[Line, ...]:
    """Both columns, line by line: ``("33 x 7 x D", "")``, ``("= 462", "")``.

    `states` has one position more than `events`, the start. A play is in the column of the score that it changed, as
    on the sample sheet; a line that begins with ``=`` continues the one above. A round that fits on a page of `page`
    lines is not split: empty lines fill the page before it.
    """
    plays = []
    for before, (seat, text) in zip(states, events, strict=False):
        move = RULES.read(text)
        if isinstance(move, Play):
            plays.append((before.turns // 2, 3 - seat if move.aimed else seat, _written(before, seat, move)))
    lines: list[Line] = []
    for _, block in groupby(plays, key=lambda play: play[0]):
        columns: tuple[list[str], list[str]] = ([], [])
        for _, column, written in block:
            columns[column - 1].extend(written)
        high = max(map(len, columns))
        if len(lines) % page + high > page >= high:
            lines += [("", "")] * (-len(lines) % page)
        first, second = (column + [""] * (high - len(column)) for column in columns)
        lines += zip(first, second, strict=True)
    return tuple(lines) or ((f"{states[0].sides[0].score}", f"{states[0].sides[1].score}"),)


def _written(before: State, seat: int, move: Play) -> list[str]:
    """A play in the first form that fits: one line, one line without spaces, two lines (three for a huge result).

    The first of two lines loses its spaces, and then the score that it starts from, if it does not fit.
    """
    whole = rules.sheet_line(before, seat, move)
    left, _, result = whole.partition(" = ")
    for line in (whole, whole.replace(" ", "")):
        if _wide(line) <= ROOM:
            return [line]
    close = left.replace(" ", "")
    step = left.lstrip("(0123456789").replace(")", "").strip()
    left = next((form for form in (left, close) if _wide(form) <= ROOM), step)
    if _wide(f"= {result}") <= ROOM:
        return [left, f"= {result}"]
    return [left, f"={result[:-9]}", result[-9:]] if len(result) > 9 else [left, f"={result}"]


def _wide(text: str) -> int:
    """The greatest width of a text in the text font, in pixels: six for each character, four for a space."""
    return sum(4 if mark == " " else 6 for mark in text) - 1
