"""The rules of First game: on your turn draw a card, or lay one down; after five turns each the round ends.

A card that was laid down counts its number less 5, so a low one costs points; each card in hand costs one more. A score
may be negative.

The players choose for each hand whether the box is told its cards. A hand that it is told (`Holding.is_told`) names the
card that it draws, ``draw 4``; of a secret one only the number of cards is known, and it draws by ``draw`` alone.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.gamekit.template_hands import GAME
from companion.games import api
from companion.games.api import Holding, Outcome, check_seat, check_turn

CARDS, COPIES = range(1, 10), 2
HAND_CARDS, TURNS = 3, 5
"""The cards that each player is dealt, and the turns of each player."""


class Move(NamedTuple):
    """``play 4``, ``draw 4``, or ``draw`` of a hand that the box does not know."""

    word: str
    card: int = 0

    def __str__(self) -> str:
        return f"{self.word} {self.card}" if self.card else self.word


class State(NamedTuple):
    """A position: all hands, what each seat has laid down, the cards in the deck, the seat to move, turns played."""

    hands: tuple[Holding[int], ...]
    laid: tuple[tuple[int, ...], ...]
    deck: int
    seat: int = 1
    turns: int = 0

    @property
    def hand(self) -> Holding[int]:
        """The hand of the seat to move."""
        return self.hands[self.seat - 1]

    def count_known(self, card: int) -> int:
        """How many copies of a card are known not to be in the deck."""
        return sum(cards.count(card) for cards in (*self.laid, *(hand.pieces or () for hand in self.hands)))


SENTENCES = {
    "syntax": ("{said}", "", "enter play and a card, or draw: play 4"),
    "draw": ("a draw", "a known hand names it", "say what you drew, if the box knows your hand"),
    "deck": ("a draw", "the deck is empty", "lay a card down"),
    "held": ("card {card}", "not in hand", "lay down a card of your hand"),
    "supply": ("this card", "all are known", "there are no more of it"),
    "deal": ("the hands", "too many alike", "there are two of each card"),
}
"""Code → the figure, what it conflicts with, the rule. Everybody reads them, so they name no hidden card."""


class RefusedError(api.RefusedError):
    """A refusal of First game, with its sentences."""

    sentences = SENTENCES


class Rules(api.Rules[State, Move]):
    """The rules of First game."""

    def initial_state(self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], Any]) -> State:
        """A hand that is missing in `deals` is secret. Raises RefusedError ``deal``."""
        hands = tuple(Holding(HAND_CARDS, deals.get(("deal", seat))) for seat in range(1, players + 1))
        state = State(hands, ((),) * players, len(CARDS) * COPIES - HAND_CARDS * players)
        if any(hand.pieces is not None and len(hand.pieces) != HAND_CARDS for hand in hands) or any(
            state.count_known(card) > COPIES for card in CARDS
        ):
            raise RefusedError("deal")
        return state

    def seat_to_move(self, state: State) -> int | None:
        is_over = state.turns == TURNS * len(state.hands) or not (state.hand.size or state.deck)
        return None if is_over else state.seat

    def legal_moves(self, state: State) -> list[Move]:
        """The plays of a secret hand are not listed, since nobody knows them."""
        if self.seat_to_move(state) is None:
            return []
        draw = [Move("draw")] if state.deck else []
        return [*draw, *(Move("play", card) for card in sorted(set(state.hand.pieces or ())))]

    def find_legal_move(self, state: State) -> Move | None:
        return next((move for move in self.legal_moves(state) if move.word == "play"), None)

    def parse_move(self, text: str) -> Move:
        found = re.fullmatch("(draw|play)(?: ([1-9]))?", text)
        if not found or text == "play":
            raise RefusedError("syntax", said=text[:22])
        return Move(found[1], int(found[2] or 0))

    def complete_draw(self, state: State, move: Move, sample: Callable[[Sequence[Any], int], Sequence[Any]]) -> Move:
        if move != Move("draw") or not state.hand.is_open:
            return move
        left = [card for card in CARDS for _ in range(COPIES - state.count_known(card))]
        return Move("draw", *sample(left, 1))

    def play_move(self, state: State, seat: int, move: Move) -> State:
        """A secret hand may hold any card of which not all copies are known to be elsewhere.

        Raises RefusedError ``draw``, ``deck``, ``held``, ``supply``.
        """
        check_seat(seat, len(state.hands))
        check_turn(seat, self.seat_to_move(state))
        hand, is_draw = state.hand, move.word == "draw"
        pieces = hand.pieces
        if is_draw and ((bool(move.card) and not hand.is_told) or (not move.card and hand.is_open)):
            raise RefusedError("draw")
        if is_draw and not state.deck:
            raise RefusedError("deck")
        if not is_draw and (not hand.size or (pieces is not None and move.card not in pieces)):
            raise RefusedError("held", card=move.card)
        if move.card and (is_draw or pieces is None) and state.count_known(move.card) == COPIES:
            raise RefusedError("supply")
        if pieces is not None:
            at = 0 if is_draw else pieces.index(move.card)
            pieces = tuple(sorted((*pieces, move.card))) if is_draw else pieces[:at] + pieces[at + 1 :]
        hand = hand._replace(size=hand.size + (1 if is_draw else -1), pieces=pieces)
        laid = state.laid[seat - 1] if is_draw else (*state.laid[seat - 1], move.card)
        return State(
            _with(state.hands, seat, hand),
            _with(state.laid, seat, laid),
            state.deck - is_draw,
            seat % len(state.hands) + 1,
            state.turns + 1,
        )

    def outcome(self, state: State) -> Outcome:
        pairs = zip(state.hands, state.laid, strict=True)
        scores = tuple(sum(card - 5 for card in laid) - hand.size for hand, laid in pairs)
        if self.seat_to_move(state) is not None:
            return Outcome.by_score(scores, "")
        code = "turns" if state.turns == TURNS * len(state.hands) else "cards"
        return Outcome.by_score(scores, GAME.ending_reason(code))

    def seat_view(self, state: State, seat: int | None) -> State:
        """Other hands are sealed; whether the box knows them stays visible in `Holding.is_told`."""
        hands = (hand if owner == seat else hand.sealed() for owner, hand in enumerate(state.hands, 1))
        return state._replace(hands=tuple(hands))

    def holding_size(self, kind: str, players: int, options: Mapping[str, str]) -> int:
        return HAND_CARDS

    def parse_deal(self, text: str, kind: str, options: Mapping[str, str]) -> tuple[int, ...]:
        if not re.fullmatch("[1-9 ]+", text):
            raise RefusedError("syntax", said=text[:22])
        return tuple(sorted(map(int, text.replace(" ", ""))))

    def format_deal(self, pieces: Sequence[int]) -> str:
        return "".join(map(str, pieces))

    def deal_holdings(
        self, players: int, options: Mapping[str, str], sample: Callable[[Sequence[Any], int], Sequence[Any]]
    ) -> dict[tuple[str, int], tuple[int, ...]]:
        dealt = sample([*CARDS] * COPIES, HAND_CARDS * players)
        return {
            ("deal", seat): tuple(sorted(dealt[HAND_CARDS * (seat - 1) : HAND_CARDS * seat]))
            for seat in range(1, players + 1)
        }


RULES = Rules()


def _with(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    """The values of all seats, with another one for `seat`."""
    return (*values[: seat - 1], value, *values[seat:])
