"""The coach of 27: the game tree with stacks as numbers, bounds of the result, and the value of a position.

27 has no hidden information and no chance, so a search to the end proves its value. A value is the pieces on one's own
goal less those on the other goal, in tenths of a piece. The goal is the last field for White (seat 1), the first for
Black (seat 2).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from companion.games.api import coach
from companion.games.api.coach import Effort, Sample, SeatKnowledge, Tree
from companion.games.api.text import Text, plural_text, text
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.game_texts import disc_count_text
from companion.games.twenty_seven.rules import BLACK, FIRST_FIELDS, RED, RULES, WHITE, Move, State, can_move

PIECE_VALUE = 10
"""The value of a piece on a goal."""
ON_THE_WAY_VALUE, STUCK_VALUE = 5, 1
"""The value of a piece in an own stack that can move, and in one whose move would go past the end."""

Node = tuple[int, tuple[int, ...], tuple[int, ...]]
"""The seat to move (0 when the round is over), the stacks, and the top piece of each.

A stack is a number: a 1, then two bits for each piece from the bottom up, so ``stack & 3`` is its top piece.
"""
TreeMove = tuple[int, int]
"""A move: the index of its stack, from 0, and the number of bits of its pieces, two for each."""
GameTree = Tree[Node, TreeMove]

_TREE_MOVES = tuple(
    tuple(tuple((at, 2 * count) for count in range(most, 0, -1)) for most in range(28)) for at in range(FIRST_FIELDS)
)
# Index of a stack → how many of its pieces can move → its moves, the most pieces first; made once for speed.


class StackTree(GameTree):
    """The game tree of 27 from a position."""

    def __init__(self, state: State) -> None:
        self._fixed_red = int(RED in state.fixed)
        self._fixed_kinds = len(state.fixed)  # Which field pieces never move: 2 all, 1 the reds at both ends, 0 none.
        pieces, fields = sum(map(len, state.stacks)), len(state.stacks)
        self._loose_pieces = pieces - (0, 2, fields)[self._fixed_kinds]
        super().__init__((state.to_move or 0, tuple(map(_stack_number, state.stacks)), state.tops))

    def seat_to_move(self, node: Node) -> int:
        return node[0]

    def position_key(self, node: Node) -> tuple[int, tuple[int, ...]]:
        """The seat and the stacks; these determine the tops."""
        return node[:2]

    def ordered_moves(self, node: Node) -> Sequence[TreeMove]:
        """The legal moves: from the stack nearest to the goal to the farthest, of each stack the most pieces first."""
        seat, stacks, tops = node
        ahead, last = tops.count(seat), len(stacks) - 1
        moves: list[TreeMove] = []
        for index in range(last - ahead, -1, -1) if seat == WHITE else range(ahead, last + 1):
            if tops[index] == seat:
                field_stays = self._fixed_kinds == 2 or (self._fixed_kinds and index in (0, last))
                moves += _TREE_MOVES[index][(stacks[index].bit_length() >> 1) - (1 if field_stays else 0)]
        return moves

    def child_node(self, node: Node, move: TreeMove) -> Node:
        """The field of a stack that moves as a whole is removed.

        If the other seat cannot move, the same seat is to move again; if neither can, the round is over.
        """
        seat, stacks, tops = node
        index, bits = move
        ahead = tops.count(seat)
        target = index + ahead if seat == WHITE else index - ahead
        new_stacks, new_tops = list(stacks), list(tops)
        source = stacks[index]
        new_stacks[target] = new_stacks[target] << bits | source & (1 << bits) - 1
        new_tops[target] = seat
        remaining = source >> bits
        if remaining > 1:
            new_stacks[index], new_tops[index] = remaining, remaining & 3
        else:
            del new_stacks[index], new_tops[index]
        tops = tuple(new_tops)
        other = 3 - seat
        next_seat = other if can_move(tops, other) else seat if can_move(tops, seat) else 0
        return next_seat, tuple(new_stacks), tops

    def value_bounds(self, node: Node, seat: int) -> tuple[int, int]:
        """Pieces on a goal under its owner's disc count for certain; all other loose pieces may go to either seat.

        They stay there because only the owner of the top disc may move a stack, and these discs cannot move past the
        end.
        """
        seat_to_move, stacks, tops = node
        white, black = (stacks[-1].bit_length() >> 1) - self._fixed_red, (stacks[0].bit_length() >> 1) - self._fixed_red
        if not seat_to_move:
            low = high = white - black
        else:
            low = 2 * white - self._loose_pieces if tops[-1] == WHITE else -self._loose_pieces
            high = self._loose_pieces - 2 * black if tops[0] == BLACK else self._loose_pieces
        return (PIECE_VALUE * low, PIECE_VALUE * high) if seat == WHITE else (-PIECE_VALUE * high, -PIECE_VALUE * low)

    def estimated_value(self, node: Node, seat: int) -> int:
        """The estimate for `seat`: its pieces less the other's, each with a weight.

        The weight is `PIECE_VALUE` on the goal, `ON_THE_WAY_VALUE` in a stack that can move, `STUCK_VALUE` in one that
        cannot.
        """
        _, stacks, tops = node
        last = len(stacks) - 1
        white, black = tops.count(WHITE), tops.count(BLACK)
        estimate = 0
        for index, top in enumerate(tops):
            pieces = (stacks[index].bit_length() >> 1) - 1
            if top == WHITE:
                estimate += pieces * (
                    PIECE_VALUE if index == last else ON_THE_WAY_VALUE if index + white <= last else STUCK_VALUE
                )
            elif top == BLACK:
                estimate -= pieces * (
                    PIECE_VALUE if index == 0 else ON_THE_WAY_VALUE if index >= black else STUCK_VALUE
                )
        return estimate if seat == WHITE else -estimate

    def rules_move(self, node: Node, move: TreeMove) -> Move:
        return Move(move[0] + 1, move[1] >> 1)


class Coach(coach.Coach[State]):
    """Builds the game tree with stacks as numbers, and puts its values into words."""

    def node_budget(self, knowledge: SeatKnowledge[State]) -> int:
        """Half a second on a desktop, which searches 100,000 positions a second."""
        return 50_000

    def is_exact(self, knowledge: SeatKnowledge[State]) -> bool:
        return True

    def build_tree(self, world: State, sample: Sample) -> StackTree:
        return StackTree(world)

    def efforts(self) -> tuple[Effort, Effort, Effort]:
        """At least three plies: a search of fewer plays hardly better than random moves."""
        return Effort(3, 0.1), Effort(6, 0.5), Effort(64, 1.0)

    def mistake_threshold(self) -> int:
        return 2 * PIECE_VALUE

    def value_text(self, value: int) -> str:
        return coach.lead_text(round(value / PIECE_VALUE))

    def look_here_text(self, knowledge: SeatKnowledge[State], move: Move) -> str:
        """The field of the stack to move, with what can come of it, but not how many pieces."""
        view, seat, field = knowledge.view, knowledge.seat, move.field
        target = rules.target_field(view, seat, field)
        if _fields_to_goal(view, seat, target) == 0:
            message = "Your stack on field {field} can reach the goal."
            if rules.movable_piece_count(view, field) > 1:
                message = "Your stack on field {field} can reach the goal: how much of it should move?"
            return text(message, field=field)
        if view.tops[target - 1] == 3 - seat:
            return text("From field {field} you can cover one of the other player's stacks.", field=field)
        more = rules.steps_of_move(RULES.play_move(view, seat, move), seat) - rules.steps_of_move(view, seat)
        if more > 0:
            message = "Look at field {field}: if some of its stack stays, you move one step more next turn."
            return text(message, field=field)
        if more < 0:
            message = "Look at field {field}: two of your stacks can become one. Then you move one step less."
            return text(message, field=field)
        left = _fields_text(_fields_to_goal(view, seat, field))
        return text("Look at field {field}: its stack is {left} from the goal.", field=field, left=left)

    def move_reason(self, knowledge: SeatKnowledge[State], move: Move) -> str:
        """The move, and in numbers what it achieves and what comes after it.

        It achieves the goal's new height, the height of a covered stack, or the fields left to go. After it come the
        steps, if they change, and the pieces that can reach the goal in one move or are too near to it to move, if
        there are more of these than before.
        """
        view, seat = knowledge.view, knowledge.seat
        state_after = RULES.play_move(view, seat, move)
        target = rules.target_field(view, seat, move.field)
        fields_to_go = _fields_to_goal(view, seat, target)
        if not fields_to_go:
            result_text = text("your goal is {height} high", height=rules.goal_heights(state_after)[seat - 1])
        elif view.tops[target - 1] == 3 - seat:
            result_text = text("covers {pieces}", pieces=disc_count_text(rules.movable_piece_count(view, target)))
        elif view.tops[target - 1] == seat:
            result_text = text(
                "makes a stack of {height}", height=rules.movable_piece_count(view, target) + move.pieces
            )
        else:
            result_text = text("{fields} to go", fields=_fields_text(fields_to_go))
        steps_before, steps_after = rules.steps_of_move(view, seat), rules.steps_of_move(state_after, seat)
        values = {"pieces": move.pieces, "field": move.field, "target": target, "brings": result_text}
        values["steps"] = plural_text(steps_after, "{number} step", "{number} steps")
        if gained := _gained_text(view, state_after, seat, on_goal=not fields_to_go):
            message = "Move {pieces} from field {field} to {target}: {brings}; then {steps}: {gained}."
            return text(message, gained=gained, **values)
        if steps_before != steps_after:
            message = "Move {pieces} from field {field} to {target}: {brings}; then {steps}, not {before}."
            return text(message, before=steps_before, **values)
        return text("Move {pieces} from field {field} to {target}: {brings}.", **values)

    def similarity_key(self, knowledge: SeatKnowledge[State], move: Move) -> Hashable:
        """Equal for moves of one stack that leave the seat as many steps, so that only the number of pieces differs."""
        return move.field, rules.steps_of_move(RULES.play_move(knowledge.view, knowledge.seat, move), knowledge.seat)


COACH = Coach()


def _fields_to_goal(view: State, seat: int, field: int) -> int:
    """How many fields a field is from the goal of `seat`, 0 for the goal itself."""
    return abs(rules.goal_field(view, seat) - field)


def _gained_text(view: State, state_after: State, seat: int, *, on_goal: bool) -> str:
    """Which pieces can reach the goal after the move, or are too near to it to move.

    The text is "" if there are not more of these than before. After a move onto the goal (`on_goal`) the sentence has
    named the goal already.
    """
    reaching, stuck = _reaching_and_stuck(state_after, seat)
    reaching_before, stuck_before = _reaching_and_stuck(view, seat)
    if reaching > reaching_before and reaching >= stuck - stuck_before:
        # With two digits there is no room for the word on the four lines.
        pieces = plural_text(reaching, "{number} disc", "{number} discs") if reaching < 10 else reaching
        return text("{pieces} can reach it" if on_goal else "{pieces} can reach the goal", pieces=pieces)
    if stuck <= stuck_before:
        return ""
    return plural_text(stuck, "{number} of yours is stuck", "{number} of yours are stuck")


def _reaching_and_stuck(state: State, seat: int) -> tuple[int, int]:
    """The pieces on the way, in stacks of `seat`: how many can reach the goal in one move, and how many would overshoot
    it.
    """
    ahead, reaching, stuck = rules.steps_of_move(state, seat), 0, 0
    for field, top in enumerate(state.tops, 1):
        fields_to_go = _fields_to_goal(state, seat, field)
        if top == seat and 0 < fields_to_go <= ahead:
            reaching += rules.movable_piece_count(state, field) if fields_to_go == ahead else 0
            stuck += rules.movable_piece_count(state, field) if fields_to_go < ahead else 0
    return reaching, stuck


def _fields_text(count: int) -> Text:
    return plural_text(count, "{number} field", "{number} fields")


def _stack_number(stack: tuple[int, ...]) -> int:
    number = 1
    for piece in stack:
        number = number << 2 | piece
    return number
