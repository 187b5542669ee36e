"""The games: a folder of this package each, found and not listed; and those that installed packages add.

A package adds games with entry points of the group ``companion.games``, each naming a package that is laid out like a
folder here: its ``GAME`` is the manifest; its modules ``rules`` and ``entry`` and, if it has them, ``screen``,
``board`` and ``coach`` have an object RULES, ENTRY, SCREEN, BOARD or COACH, of a class that inherits from the one in
`companion.games.api`. Only what is asked for is imported. Entry points are looked up when a game is asked for that is
not here, or all are.
"""

from __future__ import annotations

import os
import re
import sys
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from companion import __version__
from companion.games.api.manifest import OPTIONAL, InstalledGame, Manifest
from companion.languages import imported, joined, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import TracebackType

    from companion.games.api import Rules
    from companion.games.api.board import Board
    from companion.games.api.coach import Coach
    from companion.games.api.entry import Entry
    from companion.games.api.screen import Screen

GROUP = "companion.games"
"""The group of entry points, and the package in which the games are that come with the program."""

ORIGIN = f"tabletop-companion {__version__}"
"""The package of the games that come with the program, and its version."""

KEYPAD_PAGE, BUTTONS_PAGE = "Keypad: ", "Buttons: "
NO_HELP = text("The rules that come with the game explain how to set it up and play it.")


class UnknownGame(ValueError):
    """No game of this id can be played here: why not, or which games can."""


def ids() -> tuple[str, ...]:
    """The games of which there are records and that come with the program, in the order of the menu."""
    return tuple(found.manifest.id for found in _built_in().values() if found.manifest.recorded)


def built_in() -> tuple[Manifest, ...]:
    """The games that come with the program, in the order of the menu."""
    return tuple(found.manifest for found in _built_in().values())


def added() -> tuple[Manifest, ...]:
    """The games of other packages that can be played, by id."""
    return tuple(found.manifest for found in look_for_added()[0].values())


def faults() -> Mapping[str, str]:
    """The games of other packages that cannot be played, each with a sentence that tells why."""
    return look_for_added()[1]


def known(seen: Sequence[str] = ()) -> tuple[Manifest, ...]:
    """Every game that can be played: those that come with the program, then the others, in the order of `seen`."""
    places = {game: place for place, game in enumerate(seen)}
    return (*built_in(), *sorted(added(), key=lambda each: (places.get(each.id, len(places)), each.id)))


def is_added(game: str) -> bool:
    """Whether a game is of another package: what its code raises must not end the evening."""
    return bool(game) and game not in _built_in() and game in look_for_added()[0]


def failure(game: str, error: Exception) -> str:
    """What is said where a game of another package has failed, in a sentence without its end.

    An error in the coach's own code is none of the game's, and the sentence does not name the game.
    Of a module that has moved the new name is told. Raises `error` itself for a game of this program, for that is a
    fault of the program; and where the environment asks for tracebacks, so that an author sees where a game has failed.
    """
    if not is_added(game) or "COMPANION_TRACEBACK" in os.environ:
        raise error
    step = step_at_fault(error)
    if step is not None and is_of_coach(step):
        return text("This could not be worked out because of a program error")
    from companion.games.plugins import with_new_name

    failed, told = text("{game} has failed because of a program error", game=manifest(game).name), with_new_name(error)
    return failed if told is error else text("{one}: {other}", one=failed, other=str(told))


def step_at_fault(error: Exception) -> TracebackType | None:
    """The innermost step of an error that is in the coach or in a game; None for none.

    Python's library, and what games inherit from this program, only fail by what they are given.
    """
    found, step = None, error.__traceback__
    while step is not None:
        module = _module(step)
        top = module.partition(".")[0]
        of_game = module.startswith(f"{GROUP}.") or (top != "companion" and top not in sys.stdlib_module_names)
        if of_game or is_of_coach(step):
            found = step
        step = step.tb_next
    return found


def is_of_coach(step: TracebackType) -> bool:
    """Whether a step of an error is in the coach, the part of this program that searches for moves."""
    return _module(step).startswith("companion.coach.")


def _module(step: TracebackType) -> str:
    return str(step.tb_frame.f_globals.get("__name__"))


def manifest(game: str) -> Manifest:
    """The manifest of a game by its id. Raises UnknownGame."""
    return _find(game).manifest


@cache
def described(game: str) -> Manifest:
    """The manifest of a game that has been played; of one that is not here any more what is known without it."""
    try:
        return manifest(game)
    except UnknownGame:
        return Manifest(game, game, best=False)


def labels(game: str, options: Iterable[tuple[str, str]]) -> list[str]:
    """The options of a round as players write them; none of what is no rule: a score pad's, a title among them."""
    found = described(game)
    return [found.label(name, value) for name, value in options] if found.recorded else []


