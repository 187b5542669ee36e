"""An evening played key by key at a real table with a real store, with a clock of its own."""

from __future__ import annotations

import queue
import random
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import pytest
from game_support import support_of_game
from list_screens import digit_of_line, list_texts, list_title

from companion import display, games
from companion.evening import state_machine
from companion.evening.screens.messages import Confirmation, Notice
from companion.evening.screens.pad.pad_play import PadOver, PadScreen
from companion.evening.screens.play.dealing import NamingScreen
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.screens.play.round_over import RoundOver
from companion.evening.screens.setup.questions import SetupQuestion
from companion.evening.screens.setup.seats import Seats
from companion.inputs import KeyPressed, Tick
from companion.rounds.stored import SessionSettings, StoredHistory
from companion.store.store import Store
from companion.table.loop import TableLoop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SEED = 20261120
BEGINS = datetime(2026, 11, 20, 21, 34)
MAX_STEPS = 100
COUNTS = {2: "two players", 3: "three players", 4: "four players"}
"""More questions than any setting-up has."""
THINKS = (2, 3, 6, 10, 18, 30, 55, 90)
"""Seconds before a move."""


class Plan(NamedTuple):
    """A round to be played: its options, who sits where, and how likely a holding is open.

    Hands of dominoes are planned as open, since nobody guesses a whole round, and then played sealed.
    """

    game: str
    options: dict[str, str]
    names: tuple[str, ...] = ("Ann", "Ben")
    share: float = 0.0


PLANS = (
    Plan("coral-reef", {"form": "cards"}),
    Plan("27", {"variant": "basic"}),
    Plan("prime-attactics", {"level": "easy", "start": "13"}, share=0.5),
    Plan("ziggurat", {"set": "6", "base": "solid"}, names=("Dan", "Ann", "Ben", "Cleo"), share=1.0),
    Plan("27", {"variant": "advanced"}, ("Cleo", "Dan")),
    Plan("coral-reef", {"form": "tiles"}, ("Ben", "Cleo"), share=1.0),
    Plan("prime-attactics", {"level": "full", "start": "11"}, ("Ben", "Ann"), share=1.0),
    Plan("ziggurat", {"set": "6", "base": "cutup"}, ("Dan", "Cleo"), share=1.0),
    Plan("27", {"variant": "expert"}),
    Plan("pad", {"wins": "highest", "turns": "6"}, ("Cleo", "Ben", "Ann")),
    Plan("ziggurat", {"set": "9", "base": "solid"}, share=1.0),
    Plan("prime-attactics", {"level": "full", "start": "17"}),
)


class PlayedRound(NamedTuple):
    """What was played, as the players saw it: who sat where, what they did after how many seconds, and the panel.

    `pictures` has the panel before the first move, after each move that left the table visible (else None), and at the
    result.
    """

    game: str
    names: tuple[str, ...]
    events: list[tuple[int, str]]
    seconds: list[int]
    pictures: list[object]


