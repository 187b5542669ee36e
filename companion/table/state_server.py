"""The table's socket: sends other programs on this box ("clients") the table's state and takes their requests.

A UNIX socket with one JSON object a line in both directions; docs/socket.md describes the protocol. No client may delay
the table, so the loop only hands over its newest session. Threads make a snapshot of it and send that, and a client
that does not read is disconnected.

    client                                 table
      │ {"companion": 2}            ──>      │  another version: {"error": …}, and the end
      │      <──          {"state": 7, …}    │  now, and after every change
      │ {"ask": 12, …}              ──>      │
      │      <──         {"answer": 12, …}   │

Each connection has two threads: `_serve_client` sends, `_receive_messages` reads.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import stat
import threading
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import UnusableError
from companion.languages import text_from_json, texts_to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from companion.evening.model import Session

PROTOCOL_VERSION = 2
"""The version of the protocol. A client of another version gets a line that says so, and is disconnected."""
MAX_CLIENTS = 4
"""The most connections at once."""
MAX_LINE_BYTES = 65_536
"""The longest line that a client may send, in bytes."""
MAX_WAITING_REPLIES = 100
"""The most replies that wait for one client; older ones are dropped."""
CLIENT_TIMEOUT_SECONDS = 5
"""Seconds that a client has to send its first line, and to receive any line."""
MAX_RESTARTS = 3
"""How often the thread that accepts connections is restarted."""
SERVICE_FOLDER = Path("/run/companion-table")
"""The service's folder for the socket of the pages, which the folder's group may use."""
PUBLIC_SERVICE_FOLDER = Path("/run/companion-public")
"""The service's folder for the public socket, which the group of the uplink may use."""


class SocketError(UnusableError):
    """The socket cannot be created; the text is one sentence."""


def socket_path(data_folder: Path, service_folder: Path = SERVICE_FOLDER) -> Path:
    """The path of the socket: in the service's folder if this process may write there, else in the data folder."""
    is_service = "RUNTIME_DIRECTORY" in os.environ and os.access(service_folder, os.W_OK)
    return (service_folder if is_service else data_folder) / "table.sock"


def public_socket_path(data_folder: Path) -> Path:
    """The path of the public socket, which sends only what everybody may see."""
    return socket_path(data_folder, PUBLIC_SERVICE_FOLDER).with_name("public.sock")


