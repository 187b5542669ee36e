"""What another language costs: processor time a press, and the start and the memory of the table, against English.

Run it as `python tests/benchmarks/languages.py [LANGUAGE [REPEATS]]` (de, 9). The presses are those of the evening of
`night.py`, from the key to the frame for the panel; disk and wire take as long in every language and are left out. The
evening is played in each language in turn, and the least time of each press counts, because other work of the machine
only adds to it. The start and the memory are those of `start.py`, each language in turn: the least of the seconds to
the first picture, and the median of the memory a while later.
"""

from __future__ import annotations

import gc
import itertools
import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent))

import night
import presses
import start

from companion import display
from companion.evening import state_machine
from companion.inputs import KeyPressed
from hardware import frames

if TYPE_CHECKING:
    from collections.abc import Iterator

GOAL_PER_CENT = 5
"""Per cent more than English."""
STARTS, SETTLE_SECONDS = 31, 3.0
"""How often the table is started, and the seconds after which its memory is read."""


def play_once(steps: list[night.Step], language: str, least: list[float]) -> None:
    """Press every key of the evening in a language; `least` becomes the least time of each."""
    gc.collect()
    for place, (before, (event, _, _)) in enumerate(itertools.pairwise(steps)):
        session = before.session._replace(language=language)
        begun = time.thread_time()
        frames.pack_frame(display.session_picture(state_machine.update_session(session, event)))
        least[place] = min(least[place], time.thread_time() - begun)


def measure_by_game(languages: tuple[str, str], repeats: int) -> dict[str, list[float]]:
    """Milliseconds a press in both languages, by the game on the table."""
    steps: list[night.Step] = night.ScriptedEvening(presses.load_helpers()).play()
    least = {language: [float("inf")] * (len(steps) - 1) for language in languages}
    for _ in range(repeats):
        for language in languages:
            play_once(steps, language, least[language])
    pressed: dict[str, list[int]] = defaultdict(list)
    for place, step in enumerate(steps[1:]):
        if isinstance(step.event, KeyPressed):
            pressed[step.game or "menus"].append(place)
    pressed["all"] = [place for places in pressed.values() for place in places]
    return {
        game: [1000 * statistics.fmean(least[language][place] for place in places) for language in languages]
        for game, places in pressed.items()
    }


def measure_starts(languages: tuple[str, str]) -> Iterator[list[float]]:
    """Seconds to the first picture of the table in both languages, then its peak MiB."""
    companion = str(Path(sys.executable).with_name("companion"))
    found: dict[str, list[tuple[float, float]]] = {language: [] for language in languages}
    for _ in range(STARTS):
        for language in languages:
            found[language].append(
                start.time_start(companion, "run", "--data", "DATA", settle=SETTLE_SECONDS, language=language)
            )
    yield [min(seconds for seconds, _ in found[language]) for language in languages]
    yield [statistics.median(memory for _, memory in found[language]) for language in languages]


def print_figure(what: str, unit: str, english: float, other: float) -> bool:
    """Print a line. Returns whether the goal is reached."""
    more = 100 * (other / english - 1)
    reached = more <= GOAL_PER_CENT
    print(f"{what:32} {english:8.3f} {other:8.3f} {unit:4} {more:+6.1f} %   {'ok' if reached else 'MISSED'}")
    return reached


def main() -> int:
    """Print the figures; 1 if the goal is missed."""
    language, repeats, *_ = (*sys.argv[1:], *("de", "9")[len(sys.argv) - 1 :])
    languages = ("en", language)
    reached = [
        print_figure(f"CPU a press, {game}", "ms", *found)
        for game, found in sorted(measure_by_game(languages, int(repeats)).items())
    ]
    for what, unit, found in zip(("start", "memory"), ("s", "MiB"), measure_starts(languages), strict=True):
        reached.append(print_figure(what, unit, *found))
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
