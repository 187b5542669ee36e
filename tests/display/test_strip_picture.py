"""The picture of the plain screen in docs/adding-a-game.md: its parts, framed and labelled, as they are drawn."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from companion.gamekit.contract.picture_faults import pixel_positions, recorded_texts
from companion.games.api.move_input import Draft
from companion.games.api.screen import Scene
from companion.games.plain_screen import PLAIN_SCREEN
from companion.panel import fonts
from companion.panel.canvas import Canvas

if TYPE_CHECKING:
    from companion.gamekit.contract.picture_faults import DrawnText

DOCS = Path(__file__).parents[2] / "docs"
SCALE, BESIDE_PIXELS, LABEL_SCALE = 6, 560, 2
"""How many times the panel is enlarged, pixels beside it for labels, and how many times these are."""
DRAFT = Draft("3-2", "3-2", "ok", "take 2 of 5", "3 stay")
ENTRY = f"{DRAFT.text}  {DRAFT.working}"
PART_NAMES = {
    "7": "result_counts",
    "3  5  7": "position_lines, the first of two",
    ENTRY: "Draft.text, Draft.working",
    DRAFT.message: "Draft.message",
}
"""A text on the panel → the name of that part."""
FRAME, BACKGROUND, INK = (255, 160, 40), (24, 24, 24), (230, 230, 230)


def draw_plain_screen() -> tuple[Image.Image, list[DrawnText]]:
    """The plain screen with a draft, and each text on it."""
    scene = Scene(
        view=None, options={}, names=("Ann", "Ben"), seat_to_move=1, view_before=None, last_move=None, draft=DRAFT,
        bottom_line="", uses_buttons=True, result_counts=(12, 7), position_lines=("3  5  7", "second line"),
    )  # fmt: skip
    canvas = Canvas(scene.names)
    with recorded_texts() as written:
        PLAIN_SCREEN.draw(canvas, scene)
    return canvas.image, written


def draw_annotated() -> Image.Image:
    """The panel enlarged, a frame round each part, and beside it the part's name, with column and row."""
    panel, written = draw_plain_screen()
    shown = panel.convert("RGB").resize((panel.width * SCALE, panel.height * SCALE), Image.Resampling.NEAREST)
    made = Image.new("RGB", (shown.width + BESIDE_PIXELS, shown.height), BACKGROUND)
    made.paste(shown, (0, 0))
    pen = ImageDraw.Draw(made)
    for each in written:
        if each.text not in PART_NAMES:
            continue
        x0, y0, x1, y1 = frame_corners(each)
        pen.rectangle((x0, y0, x1, y1), outline=FRAME, width=2)
        row = (y0 + y1) // 2
        pen.line((x1, row, shown.width + 12, row), fill=FRAME, width=2)
        said = "{}: column {}, row {}".format(PART_NAMES[each.text], *each.position)
        name = fonts.text_mask(fonts.TEXT, said)
        name = name.resize((name.width * LABEL_SCALE, name.height * LABEL_SCALE), Image.Resampling.NEAREST)
        made.paste(INK, (shown.width + 18, row - name.height // 2), name)
    return made


def frame_corners(written: DrawnText) -> tuple[int, int, int, int]:
    """The corners of the frame round a text, a pixel of the panel away from it."""
    found = pixel_positions(written.pixels)
    columns, rows = [x for x, _ in found], [y for _, y in found]
    x1, y1 = min(127, max(columns) + 1), min(63, max(rows) + 1)
    return (min(columns) - 1) * SCALE, (min(rows) - 1) * SCALE, (x1 + 1) * SCALE - 1, (y1 + 1) * SCALE - 1


def test_the_picture_of_the_docs_is_the_plain_screen() -> None:
    """If a part of the strip moves, the picture that authors read has to be drawn anew."""
    file, made = DOCS / "strip.png", draw_annotated()
    if os.environ.get("UPDATE_GOLDEN"):
        made.save(file, optimize=True)
    with Image.open(file) as kept:
        assert kept.convert("RGB").tobytes() == made.tobytes(), "UPDATE_GOLDEN=1 draws docs/strip.png anew: look at it"


def test_the_docs_table_has_the_same_positions() -> None:
    """Column and row of each part of the strip in the docs are those on the panel."""
    text = (DOCS / "adding-a-game.md").read_text(encoding="utf-8")
    said = {part: (int(x), int(y)) for part, x, y in re.findall(r"\| `(Draft\.\w+)`.*?column (\d+), row (\d+)", text)}
    found = {each.text: each.position for each in draw_plain_screen()[1]}
    assert said == {"Draft.text": found[ENTRY], "Draft.message": found[DRAFT.message]}
