"""How many presses of six buttons a new name takes: `python tests/benchmarks/names.py`.

Counted from the empty name to the OK at its end, by the fewest presses that lead there; a held arrow counts as many
presses as it repeats. `NAMES` are common first names of three to eight letters.
"""

from __future__ import annotations

import statistics
from collections import deque

from companion.evening.model import Session
from companion.evening.screens import alphabet
from companion.evening.screens.name_screens import SpellingScreen
from companion.rounds.stored import StoredHistory

NAMES = (
    "Ben", "Mia", "Leo", "Anna", "Emma", "Noah", "Lena", "Laura", "David", "Sarah", "James", "Sophie", "Oliver",
    "Thomas", "Amelia", "Charlie", "William", "Matthew", "Benjamin", "Isabella",
)  # fmt: skip
MARKED_NAMES = ("Zoë", "Jürgen", "François", "Anna Lena", "Øyvind", "O'Neil")
"""Names with accents, blanks and signs, which are counted separately."""
GOAL_PRESSES = 20
"""The promised median of `NAMES`."""


def count_presses(name: str) -> int:
    """The fewest presses of six buttons that spell a name."""
    first = SpellingScreen("New name", "", lambda session, spelled: session._replace(banner=f"={spelled}"))
    session = Session((first,), StoredHistory(), uses_buttons=True)
    seen, queue = {(first.name_text, first.cursor, first.shows_signs)}, deque([(session, 0)])
    while queue:
        before, count = queue.popleft()
        for key in ("#", "up", "down", "left", "right"):
            after = before.screen.press(before, key)
            if after.banner == f"={name}":
                return count + 1
            moment = after.screen
            state = (moment.name_text, moment.cursor, moment.shows_signs)
            if state not in seen and can_begin_with(moment.name_text, name):
                seen.add(state)
                queue.append((after, count + 1))
    raise LookupError(f"{name} cannot be spelled")


def can_begin_with(begun: str, name: str) -> bool:
    """Whether a name can begin like this, its last letter still without its accent."""
    wanted = name[: len(begun)]
    return wanted == begun or (
        wanted[:-1] == begun[:-1] and alphabet.base_letter(wanted[-1]) == alphabet.base_letter(begun[-1])
    )


def main() -> None:
    """Print the presses of each name, the median and the worst."""
    presses_by_name = {name: count_presses(name) for name in NAMES}
    for name, count in sorted(presses_by_name.items(), key=lambda each: each[1]):
        print(f"{name:10} {count:3}")
    print(f"median {statistics.median(presses_by_name.values()):g}   worst {max(presses_by_name.values())}")
    print("   ".join(f"{name} {count_presses(name)}" for name in MARKED_NAMES))


if __name__ == "__main__":
    main()
