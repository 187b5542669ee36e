"""The labels of OK and BACK: the longest words for which the last line has room."""

from __future__ import annotations

from itertools import product

import pytest

from companion.display import dispatch
from companion.display.key_hints import KeyHints
from companion.evening.contents.kinds import KeyHint, Result
from companion.evening.screens.play.round_over import RoundOver
from companion.gamekit.contract.picture_faults import recorded_texts
from companion.languages import catalogues, in_language, text, translate
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


@pytest.mark.parametrize("buttons", [True, False])
@pytest.mark.parametrize("language", catalogues.available_languages())
def test_a_result_labels_down_in_every_language(new_table, language: str, buttons: bool) -> None:
    """That the arrow tells why comes before what BACK does, which is the menu everywhere at the table."""
    content = RoundOver().content(new_table("27").session)
    assert isinstance(content, Result)
    _, back, down = content.key_hints
    for ok in ("new round", "match", "mistakes"):
        shown = content._replace(reason="blocked", key_hints=(KeyHint("ok", text(ok)), back, down))
        with in_language(language), recorded_texts() as written:
            dispatch.draw_content(Canvas(), shown, uses_buttons=buttons)
            why = {translate(text("why?")), translate(text("reason"))}
        words = [each.text for each in written]
        assert why & {*words}
