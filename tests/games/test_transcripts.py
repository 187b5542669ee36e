"""A transcript of each golden record, to be read by a person: every event, how the round then stands, and refusals.

COMPANION_GOLDEN=1 writes them anew; read what changed before it is kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import chain, pairwise, product
from pathlib import Path
from typing import Any

import pytest

from companion import record
from companion.game import Refused
from companion.games.coral_reef import rules as coral_reef
from companion.games.prime_attactics import rules as prime_attactics
from companion.games.twenty_seven import rules as twenty_seven
from companion.games.ziggurat import rules as ziggurat
from companion.games.ziggurat.grid import CELLS

FOLDER = Path(__file__).parent / "transcripts"
RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.tcr"))
WHOLE = [path for path in RECORDS if not path.stem.endswith(("-sloppy", "-overshoot"))]


def holding(pieces: Any, size: int, write: Callable[[Any], str]) -> str:
    return f"{size} sealed" if pieces is None else write(pieces) or "nothing"


def show_27(state: Any) -> Iterator[str]:
    """The piles from seat 1's home, bottom first: `r` red, `.` grey, `W` and `B` discs."""
    piles = ("".join(".WBr"[piece] for piece in pile) for pile in state.piles)
    yield "  ".join(f"{field}:{pile}" for field, pile in enumerate(piles, 1))
    heights, steps = twenty_seven.heights(state), [twenty_seven.steps(state, seat) for seat in (1, 2)]
    yield f"heights {heights[0]} and {heights[1]}, steps {steps[0]} and {steps[1]}"


def show_coral(state: Any) -> Iterator[str]:
    """The tops of the stacks, the hands and the pile."""
    yield f"tops {' '.join(map(str, state.tops))}, pile {state.pile}"
    hands = [holding(hand.pieces, hand.size, coral_reef.write_deal) for hand in state.holdings]
    yield f"hands {hands[0]} | {hands[1]}"


def show_prime(state: Any) -> Iterator[str]:
    """The scores, then display and rack of each seat."""
    yield f"scores {state.sides[0].score} and {state.sides[1].score}, turns completed {state.turns}"
    for seat, side in enumerate(state.sides, 1):
        display, rack = (holding(*reversed(one), prime_attactics.write_deal) for one in (side.display, side.rack))
        yield f"seat {seat}: display {display} | rack {rack}"


def show_ziggurat(state: Any) -> Iterator[str]:
    """The rows that are built on from above, each cell its top pip and its height; then level, scores and hand."""
    for row in [range(row, 49, 7) for row in reversed(range(7))]:
        if any(state.heights[cell] for cell in row):
            cells = (f"{state.pips[cell]}/{state.heights[cell]}" if state.heights[cell] else "." for cell in row)
            yield f"{CELLS[row[0]][1]}  " + " ".join(f"{cell:>5}" for cell in cells)
    yield "   " + " ".join(f"{letter:>5}" for letter in "abcdefg")
    yield f"level {state.level}, scores {' '.join(map(str, state.scores))}, places {len(ziggurat.places(state))}"
    if (seat := state.to_move) is not None:
        hand = state.hands[seat - 1]
        yield f"seat {seat} holds {holding(hand.pieces, hand.size, ziggurat.write_deal)}"


SHOW: dict[str, Callable[[Any], Iterator[str]]] = {
    "27": show_27,
    "coral-reef": show_coral,
    "prime-attactics": show_prime,
    "ziggurat": show_ziggurat,
}


