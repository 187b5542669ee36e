"""Imports go one way: which part may know of which, held over every file."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import ForwardRef

import pytest

import companion
import hardware

ROOTS = {"companion": Path(companion.__file__).parent, "hardware": Path(hardware.__file__).parent}

ARCHITECTURE = Path(__file__).parents[1] / "docs" / "architecture.md"
ROOMS = re.findall(r"^\| `((?:companion|hardware)/[\w/.]*)` \|.*\| (.*) \|$", ARCHITECTURE.read_text("utf-8"), re.M)
MAY_KNOW = {
    path.strip("/").removesuffix(".py").replace("/", "."): {"languages", *re.findall(r"`([\w/]+)`", known)}
    for path, known in ROOMS
    if known != "anything"
}
"""Room → the rooms of `companion` that it may import beside itself, from the table of the docs.

Texts are made everywhere.
"""

JOINERS = ("companion.__main__", "companion.commands")
"""Where everything is joined: these may import all there is, and nothing imports them."""

DEVICES = {"gpiozero", "lgpio", "luma", "serial", "smbus2", "spidev", "RPi", "machine"}
PURE = ("companion.games.api", "companion.games", "companion.rounds", "companion.inputs", "companion.evening")
IMPURE = {"asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "signal", "socket", "sqlite3"}
IMPURE |= {"subprocess", "sys", "tempfile", "threading", "time"}


@cache
def modules() -> dict[str, ast.Module]:
    """Every module's syntax tree by its dotted name, without the keypad's own program."""
    found = {}
    for root, folder in ROOTS.items():
        for path in sorted(folder.rglob("*.py")):
            parts = [root, *path.relative_to(folder).with_suffix("").parts]
            if "pico_keypad" not in parts:
                name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
                found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


@cache
def imports_of(name: str, *, typing: bool = True) -> set[str]:
    """What a module imports: modules of this project, or a library's first name; `typing` adds those for type
    checking.
    """
    found, todo = set(), [modules()[name]]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and not typing:
            continue
        todo += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively"
            module = node.module or ""
            found |= {
                f"{module}.{alias.name}" if f"{module}.{alias.name}" in modules() else module for alias in node.names
            }
    return {other if other.split(".")[0] in ROOTS else other.split(".")[0] for other in found}


def room_of(name: str) -> str:
    """The room that a module belongs to: the longest one that its name begins with, or its first two words."""
    rooms = [room for room in MAY_KNOW if f"{name}.".startswith(f"{room}.")]
    return max(rooms, key=len, default=".".join(name.split(".")[:2]))


def test_imports_go_one_way() -> None:
    """Each room imports only those that the table allows it; the rules know only what a game is."""
    for name in modules():
        for other in imports_of(name):
            if other.split(".")[0] not in ROOTS or room_of(other) == room_of(name) or other == "companion":
                continue
            assert room_of(other) not in JOINERS or room_of(name) in JOINERS, (name, other)
            if room_of(name) not in JOINERS:
                assert room_of(other) in {
                    f"companion.{known.replace('/', '.')}" for known in MAY_KNOW[room_of(name)]
                }, (
                    name,
                    other,
                )
            assert not other.startswith("hardware") or room_of(name) in JOINERS, (name, other)


def test_the_docs_say_what_each_folder_may_import() -> None:
    """Every room but those that join the others has a row in the table, and every row has a room."""
    assert {room_of(name) for name in modules()} == {*MAY_KNOW, *JOINERS, "companion"}


def reachable_from(name: str, *, typing: bool = True) -> set[str]:
    """The modules that a module imports, those that these import, and so on."""
    seen: set[str] = set()
    todo = imports_of(name, typing=typing) & modules().keys()
    while todo:
        seen |= todo
        todo = {other for each in todo for other in imports_of(each, typing=typing) if other in modules()} - seen
    return seen


def test_imports_go_in_no_circle() -> None:
    """No module leads back to itself, also not by imports inside functions or for type checking."""
    circles = {name for name in modules() if name in reachable_from(name)}
    assert not circles, sorted(circles)


def test_games_never_import_each_other() -> None:
    """A game imports only modules of its own folder."""
    games = [name for name in modules() if name.count(".") > 2 and name.startswith("companion.games.")]
    games = [name for name in games if room_of(name) == "companion.games"]
    assert len({name.split(".")[2] for name in games}) >= 5
    for name in games:
        for other in imports_of(name) & set(games):
            assert name.split(".")[2] == other.split(".")[2], (name, other)


def test_only_games_import_texts_by_the_name_for_games() -> None:
    """`companion.games.api.text` is for games, and their API loads it. All others import `companion.languages`."""
    games = {
        name.rpartition(".")[0] for name in modules() if name.startswith("companion.games.") and name.count(".") > 2
    }
    templates = {name.rpartition(".")[0] for name in modules() if name.startswith("companion.gamekit.template")}
    homes = {*games, *templates, "companion.games.api"}
    users = {name for name in modules() if "companion.games.api.text" in imports_of(name)}
    assert users
    assert {name for name in users if name not in homes and name.rpartition(".")[0] not in homes} == set()


def test_rules_and_session_have_no_clock_no_chance_and_no_io() -> None:
    """Rules, records, move input and the evening are pure: whatever happens comes to them as an argument."""
    finders = {"companion.games": {"os", "sys"}, "companion.games.plugins": {"pathlib", "sys"}}  # They look for games.
    finders["companion.games.game_icons"] = {"pathlib"}  # It reads the icons in a game's folder.
    pure = [name for name in modules() if room_of(name) in PURE]
    assert len(pure) > 100
    for name in pure:
        assert not imports_of(name) & (IMPURE | DEVICES) - finders.get(name, set()), name


def test_device_libraries_stay_in_hardware() -> None:
    """Nothing outside hardware/ imports a device library."""
    for name in modules():
        assert name.startswith("hardware") or not imports_of(name) & DEVICES, name


def test_checking_a_record_needs_only_rules_and_records() -> None:
    """All that `check` and `moves` can ever import of this project are the command, the record and the rules."""
    mine = {"companion.__main__", "companion.commands.check"}
    seen = mine.union(*(reachable_from(name, typing=False) for name in mine))
    allowed = {
        "companion",
        *JOINERS,
        "companion.games.api",
        "companion.games",
        "companion.languages",
        "companion.rounds",
    }
    assert {room_of(name) for name in seen} <= allowed
    assert {room_of(name) for name in seen} >= {"companion.commands", "companion.rounds", "companion.games.api"}


MAX_FOR_A_CHECK = 18
"""The modules of the project that `check` loads for a small record and its game: each takes about 1% of the time."""


def test_check_loads_no_other_game_and_no_library_that_few_records_need(tmp_path: Path) -> None:
    """Checking a record imports only its game's rules, also if the game's folder is not named like its id."""
    record = tmp_path / "small.tcr"
    record.write_text("companion-record: 1\ngame: 27\n1: 1x3\n2: 9x1\n", encoding="utf-8")
    program = (
        "import sys; from companion.__main__ import main; main(['check', sys.argv[1]]); print(*sys.modules);"
        "print(*(name for name, module in sys.modules.items() if 're' in vars(module)))"
    )
    said = subprocess.check_output([sys.executable, "-c", program, record], text=True, timeout=60)
    loaded, with_patterns = (set(line.split()) for line in said.splitlines()[-2:])
    games = {name for name in loaded if name.startswith("companion.games.") and room_of(name) == "companion.games"}
    assert games == {"companion.games.twenty_seven", "companion.games.twenty_seven.rules"}
    late = {"argparse", "dataclasses", "gettext", "importlib.metadata", "inspect", "json", "pathlib"}
    assert not loaded & {*late, "select", "unicodedata", "xml"}
    own = {name for name in loaded if name.partition(".")[0] in ROOTS}
    assert len(own) <= MAX_FOR_A_CHECK, sorted(own)
    # Before Python 3.13 `typing` loads it; from then on nothing does.
    assert not own & with_patterns, "re is imported"


def test_the_fields_of_what_check_loads_have_types_and_not_texts() -> None:
    """A NamedTuple compiles each type that is a string, as all are after `from __future__ import annotations`."""
    rules = {name for name in modules() if re.fullmatch(r"companion\.games\.\w+\.rules", name)}
    found = 0
    for name in rules.union(*(reachable_from(name, typing=False) for name in {*rules, "companion.commands.check"})):
        for kind in vars(import_module(name)).values():
            if isinstance(kind, type) and hasattr(kind, "_fields") and kind.__module__ == name:
                found += 1
                assert not [field for field in kind.__annotations__.values() if isinstance(field, ForwardRef)], kind
    assert found > 20


NAMES = {
    "coral_reef": r"coral.?reef",
    "prime_attactics": r"prime.?attactics",
    "twenty_seven": r"twenty.?seven|[\"']27[\"']",
    "ziggurat": r"ziggurat",
}
"""A game's folder → its id, name and folder."""


