"""The score pad: any other game's points. It has no rules to replay; the session keeps it as a `PadRound`."""

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
