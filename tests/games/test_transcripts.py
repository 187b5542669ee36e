"""Transcripts of the golden records, for a person to read: every event, the position after it, and refusals.

UPDATE_GOLDEN=1 writes them anew; read the changes before you commit them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from game_support import support_of_game

from companion.games.api import RefusedError
from companion.rounds import record

FOLDER = Path(__file__).parent / "transcripts"
RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.tcr"))
COMPLETE_RECORDS = [path for path in RECORDS if not path.stem.endswith(("-sloppy", "-overshoot"))]


def holding_text(pieces: Any, size: int, write: Callable[[Any], str]) -> str:
    return f"{size} sealed" if pieces is None else write(pieces) or "nothing"


def first_new_refusal(rules: Any, game: str, state: Any, told: set[str]) -> Iterator[str]:
    """One event that is refused here, for a reason that was not in the transcript yet."""
    for text in support_of_game(game).events_to_try(state):
        seat = rules.seat_to_move(state) or 1
        try:
            rules.play_move(state, seat, rules.parse_move(text))
        except RefusedError as refused:
            if refused.code not in told:
                told.add(refused.code)
                needed = f" ({refused.needed})" if refused.needed else ""
                yield f"      refused  {seat}: {text}   {refused.code}: {refused.reason}{needed}"
                return


def transcript_of_record(text: str) -> str:
    """The whole round in words."""
    report = record.check_record(text)
    assert report.fault is None
    assert report.header is not None
    rules, state, told, game = report.rules, report.start, set[str](), report.header.game
    show = support_of_game(game).position_text
    named = re.findall(r"([\w-]+)=", next(line for line in text.splitlines() if line.startswith("options: ")))
    # Those that the record names: one that is added to the game later changes no transcript.
    options = ", ".join(f"{name} {report.header.options[name]}" for name in named)
    lines = [f"{report.game_name}: {options}; {' against '.join(report.header.players)}", ""]
    lines += [f"      {line}" for line in show(state, holding_text)]
    for number, (seat, move) in enumerate(report.events, 1):
        lines += first_new_refusal(rules, game, state, told)
        state = rules.play_move(state, seat, move)
        lines += ["", f"{number:3}.  {report.header.players[seat - 1]} (seat {seat}) says {move}"]
        lines += [f"      seat {other} is passed over" for other in rules.skipped_seats(state)]
        lines += [f"      {line}" for line in show(state, holding_text)]
        lines += [f"      seat {rules.seat_to_move(state)} is to move"] if rules.seat_to_move(state) else []
    lines += first_new_refusal(rules, game, state, told)
    outcome = rules.outcome(state)
    lines += ["", f"Over: {outcome.reason}. Scores {outcome.scores}, winners {outcome.winners}."]
    for claim in report.false_claims:
        lines.append(f"The claim of seat {claim.seat} on line {claim.line} was false: {claim.example} was possible.")
    return "\n".join(line.rstrip() for line in lines) + "\n"


@pytest.mark.parametrize("path", COMPLETE_RECORDS, ids=[path.stem for path in COMPLETE_RECORDS])
def test_transcript(path: Path) -> None:
    """The transcript of a golden record equals the one on file; a missing file is a failure."""
    golden = FOLDER / f"{path.stem}.txt"
    told = transcript_of_record(path.read_text(encoding="utf-8"))
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(told, encoding="utf-8")
    assert golden.exists(), "no transcript; UPDATE_GOLDEN=1 writes it"
    assert told == golden.read_text(encoding="utf-8")


def test_no_transcript_without_a_record() -> None:
    """Every transcript belongs to a record, every game and variant has one, and many refusals occur in them."""
    assert {path.stem for path in FOLDER.glob("*.txt")} == {path.stem for path in COMPLETE_RECORDS}
    names = " ".join(path.stem for path in COMPLETE_RECORDS)
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
