"""What a failed check says beside what is wrong: where in which round, and how to see it."""

from __future__ import annotations

import tempfile
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from companion.contract.play import LONGEST_ROUND

if TYPE_CHECKING:
    from companion.contract.play import Played


class OfTheGame(AssertionError):
    """What is wrong with a game as a whole, and not with one of its rounds."""


def told(error: Exception, again: tuple[str, str, int], share: float, longest: int, played: Played | None) -> str:
    """What was found, at which position of which game, what runs it again, and the record up to that position.

    `again` has the game, the check and the seed. `played` is None where not even the first position could be made. Of
    what is wrong with the game as a whole no position is told.
    """
    more = (f", share={share}" if share != 0.5 else "") + (f", longest={longest}" if longest != LONGEST_ROUND else "")
    run = f"again: contract.again({', '.join(map(repr, again))}{more})"
    if played is None or isinstance(error, OfTheGame):
        return f"{_what(error)}\n  {run}"
    count = played.at[0] if played.at else len(played.events)
    header = played.header
    options = ", ".join([*(f"{name}={value}" for name, value in header.options.items()), f"{header.seats} players"])
    lines = [_what(error), f"  after {count} events of {header.game}: {options}", f"  {run}", *_record(played, count)]
    return "\n".join(lines)


def _what(error: Exception) -> str:
    """What is wrong; of an error that no check has found also its kind and where it was raised."""
    if isinstance(error, AssertionError):
        return str(error) or f"a check failed{_place(error)}"
    return f"{type(error).__name__}: {error}{_place(error)}"


def _place(error: Exception) -> str:
    """The line of code that raised an error."""
    frames = traceback.extract_tb(error.__traceback__)
    return f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno} ({frames[-1].name})" if frames else ""


def _record(played: Played, count: int) -> list[str]:
    """The record up to a position, also in a file that is ready to be replayed."""
    try:
        text = played.text_up_to(count)
    except Exception as error:  # What the game cannot write is told, not hidden by this.
        return [f"  its record cannot be written: {type(error).__name__}: {error}"]
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", prefix=f"{played.header.game}-", suffix=".tcr", delete=False
        ) as file:
            file.write(text)
        where = file.name
    except OSError:
        where = "FILE"
    return [f"  to be seen with: companion replay {where} --png pictures", text.rstrip("\n")]
