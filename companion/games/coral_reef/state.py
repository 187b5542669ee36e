"""The position in Coral Reef: how a round is set up, its result, and what each seat sees. `rules` plays it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.game import Holding, Outcome, Refused
from companion.games.coral_reef.moves import check_form, read_corals
from companion.games.coral_reef.sums import NINE, PLACES, RANKS, UNITS, pack, unpack

HAND = 8  # corals dealt to a seat
COPIES = 8  # of each rank
STACKS = 4  # nines on the table at the start
UNDEALT = {
    "cards": COPIES * pack(RANKS) - STACKS * NINE,
    "tiles": COPIES * pack(RANKS.rstrip("JQK")) - STACKS * NINE,
}
"""Form → the bag of all corals except the four nines on the table."""
PILE = {"cards": 84, "tiles": 60}
"""Form → the corals left to draw once both hands are dealt."""


class State(NamedTuple):
    """A position; `seat` is to move, None when the round is over. Bags are ints as in `sums`."""

    form: str  # "cards" or "tiles"
    tops: tuple[int, ...]  # what each stack's top counts, 1–10
    sizes: tuple[int, ...]  # corals in each hand
    hands: tuple[int | None, ...]  # the bag of each open hand, None where it is sealed
    loose: int  # the bag of corals not on the table and not in an open hand: in the pile or a sealed hand
    pile: int  # corals left to draw
    seat: int | None = 1
    drew: bool = False  # this seat has drawn in this turn
    idle: int = 0  # how many turns in a row have ended without a play or seed and with the pile empty, 0–2
    passed: tuple[int, ...] = ()  # seats that were skipped after the last event

    @property
    def holdings(self) -> tuple[Holding[str], ...]:
        """The hands as `Holding`, by seat; the corals of an open one are sorted from ace to king."""
        both = zip(self.sizes, self.hands, strict=True)
        return tuple(Holding(size, None if bag is None else tuple(unpack(bag))) for size, bag in both)


def size(kind: str, players: int, options: Mapping[str, str]) -> int:
    """How many corals are dealt to a seat (Setting Up)."""
    return HAND


def read_deal(text: str, kind: str, options: Mapping[str, str]) -> tuple[str, ...]:
    """The corals of a deal line, sorted from ace to king.

    Raises Refused ``syntax`` if one is no coral, or a face card among tiles.
    """
    corals = read_corals(text)
    check_form(options.get("form", "cards"), corals)
    return tuple(sorted(corals, key=PLACES.__getitem__))


def write_deal(pieces: Sequence[str]) -> str:
    """The corals without blanks: ``A2599TJK``."""
    return "".join(pieces)


def deal(
    players: int, options: Mapping[str, str], sample: Callable[[Sequence[Any], int], Sequence[Any]]
) -> dict[tuple[str, int], tuple[str, ...]]:
    """Both hands, drawn by `sample` from all corals except the four nines on the table."""
    corals = sample(unpack(UNDEALT[options.get("form", "cards")]), 2 * HAND)
    hands = (corals[:HAND], corals[HAND:])
    return {("deal", seat): tuple(sorted(hand, key=RANKS.index)) for seat, hand in enumerate(hands, 1)}


def start(players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], tuple[str, ...]]) -> State:
    """The first position (Setting Up).

    Raises Refused ``deal`` for a hand that does not exist, a wrong number of corals, or more of a coral than there are.
    """
    form = options.get("form", "cards")
    loose = UNDEALT[form]
    hands: list[int | None] = [None, None]
    for (kind, seat), corals in sorted(deals.items()):
        if kind != "deal" or not 1 <= seat <= len(hands):
            raise Refused("deal", f"{kind} {seat}", "the hands are 1 and 2", "there is no such hand")
        if len(corals) != HAND:
            raise Refused("deal", f"{len(corals)} of {HAND}", "", f"a hand starts with {HAND} corals")
        for coral in corals:
            if not loose >> PLACES[coral] & 15:
                # No coral is named: the other player may be looking.
                raise Refused("deal", "too many alike", "", "there are eight of each, four 9s on the table")
            loose -= UNITS[coral]
        hands[seat - 1] = pack(corals)
    return State(form, (9,) * STACKS, (HAND, HAND), tuple(hands), loose, PILE[form])


def skipped(state: State) -> tuple[int, ...]:
    """The seats with an open hand that were skipped after the last event: no valid move, and nothing left to draw."""
    return state.passed


def outcome(state: State) -> Outcome:
    """The winner scores 1, the loser 0. In a blocked round fewer corals win; equal numbers are a draw, 0 for both."""
    if state.seat is not None:
        return Outcome((0, 0), (), "")
    first, second = state.sizes
    if first == second:
        return Outcome((0, 0), (1, 2), f"blocked: {first} coral{'s' * (first > 1)} each")
    winner = 1 if first < second else 2
    fewer, more = sorted(state.sizes)
    reason = f"blocked: {fewer} against {more}" if fewer else "last coral placed"
    return Outcome((int(winner == 1), int(winner == 2)), (winner,), reason)


def view(state: State, seat: int | None) -> State:
    """The position as a seat knows it: the other open hands are sealed, and their corals count as unseen (`loose`)."""
    hands, loose = list(state.hands), state.loose
    for other, bag in enumerate(state.hands, 1):
        if other != seat and bag is not None:
            hands[other - 1] = None
            loose += bag
    return state._replace(hands=tuple(hands), loose=loose)
