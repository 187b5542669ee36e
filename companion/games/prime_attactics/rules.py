"""Prime Attactics (Donal McCormick): tiles change two scores; the player whose score becomes exactly 0 loses.

Tiles are small ints (`tiles`), and positions are those of `state`. Each seat has its own set, so which tiles a seat can
have never depends on the other seat. Names in brackets are paragraphs of the rule sheet. A turn goes like this::

    play ─┬─▶ a score is 0: the round is over
          ├─▶ an open holding must be restocked: refill by the same seat ─▶ next seat
          └─▶ next seat
    pass ───▶ next seat; two missed turns in a row end the round
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.games.api import Outcome, check_seat, check_turn, make_tuple
from companion.games.api.text import Text, text
from companion.games.prime_attactics import GAME
from companion.games.prime_attactics.play_lists import find_play, possible_plays
from companion.games.prime_attactics.state import (
    SetUpRules,
    Side,
    State,
    hides_tiles,
    initial_side,
    refill_holding,
    refuse_impossible_deals,
    restock_or_count_refill,
    split_by_kind,
    take_played_tiles,
)
from companion.games.prime_attactics.tiles import (
    BLACK,
    Move,
    Pass,
    Play,
    Refill,
    RefusedError,
    arithmetic_text,
    check_double,
    check_tiles_of_level,
    result_of_play,
)

SLAM_TURNS = 6
"""The turns, including missed ones, that must be complete before a slam dunk: three rounds (Further notes)."""

WON_REASON, ALL_PLAYED_REASON, TWO_MISSED_REASON = (GAME.ending_reason(code) for code in ("zero", "played", "stuck"))

NO_REFILL = (0, 0)
_PASS, _REFILL = Pass(), Refill()


class Rules(SetUpRules):
    """The rules of Prime Attactics. `SetUpRules` has the part about setting up."""

    def initial_state(
        self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], tuple[int, ...]]
    ) -> State:
        """A seat that cannot play misses its turn at once. That can happen to both, and the round is then over.

        Raises RefusedError ``deal`` for a wrong number of tiles, or tiles that the set does not have.
        """
        level, score = options.get("level", "full"), int(options.get("start", "11"))
        refuse_impossible_deals(level, deals)
        return _next_turn(level, (initial_side(level, score, 1, deals), initial_side(level, score, 2, deals)), 1, 0, 0)

    def seat_to_move(self, state: State) -> int | None:
        """The seat to move, or the seat that has to name its refill."""
        return None if state.end_reason else state.to_move

    def skipped_seats(self, state: State) -> tuple[int, ...]:
        """The seats that missed their turn because they cannot play; after the deal too."""
        return state.skipped

    def legal_moves(self, state: State) -> list[Move]:
        """All plays of the open holdings. If there is none, `pass`; if a refill is due, a `refill` without tiles."""
        if state.end_reason:
            return []
        if state.due_refill != NO_REFILL:
            return [_REFILL]
        seat, sides = state.to_move, state.sides
        side, other = sides[seat - 1], sides[2 - seat]
        # A seat to move without an open play has hidden tiles: any other seat would have missed its turn.
        return possible_plays(side.display.pieces, side.rack.pieces, side.score, other.score, may_slam_dunk(state)) or [
            _PASS
        ]

    def find_legal_move(self, state: State) -> Move | None:
        if state.end_reason or state.due_refill != NO_REFILL:
            return None
        return _find_play(state.sides, state.to_move)

    def complete_draw(self, state: State, move: Move, sample: Callable[[Sequence[int], int], Sequence[int]]) -> Move:
        if not isinstance(move, Refill) or move.tiles:
            return move
        side = state.sides[state.to_move - 1]
        coloured, black = state.due_refill
        drawn = [*sample(side.unseen_coloured, coloured)] if coloured else []
        if black:
            drawn += sample(side.unseen_black, black)
        return Refill(tuple(drawn))

    def play_move(self, state: State, seat: int, move: Move) -> State:
        """Raises RefusedError by the first check that fails.

        The codes in the order of the checks: ``syntax`` (no such seat), ``over``, ``turn``, and then for

        - a play: ``level``, ``held`` or ``supply``, ``double-black``, ``slam-level``, ``slam-target``, ``slam-once``,
          ``slam-early``, ``negative``, ``inexact``
        - a pass: ``must-play``
        - a refill: ``refill``, ``supply``

        While a refill is due, anything else is refused as ``turn``.
        """
        if seat != state.to_move or state.end_reason:
            check_seat(seat, 2)
            check_turn(seat, None if state.end_reason else state.to_move)
        if isinstance(move, Refill):
            return _name_refill(state, seat, move)
        if state.due_refill != NO_REFILL:
            raise RefusedError("turn", move=str(move), drawn=_amounts_text(*state.due_refill))
        if isinstance(move, Play):
            return _play_tiles(state, seat, move)
        # A seat with hidden tiles may pass unless an open tile can be played (unplayable tiles).
        if _find_play(state.sides, seat) is not None:
            raise RefusedError("must-play")
        return _next_turn(state.level, state.sides, 3 - seat, state.turns + 1, state.missed_turns + 1)

    def outcome(self, state: State) -> Outcome:
        """At the end the higher score wins, and equal scores share the win."""
        first, second = state.sides
        return Outcome.by_score((first.score, second.score), state.end_reason)


RULES = Rules()


def _find_play(sides: tuple[Side, Side], seat: int) -> Play | None:
    side, other = sides[seat - 1], sides[2 - seat]
    return find_play(side.display.pieces, side.rack.pieces, side.score, other.score)


def _play_tiles(state: State, seat: int, move: Play) -> State:
    """Take the tiles from the holdings, change the score, and restock the holdings (Playing the game)."""
    level, turns = state.level, state.turns
    side, other = state.sides[seat - 1], state.sides[2 - seat]
    at_other_score, _, second_tile = move
    check_tiles_of_level(level, move)
    display, coloured, rack, black = take_played_tiles(side, move)
    is_slam_dunk = second_tile >= BLACK
    if is_slam_dunk:
        check_slam_dunk(state, move)
    score = result_of_play(other.score if at_other_score else side.score, move)
    due_coloured = due_black = 0
    if score and display is not side.display:
        display, due_coloured = restock_or_count_refill(display, side.display.size, coloured)
    if score and rack is not side.rack:
        rack, due_black = restock_or_count_refill(rack, side.rack.size, black)
    side = make_tuple(
        Side,
        (side.score if at_other_score else score, display, rack, coloured, black, is_slam_dunk or side.has_slammed),
    )
    if at_other_score:
        other = make_tuple(Side, (score, *other[1:]))
    sides = (side, other) if seat == 1 else (other, side)
    if not score:
        # The round is over at once, without a refill (Play finishes).
        return State(level, sides, seat, turns + 1, 0, NO_REFILL, (), WON_REASON)
    if due_coloured or due_black:
        return make_tuple(State, (level, sides, seat, turns, 0, (due_coloured, due_black), (), ""))
    return _next_turn(level, sides, 3 - seat, turns + 1, 0)


def may_slam_dunk(state: State) -> bool:
    """Whether the seat to move may make its slam dunk now, if it has the tiles (Further notes, The Slam Dunk)."""
    return state.turns >= SLAM_TURNS and state.level == "full" and not state.sides[state.to_move - 1].has_slammed


def check_slam_dunk(state: State, move: Play) -> None:
    """Check the conditions of a slam dunk (Further notes, The Slam Dunk).

    It must be in the full game, on the opponent's score, the player's only one, and after three rounds. Raises
    RefusedError ``slam-level``, ``slam-target``, ``slam-once`` or ``slam-early``, in this order.
    """
    if state.level != "full":
        raise RefusedError("slam-level", level=text(state.level))
    if not move.at_other_score:
        raise RefusedError("slam-target")
    if state.sides[state.to_move - 1].has_slammed:
        raise RefusedError("slam-once")
    if state.turns < SLAM_TURNS:
        raise RefusedError("slam-early", turn=state.turns + 1, first=SLAM_TURNS + 1)


def _name_refill(state: State, seat: int, move: Refill) -> State:
    """Add the named tiles to the seat's open holdings and end its turn (Playing the game, restock)."""
    due, tiles = state.due_refill, move.tiles
    if due == NO_REFILL:
        raise RefusedError("turn refill")
    coloured, black = split_by_kind(tiles)
    if (len(coloured), len(black)) != due:
        raise RefusedError("refill", tiles=_amounts_text(len(coloured), len(black)), drawn=_amounts_text(*due))
    side, other = state.sides[seat - 1], state.sides[2 - seat]
    score, display, rack, unseen, unseen_black, slammed = side
    if coloured:
        display, unseen = refill_holding(display, unseen, coloured)
    if black:
        rack, unseen_black = refill_holding(rack, unseen_black, black)
    side = make_tuple(Side, (score, display, rack, unseen, unseen_black, slammed))
    return _next_turn(state.level, (side, other) if seat == 1 else (other, side), 3 - seat, state.turns + 1, 0)


