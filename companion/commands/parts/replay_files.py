"""A replayed round as files: one picture for each move, or an animation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image

from companion import Unusable
from companion.languages import text
from companion.rounds import replaying
from companion.screens import replay

if TYPE_CHECKING:
    from pathlib import Path

    from companion.rounds.on_table import AnyRound

ENLARGED = 4
"""How many times as wide and high as the panel an animation is."""

START_MS, MARKED_MS, MOVE_MS, RESULT_MS = 1500, 700, 900, 5000
"""In milliseconds: how long an animation shows its first picture, a move marked and then played, and the last one."""


def enlarged(picture: Image.Image, scale: int) -> Image.Image:
    """The picture with every pixel as a square of `scale` pixels."""
    return picture.resize((picture.width * scale, picture.height * scale), Image.Resampling.NEAREST)


def save_pictures(round_: AnyRound, folder: Path, scale: int) -> int:
    """Write every picture as 000.png, 001.png, … Returns how many.

    Raises Unusable if the folder has such files already, OSError if one cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob("[0-9]*.png")):
        raise Unusable(text("there are pictures in {folder} already; name an empty folder", folder=folder))
    count = replaying.last(round_) + 1
    for number in range(count):
        enlarged(replay.picture(round_, number), scale).save(folder / f"{number:03}.png", optimize=True)
    return count


def save_animation(round_: AnyRound, file: Path, scale: int) -> None:
    """Write all pictures as a GIF that repeats and shows the last picture longest. Raises OSError.

    Before a move's picture the move is shown as it is entered, with its place and pieces marked, where a game can.
    """
    last = replaying.last(round_)
    shown = [(replay.picture(round_, 0), START_MS)]
    for number in range(1, last + 1):
        if (marked := replay.entered(round_, number)) is not None:
            shown.append((marked, MARKED_MS))
        shown.append((replay.picture(round_, number), MOVE_MS if number < last else RESULT_MS))
    pictures, times = [enlarged(picture, scale) for picture, _ in shown], [lasts for _, lasts in shown]
    pictures[0].save(
        file, format="GIF", save_all=True, append_images=pictures[1:], duration=times, loop=0, optimize=True
    )
