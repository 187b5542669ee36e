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
import sys
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from companion import __version__
from companion.games.api.manifest import OPTIONAL_MODULES, InstalledGame, Manifest
from companion.languages import import_in_english, join_texts, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import TracebackType

    from companion.games.api import Rules
    from companion.games.api.board import Board
    from companion.games.api.coach import Coach
    from companion.games.api.move_input import MoveInput
    from companion.games.api.screen import Screen

ENTRY_POINT_GROUP = "companion.games"
"""The group of entry points. It is also the name of this package, which has the games that come with the program."""

BUILT_IN_ORIGIN = f"tabletop-companion {__version__}"
"""The distribution that installed the built-in games, and its version."""

INHERITED_MODULES = (f"{ENTRY_POINT_GROUP}.api", f"{ENTRY_POINT_GROUP}.plain_screen")
"""The modules of this program with what games inherit."""

KEYPAD_PAGE_PREFIX, BUTTONS_PAGE_PREFIX = KEY_PAGE_PREFIXES = ("Keypad: ", "Buttons: ")
NO_HELP_TEXT = text("The rules that come with the game explain how to set it up and play it.")


class UnknownGameError(ValueError):
    """No game of this id can be played here. The text says why not, or which games can."""


def built_in_game_ids() -> tuple[str, ...]:
    """The ids of the built-in games that have records, in the order of the menu."""
    return tuple(found.manifest.id for found in _built_in_games().values() if found.manifest.has_records)


def built_in_manifests() -> tuple[Manifest, ...]:
    """The manifests of the games that come with the program, in the order of the menu."""
    return tuple(found.manifest for found in _built_in_games().values())


def added_manifests() -> tuple[Manifest, ...]:
    """The manifests of the games of other packages that can be played, by id."""
    return tuple(found.manifest for found in find_added_games()[0].values())


def unplayable_games() -> Mapping[str, str]:
    """The games of other packages that cannot be played: id → a sentence that says why."""
    return find_added_games()[1]


def all_manifests(menu_order: Sequence[str] = ()) -> tuple[Manifest, ...]:
    """The manifest of every game that can be played.

    The built-in ones come first, then the others in the order of the ids `menu_order`.
    """
    places = {game: place for place, game in enumerate(menu_order)}
    return (
        *built_in_manifests(),
        *sorted(added_manifests(), key=lambda each: (places.get(each.id, len(places)), each.id)),
    )


def is_added_game(game: str) -> bool:
    """Whether a game comes from another package. Whatever its code raises must not end the evening."""
    return bool(game) and game not in _built_in_games() and game in find_added_games()[0]


def failure_text(game: str, error: Exception) -> str:
    """A sentence, without its full stop, for the moment when a game of another package has failed.

    The name of the game is left out if the error is in the coach's own code, since then the game is not to blame. If
    the game imports a module that has moved since, the sentence names the new module.

    Raises `error` again for a built-in game, since that is a fault of the program, and also where the environment
    variable ``COMPANION_TRACEBACK`` is set, so that an author can see where the game failed.
    """
    if not is_added_game(game) or "COMPANION_TRACEBACK" in os.environ:
        raise error
    frame = frame_at_fault(error)
    if frame is not None and is_frame_in_coach_code(frame):
        return text("This could not be worked out because of a program error")
    from companion.games.plugins import error_with_renaming_explained

    failed_text = text("{game} failed: a program error", game=manifest_of(game).name)
    renamed_error = error_with_renaming_explained(error)
    return failed_text if renamed_error is error else text("{one}: {other}", one=failed_text, other=str(renamed_error))


def has_failed_screen(game: str, error: Exception) -> bool:
    """Whether an error is one of the screen of an added game, in whose place the plain screen can be drawn.

    It isn't while ``COMPANION_TRACEBACK`` is set, or where the game has no screen.
    """
    if not is_added_game(game) or "COMPANION_TRACEBACK" in os.environ:
        return False
    frame = frame_at_fault(error)
    return frame is not None and _module_of_frame(frame).startswith(f"{package_name(game)}.")


