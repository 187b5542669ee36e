"""Ready boards and own pins."""

from pathlib import Path

import pytest

from companion.config import ConfigError, parse_config
from hardware import boards


def wiring_of(text):
    return boards.resolve_wiring(parse_config(text, Path("config.toml")))


def test_the_ready_boards():
    """The three boards have the panels and pins that their makers document."""
    assert boards.board_names() == ["adafruit-oled-bonnet", "breadboard", "waveshare-1.3-oled-hat"]
    bonnet = wiring_of('[buttons]\nboard = "adafruit-oled-bonnet"')
    assert (bonnet.driver, bonnet.interface, bonnet.bus, bonnet.address) == ("ssd1306", "i2c", 1, 0x3C)
    assert bonnet.keys == {"up": (17,), "down": (22,), "left": (27,), "right": (23,), "ok": (4, 5), "back": (6,)}
    assert (bonnet.turn, bonnet.buzzer) == ((), None)
    hat = wiring_of('[buttons]\nboard = "waveshare-1.3-oled-hat"')
    assert (hat.driver, hat.interface, hat.bus, hat.device, hat.dc, hat.rst) == ("sh1106", "spi", 0, 0, 24, 25)
    assert hat.keys == {"up": (6,), "down": (19,), "left": (5,), "right": (26,), "ok": (13, 21), "back": (16,)}


def test_the_default_is_the_breadboard():
    """Without any configuration."""
    ours = wiring_of("")
    assert ours == wiring_of('[buttons]\nboard = "breadboard"')
    assert ours.keys == {"up": (5,), "down": (6,), "left": (13,), "right": (19,), "ok": (26,), "back": (21,)}
    assert (ours.driver, ours.interface, ours.turn, ours.buzzer) == ("ssd1306", "i2c", (17, 27), 18)


def test_own_pins():
    """Own pins override a board's.

    Without a board they are the only ones; a lamp section replaces the board's lamps.
    """
    assert wiring_of('[buttons]\nboard = "breadboard"\nup = 12').keys["up"] == (12,)
    alone = wiring_of("[buttons]\nok = 17")
    assert (alone.keys, alone.turn, alone.buzzer) == ({"ok": (17,)}, (), None)
    assert wiring_of("[lamps]\nbuzzer = 12").turn == ()
    assert wiring_of("[lamps]\nquiet = true").turn == (17, 27)
    assert wiring_of('[buttons]\nboard = "none"').keys == {}


def test_a_boards_lamps_give_way():
    """If the configuration needs a pin of the board's lamps, these are left out and nothing is refused."""
    assert wiring_of('[buttons]\nboard = "breadboard"\nup = 17').turn == ()
    assert wiring_of('[display]\ninterface = "spi"\ndc = 18').buzzer is None


def test_another_interface_is_not_given_the_boards_pins():
    """An I2C panel on a board with an SPI one is looked for on the usual bus."""
    moved = wiring_of('[display]\ninterface = "i2c"\n[buttons]\nboard = "waveshare-1.3-oled-hat"')
    assert (moved.driver, moved.interface, moved.bus) == ("sh1106", "i2c", 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[buttons]\nboard = "bonnet"', "buttons.board must be one of adafruit-oled-bonnet, breadboard"),
        ("[buttons]\nup = 5\ndown = 5", "buttons.down and buttons.up both use pin 5"),
        ("[buttons]\nup = 2", "buttons.up and the panel \\(I2C\\) both use pin 2"),
        ('[buttons]\nup = 24\n[display]\ninterface = "spi"', "buttons.up and display.dc both use pin 24"),
        ("[lamps]\nbuzzer = 26", "lamps.buzzer and buttons.ok both use pin 26"),
    ],
)
def test_what_cannot_be_wired_is_refused(text, words):
    """An unknown board and a pin used twice are refused in a sentence that names file and keys."""
    with pytest.raises(ConfigError, match=f"config.toml: {words}"):
        wiring_of(text)


def test_pins_of_the_panel_are_free_where_it_is_a_file():
    """If the picture goes to a file, the panel's pins may be buttons."""
    assert wiring_of('[display]\ndriver = "none"\n[buttons]\nup = 2').keys == {"up": (2,)}
