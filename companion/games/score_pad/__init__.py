"""The score pad, for the points of any other game: the manifest. A pad has no rules; the session has `PadRound`s."""

from companion.game.manifest import Manifest

GAME = Manifest(
    id="pad",
    name="Score pad",
    players=tuple(range(2, 9)),
    unit="points",
    best=False,
    recorded=False,
    place=5,
)
