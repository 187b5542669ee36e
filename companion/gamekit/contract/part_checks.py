"""Checks before all others: functions that nobody calls, rounds that can't be played, and functions that take long."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING

from companion import RENAMED_NAMES, games
from companion.gamekit.contract.random_rounds import GameError, slow_function_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from companion.gamekit.contract.random_rounds import RandomRound

OLD_METHODS = {
    "start": "initial_state", "turn": "seat_to_move", "moves": "legal_moves", "read": "parse_move",
    "play": "play_move", "size": "holding_size", "deal": "deal_holdings", "find": "find_legal_move",
    "complete": "complete_draw", "skipped": "skipped_seats", "view": "seat_view", "claims": "false_claims",
    "typed": "draft_from_keys", "kept": "effective_keys", "pick": "initial_pick", "picked": "draft_from_pick",
    "entered": "pick_after_ok", "erased": "pick_after_back", "due": "due_refill", "pieces": "parse_typed_pieces",
    "grid": "piece_rows", "stray": "stray_key_text", "missing": "incomplete_text", "begun": "partial_piece_text",
    "place": "move_marks", "own": "own_pieces_text", "held": "held_pieces", "forced": "must_draw",
    "blocked": "blocked_reason", "could": "possible_move_text", "keys": "keys_for_event",
    "printed": "with_printed_names", "gain": "event_gain", "lines": "page_lines", "sheet": "score_sheet",
    "naming": "draw_naming", "page": "draw_page", "show": "draw_scene",
}  # fmt: skip
"""Names that methods of a game had up to version 0.7, beside those of `RENAMED_NAMES` → the names now."""
ALIKE = 0.85
"""How alike a name must be to that of a function which the program calls, to be taken for a misspelling of it."""


def check_function_names(game: str) -> None:
    """Check that no public function has an old name, or nearly the name, of one that the program calls.

    It comes before any round, since a round with such a function fails in ways that hide the reason.
    """
    if fault := _misnamed_function(game):
        raise GameError(fault)


@cache
def _misnamed_function(game: str) -> str:
    """A function that nobody calls because of its name, and what it should be called; "" if there is none."""
    loaders = (games.load_rules, games.load_move_input, games.load_screen, games.load_board, games.load_coach)
    for part in filter(None, (load(game) for load in loaders)):
        called = {name for base in type(part).__mro__ if _is_of_program(base) for name in vars(base)}
        for name, written_in in _own_functions(type(part)):
            if name in called:
                continue
            new = OLD_METHODS.get(name, RENAMED_NAMES.get(name, ""))
            if new in called:
                return f"nobody calls {name} of the class {written_in}: it is called {new} now"
            if close := _similar_names(name, [each for each in called if not each.startswith("_")]):
                return f"nobody calls {name} of the class {written_in}: is it {close[0]}?"
    return ""


def _similar_names(name: str, others: list[str]) -> list[str]:
    """The others that have the same words in another order, or are spelled nearly alike."""
    words = sorted(name.split("_"))
    return [each for each in others if sorted(each.split("_")) == words] or get_close_matches(name, others, 1, ALIKE)


def _is_of_program(class_: type) -> bool:
    return class_.__module__.startswith(("companion.games.api", "companion.games.plain_screen"))


def _own_functions(class_: type) -> Iterator[tuple[str, str]]:
    """The public functions that a game has written, each with the name of its class."""
    for base in class_.__mro__:
        if not _is_of_program(base):
            yield from (
                (name, base.__name__)
                for name, function in vars(base).items()
                if isinstance(function, FunctionType) and not name.startswith("_")
            )


def rounds_can_be_played(played: RandomRound, chance: Random) -> None:
    """A round ends after at most ``longest`` events, and until then there is something to play that is not refused.

    If the round of another check can't be played, that is reported as a failure of this one.
    """
    rules, state, count = played.rules, played.states[-1], len(played.events)
    seat = rules.seat_to_move(state)
    if seat is None or (count >= played.longest and played.plays_guesses):
        return
    assert count < played.longest, (
        f"after {count} events the round is not over: if that is right, give check more than longest={played.longest}"
    )
    assert not played.is_open(seat), (
        f"seat {seat} is to move, but nothing is legal: legal_moves lists nothing, not even a pass"
    )
    assert played.plays_guesses, (
        f"seat {seat} is to move, but no play of its sealed pieces is accepted, and legal_moves lists no pass either"
    )


def rules_are_fast(played: RandomRound, chance: Random) -> None:
    """No function of the rules takes long: hints and look-backs ask it in thousands of positions."""
    for state, _ in played.sample_turns(3):
        assert (text := slow_function_text(played.rules, state)) == "", text
