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

ELLIPSIS = "…"
MAX_SHOWN_LETTERS = 64
"""The most letters of a name in a line."""
NAME_SEPARATORS = " -'."
"""What stands between the parts of a name, and says nothing at the end of a cut one."""
NAMELESS_PLAYER = "Player"
"""How players without a name are called, with a number behind it; where there is no room for that, ``P2``."""
MIN_CUT_CHARACTERS = 3
"""The fewest characters to which a name inside a sentence is cut."""
ENDING_LENGTHS = (2, 1, 3, 4)
"""How many last letters follow the ``…``, if another name begins alike; the first that makes it distinct is used."""


def shorten_name(name: str, names: Sequence[str], fits: Callable[[str], bool]) -> str:
    """The name if it fits, else cut so that it can't be mistaken for another one of `names`.

    `names` are all names on the screen. If each is cut by this function, all are distinct. The last resort is the
    name's number among them with ``…``, which is returned even if it doesn't fit.
    """
    if fits(name):
        return name
    others = [other for other in dict.fromkeys(names) if other != name]
    for form in _cut_forms(name, others):
        if fits(form) and not any(_could_be(form, other) for other in others):
            return form
    if not others and fits(name[0] + ELLIPSIS):
        return name[0] + ELLIPSIS
    number = names.index(name) + 1 if name in names else len(names) + 1
    numbered = f"{name[0]}{ELLIPSIS}{number}"
    return (
        numbered
        if fits(numbered) and not any(_could_be(numbered, other) for other in others)
        else f"{number}{ELLIPSIS}"
    )


def unnamed_player_short_form(name: str) -> str:
    """``P2`` for ``Player 2``, "" for a real name."""
    head, _, number = name.rpartition(" ")
    return f"{head[0]}{number}" if head == NAMELESS_PLAYER and number.isdigit() else ""


def _cut_forms(name: str, others: Sequence[str]) -> Iterator[str]:
    """The ways to cut a name, the best first: its beginning; beginning and end; first letter and some of the middle."""
    most = min(len(name) - 1, MAX_SHOWN_LETTERS)
    if short := unnamed_player_short_form(name):
        yield short
    head, blank, number = name.rpartition(" ")
    if blank and number.isdigit():  # "Team 12" keeps its number.
        yield from (f"{head[:end].rstrip()}{ELLIPSIS} {number}" for end in range(min(len(head) - 1, most), 0, -1))
    own = 1 + max((_common_length(name, other) for other in others), default=0)
    if own <= most:
        yield from (_cut_after(name, end) for end in range(most, own - 1, -1))
    for letters in range(most, 1, -1):
        endings = ENDING_LENGTHS if letters > 3 else (1,)
        ends = (end for end in endings if end < letters and name[-end:].strip(NAME_SEPARATORS))
        yield from (_cut_after(name, letters - end) + name[-end:] for end in ends)
    for end in (2, 1):
        yield from (f"{name[0]}{ELLIPSIS}{name[at : at + end]}{ELLIPSIS}" for at in range(2, most))


def _cut_after(name: str, end: int) -> str:
    return name[:end].rstrip(NAME_SEPARATORS) + ELLIPSIS


def _common_length(name: str, other: str) -> int:
    """How many letters the beginnings of two names have in common."""
    pairs = enumerate(zip(name, other, strict=False))
    return next((at for at, (one, two) in pairs if one != two), min(len(name), len(other)))


def _could_be(form: str, name: str) -> bool:
    """Whether `form` could be `name` cut: its parts are there in order, with at least one letter for each ``…``."""
    if ELLIPSIS not in form:
        return form == name
    first, *middle, last = form.split(ELLIPSIS)
    if not name.startswith(first):
        return False
    at = len(first) + 1
    for part in middle:
        position = name.find(part, at)
        if position < 0:
            return False
        at = position + len(part) + 1
    return len(name) - len(last) >= at and name.endswith(last)


def shorten_names_in(
    text: str, names: Sequence[str], is_whole: Callable[[str], bool], least: int = MIN_CUT_CHARACTERS
) -> str:
    """A text in which the `names` are cut as little as is necessary for `is_whole`, or to `least` characters."""
    longest_first = sorted(filter(None, names), key=len, reverse=True)
    if not longest_first or is_whole(text):
        return text
    name_pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    shown, name_tuple = text, tuple(names)
    for end in range(min(len(longest_first[0]), MAX_SHOWN_LETTERS) - 1, least - 1, -1):
        shown = name_pattern.sub(lambda name, end=end: limit_name(name[0], end, name_tuple), text)  # type: ignore[misc]
        if is_whole(shown):
            break
    return shown


def limit_names_in(text: str, names: Sequence[str], max_characters: int) -> str:
    """A text in which each of the `names` is cut to at most `max_characters` characters."""
    name_tuple = tuple(names)
    for name in sorted((name for name in name_tuple if len(name) > max_characters), key=len, reverse=True):
        text = text.replace(name, limit_name(name, max_characters, name_tuple))
    return text


@lru_cache(maxsize=512)
def limit_name(name: str, max_characters: int, names: tuple[str, ...]) -> str:
    """A name cut to at most `max_characters` characters, distinct from the others of `names`."""
    return shorten_name(name, names, lambda form: len(form) <= max_characters)
