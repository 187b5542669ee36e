"""The result of the score pad."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.game.result import heading
from companion.languages import counted, text
from companion.moments.pad import pad_menu
from companion.moments.pad.pad_rounds import begin
from companion.session.model import Moment

if TYPE_CHECKING:
    from companion.session.model import Session


class PadOver(Moment):
    """The result of the score pad."""

    def ignores(self, session: Session, key: str) -> bool:
        """No key counts before the result was seen."""
        return True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK begins the same game again with the next player first; BACK opens the menu."""
        if key == "#":
            sheet = session.pad_here
            names = (*sheet.header.names[1:], sheet.header.names[0])
            return begin(session._replace(previous=sheet), sheet.header._replace(names=names))
        return pad_menu.open_menu(session) if key == "*" else session

    def says(self, session: Session) -> kinds.Content:
        """Who has won, and everybody's points, the best first."""
        sheet = session.pad_here
        pad = sheet.pad
        winners = tuple(sheet.name(seat) for seat in pad.leaders)
        reason = ""
        if pad.players == 2:
            reason = text("the fewest points win") if pad.lowest else text("{game} is over", game=pad.title)
            if pad.full:
                reason = counted(pad.turns, "{number} turn each", "{number} turns each")
        order = sorted(range(1, pad.players + 1), key=lambda seat: pad.totals[seat - 1] * (1 if pad.lowest else -1))
        rows = tuple((sheet.name(seat), pad.totals[seat - 1]) for seat in order)
        starts = text("{who} starts", who=sheet.header.names[1])
        meanings = kinds.KeyMeaning("ok", starts, (text("again"),)), kinds.KeyMeaning("back", text("menu"))
        title = heading(winners, pad.players)
        return kinds.Result(sheet.header.game, title, winners, reason, text("points"), rows, meanings)
