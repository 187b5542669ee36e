"""The `companion` program: runs a command and reports every failure in one sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from companion import UnusableError, __version__
from companion.commands.text_streams import printable_text
from companion.languages import format_list, import_in_english, in_language, text, translate
from companion.languages.catalogues import ENGLISH, locale_language

COMMANDS = {
    "play": "play in this terminal, on any computer",
    "run": "run the table with the panel, keypad and buttons in the configuration",
    "doctor": "check the configuration, devices, disk and clock, and say what to do",
    "history": "list the saved rounds",
    "players": "list the players, rename one, or merge two",
    "standings": "list how often each player has won, in one evening or overall",
    "report": "write up an evening as a report to share",
    "replay": "step through a saved round or a record, move by move",
    "export": "write a saved round as a game record",
    "import": "import game records",
    "correct": "correct a finished round; its new result replaces the old one",
    "void": "mark a finished round as void, or let it count again",
    "backup": "write all rounds and settings to another disk",
    "restore": "put a backup, or a copy of rounds.journal, in the place of the saved rounds",
    "rescue": "import the rounds of a file that was set aside",
    "check": "replay game records and say whether each is valid",
    "analyse": "review game records: how good each move was, and how certain that is",
    "web": "serve the table as a web page, for a big screen and phones",
    "uplink": "send this table's rounds to a club server",
    "hall": "run a club server, which collects the rounds of a club night",
    "new": "create a folder for a game of your own, ready to play and test",
    "moves": "list the moves that are legal after a game record",
}
"""Command → what it does."""
COMMAND_FUNCTIONS = {
    "play": ("run", "play"),
    "players": ("history", "players"),
    "standings": ("history", "standings"),
    "import": ("importer", "main"),
    "void": ("correct", "void"),
    "rescue": ("importer", "rescue"),
    "backup": ("restore", "backup"),
    "web": ("services", "web"),
    "uplink": ("services", "uplink"),
    "moves": ("check", "moves"),
}
"""Command → its module in companion.commands and the function there, if these are not the command's name and `main`."""
UNTRANSLATED_COMMANDS = (["check"], ["moves"])
"""The commands whose output is the same in every language, because programs read it.

The same is true of every command with an option of `UNTRANSLATED_OPTIONS`."""
UNTRANSLATED_OPTIONS = frozenset(("--json", "--csv"))
HELP_OPTIONS = frozenset(("--help", "-h"))

EXIT_OK, EXIT_UNUSABLE, EXIT_FAULT, EXIT_INTERRUPTED, EXIT_OUTPUT_CLOSED = 0, 2, 70, 130, 141
"""Exit statuses: success, unusable arguments or file, fault of the program, Ctrl-C, closed output."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line, by default the process's own, in the user's language. Returns the exit status."""
    argv = list(sys.argv[1:] if argv is None else argv)
    is_untranslated = argv[:1] in UNTRANSLATED_COMMANDS or not UNTRANSLATED_OPTIONS.isdisjoint(argv)
    with in_language(ENGLISH if is_untranslated and HELP_OPTIONS.isdisjoint(argv) else locale_language(os.environ)):
        return _exit_status(argv)


def _exit_status(argv: list[str]) -> int:
    """Run a command line and report a failure in one sentence. Returns the exit status."""
    if sys.stdout is None:  # The caller has closed it, which is no reason to fail.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    try:
        status = _run_command(argv)
        sys.stdout.flush()
        return status
    except UnusableError as error:
        sentence = translate(error.sentence)
        return _print_error(sentence if "\n" in sentence else sentence.rstrip("."), error.status)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _close_output()
        return EXIT_OUTPUT_CLOSED
    except OSError as error:
        _close_output()
        return _print_error(str(error), EXIT_UNUSABLE)  # In Python's own words, which name the file.
    except Exception as error:
        if "COMPANION_TRACEBACK" in os.environ:
            raise
        fault = printable_text(f"{type(error).__name__}: {error}")
        sentence = text("an error in the program itself ({fault}); set COMPANION_TRACEBACK=1 to see where", fault=fault)
        return _print_error(sentence, EXIT_FAULT)


def _run_command(argv: list[str]) -> int:
    name = argv[0] if argv else ""
    if name in ("--help", "-h", "help"):
        print(_help_text())
    elif name in ("--version", "-V"):
        print(f"companion {__version__}")
    elif name in COMMANDS:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                # A name outside the terminal's character set must not be a failure. And each line has to arrive at
                # once, through a pipe too, where Python would hold it back until there are 8 KiB.
                stream.reconfigure(errors="backslashreplace", line_buffering=True)
        module, function = COMMAND_FUNCTIONS.get(name, (name, "main"))
        return int(getattr(import_in_english(f"companion.commands.{module}"), function)(argv[1:]))
    elif not name:
        raise UnusableError(text("which command?\n\n{help}", help=_help_text()))
    else:
        raise UnusableError(_unknown_command_text(name))
    return EXIT_OK


def _help_text() -> str:
    width = max(map(len, COMMANDS)) + 2
    commands = "\n".join(f"  {name:{width}}{text(does)}" for name, does in COMMANDS.items())
    return text(
        """\
companion COMMAND …

A referee beside the board, for {games}.

{commands}

`companion COMMAND --help` explains a command; `companion --version` shows the version.""",
        games=_game_names(),
        commands=commands,
    )


def _game_names() -> str:
    from companion import games

    return format_list(games.manifest_or_placeholder(game).name for game in games.built_in_game_ids())


def _unknown_command_text(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS, 1)
    if near:
        return text("there is no command {name}; did you mean {near}?", name=printable_text(name), near=near[0])
    names = ", ".join(COMMANDS)
    return text("there is no command {name}; the commands are {names}", name=printable_text(name), names=names)


def _print_error(sentence: str, status: int) -> int:
    from contextlib import suppress

    with suppress(OSError):  # Standard error may be closed.
        print(f"companion: {translate(sentence)}", file=sys.stderr)
    return status


def _close_output() -> None:
    """Replace the closed output, so that the interpreter does not fail a second time when it flushes at exit."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 1)
    os.close(devnull)


if __name__ == "__main__":
    sys.exit(main())
