"""What can be a player's name."""

from __future__ import annotations

from companion.game.opponent import strength
from companion.record.values import usable_name

LONGEST_NAME = 16


def fit(name: str) -> bool:
    """Whether a text can be a player's name, at the box, in a tournament, and wherever players are renamed."""
    return usable_name(name) and len(name) <= LONGEST_NAME and not strength(name)


def unfit(name: str) -> str:
    """The sentence that says why a text cannot be a player's name."""
    if strength(name):
        return f"{name} is what the box is called where it plays itself."
    return f"A name has 1 to {LONGEST_NAME} letters, and no comma." if name else "Say a name."
