"""Computer players: their names in records and on the panel, one for each strength."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.languages import text

COMPUTER_NAMES = ("box-1", "box-2", "box-3")
"""The names of the computer players in a record's line of players, the weakest first."""
STRENGTH_NAMES = (text("quick"), text("careful"), text("thorough"))
"""The strengths in words, the weakest first."""


def has_computer_player(names: Iterable[str]) -> bool:
    """Whether a computer player takes part. Such a round counts neither in ratings nor in standings."""
    return any(map(computer_strength, names))


def computer_strength(name: str) -> int:
    """The strength of the computer player with this name, from 1 (weakest) to 3; 0 for the name of a person."""
    return COMPUTER_NAMES.index(name) + 1 if name in COMPUTER_NAMES else 0


def look_away_text(names: Sequence[str], seat: int) -> str:
    """Who must not see the hidden pieces of a seat, in words: ``Ben, look away``; "" where nobody else could see them.

    A computer player sees nothing. Its own pieces are entered by a person, who sees them. With several people at the
    table it is not known which of them that is, so all of them are asked to look away.
    """
    people = [name for name in names if not computer_strength(name)]
    owner = names[seat - 1]
    others = people.copy()
    if not computer_strength(owner):
        others.remove(owner)
    elif len(people) == 1:
        others.clear()
    if not others:
        return ""
    return text("{who}, look away", who=others[0]) if len(others) == 1 else text("Others, look away")
