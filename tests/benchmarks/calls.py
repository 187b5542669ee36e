"""How often one key calls the game: calls into `companion/games/` from `#` to the picture, by function.

Run it as `python tests/benchmarks/calls.py [GAME [OPTIONS]]`: the second move of a round of Coral Reef (or of another
game), typed, with sealed hands. A first move is played before, so that work of the first use only is not counted.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import presses

from companion import display, games
from companion.evening import state_machine
from companion.evening.model import Session
from companion.inputs import KeyPressed
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory

SEED = 5


def make_table(game: str, options: dict[str, str]) -> Session:
    """A table with a round at its first turn."""
    header = RoundHeader(game, tuple(options.items()), ("Ann", "Ben"))
    session = state_machine.start_session(SessionSettings(requested_round=header), StoredHistory())
    return state_machine.clear_outbox(session)


def press_keys(session: Session, keys: str | list[str]) -> Session:
    """The session after some keys, each of which is painted."""
    for key in keys:
        session = state_machine.update_session(session, KeyPressed(key, session.now + 1.0))
        display.session_picture(session)
        session = state_machine.clear_outbox(state_machine.mark_shown(session, session.now))
    return session


def count_calls(session: Session, key: str) -> Counter[str]:
    """Count the calls of functions in `companion/games/` from a key to its picture."""
    calls: Counter[str] = Counter()
    folder = str(Path(games.__file__).parent)

    def profile(frame: Any, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(folder):
            calls[frame.f_code.co_qualname] += 1

    sys.setprofile(profile)
    try:
        display.session_picture(state_machine.update_session(session, KeyPressed(key, session.now + 1.0)))
    finally:
        sys.setprofile(None)
    return calls


def main() -> None:
    """Print the calls of `#` for a move, and those of the key before it."""
    game = sys.argv[1] if len(sys.argv) > 1 else "coral-reef"
    options = dict(each.split("=") for each in sys.argv[2:])
    tests = presses.load_helpers()
    session = make_table(game, options)
    played = tests.play_through(game, options, 2, random.Random(SEED), share=0.0)
    for state, (_, move) in zip(played.states[:2], played.events[:2], strict=True):
        keys = tests.keys_typed(game, state, str(move))
        before = press_keys(session, keys[:-1])
        session = press_keys(before, keys[-1:])
    assert session.round is not None
    assert len(session.round.events) == 2, "the moves were not played"
    calls = count_calls(before, "#")
    print(f"{game}, {move}: {calls.total()} calls into companion/games from # to the picture")
    for name, times in calls.most_common(12):
        print(f"  {times:4} {name}")
    for name in ("turn", "play"):
        print(f"  {name}: {sum(times for each, times in calls.items() if each.endswith(f'.{name}'))}")


if __name__ == "__main__":
    main()