def _amounts_text(coloured: int, black: int) -> Text:
    """How many tiles of each kind, in words: ``2 coloured, 1 black``."""
    if coloured and black:
        return text("{coloured} coloured, {black} black", coloured=coloured, black=black)
    if not coloured:
        return text("{black} black", black=black) if black else text("no tile")
    return text("{coloured} coloured", coloured=coloured)


def _next_turn(level: str, sides: tuple[Side, Side], seat: int, turns: int, missed_turns: int) -> State:
    """The position after `turns` turns, of which the last `missed_turns` were missed; `seat` would be the next to move.

    A seat without hidden tiles and without a legal play misses its turn automatically (Playing the game, unplayable
    tiles). Two missed turns in a row mean that neither seat can play, which ends the round (Play finishes).
    """
    skipped: tuple[int, ...] = ()
    while missed_turns < 2 and _find_play(sides, seat) is None and not hides_tiles(sides[seat - 1]):
        if not any(side.display.size or side.rack.size for side in sides):
            return State(level, sides, seat, turns, 0, NO_REFILL, (), ALL_PLAYED_REASON)
        skipped += (seat,)
        turns, missed_turns, seat = turns + 1, missed_turns + 1, 3 - seat
    return make_tuple(
        State,
        (level, sides, seat, turns, missed_turns, NO_REFILL, skipped, TWO_MISSED_REASON if missed_turns == 2 else ""),
    )


def working_of_play(state: State, seat: int, move: Play) -> tuple[str, int]:
    """The arithmetic of a play and its result: ``("33×7×2", 462)``.

    Only the arithmetic is checked. Raises RefusedError ``level``, ``double-black``, ``negative`` or ``inexact``.
    """
    score = _score_played_on(state, seat, move)
    return arithmetic_text(score, move), result_of_play(score, move)


def score_sheet_line(state: State, seat: int, move: Play) -> str:
    """A play as a line of the score sheet, ``33 x 7 x D = 462``. Raises RefusedError like `working_of_play`."""
    score = _score_played_on(state, seat, move)
    return f"{arithmetic_text(score, move, with_spaces=True)} = {result_of_play(score, move)}"


def _score_played_on(state: State, seat: int, move: Play) -> int:
    check_tiles_of_level(state.level, move)
    check_double(move)
    return state.sides[2 - seat if move.at_other_score else seat - 1].score
