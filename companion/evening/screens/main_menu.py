"""The main menu with the games, the same round again, and the menu "more" with what is not a game."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from companion import games
from companion.evening import thinking_time
from companion.evening.contents import kinds
from companion.evening.model import Screen, Session
from companion.evening.screens import beginning, box_checks, names
from companion.evening.screens.lists import Item, ListScreen, MenuScreen
from companion.evening.screens.pad import pad_rounds
from companion.evening.screens.pages import open_help, open_today
from companion.evening.screens.phones import phones_page
from companion.evening.screens.play import round_life
from companion.evening.screens.setup import setup
from companion.evening.screens.setup.seats import Seats
from companion.games.score_pad import rules as pad
from companion.inputs import Request
from companion.languages import text
from companion.rounds import standings

if TYPE_CHECKING:
    from companion.evening.contents.kinds import KeyMeaning
    from companion.rounds.stored import RoundHeader


class MoreMenu(MenuScreen):
    """What is not a game, over the main menu."""

    leads_back = text("menu")
    between_rounds = True

    def items(self, session: Session) -> tuple[Item, ...]:
        """A fixed list, so that each entry keeps its digit."""
        return (
            Item(text("Standings"), open_today),
            Item(text("How to play"), _open_games),
            Item(
                text("Hints: on") if session.switches.hints else text("Hints: off"),
                partial(Session.switch, which="hints"),
            ),
            Item(
                text("Turn time: on") if session.switches.timing else text("Turn time: off"), thinking_time.switch_clock
            ),
            Item(text("Check the box"), box_checks.open_doctor),
            Item(phones_page.words(session), phones_page.open_page),
            Item(text("History"), _ask_history),
            Item(text("Names"), names.open_names),
            Item(
                text("Big score: always") if session.switches.rests else text("Big score: when idle"),
                partial(Session.switch, which="rests"),
            ),
            Item(beginning.language_words(session), beginning.ask_language),
        )


class Learning(ListScreen):
    """The games to learn, listed as in the main menu but for what OK does."""

    def meanings(self, session: Session) -> tuple[KeyMeaning, ...]:
        """OK opens how the game is played."""
        return kinds.ok_back("how to play", self.leads_back)


def _open_games(session: Session) -> Session:
    """Show the games to choose from, the cursor on the one played last."""
    known = games.known(session.past.seen)
    last = session.past.last_games[0] if session.past.last_games else ""
    cursor = next((place for place, each in enumerate(known) if each.id == last), 0)
    items = tuple(Item(each.name, partial(open_help, game=each.id), icon=each.id) for each in known)
    return session.open(Learning("", (), items, cursor=cursor))


def _ask_history(session: Session) -> Session:
    """Ask the store for the rounds."""
    return session.request(Request.HISTORY)


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
            return self._seats.press(session.show(self._seats), key)
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
        chosen = setup.chosen(self.header)
        asked = [*map(setup.is_seats, setup.questions_of(chosen))].index(True)
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
    header = setup.last_head(session, game)
    if header is None:
        return session
    ended = game not in session.past.left
    header = standings.same_again(standings.moved_up(header) if ended else header)
    return session.open(Again(header, session.clock + TOLD_SECONDS, ended))


class MainMenu(MenuScreen):
    """The games, each always with the same digit; BACK leads to what is not a game."""

    between_rounds = True

    def items(self, session: Session) -> tuple[Item, ...]:
        """The games that the box has ever known."""
        known = games.known(session.past.seen)
        return tuple(Item(each.name, partial(setup.choose, game=each.id), icon=each.id) for each in known)

    def meanings(self, session: Session) -> tuple[kinds.KeyMeaning, ...]:
        """A game that was played before can be begun as it was."""
        if self._again(session):
            return *kinds.ok_back("new", "more"), kinds.KeyMeaning("right", text("same"))
        return kinds.ok_back("choose", "more")

    def close(self, session: Session) -> Session:
        """Open the menu "more"."""
        return session.open(MoreMenu())

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """Right begins the game as it was played last."""
        game = self._again(session) if key == "right" else ""
        return open_again(session, game) if game else super().press(session, key, held=held)

    def _again(self, session: Session) -> str:
        """The game under the cursor, "" if no round of it can be played again."""
        game = games.known(session.past.seen)[self.cursor].id
        return game if setup.last_head(session, game) is not None else ""


def main_menu(session: Session) -> MainMenu:
    """The main menu, the cursor on the game that was played last."""
    known = [each.id for each in games.known(session.past.seen)]
    cursor = next((known.index(each) for each in session.past.last_games if each in known), 0)
    return MainMenu(cursor=cursor)
