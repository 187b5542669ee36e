"""The result of a finished round: as records and the store write it, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_BETWEEN = " winners "


class Result(NamedTuple):
    """The score of each seat, and the seats that won or share the win; `str` writes it as a record does."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> Result:
        """The result that was written as ``12 6 winners 1``. Raises ValueError for another text."""
        scores, between, winners = text.partition(_BETWEEN)
        if not between:
            raise ValueError(f"not a result: {text[:40]!r}")
        return cls(tuple(map(int, scores.split())), tuple(map(int, winners.split())))

    def __str__(self) -> str:
        return f"{' '.join(map(str, self.scores))}{_BETWEEN}{' '.join(map(str, self.winners))}"

    def names_of_winners(self, names: Sequence[str]) -> tuple[str, ...]:
        """The players who won or share the win, of those in the seats."""
        return tuple(names[seat - 1] for seat in self.winners)

    def single_winner(self, names: Sequence[str]) -> str:
        """The player who won alone, "" where nobody did."""
        return names[self.winners[0] - 1] if len(self.winners) == 1 else ""


def verdict(winners: Sequence[str], players: int) -> str:
    """Who has won, in two or three words: ``Ann wins``, ``a draw`` of all, ``a shared win``, ``nobody wins``."""
    if not winners:
        return "nobody wins"
    if len(winners) == 1:
        return f"{winners[0]} wins"
    return "a draw" if len(winners) == players else "a shared win"


def heading(winners: Sequence[str], players: int) -> str:
    """The same to stand above a result: ``Ann wins``, ``A draw``, ``Shared win``, ``Nobody wins``."""
    words = verdict(winners, players)
    if len(winners) == 1:
        return words  # A name keeps its letters.
    return "Shared win" if words == "a shared win" else words.capitalize()


def named_verdict(winners: Sequence[str]) -> str:
    """Who has won, by name also where a win is shared: ``Ann and Ben share the win``."""
    return f"{listed(winners)} share the win" if len(winners) > 1 else verdict(winners, 0)


def listed(names: Sequence[str]) -> str:
    """``Ann``, ``Ann and Ben``, ``Ann, Ben and Cleo``."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
