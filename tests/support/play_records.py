"""Plays records to their end at a table, without hints, reviews and computer players, and prints the loaded modules.

Its arguments are a folder for the store, and the records. It prints one module a line.
"""

from __future__ import annotations

import queue
import sys
from pathlib import Path
from typing import Any

from game_support import support_of_game
from list_screens import list_texts

from companion.evening import state_machine
from companion.evening.screens.messages import Notice
from companion.evening.screens.play.dealing import NamingScreen
from companion.evening.screens.play.round_over import RoundOver
from companion.evening.screens.play.table_menu import TableMenu
from companion.inputs import Input, KeyPressed, Tick
from companion.rounds.record import check_record
from companion.rounds.stored import RoundHeader, SessionSettings
from companion.store.store import Store
from companion.table.loop import TableLoop
from companion.table.table_devices import InputQueue
from companion.table.workers import Workers


class SilentPanel:
    """A display that shows nothing."""

    def show(self, image: Any, shift: int = 0) -> None:
        """Take a picture."""

    def contrast(self, level: int) -> None:
        """Be dimmed or bright."""

    def sleep(self) -> None:
        """Be dark."""

    wake = sleep


class RecordedRound:
    """A table with its store and workers, at the start of a recorded round; time passes with the keys."""

    def __init__(self, store: Store, path: Path) -> None:
        report = check_record(path.read_text(encoding="utf-8"))
        assert report.header is not None
        header, self.report, self.now = report.header, report, 0.0
        opened = tuple(sorted(report.deals, key=lambda deal: (deal[1], deal[0])))
        names = ("Ann", "Ben", "Cleo", "Dan")[: len(header.players or "12")]
        requested = RoundHeader(header.game, tuple(header.options.items()), names, opened=opened)
        inputs = InputQueue(print)
        inputs.queue = waiting = queue.Queue[Input]()
        workers = Workers(store.folder, inputs, lambda: None)
        first = state_machine.start_session(SessionSettings(("Ann", "Ben"), requested), store.load_history(), self.now)
        self.table = TableLoop(
            first,
            store,
            [SilentPanel()],
            waiting,
            clock=lambda: self.now,
            start_request=workers.start_request,
            on_shown=workers.on_shown,
        )
        self.table.show_first_session()

    def press(self, keys: str) -> None:
        """Press keys, and draw a picture after each."""
        for key in keys:
            self.now += 1.1
            self.table.take_input(KeyPressed(key, self.now))
            self.table.paint()

    def wait_until_dark(self) -> None:
        """Wait until the panel is dark, and light it again with a key."""
        while self.table.session.light != "off":
            self.now = max(self.now, state_machine.next_change_time(self.table.session) or self.now)
            self.table.take_input(Tick(self.now))
            self.table.paint()
        self.press("*")

    def play_to_the_end(self) -> None:
        """Name the open holdings, wait, play every event, close the notices, and open the table menu."""
        support, rules = support_of_game(self.report.header.game), self.report.rules
        while (
            isinstance(moment := self.table.session.screen, NamingScreen) and self.table.session.round.missing_holdings
        ):
            self.press(support.keys_of_deal(rules.format_deal(self.report.deals[moment.kind, moment.seat])) + "#")
        self.wait_until_dark()
        for _, move in self.report.events:
            self.press(support.keys_of_event(str(move)) + "#")
            self._close()
        assert isinstance(self.table.session.screen, RoundOver), self.table.session.screen
        self.press("*")
        assert isinstance(self.table.session.screen, TableMenu)
        assert "What decided it?" in list_texts(self.table.session)

    def _close(self) -> None:
        while isinstance(self.table.session.screen, Notice):
            self.press("#")


def main(folder: str, *records: str) -> None:
    """Play the records one after the other, and print the modules."""
    store = Store(Path(folder))
    for record in records:
        RecordedRound(store, Path(record)).play_to_the_end()
    store.close()
    print(*sorted(sys.modules), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
