"""Resuming an unfinished round: the question at the start of the evening."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.contents import kinds
from companion.game.box_seats import strength
from companion.games.score_pad import rules as pad
from companion.languages import counted, text
from companion.moments.menus import language
from companion.moments.pages import doctor
from companion.moments.play import round_life
from companion.moments.setup import seats
from companion.rounds.on_table import PadRound, Round, pad_of, round_of
from companion.session.model import Screen, Session

if TYPE_CHECKING:
    from companion.rounds.stored import StoredRound


class Resume(Screen):
    """ "Go on?", with the unfinished round, or the match that waits for its next round (`between`)."""

    round: Round | PadRound
    between: bool = False

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK goes on, BACK keeps it as unfinished and starts anew; 0 opens the doctor, as on the title."""
        if key == "0":
            return doctor.open_doctor(session)
        if key == "*":
            return open_evening(round_life.set_aside(session, self.round))
        return self.resume(session) if key == "#" else session

    def resume(self, session: Session) -> Session:
        """Go on with the round, or with its match."""
        if isinstance(self.round, PadRound):
            return session._replace(pad=self.round).show_base()
        session = session._replace(round=self.round)
        return round_life.begin_following(session) if self.between else session.show_base()

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """Its players."""
        return self.round.header.names

    def content(self, session: Session) -> kinds.Content:
        """The game, who plays, and where it was left."""
        header = self.round.header
        who = " - ".join(header.names)
        if len(header.names) > 2:
            who = text("{number} players", number=len(header.names))
        name = games.described(header.game).name if isinstance(self.round, Round) else self.round.pad.title
        meanings = kinds.ok_back(text("go on"), text("menu"))
        return kinds.Resumption(text("Go on?"), header.game, name, who, self._left_at(), meanings)

    def _left_at(self) -> str:
        """Where the round was left."""
        left = self.round
        if isinstance(left, PadRound):
            return counted(len(left.pad.entries), "{number} entry", "{number} entries")
        if self.between:
            return text("match, round {number}", number=left.header.number + 1)
        if left.waiting:
            return text("being dealt")
        moves = [event for _, event in left.events if not left.entry.reveals(event)]
        return text("move {number}", number=len(moves) + 1)


def open_evening(session: Session) -> Session:
    """Where the table starts when nothing is unfinished: the round of the command line, or the menu.

    A new box is asked its language over that.

    What it means that the box plays is told before that round, as it is where a seat is given to it in the menus.
    """
    header = session.settings.requested
    if header is None:
        session = session.clear_table()
        return language.ask(session) if language.is_open(session) else session
    names = header.names or seats.names(session, games.manifest(header.game).players[0])
    session = round_life.begin(session, header._replace(names=names))
    for name in reversed(names):
        if strength(name):
            session = session.open(seats.told_of_box(header.game, name))
    return session


def question(kept: StoredRound) -> Resume:
    """The question for an unfinished round, or for the match that its finished one belongs to.

    Raises Refused or ValueError if it no longer replays.
    """
    if kept.header.game == pad.ID:
        return Resume(pad_of(kept))
    round_ = round_of(kept)
    return Resume(round_, between=round_.over)