def frame_at_fault(error: Exception) -> TracebackType | None:
    """The innermost frame of an error that is in the coach or in a game; None if there is none.

    Frames of Python's library are passed over, and so is code that games inherit from this program: these fail only
    because of what they were given.
    """
    last_frame, frame = None, error.__traceback__
    while frame is not None:
        module = _module_of_frame(frame)
        top = module.partition(".")[0]
        is_in_game = (
            module.startswith(f"{ENTRY_POINT_GROUP}.") and not module.startswith(INHERITED_MODULES)
            if top == "companion"
            else top not in sys.stdlib_module_names
        )
        if is_in_game or is_frame_in_coach_code(frame):
            last_frame = frame
        frame = frame.tb_next
    return last_frame


def is_frame_in_coach_code(frame: TracebackType) -> bool:
    """Whether a frame of an error is in `companion.coach`, which searches for moves."""
    return _module_of_frame(frame).startswith("companion.coach.")


def _module_of_frame(frame: TracebackType) -> str:
    return str(frame.tb_frame.f_globals.get("__name__"))


def manifest_of(game: str) -> Manifest:
    """The manifest of a game by its id. Raises UnknownGameError."""
    return _find_game(game).manifest


@cache
def manifest_or_placeholder(game: str) -> Manifest:
    """The manifest of a game that was played once.

    If the game is not installed any more, a manifest that has only its id.
    """
    try:
        return manifest_of(game)
    except UnknownGameError:
        return Manifest(game, game, has_best_score=False)


def option_labels(game: str, options: Iterable[tuple[str, str]]) -> list[str]:
    """The options of a round as players write them; [] for a score pad, whose options are no rules."""
    manifest = manifest_or_placeholder(game)
    return [manifest.option_label(name, value) for name, value in options] if manifest.has_records else []


def game_title(game: str, options: Iterable[tuple[str, str]], title: str = "") -> str:
    """The name of a game with its options as players write them: ``27 expert``.

    On a score pad `title` replaces the name.
    """
    return join_texts((title or manifest_or_placeholder(game).name, *option_labels(game, options)), " ")


def ending_text(game: str, reason: str) -> str:
    """Why a round ended, in the present language; `reason` is the text that was saved with the round."""
    return manifest_or_placeholder(game).parse_ending(reason)


def package_name(game: str) -> str:
    """The name of the Python package that a game is in. Raises UnknownGameError."""
    return _find_game(game).package


def distribution_and_version(game: str) -> str:
    """A game's distribution with its version: ``lanterns-at-the-table 0.1``. Raises UnknownGameError."""
    return _find_game(game).origin


def load_rules(game: str) -> Rules[Any, Any]:
    """The rules of a game by its id. Raises UnknownGameError."""
    rules: Rules[Any, Any] = _load_part(game, "rules")
    return rules


def load_move_input(game: str) -> MoveInput:
    """The move input of a game by its id, with its rules. Raises UnknownGameError."""
    move_input: MoveInput = _load_part(game, "move_input")
    if not hasattr(move_input, "rules"):
        move_input.rules = load_rules(game)
    return move_input


def load_screen(game: str) -> Screen | None:
    """The screen of a game by its id; None if it has none of its own. Raises UnknownGameError."""
    screen: Screen | None = _load_part(game, "screen")
    return screen


def load_board(game: str) -> Board | None:
    """The board of a game by its id; None if it has none. Raises UnknownGameError."""
    board: Board | None = _load_part(game, "board")
    return board


def package_folder(game: str) -> str:
    """The folder of a game's Python package. Raises UnknownGameError."""
    return os.path.dirname(import_in_english(_find_game(game).package).__file__ or "")


