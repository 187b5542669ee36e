"""`companion new`: makes the folder of a new game, which can be played and tested at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from companion import UnusableError, games
from companion.commands import options
from companion.commands.streams import printable, unusable_on_error
from companion.gamekit import template
from companion.games.plugins import GAME_ID_PATTERN, MAX_NAME_LETTERS
from companion.languages import text

DESCRIPTION = """\
Creates a folder GAME with a package for a game of your own, its tests and one screen. You can play it at once, and then
change one file after the other. docs/adding-a-game.md explains how.

Exit status: 0 created, 2 it cannot be created."""

FIRST = "first-game"
"""The id of the game in the template."""
ELSEWHERE = {"pyproject.txt": "pyproject.toml", "tests.txt": "tests/test_{game}.py"}
"""The files of the template that do not belong to the package → their path in the folder."""


def main(given: Sequence[str]) -> int:
    """Make the folder of a game. Returns the exit status."""
    parser = options.plain_parser("new", DESCRIPTION)
    which = text("the game's id: lowercase letters and digits, with single hyphens between them, such as four-fields")
    options.add_value(parser, "game", "GAME", which)
    game = parser.parse_args(given).game
    _refuse_id(game)
    folder = Path(game)
    with unusable_on_error("the folder {folder} cannot be created: {why}", folder=folder):
        folder.mkdir()
        for place, whole in game_files(game).items():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_text(whole, encoding="utf-8")
    sentences = """\
{folder}/ is ready. Use pip, companion and pytest from the program's environment, such as .venv/bin/pip:

  pip install --editable './{folder}[test]'
      installs it once; your changes take effect at the next start
  companion play --game {game} --data /tmp/{game}
      plays it
  pytest {folder}
      tests it: the contract of all games, and the records that must be valid"""
    print(text(sentences, folder=folder, game=game))
    return 0


def _refuse_id(game: str) -> None:
    """Raise UnusableError if a game cannot have this id."""
    if not GAME_ID_PATTERN.fullmatch(game) or not game[0].isalpha():
        message = "{given} cannot be an id: use lowercase letters, digits and single hyphens, and begin with a letter"
        raise UnusableError(text(message, given=repr(printable(game, 30))))
    if len(game) > MAX_NAME_LETTERS:
        message = "{given} has more than {most} letters and does not fit on the panel"
        raise UnusableError(text(message, given=printable(game, 30), most=MAX_NAME_LETTERS))
    if any(known.id == game for known in games.all_manifests()):
        raise UnusableError(text("there is already a game {game}", game=game))


def game_files(game: str) -> dict[str, str]:
    """The content of each file of a new game, by its path in the folder."""
    # The package must not have the folder's name, because beside the folder Python would take that for the package.
    package = f"{game.replace('-', '_')}_at_the_table"
    found = {}
    source = Path(template.__file__).parent
    for file in sorted(source.rglob("*.*")):
        if file.suffix in (".py", ".txt", ".tcr"):
            inside = file.relative_to(source).as_posix()
            place = ELSEWHERE.get(inside, f"{{package}}/{inside}").format(package=package, game=game.replace("-", "_"))
            found[place] = _with_names(file.read_text(encoding="utf-8"), game, package)
    return found


def _with_names(whole: str, game: str, package: str) -> str:
    """A file of the template with the names of the new game."""
    whole = whole.replace(" `companion new` makes a package of this folder.", "")
    whole = whole.replace("companion.gamekit.template", package).replace("first_game", package).replace(FIRST, game)
    return re.sub("First game", game.replace("-", " ").capitalize(), whole)
