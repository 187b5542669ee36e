"""What the tests of all games need to know about Ziggurat: keys, random events, and a second count of the result."""

from __future__ import annotations

import re
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

from companion.games.ziggurat import rules
from companion.games.ziggurat.grid import SQUARE_NAMES
from companion.games.ziggurat.rules import RULES

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

HIDDEN_HOLDING = "deal"
"""The holding that others must not see."""
DRAW_WORD = ""
PIPS, COLUMNS = "0123456789ABC", "abcdefg"

HAS_SHEET = False
"""Whether a report shows a score sheet whose last line ends in the scores."""
IS_SELDOM_EXACT = False
"""Whether random rounds hardly ever reach a position with nothing hidden. The game's own tests then build some."""
PLANNED_OPEN_SHARE = 1.0
"""Random events hardly ever make a whole round, so a round with sealed hands is planned with open ones."""


def keys_of_event(event: str) -> str:
    """`6-3 d4e4` is 6 3 4 4 B, `10-12 d4d5` is A C 4 4 A."""
    domino, cells = event.split()
    pips = "".join(PIPS[int(pip)] for pip in domino.split("-"))
    (column, row), (second, other) = cells[:2], cells[2:]
    way = ("A" if other > row else "C") if column == second else ("B" if second > column else "D")
    return f"{pips}{COLUMNS.index(column) + 1}{row}{way}"


def keys_of_deal(text: str) -> str:
    return "".join(PIPS[int(pip)] for pip in re.findall(r"[0-9]+", text))


def random_event(chance: random.Random) -> str:
    column, row = chance.randint(0, 5), chance.randint(1, 6)
    across, up = chance.choice([(1, 0), (0, 1)])
    cells = f"{COLUMNS[column]}{row}{COLUMNS[column + across]}{row + up}"
    return f"{chance.randint(0, 6)}-{chance.randint(0, 6)} {cells}"


def probing_event(chance: random.Random) -> str:
    """A random event, mostly where the round begins."""
    text = random_event(chance)
    return f"{text.split()[0]} d4e4" if chance.random() < 0.3 else text


def spellings(event: str) -> tuple[str, ...]:
    """The same play with either pip first, as the picker may write it: ``6-3 d4e4`` is ``3-6 e4d4``."""
    domino, cells = event.split()
    p, q = domino.split("-")
    return event, f"{q}-{p} {cells[2:]}{cells[:2]}"


def may_lead_to(pick: Any, event: str) -> bool:
    """A pick whose domino is chosen can lead to an event with that domino, with either pip first."""
    return pick.step == 0 or any(each.startswith(f"{pick.p}-{pick.q} ") for each in spellings(event))


def longest_draft(state: Any) -> tuple[Any, str] | None:
    """None: no event is too long for the panel."""
    return None


def options_of_state(state: Any) -> dict[str, str]:
    return {}


def position_text(state: Any, holding: Callable[..., str]) -> Iterator[str]:
    """The occupied rows from above, each square with its top pip and height; then level, scores and hand."""
    for row in [range(row, 49, 7) for row in reversed(range(7))]:
        if any(state.heights[cell] for cell in row):
            cells = (f"{state.top_pips[cell]}/{state.heights[cell]}" if state.heights[cell] else "." for cell in row)
            yield f"{SQUARE_NAMES[row[0]][1]}  " + " ".join(f"{cell:>5}" for cell in cells)
    yield "   " + " ".join(f"{letter:>5}" for letter in COLUMNS)
    yield f"level {state.level}, scores {' '.join(map(str, state.scores))}, places {len(rules.free_pairs(state))}"
    if (seat := state.to_move) is not None:
        hand = state.hands[seat - 1]
        yield f"seat {seat} holds {holding(hand.pieces, hand.size, RULES.format_deal)}"


def events_to_try(state: Any) -> list[str]:
    held = str(next(iter(RULES.legal_moves(state)), "0-0")).partition(" ")[0]
    beside = [(f"{a}{b}{c}{b}", f"{a}{b}{a}{int(b) + 1}") for a, c in pairwise("abcdefg") for b in "123456"]
    return ["9-12 d4e4", "7-8 d4e4", *(f"{held} {pair}" for pair in ("d4f4", *chain(*beside)))]


def count_by_events(events: list[tuple[int, str]], seats: int, options: dict[str, str]) -> Iterator[tuple[int, ...]]:
    """Points: on the base for a square beside its equal, above for a square on its equal."""
    points, heights, pips, owner = [0] * seats, {}, {}, {}
    yield tuple(points)
    for index, (seat, text) in enumerate(events):
        first, second, one, other = re.fullmatch(r"(\d+)-(\d+) (..)(..)", text).groups()
        level = heights.get(one, 0) + 1
        for cell, pip in ((one, first), (other, second)):
            column, row = cell[0], int(cell[1])
            near = [f"{chr(ord(column) + x)}{row + y}" for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]
            if level == 1:
                points[seat - 1] += any(pips.get(each) == pip and owner[each] != index for each in near)
            elif pips[cell] == pip:
                points[seat - 1] += level
        for cell, pip in ((one, first), (other, second)):
            heights[cell], pips[cell], owner[cell] = level, pip, index
        yield tuple(points)


def gain_of_event(own: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """What a move gained for a seat (from 0) in the unit that is counted."""
    return after[own] - before[own]


def spelled_pieces(text: str, spell: Any) -> str:
    return spell.between(1).join(text.split())


def spelled_event(text: str, spell: Any) -> str:
    p, q, first, second = re.split(r"[- ]|(?<=[a-g][1-7])", text, maxsplit=3)
    cells = f"{spell.between()}{spell.cased(first)}{spell.between()}{spell.cased(second)}"
    return f"{p}{spell.blanks()}-{spell.blanks()}{q}{cells}"
