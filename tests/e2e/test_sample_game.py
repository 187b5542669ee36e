"""A game of another package: built, installed, played to its result by keys, and then like any other game."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[1] / "sample_game"
KALAH = Path(__file__).parents[1] / "sample_kalah"
LIMIT = 120.0
ALL_GAMES = 5
"""The lines of the main menu for the built-in games."""
BROKEN = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"
[project]
name = "broken-game"
version = "1.0"
[project.entry-points."companion.games"]
broken = "broken_game"
[tool.setuptools]
packages = ["broken_game"]
"""
RUN_CONTRACT = """\
from random import Random
from companion.gamekit import contract
for seed in range(4):
    contract.check(GAME, Random(seed))
"""


def install(source: Path, into: Path) -> None:
    """Build a package from its folder, and install it into another folder."""
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index",
         "--disable-pip-version-check", "--target", into, source],
        check=True, timeout=LIMIT, capture_output=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the installed sample game."""
    folder = tmp_path_factory.mktemp("nim")
    shutil.copytree(SAMPLE, folder / "source")
    install(folder / "source", folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def kalah(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the installed second sample game."""
    folder = tmp_path_factory.mktemp("kalah")
    shutil.copytree(KALAH, folder / "source")
    install(folder / "source", folder / "site")
    return folder / "site"


