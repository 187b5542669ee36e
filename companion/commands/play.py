"""`companion play`: the table in this terminal, on any computer."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from companion.commands import opened_store, options, session_settings, table
from companion.languages import speaking, text
from companion.languages.catalogues import ENGLISH
from companion.table.input_queue import Inputs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from companion.config import Config
    from companion.rounds.stored import RoundHeader
    from hardware.terminal import Terminal

DESCRIPTION = """\
The table in this terminal: the panel's 128×64 pixels drawn in characters, the keyboard as keypad and buttons.

  0-9 A-D      the keypad          Enter or #       OK
  arrows       the four buttons    Backspace or *   BACK
  Ctrl-C       keep everything and leave"""


def main(given: Sequence[str]) -> int:
    """Play in the terminal. Returns the exit status."""
    arguments = options.table_parser("play", DESCRIPTION).parse_args(given)
    from hardware.terminal import Terminal

    config = options.config(arguments)
    requested = session_settings.asked_for(arguments)
    session_settings.report_names(config, requested)
    inputs = Inputs()
    terminal = Terminal(inputs.put)
    with speaking(ENGLISH):  # What is kept is English; the session speaks where it draws.
        _play(config, options.folder(arguments, config), requested, terminal, inputs)
    print(text("All is kept."))
    return 0


def _play(config: Config, folder: Path, requested: RoundHeader | None, terminal: Terminal, inputs: Inputs) -> None:
    with opened_store.in_folder(folder, background=True, second=config.table.second) as store, closing(terminal):
        terminal.start()
        settings = session_settings.settings(config, requested, terminal=True)
        table.play(store, settings, [terminal], inputs, config=config)
