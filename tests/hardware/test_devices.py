"""All devices together: in this process, and in one of their own with a panel on the wire and fingers on the
buttons.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.config import Config, ConfigError, parse_config
from companion.inputs import DeviceMissing, KeyPressed, SettingFound
from hardware import devices, frames
from hardware.device_classes import PictureDevice, PngPanel
from hardware.oled import Panel

WIRE = Path(__file__).parent / "wire"

PROGRAM = """
import queue
from PIL import Image
from companion.config import Config
from hardware.devices import make_devices

inputs = queue.Queue()
table = make_devices(Config(), inputs.put)
table.start()
image = Image.new("1", (128, 64))
for column in range(1, 4):
    image.putpixel((column, column), 1)
    table.screen.show(image)
    table.lamps.light_seat(column)
    print("shown", table.screen.wait_until_shown(60.0), flush=True)
    while True:
        happened = inputs.get(timeout=60)
        print(*happened[:2], flush=True)
        if type(happened).__name__ in ("KeyPressed", "DeviceReturned"):
            break
table.close(image)
"""


def config_of(text):
    return parse_config(text, Path("config.toml"))


def test_what_a_configuration_opens(inbox, tmp_path):
    """Screen, keypad and buttons are those of the configuration; nothing else is opened."""
    usual = devices.make_devices(config_of(""), inbox.put)
    assert isinstance(usual.screen, Panel)
    assert list(usual.sources) == ["number pad", "buttons"]
    file = f'[display]\ndriver = "png"\npath = "{tmp_path}/p.png"\n[buttons]\nboard = "none"\n'
    file += '[keypad]\nport = "/dev/x"\nusb = false'
    other = devices.make_devices(config_of(file), inbox.put)
    assert isinstance(other.screen, PngPanel)
    assert list(other.sources) == ["keypad"]
    assert type(devices.make_devices(config_of('[display]\ndriver = "none"'), inbox.put).screen) is PictureDevice
    assert inbox.empty()


def test_a_wrong_driver_is_refused_before_the_start(inbox):
    """A driver that cannot be used is refused when the devices are opened."""
    with pytest.raises(ConfigError, match=r"display\.driver must be one of ssd1306"):
        devices.make_devices(config_of('[display]\ndriver = "ssd1351"'), inbox.put)


def test_a_wrong_driver_is_refused_with_the_name_of_its_file(inbox, tmp_path):
    """Whoever has to correct it need not search, and a value of any length makes a short sentence."""
    file = tmp_path / "config.toml"
    config = parse_config(f'[display]\ndriver = "{"W" * 5_000}"', file)
    with pytest.raises(ConfigError, match=f"^{file}: display.driver must be one of") as refused:
        devices.make_devices(config, inbox.put)
    assert len(str(refused.value)) < 400


def test_a_table_without_any_device(inbox, monkeypatch, tmp_path, adapter):
    """With nothing plugged in the table starts, gets one report for each device, and ends."""
    adapter.bus.unplug()
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none of these")
    monkeypatch.setattr("gpiozero.Device.pin_factory", None)
    table = devices.make_devices(config_of(f'[keypad]\nport = "{tmp_path}/none"'), inbox.put)
    assert table.revive_threads() == [], "what was not started has not ended"
    table.start()
    lost = {inbox.take().device for _ in range(4)}
    assert lost == {"panel", "keypad", "buttons", "lamps"}
    assert table.dead_devices() == []
    table.lamps.light_seat(1)
    table.lamps.play_sound("accepted")
    table.close()
    assert not [one for one in inbox.rest() if isinstance(one, DeviceMissing)]
    assert table.dead_devices() == ["panel", "keypad", "number pad", "buttons"]


@pytest.mark.parametrize("driver", ["png", "none"])
def test_device_libraries_stay_out(driver):
    """Without panel, keypad and buttons none of their libraries is imported."""
    config = f'[display]\\ndriver = "{driver}"\\npath = "/tmp/x.png"\\n[buttons]\\nboard = "none"'
    program = (
        "import sys; from pathlib import Path\n"
        "from companion.config import parse_config; from hardware.devices import *\n"
        f"make_devices(parse_config('{config}', Path('c')), print)\n"
        "print([name for name in ('luma', 'serial', 'gpiozero', 'lgpio') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"


def test_in_a_process_of_its_own(tmp_path, a_picture, request):
    """With the real libraries in a child process: the panel shows, buttons press, the panel goes and comes back."""
    folder = tmp_path / "wire"
    shutil.copytree(WIRE, folder)
    os.mkfifo(folder / "pins")
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    request.addfinalizer(child.kill)

    def line():
        return child.stdout.readline().strip()

    def pixels():
        lit = frames.unpack_frame((folder / "frame").read_bytes())
        return [(x, y) for x in range(128) for y in range(64) if lit.getpixel((x, y))]

    with (folder / "pins").open("w", buffering=1) as fingers:
        assert line() == "shown True"
        assert pixels() == [(1, 1)]
        fingers.write("26 down\n")
        assert line().startswith("ok")
        assert line() == "shown True"
        assert pixels() == [(1, 1), (2, 2)]
        fingers.write("26 up\n")
        assert line().startswith("ok")
        (folder / "unplugged").touch()
        fingers.write("26 down\n")
        assert line().startswith("ok")
        assert line() == "shown False"
        assert line() == "panel panel unplugged"
        (folder / "unplugged").unlink()
        assert line().startswith("panel")  # found
        assert child.wait(60) == 0
    assert pixels() == [(1, 1), (2, 2), (3, 3)]
    assert {"17 1", "17 0", "27 1"} <= set((folder / "outputs").read_text().splitlines())
    assert all(message[:2] in ("00", "40") for message in (folder / "log").read_text().splitlines())


def test_a_thread_is_restarted_a_few_times_only(inbox):
    """A thread that ends again at once is restarted three times, then stays dead, so that the watchdog sees it."""

    class Ailing:
        def revive_thread(self):
            return True

        def is_alive(self):
            return False

    table = devices.Devices(PictureDevice(), devices.Lamps(inbox.put), {"keypad": Ailing()}, Config(), inbox.put)
    assert [table.revive_threads() for _ in range(5)] == [["keypad"]] * 3 + [[]] * 2
    assert table.dead_devices() == ["keypad"]


def heard_pins(table) -> set[int]:
    """The pins of buttons once each is listened to: one that is down before that counts as held at the start."""
    open_pins = table.sources["buttons"]._pins.open_pins
    return set(open_pins) if all(device.when_deactivated for device in open_pins.values()) else set()


def test_buttons_are_learned(inbox, adapter, pins, wait_for):
    """While the box learns, each press says its pin, also of a lamp's; then only the configured buttons count."""
    table = devices.make_devices(Config(), inbox.put)
    assert table.button_pins == ((5,), (6,), (13,), (19,), (26,), (21,))
    table.start()
    table.learn(True)
    wait_for(lambda: 17 in heard_pins(table))
    for pin, key in ((5, "up"), (17, ""), (4, "")):
        pins.pin(pin).drive_low()
        press = inbox.take()
        assert isinstance(press, KeyPressed)
        assert (press.key, press.pin) == (key, pin)
        pins.pin(pin).drive_high()
        inbox.take()
    learned = config_of("[buttons]\nup = 17\ndown = 22\nleft = 27\nright = 23\nok = 5\nback = 6")
    table.use_config(learned)
    table.learn(False)
    wait_for(lambda: heard_pins(table) == {17, 22, 27, 23, 5, 6})
    pins.pin(17).drive_low()
    press = inbox.take()
    assert (press.key, press.pin) == ("up", -1)
    table.close()


