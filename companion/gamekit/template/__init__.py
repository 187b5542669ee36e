"""First game: its manifest. `companion new` makes a package of this folder."""

from companion.games.api.manifest import Manifest

GAME = Manifest(id="first-game", name="First game", scores_are_points=False, has_best_score=False)
