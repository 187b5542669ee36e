"""The club's store: every message counts exactly once and in order, and an invalid one is refused with a reason."""

from __future__ import annotations

import json
import sqlite3

import pytest

from companion.club.database import ClubDatabaseError
from companion.club.intake import MAX_STORES_PER_TABLE, MissingMessageError, ClubStore, MessageRefusedError
from companion.club.messages import MAX_MESSAGE_BYTES, LogMessage, EntryPosition, UnreadableError, parse_log_message, encode_message
from companion.store.history import START_POSITION

AT = "2026-11-21T20:15:00+0100"
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
def intake(tmp_path):
    made = ClubStore(tmp_path / "hall")
    yield made
    made.close()


def message(number, record, after=None, store="a" * 32, **more):
    """Make message `number` of a store, which names the one before it."""
    before = EntryPosition(number - 1, (number - 1) * 7) if number > 1 else START_POSITION
    return LogMessage(store, after or before, EntryPosition(number, number * 7), number, number * 11, record)._replace(
        **more
    )


def take(intake, *messages, name="table-1"):
    said = []
    for each in messages:
        with intake.transaction():
            said += intake.store_message(name, each, AT)
    return said


def test_a_message_counts_once(intake, records):
    """A duplicate, however late, leaves the round once and in its place."""
    one, two = message(1, records[0]), message(2, records[1])
    assert take(intake, one, one, two, one, two, two) == []
    assert [each.record for each in intake.counted_rounds()] == records[:2]
    assert intake.have_message(one.store, "x").entries == (two.entry, one.entry)


def test_a_message_behind_a_gap_is_not_taken_in(intake, records):
    """A message waits until the missing one has come, so the order never changes."""
    take(intake, message(1, records[0]))
    with pytest.raises(MissingMessageError):
        take(intake, message(3, records[2]))
    assert len(intake.counted_rounds()) == 1
    take(intake, message(2, records[1]), message(3, records[2]))
    assert [each.record for each in intake.counted_rounds()] == records[:3]


def test_a_round_that_is_taken_back_no_longer_counts(intake, records):
    """A message without a record removes the round from the standings; its result may come again."""
    take(intake, message(1, records[0]), message(2, "", round=1, first=11))
    assert (intake.counted_rounds(), intake.standings()) == ([], [])
    take(intake, message(3, records[1], round=1, first=11))
    assert [each.record for each in intake.counted_rounds()] == [records[1]]


def test_no_number_is_given_twice(records, tmp_path):
    """A round that comes after others were deleted has a higher number than any before, also after a restart."""
    intake = ClubStore(tmp_path / "hall")
    take(intake, *(message(number, records[0]) for number in (1, 2, 3)))
    take(intake, message(4, "", round=3, first=33), message(5, "", round=1, first=11))
    intake.close()
    again = ClubStore(tmp_path / "hall")
    take(again, message(6, records[1]))
    assert [each.arrival for each in again.counted_rounds()] == [2, 4]
    again.close()


def test_a_store_of_before_goes_on(tmp_path, records):
    """A store without the table of used numbers can be opened, also only to read."""
    folder = tmp_path / "hall"
    ClubStore(folder).close()
    db = sqlite3.connect(folder / "hall.db")
    db.execute("DROP TABLE gone")
    db.close()
    for serving in (False, True):
        made = ClubStore(folder, as_server=serving)
        made.close()
    made = ClubStore(folder)
    take(made, message(1, records[0]), message(2, "", round=1, first=11), message(3, records[1]))
    assert [each.arrival for each in made.counted_rounds()] == [2]
    made.close()


def test_a_table_restored_from_last_weeks_backup_goes_on(intake, records):
    """Rounds from before and since count once, and the table finds out where to go on."""
    take(intake, *(message(number, records[number - 1]) for number in (1, 2, 3)))
    held = [message(1, "").entry, EntryPosition(2, 99)]  # The restored store went on from its first entry.
    common = max(each for each in intake.have_message("a" * 32, "x").entries if each in held)
    other = message(2, records[3], after=common, entry=EntryPosition(2, 99), first=5)
    assert take(intake, other) == [
        "continues from an older copy of its rounds; everything played before and since counts"
    ]
    assert take(intake, other, message(4, records[3], after=other.entry, entry=EntryPosition(4, 98), first=6)) == []
    assert [each.record for each in intake.counted_rounds()] == [*records[:3], records[3], records[3]]


