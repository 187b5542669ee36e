"""The position in Coral Reef: how a round is written and set up, its result, and what each seat sees of it.

`rules` adds the moves.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.games import api
from companion.games.api import Holding, Outcome
from companion.games.api.result import leaders
from companion.games.coral_reef import GAME
from companion.games.coral_reef.moves import DRAW, PASS, SEED, Move, Refused, check_form
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
"""Form → the number of corals in the deck after both hands are dealt."""


class State(NamedTuple):
    """A position; `to_move` is the seat to move, or None when the round is over. Bags are ints, as in `sums`."""

    form: str  # "cards" or "tiles"
    tops: tuple[int, ...]  # what each stack's top counts, 1–10
    sizes: tuple[int, ...]  # corals in each hand
    hands: tuple[int | None, ...]  # the bag of each open hand, None where it is sealed
    loose: int  # the bag of corals in the deck or a sealed hand
    pile: int  # corals left to draw from
    seat: int | None = 1
    drew: bool = False  # whether this seat has drawn in this turn
    idle: int = 0  # turns in a row without a play or seed, with the deck empty after each; 0 to 2
    passed: tuple[int, ...] = ()  # seats that were skipped after the last event

    @property
    def holdings(self) -> tuple[Holding[str], ...]:
        """The hands by seat; the corals of an open hand are sorted from ace to king."""
        both = zip(self.sizes, self.hands, strict=True)
        return tuple(Holding(size, None if bag is None else tuple(unpack(bag))) for size, bag in both)


_CORAL = "[A2-9TJQK10]"
# Both cases of each letter are listed, since matching with IGNORECASE takes much longer.
_PLAY = re.compile(r"(0|[1-9][0-9]{0,2})[ \t]*:([A2-9TJQK10atjqk \t,]+)")
_DRAW = re.compile(rf"draw[ \t,]+({_CORAL})", re.ASCII | re.IGNORECASE)
_PLAIN = {"seed": SEED, "draw": DRAW, "pass": PASS}
_WRITTEN = str.maketrans("10atjqk", "ATATJQK", " \t,")
_HAND = re.compile(rf"(?:{_CORAL}|[ \t,])*", re.ASCII | re.IGNORECASE)


def _short(text: str) -> str:
    """A text as a refusal shows it: at most 12 characters, with ``?`` for all but printable ASCII."""
    shown = "".join(sign if " " <= sign <= "~" else "?" for sign in text[:12])
    return shown if len(text) <= 12 else shown[:11] + "…"


class SetUp(api.Rules[State, Move]):
    """The part of the rules about setting up a round, writing it down, and what each seat sees."""

    def read(self, text: str) -> Move:
        """``2:54``, ``seed``, ``draw``, ``draw 7``, ``pass``; blanks and commas may stand among the corals."""
        text = text.strip(" \t")
        if (played := _PLAY.fullmatch(text)) and (corals := played[2].translate(_WRITTEN)):
            return Move("play", int(played[1]), corals)
        if drawn := _DRAW.fullmatch(text):
            return Move("draw", 0, drawn[1].translate(_WRITTEN))
        # Only ASCII: `lower` turns some other Unicode characters into ASCII letters, which are no letters of an event.
        if text.isascii() and text.lower() in _PLAIN:
            return _PLAIN[text.lower()]
        raise Refused("syntax", said=_short(text))

    def size(self, kind: str, players: int, options: Mapping[str, str]) -> int:
        """8 corals for each seat (sheet, Setting Up)."""
        return HAND

    def read_deal(self, text: str, kind: str, options: Mapping[str, str]) -> tuple[str, ...]:
        """The corals of a deal line, sorted from ace to king. A face card among tiles is refused as ``syntax``."""
        if not _HAND.fullmatch(text):
            # The text is not shown, since the rest of it may be a hand that nobody else should see.
            raise Refused("syntax hand")
        corals = text.translate(_WRITTEN)
        check_form(options.get("form", "cards"), corals)
        return tuple(sorted(corals, key=PLACES.__getitem__))

    def write_deal(self, pieces: Sequence[str]) -> str:
        return "".join(pieces)

    def deal(
        self, players: int, options: Mapping[str, str], sample: Callable[[Sequence[Any], int], Sequence[Any]]
    ) -> dict[tuple[str, int], tuple[str, ...]]:
        corals = sample(unpack(UNDEALT[options.get("form", "cards")]), 2 * HAND)
        hands = (corals[:HAND], corals[HAND:])
        return {("deal", seat): tuple(sorted(hand, key=RANKS.index)) for seat, hand in enumerate(hands, 1)}

    def start(
        self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], tuple[str, ...]]
    ) -> State:
        """The position after dealing (sheet, Setting Up), with four nines on the table.

        Raises RefusedError ``deal`` for a hand that does not exist, a wrong number of corals, or more of a coral than
        there are.
        """
        form = options.get("form", "cards")
        loose = UNDEALT[form]
        hands: list[int | None] = [None, None]
        for (kind, seat), corals in sorted(deals.items()):
            if kind != "deal" or not 1 <= seat <= len(hands):
                raise Refused("deal seat", kind=kind, seat=seat)
            if len(corals) != HAND:
                raise Refused("deal size", corals=len(corals), hand=HAND)
            for coral in corals:
                if not loose >> PLACES[coral] & 15:
                    # No coral is named, since the other player may be looking.
                    raise Refused("deal alike")
                loose -= UNITS[coral]
            hands[seat - 1] = pack(corals)
        return State(form, (9,) * STACKS, (HAND, HAND), tuple(hands), loose, PILE[form])

    def skipped(self, state: State) -> tuple[int, ...]:
        """Only seats with an open hand are skipped: those without a move and without a coral to draw."""
        return state.passed

    def outcome(self, state: State) -> Outcome:
        """The winner scores 1 and the loser 0.

        If the round is blocked, the hand with fewer corals wins. Equal hands draw, with 0 for both.
        """
        if state.seat is not None:
            return Outcome((0, 0), (), "")
        winners = leaders([-size for size in state.sizes])
        fewer, more = sorted(state.sizes)
        if not fewer:
            reason = GAME.ending("placed")
        elif fewer < more:
            reason = GAME.ending("blocked", fewer=fewer, more=more)
        else:
            reason = GAME.ending("blocked-equal", number=fewer)
        return Outcome((int(winners == (1,)), int(winners == (2,))), winners, reason)

    def view(self, state: State, seat: int | None) -> State:
        """Other open hands are sealed, and their corals are added to the unseen ones."""
        hands, loose = list(state.hands), state.loose
        for other, bag in enumerate(state.hands, 1):
            if other != seat and bag is not None:
                hands[other - 1] = None
                loose += bag
        return state._replace(hands=tuple(hands), loose=loose)
