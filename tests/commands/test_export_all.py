"""A folder of exported records is a backup: it grows with the rounds, is never half written, and can be checked."""

from __future__ import annotations

import fcntl
import os
import resource
import signal
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.commands.exported_text import remove_check_line
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store

HEADER = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"))
SKAT = RoundHeader("pad", (("title", "Skat"), ("wins", "highest"), ("target", "0"), ("turns", "0")), ("Ann", "Ben"))


@pytest.fixture
def save_entries(tmp_path):
    """Returns a function that saves log entries in a store that was opened at a given hour of one day."""

    def lines(*writes: LogEntry, data: str = "data", hour: int = 20) -> None:
        store = Store(tmp_path / data, now=lambda: datetime(2026, 11, 21, hour, tzinfo=UTC))
        store.write_entries(writes)
        store.close()

    return lines


@pytest.fixture
def export(tmp_path, capsys):
    """Returns `export(…)` to the folder: exit status, standard output, standard error."""

    def command(*more: str, data: str = "data") -> tuple[int, str, str]:
        status = main(["export", "--data", str(tmp_path / data), "--all", str(tmp_path / "out"), *more])
        return status, *capsys.readouterr()

    return command


@pytest.fixture
def output_folder(tmp_path) -> Path:
    return tmp_path / "out"


def file_names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_a_round_that_went_on_is_renewed(save_entries, export, output_folder):
    """So is a round with a takeback."""
    save_entries(LogEntry(1, "begin", header=HEADER), LogEntry(1, "event", 1, "1x1"))
    assert export()[1] == f"1 round written to {output_folder}\n"
    save_entries(LogEntry(1, "event", 2, "9x1"), LogEntry(1, "event", 1, "1x1"))
    assert export()[:2] == (0, f"0 rounds written to {output_folder}, 1 updated\n")
    assert remove_check_line((output_folder / "000001-27.tcr").read_text()).endswith("\n1: 1x1\n2: 9x1\n1: 1x1\n")
    save_entries(LogEntry(1, "back"), LogEntry(1, "back"))
    export()
    assert remove_check_line((output_folder / "000001-27.tcr").read_text()).endswith("\n1: 1x1\n")
    assert export()[1] == f"0 rounds written to {output_folder}, 1 unchanged\n"
    assert file_names(output_folder) == ["000001-27.tcr"]


def test_a_score_pad_that_went_on_is_renewed(save_entries, export, output_folder):
    """The date of its start shows that it is the same pad."""
    save_entries(LogEntry(1, "begin", header=SKAT), LogEntry(1, "event", 1, "+5"))
    export()
    save_entries(LogEntry(1, "event", 2, "+7"))
    assert export()[1] == f"0 rounds written to {output_folder}, 1 updated\n"
    assert '"points": 7' in (output_folder / "000001-pad.json").read_text()


@pytest.mark.parametrize("length", [0, 1, 25, 60, 100, -1])
def test_a_truncated_file_is_written_again(save_entries, export, output_folder, length):
    """Whatever a full disk or a power cut has left is not taken for the whole."""
    save_entries(LogEntry(1, "begin", header=HEADER), LogEntry(1, "event", 1, "1x1"))
    export()
    file = output_folder / "000001-27.tcr"
    whole = file.read_bytes()
    file.write_bytes(whole[:length])
    assert export("--check")[0] == 1
    assert export()[1] == f"0 rounds written to {output_folder}, 1 updated\n"
    file.write_bytes(bytes(len(whole)))  # As a cut power leaves a file whose length alone was on disk.
    export()
    assert file.read_bytes() == whole
    assert file_names(output_folder) == [file.name]


def test_rounds_of_another_store_are_not_overwritten(save_entries, export, output_folder):
    """On a new card rounds are counted from 1 again; the old ones' files stay beside them."""
    save_entries(LogEntry(1, "begin", header=HEADER), LogEntry(1, "event", 1, "1x1"))
    export()
    old = (output_folder / "000001-27.tcr").read_bytes()
    save_entries(LogEntry(1, "begin", header=HEADER), LogEntry(1, "event", 1, "2x1"), data="new", hour=21)
    for told in ("1 round written", "0 rounds written"):
        assert export(data="new")[1].startswith(told)
    assert (output_folder / "000001-27.tcr").read_bytes() == old
    assert file_names(output_folder) == ["000001-27-2.tcr", "000001-27.tcr"]
    assert export("--check")[0] == export("--check", data="new")[0] == 0


def test_the_check_of_a_table_without_rounds_says_so(save_entries, export):
    """In French the number 0 takes the singular."""
    save_entries()
    assert export("--check") == (0, "", "companion: no rounds yet\n")


