"""The pages of docs/ compared with the program: valid records, a configuration that loads, links and commands."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

from companion import config
from companion.__main__ import COMMANDS, main
from companion.commands.new import game_files
from companion.gamekit import template
from companion.rounds import record

ROOT = Path(__file__).parents[1]
ARCHITECTURE = ROOT / "docs" / "architecture.md"
ADDING = ROOT / "docs" / "adding-a-game.md"
PAGES = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "CONTRIBUTING.md"])


def fenced_blocks(page: Path, kind: str) -> list[str]:
    """The fenced blocks of one kind on a page."""
    return re.findall(rf"^```{kind}\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def test_there_is_a_page_for_each_thing_a_person_wants_to_do():
    """Playing, building, configuring, running, writing records and understanding the code have a page each."""
    names = {page.stem for page in PAGES}
    assert {"playing", "building", "configuration", "service", "records", "architecture", "adding-a-game"} <= names


@pytest.mark.parametrize("text", fenced_blocks(ROOT / "docs" / "records.md", "tcr"))
def test_the_records_of_the_docs_are_valid(text):
    """Whoever copies a record from the page gets a valid one."""
    assert record.check_record(text).fault is None


def test_the_wrong_record_of_the_docs_is_refused():
    """The page's example of a mistake is one, in the line that the page names."""
    (text,) = fenced_blocks(ROOT / "docs" / "records.md", "tcr wrong")
    fault = record.check_record(text).fault
    assert fault is not None
    assert fault.line == len(text.splitlines())


def test_the_configuration_of_the_docs_loads_and_names_every_key(tmp_path):
    """The page shows every key of the configuration once, and the whole block can be used as it is."""
    (text,) = fenced_blocks(ROOT / "docs" / "configuration.md", "toml")
    config.parse_config(text, tmp_path / "config.toml")
    shown = {}
    for line in text.splitlines():
        if section := re.fullmatch(r"\[(\w+)\]", line):
            shown[section[1]] = set()
        elif key := re.match(r"(\w+) = ", line):
            shown[list(shown)[-1]].add(key[1])
    assert shown == {name: set(keys) for name, (_, keys) in config.SECTIONS.items()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_and_commands_exist(page):
    """A link into the project leads somewhere, and a command that a page mentions is one."""
    text = page.read_text(encoding="utf-8")
    linked = [path.split("#")[0] for path in re.findall(r"\]\(([^)]+)\)", text) if "://" not in path]
    assert [path for path in linked if path and not (page.parent / path).exists()] == []
    code = "\n".join(re.findall(r"```.*?```|`[^`\n]+`", text, re.S))
    named = set(re.findall(r"(?:^|[\s`/])companion ([a-z]+)", code, re.M)) - {"companion"}
    assert named <= set(COMMANDS)


def run_command(capsys, *words):
    """What a command prints, and its exit status."""
    try:
        status = main(list(words))
    except SystemExit as end:
        status = end.code
    return capsys.readouterr().out, status


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.stem)
def test_a_command_takes_the_options_that_a_page_gives_it(page, capsys):
    """Each option in a line about a command is one that its help explains."""
    for line in page.read_text(encoding="utf-8").splitlines():
        options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", line)) - {"--help"}
        named = set(re.findall(r"(?:^|[\s`/])companion ([a-z]+)(?: (set-up|add-table|serve))?", line))
        if options and named:
            helped = "".join(run_command(capsys, *filter(None, words), "--help")[0] for words in named)
            assert [option for option in options if option not in helped] == [], line


