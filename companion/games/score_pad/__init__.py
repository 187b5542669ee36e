"""The score pad, for the points of any other game: the manifest. A pad has no rules; the session has `PadRound`s."""

from companion.game.manifest import Manifest
from companion.game.text import text

GAME = Manifest(
    id="pad",
    name=text("Score pad"),
    players=tuple(range(2, 9)),
    unit=text("points"),
    best=False,
    recorded=False,
    place=5,
)
