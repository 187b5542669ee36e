"""Finds false claims in Coral Reef: each "I can't move" of a sealed hand that later plays disprove.

Only a player without a valid move may draw (sheet, Play, fourth point). The sheet does not say how anybody can check
that for a sealed hand. Here only what the hand plays later is used. A false claim is reported, and changes neither
moves nor scores.

A claim is tested with the corals that the hand places until its fifth draw. At most four of them were drawn after the
claim, each by a different draw before it was placed; the others were in the hand at the claim. The claim is false if
the others contain a valid play or a seed whichever corals were drawn. So the test searches for an honest explanation:
up to four corals that can have been drawn, so that the others contain no valid play and no seed.

- Which corals can have been drawn together: one that was placed after n draws can come from any of these n. Draws that
  are possible for a coral are possible for all corals placed later, so by Hall's theorem a choice is possible if and
  only if, in placing order, its first coral has at least one draw before it, its second at least two, and so on.
- Of equal corals the one placed last has the most draws before it, so it is always the best one to choose.
- At least one coral of every valid play among the others must have been drawn. So take any valid play, try each of its
  ranks as the drawn one, and continue with the remaining corals. The same remaining corals need to be tried only once:
  at most four corals of twelve ranks are chosen (a ten is in no play that is searched for), so there are at most
  C(16, 4) = 1820 of them for a claim.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.games.api import Claim
from companion.games.coral_reef.moves import SEED, Move
from companion.games.coral_reef.sums import NINE_BAG, SINGLE_BAGS, bag_of, count_in_bag, find_play

LAST_DRAW_CONSIDERED = 5
"""Only corals placed before this draw are used. Draws are counted from the claim, which may be the first."""


class SealedTurn(NamedTuple):
    """An event of a sealed hand: its index among the round's events, and the tops just before it."""

    event: int
    seat: int
    kind: str  # "play", "seed", "draw" or "pass"
    corals: str  # the corals that it placed
    tops: tuple[int, ...]


class PlacedCoral(NamedTuple):
    """A coral placed after a claim, and how many draws of the hand were between the two (0 to 4)."""

    coral: str
    draws: int


def find_false_claims(turns: Sequence[SealedTurn]) -> tuple[Claim, ...]:
    """The claims of sealed hands that later turns of the same seat disprove, in order."""
    claims = []
    for index, claim in enumerate(turns):
        if claim.kind in ("draw", "pass"):
            placed = _corals_placed_after(turn for turn in turns[index:] if turn.seat == claim.seat)
            if not _has_honest_explanation(placed, claim.tops):
                claims.append(Claim(claim.event, claim.seat, *_example_play(placed, claim.tops)))
    return tuple(claims)


def _corals_placed_after(turns: Iterable[SealedTurn]) -> list[PlacedCoral]:
    """The corals placed before draw `LAST_DRAW_CONSIDERED`; the first turn is the claim, which may be a draw itself."""
    placed: list[PlacedCoral] = []
    draws = 0
    for turn in turns:
        draws += turn.kind == "draw"
        if draws == LAST_DRAW_CONSIDERED:
            break
        placed += [PlacedCoral(coral, draws) for coral in turn.corals]
    return placed


def _possible_move(bag: int, tops: tuple[int, ...]) -> tuple[Move, str] | None:
    """A seed or valid play from the corals of a bag, and the corals it places; None if there is none."""
    if bag & 15 * NINE_BAG:
        return SEED, "9"
    if found := find_play(bag, tops):
        return Move("play", found[0] + 1, found[1]), found[1]
    return None


def _has_honest_explanation(placed: list[PlacedCoral], tops: tuple[int, ...]) -> bool:
    """Whether an honest explanation exists: a choice of drawn corals so that the others contain no play and no seed."""
    draws: dict[str, list[int]] = {}  # Rank → the draws before each of its corals, the latest last.
    for coral, draws_before in placed:
        draws.setdefault(coral, []).append(draws_before)
    placed_bag = bag_of(coral for coral, _ in placed)
    bags_tried: set[int] = set()

    def search(rest: int, taken: list[int]) -> bool:
        if rest in bags_tried:
            return False
        bags_tried.add(rest)
        possible = _possible_move(rest, tops)
        if possible is None:
            return True
        for coral in dict.fromkeys(possible[1]):
            more = sorted([*taken, draws[coral][count_in_bag(rest, coral) - 1]])
            if _can_be_drawn(more) and search(rest - SINGLE_BAGS[coral], more):
                return True
        return False

    return search(placed_bag, [])


def _can_be_drawn(draws_before: Sequence[int]) -> bool:
    """Whether each coral can come from a different draw; `draws_before` are ascending, one number for each coral."""
    return all(before >= needed for needed, before in enumerate(draws_before, 1))


def _example_play(placed: list[PlacedCoral], tops: tuple[int, ...]) -> tuple[str, bool]:
    """The text of an event that was possible at a disproved claim, and whether it certainly was.

    The event uses corals that were placed before any draw, which were certainly held, if these are enough. Otherwise
    the corals placed last are taken to be the drawn ones.
    """
    certain = _possible_move(bag_of(coral for coral, before in placed if not before), tops)
    if certain:
        return str(certain[0]), True
    taken: list[int] = []
    rest = bag_of(coral for coral, _ in placed)
    for coral, before in reversed(placed):
        if _can_be_drawn(sorted([*taken, before])):
            taken.append(before)
            rest -= SINGLE_BAGS[coral]
    possible = _possible_move(rest, tops)
    assert possible is not None, "the rest of a claim proven false has a valid play"
    return str(possible[0]), _were_surely_held(placed, possible[1])


def _were_surely_held(placed: list[PlacedCoral], corals: str) -> bool:
    """Whether these corals were in the hand at the claim, whichever of the placed corals were drawn later."""
    for coral in set(corals):
        latest_first = sorted((before for each, before in placed if each == coral), reverse=True)
        if _can_be_drawn(sorted(latest_first[: len(latest_first) - corals.count(coral) + 1])):
            return False
    return True
