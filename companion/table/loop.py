"""The loop: take one input off the queue, update, commit, paint. The only place where time passes."""

from __future__ import annotations

import queue
import time
from collections import deque
from typing import TYPE_CHECKING, Protocol

from companion import screens
from companion import session as sessions
from companion.inputs import (
    DeviceBack,
    DeviceLost,
    GameStandings,
    Input,
    LookBackRequest,
    NameRequest,
    QueryResult,
    Request,
    RoundRequest,
    Stop,
    Tick,
)
from companion.session import pad_rounds, rounds
from companion.session.devices import DISK
from companion.store import opening
from companion.store.file import NO_ROOM
from companion.store.store import Busy, Damaged, RoundFilter, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL import Image

    from companion.session import Session
    from companion.session.model import Answer, LogEntry
    from companion.store.store import Store

UNPAINTED_SECONDS = 0.25
"""How long a burst of presses may put off the next picture: a picture takes longer to send than a press."""

SET_ASIDE = "Old rounds damaged:\nset aside, play on"
WARNINGS = {
    opening.LAST_ENTRY: "The last entry may\nbe missing: look",
    NO_ROOM: "The disk is full:\nmake room",
}
"""What fits on the panel of a store's warnings; any other tells of damage."""

BUSY = "Another program\nholds the rounds"
"""What fits on the panel while an input waits to be kept."""

BUSY_SECONDS = 5.0
"""How long an input waits to be kept while another program holds the rounds; then it has not happened."""

RETRY_SECONDS = 0.1

LISTED = 99
"""So many rounds are listed on the panel, the newest first."""

DIMMED = 1
"""The contrast of a dimmed panel."""


