"""Lamps and buzzer."""

import queue
import threading
import time

import gpiozero
import pytest

from companion.inputs import DeviceMissing, DeviceReturned
from hardware import gpio
from hardware.lamps import SOUNDS, Lamps


class SoundQueue(queue.Queue):
    """The queue on which the buzzer sleeps. `waits` lists how long, and `endless` makes it wait for ever."""

    def __init__(self):
        super().__init__()
        self.waits = []
        self.endless = False

    def get(self, block=True, timeout=None):
        seconds = None if self.endless else timeout
        self.waits.append(timeout)
        return super().get(block, seconds)


@pytest.fixture
def lamps(pins, inbox):
    found = Lamps(inbox.put, (17, 27), 18)
    found.sounds = SoundQueue()
    found.start()
    yield found
    found.close()


def lit_pins(pins):
    return [pin for pin in (17, 27) if pins.pin(pin).state]


def test_one_lamp_for_whose_turn_it_is(lamps, pins):
    """Only the lamp of the seat to move is lit. For a seat without a lamp, and for nobody, all are off."""
    for seat, expected in ((1, [17]), (2, [27]), (3, []), (1, [17]), (None, [])):
        lamps.light_seat(seat)
        assert lit_pins(pins) == expected


@pytest.mark.parametrize("word", SOUNDS)
def test_the_buzzer_plays_each_sound(lamps, pins, word, wait_for, monkeypatch):
    """Each sound has its own steps, and playing it does not delay the caller."""
    set_state, may_sound = pins.pin(18)._set_state, threading.Event()
    monkeypatch.setattr(pins.pin(18), "_set_state", lambda state: may_sound.wait(60) and set_state(state))
    lamps.play_sound(word)  # It returns although the pin does not.
    states = pins.pin(18).states
    assert len(states) == 1
    may_sound.set()
    wait_for(lambda: len(lamps.sounds.waits) == len(SOUNDS[word]) + 2)
    assert lamps.sounds.waits == [None, *SOUNDS[word], None]
    assert [bool(state.state) for state in states] == [False] + [True, False] * ((len(SOUNDS[word]) + 1) // 2)


def test_sounds_can_be_told_apart():
    """No two sounds are alike, and none takes longer than a second."""
    assert len(set(SOUNDS.values())) == len(SOUNDS) == 6
    assert all(sum(sounds) <= 1.0 for sounds in SOUNDS.values())


def test_the_newest_sound_counts(lamps, pins, wait_for):
    """A new sound cuts off the one that is playing."""
    lamps.sounds.endless = True
    lamps.play_sound("round over")
    wait_for(lambda: len(lamps.sounds.waits) == 2)
    lamps.sounds.endless = False
    lamps.play_sound("accepted")
    wait_for(lambda: len(lamps.sounds.waits) == 4)
    assert lamps.sounds.waits == [None, SOUNDS["round over"][0], *SOUNDS["accepted"], None]
    assert len(pins.pin(18).states) == 5


def test_quiet(pins, inbox, wait_for):
    """In quiet mode the buzzer is silent and the lamps work; it can be switched on and off at any time."""
    lamps = Lamps(inbox.put, (17, 27), 18, quiet=True)
    lamps.start()
    lamps.play_sound("refused")
    lamps.light_seat(2)
    assert lit_pins(pins) == [27]
    assert len(pins.pin(18).states) == 1
    lamps.quiet = False
    lamps.play_sound("refused")
    wait_for(lambda: len(pins.pin(18).states) > 1)
    lamps.close()


def test_none_at_all(inbox):
    """A table without lamps reports nothing and needs no pins."""
    lamps = Lamps(inbox.put)
    lamps.start()
    lamps.light_seat(1)
    lamps.play_sound("accepted")
    lamps.close()
    assert inbox.empty()


def test_missing_pins_are_one_sentence(pins, inbox):
    """Pins in use are reported once, and the others work."""
    others = [gpiozero.LED(17), gpiozero.LED(18)]
    lamps = Lamps(inbox.put, (17, 27), 18)
    lamps.start()
    lost = inbox.take()
    assert isinstance(lost, DeviceMissing)
    assert (lost.device, lost.reason) == ("lamps", "no lamp 1: pin 17 is used twice")
    assert inbox.empty()
    lamps.light_seat(2)
    lamps.play_sound("accepted")
    assert lit_pins(pins) == [27]
    lamps.close()
    for other in others:
        other.close()


def test_a_failing_lamp_does_not_stop_the_game(lamps, pins, inbox, monkeypatch):
    """Whatever a pin raises in use is reported once."""

    def fail(_):
        raise RuntimeError("GPIO busy")

    monkeypatch.setattr(pins.pin(17), "_set_state", fail)
    for seat in (1, 2, 1):
        lamps.light_seat(seat)
    assert inbox.take().reason == "lamp disconnected: GPIO busy"
    assert inbox.empty()


def test_all_off_at_the_end(pins, inbox):
    """Closing switches lamps and buzzer off, also in the middle of a sound."""
    lamps = Lamps(inbox.put, (17, 27), 18)
    lamps.start()
    lamps.light_seat(1)
    lamps.play_sound("refused")
    time.sleep(0.02)
    lamps.close()
    assert not any(pins.pin(pin).state for pin in (17, 27, 18))


def test_idle_means_idle(lamps, wake_ups):
    """A silent buzzer causes no wake-up."""
    lamps.play_sound("accepted")
    assert wake_ups(0.4)["lamps"] == 0


def test_refused_at_the_start(pins, inbox, refuse_pins, wait_for):
    """Pins refused at first are opened later: the lamp of the seat to move is lit, and the buzzer works."""
    left = refuse_pins(17, 27, 18)
    lamps = Lamps(inbox.put, (17, 27), 18)
    lamps.start()
    assert inbox.take().reason == "no lamp 1: pin 17 cannot be used (GPIO refused)"
    lamps.light_seat(2)
    left.clear()
    assert isinstance(inbox.take(), DeviceReturned)
    wait_for(lambda: lit_pins(pins) == [27])
    lamps.play_sound("accepted")
    wait_for(lambda: len(pins.pin(18).states) == 3)
    assert inbox.empty()
    lamps.close()


def test_a_lamp_that_failed_in_use_returns(pins, inbox, monkeypatch, wait_for):
    """A pin that has failed in use is opened again, and shows whose turn it is."""
    monkeypatch.setattr(gpio, "RETRY_SECONDS", 0.02)
    lamps = Lamps(inbox.put, (17,))
    lamps.start()
    with monkeypatch.context() as failing:
        failing.setattr(pins.pin(17), "_set_state", lambda _: 1 / 0)
        lamps.light_seat(1)
        assert inbox.take().short_reason == "lamp disconnected"
    assert isinstance(inbox.take(), DeviceReturned)
    wait_for(lambda: lit_pins(pins) == [17])
    lamps.close()
