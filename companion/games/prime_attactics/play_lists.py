"""Lists all legal plays of open tiles, or finds one without listing the others.

A round at random asks for the plays of thousands of positions. So all possible `Play` objects are created once, on
import, and listing the plays of a position only looks them up.
"""

from typing import NamedTuple

from companion.games.prime_attactics.tiles import BLACK, BLUE, COPIES_IN_SET, DOUBLE_BIT, NUMBER_MASK, RED, Move, Play

Tiles = tuple[int, ...]


class _PlaysOfTile(NamedTuple):
    """The plays of one tile, alone and together with its double; each pair is for (the own score, the other score).

    `least_score` is the lowest score that a coloured tile can be played on.
    """

    least_score: int
    single_plays: tuple[Play, Play]
    double_tile: int
    doubled_plays: tuple[Play, Play]


def _plays_of_tile(tile: int) -> _PlaysOfTile:
    least_score = tile & NUMBER_MASK if BLUE <= tile < RED else 0
    double = tile & ~NUMBER_MASK | DOUBLE_BIT
    plain = (Play(False, tile), Play(True, tile))
    return _PlaysOfTile(least_score, plain, double, (Play(False, tile, double), Play(True, tile, double)))


_PLAYS_BY_TILE = {tile: _plays_of_tile(tile) for tile in COPIES_IN_SET["full"] if not tile & DOUBLE_BIT}
_SLAMS = {
    (tile, black): Play(True, tile, black)
    for tile in _PLAYS_BY_TILE
    if tile < RED
    for black in _PLAYS_BY_TILE
    if black >= BLACK
}


def possible_plays(display: Tiles | None, rack: Tiles | None, own: int, other: int, may_slam: bool) -> list[Move]:
    """All plays of the open holdings, where None stands for a sealed one; both scores are 1 or more.

    `may_slam` says whether the seat may make a slam dunk now.
    """
    plays: list[Move] = []
    if display:
        _add_coloured_plays(plays, display, own, other)
    if rack:
        _add_black_plays(plays, rack, own, other)
        if display and may_slam:
            _add_slam_dunks(plays, display, rack, other)
    return plays


def _add_coloured_plays(plays: list[Move], display: Tiles, own: int, other: int) -> None:
    lower = min(own, other)
    double_held = 0
    # A colour's double is sorted after its numbers; in reverse order it comes before them.
    for tile in reversed(display):
        if tile & DOUBLE_BIT:
            double_held = tile
            continue
        least, plain, double, doubled = _PLAYS_BY_TILE[tile]
        if least <= lower:
            plays += plain
            if double == double_held:
                plays += doubled
        elif least <= own or least <= other:
            # A blue tile larger than one of the two scores can only be played on the higher one.
            plays.append(plain[own < other])
            if double == double_held:
                plays.append(doubled[own < other])


def _add_black_plays(plays: list[Move], rack: Tiles, own: int, other: int) -> None:
    for tile in rack:
        number = tile & NUMBER_MASK
        if not own % number:
            plays.append(_PLAYS_BY_TILE[tile].single_plays[0])
        if not other % number:
            plays.append(_PLAYS_BY_TILE[tile].single_plays[1])


def _add_slam_dunks(plays: list[Move], display: Tiles, rack: Tiles, other: int) -> None:
    for tile in display:
        if tile & DOUBLE_BIT or tile >= RED:
            continue
        score = other + tile if tile < BLUE else other - (tile & NUMBER_MASK)
        if score < 1:
            continue
        for black in rack:
            if not score % (black & NUMBER_MASK):
                plays.append(_SLAMS[tile, black])


def find_play(display: Tiles | None, rack: Tiles | None, own: int, other: int) -> Play | None:
    """One play of the open holdings; None if there is none.

    A doubled play or a slam dunk is valid only if its first tile alone is, so it is enough to try single tiles.
    """
    for tile in display or ():
        if not tile & DOUBLE_BIT:
            least, plain, _, _ = _PLAYS_BY_TILE[tile]
            if least <= own or least <= other:
                return plain[least > own]
    for tile in rack or ():
        number = tile & NUMBER_MASK
        if not own % number or not other % number:
            return _PLAYS_BY_TILE[tile].single_plays[own % number > 0]
    return None
