"""How much a search may take: positions, and seconds of the processor."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

INFINITE = 1 << 30
SECONDS = 10.0
"""The most for a move, by the processor's clock: on a Pi Zero 2, where a desktop takes 0.67 seconds."""
STEP = 10
"""Progress is told in steps of so many hundredths."""


class Spent(Exception):
    """The budget is used up."""


class Budget:
    """How much may be searched: `nodes` positions, `seconds` by `clock`; whichever comes first ends the search.

    `stopped` may end it as well; it and the clock are asked every 256 positions.
    """

    def __init__(
        self,
        nodes: int,
        seconds: float = INFINITE,
        clock: Callable[[], float] = float,
        stopped: Callable[[], bool] = bool,
    ) -> None:
        self.nodes = nodes
        self.used = 0
        self.stopped = False  # By the clock or by somebody, not by the number of positions.
        self._clock, self._stopped = clock, stopped
        self._begun = clock()
        self._end = self._begun + seconds

    def look(self) -> None:
        """Raise Spent when nothing is left or somebody says stop."""
        if self._clock() >= self._end or self._stopped():
            self.stopped = True
            self.nodes = self.used
        if self.used >= self.nodes:
            raise Spent

    @property
    def seconds(self) -> float:
        """What has been used of the clock."""
        return self._clock() - self._begun


class TellingBudget(Budget):
    """The budget of a move that somebody waits for: `tell` is told its hundredths, in steps of ten, below a hundred."""

    def __init__(
        self, nodes: int, clock: Callable[[], float], stopped: Callable[[], bool], tell: Callable[[int], object]
    ) -> None:
        super().__init__(nodes, SECONDS, clock, stopped)
        self._whole, self._tell, self._told = nodes, tell, 0

    def look(self) -> None:
        """As every budget does."""
        share = 100 * self.used // self._whole // STEP * STEP
        if self._told < share < 100:
            self._told = share
            self._tell(share)
        super().look()
