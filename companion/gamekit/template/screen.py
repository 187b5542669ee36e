"""The screen of First game: a mark for each step to 21; the plain screen draws everything around the marks."""

from companion.gamekit.template.rules import GOAL_NUMBER
from companion.games.api.screen import Scene
from companion.games.plain_screen import PlainScreen
from companion.panel.canvas import Canvas

LEFT, TOP, STEP = 2, 30, 6


class Screen(PlainScreen):
    """Draws the steps below the number; the steps that are done are higher."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        super().draw(canvas, scene)
        for step in range(GOAL_NUMBER):
            x = LEFT + STEP * step
            canvas.fill(x, TOP if step < scene.view.number else TOP + 5, x + 3, TOP + 7)


SCREEN = Screen()
