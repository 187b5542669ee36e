"""The loop: takes one input off the queue, updates the session, saves it and paints it. Only here does time pass.

An input takes effect only once it is on disk:

    next_input ──> update ──> save ──> session ──> paint
                               │ the disk refuses: the session stays as it was, and a banner says why
                               └ another program has locked the store: the input waits, and so do all behind it
"""

from __future__ import annotations

import contextlib
import math
import queue
import time
from collections import deque
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING

from companion import display
from companion.evening import state_machine
from companion.evening.screens.box_checks import DISK_DEVICE
from companion.inputs import (
    DeviceMissing,
    DeviceReturned,
    HelperRequest,
    Input,
    KeyPressed,
    NameChangeRequest,
    QueryResult,
    Request,
    SearchRequest,
    SessionRequest,
    StopRequested,
    StoredRoundChangeRequest,
    Tick,
)
from companion.languages import os_error_text, text
from companion.replacing import replace_file
from companion.store.data_folder import SCREEN_FAULTS_NAME
from companion.store.errors import StoreBusyError, StoreError
from companion.store.store_warnings import WarningKind
from companion.table.store_access import change_rounds, requested_store_rows, watching_slow_disk
from companion.table.table_devices import PanelGroup

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.model import Session
    from companion.evening.session_values import BoxSettings, PhoneAnswer
    from companion.store.store import Store
    from companion.table.service import Watchdog
    from companion.table.table_devices import Lamps, PanelDevice

LONGEST_UNPAINTED_SECONDS = 0.25
"""A burst of presses delays the next picture this long at most. A picture takes longer to send than a press to come."""

WARNING_BANNERS = {
    WarningKind.MENDED: text("Damage repaired:\nnothing is lost"),
    WarningKind.DAMAGED: text("Old rounds damaged:\nset aside, play on"),
    WarningKind.LAST_ENTRY: text("The last entry may\nbe missing: check it"),
    WarningKind.CUT: text("Last entries may\nbe missing: check"),
    WarningKind.NO_ROOM: text("The disk is full:\nmake room"),
    WarningKind.AWAY: text("No second disk:\nboth copies here"),
    WarningKind.FOREIGN: text("Second disk belongs\nto another table"),
    WarningKind.BACK: text("The second disk\nhas all rounds"),
}
"""The store's warnings, shortened for the panel. If there are several, the one that comes first here is shown."""

BUSY_BANNER = text("Another program is\nusing the rounds")
"""The banner while inputs wait because another program has locked the store."""

SAVING_BANNER = text("Saving…")
"""The banner while a slow disk writes."""
READING_BANNER = text("Reading…")
"""The banner while a slow disk reads."""

BUSY_WAIT_SECONDS = 5.0
"""How long inputs wait while another program has locked the store; then they are dropped."""

RESEND_PAUSE_SECONDS = 10.0
"""At the first key after a pause of this length the whole picture is sent again.

The panel may have lost its memory meanwhile, which it cannot report."""

STORE_RETRY_SECONDS = 0.1
"""The pause between two attempts to write to a locked store."""