def attempts(rules: Any, state: Any) -> list[str]:
    """Events that players may well try, right or wrong."""
    game = rules.ID
    if game == "27":
        return [f"{field}x{count}" for field, count in product(range(11), (0, 1, 2, 4, 9, 11))]
    if game == "coral-reef":
        plays = ("9", "TA", "8J", "54", "A8", "T", "55T", "QA", "7K")
        return ["seed", "draw", "draw A", "pass", *(f"{at}:{play}" for at, play in product((1, 4, 9), plays))]
    if game == "prime-attactics":
        tiles = ("x1", "x7", "-7", "/3", "/7", "+5D", "-2D", "/2D", "+2/3", "-6/2", "+9")
        return ["pass", "refill", "refill +1", *(aim + tile for aim, tile in product(("", "@"), tiles))]
    held = str(next(iter(rules.moves(state)), "0-0")).partition(" ")[0]
    beside = [(f"{a}{b}{c}{b}", f"{a}{b}{a}{int(b) + 1}") for a, c in pairwise("abcdefg") for b in "123456"]
    return ["9-12 d4e4", "7-8 d4e4", *(f"{held} {pair}" for pair in ("d4f4", *chain(*beside)))]


def refusal(rules: Any, state: Any, told: set[str]) -> Iterator[str]:
    """One event that is refused here for a reason not yet told."""
    for text in attempts(rules, state):
        seat = rules.turn(state) or 1
        try:
            rules.play(state, seat, rules.read(text))
        except Refused as refused:
            if refused.code not in told:
                told.add(refused.code)
                needed = f" ({refused.needed})" if refused.needed else ""
                yield f"      refused  {seat}: {text}   {refused.code}: {refused.why}{needed}"
                return


def transcript(text: str) -> str:
    """The whole round in words."""
    report = record.check(text)
    assert report.fault is None
    assert report.header is not None
    rules, state, told = report.rules, report.start, set[str]()
    options = ", ".join(f"{name} {value}" for name, value in report.header.options.items())
    lines = [f"{rules.NAME}: {options}; {' against '.join(report.header.players)}", ""]
    lines += [f"      {line}" for line in SHOW[rules.ID](state)]
    for number, (seat, move) in enumerate(report.events, 1):
        lines += refusal(rules, state, told)
        state = rules.play(state, seat, move)
        lines += ["", f"{number:3}.  {report.header.players[seat - 1]} (seat {seat}) says {move}"]
        lines += [f"      seat {other} is passed over" for other in rules.skipped(state)]
        lines += [f"      {line}" for line in SHOW[rules.ID](state)]
        lines += [f"      seat {rules.turn(state)} is to move"] if rules.turn(state) else []
    lines += refusal(rules, state, told)
    outcome = rules.outcome(state)
    lines += ["", f"Over: {outcome.reason}. Scores {outcome.scores}, winners {outcome.winners}."]
    for claim in report.claims:
        lines.append(f"The claim of seat {claim.seat} on line {claim.line} was false: {claim.example} was possible.")
    return "\n".join(line.rstrip() for line in lines) + "\n"


@pytest.mark.parametrize("path", WHOLE, ids=[path.stem for path in WHOLE])
def test_transcript(path: Path) -> None:
    """A golden record is told as on file, and a missing transcript is a fault (tests/games/transcripts)."""
    golden = FOLDER / f"{path.stem}.txt"
    told = transcript(path.read_text(encoding="utf-8"))
    if os.environ.get("COMPANION_GOLDEN"):
        golden.write_text(told, encoding="utf-8")
    assert golden.exists(), "no transcript; COMPANION_GOLDEN=1 writes it"
    assert told == golden.read_text(encoding="utf-8")


def test_no_transcript_without_a_record() -> None:
    """Every transcript belongs to a record, every game and variant has one, and many reasons for a refusal are told."""
    assert {path.stem for path in FOLDER.glob("*.txt")} == {path.stem for path in WHOLE}
    names = " ".join(path.stem for path in WHOLE)
    for name in ("27-basic", "27-advanced", "27-expert", "coral-reef-cards", "coral-reef-tiles"):
        assert name in names
    for name in ("prime-attactics-full", "prime-attactics-easy", "ziggurat-6-solid", "ziggurat-6-cutup"):
        assert name in names
    text = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt"))
    for code in (
        "field",
        "overshoot",
        "sum",
        "face-top",
        "ten-last",
        "must-play",
        "level",
        "negative",
        "inexact",
        "gap",
    ):
        assert f"   {code}: " in text, code
