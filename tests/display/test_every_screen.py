"""Every screen on one sheet, for each set of keys: docs/screens-buttons.png and docs/screens-keypad.png.

``UPDATE_GOLDEN=1 pytest tests/display/test_every_screen.py`` draws them anew; look at what has changed, enlarged.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import FunctionType
from typing import NamedTuple, get_args

import pseudo_language
import pytest
import sheet_of_menus
import sheet_of_rounds
from examples import first_cases_fast
from PIL import Image
from screen_classes import screen_classes
from screen_sheet import KEY_SETS, ScreenSheet, SheetPicture

from companion import display, games
from companion.display.dispatch import DRAW_BY_KIND
from companion.evening.contents.kinds import Choice, Content
from companion.evening.screens.base_screen import open_due_screens
from companion.gamekit.contract.picture_faults import find_picture_faults, recorded_texts
from companion.languages import catalogues
from companion.panel import fonts
from companion.panel.canvas import HEIGHT, WIDTH

DOCS = Path(__file__).parents[2] / "docs"
TEMPLATE = Path(__file__).parents[2] / "companion" / "languages" / "messages.pot"
ONE_LINE_LETTERS = 100
"""Messages with fewer letters than this are in one line of the template, whatever file they are from."""
TEST_MESSAGES: list[str] = []
"""Messages that only occur in tests."""
PICTURES_A_ROW, CAPTION_ROWS, GAP_PIXELS, GREY_COLOUR = 12, 11, 6, 2
"""Pictures side by side, rows for the name above each, pixels between two pictures, and the colour between them."""


class DrawnMoments(NamedTuple):
    """The moments of each set of keys, their pictures in the same order, and what was noticed while they were drawn.

    `undrawn` are the drawing functions that none of them has called; `faults` are the texts without a margin, by
    moment.
    """

    moments: dict[str, list[SheetPicture]]
    pictures: dict[str, list[Image.Image]]
    undrawn: list[str]
    faults: dict[str, list[tuple[str, str, list[tuple[int, int]]]]]


@pytest.fixture(scope="session")
def sheets(typed_keys, picked_keys):
    """All moments, drawn once."""
    moments, pictures, undrawn = {}, {}, drawing_functions()
    for keys in KEY_SETS:
        sheet = ScreenSheet(keys)
        sheet_of_menus.add_all_pictures(sheet)
        sheet_of_rounds.add_all_pictures(sheet, picked_keys if keys == "buttons" else typed_keys)
        moments[keys] = list(sheet.pictures.values())
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, argument: undrawn.pop(frame.f_code, None) if event == "call" else None)
    try:
        for keys in KEY_SETS:
            pictures[keys] = [moment.draw() for moment in moments[keys]]
    finally:
        sys.setprofile(before)
    wrong = {
        f"{keys}: {moment.name}": found
        for keys in KEY_SETS
        for moment in moments[keys]
        if (found := _without_margin(moment))
    }
    return DrawnMoments(moments, pictures, sorted(undrawn.values()), wrong)


def _without_margin(moment):
    with recorded_texts() as written:
        picture = moment.draw()
    return find_picture_faults(picture, written)


def picture_corner(index):
    """The left top corner of a picture on the sheet."""
    row, column = divmod(index, PICTURES_A_ROW)
    return GAP_PIXELS + column * (WIDTH + GAP_PIXELS), GAP_PIXELS + row * (
        HEIGHT + CAPTION_ROWS + GAP_PIXELS
    ) + CAPTION_ROWS


def draw_sheet(moments, pictures):
    """The sheet: grey, with each picture below its name."""
    whole = Image.new(
        "P",
        (
            picture_corner(PICTURES_A_ROW - 1)[0] + WIDTH + GAP_PIXELS,
            picture_corner(len(moments) + PICTURES_A_ROW - 1)[1],
        ),
        GREY_COLOUR,
    )
    whole.putpalette([channel for grey in (0, 255, 128) for channel in (grey, grey, grey)])
    for index, (moment, picture) in enumerate(zip(moments, pictures, strict=True)):
        x, y = picture_corner(index)
        name = moment.name if fonts.TEXT.width(moment.name) <= WIDTH else moment.name.rpartition(": ")[2]
        name = fonts.text_mask(fonts.TEXT, fonts.cut_text(name, fonts.TEXT, WIDTH))
        whole.paste(0, (x, y - CAPTION_ROWS + 1), name)
        whole.paste(0, (x, y, x + WIDTH, y + HEIGHT))
        whole.paste(1, (x, y), picture)
    return whole


@pytest.mark.parametrize("keys", KEY_SETS)
def test_the_sheet_shows_every_screen_as_it_is(sheets, tmp_path, keys):
    """Each picture is as on the sheet in the docs. The message names those that aren't."""
    moments = sheets.moments[keys]
    image, path = draw_sheet(moments, sheets.pictures[keys]), DOCS / f"screens-{keys}.png"
    if os.environ.get("UPDATE_GOLDEN"):
        image.save(path, optimize=True, bits=2)
    with Image.open(path) as golden:
        before = golden.copy()
    if before.tobytes() == image.tobytes():
        return
    image.save(tmp_path / path.name)
    corners = [(moment.name, picture_corner(index)) for index, moment in enumerate(moments)]
    boxes = {name: (x, y - CAPTION_ROWS, x + WIDTH, y + HEIGHT) for name, (x, y) in corners}
    differ = [name for name, box in boxes.items() if before.crop(box).tobytes() != image.crop(box).tobytes()]
    pytest.fail(f"{path.name} differs in {differ[:20]}: see {tmp_path / path.name}", pytrace=False)


