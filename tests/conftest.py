"""Rounds played at random by the rules alone, and the keys that enter an event, for every test that needs a game."""

from __future__ import annotations

import itertools
import re
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import hypothesis
import pytest

from companion import games, record
from companion.game import Refused

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from companion.game import Game

# A slow or busy machine is no fault of the rules: nothing here is timed.
hypothesis.settings.register_profile("table", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("table")

pytest_plugins = ["desk", "goldens", "limits"]

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


# -- from an event to the keys that enter it ----------------------------------------------------------------------

ARROWS = ("right", "left", "up", "down")


def _type_27(event: str) -> str:
    return event.replace("x", "")


def _type_prime(event: str) -> str:
    if event == "pass":
        return "0"
    letters = str.maketrans("+-x/", "ABCD")
    word, _, tiles = event.partition(" ")
    if word == "refill":
        return "".join(f"{tile[1]}0" if tile[0] == "D" else tile for tile in tiles.split()).translate(letters)
    aim, rest = ("0", event[1:]) if event[0] == "@" else ("", event)
    return aim + rest.replace("D", "0").translate(letters)


def _type_coral(event: str) -> str:
    """`2:54` is typed 254, `draw 7` 07; a seed is a lone 9, and 0 says "I cannot"."""
    word, _, drawn = event.partition(" ")
    keys = {"seed": "9", "draw": "0" + drawn, "pass": "0"}.get(word, event.replace(":", ""))
    return keys.translate(str.maketrans("ATJQK", "10BCD"))


def _type_ziggurat(event: str) -> str:
    """`6-3 d4e4` is 6 3 4 4 B, `10-12 d4d5` is A C 4 4 A."""
    domino, cells = event.split()
    pips = "".join("0123456789ABC"[int(pip)] for pip in domino.split("-"))
    (column, row), (second, other) = cells[:2], cells[2:]
    way = ("A" if other > row else "C") if column == second else ("B" if second > column else "D")
    return f"{pips}{'abcdefg'.index(column) + 1}{row}{way}"


def _typed_deal(game: str, text: str) -> str:
    if game == "ziggurat":
        return "".join("0123456789ABC"[int(pip)] for pip in re.findall(r"[0-9]+", text)) + "#"
    if game == "coral-reef":
        return _type_coral(f"draw {text}")[1:] + "#"
    return _type_prime(f"refill {text}") + "#"


TYPED: dict[str, Callable[[str], str]] = {
    "27": _type_27,
    "prime-attactics": _type_prime,
    "coral-reef": _type_coral,
    "ziggurat": _type_ziggurat,
}
"""Game → what is typed for an event as it is written, without the `#`: a row a line of the key table."""


def _typed_keys(game: str, state: Any, event: str) -> list[str]:
    """The keypad's keys that enter an event, `#` included."""
    return [*TYPED[game](event), "#"]


def _picked_keys(game: str, state: Any, event: str) -> list[str]:
    """The fewest presses of the six buttons that enter an event, OK included. Raises LookupError where none do."""
    entry = games.load_entry(game)
    due = entry.due(state)
    if due is not None and event.split()[0] == due.word:
        at, keys = None, []
        for piece in event.split()[1:]:
            found, at = _walk_to(list(entry.grid(due.grid, _options(state))), at, piece)
            keys += [*found, "ok"]
        return [*keys, "ok"]
    first = entry.pick(state)
    seen, queue = {first}, deque([(first, ["right"])])
    while queue:
        pick, keys = queue.popleft()
        following = entry.entered(state, pick)
        if following is None and entry.picked(state, pick).event == event:
            return [*keys, "ok"]
        steps = [(entry.moved(state, pick, arrow), arrow) for arrow in ARROWS]
        for step, key in [*steps, *([(following, "ok")] if following is not None else [])]:
            if step not in seen and _leads(step, event):
                seen.add(step)
                queue.append((step, [*keys, key]))
    raise LookupError(f"{event} cannot be picked")


def _leads(pick: Any, event: str) -> bool:
    """Whether the event may still come of a pick: what it has of a longer entry is that entry's beginning."""
    settled = event.startswith(getattr(pick, "settled", ""))
    return settled and event.partition(":")[2].startswith(getattr(pick, "corals", ""))


def _options(state: Any) -> dict[str, str]:
    """The options that a position itself tells, as far as they bear on which pieces there are."""
    return {name: getattr(state, name) for name in ("level", "form", "set") if hasattr(state, name)}


def _walk_to(
    grid: Sequence[Sequence[str]], at: tuple[int, int] | None, piece: str
) -> tuple[list[str], tuple[int, int]]:
    """The fewest arrows from a place of the grid of pieces to a piece, and its place; the first one shows the grid."""
    begun = (0, 0) if at is None else at
    seen, queue = {begun}, deque([(begun, ["right"] if at is None else [])])
    while queue:
        (row, column), keys = queue.popleft()
        if grid[row][column] == piece:
            return keys, (row, column)
        for key in ARROWS:
            if key in ("left", "right"):
                places = [(line, place) for line, pieces in enumerate(grid) for place in range(len(pieces))]
                place = places[(places.index((row, column)) + (1 if key == "right" else -1)) % len(places)]
            else:
                other = (row + (1 if key == "down" else -1)) % len(grid)
                place = (other, min(column, len(grid[other]) - 1))
            if place not in seen:
                seen.add(place)
                queue.append((place, [*keys, key]))
    raise LookupError(f"{piece} is not in the grid")


@pytest.fixture(scope="session")
def guess() -> Callable[[str, random.Random], str]:
    """`guess(game, chance)`: the text of some event of a game with holdings, likely or not."""
    return _guess


@pytest.fixture(scope="session")
def typed_deal() -> Callable[[str, str], str]:
    """`typed_deal(game, text)`: what is typed for a holding as a record writes it, `#` included."""
    return _typed_deal


@pytest.fixture(scope="session")
def typed_keys() -> Callable[[str, Any, str], list[str]]:
    """`typed_keys(game, state, event)`: the keypad's keys that enter an event, `#` included."""
    return _typed_keys


@pytest.fixture(scope="session")
def picked_keys() -> Callable[[str, Any, str], list[str]]:
    """`picked_keys(game, state, event)`: the fewest presses of six buttons that enter an event, OK included."""
    return _picked_keys
