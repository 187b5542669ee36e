"""The rules of 27 (Laurent Escoffier, Steffen Spiele): a move goes as many fields ahead as the player has stacks.

The line of fields is a tuple of stacks; a stack is a tuple of pieces from the bottom up, and its first piece is the
field itself. Seat 1 (White) moves towards the last field, seat 2 (Black) towards the first. Names in brackets, such as
(Score), are paragraphs of the rule sheet.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.games import api
from companion.games.api import Outcome, check_seat, check_turn, parse_number, who_is_in
from companion.games.api.text import plural_text, text
from companion.games.twenty_seven import GAME

GREY, WHITE, BLACK, RED = 0, 1, 2, 3
"""The pieces. A disc's value is its owner's seat; the fields are greys, and reds at both ends."""

FIELDS = 9
DISCS = 9
FIXED = {"basic": (GREY, RED), "advanced": (RED,), "expert": ()}
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
    piles: tuple[tuple[int, ...], ...]
    tops: tuple[int, ...]
    to_move: int | None
    passed: tuple[int, ...]


_PIECES = FIELDS + 2 * DISCS
# All possible moves, made once for speed: the moves of a stack are a slice.
_MOVES = tuple(tuple(Move(field, count) for count in range(1, _PIECES + 1)) for field in range(1, FIELDS + 1))


FROM_TOP = "a move takes pieces from the top of a stack"
SENTENCES = {
    "syntax": ("{said}", "a move is like 3x2", "write the field, x, and how many pieces"),
    "field": ("field {field}", "the fields are 1 to {fields}", "there is no such field"),
    "field 0": ("field 0", "the fields are 1 to {fields}", "you can't pass: if you can move, you must"),
    "field gone": ("field {field}", "the fields are 1 to {fields}", "an empty field goes and the row closes up"),
    "not-yours": ("field {field}", "{on_top}", "your own disc must be on top"),
    "not-yours turn": ("field {field}", "it is {owner}'s stack", "{on_top}, and {who} plays {colour}"),
    "count": ("take {count}", "1 to {most} can move", "{stay} can't be moved"),
    "count one": ("take {count}", "only 1 can move", "{stay} can't be moved"),
    "count all": ("take {count}", "there are only {most}", FROM_TOP),
    "count all one": ("take {count}", "there is only 1", FROM_TOP),
    "count none": ("take 0", "take at least 1", FROM_TOP),
    "overshoot": (
        "{way} = {target}",
        "the row ends at {end}",
        "{colour} has {stacks}, so each move is {steps}",
        "field {last} is the last you can start from",
    ),
}
"""Code, with further words where a code has several rows → figure, conflict, rule, what is needed."""


class Refused(api.Refused):
    """A refusal of 27, with the sentences of this game."""

    sentences = SENTENCES


ON_TOP = text("a grey is on top"), text("White is on top"), text("Black is on top"), text("a red is on top")
"""What is on top of a stack, by piece."""
COLOURS = {WHITE: text("White"), BLACK: text("Black")}
STAY = {1: text("reds"), 2: text("greys and reds")}
"""The field pieces that never move, by the number of kinds of them (sheet, What can move)."""


class Rules(api.Rules[State, Move]):
    """The rules of 27."""

    def start(
        self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], tuple[Any, ...]]
    ) -> State:
        """Nine fields, the outer two red, and each seat's nine discs on its own end (sheet, Preparation).

        Raises RefusedError ``deal`` for any deal.
        """
        for kind, _ in deals:
            self.read_deal("", kind, options)
        middle = ((GREY,),) * (FIELDS - 2)
        line = ((RED,) + (WHITE,) * DISCS, *middle, (RED,) + (BLACK,) * DISCS)
        return State(FIXED[options.get("variant", "basic")], line, tuple(pile[-1] for pile in line), 1, ())

    def turn(self, state: State) -> int | None:
        """None when neither seat can move (sheet, Game end)."""
        return state.to_move

    def read(self, text: str) -> Move:
        """``3x2``, with blanks allowed around the x."""
        before, _, after = text.replace("X", "x").partition("x")
        field, pieces = parse_number(before.rstrip(" \t")), parse_number(after.lstrip(" \t"))
        if field is None or pieces is None:
            raise Refused("syntax", said=text[:22])
        return Move(field, pieces)

    def moves(self, state: State) -> list[Move]:
        fixed, piles, tops, seat, _ = state
        if seat is None:
            return []
        found: list[Move] = []
        ahead = tops.count(seat)
        for index in range(len(tops) - ahead) if seat == WHITE else range(ahead, len(tops)):
            if tops[index] == seat:
                pile = piles[index]
                found += _MOVES[index][: len(pile) - (pile[0] in fixed)]
        return found

    def play(self, state: State, seat: int, move: Move) -> State:
        """Raises RefusedError by the first check that fails.

        The codes in the order of the checks: ``syntax`` (no such seat), ``over``, ``turn``, ``field`` (no such field),
        ``not-yours`` (sheet, Play), ``count`` (more pieces than can move: Variants), ``overshoot`` (past the end:
        Important).
        """
        fixed, piles, tops, to_move, _ = state
        if seat != to_move:
            check_seat(seat, 2)
            check_turn(seat, to_move)
        field, count = move
        if not 0 < field <= len(piles):
            row = "field" if field > FIELDS else "field gone" if field else "field 0"
            raise Refused(row, field=field, fields=len(piles))
        source = piles[field - 1]
        if tops[field - 1] != seat:
            raise _not_yours(seat, field, source, fixed)
        most = len(source) - (source[0] in fixed)
        if not 0 < count <= most:
            raise _wrong_count(count, source, fixed)
        ahead = tops.count(seat)
        target = field - 1 + (ahead if seat == 1 else -ahead)
        if not 0 <= target < len(piles):
            raise _overshoot(seat, field, ahead, len(piles))
        line, top = list(piles), list(tops)
        line[target] += source[-count:]
        top[target] = seat
        if count < len(source):
            line[field - 1] = rest = source[:-count]
            top[field - 1] = rest[-1]
        else:
            # The field has moved with its pile, so the line closes up (What can move).
            del line[field - 1], top[field - 1]
        return _hand_on(fixed, tuple(line), tuple(top), seat)

    def skipped(self, state: State) -> tuple[int, ...]:
        """A seat that cannot move is skipped (sheet, Important)."""
        return state.passed

    def outcome(self, state: State) -> Outcome:
        """The scores are the heights of the goals; the higher one wins, equal heights are a draw (Score)."""
        return Outcome.by_score(heights(state), GAME.ending("stuck") if state.to_move is None else "")


RULES = Rules()


def steps(state: State, seat: int) -> int:
    """How many fields a move of `seat` goes ahead: the number of stacks with its disc on top (sheet, Play)."""
    return state.tops.count(seat)


def target(state: State, seat: int, field: int) -> int:
    """The field, from 1, that a move of `seat` from `field` leads to; it may be past the end (sheet, Play)."""
    return field + steps(state, seat) if seat == WHITE else field - steps(state, seat)


def goal(state: State, seat: int) -> int:
    """The goal of a seat: the last field for seat 1, the first for seat 2 (Score)."""
    return len(state.piles) if seat == WHITE else 1


def movable(state: State, field: int) -> int:
    """How many pieces (0 to 27) of the stack on `field` can move, whoever has the top disc (What can move)."""
    pile = state.piles[field - 1]
    return len(pile) - (pile[0] in state.fixed)


def heights(state: State) -> tuple[int, int]:
    """The score of each seat: the pieces on its goal, without a red that never moves (Score).

    The goal of seat 1 is the last field, that of seat 2 the first.
    """
    base = RED in state.fixed
    return len(state.piles[-1]) - base, len(state.piles[0]) - base


def _hand_on(fixed: tuple[int, ...], piles: tuple[tuple[int, ...], ...], tops: tuple[int, ...], seat: int) -> State:
    """The position after a move of `seat`: the other seat is to move, or is skipped if it cannot (Turns)."""
    other = 3 - seat
    if can_move(tops, other):
        return State(fixed, piles, tops, other, ())
    if can_move(tops, seat):
        return State(fixed, piles, tops, seat, (other,))
    return State(fixed, piles, tops, None, ())


def can_move(tops: tuple[int, ...], seat: int) -> bool:
    """Whether `seat` can move: one of its stacks has enough fields ahead, since a top disc can always move."""
    ahead = tops.count(seat)
    return seat in (tops[: len(tops) - ahead] if seat == 1 else tops[ahead:])


def _not_yours(seat: int, field: int, pile: tuple[int, ...], fixed: tuple[int, ...]) -> Refused:
    """The refusal of a stack without the disc of `seat` on top; for a stack of the other player it says whose that is.

    A field is empty only if its own piece never moves. Otherwise that piece lies there like a disc.
    """
    on_top = ON_TOP[pile[-1]] if len(pile) > 1 or pile[0] not in fixed else text("the field is empty")
    if pile[-1] == 3 - seat:
        owner, who = who_is_in(3 - seat), who_is_in(seat)
        return Refused("not-yours turn", field=field, on_top=on_top, owner=owner, who=who, colour=COLOURS[seat])
    return Refused("not-yours", field=field, on_top=on_top)


def _wrong_count(count: int, source: tuple[int, ...], fixed: tuple[int, ...]) -> Refused:
    """The refusal of taking `count` pieces from a stack: none, more than there are, or the field that stays."""
    stays = source[0] in fixed
    most = len(source) - stays
    if not count:
        return Refused("count none")
    row = "count" if stays and count == len(source) else "count all"
    stay = STAY[len(fixed)] if stays else ""
    return Refused(row + " one" * (most == 1), count=count, most=most, stay=stay)


def _overshoot(seat: int, field: int, ahead: int, fields: int) -> Refused:
    """The refusal of a move from `field` that would go `ahead` fields and past the end (sheet, Important)."""
    white = seat == WHITE
    return Refused(
        "overshoot",
        way=f"{field}+{ahead}" if white else f"{field}-{ahead}",
        target=field + ahead if white else field - ahead,
        end=fields if white else 1,
        colour=COLOURS[seat],
        stacks=plural_text(ahead, "{number} stack", "{number} stacks"),
        steps=plural_text(ahead, "{number} step", "{number} steps"),
        last=fields - ahead if white else ahead + 1,
    )
