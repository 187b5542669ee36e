"""Content → panel: each kind of content is drawn by one function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.screens import at_table, lists, messages, pad, questions, reading, results, setup
from companion.screens.key_hints import KeyHints

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.contents.kinds import Content
    from companion.panel.canvas import Canvas

DRAWN_BY: dict[type[Content], Callable[..., None]] = {
    kinds.Notice: messages.notice,
    kinds.Question: questions.question,
    kinds.Refusal: messages.refusal,
    kinds.Result: results.result,
    kinds.MatchResult: results.match_result,
    kinds.Cover: messages.cover,
    kinds.Scores: pad.scores,
    kinds.Sheet: pad.sheet,
    kinds.Resumption: questions.resumption,
    kinds.Pairing: questions.pairing,
    kinds.Reading: reading.reading,
    kinds.Parts: reading.of_parts,
    kinds.Progress: reading.progress,
    kinds.Claims: reading.claims,
    kinds.Standings: results.standings,
    kinds.AllTime: results.all_time,
    kinds.OwnPieces: at_table.own_pieces,
    kinds.Mend: at_table.mend,
    kinds.Findings: reading.findings,
    kinds.Code: questions.phone_code,
    kinds.PhoneQuestion: questions.phone_question,
    kinds.Drawn: at_table.drawn,
    kinds.Rest: at_table.rest,
    kinds.Choice: lists.choice,
    kinds.Seating: setup.seating,
    kinds.Amount: setup.amount,
    kinds.Form: setup.form,
    kinds.Letters: setup.letters,
}
"""The function that draws each kind of content, on a canvas and with the hints for its keys."""
OWN_KEYS = (
    kinds.Notice, kinds.Question, kinds.Refusal, kinds.Cover,
    kinds.Scores, kinds.Progress, kinds.Code, kinds.Rest, kinds.Letters,
)  # fmt: skip
"""The kinds whose functions themselves draw what OK and BACK do, if they do."""


def draw(canvas: Canvas, content: Content, *, buttons: bool) -> None:
    """Draw a content; `buttons`: the keys are named as on a box of buttons, else as on a keypad."""
    hints = KeyHints(canvas, getattr(content, "meanings", ()), buttons=buttons)
    if type(content) not in OWN_KEYS:
        hints.draw_footer()
    DRAWN_BY[type(content)](canvas, content, hints)


def last_page(content: Content | None, names: Sequence[str]) -> int | None:
    """The number of the last page, from 0, of what is split into pages where it is shown; None for anything else.

    `names` are all that the screen may show.
    """
    match content:
        case kinds.Reading(parted=False):
            return len(reading.in_pages(content, names)) - 1
        case kinds.Standings():
            return results.last_page(content.rows) + len(content.matches)
        case kinds.AllTime():
            return results.last_page_of_all_time(content)
    return None
