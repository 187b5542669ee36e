"""The sign ``wait…`` leaves no half of a digit or letter, which could be read as another one."""

from __future__ import annotations

import random

import pytest

from companion import display
from companion.display import dispatch
from companion.evening.contents.kinds import Result
from companion.panel.canvas import Canvas

SIGN_COLUMNS = 36
"""Columns of the sign itself."""
LETTER_ROWS, FOOTER_ROW = 9, 54
"""Rows of a letter that reaches below its line, and the last row above the tags that must stay dark."""
FIRST_STRIP_ROW = 48
"""The first row of the strip. A character of the table above it may lose its lower part."""


def pixel_groups(image):
    """The groups of lit pixels that touch, beside the sign."""
    lit = {(x, y) for x in range(SIGN_COLUMNS, 128) for y in range(64) if image.getpixel((x, y))}
    while lit:
        found, todo = set(), [next(iter(lit))]
        while todo:
            x, y = at = todo.pop()
            if at in lit:
                lit.discard(at)
                found.add(at)
                todo += [(x + right, y + down) for right in (-1, 0, 1) for down in (-1, 0, 1)]
        yield found


ENTRIES = {
    "27": ("", "1", "11", "99"),
    "coral-reef": ("", "2", "254", "0", "20"),
    "prime-attactics": ("", "A", "A3", "0A"),
    "ziggurat": ("", "6", "63", "6344", "6344B"),
}


@pytest.mark.parametrize(("game", "keys"), [(game, keys) for game, entries in ENTRIES.items() for keys in entries])
def test_a_sign_of_the_strip_stays_whole_or_goes(new_table, game, keys):
    """Each digit, letter and sign beside it is as before, or gone."""
    table = new_table(game)
    table.wait(3)
    table.press(*keys)
    before, after = (
        table.picture,
        display.session_picture(table.session._replace(taps=table.session.taps._replace(wait_until=table.now + 1))),
    )
    assert before.tobytes() != after.tobytes()
    for sign in pixel_groups(before):
        if min(y for _, y in sign) >= FIRST_STRIP_ROW:
            left = {at for at in sign if after.getpixel(at)}
            assert left in (set(), sign), f"half a sign at {min(sign)}"


def test_the_line_of_the_pad_stays_whole(new_table):
    """The points being entered reach up to two rows below the line. They go, and the line stays."""
    table = new_table()
    table.press("5", "5", "1", "2", "1", "1", "#", "#", "2", "5")
    assert table.family == "Scoring"
    before = table.picture.crop((0, 0, 128, 54))
    after = display.session_picture(table.session._replace(taps=table.session.taps._replace(wait_until=table.now + 1)))
    assert after.crop((0, 0, 128, 54)).tobytes() == before.tobytes()
    assert after.crop((SIGN_COLUMNS, 54, 128, 64)).getbbox() is None


@pytest.mark.parametrize("label", ["points", "corals left"])
@pytest.mark.parametrize("reason", ["all dominoes played", "blocked"])
@pytest.mark.parametrize("names", [("Alexandra Maria", "Alexandra Mia"), ("Ann", "Ben"), ("Ann", "Wilhelmina Mommy")])
def test_the_unit_of_a_result_touches_no_key(monkeypatch, names, reason, label):
    """However long the names, it is shown once; it keeps a margin from the tags below, or goes as a whole."""
    canvas, said = Canvas(names), []
    text = Canvas.text
    monkeypatch.setattr(Canvas, "text", lambda *given, **more: said.append(given[1:4]) or text(*given, **more))
    rows = tuple(zip(names, (6, 2), strict=True))
    content = Result("27", f"{names[0]} wins", names[:1], reason, label, rows)
    dispatch.draw_content(canvas, content, uses_buttons=True)
    (place,) = [y for _, y, words in said if words == label]
    assert place + LETTER_ROWS <= FOOTER_ROW


def test_nothing_above_the_strip_is_lost(random_table):
    """The table above the strip is whole at random moments of all games."""
    chance = random.Random(12)
    for game in ENTRIES:
        table = random_table(game, chance)
        before, after = (
            table.picture,
            display.session_picture(table.session._replace(taps=table.session.taps._replace(wait_until=table.now + 1))),
        )
        assert before.crop((0, 0, 128, 44)).tobytes() == after.crop((0, 0, 128, 44)).tobytes()
