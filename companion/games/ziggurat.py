"""Ziggurat (Jonathan A Leistiko, Invisible City): dominoes fill a 4×4 base, then lie level upon level on it.

Cells, masks and places are those of `companion.games.ziggurat_grid`. The paragraphs named are
those of the rule sheet and, where it is silent, of the exact rules.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from companion.game import Claim, Holding, Outcome, Refused, check_seat, check_turn, take
from companion.games.ziggurat_grid import (
    ANCHORS,
    AREA,
    BESIDE,
    BLOCK,
    CELLS,
    MASK,
    NEXT,
    PLACE,
    PLACES,
    base_places,
    corners,
    hole,
    members,
    rooms,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ID = "ziggurat"
NAME = "Ziggurat"
PLAYERS = (2, 4)
OPTIONS = {"set": ("6", "9", "12"), "base": ("solid", "cutup")}
HOLDINGS = ("deal",)

VACANT = -1
"""The top pip of a cell on which nothing lies."""

_NUM = "(0|[1-9][0-9]{0,2})"
_EVENT = re.compile(rf"{_NUM}[ \t]*-[ \t]*{_NUM}[ \t,]*([A-Ga-g][1-7])[ \t,]*([A-Ga-g][1-7])")
_DOMINO = re.compile(f"{_NUM}-{_NUM}")


class Domino(NamedTuple):
    """A domino, its lower pip first (0–12 in a double-twelve set; as read, up to 999)."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"


class Move(NamedTuple):
    """A play as its player gives it: pip `p` on cell `first`, pip `q` on cell `second`."""

    p: int
    q: int
    first: int
    second: int

    @property
    def domino(self) -> Domino:
        """The domino played, whichever way round."""
        return Domino(self.p, self.q) if self.p <= self.q else Domino(self.q, self.p)

    def __str__(self) -> str:
        return f"{self.p}-{self.q} {CELLS[self.first]}{CELLS[self.second]}"


class Effect(NamedTuple):
    """What a play scores (0–2 on the base, 0, L or 2L on level L), and those of its own cells that match."""

    points: int
    cells: tuple[int, ...]


class State(NamedTuple):
    """A position; `pips` and `heights` are given for each of the 49 cells, seen from above.

    `top` is the highest pip of the set, `solid` whether the base may have no gaps, `level` the one being built (1 is
    the base), `covered` the mask of cells with a height of 1 or more, `free` the places now open (none when over).
    """

    top: int
    solid: bool
    hands: tuple[Holding[Domino], ...]
    scores: tuple[int, ...]
    to_move: int | None
    level: int
    pips: tuple[int, ...]
    heights: tuple[int, ...]
    covered: int
    free: tuple[int, ...]
    played: frozenset[Domino]


def size(kind: str, players: int, options: Mapping[str, str]) -> int:
    """The set shared out evenly, as many as possible: 7 to 45 dominoes a seat (sheet, Setting Up)."""
    return len(_dominoes(_top(options))) // players


def read_deal(text: str, kind: str, options: Mapping[str, str]) -> tuple[Domino, ...]:
    """Dominoes set apart by blanks and commas, sorted. Raises Refused ``syntax`` where one cannot be read."""
    return tuple(sorted(_read_domino(piece) for piece in re.split(r"[ \t,]+", text))) if text else ()


def write_deal(pieces: Sequence[Domino]) -> str:
    """The dominoes with a space between: ``0-3 6-6``."""
    return " ".join(map(str, pieces))


def deal(
    players: int, options: Mapping[str, str], sample: Callable[[Sequence[Domino], int], Sequence[Domino]]
) -> dict[tuple[str, int], tuple[Domino, ...]]:
    """A hand for every seat, drawn at once from the whole set."""
    each = size("deal", players, options)
    drawn = sample(_dominoes(_top(options)), each * players)
    return {("deal", seat): tuple(sorted(drawn[(seat - 1) * each : seat * each])) for seat in range(1, players + 1)}


