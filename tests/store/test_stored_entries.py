"""Entries and their effects: takebacks, corrections, drops, renames, matches, clocks; and the store's own entries."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from companion.rounds.stored import LogEntry, RoundHeader, StoredRound
from companion.store import stored_entries
from companion.store.errors import StoreError
from companion.store.history import RoundFilter
from companion.store.store import Store

HEADER = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"))


def begin(number: int, header: RoundHeader = HEADER) -> LogEntry:
    return LogEntry(number, "begin", header=header)


@pytest.fixture
def store(tmp_path):
    with_store = Store(tmp_path)
    yield with_store
    with_store.close()


def change_database(folder: Path, statement: str) -> None:
    """Change a database behind the store's back, as no program does."""
    with sqlite3.connect(folder / "rounds.db") as db:
        db.execute(statement)
    db.close()


def test_every_line_continues_the_checksum_of_the_one_before(store):
    """An entry that is changed, removed or moved breaks the chain of its round."""
    store.write_entries([begin(1), LogEntry(1, "event", 1, "1x1"), LogEntry(1, "event", 2, "9x1"), begin(2)])
    those = stored_entries.round_entries(store.database, 1)
    assert stored_entries.is_unbroken(those)
    assert not stored_entries.is_unbroken([those[0], those[2], those[1]])
    assert not stored_entries.is_unbroken([those[0], those[2]])
    for field in ("id", "round", "kind", "seat", "text", "date", "seconds", "clock"):
        old = getattr(those[1], field)
        new = f"{old}x" if isinstance(old, str) else old + 1
        assert not stored_entries.is_unbroken([those[0], those[1]._replace(**{field: new}), those[2]]), field
    assert stored_entries.is_unbroken(stored_entries.round_entries(store.database, 2))


def test_a_line_changed_on_the_disk_is_reported_when_its_round_is_read(store, tmp_path):
    """A round that is read again while the table runs is not shown with a move that was never played."""
    store.write_entries([begin(1), LogEntry(1, "event", 1, "1x1"), begin(2)])
    change_database(tmp_path, "UPDATE log_entries SET text = '1x2' WHERE text = '1x1'")
    with pytest.raises(StoreError, match=r"^Round 1 is damaged"):
        store.load_round(1)
    assert store.load_round(2).header == HEADER


def test_a_missing_last_line_is_reported(store, tmp_path):
    """The number of a round's entries and the last checksum are saved apart from the entries."""
    store.write_entries([begin(1), LogEntry(1, "event", 1, "1x1"), LogEntry(1, "event", 2, "9x1")])
    change_database(tmp_path, "DELETE FROM log_entries WHERE text = '9x1'")
    with pytest.raises(StoreError, match=r"^Round 1 is damaged"):
        store.load_round(1)


def test_a_corrected_piece_stays_where_it_was_named(store):
    """A correction replaces the text of a deal or event; a takeback does not undo the correction."""
    store.write_entries(
        [begin(1), LogEntry(1, "deal", 1, "2345A"), LogEntry(1, "event", 1, "draw 7"), LogEntry(1, "event", 2, "pass")]
    )
    store.write_entries([LogEntry(1, "mend", 1, "1 2346A"), LogEntry(1, "mend", 1, "2 draw 8")])
    assert store.load_round(1).deals == (("deal", 1, "2346A"),)
    assert store.load_round(1).events == ((1, "draw 8"), (2, "pass"))
    store.write_entries([LogEntry(1, "back")])
    assert store.load_round(1).events == ((1, "draw 8"),)


def test_a_dropped_round_is_not_listed_and_may_begin_again(store, tmp_path):
    """It counts nowhere, its entries stay, and its number can be used by the next round."""
    store.write_entries([begin(1), LogEntry(1, "event", 1, "1x1"), LogEntry(1, "drop")])
    assert (store.load_round(1), store.round_numbers(), store.summaries(), store.players()) == (None, [], [], [])
    assert store.load_history().unfinished_round is None
    again = HEADER._replace(names=("Cleo", "Dan"))
    store.write_entries([begin(1, again), LogEntry(1, "event", 1, "1x2")])
    assert store.load_round(1) == StoredRound(1, again, (), ((1, "1x2"),))
    assert [line.kind for line in stored_entries.round_entries(store.database, 1)] == [
        "begin",
        "event",
        "drop",
        "begin",
        "event",
    ]
    assert [player.name for player in store.players()] == ["Cleo", "Dan"]


def test_a_rename_is_a_line_of_each_round_it_touches(store):
    """Lists have the new name; the entries have the old one, and what it became."""
    store.write_entries([begin(1), begin(2, HEADER._replace(names=("Cleo", "Dan")))])
    assert store.rename_player("Ann", "Anna") == 1
    assert store.load_round(1).header.names == ("Anna", "Ben")
    assert stored_entries.round_entries(store.database, 1)[-1].text == '["Ann", "Anna"]'
    assert len(stored_entries.round_entries(store.database, 2)) == 1


def test_the_rounds_of_a_match_know_their_first(store):
    """Rounds of a match have the number of its first round, a single round has none; a match keeps its result."""
    match = HEADER._replace(goal=2)
    store.write_entries([begin(1), begin(2, match), begin(3, match._replace(number=2)), begin(4, match)])
    store.write_entries([LogEntry(3, "match", 0, "2 0 winners 1")])
    rows = store.database.execute("SELECT match, match_result FROM rounds ORDER BY id").fetchall()
    assert rows == [(0, ""), (2, ""), (2, "2 0 winners 1"), (4, "")]


def test_a_clock_is_saved_with_its_settings_and_the_time_left(store):
    """The header has the settings of the game clock, each entry the time left."""
    timed = HEADER._replace(clock="600+10")
    store.write_entries([begin(1, timed), LogEntry(1, "event", 1, "1x1", clock="590 600"), LogEntry(1, "aside")])
    assert store.load_round(1).header.clock == "600+10"
    assert store.load_round(1).clock_left == "590 600"


def test_a_round_with_a_computer_player_counts_nowhere(store):
    """A round with a computer player is in no standings and no rating, but it is saved."""
    for number, names in enumerate((("Ann", "box-2"), ("Ann", "Ben"), ("box-1", "Ben")), 1):
        store.write_entries(
            [begin(number, HEADER._replace(names=names)), LogEntry(number, "result", text="9 3 winners 1")]
        )
        counted = [("Ann", 1, 1), ("Ben", 0, 1)] if number > 1 else []
        for found in (store.standings(), store.standings(RoundFilter("27"), [1, 2, 3])):
            assert [(each.name, each.won, each.played) for each in found] == counted
    assert len(store.summaries()) == 3
    assert all(each.rating for each in store.standings())


def test_a_store_has_an_identity_of_its_own(tmp_path):
    """It stays the same after restarts, and no other store has it."""
    one, other = Store(tmp_path / "one"), Store(tmp_path / "other")
    identity = one.identity
    assert len(identity) == 32
    assert identity != other.identity
    for each in (one, other):
        each.close()
    one = Store(tmp_path / "one")
    assert one.identity == identity
    one.close()
