"""An evening of twelve rounds, played by keys: all outputs agree with each other, and with a count made here."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from datetime import date
from html.parser import HTMLParser

import pytest
from game_support import support_of_game
from PIL import Image

from companion import games
from companion.__main__ import main
from companion.report.gather import Evening, ReportedRound
from companion.report.sentences import summary_line
from companion.rounds.stored import RoundSummary

TEN_MINUTES = 600


@pytest.fixture
def run(hosted, capsys):
    """Runs a command on the evening's rounds: what it printed."""

    def command(name: str, *words: object) -> str:
        assert main([name, "--data", str(hosted[1]), *map(str, words)]) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return command


# -- a count that knows the rules from the sheets alone: `count_by_events` of each game ------------------------------


def count_curve(played, options):
    """What each seat counts at the start and after each move."""
    return list(support_of_game(played.game).count_by_events(played.events, len(played.names), options))


@pytest.fixture(scope="session")
def recount(hosted, planned_options):
    """Each round's curve, and the seats that have won it."""
    found = []
    for played, options in zip(hosted[0].rounds, planned_options, strict=True):
        curve = count_curve(played, options)
        best = (min if games.manifest_of(played.game).lower_is_better else max)(curve[-1])
        found.append((curve, [seat for seat, count in enumerate(curve[-1], 1) if count == best]))
    return found


@pytest.fixture(scope="session")
def tally(hosted, recount):
    """Played, won and drawn by name."""
    found = {}
    for played, (_, winners) in zip(hosted[0].rounds, recount, strict=True):
        for seat, name in enumerate(played.names, 1):
            before = found.get(name, (0, 0, 0))
            alone, shared = winners == [seat], seat in winners and len(winners) > 1
            found[name] = (before[0] + 1, before[1] + alone, before[2] + shared)
    return found


# -- the reports --------------------------------------------------------------------------------------------------


def test_history_agrees(hosted, recount, run):
    """Twelve rounds of all games, each with the names, scores and winners that were counted here."""
    rounds = json.loads(run("history", "--json"))
    assert len(rounds) == 12
    for reported, played, (curve, winners) in zip(rounds, hosted[0].rounds, recount, strict=True):
        assert (reported["game"], tuple(reported["players"]), reported["over"]) == (played.game, played.names, True)
        assert reported["winners"] == [played.names[seat - 1] for seat in winners]
        wins = [int(seat in winners and len(winners) == 1) for seat in range(1, len(played.names) + 1)]
        assert reported["scores"] == (wins if games.manifest_of(played.game).lower_is_better else list(curve[-1]))


def test_the_tables_for_a_spreadsheet_agree(hosted, recount, tally, run):
    """Every line of the history and of the standings as CSV has the numbers that were counted here."""
    rows = list(csv.DictReader(io.StringIO(run("history", "--csv"))))
    counted = []
    for number, (played, (curve, winners)) in enumerate(zip(hosted[0].rounds, recount, strict=True), 1):
        for seat, name in enumerate(played.names, 1):
            won = seat in winners
            alone = len(winners) == 1
            score = int(won and alone) if games.manifest_of(played.game).lower_is_better else curve[-1][seat - 1]
            counted.append((number, played.game, name, score, won and alone, won and not alone))
    assert counted == [
        (int(row["round"]), row["game"], row["player"], int(row["score"]), row["won"] == "1", row["shared"] == "1")
        for row in rows
    ]
    rows = list(csv.DictReader(io.StringIO(run("standings", "--csv"))))
    assert {row["player"]: (int(row["played"]), int(row["won"]), int(row["drawn"])) for row in rows} == tally


def test_a_backup_brings_everything_back(hosted, run, tmp_path, capsys):
    """All rounds, exported and imported into an empty folder, give the same history, also the score pad."""
    run("export", "--all", tmp_path / "backup")
    assert main(["import", str(tmp_path / "backup"), "--data", str(tmp_path / "new")]) == 0
    assert "12 rounds imported" in capsys.readouterr().out
    compared = ("date", "game", "title", "players", "scores", "winners", "reason")
    before = json.loads(run("history", "--json"))
    assert main(["history", "--json", "--data", str(tmp_path / "new")]) == 0
    after = json.loads(capsys.readouterr().out)
    lines = [sorted(str([each[name] for name in compared]) for each in rounds) for rounds in (before, after)]
    assert lines[0] == lines[1]


def test_standings_agree(tally, run):
    """Played, won and drawn of everybody."""
    table = json.loads(run("standings", "--json"))
    assert {each["name"]: (each["played"], each["won"], each["drawn"]) for each in table} == tally


