"""The score pad in play: entering points for the seat under the cursor.

Digits type points, up and down change them by one. OK enters them and moves to the next seat; two seconds without a key
enter them too, but not where turns are counted: there a turn ends with OK, or when another player is chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.contents import kinds
from companion.game.text import text
from companion.games.score_pad import rules as pad
from companion.moments.ask import Ask
from companion.moments.devices import DISK
from companion.moments.pad import pad_menu
from companion.moments.pad.pad_rounds import enter
from companion.moments.pad.scores import scores
from companion.session import guard
from companion.session.model import Moment

if TYPE_CHECKING:
    from companion.session.model import Session

GROUP_SECONDS = 2.0
"""The pause in seconds after which points count as entered."""


class _Scoring(NamedTuple):
    seat: int = 1
    keys: str = ""
    sign: str = ""
    step: int | None = None
    at: float = 0.0
    full: bool = False


class Scoring(Moment, _Scoring):
    """The score pad in play: the seat under the cursor, and the points being entered for it.

    They are typed (`keys` after a `sign`, "" for plus) or counted up and down (`step`, else None); `at` is when they
    last changed, in monotonic seconds; `full` is whether another digit would be too many.
    """

    shows_missing = True
    letters_are_keys = True

    def ignores(self, session: Session, key: str) -> bool:
        """One OK counts for one player."""
        return self.points is None and key == "#" == session.key

    @property
    def points(self) -> int | None:
        """The points being entered, None for none."""
        if self.keys:
            return int(self.sign + self.keys)
        return self.step

    # -- keys ---------------------------------------------------------------------------------------------------

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """A key of the entry, or of the cursor."""
        players = session.pad_here.pad.players
        if key == "#":
            after = self.seat % players + 1
            if self.points is None:
                return session._replace(mode=Scoring(after))
            return enter(session, self.seat, self.points, after)
        if key == "*":
            return self._erase(session)
        if key in ("left", "right", "B", "D"):
            session = self.settle(session)
            by = 1 if key in ("right", "B") else -1
            there = isinstance(session.mode, Scoring)
            return session._replace(mode=Scoring((self.seat - 1 + by) % players + 1)) if there else session
        return session._replace(mode=self._change(key, session.clock, held))

    def _change(self, key: str, now: float, held: bool) -> Scoring:
        """The entry after a key: a digit, a sign, or one point up or down, more than one while the button is held."""
        mode = self._replace(full=False)
        if key in ("up", "down"):
            so_far = self.points or 0
            by = 1 if not held or abs(so_far) < 10 else 5 if abs(so_far) < 50 else 10
            step = so_far + (by if key == "up" else -by)
            return mode._replace(keys="", sign="", step=max(-pad.MOST, min(pad.MOST, step)), at=now)
        if key in ("A", "C"):
            if self.step is not None:
                return mode._replace(step=abs(self.step) * (-1 if key == "C" else 1), at=now)
            return mode._replace(sign="-" if key == "C" else "+", at=now)
        if key.isdigit() and int(self.keys + key) <= pad.MOST:
            return mode._replace(keys=(self.keys + key).lstrip("0") or "0", step=None, at=now)
        return mode._replace(full=key.isdigit())

    def _erase(self, session: Session) -> Session:
        """BACK: erase a digit, the sign or a change; with nothing entered open the menu, but not right after that."""
        if self.keys:
            shorter = self._replace(keys=self.keys[:-1], at=session.clock, full=False)
            return session._replace(mode=shorter, erased=session.clock)
        if self.sign or self.step is not None:
            return session._replace(mode=Scoring(self.seat), erased=session.clock)
        if session.clock - session.erased < guard.ERASE_SECONDS:
            return guard.show_wait(session, session.erased + guard.ERASE_SECONDS)
        return pad_menu.open_menu(session._replace(pad=session.pad_here._replace(seat=self.seat)))

    # -- points that count by themselves ------------------------------------------------------------------------

    def settle(self, session: Session) -> Session:
        """Count the change that is being entered, the cursor where it is."""
        return enter(session, self.seat, self.points, self.seat) if self.points else self._drop(session)

    def _drop(self, session: Session) -> Session:
        return session._replace(mode=Scoring(self.seat))

    def due(self, session: Session) -> float | None:
        """When the points being entered count by themselves; None for none, and while the disk is missing.

        None where turns are counted, too: a player who counts up, waits and counts on has one turn.
        """
        if self.points is None or DISK in session.missing_devices or session.pad_here.pad.turns:
            return None
        return self.at + GROUP_SECONDS

    def tick(self, session: Session) -> Session:
        """Count them; a question that follows is marked as having come by itself (`by_pause`)."""
        session = self.settle(session)
        mode = session.mode
        return session._replace(mode=mode._replace(by_pause=True)) if isinstance(mode, Ask) else session

    # -- what it shows ------------------------------------------------------------------------------------------

    def says(self, session: Session) -> kinds.Content:
        """Everybody's points, and the change."""
        sheet = session.pad_here
        shown = scores(sheet, self.seat, dealer=session.dealer)
        if self.points is None:
            return shown._replace(change=self.sign)
        limit = text("max {most}", most=pad.MOST) if self.full else ""
        total = sheet.pad.totals[self.seat - 1] + self.points
        return shown._replace(change=f"{self.points:+d}", total=total, limit=limit)


def ask_take_back(session: Session) -> Session:
    """Ask before the last entry is taken back; points being entered count first, those of a turn are just dropped."""
    mode = session.mode
    if isinstance(mode, Scoring):
        if session.pad_here.pad.turns and mode.points is not None:
            return mode._drop(session)._replace(erased=session.clock)
        session = mode.settle(session)
    return pad_menu.ask_take_back(session)
