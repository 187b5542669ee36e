"""Replays a round: the panel's picture after each event. Pure.

Picture 0 is the start, picture n is after event n; a finished round has one more, its result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import screens
from companion.moments.pad.pad_over import PadOver
from companion.moments.pad.scoring import Scoring
from companion.moments.play.playing import Playing
from companion.moments.play.round_over import RoundOver
from companion.panel import parts
from companion.rounds import told_events
from companion.rounds.on_table import PadRound, Round
from companion.rounds.stored import StoredHistory
from companion.session.model import Session

if TYPE_CHECKING:
    from PIL import Image


def picture(round_: Round | PadRound, number: int) -> Image.Image:
    """Picture `number`, 0 to `last`: one bit, 128×64, lit pixels white, as the table draws it for everybody to see."""
    if isinstance(round_, PadRound):
        return _picture_of_pad(round_, number)
    if number > len(round_.events):
        return _without_keys(screens.draw(Session(RoundOver(), StoredHistory(), round=round_)))
    return screens.draw(Session(Playing(), StoredHistory(), round=told_events.after(round_, number)))


def _picture_of_pad(sheet: PadRound, number: int) -> Image.Image:
    """The picture of a score pad after an entry, with the cursor on the next seat."""
    entries = sheet.pad.entries[:number]
    after = entries[-1][0] % sheet.pad.players + 1 if entries else 1
    over = number > len(sheet.pad.entries)
    mode = PadOver() if over else Scoring(after)
    drawn = screens.draw(Session(mode, StoredHistory(), pad=sheet._replace(pad=sheet.pad._replace(entries=entries))))
    return _without_keys(drawn) if over else drawn


def _without_keys(result: Image.Image) -> Image.Image:
    """The picture of a result without its last line, whose keys have no meaning in a replay."""
    result.paste(0, (0, parts.LAST - 1, result.width, result.height))
    return result
