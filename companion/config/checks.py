"""Readers of single values: check a value from TOML and convert it for `Config`.

Each raises ValueError with what the value must be, as the end of a sentence: ``true or false``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from companion.languages.catalogues import languages

if TYPE_CHECKING:
    from collections.abc import Callable

HIGHEST_PIN = 27
"""The highest BCM number on a Pi's header."""
MOST_PINS = 4
LOWEST_ADDRESS, HIGHEST_ADDRESS = 0x03, 0x77
"""The I2C addresses of devices, in seven bits; the others are reserved."""
CLUB = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,22}[A-Za-z0-9])?")
"""The name of a club, as it may stand in a link to its hall."""
EXTRAS = ("web", "report", "hall")
"""The extras of the package, with libraries that not everybody needs."""


def text(value: object) -> str:
    """Read a text of printable characters that is not empty."""
    if not isinstance(value, str) or not value.isprintable() or not value:
        raise ValueError("a text in quotes, without control characters")
    return value


def path(value: object) -> Path:
    """Read the path of a file or folder."""
    return Path(text(value))


def flag(value: object) -> bool:
    """Read ``true`` or ``false``."""
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def number(low: int, high: int) -> Callable[[object], int]:
    """A reader of whole numbers from `low` to `high`."""

    def read(value: object) -> int:
        # bool is a subclass of int, but "true" is no number here.
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return value

    return read


def i2c_address(value: object) -> int:
    """Read an I2C address of seven bits. One of eight bits, as it is printed on many modules, gets a hint."""
    if isinstance(value, int) and HIGHEST_ADDRESS < value <= 2 * HIGHEST_ADDRESS + 1:
        module = f"0x{value:02X} on a module is address = 0x{value // 2:02X} here"
        raise ValueError(f"a whole number from {LOWEST_ADDRESS} to {HIGHEST_ADDRESS} ({module})")
    return number(LOWEST_ADDRESS, HIGHEST_ADDRESS)(value)


def language(value: object) -> str:
    """Read the code of a language that the program speaks: ``de``."""
    return choice(*languages())(value)


def choice(*words: str, why: str = "") -> Callable[[object], str]:
    """A reader of one of some words; `why` follows them in the error."""

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError(" or ".join(f'"{word}"' for word in words) + why)
        return value

    return read


def pins(value: object) -> tuple[int, ...]:
    """Read a BCM number from 0 to 27, or a list of at most four different ones: of a key, or the seats' lamps."""
    listed = value if isinstance(value, list) else [value]
    try:
        found = tuple(number(0, HIGHEST_PIN)(each) for each in listed)
    except ValueError as error:
        raise ValueError(f"a BCM number from 0 to {HIGHEST_PIN} or a list of such") from error
    if len(found) > MOST_PINS or len(set(found)) < len(found):
        raise ValueError(f"at most {MOST_PINS} different pins")
    return found


def names(value: object) -> tuple[str, ...]:
    """Read players' names: different ones that can be names at the box."""
    from companion.rounds.player_names import LONGEST_NAME, fit, normal_name  # Few configurations have names.

    names = value if isinstance(value, list) else [None]
    if not all(isinstance(name, str) and fit(normal_name(name)) for name in names):
        raise ValueError(f"a list of names of 1 to {LONGEST_NAME} letters without commas")
    if len(set(map(normal_name, names))) < len(names):
        raise ValueError("a list of different names")
    return tuple(names)


def packages(value: object) -> tuple[str, ...]:
    """Read packages as arguments of pip."""
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
    """Read a list of different `EXTRAS`."""
    extras = value if isinstance(value, list) else [None]
    if not all(isinstance(extra, str) and extra in EXTRAS for extra in extras) or len(set(extras)) < len(extras):
        *most, last = (f'"{extra}"' for extra in EXTRAS)
        raise ValueError(f"a list of {', '.join(most)} and {last}")
    return tuple(extras)


pin = number(0, HIGHEST_PIN)
"""Reads a single BCM number."""
