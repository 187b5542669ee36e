"""The sheet of the score pad: everybody's points turn by turn."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.contents import kinds
from companion.languages import text
from companion.moments.menus.menu import Item, List
from companion.moments.pad.scores import entry_words
from companion.session.model import Moment

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.rounds.on_table import PadRound
    from companion.session.model import Session

ROWS = 3
"""By how many of its turns a key goes on."""


class _PadSheet(NamedTuple):
    row: int
    column: int = 0


class PadSheet(Moment, _PadSheet):
    """The sheet of the score pad, from turn `row` and seat `column` on, both from 0."""

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """Up and down lead through the turns, left and right through the players; OK corrects, BACK leaves."""
        pad = session.pad_here.pad
        if key in ("up", "down", "2", "8"):
            row = self.row + (ROWS if key in ("down", "8") else -ROWS)
            return session.show(self._replace(row=min(max(0, row), max(0, len(pad.by_turn) - ROWS))))
        if key in ("left", "right", "4", "6"):
            column = self.column + (1 if key in ("right", "6") else -1)
            return session.show(self._replace(column=min(max(0, column), pad.players - 1)))
        if key == "#" and not session.pad_here.over:
            return _choose_entry(session)
        return session.show_floor() if key == "*" else session

    def says(self, session: Session) -> kinds.Content:
        """What each player got in each turn, and has now."""
        sheet = session.pad_here
        rows = tuple(tuple(row) for row in sheet.pad.by_turn)
        back = kinds.KeyMeaning("back", text("back"))
        # After the end that is taken back first.
        meanings = (back,) if sheet.over else (kinds.KeyMeaning("ok", text("fix it")), back)
        return kinds.Sheet(sheet.header.names, rows, sheet.pad.totals, self.row, self.column, meanings)


def open_sheet(session: Session) -> Session:
    """Show its last turns."""
    return session.show(PadSheet(max(0, len(session.pad_here.pad.by_turn) - ROWS)))


def _choose_entry(session: Session) -> Session:
    """Ask which entry is wrong."""
    return session.show(entries(session.pad_here, _mend, session.moment))


def entries(sheet: PadRound, opens: Callable[..., Session], back: Moment) -> List:
    """The entries of a sheet, the last one first; one that is picked `opens` with its `number`, from 1."""
    items = []
    for number in range(len(sheet.pad.entries), 0, -1):
        words, note = entry_words(sheet, number), text("turn {turn}", turn=sheet.pad.turn_of(number))
        who = sheet.name(sheet.pad.entries[number - 1][0])
        items.append(Item(words, partial(opens, number=number), note, names=(who,)))
    return List(text("Correct"), (text("which entry?"),), tuple(items), back=back)


def _mend(session: Session, number: int) -> Session:
    """Show the points of entry `number` (from 1) where points are entered, to be changed."""
    seat, points = session.pad_here.pad.entries[number - 1]
    scoring: Any = session.floor(session)  # The pad in play.
    return session.show(scoring._replace(seat=seat, step=points, mends=number))
