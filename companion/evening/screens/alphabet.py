"""The letters of names: a grid to pick them from, the taps of a keypad's digits, and the accents of each letter."""

from __future__ import annotations

from itertools import zip_longest

LETTERS = ("ABCDEFGHI", "JKLMNOPQR", "STUVWXYZ ")
SIGNS = ("123456789", "0-'.& ")
"""The two pages of the grid. The order of the alphabet is found without looking for it."""
STARTS = (0, 3, 5)
"""The columns in which the cells of the grid's last row begin: done, an accent, the other page."""
DONE, ACCENT, OTHER = range(3)

TAPS = {"1": "-'.1", "2": "abc2", "3": "def3", "4": "ghi4", "5": "jkl5", "6": "mno6", "7": "pqrs7", "8": "tuv8",
        "9": "wxyz9", "0": " 0"}  # fmt: skip
ACCENTS = {
    "a": "äåáàâãæąăā", "c": "çćč", "d": "ďđð", "e": "éèêëęěėē", "g": "ğģ", "i": "íìîïıİīį", "k": "ķ", "l": "łľĺļ",
    "n": "ñńňņ", "o": "öøóòôõőœ", "r": "řŕ", "s": "ßšśşș", "t": "ťţțþ", "u": "üúùûůűūų", "y": "ýÿ", "z": "žźż",
}  # fmt: skip
"""The letters that are made of each, those that are used most first."""
COMMON = "aeiouscn"
"""The letters whose accents are used most."""


def is_capital(before: str) -> bool:
    """Whether the next letter is a capital: at the start of each word."""
    return not before or before[-1] in " -'."


def cased(letter: str, *, capital: bool) -> str:
    """The letter as it stands there; one without a capital of its own, such as ß, stays."""
    other = letter.upper() if capital else letter.lower()
    return other if len(other) == 1 else letter


def accents(base: str, *, capital: bool) -> list[str]:
    """The letters that are made of a small one, in that case: without ß, which has no capital, and ı, whose is I."""
    made = ACCENTS.get(base, "")
    if capital:
        return [each.upper() for each in made if len(each.upper()) == 1 and not each.upper().isascii()]
    return [each for each in made if each.islower()]


def base(letter: str) -> str:
    """The small letter without accent that a letter is made of; itself if it is made of none."""
    return next((each for each, made in ACCENTS.items() if letter in made + made.upper()), letter.lower())


def next_accent(letter: str) -> str:
    """What follows a letter among all that are made of the same one, in its case; "" if none are."""
    small, capital = base(letter), letter.isupper()
    made = accents(small, capital=capital)
    found = [cased(small, capital=capital), *made]
    return found[(found.index(letter) + 1) % len(found)] if letter and made else ""


def taps(digit: str, *, capital: bool) -> str:
    """What taps on a digit make one after the other: its letters, itself, their accents, those of `COMMON` first."""
    plain = TAPS[digit]
    made = [cased(each, capital=capital) for each in plain]
    for letters in ([each for each in COMMON if each in plain], [each for each in plain if each not in COMMON]):
        ranks = zip_longest(*(accents(letter, capital=capital) for letter in letters), fillvalue="")
        made += [each for rank in ranks for each in rank]
    return "".join(made)


def walked(rows: tuple[tuple[str, ...], ...], at: tuple[int, int], key: str) -> tuple[int, int]:
    """The place, row and column, that an arrow leads to from another; it wraps round, and leaves out empty cells.

    The last of `rows` has the wide cells that begin in the columns `STARTS`, but for the first that is there, which
    begins the row.
    """
    row, column = at
    if key in ("left", "right"):
        by = 1 if key == "right" else -1
        there = (column + by) % len(rows[row])
        while not rows[row][there]:
            there = (there + by) % len(rows[row])
        return row, there
    last = len(rows) - 1
    cells = [cell for cell, label in enumerate(rows[last]) if label]
    starts = {cell: STARTS[cell] if place else 0 for place, cell in enumerate(cells)}
    if row == last:
        column = starts[column]
    row = (row + (1 if key == "down" else -1)) % len(rows)
    if row < last:
        return row, min(column, len(rows[row]) - 1)
    return row, min(cells, key=lambda cell: (starts[cell] > column, abs(starts[cell] - column)))
