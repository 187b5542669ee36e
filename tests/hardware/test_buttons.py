"""Buttons: from edges with bounce to key presses, in pure time and with real threads."""

import random
import subprocess
import sys
import threading
import time

import gpiozero
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.inputs import (
    BUTTON_KEYS,
    DOCTOR_KEY,
    TAKE_BACK_KEY,
    VOICE_CHORDS,
    DeviceReturned,
    KeyPressed,
    KeyReleased,
)
from hardware import gpio
from hardware.buttons import SETTLE_SECONDS, Buttons, Debouncer

WIRED = {"up": (5,), "down": (6,), "left": (13,), "right": (19,), "ok": (26, 4), "back": (21,)}


def run_edges(key, edges):
    """The inputs that a button makes of (time, down) edges, and of the second after the last edge.

    A button that is up by then has no deadline left.
    """
    button = Debouncer(key)
    happened = []

    def keep(until):
        while (due := button.deadline()) is not None and due <= until:
            happened.extend(button.take_due(due))

    for at, down in edges:
        keep(at)
        happened.extend(button.take_edge(down, at))
    keep(edges[-1][0] + 1.0 if edges else 0.0)
    assert button.is_held == (bool(edges) and edges[-1][1])
    assert button.is_held or button.deadline() is None
    return happened


@st.composite
def fast_presses(draw):
    """Up to twelve presses a second, down for at least 30 ms, with up to 10 ms of bounce: edges and press times."""
    edges, presses, now = [], [], 1.0
    for _ in range(draw(st.integers(1, 12))):
        presses.append(now)
        for down, least in ((True, 0.030), (False, 0.040)):
            edges.append((now, down))
            bounces = sorted(draw(st.lists(st.floats(0.0001, 0.010), max_size=4).filter(lambda b: len(b) % 2 == 0)))
            edges += [(now + bounce, down != (place % 2 == 0)) for place, bounce in enumerate(bounces)]
            now += least + draw(st.floats(0.0, 0.08))
        now = max(now, presses[-1] + 1 / 12)
    return edges, presses


@given(fast_presses())
def test_no_press_lost_none_doubled(played):
    """Twelve presses a second with 10 ms of bounce are exactly these presses, each at its first edge."""
    edges, presses = played
    happened = run_edges("ok", edges)
    assert [one.at for one in happened if isinstance(one, KeyPressed)] == presses
    assert [type(one) for one in happened] == [KeyPressed, KeyReleased] * len(presses)


@given(st.lists(st.tuples(st.floats(0, 3), st.booleans()), max_size=60), st.sampled_from(BUTTON_KEYS))
def test_any_edges_alternate(edges, key):
    """Whatever edges come, presses and releases alternate, and the button ends as its last edge says."""
    edges = sorted(edges)
    happened = [one for one in run_edges(key, edges) if not getattr(one, "held", False) or one.key == TAKE_BACK_KEY]
    assert [type(one) for one in happened] == ([KeyPressed, KeyReleased] * len(happened))[: len(happened)]
    times = [one.at for one in happened]
    assert times == sorted(times)


def test_a_short_tap_counts_and_is_not_held():
    """A tap shorter than the bounce time is one press and one release."""
    assert run_edges("up", [(1.0, True), (1.004, False)]) == [KeyPressed("up", 1.0), KeyReleased("up", 1.02)]


def test_arrows_repeat_while_held():
    """Held arrows repeat after 400 ms, eight times a second, until they are released."""
    happened = run_edges("left", [(0.0, True), (1.0, False)])
    assert [(one.key, one.held) for one in happened[:-1]] == [("left", False)] + [("left", True)] * 5
    assert [round(one.at, 3) for one in happened] == [0.0, 0.4, 0.525, 0.65, 0.775, 0.9, 1.0]


