"""Rounds played at random by the rules alone, for every test that needs a game and not a particular one."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from companion import games, record
from companion.game import Refused

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

    from companion.game import Game

TRIES = 200
"""A sealed hand is guessed at so often before its owner claims to have no move."""


class Round(NamedTuple):
    """A round: `states` are one longer than `events`, the last one being where it stands."""

    rules: Game[Any, Any]
    header: record.Header
    deals: dict[tuple[str, int], tuple[Any, ...]]
    events: list[tuple[int, Any]]
    states: list[Any]

    @property
    def text(self) -> str:
        """Its record."""
        return record.write(self.header, self.deals, self.events, self.rules.outcome(self.states[-1]))


def _guess(game: str, chance: random.Random) -> str:
    """The text of some event, likely or not."""
    if game == "coral-reef":
        corals = "".join(chance.choices("A23456789TJQK", k=chance.randint(1, 3)))
        return chance.choice([f"{chance.randint(1, 5)}:{corals}"] * 9 + ["seed"])
    if game == "prime-attactics":
        return f"{chance.choice(['', '@'])}{chance.choice('+-x/')}{chance.randint(1, 7)}{chance.choice(['', '', 'D'])}"
    column, row = chance.randint(0, 5), chance.randint(1, 6)
    across, up = chance.choice([(1, 0), (0, 1)])
    cells = f"{'abcdefg'[column]}{row}{'abcdefg'[column + across]}{row + up}"
    return f"{chance.randint(0, 6)}-{chance.randint(0, 6)} {cells}"


def _choose(rules: Game[Any, Any], state: Any, seat: int, chance: random.Random) -> Any:
    """A legal event, None if none is found: a listed one, or of a sealed holding mostly a guess that is let pass."""
    listed = list(rules.moves(state))
    if rules.HOLDINGS and rules.find(state) is None and chance.random() < 0.8:
        for _ in range(TRIES):
            move = rules.read(_guess(rules.ID, chance))
            try:
                rules.play(state, seat, move)
            except Refused:
                continue
            return move
    return rules.complete(state, chance.choice(listed), chance.sample) if listed else None


def _play_round(
    game: str, options: dict[str, str], players: int, chance: random.Random, share: float = 0.5, longest: int = 400
) -> Round:
    """A round at random, each holding open with the probability `share`, ended or broken off after `longest` events."""
    rules = games.load(game)
    dealt = rules.deal(players, options, chance.sample)
    deals = {key: pieces for key, pieces in dealt.items() if chance.random() < share}
    names = tuple(("Ann", "Ben", "Cleo", "Dan")[:players])
    header = record.Header(game, options, names, (("note", "played at random"),))
    states = [rules.start(players, options, deals)]
    events: list[tuple[int, Any]] = []
    while (seat := rules.turn(states[-1])) is not None and len(events) < longest:
        move = _choose(rules, states[-1], seat, chance)
        if move is None:
            break
        states.append(rules.play(states[-1], seat, move))
        events.append((seat, move))
    return Round(rules, header, deals, events, states)


def _settings() -> Iterator[tuple[str, dict[str, str], int]]:
    for game in games.GAMES:
        rules = games.load(game)
        for values in itertools.product(*rules.OPTIONS.values()):
            for players in rules.PLAYERS:
                yield game, dict(zip(rules.OPTIONS, values, strict=True)), players


SETTINGS = list(_settings())


@pytest.fixture(scope="session")
def settings_of_all_games() -> list[tuple[str, dict[str, str], int]]:
    """Every game with every combination of its options and every number of players."""
    return SETTINGS


@pytest.fixture(scope="session")
def play_round() -> Callable[..., Round]:
    """`play_round(game, options, players, chance, share=0.5, longest=400)` plays a `Round`."""
    return _play_round