class Display(Protocol):
    """A panel, or what stands for one."""

    def show(self, image: Image.Image, shift: int = 0) -> None:
        """Show a 128×64 one-bit picture, moved by `shift` columns."""

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255."""

    def sleep(self) -> None:
        """Switch the pixels off."""

    def wake(self) -> None:
        """Switch the pixels on again."""


class Lamps(Protocol):
    """The lamps of the seats and the buzzer."""

    def turn(self, seat: int | None) -> None:
        """Light the lamp of the seat to move, no other."""

    def say(self, word: str) -> None:
        """Sound ``accepted``, ``refused``, ``your turn``, ``round over``, ``warning`` or ``flag``."""


class Table:
    """The table while it is open.

    Args:
        session: the first moment.
        store: where events are kept before they are shown.
        displays: the panels; each gets every picture.
        inputs: the one queue that all devices put on.
        lamps: seats and sounds, if there are any.
        brightness: of a panel that is not dimmed, 0 to 255.
        alive: feeds a watchdog; called every `beat` seconds by the loop itself, while `check` says that all is well.
        clock: monotonic seconds.
        tell: is told in a sentence what is the matter with the disk, for the journal.
        shown: is handed each session after its picture, and must take no time.
        answer: takes the answers to phones.
        errand: begins what the session wants of its surroundings, other than kept rounds; the answer is an input.
        check: whether the devices' threads are well; asked whenever the loop wakes.
        ended: is told that a round has ended and is kept, and must take no time.
    """

    def __init__(
        self,
        session: Session,
        store: Store,
        displays: list[Display],
        inputs: queue.SimpleQueue[Input],
        *,
        lamps: Lamps | None = None,
        alive: Callable[[], None] | None = None,
        beat: float | None = None,
        brightness: int = 0xCF,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[str], object] = lambda sentence: None,
        errand: Callable[[Request | LookBackRequest], object] = lambda request: None,
        shown: Callable[[Session], object] = lambda session: None,
        answer: Callable[[Answer], object] = lambda answer: None,
        check: Callable[[], bool] = lambda: True,
        ended: Callable[[], object] = lambda: None,
    ) -> None:
        self.session = session
        self._store = store
        self._displays = displays
        self._inputs = inputs
        self._lamps = lamps
        self._alive = alive
        self._beat = beat
        self._brightness = brightness
        self._light = "on"
        self._clock = clock
        self._next_beat = clock()
        self._painted_at = clock()
        self._tell = tell
        self._told = ""
        self._errand = errand
        self._shown = shown
        self._answer = answer
        self._check = check
        self._ended = ended
        self._waiting: deque[Input] = deque()  # inputs that could not be kept yet, oldest first
        self._wait_until = 0.0

    def open(self) -> None:
        """Keep and show the first moment."""
        try:
            self._keep(self.session)
        except Busy as error:  # It is kept with the first input.
            self._tell_disk(str(error), BUSY)
        self.paint()

    def run(self) -> None:
        """Play until the session stops; the last picture stays on the panel."""
        while not self.session.stopping:
            self.take(self._next())
            if self._inputs.empty() or self._clock() - self._painted_at > UNPAINTED_SECONDS:
                self.paint()
                self._store.tidy()
        self.paint()

    def take(self, event: Input) -> None:
        """One input: nothing of it is shown unless all of it is kept.

        Where another program holds the rounds, this and all that follow wait, in order, and the loop goes on.
        """
        if isinstance(event, Stop):
            self._waiting.clear()
        elif not self._waiting:
            self._wait_until = self._clock() + BUSY_SECONDS
        self._waiting.append(event)
        while self._waiting:
            try:
                self._keep(sessions.update(self.session, self._waiting[0]))
            except Busy as error:
                if self._clock() < self._wait_until:
                    self._tell_disk(str(error), BUSY)
                    return
                self._waiting.clear()  # They did not happen: what followed may have no meaning without the first.
                self._tell_disk(str(error), str(error))
                return
            self._waiting.popleft()

    def paint(self) -> None:
        """Show the session as it stands, and tell it when its picture was handed over."""
        image = screens.draw(self.session)
        for display in self._displays:
            display.show(image, self.session.shift)
            if self.session.light != self._light:
                self._lighten(display, self.session.light)
        self._light = self.session.light
        self._painted_at = self._clock()
        self.session = sessions.shown(self.session, self._painted_at)
        self._shown(self.session)

    def _lighten(self, display: Display, light: str) -> None:
        if light == "off":
            display.sleep()
            return
        display.contrast(self._brightness if light == "on" else DIMMED)
        if self._light == "off":
            display.wake()

    def _keep(self, after: Session) -> None:
        """Make `after` the session once all of it is on disk; else tell why it is not. Raises Busy."""
        try:
            self._write(after)
        except Busy:
            if not after.stopping:
                raise
            self.session = after
            return
        except StoreError as error:
            # The event did not happen: the players are told, and can enter it again.
            self._tell_disk(str(error), str(error))
            if after.stopping:  # The plug may be pulled all the same.
                self.session = after
            return
        if after.unsaved and DISK in after.missing_devices:
            after = sessions.update(after, DeviceBack(DISK, after.clock))
        self.session = sessions.saved(after)
        if any(line.kind == "result" for line in after.unsaved):
            self._ended()
        for answer in after.answers:
            self._answer(answer)
        for request in after.requests:
            self._go(request)
        if self._lamps is not None:
            for sound in after.sounds:
                self._lamps.say(sound)
            round_ = after.round
            self._lamps.turn(round_.turn if round_ is not None else None)
        if self._store.warning:
            warning, self._store.warning = self._store.warning, ""
            self._tell_disk(warning, WARNINGS.get(warning, SET_ASIDE))

    def _rename(self, request: NameRequest) -> None:
        """Change a name in every kept round; what became of it is an input like any other."""
        found: tuple[object, ...]
        try:
            why = self._store.change_name(request.old, request.new, merged=request.merged)
            found = why, None if why else self._store.past()
        except StoreError as error:
            found = str(error), None
        self._inputs.put(QueryResult(request, found, self._clock()))

    def _go(self, request: Request | RoundRequest | GameStandings | NameRequest | LookBackRequest) -> None:
        """Answer a request of the session: queries of stored rounds at once, anything else through `errand`."""
        now = self.session.clock
        try:
            if request is Request.STANDINGS:
                found: tuple[object, ...] = tuple(self._store.standings())
            elif isinstance(request, GameStandings):
                found = tuple(self._store.standings(RoundFilter(game=request.game)))
            elif request is Request.HISTORY:
                found = tuple(reversed(self._store.kept(limit=LISTED)))
            elif isinstance(request, RoundRequest):
                number = request.number
                found = (
                    self._store.round(number),
                    self._store.kept(RoundFilter(round=number))[0],
                    self._store.goes_on(number),
                )
            elif isinstance(request, NameRequest):
                self._rename(request)
                return
            else:
                self._errand(request)
                return
        except StoreError as error:
            self._tell_disk(str(error), str(error))
            return
        self.session = sessions.update(self.session, QueryResult(request, found, now))

    def _write(self, after: Session) -> None:
        """Write the new entries to disk; if the file is damaged, to a new one, together with the round on the table."""
        try:
            self._store.write(after.unsaved)
        except Damaged:
            begun = {line.round for line in after.unsaved if line.kind == "begin"}
            on_table = {each.id for each in (self.session.round, self.session.pad) if each is not None}
            self._store.start_over(without=on_table | begun)
            again: tuple[LogEntry, ...] = ()
            if (round_ := self.session.round) is not None and round_.id not in begun:
                again = rounds.retold(round_)
            if (sheet := self.session.pad) is not None and sheet.id not in begun:
                again = (*again, *pad_rounds.retold(sheet))
            self._store.write((*again, *after.unsaved))

    def _tell_disk(self, why: str, banner: str) -> None:
        """Show a banner about the disk until a press, and write the journal once for each different sentence."""
        if why != self._told:
            self._tell(why)
        self._told = why
        self.session = sessions.update(self.session, DeviceLost(DISK, banner, self.session.clock))

    def _next(self) -> Input:
        """The next input, or a Tick at the next due moment, whichever comes first."""
        while True:
            now = self._clock()
            well = self._check()
            if self._alive is not None and self._beat is not None and now >= self._next_beat:
                if well:  # Else the service manager starts the program anew, which offers to go on.
                    self._alive()
                self._next_beat = now + self._beat
            again = now + RETRY_SECONDS if self._waiting else None
            moments = [moment for moment in (sessions.due(self.session), self._beats(), again) if moment is not None]
            wait = max(0.0, min(moments) - now) if moments else None
            try:
                return self._inputs.get(timeout=wait)
            except queue.Empty:
                due = sessions.due(self.session)
                if self._waiting or (due is not None and self._clock() >= due):
                    return Tick(self._clock())

    def _beats(self) -> float | None:
        return None if self._beat is None else self._next_beat
