"""Games of other packages: what is wrong with one is said in a sentence, and the others are found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.games import GROUP, plugins

WELL = "id='nim', name='Nim'"
PARTS = ("rules", "entry")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """`package(name, arguments)` installs a package whose manifest has these, with the parts of the sample."""
    monkeypatch.syspath_prepend(tmp_path)
    sample = Path(__file__).parents[1] / "sample_game" / "nim_at_the_table"
    made = []

    def install(name: str, arguments: str) -> None:
        folder = tmp_path / name
        folder.mkdir()
        lines = "from companion.game.manifest import HoldingWords, Manifest, Option", f"GAME = Manifest({arguments})"
        (folder / "__init__.py").write_text("\n".join(lines))
        for part in PARTS:
            text = (sample / f"{part}.py").read_text(encoding="utf-8").replace("nim_at_the_table", name)
            (folder / f"{part}.py").write_text(text, encoding="utf-8")
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {name}\n")
        made.append(name)

    yield install
    for each in [each for each in sys.modules if each.partition(".")[0] in made]:
        del sys.modules[each]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("id='Nim', name='Nim'", "the id 'Nim' is not made of small letters, digits and hyphens"),
        ("id='nim', name='Nim of seventeen l'", "its name has not 1 to 16 letters"),
        ("id='27', name='Nim'", "there is another game 27"),
        (f"{WELL}, recorded=False", "a game of another package has rules to replay its records by"),
        (f"{WELL}, holdings={{'hand': HoldingWords('hand', 'cards')}}", "the holdings of a record are deal and rack"),
        (f"{WELL}, options={{'heaps': Option('how many', {{}})}}", "an option has no values"),
        (f"{WELL}, players=(5,)", "a game is for 2 to 4 players"),
        (f"{WELL}, players=()", "a game is for 2 to 4 players"),
        (f"{WELL}, gain='{{}} of {{}}'", "its words for a report have other marks than {} and {0}, {1}"),
        (
            f"{WELL}, options={{'heaps': Option('how many', {{'3': 'few'}}, report='{{2}} heaps')}}",
            "its words for a report have other marks than {} and {0}, {1}",
        ),
        ("name='Nim'", "its program has an error ("),
    ],
)
def test_what_is_wrong_with_a_manifest_is_said(package, arguments: str, why: str) -> None:
    """A manifest that cannot be used keeps its game out; a game beside it is found."""
    package("a_faulty_nim", arguments)
    package("another_nim", "id='another', name='Another Nim'")
    found, faults = plugins.look_up(GROUP, frozenset({"27"}))
    assert set(found) == {"another"}
    (said,) = faults.values()
    assert f"the game a_faulty_nim of the package a_faulty_nim cannot be played: {why}" in said


def test_of_two_games_with_one_id_the_first_is_found(package) -> None:
    """Which of two it is does not depend on the order in which they were installed."""
    package("nim_two", "id='nim', name='Second'")
    package("nim_one", "id='nim', name='First'")
    found, faults = plugins.look_up(GROUP, frozenset())
    assert found["nim"].manifest.name == "First"
    assert "there is another game nim" in faults["nim"]
