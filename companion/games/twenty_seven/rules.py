"""The rules of 27 (Laurent Escoffier, Steffen Spiele): a move goes as many fields ahead as the player has stacks.

The line of fields is a tuple of stacks; a stack is a tuple of pieces from the bottom up, and its first piece is the
field itself. Seat 1 (White) moves towards the last field, seat 2 (Black) towards the first. Names in brackets, such as
(Score), are paragraphs of the rule sheet.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.games import api
from companion.games.api import Outcome, check_seat, check_turn, parse_number, player_in_seat
from companion.games.api.text import plural_text, text
from companion.games.twenty_seven import GAME

GREY, WHITE, BLACK, RED = 0, 1, 2, 3
"""The pieces. A disc's value is its owner's seat; the fields are greys, and reds at both ends."""

FIRST_FIELDS = 9
DISCS_OF_SEAT = 9
FIXED_PIECES = {"basic": (GREY, RED), "advanced": (RED,), "expert": ()}
"""Variant → the kinds of field pieces that never move (sheet, Variants)."""


class Move(NamedTuple):
    """Moves the top `pieces` (how many, 1 to 27) of the stack on `field` (1 to 9, from seat 1's first field)."""

    field: int
    pieces: int

    def __str__(self) -> str:
        return f"{self.field}x{self.pieces}"


class State(NamedTuple):
    """A position.

    Attributes:
        fixed: the kinds of field pieces that never move.
        stacks: the stacks by field, from seat 1's first field.
        tops: the top piece of each stack, stored for speed.
        to_move: the seat to move; None when the round is over.
        skipped: the seats that were skipped after the last move.
    """

    fixed: tuple[int, ...]
    stacks: tuple[tuple[int, ...], ...]
    tops: tuple[int, ...]
    to_move: int | None
    skipped: tuple[int, ...]


_PIECES = FIRST_FIELDS + 2 * DISCS_OF_SEAT
# All possible moves, made once for speed: the moves of a stack are a slice.
_MOVES = tuple(tuple(Move(field, count) for count in range(1, _PIECES + 1)) for field in range(1, FIRST_FIELDS + 1))


FROM_TOP_RULE = "a move takes discs from the top of a stack"
SENTENCES = {
    "syntax": ("{said}", "a move is like 3x2", "write the field, x, and how many discs"),
    "field": ("field {field}", "the fields are 1 to {fields}", "there is no such field"),
    "field 0": ("field 0", "the fields are 1 to {fields}", "you can't pass: if you can move, you must"),
    "field gone": ("field {field}", "the fields are 1 to {fields}", "an empty field goes and the row closes up"),
    "not-yours": ("field {field}", "{on_top}", "your own disc must be on top"),
    "not-yours turn": ("field {field}", "{owner}'s disc is on top", "your own disc must be on top"),
    "count": ("take {count}", "1 to {most} can move", "{stay} can't be moved"),
    "count one": ("take {count}", "only 1 can move", "{stay} can't be moved"),
    "count all": ("take {count}", "there are only {most}", FROM_TOP_RULE),
    "count all one": ("take {count}", "there is only 1", FROM_TOP_RULE),
    "count none": ("take 0", "take at least 1", FROM_TOP_RULE),
    "overshoot": (
        "{way} = {target}",
        "the row ends at {end}",
        "{who} has {stacks}, so each move is {steps}",
        "field {last} is the last you can start from",
    ),
}
"""Code, with further words where a code has several rows → figure, conflict, rule, what is needed."""


class RefusedError(api.RefusedError):
    """A refusal of 27, with the sentences of this game."""

    sentences = SENTENCES


ON_TOP_TEXTS = {GREY: text("a grey is on top"), RED: text("a red is on top")}
"""What is on top of a stack that is nobody's."""
FIXED_PIECE_NAMES = {1: text("reds"), 2: text("greys and reds")}
"""The field pieces that never move, by the number of kinds of them (sheet, What can move)."""


class Rules(api.Rules[State, Move]):
    """The rules of 27: a move takes pieces from the top of a stack and goes towards the far end."""

    def initial_state(
        self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], tuple[Any, ...]]
    ) -> State:
        """Nine fields, the outer two red, and each seat's nine discs on its own end (sheet, Preparation).

        Raises RefusedError ``deal`` for any deal.
        """
        for kind, _ in deals:
            self.parse_deal("", kind, options)
        middle = ((GREY,),) * (FIRST_FIELDS - 2)
        stacks = ((RED,) + (WHITE,) * DISCS_OF_SEAT, *middle, (RED,) + (BLACK,) * DISCS_OF_SEAT)
        return State(FIXED_PIECES[options.get("variant", "basic")], stacks, tuple(stack[-1] for stack in stacks), 1, ())

    def seat_to_move(self, state: State) -> int | None:
        """None when neither seat can move (sheet, Game end)."""
        return state.to_move

    def parse_move(self, text: str) -> Move:
        """``3x2``, with blanks allowed around the x."""
        field_text, _, pieces_text = text.replace("X", "x").partition("x")
        field, pieces = parse_number(field_text.rstrip(" \t")), parse_number(pieces_text.lstrip(" \t"))
        if field is None or pieces is None:
            raise RefusedError("syntax", said=text[:22])
        return Move(field, pieces)

    def legal_moves(self, state: State) -> list[Move]:
        fixed, stacks, tops, seat, _ = state
        if seat is None:
            return []
        moves: list[Move] = []
        ahead = tops.count(seat)
        for index in range(len(tops) - ahead) if seat == WHITE else range(ahead, len(tops)):
            if tops[index] == seat:
                stack = stacks[index]
                moves += _MOVES[index][: len(stack) - (stack[0] in fixed)]
        return moves

    def play_move(self, state: State, seat: int, move: Move) -> State:
        """Raises RefusedError by the first check that fails.

        The codes in the order of the checks: ``syntax`` (no such seat), ``over``, ``turn``, ``field`` (no such field),
        ``not-yours`` (sheet, Play), ``count`` (more pieces than can move: Variants), ``overshoot`` (past the end:
        Important).
        """
        fixed, stacks, tops, to_move, _ = state
        if seat != to_move:
            check_seat(seat, 2)
            check_turn(seat, to_move)
        field, count = move
        if not 0 < field <= len(stacks):
            row = "field" if field > FIRST_FIELDS else "field gone" if field else "field 0"
            raise RefusedError(row, field=field, fields=len(stacks))
        source = stacks[field - 1]
        if tops[field - 1] != seat:
            raise _not_yours_error(seat, field, source, fixed)
        maximum = len(source) - (source[0] in fixed)
        if not 0 < count <= maximum:
            raise _count_error(count, source, fixed)
        ahead = tops.count(seat)
        target = field - 1 + (ahead if seat == 1 else -ahead)
        if not 0 <= target < len(stacks):
            raise _overshoot_error(seat, field, ahead, len(stacks))
        new_stacks, new_tops = list(stacks), list(tops)
        new_stacks[target] += source[-count:]
        new_tops[target] = seat
        if count < len(source):
            new_stacks[field - 1] = remaining = source[:-count]
            new_tops[field - 1] = remaining[-1]
        else:
            # The field has moved with its stack, so the row closes up (What can move).
            del new_stacks[field - 1], new_tops[field - 1]
        return _after_move(fixed, tuple(new_stacks), tuple(new_tops), seat)

    def skipped_seats(self, state: State) -> tuple[int, ...]:
        """A seat that cannot move is skipped (sheet, Important)."""
        return state.skipped

    def outcome(self, state: State) -> Outcome:
        """The scores are the heights of the goals; the higher one wins, equal heights are a draw (Score)."""
        return Outcome.by_score(goal_heights(state), GAME.ending_reason("stuck") if state.to_move is None else "")


