"""What is installed as root: every package in one version, by its hashes; and the README's commands, without."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import companion

TOP = Path(__file__).parent.parent.parent
LOCK = TOP / "debian" / "lock"
FILES = ("program.txt", "pins.txt", "web.txt", "report.txt", "hall.txt")
EXTRAS = ("web", "report", "hall")


def pinned_versions(text: str) -> dict[str, str]:
    r"""Package → version, of lines such as `Pillow==13.0.0 \`, with the names as an index spells them."""
    return {name.lower().replace("_", "-"): version for name, version in re.findall(r"^([\w.-]+)==(\S+)", text, re.M)}


@pytest.mark.parametrize("file", FILES)
def test_every_package_has_hashes(file):
    """Each line is a comment, a package in one version, or a hash of the package above it."""
    text = (LOCK / file).read_text()
    blocks = re.split(r"\n(?=[\w])", re.sub(r"^#.*\n", "", text, flags=re.M))
    assert blocks
    for block in blocks:
        assert re.fullmatch(r"[\w.-]+==[\w.]+( \\\n    --hash=sha256:[0-9a-f]{64})+\n?", block), block


def test_the_versions_are_those_of_the_tests():
    """The packages and the README install the same; after a change, debian/lock/make.py writes the lock."""
    constraints = pinned_versions((TOP / "constraints.txt").read_text())
    for file in FILES:
        for name, version in pinned_versions((LOCK / file).read_text()).items():
            assert constraints[name] == version, name


def test_nothing_that_the_program_needs_is_missing():
    """All dependencies are in the lock: with --no-deps a missing one would go unnoticed."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text())
    wanted = project["project"]["dependencies"]
    locked = {name for file in FILES for name in pinned_versions((LOCK / file).read_text())}
    assert {re.match(r"[\w.-]+", each)[0].lower() for each in wanted} <= locked


@pytest.mark.parametrize("extra", EXTRAS)
def test_nothing_that_an_extra_needs_is_missing(extra):
    """Each library of an extra is in the lock of its name."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text())
    wanted = {re.match(r"[\w.-]+", each)[0].lower() for each in project["project"]["optional-dependencies"][extra]}
    assert wanted <= set(pinned_versions((LOCK / f"{extra}.txt").read_text()))


def test_constraints_have_no_hashes():
    """With a hash in it, `pip install -c constraints.txt .` would refuse the checkout itself, which has none."""
    assert "--hash" not in (TOP / "constraints.txt").read_text()


def test_the_build_takes_nothing_without_a_hash():
    """Each call of pip goes by the lock."""
    rules = (TOP / "debian/rules").read_text()
    options = rules.partition("\nPIP = ")[2].partition("$(PLATFORMS)")[0].split()
    assert {"--require-hashes", "--no-deps", "--only-binary"} <= set(options)
    assert rules.count("-m pip") == 1


def test_the_package_has_the_version_of_the_program():
    """And every word of the changelog's first line is what dpkg wants."""
    changelog = (TOP / "debian/changelog").read_text()
    assert changelog.startswith(f"tabletop-companion ({companion.__version__}) stable; urgency=medium\n")
