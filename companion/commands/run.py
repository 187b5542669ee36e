"""`companion run`: the table with the devices of the configuration; what the service runs."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion import notify, screens
from companion import session as sessions
from companion.commands import Unusable, tables
from companion.session.model import Past, Settings
from companion.store import InUse, Store, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from PIL import Image

    from hardware.devices import Devices

ABOUT = """\
The table with the panel, keypad, buttons and lamps of the configuration. A device that is missing is told,
and the table goes on without it."""

FIRST_PICTURE_SECONDS = 2.0


def main(given: Sequence[str]) -> int:
    """Run the table until it is stopped; the exit status."""
    arguments = tables.parser("run", ABOUT).parse_args(given)
    from companion.config import Unusable as Refused
    from hardware.devices import open_devices

    config = tables.config(arguments)
    about = tables.about(arguments)
    inputs = tables.Inputs(tables.say)
    try:
        devices = open_devices(config, inputs.put)
    except Refused as error:
        raise Unusable(str(error).rstrip(".")) from None
    with _opened(tables.folder(arguments, config), devices) as store:

        def ready() -> None:
            devices.screen.settle(timeout=FIRST_PICTURE_SECONDS)
            notify.notify("READY=1")

        # The keypad's port is open before the first picture, so that no press after it is missed.
        devices.start()
        goodbye = None
        try:
            settings = Settings(
                config.table.players,
                about,
                config.keypad.port is not None,
                "buttons" in devices.sources,
                timing=config.table.clock,
            )
            table = tables.play(
                store,
                settings,
                [devices.screen],
                inputs,
                devices.lamps,
                devices,
                config.display.brightness,
                ready,
                config,
                devices.connected,
            )
            notify.notify("STOPPING=1")
            goodbye = screens.draw(table.session)
        except Exception as error:
            # The service manager starts it anew; where that is too often, it stays on the panel.
            known = isinstance(error, Unusable)
            goodbye = _notice(f"Cannot start:\n{_reason(error)}" if known else "Program fault:\nall is kept")
            raise
        finally:
            devices.close(goodbye)
    return 0


def _reason(error: Exception) -> str:
    """What follows the last colon of a sentence: it fits the panel better than the whole."""
    return str(error).rpartition(": ")[2]


def _notice(banner: str) -> Image.Image:
    """The title with a banner."""
    return screens.draw(sessions.start(Settings(), Past())._replace(banner=banner))


@contextmanager
def _opened(folder: Path, devices: Devices) -> Iterator[Store]:
    """The store; where it cannot be opened, the panel says so too, for nobody at a table reads a journal."""
    try:
        opened = Store(folder)
    except StoreError as error:
        if not isinstance(error, InUse):  # Else the panel is another table's.
            devices.screen.start()
            devices.screen.close(_notice(f"Cannot start:\n{_reason(error)}"))
        raise Unusable(str(error).rstrip(".")) from None
    try:
        yield opened
    finally:
        opened.close()
