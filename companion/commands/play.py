"""`companion play`: the table in this terminal, on any computer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import Unusable
from companion.commands import tables

if TYPE_CHECKING:
    from collections.abc import Sequence

DESCRIPTION = """\
The table in this terminal: the panel's 128×64 pixels drawn in characters, the keyboard as keypad and buttons.

  0-9 A-D      the keypad          Enter or #       OK
  arrows       the four buttons    Backspace or *   BACK
  Ctrl-C       keep everything and leave"""


def main(given: Sequence[str]) -> int:
    """Play in the terminal. Returns the exit status."""
    arguments = tables.parser("play", DESCRIPTION).parse_args(given)
    from companion.config import ConfigError
    from hardware.simulated import Terminal

    config = tables.config(arguments)
    requested = tables.requested_round(arguments)
    tables.tell_undrawn(config, requested)
    inputs = tables.Inputs()
    terminal = Terminal(inputs.put)
    with tables.store(tables.folder(arguments, config)) as store:
        try:
            terminal.start()
        except ConfigError as error:
            raise Unusable(str(error).rstrip(".")) from None
        try:
            tables.play(store, tables.settings(config, requested, terminal=True), [terminal], inputs, config=config)
        finally:
            terminal.close()
    print("All is kept.")
    return 0
