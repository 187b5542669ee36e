"""When keys were pressed and pictures shown, which tells a press that came too soon from one that counts."""

from typing import NamedTuple


class Taps(NamedTuple):
    """The last presses and pictures, in monotonic seconds.

    Attributes:
        pressed: when a key was pressed last, or something else lit the panel.
        key: the last one that counted.
        erased: when BACK erased something last.
        seen: the screen that a page or menu led back to last.
        shown: when this picture was sent to the panel, None before.
        wait_until: until when the panel says that a press was ignored, 0 for not.
        ignored_until: a press woke the panel: until then other presses do nothing.
    """

    pressed: float = 0.0
    key: str = ""
    erased: float = -10.0
    seen: object = None
    shown: float | None = 0.0
    wait_until: float = 0.0
    ignored_until: float = 0.0
