"""Readers of single values: from what TOML made of the text to what `Config` holds.

Each raises ValueError that says what the value must be, as the rest of a sentence: ``true or false``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_NAME = 16
"""Characters of a player's name."""
HIGHEST_PIN = 27
"""The highest BCM number on the header of a Pi."""
CLUB = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,22}[A-Za-z0-9])?")
"""The name of a club, as it may stand in a link to its hall."""
EXTRAS = ("web", "report", "hall")
"""What the program can do besides, with libraries that only some need."""


def text(value: object) -> str:
    """A text of printable characters, not empty."""
    if not isinstance(value, str) or not value.isprintable() or not value:
        raise ValueError("a text in quotes, without control characters")
    return value


def path(value: object) -> Path:
    """A file or folder, as it is written."""
    return Path(text(value))


def flag(value: object) -> bool:
    """``true`` or ``false``."""
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def number(low: int, high: int) -> Callable[[object], int]:
    """A reader of whole numbers from `low` to `high`."""

    def read(value: object) -> int:
        # A bool is an int to Python, but nobody's pin is "true".
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return value

    return read


def choice(*words: str, why: str = "") -> Callable[[object], str]:
    """A reader of one of some `words`; `why` follows them in the refusal."""

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError(" or ".join(f'"{word}"' for word in words) + why)
        return value

    return read


def pins(value: object, most: int) -> tuple[int, ...]:
    """BCM numbers from 0 to 27, one or a list of at most `most` different ones."""
    listed = value if isinstance(value, list) else [value]
    try:
        found = tuple(number(0, HIGHEST_PIN)(each) for each in listed)
    except ValueError as error:
        raise ValueError(f"a BCM number from 0 to {HIGHEST_PIN} or a list of such") from error
    if len(found) > most or len(set(found)) < len(found):
        raise ValueError(f"at most {most} different pins")
    return found


def key_pins(value: object) -> tuple[int, ...]:
    """The pins of one key: at most four."""
    return pins(value, 4)


def lamp_pins(value: object) -> tuple[int, ...]:
    """The pins of the lamps, a seat each: at most four."""
    return pins(value, 4)


def names(value: object) -> tuple[str, ...]:
    """Players' names: different ones, each of 1 to 16 characters without a comma or a space at its ends."""
    names = value if isinstance(value, list) else [None]
    for name in names:
        if (
            not isinstance(name, str)
            or not re.fullmatch(rf"(?! )[^,]{{1,{LONGEST_NAME}}}(?<! )", name)
            or not name.isprintable()
        ):
            raise ValueError(f"a list of names of 1 to {LONGEST_NAME} letters without commas")
    if len(set(names)) < len(names):
        raise ValueError("a list of different names")
    return tuple(names)


def packages(value: object) -> tuple[str, ...]:
    """Packages as pip takes them."""
    packages = value if isinstance(value, list) else [None]
    for package in packages:
        if not isinstance(package, str) or not re.fullmatch(r"[^-\s].*(?<!\s)", package) or not package.isprintable():
            raise ValueError("a list of packages as pip takes them: a name, or a folder")
    return tuple(packages)


def club(value: object) -> str:
    """The name of a club."""
    if not isinstance(value, str) or not CLUB.fullmatch(value):
        raise ValueError("a name of 1 to 24 letters, digits and hyphens")
    return value


def extras(value: object) -> tuple[str, ...]:
    """Different ones of `EXTRAS`."""
    extras = value if isinstance(value, list) else [None]
    if not all(isinstance(extra, str) and extra in EXTRAS for extra in extras) or len(set(extras)) < len(extras):
        *most, last = (f'"{extra}"' for extra in EXTRAS)
        raise ValueError(f"a list of {', '.join(most)} and {last}")
    return tuple(extras)


pin = number(0, HIGHEST_PIN)
"""A single BCM number."""
