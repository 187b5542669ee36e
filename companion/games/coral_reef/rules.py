"""The rules of Coral Reef, by Sharon Cichelli (Invisible City Productions).

Names in brackets, such as (Winning), are paragraphs of the rule sheet. A turn goes like this::

    play or seed ──────────────▶ next seat; a hand without corals has won
    draw (deck not empty) ─────▶ same seat: play or seed, or pass if still nothing fits
    pass (deck empty, or drew) ▶ next seat; after two idle turns in a row the round is blocked

An open hand that can neither play nor draw is skipped without an event. A coral drawn into an open hand is named by its
event; one drawn into a sealed hand stays unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from companion.games.api import Claim, check_seat, check_turn, make_tuple, player_in_seat
from companion.games.api.text import plural_text
from companion.games.coral_reef.claims import SealedTurn, find_false_claims
from companion.games.coral_reef.moves import (
    DRAW,
    FACE_CARDS,
    PASS,
    SEED,
    Move,
    RefusedError,
    check_corals_of_form,
    coral_name,
    sum_text,
)
from companion.games.coral_reef.state import SetUpRules, State
from companion.games.coral_reef.sums import (
    BIT_POSITIONS,
    CORAL_VALUES,
    NINE_BAG,
    SINGLE_BAGS,
    can_move,
    corals_of,
    count_in_bag,
    find_play,
    number_and_face_groups,
)

BLOCKED_TURNS = 2
"""The round ends after so many turns in a row without a play or seed, if the deck is empty after each."""
# The last four fields of a State, from `to_move` to `skipped`.
_NextTurn = tuple[int | None, bool, int, tuple[int, ...]]


class Rules(SetUpRules):
    """The rules of Coral Reef. `SetUpRules` has the part about setting up."""

    def seat_to_move(self, state: State) -> int | None:
        return state.to_move

    def legal_moves(self, state: State) -> list[Move]:
        """Of plays that differ only in the order below the top coral, one is listed.

        A sealed hand has only a draw or a pass.
        """
        if state.to_move is None:
            return []
        bag = state.hands[state.to_move - 1]
        if bag is None:
            return [DRAW] if state.deck and not state.has_drawn else [PASS]
        numbers, faces = number_and_face_groups(bag, state.tops)
        ten = "T" * (count_in_bag(bag, "T") > 0)
        moves: list[Move] = []
        for stack, top in enumerate(state.tops, 1):
            for subtracted, face_groups in faces.items():
                if top + subtracted in numbers:
                    for numbers_group in numbers[top + subtracted]:
                        for faces_group in face_groups:
                            moves += _plays_in_each_order(stack, numbers_group, faces_group, ten)
        if bag & 15 * NINE_BAG:
            moves.append(SEED)
        # `_next_turn` skips an open hand that can neither play nor draw, so here the deck has corals.
        return moves or [DRAW]

    def find_legal_move(self, state: State) -> Move | None:
        bag = state.hands[state.to_move - 1] if state.to_move else None
        if bag is None:
            return None
        if play := find_play(bag, state.tops):
            return Move("play", play[0] + 1, play[1])
        return SEED if count_in_bag(bag, "9") else None

    def complete_draw(self, state: State, move: Move, sample: Callable[[Sequence[Any], int], Sequence[Any]]) -> Move:
        if move != DRAW or state.to_move is None or state.hands[state.to_move - 1] is None:
            return move
        return Move("draw", 0, sample(corals_of(state.unseen), 1)[0])

    def play_move(self, state: State, seat: int, move: Move) -> State:
        """Raises RefusedError by the first check that fails.

        The codes in the order of the checks: ``syntax`` (no such seat, a face card among tiles, a draw that wrongly
        names or omits its coral), ``over``, ``turn``, and then for

        - a play: ``stack``, ``held`` or ``supply``, ``ten-last``, ``face-top``, ``sum``
        - a seed: ``held`` or ``supply``
        - a draw: ``drawn``, ``must-play``, ``pile``, ``supply``
        - a pass: ``must-play``, ``must-draw``
        """
        kind, stack, corals = move
        if seat != state.to_move:
            check_seat(seat, 2)
        check_corals_of_form(state.form, corals)
        if kind == "draw" and bool(corals) is (state.hands[seat - 1] is None):
            raise RefusedError("syntax sealed") if corals else RefusedError("syntax open")
        if seat != state.to_move:
            check_turn(seat, state.to_move)
        if kind == "play":
            return _play_on_stack(state, seat, stack, corals)
        if kind == "draw":
            return _draw_coral(state, seat, corals)
        if kind == "seed":
            return _after_placing(state, seat, _checked_bag(state, seat, "9"), 1, (*state.tops, 9))
        return _pass_turn(state, seat)

    def false_claims(self, start: State, events: Sequence[tuple[int, Move]]) -> tuple[Claim, ...]:
        """Claims of sealed hands only. Raises RefusedError if an event is illegal."""
        state = start
        turns = []
        for index, (seat, move) in enumerate(events):
            after = self.play_move(state, seat, move)
            if state.hands[seat - 1] is None:
                placed = {"play": move.corals, "seed": "9"}.get(move.kind, "")
                turns.append(SealedTurn(index, seat, move.kind, placed, state.tops))
            state = after
        return find_false_claims(turns)


RULES = Rules()


@lru_cache(maxsize=8192)
def _plays_in_each_order(stack: int, numbers: str, faces: str, ten: str) -> tuple[Move, ...]:
    """The plays of these corals, one for each coral that can be placed last: a number, or the ten if given."""
    plays = [numbers.replace(last, "", 1) + faces + last for last in dict.fromkeys(numbers)]
    if ten:
        plays.append(numbers + faces + ten)
    return tuple(Move("play", stack, corals) for corals in plays)


def _play_on_stack(state: State, seat: int, stack: int, corals: str) -> State:
    """The position after placing corals on a stack (Play, first to third point)."""
    tops = state.tops
    if not 1 <= stack <= len(tops):
        raise RefusedError("stack", stack=stack, stacks=len(tops))
    used = _checked_bag(state, seat, corals)
    last, top = corals[-1], tops[stack - 1]
    if "T" in corals[:-1]:
        raise RefusedError("ten-last", ten=coral_name("T", state.form))
    if last in FACE_CARDS:
        raise RefusedError("face-top", coral=coral_name(last, state.form))
    total = sum(map(CORAL_VALUES.__getitem__, corals))
    if total != top:
        name = coral_name(last, state.form)
        values = {"sum": sum_text(corals), "stack": stack, "top": top, "by": abs(top - total)}
        rows = ("sum low", "sum ten", "sum high") if corals[1:] else ("sum one low", "sum one ten", "sum one high")
        raise RefusedError(rows[2 if total > top else last == "T"], coral=name, ten=name, **values)
    return _after_placing(state, seat, used, len(corals), (*tops[: stack - 1], CORAL_VALUES[last] or 10, *tops[stack:]))


def _checked_bag(state: State, seat: int, corals: str) -> int:
    """Check corals one by one, and return them as a bag.

    Raises RefusedError ``held`` if the hand does not have one (a sealed hand: if it has too few corals), and ``supply``
    if a sealed hand cannot have it because all eight have been seen.
    """
    hand, left = state.hands[seat - 1], state.sizes[seat - 1]
    if hand is not None:
        bag = hand
        for coral in corals:
            if not bag >> BIT_POSITIONS[coral] & 15:
                raise _not_held_error(seat, coral, corals, state.form)
            bag -= SINGLE_BAGS[coral]
        return hand - bag
    loose = state.unseen
    for index, coral in enumerate(corals):
        if index == left:
            raise RefusedError(
                "held few", corals=plural_text(len(corals), "{number} coral", "{number} corals"), left=left
            )
        if not loose >> BIT_POSITIONS[coral] & 15:
            raise RefusedError("supply", coral=coral_name(coral, state.form))
        loose -= SINGLE_BAGS[coral]
    return state.unseen - loose


def _after_placing(state: State, seat: int, placed_bag: int, count: int, tops: tuple[int, ...]) -> State:
    """The position after a legal play or seed: `count` corals, the bag `placed_bag`, leave the hand, and the turn ends.

    A hand without corals wins (Winning).
    """
    form, _, sizes, hands, loose, pile, _, _, _, _ = state
    bag, size = hands[seat - 1], sizes[seat - 1] - count
    if bag is None:
        loose -= placed_bag
    else:
        hands = _with_value(hands, seat, bag - placed_bag)
    next_turn = _next_turn(seat, 0, tops, hands, pile) if size else (None, False, 0, ())
    return make_tuple(State, (form, tops, _with_value(sizes, seat, size), hands, loose, pile, *next_turn))


def _draw_coral(state: State, seat: int, coral: str) -> State:
    """The position after a hand without a valid move draws (Play, fourth point); `coral` is "" for a sealed hand."""
    form, tops, sizes, hands, loose, pile, _, drew, _, _ = state
    if drew:
        raise RefusedError("drawn" if coral else "drawn sealed")
    bag = hands[seat - 1]
    if bag is not None and can_move(bag, tops):
        raise RefusedError("must-play")
    if not pile:
        raise RefusedError("pile")
    if coral and not count_in_bag(loose, coral):
        # The refusal does not name the coral, since it is hidden from the other player.
        raise RefusedError("supply drawn")
    pile -= 1
    sizes = _with_value(sizes, seat, sizes[seat - 1] + 1)
    next_turn: _NextTurn = (seat, True, 0, ())
    if bag is not None:
        bag += SINGLE_BAGS[coral]
        loose -= SINGLE_BAGS[coral]
        hands = _with_value(hands, seat, bag)
        if not can_move(bag, tops):
            # The deck had a coral, so the turn before this one does not count as idle.
            next_turn = _next_turn(seat, 0 if pile else 1, tops, hands, pile)
    return make_tuple(State, (form, tops, sizes, hands, loose, pile, *next_turn))


def _pass_turn(state: State, seat: int) -> State:
    """The position after a pass: a sealed hand cannot move even after drawing, or the deck is empty.

    The sheet (Play, fourth point) says only that a player without a valid move draws; that this player passes
    afterwards is our reading of it. An open hand that cannot move is skipped by `_next_turn` and does not pass.
    """
    bag = state.hands[seat - 1]
    if bag is not None and can_move(bag, state.tops):
        raise RefusedError("must-play")
    if state.deck and not state.has_drawn:
        raise RefusedError("must-draw", pile=state.deck)
    idle = 0 if state.deck else state.idle_turns + 1
    return State(*state[:6], *_next_turn(seat, idle, state.tops, state.hands, state.deck))


def _next_turn(
    seat: int, idle_turns: int, tops: tuple[int, ...], hands: tuple[int | None, ...], pile: int
) -> _NextTurn:
    """The next seat to move and the fields after it, skipping open hands that can neither play nor draw.

    `idle_turns` counts the idle turns so far; after `BLOCKED_TURNS` of them no seat is to move.
    """
    skipped: tuple[int, ...] = ()
    while idle_turns < BLOCKED_TURNS:
        seat = 3 - seat
        bag = hands[seat - 1]
        if pile or bag is None or can_move(bag, tops):
            return seat, False, idle_turns, skipped
        skipped += (seat,)
        idle_turns += 1
    return None, False, idle_turns, skipped


def _not_held_error(seat: int, coral: str, corals: str, form: str) -> RefusedError:
    """The refusal of a coral of which more are played than the open hand has."""
    times = corals.count(coral)
    row = "held" if times == 1 else "held twice" if times == 2 else "held often"
    return RefusedError(row, coral=coral_name(coral, form), times=times, who=player_in_seat(seat))


def _with_value(values: tuple[Any, ...], seat: int, value: object) -> tuple[Any, ...]:
    """The values of the two seats, with the one of `seat` replaced."""
    return (value, values[1]) if seat == 1 else (values[0], value)
