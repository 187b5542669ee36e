"""Abilities that only some games have: forced draws, turns that end automatically, blocked rounds, false claims."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.rounds.on_table import Round


def forced(round_: Round) -> bool:
    """Whether the seat to move must draw, since its hand is open and has no legal move."""
    return round_.entry.forced(round_.state)


def turn_ended_because(before: Round, after: Round) -> str:
    """Why the turn ended by itself, after the player's name; "" if it did not."""
    return after.entry.turn_ended_because(before.state, after.state)


def blocked(round_: Round) -> str:
    """Why the round ended although nobody finished it; "" if it did not."""
    return round_.entry.blocked(round_.state)


def with_names(words: str, round_: Round | None) -> str:
    """A refusal's words with the pieces as they are printed, and a player's name for ``seat 2``."""
    if round_ is None:
        return words
    return re.sub(r"\bseat ([1-4])\b", lambda found: _named(round_, int(found[1])), round_.entry.printed(words))


def _named(round_: Round, seat: int) -> str:
    return round_.name(seat) if seat <= len(round_.header.names) else f"seat {seat}"


def claims(round_: Round) -> tuple[tuple[str, str, str], ...]:
    """The false "I cannot" of sealed holdings that a finished round proves: who, which move, what was possible."""
    if not round_.over:
        return ()
    game = round_.game
    found = game.claims(round_.states[0], [(seat, game.read(text)) for seat, text in round_.events])
    rows = []
    for claim in found:
        # An example that is not sure could be told to be the very piece that was drawn.
        could = f"could have {round_.entry.could(claim.example, round_.options)}"
        said = could if claim.sure else "could have moved, whatever was drawn"
        rows.append((round_.name(claim.seat), f"move {claim.event + 1}:", said))
    return tuple(rows)
