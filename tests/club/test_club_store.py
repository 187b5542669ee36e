"""The club's store: every message counts exactly once and in order, and an invalid one is refused with a reason."""

from __future__ import annotations

import json
import sqlite3

import pytest

from companion.club.club_database import ClubDatabaseError
from companion.club.club_store import MAX_STORES_PER_TABLE, ClubStore, MessageRefusedError, MissingMessageError
from companion.club.mqtt_messages import (
    MAX_MESSAGE_BYTES,
    EntryPosition,
    LogMessage,
    UnreadableError,
    encode_message,
    parse_log_message,
)
from companion.store.history import START_POSITION

ARRIVED = "2026-11-21T20:15:00+0100"
RECORD = """\
companion-record: 1
game: 27
options: variant=basic
players: Ann, Ben
1: 1x3
"""


@pytest.fixture
def records(finished_rounds):
    return [f"{played.record_text}" for played in finished_rounds[:4]]


@pytest.fixture
def club_store(tmp_path):
    store = ClubStore(tmp_path / "hall")
    yield store
    store.close()


def make_message(number, record, after=None, store="a" * 32, **more):
    """Make message `number` of a store, which names the one before it."""
    before = EntryPosition(number - 1, (number - 1) * 7) if number > 1 else START_POSITION
    return LogMessage(store, after or before, EntryPosition(number, number * 7), number, number * 11, record)._replace(
        **more
    )


def store_messages(club_store, *messages, name="table-1"):
    sentences = []
    for each in messages:
        with club_store.transaction():
            sentences += club_store.store_message(name, each, ARRIVED)
    return sentences


def test_a_message_counts_once(club_store, records):
    """A duplicate, however late, leaves the round once and in its place."""
    one, two = make_message(1, records[0]), make_message(2, records[1])
    assert store_messages(club_store, one, one, two, one, two, two) == []
    assert [each.record for each in club_store.counted_rounds()] == records[:2]
    assert club_store.received_entries_message(one.store, "x").entries == (two.entry, one.entry)


def test_a_message_after_a_missing_one_is_refused(club_store, records):
    """A message waits until the missing one has come, so the order never changes."""
    store_messages(club_store, make_message(1, records[0]))
    with pytest.raises(MissingMessageError):
        store_messages(club_store, make_message(3, records[2]))
    assert len(club_store.counted_rounds()) == 1
    store_messages(club_store, make_message(2, records[1]), make_message(3, records[2]))
    assert [each.record for each in club_store.counted_rounds()] == records[:3]


def test_a_round_that_is_taken_back_no_longer_counts(club_store, records):
    """A message without a record removes the round from the standings; its result may come again."""
    store_messages(club_store, make_message(1, records[0]), make_message(2, "", round=1, first=11))
    assert (club_store.counted_rounds(), club_store.standings()) == ([], [])
    store_messages(club_store, make_message(3, records[1], round=1, first=11))
    assert [each.record for each in club_store.counted_rounds()] == [records[1]]


def test_numbers_of_rounds_are_never_reused(records, tmp_path):
    """A round that comes after others were deleted has a higher number than any before, also after a restart."""
    intake = ClubStore(tmp_path / "hall")
    store_messages(intake, *(make_message(number, records[0]) for number in (1, 2, 3)))
    store_messages(intake, make_message(4, "", round=3, first=33), make_message(5, "", round=1, first=11))
    intake.close()
    again = ClubStore(tmp_path / "hall")
    store_messages(again, make_message(6, records[1]))
    assert [each.arrival for each in again.counted_rounds()] == [2, 4]
    again.close()


def test_a_store_of_an_older_version_is_opened(tmp_path, records):
    """A store without the table of used numbers can be opened, also only to read."""
    folder = tmp_path / "hall"
    ClubStore(folder).close()
    db = sqlite3.connect(folder / "hall.db")
    db.execute("DROP TABLE gone")
    db.close()
    for serving in (False, True):
        store = ClubStore(folder, as_server=serving)
        store.close()
    store = ClubStore(folder)
    store_messages(
        store, make_message(1, records[0]), make_message(2, "", round=1, first=11), make_message(3, records[1])
    )
    assert [each.arrival for each in store.counted_rounds()] == [2]
    store.close()


def test_a_table_restored_from_a_backup_goes_on(club_store, records):
    """Rounds from before and since count once, and the table finds out where to go on."""
    store_messages(club_store, *(make_message(number, records[number - 1]) for number in (1, 2, 3)))
    held = [make_message(1, "").entry, EntryPosition(2, 99)]  # The restored store went on from its first entry.
    common = max(each for each in club_store.received_entries_message("a" * 32, "x").entries if each in held)
    other = make_message(2, records[3], after=common, entry=EntryPosition(2, 99), first=5)
    assert store_messages(club_store, other) == [
        "continues from an older copy of its rounds; everything played before and since counts"
    ]
    assert (
        store_messages(
            club_store, other, make_message(4, records[3], after=other.entry, entry=EntryPosition(4, 98), first=6)
        )
        == []
    )
    assert [each.record for each in club_store.counted_rounds()] == [*records[:3], records[3], records[3]]


