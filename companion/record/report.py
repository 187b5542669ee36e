"""The result of parsing a record: header, events, and what is wrong."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.game import Rules
from companion.game.manifest import HoldingKind, holding_kind
from companion.games import load, manifest


def number_of_seats(names: tuple[str, ...]) -> int:
    """The number of players of a record with these names: as many as names, else 2."""
    return len(names) or 2


class Header(NamedTuple):
    """The header lines: the game's id, all options with their values, players (may be empty), other lines."""

    game: str
    options: Mapping[str, str]
    players: tuple[str, ...]
    other: tuple[tuple[str, str], ...]

    @property
    def seats(self) -> int:
        """The number of players."""
        return number_of_seats(self.players)


class Fault(NamedTuple):
    """Why a record is refused: the line (from 1), the refusal's code, and a sentence for players."""

    line: int
    code: str
    message: str


class FalseClaim(NamedTuple):
    """A proven false "I cannot": its line (from 1), the seat, an event that was possible, and whether that is sure."""

    line: int
    seat: int
    example: str
    sure: bool = True


class Report(NamedTuple):
    """The result of parsing a record: the legal `events`, with the number of each one's line (from 1) in `lines`.

    The events lead from the position `start` to `state`; both are None if header or deals are wrong. `header` is None
    if no game is known. `fault` is None for a legal record.
    """

    header: Header | None
    deals: Mapping[tuple[str, int], tuple[Any, ...]]
    start: Any
    state: Any
    events: tuple[tuple[int, Any], ...]
    lines: tuple[int, ...]
    fault: Fault | None

    @property
    def dealt(self) -> tuple[tuple[HoldingKind, int, str], ...]:
        """The deals as the store keeps them: kind, seat, and the pieces in short form."""
        return tuple(
            (kind, seat, self.rules.write_deal(pieces))
            for (word, seat), pieces in self.deals.items()
            if (kind := holding_kind(word))
        )

    @property
    def rules(self) -> Rules[Any, Any]:
        """The rules of the record's game. Raises ValueError if the record has no header."""
        if self.header is None:
            raise ValueError("the record names no game")
        return load(self.header.game)

    @property
    def name(self) -> str:
        """The game's name; "" if no game is known."""
        return manifest(self.header.game).name if self.header else ""

    @property
    def over(self) -> bool:
        """Whether the events end the round; False if the record has no position."""
        return self.state is not None and self.rules.turn(self.state) is None

    @property
    def claims(self) -> tuple[FalseClaim, ...]:
        """The false claims that the events prove, in order."""
        if self.state is None:
            return ()
        proven = self.rules.claims(self.start, self.events)
        return tuple(FalseClaim(self.lines[claim.event], claim.seat, claim.example, claim.sure) for claim in proven)
