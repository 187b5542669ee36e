"""The coach of 27: the game tree with stacks as numbers, bounds of the result, and the value of a position.

27 has no hidden information and no chance, so a search to the end proves its value. A value is the pieces on one's own
goal less those on the other goal, in tenths of a piece. The goal is the last field for White (seat 1), the first for
Black (seat 2).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from companion.games.api import coach
from companion.games.api.coach import Effort, Sample, Sight, Tree
from companion.games.api.text import Text, plural_text, text
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.rules import BLACK, FIELDS, RED, RULES, WHITE, Move, State, can_move
from companion.games.twenty_seven.words import pieces

UNIT = 10
"""The value of a piece on a goal."""
ON_THE_WAY, STUCK = 5, 1
"""The value of a piece in an own stack that can move, and in one whose move would go past the end."""

Node = tuple[int, tuple[int, ...], tuple[int, ...]]
"""The seat to move (0 when the round is over), the stacks, and the top piece of each.

A stack is a number: a 1, then two bits for each piece from the bottom up, so ``stack & 3`` is its top piece.
"""
Step = tuple[int, int]
"""A move: the index of its stack, from 0, and the number of bits of its pieces, two for each."""
Line = Tree[Node, Step]

_STEPS = tuple(
    tuple(tuple((at, 2 * count) for count in range(most, 0, -1)) for most in range(28)) for at in range(FIELDS)
)
# Index of a stack → how many of its pieces can move → its moves, the most pieces first; made once for speed.


class Piles(Line):
    """The game tree of 27 from a position."""

    def __init__(self, state: State) -> None:
        self._base = int(RED in state.fixed)
        self._staying = len(state.fixed)  # Which field pieces never move: 2 all, 1 the reds at both ends, 0 none.
        pieces, fields = sum(map(len, state.piles)), len(state.piles)
        self._loose = pieces - (0, 2, fields)[self._staying]
        super().__init__((state.to_move or 0, tuple(map(_number, state.piles)), state.tops))

    def turn(self, node: Node) -> int:
        return node[0]

    def key(self, node: Node) -> tuple[int, tuple[int, ...]]:
        """The seat and the stacks; these determine the tops."""
        return node[:2]

    def moves(self, node: Node) -> Sequence[Step]:
        """The legal moves: from the stack nearest to the goal to the farthest, of each stack the most pieces first."""
        seat, line, tops = node
        ahead, last = tops.count(seat), len(line) - 1
        found: list[Step] = []
        for at in range(last - ahead, -1, -1) if seat == WHITE else range(ahead, last + 1):
            if tops[at] == seat:
                stays = self._staying == 2 or (self._staying and at in (0, last))
                found += _STEPS[at][(line[at].bit_length() >> 1) - (1 if stays else 0)]
        return found

    def after(self, node: Node, move: Step) -> Node:
        """The field of a stack that moves as a whole is removed.

        If the other seat cannot move, the same seat is to move again; if neither can, the round is over.
        """
        seat, line, tops = node
        at, bits = move
        ahead = tops.count(seat)
        target = at + ahead if seat == WHITE else at - ahead
        piles, top = list(line), list(tops)
        source = line[at]
        piles[target] = piles[target] << bits | source & (1 << bits) - 1
        top[target] = seat
        rest = source >> bits
        if rest > 1:
            piles[at], top[at] = rest, rest & 3
        else:
            del piles[at], top[at]
        tops = tuple(top)
        other = 3 - seat
        due = other if can_move(tops, other) else seat if can_move(tops, seat) else 0
        return due, tuple(piles), tops

    def bounds(self, node: Node, seat: int) -> tuple[int, int]:
        """Pieces on a goal under its owner's disc count for certain; all other loose pieces may go to either seat.

        They stay there because only the owner of the top disc may move a stack, and these discs cannot move past the
        end.
        """
        turn, line, tops = node
        white, black = (line[-1].bit_length() >> 1) - self._base, (line[0].bit_length() >> 1) - self._base
        if not turn:
            low = high = white - black
        else:
            low = 2 * white - self._loose if tops[-1] == WHITE else -self._loose
            high = self._loose - 2 * black if tops[0] == BLACK else self._loose
        return (UNIT * low, UNIT * high) if seat == WHITE else (-UNIT * high, -UNIT * low)

    def value(self, node: Node, seat: int) -> int:
        """The estimate for `seat`: its pieces less the other's, each with a weight.

        The weight is `PIECE_VALUE` on the goal, `ON_THE_WAY_VALUE` in a stack that can move, `STUCK_VALUE` in one that
        cannot.
        """
        _, line, tops = node
        last = len(line) - 1
        white, black = tops.count(WHITE), tops.count(BLACK)
        found = 0
        for at, top in enumerate(tops):
            high = (line[at].bit_length() >> 1) - 1
            if top == WHITE:
                found += high * (UNIT if at == last else ON_THE_WAY if at + white <= last else STUCK)
            elif top == BLACK:
                found -= high * (UNIT if at == 0 else ON_THE_WAY if at >= black else STUCK)
        return found if seat == WHITE else -found

    def named(self, node: Node, move: Step) -> Move:
        return Move(move[0] + 1, move[1] >> 1)


class Coach(coach.Coach[State]):
    """The coach of 27."""

    unit = text("pieces")

    def nodes(self, sight: Sight[State]) -> int:
        """Measured on a desktop, which searches 100,000 positions a second."""
        return 50_000

    def exact(self, sight: Sight[State]) -> bool:
        return True

    def tree(self, world: State, sample: Sample) -> Piles:
        return Piles(world)

    def efforts(self) -> tuple[Effort, Effort, Effort]:
        """At least three plies: a search of fewer plays hardly better than random moves."""
        return Effort(3, 0.1), Effort(6, 0.5), Effort(64, 1.0)

    def slip(self) -> int:
        return 2 * UNIT

    def words(self, value: int) -> str:
        return coach.lead(round(value / UNIT))

    def look_at(self, sight: Sight[State], move: Move) -> str:
        """The field of the stack to move, with what can come of it, but not how many pieces."""
        view, seat, field = sight.view, sight.seat, move.field
        target = rules.target(view, seat, field)
        if _to_go(view, seat, target) == 0:
            message = "Your stack on field {field} can reach the goal."
            if rules.movable(view, field) > 1:
                message = "Your stack on field {field} can reach the goal: how much of it should move?"
            return text(message, field=field)
        if view.tops[target - 1] == 3 - seat:
            return text("From field {field} you can cover one of the other player's stacks.", field=field)
        more = rules.steps(RULES.play(view, seat, move), seat) - rules.steps(view, seat)
        if more > 0:
            message = "Look at field {field}: if some of its stack stays, you move one step more next turn."
            return text(message, field=field)
        if more < 0:
            message = "Look at field {field}: two of your stacks can become one. Then you move one step less."
            return text(message, field=field)
        left = _fields(_to_go(view, seat, field))
        return text("Look at field {field}: its stack is {left} from the goal.", field=field, left=left)

    def reason(self, sight: Sight[State], move: Move) -> str:
        """The move, and in numbers what it achieves and what comes after it.

        It achieves the goal's new height, the height of a covered stack, or the fields left to go. After it come the
        steps, if they change, and the pieces that can reach the goal in one move or are too near to it to move, if
        there are more of these than before.
        """
        view, seat = sight.view, sight.seat
        after = RULES.play(view, seat, move)
        target = rules.target(view, seat, move.field)
        left = _to_go(view, seat, target)
        if not left:
            brings = text("your goal is {height} high", height=rules.heights(after)[seat - 1])
        elif view.tops[target - 1] == 3 - seat:
            brings = text("covers {pieces}", pieces=pieces(view, rules.movable(view, target)))
        elif view.tops[target - 1] == seat:
            brings = text("makes a stack of {height}", height=rules.movable(view, target) + move.pieces)
        else:
            brings = text("{fields} to go", fields=_fields(left))
        before, then = rules.steps(view, seat), rules.steps(after, seat)
        values = {"pieces": move.pieces, "field": move.field, "target": target, "brings": brings}
        values["steps"] = plural_text(then, "{number} step", "{number} steps")
        if gained := _gained(view, after, seat, on_goal=not left):
            message = "Move {pieces} from field {field} to {target}: {brings}; then {steps}: {gained}."
            return text(message, gained=gained, **values)
        if before != then:
            message = "Move {pieces} from field {field} to {target}: {brings}; then {steps}, not {before}."
            return text(message, before=before, **values)
        return text("Move {pieces} from field {field} to {target}: {brings}.", **values)

    def alike(self, sight: Sight[State], move: Move) -> Hashable:
        """Equal for moves of one stack that leave the seat as many steps, so that only the number of pieces differs."""
        return move.field, rules.steps(RULES.play(sight.view, sight.seat, move), sight.seat)


COACH = Coach()


def _to_go(view: State, seat: int, field: int) -> int:
    """How many fields a field is from the goal of `seat`, 0 for the goal itself."""
    return abs(rules.goal(view, seat) - field)


def _gained(view: State, after: State, seat: int, *, on_goal: bool) -> str:
    """Which pieces can reach the goal after the move, or are too near to it to move.

    The text is "" if there are not more of these than before. After a move onto the goal (`on_goal`) the sentence has
    named the goal already.
    """
    reach, stay = _next(after, seat)
    reached, stayed = _next(view, seat)
    if reach > reached and reach >= stay - stayed:
        # With two digits there is no room for the word on the four lines.
        many = plural_text(reach, "{number} piece", "{number} pieces") if reach < 10 else reach
        return text("{pieces} can reach it" if on_goal else "{pieces} can reach the goal", pieces=many)
    if stay <= stayed:
        return ""
    return plural_text(stay, "{number} of yours is stuck", "{number} of yours are stuck")


def _next(state: State, seat: int) -> tuple[int, int]:
    """The pieces on the way, in stacks of `seat`: how many can reach the goal in one move, and how many would overshoot
    it.
    """
    ahead, reach, stay = rules.steps(state, seat), 0, 0
    for field, top in enumerate(state.tops, 1):
        left = _to_go(state, seat, field)
        if top == seat and 0 < left <= ahead:
            reach += rules.movable(state, field) if left == ahead else 0
            stay += rules.movable(state, field) if left < ahead else 0
    return reach, stay


def _fields(count: int) -> Text:
    return plural_text(count, "{number} field", "{number} fields")


def _number(pile: tuple[int, ...]) -> int:
    number = 1
    for piece in pile:
        number = number << 2 | piece
    return number
