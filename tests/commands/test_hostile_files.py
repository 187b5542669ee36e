"""Somebody else's file does no harm, whatever it is or contains: the others are read, and a sentence says why."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion import UnusableError
from companion.__main__ import main
from companion.commands import text_streams
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store

ROUND = "companion-record: 1\ngame: 27\nplayers: {}, Ben\n1: 1x1\n"
PAD = {
    "game": "pad", "title": "Skat", "date": "2026-11-21T20:00:00+01:00", "players": ["Ann", "Ben"], "wins": "highest",
    "target": None, "turns": None, "entries": [{"seat": 1, "points": 5}], "totals": [5, 0], "over": True,
    "winners": ["Ann"],
}  # fmt: skip


@pytest.fixture
def run_command(tmp_path, capsys):
    """Returns a function that runs a command on a data folder: exit status, standard output, standard error."""

    def command(name: str, *arguments: object) -> tuple[int, str, str]:
        where = [] if name == "check" else ["--data", str(tmp_path / "data")]
        status = main([name, *where, *map(str, arguments)])
        return status, *capsys.readouterr()

    return command


@pytest.fixture
def pad_file(tmp_path):
    """Returns a function that writes the file of a score pad that differs from a valid one."""

    def made(**changed: object) -> Path:
        file = tmp_path / "friend.json"
        file.write_text(json.dumps(PAD | changed))
        return file

    return made


# -- files that are none ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["check", "import"])
def test_a_silent_pipe_is_given_up(run_command, tmp_path, monkeypatch, command):
    """A FIFO without a writer, or with a silent one, is reported; the file beside it is read."""
    monkeypatch.setattr(text_streams, "READ_SECONDS", 0.2)
    good = tmp_path / "good.tcr"
    good.write_text(ROUND.format("Ann"))
    for name in ("nobody", "silent"):
        os.mkfifo(tmp_path / name)
    keeper = os.open(tmp_path / "silent", os.O_RDWR)
    status, output, complaint = run_command(command, tmp_path / "nobody", tmp_path / "silent", good)
    os.close(keeper)
    assert status == 2
    assert "1 round imported" in output or "good.tcr is valid" in output
    assert complaint.count("it did not end within 0.2 seconds\n") == 2


@pytest.mark.parametrize("command", ["check", "import"])
def test_an_endless_device_is_not_read_to_its_end(run_command, tmp_path, command):
    """/dev/zero is read only up to the longest record; a folder in a file's place is reported too."""
    status, _, complaint = run_command(command, "/dev/zero", *([tmp_path] if command == "check" else []))
    assert status == 2
    assert "cannot read /dev/zero: it is larger than" in complaint
    assert command == "import" or f"cannot read {tmp_path}: Is a directory\n" in complaint


def test_a_pipe_that_ends_is_read(run_command, tmp_path, monkeypatch):
    """A shell passes such a pipe as /dev/fd/N."""
    monkeypatch.setattr(text_streams, "READ_SECONDS", 60.0)  # On a busy machine the writer may be late.
    fifo = tmp_path / "record"
    os.mkfifo(fifo)
    writer = subprocess.Popen([sys.executable, "-c", f"open({str(fifo)!r}, 'w').write({ROUND.format('Ann')!r})"])
    assert run_command("check", fifo)[0] == 0
    assert writer.wait(60) == 0


def test_a_long_file_does_not_stop_an_import(run_command, tmp_path):
    """A file of more than 1 MiB is refused."""
    (tmp_path / "a.tcr").write_text(ROUND.format("Ann") + "# so long\n" * 200_000)
    (tmp_path / "b.tcr").write_text(ROUND.format("Ann"))
    status, output, complaint = run_command("import", tmp_path)
    assert (status, output) == (2, "1 round imported, 0 already saved, 0 refused\n")
    assert complaint == f"companion: cannot read {tmp_path}/a.tcr: it is larger than 1 MiB, too large for a record\n"


@pytest.mark.parametrize("way", ["file", "pipe", "-"])
def test_the_limit_of_a_file_is_exact(tmp_path, monkeypatch, way):
    """To the byte, from any source, and however small the parts are that a pipe gives."""
    longest, read = 8, os.read
    monkeypatch.setattr(os, "read", lambda fd, most: read(fd, min(most, 4)))

    def read_back(data: bytes) -> str:
        if way == "file":
            (tmp_path / "file").write_bytes(data)
            return text_streams.read_text(str(tmp_path / "file"), longest)
        if way == "-":
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
            return text_streams.read_text("-", longest)
        end, writer = os.pipe()
        os.write(writer, data)
        os.close(writer)
        try:
            return text_streams.read_text(f"/dev/fd/{end}", longest)
        finally:
            os.close(end)

    assert read_back(b"x" * longest) == "x" * longest
    with pytest.raises(UnusableError, match="it is larger than"):
        read_back(b"x" * (longest + 1))


# -- what is in them ----------------------------------------------------------------------------------------------


