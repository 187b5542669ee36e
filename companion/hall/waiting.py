"""Which tables are ready for a round, as far as their public views tell; the one that has waited longest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.hall.hall import Board


class Waiting(NamedTuple):
    """A table without a round; `ended` is true while it still shows the result of its last one."""

    name: str
    ended: bool


class WaitingTables:
    """The tables that wait, in the order in which they began to."""

    def __init__(self) -> None:
        self._waiting: dict[str, Waiting] = {}

    def among(self, boards: Mapping[str, Board]) -> tuple[Waiting, ...]:
        """Return those of `boards` that wait now.

        A table that waited at the last call keeps its place; of tables that have begun to wait since, the order is
        that of `boards`.
        """
        found = {name: Waiting(name, _over(board)) for name, board in boards.items() if waits(board)}
        kept = [name for name in self._waiting if name in found]
        self._waiting = {name: found[name] for name in dict.fromkeys([*kept, *found])}
        return tuple(self._waiting.values())


def waits(board: Board) -> bool:
    """Return whether a table is there and has no round on it, or one that is over."""
    public = board.state.public
    return board.state.here and public is not None and (not public.get("game") or _over(board))


def _over(board: Board) -> bool:
    public = board.state.public or {}
    sheet = public.get("sheet")
    return bool(public.get("result")) or (isinstance(sheet, dict) and sheet.get("over") is True)
