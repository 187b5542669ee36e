"""The panel's pictures of a round that is replayed, for reports and for the host's pages.

Picture 0 is the start, and picture n is the table after event n. A finished round has one picture more, its result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import display
from companion.evening.contents.kinds import Drawn
from companion.evening.model import BaseDue, Session
from companion.evening.screens.base import current_base_screen
from companion.evening.screens.pages import TodayPage
from companion.evening.screens.play import scenes
from companion.games.api.words import is_draw
from companion.panel import parts
from companion.rounds.on_table import AnyRound, PadRound, Round
from companion.rounds.published import PanelPictures
from companion.rounds.stored import StoredHistory

if TYPE_CHECKING:
    from PIL import Image

    from companion.games.api.entry import Draft
    from companion.rounds.stored import FinishedRound


def picture(round_: AnyRound, number: int) -> Image.Image:
    """Picture `number` of a round, as everybody saw it: one bit, 128×64 pixels, lit ones white."""
    if isinstance(round_, PadRound):
        return _picture_of_pad(round_, number)
    if number > len(round_.events):
        return _without_keys(display.draw(_on_table(round_)))
    return _position(round_.after_event(number))


def entry_picture(round_: AnyRound, number: int) -> Image.Image | None:
    """The picture of event `number` (from 1) while it is entered, its pieces marked; None if there is none."""
    if isinstance(round_, PadRound) or not 1 <= number <= len(round_.events):
        return None
    text = round_.events[number - 1][1]
    before = round_.after_event(number - 1)
    keys = "" if is_draw(text) else before.move_input.keys_for_event(text)
    draft = before.move_input.draft_from_keys(before.state, keys) if keys else None
    return _position(before, draft) if draft is not None and draft.event else None


def _position(round_: Round, draft: Draft | None = None) -> Image.Image:
    """The picture of a position, perhaps with a draft. It shows no keys, which would do nothing here."""
    session = _on_table(round_)
    scene = scenes.round_scene(session, round_, draft)._replace(must_draw=False, uses_buttons=True)
    return display.draw(session, Drawn(round_.header.game, scene))


def _picture_of_pad(sheet: PadRound, number: int) -> Image.Image:
    """The picture of a score pad after an entry, with the cursor on the next seat."""
    shown, over = sheet.after_event(number), number > len(sheet.pad.entries)
    following = shown.pad.entries[-1][0] % sheet.pad.players + 1 if shown.pad.entries else 1
    shown = shown._replace(cursor_seat=following, is_over=over)
    drawn = display.draw(_on_table(pad=shown))
    return _without_keys(drawn) if over else drawn


def _on_table(round_: Round | None = None, pad: PadRound | None = None) -> Session:
    """A session with this round or score pad on its table, and nothing over it."""
    session = Session((BaseDue(),), StoredHistory(), round=round_, pad=pad)
    return session.replace_screen(current_base_screen(session))


def _without_keys(result: Image.Image) -> Image.Image:
    """The picture of a result without its footer, whose keys would do nothing here."""
    result.paste(0, (0, parts.LAST_LINE_ROW - 1, result.width, result.height))
    return result


def standings(rounds: tuple[FinishedRound, ...]) -> Image.Image:
    """The picture of the standings of finished rounds, without its keys."""
    return _without_keys(display.draw(Session((TodayPage(),), StoredHistory(evening_rounds=rounds))))


PANELS = PanelPictures(picture, standings)
"""The pictures that reports and the host's pages show."""