def test_a_very_long_name_is_valid_but_not_imported(run_command, tmp_path):
    """A record has no limit for names, so `check` accepts one that `import` refuses."""
    file = tmp_path / "friend.tcr"
    file.write_text(ROUND.format("W" * 3_000))
    assert run_command("check", file)[0] == 0
    status, output, complaint = run_command("import", file)
    assert (status, output) == (1, "0 rounds imported, 0 already saved, 1 refused\n")
    assert complaint.endswith("friend.tcr: a player's name has 3000 characters; at most 64 are allowed\n")
    file.write_text(ROUND.format("W" * 64))
    assert run_command("import", file)[0] == 0


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"title": "Sk\ud800t"}, 'its "title" or its "wins" is not valid'),
        ({"players": ["A\udc00n", "Ben"]}, 'its "players" are not valid'),
        ({"players": ["A" * 65, "Ben"], "winners": ["A" * 65]}, "a player's name has 65 characters"),
        ({"entries": [], "totals": [0, 0], "winners": []}, "it is over, but has no entries"),
        ({"entries": [{"seat": 1, "points": 0}] * 5_001, "totals": [0, 0]}, "it has 5001 entries"),
        ({"entries": [7]}, "part of it does not have the form of a score pad"),
        ({"wins": "\u202emore"}, 'its "title" or its "wins" is not valid'),
    ],
)
def test_an_invalid_score_pad_is_refused(run_command, pad_file, changed, why):
    """Each is one sentence, and nothing of the pad is saved."""
    status, output, complaint = run_command("import", pad_file(**changed))
    assert (status, output) == (1, "0 rounds imported, 0 already saved, 1 refused\n")
    assert why in complaint
    assert complaint.count("\n") == 1


def save_old_round(folder: Path, header: RoundHeader, *events: str) -> None:
    """Save a finished round as an older version did, which checked less."""
    store = Store(folder)
    number = store.load_history().next_round
    lines = [LogEntry(number, "event", index % 2 + 1, text) for index, text in enumerate(events)]
    store.write_entries(
        [LogEntry(number, "begin", header=header), *lines, LogEntry(number, "result", text="5 0 winners 1")]
    )
    store.close()


SKAT = RoundHeader("pad", (("title", "Skat"), ("wins", "highest"), ("target", "0"), ("turns", "0")), ("Ann", "Ben"))


@pytest.mark.parametrize("ending", ["md", "html", "png"])
def test_half_a_character_in_a_title_stops_no_report(run_command, tmp_path, ending):
    """The half becomes a question mark; the round beside it is complete."""
    save_old_round(tmp_path / "data", SKAT._replace(options=(("title", "Sk\ud800t"), *SKAT.options[1:])), "+5")
    save_old_round(tmp_path / "data", SKAT, "+5")
    file = tmp_path / f"evening.{ending}"
    assert run_command("report", "-o", file)[0] == 0
    assert ending == "png" or "Sk?t" in file.read_text()


@pytest.mark.parametrize("ending", ["md", "html", "png"])
def test_a_finished_pad_without_entries_stops_no_report(run_command, tmp_path, ending):
    """The report says that nobody has won it."""
    store = Store(tmp_path / "data")
    store.write_entries([LogEntry(1, "begin", header=SKAT), LogEntry(1, "result", text="0 0 winners ")])
    store.close()
    file = tmp_path / f"evening.{ending}"
    assert run_command("report", "-o", file)[0] == 0
    assert ending == "png" or "Nobody wins" in file.read_text()
    assert "nobody wins" in run_command("history")[1]
    assert "nobody wins" in run_command("replay")[1]


@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_name_cannot_reverse_a_report(run_command, tmp_path, ending):
    """A mark that turns the direction of writing is left out, and a name from right to left is isolated."""
    names = ("An\u202en", "דוד")
    save_old_round(tmp_path / "data", SKAT._replace(names=names), "+5")
    file = tmp_path / f"evening.{ending}"
    assert run_command("report", "-o", file)[0] == 0
    text = file.read_text()
    assert "\u2068Ann\u2069 beats \u2068דוד\u2069" in text
    assert text.count("\u2068") == text.count("\u2069") == text.count("Ann") + text.count("דוד")
    assert "\u202e" not in text
    assert (
        "\u202e"
        not in run_command("history")[1]
        + run_command("standings")[1]
        + run_command("players")[1]
        + run_command("replay")[1]
    )


def test_no_record_controls_a_terminal(run_command, tmp_path, monkeypatch):
    """An escape sequence is printed as an escape, and a name has no mark that turns the direction of writing."""
    file = tmp_path / "friend.tcr"
    file.write_text(ROUND.format("An\u202en").replace("1: 1x1", "note: \x1b]0;owned\x07\n1: 1x1"))
    assert run_command("import", file)[0] == 0
    written = run_command("export")[1]
    assert "note: \x1b]0;owned\x07\n" in written
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert "note: \\x1b]0;owned\\x07\n" in run_command("export")[1]
    for command in ("history", "players"):
        said = json.dumps(json.loads(run_command(command, "--json")[1]), ensure_ascii=False)
        assert "\u202e" not in said
        assert '"Ann"' in said


@pytest.mark.drill
def test_a_very_long_pad_takes_linear_time(tmp_path):
    """With 20,000 entries a report and a replay take seconds, where quadratic time would take minutes."""
    save_old_round(tmp_path / "data", SKAT, *["+5", "+0"] * 10_000)
    for command in (["report", "-o", str(tmp_path / "evening.md")], ["replay"], ["export", "--json"]):
        call = [sys.executable, "-m", "companion", *command, "--data", str(tmp_path / "data")]
        assert subprocess.run(call, stdout=subprocess.DEVNULL, timeout=60, check=False).returncode == 0
