"""The screen of a move that is due: typed, picked, or not begun."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.evening import countdown, double_taps, thinking_time
from companion.evening.contents import kinds
from companion.evening.screen_kinds import MoveScreen
from companion.evening.screens import pages
from companion.evening.screens.messages import RefusalScreen, ask_to_ignore_misfit_keys, may_be_misnamed
from companion.evening.screens.play import computer_moves, round_actions, scenes, table_menu
from companion.games.api import RefusedError
from companion.games.api.game_texts import NO_FURTHER_TEXT
from companion.games.api.move_input import ARROWS, draft_after_arrow, draft_after_stray_key
from companion.languages import keys_text, text

if TYPE_CHECKING:
    from companion.evening.model import Screen, Session
    from companion.games.api.move_input import Draft
    from companion.rounds.on_table import Round

HELP_SECONDS = 5.0
"""Seconds without a key after which a player who hasn't moved yet is told how a move is entered."""
CLOCK_AFTER_SECONDS, CLOCK_TURN_SECONDS = 3.0, 3.0
"""Seconds without a key after which the bottom line alternates between the draft and the game clock.

The second is for how many seconds each of the two is shown.
"""
NUDGE_SECONDS = 20.0
"""Seconds without a key after which the panel says how to pass."""
MAX_TIMES_CHARACTERS = len("59:59/60:00")
"""The most characters of both times of a stopped clock. Of longer times only that of the seat to move is shown."""


