"""How many presses an event takes, OK included: typed on a keypad, and picked with six buttons.

Run it as `python tests/benchmarks/presses.py [GAME]`: random rounds with every combination of options in turn, each
holding open or sealed by chance. Picking counts the fewest presses that lead there, with repeats as single presses.
Where a game is played with sets of several sizes, each size has lines of its own as well.
"""

from __future__ import annotations

import importlib.util
import random
import statistics
import sys
from pathlib import Path
from typing import Any

SEED, ROUNDS = 27, 200


def load_helpers() -> Any:
    """The tests' own module of shared helpers."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
    spec = importlib.util.spec_from_file_location("helpers", Path(__file__).parents[1] / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["helpers"] = module
    spec.loader.exec_module(module)
    return module


def measure_presses(tests: Any, game: str) -> dict[tuple[str, str], list[int]]:
    """Presses of each event of `ROUNDS` rounds, by what was played and the way of entering."""
    chance = random.Random(SEED)
    settings = [(options, players) for each, options, players in tests.SETTINGS if each == game]
    presses: dict[tuple[str, str], list[int]] = {}
    for number in range(ROUNDS):
        options, players = settings[number % len(settings)]
        played = tests.play_through(game, options, players, chance)
        heads = [game, f"{game}, set {options['set']}"] if "set" in options else [game]
        for state, (_, move) in zip(played.states, played.events, strict=False):
            typed, picked = (keys(game, state, str(move)) for keys in (tests.keys_typed, tests.keys_picked))
            for head in heads:
                presses.setdefault((head, "typed"), []).append(len(typed))
                presses.setdefault((head, "picked"), []).append(len(picked))
    return presses


def main() -> None:
    """Print median, 90th percentile, and worst."""
    tests = load_helpers()
    for game in sys.argv[1:] or tests.games.built_in_game_ids():
        for (head, way), presses in sorted(measure_presses(tests, game).items()):
            high = statistics.quantiles(presses, n=10)[-1]
            print(f"{head:17} {way:7} {len(presses):6} events   median {statistics.median(presses):g}", end="")
            print(f"   9 in 10 at most {high:g}   worst {max(presses)}")


if __name__ == "__main__":
    main()
