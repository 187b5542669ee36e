"""The coach of Kalah: its game tree, what a position is worth, and why a move is good. Values are seeds ahead."""

from collections.abc import Sequence

from companion.games.api import coach
from companion.games.api.coach import Effort, Sample, SeatKnowledge, Tree
from companion.games.api.text import text
from kalah_at_the_table.rules import RULES, Move, State, houses, over, sown, store


class Sowing(Tree[State, int]):
    """The tree of a position; its nodes are positions, its moves are houses."""

    def seat_to_move(self, node: State) -> int:
        """The seat to move, 0 when the round is over."""
        return 0 if over(node.seeds) else node.seat

    def ordered_moves(self, node: State) -> Sequence[int]:
        """The houses with seeds, those that move again first, then those nearest to the store."""
        full = [house for house, count in enumerate(houses(node.seeds, node.seat), 1) if count]
        return sorted(full, key=lambda house: (house + node.seeds[store(node.seat) - 7 + house] != 7, -house))

    def child_node(self, node: State, move: int) -> State:
        """The position after a house was sown."""
        return sown(node, move)[0]

    def value_bounds(self, node: State, seat: int) -> tuple[int, int]:
        """What lies in a store stays there; all other seeds may go to either seat."""
        own, other = RULES.outcome(node).scores if seat == 1 else RULES.outcome(node).scores[::-1]
        loose = sum(node.seeds) - own - other
        return own - other - loose, own - other + loose

    def estimated_value(self, node: State, seat: int) -> int:
        """The seeds in the stores."""
        return node.seeds[store(seat)] - node.seeds[store(3 - seat)]

    def rules_move(self, node: State, move: int) -> Move:
        """The house as a move of the rules."""
        return Move(move)


class Coach(coach.Coach[State]):
    """What the search is told, and how it is explained to players."""

    def node_budget(self, knowledge: SeatKnowledge[State]) -> int:
        """About half a second of a desktop."""
        return 20_000

    def is_exact(self, knowledge: SeatKnowledge[State]) -> bool:
        """Nothing is hidden."""
        return True

    def build_tree(self, world: State, sample: Sample) -> Sowing:
        """The game tree of a position."""
        return Sowing(world)

    def efforts(self) -> tuple[Effort, Effort, Effort]:
        """One move ahead, four, and as far as there is time."""
        return Effort(1, 0.1), Effort(4, 0.5), Effort(64, 1.0)

    def mistake_threshold(self) -> int:
        """Three seeds."""
        return 3

    def value_text(self, value: int) -> str:
        """``3 ahead``."""
        ahead, behind = text("{seeds} ahead", seeds=value), text("{seeds} behind", seeds=-value)
        return ahead if value > 0 else behind if value else "even"

    def look_here_text(self, knowledge: SeatKnowledge[State], move: Move) -> str:
        """What there is to find, without the house."""
        _, at, caught = sown(knowledge.view, move.house)
        if caught:
            return "One of your houses ends in an empty one, and catches what lies opposite."
        return (
            "One of your houses ends in your store."
            if at == store(knowledge.seat)
            else "Look what the other can catch."
        )

    def move_reason(self, knowledge: SeatKnowledge[State], move: Move) -> str:
        """The house, and what comes of it."""
        _, at, caught = sown(knowledge.view, move.house)
        if caught:
            return text("Sow house {house}: it catches {caught} seeds.", house=move.house, caught=caught)
        if at == store(knowledge.seat):
            return text("Sow house {house}: its last seed goes to your store, and you move again.", house=move.house)
        return text("Sow house {house}: it keeps most.", house=move.house)


COACH = Coach()