@pytest.fixture
def run(companion_command):
    """`run(site, "check", …)` runs the program with the packages of a folder. Returns its output and exit status."""

    def command(site: Path, *words: object, status: int = 0) -> str:
        done = subprocess.run(
            [companion_command, *map(str, words)],
            env={**os.environ, "PYTHONPATH": str(site)},
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr

    return command


def box_with_packages(box, site: Path, *arguments: str):
    """A box whose program also has the packages of a folder."""
    table = box(*arguments)
    shutil.copytree(site, table.folder, dirs_exist_ok=True)
    return table


def test_the_sample_game_is_small_and_independent() -> None:
    """Rules, move input, screen and manifest have less than 200 lines, and no other file mentions the game."""
    lines = [line for file in SAMPLE.rglob("*.py") for line in file.read_text().splitlines()]
    assert len(lines) < 200
    for part in ("companion", "hardware"):
        for file in (SAMPLE.parents[1] / part).rglob("*.py"):
            assert "nim_at_the_table" not in file.read_text(), file


@pytest.mark.drill
def test_the_contract_holds_for_the_sample_game(nim: Path) -> None:
    """The checks of the built-in games are run as an author of games would run them."""
    check_contract("nim", nim)


def check_contract(game: str, site: Path) -> None:
    """Run the contract as the author of an installed game does."""
    done = subprocess.run([sys.executable, "-c", f"GAME = {game!r}\n{RUN_CONTRACT}"], check=False, text=True,
                          env={**os.environ, "PYTHONPATH": str(site)}, capture_output=True, timeout=LIMIT)  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.drill
def test_the_second_sample_has_what_a_game_may_have(kalah: Path, run, tmp_path: Path) -> None:
    """Kalah also has a board, a coach, help, two icons and a record, and passes the contract.

    Its own coach reviews a round, and the round is drawn move by move; nothing outside its folder mentions it.
    """
    files = {file.name for file in (kalah / "kalah_at_the_table").rglob("*.*")}
    assert {"board.py", "coach.py", "help.txt", "icons.txt", "screen.py", "whole.tcr"} <= files
    check_contract("kalah", kalah)
    record = kalah / "kalah_at_the_table" / "records" / "whole.tcr"
    assert "is valid: Kalah" in run(kalah, "check", record)
    assert "ahead" in run(kalah, "analyse", "--nodes=500", record)
    run(kalah, "replay", record, "--png", tmp_path / "pictures")
    assert len(list((tmp_path / "pictures").glob("*.png"))) > 20
    for file in (SAMPLE.parents[1] / "companion").rglob("*.py"):
        assert "kalah_at_the_table" not in file.read_text(), file


@pytest.mark.drill
def test_the_panel_says_who_moves_again_and_no_turn_is_counted(box, kalah: Path, run, matches) -> None:
    """In Kalah a last seed in the store is an extra turn, so the same player stays on the inverted tab."""
    table = box_with_packages(box, kalah, "--game", "kalah")
    table.start()
    table.type_keys("3#~")
    matches(table, "kalah-again")
    table.type_keys("6#~")
    matches(table, "kalah-caught-nothing")
    assert table.stop() == 0
    assert "1: house 3\n1: house 6\n" in run(kalah, "export", "--data", table.data)


@pytest.mark.drill
def test_a_game_of_another_package_is_played_by_keys(box, nim: Path, run, tmp_path: Path, matches) -> None:
    """Chosen in the menu after the built-in ones, set up, typed, refused, picked to its end, and listed later."""
    table = box_with_packages(box, nim)
    table.start()
    table.type_keys("~")
    table.type_keys("0" if ALL_GAMES >= 9 else str(ALL_GAMES + 1))
    matches(table, "nim-first-question")
    table.type_keys("#1##~")  # The last piece wins; 3 4 5; a single round; Player 1 and Player 2.
    matches(table, "nim-start")
    table.type_keys("14#~")  # Four pieces of a heap of three.
    matches(table, "nim-refused")
    table.type_keys("#~")
    table.type_keys("13#24#35#~")
    matches(table, "nim-result")
    assert table.stop() == 0

    record = tmp_path / "round.tcr"
    record.write_text(run(nim, "export", "--data", table.data))
    assert "game: nim\noptions: last=wins heaps=345" in record.read_text()
    assert record.read_text().splitlines()[-5:-1] == ["1: 1-3", "2: 2-4", "1: 3-5", "result: 1 0 winners 1"]
    assert "is valid: Nim, 3 moves, Player 1 (seat 1) wins" in run(nim, "check", record)
    record.write_text("".join(record.read_text().splitlines(keepends=True)[:-3]))
    assert run(nim, "moves", record).split() == ["3-1", "3-2", "3-3", "3-4", "3-5"]
    (kept,) = json.loads(run(nim, "history", "--json", "--data", table.data))
    assert (kept["game"], kept["scores"], kept["winners"]) == ("nim", [1, 0], ["Player 1"])
    assert "Nim (last wins, heaps 345)" in run(nim, "replay", "1", "--data", table.data)
    page = tmp_path / "evening.html"
    run(nim, "report", "--data", table.data, "--out", page)
    assert "Nim" in page.read_text()
    assert "Pieces taken after each move" in page.read_text()


def test_a_round_of_an_uninstalled_game_is_still_listed(box, nim: Path, run, matches) -> None:
    """Without its package a saved round is listed, its replay says what is missing, and the table starts."""
    table = box_with_packages(box, nim, "--game", "nim")
    table.start()
    table.type_keys("13#~")
    assert table.stop() == 0
    empty = table.folder / "empty"
    empty.mkdir()
    assert "nim" in run(empty, "history", "--data", table.data)
    gone = "the game nim is not installed: played with nim-at-the-table 1.0"
    assert f"round 1 can no longer be replayed: {gone}" in run(empty, "replay", "1", "--data", table.data, status=2)
    assert f"{gone}\n" in run(empty, "history", "--data", table.data)
    for name in ("nim_at_the_table", "nim_at_the_table-1.0.dist-info"):
        shutil.rmtree(table.folder / name)
    table.arguments = ()
    table.start()
    matches(table, "nim-gone")
    assert f"round 1 is saved, but cannot be shown: {gone}." in table.log_text
    assert table.stop() == 0


@pytest.mark.drill
def test_a_round_of_other_rules_is_reported_with_its_version(box, nim: Path, run, tmp_path: Path) -> None:
    """If new rules count differently, or refuse a saved move, history, replay, report and doctor name both versions.

    The saved result continues to count.
    """
    table = box_with_packages(box, nim, "--game", "nim", "--players", "Ann,Ben")
    table.start()
    table.type_keys("13#24#35#~#~")  # A whole round, and one that is left after its second move.
    table.type_keys("13#24#~")
    assert table.stop() == 0
    data = ("--data", table.data)
    both = "played with nim-at-the-table 1.0, but 1.1 is installed"

    site = site_with_new_rules(nim, tmp_path / "loses", ("winner = 3 - state.seat if", "winner = state.seat if"))
    said = f"under the rules installed here Ben wins, 0 to 1: {both}"
    history = run(site, "history", *data).splitlines()
    assert "Ann 1 - Ben 0  Ann wins" in history[0]
    assert history[1].strip() == said
    assert len(history) == 3, "the round that is not over still stands"
    assert f"round 1 no longer gives its result: {said}." in run(site, "replay", "1", *data, status=1)
    report = tmp_path / "evening.md"
    run(site, "report", *data, "-o", report)
    assert "Ann beats Ben" in report.read_text()
    assert f"- **Not shown:** {said}." in report.read_text()
    assert f"Round 1 of nim no longer gives the same result: {both}." in run(
        site, "doctor", "--seconds", "0", *data, status=1
    )

    site = site_with_new_rules(nim, tmp_path / "fewer", ("if left < 0:", "if left < 0 or move.pieces > 3:"))
    said = f"its move 2 is not valid under the rules installed here: {both}"
    replayed = run(site, "replay", "1", *data, status=1)
    assert "1  Ann  1-3" in replayed
    assert f"round 1 no longer gives its result: {said}." in replayed
    assert run(site, "history", *data).count(said) == 2
    assert f"Rounds 1 and 2 of nim no longer give the same results: {both}." in run(
        site, "doctor", "--seconds", "0", *data, status=1
    )


def site_with_new_rules(site: Path, into: Path, change: tuple[str, str]) -> Path:
    """The packages of a folder with other rules of Nim, as version 1.1."""
    shutil.copytree(site, into)
    rules = into / "nim_at_the_table" / "rules.py"
    assert change[0] in rules.read_text()
    rules.write_text(rules.read_text().replace(*change))
    (info,) = into.glob("nim*.dist-info")
    metadata = info / "METADATA"
    metadata.write_text(metadata.read_text().replace("\nVersion: 1.0\n", "\nVersion: 1.1\n"))
    info.rename(info.with_name(info.name.replace("1.0", "1.1")))
    shutil.rmtree(rules.parent / "__pycache__", ignore_errors=True)
    return into


@pytest.mark.drill
def test_a_faulty_package_is_reported_in_a_sentence(box, nim: Path, run, tmp_path: Path) -> None:
    """Journal, doctor and `check` report the error of a package; the other games can be played."""
    site = tmp_path / "site"
    shutil.copytree(nim, site)
    source = tmp_path / "broken"
    (source / "broken_game").mkdir(parents=True)
    (source / "pyproject.toml").write_text(BROKEN)
    (source / "broken_game" / "__init__.py").write_text("import no_such_module\n")
    install(source, site)
    said = (
        "the game broken from the package broken-game cannot be played: "
        "its program has an error (No module named 'no_such_module')"
    )
    record = tmp_path / "broken.tcr"
    record.write_text("companion-record: 1\ngame: broken\n")
    assert said in run(site, "check", record, status=1)
    record.write_text("companion-record: 1\ngame: nim\n1: 1-3\n")
    assert "is valid: Nim, 1 move" in run(site, "check", record)
    assert said[1:] in run(site, "doctor", "--seconds", "0", "--data", tmp_path / "none", status=1)
    table = box_with_packages(box, site, "--game", "27")
    table.start()
    assert said in table.log_text
    assert table.stop() == 0


def test_a_game_without_a_method_is_reported_in_a_sentence(nim: Path, run, tmp_path: Path) -> None:
    """A missing method that its base class demands is named."""
    site = tmp_path / "site"
    shutil.copytree(nim, site)
    rules = site / "nim_at_the_table" / "rules.py"
    rules.write_text(rules.read_text().replace("def legal_moves(", "def misspelled("))
    shutil.rmtree(rules.parent / "__pycache__", ignore_errors=True)
    record = tmp_path / "nim.tcr"
    record.write_text("companion-record: 1\ngame: nim\n1: 1-3\n")
    said = run(site, "check", record, status=1)
    assert "the game nim from the package nim-at-the-table cannot be played: Rules has no function legal_moves" in said


@pytest.mark.drill
def test_a_game_without_screen_is_drawn_in_words(box, nim: Path, matches, tmp_path: Path) -> None:
    """A game with only rules and move input is complete: it gets the plain screen and a plain icon."""
    site = tmp_path / "site"
    shutil.copytree(nim, site)
    (site / "nim_at_the_table" / "screen.py").unlink()
    (site / "nim_at_the_table" / "icons.txt").unlink()
    shutil.rmtree(site / "nim_at_the_table" / "__pycache__", ignore_errors=True)
    table = box_with_packages(box, site, "--game", "nim")
    table.start()
    table.type_keys("13#~")
    matches(table, "nim-plain-moved")
    table.type_keys("2~")
    matches(table, "nim-plain")
    assert table.stop() == 0


@pytest.mark.drill
def test_a_game_that_fails_in_play_ends_its_round_alone(box, nim: Path, tmp_path: Path, matches) -> None:
    """An error in the rules of another package sets the round aside with a message, and the menu opens."""
    site = tmp_path / "site"
    shutil.copytree(nim, site)
    rules = site / "nim_at_the_table" / "rules.py"
    rules.write_text(rules.read_text().replace("left = state.heaps[move.heap - 1] - move.pieces", "left = 1 // 0"))
    shutil.rmtree(site / "nim_at_the_table" / "__pycache__", ignore_errors=True)
    table = box_with_packages(box, site, "--game", "nim")
    table.start()
    table.type_keys("13~")
    matches(table, "nim-failed")
    assert table.process.poll() is None
    assert table.stop() == 0
