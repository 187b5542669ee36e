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

from companion.games.api import Claim, check_seat, check_turn, make, who_is_in
from companion.games.api.text import plural_text
from companion.games.coral_reef.claims import Turn, false_claims
from companion.games.coral_reef.moves import DRAW, FACES, PASS, SEED, Move, Refused, check_form, name, worked_sum
from companion.games.coral_reef.state import SetUp, State
from companion.games.coral_reef.sums import COUNTS, NINE, PLACES, UNITS, can_move, count, find_play, summands, unpack

BLOCKED = 2  # The round ends after so many turns in a row without a play or seed, if the deck is empty after each.
# The last four fields of a State, from `to_move` to `skipped`.
_Following = tuple[int | None, bool, int, tuple[int, ...]]


class Rules(SetUp):
    """The rules of Coral Reef. `SetUpRules` has the part about setting up."""

    def turn(self, state: State) -> int | None:
        return state.seat

    def moves(self, state: State) -> list[Move]:
        """Of plays that differ only in the order below the top coral, one is listed.

        A sealed hand has only a draw or a pass.
        """
        if state.seat is None:
            return []
        bag = state.hands[state.seat - 1]
        if bag is None:
            return [DRAW] if state.pile and not state.drew else [PASS]
        numbers, faces = summands(bag, state.tops)
        ten = "T" * (count(bag, "T") > 0)
        listed: list[Move] = []
        for stack, top in enumerate(state.tops, 1):
            for less, under in faces.items():
                if top + less in numbers:
                    for these in numbers[top + less]:
                        for those in under:
                            listed += _orders(stack, these, those, ten)
        if bag & 15 * NINE:
            listed.append(SEED)
        # `_next_turn` skips an open hand that can neither play nor draw, so here the deck has corals.
        return listed or [DRAW]

    def find(self, state: State) -> Move | None:
        bag = state.hands[state.seat - 1] if state.seat else None
        if bag is None:
            return None
        if found := find_play(bag, state.tops):
            return Move("play", found[0] + 1, found[1])
        return SEED if count(bag, "9") else None

    def complete(self, state: State, move: Move, sample: Callable[[Sequence[Any], int], Sequence[Any]]) -> Move:
        if move != DRAW or state.seat is None or state.hands[state.seat - 1] is None:
            return move
        return Move("draw", 0, sample(unpack(state.loose), 1)[0])

    def play(self, state: State, seat: int, move: Move) -> State:
        """Raises RefusedError by the first check that fails.

        The codes in the order of the checks: ``syntax`` (no such seat, a face card among tiles, a draw that wrongly
        names or omits its coral), ``over``, ``turn``, and then for

        - a play: ``stack``, ``held`` or ``supply``, ``ten-last``, ``face-top``, ``sum``
        - a seed: ``held`` or ``supply``
        - a draw: ``drawn``, ``must-play``, ``pile``, ``supply``
        - a pass: ``must-play``, ``must-draw``
        """
        kind, stack, corals = move
        if seat != state.seat:
            check_seat(seat, 2)
        check_form(state.form, corals)
        if kind == "draw" and bool(corals) is (state.hands[seat - 1] is None):
            raise Refused("syntax sealed") if corals else Refused("syntax open")
        if seat != state.seat:
            check_turn(seat, state.seat)
        if kind == "play":
            return _place(state, seat, stack, corals)
        if kind == "draw":
            return _draw(state, seat, corals)
        if kind == "seed":
            return _placed(state, seat, _check_held(state, seat, "9"), 1, (*state.tops, 9))
        return _pass(state, seat)

    def claims(self, start: State, events: Sequence[tuple[int, Move]]) -> tuple[Claim, ...]:
        """Claims of sealed hands only. Raises RefusedError if an event is illegal."""
        state = start
        turns = []
        for index, (seat, move) in enumerate(events):
            after = self.play(state, seat, move)
            if state.hands[seat - 1] is None:
                placed = {"play": move.corals, "seed": "9"}.get(move.kind, "")
                turns.append(Turn(index, seat, move.kind, placed, state.tops))
            state = after
        return false_claims(turns)


RULES = Rules()


@lru_cache(maxsize=8192)
def _orders(stack: int, numbers: str, faces: str, ten: str) -> tuple[Move, ...]:
    """The plays of these corals, one for each coral that can be placed last: a number, or the ten if given."""
    plays = [numbers.replace(last, "", 1) + faces + last for last in dict.fromkeys(numbers)]
    if ten:
        plays.append(numbers + faces + ten)
    return tuple(Move("play", stack, corals) for corals in plays)


def _place(state: State, seat: int, stack: int, corals: str) -> State:
    """The position after placing corals on a stack (Play, first to third point)."""
    tops = state.tops
    if not 1 <= stack <= len(tops):
        raise Refused("stack", stack=stack, stacks=len(tops))
    used = _check_held(state, seat, corals)
    last, top = corals[-1], tops[stack - 1]
    if "T" in corals[:-1]:
        raise Refused("ten-last", ten=name("T", state.form))
    if last in FACES:
        raise Refused("face-top", coral=name(last, state.form))
    total = sum(map(COUNTS.__getitem__, corals))
    if total != top:
        values = {"sum": worked_sum(corals), "stack": stack, "top": top, "by": abs(top - total)}
        if last == "T" and total < top:
            raise Refused("sum ten", ten=name("T", state.form), **values)
        raise Refused("sum low" if total < top else "sum high", **values)
    return _placed(state, seat, used, len(corals), (*tops[: stack - 1], COUNTS[last] or 10, *tops[stack:]))