def test_the_commands_of_the_docs_do_what_they_say(tmp_path, monkeypatch, capsys):
    """The record of the page is checked, imported, exported and drawn by the commands as the pages write them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    text = fenced_blocks(ROOT / "docs" / "records.md", "tcr")[0]
    Path("a.tcr").write_text(text, encoding="utf-8")
    Path("mine.tcr").write_text(text, encoding="utf-8")
    pages = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    for command in (
        "companion check a.tcr",
        "companion import a.tcr",
        "companion replay mine.tcr --png pictures",
        "companion export --all backup",
        "companion export --all backup --check",
        "companion import backup",
    ):
        assert command in pages or (command.startswith("companion import ") and "companion import FILE…" in pages)
        said, status = run_command(capsys, *command.split()[1:])
        assert status == 0, (command, said)
    assert len(list(Path("pictures").glob("*.png"))) == len(record.check_record(text).events) + 1
    assert [record.check_record(path.read_text()).fault for path in Path("backup").rglob("*.tcr")] == [None]


def test_the_files_that_the_architecture_names_exist():
    """Whatever looks like a path of the project on the page is one."""
    named = set(re.findall(r"`((?:companion|hardware|tests)/[\w/.]+)`", ARCHITECTURE.read_text(encoding="utf-8")))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_methods_that_the_architecture_names_exist():
    """Each `Class.method` of the page exists, so that a reader can follow a key or a message through the code."""
    named = set(re.findall(r"`([A-Z]\w+\.\w+)[`,(]", ARCHITECTURE.read_text(encoding="utf-8")))
    texts = [file.read_text("utf-8") for top in ("companion", "hardware") for file in (ROOT / top).rglob("*.py")]
    owners = re.compile(rf"^class (?:{'|'.join(name.partition('.')[0] for name in named)})\b", re.M)
    trees = [ast.parse(text) for text in texts if owners.search(text)]
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    members = {f"{each.name}.{name}" for each in classes for part in each.body for name in members_of(part)}
    assert len(named) > 5
    assert named - members == set()


def members_of(part: ast.stmt) -> list[str]:
    """The names that a statement in the body of a class defines: methods and fields."""
    match part:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return [name]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case _:
            return []


def test_the_code_of_adding_a_game_is_the_new_game_s():
    """What the page shows of the games of `companion new` is in them word for word."""
    shown = re.findall(r"^ *```python (new|hands) (\S+)\n(.*?)^ *```", ADDING.read_text(encoding="utf-8"), re.M | re.S)
    assert shown
    folders = {
        "new": Path(template.__file__).parent,
        "hands": Path(template.__file__).parent.with_name("template_hands"),
    }
    for folder, file, code in shown:
        assert bare_code(code) in bare_code((folders[folder] / file).read_text(encoding="utf-8"))


def bare_code(code: str) -> str:
    """Code without blank lines and indentation, in which a page may differ."""
    return "\n".join(filter(None, map(str.strip, code.split("\n"))))


def test_the_steps_of_adding_a_game_are_enough(tmp_path):
    """With the entry point of the page the game is found, and the test of the page passes in a new process."""
    text = ADDING.read_text(encoding="utf-8")
    (point,) = re.findall(r"^ *```toml\n(.*?)^ *```", text, re.M | re.S)
    (test,) = re.findall(r"^ *```python test\n(.*?)^ *```", text, re.M | re.S)
    ((name, package),) = tomllib.loads(textwrap.dedent(point))["project"]["entry-points"]["companion.games"].items()
    for path, content in game_files(name).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    info = tmp_path / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: kalah-at-the-table\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[companion.games]\n{name} = {package}\n")
    program = f"{textwrap.dedent(test)}\ntest_the_contract()\nprint('holds')\n"
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, timeout=250)
    assert done.stdout == "holds\n", done.stderr


def test_the_grid_of_the_screens_is_the_kit_s():
    """The page of the screens names the rows and sizes of the drawing kit."""
    from companion.display import lists
    from companion.panel import fonts, seat_tabs, widgets

    text = (ROOT / "docs" / "screens.md").read_text(encoding="utf-8")
    said = re.sub(r"\s+", " ", text)
    assert f"| first row | 0–{seat_tabs.TAB_ROWS - 1} |" in text
    assert f"| last line | {widgets.LAST_LINE_ROW - 1}–{widgets.LAST_LINE_ROW + fonts.CONDENSED.capital_rows} |" in text
    rows = [widgets.WORDS_ROW + widgets.LINE_PITCH * line for line in range(widgets.MAX_LINES)]
    assert f"on row {widgets.TITLE_ROW} in a title, on rows {rows[0]}, {rows[1]} and {rows[2]} in words" in said
    assert f"on row {widgets.LAST_LINE_ROW} in the last line" in said
    assert f"bold, its capitals {fonts.CONDENSED.capital_rows} rows high" in said
    assert f"(`HEADING`, {fonts.HEADING.capital_rows} rows high)" in said
    assert (
        f"are {fonts.BIG.capital_rows} rows high (`BIG`) where there is room, else {fonts.MIDDLE.capital_rows}" in said
    )
    assert f"with capitals of {fonts.TEXT.capital_rows} rows" in said
    assert (lists.MAX_ROWS, lists.ROW_PITCH) == (4, 12)
    assert "Four rows of 12, or three under a title." in said
    assert f"The rows then end on column {widgets.LAST_COLUMN_BESIDE_BAR}." in said
