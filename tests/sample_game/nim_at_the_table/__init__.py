"""Nim: what the program lists and tells of it."""

from companion.games.api.manifest import Manifest, Option

GAME = Manifest(
    id="nim",
    name="Nim",
    options={
        "last": Option("the last piece", {"wins": "wins", "loses": "loses"}),
        "heaps": Option("which heaps", {"345": "12 pieces", "1357": "16 pieces"}, labels={"345": "3 4 5"}),
    },
    result_counts="pieces taken",
    gain_text="{} pieces",
    scores_are_points=False,
    has_best_score=False,
)
