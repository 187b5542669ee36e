"""Faces, fitting, cutting and wrapping of text, and the drawing functions of the canvas."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.panel import fonts, icons
from companion.panel.canvas import LINE_COLUMNS, Canvas
from companion.panel.fonts import BIG, CONDENSED, FIGURE_FACES, HEADING, MIDDLE, NAME, NAME_FACES, NARROW, TEXT, Face

FACES = (BIG, MIDDLE, HEADING, NAME, NARROW, CONDENSED, TEXT)
LETTER_FACES = (NAME, NARROW, CONDENSED, TEXT, HEADING)
texts = st.text(st.sampled_from("abcgjpqyW iI.,:;019-ÅØßé\N{SNOWMAN}"), max_size=80)


def ink_box(c: Canvas) -> tuple[int, int, int, int]:
    """First column and row, last column and row of what is lit."""
    box = c.image.getbbox()
    assert box is not None
    return box[0], box[1], box[2] - 1, box[3] - 1


@pytest.mark.parametrize("face", FACES, ids=repr)
def test_digits_stand_on_the_row_asked_for(face: Face) -> None:
    """`y` is the top row of capitals and digits in every face, and they end on the baseline."""
    c = Canvas()
    c.text(5, 20, "8", face)
    assert ink_box(c)[:2] == (5, 20)
    assert ink_box(c)[3] == 20 + face.capital_rows - 1


@pytest.mark.parametrize(("face", "height"), [(BIG, 20), (MIDDLE, 13), (CONDENSED, 9), (TEXT, 7)])
def test_digits_that_matter_are_as_tall_as_promised(face: Face, height: int) -> None:
    """Big digits are 20 rows high, middle ones 13, those of words 9, and nothing is smaller than 5×7."""
    assert face.capital_rows == height
    for digit in "0123456789":
        box = face.glyph(digit).getbbox()
        assert box is not None
        assert box[3] - box[1] == height


def test_digits_of_the_text_face_keep_their_columns() -> None:
    """A number in the text face takes 6 columns a digit, whichever digits it has."""
    assert {TEXT.width(digit) for digit in "0123456789"} == {5}
    assert TEXT.width("1111") == TEXT.width("8888") == 23


def test_spacing_is_fitted() -> None:
    """A glyph advances by its ink and 1, a blank by 4; big digits are 2 apart, or 1 where that is asked for."""
    assert TEXT.width("il") == TEXT.glyph("i").width + 1 + TEXT.glyph("l").width
    assert TEXT.width("a b") == 5 + 1 + 4 + 5
    assert BIG.width("88") == 9 + 2 + 9
    assert BIG.width("10", digit_gap=1) == 15


def test_words_are_no_wider_than_in_the_text_face() -> None:
    """The condensed face is bold and higher, and takes no more columns, so that everything fits that fitted before."""
    for words in ("Maximilian", "The top is 9: your cards", "0123456789", "Größe, Ärger, Übung"):
        assert CONDENSED.width(words) <= TEXT.width(words), words


@pytest.mark.parametrize("mark", "gjpqyQ,;çýÿµ")
def test_the_last_line_fits_the_panel(mark: str) -> None:
    """Words with their capitals on rows 53 to 61 end on row 63: descenders have two rows."""
    c = Canvas()
    c.text(5, 53, mark)
    assert ink_box(c)[3] <= 63


@pytest.mark.parametrize("face", LETTER_FACES, ids=repr)
def test_names_of_europe_have_their_letters(face: Face) -> None:
    """Names such as Zoë, Øjvind and Łukasz, and the signs × ÷ – → ← · ✓, need no hollow box."""
    assert face.has_glyphs("Zoë José Øjvind Großmann Łukasz Đorđe Çağla Ștefan Þóra ×÷–−→←·✓✗…")


@pytest.mark.parametrize("face", [BIG, MIDDLE], ids=repr)
def test_figures_have_the_signs_of_the_games(face: Face) -> None:
    """The figures of refusals and drafts can be written in the hand-drawn faces."""
    assert face.has_glyphs("0123456789 :=+-−×x÷/→←.,()?!_ATJQKD<>")


@pytest.mark.parametrize("face", FACES, ids=repr)
def test_an_unknown_character_shows_as_a_box(face: Face) -> None:
    """A character that the face lacks is a hollow box as tall as a capital, not a gap and not an error."""
    c = Canvas()
    c.text(5, 20, "\N{SNOWMAN}", face)
    x0, y0, x1, y1 = ink_box(c)
    assert y1 - y0 + 1 == face.capital_rows
    assert all(c.image.getpixel(pixel) for pixel in ((x0, y0), (x1, y1)))
    assert not c.image.getpixel(((x0 + x1) // 2, (y0 + y1) // 2))


@given(s=texts, width=st.integers(1, 126))
def test_fit_never_exceeds_its_width(s: str, width: int) -> None:
    """It returns the whole text in a face that holds it, or its beginning and …, never wider than asked."""
    face, shown = fonts.fit_text(s, NAME_FACES, width)
    assert face.width(shown) <= width
    if shown.rstrip() != s.rstrip():
        assert face is TEXT
        assert s.startswith(shown.removesuffix("…"))
        assert shown.endswith("…") or width < TEXT.width("…")


def test_fit_skips_a_face_without_the_character() -> None:
    """A figure with letters gets a face that has all of them, and not the hand-drawn digits."""
    assert fonts.fit_text("2+5 = 7", FIGURE_FACES, 91)[0] is BIG
    assert fonts.fit_text("field 9", FIGURE_FACES, 91)[0] is HEADING


@given(s=texts, width=st.integers(20, 126))
def test_wrap_keeps_every_letter_and_its_width(s: str, width: int) -> None:
    """Wrapped and balanced lines have all the text in order, each within the width, and are equally many."""
    lines = fonts.wrap_text(s, TEXT, width)
    even = fonts.wrap_balanced(s, TEXT, width)
    for made in (lines, even):
        assert all(0 < TEXT.width(line) <= width for line in made)
        assert "".join("".join(made).split()) == "".join(s.split())
    assert len(even) == len(lines)


def test_two_numbers_do_not_look_like_one():
    """Not ``9. 1 too many.`` in a line, which reads as 9.1."""
    assert fonts.wrap_balanced("Stack 1 needs 9. 1 too many.", CONDENSED, LINE_COLUMNS) == [
        "Stack 1 needs 9.",
        "1 too many.",
    ]


def test_no_line_breaks_at_a_no_break_space() -> None:
    assert fonts.wrap_text("Es-tu sûre ?", TEXT, TEXT.width("Es-tu sûre")) == ["Es-tu sûre", "?"]
    assert fonts.wrap_text("Es-tu sûre\u00a0?", TEXT, TEXT.width("Es-tu sûre")) == ["Es-tu", "sûre\u00a0?"]
    assert fonts.wrap_balanced("C'est sûr\u00a0?", TEXT, TEXT.width("C'est sûr")) == ["C'est", "sûr\u00a0?"]


@given(s=texts, lines=st.integers(1, 3))
def test_wrap_marks_what_it_leaves_out(s: str, lines: int) -> None:
    """With a limit there are at most so many lines, each within the width, and the last one ends in … if cut."""
    whole = fonts.wrap_text(s, TEXT, 90)
    made = fonts.wrap_text(s, TEXT, 90, lines)
    assert len(made) <= lines
    assert all(TEXT.width(line) <= 90 for line in made)
    assert made == whole or made[-1].endswith("…")


@given(name=st.text("WilhemnaZoë", min_size=1, max_size=16), width=st.integers(60, 126))
def test_named_cuts_the_name_only(name: str, width: int) -> None:
    """A sentence with a long name only loses letters of the name, with a mark."""
    s = fonts.with_cut_name("{} agrees", name, TEXT, width)
    assert TEXT.width(s) <= width
    assert s.endswith(" agrees")
    shown = s.removesuffix(" agrees")
    assert shown == name or (shown.endswith("…") and name.startswith(shown[:-1]))


def test_names_are_cut_before_words() -> None:
    """In one line and in several."""
    names = ("Wilhelmina Mommo", "Maximiliane Wolf")
    assert fonts.cut_text("Wilhelmina Mommo's pieces", TEXT, 90, names).endswith("'s pieces")
    lines = fonts.wrap_text("Wilhelmina Mommo and Maximiliane Wolf have no move", TEXT, 91, 2, names)
    assert " ".join(lines).endswith("have no move")
    assert len(lines) == 2


@pytest.mark.parametrize("face", FACES, ids=repr)
@pytest.mark.parametrize(("anchor", "first", "last"), [("l", 60, None), ("r", None, 60)])
def test_text_stands_on_its_anchor(face: Face, anchor: str, first: int | None, last: int | None) -> None:
    """Left-anchored ink begins on the column given, right-anchored ink ends on it; the width returned is the ink's."""
    c = Canvas()
    width = c.text(60, 30, "3:4", face, anchor)  # type: ignore[arg-type]
    x0, _, x1, _ = ink_box(c)
    assert width == x1 - x0 + 1
    assert first in (x0, None)
    assert last in (x1, None)


