"""Kalah: what the program lists and tells of it."""

from companion.games.api.manifest import Manifest, Option

GAME = Manifest(
    id="kalah",
    name="Kalah",
    options={"seeds": Option("in each house", {"4": "48 seeds", "3": "36 seeds", "6": "72 seeds"}, report="{0} seeds")},
    result_counts="in the store",
    gain_text="{} seeds in one move",
    has_best_score="seeds",
    allows_computer_player=True,
)
