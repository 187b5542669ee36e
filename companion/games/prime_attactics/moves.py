"""Lists all legal plays of open tiles, or finds one without listing the others.

A round at random asks for the plays of thousands of positions. So all possible `Play` objects are created once, on
import, and listing the plays of a position only looks them up.
"""

from typing import NamedTuple

from companion.games.prime_attactics.tiles import BLACK, BLUE, DOUBLE, NUMBER, RED, SETS, Move, Play

Tiles = tuple[int, ...]


class _Entry(NamedTuple):
    """The plays of one tile, alone and together with its double; each pair is for (the own score, the other score).

    `least_score` is the lowest score that a coloured tile can be played on.
    """

    least: int
    plain: tuple[Play, Play]
    double: int
    doubled: tuple[Play, Play]


def _entry(tile: int) -> _Entry:
    least = tile & NUMBER if BLUE <= tile < RED else 0
    double = tile & ~NUMBER | DOUBLE
    plain = (Play(False, tile), Play(True, tile))
    return _Entry(least, plain, double, (Play(False, tile, double), Play(True, tile, double)))


_PLAYS = {tile: _entry(tile) for tile in SETS["full"] if not tile & DOUBLE}
_SLAMS = {(tile, black): Play(True, tile, black) for tile in _PLAYS if tile < RED for black in _PLAYS if black >= BLACK}


def list_plays(display: Tiles | None, rack: Tiles | None, own: int, other: int, slams: bool) -> list[Move]:
    """All plays of the open holdings, where None stands for a sealed one; both scores are 1 or more.

    `may_slam` says whether the seat may make a slam dunk now.
    """
    found: list[Move] = []
    if display:
        _coloured(found, display, own, other)
    if rack:
        _black(found, rack, own, other)
        if display and slams:
            _slams(found, display, rack, other)
    return found


def _coloured(found: list[Move], display: Tiles, own: int, other: int) -> None:
    lower = min(own, other)
    held = 0
    # A colour's double is sorted after its numbers; in reverse order it comes before them.
    for tile in reversed(display):
        if tile & DOUBLE:
            held = tile
            continue
        least, plain, double, doubled = _PLAYS[tile]
        if least <= lower:
            found += plain
            if double == held:
                found += doubled
        elif least <= own or least <= other:
            # A blue tile larger than one of the two scores can only be played on the higher one.
            found.append(plain[own < other])
            if double == held:
                found.append(doubled[own < other])


def _black(found: list[Move], rack: Tiles, own: int, other: int) -> None:
    for tile in rack:
        number = tile & NUMBER
        if not own % number:
            found.append(_PLAYS[tile].plain[0])
        if not other % number:
            found.append(_PLAYS[tile].plain[1])


def _slams(found: list[Move], display: Tiles, rack: Tiles, other: int) -> None:
    for tile in display:
        if tile & DOUBLE or tile >= RED:
            continue
        score = other + tile if tile < BLUE else other - (tile & NUMBER)
        if score < 1:
            continue
        for black in rack:
            if not score % (black & NUMBER):
                found.append(_SLAMS[tile, black])


def first_play(display: Tiles | None, rack: Tiles | None, own: int, other: int) -> Play | None:
    """One play of the open holdings; None if there is none.

    A doubled play or a slam dunk is valid only if its first tile alone is, so it is enough to try single tiles.
    """
    for tile in display or ():
        if not tile & DOUBLE:
            least, plain, _, _ = _PLAYS[tile]
            if least <= own or least <= other:
                return plain[least > own]
    for tile in rack or ():
        number = tile & NUMBER
        if not own % number or not other % number:
            return _PLAYS[tile].plain[own % number > 0]
    return None