def test_centred_text_has_its_middle_on_the_column() -> None:
    """A centred numeral of odd width is symmetric to its column."""
    c = Canvas()
    c.text(60, 30, "8", BIG, "c")
    assert (ink_box(c)[0] + ink_box(c)[2]) // 2 == 60


def test_inverse_text_is_dark_on_light() -> None:
    """A tag is a lit plate with dark letters, and inverting it again gives the letters only."""
    c, plain = Canvas(), Canvas()
    c.fill(10, 10, 60, 25)
    c.text(12, 12, "Ann", NAME, inverse=True)
    plain.text(12, 12, "Ann", NAME)
    c.invert(10, 10, 60, 25)
    assert c.image.tobytes() == plain.image.tobytes()


def test_boxes_include_their_corners_columns_and_rows() -> None:
    """A box is given by its first and last column and row, both inside it; a plate only lacks its corner pixels."""
    c = Canvas()
    c.fill_rounded_box(10, 10, 20, 14)
    assert ink_box(c) == (10, 10, 20, 14)
    assert sum(c.image.convert("L").tobytes()) // 255 == 11 * 5 - 4


@pytest.mark.parametrize("share", [-1.0, 0.0, 0.01, 0.5, 1.0, 7.0])
def test_a_bar_stays_in_its_frame(share: float) -> None:
    """Whatever the fraction."""
    c = Canvas()
    c.progress_bar(10, 10, 60, 20, share)
    assert ink_box(c) == (10, 10, 60, 20)
    assert bool(c.image.getpixel((12, 15))) == (share > 0)


def test_drawing_does_not_spoil_the_shared_glyphs() -> None:
    """The same text drawn twice is the same picture, whatever was drawn in between."""
    first, second = Canvas(), Canvas()
    first.text(5, 20, "27:13", MIDDLE)
    first_picture = first.image.tobytes()
    first.fill(0, 0, 127, 63)
    second.text(5, 20, "27:13", MIDDLE)
    assert second.image.tobytes() == first_picture


@pytest.mark.parametrize("name", icons.read_icons(fonts.FACES_FOLDER / "icons.txt"))
def test_icons_are_cut_to_their_ink(name: str) -> None:
    """Every icon's drawing is a rectangle of # and . without empty rows or columns at its edges."""
    image = icons.icon_mask(name)
    assert image.getbbox() == (0, 0, *image.size)
