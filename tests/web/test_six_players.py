"""Six players of a game without a board: colours that stay apart, and what a phone shows."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

import companion.web

CSS = (Path(companion.web.__file__).parent / "static" / "board.css").read_text(encoding="utf-8")
SIGHTS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""What of linear red, green and blue an eye sees (Machado, Oliveira and Fernandes, 2009)."""
MIN_DISTANCE = 0.1
"""The least distance in Oklab, in which 0.02 is just noticeable side by side."""
SHAPES = 6


def times(rows, vector):
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in rows)


def oklab(hexadecimal: str, sight):
    """A colour as an eye sees it, in Oklab."""
    channels = [int(hexadecimal[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    seen = [min(max(each, 0), 1) for each in times(sight, linear)]
    cones = times(((0.4122, 0.5363, 0.0514), (0.2119, 0.6807, 0.1074), (0.0883, 0.2817, 0.6300)), seen)
    roots = [each ** (1 / 3) for each in cones]
    return times(((0.2105, 0.7936, -0.0041), (1.9780, -2.4286, 0.4506), (0.0259, 0.7828, -0.8087)), roots)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("scheme", [0, 1])
def test_the_colours_of_six_players_stay_apart(sight, scheme):
    """In the light and the dark scheme, also for those who see fewer colours."""
    colours = [re.findall(rf"seat{seat}\] {{ --me: #(\w{{6}})", CSS)[scheme] for seat in range(1, SHAPES + 1)]
    for one, other in combinations([oklab(each, SIGHTS[sight]) for each in colours], 2):
        assert sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5 > MIN_DISTANCE
