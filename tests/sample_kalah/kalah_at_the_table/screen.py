"""The table of Kalah: two rows of houses, the store of each seat at its end; all else is drawn by the plain screen."""

from companion.games.api.screen import Scene
from companion.games.plain_screen import PlainScreen
from companion.panel.canvas import Canvas
from companion.panel.fonts import MIDDLE, TEXT
from kalah_at_the_table.rules import houses, store

ABOVE, BELOW = 16, 27
"""The rows of the houses of seat 2, which go from right to left, and of seat 1."""
LEFT, PITCH = 27, 15
"""The middle of the leftmost house, and the columns from one to the next."""


class Screen(PlainScreen):
    """Draws the board in the place of the lines of the table."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """The board, and around it what the plain screen has; a house that is entered stands on a plate."""
        super().draw(canvas, scene._replace(position_lines=()))
        marked = scene.draft.marks if scene.draft is not None else None
        for seat, row in ((2, ABOVE), (1, BELOW)):
            for house, count in enumerate(houses(scene.view.seeds, seat)):
                x = LEFT + PITCH * (house if seat == 1 else 5 - house)
                if seat == scene.seat_to_move and house + 1 == marked:
                    canvas.tag(x, row + 2, str(count), "c")
                else:
                    canvas.text(x, row + 2, str(count), TEXT, "c")
        canvas.text(1, 23, str(scene.view.seeds[store(2)]), MIDDLE)
        canvas.text(126, 23, str(scene.view.seeds[store(1)]), MIDDLE, "r")


SCREEN = Screen()
