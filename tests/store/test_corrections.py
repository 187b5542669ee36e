"""A finished round is voided, restored or corrected: all that depends on it follows; the journal has both versions."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from companion.rounds.stored import LogEntry, RoundHeader
from companion.store import database, stored_entries
from companion.store.store import Store

NAMES = ("Ann", "Ben")
FEW = RoundHeader("27", (), NAMES)


class Clock:
    """A wall clock and a monotonic clock: each round is a day later and takes an hour."""

    def __init__(self) -> None:
        self.at = datetime(2026, 11, 21, 18, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(tmp_path, clock):
    opened = Store(tmp_path, clock, monotonic=lambda: clock.at.timestamp())
    yield opened
    opened.close()


def play(store, number, result, header=FEW, events=("2x5", "3x1")):
    """Save a finished round."""
    lines = [LogEntry(number, "begin", header=header)]
    lines += [
        LogEntry(number, "event", seat, event, seconds=3.5) for seat, event in zip((1, 2, 1), events, strict=False)
    ]
    store.write_entries([*lines, LogEntry(number, "result", text=result)])


def computed_tables(db):
    """Everything that the database computes from its entries."""
    names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'store'")]
    return {name: list(db.execute(f"SELECT * FROM {name} ORDER BY 1, 2, 3")) for name in names}


def is_same_when_rebuilt(store):
    """Whether a database that is rebuilt from the entries has the same content."""
    lines = [
        stored_entries.StoredEntry(*row) for row in store.database.execute("SELECT * FROM log_entries ORDER BY id")
    ]
    return computed_tables(store.database) == computed_tables(database.create_from_entries(":memory:", lines))


def public_figures(store):
    """What everybody sees of all rounds."""
    return store.standings(), store.summaries(), [store.load_round(number) for number in store.round_numbers()]


def correct_round(store, number, result, events):
    saved = store.load_round(number)
    return saved._replace(result=result, reason="neither can move.", events=events, event_seconds=())


def test_void_and_restored_is_as_if_nothing_had_happened(store):
    """A void round counts nowhere, and later ratings do not depend on it. Restored, everything is as before."""
    for number, result in enumerate(("12 6 winners 1", "5 9 winners 2", "1 7 winners 2"), 1):
        play(store, number, result)
    before = public_figures(store)
    assert store.change_round(2, "void") == ""
    assert {each.name: (each.played, each.won) for each in store.standings()} == {"Ann": (2, 1), "Ben": (2, 1)}
    assert [each.state for each in store.summaries()] == ["over", "void", "over"]
    assert not store.load_round(2).result
    assert len(store.load_round(2).events) == 2
    assert is_same_when_rebuilt(store)
    ratings = [each.rating for each in store.standings()]
    assert ratings != [each.rating for each in before[0]]
    assert store.change_round(2, "restore") == ""
    assert public_figures(store) == before
    assert is_same_when_rebuilt(store)


def test_a_corrected_round_is_as_if_it_had_been_played_so(store, tmp_path, clock):
    """Standings, ratings and best scores are those of rounds that were played correctly; the entries have both
    versions.
    """
    right = Store(tmp_path / "right", clock)
    for number, result in enumerate(("12 6 winners 1", "5 9 winners 2", "1 7 winners 2"), 1):
        play(store, number, result)
        play(
            right,
            number,
            "3 8 winners 2" if number == 1 else result,
            events=("2x5", "4x4") if number == 1 else ("2x5", "3x1"),
        )
    count = len(stored_entries.round_entries(store.database, 1))
    assert store.change_round(1, correct_round(store, 1, "3 8 winners 2", ((1, "2x5"), (2, "4x4")))) == ""
    assert store.standings() == right.standings()
    assert store.load_round(1).events == right.load_round(1).events
    assert store.load_round(1).event_seconds == (3.5, 0.0)  # What was not changed keeps its time.
    texts = [line.text for line in stored_entries.round_entries(store.database, 1)]
    assert {"3x1", "4x4"} < set(texts)
    assert len(texts) == count + 3
    assert store.summaries()[0].ended == right.summaries()[0].ended
    assert is_same_when_rebuilt(store)
    right.close()


@pytest.mark.parametrize("seed", range(30))
def test_matches_follow_however_rounds_are_changed(store, seed):
    """After any changes the matches are those of the results that count, also in a database that is rebuilt."""
    luck = random.Random(seed)
    wins: dict[str, int] = {}
    for number in range(1, 6):
        header = FEW._replace(goal=4, number=number, wins=tuple(wins.items()))
        winner = luck.randint(1, 2)
        play(store, number, f"1 2 winners {winner}", header)
        wins[NAMES[winner - 1]] = wins.get(NAMES[winner - 1], 0) + 1
    for _ in range(6):
        number = luck.randint(1, 5)
        change = luck.choice(("void", "restore", "correct"))
        result = f"7 2 winners {luck.randint(1, 2)}"
        store.change_round(
            number, correct_round(store, number, result, ((1, "2x5"),)) if change == "correct" else change
        )
    counted: dict[str, int] = dict.fromkeys(NAMES, 0)
    for each in store.summaries():
        for name in each.winners:
            counted[name] += 1
    (match,) = {each.match for each in store.summaries() if each.match}
    assert dict(match.wins) == counted
    assert is_same_when_rebuilt(store)


def test_the_evening_goes_on_after_an_old_round_is_changed(store, tmp_path, clock):
    """A table restarted within the evening is still in it; the old round stays in its own evening."""
    play(store, 1, "12 6 winners 1")
    clock.at += timedelta(days=3)
    play(store, 2, "5 9 winners 2")
    assert store.change_round(1, "void") == store.change_round(1, "restore") == ""
    clock.at += timedelta(hours=1)
    store.close()
    again = Store(tmp_path, clock)
    assert [each.scores for each in again.load_history().evening_rounds] == [(5, 9)]
    clock.at += timedelta(hours=9)
    assert again.change_round(2, "void") == ""
    again.close()
    later = Store(tmp_path, clock)
    assert later.load_history().evening_rounds == ()
    later.close()


@pytest.mark.parametrize(
    ("number", "change", "why"),
    [
        (9, "void", "There is no round 9."),
        (1, "restore", "Round 1 is not void."),
        (2, "void", "Round 2 is not over: finish it first."),
    ],
)
def test_an_impossible_change_is_refused_and_changes_nothing(store, number, change, why):
    """It gives one sentence, and writes no entry."""
    play(store, 1, "12 6 winners 1")
    store.write_entries([LogEntry(2, "begin", header=FEW), LogEntry(2, "event", 1, "2x5")])
    before = database.last_number(store.database)
    assert store.change_round(number, change) == why
    assert database.last_number(store.database) == before


def test_the_club_server_learns_of_each_change(store):
    """A void round is removed there; a restored or corrected one is sent again."""
    play(store, 1, "12 6 winners 1")
    for change, over in (("void", False), ("restore", True), (correct_round(store, 1, "3 8 winners 2", ()), True)):
        top = database.last_number(store.database)
        assert store.change_round(1, change) == ""
        assert [(each.round, each.is_over) for each in store.round_changes(top)] == [(1, over)]


def test_a_void_round_of_a_match_is_played_again(store):
    """The match goes on with the number of the void round."""
    play(store, 1, "1 2 winners 1", FEW._replace(goal=3))
    play(store, 2, "1 2 winners 2", FEW._replace(goal=3, number=2, wins=(("Ann", 1),)))
    assert store.load_history().open_match_round.id == 2
    assert store.change_round(2, "void") == ""
    assert store.load_history().open_match_round.id == 1
    assert store.load_history().unfinished_games == ()
