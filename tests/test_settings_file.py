"""The settings chosen at the box: what is saved, that it wins over the configuration, and that no kill loses it."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time

import pytest
from examples import example_count

from companion import settings_file
from companion.config import Config, ConfigError, load_config
from companion.doctor.examination import check_chosen_settings
from companion.evening.session_values import BoxSettings

KILLS = 200
SAVING = """
import sys
from pathlib import Path
from companion.settings_file import save_settings
number = int(sys.argv[2])
while True:
    number += 1
    save_settings(Path(sys.argv[1]), {("display", "brightness"): number % 255 + 1, ("table", "lock"): f"{number:04}"})
    print(number, flush=True)
"""


def test_what_was_chosen_comes_back_and_wins(tmp_path):
    """Every setting, changed or not, survives; only what was changed is in the file."""
    pins = ((5,), (6,), (13,), (19,), (4, 26), (21,))
    other = BoxSettings(31, True, False, "dim", True, "0042", "table", 220, 140, "Kitchen", 0x3D, "/dev/ttyACM0", pins)
    chosen = settings_file.changed_settings(BoxSettings(), other)
    assert len(chosen) == len(other) + 5  # Six buttons are one field.
    settings_file.save_settings(tmp_path, chosen)
    assert settings_file.load_settings(tmp_path) == chosen
    merged = settings_file.with_chosen_settings(Config(), settings_file.load_settings(tmp_path))
    assert settings_file.box_settings(merged)._replace(buttons=pins) == other
    assert merged.buttons[1:] == pins
    assert settings_file.changed_settings(other, other) == {}
    (tmp_path / "config.toml").write_text("[display]\nbrightness = 9\naddress = 0x3D\n[lamps]\nbuzzer = 4\n")
    settings_file.save_settings(tmp_path, {("display", "brightness"): 77})
    config = load_config(tmp_path / "config.toml")
    merged = settings_file.with_chosen_settings(config, settings_file.load_settings(tmp_path))
    assert (merged.display.brightness, merged.display.address, merged.lamps.buzzer) == (77, 0x3D, 4)
    assert merged.file == config.file


def test_what_was_found_has_a_comment(tmp_path):
    """Whoever reads the file learns which lines nobody has chosen; an address is written as on the panel's back."""
    settings_file.save_settings(
        tmp_path, {("display", "address"): 0x3D, ("display", "idle"): "dim", ("buttons", "up"): (17,)}
    )
    lines = (tmp_path / settings_file.SETTINGS_NAME).read_text().splitlines()
    assert "address = 0x3D  # found: the panel answered here" in lines
    assert 'idle = "dim"' in lines
    assert "up = [17]  # found: this button was pressed when the box asked for it" in lines


def test_the_doctor_says_where_settings_come_from(tmp_path):
    """Nothing chosen, nothing said; else each setting but the code itself; a damaged file is named."""
    assert list(check_chosen_settings(tmp_path)) == []
    settings_file.save_settings(tmp_path, {("display", "brightness"): 77, ("table", "lock"): "2718"})
    (finding,) = check_chosen_settings(tmp_path)
    assert finding.state == "ok"
    assert "brightness = 77, lock" in finding.text
    assert "2718" not in finding.text
    (tmp_path / settings_file.SETTINGS_NAME).write_text("[display]\nbrightness = 0")
    (finding,) = check_chosen_settings(tmp_path)
    assert finding.state == "note"
    assert "brightness must be a whole number from 1 to 255" in finding.text


@pytest.mark.parametrize("text", ["[", "[nothing]\na = 1", "[table]\nlock = 2718", "[display]\nidle = 3", "\udc80"])
def test_a_damaged_file_is_refused_in_a_sentence(tmp_path, text):
    (tmp_path / settings_file.SETTINGS_NAME).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ConfigError, match=r"settings\.toml"):
        settings_file.load_settings(tmp_path)


@pytest.mark.drill
def test_settings_survive_kills(tmp_path):
    """A process that saves all the time is killed at any moment: the last saved settings are there, or those after."""
    chance, number = random.Random("kills"), 0
    for _ in range(example_count(KILLS)):
        saving = subprocess.Popen(
            [sys.executable, "-c", SAVING, str(tmp_path), str(number)], stdout=subprocess.PIPE, text=True
        )
        printed = [saving.stdout.readline()]
        time.sleep(chance.random() / 50)
        saving.send_signal(signal.SIGKILL)
        printed += saving.stdout.read().splitlines()  # Unlike communicate(), with the lines that came with the first.
        saving.wait(timeout=60)
        least = int(printed[-1])
        saved = settings_file.load_settings(tmp_path)
        number = int(saved["table", "lock"])
        assert number in (least, least + 1)
        assert saved["display", "brightness"] == number % 255 + 1
