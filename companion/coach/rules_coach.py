"""The coach for a game that has none of its own: it searches by the rules, and values only scores and winners."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from companion.games.api import Rules
from companion.games.api.coach import Coach, Sample, SeatKnowledge, Tree, chances_text, lead_text
from companion.games.api.game_texts import is_chance
from companion.languages import plural_text, text

LUCK_STEPS = 1000
"""As many different throws as one world can have, of any number of dice."""
MAX_MARGIN = 10_000
"""The greatest margin in points that counts."""
WIN_VALUE = 100 * MAX_MARGIN
"""The value of winning a round, to which the margin is added. It is so large that even the mean of some hundred sampled
rounds is no margin if one of them is won and none is lost."""


class RulesTree(Tree[Any, Any]):
    """The game tree of any game, made of its rules alone."""

    def __init__(self, rules: Rules[Any, Any], state: Any, sample: Sample) -> None:
        self._rules, self._state, self._sample = rules, state, sample
        self._listed_moves: dict[Any, Any] = {}  # A completed draw → the draw as the rules list it.
        # One number per tree, so that the moves of a world are compared by the same throws, however many there are.
        self._luck = sample(range(LUCK_STEPS), 1)[0]

    def root(self) -> Any:
        return self._state

    def seat_to_move(self, node: Any) -> int:
        return self._rules.seat_to_move(node) or 0

    def ordered_moves(self, node: Any) -> Sequence[Any]:
        """The legal moves in the order of the rules.

        Draws get sampled pieces; of what chance may decide one outcome is sampled.
        """
        if outcomes := self._rules.chance_outcomes(node):
            weights = list(accumulate(outcomes.values()))
            return [list(outcomes)[bisect(weights, (self._luck + 0.5) / LUCK_STEPS * weights[-1])]]
        listed = self._rules.legal_moves(node)
        if len(listed) > 1 and all(is_chance(str(move)) for move in listed):
            listed = self._sample(listed, 1)
        moves = [self._rules.complete_draw(node, move, self._sample) for move in listed]
        self._listed_moves.update(zip(moves, listed, strict=True))
        return moves

    def rules_move(self, node: Any, move: Any) -> Any:
        return self._listed_moves.get(move, move)

    def child_node(self, node: Any, move: Any) -> Any:
        return self._rules.play_move(node, self._rules.seat_to_move(node) or 0, move)

    def value_bounds(self, node: Any, seat: int) -> tuple[int, int]:
        """-2 × `WIN_VALUE` to 2 × `WIN_VALUE` while the round is running, so nothing is proven before its end."""
        if self.seat_to_move(node):
            return -2 * WIN_VALUE, 2 * WIN_VALUE
        value = self.estimated_value(node, seat)
        return value, value

    def estimated_value(self, node: Any, seat: int) -> int:
        """The margin in points over the best other seat.

        `WIN_VALUE` is added for a win alone and subtracted for a loss.
        """
        scores, winners, _ = self._rules.outcome(node)
        margin = scores[seat - 1] - max(score for at, score in enumerate(scores, 1) if at != seat)
        margin = max(-MAX_MARGIN, min(MAX_MARGIN, margin))
        if winners == (seat,):
            return WIN_VALUE + margin
        return margin - WIN_VALUE if winners and seat not in winners else margin


class RulesCoach(Coach[Any]):
    """A coach that searches by the rules.

    None of its verdicts is certain, since rules do not say whether there is chance.
    """

    def __init__(self, rules: Rules[Any, Any]) -> None:
        self._rules = rules

    def node_budget(self, knowledge: SeatKnowledge[Any]) -> int:
        return 4_000

    def is_exact(self, knowledge: SeatKnowledge[Any]) -> bool:
        return False

    def sample_world(self, knowledge: SeatKnowledge[Any], sample: Sample) -> Any:
        return knowledge.view

    def build_tree(self, world: Any, sample: Sample) -> RulesTree:
        return RulesTree(self._rules, world, sample)

    def mistake_threshold(self) -> int:
        return 1

    def value_text(self, value: int) -> str:
        """By how many points the seat is ahead, or how many of the sampled worlds it wins, in words."""
        return chances_text(value, WIN_VALUE - MAX_MARGIN, WIN_VALUE // 2, MAX_MARGIN) or lead_text(value)

    def look_here_text(self, knowledge: SeatKnowledge[Any], move: Any) -> str:
        count = len(self._rules.legal_moves(knowledge.view))
        return plural_text(count, "There is only one move.", "There are {number} moves: one is better.")

    def move_reason(self, knowledge: SeatKnowledge[Any], move: Any) -> str:
        return text("{move} looks best.", move=str(move))
