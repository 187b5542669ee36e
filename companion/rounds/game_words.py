"""A game's words at the table: with the players' names and printed pieces in them; and false claims in words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from companion import games
from companion.game import SEAT
from companion.languages import Text, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.game import Claim
    from companion.rounds.on_table import Round

_SEAT = re.compile(r"\bseat ([1-4])\b")


def with_names(words: str, round_: Round | None) -> str:
    """A refusal's words with the pieces as they are printed, and a player's name for ``seat 2``."""
    if round_ is None:
        return words
    if isinstance(words, Text):
        return with_seats(words, round_, round_.entry.printed)
    return _SEAT.sub(lambda found: _named(round_, int(found[1])), round_.entry.printed(words))


def with_seats(words: str, round_: Round | None, printed: Callable[[str], str] = str) -> str:
    """Words with a player's name for each value that is a seat (`companion.game.who_is_in`), others as `printed`."""
    if round_ is None or not isinstance(words, Text):
        return words
    if words.message == SEAT:
        return _named(round_, words.values["seat"])
    return words.having({
        field: with_seats(value, round_, printed) if isinstance(value, Text)
        else printed(value) if isinstance(value, str)
        else value
        for field, value in words.values.items()
    })  # fmt: skip


def _named(round_: Round, seat: int) -> str:
    return round_.name(seat) if seat <= len(round_.header.names) else text(SEAT, seat=seat)


@lru_cache(maxsize=1)
def _proven(game: str, start: Any, events: tuple[tuple[int, str], ...]) -> tuple[Claim, ...]:
    """The claims of a round that is over: a long one takes a while, and its result asks at each picture."""
    rules = games.load(game)
    return rules.claims(start, [(seat, rules.read(event)) for seat, event in events])


def claims(round_: Round) -> tuple[tuple[str, str, str], ...]:
    """The false "I cannot" of sealed holdings that a finished round proves: who, which move, what was possible."""
    if not round_.over:
        return ()
    rows = []
    for claim in _proven(round_.header.game, round_.states[0], round_.events):
        # An example that is not sure could be told to be the very piece that was drawn.
        played = round_.entry.could(claim.example, round_.options)
        said = (
            text("could have {played} (proven later)", played=played)
            if claim.sure
            else text("could have moved: later moves prove it")
        )
        rows.append((round_.name(claim.seat), text("move {number}:", number=claim.event + 1), said))
    return tuple(rows)
