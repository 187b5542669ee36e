"""Two rounds that everybody but one seat sees alike, for what must not tell them apart."""

from __future__ import annotations

from random import Random
from typing import Any

from companion import games
from companion.game import Refused


def rounds_alike(game: str, chance: Random) -> tuple[Any, ...] | None:
    """Two rounds with the same public history that differ in a hidden holding of seat 2; None where chance made none.

    The events, and the positions of both.
    """
    rules, manifest = games.load(game), games.manifest(game)
    options = {name: chance.choice(list(option.values)) for name, option in manifest.options.items()}
    deals = rules.deal(2, options, chance.sample)
    kind = next(kind for kind, held in manifest.holdings.items() if not held.face_up)
    other = rules.deal(2, options, chance.sample)
    mine = {piece for (each, seat), hand in deals.items() if (each, seat) != (kind, 2) for piece in hand}
    swapped = [*deals[kind, 2]]
    spare = [piece for piece in other[kind, 2] if piece not in mine and piece not in swapped]
    if not spare:
        return None
    out = chance.randrange(len(swapped))
    swapped[out] = spare[0]
    alike = deals | {(kind, 2): tuple(sorted(swapped))}
    try:
        worlds = [[rules.start(2, options, dealt)] for dealt in (deals, alike)]
    except Refused:
        return None
    events: list[tuple[int, str]] = []
    for _ in range(chance.randrange(7)):
        state = worlds[0][-1]
        seat = rules.turn(state)
        if seat is None:
            break
        move = rules.complete(state, chance.choice(rules.moves(state)), chance.sample)
        try:
            following = [rules.play(states[-1], seat, move) for states in worlds]
        except Refused:
            break
        if rules.view(following[0], 1) != rules.view(following[1], 1):
            break
        events.append((seat, str(move)))
        for states, state in zip(worlds, following, strict=True):
            states.append(state)
    return events, *worlds