def test_exports_agree(hosted, recount, run, tmp_path, capsys):
    """Every exported record has the events that were played, and is valid with the result that was counted.

    The score pad is exported as a table of its entries, each with the total after it.
    """
    run("export", "--all", tmp_path)
    files = sorted(tmp_path.iterdir())
    assert len(files) == 12
    for file, played, (curve, winners) in zip(files, hosted[0].rounds, recount, strict=True):
        if not games.manifest_of(played.game).has_records:
            table = csv.DictReader(io.StringIO(run("export", str(int(file.name[:6])))))
            rows = [(row["player"], int(row["points"]), int(row["total"])) for row in table]
            assert rows == [(played.names[seat - 1], int(text), row[seat - 1])
                            for (seat, text), row in zip(played.events, curve[1:], strict=True)]  # fmt: skip
            continue
        lines = [line for line in file.read_text().splitlines() if re.match(r"\d", line)]
        assert lines == [f"{seat}: {text}" for seat, text in played.events]
        assert main(["check", "--json", str(file)]) == 0
        reported = json.loads(capsys.readouterr().out)
        assert (reported["over"], reported["winners"], reported["events"]) == (True, winners, len(lines))


GAMES_WITH_SHAPES_ON_BOARDS = ("27", "ziggurat")


def test_replays_agree(hosted, run, tmp_path):
    """Every picture of every round is the one that was on the panel while it was played.

    A replay knows one round alone: there the shapes are those of the seats, whoever sat elsewhere before.
    """
    shapes: dict[str, int] = {}
    for number, played in enumerate(hosted[0].rounds, 1):
        shapes = {name: seat for seat, name in enumerate(played.names, 1)} | shapes
        sat_there = [shapes[name] for name in played.names] == list(range(1, len(played.names) + 1))
        folder = tmp_path / str(number)
        run("replay", number, "--png", folder)
        files = sorted(folder.iterdir())
        assert len(files) == len(played.events) + 2 == len(played.pictures)
        for file, seen in zip(files, played.pictures, strict=True):
            has_shapes = file == files[-1] or played.game in GAMES_WITH_SHAPES_ON_BOARDS
            if seen is not None and file != files[0] and (sat_there or not has_shapes):
                # A replay shows no keys: none that go on from a result, none that enter a move.
                bottom = 52 if file == files[-1] else 38
                box = (0, 0 if sat_there else 16, 128, bottom)
                with Image.open(file) as picture:
                    assert picture.crop(box).tobytes() == seen.crop(box).tobytes(), (number, file.name)


# -- the report ---------------------------------------------------------------------------------------------------


def expected_facts(played, curve, winners):
    """Turning point, best move and longest think, by their definitions."""
    sign = -1 if games.manifest_of(played.game).lower_is_better else 1
    turning = None
    if len(winners) == 1:
        own = winners[0] - 1
        leads = [all(sign * row[own] > sign * each for index, each in enumerate(row) if index != own) for row in curve]
        turning = next((move for move in range(1, len(curve)) if all(leads[move:])), None)
    gains = []
    for (seat, text), before, after in zip(played.events, curve, curve[1:], strict=False):
        own = support_of_game(played.game).gain_of_event(seat - 1, before, after)
        gains.append(0 if text.startswith("draw") else sign * own)
    best = gains.index(max(gains)) + 1 if max(gains) > 0 else None
    thinks = [0 if text.startswith("refill") or taken > TEN_MINUTES else taken
              for (_, text), taken in zip(played.events, played.seconds, strict=True)]  # fmt: skip
    return turning, best, thinks.index(max(thinks)) + 1, max(thinks)


def test_the_facts_of_each_round_are_those_of_their_definitions(hosted, recount):
    """Curve, turning point, best move and longest think, compared with a count that knows only the definitions."""
    from companion.report.gather import gather_evening
    from companion.store.read_only_store import ReadOnlyStore

    store = ReadOnlyStore(hosted[1])
    evening = gather_evening(store)
    store.close()
    for reported, played, (curve, winners) in zip(evening.rounds, hosted[0].rounds, recount, strict=True):
        found = reported.facts
        assert list(found.curve) == curve
        best = found.best_move.number if found.best_move else None
        think = (found.longest_think.number, found.longest_think.seconds)
        assert (found.turning_move, best, *think) == expected_facts(played, curve, winners)
        assert found.longest_think.seat == played.events[think[0] - 1][0]


