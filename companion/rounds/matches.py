"""Matches, assembled from their finished rounds: who beat whom, by how many round wins, in which rounds."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.languages import text


class Part(NamedTuple):
    """A finished round of a match.

    `number` counts the rounds of the match, `before` are the wins before this one by name, where they are known;
    `winner` is who won it alone, "" for nobody; `match` is the number of the match's first round, 0 unknown.
    """

    round: int
    game: str
    names: tuple[str, ...]
    goal: int
    number: int
    before: tuple[tuple[str, int], ...] = ()
    winner: str = ""
    match: int = 0


class Match(NamedTuple):
    """A match: round wins by name, the most first, and the numbers of its rounds."""

    game: str
    goal: int
    wins: tuple[tuple[str, int], ...]
    rounds: tuple[int, ...]

    @property
    def winner(self) -> str:
        """Who has won it, "" while nobody has."""
        return self.wins[0][0] if self.wins[0][1] >= self.goal else ""

    @property
    def result(self) -> str:
        """``Ann beats Ben 2:1``, ``Ann wins: Ann 2, Ben 1, Cleo 0``, ``Ann 1 : Ben 1, not over``."""
        if len(self.wins) != 2:
            wins = ", ".join(f"{name} {won}" for name, won in self.wins)
            return text("{who} wins: {wins}" if self.winner else "{wins}, not over", who=self.winner, wins=wins)
        (first, more), (second, fewer) = self.wins
        said = "{who} beats {other} {more}:{fewer}" if self.winner else "{who} {more} : {other} {fewer}, not over"
        return text(said, who=first, more=more, other=second, fewer=fewer)


def in_rounds(rounds: Sequence[int]) -> str:
    """``round 3``, ``rounds 3 to 5``, ``rounds 3, 4 and 6``, ``9 rounds from 3 to 40``."""
    first, last, count = rounds[0], rounds[-1], len(rounds)
    if count == 1:
        return text("round {first}", first=first)
    if count > 2 and last - first == count - 1:
        return text("rounds {first} to {last}", first=first, last=last)
    if count > 5:
        return text("{count} rounds from {first} to {last}", count=count, first=first, last=last)
    return text("rounds {some} and {last}", some=", ".join(map(str, rounds[:-1])), last=last)


def matches(parts: Iterable[Part]) -> tuple[Match, ...]:
    """The matches that these rounds, oldest first, are of; in the order of their first rounds."""
    found: list[list[Part]] = []
    going_on: dict[tuple[str, int, tuple[str, ...]], list[list[Part]]] = {}
    numbered: dict[int, list[Part]] = {}  # by the number of the first round; won or not, for a result may be corrected
    for part in parts:
        same = going_on.setdefault((part.game, part.goal, tuple(sorted(part.names))), [])
        match = numbered.get(part.match) if part.match else None
        match = match or next((each for each in reversed(same) if follows(part, each)), None)
        if match is None:
            match = []
            found.append(match)
            same.append(match)
        match.append(part)
        if part.match:
            numbered[part.match] = match
        if match in same and max(_wins(match).values()) >= part.goal:
            same.remove(match)
    return tuple(map(_match, found))


def follows(part: Part, before: list[Part]) -> bool:
    """Whether a round continues the match of the rounds `before`.

    It does if both know the same match number; else if it has the next round number and the wins before it, if known,
    are those of `before`.
    """
    last = before[-1]
    if part.match and part.match == last.match:
        return part.number > last.number
    so_far = {name: won for name, won in _wins(before).items() if won}
    return part.number == last.number + 1 and (not part.before or dict(part.before) == so_far)


def _wins(parts: list[Part]) -> dict[str, int]:
    wins = dict.fromkeys(sorted(parts[0].names), 0)
    for part in parts:
        wins |= dict(part.before)  # Also of rounds that are not among these.
        if part.winner:
            wins[part.winner] = wins.get(part.winner, 0) + 1
    return wins


def _match(parts: list[Part]) -> Match:
    wins = sorted(_wins(parts).items(), key=lambda each: -each[1])
    return Match(parts[0].game, parts[0].goal, tuple(wins), tuple(part.round for part in parts))


def of_match(match: Match) -> str:
    """``Match: Ann beats Ben 2:1, rounds 3 to 5``."""
    return text("Match: {result}, {rounds}", result=match.result, rounds=in_rounds(match.rounds))
