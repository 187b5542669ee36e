"""README.md compared with the program: its pictures are what the panel shows, its commands and files exist.

``UPDATE_GOLDEN=1 pytest tests/test_readme.py`` draws the pictures anew: look at each one before you commit it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from PIL import Image

from companion import display, games
from companion.__main__ import COMMANDS
from companion.evening import state_machine
from companion.inputs import KeyPressed
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PICTURES = Path(__file__).with_name("readme")
ENLARGED = 4

CORALS = ("seed", "4:27T", "1:45", "5:8Q3", "3:8A", "3:A")
STACKS = ("1x7", "9x7", "1x1", "8x5", "3x1", "9x2", "2x6", "8x1")
LEVELS = (
    "6-1 d4e4", "6-5 d5e5", "1-1 f4f5", "6-2 d3e3", "6-3 d6e6", "4-1 g4g5", "3-1 f6g6", "2-2 f3g3",
    "6-6 d4d5", "3-3 e6f6", "2-1 e3e4", "5-4 g3g4", "5-3 e5f5", "2-0 f3f4", "1-0 g5g6", "0-4 f4g4",
    "3-0 f6g6", "1-5 e4e5", "6-4 d4d5", "4-2 e3f3",
)  # fmt: skip
DISPLAYS = "A4A7A0B2B6C3C5C0#", "A2A6B3B5C4C7C0A3#"
TIMES = ("C3#", "C7#", "A2#", "B4#", "C70#", "A1B7#")
"""Both displays are open, so that each play is followed by its refill."""

SHOWN = {
    "27": ("27", STACKS, ""),
    "refusal": ("coral-reef", CORALS[:1], "425#"),
    "coral-reef": ("coral-reef", CORALS, "254"),
    "prime-attactics": ("prime-attactics", (), "".join((*DISPLAYS, *TIMES))),
    "ziggurat": ("ziggurat", LEVELS, ""),
}
"""Picture → the game, the events that are typed from the start of a round, and the keys after them."""


class Table:
    """A session in which Ann and Ben press keys, a second apart."""

    def __init__(self, game: str) -> None:
        options = tuple(games.manifest_of(game).option_defaults.items())
        face_up = [kind for kind, held in games.manifest_of(game).holdings.items() if held.is_face_up]
        opened = tuple((kind, seat) for seat in (1, 2) for kind in face_up)
        self.session = state_machine.start_session(
            SessionSettings(("Ann", "Ben"), RoundHeader(game, options, ("Ann", "Ben"), opened=opened)), StoredHistory()
        )

    def press(self, keys) -> None:
        for key in keys:
            self.session = state_machine.clear_outbox(
                state_machine.update_session(self.session, KeyPressed(key, self.session.now + 1))
            )


def draw_picture(name, typed_keys):
    """The picture with that name, as the panel shows it, enlarged."""
    game, events, keys = SHOWN[name]
    table = Table(game)
    for event in events:
        table.press(typed_keys(game, table.session.round.state, event))
    if events:
        assert tuple(text for _, text in table.session.round.events) == events
    table.press(keys)
    later = state_machine.mark_shown(table.session, table.session.now)
    picture = display.session_picture(later._replace(now=later.now + 1))
    return picture.resize((picture.width * ENLARGED, picture.height * ENLARGED), Image.Resampling.NEAREST)


@pytest.mark.parametrize("name", SHOWN)
def test_the_pictures_of_the_readme_are_what_the_panel_shows(name, typed_keys, tmp_path):
    """Each picture of README.md is drawn by the program from a round played by keys."""
    picture, path = draw_picture(name, typed_keys), PICTURES / f"{name}.png"
    assert (picture.mode, picture.size) == ("1", (512, 256))
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        picture.save(path, optimize=True)
    assert path.exists(), f"there is no {path.name}: UPDATE_GOLDEN=1 draws it"
    with Image.open(path) as kept:
        if (kept.mode, kept.size, kept.tobytes()) != (picture.mode, picture.size, picture.tobytes()):
            picture.save(tmp_path / path.name)
            pytest.fail(f"{path.name} differs from what the panel shows: {tmp_path / path.name}", pytrace=False)


def test_every_picture_that_the_readme_names_exists():
    """README.md shows exactly the pictures that the program draws."""
    named = re.findall(r'<img [^>]*src="([^"]+)"', README)
    assert [path for path in named if not (ROOT / path).is_file()] == []
    assert sorted(named) == sorted(f"tests/readme/{name}.png" for name in SHOWN)


def test_every_file_that_the_readme_links_exists():
    """Every link of README.md into the project leads somewhere."""
    linked = [path for path in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in path]
    assert linked
    assert [path for path in linked if not (ROOT / path).exists()] == []


def test_every_command_that_the_readme_mentions_exists():
    """Whoever types what README.md says never reads that there is no such command."""
    code = re.findall(r"```.*?```|`[^`\n]+`", README, re.DOTALL)
    mentioned = {word for text in code for word in re.findall(r"(?:^|[\s`/])companion ([a-z]+)", text, re.MULTILINE)}
    mentioned -= {"companion"}
    assert {"play", "export", "import", "check", "moves"} <= mentioned
    assert mentioned <= set(COMMANDS)


def test_the_readme_is_short():
    """README.md is one page that makes readers want the box; everything else is in docs/."""
    assert len(README.split()) <= 900
