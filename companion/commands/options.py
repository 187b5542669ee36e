"""Command-line arguments that several commands share, the configuration and the data folder.

Nothing here imports the session or the store, so that `companion run` can show its first picture before they load.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import UnusableError, games
from companion import config as configuration
from companion.commands.streams import printable
from companion.languages import plural_text, translate, text

if TYPE_CHECKING:
    from companion.config import Config


SENTENCES = (
    "usage: ", "positional arguments", "options", "show this help message and exit",
    "argument %(argument_name)s: %(message)s", "the following arguments are required: %s",
    "one of the arguments %s is required", "unrecognized arguments: %s", "not allowed with argument %s",
    "expected one argument", "expected at most one argument", "expected at least one argument",
    "ambiguous option: %(option)s could match %(matches)s", "ignored explicit argument %r",
    "invalid %(type)s value: %(value)r", "invalid choice: %(value)r (choose from %(choices)s)",
)  # fmt: skip
"""argparse's own messages. argparse has them translated by gettext, which is replaced here by our catalogues."""
EXPECTED = plural_text(2, "expected %s argument", "expected %s arguments")
"""argparse's message about a number of arguments, which has a plural."""
argparse._ = text  # type: ignore[attr-defined]
argparse.ngettext = lambda one, more, number: plural_text(number, one, more)  # type: ignore[attr-defined]


class Parser(argparse.ArgumentParser):
    """The arguments of a command. Where argparse would print its usage and exit, this raises UnusableError."""

    def error(self, message: str) -> Any:
        raise UnusableError(text("{fault}; `{command} --help` shows how", fault=printable(message), command=self.prog))


def count(given: str) -> int:
    """Parse a round's number or a count, 1 to 999999999. Raises ArgumentTypeError."""
    if given.isascii() and given.isdigit() and len(given) < 10 and int(given):
        return int(given)
    message = "use a whole number, 1 or more, not {given}"
    raise argparse.ArgumentTypeError(text(message, given=repr(printable(given, 30))))


def output_path(given: str) -> Path:
    """Parse the name of a file or folder to be written to. Raises UnusableError if it is empty."""
    if not given:
        raise UnusableError(text("the name of the file or folder is empty"))
    return Path(given)


def add_switch(to: argparse._ActionsContainer, name: str, about: str) -> None:
    """Add an option without a value to a parser or a group."""
    to.add_argument(name, action="store_true", help=about)


def add_value(to: argparse._ActionsContainer, name: str, shown: str, about: str, **how: Any) -> None:
    """Add an argument with a value, which the usage shows as `metavar`."""
    to.add_argument(name, metavar=shown, help=about, **how)


def plain_parser(command: str, description: str) -> Parser:
    """Make the parser of a command that needs neither configuration nor rounds."""
    plain = argparse.RawDescriptionHelpFormatter
    return Parser(prog=f"companion {command}", description=text(description), formatter_class=plain)


def parser(command: str, description: str) -> Parser:
    """Make a parser with the arguments --config and --data, to which a command adds its own."""
    made = plain_parser(command, text(description))
    add_value(made, "--config", "FILE", text("the configuration file (TOML), instead of the usual one"))
    add_value(made, "--data", "DIR", text("the folder with the saved rounds"))
    return made


def table_parser(command: str, description: str) -> Parser:
    """Make the parser of `companion play` and `companion run`."""
    made = parser(command, text(description))
    skip = made.add_argument_group(text("to skip the menu"))
    add_value(skip, "--game", "ID", text("{games}, or an installed game", games=", ".join(games.built_in_game_ids())))
    add_value(skip, "--options", "KEY=VALUE,…", text("for example variant=expert; otherwise the defaults"), default="")
    add_value(skip, "--players", "NAME,NAME…", text("the players' names, in the order of the seats"), default="")
    add_value(
        skip,
        "--open",
        "SEAT,…",
        text("whose pieces are open: 1 for all of seat 1, 1d or 1r for only its deal or its rack"),
        default="",
    )
    return made


def load_config(given: argparse.Namespace) -> Config:
    """The configuration: the file given by --config, else that in the usual places. Raises UnusableError."""
    return configuration.load_config(given.config)


def data_folder(given: argparse.Namespace, settings: Config) -> Path:
    """The data folder: --data, else that of the configuration."""
    return Path(given.data) if given.data else configuration.data_folder(settings)


def say(sentence: str) -> None:
    """Print a sentence as one line on standard error."""
    print(f"companion: {translate(sentence)}", file=sys.stderr, flush=True)