def start(players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], tuple[Domino, ...]]) -> State:
    """The empty table, each hand open where it was dealt (sheet, Setting Up).

    Raises Refused ``deal``, naming no domino, since hands may be hidden from one another.
    """
    top, each = _top(options), size("deal", players, options)
    dealt: set[Domino] = set()
    for (kind, seat), hand in deals.items():
        if kind != "deal" or not 1 <= seat <= players:
            raise Refused("deal", f"{kind} {seat}", f"the seats are 1 to {players}", "there is no such hand")
        if len(hand) != each:
            raise Refused("deal", f"{len(hand)} of {each}", f"the hand of seat {seat}", "each gets the same number")
        if any(domino.high > top for domino in hand):
            raise Refused("deal", f"seat {seat}", f"the set ends at {top}-{top}", "a domino is not of this set")
        if len(dealt.union(hand)) < len(dealt) + each:
            raise Refused("deal", f"seat {seat}", "a domino twice", "the set has each domino once")
        dealt.update(hand)
    hands = (deals.get(("deal", seat)) for seat in range(1, players + 1))
    holdings = tuple(Holding(each, None if hand is None else tuple(sorted(hand))) for hand in hands)
    solid = options.get("base", "solid") == "solid"
    none = (0,) * AREA
    return State(
        top, solid, holdings, (0,) * players, 1, 1, (VACANT,) * AREA, none, 0, base_places(0, solid), frozenset()
    )


def turn(state: State) -> int | None:
    """The seat to move, None when the round is over."""
    return state.to_move


def read(text: str) -> Move:
    """``3-6 e4d4`` as a move, in either case, blanks and commas between. Raises Refused ``syntax``."""
    match = _EVENT.fullmatch(text)
    if match is None:
        raise Refused("syntax", text[:22], "a play is like 3-6 e4d4", "say two pips, then the cell of each")
    p, q, first, second = match.groups()
    return Move(int(p), int(q), CELLS.index(first.lower()), CELLS.index(second.lower()))


def moves(state: State) -> list[Move]:
    """Every legal play from an open hand, by domino and then by way round; a double lies but one way round."""
    if state.to_move is None:
        return []
    free, hand = state.free, state.hands[state.to_move - 1].pieces or ()
    rows = [plays for domino in hand for plays in _plays(domino)]
    if len(free) == 1:
        return [plays[free[0]] for plays in rows]
    return list(chain.from_iterable(map(itemgetter(*free), rows)))


def find(state: State) -> Move | None:
    """The first domino of an open hand on the first free place; None where sealed or over."""
    hand = state.hands[state.to_move - 1].pieces if state.to_move else None
    return _plays(hand[0])[0][state.free[0]] if hand else None


def complete(state: State, move: Move, sample: Callable[[Sequence[Domino], int], Sequence[Domino]]) -> Move:
    """The move itself: nothing is drawn after the deal."""
    return move


def places(state: State) -> tuple[tuple[int, int], ...]:
    """The pairs of cells that a domino could now cover, lower cell first; none when the round is over."""
    return tuple(PLACES[place] for place in state.free)


def frames(state: State) -> tuple[frozenset[int], ...]:
    """The 4×4 blocks in which the base can still be completed, as sets of 16 cells; one from level 2 on."""
    return tuple(frozenset(members(BLOCK << corner)) for corner, _ in rooms(state.covered, state.solid))


def effect(state: State, move: Move) -> Effect:
    """What a legal play would score, judged by squares alone (sheet, Setting the Stage and Building)."""
    pips = state.pips
    squares = ((move.p, move.first), (move.q, move.second))
    if state.level == 1:
        # Its own two cells are still vacant, so the halves of a double never match each other.
        cells = tuple(cell for pip, cell in squares if pip in [pips[other] for other in NEXT[cell]])
    else:
        cells = tuple(cell for pip, cell in squares if pip == pips[cell])
    return Effect(state.level * len(cells), cells)


