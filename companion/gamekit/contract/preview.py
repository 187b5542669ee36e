"""Shows translators how a sentence looks on the panel. It is used in development only.

``python -m companion.gamekit.sentence_preview "{who}'s pieces" pieces.png`` writes a picture of the sentence in lines
of the text font, four times as large, and prints how wide it is in one line of each font.
"""

from __future__ import annotations

import sys

from companion.panel import fonts
from companion.panel.canvas import HEIGHT, LEFT, RIGHT, WIDTH, Canvas

SCALE = 4
ROOM = RIGHT - LEFT + 1


def preview(sentence: str, path: str) -> list[str]:
    """Write the picture. Returns what there is to say about the sentence, one string for each line of output."""
    lines = fonts.wrap_text(sentence, fonts.TEXT, ROOM)
    canvas = Canvas()
    for index, line in enumerate(lines[:7]):
        canvas.text(LEFT, 1 + 9 * index, line)
    canvas.image.resize((WIDTH * SCALE, HEIGHT * SCALE)).save(path)
    wide = ", ".join(f"{face.name} {face.width(sentence)}" for face in (fonts.TEXT, fonts.NARROW, fonts.NAME))
    boxes = sorted({mark for mark in sentence if not fonts.TEXT.has_glyphs(mark)})
    said = [f"{len(lines)} lines of {ROOM} columns; in one line, by face: {wide}"]
    return [*said, *(f"the panel has no {mark} and shows an empty box instead" for mark in boxes)]


if __name__ == "__main__":
    print("\n".join(preview(*sys.argv[1:3])))
