"""The installer's step for games of other packages: real wheels, built and installed by the real pip."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PARTS = Path(__file__).parents[2] / "systemd" / "parts"
SAMPLE = Path(__file__).parents[1] / "sample_game"
SCRIPT = """
set -euo pipefail
fresh={fresh} work={work}/work CONFIG={config}
say() {{ echo "say $*"; }}
warn() {{ echo "warn $*"; }}
exec 3>&1
# Never into the environment of the tests.
pip() {{ echo "pip $*" >&3; [[ $1 != install || $2 == --prefix ]] && "$fresh/bin/python" -m pip --quiet "$@"; }}
. "{parts}/games.bash"
as_nobody() {{ [[ $* != *" pip "* ]] || echo "nobody makes a wheel of ${{*: -1}}"; "$@"; }}
install() {{ mkdir -p "${{@: -3}}"; }}  # Only root may give a folder to nobody; the drill does.
add_games
"""


@pytest.fixture
def add_games(tmp_path: Path):
    """`add_games(text)`: what the step prints and asks pip for with this configuration; the pip is that of the
    tests.
    """

    def run(text: str | None) -> list[str]:
        config = tmp_path / "config.toml"
        if text is not None:
            config.write_text(text)
        (tmp_path / "work").mkdir()
        (tmp_path / "fresh/bin").mkdir(parents=True)
        (tmp_path / "fresh/bin/python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (tmp_path / "fresh/bin/python").chmod(0o755)
        script = SCRIPT.format(fresh=tmp_path / "fresh", work=tmp_path, config=config, parts=PARTS)
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=200, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run


@pytest.mark.drill
def test_an_upgrade_puts_the_games_of_the_configuration_back(add_games, tmp_path: Path) -> None:
    """Each package named in [games] is built and installed by itself; a missing one is only reported."""
    game, work = tmp_path / "my game", tmp_path / "work"
    shutil.copytree(SAMPLE, game)
    held = f"pip install --prefix {tmp_path}/fresh/games --only-binary :all: --constraint {work}/held.txt"
    assert add_games(f'[games]\npackages = ["/none/missing", "{game}"]\n') == [
        "pip list --format=freeze",
        "say installing the game /none/missing",
        "nobody makes a wheel of /none/missing",
        "warn the game /none/missing could not be installed; all other games still work",
        f"say installing the game {game}",
        f"nobody makes a wheel of {work}/game/source/my game",
        f"{held} {work}/nim_at_the_table-1.0-py3-none-any.whl",
    ]
    (site,) = (tmp_path / "fresh/games/lib").glob("python3*/site-packages")
    assert {each.name for each in site.iterdir()} == {"nim_at_the_table", "nim_at_the_table-1.0.dist-info"}
    assert sorted(each.name for each in game.iterdir()) == ["nim_at_the_table", "pyproject.toml"]


@pytest.mark.parametrize("text", [None, "", "[table]\nclock = true\n", "[games]\npackages = []\n", "not TOML ["])
def test_without_games_nothing_is_installed(add_games, text: str | None) -> None:
    """With no configuration, without [games], or with one that cannot be read, the step does nothing."""
    assert add_games(text) == []
