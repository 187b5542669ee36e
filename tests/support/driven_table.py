"""A table without devices: keys drive a session, and its log entries are kept in a list instead of a store."""

from __future__ import annotations

import queue

import pytest
from game_support import support_of_game
from list_screens import index_of_line, list_lines, list_title

from companion import display, games
from companion.evening import state_machine
from companion.evening.double_taps import DOUBLE_TAP_GUARD_SECONDS
from companion.evening.model import Session
from companion.evening.screens.base_screen import open_due_screens
from companion.evening.screens.play.dealing import NamingScreen
from companion.evening.screens.setup.questions import SetupQuestion
from companion.inputs import HintProgress, KeyPressed, KeyReleased, PhoneRequest, Tick, parse_request
from companion.rounds.on_table import replay_pad, replay_round
from companion.rounds.stored import LogEntry, RoundHeader, SessionSettings, StoredHistory, StoredRound
from companion.table.search_workers import HintWorker

PATIENCE_SECONDS = 60
"""Seconds that a thread may take."""
DEFAULT_SETTINGS = SessionSettings(("Ann", "Ben"))
EMPTY_HISTORY = StoredHistory()


class DrivenTable:
    """A session, its clock, and everything that it wanted to save or asked for."""

    device = ""
    """The USB device on which keys are pressed."""

    def __init__(self, settings: SessionSettings = DEFAULT_SETTINGS, history: StoredHistory = EMPTY_HISTORY) -> None:
        self.now = 0.0
        self.session = state_machine.mark_shown(state_machine.start_session(settings, history, self.now), self.now)
        self.saved_lines: list = []
        self.requests: list = []  # what was asked of its surroundings
        self.phone_replies: list = []  # what phones were told
        self.carry_out()

    def press(self, *keys: str, apart: float = 1.1, burst: bool = False) -> None:
        """Press keys one after the other; in a burst no picture is shown before the last one."""
        for key in keys:
            self.now += apart
            self.session = display.clamp_to_last_page(
                state_machine.update_session(self.session, KeyPressed(key, self.now, device=self.device))
            )
            if isinstance(naming := self.session.screen, NamingScreen) and naming.ok_down_at:
                self.session = state_machine.update_session(self.session, KeyReleased(key, self.now))
            self.carry_out(shown=not burst)
        self.session = state_machine.mark_shown(self.session, self.now)

    def type(self, keys: str) -> None:
        self.press(*keys)

    def choose(self, *words: str) -> None:
        """Open the table menu and pick, with the buttons, the line that begins with any of these words."""
        self.now += 2
        self.press("back")
        down = index_of_line(self.session, *words) - self.session.screen.cursor
        self.press(*["down"] * (down % len(list_lines(self.session))), "ok")

    def to_players(self, digit: str) -> None:
        """Open a game of the main menu by its digit, and accept the proposals up to the question who plays."""
        self.press(digit)
        while isinstance(self.session.screen, SetupQuestion):
            self.press("#")

    def to_match(self, digit: str) -> None:
        """Open a game of the main menu by its digit, and accept the proposals up to the question about the clock."""
        self.press(digit)
        while list_title(self.session)[1] != "rounds, clock":
            self.press("#")

    def play(self, played, keys_of, close: str) -> None:
        """Enter every event of a round by keys, closing each notice."""
        for state, (_, move) in zip(played.states, played.events, strict=False):
            while self.family == "Notice":
                self.press(close)
            assert self.session.round.state == state
            self.press(*keys_of(played.header.game, state, str(move)))
        while self.family == "Notice":
            self.press(close)

    def wait(self, seconds: float) -> None:
        """Let time pass, with a Tick at each due moment."""
        end = self.now + seconds
        while (due := state_machine.next_change_time(self.session)) is not None and due <= end:
            self.now = max(self.now, due)
            self.session = state_machine.update_session(self.session, Tick(self.now))
            self.carry_out()
        self.now = end

    def take_input(self, event) -> None:
        self.session = state_machine.update_session(self.session, event)
        self.carry_out()

    def request(self, phone: str, what: str, text: str = "", *, number: int = 7, apart: float = 1.1) -> str | None:
        """What a phone is told: "" if its request was granted, None if the answer is still to come."""
        self.now += apart
        before = len(self.phone_replies)
        self.take_input(PhoneRequest(number, phone, parse_request(what, text), self.now))
        new = self.phone_replies[before:]
        assert all(each.number == number for each in new)
        return new[0].refusal if new else None

    @property
    def session(self) -> Session:
        """Set the session; a base screen that is due is created, as the state machine does after each input."""
        return self._session

    @session.setter
    def session(self, session: Session) -> None:
        """Take a session, with its base screen, which only `evening.update` makes of itself."""
        self._session = open_due_screens(session)

    @property
    def family(self) -> str:
        return self.session.screen.public_name

    @property
    def events(self) -> list[str]:
        return [f"{seat}: {text}" for seat, text in self.session.round.events]

    @property
    def picture(self):
        """The panel now; for a refusal or notice at the time when any key closes it."""
        return display.session_picture(self.session._replace(now=self.session.now + DOUBLE_TAP_GUARD_SECONDS))

    def saved(self, number: int = 0) -> StoredRound | None:
        """A round as the log entries alone give it; by default the newest that was not dropped."""
        rounds: dict[int, StoredRound] = {}
        for line in self.saved_lines:
            if line.kind == "begin":
                rounds[line.round] = StoredRound(line.round, line.header)
            elif line.kind == "drop":
                rounds.pop(line.round, None)
            elif line.round in rounds:
                rounds[line.round] = _with_line(rounds[line.round], line)
        return rounds.get(number or max(rounds, default=0))

    def replays_to_itself(self) -> bool:
        """Whether the round on the table equals what its own log entries replay to."""
        if (sheet := self.session.pad) is not None:
            unsaved = {
                "is_over": sheet.is_over,
                "begun_at": sheet.begun_at,
                "cursor_seat": sheet.cursor_seat,
                "last_correction": sheet.last_correction,
            }
            return sheet.is_empty or replay_pad(self.saved(sheet.id))._replace(**unsaved) == sheet
        round_ = self.session.round
        if round_ is None or round_.is_empty:
            return True
        again = replay_round(self.saved(round_.id))
        return (again.state, again.events, again.missing_holdings) == (
            round_.state,
            round_.events,
            round_.missing_holdings,
        )

    def carry_out(self, *, shown: bool = True) -> None:
        """Do what the session wants done, as the loop does; with `shown` its picture is shown too."""
        self.saved_lines += self.session.outbox.unsaved_entries
        self.requests += self.session.outbox.requests
        self.phone_replies += self.session.outbox.answers
        self.session = state_machine.clear_outbox(self.session)
        if shown:
            self.session = state_machine.mark_shown(self.session, self.now)


