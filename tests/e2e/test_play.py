"""`companion play` as users run it: on a pseudo-terminal that is its controlling one."""

from __future__ import annotations

import os
import random

import pytest
from terminal import Terminal, keys_to_players, main_menu_session, session_after_keys

from companion.store.read_only_store import ReadOnlyStore
from hardware.terminal import BRAILLE_STYLE, HALF_BLOCK_STYLE, QUADRANT_STYLE

TOO_SMALL = "The terminal is {}×{} characters; the panel needs 64×16."
SIZES = {(140, 40): HALF_BLOCK_STYLE, (80, 24): BRAILLE_STYLE, (100, 40): QUADRANT_STYLE, (50, 10): None, (3, 2): None}


@pytest.fixture
def play(tmp_path, companion_command):
    """`play("--players", "Ann,Ben")`: a started `companion play` with its rounds in this test's folder."""
    made = []

    def start(*arguments: str) -> Terminal:
        command = [companion_command, "play", "--data", tmp_path / "data", *arguments]
        made.append(Terminal(command, {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"}))
        return made[-1]

    yield start
    for each in made:
        each.close()


@pytest.mark.drill
def test_a_new_size_of_the_window_draws_the_panel_again_and_ends_nothing(play):
    """However often the window changes, also to less than the panel, the game continues where it was."""
    table, session = play(), main_menu_session()
    table.wait_for_picture(session)
    for turn, keys in enumerate((*keys_to_players(session, "2"), "#", "1", "3", "#")):
        for size in random.Random(turn).sample(list(SIZES), 3):
            table.resize(*size)
            if SIZES[size]:
                table.wait_for_picture(session, style=SIZES[size])
            else:
                words = TOO_SMALL.format(*size)
                assert table.read_until(lambda words=words: table.screen.line(1) == words), table.written[-1000:]
                assert not table.screen.line(2)
        session = session_after_keys(session, keys)
        table.type(keys)
        table.resize(140, 40)
        table.wait_for_picture(session)
    assert session.round.events
    table.type("\x03")
    assert table.wait_for_end() == 0, table.written
    assert table.written.endswith("\x1b[?1049lEverything is saved.\r\n")


def test_letters_are_letters_in_a_terminal(play, tmp_path):
    """A name has the letters that the panel can draw, however their bytes arrive; for others there is a message."""
    table, session = play(), main_menu_session()
    table.wait_for_picture(session)
    for keys in (*keys_to_players(session, "2"), "1", "1"):
        table.type(keys)
        session = session_after_keys(session, keys)
        table.wait_for_picture(session)
    for letter in "JüRGEN Ø☃":
        for byte in letter.encode():
            table.type(bytes([byte]))
        session = session_after_keys(session, letter)
        table.wait_for_picture(session)
    assert session.banner
    for keys in ("#", "#"):  # A seat that was chosen by its digit is asked for alone.
        table.type(keys)
        session = session_after_keys(session, keys)
        table.wait_for_picture(session)
    assert session.round
    table.type("13#\x03")
    assert table.wait_for_end() == 0, table.written
    kept = ReadOnlyStore(tmp_path / "data")
    assert kept.load_round(1).header.names[0] == "Jürgen Ø"
    kept.close()


def test_names_of_the_command_line_are_drawn_or_refused(play, tmp_path):
    """A separate accent is joined to its letter; an unknown letter becomes a box. Both are reported before."""
    table = play("--game", "27", "--players", "Zoe\N{COMBINING DIAERESIS},Ζωή")
    assert table.read_until(lambda: "\x1b[?1049h" in table.written)
    told = table.written.partition("\x1b[?1049h")[0].split("\r\n")
    assert told == [
        "companion: the name Zoë was changed: its accents were joined to their letters",
        "companion: the panel cannot draw every letter of Ζωή: it shows □ instead",
        "",
    ]
    table.read_until(lambda: table.screen.line(1))
    table.type("13#\x03")
    assert table.wait_for_end() == 0, table.written
    kept = ReadOnlyStore(tmp_path / "data")
    assert kept.load_round(1).header.names == ("Zoë", "Ζωή")
    kept.close()
