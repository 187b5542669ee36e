"""The settings that were chosen at the box: a configuration file of its own in the data folder, beside the rounds.

Its keys are those of the configuration, and win over the owner's file. The menu "Settings" and the first start write
it, replaced as a whole, so that a power cut leaves the old settings or the new ones.
"""

from __future__ import annotations

import json
import os
import tomllib
from typing import TYPE_CHECKING, Any

from companion.config import Config, load_config
from companion.inputs import BUTTON_KEYS
from companion.replacing import replace_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from companion.evening.session_values import BoxSettings

SETTINGS_NAME = "settings.toml"
KEYS = {
    "brightness": ("display", "brightness"), "upside_down": ("display", "upside_down"),
    "shift": ("display", "shift"), "idle": ("display", "idle"), "quiet": ("lamps", "quiet"), "lock": ("table", "lock"),
    "voice": ("sound", "voice"), "speed": ("sound", "speed"), "loudness": ("sound", "loudness"),
    "name": ("table", "name"), "address": ("display", "address"),
    "port": ("keypad", "port"),
}  # fmt: skip
"""The section and the key of each field of `BoxSettings` but the buttons, which have a key each."""
HEADER = """\
# Chosen at the box, in More, Settings: wins over the same key of the configuration. Without a line, that one counts.
"""
COMMENTS = {
    ("display", "address"): "  # found: the panel answered here",
    ("keypad", "port"): "  # found: a key came from here",
} | {("buttons", key): "  # found: this button was pressed when the box asked for it" for key in BUTTON_KEYS}
"""What is written beside settings that the box has found out by itself."""

ChosenSettings = dict[tuple[str, str], Any]
"""The values that were chosen at the box, by section and key."""


def load_settings(folder: Path) -> ChosenSettings:
    """The settings chosen at the box, {} for none. Raises ConfigError for a file that somebody has damaged."""
    file = folder / SETTINGS_NAME
    if not os.path.lexists(file):
        return {}
    values = load_config(file)  # It refuses what is not TOML, and what is no key or no value for one.
    return {
        (section, key): getattr(getattr(values, section), key)
        for section, keys in tomllib.loads(file.read_text("utf-8-sig")).items()
        for key in keys
    }


def save_settings(folder: Path, chosen: Mapping[tuple[str, str], Any]) -> None:
    """Save the settings chosen at the box; when this returns, they are on disk. Raises OSError."""
    lines = [HEADER]
    for section in dict.fromkeys(section for section, _ in chosen):
        lines.append(f"[{section}]")
        for of, key in chosen:
            if of == section:
                lines.append(f"{key} = {toml_value(key, chosen[of, key])}{COMMENTS.get((of, key), '')}")
    replace_file(folder / SETTINGS_NAME, ("\n".join(lines) + "\n").encode(), mode=0o660)


def toml_value(key: str, value: Any) -> str:
    """The value of a key as TOML: an address in hexadecimal digits, as it is on the panel's back."""
    return f"0x{value:02X}" if key == "address" else json.dumps(value)


def with_chosen_settings(config: Config, chosen: Mapping[tuple[str, str], Any]) -> Config:
    """The configuration in which the settings chosen at the box win."""
    for (section, key), value in chosen.items():
        config = config._replace(**{section: getattr(config, section)._replace(**{key: value})})
    return config


def box_settings(config: Config) -> BoxSettings:
    """The settings that can be changed at the box, as the configuration has them."""
    from companion.evening.session_values import BoxSettings  # Imported late: the title picture needs none of it.

    return BoxSettings(**{name: getattr(getattr(config, section), key) for name, (section, key) in KEYS.items()})


def changed_settings(before: BoxSettings, after: BoxSettings) -> ChosenSettings:
    """The configuration keys that a change at the box sets, with their new values."""
    pins = zip(BUTTON_KEYS, after.buttons, strict=False) if after.buttons != before.buttons else ()
    return {KEYS[name]: getattr(after, name) for name in KEYS if getattr(after, name) != getattr(before, name)} | {
        ("buttons", key): pins_of_key for key, pins_of_key in pins
    }
