"""The panel with models of its chips: on the wire, through every failure, and while nothing happens."""

import errno
import gc
import sys
import threading
import time

import luma.core.error
import pytest
from luma.core.interface import serial

from companion.config import Config, ConfigError, DisplaySettings
from companion.inputs import DeviceMissing, DeviceReturned
from hardware import frames, oled, panel_link
from hardware.boards import resolve_wiring
from hardware.panel_link import LINK_ERRORS, PanelLink, PanelState

HALF_SECOND = 0.5


class Clock:
    """Monotonic time that the tests move."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def linked(make_bus):
    """A connection to a chip through luma's `bus=`, and the bus."""

    def make(driver, **options):
        bus = make_bus("ssd1306" if driver in panel_link.WINDOWED_DRIVERS else "sh1106")
        return PanelLink(driver, lambda: serial.i2c(bus=bus), **options), bus

    return make


@pytest.fixture
def panel(adapter, inbox):
    """A started panel on the production path: smbus2 under luma, with a quick retry."""
    found = oled.Panel(inbox.put, PanelLink("ssd1306", lambda: serial.i2c(port=1)), retry_seconds=0.02)
    yield found
    found.close()


def panel_state(image, contrast=0xCF, is_on=True):
    return PanelState(frames.pack_frame(image), contrast, is_on)


@pytest.mark.parametrize("driver", ["ssd1306", "ssd1309", "ssd1315", "sh1106", "ch1115"])
def test_every_picture_arrives(linked, a_picture, driver):
    """After each of a hundred changes the chip shows exactly the wanted picture."""
    panel, bus = linked(driver)
    for seed in range(100):
        wanted = panel_state(a_picture(seed))
        panel.show_state(wanted)
        assert bus.chip.visible_frame() == wanted.frame


def test_production_path(adapter, a_picture):
    """The same through /dev/i2c-1 and smbus2, where data is sent by I2C_RDWR and a whole frame is 1,034 bytes."""
    panel = PanelLink("ssd1306", lambda: panel_link.open_interface(resolve_wiring(Config())))
    panel.show_state(panel_state(a_picture(0)))
    bus = adapter.bus
    assert [len(message) for message in bus.log].count(1025) == 1  # the picture, in place of luma's clearing
    for seed in range(1, 50):
        bus.reset_counts()
        wanted = panel_state(a_picture(seed))
        panel.show_state(wanted)
        assert bus.chip.visible_frame() == wanted.frame
        assert bus.sent <= 1034
        assert all(message[0] in (0x00, 0x40) for message in bus.log)
    panel.disconnect()
    assert adapter.opened == 0


def test_spi(spi_bus, a_picture):
    """The SH1106 on SPI, as on Waveshare's board, with the data/command line as a gpiozero output."""
    wires = resolve_wiring(Config(display=DisplaySettings(driver="sh1106", interface="spi")))
    panel = PanelLink(wires.driver, lambda: panel_link.open_interface(wires))
    for seed in range(30):
        wanted = panel_state(a_picture(seed))
        panel.show_state(wanted)
        assert spi_bus.chip.visible_frame() == wanted.frame
    panel.disconnect()
    panel.show_state(wanted)  # its pins were given back
    assert spi_bus.chip.visible_frame() == wanted.frame


def test_nothing_changed_sends_nothing(linked, a_picture):
    """The same picture again costs no byte, a digit at most 15, brightness and on/off a command each."""
    panel, bus = linked("ssd1306")
    image = a_picture(1)
    image.paste(0, (40, 0, 45, 8))
    panel.show_state(panel_state(image))
    bus.reset_counts()
    panel.show_state(panel_state(image))
    assert bus.sent == 0
    image.paste(1, (40, 0, 45, 8))
    panel.show_state(panel_state(image))
    assert 0 < bus.sent <= 15
    bus.reset_counts()
    panel.show_state(panel_state(image, contrast=10))
    panel.show_state(panel_state(image, contrast=10, is_on=False))
    assert [message.hex() for message in bus.log] == ["00810a", "00ae"]
    assert bus.chip.contrast == 10
    assert bus.chip.visible_frame() == frames.BLANK_FRAME


def test_the_chip_is_told_only_what_is_new(linked):
    """The same window again costs only its data; one with the same columns or pages half a command more."""
    panel, bus = linked("ssd1306")
    panel.show_state(PanelState(frames.BLANK_FRAME, 1, True))
    sizes = []
    for place in (3, 3, 3, 40, 168, 200, 0):
        frame = bytearray(panel.shown_state.frame)
        frame[place] ^= 0xFF
        bus.reset_counts()
        panel.show_state(PanelState(bytes(frame), 1, True))
        sizes.append(bus.sent)
        assert bus.chip.visible_frame() == frame
    assert sizes == [8, 8, 3, 8, 8, 8, 11]


