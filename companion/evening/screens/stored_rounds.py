"""A stored round, replayed event by event; and the correction of an entry of a stored score pad."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.evening.contents import kinds
from companion.evening.screen_kinds import InputScreen, TableScreen
from companion.evening.screens.lists import TextPage
from companion.evening.screens.messages import Confirmation
from companion.evening.screens.pad.pad_actions import scores_content
from companion.evening.screens.pad.pad_play import PadScreen, entry_list
from companion.evening.screens.play import scenes
from companion.games.api.move_input import without_hidden_pieces
from companion.games.api.result import verdict_heading
from companion.games.score_pad import pad
from companion.inputs import StoredRoundChangeRequest
from companion.languages import plural_text, text
from companion.rounds import replaying
from companion.rounds.on_table import Round

if TYPE_CHECKING:
    from companion.evening.model import Screen, Session
    from companion.rounds.on_table import PadRound
    from companion.rounds.replaying import ReplayProblem
    from companion.rounds.stored import StoredRound


SHORT_EVENT_CHARACTERS = 9
"""The most letters of an event beside which the last line also says how many events there are."""


class Walk(TableScreen):
    """A stored round replayed: the table after event `event_number`, 0 for the start.

    Right, down and OK step forward, left and up step back, BACK leaves. `has_moved` is whether a step was made, so that
    the reader knows the keys and the line needn't name them.
    """

    round: Round | PadRound
    event_number: int
    has_moved: bool = False

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        step = 1 if key in ("right", "down", "#", "6", "8") else -1 if key in ("left", "up", "4", "2") else 0
        number = min(max(0, self.event_number + step), len(self.round.events))
        has_moved = self.has_moved or bool(step)
        if key == "*":
            return session.close_screen()
        return session.replace_screen(self._replace(event_number=number, has_moved=has_moved))

    def _status_line(self, session: Session) -> str:
        """The last line: which event of how many, whose, and what; at the start, and before the first key, the keys."""
        events = self.round.events
        key_help = text("◂▸ step") if session.uses_buttons else text("D◂ ▸B step")
        if not self.event_number:
            return text("0/{last} start   {how}", last=len(events), how="◂▸" if session.uses_buttons else "D◂ ▸B")
        if self.event_number == len(events) and not self.has_moved:
            return text("{number}/{last}   {how}", number=self.event_number, last=len(events), how=key_help)
        who, event_text = self.round.player_name(events[self.event_number - 1][0]), self._event_text()
        if len(event_text) > SHORT_EVENT_CHARACTERS:
            return text("{number} {who} {what}", number=self.event_number, who=who, what=event_text)
        return text(
            "{number}/{last} {who} {what}", number=self.event_number, last=len(events), who=who, what=event_text
        )

    def _event_text(self) -> str:
        """The event in words, as everybody saw it."""
        if not isinstance(self.round, Round):
            return self.round.event_text(self.event_number, hidden=False)
        round_, (seat, event) = self.round, self.round.events[self.event_number - 1]
        if round_.move_input.claim_text(event):
            return round_.event_text(self.event_number, hidden=not round_.is_over)
        before = round_.states[self.event_number - 1]
        if not round_.is_over:  # The round can be resumed, so hidden pieces stay hidden.
            before, event = round_.game.seat_view(before, None), without_hidden_pieces(round_.move_input, event)
        move = round_.game.parse_move(event)
        return round_.move_input.move_texts(before, seat, move, round_.header.names).brief

    @property
    def game_id(self) -> str:
        return self.round.header.game

    def board(self, session: Session) -> Round | None:
        return self.round.after_event(self.event_number) if isinstance(self.round, Round) else None

    def content(self, session: Session) -> kinds.Content:
        round_ = self.round
        if (shown_round := self.board(session)) is not None:
            scene = scenes.round_scene(session, shown_round, line_text=self._status_line(session))
            return kinds.Drawn(shown_round.header.game, scene._replace(back_label=text("back")))
        assert not isinstance(round_, Round), "a round was shown above"
        entries = round_.pad.entries[: self.event_number]
        next_seat = entries[-1][0] % round_.pad.players + 1 if entries else 1
        so_far = round_._replace(pad=round_.pad._replace(entries=entries))
        return scores_content(so_far, next_seat, back_label="back", line_text=self._status_line(session))

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.round.header.names


def open_last_position(session: Session, stored_round: StoredRound) -> Session:
    """Open the last position of a stored round over its page."""
    round_, doubt = replaying.replay_stored(stored_round)
    if doubt is not None:
        return session.replace_screen(replay_failure_page(stored_round.id, doubt))
    assert round_ is not None, "without a doubt there is a round"
    return session.open_screens(Walk(round_, len(round_.events)))


def replay_failure_page(number: int, doubt: ReplayProblem | None) -> TextPage:
    """A page that says why a stored round no longer gives its result, or can't be shown at all."""
    return TextPage((text("Round {number}", number=number), doubt.message if doubt is not None else ""))


