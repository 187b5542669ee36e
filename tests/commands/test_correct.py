"""`companion correct` and `companion void`: a finished result is changed, and all that follows from it follows."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.rounds import record
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store

RECORDS = Path(__file__).parent.parent / "records"
PAD = RoundHeader("pad", (("title", "Skat"), ("wins", "highest"), ("target", "0"), ("turns", "0")), ("Ann", "Ben"))


@pytest.fixture
def run(tmp_path, capsys):
    def command(name: str, *arguments: object) -> tuple[int, str, str]:
        status = main([name, "--data", str(tmp_path / "data"), *map(str, arguments)])
        return status, *capsys.readouterr()

    return command


@pytest.fixture
def pad(run, tmp_path):
    store = Store(tmp_path / "data")
    store.write_entries(
        [LogEntry(1, "begin", header=PAD), LogEntry(1, "event", 1, "+12"), LogEntry(1, "event", 2, "+21")]
    )
    store.write_entries([LogEntry(1, "result", text="12 21 winners 2")])
    store.close()
    found = json.loads(run("export", "1", "--json")[1])
    found["entries"][1]["points"] = 2
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(found))
    return file


def winners(run):
    return [each["winners"] for each in json.loads(run("history", "--json")[1])]


def test_a_corrected_pad_replaces_the_old_one(run, pad, tmp_path):
    """Its entries count, even if the file still has the old totals."""
    assert run("correct", 1, pad) == (
        0,
        "round 1 was: Ann 12, Ben 21, Ben wins\nit is now: Ann 12, Ben 2, Ann wins\n",
        "",
    )
    assert winners(run) == [["Ann"]]
    assert "+21" in (tmp_path / "data" / "rounds.journal").read_text()
    (tmp_path / "out.json").write_text(run("export", "1", "--json")[1])
    assert run("import", tmp_path / "out.json")[1] == "0 rounds imported, 1 already saved, 0 refused\n"
    assert run("correct", 1, pad)[:2] == (1, "")


@pytest.mark.parametrize("name", ["27-basic", "prime-attactics-easy-13", "coral-reef-cards", "ziggurat-6-solid"])
def test_a_changed_record_is_refereed_again(run, tmp_path, name, monkeypatch):
    """The round's own export changes nothing; a shorter record is not over, and an invalid move is named."""
    run("import", RECORDS / f"{name}.tcr")
    before = run("export", "1")[1]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(before.encode())))
    assert run("correct", 1, "-")[0] == 1
    last = [line for line in before.splitlines() if re.match("[0-9]", line)][-1]
    file = tmp_path / "shorter.tcr"
    file.write_text(before.replace(f"{last}\n", "", 1))
    assert "not over" in run("correct", 1, file)[2]
    file.write_text(before.replace(last, "1: nonsense", 1))
    assert f"line {before.splitlines().index(last) + 1}" in run("correct", 1, file)[2]
    assert run("export", "1")[1] == before


def test_another_last_move_replaces_the_round(run, tmp_path):
    """Import refuses the edited export and names `correct`; corrected, the round ends as its record says."""
    run("import", RECORDS / "27-basic.tcr")
    before = run("export", "1")[1]
    moves = [line for line in before.splitlines() if re.match("[0-9]", line)]
    file = tmp_path / "other.tcr"
    for count in range(len(moves) - 1, 0, -1):
        head = before[: before.index(moves[count])]
        other = replay_with_another_end(head, moves[count])
        if other:
            break
    file.write_text(other)
    assert "companion correct 1" in run("import", file)[2]
    assert len(winners(run)) == 1
    status, _, complaint = run("correct", 1, file)
    assert (status, complaint) == (0, "")
    exported = run("export", "1")[1]
    assert [line for line in exported.splitlines() if re.match("[0-9]", line)] == [
        line for line in other.splitlines() if re.match("[0-9]", line)
    ]
    assert len(winners(run)) == 1


def replay_with_another_end(head, without):
    """Play a record that begins like this to its end without one line. Returns "" if that is not possible."""
    first = True
    for _ in range(100):
        report = record.check_record(head)
        turn = report.rules.seat_to_move(report.state)
        if turn is None:
            return head
        moves = [f"{turn}: {move}" for move in report.rules.legal_moves(report.state)]
        moves = [move for move in moves if not first or move != without]
        first = False
        if not moves:
            return ""
        head += moves[0] + "\n"
    return ""


def test_a_void_round_can_be_restored(run, pad):
    """A void round stays in the list, and counts nowhere until it is restored."""
    assert run("void", 1) == (0, "round 1 is void\n", "")
    assert winners(run) == [None]
    assert "void" in run("history")[1]
    assert json.loads(run("standings", "--json")[1]) == []
    assert run("void", 1)[0] == 2
    assert run("correct", 1, pad)[0] == 2
    assert run("void", 1, "--undo") == (0, "round 1 counts again\n", "")
    assert winners(run) == [["Ben"]]


def test_an_invalid_request_is_refused_in_one_sentence(run, pad, tmp_path, monkeypatch):
    """The stored rounds are the same afterwards."""
    pad.write_text(pad.read_text().replace("Ann", "Anna"))
    assert "cannot change" in run("correct", 1, pad)[2]
    pad.write_text("{")
    assert "JSON" in run("correct", 1, pad)[2]
    assert "no round 7" in run("correct", 7, pad)[2]
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert "standard input" in run("correct", 1)[2]
    assert winners(run) == [["Ben"]]


def test_a_round_is_corrected_in_the_editor(run, pad, tmp_path, monkeypatch):
    """An invalid text is not lost: the sentence says where it is."""
    editor = tmp_path / "editor"
    monkeypatch.setenv("EDITOR", shlex.join((sys.executable, str(editor))))
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    editor.write_text("")
    assert run("correct", 1)[0] == 1
    change = "import sys; p = sys.argv[1]; s = open(p).read(); open(p, 'w').write(s.replace('21', '{}'))"
    editor.write_text(change.format("x"))
    complaint = run("correct", 1)[2]
    path = Path(complaint.split()[-1])
    assert '"points": x' in path.read_text()
    path.unlink()
    editor.write_text(change.format("2"))
    assert run("correct", 1)[0] == 0
    assert winners(run) == [["Ann"]]
