"""Checks of a game's texts: their lengths, moves in words, and whether help and hints fit on the panel."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from companion import games
from companion.gamekit.contract.random_rounds import check_text
from companion.games.api.game_texts import is_draw
from companion.games.api.hint import HINT_LINES
from companion.games.api.move_input import without_hidden_pieces
from companion.panel import fonts, widgets
from companion.panel.canvas import Canvas

if TYPE_CHECKING:
    from random import Random

    from companion.gamekit.contract.random_rounds import RandomRound


MOVE_TEXT_FORMS = ("short", "brief", "sentence", "notation")
"""The forms of `MoveTexts` that must not be empty."""


def texts_have_expected_lengths(played: RandomRound, chance: Random) -> None:
    """Texts, counts and chart heights of a game have the types and lengths that screens and reports expect."""
    move_input, rules = played.move_input, played.rules
    events = [(seat, str(move)) for seat, move in played.events]
    for state in played.sample_positions(8):
        view = rules.seat_view(state, None)
        for buttons in (False, True):
            for name, told in (
                ("claim_instructions", move_input.claim_instructions(state, buttons)),
                ("input_instructions", move_input.input_instructions(view, buttons)),
            ):
                assert len(told) <= 26, f"{name} has {len(told)} letters, and a line has room for about 22: {told!r}"
        assert bool(move_input.claim_instructions(state, True)) == bool(move_input.claim_instructions(state, False)), (
            "claim_instructions says only to players with buttons, or only to those with a keypad, that one can't move"
        )
        sealed = (
            (seat := rules.seat_to_move(state)) is not None
            and not played.is_open(seat)
            and move_input.due_refill(state) is None
        )
        claims = sealed and any(move_input.claim_text(str(move)) for move in rules.legal_moves(state))
        assert move_input.claim_instructions(state) or not claims, (
            "claim_instructions does not say how to enter that one can't move"
        )
        for line in move_input.position_lines(view):
            assert isinstance(line, str), f"position_lines gives {line!r}, which is not a text"
            assert len(line) <= 40, f"a line of position_lines has {len(line)} letters, and 40 are the most: {line!r}"
        counted = move_input.result_counts(state, rules.outcome(state).scores)
        assert len(counted) == played.header.seats, f"result_counts gives {counted} for {played.header.seats} seats"
        assert all(isinstance(count, int) for count in counted), f"result_counts gives {counted}, not only numbers"
    if played.manifest.chart is not None:
        assert all(move_input.chart_rows(state) for state in played.states), "chart_rows gives no rows"
    for page in played.manifest.pages:
        lines = move_input.page_lines(page, played.states, events, 4)
        assert all(isinstance(line, str) for line in lines), f"page_lines of {page} gives {lines}, not only texts"
    for block in move_input.score_sheet(played.states, events):
        assert len(block) == played.header.seats, f"score_sheet gives {len(block)} for {played.header.seats} seats"


def moves_have_texts(played: RandomRound, chance: Random) -> None:
    """An event has texts in every form, whether or not the seat moves again."""
    for number, (seat, move) in enumerate(played.events):
        if number % (len(played.events) // 8 + 1) == 0:
            _check_move_texts(played, number, seat, move)


def _check_move_texts(played: RandomRound, number: int, seat: int, move: Any) -> None:
    """Check all forms of an event's texts, for its player and for everybody, whether or not the seat moves again."""
    rules, move_input = played.rules, played.move_input
    state, names = played.position_to_check(number), played.header.players
    seen = rules.parse_move(without_hidden_pieces(move_input, str(move)))
    for before, known in ((state, move), (rules.seat_view(state, None), seen)):
        for again in (False, True):
            told = move_input.move_texts(before, seat, known, names, moves_again=again)
            for form in MOVE_TEXT_FORMS:
                check_text(f"{form} of move_texts, for {known}", getattr(told, form))
    after = played.states[number + 1]
    if rules.seat_to_move(after) == seat and not (
        is_draw(str(move)) or rules.skipped_seats(after) or move_input.due_refill(after)
    ):
        once, more = (
            move_input.move_texts(state, seat, move, names, moves_again=again).brief for again in (False, True)
        )
        assert once != more, (
            f"after {move} seat {seat} is to move again. If play_move should pass the turn, it does not; otherwise "
            f"brief, the second argument of MoveTexts, must say it: "
            f"{once!r} does not say that the same player moves again"
        )


def help_fits(played: RandomRound, chance: Random) -> None:
    """Each paragraph of ``help.txt`` fits on a page of the panel."""
    for page in games.help_pages(played.manifest.id):
        _check_page_fits("a paragraph of help.txt", page)


def hints_fit(played: RandomRound, chance: Random) -> None:
    """The suggested move fits on a page of the panel, in each of some positions."""
    for state in played.sample_positions(8):
        _check_page_fits("a hint", played.move_input.suggested_move_text(state))


@cache
def _check_page_fits(owner: str, words: str) -> None:
    lines = fonts.wrap_text(words, fonts.TEXT, widgets.draw_page_bar(Canvas(), 0, 2))
    assert len(lines) <= HINT_LINES, f"{owner} has {len(lines)} lines of the panel: {words}"
