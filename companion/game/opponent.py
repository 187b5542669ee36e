"""Seats that are given to the box: the names that records and players have for it, one for each strength."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BOXES = ("box-1", "box-2", "box-3")
"""The box as a player, the weakest first. A record's line of players names it so."""
STRENGTHS = ("quick", "careful", "thorough")
"""How it plays, in a word each."""


def played_in(names: Iterable[str]) -> bool:
    """Whether the box plays a seat of a round: such a round counts in no rating and in no standings."""
    return any(map(strength, names))


def strength(name: str) -> int:
    """How strong the box plays under a name, from 1; 0 for a person's name."""
    return BOXES.index(name) + 1 if name in BOXES else 0


def look_away(names: Sequence[str], seat: int) -> str:
    """Who must not see the hidden pieces of a seat, in words: ``Ben, look away``; "" where nobody else could see them.

    The box sees nothing. Its own pieces are entered by a person, who sees them; which of several is not known.
    """
    people = [name for name in names if not strength(name)]
    owner = names[seat - 1]
    others = people.copy()
    if not strength(owner):
        others.remove(owner)
    elif len(people) == 1:
        others.clear()
    if not others:
        return ""
    return f"{others[0] if len(others) == 1 else 'Others'}, look away"
