"""The power is cut: whatever was on the panel is still there, and the round is offered again."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

ARGUMENTS = ("--game", "27", "--options", "variant=advanced", "--players", "Ann,Ben")


def test_the_next_start_offers_the_round(box, matches):
    """Go on? names the game, the players and the move."""
    table = box(*ARGUMENTS)
    table.start()
    table.type_keys("13#92#")
    table.settled_picture()
    table.cut_power()
    table.start()
    matches(table, "27/11-continue")
    table.type_keys("#")
    matches(table, "27/12-gone-on")


@pytest.mark.drill
def test_the_next_start_offers_a_round_whose_first_hand_is_named(box, matches):
    """Killed while the first hand is typed; the second start asks, and OK leads back to naming that hand."""
    table = box("--game", "coral-reef", "--options", "form=cards", "--players", "Ann,Ben", "--open", "1d")
    table.start()
    named = table.settled_picture()
    table.type_keys("13")
    table.settled_picture()
    table.cut_power()
    table.start()
    matches(table, "continue-at-the-first-hand")
    table.type_keys("#")
    assert table.wait_for_picture(named)


@pytest.mark.drill
def test_a_move_is_on_disk_before_the_panel_shows_it(box, tmp_path):
    """A trace of the system calls has the sync to disk before the first byte of the new picture."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    trace = tmp_path / "trace"
    table = box(*ARGUMENTS)
    table.start(
        "strace", "-f", "-y", "-s", "80", "-e", "trace=read,write,fdatasync,fsync,pwrite64", "-o", str(trace)
    )  # fmt: skip
    table.settled_picture()
    table.type_keys("13")
    table.settled_picture()
    mark = len(trace.read_text())
    table.type_keys("#")
    table.settled_picture()
    subprocess.run(["pkill", "-P", str(table.process.pid)], timeout=60, check=False)
    calls = trace.read_text()[mark:].splitlines()
    # A call in which another thread was looked at is two lines: "fdatasync(… <unfinished ...>", "<... resumed>) = 0".
    pressed = next(index for index, call in enumerate(calls) if re.search(r'read(\(| resumed>).*"#"', call))
    both = [next(index for index, call in enumerate(calls) if "fdatasync(" in call and f"/{name}>" in call)
            for name in ("rounds.journal", "rounds.db-wal")]  # fmt: skip
    # A message to the panel is a line of the wire's log: here, data for the display.
    drawn = next(index for index, call in enumerate(calls) if "write(" in call and "/log>" in call)
    assert pressed < both[0] < both[1] < drawn, calls
