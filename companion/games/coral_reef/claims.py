"""False claims in Coral Reef: what a sealed hand showed later against its "I cannot" (RULES.md, False claims).

The corals shown after a claim may have come from at most four draws, each from an earlier draw of its own. The
claim was false if the others contain a valid play or a seed whichever were drawn, so an honest explanation is
looked for: up to four corals to take away so that nothing playable is left.

- Which can be taken away together: a coral placed after n draws can have come from any of these n. The draws open
  to an earlier coral are open to every later one, so by Hall's theorem a choice fits if and only if, in order, its
  first coral has at least one draw before it, its second at least two, and so on.
- Of equal corals the one placed last has the most draws before it; to take another instead never helps.
- Whatever is taken, at least one coral of every valid play in the rest must go. So take any valid play, try its
  ranks one after the other, and go on with the rest. A rest met again needs no second look: at most four corals of
  twelve ranks are taken (a ten makes no play possible), so there are at most C(16, 4) = 1820 rests to a claim.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.game import Claim
from companion.games.coral_reef.moves import SEED, Move
from companion.games.coral_reef.sums import NINE, UNITS, count, find_play, pack

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LAST_DRAW = 5  # the draw after a claim before which it must be disproved


class Turn(NamedTuple):
    """An event of a sealed hand: where it stands among the events, and the tops just before it."""

    event: int
    seat: int
    kind: str  # "play", "seed", "draw" or "pass"
    corals: str  # placed by it
    tops: tuple[int, ...]


class Placed(NamedTuple):
    """A coral shown after a claim, and how many draws lay between the two, 0–4."""

    coral: str
    draws: int


def false_claims(turns: Sequence[Turn]) -> tuple[Claim, ...]:
    """The claims among the turns of sealed hands that later turns of the same seat prove false, in order."""
    found = []
    for index, claim in enumerate(turns):
        if claim.kind in ("draw", "pass"):
            placed = _placed_after(turn for turn in turns[index:] if turn.seat == claim.seat)
            if not _explained(placed, claim.tops):
                found.append(Claim(claim.event, claim.seat, *_example(placed, claim.tops)))
    return tuple(found)


def _placed_after(turns: Iterable[Turn]) -> list[Placed]:
    """The corals placed from the claim, which comes first and may be a draw itself, to before the fifth draw."""
    placed: list[Placed] = []
    draws = 0
    for turn in turns:
        draws += turn.kind == "draw"
        if draws == LAST_DRAW:
            break
        placed += [Placed(coral, draws) for coral in turn.corals]
    return placed


def _possible(bag: int, tops: tuple[int, ...]) -> tuple[Move, str] | None:
    """A seed or valid play in a bag, and its corals; None where there is none."""
    if bag & 15 * NINE:
        return SEED, "9"
    if found := find_play(bag, tops):
        return Move("play", found[0] + 1, found[1]), found[1]
    return None


def _explained(placed: list[Placed], tops: tuple[int, ...]) -> bool:
    """Whether some of the placed corals may have been drawn so that the others hold no valid play or seed."""
    draws: dict[str, list[int]] = {}  # of each rank, the latest coral last
    for coral, before in placed:
        draws.setdefault(coral, []).append(before)
    shown = pack(coral for coral, _ in placed)
    seen: set[int] = set()

    def search(rest: int, taken: list[int]) -> bool:
        if rest in seen:
            return False
        seen.add(rest)
        possible = _possible(rest, tops)
        if possible is None:
            return True
        for coral in dict.fromkeys(possible[1]):
            more = sorted([*taken, draws[coral][count(rest, coral) - 1]])
            if _fits(more) and search(rest - UNITS[coral], more):
                return True
        return False

    return search(shown, [])


def _fits(draws: Sequence[int]) -> bool:
    """Whether corals with these numbers of draws before them, ascending, may each have come from one of its own."""
    return all(before >= needed for needed, before in enumerate(draws, 1))


def _example(placed: list[Placed], tops: tuple[int, ...]) -> tuple[str, bool]:
    """What could have been played, and whether it surely could: from corals surely held then if these suffice.

    Else it is what was possible if the last ones placed were those drawn.
    """
    sure = _possible(pack(coral for coral, before in placed if not before), tops)
    if sure:
        return str(sure[0]), True
    taken: list[int] = []
    rest = pack(coral for coral, _ in placed)
    for coral, before in reversed(placed):
        if _fits(sorted([*taken, before])):
            taken.append(before)
            rest -= UNITS[coral]
    held = _possible(rest, tops)
    if held is None:
        raise AssertionError("no valid play in the rest of a claim proven false")
    return str(held[0]), _always_held(placed, held[1])


def _always_held(placed: list[Placed], corals: str) -> bool:
    """Whether these corals were in the hand at the claim whichever corals were drawn after it."""
    for coral in set(corals):
        latest_first = sorted((before for each, before in placed if each == coral), reverse=True)
        if _fits(sorted(latest_first[: len(latest_first) - corals.count(coral) + 1])):
            return False
    return True
