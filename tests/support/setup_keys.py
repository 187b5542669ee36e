"""The keys that set up a round, found at a table without devices: no test counts the questions before a round."""

from __future__ import annotations

from driven_table import DrivenTable
from list_screens import digit_of_line, list_title

from companion import games
from companion.evening.screens.setup.questions import SetupQuestion


def keys_to_begin_round(game: str, **options: str) -> str:
    """The keys in the main menu that begin a round of a game with these options, and else accept the proposals."""
    manifest = games.manifest_of(game)
    values = {manifest.options[name].question: list(manifest.options[name].values) for name in options}
    chosen = {manifest.options[name].question: value for name, value in options.items()}
    table = DrivenTable()
    table.wait(3)
    typed = digit_of_line(table.session, manifest.name)
    table.press(typed)
    while table.session.round is None:
        asked = list_title(table.session)[1] if isinstance(table.session.screen, SetupQuestion) else ""
        key = str(values[asked].index(chosen[asked]) + 1) if asked in chosen else "#"
        table.press(key)
        typed += key
    return typed
