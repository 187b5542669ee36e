"""The sign ``wait…`` leaves no half of a digit or letter, which could be read as another one."""

from __future__ import annotations

import random

import pytest

from companion import display

SIGN_COLUMNS = 36
"""Columns of the sign itself."""
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
    """Only the last line gives way."""
    table = new_table()
    table.press("5", "5", "1", "2", "1", "1", "#", "#", "2", "5")
    assert table.family == "Scoring"
    before = table.picture.crop((0, 0, 128, 51))
    after = display.session_picture(table.session._replace(taps=table.session.taps._replace(wait_until=table.now + 1)))
    assert after.crop((0, 0, 128, 51)).tobytes() == before.tobytes()
    assert after.crop((SIGN_COLUMNS, 51, 128, 64)).getbbox() is None


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