RULES = Rules()


def steps_of_move(state: State, seat: int) -> int:
    """How many fields a move of `seat` goes ahead: the number of stacks with its disc on top (sheet, Play)."""
    return state.tops.count(seat)


def target_field(state: State, seat: int, field: int) -> int:
    """The field, from 1, that a move of `seat` from `field` leads to; it may be past the end (sheet, Play)."""
    return field + steps_of_move(state, seat) if seat == WHITE else field - steps_of_move(state, seat)


def goal_field(state: State, seat: int) -> int:
    """The goal of a seat: the last field for seat 1, the first for seat 2 (Score)."""
    return len(state.stacks) if seat == WHITE else 1


def movable_piece_count(state: State, field: int) -> int:
    """How many pieces (0 to 27) of the stack on `field` can move, whoever has the top disc (What can move)."""
    stack = state.stacks[field - 1]
    return len(stack) - (stack[0] in state.fixed)


def goal_heights(state: State) -> tuple[int, int]:
    """The score of each seat: the pieces on its goal, without a red that never moves (Score).

    The goal of seat 1 is the last field, that of seat 2 the first.
    """
    has_fixed_red = RED in state.fixed
    return len(state.stacks[-1]) - has_fixed_red, len(state.stacks[0]) - has_fixed_red


def _after_move(fixed: tuple[int, ...], stacks: tuple[tuple[int, ...], ...], tops: tuple[int, ...], seat: int) -> State:
    """The position after a move of `seat`: the other seat is to move, or is skipped if it cannot (Turns)."""
    other = 3 - seat
    if can_move(tops, other):
        return State(fixed, stacks, tops, other, ())
    if can_move(tops, seat):
        return State(fixed, stacks, tops, seat, (other,))
    return State(fixed, stacks, tops, None, ())


