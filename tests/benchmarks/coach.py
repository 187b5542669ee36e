"""What the coach costs and what it proves.

Run it as `python tests/benchmarks/coach.py [POSITIONS]`. It measures how many ends of 27 are proven with the budget of
one move; processor seconds, depth and memory of one move's advice in each game; and how long a press waits for its
picture while a review runs beside the loop.
"""

from __future__ import annotations

import queue
import resource
import statistics
import sys
import time
from random import Random
from typing import Any

from companion import display, games
from companion.coach.advice import advise, coach_for_game, seat_knowledge
from companion.coach.search import Budget, Search
from companion.evening import state_machine
from companion.inputs import KeyPressed, ReviewRequest
from companion.rounds.stored import SessionSettings, StoredHistory
from companion.table.search_workers import ReviewWorker


def random_round(game: str, chance: Random, options: dict[str, str]) -> tuple[list[Any], list[tuple[int, str]]]:
    """A random round with everything open: its positions and events."""
    rules = games.load_rules(game)
    states = [rules.initial_state(2, options, rules.deal_holdings(2, options, chance.sample))]
    events = []
    while (seat := rules.seat_to_move(states[-1])) is not None:
        move = rules.complete_draw(states[-1], chance.choice(rules.legal_moves(states[-1])), chance.sample)
        states.append(rules.play_move(states[-1], seat, move))
        events.append((seat, str(move)))
    return states, events


def measure_proven_ends(count: int) -> None:
    """Print the share of random positions that are proven, by their distance from the end of the round."""
    game = "27"
    coach, rules, entry = coach_for_game(game), games.load_rules(game), games.load_move_input(game)
    for plies in (8, 12):
        chance, proven, winner = Random(7), 0, 0
        for _ in range(count):
            states: list[Any] = []
            while len(states) <= plies:
                states, _ = random_round(game, chance, {})
            knowledge = seat_knowledge(rules, entry, [states[-1 - plies]], [], 1)
            tree = coach.build_tree(coach.sample_world(knowledge, chance.sample), chance.sample)
            found = Search(tree, 1, Budget(coach.node_budget(knowledge))).search_value(tree.root())
            proven += found.is_proven
            winner += found.is_proven or found.low > 0 or found.high < 0
        print(f"27, {plies} plies from the end: {proven / count:.0%} proven, the winner of {winner / count:.0%}")


def measure_moves(count: int) -> None:
    """Print processor seconds and plies of one move's advice."""
    for game in games.built_in_game_ids():
        coach, rules, entry, chance = (
            coach_for_game(game),
            games.load_rules(game),
            games.load_move_input(game),
            Random(1),
        )
        seconds, depths = [], []
        while len(seconds) < count:
            states, events = random_round(game, chance, {})
            for at in range(chance.randrange(4), len(events), 4):
                knowledge = seat_knowledge(rules, entry, states[: at + 1], events[:at], events[at][0])
                begun = time.process_time()
                advice = advise(coach, knowledge, Budget(coach.node_budget(knowledge)))
                if len(advice.ranked_moves) > 1:
                    seconds.append(time.process_time() - begun)
                    depths.append(advice.plies)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{game}: median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s, "
              f"depth {statistics.mean(depths):.1f}, the process at most {memory:.0f} MiB")  # fmt: skip


def measure_presses() -> None:
    """Print how long a press takes to its picture, alone and during a review."""
    states, events = random_round("ziggurat", Random(3), {})
    request = ReviewRequest("ziggurat", tuple(states), tuple(events), ("Ann", "Ben"))
    for what in ("alone", "beside a look-back"):
        inputs: queue.Queue[Any] = queue.Queue()
        desk = ReviewWorker(inputs.put)
        thread = desk.start_search(request) if what != "alone" else None
        now, waits = state_machine.start_session(SessionSettings(("Ann", "Ben")), StoredHistory(), 0.0), []
        while len(waits) < 300 and (thread is None or thread.is_alive()):
            begun = time.perf_counter()
            now = state_machine.clear_outbox(state_machine.update_session(now, KeyPressed("down", 9.0 + len(waits))))
            display.session_picture(now)
            waits.append(time.perf_counter() - begun)
            time.sleep(0.005)
        print(f"a press {what}: median {1000 * statistics.median(waits):.1f} ms, worst {1000 * max(waits):.1f} ms")


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    measure_proven_ends(number)
    measure_moves(max(10, number // 3))
    measure_presses()
