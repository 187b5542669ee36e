"""The score pad, for the points of any other game: the manifest.

`rules` counts its points and is no `Rules` of a game: the session has `PadRound`s.
"""

from companion.games.api.manifest import Manifest
from companion.games.api.text import text

GAME = Manifest(
    id="pad",
    name=text("Score pad"),
    players=tuple(range(2, 9)),
    unit=text("points"),
    best=False,
    recorded=False,
    place=5,
)
