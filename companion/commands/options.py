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
from companion.commands.text_streams import printable_text
from companion.languages import plural_text, text, translate

if TYPE_CHECKING:
    from companion.config import Config


ARGPARSE_MESSAGES = (
    "usage: ", "positional arguments", "options", "show this help message and exit",
    "argument %(argument_name)s: %(message)s", "the following arguments are required: %s",
    "one of the arguments %s is required", "unrecognized arguments: %s", "not allowed with argument %s",
    "expected one argument", "expected at most one argument", "expected at least one argument",
    "ambiguous option: %(option)s could match %(matches)s", "ignored explicit argument %r",
    "invalid %(type)s value: %(value)r", "invalid choice: %(value)r (choose from %(choices)s)",
)  # fmt: skip
"""argparse's own messages. argparse has them translated by gettext, which is replaced here by our catalogues."""
EXPECTED_ARGUMENTS = plural_text(2, "expected %s argument", "expected %s arguments")
"""argparse's message about a number of arguments, which has a plural."""
argparse._ = text  # type: ignore[attr-defined]
argparse.ngettext = lambda one, more, number: plural_text(number, one, more)  # type: ignore[attr-defined]


class CommandParser(argparse.ArgumentParser):
    """The arguments of a command. Where argparse would print its usage and exit, this raises UnusableError."""

    def error(self, message: str) -> Any:
        raise UnusableError(
            text("{fault}; `{command} --help` shows how", fault=printable_text(message), command=self.prog)
        )


def parse_count(value: str) -> int:
    """Parse a round's number or a count, 1 to 999999999. Raises ArgumentTypeError."""
    if value.isascii() and value.isdigit() and len(value) < 10 and int(value):
        return int(value)
    message = "use a whole number, 1 or more, not {given}"
    raise argparse.ArgumentTypeError(text(message, given=repr(printable_text(value, 30))))


def nonempty_path(value: str) -> Path:
    """Parse the name of a file or folder to be written to. Raises UnusableError if it is empty."""
    if not value:
        raise UnusableError(text("the name of the file or folder is empty"))
    return Path(value)


def add_switch(container: argparse._ActionsContainer, name: str, help_text: str) -> None:
    """Add an option without a value to a parser or a group."""
    container.add_argument(name, action="store_true", help=help_text)


def add_value(container: argparse._ActionsContainer, name: str, metavar: str, help_text: str, **settings: Any) -> None:
    """Add an argument with a value, which the usage shows as `metavar`."""
    container.add_argument(name, metavar=metavar, help=help_text, **settings)


def make_parser_without_config(command: str, description: str) -> CommandParser:
    """Make the parser of a command that needs neither configuration nor rounds."""
    formatter = argparse.RawDescriptionHelpFormatter
    return CommandParser(prog=f"companion {command}", description=text(description), formatter_class=formatter)


def make_parser(command: str, description: str) -> CommandParser:
    """Make a parser with the arguments --config and --data, to which a command adds its own."""
    new_parser = make_parser_without_config(command, text(description))
    add_value(new_parser, "--config", "FILE", text("the configuration file (TOML), instead of the usual one"))
    add_value(new_parser, "--data", "DIR", text("the folder with the saved rounds"))
    return new_parser


def make_table_parser(command: str, description: str) -> CommandParser:
    """Make the parser of `companion play` and `companion run`."""
    new_parser = make_parser(command, text(description))
    skip_menu = new_parser.add_argument_group(text("to skip the menu"))
    add_value(
        skip_menu, "--game", "ID", text("{games}, or an installed game", games=", ".join(games.built_in_game_ids()))
    )
    add_value(
        skip_menu, "--options", "KEY=VALUE,…", text("for example variant=expert; otherwise the defaults"), default=""
    )
    add_value(skip_menu, "--players", "NAME,NAME…", text("the players' names, in the order of the seats"), default="")
    add_value(
        skip_menu,
        "--open",
        "SEAT,…",
        text("whose pieces are open: 1 for all of seat 1, 1d or 1r for only its deal or its rack"),
        default="",
    )
    return new_parser


def load_config(arguments: argparse.Namespace) -> Config:
    """The configuration: the file given by --config, else that in the usual places. Raises UnusableError."""
    return configuration.load_config(arguments.config)


def with_chosen_settings(config: Config, folder: Path) -> Config:
    """The configuration with the settings that were chosen at the box, unless their file is damaged."""
    from companion import settings_file

    try:
        return settings_file.with_chosen_settings(config, settings_file.load_settings(folder))
    except configuration.ConfigError as error:
        print_message(text("{why} The settings chosen at the box do not count.", why=error))
        return config


def data_folder(arguments: argparse.Namespace, config: Config) -> Path:
    """The data folder: --data, else that of the configuration."""
    return Path(arguments.data) if arguments.data else configuration.data_folder(config)


def print_message(sentence: str) -> None:
    """Print a sentence as one line on standard error."""
    print(f"companion: {translate(sentence)}", file=sys.stderr, flush=True)
