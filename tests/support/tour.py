"""An evening with one game at a new box, by keys alone: setup, help, a round with all its questions, what is saved.

The table is the real loop with its store and workers; only devices and clock are missing. A key is chosen for what it
does, so a tour is the same in every language.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from game_support import support_of_game
from list_screens import digit_of_line, index_of_line, list_texts

from companion import display, games
from companion.evening import state_machine
from companion.evening.double_taps import DOUBLE_TAP_GUARD_SECONDS
from companion.evening.screens import alphabet
from companion.evening.screens.play import round_actions
from companion.games.api import RefusedError
from companion.games.score_pad import pad
from companion.inputs import BoxExamined, Finding, Input, KeyPressed, KeyReleased, StopRequested
from companion.languages import text
from companion.rounds.stored import SessionSettings
from companion.store.store import Store
from companion.table.loop import TableLoop
from companion.table.table_devices import InputQueue
from companion.table.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.evening.model import Session

    Ways = Callable[..., list[str]]
    """From a game, a position and an event, or from a round, its moment and pieces, to keys."""

ARROWS = {"up": "A", "right": "B", "down": "C", "left": "D"}
KEYPAD_KEYS = {"ok": "#", "back": "*", **ARROWS}
WORKER_NAMES = ("hint", "coach")
"""The threads that search."""
FINDINGS = (
    Finding("panel", "ok", text("The panel answers on I2C bus {bus}.", bus=1)),
    Finding("keypad", "do", text("No keypad on {port}: is its plug in?", port="/dev/1")),
)
MOVES_LOOKED_AT = 4
"""So many moves at the start and at the end of a round are looked at; those in between look like them."""


class SilentPanel:
    """A display that shows nothing."""

    def show(self, image: Any, shift: int = 0) -> None:
        """Take a picture."""

    def contrast(self, level: int) -> None:
        """Be dimmed or bright."""

    def sleep(self) -> None:
        """Be dark."""

    wake = sleep


class TourStop(NamedTuple):
    """A picture of a tour: what had been pressed, and the session."""

    label: str
    session: Session

    def draw(self, language: str) -> Any:
        """The panel in a language; for a refusal or notice at the time when any key closes it."""
        clock = self.session.now + DOUBLE_TAP_GUARD_SECONDS
        return display.session_picture(self.session._replace(now=clock, language=language))


class Tour:
    """A new box in a language, and all its pictures; `keys` are ``keypad`` or ``buttons``."""

    def __init__(self, folder: Path, language: str, keys: str, ways: tuple[Ways, Ways]) -> None:
        self.now, self.stops, self.records_stops, self.label = 0.0, list[TourStop](), True, "first start"
        self.keypad = keys == "keypad"
        self.keys_of, self.naming_keys = ways
        self.store = Store(folder)
        inputs = InputQueue(lambda sentence: None)
        inputs.queue = self.inputs = queue.Queue[Input]()
        self.workers = Workers(folder, inputs, lambda: self.inputs.put(BoxExamined(FINDINGS, self.now)))
        settings = SessionSettings(has_keypad=self.keypad, has_buttons=not self.keypad, asks_language=True)
        self.table = TableLoop(
            state_machine.start_session(settings, self.store.load_history(), self.now),
            self.store,
            [SilentPanel()],
            self.inputs,
            clock=lambda: self.now,
            start_request=self.workers.start_request,
            on_shown=self.workers.on_shown,
        )
        self.table.show_first_session()
        self._record_stop()
        self.do("ok")
        self.pick(language)
        self.do("ok", "ok")  # The keys, pressed twice alike, are as they should be.
        self.do(*([] if self.keypad else ["left"]), "ok")  # That's all: no names.
        assert self.family == "Menu", self.family

    def close(self) -> None:
        self.workers.close()
        self.store.close()

    # -- keys ---------------------------------------------------------------------------------------------------

    @property
    def session(self) -> Session:
        return self.table.session

    @property
    def family(self) -> str:
        return self.session.screen.public_name

    def _record_stop(self) -> None:
        if self.records_stops and (not self.stops or self.stops[-1].session.screen != self.session.screen
                           or self.stops[-1].session != self.session):  # fmt: skip
            self.stops.append(TourStop(self.label, self.session))

    def take(self, event: Input) -> None:
        self.table.take_input(event)
        self.table.paint()
        self._record_stop()

    def press(self, *keys: str, apart: float = 1.3) -> None:
        """Press keys by their names, and draw a picture after each."""
        for key in keys:
            self.now += apart
            self.take(KeyPressed(key, self.now))
            if not self.keypad:
                self.table.take_input(KeyReleased(key, self.now + 0.1))

    def do(self, *keys: str) -> None:
        """Press keys, named as on buttons."""
        self.press(*(KEYPAD_KEYS.get(key, key) if self.keypad else key for key in keys))

    def wait_for_worker(self) -> None:
        """Wait for the answer of a worker, up to its last part."""
        while any(thread.name in WORKER_NAMES for thread in threading.enumerate()) or not self.inputs.empty():
            try:
                self.take(self.inputs.get(timeout=0.1)._replace(at=self.now))
            except queue.Empty:
                continue

    def pick(self, *words: str) -> None:
        """Pick the line of the open list that begins with any of these English words."""
        there = index_of_line(self.session, *words)
        content = self.session.screen.content(self.session)
        down = (there - self.session.screen.cursor) % len(content.lines)
        if self.keypad and (digit := digit_of_line(self.session, *words)):
            page = content.page_of(content.lines[there])
            while content.page_of(content.lines[self.session.screen.cursor]) != page:
                self.do("0")
            self.do(digit)
        elif self.keypad:
            self.do(*"C" * down, "#")
        else:
            self.do(*["down"] * down, "ok")

    def menu(self, *words: str) -> None:
        """Pick a line of the table menu."""
        self.do("back")
        self.pick(*words)

    def spell(self, name: str) -> None:
        """Spell a name, and confirm it."""
        for letter in name:
            if self.keypad:
                digit = next(
                    each for each, made in alphabet.TAP_LETTERS.items() if alphabet.base_letter(letter) in made
                )
                made = alphabet.tap_cycle(digit, is_capital=alphabet.begins_word(self.session.screen.name_text))
                self.now += 2
                self.press(*digit * (made.index(letter) + 1), apart=0.4)
            else:
                base = alphabet.base_letter(letter)
                self.do(*_arrows_to(self.session.screen, base.upper() if letter.isupper() else base), "ok")
                while self.session.screen.name_text[-1] != letter:
                    self.do(
                        *_arrows_to(self.session.screen, alphabet.next_accent(self.session.screen.name_text[-1])), "ok"
                    )
        self.do(*(() if self.keypad else _arrows_to(self.session.screen, "done")), "ok")

    def leave(self, *until: str) -> None:
        """Press BACK until a screen of this family is on top."""
        for _ in range(9):
            if self.family in until:
                return
            self.do("back")
        raise AssertionError(self.family)

    def read_page(self) -> None:
        """Turn the pages of a text to its end, and leave it."""
        for _ in range(9):
            before = self.table.session.screen
            self.do("down")
            if self.table.session.screen == before:
                break
        self.do("back")


def _arrows_to(moment: Any, cell: str) -> list[str]:
    """The fewest arrows that lead to a cell of the row of letters."""
    cells = moment.cells
    seen, todo = {moment.cursor}, deque([(moment.cursor, list[str]())])
    while todo:
        at, keys = todo.popleft()
        if cells[at] == cell:
            return keys
        for key in ARROWS:
            step = alphabet.next_cell(cells, at, key)
            if step not in seen:
                seen.add(step)
                todo.append((step, [*keys, key]))
    raise LookupError(cell)


# -- the evening ------------------------------------------------------------------------------------------------


def play_evening(tour: Tour, game: str, *, options: tuple[str, ...] = (), players: str = "") -> None:
    """Play a whole evening with a game."""
    visit_new_box(tour, game)
    if game == pad.PAD_ID:
        play_pad(tour)
    else:
        play_round(tour, game, options, players)
    visit_after_round(tour, game)


def visit_new_box(tour: Tour, game: str) -> None:
    """Visit the pages in "more" on a new box, and the page that explains the game."""
    tour.label = "new box"
    tour.do("back")
    for words in ("Standings", "History", "Names", "Phones", "Check the box"):
        tour.label = words
        tour.pick(words)
        if words == "Phones":
            tour.do("ok")  # The box asks first.
        if words == "Check the box":
            tour.wait_for_worker()
            tour.do("ok", "down")
        tour.leave("Menu")
    tour.label = "hints on"
    tour.pick("Hints")
    tour.label = "How to play"
    tour.pick("How to play")
    tour.pick(games.manifest_of(game).name)
    tour.read_page()
    tour.do("back")
    tour.leave("Menu")
    tour.do("back")


def set_up(tour: Tour, game: str, options: tuple[str, ...], players: str) -> None:
    """Answer every question; a new name is spelled for the first seat."""
    tour.label = "set-up"
    tour.pick(games.manifest_of(game).name)
    left, named = list(options), False
    for _ in range(30):
        if tour.family == "Seats" and not named:
            named = True
            tour.label = "names"
            tour.do("back")
            tour.pick("new name")
            tour.spell("Zoé")
            while tour.family != "Seats":
                tour.pick("Player 2", "Player 3", "Player 4")
            tour.do("right")
            tour.label = "set-up"
        elif tour.family == "Seats":
            tour.do("ok")
        elif tour.family == "Menu":
            words = list_texts(tour.session)
            wanted = next((each for each in left if each in words), "")
            if wanted:
                left.remove(wanted)
                tour.pick(wanted)
            elif players and players in words:
                tour.pick(players)
            elif "open" in words:
                tour.pick("open")
            else:
                tour.do("ok")
        elif tour.family == "Reply":
            tour.do("ok")
        elif tour.session.round is not None:
            return
        else:
            raise AssertionError(tour.family)


def play_round(tour: Tour, game: str, options: tuple[str, ...], players: str) -> None:
    """Set up, deal, and play to the end; in the middle visit the whole table menu."""
    set_up(tour, game, options, players)
    header = tour.session.round.header
    from companion.gamekit.contract import play_random_round

    played = play_random_round(game, dict(header.options), len(header.names), Random(3), share=1.0)
    tour.label = "deal"
    count = 0
    while tour.family == "Dealing":
        moment = tour.session.screen
        wanted = played.rules.format_deal(played.deals[moment.kind, moment.seat])
        count += 1
        tour.records_stops = count < 3
        name_pieces(tour, game, wanted)
    tour.records_stops = True
    last = len(played.events) - 1
    for place, (_, move) in enumerate(played.events):
        tour.label = f"move {place + 1}"
        tour.records_stops = place < MOVES_LOOKED_AT or last - place < MOVES_LOOKED_AT - 1
        close_notices(tour)
        if place == min(last // 2, 12):
            tour.records_stops = True
            visit_table_menu(tour, game)
            tour.records_stops = place < MOVES_LOOKED_AT
        if tour.family == "Dealing":
            name_pieces(tour, game, str(move).partition(" ")[2])
        else:
            tour.press(*tour.keys_of(game, tour.session.round.state, str(move)), apart=1.0)
    tour.records_stops = True
    close_notices(tour)


def name_pieces(tour: Tour, game: str, pieces: str) -> None:
    """Name the pieces of a holding, or what was drawn."""
    if tour.keypad:
        tour.press(*support_of_game(game).keys_of_deal(pieces), "#", apart=0.5)
        return
    each = list(pieces) if pieces.isalnum() and game == "coral-reef" else pieces.split()
    tour.press(*tour.naming_keys(tour.session.round, tour.session.screen, each), apart=0.5)


def close_notices(tour: Tour) -> None:
    """Close all notices."""
    while tour.family == "Notice":
        tour.do("ok")


def try_refused_moves(tour: Tour, game: str, most: int = 4) -> None:
    """Try moves that are refused, one of each kind, and go back from each."""
    codes, chance = set[str](), Random(5)
    for _ in range(3000):
        if len(codes) == most:
            return
        event = support_of_game(game).random_event(chance)
        try:
            round_actions.play_event(tour.session, event)
        except RefusedError as why:
            if why.code in codes:
                continue
            keys = try_keys(tour, game, event)
            if not keys:
                continue
            codes.add(why.code)
            tour.label = f"refused: {why.code}"
            tour.press(*keys, apart=0.5)
            leave_entry(tour)


def try_keys(tour: Tour, game: str, event: str) -> list[str]:
    """The keys of an event; [] if the buttons don't offer it."""
    try:
        return tour.keys_of(game, tour.session.round.state, event)
    except LookupError:
        return []


