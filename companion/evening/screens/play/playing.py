"""The screen of a move that is due: typed, picked, or not begun."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.evening import countdown, double_taps, thinking_time
from companion.evening.contents import kinds
from companion.evening.screen_kinds import MoveScreen
from companion.evening.screens.messages import Refusing, ask_without, told_wrongly
from companion.evening.screens.play import box_moves, round_life, scenes, table_menu
from companion.games.api import RefusedError
from companion.games.api.entry import ARROWS, draft_after_arrow, draft_after_stray_key
from companion.games.api.words import NO_FURTHER_TEXT
from companion.languages import text

if TYPE_CHECKING:
    from companion.evening.model import Screen, Session
    from companion.games.api.entry import Draft
    from companion.rounds.on_table import Round

HOW_SECONDS = 5.0
"""Seconds without a key after which a player who hasn't moved yet is told how a move is entered."""
CLOCK_AFTER, CLOCK_EACH = 3.0, 3.0
"""Seconds without a key after which the bottom line alternates between the draft and the game clock.

The second is for how many seconds each of the two is shown.
"""
NUDGE_SECONDS = 20.0
"""Seconds without a key after which the panel says how to pass."""
NEW_ROUND = 8
"""The events at the start of a round during which the rest view says how to get back to the table."""
LONGEST_TIMES = len("59:59/60:00")
"""The most characters of both times of a stopped clock. Of longer times only that of the seat to move is shown."""


