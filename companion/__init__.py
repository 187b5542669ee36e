"""A referee for board games: rules, records, move input, screens and the store."""

__version__ = "0.8.0"

MOVED_MODULES = {
    "companion.contract": "companion.gamekit.contract",
    "companion.game": "companion.games.api",
    "companion.gamekit.contract.play": "companion.gamekit.contract.random_rounds",
    "companion.gamekit.contract.preview": "companion.gamekit.sentence_preview",
    "companion.games.api.box_seats": "companion.games.api.computer_players",
    "companion.games.api.entry": "companion.games.api.move_input",
    "companion.games.api.words": "companion.games.api.game_texts",
    "companion.games.plain": "companion.games.plain_screen",
    "companion.panel.menus": "companion.panel.widgets",
    "companion.panel.names": "companion.panel.name_cutting",
    "companion.panel.parts": "companion.panel.widgets",
    "companion.panel.pieces": "companion.panel.own_pieces",
    "companion.record": "companion.rounds.record",
    "companion.template": "companion.gamekit.template",
}
"""Modules as games of other packages may still know them → their names now."""
RENAMED_NAMES = {"phrases": "endings"}
"""Names in those modules as games of other packages may still know them → the names now."""


def __getattr__(name: str) -> object:
    """Say where a module has gone. Raises ImportError or AttributeError."""
    if new := MOVED_MODULES.get(f"{__name__}.{name}"):
        raise ImportError(f"companion.{name} is now {new}: see docs/adding-a-game.md", name=f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class UnusableError(Exception):
    """Something that comes from outside cannot be used: arguments, a file, a setting, the store, a socket.

    The message is one sentence for the person who gave it; `sentence` is the same as a text of the catalogues, and
    `short_sentence` its form for the panel. `status` is the exit status of a command that ends with this error.
    """

    status = 2

    def __init__(self, sentence: str, short_sentence: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.short_sentence = short_sentence or sentence
