"""Shows translators how a sentence looks on the panel. It is used in development only.

``python -m companion.gamekit.sentence_preview "{who}'s pieces" pieces.png`` writes a picture of the sentence in lines
of the text font, four times as large, and prints how wide it is in one line of each font.
"""

from __future__ import annotations

import sys

from companion.panel import fonts
from companion.panel.canvas import HEIGHT, LEFT, RIGHT, WIDTH, Canvas

PICTURE_SCALE = 4
LINE_COLUMNS = RIGHT - LEFT + 1


def draw_preview(sentence: str, path: str) -> list[str]:
    """Write the picture. Returns what there is to say about the sentence, one string for each line of output."""
    lines = fonts.wrap_text(sentence, fonts.TEXT, LINE_COLUMNS)
    canvas = Canvas()
    for index, line in enumerate(lines[:7]):
        canvas.text(LEFT, 1 + 9 * index, line)
    canvas.image.resize((WIDTH * PICTURE_SCALE, HEIGHT * PICTURE_SCALE)).save(path)
    widths = ", ".join(f"{face.name} {face.width(sentence)}" for face in (fonts.TEXT, fonts.NARROW, fonts.NAME))
    missing_marks = sorted({mark for mark in sentence if not fonts.TEXT.has_glyphs(mark)})
    sentences = [f"{len(lines)} lines of {LINE_COLUMNS} columns; in one line, by face: {widths}"]
    return [*sentences, *(f"the panel has no {mark} and shows an empty box instead" for mark in missing_marks)]


if __name__ == "__main__":
    print("\n".join(draw_preview(*sys.argv[1:3])))
