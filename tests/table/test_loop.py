"""The loop with a fake clock: when exactly it feeds the watchdog, lights lamps and paints."""

from __future__ import annotations

import queue
from typing import TYPE_CHECKING

import pytest

from companion.evening import state_machine
from companion.inputs import KeyPressed, StopRequested, Tick
from companion.rounds.stored import RoundHeader, SessionSettings
from companion.store.store import Store
from companion.store.store_warnings import StoreWarning, StoreWarnings, WarningKind
from companion.table.loop import LONGEST_UNPAINTED_SECONDS, TableLoop
from companion.table.service import Watchdog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROUND = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"))
FEED_SECONDS = 10.0


class FakeQueue(queue.Queue):
    """A queue that never waits: each input, or the lack of one, takes `step` seconds of the fake clock."""

    now, step = 0.0, 0.0

    def get(self, block: bool = True, timeout: float | None = None) -> object:
        self.now += self.step
        return super().get(block=False)


class FakeLamps:
    def __init__(self) -> None:
        self.lit_seats: list[int | None] = []
        self.sounds: list[str] = []

    def light_seat(self, seat: int | None) -> None:
        self.lit_seats.append(seat)

    def play_sound(self, word: str) -> None:
        self.sounds.append(word)


@pytest.fixture
def make_loop(tmp_path) -> Iterator[Callable[..., TableLoop]]:
    """Returns a function `make(header, **more)` that makes a loop with a store and a `FakeQueue` of its own."""
    stores: list[Store] = []

    def table(header: RoundHeader | None = None, **more: object) -> TableLoop:
        stores.append(Store(tmp_path))
        inputs = FakeQueue()
        first = state_machine.start_session(SessionSettings((), header), stores[0].load_history())
        return TableLoop(first, stores[0], [], inputs, clock=lambda: inputs.now, **more)

    yield table
    for store in stores:
        store.close()


def test_the_watchdog_is_fed_while_all_threads_run(make_loop):
    """The watchdog is fed as soon as it is due, and not at all while a thread is dead."""
    fed: list[float] = []
    well = True
    table = make_loop(watchdog=Watchdog(lambda: fed.append(table.inputs.now), FEED_SECONDS), check_threads=lambda: well)
    for now in (0.0, FEED_SECONDS - 0.5, FEED_SECONDS, FEED_SECONDS + 0.5, 2 * FEED_SECONDS):
        table.inputs.now = now
        table.inputs.put(Tick(now))
        table.next_input()
    assert fed == [0.0, FEED_SECONDS, 2 * FEED_SECONDS]
    well = False
    table.inputs.now = 3 * FEED_SECONDS
    table.inputs.put(Tick(table.inputs.now))
    table.next_input()
    assert fed == [0.0, FEED_SECONDS, 2 * FEED_SECONDS]


def test_lamps_and_buzzer_follow_the_turn(make_loop):
    """A move lights the other player's lamp; a refusal changes no lamp."""
    lamps = FakeLamps()
    table = make_loop(ROUND, lamps=lamps)
    table.show_first_session()
    assert lamps.lit_seats == [1]
    for keys, sound in (("13#", "your turn"), ("11#", "refused")):
        for key in keys:
            table.inputs.now += 1
            table.take_input(KeyPressed(key, table.inputs.now))
        assert (lamps.lit_seats[-1], lamps.sounds.pop(), lamps.sounds) == (2, sound, [])


def test_without_a_round_no_lamp_is_lit(make_loop):
    lamps = FakeLamps()
    make_loop(lamps=lamps).show_first_session()
    assert lamps.lit_seats == [None]


def test_a_burst_of_presses_is_painted_in_time(make_loop):
    """A picture waits only so long for presses that are on the queue; the last one is always painted."""
    painted: list[float] = []
    table = make_loop(on_shown=lambda session: painted.append(table.inputs.now))
    table.inputs.step = LONGEST_UNPAINTED_SECONDS / 2
    for _ in range(7):
        table.inputs.put(KeyPressed("5"))
    table.inputs.put(StopRequested())
    table.run()
    assert [now / table.inputs.step for now in painted] == [3, 6, 8, 8]


def test_a_tick_comes_when_the_session_is_due(make_loop):
    table = make_loop()
    due = state_machine.next_change_time(table.session)
    table.inputs.now = due - 1
    table.inputs.step = 1
    assert table.next_input() == Tick(due)


def test_a_press_after_its_picture_confirms_a_warning(make_loop, monkeypatch):
    """A key that was pressed before the warning was painted does not confirm it."""
    table = make_loop()
    confirmed_at: list[float] = []
    monkeypatch.setattr(table.store, "confirm_warnings", lambda: confirmed_at.append(table.inputs.now))
    table.store.pending_warnings = StoreWarnings((StoreWarning(WarningKind.MENDED, ("rounds.db",)),))
    table.show_first_session()
    painted_at = table.session.now
    table.take_input(KeyPressed("#", painted_at - 0.1))
    assert confirmed_at == []
    table.take_input(KeyPressed("#", painted_at))
    table.take_input(KeyPressed("#", painted_at))
    assert len(confirmed_at) == 1
