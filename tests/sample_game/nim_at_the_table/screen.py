"""The table of Nim: a row of dots for each heap; all else is drawn in words."""

from companion.games.api.screen import Scene
from companion.games.plain_screen import PlainScreen
from companion.panel.canvas import Canvas
from companion.panel.fonts import TEXT

TOP, ROWS, COLUMNS, DOT_COLUMNS = 17, 11, 63, 7


class Screen(PlainScreen):
    """Draws the heaps in the place of the lines of the table, two beside each other."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """The dots, and around them what the plain screen has."""
        super().draw(canvas, scene._replace(position_lines=()))
        for heap, size in enumerate(scene.view.heaps):
            x, y = 2 + COLUMNS * (heap % 2), TOP + ROWS * (heap // 2)
            canvas.text(x, y, str(heap + 1), TEXT)
            for index in range(size):
                dot = x + 9 + DOT_COLUMNS * index
                canvas.fill_rounded_box(dot, y + 1, dot + 4, y + 5)


SCREEN = Screen()
