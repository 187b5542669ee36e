"""Compares pictures of the panel with the golden ones beside the tests.

``UPDATE_GOLDEN=1 pytest tests`` writes every picture anew; look at each one, enlarged, before you commit it. After a
failure the new picture is in the folder that the message names.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.model import Session


def rows_of(image: Image.Image) -> list[str]:
    data = image.convert("L").tobytes()
    return ["".join("#" if pixel else "." for pixel in data[y * 128 : y * 128 + 128]) for y in range(64)]


def panel_after_a_second(session: Session) -> Image.Image:
    """The panel a second later: by then any key closes a refusal or notice, and the picture says so."""
    from companion import display
    from companion.evening import state_machine

    return display.session_picture(state_machine.mark_shown(session, session.now)._replace(now=session.now + 1))


def picture_difference(actual: Image.Image, expected: Image.Image) -> str:
    """The rows and columns that differ: ``+`` newly lit, ``-`` newly dark, ``#`` and ``.`` as before."""
    merged = [
        "".join(a if a == e else "+" if a == "#" else "-" for a, e in zip(*pair, strict=True))
        for pair in zip(rows_of(actual), rows_of(expected), strict=True)
    ]
    columns = [x for x in range(128) if any(row[x] in "+-" for row in merged)]
    x0, x1 = max(columns[0] - 4, 0), columns[-1] + 5
    return "\n".join(
        [f"columns {x0} to {x1 - 1}"] + [f"{y:2} {row[x0:x1]}" for y, row in enumerate(merged) if set(row) & set("+-")]
    )


def check_golden_picture(image: Image.Image, path: Path, output_folder: Path) -> None:
    name = path.stem
    assert (image.mode, image.size) == ("1", (128, 64))
    for x in (0, 127):
        assert image.crop((x, 0, x + 1, 64)).getbbox() is None, f"{name}: column {x} is lit"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or Image.open(path).convert("1").tobytes() != image.tobytes():
            image.save(path, optimize=True)
        return
    assert path.exists(), f"no golden picture {path.name}: UPDATE_GOLDEN=1 writes it"
    expected = Image.open(path).convert("1")
    if image.tobytes() != expected.tobytes():
        image.save(output_folder / path.name)
        pytest.fail(
            f"{name} differs; drawn: {output_folder / path.name}\n{picture_difference(image, expected)}", pytrace=False
        )


@pytest.fixture
def golden(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Image.Image, str], None]:
    """``golden(image, name)``: 128×64, columns 0 and 127 dark, pixel by pixel as golden/NAME.png beside the test."""
    folder = request.path.with_name("golden")
    return lambda image, name: check_golden_picture(image, folder / f"{name}.png", tmp_path)