def test_a_picture_that_moves_as_it_dims_is_one_message(adapter, a_picture):
    """At most three messages: bounds, the whole picture, contrast. A key press still sends windows only."""
    panel = PanelLink("ssd1306", lambda: panel_link.open_interface(resolve_wiring(Config())))
    image = a_picture(7)
    panel.show_state(panel_state(image))
    bus = adapter.bus
    for shift, level in ((1, 1), (0, 0xCF), (-1, 1)):
        bus.reset_counts()
        wanted = PanelState(frames.pack_frame(image, shift), level, True)
        panel.show_state(wanted)
        assert bus.chip.visible_frame() == wanted.frame
        assert bus.chip.contrast == level
        if level == 1:
            assert len(bus.log) <= 3
        else:
            assert bus.sent < len(frames.BLANK_FRAME)
    panel.disconnect()


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_a_failure_at_any_write_of_the_start(linked, a_picture, driver):
    """Whichever write fails, the next attempt ends with the right picture and brightness."""
    panel, bus = linked(driver)
    wanted = panel_state(a_picture(3), contrast=77)
    panel.show_state(wanted)
    for index in range(len(bus.log)):
        for number in (errno.EREMOTEIO, errno.EIO, errno.ETIMEDOUT):
            panel.disconnect()
            bus.plug()
            bus.reset_counts()
            bus.fail(index, number)
            with pytest.raises(LINK_ERRORS):
                panel.show_state(wanted)
            panel.show_state(wanted)
            assert bus.chip.visible_frame() == wanted.frame
            assert bus.chip.contrast == 77


def test_a_missing_panel_leaks_nothing(make_bus):
    """Looking for a missing panel a thousand times sends only the no-op and creates no driver."""
    bus = make_bus("ssd1306")
    bus.unplug()
    panel = PanelLink("ssd1306", lambda: serial.i2c(bus=bus))
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(1000):
        with pytest.raises(luma.core.error.DeviceNotFoundError):
            panel.show_state(PanelState(frames.BLANK_FRAME, 1, True))
    assert set(bus.log) == {bytes([0x00, 0xE3])}
    gc.collect()
    assert len(gc.get_objects()) - before < 500


def test_returning_uses_the_same_driver(linked):
    """There is one driver object for ever, since luma's exit hook would keep each of them in memory."""
    panel, bus = linked("ssd1306")
    panel.show_state(PanelState(frames.BLANK_FRAME, 1, True))
    device = panel.device
    for _ in range(5):
        panel.disconnect()
        bus.plug()
        panel.show_state(PanelState(frames.BLANK_FRAME, 1, True))
    assert panel.device is device


def test_now_and_then_everything_is_repainted(linked, a_picture):
    """A panel that lost its power unnoticed is set up again when its picture is due."""
    clock = Clock()
    panel, bus = linked("ssd1306", refresh_seconds=60.0, monotonic=clock)
    panel.show_state(panel_state(a_picture(1)))
    bus.plug()
    panel.show_state(panel_state(a_picture(2)))
    assert bus.chip.visible_frame() == frames.BLANK_FRAME
    clock.now = 60.0
    panel.show_state(panel_state(a_picture(3)))
    assert panel.seconds_until_due == 0.0
    bus.reset_counts()
    panel.show_state(panel_state(a_picture(3)))
    assert bus.chip.visible_frame() == frames.pack_frame(a_picture(3))
    assert panel.seconds_until_due == 60.0
    assert not any(0xAE in message[1:2] for message in bus.log), "it must not flicker"


def test_a_panel_that_lost_its_memory_at_rest_is_right_again(adapter, inbox, a_picture, wait_for):
    """Without a key press. A dark panel is left alone."""
    panel = oled.Panel(
        inbox.put, PanelLink("ssd1306", lambda: serial.i2c(port=1), refresh_seconds=0.1), retry_seconds=0.02
    )
    panel.start()
    panel.show(a_picture(1))
    assert panel.wait_until_shown(60.0)
    adapter.bus.plug()
    wait_for(lambda: adapter.bus.chip.visible_frame() == frames.pack_frame(a_picture(1)))
    panel.sleep()
    assert panel.wait_until_shown(60.0)
    assert panel.panel_link.seconds_until_due is None
    panel.close()
    assert inbox.empty()


def test_at_rest_a_whole_picture_a_minute(linked, a_picture):
    """An unchanged picture is due a minute after the whole one was sent, and costs nothing before."""
    clock = Clock()
    link_, bus = linked("ssd1306", monotonic=clock)
    link_.show_state(panel_state(a_picture(1)))
    sizes = []
    for clock.now in range(1, 301):
        bus.reset_counts()
        link_.show_state(panel_state(a_picture(1)))
        sizes.append(bus.sent)
    assert [second for second, size in enumerate(sizes, 1) if size] == [60, 120, 180, 240, 300]


