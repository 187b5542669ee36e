"""Games of other packages: they are found by their entry points, and checked before anybody is offered one of them.

Any error in such a package is caught and turned into one sentence for the players, so all other games go on working.
"""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import MOVED, RENAMED
from companion.games.api.manifest import HOLDING_KINDS, OPTIONAL, InstalledGame, Manifest
from companion.languages import import_in_english, text
from companion.languages.catalogues import add_folder

if TYPE_CHECKING:
    from collections.abc import Set
    from importlib.metadata import EntryPoint

LONGEST_NAME = 16
LONGEST_REASON = 120
PARTS = ("rules", "entry", "screen", "board", "coach")
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def look_up(group: str, taken: Set[str], *, by_root: bool = False) -> tuple[dict[str, InstalledGame], dict[str, str]]:
    """Load the games of an entry point group: the games by id, and a sentence for each game that cannot be played.

    A fault is stored under the game's id if that is known, and otherwise under the name of the entry point. `by_root`
    leaves out the box's own folder for packages, see `add_box_packages_folder`.
    """
    if not by_root:
        add_folder_of_the_box()
    found: dict[str, InstalledGame] = {}
    faults: dict[str, str] = {}
    for point in _entry_points(group):
        id_ = point.name
        try:
            manifest = _manifest(point)
            id_ = manifest.id
            if id_ in taken or id_ in found:
                raise ValueError(f"there is already a game {id_}")
            for part in PARTS:
                _check_part(point.value, part)
            found[id_] = InstalledGame(manifest, point.value, _origin(point))
        except Exception as error:  # Whatever one package raises, the other games stay playable.
            faults[id_ if id_ not in taken else point.name] = _sentence(point, error)
    return dict(sorted(found.items())), faults


def add_folder_of_the_box() -> None:
    """Add the folder to the end of ``sys.path`` in which systemd/install puts packages of games.

    Root does not use that folder, since code that others wrote must not run with root's rights. Because the folder
    comes last and is not in site-packages, nothing in it runs by itself or replaces a module of the program.
    """
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    folder = Path(sys.prefix, "games", "lib", version, "site-packages")
    if folder.is_dir() and str(folder) not in sys.path:
        sys.path.append(str(folder))


def _entry_points(group: str) -> list[EntryPoint]:
    """The entry points of a group.

    If no package has any, importlib.metadata is not imported, which saves 36 ms and 2 MiB on a desktop.
    """
    if not any(map(partial(_mentions, group=group), sys.path)):
        return []
    from importlib.metadata import entry_points

    return sorted(entry_points(group=group))


def _mentions(folder: str, group: str) -> bool:
    """Whether a package in this folder may have entry points of the group, judged by its metadata files."""
    for file in Path(folder).glob("*-info/entry_points.txt"):
        try:
            if f"[{group}]" in file.read_text(encoding="utf-8", errors="replace"):
                return True
        except OSError:  # importlib.metadata reports this better.
            return True
    return False


def _origin(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else ""


def with_new_name(error: Exception) -> Exception:
    """The same error; or one that gives the new name, if it was caused by the old name of a module or a field."""
    name = (error.name or "") if isinstance(error, ImportError) else ""
    if missing := re.match(r"cannot import name '(\w+)'", str(error)):
        name = f"{name}.{missing[1]}"
    for old, new in MOVED.items():
        if f"{name}.".startswith(f"{old}."):
            return ValueError(f"{name} is now {new}{name.removeprefix(old)}")
    for old, new in RENAMED.items():
        if isinstance(error, TypeError | AttributeError) and f"'{old}'" in str(error):
            return ValueError(f"{old} is now {new}")
    return error


def _sentence(point: EntryPoint, error: Exception) -> str:
    error = with_new_name(error)
    why = str(error).partition("\n")[0]
    if not isinstance(error, ValueError):
        why = text("its program has an error ({error})", error=why) if why else text("its program has an error")
    package = point.dist.name if point.dist else point.value
    message = "the game {game} from the package {package} cannot be played: {why}"
    short = why if len(why) <= LONGEST_REASON else why[:LONGEST_REASON]
    return text(message, game=point.name, package=package, why=short)


def _manifest(point: EntryPoint) -> Manifest:
    module = import_in_english(point.value)
    manifest = vars(module).get("GAME")
    if not isinstance(manifest, Manifest):
        raise ValueError(f"{point.value} has no manifest GAME")
    if not ID.fullmatch(manifest.id):
        raise ValueError(f"the id {manifest.id[:22]!r} may have only small letters, digits and hyphens")
    if not 0 < len(manifest.name) <= LONGEST_NAME or not manifest.name.isprintable():
        raise ValueError(f"its name must have 1 to {LONGEST_NAME} letters")
    if isinstance(manifest.best, str) and manifest.best not in manifest.options:
        raise ValueError(f"best is {manifest.best!r}, which is not one of its options")
    rules = {
        "a game from another package must be recorded": manifest.recorded,
        "the holdings of a record must be deal or rack": set(manifest.holdings) <= set(HOLDING_KINDS),
        "an option has no values": all(option.values for option in manifest.options.values()),
        "its words for a report may only have {} or {0}, {1}": _texts_can_be_filled_in(manifest),
        "a game must be for 2 to 4 players": manifest.players and set(manifest.players) <= {2, 3, 4},
    }
    for fault, holds in rules.items():
        if not holds:
            raise ValueError(fault)
    for folder in getattr(module, "__path__", ()):
        add_folder(f"{folder}/languages")
    return manifest


def _texts_can_be_filled_in(manifest: Manifest) -> bool:
    """Whether the format strings of a manifest accept the values that the reports give them."""
    try:
        manifest.gain.format("1")
        for option in manifest.options.values():
            option.report.format("value", "label")
    except (IndexError, KeyError, ValueError):
        return False
    return True


def _check_part(package: str, part: str) -> None:
    """Import one module of a game. Raises ValueError if its object is missing or has the wrong class."""
    module = _optional(f"{package}.{part}") if part in OPTIONAL else import_in_english(f"{package}.{part}")
    if module is None:
        return
    held = vars(module).get(part.upper())
    if held is None:
        raise ValueError(f"{package}.{part} has no {part.upper()}, the object that the program plays with")
    home = "companion.games.api" if part == "rules" else f"companion.games.api.{part}"
    if not isinstance(held, getattr(import_in_english(home), part.title())):
        raise ValueError(f"{part.upper()} of {package}.{part} does not inherit from {home}.{part.title()}")


def _optional(name: str) -> Any:
    try:
        return import_in_english(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            return None
        raise