def play(state: State, seat: int, move: Move) -> State:
    """The position after `seat` played `move`.

    Raises Refused ``syntax``, ``over``, ``turn``, ``set``, ``held``, ``supply``, ``adjacent``, then on the base
    ``anchor``, ``occupied``, ``frame``, ``touch``, ``gap``, later ``vacant``, ``uneven``, ``level``, in this order.
    """
    check_seat(seat, len(state.hands))
    check_turn(seat, state.to_move)
    hand = _spend(state, seat, move)
    place = PLACE.get((move.first, move.second))
    if place is None:
        said = "the same cell twice" if move.first == move.second else "they share no edge"
        raise Refused("adjacent", _cells(move), said, "a domino covers two cells side by side")
    if state.level == 1:
        _check_base(state, move, place)
    else:
        _check_building(state, move)
    return _lay(state, seat, move, place, hand)


def skipped(state: State) -> tuple[int, ...]:
    """Nobody: all hold the same number, so nobody ever has to pass."""
    return ()


def outcome(state: State) -> Outcome:
    """Most points win, then fewest dominoes left, then it is shared (sheet, Winning)."""
    if state.to_move is not None:
        return Outcome(state.scores, (), "")
    ranks = [(score, -hand.size) for score, hand in zip(state.scores, state.hands, strict=True)]
    winners = tuple(seat for seat, rank in enumerate(ranks, 1) if rank == max(ranks))
    out = not any(hand.size for hand in state.hands)
    return Outcome(state.scores, winners, "all dominoes played" if out else f"one place left on level {state.level}")


def view(state: State, seat: int | None) -> State:
    """The position with the hands of all other seats sealed."""
    hands = (hand if at == seat else Holding[Domino](hand.size, None) for at, hand in enumerate(state.hands, 1))
    return state._replace(hands=tuple(hands))


def claims(start: State, events: Sequence[tuple[int, Move]]) -> tuple[Claim, ...]:
    """No claims are made in Ziggurat."""
    return ()


def _top(options: Mapping[str, str]) -> int:
    """The highest pip of the set."""
    return int(options.get("set", OPTIONS["set"][0]))


def _dominoes(top: int) -> list[Domino]:
    """Every domino of a set, sorted."""
    return [Domino(low, high) for low in range(top + 1) for high in range(low, top + 1)]


def _read_domino(text: str) -> Domino:
    """``6-3`` as a domino. Raises Refused ``syntax``."""
    match = _DOMINO.fullmatch(text)
    if match is None:
        raise Refused("syntax", text[:22], "a domino is like 3-6", "say two pips with a - between")
    p, q = int(match[1]), int(match[2])
    return Domino(min(p, q), max(p, q))


@cache
def _plays(domino: Domino) -> tuple[tuple[Move, ...], ...]:
    """A domino's moves on every place, one row for each way round: made once, so that listing is picking."""
    low, high = domino
    along = tuple(Move(low, high, a, b) for a, b in PLACES)
    return (along,) if low == high else (along, tuple(Move(low, high, b, a) for a, b in PLACES))


def _cells(move: Move) -> str:
    """The cells of a play as the panel shows them: ``d4 e4``."""
    return f"{CELLS[move.first]} {CELLS[move.second]}"


def _spend(state: State, seat: int, move: Move) -> Holding[Domino]:
    """The hand without the domino. Raises Refused ``set``, ``held``, ``supply`` (Open and sealed)."""
    pips, domino, top = f"{move.p}-{move.q}", move.domino, state.top
    if domino.high > top:
        raise Refused("set", pips, f"the set ends at {top}-{top}", "the table has no such domino")
    elsewhere = domino in state.played or any(domino in (hand.pieces or ()) for hand in state.hands)
    try:
        return take(state.hands[seat - 1], domino, not elsewhere)
    except Refused as no:
        # The same ruling, with the pips in the player's own order and there being one copy of each.
        if no.code == "supply":
            raise Refused("supply", pips, "it is elsewhere", "the set has every domino once") from None
        raise Refused("held", pips, "not in the hand", no.rule) from None


