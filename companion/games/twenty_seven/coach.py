"""The coach of 27: the game tree with piles as numbers, bounds of the result, and the value of a position.

27 has no hidden information and no chance, so a search to the end proves its value. Values are the pieces on one's own
goal less those on the other's, in tenths of a piece. The goal is the last field for White (seat 1), the first for
Black (seat 2).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from companion.games.api import coach
from companion.games.api.coach import Effort, Sample, Sight, Tree
from companion.games.api.text import Text, counted, text
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.rules import BLACK, FIELDS, RED, RULES, WHITE, Move, State, can_move
from companion.games.twenty_seven.words import pieces

UNIT = 10
"""The value of a piece on a goal."""
ON_THE_WAY, STUCK = 5, 1
"""The value of a piece in an own pile that can move, and in one that would now move past the end."""

Node = tuple[int, tuple[int, ...], tuple[int, ...]]
"""The seat to move (0 when the round is over), the piles, and the top piece of each.

A pile is a number: a 1, then two bits a piece from the bottom up, so ``pile & 3`` is its top piece.
"""
Step = tuple[int, int]
"""A move: the index of its pile, from 0, and the bits that its pieces take, two for each."""
Line = Tree[Node, Step]

_STEPS = tuple(
    tuple(tuple((at, 2 * count) for count in range(most, 0, -1)) for most in range(28)) for at in range(FIELDS)
)
# Index of a pile → how many of its pieces can move → its moves, the most pieces first; made once for speed.


class Piles(Line):
    """The game tree of 27 from a position."""

    def __init__(self, state: State) -> None:
        self._base = int(RED in state.fixed)
        self._staying = len(state.fixed)  # Field pieces that never move: 2: all, 1: the red ones at both ends, 0: none.
        pieces, fields = sum(map(len, state.piles)), len(state.piles)
        self._loose = pieces - (0, 2, fields)[self._staying]
        super().__init__((state.to_move or 0, tuple(map(_number, state.piles)), state.tops))

    def turn(self, node: Node) -> int:
        """The seat to move, 0 when the round is over."""
        return node[0]

    def key(self, node: Node) -> tuple[int, tuple[int, ...]]:
        """The seat and the piles, which determine the tops."""
        return node[:2]

    def moves(self, node: Node) -> Sequence[Step]:
        """The legal moves: from the pile nearest to the goal to the farthest, of each pile the most pieces first."""
        seat, line, tops = node
        ahead, last = tops.count(seat), len(line) - 1
        found: list[Step] = []
        for at in range(last - ahead, -1, -1) if seat == WHITE else range(ahead, last + 1):
            if tops[at] == seat:
                stays = self._staying == 2 or (self._staying and at in (0, last))
                found += _STEPS[at][(line[at].bit_length() >> 1) - (1 if stays else 0)]
        return found

    def after(self, node: Node, move: Step) -> Node:
        """The node after the pieces have moved. The field of a pile that moves whole is removed.

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
        """The pieces on a goal under its owner's disc count for certain, all other loose pieces may go to either seat.

        They stay there: only the owner of the top disc may move a pile, and its discs cannot move past the end.
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
        """The estimate for `seat`: its pieces less the other's, weighted `UNIT`, `ON_THE_WAY` or `STUCK`.

        Those weights are for pieces on the goal, in piles that can move, and in piles that cannot.
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
        """The tree's move as a move of the rules."""
        return Move(move[0] + 1, move[1] >> 1)


class Coach(coach.Coach[State]):
    """The coach of 27."""

    unit = text("pieces")

    def nodes(self, sight: Sight[State]) -> int:
        """Measured on a desktop, which searches 100,000 positions a second."""
        return 50_000

    def exact(self, sight: Sight[State]) -> bool:
        """Always True: nothing is hidden."""
        return True

    def tree(self, world: State, sample: Sample) -> Piles:
        """The game tree from a position."""
        return Piles(world)

    def efforts(self) -> tuple[Effort, Effort, Effort]:
        """At least three plies: a search of fewer plays hardly better than random moves."""
        return Effort(3, 0.1), Effort(6, 0.5), Effort(64, 1.0)

    def slip(self) -> int:
        """Two pieces on a goal."""
        return 2 * UNIT

    def words(self, value: int) -> str:
        """The lead in pieces on the goals: ``3 ahead``."""
        return coach.lead(round(value / UNIT))

    def look_at(self, sight: Sight[State], move: Move) -> str:
        """The field of the pile to move, with what can come of it; not how many pieces."""
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
        """The move, and in numbers what it brings and what comes after it.

        It brings the goal's new height, the height of a covered pile, or the fields left to go. After it come the
        steps, if they change, and the pieces that can reach the goal in one move or are too near to it to move, if
        these get more.
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
        values["steps"] = counted(then, "{number} step", "{number} steps")
        if gained := _gained(view, after, seat, on_goal=not left):
            message = "Move {pieces} from field {field} to {target}: {brings}; then {steps}: {gained}."
            return text(message, gained=gained, **values)
        if before != then:
            message = "Move {pieces} from field {field} to {target}: {brings}; then {steps}, not {before}."
            return text(message, before=before, **values)
        return text("Move {pieces} from field {field} to {target}: {brings}.", **values)

    def alike(self, sight: Sight[State], move: Move) -> Hashable:
        """Equal for moves of one pile that leave the seat as many steps: only the number of pieces differs."""
        return move.field, rules.steps(RULES.play(sight.view, sight.seat, move), sight.seat)


COACH = Coach()


def _to_go(view: State, seat: int, field: int) -> int:
    """How many fields a field is from the goal of `seat`, 0 for the goal itself."""
    return abs(rules.goal(view, seat) - field)


def _gained(view: State, after: State, seat: int, *, on_goal: bool) -> str:
    """Which pieces can reach the goal after the move, or are too near to it to move; "" if neither get more.

    After a move onto the goal (`on_goal`) that has been named.
    """
    reach, stay = _next(after, seat)
    reached, stayed = _next(view, seat)
    if reach > reached and reach >= stay - stayed:
        # Beside two digits the four lines have no room for the word.
        many = counted(reach, "{number} piece", "{number} pieces") if reach < 10 else reach
        return text("{pieces} can reach it" if on_goal else "{pieces} can reach the goal", pieces=many)
    if stay <= stayed:
        return ""
    return counted(stay, "{number} of yours is stuck", "{number} of yours are stuck")


def _next(state: State, seat: int) -> tuple[int, int]:
    """The pieces on the way, in piles of `seat`, that can reach the goal in one move, and that would overshoot it."""
    ahead, reach, stay = rules.steps(state, seat), 0, 0
    for field, top in enumerate(state.tops, 1):
        left = _to_go(state, seat, field)
        if top == seat and 0 < left <= ahead:
            reach += rules.movable(state, field) if left == ahead else 0
            stay += rules.movable(state, field) if left < ahead else 0
    return reach, stay


def _fields(count: int) -> Text:
    return counted(count, "{number} field", "{number} fields")


def _number(pile: tuple[int, ...]) -> int:
    number = 1
    for piece in pile:
        number = number << 2 | piece
    return number
