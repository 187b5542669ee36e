"""`companion run`: the table with the configured devices, as the service runs it; `companion play`: in a terminal.

For `run` the title picture is sent before session and store are imported, because that import is most of the starting
time on a small computer. Keys pressed meanwhile wait on the queue.
"""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING

from companion import UnusableError, display
from companion.commands import options
from companion.languages import in_language, text
from companion.languages.catalogues import ENGLISH
from companion.store.data_folder import refuse_second_table, switch_user_to_owner
from companion.table import service
from companion.table.table_devices import InputQueue

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from PIL import Image

    from companion.config import Config
    from companion.rounds.stored import RoundHeader
    from hardware.devices import Devices

DESCRIPTION = """\
Runs the table with the panel, keypad, buttons and lamps in the configuration. A missing device is reported, and the
table carries on without it."""

PLAY_DESCRIPTION = """\
Plays in this terminal: it draws the panel's 128×64 pixels in characters, and the keyboard serves as keypad and buttons.

  0-9 A-D      the keypad          Enter or #       OK
  arrows       the four buttons    Backspace or *   BACK
  Ctrl-C       save everything and leave"""

FIRST_PICTURE_SECONDS = 2.0
"""How long the start waits for the panel to show its first picture."""


class BadConfigurationError(UnusableError):
    """The service's configuration cannot be used; systemd does not restart the service after this exit status."""

    status = 78  # EX_CONFIG of sysexits.h


def main(argv: Sequence[str]) -> int:
    """Run the table until it is stopped. Returns the exit status."""
    arguments = options.make_table_parser("run", DESCRIPTION).parse_args(argv)
    try:
        config = options.load_config(arguments)
    except UnusableError as error:
        raise BadConfigurationError(str(error)) from None
    requested = _requested_round(arguments)
    folder = options.data_folder(arguments, config)
    config = options.with_chosen_settings(config, folder)
    inputs = InputQueue(options.print_message)
    devices = _make_devices(config, folder, inputs)
    last_picture = None
    try:
        # If the command line skips the menu, the first picture is that of the first turn.
        devices.start(display.title_picture(config.table.name) if requested is None else None)
        last_picture = _play_until_stopped(config, folder, requested, devices, inputs)
    except UnusableError as error:
        # Nobody at the table reads the log.
        last_picture = _cannot_start_picture(error.short_sentence)
        raise
    except Exception:
        # The service manager restarts the table; if that fails too often, this picture stays on the panel.
        last_picture = _notice_picture("Program fault:\nall is saved")
        raise
    finally:
        devices.close(last_picture)
    return 0


def _make_devices(config: Config, folder: Path, inputs: InputQueue) -> Devices:
    """Make the configured devices with the rights of the folder's owner.

    Raises BadConfigurationError, StoreError.
    """
    from companion.config import ConfigError

    if config.keypad.usb is None and os.isatty(0):
        # Somebody types at this computer, and a grabbed keyboard could not even type Ctrl-C.
        config = config._replace(keypad=config.keypad._replace(usb=False))
    # Imported before `switch_user_to_owner`: the owner may not be allowed to read the program.
    from hardware.devices import make_devices

    switch_user_to_owner(folder)
    try:
        refuse_second_table(folder)  # A second table must not draw over the panel of the first.
        return make_devices(config, inputs.put)
    except ConfigError as error:
        raise BadConfigurationError(str(error).rstrip(".")) from None


def _requested_round(arguments: argparse.Namespace) -> RoundHeader | None:
    """The round requested on the command line, None for none. Raises UnusableError."""
    if not (arguments.game or arguments.options or arguments.players or arguments.open):
        return None
    from companion.commands import table_startup

    return table_startup.requested_round(arguments)


def _play_until_stopped(
    config: Config, folder: Path, requested: RoundHeader | None, devices: Devices, inputs: InputQueue
) -> Image.Image:
    """Play until stopped. Returns the last picture. Raises UnusableError if the store cannot be used."""
    from companion.commands import command_store, table_startup

    def on_ready() -> None:
        devices.screen.wait_until_shown(timeout_seconds=FIRST_PICTURE_SECONDS)
        service.notify_service_manager("READY=1")

    table_startup.report_name_problems(config, requested)
    with command_store.open_store_in(folder, background=True, second=config.table.second) as store:
        loop = table_startup.play_table(
            store, config, requested, devices.screen, inputs, devices=devices, on_ready=on_ready
        )
        service.notify_service_manager("STOPPING=1")
        return display.session_picture(loop.session)


def _cannot_start_picture(why: str) -> Image.Image:
    """The picture with the whole reason, because players at the box have no other way to learn it."""
    from companion.display import messages

    return messages.cannot_start_picture(why.rstrip(".") + ".")


def _notice_picture(banner: str) -> Image.Image:
    """The title picture with a banner."""
    from companion.evening import state_machine
    from companion.rounds.stored import SessionSettings, StoredHistory

    start = state_machine.start_session(SessionSettings(), StoredHistory())
    return display.session_picture(start._replace(banner=banner))


def play(argv: Sequence[str]) -> int:
    """Play in the terminal. Returns the exit status."""
    arguments = options.make_table_parser("play", PLAY_DESCRIPTION).parse_args(argv)
    from companion.commands import command_store, table_startup
    from hardware.terminal import Terminal

    config = options.load_config(arguments)
    requested = table_startup.requested_round(arguments)
    table_startup.report_name_problems(config, requested)
    inputs = InputQueue()
    terminal = Terminal(inputs.put)
    folder, second = options.data_folder(arguments, config), config.table.second
    config = options.with_chosen_settings(config, folder)
    with (
        in_language(ENGLISH),  # What is saved is in English; a session draws in its own language.
        command_store.open_store_in(folder, background=True, second=second) as store,
        closing(terminal),
    ):
        terminal.start()
        table_startup.play_table(store, config, requested, terminal, inputs)
    print(text("Everything is saved."))
    return 0
