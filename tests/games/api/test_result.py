"""The result of a round: written, parsed again, and put into words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.api.result import Result, named_verdict, verdict_heading, verdict_text

NAMES = ("ann", "Ben", "Cleo")


@given(
    st.builds(
        Result,
        st.lists(st.integers(), min_size=1, max_size=4).map(tuple),
        st.lists(st.integers(1, 4), max_size=4).map(tuple),
    )
)
def test_a_written_result_is_parsed_again(result):
    """`parse` is the inverse of `str`, also for negative scores and for a round that nobody won."""
    assert Result.parse(str(result)) == result


@pytest.mark.parametrize("text", ["", "12 6", "winners", "12 six winners 1", "12 6 winners one"])
def test_another_text_is_no_result(text):
    """Any other text is refused, and not taken for a round that nobody has won."""
    with pytest.raises(ValueError, match=r"result|literal"):
        Result.parse(text)


@pytest.mark.parametrize(
    ("winners", "short", "long", "above"),
    [((), "nobody wins", "nobody wins", "Nobody wins"), ((1,), "ann wins", "ann wins", "ann wins"),
     ((1, 3), "a shared win", "ann and Cleo share the win", "Shared win"),
     ((1, 2, 3), "a draw", "ann, Ben and Cleo share the win", "A draw")],
)  # fmt: skip
def test_who_has_won_in_words(winners, short, long, above):
    """In short, by name, and as a heading; a name keeps its capitals."""
    names = Result((1, 1, 1), winners).winner_names(NAMES)
    assert (verdict_text(names, 3), named_verdict(names), verdict_heading(names, 3)) == (short, long, above)
    assert Result((1, 1, 1), winners).single_winner_name(NAMES) == ("ann" if winners == (1,) else "")
