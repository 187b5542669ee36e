"""`companion new`: the new game passes the contract, and edits are seen at the next start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.__main__ import main

LIMIT_SECONDS = 120.0
WITH_FOLDER = """\
import site, sys
site.addsitedir(sys.argv.pop(1))
from companion.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def new_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a new game."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "four-fields"]) == 0
    return tmp_path / "four-fields"


def run_command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False
    )


def test_the_folder_is_a_package_with_tests(new_game: Path) -> None:
    """Each file of the template is there under the game's own name."""
    inside = ("__init__.py", "rules.py", "move_input.py", "screen.py", "help.txt", "icons.txt", "records/whole.tcr")
    assert {file.relative_to(new_game).as_posix() for file in new_game.rglob("*.*") if file.is_file()} == {
        "pyproject.toml", "tests/test_four_fields.py", *(f"four_fields_at_the_table/{place}" for place in inside),
    }  # fmt: skip
    for file in filter(Path.is_file, new_game.rglob("*.*")):
        assert not [word for word in ("template", "irst", "{", "companion new") if word in file_text(file)], file


def file_text(file: Path) -> str:
    text = file.read_text(encoding="utf-8")
    return text.replace("{", "") if file.suffix == ".py" else text


@pytest.mark.drill
def test_edits_are_seen_without_installing_again(new_game: Path, tmp_path: Path) -> None:
    """Installed once as the command says, its tests pass; then changes of its rules and its record are noticed."""
    installed = run_command(
        "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check",
        "--prefix", tmp_path / "there", "--editable", new_game,
    )  # fmt: skip
    assert installed.returncode == 0, installed.stderr
    (site,) = tmp_path.glob("there/lib/python*/site-packages")
    record = new_game / "four_fields_at_the_table" / "records" / "whole.tcr"
    # In the parent folder, which is first in the path, as with `python -m`.
    result = run_command("-c", WITH_FOLDER, site, "check", record)
    assert "is valid: Four fields, 11 moves, Ann (seat 1) wins" in result.stdout, result.stderr

    tests = f"import site, sys, pytest; site.addsitedir({str(site)!r}); sys.exit(pytest.main(sys.argv[1:]))"
    options = ("-q", "--rootdir", new_game, "-c", new_game / "pyproject.toml", "-p", "no:cacheprovider", new_game)
    assert "51 passed" in run_command("-c", tests, *options).stdout

    rules = new_game / "four_fields_at_the_table" / "rules.py"
    rules.write_text(
        rules.read_text(encoding="utf-8").replace("GOAL_NUMBER = 21", "GOAL_NUMBER = 20"), encoding="utf-8"
    )
    assert "is valid" not in run_command("-c", WITH_FOLDER, site, "check", record).stdout
    assert run_command("-c", WITH_FOLDER, site, "check", record).returncode == 1
    failed = run_command("-c", tests, *options).stdout
    assert "records/whole.tcr, line 14, is not valid any more" in failed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "the following arguments are required: GAME"),
        (["one", "two"], "unrecognized arguments: two"),
        (["Kalah"], "'Kalah' cannot be an id"),
        (["2-more"], "'2-more' cannot be an id"),
        (["../kalah"], "cannot be an id"),
        (["ziggurat"], "there is already a game ziggurat"),
        (["a-very-long-name-of-a-game"], "does not fit on the panel"),
        (["here"], "the folder here cannot be created: File exists"),
    ],
)
def test_an_unusable_name_is_refused(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An invalid, used or long name, and an existing folder: one sentence, and nothing is made."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    assert main(["new", *words]) == 2
    assert said in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["here"]


@pytest.mark.parametrize("variant", ["dice", "hands"])
def test_each_variant_passes_the_contract(variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with as many players as it allows."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", f"--{variant}", "four-fields"]) == 0
    folder = tmp_path / "four-fields"
    assert not [file for file in folder.rglob("*.py") if "template" in file.read_text("utf-8")]
    info = folder / "four_fields-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: four-fields\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[companion.games]\nfour-fields = four_fields_at_the_table\n")
    check = "from companion.gamekit import contract\nfor seed in range(3): contract.check('four-fields', seed)"
    done = run_command("-c", f"import sys; sys.path.insert(0, {str(folder)!r})\n{check}")
    assert done.returncode == 0, done.stderr
