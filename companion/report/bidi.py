"""Isolates names that are written from right to left or contain control characters for the direction of writing.

Otherwise such a name could reverse the scores and sentences after it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""The control characters for the direction of writing, which are removed from names."""
FROM_RIGHT = ("R", "AL", "AN")
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"


def isolating(names: Iterable[str]) -> Callable[[str], str]:
    """A function that isolates each of the names wherever it occurs in a text."""
    turned = sorted(filter(_turns, set(names)), key=len, reverse=True)
    if not turned:
        return lambda text: text
    anywhere = re.compile("|".join(map(re.escape, turned)))
    return lambda text: anywhere.sub(
        lambda found: f"{FIRST_STRONG_ISOLATE}{TURNING.sub('', found[0])}{POP_ISOLATE}", text
    )


def _turns(name: str) -> bool:
    return bool(TURNING.search(name)) or any(unicodedata.bidirectional(each) in FROM_RIGHT for each in name)
