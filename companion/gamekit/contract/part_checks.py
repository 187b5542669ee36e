"""Checks of a game's parts as they are written: functions that nobody calls, and functions that take too long."""

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


def functions_are_called(played: RandomRound, chance: Random) -> None:
    """No public function has an old name, or nearly the name, of one that the program calls."""
    if fault := _misnamed_function(played.manifest.id):
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
            if close := get_close_matches(name, [each for each in called if not each.startswith("_")], 1, ALIKE):
                return f"nobody calls {name} of the class {written_in}: is it {close[0]}?"
    return ""


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


def rules_are_fast(played: RandomRound, chance: Random) -> None:
    """No function of the rules takes long: hints and look-backs ask it in thousands of positions."""
    for state, _ in played.sample_turns(3):
        assert (text := slow_function_text(played.rules, state)) == "", text
