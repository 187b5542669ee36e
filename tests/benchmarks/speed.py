"""How fast the referee is, as ratios to well-known programs measured in the same run.

Run it as `python tests/benchmarks/speed.py`; it needs the `bench` extra (chess and open_spiel). Every figure is the
median of several rounds in which everything that is compared takes turns, so that a slow spell of the machine hits
both. Processor time is measured, except for whole processes.
"""

from __future__ import annotations

import io
import itertools
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import open_spiel.python.games  # noqa: F401 - registers the games that are written in Python
import pyspiel

from companion import games
from companion.games.coral_reef.sums import bag_of, can_move
from companion.rounds import record

SEED = 27
SECONDS = 0.3  # for one measurement of one thing
REPEATS = 7
RECORDS = 500  # of each game, read in turn, so that caches help little
PGN_GAMES = 50  # python-chess has no cache between games
PLIES = 200  # a random game of chess ends after so many
RANKS = "A23456789TJQK"
VALUES = {"A": 1, "T": 0, "J": -1, "Q": -2, "K": -3, **{str(number): number for number in range(2, 10)}}

Workload = Callable[[random.Random], int]
"""Does a small piece of work and returns how many things it did."""


def compare_rates(works: dict[str, Workload]) -> dict[str, list[float]]:
    """Things done a second, for each work `REPEATS` times, the works taking turns."""
    rates: dict[str, list[float]] = {name: [] for name in works}
    for repeat in range(REPEATS):
        for name, work in works.items():
            chance, done, begun = random.Random(SEED + repeat), 0, time.process_time()
            while (taken := time.process_time() - begun) < SECONDS:
                done += work(chance)
            rates[name].append(done / taken)
    return rates


def print_ratio(what: str, rates: dict[str, list[float]], mine: str, other: str, goal: float | None, unit: str) -> bool:
    """Print a ratio of `mine` to `other`, beside its goal if there is one. Returns whether that is reached."""
    ratio = statistics.median(one / two for one, two in zip(rates[mine], rates[other], strict=True))
    rate = statistics.median(rates[mine])
    reached = goal is None or ratio >= goal
    beside = "" if goal is None else f"   goal {goal:g} ×   {'ok' if reached else 'MISSED'}"
    print(f"{what:58} {rate:12,.0f} {unit:9} {ratio:8.1f} ×{beside}")
    return reached


def play_random_round(game: str) -> Workload:
    """Moves of one round with open hands: list all, choose, let chance complete, play, ask whose turn it is."""
    rules = games.load_rules(game)
    known = games.manifest_of(game)
    defaults = known.option_defaults

    def work(chance: random.Random) -> int:
        state: Any = rules.initial_state(2, defaults, rules.deal_holdings(2, defaults, chance.sample))
        count, seat, completed = 0, rules.seat_to_move(state), bool(known.holdings)
        while seat is not None:
            move = chance.choice(rules.legal_moves(state))
            if completed:
                move = rules.complete_draw(state, move, chance.sample)
            state = rules.play_move(state, seat, move)
            seat = rules.seat_to_move(state)
            count += 1
        return count

    return work


def play_chess_game(chance: random.Random) -> int:
    """Moves of one random game of chess, listed and pushed."""
    board = chess.Board()
    for count in range(PLIES):
        moves = list(board.legal_moves)
        if not moves:
            return count
        board.push(chance.choice(moves))
    return PLIES


def play_tic_tac_toe(chance: random.Random) -> int:
    """Moves of one random game of OpenSpiel's tic-tac-toe in Python."""
    state, count = pyspiel.load_game("python_tic_tac_toe").new_initial_state(), 0
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
        count += 1
    return count


def check_records(game: str) -> Workload:
    """Events of a record checked to its end, with deals and result; each of many random rounds in turn."""
    rules, chance, texts = games.load_rules(game), random.Random(SEED), []
    options = games.manifest_of(game).option_defaults
    for _ in range(RECORDS):
        deals = rules.deal_holdings(2, options, chance.sample)
        state, events = rules.initial_state(2, options, deals), []
        while (seat := rules.seat_to_move(state)) is not None:
            move = rules.complete_draw(state, chance.choice(rules.legal_moves(state)), chance.sample)
            state = rules.play_move(state, seat, move)
            events.append((seat, move))
        header = record.Header(game, options, ("Ann", "Ben"), ())
        texts.append(record.format_record(header, deals, events, rules.outcome(state)))

    row = itertools.cycle(texts)

    def work(chance: random.Random) -> int:
        report = record.check_record(next(row))
        assert report.fault is None
        return len(report.events)

    return work


