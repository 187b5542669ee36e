"""Games of other packages: a fault in one is reported in a sentence, and the others are found."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

import companion
from companion import games
from companion.commands.new import game_files
from companion.games import ENTRY_POINT_GROUP, plugins
from companion.games.api.manifest import Manifest

VALID_ARGUMENTS = "id='lanterns', name='Lanterns'"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """`package("four", arguments)` installs a new game, `four_at_the_table`, with these arguments of its manifest."""
    monkeypatch.syspath_prepend(tmp_path)
    made = []

    def install(game: str, arguments: str) -> None:
        name = f"{game}_at_the_table"
        manifest = "from companion.games.api.manifest import HoldingWords, Manifest, Option"
        files = game_files(game) | {f"{name}/__init__.py": f"{manifest}\nGAME = Manifest({arguments})\n"}
        info = f"{name}-1.0.dist-info"
        files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        files[f"{info}/entry_points.txt"] = f"[{ENTRY_POINT_GROUP}]\n{game} = {name}\n"
        for path, content in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(content, encoding="utf-8")
        made.append(name)

    yield install
    for each in [each for each in sys.modules if each.partition(".")[0] in made]:
        del sys.modules[each]


def change_file(file: Path, old: str, new: str) -> None:
    """Replace words of a file that has them."""
    content = file.read_text(encoding="utf-8")
    assert old in content
    file.write_text(content.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("id='Lanterns', name='Lanterns'", "the id 'Lanterns' may have only small letters, digits and hyphens"),
        ("id='lanterns', name='Seventeen letters'", "its name must have 1 to 16 letters"),
        ("id='27', name='Lanterns'", "there is already a game 27"),
        (f"{VALID_ARGUMENTS}, has_records=False", "a game from another package must be recorded"),
        (
            f"{VALID_ARGUMENTS}, holdings={{'hand': HoldingWords('hand', 'cards')}}",
            "the holdings of a record must be deal or rack",
        ),
        (f"{VALID_ARGUMENTS}, options={{'cards': Option('how many', {{}})}}", "an option has no values"),
        (f"{VALID_ARGUMENTS}, players=(7,)", "a game must be for 2 to 6 players"),
        (f"{VALID_ARGUMENTS}, players=()", "a game must be for 2 to 6 players"),
        (f"{VALID_ARGUMENTS}, gain_text='{{}} of {{}}'", "its words for a report may only have {} or {0}, {1}"),
        (
            f"{VALID_ARGUMENTS}, options={{'cards': Option('how many', {{'3': 'few'}}, report='{{2}} cards')}}",
            "its words for a report may only have {} or {0}, {1}",
        ),
        (f"{VALID_ARGUMENTS}, has_best_score='cards'", "has_best_score is 'cards', which is not one of its options"),
        ("name='Lanterns'", "its program has an error ("),
    ],
)
def test_a_fault_of_a_manifest_is_reported(package, arguments: str, why: str) -> None:
    """An invalid manifest keeps its game out; a game beside it is found."""
    package("faulty", arguments)
    package("another", "id='another', name='Another game'")
    found, faults = plugins.load_added_games(ENTRY_POINT_GROUP, frozenset({"27"}))
    assert set(found) == {"another"}
    (said,) = faults.values()
    assert f"the game faulty from the package faulty_at_the_table cannot be played: {why}" in said


def test_of_two_games_with_one_id_the_first_is_found(package) -> None:
    """Which of the two it is does not depend on the order in which they were installed."""
    package("second", "id='lanterns', name='Second'")
    package("first", "id='lanterns', name='First'")
    found, faults = plugins.load_added_games(ENTRY_POINT_GROUP, frozenset())
    assert found["lanterns"].manifest.name == "First"
    assert "there is already a game lanterns" in faults["lanterns"]


def test_games_in_the_box_folder_are_not_for_root(package, tmp_path, monkeypatch) -> None:
    """A game in the folder of `companion-game` is found last, and root does not find it."""
    package("box", "id='box', name='Box'")
    folder = tmp_path / f"games/lib/python{sys.version_info.major}.{sys.version_info.minor}"
    folder.mkdir(parents=True)
    (folder / "site-packages").symlink_to(tmp_path)
    monkeypatch.setattr(plugins, "BOX_PACKAGES", tmp_path / "games")
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each != str(tmp_path)])
    assert plugins.load_added_games(ENTRY_POINT_GROUP, frozenset(), by_root=True) == ({}, {})
    assert set(plugins.load_added_games(ENTRY_POINT_GROUP, frozenset())[0]) == {"box"}
    assert sys.path[-1] == str(folder / "site-packages")


@pytest.mark.parametrize(("real", "effective", "found"), [(0, 0, ()), (0, 7, ()), (7, 7, ("box",))])
def test_a_process_that_can_become_root_counts_as_root(package, tmp_path, monkeypatch, real, effective, found) -> None:
    """Root acting as another user for a while could take its rights back, so it runs no game of the box either."""
    monkeypatch.setattr("os.getuid", lambda: real)
    monkeypatch.setattr("os.geteuid", lambda: effective)
    monkeypatch.setattr(plugins, "add_box_packages_folder", lambda: package("box", "id='box', name='Box'"))
    games.find_added_games.cache_clear()
    try:
        assert tuple(each.id for each in games.added_manifests()) == found
    finally:
        games.find_added_games.cache_clear()


FAULT = "the game lanterns from the package lanterns_at_the_table cannot be played: "


@pytest.mark.parametrize(
    ("file", "old", "new", "why"),
    [
        # An author who forgets it is not shown a list of methods that are all there.
        (
            "move_input.py", "MOVE_INPUT = MoveInput()", "",
            "lanterns_at_the_table.move_input has no MOVE_INPUT, the object that the program plays with",
        ),
        (
            "move_input.py", "class MoveInput(move_input.MoveInput)", "class MoveInput",
            "MOVE_INPUT of lanterns_at_the_table.move_input does not inherit from "
            "companion.games.api.move_input.MoveInput",
        ),
        # Python itself names the missing method as soon as the object is created.
        ("rules.py", "def outcome(", "def result(", "Rules has no function outcome"),
    ],
)  # fmt: skip
def test_a_fault_of_a_module_is_reported(package, tmp_path: Path, file: str, old: str, new: str, why: str) -> None:
    """What is missing is named: the object, the class to inherit from, or the method."""
    package("lanterns", VALID_ARGUMENTS)
    change_file(tmp_path / "lanterns_at_the_table" / file, old, new)
    assert plugins.load_added_games(ENTRY_POINT_GROUP, frozenset()) == ({}, {"lanterns": FAULT + why})


def test_the_new_name_of_a_moved_module_is_reported(package, tmp_path: Path, monkeypatch) -> None:
    """The author reads what to import now, whether the game fails on loading or in the middle of a round."""
    monkeypatch.setattr(plugins, "MOVED_MODULES", {"companion.once": "companion.games"})
    package("lanterns", VALID_ARGUMENTS)
    change_file(tmp_path / "lanterns_at_the_table" / "rules.py", "import re\n", "import companion.once.rules\n")
    _, faults = plugins.load_added_games(ENTRY_POINT_GROUP, frozenset())
    assert faults["lanterns"] == f"{FAULT}companion.once is now companion.games"
    monkeypatch.setattr(games, "is_added_game", bool)
    late = ModuleNotFoundError("No module named …", name="companion.once.rules")
    told = games.failure_text("27", late)
    assert told == "27 failed: a program error: companion.once.rules is now companion.games.rules"
    assert games.failure_text("27", ModuleNotFoundError("No module", name="companion.onceness")).endswith(
        "a program error"
    )


@pytest.mark.parametrize(("old", "new"), sorted(companion.MOVED_MODULES.items()))
def test_each_old_module_name_leads_to_its_new_name(old: str, new: str) -> None:
    """Every way to import a module that has moved raises an error that names the new one, and that exists."""
    import_module(new)
    with pytest.raises(ImportError) as caught:
        import_module(old)
    assert str(plugins.error_with_renaming_explained(caught.value)) == f"{old} is now {new}"
    room, _, name = old.rpartition(".")
    if room == "companion":
        with pytest.raises(ImportError, match=f"companion.{name} is now {new}"):
            getattr(companion, name)
    else:
        with pytest.raises(ImportError) as caught:
            exec(f"from {room} import {name}")
        assert str(plugins.error_with_renaming_explained(caught.value)) == f"{old} is now {new}"


@pytest.mark.parametrize(
    ("old", "new"), [("phrases", "endings"), ("points", "scores_are_points"), ("best", "has_best_score")]
)
def test_the_new_name_of_a_manifest_field_is_reported(old: str, new: str) -> None:
    """The old name is the one that Python's error has in quotes."""
    with pytest.raises(TypeError) as caught:
        Manifest("lanterns", "Lanterns", **{old: ()})
    assert str(plugins.error_with_renaming_explained(caught.value)) == f"{old} is now {new}"


def test_the_new_name_of_an_imported_class_is_reported() -> None:
    """Python's error has the old name in quotes here too."""
    with pytest.raises(ImportError) as caught:
        exec("from companion.games.api import Refused")
    assert str(plugins.error_with_renaming_explained(caught.value)) == "Refused is now RefusedError"
