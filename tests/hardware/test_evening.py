"""A whole evening on the wire: after every step the chip shows the session's picture, also after every failed write.

The evening of `tests/benchmarks/night.py` takes the production path, down to what smbus2 and spidev are given; models
of the chips decode it. The fast tests play its first rounds, the drills all of it.
"""

import errno
import itertools

import pytest
from examples import first_cases_fast

from companion import display, games
from companion.evening.screens.lists import MenuScreen
from companion.evening.screens.messages import Confirmation, RefusalScreen
from companion.evening.screens.play.dealing import NamingScreen
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.screens.play.round_over import RoundOver
from companion.evening.screens.setup.seats import Seats
from companion.inputs import KeyPressed
from hardware import frames, oled
from hardware.panel_link import LINK_ERRORS, PanelLink, PanelState, open_interface

FAST_ROUNDS = 4
"""Rounds in the fast tests: one of each game, two typed and two picked."""
TYPED_AND_PICKED_ROUNDS = 8
"""Rounds until each game has been both typed and picked."""
UPDATES = 100
FAST_UPDATES = 40
"""How many updates the fast tests use."""
MAX_UPDATE_BYTES = {"i2c": 1034 * 1.05, "spi": 1030 * 1.05}
"""The most bytes of an update: luma's whole frame and five hundredths."""
FRAME_BYTES = 1024
"""The bytes of a picture, all of which a repaint sends."""
PICTURES_BY_EVENING = {}
"""For each evening that was played, its steps and the pictures after them."""
PAGED_EXTRA_BYTES = 46
"""How much longer luma's frame is without windows: eight pages of seven bytes each instead of ten bytes."""


def pictures(steps):
    """What the panel should show after each step, and when. Drawn once for all chips."""
    if id(steps) not in PICTURES_BY_EVENING:
        PICTURES_BY_EVENING[id(steps)] = (steps, [*draw_steps(steps)])
    return PICTURES_BY_EVENING[id(steps)][1]


def draw_steps(steps):
    levels = {"on": 0xCF, "dim": 1, "off": 1}
    for step in steps:
        session = step.session
        frame = frames.pack_frame(display.session_picture(session), session.pixel_shift)
        yield session.now, PanelState(frame, levels[session.light], session.light != "off")


def follow(steps, wired, driver, interface):
    """Bring every picture to a chip, and check what the chip shows, how bright it is, and how many bytes it took."""
    bus, wires = wired(driver, interface)
    clock = [0.0]
    link = PanelLink(driver, lambda: open_interface(wires), monotonic=lambda: clock[0])
    shown = None
    for index, (clock[0], wanted) in enumerate(pictures(steps)):
        bus.reset_counts()
        stale = link.seconds_until_due == 0.0
        link.show_state(wanted)
        assert bus.chip.visible_frame() == (wanted.frame if wanted.is_on else frames.BLANK_FRAME), (
            f"step {index}: {steps[index].event}"
        )
        assert bus.chip.contrast == wanted.contrast
        assert bus.sent == 0 or shown != wanted or stale
        if shown is not None:
            assert bus.sent <= MAX_UPDATE_BYTES[interface] + (PAGED_EXTRA_BYTES if driver == "sh1106" else 0)
        shown = wanted
        if link.seconds_until_due == 0.0:  # After this picture the panel's thread brings it once more.
            bus.reset_counts()
            link.show_state(wanted)
            assert bus.sent > FRAME_BYTES
            assert bus.chip.visible_frame() == (wanted.frame if wanted.is_on else frames.BLANK_FRAME)
            assert link.seconds_until_due != 0.0
    # luma sets an SH1106 up with two commands that only its cousin knows.
    assert set(bus.chip.unknown) <= ({0x20, 0x8D} if driver == "sh1106" else set())


CHIPS = [("ssd1306", "i2c"), ("ssd1306", "spi"), ("sh1106", "i2c"), ("sh1106", "spi")]


