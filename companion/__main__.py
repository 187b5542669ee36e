"""The `companion` program: runs a command and reports every failure in one sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from companion import Unusable, __version__
from companion.commands.streams import printable
from companion.languages import imported, listed, said, speaking, text
from companion.languages.catalogues import ENGLISH, of_locale

COMMANDS = {
    "play": "the table in this terminal, on any computer",
    "run": "the table with the panel, keypad and buttons of the configuration",
    "doctor": "look at configuration, devices, disk and clock, and say what to do",
    "history": "list the kept rounds",
    "players": "list who has played, rename a player, make one of two",
    "standings": "list who has won how often, of an evening or of all time",
    "report": "write an evening down, to be sent round",
    "replay": "walk through a kept round or a record, move by move",
    "export": "write a kept round as a game record",
    "import": "take game records into the kept rounds",
    "correct": "correct a finished round; its new result takes the place of the old one",
    "void": "make a finished round void, or let it count again",
    "rescue": "take the rounds of a file that was set aside into the kept rounds",
    "check": "replay game records and say whether each stands",
    "analyse": "look back on game records: how good each move was, and how sure that is",
    "web": "serve the table as a web page, for a big screen and phones",
    "uplink": "send this table's rounds to the hall of a club",
    "hall": "take in the rounds of all tables of a club night",
    "new": "make the folder of a game of your own, ready to be played and tested",
    "moves": "list what the seat to move can do after a game record",
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
    with speaking(ENGLISH if for_programs and HELP.isdisjoint(given) else of_locale(os.environ)):
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
        sentence = said(error.sentence)
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
        sentence = text("an error in the program itself ({fault}); COMPANION_TRACEBACK=1 shows where", fault=fault)
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
        return int(getattr(imported(f"companion.commands.{module}"), function)(given[1:]))
    elif not name:
        raise Unusable(text("say what to do\n\n{help}", help=_help()))
    else:
        raise Unusable(_unknown(name))
    return USABLE


def _help() -> str:
    width = max(map(len, COMMANDS)) + 2
    commands = "\n".join(f"  {name:{width}}{text(does)}" for name, does in COMMANDS.items())
    return text(
        """\
companion COMMAND …

The referee beside the board, for {games}.

{commands}

`companion COMMAND --help` says more; `companion --version` names the version.""",
        games=_games(),
        commands=commands,
    )


def _games() -> str:
    from companion import games

    return listed(games.described(game).name for game in games.ids())


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
        print(f"companion: {said(sentence)}", file=sys.stderr)
    return status


def _close_output() -> None:
    """Replace the closed output, so that the interpreter does not fail a second time when it flushes at exit."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 1)
    os.close(devnull)


if __name__ == "__main__":
    sys.exit(main())