def test_ok_and_back_do_not_repeat():
    """OK held is one press. BACK counts when it is released; held for 0.8 s it is another key, then repeats."""
    assert run_edges("ok", [(0.0, True), (5.0, False)]) == [KeyPressed("ok", 0.0), KeyReleased("ok", 5.0)]
    assert run_edges("back", [(0.0, True), (0.7, False)]) == [KeyPressed("back", 0.7), KeyReleased("back", 0.7)]
    repeats = [KeyPressed("back", 0.8 + number * 0.125, True) for number in (1, 2, 3)]
    held = [KeyPressed(TAKE_BACK_KEY, 0.8, True), *repeats, KeyReleased("back", 1.2)]
    assert run_edges("back", [(0.0, True), (1.2, False)]) == held


def wait_for_release(inbox):
    """The release. On a busy machine a held arrow may repeat before it."""
    while isinstance(happened := inbox.take(), KeyPressed):
        assert happened.held
    return happened


def test_presses_and_releases_arrive(pins, inbox, monkeypatch):
    """Each button, also the second one for a key, reports its key, press and release; idle pins report nothing."""
    monkeypatch.setattr("hardware.buttons.LONG_PRESS_SECONDS", 60.0)  # On a busy machine BACK may be down for long.
    buttons = Buttons(inbox.put, WIRED)
    buttons.start()
    for key, wired in WIRED.items():
        for pin in wired:
            begun = time.monotonic()
            pins.pin(pin).drive_low()
            if key != "back":  # It counts when it is let go.
                assert inbox.take()[:3:2] == (key, False)
            time.sleep(0.025)
            pins.pin(pin).drive_high()
            if key == "back":
                assert inbox.take()[:3:2] == (key, False)
            released = wait_for_release(inbox)
            assert released.key == key
            assert begun < released.at < time.monotonic()
    buttons.close()
    assert inbox.empty()
    gpiozero.LED(5).close()  # the pins were given back


@pytest.mark.parametrize(("arrow", "voice_key"), VOICE_CHORDS.items())
def test_back_and_an_arrow_are_a_key_of_the_voice(pins, inbox, monkeypatch, arrow, voice_key):
    """As often as the arrow is pressed while BACK is down; then BACK is released without having counted."""
    monkeypatch.setattr("hardware.buttons.LONG_PRESS_SECONDS", 60.0)  # On a busy machine BACK may be down for long.
    buttons = Buttons(inbox.put, WIRED)
    buttons.has_voice_keys = True
    buttons.start()
    back, other = pins.pin(WIRED["back"][0]), pins.pin(WIRED[arrow][0])
    back.drive_low()
    for _ in range(2):
        time.sleep(0.025)
        other.drive_low()
        assert inbox.take()[:3:2] == (voice_key, False)
        time.sleep(0.5)
        other.drive_high()
        assert isinstance(inbox.take(), KeyReleased), "it repeats"
    back.drive_high()
    assert isinstance(inbox.take(), KeyReleased)
    time.sleep(0.025)
    other.drive_low()
    assert inbox.take()[:3:2] == (arrow, False)
    buttons.close()


def test_without_a_voice_both_buttons_count(pins, inbox, monkeypatch):
    """Who presses the next button before BACK is up again loses neither."""
    monkeypatch.setattr("hardware.buttons.LONG_PRESS_SECONDS", 60.0)
    buttons = Buttons(inbox.put, WIRED)
    buttons.start()
    pins.pin(WIRED["back"][0]).drive_low()
    time.sleep(0.025)
    pins.pin(WIRED["up"][0]).drive_low()
    assert inbox.take().key == "up"
    pins.pin(WIRED["back"][0]).drive_high()
    while (press := inbox.take()).held:  # On a busy machine the arrow may repeat before.
        pass
    assert (press.key, press.held) == ("back", False)
    buttons.close()


