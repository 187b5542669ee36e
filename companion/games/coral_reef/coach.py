"""The coach of Coral Reef: hands that the other player may hold, and the value of a position.

A value is the other player's corals less one's own, in tenths of a coral, with `PLAY_VALUE` for the player who has a
move. The order of the deck is unknown, so a value is certain only for a move that ends the round, or when the deck is
empty: then the other player has all unseen corals.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from companion.games.api import coach
from companion.games.api.coach import Sample, Sight, Tree
from companion.games.api.text import plural_text, text
from companion.games.coral_reef.drafts import piece
from companion.games.coral_reef.moves import DRAW, SEED, Move, worked_sum
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.state import State
from companion.games.coral_reef.sums import UNITS, can_move, pack, unpack
from companion.games.coral_reef.words import draws_that_fit, labels

CORAL = 10
PLAY = 20
"""The value of having a move with the present stacks: two corals. So a coach won 55 % of 400 rounds against itself."""
WON = 10_000
UNSURE = 30 * CORAL
"""Larger mean values come from worlds of which some are won or lost, since hands hardly differ by so much."""
WORLD = 125
"""While there are more than 8 worlds, at least so many positions are searched in each of them."""
WIDEST = 24
"""The most plays of a position that are searched while the deck has corals; plays with the most corals come first."""
TRIES = 20
"""How many hands are sampled to find one that fits each "I can't move". If none does, the last one is used."""
Line = Tree[State, Move]


class Hands(Line):
    """The game tree with both hands open; `sample` draws corals from the deck."""

    def __init__(self, state: State, sample: Sample) -> None:
        # With an unknown deck the worlds are sampled, so a win in all of them is not certain and never `WIN_VALUE`.
        super().__init__(state, WON - bool(state.pile))
        self._sample = sample

    def turn(self, node: State) -> int:
        return node.seat or 0

    def moves(self, node: State) -> Sequence[Move]:
        """The legal moves, those with the most corals first.

        While the deck has corals, a play is listed for only one of several stacks with equal tops, and at most
        `MAX_PLAYS` moves are listed.
        """
        plays = sorted(RULES.moves(node), key=lambda move: -len(move.corals))
        if not node.pile:
            return plays
        different = {(move.kind, _top(node, move), move.corals): move for move in reversed(plays)}
        return list(reversed(different.values()))[:WIDEST]

    def after(self, node: State, move: Move) -> State:
        return RULES.play(node, node.seat or 0, RULES.complete(node, move, self._sample))

    def value(self, node: State, seat: int) -> int:
        """The lead in corals and in having a move.

        Once the round is over it is 0 for a draw, or the value of a win or loss.
        """
        if node.seat is None:
            winners = RULES.outcome(node).winners
            return 0 if len(winners) == 2 else self._limit if winners == (seat,) else -self._limit
        own, other = (can_move(hand or 0, node.tops) for hand in (node.hands[seat - 1], node.hands[2 - seat]))
        return CORAL * (node.sizes[2 - seat] - node.sizes[seat - 1]) + PLAY * (own - other)


class Coach(coach.Coach[State]):
    """The coach of Coral Reef."""

    unit = text("corals")

    def nodes(self, sight: Sight[State]) -> int:
        """Measured on a desktop, where listing the plays takes most of the time."""
        return 12_000

    def worlds(self, nodes: int) -> int:
        """One for each `NODES_PER_WORLD` positions, 8 to 24.

        With fewer hands of the other player, chance decides too much.
        """
        return max(8, min(24, nodes // WORLD))

    def knows(self, sight: Sight[State]) -> bool:
        return sight.view.hands[sight.seat - 1] is not None

    def exact(self, sight: Sight[State]) -> bool:
        """True once the deck is empty: then all unseen corals are in the other hand."""
        return not sight.view.pile

    def world(self, sight: Sight[State], sample: Sample) -> State:
        """The other hand is sampled from all unseen corals, so that it fits its claims if possible."""
        view, other = sight.view, 3 - sight.seat
        unseen, size = unpack(view.loose), view.sizes[other - 1]
        bag = 0
        for _ in range(TRIES):
            bag = pack(sample(unseen, size))
            if _fits(sight, bag, sample):
                break
        hands = (view.hands[0], bag) if other == 2 else (bag, view.hands[1])
        return view._replace(hands=hands, loose=view.loose - bag)

    def tree(self, world: State, sample: Sample) -> Hands:
        return Hands(world, sample)

    def slip(self) -> int:
        return CORAL

    def words(self, value: int) -> str:
        """By how many corals the seat is nearer to winning, or who wins: ``2 ahead``, ``may win``.

        ``likely wins`` is a win in most of the worlds.
        """
        wins = value > 0
        if abs(value) == WON:
            return text("wins") if wins else text("loses")
        if abs(value) >= WON // 2:
            return text("likely wins") if wins else text("likely loses")
        if abs(value) > UNSURE:
            return text("may win") if wins else text("may lose")
        return coach.lead(round(value / CORAL))

    def look_at(self, sight: Sight[State], move: Move) -> str:
        if move == DRAW:
            return text("Nothing fits: draw a {piece}, then play if you can.", piece=piece(sight.view.form))
        plays = RULES.moves(sight.view)
        if move == SEED:  # Saying that no stack fits would reveal the nine.
            ways = len({self.alike(sight, each) for each in plays})
            return text("You can move.") if ways == 1 else text("You can move, in {ways} ways.", ways=ways)
        most = max(len(each.corals) for each in plays if each.stack == move.stack)
        if (held := sight.view.sizes[sight.seat - 1]) == 1:
            return text("Look at stack {stack}: your last coral can go there.", stack=move.stack)
        message = "Look at stack {stack}: 1 of your {held} corals can go there."
        if most > 1:
            message = "Look at stack {stack}: up to {most} of your {held} corals can go there."
        return text(message, stack=move.stack, most=most, held=held)

    def reason(self, sight: Sight[State], move: Move) -> str:
        """The sum, the corals left in hand, and whether they can still be played on the stacks after the move.

        For a draw, how many of the unseen corals would let the seat move.
        """
        view = sight.view
        if move == DRAW:
            fitting, unseen = draws_that_fit(view, view.hands[sight.seat - 1] or 0)
            message = "Draw: {fitting} of the {unseen} you haven't seen would let you move."
            return text(message, fitting=fitting, unseen=unseen)
        keep = _kept(RULES.play(view, sight.seat, move), sight.seat)
        if move == SEED:
            return text("Start a stack with a nine: {keep}.", keep=keep)
        values = {"corals": labels(view.form, move), "stack": move.stack, "keep": keep}
        if len(move.corals) == 1:
            return text("{corals} on stack {stack}: {keep}.", **values)
        worked = worked_sum(move.corals)
        message = "{corals} on stack {stack}: {sum}; {keep}."
        if "=" not in worked:
            message = "{corals} on stack {stack}: they add up to {sum}; {keep}."
        return text(message, sum=worked, **values)

    def alike(self, sight: Sight[State], move: Move) -> Hashable:
        """Equal for the same corals in any order on stacks with equal tops."""
        return move.kind, "".join(sorted(move.corals)), _top(sight.view, move)

    def secret(self, sight: Sight[State], move: Move) -> bool:
        """True for all moves but a draw: plays name hidden corals, while everybody sees that a seat draws."""
        return move != DRAW

    def settled(self, sight: Sight[State], move: Move) -> int | None:
        if move == DRAW or move.kind == "pass":
            return None
        return WON if max(1, len(move.corals)) == sight.view.sizes[sight.seat - 1] else None


COACH = Coach()


def _kept(after: State, seat: int) -> str:
    """What is left in a seat's hand after its move, in words: how many corals, and whether one of its plays is left."""
    left = after.sizes[seat - 1]
    if not left:
        return text("that is your last")
    if can_move(after.hands[seat - 1] or 0, after.tops):
        return plural_text(left, "you keep {number} coral and can play on", "you keep {number} corals and can play on")
    return plural_text(left, "you keep {number} coral, which won't fit", "you keep {number} corals, and none fits")


def _top(state: State, move: Move) -> int:
    """What the top of the move's stack counts (1–10), 0 for a move without a stack."""
    return state.tops[move.stack - 1] if move.stack else 0


def _fits(sight: Sight[State], bag: int, sample: Sample) -> bool:
    """Whether `bag`, as the other player's present hand, fits all its claims "I can't move".

    The events are undone from the last one on: placed corals are added to the hand, and for each draw a sampled coral
    is removed.
    """
    other = 3 - sight.seat
    for seen in reversed(sight.past):
        if seen.seat != other:
            continue
        move = seen.event.partition(" ")[0]
        if move == "draw":
            bag -= UNITS[sample(unpack(bag), 1)[0]]
        if move in ("draw", "pass"):
            if can_move(bag, seen.view.tops):
                return False
        else:
            bag += UNITS["9"] if move == "seed" else pack(RULES.read(seen.event).corals)
    return True