def test_a_round_whose_lines_were_numbered_anew_is_still_that_round(intake, records):
    """The same record of the same round never counts twice, and keeps its place in the order."""
    take(intake, message(1, records[0]), message(2, records[1]))
    again = message(1, records[0], after=START_POSITION, entry=EntryPosition(9, 9), first=12)
    take(intake, again, again._replace(after=again.entry, entry=EntryPosition(10, 9), first=13))
    assert [(each.arrival, each.record) for each in intake.counted_rounds()] == [(1, records[0]), (2, records[1])]


def test_two_tables_with_one_name_are_told_and_both_count(intake, records):
    """A second store under a name is accepted and noted; a flood of them is refused."""
    take(intake, message(1, records[0]), message(1, records[1], store="b" * 32))
    assert [each.record for each in intake.counted_rounds()] == records[:2]
    assert "different rounds" in intake.newest_notes()[0][2]
    with pytest.raises(MessageRefusedError, match="no more are accepted"):
        take(intake, *(message(1, records[0], store=f"c{number:031}") for number in range(MAX_STORES_PER_TABLE)))


def test_no_table_can_speak_for_another(intake, records):
    """Its rounds are accepted only under that name, until the organiser moves them."""
    take(intake, message(1, records[0]))
    with pytest.raises(MessageRefusedError, match="companion hall move table-1 table-2"):
        take(intake, message(2, "", round=1, first=11), name="table-2")
    assert intake.move_rounds("table-1", "table-2") == 1
    take(intake, message(2, records[1]), name="table-2")
    assert [each.table for each in intake.counted_rounds()] == ["table-2", "table-2"]


@pytest.mark.parametrize(
    ("text", "why", "code"),
    [
        (RECORD.replace("1x3", "1x30"), "line 5", "count"),
        (RECORD, "it is not over", "unfinished"),
        (RECORD.replace("game: 27", "game: no-such-game"), "line 2", "header"),
        ("nonsense", "line 1", "header"),
    ],
)
def test_a_record_that_does_not_stand_is_told_and_does_not_count(intake, records, text, why, code):
    """The rules judge on arrival; what comes after it is still received."""
    said = take(intake, message(1, text), message(2, records[0]))
    assert len(said) == 1
    assert why in said[0]
    assert [each.record for each in intake.counted_rounds()] == [records[0]]
    assert intake.table_rows()[0].uncounted_rounds == 1
    assert intake.select("SELECT fault FROM rounds WHERE fault != ''") == [(code,)]
    assert intake.recheck_uncounted() == 0


def test_standings_are_those_of_the_rounds(intake, records, finished_rounds):
    """Wins, shared wins and rounds played are counted from the results by the rules."""
    take(intake, *(message(number, text) for number, text in enumerate(records, 1)))
    for line in intake.standings():
        seat = finished_rounds[0].header.players.index(line.name) + 1
        winners = [played.rules.outcome(played.states[-1]).winners for played in finished_rounds[:4]]
        assert (line.played, line.won) == (4, winners.count((seat,)))
        assert line.drawn == sum(len(each) > 1 and seat in each for each in winners)


def test_rounds_that_the_box_plays_are_in_no_standings(intake, records):
    """They are saved like all others."""
    names = next(line for line in records[0].splitlines() if line.startswith("players:"))
    take(intake, message(1, records[0].replace(names, "players: Ann, box-2")))
    assert len(intake.counted_rounds()) == 1
    assert intake.standings() == []


def test_what_was_taken_in_is_there_after_a_restart(tmp_path, records):
    """A second server on the same folder is refused in a sentence."""
    first = ClubStore(tmp_path)
    take(first, message(1, records[0]))
    with pytest.raises(ClubDatabaseError, match="another club server is running on"):
        ClubStore(tmp_path)
    first.close()
    again = ClubStore(tmp_path)
    assert take(again, message(1, records[0]), message(2, records[1])) == []
    assert len(again.counted_rounds()) == 2
    again.close()


VALID = json.loads(encode_message(message(1, "x")))


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
        *(json.dumps(VALID | {key: None}).encode() for key in VALID),
        *(
            json.dumps(VALID | {key: bad}).encode()
            for key in ("after", "entry")
            for bad in ([1], [-1, 0], [1, 1 << 40])
        ),
        json.dumps(VALID | {"schema": 2}).encode(),
        json.dumps(VALID | {"entry": [0, 0]}).encode(),
        json.dumps(VALID | {"round": 1 << 70}).encode(),
        json.dumps(VALID | {"record": "\ud800"}).encode(),
        json.dumps(VALID | {"store": "../../etc"}).encode(),
        json.dumps(VALID).replace("7]", "NaN]").encode(),
    ],
)
def test_what_is_no_message_is_refused_in_words(payload):
    """Random bytes, a wrong schema, missing or impossible values: none raises anything else."""
    with pytest.raises(UnreadableError, match=r"^[\"a-z]"):
        parse_log_message(payload)