def help_pages(game: str, *, uses_buttons: bool | None = None, names_keys: bool = True) -> tuple[str, ...]:
    """How a game is set up and played, one string for each page of the panel.

    In ``help.txt`` a page about the keys begins with `KEYPAD_PAGE_PREFIX` or `BUTTONS_PAGE_PREFIX`. With `uses_buttons`
    given, pages about the other kind of keys are left out; without `names_keys` those about any. A game without
    ``help.txt`` has one page that points to the rules on paper. Raises UnknownGameError.
    """
    try:
        with open(f"{package_folder(game)}/help.txt", encoding="utf-8") as file:
            # Not split(): a no-break space, which keeps the keys of a sequence on one line, has to stay.
            texts = [page.strip().replace("\n", " ").replace("\t", " ") for page in file.read().split("\n\n")]
            pages = [" ".join(filter(None, page.split(" "))) for page in texts if page]
    except (OSError, ValueError):
        pages = []
    if uses_buttons is not None or not names_keys:
        other = KEYPAD_PAGE_PREFIX if uses_buttons else BUTTONS_PAGE_PREFIX
        pages = [page for page in pages if not page.startswith((other,) if names_keys else KEY_PAGE_PREFIXES)]
    return tuple(text(page.removeprefix(KEYPAD_PAGE_PREFIX).removeprefix(BUTTONS_PAGE_PREFIX)) for page in pages) or (
        NO_HELP_TEXT,
    )


def load_coach(game: str) -> Coach[Any] | None:
    """The coach of a game by its id; None if it has none. Raises UnknownGameError."""
    coach: Coach[Any] | None = _load_part(game, "coach")
    return coach


@cache
def _load_part(game: str, part: str) -> Any:
    package = _find_game(game).package
    try:
        module = import_in_english(f"{package}.{part}")
    except ModuleNotFoundError as error:
        if part in OPTIONAL_MODULES and error.name == f"{package}.{part}":
            return None
        raise
    return getattr(module, part.upper())


def _find_game(game: str) -> InstalledGame:
    game_found = _built_in_game_by_id(game) or _built_in_games().get(game) or find_added_games()[0].get(game)
    if game_found is None:
        fault = find_added_games()[1].get(game)
        names = ", ".join(each.id for each in all_manifests() if each.has_records)
        raise UnknownGameError(fault or text("the games are {names}", names=names))
    return game_found


@lru_cache(maxsize=64)
def _built_in_game_by_id(game: str) -> InstalledGame | None:
    """The built-in game whose manifest has this id; None if there is none. No other manifest is imported."""
    for folder in _game_folders():
        with open(f"{__path__[0]}/{folder}/__init__.py", encoding="utf-8") as file:
            mentions_id = f'id="{game}"' in file.read()
        if mentions_id and (found := _load_from_folder(folder)).manifest.id == game:
            return found
    return None


@cache
def _built_in_games() -> dict[str, InstalledGame]:
    games = map(_load_from_folder, _game_folders())
    return {each.manifest.id: each for each in sorted(games, key=lambda each: each.manifest.menu_position)}


def _game_folders() -> list[str]:
    # pkgutil would import inspect for this, which delays the check of a record.
    entries = (entry for entry in os.scandir(__path__[0]) if entry.name != "api")
    return sorted(entry.name for entry in entries if os.path.exists(f"{entry.path}/__init__.py"))


def _load_from_folder(folder: str) -> InstalledGame:
    return InstalledGame(
        import_in_english(f"{ENTRY_POINT_GROUP}.{folder}").GAME, f"{ENTRY_POINT_GROUP}.{folder}", BUILT_IN_ORIGIN
    )


@cache
def find_added_games() -> tuple[dict[str, InstalledGame], dict[str, str]]:
    """The games of other packages by id, and for each one that cannot be played a sentence that says why."""
    from companion.games.plugins import load_added_games

    return load_added_games(ENTRY_POINT_GROUP, frozenset(_built_in_games()), by_root=0 in (os.getuid(), os.geteuid()))
