"""27: its manifest. Its rules, entry, screen, board and coach are the modules of this package."""

from companion.game.manifest import Chart, Manifest, Option

GAME = Manifest(
    id="27",
    name="27",
    options={
        "variant": Option(
            "which pieces move",
            {"basic": "discs", "advanced": "and greys", "expert": "and reds"},
            report="the {0} game",
        ),
    },
    seat_icons=("full-disc", "hollow-disc"),
    result_counts="on the goal",
    unit="height of the goal",
    gain="{} onto the goal",
    chart=Chart("field", "the piles: whose disc is on top, the higher the stronger", highest=10),
    opponent=True,
    place=2,
    mark=True,
)
