"""How an evening begins: the title, the first start of a new box, and the question whether to resume a round.

::

    start_session ──► Splash ──key or time──► start_evening ──► main menu, or the round of the command line
          │                                         ▲               └─ a new box asks language, keys and names over it
          └──an unfinished round──► Resume ──BACK───┘
                                      └──OK──► the round, or the next one of its match

A round of the command line begins at once, without the title.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.evening.contents import kinds
from companion.evening.model import Screen, Session
from companion.evening.screens.box_checks import HOLD_SECONDS, open_doctor
from companion.evening.screens.first_start import open_first_start
from companion.evening.screens.play import round_actions
from companion.evening.screens.setup import seats
from companion.games.api.computer_players import computer_strength
from companion.games.score_pad import pad
from companion.inputs import DOCTOR_KEY
from companion.languages import plural_text, text
from companion.rounds.on_table import PadRound, Round, replay_pad, replay_round

if TYPE_CHECKING:
    from companion.rounds.stored import StoredRound


def must_ask_language(session: Session) -> bool:
    """Whether to ask for the language: the owner has chosen none, and nothing was played on this box yet."""
    history = session.history
    return session.settings.asks_language and not (history.language or history.player_names or history.next_round > 1)


class Resume(Screen):
    """The question "Continue?" with an unfinished round, or with a match that waits for its next round.

    OK resumes it. BACK keeps it as unfinished and opens the main menu. 0 opens the doctor, as on the title.
    `is_between_rounds` is whether it is a match that waits.
    """

    round: Round | PadRound
    is_between_rounds: bool = False

    @property
    def game_id(self) -> str:
        return self.round.header.game

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "0":
            return open_doctor(session)
        if key == "*":
            return start_evening(round_actions.save_as_unfinished(session, self.round))
        return self.resume_round_or_match(session) if key == "#" else session

    def resume_round_or_match(self, session: Session) -> Session:
        """Put the round on the table, or begin the next one of its match."""
        if isinstance(self.round, PadRound):
            return session._replace(pad=self.round).show_base_screen()
        session = session._replace(round=self.round)
        return round_actions.begin_next_round(session) if self.is_between_rounds else session.show_base_screen()

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.round.header.names

    def content(self, session: Session) -> kinds.Content:
        header = self.round.header
        who = " - ".join(header.names)
        if len(header.names) > 2:
            who = text("{number} players", number=len(header.names))
        title = self.round.pad.title if isinstance(self.round, PadRound) else ""
        name = title or games.manifest_or_placeholder(header.game).name
        hints = kinds.KeyHint("ok", text("continue"), (text("go on"),)), kinds.KeyHint("back", text("menu"))
        return kinds.Resumption(text("Continue?"), header.game, name, who, self._left_at_text(), hints)

    def _left_at_text(self) -> str:
        unfinished_round = self.round
        if isinstance(unfinished_round, PadRound):
            return plural_text(len(unfinished_round.pad.entries), "{number} entry", "{number} entries")
        if self.is_between_rounds:
            return text("match, round {number}", number=unfinished_round.header.number + 1)
        if unfinished_round.missing_holdings:
            return text("being dealt")
        moves = [
            event for _, event in unfinished_round.events if not unfinished_round.move_input.revealed_piece_text(event)
        ]
        return text("move {number}", number=len(moves) + 1)


def start_evening(session: Session) -> Session:
    """Start the evening where nothing is unfinished: with the round of the command line, or with the menu.

    The steps of a new box's first start lie over the menu. If a computer player sits in the round of the command line,
    a page explains first what that means, as it does when a seat is given to it in the menus.
    """
    header = session.settings.requested_round
    if header is None:
        session = session.clear_table()
        return open_first_start(session) if must_ask_language(session) else session
    names = header.names or seats.starting_names(session, games.manifest_of(header.game).players[0])
    session = round_actions.begin_round(session, header._replace(names=names))
    for name in reversed(names):
        if computer_strength(name):
            session = session.open_screens(seats.computer_player_page(header.game, name, lambda after: after))
    return session


def resume_screen(stored_round: StoredRound) -> Resume:
    """The question for an unfinished round, or for the match of a finished one.

    Raises RefusedError or ValueError if the round no longer replays.
    """
    if stored_round.header.game == pad.PAD_ID:
        return Resume(replay_pad(stored_round))
    round_ = replay_round(stored_round)
    return Resume(round_, is_between_rounds=round_.is_over)


class Splash(Screen):
    """The title screen, until a key or the monotonic time `ends_at`.

    With `is_ok_held` an OK button is held down: released, it ends the title; held for `HOLD_SECONDS`, it opens the
    doctor, as a 0 does. A digit counts in the menu that follows, any other key only ends the title.
    """

    ends_at: float
    is_ok_held: bool = False

    letter_keys = "keys"

    def press_ok_or_doctor_key(self, session: Session, key: str) -> Session:
        """Take an OK button, which waits for its release; held until the title ends, it opens the doctor."""
        if key == DOCTOR_KEY:
            return self.press(session, "0")
        if self.is_ok_held:
            return self.press(session, "#")
        return session.replace_screen(Splash(session.now + HOLD_SECONDS, is_ok_held=True))

    def release(self, session: Session, key: str) -> Session:
        return self._end_title(session, "#") if self.is_ok_held and key == "ok" else session

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "0":
            return open_doctor(start_evening(session))
        if self.is_ok_held:
            return self._end_title(session, "#").press_key(key)
        counts_in_menu = key.isdigit() and not must_ask_language(session)
        return start_evening(session).press_key(key) if counts_in_menu else self._end_title(session, key)

    def _end_title(self, session: Session, key: str) -> Session:
        """End the title with a key. It counts at a table, but picks nothing in a menu, which nobody has seen yet."""
        session_after = start_evening(session)
        return session_after.press_key(key) if session_after.round is not None else session_after

    def next_change_time(self, session: Session) -> float:
        return self.ends_at

    def tick(self, session: Session) -> Session:
        return self.press(session, "0") if self.is_ok_held else start_evening(session)

    def content(self, session: Session) -> kinds.Content:
        return kinds.Cover(name=session.box.name)
