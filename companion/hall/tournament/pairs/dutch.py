"""The pairing of a Swiss round by the FIDE (Dutch) System, FIDE Handbook C.04.3 as it is from February 2026 on.

Players are paired bracket by bracket from the top: those on the same points, and whoever is left from above. What the
rules ask of a bracket's pairs, in their order of importance, is added up over its pairs; so the best pairs are a
matching of maximum weight over all who are still to be paired. Numbers like [C8] are those of the Handbook.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.hall.tournament.pairs import weights
from companion.hall.tournament.pairs.entrants import Entrant, starter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.hall.tournament.pairs.weights import Field


class Pairing(NamedTuple):
    """Two players, by their numbers: `first` starts. `second` is 0 for a bye."""

    first: int
    second: int


def paired(
    entrants: Sequence[Entrant], played: int, rounds: int, *, any_start: bool = False, again: bool = False
) -> list[Pairing]:
    """The next round, the pairs in the order of their tables, a bye last.

    Args:
        entrants: who is here.
        played: how many rounds there have been.
        rounds: how many there will be; the rules for the last one differ.
        any_start: let meet who may not by [C3], where nothing else is left.
        again: let as few as possible meet once more, or have a second bye.

    Raises NoPairing.
    """
    left = sorted(entrants, key=lambda each: each.rank)
    top = -1 if any_start else played if played + 1 >= rounds else None
    floaters: list[Entrant] = []
    pairs: list[tuple[Entrant, Entrant]] = []
    while left:
        points = next((each.points for each in left if each not in floaters), None)
        residents = [each for each in left if each.points == points and each not in floaters]
        field = weights.Field(left, floaters, residents, top, again=again)
        found = _bracket(field)
        if points is None or len(field.bracket) == len(left):
            pairs += found
            break
        gone = {each for pair in found for each in pair}
        left = [each for each in left if each not in gone]
        floaters = [each for each in field.bracket if each not in gone]
        pairs += found
    return _listed(pairs, entrants)


def _bracket(field: Field) -> list[tuple[Entrant, Entrant]]:
    """The pairs of a bracket: first those of who came from above, then those of the others (C.04.3, 4)."""
    floating = field.matched(field.by_floaters)
    from_above = [pair for pair in floating if field.is_floater(pair[0])]
    field.settle(from_above)
    rest = [each for each in field.residents if not any(each in pair for pair in from_above)]
    count = len(floating) - len(from_above)
    upper, lower = rest[:count], rest[count:]
    exchanged = field.matched(field.by_exchange(rest, count))
    for one, other in exchanged:  # Of two from one half, one changes the half.
        if one in lower:
            lower.remove(one)
            upper.append(one)
        elif other in upper:
            upper.remove(other)
            lower.append(other)
    in_pairs = {each for pair in exchanged for each in pair}
    upper = sorted((each for each in upper if each in in_pairs), key=lambda each: each.rank)
    return from_above + field.matched(field.by_transposition(upper, rest))


def _listed(pairs: list[tuple[Entrant, Entrant]], entrants: Sequence[Entrant]) -> list[Pairing]:
    """In the order of C.04.2: by the points of the better player, of both, then by number."""

    def key(pair: tuple[Entrant, Entrant]) -> tuple[int, int, int]:
        better = min(pair, key=lambda each: each.rank)
        return -better.points, -pair[0].points - pair[1].points, better.number

    made = []
    for one, other in sorted(pairs, key=key):
        first = starter(one, other)
        made.append(Pairing(first.number, (other if first is one else one).number))
    seated = {number for pair in made for number in pair}
    return made + [Pairing(each.number, 0) for each in entrants if each.number not in seated]
