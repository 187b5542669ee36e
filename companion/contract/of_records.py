"""Checks of the records that a game keeps beside its rules, so that an upgrade that changes these is seen in time."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from companion import games, record
from companion.contract.failures import OfTheGame

if TYPE_CHECKING:
    from random import Random

    from companion.contract.play import Played

FOLDER = "records"
"""The folder of a game's package with the records that have to stand, files ending in ``.tcr``."""


def kept_records_stand(played: Played, chance: Random) -> None:
    """Each record in the game's folder ``records`` stands; that of a whole round has the result, which is compared."""
    game = played.manifest.id
    for file in sorted(Path(games.folder(game), FOLDER).glob("*.tcr")):
        if wrong := _wrong(game, file.read_text(encoding="utf-8")):
            raise OfTheGame(f"{FOLDER}/{file.name}{wrong}")


@cache
def _wrong(game: str, text: str) -> str:
    """What is wrong with a record of a game, behind the name of its file; "" for nothing."""
    report = record.check(text)
    if report.fault is not None:
        line, code, message = report.fault
        return f", line {line}, does not stand any more: {code}: {message}"
    if report.header is None or report.header.game != game:
        return f" is of another game than {game}"
    if report.over and "\nresult:" not in text:
        outcome = report.rules.outcome(report.state)
        return f" has no result, so that nobody would see it change: add the line 'result: {outcome.result}'"
    return ""
