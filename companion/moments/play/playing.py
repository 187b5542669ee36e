"""A move that is due: typed, picked, or not begun."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.contents import kinds
from companion.game import Refused
from companion.game.entry import ARROWS, after_stray
from companion.game.text import text
from companion.moments.play import opponent, rounds, scenes, table_menu
from companion.moments.play.refusing import Refusing
from companion.session import clock, countdown, guard
from companion.session.model import Moment

if TYPE_CHECKING:
    from companion.game.entry import Draft
    from companion.rounds.on_table import Round
    from companion.session.model import Session

ARROWS_SECONDS = 5.0
"""In seconds: after this time without a key, the panel says what the arrow buttons do."""
NUDGE_SECONDS = 20.0
"""In seconds: after this time without a key, the panel says how to pass."""
ONLY_ONE = "nothing else this way"
"""The line after an arrow key that changes nothing."""


class _Playing(NamedTuple):
    keys: str = ""
    pick: Any = None
    stray: str = ""  # the last key, if it meant nothing
    arrows: bool = False  # nothing was entered for some seconds: say what the arrow buttons do
    nudge: bool = False  # nothing was entered for a while: say how to pass


class Playing(Moment, _Playing):
    """A move is due. An entry is typed (`keys`), picked (`pick`), or not begun."""

    interruptible = True
    thinking = True
    shows_missing = True
    at_board = True
    letters_are_keys = True

    @property
    def at_rest(self) -> bool:
        """Whether nothing is entered."""
        return not self.keys and self.pick is None

    @property
    def untyped(self) -> Moment:
        """Nothing typed; a pick stays."""
        return Playing() if self.keys else self

    @property
    def after_cancel(self) -> Moment:
        """The same entry, and that nothing has changed."""
        return self._replace(stray=scenes.CANCELLED)

    def fits(self, waits: Moment) -> bool:
        """Whether a move is due, and none is half picked."""
        return isinstance(waits, Playing) and self.pick is None

    def takes_back(self, session: Session) -> bool:
        """It does."""
        return True

    def ignores(self, session: Session, key: str) -> bool:
        """Nobody confirms a move of the box that was not seen, nor starts the clock by the OK that begins a round."""
        if session.box_move is not None:
            return key == "#"
        return self == Playing() and countdown.stands(session) and key == "#" == session.key

    # -- keys ---------------------------------------------------------------------------------------------------

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """A key of an entry; where the box thinks, only OK and BACK have a meaning."""
        mode = self._replace(stray="", arrows=False, nudge=False)
        if opponent.thinks(session) and key != "*":
            return opponent.confirmed(session) if key == "#" else session._replace(mode=mode._replace(stray=key))
        if key == "#":
            return mode._enter(session)
        if key == "*":
            return mode._erase(session)
        return session if session.round is None else session._replace(mode=mode._add(session.round, key))

    def _add(self, round_: Round, key: str) -> Playing:
        """The entry after another key; the first arrow only shows the picker."""
        if key in ARROWS:
            if self.pick is None:
                return Playing(pick=round_.entry.pick(round_.state))
            moved = round_.entry.pick_changed(round_.state, self.pick, key)
            return Playing(pick=moved, stray=key if moved == self.pick else "")
        if round_.draft(self.keys + key) is None:
            return self._replace(stray=key)
        return Playing(self.keys + key)

    def _enter(self, session: Session) -> Session:
        """OK: the next step of a pick, or the move; with nothing or too little entered it changes nothing.

        What cannot become a move any more is refused with its reason.
        """
        round_ = session.round
        session = session._replace(mode=self)
        if round_ is None:
            return session
        if self.pick is not None:
            following = round_.entry.entered(round_.state, self.pick)
            if following is not None:
                return session._replace(mode=Playing(pick=following))
        entry = self.draft(round_)
        if entry is None:
            return countdown.switch_clock(session) if countdown.stands(session) else session
        try:
            if tried := entry.event or entry.attempt:
                return rounds.commit(session, tried)
            if entry.verdict == "no":
                raise Refused("entry", entry.text, entry.says)
        except Refused as refused:
            return session._replace(mode=Refusing(refused, self, Playing()), sounds=(*session.sounds, "refused"))
        return session

    def _erase(self, session: Session) -> Session:
        """BACK: one key or step less; with nothing entered the table menu, but not right after erasing."""
        if self.pick is not None and session.round is not None:
            earlier = session.round.entry.erased(session.round.state, self.pick)
            return session._replace(mode=Playing(pick=earlier), erased=session.clock)
        if self.keys:
            return session._replace(mode=Playing(self.keys[:-1]), erased=session.clock)
        if session.clock - session.erased < guard.ERASE_SECONDS:
            return guard.show_wait(session._replace(mode=self), session.erased + guard.ERASE_SECONDS)
        return table_menu.open_menu(session)

    # -- what happens by itself ---------------------------------------------------------------------------------

    def due(self, session: Session) -> float | None:
        """When it is told what the arrow buttons do, or how to pass."""
        round_ = session.round
        if round_ is None or session.light != "on" or session.box_move is not None:
            return None
        if self == Playing() and _tells_arrows(session, round_):
            return session.pressed + ARROWS_SECONDS
        return session.pressed + NUDGE_SECONDS if self._can_be_nudged(round_) else None

    def tick(self, session: Session) -> Session:
        """Tell it."""
        nudge = session.round is not None and self._can_be_nudged(session.round)
        late = session.clock >= session.pressed + NUDGE_SECONDS
        return session._replace(mode=Playing(nudge=True) if nudge and late else Playing(arrows=True))

    def _can_be_nudged(self, round_: Round) -> bool:
        return self in (Playing(), Playing(arrows=True)) and bool(round_.entry.cannot(round_.state))

    # -- what it shows ------------------------------------------------------------------------------------------

    def draft(self, round_: Round) -> Draft | None:
        """The half-entered move with its verdict; None while nothing is entered."""
        return None if self.at_rest else round_.draft(self.keys, self.pick)

    def announces(self, session: Session) -> tuple[str, ...]:
        """What the box does whose turn it is."""
        return opponent.announced(session)

    def says(self, session: Session) -> kinds.Content:
        """The position, with what is entered."""
        round_ = session.round_here
        entered = self.draft(round_)
        told = after_stray(entered) if self.stray and self.keys else None
        say, ticking = self._say(session, round_, told)
        drawn = scenes.scene(session, round_, told or entered or opponent.draft(session), say, ticking)
        return kinds.Drawn(round_.header.game, drawn)

    def _say(self, session: Session, round_: Round, told: Draft | None) -> tuple[str, tuple[str, ...]]:
        """A key that means nothing, how to pass, or the clock's times if nothing is entered."""
        if self.stray == scenes.CANCELLED:
            return scenes.NOTHING_CHANGED, ()
        if opponent.thinks(session):
            return opponent.words(session), ()
        if self.stray in ARROWS:
            return ONLY_ONE, ()
        if self.stray:
            return round_.entry.stray(round_.state, self.keys, self.stray) if told is None else "", ()
        if self.nudge and (words := round_.entry.cannot(round_.state, session.buttons)):
            return words, ()
        if self.arrows and not self.nudge and session.buttons:
            return round_.entry.arrows(round_.game.view(round_.state, None)), ()
        if not self.at_rest:
            return "", ()
        if session.game_clock is None:
            return "", clock.times(session)
        if countdown.stands(session):
            return text("{key} starts the clock", key="OK" if session.buttons else "#"), ()
        return "", countdown.times(session)


def _tells_arrows(session: Session, round_: Round) -> bool:
    """Whether who has six buttons may not know the arrows; neither the clock nor a forced draw loses its line."""
    if not session.buttons or session.timing or session.game_clock is not None:
        return False
    if any(seat == round_.turn for seat, _ in round_.events):
        return False  # Who has moved knows the arrows, and the line of the last move stays.
    told = round_.entry.arrows(round_.game.view(round_.state, None))
    return bool(told) and round_.turn is not None and not round_.entry.forced(round_.state)
