"""The one form of a player's name."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rounds.player_names import fit, normal_name


@pytest.mark.parametrize(
    "name",
    ["Ann\u00a0Lee", "Ann  Lee ", "\ufeffAnn Lee", "Ann\u200b Lee", "Ann\u2028Lee", "\u202eAnn Lee", "Ann\ufe0f Lee"],
)
def test_names_that_look_the_same_are_one(name):
    assert normal_name(name) == "Ann Lee"
    assert not fit(name)


@given(st.text(max_size=20))
def test_a_normal_name_stays_and_has_nothing_invisible(name):
    normal = normal_name(name)
    assert normal_name(normal) == normal
    assert not {unicodedata.category(each) for each in normal} & {"Cf", "Zl", "Zp"}
    assert normal == " ".join(normal.split())
