"""The result of reading a record: its header, its events, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.games import load, manifest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.game import Rules


class Header(NamedTuple):
    """The header lines: game id, every option with its value, names (none given: empty), other lines."""

    game: str
    options: Mapping[str, str]
    players: tuple[str, ...]
    other: tuple[tuple[str, str], ...]

    @property
    def seats(self) -> int:
        """The number of players: that of the names, else 2."""
        return len(self.players) or 2


class Fault(NamedTuple):
    """Why a record does not stand: the line (from 1), the stable code, and a sentence for a player."""

    line: int
    code: str
    message: str


class FalseClaim(NamedTuple):
    """A proven false "I cannot": its line (from 1), the seat, an event that had been possible, and if that is sure."""

    line: int
    seat: int
    example: str
    sure: bool = True


class Report(NamedTuple):
    """What a record says. `events` stood, on `lines`; they lead from `start` to `state`.

    `header` is None until a game is known; `start` and `state` are None where header or deals are broken.
    """

    header: Header | None
    deals: Mapping[tuple[str, int], tuple[Any, ...]]
    start: Any
    state: Any
    events: tuple[tuple[int, Any], ...]
    lines: tuple[int, ...]
    fault: Fault | None

    @property
    def rules(self) -> Rules[Any, Any]:
        """The rules of the record's game. Raises ValueError where it is not known."""
        if self.header is None:
            raise ValueError("the record names no game")
        return load(self.header.game)

    @property
    def name(self) -> str:
        """What players call the game; "" where it is not known."""
        return manifest(self.header.game).name if self.header else ""

    @property
    def claims(self) -> tuple[FalseClaim, ...]:
        """The false claims that the events prove, in order."""
        if self.state is None:
            return ()
        proven = self.rules.claims(self.start, self.events)
        return tuple(FalseClaim(self.lines[claim.event], claim.seat, claim.example, claim.sure) for claim in proven)
