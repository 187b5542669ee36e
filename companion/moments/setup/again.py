"""A round like the last one of its game: who sits where is told for a moment, then it begins."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.games.score_pad import rules as pad
from companion.languages import text
from companion.moments.pad import pad_rounds
from companion.moments.play import round_life
from companion.moments.setup import setup as setups
from companion.moments.setup.seats import Seats
from companion.rounds import matches
from companion.session.model import Screen

if TYPE_CHECKING:
    from companion.rounds.stored import RoundHeader
    from companion.session.model import Session

TOLD_SECONDS = 5.0
"""How long the players have to see who starts and what is played, and to press BACK."""


class Again(Screen):
    """What is about to begin, at once with OK, by itself at `until` (monotonic seconds); BACK leads to the menu.

    `swapped`: everybody has moved up a seat since the last round, which the title says.
    """

    header: RoundHeader
    until: float
    swapped: bool = False

    @property
    def of_game(self) -> str:
        """The game that is about to begin."""
        return self.header.game

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK and keys of the game begin, and these count; arrows change who sits where, and then OK alone begins."""
        if key == "*":
            return session.close()
        if key in ("left", "right", "up", "down"):
            return self._seats.press(session, key)
        return self._begin(session).press(key) if key.isdigit() else self._begin(session)

    def due(self, session: Session) -> float:
        """When it begins by itself, and each second before, which OK counts."""
        left = math.ceil(self.until - session.clock)
        return self.until - max(0, left - 1)

    def tick(self, session: Session) -> Session:
        """Begin, when it is time."""
        return session if session.clock < self.until else self._begin(session)

    def _begin(self, session: Session) -> Session:
        begin = pad_rounds.begin if self.header.game == pad.ID else round_life.begin
        return begin(session, self.header)

    @property
    def _seats(self) -> Seats:
        chosen = setups.chosen(self.header)
        asked = [*map(setups.is_seats, setups.questions_of(chosen))].index(True)
        return Seats(chosen._replace(asked=asked))

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """The players."""
        return self.header.names

    def content(self, session: Session) -> kinds.Content:
        """Who sits where, and what is played."""
        seating = self._seats.seating("menu")
        left = math.ceil(self.until - session.clock)
        start = kinds.KeyMeaning("ok", text("start ({seconds})", seconds=max(1, left)), (text("start"),))
        seating = seating._replace(meanings=(start, *seating.meanings[1:]))
        if not self.swapped:
            return seating
        names = self.header.names
        return seating._replace(title=text("Swapped") if len(names) == 2 else text("{who} starts", who=names[0]))


def open_again(session: Session, game: str) -> Session:
    """Tell what a round like the last one of a game is, which then begins: another player starts, if that one ended."""
    header = setups.last_head(session, game)
    if header is None:
        return session
    ended = game not in session.past.left
    header = matches.again(matches.moved_up(header) if ended else header)
    return session.open(Again(header, session.clock + TOLD_SECONDS, ended))
