"""The loop with a fake clock: when exactly it feeds the watchdog, lights lamps and paints."""

from __future__ import annotations

import queue
from typing import TYPE_CHECKING

import pytest

from companion.evening import state_machine
from companion.inputs import KeyPressed, StopRequested, Tick
from companion.rounds.stored import RoundHeader, SessionSettings
from companion.store.notices import WarningKind, StoreWarnings, StoreWarning
from companion.store.store import Store
from companion.table.loop import LONGEST_UNPAINTED_SECONDS, TableLoop
from companion.table.service import Watchdog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROUND = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"))
BEAT = 10.0


class Inputs(queue.Queue):
    """A queue that never waits: each input, or the lack of one, takes `step` seconds of the fake clock."""

    now, step = 0.0, 0.0

    def get(self, block: bool = True, timeout: float | None = None) -> object:
        self.now += self.step
        return super().get(block=False)


class Lamps:
    def __init__(self) -> None:
        self.lit: list[int | None] = []
        self.said: list[str] = []

    def turn(self, seat: int | None) -> None:
        self.lit.append(seat)

    def say(self, word: str) -> None:
        self.said.append(word)


@pytest.fixture
def made(tmp_path) -> Iterator[Callable[..., TableLoop]]:
    """Returns a function `make(header, **more)` that makes a loop with a store and a `FakeQueue` of its own."""
    stores: list[Store] = []

    def table(header: RoundHeader | None = None, **more: object) -> TableLoop:
        stores.append(Store(tmp_path))
        inputs = Inputs()
        first = state_machine.start_session(SessionSettings((), header), stores[0].load_history())
        return TableLoop(first, stores[0], [], inputs, clock=lambda: inputs.now, **more)

    yield table
    for store in stores:
        store.close()


def test_the_watchdog_is_fed_at_each_beat_while_all_threads_run(made):
    """The watchdog is fed as soon as it is due, and not at all while a thread is dead."""
    fed: list[float] = []
    well = True
    table = made(watchdog=Watchdog(lambda: fed.append(table.inputs.now), BEAT), check=lambda: well)
    for now in (0.0, BEAT - 0.5, BEAT, BEAT + 0.5, 2 * BEAT):
        table.inputs.now = now
        table.inputs.put(Tick(now))
        table.next_input()
    assert fed == [0.0, BEAT, 2 * BEAT]
    well = False
    table.inputs.now = 3 * BEAT
    table.inputs.put(Tick(table.inputs.now))
    table.next_input()
    assert fed == [0.0, BEAT, 2 * BEAT]


def test_the_lamp_follows_the_turn_and_the_buzzer_tells(made):
    """A move lights the other player's lamp; a refusal changes no lamp."""
    lamps = Lamps()
    table = made(ROUND, lamps=lamps)
    table.show_first_session()
    assert lamps.lit == [1]
    for keys, said in (("13#", "your turn"), ("11#", "refused")):
        for key in keys:
            table.inputs.now += 1
            table.take_input(KeyPressed(key, table.inputs.now))
        assert (lamps.lit[-1], lamps.said.pop(), lamps.said) == (2, said, [])


def test_without_a_round_no_lamp_is_lit(made):
    lamps = Lamps()
    made(lamps=lamps).show_first_session()
    assert lamps.lit == [None]


def test_a_burst_of_presses_is_painted_now_and_then(made):
    """A picture waits only so long for presses that are on the queue; the last one is always painted."""
    painted: list[float] = []
    table = made(on_shown=lambda session: painted.append(table.inputs.now))
    table.inputs.step = LONGEST_UNPAINTED_SECONDS / 2
    for _ in range(7):
        table.inputs.put(KeyPressed("5"))
    table.inputs.put(StopRequested())
    table.run()
    assert [now / table.inputs.step for now in painted] == [3, 6, 8, 8]


def test_the_session_changes_at_the_moment_that_it_told(made):
    table = made()
    due = state_machine.next_change_time(table.session)
    table.inputs.now = due - 1
    table.inputs.step = 1
    assert table.next_input() == Tick(due)


def test_a_warning_is_heard_by_a_press_from_its_picture_on(made, monkeypatch):
    """A key that was pressed before the warning was painted does not confirm it."""
    table = made()
    heard: list[float] = []
    monkeypatch.setattr(table.store, "confirm_warnings", lambda: heard.append(table.inputs.now))
    table.store.pending_warnings = StoreWarnings((StoreWarning(WarningKind.MENDED, ("rounds.db",)),))
    table.show_first_session()
    shown = table.session.now
    table.take_input(KeyPressed("#", shown - 0.1))
    assert heard == []
    table.take_input(KeyPressed("#", shown))
    table.take_input(KeyPressed("#", shown))
    assert len(heard) == 1
