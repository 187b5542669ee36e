"""How names are cut so that they fit, in the same way on all screens.

A cut name has ``…`` in place of the missing letters, and can't be mistaken for another name on the screen. From the
best form to the last resort:

======================= ========================================================
Maximilian              the whole name
Maximil…                its beginning
Max…an                  beginning and end, if another name begins like it
M…an…                   first letter and some of the middle
1…                      its number among the names on the screen
======================= ========================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

MARK = "…"
MOST_LETTERS = 64
"""The most letters of a name in a line."""
BETWEEN = " -'."
"""What stands between the parts of a name, and says nothing at the end of a cut one."""
NAMELESS = "Player"
"""How players without a name are called, with a number behind it; where there is no room for that, ``P2``."""
SHORTEST = 3
"""The fewest characters to which a name inside a sentence is cut."""
ENDINGS = (2, 1, 3, 4)
"""How many last letters follow the ``…``, if another name begins alike; the first that makes it distinct is used."""


def shortened(name: str, names: Sequence[str], fits: Callable[[str], bool]) -> str:
    """The name if it fits, else cut so that it can't be mistaken for another one of `names`.

    `names` are all names on the screen. If each is cut by this function, all are distinct. The last resort is the
    name's number among them with ``…``, which is returned even if it doesn't fit.
    """
    if fits(name):
        return name
    others = [other for other in dict.fromkeys(names) if other != name]
    for form in _forms(name, others):
        if fits(form) and not any(_may_be(form, other) for other in others):
            return form
    if not others and fits(name[0] + MARK):
        return name[0] + MARK
    place = names.index(name) + 1 if name in names else len(names) + 1
    numbered = f"{name[0]}{MARK}{place}"
    return numbered if fits(numbered) and not any(_may_be(numbered, other) for other in others) else f"{place}{MARK}"


def nameless(name: str) -> str:
    """``P2`` for ``Player 2``, "" for a real name."""
    head, _, number = name.rpartition(" ")
    return f"{head[0]}{number}" if head == NAMELESS and number.isdigit() else ""


def _forms(name: str, others: Sequence[str]) -> Iterator[str]:
    """The ways to cut a name, the best first: its beginning; beginning and end; first letter and some of the middle."""
    most = min(len(name) - 1, MOST_LETTERS)
    if short := nameless(name):
        yield short
    head, blank, number = name.rpartition(" ")
    if blank and number.isdigit():  # "Team 12" keeps its number.
        yield from (f"{head[:end].rstrip()}{MARK} {number}" for end in range(min(len(head) - 1, most), 0, -1))
    own = 1 + max((_shared(name, other) for other in others), default=0)
    if own <= most:
        yield from (_begun(name, end) for end in range(most, own - 1, -1))
    for letters in range(most, 1, -1):
        endings = ENDINGS if letters > 3 else (1,)
        ends = (end for end in endings if end < letters and name[-end:].strip(BETWEEN))
        yield from (_begun(name, letters - end) + name[-end:] for end in ends)
    for end in (2, 1):
        yield from (f"{name[0]}{MARK}{name[at : at + end]}{MARK}" for at in range(2, most))


def _begun(name: str, end: int) -> str:
    return name[:end].rstrip(BETWEEN) + MARK


def _shared(name: str, other: str) -> int:
    """How many letters the beginnings of two names have in common."""
    pairs = enumerate(zip(name, other, strict=False))
    return next((at for at, (one, two) in pairs if one != two), min(len(name), len(other)))


def _may_be(form: str, name: str) -> bool:
    """Whether `form` could be `name` cut: its parts are there in order, with at least one letter for each ``…``."""
    if MARK not in form:
        return form == name
    first, *middle, last = form.split(MARK)
    if not name.startswith(first):
        return False
    at = len(first) + 1
    for part in middle:
        found = name.find(part, at)
        if found < 0:
            return False
        at = found + len(part) + 1
    return len(name) - len(last) >= at and name.endswith(last)


def yielding(s: str, names: Sequence[str], is_whole: Callable[[str], bool]) -> str:
    """A text in which the `names` are cut as little as is necessary for `is_whole`, or as far as possible."""
    longest_first = sorted(filter(None, names), key=len, reverse=True)
    if not longest_first or is_whole(s):
        return s
    found = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    shown, among = s, tuple(names)
    for end in range(min(len(longest_first[0]), MOST_LETTERS) - 1, SHORTEST - 1, -1):
        shown = found.sub(lambda name, end=end: in_characters(name[0], end, among), s)  # type: ignore[misc]
        if is_whole(shown):
            break
    return shown


def readable(s: str, names: Sequence[str], most: int) -> str:
    """A text in which each of the `names` is cut to at most `max_characters` characters."""
    among = tuple(names)
    for name in sorted((name for name in among if len(name) > most), key=len, reverse=True):
        s = s.replace(name, in_characters(name, most, among))
    return s


@lru_cache(maxsize=512)
def in_characters(name: str, most: int, names: tuple[str, ...]) -> str:
    """A name cut to at most `max_characters` characters, distinct from the others of `names`."""
    return shortened(name, names, lambda form: len(form) <= most)
