"""What is saved, and what other programs read, is the same in every language."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pseudo_language
import pytest
from examples import first_cases_fast

from companion import __main__, display
from companion.evening.screens.play import round_actions
from companion.languages import catalogues
from companion.rounds.record import check_record
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory
from companion.table.public_state import public_state

RECORDS = Path(__file__).parents[1] / "records"
NAMES = ("Ann", "Ben", "Cleo", "Dan")


@pytest.mark.parametrize("name", first_cases_fast(1, ["coral-reef-sealed", "27-expert", "prime-attactics-sealed"]))
def test_a_round_is_saved_and_sent_as_in_english(table_class, monkeypatch, name):
    """A whole round with each picture drawn: the log, and everything that the socket sends except the picture."""
    report = check_record((RECORDS / f"{name}.tcr").read_text(encoding="utf-8"))
    header = RoundHeader(report.header.game, tuple(report.header.options.items()), NAMES[:2])

    def played(language):
        desk = table_class(SessionSettings((), header), StoredHistory(language=language))
        pictures, told = [], []
        for _, move in report.events:
            desk.session = round_actions.play_event(desk.session, str(move))
            desk.carry_out()
            pictures.append(display.session_picture(desk.session).tobytes())
            told.append({key: value for key, value in public_state(desk.session).items() if key != "panel"})
            while desk.family == "Notice":
                desk.press("#")
        return desk.saved_lines, json.dumps(told), pictures

    kept, told, pictures = played("en")
    pseudo_language.install_pseudo_language(monkeypatch)
    for language in (pseudo_language.CODE, *catalogues.available_languages()[1:]):
        again = played(language)
        assert again[:2] == (kept, told)
        assert language != pseudo_language.CODE or again[2] != pictures
    assert kept[-1].kind == "result"


FOR_PROGRAMS = (
    ("history", "--json"), ("history", "--csv"), ("standings", "--json"), ("standings", "--csv"), ("players", "--json"),
    ("export", "1"), ("export", "5"), ("export", "--reveal", "4"), ("export", "26", "--json"), ("export", "26"),
    ("export", "1", "--bgstats"), ("doctor", "--json", "--seconds", "0"),
    ("history", "--json", "--since", "never"),
)  # fmt: skip
"""What other programs read of a data folder."""
NAMED = ("27-expert", "27-overshoot", "coral-reef-half-sealed", "ziggurat-sloppy")
COMMANDS = [RECORDS / f"{name}.tcr" for name in NAMED]
OF_RECORDS = (
    *((*command, path) for command in (("check",), ("check", "--json"), ("moves",), ("moves", "--json"))
      for path in COMMANDS),
    ("analyse", "--json", "--nodes=50", COMMANDS[0]), ("check",), ("moves", "nothing.tcr"), ("check", "--nothing"),
)  # fmt: skip
"""What they read of records."""
OF_ITS_TIME = re.compile(
    r"\b[0-9a-f]{32}\b|\b[0-9a-f]{8}(?:[0-9a-f]{4})?\b|\b\d{4}-\d\d-\d\d[T ][\d:+.]+"
    r"|\d+ ms|[\d.]+ GB|\"seconds\": [\d.]+"
)
"""What is another one at each run: identities, sums, the present time, free space."""
PAD = {
    "game": "pad", "title": "Game", "date": "2026-11-21T20:15:00+01:00", "players": ["Ann", "Ben"], "wins": "highest",
    "target": None, "turns": None, "entries": [{"seat": 1, "points": 5}], "totals": [5, 0], "over": True,
    "winners": ["Ann"],
}  # fmt: skip


@pytest.fixture
def told(monkeypatch, capsys, tmp_path):
    """`told(language)`: everything that commands write for other programs when a user has this language."""
    pseudo_language.install_pseudo_language(monkeypatch)
    monkeypatch.chdir(tmp_path)
    Path("pad.json").write_text(json.dumps(PAD), encoding="utf-8")

    def all_told(language):
        monkeypatch.setattr(__main__, "locale_language", lambda environ: language)

        def ran(*arguments):
            status = __main__.main([str(each) for each in arguments])
            return status, *(OF_ITS_TIME.sub("…", each) for each in capsys.readouterr())

        ran("import", "--data", "data", *sorted(RECORDS.glob("*.tcr")), "pad.json")
        found = {" ".join(each): ran(*each, "--data", "data") for each in FOR_PROGRAMS}
        found |= {" ".join(map(str, each)): ran(*each) for each in OF_RECORDS}
        ran("players", "rename", "Cleo", "Zoe", "--data", "data")
        ran("export", "--all", "out", "--data", "data")
        kept = [Path("data/rounds.journal"), *sorted(Path("out").iterdir())]
        found |= {path.name: OF_ITS_TIME.sub("…", path.read_text("utf-8")) for path in kept}
        for folder in ("data", "out"):
            shutil.rmtree(folder)
        return found

    return all_told


def test_what_programs_read_is_english_whatever_the_terminal_speaks(told):
    """JSON, CSV, records, answers of `check` and `moves`, stored rounds: equal to the byte in every language."""
    english = told("en")
    assert [english[what][0] for what in ("history --json", "export 26 --json", "export 5")] == [0, 0, 0]
    assert len(english) > 50
    for language in (pseudo_language.CODE, *catalogues.available_languages()[1:]):
        for what, said in told(language).items():
            assert said == english[what], (language, what)