def test_nothing_outside_a_games_folder_names_it() -> None:
    """A game's id, name and folder are only in the game's own folder."""
    own = {game: ROOTS["companion"] / "games" / game for game in NAMES}
    assert all(folder.is_dir() for folder in own.values())
    for folder in ROOTS.values():
        for path in sorted(folder.rglob("*")):
            # Others write into __pycache__; a catalogue has every message of a language, so that it is one file.
            if "__pycache__" not in path.parts and path.is_file() and path.suffix not in (".pbm", ".po", ".pot", ".mo"):
                text = path.read_text(encoding="utf-8")
                named = {game for game, name in NAMES.items() if re.search(name, text, re.IGNORECASE)}
                assert named <= {game for game in NAMES if own[game] in path.parents}, path


PARTS = {"rules": "Rules", "move_input": "MoveInput", "screen": "Screen", "board": "Board", "coach": "Coach"}
"""Each part of a game: the name of its class."""


@pytest.mark.parametrize("game", sorted(NAMES))
@pytest.mark.parametrize("part", sorted(PARTS))
def test_a_game_is_written_as_the_docs_teach(game: str, part: str) -> None:
    """A class that inherits from the one in `companion.games.api`, and one object of it, so that a newcomer sees one
    form.
    """
    home = import_module("companion.games.api" if part == "rules" else f"companion.games.api.{part}")
    module = import_module(f"companion.games.{game}.{part}")
    kind = getattr(module, PARTS[part])
    assert issubclass(kind, getattr(home, PARTS[part]))
    assert type(getattr(module, part.upper())) is kind
    assert kind.__module__ == module.__name__


BENCHMARKS = sorted((Path(__file__).parent / "benchmarks").glob("*.py"))


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.stem)
def test_a_benchmark_asks_for_what_the_program_has(path: Path) -> None:
    """No other test runs a benchmark. What it imports of the program, and uses of an imported module, exists."""
    tree, modules = ast.parse(path.read_text(encoding="utf-8")), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in ROOTS:
            home = import_module(node.module)
            for name in node.names:
                if not hasattr(home, name.name):
                    import_module(f"{node.module}.{name.name}")
                if isinstance(found := getattr(home, name.name), ModuleType):
                    modules[name.asname or name.name] = found
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            assert hasattr(modules[node.value.id], node.attr), ast.unparse(node)