def in_words(game: str, options: Iterable[tuple[str, str]], title: str = "") -> str:
    """A game, or the `title` of one that a score pad counts, and its options as players write them: ``27 expert``."""
    return joined((title or described(game).name, *labels(game, options)), " ")


def ending(game: str, reason: str) -> str:
    """Why a round ended, in the language that is spoken, of the reason as it was saved."""
    return described(game).parse_ending(reason)


def package(game: str) -> str:
    """The name of the package that a game is in. Raises UnknownGame."""
    return _find(game).package


def origin(game: str) -> str:
    """The name and version under which a game's package was installed: ``nim-at-the-table 1.0``. Raises UnknownGame."""
    return _find(game).origin


def load(game: str) -> Rules[Any, Any]:
    """The rules of a game by its id. Raises UnknownGame."""
    rules: Rules[Any, Any] = _part(game, "rules")
    return rules


def load_entry(game: str) -> Entry:
    """The entry of a game by its id. Raises UnknownGame."""
    entry: Entry = _part(game, "entry")
    return entry


def load_screen(game: str) -> Screen | None:
    """The screen of a game by its id, None where it has none of its own. Raises UnknownGame."""
    screen: Screen | None = _part(game, "screen")
    return screen


def load_board(game: str) -> Board | None:
    """The board of a game by its id, None where it has none. Raises UnknownGame."""
    board: Board | None = _part(game, "board")
    return board


def folder(game: str) -> str:
    """The folder of a game's package. Raises UnknownGame."""
    return os.path.dirname(imported(_find(game).package).__file__ or "")


def help_pages(game: str, *, buttons: bool | None = None) -> tuple[str, ...]:
    """How a game is set up and played, a page of the panel each; of one without ``help.txt`` where that is written.

    Pages that tell of the keys begin with `KEYPAD_PAGE` or `BUTTONS_PAGE` in the file. With `buttons` there are only
    those of these keys. Raises UnknownGame.
    """
    try:
        with open(f"{folder(game)}/help.txt", encoding="utf-8") as file:
            # Not split(): a no-break space, which keeps the keys of a sequence on one line, has to stay.
            found = [re.sub(r"[ \t\n]+", " ", page.strip()) for page in file.read().split("\n\n") if page.strip()]
    except (OSError, ValueError):
        found = []
    if buttons is not None:
        found = [page for page in found if not page.startswith(KEYPAD_PAGE if buttons else BUTTONS_PAGE)]
    return tuple(text(page.removeprefix(KEYPAD_PAGE).removeprefix(BUTTONS_PAGE)) for page in found) or (NO_HELP,)


def load_coach(game: str) -> Coach[Any] | None:
    """The coach of a game by its id, None where it has none. Raises UnknownGame."""
    coach: Coach[Any] | None = _part(game, "coach")
    return coach


@cache
def _part(game: str, what: str) -> Any:
    where = _find(game).package
    try:
        module = imported(f"{where}.{what}")
    except ModuleNotFoundError as error:
        if what in OPTIONAL and error.name == f"{where}.{what}":
            return None
        raise
    return getattr(module, what.upper())


def _find(game: str) -> InstalledGame:
    found = _named(game) or _built_in().get(game) or look_for_added()[0].get(game)
    if found is None:
        fault = look_for_added()[1].get(game)
        names = ", ".join(each.id for each in known() if each.recorded)
        raise UnknownGame(fault or text("the games are {names}", names=names))
    return found


@lru_cache(maxsize=64)
def _named(game: str) -> InstalledGame | None:
    """The game whose manifest has this id, None for none: a record needs no other manifest imported."""
    for folder in _folders():
        with open(f"{__path__[0]}/{folder}/__init__.py", encoding="utf-8") as file:
            written = f'id="{game}"' in file.read()
        if written and (found := _in_folder(folder)).manifest.id == game:
            return found
    return None


@cache
def _built_in() -> dict[str, InstalledGame]:
    found = map(_in_folder, _folders())
    return {each.manifest.id: each for each in sorted(found, key=lambda each: each.manifest.place)}


def _folders() -> list[str]:
    # Not by pkgutil, which imports inspect for it: a record is to be checked at once.
    folders = (entry for entry in os.scandir(__path__[0]) if entry.name != "api")
    return sorted(entry.name for entry in folders if os.path.exists(f"{entry.path}/__init__.py"))


def _in_folder(folder: str) -> InstalledGame:
    return InstalledGame(imported(f"{GROUP}.{folder}").GAME, f"{GROUP}.{folder}", ORIGIN)


@cache
def look_for_added() -> tuple[dict[str, InstalledGame], dict[str, str]]:
    """The games of other packages by id, and why those that cannot be played cannot."""
    from companion.games.plugins import look_up

    return look_up(GROUP, frozenset(_built_in()), by_root=0 in (os.getuid(), os.geteuid()))
