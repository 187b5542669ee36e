"""A whole table on a wire that fails: every move is played and saved, and the panel is right again afterwards."""

from __future__ import annotations

import errno
import queue
import random

import pytest
from examples import first_cases_fast

from companion import display, games
from companion.evening import state_machine
from companion.inputs import DeviceMissing, DeviceReturned, KeyPressed
from companion.rounds.stored import RoundHeader, SessionSettings
from companion.store.store import Store
from companion.table.loop import TableLoop
from hardware import frames
from hardware.oled import make_panel

WAYS = (errno.EIO, errno.EREMOTEIO, errno.ETIMEDOUT)
CHIPS = [("ssd1306", "i2c"), ("sh1106", "i2c"), ("ssd1306", "spi"), ("sh1106", "spi")]


def fail_messages(bus, chance: random.Random, share: float, messages: int) -> None:
    """Let a share of the coming messages fail, in any way."""
    bus.reset_counts()
    for index in range(messages):
        if chance.random() < share:
            bus.fail(index, chance.choice(WAYS))


def play_on(table: TableLoop, inputs: queue.Queue, chance: random.Random, typed_keys) -> list:
    """Play the round on the table at random. Returns what the devices have reported."""
    told = []
    rules = games.load_rules("27")
    while table.session.round.turn is not None:
        move = chance.choice(list(rules.legal_moves(table.session.round.state)))
        for key in typed_keys("27", table.session.round.state, str(move)):
            table.take_input(KeyPressed(key, table.session.now + 1))
            table.paint()
            while not inputs.empty():
                told.append(inputs.get())
                table.take_input(told[-1])
        assert table.session.round.events[-1][1] == str(move)
    return told


@pytest.mark.parametrize(
    ("share", "driver", "interface"),
    first_cases_fast(1, [(share, *chip) for share in (0.5, 0.1, 1.0) for chip in CHIPS]),
)
def test_the_table_plays_on(wired, wait_for, tmp_path, typed_keys, driver, interface, share):
    """Writes fail throughout a round of 27: each move is played and saved; then the panel shows the result."""
    bus, wires = wired(driver, interface)
    inputs: queue.Queue = queue.Queue()
    panel = make_panel(wires, inputs.put)
    panel.start()
    store = Store(tmp_path)
    header = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"))
    table = TableLoop(
        state_machine.start_session(SessionSettings((), header), store.load_history()), store, [panel], inputs
    )
    table.show_first_session()
    chance = random.Random(f"{driver} {interface} {share}")
    fail_messages(bus, chance, share, 100_000)
    told = play_on(table, inputs, chance, typed_keys)
    assert bus.failed, "no write failed: this proves nothing"
    assert {type(each) for each in told} <= {DeviceMissing, DeviceReturned}
    assert store.load_round(1).events == table.session.round.events
    assert store.load_round(1).result
    bus.reset_counts()
    wait_for(
        lambda: (
            bus.chip.visible_frame()
            == frames.pack_frame(display.session_picture(table.session), table.session.pixel_shift)
        )
    )
    panel.close()
    store.close()
