"""The bundled sheets of the misc-fixed faces are what the conversion makes of Debian's fonts."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from PIL import Image

from companion.panel import fonts
from companion.panel.fonts import FACES_FOLDER

SCRIPT = Path(__file__).with_name("make_faces.py")


@pytest.mark.skipif(not Path("/usr/share/fonts/X11/misc/6x10.pcf.gz").exists(), reason="xfonts-base is not installed")
def test_sheets_are_as_converted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Converting the installed fonts again gives the same pixels and the same characters, face by face."""
    spec = spec_from_file_location("make_faces", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    make_faces = module_from_spec(spec)
    spec.loader.exec_module(make_faces)
    monkeypatch.setattr(make_faces, "FACES", tmp_path)
    make_faces.main()
    for name in ("6x10", "7x13B", "8x13B", "10x20"):
        assert (tmp_path / f"{name}.txt").read_text() == (FACES_FOLDER / f"{name}.txt").read_text()
        with Image.open(tmp_path / f"{name}.pbm") as made, Image.open(FACES_FOLDER / f"{name}.pbm") as bundled:
            assert made.tobytes() == bundled.tobytes()


def test_an_accented_capital_is_taller_than_its_small_letter() -> None:
    """In the face of names the body of an accented capital is at least a row taller."""
    for small in "äëïöüáéíóúàèìòùâêîôûãñõčšžğ":
        tops = []
        for letter in (small, small.upper()):
            glyph = fonts.NAME.glyph(letter)
            rows = [any(glyph.getpixel((x, y)) for x in range(glyph.width)) for y in range(glyph.height)]
            first = rows.index(True)
            body = rows.index(True, rows.index(False, first)) if False in rows[first : first + 5] else first
            tops.append((first, body))
        assert tops[1] < tops[0] or tops[1][1] < tops[0][1], small
