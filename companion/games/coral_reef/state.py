"""The position in Coral Reef: how a round is written and set up, its result, and what each seat sees of it.

`rules` adds the moves.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.games import api
from companion.games.api import Holding, Outcome
from companion.games.api.result import leading_seats
from companion.games.coral_reef import GAME
from companion.games.coral_reef.moves import DRAW, PASS, SEED, Move, RefusedError, check_corals_of_form
from companion.games.coral_reef.sums import BIT_POSITIONS, NINE_BAG, RANKS, SINGLE_BAGS, bag_of, corals_of

HAND_SIZE = 8  # corals dealt to a seat
COPIES_OF_RANK = 8  # of each rank
FIRST_STACKS = 4  # nines on the table at the start
UNDEALT_BAGS = {
    "cards": COPIES_OF_RANK * bag_of(RANKS) - FIRST_STACKS * NINE_BAG,
    "tiles": COPIES_OF_RANK * bag_of(RANKS.rstrip("JQK")) - FIRST_STACKS * NINE_BAG,
}
"""Form → the bag of all corals except the four nines on the table."""
FIRST_DECK_SIZES = {"cards": 84, "tiles": 60}
"""Form → the number of corals in the deck after both hands are dealt."""


class State(NamedTuple):
    """A position; `to_move` is the seat to move, or None when the round is over. Bags are ints, as in `sums`."""

    form: str  # "cards" or "tiles"
    tops: tuple[int, ...]  # what each stack's top counts, 1–10
    sizes: tuple[int, ...]  # corals in each hand
    hands: tuple[int | None, ...]  # the bag of each open hand, None where it is sealed
    unseen: int  # the bag of corals in the deck or a sealed hand
    deck: int  # corals left to draw from
    to_move: int | None = 1
    has_drawn: bool = False  # whether this seat has drawn in this turn
    idle_turns: int = 0  # turns in a row without a play or seed, with the deck empty after each; 0 to 2
    skipped: tuple[int, ...] = ()  # seats that were skipped after the last event

    @property
    def holdings(self) -> tuple[Holding[str], ...]:
        """The hands by seat; the corals of an open hand are sorted from ace to king."""
        both = zip(self.sizes, self.hands, strict=True)
        return tuple(Holding(size, None if bag is None else tuple(corals_of(bag))) for size, bag in both)


_CORAL_PATTERN = "[A2-9TJQK10]"
# Both cases of each letter are listed, since matching with IGNORECASE takes much longer.
_PLAY_PATTERN = re.compile(r"(0|[1-9][0-9]{0,2})[ \t]*:([A2-9TJQK10atjqk \t,]+)")
_DRAW_PATTERN = re.compile(rf"draw[ \t,]+({_CORAL_PATTERN})", re.ASCII | re.IGNORECASE)
_MOVES_BY_WORD = {"seed": SEED, "draw": DRAW, "pass": PASS}
_CORAL_LETTERS = str.maketrans("10atjqk", "ATATJQK", " \t,")
_HAND_PATTERN = re.compile(rf"(?:{_CORAL_PATTERN}|[ \t,])*", re.ASCII | re.IGNORECASE)


def _shortened_text(text: str) -> str:
    """A text as a refusal shows it: at most 12 characters, with ``?`` for all but printable ASCII."""
    printable = "".join(sign if " " <= sign <= "~" else "?" for sign in text[:12])
    return printable if len(text) <= 12 else printable[:11] + "…"


class SetUpRules(api.Rules[State, Move]):
    """The part of the rules about setting up a round, writing it down, and what each seat sees."""

    def parse_move(self, text: str) -> Move:
        """``2:54``, ``seed``, ``draw``, ``draw 7``, ``pass``; blanks and commas may stand among the corals."""
        text = text.strip(" \t")
        if (played := _PLAY_PATTERN.fullmatch(text)) and (corals := played[2].translate(_CORAL_LETTERS)):
            return Move("play", int(played[1]), corals)
        if drawn := _DRAW_PATTERN.fullmatch(text):
            return Move("draw", 0, drawn[1].translate(_CORAL_LETTERS))
        # Only ASCII: `lower` turns some other Unicode characters into ASCII letters, which are no letters of an event.
        if text.isascii() and text.lower() in _MOVES_BY_WORD:
            return _MOVES_BY_WORD[text.lower()]
        raise RefusedError("syntax", said=_shortened_text(text))

    def holding_size(self, kind: str, players: int, options: Mapping[str, str]) -> int:
        """8 corals for each seat (sheet, Setting Up)."""
        return HAND_SIZE

    def parse_deal(self, text: str, kind: str, options: Mapping[str, str]) -> tuple[str, ...]:
        """The corals of a deal line, sorted from ace to king. A face card among tiles is refused as ``syntax``."""
        if not _HAND_PATTERN.fullmatch(text):
            # The text is not shown, since the rest of it may be a hand that nobody else should see.
            raise RefusedError("syntax hand")
        corals = text.translate(_CORAL_LETTERS)
        check_corals_of_form(options.get("form", "cards"), corals)
        return tuple(sorted(corals, key=BIT_POSITIONS.__getitem__))

    def format_deal(self, pieces: Sequence[str]) -> str:
        return "".join(pieces)

    def deal_holdings(
        self, players: int, options: Mapping[str, str], sample: Callable[[Sequence[Any], int], Sequence[Any]]
    ) -> dict[tuple[str, int], tuple[str, ...]]:
        corals = sample(corals_of(UNDEALT_BAGS[options.get("form", "cards")]), 2 * HAND_SIZE)
        hands = (corals[:HAND_SIZE], corals[HAND_SIZE:])
        return {("deal", seat): tuple(sorted(hand, key=RANKS.index)) for seat, hand in enumerate(hands, 1)}

    def initial_state(
        self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], tuple[str, ...]]
    ) -> State:
        """The position after dealing (sheet, Setting Up), with four nines on the table.

        Raises RefusedError ``deal`` for a hand that does not exist, a wrong number of corals, or more of a coral than
        there are.
        """
        form = options.get("form", "cards")
        loose = UNDEALT_BAGS[form]
        hands: list[int | None] = [None, None]
        for (kind, seat), corals in sorted(deals.items()):
            if kind != "deal" or not 1 <= seat <= len(hands):
                raise RefusedError("deal seat", kind=kind, seat=seat)
            if len(corals) != HAND_SIZE:
                raise RefusedError("deal size", corals=len(corals), hand=HAND_SIZE)
            for coral in corals:
                if not loose >> BIT_POSITIONS[coral] & 15:
                    # No coral is named, since the other player may be looking.
                    raise RefusedError("deal alike")
                loose -= SINGLE_BAGS[coral]
            hands[seat - 1] = bag_of(corals)
        return State(form, (9,) * FIRST_STACKS, (HAND_SIZE, HAND_SIZE), tuple(hands), loose, FIRST_DECK_SIZES[form])

    def skipped_seats(self, state: State) -> tuple[int, ...]:
        """Only seats with an open hand are skipped: those without a move and without a coral to draw."""
        return state.skipped

    def outcome(self, state: State) -> Outcome:
        """The winner scores 1 and the loser 0.

        If the round is blocked, the hand with fewer corals wins. Equal hands draw, with 0 for both.
        """
        if state.to_move is not None:
            return Outcome((0, 0), (), "")
        winners = leading_seats([-size for size in state.sizes])
        fewer, more = sorted(state.sizes)
        if not fewer:
            reason = GAME.ending_reason("placed")
        elif fewer < more:
            reason = GAME.ending_reason("blocked", fewer=fewer, more=more)
        else:
            reason = GAME.ending_reason("blocked-equal", number=fewer)
        return Outcome((int(winners == (1,)), int(winners == (2,))), winners, reason)

    def seat_view(self, state: State, seat: int | None) -> State:
        """Other open hands are sealed, and their corals are added to the unseen ones."""
        hands, loose = list(state.hands), state.unseen
        for other, bag in enumerate(state.hands, 1):
            if other != seat and bag is not None:
                hands[other - 1] = None
                loose += bag
        return state._replace(hands=tuple(hands), unseen=loose)