def leave_entry(tour: Tour) -> None:
    """Go back to the table without a draft."""
    for _ in range(9):
        if tour.family == "Playing" and tour.session.screen.has_empty_draft:
            return
        tour.do("back")
    raise AssertionError(tour.family)


def visit_table_menu(tour: Tour, game: str) -> None:
    """In the middle of a round: refusals, hint, takeback, and all other lines of the table menu."""
    try_refused_moves(tour, game)
    tour.label = "table menu"
    tour.do("back")
    offered = list_texts(tour.session)
    tour.leave("Playing")
    for words in offered:
        if words.startswith(("Main menu", "Leave the round", "Hints")):
            continue
        tour.label = words
        tour.menu(words)
        if tour.family == "Menu" and list_texts(tour.session) != offered:
            tour.do("ok")
        if tour.family == "LookAway":
            tour.do("ok")
        if words == "Give me a hint":
            tour.wait_for_worker()
            if tour.family == "LookAway":
                tour.do("ok")
            for _ in range(4):
                tour.do("right")
        elif words == "How to play":
            tour.read_page()
        elif words == "Correct a piece":
            tour.do("ok", "right")
        elif words == "I can't move":  # It is a draft now.
            tour.do("back")
        elif words == "Take back":
            before = tour.session.round.events
            while tour.family == "Ask":
                tour.do("ok")
            for _, event in before[len(tour.session.round.events) :]:  # A move, and what was drawn for it.
                tour.press(*tour.keys_of(game, tour.session.round.state, str(event)), apart=1.0)
        elif tour.family != "Playing":
            tour.do("down")
        leave_entry(tour)


