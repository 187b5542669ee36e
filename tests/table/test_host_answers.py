"""The answers to the host's questions about stored rounds, which reveal nothing hidden of an unfinished round."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion import games
from companion.__main__ import main
from companion.display.replay_pictures import PANELS
from companion.games.score_pad import pad
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store
from companion.table import host_answers
from companion.table.host_answers import ROUNDS_PER_PAGE, UnanswerableError
from companion.web.host_pages import record_with_move

RECORDS = Path(__file__).parent.parent / "records"


def answer(folder, what, text):
    """Answer a question as the host's process does, with the real panel."""
    return host_answers.answer_about_rounds(folder, what, text, PANELS)


@pytest.fixture(scope="module")
def data_folder(tmp_path_factory):
    """A data folder with the rounds of the sample records."""
    folder_ = tmp_path_factory.mktemp("kept")
    main(["import", "--data", str(folder_), *sorted(map(str, RECORDS.glob("*.tcr")))])
    return folder_


def begin_entry(number: int, game: str = "27", names=("Ann", "Ben"), options=()) -> LogEntry:
    return LogEntry(number, "begin", header=RoundHeader(game, tuple(options), names))


def round_numbers(folder, **asked) -> list[int]:
    return [each["number"] for each in answer(folder, "history", json.dumps(asked))["rounds"]]


def test_the_history_is_filtered_by_game_player_and_dates(data_folder):
    every = round_numbers(data_folder)
    assert every == sorted(every, reverse=True)
    with_cleo = answer(data_folder, "history", json.dumps({"player": "Cleo"}))["rounds"]
    assert with_cleo
    assert all("Cleo" in [name for name, _ in each["players"]] for each in with_cleo)
    assert round_numbers(data_folder, player="Cleo", game="27") == []
    dated = round_numbers(data_folder, since="2026-11-21", until="2026-11-21")
    assert set(dated) < set(every)
    assert round_numbers(data_folder, since="2026-11-22") == []


def test_the_history_comes_a_page_at_a_time(tmp_path):
    store = Store(tmp_path)
    for number in range(1, ROUNDS_PER_PAGE + 4):
        store.write_entries([begin_entry(number), LogEntry(number, "event", 1, "1x1")])
    store.close()
    first = answer(tmp_path, "history", "{}")
    second = answer(tmp_path, "history", '{"page": "1"}')
    assert (len(first["rounds"]), first["more"]) == (ROUNDS_PER_PAGE, True)
    assert ([each["number"] for each in second["rounds"]], second["more"]) == ([3, 2, 1], False)


def test_every_finished_round_is_replayed_to_its_end(data_folder):
    """A move beyond the last one shows the end."""
    for each in answer(data_folder, "history", "{}")["rounds"]:
        if not each["replays"]:
            continue
        start = answer(data_folder, "round", f"{each['number']} 0")
        end = answer(data_folder, "round", f"{each['number']} 999999")
        assert (start["move"], end["move"]) == (0, end["last"])
        assert start["moves"] == []
        assert start["board"].startswith("<svg")
        assert start["board"] != end["board"]


def test_a_score_pad_is_replayed_by_its_sheet(tmp_path):
    """After each entry the sheet has the points so far, turn by turn, and their totals."""
    store = Store(tmp_path)
    options = pad.Pad(2, "Skat", target=100).stored_options
    store.write_entries([begin_entry(1, pad.PAD_ID, options=options)])
    for seat, points in ((1, "+5"), (2, "-3"), (1, "+7")):
        store.write_entries([LogEntry(1, "event", seat, points)])
    store.write_entries([LogEntry(1, "result", text="12 0 winners 1")])
    store.close()
    sheet = answer(tmp_path, "round", "1 2")["sheet"]
    assert (sheet["rows"], sheet["totals"], sheet["title"]) == ([["+5", "-3"]], [5, -3], "Skat")
    assert answer(tmp_path, "round", "1 3")["sheet"]["rows"] == [["+5", "-3"], ["+7", ""]]


