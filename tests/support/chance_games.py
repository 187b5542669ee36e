"""Two small games with a choice beside chance, without packages: a hand to draw for or play from, and a die to stop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from companion import game
from companion.coach.lookback import Played
from companion.game import Holding, Outcome
from companion.game.entry import Draft, Entry

DECK = (1, 2, 3, 4, 5, 6) * 2
LONGEST = 8
"""How many events a round has at most."""


class PlainEntry(Entry):
    """No keys: nothing of it is entered."""

    def typed(self, state: Any, keys: str) -> Draft | None:
        return None

    def pick(self, state: Any) -> Any:
        return None

    def pick_changed(self, state: Any, pick: Any, arrow: str) -> Any:
        return pick

    def picked(self, state: Any, pick: Any) -> Draft:
        return Draft("")

    def how_to_enter(self, view: Any, buttons: bool = False) -> str:
        return "-"

    def position_lines(self, view: Any) -> Sequence[str]:
        return ("-",)

    def masked(self, word: str, piece: str) -> bool:
        return word == "draw"


class Cards(NamedTuple):
    """The hands of both seats, what each has laid down, and how many events there were."""

    hands: tuple[Holding[int], ...]
    laid: tuple[tuple[int, ...], ...]
    events: int


class DrawOrPlay(game.Rules[Cards, str]):
    """A turn is ``draw 4`` or ``play 4``; a card left in an open hand costs its value, and so does a low one played."""

    def start(self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], Any]) -> Cards:
        hands = tuple(Holding(3, deals.get(("deal", seat))) for seat in (1, 2))
        return Cards(hands, ((), ()), 0)

    def turn(self, state: Cards) -> int | None:
        return None if state.events == LONGEST else state.events % 2 + 1

    def moves(self, state: Cards) -> list[str]:
        if (seat := self.turn(state)) is None:
            return []
        return ["draw", *(f"play {card}" for card in sorted(set(state.hands[seat - 1].pieces or ())))]

    def read(self, text: str) -> str:
        return text

    def complete(self, state: Cards, move: str, sample: Callable[[Sequence[Any], int], Sequence[Any]]) -> str:
        if move != "draw" or not state.hands[state.events % 2].open:
            return move
        left = list(DECK)
        for card in (*(card for hand in state.hands for card in hand.pieces or ()), *state.laid[0], *state.laid[1]):
            if card in left:
                left.remove(card)
        return f"draw {sample(left, 1)[0]}"

    def play(self, state: Cards, seat: int, move: str) -> Cards:
        word, _, card = move.partition(" ")
        size, pieces = state.hands[seat - 1]
        laid = state.laid[seat - 1]
        if word == "draw":
            hand = Holding(size + 1, None if pieces is None else tuple(sorted((*pieces, int(card)))))
        else:
            at = None if pieces is None else pieces.index(int(card))
            hand = Holding(size - 1, None if pieces is None or at is None else (*pieces[:at], *pieces[at + 1 :]))
            laid = (*laid, int(card))
        return Cards(_with(state.hands, seat, hand), _with(state.laid, seat, laid), state.events + 1)

    def outcome(self, state: Cards) -> Outcome:
        pairs = zip(state.hands, state.laid, strict=True)
        scores = tuple(sum(card - 3 for card in laid) - sum(hand.pieces or ()) for hand, laid in pairs)
        if self.turn(state) is not None:
            return Outcome(scores, (), "")
        return Outcome(scores, tuple(seat for seat in (1, 2) if scores[seat - 1] == max(scores)), "all turns are over")

    def view(self, state: Cards, seat: int | None) -> Cards:
        hands = (hand if at == seat else Holding(hand.size, None) for at, hand in enumerate(state.hands, 1))
        return state._replace(hands=tuple(hands))


class Throws(NamedTuple):
    """The score of each seat, who is to move, what was thrown (0 before the throw), and how many turns are over."""

    scores: tuple[int, ...]
    seat: int
    thrown: int
    turns: int


class RollOrStop(game.Rules[Throws, str]):
    """A turn is a throw, ``roll 4``, and then ``take`` or ``leave`` it; each is listed, as the docs say of a die."""

    def start(self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], Any]) -> Throws:
        return Throws((0, 0), 1, 0, 0)

    def turn(self, state: Throws) -> int | None:
        return state.seat if state.turns < 4 else None

    def moves(self, state: Throws) -> list[str]:
        if self.turn(state) is None:
            return []
        return ["take", "leave"] if state.thrown else [f"roll {pips}" for pips in range(1, 7)]

    def read(self, text: str) -> str:
        return text

    def play(self, state: Throws, seat: int, move: str) -> Throws:
        if move.startswith("roll"):
            return state._replace(thrown=int(move[5:]))
        won = state.thrown - 3 if move == "take" else 0
        return Throws(_with(state.scores, seat, state.scores[seat - 1] + won), 3 - seat, 0, state.turns + 1)

    def outcome(self, state: Throws) -> Outcome:
        if self.turn(state) is not None:
            return Outcome(state.scores, (), "")
        best = tuple(seat for seat in (1, 2) if state.scores[seat - 1] == max(state.scores))
        return Outcome(state.scores, best, "all turns are over")


def random_round(rules: game.Rules[Any, Any], chance: Random, told: Sequence[int] = ()) -> Played:
    """A whole round of moves at random; the hands of the seats `told` are open. What a sealed hand plays is a guess."""
    cards = chance.sample(DECK, 6)
    deals = {("deal", seat): tuple(sorted(cards[seat * 3 - 3 : seat * 3])) for seat in told}
    states, events = [rules.start(2, {}, deals)], []
    while (seat := rules.turn(states[-1])) is not None:
        move = rules.complete(states[-1], chance.choice(rules.moves(states[-1])), chance.sample)
        states.append(rules.play(states[-1], seat, move))
        events.append((seat, str(move)))
    return Played(rules, PlainEntry(), states, events)


def _with(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*values[: seat - 1], value, *values[seat:])