def test_a_rescued_round_is_the_same_round(club_store, records):
    """The same record of the same round never counts twice, and keeps its place in the order."""
    store_messages(club_store, make_message(1, records[0]), make_message(2, records[1]))
    again = make_message(1, records[0], after=START_POSITION, entry=EntryPosition(9, 9), first=12)
    store_messages(club_store, again, again._replace(after=again.entry, entry=EntryPosition(10, 9), first=13))
    assert [(each.arrival, each.record) for each in club_store.counted_rounds()] == [(1, records[0]), (2, records[1])]


def test_two_stores_of_one_name_are_reported_and_count(club_store, records):
    """A second store under a name is accepted and noted; a flood of them is refused."""
    store_messages(club_store, make_message(1, records[0]), make_message(1, records[1], store="b" * 32))
    assert [each.record for each in club_store.counted_rounds()] == records[:2]
    assert "different rounds" in club_store.newest_organiser_notes()[0][2]
    with pytest.raises(MessageRefusedError, match="no more are accepted"):
        store_messages(
            club_store, *(make_message(1, records[0], store=f"c{number:031}") for number in range(MAX_STORES_PER_TABLE))
        )


def test_a_store_belongs_to_its_first_name(club_store, records):
    """Its rounds are accepted only under that name, until the organiser moves them."""
    store_messages(club_store, make_message(1, records[0]))
    with pytest.raises(MessageRefusedError, match="companion hall move table-1 table-2"):
        store_messages(club_store, make_message(2, "", round=1, first=11), name="table-2")
    assert club_store.move_rounds("table-1", "table-2") == 1
    store_messages(club_store, make_message(2, records[1]), name="table-2")
    assert [each.table for each in club_store.counted_rounds()] == ["table-2", "table-2"]


@pytest.mark.parametrize(
    ("text", "why", "code"),
    [
        (RECORD.replace("1x3", "1x30"), "line 5", "count"),
        (RECORD, "it is not over", "unfinished"),
        (RECORD.replace("game: 27", "game: no-such-game"), "line 2", "header"),
        ("nonsense", "line 1", "header"),
    ],
)
def test_an_invalid_record_is_reported_and_does_not_count(club_store, records, text, why, code):
    """The rules judge on arrival; what comes after it is still received."""
    sentences = store_messages(club_store, make_message(1, text), make_message(2, records[0]))
    assert len(sentences) == 1
    assert why in sentences[0]
    assert [each.record for each in club_store.counted_rounds()] == [records[0]]
    assert club_store.table_summaries()[0].uncounted_rounds == 1
    assert club_store.select("SELECT fault FROM rounds WHERE fault != ''") == [(code,)]
    assert club_store.recheck_uncounted() == 0


def test_standings_are_counted_from_the_rounds(club_store, records, finished_rounds):
    """Wins, shared wins and rounds played are counted from the results by the rules."""
    store_messages(club_store, *(make_message(number, text) for number, text in enumerate(records, 1)))
    for line in club_store.standings():
        seat = finished_rounds[0].header.players.index(line.name) + 1
        winners = [played.rules.outcome(played.states[-1]).winners for played in finished_rounds[:4]]
        assert (line.played, line.won) == (4, winners.count((seat,)))
        assert line.drawn == sum(len(each) > 1 and seat in each for each in winners)


def test_rounds_of_computer_players_are_in_no_standings(club_store, records):
    """They are saved like all others."""
    names = next(line for line in records[0].splitlines() if line.startswith("players:"))
    store_messages(club_store, make_message(1, records[0].replace(names, "players: Ann, box-2")))
    assert len(club_store.counted_rounds()) == 1
    assert club_store.standings() == []


def test_saved_rounds_survive_a_restart(tmp_path, records):
    """A second server on the same folder is refused in a sentence."""
    first = ClubStore(tmp_path)
    store_messages(first, make_message(1, records[0]))
    with pytest.raises(ClubDatabaseError, match="another club server is running on"):
        ClubStore(tmp_path)
    first.close()
    again = ClubStore(tmp_path)
    assert store_messages(again, make_message(1, records[0]), make_message(2, records[1])) == []
    assert len(again.counted_rounds()) == 2
    again.close()


VALID_MESSAGE = json.loads(encode_message(make_message(1, "x")))


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff\xfe",
        b"null",
        b"[" * 100_000,
        b'{"schema": 1}',
        b'{"schema": true}',
        b"{" + b" " * MAX_MESSAGE_BYTES + b"}",
        *(json.dumps(VALID_MESSAGE | {key: None}).encode() for key in VALID_MESSAGE),
        *(
            json.dumps(VALID_MESSAGE | {key: bad}).encode()
            for key in ("after", "entry")
            for bad in ([1], [-1, 0], [1, 1 << 40])
        ),
        json.dumps(VALID_MESSAGE | {"schema": 2}).encode(),
        json.dumps(VALID_MESSAGE | {"entry": [0, 0]}).encode(),
        json.dumps(VALID_MESSAGE | {"round": 1 << 70}).encode(),
        json.dumps(VALID_MESSAGE | {"record": "\ud800"}).encode(),
        json.dumps(VALID_MESSAGE | {"store": "../../etc"}).encode(),
        json.dumps(VALID_MESSAGE).replace("7]", "NaN]").encode(),
    ],
)
def test_an_invalid_message_is_refused_with_a_reason(payload):
    """Random bytes, a wrong schema, missing or impossible values: none raises anything else."""
    with pytest.raises(UnreadableError, match=r"^[\"a-z]"):
        parse_log_message(payload)
