"""Rounds played at random by the rules alone, and the keys that enter a move, for every test that needs a game."""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.metadata import entry_points
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from examples import example_count
from game_support import support_of_game

from companion.evening.screens.play.dealing import NamingScreen

pytest.register_assert_rewrite("companion.gamekit.contract")

from companion import games  # noqa: E402
from companion.gamekit import contract  # noqa: E402
from companion.gamekit.contract import RandomRound  # noqa: E402
from companion.games import ENTRY_POINT_GROUP  # noqa: E402

if TYPE_CHECKING:
    import random


# A slow or busy machine is no fault of the rules: nothing here is timed. The examples are the same in every run, so
# that a failure is that of the change; PYTEST_FRESH=1 takes new ones, see CONTRIBUTING.md.
hypothesis.settings.register_profile(
    "table",
    max_examples=example_count(100),
    deadline=None,
    derandomize=not os.environ.get("PYTEST_FRESH"),
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("table")
# The tests of a worker are thousands of objects that live to its end: looking through them took a tenth of the time.
gc.set_threshold(100_000, 20, 50)


def pytest_xdist_auto_num_workers() -> int:
    """For ``-n auto``: two more than there are processors, since many tests wait for a process, a browser or a disk."""
    return len(os.sched_getaffinity(0)) + 2


def pytest_configure(config: pytest.Config) -> None:
    """Stop if a game of another package is installed: it would be in the menu of half of the tests."""
    if found := sorted({point.dist.name for point in entry_points(group=ENTRY_POINT_GROUP) if point.dist}):
        raise pytest.UsageError(f"the tests are for the games of this project; uninstall {', '.join(found)} first")


pytest_plugins = [
    "browser",
    "debian_roots",
    "driven_table",
    "small_disks",
    "sticks",
    "goldens",
    "homes",
    "untranslated_words",
    "limits",
    "shared_rewriting",
    "club_night",
]


def play_through(
    game: str, options: dict[str, str], players: int, chance: random.Random, share: float = 0.5, longest: int = 400
) -> RandomRound:
    return contract.play_random_round(
        game, options, players, chance, share=share, longest=longest, guess=support_of_game(game).random_event
    )


SETTINGS = [each for game in games.built_in_game_ids() for each in contract.option_combinations(game)]


@pytest.fixture(scope="session")
def settings_of_all_games() -> list[tuple[str, dict[str, str], int]]:
    """Every game with every combination of its options and every number of players."""
    return SETTINGS


@pytest.fixture(scope="session")
def play_round() -> Callable[..., RandomRound]:
    """`play_round(game, options, players, chance, share=0.5, longest=400)` plays a round."""
    return play_through


# -- from an event to the keys that enter it ----------------------------------------------------------------------

ARROWS = ("right", "left", "up", "down")


def keys_of_deal(game: str, text: str) -> str:
    return support_of_game(game).keys_of_deal(text) + "#"


def keys_typed(game: str, state: Any, event: str) -> list[str]:
    """The keypad's keys that enter a move, with `#`."""
    return [*support_of_game(game).keys_of_event(event), "#"]


def keys_picked(game: str, state: Any, event: str) -> list[str]:
    """The fewest presses of the six buttons that enter a move, however it is spelled, with OK.

    Raises LookupError if no presses do.
    """
    move_input = games.load_move_input(game)
    due = move_input.due_refill(state)
    if due is not None and event.split()[0] == due.event_word:
        rules, options = games.load_rules(game), support_of_game(game).options_of_state(state)
        round_ = SimpleNamespace(move_input=move_input, game=rules, state=state, options=options)
        moment = NamingScreen(due.event_word, rules.seat_to_move(state) or 1, due.piece_count, grid_word=due.piece_kind)
        return keys_of_naming(round_, moment, event.split()[1:])
    known = _presses(game, state)
    spellings = support_of_game(game).spellings(event)
    begun = {move_input.pick_at_first_arrow(state, arrow): arrow for arrow in reversed(ARROWS)}
    seen, queue = set(begun), deque((pick, [arrow]) for pick, arrow in begun.items())
    while queue:
        pick, keys = queue.popleft()
        if pick not in known:
            known[pick] = _pressed(move_input, state, pick)
        played, steps = known[pick]
        if played in spellings:
            return [*keys, "ok"]
        for step, key in steps:
            if step not in seen and support_of_game(game).may_lead_to(step, event):
                seen.add(step)
                queue.append((step, [*keys, key]))
    raise LookupError(f"{event} cannot be picked")


@lru_cache(maxsize=4)
def _presses(game: str, state: Any) -> dict[Any, tuple[str | None, list[tuple[Any, str]]]]:
    """Pick → what each press does with it, as far as it was asked for: the moves of a position share most picks."""
    return {}


def _pressed(move_input: Any, state: Any, pick: Any) -> tuple[str | None, list[tuple[Any, str]]]:
    """The move that OK plays from a pick (None for none), and the picks that each other press leads to."""
    following = move_input.pick_after_ok(state, pick)
    steps = [(move_input.pick_after_arrow(state, pick, arrow), arrow) for arrow in ARROWS]
    if following is not None:
        return None, [*steps, (following, "ok")]
    return move_input.draft_from_pick(state, pick).event, steps


def keys_of_naming(round_: Any, moment: NamingScreen, pieces: Sequence[str]) -> list[str]:
    """The fewest presses of six buttons that name pieces in this order, with the final OK."""
    keys = []
    for piece in pieces:
        found, moment = _walk_to(round_, moment, piece)
        keys += [*found, "ok"]
        assert moment.cursor is not None
        moment = moment.with_picked_piece(round_, moment.cursor)
    return [*keys, "ok"]


def _walk_to(round_: Any, moment: NamingScreen, piece: str) -> tuple[list[str], NamingScreen]:
    """The fewest arrows that move the picker to a piece; the first one shows the picker. Raises LookupError."""
    grid = round_.move_input.piece_rows(moment.grid_word or moment.kind, round_.options)
    places = moment.pickable_positions(round_)
    seen, queue = {moment.cursor}, deque([(moment, [])])
    while queue:
        moment, keys = queue.popleft()
        if moment.cursor is not None and grid[moment.cursor[0]][moment.cursor[1]] == piece:
            return keys, moment
        for key in ARROWS:
            step = moment.with_arrow(places, key)
            if step.cursor not in seen:
                seen.add(step.cursor)
                queue.append((step, [*keys, key]))
    raise LookupError(f"{piece} is not offered")


@pytest.fixture(scope="session")
def guess() -> Callable[[str, random.Random], str]:
    """`guess(game, chance)`: the text of some move of a game, likely or not."""
    return lambda game, chance: support_of_game(game).random_event(chance)


@pytest.fixture(scope="session")
def typed_deal() -> Callable[[str, str], str]:
    """`typed_deal(game, text)`: what is typed for a holding as a record writes it, with `#`."""
    return keys_of_deal


@pytest.fixture(scope="session")
def typed_keys() -> Callable[[str, Any, str], list[str]]:
    """`typed_keys(game, state, event)`: the keypad's keys that enter a move, with `#`."""
    return keys_typed


@pytest.fixture(scope="session")
def picked_keys() -> Callable[[str, Any, str], list[str]]:
    """`picked_keys(game, state, event)`: the fewest presses of six buttons that enter a move, with OK."""
    return keys_picked


@pytest.fixture(scope="session")
def naming_keys() -> Callable[[Any, NamingScreen, Sequence[str]], list[str]]:
    """`naming_keys(round, moment, pieces)`: the fewest presses of six buttons that name pieces, in this order."""
    return keys_of_naming
