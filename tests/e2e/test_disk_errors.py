"""System calls to the disk that fail once while the real program plays a short round."""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import signal
import subprocess

import pytest

from companion.games.twenty_seven.rules import RULES
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store
from companion.store.store_warnings import WarningKind

ARGUMENTS = ("--game", "27", "--options", "variant=basic", "--players", "Ann,Ben")
CALLS_BETWEEN_FAILURES = int(os.environ.get("PYTEST_EIO_EVERY", "60"))
"""Every so many calls one fails; PYTEST_EIO_EVERY=1 lets every one fail."""


def random_round_keys(chance: random.Random) -> tuple[str, list[str]]:
    """The keys of a whole round, and its moves as in a record."""
    state, keys, lines = RULES.initial_state(2, {"variant": "basic"}, {}), "", []
    while (seat := RULES.seat_to_move(state)) is not None:
        move = chance.choice(RULES.legal_moves(state))
        state = RULES.play_move(state, seat, move)
        keys += (
            str(move).replace("x", "") + "#" + ("#" if RULES.skipped_seats(state) and RULES.seat_to_move(state) else "")
        )
        lines.append(f"{seat}: {move}")
    return keys, lines


def strace(box, call: int) -> list[str]:
    names = ("journal", "db", "db-wal", "db-shm", "sums")
    files = [word for name in names for word in ("-P", str(box.data / f"rounds.{name}"))]
    trace = ["-o", str(box.folder / "trace"), "-e", f"inject=!fcntl:error=EIO:when={call}"]
    return ["strace", "-D", "-f", "-qq", *files, *trace]


def stop_traced(process: subprocess.Popen[bytes]) -> None:
    """End the program as the service manager does.

    While strace traces the main thread, the kernel hands a signal to another thread, which does not wake Python's main
    thread from its wait for inputs; then the signal is sent again.
    """
    for _ in range(12):
        if process.poll() is not None:
            return
        process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
    assert process.poll() is not None, "it does not end"


@pytest.mark.drill
@pytest.mark.parametrize("part", range(2))
def test_a_call_fails_while_the_real_program_plays(box, tmp_path, part):
    """No traceback, no damage, earlier rounds untouched; what is saved of the round is what was typed.

    The failing call is chosen by its number among calls of its kind; several may fail, one after the other.
    """
    assert shutil.which("strace"), "strace is not installed"
    keys, lines = random_round_keys(random.Random(5))
    failed = kept_whole = 0
    for call in range(1 + part * CALLS_BETWEEN_FAILURES // 2, 2000, CALLS_BETWEEN_FAILURES):
        table = box(*ARGUMENTS, folder=tmp_path / str(call))
        before = Store(table.data)
        before.write_entries(
            [LogEntry(1, "begin", header=RoundHeader("27", (), ("Cleo", "Dan"))), LogEntry(1, "event", 1, "1x1")]
        )
        before.write_entries([LogEntry(1, "aside")])
        first = before.load_round(1)
        before.close()
        with contextlib.suppress(AssertionError):  # It may end with a sentence before it has shown anything.
            table.start(*strace(table, call))
            table.settled_picture()
            table.type_keys(keys)
            table.settled_picture()
        stop_traced(table.process)
        table.close()
        assert "Traceback" not in table.log_text, (call, table.log_text)
        store = Store(table.data)
        # What was refused may lie behind the end where the disk also failed while it was closed; that is no damage.
        assert not store.pending_warnings.kinds - {WarningKind.MENDED}, call
        assert store.load_round(1) == first
        if (round_ := store.load_round(2)) is not None:
            # After a move that was refused the keys mean other moves; up to there they are those that were typed.
            events = [f"{seat}: {text}" for seat, text in round_.events]
            refused = re.search(r"Not saved|cannot|damaged", table.log_text)
            assert refused or events == lines, (call, events, table.log_text)
            kept_whole += events == lines
        store.close()
        if "(INJECTED)" not in (tmp_path / str(call) / "trace").read_text():
            assert kept_whole
            break
        failed += 1
    assert failed > 2, "hardly a call failed: this proves nothing"
    print(f"{failed} calls failed, {kept_whole} rounds were kept whole all the same")
