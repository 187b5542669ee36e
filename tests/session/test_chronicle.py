"""What the kept rounds tell on the panel: asked for, told, and gone on with."""

import queue

import pytest

from companion import session as sessions
from companion.inputs import Listed, Pressed
from companion.session.model import About, Page, Settings, Write
from companion.store.store import Store
from companion.table.loop import Table

ABOUT = About("27", (("variant", "basic"),), ("Ann", "Ben"))


class Panel:
    def show(self, image, shift=0):
        self.image = image

    def contrast(self, level):
        pass

    sleep = wake = lambda self: None


@pytest.fixture
def table(tmp_path):
    """Makes tables with a real store, at the main menu; `press` gives keys."""

    def made():
        store = Store(tmp_path)
        first = sessions.start(Settings(("Ann", "Ben")), store.past(), 0.0)
        now = 3.0
        opened = Table(first, store, [Panel()], queue.SimpleQueue(), clock=lambda: now)

        def press(*keys):
            nonlocal now
            for key in keys:
                now += 1.1
                opened.take(Pressed(key, now))
                opened.paint()
            return opened.session

        opened.press, opened.store = press, store
        press("*")  # The title goes with a press, which opens "more".
        return opened

    return made


def test_standings_lead_to_all_time(table):
    """OK on the standings of the evening asks the store for those of all time."""
    here = table()
    here.store.write([Write(1, "begin", about=ABOUT), Write(1, "result", text="12 6 winners 1")])
    session = here.press("1", "#")
    assert session.mode.kind == "ever"
    assert session.mode.lines[0].startswith("Ann\t1/1\t")
    assert here.press("*").mode.kind == "more"
    here.store.close()


def test_a_round_of_the_history_is_gone_on_with(table):
    """History → a round → OK: an unfinished round put aside is on the table again, and offered at the next start."""
    here = table()
    here.press("*", "2")  # "27" is the second game of a first evening.
    while type(here.session.mode).__name__ != "Playing":
        here.press("#")
    here.press("1", "1", "#", "*")
    end = next(at for at, item in enumerate(here.session.mode.items, 1) if item.does == "end")
    here.press(str(end), "#")
    assert here.store.past().unfinished is None
    session = here.press("*", "2", "1")
    assert (session.mode.kind, session.mode.lines[-1]) == ("round", "unfinished")
    session = here.press("#")
    assert type(session.mode).__name__ == "Playing"
    assert session.round.events == ((1, "1x1"),)
    assert here.store.past().unfinished.id == 1
    here.store.close()


def test_an_empty_history_is_told(table):
    """Without rounds the history says so."""
    here = table()
    session = here.press("2")
    assert session.mode == Page("answer", ("History", "No round is kept yet."), back=session.mode.back)
    here.store.close()


def test_an_answer_that_nobody_waits_for_changes_nothing(desk):
    """A late answer from the store does not tear the players out of their round."""
    table = desk("27")
    before = table.session
    for what in ("ever", "history", "round 1"):
        assert sessions.update(before, Listed(what, (), before.clock)) == before
