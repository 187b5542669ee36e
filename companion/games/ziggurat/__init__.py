"""Ziggurat: the manifest. Rules, entry and screen are the other modules of this folder."""

from companion.game.manifest import HoldingWords, Manifest, Option

GAME = Manifest(
    id="ziggurat",
    name="Ziggurat",
    players=(2, 4),
    options={
        "set": Option(
            "which pips",
            {"6": "28 in all", "9": "55 in all", "12": "91 in all"},
            labels={
                "6": "up to 6",
                "9": "up to 9",
                "12": "up to 12",
            },  # A bare number beside a key's number could be mistaken for a key.
            report="dominoes to {0}-{0}",
        ),
        "base": Option(
            "what base", {"solid": "a full 4×4", "cutup": "with gaps"}, labels={"cutup": "cut-up"}, report="{1} base"
        ),
    },
    holdings={"deal": HoldingWords("hand", "dominoes")},
    result_counts="points",
    opponent=True,
    place=4,
    mark=True,
)
