"""`companion new`: makes the folder of a new game, which can be played and tested at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from companion import UnusableError, games
from companion.commands import options
from companion.commands.text_streams import printable_text, unusable_on_error
from companion.gamekit import template
from companion.games.plugins import GAME_ID_PATTERN, MAX_NAME_LETTERS
from companion.languages import text

DESCRIPTION = """\
Creates a folder GAME with a package for a game of your own, its tests and one screen. You can play it at once, and then
change one file after the other. docs/adding-a-game.md explains how.

Exit status: 0 created, 2 it cannot be created."""

TEMPLATE_GAME = "first-game"
"""The id of the game in the template."""
RENAMED_FILES = {"pyproject.txt": "pyproject.toml", "tests.txt": "tests/test_{game}.py"}
"""The files of the template that do not belong to the package → their path in the folder."""


def main(argv: Sequence[str]) -> int:
    """Make the folder of a game. Returns the exit status."""
    parser = options.make_parser_without_config("new", DESCRIPTION)
    hands_help = text("a game with cards in hidden hands")
    parser.add_argument("--hands", dest="variant", action="store_const", const="hands", default="", help=hands_help)
    dice_help = text("a game with two dice, for up to six players")
    parser.add_argument("--dice", dest="variant", action="store_const", const="dice", help=dice_help)
    game_help = text(
        "the game's id: lowercase letters and digits, with single hyphens between them, such as four-fields"
    )
    options.add_value(parser, "game", "GAME", game_help)
    arguments = parser.parse_args(argv)
    game = arguments.game
    _check_id(game)
    folder = Path(game)
    with unusable_on_error("the folder {folder} cannot be created: {why}", folder=folder):
        folder.mkdir()
        for path, content in game_files(game, arguments.variant).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content, encoding="utf-8")
    sentences = """\
{folder}/ is ready. Use pip, companion and pytest from the program's environment, such as .venv/bin/pip:

  pip install --editable './{folder}[test]'
      installs it once; your changes take effect at the next start
  companion play --game {game} --data /tmp/{game}
      plays it
  pytest {folder}
      tests it: the contract of all games, and the records that must be valid
  {folder}/{package}/records
      wants a round that you wrote down by hand: it alone tells the tests whose turn follows and how points count"""
    print(text(sentences, folder=folder, game=game, package=_package_of(game)))
    return 0


def _check_id(game: str) -> None:
    """Raise UnusableError if a game cannot have this id."""
    if not GAME_ID_PATTERN.fullmatch(game) or not game[0].isalpha():
        message = "{given} cannot be an id: use lowercase letters, digits and single hyphens, and begin with a letter"
        raise UnusableError(text(message, given=repr(printable_text(game, 30))))
    if len(game) > MAX_NAME_LETTERS:
        message = "{given} has more than {most} letters and does not fit on the panel"
        raise UnusableError(text(message, given=printable_text(game, 30), most=MAX_NAME_LETTERS))
    if any(known.id == game for known in games.all_manifests()):
        raise UnusableError(text("there is already a game {game}", game=game))


def game_files(game: str, variant: str = "") -> dict[str, str]:
    """The content of each file of a new game, by its path in the folder.

    A `variant` ``hands`` or ``dice`` has files of its own in place of some of the template's.
    """
    package = _package_of(game)
    source = Path(template.__file__).parent
    sources = [source] if not variant else [source, source.with_name(f"template_{variant}")]
    template_files = {file.relative_to(folder).as_posix(): file for folder in sources for file in folder.rglob("*.*")}
    files = {}
    for template_path, file in sorted(template_files.items()):
        if file.suffix in (".py", ".txt", ".tcr") and not (variant and template_path == "screen.py"):
            path = RENAMED_FILES.get(template_path, f"{{package}}/{template_path}").format(
                package=package, game=game.replace("-", "_")
            )
            files[path] = _fill_in_names(file.read_text(encoding="utf-8"), game, package)
    return files


def _package_of(game: str) -> str:
    """The package of a game. It must not have the folder's name, which Python would take for the package beside it."""
    return f"{game.replace('-', '_')}_at_the_table"


def _fill_in_names(content: str, game: str, package: str) -> str:
    """A file of the template with the names of the new game."""
    content = re.sub(" `companion new[^`]*` makes a package of this folder.", "", content)
    content = re.sub(r"companion\.gamekit\.template(_[a-z]+)?", package, content)
    content = content.replace("first_game", package).replace(TEMPLATE_GAME, game)
    return re.sub("First game", game.replace("-", " ").capitalize(), content)
