"""How strong the computer player is: `python tests/benchmarks/tournament.py [--games N] [GAME…]`.

Each strength plays against those below it, and the lowest against random play, every deal twice with the seats swapped.
A round that begins without a deal has no chance in it, so between two strengths its first moves are random. Budgets are
numbers of positions, so that a busy machine changes no result. Then come processor seconds and memory of a move, and
how long a press waits for its picture while the computer player thinks.
"""

from __future__ import annotations

import argparse
import queue
import resource
import statistics
import time
from math import sqrt
from random import Random
from typing import Any

from companion import display, games
from companion.coach.advice import choose_move, coach_for_game, seat_knowledge
from companion.evening import state_machine
from companion.inputs import ComputerMoveRequest, KeyPressed
from companion.rounds.stored import SessionSettings, StoredHistory
from companion.table.search_workers import ComputerPlayerWorker

OPENING_MOVES = 3
"""How many random moves begin a round without a deal."""
NORMAL_QUANTILE = 1.96
"""Standard deviations on either side of 95 %."""


class MeasuredPlayer:
    """A strength, 0 for random play, with the processor seconds of its moves."""

    def __init__(self, strength: int) -> None:
        self.strength = strength
        self.seconds: list[float] = []

    def choose_move(self, game: str, states: list[Any], events: list[tuple[int, str]], chance: Random) -> Any:
        """A move as the rules have it; pieces are drawn by `chance`."""
        rules, entry = games.load_rules(game), games.load_move_input(game)
        choices, seat = rules.legal_moves(states[-1]), rules.seat_to_move(states[-1]) or 1
        drawn = entry.due_refill(states[-1]) is not None
        if drawn or not self.strength or len(choices) == 1:
            return rules.complete_draw(states[-1], chance.choice(choices), chance.sample)
        begun = time.process_time()
        knowledge = seat_knowledge(rules, entry, states, events, seat)
        move = choose_move(coach_for_game(game), knowledge, self.strength, chance.randrange(1 << 30), clock=float)
        self.seconds.append(time.process_time() - begun)
        return move


def play_round(game: str, players: list[MeasuredPlayer], seed: int) -> tuple[int, ...]:
    """Play a round of two with the default options. Returns the winners."""
    rules, chance = games.load_rules(game), Random(seed)
    options = games.manifest_of(game).option_defaults
    states = [rules.initial_state(2, options, rules.deal_holdings(2, options, chance.sample))]
    events: list[tuple[int, str]] = []
    chanceless = not games.manifest_of(game).holdings and all(each.strength for each in players)
    opening = OPENING_MOVES if chanceless else 0
    draws, anybody = Random(seed + 1), MeasuredPlayer(0)
    while (seat := rules.seat_to_move(states[-1])) is not None:
        player = anybody if len(events) < opening else players[seat - 1]
        move = player.choose_move(game, states, events, chance if len(events) < opening else draws)
        states.append(rules.play_move(states[-1], seat, move))
        events.append((seat, str(move)))
    return rules.outcome(states[-1]).winners


def play_rounds(game: str, one: MeasuredPlayer, other: MeasuredPlayer, count: int) -> list[float]:
    """What the first player gets of each of `count` rounds: 1 if won, 0.5 if shared. Each deal is played twice."""
    points = []
    for number in range(count):
        second = number % 2
        winners = play_round(game, [other, one] if second else [one, other], 1000 + number // 2)
        points.append(0.5 if len(winners) != 1 else float(winners == (second + 1,)))
    return points


def count_deals(points: list[float]) -> str:
    """The deals that were won, shared and lost by their two rounds together."""
    deals = [one + other for one, other in zip(points[::2], points[1::2], strict=False)]
    won, lost = sum(deal > 1 for deal in deals), sum(deal < 1 for deal in deals)
    return f"deals won {won}, shared {len(deals) - won - lost}, lost {lost}"


def wilson_interval(share: float, count: int) -> tuple[float, float]:
    """The bounds of a share at 95 %, by Wilson (1927)."""
    square = NORMAL_QUANTILE**2 / count
    middle, wide = share + square / 2, NORMAL_QUANTILE * sqrt(share * (1 - share) / count + square / count / 4)
    return (middle - wide) / (1 + square), (middle + wide) / (1 + square)


def print_matches(game: str, count: int) -> None:
    """Print the table of a game."""
    players = [MeasuredPlayer(strength) for strength in range(4)]
    names = ("random play", "box-1", "box-2", "box-3")
    for one, other in ((2, 1), (3, 2), (3, 1), (1, 0)):
        points = play_rounds(game, players[one], players[other], count)
        share = sum(points) / count
        low, high = wilson_interval(share, count)
        print(f"{game}: {names[one]} against {names[other]}: {share:.1%} of {count} ({low:.0%} to {high:.0%}), "
              f"{count_deals(points)}", flush=True)  # fmt: skip
    for name, player in list(zip(names, players, strict=True))[1:]:
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        middle, most = statistics.median(player.seconds), max(player.seconds)
        print(f"{game}: {name} thinks {middle:.3f} s, at the most {most:.3f} s of the processor, "
              f"{len(player.seconds)} moves; the process has had {memory:.0f} MiB", flush=True)  # fmt: skip


def measure_presses(game: str) -> None:
    """Print how long a press takes to its picture, alone and while the computer player thinks at full strength."""
    rules, options = games.load_rules(game), games.manifest_of(game).option_defaults
    state = rules.initial_state(2, options, rules.deal_holdings(2, options, Random(4).sample))
    request = ComputerMoveRequest(game, (state,), (), rules.seat_to_move(state) or 1, 3)
    for what in ("alone", "while the box thinks"):
        inputs: queue.Queue[Any] = queue.Queue()
        now, waits, desk, thread = (
            state_machine.start_session(SessionSettings(("Ann", "Ben")), StoredHistory()),
            [],
            ComputerPlayerWorker(inputs.put),
            None,
        )
        while len(waits) < 200:
            if what != "alone" and (thread is None or not thread.is_alive()):
                thread = desk.start_search(request)
            begun = time.perf_counter()
            now = state_machine.clear_outbox(state_machine.update_session(now, KeyPressed("down", 9.0 + len(waits))))
            display.session_picture(now)
            waits.append(time.perf_counter() - begun)
            time.sleep(0.005)
        slow = statistics.quantiles(waits, n=100)[98]
        print(f"{game}: a press {what}: median {1000 * statistics.median(waits):.1f} ms, p99 {1000 * slow:.1f} ms, "
              f"worst {1000 * max(waits):.1f} ms", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "games", nargs="*", default=[each.id for each in games.built_in_manifests() if each.allows_computer_player]
    )
    parser.add_argument("--games", type=int, default=100, dest="count", help="rounds of each pairing (default: 100)")
    arguments = parser.parse_args()
    for game in arguments.games:
        print_matches(game, arguments.count)
        measure_presses(game)


if __name__ == "__main__":
    main()
