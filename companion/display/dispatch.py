"""Finds the function that draws a content: one for each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.display import lists, messages, pages, questions, results, score_pad, setup, table_pictures
from companion.display.key_hints import KeyHints
from companion.evening.contents import kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.evening.contents.kinds import Content
    from companion.panel.canvas import Canvas

DRAW_BY_KIND: dict[type[Content], Callable[..., None]] = {
    kinds.Notice: messages.draw_notice,
    kinds.Question: questions.draw_question,
    kinds.Refusal: messages.draw_refusal,
    kinds.Result: results.draw_result,
    kinds.MatchResult: results.draw_match_result,
    kinds.Cover: messages.draw_cover,
    kinds.Scores: score_pad.draw_scores,
    kinds.Sheet: score_pad.draw_sheet,
    kinds.Resumption: questions.draw_resumption,
    kinds.Pairing: questions.draw_pairing,
    kinds.Reading: pages.draw_reading,
    kinds.Parts: pages.draw_parts,
    kinds.Progress: pages.draw_progress,
    kinds.Claims: pages.draw_claims,
    kinds.Standings: results.draw_standings,
    kinds.AllTime: results.draw_all_time,
    kinds.OwnPieces: table_pictures.draw_own_pieces,
    kinds.Mend: table_pictures.draw_correction,
    kinds.Findings: pages.draw_findings,
    kinds.Code: questions.draw_phone_code,
    kinds.PhoneQuestion: questions.draw_phone_question,
    kinds.Drawn: table_pictures.draw_scene,
    kinds.Rest: table_pictures.draw_rest_view,
    kinds.Choice: lists.draw_choice,
    kinds.Seating: setup.draw_seating,
    kinds.Amount: setup.draw_amount,
    kinds.Form: setup.draw_form,
    kinds.Letters: setup.draw_letters,
}
"""The function that draws each kind. Its arguments are the canvas, the content, and the hints for its keys."""
KINDS_WITH_OWN_FOOTER = (
    kinds.Notice, kinds.Question, kinds.Refusal, kinds.Cover,
    kinds.Scores, kinds.Result, kinds.Progress, kinds.Code, kinds.Drawn, kinds.Rest, kinds.Letters,
    kinds.Reading,
)  # fmt: skip
"""The kinds whose functions draw the hints for OK and BACK themselves, if they draw any."""


def draw_content(canvas: Canvas, content: Content, *, uses_buttons: bool) -> None:
    """Draw a content. With `uses_buttons` the keys have the names of buttons, else those of a keypad."""
    hints = KeyHints(canvas, getattr(content, "key_hints", ()), uses_buttons=uses_buttons)
    if type(content) not in KINDS_WITH_OWN_FOOTER:
        hints.draw_footer()
    DRAW_BY_KIND[type(content)](canvas, content, hints)


def last_page(content: Content | None, names: Sequence[str]) -> int | None:
    """The number of the last page, from 0, of a content that is split into pages here; None for anything else.

    `names` are all names that the screen may show.
    """
    match content:
        case kinds.Reading():
            return len(pages.reading_pages(content, names)) - 1
        case kinds.Standings():
            return len(results.standings_pages(content)) - 1
        case kinds.AllTime():
            return len(results.all_time_pages(content)) - 1
    return None