def _with_line(saved: StoredRound, line: LogEntry) -> StoredRound:
    """A stored round after one more log entry."""
    if line.kind in ("deal", "rack"):
        return saved._replace(deals=(*saved.deals, (line.kind, line.seat, line.text)))
    if line.kind == "event":
        return saved._replace(events=(*saved.events, (line.seat, line.text)))
    if line.kind == "back" and saved.events:
        return saved._replace(events=saved.events[:-1])
    if line.kind == "back":
        return saved._replace(deals=saved.deals[:-1])
    if line.kind == "mend":
        return _with_correction(saved, *line.text.split(" ", 1))
    return saved


def _with_correction(saved: StoredRound, place: str, text: str) -> StoredRound:
    """A stored round with another text for a deal or event, counted from 1."""
    index = int(place) - 1
    deals, events = list(saved.deals), list(saved.events)
    if index < len(deals):
        deals[index] = (*deals[index][:2], text)
    else:
        events[index - len(deals)] = (events[index - len(deals)][0], text)
    return saved._replace(deals=tuple(deals), events=tuple(events))


@pytest.fixture(scope="session")
def table_class() -> type[DrivenTable]:
    """`table_class(settings, history)` opens a table."""
    return DrivenTable


@pytest.fixture
def new_table():
    """Makes tables: `new_table()` at the title, `new_table("27", variant="expert")` at the first turn of a round."""

    def made(game: str = "", names=("Ann", "Ben"), opened=(), history=EMPTY_HISTORY, **options: str) -> DrivenTable:
        if not game:
            return DrivenTable(DEFAULT_SETTINGS, history)
        chosen = games.manifest_of(game).option_defaults | options
        header = RoundHeader(game, tuple(chosen.items()), tuple(names), opened=tuple(opened))
        return DrivenTable(SessionSettings(("Ann", "Ben"), header), history)

    return made


@pytest.fixture
def table_of_round(new_table):
    """Makes tables at the first turn of a played round, with its open holdings typed in, seat by seat."""

    def made(played) -> DrivenTable:
        game = played.header.game
        opened = sorted(played.deals, key=lambda held: (held[1], held[0]))
        table = new_table(game, opened=opened, **played.header.options)
        for key in opened:
            table.type(support_of_game(game).keys_of_deal(played.rules.format_deal(played.deals[key])) + "#")
        return table

    return made


@pytest.fixture(scope="session")
def random_table():
    """Makes tables at the menu, or at the first turn of a game with random options and random open holdings."""

    def made(game: str = "", rng=None) -> DrivenTable:
        if not game:
            return DrivenTable()
        rules = games.load_rules(game)
        known = games.manifest_of(game)
        names = ("Ann", "Ben", "Cleo", "Dan")[: rng.choice(known.players)]
        options = tuple((name, rng.choice(values)) for name, values in known.option_values.items())
        every = [(kind, seat) for seat in range(1, len(names) + 1) for kind in known.holdings]
        opened = tuple(each for each in every if rng.random() < 0.5)
        table = DrivenTable(SessionSettings(("Ann", "Ben"), RoundHeader(game, options, names, opened=opened)))
        deals = rules.deal_holdings(len(names), dict(options), rng.sample)
        # Deals are entered as the session would, but not key by key: that is another test.
        while table.family == "Dealing":
            from companion.evening.screens.play import round_actions

            kind, seat = table.session.round.missing_holdings[0]
            text = rules.format_deal(deals[kind, seat])
            table.session = round_actions.enter_holding(table.session, kind, seat, text)
            table.carry_out()
        return table

    return made


@pytest.fixture
def think_out_hint():
    """`think_out_hint(table)` computes the hint that a table has asked for, and gives it all the answers."""

    def made(table: DrivenTable) -> list[HintProgress]:
        inputs: queue.Queue = queue.Queue()
        HintWorker(inputs.put).request_hint(table.session.last_hint.request, for_box=True)
        told = [inputs.get(timeout=PATIENCE_SECONDS)]
        while not told[-1].parts:
            told.append(inputs.get(timeout=PATIENCE_SECONDS))
        for answer in told:
            table.take_input(answer._replace(at=table.now))
        return told

    return made


@pytest.fixture
def quick_coaches(monkeypatch) -> None:
    """Every game's coach searches only a few positions."""
    for game in games.built_in_game_ids():
        monkeypatch.setattr(type(games.load_coach(game)), "node_budget", lambda coach, knowledge: 300)
