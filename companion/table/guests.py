"""The table's socket: tells other programs ("guests") on this box the table's state and takes their requests.

A UNIX socket with one JSON object a line in both directions; docs/socket.md describes it. The loop only hands over its
newest session. Threads describe and send it, so a slow guest does not delay the table; one that does not read is
disconnected.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import threading
from collections import deque
from typing import TYPE_CHECKING, Any

from companion import Unusable
from companion.languages import packed, unpacked
from companion.table.socket_file import remove_stale

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from companion.session.model import Session

VERSION = 2
"""The version of the protocol; a guest with another version gets an answer that says so, and is closed."""
GUESTS = 4
"""The most connections at once."""
LINE = 65_536
"""The longest line that a guest may send, in bytes."""
ANSWERS = 100
"""The most answers that wait for one guest; older ones are dropped."""
PATIENCE = 5
"""Seconds in which a guest has to greet, and to receive a line."""
REVIVALS = 3
"""How often the thread that accepts connections is started anew."""


class SocketError(Unusable):
    """The socket cannot be created; the text is one sentence."""


class Guests:
    """Serves the newest session to whoever connects to `path`.

    Args:
        name: who the guests are: ``phones`` or ``hall link``.
        path: where the socket is created; its group may connect.
        describe: turns a session into plain data; called in a thread, once for each session that is sent.
        on_message: called with each message of a guest after its greeting, in the guest's thread.
        on_last_left: called when the last guest has gone.
    """

    def __init__(
        self,
        name: str,
        path: Path,
        describe: Callable[[Session], Mapping[str, Any]],
        on_message: Callable[[Mapping[str, Any]], object] = lambda words: None,
        on_last_left: Callable[[], object] = lambda: None,
    ) -> None:
        self.name = name
        self._path = path
        self._describe = describe
        self._on_message = on_message
        self._on_last_left = on_last_left
        self._news = threading.Condition()
        self._session: Session | None = None
        self._number = 0
        self._described = {False: (0, b""), True: (0, b"")}  # with texts as their parts, or as English sentences
        self._take_texts: set[socket.socket] = set()
        self._describing = threading.Lock()
        self._listener: socket.socket | None = None
        self._accepting: threading.Thread | None = None
        self._revived = 0
        self.guests: dict[socket.socket, deque[bytes]] = {}  # guest → answers to send

    def remove_stale(self) -> None:
        """Remove the socket that a killed table left: it would say that this one listens. Call it before `open`."""
        with contextlib.suppress(OSError):
            remove_stale(self._path)

    def open(self) -> None:
        """Start listening. Raises SocketError."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            remove_stale(self._path)
            mask = os.umask(0o117)
            try:
                listener.bind(str(self._path))
            finally:
                os.umask(mask)
            listener.listen(GUESTS)
        except OSError as error:
            listener.close()
            raise SocketError(f"the socket {self._path} cannot be made: {error.strerror or error}") from None
        self._listener = listener
        self._revived = 0
        self._start_accepting(listener)

    def show(self, session: Session) -> None:
        """Tell the guests a new session; returns at once."""
        with self._news:
            self._session = session
            self._number += 1
            self._news.notify_all()

    def answer(self, words: Mapping[str, Any]) -> None:
        """Send a message to every guest; returns at once."""
        lines = {False: _encoded(words), True: _encoded(packed(dict(words)))}
        with self._news:
            for guest, waiting in self.guests.items():
                waiting.append(lines[guest in self._take_texts])
            self._news.notify_all()

    def answer_line(self, line: bytes) -> None:
        """Send an encoded line with texts as their parts to every guest, with sentences to those that take no texts."""
        plain = line
        if len(self._take_texts) < len(self.guests):
            plain = _encoded(json.loads(line, object_hook=unpacked))
        with self._news:
            for guest, waiting in self.guests.items():
                waiting.append(line if guest in self._take_texts else plain)
            self._news.notify_all()

    @property
    def session(self) -> Session | None:
        """The newest session, None before the first."""
        return self._session

    def close(self) -> None:
        """Close all connections and remove the socket."""
        listener, self._listener = self._listener, None
        if listener is None:
            return
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        with contextlib.suppress(OSError):
            self._path.unlink()
        for guest in tuple(self.guests):
            _hang_up(guest)
        with self._news:
            self._news.notify_all()

    @property
    def open_now(self) -> bool:
        """Whether the socket is listening."""
        return self._listener is not None

    def alive(self) -> bool:
        """Whether connections are accepted, if the socket is to listen."""
        return self._listener is None or (self._accepting is not None and self._accepting.is_alive())

    def revive(self) -> bool:
        """Accept connections again if the thread that does has ended, so often at most. Returns whether it had."""
        listener = self._listener
        if listener is None or self.alive() or self._revived >= REVIVALS:
            return False
        self._revived += 1
        self._start_accepting(listener)
        return True

    def _start_accepting(self, listener: socket.socket) -> None:
        self._accepting = threading.Thread(target=self._accept, args=(listener,), name=self.name, daemon=True)
        self._accepting.start()

    # -- threads ------------------------------------------------------------------------------------------------

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                guest, _ = listener.accept()
            except OSError:
                if self._listener is not listener:
                    return  # Closed.
                raise
            if len(self.guests) >= GUESTS:
                guest.close()
                continue
            guest.settimeout(PATIENCE)
            self.guests[guest] = deque(maxlen=ANSWERS)
            threading.Thread(target=self._serve, args=(guest,), name="guest", daemon=True).start()

    def _serve(self, guest: socket.socket) -> None:
        """Greet a guest, then send it each newer session until it disconnects."""
        try:
            if not self._greeted(guest):
                return
            threading.Thread(target=self._listen, args=(guest,), name="guest's words", daemon=True).start()
            told, answers = 0, self.guests.get(guest, deque())  # It may have disconnected already.
            while self._listener is not None and guest in self.guests:
                with self._news:
                    while self._number <= told and not answers and guest in self.guests and self._listener is not None:
                        self._news.wait()
                while answers:
                    guest.sendall(answers.popleft())
                number, line = self._line(guest in self._take_texts)
                if number > told:
                    guest.sendall(line)
                    told = number
        except OSError:
            pass  # It disconnected, or does not read.
        finally:
            self._drop(guest)

    def _greeted(self, guest: socket.socket) -> bool:
        """Read the guest's greeting. Returns whether it names our version of the protocol."""
        words = _object(_first_line(guest))
        if words.get("companion") != VERSION:
            guest.sendall(_encoded({"error": f"this table speaks version {VERSION} of the protocol"}))
            return False
        if words.get("texts") is True:
            self._take_texts.add(guest)
        self._on_message(words)
        return True

    def _listen(self, guest: socket.socket) -> None:
        """Read a guest's lines; a line that is too long or no JSON object ends the connection."""
        rest = b""
        words = select.poll()  # The socket's own limit is for what is sent to it: a guest may be silent for hours.
        try:
            words.register(guest, select.POLLIN)
            while words.poll() and (chunk := guest.recv(4096)):
                rest += chunk
                *lines, rest = rest.split(b"\n")
                for line in lines:
                    self._on_message(_object(line))
                if len(rest) > LINE:
                    break
        except (OSError, ValueError):
            pass
        finally:
            self._drop(guest)

    def _line(self, texts: bool) -> tuple[int, bytes]:
        """The newest session's number and its line, which is made once for all guests that take `texts` or do not."""
        with self._describing:
            with self._news:
                number, session = self._number, self._session
            if session is not None and self._described[texts][0] != number:
                words = {"state": number} | dict(self._describe(session))
                self._described[texts] = number, _encoded(packed(words) if texts else words)
            return self._described[texts]

    def _drop(self, guest: socket.socket) -> None:
        self._take_texts.discard(guest)
        if self.guests.pop(guest, None) is not None and not self.guests:
            self._on_last_left()
        _hang_up(guest)
        with self._news:
            self._news.notify_all()


def _first_line(guest: socket.socket) -> bytes:
    line = b""
    while not line.endswith(b"\n") and len(line) < 1024:
        byte = guest.recv(1)
        if not byte:
            break
        line += byte
    return line


def _object(line: bytes) -> Mapping[str, Any]:
    """A line's JSON object, an empty one if it is not an object."""
    try:
        words = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return words if isinstance(words, dict) else {}


def _encoded(words: Mapping[str, Any]) -> bytes:
    return json.dumps(words, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _hang_up(guest: socket.socket) -> None:
    with contextlib.suppress(OSError):
        guest.shutdown(socket.SHUT_RDWR)
    guest.close()
