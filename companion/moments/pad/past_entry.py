"""An entry of a finished score pad, corrected from the history; the pad in play is not touched."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.game.result import heading
from companion.games.score_pad import rules as pad
from companion.inputs import ChangeRequest
from companion.languages import counted, text
from companion.moments.ask import Ask
from companion.moments.pad.pad_play import Scoring, entries
from companion.session.screen_kinds import InputScreen

if TYPE_CHECKING:
    from companion.rounds.on_table import PadRound
    from companion.session.model import Screen, Session


class PastEntry(InputScreen):
    """Other points for an entry of a `sheet`, as they are `typed` where a pad in play is corrected.

    `page` is the kind of the round's page, which is there until the store has changed it.
    """

    sheet: PadRound
    typed: Scoring
    page: type[Screen]

    letters = "keys"

    @property
    def erases(self) -> bool:
        """Whether digits were typed."""
        return bool(self.typed.keys)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """Keys of an entry; OK asks before it corrects, BACK erases or leaves."""
        if key == "#":
            return self._ask(session)
        if key == "*":
            return session.show(self._replace(typed=self._erased())) if self.typed.keys else session.close()
        if key in ("left", "right", "B", "D"):
            return session
        return session.show(self._replace(typed=self.typed.after_key(key, held=held)))

    def _erased(self) -> Scoring:
        """Without the last digit; without any the points are as they were."""
        _, was = self.sheet.pad.entries[self.typed.mends - 1]
        left = self.typed._replace(keys=self.typed.keys[:-1], full="")
        return left if left.keys else left._replace(sign="", step=was)

    def _ask(self, session: Session) -> Session:
        """Ask with the result that follows."""
        before, points = self.sheet.pad, self.typed.points
        seat, was = before.entries[self.typed.mends - 1]
        if points is None:
            return session  # The panel asks for the points.
        if points == was:
            return session.close()
        after = before.corrected(self.typed.mends, points - was)
        who, total = self.sheet.name(seat), after.totals[seat - 1]
        has = counted(total, "{who} has {number} point.", "{who} has {number} points.", who=who)
        won = heading([self.sheet.name(seat) for seat in after.leaders], after.players)
        title = text("Correct round {number}?", number=self.sheet.id)
        does = partial(_correct, page=self.page, number=self.sheet.id, corrected=after)
        return session.open(Ask(does, title, (has, won), plain=True, names=self.sheet.header.names))

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """The players."""
        return self.sheet.header.names

    def content(self, session: Session) -> kinds.Content:
        """Everybody's points as they were, and the change."""
        shown = self.typed.content(session._replace(pad=self.sheet))
        assert isinstance(shown, kinds.Scores), "a pad in play shows its scores"
        changes = (each for each in shown.meanings if each.key in ("up", "down"))
        back = kinds.KeyMeaning("back", text("erase") if self.erases else text("back"))
        return shown._replace(meanings=(*changes, back))


def _correct(session: Session, page: type[Screen], number: int, corrected: pad.Pad) -> Session:
    """Ask the store to correct the round."""
    written = "".join(f"{seat}: {pad.write(points)}\n" for seat, points in corrected.entries)
    return session.close_to(page).request(ChangeRequest(number, "correct", written))


def choose_entry(session: Session, sheet: PadRound, page: type[Screen]) -> Session:
    """Ask which entry of a finished pad is wrong: the last one first."""
    return session.open(entries(sheet, partial(_open, sheet=sheet, page=page)))


def _open(session: Session, number: int, sheet: PadRound, page: type[Screen]) -> Session:
    """Show the points of entry `number` (from 1), to be changed."""
    seat, points = sheet.pad.entries[number - 1]
    return session.open(PastEntry(sheet, Scoring(seat, step=points, mends=number), page))
