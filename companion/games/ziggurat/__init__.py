"""Ziggurat: what the program lists and tells of it; rules, entry and screen are beside it."""

from companion.game.manifest import HoldingWords, Manifest, Option

GAME = Manifest(
    id="ziggurat",
    name="Ziggurat",
    players=(2, 4),
    options={
        "set": Option("highest pip", {"6": "28 dominoes", "9": "55 dominoes", "12": "91 dominoes"}),
        "base": Option("what base", {"solid": "a full 4×4", "cutup": "with gaps"}, labels={"cutup": "cut-up"}),
    },
    holdings={"deal": HoldingWords("hand", "dominoes")},
    counts="points",
    place=4,
    mark=True,
)
