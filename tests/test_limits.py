"""The tests themselves: each one ends, and what it starts is started as a user would start it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from companion.store.store import Store

TESTS = Path(__file__).parent
NO_MORE: dict[str, str] = {}
PROJECT = TESTS.parent / "pyproject.toml"
WAIT = """subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=-1, stdout=-1).stdout.read()"""
HUNG_TEST = f"""
import subprocess, sys

def test_hung():
    {WAIT}

def test_another():
    pass
"""
HUNG_FIXTURE = f"""
import subprocess, sys
import pytest

@pytest.fixture
def hung():
    yield
    while True:
        try:
            {WAIT}
        except BaseException:
            pass

def test_hung(hung):
    pass

def test_another():
    pass
"""


def run_tests(
    folder: Path, *arguments: object, seconds: str, environment: Mapping[str, str] = NO_MORE, **texts: str
) -> subprocess.CompletedProcess[str]:
    """Run test files with the project's own settings, and a limit in seconds for each test."""
    (folder / "conftest.py").write_text("pytest_plugins = ['homes', 'limits']")
    for name, text in texts.items():
        (folder / f"test_{name}.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-c", PROJECT, "--rootdir", folder, "-o", f"timeout={seconds}"]
    return subprocess.run(
        [*command, "-p", "no:cacheprovider", *arguments, *(folder / f"test_{name}.py" for name in texts)],
        env={**os.environ, "PYTEST_MERCY": "3", **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.drill
def test_a_hung_read_ends_by_the_limit(tmp_path):
    """With the project's settings a test that waits for ever fails, by name, and the other tests run."""
    done = run_tests(tmp_path, "-n", "1", seconds="4", read=HUNG_TEST, fixture=HUNG_FIXTURE)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "test_read.py::test_hung" in done.stdout
    assert "Failed: Timeout (>4.0s) from pytest-timeout" in done.stdout
    assert "crashed while running 'test_fixture.py::test_hung'" in done.stdout
    assert "2 failed, " in done.stdout
    assert re.search("[23] passed", done.stdout)  # A fixture is cleared away after its test.


SKIPPED = """
import pytest

@pytest.mark.parametrize("what", ["one", "two"])
def test_skipped(what):
    pytest.skip("there is none here")

def test_another():
    pass
"""


@pytest.mark.parametrize(
    ("listed", "status", "workers"),
    [("", 1, "1"), ("test_it.py::test_skipped  # a reason\n", 0, "0")],
)
@pytest.mark.drill
def test_a_skipped_test_fails_the_run_unless_it_is_on_the_list(tmp_path, listed, status, workers):
    """The drills do not pass for what was not tried."""
    (tmp_path / "allowed").write_text(f"# A line of words.\n{listed}")
    done = run_tests(tmp_path, "-n", workers, "--skips-allowed", tmp_path / "allowed", seconds="300", it=SKIPPED)
    assert done.returncode == status, done.stdout + done.stderr
    told = "NOT ALLOWED TO BE SKIPPED test_it.py::test_skipped[two]: Skipped: there is none here"
    assert (told in done.stdout) == bool(status)


def test_the_list_of_skips_names_tests_that_exist():
    """Each line has an existing test, and a reason."""
    for line in (TESTS / "skips_allowed.txt").read_text().splitlines():
        test, _, reason = line.partition("#")
        if test.strip():
            file, _, name = test.strip().partition("::")
            assert f"def {name.partition('[')[0]}" in (TESTS.parent / file).read_text()
            assert reason.strip()


def test_nothing_of_a_developers_shell_reaches_what_a_test_starts():
    """Neither Python's own variables, nor anything else that hides faults from us."""
    assert not [name for name in os.environ if name.startswith(("PYTHON", "COMPANION_TR"))]
    assert "XDG_DATA_HOME" not in os.environ


IN_A_HOME = """
import os, subprocess, sys
from pathlib import Path
import pytest
from companion import config

@pytest.fixture(scope="module")
def shared():
    return Path.home()

@pytest.mark.parametrize("turn", range(2))
def test_what_lies_at_home(shared, turn):
    assert not list(Path.home().iterdir()) and not list(shared.iterdir()) and shared != Path.home()
    found = config.load_config()
    assert (found.file, config.data_folder(found)) == (None, Path.home() / ".local/state/companion")
    said = subprocess.run(
        [sys.executable, "-m", "companion", "history"], capture_output=True, text=True, timeout=60, check=False
    )
    assert said.returncode == 2 and str(Path.home()) in said.stderr, said
    (Path.home() / "left").touch()
"""


def test_no_test_sees_the_home_of_whoever_runs_it(tmp_path):
    """Neither rounds nor a configuration there reach a test, its shared fixtures or what it starts."""
    home, service = tmp_path / "home", tmp_path / "service"
    Store(home / ".local/state/companion").close()
    Store(service).close()
    (home / ".config/companion").mkdir(parents=True)
    (home / ".config/companion/config.toml").write_text("[table]\nplayers = ['Ann', 'Ben']\n")
    names = ("STATE_DIRECTORY", "RUNTIME_DIRECTORY", "CONFIGURATION_DIRECTORY", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
    environment = dict.fromkeys(names, str(service)) | {"HOME": str(home)}
    before = sorted(home.rglob("*"))
    done = run_tests(tmp_path, "-n", "1", seconds="120", environment=environment, it=IN_A_HOME)
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(home.rglob("*")) == before


WAITS = ("run", "call", "check_call", "check_output", "communicate", "wait", "join")


def _endless(call: ast.Call) -> bool:
    """Whether a call waits for a process for ever."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in WAITS:
        return False
    if "timeout" in {keyword.arg for keyword in call.keywords}:
        return False
    name, of = call.func.attr, ast.unparse(call.func.value)
    if of == "subprocess":
        return name in ("run", "call", "check_call", "check_output")
    return name == "communicate" or (name in ("wait", "join") and not call.args and not of.startswith(("'", '"')))


def test_no_test_waits_for_ever():
    """Every wait for a process or thread has a limit, and no loop of a test is endless."""
    found = []
    for file in sorted(TESTS.rglob("*.py")):
        if "benchmarks" in file.parts:
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            waits = isinstance(node, ast.Call) and _endless(node)
            loops = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
            if waits or loops:
                found.append(f"{file.relative_to(TESTS)}:{node.lineno}: {ast.unparse(node).splitlines()[0]}")
    assert not found, "\n".join(found)
