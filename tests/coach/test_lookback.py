"""A look back on made-up positions: what a certain mark names and tells is proven, too."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from companion.coach.budget import Budget
from companion.coach.lookback import Mark, Played, Verdict, decided, look_back
from companion.coach.plain import PlainCoach
from companion.game.coach import Tree

WON = 1000


class Line(Tree[Any, Any]):
    """From the start one move to each of the `ends`; a value ends the round, None leads to moves without end."""

    def __init__(self, ends: dict[str, int | None]) -> None:
        self._ends = ends

    def root(self) -> tuple[str, int]:
        return "start", 0

    def turn(self, node: tuple[str, int]) -> int:
        return 1 if node[0] == "start" else 0 if self._ends[node[0]] is not None else 2 - node[1] % 2

    def moves(self, node: tuple[str, int]) -> tuple[str, ...]:
        return tuple(self._ends) if node[0] == "start" else (node[0],)

    def after(self, node: tuple[str, int], move: str) -> tuple[str, int]:
        return move, node[1] + 1

    def key(self, node: tuple[str, int]) -> tuple[str, int]:
        return node

    def bounds(self, node: tuple[str, int], seat: int) -> tuple[int, int]:
        value = None if node[0] == "start" else self._ends[node[0]]
        return (-WON, WON) if value is None else (value, value)

    def value(self, node: tuple[str, int], seat: int) -> int:
        return self._ends.get(node[0]) or 50

    def named(self, node: tuple[str, int], move: str) -> str:
        return move


class LineCoach(PlainCoach):
    """A coach of such lines; it knows the whole position if `whole`, else only what `settled` says of a move."""

    def __init__(self, ends: dict[str, int | None], *, whole: bool, settled: dict[str, int]) -> None:
        self._line, self._whole, self._settled = ends, whole, settled

    def exact(self, sight: Any) -> bool:
        return self._whole

    def tree(self, world: Any, sample: Any) -> Line:
        return Line(self._line)

    def words(self, value: int) -> str:
        return str(value)

    def settled(self, sight: Any, move: Any) -> int | None:
        return self._settled.get(move)


def verdict(
    ends: dict[str, int | None], played: str, *, whole: bool = True, settled: dict[str, int] | None = None
) -> Verdict:
    """The verdict on a move that was played from the start."""
    rules: Any = SimpleNamespace(view=lambda state, seat: state, moves=lambda view: list(ends), read=str)
    coach = LineCoach(ends, whole=whole, settled=settled or {})
    round_ = Played(rules, SimpleNamespace(), ("start", "end"), ((1, played),))  # type: ignore[arg-type]
    (found,) = look_back(coach, round_, lambda sight: Budget(30))
    return found


def test_the_better_move_of_a_certain_mark_is_proven_to_be_better() -> None:
    """Not the one that only seems best; without a proof it is the one that seems best."""
    found = verdict({"lost": -10, "long": None, "sure": 10}, "lost")
    assert (found.mark, found.certain, found.proven) == (Mark.LOSING, True, True)
    assert (found.best, found.words, found.best_words) == ("sure", "-10", "10")
    likely = verdict({"long": None, "even": 0}, "even")
    assert (likely.mark, likely.certain, likely.proven) == (Mark.SLIP, False, False)
    assert (likely.best, likely.words, likely.best_words) == ("long", "0", "50")


@pytest.mark.parametrize(("settled", "certain"), [(WON, True), (-WON, False)])
def test_next_to_hidden_pieces_only_a_won_end_is_surely_best(settled: int, certain: bool) -> None:
    """A move that surely loses is not surely best where every other one lost in the sampled positions alone."""
    found = verdict({"ends": settled, "stays": -WON}, "ends", whole=False, settled={"ends": settled})
    assert (found.mark, found.certain) == (Mark.BEST, certain)


def judged(event: int, mark: Mark, value: int, most: int, *, certain: bool = True) -> Verdict:
    """A verdict on a move of seat 1 or 2, by turns from seat 1."""
    return Verdict(event, event % 2 + 1, "a", mark, certain=certain, value=value, most=most, best="b")


def test_a_shared_win_is_never_said_to_be_lost() -> None:
    """Who shares it gave at most a win of one's own away, and that is said only where it is proven."""
    lost, slip = judged(0, Mark.LOSING, -5, 5), judged(1, Mark.SLIP, 0, 5)
    later, guess = judged(2, Mark.SLIP, 0, 5), judged(3, Mark.SLIP, 0, 5, certain=False)
    behind = judged(4, Mark.SLIP, -9, -1)
    assert decided((lost, slip, later, guess, behind), (1, 2)) == later
    assert decided((lost, guess, behind), (1, 2)) is None
    assert decided((lost, slip, later, guess, behind), (2,)) == lost
