"""The score pad in play: entering points for the seat under the cursor.

Digits type points, up and down change them by one, held by tens. They wait however long: OK enters them and moves to
the next seat, and whoever chooses another player enters them too. Each entry is a turn of its player. OK with nothing
entered shows a turn without points, which OK enters.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from companion.contents import kinds
from companion.games.score_pad import rules as pad
from companion.languages import text
from companion.moments.ask import ask_without
from companion.moments.pad import pad_menu
from companion.moments.pad.pad_rounds import ask_or_enter, correct, enter
from companion.moments.pad.scores import entry_words, scores
from companion.session import double_taps
from companion.session.model import Moment

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.session.model import Session


class _Scoring(NamedTuple):
    seat: int = 1
    keys: str = ""
    sign: str = ""
    step: int | None = None
    full: str = ""
    told: bool = False
    mends: int = 0


class Scoring(Moment, _Scoring):
    """The score pad in play: the seat under the cursor, and the points being entered for it.

    They are typed (`keys` after a `sign`, "" for plus) or counted up and down (`step`, else None); `full` are
    the digits that were too many, `told` whether choosing another player has just entered some. `mends` is the number
    of the entry that they correct, from 1, 0 for a new one.
    """

    shows_missing = True
    letters_are_keys = True

    def ignores(self, session: Session, key: str) -> bool:
        """One OK counts for one player, and a turn without points needs two."""
        return not self.points and key == "#" == session.taps.key

    @property
    def points(self) -> int | None:
        """The points being entered, None for none."""
        if self.keys:
            return int(self.sign + self.keys)
        return self.step

    @property
    def at_rest(self) -> bool:
        """Whether nothing is entered."""
        return self.points is None and not self.sign

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        """BACK leads to the menu, and erases nothing."""
        return meant if self.at_rest else ()

    # -- keys ---------------------------------------------------------------------------------------------------

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """A key of the entry, or of the cursor."""
        sheet = session.pad_here.pad
        players = sheet.players
        if key == "#":
            if self.sign and not self.keys:
                return session  # The panel asks for the points.
            if self.mends:
                return self._take(session, self._mend)
            if self.points is None:
                return session.show(Scoring(self.seat, step=0))
            return self._take(
                session, partial(ask_or_enter, seat=self.seat, points=self.points, after=self._after(sheet))
            )
        if key == "*":
            return self._erase(session)
        if key in ("left", "right", "B", "D"):
            if self.mends:
                return session
            by = 1 if key in ("right", "B") else -1
            there = (self.seat - 1 + by) % players + 1
            if not self.points:
                return session.show(Scoring(there))
            stays = Scoring(there, told=True)
            enters = partial(ask_or_enter, seat=self.seat, points=self.points, after=there, stays=stays)
            return self._take(session, enters)
        return session.show(self.after_key(key, held=held))

    def _take(self, session: Session, enters: Callable[[Session], Session]) -> Session:
        """Enter the points; after digits too many only once the players have said that they are right."""
        if not self.full or self.points is None:
            return enters(session)
        question = text("Enter {points}?", points=f"{self.points:+d}")
        return session.show(ask_without(self.full, question, self, enters))

    def _mend(self, session: Session) -> Session:
        """Put the points in place of those of the entry that they correct."""
        points, before = self.points, session.pad_here.pad.entries[self.mends - 1][1]
        if points is None or points == before:
            return session.show_floor()
        return correct(session, number=self.mends, points=points - before)

    def _after(self, sheet: pad.Pad) -> int:
        """Who comes after an entry: the next seat, where turns are counted the next one that has had the fewest."""
        return sheet.add(self.seat, 0).due if sheet.turns else self.seat % sheet.players + 1

    def after_key(self, key: str, *, held: bool) -> Scoring:
        """The entry after a key: a digit, a sign, or one point up or down, from ten to ten while the button is held."""
        moment = self._replace(told=False)
        if key in ("up", "down"):
            by, so_far = (1 if key == "up" else -1), self.points or 0
            step = pad.stepped(so_far, by, tens=held)
            return moment._replace(keys="", sign="", step=max(-pad.MOST, min(pad.MOST, step)))
        if key in ("A", "C"):
            if self.step:
                return moment._replace(step=abs(self.step) * (-1 if key == "C" else 1))
            return moment._replace(sign="-" if key == "C" else "+", step=None)
        if key.isdigit() and int(self.keys + key) <= pad.MOST:
            return moment._replace(keys=(self.keys + key).lstrip("0") or "0", step=None)
        return moment._replace(full=self.full + key) if key.isdigit() else moment

    def _erase(self, session: Session) -> Session:
        """BACK: erase a digit, the sign or a change; with nothing entered open the menu, but not right after that."""
        if self.keys:
            return double_taps.show_erased(session, self._replace(keys=self.keys[:-1]))
        if self.mends:
            return double_taps.show_erased(session, session.floor(session))
        if self.sign or self.step is not None:
            return double_taps.show_erased(session, Scoring(self.seat))
        if double_taps.just_erased(session):
            return double_taps.wait_after_erasing(session)
        return pad_menu.open_menu(session._replace(pad=session.pad_here._replace(seat=self.seat)))

    def settle(self, session: Session) -> Session:
        """Count the change that is being entered, the cursor where it is."""
        if not self.points or self.mends or self.full:
            return self._drop(session)
        return enter(session, self.seat, self.points, self.seat)

    def enter_points(self, session: Session, seat: int, points: int) -> Session:
        """What is half entered at the box stays there."""
        following = seat % session.pad_here.pad.players + 1
        stays = self._replace(seat=following) if self.at_rest and self.seat == seat else self
        return enter(session, seat, points, stays.seat, stays)

    def _drop(self, session: Session) -> Session:
        return session.show(Scoring(self.seat))

    # -- what it shows ------------------------------------------------------------------------------------------

    def says(self, session: Session) -> kinds.Content:
        """Everybody's points, and the change."""
        sheet = session.pad_here
        shown = scores(sheet, self.seat, dealer=session.switches.dealer)
        if self.points is None:
            told = text("entered: {last}", last=shown.last) if self.told and shown.last else ""
            return shown._replace(change=self.sign, line=told)
        limit = text("max {most}", most=pad.MOST) if self.full else ""
        total = sheet.pad.totals[self.seat - 1] + self.points
        if self.mends:
            total -= sheet.pad.entries[self.mends - 1][1]
            title = text("correct turn {turn}", turn=sheet.pad.turn_of(self.mends))
            shown = shown._replace(title=title, notes=("",), last=entry_words(sheet, self.mends))
        return shown._replace(change=f"{self.points:+d}", total=total, limit=limit)

    def says_at_rest(self, session: Session) -> kinds.Content:
        """Everybody's points, as large as they go."""
        return scores(session.pad_here, self.seat)._replace(at_rest=True)


def ask_take_back(session: Session) -> Session:
    """Ask before the last entry is taken back; points that are being entered are just dropped."""
    moment = session.moment
    if isinstance(moment, Scoring) and moment.points is not None:
        return double_taps.show_erased(session, Scoring(moment.seat))
    return pad_menu.ask_take_back(session)
