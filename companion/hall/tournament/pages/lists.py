"""The list of players that an organiser pastes in: names, a spreadsheet's cells, or a federation's "Smith, John"."""

from __future__ import annotations

import csv

from companion.game.box_seats import strength
from companion.hall.tournament.model import Wrong
from companion.languages import text
from companion.record.values import composed
from companion.rounds.player_names import LONGEST_NAME, fit

HEAD = ("name", "player", "players", "names")
"""First cells that are a heading, and no player."""
TURNED, FIRST = "turned", "first"
"""How lines with one comma are read: "Smith, John" as John Smith, or only what is before the comma."""


class Unclear(Exception):
    """Lines like "Smith, John": a family name and a first name, or a name and something else. The text is the first."""


def read_players(pasted: str, commas: str = "") -> list[str]:
    """The names in a pasted list: a name a line, or the first column of CSV with commas, semicolons or tabs.

    `commas` says how lines like "Smith, John" are read, TURNED or FIRST; without it they raise Unclear. Raises Wrong.
    """
    lines = [line for line in pasted.replace("\r", "\n").split("\n") if line.strip()]
    sign = next((sign for sign in ";\t," if any(sign in line for line in lines)), ",")
    rows = [[composed(cell.strip()) for cell in row] for row in csv.reader(lines, delimiter=sign)]
    rows = [row for row in rows if row and row[0]]
    if rows and rows[0][0].lower() in HEAD:
        rows = rows[1:]
    elif sign == "," and all(len(row) < 3 for row in rows):
        rows = [_turned(row, commas) for row in rows]
    names = [row[0] for row in rows]
    _check(names)
    return names


def _turned(row: list[str], commas: str) -> list[str]:
    """A line whose second cell may be a first name: it has no digit, or it would be a rating or a year."""
    if len(row) < 2 or not row[1] or any(letter.isdigit() for letter in row[1]) or commas == FIRST:
        return row
    if commas != TURNED:
        raise Unclear(", ".join(row))
    return [f"{row[1]} {row[0]}"]


def _check(names: list[str]) -> None:
    for name in names:
        if strength(name):
            raise Wrong(text("{who} is what the box is called where it plays itself", who=name))
        if not fit(name):
            said = "a name has 1 to {most} letters and no comma, so that it fits the box: {name}"
            raise Wrong(text(said, most=LONGEST_NAME, name=name[:30]))
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise Wrong(text("two players are named {who}: tell them apart", who=twice))
