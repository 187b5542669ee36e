"""Prime Attactics: the manifest. Rules, entry and screen are the other modules of this folder."""

from companion.game.manifest import HoldingWords, Manifest, Option

GAME = Manifest(
    id="prime-attactics",
    name="Prime Attactics",
    options={
        "level": Option("which tiles", {"full": "all of them", "easy": "no 1, 6, 7"}, report="the {0} game"),
        "start": Option(
            "both scores start",
            {"11": "as usual", "13": "harder", "17": "harder", "19": "harder"},
            labels={"11": "at 11", "13": "at 13", "17": "at 17", "19": "at 19"},
            report="both start with {0}",
        ),
    },
    holdings={"deal": HoldingWords("display", "tiles", face_up=True), "rack": HoldingWords("rack", "tiles")},
    pages={"sheet": "Score sheet", "tiles": "Tiles played"},
    unit="score",
    gain="a swing of {}",
    opponent=True,
    place=3,
    mark=True,
)
