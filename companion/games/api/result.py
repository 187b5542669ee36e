"""The result of a finished round: as records and the store write it, and in words."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.languages import format_list, text

_WINNERS_SEPARATOR = " winners "


class Result(NamedTuple):
    """The score of each seat, and the winning seats: several for a shared win. `str` gives the form of a record."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> "Result":
        """Parse a result such as ``12 6 winners 1``. Raises ValueError for any other text."""
        scores, separator, winners = text.partition(_WINNERS_SEPARATOR)
        if not separator:
            raise ValueError(f"not a result: {text[:40]!r}")
        return cls(tuple(map(int, scores.split())), tuple(map(int, winners.split())))

    def __str__(self) -> str:
        return f"{' '.join(map(str, self.scores))}{_WINNERS_SEPARATOR}{' '.join(map(str, self.winners))}"

    def winner_names(self, names: Sequence[str]) -> tuple[str, ...]:
        """The names of the winners; `names` are the players by seat."""
        return tuple(names[seat - 1] for seat in self.winners)

    def single_winner_name(self, names: Sequence[str]) -> str:
        """The name of the only winner; "" if there is none or more than one."""
        return names[self.winners[0] - 1] if len(self.winners) == 1 else ""


def leading_seats(ranks: Sequence[Any]) -> tuple[int, ...]:
    """The seats with the highest rank; `ranks` has a number, or a tuple of numbers, for each seat."""
    best = max(ranks)
    return tuple([seat for seat, rank in enumerate(ranks, 1) if rank == best])


def scores_text(scores: Sequence[int]) -> str:
    """Scores in a sentence: ``12 to 6``."""
    *before, last = scores
    return text("{score} to {other}", score=scores_text(before), other=last) if before else str(last)


def verdict_text(winners: Sequence[str], players: int) -> str:
    """Who has won: ``Ann wins``, ``a draw`` (all share the win), ``a shared win`` or ``nobody wins``."""
    if not winners:
        return text("nobody wins")
    if len(winners) == 1:
        return text("{who} wins", who=winners[0])
    return text("a draw") if len(winners) == players else text("a shared win")


def verdict_heading(winners: Sequence[str], players: int) -> str:
    """The `verdict_text` as a heading: ``Ann wins``, ``A draw``, ``Shared win``, ``Nobody wins``."""
    if len(winners) == 1:
        return verdict_text(winners, players)
    if not winners:
        return text("Nobody wins")
    return text("A draw") if len(winners) == players else text("Shared win")


def named_verdict(winners: Sequence[str]) -> str:
    """Who has won, with all the names of a shared win or a draw: ``Ann and Ben share the win``."""
    return text("{who} share the win", who=format_list(winners)) if len(winners) > 1 else verdict_text(winners, 0)
