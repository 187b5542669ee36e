"""The `companion` program: runs a command and reports every failure in one sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from companion import Unusable, __version__
from companion.commands.streams import printable
from companion.languages import import_in_english, format_list, translate, in_language, text
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
HOMES = {
    "play": ("run", "play"),
    "players": ("history", "players"),
    "standings": ("history", "standings"),
    "import": ("importer", "main"),
    "void": ("correct", "void"),
    "rescue": ("importer", "rescue"),
    "web": ("services", "web"),
    "uplink": ("services", "uplink"),
    "moves": ("check", "moves"),
}
"""Command → its module in companion.commands and the function there, if these are not the command's name and `main`."""
FOR_PROGRAMS = (["check"], ["moves"])
"""The commands whose output is the same in every language, because programs read it.

The same is true of every command with an option of `UNTRANSLATED_OPTIONS`."""
OPTIONS_FOR_PROGRAMS = frozenset(("--json", "--csv"))
HELP = frozenset(("--help", "-h"))

USABLE, UNUSABLE, FAULT, INTERRUPTED, UNREAD = 0, 2, 70, 130, 141
"""Exit statuses: success, unusable arguments or file, fault of the program, Ctrl-C, closed output."""


def main(given: Sequence[str] | None = None) -> int:
    """Run a command line, by default the process's own, in the user's language. Returns the exit status."""
    given = list(sys.argv[1:] if given is None else given)
    for_programs = given[:1] in FOR_PROGRAMS or not OPTIONS_FOR_PROGRAMS.isdisjoint(given)
    with in_language(ENGLISH if for_programs and HELP.isdisjoint(given) else locale_language(os.environ)):
        return _status_of(given)


def _status_of(given: list[str]) -> int:
    """Run a command line and report a failure in one sentence. Returns the exit status."""
    if sys.stdout is None:  # The caller has closed it, which is no reason to fail.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    try:
        status = _run(given)
        sys.stdout.flush()
        return status
    except Unusable as error:
        sentence = translate(error.sentence)
        return _say(sentence if "\n" in sentence else sentence.rstrip("."), error.status)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _close_output()
        return UNREAD
    except OSError as error:
        _close_output()
        return _say(str(error), UNUSABLE)  # In Python's own words, which name the file.
    except Exception as error:
        if "COMPANION_TRACEBACK" in os.environ:
            raise
        fault = printable(f"{type(error).__name__}: {error}")
        sentence = text("an error in the program itself ({fault}); set COMPANION_TRACEBACK=1 to see where", fault=fault)
        return _say(sentence, FAULT)


def _run(given: list[str]) -> int:
    name = given[0] if given else ""
    if name in ("--help", "-h", "help"):
        print(_help())
    elif name in ("--version", "-V"):
        print(f"companion {__version__}")
    elif name in COMMANDS:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                # A name outside the terminal's character set must not be a failure. And each line has to arrive at
                # once, through a pipe too, where Python would hold it back until there are 8 KiB.
                stream.reconfigure(errors="backslashreplace", line_buffering=True)
        module, function = HOMES.get(name, (name, "main"))
        return int(getattr(import_in_english(f"companion.commands.{module}"), function)(given[1:]))
    elif not name:
        raise Unusable(text("which command?\n\n{help}", help=_help()))
    else:
        raise Unusable(_unknown(name))
    return USABLE


def _help() -> str:
    width = max(map(len, COMMANDS)) + 2
    commands = "\n".join(f"  {name:{width}}{text(does)}" for name, does in COMMANDS.items())
    return text(
        """\
companion COMMAND …

A referee beside the board, for {games}.

{commands}

`companion COMMAND --help` explains a command; `companion --version` shows the version.""",
        games=_games(),
        commands=commands,
    )


def _games() -> str:
    from companion import games

    return format_list(games.manifest_or_placeholder(game).name for game in games.built_in_game_ids())


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS, 1)
    if near:
        return text("there is no command {name}; did you mean {near}?", name=printable(name), near=near[0])
    names = ", ".join(COMMANDS)
    return text("there is no command {name}; the commands are {names}", name=printable(name), names=names)


def _say(sentence: str, status: int) -> int:
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