class PastEntry(InputScreen):
    """Other points for an entry of a stored score pad. They are entered as on a pad in play.

    OK asks before it corrects, BACK erases or leaves. `pad_round` is the stored pad, `points_input` its entry with the
    points that are being entered, and `page_kind` the class of the round's page, which stays open until the store has
    changed the round.
    """

    pad_round: PadRound
    points_input: PadScreen
    page_kind: type[Screen]

    letter_keys = "keys"

    @property
    def can_erase(self) -> bool:
        return bool(self.points_input.typed_digits)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#":
            return self._ask_to_correct(session)
        if key == "*":
            if not self.points_input.typed_digits:
                return session.close_screen()
            return session.replace_screen(self._replace(points_input=self._without_last_digit()))
        if key in ("left", "right", "B", "D"):
            return session
        return session.replace_screen(self._replace(points_input=self.points_input.with_key(key, held=held)))

    def _without_last_digit(self) -> PadScreen:
        """The input without its last digit; without any digit it has the saved points."""
        _, saved_points = self.pad_round.pad.entries[self.points_input.corrected_entry - 1]
        remaining = self.points_input._replace(typed_digits=self.points_input.typed_digits[:-1], excess_digits="")
        return remaining if remaining.typed_digits else remaining._replace(sign="", counted_points=saved_points)

    def _ask_to_correct(self, session: Session) -> Session:
        """Ask whether to correct the entry, with the result that would follow."""
        before, points = self.pad_round.pad, self.points_input.points
        seat, saved_points = before.entries[self.points_input.corrected_entry - 1]
        if points is None:
            return session  # The panel asks for the points.
        if points == saved_points:
            return session.close_screen()
        after = before.with_correction(self.points_input.corrected_entry, points - saved_points)
        who, total = self.pad_round.player_name(seat), after.totals[seat - 1]
        has = plural_text(total, "{who} has {number} point.", "{who} has {number} points.", who=who)
        won = verdict_heading([self.pad_round.player_name(seat) for seat in after.leading_seats], after.players)
        title = text("Correct round {number}?", number=self.pad_round.id)
        does = partial(_request_correction, page_kind=self.page_kind, number=self.pad_round.id, corrected=after)
        return session.open_screens(
            Confirmation(does, title, (has, won), needs_ok_or_back=True, names=self.pad_round.header.names)
        )

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.pad_round.header.names

    def content(self, session: Session) -> kinds.Content:
        shown = self.points_input.content(session._replace(pad=self.pad_round))
        assert isinstance(shown, kinds.Scores), "a pad in play shows its scores"
        changes = (each for each in shown.key_hints if each.key in ("up", "down"))
        back = kinds.KeyHint("back", text("erase") if self.can_erase else text("back"))
        return shown._replace(key_hints=(*changes, back))


def _request_correction(session: Session, page_kind: type[Screen], number: int, corrected: pad.Pad) -> Session:
    record_text = "".join(f"{seat}: {pad.format_points(points)}\n" for seat, points in corrected.entries)
    return session.close_screens_above(page_kind).send_request(StoredRoundChangeRequest(number, "correct", record_text))


def ask_which_entry_is_wrong(session: Session, pad_round: PadRound, page_kind: type[Screen]) -> Session:
    """Ask which entry of a finished pad is wrong, the last one first."""
    return session.open_screens(
        entry_list(pad_round, partial(_open_entry_input, pad_round=pad_round, page_kind=page_kind))
    )


def _open_entry_input(session: Session, number: int, pad_round: PadRound, page_kind: type[Screen]) -> Session:
    seat, points = pad_round.pad.entries[number - 1]
    return session.open_screens(
        PastEntry(pad_round, PadScreen(seat, counted_points=points, corrected_entry=number), page_kind)
    )
