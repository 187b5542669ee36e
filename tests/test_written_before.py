"""Data of an old version is read unchanged: rounds, records, exports, settings.

`written_before/` was written by the program of 22 November 2026: ten rounds of every game, finished, taken back, set
aside and running, and what its commands printed about them. Its rounds are in the form that version 0.7.10 gave them.
"""

from __future__ import annotations

import json
import re
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from companion import config
from companion.__main__ import main
from companion.commands.exported_text import add_check_key, remove_check_line
from companion.rounds.on_table import replay_round
from companion.store.store import Store

OLD_FOLDERS = Path(__file__).with_name("written_before")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A copy of the data folder."""
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copy(OLD_FOLDERS / "rounds.journal", folder)
    return folder


def run_command(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    capsys.readouterr()
    assert main(list(map(str, words))) == 0
    return capsys.readouterr().out


def open_table(data: Path) -> None:
    """Open the table on a folder once."""
    Store(data).close()


def test_every_export_is_the_same(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each stored round is exported as it was, to the byte; only the check behind it is new."""
    open_table(data)
    run_command(capsys, "export", "--all", tmp_path / "out", "--reveal", "--data", data)
    written = {file.name: file.read_text() for file in (tmp_path / "out").iterdir() if not file.name.startswith(".")}
    for file in (OLD_FOLDERS / "exported").iterdir():
        if file.suffix == ".json":
            assert json.loads(written[file.name]) == add_check_key(json.loads(file.read_text()))
        else:
            assert remove_check_line(written[file.name]) == file.read_text(), file.name


def test_history_and_standings_show_the_same(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Everything that was shown of a round or a player still is; more may be."""
    open_table(data)
    for command in ("history", "standings"):
        before = json.loads((OLD_FOLDERS / f"{command}.json").read_text())
        now = json.loads(run_command(capsys, command, "--json", "--data", data))
        assert len(now) == len(before)
        for old, new in zip(before, now, strict=True):
            assert {key: new[key] for key in old} == old


def test_every_record_is_as_valid_as_before(capsys: pytest.CaptureFixture[str]) -> None:
    """`check --json` says the same of each record."""
    for line in (OLD_FOLDERS / "check.jsonl").read_text().splitlines():
        before = json.loads(line)
        now = json.loads(run_command(capsys, "check", "--json", OLD_FOLDERS / before["file"]))
        assert {**now, "file": before["file"]} == before


def test_every_round_can_be_gone_on_with(data: Path) -> None:
    """The running round is offered, and each round of a game is replayed to where it was."""
    store = Store(data)
    try:
        history = store.load_history()
        assert history.unfinished_round is not None
        assert len(replay_round(history.unfinished_round).events) == 6
        for number in store.round_numbers():
            kept = store.load_round(number)
            assert kept is not None
            if kept.header.game != "pad":
                assert len(replay_round(kept).events) == len(kept.events)
    finally:
        store.close()


def test_exports_are_imported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`companion import` reads what was exported, both records and the score pad."""
    told = run_command(capsys, "import", OLD_FOLDERS / "exported", "--data", tmp_path / "new")
    assert re.match(r"10 (rounds )?imported, 0 already saved, 0 refused", told)
    with closing(Store(tmp_path / "new")) as store:
        reasons = [each.reason for each in store.summaries()]
    assert reasons == ["stuck", "stuck", "placed", "placed", "stuck", "stuck", "played", "", "", ""]
    listed = json.loads(run_command(capsys, "history", "--json", "--data", tmp_path / "new"))
    assert [each["reason"] for each in listed[:4]] == ["neither can move"] * 2 + ["last coral placed"] * 2


def test_the_reasons_are_shown_in_every_language(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Older versions saved English sentences; those of Prime Attactics were reworded since."""
    open_table(data)
    for language, reasons in (
        ("en", ("neither can move", "last coral placed")),
        ("de", ("nichts geht mehr", "letzte Koralle gelegt")),
    ):
        monkeypatch.setenv("LC_ALL", language)
        listed = run_command(capsys, "history", "--data", data)
        assert all(f"{reason}\n" in listed for reason in (*reasons, "two turns missed"))


def test_every_key_of_the_configuration_is_read() -> None:
    """A file with every key reaches what it configures."""
    read = config.load_config(str(OLD_FOLDERS / "config.toml"))
    assert read.table == config.TableSettings(Path("/srv/rounds"), ("Ann", "Ben"), clock=True)
    display = read.display
    assert (display.driver, display.interface, display.bus, display.device) == ("sh1106", "spi", 0, 1)
    assert (display.dc, display.rst, display.upside_down, display.brightness) == (24, 25, True, 100)
    assert (read.keypad.port, read.keypad.baud) == ("/dev/serial/by-id/usb-keypad", 19200)
    assert (read.lamps.turn, read.lamps.buzzer, read.lamps.quiet) == ((17, 27), 18, True)
