"""Spelling a name with few keys: by arrows, by multi-tap, or letter by letter where there is a keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.opponent import strength
from companion.record.values import usable_name

if TYPE_CHECKING:
    from companion.session.model import Spelling

LONGEST_NAME = 16
LETTERS = " ABCDEFGHIJKLMNOPQRSTUVWXYZ-'.0123456789"
_TAPS = {"1": "-'.1", "2": "ABC2", "3": "DEF3", "4": "GHI4", "5": "JKL5", "6": "MNO6", "7": "PQRS7", "8": "TUV8",
         "9": "WXYZ9", "0": " 0"}  # fmt: skip
_TAP_SECONDS = 1.2


def fit(name: str) -> bool:
    """Whether a text can be a player's name, at the box, in a tournament, and wherever players are renamed."""
    return usable_name(name) and len(name) <= LONGEST_NAME and not strength(name)


def unfit(name: str) -> str:
    """The sentence that says why a text cannot be a player's name."""
    if strength(name):
        return f"{name} is what the box is called where it plays itself."
    return f"A name has 1 to {LONGEST_NAME} letters, and no comma." if name else "Say a name."


def spelled(mode: Spelling, key: str, now: float) -> Spelling:
    """The name after a key: up and down change its last letter, right opens a blank after it, left and BACK erase it.

    A blank that is left at the end is no part of the name, so OK may follow right at once.

    Digits are multi-tap. A letter is itself: A to D of a keypad, all of them on the keyboard of a terminal.
    """
    text = mode.text
    if key in ("*", "left"):
        return mode._replace(text=text[:-1], tap=("", 0.0))
    if key in ("up", "down"):
        index = LETTERS.find(text[-1:].upper() or " ") + (1 if key == "up" else -1)
        return mode._replace(text=_cased(text[:-1], LETTERS[index % len(LETTERS)]))
    if mode.tap[0] == "right" and text.endswith(" ") and (key in _TAPS or key in LETTERS):
        mode = mode._replace(text=text[:-1], tap=("", 0.0))  # It was opened for this letter.
        text = mode.text
    if key in _TAPS:
        return _tapped(mode, key, now)
    if len(text) >= LONGEST_NAME:
        return mode
    if key == "right":
        return mode if not text or text.endswith("  ") else mode._replace(text=f"{text} ", tap=(key, now))
    return mode._replace(text=_cased(text, key), tap=("", 0.0)) if key in LETTERS else mode


def _tapped(mode: Spelling, key: str, now: float) -> Spelling:
    """Multi-tap: the same key soon again changes the last letter, else a letter is added."""
    letters = _TAPS[key]
    last, at = mode.tap
    if key == last and now - at < _TAP_SECONDS and mode.text[-1:].upper() in letters:
        letter = letters[(letters.index(mode.text[-1].upper()) + 1) % len(letters)]
        return mode._replace(text=_cased(mode.text[:-1], letter), tap=(key, now))
    if len(mode.text) >= LONGEST_NAME:
        return mode
    return mode._replace(text=_cased(mode.text, letters[0]), tap=(key, now))


def _cased(text: str, letter: str) -> str:
    """The text with a letter more, a capital at the start of each word."""
    return text + (letter if not text or text[-1] in " -'." else letter.lower())
