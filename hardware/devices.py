"""Opens and closes all devices of a configuration together."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from companion.config import ConfigError
from companion.inputs import BUTTON_KEYS
from hardware.boards import free_pins, resolve_wiring
from hardware.device_classes import NOT_REPLACEABLE, PictureDevice, PngPanel, is_regular_file_or_absent
from hardware.lamps import Lamps

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL import Image

    from companion.config import Config
    from companion.inputs import Input
    from hardware.boards import Wiring
    from hardware.buttons import Buttons
    from hardware.keypad import Keypad, KeypadSearch
    from hardware.usb_keys import UsbKeys


FIRST_PICTURE_SECONDS = 0.5
"""The longest time that the other devices wait for the first picture."""
MAX_REVIVALS = 3
"""How often the thread of a device is restarted at most."""


class Devices:
    """The screen, the lamps, and the devices that make inputs, by name (``keypad``, ``number pad``, ``buttons``)."""

    def __init__(
        self,
        screen: PictureDevice,
        lamps: Lamps,
        sources: dict[str, Keypad | UsbKeys | Buttons],
        config: Config,
        put: Callable[[Input], object],
    ) -> None:
        self.screen = screen
        self.lamps = lamps
        self.sources = sources
        self._config, self._put = config, put
        self._search: KeypadSearch | None = None
        self._is_learning = False
        self._revivals: Counter[str] = Counter()

    def start(self, picture: Image.Image | None = None) -> None:
        """Start all devices, the keypads first, so that no press after the first picture is missed.

        A given `picture` is shown before the library of the pins is loaded, which would delay it.
        """
        for name, source in self.sources.items():
            if name != "buttons":
                source.start()
        if picture is not None:
            self.screen.show(picture)
        self.screen.start()
        if picture is not None:
            self.screen.wait_until_shown(FIRST_PICTURE_SECONDS)
        if "buttons" in self.sources:
            self.sources["buttons"].start()
        self.lamps.start()

    @property
    def names(self) -> list[str]:
        """The names of all devices that are configured or plugged in, as in DeviceMissing."""
        sources = (name for name, source in self.sources.items() if getattr(source, "is_used", True))
        return ["panel", *sources, *(["lamps"] if self.lamps.is_wired else [])]

    @property
    def button_pins(self) -> tuple[tuple[int, ...], ...]:
        """The pins of each of `BUTTON_KEYS`, () without buttons."""
        keys = resolve_wiring(self._config).keys
        return tuple(keys.get(key, ()) for key in BUTTON_KEYS) if keys else ()

    def use_voice_keys(self, is_voice_on: bool) -> None:
        """While the voice is on, buttons have keys for it."""
        if "buttons" in self.sources:
            self.sources["buttons"].has_voice_keys = is_voice_on  # type: ignore[union-attr]

    def learn(self, is_learning: bool) -> None:
        """While the players are asked for their keys, notice a button on any pin and a keypad on any serial port."""
        if is_learning != self._is_learning:
            self._is_learning = is_learning
            self._use_buttons()
            if self._search is not None:
                self._search.close()
                self._search = None
            keypad = self.sources.get("keypad")
            if is_learning and not getattr(keypad, "is_connected", False):
                from hardware.keypad import KeypadSearch

                self._search = KeypadSearch(self._put)
                self._search.start()

    def use_config(self, config: Config) -> None:
        """Use a keypad's port or the pins of buttons that were found out, while the table runs."""
        before, self._config = self._config, config
        if config.keypad.port is not None and config.keypad.port != before.keypad.port:
            from hardware.keypad import Keypad

            if "keypad" in self.sources:
                self.sources["keypad"].close()
            self.sources["keypad"] = Keypad(self._put, config.keypad.port, config.keypad.baud)
            self.sources["keypad"].start()
        if config.buttons != before.buttons:
            self._use_buttons()

    def _use_buttons(self) -> None:
        """Use the configured buttons and lamps; while the box learns its buttons, all pins as buttons and no lamp."""
        buttons = self.sources.get("buttons")
        if buttons is None or not hasattr(buttons, "use_keys"):
            return
        wires = resolve_wiring(self._config)
        others = free_pins(self._config, wires) if self._is_learning else ()
        turn, buzzer = ((), None) if others else (wires.turn, wires.buzzer)
        buttons.use_keys(wires.keys, others, partial(self.lamps.use_pins, turn, buzzer))

    def revive_threads(self) -> list[str]:
        """Restart threads that have ended, each at most `MAX_REVIVALS` times. Returns the names of their devices."""
        revived = []
        for name, device in (("panel", self.screen), *self.sources.items()):
            if self._revivals[name] < MAX_REVIVALS and device.revive_thread():
                self._revivals[name] += 1
                revived.append(name)
        return revived

    def dead_devices(self) -> list[str]:
        """The names of devices whose threads have ended; for the watchdog."""
        names = [name for name, source in self.sources.items() if not source.is_alive()]
        return names if self.screen.is_alive() else ["panel", *names]

    def close(self, picture: Image.Image | None = None) -> None:
        """Close all devices; `picture` stays on the panel."""
        for source in (*self.sources.values(), *([self._search] if self._search is not None else [])):
            source.close()
        self.lamps.close()
        self.screen.close(picture)


def make_devices(
    config: Config, put: Callable[[Input], object], on_bytes: Callable[[bytes], object] | None = None
) -> Devices:
    """The devices of `companion run`, not started. Raises ConfigError if one cannot be used as it is configured.

    `on_bytes` is called with the keypad's bytes as they arrive.
    """
    wires = resolve_wiring(config)
    sources: dict[str, Keypad | UsbKeys | Buttons] = {}
    if config.keypad.port is not None:
        from hardware.keypad import Keypad

        sources["keypad"] = Keypad(put, config.keypad.port, config.keypad.baud, on_bytes=on_bytes)
    if config.keypad.usb is not False:
        from hardware.usb_keys import DEVICE, UsbKeys

        sources[DEVICE] = UsbKeys(put)
    if wires.keys:
        from hardware.buttons import Buttons

        sources["buttons"] = Buttons(put, wires.keys)
    lamps = Lamps(put, wires.turn, wires.buzzer, config.lamps.quiet)
    try:
        return Devices(_make_screen(wires, put), lamps, sources, config, put)
    except ConfigError as error:
        raise ConfigError(f"{config.file}: {error}" if config.file else str(error)) from None


def _make_screen(wires: Wiring, put: Callable[[Input], object]) -> PictureDevice:
    if wires.driver == "none":
        return PictureDevice()
    if wires.driver == "png" and wires.path is not None:
        with suppress(OSError):  # PngPanel reports the error when it writes the first picture.
            if not is_regular_file_or_absent(wires.path):
                raise ConfigError(f"display.path names {wires.path}: {NOT_REPLACEABLE}.")
        return PngPanel(put, wires.path)
    from hardware.oled import make_panel

    return make_panel(wires, put)
