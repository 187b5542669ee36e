"""The arithmetic of Coral Reef: which corals of a hand add up to a top.

A bag of corals is one int, four bits a rank, the ace lowest: counts of 0–8, added and taken away with + and −.

Corals add up to a top exactly if the numbers among them come to the top and the face cards together, so no sum
here is ever negative: a set of sums is a bit mask, bit n standing for the sum n. A ten counts 0 and lies on top;
where it can be played something can be played without it, so it matters only to a list of plays.
(Sheet, the first three points of its play section.)
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

RANKS = "A23456789TJQK"
COUNTS = dict(zip(RANKS, (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, -1, -2, -3), strict=True))
"""Coral → what it counts when placed."""
PLACES = {coral: 4 * index for index, coral in enumerate(RANKS)}
UNITS = {coral: 1 << place for coral, place in PLACES.items()}
"""Coral → the bag that holds one of it."""
NINE = UNITS["9"]

_NUMBER_BITS = sum(15 * UNITS[coral] for coral in "A23456789")
_LOW_BITS = sum(15 * UNITS[coral] for coral in "A2345")
_HIGH_BITS = sum(15 * UNITS[coral] for coral in "6789")
_FACE_BITS = sum(15 * UNITS[coral] for coral in "JQK")
_SMALL = 60  # numbers that come to less than this together are listed from their halves
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
    if bag & 15 * NINE:
        return True
    face_sums, number_sums = _sums(bag & _FACE_BITS), _number_sums(bag)
    wanted = 0
    for top in tops:
        wanted |= face_sums << top
    return wanted & number_sums > 0


def find_play(bag: int, tops: tuple[int, ...]) -> tuple[int, str] | None:
    """A valid play as (index into `tops`, corals in placing order), without listing them; None if there is none."""
    face_sums, number_sums = _sums(bag & _FACE_BITS), _number_sums(bag)
    for index, top in enumerate(tops):
        both = face_sums << top & number_sums
        if both:
            total = (both & -both).bit_length() - 1
            numbers, faces = _subset(bag & _NUMBER_BITS, total), _subset(bag & _FACE_BITS, total - top)
            return index, numbers[1:] + faces + numbers[0]
    return None


def answers(bag: int, tops: tuple[int, ...]) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """The numbers that answer a top, by what they count, and the face cards, by what they take off.

    Numbers and face cards whose difference is a top answer it; each group once, written from ace to king.
    """
    face_sums, number_sums = _sums(bag & _FACE_BITS), _number_sums(bag)
    wanted = 0
    for top in tops:
        wanted |= face_sums << top
    wanted &= number_sums
    if not wanted:
        return {}, {}
    by_sum = _by_sum if number_sums.bit_length() > _SMALL else _small_by_sum
    return by_sum(bag & _NUMBER_BITS, wanted), _parts(bag & _FACE_BITS)


def _number_sums(bag: int) -> int:
    """All sums of some numbers of a bag as a mask, from two halves, which come up again and again."""
    mask = _sums(bag & _LOW_BITS)
    for shift in _shifts(bag & _HIGH_BITS):
        mask |= mask << shift
    return mask


@lru_cache(maxsize=2048)
def _sums(bag: int) -> int:
    """All sums of some corals of a bag of numbers alone or of face cards alone, as a mask; bit 0 is none of them."""
    mask = 1
    for shift in _shifts(bag):
        mask |= mask << shift
    return mask


@lru_cache(maxsize=2048)
def _shifts(bag: int) -> tuple[int, ...]:
    """What to shift a mask of sums by, and join it with, so that the corals of a bag may take part in the sums."""
    return tuple([shift for _, place, shifts, _ in _RANKS for shift in shifts[bag >> place & 15]])


def _subset(bag: int, total: int) -> str:
    """Some corals of a bag, of numbers alone or face cards alone, with a sum that there is; the largest first."""
    held = [(coral, shifts[copies]) for coral, index, shifts, _ in _RANKS if (copies := bag >> index & 15)]
    reached = [1]
    for _, shifts in held:
        mask = reached[-1]
        for shift in shifts:
            mask |= mask << shift
        reached.append(mask)
    corals = ""
    for coral, _ in reversed(held):
        reached.pop()
        while not reached[-1] >> total & 1:
            corals += coral
            total -= abs(COUNTS[coral])
    return corals


def _by_sum(bag: int, wanted: int) -> dict[int, list[str]]:
    """The parts of a bag, of numbers alone or face cards alone, from ace to king, by their sum if it is in `wanted`.

    Going backwards over the ranks, `alive` tells for each the sums from which a wanted one can still be reached,
    so no string is begun that leads nowhere.
    """
    held = [
        (shifts[copies], taken[: copies + 1]) for _, index, shifts, taken in _RANKS if (copies := bag >> index & 15)
    ]
    alive = [wanted]
    for shifts, _ in reversed(held):
        for shift in shifts:
            wanted |= wanted >> shift
        alive.append(wanted)
    found = {0: [""]}
    for _, taken in held:
        alive.pop()
        grown: dict[int, list[str]] = {}
        for total, heads in found.items():
            for tail, more in taken:
                if alive[-1] >> total + more & 1:
                    grown.setdefault(total + more, []).extend([head + tail for head in heads])
        found = grown
    return found


@lru_cache(maxsize=2048)
def _small_by_sum(bag: int, wanted: int) -> dict[int, list[str]]:
    """As `_by_sum`, for few numbers: they are joined from two halves, which come up again and again."""
    found: dict[int, list[str]] = {}
    high = _parts(bag & ~_LOW_BITS)
    for less, first in _parts(bag & _LOW_BITS).items():
        for more, last in high.items():
            if wanted >> less + more & 1:
                found.setdefault(less + more, []).extend([few + many for few in first for many in last])
    return found


@lru_cache(maxsize=1024)
def _parts(bag: int) -> dict[int, list[str]]:
    """All parts of a bag by their sum."""
    return _by_sum(bag, -1)
