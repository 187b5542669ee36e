"""Replays a round: the panel's picture after each event, and the events in words. Pure.

Picture 0 is the start, picture n is after event n; a finished round has one more, its result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import screens
from companion.game.result import named_verdict
from companion.games.score_pad import rules as pads
from companion.panel import parts
from companion.session.model import (
    PadOver,
    PadRound,
    Playing,
    Round,
    RoundHeader,
    RoundOver,
    Scoring,
    Session,
    StoredHistory,
    StoredRound,
    pad_of,
    round_of,
)
from companion.session.walking import after, event, events

if TYPE_CHECKING:
    from PIL import Image

    from companion.record import Report

__all__ = [
    "NAMES",
    "after",
    "curve",
    "describe",
    "event",
    "events",
    "last",
    "of_kept",
    "of_record",
    "picture",
    "standing",
]

NAMES = ("Player 1", "Player 2")
"""The names in a record without names."""


def of_record(report: Report) -> Round:
    """The round of a record, up to its first fault. Raises ValueError if header or deals are wrong."""
    if report.header is None or report.state is None:
        raise ValueError("the record has no position")
    header, deals = report.header, report.dealt
    opened = tuple((kind, seat) for kind, seat, _ in deals)
    round_header = RoundHeader(header.game, tuple(header.options.items()), header.players or NAMES, opened=opened)
    return round_of(StoredRound(0, round_header, deals, tuple((seat, str(move)) for seat, move in report.events)))


def of_kept(saved: StoredRound) -> Round | PadRound:
    """The round or score pad of the store. Raises Refused or ValueError if it no longer replays."""
    if saved.header.game != pads.ID:
        return round_of(saved)
    return pad_of(saved)._replace(over=bool(saved.result))


def last(round_: Round | PadRound) -> int:
    """The number of the last picture."""
    return len(events(round_)) + int(round_.over)


def picture(round_: Round | PadRound, number: int) -> Image.Image:
    """Picture `number`, 0 to `last`: one bit, 128×64, lit pixels white, as the table draws it for everybody to see."""
    if isinstance(round_, PadRound):
        return _picture_of_pad(round_, number)
    if number > len(round_.events):
        return _without_keys(screens.draw(Session(RoundOver(), StoredHistory(), round=round_)))
    return screens.draw(Session(Playing(), StoredHistory(), round=after(round_, number)))


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


def describe(round_: Round | PadRound, number: int) -> str:
    """Picture `number` in words, with the pieces of open holdings: ``Ann  x3  33:11``."""
    if number > len(events(round_)):
        return _result(round_)
    figures = ":".join(map(str, standing(round_, number)))
    if number == 0:
        return f"start  {figures}"
    return f"{round_.name(events(round_)[number - 1][0])}  {event(round_, number, hidden=False)}  {figures}"


def _result(round_: Round | PadRound) -> str:
    """Who has won, and why it was over where the rules say so."""
    seats = round_.pad.leaders if isinstance(round_, PadRound) else round_.outcome.winners
    winners = [round_.name(seat) for seat in seats]
    how = named_verdict(winners)
    return how if isinstance(round_, PadRound) or not winners else f"{how}: {round_.outcome.reason}"


def curve(round_: Round | PadRound) -> list[tuple[int, ...]]:
    """What is counted at the start and after each event, see `standing`; in one go, for a pad may have many entries."""
    if not isinstance(round_, PadRound):
        return [standing(round_, number) for number in range(len(round_.states))]
    totals = [0] * round_.pad.players
    counted = [tuple(totals)]
    for seat, points in round_.pad.entries:
        totals[seat - 1] += points
        counted.append(tuple(totals))
    return counted


def standing(round_: Round | PadRound, number: int) -> tuple[int, ...]:
    """What is counted after event `number`, by seat."""
    if isinstance(round_, PadRound):
        return round_.pad._replace(entries=round_.pad.entries[:number]).totals
    state = round_.states[number]
    return round_.entry.counted(state, round_.game.outcome(state).scores)