class TableLoop:
    """The table while it is open.

    Args:
        session: the first session.
        store: where log entries are saved before their effect is shown.
        panels: each gets every picture.
        inputs: the queue that all devices put inputs on.
        lamps: the lamps of the seats and the buzzer; None for none.
        save_settings: saves the settings of the box when they have changed, given those before and after.
        watchdog: fed by the loop itself, while `check_threads` returns true; None without one.
        clock: monotonic seconds.
        write_log: called with each sentence about the disk.
        on_shown: called with each session after its picture; must return at once.
        send_reply: called with each reply to a phone.
        start_request: starts a request of the session that is not about stored rounds; the answer comes as an input.
        check_threads: returns whether the devices' threads are running; called whenever the loop wakes.
        resend_picture: called after the picture of the first key that follows a pause of `RESEND_PAUSE_SECONDS`; must
            return at once.
        on_round_end: called when a result has been saved; must return at once.
    """

    def __init__(
        self,
        session: Session,
        store: Store,
        panels: list[PanelDevice],
        inputs: queue.Queue[Input],
        *,
        lamps: Lamps | None = None,
        watchdog: Watchdog | None = None,
        save_settings: Callable[[BoxSettings, BoxSettings], object] = lambda before, after: None,
        clock: Callable[[], float] = time.monotonic,
        write_log: Callable[[str], object] = lambda sentence: None,
        start_request: Callable[[Request | SearchRequest | HelperRequest], object] = lambda request: None,
        on_shown: Callable[[Session], object] = lambda session: None,
        send_reply: Callable[[PhoneAnswer], object] = lambda answer: None,
        check_threads: Callable[[], bool] = lambda: True,
        resend_picture: Callable[[], object] = lambda: None,
        on_round_end: Callable[[], object] = lambda: None,
    ) -> None:
        self.session = session
        self.store = store
        self.panels = PanelGroup(panels, session.box.brightness)
        self.inputs = inputs
        self._lamps = lamps
        self._save_settings = save_settings
        self._watchdog = watchdog
        self._shows_wait_banner = False  # The panel shows the banner of a slow disk.
        self.clock = clock
        self._next_feed_at = clock()
        self._painted_at = clock()
        self._write_log = write_log
        self._screen_fault_count = 0
        with suppress(OSError):
            (store.folder / SCREEN_FAULTS_NAME).unlink(missing_ok=True)
        self._last_disk_problem = ""
        self._start_request = start_request
        self._on_shown = on_shown
        self._send_reply = send_reply
        self._check_threads = check_threads
        self._on_round_end = on_round_end
        self._resend_picture = resend_picture
        self._pressed_at = clock()
        self._is_after_pause = False  # The last key followed a long pause, and its picture is not shown yet.
        self._warned_at: float | None = None  # when a warning was painted; infinite until then
        self._waiting_inputs: deque[Input] = deque()  # Inputs that could not be saved yet, the oldest first.
        self._drop_inputs_at = 0.0

    def show_first_session(self) -> None:
        """Save and show the first session."""
        try:
            self._save(self.session)
        except StoreBusyError as error:  # The session's entries are saved with the first input.
            self._report_disk_problem(str(error), BUSY_BANNER)
        self.paint()

    def run(self) -> None:
        """Process inputs until the session stops; the last picture stays on the panel."""
        while not self.session.is_stopping:
            self.take_input(self.next_input())
            if self.inputs.empty() or self.clock() - self._painted_at > LONGEST_UNPAINTED_SECONDS:
                self.paint()
                self.tidy_store()
        self.paint()

    def tidy_store(self) -> None:
        """Let the store do the work that it puts off while a round is played."""
        if not self.store.needs_tidying:
            return
        with self._waiting_for_disk(SAVING_BANNER):
            self.store.tidy_up()
        if self._shows_wait_banner:
            self.paint()

    def take_input(self, input_: Input) -> None:
        """Process one input, which takes effect only once it is saved completely.

        If another program has locked the store, this input and all that follow wait in order, and the loop continues.
        After `BUSY_WAIT_SECONDS` all of them are dropped.
        """
        if self._warned_at is not None and isinstance(input_, KeyPressed) and input_.at >= self._warned_at:
            self.store.confirm_warnings()
            self._warned_at = None
        if isinstance(input_, KeyPressed):
            self._is_after_pause |= input_.at - self._pressed_at >= RESEND_PAUSE_SECONDS
            self._pressed_at = input_.at
        if isinstance(input_, StopRequested):
            self._waiting_inputs.clear()
        elif not self._waiting_inputs:
            self._drop_inputs_at = self.clock() + BUSY_WAIT_SECONDS
        self._waiting_inputs.append(input_)
        while self._waiting_inputs:
            try:
                self._save(
                    display.clamp_to_last_page(state_machine.update_session(self.session, self._waiting_inputs[0]))
                )
            except StoreBusyError as error:
                if self.clock() < self._drop_inputs_at:
                    self._report_disk_problem(str(error), BUSY_BANNER)
                    return
                self._waiting_inputs.clear()  # Without the first, the later ones may mean nothing.
                self._report_disk_problem(str(error), str(error))
                return
            self._waiting_inputs.popleft()

    def paint(self) -> None:
        """Show the session, and mark in it when its picture was sent."""
        self._shows_wait_banner = False
        self.panels.show_session(self.session)
        if len(display.screen_faults()) > self._screen_fault_count:
            self._report_screen_faults()
        if self._is_after_pause:
            self._is_after_pause = False
            self._resend_picture()
        self._painted_at = self.clock()
        if self._warned_at == math.inf:
            self._warned_at = self.session.now
        self.session = state_machine.mark_shown(self.session, self._painted_at)
        self._on_shown(self.session)

    def _report_screen_faults(self) -> None:
        """Write each new failure of a game's screen to the log, and all of them to a file for the doctor."""
        faults = list(display.screen_faults().values())
        for fault in faults[self._screen_fault_count :]:
            self._write_log(f"{fault}.")
        self._screen_fault_count = len(faults)
        with suppress(OSError):
            replace_file(self.store.folder / SCREEN_FAULTS_NAME, "".join(f"{each}\n" for each in faults).encode())

    def _waiting_for_disk(self, banner: str) -> AbstractContextManager[None]:
        """Within this context the loop waits for the disk; if that takes long, a thread shows the banner."""

        def show_banner() -> None:
            self._shows_wait_banner = True
            self.panels.show_session(self.session._replace(banner=banner))

        return watching_slow_disk(show_banner, self._watchdog)

    def _save(self, session: Session) -> None:
        """Save a new session's log entries and make it the current one. Raises if another program has locked the store.

        If the disk refuses, the old session stays, with a banner that says why.
        """
        try:
            if session.box != self.session.box:
                self._change_settings(session.box)
            if session.outbox.unsaved_entries:
                with self._waiting_for_disk(SAVING_BANNER):
                    self.store.write_entries(session.outbox.unsaved_entries)
        except StoreBusyError:
            if not session.is_stopping:
                raise
            self.session = session
            return
        except StoreError as error:
            # The event did not happen. The players see why, and can enter it again.
            self._report_disk_problem(str(error), str(error))
            if session.is_stopping:  # The program stops all the same.
                self.session = session
            return
        if session.outbox.unsaved_entries and DISK_DEVICE in session.missing_devices:
            session = state_machine.update_session(session, DeviceReturned(DISK_DEVICE, session.now))
        self.session = state_machine.clear_outbox(session)
        if session.history.new_rounds and any(line.kind == "begin" for line in session.outbox.unsaved_entries):
            self._reload_evening()
        self._carry_out_outbox(session)
        warnings = self.store.take_warnings()
        if warnings.sentences:
            self._report_disk_problem(
                warnings.sentences, next(WARNING_BANNERS[each] for each in WARNING_BANNERS if each in warnings.kinds)
            )
            self._warned_at = math.inf

    def _change_settings(self, box: BoxSettings) -> None:
        """Save changed settings of the box, then apply them. Raises StoreError if the disk refuses."""
        try:
            with self._waiting_for_disk(SAVING_BANNER):
                self._save_settings(self.session.box, box)
        except OSError as error:
            raise StoreError(text("the settings cannot be saved ({why})", why=os_error_text(error))) from error
        self.panels.brightness = box.brightness
        if box.upside_down != self.session.box.upside_down:
            self.panels.turn(box.upside_down)
        if self._lamps is not None:
            self._lamps.quiet = box.quiet

    def _reload_evening(self) -> None:
        """Read the results of the present evening from the store.

        A box that is never switched off would otherwise count yesterday's rounds as tonight's.
        """
        with contextlib.suppress(StoreError):  # Then the results counted since the start stay.
            history = self.session.history._replace(evening_rounds=self.store.evening_rounds(), new_rounds=())
            self.session = self.session._replace(history=history)

    def _carry_out_outbox(self, session: Session) -> None:
        """Do what a session asks for once it is on disk: backup, replies to phones, requests, sounds and lamps."""
        if any(line.kind == "result" for line in session.outbox.unsaved_entries):
            self._on_round_end()
        for answer in session.outbox.answers:
            self._send_reply(answer)
        for request in session.outbox.requests:
            self._answer_request(request)
        if self._lamps is not None:
            for sound in session.outbox.sounds:
                self._lamps.play_sound(sound)
            round_ = session.round
            self._lamps.light_seat(round_.turn if round_ is not None else None)

    def _answer_request(self, request: SessionRequest) -> None:
        """Answer a request about stored rounds at once, and pass any other to `start_request`."""
        if isinstance(request, SearchRequest | HelperRequest):
            self._start_request(request)
            return
        # The result goes on the queue instead of into the session at once, because time has passed meanwhile.
        if isinstance(request, NameChangeRequest | StoredRoundChangeRequest):
            with self._waiting_for_disk(SAVING_BANNER):
                rows = change_rounds(self.store, request)
            self.inputs.put(QueryResult(request, rows, self.clock()))
            return
        now = self.session.now
        try:
            with self._waiting_for_disk(READING_BANNER):
                rows_found = requested_store_rows(self.store, request)
        except StoreError as error:
            self._report_disk_problem(str(error), str(error))
            return
        if rows_found is not None:
            self.session = state_machine.update_session(self.session, QueryResult(request, rows_found, now))
        elif isinstance(request, Request):
            self._start_request(request)

    def _report_disk_problem(self, problem: str, banner: str) -> None:
        """Show a banner about the disk until a key is pressed, and write the problem to the log.

        The log gets the same problem only once in a row.
        """
        if problem != self._last_disk_problem:
            self._write_log(problem)
        self._last_disk_problem = problem
        self.session = state_machine.update_session(self.session, DeviceMissing(DISK_DEVICE, banner, self.session.now))

    def next_input(self) -> Input:
        """Wait for the next input; returns a Tick if the session is due before one comes."""
        while True:
            now = self.clock()
            is_well = self._check_threads()
            if self._watchdog is not None and now >= self._next_feed_at:
                if is_well:  # Otherwise systemd restarts the program, which offers to continue the round.
                    self._watchdog.feed()
                self._next_feed_at = now + self._watchdog.interval_seconds
            feed_at = self._next_feed_at if self._watchdog is not None else None
            retry_at = now + STORE_RETRY_SECONDS if self._waiting_inputs else None
            times = [at for at in (state_machine.next_change_time(self.session), feed_at, retry_at) if at is not None]
            wait = max(0.0, min(times) - now) if times else None
            try:
                return self.inputs.get(timeout=wait)
            except queue.Empty:
                due_at = state_machine.next_change_time(self.session)
                if self._waiting_inputs or (due_at is not None and self.clock() >= due_at):
                    return Tick(self.clock())
