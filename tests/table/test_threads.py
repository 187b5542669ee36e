"""The devices' threads: what has ended is told once, and mended where that helps."""

import threading

import pytest

from companion.commands.tables import Inputs
from companion.inputs import DeviceLost, Tick
from companion.table.threads import Health


class Threads:
    """Devices of which some can be revived and some stay dead."""

    def __init__(self) -> None:
        self.ended: list[str] = []
        self.gone: list[str] = []

    def revive(self) -> list[str]:
        ended, self.ended = self.ended, []
        return ended

    def dead(self) -> list[str]:
        return self.gone


@pytest.fixture
def watch():
    """Makes (threads, health, said, inputs)."""

    def made(watched: bool = True):
        said: list[str] = []
        inputs = Inputs(said.append)
        threads = Threads()
        return threads, Health(threads, inputs, watched), said, inputs.queue

    return made


def test_all_is_well(watch):
    """Nothing is said of threads that live, and a table without devices is always well."""
    _, health, said, queue = watch()
    assert health.check()
    assert Health(None, Inputs(), True).check()
    assert said == []
    assert queue.empty()


def test_what_is_mended(watch):
    """A thread that was started anew is a sentence on the panel and in the journal, and all is well."""
    threads, health, said, queue = watch()
    threads.ended = ["keypad"]
    assert health.check()
    assert queue.get_nowait() == DeviceLost("program", "Keypad stopped:\nstarted anew")
    assert health.check()
    assert said == ["the keypad stopped: it was started anew"]


@pytest.mark.parametrize(("watched", "second"), [(True, "the table restarts"), (False, "restart the table")])
def test_what_cannot_be_mended(watch, watched, second):
    """It is told once, and the watchdog is fed no more; without one, the players are told to restart."""
    threads, health, said, queue = watch(watched)
    threads.gone = ["buttons"]
    assert not health.check()
    assert not health.check()
    assert said == ["the buttons stopped: only a restart of the program helps"]
    assert queue.get_nowait().why == f"Buttons stopped:\n{second}"
    assert queue.empty()


def test_a_thread_that_ends_by_an_error(watch, capsys):
    """Its error is a part of the sentence, wakes the loop at once, and is no traceback."""
    threads, health, said, queue = watch()

    def fail():
        raise ValueError("no such thing")

    with health.listening():
        for name in ("keypad", "another"):
            one = threading.Thread(target=fail, name=name)
            one.start()
            one.join(60)
    assert isinstance(queue.get_nowait(), Tick)
    threads.ended = ["keypad"]
    health.check()
    assert said == [
        "an error in the program itself, in a thread beside the table (ValueError: no such thing)",
        "the keypad stopped (ValueError: no such thing): it was started anew",
    ]
    assert capsys.readouterr().err == ""
