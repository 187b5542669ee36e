"""Walking through a stored round: its position after each event, beginning with the last. The table is unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.game.entry import without_hidden
from companion.languages import text
from companion.moments.pad.pad_rounds import scores
from companion.moments.pages.page import Reply
from companion.moments.play import scenes
from companion.rounds import replaying
from companion.rounds.on_table import Round
from companion.session.screen_kinds import TableScreen

if TYPE_CHECKING:
    from companion.rounds.on_table import PadRound
    from companion.rounds.replaying import Doubt
    from companion.rounds.stored import StoredRound
    from companion.session.model import Session


SHORT = 9
"""Beside an event of more letters the last line has no room for how many there are."""


class Walk(TableScreen):
    """A stored round replayed: the table after event `number`, 0 for the start.

    `walked` is whether a step was made, so that its reader knows the keys.
    """

    round: Round | PadRound
    number: int
    walked: bool = False

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """Left and up step back; right, down and OK step forward; BACK leaves. It stops at both ends."""
        by = 1 if key in ("right", "down", "#", "6", "8") else -1 if key in ("left", "up", "4", "2") else 0
        number = min(max(0, self.number + by), len(self.round.events))
        walked = self.walked or bool(by)
        return session.close() if key == "*" else session.show(self._replace(number=number, walked=walked))

    def _line(self, session: Session) -> str:
        """Which event it is of how many, whose, and what; at the start, and until a key was pressed, how to walk."""
        events = self.round.events
        how = text("◂▸ walk") if session.buttons else text("D◂ ▸B  * back")
        if not self.number:
            return text("0/{last} start   {how}", last=len(events), how="◂▸" if session.buttons else "D◂ ▸B")
        if self.number == len(events) and not self.walked:
            return text("{number}/{last}   {how}", number=self.number, last=len(events), how=how)
        who, what = self.round.name(events[self.number - 1][0]), self._what()
        if len(what) > SHORT:
            return text("{number} {who} {what}", number=self.number, who=who, what=what)
        return text("{number}/{last} {who} {what}", number=self.number, last=len(events), who=who, what=what)

    def _what(self) -> str:
        """The event as the table told it."""
        if not isinstance(self.round, Round):
            return self.round.event_words(self.number, hidden=False)
        round_, (seat, event) = self.round, self.round.events[self.number - 1]
        if round_.entry.claimed(event):
            return round_.event_words(self.number, hidden=not round_.over)
        before = round_.states[self.number - 1]
        if not round_.over:  # It can be gone on with: what only its owner has seen stays hidden.
            before, event = round_.game.view(before, None), without_hidden(round_.entry, event)
        move = round_.game.read(event)
        return round_.entry.move_words(before, seat, move, round_.header.names).brief

    @property
    def of_game(self) -> str:
        """That of the round."""
        return self.round.header.game

    def board(self, session: Session) -> Round | None:
        """The round as it was."""
        return self.round.after(self.number) if isinstance(self.round, Round) else None

    def content(self, session: Session) -> kinds.Content:
        """The table as everybody saw it."""
        walked = self.round
        if (then := self.board(session)) is not None:
            return kinds.Drawn(then.header.game, scenes.scene(session, then, say=self._line(session)))
        assert not isinstance(walked, Round), "a round was shown above"
        entries = walked.pad.entries[: self.number]
        after = entries[-1][0] % walked.pad.players + 1 if entries else 1
        so_far = walked._replace(pad=walked.pad._replace(entries=entries))
        return scores(so_far, after, back="back", line=self._line(session))

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """Its players."""
        return self.round.header.names


def open_walk(session: Session, kept: StoredRound) -> Session:
    """Open the last position of a kept round over its page."""
    round_, doubt = replaying.replayed(kept)
    if doubt is not None:
        return session.show(no_longer(kept.id, doubt))
    assert round_ is not None, "without a doubt there is a round"
    return session.open(Walk(round_, len(round_.events)))


def no_longer(number: int, doubt: Doubt | None) -> Reply:
    """The reply why a kept round no longer gives its result, or cannot be shown at all."""
    return Reply((text("Round {number}", number=number), doubt.told if doubt is not None else ""))
