"""Coral Reef: the manifest. The rules, move input, screen, board and coach are modules of this package."""

from companion.games.api.manifest import HoldingWords, Manifest, Option
from companion.games.api.text import plural_text, text

GAME = Manifest(
    id="coral-reef",
    name="Coral Reef",
    options={
        "form": Option(
            text("played with"),
            {"cards": text("two decks"), "tiles": text("0 to 9, 8 each")},
            labels={"cards": text("cards"), "tiles": text("tiles")},
            report=text("with {1}"),
        )
    },
    holdings={"deal": HoldingWords(text("hand"), text("corals"))},
    result_counts=text("corals left"),
    gain_text=plural_text(2, "{number} coral in one play", "{number} corals in one play"),
    endings={
        "placed": text("last coral placed"),
        "blocked": text("blocked: {fewer} against {more}"),
        "blocked-equal": plural_text(2, "blocked: {number} coral each", "blocked: {number} corals each"),
    },
    lower_is_better=True,
    scores_are_points=False,
    has_best_score=False,
    aim=text("Whoever runs out of corals first wins."),
    menu_position=1,
    is_on_title_screen=True,
    description=text("Add up to the top coral"),
)