class Tables(HTMLParser):
    """The text of every table row, by the table's class, and of every list of seats."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows, self.seats, self.cells, self.inside, self.table = [], [], [], "", ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        kind = dict(attrs).get("class") or ""
        if tag == "table":
            self.table = kind
        if tag == "ul":
            self.seats.append([])
        if tag == "tr":
            self.cells = []
        self.inside = (
            tag
            if tag in ("td", "th")
            else "seat"
            if tag == "span" and kind == "name"
            else "count"
            if tag == "b"
            else self.inside
        )
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag):
        if tag == "tr":
            self.rows.append((self.table, self.cells))
        if tag in ("td", "th", "span", "b"):
            self.inside = self.inside if tag == "span" and self.inside in ("td", "th") else ""

    def handle_data(self, data):
        if self.inside in ("td", "th"):
            self.cells[-1] += data
        elif self.inside in ("seat", "count") and self.seats:
            self.seats[-1].append(data)


def test_the_page_agrees(hosted, recount, tally, run, tmp_path):
    """The page's standings and the numbers of every round; the score sheets add up to the scores."""
    pytest.importorskip("matplotlib")
    run("report", "-o", tmp_path / "evening.html")
    page = (tmp_path / "evening.html").read_text()
    tables = Tables(page)
    standings = {
        row[0]: tuple(map(int, (row[4], row[2], row[3]))) for table, row in tables.rows[1:] if table == "standings"
    }
    assert standings == tally
    for seats, played, (curve, _) in zip(tables.seats, hosted[0].rounds, recount, strict=True):
        assert seats == [each for pair in zip(played.names, map(str, curve[-1]), strict=True) for each in pair]
    assert page.count("<svg xmlns") == 12
    sheets = [row for table, row in tables.rows if table == "sheet"]
    assert len([row for row in sheets if "=" not in "".join(row)]) == 3  # the heads
    for played, (curve, _) in zip(hosted[0].rounds, recount, strict=True):
        if support_of_game(played.game).HAS_SHEET:
            assert any(row[0].endswith(f"= {curve[-1][0]}") for row in sheets)
            assert any(row[1].endswith(f"= {curve[-1][1]}") for row in sheets)


def test_the_text_agrees(hosted, recount, tally, run, tmp_path):
    """The Markdown's standings and the numbers of every round."""
    run("report", "2026-11-20", "-o", tmp_path / "evening.md")
    text = (tmp_path / "evening.md").read_text()
    most = max(won for _, won, _ in tally.values())
    name = next(name for name, (_, won, _) in tally.items() if won == most)
    assert text.startswith(f"# {name} wins the evening, {most} of 12\n")
    for name, (played, won, drawn) in tally.items():
        assert f"| {name} | {won} | {drawn} | {played} |" in text
    parts = text.split("\n## ")[1:]
    for part, played, (curve, winners) in zip(parts, hosted[0].rounds, recount, strict=True):
        for seat, name in enumerate(played.names, 1):
            mark = "**" if seat in winners else ""
            assert f"| {mark}{name}{mark} | {mark}{curve[-1][seat - 1]}{mark} |" in part


def test_the_picture_is_one(run, tmp_path):
    """The report as a picture: four rows of three rounds."""
    pytest.importorskip("matplotlib")
    run("report", "-o", tmp_path / "evening.png")
    with Image.open(tmp_path / "evening.png") as picture:
        assert picture.format == "PNG"
        assert picture.height > picture.width > 1200


@pytest.mark.parametrize(
    ("results", "said"),
    [
        (("", ""), "Two rounds of 27, none of them finished"),
        (("1 0 winners 1", ""), "Two rounds of 27, one of them finished"),
        (("1 0 winners 1", "1 0 winners 1"), "Two rounds of 27"),
    ],
)
def test_an_evening_says_how_much_of_it_is_finished(results, said):
    """Only if that is not all of it."""
    kept = [RoundSummary(at, "27", ("Ann", "Ben"), result, "", 1, "over") for at, result in enumerate(results, 1)]
    rounds = tuple(ReportedRound(each, None, None, None, None) for each in kept)
    assert str(summary_line(Evening(date(2026, 11, 20), rounds, ()))) == said


def test_an_evening_without_rounds_is_a_sentence(hosted, capsys, tmp_path):
    """A date without rounds, a file of an unknown kind, a library that is missing."""
    data = str(hosted[1])
    for words, said in (
        (["2026-11-21", "-o", "a.md"], "there are no rounds from the evening of 2026-11-21"),
        (["-o", "a.pdf"], "must end in one of"),
        (["yesterday", "-o", "a.md"], "write a date like 2026-11-21"),
    ):
        assert main(["report", "--data", data, *words]) == 2
        err = capsys.readouterr().err
        assert said in err
        assert err.count("\n") == 1


def test_a_missing_library_is_a_sentence(hosted, capsys, tmp_path, monkeypatch):
    """Without the libraries of the extra, a page and a picture say how to get them, and the text needs none."""
    for library in ("jinja2", "matplotlib"):
        monkeypatch.setitem(sys.modules, library, None)
    for ending, status in ((".html", 2), (".png", 2), (".md", 0)):
        assert main(["report", "--data", str(hosted[1]), "-o", str(tmp_path / f"a{ending}")]) == status
        err = capsys.readouterr().err
        assert ("`.venv/bin/pip install -c constraints.txt '.[report]'` installs it" in err) == bool(status)
        assert err.count("\n") == bool(status)
