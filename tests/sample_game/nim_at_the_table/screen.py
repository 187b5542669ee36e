"""The table of Nim: a row of dots for each heap; all else is drawn in words."""

from companion.games.api.screen import Scene
from companion.games.plain_screen import PlainScreen
from companion.panel.canvas import Canvas
from companion.panel.fonts import TEXT

TOP, ROW, COLUMN = 16, 8, 8


class Screen(PlainScreen):
    """Draws the heaps in the place of the lines of the table."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """The dots, and around them what the plain screen has."""
        super().draw(canvas, scene._replace(position_lines=()))
        for heap, size in enumerate(scene.view.heaps):
            canvas.text(2, TOP + ROW * heap, str(heap + 1), TEXT)
            for index in range(size):
                x, y = 14 + COLUMN * index, TOP + ROW * heap + 1
                canvas.fill_rounded_box(x, y, x + 4, y + 4)


SCREEN = Screen()
