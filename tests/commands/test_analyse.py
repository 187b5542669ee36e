"""`companion analyse`, and the marks of `companion replay` and `companion report`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.__main__ import main

RECORDS = Path(__file__).parents[1] / "records"
BASIC_RECORD = str(RECORDS / "27-basic.tcr")


def test_moves_are_marked_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each move with its mark and how certain that is, then the effort."""
    assert main(["analyse", "--nodes=500", BASIC_RECORD]) == 0
    first, *lines, effort = capsys.readouterr().out.splitlines()
    assert first.endswith("27-basic.tcr: 27")
    assert " 15  Ann  4x1  losing, certain: at best 5 behind; 2x1 was better (even)" in lines
    assert " 17  Ann  2x1  the only move" in lines
    assert "likely: " in lines[0]
    assert effort.endswith("seconds of processor time.")
    assert "verdicts are certain" in effort


def test_moves_are_marked_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON object a file, with the line in the record, the mark, the best move and the effort."""
    paths = [str(RECORDS / f"{name}.tcr") for name in ("27-basic", "coral-reef-sealed")]
    assert main(["analyse", "--json", "--nodes=100", *paths]) == 0
    report, sealed = map(json.loads, capsys.readouterr().out.splitlines())
    assert (report["file"], report["game"], len(report["moves"]), report["over"]) == (BASIC_RECORD, "27", 21, True)
    last = report["moves"][-2]
    assert (last["seat"], last["move"], last["mark"], last["certain"], last["best"]) == (1, "7x1", "slip", True, "7x2")
    assert Path(BASIC_RECORD).read_text(encoding="utf-8").splitlines()[last["line"] - 1] == "1: 7x1"
    assert {"nodes", "depth", "value", "best_value", "only"} <= last.keys()
    assert report["nodes"] == sum(move["nodes"] for move in report["moves"])
    assert sealed["moves"] == []
    assert sealed["decided"] is None
    docs_page = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
    listed = [
        name for line in docs_page.splitlines() if line.startswith("| `") for name in line.split("|")[1].split("`")
    ]
    assert {*report, *last} <= {*listed}


@pytest.mark.parametrize(
    ("lines", "sentence", "judged"),
    [
        ("", "No move has been made.", 0),
        ("1: 1x7\n2: 9x7\n1: 1x1\n", "The round is not over, so nothing is decided yet.", 3),
    ],
)
def test_an_unfinished_round_is_not_called_undecided(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, lines: str, sentence: str, judged: int
) -> None:
    """Neither a round without a move, nor one that is still being played."""
    record = write_record(tmp_path, lines)
    assert main(["analyse", "--nodes=20", record]) == 0
    lines_printed = capsys.readouterr().out.splitlines()
    assert lines_printed[1 + judged] == sentence
    assert len(lines_printed) == (judged + 3 if judged else 2)
    assert not judged or "of 3 verdicts are certain" in lines_printed[-1]
    assert main(["analyse", "--json", "--nodes=20", record]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (len(report["moves"]), report["over"], report["decided"]) == (judged, False, None)


@pytest.mark.parametrize(
    ("lines", "end"),
    [("", "not over"), ("1: 1x7\n2: 9x7\n", "not over: only the moves so far are marked")],
)
def test_a_replay_says_that_the_marked_round_is_not_over(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lines: str, end: str
) -> None:
    """The moves so far have their marks; without any move there is no word about marks."""
    monkeypatch.setattr("companion.games.twenty_seven.coach.Coach.node_budget", lambda self, sight: 20)
    assert main(["replay", "--marks", write_record(tmp_path, lines)]) == 0
    _, _, *moves, last = capsys.readouterr().out.splitlines()
    assert last == end
    assert len(moves) == lines.count("\n")
    assert all("likely: " in move for move in moves)


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("ziggurat-half-sealed", "None of the moves I can judge lost the round."),
        ("coral-reef-sealed", "No move can be judged: the pieces were never named."),
    ],
)
def test_both_say_why_no_move_decided_a_round(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, end: str
) -> None:
    """If no move is to blame, both commands say so in the same words."""
    monkeypatch.setattr("companion.games.ziggurat.coach.Coach.node_budget", lambda self, sight: 20)
    record = str(RECORDS / f"{name}.tcr")
    assert main(["analyse", record]) == 0
    assert end in capsys.readouterr().out.splitlines()
    assert main(["replay", "--marks", record]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == end


def test_a_shared_win_was_decided_where_a_win_was_given_away(capsys: pytest.CaptureFixture[str]) -> None:
    """Both won a round of 27 in which Ann's last move could have won it for her alone."""
    assert main(["analyse", "--nodes=100", BASIC_RECORD]) == 0
    expected = "Decided by move 20, Ann (seat 1), 7x1 (even): it gave the win away, certain; 7x2 (1 ahead) was better."
    assert expected in capsys.readouterr().out.splitlines()


def write_record(folder: Path, lines: str) -> str:
    """A record of 27 with these moves."""
    record = folder / "round.tcr"
    record.write_text(f"companion-record: 1\ngame: 27\noptions: variant=basic\nplayers: Ann, Ben\n{lines}")
    return str(record)


@pytest.mark.parametrize("names", ["[cp]*half-sealed", pytest.param("*", marks=pytest.mark.drill)], ids=["two", "all"])
def test_every_sample_record_can_be_reviewed(capsys: pytest.CaptureFixture[str], names: str) -> None:
    """Of every game and option."""
    for path in sorted(RECORDS.glob(f"{names}.tcr")):
        status = main(["analyse", "--json", "--nodes=20", str(path)])
        out = capsys.readouterr()
        assert status == (0 if out.out else 1), path
        assert status == 0 or "line " in out.err
        for move in json.loads(out.out)["moves"] if out.out else ():
            assert move["mark"] in ("best", "good", "slip", "losing")
            assert move["value"] <= move["best_value"]


def test_an_unusable_record_is_reported_in_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """An invalid record, a file without one, a missing file, and an invalid number."""
    empty = tmp_path / "empty.tcr"
    empty.write_text("\n")
    for flags in ((), ("--json",)):
        assert main(["analyse", *flags, str(empty)]) == 1
        assert capsys.readouterr() == ("", f"{empty} is empty: there is no record in it.\n")
    assert main(["analyse", str(RECORDS / "27-overshoot.tcr")]) == 1
    assert "overshoot" in capsys.readouterr().err
    assert main(["analyse", str(tmp_path / "none.tcr")]) == 2
    assert main(["analyse", "--nodes=many", BASIC_RECORD]) == 2
    assert main(["analyse"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 3
    assert "--nodes=20000" in errors[1]


def test_a_replay_has_the_marks_beside_the_moves(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only with --marks, because they take a while."""
    monkeypatch.setattr("companion.games.twenty_seven.coach.Coach.node_budget", lambda self, sight: 300)
    assert main(["replay", BASIC_RECORD]) == 0
    assert "certain" not in capsys.readouterr().out
    assert main(["replay", "--marks", BASIC_RECORD]) == 0
    assert "17  Ann  2x1    0 : 1  the only move" in capsys.readouterr().out
