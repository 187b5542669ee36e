"""Ziggurat: the manifest. The rules, move input, screen, board and coach are modules of this package."""

from companion.games.api.manifest import HoldingWords, Manifest, Option
from companion.games.api.text import text

GAME = Manifest(
    id="ziggurat",
    name="Ziggurat",
    players=(2, 4),
    options={
        "set": Option(
            text("which pips"),
            {"6": text("28 in all"), "9": text("55 in all"), "12": text("91 in all")},
            # A bare number beside a key's number could be mistaken for a key.
            labels={"6": text("pips 0-6"), "9": text("pips 0-9"), "12": text("pips 0-12")},
            report=text("dominoes to {0}-{0}"),
        ),
        "base": Option(
            text("which base"),
            {"solid": text("a full 4×4"), "cutup": text("with gaps")},
            labels={"solid": text("solid"), "cutup": text("cut-up")},
            report=text("{1} base"),
        ),
    },
    holdings={"deal": HoldingWords(text("hand"), text("dominoes"))},
    result_counts=text("points"),
    endings={
        "played": text("all dominoes played"),
        "one-place": text("only one place left on level {level}"),
        "fewer-left": text("equal points, fewer dominoes left"),
    },
    allows_computer_player=True,
    aim=text("Most points win. Equal halves that meet score."),
    menu_position=4,
    is_on_title_screen=True,
    description=text("Dominoes, level by level"),
)