def test_real_threads_with_bounce(pins, inbox, wait_while_changing):
    """Six fingers in six threads, eight bouncing presses each: 48 presses arrive, none doubled.

    On a very busy machine the bouncing may take longer than any contact's, and then there may be more presses. But each
    has its release, and no button stays down.
    """
    buttons = Buttons(inbox.put, WIRED)
    buttons.start()
    longest = []

    def finger(pin, seed):
        chance = random.Random(seed)
        for _ in range(8):
            for settled, other in ((pin.drive_low, pin.drive_high), (pin.drive_high, pin.drive_low)):
                begin = time.monotonic()
                settled()
                for _ in range(chance.randrange(6)):
                    time.sleep(chance.uniform(0, 0.001))
                    other()
                    settled()
                longest.append(time.monotonic() - begin)
                time.sleep(0.04)

    for _ in range(10):
        fingers = [threading.Thread(target=finger, args=(pins.pin(p[0]), p[0])) for p in WIRED.values()]
        for one in fingers:
            one.start()
        for one in fingers:
            one.join(60)
        wait_while_changing(inbox.qsize)
        happened = inbox.rest()
        if max(longest) < SETTLE_SECONDS:
            break
        longest.clear()
    for key in BUTTON_KEYS:
        kinds = [type(one) for one in happened if one.key == key and not getattr(one, "held", False)]
        assert kinds == [KeyPressed, KeyReleased] * (8 if longest else max(1, len(kinds) // 2)), key
    buttons.close()


def test_repeats_come_by_themselves(pins, inbox):
    """A held arrow repeats without further edges; a lost release edge does not make it repeat for ever."""
    buttons = Buttons(inbox.put, WIRED)
    buttons.start()
    pin = pins.pin(5)
    pin.drive_low()
    presses = [inbox.take() for _ in range(3)]
    assert [one.held for one in presses] == [False, True, True]
    assert 0.35 < presses[1].at - presses[0].at < 0.45
    pin._state = True  # up again, and no callback
    wait_for_release(inbox)
    time.sleep(0.3)
    assert inbox.empty()
    buttons.close()


def test_a_button_held_at_the_start():
    """A button that is down when the program starts is no press, and works once it is released."""
    edges = [(1.0, False), (2.0, True), (2.1, False)]
    assert run_edges("ok", edges) == [KeyPressed("ok", 2.0), KeyReleased("ok", 2.1)]


def test_idle_means_idle(pins, inbox, wake_ups):
    """Buttons that nobody presses cause no wake-up, and neither do buttons after a press."""
    buttons = Buttons(inbox.put, WIRED)
    buttons.start()
    pins.pin(26).drive_low()
    time.sleep(0.03)
    pins.pin(26).drive_high()
    time.sleep(0.05)
    assert wake_ups(0.5)["buttons"] == 0
    buttons.close()


def test_a_missing_pin_is_a_sentence(pins, inbox):
    """A pin in use is reported once; the other buttons work."""
    other = gpiozero.LED(13)
    buttons = Buttons(inbox.put, WIRED)
    buttons.start()
    assert inbox.take().reason == "no button left: pin 13 is used twice"
    pins.pin(26).drive_low()
    assert inbox.take().key == "ok"
    assert buttons.is_alive()
    buttons.close()
    other.close()


def test_pins_that_are_refused_at_the_start_work_later(pins, inbox, refuse_pins):
    """Pins that come late are reported as they come, and then every button works, also while the table rests."""
    left = refuse_pins(26, 21)
    buttons = Buttons(inbox.put, WIRED)
    buttons.start()
    assert inbox.take().reason == "no button ok, back: pin 26 cannot be used (GPIO refused)"
    left.remove(21)
    assert isinstance(inbox.take(), DeviceReturned)
    assert inbox.take().short_reason == "no button ok"
    left.clear()
    assert isinstance(inbox.take(), DeviceReturned)
    pins.pin(26).drive_low()
    assert inbox.take().key == "ok"
    buttons.close()


def test_no_gpio_at_all(inbox, monkeypatch):
    """On a computer without GPIO pins you can play on without buttons, and says why."""
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setattr(gpio.glob, "glob", lambda _: [])
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "native")
    buttons = Buttons(inbox.put, WIRED)
    buttons.start()
    (lost,) = inbox.rest()
    assert (lost.device, lost.reason) == ("buttons", "no buttons: there are no GPIO pins on this computer")
    assert buttons.is_alive()
    buttons.close()


def test_no_gpio_is_known_at_once(tmp_path):
    """Without a GPIO chip no pin library is loaded, and nothing is left in the working directory."""
    program = (
        "import glob, sys; glob.glob = lambda _: []\n"
        "from hardware.buttons import Buttons\n"
        "Buttons(lambda lost: print(lost.reason), {'up': (5,)}).start(); print('gpiozero' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "no buttons: there are no GPIO pins on this computer\nFalse\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("chips", "writable", "words"),
    [
        (["/nowhere/gpiochip0"], True, "group gpio"),
        (["/dev/null"], False, "working directory"),
        (["/dev/null"], True, "install python3-lgpio"),
    ],
)
def test_why_there_is_no_gpio(monkeypatch, chips, writable, words):
    """Missing permission, a working directory that lgpio cannot write to, and a missing library have different
    reasons.
    """
    monkeypatch.setattr(gpio.glob, "glob", lambda _: chips)
    monkeypatch.setattr(gpio.os, "access", lambda path, _: writable if path == "." else path == "/dev/null")
    assert words in gpio.pin_failure_reason(5, gpiozero.BadPinFactory("Unable to load any default pin factory!"))


DEAD_CALLBACKS = """
import queue, struct, sys, threading
import gpiozero, lgpio
from gpiozero.pins.mock import MockFactory
from hardware.buttons import Buttons

gpiozero.Device.pin_factory = MockFactory()
buttons = Buttons(queue.Queue().put, {wired})
buttons.start()
assert buttons.is_alive()
threading.excepthook = lambda _: None

def broken(*_):
    raise RuntimeError("a bug in a callback")

lgpio._notify_thread.append(lgpio._callback_ADT(0, 5, lgpio.BOTH_EDGES, broken))
# What the kernel's side of lgpio writes for an edge: time, chip, pin, level.
with open(f".lgd-nfy{{lgpio._notify_thread._notify}}", "wb") as fifo:
    fifo.write(struct.pack("QBBBBI", 0, 0, 5, 1, 0, 0))
lgpio._notify_thread.join(60)
assert not buttons.is_alive()
buttons.close()
"""


def test_a_dead_callback_thread_is_noticed(tmp_path):
    """An exception in any callback ends lgpio's thread. `is_alive` reports it, since no button will work again."""
    pytest.importorskip("lgpio")
    # In a process of its own: lgpio makes its FIFO in the folder in which the first test of a process has loaded it.
    program = DEAD_CALLBACKS.format(wired=WIRED)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr


def test_our_own_thread_is_started_anew(pins, inbox, monkeypatch):
    """A thread of ours that has ended is replaced by a new one; what was pressed meanwhile is not lost."""
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    buttons = Buttons(inbox.put, WIRED)
    buttons.start()
    assert not buttons.revive_thread()
    buttons.edges.put("no edge at all")
    buttons.thread.join(60)
    assert not buttons.is_alive()
    pins.pin(26).drive_low()
    assert buttons.revive_thread()
    assert inbox.take().key == "ok"
    assert buttons.is_alive()
    buttons.close()


def test_ok_down_at_the_start_asks_for_the_doctor(pins, inbox, monkeypatch):
    """OK held before the program listens is the extra key once, and its release is reported; other keys are silent."""
    pull = type(pins.pin(26))._set_pull

    def closed(pin, value):
        pull(pin, value)
        if pin.info.name in ("GPIO26", "GPIO5"):
            pin.drive_low()

    monkeypatch.setattr(type(pins.pin(26)), "_set_pull", closed)
    buttons = Buttons(inbox.put, WIRED)
    buttons.start()
    assert inbox.take()[:3:2] == (DOCTOR_KEY, True)
    assert sorted(buttons.held_keys()) == ["ok", "up"]
    time.sleep(0.5)
    assert inbox.empty(), "a button that was down at the start repeats"
    pins.pin(26).drive_high()
    assert inbox.take()[:1] == ("ok",)
    time.sleep(0.03)
    pins.pin(26).drive_low()
    assert inbox.take()[:3:2] == ("ok", False)
    buttons.close()