def can_move(tops: tuple[int, ...], seat: int) -> bool:
    """Whether `seat` can move: one of its stacks has enough fields ahead, since a top disc can always move."""
    ahead = tops.count(seat)
    return seat in (tops[: len(tops) - ahead] if seat == 1 else tops[ahead:])


def _not_yours_error(seat: int, field: int, stack: tuple[int, ...], fixed: tuple[int, ...]) -> RefusedError:
    """The refusal of a stack without the disc of `seat` on top; for a stack of the other player it says whose that is.

    A field is empty only if its own piece never moves. Otherwise that piece lies there like a disc.
    """
    if stack[-1] == 3 - seat:
        return RefusedError("not-yours turn", field=field, owner=player_in_seat(3 - seat))
    on_top = ON_TOP_TEXTS[stack[-1]] if len(stack) > 1 or stack[0] not in fixed else text("the field is empty")
    return RefusedError("not-yours", field=field, on_top=on_top)


def _count_error(count: int, source: tuple[int, ...], fixed: tuple[int, ...]) -> RefusedError:
    """The refusal of taking `count` pieces from a stack: none, more than there are, or the field that stays."""
    field_stays = source[0] in fixed
    maximum = len(source) - field_stays
    if not count:
        return RefusedError("count none")
    row = "count" if field_stays and count == len(source) else "count all"
    stay = FIXED_PIECE_NAMES[len(fixed)] if field_stays else ""
    return RefusedError(row + " one" * (maximum == 1), count=count, most=maximum, stay=stay)


def _overshoot_error(seat: int, field: int, ahead: int, fields: int) -> RefusedError:
    """The refusal of a move from `field` that would go `ahead` fields and past the end (sheet, Important)."""
    is_white = seat == WHITE
    return RefusedError(
        "overshoot",
        way=f"{field}+{ahead}" if is_white else f"{field}-{ahead}",
        target=field + ahead if is_white else field - ahead,
        end=fields if is_white else 1,
        who=player_in_seat(seat),
        stacks=plural_text(ahead, "{number} stack", "{number} stacks"),
        steps=plural_text(ahead, "{number} step", "{number} steps"),
        last=fields - ahead if is_white else ahead + 1,
    )