def _check_held(state: State, seat: int, corals: str) -> int:
    """Check corals one by one, and return them as a bag.

    Raises RefusedError ``held`` if the hand does not have one (a sealed hand: if it has too few corals), and ``supply``
    if a sealed hand cannot have it because all eight have been seen.
    """
    hand, left = state.hands[seat - 1], state.sizes[seat - 1]
    if hand is not None:
        bag = hand
        for coral in corals:
            if not bag >> PLACES[coral] & 15:
                raise _too_many(seat, coral, corals, state.form)
            bag -= UNITS[coral]
        return hand - bag
    loose = state.loose
    for index, coral in enumerate(corals):
        if index == left:
            raise Refused("held few", corals=plural_text(len(corals), "{number} coral", "{number} corals"), left=left)
        if not loose >> PLACES[coral] & 15:
            raise Refused("supply", coral=name(coral, state.form))
        loose -= UNITS[coral]
    return state.loose - loose


def _placed(state: State, seat: int, used: int, number: int, tops: tuple[int, ...]) -> State:
    """The position after a legal play or seed: `count` corals, the bag `placed_bag`, leave the hand, and the turn ends.

    A hand without corals wins (Winning).
    """
    form, _, sizes, hands, loose, pile, _, _, _, _ = state
    bag, left = hands[seat - 1], sizes[seat - 1] - number
    if bag is None:
        loose -= used
    else:
        hands = _with(hands, seat, bag - used)
    following = _next_turn(seat, 0, tops, hands, pile) if left else (None, False, 0, ())
    return make(State, (form, tops, _with(sizes, seat, left), hands, loose, pile, *following))


def _draw(state: State, seat: int, coral: str) -> State:
    """The position after a hand without a valid move draws (Play, fourth point); `coral` is "" for a sealed hand."""
    form, tops, sizes, hands, loose, pile, _, drew, _, _ = state
    if drew:
        raise Refused("drawn" if coral else "drawn sealed")
    bag = hands[seat - 1]
    if bag is not None and can_move(bag, tops):
        raise Refused("must-play")
    if not pile:
        raise Refused("pile")
    if coral and not count(loose, coral):
        # The refusal does not name the coral, since it is hidden from the other player.
        raise Refused("supply drawn")
    pile -= 1
    sizes = _with(sizes, seat, sizes[seat - 1] + 1)
    following: _Following = (seat, True, 0, ())
    if bag is not None:
        bag += UNITS[coral]
        loose -= UNITS[coral]
        hands = _with(hands, seat, bag)
        if not can_move(bag, tops):
            # The deck had a coral, so the turn before this one does not count as idle.
            following = _next_turn(seat, 0 if pile else 1, tops, hands, pile)
    return make(State, (form, tops, sizes, hands, loose, pile, *following))


def _pass(state: State, seat: int) -> State:
    """The position after a pass: a sealed hand cannot move even after drawing, or the deck is empty.

    The sheet (Play, fourth point) says only that a player without a valid move draws; that this player passes
    afterwards is our reading of it. An open hand that cannot move is skipped by `_next_turn` and does not pass.
    """
    bag = state.hands[seat - 1]
    if bag is not None and can_move(bag, state.tops):
        raise Refused("must-play")
    if state.pile and not state.drew:
        raise Refused("must-draw", pile=state.pile)
    idle = 0 if state.pile else state.idle + 1
    return State(*state[:6], *_next_turn(seat, idle, state.tops, state.hands, state.pile))


def _next_turn(seat: int, idle: int, tops: tuple[int, ...], hands: tuple[int | None, ...], pile: int) -> _Following:
    """The next seat to move and the fields after it, skipping open hands that can neither play nor draw.

    `idle_turns` counts the idle turns so far; after `BLOCKED_TURNS` of them no seat is to move.
    """
    passed: tuple[int, ...] = ()
    while idle < BLOCKED:
        seat = 3 - seat
        bag = hands[seat - 1]
        if pile or bag is None or can_move(bag, tops):
            return seat, False, idle, passed
        passed += (seat,)
        idle += 1
    return None, False, idle, passed


def _too_many(seat: int, coral: str, corals: str, form: str) -> Refused:
    """The refusal of a coral that is played more often than the open hand has it."""
    times = corals.count(coral)
    row = "held" if times == 1 else "held twice" if times == 2 else "held often"
    return Refused(row, coral=name(coral, form), times=times, who=who_is_in(seat))


def _with(values: tuple[Any, ...], seat: int, value: object) -> tuple[Any, ...]:
    """The values of the two seats, with the one of `seat` replaced."""
    return (value, values[1]) if seat == 1 else (values[0], value)
