"""What OK and BACK do, in the longest words for which the last line has room."""

from __future__ import annotations

from itertools import product

import pytest

from companion.contents.kinds import KeyMeaning
from companion.contract.margins import noted
from companion.panel import parts
from companion.panel.canvas import Canvas
from companion.screens import legends


@pytest.mark.parametrize("buttons", [True, False])
def test_words_are_shortened_only_where_the_line_would_cut_them(buttons: bool) -> None:
    """To the pixel: what the footer can show whole is not said in fewer words."""
    for few, narrow, odd in product(range(5, 9), range(3), range(2)):  # Letters of 5, 3 and 4 columns.
        does, leaves = "n" * 8, "n" * few + "i" * narrow + "j" * odd
        meanings = (KeyMeaning("ok", does, ("do",)), KeyMeaning("back", leaves, ("up",)))
        with noted() as written:
            parts.footer(Canvas(), parts.legend(buttons, does), parts.legend(buttons, leaves, "BACK"))
        whole = {does, leaves} <= {each.text for each in written}
        fitting = tuple(words for _, words in legends.fitting(meanings, buttons=buttons))
        assert (fitting == (does, leaves)) == whole, (does, leaves)
