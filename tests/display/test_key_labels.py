"""The labels of OK and BACK: the longest words for which the last line has room."""

from __future__ import annotations

from itertools import product

import pytest

from companion.display.key_hints import KeyHints
from companion.evening.contents.kinds import KeyHint
from companion.gamekit.contract.picture_faults import recorded_texts
from companion.panel import widgets
from companion.panel.canvas import Canvas


@pytest.mark.parametrize("buttons", [True, False])
def test_words_are_shortened_only_where_the_line_would_cut_them(buttons: bool) -> None:
    """To the pixel: what the footer can show as a whole isn't shortened."""
    for few, narrow, odd in product(range(4, 9), range(3), range(2)):  # These letters are 5, 3 and 4 columns wide.
        does, leaves = "u" * 8, "n" * few + "i" * narrow + "j" * odd
        hints = (KeyHint("ok", does, ("do",)), KeyHint("back", leaves, ("up",)))
        with recorded_texts() as written:
            widgets.draw_footer(Canvas(), widgets.key_label(buttons, does), widgets.key_label(buttons, leaves, "BACK"))
        whole = {does, leaves} <= {each.text for each in written}
        labels = KeyHints(Canvas(), hints, uses_buttons=buttons).ok_and_back_labels()
        fitting = tuple(words for _, words in labels)
        assert (fitting == (does, leaves)) == whole, (does, leaves)