class Player:
    """Plays rounds at a table by pressing its keys, and keeps its own account of them."""

    def __init__(self, folder: Path, typed_keys: Callable, begins: datetime = BEGINS) -> None:
        self.now, self.begins = 0.0, begins.astimezone()
        self.store = Store(folder, lambda: self.begins + timedelta(seconds=self.now), monotonic=lambda: self.now)
        first = state_machine.start_session(SessionSettings(("Ann", "Ben", "Cleo", "Dan")), StoredHistory(), 0.0)
        self.table = TableLoop(first, self.store, [], queue.Queue(), clock=lambda: self.now)
        self.table.show_first_session()
        self.typed = typed_keys
        self.rounds: list[PlayedRound] = []

    @property
    def session(self):
        return self.table.session

    def press(self, key: str, after: float = 0.4) -> None:
        self.now += after
        self.table.take_input(KeyPressed(key, self.now))
        self.table.session = state_machine.mark_shown(self.table.session, self.now)

    def wait(self, seconds: float) -> None:
        """Let time pass, with a Tick when each is due; wake a panel that has gone to sleep."""
        end = self.now + seconds
        while (due := state_machine.next_change_time(self.session)) is not None and due <= end:
            self.now = max(self.now, due) + 0.001
            self.table.take_input(Tick(self.now))
        self.now = end
        if self.session.light == "off":
            self.press("#")
            self.now += 1.5

    def choose(self, wanted) -> None:
        """Choose the menu's entry that begins with these words."""
        self.press(digit_of_line(self.session, wanted), 1.2)

    def seat(self, names: tuple[str, ...]) -> None:
        """Seat the players with these names, and start."""
        if self.session.screen.setup.names != names:
            self.press("*", 2.0)
            for name in names:
                self.choose(name)
        assert self.session.screen.setup.names == names
        self.press("#", 2.0)

    def set_up(self, planned, names: tuple[str, ...]) -> None:
        """From the main menu to the first turn of a round."""
        self.wait(3)
        self.choose(games.manifest_of(planned.header.game).name)
        for _ in range(MAX_STEPS):
            moment = self.session.screen
            if isinstance(moment, Seats):
                self.seat(names)
            elif isinstance(moment, NamingScreen):
                self.deal(planned, moment)
            elif isinstance(moment, SetupQuestion):
                self.choose(self.answer(planned, moment))
            else:
                return
        raise AssertionError(f"no turn after {MAX_STEPS} questions: {self.session.screen}")

    def answer(self, planned, menu: SetupQuestion) -> str:
        title, asked = list_title(self.session)
        if asked in ("how many play", "rounds, clock"):
            return COUNTS[planned.header.seats] if asked == "how many play" else "single round"
        if list_texts(self.session)[-1] == "open":
            kind = "rack" if title.endswith("rack") else "deal"
            seat = 1 + next(index for index, name in enumerate(menu.setup.names) if title.startswith(f"{name}'s"))
            opened = (kind, seat) in planned.deals and not support_of_game(planned.header.game).PLANNED_OPEN_SHARE
            return "open" if opened else list_texts(self.session)[0]
        known = games.manifest_of(planned.header.game)
        labels = [
            known.option_label(name, value) for name, value in (known.option_defaults | planned.header.options).items()
        ]
        return next(words for words in list_texts(self.session) if words in labels)

    def deal(self, planned, moment: NamingScreen) -> None:
        """Type a dealt holding."""
        text = planned.rules.format_deal(planned.deals[moment.kind, moment.seat])
        for key in support_of_game(planned.header.game).keys_of_deal(text) + "#":
            self.press(key)

    def play_pad(self, plan: Plan, chance: random.Random) -> None:
        """Keep the score of some other game: every player's points, turn after turn."""
        self.wait(3)
        self.choose("Score pad")
        self.choose("any game")
        self.press(str(len(plan.names)), 1.2)
        self.choose({"highest": "the most", "lowest": "the fewest"}[plan.options["wins"]])
        self.choose("at a turn limit")
        self.press(plan.options["turns"])
        self.press("#")
        self.seat(plan.names)
        events, seconds, pictures, kept = [], [], [display.session_picture(self.session)], self.now
        for index in range(int(plan.options["turns"]) * len(plan.names)):
            points = chance.choice((-5, 2, 4, 7, 11, 15))
            self.wait(chance.choice(THINKS))
            for key in f"{'C' if points < 0 else ''}{abs(points)}#":
                self.press(key)
            events.append((index % len(plan.names) + 1, f"{points:+d}"))
            seconds.append(self.took(kept, first=not seconds))
            kept = self.now
            is_open = isinstance(self.session.screen, PadScreen)
            pictures.append(display.session_picture(self.session) if is_open else None)
        assert isinstance(self.session.screen, PadOver), self.session.screen
        pictures.append(display.session_picture(self.session))
        self.rounds.append(PlayedRound("pad", plan.names, events, seconds, pictures))
        self.press("*", 5.0)
        self.choose("Main menu")

    def took(self, kept: float, *, first: bool) -> int:
        """The seconds since `kept`.

        Entries are dated to the second, and a round begins that long before its first entry.
        """
        now = round(self.now, 3)
        before = int(now) - (now - round(kept, 3)) if first else round(kept, 3)
        return int(now) - int(round(before, 3))

    def picture(self):
        """The panel, None if it shows something else than the table."""
        return display.session_picture(self.session) if isinstance(self.session.screen, PlayScreen) else None

    def play(self, planned, names: tuple[str, ...], chance: random.Random) -> None:
        """Play a planned round to its end, thinking before each move, and go back to the main menu."""
        self.set_up(planned, names)
        seconds, pictures = [], [self.picture()]
        kept = self.now
        for state, (_, move) in zip(planned.states, planned.events, strict=False):
            while isinstance(self.session.screen, Notice):
                self.press("#", 1.0)
            self.wait(chance.choice(THINKS))
            for key in self.typed(planned.header.game, state, str(move)):
                self.press(key)
            seconds.append(self.took(kept, first=not seconds))
            kept = self.now
            pictures.append(self.picture())
        while isinstance(self.session.screen, Notice):
            self.press("#", 1.0)
        assert isinstance(self.session.screen, RoundOver), self.session.screen
        pictures.append(display.session_picture(self.session))
        events = [(seat, str(move)) for seat, move in planned.events]
        self.rounds.append(PlayedRound(planned.header.game, names, events, seconds, pictures))
        self.press("*", 5.0)
        self.choose("Main menu")
        if isinstance(self.session.screen, Confirmation):
            self.press("#")


@pytest.fixture(scope="session")
def new_host(typed_keys) -> Callable[..., Player]:
    """`new_host(folder)`: a host at the main menu of a new store."""
    return lambda folder, **more: Player(folder, typed_keys, **more)


@pytest.fixture(scope="session")
def hosted(play_round, new_host, tmp_path_factory) -> tuple[Player, Path]:
    """A whole evening past midnight, and the folder where it is saved."""
    folder = tmp_path_factory.mktemp("evening")
    host, chance = new_host(folder), random.Random(SEED)
    for index, plan in enumerate(PLANS):
        while plan.game != "pad":
            planned = play_round(plan.game, plan.options, len(plan.names), chance, share=plan.share)
            if planned.rules.seat_to_move(planned.states[-1]) is None:
                break
        if plan.game == "pad":
            host.play_pad(plan, chance)
        else:
            host.play(planned, plan.names, chance)
        if index == 5:
            host.wait(900)  # a break
    host.store.close()
    return host, folder


@pytest.fixture(scope="session")
def planned_options() -> list[dict[str, str]]:
    """The options of each round of the evening."""
    return [plan.options for plan in PLANS]
