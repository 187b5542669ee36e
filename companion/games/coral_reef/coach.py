"""The coach of Coral Reef: hands that the other player may hold, and the value of a position.

A value is the other player's corals less one's own, in tenths of a coral, with `PLAY_VALUE` for the player who has a
move. The order of the deck is unknown, so a value is certain only for a move that ends the round, or when the deck is
empty: then the other player has all unseen corals.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from companion.games.api import coach
from companion.games.api.coach import Sample, SeatKnowledge, Tree
from companion.games.api.text import plural_text, text
from companion.games.coral_reef.game_texts import count_draws_allowing_move, printed_play
from companion.games.coral_reef.moves import DRAW, SEED, Move, sum_text
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.state import State
from companion.games.coral_reef.sums import SINGLE_BAGS, bag_of, can_move, corals_of

CORAL_VALUE = 10
PLAY_VALUE = 20
"""The value of having a move with the present stacks: two corals. So a coach won 55 % of 400 rounds against itself."""
WIN_VALUE = 10_000
UNSURE_VALUE = 30 * CORAL_VALUE
"""Larger mean values come from worlds of which some are won or lost, since hands hardly differ by so much."""
NODES_PER_WORLD = 125
"""While there are more than 8 worlds, at least so many positions are searched in each of them."""
MAX_PLAYS = 24
"""The most plays of a position that are searched while the deck has corals; plays with the most corals come first."""
MAX_HAND_SAMPLES = 20
"""How many hands are sampled to find one that fits each "I can't move". If none does, the last one is used."""
GameTree = Tree[State, Move]


class HandsTree(GameTree):
    """The game tree with both hands open; `sample` draws corals from the deck."""

    def __init__(self, state: State, sample: Sample) -> None:
        # With an unknown deck the worlds are sampled, so a win in all of them is not certain and never `WIN_VALUE`.
        super().__init__(state, WIN_VALUE - bool(state.deck))
        self._sample = sample

    def seat_to_move(self, node: State) -> int:
        return node.to_move or 0

    def ordered_moves(self, node: State) -> Sequence[Move]:
        """The legal moves, those with the most corals first.

        While the deck has corals, a play is listed for only one of several stacks with equal tops, and at most
        `MAX_PLAYS` moves are listed.
        """
        plays = sorted(RULES.legal_moves(node), key=lambda move: -len(move.corals))
        if not node.deck:
            return plays
        different = {(move.kind, _top_of_stack(node, move), move.corals): move for move in reversed(plays)}
        return list(reversed(different.values()))[:MAX_PLAYS]

    def child_node(self, node: State, move: Move) -> State:
        return RULES.play_move(node, node.to_move or 0, RULES.complete_draw(node, move, self._sample))

    def estimated_value(self, node: State, seat: int) -> int:
        """The lead in corals and in having a move.

        Once the round is over it is 0 for a draw, or the value of a win or loss.
        """
        if node.to_move is None:
            winners = RULES.outcome(node).winners
            return 0 if len(winners) == 2 else self._max_value if winners == (seat,) else -self._max_value
        own, other = (can_move(hand or 0, node.tops) for hand in (node.hands[seat - 1], node.hands[2 - seat]))
        return CORAL_VALUE * (node.sizes[2 - seat] - node.sizes[seat - 1]) + PLAY_VALUE * (own - other)


class Coach(coach.Coach[State]):
    """Finds hands that the other player may hold, and values positions."""

    def node_budget(self, knowledge: SeatKnowledge[State]) -> int:
        """Half a second on a desktop, most of which is for listing the plays."""
        return 12_000

    def world_count(self, nodes: int) -> int:
        """One for each `NODES_PER_WORLD` positions, 8 to 24.

        With fewer hands of the other player, chance decides too much.
        """
        return max(8, min(24, nodes // NODES_PER_WORLD))

    def knows_own_pieces(self, knowledge: SeatKnowledge[State]) -> bool:
        return knowledge.view.hands[knowledge.seat - 1] is not None

    def is_exact(self, knowledge: SeatKnowledge[State]) -> bool:
        """True once the deck is empty: then all unseen corals are in the other hand."""
        return not knowledge.view.deck

    def sample_world(self, knowledge: SeatKnowledge[State], sample: Sample) -> State:
        """The other hand is sampled from all unseen corals, so that it fits its claims if possible."""
        view, other = knowledge.view, 3 - knowledge.seat
        unseen, size = corals_of(view.unseen), view.sizes[other - 1]
        bag = 0
        for _ in range(MAX_HAND_SAMPLES):
            bag = bag_of(sample(unseen, size))
            if _fits_claims(knowledge, bag, sample):
                break
        hands = (view.hands[0], bag) if other == 2 else (bag, view.hands[1])
        return view._replace(hands=hands, unseen=view.unseen - bag)

    def build_tree(self, world: State, sample: Sample) -> HandsTree:
        return HandsTree(world, sample)

    def mistake_threshold(self) -> int:
        return CORAL_VALUE

    def value_text(self, value: int) -> str:
        """By how many corals the seat is nearer to winning, or who wins: ``2 ahead``, ``may win``.

        ``likely wins`` is a win in most of the worlds.
        """
        chances = coach.chances_text(value, WIN_VALUE, WIN_VALUE // 2, UNSURE_VALUE)
        return chances or coach.lead_text(round(value / CORAL_VALUE))

    def look_here_text(self, knowledge: SeatKnowledge[State], move: Move) -> str:
        if move == DRAW:
            return text("Nothing fits: draw a coral, then play if you can.")
        plays = RULES.legal_moves(knowledge.view)
        if move == SEED:  # Saying that no stack fits would reveal the nine.
            ways = len({self.similarity_key(knowledge, each) for each in plays})
            return text("You can move.") if ways == 1 else text("You can move, in {ways} ways.", ways=ways)
        most = max(len(each.corals) for each in plays if each.stack == move.stack)
        if (held := knowledge.view.sizes[knowledge.seat - 1]) == 1:
            return text("Look at stack {stack}: your last coral can go there.", stack=move.stack)
        message = "Look at stack {stack}: 1 of your {held} corals can go there."
        if most > 1:
            message = "Look at stack {stack}: up to {most} of your {held} corals can go there."
        return text(message, stack=move.stack, most=most, held=held)

    def move_reason(self, knowledge: SeatKnowledge[State], move: Move) -> str:
        """The sum, the corals left in hand, and whether they can still be played on the stacks after the move.

        For a draw, how many of the unseen corals would let the seat move.
        """
        view = knowledge.view
        if move == DRAW:
            fitting, unseen = count_draws_allowing_move(view, view.hands[knowledge.seat - 1] or 0)
            message = "Draw: {fitting} of the {unseen} you haven't seen would let you move."
            return text(message, fitting=fitting, unseen=unseen)
        keep = _left_in_hand_text(RULES.play_move(view, knowledge.seat, move), knowledge.seat)
        if move == SEED:
            return text("Start a stack with a nine: {keep}.", keep=keep)
        values = {"corals": printed_play(view.form, move), "stack": move.stack, "keep": keep}
        if len(move.corals) == 1:
            return text("{corals} on stack {stack}: {keep}.", **values)
        worked = sum_text(move.corals)
        message = "{corals} on stack {stack}: {sum}; {keep}."
        if "=" not in worked:
            message = "{corals} on stack {stack}: they add up to {sum}; {keep}."
        return text(message, sum=worked, **values)

    def similarity_key(self, knowledge: SeatKnowledge[State], move: Move) -> Hashable:
        """Equal for the same corals in any order on stacks with equal tops."""
        return move.kind, "".join(sorted(move.corals)), _top_of_stack(knowledge.view, move)

    def reveals_hidden_piece(self, knowledge: SeatKnowledge[State], move: Move) -> bool:
        """True for all moves but a draw: plays name hidden corals, while everybody sees that a seat draws."""
        return move != DRAW

    def final_value(self, knowledge: SeatKnowledge[State], move: Move) -> int | None:
        if move == DRAW or move.kind == "pass":
            return None
        return WIN_VALUE if max(1, len(move.corals)) == knowledge.view.sizes[knowledge.seat - 1] else None


COACH = Coach()


def _left_in_hand_text(after: State, seat: int) -> str:
    """What is left in a seat's hand after its move, in words: how many corals, and whether one of its plays is left."""
    left = after.sizes[seat - 1]
    if not left:
        return text("that is your last")
    if can_move(after.hands[seat - 1] or 0, after.tops):
        return plural_text(left, "you keep {number} coral and can play on", "you keep {number} corals and can play on")
    return plural_text(left, "you keep {number} coral, which won't fit", "you keep {number} corals, and none fits")


def _top_of_stack(state: State, move: Move) -> int:
    """What the top of the move's stack counts (1–10), 0 for a move without a stack."""
    return state.tops[move.stack - 1] if move.stack else 0


def _fits_claims(knowledge: SeatKnowledge[State], bag: int, sample: Sample) -> bool:
    """Whether `bag`, as the other player's present hand, fits all its claims "I can't move".

    The events are undone from the last one on: placed corals are added to the hand, and for each draw a sampled coral
    is removed.
    """
    other = 3 - knowledge.seat
    for event in reversed(knowledge.past_events):
        if event.seat != other:
            continue
        move = event.event.partition(" ")[0]
        if move == "draw":
            bag -= SINGLE_BAGS[sample(corals_of(bag), 1)[0]]
        if move in ("draw", "pass"):
            if can_move(bag, event.view.tops):
                return False
        else:
            bag += SINGLE_BAGS["9"] if move == "seed" else bag_of(RULES.parse_move(event.event).corals)
    return True
