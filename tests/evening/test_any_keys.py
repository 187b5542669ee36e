"""Whatever keys are pressed, nothing raises, and every position is the one to which its own record replays."""

import random

import pytest
from examples import example_count
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.games import built_in_game_ids
from companion.inputs import BUTTON_KEYS, KEYPAD_KEYS, TAKE_BACK_KEY

KEYS = (*KEYPAD_KEYS, *BUTTON_KEYS, TAKE_BACK_KEY)
# Keys that lead on are more frequent than keys that leave.
LIKELY_KEYS = (*"0123456789" * 2, *"ABCD", *"####", "*", *BUTTON_KEYS, "ok")


def press_all(table, keys, rng) -> None:
    kept = 0
    for key in keys:
        table.press(key, apart=rng.choice((0.1, 0.4, 1.2)))
        if len(table.saved_lines) > kept:
            kept = len(table.saved_lines)
            assert table.replays_to_itself()
        picture = table.picture  # Drawing must not raise, and must keep to its columns.
        assert picture.size == (128, 64)
        assert picture.crop((0, 0, 1, 64)).getbbox() is None
        assert picture.crop((127, 0, 128, 64)).getbbox() is None


@settings(max_examples=example_count(25), deadline=None)
@given(st.lists(st.sampled_from(KEYS), min_size=80, max_size=160), st.integers(0, 2**32))
# In German, the standings without any round.
@example([*"0*", *"0" * 37, *"1", "back", "back", *"0102", *"0" * 33, "1"], 0)
def test_any_keys_from_the_menu(random_table, keys, seed):
    """From power-up on, no sequence of keys raises, or leads to a position that its record doesn't replay to."""
    press_all(random_table(), keys, random.Random(seed))


@pytest.mark.parametrize("game", built_in_game_ids())
@settings(max_examples=example_count(15), deadline=None)
@given(st.lists(st.sampled_from(LIKELY_KEYS), min_size=80, max_size=160), st.integers(0, 2**32))
def test_any_keys_in_a_game(random_table, game, keys, seed):
    """The same from the first turn of each game, with any holdings open or sealed."""
    rng = random.Random(seed)
    press_all(random_table(game, rng), keys, rng)
