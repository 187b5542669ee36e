"""The arithmetic of Coral Reef: which corals of a hand add up to a top.

A bag of corals is one int, four bits a rank, the ace lowest: counts of 0–8, added and taken away with + and −.

Corals add up to a top exactly if the numbers among them come to the top and the face cards together, so no sum
here is ever negative: a set of sums is a bit mask, bit n standing for the sum n. A ten counts 0 and lies on top;
where it can be played something can be played without it, so it matters only to a list of plays.
(Sheet, the first three points of its play section.)
"""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

RANKS = "A23456789TJQK"
COUNTS = dict(zip(RANKS, (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, -1, -2, -3), strict=True))
"""Coral → what it counts when placed."""
PLACES = {coral: 4 * at for at, coral in enumerate(RANKS)}
UNITS = {coral: 1 << place for coral, place in PLACES.items()}
"""Coral → the bag that holds one of it."""
NINE = UNITS["9"]

_NUMBER_BITS = sum(15 * UNITS[coral] for coral in "A23456789")
_FACE_BITS = sum(15 * UNITS[coral] for coral in "JQK")
# Numbers of copies that add up to everything from 0 to a count, some or others of them: 5 copies are 1, 2 and 2.
_SPLIT = ((), (1,), (1, 1), (1, 2), (1, 2, 1), (1, 2, 2), (1, 2, 3), (1, 2, 4), (1, 2, 4, 1))
# Of each rank: coral, place, by count the shifts that these are of a mask of sums, and 0 to 8 of it with their sum.
_RANKS = tuple(
    (
        coral,
        PLACES[coral],
        tuple(tuple(n * abs(value) for n in split) for split in _SPLIT),
        tuple((coral * n, n * abs(value)) for n in range(9)),
    )
    for coral, value in COUNTS.items()
)


def pack(corals: Iterable[str]) -> int:
    """The bag of some corals, at most eight of a rank."""
    return sum(map(UNITS.__getitem__, corals))


def unpack(bag: int) -> str:
    """The corals of a bag from ace to king."""
    return "".join([coral * (bag >> place & 15) for coral, place in PLACES.items()])


def count(bag: int, coral: str) -> int:
    """How many of one coral a bag holds, 0–8."""
    return bag >> PLACES[coral] & 15


def can_move(bag: int, tops: tuple[int, ...]) -> bool:
    """Whether an open hand has a valid play on one of the tops (1–10), or a seed."""
    return bag & 15 * NINE > 0 or _target(bag, tops) is not None


def find_play(bag: int, tops: tuple[int, ...]) -> tuple[int, str] | None:
    """A valid play as (index into `tops`, corals in placing order), without listing them; None if there is none."""
    found = _target(bag, tops)
    if found is None:
        return None
    at, total = found
    numbers, faces = _subset(bag & _NUMBER_BITS, total), _subset(bag & _FACE_BITS, total - tops[at])
    return at, numbers[1:] + faces + numbers[0]


def list_answers(bag: int, tops: tuple[int, ...]) -> dict[int, list[tuple[str, str]]]:
    """The distinct answers to each top that has any, as (the numbers, the face cards), each from ace to king.

    A ten on top of them is not part of an answer.
    """
    face_sums, number_sums = _sums(bag & _FACE_BITS), _sums(bag & _NUMBER_BITS)
    useful = {top: both for top in tops if (both := face_sums << top & number_sums)}
    if not useful:
        return {}
    subsets = _subsets if number_sums.bit_length() > _SMALL else _small_subsets
    by_sum: dict[int, list[str]] = {}
    for numbers, total in subsets(bag & _NUMBER_BITS, reduce(or_, useful.values())):
        by_sum.setdefault(total, []).append(numbers)
    taken = _small_subsets(bag & _FACE_BITS, face_sums)
    return {
        top: [(numbers, faces) for faces, less in taken for numbers in by_sum.get(top + less, ())] for top in useful
    }


@lru_cache(maxsize=2048)
def _sums(bag: int) -> int:
    """All sums of some corals of a bag of numbers alone or of face cards alone, as a mask; bit 0 is none of them."""
    mask = 1
    for _, place, shifts, _ in _RANKS:
        copies = bag >> place & 15
        if copies:
            for shift in shifts[copies]:
                mask |= mask << shift
    return mask


def _target(bag: int, tops: tuple[int, ...]) -> tuple[int, int] | None:
    """The first top that can be answered, as (its index, the least that the numbers then come to)."""
    face_sums, number_sums = _sums(bag & _FACE_BITS), _sums(bag & _NUMBER_BITS)
    for at, top in enumerate(tops):
        both = face_sums << top & number_sums
        if both:
            return at, (both & -both).bit_length() - 1
    return None


def _subset(bag: int, total: int) -> str:
    """Some corals of a bag, of numbers alone or face cards alone, with a sum that there is; the largest first."""
    corals = ""
    for coral in reversed(RANKS):
        bag &= UNITS[coral] - 1
        before = _sums(bag)
        while not before >> total & 1:
            corals += coral
            total -= abs(COUNTS[coral])
    return corals


def _subsets(bag: int, wanted: int) -> list[tuple[str, int]]:
    """All parts of a bag, of numbers alone or face cards alone, with a sum in `wanted`: (from ace to king, sum).

    Going backwards over the ranks, `alive` tells for each the sums from which a wanted one can still be reached,
    so no string is begun that leads nowhere.
    """
    held = [(shifts[copies], taken[: copies + 1]) for _, at, shifts, taken in _RANKS if (copies := bag >> at & 15)]
    alive = [wanted]
    for shifts, _ in reversed(held):
        for shift in shifts:
            wanted |= wanted >> shift
        alive.append(wanted)
    found = [("", 0)]
    for _, taken in held:
        alive.pop()
        mask = alive[-1]
        found = [(head + tail, total + n) for head, total in found for tail, n in taken if mask >> total + n & 1]
    return found


_small_subsets = lru_cache(maxsize=2048)(_subsets)  # most hands are small, and come up again and again
_SMALL = 40  # numbers that come to less than this together
