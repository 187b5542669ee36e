"""Replays a round: the panel's picture after each event. Pure.

Picture 0 is the start, picture n is after event n; a finished round has one more, its result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import display
from companion.evening.contents.kinds import Drawn
from companion.evening.model import BaseDue, Session
from companion.evening.screens.base import base_screen
from companion.evening.screens.pages import Today
from companion.evening.screens.play import scenes
from companion.games.api.words import draws
from companion.panel import parts
from companion.rounds.on_table import AnyRound, PadRound, Round
from companion.rounds.published import Panels
from companion.rounds.stored import StoredHistory

if TYPE_CHECKING:
    from PIL import Image

    from companion.games.api.entry import Draft
    from companion.rounds.stored import FinishedRound


def picture(round_: AnyRound, number: int) -> Image.Image:
    """Picture `number`, 0 to `last`: one bit, 128×64, lit pixels white, as the table draws it for everybody to see."""
    if isinstance(round_, PadRound):
        return _picture_of_pad(round_, number)
    if number > len(round_.events):
        return _without_keys(display.draw(_on_table(round_)))
    return _position(round_.after(number))


def entry_picture(round_: AnyRound, number: int) -> Image.Image | None:
    """The picture of event `number`, from 1, as it is entered: its place and pieces are marked; None where none is."""
    if isinstance(round_, PadRound) or not 1 <= number <= len(round_.events):
        return None
    text = round_.events[number - 1][1]
    before = round_.after(number - 1)
    keys = "" if draws(text) else before.entry.keys(text)
    draft = before.entry.typed(before.state, keys) if keys else None
    return _position(before, draft) if draft is not None and draft.event else None


def _position(round_: Round, draft: Draft | None = None) -> Image.Image:
    """The picture of a position, perhaps with a move that is entered, without any keys: there are none in a replay."""
    session = _on_table(round_)
    scene = scenes.scene(session, round_, draft)._replace(forced=False, buttons=True)
    return display.draw(session, Drawn(round_.header.game, scene))


def _picture_of_pad(sheet: PadRound, number: int) -> Image.Image:
    """The picture of a score pad after an entry, with the cursor on the next seat."""
    shown, over = sheet.after(number), number > len(sheet.pad.entries)
    following = shown.pad.entries[-1][0] % sheet.pad.players + 1 if shown.pad.entries else 1
    shown = shown._replace(seat=following, over=over)
    drawn = display.draw(_on_table(pad=shown))
    return _without_keys(drawn) if over else drawn


def _on_table(round_: Round | None = None, pad: PadRound | None = None) -> Session:
    """A session with nothing over the round or score pad on its table."""
    session = Session((BaseDue(),), StoredHistory(), round=round_, pad=pad)
    return session.show(base_screen(session))


def _without_keys(result: Image.Image) -> Image.Image:
    """The picture of a result without its last line, whose keys have no meaning in a replay or a report."""
    result.paste(0, (0, parts.LAST - 1, result.width, result.height))
    return result


def standings(rounds: tuple[FinishedRound, ...]) -> Image.Image:
    """The picture of the standings of finished rounds, without its keys."""
    return _without_keys(display.draw(Session((Today(),), StoredHistory(tonight=rounds))))


PANELS = Panels(picture, standings)
"""What reports and the host's pages show of the panel."""
