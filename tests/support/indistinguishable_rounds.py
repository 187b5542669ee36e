"""Pairs of rounds that look the same to all seats but one, for tests that nothing may distinguish them."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from companion import games
from companion.games.api import RefusedError
from companion.games.api.move_input import public_event_text


def rounds_seen_alike(game: str, chance: Random) -> tuple[Any, ...] | None:
    """Two rounds with the same public history and different hidden pieces of seat 2; None if chance found none.

    Returns the events, and the positions of both rounds.
    """
    rules, manifest = games.load_rules(game), games.manifest_of(game)
    options = {name: chance.choice(list(option.values)) for name, option in manifest.options.items()}
    deals = rules.deal_holdings(2, options, chance.sample)
    kind = next(kind for kind, held in manifest.holdings.items() if not held.is_face_up)
    other = rules.deal_holdings(2, options, chance.sample)
    pieces_of_others = {piece for (each, seat), hand in deals.items() if (each, seat) != (kind, 2) for piece in hand}
    swapped = [*deals[kind, 2]]
    spare = [piece for piece in other[kind, 2] if piece not in pieces_of_others and piece not in swapped]
    if not spare:
        return None
    out = chance.randrange(len(swapped))
    swapped[out] = spare[0]
    other_deals = deals | {(kind, 2): tuple(sorted(swapped))}
    try:
        worlds = [[rules.initial_state(2, options, dealt)] for dealt in (deals, other_deals)]
    except RefusedError:
        return None
    events: list[tuple[int, str]] = []
    for _ in range(chance.randrange(7)):
        state = worlds[0][-1]
        seat = rules.seat_to_move(state)
        if seat is None:
            break
        move = rules.complete_draw(state, chance.choice(rules.legal_moves(state)), chance.sample)
        try:
            following = [rules.play_move(states[-1], seat, move) for states in worlds]
        except RefusedError:
            break
        if rules.seat_view(following[0], 1) != rules.seat_view(following[1], 1):
            break
        events.append((seat, str(move)))
        for states, state in zip(worlds, following, strict=True):
            states.append(state)
    return events, *worlds


class World(NamedTuple):
    """A round with all holdings open: what was dealt, the positions (one more than the events), and the events."""

    deals: dict[tuple[str, int], tuple[Any, ...]]
    states: list[Any]
    events: list[tuple[int, str]]


def worlds_seen_alike(game: str, chance: Random, longest: int) -> tuple[dict[str, str], int, World, World] | None:
    """The options, a seat that is to move, and two worlds that look the same to it; None if chance found none.

    They differ in one to all of the pieces that the other seat hides, and perhaps in what it drew, within `longest`
    events.
    """
    rules, manifest = games.load_rules(game), games.manifest_of(game)
    options = {name: chance.choice(list(option.values)) for name, option in manifest.options.items()}
    deals, seat = rules.deal_holdings(2, options, chance.sample), chance.choice((1, 2))
    other = dict(deals)
    for kind in (kind for kind, held in manifest.holdings.items() if not held.is_face_up):
        hand, own = list(deals[kind, 3 - seat]), deals[kind, seat]
        pool = [piece for _ in range(4) for piece in rules.deal_holdings(2, options, chance.sample)[kind, 3 - seat]]
        spare = [piece for piece in dict.fromkeys(pool) if piece not in own and piece not in hand]
        count = min(len(spare), chance.choice((1, 1, 2, len(hand) // 2, len(hand))))
        for at, piece in zip(chance.sample(range(len(hand)), count), spare, strict=False):
            hand[at] = piece
        other[kind, 3 - seat] = tuple(sorted(hand))
    try:
        one, two = (World(dealt, [rules.initial_state(2, options, dealt)], []) for dealt in (deals, other))
    except RefusedError:
        return None
    while len(one.events) < longest and _play_in_both(game, seat, one, two, chance):
        pass
    while one.events and not _is_question(game, seat, one, two):
        for world in (one, two):
            world.states.pop()
            world.events.pop()
    return (options, seat, one, two) if _is_question(game, seat, one, two) else None


def _is_question(game: str, seat: int, one: World, two: World) -> bool:
    """Whether the worlds differ and the seat is to move, without pieces to be named first."""
    rules, entry = games.load_rules(game), games.load_move_input(game)
    if one.states[-1] == two.states[-1] or entry.due_refill(one.states[-1]):
        return False
    return {rules.seat_to_move(world.states[-1]) for world in (one, two)} == {seat}


def _play_in_both(game: str, seat: int, one: World, two: World, chance: Random) -> bool:
    """Play an event in both worlds that looks the same to the seat. Returns whether chance found one."""
    rules, entry = games.load_rules(game), games.load_move_input(game)
    turn = rules.seat_to_move(one.states[-1])
    if turn is None:
        return False
    common = [move for move in rules.legal_moves(one.states[-1]) if move in rules.legal_moves(two.states[-1])]
    for move in chance.sample(common, min(12, len(common))):
        first = rules.complete_draw(one.states[-1], move, chance.sample)
        second = first if turn == seat else rules.complete_draw(two.states[-1], move, chance.sample)
        try:
            after = rules.play_move(one.states[-1], turn, first), rules.play_move(two.states[-1], turn, second)
        except RefusedError:
            continue
        seen = [
            (rules.seat_view(state, seat), public_event_text(entry, str(each)))
            for state, each in zip(after, (first, second), strict=True)
        ]
        if seen[0] == seen[1]:
            for world, state, each in zip((one, two), after, (first, second), strict=True):
                world.states.append(state)
                world.events.append((turn, str(each)))
            return True
    return False
