"""A screen that is listed nowhere: a page with keys, a time and letters of its own needs one class and nothing else."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import TYPE_CHECKING

from screen_classes import screen_classes

import companion
from companion import display
from companion.evening import state_machine
from companion.evening.contents import kinds
from companion.evening.model import Screen, Session
from companion.evening.screens.base_screen import current_base_screen
from companion.games.api.text import plural_text
from companion.inputs import KeyPressed, StopRequested, Tick
from companion.table.public_state import public_state
from companion.web.app import render_table

if TYPE_CHECKING:
    from collections.abc import Iterator


class Tea(Screen):
    """Tea for the table. OK pours another cup, BACK leaves, and when the tea is finished the table comes back."""

    cups: int
    until: float

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#":
            return session.replace_screen(self._replace(cups=self.cups + 1))
        return session.close_screen() if key == "*" else session

    def next_change_time(self, session: Session) -> float | None:
        return self.until

    def tick(self, session: Session) -> Session:
        return session.close_screen()

    def content(self, session: Session) -> kinds.Content:
        poured = plural_text(self.cups, "{number} cup of tea", "{number} cups of tea")
        return kinds.Reading("Tea", (poured,), kinds.ok_and_back_hints("pour", "leave"))


def tea(new_table) -> object:
    table = new_table("27")
    table.session = state_machine.mark_shown(
        table.session.open_screens(Tea(1, table.now + 60))._replace(taps=table.session.taps._replace(shown_at=None)),
        table.now,
    )
    return table


def test_ok_and_back_work_and_back_leads_to_the_round(new_table):
    """OK and BACK do what the class says, other keys nothing, and the round is still there afterwards."""
    table = tea(new_table)
    floor = current_base_screen(table.session)
    table.press("5", "#", "#")
    assert table.session.screen.cups == 3
    table.press("*")
    assert table.session.screen == floor


def test_it_closes_by_itself_in_time(new_table):
    """The loop wakes up when the screen's time has come, and not before."""
    table = tea(new_table)
    until = table.session.screen.until
    assert state_machine.next_change_time(table.session) <= until
    assert isinstance(state_machine.update_session(table.session, Tick(until - 0.1)).screen, Tea)
    after = state_machine.update_session(table.session, Tick(until))
    assert after.screen == current_base_screen(table.session)


def test_panel_socket_and_web_page_show_it(new_table):
    """Each of them draws the screen by its kind of content."""
    table = tea(new_table)
    table.press("#")
    told = json.loads(json.dumps(public_state(table.session)))
    assert told["moment"] == "tea"
    assert told["content"]["kind"] == "reading"
    assert told["content"]["paragraphs"] == ["2 cups of tea"]
    assert [each["says"] for each in told["content"]["answers"]] == ["pour", "leave"]
    assert "2 cups of tea" in render_table(told | {"board": ""})  # A board is not taken away.
    less = table.session.replace_screen(table.session.screen._replace(cups=1))
    assert display.session_picture(table.session).tobytes() != display.session_picture(less).tobytes()


def test_the_rest_of_the_session_works_over_it(new_table):
    """A long BACK takes nothing back there, the plug may be pulled, and a keyboard's letter does nothing."""
    table = tea(new_table)
    table.press("z")
    assert table.session.screen.cups == 1
    assert isinstance(
        state_machine.update_session(table.session, KeyPressed("take-back", table.now + 2)).screen, Screen
    )
    assert state_machine.update_session(table.session, StopRequested(table.now + 3)).is_stopping


def class_names_tested_for(tree: ast.Module) -> Iterator[set[str]]:
    """The names of the classes for which a module tests with `isinstance` and `match`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
            yield {each.id for each in ast.walk(node.args[1]) if isinstance(each, ast.Name)}
        if isinstance(node, ast.Match):
            classes = (each.cls for each in ast.walk(node) if isinstance(each, ast.MatchClass))
            yield {each.id for each in classes if isinstance(each, ast.Name)}


def test_no_module_lists_the_screens():
    """Screens differ by their methods. No module tests for classes of screens that are written elsewhere."""
    kinds_ = {base for kind in screen_classes() for base in kind.__mro__ if issubclass(base, Screen)}
    homes = {kind.__name__: kind.__module__ for kind in kinds_}
    root = Path(companion.__file__).parent
    for path in root.rglob("*.py"):
        module = ".".join(("companion", *path.relative_to(root).with_suffix("").parts))
        for names in class_names_tested_for(ast.parse(path.read_text("utf-8"))):
            assert len([name for name in names if homes.get(name, module) != module]) < 2, (module, names)


def test_no_field_of_a_screen_hides_a_method():
    """A field with the name of a method would be out of reach, since the methods are found first."""
    taken = set(vars(Screen)) - set(vars(object))
    assert not {kind: names for kind in screen_classes() if (names := taken & set(getattr(kind, "_fields", ())))}
