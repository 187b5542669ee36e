"""Coral Reef: its manifest. Its rules, entry, screen, board and coach are the modules of this package."""

from companion.game.manifest import HoldingWords, Manifest, Option

GAME = Manifest(
    id="coral-reef",
    name="Coral Reef",
    options={"form": Option("played with", {"cards": "two decks", "tiles": "digits 0-9"}, report="with {0}")},
    holdings={"deal": HoldingWords("hand", "corals")},
    result_counts="corals left",
    gain="{} corals in one play",
    fewer=True,
    points=False,
    best=False,
    place=1,
    mark=True,
)
