"""What the search is told of Coral Reef: which corals the other may hold, and what the corals left are worth.

Values are tenths of a coral: the other's corals less one's own. The next to draw is never known, so nothing is certain
but a move that ends the round, and a round whose pile is empty: then what is unseen is in the other hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.coach import Coach, Sample, Sight, Tree
from companion.games.coral_reef import rules
from companion.games.coral_reef.drafts import shown
from companion.games.coral_reef.moves import DRAW, SEED, Move, worked_sum
from companion.games.coral_reef.state import State
from companion.games.coral_reef.sums import PLACES, UNITS, can_move, count, pack, unpack

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

CORAL = 10
WON = 10_000
UNSURE = 30 * CORAL
"""More than hands can differ by: what is found where some of the worlds are won or lost."""
WIDEST = 24
"""So many plays of a position are looked at, those with the most corals first, while there is chance in it anyway."""
TRIES = 20
"""So often another hand is drawn to fit an "I cannot"; then the last one does."""
Line = Tree[State, Move]


class Hands(Line):
    """The positions of a round with both hands open; corals are drawn as the pile lies."""

    def __init__(self, state: State, sample: Sample) -> None:
        self._root, self._sample = state, sample

    def root(self) -> State:
        """The position that the tree was made from."""
        return self._root

    def turn(self, node: State) -> int:
        """The seat to move, 0 when it is over."""
        return node.seat or 0

    def key(self, node: State) -> Hashable:
        """The position itself."""
        return node

    def moves(self, node: State) -> Sequence[Move]:
        """The plays, those with the most corals first; one of several orders with the same top.

        While there is a pile one of several stacks with the same top, too.
        """
        plays = sorted(rules.moves(node), key=lambda move: -len(move.corals))
        if not node.pile:
            return plays
        different = {(move.kind, _top(node, move), move.corals): move for move in reversed(plays)}
        return list(reversed(different.values()))[:WIDEST]

    def after(self, node: State, move: Move) -> State:
        """As the rules play it, a coral drawn where that is due."""
        return rules.play(node, node.seat or 0, rules.complete(node, move, self._sample))

    def bounds(self, node: State, seat: int) -> tuple[int, int]:
        """Known at the end alone."""
        if node.seat is not None:
            return -WON, WON
        value = self.value(node, seat)
        return value, value

    def value(self, node: State, seat: int) -> int:
        """The difference of the hands; at the end who has won."""
        if node.seat is None:
            winners = rules.outcome(node).winners
            return 0 if len(winners) == 2 else WON if winners == (seat,) else -WON
        return CORAL * (node.sizes[2 - seat] - node.sizes[seat - 1])

    def named(self, node: State, move: Move) -> Move:
        """The move itself."""
        return move


class HandsCoach(Coach[State]):
    """The coach of Coral Reef."""

    def nodes(self, sight: Sight[State]) -> int:
        """As measured on a desktop, where listing the plays takes most of the time."""
        return 4_000

    def knows(self, sight: Sight[State]) -> bool:
        """Whether the seat's own hand is open."""
        return sight.view.hands[sight.seat - 1] is not None

    def exact(self, sight: Sight[State]) -> bool:
        """The pile is empty: what is unseen is in the other hand."""
        return not sight.view.pile

    def world(self, sight: Sight[State], sample: Sample) -> State:
        """The other hand, out of all that is unseen; one that fits what it said it could not do, if one is found."""
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
        """The positions from there."""
        return Hands(world, sample)

    def slip(self) -> int:
        """A coral."""
        return CORAL

    def words(self, value: int) -> str:
        """Corals, or who wins."""
        if abs(value) >= WON // 2:
            return "wins" if value > 0 else "loses"
        if abs(value) > UNSURE:
            return "may win" if value > 0 else "may lose"
        corals = round(abs(value) / CORAL)
        if not corals:
            return "even"
        return f"{corals} fewer left" if value > 0 else f"{corals} more left"

    def look_at(self, sight: Sight[State], move: Move) -> str:
        """The stack, not the corals."""
        if move == DRAW:
            return "Nothing fits."
        if move == SEED:
            return "You can move."  # To say that no stack fits would name the nine.
        return f"Look at stack {move.stack}: something in your hand fits it."

    def reason(self, sight: Sight[State], move: Move) -> str:
        """The sum and what is left; for a draw how many of the unseen corals would fit."""
        view = sight.view
        left = view.sizes[sight.seat - 1] - max(1, len(move.corals))
        if move == DRAW:
            fitting, unseen = self.draws_that_fit(sight)
            return f"Draw: {fitting} of the {unseen} you have not seen would let you move."
        keep = f"you keep {left}" if left else "that is your last"
        if move == SEED:
            return f"Start a stack with a nine: {keep}."
        worked = worked_sum(move.corals) if len(move.corals) > 1 else ""
        return f"{shown(move.corals, view.form)} on stack {move.stack}: {worked and f'{worked}, '}{keep}."

    def draws_that_fit(self, sight: Sight[State]) -> tuple[int, int]:
        """Exactly: how many unseen corals would let the seat move were they drawn now, and how many are unseen."""
        view = sight.view
        bag = view.hands[sight.seat - 1] or 0
        unseen = {coral: count(view.loose, coral) for coral in PLACES}
        fitting = sum(copies for coral, copies in unseen.items() if copies and can_move(bag + UNITS[coral], view.tops))
        return fitting, sum(unseen.values())

    def short(self, sight: Sight[State], move: Move) -> str:
        """As the last move stands on the panel."""
        if move == SEED:
            return "new stack"
        return f"{move.stack}:{shown(move.corals, sight.view.form)}" if move.stack else str(move)

    def alike(self, sight: Sight[State], move: Move) -> Hashable:
        """The same corals, in whatever order, on a stack with the same top."""
        return move.kind, "".join(sorted(move.corals)), _top(sight.view, move)

    def secret(self, sight: Sight[State], move: Move) -> bool:
        """A hand is hidden; that nothing fits is seen by everybody when the coral is drawn."""
        return move != DRAW

    def settled(self, sight: Sight[State], move: Move) -> int | None:
        """Who places the last coral has won, whatever the other holds."""
        if move == DRAW or move.kind == "pass":
            return None
        return WON if max(1, len(move.corals)) == sight.view.sizes[sight.seat - 1] else None


COACH = HandsCoach()


def _top(state: State, move: Move) -> int:
    """The top of the stack that a play is for, 0 for none."""
    return state.tops[move.stack - 1] if move.stack else 0


def _fits(sight: Sight[State], bag: int, sample: Sample) -> bool:
    """Whether the other may have held what it says: going back, what was placed comes in, what was drawn goes out."""
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
            bag += UNITS["9"] if move == "seed" else pack(rules.read(seen.event).corals)
    return True