@pytest.mark.parametrize("keys", KEY_SETS)
def test_the_sheet_has_every_screen(sheets, keys):
    """Every new screen, menu or page has to be added to the sheet."""
    shown = [moment.session.screen for moment in sheets.moments[keys]]
    assert set(screen_classes()) - set(map(type, shown)) == set()


def test_each_kind_of_content_is_drawn():
    """A kind without a drawing function is found here, and not at the table."""
    assert set(DRAW_BY_KIND) == set(get_args(Content))


def _modules(package):
    return iter_modules(import_module(package).__path__, f"{package}.")


def drawing_functions():
    """Every function that draws, by its code: its first argument, or the first one after self, is a canvas."""
    kit = ["companion.panel.widgets"]
    own = [found.name for found in _modules(display.__name__)]
    of_games = [found.name for game in games.built_in_game_ids() for found in _modules(games.package_name(game))]
    found = {}
    for name in (*kit, *own, *of_games):
        module = import_module(name)
        classes = [each for each in vars(module).values() if inspect.isclass(each) and each.__module__ == name]
        for function in (*vars(module).values(), *(each for owner in classes for each in vars(owner).values())):
            if isinstance(function, FunctionType) and function.__module__ == name:
                first = [each for each in inspect.signature(function).parameters.values() if each.name != "self"][:1]
                if first and first[0].annotation == "Canvas":
                    found[function.__code__] = f"{name}.{function.__qualname__}"
    return found


def test_the_sheet_draws_with_every_function(sheets):
    """Every new drawing function needs a moment on the sheet that calls it."""
    assert len(drawing_functions()) > 80
    assert sheets.undrawn == []


def test_every_text_has_its_margin(sheets):
    """No text touches another one or a picture, or is erased in part; inverse ones have a margin in their plate."""
    assert sheets.faults == {}


def layout_faults(moment, language):
    """The texts of a moment that are cut or touch something in a language; names may be cut."""
    lost, before = [], fonts.on_text_cut
    fonts.on_text_cut = lambda whole, shown, room: lost.append(whole)
    try:
        session = moment.session._replace(language=language)
        with recorded_texts() as written:
            picture = moment._replace(session=session).draw()
    finally:
        fonts.on_text_cut = before
    return {*lost, *(each[0] for each in find_picture_faults(picture, written, ignore_accents=language != "en"))}


TIGHT_FILE = Path(__file__).with_name("tight.txt")


@pytest.mark.parametrize("language", first_cases_fast(1, [pseudo_language.CODE, *catalogues.available_languages()[1:]]))
def test_every_moment_fits_in_every_language(sheets, monkeypatch, language):
    """Nothing is cut and nothing touches, except what tight.txt lists; UPDATE_GOLDEN=1 removes what fits now."""
    asked = set()
    if language == pseudo_language.CODE:
        pseudo_language.install_pseudo_language(monkeypatch, lambda message: asked.add(message.rpartition("\x04")[2]))
    found = {}
    for keys in KEY_SETS:
        for moment in sheets.moments[keys]:
            for each in layout_faults(moment, language) - layout_faults(moment, "en"):
                found[f"{language} {each}"] = f"{keys}: {moment.name}"
    listed = set(TIGHT_FILE.read_text("utf-8").splitlines())
    if os.environ.get("UPDATE_GOLDEN"):
        left = {line for line in listed if line[:2] != language} | found.keys() & (listed or found)
        TIGHT_FILE.write_text("".join(f"{line}\n" for line in sorted(left)), "utf-8")
        return
    assert {said: where for said, where in found.items() if said not in listed} == {}
    assert sorted(line for line in listed - found.keys() if line.startswith(language)) == []
    known = TEMPLATE.read_text("utf-8")
    unknown = {each for each in asked if re.search(r"[^\W\d_]{2}", re.sub(r"\{.*?\}", "", each)) and each not in known}
    assert (
        sorted(each for each in unknown if len(each) < ONE_LINE_LETTERS and '"' not in each and "\n" not in each)
        == TEST_MESSAGES
    )


KEYS = {"ok": "#", "back": "*", "any": "#", "digits": "7"}
"""The keys for the names in key hints, where they differ."""


@pytest.mark.parametrize("keys", KEY_SETS)
def test_every_key_with_a_hint_does_something(sheets, keys):
    """A key for which a moment's content has a hint changes the session when it is pressed."""
    found = 0
    for name, session in sheets.moments[keys]:
        content = session.screen.content(session)
        for each in content.key_hints if content is not None and hasattr(content, "key_hints") else ():
            found += 1
            after = session.press_key(KEYS.get(each.key, each.key))
            assert after != session, (name, each)
    assert found > 300


@pytest.mark.parametrize("keys", KEY_SETS)
def test_every_entry_is_picked_by_its_digit(sheets, keys):
    """The digit beside an entry has the same effect as OK on it, from any entry of its page."""
    found = 0
    for name, session in sheets.moments[keys]:
        content = session.screen.content(session)
        if not isinstance(content, Choice):
            continue
        for index, line in enumerate(content.lines):
            if not (digit := content.digit_of(line)):
                continue
            page = [at for at, other in enumerate(content.lines) if content.page_of(other) == content.page_of(line)]
            by_ok = session.screen._replace(cursor=index).press(session, "#")
            by_digit = session.screen._replace(cursor=page[0]).press(session, digit)
            said = [
                (after.screen.content(after), after.outbox.requests, after.outbox.unsaved_entries)
                for after in map(open_due_screens, (by_ok, by_digit))
            ]
            assert said[0] == said[1], (name, line)
            found += 1
    assert found > 100