def test_a_finished_round_can_be_edited_as_text(data_folder, tmp_path):
    """A record has no result in it, a score pad is its entries, and a void round has no text."""
    answered = answer(data_folder, "record", "1")
    assert answered["text"].startswith("companion-record: 1\ngame: ")
    assert "result:" not in answered["text"]
    assert (answered["void"], answered["pad"], answered["fault"]) == (False, False, "")
    store = Store(tmp_path)
    store.write_entries(
        [begin_entry(1, pad.PAD_ID, options=pad.Pad(2, "Skat").stored_options), LogEntry(1, "event", 1, "+5")]
    )
    store.write_entries([LogEntry(1, "event", 2, "-3"), LogEntry(1, "result", text="5 -3 winners 1")])
    answered = answer(tmp_path, "record", "1")
    assert answered["text"] == "1: +5\n2: -3\n"
    assert [(move["name"], move["told"]) for move in answered["moves"]] == [("Ann", "+5"), ("Ben", "-3")]
    store.change_round(1, "void")
    store.close()
    answered = answer(tmp_path, "record", "1")
    assert (answered["void"], answered["text"], answered["told"]) == (True, "", "void")
    (line,) = answer(tmp_path, "history", "{}")["rounds"]
    assert (line["replays"], line["changes"]) == (False, True)


def test_a_wrong_move_is_replaced_by_one_that_was_possible(data_folder):
    """Each move of a text is in words; the first that doesn't fit says why, and has what could be instead."""
    row = next(
        row for row in answer(data_folder, "history", '{"game": "prime-attactics"}')["rounds"]
        if row["changes"] and "refill Dx +1" in answer(data_folder, "record", str(row["number"]))["text"]
    )  # fmt: skip
    number = row["number"]
    untouched = answer(data_folder, "record", str(number))
    draw = untouched["moves"][1]
    assert (draw["told"], draw["why"], "choices" in draw) == ("drew D× +1", "", False)
    chosen = answer(data_folder, "record", f"{number} {draw['line']}\n{untouched['text']}")["moves"][1]
    assert ("drew ×5 +1", "refill x5 +1") in chosen["choices"]
    assert "refill Dx +1" not in dict(map(reversed, chosen["choices"]))
    changed = untouched["text"].replace("refill Dx +1", "refill x5 +1", 1)
    found = answer(data_folder, "record", f"{number} -\n{changed}")["moves"]
    (broken,) = [move for move in found if move["why"]]
    assert {move["mark"] for move in found if move["line"] > broken["line"]} == {"not checked yet"}
    assert [found[0]["mark"], found[1]["mark"], broken["mark"]] == ["", "changed by the correction", ""]
    # What can't be played now has the words that it had, and not those of the file.
    before = {move["line"]: move["told"] for move in untouched["moves"]}
    assert all(move["told"] == before[move["line"]] for move in found if move["line"] >= broken["line"])
    assert broken["line"] > draw["line"]
    assert broken["choices"]
    for text in ("\n1: 1x1", "1" * 5000 + ": 1x1", "game: 27\n1: 1x1", "1:\n2\n", "nonsense"):
        assert all(
            move["told"] == move["text"] for move in answer(data_folder, "record", f"{number} 0\n{text}")["moves"]
        )


def test_a_missing_move_is_asked_for_where_it_was_due(data_folder):
    """Between two moves, and at the end of a round that is not over; the answer completes the record again."""
    rounds = answer(data_folder, "history", '{"game": "27"}')["rounds"]
    number = next(each["number"] for each in rounds if each["changes"])
    record_text = answer(data_folder, "record", str(number))["text"]
    moves = answer(data_folder, "record", str(number))["moves"]
    lines = record_text.rstrip("\n").split("\n")
    for left_out in (moves[2], moves[-1]):
        rest = "\n".join(lines[: left_out["line"]] + lines[left_out["line"] + 1 :]) + "\n"
        found = answer(data_folder, "record", f"{number} -\n{rest}")["moves"]
        (broken,) = [each for each in found if each["why"]]
        assert (broken["line"], broken["asked"]) == (left_out["line"], left_out["name"])
        assert broken["inserts"] == left_out["seat"]
        assert left_out["text"] in [move for _, move in broken["choices"]]
        assert bool(broken["text"]) == (left_out is not moves[-1])
        assert record_with_move(rest, broken["line"], left_out["text"], str(broken["inserts"])) == record_text
        assert record_with_move(record_text, left_out["line"], "") == rest


