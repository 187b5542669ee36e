"""The order of tables: by their names, and of those that are ready for a round by how long they have waited."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.hall.messages import State


class Waiting(NamedTuple):
    """A table without a round; `ended` is true while it still shows the result of its last one."""

    name: str
    ended: bool


class WaitingTables:
    """The tables that wait, in the order in which they began to."""

    def __init__(self) -> None:
        self._waiting: dict[str, Waiting] = {}

    def among(self, last_states: Mapping[str, State]) -> tuple[Waiting, ...]:
        """Return those of `last_states` that wait now.

        A table that waited at the last call keeps its place; of tables that have begun to wait since, the order is
        that of `last_states`.
        """
        found = {name: Waiting(name, _over(last)) for name, last in last_states.items() if waits(last)}
        kept = [name for name in self._waiting if name in found]
        self._waiting = {name: found[name] for name in dict.fromkeys([*kept, *found])}
        return tuple(self._waiting.values())


def waits(last: State) -> bool:
    """Return whether a table is there and has no round on it, or one that is over."""
    public = last.public
    return last.here and public is not None and (not public.get("game") or _over(last))


def _over(last: State) -> bool:
    public = last.public or {}
    sheet = public.get("sheet")
    return bool(public.get("result")) or (isinstance(sheet, dict) and sheet.get("over") is True)


def natural(name: str) -> list[tuple[int, str]]:
    """A sort key that puts table-10 after table-9."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]
