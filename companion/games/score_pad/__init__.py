"""The score pad, which counts the points of any other game: its manifest.

The pad is no game with rules: nobody is to move and any player may get points at any time. So `pad` has no `Rules`, and
the session holds it in a `PadRound`.
"""

from companion.games.api.manifest import Manifest
from companion.games.api.text import text

GAME = Manifest(
    id="pad",
    name=text("Score pad"),
    players=tuple(range(2, 9)),
    unit=text("points"),
    has_best_score=False,
    has_records=False,
    menu_position=5,
    description=text("Points for any game"),
)
