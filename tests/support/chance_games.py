"""Small games with a choice beside chance, without packages: hands to draw for or play from, and a die.

`install_games` makes them look like games of other packages, for code that asks for a game by its id.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

import pytest

from companion import games
from companion.coach.verdicts import PlayedRound
from companion.games import api
from companion.games.api import Holding, Outcome, check_seat, check_turn
from companion.games.api.manifest import HoldingWords, InstalledGame, Manifest
from companion.games.api.move_input import Draft, MoveInput

CARD_RANKS = (1, 2, 3, 4, 5, 6, 7, 8, 9)
COPIES_OF_CARD = 2
ROUND_TURNS = 12
"""The number of turns of a round of cards."""


class RefusedError(api.RefusedError):
    """A refusal of these games."""

    sentences: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "syntax": ("{said}", "", "no move looks like that"),
        "syntax draw": ("a draw", "", "an open hand names its card, a sealed one none"),
        "held": ("card {card}", "", "this hand has no such card"),
        "supply": ("this card", "", "there are no more of it"),
        "drawn": ("a draw", "", "one card is drawn a turn"),
        "thrown": ("{said}", "", "throw once, then take or leave it"),
        "deal": ("the hands", "", "there are not so many of a card"),
    }


class CardsState(NamedTuple):
    """The hands of both seats, what each has laid down, who is to move, finished turns, whether a card was drawn."""

    hands: tuple[Holding[int], ...]
    laid: tuple[tuple[int, ...], ...]
    to_move: int = 1
    turns: int = 0
    has_drawn: bool = False

    @property
    def known_cards(self) -> list[int]:
        """The cards whose place the rules know."""
        return [card for cards in (*self.laid, *(hand.pieces or () for hand in self.hands)) for card in cards]


class DrawOrPlay(api.Rules[CardsState, str]):
    """A turn is ``draw 4`` or ``play 4``. A card left in a hand costs a point, and so does a low one that is played."""

    plays_after_draw = False

    def initial_state(
        self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], Any]
    ) -> CardsState:
        state = CardsState(tuple(Holding(3, deals.get(("deal", seat))) for seat in (1, 2)), ((), ()))
        if any(state.known_cards.count(card) > COPIES_OF_CARD for card in CARD_RANKS):
            raise RefusedError("deal")
        return state

    def seat_to_move(self, state: CardsState) -> int | None:
        return state.to_move if state.turns < ROUND_TURNS else None

    def legal_moves(self, state: CardsState) -> list[str]:
        if self.seat_to_move(state) is None:
            return []
        plays = [f"play {card}" for card in sorted(set(state.hands[state.to_move - 1].pieces or ()))]
        return plays if state.has_drawn else ["draw", *plays]

    def find_legal_move(self, state: CardsState) -> str | None:
        return next((move for move in self.legal_moves(state) if move != "draw"), None)

    def parse_move(self, text: str) -> str:
        if not re.fullmatch("draw( [1-9])?|play [1-9]", text):
            raise RefusedError("syntax", said=text[:22])
        return text

    def complete_draw(self, state: CardsState, move: str, sample: Callable[[Sequence[Any], int], Sequence[Any]]) -> str:
        if move != "draw" or not state.hands[state.to_move - 1].is_open:
            return move
        left = [card for card in CARD_RANKS for _ in range(COPIES_OF_CARD - state.known_cards.count(card))]
        return f"draw {sample(left, 1)[0]}"

    def play_move(self, state: CardsState, seat: int, move: str) -> CardsState:
        word, _, card = move.partition(" ")
        check_seat(seat, 2)
        size, pieces = state.hands[seat - 1]
        laid = state.laid[seat - 1]
        if word == "draw" and ((card and not state.hands[seat - 1].is_told) or (not card and pieces is not None)):
            raise RefusedError("syntax draw")
        check_turn(seat, self.seat_to_move(state))
        drawn_of_known = word == "draw" or pieces is None
        if card and drawn_of_known and state.known_cards.count(int(card)) == COPIES_OF_CARD:
            raise RefusedError("supply")
        if word == "draw":
            if state.has_drawn:
                raise RefusedError("drawn")
            hand = Holding(size + 1, None if pieces is None else tuple(sorted((*pieces, int(card)))))
        else:
            if not size or (pieces is not None and int(card) not in pieces):
                raise RefusedError("held", card=card)
            at = 0 if pieces is None else pieces.index(int(card))
            hand = Holding(size - 1, None if pieces is None else (*pieces[:at], *pieces[at + 1 :]))
            laid = (*laid, int(card))
        after = state._replace(hands=_with(state.hands, seat, hand), laid=_with(state.laid, seat, laid))
        if word == "draw" and self.plays_after_draw:
            return after._replace(has_drawn=True)
        return after._replace(to_move=3 - seat, turns=state.turns + 1, has_drawn=False)

    def outcome(self, state: CardsState) -> Outcome:
        pairs = zip(state.hands, state.laid, strict=True)
        scores = tuple(sum(card - 5 for card in laid) - hand.size for hand, laid in pairs)
        return _outcome(scores, self.seat_to_move(state) is None)

    def seat_view(self, state: CardsState, seat: int | None) -> CardsState:
        hands = (hand if at == seat else hand.sealed() for at, hand in enumerate(state.hands, 1))
        return state._replace(hands=tuple(hands))

    def holding_size(self, kind: str, players: int, options: Mapping[str, str]) -> int:
        return 3

    def parse_deal(self, text: str, kind: str, options: Mapping[str, str]) -> tuple[int, ...]:
        if not re.fullmatch("[1-9 ]+", text):
            raise RefusedError("syntax", said=text[:22])
        return tuple(sorted(map(int, text.replace(" ", ""))))

    def format_deal(self, pieces: Sequence[int]) -> str:
        return "".join(map(str, pieces))

    def deal_holdings(
        self, players: int, options: Mapping[str, str], sample: Callable[[Sequence[Any], int], Sequence[Any]]
    ) -> dict[tuple[str, int], tuple[int, ...]]:
        dealt = sample(CARD_RANKS * COPIES_OF_CARD, 6)
        return {("deal", seat): tuple(sorted(dealt[seat * 3 - 3 : seat * 3])) for seat in (1, 2)}


class DrawThenPlay(DrawOrPlay):
    """After a draw the same seat lays a card down; `legal_moves` then lists nothing for a sealed hand."""

    plays_after_draw = True


class CardsMoveInput(MoveInput):
    """A card is typed by its digit, a draw by 0, in an open hand with the card."""

    def __init__(self, rules: api.Rules[Any, Any]) -> None:
        self.rules = rules

    def draft_from_keys(self, state: CardsState, keys: str) -> Draft | None:
        return self._judged(state, keys) if re.fullmatch("0[1-9]?|[1-9]", keys) else None

    def _judged(self, state: CardsState, keys: str) -> Draft:
        event = f"draw {keys[1:]}".strip() if keys[0] == "0" else f"play {keys}"
        shown = "0•" if len(keys) > 1 else keys
        if keys == "0" and state.hands[state.to_move - 1].is_told and not state.has_drawn:
            return Draft("draw", message="which card")
        try:
            self.rules.play_move(state, state.to_move, event)
        except api.RefusedError:
            return Draft(shown, event, "no", message="not now")
        return Draft(shown, event, "ok")

    def input_instructions(self, view: CardsState, uses_buttons: bool = False) -> str:
        return super().input_instructions(view, uses_buttons) if uses_buttons else "card, or 0 draws, #"

    def position_lines(self, view: CardsState) -> Sequence[str]:
        return tuple(" ".join(map(str, laid)) or "-" for laid in view.laid)

    def parse_typed_pieces(
        self, keys: str, kind: str, options: Mapping[str, str]
    ) -> tuple[tuple[str, ...], str] | None:
        return ((keys,), "") if keys in [*"123456789"] else None

    def piece_rows(self, kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
        return [[*"123456789"]]

    def is_piece_hidden(self, kind: str, piece: str) -> bool:
        return True

    def revealed_piece_text(self, event: str) -> str:
        return "a drawn card" if event.startswith("draw ") else ""

    def held_pieces(self, view: CardsState, seat: int) -> Sequence[str]:
        return [*map(str, view.hands[seat - 1].pieces or ())]

    def own_pieces_text(self, view: CardsState, seat: int) -> str:
        return " ".join(self.held_pieces(view, seat)) or "no card"


class AuctionState(NamedTuple):
    """Hands, spent cards, each seat's bid in this lot (0 for none, -1 after a pass), lots won, and who is to move.

    The winner of a lot is `to_move` and `must_draw` until it has drawn a card for the one that it has spent.
    """

    hands: tuple[Holding[int], ...]
    spent: tuple[int, ...]
    bids: tuple[int, ...]
    won: tuple[int, ...]
    to_move: int = 1
    must_draw: bool = False


class Auction(api.Rules[AuctionState, str]):
    """Up to six players bid for lots with hidden cards: ``bid 7`` above the highest bid, or ``pass``.

    Whoever is left spends the bid, wins the lot, and draws.
    """

    LOTS = 6

    def initial_state(
        self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], Any]
    ) -> AuctionState:
        hands = tuple(Holding(3, deals.get(("deal", seat))) for seat in range(1, players + 1))
        state = AuctionState(hands, (), (0,) * players, (0,) * players)
        if any(self._known_cards(state).count(card) > 4 for card in CARD_RANKS):
            raise RefusedError("deal")
        return state

    def seat_to_move(self, state: AuctionState) -> int | None:
        return state.to_move if sum(state.won) < self.LOTS or state.must_draw else None

    def legal_moves(self, state: AuctionState) -> list[str]:
        if self.seat_to_move(state) is None or state.must_draw:
            return ["draw"] if state.must_draw else []
        held = sorted(set(state.hands[state.to_move - 1].pieces or ()))
        bids = [f"bid {card}" for card in held if card > max(state.bids)]
        return [*bids, "pass"] if max(state.bids) > 0 or not bids else bids

    def find_legal_move(self, state: AuctionState) -> str | None:
        is_open = not state.must_draw and state.hands[state.to_move - 1].is_open
        return next(iter(self.legal_moves(state)), None) if is_open else None

    def parse_move(self, text: str) -> str:
        if not re.fullmatch("draw( [1-9])?|bid [1-9]|pass", text):
            raise RefusedError("syntax", said=text[:22])
        return text

    def complete_draw(
        self, state: AuctionState, move: str, sample: Callable[[Sequence[Any], int], Sequence[Any]]
    ) -> str:
        if move != "draw" or not state.hands[state.to_move - 1].is_open:
            return move
        left = [card for card in CARD_RANKS for _ in range(4 - self._known_cards(state).count(card))]
        return f"draw {sample(left, 1)[0]}"

    def _known_cards(self, state: AuctionState) -> list[int]:
        """The cards whose place the rules know: spent, in open hands, and bid by sealed ones."""
        open_hands = [card for hand in state.hands for card in hand.pieces or ()]
        bids = [bid for bid, hand in zip(state.bids, state.hands, strict=True) if bid > 0 and hand.pieces is None]
        return [*state.spent, *open_hands, *bids]

    def play_move(self, state: AuctionState, seat: int, move: str) -> AuctionState:
        word, _, card = move.partition(" ")
        check_seat(seat, len(state.hands))
        check_turn(seat, self.seat_to_move(state))
        size, pieces = state.hands[seat - 1]
        if word == "draw":
            if not state.must_draw:
                raise RefusedError("drawn")
            if bool(card) is not state.hands[seat - 1].is_told:
                raise RefusedError("syntax draw")
            if card and self._known_cards(state).count(int(card)) == 4:
                raise RefusedError("supply")
            hand = Holding(size + 1, None if pieces is None else tuple(sorted((*pieces, int(card)))))
            return state._replace(hands=_with(state.hands, seat, hand), must_draw=False)
        if state.must_draw or (word == "pass" and max(state.bids) < 1 and pieces is not None):
            raise RefusedError("thrown", said=move)
        if card and (int(card) <= max(state.bids) or (pieces is not None and int(card) not in pieces)):
            raise RefusedError("held", card=card)
        if card and pieces is None and self._known_cards(state).count(int(card)) == 4:
            raise RefusedError("supply")
        bids = _with(state.bids, seat, int(card) if card else -1)
        seats = [(seat + step - 1) % len(bids) + 1 for step in range(1, len(bids) + 1)]
        left = [each for each in seats if bids[each - 1] >= 0]
        if len(left) > 1 or (left and bids[left[0] - 1] == 0):
            return state._replace(bids=bids, to_move=left[0])
        if not left:
            return state._replace(bids=(0,) * len(bids), to_move=seats[0])
        return self._with_lot_won(state, left[0], bids[left[0] - 1])

    def _with_lot_won(self, state: AuctionState, winner: int, bid: int) -> AuctionState:
        size, pieces = state.hands[winner - 1]
        kept = None if pieces is None else (*pieces[: pieces.index(bid)], *pieces[pieces.index(bid) + 1 :])
        return state._replace(
            hands=_with(state.hands, winner, Holding(size - 1, kept)),
            spent=(*state.spent, bid),
            bids=(0,) * len(state.bids),
            won=_with(state.won, winner, state.won[winner - 1] + 1),
            to_move=winner,
            must_draw=True,
        )

    def outcome(self, state: AuctionState) -> Outcome:
        return _outcome(state.won, self.seat_to_move(state) is None)

    def seat_view(self, state: AuctionState, seat: int | None) -> AuctionState:
        hands = (hand if at == seat else hand.sealed() for at, hand in enumerate(state.hands, 1))
        return state._replace(hands=tuple(hands))

    def holding_size(self, kind: str, players: int, options: Mapping[str, str]) -> int:
        return 3

    def parse_deal(self, text: str, kind: str, options: Mapping[str, str]) -> tuple[int, ...]:
        return DrawOrPlay().parse_deal(text, kind, options)

    def format_deal(self, pieces: Sequence[int]) -> str:
        return "".join(map(str, pieces))

    def deal_holdings(
        self, players: int, options: Mapping[str, str], sample: Callable[[Sequence[Any], int], Sequence[Any]]
    ) -> dict[tuple[str, int], tuple[int, ...]]:
        dealt = sample(CARD_RANKS * 4, 3 * players)
        return {("deal", seat): tuple(sorted(dealt[seat * 3 - 3 : seat * 3])) for seat in range(1, players + 1)}


class AuctionMoveInput(CardsMoveInput):
    """A bid is typed by its digit, a pass by 0; a draw by A, for a told hand with the card."""

    def draft_from_keys(self, state: Any, keys: str) -> Draft | None:
        if not re.fullmatch("A[1-9]?|[0-9]", keys):
            return None
        event = f"draw {keys[1:]}".strip() if keys[0] == "A" else "pass" if keys == "0" else f"bid {keys}"
        if keys == "A" and state.must_draw and state.hands[state.to_move - 1].is_told:
            return Draft("draw", message="which card")
        shown = "draw •" if len(keys) > 1 else event
        refused = self.rules.refusal(state, event)
        return Draft(shown, event, "no" if refused else "ok", message="not now" if refused else "")

    def keys_for_event(self, event: str) -> str:
        return {"pass": "0", "draw": "A"}.get(event, event[-1])

    def position_lines(self, view: Any) -> Sequence[str]:
        return (" ".join("p" if bid < 0 else str(bid) for bid in view.bids),)


class DiceState(NamedTuple):
    """The score of each seat, who is to move, what was thrown (0 before the throw), and the finished turns."""

    scores: tuple[int, ...]
    to_move: int
    thrown: int
    turns: int


class RollOrStop(api.Rules[DiceState, str]):
    """A turn is a throw, ``roll 4``, and then ``take`` or ``leave``; each is listed, as the docs say about a die."""

    def initial_state(
        self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], Any]
    ) -> DiceState:
        return DiceState((0, 0), 1, 0, 0)

    def seat_to_move(self, state: DiceState) -> int | None:
        return state.to_move if state.turns < 4 else None

    def legal_moves(self, state: DiceState) -> list[str]:
        if self.seat_to_move(state) is None:
            return []
        return ["take", "leave"] if state.thrown else [f"roll {pips}" for pips in range(1, 7)]

    def parse_move(self, text: str) -> str:
        if not re.fullmatch("roll [1-6]|take|leave", text):
            raise RefusedError("syntax", said=text[:22])
        return text

    def play_move(self, state: DiceState, seat: int, move: str) -> DiceState:
        check_seat(seat, 2)
        check_turn(seat, self.seat_to_move(state))
        if move not in self.legal_moves(state):
            raise RefusedError("thrown", said=move)
        if move.startswith("roll"):
            return state._replace(thrown=int(move[5:]))
        won = state.thrown - 3 if move == "take" else 0
        return DiceState(_with(state.scores, seat, state.scores[seat - 1] + won), 3 - seat, 0, state.turns + 1)

    def outcome(self, state: DiceState) -> Outcome:
        return _outcome(state.scores, self.seat_to_move(state) is None)


class ThrowOrStop(RollOrStop):
    """The same with two dice, whose sums are thrown as often as they come; no word says that chance decides."""

    def legal_moves(self, state: DiceState) -> list[str]:
        return [*self.chance_outcomes(state)] or super().legal_moves(state)

    def chance_outcomes(self, state: DiceState) -> Mapping[str, int]:
        if state.thrown or self.seat_to_move(state) is None:
            return {}
        return {f"throw {total}": 6 - abs(7 - total) for total in range(2, 13)}

    def parse_move(self, text: str) -> str:
        if not re.fullmatch("throw ([2-9]|1[0-2])|take|leave", text):
            raise RefusedError("syntax", said=text[:22])
        return text

    def play_move(self, state: DiceState, seat: int, move: str) -> DiceState:
        if not move.startswith("throw"):
            return super().play_move(state, seat, move)
        check_seat(seat, 2)
        check_turn(seat, self.seat_to_move(state))
        if move not in self.legal_moves(state):
            raise RefusedError("thrown", said=move)
        return state._replace(thrown=int(move[6:]) - 4)


class DiceMoveInput(MoveInput):
    """A throw is typed by its pips, then 1 takes and 2 leaves it; drafts and picker are derived."""

    def __init__(self, rules: RollOrStop) -> None:
        self.rules = rules

    def keys_for_event(self, event: str) -> str:
        return {"take": "1", "leave": "2"}.get(event, event.split()[-1])

    def input_instructions(self, view: DiceState, uses_buttons: bool = False) -> str:
        return super().input_instructions(view, uses_buttons) if uses_buttons else "pips, #"

    def position_lines(self, view: DiceState) -> Sequence[str]:
        return (f"{view.thrown or '-'}",)


def move_input_of(rules: api.Rules[Any, Any]) -> MoveInput:
    """The move input of one of these games."""
    if isinstance(rules, Auction):
        return AuctionMoveInput(rules)
    return CardsMoveInput(rules) if isinstance(rules, DrawOrPlay) else DiceMoveInput(rules)


HAND_HOLDINGS: Mapping[Any, HoldingWords] = {"deal": HoldingWords("hand", "cards")}
GAMES_BY_ID = {
    each.id: (each, rules)
    for each, rules in (
        (Manifest("draw-or-play", "Draw or Play", holdings=HAND_HOLDINGS, allows_computer_player=True), DrawOrPlay()),
        (
            Manifest("draw-then-play", "Draw then Play", holdings=HAND_HOLDINGS, allows_computer_player=True),
            DrawThenPlay(),
        ),
        (Manifest("auction", "Auction", players=(5, 2, 3, 4, 6), holdings=HAND_HOLDINGS), Auction()),
        (Manifest("roll-or-stop", "Roll or Stop", allows_computer_player=True), RollOrStop()),
        (Manifest("throw-or-stop", "Throw or Stop", allows_computer_player=True), ThrowOrStop()),
    )
}
"""Id → the manifest and the rules."""


def install_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add these games as if they came with installed packages."""
    for id_, (_, rules) in GAMES_BY_ID.items():
        package = id_.replace("-", "_")
        for name, parts in (
            ("", {}),
            (".rules", {"RULES": rules}),
            (".move_input", {"MOVE_INPUT": move_input_of(rules)}),
        ):
            module = ModuleType(package + name)
            vars(module).update(parts, __file__=__file__)
            monkeypatch.setitem(sys.modules, module.__name__, module)
    added = {id_: InstalledGame(known, id_.replace("-", "_")) for id_, (known, _) in GAMES_BY_ID.items()}
    monkeypatch.setattr(games, "find_added_games", lambda: (added, {}))


def random_round_of(rules: api.Rules[Any, Any], chance: Random, open_seats: Sequence[int] = ()) -> PlayedRound:
    """A whole random round; the hands of `open_seats` are open. A sealed hand plays random cards."""
    all_deals = rules.deal_holdings(2, {}, chance.sample)
    deals = {key: all_deals[key] for key in all_deals if key[1] in open_seats}
    states, events = [rules.initial_state(2, {}, deals)], []
    while (seat := rules.seat_to_move(states[-1])) is not None:
        move = rules.complete_draw(states[-1], chance.choice(rules.legal_moves(states[-1])), chance.sample)
        states.append(rules.play_move(states[-1], seat, move))
        events.append((seat, str(move)))
    return PlayedRound(rules, move_input_of(rules), states, events)


def _outcome(scores: tuple[int, ...], over: bool) -> Outcome:
    winners = tuple(seat for seat, score in enumerate(scores, 1) if score == max(scores))
    return Outcome(scores, winners, "all turns are over") if over else Outcome(scores, (), "")


def _with(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*values[: seat - 1], value, *values[seat:])
