"""The panel's pictures of a round that is replayed, for reports and for the host's pages.

Picture 0 is the start, and picture n is the table after event n. A finished round has one picture more, its result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import display
from companion.evening.contents.kinds import Drawn
from companion.evening.model import BaseDue, Session
from companion.evening.screens.base_screen import current_base_screen
from companion.evening.screens.pages import TodayPage
from companion.evening.screens.play import scenes
from companion.games.api.game_texts import is_draw
from companion.panel import widgets
from companion.rounds.on_table import AnyRound, PadRound, Round
from companion.rounds.public_view import PanelPictures
from companion.rounds.stored import StoredHistory

if TYPE_CHECKING:
    from PIL import Image

    from companion.games.api.move_input import Draft
    from companion.rounds.stored import FinishedRound


def round_picture(round_: AnyRound, number: int) -> Image.Image:
    """Picture `number` of a round, as everybody saw it: one bit, 128×64 pixels, lit ones white."""
    if isinstance(round_, PadRound):
        return _pad_picture(round_, number)
    if number > len(round_.events):
        return _without_footer(display.session_picture(_session_with(round_)))
    return _position_picture(round_.after_event(number))


def move_input_picture(round_: AnyRound, number: int) -> Image.Image | None:
    """The picture of event `number` (from 1) while it is entered, its pieces marked; None if there is none."""
    if isinstance(round_, PadRound) or not 1 <= number <= len(round_.events):
        return None
    _, event = round_.events[number - 1]
    before = round_.after_event(number - 1)
    keys = "" if is_draw(event) else before.move_input.keys_for_event(event)
    draft = before.move_input.draft_from_keys(before.state, keys) if keys else None
    return _position_picture(before, draft) if draft is not None and draft.event else None


def _position_picture(round_: Round, draft: Draft | None = None) -> Image.Image:
    """The picture of a position, perhaps with a draft. It shows no keys, which would do nothing here."""
    session = _session_with(round_)
    scene = scenes.round_scene(session, round_, draft)._replace(must_draw=False, uses_buttons=True)
    return display.session_picture(session, Drawn(round_.header.game, scene))


def _pad_picture(sheet: PadRound, number: int) -> Image.Image:
    """The picture of a score pad after an entry, with the cursor on the next seat."""
    pad_round, over = sheet.after_event(number), number > len(sheet.pad.entries)
    next_seat = pad_round.pad.entries[-1][0] % sheet.pad.players + 1 if pad_round.pad.entries else 1
    pad_round = pad_round._replace(cursor_seat=next_seat, is_over=over)
    drawn = display.session_picture(_session_with(pad=pad_round))
    return _without_footer(drawn) if over else drawn


def _session_with(round_: Round | None = None, pad: PadRound | None = None) -> Session:
    """A session with this round or score pad on its table, and nothing over it."""
    session = Session((BaseDue(),), StoredHistory(), round=round_, pad=pad)
    return session.replace_screen(current_base_screen(session))


def _without_footer(picture: Image.Image) -> Image.Image:
    """The picture of a result without its footer, whose keys would do nothing here."""
    picture.paste(0, (0, widgets.LAST_LINE_ROW - 1, picture.width, picture.height))
    return picture


def standings_picture(rounds: tuple[FinishedRound, ...]) -> Image.Image:
    """The picture of the standings of finished rounds, without its keys."""
    return _without_footer(display.session_picture(Session((TodayPage(),), StoredHistory(evening_rounds=rounds))))


PANELS = PanelPictures(round_picture, standings_picture)
"""The pictures that reports and the host's pages show."""
