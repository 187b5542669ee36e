"""First game: its manifest. `companion new --hands` makes a package of this folder."""

from companion.games.api.manifest import HoldingWords, Manifest

GAME = Manifest(
    id="first-game",
    name="First game",
    players=(2, 3, 4),
    holdings={"deal": HoldingWords("hand", "cards")},
    aim="Whoever lays down most, with few cards left, wins.",
    endings={"turns": "everybody has had five turns", "cards": "there are no more cards"},
)