def test_after_a_pause_the_picture_of_the_key_comes_first(adapter, panel, a_picture, wait_for):
    """First the key's change is sent, as cheaply as ever; then the panel is set up and everything is sent."""
    panel.start()
    panel.show(a_picture(1))
    assert panel.wait_until_shown(60.0)
    adapter.bus.plug()
    adapter.bus.reset_counts()
    small = a_picture(1)
    small.putpixel((3, 3), 1 - bool(small.getpixel((3, 3))))
    panel.show(small)
    assert panel.wait_until_shown(60.0)
    assert adapter.bus.sent < 20
    assert adapter.bus.chip.visible_frame() == frames.BLANK_FRAME
    panel.resend()
    wait_for(lambda: adapter.bus.chip.visible_frame() == frames.pack_frame(small))
    wait_for(lambda: not panel.panel_link.is_suspect)
    assert panel.panel_link.seconds_until_due > 0.0


def test_a_panel_is_reported_missing_and_returned_once(adapter, panel, inbox, a_picture, wait_for):
    """A panel that is missing, comes, goes and comes again is reported once each time and shows the last picture."""
    adapter.missing = errno.ENOENT
    begun = time.monotonic()
    panel.start()
    lost = inbox.take()
    assert (lost.device, lost.reason) == ("panel", "no panel bus: switch I2C or SPI on with raspi-config")
    assert begun <= lost.at <= time.monotonic()
    panel.show(a_picture(1))
    time.sleep(0.1)
    assert inbox.empty()
    adapter.missing = None
    assert isinstance(inbox.take(), DeviceReturned)
    assert adapter.bus.chip.visible_frame() == frames.pack_frame(a_picture(1))
    for turn in range(3):
        adapter.bus.unplug()
        panel.show(a_picture(turn + 2))
        assert inbox.take().reason == "panel unplugged: nothing answers at its address"
        panel.show(a_picture(turn + 12))
        panel.contrast(turn + 1)
        adapter.bus.plug()
        assert isinstance(inbox.take(), DeviceReturned)
        assert panel.wait_until_shown(60.0)
        assert adapter.bus.chip.visible_frame() == frames.pack_frame(a_picture(turn + 12))
        assert adapter.bus.chip.contrast == turn + 1
    assert inbox.empty()


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.EACCES, "group i2c"), (errno.ENOENT, "raspi-config"), (errno.EMFILE, "panel disconnected")],
)
def test_a_bus_that_cannot_be_opened_is_explained(adapter, panel, inbox, number, words):
    """In a sentence with advice."""
    adapter.missing = number
    panel.start()
    lost = inbox.take()
    assert isinstance(lost, DeviceMissing)
    assert words in lost.reason


def test_show_returns_at_once(adapter, panel, a_picture):
    """A slow or hanging wire does not delay the table; only the newest picture is sent then."""
    send, goes_on = adapter.bus.message, threading.Event()

    def hang(message):
        goes_on.wait(60)
        send(message)

    adapter.bus.message = hang
    panel.start()
    for seed in range(20):
        panel.show(a_picture(seed))
    assert adapter.bus.sent == 0, "it waited for the wire"
    goes_on.set()
    assert panel.wait_until_shown(60.0)
    assert adapter.bus.chip.visible_frame() == frames.pack_frame(a_picture(19))
    assert adapter.bus.sent < 4 * 1100


def test_sleep_wake_contrast(adapter, panel, a_picture):
    """While asleep the panel is dark and accepts pictures; awake it shows the last of them."""
    panel.start()
    panel.show(a_picture(1))
    panel.sleep()
    assert panel.wait_until_shown(60.0)
    assert adapter.bus.chip.visible_frame() == frames.BLANK_FRAME
    panel.show(a_picture(2), shift=1)
    panel.contrast(3)
    panel.wake()
    assert panel.wait_until_shown(60.0)
    assert adapter.bus.chip.visible_frame() == frames.pack_frame(a_picture(2), 1)
    assert adapter.bus.chip.contrast == 3


def test_the_last_picture_stays(adapter, inbox, a_picture):
    """Closing leaves the given picture, or else a dark panel, and releases the bus."""
    for last in (a_picture(9), None):
        panel = oled.Panel(inbox.put, PanelLink("ssd1306", lambda: serial.i2c(port=1)))
        panel.start()
        panel.show(a_picture(8))
        panel.sleep()
        panel.close(last)
        assert adapter.bus.chip.visible_frame() == (frames.BLANK_FRAME if last is None else frames.pack_frame(last))
        assert adapter.opened == 0
        # What luma does at exit.
        panel.panel_link.device.cleanup()
        assert adapter.bus.chip.visible_frame() == (frames.BLANK_FRAME if last is None else frames.pack_frame(last))


