"""A stored round, replayed event by event; and the correction of an entry of a stored score pad."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.evening.contents import kinds
from companion.evening.screen_kinds import InputScreen, TableScreen
from companion.evening.screens.lists import Reply
from companion.evening.screens.messages import Ask
from companion.evening.screens.pad.pad_play import Scoring, entries
from companion.evening.screens.pad.pad_rounds import scores
from companion.evening.screens.play import scenes
from companion.games.api.entry import without_hidden_pieces
from companion.games.api.result import verdict_heading
from companion.games.score_pad import rules as pad
from companion.inputs import StoredRoundChangeRequest
from companion.languages import plural_text, text
from companion.rounds import replaying
from companion.rounds.on_table import Round

if TYPE_CHECKING:
    from companion.evening.model import Screen, Session
    from companion.rounds.on_table import PadRound
    from companion.rounds.replaying import ReplayProblem
    from companion.rounds.stored import StoredRound


SHORT = 9
"""The most letters of an event beside which the last line also says how many events there are."""


class Walk(TableScreen):
    """A stored round replayed: the table after event `event_number`, 0 for the start.

    Right, down and OK step forward, left and up step back, BACK leaves. `has_moved` is whether a step was made, so that
    the reader knows the keys and the line needn't name them.
    """

    round: Round | PadRound
    number: int
    walked: bool = False

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        by = 1 if key in ("right", "down", "#", "6", "8") else -1 if key in ("left", "up", "4", "2") else 0
        number = min(max(0, self.number + by), len(self.round.events))
        walked = self.walked or bool(by)
        return session.close() if key == "*" else session.show(self._replace(number=number, walked=walked))

    def _line(self, session: Session) -> str:
        """The last line: which event of how many, whose, and what; at the start, and before the first key, the keys."""
        events = self.round.events
        how = text("◂▸ step") if session.buttons else text("D◂ ▸B  * back")
        if not self.number:
            return text("0/{last} start   {how}", last=len(events), how="◂▸" if session.buttons else "D◂ ▸B")
        if self.number == len(events) and not self.walked:
            return text("{number}/{last}   {how}", number=self.number, last=len(events), how=how)
        who, what = self.round.player_name(events[self.number - 1][0]), self._what()
        if len(what) > SHORT:
            return text("{number} {who} {what}", number=self.number, who=who, what=what)
        return text("{number}/{last} {who} {what}", number=self.number, last=len(events), who=who, what=what)

    def _what(self) -> str:
        """The event in words, as everybody saw it."""
        if not isinstance(self.round, Round):
            return self.round.event_text(self.number, hidden=False)
        round_, (seat, event) = self.round, self.round.events[self.number - 1]
        if round_.move_input.claim_text(event):
            return round_.event_text(self.number, hidden=not round_.is_over)
        before = round_.states[self.number - 1]
        if not round_.is_over:  # The round can be resumed, so hidden pieces stay hidden.
            before, event = round_.game.seat_view(before, None), without_hidden_pieces(round_.move_input, event)
        move = round_.game.parse_move(event)
        return round_.move_input.move_texts(before, seat, move, round_.header.names).brief

    @property
    def of_game(self) -> str:
        return self.round.header.game

    def board(self, session: Session) -> Round | None:
        return self.round.after_event(self.number) if isinstance(self.round, Round) else None

    def content(self, session: Session) -> kinds.Content:
        walked = self.round
        if (then := self.board(session)) is not None:
            return kinds.Drawn(then.header.game, scenes.scene(session, then, say=self._line(session)))
        assert not isinstance(walked, Round), "a round was shown above"
        entries = walked.pad.entries[: self.number]
        after = entries[-1][0] % walked.pad.players + 1 if entries else 1
        so_far = walked._replace(pad=walked.pad._replace(entries=entries))
        return scores(so_far, after, back="back", line=self._line(session))

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.round.header.names


def open_walk(session: Session, kept: StoredRound) -> Session:
    """Open the last position of a stored round over its page."""
    round_, doubt = replaying.replay_stored(kept)
    if doubt is not None:
        return session.show(no_longer(kept.id, doubt))
    assert round_ is not None, "without a doubt there is a round"
    return session.open(Walk(round_, len(round_.events)))


def no_longer(number: int, doubt: ReplayProblem | None) -> Reply:
    """A page that says why a stored round no longer gives its result, or can't be shown at all."""
    return Reply((text("Round {number}", number=number), doubt.message if doubt is not None else ""))


class PastEntry(InputScreen):
    """Other points for an entry of a stored score pad. They are entered as on a pad in play.

    OK asks before it corrects, BACK erases or leaves. `pad_round` is the stored pad, `points_input` its entry with the
    points that are being entered, and `page_kind` the class of the round's page, which stays open until the store has
    changed the round.
    """

    sheet: PadRound
    typed: Scoring
    page: type[Screen]

    letters = "keys"

    @property
    def erases(self) -> bool:
        return bool(self.typed.keys)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#":
            return self._ask(session)
        if key == "*":
            return session.show(self._replace(typed=self._erased())) if self.typed.keys else session.close()
        if key in ("left", "right", "B", "D"):
            return session
        return session.show(self._replace(typed=self.typed.after_key(key, held=held)))

    def _erased(self) -> Scoring:
        """The input without its last digit; without any digit it has the saved points."""
        _, was = self.sheet.pad.entries[self.typed.mends - 1]
        left = self.typed._replace(keys=self.typed.keys[:-1], full="")
        return left if left.keys else left._replace(sign="", step=was)

    def _ask(self, session: Session) -> Session:
        """Ask whether to correct the entry, with the result that would follow."""
        before, points = self.sheet.pad, self.typed.points
        seat, was = before.entries[self.typed.mends - 1]
        if points is None:
            return session  # The panel asks for the points.
        if points == was:
            return session.close()
        after = before.with_correction(self.typed.mends, points - was)
        who, total = self.sheet.player_name(seat), after.totals[seat - 1]
        has = plural_text(total, "{who} has {number} point.", "{who} has {number} points.", who=who)
        won = verdict_heading([self.sheet.player_name(seat) for seat in after.leading_seats], after.players)
        title = text("Correct round {number}?", number=self.sheet.id)
        does = partial(_correct, page=self.page, number=self.sheet.id, corrected=after)
        return session.open(Ask(does, title, (has, won), plain=True, names=self.sheet.header.names))

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.sheet.header.names

    def content(self, session: Session) -> kinds.Content:
        shown = self.typed.content(session._replace(pad=self.sheet))
        assert isinstance(shown, kinds.Scores), "a pad in play shows its scores"
        changes = (each for each in shown.meanings if each.key in ("up", "down"))
        back = kinds.KeyMeaning("back", text("erase") if self.erases else text("back"))
        return shown._replace(meanings=(*changes, back))


def _correct(session: Session, page: type[Screen], number: int, corrected: pad.Pad) -> Session:
    written = "".join(f"{seat}: {pad.format_points(points)}\n" for seat, points in corrected.entries)
    return session.close_to(page).request(StoredRoundChangeRequest(number, "correct", written))


def choose_entry(session: Session, sheet: PadRound, page: type[Screen]) -> Session:
    """Ask which entry of a finished pad is wrong, the last one first."""
    return session.open(entries(sheet, partial(_open, sheet=sheet, page=page)))


def _open(session: Session, number: int, sheet: PadRound, page: type[Screen]) -> Session:
    seat, points = sheet.pad.entries[number - 1]
    return session.open(PastEntry(sheet, Scoring(seat, step=points, mends=number), page))