def play_pad(tour: Tour) -> None:
    """A pad for four players: points of all sizes, the sheet, a takeback, the end."""
    tour.label = "set-up"
    tour.pick("Score pad")
    tour.pick("a new game")
    tour.spell("Skat")
    for words in ("four", "the fewest", "at a turn limit"):
        tour.pick(words)
    while tour.family != "Scoring":
        if tour.family == "Seats":
            tour.do("right")
        tour.do("ok")
    tour.label = "points"
    for points in (12, -5, 140, 7, 30, 18, 0, 9):
        if tour.family != "Scoring":
            break
        if tour.keypad:
            tour.press(*"C" * (points < 0), *str(abs(points)), apart=0.5)
        else:
            tour.do(*["up" if points > 0 else "down"] * (abs(points) % 10))
        tour.do("ok")
    tour.label = "pad menu"
    tour.do("back")
    offered = list_texts(tour.session)
    for words in offered:
        if words.startswith(("Main menu", "End the")):
            continue
        tour.label = words
        tour.pick(words)
        if tour.family != "Scoring":
            tour.do("down")
        tour.leave("Scoring")
        tour.do("back")
    tour.label = "end"
    tour.pick("End the", "Main menu")
    while tour.family in ("Ask",):
        tour.do("ok")


def visit_after_round(tour: Tour, game: str) -> None:
    """Visit the result, its reasons, the review, standings, saved rounds, names, and the way out."""
    tour.label = "result"
    if tour.family == "RoundOver":
        tour.do("back")
        for words in ("What decided it?", "Missed moves", "Standings"):
            if words in list_texts(tour.session):
                tour.label = words
                tour.pick(words)
                if words == "What decided it?":
                    tour.wait_for_worker()
                tour.read_page()
                tour.leave("RoundOver", "Menu")
                if tour.family == "RoundOver":
                    tour.do("back")
        tour.pick("Main menu")
    else:
        tour.do("back")
        tour.leave("Menu")
        tour.pick("Main menu")
    tour.label = "main menu"
    tour.do("back")
    visit_stored_rounds(tour)
    tour.label = "goodbye"
    tour.take(StopRequested(at=tour.now))


def visit_stored_rounds(tour: Tour) -> None:
    """Visit the pages in "more" after a round."""
    tour.label = "Standings"
    tour.pick("Standings")
    tour.do("down", "right", "ok")
    tour.leave("Menu")
    tour.label = "History"
    tour.pick("History")
    tour.do("ok")
    tour.do("down", "down", "ok", "right", "right", "left", "back")
    tour.leave("Menu")
    tour.do("back")
    tour.label = "Names"
    tour.pick("Names")
    tour.do("ok", "ok", "ok")
    tour.pick("Merge")
    tour.do("ok", "back")
    tour.leave("Menu")
    tour.do("back")
