"""The command line: exit statuses, JSON, plain sentences, and everything that can go wrong around it."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion import __main__ as command
from companion import __version__, games
from companion.rounds import record

FOLDER = Path(__file__).parents[1] / "records"
RECORDS = sorted(FOLDER.glob("*.tcr"))
EXPECTED = FOLDER / "expected.jsonl"
BASIC, OVERSHOOT = str(FOLDER / "27-basic.tcr"), str(FOLDER / "27-overshoot.tcr")
CLAIMS = str(FOLDER / "coral-reef-sealed.tcr")
FIELDS = ["to_move", "over", "scores", "winners", "claims"]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command in this process. Returns its exit status, standard output and standard error."""

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            status = command.main(arguments)
        except SystemExit as ended:  # As after --help.
            status = ended.code or 0
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def run_process(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command as a process of its own."""
    call = [sys.executable, "-m", "companion", *arguments]
    return subprocess.run(call, capture_output=True, encoding="utf-8", timeout=60, check=False, **options)


# check


def test_golden_records_are_answered_as_on_file(say: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every record of tests/records gives its line of expected.jsonl; UPDATE_GOLDEN=1 writes them anew."""
    monkeypatch.chdir(FOLDER)
    status, out, err = say("check", "--json", *(path.name for path in RECORDS))
    if os.environ.get("UPDATE_GOLDEN"):
        EXPECTED.write_text(out, encoding="utf-8")
    assert (status, err) == (1, "")
    assert out == EXPECTED.read_text(encoding="utf-8")


def test_golden_records_cover_every_game_and_option(settings_of_all_games: Any) -> None:
    """There is a golden record for each value of each option of each game, open and sealed, valid and refused."""
    reports = [record.check_record(path.read_text(encoding="utf-8")) for path in RECORDS]
    whole = [report.header for report in reports if report.fault is None and report.header]
    seen = {(header.game, *option) for header in whole for option in header.options.items()}
    starts = {("prime-attactics", "start", "13"), ("prime-attactics", "start", "17")}
    wanted = {(game, *option) for game, options, _ in settings_of_all_games for option in options.items()}
    assert wanted <= seen | starts
    for game in games.built_in_game_ids():
        players = games.manifest_of(game).players
        assert {header.seats for header in whole if header.game == game} >= {min(players), max(players)}
    assert any(report.false_claims for report in reports)


def test_fields_of_a_valid_record(say: Any) -> None:
    """The fields are in the order of the record's format; `line`, `code` and `message` are left out."""
    status, out, _ = say("check", "--json", BASIC)
    fields = json.loads(out)
    assert status == 0
    assert list(fields) == ["file", "game", "ok", "events", *FIELDS]
    assert fields["file"] == BASIC
    assert [fields[field] for field in FIELDS] == [None, True, [1, 1], [1, 2], []]


def test_fields_of_an_invalid_record(say: Any) -> None:
    """A refused event gives line, code and message, and the position in which it was refused."""
    status, out, _ = say("check", "--json", OVERSHOOT)
    fields = json.loads(out)
    assert status == 1
    assert list(fields) == ["file", "game", "ok", "events", "line", "code", "message", *FIELDS]
    assert (fields["ok"], fields["events"], fields["line"], fields["code"]) == (False, 8, 13, "overshoot")
    assert [fields[field] for field in FIELDS] == [1, False, [7, 7], [], []]


def test_a_broken_header_has_no_position(say: Any, tmp_path: Path) -> None:
    """After a wrong header or deal the game is named if it is known, and the position is null (record, Commands)."""
    broken = tmp_path / "broken.tcr"
    for text, game in (("", None), ("companion-record: 1\ngame: ziggurat\ndeal 1: 0-0\n", "ziggurat")):
        broken.write_text(text, encoding="utf-8")
        said = json.loads(say("check", "--json", str(broken))[1])
        assert (said["game"], said["ok"], said["events"]) == (game, False, 0)
        assert [said[field] for field in FIELDS] == [None] * 5


def test_false_claims_by_line(say: Any) -> None:
    """False claims are listed by line, and in words with what could have been played (record, Commands)."""
    lines = Path(CLAIMS).read_text(encoding="utf-8").split("\n")
    status, out, _ = say("check", "--json", CLAIMS)
    claims = json.loads(out)["claims"]
    assert status == 0
    assert claims
    assert all(list(claim) == ["line", "seat"] for claim in claims)
    assert all(lines[claim["line"] - 1] == f"{claim['seat']}: draw" for claim in claims)
    words = say("check", CLAIMS)[1]
    for claim in claims:
        assert f"line {claim['line']}: " in words
    assert "claimed to have no move, but could have played seed." in words


def test_a_refused_line_is_shown_with_its_reason(say: Any) -> None:
    """With file, line number, the line itself, and the reason in a sentence (record, Commands)."""
    status, out, err = say("check", OVERSHOOT)
    assert (status, err) == (1, "")
    assert out == (
        f"{OVERSHOOT}, line 13: 1: 7x1\n  overshoot: 7+3 = 10, the row ends at 9: "
        "seat 1 has 3 stacks, so each move is 3 steps (field 6 is the last you can start from).\n"
    )


def test_a_valid_record_is_reported_in_a_sentence(say: Any, tmp_path: Path) -> None:
    """With the score, and who has won or is to move."""
    assert say("check", BASIC)[1].endswith("Ann (seat 1) and Ben (seat 2) share the win, 1 to 1: neither can move.\n")
    running = tmp_path / "running.tcr"
    running.write_text("companion-record: 1\ngame: 27\n1: 1x1\n", encoding="utf-8")
    assert say("check", str(running))[1] == f"{running} is valid: 27, 1 move, 9 to 8, seat 2 is to move.\n"


def test_a_whole_round_without_a_result_is_pointed_at(say: Any, tmp_path: Path) -> None:
    """It is valid, but nobody would notice that the rules count otherwise; the contract of games refuses it."""
    whole = Path(BASIC).read_text(encoding="utf-8")
    (result,) = (line for line in whole.splitlines() if line.startswith("result:"))
    short = tmp_path / "short.tcr"
    short.write_text(whole.replace(f"{result}\n", ""), encoding="utf-8")
    status, out, _ = say("check", str(short))
    assert status == 0
    assert out.splitlines()[1:] == [f"  It has no result to compare with. It would be this line: {result}"]
    assert len(say("check", BASIC)[1].splitlines()) == 1


def test_a_line_cannot_play_tricks_with_the_terminal(say: Any, tmp_path: Path) -> None:
    """Control characters are written as escapes, and a long line is shortened."""
    path = tmp_path / "tricks.tcr"
    path.write_text("companion-record: 1\ngame: 27\n1: \x1b[2J\u202e" + "x" * 5000, encoding="utf-8")
    status, out, _ = say("check", str(path))
    assert status == 1
    assert "\\x1b[2J\\u202e" in out
    assert len(out) < 700
    assert all(line.isprintable() for line in out.split("\n"))


def test_several_files_in_order(say: Any, tmp_path: Path) -> None:
    """Each file has its line, in order. One that cannot be read gives a sentence instead, and status 2."""
    absent, binary = tmp_path / "absent.tcr", tmp_path / "binary.tcr"
    binary.write_bytes(b"companion-record: 1\n\xff\n")
    status, out, err = say("check", "--json", OVERSHOOT, str(absent), BASIC, str(binary), str(tmp_path))
    assert status == 2
    assert [json.loads(line)["file"] for line in out.splitlines()] == [OVERSHOOT, BASIC]
    assert err.splitlines() == [
        f"companion: cannot read {absent}: No such file or directory",
        f"companion: cannot read {binary}: byte 21 is not UTF-8",
        f"companion: cannot read {tmp_path}: Is a directory",
    ]


def test_standard_input(say: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` is standard input, with or without a byte order mark and DOS line ends."""
    data = b"\xef\xbb\xbf" + Path(BASIC).read_bytes().replace(b"\n", b"\r\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    status, out, _ = say("check", "--json", "-")
    assert status == 0
    assert json.loads(out)["file"] == "-"


def test_a_file_named_like_an_option(say: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After `--` everything is a file."""
    monkeypatch.chdir(tmp_path)
    Path("--json").write_bytes(Path(BASIC).read_bytes())
    assert say("check", "--", "--json") == (0, say("check", "./--json")[1].replace("./", ""), "")


# moves


def test_moves_are_listed_as_text(say: Any, tmp_path: Path) -> None:
    """One a line, sorted by code point, and the same as JSON (record, Commands)."""
    path = tmp_path / "start.tcr"
    path.write_text("companion-record: 1\ngame: 27\noptions: variant=expert\n", encoding="utf-8")
    listed = ["1x1", "1x10", "1x2", "1x3", "1x4", "1x5", "1x6", "1x7", "1x8", "1x9"]
    assert say("moves", str(path)) == (0, "".join(f"{move}\n" for move in listed), "")
    assert say("moves", "--json", str(path)) == (0, json.dumps({"to_move": 1, "moves": listed}) + "\n", "")


def test_moves_of_a_round_that_is_over(say: Any) -> None:
    """Nobody is to move, so nothing is listed (record, Commands)."""
    assert say("moves", "--json", BASIC) == (0, '{"to_move": null, "moves": []}\n', "")
    assert say("moves", BASIC) == (0, "", "The round is over.\n")


def test_moves_of_an_invalid_record(say: Any) -> None:
    """The reason goes to standard error, and the exit status is 1 (record, Commands)."""
    status, out, err = say("moves", "--json", OVERSHOOT)
    assert (status, out) == (1, "")
    assert "line 13: 1: 7x1" in err


def test_moves_are_sorted_distinct_and_legal(
    settings_of_all_games: Any, play_round: Any, say: Any, tmp_path: Path
) -> None:
    """Every listed event that is complete can be added to the record, for every game and option."""
    path = tmp_path / "part.tcr"
    for number, (game, options, players) in enumerate(settings_of_all_games):
        played = play_round(game, options, players, random.Random(number), share=1, longest=5 + number)
        path.write_text(played.record_text, encoding="utf-8")
        status, out, _ = say("moves", "--json", str(path))
        moves = json.loads(out)["moves"]
        assert status == 0
        assert moves == sorted(set(moves))
        for move in moves[:: len(moves) // 5 + 1]:
            if move not in ("draw", "refill"):
                seat = played.rules.seat_to_move(played.states[-1])
                assert record.check_record(f"{played.record_text}{seat}: {move}\n").fault is None


# Around the commands


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "which command?"),
        (("chek", "a"), "there is no command chek; did you mean check?"),
        (("\x1b[2J",), "there is no command \\x1b[2J; the commands are"),
        (("check",), "name the records to check"),
        (("check", "--jsn", "a"), "there is no option --jsn; the options are --json"),
        (("moves",), "name one record"),
        (("moves", "a", "b"), "name one record"),
    ],
)
def test_unusable_arguments(say: Any, arguments: tuple[str, ...], sentence: str) -> None:
    """They are refused in a sentence on standard error, with exit status 2."""
    status, out, err = say(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"companion: {sentence}")


def test_help_and_version(say: Any) -> None:
    """The help names every command, and every command has a help of its own."""
    status, out, err = say("--help")
    assert (status, err) == (0, "")
    for name, does in command.COMMANDS.items():
        assert f"  {name} " in out
        assert does in out
    assert say("--version") == (0, f"companion {__version__}\n", "")
    for name in ("check", "moves"):
        assert say(name, "--help")[1].startswith(f"companion {name} [--json] FILE")


def test_an_error_of_the_program_is_a_sentence_too(say: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """No player sees a traceback unless they ask for one."""
    monkeypatch.setattr("companion.commands.check.main", lambda given: {}["x"])
    status, out, err = say("check", BASIC)
    assert (status, out) == (70, "")
    assert err == "companion: an error in the program itself (KeyError: 'x'); set COMPANION_TRACEBACK=1 to see where\n"
    monkeypatch.setenv("COMPANION_TRACEBACK", "1")
    with pytest.raises(KeyError):
        say("check", BASIC)


def test_exit_statuses_of_the_process() -> None:
    """0 if all records are valid, 1 if one is not, 2 if the command cannot be used (record, Commands)."""
    assert run_process("check", BASIC).returncode == 0
    assert run_process("check", BASIC, OVERSHOOT).returncode == 1
    assert run_process("check", OVERSHOOT, "absent.tcr").returncode == 2
    refused = run_process("moves", OVERSHOOT)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("environment", [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}])
def test_any_character_set_will_do(environment: dict[str, str]) -> None:
    """A name that the terminal cannot show is written with escapes, and is no failure."""
    said = run_process("check", str(FOLDER / "27-sloppy.tcr"), env={**os.environ, **environment})
    assert said.returncode == 0
    assert "Ann (seat 1) is to move" in said.stdout


def test_output_that_nobody_reads() -> None:
    """A reader that ends early, as `head` does, is no failure to report."""
    read, write = os.pipe()
    os.close(read)
    call = [sys.executable, "-m", "companion", "check", *[BASIC] * 50]
    done = subprocess.run(call, stdout=write, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_output_that_has_no_room() -> None:
    """A full disk is reported in a sentence."""
    with open("/dev/full", "w") as full:
        call = [sys.executable, "-m", "companion", "check", BASIC]
        done = subprocess.run(call, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"companion: ")
    assert done.stderr.count(b"\n") == 1


def test_interrupted_while_reading() -> None:
    """Ctrl-C ends the command without a message."""
    code = """
import signal, sys
from companion import __main__
from companion.commands import text_streams
signal.signal(signal.SIGINT, signal.default_int_handler)  # A shell's background job would ignore it.
text_streams.read_text = lambda path: print("reading", flush=True) or signal.pause()
sys.exit(__main__.main(["check", "-"]))
"""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], stdout=pipe, stderr=pipe) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        assert run.stdout.readline() == b"reading\n"
        run.send_signal(signal.SIGINT)
        assert run.wait(timeout=60) == 130
        assert run.stderr.read() == b""


def test_only_the_named_game_is_loaded() -> None:
    """`check` imports only the rules of the record's game, and no library for devices, images or JSON (the house)."""
    code = "import sys, companion.__main__ as c; c.main(); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, "check", BASIC], capture_output=True, encoding="utf-8", timeout=60, check=True
    )
    loaded = done.stdout.splitlines()[-1].split()
    heavy = {"argparse", "json", "dataclasses", "PIL", "luma", "gpiozero", "serial", "sqlite3", "hardware", "inspect"}
    assert not heavy & set(loaded)
    games = [
        name for name in loaded if name.startswith("companion.games.") and not name.startswith("companion.games.api")
    ]
    assert [name for name in games if name.count(".") > 2] == ["companion.games.twenty_seven.rules"]
    assert "importlib.metadata" not in loaded, "no other packages are looked up"


@pytest.mark.parametrize(
    ("name", "most"),
    [("coral-reef-cards", 14.5), ("27-basic", 9), ("prime-attactics-full-11", 13), ("ziggurat-6-solid", 11)],
)
def test_an_event_is_checked_with_few_calls(name: str, most: float) -> None:
    """The number of calls does not depend on the machine's load, as a time does. The header's lines count too."""
    text = (FOLDER / f"{name}.tcr").read_text(encoding="utf-8")
    events = len(record.check_record(text).events)  # What only the first check does is done.
    calls: list[str] = []
    sys.setprofile(lambda frame, event, _: calls.append(frame.f_code.co_qualname) if event == "call" else None)
    try:
        record.check_record(text)
    finally:
        sys.setprofile(None)
    assert len(calls) / events < most


def test_a_sealed_hand_with_nothing_to_list_is_reported(tmp_path: Path, say: Any) -> None:
    """If a sealed holding leaves nothing to list, a sentence says so; no empty line looks like a move."""
    path = tmp_path / "sealed.tcr"
    path.write_text("companion-record: 1\ngame: ziggurat\n")
    status, out, err = say("moves", str(path))
    assert (status, out) == (0, "")
    assert err == "There is nothing to list: seat 1 is to move, and the record does not show its pieces.\n"


@pytest.mark.parametrize("text", ["hello\n", "companion-record: 1\nhello: 1\n"])
def test_a_text_that_is_no_record_is_reported_without_a_line(text):
    """The sentence says what a record begins with, and not "this line", since no line is shown."""
    fault = record.check_record(text).fault
    assert fault.code == "header"
    assert "this line" not in fault.message
