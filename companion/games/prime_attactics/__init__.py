"""Prime Attactics: the manifest. The rules, move input, screen, board and coach are modules of this package."""

from companion.games.api.manifest import HoldingWords, Manifest, Option
from companion.games.api.text import text

GAME = Manifest(
    id="prime-attactics",
    name="Prime Attactics",
    options={
        "level": Option(
            text("which tiles"),
            {"full": text("all of them"), "easy": text("no 1, 6, 7")},
            labels={"full": text("full"), "easy": text("easy")},
            report=text("the {1} game"),
        ),
        "start": Option(
            text("both scores start"),
            {"11": text("as usual"), "13": text("harder"), "17": text("harder"), "19": text("harder")},
            labels={"11": text("at 11"), "13": text("at 13"), "17": text("at 17"), "19": text("at 19")},
            report=text("both start with {0}"),
        ),
    },
    holdings={
        "deal": HoldingWords(text("display"), text("tiles"), is_face_up=True),
        "rack": HoldingWords(text("rack"), text("tiles")),
    },
    pages={"sheet": text("Score sheet"), "tiles": text("Tiles left")},
    endings={
        "zero": text("the other score is 0"),
        "played": text("all tiles played"),
        "stuck": text("neither could play"),
    },
    unit=text("score"),
    gain_text=text("a swing of {gain}", gain=0),
    allows_computer_player=True,
    aim=text("The higher score wins. At 0 you lose."),
    menu_position=3,
    is_on_title_screen=True,
    description=text("Raise and lower scores"),
)
