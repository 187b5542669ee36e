"""What is typed into an open hand leaves the real program only by its own record."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

import pytest

from hardware.terminal import KEY_HINT

PATIENCE = 60.0
QUIET = 0.2
HANDS = "5778899A", "2233445Q"
KEYS = "57788991#", "2233445C#"


@pytest.mark.drill
def test_the_journal_names_no_piece(box):
    """Two open hands typed, a refusal, a draw: the program's log has none of it, whatever else it says."""
    table = box("--game", "coral-reef", "--players", "Ann,Ben", "--open", "1,2")
    table.start()
    table.type_keys("~".join(KEYS))
    table.type_keys("~*~*2##")
    table.settled_picture()
    assert [line for line in table.exported_record("--reveal").splitlines() if line.startswith("deal")] != []
    assert table.stop() == 0
    for text in (*HANDS, *KEYS, *(" ".join(hand) for hand in HANDS), "deal", "draw"):
        assert text not in table.log_text


def test_the_terminal_shows_no_key_that_is_typed_into_a_hand(tmp_path, companion_command, is_busy, request):
    """`companion play` echoes nothing: the keys of a hand are nowhere in its output."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 140, 0, 0))
    command = [companion_command, "play", "--data", tmp_path / "data", "--game", "coral-reef", "--open", "1"]
    process = subprocess.Popen(
        [*map(str, command)], stdin=slave, stdout=slave, stderr=slave, cwd=tmp_path,
        env={**os.environ, "TERM": "xterm-256color", "HOME": str(tmp_path)}, start_new_session=True,
    )  # fmt: skip
    request.addfinalizer(process.kill)

    def at_rest() -> bool:
        return not is_busy(process.pid)

    shown = read_terminal(master, lambda text: KEY_HINT in text)
    for key in "*" + KEYS[0]:
        os.write(master, key.encode())
        shown += read_terminal(master, lambda _: at_rest())
    process.terminate()
    shown += read_terminal(master, lambda text: "Everything is saved." in text)
    assert process.wait(PATIENCE) == 0
    os.close(master)
    os.close(slave)
    assert "\N{UPPER HALF BLOCK}" in shown or "\N{FULL BLOCK}" in shown or "\N{BRAILLE PATTERN BLANK}" in shown
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\s", "", shown)
    digits = re.findall(r"[0-9]+", plain)
    assert not any(part in "".join(digits) for part in (KEYS[0][:-1], KEYS[0][:4]))


def read_terminal(master: int, enough) -> str:
    """The terminal's output, until there is enough and for a while nothing more comes."""
    data, end = b"", time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if select.select([master], [], [], QUIET)[0]:
            data += os.read(master, 65536)
        elif enough(data.decode(errors="replace")):
            return data.decode(errors="replace")
    raise AssertionError(f"that is all: {data.decode(errors='replace')}")