class Playing(MoveScreen):
    """A move is due, and its draft is typed (`typed_keys`), picked (`pick`), or empty.

    A key of the game types, an arrow shows the picker, OK plays the draft or takes the next step of a pick. BACK
    erases, and with an empty draft opens the table menu. While a computer player's move waits, only OK and BACK do
    something.
    """

    keys: str = ""
    pick: Any = None
    stray: str = ""  # the last key, if it did nothing
    misfits: str = ""  # the keys of this draft that did nothing
    how: bool = False  # nothing was entered for some seconds: the panel says how a move is entered
    nudge: bool = False  # nothing was entered for a while: the panel says how to pass
    crossed: RefusedError | None = None  # why the rules refused a draft that had a tick
    wrong: bool = False  # the last move was refused, perhaps because a piece was named wrongly

    takes_back = True

    @property
    def at_rest(self) -> bool:
        return not self.keys and self.pick is None

    @property
    def _is_new(self) -> bool:
        """Whether nothing has happened on this screen since the move became due."""
        return self._replace(wrong=False) == Playing()

    def after_cancel(self) -> Playing:
        return self._replace(stray=scenes.CANCELLED)

    def fits(self, base: Screen) -> bool:
        return isinstance(base, Playing) and self.pick is None

    def ignores(self, session: Session, key: str) -> bool:
        # An unseen computer's move isn't confirmed, and the OK that began the round doesn't start the clock.
        if session.box_move is not None:
            return key == "#"
        return self._is_new and countdown.stands(session) and key == "#" == session.taps.key

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # BACK on a phone may open the menu, but not erase what is entered at the box.
        return meant if self.at_rest and session.box_move is None else ()

    # -- keys ---------------------------------------------------------------------------------------------------

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        screen = self._replace(stray="", how=False, nudge=False)
        if box_moves.thinks(session) and key != "*":
            return box_moves.confirm_box_move(session) if key == "#" else session.show(screen._replace(stray=key))
        if key == "#":
            return screen._enter(session)
        if key == "*":
            return screen._erase(session)
        return session if session.round is None else session.show(screen._add(session.round, key))

    def _add(self, round_: Round, key: str) -> Playing:
        """The draft after another key. The first arrow only shows the picker."""
        if key in ARROWS:
            if self.pick is None:
                return Playing(pick=round_.move_input.pick_at_first_arrow(round_.known_state, key))
            moved = round_.move_input.pick_after_arrow(round_.known_state, self.pick, key)
            return self._replace(stray=key) if moved == self.pick else Playing(pick=moved)
        misfits = self.misfits if self.pick is None else ""
        if round_.judge_draft(self.keys + key) is not None:
            return Playing(round_.move_input.effective_keys(round_.known_state, self.keys + key), misfits=misfits)
        entered = self.draft(round_)
        if len(self.keys) == 1 and entered and entered.verdict == "no" and round_.judge_draft(key) is not None:
            # Nothing can follow a refused draw or pass, so the key starts a move that is possible.
            return Playing(key, misfits=misfits)
        return self._replace(stray=key, misfits=self.misfits + key)

    def _enter(self, session: Session, *, sure: bool = False) -> Session:
        """Take OK: the next step of a pick, or the move; with an empty draft the panel says how a move is entered.

        Where something is missing, the panel says what. A draft that can't become a move any more is refused with the
        reason. After keys that did nothing, a move is played only when its player is `is_sure` about what is left.
        """
        round_ = session.round
        session = session.show(self)
        if round_ is None:
            return session
        draft = self.draft(round_)
        if self.pick is not None and draft is not None and draft.verdict != "no":
            following = round_.move_input.pick_after_ok(round_.known_state, self.pick)
            if following is not None:
                return session.show(Playing(pick=following))
        if draft is None:
            if countdown.stands(session):
                return countdown.switch_clock(session)
            return session.show(Playing(how=True)) if _has_how(session, round_) else session
        try:
            if tried := draft.event or draft.attempted_event:
                if self.misfits and not sure and draft.verdict != "no":
                    return self._ask_without(session, round_, draft, tried)
                # The draft was checked against what its player knows already.
                typed = self.pick is None and tried == draft.event
                # Refuse with the reason that was shown beside the draft.
                if self.pick is not None and draft.verdict == "no":
                    round_.game.play_move(round_.game.seat_view(round_.state, None), round_.turn or 1, round_.game.parse_move(tried))
                return round_life.commit(session, tried, judged=typed and draft.verdict == "ok")
            if draft.verdict == "no":
                raise RefusedError("entry", draft.text, draft.message)
        except RefusedError as refused:
            wrong = told_wrongly(round_, refused)
            back = self._replace(crossed=refused if draft.verdict == "ok" else None, wrong=wrong)
            return session.show(back).open(Refusing(refused, Playing(wrong=wrong))).sound("refused")
        return session.show(self._replace(stray="#"))

    def _ask_without(self, session: Session, round_: Round, draft: Draft, event: str) -> Session:
        """Ask whether the move counts without the keys that did nothing. It is checked anew after that."""
        question = text("Play {move}?", move=draft.text)
        if round_.move_input.claim_text(event):
            question = text("Do you mean: I can't move?")
        return ask_without(session, self.misfits, question, partial(self._enter, sure=True))

    def _erase(self, session: Session) -> Session:
        """Erase one key or step; with an empty draft open the table menu, but not right after erasing."""
        if self.pick is not None and session.round is not None:
            earlier = session.round.move_input.pick_after_back(session.round.known_state, self.pick)
            return double_taps.mark_erased(session.show(Playing(pick=earlier, wrong=self.wrong)))
        # With six buttons nobody can continue half-typed keys, such as those of a hint, so all of them go.
        if self.keys:
            keys = "" if session.buttons else self.keys[:-1]
            misfits = self.misfits if keys else ""
            return double_taps.mark_erased(session.show(Playing(keys, misfits=misfits, wrong=self.wrong)))
        if double_taps.just_erased(session):
            return double_taps.wait_after_erasing(session.show(self))
        return table_menu.open_menu(session, mends=self.wrong)

    # -- what happens by itself ---------------------------------------------------------------------------------

    def due(self, session: Session) -> float | None:
        round_ = session.round
        if round_ is None or session.light != "on" or session.box_move is not None:
            return None
        if self._is_new and (_follows(session, round_) or session.game_clock) and _may_tell_how(session, round_):
            return session.taps.pressed + HOW_SECONDS
        if countdown.seat(session) and not self._is_new:
            return session.taps.pressed + CLOCK_AFTER + CLOCK_EACH * (_changes_of_line(session) + 1)
        return session.taps.pressed + NUDGE_SECONDS if self._can_be_nudged(round_) else None

    def tick(self, session: Session) -> Session:
        if not self.at_rest:
            return session  # It is only time to alternate between draft and clock.
        nudge = session.round is not None and self._can_be_nudged(session.round)
        late = session.clock >= session.taps.pressed + NUDGE_SECONDS
        return session.show(Playing(nudge=True) if nudge and late else Playing(how=True))

    def _clocks_turn(self, session: Session) -> bool:
        """Whether the game clock's times now replace the draft's verdict, or the line on how a move is entered."""
        return countdown.seat(session) > 0 and not self._is_new and _changes_of_line(session) % 2 == 0

    def _can_be_nudged(self, round_: Round) -> bool:
        return self._replace(how=False)._is_new and bool(round_.move_input.claim_instructions(round_.known_state))

    # -- what it shows ------------------------------------------------------------------------------------------

    def draft(self, round_: Round) -> Draft | None:
        """The draft with its verdict, None while it is empty."""
        return None if self.at_rest else round_.judge_draft(self.keys, self.pick)

    def announces(self, session: Session) -> tuple[str, ...]:
        return box_moves.announced(session)

    def content(self, session: Session) -> kinds.Content:
        round_ = session.round_here
        entered = self.draft(round_)
        if entered is not None and self.crossed is not None:
            entered = round_.move_input.refused_draft(entered, self.crossed)
        told = None
        claims = entered is not None and bool(round_.move_input.claim_text(entered.event or entered.attempted_event))
        if self.stray in ARROWS:
            words = round_.move_input.blocked_arrow_text(round_.known_state, self.pick, self.stray)
            words = "" if words == NO_FURTHER_TEXT else words  # Beside a tick it would read as if OK did nothing.
            told = draft_after_arrow(entered, words, is_claim=claims)
        elif self.stray and self.keys:
            told = draft_after_stray_key(entered, is_claim=claims)
            if entered is not None and entered.verdict == "ok":
                words = round_.move_input.extra_key_text(round_.known_state, self.keys, self.stray)
                told = entered._replace(message=words) if words else told
        say, ticking = self._say(session, round_, told)
        cannot = round_.move_input.claim_instructions(round_.known_state, session.buttons) if self.at_rest else ""
        shown = told or entered or box_moves.draft(session)
        drawn = scenes.scene(session, round_, shown, say, ticking, cannot=cannot, awaits=shown is None)
        return kinds.Drawn(round_.header.game, drawn)

    def content_at_rest(self, session: Session) -> kinds.Content:
        round_ = session.round_here
        said, _ = self._say(session, round_, None)
        seat = round_.turn or 1
        # From afar only the time of this move is shown, and not that of the whole round.
        times = thinking_time.times(session)[:1] if session.game_clock is None else countdown.times(session)
        if len(round_.events) < NEW_ROUND:
            said = said or text("{key} shows the table", key="OK" if session.buttons else "#")
        return kinds.Rest(round_.player_name(seat), seat, times or tuple(map(str, round_.result_counts)), said)

    def _say(self, session: Session, round_: Round, told: Draft | None) -> tuple[str, tuple[str, ...]]:
        """The last line, or the clock's times that are shown in it.

        The first of these that applies: what a key that did nothing means, how to pass, how a move is entered, the
        times.
        """
        if self.stray == scenes.CANCELLED:
            return scenes.NOTHING_CHANGED, ()
        if box_moves.thinks(session):
            return box_moves.words(session), ()
        if self.stray in ARROWS:
            return round_.move_input.blocked_arrow_text(round_.known_state, self.pick, self.stray) if told is None else "", ()
        if self.stray == "#":
            return round_.move_input.incomplete_text(round_.known_state, self.keys), ()
        if self.stray:
            return round_.move_input.stray_key_text(round_.known_state, self.keys, self.stray) if told is None else "", ()
        stands = session.game_clock is not None and countdown.stands(session)
        if self._clocks_turn(session):
            return "", countdown.times(session)
        if self.nudge and not stands and (words := round_.move_input.claim_instructions(round_.known_state, session.buttons)):
            return words, ()
        if not self.at_rest:
            return "", ()
        new = not (_follows(session, round_) or session.game_clock) and _may_tell_how(session, round_)
        if new or (self.how and _has_how(session, round_)):
            return _how(session, round_), ()
        if session.game_clock is None:
            return "", thinking_time.times(session)
        if stands:
            return _stands(session), ()
        return "", countdown.times(session)


