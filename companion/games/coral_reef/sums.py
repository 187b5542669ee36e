"""The arithmetic of Coral Reef: which corals of a hand add up to a top.

A hand of twenty corals has a million subsets, so sums are found by arithmetic on bits and not by trying. A bag
(multiset) of corals is one int with four bits for each rank, the ace lowest: counts of 0 to 8. Bags are added and
subtracted with + and −.

Number cards and face cards have separate sums. Corals match a top if the sum of their numbers equals the top plus what
their face cards subtract, so no sum here is negative. A set of sums is a bit mask in which bit n is the sum n. A ten
counts 0 and must be placed last; if it can be played, so can the play without it, so only lists of plays need it.
(Sheet, the first three points of its play section.)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

RANKS = "A23456789TJQK"
CORAL_VALUES = dict(zip(RANKS, (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, -1, -2, -3), strict=True))
"""Coral → what it counts when placed."""
BIT_POSITIONS = {coral: 4 * index for index, coral in enumerate(RANKS)}
SINGLE_BAGS = {coral: 1 << place for coral, place in BIT_POSITIONS.items()}
"""Coral → the bag that holds one of it."""
NINE_BAG = SINGLE_BAGS["9"]

_NUMBER_BITS = sum(15 * SINGLE_BAGS[coral] for coral in "A23456789")
_LOW_BITS = sum(15 * SINGLE_BAGS[coral] for coral in "A2345")
_HIGH_BITS = sum(15 * SINGLE_BAGS[coral] for coral in "6789")
_FACE_BITS = sum(15 * SINGLE_BAGS[coral] for coral in "JQK")
_SMALL_SUM = 60  # if all numbers of a bag sum to less than this, their parts are joined from two cached halves
# By count 0–8: how to split copies into groups whose sums are all numbers from 0 to the count: 5 into 1, 2 and 2.
_COUNT_SPLITS = ((), (1,), (1, 1), (1, 2), (1, 2, 1), (1, 2, 2), (1, 2, 3), (1, 2, 4), (1, 2, 4, 1))
# For each rank: the coral; its place in a bag; by count, the shifts of a mask of sums for its groups in
# `_COUNT_SPLITS`; and 0 to 8 copies, each with its sum.
_RANK_TABLE = tuple(
    (
        coral,
        BIT_POSITIONS[coral],
        tuple(tuple(n * abs(value) for n in split) for split in _COUNT_SPLITS),
        tuple((coral * n, n * abs(value)) for n in range(9)),
    )
    for coral, value in CORAL_VALUES.items()
)


def bag_of(corals: Iterable[str]) -> int:
    """The bag of some corals, at most eight of a rank."""
    return sum(map(SINGLE_BAGS.__getitem__, corals))


def corals_of(bag: int) -> str:
    """The corals of a bag from ace to king."""
    return "".join([coral * (bag >> place & 15) for coral, place in BIT_POSITIONS.items()])


def count_in_bag(bag: int, coral: str) -> int:
    """How many of one coral are in a bag, 0–8."""
    return bag >> BIT_POSITIONS[coral] & 15


def can_move(bag: int, tops: tuple[int, ...]) -> bool:
    """Whether an open hand has a valid play on one of the tops (1–10), or a seed."""
    if bag & 15 * NINE_BAG:
        return True
    face_sums, number_sums = _sum_mask(bag & _FACE_BITS), _number_sums(bag)
    wanted = 0
    for top in tops:
        wanted |= face_sums << top
    return wanted & number_sums > 0


def can_complete_sum(bag: int, missing: int) -> bool:
    """Whether some corals of a bag, placed with a number or a ten last, make up exactly `missing`.

    Numbers add, face cards subtract, tens count nothing; `missing` is negative if the sum is too high.
    """
    faces, numbers = _sum_mask(bag & _FACE_BITS), _number_sums(bag) & ~1 | (count_in_bag(bag, "T") > 0)
    return (faces << max(missing, 0)) & (numbers << max(-missing, 0)) > 0


def find_play(bag: int, tops: tuple[int, ...]) -> tuple[int, str] | None:
    """A valid play as (index into `tops`, corals in placing order), found without listing all; None for none."""
    face_sums, number_sums = _sum_mask(bag & _FACE_BITS), _number_sums(bag)
    for index, top in enumerate(tops):
        both = face_sums << top & number_sums
        if both:
            total = (both & -both).bit_length() - 1
            numbers = _corals_with_sum(bag & _NUMBER_BITS, total)
            faces = _corals_with_sum(bag & _FACE_BITS, total - top)
            return index, numbers[1:] + faces + numbers[0]
    return None


def number_and_face_groups(bag: int, tops: tuple[int, ...]) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """The parts that plays are made of: groups of numbers by their sum, and groups of face cards by what they subtract.

    A sum of numbers less what face cards subtract must be a top. Only those numbers are listed that make such a play
    with some face cards or with none. Each group is listed once, from ace to king.
    """
    face_sums, number_sums = _sum_mask(bag & _FACE_BITS), _number_sums(bag)
    wanted = 0
    for top in tops:
        wanted |= face_sums << top
    wanted &= number_sums
    if not wanted:
        return {}, {}
    by_sum = _parts_by_sum if number_sums.bit_length() > _SMALL_SUM else _joined_parts_by_sum
    return by_sum(bag & _NUMBER_BITS, wanted), _all_parts(bag & _FACE_BITS)


def _number_sums(bag: int) -> int:
    """A bit mask of all sums that number cards in `bag` can make.

    The sums of the low cards (A to 5) are cached, because the same cards recur in many bags.
    """
    mask = _sum_mask(bag & _LOW_BITS)
    for shift in _shifts(bag & _HIGH_BITS):
        mask |= mask << shift
    return mask


@lru_cache(maxsize=2048)
def _sum_mask(bag: int) -> int:
    """All sums of corals of a bag with only numbers or only face cards, as a mask; bit 0, for no corals, is set."""
    mask = 1
    for shift in _shifts(bag):
        mask |= mask << shift
    return mask


@lru_cache(maxsize=2048)
def _shifts(bag: int) -> tuple[int, ...]:
    """The shifts that add a bag's corals to a mask of sums: ``mask |= mask << shift`` for each."""
    return tuple([shift for _, place, shifts, _ in _RANK_TABLE for shift in shifts[bag >> place & 15]])