@pytest.mark.parametrize(("driver", "interface"), first_cases_fast(2, CHIPS))
def test_the_chip_shows_every_step(play_evening, wired, driver, interface):
    """One round of each game, typed or picked: the chip shows the session's picture after every single input."""
    follow(play_evening(FAST_ROUNDS), wired, driver, interface)


@pytest.mark.drill
@pytest.mark.parametrize(("driver", "interface"), CHIPS)
def test_the_chip_shows_every_step_of_the_whole_evening(play_evening, wired, driver, interface):
    """The same for all sixteen rounds."""
    follow(play_evening(), wired, driver, interface)


@pytest.mark.drill
def test_the_evening_has_everything(play_evening):
    """All games are played to their end, typed and picked, with menus, deals, refusals and takebacks."""
    steps = play_evening(TYPED_AND_PICKED_ROUNDS)
    for uses_buttons in (False, True):
        pressed = [
            step for step in steps if isinstance(step.event, KeyPressed) and step.session.uses_buttons is uses_buttons
        ]
        ended = {step.game for step in pressed if isinstance(step.session.screen, RoundOver)}
        assert ended == set(games.built_in_game_ids())
        for moment in (Confirmation, NamingScreen, MenuScreen, PlayScreen, RefusalScreen, Seats):
            assert any(isinstance(step.session.screen, moment) for step in pressed), (moment, uses_buttons)


def updates(steps, count):
    """Pairs of consecutive pictures, evenly spread over the evening."""
    pairs = [pair for pair in itertools.pairwise(wanted for _, wanted in pictures(steps)) if pair[0] != pair[1]]
    return [pairs[index * len(pairs) // count] for index in range(count)]


def fail_everywhere(steps, wired, inbox, driver, numbers, count=UPDATES):
    """Each write of each update fails once. The next picture on the chip is right, and nothing is reported."""
    bus, wires = wired(driver, "i2c")
    panel = oled.Panel(inbox.put, PanelLink(driver, lambda: open_interface(wires)))
    failed = 0
    for before, after in updates(steps, count):
        panel.show_state(before)
        bus.reset_counts()
        panel.show_state(after)
        for index, number in itertools.product(range(len(bus.log)), numbers):
            panel.show_state(before)
            bus.reset_counts()
            bus.fail(index, number)
            panel.show_state(after)
            assert bus.chip.visible_frame() == (after.frame if after.is_on else frames.BLANK_FRAME)
            assert bus.chip.contrast == after.contrast
            failed += 1
    assert failed > count * len(numbers)
    assert inbox.empty()


def test_any_write_of_forty_updates_fails(play_evening, wired, inbox):
    """Whichever write is disturbed, the chip ends with the right picture."""
    fail_everywhere(play_evening(FAST_ROUNDS), wired, inbox, "ssd1306", [errno.EIO], FAST_UPDATES)


@pytest.mark.drill
@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_any_write_of_a_hundred_updates_fails_in_any_way(play_evening, wired, inbox, driver):
    """The same over the whole evening, for both chips and every way in which a write can fail."""
    fail_everywhere(play_evening(), wired, inbox, driver, [errno.EIO, errno.EREMOTEIO, errno.ETIMEDOUT])


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_any_two_writes_of_a_recovery_fail(play_evening, wired, driver):
    """A write of an update fails, then any write of the restart that repairs it. The next restart succeeds."""
    bus, wires = wired(driver, "i2c")
    link = PanelLink(driver, lambda: open_interface(wires))
    for before, after in updates(play_evening(FAST_ROUNDS), 5):
        link.show_state(before)
        bus.reset_counts()
        link.disconnect()
        link.show_state(after)
        for index in range(len(bus.log)):
            link.show_state(before)
            bus.reset_counts()
            bus.fail(0)
            with pytest.raises(LINK_ERRORS):
                link.show_state(after)
            bus.reset_counts()
            bus.fail(index)
            with pytest.raises(LINK_ERRORS):
                link.show_state(after)
            link.show_state(after)
            assert bus.chip.visible_frame() == (after.frame if after.is_on else frames.BLANK_FRAME)