class PlayScreen(MoveScreen):
    """A move is due, and its draft is typed (`typed_keys`), picked (`pick`), or empty.

    A key of the game types, an arrow shows the picker, OK plays the draft or takes the next step of a pick. BACK
    erases, and with an empty draft opens the table menu. While a computer player's move waits, only OK and BACK do
    something.
    """

    typed_keys: str = ""
    pick: Any = None
    stray_key: str = ""  # the last key, if it did nothing
    misfit_keys: str = ""  # the keys of this draft that did nothing
    shows_help: bool = False  # nothing was entered for some seconds: the panel says how a move is entered
    shows_pass_help: bool = False  # nothing was entered for a while: the panel says how to pass
    rules_refusal: RefusedError | None = None  # why the rules refused a draft that had a tick
    shows_start: bool = False  # the round begins: the panel shows its goal and an example of keys
    may_be_misnamed: bool = False  # the last move was refused, perhaps because a piece was named wrongly

    public_name = "Playing"
    can_take_back = True

    @property
    def has_empty_draft(self) -> bool:
        return not self.typed_keys and self.pick is None

    @property
    def _is_new(self) -> bool:
        """Whether nothing has happened on this screen since the move became due."""
        return self._replace(may_be_misnamed=False) == PlayScreen()

    @property
    def can_rest(self) -> bool:
        return self.has_empty_draft and not self.shows_start

    def with_cancel_notice(self) -> PlayScreen:
        return self._replace(stray_key=scenes.CANCELLED)

    def fits_base_screen(self, base: Screen) -> bool:
        return isinstance(base, PlayScreen) and self.pick is None

    def may_be_double_tap(self, session: Session, key: str) -> bool:
        # An unseen computer's move isn't confirmed, and the OK that began the round doesn't start the clock.
        if session.computer_move is not None or self.shows_start:
            return key == "#"
        return self._is_new and countdown.is_game_clock_stopped(session) and key == "#" == session.taps.last_key

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # BACK on a phone may open the menu, but not erase what is entered at the box.
        return meant if self.has_empty_draft and session.computer_move is None else ()

    # -- keys ---------------------------------------------------------------------------------------------------

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        screen = self._replace(stray_key="", shows_help=False, shows_pass_help=False, shows_start=False)
        if self.shows_start and key == "*":
            return pages.open_help(session, session.game_id)
        if self.shows_start:
            session = session._replace(started_round=session.current_round.id)
        if self.shows_start and key == "#" and not countdown.is_game_clock_stopped(session):
            return session.replace_screen(screen)
        if computer_moves.awaits_confirmation(session) and key != "*":
            if key == "#":
                return computer_moves.confirm_computer_move(session)
            return session.replace_screen(screen._replace(stray_key=key))
        if key == "#":
            return screen._take_ok(session)
        if key == "*":
            return screen._erase_last(session)
        return session if session.round is None else session.replace_screen(screen._with_key(session.round, key))

    def _with_key(self, round_: Round, key: str) -> PlayScreen:
        """The draft after another key. The first arrow only shows the picker."""
        if key in ARROWS:
            if self.pick is None:
                return PlayScreen(pick=round_.move_input.pick_at_first_arrow(round_.known_state, key))
            new_pick = round_.move_input.pick_after_arrow(round_.known_state, self.pick, key)
            return self._replace(stray_key=key) if new_pick == self.pick else PlayScreen(pick=new_pick)
        misfits = self.misfit_keys if self.pick is None else ""
        draft, longer_draft = self.draft(round_), round_.judge_draft(self.typed_keys + key)
        # A key that cannot mend a refused draft is not added: nobody would see it, and BACK would seem dead.
        is_useless = draft is not None and draft.verdict == "no" and longer_draft and longer_draft.verdict == "no"
        if longer_draft is not None and not (is_useless and self.pick is None):
            return PlayScreen(
                round_.move_input.effective_keys(round_.known_state, self.typed_keys + key), misfit_keys=misfits
            )
        if len(self.typed_keys) == 1 and draft and draft.verdict == "no" and round_.judge_draft(key) is not None:
            # Nothing can follow this key, so the next one takes its place.
            return PlayScreen(key, misfit_keys=misfits)
        return self._replace(stray_key=key, misfit_keys=self.misfit_keys + key)

    def begin_move_at(self, session: Session, event: str, arrow: str) -> Session:
        round_ = session.current_round
        return session.replace_screen(
            PlayScreen(pick=round_.move_input.pick_at_place(round_.known_state, event, arrow))
        )

    def _take_ok(self, session: Session, *, is_sure: bool = False) -> Session:
        """Take OK: the next step of a pick, or the move; with an empty draft the panel says how a move is entered.

        Where something is missing, the panel says what. A draft that can't become a move any more is refused with the
        reason. After keys that did nothing, a move is played only when its player is `is_sure` about what is left.
        """
        round_ = session.round
        session = session.replace_screen(self)
        if round_ is None:
            return session
        draft = self.draft(round_)
        if self.pick is not None and draft is not None and draft.verdict != "no":
            next_pick = round_.move_input.pick_after_ok(round_.known_state, self.pick)
            if next_pick is not None:
                return session.replace_screen(PlayScreen(pick=next_pick))
        if draft is None:
            if countdown.is_game_clock_stopped(session):
                return countdown.start_or_stop_clock(session)
            return session.replace_screen(PlayScreen(shows_help=True)) if _has_help(session, round_) else session
        try:
            if event := draft.event or draft.attempted_event:
                if self.misfit_keys and not is_sure and draft.verdict != "no":
                    return self._ask_without_misfits(session, round_, draft, event)
                # The draft was checked against what its player knows already.
                is_checked = self.pick is None and event == draft.event
                # Refuse with the reason that was shown beside the draft.
                if self.pick is not None and draft.verdict == "no":
                    round_.game.play_move(
                        round_.game.seat_view(round_.state, None), round_.turn or 1, round_.game.parse_move(event)
                    )
                return round_actions.play_event(session, event, is_checked=is_checked and draft.verdict == "ok")
            if draft.verdict == "no":
                raise RefusedError("entry", draft.text, draft.message)
        except RefusedError as refused:
            is_misnamed = may_be_misnamed(round_, refused)
            refused_draft = self._replace(
                rules_refusal=refused if draft.verdict == "ok" else None, may_be_misnamed=is_misnamed
            )
            return (
                session.replace_screen(refused_draft)
                .open_screens(
                    RefusalScreen(refused, PlayScreen(may_be_misnamed=is_misnamed), keeps_pick=self.pick is not None)
                )
                .play_sound("refused")
            )
        return session.replace_screen(self._replace(stray_key="#"))

    def _ask_without_misfits(self, session: Session, round_: Round, draft: Draft, event: str) -> Session:
        """Ask whether the move counts, although some keys did nothing. After a yes it is checked anew."""
        move, names = round_.game.parse_move(event), round_.header.names
        label = round_.move_input.move_texts(round_.known_state, round_.turn or 1, move, names).button_label
        question = text("{move}?", move=label) if label else text("Play {move}?", move=draft.text)
        if round_.move_input.claim_text(event):
            question = text("Do you mean: I can't move?")
        return ask_to_ignore_misfit_keys(session, self.misfit_keys, question, partial(self._take_ok, is_sure=True))

    def _erase_last(self, session: Session) -> Session:
        """Erase one key or step; with an empty draft open the table menu, but not right after erasing."""
        if self.pick is not None and session.round is not None:
            pick = session.round.move_input.pick_after_back(session.round.known_state, self.pick)
            return double_taps.mark_erased(
                session.replace_screen(PlayScreen(pick=pick, may_be_misnamed=self.may_be_misnamed))
            )
        # With six buttons nobody can continue half-typed keys, such as those of a hint, so all of them go.
        if self.typed_keys:
            keys = "" if session.uses_buttons else self.typed_keys[:-1]
            # Whoever erases has seen the draft, so keys that did nothing before are forgotten.
            return double_taps.mark_erased(
                session.replace_screen(PlayScreen(keys, may_be_misnamed=self.may_be_misnamed))
            )
        if double_taps.has_just_erased(session):
            return double_taps.ignore_back_after_erasing(session.replace_screen(self))
        return table_menu.open_table_menu(session, cursor_on_correction=self.may_be_misnamed)

    # -- what happens by itself ---------------------------------------------------------------------------------

    def next_change_time(self, session: Session) -> float | None:
        round_ = session.round
        if round_ is None or session.light != "on" or session.computer_move is not None or self.shows_start:
            return None
        if (
            self._is_new
            and (_has_first_line(session, round_) or session.game_clock)
            and _may_need_help(session, round_)
        ):
            return session.taps.pressed_at + HELP_SECONDS
        if countdown.running_seat(session) and not self._is_new:
            return (
                session.taps.pressed_at + CLOCK_AFTER_SECONDS + CLOCK_TURN_SECONDS * (_line_change_count(session) + 1)
            )
        return session.taps.pressed_at + NUDGE_SECONDS if self._can_show_pass_help(round_) else None

    def tick(self, session: Session) -> Session:
        if not self.has_empty_draft:
            return session  # It is only time to alternate between draft and clock.
        can_show_pass_help = session.round is not None and self._can_show_pass_help(session.round)
        is_late = can_show_pass_help and session.now >= session.taps.pressed_at + NUDGE_SECONDS
        return session.replace_screen(PlayScreen(shows_pass_help=is_late, shows_help=not is_late))

    def _is_clock_turn(self, session: Session) -> bool:
        """Whether the game clock's times now replace the draft's verdict, or the line on how a move is entered."""
        return countdown.running_seat(session) > 0 and not self._is_new and _line_change_count(session) % 2 == 0

    def _can_show_pass_help(self, round_: Round) -> bool:
        return self._replace(shows_help=False)._is_new and bool(
            round_.move_input.claim_instructions(round_.known_state)
        )

    # -- what it shows ------------------------------------------------------------------------------------------

    def draft(self, round_: Round) -> Draft | None:
        """The draft with its verdict, None while it is empty."""
        return None if self.has_empty_draft else round_.judge_draft(self.typed_keys, self.pick)

    def announcement(self, session: Session) -> tuple[str, ...]:
        return computer_moves.computer_announcement(session)

    def content(self, session: Session) -> kinds.Content:
        round_ = session.current_round
        draft = self.draft(round_)
        if draft is not None and self.rules_refusal is not None:
            draft = round_.move_input.refused_draft(draft, self.rules_refusal)
        stray_draft = None
        is_claim = draft is not None and bool(round_.move_input.claim_text(draft.event or draft.attempted_event))
        if self.stray_key in ARROWS:
            line = round_.move_input.blocked_arrow_text(round_.known_state, self.pick, self.stray_key)
            line = "" if line == NO_FURTHER_TEXT else line  # Beside a tick it would read as if OK did nothing.
            stray_draft = draft_after_arrow(draft, line, is_claim=is_claim)
        elif self.stray_key and self.typed_keys:
            stray_draft = draft_after_stray_key(draft, is_claim=is_claim)
            if draft is not None and draft.verdict == "ok":
                line = round_.move_input.extra_key_text(round_.known_state, self.typed_keys, keys_text(self.stray_key))
                stray_draft = draft._replace(message=line) if line else stray_draft
        line_text, clock_times = self._line_and_times(session, round_, stray_draft)
        cannot = (
            round_.move_input.claim_instructions(round_.known_state, session.uses_buttons)
            if self.has_empty_draft
            else ""
        )
        shown_draft = stray_draft or draft or computer_moves.computer_draft(session)
        scene = scenes.round_scene(
            session, round_, shown_draft, line_text, clock_times, pass_help=cannot, awaits_key=shown_draft is None
        )
        return kinds.Drawn(round_.header.game, scene._replace(start_page=self._start_page(session, round_)))

    def _start_page(self, session: Session, round_: Round) -> tuple[str, ...]:
        """The goal of the game, and how a move is entered with the keys in use: by an example, if they can be typed."""
        if not self.shows_start:
            return ()
        game, view = round_.move_input, round_.game.seat_view(round_.state, None)
        event = game.example_event(view) or str(round_.game.find_legal_move(view) or "")
        keys = "" if session.uses_buttons or not event else game.keys_for_event(event)
        if not keys:
            return round_.manifest.aim, _help_line(session, round_)
        move = game.move_texts(view, round_.turn or 1, round_.game.parse_move(event), round_.header.names)
        return round_.manifest.aim, text("{keys} # = {move}", keys=keys_text(keys), move=move.short)

    def rest_view_content(self, session: Session) -> kinds.Content:
        round_ = session.current_round
        line, _ = self._line_and_times(session, round_, None)
        said = "" if line == _help_line(session, round_) else line
        seat = round_.turn or 1
        numbers = tuple(map(str, round_.result_counts))
        if session.game_clock is not None:
            return kinds.Rest(
                round_.player_name(seat), seat, countdown.displayed_times(session) or numbers, said, round_.header.names
            )
        # The time stands below the numbers that count: it decides nothing.
        said = said or thinking_time.clock_line(session)
        return kinds.Rest(round_.player_name(seat), seat, numbers, said, round_.header.names)

    def _line_and_times(
        self, session: Session, round_: Round, stray_draft: Draft | None
    ) -> tuple[str, tuple[str, ...]]:
        """The last line, or the clock's times that are shown in it.

        The first of these that applies: what a key that did nothing means, how to pass, how a move is entered, the
        times.
        """
        if self.stray_key == scenes.CANCELLED:
            return scenes.NOTHING_CHANGED_TEXT, ()
        if computer_moves.awaits_confirmation(session):
            return computer_moves.computer_line(session), ()
        if self.stray_key in ARROWS:
            return round_.move_input.blocked_arrow_text(
                round_.known_state, self.pick, self.stray_key
            ) if stray_draft is None else "", ()
        if self.stray_key == "#":
            return round_.move_input.incomplete_text(round_.known_state, self.typed_keys), ()
        if self.stray_key:
            return round_.move_input.stray_key_text(
                round_.known_state, self.typed_keys, keys_text(self.stray_key)
            ) if stray_draft is None else "", ()
        is_clock_stopped = session.game_clock is not None and countdown.is_game_clock_stopped(session)
        if self._is_clock_turn(session):
            return "", countdown.displayed_times(session)
        if (
            self.shows_pass_help
            and not is_clock_stopped
            and (words := round_.move_input.claim_instructions(round_.known_state, session.uses_buttons))
        ):
            return words, ()
        if not self.has_empty_draft:
            return "", ()
        is_first_help = not (_has_first_line(session, round_) or session.game_clock) and _may_need_help(session, round_)
        if is_first_help or (self.shows_help and _has_help(session, round_)):
            return _help_line(session, round_), ()
        if session.game_clock is None:
            return "", thinking_time.line_times(session)
        if is_clock_stopped:
            return _stopped_clock_line(session), ()
        return "", countdown.displayed_times(session)


