"""The main menu with the games, a round like the last one, and the menu "more" with everything that is no game."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from companion import games
from companion.evening import thinking_time
from companion.evening.contents import kinds
from companion.evening.model import Screen, Session
from companion.evening.screens import box_checks, box_settings, name_screens
from companion.evening.screens.lists import ListScreen, MenuItem, MenuScreen
from companion.evening.screens.pad import pad_actions
from companion.evening.screens.pages import open_help, open_today
from companion.evening.screens.phones import phones_page
from companion.evening.screens.play import round_actions
from companion.evening.screens.setup import setup
from companion.evening.screens.setup.seats import Seats
from companion.games.score_pad import pad
from companion.inputs import Request
from companion.languages import text
from companion.rounds import standings

if TYPE_CHECKING:
    from companion.evening.contents.kinds import KeyHint
    from companion.rounds.stored import RoundHeader


class MoreMenu(MenuScreen):
    """The menu "more". Its entries are always the same ones, so that each keeps its digit."""

    back_label = text("menu")
    is_between_rounds = True

    def items(self, session: Session) -> tuple[MenuItem, ...]:
        return (
            MenuItem(text("Standings"), open_today),
            MenuItem(text("How to play"), _open_help_menu),
            MenuItem(
                text("Hints: on") if session.switches.hints else text("Hints: off"),
                partial(Session.toggle_switch, which="hints"),
            ),
            MenuItem(
                text("Turn time: on") if session.switches.timing else text("Turn time: off"),
                thinking_time.toggle_thinking_clock,
            ),
            MenuItem(phones_page.phones_label(session), phones_page.ask_phones),
            MenuItem(text("History"), _request_history),
            MenuItem(text("Names"), name_screens.open_names),
            MenuItem(text("Check the box"), box_checks.open_doctor),
            MenuItem(text("Settings"), box_settings.open_settings),
        )


class HelpMenu(ListScreen):
    """The games again, to read how one is played."""

    def key_hints(self, session: Session) -> tuple[KeyHint, ...]:
        return kinds.ok_and_back_hints("how to play", self.back_label)


def _open_help_menu(session: Session) -> Session:
    """Open the list of games to learn, the cursor on the one that was played last."""
    known_games = games.all_manifests(session.history.seen_games)
    last = session.history.last_games[0] if session.history.last_games else ""
    cursor = next((place for place, each in enumerate(known_games) if each.id == last), 0)
    items = tuple(MenuItem(each.name, partial(open_help, game=each.id), icon=each.id) for each in known_games)
    return session.open_screens(HelpMenu("", (), items, cursor=cursor))


def _request_history(session: Session) -> Session:
    return session.send_request(Request.HISTORY)


START_DELAY_SECONDS = 5.0
"""Seconds until the round begins by itself, in which players see who starts and what is played, or press BACK."""


class Again(Screen):
    """What is about to begin, with OK, or by itself at the monotonic time `starts_at`; BACK leads to the menu.

    A key of the game begins the round too, and counts there. An arrow changes who sits where, and then only OK begins.
    """

    header: RoundHeader
    starts_at: float

    @property
    def game_id(self) -> str:
        return self.header.game

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "*":
            return session.close_screen()
        if key in ("left", "right", "up", "down"):
            return self._seats_screen.press(session.replace_screen(self._seats_screen), key)
        return self._begin_round(session).press_key(key) if key.isdigit() else self._begin_round(session)

    def next_change_time(self, session: Session) -> float:
        # The hint for OK counts the seconds, so it changes every second.
        left = math.ceil(self.starts_at - session.now)
        return self.starts_at - max(0, left - 1)

    def tick(self, session: Session) -> Session:
        return session if session.now < self.starts_at else self._begin_round(session)

    def _begin_round(self, session: Session) -> Session:
        begin = pad_actions.begin_pad if self.header.game == pad.PAD_ID else round_actions.begin_round
        return begin(session, self.header)

    @property
    def _seats_screen(self) -> Seats:
        chosen = setup.setup_from_header(self.header)
        question_index = [*map(setup.is_seats_question, setup.setup_questions(chosen))].index(True)
        return Seats(chosen._replace(question_index=question_index))

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.header.names

    def content(self, session: Session) -> kinds.Content:
        seating = self._seats_screen.seating_content(session.history, "menu")
        left = math.ceil(self.starts_at - session.now)
        start = kinds.KeyHint("ok", text("start ({seconds})", seconds=max(1, left)), (text("start"),))
        return seating._replace(key_hints=(start, *seating.key_hints[1:]))


def offer_same_round(session: Session, game: str) -> Session:
    """Offer a round like the last one of a game, which then begins by itself.

    If that round ended, everybody moves up a seat, so that another player starts.
    """
    header = setup.last_header(session, game)
    if header is None:
        return session
    has_ended = game not in session.history.unfinished_games
    header = standings.repeat_header(standings.rotate_seats(header) if has_ended else header)
    return session.open_screens(Again(header, session.now + START_DELAY_SECONDS))


class MainMenu(MenuScreen):
    """The games, each always with the same digit.

    Right begins a game as it was played last, BACK opens the menu "more".
    """

    is_between_rounds = True
    has_pages = True

    def items(self, session: Session) -> tuple[MenuItem, ...]:
        items = tuple(
            MenuItem(each.name, partial(setup.open_setup, game=each.id), icon=each.id, explanation=each.description)
            for each in games.all_manifests(session.history.seen_games)
        )
        offer = session.club_offer.offer  # It was put off, else the box would ask now.
        if offer is None or offer.id == session.club_offer.accepted_id:
            return items
        return *items, MenuItem(text("Pairing: {names}", names="-".join(offer.names)), _ask_again)

    def key_hints(self, session: Session) -> tuple[kinds.KeyHint, ...]:
        if self._repeatable_game(session):
            return *kinds.ok_and_back_hints("new", "more"), kinds.KeyHint("right", text("same"))
        return kinds.ok_and_back_hints("choose", "more")

    def leave(self, session: Session) -> Session:
        return session.open_screens(MoreMenu())

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        game = self._repeatable_game(session) if key == "right" else ""
        return offer_same_round(session, game) if game else super().press(session, key, held=held)

    def _repeatable_game(self, session: Session) -> str:
        """The id of the game under the cursor, "" if none of its rounds can be played again."""
        known_games = games.all_manifests(session.history.seen_games)
        if self.cursor >= len(known_games):
            return ""
        game = known_games[self.cursor].id
        return game if setup.last_header(session, game) is not None else ""


def _ask_again(session: Session) -> Session:
    """Ask once more about the club's pairing that was put off."""
    return session._replace(club_offer=session.club_offer._replace(answered_id=""))


def main_menu_screen(session: Session) -> MainMenu:
    """The main menu, the cursor on the game that was played last."""
    known_games = [each.id for each in games.all_manifests(session.history.seen_games)]
    cursor = next((known_games.index(each) for each in session.history.last_games if each in known_games), 0)
    return MainMenu(cursor=cursor)