def test_the_check_says_whether_a_folder_is_complete(save_entries, export, output_folder):
    """A missing file and one that has grown are named, and nothing is written."""
    save_entries(LogEntry(1, "begin", header=HEADER), LogEntry(1, "event", 1, "1x1"), LogEntry(2, "begin", header=SKAT))
    export()
    assert export("--check") == (0, f"{output_folder} is complete: 2 rounds\n", "")
    save_entries(LogEntry(1, "event", 2, "9x1"))
    (output_folder / "000002-pad.json").unlink()
    before = (output_folder / "000001-27.tcr").read_bytes()
    status, said, complaint = export("--check")
    assert (status, said) == (1, f"{output_folder} has 0 of 2 rounds\n")
    assert complaint.splitlines() == [
        f"companion: {output_folder}/000001-27.tcr differs from the saved round",
        f"companion: {output_folder}/000002-pad.json is missing",
    ]
    assert (file_names(output_folder), (output_folder / "000001-27.tcr").read_bytes()) == (["000001-27.tcr"], before)


def test_a_check_without_a_folder_is_refused(capsys):
    assert main(["export", "--check"]) == 2
    assert "--check needs a folder" in capsys.readouterr().err


def test_files_are_on_disk_before_they_have_their_name(save_entries, export, monkeypatch):
    """Each file is synced, then renamed; at the end the folder is synced."""
    save_entries(LogEntry(1, "begin", header=HEADER), LogEntry(2, "begin", header=SKAT))
    done: list[str] = []
    sync, rename = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda fd: (done.append(f"sync {file_kind(fd)}"), sync(fd)))
    monkeypatch.setattr(Path, "replace", lambda self, to: (done.append("rename"), rename(self, to)))
    assert export()[0] == 0
    assert done == ["sync file", "rename", "sync file", "rename", "sync folder"]


def file_kind(fd: int) -> str:
    return "folder" if os.path.isdir(f"/proc/self/fd/{fd}") else "file"


def test_a_disk_that_is_full_leaves_no_half_file(save_entries, export, output_folder):
    """A sentence names the file, older files stay, and with room everything is written."""
    save_entries(
        LogEntry(1, "begin", header=HEADER),
        LogEntry(2, "begin", header=HEADER),
        *[LogEntry(2, "event", 1, "1x1")] * 12_000,
    )
    save_entries(LogEntry(3, "begin", header=HEADER))
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, hard))
    status, _, complaint = export()
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    signal.signal(signal.SIGXFSZ, ignored)
    assert (status, file_names(output_folder)) == (2, ["000001-27.tcr"])
    assert complaint == f"companion: cannot write {output_folder}/000002-27.tcr: File too large\n"
    assert export()[1] == f"2 rounds written to {output_folder}, 1 unchanged\n"
    assert export("--check")[0] == 0


def test_leftovers_of_a_killed_export_are_removed(save_entries, export, output_folder):
    """The next export removes the unfinished file."""
    save_entries(LogEntry(1, "begin", header=HEADER))
    output_folder.mkdir()
    (output_folder / ".000001-27.tcr.part").write_text("companion-rec")
    export()
    assert file_names(output_folder) == ["000001-27.tcr"]


def test_two_exports_do_not_write_to_one_folder_at_a_time(save_entries, export, output_folder):
    """The second is refused in a sentence."""
    save_entries(LogEntry(1, "begin", header=HEADER))
    output_folder.mkdir()
    other = os.open(output_folder, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    assert export()[::2] == (2, f"companion: another export to {output_folder} is running\n")
    os.close(other)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (LogEntry(2, "event", 1, "nonsense"), "round 2 cannot be exported: "),
        (LogEntry(2, "deal", 1, "nonsense"), "round 2 cannot be exported: "),
    ],
)
def test_one_bad_round_does_not_stop_the_others(save_entries, export, output_folder, capsys, bad, why):
    """The bad round is named and left out; exported alone it is refused in a sentence."""
    save_entries(
        LogEntry(1, "begin", header=HEADER),
        LogEntry(2, "begin", header=HEADER),
        bad,
        LogEntry(3, "begin", header=HEADER),
    )
    status, _, complaint = export("--reveal")
    assert (status, file_names(output_folder)) == (1, ["000001-27.tcr", "000003-27.tcr"])
    assert why in complaint
    assert export("--check", "--reveal")[1] == f"{output_folder} has 2 of 3 rounds\n"
    assert main(["export", "2", "--reveal", "--data", str(output_folder.parent / "data")]) == 2
    assert why in capsys.readouterr().err


def test_half_a_character_in_a_title_becomes_a_question_mark(save_entries, export, output_folder):
    """An older version accepted it; later rounds are exported all the same."""
    save_entries(LogEntry(1, "begin", header=SKAT._replace(options=(("title", "Sk\ud800t"), *SKAT.options[1:]))))
    save_entries(LogEntry(2, "begin", header=HEADER))
    assert export()[0] == 0
    assert '"Sk?t"' in (output_folder / "000001-pad.json").read_text()
    assert export("--check")[0] == 0


def test_hidden_pieces_are_exported_only_on_request(save_entries, export, output_folder):
    header = RoundHeader("coral-reef", (("form", "cards"),), ("Ann", "Ben"), opened=(("deal", 1),))
    save_entries(LogEntry(1, "begin", header=header), LogEntry(1, "deal", 1, "45TTTTTK"))
    assert export()[2].endswith("round 1 is not over and has hidden pieces; use --reveal to export it anyway\n")
    assert file_names(output_folder) == []
    export("--reveal")
    assert "deal 1: 45TTTTTK" in (output_folder / "000001-coral-reef.tcr").read_text()