def test_closing_waits_for_a_panel_that_is_being_opened(adapter, inbox, a_picture, monkeypatch):
    """The last picture says why the table cannot start, and loading the panel's library on a slow computer takes
    longer.
    """
    monkeypatch.setattr(oled, "CLOSE_SECONDS", 0.0)
    loaded = threading.Event()

    def slowly():
        assert loaded.wait(60.0)
        return serial.i2c(port=1)

    panel = oled.Panel(inbox.put, PanelLink("ssd1306", slowly))
    panel.start()
    threading.Timer(0.1, loaded.set).start()
    panel.close(a_picture(9))
    assert adapter.bus.chip.visible_frame() == frames.pack_frame(a_picture(9))
    assert not panel.is_alive()


def test_closing_without_a_panel_is_quick(adapter, inbox):
    """Closing does not wait for a missing panel, however long the pause between attempts is."""
    adapter.bus.unplug()
    panel = oled.Panel(inbox.put, PanelLink("ssd1306", lambda: serial.i2c(port=1)), retry_seconds=3600.0)
    panel.start()
    inbox.take()
    panel.close()
    assert not panel.is_alive()


def test_idle_means_idle(panel, a_picture, wake_ups):
    """An unchanged picture causes no wake-up."""
    panel.start()
    panel.show(a_picture(1))
    assert panel.wait_until_shown(60.0)
    time.sleep(0.05)
    assert wake_ups(HALF_SECOND)["panel"] == 0


@pytest.mark.parametrize("driver", ["ssd1331", "ssd1316", "pcd8544", "nonsense", "_ssd1306"])
def test_other_drivers_are_refused(driver):
    """A driver that is not 128×64 with one bit is refused in a sentence, 128×32 by name."""
    with pytest.raises(ConfigError, match="128×64 pixels of one bit, a 128×32 panel has too few"):
        PanelLink(driver, lambda: None)


def test_sideways_driver_is_sent_whole(inbox):
    """An SH1107, whose pictures luma rotates by 90 degrees, gets whole frames through luma's own display()."""
    sent = []

    class Interface:
        def command(self, *command):
            sent.append(("command", command))

        def data(self, data):
            sent.append(("data", tuple(data)))

        def cleanup(self):
            pass

    panel = PanelLink("sh1107", Interface)
    panel.show_state(PanelState(frames.BLANK_FRAME, 1, True))
    sent.clear()
    panel.show_state(PanelState(b"\x01" + bytes(1023), 1, True))
    assert len([data for kind, data in sent if kind == "data" and len(data) == 64]) == 16
    assert sum(bin(byte).count("1") for kind, data in sent if kind == "data" for byte in data) == 1


@pytest.mark.parametrize("missing", ["spidev", "a pin"])
def test_spi_that_cannot_be_opened(pins, inbox, monkeypatch, missing, spi_bus):
    """A missing library and a pin in use give a sentence, and the pins are free for the next attempt."""
    import gpiozero

    taken = gpiozero.LED(25) if missing == "a pin" else None
    if missing == "spidev":
        monkeypatch.setitem(sys.modules, "spidev", None)
    wires = resolve_wiring(Config(display=DisplaySettings(driver="sh1106", interface="spi")))
    panel = oled.Panel(inbox.put, PanelLink(wires.driver, lambda: panel_link.open_interface(wires)), retry_seconds=0.02)
    panel.start()
    words = "pin 25 is used twice" if taken else "no panel library: install python3-spidev"
    assert words in inbox.take().reason
    if taken:
        taken.close()
        assert isinstance(inbox.take(), DeviceReturned)
        assert panel.wait_until_shown(60.0)
    panel.close()


def test_a_thread_that_has_ended_is_started_anew(panel, adapter, a_picture, monkeypatch, wait_for):
    """An unexpected error ends the thread. A new one brings the picture; after `close` none starts."""
    monkeypatch.setattr("threading.excepthook", lambda _: None)
    panel.start()
    panel.show(a_picture(1))
    assert panel.wait_until_shown(60.0)
    assert not panel.revive_thread()
    bring = PanelLink.show_state
    monkeypatch.setattr(PanelLink, "show_state", lambda *_: 1 / 0)
    panel.show(a_picture(2))
    wait_for(lambda: not panel.is_alive())
    monkeypatch.setattr(PanelLink, "show_state", bring)
    assert panel.revive_thread()
    assert panel.wait_until_shown(60.0)
    assert adapter.bus.chip.visible_frame() == frames.pack_frame(a_picture(2))
    panel.close()
    assert not panel.revive_thread()
