"""The installer's step for games of other packages, without installing anything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PARTS = Path(__file__).parents[2] / "systemd" / "parts"
SCRIPT = """
set -euo pipefail
fresh={fresh} work={work} CONFIG={config}
say() {{ echo "say $*"; }}
warn() {{ echo "warn $*"; }}
pip() {{ echo "pip $*"; [[ $* != *missing* ]]; }}
. {parts}/games.bash
add_games
"""


@pytest.fixture
def add_games(tmp_path: Path):
    """`add_games(text)`: what the step says and asks pip for with this configuration."""

    def run(text: str | None) -> list[str]:
        config = tmp_path / "config.toml"
        if text is not None:
            config.write_text(text)
        script = SCRIPT.format(fresh=sys.prefix, work=tmp_path, config=config, parts=PARTS)
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run


def test_an_upgrade_puts_the_games_of_the_configuration_back(add_games, tmp_path: Path) -> None:
    """Each package that [games] names is installed, nothing that is locked is replaced; a missing one is only told."""
    held = f"pip install --no-build-isolation --constraint {tmp_path}/held.txt"
    assert add_games('[games]\npackages = ["nim-at-the-table==1.0", "missing", "/home/pi/my game"]\n') == [
        "say installing the game nim-at-the-table==1.0",
        f"{held} nim-at-the-table==1.0",
        "say installing the game missing",
        f"{held} missing",
        "warn the game missing could not be installed; all others play on",
        "say installing the game /home/pi/my game",
        f"{held} /home/pi/my game",
    ]


@pytest.mark.parametrize("text", [None, "", "[table]\nclock = true\n", "[games]\npackages = []\n", "not TOML ["])
def test_without_games_nothing_is_installed(add_games, text: str | None) -> None:
    """No configuration, none of [games], or one that cannot be read: the step does nothing."""
    assert add_games(text) == []