def _corals_with_sum(bag: int, total: int) -> str:
    """Corals of a bag (only numbers or only face cards) that sum to `total`, the largest first; these must exist."""
    copies_held = [(coral, shifts[copies]) for coral, index, shifts, _ in _RANK_TABLE if (copies := bag >> index & 15)]
    sums_reached = [1]
    for _, shifts in copies_held:
        mask = sums_reached[-1]
        for shift in shifts:
            mask |= mask << shift
        sums_reached.append(mask)
    corals = ""
    for coral, _ in reversed(copies_held):
        sums_reached.pop()
        while not sums_reached[-1] >> total & 1:
            corals += coral
            total -= abs(CORAL_VALUES[coral])
    return corals


def _parts_by_sum(bag: int, wanted: int) -> dict[int, list[str]]:
    """The parts of a bag (only numbers or only face cards) by their sum, for each sum in the mask `wanted`.

    A part is written from ace to king. For each rank `open_sums` has the sums from which a wanted sum can still be
    reached, so no part is begun that cannot be completed.
    """
    copies_held = [
        (shifts[copies], taken[: copies + 1])
        for _, index, shifts, taken in _RANK_TABLE
        if (copies := bag >> index & 15)
    ]
    open_sums = [wanted]
    for shifts, _ in reversed(copies_held):
        for shift in shifts:
            wanted |= wanted >> shift
        open_sums.append(wanted)
    parts = {0: [""]}
    for _, taken in copies_held:
        open_sums.pop()
        longer_parts: dict[int, list[str]] = {}
        for total, heads in parts.items():
            for tail, more in taken:
                if open_sums[-1] >> total + more & 1:
                    longer_parts.setdefault(total + more, []).extend([head + tail for head in heads])
        parts = longer_parts
    return parts


@lru_cache(maxsize=2048)
def _joined_parts_by_sum(bag: int, wanted: int) -> dict[int, list[str]]:
    """The same as `_parts_by_sum`, for few numbers: parts are joined from those of two halves, which are cached."""
    parts: dict[int, list[str]] = {}
    high = _all_parts(bag & ~_LOW_BITS)
    for less, first in _all_parts(bag & _LOW_BITS).items():
        for more, last in high.items():
            if wanted >> less + more & 1:
                parts.setdefault(less + more, []).extend([few + many for few in first for many in last])
    return parts


@lru_cache(maxsize=1024)
def _all_parts(bag: int) -> dict[int, list[str]]:
    """All parts of a bag (only numbers or only face cards), by their sum."""
    return _parts_by_sum(bag, -1)