def has_start_page(session: Session, round_: Round) -> bool:
    """Whether a round begins with its goal: these players have not just played it, and it was not asked for as such."""
    asked = session.settings.requested_round
    is_known = scenes.is_repeat_round(session, round_) or (asked is not None and asked.game == round_.header.game)
    is_known = is_known or session.started_round == round_.id
    return not (round_.events or is_known or computer_moves.is_computer_seat(round_, round_.turn or 1))


def _line_change_count(session: Session) -> int:
    """How often the clock's times and the draft have alternated since the last key; -1 before the first time."""
    seconds = session.now - session.taps.pressed_at - CLOCK_AFTER_SECONDS
    # A sum of floats may be slightly too small.
    return max(-1, math.floor(seconds / CLOCK_TURN_SECONDS + countdown.ROUNDING_TOLERANCE_SECONDS))


def _has_first_line(session: Session, round_: Round) -> bool:
    """Whether the last line has something to say at first: the last move, or in a further round who starts it."""
    return bool(round_.events) or round_.header.number > 1 or session.previous_round is not None


def _may_need_help(session: Session, round_: Round) -> bool:
    """Whether the player to move may not know how a move is entered, not having moved in this round yet."""
    return not any(seat == round_.turn for seat, _ in round_.events) and _has_help(session, round_)


def _has_help(session: Session, round_: Round) -> bool:
    """Whether the last line may say how a move is entered. A forced draw or a clock to be started comes first."""
    if (
        countdown.is_game_clock_stopped(session)
        or round_.turn is None
        or round_.move_input.must_draw(round_.known_state)
    ):
        return False
    return bool(_help_line(session, round_))


def _stopped_clock_line(session: Session) -> str:
    """How the clock is started, with its times if it has run already."""
    clock, key = session.game_clock, session.ok_name
    if clock is None or clock.seconds_left == tuple(control.base_seconds for control in clock.controls):
        return text("{key} starts the clock", key=key)
    times = countdown.displayed_times(session)
    if len("/".join(times)) > MAX_TIMES_CHARACTERS:
        times = (times[(session.current_round.turn or 1) - 1],)
    return text("{times} {key} starts", times="/".join(times), key=key)


def _help_line(session: Session, round_: Round) -> str:
    """How a move is entered with the keys that are in use."""
    return round_.move_input.input_instructions(round_.game.seat_view(round_.state, None), session.uses_buttons)