def test_a_round_that_has_no_text_says_why(tmp_path):
    """Such a round can still be made void."""
    store = Store(tmp_path)
    store.write_entries(
        [begin_entry(1), LogEntry(1, "event", 1, "no move"), LogEntry(1, "result", text="5 3 winners 1")]
    )
    store.close()
    answered = answer(tmp_path, "record", "1")
    assert answered["text"] == ""
    assert answered["fault"].startswith("Round 1 cannot be shown: ")


@pytest.mark.parametrize("state", ["running", "aside"])
def test_a_round_that_is_not_over_is_not_replayed(tmp_path, state):
    """The list has the round, but neither its moves nor what its players hide."""
    store = Store(tmp_path)
    header = RoundHeader("coral-reef", tuple(games.manifest_of("coral-reef").option_defaults.items()), ("Ann", "Ben"),
                        opened=(("deal", 1), ("deal", 2)))  # fmt: skip
    store.write_entries([LogEntry(1, "begin", header=header), LogEntry(1, "deal", 1, "A2345678")])
    if state == "aside":
        store.write_entries([LogEntry(1, "aside")])
    store.close()
    with pytest.raises(UnanswerableError, match="not over"):
        answer(tmp_path, "round", "1 0")
    with pytest.raises(UnanswerableError, match="not over"):
        answer(tmp_path, "record", "1")
    with pytest.raises(UnanswerableError, match="No finished round"):
        answer(tmp_path, "report", "")
    (line,) = answer(tmp_path, "history", "{}")["rounds"]
    assert (line["told"], line["replays"], line["resumes"]) == ("unfinished", False, state == "aside")


def test_the_report_has_only_finished_rounds(tmp_path):
    store = Store(tmp_path, now=lambda: datetime(2026, 11, 21, 20, tzinfo=UTC))
    options = pad.Pad(2, "Skat").stored_options
    store.write_entries([begin_entry(1, pad.PAD_ID, options=options), LogEntry(1, "event", 1, "+5")])
    store.write_entries([LogEntry(1, "result", text="5 0 winners 1")])
    store.write_entries(
        [begin_entry(2, pad.PAD_ID, names=("Cleo", "Dan"), options=options), LogEntry(2, "event", 1, "+7")]
    )
    store.close()
    report = answer(tmp_path, "report", "2026-11-21")
    assert report["name"] == "evening-2026-11-21.html"
    assert "Ann" in report["body"]
    assert "Cleo" not in report["body"]
    with pytest.raises(UnanswerableError):
        answer(tmp_path, "report", "2020-01-01")


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("record", ""), ("record", "x"), ("record", "999999"),
        ("round", ""), ("round", "1"), ("round", "-1 0"), ("round", "1 x"), ("round", "999999 0"),
        ("history", ""), ("history", "[]"), ("history", "[" * 5000), ("history", '{"since": "yesterday"}'),
        ("history", '{"page": "99999999999"}'), ("report", "2026-13-45"), ("secrets", ""),
    ],
)  # fmt: skip
def test_an_invalid_question_is_refused_in_a_sentence(data_folder, what, text):
    """No question ends the process."""
    with pytest.raises(UnanswerableError, match=r"\.$"):
        answer(data_folder, what, text)


def test_rounds_are_counted_by_player(data_folder):
    """Each player has the number of rounds and the date of the last one."""
    players = {name: (rounds, last) for name, rounds, last in answer(data_folder, "names", "")["names"]}
    assert players["Cleo"] == (2, "2026-11-21")
