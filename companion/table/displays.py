"""What the loop shows things on: panels, lamps and a buzzer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from companion import screens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL import Image

    from companion.session.model import Session

DIMMED = 1
"""The contrast of a dimmed panel."""
IN_PLAY = 4
"""What part of its brightness a panel keeps while a round is in play."""


class Display(Protocol):
    """A panel, or what stands for one."""

    def show(self, image: Image.Image, shift: int = 0) -> None:
        """Show a 128×64 one-bit picture, moved by `shift` columns."""

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255."""

    def sleep(self) -> None:
        """Switch the pixels off."""

    def wake(self) -> None:
        """Switch the pixels on again."""


class Lamps(Protocol):
    """The lamps of the seats and the buzzer."""

    def turn(self, seat: int | None) -> None:
        """Light the lamp of the seat to move, no other."""

    def say(self, word: str) -> None:
        """Sound ``accepted``, ``refused``, ``your turn``, ``round over``, ``warning`` or ``flag``."""


class Displays:
    """The panels of a table, which all show the same.

    Args:
        panels: the panels, lit and not dimmed.
        brightness: of a panel that is not dimmed, 0 to 255.
    """

    def __init__(self, panels: Sequence[Display], brightness: int) -> None:
        self._panels = panels
        self.brightness = brightness
        self._light = "on"
        self._level = brightness

    def show(self, session: Session) -> None:
        """Show a session's picture, and light, dim or darken the panels as the session says."""
        image, off = screens.draw(session), session.light == "off"
        level = self._level if off else self._contrast(session)
        for panel in self._panels:
            panel.show(image, session.shift)
            if level != self._level:
                panel.contrast(level)
            if off and self._light != "off":
                panel.sleep()
            elif self._light == "off" and not off:
                panel.wake()
        self._light, self._level = session.light, level

    def _contrast(self, session: Session) -> int:
        """The contrast of a lit panel, or of a dimmed one: a round in play stays readable in a lit room."""
        if session.light == "on":
            return self.brightness
        return max(DIMMED, self.brightness // IN_PLAY) if session.round is not None and not session.over else DIMMED
