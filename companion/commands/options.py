"""Command-line arguments that several commands share, the configuration and the data folder.

Nothing here imports the session or the store, so that `companion run` can show its first picture before they load.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import Unusable, games
from companion import config as configuration
from companion.commands import printable

if TYPE_CHECKING:
    from companion.config import Config


class Parser(argparse.ArgumentParser):
    """An argument parser that raises Unusable instead of printing its usage and exiting."""

    def error(self, message: str) -> Any:
        """Raise Unusable."""
        raise Unusable(f"{printable(message)}; `{self.prog} --help` shows how")


def number(text: str) -> int:
    """A round's number or a count, 1 to 999999999. Raises ArgumentTypeError."""
    if text.isascii() and text.isdigit() and len(text) < 10 and int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"a whole number from 1 on is wanted, not {printable(text, 30)!r}")


def named(text: str) -> Path:
    """A file or folder to be written to. Raises Unusable if the name is empty."""
    if not text:
        raise Unusable("a file or folder with no name cannot be written")
    return Path(text)


def parser(name: str, description: str) -> Parser:
    """The argument parser of `companion play` or `companion run`."""
    made = Parser(
        prog=f"companion {name}", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--config", metavar="FILE", help="the configuration (TOML) instead of the usual places")
    made.add_argument("--data", metavar="DIR", help="where rounds are kept")
    skip = made.add_argument_group("to skip the menu")
    skip.add_argument("--game", metavar="ID", help=f"{', '.join(games.ids())}, or an installed game")
    skip.add_argument("--options", metavar="KEY=VALUE,…", default="", help="such as variant=expert; defaults else")
    skip.add_argument("--players", metavar="NAME,NAME…", default="", help="in the order of the seats")
    skip.add_argument("--open", metavar="SEAT,…", default="", help="open holdings: 1 all of seat 1, 1d 1r one of them")
    return made


def config(given: argparse.Namespace) -> Config:
    """The configuration: the file given by --config, else that in the usual places. Raises Unusable."""
    return configuration.load(given.config)


def folder(given: argparse.Namespace, settings: Config) -> Path:
    """The data folder: --data, else that of the configuration."""
    return Path(given.data) if given.data else configuration.data_folder(settings)


def say(sentence: str) -> None:
    """Print a sentence as one line on standard error."""
    print(f"companion: {sentence}", file=sys.stderr, flush=True)