class StateServer:
    """Sends the newest session to every client that connects to `path`.

    Args:
        name: who the clients are: ``phones`` or ``hall link``.
        path: where the socket is created; its group may connect.
        snapshot: turns a session into plain data; called in a thread, once for each session that is sent.
        on_message: called with each message of a client, its first line included, in the client's thread.
        on_last_left: called when the last client has disconnected.

    Attributes:
        session: the newest session, None before the first.
        clients: the connected clients, each with the replies that are still to be sent to it.
    """

    def __init__(
        self,
        name: str,
        path: Path,
        snapshot: Callable[[Session], Mapping[str, Any]],
        on_message: Callable[[Mapping[str, Any]], object] = lambda message: None,
        on_last_left: Callable[[], object] = lambda: None,
    ) -> None:
        self.name = name
        self._path = path
        self._snapshot = snapshot
        self._on_message = on_message
        self._on_last_left = on_last_left
        self._change = threading.Condition()
        self.session: Session | None = None
        self._state_number = 0
        self._encoded_states = {False: (0, b""), True: (0, b"")}  # by whether texts are sent as their parts
        self._encode_lock = threading.Lock()
        self._listener: socket.socket | None = None
        self._accept_thread: threading.Thread | None = None
        self._restarts = 0
        self.clients: dict[socket.socket, deque[bytes]] = {}
        self._text_clients: set[socket.socket] = set()

    def open(self) -> None:
        """Create the socket and start listening. Raises SocketError."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            remove_stale_socket(self._path)
            mask = os.umask(0o117)
            try:
                listener.bind(str(self._path))
            finally:
                os.umask(mask)
            listener.listen(MAX_CLIENTS)
        except OSError as error:
            listener.close()
            raise SocketError(f"the socket {self._path} cannot be created: {error.strerror or error}") from None
        self._listener = listener
        self._restarts = 0
        self._start_accepting(listener)

    def publish(self, session: Session) -> None:
        """Send a new session to all clients; returns at once."""
        with self._change:
            self.session = session
            self._state_number += 1
            self._change.notify_all()

    def send_reply(self, reply: Mapping[str, Any]) -> None:
        """Send a reply to every client; returns at once."""
        self.send_line(_encode_line(texts_to_json(dict(reply))))

    def send_line(self, line: bytes) -> None:
        """Send an encoded line, in which texts are given by their parts, to every client.

        Clients that did not ask for texts get the same line with English sentences.
        """
        plain = line
        if len(self._text_clients) < len(self.clients):
            plain = _encode_line(json.loads(line, object_hook=text_from_json))
        with self._change:
            for client, replies in self.clients.items():
                replies.append(line if client in self._text_clients else plain)
            self._change.notify_all()

    def close(self) -> None:
        """Disconnect all clients and remove the socket."""
        listener, self._listener = self._listener, None
        if listener is None:
            return
        _close_connection(listener)
        with contextlib.suppress(OSError):
            self._path.unlink()
        for client in tuple(self.clients):
            _close_connection(client)
        with self._change:
            self._change.notify_all()

    def is_alive(self) -> bool:
        """Whether connections are accepted; true if the socket is not open at all."""
        return self._listener is None or (self._accept_thread is not None and self._accept_thread.is_alive())

    def restart_if_ended(self) -> bool:
        """Restart the thread that accepts connections if it has ended, at most `MAX_RESTARTS` times.

        Returns whether the thread was restarted.
        """
        listener = self._listener
        if listener is None or self.is_alive() or self._restarts >= MAX_RESTARTS:
            return False
        self._restarts += 1
        self._start_accepting(listener)
        return True

    def _start_accepting(self, listener: socket.socket) -> None:
        self._accept_thread = threading.Thread(
            target=self._accept_clients, args=(listener,), name=self.name, daemon=True
        )
        self._accept_thread.start()

    # -- threads ------------------------------------------------------------------------------------------------

    def _accept_clients(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                if self._listener is not listener:
                    return  # `close` was called.
                raise
            if len(self.clients) >= MAX_CLIENTS:
                client.close()
                continue
            client.settimeout(CLIENT_TIMEOUT_SECONDS)
            self.clients[client] = deque(maxlen=MAX_WAITING_REPLIES)
            threading.Thread(target=self._serve_client, args=(client,), name="client", daemon=True).start()

    def _serve_client(self, client: socket.socket) -> None:
        """Read a client's first line, then send it each newer session until it disconnects."""
        messages = _received_messages(client)
        try:
            greeting = next(messages, {})
            if greeting.get("companion") != PROTOCOL_VERSION:
                client.sendall(_encode_line({"error": f"this table speaks version {PROTOCOL_VERSION} of the protocol"}))
                return
            if greeting.get("texts") is True:
                self._text_clients.add(client)
            self._on_message(greeting)
            threading.Thread(
                target=self._receive_messages, args=(client, messages), name="client's words", daemon=True
            ).start()
            sent_number, replies = 0, self.clients.get(client, deque())  # The client may have disconnected already.
            while self._listener is not None and client in self.clients:
                with self._change:
                    while (
                        self._state_number <= sent_number
                        and not replies
                        and client in self.clients
                        and self._listener is not None
                    ):
                        self._change.wait()
                while replies:
                    client.sendall(replies.popleft())
                number, line = self._newest_line(client in self._text_clients)
                if number > sent_number:
                    client.sendall(line)
                    sent_number = number
        except OSError:
            pass  # The client disconnected, or does not read.
        finally:
            self._drop_client(client)

    def _receive_messages(self, client: socket.socket, messages: Iterator[Mapping[str, Any]]) -> None:
        try:
            for message in messages:
                self._on_message(message)
        except (OSError, ValueError):
            pass
        finally:
            self._drop_client(client)

    def _newest_line(self, takes_texts: bool) -> tuple[int, bytes]:
        """The newest session's number and its line.

        The line is encoded once for all clients that take texts, and once for all others.
        """
        with self._encode_lock:
            with self._change:
                number, session = self._state_number, self.session
            if session is not None and self._encoded_states[takes_texts][0] != number:
                state = {"state": number} | dict(self._snapshot(session))
                self._encoded_states[takes_texts] = number, _encode_line(texts_to_json(state) if takes_texts else state)
            return self._encoded_states[takes_texts]

    def _drop_client(self, client: socket.socket) -> None:
        self._text_clients.discard(client)
        if self.clients.pop(client, None) is not None and not self.clients:
            self._on_last_left()
        _close_connection(client)
        with self._change:
            self._change.notify_all()


def remove_stale_socket(path: Path) -> None:
    """Remove a socket that a killed table left behind.

    Raises OSError, also if `path` is anything but a socket.
    """
    try:
        if not stat.S_ISSOCK(os.lstat(path).st_mode):
            raise FileExistsError(17, "something else has that name")
    except FileNotFoundError:
        return
    path.unlink()


def _received_messages(client: socket.socket) -> Iterator[Mapping[str, Any]]:
    """Yield each line of a client as an object, {} for a line that is none, until it disconnects or a line is too long.

    After its first line a client may be silent for hours. The socket's own timeout is meant for what is sent to the
    client, so a poll without a timeout waits for what comes.
    """
    unfinished_line, has_greeted, poll = b"", False, select.poll()
    with contextlib.suppress(ValueError):  # The socket may be closed already; then `recv` raises OSError.
        poll.register(client, select.POLLIN)
    while (not has_greeted or poll.poll()) and len(unfinished_line) <= MAX_LINE_BYTES and (chunk := client.recv(4096)):
        *lines, unfinished_line = (unfinished_line + chunk).split(b"\n")
        has_greeted = has_greeted or bool(lines)
        yield from map(_parse_message, lines)


def _parse_message(line: bytes) -> Mapping[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def _encode_line(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _close_connection(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
