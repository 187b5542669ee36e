"""The changelog: dated versions, the newest of which is the program's, each short enough to be read."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

from companion import __version__

TEXT = (Path(__file__).parents[1] / "CHANGELOG.md").read_text(encoding="utf-8")
HEADING = re.compile(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$", re.M)
MOST = 25
"""The most entries that somebody reads about one version."""


def test_the_program_names_the_newest_version() -> None:
    """`companion --version` prints the version at the top of the changelog."""
    assert HEADING.findall(TEXT)[0][0] == __version__


def test_versions_are_dated_and_the_newest_stands_first() -> None:
    """Every section of the changelog is a version with its date, newer ones above older ones."""
    found = HEADING.findall(TEXT)
    assert len(found) == len(re.findall(r"^## ", TEXT, re.M)) >= 3
    ordered = [(tuple(map(int, number.split("."))), date.fromisoformat(day)) for number, day in found]
    assert ordered == sorted(ordered, reverse=True)
    assert len({number for number, _ in found}) == len(found)


def test_a_version_is_short_enough_to_be_read() -> None:
    """No version lists more than anybody reads."""
    for section in HEADING.split(TEXT)[3::3]:
        assert 0 < len(re.findall(r"^- ", section, re.M)) <= MOST, section
