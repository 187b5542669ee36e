"""An evening of all games, played by pressing keys: half of the rounds typed on the keypad, half picked with buttons.

Each run plays the same evening anew, so that it follows the menus wherever they go: games and options are chosen,
players seated, open holdings dealt, whole rounds played to their end with slips, refusals and takebacks in between, the
results read. The session is changed by inputs only.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, NamedTuple

from companion import games
from companion.evening import state_machine
from companion.evening.screens.messages import Confirmation, MisfitConfirmation, Notice, RefusalScreen
from companion.evening.screens.play.dealing import NamingScreen
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.screens.play.round_over import RoundOver
from companion.evening.screens.setup.seats import Seats
from companion.inputs import KeyPressed, KeyReleased, Tick
from companion.rounds.stored import SessionSettings, StoredHistory

if TYPE_CHECKING:
    from companion.inputs import Input

SEED = 20261121
NAMES = ("Ann", "Ben", "Cleo", "Dan")
COUNTS = {2: "two players", 3: "three players", 4: "four players"}
THINKING_SECONDS = (2, 3, 6, 10, 18, 30, 55, 90)
"""Seconds before a move."""
SLIP_SHARE, TAKEBACK_SHARE = 0.08, 0.03
"""How often a move is entered wrongly first, and how often one is taken back and played again."""
TYPED, PICKED = "typed", "picked"
MAX_STEPS = 20_000
"""More steps than any evening takes: then some press no longer leads where it did."""


class RoundPlan(NamedTuple):
    """A round to be played: how everything in it is entered, and how likely a holding is open.

    Ziggurat is planned with open hands, because nobody guesses a whole round, and played with sealed ones.
    """

    game: str
    options: dict[str, str]
    way: str
    names: tuple[str, ...] = NAMES[:2]
    share: float = 0.0


PLANS = (
    RoundPlan("coral-reef", {"form": "cards"}, TYPED),
    RoundPlan("27", {"variant": "basic"}, PICKED),
    RoundPlan("prime-attactics", {"level": "easy", "start": "13"}, TYPED, share=0.5),
    RoundPlan("ziggurat", {"set": "6", "base": "solid"}, PICKED, ("Dan", "Ann", "Ben", "Cleo"), 1.0),
    RoundPlan("27", {"variant": "advanced"}, TYPED, ("Cleo", "Dan")),
    RoundPlan("coral-reef", {"form": "tiles"}, PICKED, ("Ben", "Cleo"), 1.0),
    RoundPlan("ziggurat", {"set": "6", "base": "cutup"}, TYPED, ("Dan", "Cleo"), 1.0),
    RoundPlan("prime-attactics", {"level": "full", "start": "11"}, PICKED, ("Ben", "Ann"), 1.0),
    RoundPlan("27", {"variant": "expert"}, TYPED),
    RoundPlan("ziggurat", {"set": "9", "base": "solid"}, TYPED, share=1.0),
    RoundPlan("coral-reef", {"form": "cards"}, PICKED, ("Cleo", "Ann"), 0.5),
    RoundPlan("prime-attactics", {"level": "full", "start": "17"}, TYPED),
    RoundPlan("prime-attactics", {"level": "easy", "start": "19"}, PICKED),
    RoundPlan("ziggurat", {"set": "12", "base": "cutup"}, PICKED, share=1.0),
    RoundPlan("coral-reef", {"form": "tiles"}, TYPED, share=1.0),
    RoundPlan("27", {"variant": "basic"}, PICKED, ("Dan", "Ann")),
)


class Step(NamedTuple):
    """An input of the evening and the session after it; `game` is the one on the table, "" in the menus."""

    event: Input
    session: Any
    game: str


class ScriptedEvening:
    """An evening; `tests` is the tests' own module of helpers, `steps` what has happened so far."""

    def __init__(self, tests: Any) -> None:
        self.tests = tests
        self.chance = random.Random(SEED)
        self.session = state_machine.start_session(SessionSettings(NAMES), StoredHistory(), 0.0)
        self.steps: list[Step] = []
        self.picks = False

    def play(self, plans: tuple[RoundPlan, ...] = PLANS) -> list[Step]:
        """Play the rounds of all plans. Returns the steps."""
        for plan in plans:
            self.picks = plan.way == PICKED
            self._play_round(plan, self._random_round(plan))
        return self.steps

    def _random_round(self, plan: RoundPlan) -> Any:
        while True:
            round_ = self.tests.play_through(plan.game, plan.options, len(plan.names), self.chance, plan.share)
            if round_.rules.seat_to_move(round_.states[-1]) is None:
                return round_

    # -- inputs -----------------------------------------------------------------------------------------------------

    def _take(self, event: Input) -> None:
        self.session = state_machine.clear_outbox(state_machine.update_session(self.session, event))
        self.session = state_machine.mark_shown(self.session, self.session.now)
        round_ = self.session.round
        self.steps.append(Step(event, self.session, round_.header.game if round_ else ""))
        assert len(self.steps) < MAX_STEPS, f"the evening does not get on from {self.session.screen}"

    def _press(self, key: str, after: float = 0.4) -> None:
        key = {"#": "ok", "*": "back"}.get(key, key) if self.picks else key
        self._take(KeyPressed(key, self.session.now + after))

    def _wait(self, seconds: float) -> None:
        """Let time pass; a panel that has gone to sleep is woken."""
        end = self.session.now + seconds
        while (due := state_machine.next_change_time(self.session)) is not None and due <= end:
            self._take(Tick(max(self.session.now, due) + 0.001))
        if self.session.light == "off":
            self._press("#")
            end = self.session.now + 1.5
        self._take(Tick(max(end, self.session.now)))

    def _screen_after(self, *keys: str) -> Any:
        """The family of the screen that keys would lead to."""
        session = self.session
        for key in keys:
            session = state_machine.update_session(session, KeyPressed(key, session.now + 0.4))
        return session.screen

    # -- before a round ---------------------------------------------------------------------------------------------

    def _choose_entry(self, words: str) -> None:
        """Pick the entry of the menu that begins with these words, by its digit or by the shorter way of arrows."""
        menu = self._current_list()
        index = next(index for index, line in enumerate(menu.lines) if line.words.startswith(words))
        if not self.picks:
            self._press(str(menu.lines[index].place + 1), 1.2)
            return
        down = (index - menu.cursor) % len(menu.lines)
        up = len(menu.lines) - down
        for _ in range(min(down, up)):
            self._press("down" if down <= up else "up")
        self._press("#")

    def _play_round(self, plan: RoundPlan, planned: Any) -> None:
        self._wait(4)
        self._choose_entry(games.manifest_of(plan.game).name)
        while not isinstance(self.session.screen, PlayScreen):
            moment = self.session.screen
            if isinstance(moment, Seats):
                self._seat_players(plan.names)
            elif isinstance(moment, NamingScreen):
                self._deal_holdings(planned, moment)
            else:
                self._choose_entry(self._answer_questions(planned))
        self._play_moves(planned)
        self._read_result()

    def _seat_players(self, names: tuple[str, ...]) -> None:
        if self.session.screen.setup.names != names:
            self._press("down" if self.picks else "A", 2.0)
            for name in names:
                self._choose_entry(name)
        assert self.session.screen.setup.names == names
        self._press("#", 2.0)

    def _current_list(self) -> Any:
        """The content of the current menu or question."""
        return self.session.screen.content(self.session)

    def _answer_questions(self, planned: Any) -> str:
        menu = self._current_list()
        if menu.notes[0] in ("how many play", "rounds, clock"):
            return COUNTS[planned.header.seats] if menu.notes[0] == "how many play" else "single round"
        words = [line.words for line in menu.lines]
        if words[-1] == "open":
            kind = "rack" if menu.title.endswith("rack") else "deal"
            names = self.session.screen.setup.names
            seat = 1 + next(index for index, name in enumerate(names) if menu.title.startswith(f"{name}'s"))
            opened = (kind, seat) in planned.deals and not self.tests.support_of_game(
                planned.header.game
            ).PLANNED_OPEN_SHARE
            return "open" if opened else words[0]
        known = games.manifest_of(planned.header.game)
        labels = [
            known.option_label(name, value) for name, value in (known.option_defaults | planned.header.options).items()
        ]
        return next(each for each in words if each in labels)

    def _deal_holdings(self, planned: Any, moment: NamingScreen) -> None:
        dealt, write, game = planned.deals[moment.kind, moment.seat], planned.rules.format_deal, planned.header.game
        if self.picks:
            pieces = [write((each,)) for each in dealt]
            for key in self.tests.keys_of_naming(self.session.round, moment, pieces):
                self._press({"ok": "#"}.get(key, key))
                if key == "ok":  # A button that is held looks at the pieces: what it does counts when it is let go.
                    self._take(KeyReleased("ok", self.session.now + 0.1))
        else:
            for key in self.tests.keys_of_deal(game, write(dealt)):
                self._press(key)

    # -- a round ----------------------------------------------------------------------------------------------------

    def _play_moves(self, planned: Any) -> None:
        """Play all moves, thinking before each."""
        keys_of = self.tests.keys_picked if self.picks else self.tests.keys_typed
        entered: list[str] = []
        for state, (_, move) in zip(planned.states, planned.events, strict=False):
            self._close_notices()
            self._wait(self.chance.choice(THINKING_SECONDS))
            if self.chance.random() < SLIP_SHARE and isinstance(self.session.screen, PlayScreen):
                self._make_slip(planned.header.game)
            keys = keys_of(planned.header.game, state, str(move))
            # A takeback includes what was drawn for the move.
            entered = [*entered, *keys] if isinstance(self.session.screen, NamingScreen) else keys
            for key in keys:
                self._press(key)
            if isinstance(self.session.screen, MisfitConfirmation):  # A key of the slip did not fit.
                self._press("#", 1.0)
            if self.chance.random() < TAKEBACK_SHARE and isinstance(self.session.screen, PlayScreen):
                self._take_move_back(entered)

    def _close_notices(self) -> None:
        while isinstance(self.session.screen, Notice):
            self._press("#", 1.0)

    def _make_slip(self, game: str) -> None:
        """Enter something else, have it refused if the rules do so, and erase it."""
        if self.picks:
            keys = ["right", *self.chance.choices(("up", "down", "left", "right"), k=self.chance.randint(1, 3))]
        else:
            keys = self.tests.keys_typed(game, None, self.tests.support_of_game(game).random_event(self.chance))
            keys = keys[:-1]
        for key in keys:
            self._press(key)
        if isinstance(self._screen_after("#"), RefusalScreen):
            self._press("#")
            self._press("*", 2.5)
        while (moment := self.session.screen).typed_keys or moment.pick is not None:
            self._press("*")

    def _take_move_back(self, keys: list[str]) -> None:
        """Take back the move just played, with everybody's consent, and play it again."""
        self._wait(2)
        self._press("*")
        self._press("#")
        while isinstance(self.session.screen, Confirmation):
            self._press("#", 1.0)
        self._wait(3)
        for key in keys:
            self._press(key)

    def _read_result(self) -> None:
        """Read the result and go back to the main menu."""
        self._close_notices()
        assert isinstance(self.session.screen, RoundOver), self.session.screen
        self._wait(8)
        self._press("*")
        self._choose_entry("Main menu")
