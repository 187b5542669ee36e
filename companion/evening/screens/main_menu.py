"""The main menu with the games, a round like the last one, and the menu "more" with everything that is no game."""

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
    """The menu "more". Its entries are always the same ones, so that each keeps its digit."""

    leads_back = text("menu")
    between_rounds = True

    def items(self, session: Session) -> tuple[Item, ...]:
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
    """The games again, to read how one is played."""

    def meanings(self, session: Session) -> tuple[KeyMeaning, ...]:
        return kinds.ok_back("how to play", self.leads_back)


def _open_games(session: Session) -> Session:
    """Open the list of games to learn, the cursor on the one that was played last."""
    known = games.all_manifests(session.past.seen_games)
    last = session.past.last_games[0] if session.past.last_games else ""
    cursor = next((place for place, each in enumerate(known) if each.id == last), 0)
    items = tuple(Item(each.name, partial(open_help, game=each.id), icon=each.id) for each in known)
    return session.open(Learning("", (), items, cursor=cursor))


def _ask_history(session: Session) -> Session:
    return session.request(Request.HISTORY)


TOLD_SECONDS = 5.0
"""Seconds until the round begins by itself, in which players see who starts and what is played, or press BACK."""


class Again(Screen):
    """What is about to begin, with OK, or by itself at the monotonic time `starts_at`; BACK leads to the menu.

    A key of the game begins the round too, and counts there. An arrow changes who sits where, and then only OK begins.
    With `seats_moved_up` everybody has moved up a seat since the last round, and the title says so.
    """

    header: RoundHeader
    until: float
    swapped: bool = False

    @property
    def of_game(self) -> str:
        return self.header.game

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "*":
            return session.close()
        if key in ("left", "right", "up", "down"):
            return self._seats.press(session.show(self._seats), key)
        return self._begin(session).press(key) if key.isdigit() else self._begin(session)

    def due(self, session: Session) -> float:
        # The hint for OK counts the seconds, so it changes every second.
        left = math.ceil(self.until - session.clock)
        return self.until - max(0, left - 1)

    def tick(self, session: Session) -> Session:
        return session if session.clock < self.until else self._begin(session)

    def _begin(self, session: Session) -> Session:
        begin = pad_rounds.begin if self.header.game == pad.PAD_ID else round_life.begin
        return begin(session, self.header)

    @property
    def _seats(self) -> Seats:
        chosen = setup.chosen(self.header)
        asked = [*map(setup.is_seats, setup.questions_of(chosen))].index(True)
        return Seats(chosen._replace(asked=asked))

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.header.names

    def content(self, session: Session) -> kinds.Content:
        seating = self._seats.seating("menu")
        left = math.ceil(self.until - session.clock)
        start = kinds.KeyMeaning("ok", text("start ({seconds})", seconds=max(1, left)), (text("start"),))
        seating = seating._replace(meanings=(start, *seating.meanings[1:]))
        if not self.swapped:
            return seating
        names = self.header.names
        return seating._replace(title=text("Swapped") if len(names) == 2 else text("{who} starts", who=names[0]))


def open_again(session: Session, game: str) -> Session:
    """Offer a round like the last one of a game, which then begins by itself.

    If that round ended, everybody moves up a seat, so that another player starts.
    """
    header = setup.last_head(session, game)
    if header is None:
        return session
    ended = game not in session.past.abandoned_games
    header = standings.repeat_header(standings.rotate_seats(header) if ended else header)
    return session.open(Again(header, session.clock + TOLD_SECONDS, ended))


class MainMenu(MenuScreen):
    """The games, each always with the same digit.

    Right begins a game as it was played last, BACK opens the menu "more".
    """

    between_rounds = True

    def items(self, session: Session) -> tuple[Item, ...]:
        known = games.all_manifests(session.past.seen_games)
        return tuple(Item(each.name, partial(setup.choose, game=each.id), icon=each.id) for each in known)

    def meanings(self, session: Session) -> tuple[kinds.KeyMeaning, ...]:
        if self._again(session):
            return *kinds.ok_back("new", "more"), kinds.KeyMeaning("right", text("same"))
        return kinds.ok_back("choose", "more")

    def close(self, session: Session) -> Session:
        return session.open(MoreMenu())

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        game = self._again(session) if key == "right" else ""
        return open_again(session, game) if game else super().press(session, key, held=held)

    def _again(self, session: Session) -> str:
        """The id of the game under the cursor, "" if none of its rounds can be played again."""
        game = games.all_manifests(session.past.seen_games)[self.cursor].id
        return game if setup.last_head(session, game) is not None else ""


def main_menu(session: Session) -> MainMenu:
    """The main menu, the cursor on the game that was played last."""
    known = [each.id for each in games.all_manifests(session.past.seen_games)]
    cursor = next((known.index(each) for each in session.past.last_games if each in known), 0)
    return MainMenu(cursor=cursor)
