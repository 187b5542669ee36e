"""Games of other packages: a fault in one is reported in a sentence, and the others are found."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

import companion
from companion import games
from companion.games import ENTRY_POINT_GROUP, plugins
from companion.games.api.manifest import Manifest

VALID_ARGUMENTS = "id='nim', name='Nim'"
NEEDED_PARTS = ("rules", "move_input")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """`package(name, arguments)` installs a package with these arguments of its manifest and the sample's modules."""
    monkeypatch.syspath_prepend(tmp_path)
    sample = Path(__file__).parents[1] / "sample_game" / "nim_at_the_table"
    made = []

    def install(name: str, arguments: str) -> None:
        folder = tmp_path / name
        folder.mkdir()
        lines = (
            "from companion.games.api.manifest import HoldingWords, Manifest, Option",
            f"GAME = Manifest({arguments})",
        )
        (folder / "__init__.py").write_text("\n".join(lines))
        for part in NEEDED_PARTS:
            text = (sample / f"{part}.py").read_text(encoding="utf-8").replace("nim_at_the_table", name)
            (folder / f"{part}.py").write_text(text, encoding="utf-8")
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{ENTRY_POINT_GROUP}]\n{name} = {name}\n")
        made.append(name)

    yield install
    for each in [each for each in sys.modules if each.partition(".")[0] in made]:
        del sys.modules[each]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("id='Nim', name='Nim'", "the id 'Nim' may have only small letters, digits and hyphens"),
        ("id='nim', name='Nim of seventeen l'", "its name must have 1 to 16 letters"),
        ("id='27', name='Nim'", "there is already a game 27"),
        (f"{VALID_ARGUMENTS}, has_records=False", "a game from another package must be recorded"),
        (
            f"{VALID_ARGUMENTS}, holdings={{'hand': HoldingWords('hand', 'cards')}}",
            "the holdings of a record must be deal or rack",
        ),
        (f"{VALID_ARGUMENTS}, options={{'heaps': Option('how many', {{}})}}", "an option has no values"),
        (f"{VALID_ARGUMENTS}, players=(7,)", "a game must be for 2 to 6 players"),
        (f"{VALID_ARGUMENTS}, players=()", "a game must be for 2 to 6 players"),
        (f"{VALID_ARGUMENTS}, gain_text='{{}} of {{}}'", "its words for a report may only have {} or {0}, {1}"),
        (
            f"{VALID_ARGUMENTS}, options={{'heaps': Option('how many', {{'3': 'few'}}, report='{{2}} heaps')}}",
            "its words for a report may only have {} or {0}, {1}",
        ),
        (f"{VALID_ARGUMENTS}, has_best_score='heaps'", "has_best_score is 'heaps', which is not one of its options"),
        ("name='Nim'", "its program has an error ("),
    ],
)
def test_a_fault_of_a_manifest_is_reported(package, arguments: str, why: str) -> None:
    """An invalid manifest keeps its game out; a game beside it is found."""
    package("a_faulty_nim", arguments)
    package("another_nim", "id='another', name='Another Nim'")
    found, faults = plugins.load_added_games(ENTRY_POINT_GROUP, frozenset({"27"}))
    assert set(found) == {"another"}
    (said,) = faults.values()
    assert f"the game a_faulty_nim from the package a_faulty_nim cannot be played: {why}" in said


def test_of_two_games_with_one_id_the_first_is_found(package) -> None:
    """Which of the two it is does not depend on the order in which they were installed."""
    package("nim_two", "id='nim', name='Second'")
    package("nim_one", "id='nim', name='First'")
    found, faults = plugins.load_added_games(ENTRY_POINT_GROUP, frozenset())
    assert found["nim"].manifest.name == "First"
    assert "there is already a game nim" in faults["nim"]


def test_games_in_the_box_folder_are_not_for_root(package, tmp_path, monkeypatch) -> None:
    """A game in the folder of `companion-game` is found last, and root does not find it."""
    package("nim_of_the_box", "id='box', name='Box'")
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
    monkeypatch.setattr(plugins, "add_box_packages_folder", lambda: package("nim_of_the_box", "id='box', name='Box'"))
    games.find_added_games.cache_clear()
    try:
        assert tuple(each.id for each in games.added_manifests()) == found
    finally:
        games.find_added_games.cache_clear()


def test_a_part_without_its_object_is_reported(package, tmp_path: Path) -> None:
    """An author who forgets ``MOVE_INPUT = MoveInput()`` is not shown a list of methods that are all there."""
    package("nim_alone", VALID_ARGUMENTS)
    entry = tmp_path / "nim_alone" / "move_input.py"
    entry.write_text(entry.read_text(encoding="utf-8").replace("MOVE_INPUT = MoveInput()", ""), encoding="utf-8")
    _, faults = plugins.load_added_games(ENTRY_POINT_GROUP, frozenset())
    assert faults["nim"].endswith("nim_alone.move_input has no MOVE_INPUT, the object that the program plays with")


def test_a_part_with_the_wrong_class_is_reported(package, tmp_path: Path) -> None:
    """The sentence names the class to inherit from."""
    package("nim_bare", VALID_ARGUMENTS)
    entry = tmp_path / "nim_bare" / "move_input.py"
    text = entry.read_text(encoding="utf-8")
    entry.write_text(text.replace("class MoveInput(move_input.MoveInput)", "class MoveInput"), encoding="utf-8")
    _, faults = plugins.load_added_games(ENTRY_POINT_GROUP, frozenset())
    assert faults["nim"].endswith(
        "MOVE_INPUT of nim_bare.move_input does not inherit from companion.games.api.move_input.MoveInput"
    )


def test_a_part_without_a_method_is_reported(package, tmp_path: Path) -> None:
    """Python itself names the missing method as soon as the object is created."""
    package("nim_short", VALID_ARGUMENTS)
    rules = tmp_path / "nim_short" / "rules.py"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("def outcome(", "def result("), encoding="utf-8")
    _, faults = plugins.load_added_games(ENTRY_POINT_GROUP, frozenset())
    assert "Rules has no function outcome" in faults["nim"]
    assert "outcome" in faults["nim"]


def test_the_new_name_of_a_moved_module_is_reported(package, tmp_path: Path, monkeypatch) -> None:
    """The author reads what to import now, whether the game fails on loading or in the middle of a round."""
    monkeypatch.setattr(plugins, "MOVED_MODULES", {"companion.once": "companion.games"})
    package("nim_of_old", VALID_ARGUMENTS)
    rules = tmp_path / "nim_of_old" / "rules.py"
    rules.write_text(f"import companion.once.rules\n{rules.read_text('utf-8')}", "utf-8")
    _, faults = plugins.load_added_games(ENTRY_POINT_GROUP, frozenset())
    assert faults["nim"].endswith("cannot be played: companion.once is now companion.games")
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
        Manifest("nim", "Nim", **{old: ()})
    assert str(plugins.error_with_renaming_explained(caught.value)) == f"{old} is now {new}"


def test_the_new_name_of_an_imported_class_is_reported() -> None:
    """Python's error has the old name in quotes here too."""
    with pytest.raises(ImportError) as caught:
        exec("from companion.games.api import Refused")
    assert str(plugins.error_with_renaming_explained(caught.value)) == "Refused is now RefusedError"