def read_pgn() -> Workload:
    """Moves of a PGN read to its end; each of some random games in turn."""
    chance, texts = random.Random(SEED), []
    for _ in range(PGN_GAMES):
        board = chess.Board()
        for _ in range(PLIES):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chance.choice(moves))
        texts.append(str(chess.pgn.Game.from_board(board)))

    row = itertools.cycle(texts)

    def work(chance: random.Random) -> int:
        game = chess.pgn.read_game(io.StringIO(next(row)))
        assert game is not None
        return sum(1 for _ in game.mainline_moves())

    return work


def can_play_plainly(hand: str, tops: tuple[int, ...]) -> bool:
    """The plain way to find out whether a hand has a play or a seed: every last coral, every sum of the others."""
    if "9" in hand:
        return True
    counts = Counter(hand)
    for last in counts.keys() - set("JQK"):
        sums = {0}
        for coral in (counts - Counter(last)).elements():
            if coral != "T":
                sums |= {total + VALUES[coral] for total in sums}
        if any(top - VALUES[last] in sums for top in tops):
            return True
    return False


def random_hands(feasible: bool) -> list[tuple[str, int, tuple[int, ...]]]:
    """Ten thousand hands with the tops they meet: random ones of eight, or three thousand of thirty without a play."""
    chance, found = random.Random(SEED), []
    while len(found) < (10_000 if feasible else 3_000):
        if feasible:
            deck, size, tops = RANKS * 8, 8, tuple(chance.randint(1, 10) for _ in range(4))
        else:
            low = chance.randint(2, 4)
            deck, size, tops = "".join(map(str, range(low + 1, 9))) * 8 + "TT", 30, (low, low, 1, low - 1)
        hand = "".join(chance.sample(deck, size))
        if len(found) % 10 == 0:
            assert can_play_plainly(hand, tops) == can_move(bag_of(hand), tops)
            assert feasible or not can_move(bag_of(hand), tops)
        found.append((hand, bag_of(hand), tops))
    return found


def ask_hands(cases: list[tuple[str, int, tuple[int, ...]]], plainly: bool) -> Workload:
    """Ask about hands, each again only after all the others."""
    row = itertools.cycle(cases)

    def plain(chance: random.Random) -> int:
        for hand, _, tops in itertools.islice(row, 50):
            can_play_plainly(hand, tops)
        return 50

    def mine(chance: random.Random) -> int:
        for _, bag, tops in itertools.islice(row, 1000):
            can_move(bag, tops)
        return 1000

    return plain if plainly else mine


def measure_start_up() -> bool:
    """`companion check` on one small record as a whole process, against Python that does nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.tcr"
        path.write_text("companion-record: 1\ngame: 27\n1: 1x3\n2: 9x1\n", encoding="utf-8")
        # Without written bytecode each process would compile the package again.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        calls = {"pass": ["-c", "pass"], "check": ["-m", "companion", "check", str(path)]}
        taken: dict[str, list[float]] = {name: [] for name in calls}
        for _ in range(31):
            for name, arguments in calls.items():
                begun = time.perf_counter()
                subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)
                taken[name].append(time.perf_counter() - begun)
    least, mine = (statistics.median(taken[name]) for name in ("pass", "check"))
    ratio = mine / least
    print(
        f"{'companion check, the whole process, to python -c pass':58} {1000 * mine:12.1f} {'ms':9} {ratio:8.1f} ×"
        f"   at most 4 ×   {'ok' if ratio <= 4 else 'MISSED'}"
    )
    return ratio <= 4


def main() -> int:
    """Measure everything; 1 if a goal is missed."""
    rounds: dict[str, Workload] = {game: play_random_round(game) for game in games.built_in_game_ids()}
    rates = compare_rates({**rounds, "chess": play_chess_game, "tic-tac-toe": play_tic_tac_toe})
    reached = []
    for game, goal in (("27", 8), ("prime-attactics", 4), ("coral-reef", 2), ("ziggurat", 1)):
        reached.append(print_ratio(f"{game}: random rounds, to python-chess", rates, game, "chess", goal, "moves/s"))
        print_ratio(f"{game}: the same, to OpenSpiel's tic-tac-toe", rates, game, "tic-tac-toe", None, "moves/s")
    rates = compare_rates({**{game: check_records(game) for game in games.built_in_game_ids()}, "pgn": read_pgn()})
    reached += [
        print_ratio(f"{game}: check, to chess.pgn", rates, game, "pgn", 3, "events/s")
        for game in games.built_in_game_ids()
    ]
    for feasible, what in ((True, "random hands"), (False, "thirty corals, no play")):
        cases = random_hands(feasible)
        rates = compare_rates({"mine": ask_hands(cases, plainly=False), "plain": ask_hands(cases, plainly=True)})
        reached.append(print_ratio(f"coral-reef: is there a play, {what}", rates, "mine", "plain", 10, "hands/s"))
    reached.append(measure_start_up())
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
