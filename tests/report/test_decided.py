"""The move that decided a round, in a report."""

from __future__ import annotations

from contextlib import closing

import pytest

from companion.__main__ import main
from companion.report import sentences


def test_a_report_says_what_decided_a_round(hosted, capsys, tmp_path, monkeypatch):
    """Only with --marks, since it takes a while; not for a round that is not over, or can no longer be replayed."""
    for game in ("twenty_seven.coach.Coach", "ziggurat.coach.Coach"):
        monkeypatch.setattr(f"companion.games.{game}.node_budget", lambda self, sight: 2)
    asked = []

    def some(evening):
        asked.append(evening)
        rounds = (evening.rounds[1]._replace(deciding_text="move 3, Ann, 3x1: it cost the most (likely)"),)
        return evening._replace(rounds=(*evening.rounds[:1], *rounds, *evening.rounds[2:]))

    for marks in ((), ("--marks",)):
        file = tmp_path / f"{len(marks)}.md"
        with monkeypatch.context() as patched:
            patched.setattr("companion.report.gather.with_deciding_moves", some)
            assert main(["report", "--data", str(hosted[1]), "-o", str(file), *marks]) == 0
        assert ("**Decided by:** move 3, Ann, 3x1" in file.read_text(encoding="utf-8")) is bool(marks)
    assert len(asked) == 1


@pytest.mark.drill
def test_every_round_of_an_evening_is_reviewed(hosted, monkeypatch):
    """Rounds of every game, open, sealed and unfinished, and a score pad."""
    from companion.report.gather import gather_evening, with_deciding_moves
    from companion.store.read_only_store import ReadOnlyStore

    with closing(ReadOnlyStore(hosted[1])) as store:
        evening = gather_evening(store)
    found = with_deciding_moves(evening)
    decided = [each for each in found.rounds if each.deciding_text]
    assert decided
    for each in decided:
        assert each.summary.result
        assert ("", "Decided by", each.deciding_text) in sentences.notable_moments(each)
