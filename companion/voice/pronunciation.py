"""How players say what is written: signs of sums, pieces, squares, and the keys of the device in use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.languages import text
from companion.languages.key_names import KEY_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.evening.model import Session

spoken_forms: Mapping[str, str] = {
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})": "{year} {month} {day}",
    r"[-−](?=[0-9•])|(?<!\w)[-−](?!\w)|(?<=\bB)[-−](?!\w)": "minus",
    r"\+": "plus",
    "×": "times",
    "÷": "divided by",
    "=": "equals",
    "•": "hidden",
    "→": ", ",
    "[_…]": " ",
    "(?<=[0-9])/(?=[0-9])": "of",
}
"""Pattern → what is said in every game, after the game's own forms (`GameTexts.spoken_forms`)."""
KEY_SEQUENCE = re.compile(r"(?<!\w)(?:[0-9A-DⒶ-Ⓓ*] ?){1,8}#|(?<!\w)[B-DⒶ-Ⓓ](?: [0-9B-DⒶ-Ⓓ])+(?!\w)")
"""Keys to be pressed one after the other: ``2 5 4 #``, ``B C D``."""
SIGNS_OF_KEYS = {"▴": "up", "▾": "down", "◂": "left", "▸": "right", "↩": "*", "#": "#", "*": "*"}
SIGNS_OF_KEYS |= {KEY_NAMES["number pad aloud"][key].shown: key for key in "ABCD"}
"""Signs that stand for keys in the panel's texts, and in those for a number pad."""
LETTER_OF_ARROW = {"up": "A", "right": "B", "down": "C", "left": "D"}
"""The keypad's keys that are arrows, except in a move."""
_ARROW_NAMES = {
    "up": text("up", "key"), "down": text("down", "key"), "left": text("left", "key"), "right": text("right", "key"),
}  # fmt: skip


def key_device(session: Session) -> str:
    """The device in use, as in `KEY_NAMES`."""
    if session.uses_buttons:
        return "buttons"
    return "keyboard" if session.settings.is_terminal else session.key_device


def key_name(session: Session, key: str) -> str:
    """What a key is called on the device in use: ``#`` is ``Enter`` on a number pad, ``hash`` on a keypad."""
    if key in _ARROW_NAMES:
        if session.uses_buttons or session.key_device == "keyboard":
            return _ARROW_NAMES[key]
        key = LETTER_OF_ARROW[key]
    name = KEY_NAMES[key_device(session)].get({"#": "OK", "*": "BACK"}.get(key, key))
    return key if name is None else name.spoken


def pronounce(written: str, session: Session, forms: Mapping[str, str], names: Sequence[str]) -> str:
    """What is said for a written text in the current language; the players' names stay as they are."""
    known = sorted(filter(None, names), key=len, reverse=True)
    said = written
    for place, name in enumerate(known):
        said = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", chr(0xE000 + place), said)

    def keys_said(found: re.Match[str]) -> str:
        keys = found[0].replace(" ", "")
        return ", ".join(f"{text(key_name(session, SIGNS_OF_KEYS.get(each, each)))}" for each in keys)

    said = _with_forms(said.replace("\N{NO-BREAK SPACE}", " "), forms)
    said = KEY_SEQUENCE.sub(keys_said, said.replace("# =", "#:"))
    for sign, key in SIGNS_OF_KEYS.items():
        said = said.replace(sign, f" {text(key_name(session, key))} ") if sign in said else said
    said = _with_forms(said, spoken_forms)
    for place, name in enumerate(known):
        said = said.replace(chr(0xE000 + place), name)
    said = re.sub(r"[\s,:]+(?=[,.;:!?])", "", re.sub(r"\s+", " ", said))
    return said.strip(" ,")


def _with_forms(said: str, forms: Mapping[str, str]) -> str:
    for pattern, words in forms.items():
        for found in reversed([*re.finditer(pattern, said)]):
            said = f"{said[: found.start()]} {text(words, **found.groupdict())} {said[found.end() :]}"
    return said
