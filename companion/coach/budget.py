"""Limits of a search: a number of positions, and seconds of processor time."""

from __future__ import annotations

from collections.abc import Callable

INFINITE = 1 << 30
MOVE_SECONDS = 10.0
"""The limit for one move in seconds of processor time: a Pi Zero 2 does in it what a desktop does in 0.67 s."""
STEP = 10
"""Progress is reported in steps of this many percent."""


class Spent(Exception):
    """The budget is used up."""


class Budget:
    """The limits of a search: `nodes` positions and `seconds` by `clock`, whichever is reached first.

    The search also ends when `stopped` returns True. It and the clock are called every 256 positions. The defaults
    `float` and `bool` return 0.0 and False: there is no time limit, and nothing stops the search. `more` positions are
    kept for a second look, which `extend` allows.
    """

    def __init__(
        self,
        nodes: int,
        seconds: float = INFINITE,
        clock: Callable[[], float] = float,
        stopped: Callable[[], bool] = bool,
        more: int = 0,
    ) -> None:
        self.nodes = nodes
        self.more = more
        self.used = 0
        self.stopped = False  # Whether the clock or `stopped` has ended the search, not the number of positions.
        self._clock, self._stopped = clock, stopped
        self._begun = clock()
        self._end = self._begun + seconds

    def look(self) -> None:
        """Raise Spent if a limit is reached or `stopped` returns True."""
        if self._clock() >= self._end or self._stopped():
            self.stopped = True
            self.nodes = self.used
        if self.used >= self.nodes:
            raise Spent

    def extend(self) -> bool:
        """Allow `more` positions from here on; False if there are none, or the clock or `stopped` ended the search."""
        self.nodes = self.used + (0 if self.stopped else self.more)
        return self.nodes > self.used

    @property
    def seconds(self) -> float:
        """The seconds since the budget was made, by its clock."""
        return self._clock() - self._begun


class TellingBudget(Budget):
    """A budget of `MOVE_SECONDS` that reports progress: `tell` gets the percentage of positions used, 10, 20, … 90."""

    def __init__(
        self, nodes: int, clock: Callable[[], float], stopped: Callable[[], bool], tell: Callable[[int], object]
    ) -> None:
        super().__init__(nodes, MOVE_SECONDS, clock, stopped)
        self._whole, self._tell, self._told = nodes, tell, 0

    def look(self) -> None:
        """Report the progress; raise Spent as every budget does."""
        share = 100 * self.used // self._whole // STEP * STEP
        if self._told < share < 100:
            self._told = share
            self._tell(share)
        super().look()
