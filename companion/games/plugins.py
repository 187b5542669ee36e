"""Games of other packages: they are found by their entry points, and checked before anybody is offered one of them.

Any error in such a package is caught and turned into one sentence for the players, so all other games go on working.
"""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import MOVED_MODULES, RENAMED_NAMES
from companion.games.api.manifest import HOLDING_KINDS, OPTIONAL_MODULES, InstalledGame, Manifest
from companion.languages import import_in_english, text
from companion.languages.catalogues import add_catalogue_folder

if TYPE_CHECKING:
    from collections.abc import Set
    from importlib.metadata import EntryPoint

MAX_NAME_LETTERS = 16
MAX_REASON_LETTERS = 160
PART_MODULES = ("rules", "move_input", "screen", "board", "coach")
BOX_PACKAGES = Path("/var/lib/companion-games")
GAME_ID_PATTERN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def load_added_games(
    group: str, taken_ids: Set[str], *, by_root: bool = False
) -> tuple[dict[str, InstalledGame], dict[str, str]]:
    """Load the games of an entry point group: the games by id, and a sentence for each game that cannot be played.

    A fault is stored under the game's id if that is known, and otherwise under the name of the entry point. `by_root`
    leaves out the box's own folder for packages, see `add_box_packages_folder`.
    """
    if not by_root:
        add_box_packages_folder()
    games: dict[str, InstalledGame] = {}
    faults: dict[str, str] = {}
    for point in _entry_points(group):
        id_ = point.name
        try:
            manifest = _load_manifest(point)
            id_ = manifest.id
            if id_ in taken_ids or id_ in games:
                raise ValueError(f"there is already a game {id_}")
            for part in PART_MODULES:
                _check_part(point.value, part)
            games[id_] = InstalledGame(manifest, point.value, _distribution_of(point))
        except Exception as error:  # Whatever one package raises, the other games stay playable.
            faults[id_ if id_ not in taken_ids else point.name] = _fault_sentence(point, error)
    return dict(sorted(games.items())), faults


def add_box_packages_folder() -> None:
    """Add the folder to the end of ``sys.path`` in which `companion-game` puts packages of games.

    Root does not use that folder, since code that others wrote must not run with root's rights. Because the folder
    comes last and is not in site-packages, nothing in it runs by itself or replaces a module of the program.
    """
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    folder = BOX_PACKAGES / "lib" / version / "site-packages"
    if folder.is_dir() and str(folder) not in sys.path:
        sys.path.append(str(folder))


def _entry_points(group: str) -> list[EntryPoint]:
    """The entry points of a group.

    If no package has any, importlib.metadata is not imported, which saves 36 ms and 2 MiB on a desktop.
    """
    if not any(map(partial(_may_have_group, group=group), sys.path)):
        return []
    from importlib.metadata import entry_points

    return sorted(entry_points(group=group))


def _may_have_group(folder: str, group: str) -> bool:
    """Whether a package in this folder may have entry points of the group, judged by its metadata files."""
    for file in Path(folder).glob("*-info/entry_points.txt"):
        try:
            if f"[{group}]" in file.read_text(encoding="utf-8", errors="replace"):
                return True
        except OSError:  # importlib.metadata reports this better.
            return True
    return False


def _distribution_of(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else ""


def error_with_renaming_explained(error: Exception) -> Exception:
    """The same error; or one that gives the new name, if it was caused by an old name."""
    name = (error.name or "") if isinstance(error, ImportError) else ""
    if missing := re.match(r"cannot import name '(\w+)'", str(error)):
        name = f"{name}.{missing[1]}"
    for old, new in MOVED_MODULES.items():
        if f"{name}.".startswith(f"{old}."):
            return ValueError(f"{name} is now {new}{name.removeprefix(old)}")
    lacking = re.match(r"Can't instantiate abstract class (\w+) .*abstract methods? '?(\w+)", str(error))
    if lacking:
        return ValueError(f"{lacking[1]} has no function {lacking[2]}")
    for old, new in RENAMED_NAMES.items():
        if isinstance(error, TypeError | AttributeError | ImportError) and f"'{old}'" in str(error):
            return ValueError(f"{old} is now {new}")
    return error


def _fault_sentence(point: EntryPoint, error: Exception) -> str:
    error = error_with_renaming_explained(error)
    reason = str(error).partition("\n")[0]
    if not isinstance(error, ValueError):
        reason = (
            text("its program has an error ({error})", error=reason) if reason else text("its program has an error")
        )
    package = point.dist.name if point.dist else point.value
    message = "the game {game} from the package {package} cannot be played: {why}"
    return text(message, game=point.name, package=package, why=reason[:MAX_REASON_LETTERS])


def _load_manifest(point: EntryPoint) -> Manifest:
    module = import_in_english(point.value)
    manifest = vars(module).get("GAME")
    if not isinstance(manifest, Manifest):
        raise ValueError(f"{point.value} has no manifest GAME")
    if not GAME_ID_PATTERN.fullmatch(manifest.id):
        raise ValueError(f"the id {manifest.id[:22]!r} may have only small letters, digits and hyphens")
    if not 0 < len(manifest.name) <= MAX_NAME_LETTERS or not manifest.name.isprintable():
        raise ValueError(f"its name must have 1 to {MAX_NAME_LETTERS} letters")
    if isinstance(manifest.has_best_score, str) and manifest.has_best_score not in manifest.options:
        raise ValueError(f"has_best_score is {manifest.has_best_score!r}, which is not one of its options")
    requirements = {
        "a game from another package must be recorded": manifest.has_records,
        "the holdings of a record must be deal or rack": set(manifest.holdings) <= set(HOLDING_KINDS),
        "an option has no values": all(option.values for option in manifest.options.values()),
        "its words for a report may only have {} or {0}, {1}": _can_fill_in_texts(manifest),
        "a game must be for 2 to 6 players": manifest.players and set(manifest.players) <= {2, 3, 4, 5, 6},
    }
    for fault, is_met in requirements.items():
        if not is_met:
            raise ValueError(fault)
    for folder in getattr(module, "__path__", ()):
        add_catalogue_folder(f"{folder}/languages")
    return manifest


def _can_fill_in_texts(manifest: Manifest) -> bool:
    """Whether the format strings of a manifest accept the values that the reports give them."""
    try:
        manifest.gain_text.format("1")
        for option in manifest.options.values():
            option.report.format("value", "label")
    except (IndexError, KeyError, ValueError):
        return False
    return True


def _check_part(package: str, part: str) -> None:
    """Import one module of a game. Raises ValueError if its object is missing or has the wrong class."""
    module = (
        _import_if_there(f"{package}.{part}") if part in OPTIONAL_MODULES else import_in_english(f"{package}.{part}")
    )
    if module is None:
        return
    part_object = vars(module).get(part.upper())
    if part_object is None:
        raise ValueError(f"{package}.{part} has no {part.upper()}, the object that the program plays with")
    api_module = "companion.games.api" if part == "rules" else f"companion.games.api.{part}"
    base_name = part.title().replace("_", "")
    if not isinstance(part_object, getattr(import_in_english(api_module), base_name)):
        raise ValueError(f"{part.upper()} of {package}.{part} does not inherit from {api_module}.{base_name}")


def _import_if_there(name: str) -> Any:
    try:
        return import_in_english(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            return None
        raise
