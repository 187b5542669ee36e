"""First game: its manifest. `companion new` makes a package of this folder."""

from companion.games.api.manifest import Manifest

GAME = Manifest(id="first-game", name="First game", points=False, best=False)
