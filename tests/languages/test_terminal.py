"""The terminal speaks its user's language, whole: run in a language that marks each word which is a text."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pseudo_language
import pytest
from examples import first_cases_fast

from companion import __main__

RECORDS = Path(__file__).parents[1] / "records"
OWN = {*__main__.COMMANDS, *re.findall(r"\w+", """
    Ann Ben Cleo Dan Björn Player Zoe Nobody nobody Coral Reef Prime Attactics Ziggurat Tabletop Companion companion
    coral reef prime attactics ziggurat score pad list rename merge serve set up add table access tables password move
    variant expert advanced basic form cards seed cutup three four half sealed overshoot yesterday none nothing out
    evening html md png txt tcr json db journal damaged newer before br int
    Python Pillow luma oled core gpiozero lgpio pyserial
""")}  # fmt: skip
"""Names, ids and keys, which are the same in every language."""
LEFT_OUT = re.compile(
    r"`[^`]*`"  # A command.
    r"|(?:\B|\b)--?[a-z][\w-]*(?:=\S+)?"  # An option.
    r"|\{[^{}]*\}"  # The values of an argument, an object.
    r"|(?:[\w.*~-]*/)+[\w.*~-]*"  # A path.
    r"|\b[\w-]+\.(?:tcr|md|html|png|gif|json|csv|db|journal|toml)\b"
    r"|\b\w*\d\w*\b"  # A move, a version, a date.
    r"|\b[A-Z]{2,}\b"  # The name of an argument.
)


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """`run(*arguments)`: what a command prints in a made-up language, and its exit status."""
    pseudo_language.install_pseudo_language(monkeypatch)
    monkeypatch.setattr(__main__, "locale_language", lambda environ: pseudo_language.CODE)
    monkeypatch.setenv("COLUMNS", "500")
    monkeypatch.chdir(tmp_path)

    def ran(*arguments):
        try:
            status = __main__.main([str(each) for each in arguments])
        except SystemExit as left:
            status = left.code or 0
        out, err = capsys.readouterr()
        return out + err, status

    return ran


def untranslated_words(said):
    """The words that were never looked up in a catalogue, except names, keys and commands."""
    words = re.findall(r"[^\W\d_]{2,}", LEFT_OUT.sub(" ", said))
    return {word for word in words if re.search("[aceinouy]", word)} - OWN


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A data folder with rounds of all games."""
    folder = tmp_path_factory.mktemp("data")
    assert __main__.main(["import", "--data", str(folder), *map(str, sorted(RECORDS.glob("*.tcr")))]) < 2
    return folder


@pytest.mark.parametrize("command", ["", *__main__.COMMANDS])
def test_help_is_in_the_users_language(run, command):
    """What each command is and takes, with argparse's own words."""
    said, status = run(*filter(None, (command, "--help")))
    assert status == 0
    assert untranslated_words(said) == set()


ANSWERS = (
    ("history",), ("history", "--player", "Nobody"), ("standings",), ("standings", "2026-11-21"), ("players",),
    ("doctor", "--seconds", "0"), ("replay", "1"), ("replay", "5"), ("replay", "--marks", "5"),
    ("replay", "1", "--gif", "one.gif"), ("export", "--all", "out"), ("export", "--all", "out", "--check"),
    ("report", "-o", "evening.md"), ("report", "-o", "evening.txt"), ("report", "2001-01-01", "-o", "evening.md"),
    ("players", "rename", "Ann", "Ben"), ("players", "rename", "Zoe", "Ben"), ("players", "rename", "Ann"),
    ("players", "merge", "Ann", "Cleo"), ("export", "999"), ("replay", "999"), ("replay", "nothing.tcr"),
    ("standings", "yesterday"), ("history", "--since", "yesterday"), ("history", "--limit", "none"),
    ("export", "--bgstats", "--all", "out"), ("export", "--reveal", "4", "5"), ("history", "--nothing"), ("report",),
    ("rescue", "nothing.db"), ("import", "nothing.tcr"), ("play", "--game", "nothing"), ("play", "--players", "Ann"),
    ("play", "--game", "27", "--players", "Ann,Ben,Cleo"), ("play", "--game", "27", "--options", "variant=none"),
    ("play", "--game", "27", "--open", "7"), ("play", "--game", "27"), ("web", "--port", "0"),
)  # fmt: skip


@pytest.mark.parametrize("words", first_cases_fast(13, map(" ".join, ANSWERS[::3] + ANSWERS[1::3] + ANSWERS[2::3])))
def test_every_answer_is_in_the_users_language(run, data, tmp_path, words):
    """Lists, reports, findings and refusals: each word is a text, except names, keys and commands."""
    shutil.copytree(data, tmp_path / "data")
    said, _ = run(*words.split(), "--data", tmp_path / "data")
    written = [each.read_text("utf-8") for each in tmp_path.glob("*.md")]
    assert said or written
    assert untranslated_words("\n".join([said, *written])) == set()


@pytest.mark.parametrize(
    "arguments", [("nothing",), (), ("analyse",), ("analyse", "--nodes=none", "a"), ("new", "A_B")]
)
def test_every_refusal_is_in_the_users_language(run, arguments):
    """Also of a command that has no data folder."""
    said, status = run(*arguments)
    assert status == 2
    assert untranslated_words(said) == set()


def test_a_look_back_is_in_the_users_language(run):
    """Each move of a record with its mark."""
    said, status = run("analyse", "--nodes=50", RECORDS / "27-expert.tcr", RECORDS / "27-overshoot.tcr")
    assert status == 1
    assert untranslated_words(said) == set()


def test_a_french_refusal_has_its_spaces(capsys, monkeypatch):
    """No-break spaces are not written as escapes."""
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert __main__.main(["history", "3"]) == 2
    assert "arguments inconnus\u00a0: 3" in capsys.readouterr().err
