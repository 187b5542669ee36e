"""The plug is pulled: whatever had reached the panel is still there, and the round is offered again."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from goldens import seen
from PIL import ImageChops

from companion import evening, screens
from companion.games.twenty_seven.rules import RULES
from companion.inputs import Pressed
from companion.rounds.stored import RoundHeader, Settings, StoredHistory

HEADER = RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben"))
ARGUMENTS = ("--game", "27", "--options", "variant=advanced", "--players", "Ann,Ben")


def round_of(chance: random.Random) -> tuple[list[str], list[str]]:
    """The keys and the record lines of a round's moves."""
    state = RULES.start(2, {"variant": "advanced"}, {})
    keys, lines = [], []
    while (seat := RULES.turn(state)) is not None:
        move = chance.choice(RULES.moves(state))
        state = RULES.play(state, seat, move)
        keys.append(str(move).replace("x", "") + "#" + ("#" if RULES.skipped(state) and RULES.turn(state) else ""))
        lines.append(f"{seat}: {move}")
    return keys, lines


def earliest(keys: list[str]) -> dict[bytes, int]:
    """Each picture of the round, key by key, with any shift → the fewest events that it comes with."""
    now = 0.0
    session = evening.start(Settings((), HEADER), StoredHistory(), now)
    found: dict[bytes, int] = {}
    for key in ["", *"".join(keys)]:
        if key:
            now += 0.01
            session = evening.update(session, Pressed(key, now))
        for image in (screens.draw(session), seen(session)):
            for shift in (-1, 0, 1):
                found.setdefault(ImageChops.offset(image, shift, 0).tobytes(), len(session.round.events))
    return found


def events(box) -> list[str]:
    return [line for line in box.export().splitlines() if re.match(r"\d: ", line)]


def pull_the_plug(box, folder: Path, times: int, seed: int) -> int:
    """Play a round, the plug pulled at random moments, at most so many times; how often it was."""
    chance = random.Random(seed)
    keys, lines = round_of(chance)
    shown = earliest(keys)
    folder.mkdir()
    table = box(*ARGUMENTS, folder=folder)
    done = recognised = pulled = 0
    for pull in range(times):
        table.start()
        if pull:
            table.settled()
            table.type("#")  # Go on.
        if done >= len(keys) - 3:
            break
        many = keys[done : done + chance.randint(1, 6)]
        table.type("".join(many))
        time.sleep(chance.uniform(0.0, 0.4))
        if not pull % 2:  # However slow the machine is, some pictures have to tell of an event.
            table.settled()
        table.kill()
        pulled += 1
        # While a picture is on the wire, the panel shows half of it and half of the last: that tells nothing.
        told = shown.get(table.picture().tobytes(), 0)
        kept = events(table)
        assert kept == lines[: len(kept)], "an event was invented or changed"
        assert told <= len(kept), "an event that had reached the panel is missing"
        recognised += told > 0
        assert len(kept) >= done, "an event that was kept before is missing"
        done = len(kept)
    table.close()
    assert recognised, "no picture told of an event: this proves nothing"
    return pulled


@pytest.mark.drill
def test_the_plug_pulled_fifty_times(box, tmp_path):
    """Killed at fifty random moments, each next start goes on from at least what the panel had shown."""
    left, seed = 50, 0
    while left:
        left -= pull_the_plug(box, tmp_path / f"box-{seed}", left, seed)
        seed += 1


def test_the_next_start_offers_the_round(box, matches):
    """Go on? names the game, the players and the move."""
    table = box(*ARGUMENTS)
    table.start()
    table.type("13#92#")
    table.settled()
    table.kill()
    table.start()
    matches(table, "27/11-go-on")
    table.type("#")
    matches(table, "27/12-gone-on")


@pytest.mark.drill
def test_the_disk_has_it_before_the_panel_shows_it(box, tmp_path):
    """A trace of the system calls has the sync to disk before the first byte of the new picture."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    trace = tmp_path / "trace"
    table = box(*ARGUMENTS)
    table.start(
        "strace", "-f", "-y", "-s", "80", "-e", "trace=read,write,fdatasync,fsync,pwrite64", "-o", str(trace)
    )  # fmt: skip
    table.settled()
    table.type("13")
    table.settled()
    mark = len(trace.read_text())
    table.type("#")
    table.settled()
    subprocess.run(["pkill", "-P", str(table.process.pid)], timeout=60, check=False)
    calls = trace.read_text()[mark:].splitlines()
    # A call in which another thread was looked at is two lines: "fdatasync(… <unfinished ...>", "<... resumed>) = 0".
    pressed = next(index for index, call in enumerate(calls) if re.search(r'read(\(| resumed>).*"#"', call))
    both = [next(index for index, call in enumerate(calls) if "fdatasync(" in call and f"/{name}>" in call)
            for name in ("rounds.journal", "rounds.journal-2")]  # fmt: skip
    # A message to the panel is a line of the wire's log: here, data for the display.
    drawn = next(index for index, call in enumerate(calls) if "write(" in call and "/log>" in call)
    assert pressed < both[0] < both[1] < drawn, calls