def test_the_lamps_come_back(inbox, adapter, pins, wait_for):
    """Where the buttons are those of the breadboard, its lamps are lit again after the box has learned them."""
    table = devices.make_devices(Config(), inbox.put)
    table.start()
    table.learn(True)
    wait_for(lambda: not table.lamps._pins.open_pins)
    table.learn(False)
    wait_for(lambda: len(table.lamps._pins.open_pins) == 3)
    table.lamps.light_seat(1)
    assert pins.pin(17).state
    assert not [each for each in inbox.rest() if isinstance(each, DeviceMissing)]
    table.close()


def test_a_found_keypad_is_used(inbox, adapter, pins, tmp_path, monkeypatch, wait_for):
    """A key on an unknown port is found while the box learns, and the keypad works from then on."""
    master, slave = os.openpty()
    ports = {os.path.realpath(os.ttyname(slave)): os.ttyname(slave)}
    monkeypatch.setattr("hardware.keypad.KeypadSearch.__init__.__defaults__", (lambda: ports,))
    table = devices.make_devices(Config(), inbox.put)
    table.start()
    table.learn(True)
    wait_for(lambda: table._search._ports)
    os.write(master, b"5")
    found = inbox.take()
    assert isinstance(found, SettingFound)
    assert inbox.take().key == "5"
    table.use_config(config_of(f'[keypad]\nport = "{found.port}"'))
    table.learn(False)
    os.write(master, b"7")
    assert inbox.take().key == "7"
    assert "keypad" in table.names
    table.close()
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize(("configured", "real"), [("0x3C", 0x3D), ("0x3D", 0x3C)])
def test_a_panel_is_found_at_either_address(inbox, adapter, a_picture, pins, configured, real):
    """It is reported once, and stays there: when it is unplugged, nothing else at the other address is taken for it."""
    adapter.bus.address = real
    config = config_of(f"[display]\naddress = {configured}\n[buttons]\nboard = 'none'")
    table = devices.make_devices(config, inbox.put)
    table.start()
    table.screen.show(a_picture(1))
    assert table.screen.wait_until_shown(60)
    assert inbox.take()[:2] == SettingFound(address=real)[:2]
    adapter.bus.unplug()
    table.screen.resend()
    assert inbox.take().device == "panel"
    adapter.bus.address = int(configured, 16)
    adapter.bus.plug()
    assert not table.screen.wait_until_shown(2)
    adapter.bus.address = real
    assert inbox.take().device == "panel"
    assert table.screen.wait_until_shown(60)
    table.close()
