"""`companion run`: the table with the devices of the configuration; what the service runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import notify, screens
from companion.commands import Unusable, tables
from companion.session.model import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    with tables.store(tables.folder(arguments, config)) as store:
        try:
            devices = open_devices(config, inputs.put)
        except Refused as error:
            raise Unusable(str(error).rstrip(".")) from None

        def ready() -> None:
            devices.screen.settle(timeout=FIRST_PICTURE_SECONDS)
            notify.notify("READY=1")

        # The keypad's port is open before the first picture, so that no press after it is missed.
        devices.start()
        goodbye = None
        try:
            settings = Settings(config.table.players, about, keypad=config.keypad.port is not None)
            table = tables.play(
                store,
                settings,
                [devices.screen],
                inputs,
                devices.lamps,
                lambda: not devices.dead(),
                config.display.brightness,
                ready,
            )
            notify.notify("STOPPING=1")
            goodbye = screens.draw(table.session)
        finally:
            devices.close(goodbye)
    return 0