def _check_base(state: State, move: Move, place: int) -> None:
    """The checks of a play on level 1, as ordered there (sheet, Setting the Stage; The base)."""
    covered, cells = state.covered, MASK[place]
    if not covered and place not in ANCHORS:
        raise Refused("anchor", _cells(move), "the middle is d4", "the first domino covers d4 and e4 or d5")
    if covered & cells:
        there = [CELLS[cell] for cell in (move.first, move.second) if covered >> cell & 1]
        raise Refused("occupied", " ".join(there), "a domino lies there", "build only when the base is complete")
    if not corners(covered | cells):
        raise _frame(covered | cells)
    if covered and not BESIDE[place] & covered:
        raise Refused("touch", _cells(move), "no domino is beside it", "it must share an edge with another domino")
    if state.solid and not rooms(covered | cells, True):
        cell = hole(covered | cells)
        said = "a gap would stay" if cell is None else f"{CELLS[cell]} could not be filled"
        raise Refused("gap", _cells(move), said, "the base must become a full 4×4")


def _check_building(state: State, move: Move) -> None:
    """The checks of a play on level 2 and up, as ordered there (sheet, Building)."""
    level, ground = state.level, state.level - 1
    a, b = state.heights[move.first], state.heights[move.second]
    if min(a, b) < ground:
        low = CELLS[move.first if a <= b else move.second]
        if not min(a, b):
            raise Refused("vacant", _cells(move), f"nothing lies on {low}", "no domino over a vacant space")
        rule = f"level {level} needs ground {ground} high"
        raise Refused("vacant", _cells(move), f"{low} is {min(a, b)} high", rule)
    if a != b:
        raise Refused("uneven", _cells(move), f"{a} high and {b} high", "a domino needs even ground")
    if a > ground:
        c, d = PLACES[state.free[0]]
        needed = f"{CELLS[c]} {CELLS[d]} is still free"
        raise Refused("level", _cells(move), f"both are {a} high", f"level {level} must be filled first", needed)


def _frame(cells: int) -> Refused:
    """The refusal of cells that no 4×4 block contains, by columns or else by rows."""
    letters, digits = (sorted(names) for names in zip(*(CELLS[cell] for cell in members(cells)), strict=True))
    wide, tall = (ord(names[-1]) - ord(names[0]) + 1 for names in (letters, digits))
    figure, ends = (f"{wide} columns", letters) if wide > 4 else (f"{tall} rows", digits)
    return Refused("frame", figure, f"{ends[0]} to {ends[-1]}", "the base is 4×4", "4 is the most")


def _lay(state: State, seat: int, move: Move, place: int, hand: Holding[Domino]) -> State:
    """The position after a legal play: its squares on top, its points, the places left, the seat that is due."""
    pips, heights, cells, level = list(state.pips), list(state.heights), MASK[place], state.level
    pips[move.first], pips[move.second] = move.p, move.q
    heights[move.first] = heights[move.second] = level
    scores, hands = list(state.scores), list(state.hands)
    scores[seat - 1] += effect(state, move).points
    hands[seat - 1] = hand
    covered = state.covered | cells
    over = not hands[-1].size  # All held the same number, so the last seat runs out last.
    if level == 1:
        free = base_places(covered, state.solid)
    else:
        free = tuple([other for other in state.free if not MASK[other] & cells])
    if not free:
        free = tuple([at for at, (a, b) in enumerate(PLACES) if heights[a] == heights[b] == level])
        level += 1
        over = over or len(free) == 1  # Never 0: each domino of the level below is a place itself.
    return State(
        state.top,
        state.solid,
        tuple(hands),
        tuple(scores),
        None if over else seat % len(hands) + 1,
        level,
        tuple(pips),
        tuple(heights),
        covered,
        () if over else free,
        state.played | {move.domino},
    )
