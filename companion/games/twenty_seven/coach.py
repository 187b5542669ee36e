"""What the search is told of 27: piles as numbers, what can still come off a goal, and what is worth how much.

Nothing is hidden in 27 and nothing is drawn, so a single position fits what was seen, and a search to the end is a
proof. Values are tenths of a piece, own goal less the other's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.coach import Coach, Effort, Sample, Sight, Tree
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.rules import BLACK, RED, WHITE, Move, State

if TYPE_CHECKING:
    from collections.abc import Sequence

UNIT = 10
"""A piece on a goal."""
ON_THE_WAY, STUCK = 5, 1
"""What a piece is worth in a pile of one's own that can still move, and in one that now cannot."""

Node = tuple[int, tuple[int, ...], tuple[int, ...]]
"""The seat to move (0 when it is over), the piles, and the top piece of each.

A pile is a number: a 1, then two bits a piece from the bottom up, so ``pile & 3`` is its top piece.
"""
Step = tuple[int, int]
"""A place, from 0, and the bits of the pieces that leave it."""
Line = Tree[Node, Step]

_STEPS = tuple(
    tuple(tuple((at, 2 * count) for count in range(most, 0, -1)) for most in range(28)) for at in range(rules.FIELDS)
)
# Place → how many can move → the steps there are, the most pieces first: made once, so that listing is joining.


class Piles(Line):
    """The positions of 27 from one on."""

    def __init__(self, state: State) -> None:
        self._base = int(RED in state.fixed)
        self._staying = len(state.fixed)  # 2: every field stays, 1: the red ones at both ends, 0: none.
        pieces, fields = sum(map(len, state.piles)), len(state.piles)
        self._loose = pieces - (0, 2, fields)[self._staying]
        self._root: Node = (state.to_move or 0, tuple(map(_number, state.piles)), state.tops)

    def root(self) -> Node:
        """The position that the tree was made from."""
        return self._root

    def turn(self, node: Node) -> int:
        """The seat to move, 0 when it is over."""
        return node[0]

    def key(self, node: Node) -> tuple[int, tuple[int, ...]]:
        """Seat and piles: the tops follow from these."""
        return node[:2]

    def moves(self, node: Node) -> Sequence[Step]:
        """From the pile that is the furthest on to the rearmost, whole piles first."""
        seat, line, tops = node
        ahead, last = tops.count(seat), len(line) - 1
        found: list[Step] = []
        for at in range(last - ahead, -1, -1) if seat == WHITE else range(ahead, last + 1):
            if tops[at] == seat:
                stays = self._staying == 2 or (self._staying and at in (0, last))
                found += _STEPS[at][(line[at].bit_length() >> 1) - (1 if stays else 0)]
        return found

    def after(self, node: Node, move: Step) -> Node:
        """The pieces moved; a pile taken whole leaves no field; who cannot move is passed over."""
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
        due = other if _able(tops, other) else seat if _able(tops, seat) else 0
        return due, tuple(piles), tops

    def bounds(self, node: Node, seat: int) -> tuple[int, int]:
        """What lies under its owner's disc on the far end stays there; all else may still come or go.

        Only its owner moves towards that end, and nobody moves a pile that the other tops.
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
        """The pieces on the goals, half of those in own piles that can move, a tenth of those that cannot."""
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
        """As the rules have it."""
        return Move(move[0] + 1, move[1] >> 1)


class PilesCoach(Coach[State]):
    """The coach of 27."""

    def nodes(self, sight: Sight[State]) -> int:
        """As measured on a desktop: 100,000 positions a second."""
        return 50_000

    def exact(self, sight: Sight[State]) -> bool:
        """All is seen by all."""
        return True

    def world(self, sight: Sight[State], sample: Sample) -> State:
        """The position itself."""
        return sight.view

    def tree(self, world: State, sample: Sample) -> Piles:
        """The positions from there."""
        return Piles(world)

    def efforts(self) -> tuple[Effort, Effort, Effort]:
        """Fewer than three plies ahead tell hardly more here than chance does."""
        return Effort(3, 0.1), Effort(6, 0.5), Effort(64, 1.0)

    def slip(self) -> int:
        """Two pieces on a goal."""
        return 2 * UNIT

    def words(self, value: int) -> str:
        """Pieces on the goals."""
        pieces = round(value / UNIT)
        return f"{pieces} ahead" if pieces > 0 else f"{-pieces} behind" if pieces else "even"

    def look_at(self, sight: Sight[State], move: Move) -> str:
        """What is special about where the move goes."""
        view = sight.view
        target = _target(view, sight.seat, move.field)
        if len(rules.moves(view)) == 1:
            return "There is only one move."
        if target in (1, len(view.piles)):
            return "A pile of yours can reach the goal: look how much of it should go."
        if view.tops[target - 1] == 3 - sight.seat:
            return "A pile of the other player's can be covered."
        after = rules.play(view, sight.seat, move)
        if rules.steps(after, sight.seat) != rules.steps(view, sight.seat):
            return "You move as far as you have piles: look how many you will have."
        return "Look which of your piles is still far from the goal."

    def reason(self, sight: Sight[State], move: Move) -> str:
        """Where the pieces land, how high that pile gets, and how far the next step goes."""
        view, seat = sight.view, sight.seat
        after = rules.play(view, seat, move)
        target = _target(view, seat, move.field)
        what = "disc" if len(view.fixed) == 2 else "piece"
        said = f"Field {move.field}, {move.pieces} {what}{'s' if move.pieces > 1 else ''}"
        goal = len(view.piles) if seat == WHITE else 1
        if target == goal:
            said += f": your goal gets {rules.heights(after)[seat - 1]} high"
        elif view.tops[target - 1] == 3 - seat:
            said += f": covers {rules.movable(view, target)} on field {target}"
        else:
            said += f" to field {target}"
        before, then = rules.steps(view, seat), rules.steps(after, seat)
        return f"{said}." if before == then else f"{said}; then {then} step{'s' if then > 1 else ''}, not {before}."


COACH = PilesCoach()


def _able(tops: tuple[int, ...], seat: int) -> bool:
    """Whether a pile of `seat` has as many fields ahead as it has piles."""
    ahead = tops.count(seat)
    return seat in (tops[: len(tops) - ahead] if seat == WHITE else tops[ahead:])


def _target(view: State, seat: int, field: int) -> int:
    ahead = rules.steps(view, seat)
    return field + ahead if seat == WHITE else field - ahead


def _number(pile: tuple[int, ...]) -> int:
    number = 1
    for piece in pile:
        number = number << 2 | piece
    return number
