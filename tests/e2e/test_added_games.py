"""Games of other packages, built and installed: Lanterns, which `companion new` writes, and Kalah, the docs' sample."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIMIT = 120.0
ADDED_GAME_KEY = "6"
"""In the main menu, an added game comes after the five that are built in."""
RUN_CONTRACT = """\
from random import Random
from companion.gamekit import contract
for seed in range(4):
    contract.check('kalah', Random(seed))
"""


def install(source: Path, into: Path) -> None:
    """Build a package from its folder, and install it into another folder."""
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index",
         "--disable-pip-version-check", "--target", into, source],
        check=True, timeout=LIMIT, capture_output=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def lanterns(tmp_path_factory: pytest.TempPathFactory, companion_command: Path) -> Path:
    """The folder with the installed game with hands of docs/adding-a-game.md. It has no screen of its own."""
    folder = tmp_path_factory.mktemp("lanterns")
    subprocess.run(
        [companion_command, "new", "lanterns", "--hands"], cwd=folder, check=True, timeout=LIMIT, capture_output=True
    )
    install(folder / "lanterns", folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def kalah(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the installed sample game, which has a screen and an option."""
    folder = tmp_path_factory.mktemp("kalah")
    shutil.copytree(ROOT / "tests" / "sample_kalah", folder / "source")
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


@pytest.mark.drill
def test_kalah_has_what_a_game_may_have(kalah: Path, run, tmp_path: Path) -> None:
    """It has a board, a coach, help, two icons and a record, and passes the contract as its author runs it.

    Its own coach reviews a round, the round is drawn move by move, and a report counts in the game's own unit. Nothing
    outside its folder mentions it.
    """
    files = {file.name for file in (kalah / "kalah_at_the_table").rglob("*.*")}
    assert {"board.py", "coach.py", "help.txt", "icons.txt", "screen.py", "whole.tcr"} <= files
    done = subprocess.run([sys.executable, "-c", RUN_CONTRACT], check=False, text=True, capture_output=True,
                          env={**os.environ, "PYTHONPATH": str(kalah)}, timeout=LIMIT)  # fmt: skip
    assert done.returncode == 0, done.stderr
    record = kalah / "kalah_at_the_table" / "records" / "whole.tcr"
    assert "is valid: Kalah" in run(kalah, "check", record)
    assert "ahead" in run(kalah, "analyse", "--nodes=500", record)
    run(kalah, "replay", record, "--png", tmp_path / "pictures")
    assert len(list((tmp_path / "pictures").glob("*.png"))) > 20
    dated, data = tmp_path / "dated.tcr", ("--data", tmp_path / "data")
    dated.write_text(record.read_text().replace("\n1: ", "\ndate: 2026-11-24T20:15:00+00:00\n1: ", 1))
    run(kalah, "import", dated, *data)
    run(kalah, "report", *data, "--out", tmp_path / "evening.html")
    assert "In the store after each move" in (tmp_path / "evening.html").read_text()
    for file in (ROOT / "companion").rglob("*.py"):
        assert "kalah_at_the_table" not in file.read_text(), file


@pytest.mark.drill
def test_an_option_is_asked_and_the_panel_says_who_moves_again(box, kalah: Path, run, matches) -> None:
    """In Kalah a last seed in the store is an extra turn, so the same player stays on the inverted tab."""
    table = box_with_packages(box, kalah)
    table.start()
    table.type_keys(f"~{ADDED_GAME_KEY}~")
    matches(table, "kalah-first-question")
    table.type_keys("####~3#~")  # Four seeds; a single round; Player 1 and Player 2; the start page.
    matches(table, "kalah-again")
    table.type_keys("6#~")
    matches(table, "kalah-caught-nothing")
    assert table.stop() == 0
    written = run(kalah, "export", "--data", table.data)
    assert "options: seeds=4\n" in written
    assert "1: house 3\n1: house 6\n" in written


@pytest.mark.drill
def test_a_game_with_hands_is_played_by_keys(box, lanterns: Path, run, tmp_path: Path, matches) -> None:
    """Chosen in the menu after the built-in ones, set up, typed, refused, played to its result, and listed later.

    Without a screen of its own it is drawn in words, and without an icon it gets a plain one.
    """
    table = box_with_packages(box, lanterns)
    (table.folder / "lanterns_at_the_table" / "icons.txt").unlink()
    table.start()
    # Two players; a single round; Player 1 and Player 2; a secret hand, and an open one of 1, 4 and 8.
    table.type_keys(f"~{ADDED_GAME_KEY}~####2#~148#~")
    matches(table, "lanterns-start")
    table.type_keys("#~9#~")
    matches(table, "lanterns-moved")
    table.type_keys("2#~")  # A card that the open hand does not have.
    matches(table, "lanterns-refused")
    table.type_keys("#~8#~7#~09~")
    matches(table, "lanterns-draft")  # A dot for the card that only its player may see.
    table.type_keys("#~0#9#5#~4#6#1#~")
    matches(table, "lanterns-result")
    assert table.stop() == 0

    record = tmp_path / "round.tcr"
    record.write_text(run(lanterns, "export", "--data", table.data))
    lines = record.read_text().splitlines()
    assert "game: lanterns" in lines
    assert "deal 2: 148" in lines
    assert lines[-5:-1] == ["2: play 4", "1: play 6", "2: play 1", "result: 7 2 winners 1"]
    assert "is valid: Lanterns, 10 moves, Player 1 (seat 1) wins" in run(lanterns, "check", record)
    record.write_text("\n".join(lines[:-3]))
    assert run(lanterns, "moves", record).splitlines() == ["draw", "play 1"]
    (kept,) = json.loads(run(lanterns, "history", "--json", "--data", table.data))
    assert (kept["game"], kept["scores"], kept["winners"]) == ("lanterns", [7, 2], ["Player 1"])
    assert "Lanterns" in run(lanterns, "replay", "1", "--data", table.data)
    page = tmp_path / "evening.html"
    run(lanterns, "report", "--data", table.data, "--out", page)
    assert "Lanterns" in page.read_text()


