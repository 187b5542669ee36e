"""The one form of a player's name."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rounds.player_names import is_valid_name, name_change_message, name_normalization_text, normalize_name


@pytest.mark.parametrize(
    "name",
    ["Ann\u00a0Lee", "Ann  Lee ", "\ufeffAnn Lee", "Ann\u200b Lee", "Ann\u2028Lee", "\u202eAnn Lee", "Ann\ufe0f Lee"],
)
def test_names_that_look_the_same_are_one(name):
    assert normalize_name(name) == "Ann Lee"
    assert not is_valid_name(name)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("  Ann ", ""),
        ("Ann\u200b", "a hidden character was removed"),
        ("\u202eAnn\u202c", "2 hidden characters were removed"),
        ("Ann\u00a0Lee", "its spaces were tidied up"),
        ("Zoe\u0308\ufeff", "a hidden character was removed and its accents were joined to their letters"),
    ],
)
def test_what_is_changed_in_a_name_is_shown(name, changes):
    assert name_normalization_text(name) == changes
    assert name_change_message(name) == (f"The name is now {normalize_name(name)}: {changes}." if changes else "")


@given(st.text(max_size=20))
def test_only_spaces_at_the_ends_are_removed_silently(name):
    assert bool(name_normalization_text(name)) == (normalize_name(name) != name.strip(" \t"))


@given(st.text(max_size=20))
def test_a_normal_name_stays_and_has_nothing_invisible(name):
    normal = normalize_name(name)
    assert normalize_name(normal) == normal
    assert not {unicodedata.category(each) for each in normal} & {"Cf", "Zl", "Zp"}
    assert normal == " ".join(normal.split())
