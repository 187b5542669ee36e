"""Names that are cut: no two on one screen look alike, a cut name has its mark, and what fits is never cut."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.panel import fonts
from companion.panel.fonts import FIGURE_FACES, NAME_FACES, TEXT
from companion.panel.name_cutting import ELLIPSIS, limit_names_in

ALIKE = (
    "Alexandrasophie", "Alexandersamuel", "Alex", "Wilhelmina Mommo", "Wilhelmina Momma", "Player 2", "Player 12",
    "Player 1",
)  # fmt: skip
"""As many names as a score pad has players, most of which begin or end alike."""
MIN_NAME_COLUMNS = 17
"""The least width that a screen has for a name: three characters, one of them the mark."""

name_parts = st.sampled_from(
    ("", "A", "Al", "Anna", "Anne", "ie", "Maria", "Wilhelm", "i", " ", "-", "1", "12", "x", "é")
)
names_strategy = (
    st.lists(name_parts, min_size=1, max_size=5).map("".join).map(str.strip).filter(bool).map(lambda said: said[:16])
)
name_lists = st.lists(names_strategy, min_size=2, max_size=8, unique=True)


@given(
    names=name_lists,
    widths=st.lists(st.integers(MIN_NAME_COLUMNS, 126), min_size=8, max_size=8),
    face=st.sampled_from(NAME_FACES),
)
def test_names_stay_apart_in_places_of_any_width(names: list[str], widths: list[int], face: fonts.Face) -> None:
    """Each name is within its own width, whole if it fits, else with a mark, and no two are alike."""
    assume(face is TEXT or min(widths) >= 25)  # The bold faces are used where there is more room.
    places = list(zip(names, widths, strict=False))
    shown = [fonts.cut_text(name, face, width, names) for name, width in places]
    assert len(set(shown)) == len(names), shown
    for (name, width), form in zip(places, shown, strict=True):
        assert face.width(form) <= width
        assert (form == name) == (face.width(name) <= width)
        assert form == name or ELLIPSIS in form


@given(names=name_lists, width=st.integers(MIN_NAME_COLUMNS, 90))
def test_a_cut_name_only_has_letters_of_the_name(names: list[str], width: int) -> None:
    """They are in order. Only the number of the last resort isn't part of the name."""
    for place, name in enumerate(names, 1):
        form = fonts.cut_text(name, TEXT, width, names)
        rest = iter(name)
        in_order = all(letter in rest for letter in form if letter != ELLIPSIS)
        assert in_order or form in (f"{name[0]}{ELLIPSIS}{place}", f"{place}{ELLIPSIS}")


@pytest.mark.parametrize("width", range(MIN_NAME_COLUMNS, 127, 2))
@pytest.mark.parametrize("form", ["{}", "{} agrees"])
def test_names_that_begin_or_end_alike_stay_apart(form: str, width: int) -> None:
    """Alone and in a sentence, the names at one table are told apart by their own letters; Player 2 may be P2."""
    room = width + TEXT.width(form.format(""))
    shown = [fonts.with_cut_name(form, name, TEXT, room, ALIKE) for name in ALIKE]
    assert len(set(shown)) == len(ALIKE)
    for one, name in zip(shown, ALIKE, strict=True):
        assert TEXT.width(one) <= room
        assert one.startswith(name[0])
        assert one in (form.format(name), form.format(name.replace("Player ", "P"))) or ELLIPSIS in one


@pytest.mark.parametrize("names", [("Bernhard", "Bernard"), ("Max Berger", "Max Bauer"), ("Anna", "Anna-Maria")])
def test_a_cut_name_cannot_be_another_name(names: tuple[str, str]) -> None:
    """With any letters in place of its mark it isn't the other one, except where only a number had room."""
    for width in range(MIN_NAME_COLUMNS, 60):
        for name, other in (names, names[::-1]):
            form = fonts.cut_text(name, TEXT, width, names)
            assert form[0].isdigit() or not re.fullmatch(re.escape(form).replace(ELLIPSIS, ".+"), other), (form, width)


@pytest.mark.parametrize(
    ("name", "width", "shown"),
    [
        ("Alexandrasophie", 85, "Alexandrasophie"),
        ("Alexandrasophie", 66, "Alexandras…"),
        ("Alexandrasophie", 47, "Alexa…ie"),
        ("Alexandersamuel", 17, "A…l"),
        ("Wilhelmina Momma", 60, "Wilhelmi…ma"),
        ("Player 12", 40, "P12"),
        ("Alex", 15, "1…"),
    ],
)
def test_a_name_is_cut_like_this(name: str, width: int, shown: str) -> None:
    """Its beginning where no other begins so, else its two ends; its number; at last its number among the names."""
    names = ("Alex", *(each for each in ALIKE if each != "Alex"))
    assert fonts.cut_text(name, TEXT, width, names) == shown


def test_the_order_of_names_does_not_matter() -> None:
    """What a name becomes depends on the names and not on their order, except for the numbers of the last resort."""
    for name in ALIKE:
        assert fonts.cut_text(name, TEXT, 40, ALIKE) == fonts.cut_text(name, TEXT, 40, ALIKE[::-1])


def test_a_page_tells_names_of_any_length_apart() -> None:
    """Of two names that begin with the same thousand letters each keeps its end, in forty characters."""
    names = ("W" * 1000 + "a", "W" * 1000 + "b")
    said = limit_names_in(f"{names[0]} beats {names[1]}", names, 40)
    first, second = said.split(" beats ")
    assert first != second
    assert max(len(first), len(second)) <= 40


def test_a_cut_number_has_a_mark() -> None:
    """So that no shorter number is read."""
    face, shown = fonts.fit_text("1" * 60, FIGURE_FACES, 60)
    assert shown.endswith(ELLIPSIS)
    assert face.width(shown) <= 60
