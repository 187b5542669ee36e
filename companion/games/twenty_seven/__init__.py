"""27: the manifest. The rules, move input, screen, board and coach are modules of this package."""

from companion.games.api.manifest import Chart, Manifest, Option
from companion.games.api.text import text

GAME = Manifest(
    id="27",
    name="27",
    options={
        "variant": Option(
            text("which discs move"),
            {"basic": text("discs"), "advanced": text("and greys"), "expert": text("and reds")},
            labels={"basic": text("basic"), "advanced": text("advanced"), "expert": text("expert")},
            report=text("the {1} game"),
        ),
    },
    seat_words=(text("white"), text("black")),
    result_counts=text("at the far end"),
    unit=text("height of the goal stack"),
    gain_text=text("{gain} onto the goal", gain=0),
    chart=Chart(
        text("field"), text("the stacks: whose disc is on top; the higher, the stronger the colour"), max_height=10
    ),
    endings={"stuck": text("neither can move")},
    allows_computer_player=True,
    aim=text("The higher stack at the far end wins."),
    menu_position=2,
    is_on_title_screen=True,
    description=text("Build the higher stack"),
)
