"""README.md shows pictures that the program drew, and names commands that there are."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from PIL import Image

from companion.__main__ import COMMANDS

TESTS = Path(__file__).parent
README = (TESTS.parent / "README.md").read_text(encoding="utf-8")
ENLARGED = 4
# Each is a golden picture, which other tests hold to what the program draws.
PICTURES = {
    "27": "e2e/golden/27/07-six-moves.png",
    "refusal": "screens/golden/coral/refusal.png",
    "coral-reef": "screens/golden/coral/entry.png",
    "prime-attactics": "screens/golden/prime-attactics/entry.png",
    "ziggurat": "screens/golden/ziggurat/level-entry.png",
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_the_programs_own(name):
    """Each picture is a golden one, enlarged; UPDATE_GOLDEN=1 draws it anew."""
    path = TESTS / "readme" / f"{name}.png"
    with Image.open(TESTS / PICTURES[name]) as golden:
        wanted = golden.convert("1").resize((128 * ENLARGED, 64 * ENLARGED), Image.Resampling.NEAREST)
    if os.environ.get("UPDATE_GOLDEN"):
        wanted.save(path, optimize=True)
    with Image.open(path) as shown:
        assert shown.convert("1").tobytes() == wanted.tobytes()


def test_every_picture_is_there():
    """No image of the README is missing."""
    named = re.findall(r'src="([^"]+)"', README)
    assert len(named) >= 3
    assert all((TESTS.parent / name).exists() for name in named)


def test_every_command_exists():
    """Each `companion COMMAND` that the README names is one."""
    named = set(re.findall(r"(?:`|/|^|&& )companion ([a-z]+)", README, re.M))
    assert {"play", "check", "export"} <= named
    assert named <= set(COMMANDS)