def test_the_table_starts_without_the_game_of_its_round(box, lanterns: Path, matches) -> None:
    """If the package is removed during a round, the panel and the log name what is missing."""
    table = box_with_packages(box, lanterns, "--game", "lanterns")
    table.start()
    table.type_keys("9#~")
    assert table.stop() == 0
    for name in ("lanterns_at_the_table", "lanterns_at_the_table-0.1.dist-info"):
        shutil.rmtree(table.folder / name)
    table.arguments = ()
    table.start()
    matches(table, "lanterns-gone")
    gone = "the game lanterns is not installed: played with lanterns-at-the-table 0.1"
    assert f"round 1 is saved, but cannot be shown: {gone}." in table.log_text
    assert table.stop() == 0


@pytest.mark.drill
def test_a_round_of_other_rules_is_reported_with_its_version(box, lanterns: Path, run, tmp_path: Path) -> None:
    """If new rules count differently, or refuse a saved move, history, replay, report and doctor name both versions.

    The saved result continues to count.
    """
    table = box_with_packages(box, lanterns, "--game", "lanterns", "--players", "Ann,Ben")
    table.start()
    table.type_keys("9#9#8#~1#7#1#~0#0#0#0#~#~")  # A whole round, and one that is left after its second move.
    table.type_keys("9#9#~")
    assert table.stop() == 0
    data = ("--data", table.data)
    both = "played with lanterns-at-the-table 0.1, but 0.2 is installed"

    site = site_with_new_rules(lanterns, tmp_path / "low", ("card - 5", "5 - card"))
    said = f"under the rules installed here Ben wins, -11 to 2: {both}"
    history = run(site, "history", *data).splitlines()
    assert "Ann 7 - Ben -6  Ann wins" in history[0]
    assert history[1].strip() == said
    assert len(history) == 3, "the round that is not over is still valid"
    assert f"round 1 no longer gives its result: {said}." in run(site, "replay", "1", *data, status=1)
    report = tmp_path / "evening.md"
    run(site, "report", *data, "-o", report)
    assert "Ann beats Ben" in report.read_text()
    assert f"- **Not shown:** {said}." in report.read_text()
    assert f"Round 1 of lanterns no longer gives the same result: {both}." in run(
        site, "doctor", "--seconds", "0", *data, status=1
    )

    site = site_with_new_rules(lanterns, tmp_path / "fewer", ("COPIES = range(1, 10), 2", "COPIES = range(1, 10), 1"))
    said = f"its move 2 is not valid under the rules installed here: {both}"
    replayed = run(site, "replay", "1", *data, status=1)
    assert "1  Ann  play 9" in replayed
    assert f"round 1 no longer gives its result: {said}." in replayed
    assert run(site, "history", *data).count(said) == 2
    assert f"Rounds 1 and 2 of lanterns no longer give the same results: {both}." in run(
        site, "doctor", "--seconds", "0", *data, status=1
    )


def site_with_new_rules(site: Path, into: Path, change: tuple[str, str]) -> Path:
    """The packages of a folder with other rules of Lanterns, as version 0.2."""
    shutil.copytree(site, into, ignore=shutil.ignore_patterns("__pycache__"))
    rules = into / "lanterns_at_the_table" / "rules.py"
    assert change[0] in rules.read_text()
    rules.write_text(rules.read_text().replace(*change))
    (info,) = into.glob("*.dist-info")
    metadata = info / "METADATA"
    metadata.write_text(metadata.read_text().replace("\nVersion: 0.1\n", "\nVersion: 0.2\n"))
    info.rename(info.with_name(info.name.replace("0.1", "0.2")))
    return into


@pytest.mark.drill
def test_a_faulty_package_is_reported_in_a_sentence(
    box, lanterns: Path, companion_command: Path, run, tmp_path: Path
) -> None:
    """Journal, doctor and `check` report the error of a package; the other games can be played."""
    site = tmp_path / "site"
    shutil.copytree(lanterns, site)
    subprocess.run([companion_command, "new", "broken"], cwd=tmp_path, check=True, timeout=LIMIT, capture_output=True)
    package = tmp_path / "broken" / "broken_at_the_table"
    (package / "__init__.py").write_text("import no_such_module\n")
    install(tmp_path / "broken", site)
    said = (
        "the game broken from the package broken-at-the-table cannot be played: "
        "its program has an error (No module named 'no_such_module')"
    )
    assert said in run(site, "check", package / "records" / "whole.tcr", status=1)
    record = site / "lanterns_at_the_table" / "records" / "whole.tcr"
    assert "is valid: Lanterns, 15 moves" in run(site, "check", record)
    assert said[1:] in run(site, "doctor", "--seconds", "0", "--data", tmp_path / "none", status=1)
    table = box_with_packages(box, site, "--game", "27")
    table.start()
    assert said in table.log_text
    assert table.stop() == 0


@pytest.mark.drill
def test_a_game_that_fails_in_play_ends_its_round_alone(box, lanterns: Path, tmp_path: Path, matches) -> None:
    """An error in the rules of another package sets the round aside with a message, and the menu opens."""
    site = site_with_new_rules(lanterns, tmp_path / "site", ("pieces = hand.pieces\n", "pieces = 1 // 0\n"))
    table = box_with_packages(box, site, "--game", "lanterns")
    table.start()
    table.type_keys("9~")
    matches(table, "lanterns-failed")
    assert table.process.poll() is None
    assert table.stop() == 0
