"""The board of Kalah for the big screen: houses as circles, a long store at each end."""

from collections.abc import Sequence

from companion.games.api import board
from companion.games.api.board import BoardScene, Svg
from companion.games.api.text import plural_text, text
from kalah_at_the_table.rules import Move, State, houses, store

WIDTH, HEIGHT = 1000, 380
STORE, RADIUS = 120, 56
"""The width of a store, and the radius of a house, in units of the drawing."""


class Board(board.Board):
    """Draws the seeds of each place as a number, on a colour of the seat that owns it."""

    def draw(self, view: State, names: Sequence[str], last_move: tuple[int, Move] | None) -> Svg:
        """The board as seat 1 sees it; the house that was sown last has a frame."""
        return self.draw_for_phone(BoardScene(view, names, (last_move,) if last_move else ()))

    def draw_for_phone(self, scene: BoardScene) -> Svg:
        """The same; on a phone the own houses with seeds are tapped."""
        seeds = scene.view.seeds
        one, two = seeds[store(1)], seeds[store(2)]
        drawing = Svg(
            WIDTH,
            HEIGHT,
            text("Kalah: {first} {one}, {second} {two}", first=scene.names[0], one=one, second=scene.names[1], two=two),
        )
        for seat, x, count in ((2, 10, two), (1, WIDTH - STORE - 10, one)):
            drawing.add_rect(x, 40, STORE, HEIGHT - 80, f"seat{seat}", corner_radius=50)
            drawing.add_text(x + STORE / 2, HEIGHT / 2 + 24, str(count), 70, "paper")
        pitch = (WIDTH - 2 * STORE - 40) / 6
        for seat, y in ((2, 115), (1, HEIGHT - 115)):
            for house, count in enumerate(houses(seeds, seat), 1):
                x = STORE + 20 + pitch * ((house if seat == 1 else 7 - house) - 0.5)
                chosen = scene.is_to_move and seat == scene.seat and scene.keys == str(house)
                if chosen or scene.last_move == (seat, Move(house)):
                    drawing.add_circle(x, y, RADIUS + 8, "mark")
                drawing.add_circle(x, y, RADIUS, f"seat{seat}")
                drawing.add_text(x, y + 18, str(count), 52, "paper")
                if scene.is_to_move and seat == scene.seat and count:
                    place = (x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS)
                    drawing.add_tap(str(house), _house_words(house, count), place, chosen=chosen)
        return drawing

    def position_sentences(self, view: State, names: Sequence[str]) -> Sequence[str]:
        """Each player's store and houses."""
        return [
            text("{name}: {seeds} in the store, {houses} in the houses", name=name, seeds=view.seeds[store(seat)],
                 houses=" ".join(map(str, houses(view.seeds, seat))))
            for seat, name in enumerate(names, 1)
        ]  # fmt: skip


def _house_words(house: int, count: int) -> str:
    """What is in a house: ``house 3: 4 seeds``."""
    return plural_text(count, "house {house}: {number} seed", "house {house}: {number} seeds", house=house)


BOARD = Board()
