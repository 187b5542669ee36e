"""The letters of names, and the three ways to get at them.

They can be picked in a grid, typed by taps of a keypad's digits, or found among the accents of the last letter.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ "
"""The row of letters, in the order of the alphabet, so that nobody has to search for a letter."""
SIGNS = "1234567890-'.& "
"""The other row: digits, and the signs that a name may have."""
OTHER_ROW_CELL, ACCENT_CELL, DONE_CELL = -3, -2, -1
"""The last cells of each row, before the first letter again: the other row, an accent, done."""
STEPS = {"left": -1, "right": 1, "up": -9, "down": 9}
"""The cells by which an arrow moves the cursor. With steps of 9 a common name takes the fewest presses."""

TAP_LETTERS = {"1": "-'.1", "2": "abc2", "3": "def3", "4": "ghi4", "5": "jkl5", "6": "mno6", "7": "pqrs7", "8": "tuv8",
        "9": "wxyz9", "0": " 0"}  # fmt: skip
ACCENTS = {
    "a": "äåáàâãæąăā", "c": "çćč", "d": "ďđð", "e": "éèêëęěėē", "g": "ğģ", "i": "íìîïıİīį", "k": "ķ", "l": "łľĺļ",
    "n": "ñńňņ", "o": "öøóòôõőœ", "r": "řŕ", "s": "ßšśşș", "t": "ťţțþ", "u": "üúùûůűūų", "y": "ýÿ", "z": "žźż",
}  # fmt: skip
"""The letters that each letter can become, those that are used most first."""
COMMON_BASE_LETTERS = "aeiouscn"
"""The letters whose accents are used most."""


def begins_word(text_before: str) -> bool:
    """Whether the next letter begins a word, and so is a capital."""
    return not text_before or text_before[-1] in " -'."


def in_case(letter: str, *, is_capital: bool) -> str:
    """The letter as a capital or a small letter. One without a single capital, such as ß, stays as it is."""
    other = letter.upper() if is_capital else letter.lower()
    return other if len(other) == 1 else letter


def accented_letters(base: str, *, is_capital: bool) -> list[str]:
    """The accented letters of a small letter, as capitals or as small letters.

    Among the capitals ß is missing, which has none, and ı, whose capital is a plain I.
    """
    accented = ACCENTS.get(base, "")
    if is_capital:
        return [each.upper() for each in accented if len(each.upper()) == 1 and not each.upper().isascii()]
    return [each for each in accented if each.islower()]


def base_letter(letter: str) -> str:
    """The small letter without accent that a letter is made of: ``e`` for ``É``; itself if it has no accent."""
    return next((each for each, made in ACCENTS.items() if letter in made + made.upper()), letter.lower())


def next_accent(letter: str) -> str:
    """The letter that follows in the cycle of a letter and its accents, in the same case; "" if it has none."""
    small, capital = base_letter(letter), letter.isupper()
    accented = accented_letters(small, is_capital=capital)
    cycle = [in_case(small, is_capital=capital), *accented]
    return cycle[(cycle.index(letter) + 1) % len(cycle)] if letter and accented else ""


def tap_cycle(digit: str, *, is_capital: bool) -> str:
    """What one, two, three ... taps on a digit give: its letters, the digit, then accents, the common ones first."""
    plain = TAP_LETTERS[digit]
    cycle = [in_case(each, is_capital=is_capital) for each in plain]
    for letters in (
        [each for each in COMMON_BASE_LETTERS if each in plain],
        [each for each in plain if each not in COMMON_BASE_LETTERS],
    ):
        ranks = zip_longest(*(accented_letters(letter, is_capital=is_capital) for letter in letters), fillvalue="")
        cycle += [each for rank in ranks for each in rank]
    return "".join(cycle)


def next_cell(cells: Sequence[str], at: int, arrow: str) -> int:
    """The index of the cell to which an arrow leads in a row. It wraps round at the ends and skips empty cells."""
    at = (at + STEPS[arrow]) % len(cells)
    while not cells[at]:
        at = (at + (1 if STEPS[arrow] > 0 else -1)) % len(cells)
    return at
