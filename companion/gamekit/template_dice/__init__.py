"""First game: its manifest. `companion new --dice` makes a package of this folder."""

from companion.games.api.manifest import Manifest

GAME = Manifest(
    id="first-game",
    name="First game",
    players=(2, 3, 4, 5, 6),
    aim="Whoever has most points after four turns wins.",
    endings={"turns": "everybody has had four turns"},
)
