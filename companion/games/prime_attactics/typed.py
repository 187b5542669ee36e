"""The keys of a play: an aim, a sign, a number, and what goes with it."""

from __future__ import annotations

import re

SIGNS = {"A": "+", "B": "-", "C": "x", "D": "/"}
"""Letter of the keypad → a tile's sign in written form."""
TYPED = re.compile(r"(0?)(?:([A-D][0A-D]{0,3})(?:([1-9])(0)?(?:(D)([1-9]?))?)?)?")
"""The aim; the sign, after which another sign or 0 for the other aim may follow; the number; 0 for a double; D with
the number of a slam dunk's ÷, which has no double."""


def without_replaced(keys: str) -> str:
    """Typed keys with the sign and the aim that count alone: ``0B`` for ``A0B``."""
    found = TYPED.fullmatch(keys)
    if not (found and found[2]):
        return keys
    aimed, _ = begun_by(keys)
    sign = found[2].replace("0", "")[-1]
    return f"{'0' if aimed else ''}{sign}{keys[found.end(2) :]}"


def begun_by(keys: str) -> tuple[bool, str]:
    """Whether typed keys are aimed at the other score, and the sign of their first tile, "" while there is none."""
    found = TYPED.fullmatch(keys)
    aim, letters = (found[1], found[2] or "") if found else ("", "")
    sign = next((SIGNS[letter] for letter in reversed(letters) if letter != "0"), "")
    return bool(aim) != bool(letters.count("0") % 2), sign
