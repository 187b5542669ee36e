"""The clock in the line below a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, cut

if TYPE_CHECKING:
    from companion.game.screen import Scene


def with_clock(scene: Scene) -> Scene:
    """The scene with its clock, if it has one, in words: whose the times are."""
    if not scene.clock or scene.say:
        return scene
    if not scene.counts_down:
        name = cut(scene.name(scene.turn or 1), TEXT, 30, scene.names)
        return scene._replace(say=f"{name} {' of '.join(scene.clock)}")
    names = scene.names if len(scene.clock) == 2 else (scene.name(scene.turn or 1),)
    room = (RIGHT - LEFT - 5 * (len(scene.clock) - 1)) // len(scene.clock)
    said = [
        f"{cut(name, TEXT, room - TEXT.width(f' {left}'), scene.names)} {left}"
        for name, left in zip(names, scene.clock, strict=True)
    ]
    return scene._replace(say="  ".join(said))
