"""A sentence on the panel, for translators; for development alone.

``python -m companion.gamekit.contract.preview "{who}'s pieces" pieces.png`` writes how the sentence stands in lines of
the text face, four times as large, and says how wide it is in one line of each face.
"""

from __future__ import annotations

import sys

from companion.panel import fonts
from companion.panel.canvas import HEIGHT, LEFT, RIGHT, WIDTH, Canvas

SCALE = 4
ROOM = RIGHT - LEFT + 1


def preview(sentence: str, path: str) -> list[str]:
    """Write the picture; returns what there is to say of it, a sentence each."""
    lines = fonts.wrap(sentence, fonts.TEXT, ROOM)
    canvas = Canvas()
    for index, line in enumerate(lines[:7]):
        canvas.text(LEFT, 1 + 9 * index, line)
    canvas.image.resize((WIDTH * SCALE, HEIGHT * SCALE)).save(path)
    wide = ", ".join(f"{face.name} {face.width(sentence)}" for face in (fonts.TEXT, fonts.NARROW, fonts.NAME))
    boxes = sorted({mark for mark in sentence if not fonts.TEXT.has(mark)})
    said = [f"{len(lines)} lines of {ROOM} columns; in one line, by face: {wide}"]
    return [*said, *(f"the panel has no {mark} and shows an empty box instead" for mark in boxes)]


if __name__ == "__main__":
    print("\n".join(preview(*sys.argv[1:3])))
