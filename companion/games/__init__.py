"""The games: finding them, and loading the parts of one game when they are needed.

A new game must not need a change in a list, and a check of one record must not import five games. So each game is a
folder of this package that is found by looking; a package that somebody else wrote adds games by entry points of the
group ``companion.games``, each naming a package that is laid out like a folder here:

| module | has an object | needed |
| --- | --- | --- |
| ``__init__`` | ``GAME``, the manifest | yes |
| ``rules`` | ``RULES`` | yes |
| ``move_input`` | ``MOVE_INPUT`` | yes |
| ``screen`` | ``SCREEN`` | no |
| ``board`` | ``BOARD`` | no |
| ``coach`` | ``COACH`` | no |

The class of each object inherits from the one of that name in `companion.games.api`. Only the module that is asked for
is imported. Entry points are looked up only when a game is asked for that is not here, or when all games are.
"""

from __future__ import annotations

import os
import re
import sys
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from companion import __version__
from companion.games.api.manifest import OPTIONAL, InstalledGame, Manifest
from companion.languages import import_in_english, join_texts, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import TracebackType

    from companion.games.api import Rules
    from companion.games.api.board import Board
    from companion.games.api.coach import Coach
    from companion.games.api.entry import Entry
    from companion.games.api.screen import Screen

GROUP = "companion.games"
"""The group of entry points. It is also the name of this package, which has the games that come with the program."""

ORIGIN = f"tabletop-companion {__version__}"
"""The distribution that installed the built-in games, and its version."""

KEYPAD_PAGE, BUTTONS_PAGE = "Keypad: ", "Buttons: "
NO_HELP = text("The rules that come with the game explain how to set it up and play it.")


class UnknownGame(ValueError):
    """No game of this id can be played here. The text says why not, or which games can."""


def ids() -> tuple[str, ...]:
    """The ids of the built-in games that have records, in the order of the menu."""
    return tuple(found.manifest.id for found in _built_in().values() if found.manifest.recorded)


def built_in() -> tuple[Manifest, ...]:
    """The manifests of the games that come with the program, in the order of the menu."""
    return tuple(found.manifest for found in _built_in().values())


def added() -> tuple[Manifest, ...]:
    """The manifests of the games of other packages that can be played, by id."""
    return tuple(found.manifest for found in look_for_added()[0].values())


def faults() -> Mapping[str, str]:
    """The games of other packages that cannot be played: id → a sentence that says why."""
    return look_for_added()[1]


def known(seen: Sequence[str] = ()) -> tuple[Manifest, ...]:
    """The manifest of every game that can be played.

    The built-in ones come first, then the others in the order of the ids `menu_order`.
    """
    places = {game: place for place, game in enumerate(seen)}
    return (*built_in(), *sorted(added(), key=lambda each: (places.get(each.id, len(places)), each.id)))


def is_added(game: str) -> bool:
    """Whether a game comes from another package. Whatever its code raises must not end the evening."""
    return bool(game) and game not in _built_in() and game in look_for_added()[0]


def failure(game: str, error: Exception) -> str:
    """A sentence, without its full stop, for the moment when a game of another package has failed.

    The name of the game is left out if the error is in the coach's own code, since then the game is not to blame. If
    the game imports a module that has moved since, the sentence names the new module.

    Raises `error` again for a built-in game, since that is a fault of the program, and also where the environment
    variable ``COMPANION_TRACEBACK`` is set, so that an author can see where the game failed.
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
    """The innermost frame of an error that is in the coach or in a game; None if there is none.

    Frames of Python's library are passed over, and so is code that games inherit from this program: these fail only
    because of what they were given.
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
    """Whether a frame of an error is in `companion.coach`, which searches for moves."""
    return _module(step).startswith("companion.coach.")


def _module(step: TracebackType) -> str:
    return str(step.tb_frame.f_globals.get("__name__"))


def manifest(game: str) -> Manifest:
    """The manifest of a game by its id. Raises UnknownGameError."""
    return _find(game).manifest


@cache
def described(game: str) -> Manifest:
    """The manifest of a game that was played once.

    If the game is not installed any more, a manifest that has only its id.
    """
    try:
        return manifest(game)
    except UnknownGame:
        return Manifest(game, game, best=False)


def labels(game: str, options: Iterable[tuple[str, str]]) -> list[str]:
    """The options of a round as players write them; [] for a score pad, whose options are no rules."""
    found = described(game)
    return [found.label(name, value) for name, value in options] if found.recorded else []


def in_words(game: str, options: Iterable[tuple[str, str]], title: str = "") -> str:
    """The name of a game with its options as players write them: ``27 expert``.

    On a score pad `title` replaces the name.
    """
    return join_texts((title or described(game).name, *labels(game, options)), " ")


def ending(game: str, reason: str) -> str:
    """Why a round ended, in the present language; `reason` is the text that was saved with the round."""
    return described(game).parse_ending(reason)


def package(game: str) -> str:
    """The name of the Python package that a game is in. Raises UnknownGameError."""
    return _find(game).package


def origin(game: str) -> str:
    """The distribution that installed a game, with its version: ``nim-at-the-table 1.0``. Raises UnknownGameError."""
    return _find(game).origin


def load(game: str) -> Rules[Any, Any]:
    """The rules of a game by its id. Raises UnknownGameError."""
    rules: Rules[Any, Any] = _part(game, "rules")
    return rules


def load_entry(game: str) -> Entry:
    """The move input of a game by its id. Raises UnknownGameError."""
    entry: Entry = _part(game, "entry")
    return entry


def load_screen(game: str) -> Screen | None:
    """The screen of a game by its id; None if it has none of its own. Raises UnknownGameError."""
    screen: Screen | None = _part(game, "screen")
    return screen


def load_board(game: str) -> Board | None:
    """The board of a game by its id; None if it has none. Raises UnknownGameError."""
    board: Board | None = _part(game, "board")
    return board


def folder(game: str) -> str:
    """The folder of a game's Python package. Raises UnknownGameError."""
    return os.path.dirname(import_in_english(_find(game).package).__file__ or "")


def help_pages(game: str, *, buttons: bool | None = None) -> tuple[str, ...]:
    """How a game is set up and played, one string for each page of the panel.

    In ``help.txt`` a page about the keys begins with `KEYPAD_PAGE_PREFIX` or `BUTTONS_PAGE_PREFIX`. With `uses_buttons`
    given, pages about the other kind of keys are left out. A game without ``help.txt`` has one page that points to the
    rules on paper. Raises UnknownGameError.
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
    """The coach of a game by its id; None if it has none. Raises UnknownGameError."""
    coach: Coach[Any] | None = _part(game, "coach")
    return coach


@cache
def _part(game: str, what: str) -> Any:
    where = _find(game).package
    try:
        module = import_in_english(f"{where}.{what}")
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
    """The built-in game whose manifest has this id; None if there is none. No other manifest is imported."""
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
    # pkgutil would import inspect for this, which delays the check of a record.
    folders = (entry for entry in os.scandir(__path__[0]) if entry.name != "api")
    return sorted(entry.name for entry in folders if os.path.exists(f"{entry.path}/__init__.py"))


def _in_folder(folder: str) -> InstalledGame:
    return InstalledGame(import_in_english(f"{GROUP}.{folder}").GAME, f"{GROUP}.{folder}", ORIGIN)


@cache
def look_for_added() -> tuple[dict[str, InstalledGame], dict[str, str]]:
    """The games of other packages by id, and for each one that cannot be played a sentence that says why."""
    from companion.games.plugins import look_up

    return look_up(GROUP, frozenset(_built_in()), by_root=0 in (os.getuid(), os.geteuid()))