def _changes_of_line(session: Session) -> int:
    """How often the clock's times and the draft have alternated since the last key; -1 before the first time."""
    since = session.clock - session.taps.pressed - CLOCK_AFTER
    return max(-1, math.floor(since / CLOCK_EACH + countdown.NEARLY))  # A sum of floats may be slightly too small.


def _follows(session: Session, round_: Round) -> bool:
    """Whether the last line has something to say at first: the last move, or in a further round who starts it."""
    return bool(round_.events) or round_.header.number > 1 or session.previous is not None


def _may_tell_how(session: Session, round_: Round) -> bool:
    """Whether the player to move may not know how a move is entered, not having moved in this round yet."""
    return not any(seat == round_.turn for seat, _ in round_.events) and _has_how(session, round_)


def _has_how(session: Session, round_: Round) -> bool:
    """Whether there is such a line to show. It never replaces that of a forced draw, or of a clock to be started."""
    if countdown.stands(session) or round_.turn is None or round_.move_input.must_draw(round_.known_state):
        return False
    return bool(_how(session, round_))


def _stands(session: Session) -> str:
    """How the clock is started, with its times if it has run already."""
    clock, key = session.game_clock, "OK" if session.buttons else "#"
    if clock is None or clock.seconds_left == tuple(control.base_seconds for control in clock.controls):
        return text("{key} starts the clock", key=key)
    times = countdown.times(session)
    if len("/".join(times)) > LONGEST_TIMES:
        times = (times[(session.round_here.turn or 1) - 1],)
    return text("{times} {key} starts", times="/".join(times), key=key)


def _how(session: Session, round_: Round) -> str:
    """How a move is entered with the keys that are in use."""
    return round_.move_input.input_instructions(round_.game.seat_view(round_.state, None), session.buttons)
